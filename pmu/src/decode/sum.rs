//! Unit masks that no event has: the events that make them up, and the part of a larger event that
//! they lack.

use pmu_events::format::{Format, Formats, Words};

use super::coded::{Coded, OfModel};
use super::restriction::{self, Restriction};

/// Events whose unit masks add up to that of a code.
pub(crate) struct Sum {
    pub(crate) parts: Vec<OfModel>,
    pub(crate) by: Restriction,
    /// The smallest event of which the code is a part, and what of it is missing.
    pub(crate) whole: Option<Whole>,
}

/// An event that has all bits of a code's unit mask, and others.
#[derive(Clone)]
pub(crate) struct Whole {
    pub(crate) of: OfModel,
    /// The unit mask that the code lacks.
    pub(crate) umask: u64,
    /// Events that make up that mask; none if the table does not name all of its bits.
    pub(crate) missing: Vec<OfModel>,
}

/// The events of one code, each with its unit mask.
struct Family<'e> {
    umask: Format,
    members: Vec<(&'e Coded, u64)>,
}

impl<'e> Family<'e> {
    /// The events that differ from the words only in the unit mask.
    fn of(words: Words, events: &'e [Coded], formats: Formats<'_>) -> Option<Self> {
        let umask = formats.find("umask")?;
        let rest = |words: Words| words.with(umask.word(), words.get(umask.word()) & !umask.mask());
        let is_member = |own: &&Coded| rest(own.words) == rest(words);
        let members = events.iter().filter(is_member).map(|own| (own, umask.value_in(own.words)));
        let members: Vec<_> = members.filter(|(_, mask)| *mask != 0).collect();
        (!members.is_empty()).then_some(Family { umask, members })
    }

    /// Events whose masks have each bit of a mask, and no other: few of them, without common bits
    /// if there are such.
    fn parts(&self, mask: u64) -> Option<Vec<OfModel>> {
        let mut within: Vec<_> =
            self.members.iter().filter(|(_, own)| own & !mask == 0 && *own != mask).collect();
        within.sort_by_key(|(own, bits)| {
            (own.of.event.is_deprecated(), u32::MAX - bits.count_ones(), *bits)
        });
        let covering = |is_disjoint: bool| {
            let (mut left, mut parts) = (mask, Vec::new());
            for (own, bits) in &within {
                let is_next = if is_disjoint { bits & !left == 0 } else { bits & left != 0 };
                if left != 0 && is_next {
                    parts.push(own.of);
                    left &= !bits;
                }
            }
            (left == 0).then_some(parts)
        };
        covering(true).or_else(|| covering(false))
    }

    /// The smallest event with all bits of a mask and others.
    fn whole(&self, mask: u64) -> Option<Whole> {
        let larger = self.members.iter().filter(|(_, own)| mask & !own == 0 && *own != mask);
        let by_size = larger
            .min_by_key(|(own, bits)| (own.of.event.is_deprecated(), bits.count_ones(), *bits));
        let (own, bits) = by_size?;
        let lacks = bits & !mask;
        // Masks may share bits, which then do not tell them apart.
        let is_missing = |part: u64| part & !bits == 0 && lacks & !part == 0 && part != *bits;
        let one = self.members.iter().filter(|(_, part)| is_missing(*part));
        let one =
            one.min_by_key(|(own, part)| (own.of.event.is_deprecated(), part.count_ones(), *part));
        let missing = one.map(|(own, _)| vec![own.of]).or_else(|| self.parts(lacks));
        Some(Whole { of: own.of, umask: lacks, missing: missing.unwrap_or_default() })
    }
}

/// The events that make up a unit mask that no event has.
pub(crate) fn find(words: Words, events: &[Coded], formats: Formats<'_>) -> Option<Sum> {
    let (plain, by) = restriction::split(words, formats);
    let family = Family::of(plain, events, formats)?;
    // Nothing adds up to no unit mask, and it is a part of each.
    let mask = Some(family.umask.value_in(plain)).filter(|mask| *mask != 0)?;
    let parts = family.parts(mask)?;
    Some(Sum { parts, by, whole: family.whole(mask) })
}

/// The events of which the words are a part, each with the unit mask that they lack, smaller ones
/// first.
pub(crate) fn wholes(words: Words, events: &[Coded], formats: Formats<'_>) -> Vec<(OfModel, u64)> {
    let Some(family) = Family::of(words, events, formats) else { return Vec::new() };
    let mask = family.umask.value_in(words);
    let larger = family.members.iter().filter(|(own, bits)| {
        mask != 0 && mask & !bits == 0 && *bits != mask && !own.of.event.is_deprecated()
    });
    let mut wholes: Vec<_> = larger.map(|(own, bits)| (own.of, bits & !mask)).collect();
    wholes.sort_by_key(|(_, lacks)| (lacks.count_ones(), *lacks));
    wholes
}

/// The events that differ from the words only in the unit mask, each with its own.
pub(crate) fn siblings(
    words: Words,
    events: &[Coded],
    formats: Formats<'_>,
) -> Vec<(OfModel, u64)> {
    let family = Family::of(words, events, formats);
    let members = family.into_iter().flat_map(|family| family.members);
    members.map(|(own, umask)| (own.of, umask)).collect()
}
