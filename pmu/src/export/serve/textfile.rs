//! The file for node_exporter's textfile collector.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::collector::Collector;
use crate::export::collection::{Event, Requests};
use crate::export::exposition::Format;
use crate::failure::complain;

/// Writes the file now and at each interval.
pub(super) fn start(path: PathBuf, every: Duration, collector: &Collector, requests: &Requests) {
    let (collector, requests) = (collector.clone(), requests.clone());
    tokio::spawn(async move {
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut fault = None;
        loop {
            ticks.tick().await;
            let Some(text) = collector.read(Format::Prometheus).await else { return };
            let now = match write(&path, &text) {
                Ok(()) => None,
                Err(error) => {
                    requests.count(Event::TextfileFault);
                    Some(error.to_string())
                }
            };
            // Once, and not at each interval.
            match (&fault, &now) {
                (before, Some(why)) if before.as_ref() != Some(why) => {
                    let path = path.display();
                    complain(
                        "export",
                        &format!("{path} is not written, and stays as it was: {why}"),
                    );
                }
                (Some(_), None) => {
                    complain("export", &format!("{} is written again", path.display()));
                }
                _ => {}
            }
            fault = now;
        }
    });
}

/// Replaces the file: a reader sees the old one or the new one, never a part.
fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    // The collector takes files that end with `.prom`.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.tmp", process::id()));
    let written = fs::File::create(&new).and_then(|mut file| file.write_all(text));
    let renamed = written.and_then(|()| fs::rename(&new, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&new);
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_or_stays() {
        let place = std::env::temp_dir().join(format!("pmu-textfile-{}", process::id()));
        fs::create_dir_all(&place).expect("it can be made");
        let path = place.join("pmu.prom");
        write(&path, b"a 1\n").expect("it can be written");
        write(&path, b"a 2\n").expect("it can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"a 2\n");
        // A directory cannot be replaced by a file.
        let other = place.join("x.prom");
        fs::create_dir(&other).expect("it can be made");
        assert!(write(&other, b"a 3\n").is_err());
        let names = fs::read_dir(&place).expect("it is there").count();
        assert_eq!(names, 2, "nothing else is left");
        fs::remove_dir_all(place).expect("it was made");
    }
}
