//! `man`: manual pages, from the words of the help.

use crate::args::{Cli, ManArgs};
use crate::diagnostic::Failure;
use crate::output;
use crate::session::Ending;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use table::PendingFile;

/// Prints the page of the program, or writes it and one for every verb into a folder.
///
/// # Errors
/// Where a page cannot be written.
pub fn man(args: &ManArgs) -> Result<Ending, Failure> {
    let command = whole();
    match &args.dir {
        None => output::stream(|out| page(&command, out))?,
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|problem| unwritten(folder, &problem))?;
            write_all(&command, folder)?;
        }
    }
    Ok(Ending::Done)
}

/// The command line with what every verb inherits, without `help`, which has nothing to say.
fn whole() -> Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

fn write_all(command: &Command, folder: &Path) -> Result<(), Failure> {
    let mut text = Vec::new();
    let path = folder.join(Man::new(command.clone()).get_filename());
    page(command, &mut text).map_err(|problem| unwritten(&path, &problem))?;
    let mut file = PendingFile::create(&path)?;
    file.write_all(&text).map_err(|problem| unwritten(&path, &problem))?;
    file.commit()?;
    command.get_subcommands().filter(|verb| !verb.is_hide_set()).try_for_each(|verb| write_all(verb, folder))
}

fn unwritten(path: &Path, problem: &io::Error) -> Failure {
    Failure::work(format!("cannot write {}: {problem}", path.display()))
}

/// A page. What follows the options in the help is set here, because its examples are to keep their lines.
fn page(command: &Command, out: &mut dyn Write) -> io::Result<()> {
    let man = Man::new(command.clone());
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    // Not the renderer's own title, which drops the empty date and so calls the program's version one.
    writeln!(out, r#".TH {name} 1 "" "backsweep {}" """#, env!("CARGO_PKG_VERSION"))?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if command.get_subcommands().any(|verb| !verb.is_hide_set()) {
        man.render_subcommands_section(out)?;
    }
    if let Some(notes) = command.get_after_help() {
        set(&notes.to_string()).to_writer(out)?;
    }
    Ok(())
}

/// Plain text as a page has it: indented lines stay as they are, a line before them that ends in a colon is a heading, and the
/// others fill the width.
fn set(text: &str) -> Roff {
    let mut roff = Roff::default();
    roff.control("SH", ["NOTES"]);
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = false;
    for (at, line) in lines.iter().enumerate() {
        let is_kept = line.starts_with("  ");
        if is_kept != kept {
            // Two columns from the left, as in the help, whose lines just fit.
            let (fill, indent): (_, &[&str]) = if is_kept { ("nf", &["2n"]) } else { ("fi", &[]) };
            roff.control(fill, []).control("in", indent.iter().copied());
            kept = is_kept;
        }
        let heads = lines.get(at + 1).is_some_and(|next| next.starts_with("  "));
        match line.strip_suffix(':').filter(|_| heads) {
            Some(heading) => roff.control("SS", [heading]),
            None if line.is_empty() => roff.control("PP", []),
            None => roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]),
        };
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_keep_their_lines() {
        let text = set("Some words\nfill.\n\nExamples:\n  backsweep run a.ron\n    -x").render();
        let tail = text.split_once(".SH NOTES\n").map(|(_, tail)| tail);
        let expected = "Some words\nfill.\n.PP\n.SS Examples\n.nf\n.in 2n\nbacksweep run a.ron\n  \\-x\n";
        assert_eq!(tail, Some(expected));
    }
}
