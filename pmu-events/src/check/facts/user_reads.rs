//! Whether programs may read counters without a system call.

use std::format;
use std::string::String;

use super::{Fact, file, setting};
use crate::system::System;

pub(super) fn of(system: &System) -> Option<Fact> {
    let mut cores = system.sysfs().core_pmus();
    let core = cores.next()?;
    if cores.next().is_some() {
        let text = "counters are not read without a system call: the task may move to another kind \
                    of core";
        return Some(Fact::new("user-reads", text));
    }
    let of_pmu = file(system, &format!("bus/event_source/devices/{}/rdpmc", core.name()));
    let of_kernel = setting(system, "sys/kernel/perf_user_access");
    let text: String = match (of_pmu.as_deref(), of_kernel) {
        // `set_attr_rdpmc` in `arch/x86/events/core.c`
        (Some("0"), _) => format!(
            "counters cannot be read without a system call: the file `rdpmc` of PMU `{}` is 0",
            core.name()
        ),
        (Some(_), _) => "counters can be read without a system call, by rdpmc".into(),
        // `armv8pmu_proc_user_access_handler`, `riscv_pmu_proc_user_access_handler`
        (None, Some(0)) => "counters cannot be read without a system call: \
             kernel.perf_user_access is 0"
            .into(),
        (None, Some(_)) => "counters can be read without a system call".into(),
        (None, None) => "nothing says that counters can be read without a system call".into(),
    };
    Some(Fact::new("user-reads", text))
}
