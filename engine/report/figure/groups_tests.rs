#![allow(clippy::unwrap_used)]

use super::draw_groups;
use std::sync::Arc;
use table::{Column, Except, FigureKind, FigureSpec, Filter, Frame};

fn groups(workloads: &[&'static str]) -> Frame {
    const GROUPS: [(&str, f64); 3] = [("<= 10 kB", 1.0), ("<= 30 kB", 2.0), ("> 30 kB", 1.0)];
    let rows = || {
        workloads.iter().flat_map(move |name| {
            (0..2_i64)
                .flat_map(move |replication| GROUPS.iter().map(move |group| (*name, replication, group)))
        })
    };
    let text = |name: &str, cells: Vec<&str>| {
        Column::text(name, cells.into_iter().map(|cell| Some(Arc::from(cell))).collect())
    };
    Frame::from_columns(vec![
        text("mode", rows().map(|_| "model").collect()),
        text("workload", rows().map(|row| row.0).collect()),
        Column::int("replication", rows().map(|row| Some(row.1)).collect()),
        text("grouping", rows().map(|_| "memory").collect()),
        text("group", rows().map(|row| row.2.0).collect()),
        Column::real("jobs", rows().map(|row| Some(row.2.1)).collect()),
    ])
    .unwrap()
}

fn spec(series: &[&str]) -> FigureSpec {
    FigureSpec {
        id: "figure18".to_owned(),
        title: "Memory".to_owned(),
        kind: FigureKind::Cumulative,
        x: "memory".to_owned(),
        x_label: Some("memory of a node [kB]".to_owned()),
        y: "jobs".to_owned(),
        y_label: "share of the jobs".to_owned(),
        y_divisor: 1.0,
        normalise_by: None,
        log_y: false,
        series: series.iter().map(|name| (*name).to_owned()).collect(),
        panels: Vec::new(),
        only: Filter::new(),
        except: Except::new(),
    }
}

#[test]
fn shares_add_up_to_each_bound() {
    let axes = ["workload".to_owned()];
    let rows = groups(&["logged", "drawn"]);
    let curves = super::groups::curves(&spec(&["workload"]), &rows, &axes).unwrap();
    let points: Vec<(f64, f64)> =
        super::groups::points(&curves[0].1).iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(points, [(10.0, 0.25), (30.0, 0.75)]);
    let figures = draw_groups(&spec(&["workload"]), &rows, &axes).unwrap();
    assert_eq!(figures[0].file_name, "figure18-model.svg");
    for text in ["logged", "drawn", "share of the jobs", "means of 2 replications"] {
        assert!(figures[0].svg.contains(text), "{text}");
    }
}

#[test]
fn two_cases_on_one_curve_and_no_case_are_errors() {
    let axes = ["workload".to_owned()];
    let problem = draw_groups(&spec(&[]), &groups(&["logged", "drawn"]), &axes).unwrap_err().to_string();
    assert!(problem.contains("more than one value of jobs at memory <= 10 kB; fix workload"), "{problem}");
    let mut nothing = spec(&["workload"]);
    nothing.only.insert("workload".to_owned(), "other".to_owned());
    let problem = draw_groups(&nothing, &groups(&["logged"]), &axes).unwrap_err().to_string();
    assert!(problem.contains("nothing to draw") && problem.contains("jobs by memory"), "{problem}");
}

#[test]
fn a_metric_is_shown_group_by_group() {
    let axes = ["workload".to_owned()];
    let mut by_group = spec(&["workload"]);
    (by_group.kind, by_group.y_divisor) = (FigureKind::Groups, 2.0);
    let rows = groups(&["logged", "drawn"]);
    let curves = super::groups::curves(&by_group, &rows, &axes).unwrap();
    let labels = ["<= 10 kB", "<= 20 kB", "<= 30 kB", "> 30 kB"].map(str::to_owned);
    let points: Vec<(f64, f64)> = super::groups::group_points(&curves[0].1, &labels, 2.0)
        .iter()
        .map(|point| (point.x, point.y))
        .collect();
    assert_eq!(points, [(0.0, 0.5), (2.0, 1.0), (3.0, 0.5)]);
    let figures = draw_groups(&by_group, &rows, &axes).unwrap();
    for text in ["logged", "drawn", "≤ 30 kB", "&gt; 30 kB"] {
        assert!(figures[0].svg.contains(text), "{text}: {}", figures[0].svg);
    }
    let boxes = |figure: &super::Figure| figure.svg.matches("<rect").count();
    let lines = boxes(&figures[0]);
    by_group.kind = FigureKind::GroupBars;
    let figures = draw_groups(&by_group, &rows, &axes).unwrap();
    let bars: usize =
        curves.iter().map(|(_, cases)| super::groups::group_points(cases, &labels, 2.0).len()).sum();
    assert!(boxes(&figures[0]) >= lines + bars && figures[0].svg.contains("≤ 30 kB"), "{}", figures[0].svg);
    by_group.kind = FigureKind::Groups;
    by_group.except.insert("workload".to_owned(), vec!["drawn".to_owned()]);
    by_group.series.clear();
    assert!(!draw_groups(&by_group, &rows, &axes).unwrap()[0].svg.contains("drawn"));
}
