//! Sizes by iterative search, planned anew in every pass; see `sizes` for the plan.

use super::sizes::{self, Waiting};
use super::world::{News, Scheme, World};

pub struct Iterative;

impl Scheme for Iterative {
    fn shares_anew(&self) -> bool {
        true
    }

    fn pass(&mut self, world: &mut World, _news: &News) {
        let queue = world.queue.clone();
        let waiting: Vec<Waiting> = queue.iter().map(|job| waiting(world, *job)).collect();
        let (places, _) = sizes::plan(&free(world), &waiting);
        for (job, (size, start)) in queue.into_iter().zip(places) {
            if start == world.now {
                assert!(world.try_start_on(job, size as usize));
            }
        }
    }
}

fn waiting(world: &World, job: usize) -> Waiting {
    if world.speedup(job).is_none() {
        return Waiting { least: world.size(job) as u32, times: vec![world.estimate(job)] };
    }
    Waiting { least: 1, times: (1..=world.nodes()).map(|n| world.estimate_on(job, n)).collect() }
}

/// From when on how many nodes are free.
fn free(world: &World) -> Vec<(i64, i64)> {
    let mut times = vec![world.now];
    times.extend(world.running.iter().map(|running| running.free_at(world.now)));
    times.sort_unstable();
    times.dedup();
    let held = |at: i64| {
        let still = world.running.iter().filter(move |running| running.free_at(world.now) > at);
        still.map(|running| running.nodes.len()).sum::<usize>()
    };
    times.into_iter().map(|at| (at, (world.nodes() - held(at)) as i64)).collect()
}
