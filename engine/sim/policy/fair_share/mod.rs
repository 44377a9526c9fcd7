//! Moldable scheduling by fair shares, with overbooking and efficiency.
//!
//! Decides: on how many nodes each waiting job starts, and when. In every pass each job gets a limit, its fair share of the machine: in proportion to
//! the square root of its weight, times the overbooking factor; with an efficiency factor, nodes then move from limits where they help
//! little to limits where they help more. The queue is walked in arrival order. Until one job cannot start, each takes the number of nodes
//! up to its limit with which it is expected to end first, ties to fewer nodes, and starts, or waits for them with the only reservation.
//! Jobs behind it take the same choice, beside the reservation, and start if it is to start now.
//! Source: Sabin, Lang and Sadayappan 2006, §4.1 (fair share, overbooking), §5.1 and Fig. 1 (efficiency).
//! Parameters: [`Settings`]; those that the paper leaves open are *assumptions*.
//! Differs: the displayed bounds of the efficiency limit are the wrong way round, Fig. 1 has them right. Fig. 1 lets a job that has lost a node
//! gain one, which its comment excludes, as is done here. A share within 10⁻⁹ of a whole number is that number. A rigid job
//! has a share, but runs on the nodes that it asks for; with rigid jobs alone this is EASY. The paper's nodes are interchangeable; where the
//! allocator cannot use every free node, a start needs a placement, and the reservation is of the nodes that the allocator would take when it begins.
//! Ties: between nodes to move, the earliest arrival. A running job that is due is expected to end one tick from now.
//! Cost per pass: none without a free node or a waiting job; else O(1) per waiting job and step of the profile that could let it end
//! earlier, for each of which the room is worked out once between two starts where nodes are not interchangeable. With an efficiency factor O(log n) per node moved, for n jobs. The sum of roots is kept from pass to pass, in integers.

mod limits;
mod places;
mod plan;
mod profile;
mod spec;

pub use spec::{LaterJobs, LimitRounding, Movable, ReservedSize, RunningWeight, Settings, ShareAmong};
pub use spec::{ShareWeight, SlopeOf, with_factors};

use super::{Policy, PolicySpec};
use crate::allocator::Allocator;
use crate::error::SimError;
use crate::job::{JobSlot, Request};
use crate::kernel::Pass;
use crate::speedup::TimeOn;
use crate::time::Span;
use limits::{Claim, Root, limit, root, transfer};
use places::Places;
use plan::{Choice, Plan, Sizes};
use profile::Profile;

/// The policy as specified, for a machine of so many nodes.
///
/// # Errors
/// [`SimError::Setup`] where a factor makes no sense.
pub(super) fn build(
    spec: &PolicySpec,
    nodes: u32,
    allocator: &dyn Allocator,
) -> Result<Box<dyn Policy>, SimError> {
    let settings = Settings::of(spec)?;
    match allocator.counts_only() {
        true => Ok(Box::new(FairShare::<Profile>::new(settings, nodes))),
        false => Ok(Box::new(FairShare::<Places>::new(settings, nodes))),
    }
}

/// The policy; see the module. `P` tells which nodes are expected to be free when.
struct FairShare<P> {
    settings: Settings,
    nodes: u32,
    /// By slot.
    known: Vec<Known>,
    plan: P,
    /// Σ √weight of waiting and of running jobs.
    waiting_roots: Root,
    running_roots: Root,
    /// The job with the reservation and its size, where it keeps that.
    kept: Option<(JobSlot, u32)>,
    /// What one pass needs, kept for its memory.
    queue: Vec<JobSlot>,
    claims: Vec<Claim>,
    limits: Vec<u32>,
    /// The slope at which nodes ceased to move in the last pass.
    last_slope: f64,
}

#[derive(Clone, Copy)]
struct Known {
    times: TimeOn,
    weight: f64,
    root: Root,
}

impl<P: Plan> FairShare<P> {
    /// For a machine of so many nodes.
    fn new(settings: Settings, nodes: u32) -> FairShare<P> {
        FairShare {
            settings,
            nodes,
            known: Vec::new(),
            plan: P::default(),
            waiting_roots: 0,
            running_roots: 0,
            kept: None,
            queue: Vec::new(),
            claims: Vec::new(),
            limits: Vec::new(),
            last_slope: 0.0,
        }
    }

    fn absorb(&mut self, pass: &Pass<'_>) {
        for &job in pass.ended() {
            self.plan.ended(pass, job);
            self.running_roots -= self.of(job).root;
        }
        for &job in pass.submitted() {
            let known = self.learn(pass.request(job));
            self.waiting_roots += known.root;
            let slot = job.0 as usize;
            if slot >= self.known.len() {
                self.known.resize(slot + 1, known);
            }
            self.known[slot] = known;
        }
    }

