//! The options of `pmu stat` that stand for metrics, and the one that counts nothing.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct PresetArgs {
    /// Count nothing, and show how long the COMMAND takes
    #[arg(short, long, help_heading = "Events")]
    pub(crate) null: bool,

    /// Show the top-down metrics of a level, and only those; the same as -M TopdownL1
    /// --metric-only; `pmu topdown` descends by itself
    #[arg(long, help_heading = "Events")]
    pub(crate) topdown: bool,

    /// The level of --topdown [default: 1]
    #[arg(
        long,
        value_name = "N",
        default_value = "0",
        hide_default_value = true,
        help_heading = "Events"
    )]
    pub(crate) td_level: u32,

    /// Show metrics of hardware transactions; the same as -M transaction
    #[arg(short = 'T', long, help_heading = "Events")]
    pub(crate) transaction: bool,

    /// Show how much time system management interrupts take; the same as -M smi --metric-only
    #[arg(long, help_heading = "Events")]
    pub(crate) smi_cost: bool,
}

impl PresetArgs {
    /// The metrics that they stand for.
    pub(crate) fn metrics(&self) -> Vec<String> {
        let level = self.td_level.max(1);
        let topdown = self.topdown.then(|| format!("TopdownL{level}"));
        let transaction = self.transaction.then(|| "transaction".to_string());
        let smi = self.smi_cost.then(|| "smi".to_string());
        topdown.into_iter().chain(transaction).chain(smi).collect()
    }

    /// Whether only the values of metrics are shown, unless that is taken back.
    pub(crate) fn is_metric_only(&self) -> bool {
        self.topdown || self.smi_cost
    }
}
