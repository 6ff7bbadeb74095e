//! The events that the advice names, as far as this machine can sample them.

use pmu_events::Scope;
use pmu_events::resolve::{Resolution, Resolved};
use pmu_events::sample::Sampler;
use pmu_events::topdown::{self, Hierarchy};

use super::how::How;
use crate::stat::reason;
use crate::topdown::setting::Setting;
use crate::topdown::walk::Walk;

/// Events to sample.
pub(super) struct Advised {
    resolution: Resolution,
    /// What each event of the resolution is, in their order.
    pub(super) events: Vec<Event>,
}

/// An event to sample.
pub(super) struct Event {
    /// As the advice names it.
    pub(super) advised: String,
    /// As it is sampled.
    pub(super) name: String,
    /// Its kind of core, if that has a tree of its own.
    pub(super) pmu: Option<String>,
}

/// The modifiers that ask for precision in the advice.
const PRECISE: &str = ":pp";

impl Advised {
    /// The events of all findings; `None` if there is none. Each that cannot be sampled has a
    /// note.
    pub(super) fn of(
        walks: &[Walk<'_>],
        setting: &Setting<'_>,
        how: &How,
        notes: &mut Vec<String>,
    ) -> Option<Self> {
        let machine = setting.system.machine(&setting.scope());
        let mut advised: Vec<String> = Vec::new();
        let mut has_findings = false;
        for drill in walks.iter().flat_map(Walk::drills) {
            for leaf in drill.leaves() {
                has_findings = true;
                for sample in topdown::samples(drill.tree(), leaf.number(), &machine) {
                    if !advised.iter().any(|known| known == sample.event()) {
                        advised.push(sample.event().to_owned());
                    }
                }
            }
        }
        if advised.is_empty() {
            notes.push(match has_findings {
                false => "there is no finding, so that nothing was sampled".into(),
                true => "the tables name no event to sample, so that nothing was sampled".into(),
            });
            return None;
        }
        let mut all = Advised { resolution: Resolution::empty(setting.system), events: Vec::new() };
        let trees: Vec<&Hierarchy> = walks.iter().flat_map(Walk::trees).collect();
        for one in advised {
            let (name, resolution) = match with_fallback(&one, setting, how, notes) {
                Ok(found) => found,
                Err(why) => {
                    notes.push(format!("`{one}` cannot be sampled: {why}"));
                    continue;
                }
            };
            all.events.extend(resolution.events().iter().map(|event| Event {
                advised: one.clone(),
                name: name.clone(),
                pmu: kind_of(event, &trees),
            }));
            all.resolution.append(resolution);
        }
        if all.events.is_empty() {
            notes.push("no event of the findings can be sampled, so that nothing was".into());
            return None;
        }
        Some(all)
    }

    pub(super) fn resolution(&self) -> Resolution {
        self.resolution.clone()
    }
}

/// The kind of core of an event; `None` if one tree is that of all cores.
fn kind_of(event: &Resolved, trees: &[&Hierarchy]) -> Option<String> {
    let pmu = event.pmu().filter(|pmu| pmu.is_core())?;
    let own = trees.iter().find(|tree| pmu.is_of_unit(tree.pmu()))?;
    Some(own.pmu().to_owned())
}

/// An event, as it can be sampled: precisely or, where the machine does not know where exactly an
/// event occurred, as most virtual machines, without that.
fn with_fallback(
    advised: &str,
    setting: &Setting<'_>,
    how: &How,
    notes: &mut Vec<String>,
) -> Result<(String, Resolution), String> {
    let name = with_modifiers(advised, setting.modifiers);
    let why = match resolved(&name, setting, how) {
        Ok(resolution) => return Ok((name, resolution)),
        Err(why) => why,
    };
    let Some(plain) = advised.strip_suffix(PRECISE) else { return Err(why) };
    let plain = with_modifiers(plain, setting.modifiers);
    match resolved(&plain, setting, how) {
        Ok(resolution) => {
            notes.push(format!(
                "`{name}` cannot be sampled precisely ({why}), so that `{plain}` was: the \
                 instructions are those somewhat after the event"
            ));
            Ok((plain, resolution))
        }
        Err(_) => Err(why),
    }
}

/// The name with further modifiers.
fn with_modifiers(name: &str, modifiers: &str) -> String {
    let separator = match name.rsplit_once([':', '/']) {
        _ if modifiers.is_empty() => "",
        Some((before, behind)) if name.as_bytes()[before.len()] == b':' || behind.is_empty() => "",
        _ => ":",
    };
    format!("{name}{separator}{modifiers}")
}

/// The event, if it can be opened. The command is not there yet, so that tasks are tried on this
/// one.
fn resolved(name: &str, setting: &Setting<'_>, how: &How) -> Result<Resolution, String> {
    let resolution = setting.system.require(name).map_err(|error| error.message().to_string())?;
    let scope = match setting.scope() {
        scope @ (Scope::AllCpus | Scope::Cpus(_)) => scope,
        _ => Scope::ThisThread,
    };
    let options = how.options(scope).with_pages(1).with_enable_on_exec(false);
    match Sampler::open(&resolution, &options) {
        Ok(_) => Ok(resolution),
        Err(error) => {
            let why = reason(&error);
            // The event is named before.
            Err(why.strip_prefix(&format!("`{name}`: ")).unwrap_or(&why).to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_modifiers() {
        for (name, modifiers, expected) in [
            ("A.B:pp", "", "A.B:pp"),
            ("A.B:pp", "u", "A.B:ppu"),
            ("A.B", "k", "A.B:k"),
            ("ibs_op//", "u", "ibs_op//u"),
            ("cpu/event=1/", "k", "cpu/event=1/k"),
        ] {
            assert_eq!(with_modifiers(name, modifiers), expected);
        }
    }
}
