//! Records of samples: any attributes, in either order of bytes, and any bytes after them.

use pmu_events::sample::{Body, ByteOrder, Fields, Layout, Record};

/// `perf_event_attr`, behind a byte whose lowest bit is the order of bytes.
const ATTR: usize = 144;

pub fn check(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let order = if first & 1 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let (attr, mut records) = rest.split_at(rest.len().min(ATTR));
    let layout = Layout::of_bytes(attr, order);
    while !records.is_empty() {
        let length = match layout.parse(records) {
            Ok(record) => {
                hold(&record, &layout, records, order);
                record.bytes().len()
            }
            Err(error) => {
                assert!(error.to_string().starts_with("a record ends in its "), "{error}");
                1
            }
        };
        records = &records[length..];
    }
}

fn hold(record: &Record<'_>, layout: &Layout, bytes: &[u8], order: ByteOrder) {
    let own = record.bytes();
    assert!(own.len() >= 8 && bytes.starts_with(own));
    assert_eq!(usize::from(order.u16([own[6], own[7]])), own.len());
    // What is behind a record does not matter to it.
    assert_eq!(layout.parse(own).as_ref(), Ok(record));
    let identifier = layout.identifier(own);
    if layout.fields().contains(Fields::IDENTIFIER | Fields::ID) {
        assert!(identifier.is_none() || record.stamp().id().is_some());
    } else if identifier.is_some() {
        assert_eq!(record.stamp().id(), identifier);
    }
    if let Body::Sample(sample) = record.body() {
        let words = own.len() / 8;
        let chain = sample.callchain();
        assert!(
            chain.is_none_or(|chain| chain.len() < words && chain.iter().count() == chain.len())
        );
        let branches = sample.branches();
        assert!(branches.is_none_or(|all| all.len() < words && all.iter().count() == all.len()));
        let registers = [sample.user_registers(), sample.interrupted_registers()];
        for registers in registers.into_iter().flatten() {
            assert!(registers.iter().all(|(number, value)| registers.get(number) == Some(value)));
        }
        assert!(sample.values().is_none_or(|values| values.iter().count() < words));
        assert!(sample.user_stack().is_none_or(|stack| stack.len() < own.len()));
        let _ = sample.data_source().map(|source| {
            (source.level(), source.snoop(), source.tlb(), source.hops(), source.region())
        });
    }
    assert!(!format!("{record:?}").is_empty());
}
