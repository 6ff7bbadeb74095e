//! What a file says of the machine and of the recording, as perf shows it
//! (`perf_header__fprintf_info` in `tools/perf/util/header.c`).

mod attributes;

use std::ffi::CStr;
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::time::UNIX_EPOCH;

use crate::perf_data::reader::Reader;
use crate::perf_data::words::Words;
use crate::perf_data::writer::NO_NAME;

/// By their bits.
const FEATURES: [&str; 32] = [
    "",
    "TRACING_DATA",
    "BUILD_ID",
    "HOSTNAME",
    "OSRELEASE",
    "VERSION",
    "ARCH",
    "NRCPUS",
    "CPUDESC",
    "CPUID",
    "TOTAL_MEM",
    "CMDLINE",
    "EVENT_DESC",
    "CPU_TOPOLOGY",
    "NUMA_TOPOLOGY",
    "BRANCH_STACK",
    "PMU_MAPPINGS",
    "GROUP_DESC",
    "AUXTRACE",
    "STAT",
    "CACHE",
    "SAMPLE_TIME",
    "MEM_TOPOLOGY",
    "CLOCKID",
    "DIR_FORMAT",
    "BPF_PROG_INFO",
    "BPF_BTF",
    "COMPRESSED",
    "CPU_PMU_CAPS",
    "CLOCK_DATA",
    "HYBRID_TOPOLOGY",
    "PMU_CAPS",
];

/// Writes the header, as comments.
pub(crate) fn write(out: &mut impl Write, reader: &Reader) -> io::Result<()> {
    writeln!(out, "# ========")?;
    if let Some(time) = reader.written_at() {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        writeln!(out, "# captured on    : {}", date(seconds as i64))?;
    }
    let (start, end) = reader.place_of_records();
    writeln!(
        out,
        "# header version : 1\n# data offset    : {start}\n# data size      : {}\n\
         # feat offset    : {end}",
        end - start
    )?;
    for (bit, name) in FEATURES.iter().enumerate().skip(1) {
        let Some(bytes) = reader.section(bit as u32) else { continue };
        let words = Words { bytes: &bytes, order: reader.order };
        if section(out, bit, words, reader)?.is_none() {
            writeln!(out, "# {name} cannot be read")?;
        }
    }
    write!(out, "# missing features: ")?;
    for (bit, name) in FEATURES.iter().enumerate().skip(1) {
        if reader.section(bit as u32).is_none() {
            write!(out, "{name} ")?;
        }
    }
    writeln!(out, "\n# ========\n#")
}

/// A line, or several; `None` if the section is damaged.
fn section(
    out: &mut impl Write,
    bit: usize,
    mut words: Words<'_>,
    reader: &Reader,
) -> io::Result<Option<()>> {
    let texts = [
        (3, "hostname"),
        (4, "os release"),
        (5, "perf version"),
        (6, "arch"),
        (8, "cpudesc"),
        (9, "cpuid"),
    ];
    if let Some((_, title)) = texts.iter().find(|(own, _)| *own == bit) {
        let Some(text) = words.string() else { return Ok(None) };
        return writeln!(out, "# {title} : {text}").map(Some);
    }
    Ok(match bit {
        7 => {
            // The numbers of CPUs that there can be, and that are online.
            let (Some(all), Some(online)) = (words.u32(), words.u32()) else { return Ok(None) };
            Some(writeln!(out, "# nrcpus online : {online}\n# nrcpus avail : {all}")?)
        }
        10 => match words.u64() {
            Some(kilobytes) => Some(writeln!(out, "# total memory : {kilobytes} kB")?),
            None => None,
        },
        11 => match command_line(reader) {
            Some(line) => Some(writeln!(out, "# cmdline : {line}")?),
            None => None,
        },
        12 => match attributes::events(&mut words, &pmus(reader).unwrap_or_default()) {
            Some(lines) => {
                Some(lines.iter().try_for_each(|line| writeln!(out, "# event : {line}"))?)
            }
            None => None,
        },
        15 => Some(writeln!(out, "# contains samples with branch stack")?),
        16 => match pmus(reader) {
            Some(pmus) => {
                let pmus: Vec<_> =
                    pmus.iter().map(|(number, name)| format!("{name} = {number}")).collect();
                Some(writeln!(out, "# pmu mappings: {}", pmus.join(", "))?)
            }
            None => None,
        },
        17 => match groups(&mut words, reader) {
            Some(groups) => {
                Some(groups.iter().try_for_each(|group| writeln!(out, "# group: {group}"))?)
            }
            None => None,
        },
        18 => Some(writeln!(out, "# contains AUX area data (e.g. instruction trace)")?),
        21 => {
            let (Some(first), Some(last)) = (words.u64(), words.u64()) else { return Ok(None) };
            let duration = last.saturating_sub(first) as f64 / 1e6;
            let [first, last] = [first, last].map(seconds);
            Some(writeln!(
                out,
                "# time of first sample : {first}\n# time of last sample : {last}\n\
                 # sample duration : {duration:>10.3} ms"
            )?)
        }
        23 => match words.u64() {
            Some(resolution) => {
                Some(writeln!(out, "# clockid frequency: {} MHz", resolution.wrapping_mul(1000))?)
            }
            None => None,
        },
        13 | 14 | 20 | 22 | 25 | 26 => {
            Some(writeln!(out, "# {} is there; perf shows it", FEATURES[bit])?)
        }
        _ => Some(()),
    })
}

fn command_line(reader: &Reader) -> Option<String> {
    let words = reader.command_line()?;
    Some(words.iter().map(|word| word.replace('\'', "\\'") + " ").collect())
}

/// The numbers and names of the PMUs.
fn pmus(reader: &Reader) -> Option<Vec<(u32, String)>> {
    let bytes = reader.section(16)?;
    let mut words = Words { bytes: &bytes, order: reader.order };
    let mut pmus = Vec::new();
    for _ in 0..words.u32()? {
        pmus.push((words.u32()?, words.string()?));
    }
    Some(pmus)
}

/// The groups, each with the names of its events.
fn groups(words: &mut Words<'_>, reader: &Reader) -> Option<Vec<String>> {
    let mut groups = Vec::new();
    for _ in 0..words.u32()? {
        let name = words.string()?;
        let (leader, members) = (words.u32()? as usize, words.u32()? as usize);
        let members = reader.events.get(leader..leader.checked_add(members)?)?;
        let names: Vec<&str> = members.iter().map(|event| event.name.as_str()).collect();
        let name = if name == NO_NAME { "" } else { &name };
        groups.push(format!("{name}{{{}}}", names.join(",")));
    }
    Some(groups)
}

fn seconds(time: u64) -> String {
    format!("{}.{:06}", time / 1_000_000_000, time % 1_000_000_000 / 1000)
}

/// A moment in the local time, as ctime(3) writes it.
fn date(seconds: i64) -> String {
    // A `time_t`, whose name libc deprecates for musl.
    let seconds = seconds as _;
    let mut text: [libc::c_char; 64] = [0; 64];
    let mut moment = MaybeUninit::<libc::tm>::zeroed();
    // SAFETY: the first call fills the structure, of which zeros are one; the second writes no more
    // than the array has, with a zero at its end.
    unsafe {
        libc::localtime_r(&raw const seconds, moment.as_mut_ptr());
        let form = c"%a %b %e %H:%M:%S %Y";
        libc::strftime(text.as_mut_ptr(), text.len(), form.as_ptr(), moment.as_ptr());
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    }
}
