//! Reading records by their number.

use super::bytes::read_u24;
use super::layout::{BRIEF, PUBLIC, Section, member_numbers};
use super::record::{
    CountRecord, EventRecord, Extras, MetricRecord, MetricTraits, SuccessorRecord, Traits,
};
use super::reference::StrRef;
use super::sections::Wire;

impl Wire<'_> {
    /// The size of an event record with its text references.
    #[inline]
    #[must_use]
    pub const fn event_size(&self) -> usize {
        self.event_size as usize
    }

    /// Returns the number of distinct events.
    #[must_use]
    pub const fn event_count(&self) -> usize {
        self.section(Section::Events).len() / self.event_size()
    }

    /// Reads an event's record.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub const fn event_record(&self, number: usize) -> EventRecord {
        EventRecord::read(self.section(Section::Events), number.saturating_mul(self.event_size()))
    }

    /// Reads an event's brief or public text reference, by its flag.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub const fn event_text(&self, number: usize, which: u16) -> u32 {
        let start = number.saturating_mul(self.event_size());
        self.text_behind(Section::Events, start.saturating_add(EventRecord::SIZE), which)
    }

    /// The size of a metric record with its text references.
    #[must_use]
    pub const fn metric_size(&self) -> usize {
        self.metric_size as usize
    }

    /// Returns the size of the bitmap of a model's metrics, in numbers.
    #[must_use]
    pub const fn member_numbers(&self) -> usize {
        let metrics = self.section(Section::Metrics).len() / self.metric_size();
        member_numbers(metrics, self.flags)
    }

    /// Reads a metric's record.
    #[inline]
    #[must_use]
    pub const fn metric_record(&self, number: usize) -> MetricRecord {
        MetricRecord::read(
            self.section(Section::Metrics),
            number.saturating_mul(self.metric_size()),
        )
    }

    /// Reads a metric's brief or public text reference, by its flag.
    #[must_use]
    pub const fn metric_text(&self, number: usize, which: u16) -> u32 {
        let start = number.saturating_mul(self.metric_size());
        self.text_behind(Section::Metrics, start.saturating_add(MetricRecord::SIZE), which)
    }

    /// Reads the traits of metrics with a number.
    #[inline]
    #[must_use]
    pub const fn metric_traits(&self, number: u32) -> MetricTraits {
        MetricTraits::nth(self.section(Section::MetricTraits), number as usize)
    }

    /// Reads the traits of events with a number.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub const fn traits(&self, number: u16) -> Traits {
        Traits::nth(self.section(Section::Traits), number as usize)
    }

    /// Reads extras, by their number plus one, as in traits.
    #[inline]
    #[must_use]
    pub const fn extras(&self, number: u16) -> Option<Extras> {
        match (number as usize).checked_sub(1) {
            Some(number) => Some(Extras::nth(self.section(Section::Extras), number)),
            None => None,
        }
    }

    /// Reads the unit and scope of a count, by their number plus one, as in traits.
    #[inline]
    #[must_use]
    pub const fn count(&self, number: u8) -> Option<CountRecord> {
        match (number as usize).checked_sub(1) {
            Some(number) => Some(CountRecord::nth(self.section(Section::Counts), number)),
            None => None,
        }
    }

    /// Returns the name of an event's successor.
    #[must_use]
    pub const fn successor(&self, event: usize) -> StrRef {
        let records = self.section(Section::Successors);
        let (mut low, mut high) = (0, records.len() / SuccessorRecord::SIZE);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = SuccessorRecord::nth(records, middle);
            if record.event as usize == event {
                return record.name;
            }
            if (record.event as usize) < event {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        StrRef::NONE
    }

    /// The text reference after a record that ends at `end`.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    const fn text_behind(&self, section: Section, end: usize, which: u16) -> u32 {
        if !self.has(which) {
            return 0;
        }
        let is_second = which == PUBLIC && self.has(BRIEF);
        read_u24(self.section(section), end.saturating_add(3 * is_second as usize))
    }
}
