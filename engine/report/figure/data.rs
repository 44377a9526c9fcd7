//! What a figure shows: the summary's rows as panels, series and points.

use super::ratio::{Ratios, Value, cell_key};
use crate::claims::{cell_text, place};
use crate::error::ReportError;
use std::collections::BTreeMap;
use table::{FigureKind, FigureSpec, Filter, Frame, is_without_end};

/// One figure in one mode.
pub(crate) struct Picture {
    pub mode: String,
    /// Names of all series of the figure, in all modes and panels; a series' position decides its colour.
    pub series: Vec<String>,
    pub panels: Vec<Panel>,
    /// The categories on the x axis of a bar figure or one of groups.
    pub categories: Vec<String>,
    /// Fewest and most replications behind a point.
    pub replications: (i64, i64),
    /// Values without a normalising case.
    pub left_out: usize,
    /// Values that unstable runs do not have, of a metric that does not grow without end in them.
    pub undefined: usize,
}

/// The plot of one combination of panel values.
pub(crate) struct Panel {
    pub label: String,
    pub curves: Vec<Curve>,
}

/// The points of one series, x rising.
pub(crate) struct Curve {
    /// Position in [`Picture::series`].
    pub series: usize,
    pub points: Vec<Point>,
    /// Where it has no value because a replication is unstable, x rising.
    pub unstable: Vec<f64>,
}

impl Curve {
    /// The points in pieces between which nothing is unstable.
    pub fn pieces(&self) -> Vec<Vec<&Point>> {
        let mut pieces: Vec<Vec<&Point>> = Vec::new();
        for point in &self.points {
            let joined = pieces.last_mut().filter(|piece| {
                let last = piece.last().map_or(point.x, |last| last.x);
                !self.unstable.iter().any(|x| (last..=point.x).contains(x))
            });
            match joined {
                Some(piece) => piece.push(point),
                None => pieces.push(vec![point]),
            }
        }
        pieces
    }
}

/// A mean with its interval. For bars and groups, x is the position of the category.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
    pub interval: Option<(f64, f64)>,
}

impl Picture {
    /// Whether something is unstable.
    pub fn has_unstable(&self) -> bool {
        self.panels.iter().flat_map(|panel| &panel.curves).any(|curve| !curve.unstable.is_empty())
    }

    /// The x of all points of all panels, the unstable ones included.
    pub fn all_x(&self) -> impl Iterator<Item = f64> {
        let curves = self.panels.iter().flat_map(|panel| &panel.curves);
        curves
            .flat_map(|curve| curve.points.iter().map(|point| point.x).chain(curve.unstable.iter().copied()))
    }

    /// All points of all panels.
    pub fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.panels.iter().flat_map(Panel::points)
    }
}

impl Panel {
    /// All points.
    pub fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.curves.iter().flat_map(|curve| &curve.points)
    }
}

/// The figure's pictures, one per mode that has a value, modes in order of first appearance.
pub(super) fn pictures(
    spec: &FigureSpec,
    summary: &Frame,
    ratios: Option<&Frame>,
    axes: &[String],
) -> Result<Vec<Picture>, ReportError> {
    check_columns(spec, summary)?;
    let error = ReportError::table("summary");
    let metric = Filter::from([("metric".to_owned(), spec.y.clone())]);
    let rows = summary.select(&summary.filter(&metric).map_err(&error)?);
    let mut source = Source::new(spec, &rows, ratios, axes)?;
    let mut shown = Vec::new();
    let used = rows.filter(&spec.only).and_then(|used| rows.except(used, &spec.except));
    for row in used.map_err(&error)? {
        shown.extend(source.entry(row));
    }
    check_unique(&source, &shown)?;
    if shown.is_empty() && source.left_out.values().any(|count| *count > 0) {
        let case = spec.normalise_by.as_ref().map_or_else(String::new, |case| place(&[case]));
        return Err(ReportError::NoBaseline { figure: spec.id.clone(), case });
    }
    if shown.is_empty() {
        let only = place(&[&spec.only]);
        return Err(ReportError::Empty { figure: spec.id.clone(), metric: spec.y.clone(), only });
    }
    Ok(in_order(shown.iter().map(|entry| &entry.mode))
        .iter()
        .map(|mode| picture(&source, &shown, mode))
        .collect())
}

fn check_columns(spec: &FigureSpec, summary: &Frame) -> Result<(), ReportError> {
    let filters = [Some(&spec.only), spec.normalise_by.as_ref()];
    let filtered = filters.into_iter().flatten().flat_map(|filter| filter.keys());
    let named = [&spec.x].into_iter().chain(&spec.series).chain(&spec.panels).chain(filtered);
    for column in named.chain(spec.except.keys()) {
        if summary.column(column).is_none() {
            let known = summary.names().join(", ");
            return Err(ReportError::UnknownColumn {
                figure: spec.id.clone(),
                column: column.clone(),
                known,
            });
        }
    }
    if spec.kind == FigureKind::Lines && summary.real(&spec.x).is_err() {
        return Err(ReportError::NotNumeric { figure: spec.id.clone(), column: spec.x.clone() });
    }
    Ok(())
}

