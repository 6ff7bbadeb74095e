use core::fmt;

use std::string::String;

use crate::open;
use crate::power::Generation;

/// Why event-based branches cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The program was not built for 64-bit POWER.
    NotPower,
    /// The machine's CPU is not of a known generation; contains its CPUID, or why
    /// it is unknown.
    UnknownCpu(String),
    /// The group was built for a generation other than the machine's.
    OtherGeneration {
        /// The generation of the group.
        group: Generation,
        /// The generation of the machine.
        machine: Generation,
    },
    /// The kernel does not offer event-based branches to programs here
    /// (`PPC_FEATURE2_EBB` in `AT_HWCAP2`).
    NotOffered,
    /// The kernel refused to open an event of the group.
    Open {
        /// The index of the event; the leader is 0.
        event: usize,
        /// The reason.
        error: open::Error,
    },
    /// An event was opened, but a later operation failed.
    Use(open::Error),
    /// `prctl` failed, which only happens if something forbids it; contains the
    /// error number.
    Prctl(i32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotPower => f.write_str("event-based branches are a facility of POWER cores"),
            Error::UnknownCpu(cpu) => {
                write!(f, "not a POWER8, POWER9, POWER10 or POWER11: {cpu}")
            }
            Error::OtherGeneration { group, machine } => {
                write!(f, "the group is built for {group}, and this machine is a {machine}")
            }
            Error::NotOffered => {
                f.write_str("the kernel does not offer event-based branches on this machine")
            }
            Error::Open { event, error } => write!(f, "event {event}: {error}"),
            Error::Use(error) => error.fmt(f),
            Error::Prctl(errno) => {
                write!(f, "prctl: {}", std::io::Error::from_raw_os_error(*errno))
            }
        }
    }
}

/// Without a source: the message already contains it.
impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{Attr, Counter, Target};
    use core::error::Error as _;
    use std::string::ToString;

    /// Printing an error and its sources must not repeat a sentence.
    #[test]
    fn no_sentence_comes_twice() {
        let nobody = Target::Thread(u32::MAX);
        let refused = Counter::open(&Attr::new(), nobody, None).unwrap_err();
        let errors = [
            Error::Open { event: 1, error: refused.clone() },
            Error::Use(refused.clone()),
            Error::Prctl(1),
        ];
        assert!(errors[0].to_string().ends_with(&refused.to_string()));
        assert_eq!(errors[1].to_string(), refused.to_string());
        for error in errors {
            let source = error.source().map(ToString::to_string);
            assert!(source.is_none_or(|source| !error.to_string().contains(&source)), "{error}");
        }
    }
}
