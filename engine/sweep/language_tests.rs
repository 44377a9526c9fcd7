//! Each mistake in an experiment gives one clear message at the right place.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod included;
mod paths;

use crate::{Experiment, Overrides, load_case, parse_case};

/// A sound experiment; each test breaks one line of it.
const SOUND: &str = r#"(
    format: 1,
    name: "placement",
    study: "pascual",
    title: "a title",
    source: "a paper",
    base: (
        machine: Tree(arity: 4, levels: 4, installed: 240),
        workload: (source: Log(name: "HPC2N"), jobs: 100),
        policy: Fcfs,
    ),
    modes: [Trace, Twin],
    axes: {
        "policy": [Fcfs, Easy()],
        "allocator": [FirstFree, Contiguous()],
        "speedup": Range(from: 0.0, to: 0.5, step: 0.05),
    },
    zip: [
        (name: "trace", labels: ["a", "b"], fields: {
            "source": [Log(name: "A"), Log(name: "B")],
            "nodes": [64, 128],
        }),
    ],
    exclude: ["allocator = FirstFree and speedup > 0"],
    replications: 5,
    scales: {"small": {"n_jobs": 10}},
    comparisons: [(id: "c", metrics: ["mean_wait_s"], baseline: {"policy": "Fcfs"})],
    claims: [
        (id: "P1", statement: "s", source: "t", predicates: [
            Monotone(metric: "mean_wait_s", along: "speedup", direction: Falls, for_each: ["trace"]),
        ]),
    ],
    figures: [(id: "f", title: "t", kind: Lines, x: "speedup", y: "mean_wait_s", y_label: "w", series: ["policy"])],
    assumptions: [(field: "scale_estimates", reason: "silent", sweep: [true, false])],
)
"#;

fn overrides(scale: Option<&str>, set: &[(&str, &str)]) -> Overrides {
    let set = set.iter().map(|(axis, values)| ((*axis).to_owned(), (*values).to_owned())).collect();
    Overrides { scale: scale.map(str::to_owned), set }
}

/// The problems of the sound experiment after one replacement.
fn broken(from: &str, to: &str) -> Vec<String> {
    assert_eq!(SOUND.matches(from).count(), 1, "{from} must occur once");
    problems(&SOUND.replace(from, to), &Overrides::default())
}

fn problems(text: &str, overrides: &Overrides) -> Vec<String> {
    match Experiment::parse("x.ron", text, overrides) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.0.iter().map(ToString::to_string).collect(),
    }
}

/// One problem, beginning with this.
#[track_caller]
fn one(found: Vec<String>, wanted: &str) {
    assert!(found.len() == 1 && found[0].starts_with(wanted), "wanted one: {wanted}\nfound: {found:#?}");
}

#[test]
fn the_sound_experiment_is_sound() {
    let experiment = Experiment::parse("x.ron", SOUND, &Overrides::default()).expect("sound");
    // 2 policies × 2 traces × (1 point first-free + 11 contiguous), once as trace and five times as twin.
    assert_eq!((experiment.points(), experiment.len()), (48, 48 * 6));
    let columns = experiment.columns();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["allocator", "policy", "speedup", "trace"]);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    one(
        broken("\"policy\": [", "\"polcy\": ["),
        "x.ron:14:9: unknown field `polcy`; known: machine, nodes, arity, ",
    );
    assert!(broken("\"policy\": [", "\"polcy\": [")[0].ends_with("(did you mean `policy`?)"));
    let unknown = broken("Easy()", "Eazy()");
    assert!(unknown[0].ends_with("(did you mean `Easy`?)"), "{unknown:?}");
    one(unknown, "x.ron:14:26: `policy`: unknown policy `Eazy`; known: Fcfs, Easy, ");
    one(
        broken("Easy()", "Easy(over: 1)"),
        "x.ron:14:31: `policy`: unknown field `over` in Easy; known: overrun, shadow",
    );
    one(
        broken("replications: 5", "replication: 5"),
        "x.ron:25:5: unknown field `replication` in an experiment; known: ",
    );
    one(
        broken("policy: Fcfs", "polizy: Fcfs"),
        "x.ron:10:9: unknown field `polizy` in a case; known: machine, ",
    );
    one(
        broken("jobs: 100", "job: 100"),
        "x.ron:9:48: unknown field `job` in workload; known: source, rules, jobs",
    );
    one(broken("    title: \"a title\",\n", ""), "x.ron:34:1: field `title` is missing in an experiment");
    one(
        broken("kind: Lines", "kind: Curves"),
        "x.ron:33:43: unknown figure kind `Curves`; known: Lines, Bars",
    );
}

