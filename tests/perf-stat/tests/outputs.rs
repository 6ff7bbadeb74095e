//! What both programs write for the same command lines, and how they end.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pmu_events_perf_stat::combinations::{self, Combination};
use pmu_events_perf_stat::differences;
use pmu_events_perf_stat::mask::masked;
use pmu_events_perf_stat::run::{Place, Run, run};

/// Fewer would say less than the project does.
const LEAST: usize = 300;

fn program(variable: &str) -> PathBuf {
    let path = env::var_os(variable).unwrap_or_else(|| panic!("{variable} is set by `run`"));
    PathBuf::from(path)
}

#[test]
fn outputs_are_those_of_perf() {
    let [perf, pmu] = ["PMU_EVENTS_PERF", "PMU_EVENTS_PMU_AS_PERF"].map(program);
    let directory = env::temp_dir().join(format!("pmu-perf-stat-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("it can be made");
    let mut sleeper = Command::new("sleep").arg("3600").spawn().expect("sleep is installed");
    let place = Place { directory: directory.clone(), process: sleeper.id() };
    let mut combinations = combinations::all();
    assert!(combinations.len() >= LEAST, "only {} command lines", combinations.len());
    let has_counters = !has_no_counters(&perf, &place);
    if !has_counters {
        combinations.retain(Combination::needs_no_kernel);
    }
    let all_is_counted = has_counters && counts_all(&perf, &place);
    let mut occurred = vec![0; differences::ALL.len()];
    let mut unexplained = Vec::new();
    for combination in &combinations {
        let compared = |locale: &str| {
            let runs = [&perf, &pmu].map(|program| run(program, combination, &place, locale));
            let masks = runs.each_ref().map(|run| masked(run, combination));
            (runs, masks)
        };
        let explanation = |[perf, pmu]: [&Run; 2]| {
            let all = differences::ALL.iter();
            all.enumerate().find(|(_, one)| (one.explains)(combination, [perf, pmu]))
        };
        // A machine under load makes a line more or less, a count of nothing or of something.
        let mut differs = None;
        for _ in 0..3 {
            let (runs, [of_perf, of_pmu]) = compared("C");
            if of_perf == of_pmu {
                differs = None;
                break;
            }
            if let Some((number, _)) = explanation([&of_perf, &of_pmu]) {
                occurred[number] += 1;
                differs = None;
                break;
            }
            differs = Some((runs, of_perf, of_pmu));
        }
        if let Some((_, of_perf, of_pmu)) = differs {
            unexplained.push(format!(
                "perf stat {}\n{}",
                combination.words,
                shown(&of_perf, &of_pmu)
            ));
        }
    }
    let _ = sleeper.kill();
    let _ = sleeper.wait();
    let _ = fs::remove_dir_all(directory);
    println!("{} command lines", combinations.len());
    for (difference, times) in differences::ALL.iter().zip(&occurred) {
        println!("{times:4} {}", difference.reason);
    }
    let number = unexplained.len();
    assert!(unexplained.is_empty(), "{number} differences:\n\n{}", unexplained.join("\n\n"));
    // Where little may be counted, both refuse most of the command lines.
    for (difference, times) in differences::ALL.iter().zip(occurred) {
        assert!(
            times > 0 || !all_is_counted,
            "this difference no longer occurs: {}",
            difference.reason
        );
    }
}

/// Whether perf may count whole CPUs, and so everything.
fn counts_all(perf: &Path, place: &Place) -> bool {
    let whole_cpus = Combination { words: "-a -e cs true".into(), has_contents: false };
    run(perf, &whole_cpus, place, "C").has_counts()
}

/// Whether the kernel, or a sandbox, has no such system call, so that no event is supported.
fn has_no_counters(perf: &Path, place: &Place) -> bool {
    let switches = Combination { words: "-e cs true".into(), has_contents: false };
    run(perf, &switches, place, "C").err.contains("<not supported>")
}

/// The lines of each stream that differ.
fn shown(perf: &Run, pmu: &Run) -> String {
    let mut text = String::new();
    if perf.status != pmu.status {
        text.push_str(&format!("status: {} and {}\n", perf.status, pmu.status));
    }
    let none = String::new();
    for (stream, perf, pmu) in [
        ("standard output", &perf.out, &pmu.out),
        ("standard error", &perf.err, &pmu.err),
        ("file", perf.file.as_ref().unwrap_or(&none), pmu.file.as_ref().unwrap_or(&none)),
        ("descriptor 3", &perf.descriptor, &pmu.descriptor),
    ] {
        if perf != pmu {
            text.push_str(&format!("{stream}:\n--- perf\n{perf}\n--- pmu\n{pmu}\n"));
        }
    }
    text
}
