//! Policies: which waiting job starts, and when.

pub mod class_priority;
pub mod co_allocation;
mod easy;
mod eqspatial;
pub mod fair_share;
mod fcfs;
mod immediate_service;
pub mod iterative;
pub mod job_classes;
mod needs;
mod order;
pub mod planning;
mod priority_backfill;
pub mod queue_index;
pub mod releases;
mod time_slicing;

pub use immediate_service::{ImmediateService, ServiceForm};
pub use order::{Order, Reservations, Weights};

use crate::allocator::Allocator;
use crate::cluster::machine::MachineSpec;
use crate::error::SimError;
use crate::kernel::{Pass, Setup};
use needs::{needs_hosts, needs_interchangeable_nodes, needs_one_pool, slice_seconds};
use serde::{Deserialize, Serialize};

/// A scheduling policy. It changes the world only through the [`Pass`], and never sees a run time.
pub trait Policy {
    /// The field's name of the policy, for messages.
    fn name(&self) -> &'static str;

    /// Whether it is told when a job outlives its estimate; if not, that brings no pass about.
    fn heeds_estimates(&self) -> bool {
        true
    }

    /// Called once per pass. Policies that keep state of their own learn what changed from the pass.
    fn schedule(&mut self, pass: &mut Pass<'_>);
}

/// A policy as an experiment writes it. "The spec is an enum, the behaviour is a trait".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PolicySpec {
    /// First come, first served, strictly.
    Fcfs,
    /// EASY (aggressive) backfilling: one reservation, for the queue's head.
    Easy {
        /// What happens to backfilled jobs that hold reserved nodes beyond their estimates.
        #[serde(default)]
        overrun: Overrun,
        /// When the head's reservation lies, where the allocator cannot use every free node.
        #[serde(default, skip_serializing_if = "Shadow::is_default")]
        shadow: Shadow,
    },
    /// Conservative backfilling: every job has a reservation, in arrival order.
    Conservative {
        /// What happens to the reservations when a job ends early.
        #[serde(default)]
        early_end: EarlyEnd,
    },
    /// Priority backfilling, the general form: order and number of reservations are free.
    Priority {
        /// The order in which waiting jobs are considered.
        order: Order,
        /// How many of the jobs that cannot start get a reservation.
        reservations: Reservations,
    },
    /// Priority backfilling on a machine of hosts, where jobs need processors and memory (Chiang 2001, §3.2.1).
    PriorityBackfill {
        /// The order in which waiting jobs are considered.
        #[serde(default)]
        order: Order,
        /// How many jobs that cannot start have a reservation.
        #[serde(default = "one_reservation")]
        reservations: Reservations,
        /// Which jobs have the reservations.
        #[serde(default)]
        holders: Holders,
        /// Whether the reservations of fixed jobs move.
        #[serde(default)]
        slide: Slide,
        /// A job that has outlived its estimate is expected to end so many seconds after it; *assumption*: 0.
        #[serde(default)]
        grace_s: u64,
        /// Test runs of new jobs that cannot start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        immediate_service: Option<ImmediateService>,
    },
    /// Coarse-grain time sharing: classes of jobs take turns in long slices of time (Esbaugh 2010, §3.2–3.3).
    TimeSlicing {
        /// Length of the interval in which every class has its slice, in seconds; 1800 to 3600 in the thesis.
        #[serde(default = "an_hour")]
        interval_s: u64,
        /// Shares of the classes in the interval.
        #[serde(default)]
        shares: Shares,
        /// Whether classes without jobs when an interval begins leave their shares to the others.
        #[serde(default)]
        adaptive: bool,
        /// Whom backfilling may not delay.
        #[serde(default)]
        backfill: SliceBackfill,
        /// Whether other classes use what a slice leaves free ("non-type slice backfilling").
        #[serde(default = "yes")]
        non_type: bool,
        /// Jobs with shorter estimates are short, in seconds.
        #[serde(default = "ten_minutes")]
        short_below_s: u64,
        /// Jobs with longer estimates are long, in seconds.
        #[serde(default = "three_hours")]
        long_above_s: u64,
    },
    /// Equal space partitioning of hosts among jobs whose processors change while they run (Chiang 2001, §3.2.3).
    EqSpatial {
        /// The least time between two repartitions of a host, in seconds: MinInterval.
        #[serde(default = "five_minutes")]
        min_interval_s: u64,
        /// Jobs that have been on their host for so many seconds get all they ask for; 180000 in §6.1.1's ">50hr".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        full_after_s: Option<u64>,
        /// Test runs of new jobs for which no host has the memory; only `quantum_s` and `initial_mb` can be chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        immediate_service: Option<ImmediateService>,
    },
    /// Classes of jobs by priority on hosts, with limits and draining (NCSA-LSF*: Chiang 2001, §3.1).
    ClassPriority {
        /// Classes of requested run times, shortest first.
        #[serde(default = "class_priority::time_classes_of_the_study")]
        time_classes: Vec<class_priority::TimeClass>,
        /// Classes of sizes, smallest first, and thereby from the lowest priority to the highest.
        #[serde(default = "class_priority::size_classes_of_the_study")]
        size_classes: Vec<class_priority::SizeClass>,
        /// How many jobs of which size class a host runs.
        #[serde(default)]
        host_limits: Vec<class_priority::HostLimits>,
        /// Seed of the draws of hosts to drain.
        #[serde(default)]
        drain_seed: u64,
    },
    /// Moldable jobs by fair shares of the machine (Sabin, Lang and Sadayappan 2006, §4 and §5).
    FairShare {
        /// ObF, the overbooking factor: limits add up to so many times the machine.
        #[serde(default = "one")]
        overbooking: f64,
        /// EF, the efficiency factor: by what share of itself a limit may change to where nodes help more.
        #[serde(default)]
        efficiency: f64,
        /// Among which jobs the machine is shared.
        #[serde(default)]
        share_among: fair_share::ShareAmong,
        /// What a running job weighs.
        #[serde(default)]
        running_weight: fair_share::RunningWeight,
        /// What a job weighs.
        #[serde(default)]
        share_weight: fair_share::ShareWeight,
        /// How a share becomes a limit.
        #[serde(default)]
        limit_rounding: fair_share::LimitRounding,
        /// How jobs behind the reservation choose.
        #[serde(default)]
        later_jobs: fair_share::LaterJobs,
        /// Whether the reservation's size is chosen anew in every pass.
        #[serde(default)]
        reserved_size: fair_share::ReservedSize,
        /// Which limits may change.
        #[serde(default)]
        movable: fair_share::Movable,
        /// What the slope of a speedup is.
        #[serde(default)]
        slope: fair_share::SlopeOf,
    },
    /// Sizes of moldable jobs by a search for the least average turnaround time (Sabin 2006, §6).
    Iterative,
    /// Local execution, migration and co-allocation in a mini-grid (Jones et al. 2004).
    CoAllocation {
        /// What clusters do for each other's jobs.
        #[serde(default)]
        sharing: co_allocation::Sharing,
        /// How far the list of waiting jobs is walked.
        #[serde(default)]
        queue: co_allocation::QueueRule,
        /// Which of the jobs that fit starts.
        #[serde(default)]
        pick: co_allocation::Pick,
        /// Whether a job runs at home wherever it fits there; *assumption*: true.
        #[serde(default = "yes")]
        home_first: bool,
        /// Which clusters a split job gets nodes of.
        #[serde(default)]
        split: co_allocation::SplitRule,
    },
}

