//! What the recipes of the cookbook print: software events where the kernel permits, and
//! made-up machines where no counter is needed.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;
use std::time::Instant;

use pmu_events::control::{Address, Server};

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/cargo.rs"]
mod cargo;
#[allow(dead_code)] // Other tests use more of it.
#[path = "machines/mod.rs"]
mod machines;
#[path = "common/rights.rs"]
mod rights;

use machines::Machine;
use rights::{Rights, has_hardware, rights};

/// What a recipe prints, and for how many seconds it ran.
struct Printed {
    lines: Vec<String>,
    elapsed: f64,
}

/// The program of all recipes; Cargo need not look for it once for each.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| cargo::example("cookbook"));

/// Runs a recipe with the variables of a machine.
fn run(recipe: &str, variables: &[(&str, &str)]) -> Result<Printed, String> {
    let mut command = Command::new(&*PROGRAM);
    command.arg(recipe).env_remove("SYSFS_PATH").env_remove("PERF_CPUID");
    let start = Instant::now();
    let output = command.envs(variables.iter().copied()).output().expect("the recipe runs");
    let elapsed = start.elapsed().as_secs_f64();
    let text = |bytes| String::from_utf8(bytes).expect("the recipe prints text");
    match output.status.success() {
        true => {
            Ok(Printed { lines: text(output.stdout).lines().map(String::from).collect(), elapsed })
        }
        false => Err(text(output.stderr)),
    }
}

/// What a recipe prints that counts on this machine; none where nobody may, which it then
/// says in a sentence.
#[track_caller]
fn counted(recipe: &str, needed: Rights) -> Option<Printed> {
    let answer = run(recipe, &[]);
    if rights() >= needed {
        return Some(shown(recipe, answer));
    }
    if !rights::has_no_counters() {
        assert_not_permitted(recipe, &answer.err().expect("it may not count"));
    }
    None
}

/// What a recipe prints that counts events of the cores alone.
///
/// Where nobody may count, it says so, unless it opens nothing: the machine has no core
/// PMU, or its CPU is in no tree.
#[track_caller]
fn counted_by_cores(recipe: &str) -> Option<Printed> {
    match run(recipe, &[]) {
        Err(why) if rights() < Rights::User => {
            if !rights::has_no_counters() {
                assert_not_permitted(recipe, &why);
            }
            None
        }
        answer => Some(shown(recipe, answer)),
    }
}

#[track_caller]
fn shown(recipe: &str, answer: Result<Printed, String>) -> Printed {
    let printed = answer.unwrap_or_else(|why| panic!("{recipe}: {why}"));
    let text = printed.lines.join("\n");
    assert!(!text.contains("NaN") && !text.contains(" { "), "{recipe}: {text}");
    printed
}

#[track_caller]
fn assert_not_permitted(recipe: &str, why: &str) {
    assert!(why.starts_with("Error: ") && why.contains("not permitted"), "{recipe}: {why}");
}

impl Printed {
    /// The number of the line that begins and ends with these words.
    #[track_caller]
    fn number(&self, before: &str, behind: &str) -> f64 {
        let part = |line: &String| {
            let line = line.trim();
            Some(line.strip_prefix(before)?.strip_suffix(behind)?.trim().to_string())
        };
        let found = self.lines.iter().find_map(|line| part(line)?.parse().ok());
        found.unwrap_or_else(|| panic!("no `{before}…{behind}` in {:#?}", self.lines))
    }

    /// A time in seconds that is part of the run.
    #[track_caller]
    fn seconds(&self, before: &str, behind: &str) -> f64 {
        let seconds = self.number(before, behind);
        assert!(seconds > 0.0 && seconds <= self.elapsed, "{seconds} of {} s", self.elapsed);
        seconds
    }

    /// That an event of the cores has a number, or a reason where there is no hardware.
    #[track_caller]
    fn assert_has_hardware_count(&self, event: &str) {
        let line = self.lines.iter().find(|line| line.contains(event));
        let line = line.unwrap_or_else(|| panic!("no `{event}` in {:#?}", self.lines));
        // A machine may have a PMU, but not this event.
        let has_reason = line.contains(&format!("{event}: "))
            && (!has_hardware() || line.contains("does not") || line.contains("cannot"));
        let words = line.split_whitespace();
        let has_number = words.filter_map(|word| word.parse::<f64>().ok()).any(|n| n > 0.0);
        assert!(has_number || has_reason, "{line}");
    }
}

