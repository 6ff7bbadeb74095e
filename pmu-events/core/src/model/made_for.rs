//! For which CPUs a model was made.

use core::fmt;

use super::Model;
use crate::cpuid::Midr;
use crate::packed::Tree;
use crate::wire::Section;
use crate::wire::record::{MadeRecord, MidrRecord, RowRecord};

/// Whether the events of a model are those of a CPU.
///
/// A row of a map file may be open-ended: it names all CPUs of a family, or all later
/// revisions of a core. So it also matches CPUs that did not exist when the table was
/// made, and such a CPU may lack events or count something else under their names.
///
/// ```
/// use pmu_events::{arch::x86, model::MadeFor};
///
/// let model = x86::model("GenuineIntel-6-8F-8").unwrap();
/// assert_eq!(model.made_for("GenuineIntel-6-8F-8"), MadeFor::This);
/// assert_eq!(x86::model("GenuineIntel-6-FF-0").unwrap().made_for("GenuineIntel-6-FF-0"), MadeFor::Architecture);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MadeFor {
    /// The table was made for this CPU.
    This,
    /// The table was made for other CPUs, and this one, probably later, has it only
    /// because a row of the map file is open-ended.
    Others,
    /// No row of the map file matches: the table has the events that the architecture
    /// names, and a CPU may lack some of them.
    Architecture,
    /// The tree does not say for which CPUs the table was made.
    Unknown,
}

impl Model {
    /// Returns whether the table was made for a CPU, by its CPUID in perf's form.
    ///
    /// A tree says so in `cpus.csv`, beside its map file, whose columns are a pattern of
    /// CPUIDs and a directory. The pattern is like one of the map file, except that for
    /// arm64 it is the latest variant and revision for which the table was made.
    /// `fallback.csv` names, in the same columns, the models of architectures.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    /// use pmu_events::model::MadeFor;
    ///
    /// // Zen 5, and a model number that no CPU has had when this was written.
    /// let zen5 = x86::model("AuthenticAMD-26-44-0").unwrap();
    /// assert_eq!(zen5.made_for("AuthenticAMD-26-44-0"), MadeFor::This);
    /// let later = x86::model("AuthenticAMD-26-F8-0").unwrap();
    /// assert_eq!(later.made_for("AuthenticAMD-26-F8-0"), MadeFor::Others);
    /// ```
    #[must_use]
    pub const fn made_for(self, cpuid: &str) -> MadeFor {
        if self.is_made_for(cpuid) {
            MadeFor::This
        } else if self.is_fallback_of(cpuid) {
            MadeFor::Architecture
        } else if self.made_cpuids().number().is_some() {
            MadeFor::Others
        } else {
            MadeFor::Unknown
        }
    }

    /// Returns the CPUIDs for which the table was made, as the patterns of the tree's
    /// `cpus.csv`, in its order. There are none if the tree does not say.
    ///
    /// ```
    /// use pmu_events::arch::arm64;
    ///
    /// // Revisions up to r4p1.
    /// assert!(arm64::ARM_NEOVERSE_N1.cpuids().eq(["0x00000000414fd0c1"]));
    /// ```
    pub const fn cpuids(self) -> impl Iterator<Item = &'static str> + Clone + fmt::Debug {
        self.made_cpuids()
    }

    const fn made_cpuids(self) -> Cpuids {
        Cpuids { tree: self.tree, model: self.number, next: 0 }
    }

    /// Returns a note for users if the table was not made for a CPU, which is the one of
    /// the given CPUID. There is none if the tree does not say for which CPUs it was made.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let model = x86::model("AuthenticAMD-26-F8-0").unwrap();
    /// let note = model.note("AuthenticAMD-26-F8-0").unwrap();
    /// assert!(note.to_string().starts_with("no table is made for CPU `AuthenticAMD-26-F8-0`"));
    /// assert!(model.note("AuthenticAMD-17-1-2").is_some(), "nor is it for Zen 1");
    /// assert!(x86::AMDZEN5.note("AuthenticAMD-26-44-0").is_none());
    /// ```
    #[must_use]
    pub const fn note(self, cpuid: &str) -> Option<Note<'_>> {
        match self.made_for(cpuid) {
            MadeFor::This | MadeFor::Unknown => None,
            made_for => Some(Note { model: self, cpuid, made_for }),
        }
    }

    const fn is_made_for(self, cpuid: &str) -> bool {
        let wire = &self.tree.wire;
        let midrs = wire.section(Section::MadeMidrs);
        let matching = wire.made().matching(cpuid);
        let midr = Midr::parse(cpuid);
        let mut cpuids = self.made_cpuids();
        while let Some(number) = cpuids.number() {
            let is_its = match midr {
                // Only trees of arm64 have registers.
                _ if midrs.is_empty() => matching.contains(number),
                Err(_) => false,
                Ok(midr) => {
                    let latest = MidrRecord::nth(midrs, number as usize);
                    midr.part() == latest.part && midr.version() <= latest.version
                }
            };
            if is_its {
                return true;
            }
        }
        false
    }

    /// Whether this is the model of CPUs that no row matches, and one of them has the
    /// CPUID.
    const fn is_fallback_of(self, cpuid: &str) -> bool {
        if self.tree.row(cpuid).is_some() {
            return false;
        }
        matches!(self.tree.fallback(cpuid), Some(model) if model.number == self.number)
    }
}

