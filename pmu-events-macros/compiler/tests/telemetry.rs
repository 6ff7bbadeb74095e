//! Arm's telemetry specifications as a source: made-up ones with every rule, and the
//! result of compiling them.

mod described;

use std::path::Path;

use pmu_events_compiler::{Options, Source, Unknown, compile};

fn options() -> Options {
    let mut options = Options::default();
    options.unknown = Unknown::Deny;
    options
}

#[test]
fn what_the_source_says() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let source = Source::read(&tests.join("made-up-telemetry"), "telemetry", &options());
    assert_eq!(source.arch(), "arm64");
    match compile(&source, &options()) {
        Ok(compiled) => described::check(compiled, &tests.join("made-up-telemetry.txt")),
        Err(refused) => panic!("{}", refused.errors),
    }
}

/// Models that are not kept are not converted; a kernel tree is not mistaken for
/// specifications, nor the other way around.
#[test]
fn what_is_read() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut options = options();
    options.models = vec!["slate".to_owned()];
    let source = Source::read(&tests.join("made-up-telemetry"), "telemetry", &options);
    let compiled = compile(&source, &options).unwrap_or_else(|no| panic!("{}", no.errors));
    let names: Vec<&str> = compiled.models.iter().map(|model| &*model.directory).collect();
    assert_eq!(names, ["slate"]);
    for (directory, is_one) in [
        ("made-up-telemetry", true),
        ("made-up-telemetry/granite", true),
        ("made-up-perfmon", true),
        ("soc", true),
        ("described", false),
        ("nowhere", false),
    ] {
        assert_eq!(Source::is_at(&tests.join(directory)), is_one, "{directory}");
    }
}

/// A link to a specification in the same directory, such as that of an older
/// revision, is the same specification.
#[cfg(unix)]
#[test]
fn a_link_is_no_other_specification() {
    use std::fs;

    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked-telemetry");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory can be made");
    let slate = tests.join("made-up-telemetry/other.json");
    fs::copy(slate, directory.join("slate-r2p3.json")).expect("a file can be copied");
    for link in ["slate-r0p0.json", "slate-r9p9.json"] {
        std::os::unix::fs::symlink("slate-r2p3.json", directory.join(link)).expect("a link");
    }
    let source = Source::read(&directory, "telemetry", &options());
    let compiled = compile(&source, &options()).unwrap_or_else(|no| panic!("{}", no.errors));
    assert_eq!(compiled.models.len(), 1);
    assert!(source.paths().all(|path| path.ends_with("slate-r2p3.json")));
}

/// Specifications lie in a directory, or in those of families below it: not deeper,
/// and not in a kernel tree that is below.
#[test]
fn how_deep_specifications_lie() {
    use std::fs;

    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deep-telemetry");
    let _ = fs::remove_dir_all(&directory);
    let slate = fs::read_to_string(tests.join("made-up-telemetry/other.json")).expect("it is read");
    let write = |path: &str, text: &str| {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("it is below")).expect("a directory can be made");
        fs::write(path, text).expect("a file can be written");
    };
    // A second specification of the same CPU would be an error.
    for path in ["family/slate.json", "family/deeper/slate.json", "tree/slate.json"] {
        write(path, &slate);
    }
    write("tree/mapfile.csv", "pattern,version,directory,type\n");
    let source = Source::read(&directory, "telemetry", &options());
    let compiled = compile(&source, &options()).unwrap_or_else(|no| panic!("{}", no.errors));
    assert_eq!(compiled.models.len(), 1);
    let paths: Vec<_> = source.paths().collect();
    assert_eq!(paths, [directory.join("family/slate.json")]);
}
