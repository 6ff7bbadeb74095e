//! Users' own formulas: what they mean on machines that are not here, and what is
//! wrong with those that mean nothing.

use pmu_events::__private::measure::{MAX_NAMES, MAX_TEXT, RawCount, value};
use pmu_events::measure::{Formulas, Plan};
use pmu_events::{Scope, System};

#[allow(dead_code)] // Other tests use more of it.
mod machines;
mod soc {
    pmu_events::pmu_events!("arch/test");
}
mod x86 {
    pmu_events::pmu_events!("arch/x86", models = ["amdzen4", "alderlake"], text = none);
}

use machines::Machine;

/// The machine is there as long as something describes it.
fn zen4() -> (Machine, System) {
    let model = x86::model("AuthenticAMD-25-61-2").expect("the tree has it");
    let machine = Machine::named("zen4");
    let system = machine.system().with_model(model);
    (machine, system)
}

/// The values of all formulas, in their order, where each event counts this.
fn values(system: &System, text: &str, counts: &[(&str, f64)]) -> Vec<(String, f64, String)> {
    let formulas = text.parse::<Formulas>().and_then(|formulas| formulas.bind(system));
    let formulas = formulas.unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::new(formulas, system, &Scope::ThisThread);
    let mut values: Vec<_> = plan.metrics().iter().collect();
    values.sort_by_key(|planned| {
        let name = planned.request().name();
        text.find(&format!("{name} ")).expect("the text defines it")
    });
    let value = |planned: &pmu_events::measure::PlannedMetric| {
        let value = value(planned, plan.machine(), |operand| {
            let event = operand.event();
            let count = counts.iter().find(|(name, _)| *name == event);
            count.map_or(RawCount::NOT_COUNTED, |(_, count)| {
                let resolved = system.require(event).ok();
                RawCount::new(*count, resolved.and_then(|resolved| resolved[0].clock()))
            })
        });
        (value.request().name(), value.value(), value.unit().to_string())
    };
    values.into_iter().map(value).collect()
}

#[test]
fn values_of_formulas() {
    let counts =
        [("ex_ret_instr", 300.0), ("ls_not_halted_cyc", 100.0), ("page-faults", 6.0), ("cs", 0.0)];
    let (_machine, zen4) = zen4();
    let cases: [(&str, &[(f64, &str)]); 13] = [
        ("a = ex_ret_instr / ls_not_halted_cyc", &[(3.0, "")]),
        // A metric of the tree, an event, and another formula, in any order and case.
        ("b = 2 * A + ipc\na = page\\-faults * 2", &[(27.0, ""), (12.0, "")]),
        // The scale of a formula or metric does not matter to others.
        ("a [100%] = cs + 0.5\nb = a", &[(50.0, "%"), (0.5, "")]),
        ("a [ 1e-3kilo ] = ex_ret_instr", &[(0.3, "kilo")]),
        // Lines, comments and literals that continue.
        ("# x = y\n\n  a =\n    1 +\n  # 4 +\n    2\n  + #core_wide * 8", &[(3.0, "")]),
        ("a = page\\-faults / cs", &[(f64::NAN, "")]),
        // Its own name, but not its own value.
        ("ipc = cpi * 2", &[(2.0 / 3.0, "")]),
        ("a = min(cs, 5) if has_event(nothing) else (max(4, 1) if 1 else nothing)", &[(4.0, "")]),
        // A CPUID that is called as an event, and queries about what is counted.
        ("a = 5 + cs if strcmp_cpuid_str(cs) else 7 + source_count(cs)", &[(8.0, "")]),
        ("a = source_count(b) + aggr_nr(page\\-faults)\nb = cs + 1", &[(2.0, "")]),
        // Whether the machine has an event is not asked of a formula, whichever comes first.
        ("a = 1 if has_event(b) else 2\nb = cs", &[(2.0, ""), (0.0, "")]),
        ("b = cs\na = 1 if has_event(b) else 2", &[(0.0, ""), (2.0, "")]),
        ("a = ipc + 1 if has_event(ipc) else ipc", &[(3.0, "")]),
    ];
    for (text, expected) in cases {
        for ((name, value, unit), expected) in values(&zen4, text, &counts).iter().zip(expected) {
            let is_same =
                (value - expected.0).abs() < 1e-9 || value.is_nan() && expected.0.is_nan();
            assert!(is_same && unit == expected.1, "{text}: {name} is {value}{unit}");
        }
    }
}

