//! Event-based branches: what our rules accept the kernel opens, what they
//! refuse it refuses.

use std::collections::BTreeMap;

use pmu_events::ebb::{self, Branches, Builder, Enable, Rule, Standing, check as rules};
use pmu_events::format::{Word, Words};
use pmu_events::open::{Attr, Counter, Flag, Target};
use pmu_events::power::{EBB, Fields, Generation};
use pmu_events::{Model, perf_type, pmu};

use crate::cases::{self, Case};
use crate::report::Report;
use crate::work;

/// Rules that the kernel has not: it loses bits silently, or takes what is no
/// event-based branch.
const STRICTER: [Rule; 3] = [Rule::NotRequested, Rule::FilterAlone, Rule::Type];

pub(crate) fn check(report: &mut Report, generation: Generation, model: Model) {
    recorded(report, generation);
    table(report, generation, model);
    random(report, generation);
    standing(report, generation);
    reads(report);
}

/// Opens a group event by event, as far as the kernel lets; its answers.
fn open(attributes: &[Attr], target: ebb::BranchTarget) -> (Vec<Counter>, Vec<String>) {
    let target = match (target.pid(), target.cpu()) {
        // Both -1 has no name in the library, which cannot say it.
        (-1, -1) => Target::Thread(u32::MAX),
        (-1, cpu) => Target::Cpu(cpu as u32),
        (0, -1) => Target::ThisThread,
        (pid, -1) => Target::Thread(pid as u32),
        (pid, cpu) => Target::ThreadOnCpu { thread: pid as u32, cpu: cpu as u32 },
    };
    let (mut counters, mut answers) = (Vec::new(), Vec::new());
    for attr in attributes {
        match Counter::open(attr, target, counters.first()) {
            Ok(counter) => {
                counters.push(counter);
                answers.push(String::from("ok"));
            }
            Err(error) => answers.push(match error.errno() {
                Some(libc::EINVAL) => "EINVAL".into(),
                Some(libc::ENOENT) => "ENOENT".into(),
                errno => format!("{errno:?}"),
            }),
        }
    }
    (counters, answers)
}

fn attributes(case: &Case) -> Vec<Attr> {
    let event = |event: &cases::Opened| {
        let mut attr = Attr::from(&event.attr);
        for (name, value) in &event.others {
            match name.as_str() {
                "remove_on_exec" => attr = attr.with(Flag::RemoveOnExec, true),
                "inherit_stat" => attr = attr.with(Flag::InheritStat, true),
                "inherit_thread" => attr = attr.with(Flag::InheritThread, true),
                "precise_ip" => attr = attr.with_precise(*value as u8),
                "branch_sample_type" => attr = attr.with_branch_sample_type(*value),
                _ => panic!("{name} is no field"),
            }
        }
        attr
    };
    case.events.iter().map(event).collect()
}

/// Every recorded case: a row for each way in which both can answer, and for
/// each case that does not come out as expected.
fn recorded(report: &mut Report, generation: Generation) {
    let place = Generation::ALL.iter().position(|known| *known == generation).expect("it is one");
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let cases = cases::all();
    for case in &cases {
        // "No such thread" is how the library says what only bare arguments
        // can: neither a thread nor a CPU.
        let (_counters, answers) = match case.target {
            target if target == ebb::BranchTarget::new(-1, -1) => {
                (Vec::new(), vec![bare(&attributes(case)[0])])
            }
            target => open(&attributes(case), target),
        };
        let attrs: Vec<_> = case.events.iter().map(|event| event.attr).collect();
        let checked = rules(generation, &attrs, case.target);
        if answers != case.answers[place] {
            let expected = case.answers[place].join(",");
            report.check(format!("EBB: {}", case.name), expected, answers.join(","), false);
        }
        let opened = answers.iter().all(|answer| answer == "ok");
        *seen
            .entry(match (&checked, opened) {
                (Ok(()), true) => "accepted, opened",
                (Err(_), false) => "refused, refused",
                (Err(broken), true)
                    if STRICTER.iter().any(|rule| broken.rules().contains(*rule)) =>
                {
                    "refused, opened: deliberately"
                }
                _ => {
                    report.check(
                        format!("EBB: {}", case.name),
                        opened,
                        format!("{checked:?}"),
                        false,
                    );
                    "differs"
                }
            })
            .or_default() += 1;
    }
    let accepted = if generation == Generation::Power10 { 22 } else { 20 };
    for (what, expected) in [
        ("accepted, opened", accepted),
        ("refused, refused", cases.len() - accepted - 6),
        ("refused, opened: deliberately", 6),
    ] {
        report.equal(format!("EBB cases {what}"), expected, seen.get(what).copied().unwrap_or(0));
    }
}

