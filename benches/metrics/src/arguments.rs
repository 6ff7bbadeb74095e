//! What the program is told.

use std::ffi::OsString;

pub const USAGE: &str = "\
Usage: pmu-events-metric-benches [--perf PROGRAM] [--quick]

Measures what it takes to work out a metric: by pmu-events' programs, by its
parser, and by the crates fasteval and evalexpr, on the same formulas with the
same values. Prints a table in Markdown. The status is 1 when a target is missed
or anything allocates that must not, 2 when something does not work.

Options:
  --perf PROGRAM  measure perf's parser, too, which peer/build makes
  --quick         fewer passes: to see that it works
  -h, --help      print this text
";

/// What to do.
#[derive(Default)]
pub struct Arguments {
    pub help: bool,
    pub quick: bool,
    pub perf: Option<OsString>,
}

impl Arguments {
    /// `None` where they are not understood.
    pub fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut arguments = Arguments::default();
        while let Some(word) = words.next() {
            match word.to_str()? {
                "-h" | "--help" => arguments.help = true,
                "--quick" => arguments.quick = true,
                "--perf" => arguments.perf = Some(words.next()?),
                _ => return None,
            }
        }
        Some(arguments)
    }
}
