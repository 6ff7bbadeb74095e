//! Codes as manuals, logs and other tools write them, in perf's notation.

use std::fmt::Write as _;

use pmu_events::term;

use super::{constants, generic};

/// A code in perf's notation: terms of a PMU, without slashes, or `r` and a number.
pub(crate) struct Notation {
    /// The type of the PMU, where the code states one that is not that of raw codes.
    pub(crate) type_: Option<u32>,
    pub(crate) terms: String,
}

/// The code in perf's notation; `None` for what is not in one of these notations:
///
/// * `0x5301b7 0x10001`: the words of libpfm4's `showevtinfo` and `check_events`
/// * `3C.00.CMSK=1.INV`: nanoBench, which has the event and its unit mask in hexadecimal digits
/// * `PMCx0C1`, `PMCx044.48`: AMD's manuals
/// * `type 4 config 0x1b7 { bp_addr, config1 } 0x10001`: the attributes that `perf stat -vv`,
///   a debugger or `strace` prints
/// * `PERF_TYPE_RAW, 0x1b7`, `PERF_COUNT_HW_CPU_CYCLES`: the constants of the kernel's header
/// * `perf::PERF_COUNT_HW_CACHE_L1D:READ:MISS`, `L1D:READ:MISS`, `perf::CYCLES`: libpfm4's names of
///   generic events
pub(crate) fn of_others(code: &str) -> Option<Notation> {
    words(code).or_else(|| of_kernel(code)).or_else(|| dump(code)).or_else(|| {
        let digits = code.strip_prefix("PMCx").or_else(|| code.strip_prefix("PMCX"));
        let terms = match digits {
            Some(digits) if !digits.contains('.') => pair(&format!("{digits}.00")),
            Some(digits) => pair(digits),
            None => pair(code),
        };
        terms.map(|terms| Notation { type_: None, terms })
    })
}

/// Two words or more, the first of which is `config`.
fn words(code: &str) -> Option<Notation> {
    let parts: Vec<&str> = code.split([' ', ',', ';']).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 || !parts.iter().all(|part| is_hexadecimal(part)) {
        return None;
    }
    let mut terms = String::new();
    for (n, part) in parts.iter().enumerate() {
        let separator = if n == 0 { "" } else { "," };
        let number = if n == 0 { String::new() } else { n.to_string() };
        let _ = write!(terms, "{separator}config{number}={part}");
    }
    Some(Notation { type_: None, terms })
}

fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// A generic event by its constants, or the constant of a type with a number behind it.
fn of_kernel(code: &str) -> Option<Notation> {
    let of_libpfm4 = || generic::of_libpfm4(code);
    if let Some((type_, config)) = constants::event(code).or_else(of_libpfm4) {
        return Some(Notation { type_: Some(type_), terms: format!("config={config:#x}") });
    }
    let (type_, number) = code.trim().split_once([':', ',', ' '])?;
    let type_ = constants::type_of(type_)?;
    let config = term::number(number.trim_start_matches([':', ',', ' ']))?;
    Some(Notation { type_: not_raw(type_), terms: format!("config={config:#x}") })
}

/// The type of a PMU, unless it is that of raw codes.
fn not_raw(type_: u32) -> Option<u32> {
    (type_ != pmu_events::perf_type::RAW).then_some(type_)
}

/// Fields of `perf_event_attr`, each followed by its number, whatever stands between.
fn dump(code: &str) -> Option<Notation> {
    const WORDS: [&str; 5] = ["config", "config1", "config2", "config3", "config4"];
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // An event string has nothing between a name and its value but the sign.
    let is_string = is_event_string(code) && !code.contains("PERF_TYPE_");
    if code.contains('/') || !code.contains("config") || is_string {
        return None;
    }
    let tokens: Vec<&str> =
        code.split(|c: char| !is_word(c)).filter(|token| !token.is_empty()).collect();
    let mut terms = String::new();
    let mut type_ = None;
    for pair in tokens.windows(2) {
        let [field, value] = pair else { continue };
        if *field == "type" {
            let number = || term::number(value)?.try_into().ok();
            type_ = constants::type_of(value).or_else(number);
        } else if WORDS.contains(field) && term::number(value).is_some() {
            let separator = if terms.is_empty() { "" } else { "," };
            let _ = write!(terms, "{separator}{field}={value}");
        }
    }
    let type_ = type_.and_then(not_raw);
    (!terms.is_empty()).then_some(Notation { type_, terms })
}

