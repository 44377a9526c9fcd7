//! The overall verdict per claim and mode, from the claims table.

use crate::claims::WITHIN_NOISE;
use crate::error::ReportError;
use crate::number::{measured, span};
use crate::robustness::{self, Robustness};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use table::{Frame, TableError};

/// What the rows of a claim in one mode amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Every row holds.
    Holds,
    /// Every row that could be tested holds, but some could not be.
    HoldsWhereTested,
    /// At least one row does not hold.
    DoesNotHold,
    /// No row could be tested.
    CannotBeTested,
}

impl fmt::Display for Judgement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Judgement::Holds => "holds",
            Judgement::HoldsWhereTested => "holds where tested",
            Judgement::DoesNotHold => "does not hold",
            Judgement::CannotBeTested => "cannot be tested",
        })
    }
}

/// A claim's verdict in one mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The study.
    pub study: String,
    /// The claim's identifier.
    pub claim: String,
    /// `trace`, `twin` or `model`.
    pub mode: String,
    /// What the source says.
    pub statement: String,
    /// Where it says so.
    pub source: String,
    /// The value as printed, where one is.
    pub published: Option<String>,
    /// What was tested, predicate by predicate: the quantity and the range that makes it hold.
    pub wanted: Vec<String>,
    /// Rows that hold.
    pub holds: usize,
    /// Rows that could be tested.
    pub tested: usize,
    /// All rows.
    pub total: usize,
    /// Rows whose interval straddles a bound, so that another set of replications could turn them.
    pub within_noise: usize,
    /// The overall verdict.
    pub judgement: Judgement,
    /// Smallest and largest measured value with the reach of their intervals in brackets, predicate by predicate; empty
    /// where nothing was measured.
    pub measured: String,
    /// The first row that does not hold, or cannot be tested, with its reason; `None` where all hold.
    pub remark: Option<String>,
}

/// The verdicts of a claims table: by study, claim (`P2` before `P10`) and mode (trace, twin, model).
///
/// # Errors
/// If the table lacks a column of the claims schema.
///
/// Claims that were tested under several settings are not among them: see [`crate::robustness()`].
pub fn verdicts(claims: &Frame) -> Result<Vec<Verdict>, ReportError> {
    let ledger = Ledger::read(&[claims])?;
    Ok(ledger.entries.iter().map(|entry| entry.verdict.clone()).collect())
}

/// A row of the claims table.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub study: String,
    pub experiment: String,
    pub claim: String,
    pub mode: String,
    pub setting: Option<String>,
    pub statement: String,
    pub source: String,
    pub published: Option<String>,
    pub predicate: i64,
    pub group: String,
    pub measured: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub wanted: String,
    pub verdict: String,
    pub reason: Option<String>,
}

/// A claim in one mode.
pub(crate) struct Entry {
    pub verdict: Verdict,
    pub records: Vec<Record>,
}

/// All claims of some claims tables, in the order of [`verdicts`].
pub(crate) struct Ledger {
    pub entries: Vec<Entry>,
    /// Claims that were tested under several settings, in the same order.
    pub robustness: Vec<Robustness>,
    /// By study, the scales that its tables say they were made at.
    scales: BTreeMap<String, BTreeSet<String>>,
}

impl Ledger {
    pub fn read(frames: &[&Frame]) -> Result<Ledger, ReportError> {
        let mut records: Vec<Record> = Vec::new();
        let mut scales: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for frame in frames {
            let found = read(frame).map_err(ReportError::table("claims"))?;
            if let (Some(first), Some(scale)) = (found.first(), frame.metadata.get("scale")) {
                scales.entry(first.study.clone()).or_default().insert(scale.clone());
            }
            records.extend(found);
        }
        let (swept, plain): (Vec<Record>, Vec<Record>) =
            records.into_iter().partition(|record| record.setting.is_some());
        let mut entries: Vec<Entry> =
            in_parts(plain, |record| (record.study.clone(), record.claim.clone(), record.mode.clone()))
                .into_iter()
                .filter_map(|records| Some(Entry { verdict: judge(&records)?, records }))
                .collect();
        entries.sort_by(|a, b| order(&a.verdict, &b.verdict));
        Ok(Ledger { entries, robustness: robustness::of(swept), scales })
    }

    /// `scale smoke`; nothing where no scale was chosen.
    pub fn scale(&self, study: &str) -> Option<String> {
        let scales: Vec<&str> = self.scales.get(study)?.iter().map(String::as_str).collect();
        Some(format!("scale {}", scales.join(", ")))
    }

