//! The raw model against Fig. 29b, Tables 9, 10 and 11, and what chapter 4 says of the jobs in words.

use super::{Accepted, Line, Published, Section};
use crate::model::o2k::actual::{self, TABLE_10};
use crate::model::o2k::draft::Draft;
use crate::model::o2k::draw::{Distributions, Streams};
use crate::model::o2k::month::Month;
use crate::model::o2k::peak::{self, PeakMemory, TABLE_11};
use crate::model::o2k::processors::{ALL, COUNTS, RANGES, range};
use crate::model::o2k::requested::{DEFAULTS_S, TABLE_9, region};
use crate::model::o2k::shapes::Moments;
use crate::rng::{Rng, Stream};

/// A job and its peak memory in kilobytes.
type Job = (Draft, u64);

/// Compares `jobs_per_seed` jobs of each seed, all together.
pub fn compare_raw(seeds: impl IntoIterator<Item = u64>, jobs_per_seed: usize) -> Vec<Section> {
    let distributions = Distributions::new(Month::Oct2000);
    let peaks = PeakMemory::new();
    let mut jobs: Vec<Job> = Vec::new();
    for seed in seeds {
        let mut streams = Streams::new(seed, 0);
        let mut rng = Rng::new(seed, Stream::PeakMemory);
        jobs.extend((0..jobs_per_seed).map(|_| {
            let job = distributions.draw(&mut streams);
            (job, peaks.draw(&job, &mut rng))
        }));
    }
    vec![figure_29b(&jobs), table_9(&jobs), table_10(&jobs), table_11(&jobs), prose(&jobs)]
}

fn share(jobs: &[Job], of: impl Fn(&Draft) -> bool, holds: impl Fn(&Draft) -> bool) -> f64 {
    let all = jobs.iter().filter(|job| of(&job.0)).count();
    let part = jobs.iter().filter(|job| of(&job.0) && holds(&job.0)).count();
    part as f64 / all.max(1) as f64
}

/// Mean and CV with tolerances relative to the printed values: 2 % and three standard errors of the mean; for the CV, whose error
/// depends on the tail, 5 % and six of them.
fn moments(what: &str, values: &[f64], printed: Moments) -> [Line; 2] {
    let measured = Moments::of(values.iter().copied());
    let error = printed.cv / libm::sqrt(values.len().max(1) as f64);
    [
        Line::relative(format!("{what}, mean"), measured.mean, printed.mean, 0.02 + 3.0 * error),
        Line::relative(format!("{what}, CV"), measured.cv, printed.cv, 0.05 + 6.0 * error),
    ]
}

fn figure_29b(jobs: &[Job]) -> Section {
    const PRINTED: [(f64, f64); 4] = [(1.05, 1.95), (1.35, 1.36), (2.61, 1.31), (5.89, 1.04)];
    let mut lines = Vec::new();
    let mut low = 1;
    for (at, (mean, cv)) in PRINTED.into_iter().enumerate() {
        let sizes = format!("P {low}-{}", RANGES[at]);
        let here = jobs.iter().filter(|job| range(job.0.processors) == at);
        let gigabytes: Vec<f64> = here.map(|job| job.0.gigabytes()).collect();
        lines.extend(moments(&format!("M (GB), {sizes}"), &gigabytes, Moments { mean, cv }));
        let part = gigabytes.len() as f64 / jobs.len() as f64;
        lines.push(Line::relative(format!("share of jobs, {sizes}"), part, COUNTS[at] / ALL, 0.05));
        low = RANGES[at] + 1;
    }
    Section { title: "Fig. 29b, requested memory given processors".into(), lines }
}

