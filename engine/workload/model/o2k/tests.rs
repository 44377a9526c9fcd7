//! Months as the simulation gets them.

#![allow(clippy::unwrap_used)]
use super::*;
use std::collections::BTreeSet;

const DAY_S: i64 = 24 * 3_600;

fn jobs(parameters: Parameters, seed: u64) -> Vec<Job> {
    generate(&parameters.source(), None, seed).unwrap()
}

fn within(jobs: &[Job], days: std::ops::Range<i64>) -> Vec<&Job> {
    let range = Time::from_secs(days.start * DAY_S)..Time::from_secs(days.end * DAY_S);
    jobs.iter().filter(|job| range.contains(&job.submit)).collect()
}

fn raw(month: Month) -> Parameters {
    Parameters { fit: O2kFit::Raw, ..Parameters::of(month) }
}

#[test]
fn a_month_lies_between_warm_up_and_further_arrivals() {
    let parameters = Parameters { dedicated_share: 0.0, ..raw(Month::Mar2000) };
    let all = jobs(parameters, 3);
    assert!(all.is_sorted_by_key(|job| job.submit) && all.iter().map(|job| job.id).eq(1..=all.len() as u64));
    // 12,101 jobs in the month of 23 weekdays and 8 others (Table 6), and in proportion before and after.
    assert_eq!(within(&all, 7..38).len(), 12_101);
    let per_weight = 12_101.0 / (23.0 * 375.0 + 8.0 * 175.0);
    for (days, weekdays, quiet) in [(0..7, 5.0, 2.0), (38..52, 10.0, 4.0)] {
        let expected = per_weight * (weekdays * 375.0 + quiet * 175.0);
        assert!((within(&all, days.clone()).len() as f64 - expected).abs() <= 1.0, "{days:?}");
    }
    let alone = jobs(Parameters { warm_up_days: 0, after_days: 0, ..parameters }, 3);
    assert_eq!((alone.len(), within(&alone, 0..31).len()), (12_101, 12_101));
}

#[test]
fn jobs_are_what_the_machine_takes() {
    for (month, most_gb) in [(Month::Feb2000, 16), (Month::Oct2000, 25)] {
        for job in jobs(raw(month), 5) {
            assert!((1..=64).contains(&job.size) && job.memory_kb >= 1_024, "{job:?}");
            assert!(job.memory_kb <= most_gb << 20, "{job:?}");
            assert!((1..=64 << 20).contains(&job.peak_memory_kb), "{job:?}");
            assert!(job.estimate >= Span::from_secs(60) && job.estimate <= Span::from_secs(400 * 3_600));
            assert!(job.run_time >= Span::from_secs(1));
            assert!(job.run_time.0 <= job.estimate.0 + Span::from_secs(3_600).0, "{job:?}");
            assert_eq!((job.run_time.0 % 1_000_000, job.submit.0 % 1_000_000), (0, 0));
        }
    }
}

#[test]
fn seeds_decide_and_streams_are_apart() {
    let parameters = raw(Month::Jan2000);
    assert_eq!(jobs(parameters, 1), jobs(parameters, 1));
    assert_ne!(jobs(parameters, 1), jobs(parameters, 2));
    assert_eq!(generate(&parameters.source(), Some(50), 1).unwrap(), jobs(parameters, 1)[..50]);
    // Other gaps, the same jobs in the same order.
    let shapes = |parameters| -> Vec<_> {
        jobs(parameters, 1).iter().map(|job| (job.size, job.memory_kb, job.estimate, job.run_time)).collect()
    };
    assert_eq!(shapes(parameters), shapes(Parameters { gap_variation: 2.0, ..parameters }));
    // Fewer dropped jobs are the same ones and more.
    let some = jobs(Parameters { dedicated_share: 0.3, ..parameters }, 1);
    let fewer = jobs(Parameters { dedicated_share: 0.6, ..parameters }, 1);
    let keys = |jobs: &[Job]| -> BTreeSet<_> {
        jobs.iter().map(|job| (job.submit, job.size, job.run_time, job.peak_memory_kb)).collect()
    };
    assert!(fewer.len() < some.len() && keys(&fewer).is_subset(&keys(&some)));
}

#[test]
fn a_calibrated_month_has_its_load_without_dedicated_jobs() {
    // Table 6 less 65 % of the vst classes' 11 %: 96 − 7.15 %.
    let all = jobs(Parameters::of(Month::Feb2000), 4);
    let month = within(&all, 7..36);
    let work: f64 = month.iter().map(|job| f64::from(job.size) * job.run_time.as_secs_f64()).sum();
    let load = work / (960.0 * 29.0 * DAY_S as f64);
    assert!((load - 0.88).abs() < 0.02, "{load}");
    let short = month.iter().filter(|job| job.estimate <= Span::from_secs(5 * 3_600)).count() as f64;
    assert!((short / (0.35 * 7_110.0) - 1.0).abs() < 0.06, "{short}");
    assert_eq!(month.len() as f64 - short, 11_290.0 - 7_110.0);
}

#[test]
fn parameters_out_of_range_are_refused() {
    let wrong = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::of(Month::Feb2000);
        change(&mut parameters);
        generate(&parameters.source(), None, 1).unwrap_err().to_string()
    };
    assert_eq!(wrong(|p| p.gap_variation = 0.9), "gap_variation = 0.9: expected 1 to 2");
    assert_eq!(wrong(|p| p.dedicated_share = f64::NAN), "dedicated_share = NaN: expected 0 to 1");
    assert_eq!(wrong(|p| p.occupancy = 0.0), "occupancy = 0: expected above 0 and at most 1");
    assert_eq!(wrong(|p| p.low_rate = 0.0), "low_rate = 0: expected above 0");
    assert_eq!(wrong(|p| p.after_days = 367), "after_days = 367: expected at most 366 days");
}
