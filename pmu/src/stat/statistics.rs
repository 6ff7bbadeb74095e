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
        if self.mean == 0.0 { 0.0 } else { 100.0 * self.deviation() / self.mean.abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::Statistics;

    #[test]
    fn mean_and_deviation() {
        // The values, their mean, the standard deviation of that, and that in %.
        let cases: [(&[f64], f64, f64, f64); 5] = [
            (&[], 0.0, 0.0, 0.0),
            (&[7.0], 7.0, 0.0, 0.0),
            (&[1.0, 2.0, 3.0, 6.0], 3.0, (14.0_f64 / 12.0).sqrt(), 36.0041),
            (&[-1.0, 1.0], 0.0, 1.0, 0.0),
            // A sensor below zero.
            (&[-1.0, -2.0, -3.0, -6.0], -3.0, (14.0_f64 / 12.0).sqrt(), 36.0041),
        ];
        for (values, mean, deviation, noise) in cases {
            let mut all = Statistics::default();
            values.iter().for_each(|&value| all.add(value));
            assert_eq!((all.mean(), all.is_empty()), (mean, values.is_empty()));
            assert!((all.deviation() - deviation).abs() < 1e-12, "{values:?}");
            assert!((all.noise() - noise).abs() < 1e-3, "{values:?}: {}", all.noise());
        }
    }
}
