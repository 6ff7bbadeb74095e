//! Opening the events of a group on all their targets, and the fallbacks when the
//! kernel refuses.

use std::format;
use std::vec::Vec;

use super::event::SetEvent;
use super::options::Options;
use crate::open::{Attr, Counter, Error, ErrorKind, Flag, Target};

/// Why a group is not open as requested.
pub(super) enum Refusal {
    /// The member at this index is not supported.
    Member(usize, Error),
    /// The group does not fit, but may be broken up.
    Weak,
    Fatal(Error),
}

/// A target on which a group is open, and the counters of its members.
pub(super) type Spot<C> = (Target, Vec<C>);

/// Opens a group on all targets, each event with the same attributes on every
/// target. What one target forces an event to exclude is excluded on the others as
/// well; otherwise the sum would add up different things. `open` asks the kernel.
pub(super) fn everywhere<C>(
    members: &[usize],
    targets: &[Target],
    options: &Options,
    events: &mut [SetEvent],
    open: &impl Fn(&Attr, Target, Option<&C>) -> Result<C, Error>,
) -> Result<Vec<Spot<C>>, Refusal> {
    /// Exclude the kernel, exclude guests, include guests: each at most once, then
    /// a pass without changes.
    const MOST: usize = 4;
    let mut changed = 0;
    for _ in 0..MOST {
        let (spots, first) = once(members, targets, options, events, open)?;
        let is_same = |(&member, attr): (&usize, &Attr)| events[member].attr == *attr;
        match members.iter().zip(&first).position(|pair| !is_same(pair)) {
            None => return Ok(spots),
            Some(n) => changed = n,
        }
    }
    let message = "one CPU refuses what another needs: guests or the kernel left out, or not";
    Err(Refusal::Member(changed, Error::new(ErrorKind::NotSupported, 0, message)))
}

/// The targets, and the attributes of the members on the first of them.
fn once<C>(
    members: &[usize],
    targets: &[Target],
    options: &Options,
    events: &mut [SetEvent],
    open: &impl Fn(&Attr, Target, Option<&C>) -> Result<C, Error>,
) -> Result<(Vec<Spot<C>>, Vec<Attr>), Refusal> {
    let mut spots: Vec<Spot<C>> = Vec::new();
    let mut first = Vec::new();
    let mut vanished = None;
    let fatal = |event: &SetEvent, error| Refusal::Fatal(event.refused(error));
    'targets: for &target in targets {
        let mut counters: Vec<C> = Vec::new();
        let leads_inheriting = inherits(&events[members[0]], target, options);
        for (n, &member) in members.iter().enumerate() {
            let event = &mut events[member];
            let is_task = !target.is_whole_cpu();
            let adapt = |attr: &mut Attr| {
                attr.set(Flag::Disabled, n == 0);
                attr.set(Flag::EnableOnExec, n == 0 && options.enable_on_exec && is_task);
                // Either all members of a group inherit, or none does.
                attr.set(Flag::Inherit, leads_inheriting);
                if members.len() > 1 {
                    *attr = attr.with_read_format(Counter::OF_GROUP);
                }
            };
            match open_one(event, adapt, target, counters.first(), open) {
                Ok(counter) => counters.push(counter),
                // One of several threads may have ended in the meantime.
                Err(error) if error.kind() == ErrorKind::NoSuchTask => {
                    vanished = Some(fatal(event, error));
                    continue 'targets;
                }
                Err(error) if error.kind() == ErrorKind::Invalid && n > 0 && event.is_weak() => {
                    return Err(Refusal::Weak);
                }
                Err(error) if error.is_unsupported() => {
                    return Err(Refusal::Member(n, error));
                }
                Err(error) => return Err(fatal(event, error)),
            }
        }
        if spots.is_empty() {
            first = members.iter().map(|&member| events[member].attr).collect();
        }
        spots.push((target, counters));
    }
    match vanished {
        Some(refusal) if spots.is_empty() => Err(refusal),
        _ if spots.is_empty() => Ok((spots, members.iter().map(|&m| events[m].attr).collect())),
        _ => Ok((spots, first)),
    }
}

/// Only tasks have children.
pub(super) fn inherits(event: &SetEvent, target: Target, options: &Options) -> bool {
    let asked =
        event.resolved().and_then(|one| one.attributes().inherit()).unwrap_or(options.inherit);
    asked && !target.is_whole_cpu()
}

