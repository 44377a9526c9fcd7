//! From records to jobs: what is dropped, what is mended, under explicit rules.

use super::record::{Log, Record};
use super::report::{CleaningReport, Finding};
use crate::spec::{
    EstimateFloor, MemoryField, MissingEstimate, NegativeSubmit, NoRunTime, Rules, SizeField, TooLarge,
};
use sim::time::{MAX_SECONDS, TICKS_PER_SECOND};
use sim::{Job, Span, Time};

/// The jobs of a log, in queue order (submit time, then log order), and what became of the other records.
pub fn clean(log: &Log, rules: &Rules, nodes: u32) -> (Vec<Job>, CleaningReport) {
    let mut cleaner = Cleaner::new(*rules, nodes);
    for record in &log.records {
        cleaner.push(record);
    }
    cleaner.finish(None)
}

/// Takes the records of a log one by one, in log order, and keeps only the jobs.
#[derive(Clone, Debug)]
pub struct Cleaner {
    rules: Rules,
    nodes: u32,
    jobs: Vec<Job>,
    latest: Time,
    sorted: bool,
    report: CleaningReport,
}

impl Cleaner {
    /// For a machine with this many nodes (processors, where the log counts those).
    pub fn new(rules: Rules, nodes: u32) -> Cleaner {
        Cleaner {
            rules,
            nodes,
            jobs: Vec::new(),
            latest: Time(i64::MIN),
            sorted: true,
            report: CleaningReport::default(),
        }
    }

    /// Takes the next record.
    pub fn push(&mut self, record: &Record) {
        self.report.total += 1;
        let mut notes = Notes::default();
        match self.judge(record, &mut notes) {
            Ok(job) => self.keep(job, &notes),
            Err(reason) => self.report.add(reason),
        }
    }

    /// The jobs in queue order, at most the `first` so many of them, and the report.
    pub fn finish(mut self, first: Option<u64>) -> (Vec<Job>, CleaningReport) {
        if !self.sorted {
            // Stable: records submitted at the same instant stay in log order.
            self.jobs.sort_by_key(|job| job.submit);
        }
        self.report.add_many(Finding::RepeatedNumber, repeated_numbers(&self.jobs));
        let usable = self.jobs.len();
        let kept = first.map_or(usable, |first| usable.min(usize::try_from(first).unwrap_or(usize::MAX)));
        self.jobs.truncate(kept);
        self.report.kept = kept as u64;
        self.report.cut_off = (usable - kept) as u64;
        (self.jobs, self.report)
    }

    /// The job of a record, or why there is none; the first reason in the order of [`Finding`] counts.
    fn judge(&self, record: &Record, notes: &mut Notes) -> Result<Job, Finding> {
        let submit = self.submit(record, notes)?;
        let size = self.size(record, notes)?;
        let run_time = self.run_time(record, notes)?;
        let size = self.fit(size, notes)?;
        let estimate = self.estimate(record, run_time, notes)?;
        let times = [record.submit.0, record.run_time.0, record.requested_time.0];
        if times.iter().any(|ticks| ticks % TICKS_PER_SECOND != 0) {
            notes.add(Finding::FractionalTime);
        }
        let id = u64::try_from(record.job).unwrap_or_else(|_| {
            notes.add(Finding::NoNumber);
            self.report.total
        });
        let memory_kb = memory_kb(record, self.rules.memory);
        let peak_memory_kb = u64::try_from(record.used_memory_kb).unwrap_or(0);
        Ok(Job { id, submit, run_time, estimate, size, memory_kb, peak_memory_kb, ..Job::default() })
    }

    fn submit(&self, record: &Record, notes: &mut Notes) -> Result<Time, Finding> {
        if record.submit >= Time::ZERO {
            return Ok(record.submit);
        }
        match self.rules.negative_submit {
            NegativeSubmit::Drop => Err(Finding::NegativeSubmit),
            NegativeSubmit::Zero => {
                notes.add(Finding::SubmitAtZero);
                Ok(Time::ZERO)
            }
        }
    }

    fn size(&self, record: &Record, notes: &mut Notes) -> Result<i64, Finding> {
        let (preferred, other) = match self.rules.size {
            SizeField::Requested => (record.requested, record.allocated),
            SizeField::Allocated => (record.allocated, record.requested),
        };
        if preferred > 0 {
            return Ok(preferred);
        }
        if other > 0 {
            notes.add(Finding::SizeFromOtherField);
            return Ok(other);
        }
        Err(Finding::NoProcessors)
    }

    fn run_time(&self, record: &Record, notes: &mut Notes) -> Result<Span, Finding> {
        match self.rules.no_run_time {
            _ if record.run_time > Span::ZERO => Ok(record.run_time),
            NoRunTime::ZeroIsOneSecond if record.run_time == Span::ZERO => {
                notes.add(Finding::RunTimeOneSecond);
                Ok(Span::from_secs(1))
            }
            _ => Err(Finding::NoRunTime),
        }
    }

