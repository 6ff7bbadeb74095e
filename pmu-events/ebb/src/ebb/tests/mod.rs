extern crate std;

mod cases;

use std::format;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::power::Generation;

/// The names of the cases in which the rules are stricter than the kernel; the
/// module documentation explains why.
const STRICTER: &[&str] = &[
    // Not event-based branches, and not meant to be.
    "a whole CPU, no branch",
    "no counter, no branch",
    "no branch, enabled, read",
    "filter without branch",
    // The kernel loses bits silently.
    "generic cycles",
    "filter without history",
];

fn attributes(case: &cases::Case) -> Vec<BranchAttr> {
    case.events.iter().map(|event| event.attr).collect()
}

#[test]
fn accepts_what_the_kernel_opened_and_refuses_what_it_refused() {
    let cases = cases::all();
    assert_eq!(cases.len(), 59);
    let mut stricter = Vec::new();
    for case in &cases {
        for (generation, answers) in Generation::ALL.iter().copied().zip(&case.answers) {
            let checked = check(generation, &attributes(case), case.target);
            let is_opened = answers.iter().all(|answer| *answer == "ok");
            let name = format!("{generation}: {}", case.name);
            match checked {
                Ok(()) => assert!(is_opened, "{name}: accepted, but the kernel says {answers:?}"),
                Err(broken) => {
                    let rules: Vec<String> =
                        broken.rules().iter().map(|rule| format!("{rule:?}")).collect();
                    let mut expected = case.rules.clone();
                    expected.sort_by_key(|rule| {
                        Rule::ALL.iter().position(|known| format!("{known:?}") == **rule)
                    });
                    assert_eq!(rules, expected, "{name}");
                    if is_opened && !stricter.contains(&case.name) {
                        stricter.push(case.name);
                    }
                }
            }
        }
    }
    stricter.sort_unstable();
    let mut listed = STRICTER.to_vec();
    listed.sort_unstable();
    assert_eq!(stricter, listed, "refused here alone");
}

/// The rules about one event, and about two conflicting events, that the
/// recorded cases do not reach. The emulated machines answer the same.
#[test]
fn codes() {
    use Generation::{Power8, Power9, Power10};
    let cases: &[(Generation, &[u64], &[(usize, Rule)])] = &[
        (Power8, &[0x0004_0000_0001_001e], &[(0, Rule::Reserved)]),
        (Power8, &[0x1_0200], &[(0, Rule::Reserved)]),
        (Power10, &[0x1_0200], &[]),
        // Sampling: the reserved modes, and those of a single generation.
        (Power8, &[0x0301_0100], &[]),
        (Power9, &[0x0301_0100], &[(0, Rule::ReservedSampling)]),
        (Power10, &[0x0301_0000], &[(0, Rule::ReservedSampling)]),
        (Power9, &[0x0c01_0100], &[(0, Rule::ReservedSampling)]),
        (Power10, &[0x0c01_0100], &[]),
        (Power9, &[0x1001_0100], &[]),
        (Power10, &[0x1001_0100], &[(0, Rule::ReservedSampling)]),
        // Threshold.
        (Power8, &[0x0f_2001_001e], &[]),
        (Power9, &[0x0f_2001_001e], &[(0, Rule::ReservedThreshold)]),
        (Power10, &[0xf0_2001_001e], &[(0, Rule::ReservedThreshold)]),
        (Power8, &[0x1_001e | 0x81 << 40], &[(0, Rule::Mantissa)]),
        (Power9, &[0x1_001e | 0x81 << 40], &[]),
        (Power9, &[0x2001_001e | 0x81 << 40], &[(0, Rule::Mantissa)]),
        (Power9, &[0x2001_001e | 0xe0 << 40], &[]),
        // The fabric's response is not a threshold.
        (Power8, &[0x3_0056 | 0x81 << 40], &[]),
        // The caches beyond the L1.
        (Power8, &[0x11_6080], &[(0, Rule::CacheSelector)]),
        (Power8, &[0x81_6080], &[]),
        (Power9, &[0x1_6080], &[(0, Rule::CacheCounter)]),
        (Power9, &[0x4_6080, 0x1_6080], &[]),
        (Power9, &[0x4_6080, 0x1_6082], &[(1, Rule::CacheGroup)]),
        (Power9, &[0x1_001e, 0x2_6080], &[(1, Rule::CacheCounter)]),
        (Power10, &[0x1_6080, 0x2_6082], &[]),
        (Power10, &[0x0100_0001_6080, 0x2_6080], &[(1, Rule::CacheGroup)]),
        (Power10, &[0x0100_0001_6080, 0x2_7080], &[]),
        // The L1's qualifier.
        (Power8, &[0x51_0080, 0x2_001e], &[]),
        (Power8, &[0x51_0080, 0x62_0080], &[(1, Rule::CacheQualifier)]),
        (Power9, &[0x11_0080, 0x2_001e], &[(1, Rule::CacheQualifier)]),
        (Power10, &[0x11_0080, 0x22_001e], &[(1, Rule::CacheQualifier)]),
        (Power10, &[0x11_0080, 0x5_00fa], &[]),
        (Power10, &[0x1_0200, 0x2_0000], &[(1, Rule::RadixScope)]),
        // Sampling and threshold of two events.
        (Power9, &[0x0401_0100, 0x0802_0100], &[(1, Rule::Sampling)]),
        (Power9, &[0x0401_0100, 0x0802_0000], &[]),
        (Power8, &[0x2001_001e, 0x2_001e], &[(1, Rule::Threshold)]),
        (Power9, &[0x2001_001e, 0x2_001e], &[]),
        (Power9, &[0x2001_001e, 0x4002_001e], &[(1, Rule::Threshold)]),
        (Power10, &[0x2001_001e, 0x4002_001e], &[(1, Rule::Threshold)]),
        (Power8, &[0x12_0003_0056, 0x13_0004_f052], &[(1, Rule::FabricMatch)]),
        (Power8, &[0x12_0003_0056, 0x12_0004_f052], &[]),
        // Branch history.
        (Power9, &[0x5000_0000_0001_001e, 0x6000_0000_0002_001e], &[(1, Rule::Filter)]),
        (Power9, &[0x5000_0000_0001_001e, 0x2_001e], &[]),
        (Power9, &[0x5000_0000_0005_00fa, 0x6000_0000_0006_00f4], &[(1, Rule::Filter)]),
    ];
    for (generation, codes, expected) in cases {
        let mut request = Builder::new(*generation);
        for code in *codes {
            request = request.raw(*code);
        }
        let broken: Vec<_> = match request.build() {
            Ok(_) => Vec::new(),
            Err(broken) => (0..MAX_EVENTS)
                .flat_map(|event| broken.of(event).iter().map(move |rule| (event, rule)))
                .collect(),
        };
        assert_eq!(broken, *expected, "{generation}: {codes:x?}");
    }
}

