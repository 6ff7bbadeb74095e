//! `arch/test`, a made-up SoC, through the real macro: every key and rule of
//! the format against values that were written by hand from what perf's
//! jevents makes of them, and every look-up.

use std::collections::BTreeSet;
use std::process::Command;

use pmu_events::event::{CounterConstraint, CounterSet, Msr, Precise};
use pmu_events::metric::{Aggregation, Constraint};
use pmu_events::{Event, Metric, Model, metric, name};

mod test {
    pmu_events::pmu_events!("arch/test", unknown = deny);
}

/// What an event must be, field by field.
#[derive(Clone)]
struct Expected {
    name: &'static str,
    pmu: &'static str,
    topic: &'static str,
    event: &'static str,
    brief: Option<&'static str>,
    public: Option<&'static str>,
    /// Where perf's text is not just the one without a final stop.
    perf_brief: Option<&'static str>,
    perf_public: Option<&'static str>,
    scale_unit: Option<&'static str>,
    compat: Option<&'static str>,
    errata: Option<&'static str>,
    per_package: bool,
    deprecated: bool,
    experimental: bool,
    data_address: bool,
    precise: Precise,
    counters: CounterConstraint,
    msr: Option<(u32, Option<u32>, u64)>,
    sample_after: Option<u64>,
    latency: Option<[Option<&'static str>; 3]>,
}

/// An event of the core, of which nothing is said but its codes.
fn event(topic: &'static str, name: &'static str, event: &'static str) -> Expected {
    Expected {
        name,
        pmu: "default_core",
        topic,
        event,
        brief: None,
        public: None,
        perf_brief: None,
        perf_public: None,
        scale_unit: None,
        compat: None,
        errata: None,
        per_package: false,
        deprecated: false,
        experimental: false,
        data_address: false,
        precise: Precise::No,
        counters: CounterConstraint::Unstated,
        msr: None,
        sample_after: None,
        latency: None,
    }
}

impl Expected {
    fn brief(self, brief: &'static str) -> Self {
        Self { brief: Some(brief), ..self }
    }

    fn public(self, public: &'static str) -> Self {
        Self { public: Some(public), ..self }
    }

    /// perf's texts, where the rule of the one final stop does not give them.
    fn perf(self, brief: &'static str, public: &'static str) -> Self {
        let some = |text: &'static str| (!text.is_empty()).then_some(text);
        Self { perf_brief: some(brief), perf_public: some(public), ..self }
    }

    fn on(self, pmu: &'static str) -> Self {
        Self { pmu, ..self }
    }

    fn scale(self, unit: &'static str) -> Self {
        Self { scale_unit: Some(unit), ..self }
    }

    fn compat(self, pattern: &'static str) -> Self {
        Self { compat: Some(pattern), ..self }
    }

    fn errata(self, errata: &'static str) -> Self {
        Self { errata: Some(errata), ..self }
    }

    fn data_address(self) -> Self {
        Self { data_address: true, ..self }
    }

    fn per_package(self) -> Self {
        Self { per_package: true, ..self }
    }

    fn precise(self, precise: Precise) -> Self {
        Self { precise, ..self }
    }

    fn counters(self, counters: CounterConstraint) -> Self {
        Self { counters, ..self }
    }

    fn general(self, set: u64) -> Self {
        self.counters(CounterConstraint::General(CounterSet::from_bits(set)))
    }

    fn sample_after(self, period: u64) -> Self {
        Self { sample_after: Some(period), ..self }
    }

