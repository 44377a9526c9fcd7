//! `trace fetch`: published logs from the archive or a mirror.

use crate::args::{DEFAULT_TRACES, FetchArgs, ProgressHow};
use crate::diagnostic::{Failure, chain};
use crate::download::{FetchError, Fetcher, Wanted};
use crate::session::{Ending, Session, check_writable};
use crate::trace::megabytes;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Duration;
use workload::TraceDir;
use workload::swf::archive::{BASE_URL, KnownLog};

/// Before the second attempt.
const PAUSE: Duration = Duration::from_millis(500);

/// Downloads what is not there yet.
///
/// # Errors
/// An unknown name or an unwritable folder, before anything is downloaded; else what went wrong with the first log that
/// could not be had.
pub fn fetch(session: &Session, args: &FetchArgs) -> Result<Ending, Failure> {
    let mut logs = Vec::new();
    for name in &args.names {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        logs.push(KnownLog::named(name.strip_suffix(".swf").unwrap_or(name))?);
    }
    let (folder, told) = folder(args);
    check_writable(&folder, "--dir")?;
    let fetcher = Fetcher::new(args.retries, PAUSE);
    let here = TraceDir::new(Some(folder.clone()));
    for log in logs {
        fetch_one(session, args, &fetcher, log, &here, &folder)?;
    }
    if !told {
        session.note(&format!("give the folder with --traces {} or BACKSWEEP_TRACES", folder.display()));
    }
    Ok(Ending::Done)
}

fn fetch_one(
    session: &Session,
    args: &FetchArgs,
    fetcher: &Fetcher,
    log: &KnownLog,
    here: &TraceDir,
    folder: &Path,
) -> Result<(), Failure> {
    if let Ok(path) = here.find(log.name) {
        match log.verify(&path) {
            Ok(_) => {
                session.note(&format!("{} is there and verified", log.name));
                return Ok(());
            }
            Err(problem) => session.warn(&format!("{problem}; it will be replaced")),
        }
    }
    let bar = bar(session, log.name);
    let wanted = Wanted {
        name: log.name.to_owned(),
        urls: urls(log, args.url.as_deref()),
        sha256: log.sha256.to_owned(),
    };
    let fetched = fetcher.fetch(&wanted, folder, &|have, all| {
        all.iter().for_each(|all| bar.set_length(*all));
        bar.set_position(have);
    });
    bar.finish_and_clear();
    let path = fetched.map_err(failure)?;
    let size = std::fs::metadata(&path).map_or(0, |found| found.len());
    session.note(&format!("{}: {}, verified", path.display(), megabytes(size)));
    Ok(())
}

/// Where to put logs, and whether the caller knows that place as the trace folder already.
fn folder(args: &FetchArgs) -> (PathBuf, bool) {
    let from_environment =
        std::env::var_os("BACKSWEEP_TRACES").filter(|value| !value.is_empty()).map(PathBuf::from);
    match (&args.dir, from_environment) {
        (Some(given), environment) => (given.clone(), environment.as_ref() == Some(given)),
        (None, Some(environment)) => (environment, true),
        (None, None) => (PathBuf::from(DEFAULT_TRACES), false),
    }
}

/// A mirror may keep the archive's folders, or have all logs in one.
fn urls(log: &KnownLog, mirror: Option<&str>) -> Vec<String> {
    match mirror.map(|base| base.trim_end_matches('/')) {
        None => vec![log.url()],
        Some(base) => vec![format!("{base}/{}", log.url_path()), format!("{base}/{}", log.file_name())],
    }
}

fn bar(session: &Session, name: &'static str) -> ProgressBar {
    if session.progress != ProgressHow::Bar {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_message(name);
    match ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left")
    {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn failure(problem: FetchError) -> Failure {
    let text = chain(&problem);
    match problem {
        FetchError::NotFound { .. } | FetchError::WrongContent { .. } => Failure::work(text)
            .hint(format!("another mirror can be given with --url BASE; the archive is {BASE_URL}")),
        FetchError::Status { .. } | FetchError::Network { .. } => {
            Failure::work(text).hint("what has come so far is kept; the same command goes on from there")
        }
        FetchError::Write { .. } => Failure::question(text).hint("choose another place with --dir"),
    }
}
