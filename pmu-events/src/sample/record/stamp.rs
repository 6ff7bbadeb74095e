use super::bytes::Rest;
use super::error::ParseError;
use super::fields::Fields;

/// When and where something was recorded, as far as the event records it (`struct sample_id`).
///
/// ```
/// use pmu_events::sample::Record;
///
/// fn show(record: &Record<'_>) {
///     let stamp = record.stamp();
///     println!("{:?} ns, CPU {:?}, thread {:?}", stamp.time(), stamp.cpu(), stamp.tid());
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    pub(super) task: Option<(u32, u32)>,
    pub(super) time: Option<u64>,
    pub(super) id: Option<u64>,
    pub(super) stream_id: Option<u64>,
    pub(super) cpu: Option<u32>,
}

impl Stamp {
    /// Returns the process.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.task.map(|(pid, _)| pid)
    }

    /// Returns the thread.
    #[must_use]
    pub fn tid(&self) -> Option<u32> {
        self.task.map(|(_, tid)| tid)
    }

    /// Returns the time in nanoseconds, of the clock that the attributes name.
    #[must_use]
    pub fn time(&self) -> Option<u64> {
        self.time
    }

    /// Returns the id of the event; children of a task have that of their parent.
    #[must_use]
    pub fn id(&self) -> Option<u64> {
        self.id
    }

    /// Returns the id of the event, which differs for children of a task.
    #[must_use]
    pub fn stream_id(&self) -> Option<u64> {
        self.stream_id
    }

    /// Returns the CPU.
    #[must_use]
    pub fn cpu(&self) -> Option<u32> {
        self.cpu
    }

    /// Cuts it off the end of a record (`perf_event__output_id_sample` in
    /// `kernel/events/core.c`).
    pub(super) fn at_the_end_of(rest: &mut Rest<'_>, fields: Fields) -> Result<Self, ParseError> {
        const PARTS: [Fields; 6] = [
            Fields::TID,
            Fields::TIME,
            Fields::ID,
            Fields::STREAM_ID,
            Fields::CPU,
            Fields::IDENTIFIER,
        ];
        const WHAT: &str = "identity";
        let parts = PARTS.iter().filter(|&&part| fields.contains(part)).count();
        let length = rest.bytes.len().checked_sub(8 * parts).ok_or(ParseError::short(WHAT))?;
        let (before, own) = rest.bytes.split_at(length);
        let mut own = Rest { bytes: own, order: rest.order };
        rest.bytes = before;
        let mut stamp = Stamp::default();
        if fields.contains(Fields::TID) {
            stamp.task = Some((own.u32(WHAT)?, own.u32(WHAT)?));
        }
        stamp.time = own.u64_if(fields.contains(Fields::TIME), WHAT)?;
        stamp.id = own.u64_if(fields.contains(Fields::ID), WHAT)?;
        stamp.stream_id = own.u64_if(fields.contains(Fields::STREAM_ID), WHAT)?;
        if fields.contains(Fields::CPU) {
            stamp.cpu = Some(own.u32(WHAT)?);
            own.u32(WHAT)?;
        }
        // The same number as `ID`, where both are.
        stamp.id = own.u64_if(fields.contains(Fields::IDENTIFIER), WHAT)?.or(stamp.id);
        Ok(stamp)
    }
}
