//! Every input that fuzzing ever found interesting, through the same checks as the fuzz targets.

#[path = "../fuzz/checks/mod.rs"]
mod checks;

use crate::tidy::{assert_none, root};
use std::fs;

/// Calls `check` with the content of every file of a target's corpus.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = root().join("engine/fuzz/corpus").join(target);
    let (mut number, mut failed) = (0, Vec::new());
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let input = fs::read(&path).unwrap();
        number += 1;
        if std::panic::catch_unwind(|| check(&input)).is_err() {
            failed.push(path.display().to_string());
        }
    }
    assert!(number > 3, "only {number} inputs in {}", folder.display());
    assert_none("inputs that fail", &failed);
}

#[test]
fn experiments_of_the_corpus_pass_the_checks() {
    replay("experiment", |input| checks::experiment::check(&String::from_utf8_lossy(input)));
}

#[test]
fn logs_of_the_corpus_pass_the_checks() {
    replay("swf", checks::swf::check);
}

#[test]
fn segments_of_the_corpus_pass_the_checks() {
    replay("segment", checks::segment::check);
}
