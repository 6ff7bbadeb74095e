use core::ops::Range;

use super::error::{Error, Fault, FoundToken, at};
use super::identifier::Spelling;
use super::item::MAX_DEPTH;
use super::item::{Function, Item, Operator, Query};
use super::token::{Token, TokenKind, Tokens, tokens};

/// Checks whether a text is a metric expression.
///
/// # Errors
///
/// Returns an error in the same cases as [`parse`].
///
/// ```
/// use pmu_events::__private::expr;
///
/// assert!(expr::check("d_ratio(uncore_imc@cas_count_read@ * 64, duration_time)").is_ok());
///
/// let error = expr::check("BAR/").unwrap_err();
/// assert_eq!(error.message().to_string(), "expected a value, found the end of the text");
/// assert_eq!(error.to_string(), "byte 4: expected a value, found the end of the text");
/// ```
pub fn check(text: &str) -> Result<(), Error> {
    parse(text, |_, _| {})
}

/// Parses a metric expression by the grammar of `tools/perf/util/expr.y` and
/// passes its items to `sink` in postfix order.
///
/// Operands are in the order of the text, so `a if c else b` produces `a`, `c`,
/// `b`, [`Item::IfElse`]; perf evaluates all three operands, too. Each item
/// comes with the byte range of its operator, `if`, function name or operand,
/// or, for a [`Query`], of its identifier.
///
/// Takes time linear in the length of the text and a fixed amount of stack.
///
/// # Errors
///
/// Returns the first error in the text. The sink has already received the items
/// before it.
///
/// ```
/// use pmu_events::__private::expr::{self, Item, Operator};
///
/// // Addition binds tighter than comparison, and comparison tighter than `&`.
/// let mut operators = Vec::new();
/// expr::parse("a + b < c & d", |item, span| {
///     if let Item::Binary(operator) = item {
///         operators.push((operator, span.start));
///     }
/// })?;
/// assert_eq!(operators, [(Operator::Add, 2), (Operator::Less, 6), (Operator::And, 10)]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
pub fn parse<'a>(
    text: &'a str,
    sink: impl FnMut(Item<Spelling<'a>>, Range<usize>),
) -> Result<(), Error> {
    let mut parser = Parser { tokens: tokens(text), waiting: Stack::new(), sink };
    loop {
        let identifier = parser.operand()?;
        if !parser.continues(identifier)? {
            return Ok(());
        }
    }
}

struct Parser<'a, S> {
    tokens: Tokens<'a>,
    waiting: Stack,
    sink: S,
}

