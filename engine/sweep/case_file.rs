//! A lone case: the `base` of an experiment, or the CASE.ron of `simulate`.

use crate::axis::Axis;
use crate::check;
use crate::field;
use crate::grid_plan::take;
use crate::problem::{Problem, Problems};
use crate::ron_text::Written;
use crate::run_spec::Case;
use ron::value::RawValue;
use serde::{Deserialize, Deserializer};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, MeasureSpec, MemorySpec, Passes, PolicySpec};
use std::path::Path;
use workload::{Source, WorkloadSpec};

/// A case whose workload may be left to the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseFile {
    /// The machine.
    pub machine: MachineSpec,
    /// The workload, where the file gives one.
    pub workload: Option<WorkloadSpec>,
    /// The policy.
    pub policy: PolicySpec,
    /// The allocator.
    pub allocator: AllocatorSpec,
    /// The memory of every node, where it is limited.
    pub memory: Option<MemorySpec>,
    /// Passes per instant.
    pub passes: Passes,
    /// The estimates that policies see.
    pub estimates: EstimateSource,
    /// What is measured.
    pub measure: MeasureSpec,
}

impl CaseFile {
    /// The case with the file's own workload; `None` where it has none.
    pub fn into_case(self) -> Option<Case> {
        let workload = self.workload.clone()?;
        Some(self.with_workload(workload))
    }

    /// The case on jobs from elsewhere; the file's rules, speed-up and load still apply.
    pub fn with_source(self, source: Source) -> Case {
        let workload = match self.workload.clone() {
            Some(workload) => WorkloadSpec { source, ..workload },
            None => WorkloadSpec::new(source),
        };
        self.with_workload(workload)
    }

    fn with_workload(self, workload: WorkloadSpec) -> Case {
        let CaseFile { machine, policy, allocator, memory, passes, estimates, measure, .. } = self;
        Case { machine, workload, policy, allocator, memory, passes, estimates, measure }
    }
}

/// Reads a file with one case.
///
/// # Errors
/// Everything wrong with it, with places.
pub fn load_case(path: &Path) -> Result<CaseFile, Problems> {
    let name = path.display().to_string();
    parse_case(&name, &read_text(path)?)
}

/// Reads one case from a text; `name` is used in problems.
///
/// # Errors
/// Everything wrong with it, with places.
pub fn parse_case(name: &str, text: &str) -> Result<CaseFile, Problems> {
    let written = Written::whole(name, text);
    let mut problems = Vec::new();
    let fields = take(case_fields(&written), &mut problems);
    let case =
        fields.and_then(|fields| CaseParts::read(&fields, &written, &mut problems)).map(|parts| parts.case);
    if let Some(case) = case.as_ref().and_then(|case| case.clone().into_case()) {
        let fault = check::combination(&case);
        problems.extend(fault.map(|fault| written.problem(fault.message).with_help(fault.help.into_owned())));
    }
    match case {
        Some(case) if problems.is_empty() => Ok(case),
        _ => Err(Problems(problems)),
    }
}