/// Modifiers that the machine's settings add.
fn user_only(event: &str) -> String {
    if rights() == Rights::User { format!("{event}:u") } else { event.into() }
}

#[test]
fn closure() {
    let Some(printed) = counted("closure", Rights::User) else { return };
    assert_eq!(printed.lines[0], "168 primes took");
    printed.seconds(&format!("{}: ", user_only("task-clock")), " s");
    assert!(printed.number(&format!("{}: ", user_only("page-faults")), "") >= 0.0);
    printed.assert_has_hardware_count("instructions:u");
}

#[test]
fn two_functions() {
    let Some(printed) = counted("two_functions", Rights::User) else { return };
    let results: Vec<&String> = printed.lines.iter().filter(|line| line.contains(" = ")).collect();
    assert_eq!(results, ["loop = 333328333350000", "formula = 333328333350000"]);
    let clock = user_only("task-clock");
    let times: Vec<f64> = printed
        .lines
        .iter()
        .filter_map(|line| line.trim().strip_suffix(&format!(" s {clock}"))?.parse().ok())
        .collect();
    let [of_loop, of_formula] = times[..] else { panic!("{:#?}", printed.lines) };
    assert!(of_loop > 0.0 && of_formula > 0.0, "{times:?}");
    assert!(of_loop + of_formula <= printed.elapsed, "{times:?}");
}

#[test]
fn short_regions() {
    let Some(printed) = counted("short_regions", Rights::User) else { return };
    for round in 0..3 {
        assert_eq!(printed.number(&format!("round {round}: "), ""), 4_999_950_000.0);
    }
    let clock = format!("{}: ", user_only("task-clock"));
    let times = printed.lines.iter().filter_map(|line| line.trim().strip_prefix(&clock));
    let times: Vec<f64> =
        times.filter_map(|text| text.strip_suffix(" s (system call: yes)")?.parse().ok()).collect();
    assert_eq!(times.len(), 3, "{:#?}", printed.lines);
    assert!(times.iter().all(|&time| time > 0.0), "{times:?}");
    assert!(times.iter().sum::<f64>() <= printed.elapsed, "{times:?}");
    printed.assert_has_hardware_count("instructions:u");
}

#[test]
fn trust() {
    // A machine that refuses to count is an answer here, and no error.
    let printed = shown("trust", run("trust", &[]));
    if rights() == Rights::Nothing {
        let refused = |line: &&String| line.contains(": refused: ") && !line.starts_with("trust ");
        assert_eq!(printed.lines.iter().filter(refused).count(), 6, "{:#?}", printed.lines);
        return;
    }
    let line = |start: &str| {
        let found = printed.lines.iter().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start}: {:#?}", printed.lines))
    };
    // A mebibyte is touched for the first time.
    assert!(line("trust page-faults").contains(": alive: "), "{:#?}", printed.lines);
    assert_eq!(line("budget page-faults"), "budget page-faults: counted: all the time");
    let instructions = match has_hardware() {
        true => "instructions:u: ",
        false => "do not use instructions:u: refused: ",
    };
    assert!(printed.lines.iter().any(|line| line.contains(instructions)), "{:#?}", printed.lines);
}

#[test]
fn in_a_struct() {
    let Some(printed) = counted("in_a_struct", Rights::User) else { return };
    let faults = user_only("page-faults");
    // A mebibyte is touched in one phase, and not in the other.
    let (reserve, fill) = (printed.number("reserve: ", &faults), printed.number("fill: ", &faults));
    assert!(fill >= 1.0 && fill.fract() == 0.0 && reserve < fill, "{reserve} and {fill}");
    assert!(printed.number("fill: ", &user_only("context-switches")) >= 0.0);
    assert_eq!(printed.number("", "bytes"), 1_048_576.0);
}

#[test]
fn regions() {
    let Some(printed) = counted("regions", Rights::User) else { return };
    for label in ["sum", "split"] {
        assert!(printed.lines.contains(&format!("{label}: 3 regions")), "{:#?}", printed.lines);
    }
    let clock = user_only("task-clock");
    let is_time = |line: &&String| line.contains(&format!(" s      {clock}, "));
    let times: Vec<f64> = printed
        .lines
        .iter()
        .filter(is_time)
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .collect();
    let [sum, split] = times[..] else { panic!("{:#?}", printed.lines) };
    assert!(0.0 < split && split <= sum && sum <= printed.elapsed, "{times:?}");
    printed.assert_has_hardware_count("instructions:u");
}

