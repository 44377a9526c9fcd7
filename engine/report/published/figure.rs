//! Bars drawn from published tables: what was measured, with its interval, beside what is printed.

use super::{Published, PublishedCell, PublishedTable};
use crate::error::ReportError;
use crate::figure::{Curve, Figure, Panel, Picture, Point, draw_picture};
use table::{Except, FigureKind, FigureSpec, Filter, TableFigureSpec};

/// Draws a figure from published tables, once per mode that has a value.
///
/// # Errors
/// If there is nothing to draw.
pub fn draw_published(spec: &TableFigureSpec, tables: &[Published<'_>]) -> Result<Vec<Figure>, ReportError> {
    let chosen: Vec<(&Published<'_>, &str)> = spec
        .tables
        .iter()
        .filter_map(|(id, label)| Some((tables.iter().find(|table| table.spec.id == *id)?, label.as_str())))
        .collect();
    let mut modes: Vec<&str> = Vec::new();
    for mode in chosen.iter().flat_map(|(table, _)| &table.modes) {
        if !modes.contains(&mode.mode.as_str()) {
            modes.push(&mode.mode);
        }
    }
    let page = page_of(spec, &chosen);
    let pictures = modes.into_iter().map(|mode| picture(spec, &chosen, mode));
    let drawn: Vec<Figure> = pictures
        .filter(|picture| picture.points().next().is_some())
        .map(|picture| draw_picture(&page, &picture))
        .collect::<Result<_, _>>()?;
    if drawn.is_empty() {
        let (figure, metric) = (spec.id.clone(), spec.y_label.clone());
        let tables: Vec<&str> = spec.tables.iter().map(|(id, _)| id.as_str()).collect();
        return Err(ReportError::Empty { figure, metric, only: format!("tables {}", tables.join(", ")) });
    }
    Ok(drawn)
}

/// The page's texts, as a figure from the summary has them.
fn page_of(spec: &TableFigureSpec, chosen: &[(&Published<'_>, &str)]) -> FigureSpec {
    let heading = chosen.first().map(|(table, _)| table.spec.heading.clone());
    FigureSpec {
        id: spec.id.clone(),
        title: spec.title.clone(),
        kind: FigureKind::Bars,
        x: String::new(),
        x_label: spec.x_label.clone().or(heading),
        y: String::new(),
        y_label: spec.y_label.clone(),
        y_divisor: 1.0,
        normalise_by: None,
        log_y: false,
        series: Vec::new(),
        panels: Vec::new(),
        only: Filter::new(),
        except: Except::new(),
    }
}

/// The place of the first published series: its colours are paler ones of the first colours.
const PALE: usize = 4;

/// The names of the series by colour; those without a curve are not drawn.
fn series(spec: &TableFigureSpec) -> Vec<String> {
    let mut names: Vec<String> = spec.columns.iter().map(|(_, label)| label.clone()).collect();
    if spec.published {
        names.resize(PALE.max(names.len()), String::new());
        names.truncate(PALE);
        names.extend(spec.columns.iter().map(|(_, label)| format!("{label}, published")));
    }
    names
}

fn picture(spec: &TableFigureSpec, chosen: &[(&Published<'_>, &str)], mode: &str) -> Picture {
    let mut categories: Vec<String> = Vec::new();
    for row in chosen.iter().flat_map(|(table, _)| &table.spec.rows) {
        if !categories.contains(&row.label) {
            categories.push(row.label.clone());
        }
    }
    let series = series(spec);
    let (mut fewest, mut most) = (i64::MAX, 0);
    let mut panels = Vec::new();
    for (table, label) in chosen {
        let Some(found) = table.modes.iter().find(|found| found.mode == mode) else { continue };
        for cell in &found.cells {
            let n = i64::try_from(cell.sample.n).unwrap_or(i64::MAX);
            (fewest, most) = (fewest.min(n), most.max(n));
        }
        let curves = spec.columns.iter().enumerate().flat_map(|(at, (column, _))| {
            let measured = curve(table, found, &categories, column, at, measured);
            let printed = curve(table, found, &categories, column, PALE + at, printed);
            [Some(measured), spec.published.then_some(printed)].into_iter().flatten()
        });
        let curves = curves.filter(|curve| !curve.points.is_empty()).collect();
        panels.push(Panel { label: (*label).to_owned(), curves });
    }
    let replications = (fewest.min(most), most);
    Picture { mode: mode.to_owned(), series, panels, categories, replications, left_out: 0, undefined: 0 }
}

fn curve(
    table: &Published<'_>,
    found: &PublishedTable,
    categories: &[String],
    column: &str,
    series: usize,
    value: impl Fn(&PublishedCell) -> Option<(f64, Option<(f64, f64)>)>,
) -> Curve {
    let point = |cell: &PublishedCell| {
        let label = &table.spec.rows.get(cell.row)?.label;
        let here = table.spec.columns.get(cell.column).is_some_and(|found| found.label == column);
        let x = categories.iter().position(|category| category == label)?;
        let (y, interval) = value(cell).filter(|_| here)?;
        Some(Point { x: x as f64, y, interval })
    };
    let mut points: Vec<Point> = found.cells.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Curve { series, points, unstable: Vec::new() }
}

fn measured(cell: &PublishedCell) -> Option<(f64, Option<(f64, f64)>)> {
    Some((cell.sample.mean?, cell.sample.interval.map(|interval| (interval.low, interval.high))))
}

fn printed(cell: &PublishedCell) -> Option<(f64, Option<(f64, f64)>)> {
    Some((cell.published?, None))
}
