//! Generic cache events: `L1-dcache-load-misses`.

use core::str::FromStr;

use super::error::{Error, Fault, Span};

/// An event of [`perf_type::CACHE`](crate::perf_type::CACHE): a cache, an operation and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cache {
    pub(crate) unit: CacheUnit,
    pub(crate) operation: CacheOperation,
    pub(crate) result: CacheResult,
}

impl Cache {
    /// Creates the event of a cache, an operation and a result, whether or not perf has it.
    #[must_use]
    pub const fn new(unit: CacheUnit, operation: CacheOperation, result: CacheResult) -> Self {
        Cache { unit, operation, result }
    }

    /// Returns the cache.
    #[must_use]
    pub const fn unit(self) -> CacheUnit {
        self.unit
    }

    /// Returns the operation.
    #[must_use]
    pub const fn operation(self) -> CacheOperation {
        self.operation
    }

    /// Returns the result of the operation.
    #[must_use]
    pub const fn result(self) -> CacheResult {
        self.result
    }
}

/// A cache that has generic events. Its discriminant is the first byte of the
/// config.
///
/// ```
/// use pmu_events::event_list::{Cache, CacheUnit};
///
/// let cache: Cache = "dTLB-load-misses".parse().unwrap();
/// assert_eq!(cache.unit(), CacheUnit::DataTlb);
/// assert_eq!(cache.config() & 0xff, CacheUnit::DataTlb as u64);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CacheUnit {
    /// `L1-dcache`
    L1Data = 0,
    /// `L1-icache`
    L1Instruction = 1,
    /// `LLC`, the last level.
    LastLevel = 2,
    /// `dTLB`
    DataTlb = 3,
    /// `iTLB`
    InstructionTlb = 4,
    /// `branch`, the branch prediction unit.
    Branch = 5,
    /// `node`, local memory.
    Node = 6,
}

/// An operation on a cache. Its discriminant is the second byte of the config.
///
/// ```
/// use pmu_events::event_list::{Cache, CacheOperation};
///
/// assert_eq!("L1-dcache-stores".parse().map(Cache::operation), Ok(CacheOperation::Store));
/// assert_eq!("LLC-prefetches".parse().map(Cache::operation), Ok(CacheOperation::Prefetch));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum CacheOperation {
    Load = 0,
    Store = 1,
    Prefetch = 2,
}

/// The result of a cache operation. Its discriminant is the third byte of the
/// config.
///
/// ```
/// use pmu_events::event_list::{Cache, CacheResult};
///
/// assert_eq!("LLC-loads".parse().map(Cache::result), Ok(CacheResult::Access));
/// assert_eq!("LLC-load-misses".parse().map(Cache::result), Ok(CacheResult::Miss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum CacheResult {
    Access = 0,
    Miss = 1,
}

impl Cache {
    pub(super) fn find(name: &str) -> Option<Self> {
        Spelling::in_any_case(name)?.event().ok()
    }

    /// Returns the config of `perf_event_attr`, without the PMU type that
    /// hybrid machines require in its upper half.
    #[must_use]
    pub const fn config(self) -> u64 {
        self.unit as u64 | (self.operation as u64) << 8 | (self.result as u64) << 16
    }

    /// Returns the event string that describes the event in the table `common`
    /// of trees newer than Linux 6.12.
    ///
    /// ```
    /// use pmu_events::event_list::Cache;
    /// let string = "dTLB-store-misses".parse().map(Cache::event_string);
    /// assert_eq!(string, Ok("legacy-cache-config=0x10103"));
    /// ```
    #[must_use]
    pub fn event_string(self) -> &'static str {
        let number = (self.unit as usize * OPERATIONS + self.operation as usize) * RESULTS
            + self.result as usize;
        str::from_utf8(&EVENT_STRINGS[number]).unwrap_or_default()
    }
}

/// Finds the event of a name that perf takes for a cache event, in any letter case,
/// or returns an error if the cache has no such event. `None` if perf does not
/// take the name for a cache event.
///
/// ```
/// use pmu_events::__private::event_list::cache_named;
///
/// assert!(cache_named("L1-icache-stores").is_some_and(|event| event.is_err()));
/// assert_eq!(cache_named("umask"), None);
/// ```
#[must_use]
pub fn cache_named(name: &str) -> Option<Result<Cache, Error>> {
    let event = Spelling::in_any_case(name)?.event();
    Some(event.map_err(|fault| Error::at(fault, Span::new(0, name.len()))))
}