    fn msr(self, index: u32, other: Option<u32>, value: u64) -> Self {
        Self { msr: Some((index, other, value)), ..self }
    }
}

fn codes() -> Vec<Expected> {
    let e = |name, string| event("codes", name, string);
    vec![
        e("CODE.ZERO", "event=0").brief("The code zero."),
        e("CODE.NINE", "event=9").brief("The largest code that is printed in decimal."),
        e("CODE.TEN", "event=0xa").brief("The smallest code that is printed as hexadecimal."),
        e("CODE.LIST", "event=0xb7").brief("Two codes, of which the first counts."),
        e("CODE.SPACED_LIST", "event=0xb8").brief("Two codes with spaces around them."),
        e("CODE.UPPER", "event=0xc4").brief("A code with a capital prefix."),
        e("CODE.OCTAL", "event=0xf").brief("A code in octal."),
        e("CODE.BINARY", "event=0x14").brief("A code in binary."),
        e("CODE.WIDEST", "event=0xffffffffffffffff").brief("A code of 64 bits."),
        e("CODE.EXT", "event=0x324").brief("A code with an extension above it."),
        e("CODE.EXT_ONLY", "event=0x100").brief("An extension above no code."),
        e("CODE.EXT_ZERO", "event=0x25").brief("An extension that changes nothing."),
        e("CODE.CONFIG", "config=0x2c").brief("A whole config word."),
        e("CODE.CONFIG_SMALL", "config=5,umask=1")
            .brief("A small config word with a field behind it."),
        e("CODE.CONFIG_ZERO", "config=0").brief("A config word of zero."),
        e("CODE.EVENTID", "eventid=1,type=5").brief("An event identifier."),
        e("CODE.EVENTID_LARGE", "eventid=0x1f").brief("An event identifier of two digits."),
    ]
}

fn fields() -> Vec<Expected> {
    let e = |name, string| event("fields", name, string);
    vec![
        e(
            "FIELD.ALL",
            "event=0x42,any=1,ch_mask=0xf,cmask=12,edge=1,fc_mask=7,inv=1,period=200003,\
             umask=0xff,type=0xa,rdwrmask=0x30,enallcores=1,enallslices=1,sliceid=0x1f,\
             threadmask=3",
        )
        .brief("Every field, written backwards.")
        .sample_after(200_003),
        e("FIELD.ALL_ZERO", "event=0x43").brief("Every field, and none that is left."),
        e("FIELD.DECIMAL", "event=0x44,cmask=10,umask=16")
            .brief("Fields in decimal, one with a zero before it."),
        e("FIELD.HEXADECIMAL", "event=0x45,cmask=0xa,period=0x1000,umask=5")
            .brief("Fields in hexadecimal, one of a single digit.")
            .sample_after(0x1000),
        e("FIELD.FILTER", "event=0x46,umask=1,config1=0x3f,occ_invert")
            .brief("A filter, taken as it is."),
        e("FIELD.FILTER_AND_MSR", "event=0x47,edge=1,frontend=0x11")
            .brief("A filter, and a register behind it.")
            .msr(0x3f7, None, 0x11),
        e("FIELD.EMPTY", "event=0x48").brief("Empty values, which are as good as none."),
        e("FIELD.IGNORED", "event=0x49").brief("Keys of published trees that have no effect."),
    ]
}

/// Filter, register and period of the JSON are not in the string of a fixed
/// name, but can be asked for.
fn fixed_names() -> Vec<Expected> {
    let e = |name, string| event("fixed names", name, string);
    vec![
        e("INST_RETIRED.ANY", "event=0xc0,period=2000003")
            .brief("Instructions that reached retirement.")
            .counters(CounterConstraint::Fixed(Some(0)))
            .sample_after(1_000_003),
        e("Inst_Retired.Any_P", "event=0xc0,period=2000003")
            .brief("Instructions that reached retirement, on any counter.")
            .general(0b1111)
            .sample_after(2_000_003),
        e("CPU_CLK_UNHALTED.THREAD", "event=0x3c,period=2000003")
            .brief("Ticks of the hyper-thread's clock.")
            .counters(CounterConstraint::Fixed(Some(1)))
            .sample_after(2_000_003),
        e("cpu_clk_unhalted.core", "event=0x3c,period=2000003")
            .brief("Ticks of the core's clock.")
            .sample_after(2_000_003),
        e("CPU_CLK_UNHALTED.THREAD_ANY", "event=0x3c,any=1,period=2000003")
            .brief("Ticks of the core's clock while any hyper-thread runs.")
            .msr(0x1a6, None, 8)
            .sample_after(2_000_003),
        e("CPU_CLK_UNHALTED.REF", "event=0x0,umask=0x03,period=2000003")
            .brief("Ticks of the reference clock.")
            .sample_after(2_000_003),
        e("CPU_CLK_UNHALTED.REF_XCLK", "event=5")
            .brief("A name that only begins like a fixed one."),
    ]
}

fn memory() -> Vec<Expected> {
    let e = |name, string| event("memory", name, string);
    vec![
        e("MSR.LOAD_LATENCY", "event=0xcd,period=1009,umask=1,ldlat=0x80")
            .brief("Loads that took longer than 128 ticks.")
            .perf(
                "Loads that took longer than 128 ticks  Supports address when precise (Must be \
                 precise)",
                "",
            )
            .data_address()
            .precise(Precise::Required)
            .general(0b1_1110)
            .msr(0x3f6, None, 0x80)
            .sample_after(1009),
        e("MSR.LOAD_LATENCY_DECIMAL", "event=0xce,ldlat=4")
            .brief("Loads that took longer than four ticks.")
            .msr(0x3f6, None, 4),
        e("MSR.OFFCORE_BOTH", "event=0xb7,umask=1,offcore_rsp=0x3F803C0001")
            .brief("Requests that the next package answered.")
            .msr(0x1a6, Some(0x1a7), 0x3f_803c_0001),
        e("MSR.OFFCORE_FIRST", "event=0xb7,offcore_rsp=0X10002")
            .brief("Stores that left the core.")
            .msr(0x1a6, None, 0x10002),
        e("MSR.OFFCORE_SECOND", "event=0xbb,offcore_rsp=0x10004")
            .brief("Fetches that left the core.")
            .msr(0x1a7, None, 0x10004),
        e("MSR.FRONTEND", "event=0xc6,umask=1,frontend=0x500106")
            .brief("Instructions behind a fetch that gave nothing for a tick.")
            .msr(0x3f7, None, 0x50_0106),
        e("MSR.ZERO", "event=0xc7,frontend=0")
            .brief("A register that is written with zero.")
            .msr(0x3f7, None, 0),
        e("MSR.VALUE_ONLY", "event=0xc8")
            .brief("A value without its register, which selects nothing."),
    ]
}

fn notes() -> Vec<Expected> {
    use Precise::{Possible, Required};
    let e = |name, string| event("notes", name, string);
    vec![
        e("NOTE.NONE", "event=0x60")
            .brief("Brief and nothing else.")
            .public("Public and nothing else."),
        e("NOTE.LA", "event=0x61")
            .brief("Brief with an address.")
            .public("Public with an address.")
            .perf(
                "Brief with an address  Supports address when precise",
                "Public with an address  Supports address when precise",
            )
            .data_address(),
        e("NOTE.ERRATA", "event=0x62")
            .brief("Brief with an error.")
            .public("Public with an error.")
            .perf(
                "Brief with an error  Spec update: TST12, TST13",
                "Public with an error  Spec update: TST12, TST13",
            )
            .errata("TST12, TST13"),
        e("NOTE.PEBS1", "event=0x63")
            .brief("Brief that may be precise.")
            .public("Public that may be precise.")
            .perf(
                "Brief that may be precise (Precise event)",
                "Public that may be precise (Precise event)",
            )
            .precise(Possible),
        e("NOTE.PEBS2", "event=0x64")
            .brief("Brief that must be precise.")
            .public("Public that must be precise.")
            .perf(
                "Brief that must be precise (Must be precise)",
                "Public that must be precise (Must be precise)",
            )
            .precise(Required),
        e("NOTE.LA_ERRATA", "event=0x65")
            .brief("Brief with an address and an error.")
            .public("Public with an address and an error.")
            .perf(
                "Brief with an address and an error  Supports address when precise.  Spec \
                 update: TST1",
                "Public with an address and an error  Supports address when precise.  Spec \
                 update: TST1",
            )
            .data_address()
            .errata("TST1"),
        e("NOTE.LA_PEBS1", "event=0x66")
            .brief("Brief with an address, perhaps precise.")
            .public("Public with an address, perhaps precise.")
            .perf(
                "Brief with an address, perhaps precise  Supports address when precise (Precise \
                 event)",
                "Public with an address, perhaps precise  Supports address when precise (Precise \
                 event)",
            )
            .data_address()
            .precise(Possible),
        e("NOTE.LA_PEBS2", "event=0x67")
            .brief("Brief with an address, surely precise.")
            .public("Public with an address, surely precise.")
            .perf(
                "Brief with an address, surely precise  Supports address when precise (Must be \
                 precise)",
                "Public with an address, surely precise  Supports address when precise (Must be \
                 precise)",
            )
            .data_address()
            .precise(Required),
        e("NOTE.ERRATA_PEBS1", "event=0x68")
            .brief("Brief with an error, perhaps precise.")
            .public("Public with an error, perhaps precise.")
            .perf(
                "Brief with an error, perhaps precise  Spec update: TST2 (Precise event)",
                "Public with an error, perhaps precise  Spec update: TST2 (Precise event)",
            )
            .errata("TST2")
            .precise(Possible),
        e("NOTE.ERRATA_PEBS2", "event=0x69")
            .brief("Brief with an error, surely precise.")
            .public("Public with an error, surely precise.")
            .perf(
                "Brief with an error, surely precise  Spec update: TST3 (Must be precise)",
                "Public with an error, surely precise  Spec update: TST3 (Must be precise)",
            )
            .errata("TST3")
            .precise(Required),
        e("NOTE.ALL_PEBS1", "event=0x6a")
            .brief("Brief with all, perhaps precise.")
            .public("Public with all, perhaps precise.")
            .perf(
                "Brief with all, perhaps precise  Supports address when precise.  Spec update: \
                 TST4 (Precise event)",
                "Public with all, perhaps precise  Supports address when precise.  Spec update: \
                 TST4 (Precise event)",
            )
            .data_address()
            .errata("TST4")
            .precise(Possible),
        e("NOTE.ALL_PEBS2", "event=0x6b")
            .brief("Brief with all, surely precise.")
            .public("Public with all, surely precise.")
            .perf(
                "Brief with all, surely precise  Supports address when precise.  Spec update: \
                 TST5 (Must be precise)",
                "Public with all, surely precise  Supports address when precise.  Spec update: \
                 TST5 (Must be precise)",
            )
            .data_address()
            .errata("TST5")
            .precise(Required),
        e("NOTE.SAID_IN_BRIEF", "event=0x6c")
            .brief("Brief that says so itself. (Precise Event)")
            .public("Public that does not.")
            .perf(
                "Brief that says so itself. (Precise Event)  Spec update: TST6",
                "Public that does not  Spec update: TST6",
            )
            .errata("TST6")
            .precise(Possible),
        e("NOTE.SAID_IN_PUBLIC", "event=0x6d")
            .brief("Brief that does not.")
            .public("Public that says so itself. (Precise Event)")
            .perf(
                "Brief that does not (Must be precise)",
                "Public that says so itself. (Precise Event) (Must be precise)",
            )
            .precise(Required),
        e("NOTE.NO_BRIEF", "event=0x6e")
            .public("Public alone, on which the precise note is missing.")
            .perf(
                "",
                "Public alone, on which the precise note is missing  Supports address when \
                 precise.  Spec update: TST8",
            )
            .data_address()
            .errata("TST8")
            .precise(Possible),
        e("NOTE.NO_PUBLIC", "event=0x6f")
            .brief("Brief alone.")
            .perf("Brief alone  Spec update: TST9 (Precise event)", "")
            .errata("TST9")
            .precise(Possible),
        e("NOTE.NO_TEXT", "event=0x70").data_address().errata("TST10").precise(Required),
    ]
}

fn texts() -> Vec<Expected> {
    let e = |name, string| event("texts", name, string);
    vec![
        e("STOP.NONE", "event=0x80")
            .brief("Ends without a stop")
            .public("Ends with a question?")
            .perf("Ends without a stop", "Ends with a question?"),
        e("STOP.ONE", "event=0x81")
            .brief("Ends with a stop.")
            .public("Has a stop. Then another.")
            .perf("Ends with a stop", "Has a stop. Then another"),
        e("STOP.SPACE", "event=0x82")
            .brief("Ends with a space. ")
            .public("Ends with a space alone ")
            .perf("Ends with a space", "Ends with a space alone "),
        e("STOP.TWO_SPACES", "event=0x83")
            .brief("Ends with two spaces.  ")
            .public("Ends with three spaces.   ")
            .perf("Ends with two spaces", "Ends with three spaces.   "),
        e("STOP.TWO_STOPS", "event=0x84")
            .brief("Ends with two stops..")
            .public("Ends with three kinds... .  ")
            .perf("Ends with two stops.", "Ends with three kinds."),
        e("STOP.NOTE", "event=0x85")
            .brief("Ends with a stop before a note.  ")
            .public("Ends without, before a note")
            .perf(
                "Ends with a stop before a note  Spec update: TST20",
                "Ends without, before a note  Spec update: TST20",
            )
            .errata("TST20"),
        e("TEXT.QUOTES", "event=0x86")
            .brief("Says \"quoted\" and 'apostrophe' and `tick`.")
            .public("\"All of it is quoted.\"")
            .perf("Says \"quoted\" and 'apostrophe' and `tick`", "\"All of it is quoted.\""),
        e("TEXT.BACKSLASH", "event=0x87")
            .brief("A path C:\\temp\\new and a slash / too.")
            .public("Ends with a backslash\\")
            .perf("A path C:\\temp\\new and a slash / too", "Ends with a backslash\\"),
        e("TEXT.LINES", "event=0x88")
            .brief("First line.\nSecond line,\r\nthird with a\ttab.")
            .public("Ends with a line.\n")
            .perf("First line.\nSecond line,\r\nthird with a\ttab", "Ends with a line.\n"),
        e("TEXT.ESCAPED", "event=0x89").brief("Escaped é, → and 😀.").public("Line\nfeed and ~."),
        e("TEXT.NON_ASCII", "event=0x8a")
            .brief("Zähler für ½ µs – “quoted” … 数 😀.")
            .public("İıſ\u{212a}: letters whose case is special."),
        e("TEXT.SAME", "event=0x8b")
            .brief("Brief and public are one.")
            .public("Brief and public are one."),
        e("TEXT.PERCENT_{}", "event=0x8c")
            .brief("Formats: {} {{}} %s %% \\0 \\x41 #x.")
            .public("r#\"raw\"# and //, /* and */."),
        e("Mixed.Case_Name", "event=0x8d").brief("A name in mixed case."),
        e("lower.case_name", "event=0x8e").brief("A name in lower case."),
        e("T", "event=0x8f").brief("A name of one letter."),
    ]
}

fn walks() -> Vec<Expected> {
    let e = |name, string| event("virtual memory walks", name, string);
    vec![
        e("COUNTER.GENERAL", "event=0xa0").brief("Walks on eight counters.").general(0xff),
        e("COUNTER.ONE", "event=0xa1").brief("Walks on the third counter.").general(0b100),
        e("COUNTER.SPACED", "event=0xa2")
            .brief("Walks on the first counter or the last.")
            .general(1 << 63 | 1),
        e("COUNTER.FIXED_ZERO", "event=0xa3")
            .brief("Walks on the first fixed counter.")
            .counters(CounterConstraint::Fixed(Some(0))),
        e("COUNTER.FIXED_LAST", "event=0xa4")
            .brief("Walks on the last fixed counter.")
            .counters(CounterConstraint::Fixed(Some(63))),
        e("COUNTER.FIXED_WORD", "event=0xa5")
            .brief("Walks on some fixed counter.")
            .counters(CounterConstraint::Fixed(None)),
        e("COUNTER.FREE", "event=0xa6")
            .brief("Walks on a counter that never stops.")
            .counters(CounterConstraint::FreeRunning),
        e("COUNTER.NONE", "event=0xa7").brief("Walks on whatever counter."),
        Expected { deprecated: true, experimental: true, ..e("SWITCH.ON", "event=0xa8") }
            .brief("Every switch is on.")
            .per_package()
            .scale("64Bytes"),
        e("SWITCH.OFF", "event=0xa9").brief("Every switch is off.").scale("6.103515625E-5MiB"),
        e("SWITCH.PER_PKG", "event=0xaa")
            .brief("One switch is on: the count is of a package.")
            .per_package(),
        Expected { deprecated: true, ..e("SWITCH.DEPRECATED", "event=0xab") }
            .brief("One switch is on: another event replaces it."),
        Expected { experimental: true, ..e("SWITCH.EXPERIMENTAL", "event=0xac") }
            .brief("One switch is on: nobody has verified it."),
        e("SWITCH.COMPAT", "event=0xad")
            .brief("An event of the core with a pattern of identifiers.")
            .compat("test-.*"),
    ]
}

/// Architecture standard events: the string is the standard's, the attributes
/// are the standard's where the event has none. perf makes the notes on a text
/// from the fields of the object that the text stands in.
fn standard() -> Vec<Expected> {
    const BRIEF: &str = "Loads that the standard knows all about.";
    const PUBLIC: &str = "Loads that the standard knows all about, at length.";
    const PERF_BRIEF: &str = "Loads that the standard knows all about  Supports address when \
                              precise.  Spec update: STD7 (Must be precise)";
    const PERF_PUBLIC: &str = "Loads that the standard knows all about, at length  Supports \
                               address when precise.  Spec update: STD7 (Must be precise)";
    let e = |name, string| event("standard", name, string);
    let full = |name| {
        Expected {
            deprecated: true,
            experimental: true,
            ..e(name, "event=0x31,period=100003,umask=4")
        }
        .brief(BRIEF)
        .public(PUBLIC)
        .perf(PERF_BRIEF, PERF_PUBLIC)
        .per_package()
        .data_address()
        .errata("STD7")
        .precise(Precise::Required)
        .general(0b11)
        .scale("8Bytes")
        .compat("std.*")
        .sample_after(100_003)
    };
    vec![
        e("STD_CYCLES", "event=0x11")
            .brief("Ticks of the core's clock while it runs.")
            .public("Ticks of the core's clock while it runs. They stop with the clock."),
        e("STD.RENAMED", "event=0x11")
            .brief("Ticks of the core's clock while it runs.")
            .public("Ticks of the core's clock while it runs. They stop with the clock."),
        e("std_refill", "event=0x21,umask=2")
            .brief("Lines that a refill of the widget brought in.")
            .public("A text that the standard does not have.")
            .perf(
                "Lines that a refill of the widget brought in  Spec update: TST30",
                "A text that the standard does not have  Spec update: TST30",
            )
            .errata("TST30"),
        full("std_full"),
        full("STD.OWN")
            .on("uncore_sbox")
            .brief("Loads with a text of their own.")
            .public("Loads with a long text of their own.")
            .perf(
                "Loads with a text of their own  Spec update: TST31 (Precise event)",
                "Loads with a long text of their own  Spec update: TST31 (Precise event)",
            )
            .general(0b1_0000)
            .sample_after(7)
            .precise(Precise::Possible)
            .errata("TST31")
            .scale("16Bytes")
            .compat("own"),
        full("STD.OWN_BRIEF")
            .brief("Loads with a brief text of their own.")
            .perf("Loads with a brief text of their own", PERF_PUBLIC),
        full("STD.OWN_ERRATA").errata("TST32"),
        Expected {
            per_package: false,
            deprecated: false,
            experimental: false,
            ..full("STD.OWN_OFF")
        },
        e("std_offcore", "event=0xb7,umask=1,offcore_rsp=0x10001")
            .brief("Reads that left the core.")
            .counters(CounterConstraint::Fixed(Some(3)))
            .msr(0x1a6, Some(0x1a7), 0x10001),
        e("STD.FILTERED", "event=0x41,config1=0x7").public("Packets that pass the filter."),
        e("CPU_CLK_UNHALTED.CORE", "event=0x3c,period=2000003")
            .on("cpu_core")
            .brief("Lines that a refill brought in.")
            .sample_after(2_000_003),
    ]
}

fn uncore_units() -> Vec<Expected> {
    let e = |pmu, string| event("uncore units", "UNIT.NAMED", string).on(pmu);
    let other = |name, pmu, string| event("uncore units", name, string).on(pmu);
    vec![
        e("uncore_cbox", "event=1").brief("Ticks of a cache box."),
        e("uncore_qpi", "event=2").brief("Ticks of the link layer."),
        e("uncore_sbox", "event=3").brief("Ticks of the ring's box."),
        e("uncore_arb", "event=4").brief("Ticks of the arbiter."),
        e("cpum_cf", "event=5").brief("Ticks of the counter facility."),
        e("cpum_sf", "event=6").brief("Ticks of the sampling facility."),
        e("pai_crypto", "event=7").brief("Ciphers of the assist."),
        e("pai_ext", "event=8").brief("Extensions of the assist."),
        e("uncore_upi", "event=9").brief("Ticks of the newer link layer."),
        e("hisi_sicl,cpa", "config=0xa").brief("Ticks of the coherent agent."),
        e("hisi_sccl,ddrc", "config=0xb").brief("Ticks of the memory's controller."),
        e("hisi_sccl,hha", "config=0xc").brief("Ticks of the home agent."),
        e("hisi_sccl,l3c", "config=0xd").brief("Ticks of the last cache."),
        e("imx8_ddr", "event=0xe").brief("Reads of the memory."),
        e("imx9_ddr", "event=0xf").brief("Reads of the newer memory."),
        e("amd_l3", "event=0x10,enallcores=1,enallslices=1,sliceid=3,threadmask=3")
            .brief("Look-ups in the third cache."),
        e("amd_df", "event=0x11").brief("Packets of the fabric.").per_package(),
        e("amd_umc", "event=0x12,rdwrmask=1").brief("Reads of a memory channel.").per_package(),
        e("cpu_core", "event=0x13").brief("Ticks of a large core."),
        e("cpu_atom", "event=0x14").brief("Ticks of a small core."),
        e("ali_drw", "event=0x15").brief("Writes of the memory."),
        e("arm_cmn", "eventid=0x16,type=4").brief("Packets of the mesh."),
        other("UNIT.RULE", "uncore_imc", "event=0x17")
            .brief("A unit by the rule, in small letters.")
            .general(0b1111)
            .per_package()
            .scale("64Bytes"),
        other("UNIT.RULE", "uncore_m2m_2-x.y", "event=0x18")
            .brief("A unit by the rule, with signs in it."),
        other("unit.rule", "uncore_cha", "event=0x19,ch_mask=1,fc_mask=7,config1=0x1")
            .brief("A unit by the rule, for a name in small letters."),
        other("UNIT.CORE_TOO", "uncore_cha", "event=0x1a").brief("A name that the core has too."),
        other("Unit.Core_Too", "default_core", "event=0x1b").brief("A name that a unit has too."),
        other("UNIT.COMPAT", "arm_cmn", "event=0x1d")
            .brief("A pattern outside a sys table, which no PMU's identifier is held against.")
            .compat("434.*"),
        other("UNIT.ONLY", "uncore_cha", "event=0x1c").brief("A name that one unit has."),
    ]
}

fn of_metrics() -> Vec<Expected> {
    vec![
        event("metrics", "METRIC.AND_EVENT", "event=0xb0")
            .brief("An event and a metric at once.")
            .scale("2Bytes"),
        event("metrics", "METRIC.SAME_NAME", "event=0xb1")
            .brief("An event whose name a metric has too."),
    ]
}

fn later() -> Vec<Expected> {
    let latency = |mean, min, max| Some([mean, min, max]);
    let legacy = |name, string| event("legacy", name, string).on("cpu");
    vec![
        legacy("cpu-cycles", "legacy-hardware-config=0")
            .brief("Ticks, as the kernel counts them by itself."),
        legacy("ref-cycles", "legacy-hardware-config=9")
            .brief("Ticks of the reference, as the kernel counts them by itself."),
        legacy("L1-dcache-load-misses", "legacy-cache-config=0x10000")
            .brief("Misses, as the kernel counts them by itself."),
        legacy("page-faults", "config=2").on("software").brief("Faults on pages."),
        legacy("duration_time", "config=1").on("tool").brief("How long it took.").scale("1ns"),
        Expected {
            latency: latency(Some("12.5"), Some("0"), Some("300")),
            ..event("latency", "LATENCY.ALL", "event=1")
        }
        .brief("Three numbers."),
        Expected {
            latency: latency(Some("7"), None, None),
            ..event("latency", "LATENCY.MEAN", "event=2")
        }
        .brief("One number."),
        event("latency", "LATENCY.NONE", "event=3").brief("No number."),
        Expected {
            latency: latency(Some("289.9"), Some("0"), Some("3939")),
            ..event("latency", "LATENCY.NUMBERS", "event=4")
        }
        .brief("Numbers of JSON."),
    ]
}

fn acme() -> Vec<Expected> {
    let e = |name, string| event("core and atom", name, string);
    vec![
        e("WIDGET.TICKS", "event=0x3c").on("cpu_core").brief("Ticks of a large core."),
        e("WIDGET.TICKS", "event=0x3d").on("cpu_atom").brief("Ticks of a small core."),
        e("WIDGET.CORE", "event=0x3e").on("cpu_core").brief("What only a large core has."),
        e("NOTE.NONE", "event=0x60")
            .brief("Brief and nothing else.")
            .public("Public and nothing else."),
    ]
}

fn soc_sys() -> Vec<Expected> {
    let e = |name, pmu, string| event("uncore", name, string).on(pmu);
    vec![
        e("sys_ddr_pmu.write_cycles", "uncore_sys_ddr_pmu", "event=0x2b")
            .brief("Ticks with a write.")
            .compat("v8"),
        e("sys_ddr_pmu.read_cycles", "uncore_sys_ddr_pmu", "event=0x2a")
            .brief("Ticks with a read.")
            .compat("v[89]|v1[0-9]"),
        e("sys_ccn_pmu.read_cycles", "uncore_sys_ccn_pmu", "config=0x2c")
            .brief("Ticks with a read on the network.")
            .compat("0x01"),
        e("sys_cmn_pmu.hnf_cache_miss", "arm_cmn", "eventid=1,type=5")
            .brief("Look-ups that missed.")
            .compat("(434|436|43c|43a).*"),
        e("sys_sccl.flux", "hisi_sccl,ddrc", "config=0x83")
            .brief("Bytes that were read.")
            .compat("0x00000030"),
        e("sys.no_compat", "uncore_sys_ddr_pmu", "event=1")
            .brief("An event without a pattern, which no PMU has."),
    ]
}

fn acme_sys() -> Vec<Expected> {
    vec![
        event("fabric", "fabric.packets", "event=1")
            .on("uncore_acme_fabric")
            .brief("Packets of the fabric.")
            .compat("f[0-9]+"),
    ]
}

/// Compares one event; gives a line for each field that differs.
fn differences(found: Event, expected: &Expected) -> Vec<String> {
    let mut lines = Vec::new();
    let mut field = |field: &str, found: String, expected: String| {
        if found != expected {
            lines.push(format!("{field}: found {found}, expected {expected}"));
        }
    };
    macro_rules! compare {
        ($name:literal, $found:expr, $expected:expr) => {
            field($name, format!("{:?}", $found), format!("{:?}", $expected))
        };
    }
    let perf = |perf: Option<&'static str>, text: Option<&'static str>| {
        perf.or_else(|| text.map(|text| text.strip_suffix('.').unwrap_or(text)))
    };
    compare!("name", found.name(), expected.name);
    compare!("pmu", found.pmu(), expected.pmu);
    compare!("topic", found.topic(), expected.topic);
    compare!("event_string", found.event_string(), expected.event);
    let string = |text: Option<pmu_events::text::Text>| text.map(|text| text.to_string());
    compare!("brief", string(found.description()), expected.brief);
    compare!("public", string(found.long_description()), expected.public);
    let string = |text: Option<pmu_events::event::PerfText>| text.map(|text| text.to_string());
    compare!(
        "perf_brief",
        string(found.perf_description()),
        perf(expected.perf_brief, expected.brief)
    );
    compare!(
        "perf_public",
        string(found.perf_long_description()),
        perf(expected.perf_public, expected.public)
    );
    compare!("scale_unit", found.scale_unit(), expected.scale_unit);
    compare!("compat", found.compat(), expected.compat);
    compare!("errata", found.errata(), expected.errata);
    compare!("is_per_package", found.is_per_package(), expected.per_package);
    compare!("is_deprecated", found.is_deprecated(), expected.deprecated);
    compare!("is_experimental", found.is_experimental(), expected.experimental);
    compare!("has_data_address", found.has_data_address(), expected.data_address);
    compare!("precise", found.precise(), expected.precise);
    compare!("counters", found.counters(), expected.counters);
    let msr = |msr: Msr| (msr.index(), msr.other(), msr.value().expect("the tree states it"));
    compare!("msr", found.msr().map(msr), expected.msr);
    compare!("sample_after", found.sample_after(), expected.sample_after);
    let latency = found.retirement_latency().map(|all| [all.mean(), all.min(), all.max()]);
    compare!("retirement_latency", latency, expected.latency);
    lines
}

/// Compares all events of a model, both ways, and their order.
fn check(model: Model, expected: &[Expected]) {
    let mut report = String::new();
    for event in expected {
        match model.event_on(event.pmu, event.name) {
            None => report += &format!("{}/{}/ is not there\n", event.pmu, event.name),
            Some(found) => {
                for line in differences(found, event) {
                    report += &format!("{}/{}/ {line}\n", event.pmu, event.name);
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    let key = |pmu: &str, name: &str| (pmu.replace(',', "_"), name.to_ascii_lowercase());
    let mut keys: Vec<_> = expected.iter().map(|e| key(e.pmu, e.name)).collect();
    keys.sort();
    let found: Vec<_> = model.events().map(|e| key(e.pmu(), e.name())).collect();
    assert_eq!(found, keys, "events of {}, in the order of perf's tables", model.name());
    assert_eq!(model.event_count(), expected.len());
    assert_eq!(model.events().len(), expected.len());
}

fn soc_cpu() -> Vec<Expected> {
    [
        codes(),
        fields(),
        fixed_names(),
        memory(),
        notes(),
        texts(),
        walks(),
        standard(),
        uncore_units(),
        of_metrics(),
    ]
    .concat()
}

#[test]
fn events_of_a_model() {
    check(test::TEST_SOC_CPU, &soc_cpu());
}

#[test]
fn events_with_keys_after_linux_6_12() {
    check(test::TEST_SOC_LATER, &later());
}

#[test]
fn events_below_a_vendor() {
    check(test::ACME_WIDGET_9000, &acme());
}

#[test]
fn events_of_sys_tables() {
    check(test::TEST_SOC_SYS, &soc_sys());
    check(test::ACME_WIDGET_9000_SYS, &acme_sys());
}

/// The distinct events of the tree: `NOTE.NONE` is the same on two models but
/// for its topic, so it comes twice.
#[test]
fn events_of_the_tree() {
    let all = [soc_cpu(), later(), acme(), soc_sys(), acme_sys()].concat();
    let mut expected: Vec<_> =
        all.iter().map(|e| (e.name.to_ascii_lowercase(), e.pmu, e.topic)).collect();
    expected.sort();
    let found: Vec<_> = test::TREE.events().map(|e| e.name().to_ascii_lowercase()).collect();
    assert!(found.is_sorted(), "in the order of names");
    let mut found: Vec<_> =
        test::TREE.events().map(|e| (e.name().to_ascii_lowercase(), e.pmu(), e.topic())).collect();
    found.sort();
    assert_eq!(found, expected);
}

/// What a metric must be, field by field.
struct ExpectedMetric {
    name: &'static str,
    pmu: &'static str,
    topic: &'static str,
    expression: &'static str,
    threshold: Option<&'static str>,
    groups: &'static [&'static str],
    no_group: Option<&'static str>,
    default_group: Option<&'static str>,
    scale_unit: Option<&'static str>,
    compat: Option<&'static str>,
    aggregation: Option<Aggregation>,
    constraint: Option<Constraint>,
    shows_events: bool,
    brief: Option<&'static str>,
    public: Option<&'static str>,
}

const METRIC: ExpectedMetric = ExpectedMetric {
    name: "",
    pmu: "default_core",
    topic: "metrics",
    expression: "",
    threshold: None,
    groups: &[],
    no_group: None,
    default_group: None,
    scale_unit: None,
    compat: None,
    aggregation: None,
    constraint: None,
    shows_events: false,
    brief: None,
    public: None,
};

const SOC_METRICS: &[ExpectedMetric] = &[
    ExpectedMetric {
        name: "all_fields",
        pmu: "uncore_cha",
        expression: "100 * NOTE.LA / NOTE.NONE",
        threshold: Some("all_fields > 0.2 & plain < 0.5"),
        groups: &["Std", "Widget", "TopdownL1"],
        no_group: Some("TopdownL1"),
        default_group: Some("TopdownL1"),
        scale_unit: Some("100%"),
        compat: Some("m[12]"),
        aggregation: Some(Aggregation::PerChip),
        constraint: Some(Constraint::NoGroup),
        brief: Some("A metric with every field."),
        public: Some("A metric with every field there is.  "),
        ..METRIC
    },
    ExpectedMetric {
        name: "constraint_nmi",
        expression: "NOTE.LA",
        aggregation: Some(Aggregation::PerCore),
        constraint: Some(Constraint::NoGroupWithNmiWatchdog),
        brief: Some("A constraint on account of the watchdog."),
        ..METRIC
    },
    ExpectedMetric {
        name: "constraint_nmi_older",
        expression: "NOTE.LA",
        constraint: Some(Constraint::NoGroupWithNmiWatchdog),
        brief: Some("The same constraint by its older name."),
        ..METRIC
    },
    ExpectedMetric {
        name: "constraint_smt",
        expression: "NOTE.LA",
        groups: &["Widget"],
        constraint: Some(Constraint::NoGroupWithSmt),
        brief: Some("A constraint on account of hyper-threads."),
        ..METRIC
    },
    ExpectedMetric { name: "expr_dash", expression: "Mixed_Case\\-Metric + 1", ..METRIC },
    ExpectedMetric {
        name: "expr_functions",
        expression: "max(min(NOTE.LA, 10), d_ratio(NOTE.NONE, 1 + NOTE.PEBS1))",
        ..METRIC
    },
    ExpectedMetric {
        name: "expr_if",
        expression: "NOTE.LA / 2 if #SMT_on else NOTE.NONE",
        threshold: Some("expr_if > 0.1 & (plain > 3 | all_fields < 1)"),
        ..METRIC
    },
    ExpectedMetric {
        name: "expr_literals",
        expression: "NOTE.LA * #num_cpus_online / #system_tsc_freq",
        ..METRIC
    },
    ExpectedMetric {
        name: "expr_pmu",
        expression: "cpu@NOTE.LA\\,cmask\\=0x1\\,edge@ / uncore_cha@UNIT.ONLY@",
        ..METRIC
    },
    ExpectedMetric {
        name: "metric.same_name",
        expression: "METRIC.SAME_NAME",
        brief: Some("A metric whose name an event has too."),
        ..METRIC
    },
    ExpectedMetric {
        name: "metric_and_event",
        expression: "METRIC.AND_EVENT / 2",
        scale_unit: Some("2Bytes"),
        brief: Some("An event and a metric at once."),
        ..METRIC
    },
    ExpectedMetric {
        name: "Mixed_Case-Metric",
        expression: "NOTE.LA",
        groups: &["widget"],
        brief: Some("A metric whose name has a dash."),
        ..METRIC
    },
    ExpectedMetric {
        name: "own_refill_rate",
        topic: "standard",
        expression: "2 * std_refill / std_cycles",
        threshold: Some("own_refill_rate > 1"),
        groups: &["Own"],
        no_group: Some("Own"),
        default_group: Some("OwnDefault"),
        scale_unit: Some("1refills"),
        aggregation: Some(Aggregation::PerChip),
        constraint: Some(Constraint::NoGroupWithSmt),
        brief: Some("Twice the refills to a tick."),
        public: Some("Refills to a tick, over the whole run."),
        ..METRIC
    },
    ExpectedMetric { name: "plain", expression: "NOTE.LA / NOTE.NONE", ..METRIC },
    ExpectedMetric {
        name: "plain",
        pmu: "uncore_cha",
        expression: "UNIT.ONLY",
        brief: Some("A metric of a unit that has the name of another."),
        ..METRIC
    },
    ExpectedMetric {
        name: "std_refill_rate",
        topic: "standard",
        expression: "std_refill / STD_CYCLES",
        threshold: Some("std_refill_rate > 0.5"),
        groups: &["Std", "Refill"],
        no_group: Some("Std"),
        default_group: Some("StdDefault"),
        scale_unit: Some("100%"),
        aggregation: Some(Aggregation::PerCore),
        constraint: Some(Constraint::NoGroup),
        brief: Some("Refills to a tick."),
        public: Some("Refills to a tick, over the whole run."),
        ..METRIC
    },
];

const LATER_METRICS: &[ExpectedMetric] = &[
    ExpectedMetric {
        name: "clock_rate",
        expression: "msr@tsc@ / duration_time",
        threshold: Some("clock_rate < 1e8"),
        groups: &["Clocks"],
        scale_unit: Some("1e-9GHz"),
        brief: Some(
            "How fast the time-stamp counters tick, those of all CPUs together if all are \
             watched.",
        ),
        ..METRIC
    },
    ExpectedMetric {
        name: "faults_a_second",
        expression: "page\\-faults / duration_time",
        threshold: Some("faults_a_second > 0"),
        groups: &["Clocks", "Faults"],
        constraint: Some(Constraint::NoGroup),
        brief: Some("Page faults to a second."),
        ..METRIC
    },
    ExpectedMetric {
        name: "faults_a_slot",
        expression: "page\\-faults / #slots",
        brief: Some("A metric of what few machines say."),
        ..METRIC
    },
    ExpectedMetric {
        name: "only_a_number",
        expression: "6 * 7",
        brief: Some("A metric that needs no event."),
        ..METRIC
    },
    ExpectedMetric {
        name: "shows_events",
        expression: "LATENCY.ALL",
        groups: &["Default"],
        shows_events: true,
        brief: Some("A metric beside its events."),
        ..METRIC
    },
    ExpectedMetric {
        name: "shows_none",
        expression: "LATENCY.ALL",
        brief: Some("A metric alone."),
        ..METRIC
    },
    ExpectedMetric {
        name: "ticks_a_fault",
        expression: "clock_rate / faults_a_second if #num_cpus_online > 0 else 0",
        groups: &["Faults"],
        scale_unit: Some("1ticks"),
        brief: Some("Ticks of the clock to a page fault."),
        ..METRIC
    },
    ExpectedMetric {
        name: "ticks_a_nanosecond",
        expression: "msr@tsc@ / task\\-clock",
        threshold: Some("ticks_a_nanosecond > 1000"),
        groups: &["Clocks"],
        scale_unit: Some("1GHz"),
        brief: Some("How fast the time-stamp counter ticks while a task runs."),
        ..METRIC
    },
];

const ACME_METRICS: &[ExpectedMetric] = &[
    ExpectedMetric {
        name: "widget_rate",
        pmu: "cpu_atom",
        expression: "cpu_atom@WIDGET.TICKS@ / duration_time",
        groups: &["Widget"],
        brief: Some("Ticks of small cores to a second."),
        ..METRIC
    },
    ExpectedMetric {
        name: "widget_rate",
        pmu: "cpu_core",
        expression: "cpu_core@WIDGET.TICKS@ / duration_time",
        groups: &["Widget"],
        brief: Some("Ticks of large cores to a second."),
        ..METRIC
    },
];

const SYS_METRICS: &[ExpectedMetric] = &[ExpectedMetric {
    name: "sys_write_share",
    pmu: "uncore_sys_ddr_pmu",
    topic: "uncore",
    expression: "sys_ddr_pmu.write_cycles / sys_ddr_pmu.read_cycles",
    scale_unit: Some("100%"),
    compat: Some("v8"),
    brief: Some("Writes to a read."),
    ..METRIC
}];

/// A printed formula is what remains of the file's after simplification, with the
/// names as the tree spells them.
fn assert_formula(printed: &str, written: &str) {
    let left = match written {
        "" => String::new(),
        written => metric::parse(written).expect(written).simplified().to_string(),
    };
    assert!(printed.eq_ignore_ascii_case(&left), "{printed} instead of {left}, from {written}");
}

fn check_metric(found: Metric, expected: &ExpectedMetric) {
    let of = expected.name;
    let string = |text: Option<pmu_events::text::Text>| text.map(|text| text.to_string());
    assert_eq!(found.name(), expected.name);
    assert_eq!(found.pmu(), expected.pmu, "{of}");
    assert_eq!(found.topic(), expected.topic, "{of}");
    assert_formula(&found.expression().to_string(), expected.expression);
    assert_eq!(found.threshold().is_some(), expected.threshold.is_some(), "{of}");
    if let (Some(threshold), Some(expected)) = (found.threshold(), expected.threshold) {
        assert_formula(&threshold.to_string(), expected);
    }
    assert_eq!(found.groups().collect::<Vec<_>>(), expected.groups, "{of}");
    assert_eq!(found.no_group(), expected.no_group, "{of}");
    assert_eq!(found.default_group(), expected.default_group, "{of}");
    assert_eq!(found.scale_unit(), expected.scale_unit, "{of}");
    assert_eq!(found.compat(), expected.compat, "{of}");
    assert_eq!(found.aggregation(), expected.aggregation, "{of}");
    assert_eq!(found.constraint(), expected.constraint, "{of}");
    assert_eq!(found.shows_events(), expected.shows_events, "{of}");
    assert_eq!(string(found.description()).as_deref(), expected.brief, "{of}");
    assert_eq!(string(found.long_description()).as_deref(), expected.public, "{of}");
}

#[test]
fn metrics_field_by_field() {
    let tables = [
        (test::TEST_SOC_CPU, SOC_METRICS),
        (test::TEST_SOC_LATER, LATER_METRICS),
        (test::ACME_WIDGET_9000, ACME_METRICS),
        (test::TEST_SOC_SYS, SYS_METRICS),
        (test::ACME_WIDGET_9000_SYS, &[]),
    ];
    for (model, expected) in tables {
        let names: Vec<_> = model.metrics().map(|metric| (metric.name(), metric.pmu())).collect();
        let expected_names: Vec<_> = expected.iter().map(|e| (e.name, e.pmu)).collect();
        assert_eq!(names, expected_names, "metrics of {}, in their order", model.name());
        assert_eq!(model.metrics().len(), expected.len());
        for (found, expected) in model.metrics().zip(expected) {
            check_metric(found, expected);
        }
    }
}

#[test]
fn metric_by_name() {
    let model = test::TEST_SOC_CPU;
    for name in ["all_fields", "ALL_FIELDS", "mixed_case-metric", "Metric.Same_Name"] {
        let found = model.metric(name).unwrap_or_else(|| panic!("{name}"));
        assert!(name::eq(found.name(), name), "{name}");
    }
    // The first of several PMUs.
    assert_eq!(model.metric("PLAIN").map(Metric::pmu), Some("default_core"));
    for name in ["", "plai", "plainer", "NOTE.LA", "widget_rate", "shows_events"] {
        assert_eq!(model.metric(name), None, "{name}");
    }
}

#[test]
fn groups() {
    let in_group =
        |group| test::TEST_SOC_CPU.metrics().in_group(group).map(Metric::name).collect::<Vec<_>>();
    assert_eq!(in_group("Widget"), ["all_fields", "constraint_smt", "Mixed_Case-Metric"]);
    assert_eq!(in_group("STD"), ["all_fields", "std_refill_rate"]);
    assert_eq!(in_group("Std;Widget"), [""; 0]);
    assert_eq!(in_group(""), [""; 0]);
    assert_eq!(
        test::TREE.groups().collect::<Vec<_>>(),
        ["no_metric_is_in_it", "Own", "Std", "Widget"]
    );
    let text = |group| test::TREE.group_description(group).map(|text| text.to_string());
    let widget = "Metrics of widgets, “quoted” and \"quoted\"";
    assert_eq!(text("Widget").as_deref(), Some(widget));
    assert_eq!(text("wIDGET").as_deref(), Some(widget));
    assert_eq!(text("Own").as_deref(), Some("Metrics that replace what the standard says."));
    assert_eq!(text("no_metric_is_in_it").as_deref(), Some("A group that no metric belongs to."));
    assert_eq!(text("TopdownL1"), None);
    assert_eq!(text(""), None);
}

#[test]
fn event_by_name() {
    let model = test::TEST_SOC_CPU;
    for expected in soc_cpu() {
        let name = expected.name;
        for written in [name.to_owned(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
            let found = model.event(&written).unwrap_or_else(|| panic!("{written}"));
            assert!(name::eq(found.name(), name), "{written}");
        }
    }
    let missing = [
        "",
        " ",
        "NOTE",
        "NOTE.LA ",
        "NOTE.L",
        "NOTE.LAA",
        "WIDGET.TICKS",
        "plain",
        "sys.no_compat",
        "\u{130}",
        "İNST_RETIRED.ANY",
        "TEXT.PERCENT_{",
    ];
    for name in missing {
        assert_eq!(model.event(name), None, "{name}");
        assert_eq!(model.event_on("default_core", name), None, "{name}");
    }
    let long = "x".repeat(100_000);
    assert_eq!(model.event(&long), None);
    assert_eq!(model.nearest(&long), None);
}

/// The core's event of a name comes before another PMU's.
#[test]
fn event_of_several_pmus() {
    let model = test::TEST_SOC_CPU;
    let pmu = |name: &str| model.event(name).map(Event::pmu);
    assert_eq!(pmu("unit.core_too"), Some("default_core"));
    assert_eq!(pmu("cpu_clk_unhalted.core"), Some("cpu_core"));
    assert_eq!(pmu("unit.only"), Some("uncore_cha"));
    // None is a core's: the first by name.
    assert_eq!(pmu("unit.rule"), Some("uncore_cha"));
    assert!(pmu_events::pmu::is_core(pmu("unit.named").unwrap()));
    assert!(pmu_events::pmu::is_core(test::ACME_WIDGET_9000.event("widget.ticks").unwrap().pmu()));
}

#[test]
fn event_on_a_pmu() {
    let model = test::TEST_SOC_CPU;
    let string = |pmu: &str, name: &str| model.event_on(pmu, name).map(Event::event_string);
    assert_eq!(string("uncore_cha", "UNIT.CORE_TOO"), Some("event=0x1a"));
    assert_eq!(string("UNCORE_CHA", "unit.core_too"), Some("event=0x1a"));
    assert_eq!(string("default_core", "unit.core_too"), Some("event=0x1b"));
    assert_eq!(string("hisi_sccl,hha", "Unit.Named"), Some("config=0xc"));
    assert_eq!(string("uncore_imc", "unit.core_too"), None);
    assert_eq!(string("uncore_none", "unit.core_too"), None);
    assert_eq!(string("", "unit.core_too"), None);
    assert_eq!(string("uncore_cha", ""), None);
}

#[test]
fn events_of_a_name() {
    let model = test::TEST_SOC_CPU;
    let pmus = |name| model.events_named(name).map(Event::pmu).collect::<Vec<_>>();
    assert_eq!(pmus("unit.CORE_too"), ["default_core", "uncore_cha"]);
    assert_eq!(pmus("Unit.Rule"), ["uncore_cha", "uncore_imc", "uncore_m2m_2-x.y"]);
    assert_eq!(pmus("inst_retired.any"), ["default_core"]);
    assert_eq!(pmus("no_such_event"), [""; 0]);
    let named = pmus("unit.named");
    assert_eq!(named.len(), 22);
    assert!(named.is_sorted_by_key(|pmu| pmu.replace(',', "_")));
}

#[test]
fn events_by_pmu_and_topic() {
    let model = test::TEST_SOC_CPU;
    let all = soc_cpu();
    let names: BTreeSet<_> = all.iter().map(|e| e.pmu).collect();
    assert_eq!(model.pmus().map(|pmu| pmu.name()).collect::<BTreeSet<_>>(), names);
    assert_eq!(model.pmus().count(), names.len());
    for pmu in model.pmus() {
        let count = all.iter().filter(|e| e.pmu == pmu.name()).count();
        assert_eq!(pmu.events().len(), count, "{}", pmu.name());
        assert!(pmu.events().all(|event| event.pmu() == pmu.name()));
    }
    let topics: BTreeSet<_> = all.iter().map(|e| e.topic).collect();
    for topic in topics {
        let count = all.iter().filter(|e| e.topic == topic).count();
        assert_eq!(model.events().topic(topic).count(), count, "{topic}");
        assert_eq!(model.events().topic(&topic.to_uppercase()).count(), count, "{topic}");
    }
    assert_eq!(model.events().topic("virtual-memory-walks").count(), 0);
}

/// `counter.json` says how many counters a unit has.
#[test]
fn counters_of_pmus() {
    let expected = [
        ("default_core", Some(8), Some(3), true),
        ("uncore_cha", Some(4), Some(0), false),
        ("uncore_imc", None, Some(1), false),
        ("uncore_sbox", Some(2), None, false),
        ("uncore_arb", None, None, false),
        ("cpu_atom", None, None, true),
    ];
    for (name, general, fixed, is_core) in expected {
        let pmu = test::TEST_SOC_CPU.pmus().find(|pmu| pmu.name() == name).unwrap();
        assert_eq!(pmu.general_counters(), general, "{name}");
        assert_eq!(pmu.fixed_counters(), fixed, "{name}");
        assert_eq!(pmu.is_core(), is_core, "{name}");
    }
}

#[test]
fn nearest_name() {
    let cases = [
        ("inst_retierd.any", Some("INST_RETIRED.ANY")),
        ("INST_RETIRED.ANY", Some("INST_RETIRED.ANY")),
        ("inst_retired_any", Some("INST_RETIRED.ANY")),
        ("msr.frontent", Some("MSR.FRONTEND")),
        ("mixed.case.name", Some("Mixed.Case_Name")),
        ("constraint_smd", Some("constraint_smt")),
        ("expr_litterals", Some("expr_literals")),
        ("something_else_altogether", None),
        ("", None),
    ];
    for (written, nearest) in cases {
        assert_eq!(test::TEST_SOC_CPU.nearest(written), nearest, "{written}");
    }
}

#[test]
fn model_by_cpuid() {
    let cases = [
        ("testcpu", Some("test_soc/cpu")),
        ("testcpu-rev1", Some("test_soc/cpu")),
        ("testcpu-revDEADbeef", Some("test_soc/cpu")),
        ("testcpu-rev", None),
        ("testcpu-revx", None),
        // The first row wins, though the third names it too.
        ("testcpu-rev0", Some("test_soc/cpu")),
        // A row whose directory has no events is as good as none.
        ("testcpu-none", None),
        ("testcpu-old", None),
        ("TESTCPU", None),
        ("testcpu ", None),
        ("xtestcpu", None),
        ("", None),
        ("Family-model", None),
        ("testlater-7", Some("test_soc/later")),
        ("demolater-12", Some("test_soc/later")),
        ("demolater-123", None),
        ("testdemolater-1", None),
        ("ACME-W9000", Some("acme/widget-9000")),
        ("ACME-W9100+", Some("acme/widget-9000")),
        ("ACME-W9000-", Some("acme/widget-9000")),
        ("ACME-W9000-beta", Some("acme/widget-9000")),
        ("ACME-W9000-beta2", Some("test_soc/cpu")),
        ("ACME-", Some("test_soc/cpu")),
        ("ACME", None),
        ("ACME-\u{e9}", Some("test_soc/cpu")),
    ];
    for (cpuid, directory) in cases {
        assert_eq!(test::model(cpuid).map(Model::name), directory, "{cpuid}");
    }
}

#[test]
fn models_of_the_tree() {
    let names = |models: pmu_events::model::Models| models.map(|m| m.name()).collect::<Vec<_>>();
    let models = names(test::TREE.models());
    assert_eq!(models, ["acme/widget-9000", "test_soc/cpu", "test_soc/later"]);
    // None has the name of a model.
    let sys_tables = names(test::TREE.sys_tables());
    assert_eq!(sys_tables, ["acme/widget-9000/sys", "test_soc/sys"]);
    assert_eq!(test::TREE.model_named("Test_SoC/CPU"), Some(test::TEST_SOC_CPU));
    assert_eq!(test::TREE.model_named("acme/widget-9000"), Some(test::ACME_WIDGET_9000));
    for missing in ["", "test_soc", "test_soc/empty", "cpu", "test_soc/cpu/"] {
        assert_eq!(test::TREE.model_named(missing), None, "{missing}");
    }
    assert_eq!(test::TEST_SOC_CPU.name(), "test_soc/cpu");
    assert!(test::TREE.size() > 1000);
}

#[test]
fn sys_events_by_identifier() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("uncore_sys_ddr_pmu", "v8", &["sys_ddr_pmu.read_cycles", "sys_ddr_pmu.write_cycles"]),
        ("uncore_sys_ddr_pmu0", "v9", &["sys_ddr_pmu.read_cycles"]),
        ("uncore_sys_ddr_pmu_12", "v15", &["sys_ddr_pmu.read_cycles"]),
        ("uncore_sys_ddr_pmu", "v1", &[]),
        ("uncore_sys_ddr_pmu", "v88", &[]),
        ("uncore_sys_ddr_pmu", "", &[]),
        ("uncore_sys_ddr_pmux", "v8", &[]),
        ("uncore_sys_ddr", "v8", &[]),
        ("uncore_sys_ccn_pmu", "0x01", &["sys_ccn_pmu.read_cycles"]),
        ("uncore_sys_ccn_pmu", "0x011", &[]),
        ("arm_cmn_0", "436", &["sys_cmn_pmu.hnf_cache_miss"]),
        // UNIT.COMPAT has a pattern that fits, but stands in no sys table.
        ("arm_cmn_0", "43401", &["sys_cmn_pmu.hnf_cache_miss"]),
        ("arm_cmn_0", "x436", &[]),
        ("hisi_sccl1_ddrc0", "0x00000030", &["sys_sccl.flux"]),
        ("hisi_sccl1_hha0", "0x00000030", &[]),
        ("uncore_acme_fabric", "f12", &["fabric.packets"]),
        ("uncore_acme_fabric", "f", &[]),
        ("default_core", "test-1", &[]),
    ];
    for &(pmu, identifier, expected) in cases {
        let mut found: Vec<_> =
            test::TREE.sys_events(pmu, identifier).map(|event| event.name()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{pmu} {identifier}");
    }
}

/// Everything that a program without tables would do while it is compiled.
mod at_compile_time {
    use super::*;

    const MODEL: Model = test::model("testcpu-rev7").unwrap();
    const INST: Event = test::TEST_SOC_CPU.require("inst_retired.any");
    const ON_A_PMU: Event = MODEL.event_on("uncore_cha", "unit.core_too").unwrap();
    const MISSING: Option<Event> = MODEL.event("no.such.event");
    const NEAREST: Option<&str> = MODEL.nearest("note.non");
    const METRIC: Metric = MODEL.metric("ALL_FIELDS").unwrap();
    const WORDS: (&str, &str, &str, &str) =
        (INST.name(), INST.event_string(), INST.pmu(), INST.topic());
    const SECOND: Event = {
        let mut named = MODEL.events_named("unit.core_too");
        named.step().unwrap();
        named.step().unwrap()
    };
    const FIRST: Event = MODEL.events().step().unwrap();
    const SAMPLE_AFTER: Option<u64> = INST.sample_after();
    const COUNT: usize = {
        let mut pmus = MODEL.pmus();
        let mut count = 0;
        while let Some(pmu) = pmus.step() {
            let mut events = pmu.events();
            while events.step().is_some() {
                count += 1;
            }
        }
        count
    };
    const UMASK: Option<u64> = match MODEL.require("FIELD.HEXADECIMAL").terms().last_named("umask")
    {
        Some(term) => term.number(),
        None => None,
    };

    static IN_A_STATIC: [Event; 2] =
        [MODEL.require("NOTE.LA"), test::ACME_WIDGET_9000.require("widget.core")];

    #[test]
    fn constants() {
        assert_eq!(MODEL.name(), "test_soc/cpu");
        assert_eq!(
            WORDS,
            ("INST_RETIRED.ANY", "event=0xc0,period=2000003", "default_core", "fixed names")
        );
        assert_eq!(ON_A_PMU.event_string(), "event=0x1a");
        assert_eq!(MISSING, None);
        assert_eq!(NEAREST, Some("NOTE.NONE"));
        assert_eq!(METRIC.scale_unit(), Some("100%"));
        assert_eq!(SECOND, ON_A_PMU);
        assert_eq!(Some(FIRST), MODEL.events().next());
        assert_eq!(SAMPLE_AFTER, Some(1_000_003));
        assert_eq!(COUNT, soc_cpu().len());
        assert_eq!(UMASK, Some(5));
        assert_eq!(IN_A_STATIC.map(Event::event_string), ["event=0x61", "event=0x3e"]);
    }
}

/// At run time an unknown name panics, and says what the compiler would say.
#[test]
fn expect_names_the_nearest() {
    let panic = std::panic::catch_unwind(|| test::TEST_SOC_CPU.require("inst_retierd.any"));
    let message = panic.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        *message,
        "model `test_soc/cpu` has no event `inst_retierd.any`; did you mean `INST_RETIRED.ANY`?"
    );
}

/// `PERF_CPUID` stands for the machine; the look-up is done once, so a process
/// of its own is needed.
#[test]
fn host() {
    if std::env::var("PERF_CPUID").is_ok_and(|cpuid| cpuid == "testlater-3") {
        assert_eq!(test::host().map(Model::name), Ok("test_soc/later"));
        return;
    }
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "host", "--test-threads=1"])
        .env("PERF_CPUID", "testlater-3")
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stdout));
    assert!(String::from_utf8_lossy(&again.stdout).contains("1 passed"));
}

