//! `ratio-to-prev`: sampling an event only where its rate, relative to the previous
//! event's, exceeds a limit.
//!
//! Each of the two counters has a period. The one that reaches it first reloads the
//! other; a bit mask of members of the group says which
//! (`evsel__apply_ratio_to_prev` in `tools/perf/util/evsel.c` and
//! `arch_evsel__apply_ratio_to_prev` in `tools/perf/arch/x86/util/evsel.c` of Linux
//! 6.18; auto counter reload in Intel's manual, volume 3).

use core::ops::Range;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::parsed::Parsed;
use super::{Error, ErrorKind, Missing, Resolved, group};
use crate::config::Sampling;
use crate::format::Word;
use crate::order::sort_by;
use crate::sysfs::{Pmu, Sysfs};
use pmu_events_core::__private::term::PerfTerm;

/// The format of the mask.
const MASK: &str = "acr_mask";

/// Sets masks and periods in all groups. An event for which that is impossible becomes
/// a missing one.
pub(super) fn apply(
    (all, ends): (Vec<Resolved>, Vec<usize>),
    missing: &mut Vec<Missing>,
    list: &Parsed<'_>,
    sysfs: &Sysfs,
) -> (Vec<Resolved>, Vec<usize>) {
    let mut has_ratio = false;
    for one in &all {
        has_ratio = has_ratio || one.attributes().ratio_to_prev().is_some();
    }
    if !has_ratio {
        return (all, ends);
    }
    let (mut kept, mut kept_ends): (Vec<Resolved>, _) = (Vec::new(), Vec::new());
    let mut failed: Vec<Missing> = Vec::new();
    let (mut rest, mut start) = (all.into_iter(), 0);
    for end in ends {
        let mut of_group: Vec<Resolved> = Vec::new();
        let mut lost: Option<Error> = None;
        for n in 0..end - start {
            let Some(mut one) = rest.next() else { break };
            let ratio = one.attributes().ratio_to_prev().map(String::from);
            let applied = match (&lost, ratio) {
                (Some(lost), _) => Err(lost.clone().at(list.span_of(one.event()))),
                (None, None) => Ok(()),
                (None, Some(ratio)) => {
                    let span = list.term_span(one.event(), PerfTerm::RatioToPrev);
                    relate(&mut of_group, &mut one, &ratio, span, sysfs)
                }
            };
            let Err(error) = applied else {
                of_group.push(one);
                continue;
            };
            if n == 0 {
                lost = Some(error.of_leader(&format!("`{}` leads its group: ", one.name())));
            }
            let place = kept.len() + of_group.len();
            for missing in missing.iter_mut() {
                missing.shift_behind(place);
            }
            failed.push(Missing::new(one.name(), one.event(), error, place));
        }
        start = end;
        if !of_group.is_empty() {
            kept.append(&mut of_group);
            kept_ends.push(kept.len());
        }
    }
    // It may have been possible on another PMU.
    for one in failed {
        let mut is_kept = false;
        for kept in &kept {
            is_kept |= kept.event() == one.event();
        }
        if !is_kept {
            missing.push(one);
        }
    }
    sort_by(missing, |a, b| a.event().cmp(&b.event()));
    let mut each: Vec<Missing> = Vec::with_capacity(missing.len());
    for one in core::mem::take(missing) {
        if each.last().is_none_or(|last| last.event() != one.event()) {
            each.push(one);
        }
    }
    *missing = each;
    (kept, kept_ends)
}

/// Relates an event to the last of the members before it.
fn relate(
    before: &mut [Resolved],
    this: &mut Resolved,
    ratio: &str,
    span: Range<usize>,
    sysfs: &Sysfs,
) -> Result<(), Error> {
    let refused = |message: String| Error::new(ErrorKind::Ratio, span.clone(), message);
    let own = before.len();
    let Some(previous) = before.last_mut() else {
        let message = "term `ratio-to-prev` needs another event before it in its group";
        return Err(refused(message.into()));
    };
    let pmus = [&*previous, &*this].map(|one| group::pmu_of(one, sysfs));
    let [Some(of_previous), Some(pmu)] = pmus.map(|pmu| pmu.filter(|pmu| pmu.is_core())) else {
        return Err(refused("term `ratio-to-prev` is only for events of a core PMU".into()));
    };
    if of_previous.name() != pmu.name() {
        let message = format!(
            "term `ratio-to-prev` needs events of one PMU: `{}` is of `{}`, this one of `{}`",
            previous.name(),
            of_previous.name(),
            pmu.name()
        );
        return Err(refused(message));
    }
    has_mask(pmu, &span)?;
    for one in [&*previous, &*this] {
        if one.words().get(Word::Config2) != 0 {
            let message = format!(
                "`{}` already sets config2, where term `ratio-to-prev` puts its mask",
                one.name()
            );
            return Err(refused(message));
        }
    }
    let ratio = ratio.parse().ok().filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0);
    let Some(ratio) = ratio else {
        return Err(refused("the value of `ratio-to-prev` is not a positive number".into()));
    };
    let periods = match (previous.attributes().period(), this.attributes().period()) {
        (Some(period), _) => [Some(period), period_of(period as f64 * ratio)],
        (None, Some(period)) => [period_of(period as f64 / ratio), Some(period)],
        (None, None) => {
            let message = "term `ratio-to-prev` needs a term `period` on one of the two events";
            return Err(refused(message.into()));
        }
    };
    let [Some(first), Some(second)] = periods else {
        let message = "`ratio-to-prev` and `period` result in a period of 0, or one beyond 64 bits";
        return Err(refused(message.into()));
    };
    // The previous event reloads this one; this one reloads both.
    let Some(own) = 1_u64.checked_shl(own as u32) else {
        return Err(refused(
            "term `ratio-to-prev` is only for the first 64 events of a group".into(),
        ));
    };
    let other = own >> 1;
    previous.reloads(own, Sampling::Period(first));
    this.reloads(own | other, Sampling::Period(second));
    Ok(())
}

/// Whether the PMU's counters reload each other, and the mask is all of `config2`.
fn has_mask(pmu: &Pmu, span: &Range<usize>) -> Result<(), Error> {
    let what = match pmu.format(MASK) {
        Some(format) if format.word() == Word::Config2 => return Ok(()),
        Some(_) => "is not in config2",
        None => "is missing",
    };
    let message = format!(
        "the counters of PMU `{}` cannot reload each other: its format `{MASK}` {what}",
        pmu.name()
    );
    Err(Error::new(ErrorKind::NoReload, span.clone(), message))
}

fn period_of(period: f64) -> Option<u64> {
    (1.0..u64::MAX as f64).contains(&period).then_some(period as u64)
}
