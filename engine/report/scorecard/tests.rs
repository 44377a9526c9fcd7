#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::{Assumption, Notes, TableEntry, TableIndex, markdown, terminal, wrap};
use crate::verdict::{Judgement, verdicts};
use expect_test::expect;
use std::sync::Arc;
use table::{Column, Frame};

struct Line {
    claim: &'static str,
    mode: &'static str,
    group: &'static str,
    measured: Option<f64>,
    interval: Option<(f64, f64)>,
    wanted: &'static str,
    verdict: &'static str,
    reason: &'static str,
}

const P1: &str = "At speed-up 0 contiguous waits are 7 to 100 times the non-contiguous ones, for both policies and all \
                  three traces";
const P2: &str = "HPC2N: contiguous allocation becomes better on mean total time at a speed-up of about 0.25";
const RATIO: &str = "mean_wait_s(allocator=Contiguous) / mean_wait_s(allocator=FirstFree): 7 … 100";
const CROSS: &str =
    "speedup where mean_response_s(allocator=Contiguous) falls to that of (allocator=FirstFree): 0.2 … 0.3";

fn line(
    (claim, mode, group): (&'static str, &'static str, &'static str),
    measured: Option<f64>,
    interval: Option<(f64, f64)>,
    (verdict, reason): (&'static str, &'static str),
) -> Line {
    let wanted = if claim == "P1" { RATIO } else { CROSS };
    Line { claim, mode, group, measured, interval, wanted, verdict, reason }
}

fn lines() -> Vec<Line> {
    let missing = "run failed: no log named LLNL-Thunder-2007-1.1-cln in the trace folder";
    let bracket = "bracketed by grid points 0.2 … 0.25";
    let clear = "1,234 over 41.8; clear over 5 replications";
    let noise = "612 over 98.7; within noise over 5 replications";
    vec![
        line(("P10", "twin", ""), Some(0.2481), Some((0.231, 0.265)), ("holds", clear)),
        line(("P10", "trace", ""), None, None, ("cannot be tested", missing)),
        line(("P2", "trace", "policy=Fcfs"), Some(0.2312), Some((0.2, 0.25)), ("holds", bracket)),
        line(("P2", "trace", "policy=Easy"), Some(0.2401), Some((0.2, 0.25)), ("holds", bracket)),
        line(("P2", "twin", "policy=Fcfs"), Some(0.31), Some((0.302, 0.319)), ("does not hold", clear)),
        line(("P2", "twin", "policy=Easy"), Some(0.2622), Some((0.24, 0.27)), ("holds", clear)),
        line(
            ("P1", "trace", "trace=HPC2N, policy=Fcfs"),
            Some(29.52),
            None,
            ("holds", "one run, no interval"),
        ),
        line(("P1", "trace", "trace=LLNL, policy=Fcfs"), None, None, ("cannot be tested", missing)),
        line(
            ("P1", "twin", "trace=HPC2N, policy=Fcfs"),
            Some(6.2),
            Some((4.1, 8.3)),
            ("does not hold", noise),
        ),
        line(("P1", "twin", "trace=LLNL, policy=Fcfs"), Some(48.13), Some((41.0, 55.2)), ("holds", clear)),
    ]
}

fn frame(lines: &[Line]) -> Frame {
    let text = |name: &str, of: &dyn Fn(&Line) -> Option<&'static str>| {
        Column::text(name, lines.iter().map(|line| of(line).map(Arc::from)).collect())
    };
    Frame::from_columns(vec![
        text("study", &|_| Some("pascual")),
        text("experiment", &|_| Some("placement")),
        text("claim", &|line| Some(line.claim)),
        text("mode", &|line| Some(line.mode)),
        text("statement", &|line| Some(if line.claim == "P1" { P1 } else { P2 })),
        text("source", &|line| Some(if line.claim == "P1" { "p. 7, Fig. 2" } else { "p. 8 <Fig. 3>" })),
        text("published", &|line| if line.claim == "P1" { Some("7 to 100 times") } else { None }),
        Column::int("predicate", vec![Some(0); lines.len()]),
        text("setting", &|_| None),
        text("group", &|line| Some(line.group)),
        Column::real("measured", lines.iter().map(|line| line.measured).collect()),
        Column::real("ci_low", lines.iter().map(|line| line.interval.map(|ends| ends.0)).collect()),
        Column::real("ci_high", lines.iter().map(|line| line.interval.map(|ends| ends.1)).collect()),
        text("wanted", &|line| Some(line.wanted)),
        text("verdict", &|line| Some(line.verdict)),
        text("reason", &|line| Some(line.reason)),
    ])
    .unwrap()
}