#[test]
fn broken_text_has_its_place() {
    one(broken("modes: [Trace, Twin],", "modes: [Trace, Twin"), "x.ron:13:5: expected comma");
    one(broken("format: 1", "format: 2"), "x.ron:2:13: format 2 is not known; this build reads format 1");
    one(broken("\"placement\"", "\"../etc\""), "x.ron:3:11: `../etc` cannot be a folder");
    one(problems("", &Overrides::default()), "x.ron: ");
}

#[test]
fn axes_need_values_of_their_type() {
    one(broken("[Fcfs, Easy()]", "[]"), "x.ron:14:19: `policy` has no values");
    one(broken("[Fcfs, Easy()]", "Fcfs"), "x.ron:14:19: `policy` needs a list or a range");
    one(broken("[Fcfs, Easy()]", "[Fcfs, Fcfs]"), "x.ron:14:26: `policy` has the value Fcfs twice");
    one(
        broken("[Fcfs, Easy()]", "[Fcfs, 5]"),
        "x.ron:14:26: `policy`: expected a name (`policy` takes Fcfs, ",
    );
    one(broken("step: 0.05", "step: 0.0"), "x.ron:16:52: a range with step 0 never ends");
    one(broken("step: 0.05", "step: -0.05"), "x.ron:16:52: step -0.05 leads away from 0.5");
    one(broken("step: 0.05", "count: 0"), "x.ron:16:53: a range with count 0 has no values");
    one(broken("[64, 128]", "[64, 1.5]"), "x.ron:21:27: `nodes`: `1.5` is no whole number");
    one(broken("[64, 128]", "[64, 0]"), "x.ron:21:27: `nodes`: a machine needs at least one node");
    one(
        broken("Range(from: 0.0, to: 0.5, step: 0.05)", "[0.0, 1.0]"),
        "x.ron:16:26: `speedup`: a speed-up of 1 is outside 0 <= s < 1",
    );
    let range = broken("to: 0.5, step: 0.05", "to: 1.5, step: 0.5");
    assert_eq!(range.len(), 1, "{range:#?}");
    assert!(range[0].contains("(value 1.0 of the range)"), "{range:#?}");
}

#[test]
fn all_problems_are_shown_together_in_the_order_of_the_text() {
    let text = SOUND
        .replace("Easy()", "Eazy()")
        .replace("Contiguous()", "Contigous()")
        .replace("step: 0.05", "step: 0.0");
    let found = problems(&text, &Overrides::default());
    let lines: Vec<&str> = found.iter().filter_map(|problem| problem.split(':').nth(1)).collect();
    assert_eq!(lines, ["14", "15", "16"], "{found:#?}");
}

#[test]
fn bases_are_checked() {
    one(
        broken("Tree(arity: 4, levels: 4, installed: 240)", "Flat(nodes: 0)"),
        "x.ron:8:18: `machine`: a machine needs at least one node",
    );
    one(
        broken("installed: 240", "installed: 999"),
        "x.ron:8:18: `machine`: 999 installed nodes, but a 4-ary 4-tree has 256",
    );
    one(broken("jobs: 100)", "jobs: 100, speedup: 2)"), "x.ron:9:19: a speed-up of 2 is outside");
    one(broken("policy: Fcfs", "policy: Easi"), "x.ron:10:17: `policy`: unknown policy `Easi`");
    one(
        broken("        workload: (source: Log(name: \"HPC2N\"), jobs: 100),\n", ""),
        "x.ron:7:11: field `workload` is missing in the base case",
    );
}

