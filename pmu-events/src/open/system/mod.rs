//! The system call, and other requests to the kernel.

use core::cell::OnceCell;

use crate::sysfs::Sysfs;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod refusal;

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Handle;
#[cfg(target_os = "linux")]
pub(super) use linux::Handle;

/// Whether the machine has a PMU of a core, once a refusal has asked for it.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))] // Nothing is refused elsewhere.
#[derive(Debug, Default)]
pub(super) struct HasCores<'s> {
    known: OnceCell<bool>,
    /// What events were resolved with, which has listed the PMUs already.
    listed: Option<&'s Sysfs>,
}

impl<'s> HasCores<'s> {
    pub(super) fn of(sysfs: &'s Sysfs) -> Self {
        HasCores { known: OnceCell::new(), listed: Some(sysfs) }
    }
}
