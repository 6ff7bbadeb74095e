//! What the options of `pmu record` take.

use std::time::Duration;

use pmu_events::__private::event_list::BRANCH_TYPES;

use crate::stat_args::positive;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frequency {
    Times(u64),
    Max,
}

impl Frequency {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "max" => Ok(Frequency::Max),
            number => positive(number).map(Frequency::Times).map_err(|why| why + ", or `max`"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CallGraph {
    FramePointers,
    Branches,
    /// Copies of the stack, which nothing here unwinds.
    Dwarf,
}

impl CallGraph {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.split(',').next() {
            Some("fp") => Ok(CallGraph::FramePointers),
            Some("lbr") => Ok(CallGraph::Branches),
            Some("dwarf") => Ok(CallGraph::Dwarf),
            _ => Err("expected `fp` or `lbr`".into()),
        }
    }
}

/// The room of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Room {
    Pages(usize),
    Bytes(usize),
}

impl Room {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected a number of pages, or a size such as 512K or 2M";
        match text.parse() {
            Ok(pages @ 1..) => Ok(Room::Pages(pages)),
            Ok(_) => Err(EXPECTED.into()),
            Err(_) => size(text)
                .and_then(|bytes| usize::try_from(bytes).ok())
                .map(Room::Bytes)
                .ok_or_else(|| EXPECTED.into()),
        }
    }
}

/// The most that a file may have.
pub(crate) fn file_size(text: &str) -> Result<u64, String> {
    size(text).ok_or_else(|| "expected a size such as 512K, 10M or 1G".into())
}

/// A number with its unit (`parse_tag_value` in `tools/perf/util/parse-options.c`).
fn size(text: &str) -> Option<u64> {
    let digits = text.strip_suffix(['B', 'K', 'M', 'G'])?;
    let number: u64 =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)?.parse().ok()?;
    let factor = match text.as_bytes().last()? {
        b'B' => 1,
        b'K' => 1 << 10,
        b'M' => 1 << 20,
        _ => 1 << 30,
    };
    number.checked_mul(factor).filter(|&bytes| bytes > 0)
}

/// When samples are taken, counted from when the command begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Times {
    From(Duration),
    /// When somebody says so.
    UntilTold,
    /// In some intervals, with the end of the recording at that of the last.
    Within(Vec<(Duration, Duration)>),
}

impl Times {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected milliseconds, -1 to start when --control says `enable`, or \
                                intervals such as 10-20,30-40";
        if let Ok(number) = text.parse::<i32>() {
            return Ok(match u64::try_from(number) {
                Ok(number) => Times::From(Duration::from_millis(number)),
                Err(_) => Times::UntilTold,
            });
        }
        let interval = |text: &str| {
            let (start, end) = text.split_once('-')?;
            let number = |text: &str| text.trim().parse::<u32>().ok();
            let (start, end) = (number(start)?, number(end)?);
            let time = |number: u32| Duration::from_millis(number.into());
            (start < end).then(|| (time(start), time(end)))
        };
        let intervals: Option<Vec<_>> = text.split(',').map(interval).collect();
        let intervals = intervals.ok_or(EXPECTED)?;
        let are_apart = intervals.windows(2).all(|pair| pair[0].1 < pair[1].0);
        if are_apart { Ok(Times::Within(intervals)) } else { Err(OVERLAP.into()) }
    }
}

const OVERLAP: &str = "each interval begins after the end of the one before";

/// Which branches are recorded, as the bits of `branch_sample_type`
/// (`branch_modes` in `tools/perf/util/parse-branch-options.c`).
pub(crate) fn branch_filter(text: &str) -> Result<u64, String> {
    const PRIVILEGES: u64 = 0b111;
    const ANY: u64 = 1 << 3;
    let bit = |name: &str| {
        let bit = BRANCH_TYPES.iter().position(|known| known.eq_ignore_ascii_case(name));
        bit.map(|bit| 1 << bit).ok_or_else(|| {
            format!("there is no kind of branches `{name}`; there are {}", BRANCH_TYPES.join(", "))
        })
    };
    let bits = text.split(',').try_fold(0, |bits, name| Ok::<u64, String>(bits | bit(name)?))?;
    // perf leaves out the privileges then, and so takes those of the event.
    Ok(if bits & !PRIVILEGES == 0 { ANY } else { bits })
}

/// A clock, by perf's name (`clockids` in `tools/perf/util/clockid.c`) or its number.
pub(crate) fn clock(text: &str) -> Result<i32, String> {
    let name = text.to_ascii_lowercase();
    let name = name.strip_prefix("clock_").unwrap_or(&name);
    // `CLOCK_REALTIME`, `CLOCK_MONOTONIC`, `CLOCK_MONOTONIC_RAW`, `CLOCK_BOOTTIME`, `CLOCK_TAI`
    Ok(match name {
        "realtime" | "real" => 0,
        "monotonic" | "mono" => 1,
        "monotonic_raw" | "raw" => 4,
        "boottime" | "boot" => 7,
        "tai" => 11,
        number => number.parse().map_err(|_| {
            "expected monotonic, monotonic_raw, realtime, boottime, tai, or the number of a clock"
        })?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms() {
        let cases = [
            ("8", Some(Room::Pages(8))),
            ("64K", Some(Room::Bytes(64 << 10))),
            ("2M", Some(Room::Bytes(2 << 20))),
            ("0", None),
            ("0K", None),
            ("M", None),
            ("+1M", None),
            ("8T", None),
            ("99999999999G", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Room::parse(text).ok(), expected, "{text}");
        }
        assert_eq!(file_size("10M"), Ok(10 << 20));
        assert!(file_size("10").is_err());
    }

    #[test]
    fn call_graphs() {
        assert_eq!(CallGraph::parse("fp"), Ok(CallGraph::FramePointers));
        assert_eq!(CallGraph::parse("lbr"), Ok(CallGraph::Branches));
        assert_eq!(CallGraph::parse("dwarf,8192"), Ok(CallGraph::Dwarf));
        assert!(CallGraph::parse("x").is_err());
    }

    #[test]
    fn times() {
        let ms = Duration::from_millis;
        let cases = [
            ("500", Some(Times::From(ms(500)))),
            ("0", Some(Times::From(ms(0)))),
            ("-1", Some(Times::UntilTold)),
            ("-7", Some(Times::UntilTold)),
            ("10-20", Some(Times::Within(vec![(ms(10), ms(20))]))),
            ("10-20,30-40", Some(Times::Within(vec![(ms(10), ms(20)), (ms(30), ms(40))]))),
            ("10-20, 30 - 40", Some(Times::Within(vec![(ms(10), ms(20)), (ms(30), ms(40))]))),
            ("20-10", None),
            ("10-20,20-40", None),
            ("10-20,", None),
            ("x", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Times::parse(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn branches() {
        assert_eq!(branch_filter("any_call,u,save_type"), Ok(1 << 4 | 1 | 1 << 16));
        assert_eq!(branch_filter("STACK,ind_jmp"), Ok(1 << 11 | 1 << 12));
        assert_eq!(branch_filter("u,k"), Ok(1 << 3));
        assert!(branch_filter("any,x").is_err_and(|why| why.contains("`x`")));
        assert!(branch_filter("").is_err());
    }

    #[test]
    fn clocks() {
        for (text, number) in [("mono", 1), ("CLOCK_MONOTONIC_RAW", 4), ("11", 11), ("real", 0)] {
            assert_eq!(clock(text), Ok(number), "{text}");
        }
        assert!(clock("x").is_err());
    }
}