fn table_9(jobs: &[Job]) -> Section {
    let mut lines = Vec::new();
    let all: f64 = TABLE_9.iter().map(|conditional| conditional.jobs).sum();
    for (at, printed) in TABLE_9.iter().enumerate() {
        let here = |job: &Draft| region(job.processors, job.memory_mb) == at;
        let hours = |wanted: &dyn Fn(&Draft) -> bool| -> Vec<f64> {
            let part = jobs.iter().filter(|job| here(&job.0) && wanted(&job.0));
            part.map(|job| job.0.requested_hours()).collect()
        };
        let is_default = |job: &Draft| DEFAULTS_S.contains(&job.requested_s);
        let name = |what: &str| format!("{}: R (h){what}", printed.name);
        lines.extend(moments(&name(""), &hours(&|_| true), printed.all));
        lines.extend(moments(&name(" at defaults"), &hours(&is_default), printed.defaults));
        lines.extend(moments(&name(" otherwise"), &hours(&|job| !is_default(job)), printed.others));
        // The regions are known from words alone, and M is smooth where real requests are round.
        let what = format!("{}: share of jobs", printed.name);
        lines.push(Line::new(what, share(jobs, |_| true, here), Published::Value(printed.jobs / all), 0.08));
    }
    Section { title: "Table 9, requested run time given processors and memory".into(), lines }
}

/// Cells of Table 10 that an overrun of at most one hour cannot have: row, and whether it is the mean.
const BEYOND_THE_HOUR: [(usize, bool); 3] = [(5, true), (5, false), (8, false)];

fn table_10(jobs: &[Job]) -> Section {
    let mut lines = Vec::new();
    for (at, printed) in TABLE_10.iter().enumerate() {
        let ratios = |beyond: bool| {
            let here = move |job: &&Job| {
                let job = &job.0;
                actual::conditions(job.requested_s, job.processors, job.memory_mb) == at
                    && (job.actual_s > job.requested_s) == beyond
            };
            jobs.iter().filter(here).map(|job| f64::from(job.0.actual_s) / f64::from(job.0.requested_s))
        };
        lines.extend(ratio_lines(at, printed.name, ratios, printed.within, printed.beyond));
    }
    Section { title: "Table 10, actual / requested run time".into(), lines }
}

fn ratio_lines<I: Iterator<Item = f64>>(
    row: usize,
    name: &str,
    ratios: impl Fn(bool) -> I,
    within: (Moments, f64),
    beyond: (Moments, f64),
) -> Vec<Line> {
    let of = Moments::of(ratios(false));
    let (below, above) = (ratios(false).count() as f64, ratios(true).count() as f64);
    let mut lines = vec![
        Line::new(name, of.mean, Published::Value(within.0.mean), 0.02),
        Line::relative("  CV", of.cv, within.0.cv, 0.08),
    ];
    if beyond.1 == 0.0 {
        return lines;
    }
    let printed = beyond.1 / (beyond.1 + within.1);
    let share = above / (above + below).max(1.0);
    lines.push(Line::new("  share above 1", share, Published::Value(printed), 0.015 + 0.1 * printed));
    let of = Moments::of(ratios(true));
    for (is_mean, measured, printed) in [(true, of.mean, beyond.0.mean), (false, of.cv, beyond.0.cv)] {
        let what = if is_mean { "  above 1, mean" } else { "  above 1, CV" };
        // Some rows have as few as three jobs.
        let few = if is_mean { 0.0 } else { 2.0 / libm::sqrt(2.0 * beyond.1) };
        let mut line = Line::new(what, measured, Published::Value(printed), 0.01 + (0.1 + few) * printed);
        if BEYOND_THE_HOUR.contains(&(row, is_mean)) {
            line.accepted = Accepted::Any("hour's cap");
        }
        lines.push(line);
    }
    lines
}