    /// A positive size on the machine.
    fn fit(&self, size: i64, notes: &mut Notes) -> Result<u32, Finding> {
        match (u32::try_from(size), self.rules.too_large) {
            (Ok(size), _) if size <= self.nodes => Ok(size),
            (_, TooLarge::Drop) => Err(Finding::TooLarge),
            (_, TooLarge::Clamp) => {
                notes.add(Finding::SizeCut);
                Ok(self.nodes)
            }
        }
    }

    fn estimate(&self, record: &Record, run_time: Span, notes: &mut Notes) -> Result<Span, Finding> {
        let mut estimate = record.requested_time;
        if estimate <= Span::ZERO {
            estimate = match self.rules.missing_estimate {
                MissingEstimate::Runtime => run_time,
                MissingEstimate::QueueLimit(seconds) => queue_limit(seconds),
                MissingEstimate::Drop => return Err(Finding::NoEstimate),
            };
            notes.add(Finding::EstimateReplaced);
        }
        if estimate < run_time {
            match self.rules.estimate_floor {
                EstimateFloor::Runtime => {
                    notes.add(Finding::EstimateRaised);
                    estimate = run_time;
                }
                EstimateFloor::AsLogged => notes.add(Finding::EstimateBelowRunTime),
            }
        }
        Ok(estimate)
    }

    fn keep(&mut self, job: Job, notes: &Notes) {
        for finding in Finding::ALL {
            if notes.has(finding) {
                self.report.add(finding);
            }
        }
        if job.submit < self.latest {
            self.sorted = false;
            self.report.add(Finding::OutOfOrder);
        }
        self.latest = self.latest.max(job.submit);
        self.jobs.push(job);
    }
}

/// What is met in one record; counted only where the record is kept, so that a dropped one has a single reason.
#[derive(Default)]
struct Notes(u32);

impl Notes {
    fn add(&mut self, finding: Finding) {
        self.0 |= 1 << finding as u32;
    }

    fn has(&self, finding: Finding) -> bool {
        self.0 & (1 << finding as u32) != 0
    }
}

/// At least one second, so that an estimate is never empty, and within what the simulation can represent.
fn queue_limit(seconds: u64) -> Span {
    Span::from_secs(i64::try_from(seconds).unwrap_or(MAX_SECONDS).clamp(1, MAX_SECONDS))
}

/// Memory per processor by the preferred field, else the other one, else 0.
fn memory_kb(record: &Record, field: MemoryField) -> u64 {
    let (requested, used) = (record.requested_memory_kb, record.used_memory_kb);
    let fields = match field {
        MemoryField::Requested => [requested, used],
        MemoryField::Used => [used, requested],
    };
    fields.into_iter().find(|&kilobytes| kilobytes > 0).map_or(0, i64::unsigned_abs)
}

