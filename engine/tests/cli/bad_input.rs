//! Malformed questions: one clear error with place and hint, exit code 2, nothing written.

use super::{EXPERIMENT, LOG};
use crate::program::Folder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const RECORD: &str = "1 0 -1 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n";

/// Asserts that no verb that reads logs takes this one, and that nothing is written.
#[track_caller]
fn log_is_refused(content: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::new();
    folder.write("log.swf", content);
    let line = "simulate --swf log.swf --nodes 4 --policy easy --jobs-out s.csv --metrics-out m.json";
    folder.call(line).refused(parts);
    folder.call("trace inspect log.swf").refused(parts);
    assert_eq!(folder.names(), ["log.swf"]);
}

/// Asserts that an experiment is refused by every verb that reads one, and that nothing is written.
#[track_caller]
fn experiment_is_refused(change: (&str, &str), parts: &[&str]) {
    let folder = Folder::new();
    assert!(EXPERIMENT.contains(change.0));
    folder.write("e.ron", EXPERIMENT.replace(change.0, change.1));
    folder.call("run e.ron").refused(parts);
    folder.call("plan e.ron --json").refused(parts);
    assert_eq!(folder.names(), ["e.ron"]);
}

#[test]
fn a_record_with_17_columns() {
    let short = RECORD.replace(" -1\n", "\n");
    let parts =
        ["log.swf", "line 2", "17 fields, expected 18", "hint: a record of the Standard Workload Format"];
    log_is_refused(format!("{RECORD}{short}"), &parts);
}

#[test]
fn fields_that_are_no_numbers() {
    for text in ["abc", "NaN", "inf", "1000000000000000000"] {
        let bad = RECORD.replace("1 0 -1 10 ", &format!("1 0 -1 {text} "));
        log_is_refused(format!("; comment\n{bad}"), &["line 2, column 8", &format!("`{text}`"), "hint:"]);
    }
}

#[test]
fn a_malformed_log_of_an_experiment_is_found_before_the_first_run() {
    let folder = Folder::new();
    let source = r#"source: File(path: "log.swf"), jobs: Some(200)"#;
    folder.write("e.ron", EXPERIMENT.replace("source: LublinFeitelson(), jobs: Some(200)", source));
    folder.call("run e.ron").refused(&["log.swf", "No such file"]);
    folder.write("log.swf", format!("{RECORD}1 2 3\n"));
    folder.call("run e.ron").refused(&["`log.swf`", "line 2", "3 fields, expected 18"]);
    assert_eq!(folder.names(), ["e.ron", "log.swf"]);
}

#[test]
fn windows_line_ends_are_fine() {
    let folder = Folder::new();
    folder.write("log.swf", LOG.replace('\n', "\r\n"));
    let answer = folder.call("simulate --swf log.swf --nodes 4 --policy fcfs --jobs-out -").done();
    assert_eq!(answer.out.lines().count(), 5);
}

#[test]
fn damaged_and_empty_files() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(LOG.repeat(50).as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    log_is_refused(
        &whole[..whole.len() - 20],
        &["cannot read `log.swf`", "hint: the file is cut off or damaged"],
    );
    log_is_refused("", &["`log.swf`: no job records: the file is empty", "hint:"]);
    log_is_refused("; only\n; comments\n", &["no job records"]);
    Folder::new().call("trace inspect none.swf").refused(&["none.swf", "No such file"]);
    Folder::new().call("trace inspect .").refused(&["cannot read `.`"]);
}

#[test]
fn a_log_without_usable_jobs() {
    let folder = Folder::new();
    folder.write("log.swf", RECORD);
    folder.call("simulate --swf log.swf --nodes 1 --policy easy").refused(&[
        "no usable jobs",
        "larger than the machine",
        "hint",
    ]);
}

