extern crate std;

use core::ops::Range;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::error::FoundToken;
use super::item::{literal_name, literal_named};
use super::*;
use crate::event_list::Tool;
use crate::located::{self, Error};

/// The items, separated by blanks; `~` is the sign, `?` is `if … else`.
fn postfix(text: &str) -> Result<String, Error> {
    let mut items = Vec::new();
    parse(text, |item, span| {
        items.push(match item {
            Item::Number(number) => number.to_string(),
            Item::Literal(literal) => literal_name(literal).to_string(),
            Item::Identifier(identifier) => identifier.to_string(),
            Item::Query(query, identifier) => format!("{}:{identifier}", query.name()),
            Item::Negate => "~".to_string(),
            Item::Binary(operator) => operator.symbol().to_string(),
            Item::Function(function) => function.name().to_string(),
            Item::IfElse => "?".to_string(),
        });
        let source = &text[span];
        match item {
            Item::Identifier(identifier) | Item::Query(_, identifier) => {
                assert_eq!(source, identifier.escaped());
            }
            Item::Negate => assert_eq!(source, "-"),
            Item::IfElse => assert_eq!(source, "if"),
            Item::Binary(_) | Item::Function(_) => {
                assert_eq!(Some(source), items.last().map(String::as_str));
            }
            Item::Number(_) | Item::Literal(_) => {}
        }
    })?;
    Ok(items.join(" "))
}

