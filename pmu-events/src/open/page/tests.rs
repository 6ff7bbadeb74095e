//! Pages that a kernel wrote, and such as none should.

use core::cell::{Cell, RefCell};
use std::vec::Vec;

use super::layout;
use super::protocol::{ATTEMPTS, Page, Slot, Times, read};

/// The first words of a page; what an instruction reads of the counters, by number, and of the
/// clock.
#[derive(Clone, Copy, Debug)]
struct Recorded<'c> {
    words: [u64; 12],
    counters: &'c [(u32, u64)],
    clock: u64,
}

impl Page for Recorded<'_> {
    fn load_u32(&self, offset: usize) -> u32 {
        (self.words[offset / 8] >> (offset % 8 * 8)) as u32
    }

    fn load_u64(&self, offset: usize) -> u64 {
        assert_eq!(offset % 8, 0);
        self.words[offset / 8]
    }

    fn fence(&self) {}

    fn counter(&self, number: u32) -> Option<u64> {
        let found = self.counters.iter().find(|(own, _)| *own == number);
        found.map(|&(_, value)| value)
    }

    fn clock(&self) -> u64 {
        self.clock
    }
}

/// A field replaced.
fn with(page: Recorded<'_>, offset: usize, bits: u32, value: u64) -> Recorded<'_> {
    let mut words = page.words;
    let (shift, mask) = (offset % 8 * 8, u64::MAX >> (64 - bits));
    words[offset / 8] = words[offset / 8] & !(mask << shift) | value << shift;
    Recorded { words, ..page }
}

fn read_one(page: &impl Page) -> Option<(u64, Times)> {
    let mut slot = [Slot::default()];
    let times = read(core::slice::from_ref(page), &mut slot)?;
    Some((slot[0].value, times))
}

/// `inst_retired` on counter 2 of QEMU's Neoverse N1, with Linux 6.1 and
/// `kernel.perf_user_access=1`. Counters have 32 bits and start at half of their range.
const INSTRUCTIONS: Recorded<'static> = Recorded {
    words: [
        0,
        0x3_0000_000c,
        0x7fff_ffff,
        217_232,
        217_232,
        0x3e,
        0x0200_0000_0015_0020,
        0xffff_ffff_95fc_a250,
        0xffff_ffff_f48c_d140,
        96,
        0xb7_7a9b,
        0x01ff_ffff_ffff_ffff,
    ],
    counters: &[(2, 0x8000_f6b4)],
    clock: 0x6a0_8e18,
};

/// `cpu_cycles` of the same group, on the cycle counter, which has 64 bits of which the page
/// says to use 32.
const CYCLES: Recorded<'static> = Recorded {
    words: [
        0,
        0x20_0000_0018,
        0x7fff_ffff,
        844_224,
        844_224,
        0x3e,
        0x0200_0000_0015_0020,
        0xffff_ffff_95e2_2750,
        0xffff_ffff_f48c_d140,
        96,
        0xb7_7a9b,
        0x01ff_ffff_ffff_ffff,
    ],
    counters: &[(31, 0xffff_ffff_8003_dc01)],
    clock: 0x6a2_23bf,
};

const COUNTED: (u64, Times) = (63_155, Times { enabled: 578_656, running: 578_656 });

/// Of the same cycles, the kernel read 84 152 earlier and 268 744 later.
#[test]
fn recorded() {
    assert_eq!(read_one(&INSTRUCTIONS), Some(COUNTED));
    let times = Times { enabled: 1_131_776, running: 1_131_776 };
    assert_eq!(read_one(&CYCLES), Some((252_928, times)));
    // The times of a group are its leader's.
    let mut slots = [Slot::default(); 2];
    let times = read(&[INSTRUCTIONS, CYCLES], &mut slots);
    assert_eq!((times, slots.map(|slot| slot.value)), (Some(COUNTED.1), [63_155, 252_928]));
}

/// Pages that the kernel wrote for events that only it can read.
#[test]
fn recorded_without_a_counter() {
    let words = |sequence, offset, capabilities| {
        let page = with(INSTRUCTIONS, layout::SEQUENCE, 64, sequence);
        let page = with(page, layout::OFFSET, 64, offset);
        with(page, layout::CAPABILITIES, 64, capabilities)
    };
    let cases = [
        ("disabled", words(0x1a, 0x2_0ce4, 0x3e)),
        ("after kernel.perf_user_access=0", words(0x2a, 0x2_4730, 0x3e)),
        ("counting with kernel.perf_user_access=0", words(6, 0, 0x3e)),
        ("not asked for", words(6, 0, 0x3a)),
        ("page faults on Arm", words(4, 0, 0x3a)),
        ("page faults on a virtual x86", words(2, 0, 2)),
    ];
    for (name, page) in cases {
        assert_eq!(read_one(&page), None, "{name}");
    }
}

