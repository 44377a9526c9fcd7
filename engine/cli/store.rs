//! `store`: what is in it, whether it is sound, and keeping it small.

use crate::args::{CompactArgs, ExperimentArgs, GcArgs, LsArgs, OverrideArgs, RepairArgs, StoreVerb};
use crate::diagnostic::Failure;
use crate::planning::Planner;
use crate::session::{Ending, Session, count, counted, duration, trace_dir};
use crate::{experiments, output};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use sweep::store::{self, Collection, GcRules, Verification};
use sweep::{Access, RunKey, Store};

/// Does what a verb asks of a store.
///
/// # Errors
/// A malformed question, or a store that cannot be read or written.
pub fn store(session: &Session, verb: &StoreVerb) -> Result<Ending, Failure> {
    match verb {
        StoreVerb::Ls(args) => ls(session, args),
        StoreVerb::Verify(args) => verify(args),
        StoreVerb::Repair(args) => repair(args),
        StoreVerb::Gc(args) => gc(session, args),
        StoreVerb::Compact(args) => compact(args),
        StoreVerb::Revalidate(args) => crate::revalidate::revalidate(session, args),
    }
}

/// The folder, which must exist: a typing error must not look like an empty store.
fn existing(folder: &Path) -> Result<&Path, Failure> {
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(Failure::question(format!("there is no store {}", folder.display()))
        .hint("--store names the folder; `backsweep run` makes one"))
}

fn ls(session: &Session, args: &LsArgs) -> Result<Ending, Failure> {
    let mut store = Store::open(existing(&args.store.store)?, Access::Read)?;
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
    let segments = store.segments();
    let rows: usize = segments.iter().map(|info| info.rows).sum();
    let bytes: u64 = segments.iter().map(|info| info.bytes).sum();
    let (ok, failed) = store.count();
    let quarantined = store.quarantined()?;
    if args.json {
        let listed: Vec<_> = segments
            .iter()
            .map(|info| {
                serde_json::json!({
                    "name": info.name, "written_unix": info.written_unix, "host": info.host, "pid": info.pid,
                    "rows": info.rows, "bytes": info.bytes, "format": info.format, "build": info.build,
                    "families": *info.families,
                })
            })
            .collect();
        let all = serde_json::json!({
            "segments": listed, "rows": rows, "bytes": bytes, "runs": store.len(), "ok": ok, "failed": failed,
            "quarantined": quarantined,
        });
        output::data(&format!("{all}\n"))?;
        return Ok(Ending::Done);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut text =
        format!("{:<16} {:<20} {:>8} {:>9} {:>9}  build\n", "written", "host", "pid", "rows", "size");
    for info in segments {
        let ago = format!("{} ago", duration(now.saturating_sub(info.written_unix) as f64));
        let host: String = info.host.chars().take(20).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{ago:<16} {host:<20} {:>8} {:>9} {:>9}  {}",
            info.pid,
            count(info.rows),
            size(info.bytes),
            info.build
        );
    }
    let held = format!(
        "{} in {}, {}: {} with an outcome, {} failed\n",
        counted(store.len(), "run"),
        counted(store.segments().len(), "segment"),
        size(bytes),
        count(ok),
        count(failed)
    );
    text.push_str(&held);
    if quarantined > 0 {
        let _ = writeln!(
            text,
            "{} in quarantine/; `backsweep store repair` looks again",
            counted(quarantined, "file")
        );
    }
    output::data(&text)?;
    Ok(Ending::Done)
}

fn verify(args: &LsArgs) -> Result<Ending, Failure> {
    let found = store::verify(existing(&args.store.store)?)?;
    let text = if args.json { verified_json(&found) } else { verified_text(&found) };
    output::data(&text)?;
    Ok(if found.is_sound() { Ending::Done } else { Ending::SomeFailed })
}

fn verified_json(found: &Verification) -> String {
    let named = |list: &[(String, String)]| -> Vec<_> {
        list.iter()
            .map(|(segment, reason)| serde_json::json!({ "segment": segment, "reason": reason }))
            .collect()
    };
    let contradictions: Vec<_> = found
        .contradictions
        .iter()
        .map(|pair| serde_json::json!({ "key": pair.key, "first": pair.first, "other": pair.other }))
        .collect();
    let all = serde_json::json!({
        "sound": found.is_sound(), "segments": found.segments, "bytes": found.bytes, "rows": found.rows,
        "runs": found.runs, "ok": found.ok, "failed": found.runs - found.ok, "duplicates": found.duplicates,
        "unusable": named(&found.unusable), "unread": named(&found.unread), "later": found.later,
        "contradictions": contradictions, "quarantined": found.quarantined, "abandoned": found.abandoned,
    });
    format!("{all}\n")
}

fn verified_text(found: &Verification) -> String {
    let mut text = format!(
        "{} in {}, {}: {} with an outcome, {} failed\n",
        counted(found.runs, "run"),
        counted(found.segments, "sound segment"),
        size(found.bytes),
        count(found.ok),
        count(found.runs - found.ok)
    );
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if found.duplicates > 0 {
        line(format!("{} stored more than once, equally", counted(found.duplicates, "row")));
    }
    found.unusable.iter().for_each(|(name, reason)| line(format!("unusable: {name}: {reason}")));
    found.unread.iter().for_each(|(name, reason)| line(format!("cannot be read: {name}: {reason}")));
    found.later.iter().for_each(|name| line(format!("of a later version of this program: {name}")));
    for pair in &found.contradictions {
        line(format!("two outcomes of run {}:\n  {}\n  {}", pair.key, pair.first, pair.other));
    }
    if found.quarantined > 0 {
        line(format!("{} in quarantine/", counted(found.quarantined, "file")));
    }
    if found.abandoned > 0 {
        line(format!("{} of killed processes", counted(found.abandoned, "half-written file")));
    }
    line(match (found.unusable.is_empty() && found.unread.is_empty(), found.contradictions.is_empty()) {
        (true, true) => "nothing is wrong".to_owned(),
        (false, _) => "`backsweep store repair` sets aside what cannot be used".to_owned(),
        (true, false) => "`backsweep store repair --drop-contradicted` has those runs run again".to_owned(),
    });
    text
}