#[test]
fn zip_groups_are_checked() {
    one(
        broken("[64, 128]", "[64]"),
        "x.ron:21:13: zip of unequal lengths: `source` has 2 values, `nodes` has 1",
    );
    one(broken("[\"a\", \"b\"]", "[\"a\"]"), "x.ron:19:33: 1 labels for 2 values of `source`");
    one(broken("[\"a\", \"b\"]", "[\"a\", \"a\"]"), "x.ron:19:39: the label \"a\" is empty or used twice");
    one(
        broken("name: \"trace\", labels: [\"a\", \"b\"], ", "name: \"trace\", "),
        "x.ron:19:16: a named zip group needs labels",
    );
    one(broken("name: \"trace\", labels", "labels"), "x.ron:19:18: a zip group with labels needs a name");
    one(
        broken("\"nodes\": [64, 128]", "\"policy\": [Fcfs, Easy()]"),
        "x.ron:21:13: `policy` is set twice in this grid",
    );
    one(broken("name: \"trace\"", "name: \"policy\""), "x.ron:19:16: `policy` cannot name a column");
    one(
        broken("name: \"trace\"", "name: \"makespan_s\""),
        "x.ron:19:9: duplicate column: every table already has",
    );
}

#[test]
fn duplicate_columns_are_refused() {
    let text = "\"policy\": [Fcfs, Easy()],\n        \"policy\": [Fcfs],";
    one(broken("\"policy\": [Fcfs, Easy()],", text), "x.ron:15:9: `policy` is set twice in this grid");
}

const EXCLUDE: &str = "\"allocator = FirstFree and speedup > 0\"";

#[test]
fn constraints_are_checked() {
    one(
        broken(EXCLUDE, "\"alocator = FirstFree\""),
        "x.ron:24:16: the constraint names `alocator`, which is no axis of this grid; it has allocator, policy, \
         speedup, trace (did you mean `allocator`?)",
    );
    one(broken(EXCLUDE, "\"allocator = \""), "x.ron:24:16: no value in the constraint `allocator =`");
    one(broken(EXCLUDE, "\"allocator ~ 3\""), "x.ron:24:16: no operator in the constraint");
    one(
        broken(EXCLUDE, "\"speedup > 0 and allocator = FirstFre\""),
        "x.ron:24:44: `allocator` has no value `FirstFre`; known: FirstFree, Contiguous (did you mean `FirstFree`?)",
    );
    one(
        broken(EXCLUDE, "\"allocator > FirstFree\""),
        "x.ron:24:16: `allocator` is no number and has no order",
    );
    one(broken(EXCLUDE, "\"speedup = fast\""), "x.ron:24:26: `speedup` is a number, `fast` is none");
    one(broken(EXCLUDE, "\"speedup >= 0\""), "x.ron:24:15: the constraints drop all 88 points");
}

#[test]
fn a_part_that_a_case_lacks_is_an_error_unless_excluded() {
    let with =
        "\"speedup\": Range(from: 0.0, to: 0.5, step: 0.05),\n        \"overrun\": [KillBackfilled, Extend],";
    let text = SOUND.replace("\"speedup\": Range(from: 0.0, to: 0.5, step: 0.05),", with);
    one(
        problems(&text, &Overrides::default()),
        "x.ron:17:9: policy Fcfs has no `overrun` (at allocator = FirstFree, ",
    );
    let found = problems(&text, &Overrides::default());
    let inside = "\"policy\": [.., Name(overrun: [a, b])]";
    assert!(found[0].contains("exclude: [\"policy = Fcfs\"]") && found[0].contains(inside), "{found:#?}");
    let excluded = text.replace("exclude: [", "exclude: [\"policy = Fcfs\", ");
    assert_eq!(problems(&excluded, &Overrides::default()), Vec::<String>::new());
}

