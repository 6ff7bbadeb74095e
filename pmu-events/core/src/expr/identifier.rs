//! Identifiers in expressions, plain and escaped.

use core::fmt::{self, Write as _};

/// The maximum length of an identifier in bytes, without its escapes.
pub const MAX_IDENTIFIER: usize = 255;

/// The name of an event or of a metric, an event with its PMU and terms, or a
/// CPUID, as `perf stat -e` accepts it, except for `?` in place of a run-time
/// parameter.
///
/// Expressions spell some of these characters differently ([`Spelling`]):
///
/// | expression | here |
/// |---|---|
/// | `INST_RETIRED.ANY` | `INST_RETIRED.ANY` |
/// | `topdown\-retiring` | `topdown-retiring` |
/// | `cpu@event\=0x3c\,cmask\=1@k` | `cpu/event=0x3c,cmask=1/k` |
/// | `hv_24x7@PM_PB_CYC\,chip\=?@` | `hv_24x7/PM_PB_CYC,chip=?/` |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identifier<'a>(&'a str);

impl<'a> Identifier<'a> {
    /// Makes an identifier from its plain text.
    #[must_use]
    pub const fn new(identifier: &'a str) -> Self {
        Identifier(identifier)
    }

    /// Returns the plain text.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.0
    }

    /// Whether the identifier contains a `?` for the run-time parameter, such
    /// as powerpc's chip (`tools/perf/arch/powerpc/util/header.c`).
    #[must_use]
    pub fn has_parameter(&self) -> bool {
        self.0.contains('?')
    }

    /// Displays the identifier with the parameter in place of each `?`: an
    /// event that `perf stat -e` accepts.
    ///
    /// ```
    /// use pmu_events::__private::expr::{self, TokenKind};
    ///
    /// let token = expr::tokens(r"hv_24x7@PM_PB_CYC\,chip\=?@").next().unwrap()?;
    /// let TokenKind::Identifier(spelling) = token.kind() else { unreachable!() };
    /// let event = spelling.with(|identifier| identifier.with_parameter(1).to_string());
    /// assert_eq!(event, "hv_24x7/PM_PB_CYC,chip=1/");
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    pub fn with_parameter(self, parameter: u32) -> impl fmt::Display + use<'a> {
        WithParameter { identifier: self, parameter }
    }

    /// Displays the identifier as an expression spells it.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let metric = x86::SAPPHIRERAPIDS.metric("tma_retiring").unwrap();
    /// let event = metric.events().next().unwrap();
    /// assert_eq!(event.as_str(), "topdown-retiring");
    /// assert_eq!(event.escaped().to_string(), r"topdown\-retiring");
    /// ```
    #[must_use]
    pub fn escaped(self) -> impl fmt::Display + use<'a> {
        Escaped(self)
    }
}

impl fmt::Display for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

struct WithParameter<'a> {
    identifier: Identifier<'a>,
    parameter: u32,
}

impl fmt::Display for WithParameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.identifier.0.chars().try_for_each(|c| match c {
            '?' => write!(f, "{}", self.parameter),
            c => f.write_char(c),
        })
    }
}

struct Escaped<'a>(Identifier<'a>);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.0.chars().try_for_each(|c| match c {
            '/' => f.write_char('@'),
            '-' | ',' | '=' => write!(f, "\\{c}"),
            c => f.write_char(c),
        })
    }
}

/// An [`Identifier`] as an expression spells it: `@` for `/`, and a backslash
/// before `-`, `,` and `=`.
///
/// Displays the plain identifier.
///
/// ```
/// use pmu_events::__private::expr::{self, TokenKind};
///
/// let token = expr::tokens(r"hv_24x7@PM_PB_CYC\,chip\=?@").next().unwrap()?;
/// let TokenKind::Identifier(spelling) = token.kind() else { unreachable!() };
/// assert_eq!(spelling.to_string(), "hv_24x7/PM_PB_CYC,chip=?/");
/// assert_eq!(spelling.escaped(), r"hv_24x7@PM_PB_CYC\,chip\=?@");
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spelling<'a> {
    text: &'a str,
    /// Whether the text contains neither escapes nor `@`.
    is_plain: bool,
}

impl<'a> Spelling<'a> {
    /// `None` if the plain identifier is too long.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        let escapes = text.bytes().filter(|&b| b == b'\\').count();
        let is_plain = escapes == 0 && !text.contains('@');
        (text.len() - escapes <= MAX_IDENTIFIER).then_some(Spelling { text, is_plain })
    }

    /// Returns the text as in the expression.
    #[must_use]
    pub const fn escaped(self) -> &'a str {
        self.text
    }

    /// Returns the identifier if it is spelled without escapes.
    #[must_use]
    pub const fn plain(self) -> Option<Identifier<'a>> {
        if self.is_plain { Some(Identifier(self.text)) } else { None }
    }

    /// Calls a function with the plain identifier.
    ///
    /// ```
    /// use pmu_events::__private::expr::{self, TokenKind};
    ///
    /// let token = expr::tokens(r"topdown\-retiring").next().unwrap()?;
    /// let TokenKind::Identifier(spelling) = token.kind() else { unreachable!() };
    /// assert!(spelling.with(|identifier| identifier.as_str() == "topdown-retiring"));
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[inline]
    pub fn with<T>(self, function: impl FnOnce(Identifier<'_>) -> T) -> T {
        match self.plain() {
            Some(identifier) => function(identifier),
            None => self.with_unescaped(function),
        }
    }

    #[cold]
    fn with_unescaped<T>(self, function: impl FnOnce(Identifier<'_>) -> T) -> T {
        let mut room = [0; MAX_IDENTIFIER];
        let mut len = 0;
        for (place, byte) in room.iter_mut().zip(self.bytes()) {
            *place = byte;
            len += 1;
        }
        // Only ASCII bytes are removed or replaced, and only by ASCII.
        function(Identifier(str::from_utf8(&room[..len]).unwrap_or_default()))
    }

    /// The bytes of the plain identifier. A backslash cannot be escaped, so
    /// each backslash is simply removed.
    fn bytes(self) -> impl Iterator<Item = u8> + use<'a> {
        let bytes = self.text.bytes().filter(|&b| b != b'\\');
        bytes.map(|b| if b == b'@' { b'/' } else { b })
    }
}

impl fmt::Display for Spelling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|identifier| identifier.fmt(f))
    }
}
