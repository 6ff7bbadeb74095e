//! Events that perf adds to those of perfmon's files: copies under another name,
//! with a filter set or an explicit unit. Names, filters and factors are those of
//! Linux's tree since 4.12.

use super::filter;
use super::value::Value;
use crate::entry::keys::Key;
use crate::faults::Place;
use crate::options::Encoding;

/// What perf derives from an event.
struct Addition {
    models: &'static [&'static str],
    /// perfmon's event.
    of: &'static str,
    /// The copy; empty if the event itself gets the filter and unit.
    name: &'static str,
    filter: &'static str,
    scale_unit: &'static str,
}

const fn addition(
    models: &'static [&'static str],
    of: &'static str,
    name: &'static str,
    filter: &'static str,
    scale_unit: &'static str,
) -> Addition {
    Addition { models, of, name, filter, scale_unit }
}

const HASWELL: &[&str] = &["BDX", "HSX"];
const SKYLAKE_AND_SNR: &[&str] = &["CLX", "SKX", "SNR"];
const WITH_CAS: &[&str] = &["BDX", "CLX", "HSX", "SKX", "SNR"];
const CASCADE_LAKE: &[&str] = &["CLX"];

const LINE: &str = "64Bytes";
const MISS: &str = "UNC_C_TOR_INSERTS.MISS_OPCODE";
const ANY: &str = "UNC_C_TOR_INSERTS.OPCODE";
const CHA_MISS: &str = "UNC_CHA_TOR_INSERTS.IA_MISS";
const READ: &str = "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0";
const WRITE: &str = "UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART0";
const OPTANE_RATE: &str = "6.103515625E-5MiB/sec";

#[rustfmt::skip]
const ADDITIONS: &[Addition] = &[
    addition(WITH_CAS, "UNC_M_CAS_COUNT.RD", "LLC_MISSES.MEM_READ", "", LINE),
    addition(WITH_CAS, "UNC_M_CAS_COUNT.WR", "LLC_MISSES.MEM_WRITE", "", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.CODE_LLC_PREFETCH", "filter_opc=0x191", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.DATA_LLC_PREFETCH", "filter_opc=0x192", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.DATA_READ", "filter_opc=0x182", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.MMIO_READ", "filter_opc=0x187,filter_nc=1", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.MMIO_WRITE", "filter_opc=0x18f,filter_nc=1", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.PCIE_NON_SNOOP_WRITE", "filter_opc=0x1c8,filter_tid=0x3e", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.PCIE_READ", "filter_opc=0x19e", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.PCIE_WRITE", "filter_opc=0x1c8", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.RFO_LLC_PREFETCH", "filter_opc=0x190", LINE),
    addition(HASWELL, MISS, "LLC_MISSES.UNCACHEABLE", "filter_opc=0x187", LINE),
    addition(HASWELL, ANY, "LLC_REFERENCES.CODE_LLC_PREFETCH", "filter_opc=0x181", LINE),
    addition(HASWELL, ANY, "LLC_REFERENCES.PCIE_NS_PARTIAL_WRITE", "filter_opc=0x180,filter_tid=0x3e", ""),
    addition(HASWELL, ANY, "LLC_REFERENCES.PCIE_READ", "filter_opc=0x19e", LINE),
    addition(HASWELL, ANY, "LLC_REFERENCES.PCIE_WRITE", "filter_opc=0x1c8,filter_tid=0x3e", LINE),
    addition(HASWELL, ANY, "LLC_REFERENCES.STREAMING_FULL", "filter_opc=0x18c", LINE),
    addition(HASWELL, ANY, "LLC_REFERENCES.STREAMING_PARTIAL", "filter_opc=0x18d", LINE),
    addition(HASWELL, "UNC_C_TOR_OCCUPANCY.MISS_OPCODE", "UNC_C_TOR_OCCUPANCY.LLC_DATA_READ", "filter_opc=0x182", ""),
    addition(HASWELL, "UNC_C_LLC_LOOKUP.ANY", "", "filter_state=0x1", LINE),
    addition(HASWELL, "UNC_C_LLC_VICTIMS.M_STATE", "", "", LINE),
    addition(HASWELL, "UNC_H_SNOOP_RESP.RSPIFWD", "", "", LINE),
    addition(HASWELL, "UNC_H_SNOOP_RESP.RSPS", "", "", LINE),
    addition(HASWELL, "UNC_H_SNOOP_RESP.RSPSFWD", "", "", LINE),
    addition(HASWELL, "UNC_H_SNOOP_RESP.RSP_FWD_WB", "", "", LINE),
    addition(SKYLAKE_AND_SNR, READ, "LLC_MISSES.PCIE_READ", "ch_mask=0x1f", "4Bytes"),
    addition(SKYLAKE_AND_SNR, WRITE, "LLC_MISSES.PCIE_WRITE", "ch_mask=0x1f", "4Bytes"),
    addition(CASCADE_LAKE, CHA_MISS, "LLC_MISSES.MMIO_READ", "config1=0x40040e33", ""),
    addition(CASCADE_LAKE, CHA_MISS, "LLC_MISSES.MMIO_WRITE", "config1=0x40041e33", ""),
    addition(CASCADE_LAKE, CHA_MISS, "LLC_MISSES.UNCACHEABLE", "config1=0x40e33", ""),
    addition(CASCADE_LAKE, CHA_MISS, "LLC_REFERENCES.STREAMING_FULL", "config1=0x41833", LINE),
    addition(CASCADE_LAKE, CHA_MISS, "LLC_REFERENCES.STREAMING_PARTIAL", "config1=0x41a33", LINE),
    addition(CASCADE_LAKE, "UNC_M_PMM_RPQ_INSERTS", "UNC_M_PMM_BANDWIDTH.READ", "", OPTANE_RATE),
    addition(CASCADE_LAKE, "UNC_M_PMM_RPQ_INSERTS", "UNC_M_PMM_BANDWIDTH.TOTAL", "", OPTANE_RATE),
    addition(CASCADE_LAKE, "UNC_M_PMM_WPQ_INSERTS", "UNC_M_PMM_BANDWIDTH.WRITE", "", OPTANE_RATE),
    addition(CASCADE_LAKE, "UNC_M_PMM_RPQ_OCCUPANCY.ALL", "UNC_M_PMM_READ_LATENCY", "", "6000000000ns"),
];

/// Events of which perf multiplies the count by 64 bytes, although these requests move
/// less than a line, or nothing.
const NOT_LINES: &[&str] = &[
    "LLC_MISSES.MMIO_READ",
    "LLC_MISSES.MMIO_WRITE",
    "LLC_MISSES.UNCACHEABLE",
    "LLC_REFERENCES.STREAMING_PARTIAL",
    "UNC_H_SNOOP_RESP.RSPS",
];

type Values<'s> = Vec<(Key, Value<'s>)>;

