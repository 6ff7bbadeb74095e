//! What the clients of a graphics driver use, while it is measured.

use std::format;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

use crate::open::{Count, Error, ErrorKind};
use crate::resolve::Resolved;
use crate::system::drm::{self, Id, Unit, Who};
use crate::system::{Scope, System};

/// The value of each client that has one.
type Values = Vec<(Id, u64)>;

/// A key of a driver's clients: a sum that grows, or the sum of what is in use now.
#[derive(Debug)]
pub(in crate::open::set) struct Gain {
    proc: PathBuf,
    who: Who,
    pmu: String,
    key: String,
    unit: Unit,
    value: u64,
    /// The values at the start, if it is on.
    since: Option<Values>,
    /// Whether it has ever been on.
    is_measured: bool,
    /// Why a part is missing permanently.
    failure: Option<Error>,
}

impl Gain {
    pub(super) fn of(resolved: &Resolved, scope: &Scope, system: &System) -> Result<Self, Error> {
        let unknown = || {
            let message =
                format!("no client has an event with config {:#x}", resolved.words().config());
            Error::new(ErrorKind::NoSuchEvent, 0, message)
        };
        let pmu = resolved.pmu().ok_or_else(unknown)?;
        let key = pmu.event_of(resolved.words().config()).ok_or_else(unknown)?;
        let who = match scope {
            // Threads of a process share its files.
            Scope::ThisThread => Who::These(std::vec![std::process::id()]),
            Scope::Threads(threads) => Who::These(threads.clone()),
            // A client belongs to no CPU.
            Scope::AllCpus | Scope::Cpus(_) => Who::All,
        };
        Ok(Gain {
            proc: system.proc().into(),
            who,
            pmu: pmu.name().into(),
            key: key.into(),
            unit: Unit::of(key).ok_or_else(unknown)?,
            value: 0,
            since: None,
            is_measured: false,
            failure: None,
        })
    }

    pub(super) fn start(&mut self) {
        if self.since.is_some() || !self.unit.is_running() {
            return;
        }
        self.is_measured = true;
        match self.values() {
            Ok(values) => self.since = Some(values),
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn stop(&mut self) {
        if self.since.is_none() {
            return;
        }
        match self.gained() {
            Ok(gained) => self.value = self.value.saturating_add(gained),
            Err(error) => self.fail(error),
        }
        self.since = None;
    }

    pub(super) fn reset(&mut self) {
        let is_on = self.since.take().is_some();
        (self.value, self.failure) = (0, None);
        if is_on {
            self.start();
        }
    }

    pub(super) fn read(&self) -> Result<Count, Error> {
        if !self.unit.is_running() {
            let mut sum = 0_u64;
            for (_, value) in self.values()? {
                sum = sum.saturating_add(value);
            }
            return Ok(Count::new(sum, 1, 1));
        }
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None if self.is_measured => {
                let value = self.value.saturating_add(self.gained()?);
                Ok(Count::new(value, 1, 1))
            }
            None => Ok(Count::default()),
        }
    }

    /// What was used since the start, if it is on. A client that appeared later counts with
    /// all that it used.
    fn gained(&self) -> Result<u64, Error> {
        let Some(since) = &self.since else { return Ok(0) };
        let now = self.values()?;
        let mut gained = 0_u64;
        let mut still_there = 0;
        for (id, now) in &now {
            let before = value_of(since, id);
            still_there += usize::from(before.is_some());
            gained = gained.saturating_add(now.saturating_sub(before.unwrap_or(0)));
        }
        if still_there < since.len() {
            let message = "a client has ended, and what it used until then is not known";
            return Err(Error::new(ErrorKind::NoSuchTask, 0, message));
        }
        Ok(gained)
    }

    fn values(&self) -> Result<Values, Error> {
        let clients =
            drm::clients(&self.proc, &self.who).map_err(|problem| Error::of_file(&problem))?;
        let mut values = Values::new();
        for client in clients {
            let Some(text) = client.value(&self.pmu, &self.key) else { continue };
            let Some(value) = self.unit.read(text) else {
                let message = format!(
                    "a client has `{}: {}`, which is no {}",
                    self.key,
                    text.escape_debug(),
                    self.unit
                );
                return Err(Error::new(ErrorKind::Unreadable, 0, message));
            };
            values.push((client.id, value));
        }
        Ok(values)
    }

    /// Keeps the first reason.
    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

fn value_of(values: &[(Id, u64)], id: &Id) -> Option<u64> {
    for (known, value) in values {
        if known == id {
            return Some(*value);
        }
    }
    None
}
