//! A command for which `perf_event_open` fails, as in a container.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Lets the call fail with an error, by a filter of the command's own.
pub fn deny(command: &mut Command, errno: i32) {
    let step = |code: u32, yes, no, k| libc::sock_filter { code: code as u16, jt: yes, jf: no, k };
    let filter = move || {
        let steps = [
            // The number of the call is the first word.
            step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
            step(
                libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
                0,
                1,
                libc::SYS_perf_event_open as u32,
            ),
            step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | errno as u32),
            step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
        ];
        let program =
            libc::sock_fprog { len: steps.len() as u16, filter: steps.as_ptr().cast_mut() };
        // SAFETY: the calls only read their arguments, which live until then.
        let is_set = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) == 0
        };
        if is_set { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: between fork and exec, it only makes system calls.
    unsafe { command.pre_exec(filter) };
}