fn repair(args: &RepairArgs) -> Result<Ending, Failure> {
    let done = store::repair(existing(&args.store.store)?, args.drop_contradicted)?;
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    done.taken_back.iter().for_each(|name| line(format!("sound, taken back: {name}")));
    done.set_aside.iter().for_each(|(name, reason)| line(format!("moved to quarantine/: {name}: {reason}")));
    done.unread.iter().for_each(|(name, reason)| line(format!("cannot be read: {name}: {reason}")));
    if done.removed > 0 {
        line(format!("removed: {} of killed processes", counted(done.removed, "half-written file")));
    }
    let several = counted(done.contradicted.len(), "run");
    match (done.contradicted.is_empty(), done.dropped) {
        (true, _) => {}
        (false, true) => line(format!("removed: all results of {several} with several")),
        (false, false) => line(format!("{several} with several results; --drop-contradicted removes them")),
    }
    if !done.set_aside.is_empty() || done.dropped {
        line("what is missing now is run again when it is next asked for".to_owned());
    }
    if text.is_empty() {
        text.push_str("nothing to repair\n");
    }
    output::data(&text)?;
    let left = !done.unread.is_empty() || !(done.contradicted.is_empty() || done.dropped);
    Ok(if left { Ending::SomeFailed } else { Ending::Done })
}

fn compact(args: &CompactArgs) -> Result<Ending, Failure> {
    let done = store::compact(existing(&args.store.store)?, args.dry_run)?;
    let text = if done.merged == 0 {
        format!("{}, none to merge\n", counted(done.before, "segment"))
    } else if args.dry_run {
        format!("{} would become {}\n", counted(done.before, "segment"), count(done.after))
    } else {
        format!(
            "{} became {}, {} became {}; {} superfluous\n",
            counted(done.before, "segment"),
            count(done.after),
            size(done.bytes_before),
            size(done.bytes_after),
            counted(done.dropped, "row"),
        )
    };
    output::data(&text)?;
    Ok(Ending::Done)
}

fn gc(session: &Session, args: &GcArgs) -> Result<Ending, Failure> {
    let folder = existing(&args.store.store)?;
    if args.older_than.is_none() && args.max_size.is_none() && args.keep.is_empty() {
        return Err(Failure::question("nothing says what may go")
            .hint("give --older-than, --max-size or --keep; `backsweep store gc --help` has examples"));
    }
    let keep = if args.keep.is_empty() { None } else { Some(reachable(args)?) };
    let rules = GcRules { older_than: args.older_than, max_bytes: args.max_size, keep };
    let done = store::collect_garbage(folder, &rules, !args.delete)?;
    output::data(&collected(&done, args.delete))?;
    let goes = done.rows() > 0 || !done.quarantined.is_empty();
    if goes && !args.delete {
        session.note("nothing was removed; --delete does it");
    }
    Ok(Ending::Done)
}

/// The keys of all runs that the kept experiments ask for, at any of their scales.
fn reachable(args: &GcArgs) -> Result<HashSet<RunKey>, Failure> {
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let nothing = Store::open(Path::new(""), Access::Read)?;
    let load = |file: &Path, scale: Option<String>| {
        let overrides = OverrideArgs { set: args.set.clone(), scale };
        experiments::of_files(&ExperimentArgs { files: vec![file.to_owned()], overrides })
    };
    let mut keys = HashSet::new();
    for file in &args.keep {
        let mut wanted = load(file, None)?;
        let scales: Vec<String> = wanted.iter().flat_map(|experiment| experiment.scales.clone()).collect();
        for scale in scales {
            wanted.extend(load(file, Some(scale))?);
        }
        let mut planner = Planner::new(1, &nothing, &traces);
        for experiment in &wanted {
            planner.walk(experiment, |task, _| {
                keys.insert(task.key);
            })?;
        }
        // Their keys hold what is in the logs: without them nobody knows which results are theirs.
        if let Some(notice) = planner.notice() {
            return Err(
                Failure::question(format!("cannot tell what {} asks for", file.display())).hint(notice)
            );
        }
    }
    Ok(keys)
}

fn collected(done: &Collection, deleted: bool) -> String {
    let mut text = String::new();
    for (name, rows) in &done.removed {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "remove {name}: {}", counted(*rows, "row"));
    }
    for (name, rows) in &done.rewritten {
        let _ = writeln!(text, "write {name} anew without {}", counted(*rows, "row"));
    }
    for name in &done.quarantined {
        let _ = writeln!(text, "remove quarantine/{name}");
    }
    let (rows, before, after) =
        (counted(done.rows(), "row"), size(done.bytes_before), size(done.bytes_after));
    let _ = match deleted {
        true => writeln!(text, "{rows} removed; {before} became {after}"),
        false => writeln!(text, "{rows} would go; {before} would become {after}"),
    };
    text
}

/// A size for people.
fn size(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 1e3 => format!("{bytes} B"),
        bytes if bytes < 1e6 => format!("{:.1} kB", bytes / 1e3),
        bytes if bytes < 1e9 => format!("{:.1} MB", bytes / 1e6),
        bytes => format!("{:.2} GB", bytes / 1e9),
    }
}
