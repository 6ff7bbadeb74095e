//! A terminal of some width, to which a program writes.

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

/// Follows whatever a program shows.
const END: &[u8] = b"\x04";

/// What a program shows on a terminal of a given width, and its status. Both
/// of its outputs are the terminal.
pub fn shown(command: &mut Command, columns: u16) -> (String, Option<i32>) {
    let (mut terminal, mut other_end) = open(columns);
    let end = || Stdio::from(other_end.try_clone().expect("a file can be had twice"));
    let mut child =
        command.stdin(Stdio::null()).stdout(end()).stderr(end()).spawn().expect("the program runs");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // When nobody has the other end any more, the kernel may drop the last
    // bytes: that end stays open, and tells by a character of its own that no
    // others follow.
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        let mut part = [0; 4096];
        while !text.ends_with(END) {
            let read = terminal.read(&mut part).expect("a terminal can be read");
            text.extend_from_slice(&part[..read]);
        }
        text.truncate(text.len() - END.len());
        text
    });
    let status = child.wait().expect("it is a child");
    other_end.write_all(END).expect("a terminal can be written");
    let text = reader.join().expect("nothing panics while a terminal is read");
    let text = String::from_utf8(text).expect("the output is UTF-8");
    (text.replace("\r\n", "\n"), status.code())
}

/// The two ends of a terminal.
fn open(columns: u16) -> (File, File) {
    // SAFETY: it takes flags; the file is nobody else's.
    let ours = unsafe {
        let file = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        assert!(file >= 0, "there are pseudo-terminals");
        File::from_raw_fd(file)
    };
    let size = libc::winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let mut name: [libc::c_char; 64] = [0; 64];
    // SAFETY: the file is a terminal; the request reads a `winsize`, and the name
    // is as long as is said and ends with a zero.
    let name = unsafe {
        let file = ours.as_raw_fd();
        assert_eq!(libc::grantpt(file), 0);
        assert_eq!(libc::unlockpt(file), 0);
        assert_eq!(libc::ioctl(file, libc::TIOCSWINSZ, &raw const size), 0);
        assert_eq!(libc::ptsname_r(file, name.as_mut_ptr(), name.len()), 0);
        CStr::from_ptr(name.as_ptr()).to_str().expect("its name is ASCII")
    };
    let theirs = OpenOptions::new().read(true).write(true).open(Path::new(name));
    (ours, theirs.expect("the other end can be opened"))
}
