//! The packed form of `arch/`, which a change of `arch/` brings up to date.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAP_FILE: &str = "Family-model,Version,Filename,EventType\nGenuineIntel-6-1,v1,one,core\n";
const EVENTS: &str =
    r#"[{"EventName": "A", "EventCode": "0x3c", "BriefDescription": "Counts A."}]"#;

/// A tree, and a crate for its packed form.
fn scene(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packed").join(name);
    let _ = fs::remove_dir_all(&root);
    for (file, text) in [
        ("arch/x86/mapfile.csv", MAP_FILE),
        ("arch/x86/former.csv", "Former name,Models,Name,Since\nolder,,one,0.2.0\n"),
        ("arch/x86/one/cache.json", EVENTS),
        ("arch/test/mapfile.csv", MAP_FILE),
        ("arch/test/one/cache.json", EVENTS),
        ("pmu-events/tables/src/lib.rs", ""),
    ] {
        write(&root.join(file), text);
    }
    root
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it has one")).unwrap();
    fs::write(path, text).unwrap();
}

/// The status, and what is said.
fn run(root: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu-events-import"));
    let output = command.current_dir(root).args(arguments).output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).expect("UTF-8"))
}

#[test]
fn an_edit_by_hand() {
    let root = scene("edit");
    let tables = root.join("pmu-events/tables/src");
    let changed = ["mod.rs", "strings.txt", "tables.bin"]
        .map(|file| format!("changed pmu-events/tables/src/x86/{file}\n"))
        .concat();
    assert_eq!(run(&root, &["--pack", "--check"]), (Some(1), changed));
    assert!(!tables.join("x86").exists(), "--check changes nothing");

    assert_eq!(run(&root, &["--pack"]), (Some(0), String::new()));
    assert_eq!(run(&root, &["--pack", "--check"]), (Some(0), String::new()));
    assert!(!tables.join("test").exists(), "the made-up tree is none that programs have");
    let statics = fs::read_to_string(tables.join("x86/mod.rs")).unwrap();
    for part in [
        "/// The event tree `pmu-events-arch/x86`: 1 models.\npub static TREE: Tree = ",
        "/// `one`: 1 events, 0 metrics.\npub static ONE: Model = Model::new(&TREE, 0);\n",
        "/// The former name of [`ONE`].\n#[deprecated(since = \"0.2.0\", note = \"use `ONE`\")]\n\
         pub static OLDER: Model = Model::new(&TREE, 0);\n",
        "pub const fn model(cpuid: &str) -> Option<Model> {\n",
    ] {
        assert!(statics.contains(part), "{part} in {statics}");
    }
    let strings = || fs::read_to_string(tables.join("x86/strings.txt")).unwrap();
    assert!(!strings().contains("event=0x2b"));

    // Only the event's string is another one.
    write(&root.join("arch/x86/one/cache.json"), &EVENTS.replace("0x3c", "0x2b"));
    let (status, said) = run(&root, &["--pack", "--check"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(!said.contains("mod.rs") && said.contains("x86/strings.txt"), "{said}");
    assert_eq!(run(&root, &["--pack"]), (Some(0), String::new()));
    assert!(strings().contains("event=0x2b"));
}

/// What a build of a user's own tree warns of is an error here: nobody would see the warning.
#[test]
fn a_likely_mistake() {
    let root = scene("mistake");
    write(&root.join("arch/x86/one/cache.json"), &EVENTS.replace("EventCode", "EventKode"));
    let (status, said) = run(&root, &["--pack"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("arch/x86/one/cache.json:1:21: unknown key `EventKode`"), "{said}");
    assert!(!root.join("pmu-events/tables/src/x86").exists());
}

#[test]
fn usage() {
    let root = scene("usage");
    let (status, said) = run(&root, &["--pack", "linux"]);
    assert_eq!((status, said.contains("`--pack` takes no TREE")), (Some(2), true), "{said}");
    fs::remove_dir_all(root.join("pmu-events")).unwrap();
    let (status, said) = run(&root, &["--pack"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("pmu-events/tables/src is no directory"), "{said}");
}

/// An import leaves both forms alike.
#[test]
fn after_an_import() {
    let root = scene("import");
    fs::remove_file(root.join("arch/x86/former.csv")).unwrap();
    let (status, said) = run(&root, &[]);
    assert_eq!(status, Some(0), "{said}");
    let first = fs::read(root.join("pmu-events/tables/src/x86/tables.bin")).unwrap();
    let overlay = r#"{"models": ["*"], "events": {"A": "Words of ours."}}"#;
    write(&root.join("overlay/x86/one.json"), overlay);
    let (status, said) = run(&root, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert_ne!(fs::read(root.join("pmu-events/tables/src/x86/tables.bin")).unwrap(), first);
    assert_eq!(run(&root, &["--pack", "--check"]), (Some(0), String::new()));
}
