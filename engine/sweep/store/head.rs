//! What tells which run a row is of, without what came out of it.

use super::Status;
use super::decode::{Defect, corrupt, guarded, hash, open, status};
use super::row::StoredRun;
use super::segment::{VERSION, schema};
use crate::RunKey;
use crate::run_key::ContentHash;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;

/// A stored run without its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredHead<'r> {
    /// Its key.
    pub key: RunKey,
    /// Canonical JSON of its specification.
    pub spec: &'r str,
    /// Content hash of its log; none for generated workloads.
    pub content: Option<ContentHash>,
    /// Fingerprint of the model that ran it.
    pub model: [u8; 32],
    /// Its message, where it failed.
    pub failure: Option<&'r str>,
}

impl StoredRun {
    /// The run without its outcome.
    pub fn head(&self) -> StoredHead<'_> {
        let failure = self.result.as_ref().err().map(String::as_str);
        StoredHead { key: self.key, spec: &self.spec, content: self.content, model: self.model, failure }
    }
}

/// The columns that are decoded; every format has them.
const COLUMNS: [&str; 6] = ["key", "spec", "content", "model", "status", "message"];

/// Calls `visit` for every row, in order. The bytes must be those that the segment's name promises: the checksum is not looked
/// at. Only if the result is `Ok` may the rows be used.
pub(super) fn heads(bytes: Bytes, visit: &mut dyn FnMut(StoredHead<'_>)) -> Result<(), Defect> {
    guarded(|| {
        let (reader, _) = open(bytes)?;
        let all = schema(VERSION);
        let roots = COLUMNS.iter().filter_map(|name| all.index_of(name).ok());
        let mask = ProjectionMask::roots(reader.parquet_schema(), roots);
        for batch in reader.with_projection(mask).with_batch_size(8192).build().map_err(corrupt)? {
            rows(&batch.map_err(corrupt)?, visit)?;
        }
        Ok(())
    })
}

fn rows(batch: &RecordBatch, visit: &mut dyn FnMut(StoredHead<'_>)) -> Result<(), Defect> {
    let column = |name: &str| {
        batch.column_by_name(name).ok_or_else(|| corrupt("its columns are not those of a segment"))
    };
    let [keys, contents, models] = [column("key")?, column("content")?, column("model")?];
    let [keys, contents, models] = [keys, contents, models].map(|column| column.as_fixed_size_binary());
    let [specs, statuses, messages] = [column("spec")?, column("status")?, column("message")?];
    let [specs, statuses, messages] = [specs, statuses, messages].map(|column| column.as_string::<i32>());
    for row in 0..batch.num_rows() {
        let failure = match status(statuses.value(row))? {
            Status::Ok => None,
            Status::Failed => Some(messages.value(row)),
        };
        visit(StoredHead {
            key: RunKey(hash(keys, row)?),
            spec: specs.value(row),
            content: if contents.is_null(row) { None } else { Some(hash(contents, row)?) },
            model: hash(models, row)?,
            failure,
        });
    }
    Ok(())
}
