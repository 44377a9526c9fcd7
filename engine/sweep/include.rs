//! What an experiment file includes: files with parts of an experiment, so that a study says once what its experiments share.
//! The including file wins over what it includes; two included files must not say the same.

use crate::file::{GroupFile, Parts};
use crate::problem::{Problem, Problems};
use crate::ron_text::{Entry, Written};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Finds the text of an included file by its path.
pub(crate) type ReadText<'a> = &'a dyn Fn(&Path) -> Result<String, Problems>;

/// The files that one experiment is made of.
pub(crate) struct Included<'a> {
    text_of: ReadText<'a>,
    /// The files that are being read, each included by the one before it.
    open: Vec<PathBuf>,
    /// The hash of every included text, by path.
    hashes: BTreeMap<PathBuf, blake3::Hash>,
}

impl<'a> Included<'a> {
    pub(crate) fn new(text_of: ReadText<'a>) -> Included<'a> {
        Included { text_of, open: Vec::new(), hashes: BTreeMap::new() }
    }

    /// The hash of a text and of all that it includes; of a text that includes nothing, its own.
    pub(crate) fn hash(&self, text: &str) -> blake3::Hash {
        let own = blake3::hash(text.as_bytes());
        if self.hashes.is_empty() {
            return own;
        }
        // The paths are in the texts that include them; the same texts elsewhere are the same experiment.
        let mut others: Vec<&[u8; 32]> = self.hashes.values().map(blake3::Hash::as_bytes).collect();
        others.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        hasher.update(own.as_bytes());
        others.into_iter().for_each(|hash| {
            hasher.update(hash);
        });
        hasher.finalize()
    }

    /// The parts of a file and of what it includes.
    pub(crate) fn read(&mut self, whole: &Written) -> Result<Parts, Vec<Problem>> {
        let mut own = Parts::read(whole).map_err(|problem| vec![problem])?;
        let mut problems = Vec::new();
        if !self.open.is_empty() {
            for (name, part) in [("name", &own.name), ("title", &own.title)] {
                let message = format!("an included file has no `{name}`: that is the experiment's own");
                problems.extend(part.as_ref().map(|place| place.problem(message)));
            }
        }
        let mut below = Vec::new();
        self.open.push(normal(Path::new(whole.file())));
        for place in std::mem::take(&mut own.include) {
            match self.included(&place) {
                Ok(Some(parts)) => below.push(parts),
                Ok(None) => {}
                Err(found) => problems.extend(found),
            }
        }
        self.open.pop();
        let parts = own.over(below, &mut problems);
        if problems.is_empty() { Ok(parts) } else { Err(problems) }
    }

    /// The parts of the file that is named at `place`; `None` where they are there already.
    fn included(&mut self, place: &Written) -> Result<Option<Parts>, Vec<Problem>> {
        let name: String = place.read().map_err(|problem| vec![problem])?;
        let here = self.open.last().and_then(|file| file.parent()).unwrap_or(Path::new(""));
        let path = normal(&here.join(&name));
        if let Some(at) = self.open.iter().position(|open| *open == path) {
            let chain: Vec<String> =
                self.open[at..].iter().chain([&path]).map(|file| file.display().to_string()).collect();
            let message = format!("`{name}` would include itself: {}", chain.join(" -> "));
            return Err(vec![place.problem(message)]);
        }
        if self.hashes.contains_key(&path) {
            return Ok(None);
        }
        let text = (self.text_of)(&path).map_err(|Problems(found)| {
            // A file that is no text has a place of its own.
            let own = |problem: Problem| match problem.text.is_empty() {
                true => place.problem(format!("cannot include {}: {}", path.display(), problem.message)),
                false => problem,
            };
            found.into_iter().map(own).collect::<Vec<_>>()
        })?;
        self.hashes.insert(path.clone(), blake3::hash(text.as_bytes()));
        self.read(&Written::whole(&path.display().to_string(), &text)).map(Some)
    }
}

/// A path without `.` and, where the text alone can tell, without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// What identifies an item of a list of claims, figures, comparisons or assumptions.
#[derive(Deserialize)]
struct Identity {
    id: Option<String>,
    field: Option<String>,
}

fn identity(item: &Written) -> Option<String> {
    let found: Identity = item.read().ok()?;
    found.id.or(found.field)
}

fn group_name(group: &GroupFile) -> Option<String> {
    group.name.as_ref()?.read().ok()
}

impl Parts {
    /// These parts where they are given, else those of `below`.
    fn over(self, mut below: Vec<Parts>, problems: &mut Vec<Problem>) -> Parts {
        if below.is_empty() {
            return self;
        }
        let mut one = |name: &str, own: Option<Written>, of: fn(&mut Parts) -> &mut Option<Written>| {
            let found: Vec<(String, Written)> =
                below.iter_mut().filter_map(|parts| of(parts).take()).map(|w| (name.to_owned(), w)).collect();
            let own = own.map(|written| (name.to_owned(), written));
            let keep = |(name, _): &(String, Written)| Some(name.clone());
            layered(own.into_iter().collect(), found, keep, |(_, place)| place, problems)
                .pop()
                .map(|(_, w)| w)
        };
        let study = one("study", self.study, |parts| &mut parts.study);
        let source = one("source", self.source, |parts| &mut parts.source);
        let modes = one("modes", self.modes, |parts| &mut parts.modes);
        let replications = one("replications", self.replications, |parts| &mut parts.replications);
        let seed = one("seed", self.seed, |parts| &mut parts.seed);
        let settings = one("settings", self.settings, |parts| &mut parts.settings);
        let base_place =
            self.base_place.or_else(|| below.iter_mut().find_map(|parts| parts.base_place.take()));
        let axes_place =
            self.axes_place.or_else(|| below.iter_mut().find_map(|parts| parts.axes_place.take()));
        macro_rules! many {
            ($part:ident, $name:expr, $place:expr) => {{
                let found = below.iter_mut().flat_map(|parts| std::mem::take(&mut parts.$part)).collect();
                layered(self.$part, found, $name, $place, problems)
            }};
        }
        Parts {
            name: self.name,
            study,
            title: self.title,
            source,
            include: Vec::new(),
            base_place,
            base: many!(base, |(name, _)| Some((*name).to_owned()), |(_, place)| place),
            modes,
            axes_place,
            axes: many!(axes, |entry: &Entry| Some(entry.name.clone()), |entry| &entry.key),
            zip: many!(zip, group_name, |group| &group.place),
            exclude: many!(exclude, |_| None, |place| place),
            only: many!(only, |_| None, |place| place),
            union: many!(union, |_| None, |grid| &grid.place),
            replications,
            seed,
            scales: many!(scales, |entry: &Entry| Some(entry.name.clone()), |entry| &entry.key),
            comparisons: many!(comparisons, identity, |place| place),
            claims: many!(claims, identity, |place| place),
            settings,
            tables: many!(tables, identity, |place| place),
            figures: many!(figures, identity, |place| place),
            table_figures: many!(table_figures, identity, |place| place),
            schedules: many!(schedules, identity, |place| place),
            assumptions: many!(assumptions, identity, |place| place),
        }
    }
}

/// What is included, without what the including file has under the same name, and after it the file's own. Two included files with
/// the same name are a problem unless the including file decides.
fn layered<T>(
    own: Vec<T>,
    included: Vec<T>,
    name: impl Fn(&T) -> Option<String>,
    place: impl Fn(&T) -> &Written,
    problems: &mut Vec<Problem>,
) -> Vec<T> {
    let decided: Vec<Option<String>> = own.iter().map(&name).filter(Option::is_some).collect();
    let mut kept: Vec<T> = Vec::new();
    for item in included {
        let called = name(&item);
        if called.is_some() && decided.contains(&called) {
            continue;
        }
        let other = kept.iter().find(|other| called.is_some() && name(other) == called);
        if let (Some(other), Some(called)) = (other, &called) {
            let message = format!("`{called}` is in {} too", place(other).file());
            let help = "keep one of them, or write it in the including file, which wins".to_owned();
            problems.push(place(&item).problem(message).with_help(help));
            continue;
        }
        kept.push(item);
    }
    kept.extend(own);
    kept
}
