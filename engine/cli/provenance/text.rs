//! Provenance for people.

use super::{Found, Kind, SEGMENT_KEY, TABLE_KEY, Vouched};
use crate::invocation::utc;
use crate::manifest::{Manifest, SegmentShare};
use crate::session::{count, counted, duration};
use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

/// Columns of the labels.
const LABEL: usize = 14;
/// Digits of a fingerprint that tell it apart.
const DIGITS: usize = 16;

/// Lines of labels and values, not wider than the terminal.
struct Lines {
    text: String,
    width: usize,
}

/// What is known of a file, as text.
pub fn of(found: &Found, width: usize) -> String {
    let mut lines = Lines { text: format!("{}\n", found.file.display()), width };
    lines.add("blake3", &found.blake3);
    match found.kind {
        Kind::Table => table(found, &mut lines),
        Kind::Segment => segment(found, &mut lines),
        Kind::Other => {}
    }
    vouched(found, &mut lines);
    lines.text
}

fn size(found: &Found) -> String {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = found.rows.map(|rows| counted(number(rows), "row"));
    let columns = found.columns.map(|columns| counted(columns, "column"));
    rows.into_iter().chain(columns).collect::<Vec<_>>().join(", ")
}

fn table(found: &Found, lines: &mut Lines) {
    let said = |key: &str| found.metadata.get(key).map(String::as_str);
    lines.add("table", &size(found));
    if let (Some(study), Some(experiment)) = (said("study"), said("experiment")) {
        lines.add("experiment", &format!("{study}/{experiment}"));
    }
    if let Some(hash) = said("experiment_hash") {
        lines.add("text", bare(hash));
    }
    said("run_key").iter().for_each(|key| lines.add("run key", key));
    said("run").iter().for_each(|run| lines.add("run", run));
    said("scale").iter().for_each(|scale| lines.add("scale", scale));
    lines.all("set", named(&found.metadata, "set:").map(|(name, values)| format!("{name}={values}")));
    for (name, hashes) in named(&found.metadata, "workload:") {
        lines.add("jobs of", name);
        lines.all("", hashes.split(' ').map(|hash| bare(hash).to_owned()));
    }
    let schema = said(TABLE_KEY).map(|version| format!("schema version {version}"));
    let build = said("build").map(|build| format!("backsweep {build}"));
    lines.add("written by", &build.into_iter().chain(schema).collect::<Vec<_>>().join(", "));
    model(named(&found.metadata, "model:"), lines);
}

fn segment(found: &Found, lines: &mut Lines) {
    let said = |key: &str| found.metadata.get(&format!("backsweep.{key}")).map(String::as_str);
    lines.add("segment", &size(found));
    let format = found.metadata.get(SEGMENT_KEY).map(|version| format!("segment format {version}"));
    let build = said("build").map(|build| format!("backsweep {build}"));
    lines.add("written by", &build.into_iter().chain(format).collect::<Vec<_>>().join(", "));
    let stem = found.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parts: Vec<&str> = stem.split('-').collect();
    if let ["seg", seconds, host, pid, hash] = parts[..] {
        lines.add("host", &format!("{}, process {pid}", said("host").unwrap_or(host)));
        let moment =
            seconds.parse().ok().and_then(|seconds| UNIX_EPOCH.checked_add(Duration::from_secs(seconds)));
        moment.iter().for_each(|moment| lines.add("when", &utc(*moment)));
        let whole = found.blake3.starts_with(hash);
        lines.add(
            "bytes",
            if whole { "as they were written" } else { "NOT as they were written: torn or altered" },
        );
    }
    let families: BTreeMap<String, String> =
        said("families").and_then(|families| serde_json::from_str(families).ok()).unwrap_or_default();
    model(families.iter().map(|(family, hash)| (family.as_str(), hash.as_str())), lines);
}

fn model<'a>(families: impl Iterator<Item = (&'a str, &'a str)>, lines: &mut Lines) {
    let short = |hash: &'a str| hash.get(..DIGITS).unwrap_or(hash);
    lines.all("model", families.map(|(family, hash)| format!("{} {family}", short(hash))));
}

/// The metadata whose keys begin with a prefix, without it.
fn named<'a>(
    metadata: &'a BTreeMap<String, String>,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    metadata.iter().filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, value.as_str())))
}

fn bare(hash: &str) -> &str {
    hash.strip_prefix("blake3:").unwrap_or(hash)
}

fn vouched(found: &Found, lines: &mut Lines) {
    match &found.vouched {
        Vouched::Unlisted if found.kind == Kind::Segment => {}
        Vouched::Unlisted => lines.add("manifest", "none around lists this file"),
        Vouched::Unusable { path, reason } => {
            lines.add("manifest", &path.display().to_string());
            lines.add("", &format!("DOUBTFUL: {reason}"));
        }
        Vouched::Differs { path } => {
            lines.add("manifest", &path.display().to_string());
            let text = "DOES NOT MATCH: it lists this file with another hash. The file was changed after it was written, or the \
                        manifest is of other results. The same `backsweep run` or `reproduce` writes both again.";
            lines.add("", text);
        }
        Vouched::Matches { path, facts } => {
            lines.add("manifest", &path.display().to_string());
            lines.add("", "lists this file with this hash");
            facts_of(facts, lines);
        }
    }
}

