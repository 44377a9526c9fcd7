#![allow(clippy::unwrap_used)]
use super::*;
use sim::metrics::{Metrics, measure_stream};
use sim::{AllocatorSpec, MachineSpec, MeasureSpec, PolicySpec, Setup, Steady, WarmUp};

fn jobs(clusters: u32, number: usize) -> Vec<Job> {
    Poisson::new(Parameters::default(), clusters, 100, 11).unwrap().take(number).collect()
}

#[test]
fn rates_sizes_and_run_times_are_those_asked_for() {
    let n = 100_000;
    let drawn = jobs(1, n);
    let count = n as f64;
    let mean = |value: &dyn Fn(&Job) -> f64| drawn.iter().map(value).sum::<f64>() / count;
    // Sizes: mean 50, variance (81² − 1)/12; run times: mean and standard deviation 1; rate 0.7 · 100 / 50 per second.
    let size = mean(&|job| f64::from(job.size));
    assert!((size - 50.0).abs() < 4.0 * (6560.0_f64 / 12.0 / count).sqrt(), "{size}");
    let sizes: Vec<u32> = drawn.iter().map(|job| job.size).collect();
    assert_eq!((sizes.iter().min(), sizes.iter().max()), (Some(&10), Some(&90)));
    let run = mean(&|job| job.run_time.as_secs_f64());
    let square = mean(&|job| job.run_time.as_secs_f64().powi(2));
    assert!((run - 1.0).abs() < 4.0 / count.sqrt(), "{run}");
    assert!((square - 2.0).abs() < 4.0 * (20.0_f64 / count).sqrt(), "{square}");
    let gap = drawn[n - 1].submit.as_secs_f64() / count;
    assert!((gap * 1.4 - 1.0).abs() < 4.0 / count.sqrt(), "{gap}");
    // Gaps do not remember: those above their mean are e⁻¹ of all, also behind another such gap.
    let gaps: Vec<f64> =
        drawn.windows(2).map(|pair| (pair[1].submit - pair[0].submit).as_secs_f64()).collect();
    let long = |gap: &f64| *gap > 1.0 / 1.4;
    let after: Vec<&f64> = gaps.windows(2).filter(|pair| long(&pair[0])).map(|pair| &pair[1]).collect();
    for some in [gaps.iter().collect::<Vec<_>>(), after] {
        let share = some.iter().filter(|gap| long(gap)).count() as f64 / some.len() as f64;
        assert!((share - (-1.0_f64).exp()).abs() < 4.0 * (0.25 / some.len() as f64).sqrt(), "{share}");
    }
    assert!(drawn.iter().all(|job| job.estimate == job.run_time && job.home == 0));
    assert!(drawn.iter().all(|job| job.communication == Communication { share: 0.3, bandwidth: 1.0 }));
}

#[test]
fn a_cluster_has_its_jobs_whatever_the_number_of_clusters() {
    let of = |jobs: &[Job], home: u32| -> Vec<(Time, Span, u32)> {
        let here = jobs.iter().filter(|job| job.home == home);
        here.map(|job| (job.submit, job.run_time, job.size)).take(100).collect()
    };
    let [two, eight] = [2, 8].map(|clusters| jobs(clusters, 2000));
    for home in 0..2 {
        assert_eq!(of(&two, home), of(&eight, home));
        assert_eq!(of(&two, home).len(), 100);
    }
    assert_ne!(of(&eight, 0), of(&eight, 1));
    for merged in [two, eight] {
        assert!(merged.is_sorted_by_key(|job| (job.submit, job.home)));
        assert!(merged.iter().zip(1..).all(|(job, id)| job.id == id));
    }
    // Eight streams bring eight times as many jobs.
    let span = |clusters| jobs(clusters, 20_000)[19_999].submit.as_secs_f64();
    assert!((span(1) / span(8) / 8.0 - 1.0).abs() < 0.05);
}

#[test]
fn ties_come_in_the_order_of_clusters() {
    // A gap of a thousandth of a tick: nearly all arrive together.
    let dense = Parameters { mean_run_time_s: 1e-9, ..Parameters::default() };
    let merged: Vec<Job> = Poisson::new(dense, 3, 100, 1).unwrap().take(3000).collect();
    assert!(merged.is_sorted_by_key(|job| (job.submit, job.home)));
    assert!(merged.iter().all(|job| job.run_time == Span::TICK));
    assert!(merged.iter().any(|job| job.home == 2));
}

