//! What others tell the counters while they count (`evlist__ctlfd_process` in
//! `tools/perf/util/evlist.c`).

use std::fmt::Write as _;
use std::time::Duration;

use pmu_events::__private::switch;
use pmu_events::control::{Command, Error as ControlError, ErrorKind, Listing, Request, Server};
use pmu_events::open::{self, Attr, Counters, Flag, SetEvent};
use pmu_events::resolve::{Resolution, Resolved};

use crate::failure::{complain, with_sources};
use crate::output::tell;
use crate::stat::failure::Failure;
use crate::stat::verbose::FLAGS;

/// Of perf (`EVLIST_DISABLED_MSG` and `EVLIST_ENABLED_MSG` in `tools/perf/util/evlist.h`);
/// programs wait for these lines.
pub(crate) const DISABLED: &str = "Events disabled\n";
pub(crate) const ENABLED: &str = "Events enabled\n";

/// Who is told what to do.
pub(crate) struct Controlled<'c> {
    pub(crate) program: &'static str,
    pub(crate) resolved: &'c Resolution,
}

impl Controlled<'_> {
    /// Obeys all commands that have come.
    pub(crate) fn obey(&self, server: &mut Server, counters: &mut Counters) -> Result<(), Failure> {
        while let Some(request) = server.receive(Some(Duration::ZERO)).map_err(cannot)? {
            let said = self.said(&request, counters)?;
            if !said.is_empty() {
                tell(&said);
            }
            if let Err(error) = server.acknowledge(&request) {
                // Who does not read goes on sending.
                complain(self.program, &with_sources(&error));
            }
        }
        Ok(())
    }

    /// Obeys, and returns what perf says on standard error.
    fn said(&self, request: &Request, counters: &mut Counters) -> Result<String, Failure> {
        let command = match request.command() {
            Ok(command) => command,
            Err(error) if error.kind() == ErrorKind::MalformedCommand => {
                return Ok("failed: wrong command\n".into());
            }
            Err(_) => return Ok(String::new()),
        };
        Ok(match command {
            Command::Enable => {
                left_alone(switch::all_on(counters))?;
                ENABLED.into()
            }
            Command::Disable => {
                counters.disable()?;
                DISABLED.into()
            }
            Command::EnableEvent(name) => switched(counters, name, true)?,
            Command::DisableEvent(name) => switched(counters, name, false)?,
            Command::List(Listing::Groups) => self.groups(),
            Command::List(listing) => listed(counters, listing),
            // `perf stat` does nothing about the others, either.
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
fn switched(counters: &mut Counters, name: &str, is_on: bool) -> Result<String, Failure> {
    let events: Vec<bool> = counters.events().iter().map(|event| is_named(event, name)).collect();
    if !events.contains(&true) {
        return Ok(format!("failed: can't find '{name}' event\n"));
    }
    left_alone(switch::groups(counters, |event| events[event], is_on))?;
    Ok(format!("Event {name} {}\n", if is_on { "enabled" } else { "disabled" }))
}

/// Whether an event has a name: that which is shown, or which was asked for.
fn is_named(event: &SetEvent, name: &str) -> bool {
    event.name() == name || event.resolved().is_some_and(|resolved| resolved.name() == name)
}

/// As `evsel__fprintf` in `tools/perf/util/evsel_fprintf.c` prints them.
fn listed(counters: &Counters, listing: Listing) -> String {
    let mut text = String::new();
    for event in counters.events() {
        let _ = write!(text, "{}", event.name());
        match (listing, event.attr()) {
            (Listing::Attributes, Some(attr)) => attributes(&mut text, attr),
            (Listing::Frequencies, _) => text.push_str(": sample_period=0"),
            _ => {}
        }
        text.push('\n');
    }
    text
}

/// The fields of `perf_event_attr` that are not 0, as `perf_event_attr__fprintf` names them.
fn attributes(text: &mut String, attr: &Attr) {
    let _ = write!(text, ": type: {}, config: {:#x}", attr.type_(), attr.words().config());
    for (word, bits) in attr.words().iter().skip(1).filter(|(_, bits)| *bits != 0) {
        let _ = write!(text, ", {}: {bits:#x}", word.name());
    }
    for (_, name) in FLAGS.iter().filter(|(flag, _): &&(Flag, &str)| attr.has(*flag)) {
        let _ = write!(text, ", {name}: 1");
    }
}