    fn learn(&self, request: &Request) -> Known {
        let times = request.estimates();
        let requested = request.estimate.0 as f64 * f64::from(request.size);
        let weight = match self.settings.share_weight {
            ShareWeight::Sequential if request.speedup.is_some() => times.on(1).0 as f64,
            _ => requested,
        };
        Known { times, weight, root: root(weight) }
    }

    fn of(&self, job: JobSlot) -> &Known {
        &self.known[job.0 as usize]
    }

    /// √weight of a running job.
    fn running_root(&self, pass: &Pass<'_>, job: JobSlot) -> Root {
        let known = self.of(job);
        match self.settings.running_weight {
            RunningWeight::Full => known.root,
            RunningWeight::Remaining => {
                let whole = known.times.on(pass.placement(job).len()).max(Span::TICK);
                root(known.weight * (pass.remaining(job).0 as f64 / whole.0 as f64))
            }
        }
    }

    /// Σ √weight of the jobs among which the machine is shared.
    fn total(&self, pass: &Pass<'_>) -> Root {
        let running = match (self.settings.share_among, self.settings.running_weight) {
            (ShareAmong::Waiting, _) => 0,
            (_, RunningWeight::Full) => self.running_roots,
            (_, RunningWeight::Remaining) => pass.running().map(|job| self.running_root(pass, job)).sum(),
        };
        self.waiting_roots + running
    }

    /// The limits of all waiting jobs, with nodes moved to where they help more.
    fn efficient_limits(&mut self, pass: &Pass<'_>, total: Root) {
        let mut claims = std::mem::take(&mut self.claims);
        claims.clear();
        let claim = |job: JobSlot, root: Root| {
            let request = pass.request(job);
            let limit = limit(&self.settings, self.nodes, root, total);
            Claim { job, arrival: request.arrival, limit, speedup: request.speedup }
        };
        claims.extend(pass.waiting().map(|job| claim(job, self.of(job).root)));
        if self.settings.share_among == ShareAmong::WaitingAndRunning {
            claims.extend(pass.running().map(|job| claim(job, self.running_root(pass, job))));
        }
        transfer(&mut claims, &self.settings, self.nodes, &mut self.last_slope);
        self.limits.resize(self.known.len(), 0);
        // Those of running jobs as well, whom nobody asks for theirs.
        for claim in &claims {
            self.limits[claim.job.0 as usize] = claim.limit;
        }
        self.claims = claims;
    }

    /// The numbers of nodes among which a job may choose.
    fn sizes(&self, pass: &Pass<'_>, job: JobSlot, total: Root) -> Sizes {
        let known = self.of(job);
        let request = pass.request(job);
        let (least, most) = match self.kept.filter(|(kept, _)| *kept == job) {
            Some((_, size)) => (size, size),
            None if request.speedup.is_none() => (request.size, request.size),
            None if self.settings.efficiency > 0.0 => (1, self.limits[job.0 as usize]),
            None => (1, limit(&self.settings, self.nodes, known.root, total)),
        };
        Sizes { least, most, times: known.times }
    }

    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot, choice: &Choice) {
        self.plan.start(pass, job, choice);
        let root = self.of(job).root;
        self.waiting_roots -= root;
        self.running_roots += root;
        self.kept = self.kept.filter(|(kept, _)| *kept != job);
    }

    /// Walks the queue; `total` is that of the beginning of the pass.
    fn walk(&mut self, pass: &mut Pass<'_>, total: Root) {
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        queue.extend(pass.waiting());
        self.plan.begin();
        let keeps = self.settings.reserved_size == ReservedSize::KeepsSize;
        let whole_profile = self.settings.later_jobs == LaterJobs::WholeProfile;
        for &job in &queue {
            let held = self.plan.holds();
            if pass.cluster().free_count() == 0 && (held || !keeps) {
                break;
            }
            let sizes = self.sizes(pass, job, total);
            let choice = match held {
                true => self.plan.beside(pass, &sizes, whole_profile),
                false => self.plan.first_to_end(pass, &sizes),
            };
            let Some(choice) = choice else { continue };
            if choice.start == pass.now() {
                self.start(pass, job, &choice);
            } else {
                self.plan.hold(pass, &choice);
                self.kept = keeps.then_some((job, choice.nodes));
            }
        }
        self.queue = queue;
    }
}

impl<P: Plan> Policy for FairShare<P> {
    fn name(&self) -> &'static str {
        "fair share"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        self.absorb(pass);
        let settled = self.settings.reserved_size == ReservedSize::Renewed || self.kept.is_some();
        if pass.waiting_count() == 0 || (pass.cluster().free_count() == 0 && settled) {
            return;
        }
        let total = self.total(pass);
        if self.settings.efficiency > 0.0 {
            self.efficient_limits(pass, total);
        }
        self.walk(pass, total);
    }
}
