//! What others tell the counters while they count (`evlist__ctlfd_process` in
//! `tools/perf/util/evlist.c`).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

use pmu_events::__private::switch;
use pmu_events::config::Sampling;
use pmu_events::control::{Command, Error as ControlError, ErrorKind, Listing, Request, Server};
use pmu_events::open::{self, Attr, Counters, Flag};
use pmu_events::resolve::{Resolution, Resolved};

use crate::failure::{complain, with_sources};
use crate::output::tell;
use crate::stat::failure::Failure;
use crate::stat::verbose::FLAGS;

/// Of perf (`EVLIST_DISABLED_MSG` and `EVLIST_ENABLED_MSG` in `tools/perf/util/evlist.h`);
/// programs wait for these lines.
pub(crate) const DISABLED: &str = "Events disabled\n";
pub(crate) const ENABLED: &str = "Events enabled\n";

/// Events that others switch.
pub(crate) trait Switched {
    /// The events, in their order.
    fn events(&self) -> Vec<Listed<'_>>;

    /// Switches the groups that some events lead, by their numbers.
    fn switch(&mut self, is_it: &dyn Fn(usize) -> bool, is_on: bool) -> Result<(), open::Error>;

    /// Switches all.
    fn switch_all(&mut self, is_on: bool) -> Result<(), open::Error>;
}

/// What is listed of an event.
pub(crate) struct Listed<'e> {
    /// That which is shown, and that which was asked for.
    pub(crate) names: [Cow<'e, str>; 2],
    pub(crate) attr: Option<&'e Attr>,
}

impl Switched for Counters {
    fn events(&self) -> Vec<Listed<'_>> {
        let events = Counters::events(self).iter().map(|event| Listed {
            names: [
                event.name(),
                event.resolved().map_or_else(|| event.name(), |one| one.name().into()),
            ],
            attr: event.attr(),
        });
        events.collect()
    }

    fn switch(&mut self, is_it: &dyn Fn(usize) -> bool, is_on: bool) -> Result<(), open::Error> {
        switch::groups(self, is_it, is_on)
    }

    fn switch_all(&mut self, is_on: bool) -> Result<(), open::Error> {
        if is_on { switch::all_on(self) } else { self.disable() }
    }
}

/// Who is told what to do.
pub(crate) struct Controlled<'c> {
    pub(crate) program: &'static str,
    pub(crate) resolved: &'c Resolution,
}

impl Controlled<'_> {
    /// Obeys all commands that have come. Returns whether one of them was `stop`.
    pub(crate) fn obey(
        &self,
        server: &mut Server,
        events: &mut dyn Switched,
    ) -> Result<bool, Failure> {
        let mut is_stopped = false;
        while let Some(request) = server.receive(Some(Duration::ZERO)).map_err(cannot)? {
            is_stopped |= matches!(request.command(), Ok(Command::Stop));
            let said = self.said(&request, events)?;
            if !said.is_empty() {
                tell(&said);
            }
            if let Err(error) = server.acknowledge(&request) {
                // Who does not read goes on sending.
                complain(self.program, &with_sources(&error));
            }
        }
        Ok(is_stopped)
    }

    /// Obeys, and returns what perf says on standard error.
    fn said(&self, request: &Request, events: &mut dyn Switched) -> Result<String, Failure> {
        let command = match request.command() {
            Ok(command) => command,
            Err(error) if error.kind() == ErrorKind::MalformedCommand => {
                return Ok("failed: wrong command\n".into());
            }
            Err(_) => return Ok(String::new()),
        };
        Ok(match command {
            Command::Enable => {
                left_alone(events.switch_all(true))?;
                ENABLED.into()
            }
            Command::Disable => {
                events.switch_all(false)?;
                DISABLED.into()
            }
            Command::EnableEvent(name) => switched(events, name, true)?,
            Command::DisableEvent(name) => switched(events, name, false)?,
            Command::List(Listing::Groups) => self.groups(),
            Command::List(listing) => listed(&events.events(), listing),
            // They do nothing to the events.
            _ => String::new(),
        })
    }

    /// The names of each group, in braces if there are several.
    fn groups(&self) -> String {
        let mut text = String::new();
        for group in self.resolved.groups() {
            let names: Vec<&str> = group.iter().map(Resolved::name).collect();
            let _ = match &names[..] {
                [one] => writeln!(text, "{one}"),
                names => writeln!(text, "{{{}}}", names.join(",")),
            };
        }
        text
    }
}

pub(crate) fn cannot(error: ControlError) -> Failure {
    Failure::Cannot(format!("`--control`: {}", with_sources(&error)))
}

/// A task that has ended counts no more, and is no error.
fn left_alone(enabled: Result<(), open::Error>) -> Result<(), open::Error> {
    match enabled {
        Err(error) if error.is_gone() => Ok(()),
        enabled => enabled,
    }
}

/// Switches all events of a name, in whatever letters.
fn switched(events: &mut dyn Switched, name: &str, is_on: bool) -> Result<String, Failure> {
    let are: Vec<bool> =
        events.events().iter().map(|event| event.names.iter().any(|own| own == name)).collect();
    if !are.contains(&true) {
        return Ok(format!("failed: can't find '{name}' event\n"));
    }
    left_alone(events.switch(&|event| are[event], is_on))?;
    Ok(format!("Event {name} {}\n", if is_on { "enabled" } else { "disabled" }))
}

/// As `evsel__fprintf` in `tools/perf/util/evsel_fprintf.c` prints them.
fn listed(events: &[Listed<'_>], listing: Listing) -> String {
    let mut text = String::new();
    for event in events {
        let _ = write!(text, "{}", event.names[0]);
        match (listing, event.attr) {
            (Listing::Attributes, Some(attr)) => attributes(&mut text, attr),
            (Listing::Frequencies, attr) => {
                let _ = match attr.and_then(Attr::sampling) {
                    Some(Sampling::Frequency(times)) => write!(text, ": sample_freq={times}"),
                    Some(Sampling::Period(events)) => write!(text, ": sample_period={events}"),
                    _ => write!(text, ": sample_period=0"),
                };
            }
            _ => {}
        }
        text.push('\n');
    }
    text
}

/// The fields of `perf_event_attr` that are not 0, as `perf_event_attr__fprintf` names them.
fn attributes(text: &mut String, attr: &Attr) {
    let _ = write!(text, ": type: {}, config: {:#x}", attr.type_(), attr.words().config());
    let (Some(Sampling::Period(rate) | Sampling::Frequency(rate)), kinds) =
        (attr.sampling(), attr.sample_type())
    else {
        return more_attributes(text, attr);
    };
    let _ = write!(text, ", {{ sample_period, sample_freq }}: {rate}, sample_type: {kinds:#x}");
    more_attributes(text, attr);
}

fn more_attributes(text: &mut String, attr: &Attr) {
    for (word, bits) in attr.words().iter().skip(1).filter(|(_, bits)| *bits != 0) {
        let _ = write!(text, ", {}: {bits:#x}", word.name());
    }
    for (_, name) in FLAGS.iter().filter(|(flag, _): &&(Flag, &str)| attr.has(*flag)) {
        let _ = write!(text, ", {name}: 1");
    }
}
