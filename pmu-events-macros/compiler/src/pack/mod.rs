//! Packs a validated tree into the two constants that the core reads. The head
//! of [`pmu_events_core::__private::wire`] explains the layout.

mod automaton;
mod draft;
mod groups;
mod index;
mod limit;
mod numbering;
mod programs;
mod strings;
mod texts;

use std::collections::HashMap;

use pmu_events_core::__private::cpuid::MatchRule;
use pmu_events_core::__private::name;
use pmu_events_core::__private::wire::record::{
    FormulaRecord, GroupRecord, LiteralRecord, MadeRecord, MidrRecord, ModelRecord, NodeRecord,
    RowRecord, RunRecord, SuccessorRecord,
};
use pmu_events_core::__private::wire::{
    BRIEF, HEADER, PUBLIC, SECTIONS, STEPPINGS, Section, StrRef, VERSION, WIDE, member_numbers,
    number_size,
};
use pmu_events_core::pmu;

use crate::assemble::tree::{Table, Tree};
use crate::formula::Resolved;
use crate::hierarchy::Node;
use crate::options::Text;
use crate::validate::Patterns;
use limit::{MODELS, STRINGS, TABLES, TEXTS, WORDS, fit};
use numbering::Drafts;

/// The constants of a tree.
pub(crate) struct Packed {
    pub(crate) strings: String,
    pub(crate) tables: Vec<u8>,
}

/// Packs a tree. `Err` says which limit of the format it exceeds.
pub(crate) fn pack<'t>(
    resolved: &'t Resolved<'_>,
    hierarchies: &[Vec<Node>],
    patterns: &'t Patterns<'_>,
    level: Text,
) -> Result<Packed, String> {
    let drafts = numbering::draft(resolved, patterns, level)?;
    // Texts and strings are independent until both are done.
    let (texts, layout) = std::thread::scope(|scope| {
        let texts = scope.spawn(|| texts::pack(drafts.texts.items()));
        let layout = drafts.strings.layout();
        (texts.join(), layout)
    });
    let texts = texts.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let mut out = Writer::new(layout?, texts, &drafts, level);
    out.shared(&drafts)?;
    out.models(&resolved.tree, hierarchies, &drafts)?;
    out.rows(&resolved.tree, patterns, &drafts)?;
    out.patterns(patterns, &drafts)?;
    out.finish()
}

/// The sections as they are filled.
struct Writer<'t> {
    layout: strings::Layout,
    texts: texts::Texts<'t>,
    sections: [Vec<u8>; SECTIONS],
    flags: u16,
}

impl<'t> Writer<'t> {
    fn new(
        layout: strings::Layout,
        texts: texts::Texts<'t>,
        drafts: &Drafts<'_>,
        level: Text,
    ) -> Self {
        let groups = drafts.groups.all.len();
        let most = [drafts.events.len(), drafts.metrics.len(), drafts.largest_table, groups];
        let wide = most.iter().any(|&count| count >= usize::from(u16::MAX));
        let flags = if wide { WIDE } else { 0 }
            | match level {
                Text::None => 0,
                Text::Brief => BRIEF,
                Text::Full => BRIEF | PUBLIC,
            };
        Writer { layout, texts, sections: std::array::from_fn(|_| Vec::new()), flags }
    }

    fn put(&mut self, section: Section, bytes: &[u8]) {
        self.sections[section as usize].extend_from_slice(bytes);
    }

    fn len(&self, section: Section) -> usize {
        self.sections[section as usize].len()
    }

    /// A number of an event, entry or metric.
    fn put_number(&mut self, section: Section, number: u32) {
        // A tree is wide if two bytes are too few for one of its numbers; the
        // numbers of free slots mean nothing.
        self.put(section, &number.to_le_bytes()[..self.number_size()]);
    }

    fn number_size(&self) -> usize {
        number_size(self.flags)
    }

    fn str_ref(&self, number: u32) -> Result<StrRef, String> {
        let (offset, len) =
            (self.layout.offsets[number as usize], self.layout.lengths[number as usize]);
        if offset as usize > StrRef::MAX_OFFSET {
            return Err(STRINGS.to_owned());
        }
        let len = u8::try_from(len).map_err(|_| {
            let start: String = self.layout.text[offset as usize..].chars().take(40).collect();
            format!("a string is longer than 255 bytes: `{start}…`")
        })?;
        Ok(StrRef { offset, len })
    }