/// A row as a point of some panel and series.
struct Entry {
    row: usize,
    mode: String,
    panel: String,
    series: String,
    /// The x value as text.
    x: String,
    /// Nothing where a replication is unstable.
    y: Option<f64>,
    interval: Option<(f64, f64)>,
    n: i64,
}

/// The rows of the figure's metric, and the values that they are normalised by.
struct Source<'a> {
    spec: &'a FigureSpec,
    rows: &'a Frame,
    axes: &'a [String],
    mean: Vec<Option<f64>>,
    low: Vec<Option<f64>>,
    high: Vec<Option<f64>>,
    n: Vec<Option<f64>>,
    unstable: Vec<Option<f64>>,
    /// The normalising means by mode and other axis values; the second map leaves x out and holds a value only if there is one.
    at_x: BTreeMap<String, f64>,
    at_any_x: BTreeMap<String, Option<f64>>,
    left_out: BTreeMap<String, usize>,
    undefined: BTreeMap<String, usize>,
    ratios: Option<Ratios>,
}

impl<'a> Source<'a> {
    fn new(
        spec: &'a FigureSpec,
        rows: &'a Frame,
        ratios: Option<&Frame>,
        axes: &'a [String],
    ) -> Result<Source<'a>, ReportError> {
        let error = ReportError::table("summary");
        rows.text("mode").map_err(&error)?;
        let column = |name: &str| rows.real(name).map(|cells| cells.into_owned()).map_err(&error);
        let (mean, low, high, n) = (column("mean")?, column("ci_low")?, column("ci_high")?, column("n")?);
        let unstable = column("unstable")?;
        let (at_x, at_any_x) = (BTreeMap::new(), BTreeMap::new());
        let (left_out, undefined) = (BTreeMap::new(), BTreeMap::new());
        let ratios = ratios.map(|ratios| Ratios::read(ratios, &spec.y, axes)).transpose()?;
        let mut source = Source {
            spec,
            rows,
            axes,
            mean,
            low,
            high,
            n,
            unstable,
            at_x,
            at_any_x,
            left_out,
            undefined,
            ratios,
        };
        if let Some(case) = &spec.normalise_by {
            for row in rows.filter(case).map_err(&error)? {
                let Some(mean) = source.mean[row].filter(|mean| *mean != 0.0) else { continue };
                source.at_x.insert(source.baseline_key(row, case, true), mean);
                let any = source.baseline_key(row, case, false);
                source.at_any_x.entry(any).and_modify(|value| *value = None).or_insert(Some(mean));
            }
        }
        Ok(source)
    }

    fn printed(&self, column: &str, row: usize) -> String {
        let cells = self.rows.column(column).map(|column| &column.cells);
        cells.and_then(|cells| cell_text(cells, row)).unwrap_or_else(|| "(missing)".to_owned())
    }

    /// Mode and axis values of a row but for those that the normalising case fixes.
    fn baseline_key(&self, row: usize, case: &Filter, with_x: bool) -> String {
        let kept = |axis: &&String| !case.contains_key(*axis) && (with_x || **axis != self.spec.x);
        let values = self.axes.iter().filter(kept).map(|axis| self.printed(axis, row));
        std::iter::once(self.printed("mode", row)).chain(values).collect::<Vec<_>>().join("\u{1f}")
    }

    /// What a row's values are divided by; `None` if it cannot be shown.
    fn divisor(&self, row: usize) -> Option<f64> {
        let Some(case) = &self.spec.normalise_by else { return Some(self.spec.y_divisor) };
        let exact = self.at_x.get(&self.baseline_key(row, case, true)).copied();
        let any = || self.at_any_x.get(&self.baseline_key(row, case, false)).copied().flatten();
        exact.or_else(any).map(|baseline| baseline * self.spec.y_divisor)
    }

    fn entry(&mut self, row: usize) -> Option<Entry> {
        let mode = self.printed("mode", row);
        let unstable = self.unstable[row].filter(|runs| *runs > 0.0);
        let (y, interval, n) = match (self.mean[row], unstable) {
            (None, Some(unstable)) if is_without_end(&self.spec.y) => {
                (None, None, (self.n[row].unwrap_or(0.0) + unstable) as i64)
            }
            (None, Some(_)) => {
                *self.undefined.entry(mode).or_default() += 1;
                return None;
            }
            (mean, _) => match self.value(row, mean?) {
                Some(Value { mean, interval, n }) => (Some(mean), interval, n),
                None => {
                    *self.left_out.entry(mode).or_default() += 1;
                    return None;
                }
            },
        };
        Some(Entry {
            row,
            mode,
            panel: self.joined(&self.spec.panels, row),
            series: self.joined(&self.spec.series, row),
            x: self.printed(&self.spec.x, row),
            y,
            interval,
            n,
        })
    }

    /// What is shown for a row: its mean over the divisor, or where replications were paired the mean of their ratios.
    fn value(&self, row: usize, mean: f64) -> Option<Value> {
        let n = self.n[row].unwrap_or(0.0) as i64;
        let ratio = self.ratios.as_ref().map(|ratios| ratios.of.get(&cell_key(self.rows, self.axes, row)));
        match ratio {
            Some(Some(ratio)) if ratio.n > 0 => return Some(ratio.value?.over(self.spec.y_divisor)),
            // The normalising case itself.
            Some(None) => {
                let one = self.divisor(row).filter(|divisor| *divisor != 0.0)?;
                return Some(Value { mean: mean / one, interval: None, n });
            }
            _ => {}
        }
        let divisor = self.divisor(row).filter(|divisor| *divisor != 0.0)?;
        Some(Value { mean, interval: self.low[row].zip(self.high[row]), n }.over(divisor))
    }

    fn joined(&self, columns: &[String], row: usize) -> String {
        let value = |column: &String| {
            let value = self.printed(column, row);
            // A bare number or flag says nothing without its column's name.
            let bare = value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
            if bare { format!("{column} {value}") } else { value }
        };
        columns.iter().map(value).collect::<Vec<_>>().join(" · ")
    }
}

