use std::fmt;

use crate::error::{Error, ErrorKind};

/// A command: what who counts is told to do.
///
/// ```
/// use pmu_events::control::Command;
///
/// assert_eq!(Command::parse("enable cycles")?, Command::EnableEvent("cycles"));
/// assert_eq!(Command::Disable.to_string(), "disable");
/// # Ok::<(), pmu_events::control::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Command<'t> {
    /// Count all events.
    Enable,
    /// Count no event.
    Disable,
    /// Count an event, by the name that `evlist` lists, and the rest of its group if it leads one.
    EnableEvent(&'t str),
    /// Do not count an event.
    DisableEvent(&'t str),
    /// List the events on standard error.
    List(Listing),
    /// Write a snapshot of AUX area traces. `perf record` does; `perf stat` and `pmu stat` have none,
    /// and never acknowledge it.
    Snapshot,
    /// End. `perf record` does; `perf stat` and `pmu stat` acknowledge it and go on.
    Stop,
    /// Acknowledge, and do nothing else.
    Ping,
}

/// What is listed of each event.
///
/// ```
/// use pmu_events::control::{Command, Listing};
///
/// assert_eq!(Command::parse("evlist -g")?, Command::List(Listing::Groups));
/// # Ok::<(), pmu_events::control::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Listing {
    /// `evlist`: its name.
    Names,
    /// `evlist -v`: its name and its `perf_event_attr`.
    Attributes,
    /// `evlist -g`: its name, and those of a group in braces.
    Groups,
    /// `evlist -F`: its name and its sample period or frequency.
    Frequencies,
}

impl<'t> Command<'t> {
    /// Understands a line without its end.
    ///
    /// As for perf, the first word decides by how it begins: `stopping` is `stop`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownCommand`] if no command begins so, which perf ignores.
    /// [`ErrorKind::MalformedCommand`] if something else than a space follows `enable`, `disable` or
    /// `evlist`, or an unknown option follows `evlist`; perf says so on standard error, and
    /// acknowledges it nevertheless.
    ///
    /// ```
    /// use pmu_events::control::Command;
    ///
    /// assert_eq!(Command::parse("ping")?, Command::Ping);
    /// assert_eq!(Command::parse("Enable").unwrap_err().to_string(), "unknown command `Enable`");
    /// # Ok::<(), pmu_events::control::Error>(())
    /// ```
    pub fn parse(text: &'t str) -> Result<Self, Error> {
        let malformed = |form: &str| {
            let message = format!("wrong command `{text}`: write {form}");
            Error::new(ErrorKind::MalformedCommand, message)
        };
        let of_event = |rest: &'t str, all: Self, one: fn(&'t str) -> Self, form: &str| match rest {
            "" => Ok(all),
            rest => rest.strip_prefix(' ').map(one).ok_or_else(|| malformed(form)),
        };
        if let Some(rest) = text.strip_prefix("enable") {
            return of_event(rest, Command::Enable, Command::EnableEvent, "enable [EVENT]");
        }
        if let Some(rest) = text.strip_prefix("disable") {
            return of_event(rest, Command::Disable, Command::DisableEvent, "disable [EVENT]");
        }
        if text.starts_with("snapshot") {
            return Ok(Command::Snapshot);
        }
        if let Some(rest) = text.strip_prefix("evlist") {
            return Ok(Command::List(match rest {
                "" => Listing::Names,
                " -v" => Listing::Attributes,
                " -g" => Listing::Groups,
                " -F" => Listing::Frequencies,
                _ => return Err(malformed("evlist [-v|-g|-F]")),
            }));
        }
        match text {
            _ if text.starts_with("stop") => Ok(Command::Stop),
            _ if text.starts_with("ping") => Ok(Command::Ping),
            _ => Err(Error::new(ErrorKind::UnknownCommand, format!("unknown command `{text}`"))),
        }
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Enable => f.write_str("enable"),
            Command::Disable => f.write_str("disable"),
            Command::EnableEvent(name) => write!(f, "enable {name}"),
            Command::DisableEvent(name) => write!(f, "disable {name}"),
            Command::List(Listing::Names) => f.write_str("evlist"),
            Command::List(Listing::Attributes) => f.write_str("evlist -v"),
            Command::List(Listing::Groups) => f.write_str("evlist -g"),
            Command::List(Listing::Frequencies) => f.write_str("evlist -F"),
            Command::Snapshot => f.write_str("snapshot"),
            Command::Stop => f.write_str("stop"),
            Command::Ping => f.write_str("ping"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        use ErrorKind::{MalformedCommand, UnknownCommand};
        let cases = [
            ("enable", Ok(Command::Enable)),
            ("disable", Ok(Command::Disable)),
            ("enable cycles", Ok(Command::EnableEvent("cycles"))),
            ("enable cpu/event=1,umask=2/u", Ok(Command::EnableEvent("cpu/event=1,umask=2/u"))),
            ("disable  x ", Ok(Command::DisableEvent(" x "))),
            ("enable ", Ok(Command::EnableEvent(""))),
            ("evlist", Ok(Command::List(Listing::Names))),
            ("evlist -v", Ok(Command::List(Listing::Attributes))),
            ("evlist -g", Ok(Command::List(Listing::Groups))),
            ("evlist -F", Ok(Command::List(Listing::Frequencies))),
            ("snapshot", Ok(Command::Snapshot)),
            ("stop", Ok(Command::Stop)),
            ("ping", Ok(Command::Ping)),
            // What follows matters to none of these.
            ("snapshots", Ok(Command::Snapshot)),
            ("stop it", Ok(Command::Stop)),
            ("pingpong", Ok(Command::Ping)),
            ("enabled", Err(MalformedCommand)),
            ("enable\tx", Err(MalformedCommand)),
            ("disable,", Err(MalformedCommand)),
            ("evlist ", Err(MalformedCommand)),
            ("evlist -x", Err(MalformedCommand)),
            ("evlist -v ", Err(MalformedCommand)),
            ("evlists", Err(MalformedCommand)),
            ("", Err(UnknownCommand)),
            (" enable", Err(UnknownCommand)),
            ("ENABLE", Err(UnknownCommand)),
            ("ack", Err(UnknownCommand)),
            ("enabl", Err(UnknownCommand)),
        ];
        for (text, expected) in cases {
            let found = Command::parse(text).map_err(|error| error.kind());
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
