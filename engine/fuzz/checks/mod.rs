//! What must hold for every input, however odd. The fuzz targets and the tests that replay the corpus share these.

pub mod experiment;
pub mod segment;
pub mod swf;

/// Asserts that a message is one that a terminal can be shown.
#[track_caller]
fn assert_printable(message: &str) {
    assert!(!message.is_empty(), "an empty message");
    assert!(!message.chars().any(char::is_control), "control characters in {message:?}");
}
