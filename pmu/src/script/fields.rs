//! The fields of a line.

use pmu_events::sample;

/// Which fields are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Fields {
    pub(super) comm: bool,
    pub(super) pid: bool,
    pub(super) tid: bool,
    pub(super) cpu: bool,
    pub(super) time: bool,
    pub(super) period: bool,
    pub(super) event: bool,
    pub(super) trace: bool,
    pub(super) ip: bool,
    pub(super) sym: bool,
    pub(super) symoff: bool,
    pub(super) dso: bool,
    /// Whether samples have call chains, which changes how a line begins.
    pub(super) has_chain: bool,
}

/// Those that perf shows by default (`output` in `tools/perf/builtin-script.c`).
const DEFAULT: Fields = Fields {
    comm: true,
    pid: false,
    tid: true,
    cpu: true,
    time: true,
    period: true,
    event: true,
    trace: true,
    ip: true,
    sym: true,
    symoff: true,
    dso: true,
    has_chain: false,
};

/// Those of a tracepoint: what it says, and where it was only as part of a call chain.
fn of_tracepoint(has: sample::Fields) -> Fields {
    let chain = has.contains(sample::Fields::CALLCHAIN);
    Fields { period: false, ip: chain, sym: chain, symoff: chain, dso: chain, ..DEFAULT }
}

impl Fields {
    /// Those that a user names.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let is_change = text.starts_with(['+', '-']);
        let mut fields = if is_change { DEFAULT } else { Fields::default() };
        for word in text.split(',') {
            let (name, value) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
                (Some(name), _) => (name, true),
                (_, Some(name)) => (name, false),
                _ => (word, true),
            };
            let Some(field) = fields.named(name) else {
                return Err(format!("`-F`: there is no field `{name}`"));
            };
            *field = value;
        }
        Ok(fields)
    }

    fn named(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "comm" => &mut self.comm,
            "pid" => &mut self.pid,
            "tid" => &mut self.tid,
            "cpu" => &mut self.cpu,
            "time" => &mut self.time,
            "period" => &mut self.period,
            "event" => &mut self.event,
            "trace" => &mut self.trace,
            "ip" => &mut self.ip,
            "sym" => &mut self.sym,
            "symoff" => &mut self.symoff,
            "dso" => &mut self.dso,
            _ => return None,
        })
    }

    /// Those of an event whose samples have some fields.
    pub(super) fn of(asked: Option<&Self>, has: sample::Fields, is_tracepoint: bool) -> Self {
        let of_event = if is_tracepoint { of_tracepoint(has) } else { DEFAULT };
        let fields = asked.copied().unwrap_or(of_event);
        let has_task = has.contains(sample::Fields::TID);
        Fields {
            comm: fields.comm && has_task,
            pid: fields.pid && has_task,
            tid: fields.tid && has_task,
            cpu: fields.cpu && has.contains(sample::Fields::CPU),
            time: fields.time && has.contains(sample::Fields::TIME),
            has_chain: has.contains(sample::Fields::CALLCHAIN),
            ..fields
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_by_name() {
        assert_eq!(Fields::parse("+pid,-dso"), Ok(Fields { pid: true, dso: false, ..DEFAULT }));
        let two = Fields { ip: true, sym: true, ..Fields::default() };
        assert_eq!(Fields::parse("ip,sym"), Ok(two));
        assert!(Fields::parse("ip,no").is_err_and(|why| why.contains("`no`")));
        assert!(Fields::parse("").is_err());
    }
}
