//! A stored specification taken apart into its parts, without reading all of it.

use crate::Case;
use crate::canonical;
use crate::field::Field;
use crate::field_table::FIELDS;
use crate::run_spec::RunSpec;
use serde::Serialize;
use std::borrow::Cow;
use workload::{Source, Variant, WorkloadSpec};

/// The parts of a case, in the order of their names.
pub(super) const PARTS: [&str; 8] =
    ["allocator", "estimates", "machine", "measure", "memory", "passes", "policy", "workload"];
pub(super) const WORKLOAD: usize = 7;

/// The canonical text of a run, in parts. A part that is at its default may be empty.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SpecParts<'t> {
    pub parts: [Cow<'t, str>; PARTS.len()],
    pub replication: u32,
    pub seed: u64,
}

impl<'t> SpecParts<'t> {
    /// Takes a stored text apart; `None` where it has fields that this build does not know.
    pub fn of_text(text: &'t str) -> Option<SpecParts<'t>> {
        let mut found = SpecParts { parts: Default::default(), replication: 0, seed: 0 };
        for (name, value) in fields(text)? {
            match name {
                "case" => {
                    for (name, value) in fields(value)? {
                        let at = PARTS.iter().position(|part| *part == name)?;
                        found.parts[at] = if at == WORKLOAD { without_content(value) } else { value.into() };
                    }
                }
                "replication" => found.replication = value.parse().ok()?,
                "seed" => found.seed = value.parse().ok()?,
                _ => return None,
            }
        }
        Some(found)
    }
}

/// A stored text as it is mostly written: the case's text, replication and seed. `None` where it is written otherwise.
pub(super) fn split(text: &str) -> Option<(&str, u32, u64)> {
    // Quotes inside of texts are escaped, so that no text can look like the end of a case.
    let (case, rest) = text.strip_prefix("{\"case\":")?.rsplit_once(",\"replication\":")?;
    let (replication, seed) = rest.strip_suffix('}')?.split_once(",\"seed\":")?;
    Some((case, replication.parse().ok()?, seed.parse().ok()?))
}

/// The name and value of each field of a JSON object in canonical form.
fn fields(object: &str) -> Option<Vec<(&str, &str)>> {
    let mut rest = object.strip_prefix('{')?.strip_suffix('}')?;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('"')?.split_once("\":")?;
        let end = value_end(after);
        found.push((name, after.get(..end)?));
        rest = after.get(end..)?;
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
    Some(found)
}

/// Where the value at the beginning of a text ends: at a comma outside of everything, or at the end.
fn value_end(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    for (at, letter) in text.bytes().enumerate() {
        match letter {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            b',' if !quoted && depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// What stands in a stored text for a file: its content. That is a key part of its own, so it is left out here.
const CONTENT: &str = "{\"File\":{\"path\":\"blake3:";
const HASH_DIGITS: usize = 64;

fn without_content(workload: &str) -> Cow<'_, str> {
    match workload.find(CONTENT).map(|at| at + CONTENT.len()) {
        Some(at) if workload.len() >= at + HASH_DIGITS => {
            let (before, after) = (workload.get(..at), workload.get(at + HASH_DIGITS..));
            Cow::Owned(format!("{}{}", before.unwrap_or_default(), after.unwrap_or_default()))
        }
        _ => Cow::Borrowed(workload),
    }
}

/// The canonical text of one part of a case, in the form of [`SpecParts`].
pub(super) fn part_text(case: &Case, part: usize) -> Result<String, serde_json::Error> {
    fn text(value: &impl Serialize) -> Result<String, serde_json::Error> {
        canonical::text(value)
    }
    match part {
        0 => text(&case.allocator),
        1 => text(&case.estimates),
        2 => text(&case.machine),
        3 => text(&case.measure),
        // Unlimited memory is not written.
        4 => case.memory.map_or_else(|| Ok(String::new()), |memory| text(&memory)),
        5 => text(&case.passes),
        6 => text(&case.policy),
        _ => match case.workload.source {
            Source::File { .. } => {
                let source = Source::File { path: "blake3:".to_owned() };
                text(&WorkloadSpec { source, ..case.workload.clone() })
            }
            _ => text(&case.workload),
        },
    }
}

/// Whether two cases have the same part.
pub(super) fn same_part(a: &Case, b: &Case, part: usize) -> bool {
    match part {
        0 => a.allocator == b.allocator,
        1 => a.estimates == b.estimates,
        2 => a.machine == b.machine,
        3 => a.measure == b.measure,
        4 => a.memory == b.memory,
        5 => a.passes == b.passes,
        6 => a.policy == b.policy,
        _ => a.workload == b.workload,
    }
}

/// The values of a part's fields, in the order of [`fields_of`]; `None` where the text is of another version.
pub(super) fn values(part: usize, text: &str) -> Option<Vec<Option<String>>> {
    let mut case = template();
    if !text.is_empty() {
        read_into(&mut case, part, text).ok()?;
    }
    Some(fields_of(part).map(|field| (field.access.get)(&case)).collect())
}

fn read_into(case: &mut Case, part: usize, text: &str) -> Result<(), serde_json::Error> {
    match part {
        0 => case.allocator = serde_json::from_str(text)?,
        1 => case.estimates = serde_json::from_str(text)?,
        2 => case.machine = serde_json::from_str(text)?,
        3 => case.measure = serde_json::from_str(text)?,
        4 => case.memory = if text.is_empty() { None } else { serde_json::from_str(text)? },
        5 => case.passes = serde_json::from_str(text)?,
        6 => case.policy = serde_json::from_str(text)?,
        _ => case.workload = serde_json::from_str(text)?,
    }
    Ok(())
}

/// A case to read parts into. What a stored text leaves out is at its default.
fn template() -> Case {
    Case::of_source(Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 })
}

/// The fields that lie in a part, whole objects first.
pub(super) fn fields_of(part: usize) -> impl Iterator<Item = &'static Field> {
    // A whole object is called as its part.
    let whole = move |field: &&&'static Field| field.name == PARTS[part];
    let of = move |field: &&&'static Field| part_of(field) == part;
    let wholes = FIELDS.iter().filter(whole);
    wholes.chain(FIELDS.iter().filter(of).filter(move |field| !whole(field))).copied()
}

fn part_of(field: &Field) -> usize {
    let part = field.path.split('.').next().unwrap_or(field.path);
    PARTS.iter().position(|name| *name == part).unwrap_or(WORKLOAD)
}

/// Fields that are parts of the source.
const SOURCE: [&str; 5] = ["log", "source_mode", "file", "variant", "medium_offset"];

/// Whether a field is but a part of the object of the same name as its part: it says nothing that the object does not.
pub(super) fn is_inside(field: &Field, part: usize) -> bool {
    match PARTS[part] {
        "workload" => SOURCE.contains(&field.name),
        "measure" => false,
        whole => field.name != whole,
    }
}

/// The run of a stored text; a file has its content's hash for a path.
pub(super) fn stored_spec(text: &str) -> Result<RunSpec, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::run_key::spec_text;
    use sim::{AllocatorSpec, EstimateSource, MachineSpec, Passes, PolicySpec};
    use workload::{Load, LoadBy, LoadMeasure};

