//! Records beside samples: what tasks, mappings and the kernel did, and what was lost.

use super::bytes::{Numbers, Rest};
use super::error::ParseError;
use super::header::Header;
use super::layout::Layout;
use super::sample::Sample;
use super::values::Values;

/// The contents of a record.
///
/// ```
/// use pmu_events::sample::{Body, Record};
///
/// fn is_exec(record: &Record<'_>) -> bool {
///     matches!(record.body(), Body::Comm(comm) if comm.is_exec())
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant)] // A box would be memory for each sample.
pub enum Body<'b> {
    /// `PERF_RECORD_SAMPLE`
    Sample(Sample<'b>),
    /// `PERF_RECORD_MMAP` and `PERF_RECORD_MMAP2`: memory was mapped.
    Mmap(Mmap<'b>),
    /// `PERF_RECORD_LOST`: the buffer was full.
    Lost(Lost),
    /// `PERF_RECORD_LOST_SAMPLES`: the hardware lost samples, or a file says how many are
    /// missing.
    LostSamples(Lost),
    /// `PERF_RECORD_COMM`: a thread has a new name.
    Comm(Comm<'b>),
    /// `PERF_RECORD_FORK`: a thread began.
    Fork(Task),
    /// `PERF_RECORD_EXIT`: a thread ended.
    Exit(Task),
    /// `PERF_RECORD_THROTTLE`: the kernel stopped the event, because it came too often.
    Throttle(Throttle),
    /// `PERF_RECORD_UNTHROTTLE`: the event goes on.
    Unthrottle(Throttle),
    /// `PERF_RECORD_READ`: the counts of a process and a thread that has ended.
    Read(u32, u32, Values<'b>),
    /// `PERF_RECORD_AUX`: there are new data in the AUX area.
    Aux(Aux),
    /// `PERF_RECORD_ITRACE_START`: the trace of a process and a thread began.
    TraceStart(u32, u32),
    /// `PERF_RECORD_AUX_OUTPUT_HW_ID`: the number that the hardware has for the event.
    AuxOutputId(u64),
    /// `PERF_RECORD_SWITCH` and `PERF_RECORD_SWITCH_CPU_WIDE`: a thread came to a CPU or left
    /// it, where it left it if the first value is true; process and thread that follow or
    /// precede it are known of whole CPUs.
    Switch(bool, Option<(u32, u32)>),
    /// `PERF_RECORD_NAMESPACES`
    Namespaces(Namespaces<'b>),
    /// `PERF_RECORD_KSYMBOL`: code was added to the kernel or removed.
    Ksymbol(Ksymbol<'b>),
    /// `PERF_RECORD_BPF_EVENT`: a BPF program was loaded or unloaded.
    Bpf(Bpf<'b>),
    /// `PERF_RECORD_CGROUP`: the name of a control group.
    Cgroup(Cgroup<'b>),
    /// `PERF_RECORD_TEXT_POKE`: code of the kernel changed.
    TextPoke(TextPoke<'b>),
    /// `PERF_RECORD_CALLCHAIN_DEFERRED`: the user's part of earlier call chains, with the
    /// number that these end with, since Linux 6.19.
    DeferredCallchain(u64, Numbers<'b>),
    /// A kind that this version does not know, such as the kinds from 64 on, which perf's tools
    /// write.
    Other(&'b [u8]),
}

/// Declares a record whose fields have getters.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident $(<$life:lifetime>)? {
            $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name $(<$life>)? {
            $($field: $type,)*
        }

        impl $(<$life>)? $name $(<$life>)? {
            $(
                $(#[$field_doc])*
                #[must_use]
                pub fn $field(&self) -> $type {
                    self.$field
                }
            )*
        }
    };
}

record! {
    /// Memory that a process mapped (`PERF_RECORD_MMAP`, `PERF_RECORD_MMAP2`).
    ///
    /// ```
    /// use pmu_events::sample::Mmap;
    ///
    /// /// The offset of an address in the file that is mapped there.
    /// fn offset(mmap: &Mmap<'_>, address: u64) -> Option<u64> {
    ///     let offset = address.checked_sub(mmap.address())?;
    ///     (offset < mmap.length()).then(|| offset + mmap.offset())
    /// }
    /// ```
    Mmap<'b> {
        /// Returns the process; the kernel's is `u32::MAX`.
        pid: u32,
        /// Returns the thread.
        tid: u32,
        /// Returns the first address.
        address: u64,
        /// Returns the length in bytes.
        length: u64,
        /// Returns the place in the file of the first byte; for a module of the kernel, its
        /// address.
        offset: u64,
        /// Returns the device's numbers, major and minor, if the record has them.
        device: Option<(u32, u32)>,
        /// Returns the number of the file and its generation, if the record has them.
        inode: Option<(u64, u64)>,
        /// Returns the build id of the file, which the kernel has in place of the numbers of
        /// the file if it was asked for build ids.
        build_id: Option<&'b [u8]>,
        /// Returns the rights (`PROT_*`) and flags (`MAP_*`), if the record has them.
        rights: Option<(u32, u32)>,
        /// Whether it is a mapping of data, not of code (`PERF_RECORD_MISC_MMAP_DATA`).
        is_data: bool,
        /// Returns the path of the file, or a name such as `[vdso]` or `//anon`.
        path: &'b [u8],
    }
}

record! {
    /// Records that are missing.
    ///
    /// ```
    /// use pmu_events::sample::{Body, Record};
    ///
    /// fn lost(record: &Record<'_>) -> u64 {
    ///     match record.body() {
    ///         Body::Lost(lost) | Body::LostSamples(lost) => lost.lost(),
    ///         _ => 0,
    ///     }
    /// }
    /// ```
    Lost {
        /// Returns the id of the event whose buffer was full; `None` in
        /// [`Body::LostSamples`].
        event: Option<u64>,
        /// Returns how many are missing.
        lost: u64,
    }
}

record! {
    /// A new name of a thread.
    ///
    /// ```
    /// use pmu_events::sample::Comm;
    ///
    /// fn show(comm: &Comm<'_>) {
    ///     println!("{} is {}", comm.tid(), String::from_utf8_lossy(comm.name()));
    /// }
    /// ```
    Comm<'b> {
        /// Returns the process.
        pid: u32,
        /// Returns the thread.
        tid: u32,
        /// Returns the name.
        name: &'b [u8],
        /// Whether an `exec` set it (`PERF_RECORD_MISC_COMM_EXEC`).
        is_exec: bool,
    }
}

record! {
    /// A thread that began or ended.
    ///
    /// ```
    /// use pmu_events::sample::Task;
    ///
    /// fn is_process(task: &Task) -> bool {
    ///     task.pid() == task.tid()
    /// }
    /// ```
    Task {
        /// Returns the process.
        pid: u32,
        /// Returns the parent of the process.
        parent_pid: u32,
        /// Returns the thread.
        tid: u32,
        /// Returns the thread that made it.
        parent_tid: u32,
        /// Returns the time, in nanoseconds.
        time: u64,
    }
}

record! {
    /// An event that the kernel stopped because it came too often, or that goes on
    /// (`kernel.perf_event_max_sample_rate`).
    ///
    /// ```
    /// use pmu_events::sample::{Body, Record};
    ///
    /// fn is_throttled(record: &Record<'_>) -> bool {
    ///     matches!(record.body(), Body::Throttle(throttle) if throttle.time() > 0)
    /// }
    /// ```
    Throttle {
        /// Returns the time, in nanoseconds.
        time: u64,
        /// Returns the id of the event.
        event: u64,
        /// Returns the id of the event, which differs for children of a task.
        stream_id: u64,
    }
}

record! {
    /// New data in the AUX area.
    ///
    /// ```
    /// use pmu_events::sample::Aux;
    ///
    /// fn end(aux: &Aux) -> u64 {
    ///     aux.offset() + aux.size()
    /// }
    /// ```
    Aux {
        /// Returns where they begin.
        offset: u64,
        /// Returns their length in bytes.
        size: u64,
        /// Returns `PERF_AUX_FLAG_*`.
        flags: u64,
    }
}

record! {
    /// The namespaces of a thread.
    ///
    /// ```
    /// use pmu_events::sample::Namespaces;
    ///
    /// fn show(namespaces: &Namespaces<'_>) {
    ///     let words: Vec<u64> = namespaces.numbers().iter().collect();
    ///     for pair in words.chunks_exact(2) {
    ///         println!("device {:#x}, inode {:#x}", pair[0], pair[1]);
    ///     }
    /// }
    /// ```
    Namespaces<'b> {
        /// Returns the process.
        pid: u32,
        /// Returns the thread.
        tid: u32,
        /// Returns the device and the inode of each namespace, in the order of
        /// `enum perf_ns_info_index`: net, uts, ipc, pid, user, mnt, cgroup.
        numbers: Numbers<'b>,
    }
}

record! {
    /// Code that was added to the kernel or removed.
    ///
    /// ```
    /// use pmu_events::sample::Ksymbol;
    ///
    /// fn end(symbol: &Ksymbol<'_>) -> u64 {
    ///     symbol.address().saturating_add(symbol.length().into())
    /// }
    /// ```
    Ksymbol<'b> {
        /// Returns the first address.
        address: u64,
        /// Returns the length in bytes.
        length: u32,
        /// Returns the kind (`PERF_RECORD_KSYMBOL_TYPE_*`): 1 for a BPF program, 2 for code
        /// out of line.
        kind: u16,
        /// Whether it was removed (`PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER`).
        is_removed: bool,
        /// Returns the name.
        name: &'b [u8],
    }
}

record! {
    /// A BPF program that was loaded or unloaded.
    ///
    /// ```
    /// use pmu_events::sample::Bpf;
    ///
    /// fn is_loaded(bpf: &Bpf<'_>) -> bool {
    ///     bpf.kind() == 1
    /// }
    /// ```
    Bpf<'b> {
        /// Returns what happened (`perf_bpf_event_type`): 1 if it was loaded, 2 if unloaded.
        kind: u16,
        /// Returns the flags, of which there are none so far.
        flags: u16,
        /// Returns the id of the program.
        program: u32,
        /// Returns the hash of the program, 8 bytes.
        tag: &'b [u8],
    }
}

record! {
    /// The name of a control group.
    ///
    /// ```
    /// use pmu_events::sample::Cgroup;
    ///
    /// fn show(group: &Cgroup<'_>) {
    ///     println!("{}: {}", group.id(), String::from_utf8_lossy(group.path()));
    /// }
    /// ```
    Cgroup<'b> {
        /// Returns the id, which samples have.
        id: u64,
        /// Returns the path, from the root of the hierarchy.
        path: &'b [u8],
    }
}

record! {
    /// Code of the kernel that changed.
    ///
    /// ```
    /// use pmu_events::sample::TextPoke;
    ///
    /// fn is_new(poke: &TextPoke<'_>) -> bool {
    ///     poke.old().is_empty() && !poke.new_bytes().is_empty()
    /// }
    /// ```
    TextPoke<'b> {
        /// Returns the first address.
        address: u64,
        /// Returns the bytes before.
        old: &'b [u8],
        /// Returns the bytes after.
        new_bytes: &'b [u8],
    }
}

/// Parses what is not a sample; the stamp at the end is already cut off.
pub(super) fn parse<'b>(
    header: Header,
    layout: &Layout,
    rest: &mut Rest<'b>,
) -> Result<Body<'b>, ParseError> {
    /// `PERF_RECORD_MISC_COMM_EXEC`, `PERF_RECORD_MISC_MMAP_DATA`,
    /// `PERF_RECORD_MISC_SWITCH_OUT`
    const BIT: u16 = 1 << 13;
    let bit = header.misc & BIT != 0;
    const WHAT: &str = "contents";
    Ok(match header.kind {
        1 | 10 => Body::Mmap(mmap(header, rest)?),
        2 => Body::Lost(Lost { event: Some(rest.u64(WHAT)?), lost: rest.u64(WHAT)? }),
        3 => Body::Comm(Comm {
            pid: rest.u32(WHAT)?,
            tid: rest.u32(WHAT)?,
            name: rest.text(),
            is_exec: bit,
        }),
        4 => Body::Exit(task(rest)?),
        5 => Body::Throttle(throttle(rest)?),
        6 => Body::Unthrottle(throttle(rest)?),
        7 => Body::Fork(task(rest)?),
        8 => Body::Read(rest.u32(WHAT)?, rest.u32(WHAT)?, Values::parse(rest, layout.read_format)?),
        11 => Body::Aux(Aux {
            offset: rest.u64(WHAT)?,
            size: rest.u64(WHAT)?,
            flags: rest.u64(WHAT)?,
        }),
        12 => Body::TraceStart(rest.u32(WHAT)?, rest.u32(WHAT)?),
        13 => Body::LostSamples(Lost { event: None, lost: rest.u64(WHAT)? }),
        14 => Body::Switch(bit, None),
        15 => Body::Switch(bit, Some((rest.u32(WHAT)?, rest.u32(WHAT)?))),
        16 => {
            let (pid, tid, number) = (rest.u32(WHAT)?, rest.u32(WHAT)?, rest.u64(WHAT)?);
            let words = number.checked_mul(2).ok_or(ParseError::short(WHAT))?;
            Body::Namespaces(Namespaces { pid, tid, numbers: rest.numbers(words, WHAT)? })
        }
        17 => Body::Ksymbol(Ksymbol {
            address: rest.u64(WHAT)?,
            length: rest.u32(WHAT)?,
            kind: rest.u16(WHAT)?,
            is_removed: rest.u16(WHAT)? & 1 != 0,
            name: rest.text(),
        }),
        18 => Body::Bpf(Bpf {
            kind: rest.u16(WHAT)?,
            flags: rest.u16(WHAT)?,
            program: rest.u32(WHAT)?,
            tag: rest.take(8, WHAT)?,
        }),
        19 => Body::Cgroup(Cgroup { id: rest.u64(WHAT)?, path: rest.text() }),
        20 => {
            let address = rest.u64(WHAT)?;
            let (old, new) = (rest.u16(WHAT)?, rest.u16(WHAT)?);
            let (old, new_bytes) = (rest.take(old.into(), WHAT)?, rest.take(new.into(), WHAT)?);
            Body::TextPoke(TextPoke { address, old, new_bytes })
        }
        21 => Body::AuxOutputId(rest.u64(WHAT)?),
        22 => {
            let (cookie, number) = (rest.u64(WHAT)?, rest.u64(WHAT)?);
            Body::DeferredCallchain(cookie, rest.numbers(number, WHAT)?)
        }
        _ => Body::Other(rest.bytes),
    })
}

