//! What the compiler and Cargo see of an expansion: the same bytes every time,
//! and a new one whenever something changes that it was made of.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A directory of this test alone.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("expansion").join(name)
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// Starts a directory anew.
fn fresh(directory: &Path) {
    if let Err(error) = fs::remove_dir_all(directory) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{}", directory.display());
    }
    fs::create_dir_all(directory).unwrap();
}

fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(item.file_name());
        if item.file_type().unwrap().is_dir() {
            copy(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}

/// A crate outside the workspace that uses the library with its macro.
fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    package_with(name, &["macros"], files)
}

fn package_with(name: &str, features: &[&str], files: &[(&str, &str)]) -> PathBuf {
    let directory = scratch(name);
    fresh(&directory);
    let library = root().join("pmu-events");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\npmu-events = {{ path = {library:?}, features = {features:?} }}\n"
    );
    write(&directory, "Cargo.toml", &manifest);
    // The same versions as here, so that nothing has to be fetched.
    fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
    for (path, text) in files {
        write(&directory, path, text);
    }
    directory
}

/// What a build did.
#[derive(Debug, PartialEq, Eq)]
struct Built {
    /// Whether Cargo found nothing to do.
    fresh: bool,
    /// What the program prints.
    prints: String,
}

/// Builds a package, as a user would, and runs it.
fn build(package: &Path, variables: &[(&str, &Path)]) -> Built {
    let name = package.file_name().unwrap().to_str().unwrap();
    let output = cargo()
        .args(["build", "--offline", "--message-format=json", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(scratch("target"))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let stdout = String::from_utf8(output.stdout).unwrap();
    let artifact = stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .find(|message| {
            message["reason"] == "compiler-artifact"
                && message["target"]["name"] == name
                && message["executable"].is_string()
        })
        .expect("cargo names the program");
    let program = artifact["executable"].as_str().unwrap();
    let prints = Command::new(program).output().unwrap().stdout;
    Built {
        fresh: artifact["fresh"].as_bool().unwrap(),
        prints: String::from_utf8(prints).unwrap().trim_end().to_owned(),
    }
}

/// Names the events and metrics of all tables.
const MAIN: &str = r#"
mod m { pmu_events::pmu_events!(ARGUMENTS); }
fn main() {
    let tables = m::TREE.models().chain(m::TREE.sys_tables());
    let names: Vec<_> = tables
        .flat_map(|table| {
            let metrics = table.metrics().map(|metric| metric.name());
            table.events().map(|event| event.name()).chain(metrics).collect::<Vec<_>>()
        })
        .collect();
    println!("{}", names.join(" "));
}
"#;

const MAP: &str = "Family-model,Version,Filename,EventType\nsoc,v1,soc,core\n";

fn main_with(arguments: &str) -> String {
    MAIN.replace("ARGUMENTS", arguments)
}

/// A tree that has every kind of file.
fn tree(directory: &Path) {
    let files = [
        ("mapfile.csv", MAP),
        ("standard.json", "[{\"EventName\": \"STD\", \"EventCode\": \"1\"}]\n"),
        ("soc/core.json", "[{\"EventName\": \"A\"}, {\"ArchStdEvent\": \"STD\"}]\n"),
        ("soc/metrics.json", "[{\"MetricName\": \"M\", \"MetricExpr\": \"A / STD\"}]\n"),
        ("soc/metricgroups.json", "{\"G\": \"A group.\"}\n"),
        ("soc/counter.json", "[{\"Unit\": \"core\", \"CountersNumGeneric\": \"4\"}]\n"),
        ("soc/sys/bus.json", "[{\"EventName\": \"S\", \"Unit\": \"bus\", \"Compat\": \"1\"}]\n"),
        ("other/core.json", "[{\"EventName\": \"OTHER\"}]\n"),
        ("soc/notes.txt", "Nobody reads this.\n"),
    ];
    for (path, text) in files {
        write(directory, path, text);
    }
}

/// Builds a package that has an error; gives what the compiler says.
fn refused(package: &Path) -> String {
    let output = cargo()
        .args(["build", "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(scratch("target"))
        .output()
        .unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

/// Without the feature that it needs, the macro names it.
#[test]
fn a_missing_feature_is_named() {
    let own = package_with("no_macros", &[], &[("src/main.rs", &main_with("\"arch\""))]);
    let expected =
        "`pmu_events!` needs the feature `macros`: add `macros` to the features of pmu-events";
    let said = refused(&own);
    assert!(said.contains(expected), "{said}");
    for (feature, tree, what) in [
        ("perfmon", "made-up-perfmon", "Intel's perfmon"),
        ("telemetry", "made-up-telemetry", "a directory of Arm's telemetry specifications"),
    ] {
        let tree = root().join("pmu-events-macros/compiler/tests").join(tree);
        let main = main_with(&format!("{tree:?}, unknown = allow"));
        let files = [("src/main.rs", &*main)];
        let said = refused(&package_with(&format!("no_{feature}"), &["macros"], &files));
        let expected = format!(
            "{}: is {what}, which only the feature `{feature}` can read: add `{feature}` to the \
             features of pmu-events",
            tree.display()
        );
        assert!(said.contains(&expected), "{said}");
        assert!(said.contains("could not compile") && said.contains("1 previous error"), "{said}");
        // With it, the tree compiles.
        let package = package_with(&format!("with_{feature}"), &[feature], &files);
        assert_ne!(build(&package, &[]).prints, "");
    }
}

/// Every file that is read, and no other, makes the crate compile again.
#[test]
fn an_edited_file_recompiles() {
    let main = main_with("\"arch\", models = [\"soc\"]");
    let package = package("edited", &[("src/main.rs", &main)]);
    let arch = package.join("arch");
    tree(&arch);
    let built = |fresh, prints: &str| Built { fresh, prints: prints.to_owned() };
    assert_eq!(build(&package, &[]), built(false, "A STD M S"));
    assert_eq!(build(&package, &[]), built(true, "A STD M S"));
    let read = [
        "mapfile.csv",
        "standard.json",
        "soc/core.json",
        "soc/metrics.json",
        "soc/metricgroups.json",
        "soc/counter.json",
        "soc/sys/bus.json",
    ];
    for path in read {
        let text = fs::read_to_string(arch.join(path)).unwrap();
        fs::write(arch.join(path), text + "\n").unwrap();
        assert_eq!(build(&package, &[]), built(false, "A STD M S"), "{path}");
        assert_eq!(build(&package, &[]), built(true, "A STD M S"), "{path}");
    }
    for path in ["soc/notes.txt", "other/core.json"] {
        write(&arch, path, "no longer [ what it was");
        assert_eq!(build(&package, &[]), built(true, "A STD M S"), "{path}");
    }
    // What is in the program is what is in the file.
    write(&arch, "soc/core.json", "[{\"EventName\": \"A\"}, {\"EventName\": \"STD\"}]\n");
    write(&arch, "soc/metrics.json", "[{\"MetricName\": \"N\", \"MetricExpr\": \"A\"}]\n");
    assert_eq!(build(&package, &[]), built(false, "A STD N S"));
    fs::remove_file(arch.join("soc/metrics.json")).unwrap();
    assert_eq!(build(&package, &[]), built(false, "A STD S"));
}

/// A file that was read for a tree that had faults is watched like any other.
#[test]
fn a_mended_tree_compiles() {
    let package = package("mended", &[("src/main.rs", &main_with("\"arch\""))]);
    let arch = package.join("arch");
    tree(&arch);
    write(&arch, "soc/core.json", "[{\"EventName\": \"A\",}]\n");
    let stderr = refused(&package);
    assert!(stderr.contains("arch/soc/core.json:1:20: invalid JSON: "), "{stderr}");
    tree(&arch);
    assert_eq!(build(&package, &[]).prints, "OTHER A STD M S");
}

/// A variable of the path that changes, changes the tree.
#[test]
fn an_environment_variable_recompiles() {
    const NAME: &str = "PMU_EVENTS_EXPANSION_TEST";
    let main = main_with("\"${PMU_EVENTS_EXPANSION_TEST}/arch\", models = [\"soc\"]");
    let package = package("variable", &[("src/main.rs", &main)]);
    let (one, two) = (package.join("one"), package.join("two"));
    tree(&one.join("arch"));
    tree(&two.join("arch"));
    write(&two, "arch/soc/core.json", "[{\"EventName\": \"B\"}, {\"EventName\": \"STD\"}]\n");
    write(&two, "arch/soc/metrics.json", "[]\n");
    let built = |fresh, prints: &str| Built { fresh, prints: prints.to_owned() };
    assert_eq!(build(&package, &[(NAME, &one)]), built(false, "A STD M S"));
    assert_eq!(build(&package, &[(NAME, &one)]), built(true, "A STD M S"));
    assert_eq!(build(&package, &[(NAME, &two)]), built(false, "B STD S"));
    assert_eq!(build(&package, &[(NAME, &two)]), built(true, "B STD S"));
    assert_eq!(build(&package, &[(NAME, &one)]), built(false, "A STD M S"));
}

/// The compiler cannot see that a file is new; the line in `build.rs` that the
/// documentation names makes Cargo look.
#[test]
fn a_new_file_recompiles_with_the_build_script() {
    let main = main_with("\"arch\", models = [\"soc\"]");
    let script = "fn main() { println!(\"cargo::rerun-if-changed=arch\"); }\n";
    let with = package("new_seen", &[("src/main.rs", &main), ("build.rs", script)]);
    let without = package("new_unseen", &[("src/main.rs", &main)]);
    let built = |fresh, prints: &str| Built { fresh, prints: prints.to_owned() };
    for package in [&with, &without] {
        tree(&package.join("arch"));
        assert_eq!(build(package, &[]), built(false, "A STD M S"));
        assert_eq!(build(package, &[]), built(true, "A STD M S"));
        write(package, "arch/soc/new.json", "[{\"EventName\": \"NEW\"}]\n");
    }
    assert_eq!(build(&with, &[]), built(false, "A NEW STD M S"));
    assert_eq!(build(&with, &[]), built(true, "A NEW STD M S"));
    // If this ever changes, the documentation is out of date.
    assert_eq!(build(&without, &[]), built(true, "A STD M S"));
}

/// Every tree of `arch/`, compiled twice in different processes from different
/// places, is the same object code and the same metadata, to the byte.
#[test]
fn two_expansions_are_identical() {
    let package = package("twice", &[("src/main.rs", &main_with("\"arch\""))]);
    tree(&package.join("arch"));
    // Only for the library, which Cargo builds best.
    build(&package, &[]);
    let output = cargo()
        .args(["build", "--offline", "--message-format=json", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(scratch("target"))
        .output()
        .unwrap();
    let library = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|message| message["target"]["name"] == "pmu_events")
        .filter_map(|message| message["filenames"][0].as_str().map(PathBuf::from))
        .find(|file| file.extension().is_some_and(|extension| extension == "rlib"))
        .expect("cargo names the library");
    for arch in pmu_events_arch::TREES.iter().map(|tree| tree.name).chain(["test"]) {
        let first = expand(&library, arch, "one");
        assert!(first.iter().all(|(_, bytes)| bytes.len() > 1000), "{arch}");
        for place in ["two", "three"] {
            for ((kind, one), (_, other)) in first.iter().zip(expand(&library, arch, place)) {
                assert!(*one == other, "{arch}: two expansions differ in {kind}");
            }
        }
    }
}

/// Compiles a copy of a tree; gives the metadata and the object code.
fn expand(library: &Path, arch: &str, place: &str) -> Vec<(&'static str, Vec<u8>)> {
    let directory = scratch("identical").join(place);
    fresh(&directory);
    copy(&root().join("arch").join(arch), &directory.join(arch));
    let source = format!("mod m {{ pmu_events::pmu_events!({arch:?}); }}\npub use m::*;\n");
    write(&directory, "lib.rs", &source);
    let mut library_argument = OsString::from("pmu_events=");
    library_argument.push(library);
    let mut remap = directory.clone().into_os_string();
    remap.push("=/same");
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc")))
        .args(["--crate-name", "twice", "--crate-type", "lib", "--edition", "2024"])
        .args(["--emit", "metadata,obj", "-C", "codegen-units=1", "--remap-path-prefix"])
        .arg(remap)
        .arg("--out-dir")
        .arg(&directory)
        .arg("--extern")
        .arg(library_argument)
        // As the dependency of a package it lies among its own dependencies.
        .arg("-L")
        .arg(library.parent().unwrap())
        .arg(directory.join("lib.rs"))
        .env("CARGO_MANIFEST_DIR", &directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arch} compiles without warnings");
    [("the metadata", "libtwice.rmeta"), ("the object code", "twice.o")]
        .map(|(kind, file)| (kind, fs::read(directory.join(file)).unwrap()))
        .into()
}
