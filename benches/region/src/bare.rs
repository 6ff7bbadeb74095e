//! The system calls alone, with nothing but what they need.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

/// `perf_event_attr`, as long as its first version.
#[repr(C)]
struct Attr {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    address: u64,
}

/// `PERF_FORMAT_TOTAL_TIME_ENABLED | _RUNNING | PERF_FORMAT_GROUP`
const GROUP: u64 = 1 | 2 | 8;
/// `disabled`, `exclude_kernel`, `exclude_hv`
const FLAGS: u64 = 1 | 1 << 5 | 1 << 6;

fn open(config: u64, leader: RawFd) -> File {
    const CLOSE_ON_EXEC: libc::c_ulong = 8;
    let mut attr = Attr {
        kind: 1,
        size: size_of::<Attr>() as u32,
        config,
        period: 0,
        sample: 0,
        read_format: GROUP,
        flags: if leader < 0 { FLAGS } else { FLAGS & !1 },
        wakeup: 0,
        breakpoint: 0,
        address: 0,
    };
    // SAFETY: the structure has the length that its `size` says, and the kernel only writes that
    // field. The other arguments are numbers.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw mut attr,
            0 as libc::c_long,
            -1 as libc::c_long,
            libc::c_long::from(leader),
            CLOSE_ON_EXEC,
        )
    };
    assert!(fd >= 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the kernel has just returned it, and nothing else owns it.
    unsafe { File::from_raw_fd(fd as RawFd) }
}

/// A group of software events, which the kernel closes one by one.
pub fn group<const N: usize>(configs: [u64; N]) -> [File; N] {
    let mut leader = -1;
    configs.map(|config| {
        let file = open(config, leader);
        if leader < 0 {
            leader = file.as_raw_fd();
        }
        file
    })
}

pub fn enable(leader: &File) {
    const ENABLE: libc::c_ulong = 0x2400;
    // SAFETY: the request takes a number.
    let status = unsafe { libc::ioctl(leader.as_raw_fd(), ENABLE as _, 0) };
    assert_eq!(status, 0);
}

/// The first words of a read: number, two times, four values.
pub fn read(mut leader: &File) -> [u64; 7] {
    let mut words = [[0_u8; 8]; 7];
    let length = leader.read(words.as_flattened_mut()).expect("it can be read");
    assert_eq!(length, size_of_val(&words));
    words.map(u64::from_ne_bytes)
}
