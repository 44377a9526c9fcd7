//! A calibrated month against Tables 6, 7 and 8.

use super::published::{LARGE_CLASSES, LARGE_COLUMNS, LARGEST_COLUMNS, LargeJobs, MONTHS};
use super::{Accepted, Line, Published, Section};
use crate::model::o2k::calibrate::{Calibrated, hours_of, limits};
use crate::model::o2k::class::{TIME_CLASSES, name};
use crate::model::o2k::draft::Draft;
use crate::model::o2k::month::Month;
use crate::model::o2k::table_6::{self, GIGABYTES, PROCESSORS, Submitted};

/// Compares the means over the seeds.
pub fn compare_month(month: Month, occupancy: f64, seeds: impl IntoIterator<Item = u64>) -> Vec<Section> {
    let samples: Vec<Vec<Draft>> =
        seeds.into_iter().map(|seed| Calibrated::new(month, occupancy, seed).jobs()).collect();
    let mut sections = vec![table_6(month, occupancy, &samples)];
    if let Some(printed) = MONTHS.iter().find(|printed| printed.month == month) {
        sections.push(table_7(printed, &samples));
        sections.push(table_8(printed, &samples));
    }
    sections
}

fn mean(samples: &[Vec<Draft>], statistic: impl Fn(&[Draft]) -> f64) -> f64 {
    samples.iter().map(|jobs| statistic(jobs)).sum::<f64>() / samples.len() as f64
}

fn demand(jobs: &[Draft], value: impl Fn(&Draft) -> f64, wanted: impl Fn(&Draft) -> bool) -> f64 {
    jobs.iter().filter(|job| wanted(job)).map(value).sum()
}

fn table_6(month: Month, occupancy: f64, samples: &[Vec<Draft>]) -> Section {
    let Submitted { classes, processor_demand, memory_demand, .. } = table_6::of(month);
    let percent = |value: fn(&Draft) -> f64, capacity: f64, class: Option<usize>| {
        let wanted = |job: &Draft| class.is_none_or(|class| job.class() == class);
        mean(samples, |jobs| demand(jobs, value, wanted)) / (capacity * month.hours()) * 100.0
    };
    let processors = |class| percent(Draft::processor_hours, PROCESSORS, class);
    let memory = |class| percent(Draft::gigabyte_hours, GIGABYTES, class);
    let printed = |percent: f64| match percent {
        0.0 => Published::Below(0.5),
        other => Published::Value(other),
    };
    let mut lines = Vec::new();
    for (class, (jobs, processor, gigabyte)) in classes.iter().copied().enumerate() {
        let count = mean(samples, |jobs| jobs.iter().filter(|job| job.class() == class).count() as f64);
        let name = name(class);
        lines.push(Line::new(format!("{name}, jobs"), count, Published::Value(f64::from(jobs)), 0.0));
        let line = |what: &str, measured: f64, percent: f64| {
            Line::new(format!("{name}, {what} %"), measured, printed(percent), 0.015 * percent)
        };
        lines.push(line("PT", processors(Some(class)), processor));
        lines.push(line("MT", memory(Some(class)), gigabyte));
    }
    // The classes' percentages are rounded, so that they add up to one or two more or less than the printed sum.
    let all =
        |what: &str, measured: f64, percent: f64| Line::new(what, measured, Published::Value(percent), 2.5);
    lines.push(all("all, PT %", processors(None), *processor_demand));
    lines.push(all("all, MT %", memory(None), *memory_demand));
    let most = mean(samples, |jobs| {
        let count = jobs.iter().filter(|job| job.memory_mb == month.most_memory_mb()).count();
        count as f64 / jobs.len() as f64
    });
    lines.push(Line::new("most memory asked for (4.4.2)", most, Published::Below(0.01), 0.0));
    for (time, limit) in limits(month).into_iter().enumerate() {
        let Some(limit) = limit else { continue };
        let at_once = mean(samples, |jobs| hours_of(jobs, time)) / month.hours();
        let most = Published::Below(occupancy * limit);
        lines.push(Line::new(
            format!("{} jobs at once (cap)", TIME_CLASSES[time]),
            at_once,
            most,
            0.03 * limit,
        ));
    }
    Section {
        title: format!("Table 6, {month}, all jobs before those on dedicated hosts are dropped"),
        lines,
    }
}

