//! Records that are no samples, as perf writes them (`perf_event__fprintf` in
//! `tools/perf/util/event.c`).

use std::borrow::Cow;
use std::io::{self, Write};

use pmu_events::sample::{Body, Mmap, Namespaces, Record, TextPoke};

use crate::script_args::RecordsArgs;

/// Whether a record is asked for.
pub(super) fn is_shown(record: &Record<'_>, args: &RecordsArgs) -> bool {
    match record.body() {
        Body::Comm(_) | Body::Fork(_) | Body::Exit(_) => args.show_task_events,
        Body::Mmap(_) => args.show_mmap_events,
        Body::Switch(..) => args.show_switch_events,
        Body::Namespaces(_) => args.show_namespace_events,
        Body::Cgroup(_) => args.show_cgroup_events,
        Body::Lost(_) => args.show_lost_events,
        Body::Ksymbol(_) => args.show_bpf_events || args.show_text_poke_events,
        Body::Bpf(_) => args.show_bpf_events,
        Body::TextPoke(_) => args.show_text_poke_events,
        _ => false,
    }
}

impl RecordsArgs {
    /// Whether any are asked for.
    pub(super) fn has_any(&self) -> bool {
        self.show_task_events
            || self.show_mmap_events
            || self.show_switch_events
            || self.show_namespace_events
            || self.show_cgroup_events
            || self.show_lost_events
            || self.show_bpf_events
            || self.show_text_poke_events
    }
}

/// The contents of a record, with the end of the line.
pub(super) fn write(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    match record.body() {
        Body::Comm(comm) => {
            let exec = if comm.is_exec() { " exec" } else { "" };
            let name = text(comm.name());
            writeln!(out, "PERF_RECORD_COMM{exec}: {name}:{}/{}", comm.pid(), comm.tid())
        }
        Body::Fork(task) | Body::Exit(task) => {
            let name = if matches!(record.body(), Body::Fork(_)) { "FORK" } else { "EXIT" };
            let [pid, tid, parent, parent_thread] =
                [task.pid(), task.tid(), task.parent_pid(), task.parent_tid()].map(signed);
            writeln!(out, "PERF_RECORD_{name}({pid}:{tid}):({parent}:{parent_thread})")
        }
        Body::Mmap(mmap) => mapping(out, mmap),
        Body::Switch(is_out, other) => switch(out, record.misc(), *is_out, *other),
        Body::Namespaces(all) => namespaces(out, all),
        Body::Cgroup(group) => {
            writeln!(out, "PERF_RECORD_CGROUP cgroup: {} {}", group.id(), text(group.path()))
        }
        Body::Lost(lost) => writeln!(out, "PERF_RECORD_LOST lost {}", lost.lost()),
        Body::Ksymbol(symbol) => writeln!(
            out,
            "PERF_RECORD_KSYMBOL addr {:x} len {} type {} flags {:#x} name {}",
            symbol.address(),
            symbol.length(),
            symbol.kind(),
            u8::from(symbol.is_removed()),
            text(symbol.name())
        ),
        Body::Bpf(bpf) => writeln!(
            out,
            "PERF_RECORD_BPF_EVENT type {}, flags {}, id {}",
            bpf.kind(),
            bpf.flags(),
            bpf.program()
        ),
        Body::TextPoke(change) => text_poke(out, change),
        _ => Ok(()),
    }
}

/// A name or a path, of any bytes.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// perf shows numbers of tasks with a sign: that of the kernel is -1.
fn signed(task: u32) -> i32 {
    task as i32
}

