//! Scenes for time slicing, run by the library, and what it says about them in the twin's words.

use crate::naive::time_sliced::{Event, Fit, Line, Place, Rules, What, Work};
use crate::sliced::Sliced;
use sim::cluster::Cluster;
use sim::cluster::memory::SwapCharge;
use sim::observer::{JobRecord, Observer};
use sim::policy::{Shares, SliceBackfill};
use sim::time::TICKS_PER_SECOND;
use sim::{
    AllocatorSpec, EstimateSource, Job, MachineSpec, MemorySpec, Passes, PolicySpec, Setup, SimError, Span,
    Time, allocator, simulate,
};

impl Sliced {
    /// The library's setup for the scene.
    pub fn setup(&self) -> Setup {
        let Rules { nodes, capacity, transfer, last_displaced, place, .. } = self.rules;
        let swap_charge = if last_displaced { SwapCharge::LastDisplaced } else { SwapCharge::AllDisplaced };
        Setup {
            machine: MachineSpec::Flat { nodes: nodes as u32 },
            policy: policy(&self.rules),
            allocator: allocator(place),
            memory: Some(MemorySpec {
                capacity_kb: capacity.unsigned_abs(),
                transfer_s: transfer.unsigned_abs(),
                swap_charge,
            }),
            passes: Passes::PerInstant,
            estimates: EstimateSource::Requested,
        }
    }

    /// The library's jobs for the scene.
    pub fn sim_jobs(&self) -> Vec<Job> {
        let job = |work: &Work| Job {
            id: work.id,
            submit: Time::from_secs(work.submit),
            run_time: Span::from_secs(work.run),
            estimate: Span::from_secs(work.run),
            size: work.width as u32,
            memory_kb: work.memory.unsigned_abs(),
            ..Job::default()
        };
        self.jobs.iter().map(job).collect()
    }

    /// Runs it.
    pub fn simulate(&self) -> Recorder {
        self.simulate_under(&self.setup()).unwrap_or_else(|error| panic!("{error}\n{self:?}"))
    }

    /// Runs the jobs under another setup.
    pub fn simulate_under(&self, setup: &Setup) -> Result<Recorder, SimError> {
        let mut recorder = Recorder::default();
        simulate(setup, self.sim_jobs(), &mut recorder)?;
        recorder.happened.clone_from(&recorder.log);
        recorder.log.sort();
        recorder.lines.sort();
        Ok(recorder)
    }
}

fn policy(rules: &Rules) -> PolicySpec {
    let [long, medium, short] = rules.shares;
    PolicySpec::TimeSlicing {
        interval_s: rules.interval.unsigned_abs(),
        shares: Shares { long, medium, short },
        adaptive: rules.adaptive,
        backfill: if rules.easy { SliceBackfill::ProtectFirst } else { SliceBackfill::ProtectAll },
        non_type: rules.non_type,
        short_below_s: rules.short_below.unsigned_abs(),
        long_above_s: rules.long_above.unsigned_abs(),
    }
}

fn allocator(place: Place) -> AllocatorSpec {
    use allocator::{TimeUntilFit, UnfitNodes};
    match place {
        Place::FirstFree => AllocatorSpec::FirstFree,
        Place::Intelligent => AllocatorSpec::IntelligentNodeSelection,
        Place::MemoryAware { first, second, unfit_as_printed, soonest_release } => {
            let unfit_nodes =
                if unfit_as_printed { UnfitNodes::AsPrinted } else { UnfitNodes::CannotHoldAll };
            let time_until_fit =
                if soonest_release { TimeUntilFit::SoonestRelease } else { TimeUntilFit::AllFit };
            AllocatorSpec::MemoryAware { first: fit(first), second: fit(second), unfit_nodes, time_until_fit }
        }
    }
}

fn fit(fit: Fit) -> allocator::Fit {
    match fit {
        Fit::Best => allocator::Fit::BestFit,
        Fit::Worst => allocator::Fit::WorstFit,
        Fit::First => allocator::Fit::FirstFit,
    }
}

/// What the library says of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// As the twin's, but that runs have no seconds.
    pub log: Vec<Event>,
    /// The same in the order in which it happened.
    pub happened: Vec<Event>,
    /// (arrival, line), without classes.
    pub lines: Vec<(u64, Line)>,
    pub slices: Vec<(i64, &'static str)>,
    /// Instants after which some node held more than it can.
    pub overcommitted: Vec<i64>,
}

fn seconds(ticks: i64) -> i64 {
    assert_eq!(ticks % TICKS_PER_SECOND, 0, "not a whole second");
    ticks / TICKS_PER_SECOND
}

fn nodes(job: &JobRecord<'_>) -> Vec<usize> {
    job.placement.nodes().map(|node| node as usize).collect()
}

impl Recorder {
    fn note(&mut self, now: Time, job: &JobRecord<'_>, what: What, span: Span) {
        let nodes = if matches!(what, What::Load | What::Run) { nodes(job) } else { Vec::new() };
        self.log.push(Event { at: seconds(now.0), job: job.job.id, what, nodes, seconds: seconds(span.0) });
    }
}

impl Observer for Recorder {
    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        self.note(now, job, What::Run, Span::ZERO);
    }
    fn resumed(&mut self, now: Time, job: &JobRecord<'_>) {
        self.note(now, job, What::Run, Span::ZERO);
    }
    fn loading(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {
        let begun = self.log.pop().unwrap();
        assert_eq!((begun.at, begun.job, begun.what), (seconds(now.0), job.job.id, What::Run));
        self.note(now, job, What::Load, span);
    }
    fn loaded(&mut self, now: Time, job: &JobRecord<'_>) {
        self.note(now, job, What::Run, Span::ZERO);
    }
    fn suspended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.note(now, job, What::Preempt, Span::ZERO);
    }
    fn swapped_out(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {
        self.note(now, job, What::SwapOut, span);
    }
    fn slice_began(&mut self, now: Time, label: &'static str) {
        self.slices.push((seconds(now.0), label));
    }
    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.note(now, job, What::Finish, Span::ZERO);
        let line = Line {
            id: job.job.id,
            start: seconds(job.started.0),
            end: seconds(job.ended.0),
            load: seconds(job.load.0),
            swap: seconds(job.swap_out.0),
            suspensions: job.suspensions,
            nodes: nodes(job),
        };
        self.lines.push((job.arrival, line));
    }
    /// Scenes that end do so after fewer events.
    fn keep_going(&mut self) -> bool {
        self.log.len() < 100_000
    }
    fn passed(&mut self, now: Time, _: usize, cluster: &Cluster) {
        let Some(tenants) = cluster.tenants() else { return };
        let resident = |node| tenants.claims(node).iter().map(|claim| claim.resident_kb).sum::<u64>();
        if (0..cluster.nodes()).any(|node| resident(node) > tenants.capacity_kb()) {
            self.overcommitted.push(seconds(now.0));
        }
    }
}
