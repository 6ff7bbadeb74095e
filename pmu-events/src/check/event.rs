//! Counting the loop of an event, and the verdict.

use core::fmt;
use core::ops::RangeInclusive;

use std::format;
use std::string::{String, ToString};
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::affinity::Visit;
use super::judge::{self, Count};
use super::loops::{Loop, Loops};
use crate::digits::separated;
use crate::event_list::Software;
use crate::open::{Counters, Error, ErrorKind, EventReading, Options, Outcome};
use crate::perf_type;
use crate::resolve::{Resolution, Resolved};
use crate::sysfs::Pmu;
use crate::system::System;

/// What a check says of an event.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::check::Verdict;
///
/// let report = System::new().check("no_such_event")?;
/// assert_eq!(report.events()[0].verdict(), Verdict::Refused);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The count is what the loop causes or, where that is not known, more than 0.
    Alive,
    /// The count is 0, though the loop causes the event. Do not use it on this machine.
    Zero,
    /// The count is far from what the loop causes, or went backwards. Do not use it on this
    /// machine.
    Implausible,
    /// The machine lacks the event, or the kernel does not permit it.
    Refused,
    /// The event had no counter for the whole loop, because others hold the counters or because
    /// the thread was on another kind of core. This says nothing of the event.
    Starved,
    /// The count is 0, and no loop is known to cause the event. This says nothing of the event.
    Silent,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Alive => "alive",
            Verdict::Zero => "zero",
            Verdict::Implausible => "implausible",
            Verdict::Refused => "refused",
            Verdict::Starved => "starved",
            Verdict::Silent => "silent",
        }
    }
}

/// The word in lower case: `alive`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// An event that was checked. It displays itself as its name, the verdict and the reason.
///
/// ```
/// use pmu_events::System;
///
/// let report = System::new().check("page-faults")?;
/// let faults = &report.events()[0];
/// if let (Some(count), Some(expected)) = (faults.count(), faults.expected()) {
///     println!("{count}, where {} to {} were expected", expected.start(), expected.end());
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Debug)]
pub struct CheckedEvent {
    name: String,
    verdict: Verdict,
    count: Option<u64>,
    expected: Option<RangeInclusive<u64>>,
    reason: String,
    /// Why the kernel refused it.
    refusal: Option<Refusal>,
}

/// What a refusal says of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The machine lacks the event.
    Unsupported,
    /// It is not permitted.
    Forbidden,
    /// A filter forbids the system call: the kernel's own checks have another answer.
    OfSandbox,
}

impl Refusal {
    fn of(error: &Error) -> Self {
        /// The same on every architecture (`include/uapi/asm-generic/errno-base.h`).
        const EPERM: i32 = 1;
        match error.kind() {
            ErrorKind::NotPermitted if error.errno() == Some(EPERM) => Refusal::OfSandbox,
            _ if error.is_unsupported() => Refusal::Unsupported,
            _ => Refusal::Forbidden,
        }
    }
}

impl CheckedEvent {
    /// Returns the name of the event, with that of its PMU where several kinds of cores have it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns what was counted, which is an estimate if the event is [starved](Verdict::Starved);
    /// of clocks, nanoseconds. `None` if nothing was.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        self.count
    }

    /// Returns what the count should be; `None` if no loop is known to cause the event.
    #[must_use]
    pub fn expected(&self) -> Option<RangeInclusive<u64>> {
        self.expected.clone()
    }

    fn refused(name: String, error: &Error) -> Self {
        // Of many events it is the same.
        let reason = error.message().into();
        let refusal = Some(Refusal::of(error));
        let (count, expected) = (None, None);
        CheckedEvent { name, verdict: Verdict::Refused, count, expected, reason, refusal }
    }

    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// Whether something is wrong. A generic event that this machine lacks is not, unless somebody
    /// asks for it.
    pub(super) fn is_finding(&self, is_named: bool) -> bool {
        match self.verdict {
            Verdict::Zero | Verdict::Implausible | Verdict::Starved => true,
            Verdict::Refused => is_named || self.refusal != Some(Refusal::Unsupported),
            Verdict::Alive | Verdict::Silent => false,
        }
    }

    /// Whether one sentence says both: of many events, the reason is the same.
    pub(super) fn is_told_like(&self, other: &CheckedEvent) -> bool {
        (self.verdict, &self.reason) == (other.verdict, &other.reason)
            && self.count.is_none_or(|count| count == 0)
    }

    pub(super) fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for CheckedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.name, self.verdict, self.reason)
    }
}

