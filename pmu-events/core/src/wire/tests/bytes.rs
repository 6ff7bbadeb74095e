use crate::wire::{
    BRIEF, BROKEN, LongRef, PUBLIC, STEPPINGS, StrRef, WIDE, index, member_numbers, number_size,
    read_u8, read_u16, read_u24, read_u32, read_u64,
};

/// Little-endian numbers; zero if some of their bytes are missing.
#[test]
fn numbers() {
    let bytes = [0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x11];
    let cases: &[(usize, [u64; 5])] = &[
        (0, [0x12, 0x3412, 0x56_3412, 0x7856_3412, 0xf0de_bc9a_7856_3412]),
        (1, [0x34, 0x5634, 0x78_5634, 0x9a78_5634, 0x11f0_debc_9a78_5634]),
        (2, [0x56, 0x7856, 0x9a_7856, 0xbc9a_7856, 0]),
        (5, [0xbc, 0xdebc, 0xf0_debc, 0x11f0_debc, 0]),
        (6, [0xde, 0xf0de, 0x11_f0de, 0, 0]),
        (7, [0xf0, 0x11f0, 0, 0, 0]),
        (8, [0x11, 0, 0, 0, 0]),
        (9, [0; 5]),
        (10, [0; 5]),
        (usize::MAX, [0; 5]),
    ];
    for &(at, expected) in cases {
        let read = [
            read_u8(&bytes, at).into(),
            read_u16(&bytes, at).into(),
            read_u24(&bytes, at).into(),
            read_u32(&bytes, at).into(),
            read_u64(&bytes, at),
        ];
        assert_eq!(read, expected, "at {at}");
    }
}

/// Four bytes: 24 bits of offset, 8 of length.
#[test]
fn string_references() {
    let cases = [
        (0, 0, 0x0000_0000),
        (1, 0, 0x0000_0001),
        (0, 1, 0x0100_0000),
        (0x12_3456, 0x78, 0x7812_3456),
        (0xff_fffe, 0xff, 0xffff_fffe),
        (0xff_ffff, 0xfe, 0xfeff_ffff),
    ];
    for (offset, len, word) in cases {
        let reference = StrRef { offset, len };
        assert_eq!((reference.pack(), StrRef::unpack(word)), (word, reference));
        assert!(!reference.is_none(), "{word:#x}");
    }
    assert_eq!((StrRef::NONE.pack(), StrRef::unpack(u32::MAX)), (u32::MAX, StrRef::NONE));
    assert!(StrRef::NONE.is_none());
    assert_eq!((StrRef::MAX_OFFSET, StrRef::MAX_LEN), (0xff_fffe, 0xff));
    assert_eq!(LongRef::default(), LongRef { offset: 0, len: 0 });
}

#[test]
fn sizes_of_numbers() {
    // Flags do not overlap.
    assert_eq!([WIDE, BRIEF, PUBLIC, STEPPINGS, BROKEN], [1, 2, 4, 8, 0x8000]);
    for (flags, size) in [(0, 2), (WIDE, 4), (BRIEF | PUBLIC, 2), (u16::MAX, 4)] {
        assert_eq!(number_size(flags), size, "{flags:#x}");
    }
    // A bit for each metric, and for one more, padded to whole numbers of 16 or
    // 32 bits.
    let cases = [(0, 1, 1), (15, 1, 1), (16, 2, 1), (31, 2, 1), (32, 3, 2), (600, 38, 19)];
    for (metrics, narrow, wide) in cases {
        let found = [0, WIDE].map(|flags| member_numbers(metrics, flags));
        assert_eq!(found, [narrow, wide], "{metrics}");
    }
}

/// The upper half of a hash selects buckets; its lower half selects slots and,
/// with a displacement, bits of both halves do.
#[test]
fn hashes() {
    for (hash, buckets, expected) in [
        (0, 7, 0),
        (0xffff_ffff, 7, 0),
        (0x8000_0000_0000_0000, 7, 3),
        (0xffff_ffff_ffff_ffff, 7, 6),
        (0x5555_5555_0000_0000, 3, 0),
        (0x5555_5556_0000_0000, 3, 1),
        (0xffff_ffff_ffff_ffff, 1, 0),
        (0xffff_ffff_ffff_ffff, 0, 0),
    ] {
        assert_eq!(index::bucket(hash, buckets), expected, "{hash:#x} in {buckets}");
    }
    // With integers of any size, as documented for the format.
    let by_hand = |hash: u64, displacement: u8, slots: u32| {
        let (low, step) =
            (u128::from(hash & 0xffff_ffff), u128::from((hash >> 17 & 0xffff_ffff) | 1));
        let mixed = (low + u128::from(displacement) * step) * 0x9e37_79b9 % (1 << 32);
        (mixed * u128::from(slots)) >> 32
    };
    let mut hash = 1u64;
    for round in 0..500u32 {
        hash = hash.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let displacement = round.to_le_bytes()[0];
        let slots = 1 + round * round;
        let slot = index::slot(hash, displacement, slots);
        assert_eq!(u128::from(slot), by_hand(hash, displacement, slots), "{hash:#x}");
        assert!(slot < slots);
    }
    // A third as many buckets as names, and a tenth more slots than names.
    let cases = [(0, 0, 1), (1, 1, 2), (3, 1, 4), (4, 2, 5), (10, 4, 12), (1000, 334, 1101)];
    for (names, buckets, slots) in cases {
        let found = (index::buckets_for(names), index::slots_for(names));
        assert_eq!(found, (buckets, slots), "{names}");
    }
}
