# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares what the planner knows of AMD's, Apple's, Arm's, HiSilicon's and POWER's counters with the
kernel's drivers: the rows of FACTS, and the other tables of
pmu-events/src/planner/facts.rs. Where a driver asks the hardware for a number, the script
checks that it still does, and that the row is no more than what it must find."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTS = ROOT / "pmu-events/src/planner/facts.rs"
# Models and PMUs as in FACTS, and the kernel's constant that has their number.
CONSTANTS = [
    ("amdzen*", "default_core", "arch/x86/include/asm/perf_event.h", "AMD64_NUM_COUNTERS_CORE"),
    ("amdzen*", "amd_l3", "arch/x86/events/amd/uncore.c", "NUM_COUNTERS_L3"),
    ("amdzen*", "amd_df", "arch/x86/events/amd/uncore.c", "NUM_COUNTERS_NB"),
    ("hisilicon/hip08", "hisi_sccl,l3c", "drivers/perf/hisilicon/hisi_uncore_l3c_pmu.c",
     "L3C_NR_COUNTERS"),
    ("hisilicon/hip08", "hisi_sccl,hha", "drivers/perf/hisilicon/hisi_uncore_hha_pmu.c",
     "HHA_V1_NR_COUNTERS"),
]
# Where the hardware has the number: what the driver does to get it.
ASKED = [
    ("amd_umc", "arch/x86/events/amd/uncore.c", r"ebx\.split\.num_umc_pmc\b"),
    ("amd_df", "arch/x86/events/amd/uncore.c", r"ebx\.split\.num_df_pmc\b"),
    ("Arm's cores", "drivers/perf/arm_pmuv3.c", r"FIELD_GET\(ARMV8_PMU_PMCR_N\b"),
    ("Arm's counter of cycles", "drivers/perf/arm_pmuv3.c",
     r"set_bit\(ARMV8_PMU_CYCLE_IDX, cpu_pmu->cntr_mask\)"),
    ("an own counter for each event of HiSilicon's DDR controllers",
     "drivers/perf/hisilicon/hisi_uncore_ddrc_pmu.c", r"use event code as counter index"),
    ("two counters for AMD's large increments", "arch/x86/events/amd/core.c",
     r"case 0x003:\s*return true;"),
]
POWER = "arch/powerpc/perf"


class Comparison:
    """What differs, and how much was compared."""

    def __init__(self, tree):
        self.tree, self.failed, self.compared = tree, False, 0
        self.facts = FACTS.read_text()

    def source(self, path):
        file = self.tree / path
        return file.read_text() if file.is_file() else None

    def equal(self, what, ours, kernel):
        self.compared += 1
        if ours != kernel:
            self.failed = True
            print(f"{what}: {ours} here, {kernel} in the kernel")

    def number_of(self, models, pmu, rules=r"\w+"):
        """The number of general counters in a row of FACTS."""
        name = "pmu::DEFAULT_CORE" if pmu == "default_core" else f'"{pmu}"'
        row = re.search(rf'\("{re.escape(models)}", {re.escape(name)}, '
                        rf'Fact::General\((\d+), Rules::{rules}\)', self.facts)
        return int(row[1]) if row else None


def constant(source, name):
    found = re.search(rf"#define\s+{name}\s+(0x[0-9a-fA-F]+|\d+)\b", source)
    return int(found[1], 0) if found else None


def numbers(all_):
    for models, pmu, path, name in CONSTANTS:
        source = all_.source(path)
        # Not every copy of the kernel's drivers has its headers.
        if source is not None or not path.startswith("arch/x86/include/"):
            all_.equal(f"{models} {pmu}", all_.number_of(models, pmu),
                       constant(source or "", name))
    for what, path, pattern in ASKED:
        asks = re.search(pattern, all_.source(path) or "") is not None
        all_.equal(what, True, asks)


