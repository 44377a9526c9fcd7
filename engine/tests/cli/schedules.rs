//! `simulate` and `workload generate`: files that scripts rely on.

use super::LOG;
use crate::program::Folder;
use serde_json::Value;
use table::{Cells, Frame};

/// First come, first served: job 2 waits for job 1, jobs 3 and 4 for job 2.
const FCFS: &str = "\
job,submit_s,start_s,finish_s,size
1,0,0,10,2
2,1,10,20,4
3,2,20,25,2
4,3.5,20,40,2
";

/// EASY: job 3 ends before job 2's reservation at 10, job 4 would not.
const EASY: &str = "\
job,submit_s,start_s,finish_s,size
1,0,0,10,2
2,1,10,20,4
3,2,2,7,2
4,3.5,20,40,2
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    folder
}

#[test]
fn schedules_are_as_computed_by_hand() {
    let folder = folder();
    for (policy, schedule) in [("fcfs", FCFS), ("easy", EASY), ("conservative", EASY)] {
        folder.call(&format!("simulate --swf log.swf --nodes 4 --policy {policy} --jobs-out s.csv")).done();
        assert_eq!(folder.read("s.csv"), schedule, "{policy}");
    }
    let general = "--policy 'Priority(order: Arrival, reservations: AtMost(1))'";
    let answer = folder.call(&format!("simulate --swf log.swf --nodes 4 {general} --jobs-out -")).done();
    assert_eq!(answer.out, EASY);
    assert_eq!(answer.err, "4 records, 4 jobs kept, 0 dropped\n  kept            1  fractions of a second\n");
}

#[test]
fn metrics_are_as_computed_by_hand() {
    let folder = folder();
    let answer = folder.call("simulate --swf log.swf --nodes 4 --policy easy --metrics-out m.json").done();
    assert_eq!(answer.out, "");
    let metrics: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    let close = |name: &str, value: f64| {
        let found = metrics[name].as_f64().unwrap();
        assert!((found - value).abs() < 1e-9, "{name}: {found} instead of {value}");
    };
    assert_eq!(metrics["jobs"], 4);
    close("mean_wait_s", (9.0 + 16.5) / 4.0);
    close("mean_response_s", (10.0 + 19.0 + 5.0 + 36.5) / 4.0);
    close("mean_bounded_slowdown", (1.0 + 1.9 + 1.0 + 36.5 / 20.0) / 4.0);
    close("max_wait_s", 16.5);
    close("utilization", (20.0 + 40.0 + 10.0 + 40.0) / (4.0 * 40.0));
    close("makespan_s", 40.0);
    // Defined on trees only.
    assert_eq!(metrics["mean_level_excess"], Value::Null);
    let names: Vec<&str> = metrics.as_object().unwrap().keys().map(String::as_str).collect();
    let mut known = sim::metrics::Metrics::NAMES.to_vec();
    known.sort_unstable();
    assert_eq!(names, known);
}

#[test]
fn without_an_output_the_metrics_are_printed() {
    let folder = folder();
    let out = folder.call("simulate --swf log.swf --nodes 4 --policy easy").done().out;
    assert!(out.starts_with("jobs                                   4\n"), "{out}");
    assert!(out.contains("makespan_s                       40.0000\n"), "{out}");
    let json = folder.call("-q simulate --swf log.swf --nodes 4 --policy easy --metrics-out -").done();
    assert!(serde_json::from_str::<Value>(&json.out).is_ok());
    assert_eq!(json.err, "");
}

#[test]
fn a_schedule_has_the_same_cells_in_parquet_and_swf() {
    let folder = folder();
    for name in ["s.parquet", "s.swf", "s.swf.gz"] {
        folder.call(&format!("simulate --swf log.swf --nodes 4 --policy easy --jobs-out {name}")).done();
    }
    let frame = Frame::read_parquet(&folder.path("s.parquet")).unwrap();
    assert_eq!(frame.names(), ["job", "submit_s", "start_s", "finish_s", "size"]);
    assert_eq!(frame.column("job").unwrap().cells, Cells::Int([1, 2, 3, 4].map(Some).to_vec()));
    assert_eq!(frame.column("submit_s").unwrap().cells, Cells::Real([0.0, 1.0, 2.0, 3.5].map(Some).to_vec()));
    assert_eq!(
        frame.column("start_s").unwrap().cells,
        Cells::Real([0.0, 10.0, 2.0, 20.0].map(Some).to_vec())
    );
    let log = workload::swf::read(&folder.path("s.swf.gz")).unwrap();
    assert_eq!(log.header.max_procs(), Some(4));
    let waits: Vec<f64> = log.records.iter().map(|record| record.wait.as_secs_f64()).collect();
    assert_eq!(waits, [0.0, 9.0, 0.0, 16.5]);
    assert_eq!(log.records, workload::swf::read(&folder.path("s.swf")).unwrap().records);
}

