//! What the generator makes beside what the dissertation prints: the raw model against Tables 9, 10 and 11 and Fig. 29b, which
//! describe weekday peaks of October to December 2000, the calibrated months against Tables 6, 7 and 8, which describe months.

mod months;
mod published;
mod raw;

use super::{O2kFit, Parameters};
use crate::Source;
use crate::model::Cell;
use std::fmt;

pub use months::compare_month;
pub use raw::compare_raw;

/// Jobs of the raw model that are compared per seed: some hundred in the rarest cells.
pub const JOBS_PER_SEED: usize = 60_000;

/// What one seed of the model makes beside what is printed: of a raw model the tables about it, of a calibrated month those about
/// months. Nothing for another source.
pub fn cells(source: &Source, seed: u64) -> Vec<Cell> {
    let Some(Parameters { month, fit, occupancy, .. }) = Parameters::of_source(source) else {
        return Vec::new();
    };
    let sections = match fit {
        O2kFit::Raw => compare_raw([seed], JOBS_PER_SEED),
        O2kFit::Calibrated => compare_month(month, occupancy, [seed]),
    };
    sections.iter().flat_map(Section::cells).collect()
}

/// Lines about one table or figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Which, and of what.
    pub title: String,
    /// Its cells.
    pub lines: Vec<Line>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What is compared.
    pub what: String,
    /// The generator's value.
    pub measured: f64,
    /// What is printed.
    pub published: Published,
    /// What is accepted.
    pub accepted: Accepted,
}

/// What the dissertation prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Published {
    /// A number.
    Value(f64),
    /// A range.
    Range(f64, f64),
    /// A lower bound.
    Above(f64),
    /// An upper bound.
    Below(f64),
}

/// Which measured values agree with a printed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accepted {
    /// Those that differ by at most so much from it, or from the range or bound.
    Within(f64),
    /// Those between two bounds: the months differ as much among themselves.
    Between(f64, f64),
    /// Any: why the cell cannot be met.
    Any(&'static str),
}

impl Line {
    /// A cell with a tolerance.
    pub fn new(what: impl Into<String>, measured: f64, published: Published, tolerance: f64) -> Line {
        Line { what: what.into(), measured, published, accepted: Accepted::Within(tolerance) }
    }

    /// A cell with a tolerance relative to the printed number.
    pub fn relative(what: impl Into<String>, measured: f64, published: f64, tolerance: f64) -> Line {
        Line::new(what, measured, Published::Value(published), tolerance * published.abs())
    }

    /// Whether the measured value is accepted.
    pub fn holds(&self) -> bool {
        let (low, high) = self.bounds();
        low.is_none_or(|low| self.measured >= low) && high.is_none_or(|high| self.measured <= high)
    }

    /// The lowest and the highest value that is accepted, `None` where there is no such bound.
    pub fn bounds(&self) -> (Option<f64>, Option<f64>) {
        let tolerance = match self.accepted {
            Accepted::Within(tolerance) => tolerance,
            Accepted::Between(low, high) => return (Some(low), Some(high)),
            Accepted::Any(_) => return (None, None),
        };
        // Sums of rounded numbers may miss a tolerance of zero by their last digits.
        let slack = tolerance + 1e-9;
        match self.published {
            Published::Value(value) => (Some(value - slack), Some(value + slack)),
            Published::Range(low, high) => (Some(low - slack), Some(high + slack)),
            Published::Above(low) => (Some(low - slack), None),
            Published::Below(high) => (None, Some(high + slack)),
        }
    }
}

impl Section {
    /// The table or figure: what its title begins with.
    fn table(&self) -> &str {
        self.title.split(',').next().unwrap_or(&self.title)
    }

    /// The cells by names that occur once: table, line, and for an indented line what it belongs to.
    fn cells(&self) -> Vec<Cell> {
        let mut of = "";
        let mut cells = Vec::new();
        for line in &self.lines {
            let what = line.what.trim();
            let name = match line.what.starts_with(' ') {
                true => format!("{}: {of}, {what}", self.table()),
                false => format!("{}: {what}", self.table()),
            };
            if !line.what.starts_with(' ') {
                of = what;
            }
            let (low, high) = line.bounds();
            cells.push(Cell { name, measured: line.measured, low, high });
        }
        cells
    }
}

impl fmt::Display for Section {
    /// A table of at most 80 columns: measured, published, tolerance.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        writeln!(f, "{:<38}{:>10}{:>15}  tolerance", "", "measured", "published")?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let published = match self.published {
            Published::Value(value) => Digits(value).to_string(),
            Published::Range(low, high) => format!("{} to {}", Digits(low), Digits(high)),
            Published::Above(low) => format!("> {}", Digits(low)),
            Published::Below(high) => format!("< {}", Digits(high)),
        };
        let measured = Digits(self.measured).to_string();
        write!(f, "  {:<36}{measured:>10}{published:>15}  ", self.what)?;
        match self.accepted {
            Accepted::Any(why) => write!(f, "{why}"),
            _ if !self.holds() => write!(f, "MISSED"),
            Accepted::Between(low, high) => write!(f, "{} to {}", Digits(low), Digits(high)),
            Accepted::Within(0.0) => write!(f, "exact"),
            Accepted::Within(tolerance) => write!(f, "{}", Digits(tolerance)),
        }
    }
}

/// A number with three significant digits, or all of those before its point.
struct Digits(f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = match self.0.abs() {
            size if size >= 99.95 || size == 0.0 => 0,
            size if size >= 9.995 => 1,
            size if size >= 0.09995 => 2,
            _ => 4,
        };
        write!(f, "{:.decimals$}", self.0)
    }
}

#[cfg(test)]
#[path = "comparison/tests.rs"]
mod tests;
