//! A table in memory: named columns of equal length.

use crate::error::TableError;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The cells of one column. A missing value is `None`; a NaN never enters a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Categories and text.
    Text(Vec<Option<Arc<str>>>),
    /// Numbers; durations are seconds.
    Real(Vec<Option<f64>>),
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    /// UTF-8 text.
    Text,
    /// 64-bit floating-point numbers.
    Real,
    /// 64-bit whole numbers.
    Int,
    /// Yes or no.
    Flag,
}

impl fmt::Display for CellType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            CellType::Text => "text",
            CellType::Real => "real numbers",
            CellType::Int => "whole numbers",
            CellType::Flag => "flags (true or false)",
        })
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name; durations end in `_s`.
    pub name: String,
    /// Values.
    pub cells: Cells,
}

/// A table: columns of equal length and key-value metadata (schema version, experiment hash, build, trace hashes).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Written into the Parquet file's key-value metadata.
    pub metadata: BTreeMap<String, String>,
}

impl Cells {
    /// Cells of a type, all missing.
    pub fn missing(cell_type: CellType, rows: usize) -> Cells {
        match cell_type {
            CellType::Text => Cells::Text(vec![None; rows]),
            CellType::Real => Cells::Real(vec![None; rows]),
            CellType::Int => Cells::Int(vec![None; rows]),
            CellType::Flag => Cells::Flag(vec![None; rows]),
        }
    }

    /// Number of cells, missing ones included.
    pub fn len(&self) -> usize {
        match self {
            Cells::Text(cells) => cells.len(),
            Cells::Real(cells) => cells.len(),
            Cells::Int(cells) => cells.len(),
            Cells::Flag(cells) => cells.len(),
        }
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the cells are.
    pub fn cell_type(&self) -> CellType {
        match self {
            Cells::Text(_) => CellType::Text,
            Cells::Real(_) => CellType::Real,
            Cells::Int(_) => CellType::Int,
            Cells::Flag(_) => CellType::Flag,
        }
    }

    /// A cell as tables print it (a number in its shortest exact form); `None` where missing or beyond the end.
    pub fn printed(&self, row: usize) -> Option<String> {
        match self {
            Cells::Text(cells) => cells.get(row)?.as_deref().map(str::to_owned),
            Cells::Real(cells) => cells.get(row)?.map(|value| value.to_string()),
            Cells::Int(cells) => cells.get(row)?.map(|value| value.to_string()),
            Cells::Flag(cells) => cells.get(row)?.map(|value| value.to_string()),
        }
    }
}

impl Column {
    /// A text column.
    pub fn text(name: &str, cells: Vec<Option<Arc<str>>>) -> Column {
        Column { name: name.to_owned(), cells: Cells::Text(cells) }
    }

    /// A text column with the same value in every row.
    pub fn constant(name: &str, value: &str, rows: usize) -> Column {
        Column::text(name, vec![Some(Arc::from(value)); rows])
    }

    /// A column of numbers.
    pub fn real(name: &str, cells: Vec<Option<f64>>) -> Column {
        Column { name: name.to_owned(), cells: Cells::Real(cells) }
    }

    /// A column of whole numbers.
    pub fn int(name: &str, cells: Vec<Option<i64>>) -> Column {
        Column { name: name.to_owned(), cells: Cells::Int(cells) }
    }

    /// A column of flags.
    pub fn flag(name: &str, cells: Vec<Option<bool>>) -> Column {
        Column { name: name.to_owned(), cells: Cells::Flag(cells) }
    }

    /// Turns NaN into a missing value and −0 into 0, and refuses infinities.
    fn clean(&mut self) -> Result<(), TableError> {
        let Cells::Real(cells) = &mut self.cells else { return Ok(()) };
        for (row, cell) in cells.iter_mut().enumerate() {
            match *cell {
                Some(value) if value.is_nan() => *cell = None,
                Some(value) if value.is_infinite() => {
                    return Err(TableError::Infinite { column: self.name.clone(), row, value });
                }
                // Else one number would have two spellings in files and two groups in `distinct`.
                Some(0.0) => *cell = Some(0.0),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Frame {
    /// A table without columns.
    pub fn new() -> Frame {
        Frame::default()
    }

    /// A table of these columns, which must be equally long, differently named and free of infinities; NaN becomes a missing
    /// value.
    pub fn from_columns(columns: Vec<Column>) -> Result<Frame, TableError> {
        let mut frame = Frame { columns, metadata: BTreeMap::new() };
        frame.validate()?;
        Ok(frame)
    }

    /// The table with one more column on the right, under the rules of [`Frame::from_columns`].
    pub fn with(mut self, column: Column) -> Result<Frame, TableError> {
        let mut column = column;
        column.clean()?;
        self.check_fits(&self.columns, &column)?;
        self.columns.push(column);
        Ok(self)
    }

    /// Puts a table whose columns were filled directly under the rules of [`Frame::from_columns`].
    pub fn validate(&mut self) -> Result<(), TableError> {
        for column in &mut self.columns {
            column.clean()?;
        }
        for (index, column) in self.columns.iter().enumerate() {
            self.check_fits(&self.columns[..index], column)?;
        }
        Ok(())
    }

    fn check_fits(&self, before: &[Column], column: &Column) -> Result<(), TableError> {
        if before.iter().any(|other| other.name == column.name) {
            return Err(TableError::DuplicateColumn { column: column.name.clone() });
        }
        let (found, expected) = (column.cells.len(), before.first().map(|first| first.cells.len()));
        match expected {
            Some(expected) if expected != found => {
                Err(TableError::UnequalLength { column: column.name.clone(), found, expected })
            }
            _ => Ok(()),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns' names, in order.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// A column by its name, or the error that lists the known ones.
    pub fn require(&self, name: &str) -> Result<&Column, TableError> {
        self.column(name)
            .ok_or_else(|| TableError::UnknownColumn { name: name.to_owned(), known: self.names() })
    }

    /// The cells of a text column.
    pub fn text(&self, name: &str) -> Result<&[Option<Arc<str>>], TableError> {
        match &self.require(name)?.cells {
            Cells::Text(cells) => Ok(cells),
            other => Err(wrong_type(name, other, CellType::Text)),
        }
    }

    /// The cells of a numeric column; whole numbers are converted.
    pub fn real(&self, name: &str) -> Result<Cow<'_, [Option<f64>]>, TableError> {
        match &self.require(name)?.cells {
            Cells::Real(cells) => Ok(Cow::Borrowed(cells)),
            Cells::Int(cells) => Ok(cells.iter().map(|cell| cell.map(|value| value as f64)).collect()),
            other => Err(wrong_type(name, other, CellType::Real)),
        }
    }

    /// The cells of a column of whole numbers.
    pub fn int(&self, name: &str) -> Result<&[Option<i64>], TableError> {
        match &self.require(name)?.cells {
            Cells::Int(cells) => Ok(cells),
            other => Err(wrong_type(name, other, CellType::Int)),
        }
    }

    /// The cells of a column of flags.
    pub fn flag(&self, name: &str) -> Result<&[Option<bool>], TableError> {
        match &self.require(name)?.cells {
            Cells::Flag(cells) => Ok(cells),
            other => Err(wrong_type(name, other, CellType::Flag)),
        }
    }
}

fn wrong_type(column: &str, cells: &Cells, wanted: CellType) -> TableError {
    TableError::WrongType { column: column.to_owned(), found: cells.cell_type(), wanted }
}
