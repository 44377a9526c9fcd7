//! The generator against the reference statistics of the authors' own one, and against published class shares.

#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;

const JOBS: usize = 100_000;
const SEEDS: [u64; 4] = [1, 2, 3, 4];

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mu = mean(values);
    (values.iter().map(|v| (v - mu) * (v - mu)).sum::<f64>() / values.len() as f64).sqrt()
}

fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(q * (sorted.len() - 1) as f64) as usize]
}

/// Statistics of one workload, in the order of `REFERENCE`.
fn statistics(seed: u64) -> Vec<f64> {
    let mut model = LublinFeitelson::new(Variant::BatchAndInteractive, 128, 2.0, seed).unwrap();
    let (jobs, kinds): (Vec<Job>, Vec<bool>) = (0..JOBS).map(|_| model.advance()).unzip();
    let share =
        |test: &dyn Fn(&Job) -> bool| jobs.iter().filter(|job| test(job)).count() as f64 / JOBS as f64;
    let sizes: Vec<f64> = jobs.iter().map(|job| f64::from(job.size)).collect();
    let runs: Vec<f64> = jobs.iter().map(|job| job.run_time.as_secs_f64()).collect();
    let logs: Vec<f64> = runs.iter().map(|run| run.ln()).collect();
    let gaps: Vec<f64> =
        jobs.windows(2).map(|pair| (pair[1].submit - pair[0].submit).as_secs_f64()).collect();
    let work: f64 = sizes.iter().zip(&runs).map(|(size, run)| size * run).sum();
    vec![
        kinds.iter().filter(|&&interactive| interactive).count() as f64 / JOBS as f64,
        share(&|job| job.size == 1),
        share(&|job| job.size.is_power_of_two()),
        mean(&sizes),
        mean(&sizes.iter().map(|size| size.log2()).collect::<Vec<_>>()),
        mean(&runs),
        quantile(&runs, 0.5),
        quantile(&runs, 0.9),
        quantile(&runs, 0.99),
        deviation(&runs) / mean(&runs),
        mean(&logs),
        deviation(&logs),
        mean(&gaps),
        deviation(&gaps) / mean(&gaps),
        quantile(&gaps, 0.5),
        work / (128.0 * gaps.iter().sum::<f64>()),
    ]
}

/// Name, mean and standard deviation over ten seeds of the authors' generator: batch and interactive together, 128
/// processors, u_med = 5, 100,000 jobs.
const REFERENCE: [(&str, f64, f64); 16] = [
    ("interactive share", 0.8515, 0.0071),
    ("serial share", 0.1744, 0.0015),
    ("power-of-two share", 0.8635, 0.0019),
    ("mean size", 8.91, 0.06),
    ("mean log2 size", 2.274, 0.006),
    ("mean run time", 1606.0, 72.0),
    ("median run time", 17.9, 0.3),
    ("90th percentile of run time", 873.0, 97.0),
    ("99th percentile of run time", 32_340.0, 568.0),
    ("CV of run time", 4.23, 0.10),
    ("mean ln run time", 3.480, 0.031),
    ("sd of ln run time", 2.386, 0.026),
    ("mean gap", 522.0, 14.0),
    ("CV of gap", 6.96, 0.24),
    ("median gap", 50.9, 0.6),
    ("offered load", 0.398, 0.016),
];

#[test]
fn the_authors_statistics_are_met() {
    let samples: Vec<Vec<f64>> = SEEDS.iter().map(|&seed| statistics(seed)).collect();
    // The difference of two means, of four and of ten seeds.
    let error = (1.0 / SEEDS.len() as f64 + 1.0 / 10.0).sqrt();
    for (index, (name, reference, sd)) in REFERENCE.into_iter().enumerate() {
        let found = mean(&samples.iter().map(|sample| sample[index]).collect::<Vec<_>>());
        let tolerance = 4.0 * sd * error;
        assert!((found - reference).abs() < tolerance, "{name}: {found}, expected {reference} ± {tolerance}");
    }
}

/// Shares of jobs and of work in the classes below 600 s, up to 10,800 s, and above, per cent.
fn class_shares(variant: Variant, seed: u64, count: usize) -> ([f64; 3], [f64; 3]) {
    let model = LublinFeitelson::new(variant, 128, 2.5, seed).unwrap();
    let found = crate::statistics::statistics(&model.take(count).collect::<Vec<_>>(), 128);
    (found.job_shares.map(|share| 100.0 * share), found.work_shares.map(|share| 100.0 * share))
}

