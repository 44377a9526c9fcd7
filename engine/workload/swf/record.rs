//! What a log holds: its records, and the comments around them.

use sim::{Span, Time};

/// Number of fields of a record.
pub const FIELDS: usize = 18;

/// One record, all 18 fields of the format in their order. Unknown values are −1 (for times: −1 second), as logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Field 1: job number.
    pub job: i64,
    /// Field 2: submit time, relative to the start of the log.
    pub submit: Time,
    /// Field 3: wait time.
    pub wait: Span,
    /// Field 4: run time.
    pub run_time: Span,
    /// Field 5: number of allocated processors.
    pub allocated: i64,
    /// Field 6: average CPU time used, over all processors.
    pub cpu_time: Span,
    /// Field 7: used memory, kilobytes per processor.
    pub used_memory_kb: i64,
    /// Field 8: requested number of processors.
    pub requested: i64,
    /// Field 9: requested time, the user's estimate.
    pub requested_time: Span,
    /// Field 10: requested memory, kilobytes per processor.
    pub requested_memory_kb: i64,
    /// Field 11: status (1 completed, 0 failed, 5 cancelled, 2–4 partial executions).
    pub status: i64,
    /// Field 12: user.
    pub user: i64,
    /// Field 13: group.
    pub group: i64,
    /// Field 14: executable (application) number.
    pub executable: i64,
    /// Field 15: queue number.
    pub queue: i64,
    /// Field 16: partition number.
    pub partition: i64,
    /// Field 17: number of the job that had to end before this one.
    pub preceding_job: i64,
    /// Field 18: think time since the end of the preceding job.
    pub think_time: Span,
}

/// The comment lines of a log, in order, without the leading `;`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The comments as written, trimmed.
    pub lines: Vec<String>,
}

impl Header {
    /// The value of the first comment `; Key: value`, compared without case; `None` where there is none.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines.iter().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case(key).then(|| value.trim())
        })
    }

    /// Nodes of the machine, `; MaxNodes: …`.
    pub fn max_nodes(&self) -> Option<u32> {
        self.leading_number("MaxNodes")
    }

    /// Processors of the machine, `; MaxProcs: …`.
    pub fn max_procs(&self) -> Option<u32> {
        self.leading_number("MaxProcs")
    }

    /// Headers often add a remark after the number: `338 (of 512)`. Zero is no machine, so it counts as not said.
    fn leading_number(&self, key: &str) -> Option<u32> {
        let number = self.get(key)?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
        (number > 0).then_some(number)
    }
}

/// A whole log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The comments.
    pub header: Header,
    /// The records in log order.
    pub records: Vec<Record>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_values_are_found_by_key() {
        let header = Header {
            lines: vec![
                "Computer: Linux cluster".into(),
                "MaxProcs: 338 (of 512)".into(),
                "Note: a: b".into(),
            ],
        };
        assert_eq!(header.get("computer"), Some("Linux cluster"));
        assert_eq!(header.get("Note"), Some("a: b"));
        assert_eq!(header.max_procs(), Some(338));
        assert_eq!(header.max_nodes(), None);
        let none = Header { lines: vec!["MaxProcs: 0".into()] };
        assert_eq!(none.max_procs(), None);
    }
}
