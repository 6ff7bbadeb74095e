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

const ARM_DATA: Source = Source {
    name: "ARM-software/data",
    version: "6aeb4c8",
    date: "2025-01-17",
    part: "pmu/*.json",
    licence: "Apache-2.0",
};

const LINUX_7_3: Source = Source {
    name: "Linux",
    version: "7.3.4",
    date: "2026-11-10",
    part: "tools/perf/pmu-events/arch, as in Debian's linux-source-7.3",
    licence: "GPL-2.0-only",
};

const APPLE_DRIVER: Source = Source {
    name: "Linux driver",
    version: "7.3.4",
    date: "2026-11-10",
    part: "drivers/perf/apple_m1_cpu_pmu.c, arch/arm64/include/asm/cputype.h",
    licence: "GPL-2.0-only",
};

const APPLE_LISTS: Source = Source {
    name: "Apple's lists",
    version: "darwin-kperf-events 0.1.1",
    date: "2026-06-22",
    part: "src/m3.rs, src/m4.rs; part numbers from src/midr.h of m1n1 (MIT)",
    licence: "MIT OR Apache-2.0",
};

const SPACEMIT: Source = Source {
    name: "SpacemiT's Linux",
    version: "6.6",
    date: "2023-10-29",
    part: "tools/perf/pmu-events/arch/riscv/spacemit/x60/cache.json of the vendor's kernel (commit ae46662 of a copy, mapfile.csv of commit e984983), arch/riscv/boot/dts/spacemit/k1-x.dtsi",
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
    Tree {
        name: "arm64",
        sources: &[ARM_TELEMETRY, ARM_DATA, LINUX_7_3, APPLE_DRIVER, APPLE_LISTS],
    },
    Tree { name: "common", sources: &[LINUX_7_3, LINUX_UAPI] },
    Tree { name: "nds32", sources: &[LINUX_7_3] },
    Tree { name: "powerpc", sources: &[LINUX_7_3] },
    Tree { name: "riscv", sources: &[LINUX_7_3, SPACEMIT] },
    Tree { name: "s390", sources: &[LINUX_7_3] },
    Tree { name: "x86", sources: &[PERFMON, LINUX_7_3] },
];