def cycles_of_arm(all_):
    """The event for which the driver has a counter of its own, and the cores where it has none."""
    header = all_.source("include/linux/perf/arm_pmuv3.h")
    code = constant(header, "ARMV8_PMUV3_PERFCTR_CPU_CYCLES") if header else 0x11
    arm = ROOT / "arch" / "arm64"
    codes = {event["EventName"]: int(event["EventCode"], 0)
             for path in arm.glob("*.json") for event in json.loads(path.read_text())
             if "EventCode" in event}
    all_.equal("CPU_CYCLES of Arm", codes["CPU_CYCLES"], code)
    driver = all_.source("drivers/perf/arm_pmuv3.c")
    avoided = re.search(r"avoid_pmccntr_cpus\[\] = {(.*?)\n};", driver, re.S)
    if avoided:
        cores = re.findall(r"MIDR_\w+\((?:MIDR_)(\w+)\)", avoided[1])
        bundled = " ".join(path.name for path in arm.glob("*/*")).lower()
        missing = [core for core in cores if core.split("_")[-1].lower() in bundled]
        all_.equal("bundled cores whose counter of cycles the driver avoids", [], missing)
        avoids_smt = "topology_core_has_smt" in all_.source("drivers/perf/arm_pmu.c")
        all_.equal("Arm's cores with several threads", "ARM_WITH_SMT" in all_.facts, avoids_smt)


def codes_of(events, source, generation):
    """The alternatives of a generation that have a counter of their own, by code."""
    named = {name: int(code, 0)
             for name, code in re.findall(r"EVENT\((\w+),\s*(0x[0-9a-f]+)\)", events)}
    table = re.search(r"event_alternatives\[\]\[MAX_ALT\] = {(.*?)\n};", source, re.S)
    if not table:
        raise SystemExit(f"no alternatives of {generation}")
    pairs = re.findall(r"{\s*(\w+),\s*(\w+)\s*}", table[1])
    own = {}
    for pair in pairs:
        one, other = sorted((named[name] for name in pair), key=lambda code: code >> 16)
        # Codes without a counter may be on any; these would only be a choice more.
        if other >> 16 in (5, 6) and one >> 16 != 0:
            own[one] = other
    return own


def power(all_):
    common = all_.source(f"{POWER}/isa207-common.h")
    constraint = all_.source(f"{POWER}/isa207-common.c")
    counters = constant(common, "MAX_PMU_COUNTERS")
    all_.equal("POWER's counters", 6, counters)
    all_.equal("where POWER's codes have the counter", 16, constant(common, "EVENT_PMC_SHIFT"))
    all_.equal("where POWER's codes have the unit", 12, constant(common, "EVENT_UNIT_SHIFT"))
    # A count of 4 bits overflows into its mask with the first event too many.
    adder = re.search(r"ISA207_TEST_ADDER\s+\((\d+) << CNST_NC_SHIFT\)", common)
    mask = re.search(r"CNST_NC_MASK\s+\((\d+) << CNST_NC_SHIFT\)", common)
    all_.equal("events on POWER's counters 1 to 4", 4, int(mask[1]) - int(adder[1]) - 1)
    fixed = re.search(r"pmc >= 5 && base_event != (0x\w+) &&\s*base_event != (0x\w+)", constraint)
    all_.equal("codes of POWER's counters 5 and 6", [0x500FA, 0x600F4],
               [int(code, 0) for code in fixed.groups()])
    outer = re.search(r"unit >= (\d+) && unit <= (\d+)", constraint)
    all_.equal("units of POWER's outer caches", (6, 9), tuple(map(int, outer.groups())))
    ours = re.findall(r"\(Generation::Power(\d+), (0x[0-9a-f]+), (0x[0-9a-f]+)\)", all_.facts)
    for generation in ("8", "9", "10"):
        kernel = codes_of(all_.source(f"{POWER}/power{generation}-events-list.h"),
                          all_.source(f"{POWER}/power{generation}-pmu.c"), f"POWER{generation}")
        own = {int(one, 0): int(other, 0) for of, one, other in ours if of == generation}
        all_.equal(f"alternatives of POWER{generation} on counters of their own", own, kernel)
    # Each event of the tables must be one that the driver takes.
    for path in sorted((ROOT / "arch" / "powerpc").glob("power*/*.json")):
        listed = json.loads(path.read_text())
        for event in listed if isinstance(listed, list) else []:
            code = int(event.get("EventCode", "0"), 0)
            counter = code >> 16 & 0xF
            is_taken = counter <= 4 or code in (0x500FA, 0x600F4)
            all_.equal(f"{path.parent.name} {event.get('EventName')}", True, is_taken)