/// Rows of Table 7 as conditions.
fn is_large(class: usize, job: &Draft, mean_processor_hours: f64) -> bool {
    let counts = job.actual_s > 600;
    match class {
        0 => job.processor_hours() > mean_processor_hours,
        1 => job.hours() > 20.0,
        2 => job.processors > 16 && counts,
        3 => job.memory_mb > 4_096 && counts,
        _ => job.processors > 16 && job.memory_mb > 4_096 && counts,
    }
}

/// The first rows of Table 7, which hold most of the demand, are compared with the month itself; the others, of some hundred jobs,
/// with the range over all months.
const OF_OWN_MONTH: usize = 2;

/// From a quarter less than the least to a quarter more than the most that any month has in a cell.
fn as_months_differ(cell: impl Fn(&LargeJobs) -> f64) -> Accepted {
    let values = || MONTHS.iter().map(&cell);
    Accepted::Between(0.75 * values().fold(f64::INFINITY, f64::min), 1.25 * values().fold(0.0, f64::max))
}

fn table_7(printed: &LargeJobs, samples: &[Vec<Draft>]) -> Section {
    // The months that policies are evaluated on are held to less.
    let own = if printed.month.is_late() { 0.4 } else { 0.2 };
    let mut lines = Vec::new();
    let average = mean(samples, |jobs| demand(jobs, Draft::processor_hours, |_| true) / jobs.len() as f64);
    lines.push(Line::relative("all, mean PT", average, printed.mean_processor_hours, 0.05));
    for (class, name) in LARGE_CLASSES.iter().enumerate() {
        let column = |column: usize| {
            mean(samples, |jobs| {
                let average = demand(jobs, Draft::processor_hours, |_| true) / jobs.len() as f64;
                let large: Vec<Draft> =
                    jobs.iter().copied().filter(|job| is_large(class, job, average)).collect();
                [large.len() as f64].into_iter().chain(totals(&large, jobs)).nth(column).unwrap_or(0.0)
            })
        };
        for (at, what) in LARGE_COLUMNS.iter().enumerate() {
            let value = printed.classes[class][at];
            let mut line = Line::relative(format!("{name}: {what}"), column(at), value, own);
            if class >= OF_OWN_MONTH {
                line.accepted = as_months_differ(|month| month.classes[class][at]);
            }
            lines.push(line);
        }
    }
    Section { title: format!("Table 7, {} (* T > 10 min)", printed.month), lines }
}

fn table_8(printed: &LargeJobs, samples: &[Vec<Draft>]) -> Section {
    let column = |column: usize| {
        mean(samples, |jobs| {
            let mut largest = jobs.to_vec();
            largest.sort_by(|a, b| b.processor_hours().total_cmp(&a.processor_hours()));
            largest.truncate(15);
            totals(&largest, jobs).nth(column).unwrap_or(0.0)
        })
    };
    let line = |(at, what): (usize, &&str)| Line {
        what: (*what).to_owned(),
        measured: column(at),
        published: Published::Value(printed.largest[at]),
        accepted: as_months_differ(|month| month.largest[at]),
    };
    let lines = LARGEST_COLUMNS.iter().enumerate().map(line).collect();
    Section { title: format!("Table 8, {}, the fifteen largest jobs", printed.month), lines }
}

/// Shares of the demands of `all` in percent, and means of P, M in GB, T in hours and P · T.
fn totals(part: &[Draft], all: &[Draft]) -> impl Iterator<Item = f64> {
    let count = part.len().max(1) as f64;
    let sum = |jobs: &[Draft], value: fn(&Draft) -> f64| demand(jobs, value, |_| true);
    let share = |value| 100.0 * sum(part, value) / sum(all, value);
    [
        share(Draft::processor_hours),
        share(Draft::gigabyte_hours),
        sum(part, |job| f64::from(job.processors)) / count,
        sum(part, Draft::gigabytes) / count,
        sum(part, Draft::hours) / count,
        sum(part, Draft::processor_hours) / count,
    ]
    .into_iter()
}
