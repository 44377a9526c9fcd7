//! The experiment file as it is written: every part with its place, nothing interpreted yet.

use crate::case_file::case_fields;
use crate::include::Included;
use crate::problem::Problem;
use crate::ron_text::{Entry, Written};
use ron::value::RawValue;
use serde::Deserialize;

/// The version of the experiment language that this build reads.
pub(crate) const FORMAT: u32 = 1;

/// An experiment as written, its own file and what it includes put together. Only a name is sure to be there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) name: Option<Written>,
    pub(crate) study: Option<Written>,
    pub(crate) title: Option<Written>,
    pub(crate) source: Option<Written>,
    pub(crate) include: Vec<Written>,
    /// Where the base case stands.
    pub(crate) base_place: Option<Written>,
    /// The fields of the base case.
    pub(crate) base: Vec<(&'static str, Written)>,
    pub(crate) modes: Option<Written>,
    /// Where the axes stand.
    pub(crate) axes_place: Option<Written>,
    pub(crate) axes: Vec<Entry>,
    pub(crate) zip: Vec<GroupFile>,
    pub(crate) exclude: Vec<Written>,
    pub(crate) only: Vec<Written>,
    pub(crate) union: Vec<GridFile>,
    pub(crate) replications: Option<Written>,
    pub(crate) seed: Option<Written>,
    pub(crate) scales: Vec<Entry>,
    pub(crate) comparisons: Vec<Written>,
    pub(crate) claims: Vec<Written>,
    pub(crate) tables: Vec<Written>,
    pub(crate) figures: Vec<Written>,
    pub(crate) table_figures: Vec<Written>,
    pub(crate) schedules: Vec<Written>,
    pub(crate) settings: Option<Written>,
    pub(crate) assumptions: Vec<Written>,
}

/// An experiment as written, complete.
#[derive(Debug)]
pub(crate) struct ExperimentFile {
    pub(crate) name: Written,
    pub(crate) study: Written,
    pub(crate) title: Written,
    pub(crate) source: Written,
    pub(crate) base_place: Written,
    pub(crate) base: Vec<(&'static str, Written)>,
    pub(crate) modes: Option<Written>,
    pub(crate) grid: GridFile,
    pub(crate) union: Vec<GridFile>,
    pub(crate) replications: Option<Written>,
    pub(crate) seed: Option<Written>,
    pub(crate) scales: Vec<Entry>,
    pub(crate) comparisons: Vec<Written>,
    pub(crate) claims: Vec<Written>,
    pub(crate) tables: Vec<Written>,
    pub(crate) figures: Vec<Written>,
    pub(crate) table_figures: Vec<Written>,
    pub(crate) schedules: Vec<Written>,
    pub(crate) settings: Option<Written>,
    pub(crate) assumptions: Vec<Written>,
}

/// A grid as written: the experiment's own, or one of its `union`.
#[derive(Clone, Debug)]
pub(crate) struct GridFile {
    pub(crate) place: Written,
    pub(crate) set: Vec<Entry>,
    pub(crate) axes: Vec<Entry>,
    pub(crate) zip: Vec<GroupFile>,
    pub(crate) exclude: Vec<Written>,
    pub(crate) only: Vec<Written>,
}

/// A zip group as written.
#[derive(Clone, Debug)]
pub(crate) struct GroupFile {
    pub(crate) place: Written,
    pub(crate) name: Option<Written>,
    pub(crate) labels: Option<Written>,
    pub(crate) fields: Vec<Entry>,
}

type Raw<'a> = Option<&'a RawValue>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "RawExperiment")]
struct RawExperiment<'a> {
    #[serde(borrow, default)]
    format: Raw<'a>,
    #[serde(borrow, default)]
    name: Raw<'a>,
    #[serde(borrow, default)]
    study: Raw<'a>,
    #[serde(borrow, default)]
    title: Raw<'a>,
    #[serde(borrow, default)]
    source: Raw<'a>,
    #[serde(borrow, default)]
    include: Raw<'a>,
    #[serde(borrow, default)]
    base: Raw<'a>,
    #[serde(borrow, default)]
    modes: Raw<'a>,
    #[serde(borrow, default)]
    axes: Raw<'a>,
    #[serde(borrow, default)]
    zip: Raw<'a>,
    #[serde(borrow, default)]
    exclude: Raw<'a>,
    #[serde(borrow, default)]
    only: Raw<'a>,
    #[serde(borrow, default)]
    union: Raw<'a>,
    #[serde(borrow, default)]
    replications: Raw<'a>,
    #[serde(borrow, default)]
    seed: Raw<'a>,
    #[serde(borrow, default)]
    scales: Raw<'a>,
    #[serde(borrow, default)]
    comparisons: Raw<'a>,
    #[serde(borrow, default)]
    claims: Raw<'a>,
    #[serde(borrow, default)]
    settings: Raw<'a>,
    #[serde(borrow, default)]
    tables: Raw<'a>,
    #[serde(borrow, default)]
    figures: Raw<'a>,
    #[serde(borrow, default)]
    table_figures: Raw<'a>,
    #[serde(borrow, default)]
    schedules: Raw<'a>,
    #[serde(borrow, default)]
    assumptions: Raw<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGrid<'a> {
    #[serde(borrow, default)]
    set: Raw<'a>,
    #[serde(borrow, default)]
    axes: Raw<'a>,
    #[serde(borrow, default)]
    zip: Raw<'a>,
    #[serde(borrow, default)]
    exclude: Raw<'a>,
    #[serde(borrow, default)]
    only: Raw<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGroup<'a> {
    #[serde(borrow, default)]
    name: Raw<'a>,
    #[serde(borrow, default)]
    labels: Raw<'a>,
    #[serde(borrow)]
    fields: &'a RawValue,
}

