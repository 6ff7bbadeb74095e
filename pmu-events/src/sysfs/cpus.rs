//! Sets of CPUs, in the format of sysfs.

use std::string::String;
use std::vec::Vec;

use core::fmt;
use core::ops::{Range, RangeInclusive};

use crate::located::ErrorKind;
use crate::order::sort_by;

/// A set of CPUs, such as `0-3,8` (`Documentation/admin-guide/cputopology.rst`).
///
/// ```
/// use pmu_events::sysfs::CpuSet;
///
/// let cpus: CpuSet = "0-3,8".parse()?;
/// assert_eq!(cpus.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
/// assert_eq!(cpus.to_string(), "0-3,8");
/// let error = "0-3,8-7".parse::<CpuSet>().unwrap_err();
/// assert_eq!(error.span(), 4..7);
/// assert_eq!(error.to_string(), "byte 4: range `8-7` ends before it starts");
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
        Numbers { ranges: &self.ranges, next: None }
    }

    /// Returns the first CPU.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    pub(crate) fn last(&self) -> Option<u32> {
        self.ranges.last().map(|range| *range.end())
    }

    /// The number of CPUs.
    pub(crate) fn len(&self) -> usize {
        let mut len = 0;
        for range in &self.ranges {
            len += (range.end() - range.start()) as usize + 1;
        }
        len
    }

    /// Whether the set contains a CPU.
    ///
    /// ```
    /// use pmu_events::sysfs::CpuSet;
    ///
    /// let cpus: CpuSet = [0, 2, 4].into_iter().collect();
    /// assert!(cpus.contains(2) && !cpus.contains(3));
    /// ```
    #[must_use]
    pub fn contains(&self, cpu: u32) -> bool {
        for range in &self.ranges {
            if range.contains(&cpu) {
                return true;
            }
        }
        false
    }

    /// Returns the CPUs of either set.
    #[must_use]
    pub fn union(&self, other: &CpuSet) -> CpuSet {
        let mut ranges = self.ranges.clone();
        ranges.extend_from_slice(&other.ranges);
        Self::merged(ranges)
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
        let mut common = Vec::new();
        for one in &self.ranges {
            for two in &other.ranges {
                let (first, last) = (*one.start().max(two.start()), *one.end().min(two.end()));
                if first <= last {
                    common.push(first..=last);
                }
            }
        }
        Self::merged(common)
    }

    fn merged(mut ranges: Vec<RangeInclusive<u32>>) -> Self {
        sort_by(&mut ranges, |a, b| a.start().cmp(b.start()));
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

/// CPUs by their numbers, in any order.
///
/// ```
/// use pmu_events::sysfs::CpuSet;
///
/// assert_eq!(CpuSet::from_iter([8, 0, 1, 2, 1]).to_string(), "0-2,8");
/// assert_eq!((0..4).collect::<CpuSet>().to_string(), "0-3");
/// ```
impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> Self {
        let mut ranges = Vec::new();
        for cpu in cpus {
            ranges.push(cpu..=cpu);
        }
        Self::merged(ranges)
    }
}

/// The CPUs of a set, in ascending order.
struct Numbers<'s> {
    /// Those that are left.
    ranges: &'s [RangeInclusive<u32>],
    /// The next CPU of the first range, if that has been begun.
    next: Option<u32>,
}

// By hand: `flatten` is five hundred lines of intermediate code for each of its uses.
impl Iterator for Numbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let [first, rest @ ..] = self.ranges else { return None };
        let cpu = self.next.unwrap_or(*first.start());
        if cpu < *first.end() {
            self.next = Some(cpu + 1);
        } else {
            (self.ranges, self.next) = (rest, None);
        }
        Some(cpu)
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
            let fault = match (first.parse::<u32>(), last.parse::<u32>()) {
                (Ok(first), Ok(last)) if first > last => Fault::Backwards,
                (Ok(_), Ok(last)) if last >= Self::MOST => Fault::TooLarge,
                (Ok(first), Ok(last)) => {
                    ranges.push(first..=last);
                    continue;
                }
                _ => Fault::NotANumber,
            };
            return Err(CpuSetError { fault, range: range.into(), start });
        }
        Ok(Self::merged(ranges))
    }
}

/// Why a text is not a set of CPUs.
///
/// ```
/// use pmu_events::sysfs::CpuSet;
///
/// let error = "0-3,x".parse::<CpuSet>().unwrap_err();
/// assert_eq!(error.span(), 4..5);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct CpuSetError {
    fault: Fault,
    range: String,
    start: usize,
}

/// What is wrong with a text that is not a set of CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A range is not one or two numbers.
    NotANumber,
    /// A range ends before it starts.
    Backwards,
    /// No machine has a CPU of this number.
    TooLarge,
}

impl CpuSetError {
    /// Returns the kind of error: `OutOfRange` if no machine has a CPU of this number.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self.fault {
            Fault::NotANumber | Fault::Backwards => ErrorKind::Syntax,
            Fault::TooLarge => ErrorKind::OutOfRange,
        }
    }

    /// Returns the position of the range, in bytes.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.range.len()
    }
}

impl fmt::Display for CpuSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = self.range.escape_debug();
        write!(f, "byte {}: ", self.start)?;
        match self.fault {
            Fault::NotANumber => write!(f, "expected a CPU or a range, found `{range}`"),
            Fault::Backwards => write!(f, "range `{range}` ends before it starts"),
            Fault::TooLarge => write!(f, "no machine has the CPUs `{range}`"),
        }
    }
}

pmu_events_core::__private::debug_as_display!(CpuSetError);

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
        use ErrorKind::{OutOfRange, Syntax};
        for (text, kind, span, message) in [
            ("1-0", Syntax, 0..3, "byte 0: range `1-0` ends before it starts"),
            (" 0,,x,2\n", Syntax, 4..5, "byte 4: expected a CPU or a range, found `x`"),
            ("0-4294967295", OutOfRange, 0..12, "byte 0: no machine has the CPUs `0-4294967295`"),
        ] {
            let error = text.parse::<CpuSet>().unwrap_err();
            assert_eq!((error.kind(), error.span()), (kind, span), "{text:?}");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn the_first_cpu() {
        for (list, first) in [("3-5,9", Some(3)), ("0", Some(0)), ("7,8", Some(7)), ("", None)] {
            assert_eq!(list.parse::<CpuSet>().unwrap().first(), first, "{list}");
        }
    }
}
