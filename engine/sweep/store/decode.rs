//! Reading a segment: nothing in it is believed before its checksum is.

use super::row::{Checksum, StoredRun};
use super::segment::{KEY_CHECKSUM, KEY_GROUP_METRICS, KEY_METRICS, KEY_VERSION, VERSION, schema};
use crate::RunKey;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, ListArray, RecordBatch};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sim::Outcome;
use sim::metrics::{GroupMetrics, Metrics};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a segment cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Defect {
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

fn corrupt(reason: impl fmt::Display) -> Defect {
    Defect::Corrupt(reason.to_string())
}

/// Calls `visit` for every row, in order. Only if the result is `Ok` may the rows be used.
pub(super) fn decode(bytes: Bytes, visit: &mut dyn FnMut(StoredRun)) -> Result<(), Defect> {
    // The decoder is not ours: whatever odd bytes make it do must not end the sweep.
    match catch_unwind(AssertUnwindSafe(|| decode_trusting(bytes, visit))) {
        Ok(result) => result,
        Err(_) => Err(corrupt("it cannot be decoded")),
    }
}

fn decode_trusting(bytes: Bytes, visit: &mut dyn FnMut(StoredRun)) -> Result<(), Defect> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(corrupt)?;
    let metadata = reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let value = |key: &str| {
        let found = metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone());
        found.ok_or_else(|| corrupt(format!("it lacks the metadata `{key}`")))
    };
    match value(KEY_VERSION)?.parse::<u32>() {
        Ok(VERSION) => {}
        Ok(version) if version > VERSION => return Err(Defect::Newer(version)),
        _ => return Err(corrupt("its format version is unknown")),
    }
    if reader.schema().fields() != schema().fields() {
        return Err(corrupt("its columns are not those of a segment"));
    }
    let (metrics, group_metrics) = (value(KEY_METRICS)?, value(KEY_GROUP_METRICS)?);
    let metrics_at = positions(Metrics::NAMES, &metrics);
    let groups_at = positions(GroupMetrics::NAMES, &group_metrics);
    let mut checksum = Checksum::new(&metrics, &group_metrics);
    for batch in reader.build().map_err(corrupt)? {
        let batch = batch.map_err(corrupt)?;
        let columns = Columns::of(&batch)?;
        for row in 0..batch.num_rows() {
            let mut run = columns.run(row)?;
            checksum.add(&run);
            rename(&mut run, &metrics_at, &groups_at);
            visit(run);
        }
    }
    if checksum.finish() != value(KEY_CHECKSUM)? {
        return Err(corrupt("its checksum does not match its rows"));
    }
    Ok(())
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
        let [key, spec, content, model, cost_class, status, message, wall_s, metrics, groups] =
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
        let result = match self.status.value(row) {
            "ok" => Ok(Outcome {
                metrics: Metrics(values(&self.metrics.value(row))),
                groups: groups(&self.groups.value(row)),
            }),
            "failed" => Err(self.message.value(row).to_owned()),
            other => return Err(corrupt(format!("it holds a run with the unknown status `{other}`"))),
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

fn hash(column: &FixedSizeBinaryArray, row: usize) -> Result<[u8; 32], Defect> {
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
