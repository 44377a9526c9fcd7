//! What cleaning a log dropped and mended.

use std::fmt;

/// Something met in a record while cleaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finding {
    /// Dropped: submit time below zero.
    NegativeSubmit,
    /// Dropped: neither requested nor allocated processors.
    NoProcessors,
    /// Dropped: run time zero, negative or unknown.
    NoRunTime,
    /// Dropped: more processors than the machine has, or more than any of its hosts has of processors and memory.
    TooLarge,
    /// Dropped: no requested time, under [`MissingEstimate::Drop`](crate::MissingEstimate::Drop).
    NoEstimate,
    /// Mended: a negative submit time became zero.
    SubmitAtZero,
    /// Mended: the size is from the other field because the preferred one is missing.
    SizeFromOtherField,
    /// Mended: a run time of zero became one second.
    RunTimeOneSecond,
    /// Mended: a size above the machine's was cut to it.
    SizeCut,
    /// Mended: a memory above that of all hosts was cut to the largest.
    MemoryCut,
    /// Mended: a missing requested time was replaced by the rule's.
    EstimateReplaced,
    /// Mended: a requested time below the run time was raised to it.
    EstimateRaised,
    /// Mended: a record submitted before an earlier one was moved to its place in time.
    OutOfOrder,
    /// Mended: the record has no job number and got its position in the log.
    NoNumber,
    /// Kept as it is: a requested time below the run time, under
    /// [`EstimateFloor::AsLogged`](crate::EstimateFloor::AsLogged).
    EstimateBelowRunTime,
    /// Kept as it is: the job number occurred before.
    RepeatedNumber,
    /// Kept as it is: times of the record have fractions of a second.
    FractionalTime,
}

/// What became of a record with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// It is not part of the workload.
    Dropped,
    /// It is, changed.
    Mended,
    /// It is, unchanged.
    Kept,
}

impl Finding {
    /// All findings, in the order of a report.
    pub const ALL: [Finding; 17] = [
        Finding::NegativeSubmit,
        Finding::NoProcessors,
        Finding::NoRunTime,
        Finding::TooLarge,
        Finding::NoEstimate,
        Finding::SubmitAtZero,
        Finding::SizeFromOtherField,
        Finding::RunTimeOneSecond,
        Finding::SizeCut,
        Finding::MemoryCut,
        Finding::EstimateReplaced,
        Finding::EstimateRaised,
        Finding::OutOfOrder,
        Finding::NoNumber,
        Finding::EstimateBelowRunTime,
        Finding::RepeatedNumber,
        Finding::FractionalTime,
    ];

    /// What becomes of the record.
    pub fn fate(self) -> Fate {
        if self <= Finding::NoEstimate {
            Fate::Dropped
        } else if self <= Finding::NoNumber {
            Fate::Mended
        } else {
            Fate::Kept
        }
    }

    /// The finding in words.
    pub fn text(self) -> &'static str {
        match self {
            Finding::NegativeSubmit => "negative submit time",
            Finding::NoProcessors => "no processors",
            Finding::NoRunTime => "no run time",
            Finding::TooLarge => "larger than the machine",
            Finding::NoEstimate => "no requested time",
            Finding::SubmitAtZero => "negative submit time, set to zero",
            Finding::SizeFromOtherField => "size taken from the other processor field",
            Finding::RunTimeOneSecond => "run time zero, set to one second",
            Finding::SizeCut => "larger than the machine, cut to it",
            Finding::MemoryCut => "more memory than any host, cut to it",
            Finding::EstimateReplaced => "no requested time, replaced",
            Finding::EstimateRaised => "requested time below run time, raised",
            Finding::OutOfOrder => "out of submit order, sorted",
            Finding::NoNumber => "no job number, numbered by position",
            Finding::EstimateBelowRunTime => "requested time below run time",
            Finding::RepeatedNumber => "job number occurs more than once",
            Finding::FractionalTime => "fractions of a second",
        }
    }
}

/// How many records a log has, how many became jobs, and why the others did not. [`Display`](fmt::Display) writes it as
/// readable lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleaningReport {
    /// Records read.
    pub total: u64,
    /// Jobs of the workload.
    pub kept: u64,
    /// Usable jobs left out because only the first so many were asked for.
    pub cut_off: u64,
    counts: [u64; Finding::ALL.len()],
}

impl CleaningReport {
    /// A report for a generated workload: all jobs kept, nothing found.
    pub fn clean(jobs: u64) -> CleaningReport {
        CleaningReport { total: jobs, kept: jobs, ..CleaningReport::default() }
    }

    /// Number of records with this finding.
    pub fn count(&self, finding: Finding) -> u64 {
        self.counts[finding as usize]
    }

    /// Number of records dropped, for all reasons together. Each dropped record has one reason, the first that applies
    /// in the order of [`Finding`].
    pub fn dropped(&self) -> u64 {
        Finding::ALL.iter().filter(|f| f.fate() == Fate::Dropped).map(|&f| self.count(f)).sum()
    }

    /// The findings that occurred, with their counts, in the order of [`Finding::ALL`].
    pub fn findings(&self) -> impl Iterator<Item = (Finding, u64)> + '_ {
        Finding::ALL.into_iter().map(|finding| (finding, self.count(finding))).filter(|&(_, count)| count > 0)
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        self.add_many(finding, 1);
    }

    pub(crate) fn add_many(&mut self, finding: Finding, count: u64) {
        self.counts[finding as usize] += count;
    }
}

impl fmt::Display for CleaningReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} records, {} jobs kept, {} dropped", self.total, self.kept, self.dropped())?;
        if self.cut_off > 0 {
            write!(f, ", {} beyond the first {} left out", self.cut_off, self.kept)?;
        }
        for (finding, count) in self.findings() {
            let fate = match finding.fate() {
                Fate::Dropped => "dropped",
                Fate::Mended => "mended",
                Fate::Kept => "kept",
            };
            write!(f, "\n  {fate:<7} {count:>9}  {}", finding.text())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_findings_are_listed_once_in_order() {
        assert!(Finding::ALL.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Finding::ALL.len(), Finding::FractionalTime as usize + 1);
    }

    #[test]
    fn a_report_reads_as_lines() {
        let mut report = CleaningReport { total: 10, kept: 7, cut_off: 1, ..CleaningReport::default() };
        report.add_many(Finding::NoRunTime, 2);
        report.add(Finding::EstimateRaised);
        report.add(Finding::RepeatedNumber);
        let text = "10 records, 7 jobs kept, 2 dropped, 1 beyond the first 7 left out\n  \
                    dropped         2  no run time\n  \
                    mended          1  requested time below run time, raised\n  \
                    kept            1  job number occurs more than once";
        assert_eq!(report.to_string(), text);
    }
}