/// Every time of a user's formula is in seconds; those of a tree's formula are perf's, also
/// where a user's formula refers to its metric.
#[test]
fn units_of_times() {
    let counts = [
        ("duration_time", 10e6),
        ("user_time", 3e6),
        ("system_time", 1e6),
        ("task-clock", 4e6),
        ("cpu-clock", 5e6),
        ("page-faults", 6.0),
        ("msr/tsc/", 8e6),
    ];
    let machine =
        Machine::of("msr/type\t9\nmsr/format/event\tconfig:0-63\nmsr/events/tsc\tevent=0");
    let later = soc::model("testlater-1").expect("the tree has it");
    let system = machine.system().with_model(later);
    let cases: [(&str, &[(f64, &str)]); 9] = [
        ("busy [100%] = task\\-clock / duration_time", &[(40.0, "%")]),
        ("a [1s] = task\\-clock", &[(0.004, "s")]),
        ("a [1s] = cpu\\-clock + user_time + system_time", &[(0.009, "s")]),
        ("a [1e3ms] = duration_time", &[(10.0, "ms")]),
        ("a [1/s] = page\\-faults / task\\-clock", &[(1500.0, "/s")]),
        // By the tree's formula: `msr@tsc@ / task\-clock`, in nanoseconds.
        ("a = ticks_a_nanosecond", &[(2.0, "")]),
        // Both at once: the tree's nanoseconds, and seconds.
        ("a = ticks_a_nanosecond * task\\-clock", &[(0.008, "")]),
        // By the tree's formula: `page\-faults / duration_time`, in seconds.
        ("a = faults_a_second", &[(600.0, "")]),
        ("a = faults_a_second * duration_time", &[(6.0, "")]),
    ];
    for (text, expected) in cases {
        for ((name, value, unit), expected) in values(&system, text, &counts).iter().zip(expected) {
            assert!((value / expected.0 - 1.0).abs() < 1e-12, "{text}: {name} is {value}");
            assert_eq!(unit, expected.1, "{text}");
        }
    }
}

/// As many names as a formula may have, each also as a CPUID.
#[test]
fn many_names() {
    let (_machine, zen4) = zen4();
    let one = |n: usize| format!(" + e{n} * strcmp_cpuid_str(e{n})");
    let names: String = (1..MAX_NAMES).map(one).collect();
    let found = values(&zen4, &format!("a = cs + 1 if 1 else 0{names}"), &[("cs", 6.0)]);
    assert_eq!(found[0].1, 7.0);
}

/// References are evaluated once each: this would take longer than the universe
/// has existed.
#[test]
fn chains_of_references() {
    let (_machine, zen4) = zen4();
    let lines = (1..200).map(|n| format!("f{n} = f{} + f{}\n", n - 1, n - 1));
    let text = format!("{}f0 = cs + 1\n", lines.collect::<String>());
    let found = values(&zen4, &text, &[("cs", 0.0)]);
    let last = found.iter().find(|(name, ..)| name == "f199").expect("it is defined");
    assert_eq!(last.1, 2.0_f64.powi(199));
}

/// Events of a metric are those of its kind of cores, others those of all.
#[test]
fn kinds_of_cores() {
    let model = x86::model("GenuineIntel-6-97-2").expect("the tree has it");
    let machine = Machine::named("alderlake");
    let system = machine.system().with_model(model);
    let of_atom = model.metrics().find(|metric| metric.pmu() == "cpu_atom");
    let name = of_atom.expect("it has one").name();
    let places = |text: &str| -> Vec<usize> {
        let formulas =
            text.parse::<Formulas>().expect("it parses").bind(&system).expect("it binds");
        let plan = Plan::new(formulas, &system, &Scope::ThisThread);
        let operands = plan.metrics().iter().flat_map(|planned| planned.operands());
        operands.map(|operand| operand.answers().len()).collect()
    };
    assert_eq!(places("a = cycles"), [2]);
    assert!(places(&format!("a = 2 * {name}")).iter().all(|&count| count < 2));
}

