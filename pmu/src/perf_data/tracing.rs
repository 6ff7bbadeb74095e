//! The formats of tracepoints in a file, in the form of trace-cmd's files
//! (`tools/perf/util/trace-event-info.c` and `trace-event-read.c`).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use pmu_events::__private::file;
use pmu_events::sample::ByteOrder;

use crate::perf_data::words::Words;

/// What the section begins with.
const MAGIC: &[u8] = b"\x17\x08\x44tracing";
const VERSION: &[u8] = b"0.6\0";

/// The section for some tracepoints, each a system and a name; `None` where tracefs cannot be read.
pub(crate) fn section(tracefs: &Path, tracepoints: &[(String, String)]) -> Option<Vec<u8>> {
    let events = tracefs.join("events");
    let mut systems: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (system, name) in tracepoints {
        let format = file::of_procfs(&events.join(system).join(name).join("format")).ok()?;
        let formats = systems.entry(system).or_default();
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    let mut bytes = [MAGIC, VERSION].concat();
    bytes.push(u8::from(cfg!(target_endian = "big")));
    bytes.push(size_of::<libc::c_long>() as u8);
    // SAFETY: the call asks for a number and touches no memory.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    bytes.extend((page as u32).to_ne_bytes());
    for name in ["header_page", "header_event"] {
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(0);
        text(&mut bytes, &file::of_procfs(&events.join(name)).ok()?);
    }
    // None of ftrace's own events.
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend((systems.len() as u32).to_ne_bytes());
    for (system, formats) in systems {
        bytes.extend_from_slice(system.as_bytes());
        bytes.push(0);
        bytes.extend((formats.len() as u32).to_ne_bytes());
        formats.iter().for_each(|format| text(&mut bytes, format));
    }
    // No symbols of the kernel.
    bytes.extend(0_u32.to_ne_bytes());
    let printk = file::of_procfs(&tracefs.join("printk_formats")).unwrap_or_default();
    bytes.extend((printk.len() as u32).to_ne_bytes());
    bytes.extend_from_slice(printk.as_bytes());
    // No names of tasks, which are in the records.
    bytes.extend(0_u64.to_ne_bytes());
    Some(bytes)
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_ne_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

/// What a section has.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tracing {
    /// As tracefs has them.
    pub(crate) formats: Vec<String>,
    /// Texts of the kernel, by their addresses (`printk_formats`).
    pub(crate) texts: HashMap<u64, String>,
}

/// What a section has; of one that is damaged, what comes before.
pub(crate) fn parse(bytes: &[u8]) -> Tracing {
    let mut tracing = Tracing::default();
    let _ = read(bytes, &mut tracing);
    tracing
}

fn read(bytes: &[u8], tracing: &mut Tracing) -> Option<()> {
    let bytes = bytes.strip_prefix(MAGIC)?;
    let bytes = &bytes[name_end(bytes)?..];
    let order = if *bytes.first()? == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let mut words = Words { bytes: bytes.get(6..)?, order };
    for _ in 0..2 {
        words.take(name_end(words.bytes)?)?;
        sized(&mut words)?;
    }
    for _ in 0..words.u32()? {
        tracing.formats.push(sized(&mut words)?);
    }
    for _ in 0..words.u32()? {
        words.take(name_end(words.bytes)?)?;
        for _ in 0..words.u32()? {
            tracing.formats.push(sized(&mut words)?);
        }
    }
    // Symbols of the kernel, which an older perf writes.
    let symbols = words.u32()?;
    words.take(symbols as usize)?;
    let texts = words.u32()?;
    let texts = String::from_utf8_lossy(words.take(texts as usize)?).into_owned();
    tracing.texts.extend(texts.lines().filter_map(text_of_kernel));
    Some(())
}

/// `0xffffffff81a2b3c4 : "text"`
fn text_of_kernel(line: &str) -> Option<(u64, String)> {
    let (address, text) = line.split_once(" : ")?;
    let address = u64::from_str_radix(address.strip_prefix("0x")?, 16).ok()?;
    let text = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((address, text.replace("\\n", "\n")))
}

/// The length of a name with the zero behind it.
fn name_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == 0).map(|at| at + 1)
}

fn sized(words: &mut Words<'_>) -> Option<String> {
    let length = usize::try_from(words.u64()?).ok()?;
    Some(String::from_utf8_lossy(words.take(length)?).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let root = std::env::temp_dir().join(format!("pmu-tracing-{}", std::process::id()));
        let events = root.join("events");
        for (name, text) in
            [("a/one", "name: one\n"), ("a/two", "name: two\n"), ("b/one", "name: x\n")]
        {
            fs::create_dir_all(events.join(name)).expect("it can be made");
            fs::write(events.join(name).join("format"), text).expect("it can be written");
        }
        for name in ["header_page", "header_event"] {
            fs::write(events.join(name), "field\n").expect("it can be written");
        }
        fs::write(root.join("printk_formats"), "0xff00 : \"a \\\"text\"\nodd\n")
            .expect("it can be written");
        let tracepoint = |system: &str, name: &str| (system.to_owned(), name.to_owned());
        let all = [("b", "one"), ("a", "two"), ("a", "one"), ("a", "one")];
        let all = all.map(|(system, name)| tracepoint(system, name));
        let bytes = section(&root, &all);
        let none = section(&root, &[tracepoint("a", "none")]);
        fs::remove_dir_all(&root).expect("it was made");
        let bytes = bytes.expect("all are there");
        let expected = ["name: two\n", "name: one\n", "name: x\n"].map(String::from);
        let whole = parse(&bytes);
        assert_eq!(whole.formats, expected);
        assert_eq!(whole.texts, HashMap::from([(0xff00, "a \\\"text".to_owned())]));
        assert_eq!(none, None);
        // Whatever is cut off or changed.
        for end in 0..bytes.len() {
            assert!(expected.starts_with(&parse(&bytes[..end]).formats));
            let mut odd = bytes.clone();
            odd[end] = 0xff;
            let _ = parse(&odd);
        }
    }
}
