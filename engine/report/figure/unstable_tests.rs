#![allow(clippy::unwrap_used)]

use super::draw;
use std::sync::Arc;
use table::{Column, Except, FigureKind, FigureSpec, Filter, Frame};

/// Series, x, unstable replications, mean.
type Row = (&'static str, f64, i64, Option<f64>);

const CURVES: [Row; 8] = [
    ("DynamicComm", 6.0, 3, None),
    ("DynamicComm", 8.0, 1, None),
    ("DynamicComm", 10.0, 0, Some(9.0)),
    ("DynamicComm", 20.0, 0, Some(3.0)),
    ("FixedPenalty", 6.0, 2, None),
    ("FixedPenalty", 8.0, 0, Some(6.0)),
    ("FixedPenalty", 10.0, 3, None),
    ("FixedPenalty", 20.0, 0, Some(5.0)),
];

fn summary(metric: &str, rows: &[Row]) -> Frame {
    let end = |factor: f64| rows.iter().map(|row| row.3.map(|mean| mean * factor)).collect();
    Frame::from_columns(vec![
        Column::constant("mode", "model", rows.len()),
        Column::text("scheme", rows.iter().map(|row| Some(Arc::from(row.0))).collect()),
        Column::real("x", rows.iter().map(|row| Some(row.1)).collect()),
        Column::constant("metric", metric, rows.len()),
        Column::int("n", rows.iter().map(|row| Some(3 - row.2)).collect()),
        Column::int("unstable", rows.iter().map(|row| Some(row.2)).collect()),
        Column::real("mean", rows.iter().map(|row| row.3).collect()),
        Column::real("ci_low", end(0.9)),
        Column::real("ci_high", end(1.1)),
    ])
    .unwrap()
}

fn spec(metric: &str, kind: FigureKind, log_y: bool) -> FigureSpec {
    FigureSpec {
        id: "fig".to_owned(),
        title: "Turnaround and bandwidth".to_owned(),
        kind,
        x: "x".to_owned(),
        x_label: Some("bandwidth of a link / that of a node".to_owned()),
        y: metric.to_owned(),
        y_label: "mean turnaround".to_owned(),
        y_divisor: 1.0,
        normalise_by: None,
        log_y,
        series: vec!["scheme".to_owned()],
        panels: Vec::new(),
        only: Filter::new(),
        except: Except::new(),
    }
}

fn svg(metric: &str, kind: FigureKind, log_y: bool, rows: &[Row]) -> String {
    let axes = ["scheme", "x"].map(str::to_owned);
    let figures = draw(&spec(metric, kind, log_y), &summary(metric, rows), None, &axes).unwrap();
    let [figure] = &figures[..] else { panic!("one mode") };
    figure.svg.clone()
}

/// The heads of arrows in one of the two sizes that a mark has, as the x of their tips in whole pixels.
fn tips(svg: &str) -> Vec<i64> {
    let triangle = |part: &str| -> Option<i64> {
        let points: Vec<(f64, f64)> = part
            .split('"')
            .next()?
            .split_whitespace()
            .filter_map(|pair| pair.split_once(','))
            .map(|(x, y)| (x.parse().unwrap_or(0.0), y.parse().unwrap_or(0.0)))
            .collect();
        let [tip, right, left] = points[..] else { return None };
        // 4.2 pixels to either side, in quarters.
        let is_head = right.1 == left.1 && (right.0 - left.0 - 33.6).abs() < 1.1 && tip.1 < right.1;
        is_head.then_some((tip.0 / 4.0) as i64)
    };
    svg.split("<polygon").filter_map(|part| triangle(part.split("points=\"").nth(1)?)).collect()
}

#[test]
fn unstable_points_are_arrows_and_the_legend_says_so() {
    for kind in [FigureKind::Lines, FigureKind::Bars] {
        let svg = svg("mean_response_s", kind, false, &CURVES);
        // Four in the plot, two of which share an x and stand side by side, and one in the legend.
        let mut tips = tips(&svg);
        assert_eq!(tips.len(), 5, "{tips:?}");
        tips.sort_unstable();
        tips.dedup();
        assert_eq!(tips.len(), 5, "no two in one place");
        assert_eq!(svg.matches("unstable").count(), 1);
        assert!(svg.contains("means of 3 replications"));
    }
    let stable: Vec<Row> = CURVES.into_iter().filter(|row| row.2 == 0).collect();
    let svg = svg("mean_response_s", FigureKind::Lines, false, &stable);
    assert!(tips(&svg).is_empty() && !svg.contains("unstable"));
}

#[test]
fn lines_break_where_they_are_unstable() {
    let curves = |svg: &str| {
        let lines = svg.split("<polyline").skip(1);
        lines.filter(|line| !line.contains("#FFFFFF")).count()
    };
    // DynamicComm from 10 to 20 is one line; the two points of FixedPenalty have an unstable one between them.
    let broken = curves(&svg("mean_response_s", FigureKind::Lines, false, &CURVES));
    let mut whole = CURVES;
    whole[6] = ("FixedPenalty", 10.0, 0, Some(5.5));
    let whole = curves(&svg("mean_response_s", FigureKind::Lines, false, &whole));
    assert!(whole > broken, "{whole} lines, {broken} where one is broken");
}

#[test]
fn a_figure_may_be_unstable_as_a_whole() {
    let rows = [("DynamicComm", 6.0, 3, None), ("DynamicComm", 8.0, 1, None)];
    for log_y in [false, true] {
        assert_eq!(tips(&svg("mean_response_s", FigureKind::Lines, log_y, &rows)).len(), 3);
    }
}

#[test]
fn what_does_not_grow_without_end_is_left_out_and_counted() {
    let svg = svg("utilization", FigureKind::Lines, false, &CURVES);
    assert!(tips(&svg).is_empty());
    assert!(svg.contains("4 values of"));
}
