//! Sets of CPUs, in the format of sysfs.

use std::string::String;
use std::vec::Vec;

use core::fmt;
use core::ops::{Range, RangeInclusive};

/// A set of CPUs, such as `0-3,8` (`Documentation/admin-guide/cputopology.rst`).
///
/// ```
/// use pmu_events::sysfs::CpuSet;
/// let cpus: CpuSet = "0-3,8".parse()?;
/// assert_eq!(cpus.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
/// assert_eq!(cpus.to_string(), "0-3,8");
/// let error = "0-3,8-7".parse::<CpuSet>().unwrap_err();
/// assert_eq!(error.span(), 4..7);
/// assert_eq!(error.to_string(), "byte 4: invalid range of CPUs `8-7`");
/// # Ok::<(), pmu_events::sysfs::CpuSetError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CpuSet {
    ranges: Vec<RangeInclusive<u32>>,
}

impl CpuSet {
    /// No machine has more CPUs than this; a larger number is a mistake.
    const MOST: u32 = 1 << 20;

    /// Returns the CPUs in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.ranges.iter().cloned().flatten()
    }

    /// Returns the first CPU.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.ranges.first().map(|range| *range.start())
    }

    /// Whether the set contains a CPU.
    #[must_use]
    pub fn contains(&self, cpu: u32) -> bool {
        self.ranges.iter().any(|range| range.contains(&cpu))
    }

    /// Returns the CPUs of either set.
    #[must_use]
    pub fn union(&self, other: &CpuSet) -> CpuSet {
        Self::merged(self.ranges.iter().chain(&other.ranges).cloned().collect())
    }

    /// Returns the CPUs of both sets.
    ///
    /// ```
    /// use pmu_events::sysfs::CpuSet;
    /// let [first, second]: [CpuSet; 2] = ["0-5,9".parse()?, "4-9".parse()?];
    /// assert_eq!(first.intersection(&second).to_string(), "4-5,9");
    /// assert_eq!(first.union(&second).to_string(), "0-9");
    /// # Ok::<(), pmu_events::sysfs::CpuSetError>(())
    /// ```
    #[must_use]
    pub fn intersection(&self, other: &CpuSet) -> CpuSet {
        let pairs =
            self.ranges.iter().flat_map(|one| other.ranges.iter().map(move |two| (one, two)));
        let common =
            pairs.map(|(one, two)| *one.start().max(two.start())..=*one.end().min(two.end()));
        Self::merged(common.filter(|range| !range.is_empty()).collect())
    }

    fn merged(mut ranges: Vec<RangeInclusive<u32>>) -> Self {
        ranges.sort_unstable_by_key(|range| *range.start());
        let mut merged: Vec<RangeInclusive<u32>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*range.end().max(last.end());
                }
                _ => merged.push(range),
            }
        }
        CpuSet { ranges: merged }
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl core::str::FromStr for CpuSet {
    type Err = CpuSetError;

    fn from_str(text: &str) -> Result<Self, CpuSetError> {
        let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
        let mut next = text.len() - text.trim_start().len();
        for range in text.trim().split(',') {
            let start = next;
            next += range.len() + 1;
            if range.is_empty() {
                continue;
            }
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            match (first.parse::<u32>(), last.parse::<u32>()) {
                (Ok(first), Ok(last)) if first <= last && last < Self::MOST => {
                    ranges.push(first..=last);
                }
                _ => return Err(CpuSetError { range: range.into(), start }),
            }
        }
        Ok(Self::merged(ranges))
    }
}

/// Why a text is not a set of CPUs: a range is not one or two numbers, ends before
/// it starts, or has more CPUs than any machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSetError {
    range: String,
    start: usize,
}

impl CpuSetError {
    /// Returns the position of the range, in bytes.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.range.len()
    }
}

impl fmt::Display for CpuSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: invalid range of CPUs `{}`", self.start, self.range.escape_debug())
    }
}

impl core::error::Error for CpuSetError {}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, range) in self.ranges.iter().enumerate() {
            let separator = if n == 0 { "" } else { "," };
            if range.start() == range.end() {
                write!(f, "{separator}{}", range.start())?;
            } else {
                write!(f, "{separator}{}-{}", range.start(), range.end())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn sets() {
        let cases: &[(&str, Option<&str>)] = &[
            ("", Some("")),
            ("0\n", Some("0")),
            ("3,1,2", Some("1-3")),
            ("0-3,2-5,9", Some("0-5,9")),
            ("1-0", None),
            ("x", None),
            ("0-4294967295", None),
            ("-1", None),
        ];
        for &(text, expected) in cases {
            let set = text.parse::<CpuSet>().ok().map(|set| set.to_string());
            assert_eq!(set.as_deref(), expected, "{text:?}");
        }
        for (text, span) in [("1-0", 0..3), (" 0,,x,2\n", 4..5), ("0-4294967295", 0..12)] {
            assert_eq!(text.parse::<CpuSet>().unwrap_err().span(), span, "{text:?}");
        }
    }
}
