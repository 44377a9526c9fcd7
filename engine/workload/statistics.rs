//! What a workload looks like in numbers: the same table for a log, its twin and a model.

use sim::time::TICKS_PER_SECOND;
use sim::{Job, Span};
use std::fmt;

/// Upper bounds of the short (exclusive) and medium (inclusive) class of run times. Source: the classes of the
/// Parallel Workloads Archive studies reproduced here: short < 600 s, medium ≤ 10,800 s, long above.
pub const RUN_TIME_CLASSES_S: [i64; 2] = [600, 10_800];

/// Names of the classes of run times, in the order of [`Statistics::job_shares`].
pub const CLASS_NAMES: [&str; 3] = ["short", "medium", "long"];

const WEEK_S: i64 = 7 * 24 * 3_600;

/// Statistics of a workload. A share or mean of nothing is 0. Work is size · run time.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Number of jobs.
    pub jobs: usize,
    /// Nodes of the machine.
    pub nodes: u32,
    /// Seconds from the first to the last submission.
    pub span_s: f64,
    /// Work / (nodes · span).
    pub offered_load: f64,
    /// Shares of the jobs in the short, medium and long class of run times.
    pub job_shares: [f64; 3],
    /// Shares of the work in the short, medium and long class of run times.
    pub work_shares: [f64; 3],
    /// Mean run time in seconds.
    pub mean_run_time_s: f64,
    /// Mean size in nodes.
    pub mean_size: f64,
    /// Largest size in nodes.
    pub max_size: u32,
    /// Share of jobs of one node.
    pub serial_share: f64,
    /// Share of jobs whose size is a power of two; one is.
    pub power_of_two_share: f64,
    /// Share of jobs whose estimate equals the run time.
    pub exact_estimate_share: f64,
    /// Mean of run time / estimate.
    pub mean_accuracy: f64,
    /// Coefficient of variation of the gaps between submissions.
    pub gap_variation: f64,
    /// Coefficient of variation of the work submitted per whole week.
    pub weekly_load_variation: f64,
}

/// The statistics of jobs in order of submission on a machine of `nodes` nodes.
pub fn statistics(jobs: &[Job], nodes: u32) -> Statistics {
    let mut counts = [0.0; 3];
    let mut works = [0.0; 3];
    for job in jobs {
        let class = run_time_class(job.run_time);
        counts[class] += 1.0;
        works[class] += work(job);
    }
    let all: f64 = works.iter().sum();
    let (_, gap_variation) = mean_and_variation(jobs.windows(2).map(|w| seconds(w[1].submit - w[0].submit)));
    let span_s = match (jobs.first(), jobs.last()) {
        (Some(first), Some(last)) => seconds(last.submit - first.submit),
        _ => 0.0,
    };
    Statistics {
        jobs: jobs.len(),
        nodes,
        span_s,
        offered_load: ratio(all, f64::from(nodes) * span_s),
        job_shares: counts.map(|count| ratio(count, jobs.len() as f64)),
        work_shares: works.map(|work| ratio(work, all)),
        mean_run_time_s: mean(jobs, |job| seconds(job.run_time)),
        mean_size: mean(jobs, |job| f64::from(job.size)),
        max_size: jobs.iter().map(|job| job.size).max().unwrap_or(0),
        serial_share: share(jobs, |job| job.size == 1),
        power_of_two_share: share(jobs, |job| job.size.is_power_of_two()),
        exact_estimate_share: share(jobs, |job| job.estimate == job.run_time),
        mean_accuracy: mean(jobs, |job| ratio(seconds(job.run_time), seconds(job.estimate))),
        gap_variation,
        weekly_load_variation: weekly_variation(jobs),
    }
}

impl fmt::Display for Statistics {
    /// A table of two columns, one statistic per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |shares: &[f64; 3]| {
            let [short, medium, long] = shares.map(|share| 100.0 * share);
            format!("{short:.1} / {medium:.1} / {long:.1} %")
        };
        let classes = CLASS_NAMES.join(" / ");
        let mut line = |name: &str, value: String| writeln!(f, "{name:<34} {value}");
        line("jobs", self.jobs.to_string())?;
        line("nodes", self.nodes.to_string())?;
        line("span", format!("{:.1} days", self.span_s / 86_400.0))?;
        line("offered load", format!("{:.3}", self.offered_load))?;
        line(&format!("jobs {classes}"), percent(&self.job_shares))?;
        line(&format!("work {classes}"), percent(&self.work_shares))?;
        line("mean run time", format!("{:.0} s", self.mean_run_time_s))?;
        line("mean size", format!("{:.1} nodes", self.mean_size))?;
        line("largest size", format!("{} nodes", self.max_size))?;
        line("serial jobs", format!("{:.1} %", 100.0 * self.serial_share))?;
        line("power-of-two sizes", format!("{:.1} %", 100.0 * self.power_of_two_share))?;
        line("estimate = run time", format!("{:.1} %", 100.0 * self.exact_estimate_share))?;
        line("mean run time / estimate", format!("{:.3}", self.mean_accuracy))?;
        line("variation of gaps", format!("{:.2}", self.gap_variation))?;
        line("variation of weekly work", format!("{:.2}", self.weekly_load_variation))
    }
}

