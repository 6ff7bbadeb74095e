//! Sizes of pages in perf's words.

use std::borrow::Cow;

/// `get_page_size_name` and `unit_number__scnprintf` in `tools/perf/util`
pub(crate) fn of_perf(bytes: u64) -> Cow<'static, str> {
    if bytes == 0 {
        return "N/A".into();
    }
    let (mut number, mut units) = (bytes, ["B", "K", "M", "G"].into_iter());
    let mut unit = units.next();
    while number / 1024 > 1
        && let Some(larger) = units.next()
    {
        (number, unit) = (number / 1024, Some(larger));
    }
    format!("{number}{}", unit.unwrap_or_default()).into()
}
