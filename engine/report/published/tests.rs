#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::{Published, draw_published, published, published_frame, published_markdown, replications_needed};
use crate::grouped::with_groups;
use expect_test::expect;
use std::sync::Arc;
use table::statistics::student_975;
use table::{
    CellMark, Column, Filter, Frame, Mark, Quantity, Table, TableColumn, TableFigureSpec, TableRow, TableSpec,
};

const AXES: [&str; 2] = ["memory", "allocation"];

/// Mode, memory, allocation, replication, overhead.
type Run = (&'static str, &'static str, &'static str, i64, f64);

const RUNS: [Run; 13] = [
    ("model", "MM1", "free", 0, 100.0),
    ("model", "MM1", "free", 1, 200.0),
    ("model", "MM1", "free", 2, 100.0),
    ("model", "MM1", "best", 0, 94.0),
    ("model", "MM1", "best", 1, 186.0),
    ("model", "MM1", "best", 2, 92.0),
    ("model", "MM2", "free", 0, 100.0),
    ("model", "MM2", "free", 1, 200.0),
    ("model", "MM2", "free", 2, 100.0),
    ("model", "MM2", "best", 0, 80.0),
    ("model", "MM2", "best", 1, 0.0),
    ("trace", "MM1", "free", 0, 100.0),
    ("trace", "MM1", "best", 0, 95.5),
];

fn text(name: &str, cells: impl Iterator<Item = &'static str>) -> Column {
    Column::text(name, cells.map(|cell| Some(Arc::from(cell))).collect())
}

fn runs() -> Frame {
    let rows = || RUNS.iter();
    Frame::from_columns(vec![
        text("mode", rows().map(|row| row.0)),
        text("memory", rows().map(|row| row.1)),
        text("allocation", rows().map(|row| row.2)),
        Column::int("replication", rows().map(|row| Some(row.3)).collect()),
        text("status", rows().map(|_| "ok")),
        text("message", rows().map(|_| "")),
        Column::real("overhead_s", rows().map(|row| Some(row.4)).collect()),
        Column::real("jobs", rows().map(|_| Some(200.0)).collect()),
    ])
    .unwrap()
}

/// Half of the jobs of each run need at most 40, three quarters at most 200.
fn groups() -> Frame {
    const GROUPS: [(&str, f64); 3] = [("<= 40 kB", 100.0), ("<= 200 kB", 50.0), ("> 200 kB", 50.0)];
    let rows = || RUNS.iter().flat_map(|run| GROUPS.iter().map(move |group| (run, group)));
    Frame::from_columns(vec![
        text("mode", rows().map(|row| row.0.0)),
        text("memory", rows().map(|row| row.0.1)),
        text("allocation", rows().map(|row| row.0.2)),
        Column::int("replication", rows().map(|row| Some(row.0.3)).collect()),
        text("grouping", rows().map(|_| "memory")),
        text("group", rows().map(|row| row.1.0)),
        Column::real("jobs", rows().map(|row| Some(row.1.1)).collect()),
    ])
    .unwrap()
}

fn filter(column: &str, value: &str) -> Filter {
    Filter::from([(column.to_owned(), value.to_owned())])
}

fn row(memory: &str, published: [&str; 2]) -> TableRow {
    let published = published.map(str::to_owned).to_vec();
    TableRow { label: memory.to_owned(), of: filter("memory", memory), value: None, published }
}

fn table() -> TableSpec {
    let reduction = Quantity::Reduction {
        metric: "overhead_s".to_owned(),
        of: filter("allocation", "best"),
        over: filter("allocation", "free"),
    };
    let share = Quantity::Ratio {
        metric: "jobs[memory up to 200]".to_owned(),
        over_metric: Some("jobs".to_owned()),
        of: filter("allocation", "best"),
        over: filter("allocation", "best"),
    };
    let column =
        |label: &str, value| TableColumn { label: label.to_owned(), of: Filter::new(), value: Some(value) };
    TableSpec {
        id: "table4".to_owned(),
        title: "Table 4: Best-Fit | Worst-Fit".to_owned(),
        source: "§6.2".to_owned(),
        heading: "Memory model".to_owned(),
        only: Filter::new(),
        scale: 100.0,
        unit: "%".to_owned(),
        decimals: 2,
        columns: vec![column("Reduction", reduction), column("Share", share)],
        rows: vec![row("MM1", ["6.04%", "75"]), row("MM2", ["s thesL", ""])],
        marks: vec![CellMark {
            row: "MM2".to_owned(),
            column: "Reduction".to_owned(),
            mark: Mark::Inferred,
            reason: "the text gives 7.13 as the largest".to_owned(),
            value: Some(7.13),
        }],
        note: None,
    }
}

fn axes() -> Vec<String> {
    AXES.map(str::to_owned).to_vec()
}

fn measured(spec: &TableSpec) -> Vec<Published<'_>> {
    let metrics: Vec<&str> = spec.quantities().flat_map(Quantity::metrics).collect();
    let wide = with_groups(&runs(), &groups(), &axes(), &metrics).unwrap();
    published(std::slice::from_ref(spec), &wide, &axes()).unwrap()
}

