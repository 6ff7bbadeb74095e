//! What was there before: records of the kernel's code, and of tasks and their mappings, as the
//! kernel writes them for what comes later (`tools/perf/util/synthetic-events.c`).

use std::fs;
use std::path::Path;

use pmu_events::__private::file;
use pmu_events::sample::Fields;

use crate::image::Image;
use crate::perf_data::format::{
    COMM, FORK, HAS_BUILD_ID, LOST_SAMPLES, MMAP, MMAP2, OF_KERNEL, OF_USER,
};
use crate::system::System;

/// Takes each record.
pub(super) type Each<'e> = dyn FnMut(&[u8]) -> std::io::Result<()> + 'e;

/// A record that is being made.
struct Made(Vec<u8>);

impl Made {
    fn new(kind: u32, misc: u16) -> Self {
        let mut bytes = kind.to_ne_bytes().to_vec();
        bytes.extend(misc.to_ne_bytes());
        // The length comes last.
        bytes.extend([0, 0]);
        Made(bytes)
    }

    fn u32(mut self, number: u32) -> Self {
        self.0.extend(number.to_ne_bytes());
        self
    }

    fn u64(mut self, number: u64) -> Self {
        self.0.extend(number.to_ne_bytes());
        self
    }

    /// A build id, in the room of the numbers of a file (`tools/lib/perf/include/perf/event.h`).
    fn build_id(mut self, id: &[u8]) -> Self {
        const LONGEST: usize = 20;
        let id = &id[..id.len().min(LONGEST)];
        let mut field = [0; 4 + LONGEST];
        field[0] = id.len() as u8;
        field[4..4 + id.len()].copy_from_slice(id);
        self.0.extend(field);
        self
    }

    /// A text, padded with zeros, of which there is at least one.
    fn text(mut self, text: &[u8]) -> Self {
        const LONGEST: usize = 4096;
        self.0.extend_from_slice(&text[..text.len().min(LONGEST)]);
        self.0.resize((self.0.len() + 1).next_multiple_of(8), 0);
        self
    }

    /// The record, with a stamp of zeros: it is older than all others.
    fn done(mut self, stamp: usize) -> Vec<u8> {
        self.0.resize(self.0.len() + stamp, 0);
        let length = self.0.len() as u16;
        self.0[6..8].copy_from_slice(&length.to_ne_bytes());
        self.0
    }
}

/// The length of the stamp at the end of each record.
pub(super) fn stamp_length(fields: Fields) -> usize {
    let parts =
        [Fields::TID, Fields::TIME, Fields::ID, Fields::STREAM_ID, Fields::CPU, Fields::IDENTIFIER];
    8 * parts.into_iter().filter(|&part| fields.contains(part)).count()
}

/// How many samples were lost, as perf writes it at the end (`record__read_lost_samples` in
/// `tools/perf/builtin-record.c`).
pub(super) fn lost(lost: u64, fields: Fields) -> Vec<u8> {
    Made::new(LOST_SAMPLES, 0).u64(lost).done(stamp_length(fields))
}

/// The code of the kernel, if the user may know where it is (`kptr_restrict`).
pub(super) fn kernel(system: &System, stamp: usize, each: &mut Each<'_>) -> std::io::Result<()> {
    let Ok(symbols) = file::of_procfs(&system.proc().join("kallsyms")) else { return Ok(()) };
    if let Some((start, end, reference)) = kernel_code(&symbols) {
        let record = Made::new(MMAP, OF_KERNEL)
            .u32(u32::MAX)
            .u32(0)
            .u64(start)
            .u64(end - start)
            // The address of the symbol in the name, which tells how far the kernel was moved.
            .u64(reference)
            .text(b"[kernel.kallsyms]_text")
            .done(stamp);
        each(&record)?;
    }
    let Ok(modules) = file::of_procfs(&system.proc().join("modules")) else { return Ok(()) };
    for (name, start, length) in modules.lines().filter_map(module) {
        let record = Made::new(MMAP, OF_KERNEL)
            .u32(u32::MAX)
            .u32(0)
            .u64(start)
            .u64(length)
            .u64(0)
            .text(format!("[{name}]").as_bytes())
            .done(stamp);
        each(&record)?;
    }
    Ok(())
}

/// Begin and end of the kernel's code, and the address of `_text`.
fn kernel_code(symbols: &str) -> Option<(u64, u64, u64)> {
    let address = |name: &str| {
        let line = symbols.lines().find(|line| line.split(' ').nth(2) == Some(name))?;
        let address = u64::from_str_radix(line.split(' ').next()?, 16).ok()?;
        (address > 0).then_some(address)
    };
    let text = address("_text")?;
    let start = address("_stext").unwrap_or(text).min(text);
    let end = address("_etext").or_else(|| address("_end"))?;
    (start < end).then_some((start, end, text))
}

