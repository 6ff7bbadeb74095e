//! Files of counts: `perf stat report` shows those of pmu as pmu shows them, and pmu those of perf
//! as perf does.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What is recorded, and how the file is shown.
const CASES: &[(&str, &str)] = &[
    ("-e task-clock,page-faults,cs,cycles true", "report"),
    ("-e task-clock,page-faults,cycles true", "-j report"),
    ("-e task-clock,page-faults,cycles true", "-x, report"),
    ("true", "report"),
    ("-e page-faults true", "report"),
    ("-e page-faults:u,page-faults:k true", "report"),
    ("-e {task-clock,page-faults} true", "report"),
    ("--no-scale -e task-clock true", "report"),
    ("-a -e cpu-clock,page-faults,cs sleep 0.1", "report"),
    ("-a -A -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-a -A -e cpu-clock,page-faults sleep 0.1", "-x, report"),
    ("-a -e cpu-clock,page-faults sleep 0.1", "report -A"),
    ("-a -e cpu-clock,page-faults sleep 0.1", "report --per-core"),
    ("-a -e cpu-clock,page-faults sleep 0.1", "-j report --per-core"),
    ("-a --per-core -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-a --per-socket -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-a --per-die -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-a --per-node -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-a --per-cache -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-C 0 -e cpu-clock,page-faults sleep 0.1", "report"),
    ("-C 0 -A -e cpu-clock,page-faults sleep 0.1", "report"),
];

const DATA: &str = "counts.data";

struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Place {
    fn stat(&self, program: &Path, words: &str) -> Output {
        let mut command = Command::new(program);
        command.arg("stat").args(words.split(' ')).current_dir(&self.0);
        command.output().expect("it runs")
    }

    /// Records with a program; whether there is a file, which is not so where nothing may be counted.
    fn record(&self, program: &Path, words: &str) -> bool {
        let _ = fs::remove_file(self.0.join(DATA));
        let output = self.stat(program, &format!("record -o {DATA} {words}"));
        output.status.success()
    }
}

#[test]
fn files_of_counts() {
    let program = |variable: &str| PathBuf::from(env::var_os(variable).expect("`run` sets it"));
    let [perf, pmu] = ["PMU_EVENTS_PERF", "PMU_EVENTS_PMU_AS_PERF"].map(program);
    let place = Place(env::temp_dir().join(format!("recorded-counts-{}", std::process::id())));
    fs::create_dir_all(&place.0).expect("it can be made");
    let mut different = Vec::new();
    for (recorded, shown) in CASES {
        let written = [&perf, &pmu].map(|writer| {
            let is_there = place.record(writer, recorded);
            if is_there {
                let [of_perf, of_pmu] =
                    [&perf, &pmu].map(|reader| place.stat(reader, &format!("{shown} -i {DATA}")));
                if of_perf != of_pmu {
                    let [of_perf, of_pmu] =
                        [of_perf, of_pmu].map(|out| String::from_utf8_lossy(&out.stderr).into_owned());
                    let writer = writer.display();
                    different.push(format!(
                        "{writer} stat record {recorded}; {shown}\n--- perf\n{of_perf}\n--- pmu\n{of_pmu}"
                    ));
                }
            }
            is_there
        });
        assert_eq!(written[0], written[1], "{recorded}: only one of both has recorded");
    }
    assert!(different.is_empty(), "{} differences:\n\n{}", different.len(), different.join("\n\n"));
}

/// Intervals, of which `perf stat report` shows sums: what pmu shows of a file of perf is what perf
/// has shown while it counted.
#[test]
fn intervals_of_perf() {
    let program = |variable: &str| PathBuf::from(env::var_os(variable).expect("`run` sets it"));
    let [perf, pmu] = ["PMU_EVENTS_PERF", "PMU_EVENTS_PMU_AS_PERF"].map(program);
    let place = Place(env::temp_dir().join(format!("recorded-intervals-{}", std::process::id())));
    fs::create_dir_all(&place.0).expect("it can be made");
    let counted =
        place.stat(&perf, &format!("-x, record -o {DATA} -a -I 50 -e page-faults,cs sleep 0.2"));
    if !counted.status.success() {
        return;
    }
    let shown = place.stat(&pmu, &format!("-x, report -i {DATA}"));
    // Neither has relations to a clock.
    let lines = |output: Output| -> Vec<Vec<String>> {
        let text = String::from_utf8(output.stderr).expect("it is text");
        text.lines().map(|line| line.split(',').take(6).map(String::from).collect()).collect()
    };
    let (counted, shown) = (lines(counted), lines(shown));
    assert!(counted.len() >= 2, "{counted:?}");
    assert_eq!(shown, counted);
}
