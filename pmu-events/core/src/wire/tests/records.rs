extern crate std;
use std::vec::Vec;

use crate::flags::Flag;
use crate::wire::record::*;
use crate::wire::{LongRef, StrRef};

/// Distinct bytes, longer than the largest record.
fn counted() -> Vec<u8> {
    (1..=200).collect()
}

/// A record that was read writes the same bytes, each once and in order; an
/// incomplete one reads as zeros.
macro_rules! both_ways {
    ($($name:ident)*) => {
        #[test]
        fn what_is_read_is_what_was_written() {
            $({
                const SIZE: usize = $name::SIZE;
                let bytes = counted();
                let (head, record) = (3, &bytes[3..3 + SIZE]);
                let written = |record: $name| {
                    let mut written = Vec::new();
                    record.write(&mut |bytes| written.extend_from_slice(bytes));
                    written
                };
                let name = stringify!($name);
                assert_eq!(written($name::read(&bytes, head)), record, "{name}");
                assert_eq!(written($name::nth(&bytes, 1)), bytes[SIZE..2 * SIZE], "{name}");
                let zeros = [0; SIZE];
                assert_eq!(written($name::read(&bytes[..head + SIZE - 1], head)), zeros, "{name}");
                assert_eq!(written($name::nth(&bytes, usize::MAX)), zeros, "{name}");
            })*
        }
    };
}
both_ways! {
    EventRecord
    Traits
    Extras
    CountRecord
    SuccessorRecord
    MetricRecord
    MetricTraits
    FormulaRecord
    ReferenceRecord
    ModelRecord
    RunRecord
    GroupRecord
    RowRecord
    MidrRecord
    LiteralRecord
}

/// One field of each kind: its position and byte order.
#[test]
fn fields() {
    let bytes = counted();
    let EventRecord { name, event, traits } = EventRecord::read(&bytes, 0);
    assert_eq!(name, StrRef { offset: 0x03_0201, len: 4 });
    assert_eq!(event, StrRef { offset: 0x07_0605, len: 8 });
    assert_eq!(traits, 0x0a09);
    let MetricTraits { groups, no_group, .. } = MetricTraits::read(&bytes, 0);
    assert_eq!(groups, LongRef { offset: 0x0403_0201, len: 0x0807_0605 });
    assert_eq!(no_group, StrRef { offset: 0x0b_0a09, len: 12 });
    assert_eq!(FormulaRecord::read(&bytes, 0).program, 0x0403_0201);
    let GroupRecord { name, description } = GroupRecord::read(&bytes, 1);
    assert_eq!((name.offset, name.len, description), (0x04_0302, 5, 0x08_0706));
    let MidrRecord { part, version } = MidrRecord::read(&bytes, 0);
    assert_eq!((part, version), (0x0807_0605_0403_0201, 9));
}

/// Bits do not overlap.
#[test]
fn bits() {
    let precise = 3 << flag::PRECISE_SHIFT;
    let others = [flag::OWN_SAMPLE_AFTER, flag::OWN_MSR_VALUE, flag::VENDOR_EVENT, precise];
    let flags = Flag::ALL.iter().map(|flag| flag.bit()).chain(others);
    assert_eq!(flags.clone().fold(0, |all, bits| all | bits), flags.sum::<u16>());
    assert_eq!(repair::ALL & u32::from(differs::ALL) << repair::WHY_SHIFT, 0);
    assert_eq!(u32::from(differs::ALL) << repair::WHY_SHIFT >> repair::WHY_SHIFT, 0x3f);
}
