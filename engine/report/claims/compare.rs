//! Predicates over one value per case: order, ratio, bound.

use super::finding::{Value, mean_text};
use super::sample::Rows;
use super::wanted::Range;
use std::collections::BTreeMap;
use table::{Filter, Predicate};

/// The value of an ordering, a ratio range or a bound, or why there is none.
pub(super) fn evaluate(predicate: &Predicate, range: &Range, rows: &Rows<'_>) -> Result<Value, String> {
    match predicate {
        Predicate::Ordering { metric, lower, upper, .. } => {
            let (lower, upper) = (rows.values(metric, lower)?, rows.values(metric, upper)?);
            let pairs = pairs(&upper, &lower)?;
            let differences: Vec<f64> = pairs.iter().map(|(upper, lower)| upper - lower).collect();
            let mut value = Value::of(&differences, range, rows.planned())?;
            value.reason =
                format!("{} against {}; {}", mean(&pairs, |p| p.1), mean(&pairs, |p| p.0), value.reason);
            Ok(value)
        }
        Predicate::RatioRange { metric, over_metric, of, over, .. } => {
            let above = rows.values(metric, of)?;
            let below = rows.values(over_metric.as_deref().unwrap_or(metric), over)?;
            ratio(&pairs(&above, &below)?, range, rows.planned())
        }
        Predicate::Bound { metric, .. } => {
            let values: Vec<f64> = rows.values(metric, &Filter::new())?.into_values().collect();
            Value::of(&values, range, rows.planned())
        }
        _ => Err("not a comparison of single values".to_owned()),
    }
}

fn ratio(pairs: &[(f64, f64)], range: &Range, planned: usize) -> Result<Value, String> {
    let ratios: Vec<f64> =
        pairs.iter().filter(|(_, below)| *below != 0.0).map(|(above, below)| above / below).collect();
    if ratios.is_empty() {
        return Err("the denominator is 0".to_owned());
    }
    let mut value = Value::of(&ratios, range, planned)?;
    value.reason = format!("{} over {}; {}", mean(pairs, |p| p.0), mean(pairs, |p| p.1), value.reason);
    let zero = pairs.len() - ratios.len();
    if zero > 0 {
        value.reason.push_str(&format!("; denominator 0 in {zero}"));
    }
    Ok(value)
}

/// The values of the replications that both have.
fn pairs(a: &BTreeMap<i64, f64>, b: &BTreeMap<i64, f64>) -> Result<Vec<(f64, f64)>, String> {
    let pairs: Vec<(f64, f64)> =
        a.iter().filter_map(|(replication, a)| b.get(replication).map(|b| (*a, *b))).collect();
    if pairs.is_empty() { Err("the two cases have no replication in common".to_owned()) } else { Ok(pairs) }
}

fn mean(pairs: &[(f64, f64)], of: impl Fn(&(f64, f64)) -> f64) -> String {
    mean_text(&pairs.iter().map(of).collect::<Vec<f64>>())
}
