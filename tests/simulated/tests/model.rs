//! The model beside what `kernel/events/core.c` promises, rule by rule.

#![cfg(target_os = "linux")]

use simulated_kernel::attr::Attr;
use simulated_kernel::kernel::{Control, Request, TURN};
use simulated_kernel::machine::{Machine, Pmu};
use simulated_kernel::world::{Kind, Levels};
use simulated_kernel::{Errno, Id, Kernel};

const MILLISECOND: u64 = 1_000_000;

const CORE: u32 = 4;
const UNCORE: u32 = 18;

const DISABLED: u64 = 1 << 0;
const INHERIT: u64 = 1 << 1;
const PINNED: u64 = 1 << 2;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const ON_EXEC: u64 = 1 << 12;
const TIMES: u64 = 3;
const GROUP: u64 = 8;

/// Four CPUs, two counters each; a PMU outside the cores; every core event occurs once in
/// a microsecond of user space.
fn kernel() -> Kernel {
    let mut machine = Machine::with_cores(4, 2);
    machine.pmus.push(Pmu::uncore(UNCORE, [0].into(), 2));
    let mut kernel = Kernel::new(machine);
    for config in 0..8 {
        for (type_, kernel_level) in [(CORE, 1), (UNCORE, 0)] {
            let kind = Kind { type_, config, config1: 0 };
            kernel.rates().set(kind, 0, Levels { user: 1, kernel: kernel_level });
        }
    }
    kernel.spawn(7, 0);
    kernel
}

fn attr(type_: u32, config: u64, flags: u64, read_format: u64) -> Attr {
    let flags = match cfg!(target_endian = "big") {
        true => flags.reverse_bits(),
        false => flags,
    };
    let mut bytes = vec![0; 64];
    bytes[..4].copy_from_slice(&type_.to_ne_bytes());
    bytes[4..8].copy_from_slice(&64_u32.to_ne_bytes());
    bytes[8..16].copy_from_slice(&config.to_ne_bytes());
    bytes[32..40].copy_from_slice(&read_format.to_ne_bytes());
    bytes[40..48].copy_from_slice(&flags.to_ne_bytes());
    Attr::read(&bytes).unwrap()
}

fn open(
    kernel: &mut Kernel,
    (type_, config, flags): (u32, u64, u64),
    (task, cpu): (Option<u32>, Option<u32>),
    leader: Option<Id>,
) -> Result<Id, Errno> {
    let attr = attr(type_, config, flags, TIMES);
    kernel.open(&Request { attr: &attr, task, cpu, leader, group: None })
}

fn counted(kernel: &mut Kernel, id: Id) -> [u64; 3] {
    kernel.read(id, 3).unwrap().try_into().unwrap()
}

