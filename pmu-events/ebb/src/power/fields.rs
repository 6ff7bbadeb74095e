use core::fmt;

use super::{BHRB, EBB, Generation, IFM};
use pmu_events_core::__private::same;
use pmu_events_core::format::Words;

/// The fields of a raw code; a field that the generation does not have is 0.
///
/// The names are those of the kernel's format files.
///
/// Decoding and encoding are inverse for every code: reserved bits are kept in
/// [`Fields::reserved`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    /// The generation whose layout applies.
    pub generation: Generation,
    /// PMCxSEL: the event of the unit to count.
    pub pmcxsel: u64,
    /// Whether the event is only counted for marked (sampled) instructions.
    pub mark: u64,
    /// A qualifier for events of radix translation (POWER10).
    pub radix_scope: u64,
    /// Combines the event lines of a pair of multiplexer bytes; one bit on
    /// POWER8, two since.
    pub combine: u64,
    /// The unit whose events the counter sees. 6 to 9 are the L2 and L3 caches.
    pub unit: u64,
    /// The counter, 1 to 6; 0 leaves it to the kernel.
    pub pmc: u64,
    /// Selects among events of the L1 (its two lower bits), and on POWER8 of
    /// the L2 and L3.
    pub cache_sel: u64,
    /// When the sampled data address is updated (POWER9, POWER10).
    pub sdar_mode: u64,
    /// The instructions that are sampled: [`Fields::sampling`] decodes it.
    pub sample_mode: u64,
    /// What is counted between start and stop and compared with the threshold;
    /// 0 for no threshold.
    pub thresh_sel: u64,
    /// The event that ends counting.
    pub thresh_stop: u64,
    /// The event that begins counting. If [`Fields::is_fabric_match`] is true,
    /// this and the previous field are the response to match.
    pub thresh_start: u64,
    /// The encoded threshold: [`Fields::threshold`] returns the number it
    /// represents.
    pub thresh_cmp: u64,
    /// Selects among events of the L2 and L3 (POWER10).
    pub l2l3_sel: u64,
    /// The source of data that the event is about (POWER10, `MMCR3`).
    pub src_sel: u64,
    /// Whether the sources that do not match are counted (POWER10).
    pub invert_bit: u64,
    /// The bits of the source to compare (POWER10).
    pub src_mask: u64,
    /// The value they are compared with (POWER10).
    pub src_match: u64,
    /// The branches that the history records, 0 to 3.
    pub ifm: u64,
    /// Whether branches are recorded.
    pub bhrb: bool,
    /// Whether an overflow causes an event-based branch.
    pub ebb: bool,
    /// Reserved bits. The kernel rejects a code with any in `config`, and ignores the others.
    pub reserved: Words,
}

/// Runs a body for each field in the formats, with its name and the place in
/// the structure.
macro_rules! each_field {
    ($fields:ident, $name:ident, $value:ident => $body:expr) => {
        each_field!(@ $fields, $name, $value, $body;
            pmcxsel, mark, radix_scope, combine, unit, pmc, cache_sel, sdar_mode, sample_mode,
            thresh_sel, thresh_stop, thresh_start, thresh_cmp, l2l3_sel, src_sel, invert_bit,
            src_mask, src_match)
    };
    (@ $fields:ident, $name:ident, $value:ident, $body:expr; $($field:ident),+) => {
        $({
            let $name = stringify!($field);
            let $value = &mut $fields.$field;
            $body
        })+
    };
}

impl Fields {
    /// Returns the fields of the code 0.
    #[must_use]
    pub const fn none(generation: Generation) -> Fields {
        Fields {
            generation,
            pmcxsel: 0,
            mark: 0,
            radix_scope: 0,
            combine: 0,
            unit: 0,
            pmc: 0,
            cache_sel: 0,
            sdar_mode: 0,
            sample_mode: 0,
            thresh_sel: 0,
            thresh_stop: 0,
            thresh_start: 0,
            thresh_cmp: 0,
            l2l3_sel: 0,
            src_sel: 0,
            invert_bit: 0,
            src_mask: 0,
            src_match: 0,
            ifm: 0,
            bhrb: false,
            ebb: false,
            reserved: Words::NONE,
        }
    }

    /// Decodes a raw code.
    #[must_use]
    pub const fn of(generation: Generation, code: u64) -> Fields {
        Fields::decode(generation, Words::new(code))
    }

    /// Decodes config words. `config1` contains only the threshold of POWER10.
    #[must_use]
    pub const fn decode(generation: Generation, words: Words) -> Fields {
        let mut fields = Fields::none(generation);
        let mut known = Words::new(EBB | BHRB | IFM);
        each_field!(fields, name, value => if let Some(format) = generation.formats().find(name) {
            *value = format.value_in(words);
            known = known.union(Words::NONE.with(format.word(), format.mask()));
        });
        let config = words.config();
        fields.ifm = (config & IFM) >> IFM.trailing_zeros();
        fields.bhrb = config & BHRB != 0;
        fields.ebb = config & EBB != 0;
        fields.reserved = words.without(known);
        fields
    }

