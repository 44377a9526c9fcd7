//! `why`: whether runs are answered, and if not, what is new about them.

use crate::args::WhyArgs;
use crate::diagnostic::Failure;
use crate::session::{Ending, Session, count, trace_dir};
use crate::{experiments, output};
use serde::Serialize;
use std::fmt::Write;
use sweep::explain::{Comparison, Description, Explainer, Filter, Pair, Past, Reason};
use sweep::{Access, Experiment, KeyMaker, Status, Store, Task};
use workload::TraceDir;

/// Digits of a hash that people are shown.
const DIGITS: usize = 16;
/// Columns of the names, and of each of the two values.
const NAME_WIDTH: usize = 20;
const VALUE_WIDTH: usize = 27;

/// A run that was asked about.
#[derive(Serialize)]
struct Answer {
    experiment: String,
    key: String,
    answered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip)]
    title: &'static str,
    details: Vec<String>,
    nearest: Option<Comparison>,
}

/// Explains runs.
///
/// # Errors
/// A malformed question, or a store that cannot be read.
pub fn why(session: &Session, args: &WhyArgs) -> Result<Ending, Failure> {
    let mut store = Store::open(&args.store.store, Access::Read)?;
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
    let asked = args.experiments();
    if asked.files.is_empty() {
        return describe(session, args, &store);
    }
    let experiments = experiments::of_files(&asked)?;
    let filters = experiments::filters(args.filters(), &experiments)?;
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let found = Found::search(&experiments, &filters, &store, &traces, args.limit)?;
    let past = Past::read(&store)?;
    let mut explainer = Explainer::new(&past);
    for (experiment, task) in &found.shown {
        let answer = answer(&mut explainer, &store, experiment, task)?;
        let text = if args.json { json(&answer)? } else { answer.text() };
        output::data(&text)?;
    }
    session.note(&found.summary(filters.is_empty()));
    Ok(Ending::Done)
}

/// The runs that are meant.
#[derive(Default)]
struct Found {
    shown: Vec<(String, Task)>,
    matching: usize,
    answered: usize,
    /// Whose log is not at hand, so that they have no key.
    skipped: usize,
}

impl Found {
    /// Without a filter the runs that are not answered, else all that match.
    fn search(
        experiments: &[Experiment],
        filters: &[Filter],
        store: &Store,
        traces: &TraceDir,
        limit: usize,
    ) -> Result<Found, Failure> {
        let (mut found, mut keys) = (Found::default(), KeyMaker::with_traces(traces));
        for experiment in experiments {
            for run in experiment.runs() {
                if !sweep::available(&run.spec.case.workload.source, traces) {
                    found.skipped += 1;
                    continue;
                }
                let task = keys.task(run.spec.clone())?;
                let answered = store.answers(&task.key);
                let meant = match filters {
                    [] => !answered,
                    filters => filters.iter().all(|filter| filter.matches(experiment, &run, &task.key)),
                };
                if !meant {
                    continue;
                }
                found.matching += 1;
                found.answered += usize::from(answered);
                if found.shown.len() < limit {
                    found.shown.push((format!("{}/{}", experiment.study, experiment.name), task));
                }
            }
        }
        Ok(found)
    }

    fn summary(&self, unfiltered: bool) -> String {
        let what = if unfiltered { "not answered" } else { "matching" };
        let mut text = format!("{} {what}", runs(self.matching));
        if !unfiltered {
            let _ = write!(text, ", {} of them answered", count(self.answered));
        }
        let more = self.matching - self.shown.len();
        if more > 0 {
            let _ = write!(text, "; {} more: --limit {}", count(more), self.matching);
        }
        if self.skipped > 0 {
            let _ = write!(text, "; {} whose log is not at hand", runs(self.skipped));
        }
        text
    }
}

fn runs(number: usize) -> String {
    if number == 1 { "1 run".to_owned() } else { format!("{} runs", count(number)) }
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|problem| Failure::work(problem.to_string()))?;
    Ok(format!("{text}\n"))
}

fn answer(
    explainer: &mut Explainer<'_>,
    store: &Store,
    experiment: &str,
    task: &Task,
) -> Result<Answer, Failure> {
    let answered = store.status(&task.key) == Some(Status::Ok);
    let reason: Option<Reason> = if answered { None } else { Some(explainer.reason(task)?) };
    Ok(Answer {
        experiment: experiment.to_owned(),
        key: task.key.to_string(),
        answered,
        reason: reason.as_ref().map(Reason::word),
        title: reason.as_ref().map_or("", Reason::title),
        details: reason.as_ref().map(Reason::details).unwrap_or_default(),
        nearest: explainer.nearest(task)?,
    })
}