/// The answer to neither a thread nor a CPU.
fn bare(attr: &Attr) -> String {
    let mut bytes = attr.to_bytes().as_ref().to_vec();
    // SAFETY: the bytes include their number.
    let result = unsafe {
        libc::syscall(libc::SYS_perf_event_open, bytes.as_mut_ptr(), -1_i64, -1_i64, -1_i64, 0_u64)
    };
    match std::io::Error::last_os_error().raw_os_error() {
        _ if result >= 0 => "ok".into(),
        Some(libc::EINVAL) => "EINVAL".into(),
        errno => format!("{errno:?}"),
    }
}

/// Every event of the machine's table, on the counter that its code names or
/// else on the fourth.
fn table(report: &mut Report, generation: Generation, model: Model) {
    let (mut opened, mut refused, mut differ) = (0, 0, 0);
    for event in model.events() {
        if !event.pmu().is_empty() && !pmu::is_core(event.pmu()) {
            continue;
        }
        let encoded = event.encode(generation.formats());
        let encoded = encoded.unwrap_or_else(|error| panic!("{}: {error}", event.name()));
        let fields = Fields::decode(generation, encoded.words());
        let pmc = if fields.pmc == 0 { 4 } else { fields.pmc };
        let words = Fields { pmc, ..fields }.encode();
        let words = words.unwrap_or_else(|error| panic!("{}: {error}", event.name()));
        let attr = ebb::BranchAttr {
            kind: perf_type::RAW,
            config: words.config() | EBB,
            config1: words.get(Word::Config1),
            pinned: true,
            exclusive: true,
            disabled: true,
            ..ebb::BranchAttr::default()
        };
        let target = ebb::BranchTarget::THIS_THREAD;
        let is_accepted = rules(generation, &[attr], target).is_ok();
        let (_counter, answers) = open(&[Attr::from(&attr)], target);
        match (is_accepted, answers[0] == "ok") {
            (true, true) => opened += 1,
            (false, false) => refused += 1,
            _ => {
                differ += 1;
                let name = format!("EBB: {}", event.name());
                report.check(name, &answers[0], format!("accepted: {is_accepted}"), false);
            }
        }
    }
    report.equal("EBB, events of its table: differing", 0, differ);
    report.check(
        "EBB, events of its table: opened, refused",
        "hundreds opened",
        format!("{opened}, {refused}"),
        opened > 100,
    );
}