#[test]
fn what_is_refused() {
    let mut kernel = kernel();
    kernel.spawn(8, 0);
    kernel.exit(8);
    kernel.set_online(3, false);
    type Case = ((u32, u64, u64), (Option<u32>, Option<u32>), Result<(), Errno>);
    let cases: &[Case] = &[
        ((CORE, 0, 0), (Some(7), None), Ok(())),
        ((CORE, 0, 0), (Some(7), Some(1)), Ok(())),
        ((CORE, 0, 0), (None, Some(1)), Ok(())),
        ((CORE, 0, 0), (None, None), Err(libc::EINVAL)),
        ((CORE, 0, 0), (Some(8), None), Err(libc::ESRCH)),
        ((CORE, 0, 0), (Some(9), None), Err(libc::ESRCH)),
        ((CORE, 0, 0), (None, Some(3)), Err(libc::ENODEV)),
        ((CORE, 0, 0), (None, Some(4)), Err(libc::EINVAL)),
        ((5, 0, 0), (Some(7), None), Err(libc::ENOENT)),
        ((1, 99, 0), (Some(7), None), Err(libc::ENOENT)),
        ((0, 0, 0), (Some(7), None), Ok(())),
        ((UNCORE, 0, 0), (None, Some(0)), Ok(())),
        ((UNCORE, 0, 0), (None, Some(1)), Err(libc::ENOENT)),
        ((UNCORE, 0, 0), (Some(7), None), Err(libc::EINVAL)),
        ((UNCORE, 0, EXCLUDE_KERNEL), (None, Some(0)), Err(libc::EINVAL)),
    ];
    for &(event, target, expected) in cases {
        let opened = open(&mut kernel, event, target, None);
        assert_eq!(opened.map(|_| ()), expected, "{event:?} {target:?}");
    }
    let leader = open(&mut kernel, (CORE, 0, 0), (Some(7), None), None).unwrap();
    let members: &[Case] = &[
        ((CORE, 1, 0), (Some(7), Some(1)), Err(libc::EINVAL)),
        ((CORE, 1, INHERIT), (Some(7), None), Err(libc::EINVAL)),
        ((CORE, 1, PINNED), (Some(7), None), Err(libc::EINVAL)),
        ((CORE, 1, 0), (Some(7), None), Ok(())),
        // Two counters are full; software needs none.
        ((CORE, 2, 0), (Some(7), None), Err(libc::EINVAL)),
        ((1, 2, 0), (Some(7), None), Ok(())),
    ];
    for &(event, target, expected) in members {
        let opened = open(&mut kernel, event, target, Some(leader));
        assert_eq!(opened.map(|_| ()), expected, "{event:?} {target:?}");
    }
    kernel.refuse(Box::new(|request| (request.attr.config == 3).then_some(libc::EBUSY)));
    assert_eq!(open(&mut kernel, (1, 3, 0), (Some(7), None), None), Err(libc::EBUSY));
}

/// The time of a task's event passes while the task runs, wherever; the event runs where it
/// may.
#[test]
fn times_of_a_task() {
    let mut kernel = kernel();
    kernel.machine.pmus[0].counters = 3;
    let everywhere = open(&mut kernel, (CORE, 0, EXCLUDE_KERNEL), (Some(7), None), None).unwrap();
    let on_one = open(&mut kernel, (CORE, 0, 0), (Some(7), Some(1)), None).unwrap();
    let of_cpu = open(&mut kernel, (CORE, 0, 0), (None, Some(1)), None).unwrap();
    let clock = open(&mut kernel, (1, 1, 0), (Some(7), Some(1)), None).unwrap();
    kernel.run(5 * MILLISECOND);
    for (cpu, time) in [(0, 2), (1, 3), (2, 4)] {
        kernel.place(7, Some(cpu)).unwrap();
        kernel.run(time * MILLISECOND);
    }
    let ms = |time: u64| time * MILLISECOND;
    assert_eq!(counted(&mut kernel, everywhere), [9_000, ms(9), ms(9)]);
    assert_eq!(counted(&mut kernel, on_one), [6_000, ms(9), ms(3)]);
    assert_eq!(counted(&mut kernel, of_cpu), [6_000, ms(14), ms(14)]);
    assert_eq!(counted(&mut kernel, clock), [ms(3), ms(9), ms(3)]);
    let truth = kernel.world().truth(
        Kind { type_: CORE, config: 0, config1: 0 },
        (0, kernel.now()),
        |run| run.cpu == 1,
    );
    assert_eq!(truth, Levels { user: 3_000, kernel: 3_000 });
}

/// Three groups and two counters: each runs for two thirds of the time.
#[test]
fn groups_take_turns() {
    let mut kernel = kernel();
    kernel.place(7, Some(0)).unwrap();
    let all: Vec<Id> = (0..3)
        .map(|config| {
            open(&mut kernel, (CORE, config, EXCLUDE_KERNEL), (Some(7), None), None).unwrap()
        })
        .collect();
    kernel.run(6 * TURN);
    for id in all {
        assert_eq!(counted(&mut kernel, id), [4 * TURN / 1_000, 6 * TURN, 4 * TURN]);
    }
}

