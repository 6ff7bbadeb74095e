//! All patterns of a map file, or all `Compat` patterns.
//!
//! The patterns are one automaton. Map files may have thousands of rows that
//! name one CPU each, in plain text, and in an automaton each of those would
//! need states of its own. Unless they are few, they are therefore sorted by
//! their bytes and found by binary search.

use super::automaton::{Automaton, Matches};
use crate::wire::record::LiteralRecord;
use crate::wire::{STEPPINGS, Section, Wire};

/// The patterns of a tree's map file or of its sys tables.
#[derive(Clone, Copy, Debug)]
pub struct Patterns<'a> {
    wire: &'a Wire<'a>,
    /// A [`LiteralRecord`] for each pattern that is plain text.
    literals: &'a [u8],
    automaton: Automaton<'a>,
    /// Whether some pattern matches the part before a stepping.
    steppings: bool,
}

impl<'a> Patterns<'a> {
    /// Returns the patterns that match a text.
    #[must_use]
    pub const fn matching(self, text: &str) -> Matching<'a> {
        let bytes = text.as_bytes();
        Matching {
            // A plain text that equals a CPUID has the same dashes, and so a
            // stepping if the CPUID has one.
            whole: self.literal(bytes),
            cut: match self.literals {
                [_, ..] if self.steppings => match before_stepping(bytes) {
                    Some(before) => self.literal(before),
                    None => None,
                },
                _ => None,
            },
            listed: self.automaton.matches(text),
        }
    }

    /// Returns the automaton of the patterns that are not plain text.
    #[doc(hidden)]
    #[must_use]
    pub const fn automaton(self) -> Automaton<'a> {
        self.automaton
    }

    /// The number of the pattern that equals this text.
    const fn literal(self, text: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.literals.len() / LiteralRecord::SIZE);
        // The prefix that the text shares with everything between both ends
        // need not be compared again: CPUIDs begin alike.
        let (mut low_shares, mut high_shares) = (0, 0);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = LiteralRecord::nth(self.literals, middle);
            let known = self.wire.str(record.text).as_bytes();
            let mut at = if low_shares < high_shares { low_shares } else { high_shares };
            while at < known.len() && at < text.len() && known[at] == text[at] {
                at += 1;
            }
            if at >= known.len() && at >= text.len() {
                return Some(record.number);
            }
            if at >= known.len() || (at < text.len() && known[at] < text[at]) {
                low = middle + 1;
                low_shares = at;
            } else {
                high = middle;
                high_shares = at;
            }
        }
        None
    }
}

impl Wire<'_> {
    /// Returns the map file's patterns, numbered by row.
    #[must_use]
    pub const fn cpuids(&self) -> Patterns<'_> {
        self.patterns(Section::CpuidLiterals, Section::Cpuids, self.has(STEPPINGS))
    }

    /// Returns the patterns of `cpus.csv`, numbered by row.
    #[must_use]
    pub const fn made(&self) -> Patterns<'_> {
        self.patterns(Section::MadeLiterals, Section::Made, self.has(STEPPINGS))
    }

    /// Returns the patterns of `fallback.csv`, numbered by row.
    #[must_use]
    pub const fn fallbacks(&self) -> Patterns<'_> {
        self.patterns(Section::FallbackLiterals, Section::Fallbacks, self.has(STEPPINGS))
    }

    /// Returns the `Compat` patterns.
    #[must_use]
    pub const fn compats(&self) -> Patterns<'_> {
        self.patterns(Section::CompatLiterals, Section::Compats, false)
    }

    const fn patterns(
        &self,
        literals: Section,
        automaton: Section,
        steppings: bool,
    ) -> Patterns<'_> {
        Patterns {
            wire: self,
            literals: self.section(literals),
            automaton: Automaton::new(self.section(automaton)),
            steppings,
        }
    }
}

/// The part before the stepping, which is what precedes the last of exactly
/// three dashes (`strcmp_cpuid_str` in `tools/perf/arch/x86/util/header.c`).
const fn before_stepping(cpuid: &[u8]) -> Option<&[u8]> {
    let (mut dashes, mut last, mut at) = (0, 0, 0);
    while at < cpuid.len() {
        if cpuid[at] == b'-' {
            dashes += 1;
            last = at;
        }
        at += 1;
    }
    if dashes == 3 { Some(cpuid.split_at(last).0) } else { None }
}

/// The patterns that match a text.
#[derive(Clone, Copy, Debug)]
pub struct Matching<'a> {
    whole: Option<u32>,
    cut: Option<u32>,
    listed: Matches<'a>,
}

impl Matching<'_> {
    /// Returns the first of them, in the order of the map file.
    #[must_use]
    pub const fn first(self) -> Option<u32> {
        lower(lower(self.whole, self.cut), self.listed.first())
    }

    /// Whether a pattern is among them.
    #[must_use]
    pub const fn contains(self, pattern: u32) -> bool {
        is(self.whole, pattern) || is(self.cut, pattern) || self.listed.contains(pattern)
    }
}

const fn lower(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(of_a), Some(of_b)) if of_b < of_a => b,
        (Some(_), _) => a,
        (None, _) => b,
    }
}

const fn is(number: Option<u32>, pattern: u32) -> bool {
    matches!(number, Some(number) if number == pattern)
}
