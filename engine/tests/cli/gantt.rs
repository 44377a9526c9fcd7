//! `gantt`: which run is drawn, and that what is drawn is the schedule.

use super::{EXPERIMENT, LOG};
use crate::program::{Answer, Folder};
use serde_json::Value;
use std::fs;

const CASE: &str = "gantt --swf log.swf --nodes 4 --policy fcfs";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("log.swf", LOG).write("quick.ron", EXPERIMENT);
    folder
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap()
}

/// Asserts that every tag is closed by its own kind, attributes are quoted, and there is one element around all.
#[track_caller]
fn assert_well_formed(xml: &str) {
    let (mut open, mut roots) = (Vec::new(), 0);
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        assert!(open.len() + roots > 0 || rest[..at].trim().is_empty(), "text outside of the document");
        let end = at + rest[at..].find('>').expect("a tag is not closed");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closed in another order");
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
            let outside: String = tag.split('"').step_by(2).collect();
            assert!(!outside.contains("='"), "<{tag}>");
            roots += usize::from(open.is_empty());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert_eq!((open, roots), (Vec::new(), 1));
    assert!(rest.trim().is_empty());
}

#[test]
fn a_picture_shows_every_job_once_per_piece() {
    let folder = folder();
    let answer = folder.call(&format!("{CASE} -o s.svg")).done();
    assert_eq!(answer.out, "");
    assert!(answer.err.contains("s.svg: 4 jobs, 4 rectangles\n"), "{}", answer.err);
    let svg = folder.read("s.svg");
    assert_well_formed(&svg);
    let titles: Vec<&str> =
        svg.split("<title>job ").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "1: 2 nodes, waited 0 s, took 10 s",
            "2: 4 nodes, waited 9 s, took 10 s",
            "3: 2 nodes, waited 18 s, took 5 s",
            "4: 2 nodes, waited 16.5 s, took 20 s"
        ]
    );
    for fact in ["log.swf", "Fcfs", "FirstFree", "4 nodes", "offered load"] {
        assert!(svg.contains(fact), "{fact}");
    }
}

#[test]
fn a_page_holds_the_schedule_that_simulate_writes() {
    let folder = folder();
    let case = "--model lublin-feitelson --nodes 64 --n-jobs 300 --load 0.9 --seed 5 --policy easy";
    folder.call(&format!("gantt {case} -o s.html")).done();
    folder.call(&format!("simulate {case} --jobs-out s.csv")).done();
    let data = data(&folder.read("s.html"));
    let number = |table: &str, column: &str, at: usize| data[table][column][at].as_f64().unwrap();
    let csv = folder.read("s.csv");
    let (mut jobs, mut area) = (0, 0.0);
    for (at, line) in csv.lines().skip(1).enumerate() {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        let page = ["id", "submit", "start", "end", "size"].map(|column| number("jobs", column, at));
        assert_eq!(page.as_slice(), fields, "job {at}");
        jobs += 1;
        area += fields[4] * (fields[3] - fields[2]);
    }
    assert_eq!((jobs, data["jobs"]["id"].as_array().unwrap().len()), (300, 300));
    // The pieces are the jobs' nodes over their times.
    let drawn: f64 = (0..data["pieces"]["job"].as_array().unwrap().len())
        .map(|at| {
            let nodes = number("pieces", "last", at) - number("pieces", "first", at) + 1.0;
            nodes * (number("pieces", "to", at) - number("pieces", "from", at))
        })
        .sum();
    assert!((drawn - area).abs() < 1e-3, "{drawn} instead of {area}");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let folder = folder();
    for end in ["svg", "html"] {
        for name in ["a", "b"] {
            let run = "--filter 'policy = Fcfs and load = 0.8 and replication = 1'";
            folder.call(&format!("gantt quick.ron {run} --colour wait -o {name}.{end}")).done();
        }
        assert!(folder.read(&format!("a.{end}")) == folder.read(&format!("b.{end}")), "{end}");
    }
    // Nothing was stored.
    assert_eq!(folder.names(), ["a.html", "a.svg", "b.html", "b.svg", "log.swf", "quick.ron"]);
}