    /// The parts shared by all models: traits, events, metrics, groups, texts.
    fn shared(&mut self, drafts: &Drafts<'t>) -> Result<(), String> {
        for (section, numbers) in
            [(Section::Pmus, &drafts.pmu_strings), (Section::Topics, &drafts.topic_strings)]
        {
            for &number in numbers {
                let packed = self.str_ref(number)?.pack().to_le_bytes();
                self.put(section, &packed);
            }
        }
        for extras in drafts.extras.items() {
            let record = draft::extras(extras, &|number| self.str_ref(number))?;
            record.write(&mut |bytes| self.put(Section::Extras, bytes));
        }
        for count in drafts.counts.items() {
            let record = draft::count(count)?;
            record.write(&mut |bytes| self.put(Section::Counts, bytes));
        }
        for traits in drafts.traits.items() {
            let record = draft::traits(traits, &|number| self.str_ref(number))?;
            record.write(&mut |bytes| self.put(Section::Traits, bytes));
        }
        for event in &drafts.events {
            let record = draft::event(event, &|number| self.str_ref(number))?;
            record.write(&mut |bytes| self.put(Section::Events, bytes));
            self.put_texts(Section::Events, [event.brief, event.public])?;
        }
        // In the order of the events, by which they are found.
        for (number, event) in (0..).zip(&drafts.events) {
            if let Some(name) = event.successor {
                let record = SuccessorRecord { event: number, name: self.str_ref(name)? };
                record.write(&mut |bytes| self.put(Section::Successors, bytes));
            }
        }
        for metric in &drafts.metrics {
            let record = draft::metric(metric, &|number| self.str_ref(number))?;
            record.write(&mut |bytes| self.put(Section::Metrics, bytes));
            self.put_texts(Section::Metrics, [metric.brief, metric.public])?;
        }
        for traits in drafts.metric_traits.items() {
            let record = draft::metric_traits(traits, &|number| self.str_ref(number), &|number| {
                draft::long(&self.layout.offsets, &self.layout.lengths, number)
            })?;
            record.write(&mut |bytes| self.put(Section::MetricTraits, bytes));
        }
        for &(group, text) in &drafts.groups.all {
            let description = self.text_ref(text)?;
            let record = GroupRecord { name: self.str_ref(group)?, description };
            record.write(&mut |bytes| self.put(Section::Groups, bytes));
        }
        self.formulas(drafts)
    }

    fn formulas(&mut self, drafts: &Drafts<'t>) -> Result<(), String> {
        let written = drafts.programs.write(&|number| self.str_ref(number))?;
        for &program in &written.offsets {
            FormulaRecord { program }.write(&mut |bytes| self.put(Section::Formulas, bytes));
        }
        self.put(Section::Programs, &written.programs);
        self.put(Section::Constants, &written.constants);
        for record in &drafts.references {
            record.write(&mut |bytes| self.put(Section::References, bytes));
        }
        Ok(())
    }

    fn put_texts(&mut self, section: Section, [brief, public]: [u32; 2]) -> Result<(), String> {
        for (flag, text) in [(BRIEF, brief), (PUBLIC, public)] {
            if self.flags & flag != 0 {
                let offset = self.text_ref(text)?;
                self.put(section, &offset.to_le_bytes()[..3]);
            }
        }
        Ok(())
    }

    fn text_ref(&self, text: u32) -> Result<u32, String> {
        if text == draft::NO_TEXT {
            return Ok(0);
        }
        let offset = self.texts.offsets[text as usize];
        if offset >= 1 << 24 {
            return Err(TEXTS.to_owned());
        }
        Ok(offset)
    }

    fn models(
        &mut self,
        tree: &Tree<'_>,
        hierarchies: &[Vec<Node>],
        drafts: &Drafts<'_>,
    ) -> Result<(), String> {
        for (number, (table, nodes)) in tree.tables.iter().zip(hierarchies).enumerate() {
            self.model(table, nodes, drafts, number)?;
        }
        if self.len(Section::Lists) > 0 {
            // So that the last bits, too, are read eight bytes at once.
            self.put(Section::Lists, &[0; 8]);
        }
        Ok(())
    }

