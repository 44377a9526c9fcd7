//! `why`, `plan --explain` and `store revalidate`: on a store that an older model wrote, and on one that lacks runs.

use super::EXPERIMENT;
use crate::program::Folder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::process::{Command, Stdio};
use sweep::{Access, Fingerprint, RunKey, Store, StoreWriter, StoredRun, fingerprint};

const STORE: &str = ".backsweep/store";

/// The six runs of load 0.6, of the twelve that the experiment has.
fn half() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT).call("run e.ron --set load=0.6").done();
    folder
}

/// The same as rows of an older model, which was another one in `family`; `alter` sees each row.
fn stale(family: &str, alter: impl Fn(&mut StoredRun)) -> Folder {
    let folder = half();
    let store = folder.path(STORE);
    let mut rows = Vec::new();
    Store::open(&store, Access::Read).unwrap().scan(&mut |_, run| rows.push(run)).unwrap();
    fs::remove_dir_all(&store).unwrap();
    let model = Fingerprint([9; 32]);
    for row in &mut rows {
        row.key = RunKey::of_stored(&row.spec, row.content, model).unwrap();
        row.model = model.0;
        alter(row);
    }
    let mut then: BTreeMap<String, String> =
        fingerprint::families().map(|(name, hash)| (name.to_owned(), hash.to_string())).collect();
    then.insert(family.to_owned(), "ab".repeat(32));
    StoreWriter::open(&store).unwrap().of_model(&then).unwrap().write(&rows).unwrap();
    folder
}

