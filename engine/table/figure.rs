//! Figures and comparisons as an experiment asks for them.

use crate::claim::Filter;
use crate::quantity::Except;
use serde::{Deserialize, Serialize};

/// A figure drawn from the summary table or from the groups table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureSpec {
    /// File name without ending, such as `figure3`. `{mode}` and the panels' values are appended by the engine.
    pub id: String,
    /// Title over the figure.
    pub title: String,
    /// Lines over a numeric axis or a grouping, or bars over a category.
    pub kind: FigureKind,
    /// Column on the x axis; the grouping of a figure of groups.
    pub x: String,
    /// Label of the x axis.
    #[serde(default)]
    pub x_label: Option<String>,
    /// Metric on the y axis; a metric of groups in a figure of groups.
    pub y: String,
    /// Label of the y axis, with its unit.
    pub y_label: String,
    /// The metric is divided by this for the picture (60 turns seconds into minutes).
    #[serde(default = "one")]
    pub y_divisor: f64,
    /// Values are divided by the value of this case with the same other columns (for normalised figures).
    #[serde(default)]
    pub normalise_by: Option<Filter>,
    /// Logarithmic y axis.
    #[serde(default)]
    pub log_y: bool,
    /// Columns whose distinct values make the lines or bar colours.
    #[serde(default)]
    pub series: Vec<String>,
    /// Columns whose distinct values make separate panels side by side.
    #[serde(default)]
    pub panels: Vec<String>,
    /// Rows used.
    #[serde(default)]
    pub only: Filter,
    /// Rows not used.
    #[serde(default)]
    pub except: Except,
}

/// The form of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureKind {
    /// Lines with points and interval bars; a series with one point becomes a level line.
    Lines,
    /// Grouped bars with interval bars.
    Bars,
    /// Lines over the bounds of a grouping of jobs (`x`, such as `memory`): the share of a metric of the groups table (`y`, such
    /// as `jobs`) that lies in all groups up to there.
    Cumulative,
    /// Lines with points over the groups of a grouping of jobs (`x`, such as `run_time`), in their order: the mean of a metric of
    /// the groups table (`y`, such as `max_wait_s`) over the replications that have it.
    Groups,
    /// The same as grouped bars with interval bars.
    GroupBars,
}

impl FigureKind {
    /// Whether it is drawn from the groups table.
    pub fn is_of_groups(self) -> bool {
        matches!(self, FigureKind::Cumulative | FigureKind::Groups | FigureKind::GroupBars)
    }
}

/// A picture of one run's schedule, nodes over time. The run is carried out again for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleSpec {
    /// File name without ending, such as `figure25`; the mode is appended by the engine.
    pub id: String,
    /// Title over the picture.
    pub title: String,
    /// Which run: of those that match, the first of the plan, which is one of replication 0.
    #[serde(default)]
    pub only: Filter,
    /// From this second of the workload on; the first submission where there is none.
    #[serde(default)]
    pub from_s: Option<f64>,
    /// Up to this second; the last end where there is none.
    #[serde(default)]
    pub to_s: Option<f64>,
    /// What the colours say.
    #[serde(default)]
    pub colour: Colour,
}

/// What the colour of a job in a schedule says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colour {
    /// Its class by run time.
    #[default]
    Class,
    /// How long it waited.
    Wait,
    /// Which job it is; a few colours in turn.
    Job,
}

/// Paired differences against a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonSpec {
    /// Name in the comparisons table.
    pub id: String,
    /// Metric columns compared.
    pub metrics: Vec<String>,
    /// The baseline: these columns' values are fixed, all other axis columns are matched.
    pub baseline: Filter,
}

fn one() -> f64 {
    1.0
}
