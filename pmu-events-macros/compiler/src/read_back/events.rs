//! Events: every field, and the look-up by name.

use pmu_events_core::__private::flags::Flag;
use pmu_events_core::__private::name;
use pmu_events_core::__private::wire::record::{Extras, ModelRecord, flag, repair};
use pmu_events_core::__private::wire::{BRIEF, PUBLIC, Section, StrRef, Wire, index, read_u8};
use pmu_events_core::pmu;

use super::shared::Reader;
use crate::assemble::tree::{Item, Table};
use crate::entry::Entry;
use crate::entry::event_string::Shown;
use crate::entry::stated::Texts;
use crate::options::Text;

const NO_EXTRAS: Extras = Extras {
    sample_after: 0,
    msr_value: 0,
    latency_mean: StrRef::NONE,
    latency_min: StrRef::NONE,
    latency_max: StrRef::NONE,
    other_event: StrRef::NONE,
    pairs: StrRef::NONE,
};

/// The bits between the last flag and what follows.
const UNUSED: u16 = (1 << flag::FIRST_OTHER) - (1 << Flag::ALL.len());

impl<'t> Reader<'_, 't> {
    /// `Err` is the name of an event that does not read back.
    pub(super) fn events(
        &mut self,
        record: &ModelRecord,
        table: &'t Table<'_>,
    ) -> Result<(), &'t str> {
        for (entry, item) in table.events.iter().enumerate() {
            let number = self.wire.number(Section::Entries, record.entries as usize + entry);
            let found = find(self.wire, record, &item.key);
            if !self.is_event(number, item)
                || (found != number && !stands_for(self.wire, record, found, item))
            {
                return Err(&item.key);
            }
        }
        Ok(())
    }

    fn is_event(&mut self, number: usize, item: &'t Item<'_>) -> bool {
        // A new field must be considered here.
        let Entry {
            place: _,
            name,
            pmu,
            event,
            own_event: _,
            brief,
            public,
            texts: Texts { scale_unit, compat, errata, latency_mean, latency_min, latency_max },
            count,
            flags,
            precise,
            notes,
            counter_kind,
            counters,
            msr: [msr, msr_other],
            msr_value,
            sample_after,
            metric: _,
            counter_numbers: _,
            has_code: _,
            is_whole: _,
            perf,
            evidence: _,
            pairs,
            reference: _,
        } = &*item.entry;
        let wire = self.wire;
        let record = wire.event_record(number);
        let traits = wire.traits(record.traits);
        let extras = wire.extras(traits.extras).unwrap_or(NO_EXTRAS);
        let has = |bit: u16| traits.flags & bit != 0;
        let is_unused = |bit: u16, value: u64| has(bit) || value == 0;
        let shown = Shown::of(wire.str(record.event), traits.msr);
        // As the look-ups read them: values that are not stored are in the
        // event string.
        let own_sample = has(flag::OWN_SAMPLE_AFTER).then_some(extras.sample_after);
        let own_msr = has(flag::OWN_MSR_VALUE).then_some(extras.msr_value);
        let vendor_event = item.entry.vendor_event();
        let perf_event = perf.as_ref().map(|perf| &*perf.event).filter(|other| other != event);
        Some(wire.str(record.name)) == name.as_ref().map(|name| &*name.text)
            && wire.str(record.event) == event
            && self.pmu(traits.pmu) == *pmu
            && self.topic(traits.topic) == item.topic
            && Flag::ALL.iter().all(|&flag| flag.is_in(traits.flags) == flags.has(flag))
            && traits.flags & UNUSED == 0
            && traits.repair >> repair::WHY_SHIFT == u32::from(item.entry.reasons())
            && traits.repair & repair::ALL == item.entry.repair()
            && wire.count(traits.count) == count.record()
            && wire.optional(wire.successor(number)) == item.successor.as_deref()
            && wire.optional(extras.pairs) == pairs.as_deref()
            && has(flag::VENDOR_EVENT) == vendor_event.is_some()
            && wire.optional(extras.other_event) == vendor_event.or(perf_event)
            && traits.flags >> flag::PRECISE_SHIFT == u16::from(precise.unwrap_or(0))
            && (traits.counter_kind, traits.counters) == (*counter_kind, *counters)
            && [traits.msr, traits.msr_other] == [*msr, *msr_other]
            && (traits.extras == 0) == (extras == NO_EXTRAS)
            && is_unused(flag::OWN_SAMPLE_AFTER, extras.sample_after)
            && is_unused(flag::OWN_MSR_VALUE, extras.msr_value)
            && (sample_after.is_none() || own_sample.or(shown.sample_after) == *sample_after)
            && (*msr == 0 || msr_value.is_none() || own_msr.or(shown.msr_value) == *msr_value)
            && self.is(traits.scale_unit, scale_unit)
            && self.is(traits.compat, compat)
            && self.is_compat(traits.compat_pattern, compat)
            && self.is(traits.errata, errata)
            && self.is(extras.latency_mean, latency_mean)
            && self.is(extras.latency_min, latency_min)
            && self.is(extras.latency_max, latency_max)
            && self.are_notes(traits.brief_notes, &notes.brief, Text::Brief)
            && self.are_notes(traits.public_notes, &notes.public, Text::Full)
            && self.is_text(wire.event_text(number, BRIEF), brief, Text::Brief)
            && self.is_text(wire.event_text(number, PUBLIC), public, Text::Full)
    }
}

/// The number that a model's index has for a name.
fn find(wire: &Wire<'_>, record: &ModelRecord, name: &str) -> usize {
    if record.bucket_count == 0 {
        return usize::MAX;
    }
    let hash = name::hash(name);
    let bucket = record.buckets + index::bucket(hash, record.bucket_count);
    let displacement = read_u8(wire.section(Section::Buckets), bucket as usize);
    let slot = record.slots + index::slot(hash, displacement, record.slot_count);
    wire.number(Section::Slots, slot as usize)
}

/// Whether the event that the index gives for an item's name may be another
/// PMU's: one of the same model and name, and not in place of the core PMU's.
fn stands_for(wire: &Wire<'_>, record: &ModelRecord, found: usize, item: &Item<'_>) -> bool {
    let event = wire.event_record(found);
    let pmu = wire.nth_str(Section::Pmus, wire.traits(event.traits).pmu as usize);
    let mut entries = record.entries as usize..(record.entries + record.entry_count) as usize;
    name::eq(wire.str(event.name), &item.key)
        && pmu != item.entry.pmu
        && (pmu::is_core(pmu) || !pmu::is_core(&item.entry.pmu))
        && entries.any(|entry| wire.number(Section::Entries, entry) == found)
}