def masks_of(source):
    """The named masks of Apple's driver, and the mask of an expression of them."""
    named = dict(re.findall(r"#define\s+([A-Z0-9_]+)\s+(\(?(?:BIT|GENMASK)\(.*\))", source))

    def mask(text):
        found = 0
        for term in re.findall(r"\w+(?:\([^()]*\))?", text):
            name, *numbers = re.findall(r"\w+", term)
            if name == "BIT":
                found |= 1 << int(numbers[0])
            elif name == "GENMASK":
                found |= (1 << int(numbers[0]) + 1) - (1 << int(numbers[1]))
            else:
                found |= mask(named[name])
        return found

    return mask


def apple(all_):
    """The counters of each event of Apple's cores, with a name and without."""
    driver = all_.source("drivers/perf/apple_m1_cpu_pmu.c")
    # Drivers of other kernels have fewer names; all have the counters.
    codes = {name: int(code, 0)
             for name, code in re.findall(r"M1_PMU_PERFCTR_(\w+)\s*=\s*(0x[0-9a-f]+)", driver)}
    mask = masks_of(driver)
    table = re.search(r"m1_pmu_event_affinity\[.*?\] = {(.*?)\n};", driver, re.S)[1]
    rows = re.findall(r"\[(0 \.\.\. )?M1_PMU_PERFCTR_(\w+)\]\s*=\s*(.*?),\n", table + "\n")
    kernel = {codes[name]: mask(text) for everything, name, text in rows if not everything}
    others = mask(next(text for everything, _, text in rows if everything))
    all_.equal("counters of Apple's cores", all_.number_of("apple/m[12]", "default_core", "Apple"),
               constant(driver, "M1_PMU_NR_COUNTERS"))
    ours = re.search(r"APPLE_PROGRAMMED: u64 = (0x[0-9a-f]+)", all_.facts)
    all_.equal("programmed counters of Apple's cores", int(ours[1], 0), others)
    unnamed = re.search(r"APPLE_UNNAMED: .*?=\s*\[(.*?)\];", all_.facts, re.S)[1]
    unnamed = {int(code, 0): int(counters, 0)
               for code, counters in re.findall(r"\((0x\w+), (0x\w+)\)", unnamed)}
    for model in ("m1", "m2"):
        events = json.loads((ROOT / "arch/arm64/apple" / model / "core.json").read_text())
        tables = {int(event["EventCode"], 0):
                  sum(1 << int(number) for number in event["Counter"].split(","))
                  for event in events}
        for code in range(0x100):
            ours = tables.get(code, unnamed.get(code, others))
            all_.equal(f"apple/{model} {code:#x}", ours, kernel.get(code, others))
    generic = re.search(r"APPLE_GENERIC: .*?=\s*\[(.*?)\];", all_.facts, re.S)[1]
    names = {"cycles": "CPU_CYCLES", "cpu-cycles": "CPU_CYCLES", "instructions": "INSTRUCTIONS",
             "branches": "BRANCH_INSTRUCTIONS", "branch-instructions": "BRANCH_INSTRUCTIONS",
             "branch-misses": "BRANCH_MISSES"}
    map_ = dict(re.findall(r"\[PERF_COUNT_HW_(\w+)\]\s*=\s*M1_PMU_PERFCTR_(\w+)", driver))
    all_.equal("generic events of Apple's cores", set(names.values()) & set(map_), set(map_))
    for name, code in re.findall(r'\("([a-z-]+)", (0x\w+)\)', generic):
        # Linux 6.12 has no name for the codes of branches, and no such generic events.
        if names[name] in map_:
            all_.equal(f"{name} of Apple's cores", int(code, 0), codes[map_[names[name]]])
    is_greedy = re.search(r"for_each_set_bit\(idx, &affinity.*?test_and_set_bit\(idx", driver, re.S)
    all_.equal("Apple's driver takes the first free counter", True, is_greedy is not None)


def compare(tree):
    """Whether anything differs."""
    all_ = Comparison(pathlib.Path(tree))
    numbers(all_)
    cycles_of_arm(all_)
    apple(all_)
    power(all_)
    print(f"counters of AMD, Apple, Arm, HiSilicon and POWER: {all_.compared} facts compared")
    return all_.failed
