//! A study: what it asks, its scorecard, and everything that stands behind it.

use super::anchor::anchor;
use super::evidence::{self, Exhibit, Plate};
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, link, list, separated, tag};
use super::picture::{Picture, picture};
use super::published::{Published, published};
use super::{
    ExperimentResults, ExperimentText, StudyResults, measurement, overview, record, settings, verdicts,
};
use crate::error::ReportError;
use crate::robustness::Robustness;
use crate::scorecard::Assumption;
use crate::verdict::{Entry, Ledger};
use std::collections::BTreeMap;
use table::{ClaimSpec, FigureSpec};

/// A figure of more pixels gets a row of its own, so that its labels remain readable.
const WIDE: f64 = 800.0;

/// Everything about a study.
pub(super) fn section(results: &StudyResults, ledger: &Ledger) -> Result<Html, ReportError> {
    let study = results.name.as_str();
    let plates = plates(results)?;
    let mut tables = Vec::new();
    for experiment in &results.experiments {
        tables.extend(published(study, experiment)?);
    }
    let texts: Vec<&ExperimentText> =
        results.experiments.iter().filter_map(|one| one.text.as_ref()).collect();
    let specs: Vec<&ClaimSpec> = texts.iter().flat_map(|text| &text.claims).collect();
    let claims = ledger.claims(study);
    let exhibits: Vec<Vec<Vec<Exhibit>>> = claims
        .iter()
        .map(|entries| {
            entries.iter().map(|entry| evidence::exhibits(entry, &specs, &plates, &tables)).collect()
        })
        .collect();
    let swept: Vec<&Robustness> = ledger.robustness.iter().filter(|claim| claim.study == study).collect();
    let title = anchor(&["title", study]);
    let parts = [
        ("claims", "Claims", scorecard(study, &claims, &exhibits)),
        ("measurements", "Measurements", measurements(&claims, &exhibits)),
        ("settings", "Over what the source leaves open", settings::section(study, &swept)),
        ("published", "Published tables", published_tables(&tables)),
        ("figures", "Figures", figures(study, &plates, &shown_by(&claims, &exhibits))),
        ("assumptions", "Assumptions", assumptions(study, &texts)),
        ("record", "How the results were made", record::section(results)),
    ];
    let head = join([element("h2", &[("id", &title)], study), question(results), state(results, ledger)]);
    let content = join([head, headed(study, &parts)]);
    Ok(element("section", &[("id", &overview::place(study)), ("aria-labelledby", &title)], content))
}

/// The parts that have something in them under their headings, and links to them in front.
fn headed(study: &str, parts: &[(&str, &str, Html)]) -> Html {
    let parts = || parts.iter().filter(|(_, _, part)| !part.is_empty());
    let index = list(parts().map(|(name, label, _)| link(&anchor(&[name, study]), *label)));
    let index = element("nav", &[("class", "index"), ("aria-label", &format!("Parts of {study}"))], index);
    let headed = parts().map(|(name, label, part)| {
        join([element("h3", &[("id", &anchor(&[name, study]))], *label), part.clone()])
    });
    join([index, headed.collect()])
}

fn question(results: &StudyResults) -> Html {
    let mut sources: Vec<&str> = Vec::new();
    for text in results.experiments.iter().filter_map(|one| one.text.as_ref()) {
        if !sources.contains(&text.source.as_str()) {
            sources.push(&text.source);
        }
    }
    let sources: Html = sources.into_iter().map(|source| tag("p", join([tag("cite", source)]))).collect();
    let asked = results.experiments.iter().map(|experiment| {
        let title = experiment.text.as_ref().map_or("", |text| &text.title);
        join([tag("dt", experiment.name.as_str()), tag("dd", title)])
    });
    join([sources, element("dl", &[("class", "asked")], asked.collect::<Html>())])
}

/// Totals, what is not there, and what is odd.
fn state(results: &StudyResults, ledger: &Ledger) -> Html {
    let study = results.name.as_str();
    let mut facts = ledger.totals(Some(study));
    facts.extend(ledger.scale(study));
    let facts = if facts.is_empty() { Html::default() } else { tag("p", tag("b", facts.join(" · "))) };
    let absent = (!results.absent.is_empty()).then(|| {
        let names = results.absent.join(", ");
        Html::from(format!(
            "Only partly there: no results of {names}. `backsweep reproduce {study}` makes them."
        ))
    });
    let remarks = results.experiments.iter().flat_map(|experiment| {
        experiment.remarks.iter().map(|remark| Html::from(format!("{}: {remark}.", experiment.name)))
    });
    let notes = list(absent.into_iter().chain(remarks));
    let notes = if notes.is_empty() { notes } else { element("div", &[("class", "note")], notes) };
    join([facts, notes])
}

fn scorecard(study: &str, claims: &[Vec<&Entry>], exhibits: &[Vec<Vec<Exhibit>>]) -> Html {
    if claims.is_empty() {
        return Html::default();
    }
    let entries: Vec<&Entry> = claims.iter().flatten().copied().collect();
    let shown: Vec<Vec<Exhibit>> = exhibits.iter().flatten().cloned().collect();
    verdicts::table(study, &entries, &shown)
}

fn measurements(claims: &[Vec<&Entry>], exhibits: &[Vec<Vec<Exhibit>>]) -> Html {
    claims.iter().zip(exhibits).map(|(entries, exhibits)| measurement::details(entries, exhibits)).collect()
}