#[test]
fn the_page_has_the_layout_of_the_source() {
    expect![[r#"
        # Table 4: Best-Fit \| Worst-Fit

        Source: §6.2. Numbers are in %. Each row of the source has three lines: what was measured (the mean over the replications), the 95 % Student-t interval of that mean, and what is printed. ✓ stands where the published number lies in the interval, ✗ where it does not; one replication has no interval.

        ## Measured on the workload model, 3 replications

        | Memory model |  | Reduction | Share |
        |---|---|--:|--:|
        | MM1 | measured | 7.00 | 75.00 |
        |  | 95 % interval | 4.52 … 9.48 | 75.00 … 75.00 |
        |  | published | 6.04% ✓ | 75 ✓ |
        | MM2 | measured | 60.00 | 75.00 |
        |  | 95 % interval | −448.25 … 568.25 | 75.00 … 75.00 |
        |  | published | (inferred) 7.13 ✓ | — |

        - MM2, Reduction: inferred, read as “s thesL”: the text gives 7.13 as the largest

        ### Replications that would settle the cells

        Smallest number of replications n with t(0.975, n − 1) · sd / √n below the distance, with the standard deviation found now. Left of the slash the distance between measured and published number, right of it that between measured number and zero (the sign).

        | Memory model | Reduction | Share |
        |---|--:|--:|
        | MM1 | 7 / 3 | — / 2 |
        | MM2 | 7 / 6 | — / 2 |

        ## Measured on the published logs, 1 replication

        | Memory model |  | Reduction | Share |
        |---|---|--:|--:|
        | MM1 | measured | 4.50 | 75.00 |
        |  | 95 % interval | — | — |
        |  | published | 6.04% | 75 |
    "#]].assert_eq(&published_markdown(&measured(&table())[0]));
}

#[test]
fn the_table_has_a_row_per_cell_and_mode() {
    let spec = table();
    let frame = published_frame(&measured(&spec), "esbaugh", "synthetic").unwrap();
    assert_eq!(frame.names(), Table::Published.columns(&axes(), &[]));
    for doc in Table::Published.leading() {
        assert_eq!(frame.column(doc.column).unwrap().cells.cell_type(), doc.cell_type, "{}", doc.column);
    }
    let shown = [
        "mode",
        "row",
        "column",
        "n",
        "measured",
        "published",
        "published_text",
        "mark",
        "inside",
        "n_published",
    ];
    let line = |row: usize| {
        shown.map(|name| frame.column(name).unwrap().cells.printed(row).unwrap_or("-".to_owned())).join(" | ")
    };
    let lines: Vec<String> = (0..frame.len()).map(line).collect();
    expect![[r#"
        [
            "model | MM1 | Reduction | 3 | 6.999999999999999 | 6.04 | 6.04% | - | true | 7",
            "model | MM1 | Share | 3 | 75 | 75 | 75 | - | true | -",
            "model | MM2 | Reduction | 2 | 60 | 7.13 | s thesL | inferred | true | 7",
            "model | MM2 | Share | 2 | 75 | - | - | - | - | -",
            "trace | MM1 | Reduction | 1 | 4.5000000000000036 | 6.04 | 6.04% | - | - | -",
            "trace | MM1 | Share | 1 | 75 | 75 | 75 | - | - | -",
        ]
    "#]]
    .assert_debug_eq(&lines);
    let none = published_frame(&[], "esbaugh", "synthetic").unwrap();
    assert_eq!((none.names(), none.len()), (frame.names(), 0));
}

#[test]
fn a_cell_that_nothing_matches_says_so() {
    let mut spec = table();
    spec.rows[1].of = filter("memory", "MM7");
    let tables = measured(&spec);
    let reasons: Vec<&str> =
        tables[0].modes[0].cells.iter().filter_map(|cell| cell.reason.as_deref()).collect();
    assert_eq!(reasons[0], "no run with allocation=best, memory=MM7");
    assert!(published_markdown(&tables[0]).contains("MM2, Reduction: not measured: no run with"));
}

#[test]
fn the_number_of_replications_is_the_first_that_is_enough() {
    for (sd, distance) in [(1.0, 0.1), (2.0, 1.5), (1.0, 100.0), (0.01, 0.0099)] {
        let n = replications_needed(sd, distance).unwrap();
        let half = |n: u64| student_975(n as usize - 1).unwrap() * sd / (n as f64).sqrt();
        assert!(half(n) < distance, "{sd} {distance} {n}");
        assert!(n == 2 || half(n - 1) >= distance, "{sd} {distance} {n}");
    }
    assert_eq!(replications_needed(1.0, 0.0), None);
    assert_eq!(replications_needed(0.0, 0.5), Some(2));
}

#[test]
fn faults_of_a_table_are_found() {
    let mut spec = table();
    spec.marks.clear();
    spec.rows[0].published.pop();
    spec.rows[0].value = spec.columns[0].value.clone();
    spec.columns[1].label = "Reduction".to_owned();
    expect![[r#"
        [
            "the row `MM1` of table `table4` has 1 published cells for 2 columns",
            "the cell `MM1`, `Reduction` of table `table4` has two values: give one to its row or to its column",
            "the cell `MM1`, `Reduction` of table `table4` has two values: give one to its row or to its column",
            "the cell `MM2`, `Reduction` of table `table4` prints `s thesL`, which is no number: add a mark that says why",
            "table `table4` has two columns `Reduction`",
        ]
    "#]].assert_debug_eq(&spec.faults());
    assert_eq!(table().faults(), Vec::<String>::new());
}

#[test]
fn bars_stand_beside_the_published_ones() {
    let spec = table();
    let figure = TableFigureSpec {
        id: "figure21".to_owned(),
        title: "Reductions".to_owned(),
        tables: vec![("table4".to_owned(), "best, worst".to_owned())],
        columns: vec![("Reduction".to_owned(), "FF".to_owned())],
        published: true,
        x_label: None,
        y_label: "overhead reduction [%]".to_owned(),
    };
    let drawn = draw_published(&figure, &measured(&spec)).unwrap();
    let names: Vec<&str> = drawn.iter().map(|figure| figure.file_name.as_str()).collect();
    assert_eq!(names, ["figure21-model.svg", "figure21-trace.svg"]);
    for text in ["FF, published", "MM2", "best, worst", "Memory model"] {
        assert!(drawn[0].svg.contains(text), "{text}");
    }
    assert_eq!(drawn, draw_published(&figure, &measured(&spec)).unwrap());
    let other = TableFigureSpec { columns: Vec::new(), ..figure };
    let problem = draw_published(&other, &measured(&spec)).unwrap_err().to_string();
    assert!(problem.contains("nothing to draw") && problem.contains("tables table4"), "{problem}");
}
