//! Conservative backfilling whose reservations are remembered and move up.

use super::planned::{Hold, earliest_hole, start_in_hole};
use super::world::{News, Scheme, World};

#[derive(Clone, Debug)]
struct Reserved {
    job: usize,
    at: i64,
    nodes: Vec<usize>,
}

#[derive(Default)]
pub struct Compress {
    /// In arrival order.
    reserved: Vec<Reserved>,
    /// When a pass was asked for.
    asked: Vec<i64>,
}

impl Compress {
    fn holds(&self, world: &World) -> Vec<Hold> {
        let mut holds = Vec::new();
        for running in &world.running {
            // A job that is due may yet end in this instant, if others' ends are handled first; a late one has not.
            let to = if running.late { world.now + 1 } else { running.due };
            let (size, nodes) = (running.nodes.len(), running.nodes.clone());
            holds.push(Hold { from: running.start, to, size, nodes });
        }
        for reserved in &self.reserved {
            let (from, to) = (reserved.at, reserved.at + world.estimate(reserved.job));
            holds.push(Hold { from, to, size: world.size(reserved.job), nodes: reserved.nodes.clone() });
        }
        holds
    }

    fn find(&self, world: &World, job: usize) -> Reserved {
        let (at, nodes) = earliest_hole(world, &self.holds(world), world.size(job), world.estimate(job));
        Reserved { job, at, nodes }
    }

    fn reserve(&mut self, world: &mut World, job: usize) {
        let found = self.find(world, job);
        world.promises[job].get_or_insert(found.at);
        self.reserved.push(found);
    }

    fn move_up(&mut self, world: &World) {
        for index in 0..self.reserved.len() {
            let old = self.reserved.remove(index);
            let new = self.find(world, old.job);
            let kept = if new.at < old.at { new } else { old };
            self.reserved.insert(index, kept);
        }
    }

    fn start_due(&mut self, world: &mut World) {
        loop {
            let first = self.reserved.iter().min_by_key(|reserved| (reserved.at, reserved.job)).cloned();
            let Some(first) = first.filter(|first| first.at <= world.now) else { return };
            assert_eq!(first.at, world.now, "a reservation was missed");
            if !start_in_hole(world, first.job, &first.nodes) {
                return;
            }
            self.reserved.retain(|other| other.job != first.job);
        }
    }
}

impl Scheme for Compress {
    fn pass(&mut self, world: &mut World, news: &News) {
        let someone_is_late = world.running.iter().any(|running| running.late);
        if someone_is_late || news.ended.iter().any(|ended| ended.due < world.now) {
            for old in std::mem::take(&mut self.reserved) {
                self.reserve(world, old.job);
            }
        } else if news.ended.iter().any(|ended| ended.due > world.now) {
            self.move_up(world);
        }
        for &job in &news.submitted {
            self.reserve(world, job);
        }
        self.start_due(world);
        // While someone is late, the next reservation waits for its end, or for that of another running job.
        if !someone_is_late {
            self.asked.extend(self.reserved.iter().map(|reserved| reserved.at).min());
        }
    }

    fn wake(&self, world: &World) -> Option<i64> {
        self.asked.iter().copied().filter(|at| *at > world.now).min()
    }
}