fn mapping(out: &mut impl Write, mmap: &Mmap<'_>) -> io::Result<()> {
    let kind = if mmap.rights().is_some() { "MMAP2" } else { "MMAP" };
    write!(
        out,
        "PERF_RECORD_{kind} {}/{}: [{:#x}({:#x}) @ {}",
        signed(mmap.pid()),
        signed(mmap.tid()),
        mmap.address(),
        mmap.length(),
        // As `%#lx`.
        if mmap.offset() == 0 { "0".into() } else { format!("{:#x}", mmap.offset()) }
    )?;
    let name = text(mmap.path());
    let Some((rights, flags)) = mmap.rights() else {
        let letter = if mmap.is_data() { 'r' } else { 'x' };
        return writeln!(out, "]: {letter} {name}");
    };
    match (mmap.build_id(), mmap.device(), mmap.inode()) {
        (Some(id), ..) => {
            out.write_all(b" <")?;
            id.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
            out.write_all(b">")?;
        }
        (None, device, inode) => {
            let ((major, minor), (number, generation)) =
                (device.unwrap_or_default(), inode.unwrap_or_default());
            write!(out, " {major:02x}:{minor:02x} {number} {generation}")?;
        }
    }
    // `PROT_READ`, `PROT_WRITE`, `PROT_EXEC`
    let letters = [(1, 'r'), (2, 'w'), (4, 'x')];
    let letters: String =
        letters.iter().map(|&(bit, letter)| if rights & bit == 0 { '-' } else { letter }).collect();
    // `MAP_SHARED`
    let shared = if flags & 1 == 0 { 'p' } else { 's' };
    writeln!(out, "]: {letters}{shared} {name}")
}

fn switch(
    out: &mut impl Write,
    misc: u16,
    is_out: bool,
    other: Option<(u32, u32)>,
) -> io::Result<()> {
    /// `PERF_RECORD_MISC_SWITCH_OUT_PREEMPT`
    const PREEMPTED: u16 = 1 << 14;
    let way = match (is_out, misc & PREEMPTED) {
        (false, _) => "IN         ",
        (true, 0) => "OUT        ",
        (true, _) => "OUT preempt",
    };
    let Some((pid, tid)) = other else { return writeln!(out, "PERF_RECORD_SWITCH {way}") };
    let (which, pid, tid) = (if is_out { "next" } else { "prev" }, signed(pid), signed(tid));
    writeln!(out, "PERF_RECORD_SWITCH_CPU_WIDE {way}  {which} pid/tid: {pid:>5}/{tid:<5}")
}

fn namespaces(out: &mut impl Write, all: &Namespaces<'_>) -> io::Result<()> {
    /// In the order of `enum perf_ns_info_index`.
    const NAMES: [&str; 7] = ["net", "uts", "ipc", "pid", "user", "mnt", "cgroup"];
    let words: Vec<u64> = all.numbers().iter().collect();
    let number = words.len() / 2;
    let (pid, tid) = (signed(all.pid()), signed(all.tid()));
    write!(out, "PERF_RECORD_NAMESPACES {pid}/{tid} - nr_namespaces: {number}\n\t\t[")?;
    for (n, pair) in words.chunks_exact(2).enumerate() {
        if n > 0 && n % 4 == 0 {
            write!(out, "\n\t\t ")?;
        }
        let name = NAMES.get(n).unwrap_or(&"unknown");
        let inode = if pair[1] == 0 { "0".into() } else { format!("{:#x}", pair[1]) };
        let end = if n + 1 == number { "]\n" } else { ", " };
        write!(out, "{n}/{name}: {}/{inode}{end}", pair[0])?;
    }
    Ok(())
}

fn text_poke(out: &mut impl Write, change: &TextPoke<'_>) -> io::Result<()> {
    let (old, new) = (change.old(), change.new_bytes());
    let address = change.address();
    let lengths = format!("old len {} new len {}", old.len(), new.len());
    writeln!(out, "PERF_RECORD_TEXT_POKE {address:x}  {lengths}")?;
    for (name, bytes) in [("Old", old), ("New", new)] {
        for line in bytes.chunks(16) {
            write!(out, "            {name} bytes:")?;
            line.iter().try_for_each(|byte| write!(out, " {byte:02x}"))?;
            writeln!(out)?;
        }
    }
    Ok(())
}
