//! What shares a line, as a number of a file (`enum aggr_mode` in `tools/perf/util/stat.h`).

use crate::aggregation_args::CacheLevel;
use crate::stat::aggregation::Level;

/// Both ways, except for the level of a cache, which is a number of its own.
const MODES: [(u64, Level); 9] = [
    (0, Level::Cpu),
    (1, Level::Everything),
    (2, Level::Socket),
    (3, Level::Die),
    (4, Level::Cluster),
    (5, Level::Cache(CacheLevel::Last)),
    (6, Level::Core),
    (7, Level::Thread),
    (9, Level::Node),
];

/// `MAX_CACHE_LVL`; a level above it is the last (`parse_cache_level` in
/// `tools/perf/builtin-stat.c`).
const LEVELS: u8 = 4;

/// The number of a level, and that of a cache.
pub(super) fn of_level(level: Level) -> (u64, u64) {
    let (level, cache) = match level {
        Level::Cache(CacheLevel::Number(number)) => (Level::Cache(CacheLevel::Last), number),
        level => (level, LEVELS + 1),
    };
    let mode = MODES.iter().find(|(_, own)| *own == level).map_or(1, |(mode, _)| *mode);
    (mode, cache.into())
}

/// The level of a number; everything, if no perf before 7.3 writes it.
pub(super) fn level(mode: u64, cache: u64) -> Level {
    let level = MODES.iter().find(|(own, _)| *own == mode).map(|&(_, level)| level);
    match (level, u8::try_from(cache)) {
        (Some(Level::Cache(_)), Ok(number @ 1..=LEVELS)) => {
            Level::Cache(CacheLevel::Number(number))
        }
        (level, _) => level.unwrap_or(Level::Everything),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_their_numbers() {
        for mode in (0..=9).filter(|&mode| mode != 8) {
            assert_eq!(of_level(level(mode, 5)), (mode, 5));
        }
        let cache = Level::Cache(CacheLevel::Number(3));
        assert_eq!((of_level(cache), level(5, 3)), ((5, 3), cache));
        assert_eq!(level(8, 0), Level::Everything);
        assert_eq!(level(u64::MAX, u64::MAX), Level::Everything);
    }
}
