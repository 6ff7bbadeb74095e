//! Intervals of a recording (`tools/perf/util/time-utils.c`).

/// When samples are shown, in nanoseconds of the recording's clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Times {
    /// The first and the last moment of each; without any, all times.
    intervals: Vec<(u64, u64)>,
}

impl Times {
    /// Intervals of seconds, `1.5,2` with either side left out, several separated by spaces; or
    /// parts of the time between the first and the last sample, `10%-20%`, `10%/2`, several joined by
    /// commas. Relative seconds begin at the first sample.
    pub(crate) fn parse(
        text: &str,
        bounds: Option<(u64, u64)>,
        is_relative: bool,
    ) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`--time {text}`: expected START,STOP in seconds, or parts such as 10%-20% and 10%/2"
            )
        };
        let known = || {
            let lacks = "the recording does not say when its first and last samples were";
            bounds.ok_or_else(|| format!("`--time {text}`: {lacks}"))
        };
        let intervals: Option<Vec<_>> = if text.contains('%') {
            let bounds = known()?;
            text.split(',').map(|part| percent(part, bounds)).collect()
        } else {
            let start = if is_relative { known()?.0 } else { 0 };
            text.split_whitespace().map(|part| seconds(part, start)).collect()
        };
        let intervals = intervals.filter(|all| !all.is_empty()).ok_or_else(wrong)?;
        match intervals.windows(2).all(|pair| pair[0].1 < pair[1].0 || text.contains('%')) {
            true => Ok(Times { intervals }),
            false => Err(wrong()),
        }
    }

    /// Whether a moment is shown. What has no time is.
    pub(crate) fn has(&self, time: Option<u64>) -> bool {
        let Some(time) = time.filter(|&time| time > 0) else { return true };
        let contains = |&(first, last): &(u64, u64)| (first..=last).contains(&time);
        self.intervals.is_empty() || self.intervals.iter().any(contains)
    }
}

/// `START,STOP`, of which either may be empty.
fn seconds(text: &str, start: u64) -> Option<(u64, u64)> {
    let (first, last) = text.split_once(',')?;
    let moment = |text: &str, otherwise: u64| match text {
        "" => Some(otherwise),
        text => nanoseconds(text)?.checked_add(start),
    };
    let (first, last) = (moment(first, 0)?, moment(last, u64::MAX)?);
    (first <= last).then_some((first, last))
}

/// Seconds with up to nine decimals.
fn nanoseconds(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.len() > 9 || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let decimals: u64 = format!("{decimals:0<9}").parse().ok()?;
    whole.checked_mul(1_000_000_000)?.checked_add(decimals)
}

/// `10%-20%`, `10%/2` for the second tenth, or `10%` for the first.
fn percent(text: &str, (start, end): (u64, u64)) -> Option<(u64, u64)> {
    let share = |text: &str| Some(text.strip_suffix('%')?.parse::<f64>().ok()? / 100.0);
    let (first, last) = match (text.split_once('/'), text.split_once('-')) {
        (Some((part, number)), _) => {
            let (part, number) = (share(part)?, f64::from(number.parse::<u32>().ok()?));
            (part * (number - 1.0), part * number)
        }
        (None, Some((first, last))) => (share(first)?, share(last)?),
        (None, None) => (0.0, share(text)?),
    };
    if !(0.0..=1.0).contains(&first) || !(first..=1.0).contains(&last) {
        return None;
    }
    let all = end.saturating_sub(start) as f64;
    let moment = |share: f64| start + (share * all).round() as u64;
    let (first, last) = (moment(first), moment(last));
    // The moment between two parts is in the second.
    let is_inner = last > first && last != end;
    Some((first, last - u64::from(is_inner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals() {
        const SECOND: u64 = 1_000_000_000;
        let bounds = Some((SECOND, 2 * SECOND));
        let cases: [(&str, bool, Option<&[(u64, u64)]>); 17] = [
            ("1.5,2", false, Some(&[(1_500_000_000, 2 * SECOND)])),
            ("1.000000001,", false, Some(&[(SECOND + 1, u64::MAX)])),
            (",2", false, Some(&[(0, 2 * SECOND)])),
            ("0.5,1", true, Some(&[(1_500_000_000, 2 * SECOND)])),
            ("1,2 3,4", false, Some(&[(SECOND, 2 * SECOND), (3 * SECOND, 4 * SECOND)])),
            ("10%", false, Some(&[(SECOND, 1_099_999_999)])),
            ("10%/2", false, Some(&[(1_100_000_000, 1_199_999_999)])),
            ("90%-100%", false, Some(&[(1_900_000_000, 2 * SECOND)])),
            (
                "0%-10%,50%-60%",
                false,
                Some(&[(SECOND, 1_099_999_999), (1_500_000_000, 1_599_999_999)]),
            ),
            ("2,1", false, None),
            ("1,2 2,4", false, None),
            ("1", false, None),
            ("1.0000000001,2", false, None),
            ("110%", false, None),
            ("20%-10%", false, None),
            ("10%/11", false, None),
            ("", false, None),
        ];
        for (text, is_relative, expected) in cases {
            let times = Times::parse(text, bounds, is_relative).ok();
            assert_eq!(times.as_ref().map(|times| &times.intervals[..]), expected, "{text}");
        }
        assert!(Times::parse("10%", None, false).is_err_and(|why| why.contains("first and last")));
        let times = Times::parse("10%/2", bounds, false).expect("it is one");
        for (time, is_shown) in [
            (None, true),
            (Some(1_099_999_999), false),
            (Some(1_100_000_000), true),
            (Some(1_200_000_000), false),
        ] {
            assert_eq!(times.has(time), is_shown, "{time:?}");
        }
        assert!(Times::default().has(Some(7)));
    }
}
