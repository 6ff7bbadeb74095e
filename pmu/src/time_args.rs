//! When `pmu stat` counts, how often, and who switches it. It is outside the command's
//! module because every system has it, so that help and completions are the same everywhere.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use pmu_events::control::{Address, Error as ControlError};

/// When to count.
#[derive(Args, Debug)]
pub(crate) struct TimeArgs {
    /// Run the COMMAND N times and show the mean and the deviation; 0: forever, and show each run
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = repeat,
          allow_negative_numbers = true, help_heading = "Time")]
    pub(crate) repeat: i32,

    #[command(flatten)]
    pub(crate) intervals: IntervalArgs,

    /// Clear the screen before each interval; needs a terminal
    #[arg(long, help_heading = "Time")]
    pub(crate) interval_clear: bool,

    /// End after MS milliseconds, at least 10, the COMMAND with SIGTERM; not with -I
    #[arg(long, value_name = "MS", value_parser = number, help_heading = "Time")]
    pub(crate) timeout: Option<u32>,

    /// Start counting after MS milliseconds; -1: when --control says `enable`
    #[arg(short = 'D', long, value_name = "MS", value_parser = delay,
          allow_negative_numbers = true, help_heading = "Time")]
    pub(crate) delay: Option<Delay>,

    /// Obey commands that are written to a descriptor or a FIFO, and acknowledge each on another:
    /// enable, disable, enable EVENT, disable EVENT, evlist, ping
    #[arg(long, value_name = "fd:CTL[,ACK]|fifo:CTL[,ACK]",
          value_parser = OsStringValueParser::new().try_map(control), help_heading = "Time")]
    pub(crate) control: Option<Address>,

    /// Run a shell command before each run; if it fails, nothing is counted
    #[arg(long, value_name = "SHELL-COMMAND", help_heading = "Time")]
    pub(crate) pre: Option<String>,

    /// Run a shell command after each run whose COMMAND succeeds
    #[arg(long, value_name = "SHELL-COMMAND", help_heading = "Time")]
    pub(crate) post: Option<String>,

    /// Write what files have in memory to their disks before each run, as sync(1) does
    #[arg(short = 'S', long, help_heading = "Time")]
    pub(crate) sync: bool,
}

/// Intervals, each of which is shown.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct IntervalArgs {
    /// Show what was counted in each interval of MS milliseconds
    #[arg(short = 'I', long, value_name = "MS", value_parser = number, help_heading = "Time")]
    interval_print: Option<u32>,

    /// End after N intervals; needs -I
    #[arg(long, value_name = "N", value_parser = number, help_heading = "Time")]
    interval_count: Option<u32>,
}

impl IntervalArgs {
    pub(crate) fn length(self) -> Option<Duration> {
        milliseconds(self.interval_print)
    }

    /// How many there are. An error explains the wrong usage.
    pub(crate) fn count(self) -> Result<Option<u64>, String> {
        match self.interval_count.filter(|&count| count > 0) {
            Some(_) if self.length().is_none() => {
                Err("`--interval-count` needs `-I`: it counts the intervals that -I shows".into())
            }
            count => Ok(count.map(u64::from)),
        }
    }
}

/// 0 is as good as nothing.
pub(crate) fn milliseconds(number: Option<u32>) -> Option<Duration> {
    number.filter(|&number| number > 0).map(|number| Duration::from_millis(number.into()))
}

/// How often a command runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Repeat {
    Times(u64),
    Forever,
}

impl Repeat {
    const EXPECTED: &str = "expected a number of runs, 1 or more, or 0 to repeat forever";

    pub(crate) fn new(times: i32) -> Result<Self, String> {
        match u64::try_from(times) {
            Ok(0) => Ok(Repeat::Forever),
            Ok(times) => Ok(Repeat::Times(times)),
            Err(_) => Err(format!("`--repeat {times}`: {}", Repeat::EXPECTED)),
        }
    }

    /// Whether the output is the mean of several runs.
    pub(crate) fn is_mean(self) -> bool {
        matches!(self, Repeat::Times(2..))
    }
}

/// When counters are enabled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Delay {
    /// So long after the command has begun.
    For(Duration),
    /// When somebody says so.
    UntilTold,
}

/// A negative number is refused later, as perf does.
fn repeat(text: &str) -> Result<i32, String> {
    text.parse().map_err(|_| Repeat::EXPECTED.into())
}

pub(crate) fn control(text: OsString) -> Result<Address, ControlError> {
    Address::parse(&text)
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a number of 0 or more".into())
}

/// `perf stat` waits with a signed number of milliseconds, and takes each negative one as -1.
fn delay(text: &str) -> Result<Delay, String> {
    match text.parse::<i32>() {
        Ok(delay) => Ok(match u64::try_from(delay) {
            Ok(delay) => Delay::For(Duration::from_millis(delay)),
            Err(_) => Delay::UntilTold,
        }),
        Err(_) => Err("expected milliseconds, or -1 to start when --control says `enable`".into()),
    }
}
