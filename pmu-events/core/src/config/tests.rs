extern crate std;

use std::string::{String, ToString};
use std::vec::Vec;

use super::*;
use crate::builtin::{AMD, ARMV8_PMUV3, INTEL, POWER9, RISCV_SBI, S390};
use crate::format::{Word, Words};

fn formats(text: &'static str) -> Vec<(&'static str, Format)> {
    let pairs = text.lines().filter_map(|line| line.trim().split_once(' '));
    pairs.map(|(name, bits)| (name, Format::parse(bits).unwrap())).collect()
}

/// perf's own test of packing (`tests/pmu.c`), from
/// `reference/cases/pmu_format.json`.
#[test]
fn packs_as_perf_does() {
    let formats = formats(
        "krava01 config:0-1,62-63
         krava02 config:10-17
         krava03 config:5
         krava11 config1:0,2,4,6,8,20-28
         krava12 config1:63
         krava13 config1:45-47
         krava21 config2:0-3,10-13,20-23,30-33,40-43,50-53,60-63
         krava22 config2:8,18,48,58
         krava23 config2:28-29,38",
    );
    let terms = "krava01=15,krava02=170,krava03=1,krava11=27,krava12=1,krava13=2,\
                 krava21=119,krava22=11,krava23=2";
    let encoded = encode(Terms::new(terms), Formats::new(&formats)).unwrap();
    let expected = Words::new(0xc000_0000_0002_a823)
        .with(Word::Config1, 0x8000_4000_0000_0145)
        .with(Word::Config2, 0x0400_0000_2004_1d07);
    assert_eq!(encoded.words(), expected);
}