fn is_event_string(code: &str) -> bool {
    let mut terms = code.split([',', ' ']).filter(|term| !term.is_empty());
    terms.all(|term| term.split_once('=').is_some_and(|(_, value)| !value.is_empty()))
}

/// An event and its unit mask, with nanoBench's options behind further dots.
fn pair(code: &str) -> Option<String> {
    let mut parts = code.split('.');
    let (event, umask) = (parts.next()?, parts.next()?);
    let is_digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if !is_digits(event, 3) || !is_digits(umask, 4) {
        return None;
    }
    let mut terms = format!("event=0x{event},umask=0x{umask}");
    for option in parts {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        let term = match name {
            "CMSK" => "cmask",
            "INV" => "inv",
            "EDG" | "EDGE" => "edge",
            "AnyT" => "any",
            // Which counters an event has is not part of its code.
            "CTR" | "TakenAlone" => continue,
            "MSR_RSP0" | "MSR_RSP1" => "offcore_rsp",
            "MSR_3F6H" => "ldlat",
            "MSR_PF" | "MSR_3F7H" => "frontend",
            _ => return None,
        };
        let _ = write!(terms, ",{term}={value}");
    }
    Some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_others() {
        for (code, expected) in [
            ("0x5301b7 0x10001", Some((None, "config=0x5301b7,config1=0x10001"))),
            ("0x1b7,0x1, 0x2", Some((None, "config=0x1b7,config1=0x1,config2=0x2"))),
            ("3C.00", Some((None, "event=0x3C,umask=0x00"))),
            ("1A0.1E", Some((None, "event=0x1A0,umask=0x1E"))),
            ("A3.04.CMSK=4.INV", Some((None, "event=0xA3,umask=0x04,cmask=4,inv=1"))),
            (
                "B7.01.MSR_RSP0=0x10001.TakenAlone",
                Some((None, "event=0xB7,umask=0x01,offcore_rsp=0x10001")),
            ),
            ("D0.05.CTR=1.MSR_3F6H=0x10", Some((None, "event=0xD0,umask=0x05,ldlat=0x10"))),
            ("PMCx0C1", Some((None, "event=0x0C1,umask=0x00"))),
            ("PMCx044.48", Some((None, "event=0x044,umask=0x48"))),
            (
                "type 4 size 136 config 0x1b7 { bp_addr, config1 } 0x10001",
                Some((None, "config=0x1b7,config1=0x10001")),
            ),
            (
                ".type = 10, .config = 0x304, .config1 = 0",
                Some((Some(10), "config=0x304,config1=0")),
            ),
            ("config: 0x1b7", Some((None, "config=0x1b7"))),
            (".type = PERF_TYPE_RAW, .config = 0x1b7", Some((None, "config=0x1b7"))),
            ("type=PERF_TYPE_HW_CACHE,config=0x10002", Some((Some(3), "config=0x10002"))),
            (
                ".type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CACHE_MISSES",
                Some((Some(0), "config=0x3")),
            ),
            ("PERF_TYPE_RAW:0x412e", Some((None, "config=0x412e"))),
            ("PERF_COUNT_SW_PAGE_FAULTS", Some((Some(1), "config=0x2"))),
            ("perf::PERF_COUNT_HW_CACHE_L1D:READ:MISS", Some((Some(3), "config=0x10000"))),
            ("L1D:READ:MISS", Some((Some(3), "config=0x10000"))),
            ("perf::CYCLES:u", Some((Some(0), "config=0x0"))),
            ("PERF_TYPE_RAW", None),
            ("PERF_COUNT_HW_CACHE_LL", None),
            ("config=0x1b7,config1=0x10001", None),
            ("pmu=cpu config=0x844", None),
            ("cpu/config=0x844/", None),
            ("inst_retired.any", None),
            ("0x1b7", None),
            ("3C.00.NO", None),
            ("", None),
        ] {
            let found = of_others(code);
            let found = found.as_ref().map(|found| (found.type_, found.terms.as_str()));
            assert_eq!(found, expected, "{code}");
        }
    }
}
