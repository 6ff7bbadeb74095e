"""Prometheus scrapes machines, evaluates their rules, and answers the queries of their dashboards.

    fleet.py --short|--long PMU FLEET.json SCRATCH

FLEET.json has what each made-up machine serves, with how much that grows in a second, and what the
rules of its ready configuration give then (`a_fleet_is_described` in `pmu/src/export/rules/tests`).
"""

import json
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import ThreadingHTTPServer
from pathlib import Path

import simulated
from common import PATIENCE, Answer, Exporter, Prometheus, check, is_near

# The time between scrapes, that over which rules take rates, and that for which machines run on after
# one of them has restarted, in seconds.
FORMS = {"--short": (1, 4, 2), "--long": (5, 30, 90)}

# What is counted in software on any machine.
CONFIG = '[machine]\nmetrics = ["common.cpus_used", "common.context_switches", "common.page_faults"]\n'

# Series that every exporter has, beside those of events.
ALSO = [
    ("pmu_group_running_ratio", {"group": "made-up"}, 1.0),
    ("pmu_event_not_counted_info", {"event": "made-up", "pmu": "cpu", "reason": "made-up"}, 1.0),
]


class Machine:
    """A machine whose counters grow steadily from when it was started."""

    def __init__(self, described):
        self.model = described["model"]
        self.rules = described["rules"]
        self.series = [(one["name"], one["labels"], one["value"]) for one in described["series"]] + ALSO
        self.start = time.time()
        machine = self

        class Handler(Answer):
            def do_GET(self):
                self.answer(machine.metrics())

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def metrics(self):
        # With the time at which they are true: a value is then exact, however late the answer is.
        now = int(time.time() * 1000)
        lines = []
        for name, labels, value in self.series:
            if name.endswith("_total"):
                value *= now / 1000 - self.start
            quoted = ",".join(f"{label}={json.dumps(text)}" for label, text in labels.items())
            lines.append(f"{name}{{{quoted}}} {value!r} {now}\n")
        return "".join(lines)

    def restart(self):
        self.start = time.time()


def files(pmu, machine, scratch, window):
    """The ready configuration of a model with a control group, and what is made of it."""
    name = machine.model.replace("/", "-")
    last = machine.model.split("/")[-1]
    config, rules = scratch / f"{name}.toml", scratch / f"{name}.yml"
    ready = check(pmu, "export", "--ready", "--model", machine.model)
    cgroup = f'\n[[model."{last}".cgroup]]\npaths = ["a.slice"]\nmetrics = ["common.ipc", "common.cpus_used"]\n'
    config.write_text(ready + cgroup)
    check(pmu, "export", "--check", str(config), "--model", machine.model)
    made = ["--model", machine.model, "--range", f"{window}s"]
    rules.write_text(check(pmu, "export", "--rules", str(config), *made))
    check("promtool", "check", "rules", str(rules))
    return rules, json.loads(check(pmu, "export", "--dashboard", str(config), *made))


def settled(prometheus, machines, window):
    """Waits until each rule gives what the formula gives; what is wrong after long is wrong."""
    end = time.time() + window + PATIENCE
    while True:
        wrong = []
        compared = sum(values_of_rules(prometheus, one, window, wrong) for one in machines)
        if not wrong or time.time() > end:
            return compared, wrong
        time.sleep(0.5)


def values_of_rules(prometheus, machine, window, wrong):
    """Compares the values of rules, also those of the control group that does all of the work."""
    compared = 0
    for rule in machine.rules:
        record = re.sub(r":rate\w+$", f":rate{window}s", rule["record"])
        kind = f',pmu="{rule["pmu"]}"' if rule["pmu"] else ""
        names = [record]
        if re.search(r":common_(ipc|cpus_used):", record):
            names.append(record.replace("instance:", "instance_cgroup:", 1))
        for name in names:
            text = f'{name}{{instance="{machine.model}"{kind}}}'
            found = [float(one["value"][1]) for one in prometheus.query(text)]
            compared += 1
            if len(found) != 1 or not is_near(found[0], rule["value"]):
                wrong.append(f"{text} is {found}, not {rule['value']}")
    return compared


def values_across_restart(prometheus, machine, window, start, every, wrong):
    """No rate is negative or too high, and what is a share stays what it is."""
    for rule in machine.rules:
        record = re.sub(r":rate\w+$", f":rate{window}s", rule["record"])
        expected = rule["value"]
        for one in prometheus.query_range(f'{record}{{instance="{machine.model}"}}', start, every):
            for _, text in one["values"]:
                value = float(text)
                is_share = "_ratio:" in record or "common_ipc" in record
                # What was counted between the last scrape and the restart is lost.
                least, most = sorted((0, expected * (1 + 1e-6)))
                is_right = is_near(value, expected) if is_share else least <= value <= most
                if not is_right:
                    wrong.append(f"{record} of the restarted machine is {value}, not {expected}")


def queries(dashboard):
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield re.sub(r"\$(job|instance|cgroup)\b", ".*", target["expr"])


