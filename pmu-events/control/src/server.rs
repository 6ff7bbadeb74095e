use std::fs::File;
use std::io::{ErrorKind as IoErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use crate::address::{Address, Ends};
use crate::client::ACK;
use crate::command::Command;
use crate::descriptor::{self, Need};
use crate::error::{Error, ErrorKind};
use crate::fifo;
use crate::input::Input;
use crate::ready::{self, READ, WRITE};

/// Receives the commands of others, and acknowledges them.
///
/// ```
/// use pmu_events::control::{Command, Server};
/// use std::io::Write;
///
/// let (commands, mut to_server) = std::io::pipe()?;
/// let mut server = Server::from_fds(commands, None::<std::fs::File>);
/// write!(to_server, "enable cycles\nstop\n")?;
/// drop(to_server);
///
/// let request = server.receive(None)?.unwrap();
/// assert_eq!(request.command()?, Command::EnableEvent("cycles"));
/// server.acknowledge(&request)?; // There is nowhere to write it to.
/// assert_eq!(server.receive(None)?.unwrap().text(), "stop");
/// assert!(server.receive(None)?.is_none() && !server.is_open());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    commands: File,
    acks: Option<File>,
    input: Input,
    /// Whether a command ends where nothing more has been written.
    is_non_blocking: bool,
    /// Whether the last read took all that there was.
    is_drained: bool,
    /// Whether writing acknowledgements returns where they have no room.
    acks_are_non_blocking: bool,
    is_open: bool,
}

/// A command that has been received.
///
/// ```
/// use pmu_events::control::{Command, Server};
/// use std::io::Write;
///
/// let (commands, mut to_server) = std::io::pipe()?;
/// to_server.write_all(b"disable\n")?;
/// let mut server = Server::from_fds(commands, None::<std::fs::File>);
/// let request = server.receive(None)?.unwrap();
/// assert_eq!((request.text(), request.command()?), ("disable", Command::Disable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    text: String,
}

impl Request {
    /// Returns the line without its end.
    ///
    /// ```
    /// # use pmu_events::control::Request;
    /// fn log(request: &Request) {
    ///     println!("told to `{}`", request.text());
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Understands it.
    ///
    /// # Errors
    ///
    /// Those of [`Command::parse`].
    ///
    /// ```
    /// # use pmu_events::control::{Command, Request};
    /// fn ends(request: &Request) -> bool {
    ///     matches!(request.command(), Ok(Command::Stop))
    /// }
    /// ```
    pub fn command(&self) -> Result<Command<'_>, Error> {
        Command::parse(&self.text)
    }
}

impl Server {
    /// Opens the FIFOs of an address, or copies its descriptors: those that this process reads
    /// commands from and writes acknowledgements to.
    ///
    /// A FIFO needs no other end: clients come and go.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Descriptor`] if a descriptor is not open, or a file is not a FIFO or cannot be
    /// opened.
    ///
    /// ```
    /// use pmu_events::control::{Address, Server};
    ///
    /// let error = Server::listen(&Address::fifos("/dev/null", None::<&str>)).unwrap_err();
    /// assert_eq!(error.to_string(), "`/dev/null` is not a FIFO; `mkfifo` makes one");
    /// ```
    pub fn listen(address: &Address) -> Result<Self, Error> {
        let (commands, acks) = match &address.ends {
            Ends::Descriptors(commands, acks) => (
                descriptor::copy_of(*commands, Need::Read)?,
                acks.map(|acks| descriptor::copy_of(acks, Need::Write)).transpose()?,
            ),
            Ends::Fifos(commands, acks) => {
                (fifo::both_ends(commands)?, acks.as_deref().map(fifo::both_ends).transpose()?)
            }
        };
        Ok(Server::from_fds(commands, acks))
    }

