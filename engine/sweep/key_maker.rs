//! Makes run keys, as fast as a grid can be walked: what neighbouring cases have in common is hashed once.

use crate::error::SweepError;
use crate::run_key::{by_content, frame, part_hash};
use crate::{Case, CaseKey, ContentHash, Fingerprint, Recorded, RunSpec, Task, canonical};
use serde::Serialize;
use sim::Speedup;
use std::collections::HashMap;
use std::fmt::{self, Write};
use workload::{
    Load, LoadBy, LoadMeasure, MemoryModel, Moldable, Parallelism, RequestedTime, Rules, Source, TraceDir,
    WorkloadSpec,
};

/// Finds the content hash of a source's log: `None` for generated workloads.
pub type ContentOf<'a> = dyn FnMut(&Source) -> Result<Option<ContentHash>, SweepError> + 'a;

/// Makes run keys, and remembers what cases of a grid have in common, so that a million keys take less than a second.
pub struct KeyMaker<'a> {
    content_of: Box<ContentOf<'a>>,
    contents: HashMap<String, Option<ContentHash>>,
    machine: Known<sim::MachineSpec>,
    policy: Known<sim::PolicySpec>,
    allocator: Known<sim::AllocatorSpec>,
    memory: Known<Option<sim::MemorySpec>>,
    passes: Known<sim::Passes>,
    estimates: Known<sim::EstimateSource>,
    measure: Known<sim::MeasureSpec>,
    source: Known<Source>,
    rules: Known<Rules>,
    memory_model: Known<Option<MemoryModel>>,
    frames: HashMap<[u32; PARTS], Frame>,
    /// The frame of the last case, which most often is that of the next one.
    last: Option<([u32; PARTS], Frame)>,
    rest: String,
}

/// Number of parts of a case.
const PARTS: usize = 10;

/// What all cases with the same parts share.
#[derive(Clone, Copy)]
struct Frame {
    hash: [u8; 32],
    content: Option<ContentHash>,
    model: Fingerprint,
}

