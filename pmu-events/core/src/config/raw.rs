use crate::term::{Term, digits_value};

/// Whether a term that is not in the PMU's formats sets the whole of `config`:
/// `config=…` or a raw code.
///
/// ```
/// use pmu_events::__private::config::assigns_config;
/// use pmu_events::term::Terms;
///
/// let terms = Terms::new("config=2,r1a8,config1=2,raw");
/// assert!(terms.map(assigns_config).eq([true, true, false, false]));
/// ```
#[must_use]
pub const fn assigns_config(term: Term<'_>) -> bool {
    matches!(term.name.as_bytes(), b"config") || raw(term).is_some()
}

/// A raw value of `config`: `r` or `r0x` and up to 16 hexadecimal digits
/// (`PE_RAW` in `tools/perf/util/parse-events.l`).
pub(super) const fn raw(term: Term<'_>) -> Option<u64> {
    let digits = match (term.name.as_bytes(), term.value) {
        ([b'r', b'0', b'x', digits @ ..], None) => digits,
        ([b'r', digits @ ..], None) => digits,
        _ => return None,
    };
    if digits.len() > 16 { None } else { digits_value(digits, 16) }
}
