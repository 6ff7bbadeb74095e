mod x86 {
    pmu_events::pmu_events!("arch/x86");
}
mod arm64 {
    pmu_events::pmu_events!("arch/arm64");
}
mod powerpc {
    pmu_events::pmu_events!("arch/powerpc");
}
fn main() {
    for m in [&x86::SILVERMONT, &arm64::ARM_NEOVERSE_N1, &powerpc::POWER9] {
        println!("{m:?}");
        for e in m.events().take(3) {
            println!("{} {} {} {}", e.pmu(), e.name(), e.event_string(), e.perf_brief().unwrap());
        }
    }
    println!("{:?}", x86::host());
    println!("{:?}", x86::model("GenuineIntel-6-37-8"));
}
