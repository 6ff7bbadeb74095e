//! Look-ups in a whole tree.

use core::fmt;

use crate::cpuid::patterns::Patterns;
use crate::cpuid::{self, Midr};
use crate::event::Event;
use crate::metric::group::DescribedGroups;
use crate::model::{Model, Models};
use crate::name;
use crate::packed::Tree;
use crate::sys::SysEvents;
use crate::text::Text;
use crate::wire::Section;
use crate::wire::record::{GroupRecord, MidrRecord, RowRecord};

impl Tree {
    /// Finds the model of a CPU by its CPUID in perf's form: the first matching
    /// row of the map file. The function `model` that the macro emits next to a
    /// tree does the same.
    ///
    /// The row may be open-ended, so that it matches CPUs for which the table was not
    /// made: [`Model::made_for`] tells. If no row matches, the result is the table of the
    /// events that the CPU's architecture names
    /// ([`MadeFor::Architecture`](crate::model::MadeFor::Architecture)), if the tree has
    /// one.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let model = x86::TREE.model("GenuineIntel-6-37-8").unwrap();
    /// assert_eq!(model.name(), "silvermont");
    /// assert!(x86::TREE.model("another").is_none());
    /// // No table has this CPU, and its architecture names a few events.
    /// let model = x86::TREE.model("GenuineIntel-31-1-0").unwrap();
    /// assert_eq!(model.name(), "architecture");
    /// assert!(model.event("inst_retired.any_p").is_some());
    /// ```
    #[must_use]
    pub const fn model(&'static self, cpuid: &str) -> Option<Model> {
        let Some(row) = self.row(cpuid) else {
            return self.fallback(cpuid);
        };
        let rows = self.wire.section(Section::Rows);
        let at = (row as usize).saturating_mul(RowRecord::SIZE);
        if at >= rows.len() {
            return None;
        }
        Some(Model::new(self, RowRecord::read(rows, at).model as usize))
    }

    /// The first matching row of the map file.
    pub(crate) const fn row(&self, cpuid: &str) -> Option<u32> {
        let midrs = self.wire.section(Section::Midrs);
        if midrs.is_empty() {
            return self.cpuids().matching(cpuid).first();
        }
        let Ok(midr) = Midr::parse(cpuid) else {
            return None;
        };
        let mut row = 0;
        while row < midrs.len() / MidrRecord::SIZE {
            let MidrRecord { part, version } = MidrRecord::nth(midrs, row);
            if midr.part() == part && midr.version() >= version {
                return Some(row as u32);
            }
            row += 1;
        }
        None
    }

    /// Returns the CPU models of the tree, sorted by directory.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// for model in x86::TREE.models() {
    ///     println!("{}: {} events", model.name(), model.event_count());
    /// }
    /// ```
    #[must_use]
    pub const fn models(&'static self) -> Models {
        Models::new(self, false)
    }

    /// Returns the sys tables: events of system PMUs, which belong to no CPU
    /// model.
    #[must_use]
    pub const fn sys_tables(&'static self) -> Models {
        Models::new(self, true)
    }

    /// Finds the model of a directory, such as `silvermont` or `arm/neoverse-n1`, or of a
    /// CPU by its [name](crate::cpuid::of_name), such as `neoverse-v2`. Case does not
    /// matter, and a directory goes before a CPU.
    ///
    /// ```
    /// use pmu_events::arch::arm64;
    ///
    /// let model = arm64::TREE.model_named("neoverse-v2").unwrap();
    /// assert_eq!(model.name(), "arm/neoverse-n2-v2");
    /// ```
    #[must_use]
    pub const fn model_named(&'static self, named: &str) -> Option<Model> {
        let mut models = self.models();
        while let Some(model) = models.step() {
            if name::eq(model.name(), named) {
                return Some(model);
            }
        }
        match cpuid::of_name(named) {
            Some(cpuid) => self.model(cpuid),
            None => None,
        }
    }

    /// Returns the sys-table events for one PMU of the running system: those
    /// whose unit matches the PMU's name and whose `Compat` pattern matches the
    /// whole `identifier` (`/sys/bus/event_source/devices/<pmu>/identifier`).
    ///
    /// ```
    /// use pmu_events::arch::arm64;
    ///
    /// let mut events = arm64::TREE.sys_events("arm_cmn_0", "43401");
    /// assert!(events.any(|event| event.name() == "hnf_cache_miss"));
    /// assert_eq!(arm64::TREE.sys_events("arm_cmn_0", "other").count(), 0);
    /// ```
    pub const fn sys_events<'n>(
        &'static self,
        pmu: &'n str,
        identifier: &str,
    ) -> impl Iterator<Item = Event> + Clone + fmt::Debug + use<'n> {
        let compats = self.wire.compats().matching(identifier);
        SysEvents::new(pmu, compats, self.sys_tables())
    }

    /// Returns every distinct event of the tree, sorted by name. An event that
    /// several models share is returned once.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert!(x86::TREE.events().any(|event| event.name() == "ex_ret_instr"));
    /// ```
    pub fn events(&'static self) -> impl Iterator<Item = Event> {
        (0..self.wire.event_count()).map(move |number| Event::new(self, number))
    }

    /// Finds the description of a metric group (`metricgroups.json`) by the
    /// group's name, ignoring case.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// println!("{}", x86::TREE.group_description("TopdownL1").unwrap());
    /// ```
    #[must_use]
    pub const fn group_description(&'static self, group: &str) -> Option<Text> {
        let groups = self.wire.section(Section::Groups);
        let (mut low, mut high) = (0, groups.len() / GroupRecord::SIZE);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = GroupRecord::nth(groups, middle);
            match name::cmp(self.wire.str(record.name), group) {
                core::cmp::Ordering::Equal => return Text::new(self, record.description),
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns the names of all metric groups that have a description, sorted.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let group = x86::TREE.groups().find(|group| *group == "TopdownL1").unwrap();
    /// println!("{group}: {}", x86::TREE.group_description(group).unwrap());
    /// ```
    pub const fn groups(&'static self) -> impl Iterator<Item = &'static str> + Clone + fmt::Debug {
        DescribedGroups::new(self)
    }

    /// Returns the map file's patterns, numbered by row.
    #[doc(hidden)]
    #[must_use]
    pub const fn cpuids(&self) -> Patterns<'_> {
        self.wire.cpuids()
    }
}
