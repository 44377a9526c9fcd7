#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::draw;
use crate::error::ReportError;
use std::sync::Arc;
use table::{Column, Except, FigureKind, FigureSpec, Filter, Frame};

/// A summary row: mode, trace, allocator, speed-up, replications, mean of `wait_s`.
type Row = (&'static str, &'static str, &'static str, f64, i64, Option<f64>);

fn summary(rows: &[Row]) -> Frame {
    let text = |name: &str, of: &dyn Fn(&Row) -> &'static str| {
        Column::text(name, rows.iter().map(|row| Some(Arc::from(of(row)))).collect())
    };
    let end = |sign: f64| {
        let several = |row: &Row| row.5.filter(|_| row.4 > 1).map(|mean| mean * (1.0 + sign * 0.1));
        rows.iter().map(several).collect()
    };
    Frame::from_columns(vec![
        text("mode", &|row| row.0),
        text("trace", &|row| row.1),
        text("allocator", &|row| row.2),
        Column::real("speedup", rows.iter().map(|row| Some(row.3)).collect()),
        text("metric", &|_| "wait_s"),
        Column::int("n", rows.iter().map(|row| Some(row.4)).collect()),
        Column::int("unstable", vec![Some(0); rows.len()]),
        Column::real("mean", rows.iter().map(|row| row.5).collect()),
        Column::real("ci_low", end(-1.0)),
        Column::real("ci_high", end(1.0)),
    ])
    .unwrap()
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (mode, n) in [("trace", 1), ("twin", 5)] {
        for (trace, scale) in [("A & B", 600.0), ("<C>", 1200.0)] {
            rows.push((mode, trace, "Free", 0.0, n, Some(scale)));
            for (speedup, factor) in [(0.0, 8.0), (0.25, 2.0), (0.5, 0.5)] {
                rows.push((mode, trace, "Block", speedup, n, Some(scale * factor)));
            }
        }
    }
    rows
}

fn axes() -> Vec<String> {
    ["trace", "allocator", "speedup"].map(str::to_owned).to_vec()
}

fn filter(pairs: &[(&str, &str)]) -> Filter {
    pairs.iter().map(|(column, value)| ((*column).to_owned(), (*value).to_owned())).collect()
}

fn spec() -> FigureSpec {
    FigureSpec {
        id: "fig".to_owned(),
        title: "Waits & <totals>".to_owned(),
        kind: FigureKind::Lines,
        x: "speedup".to_owned(),
        x_label: None,
        y: "wait_s".to_owned(),
        y_label: "mean wait (min)".to_owned(),
        y_divisor: 60.0,
        normalise_by: None,
        log_y: false,
        series: vec!["trace".to_owned(), "allocator".to_owned()],
        panels: Vec::new(),
        only: Filter::new(),
        except: Except::new(),
    }
}

fn count(svg: &str, text: &str) -> usize {
    svg.matches(text).count()
}

/// The texts of a document in order, unescaped; only the content of `<text>` elements.
fn texts(svg: &str) -> Vec<String> {
    let content = |part: &str| {
        part.split_once('>').and_then(|(_, rest)| rest.split_once("</text>")).map(|p| p.0.trim().to_owned())
    };
    svg.split("<text").skip(1).filter_map(content).collect()
}

/// Every opened element is closed in order, and no attribute or text holds a bare angle bracket or ampersand.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap()),
        }
        assert_eq!(count(tag, "\"") % 2, 0, "{tag}");
        for entity in text.split('&').skip(1) {
            assert!(
                ["amp;", "lt;", "gt;", "quot;", "apos;"].iter().any(|known| entity.starts_with(known)),
                "{text}"
            );
        }
        assert!(!text.contains('>'), "{text}");
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The numbers in the attributes of a document that place things.
fn coordinates(svg: &str) -> Vec<(f64, f64)> {
    let of = |list: &str| -> Vec<(f64, f64)> {
        let pair = |pair: &str| pair.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()));
        list.split_whitespace().filter_map(pair).collect()
    };
    svg.split("points=\"").skip(1).flat_map(|part| of(part.split('"').next().unwrap())).collect()
}

#[test]
fn each_mode_gets_its_file_and_says_what_it_is() {
    let figures = draw(&spec(), &summary(&rows()), None, &axes()).unwrap();
    let names: Vec<&str> = figures.iter().map(|figure| figure.file_name.as_str()).collect();
    assert_eq!(names, ["fig-trace.svg", "fig-twin.svg"]);
    assert!(texts(&figures[0].svg).contains(&"trace · one run per point".to_owned()));
    let twin = "twin (synthetic stand-in) · means of 5 replications with 95 % intervals".to_owned();
    assert!(texts(&figures[1].svg).contains(&twin));
}

