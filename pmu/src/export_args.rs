//! The command line of `pmu export`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::machine_args::{NamesArgs, SubjectArgs};

/// Where the exporter listens unless the command line or the configuration says otherwise.
#[cfg(target_os = "linux")]
pub(crate) const LISTEN: &str = "127.0.0.1:9739";

/// Serve counts to Prometheus
///
/// A configuration lists events and metrics, and where they are counted: on the whole machine, on
/// each CPU, core or socket, by each instance of a PMU, in control groups, in processes. They are
/// opened once and count all the time; each request for /metrics reads them. The answer is in the
/// format that the request accepts: OpenMetrics, or Prometheus's text format.
///
/// --ready writes a configuration for a model of CPUs, --rules the recording rules with which
/// Prometheus computes its metrics, and --dashboard a dashboard of Grafana for what the rules record.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
CPUs, control groups and processes are followed while they come and go. SIGHUP makes the exporter \
read the configuration again; one with a fault changes nothing. SIGTERM and SIGINT end it.

Whole CPUs and control groups need CAP_PERFMON, or perf_event_paranoid of 0 or less.

With --check, names are those of this machine; --cpuid, --model and --sysfs check the configuration \
for another one. What only this CPU lacks, though others have it, is reported, too.

Environment:
  PERF_CPUID   Use this CPUID instead of the machine's
  SYSFS_PATH   Read PMUs below this directory instead of /sys
  PROCFS_PATH  Read settings and tasks below this directory instead of /proc

Exit status: 0 after SIGTERM or SIGINT, or if --check finds no fault; 1 if the configuration has \
one, or the exporter cannot start; 2 on a usage error.")]
pub(crate) struct ExportArgs {
    /// The configuration, a TOML file; rules and dashboards are those of the ready configuration
    /// without one
    #[arg(value_name = "FILE", required_unless_present_any = ["ready", "rules", "dashboard"])]
    pub(crate) config: Option<PathBuf>,

    /// Check the configuration, and report each fault with its line and column
    #[arg(long, conflicts_with_all = ["listen", "textfile", "user"])]
    pub(crate) check: bool,

    /// Listen on this address [default: that of the configuration, or 127.0.0.1:9739]
    #[arg(long, value_name = "ADDRESS", overrides_with = "listen")]
    pub(crate) listen: Option<SocketAddr>,

    /// Write FILE at each interval instead of listening, for node_exporter's textfile collector,
    /// which reads names that end with .prom
    #[arg(long, value_name = "FILE", conflicts_with = "listen", overrides_with = "textfile")]
    pub(crate) textfile: Option<PathBuf>,

    /// Become this user once the counters are open, and keep no capability but CAP_PERFMON
    #[arg(long, value_name = "USER", overrides_with = "user")]
    pub(crate) user: Option<String>,

    #[command(flatten)]
    pub(crate) made: MadeArgs,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    #[command(flatten)]
    pub(crate) names: NamesArgs,
}

/// What is written for Prometheus and Grafana, in place of counts.
#[derive(Args, Clone, Debug)]
pub(crate) struct MadeArgs {
    /// Write a configuration for the CPU's model: the metrics that its counters have room for, and
    /// what they have no room for
    #[arg(long, conflicts_with_all = ["check", "config"], help_heading = "Write files")]
    pub(crate) ready: bool,

    /// Write recording rules for the metrics of the configuration
    #[arg(long, conflicts_with_all = ["check", "ready"], help_heading = "Write files")]
    pub(crate) rules: bool,

    /// Write a dashboard for what the rules record
    #[arg(long, conflicts_with_all = ["check", "ready", "rules"], help_heading = "Write files")]
    pub(crate) dashboard: bool,

    /// Over which time rules take rates: at least four times the interval at which Prometheus asks
    /// the exporter
    #[arg(
        long,
        value_name = "TIME",
        default_value = "1m",
        value_parser = range,
        overrides_with = "range",
        help_heading = "Write files"
    )]
    pub(crate) range: String,
}

/// A time as PromQL and the names of rules have it: `30s`, `5m`.
fn range(text: &str) -> Result<String, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_number = digits.len() <= 6 && digits.parse().is_ok_and(|number: u32| number > 0);
    match text.strip_prefix(digits) {
        Some("s" | "m" | "h") if is_number && !digits.starts_with(['+', '0']) => Ok(text.into()),
        _ => Err("expected a number of seconds, minutes or hours: 30s, 5m, 1h".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for text in ["1s", "30s", "5m", "1h"] {
            assert_eq!(range(text).as_deref(), Ok(text));
        }
        for text in ["", "1", "s", "0s", "01m", "+1m", "1ms", "1.5m", "1m30s", "9999999s", "1M"] {
            assert!(range(text).is_err(), "{text}");
        }
    }
}
