use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use super::{Plan, Request};
use crate::arch::x86;
use crate::resolve::parses;
use crate::{Scope, System};

/// How often each text has been parsed since the last call.
fn parsed() -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    parses::take().into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    counts
}

/// A plan parses each event once, however many metrics need it, and its passes none.
#[test]
fn each_event_is_parsed_once() {
    let model = x86::SAPPHIRERAPIDS;
    let spr = System::builtin("GenuineIntel-6-8F-4", model);
    let ipc = || Request::from(model.metric("tma_info_thread_ipc").expect("the tree has it"));
    let cases: [(Vec<Request>, Option<&[&str]>); 3] = [
        (Vec::from([ipc()]), Some(&["CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY"])),
        (
            Vec::from([ipc().with_modifiers("u")]),
            Some(&["CPU_CLK_UNHALTED.THREAD:u", "INST_RETIRED.ANY:u"]),
        ),
        (model.metrics().map(Request::from).collect(), None),
    ];
    for (requests, expected) in cases {
        parsed();
        let plan = Plan::new(requests, &spr, &Scope::AllCpus);
        let counts = parsed();
        if let Some(expected) = expected {
            assert!(counts.keys().eq(expected), "{counts:?}");
        }
        assert!(counts.values().all(|&count| count == 1), "{counts:?}");
        (0..plan.passes()).for_each(|pass| drop(plan.pass(pass)));
        assert_eq!(parsed(), BTreeMap::new(), "{:?}", plan.lists());
    }
}
