//! What `matrix` can be asked.

use clap::Args;

/// `matrix`.
#[derive(Args, Debug)]
pub struct MatrixArgs {
    /// Also say what is refused, and why.
    #[arg(long)]
    pub why: bool,
}