/// The builder's result breaks no rule, and changes nothing in a code except
/// what was requested.
#[test]
fn built() {
    use Generation::Power9;
    const CYCLES: u64 = 0x8000_0000_0000_001e;
    let plain = Builder::new(Power9).raw(0x1e).on(3).build().unwrap();
    let [attr] = plain.attributes() else { panic!() };
    let expected = BranchAttr {
        kind: 4,
        config: CYCLES | 3 << 16,
        pinned: true,
        exclusive: true,
        disabled: true,
        ..BranchAttr::default()
    };
    assert_eq!(*attr, expected);
    assert_eq!(plain.target(), BranchTarget::new(0, -1));

    let filters = [
        (BranchFilter::All, 0xc),
        (BranchFilter::Calls, 0xd),
        (BranchFilter::IndirectCalls, 0xe),
        (BranchFilter::Conditional, 0xf),
    ];
    for (filter, bits) in filters {
        let group = Builder::new(Power9).raw(0x1001e).bhrb(filter).build().unwrap();
        assert_eq!(group.attributes()[0].config, 0x1001e | bits << 60);
    }

    // All six counters, and as many software events as there is room for.
    let mut request = Builder::new(Power9);
    for code in [0x1001e, 0x2001e, 0x3001e, 0x4001e, 0x500fa, 0x600f4] {
        request = request.raw(code);
    }
    for _ in 6..MAX_EVENTS {
        request = request.software(0);
    }
    let group = request.user_only().target(BranchTarget::thread(42)).build().unwrap();
    assert_eq!(group.attributes().len(), MAX_EVENTS);
    assert_eq!(group.target(), BranchTarget::new(42, -1));
    for (n, attr) in group.attributes().iter().enumerate() {
        assert_eq!((attr.pinned, attr.exclusive, attr.disabled), (n == 0, n == 0, n == 0));
        assert!(attr.exclude_kernel && attr.exclude_hv && !attr.exclude_user);
    }
    assert_eq!(check(Power9, group.attributes(), group.target()), Ok(()));

    let broken = request.software(0).build().unwrap_err();
    assert!(broken.of(0).contains(Rule::TooMany), "{broken}");
    let too_many = [BranchAttr { kind: 1, ..BranchAttr::default() }; MAX_EVENTS + 1];
    let broken = check(Power9, &too_many, BranchTarget::THIS_THREAD).unwrap_err();
    assert!(broken.of(0).contains(Rule::TooMany), "{broken}");
}

/// All errors are reported, by event.
#[test]
fn refused() {
    use Generation::Power9;
    let new = Builder::new(Power9);
    let inherited = BranchAttr { kind: 4, inherit: true, ..BranchAttr::default() };
    let cases: &[(Builder, &str)] = &[
        (new, "event 0: a group needs an event"),
        (new.on(1), "event 0: a group needs an event"),
        (
            new.raw(0x4d05e).on(1),
            "event 0: the event is counted on another counter than the one asked for",
        ),
        (new.raw(0x1e).on(7), "event 0: there are counters 1 to 6"),
        (
            new.raw(0x1e).on(16),
            "event 0: the code must name its counter in bits 19:16; there are counters 1 to 6",
        ),
        (new.raw(0x1e).on(5), "event 0: counter 5 counts only 0x500fa, and counter 6 only 0x600f4"),
        (
            new.software(0).raw(0x1001e).target(BranchTarget::new(-1, 0)),
            "event 0: a software event may join the group but not lead it; \
             the target must be a thread, not a whole CPU; the leader must be pinned; \
             the leader must be exclusive\n\
             event 1: leader and members must agree about bit 63",
        ),
        (
            new.raw(0x1001e).attr(inherited),
            "event 1: leader and members must agree about bit 63; inherit must not be set; \
             the code must name its counter in bits 19:16",
        ),
    ];
    for (request, message) in cases {
        assert_eq!(format!("{}", request.build().unwrap_err()), *message);
    }
    let names: Vec<_> = Rule::ALL.iter().map(|rule| rule.text()).collect();
    for (n, name) in names.iter().enumerate() {
        assert!(!names[..n].contains(name), "{name}");
    }
}