#[test]
fn impossible_combinations_are_found_before_the_first_run() {
    let flat = SOUND.replace("Tree(arity: 4, levels: 4, installed: 240)", "Flat(nodes: 64)");
    one(problems(&flat, &Overrides::default()), "x.ron:15:9: ");
    let found = problems(&flat, &Overrides::default());
    assert!(found[0].contains("tree"), "{found:#?}");
    one(broken("[64, 128]", "[64, 300]"), "x.ron:21:13: 300 installed nodes, but a 4-ary 4-tree has 256");
    let model = SOUND.replace("Log(name: \"B\")", "LublinFeitelson()").replace(", jobs: 100", "");
    one(problems(&model, &Overrides::default()), "x.ron:20:13: a workload model needs to know how many jobs");
}

/// Hosts are one value, in the base and in a list, with memory of their own and policies that know them.
#[test]
fn hosts_are_a_machine_for_policies_that_know_them() {
    let hosts = |memory: u32| {
        format!(
            "Hosts(hosts: [(name: \"a\", processors: 4, memory_mb: {memory}), (name: \"b\", processors: 60, memory_mb: 8)])"
        )
    };
    let model = SOUND
        .replace("Tree(arity: 4, levels: 4, installed: 240)", &hosts(4))
        .replace("\"policy\": [Fcfs, Easy()]", "\"policy\": [Fcfs, Easy()], \"passes\": [PerInstant]")
        .replace("[FirstFree, Contiguous()]", "[FirstFree]")
        .replace("\"nodes\": [64, 128]", &format!("\"machine\": [{}, {}]", hosts(1), hosts(2)));
    let found = problems(&model, &Overrides::default());
    assert!(
        found[0].contains("Easy plans for nodes of one pool; on a machine of hosts use Fcfs"),
        "{found:#?}"
    );
    let alone = model.replace("[Fcfs, Easy()]", "[Fcfs]").replace("exclude:", "only: [], exclude:");
    assert_eq!(problems(&alone, &Overrides::default()), Vec::<String>::new());
    let with = |part: &str| problems(&alone.replace("policy: Fcfs,", part), &Overrides::default());
    let found = with("policy: Fcfs, memory: Some(()),");
    assert!(found[0].contains("hosts have memory of their own"), "{found:#?}");
    let set = overrides(None, &[("nodes", "3")]);
    let found = problems(&alone, &set);
    assert!(found[0].contains("nodes"), "{found:#?}");
    let twice = alone
        .replace("name: \"b\", processors: 60, memory_mb: 8", "name: \"a\", processors: 60, memory_mb: 8");
    let found = problems(&twice, &Overrides::default());
    assert!(found[0].contains("two hosts have the name `a`"), "{found:#?}");
    let unknown = alone.replace("processors: 60, memory_mb: 8", "processors: 60, memory: 8");
    let found = problems(&unknown, &Overrides::default());
    assert!(
        found[0].contains("unknown field `memory` in host") || found[0].contains("`memory`"),
        "{found:#?}"
    );
}

#[test]
fn a_grid_beyond_reason_is_refused() {
    let axes = "\"speedup\": Range(from: 0.0, to: 0.5, count: 100000),\n        \"load\": Range(from: 0.1, to: 0.9, count: 10000),";
    one(
        broken("\"speedup\": Range(from: 0.0, to: 0.5, step: 0.05),", axes),
        "x.ron:13:11: the grid has 8000000000 points, more than 1000000000",
    );
}

