//! Measures: the metrics of a run, accumulated job by job. Sums of times are exact integers, so no order of summation shows.

use super::requested::{Requested, of_all};
use super::service::Service;
use super::sharing::Sharing;
use super::usage::Usage;
use super::{JobRecord, Observer};
use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;
use crate::cluster::tree::Shape;
use crate::job::Job;
use crate::kernel::Setup;
use crate::metrics::{GroupMetrics, MeasureSpec, Metrics, Outcome, WaitReading};
use crate::policy::job_classes::JobClasses;
use crate::time::{Span, Time};

/// Accumulates what a [`MeasureSpec`] asks for.
#[derive(Clone, Debug)]
pub struct Measures {
    bound: Span,
    wait: WaitReading,
    /// Jobs count that are submitted from the first instant on and before the second.
    submitted: (Time, Time),
    /// Of all jobs, whether they count or not.
    ended: u64,
    total_wait: i128,
    total_work: i128,
    usage: Usage,
    shape: Option<Shape>,
    all: Sample,
    by_run_time: Classes<Span>,
    by_coarse_run_time: Option<Classes<Span>>,
    by_size: Classes<u32>,
    by_memory: Option<Classes<u64>>,
    by_work: Option<Classes<i128>>,
    /// Where the policy has jobs in classes.
    by_class: Option<(JobClasses, Vec<Sample>)>,
    /// Names of the hosts, and the jobs that left the system from there.
    by_host: Vec<(String, Sample)>,
    requested: Option<Requested>,
    service: Service,
    /// Whether the policy tests jobs.
    tests: bool,
    overhead: Overhead,
    /// On a machine of clusters.
    sharing: Option<Sharing>,
    backfilled: u64,
    killed: u64,
    level_excess: u64,
    first_submit: Time,
    last_submit: Time,
    last_end: Time,
}

impl Measures {
    /// Nothing measured yet.
    pub fn new(setup: &Setup, spec: &MeasureSpec) -> Measures {
        let run_times = |bounds: &[f64]| -> Vec<(Span, String)> {
            bounds.iter().map(|&s| (Span::from_secs_f64(s), format!("{s} s"))).collect()
        };
        let coarse = run_times(&spec.coarse_run_time_classes_s);
        let sizes = spec.size_classes.iter().map(|&size| (size, size.to_string())).collect();
        let memory: Vec<_> = spec.memory_classes_kb.iter().map(|&kb| (kb, format!("{kb} kB"))).collect();
        let node_ticks = |node_s: f64| libm::round(node_s * crate::time::TICKS_PER_SECOND as f64) as i128;
        let work: Vec<_> =
            spec.work_classes_node_s.iter().map(|&it| (node_ticks(it), format!("{it} node-s"))).collect();
        let at = |seconds| Time::ZERO + Span::from_secs_f64(seconds);
        Measures {
            bound: Span::from_secs_f64(spec.bound_s),
            wait: spec.wait,
            submitted: (
                spec.submitted_from_s.map_or(Time::ZERO, at),
                spec.submitted_before_s.map_or(Time::NEVER, at),
            ),
            ended: 0,
            total_wait: 0,
            total_work: 0,
            usage: Usage::default(),
            shape: None,
            all: Sample::default(),
            by_run_time: Classes::new("run_time", run_times(&spec.run_time_classes_s)),
            by_coarse_run_time: (!coarse.is_empty()).then(|| Classes::new("coarse_run_time", coarse)),
            by_size: Classes::new("size", sizes),
            by_memory: (!memory.is_empty()).then(|| Classes::new("memory", memory)),
            by_work: (!work.is_empty()).then(|| Classes::new("work", work)),
            by_class: setup.policy.job_classes().map(|classes| {
                let samples = vec![Sample::default(); classes.names().len()];
                (classes, samples)
            }),
            by_host: setup
                .machine
                .hosts()
                .iter()
                .map(|host| (host.name.clone(), Sample::default()))
                .collect(),
            requested: None,
            service: Service::default(),
            tests: setup.policy.tests_new_jobs(),
            overhead: Overhead::default(),
            sharing: None,
            backfilled: 0,
            killed: 0,
            level_excess: 0,
            first_submit: Time::NEVER,
            last_submit: Time::ZERO,
            last_end: Time::ZERO,
        }
    }

