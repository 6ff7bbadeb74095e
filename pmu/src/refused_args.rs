//! Options of perf that `pmu stat` refuses, each with the reason.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct RefusedArgs {
    /// Not available: -p takes the processes of a user
    #[arg(short, long, value_name = "USER", value_parser = uid, hide = true)]
    uid: Option<Never>,
}

/// No value is accepted.
#[derive(Clone, Debug)]
enum Never {}

/// Nor has `perf stat` such an option: `perf record` and `perf top` do.
fn uid(user: &str) -> Result<Never, String> {
    Err(format!(
        "`stat` does not count by user; `-p $(pgrep -d, -u {user})` counts the processes that a \
         user has now"
    ))
}