/// Opens one event, with the fallbacks of perf when the kernel refuses; the event
/// records them (`evsel__fallback` and `evsel__detect_missing_features` in
/// `tools/perf/util/evsel.c`).
fn open_one<C>(
    event: &mut SetEvent,
    adapt: impl Fn(&mut Attr),
    target: Target,
    leader: Option<&C>,
    open: &impl Fn(&Attr, Target, Option<&C>) -> Result<C, Error>,
) -> Result<C, Error> {
    let mut has_tried_without_guests = event.attr.has(Flag::ExcludeGuest);
    loop {
        let mut attr = event.attr;
        adapt(&mut attr);
        let error = match open(&attr, target, leader) {
            Ok(counter) => {
                event.told = Some(attr);
                return Ok(counter);
            }
            Err(error) => error,
        };
        // The group does not fit; excluding something would not help.
        let is_member = leader.is_some() && error.kind() == ErrorKind::Invalid;
        if is_member && open(&attr, target, None).is_ok() {
            return Err(error);
        }
        // A request for only guests must not count the host.
        let has_host = !event.resolved().is_some_and(|one| one.settings().exclude_host());
        let may_guest_count = attr.has(Flag::ExcludeGuest) && has_host;
        match error.kind() {
            // Chained counters cannot be read by the program.
            ErrorKind::Invalid | ErrorKind::NotSupported if event.stop_asking() => {}
            // A PMU without support for exclusion (`PERF_PMU_CAP_NO_EXCLUDE`)
            // refuses the default, which excludes guests.
            ErrorKind::Invalid if may_guest_count => {
                event.attr.set(Flag::ExcludeGuest, false);
            }
            // Apple's M1 requires guests to be excluded.
            ErrorKind::NotSupported if !has_tried_without_guests && has_host => {
                has_tried_without_guests = true;
                event.attr.set(Flag::ExcludeGuest, true);
            }
            ErrorKind::NotPermitted
                if !attr.has(Flag::ExcludeKernel) && !attr.has(Flag::ExcludeUser) =>
            {
                event.attr.set(Flag::ExcludeKernel, true);
                event.attr.set(Flag::ExcludeHv, true);
                event.is_user_only = true;
            }
            ErrorKind::NotPermitted | ErrorKind::Invalid if event.is_user_only => {
                event.attr.set(Flag::ExcludeKernel, false);
                event.attr.set(Flag::ExcludeHv, false);
                event.is_user_only = false;
                return with_kernel(error.kind(), event, adapt, |attr| open(attr, target, leader));
            }
            _ => return Err(error),
        }
    }
}