    /// The outcome of a finished run.
    pub fn outcome(mut self) -> Outcome {
        let jobs = self.all.waits.len() as f64;
        let all_jobs = self.ended as f64;
        let some = (self.ended > 0).then_some(());
        let makespan = (self.last_end - self.first_submit).as_secs_f64();
        let arrival_span = (self.last_submit - self.first_submit).as_secs_f64();
        let nodes = f64::from(self.usage.nodes);
        let ticks = crate::time::TICKS_PER_SECOND as f64;
        let busy = self.usage.busy_node_ticks as f64 / ticks;
        let work = self.total_work as f64 / ticks;
        let per = |value: f64, by: f64| (by > 0.0).then(|| value / by);
        let total_wait = self.total_wait as f64 / ticks;
        let responses = &mut self.all.responses;
        let waits = &mut self.all.waits;
        let bounded = &mut self.all.bounded;
        let values = vec![
            Some(jobs),
            Some(self.killed as f64),
            Some(self.backfilled as f64),
            per(self.all.wait_sum as f64 / ticks, jobs),
            percentile_s(waits, 50),
            percentile_s(waits, 95),
            percentile_s(waits, 99),
            percentile_s(waits, 100),
            per(self.all.run_sum as f64 / ticks, jobs),
            per(self.all.response_sum as f64 / ticks, jobs),
            percentile_s(responses, 95),
            percentile_s(responses, 100),
            per(self.all.slowdown_sum, jobs),
            per(self.all.bounded_sum, jobs),
            percentile(bounded, 95, f64::total_cmp),
            percentile(bounded, 100, f64::total_cmp),
            some.and_then(|()| per(busy, nodes * makespan)),
            some.map(|()| makespan),
            some.and_then(|()| per(total_wait, makespan)),
            Some(self.usage.max_queue_length as f64),
            self.shape.and_then(|_| per(self.level_excess as f64, all_jobs)),
            some.and_then(|()| per(work, nodes * arrival_span)),
        ];
        let total_work = self.all.work;
        let relative = per(self.all.relative_sum, jobs);
        let service = self.service.values(jobs, self.tests).into_iter();
        let service = service.map(|share| share.filter(|_| self.requested.is_some())).collect();
        let requested = self.requested.map_or_else(Vec::new, |requested| requested.outcome(self.last_end));
        let overhead = self.overhead.values(self.all.run_sum, total_work);
        let mut values = [values, overhead, vec![relative], service, of_all(&requested)].concat();
        // The rest is of machines of clusters, or of steady states alone.
        let rest = Metrics::NAMES.iter().skip(values.len());
        values.extend(
            rest.map(|name| self.sharing.as_ref().and_then(|sharing| sharing.value(name)))
                .collect::<Vec<_>>(),
        );
        let mut groups = self.by_run_time.outcome(total_work);
        groups.extend(self.by_coarse_run_time.into_iter().flat_map(|classes| classes.outcome(total_work)));
        groups.extend(self.by_size.outcome(total_work));
        groups.extend(self.by_memory.into_iter().flat_map(|classes| classes.outcome(total_work)));
        groups.extend(self.by_work.into_iter().flat_map(|classes| classes.outcome(total_work)));
        if let Some((classes, samples)) = self.by_class {
            groups.extend(classes.names().iter().zip(samples).map(|(name, mut sample)| {
                GroupMetrics::new("class", name.clone(), sample.group_values(total_work))
            }));
        }
        groups.extend(self.by_host.into_iter().zip(requested).map(|((name, mut sample), requested)| {
            GroupMetrics::new("host", name, [&sample.group_values(total_work)[..], &requested].concat())
        }));
        Outcome { metrics: Metrics(values), groups }
    }
}

impl Observer for Measures {
    fn begin(&mut self, cluster: &Cluster) {
        self.usage.begin(cluster);
        self.shape = cluster.shape();
        self.requested = Requested::new(cluster, self.submitted);
        self.sharing = cluster.mini_grid().map(|_| Sharing::default());
    }

