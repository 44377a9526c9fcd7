//! Jobs per second on the eight hosts of Chiang 2001, Table 4, over a month of synthetic jobs like hers: 10,000 of mean size 8, mostly short but
//! with requests of 5 to 400 hours, at a load at which dozens wait. The target is 100,000 jobs per second, and 30,000
//! of EQspatial.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sim::policy::class_priority::{HostLimits, size_classes_of_the_study, time_classes_of_the_study};
use sim::policy::{Holders, ImmediateService, Order, Reservations, ServiceForm, Slide};
use sim::{
    AllocatorSpec, EstimateSource, HostSpec, Job, MachineSpec, Passes, PolicySpec, Setup, Span, Time,
    simulate,
};
use std::hint::black_box;

const HOSTS: [(&str, u32, u64); 8] = [
    ("eir", 128, 64),
    ("nerthus", 128, 64),
    ("hod1", 128, 64),
    ("jord1", 128, 32),
    ("saga1", 128, 32),
    ("huldra", 128, 32),
    ("mimir", 128, 32),
    ("modi2", 64, 16),
];

/// Numbers in 0..1, the same in every run.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn month(scale: f64) -> Vec<Job> {
    let mut draws = Draws(2001);
    let mut submit = 0.0;
    let job = |id: u64| {
        submit -= (1.0 - draws.next()).ln() * 30.0 * 86_400.0 / 10_000.0;
        let size = 1 << [0, 0, 0, 1, 2, 2, 3, 3, 4, 5, 6][(draws.next() * 10.3) as usize];
        let hours = [5, 5, 5, 5, 5, 50, 50, 50, 200, 400][(draws.next() * 9.6) as usize];
        let estimate = hours * 3600;
        let run_time = (draws.next().powi(6) * estimate as f64 * scale) as i64 + 5;
        let megabytes = 64.0 + f64::from(size) * 400.0 * draws.next();
        Job {
            id,
            submit: Time::from_secs(submit as i64),
            run_time: Span::from_secs(run_time.min(estimate + 3600)),
            estimate: Span::from_secs(estimate),
            size,
            memory_kb: megabytes as u64 * 1024,
            ..Job::default()
        }
    };
    (1..=10_000).map(job).collect()
}

/// Table 4's limits on lj, mj and sj; the negative ones are none.
const LIMITS: [(&str, [i64; 3]); 8] = [
    ("eir", [3, 4, -1]),
    ("nerthus", [3, 4, -1]),
    ("hod1", [6, 2, -1]),
    ("jord1", [3, 4, -1]),
    ("saga1", [3, 4, -1]),
    ("huldra", [3, 4, -1]),
    ("mimir", [0, 0, -1]),
    ("modi2", [0, -1, 0]),
];

fn ncsa_lsf() -> Setup {
    let limits = |(host, most): (&str, [i64; 3])| {
        let given = ["lj", "mj", "sj"].into_iter().zip(most);
        let given = given.filter_map(|(class, most)| Some((class.to_owned(), u32::try_from(most).ok()?)));
        HostLimits { host: host.to_owned(), at_most: given.collect() }
    };
    on_hosts(PolicySpec::ClassPriority {
        time_classes: time_classes_of_the_study(),
        size_classes: size_classes_of_the_study(),
        host_limits: LIMITS.map(limits).to_vec(),
        drain_seed: 0,
    })
}

fn on_hosts(policy: PolicySpec) -> Setup {
    let host = |(name, processors, gigabytes): (&str, u32, u64)| HostSpec {
        name: name.to_owned(),
        processors,
        memory_mb: gigabytes * 1024,
    };
    Setup {
        machine: MachineSpec::Hosts { hosts: HOSTS.map(host).to_vec() },
        policy,
        allocator: AllocatorSpec::FirstFree,
        memory: None,
        passes: Passes::PerInstant,
        estimates: EstimateSource::Requested,
    }
}

fn setup(order: Order, reservations: Reservations, holders: Holders, slide: Slide) -> Setup {
    on_hosts(PolicySpec::PriorityBackfill {
        order,
        reservations,
        holders,
        slide,
        grace_s: 0,
        immediate_service: None,
    })
}

/// LXF&W-backfill with test runs.
fn served(form: ServiceForm) -> Setup {
    on_hosts(PolicySpec::PriorityBackfill {
        order: Order::LxfW,
        reservations: Reservations::AtMost(1),
        holders: Holders::DynamicJob,
        slide: Slide::Sliding,
        grace_s: 0,
        immediate_service: Some(ImmediateService { form, ..ImmediateService::default() }),
    })
}

fn equal(min_interval_s: u64, full_after_s: Option<u64>) -> Setup {
    let immediate_service = Some(ImmediateService::default());
    on_hosts(PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service })
}

fn a_month_on_eight_hosts(c: &mut Criterion) {
    let mut group = c.benchmark_group("a month on eight hosts");
    let dynamic = |order| setup(order, Reservations::AtMost(1), Holders::DynamicJob, Slide::Sliding);
    let fixed = |slide| setup(Order::NcsaMs, Reservations::AtMost(2), Holders::FixedJob, slide);
    let all = |holders| setup(Order::LxfW, Reservations::All, holders, Slide::Sliding);
    let eight = setup(Order::LxfW, Reservations::AtMost(8), Holders::DynamicJob, Slide::Sliding);
    for (name, setup, scale) in [
        ("FCFS-backfill", dynamic(Order::Arrival), SCALE),
        ("SJF-backfill", dynamic(Order::ShortestFirst), SCALE),
        ("Priority-backfill", dynamic(Order::PriorityP), SCALE),
        ("LXF&W-backfill", dynamic(Order::LxfW), SCALE),
        ("LXF&W-backfill, 8 reservations", eight, SCALE),
        ("LXF&W-backfill, all reservations", all(Holders::DynamicJob), SCALE),
        ("LXF&W-backfill, all reservations, fixed", all(Holders::FixedJob), SCALE),
        ("LXF&W-backfill, all reservations, load 0.97", all(Holders::DynamicJob), HIGH),
        ("LXF&W-backfill, all reservations, fixed, load 0.97", all(Holders::FixedJob), HIGH),
        ("NCSA-MS*, sliding", fixed(Slide::Sliding), SCALE),
        ("NCSA-MS*, non-sliding", fixed(Slide::NonSliding), SCALE),
        ("NCSA-LSF*", ncsa_lsf(), SCALE),
        ("LXF&W-backfill, immediate service", served(ServiceForm::Preemptive), SCALE),
        ("LXF&W-backfill, immediate service, soon", served(ServiceForm::Soon), SCALE),
        ("EQspatial-0m", equal(0, None), SCALE),
        ("EQspatial-5m", equal(300, None), SCALE),
        ("EQspatial-5m/>50hr", equal(300, Some(50 * 3600)), SCALE),
    ] {
        let jobs = month(scale);
        group.sample_size(10).throughput(Throughput::Elements(jobs.len() as u64));
        let run = || simulate(&setup, black_box(&jobs).iter().copied(), &mut ()).expect("the run ends");
        group.bench_function(name, |b| b.iter(run));
    }
    group.finish();
}

/// Scales the run times to a load of 0.90, at which dozens of jobs wait.
const SCALE: f64 = 0.74;

/// To a load of 0.97, at which about a hundred do.
const HIGH: f64 = 0.80;

criterion_group!(benches, a_month_on_eight_hosts);
criterion_main!(benches);
