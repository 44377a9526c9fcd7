//! Cells of published tables beside what a model makes of them.

/// A cell of a table that a model is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The table and the cell: `Table 6: vst_sj, jobs`.
    pub name: String,
    /// What the model makes of it.
    pub measured: f64,
    /// The least value that is accepted, if there is one.
    pub low: Option<f64>,
    /// The greatest value that is accepted, if there is one.
    pub high: Option<f64>,
}
