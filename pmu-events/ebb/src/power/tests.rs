extern crate std;

use std::string::ToString;
use std::vec::Vec;

use super::*;
use pmu_events_core::config;
use pmu_events_core::format::{Word, Words};
use pmu_events_core::term::Terms;

/// A few dozen words that differ in every bit, and as many with a single bit
/// set.
fn words() -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let random = core::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    });
    random.take(2000).chain((0..64).map(|bit| 1 << bit)).chain([0, u64::MAX])
}

#[test]
fn what_was_taken_apart_goes_together_again() {
    let seconds: Vec<u64> = words().collect();
    for &generation in Generation::ALL {
        for (n, code) in words().enumerate() {
            let second = seconds[seconds.len() - 1 - n];
            for more in [0, second] {
                let words = Words::new(code).with(Word::Config1, more).with(Word::Config2, more);
                let fields = Fields::decode(generation, words);
                assert_eq!(fields.encode(), Ok(words), "{generation}: {words}");
            }
        }
    }
}

/// Each format of a generation is one of the fields, and no other field is ever
/// set.
#[test]
fn fields_are_the_formats() {
    for &generation in Generation::ALL {
        let everything =
            Fields::decode(generation, Words::new(u64::MAX).with(Word::Config1, u64::MAX));
        for (name, format) in generation.formats().as_slice() {
            if *name != "event" {
                assert_eq!(everything.get(name), format.max(), "{generation}: {name}");
            }
        }
        let shown = everything.to_string();
        let terms = shown.split(',').filter_map(|term| term.split('=').next());
        let linux = ["ifm", "bhrb", "ebb", "reserved", "reserved1"];
        for name in terms.filter(|name| !linux.contains(name)) {
            assert!(generation.formats().find(name).is_some(), "{generation}: {name}");
        }
    }
}

/// The displayed fields encode to the same code, by the formats in sysfs.
#[test]
fn what_is_shown_encodes_again() {
    for &generation in Generation::ALL {
        for code in words() {
            let code = code & !(EBB | BHRB | IFM) & !Fields::of(generation, code).reserved.config();
            let shown = Fields::of(generation, code).to_string();
            let encoded = config::encode(Terms::new(&shown), generation.formats())
                .unwrap_or_else(|error| panic!("{generation}: {shown}: {error}"));
            assert_eq!(encoded.words(), Words::new(code), "{generation}: {shown}");
        }
    }
}

#[test]
fn codes_shown() {
    use Generation::{Power8, Power9, Power10};
    let cases: &[(Generation, u64, &str)] = &[
        (Power8, 0, "pmcxsel=0"),
        (Power8, 0x1001e, "pmcxsel=0x1e,pmc=1"),
        (Power9, 0x400f0, "pmcxsel=0xf0,pmc=4"),
        // PM_MRK_FAB_RSP_MATCH with a response.
        (Power8, 0x5a_0003_0056, "pmcxsel=0x56,pmc=3,thresh_stop=0xa,thresh_start=5"),
        // MEM_LOADS of POWER9, and of POWER10.
        (
            Power9,
            0x0034_3404_01e0,
            "pmcxsel=0xe0,mark=1,pmc=4,sample_mode=0x14,thresh_sel=1,\
          thresh_stop=4,thresh_start=3",
        ),
        (
            Power10,
            0x0034_3404_01e0,
            "pmcxsel=0xe0,mark=1,pmc=4,sample_mode=0x14,thresh_sel=1,\
          thresh_stop=4,thresh_start=3",
        ),
        (Power8, 0x0c00, "reserved=0x400,combine=1"),
        (Power9, 0x0c00, "combine=3"),
        (Power9, 0x0200, "reserved=0x200"),
        (Power10, 0x0200, "radix_scope=1"),
        // A cache event of POWER8; POWER10 has the data address mode in these
        // bits.
        (Power8, 0x00e1_7080, "pmcxsel=0x80,unit=7,pmc=1,cache_sel=0xe"),
        (Power10, 0x00e1_7080, "pmcxsel=0x80,unit=7,pmc=1,cache_sel=2,sdar_mode=3"),
        (Power9, 0x000c_0000_0001_001e, "pmcxsel=0x1e,pmc=1,sdar_mode=3"),
        (Power8, 0x000c_0000_0001_001e, "reserved=0xc000000000000,pmcxsel=0x1e,pmc=1"),
        (Power10, 0x0fff_e000_0000_0000, "invert_bit=1,src_sel=3,src_mask=0x3f,src_match=0x3f"),
        (Power10, 0x1f00_0000_0000, "l2l3_sel=0x1f"),
        (Power8, 0xf000_0000_0001_001e, "pmcxsel=0x1e,pmc=1,ifm=3,bhrb,ebb"),
        (Power9, 0x8000_0000_0005_00fa, "pmcxsel=0xfa,pmc=5,ebb"),
    ];
    for (generation, code, terms) in cases {
        let shown = Fields::of(*generation, *code).to_string();
        let sorted = |text: &str| {
            let mut terms: Vec<_> = text.split(',').map(ToString::to_string).collect();
            terms.sort();
            terms
        };
        assert_eq!(sorted(&shown), sorted(terms), "{generation}: {code:#x}: {shown}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let none = Fields::none;
    let cases = [
        (
            Fields { pmc: 16, ..none(Generation::Power9) },
            "pmc=0x10 does not fit power9: at most 0xf",
        ),
        (Fields { ifm: 4, ..none(Generation::Power9) }, "ifm=0x4 does not fit power9: at most 0x3"),
        (
            Fields { radix_scope: 1, ..none(Generation::Power9) },
            "power9 has no field `radix_scope`",
        ),
        (Fields { sdar_mode: 1, ..none(Generation::Power8) }, "power8 has no field `sdar_mode`"),
        (
            Fields { thresh_cmp: 1 << 18, ..none(Generation::Power10) },
            "thresh_cmp=0x40000 does not fit power10: at most 0x3ffff",
        ),
    ];
    for (fields, message) in cases {
        assert_eq!(fields.encode().unwrap_err().to_string(), message);
    }
}

#[test]
fn generations() {
    use Generation::{Power8, Power9, Power10};
    let cases = [
        ("0x004b0201", Some(Power8)),
        ("0x004c0100", Some(Power8)),
        ("0x004d0200", Some(Power8)),
        ("0x00660000", Some(Power8)),
        ("0x004e1202", Some(Power9)),
        ("0x00800200", Some(Power10)),
        ("0x00820200", Some(Power10)),
        ("0x003f0201", None),
        ("004e1202", None),
        ("0x", None),
        ("", None),
        ("0x1004e1202", None),
    ];
    for (cpuid, generation) in cases {
        assert_eq!(Generation::of_cpuid(cpuid), generation, "{cpuid}");
    }
}