#[test]
fn lines_level_lines_and_labels_are_all_there() {
    let svg = &draw(&spec(), &summary(&rows()), None, &axes()).unwrap()[0].svg;
    assert_well_formed(svg);
    let polylines: Vec<usize> = svg
        .split("points=\"")
        .enumerate()
        .skip(1)
        .filter(|(index, _)| svg.split("points=\"").nth(index - 1).unwrap().contains("<polyline"))
        .map(|(_, part)| part.split('"').next().unwrap().split_whitespace().count())
        .collect();
    assert_eq!(polylines.iter().filter(|points| **points == 3).count(), 2, "two curves of three points");
    assert!(polylines.iter().filter(|points| **points == 2).count() > 40, "two dashed level lines");
    let texts = texts(svg);
    for label in ["A &amp; B · Free", "A &amp; B · Block", "&lt;C&gt; · Free", "&lt;C&gt; · Block"] {
        assert_eq!(texts.iter().filter(|text| *text == label).count(), 1, "{label} in {texts:?}");
    }
    for label in ["Waits &amp; &lt;totals&gt;", "speedup", "mean wait (min)", "0.00", "0.50", "0", "200"] {
        assert!(texts.iter().any(|text| text == label), "{label} in {texts:?}");
    }
    assert!(svg.contains("<title>Waits &amp; &lt;totals&gt; — trace</title>"));
}

