//! A kernel that counts events, simulated, with a world whose truth is known.
//!
//! [`Kernel`] is a model of what `perf_event_open(2)` promises: tasks, CPUs and control groups
//! as targets; groups that share the counters of PMUs, constraints, pinned events, rotation,
//! and times that tell how long each event was enabled and had a counter; inheritance,
//! `enable_on_exec`, CPUs that come and go, and samples in mapped buffers. [`world::World`] is what happens, whoever
//! counts it: a record of which task ran where, from which the true count of any event
//! follows.
//!
//! It is one library in two uses. A test program links it, and [`Simulation::enter`] makes
//! the system calls of a thread arrive here: the library defines `syscall`, `read`, `ioctl`
//! and the other functions of C that lead to the kernel, and a program's own definitions go
//! before those of the C library. As a shared library, it is preloaded into any program
//! (`LD_PRELOAD`), with a machine and a program described in the file that the environment
//! variable [`scenario::VARIABLE`] names.

#[cfg(target_os = "linux")]
pub mod attr;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod interpose;
#[cfg(target_os = "linux")]
pub mod kernel;
#[cfg(target_os = "linux")]
pub mod machine;
#[cfg(target_os = "linux")]
pub mod own;
#[cfg(target_os = "linux")]
pub mod scenario;
#[cfg(target_os = "linux")]
pub mod world;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use interpose::{Entered, Simulation, is_inside};
#[cfg(target_os = "linux")]
pub use kernel::{Errno, Id, Kernel};