    /// The studies in order.
    pub fn studies(&self) -> Vec<&str> {
        let plain = self.entries.iter().map(|entry| entry.verdict.study.as_str());
        let swept = self.robustness.iter().map(|claim| claim.study.as_str());
        let studies: BTreeSet<&str> = plain.chain(swept).collect();
        studies.into_iter().collect()
    }

    /// The modes in order, of a study or of all.
    pub fn modes(&self, study: Option<&str>) -> Vec<&str> {
        let of_study = |entry: &&Entry| study.is_none_or(|study| entry.verdict.study == study);
        let mut modes: Vec<&str> =
            self.entries.iter().filter(of_study).map(|entry| entry.verdict.mode.as_str()).collect();
        modes.sort_by_key(|mode| (mode_rank(mode), *mode));
        modes.dedup();
        modes
    }

    /// The claims of a study in order, each with its entries per mode.
    pub fn claims(&self, study: &str) -> Vec<Vec<&Entry>> {
        let mut claims: Vec<Vec<&Entry>> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.verdict.study == study) {
            match claims.last_mut() {
                Some(last) if last.iter().any(|other| other.verdict.claim == entry.verdict.claim) => {
                    last.push(entry)
                }
                _ => claims.push(vec![entry]),
            }
        }
        claims
    }

    /// `trace: 6 hold, 1 does not · twin: …`, part by part.
    pub fn totals(&self, study: Option<&str>) -> Vec<String> {
        self.modes(study).into_iter().map(|mode| format!("{mode}: {}", self.total(study, mode))).collect()
    }

    fn total(&self, study: Option<&str>, mode: &str) -> String {
        let count = |judgement: Judgement| {
            let counted = |entry: &&Entry| {
                entry.verdict.mode == mode
                    && entry.verdict.judgement == judgement
                    && study.is_none_or(|study| entry.verdict.study == study)
            };
            self.entries.iter().filter(counted).count()
        };
        let words = [
            (Judgement::Holds, "holds", "hold"),
            (Judgement::HoldsWhereTested, "holds where tested", "hold where tested"),
            (Judgement::DoesNotHold, "does not", "do not"),
            (Judgement::CannotBeTested, "cannot be tested", "cannot be tested"),
        ];
        let part = |(judgement, one, many)| match count(judgement) {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        words.into_iter().filter_map(part).collect::<Vec<_>>().join(", ")
    }
}

/// The records with equal keys together, in order of first appearance.
pub(crate) fn in_parts<K: Ord>(records: Vec<Record>, key: impl Fn(&Record) -> K) -> Vec<Vec<Record>> {
    let mut places: BTreeMap<K, usize> = BTreeMap::new();
    let mut parts: Vec<Vec<Record>> = Vec::new();
    for record in records {
        let place = *places.entry(key(&record)).or_insert(parts.len());
        match parts.get_mut(place) {
            Some(part) => part.push(record),
            None => parts.push(vec![record]),
        }
    }
    parts
}

fn read(frame: &Frame) -> Result<Vec<Record>, TableError> {
    let text = |name: &str| frame.text(name);
    let (study, experiment, claim, mode) =
        (text("study")?, text("experiment")?, text("claim")?, text("mode")?);
    let setting = text("setting")?;
    let (statement, source, published) = (text("statement")?, text("source")?, text("published")?);
    let (group, wanted, verdict, reason) =
        (text("group")?, text("wanted")?, text("verdict")?, text("reason")?);
    let predicate = frame.int("predicate")?;
    let (value, low, high) = (frame.real("measured")?, frame.real("ci_low")?, frame.real("ci_high")?);
    let maybe = |cells: &[Option<std::sync::Arc<str>>], row: usize| cells[row].as_deref().map(str::to_owned);
    let must = |cells: &[Option<std::sync::Arc<str>>], row: usize| maybe(cells, row).unwrap_or_default();
    let record = |row: usize| Record {
        study: must(study, row),
        experiment: must(experiment, row),
        claim: must(claim, row),
        mode: must(mode, row),
        setting: maybe(setting, row),
        statement: must(statement, row),
        source: must(source, row),
        published: maybe(published, row),
        predicate: predicate[row].unwrap_or(0),
        group: must(group, row),
        measured: value[row],
        interval: low[row].zip(high[row]),
        wanted: must(wanted, row),
        verdict: must(verdict, row),
        reason: maybe(reason, row),
    };
    Ok((0..frame.len()).map(record).collect())
}

