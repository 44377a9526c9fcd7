//! Plans: what is held when, the earliest hole, and the policies that plan anew in every pass.

use super::world::{News, Place, Scheme, World};
use sim::policy::{Order, Reservations};

/// Nodes that a running job or a reservation holds over [from, to).
#[derive(Clone, Debug)]
pub struct Hold {
    pub from: i64,
    pub to: i64,
    pub size: usize,
    /// Which; of no meaning where only numbers count.
    pub nodes: Vec<usize>,
}

/// The earliest instant from now on at which `size` nodes can be held for `duration`, and which. Where only numbers count,
/// the nodes are none in particular.
pub fn earliest_hole(world: &World, holds: &[Hold], size: usize, duration: i64) -> (i64, Vec<usize>) {
    let mut instants: Vec<i64> = holds.iter().map(|hold| hold.to).filter(|to| *to > world.now).collect();
    instants.push(world.now);
    instants.sort_unstable();
    instants.dedup();
    let held = |at: i64| holds.iter().filter(move |hold| hold.from <= at && at < hold.to);
    let all: Vec<bool> = installed(world);
    for at in instants {
        if world.place == Place::FirstFree {
            let mut looks: Vec<i64> = holds.iter().map(|hold| hold.from).collect();
            looks.retain(|look| at < *look && *look < at + duration);
            looks.push(at);
            let total = all.iter().filter(|node| **node).count();
            let fits = |look: i64| held(look).map(|hold| hold.size).sum::<usize>() + size <= total;
            if looks.into_iter().all(fits) {
                return (at, Vec::new());
            }
        } else {
            let mut free = all.clone();
            for hold in holds.iter().filter(|hold| hold.from < at + duration && at < hold.to) {
                for &node in &hold.nodes {
                    free[node] = false;
                }
            }
            if let Some(nodes) = world.place.find(size, &free) {
                return (at, nodes);
            }
        }
    }
    panic!("a job fits when all others are gone");
}

fn installed(world: &World) -> Vec<bool> {
    let mut all = world.free.clone();
    for running in &world.running {
        for &node in &running.nodes {
            all[node] = true;
        }
    }
    all
}

/// Starts a job for which a hole begins now; false if its nodes are not there yet.
pub fn start_in_hole(world: &mut World, job: usize, nodes: &[usize]) -> bool {
    if world.place == Place::FirstFree {
        return world.try_start(job);
    }
    let free = nodes.iter().all(|node| world.free[*node]);
    if free {
        world.start(job, nodes.to_vec());
    }
    free
}

/// Priority backfilling: in every pass the waiting jobs in order of priority start now, get one of the reservations, or nothing.
pub struct Planned {
    order: Order,
    reservations: usize,
}

impl Planned {
    pub fn new(order: Order, reservations: Reservations) -> Planned {
        let reservations = match reservations {
            Reservations::AtMost(number) => number as usize,
            Reservations::All => usize::MAX,
        };
        Planned { order, reservations }
    }

    pub fn conservative() -> Planned {
        Planned::new(Order::Arrival, Reservations::All)
    }

    /// Whether `a` goes before `b`, in exact arithmetic; equal ones stay in arrival order.
    fn before(&self, world: &World, a: usize, b: usize) -> bool {
        let (size, estimate) = (|job| world.size(job) as i128, |job| i128::from(world.estimate(job)));
        let wait = |job| i128::from(world.waited(job));
        match self.order {
            Order::Arrival => a < b,
            Order::ShortestFirst => (estimate(a), a) < (estimate(b), b),
            Order::SmallestFirst => (size(a), a) < (size(b), b),
            Order::LargestFirst => (-size(a), a) < (-size(b), b),
            Order::LargestExpansionFirst => {
                // wait/estimate by cross-multiplication.
                (-wait(a) * estimate(b), a) < (-wait(b) * estimate(a), b)
            }
            _ => unreachable!("weights are tested by hand"),
        }
    }

    fn by_priority(&self, world: &World) -> Vec<usize> {
        let mut sorted: Vec<usize> = Vec::new();
        for &job in &world.queue {
            let at = sorted.iter().position(|other| self.before(world, job, *other)).unwrap_or(sorted.len());
            sorted.insert(at, job);
        }
        sorted
    }
}

impl Scheme for Planned {
    fn pass(&mut self, world: &mut World, _: &News) {
        let mut reserved: Vec<Hold> = Vec::new();
        for job in self.by_priority(world) {
            let mut holds = reserved.clone();
            for running in &world.running {
                let to = running.free_at(world.now);
                let (size, nodes) = (running.nodes.len(), running.nodes.clone());
                holds.push(Hold { from: running.start, to, size, nodes });
            }
            let (size, duration) = (world.size(job), world.estimate(job));
            let (at, nodes) = earliest_hole(world, &holds, size, duration);
            if at == world.now {
                assert!(start_in_hole(world, job, &nodes));
            } else if reserved.len() < self.reservations {
                reserved.push(Hold { from: at, to: at + duration, size, nodes });
            }
        }
    }
}
