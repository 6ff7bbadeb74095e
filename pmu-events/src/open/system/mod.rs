//! The system call, and other requests to the kernel.

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