fn assumptions() -> Vec<Assumption> {
    let of = |study: &str| Assumption {
        study: study.to_owned(),
        field: "scale_estimates".to_owned(),
        value: Some("true".to_owned()),
        reason: "the paper does not say whether the user estimate shrinks with the run time".to_owned(),
        sweep: vec!["true".to_owned(), "false".to_owned()],
    };
    vec![of("pascual"), of("another study")]
}

fn notes() -> Notes {
    Notes { assumptions: assumptions(), tables: Vec::new() }
}

#[test]
fn verdicts_sum_the_rows_up() {
    let verdicts = verdicts(&frame(&lines())).unwrap();
    let found: Vec<(&str, &str, Judgement, [usize; 4])> = verdicts
        .iter()
        .map(|v| {
            (v.claim.as_str(), v.mode.as_str(), v.judgement, [v.holds, v.tested, v.total, v.within_noise])
        })
        .collect();
    assert_eq!(
        found,
        [
            ("P1", "trace", Judgement::HoldsWhereTested, [1, 1, 2, 0]),
            ("P1", "twin", Judgement::DoesNotHold, [1, 2, 2, 1]),
            ("P2", "trace", Judgement::Holds, [2, 2, 2, 0]),
            ("P2", "twin", Judgement::DoesNotHold, [1, 2, 2, 0]),
            ("P10", "trace", Judgement::CannotBeTested, [0, 0, 1, 0]),
            ("P10", "twin", Judgement::Holds, [1, 1, 1, 0]),
        ]
    );
    assert_eq!(verdicts[1].measured, "6.2 … 48.1 [4.1 … 55.2]");
    assert_eq!(
        verdicts[1].remark.as_deref(),
        Some("trace=HPC2N, policy=Fcfs: 6.2; 612 over 98.7; within noise over 5 replications")
    );
    assert_eq!((verdicts[4].measured.as_str(), verdicts[5].remark.as_deref()), ("", None));
}

#[test]
fn a_table_without_verdicts_is_an_error() {
    let mut frame = frame(&lines());
    frame.columns.retain(|column| column.name != "verdict");
    let error = verdicts(&frame).unwrap_err();
    assert_eq!(error.to_string(), "the claims table cannot be read");
}