#[test]
fn machines_that_cannot_be() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let call = |rest: &str| folder.call(&format!("simulate --swf log.swf --policy fcfs {rest}"));
    call("--nodes 0").refused(&["--nodes 0", "at least one node", "hint"]);
    call("--nodes -3").refused(&["--nodes"]);
    call("--nodes 100 --allocator contiguous:4,3")
        .refused(&["100 installed nodes, but a 4-ary 3-tree has 64"]);
    call("--nodes 4 --allocator contiguous:1,3").refused(&["arity"]);
    call("--nodes 4 --allocator Contiguous()").refused(&["needs a tree machine", "contiguous:K,N"]);
    folder.call("trace inspect log.swf --nodes 0").refused(&["at least one node"]);
    folder
        .call("workload generate lublin-feitelson --nodes 0 --n-jobs 5 -o x.swf")
        .refused(&["at least one node"]);
    assert_eq!(folder.names(), ["log.swf"]);
}

#[test]
fn unknown_names_come_with_the_known_ones() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    folder
        .call("simulate --swf log.swf --nodes 4 --policy esay")
        .refused(&["esay", "known: fcfs, easy, conservative"]);
    folder
        .call("simulate --model lublin --nodes 4 --policy fcfs")
        .refused(&["known: lublin-feitelson, o2k, poisson, twin:"]);
    folder.call("simulate --model lublin-feitelson --nodes 4 --policy fcfs").refused(&["--n-jobs"]);
    folder.call("trace fetch NASA").refused(&["unknown log `NASA`", "HPC2N-2002-2.2-cln", "trace list"]);
    folder.call("reproduce nobody-2050").refused(&["unknown study `nobody-2050`; known: ", "pascual"]);
    folder.call("reproduce --scale huge").refused(&["unknown scale `huge`", "paper"]);
    assert_eq!(folder.names(), ["log.swf"]);
}

#[test]
fn numbers_out_of_range() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    for bad in ["--load 0", "--load -1", "--load NaN", "--speedup 1", "--bound 0", "--n-jobs 0"] {
        let option = bad.split(' ').next().unwrap();
        let answer = folder.call(&format!("simulate --swf log.swf --nodes 4 --policy fcfs {bad}"));
        answer.refused(&[option.trim_start_matches("--n-").trim_start_matches("--")]);
    }
}

#[test]
fn a_typing_error_in_an_axis() {
    let parts = ["unknown", "`polcy`", "e.ron:13:9", "did you mean `policy`?"];
    experiment_is_refused(("\"policy\": [Fcfs, Easy()]", "\"polcy\": [Fcfs, Easy()]"), &parts);
}

#[test]
fn an_unknown_policy() {
    let parts = ["`Easi`", "Fcfs", "Easy", "Conservative", "Priority", "e.ron:13:26"];
    experiment_is_refused(("\"policy\": [Fcfs, Easy()]", "\"policy\": [Fcfs, Easi()]"), &parts);
}

#[test]
fn an_empty_axis() {
    experiment_is_refused(("\"load\": [0.6, 0.8]", "\"load\": []"), &["`load` has no values", "e.ron:14:17"]);
}

#[test]
fn groups_of_unequal_length() {
    let zip = r#"zip: [(fields: {"n_jobs": [100, 200], "bound_s": [1.0, 2.0, 3.0]})], exclude: []"#;
    experiment_is_refused(("exclude: []", zip), &["`n_jobs`", "`bound_s`", "2", "3", "e.ron:16"]);
}

