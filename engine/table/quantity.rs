//! Quantities: numbers made of metrics, one per replication, as claims and published tables name them.

use crate::claim::Filter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rows that are left out: column → the values, written as the column prints them, that no row may have.
pub type Except = BTreeMap<String, Vec<String>>;

/// A number made of metrics, computed in each replication on its own, so that everything is paired.
///
/// A metric is a column of the runs table, or one of the groups table with the group in brackets:
/// `work_share[run_time > 10800 s]` is that of one class, `jobs[memory up to 200]` that of all classes whose bound is at most
/// that, `mean_wait_s[run_time above 60]` that of all classes beyond that bound: means are weighted with the jobs, of maxima
/// the largest is taken, counts and shares are added; percentiles of several classes are not known. A quantity is asked for in some *place*: the values of the columns that the claim, row or column of a table goes
/// through. Its filters are laid over the place and win where they name the same column, so that a baseline is named by the
/// columns in which it differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Quantity {
    /// metric(of).
    Metric {
        /// The metric.
        metric: String,
        /// The case, over the place.
        #[serde(default)]
        of: Filter,
    },
    /// metric(of) / over_metric(over). A replication whose denominator is 0 has no value.
    Ratio {
        /// The numerator's metric.
        metric: String,
        /// The denominator's; the same where absent.
        #[serde(default)]
        over_metric: Option<String>,
        /// The numerator's case, over the place.
        #[serde(default)]
        of: Filter,
        /// The denominator's case, over the place.
        #[serde(default)]
        over: Filter,
    },
    /// 1 − metric(of) / metric(over). A replication whose denominator is 0 has no value.
    Reduction {
        /// The metric.
        metric: String,
        /// The case, over the place.
        #[serde(default)]
        of: Filter,
        /// The baseline, over the place.
        over: Filter,
    },
    /// The mean of a quantity over the distinct values of some columns, in the replications in which all have it.
    Mean {
        /// What is averaged.
        of: Box<Quantity>,
        /// The columns that it is averaged over.
        across: Vec<String>,
        /// Rows whose values count.
        #[serde(default)]
        only: Filter,
        /// Rows whose values do not.
        #[serde(default)]
        except: Except,
    },
    /// metric(of) along a numeric axis, read off at a position between its points: linearly.
    Interpolated {
        /// The metric.
        metric: String,
        /// The axis.
        along: String,
        /// The curve, over the place.
        of: Filter,
        /// Where it is read off.
        at: Box<Quantity>,
        /// What is added to that.
        #[serde(default)]
        plus: f64,
    },
    /// One quantity less another.
    Difference {
        /// The one.
        of: Box<Quantity>,
        /// The other.
        minus: Box<Quantity>,
    },
}

impl Quantity {
    /// The metrics that it is made of.
    pub fn metrics(&self) -> Vec<&str> {
        match self {
            Quantity::Metric { metric, .. } | Quantity::Reduction { metric, .. } => vec![metric],
            Quantity::Ratio { metric, over_metric, .. } => {
                [Some(metric), over_metric.as_ref()].into_iter().flatten().map(String::as_str).collect()
            }
            Quantity::Mean { of, .. } => of.metrics(),
            Quantity::Interpolated { metric, at, .. } => {
                std::iter::once(metric.as_str()).chain(at.metrics()).collect()
            }
            Quantity::Difference { of, minus } => of.metrics().into_iter().chain(minus.metrics()).collect(),
        }
    }

    /// Columns with one of the values that it asks of them.
    pub fn cases(&self) -> Vec<(&str, &str)> {
        match self {
            Quantity::Metric { of, .. } => pairs(of),
            Quantity::Ratio { of, over, .. } | Quantity::Reduction { of, over, .. } => {
                [pairs(of), pairs(over)].concat()
            }
            Quantity::Mean { of, only, except, .. } => {
                let left_out = except
                    .iter()
                    .flat_map(|(column, values)| values.iter().map(|v| (column.as_str(), v.as_str())));
                [of.cases(), pairs(only), left_out.collect()].concat()
            }
            Quantity::Interpolated { of, at, .. } => [pairs(of), at.cases()].concat(),
            Quantity::Difference { of, minus } => [of.cases(), minus.cases()].concat(),
        }
    }

