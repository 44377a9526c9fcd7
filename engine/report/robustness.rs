//! Under how many settings of what the source leaves open a claim holds.
//!
//! A claim is tested under each setting on its own, by the rule of [`crate::claims`]. It holds under a setting if all its rows that
//! could be tested there hold, and at least one could.

use crate::error::ReportError;
use crate::scorecard::{mark, markdown_text as text};
use crate::verdict::{Judgement, Ledger, Record, Verdict, in_parts, judge, order};
use std::fmt::Write;
use table::Frame;

/// A claim in one mode under all settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Robustness {
    /// The study.
    pub study: String,
    /// The experiment that goes through the settings.
    pub experiment: String,
    /// The claim's identifier.
    pub claim: String,
    /// `trace`, `twin` or `model`.
    pub mode: String,
    /// What the source says.
    pub statement: String,
    /// The settings in order, each with the verdict there.
    pub settings: Vec<(String, Verdict)>,
}

impl Robustness {
    /// Settings under which the claim holds.
    pub fn held(&self) -> usize {
        let holds = |judgement| matches!(judgement, Judgement::Holds | Judgement::HoldsWhereTested);
        self.settings.iter().filter(|(_, verdict)| holds(verdict.judgement)).count()
    }

    /// Settings under which it could be tested.
    pub fn tested(&self) -> usize {
        self.settings.iter().filter(|(_, verdict)| verdict.judgement != Judgement::CannotBeTested).count()
    }

    /// The settings under which it does not hold.
    pub fn failed(&self) -> Vec<&str> {
        let failed = |verdict: &Verdict| verdict.judgement == Judgement::DoesNotHold;
        self.settings.iter().filter(|(_, verdict)| failed(verdict)).map(|(name, _)| name.as_str()).collect()
    }

    /// `12 of 14 settings`, with what could not be tested.
    pub fn count(&self) -> String {
        let (held, tested, all) = (self.held(), self.tested(), self.settings.len());
        match all - tested {
            0 => format!("{held} of {all} settings"),
            untested => format!("{held} of {tested} settings, {untested} untested"),
        }
    }
}

/// The claims of a claims table that were tested under several settings, in the order of [`crate::verdicts`].
///
/// # Errors
/// If the table lacks a column of the claims schema.
pub fn robustness(claims: &Frame) -> Result<Vec<Robustness>, ReportError> {
    Ok(Ledger::read(&[claims])?.robustness)
}

/// The claims among records that have settings.
pub(crate) fn of(records: Vec<Record>) -> Vec<Robustness> {
    let claims = in_parts(records, |record| {
        (record.study.clone(), record.experiment.clone(), record.claim.clone(), record.mode.clone())
    });
    let mut found: Vec<Robustness> = claims.into_iter().filter_map(claim).collect();
    found.sort_by(|a, b| match (a.settings.first(), b.settings.first()) {
        (Some((_, first)), Some((_, second))) => order(first, second).then(a.experiment.cmp(&b.experiment)),
        _ => a.claim.cmp(&b.claim),
    });
    found
}

fn claim(records: Vec<Record>) -> Option<Robustness> {
    let first = records.first()?;
    let (study, experiment) = (first.study.clone(), first.experiment.clone());
    let (claim, mode, statement) = (first.claim.clone(), first.mode.clone(), first.statement.clone());
    let settings = in_parts(records, |record| record.setting.clone());
    let judged = |records: Vec<Record>| Some((records.first()?.setting.clone()?, judge(&records)?));
    let settings = settings.into_iter().filter_map(judged).collect();
    Some(Robustness { study, experiment, claim, mode, statement, settings })
}

/// A page with every claim under every setting; `None` for a claims table without settings.
///
/// # Errors
/// If the table lacks a column of the claims schema.
pub fn settings_markdown(claims: &Frame) -> Result<Option<String>, ReportError> {
    let all = robustness(claims)?;
    let Some(first) = all.first() else { return Ok(None) };
    let mut out = format!("# Claims of {} over what the source leaves open\n", text(&first.study));
    out.push_str("\n✓ the claim holds under the setting, ~ where it could be tested, ✗ it does not, ? it cannot be tested.\n");
    let mut modes: Vec<&str> = all.iter().map(|claim| claim.mode.as_str()).collect();
    modes.dedup();
    modes.sort_unstable();
    modes.dedup();
    for mode in modes {
        let claims: Vec<&Robustness> = all.iter().filter(|claim| claim.mode == mode).collect();
        let heads: Vec<String> = claims.iter().map(|claim| text(&claim.claim)).collect();
        let _ = writeln!(out, "\n## {}\n\n| setting | {} |", text(mode), heads.join(" | "));
        let _ = writeln!(out, "|---|{}", ":-:|".repeat(heads.len()));
        let mut settings: Vec<&str> = Vec::new();
        for (setting, _) in claims.iter().flat_map(|claim| &claim.settings) {
            if !settings.contains(&setting.as_str()) {
                settings.push(setting);
            }
        }
        for setting in settings {
            let cells: Vec<String> = claims.iter().map(|claim| cell(claim, setting)).collect();
            let _ = writeln!(out, "| {} | {} |", text(setting), cells.join(" | "));
        }
        let held: Vec<String> =
            claims.iter().map(|claim| format!("{}/{}", claim.held(), claim.tested())).collect();
        let _ = writeln!(out, "| **holds in** | {} |", held.join(" | "));
        details(&mut out, &claims);
    }
    Ok(Some(out))
}

fn cell(claim: &Robustness, setting: &str) -> String {
    let verdict = claim.settings.iter().find(|(name, _)| name == setting).map(|(_, verdict)| verdict);
    verdict.map_or_else(|| "—".to_owned(), |verdict| mark(verdict.judgement).to_string())
}

fn details(out: &mut String, claims: &[&Robustness]) {
    for claim in claims {
        let _ = writeln!(out, "\n### {} · {}\n", text(&claim.claim), text(&claim.statement));
        out.push_str("| setting | verdict | rows that hold | measured | remark |\n|---|---|---|---|---|\n");
        for (setting, verdict) in &claim.settings {
            let rows = format!("{} of {}", verdict.holds, verdict.tested);
            let judgement = format!("{} {}", mark(verdict.judgement), verdict.judgement);
            let remark = verdict.remark.as_deref().unwrap_or("");
            let cells = [setting.as_str(), &judgement, &rows, &verdict.measured, remark].map(text);
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
}
