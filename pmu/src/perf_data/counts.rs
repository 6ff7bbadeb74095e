//! Records of counts in a file of perf's format (`perf stat record`), as both sides of it see
//! them (`tools/lib/perf/include/perf/event.h`).
//!
//! | record | says |
//! |---|---|
//! | [`Record::Unit`], [`Record::Scale`] | what one count of an event stands for |
//! | [`Record::Threads`], [`Record::Cpus`] | where is counted |
//! | [`Record::Settings`] | how the counts were shown |
//! | [`Record::Count`] | what an event has counted in one place, since it was opened |
//! | [`Record::Round`] | all counts before this are of one moment |

use pmu_events::sample::ByteOrder;

use crate::perf_data::words::Words;

/// `PERF_RECORD_THREAD_MAP` and so on
const THREAD_MAP: u32 = 73;
const CPU_MAP: u32 = 74;
const STAT_CONFIG: u32 = 75;
const STAT: u32 = 76;
const STAT_ROUND: u32 = 77;
const EVENT_UPDATE: u32 = 78;

/// `PERF_EVENT_UPDATE__UNIT`, `PERF_EVENT_UPDATE__SCALE`
const UNIT: u64 = 0;
const SCALE: u64 = 1;

/// Of a name of a task, with its end.
const COMM: usize = 16;

/// A record of counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    Unit { id: u64, unit: String },
    Scale { id: u64, scale: f64 },
    Threads(Vec<Thread>),
    Cpus(Vec<i32>),
    Settings(Settings),
    Count(Counted),
    Round(Round),
}

/// A thread by its number, which is -1 for all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thread {
    pub(crate) number: i32,
    pub(crate) comm: String,
}

/// How the counts were shown (`PERF_STAT_CONFIG_TERM__*`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    /// `enum aggr_mode` in `tools/perf/util/stat.h`
    pub(crate) aggregation: u64,
    /// Of an interval, in milliseconds; 0 without.
    pub(crate) interval: u64,
    pub(crate) is_scaled: bool,
    /// The level of a cache, if those that share one are shown together.
    pub(crate) cache_level: u64,
}

/// A count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Counted {
    /// One of those of its event.
    pub(crate) id: u64,
    /// -1 for every CPU.
    pub(crate) cpu: i32,
    /// The index of the thread among those of the file.
    pub(crate) thread: u32,
    pub(crate) value: u64,
    pub(crate) enabled: u64,
    pub(crate) running: u64,
}

/// The end of a round, in nanoseconds since the beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Round {
    /// Whether it is the last, or that of an interval.
    pub(crate) is_final: bool,
    pub(crate) time: u64,
}

impl Record {
    /// As the file has it, in the byte order of this machine.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let mut words = |words: &[u64]| body.extend(words.iter().flat_map(|w| w.to_ne_bytes()));
        let kind = match self {
            Record::Unit { id, unit } => {
                words(&[UNIT, *id]);
                body.extend_from_slice(unit.as_bytes());
                body.push(0);
                EVENT_UPDATE
            }
            Record::Scale { id, scale } => {
                words(&[SCALE, *id, scale.to_bits()]);
                EVENT_UPDATE
            }
            Record::Threads(threads) => {
                words(&[threads.len() as u64]);
                for Thread { number, comm } in threads {
                    // Sign-extended, as the kernel's own number of a process is.
                    body.extend(i64::from(*number).to_ne_bytes());
                    let comm = &comm.as_bytes()[..comm.len().min(COMM - 1)];
                    body.extend_from_slice(comm);
                    body.resize(body.len() + COMM - comm.len(), 0);
                }
                THREAD_MAP
            }
            Record::Cpus(cpus) => {
                // `PERF_CPU_MAP__CPUS`, which every perf reads.
                body.extend(0_u16.to_ne_bytes());
                body.extend((cpus.len() as u16).to_ne_bytes());
                body.extend(cpus.iter().flat_map(|&cpu| (cpu as u16).to_ne_bytes()));
                CPU_MAP
            }
            Record::Settings(settings) => {
                let Settings { aggregation, interval, is_scaled, cache_level } = *settings;
                let terms = [aggregation, interval, is_scaled.into(), cache_level];
                words(&[terms.len() as u64]);
                for (tag, value) in terms.into_iter().enumerate() {
                    words(&[tag as u64, value]);
                }
                STAT_CONFIG
            }
            Record::Count(count) => {
                words(&[count.id]);
                body.extend(count.cpu.to_ne_bytes());
                body.extend(count.thread.to_ne_bytes());
                for word in [count.value, count.enabled, count.running] {
                    body.extend(word.to_ne_bytes());
                }
                STAT
            }
            Record::Round(round) => {
                words(&[round.is_final.into(), round.time]);
                STAT_ROUND
            }
        };
        let length = (8 + body.len()).next_multiple_of(8);
        let mut bytes = kind.to_ne_bytes().to_vec();
        bytes.extend(0_u16.to_ne_bytes());
        bytes.extend((length as u16).to_ne_bytes());
        bytes.extend(body);
        bytes.resize(length, 0);
        bytes
    }
}

