//! `schema --tables`: the data dictionary, which is every column of every table and of the store, from the tables that write and
//! read them. `results/DICTIONARY.md` is what this prints.

use crate::args::SchemaArgs;
use crate::diagnostic::Failure;
use crate::output;
use crate::session::Ending;
use crate::wrapped::wrapped;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use sweep::store::{SEGMENT_METADATA, SegmentColumn, columns};
use sweep::{FIELDS, Field, FieldKind};
use table::schema::{ColumnDoc, METADATA};
use table::{CellType, Table};

const ABOUT: &str = "\
# Data dictionary

Every column of the Parquet files that backsweep writes, as `backsweep schema
--tables` prints it. The tables of an experiment are in
`results/<study>/<experiment>/`; each has the columns listed here and, behind
its first ones, a column for each axis of the experiment.

- Types: text is UTF-8, a number a 64-bit float, a whole number a 64-bit signed
  integer, a flag true or false.
- A column whose name ends in `_s` holds seconds. Shares and ratios are plain
  numbers. Undefined is null, never NaN; a column without a word about null has
  none.
- Symbols: of job j, r_j submit, s_j first start, c_j end (finish or kill), p_j
  run time, x_j size; N installed nodes; n jobs that count.
- Jobs that count: all, the killed included, with the kill as their end and
  c_j - s_j as their run time. With the fields submitted_from_s and
  submitted_before_s those submitted in that stretch, save in the metrics of the
  machine: utilization, makespan_s, mean_queue_length, max_queue_length,
  mean_level_excess, offered_load, and of the hosts.
- Percentiles are nearest-rank: the smallest value with at least p % of the
  values at or below it.
- Of a steady state, what counts are the jobs behind the warm-up; time is that
  of their batches, and percentiles are at most 0.1 % above nearest-rank.
";

/// Prints the data dictionary, or what it says of one table or column.
///
/// # Errors
/// A name that there is not.
pub fn dictionary(args: &SchemaArgs) -> Result<Ending, Failure> {
    let mut sections = sections();
    if let Some(name) = &args.name {
        sections = of_name(sections, name)?;
    }
    let text = if args.json {
        let all: Map<_, _> = sections.iter().map(|section| (section.id.to_owned(), section.json())).collect();
        let text = serde_json::to_string_pretty(&Value::Object(all));
        text.map_err(|problem| Failure::work(problem.to_string()))? + "\n"
    } else {
        let about = if args.name.is_none() { vec![ABOUT.to_owned()] } else { Vec::new() };
        let texts: Vec<String> = about.into_iter().chain(sections.iter().map(Section::text)).collect();
        texts.join("\n")
    };
    output::data(&text)?;
    Ok(Ending::Done)
}

/// A table, or what else has names.
struct Section {
    /// A word for it.
    id: &'static str,
    /// Its heading.
    title: String,
    about: String,
    entries: Vec<Entry>,
}

/// A column or a key.
struct Entry {
    name: String,
    cell_type: String,
    unit: &'static str,
    /// When it is missing; empty where it never is.
    null: String,
    meaning: String,
}

fn sections() -> Vec<Section> {
    let mut all: Vec<Section> = Table::ALL.into_iter().map(Section::of_table).collect();
    all.push(Section {
        id: "axes",
        title: "Columns of axes".to_owned(),
        about: "A field of a case is a column, under its name, where it is an axis of the experiment; a group of \
                fields that move together is one column, text, under the name that the experiment gives it. A \
                number is a column of whole numbers where the experiment writes all of its values without a point. Null \
                where the case has no such field."
            .to_owned(),
        entries: FIELDS.iter().map(|field| Entry::of_field(field)).collect(),
    });
    all.push(Section {
        id: "metadata",
        title: "Metadata of tables".to_owned(),
        about: "Key-value metadata of each Parquet file; all values are text.".to_owned(),
        entries: METADATA.iter().map(|(key, meaning)| Entry::of_key(key, meaning)).collect(),
    });
    all.push(Section {
        id: "segments",
        title: "Segments of the store".to_owned(),
        about: "One row per run, in files `seg-*.parquet` of the store's folder.".to_owned(),
        entries: columns().into_iter().map(Entry::of_segment).collect(),
    });
    all.push(Section {
        id: "segment-metadata",
        title: "Metadata of segments".to_owned(),
        about: "Key-value metadata of each segment; all values are text.".to_owned(),
        entries: SEGMENT_METADATA.iter().map(|(key, meaning)| Entry::of_key(key, meaning)).collect(),
    });
    all
}

