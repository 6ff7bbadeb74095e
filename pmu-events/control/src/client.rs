use std::fs::File;
use std::io::{ErrorKind as IoErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use crate::address::{Address, Ends};
use crate::command::{Command, Listing};
use crate::descriptor::{self, Need};
use crate::error::{Error, ErrorKind};
use crate::fifo;
use crate::input::LONGEST;
use crate::ready::{self, GONE, READ, WRITE};

/// Switches the counters of another process: of `perf stat`, `perf record` or `pmu stat` with
/// `--control`, or of a [`Server`](crate::Server).
///
/// Each method sends one command, and returns when it is acknowledged: then the counters are
/// switched. Without a channel for acknowledgements, it returns when the command is written; the
/// counters are switched some time later.
///
/// A pipe whose reader is gone sends the signal SIGPIPE, which programs written in Rust ignore
/// unless they ask for it.
///
/// ```no_run
/// use pmu_events::control::{Control, ErrorKind};
///
/// // Under `perf stat` or not: the region runs in any case.
/// let control = Control::connect(&"fifo:ctl,ack".parse()?);
/// let mut control = match control {
///     Ok(control) => Some(control),
///     Err(error) if error.kind() == ErrorKind::NobodyListens => None,
///     Err(error) => return Err(error),
/// };
/// control.as_mut().map_or(Ok(()), Control::enable)?;
/// let sum: u64 = (0..1_000_000).sum();
/// control.as_mut().map_or(Ok(()), Control::disable)?;
/// println!("{sum}");
/// # Ok::<(), pmu_events::control::Error>(())
/// ```
#[derive(Debug)]
pub struct Control {
    commands: File,
    acks: Option<File>,
    timeout: Duration,
    /// Acknowledgements of commands whose deadline has passed. They may still come.
    owed: usize,
    /// The beginning of an answer.
    answer: Vec<u8>,
}

/// An acknowledgement. Perf writes a zero behind it (`evlist__ctlfd_ack`).
pub(crate) const ACK: &[u8] = b"ack\n\0";

/// How long an answer other than an acknowledgement is that an error quotes.
const QUOTED: usize = 64;

impl Control {
    /// How long [`connect`](Self::connect) and each command wait unless another time is set.
    ///
    /// ```
    /// use pmu_events::control::Control;
    ///
    /// assert_eq!(Control::TIMEOUT.as_secs(), 5);
    /// ```
    pub const TIMEOUT: Duration = Duration::from_secs(5);

    /// Opens the FIFOs of an address, or copies its descriptors: those that this process writes
    /// commands to and reads acknowledgements from.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NobodyListens`] if nobody has opened the FIFO of the commands in
    /// [`TIMEOUT`](Self::TIMEOUT). [`ErrorKind::Descriptor`] if a descriptor is not open, or a file
    /// is not a FIFO or cannot be opened.
    ///
    /// ```
    /// use pmu_events::control::{Address, Control, ErrorKind};
    ///
    /// let nothing = Control::connect(&Address::fifos("/nowhere/ctl", Some("/nowhere/ack")));
    /// assert_eq!(nothing.unwrap_err().kind(), ErrorKind::Descriptor);
    /// ```
    pub fn connect(address: &Address) -> Result<Self, Error> {
        Control::connect_within(address, Control::TIMEOUT)
    }

    /// Like [`connect`](Self::connect), and sets how long to wait, now and for each command.
    ///
    /// # Errors
    ///
    /// Those of [`connect`](Self::connect).
    ///
    /// ```
    /// use std::time::Duration;
    /// use pmu_events::control::{Address, Control};
    ///
    /// let address = Address::descriptors(-1, None);
    /// let nothing = Control::connect_within(&address, Duration::from_millis(100));
    /// assert_eq!(nothing.unwrap_err().to_string(), "descriptor -1 is not open");
    /// ```
    pub fn connect_within(address: &Address, timeout: Duration) -> Result<Self, Error> {
        let (commands, acks) = match &address.ends {
            Ends::Descriptors(commands, acks) => (
                descriptor::copy_of(*commands, Need::Write)?,
                acks.map(|acks| descriptor::copy_of(acks, Need::Read)).transpose()?,
            ),
            Ends::Fifos(commands, acks) => (
                fifo::writing_end(commands, Instant::now() + timeout)?,
                acks.as_deref().map(fifo::reading_end).transpose()?,
            ),
        };
        Ok(Control { timeout, ..Control::from_fds(commands, acks) })
    }

    /// Takes the end of a pipe to write commands to, and of one to read acknowledgements from.
    ///
    /// ```
    /// use pmu_events::control::{Command, Control, Server};
    ///
    /// let (commands, to_server) = std::io::pipe()?;
    /// let (from_server, acks) = std::io::pipe()?;
    /// let mut server = Server::from_fds(commands, Some(acks));
    /// let client = std::thread::spawn(|| Control::from_fds(to_server, Some(from_server)).ping());
    /// while let Some(request) = server.receive(None)? {
    ///     assert_eq!(request.command()?, Command::Ping);
    ///     server.acknowledge(&request)?;
    /// }
    /// client.join().unwrap()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fds(commands: impl Into<OwnedFd>, acks: Option<impl Into<OwnedFd>>) -> Self {
        Control {
            commands: commands.into().into(),
            acks: acks.map(|acks| acks.into().into()),
            timeout: Control::TIMEOUT,
            owed: 0,
            answer: Vec::new(),
        }
    }

    /// Sets how long each command waits.
    ///
    /// ```
    /// use std::time::Duration;
    /// use pmu_events::control::{Control, ErrorKind};
    ///
    /// let (_commands, to_nobody) = std::io::pipe()?;
    /// let (from_nobody, _acks) = std::io::pipe()?;
    /// let mut control = Control::from_fds(to_nobody, Some(from_nobody))
    ///     .with_timeout(Duration::from_millis(1));
    /// assert_eq!(control.ping().unwrap_err().kind(), ErrorKind::NoAck);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Control { timeout, ..self }
    }

    /// Has all events counted.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// ```no_run
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// control.enable()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn enable(&mut self) -> Result<(), Error> {
        self.send(Command::Enable)
    }

    /// Has no event counted.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// ```no_run
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// control.disable()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn disable(&mut self) -> Result<(), Error> {
        self.send(Command::Disable)
    }

    /// Has an event counted, and the others of its group if it leads one. The name is the one that
    /// [`list`](Self::list) shows. That there is no such event is told on the standard error of who
    /// counts, and acknowledged like anything else.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// ```no_run
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// control.enable_event("cycles:u")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn enable_event(&mut self, name: &str) -> Result<(), Error> {
        self.send(Command::EnableEvent(name))
    }

    /// Has an event not counted; see [`enable_event`](Self::enable_event).
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// ```no_run
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// control.disable_event("cycles:u")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn disable_event(&mut self, name: &str) -> Result<(), Error> {
        self.send(Command::DisableEvent(name))
    }

    /// Has the events listed on the standard error of who counts.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// ```no_run
    /// use pmu_events::control::Listing;
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// control.list(Listing::Groups)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn list(&mut self, listing: Listing) -> Result<(), Error> {
        self.send(Command::List(listing))
    }

    /// Waits until who counts is there.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send).
    ///
    /// ```no_run
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// control.ping()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn ping(&mut self) -> Result<(), Error> {
        self.send(Command::Ping)
    }

    /// Has all events counted while a closure runs, and none afterwards, also if it panics.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send). If `enable` fails, the closure does not run.
    ///
    /// ```no_run
    /// # fn with(mut control: pmu_events::control::Control) -> Result<(), pmu_events::control::Error> {
    /// let sorted = control.during(|| {
    ///     let mut numbers = vec![3, 1, 2];
    ///     numbers.sort();
    ///     numbers
    /// })?;
    /// # assert_eq!(sorted, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn during<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Error> {
        /// Disables when a panic leaves the region.
        struct Enabled<'c>(Option<&'c mut Control>);
        impl Drop for Enabled<'_> {
            fn drop(&mut self) {
                if let Some(control) = self.0.take() {
                    let _ = control.disable();
                }
            }
        }
        self.enable()?;
        let mut enabled = Enabled(Some(self));
        let result = work();
        enabled.0.take().map_or(Ok(()), Control::disable)?;
        Ok(result)
    }

    /// Sends a command and waits for its acknowledgement, until the deadline.
    ///
    /// # Errors
    ///
    /// | kind | meaning |
    /// |---|---|
    /// | [`Broken`](ErrorKind::Broken) | who counts has ended, or closed its end |
    /// | [`Full`](ErrorKind::Full) | the command could not be written: nobody reads |
    /// | [`NoAck`](ErrorKind::NoAck) | it was written, but not acknowledged. If the acknowledgement comes later, the next command does not take it for its own. |
    /// | [`UnexpectedAnswer`](ErrorKind::UnexpectedAnswer) | something else came |
    /// | [`UnsendableCommand`](ErrorKind::UnsendableCommand) | the receiver would take it for several: a name has a line feed or a zero, or the command has more than 63 bytes |
    /// | [`Io`](ErrorKind::Io) | the system refuses |
    ///
    /// ```
    /// use pmu_events::control::{Command, Control, ErrorKind};
    ///
    /// let (_commands, to_server) = std::io::pipe()?;
    /// let mut control = Control::from_fds(to_server, None::<std::fs::File>);
    /// control.send(Command::Enable)?;
    /// let error = control.send(Command::EnableEvent("cycles\nstop")).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::UnsendableCommand);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send(&mut self, command: Command<'_>) -> Result<(), Error> {
        let mut line = command.to_string();
        if line.contains(['\n', '\0']) || line.len() > LONGEST {
            let message = format!("`{}` cannot be sent as one command", line.escape_debug());
            return Err(Error::new(ErrorKind::UnsendableCommand, message));
        }
        line.push('\n');
        let until = Instant::now() + self.timeout;
        self.write(&line, until)?;
        let awaited = self.await_ack(command, until);
        let is_late = matches!(&awaited, Err(error) if error.kind() == ErrorKind::NoAck);
        // Of a snapshot, no acknowledgement may ever come.
        if is_late && command != Command::Snapshot {
            self.owed += 1;
        }
        awaited
    }

    /// So short a line is written whole or not at all (`PIPE_BUF`).
    fn write(&mut self, line: &str, until: Instant) -> Result<(), Error> {
        let broken = || Error::new(ErrorKind::Broken, "nobody reads commands any more");
        loop {
            let mut commands = [ready::watched(&self.commands, WRITE)];
            if !ready::wait(&mut commands, Some(until))? {
                let message = "the command cannot be written: nobody reads those before it";
                return Err(Error::new(ErrorKind::Full, message));
            }
            match self.commands.write_all(line.as_bytes()) {
                Ok(()) => return Ok(()),
                // Somebody else has filled it meanwhile.
                Err(error) if error.kind() == IoErrorKind::WouldBlock => {}
                Err(error) if error.kind() == IoErrorKind::BrokenPipe => return Err(broken()),
                Err(error) => {
                    let message = "the command cannot be written";
                    return Err(Error::of_system(ErrorKind::Io, message, error));
                }
            }
        }
    }

    fn await_ack(&mut self, command: Command<'_>, until: Instant) -> Result<(), Error> {
        let Some(acks) = &mut self.acks else { return Ok(()) };
        let broken = || {
            let message = format!("who counts has ended before it acknowledged `{command}`");
            Error::new(ErrorKind::Broken, message)
        };
        let mut awaited = self.owed + 1;
        loop {
            let mut both = [ready::watched(acks, READ), ready::watched(&self.commands, GONE)];
            if !ready::wait(&mut both, Some(until))? {
                let message = format!("`{command}` is not acknowledged in time");
                return Err(Error::new(ErrorKind::NoAck, message));
            }
            if both[0].revents == 0 {
                return Err(broken());
            }
            let mut bytes = [0; 64];
            let read = match acks.read(&mut bytes) {
                Ok(0) => return Err(broken()),
                Ok(read) => read,
                Err(error) if error.kind() == IoErrorKind::WouldBlock => continue,
                Err(error) => {
                    let message = "acknowledgements cannot be read";
                    return Err(Error::of_system(ErrorKind::Io, message, error));
                }
            };
            for &byte in &bytes[..read] {
                match byte {
                    0 => {}
                    b'\n' if self.answer == b"ack" => {
                        self.answer.clear();
                        awaited = awaited.saturating_sub(1);
                        self.owed = awaited.saturating_sub(1);
                    }
                    b'\n' => {
                        let answer = std::mem::take(&mut self.answer);
                        let answer = String::from_utf8_lossy(&answer).escape_debug().to_string();
                        let message = format!("`{answer}` comes instead of an acknowledgement");
                        return Err(Error::new(ErrorKind::UnexpectedAnswer, message));
                    }
                    byte if self.answer.len() < QUOTED => self.answer.push(byte),
                    _ => {}
                }
            }
            if awaited == 0 {
                return Ok(());
            }
        }
    }
}
