//! Files in the format of perf, with what `pmu report` and `pmu script` do with them: there is an
//! answer or one clear sentence, in little time and memory.
//!
//! What reads these files is part of the program `pmu`, and no library has it: nobody else asked for
//! it, and a public reader would be a promise. So this program has the same modules, by their paths,
//! as `pmu` itself: they name each other from the root of their program, which is here. It runs the
//! two commands whole, from the command line to the pages, because what is damaged in a file often
//! shows only where it is printed. `fuzz/run` closes standard output. `pmu/tests/damaged.rs` has the same command lines.
#![no_main]
// Other commands need the rest, and types may be as complex as in `pmu`.
#![allow(dead_code, unused_imports, clippy::type_complexity)]

#[path = "../../pmu/src/csv.rs"]
mod csv;
#[path = "../../pmu/src/decimals.rs"]
mod decimals;
#[path = "../../pmu/src/failure.rs"]
mod failure;
#[path = "../../pmu/src/html/mod.rs"]
mod html;
#[path = "../../pmu/src/image/mod.rs"]
mod image;
#[path = "../../pmu/src/invocation.rs"]
mod invocation;
#[path = "../../pmu/src/json.rs"]
mod json;
#[path = "../../pmu/src/output.rs"]
mod output;
#[path = "../../pmu/src/pager.rs"]
mod pager;
#[path = "../../pmu/src/perf_data/mod.rs"]
mod perf_data;
#[path = "../../pmu/src/perf_options/mod.rs"]
mod perf_options;
#[path = "../../pmu/src/profile/mod.rs"]
mod profile;
#[path = "../../pmu/src/report/mod.rs"]
mod report;
#[path = "../../pmu/src/report_args.rs"]
mod report_args;
#[path = "../../pmu/src/report_values.rs"]
mod report_values;
#[path = "../../pmu/src/script/mod.rs"]
mod script;
#[path = "../../pmu/src/script_args.rs"]
mod script_args;
#[path = "../../pmu/src/style.rs"]
mod style;
#[path = "../../pmu/src/terminal.rs"]
mod terminal;

#[path = "../src/command_lines.rs"]
mod command_lines;

use std::cell::LazyCell;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use clap::{Args, Command};

use command_lines::{REPORTS, SCRIPTS};
use failure::{Failure, SUCCESS};
use perf_data::reader::{Fault, Reader};
use report_args::ReportArgs;
use script_args::ScriptArgs;

/// A place for the file, and the command lines that read it.
struct Asked {
    directory: PathBuf,
    file: PathBuf,
    scripts: Vec<ScriptArgs>,
    reports: Vec<ReportArgs>,
}

impl Asked {
    fn new() -> Self {
        let name = format!("pmu-events-fuzz-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).expect("the directory can be made");
        let file = directory.join("perf.data");
        // Paths in a file must not lead to the programs of this machine.
        let input = [
            "pmu".into(),
            "--no-pager".into(),
            format!("--input={}", file.display()),
            format!("--symfs={}", directory.display()),
        ];
        let scripts = SCRIPTS.iter().map(|words| parsed(&input, words)).collect();
        let reports = REPORTS.iter().map(|words| parsed(&input, words)).collect();
        Asked { directory, file, scripts, reports }
    }

    fn check(&self, data: &[u8]) {
        fs::write(&self.file, data).expect("the file can be written");
        for args in &self.scripts {
            self.hold(script::run(args));
        }
        for args in &self.reports {
            self.hold(report::run(args));
        }
        // What `stat report` reads; what it shows needs the rest of `stat`.
        if let Ok(mut reader) = Reader::open(&self.file) {
            black_box(reader.topology());
            let read = reader.counts(&mut |record| {
                black_box(record);
                Ok::<(), Fault>(())
            });
            assert!(read.is_ok_and(|()| reader.notes.len() < 10));
        }
    }

    /// There is an answer, or a sentence that names the file.
    fn hold(&self, answer: Result<u8, Failure>) {
        match answer {
            Ok(status) => assert_eq!(status, SUCCESS),
            Err(Failure::Missing(why)) => {
                let of_file = why.strip_prefix(&*self.file.to_string_lossy());
                // Parts of the recording need the times of its samples.
                let is_of_time = why.starts_with("`--time ");
                assert!(of_file.is_some_and(|why| why.len() > 5) || is_of_time, "{why}");
                assert!(why.len() < 1000 && !why.contains('\n'), "{why}");
            }
            Err(Failure::Write(what, error)) => panic!("cannot write {what}: {error}"),
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn parsed<A: Args>(input: &[String], words: &str) -> A {
    let command = A::augment_args(Command::new("pmu"));
    let words = input.iter().map(String::as_str).chain(words.split_whitespace());
    let matches = command.try_get_matches_from(words).expect("it is a command line");
    A::from_arg_matches(&matches).expect("it is a command line")
}

thread_local! {
    static ASKED: LazyCell<Asked> = const { LazyCell::new(Asked::new) };
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| ASKED.with(|asked| asked.check(data)));