impl Record {
    /// Reads a record; `None` if it is of another kind, or ends too soon.
    pub(crate) fn parse(record: &[u8], order: ByteOrder) -> Option<Self> {
        let (head, body) = record.split_first_chunk::<8>()?;
        let mut words = Words { bytes: body, order };
        Some(match order.u32([head[0], head[1], head[2], head[3]]) {
            EVENT_UPDATE => match (words.u64()?, words.u64()?) {
                (UNIT, id) => Record::Unit { id, unit: text(words.bytes) },
                (SCALE, id) => Record::Scale { id, scale: f64::from_bits(words.u64()?) },
                _ => return None,
            },
            THREAD_MAP => {
                let number = words.u64()?;
                let thread = |_| {
                    let number = words.u64()? as i32;
                    Some(Thread { number, comm: text(words.take(COMM)?) })
                };
                // No more than the record has: the number may be any.
                Record::Threads(
                    (0..number.min(record.len() as u64)).map(thread).collect::<Option<_>>()?,
                )
            }
            CPU_MAP => Record::Cpus(cpus(&mut words)?),
            STAT_CONFIG => {
                let mut settings = Settings::default();
                let number = words.u64()?;
                for _ in 0..number.min(record.len() as u64) {
                    match (words.u64()?, words.u64()?) {
                        (0, value) => settings.aggregation = value,
                        (1, value) => settings.interval = value,
                        (2, value) => settings.is_scaled = value != 0,
                        (3, value) => settings.cache_level = value,
                        // Of a later perf.
                        _ => {}
                    }
                }
                Record::Settings(settings)
            }
            STAT => Record::Count(Counted {
                id: words.u64()?,
                cpu: words.u32()? as i32,
                thread: words.u32()?,
                value: words.u64()?,
                enabled: words.u64()?,
                running: words.u64()?,
            }),
            STAT_ROUND => Record::Round(Round { is_final: words.u64()? == 1, time: words.u64()? }),
            _ => return None,
        })
    }
}