/// Puts the value of the second filter register, which some additions set, where the
/// drivers have it; what perf has, if there is such a value.
pub(super) fn correct_filter<'s>(copy: &mut Values<'s>) -> Option<Values<'s>> {
    let perf = copy.clone();
    let (_, filter) = copy.iter_mut().find(|(key, _)| *key == Key::Filter)?;
    let number = filter.text.strip_prefix("config1=0x")?;
    let number = u64::from_str_radix(number, 16).ok().filter(|number| number >> 32 == 0)?;
    *filter = Value::new(filter::term(number), filter.place);
    Some(perf)
}

/// Applies perf's additions to the event itself, and returns its copies.
pub(super) fn apply<'s>(
    short: &str,
    name: &str,
    place: Place,
    values: &mut Values<'s>,
    encoding: Encoding,
) -> Vec<Values<'s>> {
    let mut copies = Vec::new();
    if !name.starts_with("UNC_") {
        return copies;
    }
    for addition in ADDITIONS {
        if addition.of == name && addition.models.contains(&short) {
            if addition.name.is_empty() {
                addition.set(place, values, encoding);
                continue;
            }
            let mut copy = values.clone();
            addition.set(place, &mut copy, encoding);
            set(&mut copy, Key::EventName, addition.name, place);
            copies.push(copy);
        }
    }
    copies
}

impl Addition {
    fn set(&self, place: Place, values: &mut Values<'_>, encoding: Encoding) {
        set(values, Key::Filter, self.filter, place);
        let name = if self.name.is_empty() { self.of } else { self.name };
        if encoding == Encoding::Perf || !NOT_LINES.contains(&name) {
            set(values, Key::ScaleUnit, self.scale_unit, place);
        }
    }
}

fn set(values: &mut Values<'_>, key: Key, text: &'static str, place: Place) {
    if text.is_empty() {
        return;
    }
    let value = Value::new(text, place);
    match values.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => values.push((key, value)),
    }
}
