//! Records of each kind, in both orders of bytes, laid out as `include/uapi/linux/perf_event.h`
//! says.

use std::string::ToString;
use std::vec::Vec;

use super::bytes::ByteOrder::{self, Big, Little};
use super::*;

/// What a record is made of.
enum Part {
    U16(u16),
    U32(u32),
    U64(u64),
    Bytes(&'static [u8]),
}
use Part::{Bytes, U16, U32, U64};

fn record(order: ByteOrder, kind: u32, misc: u16, parts: &[Part]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        match (part, order) {
            (U16(number), Little) => body.extend(number.to_le_bytes()),
            (U16(number), Big) => body.extend(number.to_be_bytes()),
            (U32(number), Little) => body.extend(number.to_le_bytes()),
            (U32(number), Big) => body.extend(number.to_be_bytes()),
            (U64(number), Little) => body.extend(number.to_le_bytes()),
            (U64(number), Big) => body.extend(number.to_be_bytes()),
            (Bytes(bytes), _) => body.extend(*bytes),
        }
    }
    let size = u16::try_from(body.len() + Header::LENGTH).unwrap();
    let mut bytes = match order {
        Little => [&kind.to_le_bytes()[..], &misc.to_le_bytes(), &size.to_le_bytes()].concat(),
        Big => [&kind.to_be_bytes()[..], &misc.to_be_bytes(), &size.to_be_bytes()].concat(),
    };
    bytes.extend(body);
    bytes
}

/// The attributes of an event with these words, as its kernel has them.
fn layout(order: ByteOrder, fields: Fields, words: &[(usize, u64)]) -> Layout {
    let mut attr = std::vec![0; 144];
    // `sample_id_all`
    let flags = match order {
        Little => 1 << 18,
        Big => 1 << (63 - 18),
    };
    for &(offset, word) in [(24, fields.bits()), (40, flags)].iter().chain(words) {
        let bytes = match order {
            Little => word.to_le_bytes(),
            Big => word.to_be_bytes(),
        };
        attr[offset..offset + 8].copy_from_slice(&bytes);
    }
    Layout::of_bytes(&attr, order)
}

/// Whatever is cut off or changed, there is an answer; a record that is shorter than its header
/// says is an error.
fn survives(layout: &Layout, bytes: &[u8]) {
    for length in 0..bytes.len() {
        assert!(layout.parse(&bytes[..length]).is_err(), "{length} of {bytes:x?}");
    }
    for at in 0..bytes.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut odd = bytes.to_vec();
            odd[at] = byte;
            let _ = layout.parse(&odd).map(|record| std::format!("{record:?}"));
            let _ = layout.identifier(&odd);
        }
    }
}

const STAMP: Fields = Fields::from_bits(0x100c6 & !Fields::ID.bits());

fn stamp() -> [Part; 5] {
    [U32(7), U32(8), U64(99), U32(3), U32(0)]
}