/// The bits above the width are the sign, whatever the counter has there.
#[test]
fn widths() {
    let cases: &[(u64, u64, u64, Option<u64>)] = &[
        (48, 7, 10, Some(17)),
        (48, 0xffff_ffff_fffb, 10, Some(5)),
        (48, 0x1234_ffff_ffff_fffb, 10, Some(5)),
        (48, 0x8000_0000_0000, 0x8000_0000_0000, Some(0)),
        (32, 0xffff_ffff_8000_0000, 0x7fff_ffff, Some(u64::MAX)),
        (40, 0x7f_ffff_ffff, 1, Some(0x80_0000_0000)),
        (64, u64::MAX, 3, Some(2)),
        (1, 1, 3, Some(2)),
        (0, 7, 10, None),
        (65, 7, 10, None),
        (0xffff, 7, 10, None),
    ];
    for &(width, counter, offset, expected) in cases {
        let counters = &[(2, counter)];
        let page = with(Recorded { counters, ..INSTRUCTIONS }, layout::CONVERSION, 16, width);
        let page = with(page, layout::OFFSET, 64, offset);
        let value = read_one(&page).map(|(value, _)| value);
        assert_eq!(value, expected, "{width} {counter:#x} {offset:#x}");
    }
}

/// Ticks to nanoseconds.
#[test]
fn times() {
    // Clock, since when, width (0 for 64 bits), shift, factor; nanoseconds.
    type Case = (u64, u64, u64, u32, u64, Option<u64>);
    let cases: &[Case] = &[
        // Half a nanosecond each.
        (2_000, 0, 0, 31, 1 << 30, Some(1_000)),
        // Far from the start of a fast clock.
        (1 << 63, 0, 0, 32, 1 << 31, Some(1 << 62)),
        ((1 << 63) + 9, (1_u64 << 62).wrapping_neg(), 0, 32, 1 << 31, Some(4)),
        // A clock of 32 bits that has wrapped around since cycle 0xffff_fff0.
        (16, 0xffff_fff0_u64.wrapping_neg(), 32, 0, 1, Some(32)),
        (3, 0, 0, 63, 1 << 31, Some(0)),
        // A shift that is none.
        (3, 0, 0, 64, 1, None),
        (3, 0, 0, 128, 1, None),
        (3, 0, 0, 0xffff, 1, None),
        // A clock that is behind.
        (3, 5_u64.wrapping_neg(), 0, 0, 1, None),
    ];
    for &(clock, offset, width, shift, factor, expected) in cases {
        let page = Recorded { clock, ..INSTRUCTIONS };
        let capabilities = if width == 0 { 0x1e } else { 0x3e };
        let fields = [
            (layout::CAPABILITIES, 64, capabilities),
            (layout::CONVERSION + 2, 16, u64::from(shift)),
            (layout::CONVERSION + 4, 32, factor),
            (layout::TIME_OFFSET, 64, offset),
            (layout::TIME_CYCLES, 64, 0xffff_fff0),
            (layout::TIME_MASK, 64, (1 << width) - 1),
            (layout::TIME_ENABLED, 64, 70),
            (layout::TIME_RUNNING, 64, 50),
        ];
        let page = fields.into_iter().fold(page, |page, (at, bits, to)| with(page, at, bits, to));
        let expected = expected.map(|time| Times { enabled: 70 + time, running: 50 + time });
        assert_eq!(read_one(&page).map(|(_, times)| times), expected, "{clock:#x} {shift}");
    }
}

/// What a page must say, and a counter that no instruction reads.
#[test]
fn capabilities() {
    for (capabilities, expected) in
        [(0x3e, Some(COUNTED)), (0x3c, None), (0x3a, None), (0x36, None), (0x2e, Some(COUNTED))]
    {
        let page = with(INSTRUCTIONS, layout::CAPABILITIES, 64, capabilities);
        assert_eq!(read_one(&page), expected, "{capabilities:#x}");
    }
    for index in [0, 2, 4, 0x2000_0001, u64::from(u32::MAX)] {
        assert_eq!(read_one(&with(INSTRUCTIONS, layout::INDEX, 32, index)), None, "{index:#x}");
    }
}