/// The class of a run time, as an index into [`CLASS_NAMES`].
pub(crate) fn run_time_class(run_time: Span) -> usize {
    let [short, medium] = RUN_TIME_CLASSES_S.map(Span::from_secs);
    if run_time < short {
        0
    } else if run_time <= medium {
        1
    } else {
        2
    }
}

fn seconds(span: Span) -> f64 {
    span.as_secs_f64()
}

fn work(job: &Job) -> f64 {
    f64::from(job.size) * seconds(job.run_time)
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn mean(jobs: &[Job], value: impl Fn(&Job) -> f64) -> f64 {
    ratio(jobs.iter().map(value).sum(), jobs.len() as f64)
}

fn share(jobs: &[Job], holds: impl Fn(&Job) -> bool) -> f64 {
    mean(jobs, |job| if holds(job) { 1.0 } else { 0.0 })
}

fn mean_and_variation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = ratio(values.clone().sum(), count);
    let variance = ratio(values.map(|v| (v - mean) * (v - mean)).sum(), count);
    (mean, ratio(libm::sqrt(variance), mean))
}

/// The variation of work over whole weeks from the first submission; a week begun last is left out.
fn weekly_variation(jobs: &[Job]) -> f64 {
    let Some(first) = jobs.first() else { return 0.0 };
    let mut weeks: Vec<f64> = Vec::new();
    for job in jobs {
        let week = (job.submit - first.submit).0.max(0) / (WEEK_S * TICKS_PER_SECOND);
        let week = usize::try_from(week).unwrap_or(usize::MAX);
        // submissions ascend, so the vector grows by the weeks that passed
        while weeks.len() <= week {
            weeks.push(0.0);
        }
        weeks[week] += work(job);
    }
    weeks.pop();
    mean_and_variation(weeks.iter().copied()).1
}

#[cfg(test)]
mod tests {
    use super::{Statistics, statistics};
    use sim::{Job, Span, Time};

    fn job(submit: i64, run: i64, estimate: i64, size: u32) -> Job {
        Job {
            id: 1,
            submit: Time::from_secs(submit),
            run_time: Span::from_secs(run),
            estimate: Span::from_secs(estimate),
            size,
            memory_kb: 0,
            ..Job::default()
        }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_small_workload_by_hand() {
        let jobs = [
            job(0, 599, 599, 1),
            job(10, 600, 1_200, 2),
            job(30, 10_800, 10_800, 3),
            job(100, 10_801, 21_602, 4),
        ];
        let s = statistics(&jobs, 8);
        let works = [599.0, 1_200.0 + 32_400.0, 43_204.0];
        let all: f64 = works.iter().sum();
        assert!(near(s.span_s, 100.0) && near(s.offered_load, all / 800.0));
        assert_eq!(s.job_shares, [0.25, 0.5, 0.25]);
        assert!(s.work_shares.iter().zip(works).all(|(share, work)| near(*share, work / all)));
        assert!(near(s.mean_size, 2.5) && near(s.mean_run_time_s, 5_700.0));
        assert_eq!((s.max_size, s.serial_share, s.power_of_two_share), (4, 0.25, 0.75));
        assert_eq!((s.exact_estimate_share, s.mean_accuracy), (0.5, 0.75));
        // gaps 10, 20, 70
        assert!(near(s.gap_variation, libm::sqrt(6_200.0 / 9.0) / (100.0 / 3.0)));
    }

    #[test]
    fn weeks_are_counted_from_the_first_submission() {
        const DAY: i64 = 86_400;
        let jobs =
            [job(DAY, 1, 1, 1), job(7 * DAY, 2, 2, 1), job(8 * DAY, 1, 1, 1), job(15 * DAY, 900, 900, 9)];
        // whole weeks of work 3 and 1; the third has only begun
        assert!(near(statistics(&jobs, 1).weekly_load_variation, 0.5));
    }

    #[test]
    fn no_jobs_give_zeros() {
        let Statistics { jobs, offered_load, mean_accuracy, weekly_load_variation, .. } = statistics(&[], 4);
        assert_eq!((jobs, offered_load, mean_accuracy, weekly_load_variation), (0, 0.0, 0.0, 0.0));
    }

    #[test]
    fn the_table_names_each_statistic() {
        let table = statistics(&[job(0, 700, 700, 2), job(100, 700, 1_400, 2)], 4).to_string();
        assert!(table.contains("offered load                       7.000\n"), "{table}");
        assert!(table.contains("jobs short / medium / long         0.0 / 100.0 / 0.0 %\n"), "{table}");
        assert!(table.lines().all(|line| line.len() < 80), "{table}");
    }
}
