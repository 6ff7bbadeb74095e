//! A model's metrics and events as one page for a browser.
//!
//! ```text
//! cargo run --example metrics -- --html metrics.html          # this machine's
//! cargo run --example metrics -- --model sapphirerapids --html spr.html
//! cargo run --example metrics -- --help
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | [`args`] | the command line |
//! | [`cli`] | what the examples' command lines have in common |
//! | [`trees`], [`subject`], [`facts`], [`spelling`] | tables and what they say, shared with the example `list` |
//! | [`contents`] | the events and metrics of a page, and what names in formulas mean |
//! | [`hierarchy`] | the tree that metrics form |
//! | [`page`] | the page: `page.html`, filled in, with `page.css` and `page.js` |
//! | [`html`] | text in HTML |
//! | [`write`] | a page's way into a file |

mod args;
#[path = "../cli/words.rs"]
#[allow(dead_code)] // `stat` uses more of it.
mod cli;
mod contents;
#[path = "../list/facts.rs"]
mod facts;
mod hierarchy;
mod html;
mod page;
#[path = "../list/spelling.rs"]
mod spelling;
#[path = "../list/subject.rs"]
mod subject;
#[path = "../list/trees.rs"]
mod trees;
mod write;

use std::env;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use args::{Command, Destination, Subject};

/// Why there is no page; the exit code follows from it.
enum Failure {
    Usage(String),
    NotFound(String),
    /// Of what, and why.
    Write(String, io::Error),
}

fn main() -> ExitCode {
    let (message, code) = match run() {
        Ok(()) => return ExitCode::SUCCESS,
        // Whoever reads, as `head` does, has seen enough.
        Err(Failure::Write(_, error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Write(what, error)) => (format!("cannot write {what}: {error}"), 1),
        Err(Failure::NotFound(message)) => (message, 1),
        Err(Failure::Usage(message)) => (format!("{message}\nTry `metrics --help`."), 2),
    };
    // Unlike `eprintln!`, does not panic when nobody listens.
    let _ = writeln!(io::stderr(), "metrics: {message}");
    ExitCode::from(code)
}

fn run() -> Result<(), Failure> {
    let args = match args::parse(env::args_os().skip(1)).map_err(Failure::Usage)? {
        Command::Help => return print(args::HELP),
        Command::Version => return print(concat!("metrics ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::Write(args) => args,
    };
    let tables = match &args.subject {
        Subject::Host => subject::of_host(),
        Subject::Cpu(cpuid) => subject::of_cpu(cpuid),
        Subject::Named(name) => subject::named(name),
    };
    let page = page::of(&tables.map_err(Failure::NotFound)?);
    match args.to {
        Destination::Output => print(&page),
        Destination::File(path) => write::whole(&path, &page)
            .map_err(|error| Failure::Write(format!("`{}`", path.display()), error)),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::Write("to standard output".into(), error))
}
