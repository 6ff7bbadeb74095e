//! Intervals of 10 ms: how many come, and how late.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::process::Side;

pub const EVENTS: &str = "cpu-clock,context-switches,page-faults";

const MILLISECONDS: f64 = 10.0;

pub fn measure(side: &Side, seconds: u32) {
    let wanted = 100 * seconds;
    let mut command = side.stat();
    command.args(["-a", "-I", "10", "-x,", "-e", EVENTS, "--interval-count"]);
    let mut child =
        command.arg(wanted.to_string()).stderr(Stdio::piped()).spawn().expect("it runs");
    let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    // Each interval has a line for each event.
    let mut times: Vec<f64> = Vec::new();
    for line in lines {
        let line = line.expect("it is text");
        let time = line.split(',').next().and_then(|field| field.trim().parse::<f64>().ok());
        if let Some(time) = time.filter(|time| times.last() != Some(time)) {
            times.push(time);
        }
    }
    assert!(child.wait().expect("it is a child").success(), "{}", side.name);
    // How late each is after its own moment, and after the one before.
    let late = |(n, time): (usize, &f64)| time * 1e3 - MILLISECONDS * (n + 1) as f64;
    let drift = times.iter().enumerate().map(late).fold(0.0, f64::max);
    let gaps = times.windows(2).map(|pair| (pair[1] - pair[0]) * 1e3);
    let mut gaps: Vec<f64> = gaps.collect();
    let longest = gaps.iter().copied().fold(0.0, f64::max);
    let lost = gaps.iter().map(|gap| (gap / MILLISECONDS - 0.5).floor().max(0.0)).sum::<f64>();
    println!("{}.intervals_wanted\t{wanted}", side.name);
    println!("{}.intervals_shown\t{}", side.name, times.len());
    println!("{}.intervals_lost\t{lost:.0}", side.name);
    println!("{}.intervals_gap_ms\t{:.3}", side.name, crate::median(&mut gaps));
    println!("{}.intervals_late_ms\t{:.3}", side.name, longest - MILLISECONDS);
    println!("{}.intervals_drift_ms\t{drift:.3}", side.name);
}
