//! The tree in the only crate of a program, where somebody tries it first: what a rebuild costs
//! together with linking.

/// Warnings about slips in the kernel's tree.
#[allow(deprecated)]
mod x86 {
    pmu_events::pmu_events!("$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/x86");
}

fn main() {
    let cpuid = std::env::args().nth(1).unwrap_or_default();
    println!("{:?}", x86::model(&cpuid).map(|model| model.event_count()));
}
