//! Counts events of a command, of tasks or of whole CPUs: everyday use of
//! `perf stat`.
//!
//! ```text
//! cargo run --example stat -- true
//! cargo run --example stat -- -e msr/tsc/ -e task-clock -e page-faults -- true
//! cargo run --example stat -- -r 5 -e '{task-clock,page-faults}' sleep 0.1
//! cargo run --example stat -- -a -A -I 1000 --interval-count 3
//! cargo run --example stat -- -M IPC,TopdownL1 sleep 1
//! cargo run --example stat -- --help
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | `linux` | the program; there are no counters elsewhere |
//! | `cli` | what the examples' command lines have in common |
//! | `trees` | every tree of `arch/`, shared with the example `list` |

#[cfg(target_os = "linux")]
#[path = "../cli/mod.rs"]
mod cli;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
#[allow(dead_code)] // `list` uses more of it.
#[path = "../list/trees.rs"]
mod trees;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    linux::main()
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    use std::io::{Write, stderr};
    // Unlike `eprintln!`, does not panic when nobody listens.
    let _ = writeln!(stderr(), "stat: only Linux has perf_event_open");
    ExitCode::from(125)
}
