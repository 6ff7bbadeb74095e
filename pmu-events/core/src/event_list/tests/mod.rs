extern crate std;

mod properties;
mod recorded;

use core::ops::Range;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::error::{Expected as Wanted, Unexpected};
use super::term_kind::TermPlace;
use super::*;
use crate::expr::item::{LITERALS, literal_name};
use crate::located;
use crate::perf_type;
use crate::term::PerfTerm;

/// `backticked text`, followed by what is expected of it.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter(|line| !line.is_empty()).map(|line| {
        let (text, expected) = line[1..].split_once("` ").unwrap();
        (text, expected)
    })
}

/// Type, config and the like, in the form of the table of recorded cases.
fn words(event: EventRef<'_>) -> String {
    let mut of_terms = None;
    for term in event.terms().iter() {
        match term.kind() {
            TermKind::Hardware(hardware) => {
                of_terms = Some(format!("{}:{:#x}", perf_type::HARDWARE, hardware.config()));
            }
            TermKind::Cache => {
                let config = Cache::find(term.name()).unwrap().config();
                of_terms = Some(format!("{}:{config:#x}", perf_type::CACHE));
            }
            _ => {}
        }
    }
    match event.kind() {
        EventKind::Hardware(event) => format!("{}:{:#x}", perf_type::HARDWARE, event.config()),
        EventKind::Software(event) => format!("{}:{:#x}", perf_type::SOFTWARE, event.config()),
        EventKind::Cache { event, .. } => format!("{}:{:#x}", perf_type::CACHE, event.config()),
        EventKind::Raw { config } => format!("4:{config:#x}"),
        EventKind::Numeric { r#type, config } => format!("{type}:{config:#x}"),
        EventKind::Breakpoint(breakpoint) => {
            let Breakpoint { address, len, .. } = breakpoint;
            let executes = breakpoint.access() == 4;
            let len = len.unwrap_or(if executes { 8 } else { 4 });
            format!("{}:{address:#x},{len},{}", perf_type::BREAKPOINT, breakpoint.access())
        }
        EventKind::Pmu(_) if of_terms.is_some() => of_terms.unwrap(),
        EventKind::Name(_) | EventKind::Pmu(_) => "pmu".to_string(),
        EventKind::Tool(_) | EventKind::Tracepoint { .. } => format!("{:?}", event.kind()),
    }
}

fn flags(settings: Settings) -> String {
    let mut flags = String::new();
    let Settings { exclude_user, exclude_kernel, exclude_hv, .. } = settings;
    let Settings { exclude_host, exclude_guest, exclude_idle, .. } = settings;
    for (is_set, letter) in [
        (exclude_user, 'u'),
        (exclude_kernel, 'k'),
        (exclude_hv, 'h'),
        (exclude_host, 'H'),
        (exclude_guest, 'G'),
        (exclude_idle, 'I'),
        (settings.precise == 1, '1'),
        (settings.precise == 2, '2'),
        (settings.precise == 3, '3'),
        (settings.pinned, 'D'),
        (settings.exclusive, 'e'),
        (settings.sample_read, 'S'),
    ] {
        if is_set {
            flags.push(letter);
        }
    }
    if flags.is_empty() {
        flags.push('-');
    }
    flags
}

#[test]
fn recorded_events() {
    let mut checked = 0;
    for (text, expected) in rows(recorded::EVENTS) {
        checked += 1;
        let parsed = EventList::parse(text);
        match expected {
            "!syntax" => assert!(parsed.is_err(), "{text}"),
            "!" | "?" => assert!(parsed.is_ok(), "{text}: {}", parsed.unwrap_err()),
            _ => {
                let list = parsed.unwrap_or_else(|error| panic!("{text}: {error}"));
                // A PMU may have an event of its own for a generic name.
                let by_pmu = expected.split(" | ").map(|row| row.starts_with("pmu "));
                let found: Vec<_> = list
                    .events()
                    .zip(by_pmu)
                    .map(|(event, by_pmu)| {
                        let words = match event.kind() {
                            EventKind::Pmu(_) if by_pmu => "pmu".to_string(),
                            _ => words(event),
                        };
                        let mut row = format!("{words} {}", flags(event.settings()));
                        // Blanks around it are not part of a name.
                        if event.name() != event.text() {
                            row.push_str(&format!(" {:?}", event.name()));
                        }
                        assert!(text.contains(event.text()), "{text}");
                        row
                    })
                    .collect();
                assert_eq!(found.join(" | "), expected, "{text}");
                assert_eq!(list.events().count(), found.len(), "{text}");
            }
        }
    }
    assert_eq!(checked, 217);
}

#[test]
fn recorded_terms() {
    let mut checked = 0;
    for (text, expected) in rows(recorded::TERMS) {
        checked += 1;
        let parsed = TermList::parse(text);
        if expected == "!" {
            assert!(parsed.is_err(), "{text}");
            continue;
        }
        let found: Vec<_> = parsed
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .iter()
            .map(|term| {
                let value = match term.value() {
                    TermValue::None => "-".to_string(),
                    TermValue::Number(number) => format!("{number:#x}"),
                    TermValue::Text(text) => format!("{text:?}"),
                };
                format!("{} {} {value}", term.kind(), term.name())
            })
            .collect();
        assert_eq!(found.join(" | "), expected, "{text}");
    }
    assert_eq!(checked, 33);
}

#[test]
fn kinds() {
    use EventKind::*;
    let bpu = super::Cache::find("bpu").unwrap();
    let cases: &[(&str, EventKind<'_>, &str, &str)] = &[
        ("a", Name("a"), "", ""),
        ("a.b-c!", Name("a.b-c!"), "", ""),
        ("'a:b=c'", Name("a:b=c"), "", ""),
        ("a:", Name("a"), "", ""),
        ("a : ku", Name("a"), "", "uk"),
        ("r0x1a", Name("r0x1a"), "", ""),
        ("r12345678901234567", Name("r12345678901234567"), "", ""),
        ("uuuuuuuuuuuuuuuuuu", Name("uuuuuuuuuuuuuuuuuu"), "", ""),
        ("L1-Dcache", Name("L1-Dcache"), "", ""),
        ("L1-dcache-", Name("L1-dcache-"), "", ""),
        ("CYCLES", Name("CYCLES"), "", ""),
        ("0x1g", Name("0x1g"), "", ""),
        ("mem", Name("mem"), "", ""),
        ("imc//", Pmu("imc"), "", ""),
        ("*imc_[0-3]/a/kp", Pmu("*imc_[0-3]"), "a", "kp"),
        ("9p/a,b=c/", Pmu("9p"), "a,b=c", ""),
        ("bpu/name=x/:u", Cache { name: "bpu", event: bpu }, "name=x", "u"),
        ("branches", Hardware(super::Hardware::BranchInstructions), "", ""),
        ("instructions:uX", Hardware(super::Hardware::Instructions), "", "uX"),
        (
            "cycles/cpu=0-3,cpu=cpu_atom/",
            Hardware(super::Hardware::CpuCycles),
            "cpu=0-3,cpu=cpu_atom",
            "",
        ),
        ("cs/time=0/R", Software(super::Software::ContextSwitches), "time=0", "R"),
        ("duration_time//u", Tool(super::Tool::DurationTime), "", "u"),
        ("user_time:", Tool(super::Tool::UserTime), "", ""),
        ("system_time", Tool(super::Tool::SystemTime), "", ""),
        ("num_cpus", Name("num_cpus"), "", ""),
        ("tool/num_cpus/", Pmu("tool"), "num_cpus", ""),
        ("Duration_Time", Name("Duration_Time"), "", ""),
        ("read", Raw { config: 0xead }, "", ""),
        ("r1A/config1=3/:k", Raw { config: 0x1a }, "config1=3", "k"),
        ("010:010", Numeric { r#type: 10, config: 10 }, "", ""),
        ("4 : 0xFF :p", Numeric { r#type: 4, config: 0xff }, "", "p"),
        ("kvm-s390:x", Tracepoint { system: "kvm-s390", event: "x" }, "", ""),
        ("*:*:u", Tracepoint { system: "*", event: "*" }, "", "u"),
        ("a:x/nr=1/u", Tracepoint { system: "a", event: "x" }, "nr=1", "u"),
        ("inst_retired.any:x", Tracepoint { system: "inst_retired.any", event: "x" }, "", ""),
        ("sched:dummy", Tracepoint { system: "sched", event: "dummy" }, "", ""),
    ];
    for &(text, kind, terms, modifiers) in cases {
        let list = EventList::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let events: Vec<_> = list.events().collect();
        assert_eq!(events.len(), 1, "{text}");
        assert_eq!(events[0].kind(), kind, "{text}");
        assert_eq!(events[0].terms().to_string(), terms, "{text}");
        assert_eq!(events[0].terms().is_empty(), terms.is_empty(), "{text}");
        assert_eq!(events[0].modifiers().to_string(), modifiers, "{text}");
        assert_eq!(events[0].has_slashes(), text.contains('/'), "{text}");
    }
}

#[test]
fn groups() {
    let text = " g1 { cycles:u , mem:0:x } :pS,r1,{a,x,cpu/c/},g2{y}";
    let list = EventList::parse(text).unwrap();
    let mut shape = Vec::new();
    for item in list.items() {
        match item {
            ListItem::Event(event) => {
                assert_eq!(event.membership(), None);
                shape.push(event.to_string());
            }
            ListItem::Group(group) => {
                let mut members = group.members();
                for i in 0..group.len() {
                    assert_eq!(members.len(), group.len() - i);
                    let place = members.next().and_then(|event| event.membership()).unwrap();
                    assert_eq!((place.index, place.len), (i, group.len()));
                    assert_eq!(place.modifiers, group.modifiers());
                }
                assert!(members.next().is_none());
                shape.push(format!("{:?} {}", group.name(), &text[group.span()]));
            }
        }
    }
    assert_eq!(
        shape,
        [
            "Some(\"g1\") g1 { cycles:u , mem:0:x } :pS",
            "r1",
            "None {a,x,cpu/c/}",
            "Some(\"g2\") g2{y}"
        ]
    );
    let texts: Vec<_> = list.events().map(|event| event.text()).collect();
    assert_eq!(texts, ["cycles:u", "mem:0:x", "r1", "a", "x", "cpu/c/", "y"]);
    assert_eq!(list.to_string(), "g1{cycles:u,mem:0:x}:Sp,r1,{a,x,cpu/c/},g2{y}");
}

#[test]
fn terms_between_slashes() {
    use TermKind::*;
    use TermValue::{None, Number, Text};
    let cases: &[(&str, TermKind, &str, TermValue<'_>)] = &[
        ("a", Format, "a", None),
        ("a[1]=2", Format, "a[1]", Number(2)),
        ("a:b.c", Format, "a:b.c", None),
        ("'a,b'='c=d'", Format, "a,b", Text("c=d")),
        ("12a", Format, "12a", None),
        ("a=12a", Format, "a", Text("12a")),
        ("a=0x12345678901234567", Format, "a", Text("0x12345678901234567")),
        ("a=0X1", Format, "a", Text("0X1")),
        ("a=r1", Format, "a", Text("r1")),
        ("a=period", Format, "a", Text("period")),
        ("cycles=1", Format, "cycles", Number(1)),
        ("l1d=1", Format, "l1d", Number(1)),
        ("r1=1", Format, "r1", Number(1)),
        ("cpu-clock", Format, "cpu-clock", None),
        ("u", Format, "u", None),
        ("cpu-cycles", Hardware(super::Hardware::CpuCycles), "cpu-cycles", None),
        ("branches", Hardware(super::Hardware::BranchInstructions), "branches", None),
        ("branch", Cache, "branch", None),
        ("L1-icache-store", Cache, "L1-icache-store", None),
        ("r1a", Raw(0x1a), "r1a", None),
        ("r0x1a", Raw(0x1a), "r0x1a", None),
        ("read", Raw(0xead), "read", None),
        ("config3=0x10", Perf(PerfTerm::Config3), "config3", Number(16)),
        ("config4=0x10", Perf(PerfTerm::Config4), "config4", Number(16)),
        ("period", Perf(PerfTerm::Period), "period", None),
        ("name=period", Perf(PerfTerm::Name), "name", Text("period")),
        ("name=cycles", Perf(PerfTerm::Name), "name", Text("cycles")),
        ("name=10.5", Perf(PerfTerm::Name), "name", Text("10.5")),
        ("branch_type=no", Perf(PerfTerm::BranchType), "branch_type", Text("no")),
        ("time", Perf(PerfTerm::Time), "time", None),
        ("no-inherit", Perf(PerfTerm::NoInherit), "no-inherit", None),
        (
            "aux-sample-size=4294967295",
            Perf(PerfTerm::AuxSampleSize),
            "aux-sample-size",
            Number(4294967295),
        ),
        ("cpu=2", Perf(PerfTerm::Cpu), "cpu", Number(2)),
        ("cpu=0-3", Perf(PerfTerm::Cpu), "cpu", Text("0-3")),
        ("cpu='0-1,4'", Perf(PerfTerm::Cpu), "cpu", Text("0-1,4")),
        ("cpu=cpu_atom", Perf(PerfTerm::Cpu), "cpu", Text("cpu_atom")),
        ("ratio-to-prev=0.5", Perf(PerfTerm::RatioToPrev), "ratio-to-prev", Text("0.5")),
        ("ratio-to-prev=2", Perf(PerfTerm::RatioToPrev), "ratio-to-prev", Number(2)),
        ("ratio-to-prev=1e-2", Perf(PerfTerm::RatioToPrev), "ratio-to-prev", Text("1e-2")),
        ("aux-action=start-paused", Perf(PerfTerm::AuxAction), "aux-action", Text("start-paused")),
        ("@a", DriverConfig, "a", None),
        ("@a.b=c:?*", DriverConfig, "a.b=c:?*", None),
    ];
    for &(term, kind, name, value) in cases {
        let text = format!("cpu/a=1, {term} /");
        let list = EventList::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = list.events().next().unwrap().terms().iter().nth(1).unwrap();
        assert_eq!((found.kind(), found.name(), found.value()), (kind, name, value), "{term}");
        assert_eq!(text[found.span()], *term);
        assert_eq!(found.to_string(), term);
        // The encoder recognizes a driver's term by the `@`.
        assert_eq!(found.plain().name, if kind == DriverConfig { term } else { name });
        if let Some(span) = found.value_span() {
            assert_eq!(Some(&text[span]), term.split_once('=').map(|(_, value)| value));
        }
        // A sysfs file means the same, except for caches.
        let alone = TermList::parse(term).unwrap().iter().next().unwrap();
        let expected = if kind == Cache { Format } else { kind };
        assert_eq!(alone.kind(), expected, "{term}");
    }
}

/// The visitor receives the same as the list returns afterwards.
#[test]
fn visited() {
    #[derive(Default)]
    struct Pieces(Vec<String>, Vec<String>);
    impl<'a> Visitor<'a> for Pieces {
        fn term(&mut self, term: TermRef<'a>) {
            self.1.push(format!("{term:?} {:?}", term.span()));
        }
        fn event(&mut self, event: EventRef<'a>) {
            assert_eq!(event.membership(), None);
            self.0.push(format!("{event:?} {:?} {:?}", event.span(), self.1));
            self.1.clear();
        }
        fn group(&mut self, group: GroupRef<'a>) {
            self.0.push(format!("{group:?} {:?}", group.span()));
        }
    }
    let text = "a, cpu/b=1,c,@d/k, g{x/e/,y:u}:S,{cycles},mem:0/4/config1=2/:u,1:2,s:t";
    let mut told = Pieces::default();
    let list = EventList::visit(text, &mut told).unwrap();
    let mut found = Vec::new();
    let event = |mut event: EventRef<'_>| {
        let of = |term: TermRef<'_>| format!("{term:?} {:?}", term.span());
        let terms: Vec<String> = event.terms().iter().map(of).collect();
        event.membership = None;
        format!("{event:?} {:?} {terms:?}", event.span())
    };
    for item in list {
        match item {
            ListItem::Event(alone) => found.push(event(alone)),
            ListItem::Group(group) => {
                found.extend(group.members().map(event));
                found.push(format!("{group:?} {:?}", group.span()));
            }
        }
    }
    assert_eq!(told.0, found);
    assert!(told.1.is_empty());

    let membership = Membership { index: 1, len: 3, modifiers: Modifiers::NONE };
    let alone = list.events().next().unwrap();
    assert_eq!(alone.in_group(membership).membership(), Some(membership));
}

#[test]
fn known_terms() {
    for &term in PerfTerm::ALL {
        let (word, kind) = (term.name(), TermKind::Perf(term));
        let values = ["1", "any"].map(|value| format!("{word}={value}"));
        let of_value = values.iter().filter_map(|text| TermList::parse(text).ok());
        let kinds: Vec<_> = of_value.map(|terms| terms.iter().next().unwrap().kind()).collect();
        // A CPU is a number, a PMU whose CPUs are meant is text.
        let values = if term == PerfTerm::Cpu { 2 } else { 1 };
        assert_eq!(kinds, [kind].repeat(values), "{word}");
        assert_eq!(kind.to_string(), word);
    }
}

#[test]
fn faults() {
    use Fault::*;
    use Unexpected::{End, Number, Sign, Word};
    let expected = |expected, found| Expected { expected, found };
    use Wanted::{
        Address, Colon, Config, Event, Item, ItemEnd, Length, MemberEnd, Term as ATerm, TermEnd,
    };
    let modifiers = Wanted::Modifiers;
    let value = Wanted::Value;
    let cases: &[(&str, Fault, Range<usize>)] = &[
        ("", expected(Item, End), 0..0),
        (" \t", expected(Item, End), 2..2),
        (",", expected(Item, Sign(',')), 0..1),
        ("a,", expected(Item, End), 2..2),
        ("a,,b", expected(Item, Sign(',')), 2..3),
        ("u", expected(Event, Unexpected::Modifiers), 0..1),
        ("/a/", expected(Item, Sign('/')), 0..1),
        ("a b", MissingColon, 2..3),
        ("a x", expected(ItemEnd, Word), 2..3),
        ("a=1", expected(ItemEnd, Sign('=')), 1..2),
        ("cycles;", UnexpectedCharacter(';'), 6..7),
        ("é", UnexpectedCharacter('é'), 0..2),
        ("a,-b", UnexpectedCharacter('-'), 2..3),
        ("{}", expected(Event, Sign('}')), 1..2),
        ("{a", UnclosedGroup, 0..1),
        ("{a,", UnclosedGroup, 0..1),
        ("g{a", UnclosedGroup, 1..2),
        ("}", UnopenedGroup, 0..1),
        ("a}", UnopenedGroup, 1..2),
        ("{a}}", UnopenedGroup, 3..4),
        ("{{a}}", NestedGroup, 1..2),
        ("{a,{c}}", NestedGroup, 3..4),
        ("{a,g{c}}", NestedGroup, 4..5),
        ("cycles{a}", GroupName, 0..6),
        ("g:{a}", expected(ItemEnd, Sign('{')), 2..3),
        ("{a x}", expected(MemberEnd, Word), 3..4),
        ("{a}:", expected(modifiers, End), 4..4),
        ("{a}u", MissingColon, 3..4),
        ("{a}:x", UnknownModifier('x'), 4..5),
        ("{a,a:pp,a:p}:pp", TooPreciseInGroup, 13..15),
        ("cycles u", MissingColon, 7..8),
        ("cycles:x", UnknownModifier('x'), 7..8),
        ("cycles:ukx", UnknownModifier('x'), 9..10),
        ("cycles:K", UnknownModifier('K'), 7..8),
        ("cycles:u:k", expected(ItemEnd, Sign(':')), 8..9),
        ("cycles:uu", RepeatedModifier('u'), 8..9),
        ("a:pppp", TooPrecise, 5..6),
        ("cpu//W", WeakEvent, 5..6),
        ("cpu/a/:u", expected(ItemEnd, Sign(':')), 6..7),
        ("cpu/a/q", UnknownModifier('q'), 6..7),
        ("a:1", expected(modifiers, Number), 2..3),
        ("cpu/event=0x3c", UnclosedTerms, 3..4),
        ("cpu/", UnclosedTerms, 3..4),
        ("cpu/a,", UnclosedTerms, 3..4),
        ("{cpu/a}", UnclosedTerms, 4..5),
        ("cpu/,a/", expected(ATerm, Sign(',')), 4..5),
        ("cpu/a,/", expected(ATerm, Sign('/')), 6..7),
        ("cpu/1/", expected(ATerm, Number), 4..5),
        ("cpu/a=/", expected(value, Sign('/')), 6..7),
        ("cpu/a=-1/", UnexpectedCharacter('-'), 6..7),
        // Only the rule of events allows these first characters, and it allows no colon.
        ("cpu/2a:b/", expected(TermEnd, Sign(':')), 6..7),
        ("cpu/[a:b/", expected(TermEnd, Sign(':')), 6..7),
        ("cpu/a=1=2/", expected(TermEnd, Sign('=')), 7..8),
        ("cpu/a x/", expected(TermEnd, Word), 6..7),
        ("cpu/a=18446744073709551616/", NumberOutOfRange, 6..26),
        ("cpu/name='a/", UnclosedQuote, 9..10),
        ("cpu/name='a b'/", QuotedCharacter(' '), 11..12),
        ("cpu/name=''/", QuotedCharacter('\''), 10..11),
        ("cpu/@/", expected(Wanted::DriverConfig, Sign('/')), 5..6),
        ("cpu/name=1/", TermTakesText(PerfTerm::Name), 9..10),
        ("cpu/name/", TermTakesText(PerfTerm::Name), 4..8),
        ("cpu/period=x/", TermTakesNumber(PerfTerm::Period), 11..12),
        ("cpu/time=2/", TermTooLarge { term: PerfTerm::Time, max: 1 }, 9..10),
        ("cpu/cpu/", NoCpu, 4..7),
        ("cpu/aux-action=1/", TermTakesText(PerfTerm::AuxAction), 15..16),
        ("a/ratio-to-prev/", Ratio, 2..15),
        ("a/ratio-to-prev=0/", Ratio, 16..17),
        ("a/ratio-to-prev=0.0/", Ratio, 16..19),
        ("a/ratio-to-prev=2x/", Ratio, 16..18),
        ("a/ratio-to-prev=inf/", Ratio, 16..19),
        ("a/ratio-to-prev=nan/", Ratio, 16..19),
        ("a/ratio-to-prev=1e999/", Ratio, 16..21),
        ("a/ratio-to-prev=0x2/", Ratio, 16..19),
        ("a:x/cpu=0/", Term(TermPlace::Tracepoint), 4..7),
        ("a:x/ratio-to-prev=2.0/", Term(TermPlace::Tracepoint), 4..17),
        ("user_time/cpu=0/", Term(TermPlace::Tool), 10..13),
        ("cycles:XX", RepeatedModifier('X'), 8..9),
        ("X", expected(Event, Unexpected::Modifiers), 0..1),
        ("cpu/branch_type=lbr/", BranchType, 16..19),
        ("cycles/branch_type='any,NO'/", BranchType, 19..27),
        ("cycles/branch_type='any,'/", BranchType, 19..25),
        ("cycles/umask=1/", Term(TermPlace::Generic), 7..12),
        ("r1a/r1a/", Term(TermPlace::Generic), 4..7),
        ("a:b/nr=1/", expected(ItemEnd, Sign('/')), 3..4),
        ("a:x/name=y/", Term(TermPlace::Tracepoint), 4..8),
        ("user_time/name=y/", Term(TermPlace::Tool), 10..14),
        ("L1-icache-stores", CacheOperation, 0..16),
        ("L1-dcache-load-store", CacheParts, 0..20),
        ("LLC-miss-refs", CacheParts, 0..13),
        ("4", expected(Colon, End), 1..1),
        ("4:a", expected(Config, Word), 2..3),
        ("4294967296:1", TypeOutOfRange, 0..10),
        ("1:18446744073709551616", NumberOutOfRange, 2..22),
        ("mem:", expected(Address, End), 4..4),
        ("mem:x", expected(Address, Word), 4..5),
        ("mem:0x", expected(Address, Word), 4..6),
        ("mem:0u", expected(Address, Word), 4..6),
        ("mem:0x12345678901234567", NumberOutOfRange, 4..23),
        ("mem:0/4k", expected(Length, Word), 6..8),
        ("mem:0:rr", BreakpointAccess, 6..8),
        ("mem:0:rwu", BreakpointAccess, 6..9),
        ("mem:0/", UnclosedTerms, 5..6),
    ];
    for &(text, kind, ref span) in cases {
        let error = EventList::parse(text).expect_err(text);
        assert_eq!(
            (error.fault(), error.span()),
            (located::Fault::EventList(kind), span.clone()),
            "{text:?}: {error}"
        );
    }
}

#[test]
fn suggestions() {
    let cases: &[(&str, Option<&str>)] = &[
        ("cycles/preiod=1/", Some("period")),
        ("cycles/no_inherit/", Some("no-inherit")),
        ("cycles/umask=1/", None),
        // Terms of other events are not allowed here.
        ("sched:switch/name=x/", None),
        ("sched:switch/max-stak=5/", Some("max-stack")),
        ("duration_time/period=1/", None),
        ("cycles:K", Some("k")),
        ("cycles:x", Some("X")),
        ("cycles:é", None),
        ("L1-dcache-loads-load", Some("L1-dcache-loads")),
    ];
    for &(text, expected) in cases {
        let error = EventList::parse(text).unwrap_err();
        assert_eq!(error.suggestion(text), expected, "{text}: {error}");
        assert_eq!(error.suggestion(""), None);
    }
}

#[test]
fn generic_names() {
    for known in generic::NAMES {
        let of_kernel =
            Hardware::find(known).is_some() as u8 + Software::find(known).is_some() as u8;
        assert_eq!(of_kernel + Tool::find(known).is_some() as u8, 1, "{known}");
        assert_eq!(nearest_generic(known), Some(known));
    }
    // Each of the 32 is one event, and there are no others.
    let mut configs: Vec<_> =
        cache::NAMES.iter().map(|known| Cache::find(known).unwrap().config()).collect();
    configs.sort_unstable();
    configs.dedup();
    assert_eq!(configs.len(), cache::NAMES.len());
    for known in cache::NAMES {
        let event = Cache::find(known).unwrap();
        let term = format!("legacy-cache-config={:#07x}", event.config());
        assert_eq!(event.event_string(), term, "{known}");
    }

    let hardware: Vec<_> =
        generic::NAMES.iter().filter_map(|known| Hardware::find(known)).collect();
    let numbers: Vec<_> = hardware.iter().map(|event| event.config()).collect();
    assert_eq!(numbers, [0, 0, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 8, 9]);
    let software: Vec<_> =
        generic::NAMES.iter().filter_map(|known| Software::find(known)).collect();
    let numbers: Vec<_> = software.iter().map(|event| event.config()).collect();
    assert_eq!(numbers, [0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11]);
}

/// In any letter case, but as words of the grammar only as perf spells them.
#[test]
fn generic_events_in_any_case() {
    for known in generic::NAMES.into_iter().chain(cache::NAMES) {
        let meant = generic_named(known);
        let is_word = |name: &str| {
            let list = EventList::parse(name).unwrap();
            !matches!(list.events().next().unwrap().kind(), EventKind::Name(_))
        };
        assert_eq!(meant.is_some(), is_word(known), "{known}");
        for other in [known.to_uppercase(), known.to_lowercase()] {
            let found = generic_named(&other);
            let config = |kind: Option<EventKind<'_>>| match kind {
                Some(EventKind::Cache { event, .. }) => Ok(event),
                kind => Err(format!("{kind:?}")),
            };
            assert_eq!(config(found), config(meant), "{other}");
            assert!(other == known || !is_word(&other), "{other}");
        }
    }
    for other in ["", "é", "cycles ", "l1d-é", "stalled-cycles-frontends", "L1-icache-stores"] {
        assert_eq!(generic_named(other), None, "{other}");
    }
}

#[test]
fn tools() {
    for &tool in Tool::ALL {
        assert_eq!(Tool::find(tool.name()), Some(tool));
        assert_eq!(Tool::find(&tool.name().to_uppercase()), Some(tool));
        assert_eq!(Tool::word(tool.name()).is_some(), tool.is_time());
        // All but the times are literals, of the same name.
        assert_eq!(LITERALS.contains(&tool), !tool.is_time());
        let sign = if tool.is_time() { "" } else { "#" };
        assert_eq!(literal_name(tool), format!("{sign}{}", tool.name()));
    }
    assert_eq!(Tool::word("DURATION_TIME"), None);
}

/// Every spelling, compared with a simpler rule than the parser's.
#[test]
fn cache_spellings() {
    const UNITS: [&str; 7] = [
        "L1-dcache l1-d l1d L1-data",
        "L1-icache l1-i l1i L1-instruction",
        "LLC L2",
        "dTLB d-tlb Data-TLB",
        "iTLB i-tlb Instruction-TLB",
        "branch branches bpu btb bpc",
        "node",
    ];
    const OPERATIONS: [&str; 3] = [
        "load loads read",
        "store stores write",
        "prefetch prefetches speculative-read speculative-load",
    ];
    const RESULTS: [&str; 2] = ["refs Reference ops access", "misses miss"];
    let spellings = |lists: &[&'static str]| -> Vec<(u64, &'static str)> {
        let numbered = lists.iter().enumerate();
        numbered.flat_map(|(n, list)| list.split(' ').map(move |word| (n as u64, word))).collect()
    };
    let mut found = 0;
    for (unit, unit_word) in spellings(&UNITS) {
        let mut check = |rest: String, operation: u64, result: u64| {
            let name = format!("{unit_word}{rest}");
            let has = match unit {
                1 => operation != 1,
                4 | 5 => operation == 0,
                _ => true,
            };
            let config = has.then_some(unit | operation << 8 | result << 16);
            assert_eq!(Cache::find(&name).map(Cache::config), config, "{name}");
            found += usize::from(has);
        };
        check(String::new(), 0, 0);
        for (operation, word) in spellings(&OPERATIONS) {
            check(format!("-{word}"), operation, 0);
            for (result, other) in spellings(&RESULTS) {
                check(format!("-{word}-{other}"), operation, result);
                check(format!("-{other}-{word}"), operation, result);
            }
        }
        for (result, word) in spellings(&RESULTS) {
            check(format!("-{word}"), 0, result);
        }
    }
    assert_eq!(found, 2130);
}

#[test]
fn modifiers() {
    let cases: &[(&str, &str, &str, &str)] = &[
        // event, group, as leader, as another member
        ("", "", "G", "G"),
        ("D", "", "D", "D"),
        ("u", "", "khG", "khG"),
        ("k", "", "uh", "uh"),
        ("h", "", "uk", "uk"),
        ("ukh", "", "G", "G"),
        ("G", "", "H", "H"),
        ("H", "", "G", "G"),
        ("GH", "", "-", "-"),
        ("uG", "", "khH", "khH"),
        ("p", "", "G1", "G1"),
        ("pG", "", "H1", "H1"),
        ("I", "", "I", "I"),
        ("", "D", "GD", "G"),
        ("", "e", "Ge", "G"),
        ("", "S", "GS", "GS"),
        ("", "k", "uhG", "uhG"),
        ("u", "k", "hG", "hG"),
        ("k", "u", "hG", "hG"),
        ("p", "pp", "G3", "G3"),
        ("G", "H", "-", "-"),
        ("H", "u", "khG", "khG"),
        ("G", "u", "khH", "khH"),
        ("GH", "p", "G1", "G1"),
    ];
    for &(event, group, leader, member) in cases {
        let own = Settings::default().with_event(event.parse::<Modifiers>().unwrap());
        let group_modifiers = group.parse::<Modifiers>().unwrap();
        assert_eq!(flags(own.with_group(group_modifiers, true)), leader, "{event} {group}");
        assert_eq!(flags(own.with_group(group_modifiers, false)), member, "{event} {group}");
    }
    // An event's own modifiers start without exclusions, whatever was set
    // before.
    let mut excluding = Settings::default().with_event("G".parse::<Modifiers>().unwrap());
    (excluding.exclude_user, excluding.exclude_kernel, excluding.exclude_hv) = (true, true, true);
    (excluding.exclude_host, excluding.exclude_guest) = (true, true);
    for (event, expected) in [("", "ukhHG"), ("D", "D"), ("u", "khG"), ("G", "H"), ("kH", "uhG")] {
        let own = excluding.with_event(event.parse::<Modifiers>().unwrap());
        assert_eq!(flags(own), expected, "{event}");
    }
    let all = "pXRbWeDSpPIHGhkup".parse::<Modifiers>().unwrap();
    assert_eq!(all.to_string(), "ukhGHIPSDeWbRXppp");
    assert!(Modifier::ALL.iter().copied().all(|modifier| all.contains(modifier)));
    for &modifier in Modifier::ALL {
        assert_eq!(Modifier::find(modifier.letter()), Some(modifier));
    }
    let settings = Settings::default().with_group(all, true);
    assert!(settings.weak && settings.bpf && settings.retire_latency && settings.precise_max);
    assert!(settings.keep_place && !Settings::default().keep_place);
    assert!(Modifier::find('x').is_none() && Modifiers::NONE.is_empty() && !all.is_empty());
}

#[test]
fn errors_speak() {
    let error = |text| EventList::parse(text).unwrap_err().to_string();
    assert_eq!(error("{cycles"), "byte 0: unclosed group: add `}`");
    assert_eq!(error("cpu/time=2/"), "byte 9: value too large for term `time`: at most 1 fits");
    assert_eq!(
        error("cycles/umask=1/"),
        "byte 7: this term is not allowed on an event without a PMU"
    );
    assert_eq!(
        error("cycles/cpu/"),
        "byte 7: term `cpu` needs a value: a CPU, a range of CPUs such as `0-3`, or a PMU"
    );
    assert_eq!(
        error("cycles/ratio-to-prev=0/"),
        "byte 21: invalid value for term `ratio-to-prev`: expected a positive number such as `0.5`"
    );
    assert_eq!(error("a,u"), "byte 2: expected an event, found modifiers");
    let error: &dyn core::error::Error = &EventList::parse("").unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0: expected an event or a group, found the end of the text"
    );
}