impl Tree {
    /// The model of a CPU that no row of the map file matches.
    pub(crate) const fn fallback(&'static self, cpuid: &str) -> Option<Model> {
        let Some(row) = self.wire.fallbacks().matching(cpuid).first() else { return None };
        let rows = self.wire.section(Section::FallbackRows);
        let at = (row as usize).saturating_mul(RowRecord::SIZE);
        if at >= rows.len() {
            return None;
        }
        Some(Model::new(self, RowRecord::read(rows, at).model as usize))
    }
}

/// The CPUIDs for which a model was made; see [`Model::cpuids`]. In a `const fn`, `step`
/// takes the place of `next`.
#[derive(Clone, Debug)]
pub(crate) struct Cpuids {
    tree: &'static Tree,
    model: u16,
    next: u32,
}

impl Cpuids {
    /// The number of the next pattern.
    const fn number(&mut self) -> Option<u32> {
        let rows = self.tree.wire.section(Section::MadeRows);
        while (self.next as usize) < rows.len() / MadeRecord::SIZE {
            let number = self.next;
            self.next += 1;
            if MadeRecord::nth(rows, number as usize).model == self.model {
                return Some(number);
            }
        }
        None
    }
}

impl Iterator for Cpuids {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let number = self.number()?;
        let rows = self.tree.wire.section(Section::MadeRows);
        Some(self.tree.wire.str(MadeRecord::nth(rows, number as usize).text))
    }
}

/// A note for users that the events they see were not made for their CPU. It displays
/// itself as a sentence without a full stop.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let model = x86::model("GenuineIntel-6-FF-0").unwrap();
/// let note = model.note("GenuineIntel-6-FF-0").unwrap();
/// assert!(note.to_string().contains("no table is made for CPU `GenuineIntel-6-FF-0`"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'c> {
    model: Model,
    cpuid: &'c str,
    made_for: MadeFor,
}

impl<'c> Note<'c> {
    /// Returns the model whose events stand in for those of the CPU.
    #[must_use]
    pub const fn model(self) -> Model {
        self.model
    }

    /// Returns the CPUID.
    #[must_use]
    pub const fn cpuid(self) -> &'c str {
        self.cpuid
    }

    /// Returns for which CPUs the table was made: others, or all of an architecture.
    #[must_use]
    pub const fn made_for(self) -> MadeFor {
        self.made_for
    }
}

impl fmt::Display for Note<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Note { model, cpuid, made_for } = self;
        write!(f, "no table is made for CPU `{cpuid}`: ")?;
        let name = model.name();
        match made_for {
            MadeFor::Architecture => {
                write!(
                    f,
                    "`{name}` has the events that the architecture names, and the CPU may lack some"
                )
            }
            _ => write!(
                f,
                "the events are those of `{name}`, and the CPU may lack some or count something \
                 different under their names"
            ),
        }
    }
}