pub(crate) fn judge(records: &[Record]) -> Option<Verdict> {
    let first = records.first()?;
    let with = |verdict: &str| records.iter().filter(|record| record.verdict == verdict).count();
    let (holds, fails, total) = (with("holds"), with("does not hold"), records.len());
    let tested = holds + fails;
    let judgement = match (tested, fails) {
        (0, _) => Judgement::CannotBeTested,
        (_, 0) if tested == total => Judgement::Holds,
        (_, 0) => Judgement::HoldsWhereTested,
        _ => Judgement::DoesNotHold,
    };
    let noisy =
        |record: &&Record| record.reason.as_deref().is_some_and(|reason| reason.contains(WITHIN_NOISE));
    Some(Verdict {
        study: first.study.clone(),
        claim: first.claim.clone(),
        mode: first.mode.clone(),
        statement: first.statement.clone(),
        source: first.source.clone(),
        published: first.published.clone(),
        wanted: wanted(records),
        holds,
        tested,
        total,
        within_noise: records.iter().filter(noisy).count(),
        judgement,
        measured: summed_up(records),
        remark: remark(records, judgement),
    })
}

fn wanted(records: &[Record]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for record in records {
        if !texts.contains(&record.wanted) {
            texts.push(record.wanted.clone());
        }
    }
    texts
}

/// Smallest and largest value and the reach of the intervals, per predicate.
fn summed_up(records: &[Record]) -> String {
    let written = |reach: Reach| match reach.interval {
        Some((low, high)) => format!("{} [{}]", reach.values(), span(low, high)),
        None => reach.values(),
    };
    reaches(records).into_iter().map(written).collect::<Vec<_>>().join("; ")
}

/// What was measured for a predicate, over all its groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// From the lowest to the highest end of an interval.
    pub interval: Option<(f64, f64)>,
}

impl Reach {
    /// The value, or smallest and largest.
    pub fn values(&self) -> String {
        if measured(self.low) == measured(self.high) { measured(self.low) } else { span(self.low, self.high) }
    }
}

/// What was measured for each predicate; nothing of those of which nothing was.
pub(crate) fn reaches(records: &[Record]) -> Vec<Reach> {
    let mut parts: BTreeMap<(&str, i64), Vec<&Record>> = BTreeMap::new();
    for record in records {
        parts.entry((&record.experiment, record.predicate)).or_default().push(record);
    }
    parts.into_values().filter_map(|records| reach(&records)).collect()
}

fn reach(records: &[&Record]) -> Option<Reach> {
    let low = records.iter().filter_map(|record| record.measured).min_by(f64::total_cmp)?;
    let high = records.iter().filter_map(|record| record.measured).max_by(f64::total_cmp)?;
    let ends = records.iter().filter_map(|record| record.interval);
    let reach_low = ends.clone().map(|(low, _)| low).min_by(f64::total_cmp);
    let reach_high = ends.map(|(_, high)| high).max_by(f64::total_cmp);
    Some(Reach { low, high, interval: reach_low.zip(reach_high) })
}

fn remark(records: &[Record], judgement: Judgement) -> Option<String> {
    let wanted = match judgement {
        Judgement::Holds => return None,
        Judgement::DoesNotHold => "does not hold",
        Judgement::HoldsWhereTested | Judgement::CannotBeTested => "cannot be tested",
    };
    let record = records.iter().find(|record| record.verdict == wanted)?;
    let value = record.measured.map(measured);
    let parts: Vec<&str> = [value.as_deref(), record.reason.as_deref()].into_iter().flatten().collect();
    let text = parts.join("; ");
    Some(if record.group.is_empty() { text } else { format!("{}: {text}", record.group) })
}

pub(crate) fn order(a: &Verdict, b: &Verdict) -> Ordering {
    (a.study.as_str(), natural(&a.claim), mode_rank(&a.mode), &a.mode).cmp(&(
        b.study.as_str(),
        natural(&b.claim),
        mode_rank(&b.mode),
        &b.mode,
    ))
}

/// The letters before the first number, the number, and the rest.
fn natural(id: &str) -> (&str, u64, &str) {
    let start = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
    let (letters, rest) = id.split_at(start);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, tail) = rest.split_at(end);
    (letters, digits.parse().unwrap_or(0), tail)
}

fn mode_rank(mode: &str) -> usize {
    ["trace", "twin", "model"].iter().position(|known| *known == mode).unwrap_or(3)
}
