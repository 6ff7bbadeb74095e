//! What the options of `pmu report` take.

use clap::ValueEnum;

/// What shares a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Key {
    /// The name of the thread
    Comm,
    /// The process
    Pid,
    /// The thread
    Tid,
    /// The CPU
    Cpu,
    /// The program, library or kernel
    #[value(alias = "dso")]
    Module,
    /// The function
    #[value(alias = "sym", alias = "symbol")]
    Function,
    /// The file and the number of the line
    #[value(alias = "srcline")]
    Line,
    /// The variable that was accessed, with the place in it, or the address
    #[value(alias = "symbol_daddr")]
    Data,
    /// The program, library or mapping that the data are in
    #[value(alias = "dso_daddr")]
    DataModule,
    /// The 64 bytes that the data are in
    #[value(alias = "dcacheline")]
    CacheLine,
    /// The physical address of the data
    #[value(alias = "phys_daddr")]
    PhysicalAddress,
    /// The size of the page that the data are in, in bytes
    #[value(alias = "data_page_size")]
    PageSize,
    /// Where the data were: the level of cache or memory
    #[value(alias = "mem")]
    Memory,
    /// What other caches had of the data
    Snoop,
    /// The translation buffer that was asked for the page
    Tlb,
    /// Whether the access was locked
    Locked,
    /// Whether the access waited for an earlier store
    Blocked,
    /// The weight of the sample: the cycles that the access took, as the CPU defines them
    #[value(alias = "local_weight")]
    Weight,
    /// The cycles that the instruction took
    #[value(alias = "local_ins_lat")]
    Latency,
    /// The cycles from the end of the instruction to its retirement; on POWER, the stage at which
    /// it waited
    #[value(alias = "local_p_stage_cyc")]
    RetireLatency,
}

impl Key {
    /// Its name in JSON and CSV.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Key::Comm => "comm",
            Key::Pid => "pid",
            Key::Tid => "tid",
            Key::Cpu => "cpu",
            Key::Module => "module",
            Key::Function => "function",
            Key::Line => "line",
            Key::Data => "data",
            Key::DataModule => "data-module",
            Key::CacheLine => "cache-line",
            Key::PhysicalAddress => "physical-address",
            Key::PageSize => "page-size",
            Key::Memory => "memory",
            Key::Snoop => "snoop",
            Key::Tlb => "tlb",
            Key::Locked => "locked",
            Key::Blocked => "blocked",
            Key::Weight => "weight",
            Key::Latency => "latency",
            Key::RetireLatency => "retire-latency",
        }
    }

    /// Whether it is about accesses to data.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_of_data(self) -> bool {
        use Key::*;
        !matches!(self, Comm | Pid | Tid | Cpu | Module | Function | Line)
    }

    /// Whether it tells privileges apart.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_level(self) -> bool {
        matches!(self, Key::Function | Key::Data | Key::CacheLine | Key::PhysicalAddress)
    }

    /// Whether its values are numbers.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_number(self) -> bool {
        use Key::*;
        matches!(self, Pid | Tid | Cpu | PageSize | Weight | Latency | RetireLatency)
    }
}

/// A column of perf's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Key(Key),
    Number(Number),
}

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// The share.
    Overhead,
    /// The part of it that the kernel has.
    OverheadSys,
    OverheadUser,
    OverheadGuestSys,
    OverheadGuestUser,
    /// The share with what is called.
    OverheadChildren,
    Samples,
    /// How many events samples stand for.
    Period,
}

/// `hpp_sort_dimensions` in `tools/perf/util/sort.c`
const NUMBERS: [(&str, Number); 8] = [
    ("overhead", Number::Overhead),
    ("overhead_sys", Number::OverheadSys),
    ("overhead_us", Number::OverheadUser),
    ("overhead_guest_sys", Number::OverheadGuestSys),
    ("overhead_guest_us", Number::OverheadGuestUser),
    ("overhead_children", Number::OverheadChildren),
    ("sample", Number::Samples),
    ("period", Number::Period),
];

/// The columns that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldList {
    pub(crate) all: Vec<Field>,
    /// Whether they come after those that there are anyway, as a `+` says.
    pub(crate) is_addition: bool,
}

impl FieldList {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (words, is_addition) = match text.strip_prefix('+') {
            Some(words) => (words, true),
            None => (text, false),
        };
        let words = words.split([',', ' ']).filter(|word| !word.is_empty());
        let mut all = words.map(field).collect::<Result<Vec<_>, _>>()?;
        if all.is_empty() {
            return Err("expected names of columns".into());
        }
        // perf, too, shows a column once, where it is named first.
        let mut seen = Vec::new();
        all.retain(|field| {
            let is_new = !seen.contains(field);
            seen.push(*field);
            is_new
        });
        Ok(FieldList { all, is_addition })
    }
}

fn field(name: &str) -> Result<Field, String> {
    if let Some((_, number)) = NUMBERS.iter().find(|(word, _)| *word == name) {
        return Ok(Field::Number(*number));
    }
    Key::from_str(name, true).map(Field::Key).map_err(|_| {
        let numbers: Vec<_> = NUMBERS.iter().map(|(word, _)| *word).collect();
        format!(
            "there is no column `{name}`; there are {} and the keys of --sort",
            numbers.join(", ")
        )
    })
}