/// If excluding the kernel does not help either, the error that led to it is the
/// better message.
fn with_kernel<C>(
    without: ErrorKind,
    event: &SetEvent,
    adapt: impl Fn(&mut Attr),
    open: impl Fn(&Attr) -> Result<C, Error>,
) -> Result<C, Error> {
    let mut attr = event.attr;
    adapt(&mut attr);
    open(&attr).map_err(|error| {
        if (without, error.kind()) == (ErrorKind::Invalid, ErrorKind::NotPermitted) {
            let message = format!("this PMU cannot leave out the kernel, and it is {error}");
            return Error::new(ErrorKind::NotSupported, error.errno().unwrap_or(0), message);
        }
        error
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Word, Words};
    use crate::system::System;
    use core::cell::RefCell;
    use std::string::{String, ToString};
    use std::vec;

    /// An event opened by the simulated kernel: its attributes and target.
    type Opened = (Attr, Target);

    /// Opens a list as one group on CPUs 0 to 3, with a kernel that refuses some.
    /// Returns what the members exclude on each target.
    fn opened(
        text: &str,
        refuses: impl Fn(&Attr, u32) -> Option<ErrorKind>,
    ) -> (Result<Vec<Vec<String>>, ErrorKind>, usize) {
        let resolved = System::at("/nonexistent").require(text).unwrap();
        let mut events: Vec<SetEvent> = resolved.into_iter().map(SetEvent::new).collect();
        let members: Vec<usize> = (0..events.len()).collect();
        let targets: Vec<Target> = (0..4).map(Target::Cpu).collect();
        let asked = RefCell::new(0);
        let open = |attr: &Attr, target: Target, _: Option<&Opened>| {
            *asked.borrow_mut() += 1;
            assert!(*asked.borrow() < 100, "{text}: it tries without end");
            let Target::Cpu(cpu) = target else { panic!("{target:?}") };
            match refuses(attr, cpu) {
                Some(kind) => Err(Error::new(kind, 0, "refused")),
                None => Ok((*attr, target)),
            }
        };
        let answer = everywhere(&members, &targets, &Options::new(), &mut events, &open);
        let left_out = |&(attr, _): &Opened| {
            let flags = [(Flag::ExcludeKernel, "k"), (Flag::ExcludeGuest, "g")];
            flags.iter().filter(|(flag, _)| attr.has(*flag)).map(|(_, name)| *name).collect()
        };
        let answer = match answer {
            Ok(spots) => Ok(spots
                .iter()
                .map(|(_, counters)| counters.iter().map(left_out).collect())
                .collect()),
            Err(Refusal::Member(_, error)) => Err(error.kind()),
            Err(Refusal::Fatal(error)) => Err(error.kind()),
            Err(Refusal::Weak) => Err(ErrorKind::NoSpace),
        };
        let asked = asked.take();
        (answer, asked)
    }

    fn alike(members: &[&str]) -> Result<Vec<Vec<String>>, ErrorKind> {
        Ok(vec![members.iter().map(|&member| member.into()).collect(); 4])
    }

    /// Whichever target forces an event to exclude something, it is excluded on
    /// all.
    #[test]
    fn one_event_counts_the_same_everywhere() {
        // If nothing is refused, each is opened once.
        assert_eq!(opened("cycles", |_, _| None), (alike(&["g"]), 4));
        for odd in 0..4 {
            let no_kernel = |attr: &Attr, cpu: u32| {
                let is_refused = cpu == odd && !attr.has(Flag::ExcludeKernel);
                is_refused.then_some(ErrorKind::NotPermitted)
            };
            let (answer, asked) = opened("cycles", no_kernel);
            assert_eq!(answer, alike(&["kg"]), "CPU {odd}");
            // Reopened only if another target was open before.
            assert_eq!(asked, if odd == 0 { 5 } else { 9 }, "CPU {odd}");
            let no_flags = |attr: &Attr, cpu: u32| {
                (cpu == odd && attr.has(Flag::ExcludeGuest)).then_some(ErrorKind::Invalid)
            };
            assert_eq!(opened("cycles", no_flags).0, alike(&[""]), "CPU {odd}");
            let no_guests = |attr: &Attr, cpu: u32| {
                (cpu == odd && !attr.has(Flag::ExcludeGuest)).then_some(ErrorKind::NotSupported)
            };
            // A request for only guests must not count the host instead.
            let answer = opened("cycles:G", no_guests).0;
            assert_eq!(answer, Err(ErrorKind::NotSupported), "CPU {odd}");
            assert_eq!(opened("cycles:GH", no_guests).0, alike(&["g"]), "CPU {odd}");
            // In a group, each member separately.
            let one = |attr: &Attr, cpu: u32| {
                let is_refused =
                    cpu == odd && attr.words().config() == 2 && !attr.has(Flag::ExcludeKernel);
                is_refused.then_some(ErrorKind::NotPermitted)
            };
            assert_eq!(opened("{cs,faults}", one).0, alike(&["g", "kg"]), "CPU {odd}");
        }
    }

    /// Each fallback is tried once, and only where what is counted stays what was asked for.
    #[test]
    fn refused_whatever_is_excluded() {
        use ErrorKind::{Invalid, NotPermitted, NotSupported};
        let cases = [
            // With guests and without; the kernel has them left out of its own accord.
            ("cycles", Invalid, 2),
            ("cycles:H", Invalid, 2),
            ("cycles:GH", Invalid, 1),
            ("cycles:G", Invalid, 1),
            ("cycles", NotSupported, 1),
            ("cycles:GH", NotSupported, 2),
            ("cycles:G", NotSupported, 1),
            // With the kernel, without, and again with it for its message.
            ("cycles", NotPermitted, 3),
            ("cycles:u", NotPermitted, 1),
            ("cycles:k", NotPermitted, 1),
        ];
        for (text, kind, times) in cases {
            assert_eq!(opened(text, |_, _| Some(kind)), (Err(kind), times), "{text} {kind:?}");
        }
    }

    /// Only a weak group is broken up, and only if it is the group that does not fit.
    #[test]
    fn groups_with_a_member_that_is_refused() {
        use ErrorKind::{Busy, Invalid, NotSupported};
        // What does not fit a weak group is told as `NoSpace` here.
        let weak = ErrorKind::NoSpace;
        let cases = [
            ("{cs,faults}:W", 2, Invalid, weak),
            ("{cs,faults}", 2, Invalid, Invalid),
            ("{cs,faults}:W", 3, Invalid, Invalid),
            ("{cs,faults}:W", 2, NotSupported, NotSupported),
            ("{cs,faults}:W", 2, Busy, Busy),
            ("{cs,faults}:W", 3, Busy, Busy),
            ("{cs,faults}", 2, Busy, Busy),
        ];
        for (text, config, kind, expected) in cases {
            let refuses = |attr: &Attr, _| (attr.words().config() == config).then_some(kind);
            let answer = opened(text, refuses).0;
            assert_eq!(answer, Err(expected), "{text} {config} {kind:?}");
        }
    }

    /// An event whose counter the program cannot read is counted all the same.
    #[test]
    fn reads_that_are_refused() {
        use ErrorKind::{Invalid, NoSpace, NotSupported};
        let ask = Words::NONE.with(Word::Config1, 2);
        for (refused, own, expected) in [
            (None, 0, Ok(2)),
            (Some(Invalid), 0, Ok(0)),
            (Some(NotSupported), 1, Ok(1)),
            (Some(NoSpace), 0, Err(NoSpace)),
            // Asked for by the user.
            (Some(NotSupported), 2, Err(NotSupported)),
        ] {
            let resolved = System::at("/nonexistent").require("cycles").unwrap();
            let mut events: Vec<SetEvent> = resolved.into_iter().map(SetEvent::new).collect();
            events[0].attr = events[0].attr.with_words(Words::NONE.with(Word::Config1, own));
            events[0].ask(ask);
            let open = |attr: &Attr, _: Target, _: Option<&Attr>| match refused {
                Some(kind) if attr.words().get(Word::Config1) & 2 != 0 => {
                    Err(Error::new(kind, 0, "it cannot be read"))
                }
                _ => Ok(*attr),
            };
            let targets = [Target::ThisThread];
            let answer = everywhere(&[0], &targets, &Options::new(), &mut events, &open);
            let found = match answer {
                Ok(spots) => Ok(spots[0].1[0].words().get(Word::Config1)),
                Err(Refusal::Member(_, error) | Refusal::Fatal(error)) => Err(error.kind()),
                Err(Refusal::Weak) => panic!("it is no group"),
            };
            assert_eq!(found, expected, "{refused:?} {own}");
        }
    }

    /// Of several threads, some may have ended; if all have, nothing is open.
    #[test]
    fn threads_that_have_ended() {
        let threads: Vec<Target> = [7, 8, 9].map(Target::Thread).into();
        for ended in [&[][..], &[8], &[7, 9], &[7, 8, 9]] {
            let resolved = System::at("/nonexistent").require("cs").unwrap();
            let mut events: Vec<SetEvent> = resolved.into_iter().map(SetEvent::new).collect();
            let open = |_: &Attr, target: Target, _: Option<&Target>| match target {
                Target::Thread(id) if ended.contains(&id) => {
                    Err(Error::new(ErrorKind::NoSuchTask, 3, "it has ended"))
                }
                target => Ok(target),
            };
            let answer = everywhere(&[0], &threads, &Options::new(), &mut events, &open);
            let alive = |target: &Target| !ended.iter().any(|&id| *target == Target::Thread(id));
            let expected: Vec<Target> = threads.iter().copied().filter(alive).collect();
            match answer {
                Ok(spots) => {
                    let open: Vec<Target> = spots.iter().map(|(target, _)| *target).collect();
                    assert_eq!(open, expected);
                    assert!(!open.is_empty(), "all have ended");
                }
                Err(Refusal::Fatal(error)) => {
                    assert_eq!(error.to_string(), "`cs`: it has ended");
                    assert_eq!(expected, []);
                }
                Err(_) => panic!("{ended:?}"),
            }
        }
        // Without a target there is nothing to be refused.
        let mut events = Vec::new();
        let open = |_: &Attr, target: Target, _: Option<&Target>| Ok(target);
        let answer = everywhere(&[], &[], &Options::new(), &mut events, &open);
        assert!(answer.is_ok_and(|spots| spots.is_empty()));
    }

    /// If no attributes work on all targets, there is no count.
    #[test]
    fn places_that_contradict_each_other() {
        let refuses = |attr: &Attr, cpu: u32| match (cpu, attr.has(Flag::ExcludeGuest)) {
            (0, false) => Some(ErrorKind::NotSupported),
            (1, true) => Some(ErrorKind::Invalid),
            _ => None,
        };
        assert_eq!(opened("cycles", refuses).0, Err(ErrorKind::NotSupported));
    }
}
