//! The data dictionary against what the program writes.

use crate::program::Folder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use table::{CellType, Cells, Frame, ParquetHead, Table};

/// What `schema --tables --json` says of a table, the axes, or metadata: its entries by name.
struct Dictionary(Value);

impl Dictionary {
    fn of(folder: &Folder) -> Dictionary {
        Dictionary(serde_json::from_str(&folder.call("schema --tables --json").done().out).unwrap())
    }

    fn names(&self, section: &str) -> BTreeSet<String> {
        self.0[section]["columns"].as_object().unwrap().keys().cloned().collect()
    }

    fn entry(&self, section: &str, name: &str) -> &Value {
        &self.0[section]["columns"][name]
    }

    /// Fails if a key of the metadata is not described; `model:core` is by `model:<family>`.
    fn describes(&self, section: &str, keys: impl Iterator<Item = String>) {
        let known = self.names(section);
        for key in keys {
            let general = |known: &String| {
                known
                    .split_once('<')
                    .is_some_and(|(begin, _)| key.starts_with(begin) && key.len() > begin.len())
            };
            assert!(known.contains(&key) || known.iter().any(general), "{section}: {key}");
        }
    }
}

/// The smoke study.
fn written() -> Folder {
    let folder = Folder::new();
    folder.call("reproduce smoke --scale smoke --out out --store store").done();
    folder
}

#[test]
fn every_column_of_every_table_is_described() {
    let folder = written();
    let dictionary = Dictionary::of(&folder);
    for table in Table::ALL {
        let path = folder.path("out/smoke/smoke").join(table.file_name());
        let frame = Frame::read_parquet(&path).unwrap();
        let axes = ["load", "policy"].map(str::to_owned);
        let has_axes = !matches!(table, Table::Claims | Table::Published);
        let own: BTreeSet<String> =
            frame.names().into_iter().filter(|name| !(has_axes && axes.contains(name))).collect();
        assert_eq!(own, dictionary.names(table.name()), "{}", table.name());
        if has_axes {
            assert_eq!(frame.names()[3..5], axes);
        }
        for column in &frame.columns {
            let section = if own.contains(&column.name) { table.name() } else { "axes" };
            let entry = dictionary.entry(section, &column.name);
            let place = format!("{}.{}: {entry}", table.name(), column.name);
            assert_eq!(entry["type"], type_name(column.cells.cell_type()), "{place}");
            // Of axes, any case may lack the field.
            let may_lack = section == "axes" || entry["null"].is_string();
            assert!(may_lack || nulls(&column.cells) == 0, "{place}");
        }
        let head = ParquetHead::read(&path).unwrap();
        dictionary.describes("metadata", head.metadata.into_keys());
    }
}

fn type_name(cell_type: CellType) -> &'static str {
    match cell_type {
        CellType::Text => "text",
        CellType::Real => "number",
        CellType::Int => "whole number",
        CellType::Flag => "flag",
    }
}

fn nulls(cells: &Cells) -> usize {
    (0..cells.len()).filter(|row| cells.printed(*row).is_none()).count()
}

#[test]
fn segments_are_described_too() {
    let folder = written();
    let dictionary = Dictionary::of(&folder);
    let mut segments = 0;
    for entry in fs::read_dir(folder.path("store")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "parquet") {
            let head = ParquetHead::read(&path).unwrap();
            assert_eq!(head.columns.into_iter().collect::<BTreeSet<_>>(), dictionary.names("segments"));
            // The Arrow writer leaves its schema beside the keys of the store.
            let keys = head.metadata.into_keys().filter(|key| key != "ARROW:schema");
            dictionary.describes("segment-metadata", keys);
            segments += 1;
        }
    }
    assert!(segments > 0);
}

#[test]
fn the_dictionary_can_be_asked_for_a_table_or_a_column() {
    let folder = Folder::new();
    let table = folder.call("schema --tables comparisons").done().out;
    assert!(table.starts_with("## Table `comparisons`\n") && !table.contains("Table `runs`"), "{table}");
    let column = folder.call("schema --tables mean_wait_s").done().out;
    for line in ["## Table `runs`", "## Table `groups`", "- `mean_wait_s` (number, s; null if no job"] {
        assert!(column.contains(line), "{line} is not in\n{column}");
    }
    assert!(!column.contains("max_wait_s"), "{column}");
    folder
        .call("schema --tables mean_wiat_s")
        .refused(&["no table has a column `mean_wiat_s`", "did you mean `mean_wait_s`?"]);
    folder.call("schema --tables xyzzy").refused(&["`backsweep schema --tables` lists all of them"]);
    folder.call("schema ci_low").refused(&["`backsweep schema --tables ci_low` says what that column is"]);
}
