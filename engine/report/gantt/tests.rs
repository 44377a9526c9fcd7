//! Charts as documents.

use super::picture::Picture;
use super::{Chart, Class, Colouring, Job, Kind, Piece, Swap, View};
use proptest::prelude::*;

const SECOND: i64 = 1_000_000;

fn piece(job: usize, nodes: (u32, u32), seconds: (i64, i64), kind: Kind) -> Piece {
    let (first, last) = nodes;
    Piece { job, first, last, from_us: seconds.0 * SECOND, to_us: seconds.1 * SECOND, kind }
}

fn job(id: u64, class: Class, [submit, start, end]: [i64; 3]) -> Job {
    let [submit_us, start_us, end_us] = [submit, start, end].map(|time| time * SECOND);
    Job { id, class, size: 1, submit_us, start_us: Some(start_us), end_us, ..Job::default() }
}

/// Job 7 runs on nodes 0, 1 and 3, is suspended at 40, loses memory at 50, loads from 80 to 90 and runs to 100; job 8 is between.
fn chart() -> Chart {
    let times = [((0, 40), Kind::Running), ((80, 90), Kind::Loading), ((90, 100), Kind::Running)];
    let of_seven =
        times.iter().flat_map(|(time, kind)| [(0, 1), (3, 3)].map(|nodes| piece(0, nodes, *time, *kind)));
    let mut pieces: Vec<Piece> = of_seven.collect();
    pieces.push(piece(1, (0, 3), (40, 80), Kind::Running));
    Chart {
        title: "Two jobs".to_owned(),
        facts: vec!["four nodes".to_owned()],
        nodes: 4,
        classes: ["below 600 s".to_owned(), String::new(), "above 10,800 s".to_owned()],
        jobs: vec![job(7, Class::Long, [0, 0, 100]), job(8, Class::Short, [0, 40, 80])],
        pieces,
        swaps: vec![Swap { job: 0, at_us: 50 * SECOND, charge_us: 10 * SECOND }],
        slices: vec![
            (0, "long".to_owned()),
            (40 * SECOND, "short".to_owned()),
            (80 * SECOND, "long".to_owned()),
        ],
    }
}

fn view(from: i64, to: i64) -> View {
    View { from_us: from * SECOND, to_us: to * SECOND, colouring: Colouring::Class }
}

/// The fills, titles and rectangles (left, top, width, height) of the paths in a group of the document.
fn paths(svg: &str, group: &str) -> Vec<(String, String, Vec<[f64; 4]>)> {
    let Some((_, rest)) = svg.split_once(&format!("<g id=\"{group}\"")) else { return Vec::new() };
    let body = rest.split("</g>").next().unwrap_or_default();
    let part = |line: &str, from: &str, to: char| {
        line.split_once(from).and_then(|(_, rest)| rest.split(to).next()).unwrap_or_default().to_owned()
    };
    let of_line = |line: &str| {
        let data = part(line, " d=\"", '"');
        (part(line, "fill=\"", '"'), part(line, "<title>", '<'), rectangles(&data))
    };
    body.lines().filter(|line| line.starts_with("<path")).map(of_line).collect()
}

fn rectangles(data: &str) -> Vec<[f64; 4]> {
    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
    let rectangle = |text: &str| {
        let parts: Vec<f64> = text.split([' ', 'h', 'v']).map(number).collect();
        [parts[0], parts[1], parts[2], parts[3]]
    };
    data.split('M').skip(1).map(rectangle).collect()
}

#[track_caller]
fn assert_close(found: [f64; 4], expected: [f64; 4]) {
    let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.02);
    assert!(close, "{found:?} instead of {expected:?}");
}

