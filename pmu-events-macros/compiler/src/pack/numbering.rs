//! Numbers everything and places nothing: the strings of events and metrics are
//! still numbers. Equal ones are merged from here on.

use pmu_events_core::__private::wire::record::{CountRecord, ReferenceRecord, flag, repair};

use super::draft::{
    CountDraft, EventDraft, ExtrasDraft, MetricDraft, MetricTraitsDraft, NO_STRING, NO_TEXT,
    TraitsDraft,
};
use super::groups::Groups;
use super::limit::{PMUS, SAME_NAME, TABLES, fit};
use super::programs::Programs;
use super::strings::Strings;
use crate::assemble::tree::{Item, Table, Tree};
use crate::cost::intern::Interner;
use crate::entry::Entry;
use crate::entry::fields::Value;
use crate::entry::stated::Texts;
use crate::formula::{Formulas, Program, Resolved};
use crate::options::Text;
use crate::validate::Patterns;

/// The numbered parts of a tree.
pub(super) struct Drafts<'t> {
    pub(super) strings: Strings<'t>,
    pub(super) texts: Interner<&'t str>,
    pmus: Interner<&'t str>,
    pub(super) pmu_strings: Vec<u32>,
    pub(super) topic_strings: Vec<u32>,
    pub(super) traits: Interner<TraitsDraft>,
    pub(super) extras: Interner<ExtrasDraft>,
    pub(super) metric_traits: Interner<MetricTraitsDraft>,
    pub(super) counts: Interner<CountDraft>,
    /// Distinct ones, by name.
    pub(super) events: Vec<EventDraft>,
    /// Distinct ones, by name.
    pub(super) metrics: Vec<MetricDraft>,
    /// For each table, the numbers of its events.
    pub(super) entries: Vec<Vec<u32>>,
    /// For each table, the numbers of its metrics.
    pub(super) lists: Vec<Vec<u32>>,
    pub(super) model_names: Vec<u32>,
    pub(super) origins: Vec<Option<u32>>,
    /// What each table lacks.
    pub(super) lacks: Vec<u64>,
    pub(super) groups: Groups,
    pub(super) programs: Programs<'t>,
    /// The metrics that programs refer to.
    pub(super) references: Vec<ReferenceRecord>,
    pub(super) largest_table: usize,
    /// The plain texts among the patterns, in the order of [`Patterns::sets`].
    pub(super) literals: [Vec<u32>; 4],
    /// The patterns of `cpus.csv`.
    pub(super) made: Vec<u32>,
}

impl Drafts<'_> {
    pub(super) fn pmu_number(&self, pmu: &str) -> Result<u16, String> {
        let number = self.pmus.find(pmu).ok_or("a PMU has no number")?;
        fit(number, PMUS)
    }
}

