//! Giving up all rights but the one to count.

use std::io;
use std::path::Path;
use std::ptr;

use pmu_events::__private::file;

/// Becomes another user, with `CAP_PERFMON` (capabilities(7)) as its only capability.
///
/// Called before other threads are started: capabilities are those of a thread.
///
/// # Errors
///
/// Returns a sentence if there is no such user, or this one may not become it.
pub(super) fn drop_to(user: &str) -> Result<(), String> {
    let passwd = file::of_procfs(Path::new("/etc/passwd")).unwrap_or_default();
    let (uid, gid) = ids(user, &passwd).ok_or_else(|| {
        format!("there is no user `{user}` in /etc/passwd; a number is the number of a user")
    })?;
    give_up(uid, gid).map_err(|error| {
        format!("cannot become `{user}` with CAP_PERFMON, which needs Linux 5.8 and root: {error}")
    })
}

/// The numbers of a user and of its group: a name, or `UID`, or `UID:GID`.
fn ids(user: &str, passwd: &str) -> Option<(u32, u32)> {
    if let Some((uid, gid)) = user.split_once(':') {
        return Some((uid.parse().ok()?, gid.parse().ok()?));
    }
    let mut lines = passwd.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let known = lines.find_map(|fields| match fields[..] {
        [name, _, uid, gid, ..] if name == user || uid == user => {
            Some((uid.parse().ok()?, gid.parse().ok()?))
        }
        _ => None,
    });
    let number = || user.parse().ok().map(|uid| (uid, uid));
    known.or_else(number)
}

fn give_up(uid: u32, gid: u32) -> io::Result<()> {
    /// `_LINUX_CAPABILITY_VERSION_3`, with 64 bits in two words.
    const VERSION: u32 = 0x2008_0522;
    const PERFMON: u32 = 38;
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[derive(Clone, Copy, Default)]
    #[repr(C)]
    struct Word {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    let header = Header { version: VERSION, pid: 0 };
    let mut words = [Word::default(); 2];
    let word = &mut words[PERFMON as usize / 32];
    (word.effective, word.permitted) = (1 << (PERFMON % 32), 1 << (PERFMON % 32));
    let check = |answer: i64| match answer {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    };
    // SAFETY: the calls take numbers, and two structures that are as `capset(2)` says.
    unsafe {
        check(libc::prctl(libc::PR_SET_KEEPCAPS, 1, 0, 0, 0).into())?;
        check(libc::setgroups(0, ptr::null()).into())?;
        check(libc::setresgid(gid, gid, gid).into())?;
        check(libc::setresuid(uid, uid, uid).into())?;
        check(libc::syscall(libc::SYS_capset, &raw const header, words.as_ptr()) as i64)?;
        // No program that it may start gets them back.
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_groups() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\nodd\n";
        for (user, expected) in [
            ("nobody", Some((65534, 65533))),
            ("65534", Some((65534, 65533))),
            ("7", Some((7, 7))),
            ("7:8", Some((7, 8))),
            ("nobody:8", None),
            ("who", None),
            ("", None),
        ] {
            assert_eq!(ids(user, passwd), expected, "{user}");
        }
    }
}
