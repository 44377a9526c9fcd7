//! Whether the results of an invocation are there already: what they would be written from is what they were written from, and every
//! file still has the bytes that its manifest says.

use crate::diagnostic::Failure;
use crate::invocation::hash_file;
use crate::manifest::{FILE_NAME, Manifest};
use crate::planning::Plan;
use crate::results;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use sweep::Store;

/// How the results below a folder stand to a plan.
#[derive(Debug)]
pub enum Standing {
    /// They are those of the plan; the manifests in the order of the experiments.
    Current(Vec<Manifest>),
    /// They were, but this file is no longer as it was written.
    Changed(PathBuf),
    /// They are others, or none.
    Other,
}

/// Hash over all that decides the bytes of the files: the questions, the answers and the program. `executable` is the hash of the latter.
///
/// # Errors
/// Where the store does not hold an answer.
pub fn inputs(plan: &Plan, store: &Store, executable: &str) -> Result<String, Failure> {
    let mut digest = Digest(blake3::Hasher::new());
    digest.text("backsweep results v1");
    digest.text(executable);
    plan.absent.iter().for_each(|log| digest.text(log));
    for planned in &plan.experiments {
        let metadata = results::metadata(planned);
        digest.number(metadata.len());
        for (name, value) in &metadata {
            digest.text(name);
            digest.text(value);
        }
        digest.number(planned.keys.len());
        for key in &planned.keys {
            let payload = store.payload(key).ok_or_else(|| results::lost(planned, 1))?;
            digest.0.update(&key.0);
            digest.0.update(&payload);
        }
    }
    Ok(digest.0.finalize().to_hex().to_string())
}

/// Parts with their lengths, so that no two lists of parts share a form.
struct Digest(blake3::Hasher);

impl Digest {
    fn number(&mut self, number: usize) {
        self.0.update(&(number as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.update(text.as_bytes());
    }
}

/// How the results below `out` stand to the plan with these inputs.
pub fn standing(plan: &Plan, inputs: &str, out: &Path) -> Standing {
    let mut manifests = Vec::new();
    let mut hashes: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    let mut changed = None;
    for planned in &plan.experiments {
        let folder = results::folder(out, &planned.experiment);
        let manifest = match Manifest::read(&folder.join(FILE_NAME)) {
            Ok(manifest) if manifest.inputs == inputs => manifest,
            _ => return Standing::Other,
        };
        for (name, facts) in &manifest.files {
            let path = folder.join(name);
            let hash = hashes.entry(plain(&path)).or_insert_with(|| hash_file(&path).ok());
            if hash.as_ref() != Some(&facts.blake3) {
                changed.get_or_insert(plain(&path));
            }
        }
        manifests.push(manifest);
    }
    changed.map_or(Standing::Current(manifests), Standing::Changed)
}

/// A path without `..` where the folder before it is named.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        let named = matches!(plain.components().next_back(), Some(std::path::Component::Normal(_)));
        if part == std::path::Component::ParentDir && named {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use sim::Outcome;
    use sim::metrics::Metrics;
    use sweep::{Access, Experiment, Overrides, StoreWriter, StoredRun, Task};
    use workload::TraceDir;

    const EXPERIMENT: &str = r#"(
        format: 1, name: "e", study: "s", title: "t", source: "s",
        base: (machine: Flat(nodes: 8), workload: (source: LublinFeitelson(), jobs: Some(9)), policy: Fcfs),
        axes: { "policy": [Fcfs, Easy()] }, replications: 2,
    )"#;

    /// The plan for a store, and the inputs of its results.
    fn planned(store: &Store, text: &str, executable: &str) -> (Plan, Option<String>) {
        let experiment = Experiment::parse("e.ron", text, &Overrides::default()).unwrap();
        let (plan, _) = crate::planning::plan(vec![experiment], store, &TraceDir::none(), false).unwrap();
        let inputs = inputs(&plan, store, executable).ok();
        (plan, inputs)
    }

    /// A store in which every run has a result.
    fn answered(tasks: &[Task], result: impl Fn(usize) -> Result<f64, String>) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let row = |(at, task): (usize, &Task)| {
            let outcome = |value| Outcome { metrics: Metrics(vec![Some(value)]), groups: Vec::new() };
            StoredRun::new(task, result(at).map(outcome), at as f64).unwrap()
        };
        let rows: Vec<StoredRun> = tasks.iter().enumerate().map(row).collect();
        StoreWriter::open(folder.path()).unwrap().write(&rows).unwrap();
        let store = Store::open(folder.path(), Access::Read).unwrap();
        (folder, store)
    }

    #[test]
    fn questions_answers_and_program_decide() {
        let empty = Store::open(Path::new("no such store"), Access::Read).unwrap();
        let (plan, none) = planned(&empty, EXPERIMENT, "x");
        assert_eq!((plan.tasks.len(), none), (4, None));
        let of = |result: fn(usize) -> Result<f64, String>, text: &str, executable: &str| {
            let (_folder, store) = answered(&plan.tasks, result);
            planned(&store, text, executable).1.unwrap()
        };
        let base = of(|_| Ok(1.0), EXPERIMENT, "x");
        assert_eq!(base, of(|_| Ok(1.0), EXPERIMENT, "x"));
        let others = [
            of(|at| Ok(if at == 3 { 1.5 } else { 1.0 }), EXPERIMENT, "x"),
            of(|_| Ok(1.0), &EXPERIMENT.replace("title: \"t\"", "title: \"u\""), "x"),
            of(|_| Ok(1.0), EXPERIMENT, "y"),
            of(|_| Err("no".to_owned()), EXPERIMENT, "x"),
            of(|at| if at == 0 { Err("yes".to_owned()) } else { Ok(1.0) }, EXPERIMENT, "x"),
        ];
        let mut all: Vec<&String> = others.iter().chain([&base]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn paths_are_shown_without_detours() {
        let shown = |path: &str| plain(Path::new(path)).display().to_string();
        assert_eq!(shown("out/s/e/../../scorecard.md"), "out/scorecard.md");
        assert_eq!([shown("../a/../b"), shown("/a/./b")], ["../b", "/a/b"]);
    }

    #[test]
    fn parts_are_told_apart() {
        let of = |parts: &[&str]| {
            let mut digest = Digest(blake3::Hasher::new());
            parts.iter().for_each(|part| digest.text(part));
            digest.0.finalize()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
