//! Which retirement latencies the formulas of `stat` and `topdown` take, from the command
//! line. It is outside their modules because every system has it.

use clap::Args;
use pmu_events::event::LatencyStatistic;

/// Selects retirement latencies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LatencyArgs {
    /// Take these retirement latencies (EVENT:R in formulas): the mean, the minimum or the maximum
    /// that the tables state; the same of samples that are taken meanwhile (`sampled`), or of the
    /// tables where there are none; or CYCLES for EVENT; may be repeated or joined by commas
    /// [default: mean]
    #[arg(
        long = "retire-latency",
        value_name = "mean|min|max|sampled|EVENT=CYCLES",
        value_delimiter = ',',
        value_parser = choice,
        help_heading = "Select tables"
    )]
    choices: Vec<Choice>,

    /// Sample retirement latencies, as --retire-latency sampled does
    #[arg(long, help_heading = "Select tables")]
    record_tpebs: bool,

    /// Take the mean, the minimum or the maximum, as --retire-latency MODE does
    #[arg(long, value_name = "MODE", value_parser = mode, help_heading = "Select tables")]
    tpebs_mode: Option<LatencyStatistic>,
}

impl LatencyArgs {
    /// What is chosen, the last word of perf's spelling.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Choice> {
        let sampled = self.record_tpebs.then_some(Choice::Sampled);
        let mode = self.tpebs_mode.map(Choice::Statistic);
        self.choices.iter().cloned().chain(sampled).chain(mode)
    }

    /// Whether samples are taken meanwhile.
    pub(crate) fn are_sampled(&self) -> bool {
        self.choices().any(|choice| choice == Choice::Sampled)
    }
}

fn mode(text: &str) -> Result<LatencyStatistic, String> {
    text.to_ascii_lowercase().parse().map_err(|_| "expected `mean`, `min` or `max`".into())
}

/// One of the words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    Statistic(LatencyStatistic),
    /// Those of samples.
    Sampled,
    Cycles {
        event: String,
        cycles: f64,
    },
}

fn choice(text: &str) -> Result<Choice, String> {
    if let Ok(statistic) = text.parse() {
        return Ok(Choice::Statistic(statistic));
    }
    if text == "sampled" {
        return Ok(Choice::Sampled);
    }
    // The terms of an event contain the sign, too.
    let Some((event, cycles)) = text.rsplit_once('=').filter(|(event, _)| !event.is_empty()) else {
        return Err("expected `mean`, `min`, `max`, `sampled` or EVENT=CYCLES".into());
    };
    match cycles.parse() {
        Ok(cycles) if f64::is_finite(cycles) && cycles >= 0.0 => {
            Ok(Choice::Cycles { event: event.into(), cycles })
        }
        _ => Err(format!("expected a number of cycles of 0 or more for `{event}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices() {
        let of = |event: &str, cycles| Ok(Choice::Cycles { event: event.into(), cycles });
        let refused = |message: &str| Err(message.to_string());
        let cases = [
            ("mean", Ok(Choice::Statistic(LatencyStatistic::Mean))),
            ("max", Ok(Choice::Statistic(LatencyStatistic::Max))),
            ("sampled", Ok(Choice::Sampled)),
            ("RET.LOADS=4.5", of("RET.LOADS", 4.5)),
            ("cpu_core/RET.LOADS/=0", of("cpu_core/RET.LOADS/", 0.0)),
            ("median", refused("expected `mean`, `min`, `max`, `sampled` or EVENT=CYCLES")),
            ("=4", refused("expected `mean`, `min`, `max`, `sampled` or EVENT=CYCLES")),
            ("E=-1", refused("expected a number of cycles of 0 or more for `E`")),
            ("E=inf", refused("expected a number of cycles of 0 or more for `E`")),
            ("E=", refused("expected a number of cycles of 0 or more for `E`")),
        ];
        for (text, expected) in cases {
            assert_eq!(choice(text), expected, "{text}");
        }
    }
}
