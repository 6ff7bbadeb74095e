use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::{Error, ErrorKind};

/// Where commands and acknowledgements go, as `--control` names it: `fd:CTL[,ACK]` or
/// `fifo:CTL[,ACK]`.
///
/// Who sends uses the same FIFOs as who receives. The two ends of a pipe are different descriptors;
/// an address names those of the program that uses it.
///
/// ```
/// use pmu_events::control::Address;
///
/// let address: Address = "fifo:/run/ctl,/run/ack".parse()?;
/// assert_eq!(address, Address::fifos("/run/ctl", Some("/run/ack")));
/// assert_eq!(address.to_string(), "fifo:/run/ctl,/run/ack");
/// # Ok::<(), pmu_events::control::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) ends: Ends,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ends {
    Descriptors(i32, Option<i32>),
    Fifos(PathBuf, Option<PathBuf>),
}

impl Address {
    /// Names open descriptors of this process.
    ///
    /// ```
    /// use pmu_events::control::Address;
    ///
    /// assert_eq!(Address::descriptors(10, Some(11)), "fd:10,11".parse()?);
    /// # Ok::<(), pmu_events::control::Error>(())
    /// ```
    #[must_use]
    pub fn descriptors(commands: i32, acks: Option<i32>) -> Self {
        Address { ends: Ends::Descriptors(commands, acks) }
    }

    /// Names FIFOs by their paths.
    ///
    /// ```
    /// use pmu_events::control::Address;
    ///
    /// assert_eq!(Address::fifos("ctl", None::<&str>), "fifo:ctl".parse()?);
    /// # Ok::<(), pmu_events::control::Error>(())
    /// ```
    #[must_use]
    pub fn fifos(commands: impl Into<PathBuf>, acks: Option<impl Into<PathBuf>>) -> Self {
        Address { ends: Ends::Fifos(commands.into(), acks.map(Into::into)) }
    }

    /// Reads an address as perf does (`evlist__parse_control` in `tools/perf/util/evlist.c`): numbers
    /// are decimal, octal after `0` or hexadecimal after `0x`; the path of the commands ends at
    /// the first comma, and an empty path of acknowledgements means none.
    ///
    /// # Errors
    ///
    /// There is neither `fd:` nor `fifo:`, a number is none, or the path of the commands is empty.
    /// Unlike perf, something behind the only number is an error, too.
    ///
    /// ```
    /// use std::ffi::OsStr;
    /// use pmu_events::control::Address;
    ///
    /// assert_eq!(Address::parse(OsStr::new("fd:0x10"))?, Address::descriptors(16, None));
    /// assert!(Address::parse(OsStr::new("fifo:,ack")).is_err());
    /// # Ok::<(), pmu_events::control::Error>(())
    /// ```
    pub fn parse(text: &OsStr) -> Result<Self, Error> {
        let bytes = text.as_encoded_bytes();
        let cannot = |form: &str| {
            Error::new(ErrorKind::Address, format!("`{}`: write {form}", text.display()))
        };
        if let Some(numbers) = bytes.strip_prefix(b"fd:") {
            let mut numbers = numbers.splitn(2, |&byte| byte == b',').map(number);
            let commands = numbers.next().flatten();
            let (Some(commands), Some(acks)) =
                (commands, numbers.next().map_or(Some(None), |acks| acks.map(Some)))
            else {
                return Err(cannot("fd:CTL[,ACK] with the numbers of descriptors"));
            };
            return Ok(Address::descriptors(commands, acks));
        }
        let Some(paths) = bytes.strip_prefix(b"fifo:") else {
            return Err(cannot("fd:CTL[,ACK] or fifo:CTL[,ACK]"));
        };
        let mut paths = paths.splitn(2, |&byte| byte == b',').map(path);
        let commands = paths.next().filter(|path| !path.as_os_str().is_empty());
        let commands = commands.ok_or_else(|| cannot("fifo:CTL[,ACK] with the paths of FIFOs"))?;
        Ok(Address::fifos(commands, paths.next().filter(|path| !path.as_os_str().is_empty())))
    }
}

/// As `strtoul` reads it with base 0.
fn number(text: &[u8]) -> Option<i32> {
    let text = std::str::from_utf8(text).ok()?;
    let (digits, base) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        None => (text, 10),
    };
    let is_digit = digits.starts_with(|c: char| c.is_ascii_hexdigit());
    i32::from_str_radix(digits, base).ok().filter(|_| is_digit)
}

/// A part of a path that ends where another begins, or at a comma.
fn path(bytes: &[u8]) -> &Path {
    // SAFETY: the bytes are those of an `OsStr`, which is split beside ASCII characters.
    Path::new(unsafe { OsStr::from_encoded_bytes_unchecked(bytes) })
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Address::parse(text.as_ref())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ends {
            Ends::Descriptors(commands, None) => write!(f, "fd:{commands}"),
            Ends::Descriptors(commands, Some(acks)) => write!(f, "fd:{commands},{acks}"),
            Ends::Fifos(commands, None) => write!(f, "fifo:{}", commands.display()),
            Ends::Fifos(commands, Some(acks)) => {
                write!(f, "fifo:{},{}", commands.display(), acks.display())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written, and what it means; an error begins with `!`.
    #[test]
    fn addresses() {
        let cases = [
            ("fd:3", "fd:3"),
            ("fd:10,11", "fd:10,11"),
            ("fd:0x1f,010", "fd:31,8"),
            ("fd:0", "fd:0"),
            ("fd:0,00", "fd:0,0"),
            ("fd:", "!numbers"),
            ("fd:3,", "!numbers"),
            ("fd:,3", "!numbers"),
            ("fd:3,4,5", "!numbers"),
            ("fd:3x", "!numbers"),
            ("fd:-1", "!numbers"),
            ("fd:+-1", "!numbers"),
            ("fd:08", "!numbers"),
            ("fd:0x", "!numbers"),
            ("fd:99999999999", "!numbers"),
            ("fd:3 ", "!numbers"),
            ("fifo:a", "fifo:a"),
            ("fifo:a,", "fifo:a"),
            ("fifo:/x/a,/x/b", "fifo:/x/a,/x/b"),
            ("fifo:a,b,c", "fifo:a,b,c"),
            ("fifo: a", "fifo: a"),
            ("fifo:", "!paths"),
            ("fifo:,b", "!paths"),
            ("", "!fd:CTL[,ACK] or fifo:CTL[,ACK]"),
            ("FD:3", "!fd:CTL[,ACK] or fifo:CTL[,ACK]"),
            ("3,4", "!fd:CTL[,ACK] or fifo:CTL[,ACK]"),
        ];
        for (text, expected) in cases {
            match (text.parse::<Address>(), expected.strip_prefix('!')) {
                (Ok(address), None) => {
                    assert_eq!(address.to_string(), expected, "{text}");
                    assert_eq!(expected.parse().ok(), Some(address), "{text}");
                }
                (Err(error), Some(expected)) => {
                    assert_eq!(error.kind(), ErrorKind::Address, "{text}");
                    assert!(error.to_string().contains(expected), "{text}: {error}");
                }
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }
}
