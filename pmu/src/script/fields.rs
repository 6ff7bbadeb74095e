//! The fields of a line.

use pmu_events::sample;

use crate::perf_data::reader::Event;

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
    pub(super) addr: bool,
    pub(super) data_src: bool,
    pub(super) weight: bool,
    pub(super) ins_lat: bool,
    pub(super) retire_lat: bool,
    pub(super) cgroup: bool,
    pub(super) brstack: bool,
    pub(super) phys_addr: bool,
    pub(super) data_page_size: bool,
    pub(super) code_page_size: bool,
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
    ..NONE
};

/// Those of the codes of a CPU, as far as samples have them.
const OF_RAW: Fields = Fields {
    addr: true,
    data_src: true,
    weight: true,
    ins_lat: true,
    retire_lat: true,
    phys_addr: true,
    data_page_size: true,
    code_page_size: true,
    ..DEFAULT
};

const NONE: Fields = Fields {
    comm: false,
    pid: false,
    tid: false,
    cpu: false,
    time: false,
    period: false,
    event: false,
    trace: false,
    ip: false,
    sym: false,
    symoff: false,
    dso: false,
    addr: false,
    data_src: false,
    weight: false,
    ins_lat: false,
    retire_lat: false,
    cgroup: false,
    brstack: false,
    phys_addr: false,
    data_page_size: false,
    code_page_size: false,
    has_chain: false,
};

/// What samples must have for a field, each by one of these.
const NEEDED: [(&str, &[sample::Fields]); 10] = [
    ("addr", &[sample::Fields::ADDR]),
    ("data_src", &[sample::Fields::DATA_SOURCE]),
    ("weight", &[sample::Fields::WEIGHT, sample::Fields::WEIGHTS]),
    ("ins_lat", &[sample::Fields::WEIGHTS]),
    ("retire_lat", &[sample::Fields::WEIGHTS]),
    ("cgroup", &[sample::Fields::CGROUP]),
    ("brstack", &[sample::Fields::BRANCHES]),
    ("phys_addr", &[sample::Fields::PHYSICAL_ADDRESS]),
    ("data_page_size", &[sample::Fields::DATA_PAGE_SIZE]),
    ("code_page_size", &[sample::Fields::CODE_PAGE_SIZE]),
];

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
            "addr" => &mut self.addr,
            "data_src" => &mut self.data_src,
            "weight" => &mut self.weight,
            "ins_lat" => &mut self.ins_lat,
            "retire_lat" => &mut self.retire_lat,
            "cgroup" => &mut self.cgroup,
            "brstack" => &mut self.brstack,
            "phys_addr" => &mut self.phys_addr,
            "data_page_size" => &mut self.data_page_size,
            "code_page_size" => &mut self.code_page_size,
            _ => return None,
        })
    }

    /// A field that is asked for though no event has it.
    pub(super) fn missing(mut self, events: &[sample::Fields]) -> Option<&'static str> {
        let is_missing =
            |needed: &[sample::Fields]| !events.iter().any(|&has| is_among(needed, has));
        let mut missing = NEEDED.into_iter().filter(|(_, needed)| is_missing(needed));
        missing.find_map(|(name, _)| self.named(name).filter(|asked| **asked).map(|_| name))
    }

    /// Whether any is about what an instruction accessed.
    pub(super) fn has_access(&self) -> bool {
        self.addr
            || self.data_src
            || self.weight
            || self.ins_lat
            || self.retire_lat
            || self.phys_addr
            || self.data_page_size
            || self.code_page_size
    }

    /// Those of an event.
    pub(super) fn of(asked: Option<&Self>, event: &Event) -> Self {
        let has = event.layout.fields();
        let of_event = match (event.tracepoint, event.is_raw) {
            (Some(_), _) => of_tracepoint(has),
            (None, true) => OF_RAW,
            (None, false) => DEFAULT,
        };
        let fields = asked.copied().unwrap_or(of_event);
        let has_task = has.contains(sample::Fields::TID);
        let mut fields = fields;
        for (name, needed) in NEEDED {
            if let (false, Some(field)) = (is_among(needed, has), fields.named(name)) {
                *field = false;
            }
        }
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

fn is_among(needed: &[sample::Fields], has: sample::Fields) -> bool {
    needed.iter().any(|&field| has.contains(field))
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
