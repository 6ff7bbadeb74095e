//! The command lines that both programs are given.

/// Words for a shell after `perf stat`. `$OUT` is a file of their own, and descriptor 3
/// another; `$PID` is a process that sleeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    pub words: String,
    /// Whether the file has contents before.
    pub has_contents: bool,
}

impl Combination {
    /// Whether both programs do the same where the kernel has no counters at all. perf ends at a
    /// group there; it shows each CPU or thread without a count; and with `--table` it draws a bar
    /// of 429 million characters for a run that took no time.
    pub fn needs_no_kernel(&self) -> bool {
        let mut needing =
            ["{", "-a ", "-A ", "-C ", "-v ", "--no-merge", "--per-", "--table"].iter();
        !needing.any(|word| self.words.contains(word))
    }
}

const EVENTS: [&str; 12] = [
    "task-clock",
    "cpu-clock,cs",
    "task-clock,page-faults,context-switches",
    "dummy,task-clock",
    "{task-clock,page-faults}",
    "{task-clock,cs},dummy,cpu-migrations",
    "{cs,dummy},task-clock",
    "task-clock:u,page-faults:u,cs:k",
    "page-faults:k,task-clock:k,dummy:u",
    "cpu-migrations,minor-faults,major-faults",
    "alignment-faults,emulation-faults,dummy",
    "duration_time,task-clock,user_time,system_time",
];

const FORMS: [&str; 6] = ["", "-x,", "-x ';'", "-j", "-x '\\t'", "-x ' : '"];

const LEVELS: [&str; 10] = [
    "",
    "-A",
    "--no-merge",
    "--per-core",
    "--per-die",
    "--per-socket",
    "--per-node",
    "--per-cluster",
    "--per-cache",
    "--per-cache=L2",
];

pub fn all() -> Vec<Combination> {
    let mut all = Vec::new();
    let mut add = |words: String| {
        let combination = Combination { words, has_contents: false };
        assert!(!all.contains(&combination), "{combination:?}");
        all.push(combination);
    };
    of_a_command(&mut add);
    of_cpus(&mut add);
    of_tasks(&mut add);
    elsewhere(&mut add);
    refused(&mut add);
    all.extend(appended());
    all
}

/// A single command, repeated, and in intervals.
fn of_a_command(add: &mut impl FnMut(String)) {
    for (number, events) in EVENTS.iter().enumerate() {
        for form in &FORMS[..4] {
            add(format!("{form} -e '{events}' true"));
            if number % 2 == 0 || form.is_empty() {
                add(format!("{form} -r 3 -e '{events}' true"));
            }
            if number % 3 == 0 {
                add(format!("{form} -I 40 -e '{events}' sleep 0.1"));
                add(format!("{form} -I 40 --summary -e '{events}' sleep 0.1"));
            }
        }
        for form in &FORMS[4..] {
            add(format!("{form} -e '{events}' true"));
        }
        add(format!("-r 2 --table -e '{events}' true"));
    }
    for form in &FORMS[..4] {
        for option in
            ["-i", "--no-big-num", "--no-inherit -r 2", "--metric-only", "--no-csv-summary"]
        {
            add(format!("{form} {option} -e task-clock,dummy true"));
        }
        add(format!("{form} -I 40 --metric-only -e task-clock,cs sleep 0.1"));
        add(format!("{form} -I 40 --summary --no-csv-summary -e cs sleep 0.1"));
        add(format!("{form} -e cs,task-clock -- sh -c 'exit 3'"));
        add(format!("{form} -e cs -- sh -c 'kill -9 $$'"));
        add(format!("{form} --quiet -e cs true"));
        add(format!("{form} -e cs -- sh -c 'echo out; echo err >&2'"));
    }
    for words in [
        "-n true",
        "-n -r 2 true",
        "-n -x, true",
        "-n -j true",
        "--summary -x, -e cs true",
        "--summary -e cs true",
        "-D 20 -e cs sleep 0.05",
        "-D 20 -x, -e cs,task-clock sleep 0.05",
        "--timeout 200 -e cs sleep 9",
        "--timeout 50 -e cs sleep 9",
        "--pre true --post true -e cs true",
        "-e cs -e cs true",
        "-e dummy -e cs -x '|' true",
        "-r 2 -I 40 -x, -e cs sleep 0.1",
        "-v -e cs true",
    ] {
        add(words.into());
    }
    add("-B -e task-clock true".into());
    add("--big-num --no-big-num -e task-clock true".into());
}

