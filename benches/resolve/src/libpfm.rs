//! libpfm4's `pfm_get_os_event_encoding` (`pfm_get_os_event_encoding(3)`).

use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;

/// `perf_event_attr`, as long as any.
#[repr(C)]
struct Attr {
    kind: u32,
    size: u32,
    config: [u64; 31],
}

/// `pfm_perf_encode_arg_t` of a 64-bit machine.
#[repr(C)]
struct Argument {
    attr: *mut Attr,
    fully_qualified: *mut *mut c_char,
    size: usize,
    index: c_int,
    cpu: c_int,
    flags: c_int,
    padding: c_int,
}

#[link(name = "pfm")]
unsafe extern "C" {
    fn pfm_initialize() -> c_int;
    fn pfm_get_os_event_encoding(
        name: *const c_char,
        privileges: c_int,
        os: c_int,
        argument: *mut Argument,
    ) -> c_int;
}

/// `PFM_PLM3 | PFM_PLM0`: user and kernel.
const PRIVILEGES: c_int = 0x9;
/// `PFM_OS_PERF_EVENT`
const PERF_EVENT: c_int = 1;

/// Reads `LIBPFM_FORCE_PMU`; whether that worked.
pub fn initialize() -> bool {
    // SAFETY: it may be called at any time.
    unsafe { pfm_initialize() == 0 }
}

/// `config` of an event.
pub fn config(name: &CStr) -> Option<u64> {
    let mut attr = Attr { kind: 0, size: 0, config: [0; 31] };
    let mut argument = Argument {
        attr: &mut attr,
        fully_qualified: null_mut(),
        size: size_of::<Argument>(),
        index: 0,
        cpu: 0,
        flags: 0,
        padding: 0,
    };
    // SAFETY: the text ends with a NUL, and the argument is as the manual has it.
    let status =
        unsafe { pfm_get_os_event_encoding(name.as_ptr(), PRIVILEGES, PERF_EVENT, &mut argument) };
    (status == 0).then_some(attr.config[0])
}