    /// Takes the end of a pipe to read commands from, and of one to write acknowledgements to.
    ///
    /// ```
    /// use pmu_events::control::Server;
    ///
    /// let (commands, _to_server) = std::io::pipe()?;
    /// let server = Server::from_fds(commands, None::<std::fs::File>);
    /// assert!(server.is_open());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn from_fds(commands: impl Into<OwnedFd>, acks: Option<impl Into<OwnedFd>>) -> Self {
        let commands = commands.into().into();
        let acks: Option<File> = acks.map(|acks| acks.into().into());
        Server {
            is_non_blocking: descriptor::is_non_blocking(&commands),
            is_drained: false,
            acks_are_non_blocking: acks.as_ref().is_some_and(descriptor::is_non_blocking),
            commands,
            acks,
            input: Input::default(),
            is_open: true,
        }
    }

    /// Whether more commands may come: somebody has the other end.
    ///
    /// ```
    /// use pmu_events::control::Server;
    ///
    /// let (commands, to_server) = std::io::pipe()?;
    /// let mut server = Server::from_fds(commands, None::<std::fs::File>);
    /// drop(to_server);
    /// assert!(server.is_open()); // Nobody has looked yet.
    /// assert!(server.receive(None)?.is_none() && !server.is_open());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Waits for a command; `None` if none comes in time, or the other end is gone. Without a time,
    /// waits until one of the two happens.
    ///
    /// A command ends at a line feed or a zero, or after 63 bytes. Where reading does not wait, as
    /// from a FIFO, it also ends where nothing more has been written. All that was written before the
    /// other end closed is received.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the system refuses to wait or to read.
    ///
    /// ```
    /// use pmu_events::control::Server;
    /// use std::time::Duration;
    ///
    /// let (commands, _to_server) = std::io::pipe()?;
    /// let mut server = Server::from_fds(commands, None::<std::fs::File>);
    /// assert!(server.receive(Some(Duration::ZERO))?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn receive(&mut self, timeout: Option<Duration>) -> Result<Option<Request>, Error> {
        let until = timeout.map(|timeout| Instant::now() + timeout);
        // Where reading does not wait, it says as well whether there is more.
        let mut is_ready = self.is_non_blocking && timeout == Some(Duration::ZERO);
        loop {
            if let Some(text) = self.input.next() {
                return Ok(Some(Request { text }));
            }
            if !self.is_open {
                return Ok(self.input.last().map(|text| Request { text }));
            }
            is_ready |= self.is_non_blocking && self.input.has_begun();
            // Who asks until nothing is left gets that answer once without a system call.
            let is_known = std::mem::take(&mut self.is_drained) && !self.input.has_begun();
            if is_known && timeout == Some(Duration::ZERO) {
                return Ok(None);
            }
            if !is_ready && !ready::wait(&mut [ready::watched(&self.commands, READ)], until)? {
                return Ok(None);
            }
            let mut bytes = [0; 1024];
            match self.commands.read(&mut bytes) {
                Ok(0) => self.is_open = false,
                Ok(read) => {
                    self.input.extend(&bytes[..read]);
                    self.is_drained = read < bytes.len();
                    is_ready = self.is_non_blocking;
                }
                Err(error) if error.kind() == IoErrorKind::Interrupted => {}
                Err(error) if error.kind() == IoErrorKind::WouldBlock => {
                    if let Some(text) = self.input.last() {
                        return Ok(Some(Request { text }));
                    }
                    is_ready = false;
                    if timeout == Some(Duration::ZERO) {
                        return Ok(None);
                    }
                }
                Err(error) => {
                    self.is_open = false;
                    let message = "commands cannot be read";
                    return Err(Error::of_system(ErrorKind::Io, message, error));
                }
            }
        }
    }

    /// Acknowledges a command that has been obeyed.
    ///
    /// As perf does, acknowledges a wrong form of a command, too, and neither an unknown command nor
    /// `snapshot`: who takes snapshots acknowledges them by [`acknowledge_snapshot`](Self::acknowledge_snapshot)
    /// when they are written.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Broken`] if nobody has the other end any more, [`ErrorKind::Full`] if nobody reads
    /// and the channel is full, and [`ErrorKind::Io`] if the system refuses to write.
    ///
    /// ```
    /// use pmu_events::control::Server;
    /// use std::io::{Read, Write};
    ///
    /// let (commands, mut to_server) = std::io::pipe()?;
    /// let (mut from_server, acks) = std::io::pipe()?;
    /// to_server.write_all(b"ping\n")?;
    /// let mut server = Server::from_fds(commands, Some(acks));
    /// let request = server.receive(None)?.unwrap();
    /// server.acknowledge(&request)?;
    /// drop(server);
    /// let mut answer = String::new();
    /// from_server.read_to_string(&mut answer)?;
    /// assert_eq!(answer, "ack\n\0"); // Perf writes the zero, too.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn acknowledge(&mut self, request: &Request) -> Result<(), Error> {
        match request.command() {
            Ok(Command::Snapshot) => Ok(()),
            Err(error) if error.kind() == ErrorKind::UnknownCommand => Ok(()),
            _ => self.write_ack(),
        }
    }

    /// Acknowledges that a snapshot is written.
    ///
    /// # Errors
    ///
    /// Those of [`acknowledge`](Self::acknowledge).
    ///
    /// ```
    /// use pmu_events::control::{Command, Control, Server};
    ///
    /// let (commands, to_server) = std::io::pipe()?;
    /// let (from_server, acks) = std::io::pipe()?;
    /// let client = std::thread::spawn(|| {
    ///     Control::from_fds(to_server, Some(from_server)).send(Command::Snapshot)
    /// });
    /// let mut server = Server::from_fds(commands, Some(acks));
    /// assert_eq!(server.receive(None)?.unwrap().command()?, Command::Snapshot);
    /// // Here it is written.
    /// server.acknowledge_snapshot()?;
    /// client.join().unwrap()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn acknowledge_snapshot(&mut self) -> Result<(), Error> {
        self.write_ack()
    }

    fn write_ack(&mut self) -> Result<(), Error> {
        let Some(acks) = &mut self.acks else { return Ok(()) };
        let full = || {
            Error::new(ErrorKind::Full, "the acknowledgement cannot be written: nobody reads any")
        };
        // Who counts must not wait for who does not read.
        if !self.acks_are_non_blocking
            && !ready::wait(&mut [ready::watched(acks, WRITE)], Some(Instant::now()))?
        {
            return Err(full());
        }
        acks.write_all(ACK).map_err(|error| match error.kind() {
            IoErrorKind::WouldBlock => full(),
            IoErrorKind::BrokenPipe => {
                Error::new(ErrorKind::Broken, "nobody reads acknowledgements any more")
            }
            _ => Error::of_system(ErrorKind::Io, "the acknowledgement cannot be written", error),
        })
    }
}

/// The descriptor of the commands, to wait for together with others. When it can be read, or its
/// other end is gone, [`receive`](Server::receive) with no time until it returns `None`: several
/// commands may have come.
impl AsFd for Server {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.commands.as_fd()
    }
}