#[test]
fn order_of_items() {
    for (text, expected) in [
        ("1", "1"),
        ("a\n", "a"),
        ("1 - -4", "1 4 ~ -"),
        ("--a", "a ~ ~"),
        ("-a*b", "a ~ b *"),
        ("a - b - c", "a b - c -"),
        ("8 / 2 / 2", "8 2 / 2 /"),
        ("a * b % c", "a b * c %"),
        ("a + b * c - d", "a b c * + d -"),
        ("1 < 2 < 3", "1 2 < 3 <"),
        ("a < b & c > d | e ^ f", "a b < c d > & e f ^ |"),
        ("a | b & c", "a b c & |"),
        ("a ^ b & c", "a b c & ^"),
        ("a + b < c", "a b + c <"),
        ("(a + b) * c", "a b + c *"),
        ("-(a + b)", "a b + ~"),
        ("min(1,2) + 1", "1 2 min 1 +"),
        ("max(a + b, -c)", "a b + c ~ max"),
        ("d_ratio(min(a, b), max(c, d))", "a b min c d max d_ratio"),
        ("a if b else c", "a b c ?"),
        ("1+1 if 3*4 else 0", "1 1 + 3 4 * 0 ?"),
        ("a if b else c if d else e", "a b c d e ? ?"),
        ("(a if b else c) if d else e", "a b c ? d e ?"),
        ("a if (b if c else d) else e", "a b c d ? e ?"),
        ("a | b if c | d else e | f", "a b | c d | e f | ?"),
        ("(1 if 1 else 2) + 1", "1 1 2 ? 1 +"),
        ("min((a if b else c), d)", "a b c ? d min"),
        ("1e3*#slots", "1000 #slots *"),
        ("NaN", "NaN"),
        ("source_count(a) + b", "source_count:a b +"),
        ("aggr_nr(a)", "aggr_nr:a"),
        ("a if has_event( a ) else 0", "a has_event:a 0 ?"),
        ("strcmp_cpuid_str(0x410fd490)", "strcmp_cpuid_str:0x410fd490"),
        (r"strcmp_cpuid_str(GenuineIntel\-6\-8D)", "strcmp_cpuid_str:GenuineIntel-6-8D"),
        (
            r"cpu@event\=0x3c\,umask\=0x1@/duration_time",
            "cpu/event=0x3c,umask=0x1/ duration_time /",
        ),
        (r"topdown\-fe\-bound/(a\-b - c-d)", "topdown-fe-bound a-b c - d - /"),
        ("if_a if else_b else min_c", "if_a else_b min_c ?"),
    ] {
        assert_eq!(postfix(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn faults() {
    use Fault::*;
    const MIN: &str = "min";
    const HAS: &str = "has_event";
    let operator = FoundToken::Operator;
    let cases: &[(&str, Fault, Range<usize>)] = &[
        ("", ExpectedOperand(FoundToken::End), 0..0),
        (" \t", ExpectedOperand(FoundToken::End), 2..2),
        ("BAR/", ExpectedOperand(FoundToken::End), 4..4),
        ("()", ExpectedOperand(FoundToken::Close), 1..2),
        ("a + * b", ExpectedOperand(operator(Operator::Multiply)), 4..5),
        ("+a", ExpectedOperand(operator(Operator::Add)), 0..1),
        ("a && b", ExpectedOperand(operator(Operator::And)), 3..4),
        ("a // b", ExpectedOperand(operator(Operator::Divide)), 3..4),
        ("if a else b", ExpectedOperand(FoundToken::If), 0..2),
        ("a if else b", ExpectedOperand(FoundToken::Else), 5..9),
        ("FOO BAR", ExpectedOperator(FoundToken::Identifier), 4..7),
        ("a 1", ExpectedOperator(FoundToken::Number), 2..3),
        ("1e-3.5", ExpectedOperator(FoundToken::Number), 4..6),
        ("a #slots", ExpectedOperator(FoundToken::Literal), 2..8),
        ("a min(b, c)", ExpectedOperator(FoundToken::Function(MIN)), 2..5),
        ("2(a)", ExpectedOperator(FoundToken::Open), 1..2),
        ("(a)(b)", ExpectedOperator(FoundToken::Open), 3..4),
        ("a if b", ExpectedElse(FoundToken::End), 6..6),
        ("(a if b)", ExpectedElse(FoundToken::Close), 7..8),
        ("a if b, c", ExpectedElse(FoundToken::Comma), 6..7),
        ("a else b", UnexpectedElse, 2..6),
        ("a if b else c else d", UnexpectedElse, 14..18),
        ("(a else b)", UnexpectedElse, 3..7),
        ("min(a if b else c, d)", BareIf, 6..8),
        ("a if b if c else d else e", BareIf, 7..9),
        ("(a + b", Unclosed, 0..1),
        ("1 + max(a, b", Unclosed, 4..7),
        ("has_event(a", Unclosed, 9..10),
        ("a)", Unopened, 1..2),
        ("a, b", UnexpectedComma, 1..2),
        ("(a, b)", UnexpectedComma, 2..3),
        ("select(a, b, c)", UnknownFunction, 0..6),
        ("1 + Min (a, b)", UnknownFunction, 4..7),
        ("min", ExpectedArguments { function: MIN, found: FoundToken::End }, 3..3),
        ("min + a", ExpectedArguments { function: MIN, found: operator(Operator::Add) }, 4..5),
        ("min()", TooFewArguments { function: MIN, takes: 2 }, 4..5),
        ("min(1)", TooFewArguments { function: MIN, takes: 2 }, 5..6),
        ("min(a,)", TooFewArguments { function: MIN, takes: 2 }, 6..7),
        ("min(a,b,c)", TooManyArguments { function: MIN, takes: 2 }, 7..8),
        ("has_event()", TooFewArguments { function: HAS, takes: 1 }, 10..11),
        ("has_event(a, b)", TooManyArguments { function: HAS, takes: 1 }, 11..12),
        ("has_event", ExpectedArguments { function: HAS, found: FoundToken::End }, 9..9),
        ("has_event(", ExpectedIdentifier { function: HAS, found: FoundToken::End }, 10..10),
        ("has_event(1)", ExpectedIdentifier { function: HAS, found: FoundToken::Number }, 10..11),
        ("has_event((a))", ExpectedIdentifier { function: HAS, found: FoundToken::Open }, 10..11),
        (
            "has_event(a-b)",
            ExpectedIdentifier { function: HAS, found: operator(Operator::Subtract) },
            11..12,
        ),
        ("a <= b", UnknownOperator("<="), 2..4),
        ("a >= b", UnknownOperator(">="), 2..4),
        ("a == b", UnknownOperator("=="), 2..4),
        ("a != b", UnknownOperator("!="), 2..4),
        ("!a", UnexpectedCharacter('!'), 0..1),
        ("a = b", UnexpectedCharacter('='), 2..3),
        ("a + µ", UnexpectedCharacter('µ'), 4..6),
        ("#", UnexpectedCharacter('#'), 0..1),
        ("a\0", UnexpectedCharacter('\0'), 1..2),
        (r"a\/b", Escape, 1..2),
        (r"a\", Escape, 1..2),
        ("#smt", UnknownLiteral, 0..4),
        ("#slots-1", UnknownLiteral, 0..8),
        ("1e+3", MalformedNumber, 0..2),
        ("1E3", MalformedNumber, 0..3),
        ("0x10", MalformedNumber, 0..4),
        ("a + 1.2.3", MalformedNumber, 4..9),
        ("1e999", NumberOutOfRange, 0..5),
        ("0.1e-400", NumberOutOfRange, 0..8),
    ];
    for (text, kind, span) in cases {
        let error = check(text).expect_err(text);
        assert_eq!(
            (error.fault(), error.span()),
            (located::Fault::Expression(*kind), span.clone()),
            "{text}: {error}"
        );
    }
}

#[test]
fn messages() {
    for (text, message) in [
        ("a + ", "byte 4: expected a value, found the end of the text"),
        ("min(a)", "byte 5: too few arguments: `min` takes 2"),
        ("has_event(1)", "byte 10: expected an identifier in `has_event(…)`, found a number"),
        ("a ! b", "byte 2: unexpected character '!'"),
        ("a if b * c", "byte 10: expected `else`, found the end of the text"),
        ("a + / b", "byte 4: expected a value, found `/`"),
    ] {
        assert_eq!(check(text).expect_err(text).to_string(), message);
    }
}

#[test]
fn numbers() {
    for (text, value) in [
        ("0", 0.0),
        ("007", 7.0),
        ("2.", 2.0),
        (".1", 0.1),
        ("1.5e-3", 1.5e-3),
        ("2.e2", 200.0),
        ("0e-999", 0.0),
        ("1.7976931348623157e308", f64::MAX),
        ("5e-324", 5e-324),
    ] {
        let kinds: Vec<_> = tokens(text).map(|token| token.map(|token| token.kind)).collect();
        assert_eq!(kinds, [Ok(TokenKind::Number(value))], "{text}");
    }
}

#[test]
fn words() {
    for text in [
        "4k_pages",
        "1e",
        "1E3",
        "1e3e",
        "0x3c",
        "..",
        ".5.",
        ".",
        "?",
        "@",
        ":",
        "_",
        r"\-",
        r"1\-2",
        "a.b:u",
        "NAN",
        "nan",
        "IF",
        "mini",
        "has_event.x",
        r"uncore_imc_0@event\=0x4\,umask\=?@",
    ] {
        let kinds: Vec<_> = tokens(text).map(|token| token.map(|token| token.kind)).collect();
        let identifier = Spelling::new(text).expect("none is too long");
        assert_eq!(kinds, [Ok(TokenKind::Identifier(identifier))], "{text}");
    }
}

#[test]
fn spans_of_tokens() {
    for (text, expected) in [
        ("1e-9*a", &["1e-9", "*", "a"][..]),
        ("1e-x", &["1e", "-", "x"]),
        ("1e3-2", &["1e3", "-", "2"]),
        ("1.5e-3b", &["1.5e-3", "b"]),
        ("a-b", &["a", "-", "b"]),
        ("  (a,b) ", &["(", "a", ",", "b", ")"]),
        ("#num_cpus/2", &["#num_cpus", "/", "2"]),
        ("a!b", &["a", "!", "b"]),
        ("a≤b", &["a", "≤", "b"]),
    ] {
        let spans = tokens(text).map(|token| match token {
            Ok(token) => &text[token.span],
            Err(error) => &text[error.span()],
        });
        assert_eq!(spans.collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn literals() {
    for name in [
        "#num_cpus",
        "#num_cpus_online",
        "#num_cores",
        "#num_dies",
        "#num_packages",
        "#smt_on",
        "#core_wide",
        "#system_tsc_freq",
        "#slots",
        "#has_pmem",
        "#target_cpu",
    ] {
        assert_eq!(literal_named(name).map(literal_name), Some(name));
        assert_eq!(postfix(name).as_deref(), Ok(name));
    }
    assert_eq!(literal_named("#SYSTEM_TSC_FREQ"), Some(Tool::SystemTscFreq));
    assert_eq!(literal_named("#Num_Cpus"), None);
    assert_eq!(literal_named("slots"), None);
}

#[test]
fn identifiers() {
    let written = |text: &'static str| {
        let token = tokens(text).next().expect("it is not empty").expect(text);
        assert_eq!(token.span, 0..text.len(), "{text}");
        match token.kind {
            TokenKind::Identifier(spelling) => spelling,
            kind => panic!("{text}: {kind:?}"),
        }
    };
    for (text, meant, of_7) in [
        ("a", "a", "a"),
        ("INST_RETIRED.ANY:u", "INST_RETIRED.ANY:u", "INST_RETIRED.ANY:u"),
        (r"topdown\-retiring", "topdown-retiring", "topdown-retiring"),
        (r"\-\-", "--", "--"),
        (r"a\,", "a,", "a,"),
        ("cpu@cycles@", "cpu/cycles/", "cpu/cycles/"),
        (r"cpu@event\=0x3c\,inv@k", "cpu/event=0x3c,inv/k", "cpu/event=0x3c,inv/k"),
        (r"a@b\,c\=?\,d\=?@", "a/b,c=?,d=?/", "a/b,c=7,d=7/"),
    ] {
        let spelling = written(text);
        assert_eq!(spelling.escaped(), text);
        assert_eq!(spelling.to_string(), meant);
        assert_eq!(spelling.plain().is_some(), text == meant, "{text}");
        spelling.with(|identifier| {
            assert_eq!(identifier, Identifier::new(meant));
            assert_eq!((identifier.as_str(), &*identifier.to_string()), (meant, meant));
            assert_eq!(identifier.with_parameter(7).to_string(), of_7);
            assert_eq!(identifier.escaped().to_string(), text);
            assert_eq!(identifier.has_parameter(), meant != of_7, "{text}");
        });
    }
}

/// Escapes are not required. Arrow Lake's metrics contain such a `=`; outside a
/// PMU it is not part of any token.
#[test]
fn equals_signs_that_are_not_escaped() {
    let named = |text: &str| {
        let token = tokens(text).next().expect("there is one").expect("it is an identifier");
        let TokenKind::Identifier(spelling) = token.kind else { panic!("{text}") };
        (spelling.with(|identifier| identifier.to_string()), token.span)
    };
    let cases = [
        (r"msr@tsc\,cpu=cpu_core@ / 2", "msr/tsc,cpu=cpu_core/", 0..22),
        (r"msr@tsc\,cpu\=cpu_core@ / 2", "msr/tsc,cpu=cpu_core/", 0..23),
        ("cpu=cpu_core", "cpu", 0..3),
        ("a@b@=c", "a/b/", 0..4),
        ("a@b== c@", "a/b", 0..3),
    ];
    for (text, expected, span) in cases {
        assert_eq!(named(text), (expected.to_string(), span), "{text}");
    }
}

const LONG: located::Fault = located::Fault::Expression(Fault::LongIdentifier);
const TOO_DEEP: located::Fault = located::Fault::Expression(Fault::TooDeep);

#[test]
fn long_identifiers() {
    for piece in ["a", r"\-", "@", "?"] {
        let fits = piece.repeat(MAX_IDENTIFIER);
        assert_eq!(check(&fits), Ok(()), "{piece}");
        assert_eq!(postfix(&fits).map(|items| items.len()), Ok(MAX_IDENTIFIER), "{piece}");
        let long = format!("a + {fits}b");
        let error = check(&long).expect_err(piece);
        assert_eq!((error.fault(), error.span()), (LONG, 4..long.len()));
        let asked = check(&format!("has_event({fits}b)")).expect_err(piece);
        assert_eq!((asked.fault(), asked.span().start), (LONG, 10));
    }
}

#[test]
fn depth() {
    let kind = |text: &str| check(text).map_err(|error| (error.fault(), error.span().start));
    for (open, close) in [("(", ")"), ("-", ""), ("a|b^c&d<e+f*(", ")"), ("min(a,", ")")] {
        let text = |times: usize| format!("{}a{}", open.repeat(times), close.repeat(times));
        let each = if open.len() > 6 { 7 } else { 1 };
        assert_eq!(kind(&text(MAX_DEPTH / each)), Ok(()), "{open}");
        let (kind, _) = kind(&text(MAX_DEPTH / each + 1)).expect_err(open);
        assert_eq!(kind, TOO_DEEP, "{open}");
    }
    let chain = |links: usize| format!("{}c", "a if b else ".repeat(links));
    assert_eq!(kind(&chain(MAX_DEPTH / 2)), Ok(()));
    let offset = chain(MAX_DEPTH / 2).len() + 1;
    assert_eq!(kind(&chain(MAX_DEPTH / 2 + 1)), Err((TOO_DEEP, offset)));
    // Only open constructs count.
    assert_eq!(kind(&format!("{}a", "a + (b) * c - ".repeat(10_000))), Ok(()));
}

/// Runs the items on a stack of texts with every operation in parentheses.
fn parenthesised(text: &str) -> Result<String, Error> {
    let mut values: Vec<String> = Vec::new();
    let mut most = 0;
    parse(text, |item, span| {
        let source = &text[span];
        let mut pop = || values.pop().expect("a value");
        let value = match item {
            Item::Number(_) | Item::Literal(_) | Item::Identifier(_) => source.to_string(),
            Item::Query(query, _) => format!("{}({source})", query.name()),
            Item::Negate => format!("(-{})", pop()),
            Item::Binary(_) => {
                let right = pop();
                format!("({} {source} {right})", pop())
            }
            Item::Function(_) => {
                let last = pop();
                format!("{source}({},{last})", pop())
            }
            Item::IfElse => {
                let (otherwise, condition) = (pop(), pop());
                format!("({} if {condition} else {otherwise})", pop())
            }
        };
        values.push(value);
        most = most.max(values.len());
    })?;
    assert!(most <= MAX_DEPTH + 1);
    let value = values.pop().expect("a result");
    assert!(values.is_empty());
    Ok(value)
}

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        // Knuth's MMIX generator; its low bits are poor.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(super) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .pick(&["a", "1", ".5", "1e-9", "#slots", r"x\-y", "has_event(q)"])
                .to_string();
        }
        let mut part = || self.expression_within(depth);
        let (a, b, c) = (part(), part(), part());
        match self.below(8) {
            0 => format!("-{a}"),
            1 => format!("({a} if {b} else {c})"),
            2 => format!("({a})"),
            3 => format!("{}({a},{b})", self.pick(&["min", "max", "d_ratio"])),
            _ => {
                let operator = self.pick(&["|", "^", "&", "<", ">", "+", "-", "*", "/", "%"]);
                format!("{a} {operator}{b}")
            }
        }
    }

    fn expression_within(&mut self, depth: usize) -> String {
        let depth = self.below(depth);
        self.expression(depth)
    }
}

#[test]
fn parentheses_change_nothing() {
    let mut random = Random(1);
    for _ in 0..2_000 {
        let text = random.expression(5);
        let inner = parenthesised(&text).expect(&text);
        assert_eq!(postfix(&inner), postfix(&text), "{text}");
    }
}

#[test]
fn no_text_panics() {
    const PIECES: &[&str] = &[
        "1",
        "9",
        ".",
        "e",
        "e-",
        "0x",
        "a",
        "b.c",
        "\\",
        "\\-",
        "@",
        "?",
        "#",
        "#slots",
        "+",
        "-",
        "*",
        "/",
        "%",
        "|",
        "^",
        "&",
        "<",
        ">",
        "=",
        "!",
        "(",
        ")",
        ",",
        " ",
        "\n",
        "\0",
        "é",
        "𝄞",
        "if",
        " if ",
        "else",
        " else ",
        "min",
        "max(",
        "has_event(",
        "NaN",
    ];
    let mut random = Random(2);
    for _ in 0..20_000 {
        let text: String = (0..random.below(16)).map(|_| random.pick(PIECES)).collect();
        let mut end = 0;
        let mut faults = 0;
        for token in tokens(&text) {
            let span = match token {
                Ok(token) => token.span,
                Err(error) => {
                    faults += 1;
                    error.span()
                }
            };
            assert!(!text[span.clone()].is_empty());
            assert!(text[end..span.start].trim().is_empty());
            end = span.end;
        }
        match parenthesised(&text) {
            Ok(inner) => {
                assert_eq!(faults, 0);
                assert_eq!(postfix(&inner), postfix(&text), "{text}");
            }
            Err(error) => assert!(text.get(error.span()).is_some(), "{text}"),
        }
    }
}
