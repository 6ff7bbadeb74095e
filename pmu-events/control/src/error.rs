use std::{error, fmt, io};

/// Why a command is not sent, obeyed or understood.
///
/// ```
/// use pmu_events::control::{Address, ErrorKind};
///
/// let error = "fd:3,".parse::<Address>().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Address);
/// assert_eq!(error.to_string(), "`fd:3,`: write fd:CTL[,ACK] with the numbers of descriptors");
/// ```
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<io::Error>,
}

/// What is wrong.
///
/// ```
/// use pmu_events::control::{Command, ErrorKind};
///
/// assert_eq!(Command::parse("enabled").unwrap_err().kind(), ErrorKind::MalformedCommand);
/// assert_eq!(Command::parse("on").unwrap_err().kind(), ErrorKind::UnknownCommand);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text names no channel.
    Address,
    /// A descriptor is not open, or not for reading or writing; a file is no FIFO or cannot be opened.
    Descriptor,
    /// A command begins as none does.
    UnknownCommand,
    /// A command begins as one does, and goes on otherwise.
    MalformedCommand,
    /// A command is too long for the receiver, or its event has characters that would end it.
    UnsendableCommand,
    /// Nobody has opened the FIFO of the commands before the deadline.
    NobodyListens,
    /// Nobody has the other end any more.
    Broken,
    /// Nobody reads: the channel is full at the deadline.
    Full,
    /// The acknowledgement has not come before the deadline.
    NoAck,
    /// Something else than an acknowledgement has come.
    UnexpectedAnswer,
    /// The system refuses to read, write or wait.
    Io,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), source: None }
    }

    #[cfg(unix)]
    pub(crate) fn of_system(
        kind: ErrorKind,
        message: impl Into<String>,
        source: io::Error,
    ) -> Self {
        Error { kind, message: message.into(), source: Some(source) }
    }

    /// Returns what is wrong.
    ///
    /// ```
    /// use pmu_events::control::{Address, ErrorKind};
    ///
    /// assert_eq!("ctl".parse::<Address>().unwrap_err().kind(), ErrorKind::Address);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        self.source.as_ref().map_or(Ok(()), |source| write!(f, ": {source}"))
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