fn one() -> f64 {
    1.0
}

fn one_reservation() -> Reservations {
    Reservations::AtMost(1)
}

fn an_hour() -> u64 {
    3600
}

fn five_minutes() -> u64 {
    300
}

fn ten_minutes() -> u64 {
    600
}

fn three_hours() -> u64 {
    10_800
}

fn yes() -> bool {
    true
}

impl PolicySpec {
    /// The classes that it has jobs in.
    pub fn job_classes(&self) -> Option<job_classes::JobClasses> {
        match self {
            PolicySpec::ClassPriority { time_classes, size_classes, .. } => {
                Some(class_priority::job_classes(time_classes, size_classes))
            }
            _ => None,
        }
    }

    /// Whether new jobs may get a test run.
    pub fn tests_new_jobs(&self) -> bool {
        let service = match self {
            PolicySpec::PriorityBackfill { immediate_service, .. } => *immediate_service,
            PolicySpec::EqSpatial { immediate_service, .. } => *immediate_service,
            _ => None,
        };
        service.is_some_and(|service| service.quantum_s > 0)
    }

    /// The policy that behaves as written. `setup` tells it the machine and the allocator.
    ///
    /// # Errors
    /// [`SimError::Setup`] where the parameters make no sense, or the policy cannot work on the machine.
    pub fn build(&self, setup: &Setup) -> Result<Box<dyn Policy>, SimError> {
        self.check_machine(&setup.machine)?;
        let nodes = setup.machine.nodes();
        let allocator = setup.allocator.build(&setup.machine)?;
        self.check_allocator(allocator.as_ref())?;
        match self {
            PolicySpec::Fcfs => Ok(Box::new(fcfs::Fcfs)),
            &PolicySpec::Easy { overrun, shadow } => Ok(Box::new(easy::Easy::new(overrun, shadow, nodes))),
            &PolicySpec::Conservative { early_end } => {
                Ok(planning::conservative(early_end, nodes, allocator.as_ref()))
            }
            &PolicySpec::Priority { order, reservations } => {
                order.validate()?;
                order.without_memory()?;
                Ok(planning::priority(order, reservations, allocator.as_ref()))
            }
            &PolicySpec::PriorityBackfill {
                order,
                reservations,
                holders,
                slide,
                grace_s,
                immediate_service,
            } => {
                holders.allow(slide)?;
                order.validate()?;
                let grace = slice_seconds("grace_s", grace_s, 0)?;
                let reservations = reservations.limit();
                let service = immediate_service.map(ImmediateService::terms).transpose()?.flatten();
                let settings =
                    priority_backfill::Settings { order, reservations, holders, slide, grace, service };
                Ok(Box::new(priority_backfill::PriorityBackfill::new(settings, setup.machine.hosts())))
            }
            &PolicySpec::TimeSlicing {
                interval_s,
                shares,
                adaptive,
                backfill,
                non_type,
                short_below_s,
                long_above_s,
            } => {
                shares.validate()?;
                let settings = time_slicing::Settings {
                    interval: slice_seconds("interval_s", interval_s, 1)?,
                    shares,
                    adaptive,
                    backfill,
                    non_type,
                    short_below: slice_seconds("short_below_s", short_below_s, 0)?,
                    long_above: slice_seconds("long_above_s", long_above_s, 0)?,
                };
                Ok(Box::new(time_slicing::TimeSlicing::new(settings, nodes)))
            }
            &PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service } => {
                immediate_service.map_or(Ok(()), ImmediateService::without_victims)?;
                let full_after = full_after_s.map(|seconds| slice_seconds("full_after_s", seconds, 0));
                let settings = eqspatial::Settings {
                    min_interval: slice_seconds("min_interval_s", min_interval_s, 0)?,
                    full_after: full_after.transpose()?,
                    service: immediate_service.map(ImmediateService::terms).transpose()?.flatten(),
                };
                Ok(Box::new(eqspatial::EqSpatial::new(settings, setup.machine.hosts())))
            }
            PolicySpec::ClassPriority { time_classes, size_classes, host_limits, drain_seed } => {
                let hosts = setup.machine.hosts();
                class_priority::build(time_classes, size_classes, host_limits, *drain_seed, hosts)
            }
            spec @ PolicySpec::FairShare { .. } => fair_share::build(spec, nodes, allocator.as_ref()),
            PolicySpec::Iterative => Ok(Box::new(iterative::Iterative::default())),
            spec @ PolicySpec::CoAllocation { .. } => co_allocation::build(spec, allocator.as_ref()),
        }
    }
}

