//! The links of a mini-grid: one joins each cluster to a core that carries everything. Who gets how much of them.
//!
//! Source: Jones et al. 2004, "Models" (demands) and "Bandwidth Allotment Algorithm" (allotment). *Assumption*: a star, which the slides do not
//! draw; a job without bandwidth or time of communication demands nothing. Jobs are considered in order of arrival and sums are made in that
//! order, so the allotment does not depend on the order in which they started. Ties between links: the lowest number.
//!
//! Only a link whose jobs demand more than it carries can hold anybody up. Therefore a change concerns the jobs on such links that it touches, those who share
//! a further such link with them, and so on; all others keep what they have.

use super::communication::Step3;
use crate::job::{Communication, JobSlot};
use smallvec::SmallVec;

/// Clusters and how many nodes of a job lie in each, ascending.
pub type Parts = SmallVec<[(u32, u32); 4]>;

/// What a job has of its links after an allotment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allotted {
    /// The job.
    pub job: JobSlot,
    /// BW^sd: what it is allotted over what it demands, the same on all its links; above 0, at most 1.
    pub fraction: f64,
    /// Whether it had no allotment before.
    pub joined: bool,
}

/// A split job that communicates.
#[derive(Clone, Debug)]
struct Flow {
    job: JobSlot,
    arrival: u64,
    fraction: f64,
    /// Its links with its demand on each.
    ends: SmallVec<[(u32, f64); 4]>,
    joined: bool,
    /// Within an allotment: whether it takes part, its fraction before, whether it has been reduced.
    affected: bool,
    before: f64,
    reduced: bool,
}

#[derive(Clone, Debug, Default)]
struct Link {
    /// Arrival, place in `flows` and demand of its jobs, by arrival.
    jobs: Vec<(u64, u32, f64)>,
    /// Σ of their demands.
    demand: f64,
    /// Σ of their allotments.
    used: f64,
    /// Whether a job came or went since the last allotment.
    changed: bool,
    /// Whether more is demanded than it carries.
    saturated: bool,
    /// Within an allotment: whether it takes part, BW^avail, and the demand of its jobs that are not reduced.
    active: bool,
    available: f64,
    open: f64,
    /// Whether `open` is to be made anew.
    stale: bool,
}

/// All links and who is on them.
#[derive(Clone, Debug)]
pub struct Network {
    bandwidth: f64,
    step3: Step3,
    links: Vec<Link>,
    flows: Vec<Flow>,
    vacant: Vec<u32>,
    /// The place of a slot's job in `flows`, or [`NONE`].
    of_slot: Vec<u32>,
    changed: Vec<u32>,
    joined: Vec<u32>,
    in_use: f64,
    /// Room for an allotment.
    affected: Vec<(u64, u32)>,
    active: Vec<u32>,
    moved: Vec<Allotted>,
}

const NONE: u32 = u32::MAX;

/// What a job of `total` nodes demands of the link of a cluster that has `there` of them: each exchanges as much with each other.
pub fn demand(total: u32, there: u32, bandwidth: f64) -> f64 {
    let outside = f64::from(total - there) / f64::from(total - 1);
    outside * (bandwidth * f64::from(there))
}

