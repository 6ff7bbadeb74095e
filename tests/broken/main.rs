//! Trees that are broken, each in its own way, and macros that are: one text file
//! per case says what is compiled and what is expected. `README.md` explains
//! them.
//!
//! Trees go through the compiler as a library. What depends on the macro goes
//! through rustc.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use pmu_events_compiler::Options;

use crate::case::{Case, empty_scratch, names, remove, write_basis};
use crate::generated::GENERATED;

mod case;
mod generated;
mod huge;
mod library;
mod rustc;

/// Runs one case; `Err` says what differs.
fn run(name: &str) -> Result<(), String> {
    let case = Case::read(name);
    let directory = empty_scratch(&format!("cases/{name}"));
    case.write(&directory);
    if let Some((_, generate)) = GENERATED.iter().find(|(generated, _)| *generated == name) {
        generate(&directory.join("tree"));
    }
    let (found, is_one) = match case.macro_arguments() {
        None => (library::check(&directory, &case.options()), true),
        Some(arguments) => {
            let said = rustc::compile(name, &directory, arguments, case.uses());
            (said.text, said.diagnostics <= 1)
        }
    };
    let found = anonymous(&found, &directory);
    if env::var_os("BLESS").is_some() {
        case.bless(&found);
    }
    let expected = Case::read(name).expected().to_owned();
    let mut report = String::new();
    if found != expected {
        let _ = write!(report, "--- expected\n{expected}--- found\n{found}");
    }
    if !is_one {
        let _ = writeln!(report, "--- rustc says more than one thing");
    }
    if found.contains("proc macro panicked") || found.contains("crash: ") {
        let _ = writeln!(report, "--- the macro or the compiler crashed");
    }
    if report.is_empty() { Ok(()) } else { Err(format!("{name}\n{report}")) }
}

/// A text without the name of the directory.
fn anonymous(text: &str, directory: &Path) -> String {
    let shown = directory.display().to_string();
    let real = fs::canonicalize(directory).unwrap().display().to_string();
    text.replace(&real, "$DIR").replace(&shown, "$DIR")
}

#[test]
fn every_broken_tree_has_its_message() {
    let names = Arc::new(names());
    let numbers: BTreeSet<_> = names.iter().map(|name| name.split('-').next()).collect();
    assert_eq!(numbers.len(), names.len(), "two cases have the same number");
    for (generated, _) in GENERATED {
        assert!(names.iter().any(|name| name == generated), "{generated} has no case");
    }
    rustc::build();
    let next = Arc::new(AtomicUsize::new(0));
    let (sender, results) = mpsc::channel();
    for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
        let (names, next, sender) = (Arc::clone(&names), Arc::clone(&next), sender.clone());
        thread::spawn(move || {
            while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                let result = std::panic::catch_unwind(|| run(name));
                let result = result.unwrap_or_else(|_| Err(format!("{name}\n--- it panics\n")));
                sender.send((name.clone(), result)).unwrap();
            }
        });
    }
    drop(sender);
    let mut waiting: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut reports = Vec::new();
    while !waiting.is_empty() {
        let Ok((name, result)) = results.recv_timeout(rustc::LONGEST) else {
            panic!("one of these cases does not end: {waiting:?}");
        };
        waiting.remove(name.as_str());
        reports.extend(result.err());
    }
    reports.sort();
    assert!(reports.is_empty(), "{} cases differ\n\n{}", reports.len(), reports.join("\n"));
}

/// Permissions do not bind root, under which containers run tests: then the
/// tree must compile, because nothing is closed.
#[test]
fn closed_directories_and_files() {
    use std::os::unix::fs::PermissionsExt;
    let directory = empty_scratch("closed");
    let root = directory.join("tree");
    write_basis(&directory);
    fs::create_dir(root.join("vault")).unwrap();
    for path in ["soc/closed.json", "vault/a.json"] {
        fs::write(root.join(path), "[]").unwrap();
    }
    for path in ["soc/closed.json", "vault"] {
        fs::set_permissions(root.join(path), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let is_closed = fs::read(root.join("soc/closed.json")).is_err();
    let found = library::check(&directory, &Options::default());
    remove(&directory);
    let expected = if is_closed {
        "error: 2 errors in the event tree\n\
         tree/soc/closed.json: cannot be read: Permission denied (os error 13)\n\
         tree/vault: cannot be read: Permission denied (os error 13)\n"
    } else {
        ""
    };
    assert_eq!(found, expected);
}

/// Messages do not depend on the order in which files are read or hashed.
#[test]
fn messages_are_the_same_every_time() {
    let case = Case::read("172-twenty-one-faults");
    let directory = empty_scratch("again");
    case.write(&directory);
    for _ in 0..5 {
        assert_eq!(library::check(&directory, &case.options()), case.expected());
    }
}
