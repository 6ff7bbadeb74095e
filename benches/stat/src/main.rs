//! Measures one run of both sides by turns, and prints lines of key, tab, value.
//!
//! `pmu-events-stat-bench PMU PERF ROUNDS SECONDS`

mod control;
mod intervals;
mod process;

use std::path::{Path, PathBuf};

use process::{Side, calls, ended};

fn main() {
    let mut words = std::env::args().skip(1);
    let mut word = |what: &str| words.next().unwrap_or_else(|| panic!("{what} is missing"));
    let sides = [
        Side { name: "pmu", program: PathBuf::from(word("the path of pmu")) },
        Side { name: "perf", program: PathBuf::from(word("the path of perf")) },
    ];
    let rounds = word("the number of rounds").parse().expect("it is a number");
    let seconds: u32 = word("the number of seconds").parse().expect("it is a number");
    let scratch = std::env::temp_dir().join(format!("stat-bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("the scratch directory can be written");

    for (figure, arguments) in COMMANDS {
        short(&sides, figure, arguments, rounds);
    }
    for side in &sides {
        for (figure, arguments) in COMMANDS {
            let calls = calls(side, arguments, &scratch);
            println!("{}.{figure}_calls\t{calls}", side.name);
        }
        let count = (100 * seconds / 5).max(1).to_string();
        let arguments =
            ["-a", "-I", "10", "-x,", "-e", intervals::EVENTS, "--interval-count", &count];
        println!("{}.intervals_calls\t{}", side.name, calls(side, &arguments, &scratch));
        println!("{}.intervals_of_calls\t{count}", side.name);
        intervals::measure(side, seconds);
    }
    control::measure(&sides, 20 * rounds, &scratch);
    let _ = std::fs::remove_dir_all(&scratch);
}

/// What is run from start to end.
const COMMANDS: [(&str, &[&str]); 3] = [
    ("true", &["true"]),
    ("fields", &["-x,", "-e", "task-clock,page-faults", "true"]),
    ("repeated", &["-r", "5", "-e", "task-clock", "true"]),
];

/// Time from start to end and peak memory; medians.
fn short(sides: &[Side], figure: &str, arguments: &[&str], rounds: usize) {
    let mut times = [(); 2].map(|()| Vec::new());
    let mut peak = [0; 2];
    for _ in 0..rounds {
        for (n, side) in sides.iter().enumerate() {
            let ended = ended(side, arguments);
            times[n].push(ended.time.as_secs_f64() * 1e9);
            peak[n] = peak[n].max(ended.peak_kilobytes);
        }
    }
    for (n, side) in sides.iter().enumerate() {
        println!("{}.{figure}_ns\t{:.0}", side.name, median(&mut times[n]));
        println!("{}.{figure}_min_ns\t{:.0}", side.name, times[n][0]);
        println!("{}.{figure}_peak\t{}", side.name, peak[n]);
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn fifo(path: &Path) {
    let _ = std::fs::remove_file(path);
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.expect("POSIX has mkfifo").success());
}