#[test]
fn faults() {
    let (_machine, zen4) = zen4();
    let long = format!("a = 1{}", "+1".repeat(5_000_000));
    let names: String = (0..300).map(|n| format!("e{n}+")).collect();
    let many: String = (0..1100).map(|n| format!("f{n} = 1\n")).collect();
    let cases: [(&str, &str); 34] = [
        ("a = ex_ret_inst", "1:5: no PMU has an event `ex_ret_inst`; did you mean `ex_ret_instr`?"),
        ("a = cs\n b = a +\n   cs * nothing", "3:9: no PMU has an event `nothing`"),
        (
            "a = page-faults / 2",
            r"1:5: a formula spells the event `page-faults` as `page\-faults`: `-` subtracts",
        ),
        (
            "a = 1 + 2 *cs-cpu-clock",
            r"1:15: a formula spells the event `cpu-clock` as `cpu\-clock`",
        ),
        ("a = page-nothing", "1:5: no PMU has an event `page`"),
        ("\u{feff}a = 1", "1:1: unexpected byte-order mark (U+FEFF): save the text without one"),
        ("a = 1\n \u{feff}b = 1", "2:2: unexpected byte-order mark"),
        (r"a = cs\,faults", "1:5: `cs,faults` is neither a formula, a metric nor an event"),
        ("a = u", "1:5: `u` is neither a formula, a metric nor an event"),
        ("a = nothing@event\\=1@", "1:5: there is neither a PMU nor an event `nothing`"),
        ("a = a", "1:5: formula `a` refers to itself"),
        ("a = 1 + A", "1:9: formula `a` refers to itself"),
        ("x = a\na = b\nb = 2*c\nc = a", "4:5: formula `a` → `b` → `c` → `a` refers to itself"),
        ("a = cs / 0", "1:8: division by zero"),
        ("a = cs % 0.5", "1:8: division by zero"),
        ("a = cs / (2 - 2)", "1:1: the formula has no value, whatever is counted"),
        ("a = ", "1:4: expected a value, found the end of the text"),
        ("a = cs +\n\n", "1:9: expected a value, found the end of the text"),
        ("a = 7 # no comment", "1:7: unexpected character '#'"),
        ("a = (cs\nb = 1", "1:5: unclosed parenthesis"),
        ("é = 1", "1:1: `é` is not a metric name"),
        ("a-b = 1", "1:1: `a-b` is not a metric name"),
        ("0x1 = 1", "1:1: `0x1` is not a metric name"),
        ("min = 1", "1:1: `min` is not a metric name"),
        ("a = 1\na = 2", "2:1: duplicate formula `a`"),
        ("a = 1\n  A = 2", "2:3: duplicate formula `A`"),
        ("\n  cs + 1", "2:3: expected `NAME = FORMULA`"),
        ("a == 1", "1:1: expected `NAME = FORMULA`"),
        ("a [] = 1", "1:3: invalid scale unit"),
        ("a [1%", "1:3: invalid scale unit"),
        ("a = x@y\\=?@", "1:5: `?` has a value only in metrics of a tree"),
        (&long, "1:1: more than 1048576 bytes of formulas"),
        (&many, "1025:1: more than 1024 formulas"),
        (&names, "1:1: expected `NAME = FORMULA`"),
    ];
    assert!(long.len() > MAX_TEXT);
    for (text, expected) in cases {
        let error = text.parse::<Formulas>().and_then(|formulas| formulas.bind(&zen4));
        let error = error.expect_err(text);
        let shown = error.to_string();
        assert!(shown.starts_with(expected), "{}: {shown}", &text[..text.len().min(50)]);
        assert!(text.get(error.span()).is_some(), "{shown}: {:?}", error.span());
    }
    let names = format!("a = {names}1");
    let error = names.parse::<Formulas>().expect_err("it has too many names");
    let message = format!("more than {MAX_NAMES} names in a formula");
    assert_eq!(error.message().to_string(), message);
    let later = soc::model("testlater-1").expect("the tree has it");
    let error = "a = chips".parse::<Formulas>().expect("it parses").bind(&zen4.with_model(later));
    let error = error.expect_err("its metric needs another system").to_string();
    assert_eq!(error, "1:5: no PMU has an event `chips`");
}

