//! Random scenes: small machines, few jobs, and many events in the same second.

use crate::scene::Scene;
use proptest::prelude::*;
use proptest::test_runner::Config;
use sim::policy::{EarlyEnd, Order, Overrun, Reservations, Shadow};
use sim::{
    AllocatorSpec, Capacity, Communication, CommunicationModel, EstimateSource, HostSpec, Job, MachineSpec,
    Passes, Penalized, PolicySpec, Setup, Span, Step3, Time,
};
use std::ops::Range;

/// How estimates relate to run times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    Exact,
    UpperBound,
    /// Some are too short.
    Any,
}

/// `times` as many cases as usual (256, or what `PROPTEST_CASES` says), and no files left behind.
pub fn cases(times: u32) -> Config {
    let usual = Config::default();
    Config { cases: times * usual.cases, failure_persistence: None, ..usual }
}

fn machines() -> impl Strategy<Value = MachineSpec> {
    let flat = (1u32..=16).prop_map(|nodes| MachineSpec::Flat { nodes });
    prop_oneof![2 => flat, 3 => trees()]
}

/// Trees of 16 to 81 leaves, whole or with missing nodes.
pub fn trees() -> impl Strategy<Value = MachineSpec> {
    let shapes = prop::sample::select(vec![(2u32, 4u32), (2, 6), (3, 3), (3, 4), (4, 2), (4, 3)]);
    (shapes, prop_oneof![Just(None), (1u32..100).prop_map(Some)]).prop_map(|((arity, levels), missing)| {
        let leaves = arity.pow(levels);
        let installed = missing.map(|missing| leaves - missing % (leaves / 2));
        MachineSpec::Tree { arity, levels, installed }
    })
}

/// A machine with an allocator that fits it.
fn placed_machines() -> impl Strategy<Value = (MachineSpec, AllocatorSpec)> {
    (machines(), 0u32..4).prop_map(|(machine, kind)| {
        let allocator = match (&machine, kind) {
            (MachineSpec::Flat { .. }, _) | (_, 0) => AllocatorSpec::FirstFree,
            (_, kind) => AllocatorSpec::Contiguous { relax: kind - 1 },
        };
        (machine, allocator)
    })
}

/// The numbers from which a job is made, before the machine is known.
type Raw = (i64, (u32, u32), i64, (u8, i64));

fn raw_jobs(number: Range<usize>) -> impl Strategy<Value = Vec<Raw>> {
    let gap = prop_oneof![3 => Just(0i64), 3 => 0i64..6, 1 => 5i64..40];
    let size = (0u32..8, 0u32..1000);
    let run_time = prop_oneof![4 => 1i64..12, 1 => 10i64..60];
    let estimate = (0u8..4, 0i64..20);
    prop::collection::vec((gap, size, run_time, estimate), number)
}

fn make_jobs(raw: &[Raw], nodes: u32, accuracy: Accuracy) -> Vec<Job> {
    let mut submit = 0;
    let mut jobs = Vec::new();
    for (id, &(gap, (kind, number), run_time, (looseness, more))) in raw.iter().enumerate() {
        submit += gap;
        let size = match kind {
            0..4 => 1 + number % nodes,
            4..7 => 1 + number % nodes.min(4),
            _ => nodes - number % nodes.div_ceil(4),
        };
        let estimate = match (accuracy, looseness) {
            (Accuracy::Exact, _) | (_, 0) => run_time,
            (Accuracy::Any, 1) => 1 + more % run_time,
            (_, 1 | 2) => run_time + more,
            // The same for all: many ends fall together.
            _ => 60,
        };
        jobs.push(Job {
            id: id as u64 + 1,
            submit: Time::from_secs(submit),
            run_time: Span::from_secs(run_time),
            estimate: Span::from_secs(estimate),
            size,
            memory_kb: 0,
            ..Job::default()
        });
    }
    jobs
}

fn passes() -> impl Strategy<Value = Passes> {
    prop::sample::select(vec![Passes::PerInstant, Passes::PerEvent])
}

/// Scenes on any machine with any allocator that fits it. The policy is FCFS; set the one to test.
pub fn scenes(accuracy: Accuracy) -> impl Strategy<Value = Scene> {
    sized_scenes(1..40, accuracy)
}

/// Scenes in which so many jobs wait that every index has more than one leaf.
pub fn deep_scenes(accuracy: Accuracy) -> impl Strategy<Value = Scene> {
    sized_scenes(80..140, accuracy)
}

fn sized_scenes(number: Range<usize>, accuracy: Accuracy) -> impl Strategy<Value = Scene> {
    (placed_machines(), raw_jobs(number), passes()).prop_map(move |((machine, allocator), raw, passes)| {
        let jobs = make_jobs(&raw, machine.nodes(), accuracy);
        let (policy, estimates) = (PolicySpec::Fcfs, EstimateSource::Requested);
        Scene { setup: Setup { machine, policy, allocator, memory: None, passes, estimates }, jobs }
    })
}

/// Scenes on a tree, allocated first-free.
pub fn tree_scenes(accuracy: Accuracy) -> impl Strategy<Value = Scene> {
    (trees(), raw_jobs(1..40), passes()).prop_map(move |(machine, raw, passes)| {
        let jobs = make_jobs(&raw, machine.nodes(), accuracy);
        let (policy, estimates) = (PolicySpec::Fcfs, EstimateSource::Requested);
        Scene {
            setup: Setup {
                machine,
                policy,
                allocator: AllocatorSpec::FirstFree,
                memory: None,
                passes,
                estimates,
            },
            jobs,
        }
    })
}