/// Checks an event wherever the machine has it.
pub(super) fn check(name: &str, system: &System, loops: &mut Loops) -> Vec<CheckedEvent> {
    let resolution = match system.resolve(name) {
        Ok(resolution) => resolution,
        Err(error) => return Vec::from([CheckedEvent::refused(name.into(), &error.into())]),
    };
    let mut checked: Vec<CheckedEvent> = Vec::new();
    for missing in resolution.missing() {
        let error = Error::unresolved(missing.error());
        checked.push(CheckedEvent::refused(missing.name().into(), &error));
    }
    let several = system.sysfs().core_pmus().nth(1).is_some();
    let mut is_seen = false;
    for event in resolution.events() {
        match event.pmu().filter(|pmu| several && pmu.is_core()) {
            Some(pmu) => {
                // Where the thread may not go there, it may be there nevertheless.
                let _visit = pmu.cpus().ok().flatten().and_then(Visit::to);
                let name = name_on(name, pmu);
                checked.push(count(name, event, Some(pmu), &resolution, loops));
            }
            // All instances at once.
            None if is_seen => {}
            None => {
                is_seen = true;
                checked.push(count(name.into(), event, None, &resolution, loops));
            }
        }
    }
    checked
}

/// The name with that of the PMU, as perf writes it.
fn name_on(name: &str, pmu: &Pmu) -> String {
    if name.contains('/') {
        return name.into();
    }
    let (own, modifiers) = name.split_once(':').unwrap_or((name, ""));
    format!("{}/{own}/{modifiers}", pmu.name())
}

/// How often a loop is repeated in which the event was not counted throughout.
const ATTEMPTS: u32 = 3;

/// The share of the time that an event must have been counted: starting several events takes
/// some microseconds.
const THROUGHOUT: f64 = 0.95;

fn count(
    name: String,
    event: &Resolved,
    kind: Option<&Pmu>,
    resolution: &Resolution,
    loops: &mut Loops,
) -> CheckedEvent {
    let expected = judge::expected(event, loops);
    loops.prepare(expected.of);
    let attempt = || attempt(kind, resolution, expected.of, loops);
    let mut counted = attempt();
    for _ in 1..ATTEMPTS {
        if counted.as_ref().is_ok_and(|counted| !counted.is_throughout()) {
            counted = attempt();
        }
    }
    match counted {
        Ok(counted) => counted.judged(name, event, expected),
        Err(error) => CheckedEvent::refused(name, &error),
    }
}

/// What was counted in a loop.
struct Counted {
    value: u64,
    /// The share of the time for which the event had a counter, where it could have one.
    share: f64,
    /// The share of the thread's time that was on CPUs of the event.
    presence: f64,
    elapsed: Duration,
    is_user_only: bool,
    went_backwards: bool,
}

fn attempt(
    kind: Option<&Pmu>,
    resolution: &Resolution,
    which: Loop,
    loops: &Loops,
) -> Result<Counted, Error> {
    let clock = resolution.system().resolve("task-clock")?;
    let mut all = resolution.clone();
    all.append(clock);
    let mut counters = Counters::open(&all, &Options::new())?;
    let begin = Instant::now();
    let ((), reading) = counters.count(|| loops.run(which))?;
    let elapsed = begin.elapsed();
    let (clock, of_events) = reading.events().split_last().ok_or_else(Error::never_scheduled)?;
    let is_meant = |read: &&EventReading| {
        kind.is_none_or(|pmu| read.event().pmu_name() == Some(pmu.name()))
            && read.event().resolved().is_some()
    };
    let instances: Vec<&EventReading> = of_events.iter().filter(is_meant).collect();
    let mut counted = Counted {
        value: 0,
        share: 0.0,
        presence: 1.0,
        elapsed,
        is_user_only: false,
        went_backwards: false,
    };
    for read in &instances {
        counted.is_user_only |= read.event().is_user_only();
        match read.outcome() {
            Outcome::Counted(total) | Outcome::Partial(total) => {
                counted.value = counted.value.saturating_add(total.value());
                counted.share = total.share();
                let time = clock.outcome().known().map_or(0, |clock| clock.time_enabled());
                if kind.is_some() && time > 0 {
                    counted.presence = (total.time_enabled() as f64 / time as f64).min(1.0);
                }
            }
            Outcome::NotCounted => {}
            _ => {
                let why = read.value().err().unwrap_or_else(Error::never_scheduled);
                if !read.lacks().iter().any(|lack| lack.why().is_decrease()) {
                    return Err(why);
                }
                counted.went_backwards = true;
            }
        }
    }
    // An event that is nowhere has neither.
    if counted.share == 0.0 && kind.is_some() {
        counted.presence = 0.0;
    }
    Ok(counted)
}

