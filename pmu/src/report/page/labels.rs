//! Shares and labels as the page has them.

use crate::decimals;
use crate::report::tree::Label;

/// A share of all, in percent.
pub(super) fn percent(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 }
}

/// A share as text.
pub(super) fn shown(percent: f64) -> String {
    format!("{} %", decimals::shown(percent, 2))
}

/// Where a function is.
pub(super) fn place(label: &Label) -> String {
    match (&label.module, label.level) {
        (None, _) => "thread".into(),
        (Some(module), 'k') if !module.starts_with('[') => format!("{module}, kernel"),
        (Some(module), 'g' | 'u') => format!("{module}, guest"),
        (Some(module), 'H') => format!("{module}, hypervisor"),
        (Some(module), _) => module.to_string(),
    }
}

/// A colour for what is in the same file, as an angle on the colour circle.
pub(super) fn hue(label: &Label) -> u32 {
    match (&label.module, label.level) {
        (None, _) => 210,
        (Some(_), 'k') => 18,
        // FNV-1a, so that a file has its colour on every page.
        (Some(module), _) => {
            let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            40 + module.bytes().fold(0x811c_9dc5, mix) % 300
        }
    }
}
