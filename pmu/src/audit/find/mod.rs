//! The names and codes of a text, with their places.
//!
//! Each format has a module, which says whether a text is one; any other text is source text.
//! `json` has several formats, because a JSON file does not say which it is.

mod commands;
mod constants;
mod enclosing;
mod json;
mod likwid;
mod nanobench;
mod number;
pub(super) mod source;
mod strings;
mod toplev;

use super::candidate::Candidate;
use super::cpu::Cpus;
use super::known::Known;

/// What a finder knows besides the text.
pub(crate) struct Context<'c> {
    pub(crate) cpus: &'c Cpus,
    pub(crate) known: &'c Known,
}

/// More of a line, or of a string, is data, not text for people.
const LONGEST: usize = 1 << 16;

/// What is found in a text.
pub(crate) struct Found {
    /// In the order of the text.
    pub(crate) candidates: Vec<Candidate>,
    /// Where lines or strings begin that are not read.
    pub(crate) unread: Vec<usize>,
}

/// The candidates of a text, and what of it is not read.
pub(crate) fn all(text: &str, context: &Context<'_>) -> Found {
    let (mut candidates, unread) = if likwid::is_list(text) {
        (likwid::find(text), Vec::new())
    } else if nanobench::is_list(text) {
        (nanobench::find(text), Vec::new())
    } else if let Some(list) = toplev::List::of(text) {
        (list.find(text, context), too_long(text))
    } else if let Some(found) = json::find(text, context) {
        found
    } else {
        (source::find(text, context), too_long(text))
    };
    candidates.sort_by_key(|one| (one.span.start, one.span.end));
    Found { candidates, unread }
}

/// Where the lines begin that are not read.
fn too_long(text: &str) -> Vec<usize> {
    lines(text).filter(|(_, line)| line.len() > LONGEST).map(|(start, _)| start).collect()
}

/// The lines of a text, each with its offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// The words of a line between blanks, each with its offset in the line.
fn fields(line: &str) -> Vec<(usize, &str)> {
    let offset = |field: &str| field.as_ptr() as usize - line.as_ptr() as usize;
    line.split_ascii_whitespace().map(|field| (offset(field), field)).collect()
}

#[cfg(test)]
mod tests {
    use pmu_events::event::Encoding;

    use super::*;
    use crate::trees::Trees;

    /// A small generator (xorshift64*).
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
        }
    }

    const TEXTS: [&str; 8] = [
        "EVENT_L2 0x24 PMC\nDEFAULT_OPTIONS_L2_M EVENT_OPTION_EDGE=1\nUMASK_L2_M 0x3f 0xff\nEVENT_M 0x1 M0\n",
        "# \u{b5}\n3C.00 CORE_CYCLES\nB7.01.MSR_RSP0=0x1.CTR=1 OCR.X\n",
        r#"[{"EventName": "L2_RQSTS.MISS", "EventCode": "0x24", "UMask": "0x3f", "MSRIndex": "0x1a6"},
            {"type": 4, "config": ["0x5300c0", "0x1"], "name": "cpu/x"}, {"a": "cpu/event=0x1,name='y'/k"}]"#,
        "x(0x51_01c4); // \u{e9} skylake\n\tif (zen3)\n\t\ty((0x1 << 8) | 0x3c, PERF_TYPE_RAW, 0x412eULL);\n\
         \"r412e:u\" 'l1d_cache_refill' -e r3c,cpu/config=0x1/ L2_RQSTS.MISS: skl::A:B\n",
        "\"cs\" => (\u{b5}Software::DUMMY, PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8 |\n\
         PERF_COUNT_HW_CACHE_RESULT_MISS << 16, 'faults', PERF_COUNT_SW_PAGE_FAULTS: \"faults\"\n",
        "perf stat -x \\; -aM ipc,tma_retiring:u \\\n --metrics=cpi \u{e9}; [\"perf\", \"stat\",\n\"-M\", 'ipc'] # zen4\n",
        "# \u{b5}\nCPUs,Area,Value,Unit,Description,Sample\nCPU0,Frontend_Bound.Fetch_Latency,1,\u{b5},\"a\",X.Y:pp\n",
        r#"[{"ph": "C", "args": {"Retiring": 1, "Frontend_Bound.Fetch_Latency": 2}},
            {"metric-value": "1", "metric-unit": "%  tma_retiring"}, {"%  ipc": "1"}]"#,
    ];

    /// Whatever a text has, what is found in it is a part of it.
    #[test]
    fn damaged_texts() {
        let trees = Trees::new(None, Encoding::Correct).expect("they are built in");
        let (cpus, known) = (Cpus::new(trees), Known::new(trees));
        let context = Context { cpus: &cpus, known: &known };
        let mut random = Random(28);
        let mut found = 0;
        for round in 0..2000 {
            let mut bytes = TEXTS[round % TEXTS.len()].as_bytes().to_vec();
            for _ in 0..random.below(6) {
                let (at, other) = (random.below(bytes.len()), random.below(bytes.len()));
                match random.below(4) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes.swap(at, other),
                    2 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b"/\"'=,.:|0xr\n"[random.below(12)]),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            for one in all(&text, &context).candidates {
                assert!(text.get(one.span.clone()).is_some_and(|own| !own.is_empty()), "{text}");
                assert!(one.name.is_some() || one.code.is_some(), "{text}");
                assert!(
                    one.cpus.is_empty() || one.cpu_at.is_some_and(|at| at < text.len()),
                    "{text}"
                );
                found += 1;
            }
        }
        assert!(found > 2000, "{found}");
    }
}
