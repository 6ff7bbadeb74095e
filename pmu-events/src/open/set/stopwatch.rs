//! How long the counters of a set have been enabled at least.

use std::time::{Duration, Instant};

/// A lower bound of the enabled time of every counter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch {
    until_now: Duration,
    /// When all counters were enabled, if they are.
    since: Option<Instant>,
}

impl Stopwatch {
    /// Must be called after the last counter is enabled.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Must be called before the first counter is disabled.
    pub(super) fn stop(&mut self) {
        self.until_now = self.least();
        self.since = None;
    }

    pub(super) fn least(&self) -> Duration {
        self.until_now + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// Whether a counter that counts a CPU was off although it was enabled. The kernel takes
/// the counters away from a CPU that goes offline, and leaves them off when the CPU comes
/// back (`perf_event_exit_cpu` in `kernel/events/core.c`).
///
/// The clocks of scheduler and program may differ by as much as time is ever slewed, 500
/// parts in a million (`adjtimex(2)`).
pub(super) fn was_off(time_enabled: u64, least: Duration) -> bool {
    const JITTER: Duration = Duration::from_millis(5);
    let least = least.saturating_sub(JITTER + least / 2_000);
    u128::from(time_enabled) < least.as_nanos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_may_differ_a_little() {
        let ms = |time: u64| time * 1_000_000;
        let cases = [
            (0, 0, false),
            (0, 5, false),
            (0, 6, true),
            (ms(100), 100, false),
            (ms(100), 105, false),
            (ms(100), 106, true),
            (ms(10_000), 10_010, false),
            (ms(10_000), 10_011, true),
            (ms(10_000), 9_000, false),
        ];
        for (enabled, least, expected) in cases {
            assert_eq!(
                was_off(enabled, Duration::from_millis(least)),
                expected,
                "{enabled} {least}"
            );
        }
    }
}
