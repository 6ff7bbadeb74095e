//! Metrics that a comparison excepts.

use pmu_events_core::__private::glob;

/// Models and metrics are shell patterns, those of several models with `|` between them. Each
/// exception must be needed.
#[derive(Debug)]
#[allow(dead_code, reason = "not every comparison shows the reason")]
pub struct Exception<T: 'static = ()> {
    pub models: &'static str,
    pub metric: &'static str,
    /// To what of the metric it is limited.
    pub limit: T,
    /// Why they differ, and who is right.
    pub why: &'static str,
}

/// An exception without a limit.
pub const fn except(models: &'static str, metric: &'static str, why: &'static str) -> Exception {
    Exception { models, metric, limit: (), why }
}

impl<T> Exception<T> {
    /// The number of the first exception of a metric whose limit permits it.
    pub fn find(
        all: &[Self],
        model: &str,
        metric: &str,
        permits: impl Fn(&T) -> bool,
    ) -> Option<usize> {
        all.iter().position(|one| {
            one.models.split('|').any(|models| glob::matches(models, model))
                && glob::matches(one.metric, metric)
                && permits(&one.limit)
        })
    }
}

/// A table of exceptions, and which of them have been needed.
pub struct Exceptions<T: 'static = ()> {
    all: &'static [Exception<T>],
    needed: Vec<bool>,
}

impl<T> Exceptions<T> {
    pub fn new(all: &'static [Exception<T>]) -> Self {
        Exceptions { all, needed: vec![false; all.len()] }
    }

    /// Whether there is one for a metric, which is needed then.
    pub fn take(&mut self, model: &str, metric: &str, permits: impl Fn(&T) -> bool) -> bool {
        let number = Exception::find(self.all, model, metric, permits);
        number.inspect(|&number| self.needed[number] = true).is_some()
    }

    /// Those that nothing needed.
    pub fn idle(&self) -> Vec<&'static Exception<T>> {
        let idle = self.all.iter().zip(&self.needed).filter(|(_, needed)| !**needed);
        idle.map(|(one, _)| one).collect()
    }
}