impl PolicySpec {
    /// Whether the policy can work on such a machine.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason and what would do.
    pub fn check_machine(&self, machine: &MachineSpec) -> Result<(), SimError> {
        match self {
            PolicySpec::Fcfs => Ok(()),
            PolicySpec::Easy { .. } => needs_one_pool("Easy", machine),
            PolicySpec::Conservative { .. } => needs_one_pool("Conservative", machine),
            PolicySpec::Priority { .. } => needs_one_pool("Priority", machine),
            PolicySpec::PriorityBackfill { .. } => needs_hosts("PriorityBackfill", machine),
            PolicySpec::TimeSlicing { .. } => needs_one_pool("TimeSlicing", machine),
            PolicySpec::EqSpatial { .. } => needs_hosts("EqSpatial", machine),
            PolicySpec::ClassPriority { size_classes, host_limits, .. } => {
                needs_hosts("ClassPriority", machine)?;
                class_priority::check_hosts(host_limits, size_classes, machine.hosts())
            }
            PolicySpec::FairShare { .. } => needs_one_pool("FairShare", machine),
            PolicySpec::Iterative => needs_one_pool("Iterative", machine),
            PolicySpec::CoAllocation { .. } => needs_one_pool("CoAllocation", machine),
        }
    }

    /// Whether the policy can work with such an allocator.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason and what would do.
    pub fn check_allocator(&self, allocator: &dyn Allocator) -> Result<(), SimError> {
        match self {
            PolicySpec::Iterative => needs_interchangeable_nodes("Iterative", allocator),
            PolicySpec::CoAllocation { .. } => co_allocation::check_allocator(allocator),
            _ => Ok(()),
        }
    }
}