#[test]
fn scales_and_settings_are_checked() {
    one(
        problems(SOUND, &overrides(Some("smal"), &[])),
        "--scale:1:1: unknown scale `smal`; known: small (did you mean `small`?)",
    );
    one(problems(SOUND, &overrides(Some("paper"), &[])), "--scale:1:1: unknown scale `paper`; known: small");
    let without = SOUND.replace("    scales: {\"small\": {\"n_jobs\": 10}},\n", "");
    for scale in ["smoke", "paper", "full"] {
        assert_eq!(problems(&without, &overrides(Some(scale), &[])), Vec::<String>::new());
    }
    one(
        problems(&without, &overrides(Some("huge"), &[])),
        "--scale:1:1: unknown scale `huge`; known: smoke, paper, full",
    );
    one(
        broken("{\"n_jobs\": 10}", "{\"n_jobs\": 0}"),
        "x.ron:26:34: `n_jobs`: a workload needs at least one job",
    );
    one(
        broken("{\"n_jobs\": 10}", "{\"jbos\": 1}"),
        "x.ron:26:24: unknown axis `jbos`; this experiment has allocator, ",
    );
    one(
        broken("replications: 5", "replications: 0"),
        "x.ron:25:19: an experiment needs at least one replication",
    );
    one(broken("replications: 5", "replications: -1"), "x.ron:25:20: the number is out of range");
    one(
        broken("modes: [Trace, Twin]", "modes: []"),
        "x.ron:12:12: `modes` has no values; known: Trace, Twin",
    );
    one(
        broken("modes: [Trace, Twin]", "modes: [Twin, Twin]"),
        "x.ron:12:12: `modes` has the same value twice",
    );
    one(
        broken("modes: [Trace, Twin]", "modes: [Tracy]"),
        "x.ron:12:13: unknown mode `Tracy`; known: Trace, Twin",
    );
}

#[test]
fn what_is_set_by_hand_is_checked() {
    let set = |axis, values| problems(SOUND, &overrides(None, &[(axis, values)]));
    one(
        set("polcy", "Easy"),
        "--set:1:1: unknown axis `polcy`; this experiment has allocator, modes, policy, ",
    );
    one(set("policy", "Fcfs,Eazy()"), "--set:1:13: `policy`: unknown policy `Eazy`; known: Fcfs, ");
    one(
        set("speedup", "0.1,fast"),
        "--set:1:13: `speedup`: `fast` is no number (`speedup` takes 0 <= s < 1)",
    );
    one(set("speedup", ""), "--set:1:1: `speedup` has no values");
    one(set("speedup", "0.1,,0.2"), "--set:1:13: `speedup`: ");
    one(set("trace", "a,c"), "--set:1:9: `trace` has no value `c`; known: a, b");
    one(set("trace", "a,a"), "--set:1:9: `trace` has the value a twice");
    one(
        set("nodes", "5"),
        "--set:1:1: `nodes` moves together with other fields and cannot be set alone (choose among the values of `trace`)",
    );
    one(set("replications", "0"), "--set:1:14: an experiment needs at least one replication");
    for (axis, values) in
        [("policy", "Easy"), ("trace", "b"), ("speedup", "Range(from: 0.0, to: 0.2, count: 3)")]
    {
        assert_eq!(set(axis, values), Vec::<String>::new(), "{axis}={values}");
    }
}

#[test]
fn figures_stay_in_their_folder_and_nesting_has_an_end() {
    for id in ["../../f", "a/b", "F", "-f"] {
        one(
            broken("(id: \"f\"", &format!("(id: \"{id}\"")),
            &format!("x.ron:33:20: the figure id `{id}` cannot be a file"),
        );
    }
    let deep = format!("policy: {}{}", "Easy(".repeat(500), ")".repeat(500));
    one(broken("policy: Fcfs", &deep), "x.ron:10:327: values are nested too deeply");
}