#[test]
fn a_tree_may_be_given_with_the_allocator() {
    let folder = folder();
    // On a 2-ary 2-tree job 3 needs an aligned pair and gets one; the schedule is that of EASY.
    let line = "simulate --swf log.swf --nodes 4 --policy easy --allocator contiguous:2,2 --jobs-out s.csv --metrics-out m.json";
    folder.call(line).done();
    assert_eq!(folder.read("s.csv"), EASY);
    let metrics: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert_eq!(metrics["mean_level_excess"], 0.0);
}

#[test]
fn options_reach_the_simulation() {
    let folder = folder();
    let schedule =
        |rest: &str| folder.call(&format!("simulate --swf log.swf --jobs-out - {rest}")).done().out;
    assert_eq!(schedule("--nodes 4 --policy fcfs --n-jobs 2").lines().count(), 3);
    // Half the run times.
    let fast = schedule("--nodes 4 --policy fcfs --speedup 0.5");
    assert!(fast.contains("\n2,1,5,10,4\n") && fast.contains("\n4,3.5,10,20,2\n"), "{fast}");
    // On three nodes job 2 is dropped, or cut to three nodes.
    let dropped = schedule("--policy fcfs --nodes 3");
    assert!(!dropped.contains("\n2,"), "{dropped}");
    let clamped = schedule("--policy fcfs --nodes 3 --too-large clamp");
    assert!(clamped.contains("\n2,1,10,20,3\n"), "{clamped}");
    let loaded = schedule("--nodes 4 --policy fcfs --load 0.5");
    assert!(loaded.starts_with("job,submit_s,start_s,finish_s,size\n1,0,0,10,2\n"), "{loaded}");
    let per_event = schedule("--nodes 4 --policy easy --passes per-event --estimates actual");
    assert_eq!(per_event, EASY);
}

#[test]
fn a_case_file_describes_everything() {
    let folder = folder();
    folder.write("case.ron", "(machine: Flat(nodes: 4), policy: Easy())");
    let answer = folder.call("simulate --case case.ron --swf log.swf --jobs-out -").done();
    assert_eq!(answer.out, EASY);
    let answer = folder.call("simulate --case case.ron --swf log.swf --policy fcfs --jobs-out -").done();
    assert_eq!(answer.out, FCFS);
    folder.call("simulate --case case.ron").refused(&["case.ron has no workload", "--swf"]);
    folder.call("simulate --case case.ron --nodes 4 --swf log.swf").refused(&["--nodes"]);
    folder.write("case.ron", "(machine: Flat(nodes: 4), policy: Eesy())");
    folder.call("simulate --case case.ron --swf log.swf").refused(&["Eesy", "case.ron:1", "Easy"]);
    let file = "(machine: Flat(nodes: 4), policy: Fcfs, workload: (source: File(path: \"log.swf\")))";
    folder.write("case.ron", file);
    assert_eq!(folder.call("simulate --case case.ron --jobs-out -").done().out, FCFS);
}

#[test]
fn the_cleaning_report_is_talk() {
    let folder = Folder::new();
    folder.write("log.swf", format!("{LOG}5 9 -1 0 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n"));
    let answer = folder.call("simulate --swf log.swf --nodes 4 --policy fcfs --jobs-out -").done();
    assert_eq!(answer.out, FCFS);
    assert!(
        answer.err.contains("5 records, 4 jobs kept, 1 dropped\n  dropped         1  no run time"),
        "{}",
        answer.err
    );
}

#[test]
fn a_model_can_be_simulated_and_written() {
    let folder = Folder::new();
    let model = "lublin-feitelson --nodes 32 --n-jobs 100 --seed 7 --load 0.7";
    folder.call(&format!("workload generate {model} -o jobs.swf")).done();
    folder.call(&format!("workload generate {model} -o jobs.swf.gz")).done();
    let direct = folder.call(&format!("simulate --model {model} --policy easy --jobs-out -")).done().out;
    for file in ["jobs.swf", "jobs.swf.gz"] {
        let written =
            folder.call(&format!("simulate --swf {file} --nodes 32 --policy easy --jobs-out -")).done().out;
        assert_eq!(written, direct);
    }
    assert_eq!(direct.lines().count(), 101);
    let other = folder
        .call(&format!("simulate --model {model} --policy easy --jobs-out -").replace("7 ", "8 "))
        .done();
    assert_ne!(other.out, direct);
    let stdout = folder.call("workload generate twin:HPC2N-2002-2.2-cln --n-jobs 50 -o -").done().out;
    assert!(stdout.contains("; MaxProcs: 240\n"), "{stdout}");
    assert_eq!(stdout.lines().filter(|line| !line.starts_with(';')).count(), 50);
    folder.call(&format!("workload generate {model} -o jobs.csv")).refused(&[".swf, .swf.gz"]);
}

