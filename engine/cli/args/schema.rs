//! What `schema` can be asked.

use super::offered::{self, offered};
use clap::Args;

/// What `schema` can be asked.
#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// A field of a case, by name or path, a part of an experiment file, or a predicate; with `--tables`, a table or a column.
    /// All of them where none is given.
    #[arg(value_name = "FIELD", hide_possible_values = true,
        value_parser = offered(offered::word, offered::words))]
    pub name: Option<String>,
    /// The columns of the tables in place of the experiment language: types, units, formulas, and when a cell is null.
    #[arg(long)]
    pub tables: bool,
    /// JSON, in the form of a JSON Schema.
    #[arg(long)]
    pub json: bool,
}