    fn model(
        &mut self,
        table: &Table<'_>,
        nodes: &[Node],
        drafts: &Drafts<'_>,
        number: usize,
    ) -> Result<(), String> {
        let entries = &drafts.entries[number];
        let first_run = self.len(Section::Runs) / RunRecord::SIZE;
        let runs = self.runs(table, drafts)?;
        let first_entry = self.len(Section::Entries) / self.number_size();
        entries.iter().for_each(|&event| self.put_number(Section::Entries, event));
        let keys = index_keys(table);
        let index = index::build(&keys).ok_or("two names have the same hash")?;
        let first_bucket = self.len(Section::Buckets);
        self.put(Section::Buckets, &index.displacements);
        let first_slot = self.len(Section::Slots) / self.number_size();
        for &entry in &index.slots {
            let event = entries.get(entry as usize).copied().unwrap_or(index::FREE);
            self.put_number(Section::Slots, event);
        }
        let first_metric = self.len(Section::Lists) / self.number_size();
        let metrics = &drafts.lists[number];
        metrics.iter().for_each(|&metric| self.put_number(Section::Lists, metric));
        if !metrics.is_empty() {
            let numbers = member_numbers(drafts.metrics.len(), self.flags);
            let mut members = vec![0u8; numbers * self.number_size()];
            metrics.iter().for_each(|&metric| members[metric as usize / 8] |= 1 << (metric % 8));
            self.put(Section::Lists, &members);
            let groups = &drafts.groups.of_tables[number];
            self.put_number(Section::Lists, fit(groups.len(), TABLES)?);
            groups.iter().for_each(|&group| self.put_number(Section::Lists, group));
        }
        let first_node = self.len(Section::Nodes) / NodeRecord::SIZE;
        for node in nodes {
            let record = draft::node(node)?;
            record.write(&mut |bytes| self.put(Section::Nodes, bytes));
        }
        let record = ModelRecord {
            name: self.str_ref(drafts.model_names[number])?,
            origin: match drafts.origins[number] {
                Some(origin) => self.str_ref(origin)?,
                None => StrRef::NONE,
            },
            sys: u8::from(table.directory.sys),
            runs: fit(first_run, TABLES)?,
            run_count: runs,
            entries: fit(first_entry, TABLES)?,
            entry_count: fit(entries.len(), TABLES)?,
            buckets: fit(first_bucket, TABLES)?,
            bucket_count: if keys.is_empty() { 0 } else { fit(index.displacements.len(), TABLES)? },
            slots: fit(first_slot, TABLES)?,
            slot_count: fit(index.slots.len(), TABLES)?,
            metrics: fit(first_metric, TABLES)?,
            metric_count: fit(metrics.len(), TABLES)?,
            nodes: fit(first_node, TABLES)?,
            node_count: fit(nodes.len(), TABLES)?,
            lacks: draft::long(&self.layout.offsets, &self.layout.lengths, drafts.lacks[number]),
        };
        record.write(&mut |bytes| self.put(Section::Models, bytes));
        Ok(())
    }

    /// One run for each PMU of a table; how many.
    fn runs(&mut self, table: &Table<'_>, drafts: &Drafts<'_>) -> Result<u32, String> {
        let (mut first, mut count) = (0, 0);
        // Of a unit that is counted twice, the first.
        let units = table.counters.iter().rev();
        let counters: HashMap<&str, [Option<u8>; 2]> =
            units.map(|(unit, numbers)| (unit.as_str(), *numbers)).collect();
        for run in table.events.chunk_by(|a, b| a.entry.pmu == b.entry.pmu) {
            let pmu = &*run[0].entry.pmu;
            let [general, fixed] = counters.get(pmu).copied().unwrap_or_default();
            let record = RunRecord {
                pmu: drafts.pmu_number(pmu)?,
                general: general.unwrap_or(u8::MAX),
                fixed: fixed.unwrap_or(u8::MAX),
                first,
                count: fit(run.len(), TABLES)?,
            };
            record.write(&mut |bytes| self.put(Section::Runs, bytes));
            first += record.count;
            count += 1;
        }
        Ok(count)
    }

