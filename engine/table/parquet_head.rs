//! What a Parquet file says of itself, whoever wrote it, without its rows.

use crate::error::TableError;
use crate::parquet::parquet_error;
use crate::pending_file::io_error;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The head of a Parquet file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParquetHead {
    /// Its key-value metadata.
    pub metadata: BTreeMap<String, String>,
    /// Number of rows.
    pub rows: u64,
    /// Names of its columns, in order.
    pub columns: Vec<String>,
}

impl ParquetHead {
    /// Reads the head of a file.
    ///
    /// # Errors
    /// Where there is no such file, or it is not Parquet.
    pub fn read(path: &Path) -> Result<ParquetHead, TableError> {
        let file = File::open(path).map_err(io_error("read", path))?;
        // The decoder is not ours: whatever odd bytes make it do must not end the program.
        let read = catch_unwind(AssertUnwindSafe(|| ParquetMetaDataReader::new().parse_and_finish(&file)));
        let read = read.unwrap_or_else(|_| Err(ParquetError::General("it cannot be decoded".to_owned())));
        Ok(ParquetHead::of(&read.map_err(parquet_error("read", path))?))
    }

    fn of(found: &ParquetMetaData) -> ParquetHead {
        let file = found.file_metadata();
        let pairs = file.key_value_metadata().map_or(&[][..], Vec::as_slice);
        let columns = file.schema_descr().root_schema().get_fields();
        ParquetHead {
            metadata: pairs.iter().filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect(),
            rows: u64::try_from(file.num_rows()).unwrap_or(0),
            columns: columns.iter().map(|column| column.name().to_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Column, Frame};

    #[test]
    fn the_head_says_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut frame = Frame::from_columns(vec![Column::int("n", vec![Some(1), None])]).unwrap();
        frame.metadata.insert("build".to_owned(), "1".to_owned());
        frame.write_parquet(&path).unwrap();
        let head = ParquetHead::read(&path).unwrap();
        assert_eq!((head.rows, head.columns), (2, vec!["n".to_owned()]));
        assert_eq!(head.metadata["build"], "1");
        assert_eq!(head.metadata["schema_version"], crate::SCHEMA_VERSION.to_string());
    }

    #[test]
    fn what_is_not_parquet_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        for bytes in [&b""[..], b"PAR1", b"PAR1 and nothing else", &[0xff; 64]] {
            std::fs::write(&path, bytes).unwrap();
            let problem = ParquetHead::read(&path).unwrap_err();
            assert!(matches!(problem, TableError::Parquet { .. }), "{problem}");
        }
        assert!(matches!(
            ParquetHead::read(folder.path()),
            Err(TableError::Io { .. } | TableError::Parquet { .. })
        ));
        assert!(matches!(ParquetHead::read(&folder.path().join("none")), Err(TableError::Io { .. })));
    }
}
