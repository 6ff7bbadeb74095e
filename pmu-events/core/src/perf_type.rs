//! The types of `perf_event_attr` that mean the same on every machine (`enum
//! perf_type_id` in `include/uapi/linux/perf_event.h`).
//!
//! Use it to tell generic, software, cache and raw events apart in `perf_event_attr::type`.
//!
//! All other types are assigned by the running kernel, which reports them in a
//! PMU's file `type`.

/// Generic hardware events (`PERF_TYPE_HARDWARE`):
/// [`Hardware`](crate::event_list::Hardware).
pub const HARDWARE: u32 = 0;

/// Events that the kernel counts itself (`PERF_TYPE_SOFTWARE`):
/// [`Software`](crate::event_list::Software).
pub const SOFTWARE: u32 = 1;

/// Tracepoints, by their number in tracefs (`PERF_TYPE_TRACEPOINT`).
pub const TRACEPOINT: u32 = 2;

/// Generic cache events (`PERF_TYPE_HW_CACHE`):
/// [`Cache`](crate::event_list::Cache).
pub const CACHE: u32 = 3;

/// Raw events of the core PMU (`PERF_TYPE_RAW`). Many core PMUs have this type.
pub const RAW: u32 = 4;

/// Breakpoints (`PERF_TYPE_BREAKPOINT`):
/// [`Breakpoint`](crate::event_list::Breakpoint).
pub const BREAKPOINT: u32 = 5;
