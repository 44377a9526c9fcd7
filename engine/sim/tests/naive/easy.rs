//! FCFS and EASY.

use super::world::{News, Place, Scheme, World};

pub struct Fcfs;

impl Scheme for Fcfs {
    fn pass(&mut self, world: &mut World, _: &News) {
        start_from_the_head(world);
    }
}

fn start_from_the_head(world: &mut World) {
    while let Some(&head) = world.queue.first() {
        if !world.try_start(head) {
            return;
        }
    }
}

pub struct Easy {
    pub kill: bool,
    /// The head waits for enough nodes, wherever they are.
    pub count: bool,
}

impl Scheme for Easy {
    fn pass(&mut self, world: &mut World, _: &News) {
        start_from_the_head(world);
        while self.kill && self.kill_for_the_head(world) {
            start_from_the_head(world);
        }
        if let Some(&head) = world.queue.first() {
            if self.count || world.place == Place::FirstFree {
                backfill_by_count(world, head);
            } else {
                backfill_by_place(world, head);
            }
        }
    }
}

impl Easy {
    /// Kills backfilled jobs, latest start first, until the head fits; nobody if that would not do. Those only that are late,
    /// unless the head waits for a count and has it.
    fn kill_for_the_head(&self, world: &mut World) -> bool {
        let Some(&head) = world.queue.first() else { return false };
        let due = self.count && count(&world.free) >= world.size(head);
        let mut victims = world.running.clone();
        victims.retain(|running| running.backfilled && (running.late || due));
        victims.sort_by_key(|running| (running.start, running.job));
        victims.reverse();
        let mut free = world.free.clone();
        for number in 1..=victims.len() {
            for &node in &victims[number - 1].nodes {
                free[node] = true;
            }
            if world.place.find(world.size(head), &free).is_some() {
                for victim in &victims[..number] {
                    let index = world.running.iter().position(|running| running.job == victim.job);
                    world.end(index.unwrap(), true);
                }
                return true;
            }
        }
        false
    }
}

fn count(free: &[bool]) -> usize {
    free.iter().filter(|free| **free).count()
}

/// Now, and whenever some running job is expected to end; with the nodes that are free then.
fn outlook(world: &World) -> Vec<(i64, Vec<bool>)> {
    let now = world.now;
    let mut instants: Vec<i64> = world.running.iter().map(|running| running.free_at(now)).collect();
    instants.push(now);
    instants.sort_unstable();
    let then_free = |at: i64| {
        let mut free = world.free.clone();
        for running in world.running.iter().filter(|running| running.free_at(now) <= at) {
            for &node in &running.nodes {
                free[node] = true;
            }
        }
        (at, free)
    };
    instants.into_iter().map(then_free).collect()
}

fn those_behind(world: &World) -> Vec<usize> {
    world.queue.iter().skip(1).copied().collect()
}

fn backfill_by_count(world: &mut World, head: usize) {
    let outlook = outlook(world);
    let (shadow, free) = outlook.iter().find(|(_, free)| count(free) >= world.size(head)).unwrap();
    let mut extra = count(free) - world.size(head);
    for job in those_behind(world) {
        let size = world.size(job);
        if world.now + world.estimate(job) <= *shadow {
            world.try_start(job);
        } else if size <= extra && world.try_start(job) {
            extra -= size;
        }
    }
}

fn backfill_by_place(world: &mut World, head: usize) {
    let outlook = outlook(world);
    let reserve = |(at, free): &(i64, Vec<bool>)| Some((*at, world.place.find(world.size(head), free)?));
    let (shadow, reserved) = outlook.iter().find_map(reserve).unwrap();
    for job in those_behind(world) {
        if world.now + world.estimate(job) <= shadow {
            world.try_start(job);
            continue;
        }
        let mut free = world.free.clone();
        for &node in &reserved {
            free[node] = false;
        }
        if let Some(nodes) = world.place.find(world.size(job), &free) {
            world.start(job, nodes);
        }
    }
}