#[test]
fn a_run_is_named_by_conditions_or_by_its_key() {
    let folder = folder();
    let several = folder.call("gantt quick.ron 'policy = Easy()' --filter 'load = 0.6' -o x.svg");
    let hint = several.err.clone();
    several.refused(&["3 runs match", "they differ in replication", "replication = 1", "'replication = 0'"]);
    // The key in the second line is that of a run.
    let line = hint.lines().find(|line| line.ends_with("replication = 1")).unwrap();
    let key = line.split_whitespace().next().unwrap();
    folder.call(&format!("gantt quick.ron {key} -o key.svg")).done();
    let run = "'policy = Easy() and load = 0.6' --filter 'replication = 1'";
    folder.call(&format!("gantt quick.ron {run} -o condition.svg")).done();
    assert!(folder.read("key.svg") == folder.read("condition.svg"));
    for fact in ["A quick grid", "mine/quick", key, "policy = Easy", "load = 0.6", "replication = 1"] {
        assert!(folder.read("key.svg").contains(fact), "{fact}");
    }
    // Overrides as for run: one run is left, and needs no name.
    let set = "--set policy=Fcfs --set load=0.7 --set replications=1";
    folder.call(&format!("gantt quick.ron {set} -o set.svg")).done();
    assert!(folder.read("set.svg").contains("load = 0.7"));
}

#[test]
fn of_many_runs_the_first_are_listed() {
    let refused = |parts: &[&str]| folder().call("gantt quick.ron -o x.svg").refused(parts);
    refused(&["12 runs match", "load, policy, replication", "and 7 more", "'load = 0.6 and policy = "]);
}

#[test]
fn a_range_of_time_is_cut_out() {
    let folder = folder();
    let ids = |options: &str| {
        folder.call(&format!("{CASE} {options} -o s.html")).done();
        data(&folder.read("s.html"))["jobs"]["id"].clone()
    };
    assert_eq!(ids("--from 5 --to 20"), serde_json::json!([1, 2]));
    assert_eq!(ids("--from 30s"), serde_json::json!([4]));
    assert_eq!(ids("--to 0.1m --colour job"), serde_json::json!([1]));
}