#[test]
fn nothing_is_drawn_outside_the_page() {
    for log_y in [false, true] {
        for panels in [vec![], vec!["trace".to_owned()]] {
            let series = vec!["allocator".to_owned()];
            let spec = FigureSpec {
                log_y,
                series: if panels.is_empty() { spec().series } else { series },
                panels,
                ..spec()
            };
            let svg = &draw(&spec, &summary(&rows()), None, &axes()).unwrap()[1].svg;
            let number = |name: &str| -> f64 {
                svg.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
            };
            let (width, height) = (number("width") * 4.0, number("height") * 4.0);
            for (x, y) in coordinates(svg) {
                assert!(
                    (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
                    "{x}, {y} on {width} × {height}"
                );
            }
        }
    }
}

#[test]
fn the_same_table_gives_the_same_bytes() {
    let draw = || draw(&spec(), &summary(&rows()), None, &axes()).unwrap();
    assert_eq!(draw(), draw());
}

#[test]
fn a_page_is_white_beneath_and_uses_no_other_fonts() {
    let svg = &draw(&spec(), &summary(&rows()), None, &axes()).unwrap()[0].svg;
    let first = svg.split("<rect").nth(1).unwrap();
    assert!(first.contains("x=\"0\" y=\"0\"") && first.contains("fill=\"#FFFFFF\""), "{first}");
    assert_eq!(count(svg, "font-family=\"Helvetica, Arial"), count(svg, "<text"));
}

#[test]
fn bars_have_intervals_and_can_be_normalised() {
    let spec = FigureSpec {
        kind: FigureKind::Bars,
        x: "trace".to_owned(),
        normalise_by: Some(filter(&[("allocator", "Free"), ("speedup", "0")])),
        y_divisor: 1.0,
        series: vec!["allocator".to_owned()],
        only: filter(&[("speedup", "0")]),
        ..spec()
    };
    let figures = draw(&spec, &summary(&rows()), None, &axes()).unwrap();
    let svg = &figures[1].svg;
    assert_well_formed(svg);
    // Page, four bars, two legend entries.
    assert_eq!(count(svg, "<rect"), 7);
    let heights: Vec<f64> = svg
        .split("<rect")
        .skip(2)
        .map(|part| part.split_once(" height=\"").unwrap().1.split('"').next().unwrap().parse().unwrap())
        .collect();
    let (free, block) = (&heights[..2], &heights[2..4]);
    assert_eq!((free[0], block[0]), (free[1], block[1]), "both traces have the same ratio");
    assert!((block[0] / free[0] - 8.0).abs() < 0.1, "eight times as high, not {}", block[0] / free[0]);
    assert!(texts(svg).contains(&"A &amp; B".to_owned()));
}

#[test]
fn a_level_case_normalises_a_whole_curve() {
    let spec = FigureSpec {
        normalise_by: Some(filter(&[("allocator", "Free")])),
        y_divisor: 1.0,
        only: filter(&[("allocator", "Block")]),
        ..spec()
    };
    let svg = &draw(&spec, &summary(&rows()), None, &axes()).unwrap()[0].svg;
    let texts = texts(svg);
    assert!(texts.contains(&"8".to_owned()) && !texts.contains(&"20".to_owned()), "{texts:?}");
    let nothing = FigureSpec { normalise_by: Some(filter(&[("allocator", "None")])), ..spec };
    assert!(matches!(draw(&nothing, &summary(&rows()), None, &axes()), Err(ReportError::NoBaseline { .. })));
}

#[test]
fn series_can_be_left_out() {
    let except = Except::from([("allocator".to_owned(), vec!["Block".to_owned()])]);
    let spec =
        FigureSpec { series: vec!["allocator".to_owned()], only: filter(&[("trace", "<C>")]), ..spec() };
    let names = |spec: &FigureSpec| texts(&draw(spec, &summary(&rows()), None, &axes()).unwrap()[0].svg);
    assert!(names(&spec).contains(&"Block".to_owned()));
    let fewer = names(&FigureSpec { except, ..spec });
    assert!(fewer.contains(&"Free".to_owned()) && !fewer.contains(&"Block".to_owned()), "{fewer:?}");
    let unknown = Except::from([("alocator".to_owned(), vec!["Block".to_owned()])]);
    let problem = draw(&FigureSpec { except: unknown, ..self::spec() }, &summary(&rows()), None, &axes());
    assert!(matches!(problem, Err(ReportError::UnknownColumn { .. })));
}

#[test]
fn panels_share_a_scale_unless_values_are_far_apart() {
    let spec =
        FigureSpec { series: vec!["allocator".to_owned()], panels: vec!["trace".to_owned()], ..spec() };
    let svg = |rows: &[Row]| draw(&spec, &summary(rows), None, &axes()).unwrap().remove(0).svg;
    assert!(!svg(&rows()).contains("different scales"));
    let mut far = rows();
    for row in far.iter_mut().filter(|row| row.1 == "<C>") {
        row.5 = row.5.map(|mean| mean * 50.0);
    }
    assert!(svg(&far).contains("panels have different scales"));
    assert_eq!(
        texts(&svg(&far)).iter().filter(|text| *text == "Block").count(),
        1,
        "one legend for all panels"
    );
}

#[test]
fn what_a_log_axis_cannot_show_is_counted() {
    let mut rows = rows();
    rows[0].5 = Some(0.0);
    let spec = FigureSpec { log_y: true, ..spec() };
    let svg = &draw(&spec, &summary(&rows), None, &axes()).unwrap()[0].svg;
    assert!(svg.contains("1 value not above 0 is not shown"), "{:?}", texts(svg));
    let zero: Vec<Row> = rows.iter().map(|row| (row.0, row.1, row.2, row.3, row.4, Some(0.0))).collect();
    assert!(matches!(draw(&spec, &summary(&zero), None, &axes()), Err(ReportError::Drawing { .. })));
}

#[test]
fn a_mode_without_values_gets_no_figure() {
    let mut rows = rows();
    for row in rows.iter_mut().filter(|row| row.0 == "trace") {
        row.5 = None;
    }
    let figures = draw(&spec(), &summary(&rows), None, &axes()).unwrap();
    assert_eq!(figures.len(), 1);
    assert_eq!(figures[0].file_name, "fig-twin.svg");
    rows.iter_mut().for_each(|row| row.5 = None);
    assert!(matches!(draw(&spec(), &summary(&rows), None, &axes()), Err(ReportError::Empty { .. })));
}

#[test]
fn mistakes_in_a_figure_are_named() {
    let message = |spec: FigureSpec| draw(&spec, &summary(&rows()), None, &axes()).unwrap_err().to_string();
    assert_eq!(
        message(FigureSpec { series: vec!["allocator".to_owned()], ..spec() }),
        "figure `fig` has more than one value of wait_s at Free, speedup 0; fix trace in `only`, or put it into \
         `series` or `panels`"
    );
    assert!(
        message(FigureSpec { x: "speed".to_owned(), ..spec() })
            .contains("column `speed`, which the summary lacks")
    );
    assert!(message(FigureSpec { x: "trace".to_owned(), ..spec() }).contains("does not hold numbers"));
    let nowhere = FigureSpec { only: filter(&[("trace", "none")]), ..spec() };
    assert!(message(nowhere).contains("no row of the summary has wait_s with trace=none"));
}

#[test]
fn many_series_and_long_names_still_fit() {
    let names = [
        "A first name that is long enough to be a sentence of its own",
        "B",
        "C",
        "D",
        "E",
        "F",
        "G",
        "H",
        "I",
    ];
    let mut rows: Vec<Row> = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        for speedup in [0.0, 0.1, 0.2] {
            rows.push((
                "twin",
                name,
                "Block",
                speedup,
                5,
                Some(100.0 + 10.0 * index as f64 - 50.0 * speedup),
            ));
        }
    }
    let svg = &draw(&spec(), &summary(&rows), None, &axes()).unwrap()[0].svg;
    for name in names {
        assert!(texts(svg).iter().any(|text| text == &format!("{name} · Block")), "{name} is in the legend");
    }
}