/// A counter that belongs to the NMI watchdog is not looked at when a group is checked, so
/// the group opens and never runs; a pinned one is then in error.
#[test]
fn groups_that_never_run() {
    let mut kernel = kernel();
    kernel.machine.pmus[0].taken = 1;
    kernel.place(7, Some(0)).unwrap();
    for (flags, expected) in [(0, Ok(vec![0, MILLISECOND, 0])), (PINNED, Ok(vec![]))] {
        let leader = open(&mut kernel, (CORE, 0, flags), (Some(7), None), None).unwrap();
        open(&mut kernel, (CORE, 1, 0), (Some(7), None), Some(leader)).unwrap();
        kernel.run(MILLISECOND);
        assert_eq!(kernel.read(leader, 3), expected);
        // Enabling tries again.
        kernel.machine.pmus[0].taken = 0;
        kernel.control(leader, Control::Enable, false).unwrap();
        kernel.run(MILLISECOND);
        assert!(counted(&mut kernel, leader)[0] > 0);
        kernel.machine.pmus[0].taken = 1;
        kernel.close(leader);
    }
}

/// A reset clears neither the times nor what ended children have counted.
#[test]
fn children_inherit() {
    let mut kernel = kernel();
    let flags = INHERIT | DISABLED | ON_EXEC | EXCLUDE_KERNEL;
    let event = open(&mut kernel, (CORE, 0, flags), (Some(7), None), None).unwrap();
    let alone = open(&mut kernel, (CORE, 1, EXCLUDE_KERNEL), (Some(7), None), None).unwrap();
    kernel.place(7, Some(0)).unwrap();
    kernel.run(MILLISECOND);
    assert_eq!(counted(&mut kernel, event), [0, 0, 0]);
    kernel.exec(7);
    kernel.fork(7, 8);
    kernel.fork(8, 9);
    for (task, cpu) in [(8, 1), (9, 2)] {
        kernel.place(task, Some(cpu)).unwrap();
    }
    kernel.run(MILLISECOND);
    assert_eq!(counted(&mut kernel, event), [3_000, 3 * MILLISECOND, 3 * MILLISECOND]);
    assert_eq!(counted(&mut kernel, alone)[0], 2_000);
    kernel.exit(8);
    kernel.run(MILLISECOND);
    assert_eq!(counted(&mut kernel, event)[0], 5_000);
    kernel.control(event, Control::Reset, false).unwrap();
    assert_eq!(counted(&mut kernel, event), [1_000, 5 * MILLISECOND, 5 * MILLISECOND]);
    kernel.control(event, Control::Disable, false).unwrap();
    kernel.run(MILLISECOND);
    assert_eq!(counted(&mut kernel, event)[0], 1_000);
    kernel.exit(7);
    assert_eq!(counted(&mut kernel, alone)[0], 4_000);
}

/// The members of a group are read at once, and are off while their leader is.
#[test]
fn groups_are_read_at_once() {
    let mut kernel = kernel();
    kernel.place(7, Some(0)).unwrap();
    let attr = |config, flags| attr(CORE, config, flags | EXCLUDE_KERNEL, TIMES | GROUP);
    let (lead, member) = (attr(0, DISABLED), attr(1, 0));
    let request = |attr, leader| Request { attr, task: Some(7), cpu: None, leader, group: None };
    let leader = kernel.open(&request(&lead, None)).unwrap();
    kernel.open(&request(&member, Some(leader))).unwrap();
    kernel.run(MILLISECOND);
    assert_eq!(kernel.read(leader, 5), Ok(vec![2, 0, 0, 0, 0]));
    kernel.control(leader, Control::Enable, false).unwrap();
    kernel.run(MILLISECOND);
    assert_eq!(kernel.read(leader, 5), Ok(vec![2, MILLISECOND, MILLISECOND, 1_000, 1_000]));
    assert_eq!(kernel.read(leader, 4), Err(libc::ENOSPC));
}

