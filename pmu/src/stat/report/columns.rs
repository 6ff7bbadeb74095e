//! The columns before the counts in the output for people, with perf's widths
//! (`aggr_header_lens` and `print_aggr_id_std` in `tools/perf/util/stat-display.c`).

use std::time::Duration;

use crate::stat::aggregation::Level;
use crate::stat::rows::Row;

/// `CGROUP_LEN`
pub(super) const CGROUP: usize = 16;
/// `INTERVAL_LEN`
pub(super) const TIME: usize = 16;
/// `COMM_LEN`
const COMM: usize = 16;
/// `PID_LEN`
const PID: usize = 7;

/// The width of a unit's name.
pub(super) fn width(level: Level) -> usize {
    match level {
        Level::Core => 18,
        Level::Cache(_) => 22,
        Level::Cluster => 20,
        Level::Die => 12,
        Level::Socket | Level::Node | Level::Cpu => 6,
        Level::Thread => 16,
        Level::Everything => 0,
    }
}

/// What a level is called.
fn name(level: Level) -> &'static str {
    match level {
        Level::Core => "core",
        Level::Cache(_) => "cache",
        Level::Cluster => "cluster",
        Level::Die => "die",
        Level::Socket => "socket",
        Level::Node => "node",
        Level::Cpu => "cpu",
        Level::Thread | Level::Everything => "",
    }
}

/// The column's header, above the lines of intervals.
pub(super) fn unit_header(level: Level) -> String {
    let (name, width) = (name(level), width(level));
    match level {
        Level::Everything => String::new(),
        Level::Thread => format!(" {:>COMM$}-{:<PID$}", "comm", "pid"),
        Level::Cpu => format!(" {name:<width$}"),
        _ => format!(" {name:<width$} cpus"),
    }
}

/// The unit of a line and the number of counts in it; blanks if it has none.
pub(super) fn unit(row: &Row<'_>, level: Level) -> String {
    let (label, width) = (&row.label, width(level));
    match (level, row.place) {
        (Level::Everything, _) | (Level::Cpu | Level::Thread, None) => String::new(),
        (Level::Cpu, Some(_)) => format!("{label:<width$} "),
        (Level::Thread, Some(_)) => {
            let (name, thread) = label.rsplit_once('-').unwrap_or(("", label));
            format!("{name:>COMM$}-{thread:<PID$} ")
        }
        (_, Some(_)) => format!("{label:<width$} {:>4} ", row.parts),
        (_, None) => format!("{:width$} {:4} ", "", ""),
    }
}

/// The time of an interval.
pub(super) fn time(when: Duration) -> String {
    format!("{:6}.{:09} ", when.as_secs(), when.subsec_nanos())
}