#[test]
fn names_of_files_are_harmless_in_documents() {
    let folder = folder();
    fs::copy(folder.path("log.swf"), folder.path("<script>&.swf")).unwrap();
    for end in ["svg", "html"] {
        let case = "--swf '<script>&.swf' --nodes 4 --policy fcfs";
        folder.call(&format!("gantt {case} -o s.{end}")).done();
        let text = folder.read(&format!("s.{end}"));
        assert!(text.contains("&lt;script&gt;&amp;.swf") && !text.contains("<script>&"), "{end}");
    }
    assert_well_formed(&folder.read("s.svg"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = folder();
    let refused = |line: &str, parts: &[&str]| folder.call(line).refused(parts);
    refused("gantt quick.ron ffffff -o x.svg", &["no run of mine/quick matches", "12 runs"]);
    refused("gantt quick.ron 'lode = 3' -o x.svg", &["no column or field `lode`", "load"]);
    refused("gantt 'load = 3' -o x.svg", &["which experiment", "FILE.ron"]);
    refused("gantt nothing.ron -o x.svg", &["nothing.ron"]);
    refused("gantt quick.ron --seed 3 -o x.svg", &["--seed"]);
    refused("gantt quick.ron --swf log.swf -o x.svg", &["--swf"]);
    refused("gantt -o x.svg", &["FILE.ron", "--case", "--nodes"]);
    refused("gantt --nodes 4 --policy fcfs -o x.svg", &["--swf or --model"]);
    refused(&format!("{CASE} -o x.png"), &["x.png", ".svg", ".html"]);
    refused(&format!("{CASE} --from 9 --to 9s -o x.svg"), &["from 9 s to 9 s is no time"]);
    refused(&format!("{CASE} --from 40 -o x.svg"), &["nothing happens there", "--from is 40 s", "40 s"]);
    refused(&format!("{CASE} --to 0 -o x.svg"), &["nothing happens there", "--to is 0 s"]);
    refused(&format!("{CASE} --from soon -o x.svg"), &["`soon` is no time", "2d12h"]);
    refused(&format!("{CASE} --colour red -o x.svg"), &["class, wait, job"]);
    refused(&format!("{CASE} -o log.swf/x.svg"), &["log.swf", "-o"]);
    fs::copy(folder.path("log.swf"), folder.path("log.svg")).unwrap();
    refused("gantt --swf log.svg --nodes 4 --policy fcfs -o log.svg", &["-o and --swf are the same file"]);
    assert_eq!(folder.names(), ["log.svg", "log.swf", "quick.ron"]);
}

#[test]
fn logs_that_are_not_at_hand_are_named_as_the_reason() {
    let folder = Folder::new();
    let log = EXPERIMENT.replace(
        "source: LublinFeitelson(), jobs: Some(200)",
        "source: Log(name: \"HPC2N-2002-2.2-cln\", mode: Trace), jobs: Some(200)",
    );
    folder.write("log.ron", log);
    let answer: Answer = folder.call("gantt log.ron -o x.svg");
    answer.refused(&["no run of mine/quick matches", "not at hand", "BACKSWEEP_TRACES"]);
}

/// A long job and a short one; both need all nodes, and do not fit into their memory together.
const SHARING: &str = "\
; MaxProcs: 4
1 0 -1 12000 4 -1 -1 4 12000 200 1 -1 -1 -1 -1 -1 -1 -1
2 0 -1 100 4 -1 -1 4 100 300 1 -1 -1 -1 -1 -1 -1 -1
";

#[test]
fn loading_swapping_and_slices_are_drawn_where_they_happen() {
    let folder = Folder::new();
    let case =
        "(machine: Flat(nodes: 4), memory: Some((capacity_kb: 400, transfer_s: 100)), policy: TimeSlicing())";
    folder.write("log.swf", SHARING).write("case.ron", case);
    folder.call("gantt --case case.ron --swf log.swf -o s.html").done();
    folder.call("gantt --case case.ron --swf log.swf -o s.svg").done();
    let data = data(&folder.read("s.html"));
    let rows = |table: &str, columns: &[&str]| -> Vec<Vec<f64>> {
        let length = data[table][columns[0]].as_array().unwrap().len();
        let row = |at| columns.iter().map(|name| data[table][name][at].as_f64().unwrap()).collect();
        (0..length).map(row).collect()
    };
    // The short slice of the first hour begins at 2880 s; a transfer of 400 kB takes 100 s.
    assert_eq!(
        rows("pieces", &["job", "loading", "from", "to"]),
        [
            [0.0, 1.0, 0.0, 50.0],
            [0.0, 0.0, 50.0, 2880.0],
            [1.0, 1.0, 2880.0, 2955.0],
            [1.0, 0.0, 2955.0, 3055.0],
            [0.0, 1.0, 3055.0, 3080.0],
            [0.0, 0.0, 3080.0, 12275.0],
        ]
    );
    assert_eq!(rows("swaps", &["job", "at", "charge"]), [[0.0, 2955.0, 25.0]]);
    let facts = rows("jobs", &["memory", "load", "swap", "suspensions", "class"]);
    assert_eq!(facts, [[200.0, 75.0, 25.0, 1.0, 2.0], [300.0, 75.0, 0.0, 0.0, 0.0]]);
    let slices: Vec<(f64, &str)> = rows("slices", &["from"])
        .iter()
        .zip(data["slices"]["name"].as_array().unwrap())
        .map(|(from, name)| (from[0], name.as_str().unwrap()))
        .collect();
    assert_eq!(slices[..4], [(0.0, "long"), (1800.0, "medium"), (2880.0, "short"), (3600.0, "long")]);
    let svg = folder.read("s.svg");
    assert_well_formed(&svg);
    for part in ["loading (hatched)", "memory swapped out", ">long</text>", ">medium</text>", ">short</text>"]
    {
        assert!(svg.contains(part), "{part}");
    }
}
