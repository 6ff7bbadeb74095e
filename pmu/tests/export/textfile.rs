//! The file for node_exporter's textfile collector.

use std::fs;
use std::os::unix::fs::symlink;

use crate::SOFTWARE;
use crate::export::{Exporter, SYSFS};
use crate::machines::Machine;

#[test]
fn the_file_of_the_textfile_collector() {
    let place = Machine::of(SYSFS);
    let directory = place.path("/textfile");
    let path = directory.join("pmu.prom");
    let exporter = Exporter::start(SOFTWARE, &["--textfile", path.to_str().expect("it is text")]);
    let until = |what: &str| exporter.until(what, || exporter.said().contains(what));
    // There is no such directory yet.
    until("pmu.prom is not written, and stays as it was: ");
    fs::create_dir_all(&directory).expect("it can be made");
    until("pmu.prom is written again");
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(text.contains("pmu_machine_info{") && text.ends_with('\n'), "{text}");
    assert!(!text.contains("# EOF"), "{text}");
    assert_eq!(fs::read_dir(&directory).expect("it is there").count(), 1);
    assert_eq!(exporter.end().code(), Some(0));
}

/// A full disk is told once, the file stays whole, and is written again when there is room.
#[test]
fn a_full_disk() {
    let place = Machine::of(SYSFS);
    let directory = place.path("/textfile");
    fs::create_dir_all(&directory).expect("it can be made");
    let path = directory.join("pmu.prom");
    let exporter = Exporter::start(SOFTWARE, &["--textfile", path.to_str().expect("it is text")]);
    exporter.until("the file", || path.exists());
    let before = fs::read_to_string(&path).expect("it is there");
    // Whatever is written there, no device has room for it.
    let new = directory.join(format!(".pmu.prom.{}.tmp", exporter.id()));
    let full = "pmu.prom is not written, and stays as it was: No space left on device";
    exporter.until(full, || {
        let _ = symlink("/dev/full", &new);
        exporter.said().contains(full)
    });
    let after = fs::read_to_string(&path).expect("it is there");
    assert!(before.ends_with('\n') && after.ends_with('\n'), "{after}");
    exporter.until("room", || {
        let _ = fs::remove_file(&new);
        exporter.said().contains("pmu.prom is written again")
    });
    assert_eq!(exporter.end().code(), Some(0));
}
