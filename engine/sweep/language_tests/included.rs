//! Files that experiments include.

use super::*;

/// An experiment whose study says once what it shares.
const MAIN: &str = r#"(
    format: 1,
    name: "one",
    title: "a title",
    include: ["parts/base.ron", "./parts/more.ron"],
    base: (policy: Easy()),
    axes: {"speedup": [0.0, 0.1]},
    scales: {"smoke": {"n_jobs": 5}},
)"#;

const BASE: &str = r#"(
    include: ["deep/study.ron"],
    base: (machine: Flat(nodes: 8), workload: (source: LublinFeitelson(), jobs: 10), policy: Fcfs),
    scales: {"smoke": {"n_jobs": 7}, "full": {"replications": 9}},
    seed: 5,
)"#;

const MORE: &str = r#"(
    include: ["deep/study.ron"],
    replications: 2,
    axes: {"load": [0.5, 0.6], "speedup": [0.5]},
    assumptions: [(field: "passes", reason: "none")],
)"#;

const STUDY: &str = r#"(study: "s", source: "x")"#;

fn including(changes: &[(&str, &str)]) -> Result<Experiment, Vec<String>> {
    let files = [
        ("e/one.ron", MAIN),
        ("e/parts/base.ron", BASE),
        ("e/parts/more.ron", MORE),
        ("e/parts/deep/study.ron", STUDY),
    ];
    let text_of = |path: &std::path::Path| {
        let (_, text) = files.iter().find(|(name, _)| std::path::Path::new(name) == path)?;
        Some(changes.iter().fold((*text).to_owned(), |text, (from, to)| text.replace(from, to)))
    };
    let main = text_of(std::path::Path::new("e/one.ron")).expect("the main file");
    Experiment::parse_with("e/one.ron", &main, &text_of, &Overrides::default())
        .map_err(|problems| problems.0.iter().map(ToString::to_string).collect())
}

#[test]
fn the_including_file_wins() {
    let experiment = including(&[]).expect("sound");
    assert_eq!((experiment.study.as_str(), experiment.seed, experiment.replications), ("s", 5, 2));
    assert_eq!(
        experiment.base.policy,
        sim::PolicySpec::Easy { overrun: Default::default(), shadow: sim::policy::Shadow::Placement }
    );
    assert_eq!(experiment.base.machine.nodes(), 8);
    // Loads from one file, speed-ups from the main one.
    assert_eq!((experiment.points(), experiment.len(), experiment.assumptions.len()), (4, 8, 1));
    let changed = including(&[("reason: \"none\"", "reason: \"some\"")]).expect("sound");
    assert_ne!(experiment.text_hash, changed.text_hash);
    assert!(experiment.runs().eq(changed.runs()));
}

#[test]
fn none_takes_back_what_an_included_file_says() {
    let limited = ("machine: Flat(nodes: 8)", "machine: Flat(nodes: 8), memory: Some((capacity_kb: 500))");
    let memory = |changes: &[(&str, &str)]| including(changes).expect("sound").base.memory;
    assert_eq!(memory(&[limited]).map(|memory| memory.capacity_kb), Some(500));
    assert_eq!(memory(&[limited, ("base: (policy: Easy())", "base: (policy: Easy(), memory: None)")]), None);
}

#[test]
fn nodes_that_cannot_hold_what_a_model_draws_are_a_problem() {
    let drawn = ("jobs: 10)", "jobs: 10, memory: Some(Drawn(node_kb: 400)))");
    let limited = |capacity_kb: u64| {
        let to = format!("machine: Flat(nodes: 8), memory: Some((capacity_kb: {capacity_kb}))");
        including(&[drawn, ("machine: Flat(nodes: 8)", &to)])
    };
    limited(400).expect("sound");
    let wrong = limited(399).expect_err("a problem");
    one(wrong, "e/one.ron:6:11: jobs may need 1 of a node's 400 kB, and the nodes have 399 kB");
    // Whichever value of an axis it is.
    let varied = ("\"speedup\": [0.0, 0.1]", "\"memory_node_kb\": [400, 500]");
    let wrong = including(&[drawn, varied, ("nodes: 8)", "nodes: 8), memory: Some((capacity_kb: 400))")]);
    let wrong = wrong.expect_err("a problem");
    assert!(wrong.iter().any(|problem| problem.contains("jobs may need 1 of a node's 500 kB")), "{wrong:#?}");
}

#[test]
fn what_is_wrong_with_included_files_is_said_at_its_place() {
    let wrong = |changes: &[(&str, &str)]| including(changes).expect_err("a problem");
    one(
        wrong(&[("./parts/more", "./parts/mre")]),
        "e/one.ron:5:33: cannot include e/parts/mre.ron: there is no such file",
    );
    one(
        wrong(&[("seed: 5", "sed: 5")]),
        "e/parts/base.ron:5:5: unknown field `sed` in an experiment; known: format, ",
    );
    one(wrong(&[("[0.5, 0.6]", "[0.5, x]")]), "e/parts/more.ron:4:26: `load`: `x` is no number");
    one(
        wrong(&[("replications: 2", "seed: 6")]),
        "e/parts/more.ron:3:11: `seed` is in e/parts/base.ron too (keep one of them, or write it in the including file, which wins)",
    );
    one(
        wrong(&[("study: \"s\"", "include: [\"../base.ron\"], study: \"s\"")]),
        "e/parts/deep/study.ron:1:12: `../base.ron` would include itself: e/parts/base.ron -> e/parts/deep/study.ron -> \
         e/parts/base.ron",
    );
    one(
        wrong(&[("study: \"s\"", "study: \"s\", title: \"t\"")]),
        "e/parts/deep/study.ron:1:21: an included file has no `title`",
    );
    one(wrong(&[("machine: Flat(nodes: 8), ", "")]), "e/one.ron:6:26: field `machine` is missing in a case");
    one(wrong(&[("study: \"s\", ", "")]), "e/one.ron:9:1: field `study` is missing in an experiment");
    one(wrong(&[("(study: \"s\"", "(study \"s\"")]), "e/parts/deep/study.ron:1:7: expected colon");
    let alone = Experiment::parse(
        "x.ron",
        &SOUND.replace("modes:", "include: [\"a.ron\"],\n    modes:"),
        &Overrides::default(),
    );
    assert!(
        alone
            .unwrap_err()
            .to_string()
            .starts_with("x.ron:12:15: cannot include a.ron: there is no such file")
    );
}
