//! A whole sysfs: the lines that [`directory`](super::directory) describes,
//! below `bus/event_source/devices`.

use pmu_events::System;
use pmu_events::sysfs::Pmu;

use super::directory::Directory;
use crate::trees::soc;

const DEVICES: &str = "bus/event_source/devices";

/// A PMU in order, which the others must not spoil.
const GOOD: &[u8] =
    b"fine_pmu/type\t7\nfine_pmu/format/event\tconfig:0-7\nfine_pmu/events/it\tevent=1";

pub fn check(data: &[u8]) {
    let directory = Directory::new();
    // Its files first, so that none can be in its place.
    directory.fill(DEVICES, GOOD);
    let others: Vec<&[u8]> = data
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii_start().windows(8).any(|name| name == b"fine_pmu"))
        .collect();
    directory.fill(DEVICES, &others.join(&b'\n'));
    let plain = System::at(directory.root()).without_tables();
    let sysfs = plain.sysfs();
    let system = plain.clone().with_model(soc::model("testcpu").expect("the tree has it"));
    for pmu in sysfs.pmus() {
        answers(pmu);
        assert_eq!(sysfs.pmu(pmu.name()).map(Pmu::path), Some(pmu.path()));
        let named = format!("{}/config=1/", pmu.name());
        is_sound(&named, &system);
        for event in pmu.events().take(20) {
            is_sound(&format!("{}/{}/", pmu.name(), event.name()), &system);
            is_sound(event.name(), &system);
        }
    }
    for problem in sysfs.problems() {
        assert!(problem.path().starts_with(directory.root()), "{problem}");
        assert!(problem.to_string().len() < problem.path().as_os_str().len() + 1000, "{problem}");
    }
    let good = sysfs.pmu("fine_pmu").expect("a PMU in order is found");
    assert_eq!((good.type_(), good.events().count(), good.problems().len()), (Some(7), 1, 0));
    let resolved = plain.require("fine_pmu/it/").expect("its event resolves");
    assert_eq!((resolved[0].type_(), resolved[0].words().config()), (7, 1));
}

/// Asks everything, twice: what is known stays.
fn answers(pmu: &Pmu) {
    let ask = || {
        let _ = (pmu.is_core(), pmu.is_uncore(), pmu.is_meant_by("x*"), pmu.is_of_unit("x"));
        let cpus =
            pmu.cpus().map(|cpus| cpus.map(ToString::to_string)).map_err(ToString::to_string);
        let names = (pmu.identifier().map(str::to_owned), pmu.alias_name().map(str::to_owned));
        (
            pmu.type_(),
            cpus,
            names,
            pmu.caps().map(|(name, text)| format!("{name} {text}")).collect::<Vec<_>>(),
            pmu.formats().collect::<Vec<_>>(),
            pmu.events().cloned().collect::<Vec<_>>(),
        )
    };
    let first = ask();
    let problems = pmu.problems();
    assert_eq!(ask(), first);
    assert_eq!(pmu.problems(), problems);
    for (name, format) in pmu.formats() {
        assert_eq!(pmu.format(name), Some(format));
    }
    for event in pmu.events() {
        // Names in mixed case are not found, as perf does not.
        if !event.name().bytes().any(|c| c.is_ascii_uppercase()) {
            assert_eq!(pmu.event(event.name()).map(|event| event.name()), Some(event.name()));
        }
    }
}

fn is_sound(text: &str, system: &System) {
    match system.require(text) {
        Ok(all) => assert!(!all.events().is_empty(), "{text:?}"),
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{text:?} {error:?}");
            let _ = error.to_string();
        }
    }
}