/// A line of `/proc/modules`: name, length, users, dependencies, state, address.
fn module(line: &str) -> Option<(&str, u64, u64)> {
    let mut words = line.split(' ');
    let (name, length) = (words.next()?, words.next()?.parse().ok()?);
    let address = words.find_map(|word| word.strip_prefix("0x"))?;
    let start = u64::from_str_radix(address, 16).ok().filter(|&start| start > 0)?;
    Some((name, start, length))
}

/// A process with its threads and mappings. What ends meanwhile is left out.
pub(super) fn process(
    system: &System,
    process: u32,
    stamp: usize,
    each: &mut Each<'_>,
) -> std::io::Result<()> {
    let Ok(mut threads) = system.threads_of(process) else { return Ok(()) };
    // The first thread is the process, of which the others are.
    threads.sort_by_key(|&thread| (thread != process, thread));
    let directory = system.proc().join(process.to_string());
    for thread in threads {
        if thread != process {
            let record = Made::new(FORK, OF_USER)
                .u32(process)
                .u32(process)
                .u32(thread)
                .u32(process)
                .u64(0)
                .done(stamp);
            each(&record)?;
        }
        let path = directory.join("task").join(thread.to_string()).join("comm");
        let Ok(name) = file::of_procfs(&path) else { continue };
        let name = name.strip_suffix('\n').unwrap_or(&name);
        let record =
            Made::new(COMM, OF_USER).u32(process).u32(thread).text(name.as_bytes()).done(stamp);
        each(&record)?;
    }
    mappings(&directory, process, stamp, each)
}

fn mappings(
    directory: &Path,
    process: u32,
    stamp: usize,
    each: &mut Each<'_>,
) -> std::io::Result<()> {
    // Another user's cannot be read, and a thread of the kernel has none.
    let Ok(maps) = file::of_procfs(&directory.join("maps")) else { return Ok(()) };
    let elsewhere = has_own_mounts(directory).then(|| directory.join("root"));
    for mapping in maps.lines().filter_map(Mapping::parse).filter(|one| one.is_code) {
        let build_id = elsewhere.as_deref().and_then(|root| mapping.build_id(root));
        let misc = if build_id.is_some() { OF_USER | HAS_BUILD_ID } else { OF_USER };
        let record = Made::new(MMAP2, misc)
            .u32(process)
            .u32(process)
            .u64(mapping.start)
            .u64(mapping.end - mapping.start)
            .u64(mapping.offset);
        let record = match build_id {
            Some(id) => record.build_id(&id),
            None => record.u32(mapping.device.0).u32(mapping.device.1).u64(mapping.inode).u64(0),
        };
        let record =
            record.u32(mapping.rights).u32(mapping.flags).text(mapping.path.as_bytes()).done(stamp);
        each(&record)?;
    }
    Ok(())
}

/// Whether the paths of a process may be others than ours, as in a container. If nothing says so,
/// they are not.
fn has_own_mounts(directory: &Path) -> bool {
    let namespace = |of: &Path| fs::read_link(of.join("ns/mnt")).ok();
    let ours = namespace(Path::new("/proc/self"));
    namespace(directory).is_some_and(|its| ours.is_some_and(|ours| ours != its))
}

/// A line of `/proc/PID/maps`.
#[derive(Debug, PartialEq)]
struct Mapping<'l> {
    start: u64,
    end: u64,
    rights: u32,
    flags: u32,
    is_code: bool,
    offset: u64,
    device: (u32, u32),
    inode: u64,
    path: &'l str,
}

impl<'l> Mapping<'l> {
    /// The build id of the file below the root of its process: empty if it cannot be known, since
    /// our file at the same path is another one. `None` if it is no file.
    fn build_id(&self, root: &Path) -> Option<Vec<u8>> {
        let path = self.path.strip_prefix('/').filter(|path| !path.starts_with('/'))?;
        let image = Image::open(&root.join(path)).ok();
        Some(image.and_then(|image| image.build_id()).unwrap_or_default())
    }