#[test]
fn threads() {
    let Some(printed) = counted("threads", Rights::User) else { return };
    printed.seconds("4999950000 took ", " s");
    printed.seconds("19999900000 took ", " s");
    assert_eq!(printed.number("open for ", " threads"), 1.0);
}

#[test]
fn whole_system() {
    let Some(printed) = counted("whole_system", Rights::Cpus) else { return };
    // On each CPU, the clock ticks as long as the program sleeps.
    let seconds = printed.number("cpu-clock: ", " s");
    let cpus = std::thread::available_parallelism().expect("it is known").get() as f64;
    assert!(seconds >= 0.01 * cpus, "{seconds} s on {cpus} CPUs");
    let all = fs::read_to_string("/proc/stat").expect("it can be read");
    let all = all.lines().filter(|line| line.starts_with("cpu")).count() - 1;
    assert!(seconds <= printed.elapsed * all as f64, "{seconds} s on {all} CPUs");
}

#[test]
fn hybrid_cpus() {
    let machine = Machine::named("alderlake");
    let sysfs = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let printed =
        run("hybrid_cpus", &[("SYSFS_PATH", sysfs), ("PERF_CPUID", "GenuineIntel-6-97-2")]);
    let lines = printed.expect("it needs no rights").lines;
    let expected = [
        "cycles on cpu_atom: config 0xa00000000",
        "cycles on cpu_core: config 0x400000000",
        "cpu_atom/cycles/ on cpu_atom: config 0xa00000000",
        "cores of alderlake",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn metric() {
    if let Some(printed) = counted_by_cores("metric") {
        assert_eq!(printed.lines[0], "the sum is 499999500000");
        let value = printed.lines.iter().find_map(|line| line.strip_prefix("ipc: "));
        if let Some(value) = value.filter(|value| *value != "no value") {
            assert!(has_hardware(), "{value}");
            let number = value.split(' ').next().and_then(|number| number.parse::<f64>().ok());
            assert!(number.is_some_and(|number| number > 0.0 && number < 100.0), "{value}");
        }
    }
    // Without a core PMU, each event has the reason.
    let machine = Machine::empty();
    let sysfs = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let printed = run("metric", &[("SYSFS_PATH", sysfs), ("PERF_CPUID", "AuthenticAMD-25-61-2")]);
    let why = "is of a core PMU, which this machine does not have";
    let expected = [
        "the sum is 499999500000".into(),
        "ipc: no value".into(),
        format!("not counted: ex_ret_instr: event `ex_ret_instr` {why}"),
        format!("not counted: ls_not_halted_cyc: event `ls_not_halted_cyc` {why}"),
    ];
    assert_eq!(printed.expect("it needs no rights").lines, expected);
}

#[test]
fn portable() {
    if let Some(printed) = counted_by_cores("portable") {
        assert_eq!(printed.lines[0], "the sum is 499999500000");
    }
    let machine = Machine::empty();
    let sysfs = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let printed = run("portable", &[("SYSFS_PATH", sysfs), ("PERF_CPUID", "AuthenticAMD-25-61-2")]);
    let expected = [
        "the sum is 499999500000",
        "common.ipc: no value",
        "common.branch_miss_ratio: no value",
        "common.l2_misses: no value",
        "note: common.branch_miss_ratio: Interrupts, exceptions and other changes of control flow \
         count as branches.",
        "note: common.l2_misses: Prefetches into the L1 caches count as well.",
    ];
    assert_eq!(printed.expect("it needs no rights").lines, expected);
    // The reason, where a CPU has no such event.
    let printed = run("portable", &[("SYSFS_PATH", sysfs), ("PERF_CPUID", "0x00000000410fd0c0")]);
    let lines = printed.expect("it needs no rights").lines;
    assert!(lines.iter().all(|line| !line.contains("none.")), "{lines:#?}");
}

#[test]
fn multiplexing() {
    let Some(printed) = counted("multiplexing", Rights::User) else { return };
    assert_eq!(printed.lines[0], "the sum is 4999950000");
    printed.seconds(&format!("{}: ", user_only("task-clock")), " s");
    printed.assert_has_hardware_count("instructions");
}

#[test]
fn formula() {
    let Some(printed) = counted("formula", Rights::User) else { return };
    let behind = "for 1048576 bytes";
    let busy = printed.number("busy: ", &format!("% {behind}"));
    // The clocks do not start and end at the same moment.
    assert!(busy > 0.0 && busy < 200.0, "{busy} %");
    let rate = printed.number("fault_rate: ", &format!(" /s {behind}"));
    // A fault takes a nanosecond at least.
    assert!((0.0..1e9).contains(&rate), "{rate} faults a second");
}

#[test]
fn drill_down() {
    let Some(printed) = counted_by_cores("drill_down") else { return };
    if !has_hardware() {
        let is_of_a_pass = |line: &String| line.contains(" in pass ");
        assert!(printed.lines.iter().all(is_of_a_pass), "{:#?}", printed.lines);
    }
}

#[test]
fn what_needs_no_counter() {
    let cases: [(&str, &[&str]); 3] = [
        (
            "another_cpu",
            &[
                "ex_ret_brn_misp: type 4, config 0xc3",
                "l3_lookup_state.l3_miss: type 4294967295, config 0x104",
            ],
        ),
        ("firmware", &["0x186 = 0x4300c5", "0x38f = 0x1"]),
        (
            "own_tree",
            &[
                "L1D.MISS event=0x10,umask=1: Those that miss it.",
                "acme/w1: 3 events",
                "l1d_miss_ratio: 2.5%",
            ],
        ),
    ];
    for (recipe, expected) in cases {
        assert_eq!(
            run(recipe, &[]).map(|printed| printed.lines),
            Ok(expected.iter().map(|line| line.to_string()).collect()),
            "{recipe}"
        );
    }
}

/// Who counts is told where the region begins and ends; without anybody, the sum is the same.
#[test]
fn switched() {
    let sum = Ok(vec!["the sum is 166666166667".to_string()]);
    assert_eq!(run("switched", &[]).map(|printed| printed.lines), sum);
    let scratch = Machine::of("");
    let [ctl, ack] = ["/ctl", "/ack"].map(|name| scratch.path(name));
    for fifo in [&ctl, &ack] {
        assert!(Command::new("mkfifo").arg(fifo).status().expect("POSIX has it").success());
    }
    let address = Address::fifos(&ctl, Some(&ack));
    let mut server = Server::listen(&address).expect("the FIFOs are there");
    let told = thread::spawn(move || {
        let mut told = Vec::new();
        while told.len() < 2 {
            let request = server.receive(None).expect("it can be read").expect("it stays open");
            server.acknowledge(&request).expect("it is read");
            told.push(request.text().to_string());
        }
        told
    });
    let control = address.to_string();
    let printed = run("switched", &[("CONTROL", &control)]);
    assert_eq!(printed.map(|printed| printed.lines), sum);
    assert_eq!(told.join().expect("it does not panic"), ["enable", "disable"]);
}

/// Each recipe is in the documentation, and has a test of its name or a row above.
#[test]
fn all_recipes_are_tested() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/pmu-events/src/cookbook");
    let files = fs::read_dir(format!("{root}/recipes")).expect("it is there");
    let name = |file: fs::DirEntry| file.path().file_stem()?.to_str().map(String::from);
    let names: BTreeSet<String> = files.filter_map(|file| name(file.ok()?)).collect();
    let (documentation, tests) = (
        fs::read_to_string(format!("{root}/mod.rs")).expect("it is there"),
        include_str!("cookbook.rs"),
    );
    for name in &names {
        assert!(documentation.contains(&format!("include_str!(\"recipes/{name}.rs\")")), "{name}");
        let has_test = tests.contains(&format!("fn {name}()"));
        assert!(has_test || tests.contains(&format!("\"{name}\",")), "{name} has no test");
    }
    // The others are examples of a feature and of an error.
    assert_eq!(documentation.matches("include_str!(\"recipes/").count(), names.len());
}

/// The errors are those of perf-event2, which are the kernel's.
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "riscv64",
))]
#[test]
fn sampling() {
    match run("sampling", &[]) {
        Ok(printed) => {
            assert!(printed.number("", "samples for 16666668333333") >= 0.0);
        }
        Err(why) => assert!(why.starts_with("Error: Os {"), "{why}"),
    }
}
