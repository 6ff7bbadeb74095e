//! The macro's tables held against those of perf.
//!
//! Each architecture of a Linux 6.12 tree is compiled by [`pmu_events!`](pmu_events::pmu_events!) and
//! also run through the tree's own `jevents.py`; the tests compare what comes
//! out. The same is done with the project's own `arch/`.
//!
//! | module | holds our tables against |
//! |---|---|
//! | [`mod@reference`] | (runs `jevents.py`) |
//! | [`tables`] | every field of jevents' tables, rows and group descriptions |
//! | [`lookups`] | themselves: whatever is listed is found by its name |
//! | [`source`] | the JSON files, for what jevents drops or shortens |
//! | [`metrics`] | the values of metrics, worked out by `metric_values.py` |
//! | [`beside`] | perf itself, asked random questions |
//! | [`attributes`] | (what an event resolves to, as lines) |
//! | [`mod@compiled`] | (compiles trees that only the running test knows) |
//! | [`recorded`] | (what perf answered, recorded) |
//! | [`difference`] | (collects what differs) |
//!
//! `$PMU_EVENTS_KERNEL` is the directory that holds `tools/perf/pmu-events`.

use std::io::Write;
use std::path::{Path, PathBuf};

use pmu_events::{Model, Tree};

use difference::Deliberate;
use reference::{Tables, Version};
use serde_json::Value;

pub mod attributes;
pub mod beside;
pub mod compiled;
pub mod difference;
pub mod formulas;
pub mod lookups;
pub mod metrics;
pub mod recorded;
pub mod reference;
pub mod situations;
pub mod source;
pub mod tables;

/// The kernel's event trees. Unknown keys are allowed because the tree is not
/// ours to mend.
pub mod kernel {
    /// Intel and AMD.
    pub mod x86 {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/x86",
            unknown = allow
        );
    }

    /// Arm, and the system PMUs of its SoCs.
    pub mod arm64 {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/arm64",
            unknown = allow
        );
    }

    /// POWER.
    pub mod powerpc {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/powerpc",
            unknown = allow
        );
    }

    /// RISC-V.
    pub mod riscv {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/riscv",
            unknown = allow
        );
    }

    /// IBM Z.
    pub mod s390 {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/s390",
            unknown = allow
        );
    }

    /// Andes.
    pub mod nds32 {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/nds32",
            unknown = allow
        );
    }

    /// perf's made-up SoC. It has no map file.
    pub mod test {
        pmu_events::pmu_events!(
            "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/test",
            unknown = allow
        );
    }
}

/// The event trees of the project's own `arch/`.
pub mod own {
    /// Intel and AMD.
    pub mod x86 {
        pmu_events::pmu_events!("../../arch/x86");
    }

    /// Arm, and the system PMUs of its SoCs.
    pub mod arm64 {
        pmu_events::pmu_events!("../../arch/arm64");
    }

    /// POWER.
    pub mod powerpc {
        pmu_events::pmu_events!("../../arch/powerpc");
    }

    /// RISC-V.
    pub mod riscv {
        pmu_events::pmu_events!("../../arch/riscv");
    }

    /// IBM Z.
    pub mod s390 {
        pmu_events::pmu_events!("../../arch/s390");
    }

    /// Andes.
    pub mod nds32 {
        pmu_events::pmu_events!("../../arch/nds32");
    }

    /// Software, tool, generic hardware and cache events.
    pub mod common {
        pmu_events::pmu_events!("../../arch/common");
    }

    /// A made-up SoC that has every key and follows every rule.
    pub mod test {
        pmu_events::pmu_events!("../../arch/test");
    }
}

/// What the macro made of one architecture.
#[derive(Clone, Copy)]
pub struct Arch {
    /// The name of its directory.
    pub name: &'static str,
    /// Its tables.
    pub tree: &'static Tree,
    /// From CPUID to model.
    pub model: &'static (dyn Fn(&str) -> Option<Model> + Sync),
}

macro_rules! archs {
    ($tree:ident: $($arch:ident)*) => {
        &[$(Arch {
            name: stringify!($arch),
            tree: &$tree::$arch::TREE,
            model: &$tree::$arch::model,
        },)*]
    };
}

/// All of the kernel's architectures.
pub const KERNEL: &[Arch] = archs!(kernel: x86 arm64 powerpc riscv s390 nds32 test);

/// The architectures of the project's own `arch/`.
pub const OWN: &[Arch] = archs!(own: x86 arm64 powerpc riscv s390 nds32 common test);

/// One of the kernel's architectures.
///
/// # Panics
///
/// When there is none of that name.
#[must_use]
pub fn kernel_arch(name: &str) -> &'static Arch {
    KERNEL.iter().find(|arch| arch.name == name).unwrap_or_else(|| panic!("no arch {name}"))
}