#[test]
fn every_piece_is_where_its_nodes_and_times_are() {
    let (chart, view) = (chart(), view(0, 100));
    let document = chart.svg(view);
    let plot = Picture::of(&chart, view, 0).plot;
    let (width, row) = (plot.width / 100.0, plot.height / 4.0);
    let drawn = paths(&document.text, "pieces");
    let of = |fill: &str, job: &str| {
        let found: Vec<_> = drawn
            .iter()
            .filter(|path| path.0 == fill && path.1.starts_with(job))
            .map(|path| &path.2)
            .collect();
        assert_eq!(found.len(), 1, "{fill} {job}: {drawn:?}");
        found[0].clone()
    };
    let running = of("#0072b2", "job 7");
    assert_eq!(running.len(), 4);
    assert_close(running[0], [0.0, 0.0, 40.0 * width, 2.0 * row]);
    assert_close(running[1], [0.0, 3.0 * row, 40.0 * width, row]);
    assert_close(running[3], [90.0 * width, 3.0 * row, 10.0 * width, row]);
    let loading = of("url(#h2)", "job 7");
    assert_close(loading[0], [80.0 * width, 0.0, 10.0 * width, 2.0 * row]);
    assert_close(of("#e69f00", "job 8")[0], [40.0 * width, 0.0, 40.0 * width, 4.0 * row]);
    assert_eq!((document.rectangles, document.shaded), (7, 0));
    assert!(document.text.contains("<title>job 8: 1 nodes, waited 40 s, took 40 s</title>"));
}

#[test]
fn a_range_of_time_shows_what_lies_in_it() {
    let chart = chart();
    let document = chart.svg(view(60, 85));
    let drawn = paths(&document.text, "pieces");
    let plot = Picture::of(&chart, view(60, 85), 0).plot;
    assert_eq!(drawn.len(), 2);
    assert_close(drawn[1].2[0], [0.0, 0.0, plot.width * 0.8, plot.height]);
    assert_close(drawn[0].2[0], [plot.width * 0.8, 0.0, plot.width * 0.2, plot.height / 2.0]);
    assert!(!document.text.contains("id=\"swaps\""));
}

#[test]
fn swaps_are_strokes_and_slices_are_named() {
    let text = chart().svg(view(0, 100)).text;
    let swaps =
        text.split("id=\"swaps\"").nth(1).and_then(|rest| rest.split("</g>").next()).unwrap_or_default();
    // Two ranges of nodes.
    assert_eq!(swaps.matches('M').count(), 2, "{swaps}");
    assert_eq!(text.matches("<line class=\"slice\"").count(), 2);
    assert_eq!((text.matches(">long</text>").count(), text.matches(">short</text>").count()), (2, 1));
    assert!(text.contains("memory swapped out") && text.contains("loading (hatched)"));
}

#[test]
fn slices_without_room_are_counted() {
    let mut chart = chart();
    chart.slices = (0..1000).map(|at| (at * SECOND / 10, "long".to_owned())).collect();
    let text = chart.svg(view(0, 100)).text;
    assert!(text.contains("1,000 slices are too narrow to be shown"));
    assert!(!text.contains("<line class=\"slice\""));
}

#[test]
fn colours_tell_the_wait_or_the_job() {
    let chart = chart();
    let fills = |colouring| {
        let text = chart.svg(View { colouring, ..view(0, 100) }).text;
        paths(&text, "pieces").into_iter().map(|path| path.0).collect::<Vec<_>>()
    };
    assert_eq!(fills(Colouring::Wait), ["#b9c1c9", "url(#h0)", "#8fd744"]);
    assert_eq!(fills(Colouring::Job), ["#0072b2", "url(#h0)", "#e69f00"]);
}

#[test]
fn a_large_machine_with_many_pieces_makes_a_small_picture() {
    let nodes = 1152;
    let pieces = (0..200_000).map(|at: i64| {
        let node = (at * 7 % i64::from(nodes)) as u32;
        piece(0, (node, node), (at / 1152 * 60, at / 1152 * 60 + 50), Kind::Running)
    });
    let chart = Chart { nodes, pieces: pieces.collect(), jobs: vec![Job::default()], ..Chart::default() };
    let document = chart.svg(view(0, 200_000 / 1152 * 60));
    // A rectangle each would be six megabytes.
    assert!(document.text.len() < 2_500_000, "{} bytes", document.text.len());
    assert!(document.shaded > 190_000 && document.text.contains("smaller than a pixel"));
}