/// Thousands of groups of codes made up by chance, field by field, so that
/// both answers are common.
fn random(report: &mut Report, generation: Generation) {
    const GROUPS: usize = 4000;
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) % limit
    };
    let (mut accepted, mut refused, mut differ) = (0, 0, 0);
    for _ in 0..GROUPS {
        let mut attrs = Vec::new();
        let first = below(4);
        let pick = below(8);
        for n in 0..=below(4) {
            let mut code = [0x1e, 0x02, 0xf0, 0x56, 0x52, 0x80][below(6) as usize];
            // Counters in turn, with a slip now and then.
            let pmc = if below(8) == 0 { below(9) } else { (first + n) % 4 + 1 };
            code |= pmc << 16;
            match pmc {
                5 if below(2) == 0 => code = 0x5_00fa,
                6 if below(2) == 0 => code = 0x6_00f4,
                _ => {
                    let mut field = |shift: u64, width: u64, share: u64| {
                        if below(share) == 0 {
                            code |= below(1 << width) << shift;
                        }
                    };
                    // What is chosen once a group makes events agree.
                    field(12, 4, 3);
                    field(20, 4, if pick & 1 == 0 { 3 } else { 1 << 40 });
                    field(24, 5, if pick & 2 == 0 { 3 } else { 1 << 40 });
                    field(8, 1, 4);
                    field(29, 3, if pick & 4 == 0 { 3 } else { 1 << 40 });
                    field(32, 8, 6);
                    field(40, 10, 12);
                    field(9, 3, 12);
                    field(50, 10, 20);
                    field(60, 3, 12);
                }
            }
            attrs.push(ebb::BranchAttr {
                kind: perf_type::RAW,
                config: code | EBB,
                pinned: n == 0,
                exclusive: n == 0,
                disabled: n == 0,
                ..ebb::BranchAttr::default()
            });
        }
        let target = ebb::BranchTarget::THIS_THREAD;
        let checked = rules(generation, &attrs, target);
        let opened = attrs.iter().map(Attr::from).collect::<Vec<_>>();
        let (_counters, answers) = open(&opened, target);
        let is_opened = answers.iter().all(|answer| answer == "ok");
        match checked {
            Ok(()) if is_opened => accepted += 1,
            Err(_) if !is_opened => refused += 1,
            // Stricter by nothing but the one rule.
            Err(broken) if broken.rules().iter().all(|rule| rule == Rule::FilterAlone) => {}
            checked => {
                differ += 1;
                let codes: Vec<_> =
                    attrs.iter().map(|attr| format!("{:#x}", attr.config)).collect();
                let codes = codes.join(" ");
                report.check(
                    format!("EBB: {codes}"),
                    answers.join(","),
                    format!("{checked:?}"),
                    false,
                );
            }
        }
    }
    report.equal(format!("EBB, {GROUPS} random groups: differing"), 0, differ);
    report.check(
        "EBB, random groups: accepted, refused",
        "hundreds of each",
        format!("{accepted}, {refused}"),
        accepted > 300 && refused > 300,
    );
}

/// The honest answer of one call.
fn standing(report: &mut Report, generation: Generation) {
    let group = Builder::new(generation).raw(0x1001e).raw(0x40002).user_only().build();
    let group = group.expect("it keeps the rules");
    for how in [Enable::Ioctl, Enable::Prctl] {
        let branches = Branches::open(&group).expect("it opens");
        let name = |what| format!("EBB by {how:?}, {what}");
        let standing = |standing: Result<Standing, ebb::Error>| match standing {
            Ok(standing) => format!("{standing:?}"),
            Err(error) => error.to_string(),
        };
        report.equal(name("before"), "Waiting".into(), standing(branches.standing()));
        report.equal(name("enabled"), "OnPmu".into(), standing(branches.enable(how)));
        let second = ebb::start(&group, Enable::Ioctl).map(|(_, standing)| standing);
        report.equal(name("a second one"), "PushedOut".into(), standing(second));
        work::spin(100_000);
        report.equal(name("later"), "OnPmu".into(), standing(branches.standing()));
        branches.disable(how).expect("it can be disabled");
        drop(branches);
        let third = ebb::start(&group, how).map(|(_, standing)| standing);
        report.equal(name("after closing"), "OnPmu".into(), standing(third));
    }
    let other = Generation::ALL.iter().copied().find(|other| *other != generation).expect("is one");
    let group = Builder::new(other).raw(0x1001e).build().expect("it keeps the rules");
    let said = Branches::open(&group).expect_err("it is refused").to_string();
    report.says("EBB of another generation", &format!("built for {other}"), &said);
}

/// A read of an event-based branch gives 0 and not a count; the same event
/// without the bit has one.
fn reads(report: &mut Report) {
    for (name, code, counts) in [("EBB, its read", EBB, false), ("no EBB, its read", 0, true)] {
        let attr = [Flag::Pinned, Flag::Exclusive, Flag::Disabled]
            .into_iter()
            .fold(Attr::new(4, Words::new(code | 0x1001e)), |attr, flag| attr.with(flag, true));
        let counter = Counter::open(&attr, Target::ThisThread, None).expect("it opens");
        counter.enable().expect("it can be enabled");
        work::spin(100_000);
        let value = counter.read().expect("it has the PMU").value();
        let expected = if counts { "100000 or more" } else { "0" };
        report.check(name, expected, value, if counts { value >= 100_000 } else { value == 0 });
    }
}
