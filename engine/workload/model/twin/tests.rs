//! The twins against the statistics of their logs.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::model::{Memory, MemoryClass, Submission, TwinModel};
use super::{TWINS, find, generate, known};
use crate::WorkloadError;
use crate::statistics::{Statistics, run_time_class, statistics};
use sim::{Job, Time};

/// Seeds of the full-length comparisons.
const SEEDS: [u64; 2] = [1, 20_080];

/// What was measured on a log, in the terms of [`Statistics`].
struct Measured {
    name: &'static str,
    job_shares: [f64; 3],
    work_shares: [f64; 3],
    mean_size: f64,
    serial_share: f64,
    power_of_two_share: f64,
    exact_estimate_share: f64,
    mean_accuracy: f64,
    weekly_load_variation: f64,
}

const LOGS: [Measured; 5] = [
    Measured {
        name: "HPC2N-2002-2.2-cln",
        job_shares: [0.3816, 0.2924, 0.3260],
        work_shares: [0.0031, 0.0564, 0.9404],
        mean_size: 6.34,
        serial_share: 0.4243,
        power_of_two_share: 0.9197,
        exact_estimate_share: 0.0741,
        mean_accuracy: 0.4723,
        weekly_load_variation: 0.350,
    },
    Measured {
        name: "LLNL-Thunder-2007-1.1-cln",
        job_shares: [0.7380, 0.1969, 0.0650],
        work_shares: [0.0053, 0.1216, 0.8731],
        mean_size: 44.21,
        serial_share: 0.0,
        power_of_two_share: 0.9382,
        exact_estimate_share: 0.7159,
        mean_accuracy: 0.7311,
        weekly_load_variation: 0.143,
    },
    Measured {
        name: "SDSC-BLUE-2000-4.2-cln",
        job_shares: [0.6252, 0.2895, 0.0853],
        work_shares: [0.0094, 0.1592, 0.8314],
        mean_size: 41.26,
        serial_share: 0.0,
        power_of_two_share: 0.9261,
        exact_estimate_share: 0.1030,
        mean_accuracy: 0.3133,
        weekly_load_variation: 0.204,
    },
    Measured {
        name: "LANL-CM5-1994-4.1-cln",
        job_shares: [0.5463, 0.3991, 0.0545],
        work_shares: [0.0178, 0.5314, 0.4508],
        mean_size: 98.84,
        serial_share: 0.0,
        power_of_two_share: 1.0,
        exact_estimate_share: 0.4225,
        mean_accuracy: 0.6223,
        weekly_load_variation: 0.212,
    },
    Measured {
        name: "CTC-SP2-1996-3.1-cln",
        job_shares: [0.4438, 0.2731, 0.2831],
        work_shares: [0.0100, 0.1050, 0.8850],
        mean_size: 11.0,
        serial_share: 0.420,
        power_of_two_share: 0.827,
        exact_estimate_share: 0.093,
        mean_accuracy: 0.392,
        weekly_load_variation: 0.16,
    },
];

/// Shares of the jobs of LANL-CM5-1994-4.1-cln that need at most these shares of the node's 32 MB (field 10, else field 7):
/// of all jobs, and of the short, medium and long ones.
const MEMORY_SHARES: [f64; 6] = [0.05, 0.10, 0.15, 0.25, 0.50, 0.75];
const MEMORY_CDF: [[f64; 6]; 4] = [
    [0.2035, 0.4212, 0.5511, 0.6701, 0.8388, 0.8398],
    [0.2806, 0.5130, 0.6338, 0.7381, 0.9072, 0.9085],
    [0.1207, 0.3355, 0.4852, 0.6310, 0.8086, 0.8093],
    [0.0379, 0.1289, 0.2047, 0.2753, 0.3743, 0.3745],
];
/// Of its work (size · run time), the share in jobs that need more than three quarters of the node.
const WORK_IN_FULL_NODES: f64 = 0.6774;

/// Tolerances of single realisations, absolute where not said otherwise. The load of a twin varies by a few per cent from
/// seed to seed because the work is in few jobs; the weekly variation of HPC2N hangs on a handful of huge batches.
const JOB_SHARE: f64 = 0.02;
const WORK_SHARE: f64 = 0.06;
const LOAD_RELATIVE: f64 = 0.08;
const SIZE_RELATIVE: f64 = 0.08;
const SIZE_SHARE: f64 = 0.02;
const EXACT_SHARE: f64 = 0.03;
const ACCURACY: f64 = 0.06;
const WEEKLY: f64 = 0.2;
const MEMORY: f64 = 0.03;

fn of(name: &str, seed: u64) -> (Statistics, &'static TwinModel) {
    let twin = find(name).unwrap();
    (statistics(&generate(name, None, seed).unwrap(), twin.nodes), twin)
}