impl<'a> KeyMaker<'a> {
    /// A key maker that asks `content_of` once per log.
    pub fn new(
        content_of: impl FnMut(&Source) -> Result<Option<ContentHash>, SweepError> + 'a,
    ) -> KeyMaker<'a> {
        KeyMaker {
            content_of: Box::new(content_of),
            contents: HashMap::new(),
            machine: Known::default(),
            policy: Known::default(),
            allocator: Known::default(),
            memory: Known::default(),
            passes: Known::default(),
            estimates: Known::default(),
            measure: Known::default(),
            source: Known::default(),
            rules: Known::default(),
            memory_model: Known::default(),
            frames: HashMap::new(),
            last: None,
            rest: String::new(),
        }
    }

    /// A key maker that finds logs in `traces`.
    pub fn with_traces(traces: &'a TraceDir) -> KeyMaker<'a> {
        KeyMaker::new(|source| Ok(workload::content_hash(source, traces)?))
    }

    /// The part of the key that all replications of a case share.
    ///
    /// # Errors
    /// Where the case's log cannot be read.
    pub fn case(&mut self, case: &Case) -> Result<CaseKey, SweepError> {
        let frame = self.frame(case)?;
        self.rest.clear();
        write_rest(&case.workload, &mut self.rest);
        Ok(CaseKey::of_frame(&frame.hash, &self.rest, frame.content, frame.model))
    }

    /// A run with its key.
    ///
    /// # Errors
    /// Where the case's log cannot be read.
    pub fn task(&mut self, spec: RunSpec) -> Result<Task, SweepError> {
        let case = self.case(&spec.case)?;
        Ok(Task {
            key: case.run(spec.replication, spec.seed),
            content: case.content,
            model: case.model,
            spec,
        })
    }

    fn frame(&mut self, case: &Case) -> Result<Frame, SweepError> {
        // Named one by one, so that a new field cannot be forgotten.
        let Case { machine, workload, policy, allocator, memory, passes, estimates, measure } = case;
        let plain = |name| move |text: &str| part_hash(name, text);
        let contents = &mut self.contents;
        let source = match self.source.last(&workload.source) {
            Some(known) => known,
            None => {
                let content = content(&workload.source, contents, &mut self.content_of)?;
                let named = by_content(&workload.source, content);
                self.source.find_as(&workload.source, &named, plain("workload.source"))?
            }
        };
        let parts = [
            self.allocator.find(allocator, plain("allocator"))?,
            self.estimates.find(estimates, plain("estimates"))?,
            self.machine.find(machine, plain("machine"))?,
            self.measure.find(measure, plain("measure"))?,
            self.memory.find(memory, plain("memory"))?,
            self.passes.find(passes, plain("passes"))?,
            self.policy.find(policy, plain("policy"))?,
            self.memory_model.find(&workload.memory, plain("workload.memory"))?,
            self.rules.find(&workload.rules, plain("workload.rules"))?,
            source,
        ];
        let ids = parts.map(|part| part.id);
        if let Some((last, frame)) = &self.last
            && *last == ids
        {
            return Ok(*frame);
        }
        let frame = match self.frames.get(&ids) {
            Some(frame) => *frame,
            None => {
                let content = content(&workload.source, contents, &mut self.content_of)?;
                let model = Fingerprint::of(case);
                // What is at its default is not written: unlimited memory, no memory model, the default rules.
                let skipped = [
                    (4, memory.is_none()),
                    (7, workload.memory.is_none()),
                    (8, workload.rules == Rules::default()),
                ];
                let written = (0..PARTS).filter(|at| !skipped.contains(&(*at, true)));
                let hashes: Vec<[u8; 32]> = written.map(|at| parts[at].hash).collect();
                let frame = Frame { hash: frame(&hashes, content, model), content, model };
                remember(&mut self.frames, ids, frame);
                frame
            }
        };
        self.last = Some((ids, frame));
        Ok(frame)
    }
}

/// The content hash of a source's log, which is asked for once.
fn content(
    source: &Source,
    contents: &mut HashMap<String, Option<ContentHash>>,
    content_of: &mut ContentOf<'_>,
) -> Result<Option<ContentHash>, SweepError> {
    let name = match Recorded::of(source) {
        Some(Recorded::Log(name)) => format!("log {name}"),
        Some(Recorded::File(path)) => format!("file {path}"),
        None => return Ok(None),
    };
    if let Some(known) = contents.get(&name) {
        return Ok(*known);
    }
    let content = content_of(source)?;
    contents.insert(name, content);
    Ok(content)
}

/// The canonical text of a workload without its memory model, source and rules; fields at their default are left out.
fn write_rest(workload: &WorkloadSpec, out: &mut String) {
    // Named one by one, so that a new field cannot be forgotten.
    let WorkloadSpec {
        source: _,
        rules: _,
        memory: _,
        jobs,
        speedup,
        scale_estimates,
        moldable,
        load,
        requested,
    } = workload;
    // Writing to a string cannot fail.
    let mut field = |name: &str, value: fmt::Arguments<'_>| {
        let comma = if out.is_empty() { '{' } else { ',' };
        let _ = write!(out, "{comma}\"{name}\":{value}");
    };
    if let Some(jobs) = jobs {
        field("jobs", format_args!("{jobs}"));
    }
    if let Some(Load { target, by, measure }) = load {
        let by = match by {
            LoadBy::Arrivals => "Arrivals",
            LoadBy::RunTimes => "RunTimes",
        };
        let measure = match measure {
            LoadMeasure::Offered => "",
            LoadMeasure::Effective => "\"measure\":\"Effective\",",
        };
        field("load", format_args!("{{\"by\":\"{by}\",{measure}\"target\":{:?}}}", target + 0.0));
    }
    if let Some(moldable) = moldable {
        field("moldable", format_args!("{}", moldable_text(moldable)));
    }
    match requested {
        RequestedTime::AsGiven => {}
        RequestedTime::A(percent) => field("requested", format_args!("{{\"A\":{percent}}}")),
        RequestedTime::B => field("requested", format_args!("\"B\"")),
    }
    if !scale_estimates {
        field("scale_estimates", format_args!("false"));
    }
    if *speedup != 0.0 {
        field("speedup", format_args!("{speedup:?}"));
    }
    out.push_str(if out.is_empty() { "{}" } else { "}" });
}

