//! `matrix`: which policies, machines, allocators and sources go together, from the registries that experiments are checked by.

use crate::args::MatrixArgs;
use crate::diagnostic::Failure;
use crate::output;
use crate::session::Ending;
use crate::wrapped::wrapped;
use std::fmt::Write;
use sweep::matrix::{Refusal, Table, matrix};

/// Width of the first column and of the others.
const NAMES: usize = 18;
const CELL: usize = 10;

/// Prints the tables, and with `--why` the reasons of what is missing in them.
///
/// # Errors
/// Output that cannot be written.
pub fn matrix_of(args: &MatrixArgs) -> Result<Ending, Failure> {
    let matrix = matrix();
    let mut allocators: Vec<&str> = Vec::new();
    for name in matrix.schedulers.rows.iter().flat_map(|(_, cells)| cells.iter().flatten()) {
        if !allocators.contains(name) {
            allocators.push(name);
        }
    }
    // In the order of the registry, which one row need not show.
    allocators.sort_by_key(|name| initial(name));
    let legend: Vec<String> = allocators.iter().map(|name| format!("{} {name}", initial(name))).collect();
    let mut text = String::new();
    paragraph(&mut text, &format!("Policies on machines, by allocator: {}.", legend.join(", ")), 0);
    grid(&mut text, "policy", &matrix.schedulers, |cell| {
        let mut initials: Vec<String> = cell.iter().map(|name| initial(name)).collect();
        initials.sort();
        initials.join(" ")
    });
    paragraph(&mut text, "\nSources on machines.", 0);
    grid(&mut text, "source", &matrix.sources, |_| "yes".to_owned());
    paragraph(&mut text, "\nWhat else jobs of a source, and jobs on a machine, can be asked for.", 0);
    grid(&mut text, "", &matrix.wishes, |_| "yes".to_owned());
    if args.why {
        for (what, table) in
            [("policies", &matrix.schedulers), ("sources", &matrix.sources), ("what else", &matrix.wishes)]
        {
            reasons(&mut text, what, &table.refused);
        }
    }
    output::data(&text)?;
    Ok(Ending::Done)
}

fn initial(name: &str) -> String {
    name.chars().take(1).collect()
}

fn grid(text: &mut String, head: &str, table: &Table, show: impl Fn(&[&'static str]) -> String) {
    let mut line = |first: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:<width$}", width = CELL - 1)).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", format!("{first:<NAMES$}{cells}").trim_end());
    };
    line(head, table.columns.iter().map(|column| (*column).to_owned()).collect());
    for (name, cells) in &table.rows {
        line(name, cells.iter().map(|cell| if cell.is_empty() { "-".into() } else { show(cell) }).collect());
    }
}

/// What is refused, by reason; a reason that begins with the name of the row is one for all such rows.
fn reasons(text: &mut String, what: &str, refused: &[Refusal]) {
    let without_name = |refusal: &Refusal| -> String {
        let named = refusal.of.first().and_then(|row| refusal.reason.strip_prefix(row)?.strip_prefix(' '));
        named.map_or_else(|| refusal.reason.clone(), |rest| format!(".. {rest}"))
    };
    let mut seen: Vec<String> = Vec::new();
    for refusal in refused {
        let reason = without_name(refusal);
        if seen.contains(&reason) {
            continue;
        }
        let mut parts: Vec<Vec<&str>> = vec![Vec::new(); refusal.of.len()];
        for same in refused.iter().filter(|other| without_name(other) == reason) {
            for (part, name) in parts.iter_mut().zip(&same.of) {
                if !part.contains(name) {
                    part.push(name);
                }
            }
        }
        let parts: Vec<String> = parts.iter().map(|part| part.join(", ")).collect();
        paragraph(text, &format!("\nNot, of {what}: {}", parts.join(" x ")), 0);
        paragraph(text, &reason, 2);
        seen.push(reason);
    }
}

/// A paragraph of its own lines, with an empty line before it where the words ask for one.
fn paragraph(text: &mut String, words: &str, indent: usize) {
    let start = words.strip_prefix('\n').inspect(|_| text.push('\n')).unwrap_or(words);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{}", "", wrapped(start, indent, indent));
}
