//! Mini-grids: eight clusters of 100 nodes at load 0.7 under the schemes of the study, without observers.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sim::policy::co_allocation::{Pick, QueueRule, Sharing, SplitRule};
use sim::{
    AllocatorSpec, Communication, CommunicationModel, EstimateSource, Job, MachineSpec, Passes, Penalized,
    PolicySpec, Setup, Span, Step3, Time, simulate,
};
use std::hint::black_box;

const CLUSTERS: u32 = 8;
const JOBS: u64 = 200_000;

/// Numbers in 0..1, the same in every run.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -(1.0 - self.next()).ln() * mean
    }
}

/// Poisson arrivals at any cluster, sizes from 10 to 90, exponential run times of one second on average, 30 % of them communication.
fn poisson(load: f64) -> Vec<Job> {
    let (mut draws, mut submit) = (Draws(2004), 0.0);
    let gap = 50.0 / (f64::from(CLUSTERS) * 100.0 * load);
    let job = |id: u64| {
        submit += draws.exponential(gap);
        let run_time = Span::from_secs_f64(draws.exponential(1.0)).max(Span::TICK);
        Job {
            id,
            submit: Time::ZERO + Span::from_secs_f64(submit),
            run_time,
            estimate: run_time,
            size: 10 + (draws.next() * 81.0) as u32,
            home: (draws.next() * f64::from(CLUSTERS)) as u32,
            communication: Communication { share: 0.3, bandwidth: 1.0 },
            ..Job::default()
        }
    };
    (1..=JOBS).map(job).collect()
}

fn scheme(sharing: Sharing, queue: QueueRule, communication: CommunicationModel) -> Setup {
    Setup {
        machine: MachineSpec::Clusters { clusters: CLUSTERS, nodes_per_cluster: 100, communication },
        policy: PolicySpec::CoAllocation {
            sharing,
            queue,
            pick: Pick::FirstCome,
            home_first: true,
            split: SplitRule::LargestThenBestFit,
        },
        allocator: AllocatorSpec::FirstFree,
        memory: None,
        passes: Passes::PerInstant,
        estimates: EstimateSource::Requested,
    }
}

fn eight_clusters(c: &mut Criterion) {
    let mut group = c.benchmark_group("eight clusters");
    let jobs = poisson(0.7);
    let ideal = CommunicationModel::Ideal;
    let fixed = CommunicationModel::FixedPenalty { penalty: 0.25, penalized: Penalized::WholeJob };
    let links =
        |link_bandwidth| CommunicationModel::Contended { link_bandwidth, step3: Step3::Unconstrained };
    let scan = |sharing, communication| scheme(sharing, QueueRule::Scan, communication);
    for (name, setup) in [
        ("NoSharing", scan(Sharing::Nothing, ideal)),
        ("MigrationOnly", scan(Sharing::Migration, ideal)),
        ("Ideal", scan(Sharing::Splitting, ideal)),
        ("FixedPenalty", scan(Sharing::Splitting, fixed)),
        // More and more jobs wait: slowed as they are, they ask for more than there is.
        ("DynamicComm, x = 20", scan(Sharing::Splitting, links(20.0))),
        ("DynamicComm, x = 50", scan(Sharing::Splitting, links(50.0))),
        ("MigrationOnly, StrictPerCluster", scheme(Sharing::Migration, QueueRule::StrictPerCluster, ideal)),
    ] {
        group.sample_size(10).throughput(Throughput::Elements(JOBS));
        let run = || simulate(&setup, black_box(&jobs).iter().copied(), &mut ()).expect("the run ends");
        group.bench_function(name, |b| b.iter(run));
    }
    group.finish();
}

criterion_group!(benches, eight_clusters);
criterion_main!(benches);
