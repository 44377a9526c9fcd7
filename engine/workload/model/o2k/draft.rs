//! A job before it has an instant of submission.

/// What a job asks for and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// P: requested processors.
    pub processors: u32,
    /// M: requested memory of the whole job, in megabytes.
    pub memory_mb: u32,
    /// R: requested run time in seconds.
    pub requested_s: u32,
    /// T: actual run time in seconds, at least one.
    pub actual_s: u32,
}

impl Draft {
    /// P · T, in processor hours.
    pub fn processor_hours(&self) -> f64 {
        f64::from(self.processors) * self.hours()
    }

    /// M · T, in gigabyte hours.
    pub fn gigabyte_hours(&self) -> f64 {
        self.gigabytes() * self.hours()
    }

    /// T in hours.
    pub fn hours(&self) -> f64 {
        f64::from(self.actual_s) / 3_600.0
    }

    /// R in hours.
    pub fn requested_hours(&self) -> f64 {
        f64::from(self.requested_s) / 3_600.0
    }

    /// M in gigabytes.
    pub fn gigabytes(&self) -> f64 {
        f64::from(self.memory_mb) / 1_024.0
    }

    /// Its column of Table 6.
    pub fn class(&self) -> usize {
        super::class::column(
            super::class::time_class(self.requested_s),
            super::class::size_class(self.processors, self.memory_mb),
        )
    }
}
