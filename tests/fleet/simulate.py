"""What Prometheus needs for many machines with a ready configuration.

    simulate.py PMU --model MODEL [--machines N] [--cpus N] [--scope machine|cpu] [--cgroups N]
                [--seconds N] [--every N]

One program answers for all machines, with the series of the model's ready configuration. Without
--seconds, only counts: series and bytes of an answer, and series that rules record. With it, Prometheus
scrapes them for as long, and its own figures are shown: resident memory, head series, the time that rules
take. Nothing else should run on the host meanwhile.
"""

import argparse
import json
import re
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

from common import Answer, Prometheus, check

SELECTOR = re.compile(r'(pmu_events\w*_total)\{event="((?:[^"\\]|\\.)*)"')


def own_series(labels):
    """What an exporter says of itself and of the machine."""
    yield 'pmu_machine_info{%s,cpuid="GenuineIntel-6-8F-8",table="Linux 7.3",version="0.1.0"}' % labels
    numbers = "has_pmem num_cores num_cpus num_cpus_online num_dies num_packages smt_on system_tsc_freq"
    for number in numbers.split():
        yield 'pmu_machine_number{number="%s"}' % number


def selectors(rules):
    """The series of events that rules take."""
    return sorted(set(SELECTOR.findall(rules)))


def lines(args, events):
    """The series of one machine, without their values."""
    yield from own_series(f'model="{args.model}"')
    for family, event in events:
        if args.scope == "cpu":
            for cpu in range(args.cpus):
                yield f'{family}{{event="{event}",pmu="cpu",cpu="{cpu}"}}'
        else:
            yield f'{family}{{event="{event}",pmu="cpu"}}'
    # One group of all events, which has a ratio and a time for each place.
    group = ",".join(event for _, event in events[:8])
    places = range(args.cpus) if args.scope == "cpu" else [None]
    for place in places:
        where = "" if place is None else f',cpu="{place}"'
        yield f'pmu_group_running_ratio{{group="{group}"{where}}}'
        yield f'pmu_group_enabled_seconds_total{{group="{group}"{where}}}'
    for n in range(args.cgroups):
        for event in ["INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD", "task-clock", "context-switches"]:
            slice = "kubepods.slice"
            cgroup = f"{slice}/kubepods-burstable.slice/pod{n:04x}/container{n:04x}"
            where = f'cgroup="{cgroup}",slice="{slice}",pod="pod-{n}",namespace="default",container="main"'
            yield f'pmu_events_total{{event="{event}",pmu="cpu",{where}}}'


def serve(series):
    """Answers for all machines; counters of each grow by its own rate."""
    start = time.time() - 1e4

    class Handler(Answer):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            seed = int(self.path.rsplit("/", 1)[1])
            passed = (time.time() - start) * (1e6 + seed)
            self.answer("".join(f"{one} {int(passed * (n + 1))}\n" for n, one in enumerate(series)))

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_):
            """Prometheus closes its connections when it ends."""

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def rules_of(args, scratch):
    ready = check(args.pmu, "export", "--ready", "--model", args.model)
    if args.scope == "cpu":
        ready = ready.replace(".machine]", ".cpu]")
    config = scratch / "pmu.toml"
    config.write_text(ready)
    return check(args.pmu, "export", "--rules", str(config), "--model", args.model)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pmu")
    parser.add_argument("--model", required=True)
    parser.add_argument("--machines", type=int, default=1000)
    parser.add_argument("--cpus", type=int, default=128)
    parser.add_argument("--scope", choices=["machine", "cpu"], default="machine")
    parser.add_argument("--cgroups", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--every", type=int, default=15)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run(args, Path(scratch))


def run(args, scratch):
    rules = rules_of(args, scratch)
    series = list(lines(args, selectors(rules)))
    size = sum(len(one) + 15 for one in series)
    names = re.findall(r"- record: (\w+):", rules)
    recorded = sum(args.cpus if level == "instance_cpu" else 1 for level in names)
    print(
        f"{args.model}, {args.scope}, {args.cpus} CPUs, {args.cgroups} control groups: {len(series)} series "
        f"and {size / 1000:.1f} kB in an answer, {recorded} series recorded"
    )
    if args.seconds:
        figures(args, scratch, series, rules)


def figures(args, scratch, series, rules):
    path = scratch / "rules.yml"
    path.write_text(rules)
    address = f"127.0.0.1:{serve(series)}"
    targets = [(f"m{n}", address, f"/{n}") for n in range(args.machines)]
    prometheus = Prometheus(scratch, targets, [path], args.every)
    try:
        time.sleep(args.seconds)
        text = prometheus.get("/metrics").decode()
    finally:
        prometheus.end()
    of = lambda name: sum(float(v) for v in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.M))
    head = of("prometheus_tsdb_head_series")
    memory = of("process_resident_memory_bytes")
    print(
        f"{args.machines} machines each {args.every} s for {args.seconds} s: {head:.0f} series, "
        f"{memory / 1e9:.2f} GB resident, {memory / head / 1e3:.2f} kB a series; rules take "
        f"{of('prometheus_rule_group_last_duration_seconds'):.2f} s; "
        f"{of('process_cpu_seconds_total') / args.seconds:.2f} CPUs; "
        f"{of('prometheus_rule_evaluation_failures_total'):.0f} failures"
    )


if __name__ == "__main__":
    main()