impl Parts {
    /// Splits a file into its parts.
    ///
    /// # Errors
    /// Broken RON, an unknown field, another format.
    pub(crate) fn read(whole: &Written) -> Result<Parts, Problem> {
        let raw: RawExperiment<'_> = whole.read()?;
        let place = |raw: &RawValue| whole.place(raw);
        if let Some(format) = raw.format.map(place) {
            let version: u32 = format.read()?;
            if version != FORMAT {
                let message = format!("format {version} is not known; this build reads format {FORMAT}");
                return Err(format.problem(message));
            }
        }
        let grid = RawGrid { set: None, axes: raw.axes, zip: raw.zip, exclude: raw.exclude, only: raw.only };
        let GridFile { axes, zip, exclude, only, .. } = grid_file(whole, &grid, whole.clone())?;
        let base_place = raw.base.map(place);
        Ok(Parts {
            name: raw.name.map(place),
            study: raw.study.map(place),
            title: raw.title.map(place),
            source: raw.source.map(place),
            include: list(whole, raw.include)?,
            base: base_place.as_ref().map_or_else(|| Ok(Vec::new()), case_fields)?,
            base_place,
            modes: raw.modes.map(place),
            axes_place: raw.axes.map(place),
            axes,
            zip,
            exclude,
            only,
            union: list(whole, raw.union)?.iter().map(grid_of_union).collect::<Result<_, _>>()?,
            replications: raw.replications.map(place),
            seed: raw.seed.map(place),
            scales: map(whole, raw.scales)?,
            comparisons: list(whole, raw.comparisons)?,
            claims: list(whole, raw.claims)?,
            settings: raw.settings.map(place),
            tables: list(whole, raw.tables)?,
            figures: list(whole, raw.figures)?,
            table_figures: list(whole, raw.table_figures)?,
            schedules: list(whole, raw.schedules)?,
            assumptions: list(whole, raw.assumptions)?,
        })
    }
}

impl ExperimentFile {
    /// Reads a file and all that it includes.
    ///
    /// # Errors
    /// What [`Parts::read`] says, what cannot be included, and a part that is missing.
    pub(crate) fn read(whole: &Written, files: &mut Included<'_>) -> Result<ExperimentFile, Vec<Problem>> {
        let parts = files.read(whole)?;
        let end = whole.text().trim_end().len();
        let end = whole.part(end.saturating_sub(1)..end);
        let mut missing = Vec::new();
        let mut required = |part: Option<Written>, name: &str| {
            if part.is_none() {
                missing.push(end.problem(format!("field `{name}` is missing in an experiment")));
            }
            part.unwrap_or_else(|| end.clone())
        };
        let base_place = required(parts.base_place, "base");
        let file = ExperimentFile {
            name: required(parts.name, "name"),
            study: required(parts.study, "study"),
            title: required(parts.title, "title"),
            source: required(parts.source, "source"),
            grid: GridFile {
                place: parts.axes_place.unwrap_or_else(|| base_place.clone()),
                set: Vec::new(),
                axes: parts.axes,
                zip: parts.zip,
                exclude: parts.exclude,
                only: parts.only,
            },
            base_place,
            base: parts.base,
            modes: parts.modes,
            union: parts.union,
            replications: parts.replications,
            seed: parts.seed,
            scales: parts.scales,
            comparisons: parts.comparisons,
            claims: parts.claims,
            settings: parts.settings,
            tables: parts.tables,
            figures: parts.figures,
            table_figures: parts.table_figures,
            schedules: parts.schedules,
            assumptions: parts.assumptions,
        };
        if missing.is_empty() { Ok(file) } else { Err(missing) }
    }
}

fn grid_of_union(written: &Written) -> Result<GridFile, Problem> {
    grid_file(written, &written.read()?, written.clone())
}

fn grid_file(whole: &Written, raw: &RawGrid<'_>, place: Written) -> Result<GridFile, Problem> {
    Ok(GridFile {
        place,
        set: map(whole, raw.set)?,
        axes: map(whole, raw.axes)?,
        zip: list(whole, raw.zip)?.iter().map(group_file).collect::<Result<_, _>>()?,
        exclude: list(whole, raw.exclude)?,
        only: list(whole, raw.only)?,
    })
}

fn group_file(written: &Written) -> Result<GroupFile, Problem> {
    let raw: RawGroup<'_> = written.read()?;
    Ok(GroupFile {
        place: written.clone(),
        name: raw.name.map(|raw| written.place(raw)),
        labels: raw.labels.map(|raw| written.place(raw)),
        fields: written.place(raw.fields).entries()?,
    })
}

fn list(whole: &Written, raw: Raw<'_>) -> Result<Vec<Written>, Problem> {
    raw.map_or_else(|| Ok(Vec::new()), |raw| whole.place(raw).items())
}

fn map(whole: &Written, raw: Raw<'_>) -> Result<Vec<Entry>, Problem> {
    raw.map_or_else(|| Ok(Vec::new()), |raw| whole.place(raw).entries())
}