fn mmap<'b>(header: Header, rest: &mut Rest<'b>) -> Result<Mmap<'b>, ParseError> {
    /// `PERF_RECORD_MISC_MMAP_BUILD_ID`
    const HAS_BUILD_ID: u16 = 1 << 14;
    const WHAT: &str = "mapping";
    let mut mmap = Mmap {
        pid: rest.u32(WHAT)?,
        tid: rest.u32(WHAT)?,
        address: rest.u64(WHAT)?,
        length: rest.u64(WHAT)?,
        offset: rest.u64(WHAT)?,
        device: None,
        inode: None,
        build_id: None,
        rights: None,
        is_data: header.misc & 1 << 13 != 0,
        path: &[],
    };
    if header.kind == 10 {
        if header.misc & HAS_BUILD_ID != 0 {
            let field = rest.take(24, WHAT)?;
            let length = usize::from(field[0]).min(20);
            mmap.build_id = Some(&field[4..4 + length]);
        } else {
            mmap.device = Some((rest.u32(WHAT)?, rest.u32(WHAT)?));
            mmap.inode = Some((rest.u64(WHAT)?, rest.u64(WHAT)?));
        }
        mmap.rights = Some((rest.u32(WHAT)?, rest.u32(WHAT)?));
    }
    mmap.path = rest.text();
    Ok(mmap)
}

fn task(rest: &mut Rest<'_>) -> Result<Task, ParseError> {
    const WHAT: &str = "task";
    // In the record, both parents come after their children.
    let (pid, parent_pid) = (rest.u32(WHAT)?, rest.u32(WHAT)?);
    let (tid, parent_tid) = (rest.u32(WHAT)?, rest.u32(WHAT)?);
    Ok(Task { pid, parent_pid, tid, parent_tid, time: rest.u64(WHAT)? })
}

fn throttle(rest: &mut Rest<'_>) -> Result<Throttle, ParseError> {
    const WHAT: &str = "contents";
    Ok(Throttle { time: rest.u64(WHAT)?, event: rest.u64(WHAT)?, stream_id: rest.u64(WHAT)? })
}
