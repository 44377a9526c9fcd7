//! Claims: published statements as predicates over tables.

use crate::quantity::{Except, Quantity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A published statement that can be tested on an experiment's tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimSpec {
    /// Identifier in its study, such as `P1`.
    pub id: String,
    /// What the source says, in one sentence.
    pub statement: String,
    /// Where it says so: page, section, table or figure.
    pub source: String,
    /// The published value or range as printed, where one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// The modes (trace, twin, model) that it is about; all where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// What must be true of the tables. All must hold in every group for the claim to hold.
    pub predicates: Vec<Predicate>,
}

/// Rows of a table: column → wanted value, written as the column prints it (numbers compare numerically).
pub type Filter = BTreeMap<String, String>;

/// A machine-checkable statement. `for_each` names axis columns: the predicate is evaluated once per distinct value of those,
/// and per mode (trace, twin) always. Over replications everything is paired: the value is computed per replication, then mean
/// and 95 % Student-t interval are formed. With one replication there is no interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Predicate {
    /// `lower` < `upper` in `metric` (mean of paired differences; with `at_most`: ≤).
    Ordering {
        /// Metric column of the runs table.
        metric: String,
        /// The case that should have the lower value.
        lower: Filter,
        /// The case that should have the higher value.
        upper: Filter,
        /// Rows both must match.
        #[serde(default)]
        only: Filter,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Equality is enough.
        #[serde(default)]
        at_most: bool,
    },
    /// low ≤ metric(of) / metric(over) ≤ high.
    RatioRange {
        /// Metric column of the numerator.
        metric: String,
        /// Metric column of the denominator; the same where absent.
        #[serde(default)]
        over_metric: Option<String>,
        /// The numerator's case.
        of: Filter,
        /// The denominator's case.
        over: Filter,
        /// Rows both must match.
        #[serde(default)]
        only: Filter,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Lowest ratio that holds; none: unbounded.
        #[serde(default)]
        low: Option<f64>,
        /// Highest ratio that holds; none: unbounded.
        #[serde(default)]
        high: Option<f64>,
    },
    /// Going up along `along`, the curve `of` falls below the curve `versus` at an interpolated position inside low … high. One of
    /// them may be a level line: one point, or a case without the axis.
    Crossover {
        /// Metric column.
        metric: String,
        /// Numeric axis column.
        along: String,
        /// The curve.
        of: Filter,
        /// The curve it is compared with; where it has one point only, a level line.
        versus: Filter,
        /// Rows both must match.
        #[serde(default)]
        only: Filter,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Lowest position that holds.
        #[serde(default)]
        low: Option<f64>,
        /// Highest position that holds.
        #[serde(default)]
        high: Option<f64>,
    },
    /// The difference of two crossover positions, second − first, lies in low … high.
    CrossoverShift {
        /// Metric column.
        metric: String,
        /// Numeric axis column.
        along: String,
        /// The curve.
        of: Filter,
        /// The curve or level line it is compared with.
        versus: Filter,
        /// Rows of the first crossover.
        first: Filter,
        /// Rows of the second crossover.
        second: Filter,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Lowest shift that holds.
        #[serde(default)]
        low: Option<f64>,
        /// Highest shift that holds.
        #[serde(default)]
        high: Option<f64>,
    },
    /// The metric only falls (or rises) along an axis.
    Monotone {
        /// Metric column.
        metric: String,
        /// Numeric axis column.
        along: String,
        /// Falling or rising.
        direction: Direction,
        /// Rows of the curve.
        #[serde(default)]
        only: Filter,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
    },
    /// low ≤ metric ≤ high.
    Bound {
        /// Metric column.
        metric: String,
        /// Rows.
        #[serde(default)]
        only: Filter,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Lowest value that holds.
        #[serde(default)]
        low: Option<f64>,
        /// Highest value that holds.
        #[serde(default)]
        high: Option<f64>,
    },
    /// above < value, low ≤ value ≤ high, for any quantity: a reduction, its mean over cases, a difference of such means.
    Value {
        /// What is measured.
        value: Quantity,
        /// Rows that make the groups of `for_each`.
        #[serde(default)]
        only: Filter,
        /// Rows that do not.
        #[serde(default)]
        except: Except,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Values must exceed this; none: unbounded.
        #[serde(default)]
        above: Option<f64>,
        /// Lowest value that holds; none: unbounded.
        #[serde(default)]
        low: Option<f64>,
        /// Highest value that holds; none: unbounded.
        #[serde(default)]
        high: Option<f64>,
    },
    /// Of all values along a column, the mean of the quantity is largest at one of them.
    Largest {
        /// What is measured.
        value: Quantity,
        /// The column.
        along: String,
        /// Where the quantity should be largest.
        at: String,
        /// Rows that make groups and values along the column.
        #[serde(default)]
        only: Filter,
        /// Rows that do not.
        #[serde(default)]
        except: Except,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// Asks for this many of the combinations rather than for each.
        #[serde(default)]
        in_at_least: Option<u32>,
    },
    /// The model that the jobs come from meets the cells of a published table, each by its mean over the replications. Needs
    /// `model_cells` in what is measured.
    Cells {
        /// The table, as the groups of the grouping `model` begin: `Table 6`.
        table: String,
        /// Rows that make the groups of `for_each`.
        #[serde(default)]
        only: Filter,
        /// Rows that do not.
        #[serde(default)]
        except: Except,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
        /// The least share of the cells that must be met.
        #[serde(default = "all")]
        share: f64,
    },
    /// The quantity and a published number could be samples of one distribution: they differ by no more than the rounding of
    /// the number and t(0.975, n − 1) · sd · √(1/n + 1/samples). Without an interval, by no more than the rounding.
    Agrees {
        /// What is measured.
        value: Quantity,
        /// The published number, in the unit of the quantity.
        published: f64,
        /// Half a unit of its last digit.
        rounding: f64,
        /// How many replications the published number is a mean of.
        #[serde(default = "one")]
        samples: u32,
        /// Rows that make the groups of `for_each`.
        #[serde(default)]
        only: Filter,
        /// Rows that do not.
        #[serde(default)]
        except: Except,
        /// Axis columns, one evaluation per distinct combination.
        #[serde(default)]
        for_each: Vec<String>,
    },
}

fn one() -> u32 {
    1
}

fn all() -> f64 {
    1.0
}

impl ClaimSpec {
    /// Whether it looks at cells of published tables beside the metrics of runs.
    pub fn is_about_cells(&self) -> bool {
        self.predicates.iter().any(|predicate| matches!(predicate, Predicate::Cells { .. }))
    }
}

impl Predicate {
    /// The metrics that it looks at.
    pub fn metrics(&self) -> Vec<&str> {
        match self {
            Predicate::Ordering { metric, .. }
            | Predicate::Crossover { metric, .. }
            | Predicate::CrossoverShift { metric, .. }
            | Predicate::Monotone { metric, .. }
            | Predicate::Bound { metric, .. } => vec![metric],
            Predicate::RatioRange { metric, over_metric, .. } => {
                [Some(metric), over_metric.as_ref()].into_iter().flatten().map(String::as_str).collect()
            }
            Predicate::Cells { .. } => Vec::new(),
            Predicate::Value { value, .. }
            | Predicate::Largest { value, .. }
            | Predicate::Agrees { value, .. } => value.metrics(),
        }
    }
}

/// Which way a monotone curve goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// Each value is below the one before, or equal.
    Falls,
    /// Each value is above the one before, or equal.
    Rises,
}
