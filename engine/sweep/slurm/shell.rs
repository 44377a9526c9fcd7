//! Words as the shell and as `sbatch` read them.

/// A word that the shell takes literally.
pub fn quote(word: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%^".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// An option as a line for `sbatch`, which knows double quotes and backslashes.
pub(super) fn directive(option: &str, value: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%^[]()&|*".contains(c);
    if !value.is_empty() && value.chars().all(harmless) {
        return format!("#SBATCH {option}={value}\n");
    }
    let value = value.replace('\\', r"\\").replace('"', "\\\"");
    format!("#SBATCH {option}=\"{value}\"\n")
}

/// Whether a text can be a line of a script: not empty, one line, nothing that a terminal would act upon.
pub fn is_plain_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_it_is_quoted() {
        assert_eq!(quote("/shared/a-b/e.ron"), "/shared/a-b/e.ron");
        assert_eq!(quote("policy=Easy()"), "'policy=Easy()'");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote("$HOME`x`\"\\"), "'$HOME`x`\"\\'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("~"), "'~'");
    }

    #[test]
    fn the_shell_reads_what_was_meant() {
        for word in
            ["a b", "it's", "$HOME", "`date`", "a\"b", "back\\slash", "*", "", "é ü", "-n", "a;b&c|d>e"]
        {
            let script = format!("printf %s {}", quote(word));
            let read = std::process::Command::new("sh").args(["-c", &script]).output();
            let read = read.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            assert_eq!(read.ok().as_deref(), Some(word));
        }
    }

    #[test]
    fn directives_are_lines_of_sbatch() {
        assert_eq!(directive("--mem", "4G"), "#SBATCH --mem=4G\n");
        assert_eq!(directive("--comment", "a \"b\" \\"), "#SBATCH --comment=\"a \\\"b\\\" \\\\\"\n");
    }

    #[test]
    fn a_line_is_one_line() {
        assert!(is_plain_line("--mem=4G") && is_plain_line("a b"));
        assert!(!is_plain_line("a\nrm") && !is_plain_line(" ") && !is_plain_line("\u{1b}[2J"));
    }
}