#[test]
fn a_sample_has_every_field() {
    for order in [Little, Big] {
        let fields = Fields::from_bits((1 << 25) - 1).without(Fields::WEIGHT);
        let formats = ReadFormats::ALL;
        let layout = layout(
            order,
            fields,
            &[(32, formats), (72, 1 << 17 | 1 << 19), (80, 0b101), (96, 1 << 63)],
        );
        let flags = match order {
            Little => 1 | 7 << 4 | 2 << 20,
            Big => 1 << 63 | 7 << (64 - 20) | 2 << (64 - 24),
        };
        let parts = [
            U64(42),
            U64(0xffff_ffff_8100_0000),
            U32(7),
            U32(8),
            U64(99),
            U64(0x1000),
            U64(42),
            U64(43),
            U32(3),
            U32(0),
            U64(1_000),
            // The counts of a group of two.
            U64(2),
            U64(500),
            U64(400),
            U64(11),
            U64(42),
            U64(1),
            U64(12),
            U64(44),
            U64(0),
            // The call chain.
            U64(3),
            U64(super::super::CONTEXT_USER),
            U64(0x401000),
            U64(0x402000),
            // Raw data.
            U32(4),
            Bytes(b"raw!"),
            // One branch.
            U64(1),
            U64(5),
            U64(0x10),
            U64(0x20),
            U64(flags),
            U64(77),
            // Registers, and a stack of which half was copied.
            U64(2),
            U64(0xa),
            U64(0xb),
            U64(16),
            Bytes(b"0123456789abcdef"),
            U64(8),
            // Weights, the source of data, the transaction.
            U64(3 << 48 | 2 << 32 | 1),
            U64(1 << 1),
            U64(9),
            // No registers.
            U64(0),
            U64(0x7000),
            U64(0xc9),
            U64(4096),
            U64(2 << 20),
            U64(8),
            Bytes(b"AUX data"),
        ];
        let bytes = record(order, 9, 2 | 1 << 14, &parts);
        let parsed = layout.parse(&bytes).unwrap();
        assert_eq!(layout.identifier(&bytes), Some(42));
        assert_eq!((parsed.mode(), parsed.is_exact()), (Mode::User, true));
        assert_eq!(parsed.bytes(), bytes);
        let sample = parsed.sample().unwrap();
        assert_eq!(sample.ip(), Some(0xffff_ffff_8100_0000));
        assert_eq!((sample.pid(), sample.tid(), sample.time()), (Some(7), Some(8), Some(99)));
        assert_eq!((sample.addr(), sample.id(), sample.cpu()), (Some(0x1000), Some(42), Some(3)));
        assert_eq!((sample.stamp().stream_id(), sample.period()), (Some(43), Some(1_000)));
        let values = sample.values().unwrap();
        assert_eq!((values.time_enabled(), values.time_running()), (Some(500), Some(400)));
        let counts: Vec<_> =
            values.iter().map(|value| (value.value(), value.id(), value.lost())).collect();
        assert_eq!(counts, [(11, Some(42), Some(1)), (12, Some(44), Some(0))]);
        let chain: Vec<u64> = sample.callchain().unwrap().iter().collect();
        assert_eq!(chain, [super::super::CONTEXT_USER, 0x401000, 0x402000]);
        assert_eq!(sample.raw(), Some(&b"raw!"[..]));
        let branches = sample.branches().unwrap();
        assert_eq!((branches.len(), branches.hardware_index()), (1, Some(5)));
        assert_eq!(branches.counters().unwrap().iter().collect::<Vec<_>>(), [77]);
        let branch = branches.iter().next().unwrap();
        assert_eq!((branch.from(), branch.to(), branch.cycles()), (0x10, 0x20, 7));
        assert!(branch.is_mispredicted() && !branch.is_predicted());
        assert_eq!((branch.kind(), branch.privilege()), (2, 0));
        let registers = sample.user_registers().unwrap();
        assert_eq!(registers.iter().collect::<Vec<_>>(), [(0, 0xa), (2, 0xb)]);
        assert_eq!((registers.get(2), registers.get(1)), (Some(0xb), None));
        assert_eq!(sample.user_stack().unwrap(), b"01234567");
        assert_eq!((sample.weight(), sample.further_weights()), (Some(1), Some((2, 3))));
        assert_eq!(sample.data_source().unwrap().operation(), Some(Operation::Load));
        assert_eq!(sample.transaction(), Some(9));
        let interrupted = sample.interrupted_registers().unwrap();
        assert_eq!((interrupted.abi(), interrupted.iter().count()), (0, 0));
        assert_eq!((sample.physical_address(), sample.cgroup()), (Some(0x7000), Some(0xc9)));
        assert_eq!((sample.data_page_size(), sample.code_page_size()), (Some(4096), Some(2 << 20)));
        assert_eq!(sample.aux(), Some(&b"AUX data"[..]));
        survives(&layout, &bytes);
    }
}

/// `PERF_FORMAT_*`
struct ReadFormats;
impl ReadFormats {
    const ALL: u64 = 0x1f;
}