/// The shares of the classes in an interval of time slicing; only their proportions count. The thesis refers to its predecessors for them and prints
/// none; *assumption*: 0.5, 0.3, 0.2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shares {
    /// Of long jobs.
    pub long: f64,
    /// Of medium jobs.
    pub medium: f64,
    /// Of short jobs.
    pub short: f64,
}

impl Default for Shares {
    fn default() -> Shares {
        Shares { long: 0.5, medium: 0.3, short: 0.2 }
    }
}

impl Shares {
    /// Checks that no share is negative and not all are zero.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason.
    pub fn validate(self) -> Result<(), SimError> {
        let all = [self.long, self.medium, self.short];
        if all.iter().all(|share| share.is_finite() && *share >= 0.0) && all.iter().sum::<f64>() > 0.0 {
            return Ok(());
        }
        Err(SimError::Setup { reason: "the shares of the slices must be 0 or more, and not all 0".into() })
    }

    /// By position in the order long, medium, short.
    fn of(self, class: usize) -> f64 {
        [self.long, self.medium, self.short][class]
    }
}

/// Whom backfilling within a class may not delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SliceBackfill {
    /// Any earlier job of the class: the conservative form (Table 1).
    #[default]
    ProtectAll,
    /// The first that cannot start: the EASY form.
    ProtectFirst,
}

/// What happens when the head's reservation comes due and backfilled jobs that outlived their estimates hold its nodes.
/// Source: Pascual & Miguel-Alonso 2008, §III "Backfilling" (the killing); *assumption*: everything else about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Overrun {
    /// Overrunning backfilled jobs are killed, latest start first (ties: later arrival), as many as the head needs.
    #[default]
    KillBackfilled,
    /// They run on, and the reservation slips.
    Extend,
}

/// What the head's reservation waits for. The two are the same where nodes are interchangeable. Source: Pascual & Miguel-Alonso 2008,
/// §III "Backfilling" says only that it follows from the estimated ends of the running jobs; *assumption*: `Placement`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shadow {
    /// Until the allocator can place the head.
    #[default]
    Placement,
    /// Until as many nodes are free as the head asks for, wherever they are. If it has no placement then, backfilled jobs are
    /// killed for it, late or not, as [`Overrun`] says; or it waits on, and only jobs are backfilled that leave it enough nodes.
    Count,
}

impl Shadow {
    fn is_default(&self) -> bool {
        *self == Shadow::Placement
    }
}

/// What conservative backfilling does with its reservations when a job ends before its estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EarlyEnd {
    /// Each reservation, in arrival order, moves up to the earliest hole, never later.
    #[default]
    Compress,
    /// All reservations are rebuilt from scratch in arrival order.
    Replan,
}

/// Which jobs have the reservations of priority backfilling on hosts (Chiang 2001, §3.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holders {
    /// In every pass those that have the highest priorities then ("CURRHIGHEST" of the Maui scheduler).
    #[default]
    DynamicJob,
    /// A job keeps its reservation until it starts ("HIGHEST").
    FixedJob,
}

impl Holders {
    /// Checks that reservations which stay where they are belong to jobs that keep them.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason and what would do.
    pub fn allow(self, slide: Slide) -> Result<(), SimError> {
        if self == Holders::DynamicJob && slide == Slide::NonSliding {
            let reason =
                "reservations that are given anew in every pass cannot stay: NonSliding needs FixedJob";
            return Err(SimError::Setup { reason: reason.into() });
        }
        Ok(())
    }
}

/// Whether the reservations of fixed jobs move when a job ends early (Chiang 2001, §3.2.1 and §5.3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slide {
    /// They move up, and may change host.
    #[default]
    Sliding,
    /// Host and start stay as they were first planned.
    NonSliding,
}
