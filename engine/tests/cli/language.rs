//! The experiment language as a user meets it: `schema`, paths, included files, long lines.

use super::EXPERIMENT;
use crate::program::Folder;

#[test]
fn schema_says_what_a_field_takes_and_means() {
    let folder = Folder::new();
    let all = folder.call("schema").done().out;
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    for word in ["policy.overrun", "workload.load.target", "include", "Crossover", "Bars"] {
        assert!(all.contains(word), "{word} is not in\n{all}");
    }
    let by_name = folder.call("schema overrun").done().out;
    assert_eq!(by_name, folder.call("schema policy.overrun").done().out);
    for word in
        ["KillBackfilled or Extend", "Pascual 2008", "default   KillBackfilled", "path      policy.overrun"]
    {
        assert!(by_name.contains(word), "{word} is not in\n{by_name}");
    }
    let both = folder.call("schema source").done().out;
    assert!(both.contains("a field of a case") && both.contains("a part of an experiment file"), "{both}");
    folder
        .call("schema polcy.overrun")
        .refused(&["is no word of the experiment language", "did you mean `policy.overrun`?"]);
    folder.call("schema xyzzy").refused(&["`backsweep schema` lists all of them"]);
}

#[test]
fn matrix_says_what_goes_together_and_the_readme_shows_it() {
    let folder = Folder::new();
    let all = folder.call("matrix").done().out;
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    let readme = crate::tidy::TextFile::read("README.md").text;
    assert!(readme.contains(&format!("```text\n{all}```\n")), "the README does not show\n{all}");
    let why = folder.call("matrix --why").done().out;
    assert!(why.starts_with(&all) && why.len() > all.len(), "{why}");
    for reason in [
        "contiguous allocation needs a tree machine",
        "..\u{20}plans for hosts",
        "Iterative x Tree x Contiguous",
    ] {
        assert!(why.contains(reason), "{reason} is not in\n{why}");
    }
    let question = EXPERIMENT.replacen("policy: ", "allocator: Contiguous(), policy: ", 1);
    assert_ne!(question, EXPERIMENT);
    folder
        .write("q.ron", question)
        .call("plan q.ron")
        .refused(&["contiguous allocation needs a tree machine", "known for this allocator: Tree"]);
}

#[test]
fn schema_is_there_for_machines() {
    let folder = Folder::new();
    let json = |line: &str| serde_json::from_str::<serde_json::Value>(&folder.call(line).done().out).unwrap();
    let all = json("schema --json");
    assert_eq!(all["properties"]["axes"]["type"], "object");
    assert_eq!(all["$defs"]["fields"]["properties"]["speedup"]["type"], "number");
    let one = json("schema machine.nodes --json");
    assert_eq!((&one["field"]["type"], &one["field"]["unit"]), (&"integer".into(), &"nodes".into()));
    assert_eq!(json("schema passes --json")["field"]["enum"], serde_json::json!(["PerInstant", "PerEvent"]));
}

#[test]
fn fields_can_be_set_by_path() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    let flat = folder.call("plan e.ron --set load=0.5 --set n_jobs=100 --json").done().out;
    let path =
        folder.call("plan e.ron --set workload.load.target=0.5 --set workload.jobs=100 --json").done().out;
    assert_eq!(flat, path);
    folder
        .call("plan e.ron --set policy.overrun=Extend")
        .refused(&["policy Fcfs has no `overrun`", "Name(overrun: [a, b])"]);
    folder.call("plan e.ron --set workload.lod.target=1").refused(&["did you mean `workload.load.target`?"]);
    folder.call("plan e.ron --set 'policy=Fcfs,Easy(overrun:[KillBackfilled,Extend])'").done();
}

#[test]
fn files_are_included() {
    let folder = Folder::new();
    let base = EXPERIMENT.find("    base: (").unwrap();
    let axes = EXPERIMENT.find("    axes: {").unwrap();
    let main = format!("{}    include: [\"parts.ron\"],\n{}", &EXPERIMENT[..base], &EXPERIMENT[axes..]);
    folder.write("whole.ron", EXPERIMENT);
    folder.write("main.ron", &main);
    folder.call("plan main.ron").refused(&["main.ron:7:15", "cannot include parts.ron", "No such file"]);
    folder.write("parts.ron", format!("(\n{})", &EXPERIMENT[base..axes]));
    folder.call("run whole.ron --out one").done();
    let counts = folder.call("plan main.ron --json").done().out;
    assert!(counts.contains("\"runs\":12,\"cached\":12"), "{counts}");
    folder.write("parts.ron", b"(base: \xff)");
    folder.call("plan main.ron").refused(&["parts.ron:1:8", "this is not valid UTF-8"]);
    folder.write("parts.ron", "(include: [\"main.ron\"])");
    folder
        .call("plan main.ron")
        .refused(&["parts.ron:1:12", "would include itself: main.ron -> parts.ron -> main.ron"]);
    folder.write("parts.ron", "(base: (machine: Flat(nodes: 0), policy: Fcfs))");
    folder.call("plan main.ron").refused(&["parts.ron:1:18", "a machine needs at least one node"]);
}

#[test]
fn long_lines_are_shown_around_the_mark() {
    let folder = Folder::new();
    let line = EXPERIMENT.replace('\n', " ").replace("Easy()", "Eazy()");
    folder.write("e.ron", &line);
    let answer = folder.call("plan e.ron").refused(&["unknown policy `Eazy`", "did you mean `Easy`?"]);
    let column = line.find("Eazy").unwrap() + 1;
    assert!(answer.err.contains(&format!("e.ron:1:{column}")), "{}", answer.err);
    assert!(answer.err.lines().all(|line| line.chars().count() < 120), "{}", answer.err);
    assert!(answer.err.contains("Eazy()"), "{}", answer.err);
}
