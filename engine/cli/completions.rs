//! `completions`: a script for a shell.

use crate::args::Cli;
use crate::diagnostic::Failure;
use crate::output;
use crate::session::Ending;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use std::fmt::Write;

/// Prints the script, with what its generator leaves out.
///
/// # Errors
/// Where nobody reads it.
pub fn completions(shell: Shell) -> Result<Ending, Failure> {
    let mut script = Vec::new();
    let mut command = Cli::command();
    clap_complete::generate(shell, &mut command, "backsweep", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Fish => script += &positional_values(&command),
        // With two colons zsh completes no options behind the first file.
        Shell::Zsh => script = script.replace("\n'*::", "\n'*:"),
        _ => {}
    }
    output::data(&script)?;
    Ok(Ending::Done)
}

/// What the generator leaves out for fish: values of arguments that have no option's name, such as studies.
fn positional_values(command: &Command) -> String {
    let mut lines = String::new();
    for verb in command.get_subcommands() {
        let condition = format!("__fish_backsweep_using_subcommand {}", verb.get_name());
        offer(verb, &condition, &mut lines);
        for below in verb.get_subcommands() {
            let condition = format!("{condition}; and __fish_seen_subcommand_from {}", below.get_name());
            offer(below, &condition, &mut lines);
        }
    }
    lines
}

fn offer(verb: &Command, condition: &str, lines: &mut String) {
    let values = verb.get_positionals().flat_map(|argument| argument.get_possible_values());
    let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
    if !names.is_empty() {
        let _ = writeln!(lines, "complete -c backsweep -n \"{condition}\" -f -a \"{}\"", names.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fish_gets_values_without_option_names() {
        let lines = positional_values(&Cli::command());
        assert!(lines.contains("using_subcommand reproduce\" -f -a \"chiang "), "{lines}");
        assert!(lines.contains("trace; and __fish_seen_subcommand_from fetch\" -f -a \""), "{lines}");
        assert!(!lines.contains("using_subcommand run\""), "{lines}");
    }
}
