//! The experiment file as it is written: every part with its place, nothing interpreted yet.

use crate::problem::Problem;
use crate::ron_text::{Entry, Written};
use ron::value::RawValue;
use serde::Deserialize;

/// The version of the experiment language that this build reads.
pub(crate) const FORMAT: u32 = 1;

/// An experiment as written.
#[derive(Debug)]
pub(crate) struct ExperimentFile {
    pub(crate) name: Written,
    pub(crate) study: Written,
    pub(crate) title: Written,
    pub(crate) source: Written,
    pub(crate) base: Written,
    pub(crate) modes: Option<Written>,
    pub(crate) grid: GridFile,
    pub(crate) union: Vec<GridFile>,
    pub(crate) replications: Option<Written>,
    pub(crate) seed: Option<Written>,
    pub(crate) scales: Vec<Entry>,
    pub(crate) comparisons: Vec<Written>,
    pub(crate) claims: Vec<Written>,
    pub(crate) figures: Vec<Written>,
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
#[serde(deny_unknown_fields)]
struct RawExperiment<'a> {
    #[serde(borrow)]
    format: &'a RawValue,
    #[serde(borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    study: &'a RawValue,
    #[serde(borrow)]
    title: &'a RawValue,
    #[serde(borrow)]
    source: &'a RawValue,
    #[serde(borrow)]
    base: &'a RawValue,
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
    figures: Raw<'a>,
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

impl ExperimentFile {
    /// Splits a file into its parts.
    ///
    /// # Errors
    /// Broken RON, an unknown or missing field, another format.
    pub(crate) fn read(whole: &Written) -> Result<ExperimentFile, Problem> {
        let raw: RawExperiment<'_> = whole.read()?;
        let place = |raw: &RawValue| whole.place(raw);
        let format = place(raw.format);
        let version: u32 = format.read()?;
        if version != FORMAT {
            let message = format!("format {version} is not known; this build reads format {FORMAT}");
            return Err(format.problem(message));
        }
        let grid = RawGrid { set: None, axes: raw.axes, zip: raw.zip, exclude: raw.exclude, only: raw.only };
        let union = list(whole, raw.union)?.iter().map(grid_of_union).collect::<Result<_, _>>()?;
        Ok(ExperimentFile {
            name: place(raw.name),
            study: place(raw.study),
            title: place(raw.title),
            source: place(raw.source),
            base: place(raw.base),
            modes: raw.modes.map(place),
            grid: grid_file(whole, &grid, raw.axes.map_or_else(|| place(raw.base), place))?,
            union,
            replications: raw.replications.map(place),
            seed: raw.seed.map(place),
            scales: map(whole, raw.scales)?,
            comparisons: list(whole, raw.comparisons)?,
            claims: list(whole, raw.claims)?,
            figures: list(whole, raw.figures)?,
            assumptions: list(whole, raw.assumptions)?,
        })
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
