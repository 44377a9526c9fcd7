//! Fair shares of moldable jobs: everything worked out anew in every pass, every number of nodes tried at every instant.

use super::world::{News, Place, Scheme, World};
use sim::policy::fair_share::{
    LaterJobs, LimitRounding, Movable, ReservedSize, RunningWeight, Settings, ShareAmong, ShareWeight,
    SlopeOf,
};

pub struct FairShare {
    pub settings: Settings,
    pub nodes: usize,
    /// The job that keeps the size of its reservation.
    pub kept: Option<(usize, usize)>,
}

/// So many nodes are taken from one instant to another.
type Taken = (i64, i64, usize);

/// From when, until when, and which nodes: by truth value, if it matters which.
type Reserved = (i64, i64, usize, Vec<bool>);

impl Scheme for FairShare {
    /// Whoever started in one pass is not among the waiting jobs of the next.
    fn shares_anew(&self) -> bool {
        true
    }

    fn pass(&mut self, world: &mut World, _: &News) {
        let limits = self.limits(world);
        let mut reserved: Option<Reserved> = None;
        for (job, limit) in world.queue.clone().into_iter().zip(limits) {
            let sizes = match self.kept.filter(|(kept, _)| *kept == job) {
                Some((_, size)) => size..=size,
                None if world.speedup(job).is_none() => world.size(job)..=world.size(job),
                None => 1..=limit,
            };
            let later = reserved.is_some() && self.settings.later_jobs == LaterJobs::StartingNow;
            let starts = sizes.filter_map(|size| {
                let time = world.estimate_on(job, size);
                let start = match world.place {
                    Place::FirstFree => {
                        let reserved = reserved.as_ref().map(|(from, to, count, _)| (*from, *to, *count));
                        self.earliest(world, reserved, size, time)?
                    }
                    Place::Block { .. } => earliest_placed(world, reserved.as_ref(), size, time)?,
                };
                (!later || start == world.now).then_some((start + time, size, start))
            });
            let Some((end, size, start)) = starts.min() else { continue };
            if start == world.now {
                match reserved.as_ref().filter(|(from, ..)| end > *from) {
                    Some((.., nodes)) if world.place != Place::FirstFree => {
                        let free = but(&world.free, nodes);
                        world.start(job, world.place.find(size, &free).unwrap());
                    }
                    _ => assert!(world.try_start_on(job, size)),
                }
                self.kept = self.kept.filter(|(kept, _)| *kept != job);
            } else if reserved.is_none() {
                reserved = Some((start, end, size, reserved_nodes(world, start, size)));
                if self.settings.reserved_size == ReservedSize::KeepsSize {
                    self.kept = Some((job, size));
                }
            }
        }
    }
}

/// Who is free at an instant, without a reservation.
fn free_at(world: &World, at: i64) -> Vec<bool> {
    let mut free = world.free.clone();
    for running in world.running.iter().filter(|running| running.free_at(world.now) <= at) {
        running.nodes.iter().for_each(|node| free[*node] = true);
    }
    free
}

fn but(free: &[bool], nodes: &[bool]) -> Vec<bool> {
    free.iter().zip(nodes).map(|(free, taken)| *free && !taken).collect()
}

fn reserved_nodes(world: &World, start: i64, size: usize) -> Vec<bool> {
    let free = free_at(world, start);
    let found = world.place.find(size, &free).unwrap_or_default();
    (0..free.len()).map(|node| found.contains(&node)).collect()
}

/// When there is a place for so many nodes for so long, at the earliest.
fn earliest_placed(world: &World, reserved: Option<&Reserved>, size: usize, time: i64) -> Option<i64> {
    let mut instants: Vec<i64> = world.running.iter().map(|running| running.free_at(world.now)).collect();
    instants.push(world.now);
    instants.extend(reserved.map(|(_, to, ..)| *to));
    instants.sort_unstable();
    instants.into_iter().find(|&start| {
        let mut free = free_at(world, start);
        if let Some((_, _, _, nodes)) = reserved.filter(|(from, to, ..)| start < *to && *from < start + time)
        {
            free = but(&free, nodes);
        }
        world.place.find(size, &free).is_some()
    })
}