/// The comparisons table of the summary's blocks: ratios that are not the quotient of the means.
fn ratios(n: i64, ratio: Option<f64>) -> Frame {
    let blocks: Vec<Row> = rows().into_iter().filter(|row| row.2 == "Block").collect();
    let text = |name: &str, of: &dyn Fn(&Row) -> &'static str| {
        Column::text(name, blocks.iter().map(|row| Some(Arc::from(of(row)))).collect())
    };
    let reals = |name: &str, value: Option<f64>| Column::real(name, vec![value; blocks.len()]);
    Frame::from_columns(vec![
        text("mode", &|row| row.0),
        text("trace", &|row| row.1),
        text("allocator", &|row| row.2),
        Column::real("speedup", blocks.iter().map(|row| Some(row.3)).collect()),
        text("metric", &|_| "wait_s"),
        Column::int("n", vec![Some(n); blocks.len()]),
        reals("mean_ratio", ratio),
        reals("ratio_ci_low", ratio.map(|ratio| ratio - 0.5)),
        reals("ratio_ci_high", ratio.map(|ratio| ratio + 0.5)),
    ])
    .unwrap()
}

fn normalised_bars() -> FigureSpec {
    FigureSpec {
        kind: FigureKind::Bars,
        x: "trace".to_owned(),
        normalise_by: Some(filter(&[("allocator", "Free"), ("speedup", "0")])),
        y_divisor: 1.0,
        log_y: true,
        series: vec!["allocator".to_owned()],
        only: filter(&[("speedup", "0"), ("allocator", "Block")]),
        ..spec()
    }
}

#[test]
fn a_normalised_figure_shows_the_paired_ratios_of_the_comparisons() {
    let spec = normalised_bars();
    let points = |ratios: Option<&Frame>| -> Vec<(f64, Option<(f64, f64)>)> {
        let pictures = super::data::pictures(&spec, &summary(&rows()), ratios, &axes()).unwrap();
        pictures[1].points().map(|point| (point.y, point.interval)).collect()
    };
    assert_eq!(points(Some(&ratios(5, Some(9.0)))), vec![(9.0, Some((8.5, 9.5))); 2]);
    // Without pairs the means are divided.
    assert_eq!(points(Some(&ratios(0, None))).iter().map(|point| point.0).collect::<Vec<_>>(), [8.0, 8.0]);
    assert_eq!(points(None).iter().map(|point| point.0).collect::<Vec<_>>(), [8.0, 8.0]);
    // A denominator of zero in one replication leaves no ratio, as in the claims.
    let none = super::data::pictures(&spec, &summary(&rows()), Some(&ratios(5, None)), &axes());
    assert!(matches!(none, Err(ReportError::NoBaseline { .. })));
}

#[test]
fn logarithmic_bars_of_ratios_start_at_one() {
    let svg = |ratio: f64| {
        draw(&normalised_bars(), &summary(&rows()), Some(&ratios(5, Some(ratio))), &axes())
            .unwrap()
            .remove(1)
            .svg
    };
    let bar = |svg: &str| -> (f64, f64) {
        let part = svg.split("<rect").nth(2).unwrap();
        let number = |name: &str| -> f64 {
            part.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
        };
        (number("y"), number("height"))
    };
    let bottom = |svg: &str| texts_at(svg).into_iter().find(|(text, _)| text == "1").unwrap().1;
    let (more, less) = (svg(4.0), svg(0.6));
    let ((top, height), one) = (bar(&more), bottom(&more));
    assert!((top + height - one).abs() < 24.0, "a bar of 4 ends below at 1: {top} + {height}, 1 is at {one}");
    let ((top, _), one) = (bar(&less), bottom(&less));
    assert!((top - one).abs() < 24.0, "a bar of 0.6 hangs from 1: {top}, 1 is at {one}");
}

/// The texts of a document with their vertical places.
fn texts_at(svg: &str) -> Vec<(String, f64)> {
    let parts = svg.split("<text").skip(1).filter_map(|part| {
        let (attributes, rest) = part.split_once('>')?;
        let y = attributes.split_once(" y=\"")?.1.split('"').next()?.parse().ok()?;
        Some((rest.split_once("</text>")?.0.trim().to_owned(), y))
    });
    parts.collect()
}

#[test]
fn intervals_of_what_is_never_negative_do_not_stretch_the_axis_below_zero() {
    let mut table = summary(&rows());
    let low = table.columns.iter_mut().find(|column| column.name == "ci_low").unwrap();
    low.cells = Column::real("ci_low", vec![Some(-9e5); low.cells.len()]).cells;
    let svg = draw(&spec(), &table, None, &axes()).unwrap().remove(1).svg;
    assert!(texts(&svg).iter().all(|text| !text.starts_with('−')), "{:?}", texts(&svg));
}
