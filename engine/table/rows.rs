//! Choosing, grouping, ordering and appending rows of a table.

use crate::claim::Filter;
use crate::error::TableError;
use crate::frame::{CellType, Cells, Column, Frame};
use crate::quantity::Except;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;

impl Frame {
    /// The table of these rows, in this order; a row may be wanted more than once. Rows beyond the end are left out.
    pub fn select(&self, rows: &[usize]) -> Frame {
        let columns = self
            .columns
            .iter()
            .map(|column| Column { name: column.name.clone(), cells: column.cells.select(rows) })
            .collect();
        Frame { columns, metadata: self.metadata.clone() }
    }

    /// The rows that match every entry of a filter, in order. Numbers compare as numbers (`0.30` matches 0.3, `0` matches
    /// 0.0), text and flags (`true`, `false`) as written. A missing value matches nothing.
    pub fn filter(&self, filter: &Filter) -> Result<Vec<usize>, TableError> {
        let mut rows: Vec<usize> = (0..self.len()).collect();
        for (name, value) in filter {
            let column = self.require(name)?;
            let matches = column.matches(value)?;
            rows.retain(|row| matches.get(*row).copied().unwrap_or(false));
        }
        Ok(rows)
    }

    /// Those of `rows` that have none of the values in a column that `except` names.
    ///
    /// # Errors
    /// If a column does not exist or a value cannot be one of its.
    pub fn except(&self, mut rows: Vec<usize>, except: &Except) -> Result<Vec<usize>, TableError> {
        for (name, values) in except {
            let column = self.require(name)?;
            for value in values {
                let matches = column.matches(value)?;
                rows.retain(|row| !matches.get(*row).copied().unwrap_or(false));
            }
        }
        Ok(rows)
    }

    /// The rows of each distinct combination of values in these columns, combinations in order of first appearance. Missing
    /// values equal each other. Without columns, all rows are one part.
    pub fn partition(&self, columns: &[&str]) -> Result<Vec<Vec<usize>>, TableError> {
        let groups = self.group_numbers(columns)?;
        let count = groups.iter().max().map_or(0, |last| last + 1);
        let mut parts = vec![Vec::new(); count];
        for (row, group) in groups.into_iter().enumerate() {
            parts[group].push(row);
        }
        Ok(parts)
    }

    /// The distinct combinations of values in these columns, in order of first appearance.
    pub fn distinct(&self, columns: &[&str]) -> Result<Frame, TableError> {
        let firsts: Vec<usize> =
            self.partition(columns)?.iter().filter_map(|rows| rows.first().copied()).collect();
        let columns = columns
            .iter()
            .map(|name| {
                let column = self.require(name)?;
                Ok(Column { name: column.name.clone(), cells: column.cells.select(&firsts) })
            })
            .collect::<Result<_, TableError>>()?;
        Ok(Frame { columns, metadata: self.metadata.clone() })
    }

    /// Each row's group: equal for equal values in these columns, numbered from 0 in order of first appearance.
    pub(crate) fn group_numbers(&self, columns: &[&str]) -> Result<Vec<usize>, TableError> {
        let mut groups = vec![0; self.len()];
        for name in columns {
            let codes = self.require(name)?.cells.codes();
            groups = numbered(groups.into_iter().zip(codes));
        }
        Ok(groups)
    }

    /// Orders the rows by these columns, the first deciding first; rows that agree keep their order. Text is ordered by its
    /// bytes, numbers by value, false before true; missing values come last.
    pub fn sort(&mut self, columns: &[&str]) -> Result<(), TableError> {
        let keys = columns
            .iter()
            .map(|name| Ok(&self.require(name)?.cells))
            .collect::<Result<Vec<_>, TableError>>()?;
        let mut rows: Vec<usize> = (0..self.len()).collect();
        rows.sort_by(|a, b| {
            keys.iter()
                .map(|cells| cells.compare(*a, *b))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        });
        *self = self.select(&rows);
        Ok(())
    }

    /// Puts the rows of another table below. Columns are matched by name; one that only one of the tables has is missing in
    /// the other's rows, new ones go to the right. Whole and real numbers under one name become real. The metadata stays that
    /// of this table.
    pub fn append(&mut self, other: &Frame) -> Result<(), TableError> {
        let (rows, more) = (self.len(), other.len());
        let mut merged = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            let cells = match other.column(&column.name) {
                Some(below) => joined(column, &below.cells)?,
                None => joined(column, &Cells::missing(column.cells.cell_type(), more))?,
            };
            merged.push(Column { name: column.name.clone(), cells });
        }
        for column in other.columns.iter().filter(|column| self.column(&column.name).is_none()) {
            let above = Cells::missing(column.cells.cell_type(), rows);
            let above = Column { name: column.name.clone(), cells: above };
            let cells = joined(&above, &column.cells)?;
            merged.push(Column { name: above.name, cells });
        }
        self.columns = merged;
        Ok(())
    }
}