#[test]
fn claims_figures_and_comparisons_name_what_exists() {
    one(
        broken("Monotone(metric: \"mean_wait_s\"", "Monotone(metric: \"mean_wait\""),
        "x.ron:30:30: unknown metric `mean_wait`; known: jobs, killed, ",
    );
    one(
        broken("along: \"speedup\"", "along: \"sped\""),
        "x.ron:30:52: unknown column `sped`; known: allocator, policy, ",
    );
    one(
        broken("along: \"speedup\"", "along: \"policy\""),
        "x.ron:30:52: the column `policy` holds text, but numbers are needed",
    );
    one(broken("for_each: [\"trace\"]", "for_each: [\"machine\"]"), "x.ron:30:92: unknown column `machine`");
    one(broken("y: \"mean_wait_s\"", "y: \"wait\""), "x.ron:33:67: unknown metric `wait`");
    one(broken("series: [\"policy\"]", "series: [\"plcy\"]"), "x.ron:33:105: unknown column `plcy`");
    one(
        broken("{\"policy\": \"Fcfs\"}", "{\"policy\": \"Easy()\"}"),
        "x.ron:27:76: the column `policy` has no value `Easy()`; known: Fcfs, Easy (did you mean `Easy`?)",
    );
    one(broken("metrics: [\"mean_wait_s\"]", "metrics: [\"mode\"]"), "x.ron:27:39: unknown metric `mode`");
    let claim =
        "(id: \"P1\", statement: \"s\", source: \"t\", predicates: [Bound(metric: \"mean_wait_s\")]),";
    one(
        broken("claims: [", &format!("claims: [\n        {claim}")),
        "x.ron:30:14: the claim id `P1` is empty or used twice",
    );
    one(broken("field: \"scale_estimates\"", "field: \"scale\""), "x.ron:34:27: unknown field `scale`");
    one(
        broken("sweep: [true, false]", "sweep: [1]"),
        "x.ron:34:72: `scale_estimates`: expected true or false",
    );
}

#[test]
fn files_that_are_no_text_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let load = |name: &str| {
        Experiment::load(&folder.path().join(name), &Overrides::default()).unwrap_err().to_string()
    };
    assert!(load("missing.ron").contains("missing.ron: cannot read the file: "), "{}", load("missing.ron"));
    assert!(load("").contains(": this is a directory, not an experiment file"), "{}", load(""));
    std::fs::write(folder.path().join("latin.ron"), b"(\n  name: \"M\xfcnchen\")").expect("written");
    assert!(load("latin.ron").ends_with("latin.ron:2:11: this is not valid UTF-8"), "{}", load("latin.ron"));
    assert!(load_case(&folder.path().join("none.ron")).unwrap_err().to_string().contains("cannot read"));
}

#[test]
fn a_lone_case_may_leave_its_workload_to_the_command_line() {
    let text = "(machine: Flat(nodes: 8), policy: Easy, passes: PerEvent)";
    let case = parse_case("case.ron", text).expect("a case");
    assert!(case.clone().into_case().is_none());
    let source = workload::Source::File { path: "a.swf".into() };
    let full = case.with_source(source.clone());
    assert_eq!((full.workload.source, full.machine.nodes()), (source, 8));
    assert_eq!(full.passes, sim::Passes::PerEvent);

    let own = "(machine: Flat(nodes: 8), policy: Fcfs, workload: (source: LublinFeitelson(), jobs: 5, load: (target: 0.5)))";
    let own = parse_case("case.ron", own).expect("a case").into_case().expect("its workload");
    assert_eq!(own.workload.load.map(|load| load.target), Some(0.5));

    let error = |text: &str| parse_case("case.ron", text).unwrap_err().to_string();
    assert!(
        error("(machine: Flat(nodes: 8), policy: Fcfs, workload: (source: LublinFeitelson()))")
            .contains("how many jobs")
    );
    assert!(error("(policy: Fcfs)").starts_with("case.ron:1:14: field `machine` is missing in a case"));
    assert!(
        error("(machine: Flat(nodes: 0), policy: Eazy)")
            .contains("\ncase.ron:1:35: `policy`: unknown policy `Eazy`")
    );
}

#[test]
fn a_position_that_the_text_lacks_is_not_invented() {
    let problem = Experiment::load(std::path::Path::new("no/such.ron"), &Overrides::default()).unwrap_err();
    assert!(problem.to_string().starts_with("no/such.ron: cannot read the file"), "{problem}");
}
