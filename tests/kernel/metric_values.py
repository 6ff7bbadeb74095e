#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Values of metrics as perf works them out, to hold pmu-events against.

Reads one JSON object a line from standard input, each a model:

    {"model": NAME,
     "events": [[PMU, NAME], ...],
     "metrics": [{"name":, "pmu":, "expression":, "threshold":}, ...]}

and writes, for each metric in order, the values of its expression and then, if
it has one, of its threshold, under ROWS made-up assignments: eight bytes each,
little-endian doubles. What perf cannot work out is NaN.

The formulas are read and evaluated here by the rules of tools/perf/util/expr.l,
expr.y and expr.c, from their text; nothing of pmu-events is used. The value of
an identifier in a row is made from its name alone, so that no assignment has to
be handed over: see `mixed`.
"""

import argparse
import array
import json
import math
import re
import sys

NAN = math.nan
MASK = (1 << 64) - 1


def mixed(name, row, salt=0):
    """64 bits made of a name and a row: FNV-1a, then splitmix64."""
    bits = 0xCBF29CE484222325
    for byte in name.encode():
        bits = ((bits ^ byte) * 0x100000001B3) & MASK
    return finish((bits + (row + 1) * 0x9E3779B97F4A7C15 + salt) & MASK)


def finish(bits):
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def value_of(bits):
    """A number of a kind that the low bits choose; what perf meets and what it
    should survive."""
    kind, rest = bits & 31, bits >> 5
    if kind == 0:
        return 0.0
    if kind == 1:
        return NAN if rest & 3 == 0 else 1.0
    if kind == 2:
        return math.inf if rest & 7 == 0 else float(rest & 0xFFFFFFFFFF)
    if kind < 8:
        return float(rest % 7)
    if kind < 16:
        return float(rest % 1000) / 1024.0
    if kind == 16:
        return -float(rest % 1000)
    return float(rest % 1000000000)


TOKEN = re.compile(
    r"""(?P<space>[ \t\n\r]+)
      | (?P<literal>\#[0-9a-zA-Z_.\-]+)
      | (?P<number>([0-9]+\.?[0-9]*|[0-9]*\.?[0-9]+)(e-?[0-9]+)?)
      | (?P<sign>[|^&<>+\-*/%(),])""",
    re.VERBOSE,
)
SYMBOL = re.compile(r"(\\[-,=]|[0-9a-zA-Z_.:@?]+)+")
WORDS = {"if", "else", "min", "max", "d_ratio", "source_count", "has_event",
         "strcmp_cpuid_str", "aggr_nr", "NaN"}


def tokens(text):
    """As flex does it: the longest match wins, of equal ones the first rule."""
    found, at = [], 0
    while at < len(text):
        match, symbol = TOKEN.match(text, at), SYMBOL.match(text, at)
        if symbol and (not match or match.lastgroup == "space" or symbol.end() > match.end()):
            word = symbol.group()
            found.append((word, None) if word in WORDS else ("id", word.replace("\\", "")))
            at = symbol.end()
            continue
        if not match:
            raise SyntaxError(f"{text[at]!r} in {text}")
        kind = "literal" if match.group("literal") else "number" if match.group("number") else None
        if match.group("sign"):
            found.append((match.group(), None))
        elif kind == "number":
            found.append((kind, float(match.group())))
        elif kind:
            found.append((kind, match.group()))
        at = match.end()
    found.append(("end", None))
    return found


LEVELS = [["|"], ["^"], ["&"], ["<", ">"], ["+", "-"], ["*", "/", "%"]]


class Parser:
    """Recursive descent; a tree of tuples."""

    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0

    def peek(self):
        return self.tokens[self.at][0]

    def take(self, kind=None):
        token = self.tokens[self.at]
        if kind and token[0] != kind:
            raise SyntaxError(f"expected {kind}, found {token}")
        self.at += 1
        return token

    def whole(self):
        tree = self.if_expr()
        self.take("end")
        return tree

    def if_expr(self):
        then = self.binary(0)
        if self.peek() != "if":
            return then
        self.take()
        condition = self.binary(0)
        self.take("else")
        return ("if", then, condition, self.if_expr())

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            sign = self.take()[0]
            left = (sign, left, self.binary(level + 1))
        return left

    def unary(self):
        kind, value = self.take()
        if kind == "-":
            return ("neg", self.unary())
        if kind == "(":
            tree = self.if_expr()
            self.take(")")
            return tree
        if kind in ("number", "literal", "id"):
            return (kind, value)
        if kind == "NaN":
            return ("number", NAN)
        if kind in ("min", "max", "d_ratio"):
            self.take("(")
            first = self.binary(0)
            self.take(",")
            second = self.binary(0)
            self.take(")")
            return (kind, first, second)
        if kind in ("source_count", "has_event", "strcmp_cpuid_str", "aggr_nr"):
            self.take("(")
            # A CPUID may look like a number.
            argument = self.take("id")[1]
            self.take(")")
            return (kind, argument)
        raise SyntaxError(f"{kind} is no value")


def is_const(value):
    return math.isfinite(value)


def union(left, right):
    """perf's union of what is not constant: no value."""
    return NAN


def either(left, right):
    if is_const(left) and is_const(right):
        return 0.0 if left == 0 and right == 0 else 1.0
    if is_const(left):
        return right if left == 0 else 1.0
    if is_const(right):
        return left if right == 0 else 1.0
    return union(left, right)


def both(left, right):
    if is_const(left) and is_const(right):
        return 1.0 if left != 0 and right != 0 else 0.0
    if is_const(left):
        return right if left != 0 else 0.0
    if is_const(right):
        return left if right != 0 else 0.0
    return union(left, right)


def one(left, right):
    if is_const(left) and is_const(right):
        return 1.0 if (left == 0) != (right == 0) else 0.0
    return union(left, right)


def plain(operation):
    def apply(left, right):
        if left != left or right != right:
            return NAN
        try:
            return float(operation(left, right))
        except OverflowError:
            return math.inf
    return apply


def divide(left, right):
    return NAN if right == 0 else left / right


class Abort(Exception):
    """perf's YYABORT: the formula has no value."""


def as_long(value):
    """(long)value, at the ends of its range where C leaves it open."""
    if math.isinf(value):
        return (1 << 63) - 1 if value > 0 else -(1 << 63)
    return max(-(1 << 63), min((1 << 63) - 1, int(value)))


def remainder(left, right):
    if right == 0:
        raise Abort
    # C leaves the conversion of NaN open; no value is the one answer.
    if right != right:
        return NAN
    divisor = as_long(right)
    if divisor == 0:
        # perf dies here.
        raise Abort
    if left != left:
        return NAN
    dividend = as_long(left)
    size = abs(dividend) % abs(divisor)
    return float(-size if dividend < 0 else size)


OPERATIONS = {
    "|": either, "&": both, "^": one,
    "<": plain(lambda a, b: a < b), ">": plain(lambda a, b: a > b),
    "+": plain(lambda a, b: a + b), "-": plain(lambda a, b: a - b),
    "*": plain(lambda a, b: a * b), "/": divide, "%": remainder,
    "min": lambda a, b: a if a < b else b,
    "max": lambda a, b: a if a > b else b,
    "d_ratio": lambda a, b: 0.0 if b == 0 else a / b,
}


class Model:
    """The metrics of one model, which refer to each other by name."""

    def __init__(self, model, rows, parsed, columns):
        self.rows, self.parsed, self.columns = rows, parsed, columns
        self.events = {name.lower() for _, name in model["events"]}
        self.core = {name.lower() for pmu, name in model["events"] if pmu == "default_core"}
        self.metrics = {}
        for metric in model["metrics"]:
            self.metrics.setdefault(metric["name"].lower(), []).append(metric)
        self.known = {}

    def column(self, kind, name, make):
        """One value a row, the same for every model."""
        key = (kind, name)
        if key not in self.columns:
            self.columns[key] = [make(row) for row in range(self.rows)]
        return self.columns[key]

    def find(self, name, pmu, own):
        """The metric that a name means to a metric of a PMU. perf looks for
        metrics first; but a metric of an event's name means the event."""
        named = self.metrics.get(name)
        if not named or (own == name and name in self.events):
            return None
        return next((metric for metric in named if metric["pmu"] == pmu), named[0])

    def value(self, metric):
        key = id(metric)
        if key not in self.known:
            # perf refuses what refers to itself.
            self.known[key] = [NAN] * self.rows
            own = metric["name"].lower()
            self.known[key] = self.formula(metric["expression"], metric["pmu"], own)
        return self.known[key]

    def formula(self, text, pmu, own):
        if text not in self.parsed:
            self.parsed[text] = Parser(text).whole()
        aborted = set()
        values = self.tree(self.parsed[text], pmu, own, aborted)
        if aborted:
            values = [NAN if row in aborted else value for row, value in enumerate(values)]
        return values

    def tree(self, tree, pmu, own, aborted):
        kind = tree[0]
        if kind == "number":
            return [tree[1]] * self.rows
        if kind == "id":
            name = tree[1].lower()
            metric = self.find(name, pmu, own)
            if metric:
                return self.value(metric)
            return self.event(name)
        if kind == "literal":
            name = tree[1].lower()
            values = self.column(kind, name, lambda row: value_of(mixed(name, row)))
            aborted.update(row for row, value in enumerate(values) if value != value)
            return values
        if kind in ("source_count", "aggr_nr"):
            salt = 1 if kind == "source_count" else 2
            name = tree[1].lower()
            return self.column(kind, name, lambda row: float(mixed(name, row, salt) % 9))
        if kind == "has_event":
            name = tree[1].lower()
            if name in self.core:
                return [1.0] * self.rows
            return [0.0 if value != value else 1.0 for value in self.event(name)]
        if kind == "strcmp_cpuid_str":
            name = tree[1].lower()
            return self.column(kind, name, lambda row: float(mixed(name, row) & 1))
        if kind == "neg":
            return [-value for value in self.tree(tree[1], pmu, own, aborted)]
        parts = [self.tree(part, pmu, own, aborted) for part in tree[1:]]
        if kind == "if":
            return [a if c != 0 else b for a, c, b in zip(*parts)]
        operation = OPERATIONS[kind]
        if kind != "%":
            return [operation(a, b) for a, b in zip(*parts)]
        values = []
        for row, (a, b) in enumerate(zip(*parts)):
            try:
                values.append(operation(a, b))
            except Abort:
                aborted.add(row)
                values.append(NAN)
        return values

    def event(self, name):
        return self.column("id", name, lambda row: value_of(mixed(name, row)))


def main():
    about = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about.add_argument("rows", metavar="ROWS", type=int, help="how many assignments")
    about.add_argument("out", metavar="OUT", help="the file to write")
    arguments = about.parse_args()
    parsed, columns = {}, {}
    with open(arguments.out, "wb") as out:
        for line in sys.stdin:
            description = json.loads(line)
            model = Model(description, arguments.rows, parsed, columns)
            for metric in description["metrics"]:
                array.array("d", model.value(metric)).tofile(out)
                if metric["threshold"]:
                    values = model.formula(metric["threshold"], metric["pmu"], None)
                    array.array("d", values).tofile(out)


if __name__ == "__main__":
    main()
