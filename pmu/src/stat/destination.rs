//! Where the counts are written: standard error, a file, or a descriptor that the caller has
//! opened.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd as _, RawFd};
use std::path::{Path, PathBuf};

use crate::destination_args::DestinationArgs;
use crate::output::Output;
use crate::stat::failure::Failure;

/// Where counts are written.
#[derive(Debug, PartialEq)]
pub(crate) enum Destination {
    Stderr,
    File { path: PathBuf, append: bool },
    Descriptor { number: RawFd, append: bool },
}

impl Destination {
    /// An error explains the wrong usage.
    pub(crate) fn new(args: &DestinationArgs) -> Result<Self, String> {
        let append = args.append;
        match (&args.output, args.log_fd) {
            (Some(_), Some(fd)) if fd != 0 => {
                Err("`--output` and `--log-fd` exclude each other".into())
            }
            (_, Some(fd)) if fd < 0 => Err("`--log-fd` needs a descriptor above 0".into()),
            // perf takes 0 for none.
            (None, Some(number)) if number > 0 => Ok(Destination::Descriptor { number, append }),
            (Some(path), _) if path != Path::new("-") => {
                Ok(Destination::File { path: path.clone(), append })
            }
            _ => Ok(Destination::Stderr),
        }
    }

    /// Opens it. A file of text or fields begins with the time.
    pub(crate) fn open(&self, has_time: bool) -> Result<Output, Failure> {
        match self {
            Destination::Stderr => Ok(Output::stderr()),
            Destination::File { path, append } => {
                let cannot =
                    |error| Failure::Cannot(format!("cannot write `{}`: {error}", path.display()));
                let mut file = Output::file(opened(path, *append).map_err(cannot)?);
                if has_time {
                    writeln!(file, "# started on {}\n", now()).map_err(cannot)?;
                }
                Ok(file)
            }
            Destination::Descriptor { number, append } => {
                let cannot = |error| {
                    Failure::Cannot(format!("cannot write to descriptor {number}: {error}"))
                };
                descriptor(*number, *append).map(Output::file).map_err(cannot)
            }
        }
    }

    /// Whether the counts are among the messages.
    pub(crate) fn is_stderr(&self) -> bool {
        matches!(self, Destination::Stderr | Destination::Descriptor { number: 2, .. })
    }
}

fn opened(path: &Path, append: bool) -> io::Result<File> {
    match append {
        true => File::options().append(true).create(true).open(path),
        false => File::create(path),
    }
}

fn descriptor(number: RawFd, append: bool) -> io::Result<File> {
    // SAFETY: both calls take numbers. The copy is a descriptor of its own, so that closing it
    // leaves the caller's open.
    unsafe {
        let flags = libc::fcntl(number, libc::F_GETFL);
        if flags < 0 {
            return Err(io::Error::last_os_error());
        }
        if flags & libc::O_ACCMODE == libc::O_RDONLY {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        if append && libc::fcntl(number, libc::F_SETFL, flags | libc::O_APPEND) < 0 {
            return Err(io::Error::last_os_error());
        }
        match libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) {
            copy if copy < 0 => Err(io::Error::last_os_error()),
            copy => Ok(File::from_raw_fd(copy)),
        }
    }
}

/// The local time as `ctime` writes it, in English whatever the locale.
fn now() -> String {
    let mut broken_down = MaybeUninit::<libc::tm>::zeroed();
    let mut text = [0_u8; 64];
    // SAFETY: zeros are a `tm`, which is written where the time has one; the text is longer
    // than the format can make it, and ends with a zero. No locale is set, so that names are
    // those of the C locale.
    let text = unsafe {
        let time = libc::time(std::ptr::null_mut());
        libc::localtime_r(&raw const time, broken_down.as_mut_ptr());
        let format = c"%a %b %e %H:%M:%S %Y";
        let broken_down = broken_down.assume_init();
        libc::strftime(
            text.as_mut_ptr().cast(),
            text.len(),
            format.as_ptr(),
            &raw const broken_down,
        );
        CStr::from_ptr(text.as_ptr().cast())
    };
    text.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time() {
        let now = now();
        let words: Vec<&str> = now.split_whitespace().collect();
        let [day, month, date, time, year] = words[..] else { panic!("{now}") };
        assert!("Mon Tue Wed Thu Fri Sat Sun".contains(day), "{now}");
        assert!("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".contains(month), "{now}");
        assert!((1..=31).contains(&date.parse::<u8>().expect("it is a number")), "{now}");
        assert_eq!((time.len(), year.len(), now.len()), (8, 4, 24), "{now}");
    }

    #[test]
    fn descriptors() {
        let file = File::open("/dev/null").expect("it can be read");
        use std::os::fd::AsRawFd as _;
        for (number, append) in [(file.as_raw_fd(), false), (-1, true), (1 << 20, false)] {
            assert!(descriptor(number, append).is_err(), "{number}");
        }
    }
}
