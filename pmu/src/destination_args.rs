//! Where counts are written. The options are outside the commands' modules because every system
//! has them, so that help and completions are the same everywhere.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DestinationArgs {
    /// Write to FILE instead of standard error
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write to the open descriptor FD instead of standard error
    #[arg(long, value_name = "FD", allow_negative_numbers = true, help_heading = "Output")]
    pub(crate) log_fd: Option<i32>,

    /// Append to the FILE of -o instead of replacing its contents
    #[arg(long, help_heading = "Output")]
    pub(crate) append: bool,
}