fn check_unique(source: &Source<'_>, shown: &[Entry]) -> Result<(), ReportError> {
    let mut seen: BTreeMap<[&str; 4], usize> = BTreeMap::new();
    for entry in shown {
        let key = [entry.mode.as_str(), &entry.panel, &entry.series, &entry.x];
        let Some(other) = seen.insert(key, entry.row) else { continue };
        let differs = |axis: &&String| source.printed(axis, other) != source.printed(axis, entry.row);
        let columns: Vec<&str> = source.axes.iter().filter(differs).map(String::as_str).collect();
        let place = [entry.panel.as_str(), &entry.series, &format!("{} {}", source.spec.x, entry.x)]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        return Err(ReportError::Ambiguous {
            figure: source.spec.id.clone(),
            metric: source.spec.y.clone(),
            place,
            columns: columns.join(", "),
        });
    }
    Ok(())
}

fn picture(source: &Source<'_>, shown: &[Entry], mode: &str) -> Picture {
    let series = in_order(shown.iter().map(|entry| &entry.series));
    let of_mode: Vec<&Entry> = shown.iter().filter(|entry| entry.mode == mode).collect();
    let categories = match source.spec.kind {
        FigureKind::Bars => sorted(in_order(of_mode.iter().map(|entry| &entry.x))),
        _ => Vec::new(),
    };
    // A case without the axis is a level line, which has no position of its own.
    let first = of_mode.iter().filter_map(|entry| entry.x.parse::<f64>().ok()).reduce(f64::min);
    let position = |entry: &Entry| match source.spec.kind {
        FigureKind::Bars => categories.iter().position(|category| *category == entry.x).unwrap_or(0) as f64,
        _ => entry.x.parse().ok().or(first).unwrap_or(0.0),
    };
    let curve = |label: &str, number: usize, name: &String| {
        let here = of_mode.iter().filter(|entry| entry.panel == label && entry.series == *name);
        let (mut points, mut unstable) = (Vec::new(), Vec::new());
        for entry in here {
            match entry.y {
                Some(y) => points.push(Point { x: position(entry), y, interval: entry.interval }),
                None => unstable.push(position(entry)),
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        unstable.sort_by(f64::total_cmp);
        Curve { series: number, points, unstable }
    };
    let panels = in_order(of_mode.iter().map(|entry| &entry.panel))
        .into_iter()
        .map(|label| {
            let curves = series.iter().enumerate().map(|(number, name)| curve(&label, number, name));
            Panel {
                curves: curves
                    .filter(|curve| !curve.points.is_empty() || !curve.unstable.is_empty())
                    .collect(),
                label,
            }
        })
        .collect();
    let fewest = of_mode.iter().map(|entry| entry.n).min().unwrap_or(0);
    let most = of_mode.iter().map(|entry| entry.n).max().unwrap_or(0);
    let [left_out, undefined] =
        [&source.left_out, &source.undefined].map(|count| count.get(mode).copied().unwrap_or(0));
    let replications = (fewest, most);
    Picture { mode: mode.to_owned(), series, panels, categories, replications, left_out, undefined }
}

/// The distinct values in order of first appearance.
pub(crate) fn in_order<'a>(values: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for value in values {
        if !distinct.contains(value) {
            distinct.push(value.clone());
        }
    }
    distinct
}

/// Categories that are all numbers, by value; others as they are.
fn sorted(mut categories: Vec<String>) -> Vec<String> {
    if categories.iter().all(|category| category.parse::<f64>().is_ok()) {
        let value = |category: &String| category.parse::<f64>().unwrap_or(0.0);
        categories.sort_by(|a, b| value(a).total_cmp(&value(b)));
    }
    categories
}