impl Counted {
    fn is_throughout(&self) -> bool {
        self.went_backwards || self.share.min(self.presence) >= THROUGHOUT
    }

    fn judged(
        self,
        name: String,
        event: &Resolved,
        judge::Expected { of, count }: judge::Expected,
    ) -> CheckedEvent {
        let expected = match count {
            Count::Within(range) => Some(self.with_kernel(range, of, event)),
            Count::Elapsed => Some(1..=self.elapsed.as_nanos() as u64),
            Count::Unknown => None,
        };
        let value = self.value;
        let verdict = match &expected {
            _ if self.went_backwards => Verdict::Implausible,
            _ if !self.is_throughout() => Verdict::Starved,
            Some(range) if range.contains(&value) && value > 0 => Verdict::Alive,
            Some(range) if value == 0 && *range.start() > 0 => Verdict::Zero,
            Some(_) if value > 0 => Verdict::Implausible,
            None if value > 0 => Verdict::Alive,
            _ => Verdict::Silent,
        };
        let reason = self.reason(verdict, expected.as_ref(), of);
        let has_count = !self.went_backwards && self.share > 0.0;
        CheckedEvent {
            name,
            verdict,
            count: has_count.then_some(value),
            expected,
            reason,
            refusal: None,
        }
    }

    /// The range where the kernel's share of the work is counted as well, or is not.
    fn with_kernel(
        &self,
        range: RangeInclusive<u64>,
        of: Loop,
        event: &Resolved,
    ) -> RangeInclusive<u64> {
        let is_software = event.type_() == perf_type::SOFTWARE;
        let without = self.is_user_only || event.settings().exclude_kernel();
        let is_switch = event.words().config() == Software::ContextSwitches.config();
        match (without, of) {
            // Tasks are switched in the kernel.
            (true, Loop::Sleep) if is_software && is_switch => 0..=*range.end(),
            (false, _) if !is_software => *range.start()..=range.end().saturating_mul(2),
            _ => range,
        }
    }

    fn reason(&self, verdict: Verdict, expected: Option<&RangeInclusive<u64>>, of: Loop) -> String {
        let of = Loops::words(of);
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let shown = |number: u64| separated(&number.to_string());
        let value = self.value;
        match (verdict, expected) {
            (Verdict::Implausible, _) if self.went_backwards => {
                "the count went backwards while it was counted".into()
            }
            (Verdict::Starved, _) if self.presence < THROUGHOUT => format!(
                "the thread was on cores of this kind for {} of the loop",
                percent(self.presence)
            ),
            (Verdict::Starved, _) if self.share == 0.0 => {
                "no counter was free: others hold them, and pinned events go first".into()
            }
            (Verdict::Starved, _) => format!(
                "it had a counter for {} of the loop: others have them in turn",
                percent(self.share)
            ),
            (Verdict::Silent, Some(_)) => {
                format!("0, as may be: a cache or the kernel may hide {of}")
            }
            (Verdict::Silent, None) => {
                format!("0, and no loop is known to cause it (this one: {of})")
            }
            (_, Some(range)) => format!(
                "{}, where {of} should give {} to {}",
                shown(value),
                shown(*range.start()),
                shown(*range.end())
            ),
            (_, None) => format!("{} in {of}", shown(value)),
        }
    }
}
