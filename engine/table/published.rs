//! Published tables as an experiment asks for them: the layout of the source, what is measured in each cell, and what is printed
//! there.

use crate::claim::Filter;
use crate::quantity::Quantity;
use serde::{Deserialize, Serialize};

/// A published table. A cell's place is `only` with its row's and its column's filters over it, the column's last; what is
/// measured there is the row's or the column's `value`, one of which must be there and only one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// File name without ending, such as `table4`.
    pub id: String,
    /// The caption as printed.
    pub title: String,
    /// Where it is printed: page, section, table.
    pub source: String,
    /// Heading of the rows' labels.
    pub heading: String,
    /// Rows of the runs table that all cells are about.
    #[serde(default)]
    pub only: Filter,
    /// Quantities are multiplied by this: 100 for percent.
    #[serde(default = "one")]
    pub scale: f64,
    /// What stands behind a number, such as `%`.
    #[serde(default)]
    pub unit: String,
    /// Digits behind the point.
    #[serde(default = "two")]
    pub decimals: u8,
    /// The columns, from left to right.
    pub columns: Vec<TableColumn>,
    /// The rows, from top to bottom.
    pub rows: Vec<TableRow>,
    /// Cells that cannot be read as they stand.
    #[serde(default)]
    pub marks: Vec<CellMark>,
    /// What a reader must know beside, in Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A column of a published table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableColumn {
    /// Its heading as printed.
    pub label: String,
    /// The case that it is about.
    #[serde(default)]
    pub of: Filter,
    /// What is measured, unless the rows say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
}

/// A row of a published table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRow {
    /// Its label as printed.
    pub label: String,
    /// The case that it is about.
    #[serde(default)]
    pub of: Filter,
    /// What is measured, unless the columns say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
    /// The cells as printed, one per column: a number with or without unit; empty where nothing is printed.
    pub published: Vec<String>,
}

/// A cell of a published table that cannot be read as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellMark {
    /// The row's label.
    pub row: String,
    /// The column's label.
    pub column: String,
    /// What is wrong.
    pub mark: Mark,
    /// How that is known, and where the number comes from.
    pub reason: String,
    /// The number that is compared with, in the table's unit; none: none.
    #[serde(default)]
    pub value: Option<f64>,
}

/// Why a printed cell is not taken as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// The copy of the source that was read does not show it.
    Illegible,
    /// It is not shown, but follows from elsewhere in the source.
    Inferred,
    /// It is shown, but is likely not what was meant.
    Doubtful,
}

impl Mark {
    /// As the tables print it.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Illegible => "illegible",
            Mark::Inferred => "inferred",
            Mark::Doubtful => "doubtful",
        }
    }
}

/// A figure of bars drawn from published tables: a panel per table, a group of bars per row, a bar per column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableFigureSpec {
    /// File name without ending; the mode is appended.
    pub id: String,
    /// Title over the figure.
    pub title: String,
    /// The tables' ids and what their panels are called.
    pub tables: Vec<(String, String)>,
    /// The labels of the columns that make bars, and what the legend calls them.
    pub columns: Vec<(String, String)>,
    /// Whether the published numbers stand beside the measured ones.
    #[serde(default)]
    pub published: bool,
    /// Label of the rows' axis.
    #[serde(default)]
    pub x_label: Option<String>,
    /// Label of the y axis, with its unit.
    pub y_label: String,
}

/// A printed number: `6.04%`, `5.50 %`, `1,234`; `None` if it is not one.
pub fn printed_number(text: &str) -> Option<f64> {
    let digits = text.trim().trim_end_matches('%').trim_end().replace(',', "").replace('−', "-");
    digits.parse().ok().filter(|number: &f64| number.is_finite())
}

impl TableSpec {
    /// The mark of a cell.
    pub fn mark(&self, row: usize, column: usize) -> Option<&CellMark> {
        let (row, column) = (self.rows.get(row)?, self.columns.get(column)?);
        self.marks.iter().find(|mark| mark.row == row.label && mark.column == column.label)
    }

    /// What is measured in a cell; `None` if neither its row nor its column says.
    pub fn value(&self, row: usize, column: usize) -> Option<&Quantity> {
        let (row, column) = (self.rows.get(row)?, self.columns.get(column)?);
        row.value.as_ref().or(column.value.as_ref())
    }

    /// All quantities.
    pub fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let rows = self.rows.iter().filter_map(|row| row.value.as_ref());
        rows.chain(self.columns.iter().filter_map(|column| column.value.as_ref()))
    }

    /// Everything that is wrong with the table in itself.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let id = &self.id;
        for (index, row) in self.rows.iter().enumerate() {
            let (printed, columns) = (row.published.len(), self.columns.len());
            if printed != columns {
                faults.push(format!(
                    "the row `{}` of table `{id}` has {printed} published cells for {columns} columns",
                    row.label
                ));
            }
            if self.rows[..index].iter().any(|other| other.label == row.label) {
                faults.push(format!("table `{id}` has two rows `{}`", row.label));
            }
            for (at, column) in self.columns.iter().enumerate() {
                faults.extend(self.cell_fault(index, at, row, column));
            }
        }
        for (index, column) in self.columns.iter().enumerate() {
            if self.columns[..index].iter().any(|other| other.label == column.label) {
                faults.push(format!("table `{id}` has two columns `{}`", column.label));
            }
        }
        for mark in &self.marks {
            let known = self.rows.iter().any(|row| row.label == mark.row)
                && self.columns.iter().any(|column| column.label == mark.column);
            if !known {
                faults.push(format!("table `{id}` has no cell `{}`, `{}` to mark", mark.row, mark.column));
            }
        }
        faults
    }

    fn cell_fault(
        &self,
        at: usize,
        column_at: usize,
        row: &TableRow,
        column: &TableColumn,
    ) -> Option<String> {
        let cell = format!("the cell `{}`, `{}` of table `{}`", row.label, column.label, self.id);
        match (&row.value, &column.value) {
            (None, None) => return Some(format!("{cell} has no value: give its row or its column one")),
            (Some(_), Some(_)) => {
                return Some(format!("{cell} has two values: give one to its row or to its column"));
            }
            _ => {}
        }
        let text = row.published.get(column_at)?;
        let readable = text.trim().is_empty() || printed_number(text).is_some();
        (!readable && self.mark(at, column_at).is_none())
            .then(|| format!("{cell} prints `{text}`, which is no number: add a mark that says why"))
    }
}

fn one() -> f64 {
    1.0
}

fn two() -> u8 {
    2
}

#[cfg(test)]
mod tests {
    use super::printed_number;

    #[test]
    fn printed_numbers_are_read_with_their_signs() {
        let cases =
            [("6.04%", Some(6.04)), ("5.50 %", Some(5.5)), ("0", Some(0.0)), ("s thesL", None), ("", None)];
        for (text, number) in cases {
            assert_eq!(printed_number(text), number, "{text}");
        }
    }
}