/// Terms that perf encodes, from `reference/cases/parse_events.json`.
#[test]
fn words_as_perf_computes_them() {
    let upi = formats(
        "event config:0-7
         umask config:8-15,32-43,45-55
         thresh config:24-31",
    );
    let edge = formats(
        "hi config:60-63
         c2 config2:8-11,16
         rdwrmask config:8-9
         event config:0-7",
    );
    let (upi, edge) = (Formats::new(&upi), Formats::new(&edge));
    let cases: &[(Formats<'_>, &str, Words)] = &[
        (INTEL, "", Words::NONE),
        (INTEL, "event=0xc0", Words::new(0xc0)),
        (
            INTEL,
            "event=0xcd,umask=0x1,ldlat=3,ldlat=30",
            Words::new(0x1cd).with(Word::Config1, 0x1f),
        ),
        (INTEL, "event=0x2e,umask=0x41,umask=1", Words::new(0x412e)),
        (INTEL, "event=0x3c,umask=0", Words::new(0x3c)),
        (INTEL, "config1=0x1234", Words::NONE.with(Word::Config1, 0x1234)),
        (INTEL, "config=1,event=2", Words::new(3)),
        (INTEL, "event=2,config=1", Words::new(3)),
        (INTEL, "event=1,event=2", Words::new(3)),
        (INTEL, "umask=0x01,umask=0x02", Words::new(0x300)),
        (
            INTEL,
            "config=10,config1=1,config2=3,period=1000",
            Words::new(10).with(Word::Config1, 1).with(Word::Config2, 3),
        ),
        (INTEL, "config2", Words::NONE.with(Word::Config2, 1)),
        (INTEL, "config3=7,config3=5", Words::NONE.with(Word::Config3, 5)),
        (INTEL, "config4=7,config4=0x50", Words::NONE.with(Word::Config4, 0x50)),
        (INTEL, "r1a8", Words::new(0x1a8)),
        (INTEL, "r0x1a", Words::new(0x1a)),
        (INTEL, "read", Words::new(0xead)),
        (INTEL, "umask=010", Words::new(0xa00)),
        (INTEL, "edge,inv=1", Words::new(0x84_0000)),
        (AMD, "event=0xfff", Words::new(0xf_0000_00ff)),
        (
            ARMV8_PMUV3,
            "event=0x11,threshold=5,threshold_compare=2",
            Words::new(0x11).with(Word::Config1, 0xb0),
        ),
        (POWER9, "event=0x4d05e", Words::new(0x4d05e)),
        (RISCV_SBI, "event=0x5,firmware=2", Words::new(0x8000_0000_0000_0005)),
        (S390, "event=0xffffffffffffffff", Words::new(u64::MAX)),
        (upi, "event=2,umask=0x1ff0f", Words::new(0x1ff_0000_0f02)),
        (upi, "umask=0x7fffffff", Words::new(0xff_efff_0000_ff00)),
        (edge, "event=0xa,rdwrmask=1", Words::new(0x10a)),
        (edge, "hi=15", Words::new(0xf000_0000_0000_0000)),
        (edge, "c2=0x1f", Words::NONE.with(Word::Config2, 0x10f00)),
        (edge, "config=0xdeadbeef,event=1", Words::new(0xdead_beef)),
        (edge, "rdwrmask=?,rdwrmask=2,event=1", Words::new(0x201)),
        (INTEL, "edge=?,event=1,edge", Words::new(0x4_0001)),
        (edge, "rdwrmask=2,rdwrmask=?,rdwrmask=1", Words::new(0x300)),
    ];
    for &(formats, terms, words) in cases {
        let encoded = encode(Terms::new(terms), formats);
        assert_eq!(encoded.map(|e| e.words()), Ok(words), "{terms:?}");
        assert_eq!(encode_with(Terms::new(terms), |name| formats.find(name)), encoded);
    }
}

#[test]
fn attributes() {
    let base = Attributes::NONE;
    let period = |n| Some(Sampling::Period(n));
    let cases: &[(&str, Attributes<'_>)] = &[
        ("event=1", base),
        ("period=2000003,period=5", Attributes { sampling: period(5), ..base }),
        ("period=5,period=2000003", Attributes { sampling: period(2_000_003), ..base }),
        ("period", Attributes { sampling: period(1), ..base }),
        ("period=5,freq=100", Attributes { sampling: Some(Sampling::Frequency(100)), ..base }),
        ("freq=100,period=0x5", Attributes { sampling: period(5), ..base }),
        ("percore", Attributes { percore: Some(true), ..base }),
        ("percore=0", Attributes { percore: Some(false), ..base }),
        ("name=a.b-c", Attributes { name: Some("a.b-c"), ..base }),
        ("name=name", Attributes { name: Some("name"), ..base }),
        ("name='X:orig=c,desc=t',event=2", Attributes { name: Some("X:orig=c,desc=t"), ..base }),
        ("metric-id=abc", Attributes { metric_id: Some("abc"), ..base }),
        ("metric-id=a,metric-id=b", Attributes { metric_id: Some("a"), ..base }),
        ("name=a,name=b", Attributes { name: Some("a"), ..base }),
        ("call-graph=fp,call-graph=no", Attributes { call_graph: Some("no"), ..base }),
        ("call-graph=fp,time=0", Attributes { call_graph: Some("fp"), time: Some(false), ..base }),
        ("branch_type=any", Attributes { branch_type: Some("any"), ..base }),
        (
            "stack-size=8,max-stack=3",
            Attributes { stack_size: Some(8), max_stack: Some(3), ..base },
        ),
        ("nr=9", Attributes { max_events: Some(9), ..base }),
        ("no-inherit", Attributes { inherit: Some(false), ..base }),
        ("no-inherit,inherit", Attributes { inherit: Some(true), ..base }),
        ("overwrite", Attributes { overwrite: Some(true), ..base }),
        ("overwrite=0", Attributes { overwrite: Some(false), ..base }),
        ("no-overwrite", Attributes { overwrite: Some(false), ..base }),
        ("no-overwrite=0", Attributes { overwrite: Some(true), ..base }),
        ("aux-output=0", Attributes { aux_output: Some(false), ..base }),
        ("inherit=0", Attributes { inherit: Some(false), ..base }),
        ("no-inherit=0", Attributes { inherit: Some(true), ..base }),
        ("time", Attributes { time: Some(true), ..base }),
        (
            "aux-output,aux-sample-size=16",
            Attributes { aux_output: Some(true), aux_sample_size: Some(16), ..base },
        ),
        ("@sink=etr", Attributes { driver: Some(Term::new("sink", Some("etr"))), ..base }),
        ("@on", Attributes { driver: Some(Term::new("on", None)), ..base }),
        // Deliberate differences: a number is also a text.
        ("name=5", Attributes { name: Some("5"), ..base }),
    ];
    for (terms, expected) in cases {
        let encoded = encode(Terms::new(terms), INTEL).unwrap();
        assert_eq!(encoded.attributes, *expected, "{terms:?}");
        assert_eq!(encode_with(Terms::new(terms), |name| INTEL.find(name)), Ok(encoded));
    }
}

#[test]
fn a_period_is_no_frequency() {
    let cases = [
        ("event=1", None, None),
        ("period=7", Some(7), None),
        ("freq=9", None, Some(9)),
        ("freq=9,period=7", Some(7), None),
        ("period=7,freq=0", None, Some(0)),
    ];
    for (terms, period, frequency) in cases {
        let attributes = encode(Terms::new(terms), INTEL).unwrap().attributes;
        assert_eq!((attributes.period(), attributes.frequency()), (period, frequency), "{terms}");
    }
}

#[test]
fn each_word_by_its_name() {
    let terms = Terms::new("config=1,config1=2,config2=3,config3=4,config4=5");
    let encoded = encode(terms, INTEL).unwrap();
    let words: Vec<u64> = Word::ALL.iter().map(|&word| encoded.words().get(word)).collect();
    assert_eq!(words, [1, 2, 3, 4, 5]);
    assert!(encoded.words().iter().map(|(_, bits)| bits).eq(words));
}

/// The message that the compiler shows if an event cannot be encoded.
#[test]
fn errors_where_nothing_can_be_formatted() {
    let cases = [
        ("foo=1", "term `foo`: unknown"),
        ("event", "term `event`: it needs a value"),
        ("name", "term `name`: it needs a value"),
        ("ldlat=None", "term `ldlat` with value `None`: expected a number"),
        ("umask=0x100", "term `umask` with value `0x100`: too large for its format"),
        ("umask=?", "term `umask`: a parameter that nothing fills"),
    ];
    for (terms, expected) in cases {
        let error = encode(Terms::new(terms), INTEL).unwrap_err();
        assert_eq!(error.say(Message::new()).as_str(), expected);
    }
}

/// A tree with one event, as a macro packs it.
fn event(name: &'static str, terms: &'static str) -> Event {
    use crate::Tree;
    use crate::wire::record::EventRecord;
    use crate::wire::{HEADER, SECTIONS, Section, StrRef, VERSION};
    use std::boxed::Box;

    let record = EventRecord {
        name: StrRef { offset: 0, len: name.len() as u8 },
        event: StrRef { offset: name.len() as u32, len: terms.len() as u8 },
        traits: 0,
    };
    let mut tables = Vec::new();
    for number in [VERSION, 0, 0, SECTIONS as u16] {
        tables.extend(number.to_le_bytes());
    }
    for section in 0..SECTIONS {
        let size = if section < Section::Events as usize { 0 } else { EventRecord::SIZE };
        tables.extend(((HEADER + size) as u32).to_le_bytes());
    }
    record.write(&mut |bytes| tables.extend(bytes));
    let tree = Tree::new([name, terms].concat().leak(), tables.leak());
    Event::new(Box::leak(Box::new(tree)), 0)
}

#[test]
fn words_of_an_event() {
    let misses = event("misses", "event=0x2e,umask=0x41");
    assert_eq!(misses.require_words(INTEL), Words::new(0x412e));
    assert_eq!(misses.encode(INTEL).map(|encoded| encoded.words), Ok(Words::new(0x412e)));
    let loads = event("loads", "event=0xcd,ldlat=None");
    let refused = std::panic::catch_unwind(|| loads.require_words(INTEL)).unwrap_err();
    let message = refused.downcast_ref::<String>().map(String::as_str);
    let message = message.or(refused.downcast_ref::<&str>().copied());
    assert_eq!(message, Some("loads: term `ldlat` with value `None`: expected a number"));
}

#[test]
fn refusals() {
    use ErrorKind::*;
    let cases: &[(&str, ErrorKind, &str, &str)] = &[
        ("foo=1", UnknownTerm, "foo", "unknown term `foo`"),
        ("EVENT=1", UnknownTerm, "EVENT", "unknown term `EVENT`"),
        ("=1", UnknownTerm, "", "unknown term ``"),
        ("r12zz", UnknownTerm, "r12zz", "unknown term `r12zz`"),
        ("r1=1", UnknownTerm, "r1", "unknown term `r1`"),
        // 17 digits, with leading zeros.
        (
            "r0000000000005cdad",
            UnknownTerm,
            "r0000000000005cdad",
            "unknown term `r0000000000005cdad`",
        ),
        ("event=0x100", TooLarge, "0x100", "0x100 is too large for `event`: at most 0xff fits"),
        ("event=1,cmask=256", TooLarge, "256", "0x100 is too large for `cmask`: at most 0xff fits"),
        ("inv=2", TooLarge, "2", "0x2 is too large for `inv`: at most 0x1 fits"),
        ("event", NoValue, "event", "`event` needs a value, from 0 to 0xff"),
        ("event=abc", NotANumber, "abc", "invalid value `abc` for term `event`: expected a number"),
        (
            "ldlat=None",
            NotANumber,
            "None",
            "invalid value `None` for term `ldlat`: expected a number",
        ),
        ("umask=0x", NotANumber, "0x", "invalid value `0x` for term `umask`: expected a number"),
        (
            "config=18446744073709551616",
            NotANumber,
            "18446744073709551616",
            "invalid value `18446744073709551616` for term `config`: expected a number",
        ),
        ("period=", NotANumber, "", "invalid value `` for term `period`: expected a number"),
        ("period=?", NotANumber, "?", "invalid value `?` for term `period`: expected a number"),
        ("name", NoText, "name", "`name` needs a value"),
        ("percore=2", TooLarge, "2", "0x2 is too large for `percore`: at most 0x1 fits"),
        ("time=2", TooLarge, "2", "0x2 is too large for `time`: at most 0x1 fits"),
        ("umask=?", Unfilled, "umask", "parameter `umask` has no value: add umask=…"),
        ("umask=?,event=1", Unfilled, "umask", "parameter `umask` has no value: add umask=…"),
        // Deliberate differences, which perf accepts: characters are not
        // dropped, and the number of a flag is not truncated to 32 bits.
        ("event= 1", NotANumber, " 1", "invalid value ` 1` for term `event`: expected a number"),
        ("event=-1", NotANumber, "-1", "invalid value `-1` for term `event`: expected a number"),
        ("event=1, umask=1", UnknownTerm, " umask", "unknown term ` umask`"),
        (
            "percore=0x100000001",
            TooLarge,
            "0x100000001",
            "0x100000001 is too large for `percore`: at most 0x1 fits",
        ),
        // perf fills the parameter from a term that itself lacks a value.
        ("umask=?,umask", NoValue, "umask", "`umask` needs a value, from 0 to 0xff"),
    ];
    for &(terms, kind, part, message) in cases {
        let error = encode(Terms::new(terms), INTEL).unwrap_err();
        assert_eq!(error.kind(), kind, "{terms:?}");
        assert_eq!(&terms[error.span_in(terms).unwrap()], part, "{terms:?}");
        assert_eq!(error.to_string(), message);
        assert_eq!(encode_with(Terms::new(terms), |name| INTEL.find(name)), Err(error));
    }
}

#[test]
fn a_format_named_like_one_of_perfs_own_terms_is_hidden() {
    let formats = [("period", Format::new(Word::Config, 0xff))];
    let encoded = encode(Terms::new("period=3"), Formats::new(&formats)).unwrap();
    assert_eq!((encoded.words(), encoded.attributes().period()), (Words::NONE, Some(3)));
}

#[test]
fn a_parameter_is_filled_once_by_each_term_that_stands_there() {
    let terms = "event=?,event=1,event=2";
    let encoded = encode(Terms::new(terms), INTEL).unwrap();
    assert_eq!(encoded.words().config(), 3);
}

fn numbers(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state >> 32
    }
}

#[test]
fn the_words_are_those_of_the_terms_alone_ored() {
    let mut next = numbers(3);
    let names: Vec<_> = INTEL.as_slice().iter().collect();
    for _ in 0..2000 {
        let terms: Vec<String> = (0..1 + next() % 6)
            .map(|_| {
                let (name, format) = names[next() as usize % names.len()];
                std::format!("{name}={:#x}", (next() << 32 | next()) & format.max())
            })
            .collect();
        let mut expected = Words::NONE;
        for term in &terms {
            let encoded = encode(Terms::new(term), INTEL).unwrap();
            expected = expected.union(encoded.words());
        }
        let list = terms.join(",");
        let encoded = encode(Terms::new(&list), INTEL).unwrap();
        assert_eq!(encoded.words(), expected);
    }
}

#[test]
fn random_lists_do_not_panic() {
    let mut next = numbers(4);
    let pieces = [
        "event", "umask", "config", "period", "name", "@", "=", "=", ",", ",", "?", "0x", "1",
        "ff", "r", "'", "\u{e4}", " ", "percore", "freq",
    ];
    for _ in 0..50_000 {
        let text: String =
            (0..next() % 12).map(|_| pieces[next() as usize % pieces.len()]).collect();
        let encoded = encode(Terms::new(&text), INTEL);
        assert_eq!(encode_with(Terms::new(&text), |name| INTEL.find(name)), encoded, "{text:?}");
        if let Err(error) = encoded {
            let span = error.span_in(&text).unwrap();
            assert!(text.get(span).is_some(), "{text:?}");
            assert!(!error.to_string().is_empty());
        }
    }
}