impl FairShare {
    /// When so many nodes are free for so long, at the earliest.
    fn earliest(&self, world: &World, reserved: Option<Taken>, size: usize, time: i64) -> Option<i64> {
        let now = world.now;
        let mut taken: Vec<Taken> =
            world.running.iter().map(|running| (now, running.free_at(now), running.nodes.len())).collect();
        taken.extend(reserved);
        let mut instants: Vec<i64> = taken.iter().flat_map(|(from, to, _)| [*from, *to]).collect();
        instants.push(now);
        instants.sort_unstable();
        let used = |at: i64| -> usize {
            taken.iter().filter(|(from, to, _)| (*from..*to).contains(&at)).map(|(.., nodes)| nodes).sum()
        };
        let fits = |start: &i64| {
            let within = instants.iter().filter(|at| (*start..*start + time).contains(at));
            within.chain([start]).all(|at| used(*at) + size <= self.nodes)
        };
        instants.iter().copied().find(fits)
    }

    /// The limits of the waiting jobs.
    fn limits(&self, world: &World) -> Vec<usize> {
        let mut jobs = world.queue.clone();
        let mut weights: Vec<f64> = jobs.iter().map(|job| self.weight(world, *job)).collect();
        if self.settings.share_among == ShareAmong::WaitingAndRunning {
            for running in &world.running {
                let mut weight = self.weight(world, running.job);
                if self.settings.running_weight == RunningWeight::Remaining {
                    let left = (running.due - world.now).max(1);
                    weight *= left as f64 / world.estimate_on(running.job, running.nodes.len()) as f64;
                }
                jobs.push(running.job);
                weights.push(weight);
            }
        }
        let sum: f64 = weights.iter().map(|weight| weight.sqrt()).sum();
        let mut limits: Vec<usize> = weights.iter().map(|weight| self.rounded(weight.sqrt() / sum)).collect();
        if self.settings.efficiency > 0.0 {
            self.transfer(world, &jobs, &mut limits);
        }
        limits.truncate(world.queue.len());
        limits
    }

    fn weight(&self, world: &World, job: usize) -> f64 {
        if self.settings.share_weight == ShareWeight::Sequential && world.speedup(job).is_some() {
            world.estimate_on(job, 1) as f64
        } else {
            world.estimate(job) as f64 * world.size(job) as f64
        }
    }

    fn rounded(&self, fraction: f64) -> usize {
        let share = fraction * self.settings.overbooking * self.nodes as f64;
        let whole = match self.settings.limit_rounding {
            _ if (share - share.round()).abs() <= 1e-9 * share.round() => share.round(),
            LimitRounding::Floor => share.floor(),
            LimitRounding::Nearest => (share + 1e-9 * share).round(),
            LimitRounding::Ceil => share.ceil(),
        };
        (whole as usize).clamp(1, self.nodes)
    }

    fn slope(&self, world: &World, job: usize, limit: usize) -> f64 {
        let speedup = world.speedup(job).unwrap();
        match self.settings.slope {
            SlopeOf::RightDerivative => speedup.slope(limit as u32),
            SlopeOf::ForwardDifference => speedup.at(limit as u32 + 1) - speedup.at(limit as u32),
        }
    }

    /// Fig. 1, with the rule of its comment: no job both gains and loses.
    fn transfer(&self, world: &World, jobs: &[usize], limits: &mut [usize]) {
        let base = limits.to_vec();
        let mut order: Vec<usize> = (0..jobs.len()).filter(|at| world.speedup(jobs[*at]).is_some()).collect();
        loop {
            let slope = |at: usize| self.slope(world, jobs[at], limits[at]);
            let bounds = |at: usize| {
                let (base, factor) = (base[at] as f64, self.settings.efficiency);
                ((base * (1.0 - factor)).max(1.0), (base * (1.0 + factor)).min(self.nodes as f64))
            };
            let may = |at: usize, by: f64| {
                let (low, high) = bounds(at);
                let limit = limits[at] as f64;
                let same_way = if by < 0.0 { limits[at] <= base[at] } else { limits[at] >= base[at] };
                same_way
                    && match self.settings.movable {
                        Movable::Directional => low <= limit + by && limit + by <= high,
                        Movable::Printed => low < limit && limit < high,
                    }
            };
            // The first of equals is the earliest arrival.
            order.sort_by_key(|at| jobs[*at]);
            order.sort_by(|a, b| slope(*a).total_cmp(&slope(*b)));
            let from = order.iter().copied().find(|at| may(*at, -1.0));
            order.sort_by_key(|at| jobs[*at]);
            order.sort_by(|a, b| slope(*b).total_cmp(&slope(*a)));
            let to = order.iter().copied().find(|at| may(*at, 1.0));
            match (from, to) {
                (Some(from), Some(to)) if slope(from) < slope(to) => {
                    limits[from] -= 1;
                    limits[to] += 1;
                }
                _ => return,
            }
        }
    }
}