/// How many jobs bear a number that an earlier one has.
fn repeated_numbers(jobs: &[Job]) -> u64 {
    if jobs.windows(2).all(|pair| pair[0].id < pair[1].id) {
        return 0;
    }
    let mut numbers: Vec<u64> = jobs.iter().map(|job| job.id).collect();
    numbers.sort_unstable();
    numbers.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            job: 7,
            submit: Time::from_secs(10),
            run_time: Span::from_secs(100),
            requested: 4,
            allocated: 8,
            requested_time: Span::from_secs(200),
            requested_memory_kb: -1,
            used_memory_kb: 512,
            ..Record::default()
        }
    }

    fn one(rules: Rules, record: Record) -> (Option<Job>, CleaningReport) {
        let log = Log { records: vec![record], ..Log::default() };
        let (jobs, report) = clean(&log, &rules, 16);
        assert_eq!(report.total, 1);
        assert_eq!(report.kept + report.dropped(), 1);
        (jobs.first().copied(), report)
    }

    #[track_caller]
    fn dropped(rules: Rules, record: Record, reason: Finding) {
        let (job, report) = one(rules, record);
        assert_eq!(job, None);
        assert_eq!(report.findings().collect::<Vec<_>>(), vec![(reason, 1)]);
    }

    #[track_caller]
    fn mended(rules: Rules, record: Record, findings: &[Finding]) -> Job {
        let (job, report) = one(rules, record);
        assert_eq!(report.findings().map(|(finding, _)| finding).collect::<Vec<_>>(), findings);
        job.into_iter().next().unwrap_or_else(|| panic!("dropped: {report}"))
    }

    #[test]
    fn a_usable_record_stays_as_it_is() {
        let job = mended(Rules::default(), record(), &[]);
        let (submit, run_time, estimate) = (Time::from_secs(10), Span::from_secs(100), Span::from_secs(200));
        assert_eq!(
            job,
            Job {
                id: 7,
                submit,
                run_time,
                estimate,
                size: 4,
                memory_kb: 512,
                peak_memory_kb: 512,
                ..Job::default()
            }
        );
    }

    #[test]
    fn the_default_rules_drop() {
        let rules = Rules::default();
        dropped(rules, Record { submit: Time::from_secs(-1), ..record() }, Finding::NegativeSubmit);
        dropped(rules, Record { requested: -1, allocated: 0, ..record() }, Finding::NoProcessors);
        dropped(rules, Record { run_time: Span::ZERO, ..record() }, Finding::NoRunTime);
        dropped(rules, Record { run_time: Span::from_secs(-1), ..record() }, Finding::NoRunTime);
        dropped(rules, Record { requested: 17, ..record() }, Finding::TooLarge);
        dropped(rules, Record { requested: 1 << 33, ..record() }, Finding::TooLarge);
        let strict = Rules { missing_estimate: MissingEstimate::Drop, ..rules };
        dropped(strict, Record { requested_time: Span::from_secs(-1), ..record() }, Finding::NoEstimate);
    }

    #[test]
    fn a_record_with_many_faults_counts_once() {
        let broken = Record { submit: Time::from_secs(-1), requested: 0, allocated: 0, ..Record::default() };
        dropped(Rules::default(), broken, Finding::NegativeSubmit);
    }

    #[test]
    fn the_other_rules_mend() {
        let rules = Rules {
            size: SizeField::Allocated,
            no_run_time: NoRunTime::ZeroIsOneSecond,
            too_large: TooLarge::Clamp,
            negative_submit: NegativeSubmit::Zero,
            missing_estimate: MissingEstimate::QueueLimit(50),
            estimate_floor: EstimateFloor::AsLogged,
            memory: MemoryField::Used,
        };
        let job = mended(rules, Record { submit: Time::from_secs(-1), ..record() }, &[Finding::SubmitAtZero]);
        assert_eq!((job.submit, job.size), (Time::ZERO, 8));
        let job = mended(rules, Record { allocated: -1, ..record() }, &[Finding::SizeFromOtherField]);
        assert_eq!(job.size, 4);
        let job = mended(rules, Record { run_time: Span::ZERO, ..record() }, &[Finding::RunTimeOneSecond]);
        assert_eq!(job.run_time, Span::from_secs(1));
        let job = mended(rules, Record { allocated: 1 << 40, ..record() }, &[Finding::SizeCut]);
        assert_eq!(job.size, 16);
        let both = [Finding::EstimateReplaced, Finding::EstimateBelowRunTime];
        let job = mended(rules, Record { requested_time: Span::ZERO, ..record() }, &both);
        assert_eq!(job.estimate, Span::from_secs(50));
    }

    #[test]
    fn memory_is_that_of_either_field() {
        let memory = |requested_memory_kb, used_memory_kb, memory| {
            let record = Record { requested_memory_kb, used_memory_kb, ..record() };
            mended(Rules { memory, ..Rules::default() }, record, &[]).memory_kb
        };
        let both = [MemoryField::Requested, MemoryField::Used];
        assert_eq!(both.map(|field| memory(70, 30, field)), [70, 30]);
        assert_eq!(both.map(|field| memory(-1, 30, field)), [30, 30]);
        assert_eq!(both.map(|field| memory(70, -1, field)), [70, 70]);
        assert_eq!(both.map(|field| memory(-1, 0, field)), [0, 0]);
    }

    #[test]
    fn short_and_missing_estimates_become_the_run_time() {
        let short = Record { requested_time: Span::from_secs(99), ..record() };
        assert_eq!(
            mended(Rules::default(), short, &[Finding::EstimateRaised]).estimate,
            Span::from_secs(100)
        );
        let missing = Record { requested_time: Span::from_secs(-1), ..record() };
        assert_eq!(
            mended(Rules::default(), missing, &[Finding::EstimateReplaced]).estimate,
            Span::from_secs(100)
        );
    }

    #[test]
    fn jobs_are_sorted_by_submit_then_log_order() {
        let at = |job, submit| Record { job, submit: Time::from_secs(submit), ..record() };
        let log = Log { records: vec![at(1, 5), at(2, 3), at(3, 5), at(2, 3), at(-1, 9)], ..Log::default() };
        let (jobs, report) = clean(&log, &Rules::default(), 16);
        assert_eq!(jobs.iter().map(|job| job.id).collect::<Vec<_>>(), vec![2, 2, 1, 3, 5]);
        assert_eq!(report.count(Finding::OutOfOrder), 2);
        assert_eq!(report.count(Finding::RepeatedNumber), 1);
        assert_eq!(report.count(Finding::NoNumber), 1);
    }

    #[test]
    fn the_first_jobs_are_cut_after_sorting() {
        let mut cleaner = Cleaner::new(Rules::default(), 16);
        for submit in [30, 10, 20] {
            cleaner.push(&Record { job: submit, submit: Time::from_secs(submit), ..record() });
        }
        let (jobs, report) = cleaner.finish(Some(2));
        assert_eq!(jobs.iter().map(|job| job.id).collect::<Vec<_>>(), vec![10, 20]);
        assert_eq!((report.total, report.kept, report.cut_off), (3, 2, 1));
    }
}
