//! What a tracepoint says: its fields, in the words of the kernel's own format (`print fmt` of
//! tracefs), as perf writes them.
//!
//! | module | contents |
//! |---|---|
//! | [`of_file`] | those of a file |
//! | [`format`](mod@format) | a format of tracefs |
//! | [`expression`] | the expressions in it |
//! | [`value`] | their values |
//! | [`printf`] | values by C's conversions |

mod expression;
mod format;
mod of_file;
mod printf;
mod value;

use std::collections::HashMap;
use std::fmt::Write as _;

use pmu_events::sample::ByteOrder;

use format::Format;
pub(crate) use of_file::Tracepoints;
use value::Data;

/// What addresses of the kernel are shown as.
pub(crate) struct Names<'n> {
    /// A function, and how far into it the address is.
    pub(crate) function: &'n dyn Fn(u64) -> Option<(String, u64)>,
    /// Texts of the kernel.
    pub(crate) texts: &'n HashMap<u64, String>,
}

impl Format {
    /// What the kernel would print of some data; where its format is not understood, each field.
    pub(crate) fn shown(&self, bytes: &[u8], order: ByteOrder, names: &Names<'_>) -> String {
        let data = Data { format: self, bytes, order };
        let shown = self.print.as_ref().and_then(|print| printf::shown(print, &data, names));
        shown.unwrap_or_else(|| {
            let mut text = String::new();
            for field in self.fields.iter().filter(|field| !field.is_common()) {
                let separator = if text.is_empty() { "" } else { " " };
                let _ = write!(text, "{separator}{}={}", field.name, data.shown(field));
            }
            text
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWITCH: &str = "name: sched_switch
ID: 372
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;

print fmt: \"prev_comm=%s prev_pid=%d prev_state=%s%s\", REC->prev_comm, REC->prev_pid, \
(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002) + 1) << 1) - 1)) ? \
__print_flags(REC->prev_state & 0xff, \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }) : \"R\", \
REC->prev_state & 0x100 ? \"+\" : \"\"
";

    fn switch(state: u64) -> Vec<u8> {
        let mut bytes = vec![0; 8];
        bytes.extend(b"shell\0garbage\0\0\0");
        bytes.extend(7_i32.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(state.to_le_bytes());
        bytes
    }

    fn shown(format: &str, bytes: &[u8]) -> String {
        let format = Format::parse(format).expect("it is one");
        let function = |address: u64| (address == 0x1234).then(|| ("function".to_owned(), 4));
        let texts = HashMap::from([(0x77, "told".to_owned())]);
        let names = Names { function: &function, texts: &texts };
        format.shown(bytes, ByteOrder::Little, &names)
    }

    #[test]
    fn a_format_of_the_scheduler() {
        assert_eq!(Format::parse(SWITCH).expect("it is one").id, 372);
        for (state, expected) in [
            (0, "prev_comm=shell prev_pid=7 prev_state=R"),
            (1, "prev_comm=shell prev_pid=7 prev_state=S"),
            (3, "prev_comm=shell prev_pid=7 prev_state=S|D"),
            (0x102, "prev_comm=shell prev_pid=7 prev_state=D+"),
        ] {
            assert_eq!(shown(SWITCH, &switch(state)), expected);
        }
    }

    /// Each operator, function and conversion, of a field `n` with a value and a text.
    #[test]
    fn expressions_and_conversions() {
        let mut bytes = 0x1234_u64.to_le_bytes().to_vec();
        bytes.extend((5_u32 << 16 | 28).to_le_bytes());
        bytes.extend((-3_i32).to_le_bytes());
        bytes.extend([1, 0, 2, 0, 3, 0]);
        bytes.resize(28, 0);
        bytes.extend(b"text\0");
        let fields = "\tfield:u64 n;\toffset:0;\tsize:8;\tsigned:0;
\tfield:__data_loc char[] t;\toffset:8;\tsize:4;\tsigned:1;
\tfield:int m;\toffset:12;\tsize:4;\tsigned:1;
\tfield:u16 a[3];\toffset:16;\tsize:6;\tsigned:0;";
        for (print, expected) in [
            ("\"%d %u %llu\", REC->m, REC->m, REC->n", "-3 4294967293 4660"),
            (
                "\"%#x|%6x|%-6x|%06lx|%X\", REC->n, REC->n, REC->n, REC->n, REC->n",
                "0x1234|  1234|1234  |001234|1234",
            ),
            (
                "\"%s/%10s/%-6s/%.2s\", __get_str(t), __get_str(t), __get_str(t), __get_str(t)",
                "text/      text/text  /te",
            ),
            ("\"%d\", REC->a[1] * 10 + REC->a[2] % 2 - 7 / 2", "18"),
            ("\"%d\", (unsigned char)REC->n", "52"),
            ("\"%d\", (REC->n >> 4 & 0xf) == 3 && !(1 != 1) || 0", "1"),
            ("\"%s\", __print_symbolic(REC->a[0], { 0, \"zero\" }, { 1, \"one\" })", "one"),
            ("\"%s\", __print_symbolic(REC->m, { 0, \"zero\" })", "0xfffffffffffffffd"),
            ("\"%s\", __print_flags(0x14, \"|\", { 4, \"four\" })", "four|0x10"),
            ("\"%ps %pS %p\", REC->n, (void *)REC->n, REC->n", "function function+0x4 0x1234"),
            ("\"100%% %c\", 65", "100% A"),
            ("\"%s\" \"%s\", \"a\", \"b\\\"\\n\"", "ab\"\n"),
            ("\"%*d|\", 4, 7", "   7|"),
            ("\"%s %s\", 0x77, 0x78", "told 0x78"),
            ("\"%s\", __print_symbolic(REC->a[0], { UNKNOWN, \"no\" }, { 1, \"one\" })", "one"),
            (
                "\"%s\", __print_flags(REC->n & (0x0004 | 0x0030), \"|\", { X, \"x\" }, { 0x04, \"A\" }, { 0x10, \"B\" }, { 0x20, \"C\" })",
                "A|B|C",
            ),
            (
                "\"%p\", REC->n != -1UL ? (((struct page *)unknown) + (REC->n)) : ((void *)0)",
                "0x1234",
            ),
            ("\"%d\", sizeof(REC->n)", "n=4660 t=text m=-3 a=1,2,3"),
            ("\"%s %s\", REC->unknown", "n=4660 t=text m=-3 a=1,2,3"),
            ("\"%d %d\", 1", "n=4660 t=text m=-3 a=1,2,3"),
        ] {
            let format = format!("name: x\nID: 7\nformat:\n{fields}\n\nprint fmt: {print}\n");
            assert_eq!(shown(&format, &bytes), expected, "{print}");
        }
    }

    /// A file may have any format, and any data.
    #[test]
    fn whatever_is_damaged() {
        let nested =
            format!("name: x\nID: 1\nformat:\n\nprint fmt: \"%d\", {}1", "(".repeat(100_000));
        for text in [SWITCH, &nested] {
            let bytes = switch(1);
            for at in (0..text.len()).step_by(1 + text.len() / 300) {
                for odd in ["", "(", "\"", "%", "9999999999999999999999", "-", "{", "REC->"] {
                    let text = format!("{}{odd}{}", &text[..at], text.get(at + 1..).unwrap_or(""));
                    if let Some(format) = Format::parse(&text) {
                        for end in [0, 9, 24, bytes.len()] {
                            let texts = HashMap::new();
                            let names = Names { function: &|_| None, texts: &texts };
                            let _ = format.shown(&bytes[..end], ByteOrder::Big, &names);
                        }
                    }
                }
            }
        }
    }
}