def made_up(form, pmu, fleet, scratch):
    every, window, run = FORMS[form]
    machines = [Machine(one) for one in fleet]
    made = [files(pmu, machine, scratch, window) for machine in machines]
    targets = [(one.model, f"127.0.0.1:{one.port}", "/metrics") for one in machines]
    prometheus = Prometheus(scratch, targets, [rules for rules, _ in made], every)
    try:
        compared, wrong = settled(prometheus, machines, window)
        asked = 0
        for _, dashboard in made:
            for text in queries(dashboard):
                asked += 1
                if not prometheus.query(text):
                    wrong.append(f"no answer: {text}")
        restarted = machines[0]
        start = time.time()
        restarted.restart()
        time.sleep(window + run)
        values_across_restart(prometheus, restarted, window, start, every, wrong)
        wrong += settled(prometheus, machines, window)[1]
    finally:
        prometheus.end()
    if wrong:
        raise SystemExit("\n".join(wrong[:20]) + f"\n{len(wrong)} faults")
    print(f"made-up machines: {compared} values of rules, {asked} queries of dashboards, a restart")


def counting(form, pmu, scratch):
    """Exporters of three CPUs: a clock of all CPUs is the number of CPUs, also after a restart."""
    every, window, run = FORMS[form]
    allowed = subprocess.run([pmu, "stat", "-a", "-x,", "-e", "task-clock", "true"], capture_output=True, text=True)
    if allowed.returncode != 0 or "<not" in allowed.stderr:
        print(f"!! NOT RUN: exporters that count, because whole CPUs are not counted here: {allowed.stderr.strip()}")
        return
    cpuids = ["GenuineIntel-6-55-4", "AuthenticAMD-25-11-1", "GenuineIntel-6-8F-8"]
    config = scratch / "software.toml"
    config.write_text(CONFIG)
    exporters = [
        Exporter(pmu, config, {"PERF_CPUID": cpuid}, scratch / f"{cpuid}.log") for cpuid in cpuids
    ]
    rules = []
    for cpuid, one in zip(cpuids, exporters):
        (scratch / "one.prom").write_text(one.text)
        with open(scratch / "one.prom") as text:
            run_check = subprocess.run(["promtool", "check", "metrics"], stdin=text, capture_output=True, text=True)
        if run_check.returncode != 0:
            raise SystemExit(f"promtool check metrics: {run_check.stdout}{run_check.stderr}")
        path = scratch / f"{cpuid}.yml"
        path.write_text(
            check(pmu, "export", "--rules", str(config), "--cpuid", cpuid, "--range", f"{window}s")
        )
        check("promtool", "check", "rules", str(path))
        rules.append(path)
    targets = [(cpuid, f"127.0.0.1:{one.port}", "/metrics") for cpuid, one in zip(cpuids, exporters)]
    (scratch / "counting").mkdir()
    prometheus = Prometheus(scratch / "counting", targets, rules, every)
    try:
        start = time.time()
        cpus = within(prometheus, cpuids, window)
        exporters[0].end()
        exporters[0].begin()
        time.sleep(window + run)
        within(prometheus, cpuids, window)
        for name in ["common_cpus_used", "common_context_switches", "common_page_faults"]:
            for one in prometheus.query_range(f"instance:{name}:rate{window}s", start, every):
                values = [float(text) for _, text in one["values"]]
                if min(values) < 0 or (name == "common_cpus_used" and max(values) > 1.25 * cpus):
                    raise SystemExit(f"{name} of {one['metric']['instance']} is {values}")
    finally:
        prometheus.end()
        for one in exporters:
            one.end()
    print(f"exporters: the clocks of {cpus:.0f} CPUs on three machines, a restart")


def within(prometheus, machines, window):
    """Waits until each machine's clock is that of its CPUs, and its tasks are switched; the number of CPUs."""
    end = time.time() + window + PATIENCE
    while True:
        cpus = [float(one["value"][1]) for one in prometheus.query('pmu_machine_number{number="num_cpus_online"}')]
        used = [float(one["value"][1]) for one in prometheus.query(f"instance:common_cpus_used:rate{window}s")]
        switches = prometheus.query(f"instance:common_context_switches:rate{window}s > 0")
        all_there = len(cpus) == len(used) == len(switches) == len(machines)
        if all_there and all(is_near(one, cpus[0], 0.1) for one in used):
            return cpus[0]
        if time.time() > end:
            raise SystemExit(f"{used} of {cpus} CPUs are used, and {len(switches)} machines switch tasks")
        time.sleep(0.5)


def main():
    form, pmu, fleet, scratch = sys.argv[1:]
    scratch = Path(scratch)
    fleet = json.loads(Path(fleet).read_text())
    # Each waits for its Prometheus most of the time.
    with ThreadPoolExecutor() as pool:
        parts = [
            pool.submit(made_up, form, pmu, fleet, scratch),
            pool.submit(counting, form, pmu, scratch),
            pool.submit(simulated.compare, FORMS[form], pmu, scratch),
        ]
        for part in parts:
            part.result()


if __name__ == "__main__":
    main()