#[test]
fn names_cannot_break_out_of_the_page() {
    let nasty = "</script><script>alert(1)</script> {{data}} {{program}} <!-- & \" '";
    let mut chart = chart();
    (chart.title, chart.facts) = (nasty.to_owned(), vec![nasty.to_owned()]);
    chart.slices[0].1 = nasty.to_owned();
    let page = chart.html(view(0, 100)).text;
    let plain = super::tests::chart().html(view(0, 100)).text;
    for tag in ["<script", "</script", "<!--", "<p>"] {
        assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
    assert!(page.contains("{{data}}") && !plain.contains("{{"), "places of the template are filled once");
    let picture = chart.svg(view(0, 100)).text;
    assert!(!picture.contains("<script") && picture.contains("&lt;/script&gt;"));
}

#[test]
fn a_page_has_the_jobs_in_its_range_alone() {
    let mut chart = chart();
    chart.jobs.push(job(9, Class::Short, [0, 200, 210]));
    chart.pieces.push(piece(2, (0, 0), (200, 210), Kind::Running));
    let document = chart.html(view(190, 300));
    assert_eq!(document.rectangles, 1);
    assert!(
        document.text.contains("\"jobs\":{\"id\":[9],") && document.text.contains("\"pieces\":{\"job\":[0],")
    );
    assert!(document.text.contains("\"from\":190,\"to\":300,"));
    for forbidden in ["http://", "https://", "src=", "<link", "@import", "url("] {
        assert!(!document.text.contains(forbidden), "{forbidden} asks for something from elsewhere");
    }
}

fn any_pieces() -> impl Strategy<Value = Vec<Piece>> {
    let any = (0..5_usize, 0..300_u32, 0..40_u32, 0..100_000_i64, 1..5_000_i64, any::<bool>());
    let piece = any.prop_map(|(job, first, more, from_us, span, loading)| {
        let kind = if loading { Kind::Loading } else { Kind::Running };
        Piece { job, first, last: first + more, from_us, to_us: from_us + span, kind }
    });
    prop::collection::vec(piece, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_piece_is_lost_or_drawn_twice(pieces in any_pieces(), from in 0..50_000_i64, span in 1..200_000_i64) {
        let view = View { from_us: from, to_us: from + span, colouring: Colouring::Class };
        let jobs = vec![Job::default(); 5];
        let chart = Chart { nodes: 340, jobs, pieces: pieces.clone(), ..Chart::default() };
        let document = chart.svg(view);
        let seen = pieces.iter().filter(|piece| piece.from_us < from + span && piece.to_us > from).count();
        prop_assert_eq!(document.rectangles, seen);
        let drawn: usize = paths(&document.text, "pieces").iter().map(|path| path.2.len()).sum();
        prop_assert_eq!(drawn + document.shaded, seen);
        prop_assert_eq!(document.shaded > 0, !paths(&document.text, "shades").is_empty());
        // The order in which pieces were noted does not matter.
        let reversed = Chart { pieces: pieces.into_iter().rev().collect(), ..chart.clone() };
        prop_assert_eq!(reversed.html(view), chart.html(view));
        prop_assert_eq!(reversed.svg(view), document);
    }

    #[test]
    fn what_is_drawn_stays_in_the_plot(pieces in any_pieces(), from in 0..50_000_i64, span in 1..200_000_i64) {
        let view = View { from_us: from, to_us: from + span, colouring: Colouring::Job };
        let chart = Chart { nodes: 340, jobs: vec![Job::default(); 5], pieces, ..Chart::default() };
        let document = chart.svg(view);
        let plot = Picture::of(&chart, view, 2).plot;
        for (_, _, rectangles) in paths(&document.text, "pieces").into_iter().chain(paths(&document.text, "shades")) {
            for [left, top, width, height] in rectangles {
                prop_assert!(left >= 0.0 && top >= 0.0 && width > 0.0 && height > 0.0);
                prop_assert!(left + width <= plot.width + 0.02 && top + height <= super::picture::HEIGHT);
            }
        }
    }
}
