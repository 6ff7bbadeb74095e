//! What one count of an event stands for, and what it covers.

use core::fmt;
use core::str::FromStr;

use crate::located;

/// What one count of an event stands for: see
/// [`Event::count_unit`](crate::Event::count_unit).
///
/// ```
/// use pmu_events::event::{CountUnit, Quantity};
///
/// let unit: CountUnit = "64Bytes".parse()?;
/// assert_eq!((unit.quantity(), unit.factor()), (Quantity::Bytes, 64.0));
/// assert_eq!(unit.to_string(), "64 bytes");
/// assert_eq!("64/9Bytes".parse::<CountUnit>()?.to_string(), "64/9 bytes");
/// assert_eq!("Cycles".parse::<CountUnit>()?.to_string(), "cycles");
/// assert!("64Bites".parse::<CountUnit>().is_err());
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CountUnit {
    pub(crate) multiplier: u32,
    pub(crate) divisor: u32,
    pub(crate) quantity: Quantity,
}

impl CountUnit {
    /// Returns the number of units in [`divisor`](Self::divisor) counts.
    #[must_use]
    pub const fn multiplier(self) -> u32 {
        self.multiplier
    }

    /// Returns 1, unless a count stands for a fraction.
    #[must_use]
    pub const fn divisor(self) -> u32 {
        self.divisor
    }

    /// Returns the unit.
    #[must_use]
    pub const fn quantity(self) -> Quantity {
        self.quantity
    }
}

/// The unit of a count.
///
/// ```
/// use pmu_events::event::{CountUnit, Quantity};
///
/// let unit: CountUnit = "64Bytes".parse().unwrap();
/// assert_eq!((unit.quantity(), unit.multiplier()), (Quantity::Bytes, 64));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Bytes that were moved.
    Bytes,
    /// Cycles of the PMU's clock.
    Cycles,
    /// What the event's description names, each time it happens.
    Occurrences,
}

/// What a count covers, beside the thread or unit whose counter it is: see
/// [`Event::count_scope`](crate::Event::count_scope).
///
/// ```
/// use pmu_events::event::CountScope;
///
/// assert_eq!("package".parse(), Ok(CountScope::Package));
/// assert_eq!(CountScope::Package.name(), "package");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CountScope {
    /// One hardware thread.
    Thread,
    /// All threads of a core.
    Core,
    /// The cores that share the PMU's cache.
    Cluster,
    /// A package.
    Package,
}

impl Quantity {
    const ALL: [Quantity; 3] = [Quantity::Bytes, Quantity::Cycles, Quantity::Occurrences];

    /// Returns the word of the key `CountUnit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Quantity::Bytes => "Bytes",
            Quantity::Cycles => "Cycles",
            Quantity::Occurrences => "Occurrences",
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Quantity::Bytes => "bytes",
            Quantity::Cycles => "cycles",
            Quantity::Occurrences => "occurrences",
        })
    }
}

impl CountScope {
    const ALL: [CountScope; 4] =
        [CountScope::Thread, CountScope::Core, CountScope::Cluster, CountScope::Package];

    /// Returns the word of the key `CountScope`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CountScope::Thread => "thread",
            CountScope::Core => "core",
            CountScope::Cluster => "cluster",
            CountScope::Package => "package",
        }
    }

    /// Returns the words of the key `CountScope`.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        CountScope::ALL.into_iter().map(CountScope::name)
    }
}

/// The word of the key `CountScope`.
///
/// ```
/// use pmu_events::event::CountScope;
/// assert_eq!("core".parse(), Ok(CountScope::Core));
/// ```
impl FromStr for CountScope {
    type Err = located::Error;

    fn from_str(name: &str) -> Result<Self, located::Error> {
        let scope = CountScope::ALL.into_iter().find(|scope| scope.name() == name);
        scope.ok_or(located::Error::expected(name, "`thread`, `core`, `cluster` or `package`"))
    }
}

