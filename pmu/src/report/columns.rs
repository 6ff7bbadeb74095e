//! The columns of perf's form, and the order of its lines.

use std::cmp::Ordering;

use crate::report::chains::Chains;
use crate::report::shares::{Sum, Table};
use crate::report_args::ReportArgs;
use crate::report_values::{ChainOrder, Field, Key, Number};

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Number(Number),
    /// A key, with its number among all keys.
    Key(Key, usize),
}

/// All columns, from the left (`setup_sorting` in `tools/perf/util/sort.c`).
pub(super) fn all(args: &ReportArgs, with_callees: bool) -> Vec<Column> {
    let keys = args.keys();
    let mut columns = Vec::new();
    if !args.has_only_fields() {
        columns.extend(usual(args, with_callees).into_iter().map(Column::Number));
    }
    let column = |field: &Field| match field {
        Field::Number(number) => Column::Number(*number),
        Field::Key(key) => {
            Column::Key(*key, keys.iter().position(|other| other == key).unwrap_or_default())
        }
    };
    let fields = args.fields.iter().flat_map(|fields| &fields.all).map(column);
    let sorted = keys.iter().enumerate().map(|(n, key)| Column::Key(*key, n));
    for column in fields.chain(sorted) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

/// `perf_hpp__init` in `tools/perf/ui/hist.c`
fn usual(args: &ReportArgs, with_callees: bool) -> Vec<Number> {
    let all = [
        (with_callees, Number::OverheadChildren),
        (true, Number::Overhead),
        (args.show_cpu_utilization, Number::OverheadSys),
        (args.show_cpu_utilization, Number::OverheadUser),
        (args.show_nr_samples, Number::Samples),
        (args.show_total_period, Number::Period),
    ];
    all.into_iter().filter_map(|(is_shown, number)| is_shown.then_some(number)).collect()
}

/// Sorts lines as perf does: by their shares, unless all columns are named, by the keys, and then by
/// the columns.
pub(super) fn sort(table: &mut Table<'_>, args: &ReportArgs, with_callees: bool) {
    let mut order = Vec::new();
    if !args.has_only_fields() {
        let shares = [(with_callees, Number::OverheadChildren), (true, Number::Overhead)];
        order.extend(
            shares.iter().filter(|(is_shown, _)| *is_shown).map(|(_, n)| Column::Number(*n)),
        );
    }
    order.extend(args.sorted().into_iter().enumerate().map(|(n, key)| Column::Key(key, n)));
    order.extend(all(args, with_callees));
    let chains = table.chains.as_ref().map(Chains::order);
    // Callers come before what they call (`__hpp__sort_acc` in `tools/perf/ui/hist.c`).
    let deeper = |first: Sum, second: Sum| match chains.filter(|_| first.thread == second.thread) {
        Some(ChainOrder::Caller) => second.depth.cmp(&first.depth),
        Some(ChainOrder::Callee) => first.depth.cmp(&second.depth),
        None => Ordering::Equal,
    };
    table.lines.sort_by(|(one, first), (other, second)| {
        let compared = order.iter().map(|column| match column {
            Column::Number(number) => {
                let compared = number_of(*number, *second).cmp(&number_of(*number, *first));
                match *number {
                    Number::OverheadChildren => compared.then_with(|| deeper(*first, *second)),
                    _ => compared,
                }
            }
            Column::Key(key, n) => compare(*key, &one.values[*n], &other.values[*n]),
        });
        let compared = compared.fold(Ordering::Equal, Ordering::then);
        compared.then_with(|| one.cmp(other))
    });
}

/// What a column of numbers has, of which a share is made.
pub(super) fn number_of(number: Number, sum: Sum) -> u64 {
    let [kernel, user, guest_kernel, guest_user] = sum.by_mode;
    match number {
        Number::Overhead | Number::Period => sum.events,
        Number::OverheadSys => kernel,
        Number::OverheadUser => user,
        Number::OverheadGuestSys => guest_kernel,
        Number::OverheadGuestUser => guest_user,
        Number::OverheadChildren => sum.with_callees,
        Number::Samples => sum.samples,
    }
}

/// Numbers by their size; of names, those that are not known come last, and are alike.
fn compare(key: Key, one: &str, other: &str) -> Ordering {
    if key.is_number() {
        let number = |text: &str| text.parse::<u64>().ok();
        return number(one).cmp(&number(other));
    }
    let is_unknown = |text: &str| match key {
        Key::Function => text.starts_with("0x"),
        Key::Module => text == "[unknown]",
        _ => false,
    };
    match (is_unknown(one), is_unknown(other)) {
        (true, true) => Ordering::Equal,
        (false, false) => one.cmp(other),
        (first, second) => first.cmp(&second),
    }
}
