//! The whole program, from the outside.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod cli;
#[cfg(unix)]
mod crash;
mod determinism;
mod fuzz_corpus;
mod golden;
mod program;
mod tidy;
