//! The command line of `pmu export`.

use std::path::PathBuf;

use clap::Args;

use crate::machine_args::SubjectArgs;

/// Check what is to be exported to Prometheus
///
/// A configuration lists events and metrics, and where they are counted: on the whole machine, on
/// each CPU, core or socket, by each instance of a PMU, in control groups, in processes.
///
/// --ready writes such a configuration for a model of CPUs, --rules the recording rules with which
/// Prometheus computes its metrics, and --dashboard a dashboard of Grafana for what the rules record.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status: 0 if the configuration has no fault; 1 if it has one; 2 on a usage error.")]
pub(crate) struct ExportArgs {
    /// The configuration, a TOML file; rules and dashboards are those of the ready configuration
    /// without one
    #[arg(value_name = "FILE", required_unless_present_any = ["ready", "rules", "dashboard"])]
    pub(crate) config: Option<PathBuf>,

    /// Check the configuration, and report each fault with its line and column
    #[arg(long, required_unless_present_any = ["ready", "rules", "dashboard"])]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) made: MadeArgs,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
}

/// What is written for Prometheus and Grafana, in place of counts.
#[derive(Args, Debug)]
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