/// How call chains are shown below a line (`struct callchain_param` in
/// `tools/perf/util/callchain.h`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChainStyle {
    pub(crate) form: ChainForm,
    /// Parts with less are left out, in percent.
    pub(crate) least: Option<f64>,
    /// How many lines there are, or chains.
    pub(crate) most: Option<usize>,
    pub(crate) order: Option<ChainOrder>,
    /// Whether calls from different places of a function differ.
    pub(crate) by_address: bool,
    pub(crate) value: ChainValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainForm {
    None,
    /// A tree with parts of the whole.
    Graph,
    /// A tree with parts of what is above.
    Fractal,
    /// Each chain in lines.
    Flat,
    /// Each chain in one line.
    Folded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainOrder {
    /// The outermost function first.
    Caller,
    /// The innermost function first.
    Callee,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainValue {
    Percent,
    Period,
    Count,
}

impl ChainStyle {
    /// `CALLCHAIN_PARAM_DEFAULT` in `tools/perf/util/callchain.c`
    pub(crate) const DEFAULT: Self = ChainStyle {
        form: ChainForm::Graph,
        least: None,
        most: None,
        order: None,
        by_address: false,
        value: ChainValue::Percent,
    };

    /// `__parse_callchain_report_opt` in `tools/perf/util/callchain.c`: a word may be abbreviated.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        type Set = fn(&mut ChainStyle);
        const WORDS: [(&str, Set); 12] = [
            ("none", |style| style.form = ChainForm::None),
            ("graph", |style| style.form = ChainForm::Graph),
            ("flat", |style| style.form = ChainForm::Flat),
            ("fractal", |style| style.form = ChainForm::Fractal),
            ("folded", |style| style.form = ChainForm::Folded),
            ("caller", |style| style.order = Some(ChainOrder::Caller)),
            ("callee", |style| style.order = Some(ChainOrder::Callee)),
            ("function", |style| style.by_address = false),
            ("address", |style| style.by_address = true),
            ("percent", |style| style.value = ChainValue::Percent),
            ("period", |style| style.value = ChainValue::Period),
            ("count", |style| style.value = ChainValue::Count),
        ];
        let mut style = Self::DEFAULT;
        for word in text.split(',').filter(|word| !word.is_empty()) {
            if let Some((_, set)) = WORDS.iter().find(|(name, _)| name.starts_with(word)) {
                set(&mut style);
                if style.form == ChainForm::None {
                    break;
                }
                continue;
            }
            let unknown = |_| {
                format!(
                    "`{word}` is none of graph, fractal, flat, folded, none, caller, callee, \
                     function, address, percent, period, count, and no number"
                )
            };
            match style.least {
                None => {
                    let least: f64 = word.parse().map_err(|_| unknown(()))?;
                    if !(0.0..=100.0).contains(&least) {
                        return Err(format!("`{word}` is not from 0 to 100 percent"));
                    }
                    style.least = Some(least);
                }
                // As in perf, 0 is no limit.
                Some(_) => {
                    let most: usize = word.parse().map_err(|_| unknown(()))?;
                    style.most = Some(most).filter(|most| *most > 0);
                }
            }
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns() {
        let all = |text: &str| FieldList::parse(text).map(|list| (list.all, list.is_addition));
        let (overhead, comm) = (Field::Number(Number::Overhead), Field::Key(Key::Comm));
        assert_eq!(all("overhead,comm,overhead"), Ok((vec![overhead, comm], false)));
        assert_eq!(all("+dso"), Ok((vec![Field::Key(Key::Module)], true)));
        assert_eq!(all("sample period").map(|(all, _)| all.len()), Ok(2));
        for wrong in ["", "+", ",", "parent", "overhead,x"] {
            assert!(all(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn styles() {
        let default = ChainStyle::DEFAULT;
        let of = |form, least, most| ChainStyle { form, least, most, ..default };
        let cases = [
            ("", default),
            ("fr", of(ChainForm::Fractal, None, None)),
            ("n,x", of(ChainForm::None, None, None)),
            ("flat,2.5,7", of(ChainForm::Flat, Some(2.5), Some(7))),
            ("0,folded,0", of(ChainForm::Folded, Some(0.0), None)),
            (
                "graph,0.5,caller,address,count",
                ChainStyle {
                    least: Some(0.5),
                    order: Some(ChainOrder::Caller),
                    by_address: true,
                    value: ChainValue::Count,
                    ..default
                },
            ),
            ("callee,per", ChainStyle { order: Some(ChainOrder::Callee), ..default }),
            ("peri", ChainStyle { value: ChainValue::Period, ..default }),
        ];
        for (text, expected) in cases {
            assert_eq!(ChainStyle::parse(text), Ok(expected), "{text}");
        }
        for wrong in ["x", "branch", "srcline", "-1", "nan", "101", "1,x", "1,2.5"] {
            assert!(ChainStyle::parse(wrong).is_err(), "{wrong}");
        }
    }
}