/// The canonical text of how jobs are moldable.
fn moldable_text(moldable: &Moldable) -> String {
    match moldable {
        Moldable::Downey { parallelism, sigma_max } => {
            let parallelism = match parallelism {
                Parallelism::System => "\"System\"".to_owned(),
                Parallelism::OfRequest { low, high } => {
                    format!("{{\"OfRequest\":{{\"high\":{:?},\"low\":{:?}}}}}", high + 0.0, low + 0.0)
                }
            };
            let sigma_max = sigma_max + 0.0;
            format!("{{\"Downey\":{{\"parallelism\":{parallelism},\"sigma_max\":{sigma_max:?}}}}}")
        }
        Moldable::Listed { speedups } => {
            let one = |speedup: &Speedup| {
                let Speedup { parallelism, sigma } = speedup;
                format!("{{\"parallelism\":{:?},\"sigma\":{:?}}}", parallelism + 0.0, sigma + 0.0)
            };
            let all: Vec<String> = speedups.iter().map(one).collect();
            format!("{{\"Listed\":{{\"speedups\":[{}]}}}}", all.join(","))
        }
    }
}

/// A value of a part that was met: a number that stands for it, and its hash.
#[derive(Clone, Copy)]
struct Part {
    id: u32,
    hash: [u8; 32],
}

/// The values of one part that were met.
struct Known<T> {
    last: Option<(T, Part)>,
    /// By their JSON.
    all: HashMap<Vec<u8>, Part>,
    next: u32,
    buffer: Vec<u8>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known { last: None, all: HashMap::new(), next: 0, buffer: Vec::new() }
    }
}

/// How much of each kind is remembered: more than a long axis has, and a few megabytes at most.
const REMEMBERED: usize = 1 << 14;

fn remember<K: Eq + std::hash::Hash, V>(map: &mut HashMap<K, V>, key: K, value: V) {
    if map.len() >= REMEMBERED {
        map.clear();
    }
    map.insert(key, value);
}

impl<T: Clone + PartialEq + Serialize> Known<T> {
    fn last(&self, value: &T) -> Option<Part> {
        self.last.as_ref().filter(|(last, _)| last == value).map(|(_, part)| *part)
    }

    fn find(&mut self, value: &T, hash: impl FnOnce(&str) -> [u8; 32]) -> Result<Part, SweepError> {
        match self.last(value) {
            Some(part) => Ok(part),
            None => self.find_as(value, value, hash),
        }
    }

    /// Finds a value that is hashed as `named`.
    fn find_as(
        &mut self,
        value: &T,
        named: &T,
        hash: impl FnOnce(&str) -> [u8; 32],
    ) -> Result<Part, SweepError> {
        let failed = |source| SweepError::Canonical { source };
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, named).map_err(failed)?;
        let part = match self.all.get(&self.buffer) {
            Some(part) => *part,
            None => {
                let part = Part { id: self.next, hash: hash(&canonical::text(named).map_err(failed)?) };
                // Numbers are never used again, so what was forgotten cannot be mistaken for something new.
                self.next += 1;
                remember(&mut self.all, self.buffer.clone(), part);
                part
            }
        };
        self.last = Some((value.clone(), part));
        Ok(part)
    }
}

#[cfg(test)]
#[path = "key_maker_tests.rs"]
mod tests;