/// The section of this name, or what the sections say of a column.
fn of_name(sections: Vec<Section>, name: &str) -> Result<Vec<Section>, Failure> {
    let known: Vec<String> = sections
        .iter()
        .flat_map(|section| section.entries.iter().map(|entry| entry.name.clone()))
        .chain(sections.iter().map(|section| section.id.to_owned()))
        .collect();
    let found: Vec<Section> = if sections.iter().any(|section| section.id == name) {
        sections.into_iter().filter(|section| section.id == name).collect()
    } else {
        let only = |mut section: Section| {
            section.entries.retain(|entry| entry.name == name);
            section
        };
        sections.into_iter().map(only).filter(|section| !section.entries.is_empty()).collect()
    };
    if !found.is_empty() {
        return Ok(found);
    }
    let failure = Failure::question(format!("no table has a column `{name}`"));
    Err(match sweep::nearest(name, known.iter().map(String::as_str)) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint("`backsweep schema --tables` lists all of them"),
    })
}

impl Section {
    fn of_table(table: Table) -> Section {
        let docs = table.leading().iter().chain(table.trailing()).chain(table.metrics());
        Section {
            id: table.name(),
            title: format!("Table `{}`", table.name()),
            about: table.rows().to_owned(),
            entries: docs.map(Entry::of_column).collect(),
        }
    }

    /// As Markdown of 80 columns.
    fn text(&self) -> String {
        let mut text = format!("## {}\n\n{}\n\n", self.title, wrapped(&self.about, 0, 0));
        for entry in &self.entries {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {}", wrapped(&entry.text(), 2, 2));
        }
        text
    }

    fn json(&self) -> Value {
        let columns: Map<_, _> =
            self.entries.iter().map(|entry| (entry.name.clone(), entry.json())).collect();
        json!({ "about": self.about, "columns": columns })
    }
}

impl Entry {
    fn of_column(doc: &ColumnDoc) -> Entry {
        let cell_type = match doc.cell_type {
            CellType::Text => "text",
            CellType::Real => "number",
            CellType::Int => "whole number",
            CellType::Flag => "flag",
        };
        Entry {
            name: doc.column.to_owned(),
            cell_type: cell_type.to_owned(),
            unit: match doc.unit {
                "metric" => "unit of the metric",
                "unit" => "unit of the row",
                unit => unit,
            },
            null: doc.null.to_owned(),
            meaning: doc.description.to_owned(),
        }
    }

    fn of_field(field: &Field) -> Entry {
        let cell_type = match field.kind {
            FieldKind::Real => "number",
            FieldKind::Int => "whole number",
            FieldKind::List | FieldKind::Text => "text",
        };
        Entry {
            name: field.name.to_owned(),
            cell_type: cell_type.to_owned(),
            unit: field.unit,
            null: String::new(),
            meaning: format!("{} Values: {}.", field.doc, field.values),
        }
    }

    fn of_segment(column: SegmentColumn) -> Entry {
        Entry {
            name: column.name.to_owned(),
            cell_type: column.type_name(),
            unit: if column.name.ends_with("_s") { "s" } else { "" },
            null: column.null.to_owned(),
            meaning: column.description.to_owned(),
        }
    }

    fn of_key(key: &str, meaning: &str) -> Entry {
        let (name, meaning) = (key.to_owned(), meaning.to_owned());
        Entry { name, cell_type: "text".to_owned(), unit: "", null: String::new(), meaning }
    }

    fn text(&self) -> String {
        let Entry { name, cell_type, unit, null, meaning } = self;
        let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
        let null = if null.is_empty() { String::new() } else { format!("; null {null}") };
        format!("`{name}` ({cell_type}{unit}{null}): {meaning}")
    }

    fn json(&self) -> Value {
        let mut value = json!({ "type": self.cell_type, "description": self.meaning });
        let optional = [("unit", self.unit), ("null", self.null.as_str())];
        if let Value::Object(fields) = &mut value {
            let given = optional.into_iter().filter(|(_, text)| !text.is_empty());
            fields.extend(given.map(|(name, text)| (name.to_owned(), json!(text))));
        }
        value
    }
}