#[test]
fn a_grid_that_excludes_everything() {
    let parts = ["e.ron:16:15", "drop all 4 points", "loosen"];
    experiment_is_refused(("exclude: []", r#"exclude: ["load > 0"]"#), &parts);
}

#[test]
fn a_constraint_on_a_missing_axis() {
    experiment_is_refused(
        ("exclude: []", r#"exclude: ["speed = 1"]"#),
        &["`speed`", "load, policy", "e.ron:16:16"],
    );
}

#[test]
fn text_that_is_no_experiment() {
    let folder = Folder::new();
    folder.write("e.ron", "(format: 1,").write("bytes.ron", [0xff, 0xfe, 0]);
    folder.call("run e.ron").refused(&["e.ron"]);
    folder.call("run bytes.ron").refused(&["UTF-8"]);
    folder.call("run none.ron").refused(&["none.ron", "cannot read"]);
    folder.call("run").refused(&["FILE.ron"]);
    folder.call("run . --set load").refused(&["AXIS=VALUE"]);
    assert_eq!(folder.names(), ["bytes.ron", "e.ron"]);
}

#[test]
fn all_problems_of_all_files_are_shown_together() {
    let folder = Folder::new();
    folder.write("a.ron", EXPERIMENT.replace("\"load\": [0.6, 0.8]", "\"laod\": [0.6], \"bound_s\": []"));
    folder.write("b.ron", EXPERIMENT.replace("Easy()]", "Eesy()]"));
    let answer = folder.call("run a.ron b.ron");
    assert_eq!(answer.code, Some(2));
    for part in ["`laod`", "`bound_s` has no values", "`Eesy`", "a.ron", "b.ron"] {
        assert!(answer.err.contains(part), "{part} is not in\n{}", answer.err);
    }
    assert_eq!(folder.names(), ["a.ron", "b.ron"]);
}

#[test]
fn overrides_that_make_no_sense() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --set laod=0.5").refused(&["`laod`", "did you mean `load`?"]);
    folder.call("run e.ron --set policy=Easi").refused(&["Easi"]);
    folder.call("run e.ron --scale tiny").refused(&["unknown scale `tiny`"]);
    folder.call("run e.ron --jobs 0").refused(&["--jobs"]);
    assert_eq!(folder.names(), ["e.ron"]);
}

#[test]
fn two_experiments_with_one_name() {
    let folder = Folder::new();
    folder.write("a.ron", EXPERIMENT).write("b.ron", EXPERIMENT);
    folder.call("run a.ron b.ron").refused(&["two experiments are named mine/quick"]);
    let other = EXPERIMENT.replace("\"quick\"", "\"other\"");
    folder.write("b.ron", other).call("run a.ron b.ron").refused(&["both draw a figure `waits`"]);
}

#[test]
fn places_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT).write("file", "").write("log.swf", LOG);
    folder.call("run e.ron --out file/out").refused(&["cannot write to file/out", "--out"]);
    folder.call("run e.ron --out file").refused(&["cannot write to file", "--out"]);
    folder.call("run e.ron --store file/store").refused(&["file/store", "--store"]);
    folder.call("reproduce --scale smoke --out file/out").refused(&["file/out"]);
    let simulate = "simulate --swf log.swf --nodes 4 --policy fcfs";
    folder.call(&format!("{simulate} --jobs-out file/s.csv")).refused(&["file", "--jobs-out"]);
    folder.call(&format!("{simulate} --metrics-out file/m.json")).refused(&["file", "--metrics-out"]);
    folder.call(&format!("{simulate} --jobs-out s.txt")).refused(&["s.txt", ".csv, .parquet, .swf, .swf.gz"]);
    folder.call(&format!("{simulate} --jobs-out - --metrics-out -")).refused(&["stdout"]);
    folder
        .call("workload generate lublin-feitelson --nodes 4 --n-jobs 5 -o file/x.swf")
        .refused(&["file", "-o"]);
    folder.call("trace fetch HPC2N-2002-2.2-cln --dir file/logs").refused(&["file/logs", "--dir"]);
    assert_eq!(folder.names(), ["e.ron", "file", "log.swf"]);
}

#[test]
fn a_trace_folder_that_does_not_exist() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --traces nowhere").refused(&["nowhere does not exist", "hint"]);
    let output = folder.command("run e.ron").env("BACKSWEEP_TRACES", "nowhere").output().unwrap();
    crate::program::Answer::of(&output).refused(&["nowhere does not exist", "hint"]);
    assert_eq!(folder.names(), ["e.ron"]);
}
