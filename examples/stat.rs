//! Counts the events of a command, as `perf stat` does:
//!
//! ```text
//! cargo run --example stat -- instructions:u,task-clock,page-faults ls -l
//! ```
//!
//! `pmu stat` is the complete version of this example.

use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::Instant;

use pmu_events::System;
use pmu_events::open::{Options, Outcome};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [events, program, arguments @ ..] = &arguments[..] else {
        eprintln!("usage: stat EVENTS COMMAND [ARGUMENT]...");
        return ExitCode::from(2);
    };
    match stat(events, Command::new(program).args(arguments)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn stat(events: &str, command: &mut Command) -> Result<ExitCode, Box<dyn Error>> {
    // The counters of this thread also count its children.
    let mut counters = System::new().open_with(events, &Options::new().with_inherit(true))?;

    let start = Instant::now();
    counters.enable()?;
    let status = command.status()?;
    counters.disable()?;
    let elapsed = start.elapsed();

    for event in counters.read() {
        let note = match event.outcome() {
            Outcome::Counted(total) if total.share() < 1.0 => {
                format!("  (estimated: counted {:.0}% of the time)", 100.0 * total.share())
            }
            _ => String::new(),
        };
        match event.value() {
            Ok(value) => eprintln!("{value:>18} {:4} {}{note}", event.unit(), event.name()),
            Err(reason) => eprintln!("{:>18}      {}: {reason}", "-", event.name()),
        }
    }
    eprintln!("{:>18.6} s    elapsed", elapsed.as_secs_f64());
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}