impl Network {
    /// Links without jobs.
    pub fn idle(clusters: u32, bandwidth: f64, step3: Step3) -> Network {
        Network {
            bandwidth,
            step3,
            links: vec![Link::default(); clusters as usize],
            flows: Vec::new(),
            vacant: Vec::new(),
            of_slot: Vec::new(),
            changed: Vec::new(),
            joined: Vec::new(),
            in_use: 0.0,
            affected: Vec::new(),
            active: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// What one link carries.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// What all of them carry.
    pub fn capacity(&self) -> f64 {
        self.bandwidth * self.links.len() as f64
    }

    /// Σ of what is allotted on all links.
    pub fn in_use(&self) -> f64 {
        self.in_use
    }

    /// What is allotted on one link.
    pub fn used(&self, link: u32) -> f64 {
        self.links[link as usize].used
    }

    /// Puts a job with these parts on its links, from the next allotment on. False, and nothing done, if it demands nothing.
    pub fn join(&mut self, job: JobSlot, arrival: u64, parts: &Parts, communication: Communication) -> bool {
        let Communication { share, bandwidth } = communication;
        if parts.len() < 2 || share == 0.0 || bandwidth == 0.0 {
            return false;
        }
        let total = parts.iter().map(|(_, nodes)| nodes).sum();
        let ends = parts.iter().map(|&(link, nodes)| (link, demand(total, nodes, bandwidth)));
        let flow = Flow {
            job,
            arrival,
            fraction: 1.0,
            ends: ends.collect(),
            joined: true,
            affected: false,
            before: 1.0,
            reduced: false,
        };
        let place = self.vacant.pop().unwrap_or(self.flows.len() as u32);
        for &(link, demand) in &flow.ends {
            self.change(link);
            let jobs = &mut self.links[link as usize].jobs;
            let at = jobs.partition_point(|other| other.0 < arrival);
            jobs.insert(at, (arrival, place, demand));
        }
        match self.flows.get_mut(place as usize) {
            Some(free) => *free = flow,
            None => self.flows.push(flow),
        }
        let slot = job.0 as usize;
        if self.of_slot.len() <= slot {
            self.of_slot.resize(slot + 1, NONE);
        }
        self.of_slot[slot] = place;
        self.joined.push(place);
        true
    }

    /// Takes a job off its links, if it is on some.
    pub fn leave(&mut self, job: JobSlot) {
        let Some(place) = self.of_slot.get_mut(job.0 as usize) else { return };
        let place = std::mem::replace(place, NONE);
        let Some(flow) = self.flows.get(place as usize) else { return };
        let (arrival, ends) = (flow.arrival, flow.ends.clone());
        for (link, _) in ends {
            self.change(link);
            let jobs = &mut self.links[link as usize].jobs;
            jobs.remove(jobs.partition_point(|other| other.0 < arrival));
        }
        if self.flows[place as usize].joined {
            self.joined.retain(|other| *other != place);
        }
        self.vacant.push(place);
    }

    fn change(&mut self, link: u32) {
        let changed = &mut self.links[link as usize].changed;
        if !*changed {
            *changed = true;
            self.changed.push(link);
        }
    }

    /// Shares the links out anew after changes. Returns who has another fraction than before or joined, by arrival; the rest keep theirs.
    pub fn allot(&mut self) -> &[Allotted] {
        self.moved.clear();
        if !self.changed.is_empty() {
            self.find_affected();
            self.reduce();
            self.settle();
        }
        &self.moved
    }

    /// Collects the jobs whose fractions may change, and the saturated links among them.
    fn find_affected(&mut self) {
        let Network { bandwidth, links, flows, changed, joined, affected, active, .. } = self;
        for place in joined.drain(..) {
            affect(flows, affected, place);
        }
        for link in changed.iter() {
            let link = &mut links[*link as usize];
            let before = link.saturated;
            link.demand = link.jobs.iter().map(|(_, _, demand)| demand).sum();
            link.saturated = link.demand > *bandwidth;
            if before || link.saturated {
                link.jobs.iter().for_each(|(_, place, _)| affect(flows, affected, *place));
            }
        }
        let mut next = 0;
        while let Some((_, place)) = affected.get(next).copied() {
            next += 1;
            for end in 0..flows[place as usize].ends.len() {
                let number = flows[place as usize].ends[end].0;
                let link = &mut links[number as usize];
                if link.saturated && !link.active {
                    (link.active, link.available, link.open) = (true, *bandwidth, link.demand);
                    active.push(number);
                    link.jobs.iter().for_each(|(_, place, _)| affect(flows, affected, *place));
                }
            }
        }
        active.sort_unstable();
    }

    /// Steps 2 to 4: while a link's unconstrained jobs demand more than is left of it, those of the most saturated one are reduced.
    fn reduce(&mut self) {
        let Network { bandwidth, step3, links, flows, active, .. } = self;
        // The least ratio never falls, but by rounding it might.
        let mut floor = 0.0_f64;
        loop {
            let mut worst: Option<(f64, u32)> = None;
            for number in active.iter() {
                let link = &links[*number as usize];
                let ratio = link.available / link.open;
                if link.open > 0.0 && ratio < worst.map_or(1.0, |(least, _)| least) {
                    worst = Some((ratio, *number));
                }
            }
            let Some((ratio, worst)) = worst else { return };
            let factor = match step3 {
                Step3::Unconstrained => ratio.max(floor),
                Step3::Printed => *bandwidth / links[worst as usize].demand,
            };
            floor = factor;
            for at in 0..links[worst as usize].jobs.len() {
                let place = links[worst as usize].jobs[at].1;
                let flow = &mut flows[place as usize];
                if !flow.reduced {
                    (flow.reduced, flow.fraction) = (true, factor);
                    for (link, demand) in &flow.ends {
                        let link = &mut links[*link as usize];
                        link.available -= factor * demand;
                        link.stale = link.active;
                    }
                }
            }
            for number in active.iter() {
                let link = &mut links[*number as usize];
                if std::mem::take(&mut link.stale) {
                    // Adding nothing for those that are reduced is cheaper than not to add.
                    let open = |(_, place, demand): &(u64, u32, f64)| {
                        if flows[*place as usize].reduced { 0.0 } else { *demand }
                    };
                    link.open = link.jobs.iter().map(open).sum();
                }
            }
        }
    }

    /// Notes who moved and what is used, and ends the allotment.
    fn settle(&mut self) {
        let Network { links, flows, changed, affected, active, moved, in_use, .. } = self;
        for number in active.drain(..) {
            links[number as usize].active = false;
        }
        affected.sort_unstable();
        for (_, place) in affected.drain(..) {
            let flow = &mut flows[place as usize];
            let joined = std::mem::take(&mut flow.joined);
            flow.affected = false;
            if joined || flow.fraction != flow.before {
                moved.push(Allotted { job: flow.job, fraction: flow.fraction, joined });
                for (number, _) in &flow.ends {
                    if !std::mem::replace(&mut links[*number as usize].changed, true) {
                        changed.push(*number);
                    }
                }
            }
        }
        for number in changed.drain(..) {
            let link = &mut links[number as usize];
            let allotted =
                link.jobs.iter().map(|(_, place, demand)| flows[*place as usize].fraction * demand);
            (link.used, link.changed) = (allotted.sum(), false);
        }
        *in_use = links.iter().map(|link| link.used).sum();
    }
}

/// Lets a job take part in an allotment, as if nothing held it up.
fn affect(flows: &mut [Flow], affected: &mut Vec<(u64, u32)>, place: u32) {
    let flow = &mut flows[place as usize];
    if !flow.affected {
        (flow.affected, flow.reduced, flow.before) = (true, false, flow.fraction);
        flow.fraction = 1.0;
        affected.push((flow.arrival, place));
    }
}
