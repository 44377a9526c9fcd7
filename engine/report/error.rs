//! What can go wrong while tables are turned into claims, scorecards and figures.

use table::TableError;

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A table lacks a column or holds another type there.
    #[error("the {table} table cannot be read")]
    Table {
        /// Which table: `runs`, `summary` or `claims`.
        table: &'static str,
        /// What is wrong with it.
        source: TableError,
    },
    /// A figure names a column that the summary lacks.
    #[error("figure `{figure}` uses the column `{column}`, which the summary lacks; it has {known}")]
    UnknownColumn {
        /// The figure's identifier.
        figure: String,
        /// The column asked for.
        column: String,
        /// The columns that exist.
        known: String,
    },
    /// The x axis of a line figure holds text.
    #[error(
        "figure `{figure}` draws lines over `{column}`, which does not hold numbers; bars can be drawn over categories"
    )]
    NotNumeric {
        /// The figure's identifier.
        figure: String,
        /// The column on the x axis.
        column: String,
    },
    /// Several values compete for one point of a figure.
    #[error(
        "figure `{figure}` has more than one value of {metric} at {place}; fix {columns} in `only`, or put it into `series` or `panels`"
    )]
    Ambiguous {
        /// The figure's identifier.
        figure: String,
        /// The metric on the y axis.
        metric: String,
        /// The point: panel, series and x.
        place: String,
        /// The axis columns in which the competing rows differ.
        columns: String,
    },
    /// The figure's rows were selected away, or the metric is undefined in all of them.
    #[error("figure `{figure}` has nothing to draw: no row of the summary has {metric} with {only}")]
    Empty {
        /// The figure's identifier.
        figure: String,
        /// The metric on the y axis.
        metric: String,
        /// The figure's filter, as text.
        only: String,
    },
    /// The case that values are normalised by is missing or zero for every point.
    #[error("figure `{figure}` is normalised by {case}, which no point has a value for")]
    NoBaseline {
        /// The figure's identifier.
        figure: String,
        /// The normalising case, as text.
        case: String,
    },
    /// A file among the figures is none.
    #[error("`{file}` is no figure of this program: {reason}")]
    Picture {
        /// The file, seen from the folder of results.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The drawing back end refused.
    #[error("figure `{figure}` could not be drawn: {reason}")]
    Drawing {
        /// The figure's identifier.
        figure: String,
        /// What the back end says.
        reason: String,
    },
}

impl ReportError {
    /// The error of one of the tables.
    pub(crate) fn table(table: &'static str) -> impl Fn(TableError) -> ReportError {
        move |source| ReportError::Table { table, source }
    }
}
