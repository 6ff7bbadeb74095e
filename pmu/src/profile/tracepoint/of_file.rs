//! The tracepoints of a file.

use std::collections::HashMap;

use pmu_events::sample::ByteOrder;

use crate::perf_data::reader::{Event, Reader};
use crate::profile::tracepoint::{Format, Names};

/// What is known of the tracepoints of a file.
pub(crate) struct Tracepoints {
    /// Of each event, if it is one whose format the file has.
    formats: Vec<Option<Format>>,
    texts: HashMap<u64, String>,
    order: ByteOrder,
}

impl Tracepoints {
    pub(crate) fn of(reader: &Reader) -> Self {
        let tracing = reader.tracing();
        let all = tracing.formats.iter().filter_map(|text| Format::parse(text));
        let mut all: HashMap<u64, Format> = all.map(|format| (format.id, format)).collect();
        let of_event = |event: &Event| event.tracepoint.and_then(|id| all.remove(&id));
        let formats = reader.events.iter().map(of_event).collect();
        Tracepoints { formats, texts: tracing.texts, order: reader.order }
    }

    /// What a sample of an event says, if it is one of a tracepoint.
    pub(crate) fn says(
        &self,
        event: usize,
        raw: &[u8],
        function: &dyn Fn(u64) -> Option<(String, u64)>,
    ) -> Option<String> {
        let format = self.formats.get(event)?.as_ref()?;
        Some(format.shown(raw, self.order, &Names { function, texts: &self.texts }))
    }
}

impl Default for Tracepoints {
    fn default() -> Self {
        let (formats, texts) = (Vec::new(), HashMap::new());
        Tracepoints { formats, texts, order: ByteOrder::NATIVE }
    }
}