fn facts_of(facts: &Manifest, lines: &mut Lines) {
    let Manifest { invocation, program, question, traces, runs, store, .. } = facts;
    lines.add("command", &invocation.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
    lines.add("in", &invocation.directory);
    lines.add("file", &question.file);
    traces.folder.iter().for_each(|folder| lines.add("logs in", folder));
    lines.all("not at hand", traces.absent.iter().cloned());
    lines
        .add("when", &format!("{} to {}, {}", invocation.begin, invocation.end, duration(invocation.wall_s)));
    let (cores, threads) = (counted(invocation.cores, "core"), counted(invocation.threads, "thread"));
    lines.add("where", &format!("{}, {cores}, {threads}", invocation.host));
    lines.add(
        "program",
        &format!(
            "backsweep {} ({}, {}), {}",
            program.version, program.profile, program.target, program.rustc
        ),
    );
    lines.add("", &program.executable);
    let [planned, answered, executed, failed, skipped] =
        [runs.planned, runs.answered, runs.executed, runs.failed, runs.skipped].map(count);
    lines.add(
        "runs",
        &format!("{planned} planned: {answered} answered before, {executed} since, {skipped} skipped; {failed} failed"),
    );
    lines.add("store", &store.folder);
    lines.all("answered by", hosts(&store.segments).into_iter());
}

/// A line for every host and build whose segments answered.
fn hosts(segments: &BTreeMap<String, SegmentShare>) -> Vec<String> {
    let mut by_host: BTreeMap<(&str, &str), Vec<&SegmentShare>> = BTreeMap::new();
    for share in segments.values() {
        by_host.entry((&share.host, &share.build)).or_default().push(share);
    }
    let line = |((host, build), shares): ((&str, &str), Vec<&SegmentShare>)| {
        let runs = counted(shares.iter().map(|share| share.runs).sum(), "run");
        let times = || shares.iter().map(|share| share.written.as_str());
        let (first, last) = (times().min().unwrap_or_default(), times().max().unwrap_or_default());
        format!(
            "{host}, backsweep {build}: {runs} in {}, {first} to {last}",
            counted(shares.len(), "segment")
        )
    };
    by_host.into_iter().map(line).collect()
}

/// A word as a shell would need it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

impl Lines {
    /// Several values under one label.
    fn all(&mut self, label: &str, values: impl Iterator<Item = String>) {
        for (at, value) in values.enumerate() {
            self.add(if at == 0 { label } else { "" }, &value);
        }
    }

    /// A label and its value, broken between words, and in a word where it is too long for a line.
    fn add(&mut self, label: &str, value: &str) {
        let room = self.width.saturating_sub(LABEL).max(20);
        let mut line = String::new();
        let mut label = label;
        let mut flush = |line: &mut String| {
            let text = format!("  {label:<width$}{line}", width = LABEL - 2);
            self.text += text.trim_end();
            self.text.push('\n');
            label = "";
            line.clear();
        };
        for word in value.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
                flush(&mut line);
            }
            if !line.is_empty() {
                line.push(' ');
            }
            for letter in word.chars() {
                if line.chars().count() == room {
                    flush(&mut line);
                }
                line.push(letter);
            }
        }
        flush(&mut line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest;
    use std::path::PathBuf;

    #[test]
    fn long_values_are_broken() {
        let mut lines = Lines { text: String::new(), width: 40 };
        lines.add("label", "some words that do not fit in one line");
        lines.add("hash", &"0".repeat(64));
        assert!(lines.text.lines().all(|line| line.chars().count() <= 40), "{}", lines.text);
        assert_eq!(lines.text.lines().count(), 5, "{}", lines.text);
        assert!(
            lines.text.starts_with("  label       some words that do not fit\n              in one line\n")
        );
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(
            ["run", "a b", "policy=Easy()", "it's", ""].map(quoted),
            ["run", "'a b'", "'policy=Easy()'", r"'it'\''s'", "''"]
        );
    }

    #[test]
    fn hosts_are_summed() {
        let share = |runs, host: &str, at: u8| SegmentShare {
            runs,
            host: host.to_owned(),
            written: format!("2026-01-0{at}T00:00:00Z"),
            build: "0.1.0".to_owned(),
            ..SegmentShare::default()
        };
        let segments = BTreeMap::from([
            ("a".to_owned(), share(1, "n1", 2)),
            ("b".to_owned(), share(2, "n1", 1)),
            ("c".to_owned(), share(3, "n2", 3)),
        ]);
        assert_eq!(
            hosts(&segments),
            [
                "n1, backsweep 0.1.0: 3 runs in 2 segments, 2026-01-01T00:00:00Z to 2026-01-02T00:00:00Z",
                "n2, backsweep 0.1.0: 3 runs in 1 segment, 2026-01-03T00:00:00Z to 2026-01-03T00:00:00Z"
            ]
        );
    }

    #[test]
    fn every_state_of_the_manifest_is_told() {
        let text = |vouched| {
            let kind = Kind::Other;
            let found = Found {
                file: PathBuf::from("f.svg"),
                kind,
                blake3: "0".repeat(64),
                rows: None,
                columns: None,
                metadata: BTreeMap::new(),
                vouched,
            };
            let text = of(&found, 80);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            text
        };
        let path = PathBuf::from("m.json");
        assert!(text(Vouched::Unlisted).contains("none around lists this file"));
        assert!(text(Vouched::Differs { path: path.clone() }).contains("DOES NOT MATCH"));
        let reason = "it is torn".to_owned();
        assert!(text(Vouched::Unusable { path: path.clone(), reason }).contains("DOUBTFUL: it is torn"));
        let facts = Box::new(manifest::example());
        let matching = text(Vouched::Matches { path, facts });
        for part in ["lists this file with this hash", "rustc", "3 planned: 0 answered before, 3 since"] {
            assert!(matching.contains(part), "{part} is not in\n{matching}");
        }
    }
}