/// A file's text.
///
/// # Errors
/// A missing or unreadable file, a directory, bytes that are no UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, Problems> {
    let name = path.display().to_string();
    let problem = |message: String| Problems(vec![Written::whole(&name, "").problem(message)]);
    if path.is_dir() {
        return Err(problem("this is a directory, not an experiment file".into()));
    }
    let bytes = std::fs::read(path).map_err(|error| problem(format!("cannot read the file: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let end = valid + text.get(valid..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Problems(vec![Written::whole(&name, &text).part(valid..end).problem("this is not valid UTF-8")])
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase<'a> {
    #[serde(borrow, default)]
    machine: Option<&'a RawValue>,
    #[serde(borrow, default)]
    workload: Option<&'a RawValue>,
    #[serde(borrow, default)]
    policy: Option<&'a RawValue>,
    #[serde(borrow, default)]
    allocator: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    memory: Option<&'a RawValue>,
    #[serde(borrow, default)]
    passes: Option<&'a RawValue>,
    #[serde(borrow, default)]
    estimates: Option<&'a RawValue>,
    #[serde(borrow, default)]
    measure: Option<&'a RawValue>,
}

/// A field that may be `None` is written down all the same: that takes back what an included file says of it.
fn present<'de, D: Deserializer<'de>>(written: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(written).map(Some)
}

/// The fields of a case as they are written.
pub(crate) fn case_fields(written: &Written) -> Result<Vec<(&'static str, Written)>, Problem> {
    let raw: RawCase<'_> = written.read()?;
    let fields = [
        ("machine", raw.machine),
        ("workload", raw.workload),
        ("policy", raw.policy),
        ("allocator", raw.allocator),
        ("memory", raw.memory),
        ("passes", raw.passes),
        ("estimates", raw.estimates),
        ("measure", raw.measure),
    ];
    Ok(fields.into_iter().filter_map(|(name, raw)| Some((name, written.place(raw?)))).collect())
}

/// The one part of a workload that is looked at as text too.
#[derive(Deserialize)]
struct RawWorkload<'a> {
    #[serde(borrow, default)]
    source: Option<&'a RawValue>,
}

/// A case with its fields as they are written.
#[derive(Debug)]
pub(crate) struct CaseParts {
    pub(crate) case: CaseFile,
    /// Machine, policy, allocator and source, each with its one value.
    pub(crate) objects: Vec<Axis>,
}

impl CaseParts {
    /// Reads a case from its fields; `None` where there were problems, which are added to `problems`. `place` is where a
    /// missing field is missed.
    pub(crate) fn read(
        fields: &[(&'static str, Written)],
        place: &Written,
        problems: &mut Vec<Problem>,
    ) -> Option<CaseParts> {
        let before = problems.len();
        let part = |wanted: &str| {
            fields.iter().find(|(name, _)| *name == wanted).map(|(_, written)| written.clone())
        };
        for required in ["machine", "policy"] {
            if part(required).is_none() {
                let end = place.text().len();
                let end = place.part(end.saturating_sub(1)..end);
                problems.push(end.problem(format!("field `{required}` is missing in a case")));
            }
        }
        let (workload, measure) = (part("workload"), part("measure"));
        let mut case = blank();
        if let Some(written) = &workload {
            case.workload = take(written.read(), problems).unwrap_or(case.workload);
        }
        if let Some(written) = &measure {
            case.measure = take(written.read(), problems).unwrap_or(case.measure);
        }
        let parts = [
            ("machine", part("machine")),
            ("policy", part("policy")),
            ("allocator", part("allocator")),
            ("memory", part("memory")),
            ("passes", part("passes")),
            ("estimates", part("estimates")),
            ("source", workload.as_ref().and_then(source_of)),
        ];
        let mut objects = Vec::new();
        for (name, written) in parts {
            if let (Some(field), Some(written)) = (field::find(name), written) {
                let read = Axis::single(field, &written, &written);
                objects.extend(read.map_err(|found| add_new(found, problems)).ok());
            }
        }
        for value in objects.iter().flat_map(|axis| &axis.choices) {
            // Whole objects exist in every case.
            let _always_there = (value.value.apply)(&mut case);
        }
        for (field, message) in check::values(&case) {
            let part = match field {
                "workload" => workload.as_ref(),
                "measure" => measure.as_ref(),
                // Machine, memory and policy were checked as fields.
                _ => None,
            };
            if let Some(part) = part.filter(|_| problems.len() == before) {
                problems.push(part.problem(message));
            }
        }
        (problems.len() == before).then(|| {
            let Case { machine, workload: jobs, policy, allocator, memory, passes, estimates, measure } =
                case;
            let workload = workload.map(|_| jobs);
            let case = CaseFile { machine, workload, policy, allocator, memory, passes, estimates, measure };
            CaseParts { case, objects }
        })
    }
}

/// A source that is broken has been reported with its workload already.
fn add_new(found: Vec<Problem>, problems: &mut Vec<Problem>) {
    for problem in found {
        if !problems.iter().any(|old| old.span == problem.span) {
            problems.push(problem);
        }
    }
}

fn source_of(workload: &Written) -> Option<Written> {
    let raw: RawWorkload<'_> = workload.read().ok()?;
    raw.source.map(|raw| workload.place(raw))
}

/// Where the reading starts: everything required is overwritten, everything else is at its default.
fn blank() -> Case {
    Case::of_source(Source::File { path: String::new() })
}