/// The kernel tree that was compiled in: a variable that has changed since
/// must not lead the tests to another one. Where it is not set, the macro has
/// said so.
const KERNEL_ROOT: &str = match option_env!("PMU_EVENTS_KERNEL") {
    Some(root) => root,
    None => "",
};

/// The kernel tree.
#[must_use]
pub fn kernel_root() -> PathBuf {
    // A relative path means the same as to the macro.
    Path::new(env!("CARGO_MANIFEST_DIR")).join(KERNEL_ROOT)
}

/// The newest version that is compared with.
pub const NEWEST: &str = "7.3";

/// The tree of the newest kernel that is compared with, which `run` provides.
///
/// # Panics
///
/// When it is not set.
#[must_use]
pub fn newest_root() -> PathBuf {
    let root = std::env::var_os("PMU_EVENTS_NEWEST");
    root.expect("PMU_EVENTS_NEWEST is set by tests/kernel/run").into()
}

/// The tree of a version of the kernel whose perf is asked: 6.12 or 7.3.
///
/// # Panics
///
/// When there is none of that version, or it is not set.
#[must_use]
pub fn root_of(version: &str) -> PathBuf {
    match version {
        "6.12" => kernel_root(),
        NEWEST => newest_root(),
        other => panic!("there is no perf of {other}, but those of 6.12 and {NEWEST}"),
    }
}

/// The architectures' directory of the kernel tree.
#[must_use]
pub fn kernel_arch_dir() -> PathBuf {
    kernel_root().join("tools/perf/pmu-events/arch")
}

/// The architectures' directory of the project.
#[must_use]
pub fn own_arch_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../arch")
}

/// A directory of architectures of a newer kernel, which `run` provides.
///
/// # Panics
///
/// When it is not set.
#[must_use]
pub fn newer_arch_dir() -> PathBuf {
    arch_dir_of("PMU_EVENTS_NEWER")
}

/// The directory of architectures that a variable of `run` names.
///
/// # Panics
///
/// When it is not set.
#[must_use]
pub fn arch_dir_of(variable: &str) -> PathBuf {
    let directory = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set"));
    // A relative path means the same as to the macro.
    Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)
}

/// Compares an architecture in every way with the directory `arch_dir` that it
/// was compiled from, and prints a line about it. Gives what jevents has, and a
/// text of what is wrong. `scratch` is a directory to write into.
#[must_use]
pub fn compare(
    arch: &Arch,
    arch_dir: &Path,
    deliberate: &[Deliberate],
    scratch: &Path,
) -> (Tables, Option<String>) {
    compare_with(&kernel_root(), arch, arch_dir, arch_dir, deliberate, scratch)
}

/// Compares all of the project's own `arch/` with what the jevents of the tree `kernel` makes
/// of `for_jevents`, which is that or what it can read of it.
///
/// # Panics
///
/// When a table differs otherwise than on purpose, or an architecture has no events.
pub fn compare_own(kernel: &Path, for_jevents: &Path, deliberate: &[Deliberate], scratch: &Path) {
    let own = own_arch_dir();
    let mut reports = Vec::new();
    for arch in OWN {
        let (theirs, report) = compare_with(kernel, arch, &own, for_jevents, deliberate, scratch);
        assert!(theirs.event_count() > 0, "{}: nothing to compare", arch.name);
        reports.extend(report);
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

/// As [`compare`], with the jevents of the tree `kernel`, and another directory for it:
/// one without what it cannot read.
#[must_use]
pub fn compare_with(
    kernel: &Path,
    arch: &Arch,
    arch_dir: &Path,
    for_jevents: &Path,
    deliberate: &[Deliberate],
    scratch: &Path,
) -> (Tables, Option<String>) {
    let theirs = reference::run(kernel, for_jevents, arch.name, scratch);
    let mut found = tables::compare(arch, &theirs);
    if theirs.version() == Version::Later {
        let twice = source::described_twice(&arch_dir.join(arch.name));
        let is_dropped = |text: &Value| text.as_str().is_some_and(|text| twice.contains(text));
        found.retain(|one| {
            !(one.field == "long_desc" && one.theirs.is_null() && is_dropped(&one.ours))
        });
    }
    found.extend(lookups::check(arch));
    found.extend(source::check(arch, &arch_dir.join(arch.name)));
    let judged = difference::judge(arch.name, &found, deliberate);
    let mut line = format!(
        "{} of {}: {} events, {} metrics, {} rows, {} sys tables, {} groups, differences: {}",
        arch.name,
        if arch_dir == own_arch_dir() { "arch/" } else { "the kernel" },
        theirs.event_count(),
        theirs.metric_count(),
        theirs.rows.len(),
        theirs.sys_count(),
        theirs.groups.len(),
        judged.wrong,
    );
    if judged.deliberate > 0 {
        line.push_str(&format!(" and {} deliberate ones", judged.deliberate));
    }
    // Not by `eprintln!`, which the test harness keeps to itself.
    let _ = writeln!(std::io::stderr(), "{line}");
    (theirs, judged.report)
}