/// Text up to its end.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The CPUs of a map (`struct perf_record_cpu_map_data`): a list, a mask, or a range.
fn cpus(words: &mut Words<'_>) -> Option<Vec<i32>> {
    /// `PERF_CPU_MAP__CPUS`, `PERF_CPU_MAP__MASK`, `PERF_CPU_MAP__RANGE_CPUS`
    const LIST: u16 = 0;
    const MASK: u16 = 1;
    const RANGE: u16 = 2;
    /// -1, in 16 bits
    const EVERY: u16 = u16::MAX;
    match words.u16()? {
        LIST => {
            let number = words.u16()?;
            let cpu = |_| words.u16().map(|cpu| if cpu == EVERY { -1 } else { i32::from(cpu) });
            (0..number).map(cpu).collect()
        }
        MASK => {
            let (number, size) = (words.u16()?, words.u16()?);
            if size == 8 {
                words.take(2)?;
            }
            let mut cpus = Vec::new();
            for index in 0..i32::from(number) {
                let bits = match size {
                    4 => u64::from(words.u32()?),
                    8 => words.u64()?,
                    _ => return None,
                };
                let set = (0..i32::from(size) * 8).filter(|bit| bits >> bit & 1 == 1);
                cpus.extend(set.map(|bit| index * i32::from(size) * 8 + bit));
            }
            Some(cpus)
        }
        RANGE => {
            let any = words.take(2)?[0] != 0;
            let (first, last) = (words.u16()?, words.u16()?);
            let range = (first..=last).map(i32::from);
            Some(any.then_some(-1).into_iter().chain(range).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Record> {
        let thread = |number, comm: &str| Thread { number, comm: comm.into() };
        let settings = Settings { aggregation: 6, interval: 100, is_scaled: true, cache_level: 3 };
        let count = Counted { id: 7, cpu: -1, thread: 2, value: u64::MAX, enabled: 5, running: 4 };
        vec![
            Record::Unit { id: 7, unit: "msec".into() },
            Record::Scale { id: 7, scale: 1e-6 },
            Record::Threads(vec![thread(-1, ""), thread(42, "fifteen letters")]),
            Record::Cpus(vec![-1]),
            Record::Cpus(vec![0, 3, 511]),
            Record::Settings(settings),
            Record::Count(count),
            Record::Round(Round { is_final: true, time: 1 << 40 }),
            Record::Round(Round { is_final: false, time: 0 }),
        ]
    }

    #[test]
    fn records_are_read_as_written() {
        for record in all() {
            let bytes = record.to_bytes();
            assert_eq!(bytes.len() % 8, 0, "{record:?}");
            assert_eq!(bytes.len(), usize::from(u16::from_ne_bytes([bytes[6], bytes[7]])));
            assert_eq!(Record::parse(&bytes, ByteOrder::NATIVE), Some(record));
        }
    }

    /// What is cut off is no record, or, of a text, a shorter one.
    #[test]
    fn records_that_end_too_soon() {
        for record in all() {
            let bytes = record.to_bytes();
            for length in 0..bytes.len() {
                match (Record::parse(&bytes[..length], ByteOrder::NATIVE), &record) {
                    (None, _) | (Some(Record::Unit { .. }), Record::Unit { .. }) => {}
                    // The bytes at its end are for its length alone.
                    (Some(Record::Cpus(cpus)), Record::Cpus(all)) => assert_eq!(cpus, *all),
                    (other, _) => panic!("{length} bytes of {record:?} are {other:?}"),
                }
            }
        }
    }

    /// As other versions of perf write them.
    #[test]
    fn maps_of_cpus() {
        for (body, expected) in [
            (&[1, 0, 2, 0, 4, 0, 0b101, 0, 0, 0, 1, 0, 0, 0][..], Some(vec![0, 2, 32])),
            (&[1, 0, 1, 0, 8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0x80], Some(vec![1, 63])),
            (&[2, 0, 0, 0, 1, 0, 3, 0], Some(vec![1, 2, 3])),
            (&[2, 0, 1, 0, 0, 0, 1, 0], Some(vec![-1, 0, 1])),
            (&[2, 0, 0, 0, 3, 0, 1, 0], Some(vec![])),
            (&[0, 0, 1, 0, 0xff, 0xff], Some(vec![-1])),
            (&[1, 0, 1, 0, 3, 0, 0, 0, 0, 0], None),
            (&[9, 0, 1, 0], None),
        ] {
            let mut words = Words { bytes: body, order: ByteOrder::Little };
            assert_eq!(cpus(&mut words), expected, "{body:?}");
        }
    }
}
