#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Write the tables that a kernel tree's jevents.py makes as JSON lines.

usage: jevents_tables.py [--arch-dir DIR] [--c-file FILE] KERNEL ARCH OUT.jsonl

The kernel's jevents.py is imported and its main() is run as it is; hooks
observe what goes into each table. None of them changes what jevents computes:
the C file of a hooked run (--c-file) is that of a plain run, byte for byte.

Lines, in this order:

  event, metric  the entries of each table in jevents' own order
  row            the entries of pmu_events_map, in order
  group          the descriptions of metric groups, sorted by name

A field is null where jevents has none or an empty string (C sees NULL for
both). per_pkg and deprecated are booleans, aggr_mode and event_grouping are
null or the number of the C enumerator.

jevents always adds the architecture `test`, and later versions `common`; what
belongs to them is dropped unless it is the one asked for. jevents keeps its
state in module variables, so this does one architecture per process.

What later versions of jevents added (DefaultShowEvents, retirement latencies)
is in the lines only if the kernel's version has it. Those versions read files
in several processes, which the hooks would not survive on every system: here
they read them in this one.

Whatever looks odd in the tree is reported on standard error (`note:`), and
a summary as the last line.
"""
import argparse
import collections
import concurrent.futures
import io
import json
import locale
import os
import re
import sys
import tempfile

ARCHS = ('x86', 'arm64', 'powerpc', 'riscv', 's390', 'nds32', 'common', 'test')

# The name by which jevents calls `test` in pmu_events_map.
TEST_ARCH_IN_MAP = 'testarch'

# The replacements by which jevents makes a text fit for a C string literal.
C_ESCAPES = {('\n', '\\n'), ('"', '\\"'), ('\r', '\\r')}


def note(text):
  print(f'jevents_tables: note: {text}', file=sys.stderr)


def fail(text):
  sys.exit(f'jevents_tables: error: {text}')


class Text(str):
  """A string of jevents that remembers what it is without C escapes.

  The string itself is always what jevents makes of it, escapes included;
  `plain` follows every operation but the escaping.

  The escapes cannot be undone afterwards. jevents escapes newlines, carriage
  returns and quotes, but does not double the backslashes that are in the
  source, so a backslash and an `n` in the result may be either a newline or
  these two characters.
  """

  def __new__(cls, value, plain):
    self = super().__new__(cls, value)
    self.plain = plain
    return self

  def replace(self, old, new, *count):
    plain = self.plain
    if (old, new) not in C_ESCAPES:
      plain = plain.replace(old, new, *count)
    return Text(super().replace(old, new, *count), plain)

  def __add__(self, other):
    return Text(super().__add__(other), self.plain + getattr(other, 'plain', other))


def plain(text):
  """The text of a description or topic; null if there is none."""
  if not text:
    return None
  # Not a Text: it did not come the way hook_texts relies upon.
  if not isinstance(text, Text):
    fail(f'jevents.py of this tree makes its texts in an unknown way: {text!r}')
  return text.plain or None


def hook_texts(jevents):
  """Make descriptions and topics instances of Text.

  fixdesc() is local to a constructor and out of reach, but the first thing it
  does with its argument, and all that it does apart from escaping, is to call
  the module's removesuffix().
  """
  removesuffix = jevents.removesuffix

  def hooked(s, suffix):
    return Text(removesuffix(str(s), suffix),
                removesuffix(getattr(s, 'plain', s), suffix))

  jevents.removesuffix = hooked


def hook_expressions(metric):
  """Keep the text of a metric's expression beside the parsed object.

  jevents keeps the result of Simplify(), which may be another object than
  the parsed one. As the text hangs on the expression and not on the event,
  it stays with an expression taken from an architecture standard event.
  """
  parse = metric.ParsePerfJson

  def hooked(text):
    expression = parse(text)
    simplify = expression.Simplify

    def hooked_simplify():
      simplified = simplify()
      simplified.json_text = text
      return simplified

    expression.Simplify = hooked_simplify
    return expression

  metric.ParsePerfJson = hooked


def expression_text(expression):
  if expression is None:
    return None
  if not hasattr(expression, 'json_text'):
    fail(f'jevents.py of this tree rewrites expressions: {expression}')
  return expression.json_text


def number(value):
  """An enumerator as jevents has it: the digits of a number, or None."""
  return int(value) if value else None


def flag(value):
  """What C sees: jevents puts the text where a single digit is expected."""
  if not value or value == '0':
    return False
  if value == '1':
    return True
  return fail(f'neither 0 nor 1: {value!r}')


class InThisProcess:
  """Stands in for concurrent.futures.ProcessPoolExecutor."""

  def __init__(self, initializer, initargs):
    initializer(*initargs)

  def __enter__(self):
    return self

  def __exit__(self, *exception):
    return None

  def map(self, function, tasks):
    return map(function, tasks)


# A table: the architecture and the model it belongs to (directories with
# slashes), and the directory below the architecture's that its files are in.
Table = collections.namedtuple('Table', 'name arch model sys dir')


class Recorder:
  """Observes a run of jevents for one architecture."""

  def __init__(self, jevents, starting_dir, arch):
    self.jevents = jevents
    self.starting_dir = starting_dir
    self.arch = arch
    self.tables = {}       # by the C names of event and metric tables
    self.lines = []        # events and metrics
    self.rows = []
    self.groups = {}       # name to (description, file)
    self.used_files = set()
    self.filled = set()    # C names of non-empty tables
    self.hook()

  def hook(self):
    jevents = self.jevents
    process_one_file = jevents.process_one_file
    preprocess_one_file = jevents.preprocess_one_file
    preprocess_arch_std_files = jevents.preprocess_arch_std_files
    add_events_table_entries = jevents.add_events_table_entries
    print_mapping_table = jevents.print_mapping_table
    to_c_string = jevents.JsonEvent.to_c_string

    def hooked_process_one_file(parents, item):
      # Whatever this call prints belongs to the table before, so the new
      # one's name is looked at afterwards.
      process_one_file(parents, item)
      if item.is_dir():
        self.directory(parents, item)

    def hooked_preprocess_one_file(parents, item):
      # Which names are those of files of groups differs between versions.
      read = jevents._metricgroups
      jevents._metricgroups = {}
      preprocess_one_file(parents, item)
      if jevents._metricgroups:
        self.group_file(item)
      jevents._metricgroups = {**read, **jevents._metricgroups}

    def hooked_preprocess_arch_std_files(archpath):
      for item in os.scandir(archpath):
        if item.is_file() and item.name.endswith('.json'):
          self.used_files.add(self.relative(item.path))
      preprocess_arch_std_files(archpath)

    def hooked_add_events_table_entries(item, topic):
      self.event_file(item)
      add_events_table_entries(item, topic)

    def hooked_to_c_string(event, metric):
      # Called once for each entry of each table, after sorting.
      self.entry(event, metric)
      return to_c_string(event, metric)

    def hooked_print_mapping_table(archs):
      # Read from the output, since it is the one place that says which rows
      # jevents left out.
      args = jevents._args
      output_file, args.output_file = args.output_file, io.StringIO()
      print_mapping_table(archs)
      printed, args.output_file = args.output_file.getvalue(), output_file
      output_file.write(printed)
      self.mapping_table(printed)

    jevents.process_one_file = hooked_process_one_file
    jevents.preprocess_one_file = hooked_preprocess_one_file
    jevents.preprocess_arch_std_files = hooked_preprocess_arch_std_files
    jevents.add_events_table_entries = hooked_add_events_table_entries
    jevents.print_mapping_table = hooked_print_mapping_table
    jevents.JsonEvent.to_c_string = hooked_to_c_string

  def relative(self, path):
    """A path as parts, the first one being the architecture."""
    return tuple(os.path.relpath(path, self.starting_dir).split(os.sep))

  def directory(self, parents, item):
    names = (self.jevents._pending_events_tblname,
             self.jevents._pending_metrics_tblname)
    # jevents keeps to itself whether it takes a directory for a model's; it
    # shows in the names of the tables that are being filled.
    if names[0] != self.jevents.file_name_to_table_name('pmu_events_', parents,
                                                        item.name):
      return
    arch = self.relative(item.path)[0]
    directory = '/'.join(list(parents) + [item.name])
    model = '/'.join(parents) if item.name == 'sys' else directory
    for name in names:
      table = Table(name, arch, model, name.endswith('_sys'), directory)
      if name in self.tables:
        note(f'{directory} and {self.tables[name].dir} are one table, {name}')
      self.tables[name] = table

  def event_file(self, item):
    path = self.relative(item.path)
    self.used_files.add(path)
    if path[0] != self.arch:
      return
    table = self.tables.get(self.jevents._pending_events_tblname)
    if table is None or (table.arch, table.dir) != (path[0], '/'.join(path[1:-1])):
      note(f'{"/".join(path)} goes into the table of '
           f'{table.dir if table else "no directory"}')

  def group_file(self, item):
    path = self.relative(item.path)
    self.used_files.add(path)
    if path[0] != self.arch:
      return
    shown = '/'.join(path)
    with open(item.path, encoding='utf-8') as file:
      descriptions = json.load(file)
    for name, description in descriptions.items():
      earlier = self.groups.get(name)
      if earlier and earlier[0] != description:
        note(f'group {name}: {earlier[0]!r} in {earlier[1]}, '
             f'{description!r} in {shown} (which counts)')
      # As in jevents the last file counts.
      self.groups[name] = (description, shown)

  def entry(self, event, metric):
    table = self.tables[self.jevents._pending_metrics_tblname if metric else
                        self.jevents._pending_events_tblname]
    self.filled.add(table.name)
    if table.arch != self.arch:
      return
    line = {
        'kind': 'metric' if metric else 'event',
        'table': table.name,
        'sys': table.sys,
        'model': table.model,
        'pmu': event.pmu,
    }
    if metric:
      line.update({
          'metric_name': event.metric_name or None,
          'metric_group': event.metric_group or None,
          'metric_expr': expression_text(event.metric_expr),
          'metric_threshold': event.metric_threshold or None,
          'desc': plain(event.desc),
          'long_desc': plain(event.long_desc),
          'scale_unit': event.unit or None,
          'compat': event.compat or None,
          'metricgroup_no_group': event.metricgroup_no_group or None,
          'default_metricgroup_name': event.default_metricgroup_name or None,
          'aggr_mode': number(event.aggr_mode),
          'event_grouping': number(event.event_grouping),
          'topic': event.topic or None,
      })
      if hasattr(event, 'default_show_events'):
        line['shows_events'] = flag(event.default_show_events)
    else:
      line.update({
          'name': event.name or None,
          'event': event.event or None,
          'desc': plain(event.desc),
          'long_desc': plain(event.long_desc),
          'topic': event.topic or None,
          'compat': event.compat or None,
          'scale_unit': event.unit or None,
          'per_pkg': flag(event.perpkg),
          'deprecated': flag(event.deprecated),
      })
      if hasattr(event, 'retirement_latency_mean'):
        line['retirement_latency'] = [
            # jevents drops the number 0, not the text; to perf both are nothing.
            str(latency) if latency not in (None, '', 0, '0') else None for latency in
            (event.retirement_latency_mean, event.retirement_latency_min,
             event.retirement_latency_max)]
    self.lines.append(line)

  def mapping_table(self, printed):
    entries = re.findall(
        r'\.arch = "(.*)",\n\t\.cpuid = "(.*)",\n'
        r'\t\.event_table = \{\n\t\t\.pmus = (\w+),[^}]*\},\n'
        r'\t\.metric_table = \{\n(?:\t\t\.name = .*,\n)?\t\t\.pmus = (\w+),', printed)
    # All but the sentinel, whose .arch is not a string.
    if len(entries) != printed.count('.arch = ') - 1:
      fail('jevents.py of this tree prints pmu_events_map in an unknown way')
    wanted = TEST_ARCH_IN_MAP if self.arch == 'test' else self.arch
    for arch, cpuid, events, metrics in entries:
      if arch != wanted:
        continue
      self.rows.append({
          'kind': 'row',
          # The one escape in a cpuid is the doubled backslash.
          'cpuid': cpuid.replace('\\\\', '\\'),
          'model': self.tables[metrics if events == 'NULL' else events].model,
          # jevents names both tables of `test` whether or not it made them.
          'events': events in self.filled,
          'metrics': metrics in self.filled,
      })

  def group_lines(self):
    # Not in the order of jevents, which sorts the names with the text of an
    # octal escape at their ends: there a name may come after its extensions.
    for name in sorted(self.groups):
      yield {
          'kind': 'group',
          'name': name,
          'description': self.groups[name][0],
      }

  def report(self):
    """Notes on what the run as a whole shows, and the summary."""
    for path, _, files in sorted(os.walk(os.path.join(self.starting_dir, self.arch),
                                         followlinks=True)):
      for file in sorted(files):
        parts = self.relative(os.path.join(path, file))
        if parts not in self.used_files and parts[1:] != ('mapfile.csv',):
          note(f'{"/".join(parts)} is not read')

    mapped = {row['model'] for row in self.rows}
    own = [self.tables[name] for name in sorted(self.filled)
           if self.tables[name].arch == self.arch]
    for model in sorted({t.model for t in own if not t.sys} - mapped):
      note(f'{model} has tables but no row')

    seen = collections.Counter(
        (line['table'], line['pmu'], line['metric_name'])
        for line in self.lines if line['kind'] == 'metric')
    for (table, pmu, name), count in sorted(seen.items()):
      if count > 1:
        note(f'metric {name} of {pmu} is {count} times in {table}')

    kinds = collections.Counter(line['kind'] for line in self.lines)
    sys_tables = {t.dir for t in own if t.sys}
    print(f'{self.arch}: {kinds["event"]} events, {kinds["metric"]} metrics, '
          f'{len(self.rows)} rows, {len(self.groups)} groups, '
          f'{len(sys_tables)} sys tables', file=sys.stderr)


def write_lines(path, lines):
  """Write a file that is either whole or not there."""
  temporary = f'{path}.tmp{os.getpid()}'
  try:
    with open(temporary, 'w', encoding='utf-8') as file:
      for line in lines:
        json.dump(line, file, ensure_ascii=False)
        file.write('\n')
    os.replace(temporary, path)
  except BaseException:
    if os.path.exists(temporary):
      os.unlink(temporary)
    raise


def main():
  parser = argparse.ArgumentParser(
      description='Write the tables that a kernel tree\'s jevents.py makes '
      'as JSON lines.')
  parser.add_argument('--arch-dir', metavar='DIR',
                      help='directory of architecture directories to run on, '
                      'instead of the kernel\'s own')
  parser.add_argument('--c-file', metavar='FILE', default=os.devnull,
                      help='keep the C file of jevents.py')
  parser.add_argument('kernel', metavar='KERNEL',
                      help='directory that holds tools/perf/pmu-events')
  parser.add_argument('arch', metavar='ARCH', choices=ARCHS,
                      help='one of ' + ' '.join(ARCHS))
  parser.add_argument('out', metavar='OUT.jsonl')
  args = parser.parse_args()

  pmu_events = os.path.join(args.kernel, 'tools', 'perf', 'pmu-events')
  if not os.path.isfile(os.path.join(pmu_events, 'jevents.py')):
    parser.error(f'there is no jevents.py in {pmu_events}')
  kernel_arch_dir = os.path.join(pmu_events, 'arch')
  arch_dir = args.arch_dir or kernel_arch_dir
  if not os.path.isdir(os.path.join(arch_dir, args.arch)):
    parser.error(f'there is no {args.arch} in {arch_dir}')
  # jevents opens its input in the locale's encoding.
  if locale.getpreferredencoding(False).lower().replace('-', '') != 'utf8':
    parser.error('the locale is not one of UTF-8; run as python3 -X utf8')

  # The kernel tree is not ours to leave compiled files in.
  sys.dont_write_bytecode = True
  sys.path.insert(0, pmu_events)
  import jevents  # pylint: disable=import-error,import-outside-toplevel
  import metric  # pylint: disable=import-error,import-outside-toplevel

  with tempfile.TemporaryDirectory() as scratch:
    starting_dir = arch_dir
    if not os.path.isdir(os.path.join(arch_dir, 'test')):
      # jevents does not run without the architecture `test`.
      starting_dir = scratch
      for directory, arch in ((arch_dir, args.arch), (kernel_arch_dir, 'test')):
        os.symlink(os.path.abspath(os.path.join(directory, arch)),
                   os.path.join(scratch, arch))

    hook_texts(jevents)
    hook_expressions(metric)
    recorder = Recorder(jevents, starting_dir, args.arch)
    # jevents wants a second architecture beside `test`, but for `none`.
    arch = 'none' if args.arch == 'test' else args.arch
    sys.argv = ['jevents.py', arch, 'all', starting_dir, args.c_file]
    concurrent.futures.ProcessPoolExecutor = InThisProcess
    jevents.main()
    jevents._args.output_file.close()
    recorder.report()

  write_lines(args.out, recorder.lines + recorder.rows + list(recorder.group_lines()))


if __name__ == '__main__':
  main()
