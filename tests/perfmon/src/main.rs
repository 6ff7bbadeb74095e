//! Compares a perfmon directory, read with perf's encodings, with the tree that
//! perf's script makes of the same directory.

use std::process::ExitCode;

use pmu_events_perfmon_comparison::{Arguments, compare};

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match compare(&arguments) {
        Ok(outcome) => {
            print!("{outcome}");
            if outcome.is_same() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