#[test]
fn the_terminal_scorecard_reads_well_at_80_columns() {
    let text = terminal(&[&frame(&lines())], &notes(), 80, false).unwrap();
    expect![[r#"
        Scorecard: pascual ────────────────────────────────────────────────────────────

        P1   At speed-up 0 contiguous waits are 7 to 100 times the non-contiguous ones,
             for both policies and all three traces
             published 7 to 100 times · p. 7, Fig. 2
             tested: mean_wait_s(allocator=Contiguous) /
                     mean_wait_s(allocator=FirstFree): 7 … 100
             ~ trace  holds where tested  1 of 1, 1 untested: 29.5
                      trace=LLNL, policy=Fcfs: run failed: no log named
                      LLNL-Thunder-2007-1.1-cln in the trace folder
             ✗ twin   does not hold       1 of 2: 6.2 … 48.1 [4.1 … 55.2]
                      1 of 2 within noise
                      trace=HPC2N, policy=Fcfs: 6.2; 612 over 98.7; within noise over 5
                      replications

        P2   HPC2N: contiguous allocation becomes better on mean total time at a
             speed-up of about 0.25
             p. 8 <Fig. 3>
             tested: speedup where mean_response_s(allocator=Contiguous) falls to that
                     of (allocator=FirstFree): 0.2 … 0.3
             ✓ trace  holds               2 of 2: 0.231 … 0.24 [0.2 … 0.25]
             ✗ twin   does not hold       1 of 2: 0.262 … 0.31 [0.24 … 0.319]
                      policy=Fcfs: 0.31; 1,234 over 41.8; clear over 5 replications

        P10  HPC2N: contiguous allocation becomes better on mean total time at a
             speed-up of about 0.25
             p. 8 <Fig. 3>
             tested: speedup where mean_response_s(allocator=Contiguous) falls to that
                     of (allocator=FirstFree): 0.2 … 0.3
             ? trace  cannot be tested    0 of 1 tested
                      run failed: no log named LLNL-Thunder-2007-1.1-cln in the trace
                      folder
             ✓ twin   holds               1 of 1: 0.248 [0.231 … 0.265]

        Assumed, because the source does not say:
          - scale_estimates = true (of true, false): the paper does not say whether the
            user estimate shrinks with the run time

        pascual  trace: 1 holds, 1 holds where tested, 1 cannot be tested
                 twin: 1 holds, 2 do not
    "#]]
    .assert_eq(&text);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for columns in 20..130 {
        let text = terminal(&[&frame(&lines())], &notes(), columns, false).unwrap();
        for line in text.lines() {
            assert!(wrap::width(line) <= columns, "{} of {columns} columns: {line}", wrap::width(line));
        }
        for word in ["P10", "48.1", "scale_estimates"] {
            let unbroken: String = text.split_whitespace().collect();
            assert!(unbroken.contains(word), "{word} is missing at {columns} columns");
        }
    }
}

#[test]
fn colour_changes_no_letter() {
    let frame = frame(&lines());
    let plain = terminal(&[&frame], &notes(), 80, false).unwrap();
    let coloured = terminal(&[&frame], &notes(), 80, true).unwrap();
    assert!(coloured.contains("\x1b[31m") && coloured.contains("\x1b[32m") && coloured.contains("\x1b[33m"));
    let mut stripped = coloured;
    for code in ["0", "1", "2", "31", "32", "33"] {
        stripped = stripped.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn the_markdown_scorecard_shows_every_measurement_once() {
    let text = markdown(&[&frame(&lines())], &notes()).unwrap();
    expect![[r#"
        # Scorecard of the published claims

        `trace` columns are simulated on the published logs, `twin` columns on synthetic stand-ins fitted to them. Measured values are means over replications (smallest … largest over the rows of a claim), with the reach of their 95 % intervals in brackets; a ratio, difference or crossover is taken in each replication before the mean. A log is a single replication and has no interval; a crossover measured on it has the two grid points around it in brackets.

        ## pascual

        trace: 1 holds, 1 holds where tested, 1 cannot be tested · twin: 1 holds, 2 do not.

        | claim | statement | published | trace | trace measured | twin | twin measured |
        |---|---|---|---|---|---|---|
        | P1 | At speed-up 0 contiguous waits are 7 to 100 times the non-contiguous ones, for both policies and all three traces | 7 to 100 times | ~ holds where tested (1 of 1, 1 untested) | 29.5 | ✗ does not hold (1 of 2) | 6.2 … 48.1 \[4.1 … 55.2\] |
        | P2 | HPC2N: contiguous allocation becomes better on mean total time at a speed-up of about 0.25 | — | ✓ holds (2 of 2) | 0.231 … 0.24 \[0.2 … 0.25\] | ✗ does not hold (1 of 2) | 0.262 … 0.31 \[0.24 … 0.319\] |
        | P10 | HPC2N: contiguous allocation becomes better on mean total time at a speed-up of about 0.25 | — | ? cannot be tested (0 of 1 tested) | — | ✓ holds (1 of 1) | 0.248 \[0.231 … 0.265\] |

        ### Assumptions

        The source does not print these values.

        | field | value | reason | alternatives |
        |---|---|---|---|
        | scale\_estimates | true | the paper does not say whether the user estimate shrinks with the run time | true, false |

        ### Measurements

        #### P1 · At speed-up 0 contiguous waits are 7 to 100 times the non-contiguous ones, for both policies and all three traces

        Source: p. 7, Fig. 2. Published: 7 to 100 times.

        Experiment placement, wanted: mean\_wait\_s(allocator=Contiguous) / mean\_wait\_s(allocator=FirstFree): 7 … 100

        | mode | group | measured | 95 % interval | verdict | remark |
        |---|---|---|---|---|---|
        | trace | trace=HPC2N, policy=Fcfs | 29.5 | — | holds | one run, no interval |
        | trace | trace=LLNL, policy=Fcfs | — | — | cannot be tested | run failed: no log named LLNL-Thunder-2007-1.1-cln in the trace folder |
        | twin | trace=HPC2N, policy=Fcfs | 6.2 | 4.1 … 8.3 | does not hold | 612 over 98.7; within noise over 5 replications |
        | twin | trace=LLNL, policy=Fcfs | 48.1 | 41 … 55.2 | holds | 1,234 over 41.8; clear over 5 replications |

        #### P2 · HPC2N: contiguous allocation becomes better on mean total time at a speed-up of about 0.25

        Source: p. 8 &lt;Fig. 3&gt;.

        Experiment placement, wanted: speedup where mean\_response\_s(allocator=Contiguous) falls to that of (allocator=FirstFree): 0.2 … 0.3

        | mode | group | measured | 95 % interval | verdict | remark |
        |---|---|---|---|---|---|
        | trace | policy=Fcfs | 0.231 | 0.2 … 0.25 | holds | bracketed by grid points 0.2 … 0.25 |
        | trace | policy=Easy | 0.24 | 0.2 … 0.25 | holds | bracketed by grid points 0.2 … 0.25 |
        | twin | policy=Fcfs | 0.31 | 0.302 … 0.319 | does not hold | 1,234 over 41.8; clear over 5 replications |
        | twin | policy=Easy | 0.262 | 0.24 … 0.27 | holds | 1,234 over 41.8; clear over 5 replications |

        #### P10 · HPC2N: contiguous allocation becomes better on mean total time at a speed-up of about 0.25

        Source: p. 8 &lt;Fig. 3&gt;.

        Experiment placement, wanted: speedup where mean\_response\_s(allocator=Contiguous) falls to that of (allocator=FirstFree): 0.2 … 0.3

        | mode | group | measured | 95 % interval | verdict | remark |
        |---|---|---|---|---|---|
        | trace | all | — | — | cannot be tested | run failed: no log named LLNL-Thunder-2007-1.1-cln in the trace folder |
        | twin | all | 0.248 | 0.231 … 0.265 | holds | 1,234 over 41.8; clear over 5 replications |
    "#]].assert_eq(&text);
}

#[test]
fn the_scorecard_names_its_scale() {
    let mut frame = frame(&lines());
    frame.metadata.insert("scale".to_owned(), "smoke".to_owned());
    let page = markdown(&[&frame], &Notes::default()).unwrap();
    assert!(page.lines().any(|line| line.ends_with(" · scale smoke.")), "{page}");
    let page = terminal(&[&frame], &Notes::default(), 80, false).unwrap();
    let head = page.lines().next().unwrap();
    assert!(head.starts_with("Scorecard: pascual, scale smoke ──"), "{head}");
    assert_eq!(head.chars().count(), 79);
}

#[test]
fn an_experiment_without_claims_says_so() {
    let empty = frame(&[]);
    assert_eq!(terminal(&[&empty], &Notes::default(), 80, false).unwrap(), "No claims were tested.\n");
    assert!(markdown(&[&empty], &Notes::default()).unwrap().ends_with("No claims were tested.\n"));
}

#[test]
fn claims_of_several_experiments_meet_under_their_identifier() {
    let one = frame(&lines()[2..3]);
    let mut other = frame(&lines()[3..4]);
    other.columns[1] = Column::constant("experiment", "another", 1);
    let text = markdown(&[&one, &other], &Notes::default()).unwrap();
    assert!(text.contains("| P2 |") && text.contains("(2 of 2)"), "{text}");
    assert!(text.contains("Experiment placement,") && text.contains("Experiment another,"), "{text}");
}

#[test]
fn settings_are_counted_apart_from_the_claims_themselves() {
    let mut swept = frame(&lines()).select(&[2, 3, 4, 5]);
    let settings = ["default", "other", "default", "other"];
    for column in &mut swept.columns {
        if column.name == "setting" {
            *column = Column::text("setting", settings.iter().map(|name| Some(Arc::from(*name))).collect());
        }
    }
    let notes = Notes {
        tables: vec![TableIndex {
            study: "pascual".to_owned(),
            tables: vec![TableEntry {
                title: "Table 4".to_owned(),
                file: "pascual/placement/tables/table4.md".to_owned(),
                inside: 3,
                both: 5,
            }],
        }],
        ..Notes::default()
    };
    let page = markdown(&[&swept], &notes).unwrap();
    expect![[r#"

        ## pascual

        ### Over what the source leaves open

        Each claim tested under each of the settings on its own.

        | claim | mode | experiment | holds in | does not hold in |
        |---|---|---|---|---|
        | P2 | trace | placement | 2 of 2 settings | — |
        | P2 | twin | placement | 1 of 2 settings | default |

        ### Published tables

        | table | published numbers in the 95 % interval |
        |---|---|
        | [Table 4](pascual/placement/tables/table4.md) | 3 of 5 |
    "#]]
    .assert_eq(&page.lines().skip(3).map(|line| format!("{line}\n")).collect::<String>());
    let text = terminal(&[&swept], &notes, 80, false).unwrap();
    expect![[r#"
        Scorecard: pascual ────────────────────────────────────────────────────────────

        Over what the source leaves open, a claim holds in:
          P2  trace: 2 of 2 settings
          P2  twin: 1 of 2 settings; not in default

        Published tables, with the cells whose interval has the published number:
          pascual/placement/tables/table4.md: 3 of 5
    "#]]
    .assert_eq(&text);
    let alone = markdown(&[&frame(&lines())], &Notes::default()).unwrap();
    let both = markdown(&[&frame(&lines()), &swept], &Notes::default()).unwrap();
    let overview = |page: &str| {
        page.lines().filter(|line| line.starts_with("| P")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(overview(&both).starts_with(&overview(&alone)), "settings change no verdict");
}
