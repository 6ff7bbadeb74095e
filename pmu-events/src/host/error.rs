use core::fmt;

use std::path::PathBuf;
use std::string::String;

/// Why a machine's model is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No row of the map file matches the machine's CPUID.
    Unknown(String),
    /// The crate is compiled without the tree that may have this CPU.
    NoTree {
        /// The machine's CPUID.
        cpuid: String,
        /// The feature of the crate that adds the tree.
        feature: &'static str,
    },
    /// The cores of the machine are of several models.
    SeveralModels,
    /// A file that tells which CPU this is cannot be read.
    Unreadable(PathBuf, String),
    /// A file was read, but does not tell.
    Silent(PathBuf, &'static str),
    /// perf has no CPUID for this architecture.
    Architecture(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unknown(cpuid) => write!(f, "no model is known for CPU `{cpuid}`"),
            Error::NoTree { cpuid, feature } => write!(
                f,
                "pmu-events is compiled without the events of CPU `{cpuid}`: enable its feature \
                 `{feature}` or `native`"
            ),
            Error::SeveralModels => f.write_str("the cores of this machine are of several models"),
            Error::Unreadable(path, why) => write!(f, "{} cannot be read: {why}", path.display()),
            Error::Silent(path, what) => write!(f, "{} does not tell the {what}", path.display()),
            Error::Architecture(arch) => write!(f, "CPUs of architecture {arch} have no CPUID"),
        }
    }
}

impl core::error::Error for Error {}