fn table_11(jobs: &[Job]) -> Section {
    let mut lines = Vec::new();
    for (at, printed) in TABLE_11.iter().enumerate() {
        let ratio = |job: &Job| job.1 as f64 / (1_024.0 * f64::from(job.0.memory_mb));
        let here = jobs.iter().filter(|job| peak::conditions(job.0.memory_mb, job.0.actual_s) == at);
        let values: Vec<f64> = here.map(ratio).collect();
        let part = |beyond: bool| values.iter().copied().filter(move |value| (*value > 1.0) == beyond);
        let of = Moments::of(part(false));
        // The mean of the first row is printed as 0.00, so its CV of 13.03 is that of unknown values near 0.
        let mean = if at == 0 { 0.005 } else { 0.03 };
        lines.push(Line::new(printed.name, of.mean, Published::Value(printed.within.0.mean), mean));
        if at == 0 {
            continue;
        }
        lines.push(Line::relative("  CV", of.cv, printed.within.0.cv, 0.12));
        let share = printed.beyond.1 / (printed.beyond.1 + printed.within.1);
        let measured = part(true).count() as f64 / values.len().max(1) as f64;
        lines.push(Line::new("  share above 1", measured, Published::Value(share), 0.01 + 0.1 * share));
        let of = Moments::of(part(true));
        lines.push(Line::relative("  above 1, mean", of.mean, printed.beyond.0.mean, 0.15));
        lines.push(Line::relative("  above 1, CV", of.cv, printed.beyond.0.cv, 0.3));
    }
    Section { title: "Table 11, peak / requested memory".into(), lines }
}

fn prose(jobs: &[Job]) -> Section {
    let any = |_: &Draft| true;
    let over_five_hours = |job: &Draft| job.requested_s > DEFAULTS_S[0];
    let mean = Moments::of(jobs.iter().map(|job| f64::from(job.0.processors))).mean;
    let times = Moments::of(jobs.iter().map(|job| job.0.hours()));
    let used = |job: &Draft| f64::from(job.actual_s) / f64::from(job.requested_s);
    let per_processor_kb = |job: &Job| job.1 as f64 / f64::from(job.0.processors);
    let small = jobs.iter().filter(|job| per_processor_kb(job) < 32.0 * 1_024.0).count() as f64;
    let lines = vec![
        Line::new(
            "serial jobs (4.4.1)",
            share(jobs, any, |job| job.processors == 1),
            Published::Range(0.3, 0.4),
            0.0,
        ),
        Line::new("mean P (4.4.1)", mean, Published::Range(7.0, 10.0), 0.1),
        Line::new(
            "P = 32 (4.4.1)",
            share(jobs, any, |job| job.processors == 32),
            Published::Range(0.05, 0.1),
            0.0,
        ),
        Line::new(
            "serial jobs, M > 512 MB (4.4.2)",
            share(jobs, |job| job.processors == 1, |job| job.memory_mb > 512),
            Published::Value(0.5),
            0.06,
        ),
        Line::new(
            "M / P > 512 MB (4.4.2)",
            share(jobs, any, |job| job.memory_mb > 512 * job.processors),
            Published::Range(0.15, 0.2),
            0.03,
        ),
        Line::new(
            "most memory asked for (4.4.2)",
            share(jobs, any, |job| job.memory_mb == Month::Oct2000.most_memory_mb()),
            Published::Below(0.01),
            0.0,
        ),
        Line::new(
            "A: R <= 5 h (4.4.3)",
            share(jobs, |job| region(job.processors, job.memory_mb) == 0, |job| !over_five_hours(job)),
            Published::Value(0.7),
            0.05,
        ),
        Line::new(
            "R > 5 h, ended within 1 min (4.5.1)",
            share(jobs, over_five_hours, |job| job.actual_s <= 60),
            Published::Value(0.1),
            0.01,
        ),
        Line::new(
            "T <= 10 min (4.5.1)",
            share(jobs, any, |job| job.actual_s <= 600),
            Published::Above(0.3),
            0.0,
        ),
        Line::new("CV of T (4.5.1)", times.cv, Published::Value(3.0), 0.5),
        Line::new("T <= 0.1 R (4.5.1)", share(jobs, any, |job| used(job) <= 0.1), Published::Above(0.4), 0.0),
        Line::new("T <= 0.2 R (4.6)", share(jobs, any, |job| used(job) < 0.2), Published::Above(0.5), 0.0),
        Line::new(
            "T > R (4.5.1)",
            share(jobs, any, |job| used(job) > 1.0),
            Published::Range(0.05, 0.1),
            0.01,
        ),
        Line::new("peak / P < 32 MB (4.5.2)", small / jobs.len() as f64, Published::Value(0.5), 0.1),
    ];
    Section { title: "Chapter 4, in words".into(), lines }
}
