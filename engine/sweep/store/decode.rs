//! Reading a segment: nothing in it is believed before its checksum is.

use super::Status;
use super::row::{Checksum, StoredRun};
use super::segment::{
    KEY_BUILD, KEY_CHECKSUM, KEY_FAMILIES, KEY_GROUP_METRICS, KEY_HOST, KEY_METRICS, KEY_RESTAMPED,
    KEY_VERSION, Origin, VERSION, schema,
};
use crate::RunKey;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, ListArray, RecordBatch};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sim::Outcome;
use sim::metrics::{GroupMetrics, Metrics};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a segment cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It is no segment of this store, or not all of it is there, or it was altered.
    Corrupt(String),
    /// A later version of this program wrote it: sound, but not readable here.
    Newer(u32),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Corrupt(reason) => f.write_str(reason),
            Defect::Newer(version) => {
                write!(f, "a later version of this program wrote it (format {version})")
            }
        }
    }
}

pub(super) fn corrupt(reason: impl fmt::Display) -> Defect {
    Defect::Corrupt(reason.to_string())
}

/// What the index keeps of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Indexed {
    pub key: RunKey,
    pub status: Status,
    pub payload: [u8; 16],
    pub cost_class: u64,
    pub wall_s: f64,
    /// Of runs that came to an end.
    pub jobs: Option<f64>,
}

/// A segment's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub format: u32,
    pub origin: Origin,
    /// The host that wrote it; empty in format 1.
    pub host: String,
    checksum: String,
}

/// The rows of a segment, with metrics as this build names them. Never panics, whatever the bytes are.
///
/// # Errors
/// The bytes are not those of a segment, not all of them are there, they were altered, or a later version wrote them.
pub fn read_segment(bytes: &[u8]) -> Result<Vec<StoredRun>, Defect> {
    let mut rows = Vec::new();
    decode(Bytes::copy_from_slice(bytes), &mut |run| rows.push(run))?;
    Ok(rows)
}

/// Calls `visit` for every row, in order, with metrics as this build names them. Only if the result is `Ok` may the rows be used.
pub(super) fn decode(bytes: Bytes, visit: &mut dyn FnMut(StoredRun)) -> Result<Header, Defect> {
    guarded(|| {
        let (reader, header) = open(bytes)?;
        let metrics_at = positions(Metrics::NAMES, &header.origin.metrics);
        let groups_at = positions(GroupMetrics::NAMES, &header.origin.group_metrics);
        rows(reader, &header, &mut |mut run, _| {
            rename(&mut run, &metrics_at, &groups_at);
            visit(run);
        })?;
        Ok(header)
    })
}

/// Calls `visit` for every row, in order, with metrics as they were written. Only if the result is `Ok` may the rows be used.
pub(super) fn decode_as_written(bytes: Bytes, visit: &mut dyn FnMut(StoredRun)) -> Result<Header, Defect> {
    guarded(|| {
        let (reader, header) = open(bytes)?;
        rows(reader, &header, &mut |run, _| visit(run))?;
        Ok(header)
    })
}

/// A segment's metadata and how many rows it says it has. The rows are not looked at.
pub(super) fn header(bytes: Bytes) -> Result<(Header, usize), Defect> {
    guarded(|| {
        let (reader, header) = open(bytes)?;
        let rows = reader.metadata().file_metadata().num_rows();
        Ok((header, usize::try_from(rows).map_err(corrupt)?))
    })
}

/// Calls `visit` for what the index needs of every row, in order, and decodes no more than that. The bytes must be those that the
/// segment's name promises: the checksum is not looked at, except in format 1, which has to be decoded whole. Only if the result is
/// `Ok` may the rows be used.
pub(super) fn index(bytes: Bytes, visit: &mut dyn FnMut(Indexed)) -> Result<Header, Defect> {
    guarded(|| {
        let (reader, header) = open(bytes)?;
        let jobs_at = header.origin.jobs_at();
        if header.format == 1 {
            rows(reader, &header, &mut |run, payload| {
                visit(Indexed {
                    key: run.key,
                    status: run.status(),
                    payload,
                    cost_class: run.cost_class,
                    wall_s: run.wall_s,
                    jobs: run.metric(jobs_at),
                });
            })?;
        } else {
            narrow_rows(reader, visit)?;
        }
        Ok(header)
    })
}

/// The decoder is not ours: whatever odd bytes make it do must not end the sweep.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Defect>) -> Result<T, Defect> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(corrupt("it cannot be decoded")))
}

pub(super) type Reader = ParquetRecordBatchReaderBuilder<Bytes>;

