//! backsweep
fn main() {}