    fn submitted(&mut self, now: Time, _job: &JobRecord<'_>) {
        if let Some(requested) = &mut self.requested {
            requested.submitted(now);
        }
        self.first_submit = self.first_submit.min(now);
        self.last_submit = now;
    }

    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        if let Some(requested) = &mut self.requested {
            requested.join(now, job);
        }
    }

    fn requeued(&mut self, now: Time, job: &JobRecord<'_>, _nodes: &Placement) {
        if let Some(requested) = &mut self.requested {
            requested.leave(now, job);
        }
    }

    fn ended(&mut self, now: Time, record: &JobRecord<'_>) {
        self.last_end = now;
        if let Some(requested) = &mut self.requested {
            requested.leave(now, record);
        }
        if let Some(shape) = self.shape {
            let excess = shape.level_spanned(record.placement).saturating_sub(shape.level_of(record.size));
            self.level_excess += u64::from(excess);
        }
        let observation = Observation::of(now, record, self.bound, self.wait);
        self.ended += 1;
        // Every job waits in the queue until it starts, whatever its wait is taken to be.
        self.total_wait += i128::from((record.started - record.job.submit).0);
        // The load is what was asked for, whatever sizes were chosen.
        self.total_work += i128::from(record.job.size) * i128::from(record.job.run_time.0);
        let (from, before) = self.submitted;
        if record.job.submit < from || record.job.submit >= before {
            return;
        }
        self.backfilled += u64::from(record.backfilled);
        self.killed += u64::from(record.killed);
        self.by_run_time.add(record.job.run_time, &observation);
        if let Some(coarse) = &mut self.by_coarse_run_time {
            coarse.add(record.job.run_time, &observation);
        }
        self.by_size.add(record.job.size, &observation);
        if let Some(by_memory) = &mut self.by_memory {
            by_memory.add(record.job.memory_kb, &observation);
        }
        if let Some(by_work) = &mut self.by_work {
            let work = i128::from(record.job.size) * i128::from(record.job.unscaled().0);
            by_work.add(work, &observation);
        }
        if let Some((classes, samples)) = &mut self.by_class {
            let Job { estimate, size, memory_kb, .. } = *record.job;
            samples[classes.of(estimate, size, memory_kb)].add(&observation);
        }
        if let Some((_, by_host)) = record.host.and_then(|host| self.by_host.get_mut(host)) {
            by_host.add(&observation);
        }
        self.service.add(record);
        self.overhead.add(record);
        if let Some(sharing) = &mut self.sharing {
            sharing.add(now, record);
        }
        self.all.responses.push(observation.response.0);
        self.all.bounded.push(observation.bounded);
        self.all.add(&observation);
    }

    fn passed(&mut self, now: Time, waiting: usize, cluster: &Cluster) {
        self.usage.passed(now, waiting, cluster);
    }
}

/// One job's contribution.
pub(super) struct Observation {
    pub wait: Span,
    pub run: Span,
    pub response: Span,
    pub slowdown: f64,
    pub bounded: f64,
    pub relative: f64,
    pub overhead: Span,
    /// Nodes × run time on them, in node-ticks.
    pub work: i128,
}

impl Observation {
    pub fn of(now: Time, record: &JobRecord<'_>, bound: Span, wait: WaitReading) -> Observation {
        let run = if record.killed { now - record.started } else { record.run_time };
        let response = now - record.job.submit;
        // A job killed in the instant of its start has run for one tick, so that its slowdown is a number.
        let divisor = run.max(Span::TICK);
        let wait = match wait {
            WaitReading::UntilStart => record.started - record.job.submit,
            WaitReading::BeyondRunTime => response - run,
        };
        Observation {
            wait,
            run,
            response,
            slowdown: response.0 as f64 / divisor.0 as f64,
            bounded: (response.0 as f64 / divisor.max(bound).0 as f64).max(1.0),
            relative: response.0 as f64 / divisor.max(bound).0 as f64,
            overhead: record.load + record.swap_out,
            work: i128::from(record.size) * i128::from(record.run_time.0),
        }
    }
}

/// What loading and swapping cost, over all jobs, in ticks and node-ticks.
#[derive(Clone, Debug, Default)]
struct Overhead {
    total: i128,
    first_loads: i128,
    swap_outs: i128,
    node_total: i128,
    node_first_loads: i128,
    suspensions: u64,
}

impl Overhead {
    fn add(&mut self, record: &JobRecord<'_>) {
        let total = i128::from((record.load + record.swap_out).0);
        let first_load = i128::from(record.first_load.0);
        let size = i128::from(record.size);
        self.total += total;
        self.first_loads += first_load;
        self.swap_outs += i128::from(record.swap_out.0);
        self.node_total += size * total;
        self.node_first_loads += size * first_load;
        self.suspensions += u64::from(record.suspensions);
    }

