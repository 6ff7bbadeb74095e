//! Which retirement latencies the formulas of `stat` and `topdown` take, from the command
//! line. It is outside their modules because every system has it.

use clap::Args;
use pmu_events::event::LatencyStatistic;

/// Selects retirement latencies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LatencyArgs {
    /// Take these retirement latencies (EVENT:R in formulas): the mean, the minimum or the maximum
    /// that the tables state, or CYCLES for EVENT, which samples can tell; may be repeated or
    /// joined by commas [default: mean]
    #[arg(
        long = "retire-latency",
        value_name = "mean|min|max|EVENT=CYCLES",
        value_delimiter = ',',
        value_parser = choice,
        help_heading = "Select tables"
    )]
    pub(crate) choices: Vec<Choice>,
}

/// One of the words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choice {
    Statistic(LatencyStatistic),
    Cycles { event: String, cycles: f64 },
}

fn choice(text: &str) -> Result<Choice, String> {
    if let Ok(statistic) = text.parse() {
        return Ok(Choice::Statistic(statistic));
    }
    // The terms of an event contain the sign, too.
    let Some((event, cycles)) = text.rsplit_once('=').filter(|(event, _)| !event.is_empty()) else {
        return Err("expected `mean`, `min`, `max` or EVENT=CYCLES".into());
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
            ("RET.LOADS=4.5", of("RET.LOADS", 4.5)),
            ("cpu_core/RET.LOADS/=0", of("cpu_core/RET.LOADS/", 0.0)),
            ("median", refused("expected `mean`, `min`, `max` or EVENT=CYCLES")),
            ("=4", refused("expected `mean`, `min`, `max` or EVENT=CYCLES")),
            ("E=-1", refused("expected a number of cycles of 0 or more for `E`")),
            ("E=inf", refused("expected a number of cycles of 0 or more for `E`")),
            ("E=", refused("expected a number of cycles of 0 or more for `E`")),
        ];
        for (text, expected) in cases {
            assert_eq!(choice(text), expected, "{text}");
        }
    }
}