impl<'a, S: FnMut(Item<Spelling<'a>>, Range<usize>)> Parser<'a, S> {
    /// Reads up to and including the next number, literal, identifier or query;
    /// returns the range of an identifier.
    fn operand(&mut self) -> Result<Option<Range<usize>>, Error> {
        loop {
            let Some(token) = self.token()? else {
                return Err(self.at_end(Fault::ExpectedOperand(FoundToken::End)));
            };
            let item = match token.kind {
                TokenKind::Open => {
                    self.push(Waiting::Open, &token)?;
                    continue;
                }
                TokenKind::Function(function) => {
                    self.open(function.name())?;
                    self.push(Waiting::Function { function, arguments: 1 }, &token)?;
                    continue;
                }
                TokenKind::Operator(Operator::Subtract) => {
                    self.push(Waiting::Negate, &token)?;
                    continue;
                }
                TokenKind::Number(number) => Item::Number(number),
                TokenKind::Literal(literal) => Item::Literal(literal),
                TokenKind::Query(query) => {
                    let (identifier, span) = self.argument(query)?;
                    self.emit(Item::Query(query, identifier), span);
                    return Ok(None);
                }
                TokenKind::Identifier(identifier) => {
                    if is_numeric(identifier.escaped()) {
                        return Err(error(Fault::MalformedNumber, &token));
                    }
                    self.emit(Item::Identifier(identifier), token.span.clone());
                    return Ok(Some(token.span));
                }
                kind => return Err(error(self.no_operand(kind), &token)),
            };
            self.emit(item, token.span);
            return Ok(None);
        }
    }

    /// Reads what follows an operand; returns whether another operand must
    /// follow.
    fn continues(&mut self, mut identifier: Option<Range<usize>>) -> Result<bool, Error> {
        loop {
            let Some(token) = self.token()? else {
                return self.finish().map(|()| false);
            };
            match token.kind {
                TokenKind::Operator(operator) => {
                    self.reduce(operator.precedence());
                    self.push(Waiting::Binary(operator), &token)?;
                    return Ok(true);
                }
                TokenKind::If => {
                    self.reduce(0);
                    if let Some(Waiting::If | Waiting::Function { .. }) = self.waiting.top() {
                        return Err(error(Fault::BareIf, &token));
                    }
                    self.push(Waiting::If, &token)?;
                    return Ok(true);
                }
                TokenKind::Else => {
                    self.reduce(0);
                    let Some(Waiting::If) = self.waiting.top() else {
                        return Err(error(Fault::UnexpectedElse, &token));
                    };
                    self.push(Waiting::Else, &token)?;
                    return Ok(true);
                }
                TokenKind::Comma => {
                    self.reduce_all();
                    self.next_argument(&token)?;
                    return Ok(true);
                }
                TokenKind::Close => {
                    self.reduce_all();
                    self.close(&token)?;
                    identifier = None;
                }
                TokenKind::Open => {
                    return Err(match identifier {
                        Some(span) => at(Fault::UnknownFunction, span.start, span.len()),
                        None => error(Fault::ExpectedOperator(FoundToken::Open), &token),
                    });
                }
                kind => return Err(error(Fault::ExpectedOperator(kind.into()), &token)),
            }
        }
    }

    /// The identifier between the parentheses of a query.
    fn argument(&mut self, query: Query) -> Result<(Spelling<'a>, Range<usize>), Error> {
        let function = query.name();
        let open = self.open(function)?;
        let Some(token) = self.token()? else {
            return Err(self.at_end(Fault::ExpectedIdentifier { function, found: FoundToken::End }));
        };
        let argument = match token.kind {
            TokenKind::Identifier(identifier) => (identifier, token.span),
            TokenKind::Close => {
                return Err(error(Fault::TooFewArguments { function, takes: 1 }, &token));
            }
            kind => {
                let found = kind.into();
                return Err(error(Fault::ExpectedIdentifier { function, found }, &token));
            }
        };
        let Some(token) = self.token()? else {
            return Err(error(Fault::Unclosed, &open));
        };
        match token.kind {
            TokenKind::Close => Ok(argument),
            TokenKind::Comma => Err(error(Fault::TooManyArguments { function, takes: 1 }, &token)),
            kind => {
                let found = kind.into();
                Err(error(Fault::ExpectedIdentifier { function, found }, &token))
            }
        }
    }

    /// The `(` after a function's name.
    fn open(&mut self, function: &'static str) -> Result<Token<'a>, Error> {
        match self.token()? {
            Some(token) if token.kind == TokenKind::Open => Ok(token),
            Some(token) => {
                let found = token.kind.into();
                Err(error(Fault::ExpectedArguments { function, found }, &token))
            }
            None => {
                let found = FoundToken::End;
                Err(self.at_end(Fault::ExpectedArguments { function, found }))
            }
        }
    }

    fn no_operand(&self, kind: TokenKind<'a>) -> Fault {
        match (kind, self.waiting.top()) {
            (TokenKind::Close, Some(Waiting::Function { function, .. })) => {
                Fault::TooFewArguments { function: function.name(), takes: function.arity() }
            }
            _ => Fault::ExpectedOperand(kind.into()),
        }
    }

    fn next_argument(&mut self, comma: &Token<'a>) -> Result<(), Error> {
        let kind = match self.waiting.top_mut() {
            Some(Waiting::Function { function, arguments }) => {
                if *arguments < function.arity() {
                    *arguments += 1;
                    return Ok(());
                }
                let (function, takes) = (function.name(), function.arity());
                Fault::TooManyArguments { function, takes }
            }
            Some(Waiting::If) => Fault::ExpectedElse(FoundToken::Comma),
            _ => Fault::UnexpectedComma,
        };
        Err(error(kind, comma))
    }

    fn close(&mut self, token: &Token<'a>) -> Result<(), Error> {
        let kind = match self.waiting.pop() {
            Some((Waiting::Open, _)) => return Ok(()),
            Some((Waiting::Function { function, arguments }, at)) => {
                if arguments == function.arity() {
                    self.emit(Item::Function(function), at..at + function.name().len());
                    return Ok(());
                }
                let (function, takes) = (function.name(), function.arity());
                Fault::TooFewArguments { function, takes }
            }
            Some((Waiting::If, _)) => Fault::ExpectedElse(FoundToken::Close),
            _ => Fault::Unopened,
        };
        Err(error(kind, token))
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.reduce_all();
        match self.waiting.pop() {
            None => Ok(()),
            Some((Waiting::If, _)) => Err(self.at_end(Fault::ExpectedElse(FoundToken::End))),
            Some((waiting, at)) => Err(super::error::at(Fault::Unclosed, at, waiting.len())),
        }
    }

    /// Emits the pending operators that bind at least as tightly as
    /// `precedence`; a sign binds tighter than any operator.
    fn reduce(&mut self, precedence: u8) {
        loop {
            let item = match self.waiting.top() {
                Some(Waiting::Negate) => Item::Negate,
                Some(Waiting::Binary(operator)) if operator.precedence() >= precedence => {
                    Item::Binary(operator)
                }
                _ => return,
            };
            if let Some((waiting, at)) = self.waiting.pop() {
                self.emit(item, at..at + waiting.len());
            }
        }
    }

    /// Emits everything that a `)`, a `,` or the end of the text completes.
    fn reduce_all(&mut self) {
        self.reduce(0);
        while let Some(Waiting::Else) = self.waiting.top() {
            self.waiting.pop();
            // The entry below an `else` is always an `if`.
            if let Some((waiting, at)) = self.waiting.pop() {
                self.emit(Item::IfElse, at..at + waiting.len());
            }
        }
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, Error> {
        self.tokens.next().transpose()
    }

    fn emit(&mut self, item: Item<Spelling<'a>>, span: Range<usize>) {
        (self.sink)(item, span);
    }

    fn push(&mut self, waiting: Waiting, token: &Token<'a>) -> Result<(), Error> {
        if self.waiting.push(waiting, token.span.start) {
            Ok(())
        } else {
            Err(error(Fault::TooDeep, token))
        }
    }

    fn at_end(&self, kind: Fault) -> Error {
        at(kind, self.tokens.end(), 0)
    }
}

fn error(kind: Fault, token: &Token<'_>) -> Error {
    at(kind, token.span.start, token.span.len())
}

/// Whether an identifier looks like a number, as in other languages or after a
/// typo. No event has such a name; as an argument, it may be an Arm CPUID.
fn is_numeric(identifier: &str) -> bool {
    let bytes = identifier.as_bytes();
    match bytes {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => {
            bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E'))
        }
        _ => false,
    }
}

/// A construct that is still open.
#[derive(Clone, Copy)]
enum Waiting {
    Binary(Operator),
    Negate,
    Open,
    Function {
        function: Function,
        arguments: u8,
    },
    If,
    /// Pushed on top of its `If`, so that each holds back one value.
    Else,
}

impl Waiting {
    const fn len(self) -> usize {
        match self {
            Self::Binary(_) | Self::Negate | Self::Open => 1,
            Self::Function { function, .. } => function.name().len(),
            Self::If => 2,
            Self::Else => 4,
        }
    }
}

/// The open constructs, each with the offset of its token; the last is on top.
struct Stack {
    entries: [(Waiting, usize); MAX_DEPTH],
    len: usize,
}

impl Stack {
    const fn new() -> Self {
        Self { entries: [(Waiting::Open, 0); MAX_DEPTH], len: 0 }
    }

    #[must_use]
    fn push(&mut self, waiting: Waiting, at: usize) -> bool {
        let Some(free) = self.entries.get_mut(self.len) else {
            return false;
        };
        *free = (waiting, at);
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<(Waiting, usize)> {
        self.len = self.len.checked_sub(1)?;
        self.entries.get(self.len).copied()
    }

    fn top(&self) -> Option<Waiting> {
        Some(self.entries.get(self.len.checked_sub(1)?)?.0)
    }

    fn top_mut(&mut self) -> Option<&mut Waiting> {
        Some(&mut self.entries.get_mut(self.len.checked_sub(1)?)?.0)
    }
}