/// A text may be as long as is said, and no longer.
#[test]
fn the_longest_text() {
    let text = |length: usize| format!("a = 1{}", " ".repeat(length - 5));
    assert_eq!(text(MAX_TEXT).parse::<Formulas>().map(drop), Ok(()));
    let error = text(MAX_TEXT + 1).parse::<Formulas>().expect_err("it is longer");
    assert_eq!(error.message().to_string(), format!("more than {MAX_TEXT} bytes of formulas"));
}

/// A line in which a name has an equals sign goes on with the formula.
#[test]
fn lines_that_begin_no_definition() {
    let (_machine, zen4) = zen4();
    let text = "a = cs +\nls_not_halted_cyc@cmask\\=1@\nb = 1";
    let formulas = text.parse::<Formulas>().and_then(|formulas| formulas.bind(&zen4));
    let names: Vec<String> =
        formulas.expect("there are two").iter().map(|formula| formula.name().into()).collect();
    assert_eq!(names, ["a", "b"]);
    for text in ["a = 1 +\n\\= 2", "a = 1\n= 2", "a = 1\nb\\= 2"] {
        let error = text.parse::<Formulas>().expect_err(text);
        assert!(error.to_string().starts_with("2:"), "{text}: {error}");
    }
}

/// A request knows where it is from.
#[test]
fn formulas_are_no_metrics() {
    let (_machine, zen4) = zen4();
    let formulas =
        "a [100%] = cs / 2".parse::<Formulas>().and_then(|formulas| formulas.bind(&zen4));
    let request = pmu_events::measure::Request::from(formulas.expect("it binds").remove(0));
    assert_eq!(request.formula().map(|formula| formula.name()), Some("a"));
    assert!(request.metric().is_none());
    let ipc = zen4.model().expect("it has one").metric("ipc").expect("it is a metric");
    let request = pmu_events::measure::Request::from(ipc);
    assert!(request.formula().is_none());
    assert_eq!(request.metric(), Some(ipc));
}

/// The events of a formula are those that its value takes on this CPU.
#[test]
fn events_of_this_cpu() {
    let (_machine, zen4) = zen4();
    let zen4 = zen4.with_cpuid("AuthenticAMD-25-61-2");
    for (cpuid, event) in
        [(r"AuthenticAMD\-25\-61\-2", "cs"), (r"AuthenticAMD\-25\-61\-3", "faults")]
    {
        let text = format!("a = cs if strcmp_cpuid_str({cpuid}) else faults");
        let formulas = text.parse::<Formulas>().and_then(|formulas| formulas.bind(&zen4));
        let plan = Plan::new(formulas.expect("it binds"), &zen4, &Scope::ThisThread);
        assert_eq!(plan.lists(), [event], "{cpuid}");
    }
}

/// What only this machine lacks is said by the plan.
#[test]
fn events_of_other_machines() {
    let model = x86::model("AuthenticAMD-25-61-2").expect("the tree has it");
    let machine = Machine::of("");
    let system = machine.system().with_model(model);
    let formulas = "a = ex_ret_instr + ipc".parse::<Formulas>().expect("it parses");
    let plan = Plan::new(formulas.bind(&system).expect("it binds"), &system, &Scope::ThisThread);
    let missing: Vec<_> = plan.missing().iter().map(|missing| missing.name()).collect();
    assert_eq!(missing, ["ex_ret_instr", "ls_not_halted_cyc"]);
}