    fn cases() -> [Case; 2] {
        let mut other = template();
        other.machine = MachineSpec::Tree { arity: 4, levels: 2, installed: Some(9) };
        other.policy = PolicySpec::Easy { overrun: Default::default(), shadow: Default::default() };
        other.allocator = AllocatorSpec::Contiguous { relax: 1 };
        other.passes = Passes::PerEvent;
        other.estimates = EstimateSource::Actual;
        other.memory = Some(sim::MemorySpec::default());
        other.measure.bound_s = 60.0;
        other.workload.source = Source::Log { name: "a\",{\"b".to_owned(), mode: workload::Mode::Trace };
        other.workload.jobs = Some(7);
        other.workload.speedup = 0.5;
        other.workload.load = Some(Load { target: 0.7, by: LoadBy::RunTimes, measure: LoadMeasure::Offered });
        [template(), other]
    }

    #[test]
    fn stored_texts_come_apart_into_the_texts_of_the_parts() {
        for case in cases() {
            let spec = RunSpec { case: case.clone().into(), replication: 3, seed: 18 };
            let text = spec_text(&spec, None).unwrap();
            let found = SpecParts::of_text(&text).unwrap();
            let parts: Vec<_> = (0..PARTS.len()).map(|part| part_text(&case, part).unwrap()).collect();
            assert_eq!(found.parts.as_slice(), parts.as_slice());
            assert_eq!((found.replication, found.seed), (3, 18));
            let case_text = canonical::text(&case).unwrap();
            assert_eq!(split(&text), Some((case_text.as_str(), 3, 18)));
            assert_eq!(stored_spec(&text).unwrap(), spec);
        }
        for odd in ["", "{", "{}x", "{\"case\":{\"new\":1},\"replication\":0,\"seed\":0}", "{\"x\":1}"] {
            assert_eq!(SpecParts::of_text(odd), None, "{odd}");
            assert!(split(odd).is_none_or(|(case, ..)| case == "{\"new\":1}"));
        }
    }

    #[test]
    fn files_of_any_content_have_one_text() {
        let mut case = template();
        case.workload.source = Source::File { path: "a.swf".to_owned() };
        let spec = RunSpec { case: case.clone().into(), replication: 0, seed: 0 };
        let text = spec_text(&spec, Some([7; 32])).unwrap();
        assert!(text.contains(&format!("blake3:{}", "07".repeat(32))));
        let found = SpecParts::of_text(&text).unwrap();
        assert_eq!(found.parts[WORKLOAD], part_text(&case, WORKLOAD).unwrap());
    }

    #[test]
    fn every_field_lies_in_its_part() {
        let [plain, other] = cases();
        for field in FIELDS.iter() {
            let own = part_of(field);
            // With all other parts exchanged the field stays what it is.
            for (mine, theirs) in [(&plain, &other), (&other, &plain)] {
                let mut mixed = theirs.clone();
                read_into(&mut mixed, own, &part_text(mine, own).unwrap()).unwrap();
                assert_eq!((field.access.get)(&mixed), (field.access.get)(mine), "{}", field.name);
            }
        }
        let all: usize = (0..PARTS.len()).map(|part| fields_of(part).count()).sum();
        assert_eq!(all, FIELDS.len());
        let [_, other] = cases();
        let text = part_text(&other, 0).unwrap();
        let found: Vec<_> = values(0, &text).unwrap().into_iter().flatten().collect();
        assert_eq!(found, ["Contiguous(relax: 1)", "1"].map(crate::normal_form::normal_form));
    }
}