/// Scenes on one to three hosts with little memory, of jobs that some host holds. The policy is FCFS; set the one to test.
pub fn hosts_scenes(number: Range<usize>, accuracy: Accuracy) -> impl Strategy<Value = Scene> {
    let hosts = prop::collection::vec((1u32..9, 1u64..9), 1..4);
    let memory = prop::collection::vec(0u64..100, number.end);
    (hosts, raw_jobs(number), memory).prop_map(move |(sizes, raw, memory)| {
        let host = |(index, &(processors, memory_mb)): (usize, &(u32, u64))| HostSpec {
            name: index.to_string(),
            processors,
            memory_mb,
        };
        let machine = MachineSpec::Hosts { hosts: sizes.iter().enumerate().map(host).collect() };
        let capacity = Capacity::from(&machine);
        let mut jobs = make_jobs(&raw, capacity.largest_job(), accuracy);
        for (job, memory) in jobs.iter_mut().zip(memory) {
            job.memory_kb = capacity.most_memory_kb(job.size) / 100 * memory;
        }
        let mut scene = Scene::parse("nodes 1", PolicySpec::Fcfs);
        (scene.setup.machine, scene.jobs) = (machine, jobs);
        scene
    })
}

/// Communication models under which bandwidths of up to 2 and sizes of up to 30 often saturate links.
pub fn communication_models() -> impl Strategy<Value = CommunicationModel> {
    let step3 = prop::sample::select(vec![Step3::Unconstrained, Step3::Printed]);
    let penalized = prop::sample::select(vec![Penalized::WholeJob, Penalized::Communication]);
    prop_oneof![
        Just(CommunicationModel::Ideal),
        (0u32..4, penalized).prop_map(|(thirds, penalized)| CommunicationModel::FixedPenalty {
            penalty: f64::from(thirds) / 3.0,
            penalized
        }),
        contended(step3),
    ]
}

/// Links that carry from next to nothing to more than is asked for.
pub fn contended(step3: impl Strategy<Value = Step3>) -> impl Strategy<Value = CommunicationModel> {
    (1u32..24, step3).prop_map(|(half, step3)| CommunicationModel::Contended {
        link_bandwidth: f64::from(half) / 2.0,
        step3,
    })
}

/// Scenes on one to five clusters of jobs up to `largest` times the size of a cluster, or the machine's; with exact estimates. The policy is FCFS.
pub fn grid_scenes(
    number: Range<usize>,
    largest: f64,
    model: impl Strategy<Value = CommunicationModel>,
) -> impl Strategy<Value = Scene> {
    let details = prop::collection::vec((0u32..60, 0u32..=4, 0u32..=4), number.end);
    (1u32..6, 1u32..12, model, raw_jobs(number), details, passes()).prop_map(
        move |(clusters, nodes_per_cluster, communication, raw, details, passes)| {
            let machine = MachineSpec::Clusters { clusters, nodes_per_cluster, communication };
            let most = (f64::from(nodes_per_cluster) * largest) as u32;
            let mut jobs = make_jobs(&raw, most.clamp(1, machine.nodes()), Accuracy::Exact);
            for (job, (home, share, bandwidth)) in jobs.iter_mut().zip(details) {
                job.home = home % clusters;
                job.communication =
                    Communication { share: f64::from(share) / 4.0, bandwidth: f64::from(bandwidth) / 2.0 };
            }
            let mut scene = Scene::parse("nodes 1", PolicySpec::Fcfs);
            (scene.setup.machine, scene.setup.passes, scene.jobs) = (machine, passes, jobs);
            scene
        },
    )
}

/// Orders that a twin can compute in whole numbers.
pub fn orders() -> impl Strategy<Value = Order> {
    prop::sample::select(vec![
        Order::Arrival,
        Order::ShortestFirst,
        Order::LargestExpansionFirst,
        Order::SmallestFirst,
        Order::LargestFirst,
    ])
}

pub fn reservations() -> impl Strategy<Value = Reservations> {
    prop_oneof![(0u32..4).prop_map(Reservations::AtMost), Just(Reservations::All)]
}

pub fn overruns() -> impl Strategy<Value = Overrun> {
    prop::sample::select(vec![Overrun::KillBackfilled, Overrun::Extend])
}

pub fn shadows() -> impl Strategy<Value = Shadow> {
    prop::sample::select(vec![Shadow::Placement, Shadow::Count])
}

/// Every policy there is.
pub fn policies() -> impl Strategy<Value = PolicySpec> {
    let easy = (overruns(), shadows());
    let conservative = prop::sample::select(vec![EarlyEnd::Compress, EarlyEnd::Replan]);
    let priority = (orders(), reservations());
    prop_oneof![
        Just(PolicySpec::Fcfs),
        easy.prop_map(|(overrun, shadow)| PolicySpec::Easy { overrun, shadow }),
        conservative.prop_map(|early_end| PolicySpec::Conservative { early_end }),
        priority.prop_map(|(order, reservations)| PolicySpec::Priority { order, reservations }),
    ]
}