impl fmt::Display for CountScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The value of the key `CountUnit`: `Bytes`, `Cycles` or `Occurrences` after a number or a
/// fraction, neither of which may be 0.
impl FromStr for CountUnit {
    type Err = located::Error;

    fn from_str(text: &str) -> Result<Self, located::Error> {
        CountUnit::parse(text)
            .ok_or(located::Error::expected(text, "a unit such as `64Bytes` or `Cycles`"))
    }
}

impl CountUnit {
    pub(crate) const fn one(quantity: Quantity) -> Self {
        CountUnit { multiplier: 1, divisor: 1, quantity }
    }

    pub(crate) const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let Some((multiplier, at)) = number(bytes, 0) else {
            return None;
        };
        let (divisor, at) = match bytes {
            [..] if at > 0 && at < bytes.len() && bytes[at] == b'/' => {
                match number(bytes, at + 1) {
                    Some((divisor, end)) if end > at + 1 => (divisor, end),
                    _ => return None,
                }
            }
            _ => (1, at),
        };
        if multiplier == 0 || divisor == 0 {
            return None;
        }
        let mut n = 0;
        while n < Quantity::ALL.len() {
            let quantity = Quantity::ALL[n];
            if ends_with(bytes, at, quantity.name().as_bytes()) {
                return Some(CountUnit { multiplier, divisor, quantity });
            }
            n += 1;
        }
        None
    }

    /// Returns the number of units that one count stands for.
    #[must_use]
    pub fn factor(self) -> f64 {
        f64::from(self.multiplier) / f64::from(self.divisor)
    }

    /// Whether the count is the number of units itself.
    #[must_use]
    pub const fn is_one(self) -> bool {
        self.multiplier == self.divisor
    }
}

/// The number at a position, 1 if there is none, and where it ends.
const fn number(bytes: &[u8], start: usize) -> Option<(u32, usize)> {
    let (mut value, mut at) = (0u32, start);
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        let Some(tens) = value.checked_mul(10) else {
            return None;
        };
        let Some(sum) = tens.checked_add((bytes[at] - b'0') as u32) else {
            return None;
        };
        (value, at) = (sum, at + 1);
    }
    Some((if at == start { 1 } else { value }, at))
}

const fn ends_with(bytes: &[u8], at: usize, end: &[u8]) -> bool {
    if at > bytes.len() || bytes.len() - at != end.len() {
        return false;
    }
    let mut n = 0;
    while n < end.len() {
        if bytes[at + n] != end[n] {
            return false;
        }
        n += 1;
    }
    true
}

impl fmt::Display for CountUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.multiplier, self.divisor) {
            (1, 1) => {}
            (multiplier, 1) => write!(f, "{multiplier} ")?,
            (multiplier, divisor) => write!(f, "{multiplier}/{divisor} ")?,
        }
        self.quantity.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let unit =
            |multiplier, divisor, quantity| Some(CountUnit { multiplier, divisor, quantity });
        for (text, expected) in [
            ("64Bytes", unit(64, 1, Quantity::Bytes)),
            ("64/9Bytes", unit(64, 9, Quantity::Bytes)),
            ("Cycles", unit(1, 1, Quantity::Cycles)),
            ("1000Cycles", unit(1000, 1, Quantity::Cycles)),
            ("2Occurrences", unit(2, 1, Quantity::Occurrences)),
            ("4294967295Bytes", unit(u32::MAX, 1, Quantity::Bytes)),
            ("4294967296Bytes", None),
            ("0Bytes", None),
            ("1/0Bytes", None),
            ("1/Bytes", None),
            ("/2Bytes", None),
            ("64", None),
            ("", None),
            ("64 Bytes", None),
            ("64bytes", None),
            ("6.4Bytes", None),
            ("1e3Bytes", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text:?}");
        }
        assert!(CountScope::names().all(|name| name.parse::<CountScope>().is_ok()));
        assert!("Core".parse::<CountScope>().is_err());
    }
}