#[test]
fn a_month_of_the_o2k_model_becomes_a_log() {
    let folder = Folder::new();
    let model = "o2k --month 2000-03 --raw --seed 3 --n-jobs 400";
    folder.call(&format!("workload generate {model} -o jobs.swf")).done();
    let log = folder.read("jobs.swf");
    for line in [
        "; MaxProcs: 960",
        "; Note: generated by backsweep: raw O2K model, 2000-03, seed 3",
        "; Note: 2000-03 is from 604800 to before 3283200 s, with a warm-up before it",
        "; Note: fields 7 and 10 are the memory of the job divided by its processors",
        "; Note: run times may exceed requests: read it with --estimate-floor as-logged",
    ] {
        assert!(log.lines().any(|found| found == line), "{line}");
    }
    let memory = |field: usize| {
        let jobs = log.lines().filter(|line| !line.starts_with(';'));
        jobs.map(move |line| line.split(' ').nth(field - 1).unwrap().parse::<i64>().unwrap())
    };
    assert!(memory(7).all(|kb| kb > 0) && memory(10).all(|kb| kb > 0));
    assert!(memory(7).zip(memory(10)).any(|(used, requested)| used < requested));
    let easy = |jobs: &str| folder.call(&format!("simulate {jobs} --policy easy --jobs-out -")).done().out;
    let direct = easy(&format!("--model {model} --nodes 960"));
    assert_eq!(easy("--swf jobs.swf --nodes 960 --estimate-floor as-logged"), direct);
    assert_ne!(easy("--swf jobs.swf --nodes 960"), "");
    // On hosts the memory of the whole job counts again; so little that it is what jobs wait for.
    let hosts =
        "machine: Hosts(hosts: [(name: \"a\", processors: 128, memory_mb: 16384)]), allocator: FirstFree";
    let policy = "policy: PriorityBackfill(order: LxfW, immediate_service: Some(()))";
    let on_hosts = |case: &str, source: &str, jobs: &str| {
        folder.write(case, format!("({hosts}, {policy}, workload: ({source}))"));
        folder.call(&format!("simulate --case {case} {jobs} --jobs-out -")).done().out
    };
    let log = on_hosts("log.ron", "source: File(path: \"jobs.swf\"), rules: (estimate_floor: AsLogged)", "");
    let drawn = on_hosts("model.ron", "source: O2k(month: Mar2000, fit: Raw), jobs: Some(400)", "--seed 3");
    assert_eq!(log, drawn);
    folder
        .call("workload generate o2k --month 2000-04 -o a.swf")
        .refused(&["known months: 1999-10, 1999-11"]);
}

#[test]
fn a_model_is_compared_with_its_publication() {
    let folder = Folder::new();
    let month = folder.call("workload check o2k --month 1999-11 --seeds 1").done().out;
    assert!(
        month.contains("vst_sj, jobs                              3884           3884  exact\n"),
        "{month}"
    );
    assert!(month.ends_with("41 of 41 within their tolerance, over the seeds 1 to 1\n"), "{month}");
    let raw = folder.call("workload check o2k --seeds 1").out;
    assert!(raw.contains("Table 9, requested run time given processors and memory\n"), "{raw}");
    assert!(month.lines().chain(raw.lines()).all(|line| line.chars().count() <= 80));
    folder.call("workload check lublin").refused(&["o2k"]);
}

#[test]
fn no_output_replaces_another_or_the_input() {
    let folder = folder();
    let same = |outputs: &str, message: &str| {
        folder.call(&format!("simulate --swf log.swf --nodes 4 --policy fcfs {outputs}")).refused(&[message]);
    };
    same("--jobs-out log.swf", "--jobs-out and --swf are the same file");
    same("--jobs-out ./log.swf", "--jobs-out and --swf are the same file");
    same("--jobs-out new.csv --metrics-out ./new.csv", "--jobs-out and --metrics-out are the same file");
    assert_eq!(folder.read("log.swf"), LOG);
}
