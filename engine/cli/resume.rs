//! The command line, to be given again.

use std::ffi::{OsStr, OsString};

/// The words of this process's command line, so that a shell reads the same words.
pub fn command_line() -> String {
    quoted(std::env::args_os())
}

/// The same without `--shard`.
pub fn without_shard() -> String {
    let mut words: Vec<OsString> = Vec::new();
    let mut skip = false;
    for word in std::env::args_os() {
        let whole = word == OsStr::new("--shard");
        let joined = word.to_str().is_some_and(|word| word.starts_with("--shard="));
        if !skip && !whole && !joined {
            words.push(word);
        }
        skip = whole && !skip;
    }
    quoted(words)
}

fn quoted(words: impl IntoIterator<Item = OsString>) -> String {
    words.into_iter().map(|word| quote(&word)).collect::<Vec<_>>().join(" ")
}

fn quote(word: &OsStr) -> String {
    match word.to_str() {
        Some(word) if !word.chars().any(char::is_control) => sweep::slurm::quote(word),
        _ => {
            let byte = |byte: &u8| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
                b' '..=b'~' => char::from(*byte).to_string(),
                byte => format!("\\x{byte:02x}"),
            };
            format!("$'{}'", word.as_encoded_bytes().iter().map(byte).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_same_words() {
        for (word, expected) in [
            ("run", "run"),
            ("a/b-c_d.ron", "a/b-c_d.ron"),
            ("--set=load=0.7,0.8", "--set=load=0.7,0.8"),
            ("", "''"),
            ("policy=Easy()", "'policy=Easy()'"),
            ("it's", r"'it'\''s'"),
            ("ø", "'ø'"),
            ("a\nb'", r"$'a\x0ab\''"),
            ("~", "'~'"),
        ] {
            assert_eq!(quote(OsStr::new(word)), expected);
        }
    }
}