impl Column {
    /// For each cell, whether it equals a value written as text.
    fn matches(&self, value: &str) -> Result<Vec<bool>, TableError> {
        let bad_value = || TableError::BadFilterValue {
            column: self.name.clone(),
            holds: self.cells.cell_type(),
            value: value.to_owned(),
        };
        let trimmed = value.trim();
        Ok(match &self.cells {
            Cells::Text(cells) => cells.iter().map(|cell| cell.as_deref() == Some(value)).collect(),
            Cells::Real(cells) => {
                let wanted: f64 = trimmed.parse().map_err(|_| bad_value())?;
                cells.iter().map(|cell| *cell == Some(wanted)).collect()
            }
            Cells::Int(cells) => match trimmed.parse::<i64>() {
                Ok(wanted) => cells.iter().map(|cell| *cell == Some(wanted)).collect(),
                Err(_) => {
                    let wanted: f64 = trimmed.parse().map_err(|_| bad_value())?;
                    cells.iter().map(|cell| cell.is_some_and(|value| value as f64 == wanted)).collect()
                }
            },
            Cells::Flag(cells) => {
                let wanted: bool = trimmed.parse().map_err(|_| bad_value())?;
                cells.iter().map(|cell| *cell == Some(wanted)).collect()
            }
        })
    }
}

impl Cells {
    pub(crate) fn select(&self, rows: &[usize]) -> Cells {
        fn pick<T: Clone>(cells: &[Option<T>], rows: &[usize]) -> Vec<Option<T>> {
            rows.iter().filter_map(|row| cells.get(*row).cloned()).collect()
        }
        match self {
            Cells::Text(cells) => Cells::Text(pick(cells, rows)),
            Cells::Real(cells) => Cells::Real(pick(cells, rows)),
            Cells::Int(cells) => Cells::Int(pick(cells, rows)),
            Cells::Flag(cells) => Cells::Flag(pick(cells, rows)),
        }
    }

    /// Each cell's value as a number, equal for equal values, counted from 0 in order of first appearance.
    fn codes(&self) -> Vec<usize> {
        match self {
            Cells::Text(cells) => numbered(cells.iter().map(Option::as_deref)),
            // Adding 0 turns −0 into 0, which has other bits.
            Cells::Real(cells) => {
                numbered(cells.iter().map(|cell| cell.map(|value| (value + 0.0).to_bits())))
            }
            Cells::Int(cells) => numbered(cells.iter()),
            Cells::Flag(cells) => numbered(cells.iter()),
        }
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        fn last<T>(a: &Option<T>, b: &Option<T>, order: impl Fn(&T, &T) -> Ordering) -> Ordering {
            match (a, b) {
                (Some(a), Some(b)) => order(a, b),
                (a, b) => a.is_none().cmp(&b.is_none()),
            }
        }
        match self {
            Cells::Text(cells) => last(&cells[a], &cells[b], Ord::cmp),
            Cells::Real(cells) => last(&cells[a], &cells[b], |a, b| (a + 0.0).total_cmp(&(b + 0.0))),
            Cells::Int(cells) => last(&cells[a], &cells[b], Ord::cmp),
            Cells::Flag(cells) => last(&cells[a], &cells[b], Ord::cmp),
        }
    }
}

/// Numbers the distinct values of a sequence from 0 in order of first appearance. The map is only looked up, never walked.
fn numbered<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen = HashMap::new();
    values
        .map(|value| {
            let next = seen.len();
            *seen.entry(value).or_insert(next)
        })
        .collect()
}

fn joined(above: &Column, below: &Cells) -> Result<Cells, TableError> {
    fn real(cells: &[Option<i64>]) -> impl Iterator<Item = Option<f64>> {
        cells.iter().map(|cell| cell.map(|value| value as f64))
    }
    Ok(match (&above.cells, below) {
        (Cells::Text(a), Cells::Text(b)) => Cells::Text(a.iter().chain(b).cloned().collect()),
        (Cells::Int(a), Cells::Int(b)) => Cells::Int(a.iter().chain(b).copied().collect()),
        (Cells::Flag(a), Cells::Flag(b)) => Cells::Flag(a.iter().chain(b).copied().collect()),
        (Cells::Real(a), Cells::Real(b)) => Cells::Real(a.iter().chain(b).copied().collect()),
        (Cells::Real(a), Cells::Int(b)) => Cells::Real(a.iter().copied().chain(real(b)).collect()),
        (Cells::Int(a), Cells::Real(b)) => Cells::Real(real(a).chain(b.iter().copied()).collect()),
        (a, b) => {
            let (found, wanted): (CellType, CellType) = (b.cell_type(), a.cell_type());
            return Err(TableError::WrongType { column: above.name.clone(), found, wanted });
        }
    })
}
