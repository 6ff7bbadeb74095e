//! The expressions of formats, which are those of C.

/// What is computed of a tracepoint's data.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(u64),
    /// A constant of the kernel whose value the format does not have; perf takes it for 0.
    Unknown,
    Text(String),
    /// `REC->name`
    Field(String),
    /// An element of a field.
    Element(String, Box<Expression>),
    /// Cut to some bits, with a sign or without.
    Cast {
        bits: u32,
        is_signed: bool,
        of: Box<Expression>,
    },
    Unary(char, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Choice(Box<[Expression; 3]>),
    /// A function of the kernel.
    Call(String, Vec<Expression>),
    /// `{ value, "name" }`
    Pair(Box<Expression>, Box<Expression>),
}

/// Expressions joined by commas, to the end of a text; `None` if one is not understood.
pub(super) fn arguments(text: &str) -> Option<Vec<Expression>> {
    let mut parser = Parser { rest: text, depth: 0 };
    let all = parser.list()?;
    parser.skip();
    parser.rest.is_empty().then_some(all)
}

/// By how closely they bind.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// Deeper than any format; a hostile one could be as deep as it is long.
    const DEEPEST: usize = 64;

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn list(&mut self) -> Option<Vec<Expression>> {
        let mut all = vec![self.expression()?];
        while self.take(",") {
            all.push(self.expression()?);
        }
        Some(all)
    }

    fn expression(&mut self) -> Option<Expression> {
        if self.depth >= Self::DEEPEST {
            return None;
        }
        self.depth += 1;
        let answer = self.choice();
        self.depth -= 1;
        answer
    }

    fn choice(&mut self) -> Option<Expression> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Some(condition);
        }
        let first = self.expression()?;
        if !self.take(":") {
            return None;
        }
        Some(Expression::Choice(Box::new([condition, first, self.expression()?])))
    }

    fn binary(&mut self, level: usize) -> Option<Expression> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    /// One of some operators, which is not the beginning of a longer one.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.skip();
        let all = OPERATORS.iter().copied().flatten();
        let longest = all.filter(|one| self.rest.starts_with(**one)).max_by_key(|one| one.len())?;
        let found = operators.iter().find(|one| *one == longest)?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    fn unary(&mut self) -> Option<Expression> {
        if self.depth >= Self::DEEPEST {
            return None;
        }
        for operator in ['-', '!', '~', '+'] {
            if self.take(operator.encode_utf8(&mut [0; 4])) {
                self.depth += 1;
                let of = self.unary();
                self.depth -= 1;
                return Some(Expression::Unary(operator, Box::new(of?)));
            }
        }
        if let Some((bits, is_signed)) = self.cast() {
            self.depth += 1;
            let of = self.unary();
            self.depth -= 1;
            let of = Box::new(of?);
            return Some(Expression::Cast { bits, is_signed, of });
        }
        self.primary()
    }

    /// `(unsigned int)`: how many bits, and whether there is a sign.
    fn cast(&mut self) -> Option<(u32, bool)> {
        self.skip();
        let (inner, rest) = self.rest.strip_prefix('(')?.split_once(')')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ' ' || c == '*';
        let inner = inner.trim();
        // A number or a name of a constant in parentheses is no type.
        if inner.is_empty()
            || !inner.chars().all(is_name)
            || inner.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let words: Vec<&str> = inner.split_whitespace().collect();
        let has = |word: &str| words.contains(&word);
        let is_unsigned = has("unsigned") || inner.starts_with(['u']) || inner.starts_with("__u");
        let bits = match words.last().copied()? {
            last if last.ends_with('*') => 64,
            "char" | "u8" | "__u8" | "s8" | "bool" => 8,
            "short" | "u16" | "__u16" | "s16" => 16,
            "int" | "unsigned" | "u32" | "__u32" | "s32" | "pid_t" | "uid_t" => 32,
            "long" | "u64" | "__u64" | "s64" | "size_t" => 64,
            // `gfp_t` and the like: what follows must be an operand.
            last if last.ends_with("_t") => 64,
            _ => return None,
        };
        self.rest = rest;
        Some((bits, !is_unsigned && bits < 64))
    }

    fn primary(&mut self) -> Option<Expression> {
        self.skip();
        if self.take("(") {
            let inner = self.expression()?;
            return self.take(")").then_some(inner);
        }
        if self.take("{") {
            let value = self.expression()?;
            let name = self.take(",").then(|| self.expression())??;
            // Of three, as `TRACE_DEFINE_SIZEOF` makes none, the third is left out.
            return self.take("}").then(|| Expression::Pair(Box::new(value), Box::new(name)));
        }
        if self.rest.starts_with('"') {
            return self.text();
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        if self.take("REC->") {
            let name = self.name()?.to_owned();
            if !self.take("[") {
                return Some(Expression::Field(name));
            }
            let index = self.expression()?;
            return self.take("]").then(|| Expression::Element(name, Box::new(index)));
        }
        let name = self.name()?.to_owned();
        if !self.take("(") {
            return Some(Expression::Unknown);
        }
        if self.take(")") {
            return Some(Expression::Call(name, Vec::new()));
        }
        // The name of a field, without `REC->`.
        let is_of_field = matches!(
            name.as_str(),
            "__get_str"
                | "__get_rel_str"
                | "__get_dynamic_array_len"
                | "__get_rel_dynamic_array_len"
        );
        let arguments = match is_of_field {
            true => vec![Expression::Field(self.name()?.to_owned())],
            false => self.list()?,
        };
        self.take(")").then_some(Expression::Call(name, arguments))
    }

    fn name(&mut self) -> Option<&'t str> {
        self.skip();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    fn number(&mut self) -> Option<Expression> {
        let word = self.name()?;
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let number = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
            (Some(hex), _) => u64::from_str_radix(hex, 16),
            (None, Some(octal)) if !octal.is_empty() => u64::from_str_radix(octal, 8),
            _ => digits.parse(),
        };
        number.ok().map(Expression::Number)
    }

    /// One or more strings, which C joins.
    fn text(&mut self) -> Option<Expression> {
        let mut text = String::new();
        while self.take("\"") {
            let mut letters = self.rest.char_indices();
            loop {
                let (at, letter) = letters.next()?;
                match letter {
                    '"' => {
                        self.rest = &self.rest[at + 1..];
                        break;
                    }
                    '\\' => text.push(match letters.next()?.1 {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    }),
                    letter => text.push(letter),
                }
            }
        }
        Some(Expression::Text(text))
    }
}
