//! What colours mean. Every colouring has a few shades, each with a colour and a label; all are apart for colour-blind readers.

use super::{Chart, Class, Job};

/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;

/// Shades of waits: up to so many microseconds, colour, label. From light to dark along the viridis map, which is even to the eye.
const WAITS: [(i64, &str, &str); 6] = [
    (0, "#b9c1c9", "none"),
    (HOUR / 6, "#8fd744", "up to 10 min"),
    (HOUR, "#35b779", "up to 1 h"),
    (6 * HOUR, "#21908c", "up to 6 h"),
    (24 * HOUR, "#31688e", "up to 1 d"),
    (i64::MAX, "#440154", "more"),
];

/// Okabe & Ito (2008), dark for long jobs.
const CLASSES: [&str; 3] = ["#e69f00", "#56b4e9", "#0072b2"];

/// The same, without what is too light, and without the colour of swap-outs.
const JOBS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#8a6d3b"];

/// The colour of swap-outs, which no job has.
pub(super) const SWAP: &str = "#d55e00";

/// What the colour of a rectangle says about its job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// Its class by run time.
    #[default]
    Class,
    /// How long it waited.
    Wait,
    /// Which job it is; a few colours in turn.
    Job,
}

/// A shade and its meaning.
pub(super) struct Shade {
    pub colour: &'static str,
    pub label: String,
}

impl Colouring {
    /// All of them.
    pub const ALL: [Colouring; 3] = [Colouring::Class, Colouring::Wait, Colouring::Job];

    /// As options and pages name it.
    pub const fn name(self) -> &'static str {
        match self {
            Colouring::Class => "class",
            Colouring::Wait => "wait",
            Colouring::Job => "job",
        }
    }

    /// The heading of its legend.
    pub(super) const fn heading(self) -> &'static str {
        match self {
            Colouring::Class => "Run time",
            Colouring::Wait => "Wait",
            Colouring::Job => "Job",
        }
    }

    /// Its shades.
    pub(super) fn shades(self, chart: &Chart) -> Vec<Shade> {
        match self {
            Colouring::Class => {
                let named = ["short", "medium", "long"].iter().zip(&chart.classes);
                let label = |(name, bounds): (&&str, &String)| match bounds.as_str() {
                    "" => (*name).to_owned(),
                    bounds => format!("{name} ({bounds})"),
                };
                let labelled = CLASSES.iter().zip(named);
                labelled.map(|(colour, named)| Shade { colour, label: label(named) }).collect()
            }
            Colouring::Wait => {
                WAITS.iter().map(|(_, colour, label)| Shade { colour, label: (*label).to_owned() }).collect()
            }
            Colouring::Job => {
                let label = |at: usize| if at == 0 { "colours in turn".to_owned() } else { String::new() };
                JOBS.iter().enumerate().map(|(at, colour)| Shade { colour, label: label(at) }).collect()
            }
        }
    }

    /// Which of the shades a job has; `index` is its position in the chart.
    pub(super) fn shade(self, job: &Job, index: usize) -> usize {
        match self {
            Colouring::Class => match job.class {
                Class::Short => 0,
                Class::Medium => 1,
                Class::Long => 2,
            },
            Colouring::Wait => {
                let wait = job.wait_us();
                WAITS.iter().position(|(most, _, _)| wait <= *most).unwrap_or(WAITS.len() - 1)
            }
            Colouring::Job => index % JOBS.len(),
        }
    }
}

/// A colour mixed with white: what loading is painted on.
pub(super) fn lighter(colour: &str) -> String {
    let channel = |at: usize| {
        let value = colour.get(at..at + 2).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        value.unwrap_or(0) * 35 / 100 + 255 * 65 / 100
    };
    format!("#{:02x}{:02x}{:02x}", channel(1), channel(3), channel(5))
}
