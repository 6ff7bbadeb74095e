/// How a pattern of a map file is compared with a CPUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchRule {
    /// A POSIX extended regular expression that must match the whole CPUID,
    /// without its stepping if the pattern has none. A pattern with a stepping
    /// (exactly three dashes in its text) never matches a CPUID without one
    /// (`tools/perf/arch/x86/util/header.c`).
    X86,
    /// Not a regular expression but a comparison of MIDR_EL1: all fields except
    /// variant and revision must be equal, and those two must not be lower than
    /// the row's (`tools/perf/arch/arm64/util/header.c`).
    Arm64,
    /// A POSIX extended regular expression that must match the whole
    /// identifier (`tools/perf/util/header.c`).
    Whole,
}

impl MatchRule {
    /// Returns the rule of an architecture, by the name of its directory.
    ///
    /// ```
    /// use pmu_events::__private::cpuid::MatchRule;
    ///
    /// assert_eq!(MatchRule::of_arch("x86"), MatchRule::X86);
    /// assert_eq!(MatchRule::of_arch("s390"), MatchRule::Whole);
    /// ```
    #[must_use]
    pub const fn of_arch(arch: &str) -> Self {
        match arch.as_bytes() {
            b"x86" => MatchRule::X86,
            b"arm64" => MatchRule::Arm64,
            _ => MatchRule::Whole,
        }
    }
}