    /// The rows of the files of CPUs.
    fn rows(
        &mut self,
        tree: &Tree<'_>,
        patterns: &Patterns<'_>,
        drafts: &Drafts<'_>,
    ) -> Result<(), String> {
        let rows = tree.rows.iter().map(|&(_, table)| (Section::Rows, table));
        let fallbacks = tree.fallbacks.iter().map(|&(_, table)| (Section::FallbackRows, table));
        for (section, table) in rows.chain(fallbacks) {
            let record = RowRecord { model: fit(table, MODELS)? };
            record.write(&mut |bytes| self.put(section, bytes));
        }
        for (&(_, table), &text) in tree.made.iter().zip(&drafts.made) {
            let record = MadeRecord { model: fit(table, MODELS)?, text: self.str_ref(text)? };
            record.write(&mut |bytes| self.put(Section::MadeRows, bytes));
        }
        for (section, midrs) in
            [(Section::Midrs, &patterns.midrs), (Section::MadeMidrs, &patterns.made_midrs)]
        {
            for midr in midrs {
                let record = MidrRecord { part: midr.part(), version: midr.version() };
                record.write(&mut |bytes| self.put(section, bytes));
            }
        }
        if patterns.rule == MatchRule::X86 {
            self.flags |= STEPPINGS;
        }
        Ok(())
    }

    fn patterns(&mut self, patterns: &Patterns<'_>, drafts: &Drafts<'_>) -> Result<(), String> {
        let sections = [
            (Section::CpuidLiterals, Section::Cpuids),
            (Section::CompatLiterals, Section::Compats),
            (Section::MadeLiterals, Section::Made),
            (Section::FallbackLiterals, Section::Fallbacks),
        ];
        for ((literals, automata), (set, texts)) in
            sections.into_iter().zip(patterns.sets().into_iter().zip(&drafts.literals))
        {
            for (&text, &number) in texts.iter().zip(set.literals.values()) {
                let record = LiteralRecord { text: self.str_ref(text)?, number };
                record.write(&mut |bytes| self.put(literals, bytes));
            }
            if let Some(machine) = &set.machine {
                let bytes = automaton::pack(machine)?;
                self.put(automata, &bytes);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Packed, String> {
        let mut strings = std::mem::take(&mut self.layout.text);
        let words = std::mem::take(&mut self.texts.words);
        // The words follow the strings; all of them are distinct.
        for word in &words {
            // No word is longer than the longest piece of a text.
            let at = StrRef { offset: fit(strings.len(), WORDS)?, len: fit(word.len(), WORDS)? };
            if at.offset as usize > StrRef::MAX_OFFSET {
                return Err(WORDS.to_owned());
            }
            strings.push_str(word);
            self.put(Section::Words, &at.pack().to_le_bytes());
        }
        let stream = std::mem::take(&mut self.texts.stream);
        self.put(Section::Texts, &stream);
        let size = self.sections.iter().map(Vec::len).sum::<usize>() + HEADER;
        let mut tables = Vec::with_capacity(size);
        for half in [VERSION, self.flags, u16::from(self.texts.short_codes), fit(SECTIONS, TABLES)?]
        {
            tables.extend(half.to_le_bytes());
        }
        let mut end = HEADER;
        for section in &self.sections {
            end += section.len();
            tables.extend(fit::<_, u32>(end, TABLES)?.to_le_bytes());
        }
        self.sections.iter().for_each(|section| tables.extend(section));
        Ok(Packed { strings, tables })
    }
}

/// Each distinct name of a table, as its hash, with its entry: the core PMU's,
/// otherwise the first.
fn index_keys(table: &Table<'_>) -> Vec<(u64, u32)> {
    let mut keys: Vec<(u64, bool, u32)> = Vec::with_capacity(table.events.len());
    for (entry, item) in (0..).zip(&table.events) {
        keys.push((name::hash(&item.key), !pmu::is_core(&item.entry.pmu), entry));
    }
    keys.sort_unstable();
    // Equal hashes mean equal names: reading the tables back detects different
    // ones.
    keys.dedup_by_key(|key| key.0);
    keys.into_iter().map(|(hash, _, entry)| (hash, entry)).collect()
}
