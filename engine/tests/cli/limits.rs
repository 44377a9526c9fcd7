//! Time-outs and memory limits.

use super::{ENDLESS, EXPERIMENT};
use crate::program::Folder;
use table::Frame;

#[test]
fn a_run_that_takes_too_long_is_a_failed_row() {
    let folder = Folder::new();
    folder.write("endless.ron", ENDLESS);
    let answer = folder.call("run endless.ron --run-timeout 2s");
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(answer.err.contains("stopped after 2 s (--run-timeout)"), "{}", answer.err);
    let runs = Frame::read_parquet(&folder.path("results/mine/endless/runs.parquet")).unwrap();
    let messages: Vec<Option<String>> =
        runs.text("message").unwrap().iter().map(|text| text.as_deref().map(str::to_owned)).collect();
    assert!(messages.contains(&Some("stopped after 2 s (--run-timeout)".to_owned())), "{messages:?}");
    assert!(messages.contains(&None), "{messages:?}");
}

#[test]
fn jobs_that_exceed_the_memory_limit_fail_with_a_message() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    let answer = folder.call("run e.ron --max-memory 1kB");
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(
        answer.err.contains("12 runs failed") && answer.err.contains("(--max-memory 1 kB)"),
        "{}",
        answer.err
    );
}

#[test]
fn limits_need_units() {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --run-timeout 30").refused(&["--run-timeout", "`30` is no length of time", "30m"]);
    folder.call("run e.ron --time-limit 8x").refused(&["--time-limit", "`8x`"]);
    folder.call("run e.ron --max-memory 8G").refused(&["--max-memory", "`8G` is no size", "8GB"]);
}