impl Answer {
    fn text(&self) -> String {
        let mut text = format!("{} run {}\n", self.experiment, short(&self.key));
        let at = |nearest: &Comparison| format!("{} (build {})", nearest.segment, nearest.build);
        if self.answered {
            let _ = writeln!(text, "  answered by {}", self.nearest.as_ref().map(at).unwrap_or_default());
            return text;
        }
        let _ = writeln!(text, "  not answered: {}", self.title);
        for detail in &self.details {
            let _ = writeln!(text, "    {detail}");
        }
        let Some(nearest) = &self.nearest else {
            text.push_str("  the store is empty\n");
            return text;
        };
        let _ =
            writeln!(text, "  nearest stored run {}\n  in {}", short(&nearest.key.to_string()), at(nearest));
        if let Some(message) = &nearest.message {
            let _ = writeln!(text, "  which failed: {message}");
        }
        table(&mut text, "now", &nearest.fields);
        let _ = writeln!(text, "  {:<NAME_WIDTH$} the same", format!("{} other fields", nearest.same_fields));
        nearest.rest.iter().for_each(|pair| row(&mut text, pair));
        text
    }
}

fn table(text: &mut String, now: &str, pairs: &[Pair]) {
    let _ = writeln!(text, "  {:<NAME_WIDTH$} {now:<VALUE_WIDTH$} stored", "");
    pairs.iter().for_each(|pair| row(text, pair));
}

/// A key part on one line; on three where the values are long.
fn row(text: &mut String, pair: &Pair) {
    let value = |value: &Option<String>| value.as_deref().map_or_else(|| "-".to_owned(), short);
    let (now, then) = (value(&pair.now), if pair.same() { "same".to_owned() } else { value(&pair.then) });
    let name = &pair.name;
    let fits = |value: &str| value.chars().count() <= VALUE_WIDTH;
    let _ = match name.chars().count() <= NAME_WIDTH && fits(&now) && fits(&then) {
        true => writeln!(text, "  {name:<NAME_WIDTH$} {now:<VALUE_WIDTH$} {then}"),
        false if fits(&now) && fits(&then) => {
            writeln!(text, "  {name}\n  {:<NAME_WIDTH$} {now:<VALUE_WIDTH$} {then}", "")
        }
        false => writeln!(text, "  {name}\n    now     {now}\n    stored  {then}"),
    };
}

/// The first digits of a hash; anything else as it is.
fn short(text: &str) -> String {
    let is_hash = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { text[..DIGITS].to_owned() } else { text.to_owned() }
}

/// Stored runs by the beginnings of their keys.
fn describe(session: &Session, args: &WhyArgs, store: &Store) -> Result<Ending, Failure> {
    let asked: Vec<&str> = args.filters().collect();
    if let Some(other) = asked.iter().find(|text| !Filter::is_key(text)) {
        return Err(Failure::question(format!("`{other}` is neither a file nor the beginning of a run key"))
            .hint("a condition needs an experiment: backsweep why FILE.ron 'policy = Easy()'"));
    }
    let past = Past::read(store)?;
    let mut explainer = Explainer::new(&past);
    let mut ending = Ending::Done;
    for digits in asked {
        let (described, all) = explainer.stored(store, &digits.to_ascii_lowercase(), args.limit)?;
        if all == 0 {
            session.warn(&format!("the store holds no run whose key begins with {digits}"));
            ending = Ending::SomeFailed;
        }
        for description in &described {
            let text = if args.json { json(description)? } else { description_text(store, description) };
            output::data(&text)?;
        }
        if all > described.len() {
            session.note(&format!("{} more: --limit {all}", count(all - described.len())));
        }
    }
    Ok(ending)
}

fn description_text(store: &Store, description: &Description) -> String {
    let stored = &description.stored;
    let mut text = format!("stored run {}\n", short(&stored.key.to_string()));
    let _ = writeln!(text, "  in {} (build {})", stored.segment, stored.build);
    match &stored.message {
        Some(message) => drop(writeln!(text, "  failed: {message}")),
        None if description.key_today == stored.key => text.push_str("  ok, answers this run today\n"),
        None if store.answers(&description.key_today) => {
            let key = short(&description.key_today.to_string());
            let _ = writeln!(text, "  ok, of an older model; today {key} answers this run");
        }
        None => text.push_str("  ok, of an older model: does not answer this run today\n"),
    }
    for (name, value) in &description.case {
        let _ = writeln!(text, "  {name:<NAME_WIDTH$} {value}");
    }
    table(&mut text, "today", &stored.rest);
    text
}