/// Numbers everything.
pub(super) fn draft<'t>(
    resolved: &'t Resolved<'_>,
    patterns: &'t Patterns<'_>,
    level: Text,
) -> Result<Drafts<'t>, String> {
    let tree = &resolved.tree;
    let mut drafter = Drafter {
        strings: Strings::new(),
        texts: Interner::new(),
        pmus: Interner::new(),
        topics: Interner::new(),
        traits: Interner::new(),
        extras: Interner::new(),
        metric_traits: Interner::new(),
        counts: Interner::new(),
        programs: Programs::new(),
        references: Vec::new(),
        compats: patterns.compat_texts.iter().copied().collect(),
        level,
    };
    // PMUs and topics are numbered in sorted order, so that the numbers do not
    // depend on the order of files.
    let all = || tree.tables.iter().flat_map(|table| table.events.iter().chain(&table.metrics));
    for pmu in sorted(all().map(|item| &*item.entry.pmu)) {
        drafter.pmus.number(pmu);
    }
    for topic in sorted(all().map(|item| item.topic)) {
        drafter.topics.number(topic);
    }
    let (events, entries) = drafter.events(tree);
    let (metrics, lists) = drafter.metrics(resolved)?;
    let model_names =
        tree.tables.iter().map(|table| drafter.strings.number(&table.directory.path)).collect();
    let mut origin = |table: &'t Table<'_>| Some(drafter.strings.number(table.origin.as_ref()?));
    let origins = tree.tables.iter().map(&mut origin).collect();
    let keeps_words = level != Text::None;
    let mut lack = |table: &'t Table<'_>| match &*table.lacks {
        lacks if keeps_words && !lacks.is_empty() => u64::from(drafter.strings.number(lacks)),
        _ => NO_STRING,
    };
    let lacks = tree.tables.iter().map(&mut lack).collect();
    let literals = patterns
        .sets()
        .map(|set| set.literals.keys().map(|text| drafter.strings.number(text)).collect());
    let made = tree.made.iter().map(|(row, _)| drafter.strings.number(&row.pattern)).collect();
    let Drafter { strings, texts, .. } = &mut drafter;
    let describe = (level != Text::None).then_some(|text: &'t str| texts.number(text));
    let groups = Groups::of(tree, strings, describe)?;
    let Drafter {
        mut strings,
        texts,
        pmus,
        topics,
        traits,
        extras,
        metric_traits,
        counts,
        programs,
        references,
        compats: _,
        level: _,
    } = drafter;
    Ok(Drafts {
        pmu_strings: pmus.items().iter().map(|pmu| strings.number(pmu)).collect(),
        topic_strings: topics.items().iter().map(|topic| strings.number(topic)).collect(),
        pmus,
        strings,
        texts,
        traits,
        extras,
        metric_traits,
        counts,
        events,
        metrics,
        largest_table: entries.iter().map(Vec::len).max().unwrap_or(0),
        entries,
        lists,
        model_names,
        origins,
        lacks,
        groups,
        programs,
        references,
        literals,
        made,
    })
}

fn sorted<'t>(all: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    // Neighbours are mostly equal: drop those before sorting.
    let mut list: Vec<&str> = Vec::new();
    for item in all {
        if list.last() != Some(&item) {
            list.push(item);
        }
    }
    list.sort_by_key(|item| item.replace(',', "_"));
    list.dedup();
    list
}

struct Drafter<'t, 'c> {
    strings: Strings<'t>,
    texts: Interner<&'t str>,
    pmus: Interner<&'t str>,
    topics: Interner<&'t str>,
    traits: Interner<TraitsDraft>,
    extras: Interner<ExtrasDraft>,
    metric_traits: Interner<MetricTraitsDraft>,
    counts: Interner<CountDraft>,
    programs: Programs<'t>,
    references: Vec<ReferenceRecord>,
    compats: Interner<&'c str>,
    level: Text,
}