    /// Encodes the config words.
    ///
    /// ```
    /// use pmu_events::format::Words;
    /// use pmu_events::power::{Fields, Generation};
    ///
    /// const CYCLES_ON_2: Words = {
    ///     let fields = Fields { pmc: 2, ..Fields::of(Generation::Power8, 0x1e) };
    ///     match fields.encode() {
    ///         Ok(words) => words,
    ///         Err(_) => panic!(),
    ///     }
    /// };
    /// assert_eq!(CYCLES_ON_2, Words::new(0x2001e));
    ///
    /// let wide = Fields { combine: 2, ..Fields::none(Generation::Power8) };
    /// let error = wide.encode().unwrap_err();
    /// assert_eq!(error.to_string(), "combine=0x2 does not fit power8: at most 0x1");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for the first field whose value does not fit, or that
    /// the generation does not have.
    pub const fn encode(self) -> Result<Words, Error> {
        let generation = self.generation;
        let mut words = self.reserved;
        let mut fields = self;
        each_field!(fields, name, value => match generation.formats().find(name) {
            Some(format) => match format.scatter(*value) {
                Ok(bits) => words = words.union(Words::NONE.with(format.word(), bits)),
                Err(error) => {
                    let max = Some(error.max());
                    return Err(Error { max, field: name, value: *value, generation });
                }
            },
            None if *value == 0 => {}
            None => {
                return Err(Error { max: None, field: name, value: *value, generation });
            }
        });
        if fields.ifm > 3 {
            return Err(Error { max: Some(3), field: "ifm", value: fields.ifm, generation });
        }
        Ok(words.union(Words::new(
            fields.ifm << IFM.trailing_zeros()
                | (fields.bhrb as u64) << BHRB.trailing_zeros()
                | (fields.ebb as u64) << EBB.trailing_zeros(),
        )))
    }

    /// Returns the value of a field, by its name in format files; 0 for a field
    /// that the generation does not have, and for an unknown name.
    #[must_use]
    pub const fn get(self, term: &str) -> u64 {
        let mut fields = self;
        each_field!(fields, name, value => if same(name, term) {
            return *value;
        });
        0
    }

    /// Returns the parameters of random sampling: which instructions are
    /// eligible, and the mode (`RAND_SAMP_ELIG` and `RAND_SAMP_MODE` of
    /// `MMCRA`).
    #[must_use]
    pub const fn sampling(self) -> (u64, u64) {
        (self.sample_mode >> 2, self.sample_mode & 3)
    }

    /// Whether start and stop of the threshold are a fabric response to match:
    /// `PM_MRK_FAB_RSP_MATCH` and its cycles, on POWER8 (`event_is_fab_match`
    /// in `isa207-common.c`).
    #[must_use]
    pub const fn is_fabric_match(self) -> bool {
        // The lowest bit of PMCxSEL selects edges.
        matches!(self.generation, Generation::Power8)
            && matches!((self.pmc, self.unit, self.pmcxsel & 0xfe), (3, 0, 0x56) | (4, 0xf, 0x52))
    }

    /// Returns the number that the threshold represents. POWER8 and POWER9
    /// encode it as seven mantissa bits below three exponent bits to base four;
    /// POWER10 uses the number itself, at most 261120.
    ///
    /// ```
    /// use pmu_events::power::{Fields, Generation};
    /// let fields = Fields { thresh_cmp: 0b010_1000000, ..Fields::none(Generation::Power9) };
    /// assert_eq!(fields.threshold(), 64 << 4);
    /// ```
    #[must_use]
    pub const fn threshold(self) -> u64 {
        match self.generation {
            Generation::Power8 | Generation::Power9 => {
                (self.thresh_cmp & 0x7f) << (2 * ((self.thresh_cmp >> 7) & 7))
            }
            Generation::Power10 if self.thresh_cmp > 261_120 => 261_120,
            Generation::Power10 => self.thresh_cmp,
        }
    }
}

/// Displays the fields that are not zero, as terms joined by commas, from the
/// lowest bits to the highest: an event string, except for Linux's bits
/// (`ifm=…`, `bhrb`, `ebb`) and `reserved=…`, which are not in any format file.
impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut term = |f: &mut fmt::Formatter<'_>, name: &str, value: u64| {
            if value == 0 {
                return Ok(());
            }
            f.write_str(core::mem::replace(&mut separator, ","))?;
            match value {
                1..10 => write!(f, "{name}={value}"),
                _ => write!(f, "{name}={value:#x}"),
            }
        };
        let mut fields = *self;
        each_field!(fields, name, value => term(f, name, *value)?);
        term(f, "ifm", self.ifm)?;
        let names = ["reserved", "reserved1", "reserved2", "reserved3", "reserved4"];
        for (name, (_, bits)) in names.into_iter().zip(self.reserved.iter()) {
            term(f, name, bits)?;
        }
        for (name, set) in [("bhrb", self.bhrb), ("ebb", self.ebb)] {
            if set {
                write!(f, "{}{name}", core::mem::replace(&mut separator, ","))?;
            }
        }
        if separator.is_empty() {
            f.write_str("pmcxsel=0")?;
        }
        Ok(())
    }
}

/// The error for a field value that a code cannot contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// The largest value that fits; `None` if there is no such field.
    max: Option<u64>,
    field: &'static str,
    value: u64,
    generation: Generation,
}

/// The reason why a code cannot contain a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The generation has no such field.
    NoField,
    /// The field is too small for the value.
    TooLarge,
}

impl Error {
    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self.max {
            Some(_) => ErrorKind::TooLarge,
            None => ErrorKind::NoField,
        }
    }

    /// Returns the largest value that fits; `None` if the generation has no such field.
    #[must_use]
    pub const fn max(&self) -> Option<u64> {
        self.max
    }

    /// Returns the field.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        self.field
    }

    /// Returns the field's value.
    #[must_use]
    pub const fn value(&self) -> u64 {
        self.value
    }

    /// Returns the generation whose layout applies.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { max, field, value, generation } = self;
        match max {
            None => write!(f, "{generation} has no field `{field}`"),
            Some(max) => {
                write!(f, "{field}={value:#x} does not fit {generation}: at most {max:#x}")
            }
        }
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {}
