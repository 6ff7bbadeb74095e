//! Texts of formulas, evaluated while they are read.

/// What a name has for a value.
pub(super) type Names<'n> = &'n mut dyn FnMut(&str) -> Result<f64, String>;

/// The value of a text.
///
/// # Errors
///
/// Says what is not understood.
pub(super) fn value(text: &str, names: Names<'_>) -> Result<f64, String> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, names };
    let value = reader.choice()?;
    match reader.tokens {
        [] => Ok(value),
        [token, ..] => Err(format!("`{token}` is unexpected")),
    }
}

fn tokens(text: &str) -> Result<Vec<&str>, String> {
    // perfmon's have `> =`, too.
    const OPERATORS: [&str; 18] = [
        "> =", "< =", ">=", "<=", "==", "&&", "||", "&", "|", "<", ">", "+", "-", "*", "/", "(",
        ")", ",",
    ];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.:=[]".contains(c);
        let length = if first.is_ascii_digit() {
            let bytes = rest.as_bytes();
            let is_part = |at: usize| {
                let c = bytes[at];
                c.is_ascii_digit()
                    || b".e".contains(&c)
                    || c == b'-' && at > 0 && bytes[at - 1] == b'e'
            };
            (0..rest.len()).find(|&at| !is_part(at)).unwrap_or(rest.len())
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            let found = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            found.ok_or_else(|| format!("`{first}` is unexpected"))?.len()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Reader<'t, 'n> {
    tokens: &'t [&'t str],
    names: Names<'n>,
}

impl Reader<'_, '_> {
    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.tokens.first() == Some(&token);
        self.tokens = &self.tokens[usize::from(is_next)..];
        is_next
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.takes(token) { Ok(()) } else { Err(format!("`{token}` is missing")) }
    }

    fn choice(&mut self) -> Result<f64, String> {
        let value = self.binary(0)?;
        if !self.takes("if") {
            return Ok(value);
        }
        let condition = self.binary(0)?;
        self.expect("else")?;
        let otherwise = self.choice()?;
        Ok(if condition == 0.0 { otherwise } else { value })
    }

    fn binary(&mut self, level: usize) -> Result<f64, String> {
        const LEVELS: [&[&str]; 5] = [
            &["||", "|"],
            &["&&", "&"],
            &["<", ">", ">=", "> =", "<=", "< =", "=="],
            &["+", "-"],
            &["*", "/"],
        ];
        let Some(operators) = LEVELS.get(level) else {
            return self.operand();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(&operator) = self.tokens.first().filter(|token| operators.contains(token)) {
            self.tokens = &self.tokens[1..];
            let right = self.binary(level + 1)?;
            let truth = |is: bool| f64::from(u8::from(is));
            left = match operator {
                "||" | "|" => truth(left != 0.0 || right != 0.0),
                "&&" | "&" => truth(left != 0.0 && right != 0.0),
                "<" => truth(left < right),
                ">" => truth(left > right),
                ">=" | "> =" => truth(left >= right),
                "<=" | "< =" => truth(left <= right),
                "==" => truth(left == right),
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                // As perf has it.
                _ if right == 0.0 => f64::NAN,
                _ => left / right,
            };
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<f64, String> {
        let Some((&token, rest)) = self.tokens.split_first() else {
            return Err("the text ends early".to_owned());
        };
        self.tokens = rest;
        match token {
            "(" => {
                let inner = self.choice()?;
                self.expect(")")?;
                Ok(inner)
            }
            "min" | "max" => {
                self.expect("(")?;
                let first = self.choice()?;
                self.expect(",")?;
                let second = self.choice()?;
                self.expect(")")?;
                Ok(if token == "min" { first.min(second) } else { first.max(second) })
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                token.parse().map_err(|_| format!("`{token}` is no number"))
            }
            _ if token.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) => {
                (self.names)(token)
            }
            _ => Err(format!("`{token}` is unexpected")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn texts() {
        let cases = [
            ("1 + 2 * 3 - 4 / 2", 5.0),
            ("1 - 2 - 3", -4.0),
            ("2 * ( 1 + 2 )", 6.0),
            ("a.b:c1 if 1 > = 1 else 9", 6.0),
            ("1 if 0 else 2 if 0 else 3", 3.0),
            ("max( 1 , min( 5, 1e-9 ) )", 1.0),
            ("( 1 < 2 ) & ( 3 < 2 ) | 1", 1.0),
            ("1000000000 / 1e9", 1.0),
        ];
        for (text, expected) in cases {
            let found = value(text, &mut |name| Ok(name.len() as f64));
            assert_eq!(found, Ok(expected), "{text}");
        }
        for text in ["", "1 +", "( 1", "max(1)", "1 2", "a ? b", "1 if 2"] {
            assert!(value(text, &mut |_| Ok(1.0)).is_err(), "{text}");
        }
        assert!(value("a", &mut |_| Err("unknown".to_owned())).is_err());
    }
}