/// Any of the spellings that perf accepts: a cache, followed by an operation, a result, or
/// both in either order. Loads and accesses are the defaults. Letter case does not matter,
/// although in lists of events only perf's is a word of the grammar.
///
/// ```
/// use pmu_events::event_list::Cache;
/// let config = |name: &str| name.parse().map(Cache::config);
/// assert_eq!(config("dTLB-store-misses"), Ok(0x1_01_03));
/// assert_eq!(config("Data-TLB-miss-write"), Ok(0x1_01_03));
/// assert_eq!(config("l1d"), Ok(0));
/// assert_eq!(config("DTLB-STORES"), config("dTLB-stores"));
/// assert!(config("L1-icache-stores").is_err());
/// ```
impl FromStr for Cache {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Cache::find(name).ok_or(Error::expected(name, "a cache event"))
    }
}

const OPERATIONS: usize = 3;
const RESULTS: usize = 2;

/// The event strings, indexed by the numbers of unit, operation and result.
static EVENT_STRINGS: [[u8; 27]; 7 * OPERATIONS * RESULTS] = {
    let mut strings = [*b"legacy-cache-config=0x00000"; 7 * OPERATIONS * RESULTS];
    let mut number = 0;
    while number < strings.len() {
        strings[number][22] += (number % RESULTS) as u8;
        strings[number][24] += (number / RESULTS % OPERATIONS) as u8;
        strings[number][26] += (number / RESULTS / OPERATIONS) as u8;
        number += 1;
    }
    strings
};

/// A name that perf's lexer takes for a cache event, whether or not the event
/// exists.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    unit: CacheUnit,
    parts: [Option<Part>; 2],
}

#[derive(Clone, Copy)]
enum Part {
    Operation(CacheOperation),
    Result(CacheResult),
}

/// Whether a name begins with a word.
type Begins = fn(&str, &str) -> bool;

impl Spelling {
    /// A word of the grammar.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::read(name, |name, word| name.starts_with(word))
    }

    fn in_any_case(name: &str) -> Option<Self> {
        Self::read(name, |name, word| {
            let start = name.as_bytes().get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        })
    }

    fn read(name: &str, begins: Begins) -> Option<Self> {
        // Nearly every name is rejected here.
        if !matches!(
            name.as_bytes().first().map(u8::to_ascii_lowercase),
            Some(b'l' | b'd' | b'i' | b'b' | b'n')
        ) {
            return None;
        }
        let (unit, rest) = head(name, &UNITS, begins)?;
        let mut spelling = Self { unit, parts: [None; 2] };
        let mut rest = rest;
        for part in &mut spelling.parts {
            let Some(text) = rest else { break };
            let (found, behind) = head(text, &PARTS, begins)?;
            (*part, rest) = (Some(found), behind);
        }
        rest.is_none().then_some(spelling)
    }

    /// perf ignores a second operation or a second result.
    pub(super) fn event(self) -> Result<Cache, Fault> {
        use Part::{Operation, Result};
        let (operation, result) = match self.parts {
            [None, _] => (None, None),
            [Some(Operation(operation)), None] => (Some(operation), None),
            [Some(Result(result)), None] => (None, Some(result)),
            [Some(Operation(operation)), Some(Result(result))]
            | [Some(Result(result)), Some(Operation(operation))] => (Some(operation), Some(result)),
            _ => return Err(Fault::CacheParts),
        };
        let operation = operation.unwrap_or(CacheOperation::Load);
        let result = result.unwrap_or(CacheResult::Access);
        // evsel__hw_cache_stat in tools/perf/util/evsel.c
        let has_operation = match self.unit {
            CacheUnit::InstructionTlb | CacheUnit::Branch => operation == CacheOperation::Load,
            CacheUnit::L1Instruction => operation != CacheOperation::Store,
            _ => true,
        };
        if !has_operation {
            return Err(Fault::CacheOperation);
        }
        Ok(Cache { unit: self.unit, operation, result })
    }
}