    fn values(&self, run_sum: i128, work: i128) -> Vec<Option<f64>> {
        let ticks = crate::time::TICKS_PER_SECOND as f64;
        let share = |part: i128, of: i128| (of > 0).then(|| part as f64 / of as f64);
        vec![
            Some(self.total as f64 / ticks),
            Some(self.first_loads as f64 / ticks),
            Some(self.swap_outs as f64 / ticks),
            share(self.total, run_sum),
            share(self.total - self.first_loads, run_sum),
            share(self.node_total, work),
            share(self.node_total - self.node_first_loads, work),
            Some(self.suspensions as f64),
        ]
    }
}

/// Sums over some jobs. Responses and bounded slowdowns are kept singly only where their percentiles are wanted.
#[derive(Clone, Debug, Default)]
struct Sample {
    waits: Vec<i64>,
    responses: Vec<i64>,
    bounded: Vec<f64>,
    wait_sum: i128,
    run_sum: i128,
    response_sum: i128,
    slowdown_sum: f64,
    bounded_sum: f64,
    relative_sum: f64,
    overhead_sum: i128,
    work: i128,
}

impl Sample {
    fn add(&mut self, job: &Observation) {
        self.waits.push(job.wait.0);
        self.wait_sum += i128::from(job.wait.0);
        self.run_sum += i128::from(job.run.0);
        self.response_sum += i128::from(job.response.0);
        self.slowdown_sum += job.slowdown;
        self.bounded_sum += job.bounded;
        self.relative_sum += job.relative;
        self.overhead_sum += i128::from(job.overhead.0);
        self.work += job.work;
    }

    fn group_values(&mut self, total_work: i128) -> Vec<Option<f64>> {
        let jobs = self.waits.len() as f64;
        let ticks = crate::time::TICKS_PER_SECOND as f64;
        let mean = |sum: f64| (jobs > 0.0).then(|| sum / jobs);
        vec![
            Some(jobs),
            (total_work > 0).then(|| self.work as f64 / total_work as f64),
            mean(self.wait_sum as f64 / ticks),
            percentile_s(&mut self.waits, 95),
            percentile_s(&mut self.waits, 100),
            mean(self.response_sum as f64 / ticks),
            mean(self.slowdown_sum),
            mean(self.bounded_sum),
            mean(self.relative_sum),
            Some(self.overhead_sum as f64 / ticks),
        ]
    }
}

/// Jobs by classes with inclusive upper bounds and an open last class.
#[derive(Clone, Debug)]
struct Classes<K> {
    grouping: &'static str,
    bounds: Vec<(K, String)>,
    samples: Vec<Sample>,
}

impl<K: PartialOrd + Copy> Classes<K> {
    fn new(grouping: &'static str, bounds: Vec<(K, String)>) -> Classes<K> {
        let samples = vec![Sample::default(); bounds.len() + 1];
        Classes { grouping, bounds, samples }
    }

    fn add(&mut self, key: K, job: &Observation) {
        let class = self.bounds.iter().position(|(bound, _)| key <= *bound).unwrap_or(self.bounds.len());
        self.samples[class].add(job);
    }

    fn outcome(self, total_work: i128) -> Vec<GroupMetrics> {
        let Classes { grouping, bounds, samples } = self;
        let labels = bounds.iter().map(|(_, label)| format!("<= {label}"));
        let last = bounds.last().map_or_else(|| "all".to_owned(), |(_, label)| format!("> {label}"));
        labels
            .chain([last])
            .zip(samples)
            .map(|(group, mut sample)| GroupMetrics::new(grouping, group, sample.group_values(total_work)))
            .collect()
    }
}

/// The nearest-rank percentile: the smallest value with at least `percent` % of the values at or below it.
fn percentile<T: Copy>(
    values: &mut [T],
    percent: usize,
    compare: impl FnMut(&T, &T) -> std::cmp::Ordering,
) -> Option<T> {
    let rank = (values.len() * percent).div_ceil(100);
    let index = rank.checked_sub(1)?;
    Some(*values.select_nth_unstable_by(index, compare).1)
}

fn percentile_s(ticks: &mut [i64], percent: usize) -> Option<f64> {
    percentile(ticks, percent, i64::cmp).map(|ticks| Span(ticks).as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_rank() {
        let mut values: Vec<i64> = (1..=20).rev().collect();
        assert_eq!(
            [5, 50, 95, 96, 100].map(|p| percentile(&mut values, p, i64::cmp)),
            [1, 10, 19, 20, 20].map(Some)
        );
        assert_eq!(percentile(&mut [], 50, i64::cmp), None);
    }
}
