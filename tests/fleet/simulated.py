"""Machines of three models on a simulated kernel that counts: what the rules of an exporter give is what
`pmu stat` gives there."""

import json
import math
import os
import re
import subprocess
import time
from pathlib import Path

from common import PATIENCE, Exporter, Prometheus, check, is_near

ROOT = Path(__file__).resolve().parents[2]

# A model, a CPUID, the recorded machine whose PMUs it has, and its general counters.
MACHINES = [
    ("skylakex", "GenuineIntel-6-55-4", "skylakex", 8),
    ("amdzen4", "AuthenticAMD-25-61-2", "zen4", 6),
    ("arm/neoverse-n1", "0x00000000413fd0c1", "neoverse-n1", 7),
]

# Scrapes are late by some milliseconds, and so is the end of `pmu stat`.
ALLOWED = 0.03

# Units of metrics in the units that rules record.
FACTORS = {"GHz": 1e9, "MHz": 1e6, "ns": 1e-9, "MB/s": 1e6, "MB": 1e6, "MiB": 1048576.0, "KiB": 1024.0}


class Machine:
    """A directory that stands for sysfs, and a program that runs on the first CPU for ever."""

    def __init__(self, pmu, described, scratch, window):
        self.model, self.cpuid, like, self.counters = described
        self.pmu, self.root = pmu, scratch / f"machine-{like}"
        files = {}
        for line in (ROOT / f"tests/machines/{like}.txt").read_text().splitlines():
            path, _, text = line.partition("\t")
            if not text.startswith("="):
                files[path] = text
                continue
            of_other = {p: t for p, t in files.items() if p.startswith(text[1:] + "/")}
            files.update({path + p[len(text) - 1 :]: t for p, t in of_other.items()})
        # The kernel counts MSRs as it does software events; the simulated one does so with tracepoints.
        files["msr/type"] = "2"
        # As each x86 has it since Linux 4.19.
        files["/devices/system/cpu/smt/active"] = "0"
        for path, text in files.items():
            path = self.root / (path[1:] if path.startswith("/") else f"bus/event_source/devices/{path}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n")
        self.environment = {
            "SYSFS_PATH": str(self.root),
            "PERF_CPUID": self.cpuid,
            "LD_PRELOAD": str(Path(pmu).resolve().parent / "deps/libsimulated_kernel.so"),
            "SIMULATED_KERNEL": str(self.root / "scenario"),
        }
        plain = {name: self.environment[name] for name in ["SYSFS_PATH", "PERF_CPUID"]}
        self.config, self.rules = self.root / "export.toml", self.root / "rules.yml"
        self.config.write_text(check(pmu, "export", "--ready", environment=plain))
        made = check(pmu, "export", "--rules", str(self.config), "--range", f"{window}s", environment=plain)
        self.rules.write_text(made)
        self.records = re.findall(r"- record: (\S+)", made)
        # Of control groups, which are remarks in the file.
        counted = "".join(line for line in self.config.open() if not line.startswith("#"))
        self.metrics = re.findall(r'^    "(.*)",$', counted, re.M)
        events = sorted(set(re.findall(r'event="([^"]+)"', made)))
        (self.root / "scenario").write_text(self.scenario(events, plain))

    def scenario(self, events, environment):
        """Each event happens at a rate of its own."""
        cpus = max(int(n) for n in re.findall(r"\d+", (self.root / "devices/system/cpu/online").read_text())) + 1
        lines = [f"cpus {cpus}", "real", "program cpu=0 us=36000000000"]
        pmus, rates = {}, []
        run = subprocess.run(
            [self.pmu, "encode", "--json", *events],
            env=dict(os.environ, **environment), capture_output=True, text=True,
        )
        for answer in map(json.loads, run.stdout.splitlines()):
            for event in answer.get("evsels", []):
                if event["type"] == 1:
                    continue
                pmus[event["type"]] = event["pmu"]
                # In a microsecond.
                rate = 3_000 if "CYC" in event["name"].upper() else 150 + 91 * (len(rates) % 7)
                rates.append(f"rate {event['type']} config={event['config']} config1={event['config1']} user={rate}")
        for number, name in sorted(pmus.items()):
            mask = self.root / f"bus/event_source/devices/{name}/cpumask"
            is_core = not mask.exists()
            if number != 2:
                where = "core" if is_core else f"uncore cpus={mask.read_text().strip()}"
                lines.append(f"pmu {number} {where} counters={self.counters if is_core else 8}")
        return "\n".join(lines + sorted(set(rates))) + "\n"

    def measured(self, seconds):
        """What `pmu stat` says of each metric, in the units of rules."""
        environment = dict(os.environ, **self.environment)
        command = [self.pmu, "stat", "-a", "--json", "-M", ",".join(self.metrics), "--", "sleep", str(seconds)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        # A metric whose PMU this machine lacks is told in a sentence.
        lines = [line for line in (run.stdout + run.stderr).splitlines() if line.startswith("{")]
        values = {}
        for row in map(json.loads, lines):
            # The unit, if there is one, and the name.
            *unit, name = row.get("metric-unit", "").rsplit(None, 1) or [""]
            value = float(row["metric-value"]) if name in self.metrics else math.nan
            if math.isfinite(value):
                values.setdefault(name, []).append(value * factor("".join(unit), seconds))
        return values

    def recorded(self, prometheus, metric):
        """The values of the rule of a metric, whose record ends with a unit and the range."""
        name = re.escape(re.sub(r"\W", "_", metric.lower()))
        ends = "(_ratio|_hertz|_seconds|_joules|_bytes|_bytes_per_second|_per_second)?"
        records = {one for one in self.records if re.fullmatch(f"instance:{name}{ends}:rate\\d+s", one)}
        if len(records) != 1:
            raise SystemExit(f"{self.model}: the rules of {metric} are {records}")
        found = prometheus.query(f'{records.pop()}{{instance="{self.model}"}}')
        return [float(one["value"][1]) for one in found]


def factor(unit, seconds):
    """From what `pmu stat` prints to what a rule records: amounts are those of a second."""
    if unit.startswith(("%", "percent")):
        return 0.01
    is_amount = unit in ("", "J", "MiB", "KiB", "MB")
    return FACTORS.get(unit, 1.0) / (seconds if is_amount else 1.0)


def differences(machine, prometheus, seconds):
    """What rules and `pmu stat` do not say alike, and how many values they do."""
    measured, wrong, compared = machine.measured(seconds), [], 0
    for metric in machine.metrics:
        expected, found = measured.get(metric, []), machine.recorded(prometheus, metric)
        compared += len(expected)
        is_same = len(expected) == len(found) and all(map(is_within, sorted(expected), sorted(found)))
        if not is_same:
            wrong.append(f"{machine.model}: {metric} is {found} in Prometheus, and {expected} in pmu stat")
    return compared, wrong


def is_within(one, other):
    return is_near(one, other, ALLOWED)


def compare(form, pmu, scratch):
    """Three exporters of three models, and `pmu stat` meanwhile."""
    every, window, _ = form
    machines = [Machine(pmu, described, scratch, window) for described in MACHINES]
    exporters = [
        Exporter(pmu, one.config, one.environment, scratch / f"{one.root.name}.log") for one in machines
    ]
    targets = [(one.model, f"127.0.0.1:{at.port}", "/metrics") for one, at in zip(machines, exporters)]
    (scratch / "simulated").mkdir()
    prometheus = Prometheus(scratch / "simulated", targets, [one.rules for one in machines], every)
    try:
        end = time.time() + window + PATIENCE
        time.sleep(window + 2 * every)
        while True:
            answers = [differences(one, prometheus, 2) for one in machines]
            wrong = [line for _, lines in answers for line in lines]
            if not wrong or time.time() > end:
                break
    finally:
        prometheus.end()
        for one in exporters:
            one.end()
    compared = sum(count for count, _ in answers)
    if wrong or compared < 20:
        raise SystemExit("\n".join(wrong) + f"\n{compared} values of rules beside pmu stat")
    print(f"simulated machines: {compared} values of rules are those of pmu stat")
