//! What makes a predicate hold: a range of values, and the range in words.

use super::quantity;
use super::sample::place;
use crate::number::plain;
use table::statistics::Interval;
use table::{Direction, Filter, Predicate};

/// A range of values, closed but for an `above` that values must exceed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Range {
    /// Values must be greater than this.
    pub above: Option<f64>,
    /// Values must be at least this.
    pub low: Option<f64>,
    /// Values must be at most this.
    pub high: Option<f64>,
}

/// A predicate's range, and its quantity and range as text.
pub(super) struct Wanted {
    pub range: Range,
    pub text: String,
}

impl Range {
    fn between(low: Option<f64>, high: Option<f64>) -> Range {
        Range { above: None, low, high }
    }

    /// Whether a value is in the range.
    pub fn holds(&self, value: f64) -> bool {
        self.above.is_none_or(|above| value > above)
            && self.low.is_none_or(|low| value >= low)
            && self.high.is_none_or(|high| value <= high)
    }

    /// Whether all of an interval is on the same side of the range's bounds.
    pub fn is_clear(&self, interval: Interval) -> bool {
        let inside = self.holds(interval.low) && self.holds(interval.high);
        let below = self.above.is_some_and(|above| interval.high <= above)
            || self.low.is_some_and(|low| interval.high < low);
        let over = self.high.is_some_and(|high| interval.low > high);
        inside || below || over
    }

    fn text(&self) -> String {
        match (self.above, self.low, self.high) {
            (Some(above), _, None) => format!("> {}", plain(above)),
            (Some(above), _, Some(high)) => format!("> {} and ≤ {}", plain(above), plain(high)),
            (None, Some(low), Some(high)) if low == high => plain(low),
            (None, Some(low), Some(high)) => format!("{} … {}", plain(low), plain(high)),
            (None, Some(low), None) => format!("≥ {}", plain(low)),
            (None, None, Some(high)) => format!("≤ {}", plain(high)),
            (None, None, None) => "any value".to_owned(),
        }
    }
}

/// What a predicate wants.
pub(super) fn of(predicate: &Predicate) -> Wanted {
    let (quantity, range) = match predicate {
        Predicate::Ordering { metric, lower, upper, at_most, .. } => {
            let range = match at_most {
                true => Range::between(Some(0.0), None),
                false => Range { above: Some(0.0), ..Range::default() },
            };
            (format!("{} − {}", of_case(metric, upper), of_case(metric, lower)), range)
        }
        Predicate::RatioRange { metric, over_metric, of, over, low, high, .. } => {
            let below = over_metric.as_deref().unwrap_or(metric);
            let quantity = match (below == metric, of == over) {
                (false, true) => format!("{metric} / {below} with {}", place(&[of])),
                _ => format!("{} / {}", of_case(metric, of), of_case(below, over)),
            };
            (quantity, Range::between(*low, *high))
        }
        Predicate::Crossover { metric, along, of, versus, low, high, .. } => {
            let quantity =
                format!("{along} where {} falls to that of ({})", of_case(metric, of), place(&[versus]));
            (quantity, Range::between(*low, *high))
        }
        Predicate::CrossoverShift { metric, along, of, versus, first, second, low, high, .. } => {
            let curve = format!("{} falls to that of ({})", of_case(metric, of), place(&[versus]));
            let shift = format!("from {} to {}", place(&[first]), place(&[second]));
            (format!("shift, {shift}, of the {along} where {curve}"), Range::between(*low, *high))
        }
        Predicate::Monotone { metric, along, direction, .. } => {
            let verb = match direction {
                Direction::Falls => "falls",
                Direction::Rises => "rises",
            };
            (
                format!("share of steps along {along} in which {metric} {verb}"),
                Range::between(Some(1.0), None),
            )
        }
        Predicate::Bound { metric, low, high, .. } => (metric.clone(), Range::between(*low, *high)),
        Predicate::Value { value, above, low, high, .. } => {
            (quantity::text(value), Range { above: *above, low: *low, high: *high })
        }
        Predicate::Largest { value, along, at, for_each, in_at_least: Some(least), .. } => {
            let count = format!(
                "number of {} with the largest {} at {along}={at}",
                for_each.join(" and "),
                quantity::text(value)
            );
            (count, Range::between(Some(f64::from(*least)), None))
        }
        Predicate::Largest { value, along, at, .. } => {
            let margin = format!("{} at {along}={at} less the largest elsewhere", quantity::text(value));
            (margin, Range { above: Some(0.0), ..Range::default() })
        }
        Predicate::Cells { table, share, .. } => (
            format!("share of the cells of {table} that the model meets"),
            Range::between(Some(*share), None),
        ),
        Predicate::Agrees { value, published, rounding, .. } => {
            let text = format!("{}: {} ± {}", quantity::text(value), plain(*published), plain(*rounding));
            return Wanted { range: Range::default(), text: format!("{text}, within sampling error") };
        }
    };
    let range_text =
        if matches!(predicate, Predicate::Monotone { .. }) { "1".to_owned() } else { range.text() };
    Wanted { range, text: format!("{quantity}: {range_text}") }
}

fn of_case(metric: &str, case: &Filter) -> String {
    if case.is_empty() { metric.to_owned() } else { format!("{metric}({})", place(&[case])) }
}