/// Splits off the word of a list that the text begins with. The word must end
/// the text or be followed by `-`; what follows the `-` is the rest. No word is
/// another one followed by `-`.
fn head<'a, T: Copy>(
    text: &'a str,
    words: &[(&str, T)],
    begins: Begins,
) -> Option<(T, Option<&'a str>)> {
    words.iter().find_map(|&(word, meaning)| {
        // The words are ASCII, so that no character is cut.
        let rest = text.get(word.len()..).filter(|_| begins(text, word))?;
        if rest.is_empty() {
            return Some((meaning, None));
        }
        Some((meaning, Some(rest.strip_prefix('-')?)))
    })
}

const UNITS: [(&str, CacheUnit); 22] = [
    ("L1-dcache", CacheUnit::L1Data),
    ("l1-d", CacheUnit::L1Data),
    ("l1d", CacheUnit::L1Data),
    ("L1-data", CacheUnit::L1Data),
    ("L1-icache", CacheUnit::L1Instruction),
    ("l1-i", CacheUnit::L1Instruction),
    ("l1i", CacheUnit::L1Instruction),
    ("L1-instruction", CacheUnit::L1Instruction),
    ("LLC", CacheUnit::LastLevel),
    ("L2", CacheUnit::LastLevel),
    ("dTLB", CacheUnit::DataTlb),
    ("d-tlb", CacheUnit::DataTlb),
    ("Data-TLB", CacheUnit::DataTlb),
    ("iTLB", CacheUnit::InstructionTlb),
    ("i-tlb", CacheUnit::InstructionTlb),
    ("Instruction-TLB", CacheUnit::InstructionTlb),
    ("branch", CacheUnit::Branch),
    ("branches", CacheUnit::Branch),
    ("bpu", CacheUnit::Branch),
    ("btb", CacheUnit::Branch),
    ("bpc", CacheUnit::Branch),
    ("node", CacheUnit::Node),
];

const PARTS: [(&str, Part); 16] = [
    ("load", Part::Operation(CacheOperation::Load)),
    ("loads", Part::Operation(CacheOperation::Load)),
    ("read", Part::Operation(CacheOperation::Load)),
    ("store", Part::Operation(CacheOperation::Store)),
    ("stores", Part::Operation(CacheOperation::Store)),
    ("write", Part::Operation(CacheOperation::Store)),
    ("prefetch", Part::Operation(CacheOperation::Prefetch)),
    ("prefetches", Part::Operation(CacheOperation::Prefetch)),
    ("speculative-read", Part::Operation(CacheOperation::Prefetch)),
    ("speculative-load", Part::Operation(CacheOperation::Prefetch)),
    ("refs", Part::Result(CacheResult::Access)),
    ("Reference", Part::Result(CacheResult::Access)),
    ("ops", Part::Result(CacheResult::Access)),
    ("access", Part::Result(CacheResult::Access)),
    ("misses", Part::Result(CacheResult::Miss)),
    ("miss", Part::Result(CacheResult::Miss)),
];

/// All cache events, as `perf list` spells them.
pub(super) const NAMES: [&str; 32] = [
    "L1-dcache-loads",
    "L1-dcache-load-misses",
    "L1-dcache-stores",
    "L1-dcache-store-misses",
    "L1-dcache-prefetches",
    "L1-dcache-prefetch-misses",
    "L1-icache-loads",
    "L1-icache-load-misses",
    "L1-icache-prefetches",
    "L1-icache-prefetch-misses",
    "LLC-loads",
    "LLC-load-misses",
    "LLC-stores",
    "LLC-store-misses",
    "LLC-prefetches",
    "LLC-prefetch-misses",
    "dTLB-loads",
    "dTLB-load-misses",
    "dTLB-stores",
    "dTLB-store-misses",
    "dTLB-prefetches",
    "dTLB-prefetch-misses",
    "iTLB-loads",
    "iTLB-load-misses",
    "branch-loads",
    "branch-load-misses",
    "node-loads",
    "node-load-misses",
    "node-stores",
    "node-store-misses",
    "node-prefetches",
    "node-prefetch-misses",
];