#[test]
fn parameters_out_of_range_are_refused() {
    let wrong = [
        Parameters { arrival_load: 0.0, ..Parameters::default() },
        Parameters { mean_run_time_s: f64::NAN, ..Parameters::default() },
        Parameters { mean_run_time_s: 1e12, ..Parameters::default() },
        Parameters { smallest: 0, ..Parameters::default() },
        Parameters { largest: 9, ..Parameters::default() },
        Parameters { communication_share: 1.1, ..Parameters::default() },
        Parameters { bandwidth_per_node: -1.0, ..Parameters::default() },
    ];
    for parameters in wrong {
        assert!(parameters.validate().is_err(), "{parameters:?}");
    }
    let source = Parameters::default().source();
    assert_eq!(Parameters::of_source(&source), Some(Parameters::default()));
    assert!(of_source(&source, Capacity::from(90), 1).is_ok());
    let refused = of_source(&source, Capacity::from(89), 1).err().unwrap().to_string();
    assert_eq!(refused, "largest = 90: expected at most the 89 nodes that a job can have");
}

/// The steady state of jobs of one node on `nodes` nodes, first come, first served.
fn queue(nodes: u32, load: f64, runs: RunTimes, seed: u64, count: u64) -> Metrics {
    let parameters =
        Parameters { arrival_load: load, smallest: 1, largest: 1, runs, ..Parameters::default() };
    let setup = Setup {
        machine: MachineSpec::Flat { nodes },
        policy: PolicySpec::Fcfs,
        allocator: AllocatorSpec::FirstFree,
        memory: None,
        passes: sim::Passes::default(),
        estimates: sim::EstimateSource::default(),
    };
    let steady = Steady { warm_up: WarmUp::Share(0.1), batches: 16, backlog_cap: 300 };
    let stream = Poisson::new(parameters, 1, nodes, seed).unwrap();
    measure_stream(&setup, stream, count, steady, &MeasureSpec::default(), || true).unwrap().metrics
}

/// Replications of a queue whose interval has the mean response, and the mean of a metric over all.
fn check_queue(nodes: u32, load: f64, runs: RunTimes, response_s: f64) {
    const REPLICATIONS: u64 = 24;
    let mut covered = 0;
    let mut sums = [0.0; 4];
    for seed in 0..REPLICATIONS {
        let found = queue(nodes, load, runs, seed, 40_000);
        let get = |name: &str| found.get(name).unwrap();
        let error = (get("mean_response_s") - response_s).abs();
        covered += u64::from(error <= get("response_half_width_s"));
        let names = ["mean_response_s", "mean_wait_s", "utilization", "mean_queue_length"];
        for (sum, name) in sums.iter_mut().zip(names) {
            *sum += get(name) / REPLICATIONS as f64;
        }
    }
    // 95 % of 24 are 23; fewer than 19 are as good as impossible.
    assert!(covered >= 19, "{covered} of {REPLICATIONS} intervals have {response_s}");
    let [response, wait, utilization, queue] = sums;
    let wait_s = response_s - 1.0;
    assert!((response / response_s - 1.0).abs() < 0.02, "{response}, not {response_s}");
    assert!((wait / wait_s - 1.0).abs() < 0.04, "{wait}, not {wait_s}");
    assert!((utilization / load - 1.0).abs() < 0.01, "{utilization}, not {load}");
    // Little: as many wait as arrive in the mean wait.
    let little = f64::from(nodes) * load * wait_s;
    assert!((queue / little - 1.0).abs() < 0.05, "{queue}, not {little}");
}

/// Erlang's C formula: the probability that a job waits for one of c servers.
fn erlang_c(servers: u32, load: f64) -> f64 {
    let offered = f64::from(servers) * load;
    // Erlang's B by its recursion.
    let blocked = (1..=servers).fold(1.0, |b, n| offered * b / (f64::from(n) + offered * b));
    blocked / (1.0 - load * (1.0 - blocked))
}

#[test]
fn one_server_is_an_m_m_1_queue() {
    check_queue(1, 0.6, RunTimes::Exponential, 1.0 / (1.0 - 0.6));
    assert!((erlang_c(1, 0.6) - 0.6).abs() < 1e-12);
}

#[test]
fn several_servers_wait_as_erlang_says() {
    let (servers, load) = (4, 0.7);
    let wait = erlang_c(servers, load) / (f64::from(servers) * (1.0 - load));
    check_queue(servers, load, RunTimes::Exponential, 1.0 + wait);
}

#[test]
fn constant_run_times_halve_the_wait() {
    // Pollaczek and Khinchine.
    check_queue(1, 0.6, RunTimes::Constant, 1.0 + 0.6 / (2.0 * (1.0 - 0.6)));
}

#[test]
fn more_than_the_machine_can_do_is_unstable() {
    let found = queue(2, 1.3, RunTimes::Exponential, 5, 1_000_000);
    let at = found.get("unstable_at_s").unwrap();
    // 2.6 arrive and 2 leave in a second.
    assert!((250.0..1000.0).contains(&at), "{at}");
    assert_eq!(found.get("mean_response_s"), None);
}
