//! What criterion adds up.

use pmu_events::open::Reading;

/// What was counted between the start and the end of a measurement.
///
/// ```
/// use criterion::measurement::Measurement;
/// use pmu_criterion::{Counted, Pmu};
/// use pmu_events::System;
///
/// let pmu = Pmu::open(&System::new(), "duration_time")?;
/// let started = pmu.start();
/// std::hint::black_box((0..10_000).map(std::hint::black_box).sum::<u64>());
/// let counted: Counted = pmu.end(started);
/// assert!(pmu.to_f64(&counted) > 0.0);
/// # Ok::<(), pmu_criterion::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Counted {
    pub(crate) reading: Reading,
    /// 0 if unknown.
    pub(crate) iterations: u64,
}

impl Counted {
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.reading.add(&other.reading);
        sum.iterations += other.iterations;
        sum
    }
}
