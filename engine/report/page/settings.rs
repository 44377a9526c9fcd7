//! Claims under every setting of what the source leaves open.

use super::anchor::anchor;
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, tag};
use super::verdicts::{judgement, judgement_key};
use crate::robustness::Robustness;
use crate::scorecard::mark;
use std::collections::BTreeSet;

/// The section of a study; nothing if no claim was tested under settings.
pub(super) fn section(study: &str, claims: &[&Robustness]) -> Html {
    if claims.is_empty() {
        return Html::default();
    }
    let parts: BTreeSet<(&str, &str)> =
        claims.iter().map(|claim| (claim.experiment.as_str(), claim.mode.as_str())).collect();
    let matrices = parts.into_iter().map(|(experiment, mode)| {
        let own: Vec<&Robustness> = claims
            .iter()
            .filter(|claim| claim.experiment == experiment && claim.mode == mode)
            .copied()
            .collect();
        matrix(study, experiment, mode, &own)
    });
    let about =
        tag("p", "Each claim is tested under each setting on its own; none of this changes a verdict above.");
    let details: Html = claims.iter().map(|claim| details(study, claim)).collect();
    join([about, summary(study, claims), matrices.collect(), details])
}

fn summary(study: &str, claims: &[&Robustness]) -> Html {
    let row = |claim: &&Robustness| {
        let failed = claim.failed();
        let failed = if failed.is_empty() { Cell::none() } else { Cell::of(failed.join("; ")) };
        vec![
            Cell::of(super::html::link(&place(study, claim), claim.claim.as_str())),
            Cell::of(claim.mode.as_str()),
            Cell::of(claim.experiment.as_str()),
            Cell::of(claim.count()).keyed(share(claim).map(|share| share.to_string()).unwrap_or_default()),
            failed,
        ]
    };
    let heads = vec![
        Head::text("claim"),
        Head::text("mode"),
        Head::text("experiment"),
        Head::text("holds in"),
        Head::sentence("does not hold in"),
    ];
    let caption = format!("In how many settings the claims of {study} hold").into();
    let anchor = anchor(&["swept", study]);
    Grid { anchor, caption, heads, rows: claims.iter().map(row).collect(), foot: Vec::new() }.html()
}

/// The share of the settings that could be tested in which a claim holds; only for the order of rows.
fn share(claim: &Robustness) -> Option<f64> {
    (claim.tested() > 0).then(|| claim.held() as f64 / claim.tested() as f64)
}

fn place(study: &str, claim: &Robustness) -> String {
    anchor(&["setting", study, &claim.experiment, &claim.claim, &claim.mode])
}

/// Settings down, claims across.
fn matrix(study: &str, experiment: &str, mode: &str, claims: &[&Robustness]) -> Html {
    let mut settings: Vec<&str> = Vec::new();
    for (setting, _) in claims.iter().flat_map(|claim| &claim.settings) {
        if !settings.contains(&setting.as_str()) {
            settings.push(setting);
        }
    }
    let cell = |claim: &&Robustness, setting: &str| {
        let verdict = claim.settings.iter().find(|(name, _)| name == setting).map(|(_, verdict)| verdict);
        verdict.map_or_else(Cell::none, |verdict| {
            let judgement = verdict.judgement;
            let symbol = element("span", &[("aria-hidden", "true")], mark(judgement).to_string());
            let words = element("span", &[("class", "unseen")], judgement.to_string());
            Cell::of(join([symbol, words]))
                .keyed(judgement_key(judgement))
                .class(super::verdicts::class(judgement))
        })
    };
    let row = |setting: &&str| {
        [Cell::of(*setting)].into_iter().chain(claims.iter().map(|claim| cell(claim, setting))).collect()
    };
    let held = claims.iter().map(|claim| Cell::of(format!("{}/{}", claim.held(), claim.tested())));
    let grid = Grid {
        anchor: anchor(&["matrix", study, experiment, mode]),
        caption: format!(
            "Settings of {experiment}, {mode}: ✓ holds, ~ holds where tested, ✗ does not hold, ? cannot be tested"
        )
        .into(),
        heads: [Head::text("setting")]
            .into_iter()
            .chain(claims.iter().map(|claim| Head { label: &claim.claim, class: "mark" }))
            .collect(),
        rows: settings.iter().map(row).collect(),
        foot: vec![[Cell::of("holds in")].into_iter().chain(held).collect()],
    };
    grid.html()
}

/// What was measured for a claim under each setting.
fn details(study: &str, claim: &Robustness) -> Html {
    let row = |(setting, verdict): &(String, crate::Verdict)| {
        vec![
            Cell::of(setting.as_str()),
            judgement(verdict.judgement),
            Cell::of(format!("{} of {}", verdict.holds, verdict.tested)),
            Cell::of(verdict.measured.as_str()).class("n"),
            Cell::of(verdict.remark.as_deref().unwrap_or("")),
        ]
    };
    let place = place(study, claim);
    let grid = Grid {
        anchor: format!("{place}-table"),
        caption: format!("{} under each setting of {}, {}", claim.claim, claim.experiment, claim.mode).into(),
        heads: vec![
            Head::text("setting"),
            Head::text("verdict"),
            Head::text("rows that hold"),
            Head::text("measured"),
            Head::sentence("remark"),
        ],
        rows: claim.settings.iter().map(row).collect(),
        foot: Vec::new(),
    };
    let summary = format!("{} · {} · holds in {}", claim.claim, claim.mode, claim.count());
    let content = join([tag("summary", summary), tag("p", claim.statement.as_str()), grid.html()]);
    element("details", &[("id", &place)], content)
}