/// A decoder for these bytes, whose columns are those of a segment.
pub(super) fn open(bytes: Bytes) -> Result<(Reader, Header), Defect> {
    let reader = Reader::try_new(bytes).map_err(corrupt)?;
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let found = |key: &str| {
        let pair = metadata.into_iter().flatten().find(|pair| pair.key == key);
        pair.and_then(|pair| pair.value.clone())
    };
    let value = |key: &str| found(key).ok_or_else(|| corrupt(format!("it lacks the metadata `{key}`")));
    let format = match value(KEY_VERSION)?.parse::<u32>() {
        Ok(format @ 1..=VERSION) => format,
        Ok(version) if version > VERSION => return Err(Defect::Newer(version)),
        _ => return Err(corrupt("its format version is unknown")),
    };
    if reader.schema().fields() != schema(format).fields() {
        return Err(corrupt("its columns are not those of a segment"));
    }
    let (metrics, group_metrics, checksum) =
        (value(KEY_METRICS)?, value(KEY_GROUP_METRICS)?, value(KEY_CHECKSUM)?);
    let (build, families, host) = if format == 1 {
        (found(KEY_BUILD).unwrap_or_default(), String::new(), String::new())
    } else {
        (value(KEY_BUILD)?, value(KEY_FAMILIES)?, value(KEY_HOST)?)
    };
    let restamped_from = found(KEY_RESTAMPED);
    let origin = Origin { build, families, metrics, group_metrics, restamped_from };
    Ok((reader, Header { format, origin, host, checksum }))
}

/// Calls `visit` with every row as it was written and the hash of its result, and compares everything with the checksum.
fn rows(reader: Reader, header: &Header, visit: &mut dyn FnMut(StoredRun, [u8; 16])) -> Result<(), Defect> {
    let mut checksum = Checksum::new(header.format, &header.origin, &header.host);
    let jobs_at = header.origin.jobs_at();
    for batch in reader.build().map_err(corrupt)? {
        let batch = batch.map_err(corrupt)?;
        let columns = Columns::of(&batch)?;
        let narrow = (header.format > 1).then(|| NarrowColumns::of(&batch)).transpose()?;
        for row in 0..batch.num_rows() {
            let run = columns.run(row)?;
            checksum.add(&run);
            let payload = run.payload();
            if let Some(narrow) = &narrow {
                let told = narrow.row(row)?;
                let jobs = run.metric(jobs_at).map(f64::to_bits);
                if told.payload != payload || told.jobs.map(f64::to_bits) != jobs {
                    return Err(corrupt("a row is not what it says in short"));
                }
            }
            visit(run, payload);
        }
    }
    if checksum.finish() != header.checksum {
        return Err(corrupt("its checksum does not match its rows"));
    }
    Ok(())
}

/// Calls `visit` with what the index needs of every row.
fn narrow_rows(reader: Reader, visit: &mut dyn FnMut(Indexed)) -> Result<(), Defect> {
    let wanted = schema(VERSION);
    let roots = NARROW.iter().filter_map(|name| wanted.index_of(name).ok());
    let mask = ProjectionMask::roots(reader.parquet_schema(), roots);
    for batch in reader.with_projection(mask).with_batch_size(8192).build().map_err(corrupt)? {
        let batch = batch.map_err(corrupt)?;
        let columns = NarrowColumns::of(&batch)?;
        for row in 0..batch.num_rows() {
            visit(columns.row(row)?);
        }
    }
    Ok(())
}

/// The columns that opening a store decodes.
const NARROW: [&str; 6] = ["key", "cost_class", "status", "wall_s", "payload", "jobs"];

/// The columns that opening a store decodes, typed; the schema has been compared before.
struct NarrowColumns<'a> {
    key: &'a FixedSizeBinaryArray,
    cost_class: &'a arrow_array::UInt64Array,
    status: &'a arrow_array::StringArray,
    wall_s: &'a arrow_array::Float64Array,
    payload: &'a FixedSizeBinaryArray,
    jobs: &'a arrow_array::Float64Array,
}