mod options {
    use super::*;

    mod none {
        pmu_events::pmu_events!(
            "arch/test",
            models = ["test_soc/cpu"],
            text = none,
            unknown = deny
        );
    }
    mod brief {
        pmu_events::pmu_events!("arch/test", models = ["TEST_soc/*"], text = brief);
    }
    mod full {
        pmu_events::pmu_events!("arch/test", text = full, models = ["acme/*", "*later"],);
    }
    mod without_metrics {
        pmu_events::pmu_events!("arch/test", metrics = false, unknown = deny);
    }
    mod with_metrics {
        pmu_events::pmu_events!("arch/test", metrics = true, unknown = allow);
    }
    mod some_events {
        pmu_events::pmu_events!(
            "arch/test",
            events = ["INST_retired.*", "*.LA", "?", "unit.[a-o]*", "widget.ticks"],
            unknown = deny,
        );
    }
    mod whole {
        pmu_events::pmu_events!("${CARGO_MANIFEST_DIR}/arch/test", arch = "powerpc");
    }

    fn models(tree: &'static pmu_events::Tree) -> Vec<&'static str> {
        tree.models().map(|model| model.name()).collect()
    }

    #[test]
    fn models_kept() {
        assert_eq!(models(&none::TREE), ["test_soc/cpu"]);
        assert_eq!(models(&brief::TREE), ["test_soc/cpu", "test_soc/later"]);
        assert_eq!(models(&full::TREE), ["acme/widget-9000", "test_soc/later"]);
        assert_eq!(none::model("testcpu").map(Model::name), Some("test_soc/cpu"));
        assert_eq!(none::model("testlater-1").map(Model::name), None);
        // The row that would have won belongs to a model that is not kept.
        assert_eq!(none::model("ACME-W9000").map(Model::name), Some("test_soc/cpu"));
        assert_eq!(full::model("ACME-W9000").map(Model::name), Some("acme/widget-9000"));
        assert_eq!(full::model("ACME-x").map(Model::name), None);
        assert_eq!(
            full::TREE.sys_tables().map(|m| m.name()).collect::<Vec<_>>(),
            ["acme/widget-9000/sys"]
        );
        assert!(none::TREE.size() < brief::TREE.size());
        assert!(brief::TREE.size() < test::TREE.size());
    }

    #[test]
    fn text_kept() {
        let cases = [
            (none::TEST_SOC_CPU, false, false),
            (brief::TEST_SOC_CPU, true, false),
            (test::TEST_SOC_CPU, true, true),
        ];
        for (model, brief, public) in cases {
            let event = model.event("note.all_pebs2").unwrap();
            assert_eq!(event.description().is_some(), brief);
            assert_eq!(event.perf_description().is_some(), brief);
            assert_eq!(event.long_description().is_some(), public);
            assert_eq!(event.perf_long_description().is_some(), public);
            // What is no text stays.
            assert_eq!(event.errata(), Some("TST5"));
            assert_eq!(event.topic(), "notes");
            let metric = model.metric("all_fields").unwrap();
            assert_eq!(metric.description().is_some(), brief);
            assert_eq!(metric.long_description().is_some(), public);
            assert_eq!(metric.expression(), "100 * NOTE.LA / NOTE.NONE");
            assert_eq!(model.event_count(), test::TEST_SOC_CPU.event_count());
        }
        let note = brief::TEST_SOC_CPU.event("note.la").and_then(Event::perf_description).unwrap();
        assert_eq!(note.to_string(), "Brief with an address  Supports address when precise");
    }

    #[test]
    fn metrics_kept() {
        assert_eq!(without_metrics::TEST_SOC_CPU.metrics().count(), 0);
        assert_eq!(without_metrics::TEST_SOC_CPU.metric("plain"), None);
        assert_eq!(without_metrics::TEST_SOC_CPU.event_count(), soc_cpu().len());
        assert_eq!(without_metrics::TEST_SOC_CPU.nearest("plaim"), None);
        assert_eq!(with_metrics::TEST_SOC_CPU.metrics().count(), SOC_METRICS.len());
    }

    #[test]
    fn events_kept() {
        let names = |model: Model| model.events().map(Event::name).collect::<Vec<_>>();
        let kept = [
            "INST_RETIRED.ANY",
            "Inst_Retired.Any_P",
            "NOTE.LA",
            "T",
            "UNIT.COMPAT",
            "UNIT.CORE_TOO",
            "UNIT.NAMED",
            "UNIT.ONLY",
            "Unit.Core_Too",
        ];
        let found = names(some_events::TEST_SOC_CPU);
        assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from(kept));
        // One name is on 22 PMUs, the others stand once.
        assert_eq!(found.len(), kept.len() - 1 + 22);
        assert_eq!(names(some_events::ACME_WIDGET_9000), ["WIDGET.TICKS", "WIDGET.TICKS"]);
        // Metrics are an option of their own.
        assert_eq!(some_events::TEST_SOC_CPU.metrics().count(), SOC_METRICS.len());
    }

    #[test]
    fn path_with_a_variable_and_another_rule() {
        check(whole::TEST_SOC_CPU, &soc_cpu());
        assert_eq!(whole::model("testcpu-rev1").map(Model::name), Some("test_soc/cpu"));
    }
}
