//! The name under which the program is started: `pmu`, or `perf` through a link, for programs
//! that run perf and read its output.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

/// Whose streams, formats and exit statuses the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invocation {
    /// Notes and further fields say what perf does not.
    Pmu,
    /// perf's own output, and nothing else on the streams that programs read.
    Perf,
}

impl Invocation {
    /// That of this process.
    pub(crate) fn current() -> Self {
        Invocation::named(env::args_os().next().as_deref())
    }

    /// The file name decides: directories on the way to a link say nothing.
    fn named(program: Option<&OsStr>) -> Self {
        match program.map(Path::new).and_then(Path::file_name) {
            Some(name) if name == "perf" => Invocation::Perf,
            _ => Invocation::Pmu,
        }
    }

    pub(crate) fn is_perf(self) -> bool {
        self == Invocation::Perf
    }

    /// The name of the program, for messages.
    pub(crate) fn program(self) -> &'static str {
        match self {
            Invocation::Pmu => "pmu",
            Invocation::Perf => "perf",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_decides() {
        for (program, expected) in [
            (Some("perf"), Invocation::Perf),
            (Some("/usr/bin/perf"), Invocation::Perf),
            (Some("./perf"), Invocation::Perf),
            (Some("pmu"), Invocation::Pmu),
            (Some("/opt/perf/pmu"), Invocation::Pmu),
            (Some("perf-stat"), Invocation::Pmu),
            (Some(""), Invocation::Pmu),
            (None, Invocation::Pmu),
        ] {
            assert_eq!(Invocation::named(program.map(OsStr::new)), expected, "{program:?}");
        }
    }
}