/// The levels of aggregation.
fn of_cpus(add: &mut impl FnMut(String)) {
    for level in LEVELS {
        for (number, form) in FORMS[..4].iter().enumerate() {
            add(format!("-a {level} {form} -e cpu-clock,cs,dummy sleep 0.01"));
            add(format!("-a {level} {form} -I 40 -e 'cs,{{cpu-clock,page-faults}}' sleep 0.1"));
            if number % 2 == 0 {
                add(format!("-C 0 {level} {form} -e cpu-clock:k,cs,dummy:u true"));
                add(format!("-a {level} {form} --metric-only -e cpu-clock,cs true"));
            }
        }
        add(format!("-a {level} -j -e duration_time,cs true"));
        add(format!("-a {level} -e cs,duration_time true"));
        add(format!("-a {level} -x, -r 2 -e cs,cpu-clock true"));
    }
    // Where the machine has no hardware PMU, no event is open anywhere.
    for level in ["-A -x,", "--per-core", "--per-socket -j"] {
        add(format!("-a {level} -e ref-cycles:k true"));
    }
    add("-a -I 40 --interval-count 2 -x, -e cs".into());
    add("-a -I 40 --interval-count 2 -e cs,dummy sleep 9".into());
    add("-a -C 0 -e cs true".into());
    add("-C 4095 -x, -e cs true".into());
    add("-a --per-core --per-socket -x, -e cs true".into());
    add("-a --per-node --per-die -A -x, -e cs true".into());
}

/// Running tasks.
fn of_tasks(add: &mut impl FnMut(String)) {
    for form in &FORMS[..4] {
        add(format!("-p $PID {form} -e task-clock,cs sleep 0.01"));
        add(format!("-t $PID {form} -e task-clock,cs sleep 0.01"));
        add(format!("-p $PID --per-thread {form} -e task-clock,cs sleep 0.01"));
        add(format!("-p $PID --per-thread {form} -I 40 -e task-clock,cs sleep 0.1"));
        add(format!("-t $PID --per-thread {form} -r 2 -e task-clock,cs true"));
    }
}

/// Files and descriptors.
fn elsewhere(add: &mut impl FnMut(String)) {
    for form in &FORMS[..4] {
        add(format!("-o $OUT {form} -e cs,task-clock true"));
        add(format!("-o $OUT --append {form} -e cs,task-clock -r 2 true"));
        add(format!("--log-fd 3 {form} -e cs,task-clock true"));
        add(format!("--log-fd 3 --append {form} -I 40 -e cs sleep 0.1"));
        add(format!("-o - {form} -e cs true"));
    }
    add("--log-fd 1 -e cs true".into());
    add("--log-fd 0 -e cs true".into());
    add("--append -e cs true".into());
}

fn appended() -> Vec<Combination> {
    let forms = FORMS[..4].iter().flat_map(|form| {
        [format!("-o $OUT --append {form} -e cs true"), format!("-o $OUT {form} -e cs true")]
    });
    forms.map(|words| Combination { words, has_contents: true }).collect()
}

/// What neither program does.
fn refused(add: &mut impl FnMut(String)) {
    for words in [
        "-e cs /nonexistent/command",
        "-e cs /dev/null",
        "-A -e cs true",
        "--per-core -e cs true",
        "--per-cache -e cs true",
        "--per-thread -e cs true",
        "--per-thread -C 0 -e cs true",
        "--per-cache=7 -a -e cs true",
        "--per-cache=L9 -a -e cs true",
        "--metric-only -r 2 -e cs true",
        "--metric-only --per-thread -p $PID -e cs true",
        "--table -e cs true",
        "-o $OUT --log-fd 3 -e cs true",
        "--log-fd -1 -e cs true",
        "-o /nonexistent/file -e cs true",
        "-B -x, -e cs true",
        "-e no-such-event true",
        "-e 'cs,' true",
        "-M no-such-metric true",
        "-p 999999999 -e cs true",
        "--no-such-option true",
        "-e",
    ] {
        add(words.into());
    }
}
