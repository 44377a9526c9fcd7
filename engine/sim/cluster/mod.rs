//! The machine's state during a run: which nodes are free, and when more will be.

pub mod machine;
