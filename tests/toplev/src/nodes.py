"""Computes the nodes and metrics of one of toplev's models from counts that are asked for.

Usage: nodes.py FILE SMT

FILE is a *_ratios.py of pmu-tools; SMT is 1 if cores have two threads. A line `run` on
standard input starts a computation with new counts. Lines of the answer:

    event NAME      asks for the count of an event, one line with a number
    latency NAME    asks for the mean retirement latency of an event
    node NAME\tAREA\tPARENT\tOVERLAPS\tVALUE\tOVER\tERRORS\tIS_METRIC
    end
"""

import importlib.util
import sys


class Collector:
    """Takes the place of toplev's runner, to which a model adds its nodes."""

    def __init__(self):
        self.nodes = []

    def run(self, node):
        self.add(node, False)

    def metric(self, node):
        self.add(node, True)
        node.level = 0

    def force_metric(self, node):
        self.metric(node)

    def add(self, node, is_metric):
        node.metric, node.thresh, node.val, node.children = is_metric, False, 0.0, []
        self.nodes.append(node)


def ask(what, known):
    if what not in known:
        print(what, flush=True)
        known[what] = float(sys.stdin.readline())
    return known[what]


def main():
    path, smt = sys.argv[1], sys.argv[2] == "1"
    spec = importlib.util.spec_from_file_location("model", path)
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    settings = {
        "smt_enabled": smt,
        "num_cores": 16,
        "num_threads": 2 if smt else 1,
        "num_sockets": 2,
        "base_frequency": 2100.0,
        # No persistent memory.
        "Memory": 0,
        "PMM_App_Direct": 0,
        # The kernel has had the events of PERF_METRICS since 5.9.
        "topdown_use_fixed": True,
        "Num_CPUs": lambda *_: 32,
        "print_error": lambda _: False,
    }
    for name, value in settings.items():
        if hasattr(model, name):
            setattr(model, name, value)
    collector = Collector()
    model.Setup(collector)
    for line in sys.stdin:
        assert line.strip() == "run", line
        known = {}

        def count(event, level):
            if callable(event):
                return event(count, level)
            return ask(("latency " if level == 999 else "event ") + event, known)

        # A threshold may be that of a node further down.
        for _ in range(3):
            for node in collector.nodes:
                node.errcount = 0
                node.compute(count)
        for node in collector.nodes:
            parent = getattr(node, "parent", None)
            fields = [
                node.name,
                getattr(node, "area", ""),
                parent.name if parent else "",
                str(int(bool(getattr(node, "overlap", False)))),
                repr(float(node.val)),
                str(int(bool(node.thresh))),
                str(node.errcount),
                str(int(node.metric)),
            ]
            print("node " + "\t".join(fields))
        print("end", flush=True)


main()
