//! The trees and their sources. `tools/import` writes this file.

use crate::{Source, Tree};

const PERFMON: Source = Source {
    name: "perfmon",
    version: "6dadedf",
    date: "2026-08-13",
    part: "mapfile.csv, */events/*.json, */metrics/*_retire_latency.json",
    licence: "BSD-3-Clause",
};

const ARM_TELEMETRY: Source = Source {
    name: "Arm telemetry",
    version: "917257c",
    date: "2026-04-23",
    part: "data/pmu/cpu/lumex/*.json",
    licence: "Apache-2.0",
};

const LINUX_6_17: Source = Source {
    name: "Linux",
    version: "6.17",
    date: "2025-09-28",
    part: "tools/perf/pmu-events/arch, as in the crate scx_raw_pmu 1.1.4",
    licence: "GPL-2.0-only",
};

const LINUX_UAPI: Source = Source {
    name: "Linux",
    version: "6.12",
    date: "2024-11-17",
    part: "include/uapi/linux/perf_event.h",
    licence: "GPL-2.0-only WITH Linux-syscall-note",
};

/// Every tree, sorted by name.
pub const TREES: &[Tree] = &[
    Tree { name: "arm64", sources: &[ARM_TELEMETRY, LINUX_6_17] },
    Tree { name: "common", sources: &[LINUX_UAPI] },
    Tree { name: "nds32", sources: &[LINUX_6_17] },
    Tree { name: "powerpc", sources: &[LINUX_6_17] },
    Tree { name: "riscv", sources: &[LINUX_6_17] },
    Tree { name: "s390", sources: &[LINUX_6_17] },
    Tree { name: "x86", sources: &[PERFMON, LINUX_6_17] },
];
