//! perf-event2 opens our events on a simulated kernel, whose truth is known.

#![cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "riscv64",
    ),
))]

use perf_event::{Builder, Group};
use pmu_events::System;
use pmu_events_perf_event2::Event;
use simulated_kernel::Simulation;
use simulated_kernel::kernel::Kernel;
use simulated_kernel::machine::Machine;
use simulated_kernel::world::Kind;

/// The task that opens the counters.
const SELF: u32 = 100;
const MILLISECOND: u64 = 1_000_000;

#[test]
fn its_builder_counts_our_events() {
    let mut kernel = Kernel::new(Machine::with_cores(1, 3));
    kernel.spawn(SELF, 0);
    let simulation = Simulation::new(kernel);
    let _entered = simulation.enter(SELF);
    let resolved = System::at("/nonexistent").require("task-clock,page-faults:u,r1a8").unwrap();

    let mut group = Group::new().unwrap();
    let [clock, faults, raw] = [0, 1, 2].map(|n| {
        // It leaves the kernel out, whatever the event says.
        group.add(&Builder::new(Event::new(&resolved[n]))).unwrap()
    });
    group.enable().unwrap();
    let mut kernel = simulation.kernel();
    kernel.place(SELF, Some(0)).unwrap();
    kernel.run(3 * MILLISECOND);
    kernel.place(SELF, None).unwrap();
    let truth = |type_, config| {
        let kind = Kind { type_, config, config1: 0 };
        kernel.world().truth(kind, (0, kernel.now()), |_| true).user
    };
    let expected = [3 * MILLISECOND, truth(1, 2), truth(4, 0x1a8)];
    drop(kernel);
    let counts = group.read().unwrap();
    assert_eq!([counts[&clock], counts[&faults], counts[&raw]], expected, "{counts:?}");
}