fn near(what: &str, value: f64, wanted: f64, tolerance: f64) {
    assert!(
        (value - wanted).abs() <= tolerance,
        "{what}: {value:.4} instead of {wanted:.4} ± {tolerance:.4}"
    );
}

fn resembles_its_log(log: &Measured) {
    for seed in SEEDS {
        let (twin, model) = of(log.name, seed);
        assert_eq!(twin.jobs as u64, model.jobs);
        for class in 0..3 {
            near("job share", twin.job_shares[class], log.job_shares[class], JOB_SHARE);
            near("work share", twin.work_shares[class], log.work_shares[class], WORK_SHARE);
        }
        near("offered load", twin.offered_load, model.offered_load, LOAD_RELATIVE * model.offered_load);
        near("mean size", twin.mean_size, log.mean_size, SIZE_RELATIVE * log.mean_size);
        near("serial share", twin.serial_share, log.serial_share, SIZE_SHARE);
        near("power-of-two share", twin.power_of_two_share, log.power_of_two_share, SIZE_SHARE);
        near("exact estimates", twin.exact_estimate_share, log.exact_estimate_share, EXACT_SHARE);
        near("accuracy", twin.mean_accuracy, log.mean_accuracy, ACCURACY);
        near("weekly variation", twin.weekly_load_variation, log.weekly_load_variation, WEEKLY);
        assert!(twin.max_size <= model.nodes, "a job of {} nodes", twin.max_size);
        // submissions come in bursts: a Poisson process has 1
        assert!(twin.gap_variation > 2.0, "variation of gaps {}", twin.gap_variation);
    }
}

#[test]
fn hpc2n_resembles_its_log() {
    resembles_its_log(&LOGS[0]);
}

#[test]
fn llnl_thunder_resembles_its_log() {
    resembles_its_log(&LOGS[1]);
}

#[test]
fn sdsc_blue_resembles_its_log() {
    resembles_its_log(&LOGS[2]);
}

#[test]
fn lanl_cm5_resembles_its_log() {
    resembles_its_log(&LOGS[3]);
}

#[test]
fn ctc_sp2_resembles_its_log() {
    resembles_its_log(&LOGS[4]);
}

#[test]
fn the_memory_of_lanl_cm5_is_distributed_as_in_its_log() {
    let node_kb = 32.0 * 1024.0;
    let within = |jobs: &[&Job], share: f64| {
        jobs.iter().filter(|job| job.memory_kb as f64 <= share * node_kb).count() as f64 / jobs.len() as f64
    };
    for seed in SEEDS {
        let jobs = generate(LOGS[3].name, None, seed).unwrap();
        for (row, wanted) in MEMORY_CDF.iter().enumerate() {
            let of_row = |job: &&Job| row == 0 || run_time_class(job.run_time) == row - 1;
            let class: Vec<&Job> = jobs.iter().filter(of_row).collect();
            for (share, wanted) in MEMORY_SHARES.iter().zip(wanted) {
                near(&format!("row {row} at {share}"), within(&class, *share), *wanted, MEMORY);
            }
        }
        // Fig. 18 of Esbaugh 2010: about half of the jobs need less than 15 % of the node, few more than half.
        let all: Vec<&Job> = jobs.iter().collect();
        assert!((0.45..0.6).contains(&within(&all, 0.15)) && within(&all, 0.5) > 0.8);
        let work = |job: &Job| f64::from(job.size) * job.run_time.0 as f64;
        let full = jobs.iter().filter(|job| job.memory_kb as f64 > 0.75 * node_kb).map(work).sum::<f64>();
        near(
            "work in full nodes",
            full / jobs.iter().map(work).sum::<f64>(),
            WORK_IN_FULL_NODES,
            2.0 * MEMORY,
        );
        assert!(jobs.iter().all(|job| job.memory_kb > 0 && job.memory_kb <= 32_768));
    }
}

#[test]
fn only_twins_with_a_table_have_memory() {
    for twin in TWINS.iter().filter(|twin| twin.memory.is_none()) {
        assert!(generate(twin.name, Some(1_000), 1).unwrap().iter().all(|job| job.memory_kb == 0));
    }
}

#[test]
fn jobs_are_well_formed_and_ordered() {
    for twin in TWINS {
        let jobs = generate(twin.name, Some(30_000), 3).unwrap();
        assert_eq!(jobs[0].submit, Time::ZERO);
        assert!(jobs.windows(2).all(|w| w[0].submit <= w[1].submit));
        for (job, id) in jobs.iter().zip(1..) {
            assert_eq!(job.id, id);
            assert!(job.run_time.0 > 0 && job.estimate >= job.run_time && job.size >= 1, "{job:?}");
            let whole = [job.submit.0, job.run_time.0, job.estimate.0];
            assert!(whole.iter().all(|ticks| ticks % sim::time::TICKS_PER_SECOND == 0), "{job:?}");
        }
    }
}