    fn parse(line: &'l str) -> Option<Self> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let rights = words.next()?;
        let offset = hex(words.next()?)?;
        let (major, minor) = words.next()?.split_once(':')?;
        let inode = words.next()?.parse().ok()?;
        let path = words.next().map_or("", |path| path.trim_start());
        let (start, end) = (hex(start)?, hex(end)?);
        // `PROT_READ`, `PROT_WRITE`, `PROT_EXEC`; `MAP_SHARED`, `MAP_PRIVATE`
        let bits = [("r", 1), ("w", 2), ("x", 4)];
        let has = |letter: &str| rights.contains(letter);
        (start < end).then_some(Mapping {
            start,
            end,
            rights: bits.iter().filter(|(letter, _)| has(letter)).map(|(_, bit)| bit).sum(),
            flags: if has("s") { 1 } else { 2 },
            is_code: has("x"),
            offset,
            device: (hex(major)? as u32, hex(minor)? as u32),
            inode,
            path: if path.is_empty() { "//anon" } else { path },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let line = "55d0-55e0 r-xp 00002000 fd:01 1835       /usr/bin/a program";
        let expected = Mapping {
            start: 0x55d0,
            end: 0x55e0,
            rights: 5,
            flags: 2,
            is_code: true,
            offset: 0x2000,
            device: (0xfd, 1),
            inode: 1835,
            path: "/usr/bin/a program",
        };
        assert_eq!(Mapping::parse(line), Some(expected));
        let anonymous = Mapping::parse("7f00-7f10 rwxs 00000000 00:00 0").unwrap();
        assert_eq!((anonymous.path, anonymous.flags, anonymous.rights), ("//anon", 1, 7));
        for odd in ["", "55d0", "55e0-55d0 r-xp 0 fd:01 1 /x", "x-y r-xp 0 0:0 0", "1-2 r-xp"] {
            assert_eq!(Mapping::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_code_of_the_kernel() {
        let symbols = "ffff0000 T _text\nffff0100 T _stext\nffff1000 T x\nffff2000 T _etext\n";
        assert_eq!(kernel_code(symbols), Some((0xffff_0000, 0xffff_2000, 0xffff_0000)));
        // Addresses that the user may not know.
        assert_eq!(kernel_code("0 T _text\n0 T _etext\n"), None);
        assert_eq!(kernel_code(""), None);
        let line = "loop 40960 2 - Live 0xffffffffc0000000";
        assert_eq!(module(line), Some(("loop", 0xffff_ffff_c000_0000, 40960)));
        assert_eq!(module("loop 40960 2 - Live 0x0000000000000000"), None);
        assert_eq!(module("loop"), None);
    }

    /// The mapped file is the one below the root of a process with mounts of its own, and ours
    /// where it has none.
    #[test]
    fn files_of_a_container() {
        let own = std::env::current_exe().expect("it runs");
        let id = Image::open(&own).ok().and_then(|image| image.build_id());
        let directory = std::env::temp_dir().join(format!("pmu-existing-{}", std::process::id()));
        let file = directory.join("root/bin/program");
        fs::create_dir_all(directory.join("root/bin")).expect("it can be made");
        fs::create_dir_all(directory.join("ns")).expect("it can be made");
        fs::copy(&own, &file).expect("it can be written");
        fs::write(
            directory.join("maps"),
            "1000-2000 r-xp 00000000 fd:01 7 /bin/program\n\
             3000-4000 r-xp 00000000 fd:01 8 /bin/gone\n\
             5000-6000 r-xp 00000000 00:00 0 [vdso]\n",
        )
        .expect("it can be written");
        let records = || {
            let mut records = Vec::new();
            let mut each = |record: &[u8]| {
                records.push(record.to_vec());
                Ok(())
            };
            mappings(&directory, 9, 0, &mut each).expect("nothing fails");
            records
        };
        let numbers = |record: &[u8]| (record[5] & 0x40 != 0, record[40..64].to_vec());
        let is_of = |record: &[u8], expected: &[u8]| {
            let (has_build_id, field) = numbers(record);
            has_build_id
                && usize::from(field[0]) == expected.len()
                && field[4..].starts_with(expected)
        };
        // Nothing says that its mounts are others.
        let ours = records();
        std::os::unix::fs::symlink("mnt:[1]", directory.join("ns/mnt")).expect("it can be made");
        let its = records();
        fs::remove_dir_all(&directory).expect("it was made");
        assert!(ours.len() == 3 && ours.iter().all(|record| !numbers(record).0));
        assert!(its.len() == 3 && !numbers(&its[2]).0);
        assert!(is_of(&its[0], &id.unwrap_or_default()) && is_of(&its[1], b""));
        // All else is the same.
        for (its, ours) in its.iter().zip(&ours) {
            assert_eq!((its.len(), &its[..5], &its[64..]), (ours.len(), &ours[..5], &ours[64..]));
        }
    }
}