/// The time of a control group's event is that of its tasks.
#[test]
fn control_groups() {
    let mut kernel = kernel();
    kernel.make_group(1, 0);
    kernel.make_group(2, 1);
    kernel.spawn(8, 2);
    let attr = attr(CORE, 0, EXCLUDE_KERNEL, TIMES);
    let ids: Vec<Id> = [1, 2]
        .map(|group| Request {
            attr: &attr,
            task: None,
            cpu: Some(0),
            leader: None,
            group: Some(group),
        })
        .iter()
        .map(|request| kernel.open(request).unwrap())
        .collect();
    for (task, time) in [(7, 1), (8, 2)] {
        kernel.place(task, Some(0)).unwrap();
        kernel.run(time * MILLISECOND);
    }
    kernel.set_group(8, 1);
    kernel.run(4 * MILLISECOND);
    let ms = |time: u64| time * MILLISECOND;
    assert_eq!(counted(&mut kernel, ids[0]), [6_000, ms(6), ms(6)]);
    assert_eq!(counted(&mut kernel, ids[1]), [2_000, ms(2), ms(2)]);
}

/// Events of a CPU that went stay off when it comes back; those of a PMU outside the cores
/// move.
#[test]
fn cpus_that_come_and_go() {
    let mut kernel = kernel();
    let of_cpu = open(&mut kernel, (1, 0, 0), (None, Some(0)), None).unwrap();
    let outside = open(&mut kernel, (UNCORE, 0, 0), (None, Some(0)), None).unwrap();
    kernel.place(7, Some(0)).unwrap();
    for is_online in [false, true] {
        kernel.run(MILLISECOND);
        kernel.set_online(0, is_online);
    }
    kernel.run(MILLISECOND);
    assert_eq!(counted(&mut kernel, of_cpu), [MILLISECOND; 3]);
    assert_eq!(counted(&mut kernel, outside), [3_000, 3 * MILLISECOND, 3 * MILLISECOND]);
    assert_eq!(kernel.place(7, Some(4)), Err(libc::EINVAL));
}

/// What happens once happens to whoever counts then.
#[test]
fn single_occurrences() {
    let mut kernel = kernel();
    let faults = Kind { type_: 1, config: 2, config1: 0 };
    kernel.rates().only_single(faults);
    let id = open(&mut kernel, (1, 2, 0), (Some(7), Some(1)), None).unwrap();
    assert!(!kernel.cause(7, faults, 5));
    for (cpu, count) in [(0, 10), (1, 200), (0, 3_000)] {
        kernel.place(7, Some(cpu)).unwrap();
        assert!(kernel.cause(7, faults, count));
    }
    assert_eq!(counted(&mut kernel, id), [200, 3_000, 1_000]);
    let truth = kernel.world().truth(faults, (0, kernel.now()), |_| true);
    assert_eq!(truth, Levels { user: 3_210, kernel: 0 });
}

/// A counter that counts downwards does so from far above 0.
#[test]
fn backwards() {
    let mut kernel = kernel();
    kernel.turn_back(Kind { type_: CORE, config: 1, config1: 0 });
    let back = open(&mut kernel, (CORE, 1, EXCLUDE_KERNEL), (Some(7), None), None).unwrap();
    let [first, ..] = counted(&mut kernel, back);
    kernel.place(7, Some(0)).unwrap();
    kernel.run(MILLISECOND);
    let [then, ..] = counted(&mut kernel, back);
    assert_eq!(first - then, 1000);
}

/// Pinned events of a CPU go before those of a task, whoever came first.
#[test]
fn counters_of_somebody_else() {
    let mut kernel = kernel();
    let attr = Attr::pinned(CORE, 0);
    assert!(attr.is_pinned() && !attr.is_disabled());
    for _ in 0..2 {
        kernel
            .open(&Request { attr: &attr, task: None, cpu: Some(0), leader: None, group: None })
            .unwrap();
    }
    let own = open(&mut kernel, (CORE, 1, 0), (Some(7), None), None).unwrap();
    kernel.place(7, Some(0)).unwrap();
    kernel.run(MILLISECOND);
    assert_eq!(counted(&mut kernel, own), [0, MILLISECOND, 0]);
}
