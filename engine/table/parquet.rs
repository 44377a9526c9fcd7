//! Tables as Parquet files that DuckDB, Polars, pandas and R read alike.
//!
//! Text is plain UTF-8 with Parquet's dictionary encoding (no Arrow dictionary type), numbers are doubles and 64-bit integers,
//! every column is nullable. Equal tables give equal bytes: no time, no host, and a fixed writer name.

use crate::error::TableError;
use crate::frame::{CellType, Cells, Column, Frame};
use crate::pending_file::{PendingFile, SealedFile, io_error};
use crate::schema::SCHEMA_VERSION;
use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use ::parquet::arrow::arrow_writer::ArrowWriterOptions;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::schema::types::ColumnPath;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Rows per row group: what DuckDB scans in parallel units of.
pub const ROWS_PER_GROUP: usize = 122_880;

/// The metadata key of the schema version.
const VERSION_KEY: &str = "schema_version";

/// The writer's name in the file: without a version, so that a new build writes the same bytes.
const CREATED_BY: &str = "backsweep";

impl Frame {
    /// Writes the table to a Parquet file, which appears whole or not at all. Metadata goes into the file's key-value
    /// metadata, with the schema version added. The table is checked first, under the rules of [`Frame::from_columns`].
    pub fn write_parquet(&self, path: &Path) -> Result<(), TableError> {
        self.stage_parquet(path)?.commit()
    }

    /// As [`Frame::write_parquet`], but the file gets its name only when it is committed.
    pub fn stage_parquet(&self, path: &Path) -> Result<SealedFile, TableError> {
        let mut checked = self.clone();
        checked.validate()?;
        if checked.columns.is_empty() {
            return Err(TableError::NoColumns { path: path.to_owned() });
        }
        let pending = PendingFile::create(path)?;
        let pending = encode(&checked, pending).map_err(parquet_error("write", path))?;
        pending.seal()
    }

    /// Reads a table that [`Frame::write_parquet`] wrote. The schema version is checked and not put into the metadata.
    pub fn read_parquet(path: &Path) -> Result<Frame, TableError> {
        let file = File::open(path).map_err(io_error("read", path))?;
        let failed = parquet_error("read", path);
        // The file's own types decide, not a hint that some Arrow writer has left in it.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder =
            ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(&failed)?;
        let pairs = builder.metadata().file_metadata().key_value_metadata();
        let metadata = read_metadata(pairs.map_or(&[][..], Vec::as_slice), path)?;
        let mut columns = empty_columns(builder.schema(), path)?;
        let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        let mut texts = HashSet::new();
        for batch in builder.with_batch_size(rows.clamp(1, ROWS_PER_GROUP)).build().map_err(&failed)? {
            let batch = batch.map_err(|error| failed(ParquetError::from(error)))?;
            for (column, array) in columns.iter_mut().zip(batch.columns()) {
                extend(&mut column.cells, array, &mut texts);
            }
        }
        let mut frame = Frame { columns, metadata };
        frame
            .validate()
            .map_err(|source| TableError::InvalidFile { path: path.to_owned(), source: Box::new(source) })?;
        Ok(frame)
    }
}

fn encode(frame: &Frame, pending: PendingFile) -> Result<PendingFile, ParquetError> {
    let fields: Vec<Field> =
        frame.columns.iter().map(|column| Field::new(&column.name, data_type(&column.cells), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let arrays = frame.columns.iter().map(|column| array(&column.cells)).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)?;
    let options =
        ArrowWriterOptions::new().with_properties(properties(frame)?).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(pending, schema, options)?;
    writer.write(&batch)?;
    writer.into_inner()
}

fn properties(frame: &Frame) -> Result<WriterProperties, ParquetError> {
    let mut metadata = frame.metadata.clone();
    metadata.insert(VERSION_KEY.to_owned(), SCHEMA_VERSION.to_string());
    let pairs = metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
        .set_key_value_metadata(Some(pairs))
        .set_dictionary_enabled(false);
    for column in frame.columns.iter().filter(|column| column.cells.cell_type() == CellType::Text) {
        let path = ColumnPath::new(vec![column.name.clone()]);
        properties = properties.set_column_dictionary_enabled(path, true);
    }
    Ok(properties.build())
}

fn data_type(cells: &Cells) -> DataType {
    match cells {
        Cells::Text(_) => DataType::Utf8,
        Cells::Real(_) => DataType::Float64,
        Cells::Int(_) => DataType::Int64,
        Cells::Flag(_) => DataType::Boolean,
    }
}

fn array(cells: &Cells) -> ArrayRef {
    match cells {
        Cells::Text(cells) => Arc::new(cells.iter().map(Option::as_deref).collect::<StringArray>()),
        Cells::Real(cells) => Arc::new(Float64Array::from(cells.clone())),
        Cells::Int(cells) => Arc::new(Int64Array::from(cells.clone())),
        Cells::Flag(cells) => Arc::new(BooleanArray::from(cells.clone())),
    }
}

fn read_metadata(pairs: &[KeyValue], path: &Path) -> Result<BTreeMap<String, String>, TableError> {
    let mut metadata: BTreeMap<String, String> =
        pairs.iter().filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
    let found = metadata.remove(VERSION_KEY);
    if found.as_deref() == Some(&SCHEMA_VERSION.to_string()) {
        return Ok(metadata);
    }
    let found = found.unwrap_or_else(|| "none".to_owned());
    Err(TableError::SchemaVersion { path: path.to_owned(), found, known: SCHEMA_VERSION })
}

fn empty_columns(schema: &Schema, path: &Path) -> Result<Vec<Column>, TableError> {
    schema
        .fields()
        .iter()
        .map(|field| {
            let cell_type = match field.data_type() {
                DataType::Utf8 => CellType::Text,
                DataType::Float64 => CellType::Real,
                DataType::Int64 => CellType::Int,
                DataType::Boolean => CellType::Flag,
                other => {
                    let (column, found) = (field.name().clone(), other.to_string());
                    return Err(TableError::ForeignType { path: path.to_owned(), column, found });
                }
            };
            Ok(Column { name: field.name().clone(), cells: Cells::missing(cell_type, 0) })
        })
        .collect()
}

/// Appends an array to cells of the type that [`empty_columns`] chose for it. Equal texts share one allocation.
fn extend(cells: &mut Cells, array: &ArrayRef, texts: &mut HashSet<Arc<str>>) {
    match cells {
        Cells::Text(cells) => {
            cells.extend(array.as_string::<i32>().iter().map(|text| Some(shared(text?, texts))))
        }
        Cells::Real(cells) => cells.extend(array.as_primitive::<Float64Type>().iter()),
        Cells::Int(cells) => cells.extend(array.as_primitive::<Int64Type>().iter()),
        Cells::Flag(cells) => cells.extend(array.as_boolean().iter()),
    }
    debug_assert!(cells.len() >= array.len());
}

fn shared(text: &str, texts: &mut HashSet<Arc<str>>) -> Arc<str> {
    if let Some(known) = texts.get(text) {
        return Arc::clone(known);
    }
    let new: Arc<str> = Arc::from(text);
    texts.insert(Arc::clone(&new));
    new
}

pub(crate) fn parquet_error(doing: &'static str, path: &Path) -> impl Fn(ParquetError) -> TableError {
    let path = path.to_owned();
    move |source| TableError::Parquet { doing, path: path.clone(), source }
}
