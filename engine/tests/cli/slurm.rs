//! `slurm`, with shell scripts in place of Slurm's programs.

use super::EXPERIMENT;
use crate::program::{Answer, Folder};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Notes its words, each in brackets, and gives job ids from 101 on until it refuses.
const SBATCH: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
for word; do printf '[%s]' "$word"; done >> calls
echo >> calls
if [ -e refusal ] && [ "$(grep -c . calls)" -gt "$(cat limit)" ]; then cat refusal >&2; exit 1; fi
echo $((100 + $(grep -c . calls)))
"#;
const SCONTROL: &str = "#!/bin/sh\n[ \"$*\" = 'show config' ] && cat \"$(dirname \"$0\")/config\"\n";
const SQUEUE: &str = "#!/bin/sh\ncat \"$(dirname \"$0\")/queue.json\"\n";
const SCANCEL: &str = "#!/bin/sh\necho \"$*\" > \"$(dirname \"$0\")/cancelled\"\necho 'scancel: error: Invalid job id 102' >&2\nexit 1\n";

/// The experiment in a folder whose name needs quoting, and a cluster that takes arrays of seven elements.
fn cluster() -> Folder {
    let folder = Folder::new();
    for name in ["bin", "my work"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder.write("my work/it's.ron", EXPERIMENT);
    for (name, text) in [("sbatch", SBATCH), ("scontrol", SCONTROL), ("squeue", SQUEUE), ("scancel", SCANCEL)]
    {
        let name = format!("bin/{name}");
        folder.write(&name, text);
        fs::set_permissions(folder.path(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder.write("bin/config", "Configuration data\nMaxArraySize            = 8\nMaxJobCount = 100\n");
    folder.write("bin/queue.json", r#"{"jobs": []}"#);
    folder
}

/// The experiment's file and the store, with double quotes in place of the single ones that `Folder::command` would take for its own.
fn call(folder: &Folder, verb: &str, rest: &str) -> Answer {
    let mut command = folder.command(verb);
    if matches!(verb, "slurm submit" | "slurm script") {
        command.arg("my work/it's.ron").args(["--out", "my work/out"]);
    }
    command.args(["--store", "my work/store"]).args(rest.split_whitespace());
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    Answer::of(&command.env("PATH", path).output().unwrap())
}

/// The folder of the only submission.
fn submission(folder: &Folder) -> String {
    let names = folder.names();
    let records: Vec<&String> = names.iter().filter(|name| name.ends_with("/submission.json")).collect();
    assert_eq!(records.len(), 1, "{names:?}");
    records[0].trim_end_matches("/submission.json").to_owned()
}

fn status(folder: &Folder) -> Value {
    serde_json::from_str(&call(folder, "slurm status", "--json").done().out).unwrap()
}

#[test]
fn more_elements_than_the_site_allows_are_several_arrays() {
    let folder = cluster();
    let answer = call(&folder, "slurm submit", "--elements 16 --time 08:00:00").done();
    let place = folder.path(&submission(&folder));
    let place = place.to_str().unwrap();
    let expected: String = [("7", "0"), ("7", "7"), ("2", "14")]
        .map(|(size, offset)| format!("[--parsable][--array=1-{size}][{place}/array.sh][{offset}]\n"))
        .concat();
    let merge = format!("[--parsable][--dependency=afterany:101:102:103][{place}/merge.sh]\n");
    assert_eq!(folder.read("bin/calls"), expected + &merge);
    assert!(answer.out.contains("array  102       elements 8 to 14\n"), "{}", answer.out);
    assert!(answer.out.contains("merge  104"), "{}", answer.out);
    assert!(answer.err.contains("3 arrays, as this site allows 7 elements in one"), "{}", answer.err);
    assert!(answer.err.contains("file system that all nodes share"), "{}", answer.err);

    let record: Value =
        serde_json::from_str(&folder.read(&format!("{}/submission.json", submission(&folder)))).unwrap();
    assert_eq!(record["arrays"][2], serde_json::json!({ "job": 103, "offset": 14, "size": 2 }));
    assert_eq!((&record["merge"], &record["elements"]), (&104.into(), &16.into()));
    assert!(folder.path(&format!("{}/logs", submission(&folder))).is_dir());
}

#[test]
fn the_scripts_run_what_was_asked_wherever_it_is() {
    let folder = cluster();
    let options = "--elements 3 --time 30 --set replications=2 --cpus-per-task 4 --mem 2G --partition long --account me --qos low \
                   --sbatch-arg=--exclude=n1 --sbatch-arg --exclusive";
    let script = call(&folder, "slurm script", options).done().out;
    let directives = [
        "--array=1-3",
        "--time=00:30:00",
        "--cpus-per-task=4",
        "--mem=2G",
        "--partition=long",
        "--account=me",
        "--qos=low",
        "--exclude=n1",
        "--exclusive",
        "--signal=B:USR1@60",
        "--requeue",
        "--open-mode=append",
    ];
    for directive in directives {
        assert!(script.contains(&format!("\n#SBATCH {directive}\n")), "{directive} is not in\n{script}");
    }
    let failures = "--part array --retry 2 --retry-failed --run-timeout 1h30m --max-memory 8GB --jobs 3";
    let handed_on = call(&folder, "slurm script", &format!("{options} {failures}")).done().out;
    for words in [
        "--retry 2 --run-timeout 5400s --max-memory 8000000000B",
        "/3\" --retry-failed --jobs 3 --progress plain",
    ] {
        assert!(handed_on.contains(words), "{words} is not in\n{handed_on}");
    }
    let array = call(&folder, "slurm script", &format!("{options} --part array")).done().out;
    let merge = call(&folder, "slurm script", &format!("{options} --part merge")).done().out;
    assert!(script.contains(&array) && script.contains(&merge));

    // The merge script, run by a shell, is the whole sweep: the paths are read as they were meant.
    folder.write("merge.sh", merge);
    let done = std::process::Command::new("bash")
        .arg(folder.path("merge.sh"))
        .current_dir("/")
        .env("SLURM_CPUS_PER_TASK", "1")
        .output();
    let done = Answer::of(&done.unwrap()).done();
    assert!(done.out.starts_with("Scorecard: mine"), "{}", done.out);
    assert!(folder.path("my work/out/mine/quick/runs.parquet").is_file());
}

#[test]
fn a_rehearsal_submits_nothing() {
    let folder = cluster();
    let before = folder.names();
    let answer = call(&folder, "slurm submit", "--elements 9 --dry-run").done();
    assert_eq!(folder.names(), before);
    assert!(answer.out.contains("# sbatch --parsable --array=1-7 "), "{}", answer.out);
    assert!(answer.out.contains("--dependency=afterany:ID1:ID2"), "{}", answer.out);
    fs::remove_file(folder.path("bin/scontrol")).unwrap();
    let mut elsewhere = folder.command("slurm submit --elements 1001 --dry-run --store 'my work/store'");
    let elsewhere = elsewhere.arg("my work/it's.ron").env("PATH", folder.path("bin")).output().unwrap();
    let elsewhere = Answer::of(&elsewhere).done();
    assert!(
        elsewhere.err.contains("no Slurm here; a site with MaxArraySize 1001 is assumed"),
        "{}",
        elsewhere.err
    );
    assert!(
        elsewhere.out.contains("--array=1-1000 ") && elsewhere.out.contains("--array=1-1 "),
        "{}",
        elsewhere.out
    );
}

#[test]
fn a_limit_of_jobs_is_told() {
    let folder = cluster();
    folder.write("bin/refusal", "sbatch: error: QOSMaxSubmitJobPerUserLimit\n").write("bin/limit", "0");
    let answer = call(&folder, "slurm submit", "--elements 16");
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(answer.err.contains("QOSMaxSubmitJobPerUserLimit") && answer.err.contains("fewer --elements"));
    assert!(!folder.names().iter().any(|name| name.contains("quick-")), "nothing to remember");

    let folder = cluster();
    folder.write("bin/refusal", "sbatch: error: QOSMaxSubmitJobPerUserLimit\n").write("bin/limit", "2");
    let answer = call(&folder, "slurm submit", "--elements 16");
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(answer.err.contains("elements from 15 on are not submitted"), "{}", answer.err);
    assert!(answer.err.contains("no merge job"), "{}", answer.err);
    let status = call(&folder, "slurm status", "").done().out;
    assert!(status.contains("14: 14 unknown") && status.contains("refused"), "{status}");
    assert!(status.lines().filter(|line| !line.contains('/')).all(|line| line.len() <= 80), "{status}");
}

#[test]
fn a_number_of_elements_is_advised() {
    let folder = cluster();
    let answer = call(&folder, "slurm submit", "--dry-run").done();
    assert!(answer.err.contains("1 element: 12 missing runs of unknown length"), "{}", answer.err);
    call(&folder, "slurm submit", "--elements 0").refused(&["--elements"]);
    call(&folder, "slurm submit", "--time 8h").refused(&["--time", "no time limit"]);
    call(&folder, "slurm submit", "--sbatch-arg n1").refused(&["--sbatch-arg"]);
}

#[test]
fn done_is_what_the_store_answers() {
    let folder = cluster();
    call(&folder, "slurm status", "").refused(&["no submission is recorded in"]);
    call(&folder, "slurm submit", "--elements 3").done();
    // Slurm knows nothing any more; that is not the same as done.
    let forgotten = status(&folder);
    assert_eq!(forgotten["runs"]["missing"], 12);
    let fates = |status: &Value| -> Vec<String> {
        let elements = status["elements"].as_array().unwrap().iter();
        elements.map(|element| element["fate"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(fates(&forgotten), ["unknown"; 3]);
    assert!(forgotten["next"].as_str().unwrap().contains("submit again"), "{}", forgotten["next"]);

    folder.write(
        "bin/queue.json",
        r#"{"jobs": [
            {"job_id": 102, "array_job_id": 101, "array_task_id": 1, "job_state": "TIMEOUT", "state_reason": "TimeLimit"},
            {"job_id": 101, "array_job_id": 101, "array_task_id": null, "array_task_string": "3", "job_state": "PENDING"},
            {"job_id": 102, "array_job_id": 0, "array_task_id": null, "job_state": ["PENDING"], "state_reason": "Dependency"}
        ]}"#,
    );
    assert_eq!(fates(&status(&folder)), ["failed", "unknown", "pending"]);
    let text = call(&folder, "slurm status", "").done().out;
    for part in
        ["1 pending, 1 failed, 1 unknown", "TIMEOUT (TimeLimit)", "PENDING (Dependency)", "next      wait"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");

    folder.write("bin/squeue", "#!/bin/sh\necho 'Unable to contact slurm controller' >&2\nexit 1\n");
    let text = call(&folder, "slurm status", "").done().out;
    assert!(text.contains("Unable to contact slurm controller") && text.contains("12 missing"), "{text}");

    folder.write("bin/queue.json", r#"{"jobs": []}"#).write("bin/squeue", SQUEUE);
    let mut run = folder.command("run --store 'my work/store' --out 'my work/out'");
    Answer::of(&run.arg("my work/it's.ron").output().unwrap()).done();
    let done = status(&folder);
    assert_eq!((&done["runs"]["answered"], &done["tables"]), (&12.into(), &true.into()));
    assert!(done["next"].as_str().unwrap().starts_with("done"), "{}", done["next"]);

    // With all runs answered only the merge job is left to submit.
    let calls = folder.read("bin/calls").lines().count();
    let answer = call(&folder, "slurm submit", "--elements 3").done();
    assert!(answer.err.contains("all 12 runs answered"), "{}", answer.err);
    let all = folder.read("bin/calls");
    let new: Vec<&str> = all.lines().skip(calls).collect();
    assert!(new.len() == 1 && new[0].ends_with("/merge.sh]") && !new[0].contains("dependency"), "{new:?}");
}

#[test]
fn a_changed_experiment_is_noticed() {
    let folder = cluster();
    call(&folder, "slurm submit", "--elements 2").done();
    folder.write("my work/it's.ron", EXPERIMENT.replace("0.6, 0.8", "0.6, 0.7"));
    let answer = call(&folder, "slurm status", "").done();
    assert!(answer.err.contains("mine/quick has changed since the submission"), "{}", answer.err);
}

#[test]
fn only_recorded_jobs_are_cancelled() {
    let folder = cluster();
    call(&folder, "slurm submit", "--elements 8").done();
    let answer = call(&folder, "slurm cancel", "").done();
    assert_eq!(folder.read("bin/cancelled"), "101 102 103\n");
    assert!(answer.out.contains("jobs 101, 102, 103") && answer.err.contains("stay in"), "{}", answer.err);
    let name = submission(&folder);
    let name = name.rsplit('/').next().unwrap();
    call(&folder, "slurm cancel", name).done();
    call(&folder, "slurm cancel", "other").refused(&["no submission `other`", name]);
}