/// The lines of JSON that a call prints.
fn lines(folder: &Folder, line: &str) -> Vec<Value> {
    let out = folder.call(line).done().out;
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How many runs of the experiment the store does not answer.
fn missing(folder: &Folder) -> Value {
    lines(folder, "plan e.ron --json")[0]["missing"].clone()
}

#[track_caller]
fn fits(text: &str) {
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn runs_with_a_new_value_are_explained_by_it() {
    let folder = half();
    let answer = folder.call("why e.ron 'load > 0.7 and policy = Easy()' --limit 1").done();
    for part in ["not answered: axis value new\n    load = 0.8\n", "nearest stored run ", " other fields"] {
        assert!(answer.out.contains(part), "{}", answer.out);
    }
    assert_eq!(answer.out.matches("mine/quick run ").count(), 1);
    assert!(answer.err.contains("3 runs matching, 0 of them answered; 2 more: --limit 3"), "{}", answer.err);
    fits(&answer.out);
    let answered = folder.call("why e.ron 'load = 0.6 and replication = 0'").done();
    assert_eq!(answered.out.matches("answered by seg-").count(), 2, "{}", answered.out);
    // Without a filter: what is not answered.
    let all = lines(&folder, "why e.ron --json --limit 100");
    assert_eq!(all.len(), 6);
    assert!(all.iter().all(|run| run["reason"] == "new_value" && run["details"] == json!(["load = 0.8"])));
    folder.call("why e.ron 'lod > 0.7'").refused(&["lod", "load"]);
}

#[test]
fn a_run_is_found_by_the_beginning_of_its_key() {
    let folder = half();
    let all = lines(&folder, "why e.ron --json --limit 100");
    let key = all[0]["key"].as_str().unwrap();
    let found = folder.call(&format!("why e.ron {}", &key[..10])).done();
    assert!(found.out.starts_with(&format!("mine/quick run {}\n", &key[..16])), "{}", found.out);
    // What is not stored cannot be described without the experiment; what is can.
    let unknown = folder.call(&format!("why {}", &key[..10]));
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err.contains("the store holds no run whose key begins with"), "{}", unknown.err);
    let stored = all[0]["nearest"]["key"].as_str().unwrap();
    let found = folder.call(&format!("why {}", &stored[..10])).done().out;
    assert!(found.contains("ok, answers this run today") && found.contains("0.6"), "{found}");
    fits(&found);
    folder
        .call("why 'load = 0.6'")
        .refused(&["neither a file nor the beginning of a run key", "why FILE.ron"]);
}

#[test]
fn a_changed_model_is_named_with_its_hashes() {
    let folder = stale("sim/policy/easy", |_| {});
    let runs = lines(&folder, "why e.ron 'load = 0.6' --json --limit 100");
    let reasons = |policy: &str| {
        let text = format!("why e.ron 'load = 0.6 and policy = {policy}' --json --limit 100");
        lines(&folder, &text).into_iter().map(|run| run["details"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(runs.len(), 6);
    assert!(runs.iter().all(|run| run["reason"] == "model_changed"));
    assert_eq!(reasons("Easy()"), vec![json!(["sim/policy/easy"]); 3]);
    // Nothing that these runs use is another; the fingerprint is one that no model has.
    assert_eq!(reasons("Fcfs"), vec![json!(["another kind of fingerprint"]); 3]);
    let text = folder.call("why e.ron 'load = 0.6 and policy = Easy()' --limit 1").done().out;
    assert!(text.contains("model code changed") && text.contains("abababababababab"), "{text}");
    fits(&text);
    let key = runs[0]["nearest"]["key"].as_str().unwrap();
    let stored = folder.call(&format!("why {key}")).done().out;
    assert!(stored.contains("of an older model: does not answer this run today"), "{stored}");
}

#[test]
fn a_plan_counts_why_runs_are_missing() {
    let folder = stale("core", |_| {});
    let plan = folder.call("plan e.ron --explain").done().out;
    for part in
        ["why runs of mine/quick are missing", "6  axis value new", "6  model code changed", "6  core"]
    {
        assert!(plan.contains(part), "{plan}");
    }
    fits(&plan);
    let plan = lines(&folder, "plan e.ron --explain --json");
    let reasons = &plan[0]["experiments"][0]["reasons"];
    let core = json!([{"what": "core", "runs": 6}]);
    assert_eq!(reasons[0], json!({"reason": "model_changed", "runs": 6, "details": core}));
    assert_eq!((&reasons[1]["reason"], &reasons[1]["runs"]), (&json!("new_value"), &json!(6)));
    assert_eq!(lines(&folder, "plan e.ron --json")[0]["experiments"][0].get("reasons"), None);
    folder.call("run e.ron").done();
    let plan = lines(&folder, "plan e.ron --explain --json");
    assert_eq!(plan[0]["experiments"][0]["reasons"], json!([]));
}

#[test]
fn identical_runs_are_stamped_anew() {
    let folder = stale("core", |_| {});
    assert_eq!(missing(&folder), 12);
    let dry = folder.call("store revalidate --sample 2 --dry-run").done().out;
    assert!(dry.contains("6 stale runs") && dry.contains("6 runs would be re-stamped, 0 not"), "{dry}");
    assert_eq!(missing(&folder), 12);
    let done = folder.call("store revalidate --sample 2").done().out;
    assert_eq!(done.matches(": identical\n").count(), 2, "{done}");
    assert!(done.contains("core abababab -> ") && done.ends_with("6 runs re-stamped, 0 not\n"), "{done}");
    fits(&done);
    assert_eq!(missing(&folder), 6);
    assert_eq!(folder.call("store revalidate --sample 2").done().out, "no stale runs\n");
    // They are the results that a run would have had.
    assert!(folder.call("run e.ron").done().err.contains("6 runs done"));
    let table = |folder: &Folder| fs::read(folder.path("results/mine/quick/runs.parquet")).unwrap();
    let undisturbed = Folder::new();
    undisturbed.write("e.ron", EXPERIMENT).call("run e.ron").done();
    assert_eq!(table(&folder), table(&undisturbed));
}

#[test]
fn only_the_runs_of_the_given_experiments_are_looked_at() {
    let folder = stale("core", |_| {});
    let line = "store revalidate e.ron --set policy=Fcfs --sample 100";
    let done = folder.call(line).done();
    assert!(done.out.ends_with("3 runs re-stamped, 0 not\n"), "{}", done.out);
    assert!(done.err.contains("3 rows, not in the given experiments"), "{}", done.err);
    let unread = folder.call("store revalidate --set policy=Fcfs --sample 1");
    assert_eq!(unread.code, Some(2), "what is set without a file would be ignored");
}

#[test]
fn one_run_that_differs_speaks_against_all_that_share_its_change() {
    // Every run of EASY had another mean wait; of the others nothing of what changed is known to matter.
    let folder = stale("sim/policy/easy", |row| {
        if row.spec.contains("Easy") {
            row.result.as_mut().unwrap().metrics.0[1] = Some(-1.0);
        }
    });
    let refused = folder.call("store revalidate --sample 4");
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.out.contains("DIFFERS\n    sim/policy/easy abababab -> "), "{}", refused.out);
    assert!(refused.out.contains(" -1 -> "), "{}", refused.out);
    assert!(refused.out.contains(": identical\n"), "{}", refused.out);
    assert!(refused.out.ends_with("3 runs re-stamped, 3 not\n"), "{}", refused.out);
    fits(&refused.out);
    assert_eq!(missing(&folder), 9);
}

#[test]
fn a_run_that_fails_today_is_a_difference() {
    // A workload without jobs is an error that is found when it is made.
    let folder = stale("core", |row| {
        row.spec = row.spec.replace("\"jobs\":200", "\"jobs\":0");
        row.key = RunKey::of_stored(&row.spec, row.content, Fingerprint(row.model)).unwrap();
    });
    let refused = folder.call("store revalidate --sample 1");
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.out.contains("    failed: "), "{}", refused.out);
    assert!(refused.out.ends_with("0 runs re-stamped, 6 not\n"), "{}", refused.out);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_sample_in_which_a_run_takes_minutes() {
    let endless = [
        ("\"jobs\":200", "\"jobs\":40000"),
        ("\"target\":0.6", "\"target\":3.0"),
        ("\"policy\":\"Fcfs\"", "\"policy\":{\"Priority\":{\"order\":\"Arrival\",\"reservations\":\"All\"}}"),
    ];
    let folder = stale("core", |row| {
        if row.spec.contains("Fcfs") {
            endless.iter().for_each(|(from, to)| row.spec = row.spec.replace(from, to));
            row.key = RunKey::of_stored(&row.spec, row.content, Fingerprint(row.model)).unwrap();
        }
    });
    let before = folder.names();
    let mut call = folder.command("store revalidate --sample 6");
    let mut call = call.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(call.stdout.take().unwrap());
    let mut told = String::new();
    while !told.contains("sample of 6") {
        assert!(out.read_line(&mut told).unwrap() > 0, "{told}");
    }
    let sent = Command::new("kill").args(["-INT", &call.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(call.wait().unwrap().code(), Some(130));
    assert_eq!(folder.names(), before, "nothing is written");
}