#[test]
fn no_pages_and_no_room() {
    let pages: [Recorded<'_>; 0] = [];
    assert_eq!(read(&pages, &mut []), None);
    assert_eq!(read(&[INSTRUCTIONS, CYCLES], &mut [Slot::default()]), None);
}

/// A page that goes through states, of which each lasts for some loads.
struct Changing<'c> {
    states: &'c dyn Fn(usize) -> Recorded<'static>,
    loads: &'c Cell<usize>,
    log: &'c RefCell<Vec<usize>>,
}

impl Changing<'_> {
    fn now(&self) -> Recorded<'static> {
        (self.states)(self.loads.get())
    }

    fn step(&self, offset: usize) -> Recorded<'static> {
        let now = self.now();
        self.loads.set(self.loads.get() + 1);
        self.log.borrow_mut().push(offset);
        now
    }
}

impl Page for Changing<'_> {
    fn load_u32(&self, offset: usize) -> u32 {
        self.step(offset).load_u32(offset)
    }

    fn load_u64(&self, offset: usize) -> u64 {
        self.step(offset).load_u64(offset)
    }

    fn fence(&self) {}

    fn counter(&self, number: u32) -> Option<u64> {
        self.step(usize::MAX).counter(number)
    }

    fn clock(&self) -> u64 {
        self.step(usize::MAX).clock()
    }
}

/// Reads while the states of one page, or of the second of two, change with the loads.
fn read_changing(
    pages: usize,
    states: &dyn Fn(usize) -> Recorded<'static>,
) -> (Option<(Vec<u64>, Times)>, usize) {
    let (loads, log) = (Cell::new(0), RefCell::default());
    let first = |_| INSTRUCTIONS;
    let mut all = std::vec![Changing { states, loads: &loads, log: &log }];
    if pages == 2 {
        all.insert(0, Changing { states: &first, loads: &loads, log: &log });
    }
    let mut slots = [Slot::default(); 2];
    let times = read(&all, &mut slots);
    let values = slots[..pages].iter().map(|slot| slot.value).collect();
    let tries = log.borrow().iter().filter(|&&offset| offset == layout::SEQUENCE).count();
    (times.map(|times| (values, times)), tries)
}

/// The kernel moves the event to another counter, revokes reads, or takes the counter away,
/// between any two steps of a read: the counts are those before or after.
#[test]
fn changes_while_it_is_read() {
    let next = |page| with(page, layout::SEQUENCE, 32, 14);
    let moved = with(next(INSTRUCTIONS), layout::INDEX, 32, 6);
    let moved = with(moved, layout::OFFSET, 64, 63_100);
    let moved = Recorded { counters: &[(2, 999), (5, 60)], ..moved };
    let cases = [
        ("moved", moved, Some(63_160)),
        ("revoked", with(next(INSTRUCTIONS), layout::CAPABILITIES, 64, 0x3a), None),
        ("taken away", with(next(INSTRUCTIONS), layout::INDEX, 32, 0), None),
    ];
    for (name, after, expected) in cases {
        for pages in [1, 2] {
            let mut seen = Vec::new();
            for moment in 0..40 {
                let states = |loads| if loads < moment { INSTRUCTIONS } else { after };
                let (read, _) = read_changing(pages, &states);
                let value = read.map(|(values, _)| values[pages - 1]);
                assert!([Some(COUNTED.0), expected].contains(&value), "{name} {moment}: {value:?}");
                seen.push(value);
            }
            // Both have been seen.
            assert!(seen.contains(&Some(COUNTED.0)) && seen.contains(&expected), "{name}");
        }
    }
}

/// A page that never holds still, or whose number stays odd, as after two processors have
/// changed it at once.
#[test]
fn inconsistent_forever() {
    for pages in [1, 2] {
        let changing = |loads: usize| with(INSTRUCTIONS, layout::SEQUENCE, 32, 2 * loads as u64);
        let (read, tries) = read_changing(pages, &changing);
        assert_eq!(read, None);
        assert!(tries <= 2 * pages * ATTEMPTS, "{tries}");
        let odd = |_| with(INSTRUCTIONS, layout::SEQUENCE, 32, 13);
        let (read, tries) = read_changing(pages, &odd);
        assert_eq!((read, tries), (None, pages * ATTEMPTS));
    }
    // One that does at last.
    let busy = |loads| if loads < 9 { with(INSTRUCTIONS, 8, 32, 13) } else { INSTRUCTIONS };
    assert_eq!(read_changing(1, &busy).0, None);
    let busy = |loads| if loads < 5 { with(INSTRUCTIONS, 8, 32, 13) } else { INSTRUCTIONS };
    assert_eq!(read_changing(1, &busy).0.map(|(values, _)| values), Some([COUNTED.0].into()));
}
