//! Values of a part of the machine: a CPU, a core, a socket, a control group.

use pmu_events::Scope;
use pmu_events::measure::{Formulas, Per, Place, Plan};
use pmu_events::open::{Cgroup, Lack, Options, Part, Reading, Target};

use crate::laboratory::{BIG, Cores, Laboratory, SELF, event};

const FORMULAS: &str = "rate = page\\-faults / duration_time\n\
                        share = page\\-faults / cpu@event\\=5@\n\
                        busy = user_time / duration_time";

/// A place, and its CPUs.
type CpusOf = (Place, &'static [u32]);

/// Two sockets, each with a core of two threads.
fn laboratory() -> Laboratory {
    let laboratory = Laboratory::new(Cores::Alike);
    for cpu in 0..4 {
        let directory = format!("/devices/system/cpu/cpu{cpu}/topology");
        laboratory.write(&format!("{directory}/physical_package_id"), &format!("{}\n", cpu / 2));
        laboratory.write(&format!("{directory}/die_id"), "0\n");
        laboratory.write(&format!("{directory}/core_id"), "7\n");
    }
    laboratory
}

fn plan(laboratory: &Laboratory) -> Plan {
    let system = laboratory.system();
    let formulas =
        FORMULAS.parse::<Formulas>().expect("it parses").bind(&system).expect("it binds");
    Plan::new(formulas, &system, &Scope::AllCpus)
}

/// The seconds that a reading says have passed.
fn elapsed(reading: &Reading) -> f64 {
    let time = reading.events().iter().find(|read| read.name() == "duration_time");
    time.expect("it was counted").value().expect("it has a value")
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: {found}, not {expected}");
}

#[test]
fn places_of_a_machine() {
    let laboratory = laboratory();
    let plan = plan(&laboratory);
    let mut counters = plan.open(&Options::new().with_scope(Scope::AllCpus)).expect("they open");
    counters.enable().expect("they can be enabled");
    for (cpu, milliseconds) in [(0, 10), (1, 20), (2, 0), (3, 40)] {
        laboratory.work(SELF, cpu, milliseconds);
    }
    let reading = counters.read();
    let seconds = elapsed(&reading);
    let cases: [(Per, &[CpusOf]); 3] = [
        (
            Per::Cpu,
            &[
                (Place::Cpu(0), &[0]),
                (Place::Cpu(1), &[1]),
                (Place::Cpu(2), &[2]),
                (Place::Cpu(3), &[3]),
            ],
        ),
        (
            Per::Core,
            &[
                (Place::Core { socket: 0, die: 0, core: 7 }, &[0, 1]),
                (Place::Core { socket: 1, die: 0, core: 7 }, &[2, 3]),
            ],
        ),
        (Per::Socket, &[(Place::Socket(0), &[0, 1]), (Place::Socket(1), &[2, 3])]),
    ];
    for (per, expected) in cases {
        let found = plan.values_per(per, &reading).expect("the topology is known");
        let places: Vec<Place> = found.iter().map(|(place, _)| *place).collect();
        let wanted: Vec<Place> = expected.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, wanted, "{per:?}");
        for ((place, values), (_, cpus)) in found.iter().zip(expected) {
            let [rate, share, busy] = &values[..] else { panic!("there are three formulas") };
            let faults = laboratory.truth(event(1, 2), 0, None, cpus) as f64;
            let others = laboratory.truth(event(BIG, 5), 0, None, cpus) as f64;
            let what = place.to_string();
            assert_near(rate.value(), faults / seconds, &what);
            match others > 0.0 {
                true => assert_near(share.value(), faults / others, &what),
                false => assert!(share.value().is_nan() || share.value() == 0.0, "{what}: {share}"),
            }
            // What the command spent is not that of a CPU.
            assert!(busy.value().is_nan(), "{what}: {busy}");
        }
    }
    // All of it, as before.
    let faults = laboratory.truth(event(1, 2), 0, None, &[]) as f64;
    assert_near(plan.values(&reading)[0].value(), faults / seconds, "everywhere");
    laboratory.remove("/devices/system/cpu/cpu3/topology/physical_package_id");
    assert!(plan.values_per(Per::Cpu, &reading).is_ok());
    let problem = plan.values_per(Per::Socket, &reading).expect_err("the file is gone");
    assert!(problem.to_string().contains("cpu3/topology/physical_package_id"), "{problem}");
}

/// A core of which one CPU has no count has no value, and neither has a CPU without any.
#[test]
fn places_that_lack_counts() {
    let laboratory = laboratory();
    let plan = plan(&laboratory);
    let mut counters = plan.open(&Options::new().with_scope(Scope::AllCpus)).expect("they open");
    counters.enable().expect("they can be enabled");
    for cpu in 0..4 {
        laboratory.work(SELF, cpu, 10);
    }
    let mut reading = counters.read();
    for event in reading.events_mut() {
        let (of_last, others): (Vec<Part>, Vec<Part>) =
            event.parts().iter().partition(|part| part.target() == Target::Cpu(3));
        let why = laboratory.system().open("{").expect_err("it is no list");
        let lacks = of_last.iter().map(|part| Lack::new(part.target(), why.clone()));
        event.set_counts(others, lacks.collect());
    }
    for (per, has_values) in [
        (Per::Cpu, vec![true, true, true, false]),
        (Per::Core, vec![true, false]),
        (Per::Socket, vec![true, false]),
    ] {
        let found = plan.values_per(per, &reading).expect("the topology is known");
        let found: Vec<bool> =
            found.iter().map(|(_, values)| !values[0].value().is_nan()).collect();
        assert_eq!(found, has_values, "{per:?}");
    }
}

#[test]
fn control_groups_and_their_places() {
    let laboratory = laboratory();
    let groups: Vec<Cgroup> = [1, 2].map(|number| laboratory.group(number)).into();
    for (task, group) in [(7, 1), (8, 2)] {
        laboratory.spawn(task);
        laboratory.kernel().set_group(task, group);
    }
    let plan = plan(&laboratory);
    let options = Options::new().with_scope(Scope::AllCpus);
    let mut counters = plan.open_in_cgroups(&options, groups).expect("they open");
    counters.enable().expect("they can be enabled");
    laboratory.work(7, 0, 10);
    laboratory.work(8, 1, 30);
    laboratory.work(8, 2, 5);
    let reading = counters.read();
    let seconds = elapsed(&reading);
    for (number, task) in [7, 8].into_iter().enumerate() {
        let own = plan.reading_in(&reading, number);
        let truth = |kind, cpus: &[u32]| laboratory.truth(kind, 0, Some(task), cpus) as f64;
        let [rate, share, busy] = &plan.values(&own)[..] else { panic!("there are three") };
        assert_near(rate.value(), truth(event(1, 2), &[]) / elapsed(&own), "rate");
        assert_near(share.value(), truth(event(1, 2), &[]) / truth(event(BIG, 5), &[]), "share");
        assert!(busy.value().is_nan(), "{busy}");
        for (place, values) in plan.values_per(Per::Socket, &own).expect("it is known") {
            let cpus: &[u32] = if place == Place::Socket(0) { &[0, 1] } else { &[2, 3] };
            assert_near(values[0].value() * seconds, truth(event(1, 2), cpus), &place.to_string());
        }
    }
    let none = plan.reading_in(&reading, 2);
    assert!(none.events().is_empty());
    assert!(plan.values(&none).iter().all(|value| value.value().is_nan()));
    // Tasks have no control group.
    let error = plan.open_in_cgroups(&Options::new(), [laboratory.group(3)]).expect_err("tasks");
    assert!(error.to_string().contains("only on whole CPUs"), "{error}");
}
