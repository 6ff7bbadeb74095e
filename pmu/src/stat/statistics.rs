//! The mean of several runs and its uncertainty (`stddev_stats` in
//! `tools/perf/util/stat.c`).

#[derive(Clone, Copy, Default)]
pub(crate) struct Statistics {
    count: f64,
    mean: f64,
    /// The sum of the squares of the differences from the mean (Welford).
    squares: f64,
}

impl Statistics {
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1.0;
        let difference = value - self.mean;
        self.mean += difference / self.count;
        self.squares += difference * (value - self.mean);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0.0
    }

    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation of the mean.
    pub(crate) fn deviation(&self) -> f64 {
        if self.count < 2.0 {
            return 0.0;
        }
        (self.squares / (self.count - 1.0) / self.count).sqrt()
    }

    /// The standard deviation of the mean, in %.
    pub(crate) fn noise(&self) -> f64 {
        if self.mean == 0.0 { 0.0 } else { 100.0 * self.deviation() / self.mean }
    }
}