impl<'t> Drafter<'t, '_> {
    /// Distinct events by name, and which of them each table has.
    fn events(&mut self, tree: &'t Tree<'_>) -> (Vec<EventDraft>, Vec<Vec<u32>>) {
        let mut distinct: Interner<[u32; 6]> = Interner::new();
        // The lower-case name of each, by which they are ordered.
        let mut keys: Vec<&str> = Vec::new();
        let mut tables: Vec<Vec<u32>> = Vec::with_capacity(tree.tables.len());
        for table in &tree.tables {
            let mut entries = Vec::with_capacity(table.events.len());
            for item in &table.events {
                let number = distinct.number(self.event(item));
                if number as usize == keys.len() {
                    keys.push(&item.key);
                }
                entries.push(number);
            }
            tables.push(entries);
        }
        let (order, renumbered) = ordered(&keys);
        for entries in &mut tables {
            entries.iter_mut().for_each(|number| *number = renumbered[*number as usize]);
        }
        let events = order
            .iter()
            .map(|&number| {
                let [name, event, traits, brief, public, successor] =
                    distinct.items()[number as usize];
                let successor = successor.checked_sub(1);
                EventDraft { name, event, traits, brief, public, successor }
            })
            .collect();
        (events, tables)
    }

    fn text_or_none(&mut self, text: Option<&'t str>) -> u64 {
        text.map_or(NO_STRING, |text| u64::from(self.strings.number(text)))
    }

    fn event(&mut self, item: &'t Item<'_>) -> [u32; 6] {
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
        let shown = crate::entry::event_string::Shown::of(event, *msr);
        // Values that the event string shows are not stored again.
        let own_sample = sample_after.filter(|_| *sample_after != shown.sample_after);
        let own_msr = msr_value.filter(|_| *msr != 0 && *msr_value != shown.msr_value);
        let mut flags = flags.bits() | u16::from(precise.unwrap_or(0)) << flag::PRECISE_SHIFT;
        for (bit, is_set) in [
            (flag::OWN_SAMPLE_AFTER, own_sample.is_some()),
            (flag::OWN_MSR_VALUE, own_msr.is_some()),
            (flag::VENDOR_EVENT, item.entry.vendor_event().is_some()),
        ] {
            flags |= if is_set { bit } else { 0 };
        }
        let why = u32::from(item.entry.reasons()) << repair::WHY_SHIFT;
        let perf_event = perf.as_ref().map(|perf| &*perf.event).filter(|other| other != event);
        let vendor_event = item.entry.vendor_event();
        let extras = [
            own_sample.unwrap_or(0),
            own_msr.unwrap_or(0),
            self.optional(latency_mean),
            self.optional(latency_min),
            self.optional(latency_max),
            self.text_or_none(vendor_event.or(perf_event)),
            self.text_or_none(pairs.as_deref()),
        ];
        let extras = match extras {
            [0, 0, NO_STRING, NO_STRING, NO_STRING, NO_STRING, NO_STRING] => 0,
            extras => u64::from(self.extras.number(extras)) + 1,
        };
        let count = count.record().map_or(0, |count| {
            let CountRecord { multiplier, divisor, quantity, scope } = count;
            let draft = [multiplier, divisor, quantity.into(), scope.into()];
            u64::from(self.counts.number(draft)) + 1
        });
        let traits = [
            u64::from(self.pmus.number(pmu)),
            u64::from(self.topics.number(item.topic)),
            u64::from(flags),
            u64::from(*counter_kind),
            extras,
            count,
            u64::from(item.entry.repair() | why),
            *counters,
            u64::from(*msr),
            u64::from(*msr_other),
            self.optional(scale_unit),
            self.optional(compat),
            u64::from(self.compat_pattern(compat)),
            self.optional(errata),
            self.notes(&notes.brief, Text::Brief),
            self.notes(&notes.public, Text::Full),
        ];
        let name = name.as_ref().map_or("", |name| &*name.text);
        [
            self.strings.number(name),
            self.strings.number(event),
            self.traits.number(traits),
            self.text(brief, Text::Brief),
            self.text(public, Text::Full),
            item.successor.as_ref().map_or(0, |name| self.strings.number(name) + 1),
        ]
    }

    /// Distinct metrics by name, and which of them each table has.
    fn metrics(
        &mut self,
        resolved: &'t Resolved<'_>,
    ) -> Result<(Vec<MetricDraft>, Vec<Vec<u32>>), String> {
        let mut distinct: Interner<[u32; 7]> = Interner::new();
        let mut keys: Vec<&str> = Vec::new();
        let mut tables: Vec<Vec<u32>> = Vec::with_capacity(resolved.formulas.len());
        for (table, formulas) in resolved.tree.tables.iter().zip(&resolved.formulas) {
            let mut list = Vec::with_capacity(table.metrics.len());
            for (item, formulas) in table.metrics.iter().zip(formulas) {
                let number = distinct.number(self.metric(item, formulas));
                if number as usize == keys.len() {
                    keys.push(&item.key);
                }
                list.push(number);
            }
            tables.push(list);
        }
        let (order, renumbered) = ordered(&keys);
        for list in &mut tables {
            list.iter_mut().for_each(|number| *number = renumbered[*number as usize]);
        }
        let in_order: Vec<&str> = order.iter().map(|&number| keys[number as usize]).collect();
        let named = |name: &&str| {
            let first = in_order.partition_point(|key| key < name);
            let count = in_order[first..].iter().take_while(|key| *key == name).count();
            Ok(ReferenceRecord { first: fit(first, TABLES)?, count: fit(count, SAME_NAME)? })
        };
        self.references =
            self.programs.references().iter().map(named).collect::<Result<_, String>>()?;
        let draft = |&number: &u32| {
            let [name, expression, threshold, pmu, traits, brief, public] =
                distinct.items()[number as usize];
            MetricDraft { name, formulas: [expression, threshold], pmu, traits, brief, public }
        };
        Ok((order.iter().map(draft).collect(), tables))
    }

    fn metric(&mut self, item: &'t Item<'_>, formulas: &'t Formulas) -> [u32; 7] {
        let entry = &item.entry;
        let crate::entry::Metric {
            name,
            // Their programs are packed.
            expression: _,
            threshold: _,
            groups,
            no_group,
            default_group,
            sample_with,
            difference,
            aggregation,
            constraint,
            show_events,
        } = &entry.metric;
        let traits = [
            self.optional(groups),
            self.optional(no_group),
            self.optional(default_group),
            self.optional(sample_with),
            if self.level == Text::None { NO_STRING } else { self.optional(difference) },
            self.optional(&entry.texts.scale_unit),
            self.optional(&entry.texts.compat),
            u64::from(self.compat_pattern(&entry.texts.compat)),
            u64::from(self.topics.number(item.topic)),
            u64::from(aggregation.unwrap_or(0)),
            u64::from(constraint.unwrap_or(0)),
            u64::from(*show_events == Some(true)),
        ];
        [
            self.strings.number(name.as_ref().map_or("", |name| &*name.text)),
            self.formula(&formulas.expression),
            self.formula(&formulas.threshold),
            self.pmus.number(&entry.pmu),
            self.metric_traits.number(traits),
            self.text(&entry.brief, Text::Brief),
            self.text(&entry.public, Text::Full),
        ]
    }

    /// The number of a formula plus one; zero for none.
    fn formula(&mut self, program: &'t Option<Program>) -> u32 {
        match program {
            Some(program) => self.programs.number(program, &mut self.strings) + 1,
            None => 0,
        }
    }

    fn optional(&mut self, value: &'t Option<Value<'_>>) -> u64 {
        match value {
            Some(value) => u64::from(self.strings.number(&value.text)),
            None => NO_STRING,
        }
    }

    /// Notes are kept with the text that they belong to.
    fn notes(&mut self, notes: &'t str, from: Text) -> u64 {
        if notes.is_empty() || !self.keeps_text(from) {
            return NO_STRING;
        }
        u64::from(self.strings.number(notes))
    }

    /// Whether descriptions that are kept from a level on are kept.
    fn keeps_text(&self, from: Text) -> bool {
        self.level == from || self.level == Text::Full
    }

    /// The number of a description that is kept from a level on.
    fn text(&mut self, value: &'t Option<Value<'_>>, from: Text) -> u32 {
        match value {
            Some(value) if self.keeps_text(from) => self.texts.number(&value.text),
            _ => NO_TEXT,
        }
    }

    /// The number of a `Compat` pattern plus one.
    fn compat_pattern(&self, compat: &Option<Value<'_>>) -> u32 {
        let text = compat.as_ref().map(|compat| &*compat.text);
        text.and_then(|text| self.compats.find(text)).map_or(0, |number| number + 1)
    }
}

/// Puts numbered things in the order of their keys: the old numbers in their
/// new order, and the new number of each old one.
fn ordered(keys: &[&str]) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<(&str, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut renumbered = vec![0; keys.len()];
    for (new, &(_, old)) in (0..).zip(&order) {
        renumbered[old as usize] = new;
    }
    (order.into_iter().map(|(_, old)| old).collect(), renumbered)
}
