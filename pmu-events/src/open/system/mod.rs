//! The system call, and other requests to the kernel.

use core::cell::OnceCell;

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
pub(super) type HasCores = OnceCell<bool>;