#[test]
fn counts_of_one_event() {
    let cases: [(u64, &[u64], Option<u64>, Option<u64>); 4] = [
        (0, &[5], None, None),
        (3, &[5, 2, 1], None, None),
        (4, &[5, 9], Some(9), None),
        (0x17, &[5, 2, 1, 9, 4], Some(9), Some(4)),
    ];
    for (format, words, id, lost) in cases {
        let layout = layout(Little, Fields::READ, &[(32, format)]);
        let parts: Vec<Part> = words.iter().map(|&word| U64(word)).collect();
        let bytes = record(Little, 9, 0, &parts);
        let parsed = layout.parse(&bytes).unwrap();
        let values = parsed.sample().unwrap().values().unwrap();
        let all: Vec<_> = values.iter().collect();
        let [value] = all[..] else { panic!("{all:?}") };
        assert_eq!((value.value(), value.id(), value.lost()), (5, id, lost), "{format:#x}");
        assert_eq!(values.time_enabled().is_some(), format & 1 != 0);
    }
}

#[test]
fn records_beside_samples() {
    type Check = fn(&Body<'_>) -> bool;
    let cases: Vec<(u32, u16, Vec<Part>, Check)> = std::vec![
        (
            1,
            1,
            std::vec![U32(1), U32(2), U64(0x1000), U64(0x2000), U64(3), Bytes(b"/bin/x\0\0")],
            |body| {
                let Body::Mmap(mmap) = body else { return false };
                (mmap.pid(), mmap.tid(), mmap.address()) == (1, 2, 0x1000)
                    && (mmap.length(), mmap.offset(), mmap.inode()) == (0x2000, 3, None)
                    && mmap.path() == b"/bin/x"
            },
        ),
        (
            10,
            2 | 1 << 13,
            std::vec![
                U32(1),
                U32(2),
                U64(0x1000),
                U64(0x2000),
                U64(3),
                U32(8),
                U32(1),
                U64(5),
                U64(6),
                U32(5),
                U32(2),
                Bytes(b"//anon\0\0"),
            ],
            |body| {
                let Body::Mmap(mmap) = body else { return false };
                mmap.is_data()
                    && (mmap.device(), mmap.inode()) == (Some((8, 1)), Some((5, 6)))
                    && (mmap.rights(), mmap.path()) == (Some((5, 2)), b"//anon")
            },
        ),
        (
            10,
            2 | 1 << 14,
            std::vec![
                U32(1),
                U32(2),
                U64(0),
                U64(0),
                U64(0),
                // Longer than the field.
                Bytes(&[200, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]),
                Bytes(&[18, 19, 20]),
                U32(5),
                U32(2),
                Bytes(b"\0"),
            ],
            |body| {
                let Body::Mmap(mmap) = body else { return false };
                mmap.build_id().is_some_and(|id| id.len() == 20 && id[19] == 20)
            },
        ),
        (
            2,
            0,
            std::vec![U64(42), U64(9)],
            |body| matches!(body, Body::Lost(lost) if (lost.event(), lost.lost()) == (Some(42), 9)),
        ),
        (3, 1 << 13, std::vec![U32(1), U32(2), Bytes(b"name\0\0\0\0")], |body| {
            matches!(body, Body::Comm(comm) if comm.is_exec() && comm.name() == b"name")
        }),
        // Without its zero.
        (3, 0, std::vec![U32(1), U32(2), Bytes(b"name")], |body| {
            matches!(body, Body::Comm(comm) if !comm.is_exec() && comm.name() == b"name")
        }),
        (4, 0, std::vec![U32(1), U32(2), U32(3), U32(4), U64(5)], |body| {
            let Body::Exit(task) = body else { return false };
            (task.pid(), task.parent_pid(), task.tid(), task.parent_tid()) == (1, 2, 3, 4)
        }),
        (
            7,
            0,
            std::vec![U32(1), U32(2), U32(3), U32(4), U64(5)],
            |body| matches!(body, Body::Fork(task) if task.time() == 5),
        ),
        (5, 0, std::vec![U64(1), U64(2), U64(3)], |body| {
            let Body::Throttle(throttle) = body else { return false };
            (throttle.time(), throttle.event(), throttle.stream_id()) == (1, 2, 3)
        }),
        (6, 0, std::vec![U64(1), U64(2), U64(3)], |body| matches!(body, Body::Unthrottle(_))),
        (8, 0, std::vec![U32(1), U32(2), U64(77)], |body| {
            matches!(body, Body::Read(1, 2, values) if values.iter().all(|one| one.value() == 77))
        }),
        (11, 0, std::vec![U64(1), U64(2), U64(3)], |body| {
            matches!(body, Body::Aux(aux) if (aux.offset(), aux.size(), aux.flags()) == (1, 2, 3))
        }),
        (12, 0, std::vec![U32(1), U32(2)], |body| matches!(body, Body::TraceStart(1, 2))),
        (
            13,
            0,
            std::vec![U64(6)],
            |body| matches!(body, Body::LostSamples(lost) if (lost.event(), lost.lost()) == (None, 6)),
        ),
        (14, 1 << 13, std::vec![], |body| matches!(body, Body::Switch(true, None))),
        (15, 0, std::vec![U32(1), U32(2)], |body| matches!(
            body,
            Body::Switch(false, Some((1, 2)))
        ),),
        (16, 0, std::vec![U32(1), U32(2), U64(1), U64(3), U64(4)], |body| {
            let Body::Namespaces(all) = body else { return false };
            (all.pid(), all.tid()) == (1, 2) && all.numbers().iter().eq([3, 4])
        }),
        (17, 0, std::vec![U64(1), U32(2), U16(1), U16(1), Bytes(b"bpf_prog\0")], |body| {
            let Body::Ksymbol(symbol) = body else { return false };
            (symbol.address(), symbol.length(), symbol.kind()) == (1, 2, 1)
                && symbol.is_removed()
                && symbol.name() == b"bpf_prog"
        },),
        (18, 0, std::vec![U16(1), U16(0), U32(5), Bytes(b"tagtagta")], |body| {
            let Body::Bpf(bpf) = body else { return false };
            (bpf.kind(), bpf.flags(), bpf.program(), bpf.tag()) == (1, 0, 5, b"tagtagta")
        }),
        (19, 0, std::vec![U64(5), Bytes(b"/a/b\0")], |body| {
            matches!(body, Body::Cgroup(group) if (group.id(), group.path()) == (5, b"/a/b"))
        }),
        (20, 0, std::vec![U64(1), U16(1), U16(2), Bytes(b"abc"), Bytes(b"\0")], |body| {
            let Body::TextPoke(poke) = body else { return false };
            (poke.address(), poke.old(), poke.new_bytes()) == (1, b"a", b"bc")
        }),
        (21, 0, std::vec![U64(5)], |body| matches!(body, Body::AuxOutputId(5))),
        (22, 0, std::vec![U64(5), U64(1), U64(9)], |body| {
            matches!(body, Body::DeferredCallchain(5, chain) if chain.iter().eq([9]))
        }),
        (23, 0, std::vec![U64(5)], |body| matches!(body, Body::Other(bytes) if bytes.len() == 8)),
    ];
    for order in [Little, Big] {
        let layout = layout(order, STAMP | Fields::IDENTIFIER, &[]);
        for (kind, misc, parts, check) in &cases {
            let end = stamp();
            let id = [U64(42)];
            let parts: Vec<&Part> = parts.iter().chain(&end).chain(&id).collect();
            let parts: Vec<Part> = parts.into_iter().map(Part::copy).collect();
            let bytes = record(order, *kind, *misc, &parts);
            let parsed = layout.parse(&bytes).unwrap_or_else(|error| panic!("{kind}: {error}"));
            assert!(check(parsed.body()), "{kind}: {parsed:?}");
            let stamp = parsed.stamp();
            assert_eq!((stamp.pid(), stamp.tid(), stamp.time()), (Some(7), Some(8), Some(99)));
            assert_eq!((stamp.cpu(), stamp.id()), (Some(3), Some(42)), "{kind}");
            assert_eq!(layout.identifier(&bytes), Some(42));
            assert_eq!((parsed.kind(), parsed.misc()), (*kind, *misc));
            survives(&layout, &bytes);
        }
        // Those of perf's tools have no stamp.
        let bytes = record(order, 68, 0, &[]);
        let parsed = layout.parse(&bytes).unwrap();
        assert_eq!((parsed.kind(), layout.identifier(&bytes)), (68, None));
        assert_eq!(parsed.stamp(), Stamp::default());
    }
}

impl Part {
    fn copy(&self) -> Part {
        match *self {
            U16(number) => U16(number),
            U32(number) => U32(number),
            U64(number) => U64(number),
            Bytes(bytes) => Bytes(bytes),
        }
    }
}

/// Lengths that exceed any memory.
#[test]
fn endless_lengths() {
    let cases: [(Fields, &[u64]); 7] = [
        (Fields::CALLCHAIN, &[u64::MAX]),
        (Fields::CALLCHAIN, &[1 << 61]),
        (Fields::BRANCHES, &[u64::MAX / 24]),
        (Fields::USER_STACK, &[u64::MAX]),
        (Fields::AUX, &[1 << 63]),
        (Fields::RAW, &[u32::MAX as u64]),
        (Fields::USER_REGISTERS, &[2]),
    ];
    for (fields, words) in cases {
        let layout = layout(Little, fields, &[(80, u64::MAX)]);
        let parts: Vec<Part> = words.iter().map(|&word| U64(word)).collect();
        let error = layout.parse(&record(Little, 9, 0, &parts)).unwrap_err();
        assert!(error.to_string().starts_with("a record ends in its "), "{fields:?}: {error}");
    }
}

/// Where drivers set only the older bits, and where they set none.
#[test]
fn sources_of_data() {
    let level = |bits: u64| DataSource::from_bits(bits << 5).level();
    let cases = [
        (1 << 1 | 1 << 3, Some(Level::L1)),
        (1 << 4, Some(Level::FillBuffer)),
        (1 << 2 | 1 << 5, Some(Level::L2)),
        (1 << 6, Some(Level::L3)),
        (1 << 7, Some(Level::Memory)),
        (1 << 8, Some(Level::Memory)),
        (1 << 10, Some(Level::AnyCache)),
        (1 << 12, Some(Level::Device)),
        (1 << 13, Some(Level::Uncached)),
        (1, None),
        (0, None),
    ];
    for (bits, expected) in cases {
        assert_eq!(level(bits), expected, "{bits:#x}");
        let source = DataSource::from_bits(bits << 5);
        assert_eq!(source.is_remote(), bits & 0xf00 != 0, "{bits:#x}");
    }
    // `PERF_MEM_NA`
    let none =
        DataSource::from_bits(1 | 1 << 5 | 1 << 19 | 1 << 24 | 1 << 26 | 0xf << 33 | 1 << 40);
    assert_eq!((none.operation(), none.level(), none.snoop()), (None, None, None));
    assert_eq!((none.is_locked(), none.tlb(), none.is_tlb_hit()), (None, None, None));
    assert_eq!((none.is_blocked_by_data(), none.is_hit(), none.hops()), (None, None, None));
    let numbers = (0..16).map(|number| DataSource::from_bits(number << 33).level());
    assert_eq!(numbers.flatten().count(), 14);
    let regions = (0..32).map(|number| DataSource::from_bits(number << 46).region());
    assert_eq!(regions.flatten().count(), 14);
    let locked = DataSource::from_bits(2 << 24 | (1 << 2 | 1 << 5) << 26 | (2 | 4) << 40);
    assert_eq!((locked.is_locked(), locked.tlb()), (Some(true), Some(Tlb::Walker)));
    assert_eq!(locked.is_tlb_hit(), Some(false));
    assert_eq!(
        (locked.is_blocked_by_data(), locked.is_blocked_by_address()),
        (Some(true), Some(true))
    );
}
