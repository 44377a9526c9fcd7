//! Fields by path, axes inside values, and what constraints can say.

use super::*;

#[test]
fn columns_are_named_by_their_fields_not_by_paths() {
    for (from, to) in
        [("along: \"speedup\"", "along: \"workload.speedup\""), ("x: \"speedup\"", "x: \"workload.speedup\"")]
    {
        let found = broken(from, to);
        let [problem] = &found[..] else { panic!("{found:?}") };
        assert!(problem.contains("unknown column `workload.speedup`; known: "), "{problem}");
        assert!(problem.ends_with("(columns bear the names of fields, not their paths: write `speedup`)"));
    }
    let found = broken("along: \"speedup\"", "along: \"machine.nodes\"");
    let [problem] = &found[..] else { panic!("{found:?}") };
    assert!(
        problem.ends_with("(the column of that field would be `nodes`, but it is no axis here)"),
        "{problem}"
    );
}

#[test]
fn paths_are_names() {
    for (name, path) in
        [("\"speedup\": Range", "\"workload.speedup\": Range"), ("\"policy\": [", "\"policy\": [")]
    {
        assert_eq!(broken(name, path), Vec::<String>::new());
    }
    let by_path = SOUND
        .replace("\"speedup\": Range", "\"workload.speedup\": Range")
        .replace("and speedup > 0", "and workload.speedup > 0")
        .replace("{\"n_jobs\": 10}", "{\"workload.jobs\": 10}")
        .replace("field: \"scale_estimates\"", "field: \"workload.scale_estimates\"");
    let parse = |text: &str| Experiment::parse("x.ron", text, &Overrides::default()).expect("sound");
    let (flat, path) = (parse(SOUND), parse(&by_path));
    assert_eq!(flat.columns(), path.columns());
    assert_eq!(flat.assumptions, path.assumptions);
    assert!(flat.runs().eq(path.runs()));
    one(
        broken("\"speedup\": Range", "\"workload.spedup\": Range"),
        "x.ron:16:9: unknown field `workload.spedup`; known: machine, machine.nodes, ",
    );
    assert!(
        broken("\"speedup\": Range", "\"workload.spedup\": Range")[0]
            .ends_with("(did you mean `workload.speedup`?)")
    );
    assert!(
        broken("\"speedup\": Range", "\"jobs.speedup\": Range")[0]
            .contains("did you mean `workload.speedup`"),
    );
    one(
        broken(
            "        \"speedup\": Range",
            "        \"workload.speedup\": [0.1],\n        \"speedup\": Range",
        ),
        "x.ron:17:9: `speedup` is set twice in this grid",
    );
    let set = |axis, values| problems(SOUND, &overrides(None, &[(axis, values)]));
    assert_eq!(set("workload.speedup", "0.1"), Vec::<String>::new());
    assert_eq!(set("measure.size_classes", "[4, 16]"), Vec::<String>::new());
    assert_eq!(set("measure.size_classes", "[[4], [4, 16]]"), Vec::<String>::new());
    one(
        set("measure.size_classes", "[16, 4]"),
        "--set:1:22: `size_classes`: size_classes must be positive and ascending",
    );
    one(set("workload.speedup", "2"), "--set:1:18: `speedup`: a speed-up of 2 is outside");
    assert!(set("workload.spedup", "2")[0].ends_with("(did you mean `workload.speedup`?)"));
}

#[test]
fn memory_models_and_their_parts_are_fields() {
    let memory = |text: &str| SOUND.replace("jobs: 100)", &format!("jobs: 100, memory: {text})"));
    let found = |text: &str, set: &[(&str, &str)]| problems(&memory(text), &overrides(None, set));
    let model = "Drawn(long: High, short: Values([0.1, 0.25]))";
    assert_eq!(found(model, &[]), Vec::<String>::new());
    assert_eq!(
        found("Recorded(node_kb: 32768)", &[("memory_node_kb", "16384, 32768")]),
        Vec::<String>::new()
    );
    let vectors = "Default, High, VeryLow, Values([0.5])";
    assert_eq!(found(model, &[("workload.memory.long", vectors)]), Vec::<String>::new());
    let grid = Experiment::parse(
        "x.ron",
        SOUND,
        &overrides(None, &[("memory_model", "None, Drawn(), Drawn(long: [High, Low])")]),
    );
    assert_eq!(grid.expect("sound").points(), 4 * 48);
    one(
        found("Drawn(short: Values([0.5, 1.5]))", &[]),
        "x.ron:9:19: memory vector = 1.5 (share 2 of 2): expected shares of a node's memory, above 0 and at most 1",
    );
    one(
        found("Drawn(short: Lo)", &[]),
        "x.ron:9:80: unknown memory vector `Lo`; known: Default, High, Low, ",
    );
    one(found("Recorded()", &[]), "x.ron:9:");
    one(
        found(model, &[("memory_short", "Values([])")]),
        "--set:1:14: `memory_short`: memory vector = Values([]): expected at least one share of a node's memory",
    );
    one(
        found(model, &[("memory_node_kb", "0")]),
        "--set:1:16: `memory_node_kb`: node_kb = 0: expected at least 1",
    );
    let lacking = problems(SOUND, &overrides(None, &[("memory_long", "High")]));
    assert!(lacking.len() == 1 && lacking[0].contains("memory_long"), "{lacking:?}");
}

#[test]
fn values_hold_axes() {
    let nested = SOUND.replace("[Fcfs, Easy()]", "[Fcfs, Easy(overrun: [KillBackfilled, Extend])]");
    let grid = Experiment::parse("x.ron", &nested, &Overrides::default()).expect("sound");
    assert_eq!(grid.points(), 72);
    one(
        broken("[Fcfs, Easy()]", "[Fcfs, Easy(overrun: [KillBackfilled, Extent])]"),
        "x.ron:14:26: `policy`: unknown overrun `Extent`; known: KillBackfilled, Extend (value Easy(overrun: Extent) of the \
         list inside)",
    );
    one(
        broken("[Fcfs, Easy()]", "[Fcfs, Easy(overrun: [Extend, Extend])]"),
        "x.ron:14:26: `policy` has the value Easy(overrun: Extend) twice",
    );
    let set = overrides(None, &[("policy", "Fcfs,Easy(shadow:[Placement,Count])")]);
    assert_eq!(problems(SOUND, &set), Vec::<String>::new());
}

#[test]
fn constraints_have_lists_and_alternatives() {
    let points = |constraint: &str| {
        let text = SOUND.replace(EXCLUDE, constraint);
        Experiment::parse("x.ron", &text, &Overrides::default()).map(|grid| grid.points())
    };
    // 2 policies x 2 traces x 2 allocators x 11 speed-ups.
    assert_eq!(points("\"speedup in [0.1, 0.2]\"").expect("sound"), 72);
    assert_eq!(
        points("\"speedup in [0.1] or policy = Fcfs and trace = a\"").expect("sound"),
        88 - 8 - 22 + 2
    );
    one(
        broken(EXCLUDE, "\"policy in [Fcfs, Eazy]\""),
        "x.ron:24:33: `policy` has no value `Eazy`; known: Fcfs, Easy",
    );
    one(broken(EXCLUDE, "\"speedup in 0.1\""), "x.ron:24:27: `in` needs a list (column in [a, b])");
}
