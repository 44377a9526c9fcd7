//! Classes of jobs by requested time and by size, to schedule by and to group by.

use crate::time::Span;

/// The classes of a job, by their places in the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its size class.
    pub size: usize,
    /// Its time class.
    pub time: usize,
}

/// Time and size classes, each shortest or smallest first. The last ones take all that is longer or larger.
#[derive(Clone, Debug)]
pub struct JobClasses {
    /// The longest requested times.
    times: Vec<Span>,
    /// The most processors and kilobytes.
    sizes: Vec<(u32, u64)>,
    names: Vec<String>,
}

impl JobClasses {
    /// Of time classes by name and longest requested time, and size classes by name and most processors and kilobytes; at least one of each.
    pub fn new(times: &[(&str, Span)], sizes: &[(&str, (u32, u64))]) -> JobClasses {
        let of_size = |(size, _): &(&str, (u32, u64))| -> Vec<String> {
            times.iter().map(|(time, _)| format!("{time}-{size}")).collect()
        };
        JobClasses {
            times: times.iter().map(|(_, up_to)| *up_to).collect(),
            sizes: sizes.iter().map(|(_, most)| *most).collect(),
            names: sizes.iter().flat_map(of_size).collect(),
        }
    }

    /// Names such as `vst-sj` of all combinations, smaller sizes first, of one size shorter times first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The classes of a job.
    pub fn kind(&self, estimate: Span, processors: u32, kb: u64) -> Kind {
        let (time, size) = (self.times.len() - 1, self.sizes.len() - 1);
        let fits = |class: &(u32, u64)| processors <= class.0 && kb <= class.1;
        Kind {
            time: self.times.iter().position(|up_to| estimate <= *up_to).unwrap_or(time),
            size: self.sizes.iter().position(fits).unwrap_or(size),
        }
    }

    /// The place of a job's combination among the names.
    pub fn of(&self, estimate: Span, processors: u32, kb: u64) -> usize {
        let Kind { size, time } = self.kind(estimate, processors, kb);
        size * self.times.len() + time
    }
}