/// Esbaugh 2010, Table 2, is an average over ten workloads of 10,000 jobs; so is ours, each with its sampling error.
#[test]
fn table_2_of_the_time_sharing_study_is_met() {
    let ten: Vec<_> = (1..=10).map(|seed| class_shares(Variant::Single, seed, 10_000)).collect();
    let near = |what: &str, found: Vec<f64>, printed: f64, rounding: f64| {
        let tolerance = rounding + 2.0 * deviation(&found) * (2.0f64 / 10.0).sqrt();
        let found = mean(&found);
        assert!((found - printed).abs() < tolerance, "{what}: {found} instead of {printed} ± {tolerance}");
    };
    for (class, (jobs, work)) in [(64.0, 0.5), (19.5, 26.0), (16.5, 73.5)].into_iter().enumerate() {
        near("jobs", ten.iter().map(|shares| shares.0[class]).collect(), jobs, 0.25);
        near("work", ten.iter().map(|shares| shares.1[class]).collect(), work, 0.25);
    }
}

#[test]
fn class_shares_are_the_measured_ones() {
    let expected = [
        (Variant::Single, [63.8, 19.8, 16.5], [0.5, 26.1, 73.4]),
        (Variant::Batch, [47.8, 17.0, 35.2], [0.5, 4.4, 95.1]),
    ];
    for (variant, jobs, work) in expected {
        let found = class_shares(variant, 7, 400_000);
        for class in 0..3 {
            assert!((found.0[class] - jobs[class]).abs() < 0.4, "{variant:?}: jobs {:?}", found.0);
            assert!((found.1[class] - work[class]).abs() < 0.8, "{variant:?}: work {:?}", found.1);
        }
    }
}

#[test]
fn jobs_are_ordered_numbered_and_on_the_machine() {
    for (variant, nodes) in [(Variant::Single, 100), (Variant::Batch, 64), (Variant::BatchAndInteractive, 16)]
    {
        let jobs: Vec<Job> = LublinFeitelson::new(variant, nodes, 1.5, 3).unwrap().take(20_000).collect();
        assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit && pair[0].id + 1 == pair[1].id));
        assert!(jobs.iter().all(|job| (1..=nodes).contains(&job.size) && job.run_time > Span::ZERO));
        assert!(jobs.iter().any(|job| job.size == nodes), "{variant:?} on {nodes}");
    }
}

#[test]
fn a_seed_gives_the_same_jobs_however_many_are_taken() {
    let model = |seed| LublinFeitelson::new(Variant::BatchAndInteractive, 128, 2.5, seed).unwrap();
    let some: Vec<Job> = model(9).take(100).collect();
    let more: Vec<Job> = model(9).take(1000).collect();
    assert_eq!(some, more[..100]);
    assert_ne!(some, model(10).take(100).collect::<Vec<_>>());
}

#[test]
fn jobs_are_pinned() {
    // Changes with every change of the model: then stored results and twins of papers change too.
    let jobs = LublinFeitelson::new(Variant::Single, 128, 2.5, 42).unwrap().take(3);
    let found: Vec<(i64, i64, u32)> = jobs.map(|job| (job.submit.0, job.run_time.0, job.size)).collect();
    assert_eq!(
        found,
        vec![(91_000_000, 18_000_000, 2), (630_000_000, 532_000_000, 2), (779_000_000, 19_000_000, 16)]
    );
}

#[test]
fn bad_parameters_are_refused() {
    let text = |nodes, offset| {
        LublinFeitelson::new(Variant::Single, nodes, offset, 1).expect_err("accepted").to_string()
    };
    assert_eq!(text(128, 4.0), "medium_offset = 4: expected a number from 1.5 to 3.5");
    assert_eq!(text(128, f64::NAN), "medium_offset = NaN: expected a number from 1.5 to 3.5");
    assert_eq!(text(8, 2.5), "nodes = 8: expected at least 10 for this model with medium_offset 2.5");
    assert!(LublinFeitelson::new(Variant::Single, 10, 2.5, 1).is_ok());
}