/// The figures of a study in the order of their numbers.
fn plates(results: &StudyResults) -> Result<Vec<Plate>, ReportError> {
    let mut plates = Vec::new();
    for experiment in &results.experiments {
        for file in &experiment.pictures {
            let spec = spec(experiment, &file.name);
            let picture = picture(&results.name, file, &about(spec))?;
            let metric = spec.map(|spec| spec.y.clone());
            plates.push(Plate { picture, experiment: experiment.name.clone(), metric });
        }
    }
    plates.sort_by_cached_key(|plate| natural(&plate.picture.stem));
    Ok(plates)
}

/// Digits count as numbers: `figure9` comes before `figure10`.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, after) = rest.split_at(letters);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(digits);
        parts.push((0, text.to_owned()));
        parts.push((number.parse().unwrap_or(0), String::new()));
        rest = after;
    }
    parts
}

fn spec<'a>(experiment: &'a ExperimentResults, file: &str) -> Option<&'a FigureSpec> {
    let (id, _) = file.strip_suffix(".svg")?.rsplit_once('-')?;
    experiment.text.as_ref()?.figures.iter().find(|figure| figure.id == id)
}

/// What a figure shows, for those who do not see it.
fn about(spec: Option<&FigureSpec>) -> String {
    let Some(spec) = spec else { return "The numbers are in the tables of this page.".to_owned() };
    let mut text = format!("{} over {}", spec.y_label, spec.x_label.as_deref().unwrap_or(&spec.x));
    if spec.log_y {
        text.push_str(", on a logarithmic axis");
    }
    for (columns, what) in [(&spec.series, "one series for each"), (&spec.panels, "one panel for each")] {
        if !columns.is_empty() {
            text.push_str(&format!("; {what} {}", columns.join(" and ")));
        }
    }
    text + ". The numbers behind it are in the summary table of the experiment."
}

/// The claims that each figure shows, by the figure's place.
fn shown_by<'a>(
    claims: &[Vec<&'a Entry>],
    exhibits: &'a [Vec<Vec<Exhibit>>],
) -> BTreeMap<&'a str, Vec<&'a Entry>> {
    let mut shown: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for (entry, exhibits) in claims.iter().flatten().zip(exhibits.iter().flatten()) {
        for exhibit in exhibits {
            shown.entry(&exhibit.anchor).or_default().push(entry);
        }
    }
    shown
}

fn figures(study: &str, plates: &[Plate], shown: &BTreeMap<&str, Vec<&Entry>>) -> Html {
    if plates.is_empty() {
        return Html::default();
    }
    let index = list(plates.iter().map(|plate| link(&plate.picture.anchor, plate.picture.stem.as_str())));
    let index = element("nav", &[("class", "index"), ("aria-label", &format!("Figures of {study}"))], index);
    let all = plates.iter().map(|plate| {
        let claims = shown.get(plate.picture.anchor.as_str()).map_or(&[][..], Vec::as_slice);
        figure(&plate.picture, &plate.experiment, claims)
    });
    join([index, element("div", &[("class", "figures")], all.collect::<Html>())])
}

fn figure(picture: &Picture, experiment: &str, claims: &[&Entry]) -> Html {
    let label = format!("{} (scrolls sideways where it is narrow)", picture.title);
    let plate = element(
        "div",
        &[("class", "scroll picture"), ("role", "group"), ("aria-label", &label)],
        picture.svg.clone(),
    );
    let links =
        claims.iter().map(|entry| link(&verdicts::place(&entry.verdict), entry.verdict.claim.as_str()));
    let links: Vec<Html> = links.collect();
    let shows = if links.is_empty() {
        Html::default()
    } else {
        join([Html::from("; bears on "), separated(links, &Html::from(", "))])
    };
    let caption = join([tag("b", picture.stem.as_str()), Html::from(format!(" of {experiment}")), shows]);
    let class = if picture.width > WIDE { "broad" } else { "narrow" };
    element("figure", &[("id", &picture.anchor), ("class", class)], join([plate, tag("figcaption", caption)]))
}

fn published_tables(tables: &[Published]) -> Html {
    if tables.is_empty() {
        return Html::default();
    }
    let about = tag(
        "p",
        "Each cell has the mean that was measured, its 95 % interval, and what is printed; ✓ inside: the printed number lies in the \
         interval.",
    );
    join([about, tables.iter().map(Published::html).collect()])
}

/// What the source does not print. The experiments of a study mostly share it; each is listed once.
fn assumptions(study: &str, texts: &[&ExperimentText]) -> Html {
    let mut all: Vec<Assumption> = Vec::new();
    for assumption in texts.iter().flat_map(|text| &text.assumptions) {
        assumption.clone().add_to(&mut all);
    }
    if all.is_empty() {
        return Html::default();
    }
    let row = |one: &Assumption| {
        let value = one.value.as_deref().map_or_else(Cell::none, Cell::of);
        let sweep = if one.sweep.is_empty() { Cell::none() } else { Cell::of(one.sweep.join(", ")) };
        vec![Cell::of(one.field.as_str()), value, Cell::of(one.reason.as_str()), sweep]
    };
    let grid = Grid {
        anchor: anchor(&["assumed", study]),
        caption: "Values that the source does not print".into(),
        heads: vec![
            Head::text("field"),
            Head::text("value"),
            Head::sentence("reason"),
            Head::text("alternatives"),
        ],
        rows: all.iter().map(row).collect(),
        foot: Vec::new(),
    };
    grid.html()
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn figures_are_in_the_order_of_their_numbers() {
        let mut names = ["figure10-trace", "figure9", "figure53-55-max", "bandwidth2", "figure9-twin"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["bandwidth2", "figure9", "figure9-twin", "figure10-trace", "figure53-55-max"]);
    }
}
