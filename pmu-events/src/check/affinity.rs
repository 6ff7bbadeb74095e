//! Visiting the CPUs of each kind of core.

#[cfg(target_os = "linux")]
pub(super) use linux::Visit;

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Visit;

#[cfg(target_os = "linux")]
mod linux {
    use core::mem;

    use crate::sysfs::CpuSet;

    /// While it exists, the calling thread runs on some CPUs only.
    pub(in crate::check) struct Visit {
        before: libc::cpu_set_t,
    }

    impl Visit {
        /// `None` if the thread may not run on any of them.
        pub(in crate::check) fn to(cpus: &CpuSet) -> Option<Self> {
            let mut before = empty();
            // SAFETY: the call writes at most as many bytes as it is told, which the set has.
            let got = unsafe { libc::sched_getaffinity(0, size_of_val(&before), &raw mut before) };
            let mut there = empty();
            for cpu in cpus.iter().filter(|&cpu| cpu < libc::CPU_SETSIZE as u32) {
                // SAFETY: the number is below that of the bits of a set.
                unsafe { libc::CPU_SET(cpu as usize, &mut there) };
            }
            if got != 0 || !set(&there) { None } else { Some(Visit { before }) }
        }
    }

    impl Drop for Visit {
        fn drop(&mut self) {
            // The CPUs may be gone meanwhile, and then the kernel has chosen others.
            set(&self.before);
        }
    }

    fn empty() -> libc::cpu_set_t {
        // SAFETY: the type is an array of numbers, for which zeros are values.
        unsafe { mem::zeroed() }
    }

    fn set(cpus: &libc::cpu_set_t) -> bool {
        // SAFETY: the call reads as many bytes as it is told, which the set has.
        unsafe { libc::sched_setaffinity(0, size_of_val(cpus), cpus) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use crate::sysfs::CpuSet;

    /// No other system has kinds of cores with PMUs of their own.
    #[derive(Debug)]
    pub(in crate::check) struct Visit;

    impl Visit {
        pub(in crate::check) fn to(_cpus: &CpuSet) -> Option<Self> {
            None
        }
    }
}