    /// Columns that it averages over, or goes along.
    pub fn averaged(&self) -> Vec<&str> {
        match self {
            Quantity::Mean { of, across, .. } => {
                of.averaged().into_iter().chain(across.iter().map(String::as_str)).collect()
            }
            Quantity::Interpolated { along, at, .. } => {
                std::iter::once(along.as_str()).chain(at.averaged()).collect()
            }
            Quantity::Difference { of, minus } => [of.averaged(), minus.averaged()].concat(),
            _ => Vec::new(),
        }
    }
}

fn pairs(filter: &Filter) -> Vec<(&str, &str)> {
    filter.iter().map(|(column, value)| (column.as_str(), value.as_str())).collect()
}

/// A metric of one group of jobs, taken apart: `jobs[run_time <= 600 s]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMetric<'a> {
    /// Column of the groups table.
    pub metric: &'a str,
    /// What the jobs are grouped by.
    pub grouping: &'a str,
    /// Which of the groups.
    pub group: GroupChoice<'a>,
}

/// Which groups of a grouping are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupChoice<'a> {
    /// The one with this label.
    Labelled(&'a str),
    /// All whose bound is at most this number, which is written here as it stands.
    UpTo(&'a str),
    /// All that begin at this number or above it.
    Above(&'a str),
}

/// What the values of several groups make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// Their sum.
    Added,
    /// Their mean, weighted with the jobs.
    Averaged,
    /// The largest.
    Largest,
    /// The groups do not tell: of percentiles.
    Unknown,
}

impl<'a> GroupMetric<'a> {
    /// How the metric is made from those of several groups, which its name says.
    pub fn joined(&self) -> Joined {
        let begins = |prefix: &str| self.metric.starts_with(prefix);
        if begins("mean_") {
            Joined::Averaged
        } else if begins("max_") {
            Joined::Largest
        } else if begins("p95_") {
            Joined::Unknown
        } else {
            Joined::Added
        }
    }

    /// Takes a metric's name apart; `None` for one of the whole run.
    pub fn parse(name: &'a str) -> Option<GroupMetric<'a>> {
        let (metric, rest) = name.strip_suffix(']')?.split_once('[')?;
        let (grouping, label) = rest.split_once(' ')?;
        let group = if let Some(bound) = label.strip_prefix("up to ") {
            GroupChoice::UpTo(bound.trim())
        } else if let Some(bound) = label.strip_prefix("above ") {
            GroupChoice::Above(bound.trim())
        } else {
            GroupChoice::Labelled(label)
        };
        Some(GroupMetric { metric, grouping, group })
    }
}

#[cfg(test)]
mod tests {
    use super::{GroupChoice, GroupMetric, Joined};

    #[test]
    fn metrics_of_groups_are_taken_apart() {
        let found = |name| GroupMetric::parse(name).map(|found| (found.metric, found.grouping, found.group));
        assert_eq!(
            found("jobs[run_time <= 600 s]"),
            Some(("jobs", "run_time", GroupChoice::Labelled("<= 600 s")))
        );
        assert_eq!(found("jobs[memory up to 200]"), Some(("jobs", "memory", GroupChoice::UpTo("200"))));
        assert_eq!(found("jobs[size above 32]"), Some(("jobs", "size", GroupChoice::Above("32"))));
        assert_eq!(found("mean_wait_s"), None);
        let joined = |name| GroupMetric::parse(name).map(|found| found.joined());
        assert_eq!(joined("mean_wait_s[size above 1]"), Some(Joined::Averaged));
        assert_eq!(joined("max_wait_s[size above 1]"), Some(Joined::Largest));
        assert_eq!(joined("p95_wait_s[size above 1]"), Some(Joined::Unknown));
        assert_eq!(joined("work_share[size above 1]"), Some(Joined::Added));
        assert_eq!(found("jobs[run_time]"), None);
    }
}