impl<'a> NarrowColumns<'a> {
    fn of(batch: &'a RecordBatch) -> Result<NarrowColumns<'a>, Defect> {
        let column = |name: &str| {
            batch.column_by_name(name).ok_or_else(|| corrupt("its columns are not those of a segment"))
        };
        Ok(NarrowColumns {
            key: column("key")?.as_fixed_size_binary(),
            cost_class: column("cost_class")?.as_primitive::<UInt64Type>(),
            status: column("status")?.as_string(),
            wall_s: column("wall_s")?.as_primitive::<Float64Type>(),
            payload: column("payload")?.as_fixed_size_binary(),
            jobs: column("jobs")?.as_primitive::<Float64Type>(),
        })
    }

    fn row(&self, row: usize) -> Result<Indexed, Defect> {
        Ok(Indexed {
            key: RunKey(hash(self.key, row)?),
            status: status(self.status.value(row))?,
            payload: self.payload.value(row).try_into().map_err(corrupt)?,
            cost_class: self.cost_class.value(row),
            wall_s: self.wall_s.value(row),
            jobs: self.jobs.is_valid(row).then(|| self.jobs.value(row)),
        })
    }
}

pub(super) fn status(text: &str) -> Result<Status, Defect> {
    match text {
        "ok" => Ok(Status::Ok),
        "failed" => Ok(Status::Failed),
        other => Err(corrupt(format!("it holds a run with the unknown status `{other}`"))),
    }
}

/// Where each of `wanted` stands among the `written` names; `None` where all stand in place.
fn positions(wanted: &[&str], written: &str) -> Option<Vec<Option<usize>>> {
    let written: Vec<&str> = written.split(',').collect();
    (written != wanted)
        .then(|| wanted.iter().map(|name| written.iter().position(|other| other == name)).collect())
}

/// Puts the values where this build expects them; what was not measured then is missing now.
fn rename(
    run: &mut StoredRun,
    metrics_at: &Option<Vec<Option<usize>>>,
    groups_at: &Option<Vec<Option<usize>>>,
) {
    let pick = |values: &[Option<f64>], at: &[Option<usize>]| -> Vec<Option<f64>> {
        at.iter().map(|at| at.and_then(|at| values.get(at).copied().flatten())).collect()
    };
    let Ok(outcome) = &mut run.result else { return };
    if let Some(at) = metrics_at {
        outcome.metrics = Metrics(pick(&outcome.metrics.0, at));
    }
    if let Some(at) = groups_at {
        outcome.groups.iter_mut().for_each(|group| group.values = pick(&group.values, at));
    }
}

/// The columns of one batch, typed; the schema has been compared before.
struct Columns<'a> {
    key: &'a FixedSizeBinaryArray,
    spec: &'a arrow_array::StringArray,
    content: &'a FixedSizeBinaryArray,
    model: &'a FixedSizeBinaryArray,
    cost_class: &'a arrow_array::UInt64Array,
    status: &'a arrow_array::StringArray,
    message: &'a arrow_array::StringArray,
    wall_s: &'a arrow_array::Float64Array,
    metrics: &'a ListArray,
    groups: &'a ListArray,
}

impl<'a> Columns<'a> {
    fn of(batch: &'a RecordBatch) -> Result<Columns<'a>, Defect> {
        let [key, spec, content, model, cost_class, status, message, wall_s, metrics, groups, ..] =
            batch.columns()
        else {
            return Err(corrupt("its columns are not those of a segment"));
        };
        Ok(Columns {
            key: key.as_fixed_size_binary(),
            spec: spec.as_string(),
            content: content.as_fixed_size_binary(),
            model: model.as_fixed_size_binary(),
            cost_class: cost_class.as_primitive::<UInt64Type>(),
            status: status.as_string(),
            message: message.as_string(),
            wall_s: wall_s.as_primitive::<Float64Type>(),
            metrics: metrics.as_list(),
            groups: groups.as_list(),
        })
    }

    fn run(&self, row: usize) -> Result<StoredRun, Defect> {
        let result = match status(self.status.value(row))? {
            Status::Ok => Ok(Outcome {
                metrics: Metrics(values(&self.metrics.value(row))),
                groups: groups(&self.groups.value(row)),
            }),
            Status::Failed => Err(self.message.value(row).to_owned()),
        };
        Ok(StoredRun {
            key: RunKey(hash(self.key, row)?),
            spec: self.spec.value(row).to_owned(),
            content: if self.content.is_null(row) { None } else { Some(hash(self.content, row)?) },
            model: hash(self.model, row)?,
            cost_class: self.cost_class.value(row),
            result,
            wall_s: self.wall_s.value(row),
        })
    }
}

pub(super) fn hash(column: &FixedSizeBinaryArray, row: usize) -> Result<[u8; 32], Defect> {
    column.value(row).try_into().map_err(corrupt)
}

fn values(list: &ArrayRef) -> Vec<Option<f64>> {
    list.as_primitive::<Float64Type>().iter().collect()
}

fn groups(list: &ArrayRef) -> Vec<GroupMetrics> {
    let items = list.as_struct();
    let (grouping, group) = (items.column(0).as_string::<i32>(), items.column(1).as_string::<i32>());
    let lists = items.column(2).as_list::<i32>();
    (0..items.len())
        .map(|at| GroupMetrics {
            grouping: grouping.value(at).to_owned(),
            group: group.value(at).to_owned(),
            values: values(&lists.value(at)),
        })
        .collect()
}
