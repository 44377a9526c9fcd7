//! The program in a folder of its own, called as a user calls it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder in which the program is called.
pub struct Folder(tempfile::TempDir);

/// What a call brought.
pub struct Answer {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.path(name), content).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Every file and folder in it, by name, folders with a slash.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        list(self.0.path(), "", &mut names);
        names.sort();
        names
    }

    /// The program with the words of `line`; a word in single quotes may hold spaces.
    pub fn call(&self, line: &str) -> Answer {
        let output = self.command(line).output().unwrap();
        Answer::of(&output)
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_backsweep"));
        command.args(words(line)).current_dir(self.0.path()).stdin(Stdio::null());
        for name in ["BACKSWEEP_TRACES", "NO_COLOR", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(name);
        }
        command
    }
}

impl Answer {
    pub fn of(output: &Output) -> Answer {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Answer { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Asserts that the call succeeded.
    #[track_caller]
    pub fn done(self) -> Answer {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self
    }

    /// Asserts that the question was refused with one clear message that holds all of `parts`.
    #[track_caller]
    pub fn refused(self, parts: &[&str]) -> Answer {
        assert_eq!(self.code, Some(2), "{}{}", self.out, self.err);
        assert_eq!(self.out, "", "nothing belongs on stdout");
        let plain: String =
            self.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert_eq!(plain.matches("error:").count(), 1, "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for part in parts {
            assert!(plain.contains(part), "{part} is not in\n{}", self.err);
        }
        self
    }
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, piece) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), names);
            names.push(format!("{name}/"));
        } else {
            names.push(name);
        }
    }
}
