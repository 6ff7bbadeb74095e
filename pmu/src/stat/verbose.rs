//! The output of `--verbose`: how and where each event is open, and what the
//! kernel made it leave out.

use std::fmt::Write;

use pmu_events::Event;
use pmu_events::open::{Attr, Counters, Flag, SetEvent, Target};
use pmu_events::resolve::Resolved;

/// Attributes that counting may set, by the names of `perf_event_attr`.
pub(crate) const FLAGS: [(Flag, &str); 12] = [
    (Flag::Disabled, "disabled"),
    (Flag::Inherit, "inherit"),
    (Flag::Pinned, "pinned"),
    (Flag::Exclusive, "exclusive"),
    (Flag::ExcludeUser, "exclude_user"),
    (Flag::ExcludeKernel, "exclude_kernel"),
    (Flag::ExcludeHv, "exclude_hv"),
    (Flag::ExcludeIdle, "exclude_idle"),
    (Flag::EnableOnExec, "enable_on_exec"),
    (Flag::ExcludeHost, "exclude_host"),
    (Flag::ExcludeGuest, "exclude_guest"),
    (Flag::AuxOutput, "aux_output"),
];

/// The lines, without their ends.
pub(crate) fn lines(counters: &Counters) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, event) in counters.events().iter().enumerate() {
        let name = event.name();
        let Some(attr) = event.attr() else {
            lines.push(match event.refusal() {
                Some(refusal) => format!("`{name}` is not open: {refusal}"),
                None => format!("`{name}` needs no counter"),
            });
            continue;
        };
        lines.push(format!("`{name}`: {}", words(attr)));
        lines.push(format!("`{name}` is open for {}", places(counters.targets(n))));
        let table_event = event.resolved().and_then(Resolved::table_event);
        let differs = table_event.and_then(Event::perf_differs);
        if let Some(differs) = differs.filter(|differs| differs.changes_count()) {
            lines.push(format!("`{name}`: {differs}"));
        }
        let changes = changes(event, attr);
        if !changes.is_empty() {
            lines.push(format!("`{name}` was refused at first; changed: {changes}"));
        }
    }
    lines
}

/// The fields that are not 0, as `pmu encode` shows them.
fn words(attr: &Attr) -> String {
    let mut text = format!("type={} config={:#x}", attr.type_(), attr.words().config());
    let words = attr.words().iter().skip(1).map(|(word, bits)| (word.name(), bits));
    let others = [("bp_type", attr.bp_type().into()), ("read_format", attr.read_format().bits())];
    for (name, word) in words.chain(others).filter(|(_, word)| *word != 0) {
        let _ = write!(text, " {name}={word:#x}");
    }
    for (_, name) in FLAGS.iter().filter(|(flag, _)| attr.has(*flag)) {
        let _ = write!(text, " {name}");
    }
    text
}

fn places(targets: impl Iterator<Item = Target>) -> String {
    let places: Vec<String> = targets.map(|target| target.to_string()).collect();
    if places.is_empty() { "no task and no CPU".into() } else { places.join(", ") }
}

/// What the kernel made it leave out or include, and whether it left its group.
fn changes(event: &SetEvent, attr: &Attr) -> String {
    let Some(asked) = event.resolved().map(Attr::counting) else {
        return String::new();
    };
    let changed = FLAGS
        .iter()
        .filter(|(flag, name)| name.starts_with("exclude_") && asked.has(*flag) != attr.has(*flag));
    let change = |&(flag, name): &(Flag, &str)| format!("{name}={}", u8::from(attr.has(flag)));
    let mut changes: Vec<String> = changed.map(change).collect();
    if event.is_alone() {
        changes.push("alone instead of in its group".into());
    }
    changes.join(", ")
}