#[test]
fn fewer_jobs_are_the_beginning_of_more() {
    for twin in TWINS {
        let long = generate(twin.name, Some(20_000), 9).unwrap();
        for n in [0, 1, 777, 19_999] {
            assert_eq!(generate(twin.name, Some(n), 9).unwrap(), long[..n as usize]);
        }
    }
}

#[test]
fn a_twin_goes_on_beyond_the_span_of_its_log() {
    let twin = &TWINS[1];
    let jobs = generate(twin.name, Some(twin.jobs * 5 / 2), 4).unwrap();
    assert_eq!(generate(twin.name, None, 4).unwrap(), jobs[..twin.jobs as usize]);
    let load = statistics(&jobs, twin.nodes).offered_load;
    near("offered load of 2.5 epochs", load, twin.offered_load, LOAD_RELATIVE * twin.offered_load);
}

#[test]
fn seeds_decide_everything() {
    for twin in TWINS {
        let jobs = generate(twin.name, Some(5_000), 5).unwrap();
        assert_eq!(jobs, generate(twin.name, Some(5_000), 5).unwrap());
        assert_ne!(jobs, generate(twin.name, Some(5_000), 6).unwrap());
    }
}

#[test]
fn an_unknown_name_lists_the_known() {
    let error = generate("HPC2N", None, 1).unwrap_err();
    assert!(matches!(error, WorkloadError::UnknownTwin { .. }));
    let text = error.to_string();
    assert!(known().all(|name| text.contains(name)), "{text}");
}

#[test]
fn a_gated_twin_never_exceeds_the_nodes_in_service() {
    for twin in TWINS {
        let Submission::AtStart { in_service } = twin.submission else { continue };
        let flurry = |run: i64| twin.flurries.iter().any(|f| i64::from(f.run_time_s) * 1_000_000 == run);
        let jobs = generate(twin.name, Some(40_000), 2).unwrap();
        let mut changes = Vec::new();
        for job in jobs.iter().filter(|job| !flurry(job.run_time.0)) {
            changes.push((job.submit.0, i64::from(job.size)));
            changes.push(((job.submit + job.run_time).0, -i64::from(job.size)));
        }
        // at one instant, releases come first
        changes.sort_unstable();
        let used = changes.iter().scan(0, |used, (_, size)| {
            *used += size;
            Some(*used)
        });
        assert!(used.max().unwrap() <= i64::from(in_service));
    }
}

#[test]
fn the_tables_of_every_twin_make_sense() {
    for twin in TWINS {
        let capacity = match twin.submission {
            Submission::AtStart { in_service } => in_service,
            Submission::AsDemanded => twin.nodes,
        };
        assert!(capacity <= twin.nodes);
        for class in twin.batches {
            assert!(class.sizes.iter().all(|s| s.size >= 1 && s.size <= capacity), "{}", class.label);
            assert!(class.lengths[0] >= 1.0 && class.lengths.is_sorted(), "{}", class.label);
            assert!(class.run_times_s[0] >= 1 && class.run_times_s.is_sorted(), "{}", class.label);
            assert!((0.0..=1.0).contains(&class.likeness), "{}", class.label);
            assert!(class.gaps.gaps_s.is_sorted(), "{}", class.label);
        }
        assert!(twin.estimates.is_sorted_by_key(|class| class.below_s));
        assert!(twin.estimates.iter().all(|class| class.estimates_s.is_sorted()));
        assert_eq!(twin.estimates.last().unwrap().below_s, u32::MAX);
        for class in twin.memory.iter().flat_map(|memory| memory.classes) {
            assert!(class.amounts_kb[0] > 0 && class.amounts_kb.is_sorted(), "{}", twin.name);
        }
        let largest = twin.batches.iter().flat_map(|class| class.sizes).map(|share| share.size).max();
        let covered = |memory: &Memory| {
            let key = |class: &MemoryClass| (class.up_to_size, class.below_s);
            let last = memory.classes.last().map(key);
            memory.classes.is_sorted_by_key(key) && last == Some((largest.unwrap(), u32::MAX))
        };
        assert!(twin.memory.is_none_or(covered), "{}", twin.name);
        for factors in [&twin.hours[..], &twin.days[..]] {
            let mean = factors.iter().sum::<f64>() / factors.len() as f64;
            near("mean of the cycle", mean, 1.0, 0.01);
        }
    }
}
