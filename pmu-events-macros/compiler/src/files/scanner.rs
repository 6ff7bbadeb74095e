//! The grammar of JSON ([RFC 8259]), to find where values begin and end.
//!
//! Values stay texts: of most keys, nobody asks what they say. What is nested in a value
//! takes no stack, so that no text is too deep.
//!
//! [RFC 8259]: https://www.rfc-editor.org/rfc/rfc8259

/// Why a text is not the expected JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) offset: usize,
    /// What is wrong; nothing if the text is something else than expected.
    pub(crate) what: Option<&'static str>,
}

/// A place in a text.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Scanner { text, at: 0 }
    }

    /// The items of an array, each of which is read by a function.
    pub(super) fn array(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.open(b'[')?;
        let mut is_first = true;
        loop {
            match self.peek() {
                None => return Err(self.ends("the text ends within an array")),
                Some(b']') => break,
                Some(b',') if !is_first => {
                    self.at += 1;
                    match self.peek() {
                        None => return Err(self.ends("the text ends where a value should be")),
                        Some(b']') => return Err(self.wrong("trailing comma")),
                        Some(_) => {}
                    }
                }
                Some(_) if is_first => {}
                Some(_) => return Err(self.wrong("expected `,` or `]`")),
            }
            item(self)?;
            is_first = false;
        }
        self.at += 1;
        Ok(())
    }

    /// The keys and values of an object.
    pub(super) fn object(&mut self) -> Result<Vec<(&'t str, &'t str)>, Problem> {
        self.open(b'{')?;
        let mut fields = Vec::with_capacity(12);
        loop {
            match self.peek() {
                None => return Err(self.ends("the text ends within an object")),
                Some(b'}') => break,
                Some(b',') if !fields.is_empty() => {
                    self.at += 1;
                    match self.peek() {
                        None => return Err(self.ends("the text ends where a value should be")),
                        Some(b'}') => return Err(self.wrong("trailing comma")),
                        Some(_) => {}
                    }
                }
                Some(_) if fields.is_empty() => {}
                Some(_) => return Err(self.wrong("expected `,` or `}`")),
            }
            let key = self.key()?;
            fields.push((key, self.value()?));
        }
        self.at += 1;
        Ok(fields)
    }

    /// Nothing follows.
    pub(super) fn end(&mut self) -> Result<(), Problem> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.wrong("trailing characters")),
        }
    }

    /// Any value.
    pub(super) fn value(&mut self) -> Result<&'t str, Problem> {
        self.peek();
        let start = self.at;
        // The brackets that are open.
        let mut open: Vec<u8> = Vec::new();
        loop {
            let mut may_follow_comma = false;
            match self.peek() {
                None => return Err(self.ends("the text ends where a value should be")),
                Some(bracket @ (b'[' | b'{')) => {
                    self.at += 1;
                    open.push(bracket);
                }
                Some(_) => {
                    self.scalar()?;
                    may_follow_comma = true;
                }
            }
            // Closes what ends here.
            loop {
                let Some(&bracket) = open.last() else {
                    return Ok(&self.text[start..self.at]);
                };
                match (self.peek(), bracket) {
                    (Some(b','), _) if may_follow_comma => {
                        self.at += 1;
                        break;
                    }
                    (Some(b']'), b'[') | (Some(b'}'), b'{') => {}
                    (Some(_), b'[') if may_follow_comma => {
                        return Err(self.wrong("expected `,` or `]`"));
                    }
                    (Some(_), _) if may_follow_comma => {
                        return Err(self.wrong("expected `,` or `}`"));
                    }
                    (Some(_), _) => break,
                    (None, b'[') => return Err(self.ends("the text ends within an array")),
                    (None, _) => return Err(self.ends("the text ends within an object")),
                }
                self.at += 1;
                open.pop();
                may_follow_comma = true;
            }
            if open.last() == Some(&b'{') {
                self.key()?;
            }
        }
    }

    /// A key, and the colon behind it.
    fn key(&mut self) -> Result<&'t str, Problem> {
        match self.peek() {
            Some(b'"') => {}
            Some(_) => return Err(self.wrong("key must be a string")),
            None => return Err(self.ends("the text ends within an object")),
        }
        let start = self.at;
        self.string()?;
        let key = &self.text[start..self.at];
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.wrong("expected `:`")),
            None => return Err(self.ends("the text ends within an object")),
        }
        Ok(key)
    }

    /// The bracket with which the expected value begins.
    fn open(&mut self, bracket: u8) -> Result<(), Problem> {
        match self.peek() {
            Some(found) if found == bracket => {
                self.at += 1;
                return Ok(());
            }
            Some(b'[' | b'{') => {}
            Some(_) => self.scalar()?,
            None => return Err(self.ends("the text ends where a value should be")),
        }
        Err(Problem { offset: self.at, what: None })
    }

    /// A value that is neither an array nor an object.
    fn scalar(&mut self) -> Result<(), Problem> {
        match self.byte() {
            Some(b'"') => self.string(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.wrong("expected value")),
        }
    }

    fn string(&mut self) -> Result<(), Problem> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        while self.at < bytes.len() {
            match bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape()?,
                0..b' ' => return Err(self.wrong("line end or control character in a string")),
                _ => self.at += 1,
            }
        }
        Err(self.ends("the text ends within a string"))
    }

    fn escape(&mut self) -> Result<(), Problem> {
        self.at += 1;
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                let digits = self.text.as_bytes().get(self.at + 1..self.at + 5);
                let Some(digits) = digits else {
                    return Err(self.ends("the text ends within a string"));
                };
                self.at += 4;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(self.wrong("invalid escape"));
                }
                self.at += 1;
            }
            Some(_) => return Err(self.wrong("invalid escape")),
            None => return Err(self.ends("the text ends within a string")),
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Problem> {
        for expected in word.bytes() {
            match self.byte() {
                Some(byte) if byte == expected => self.at += 1,
                Some(_) => return Err(self.wrong("expected `true`, `false` or `null`")),
                None => return Err(self.ends("the text ends where a value should be")),
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Problem> {
        self.at += usize::from(self.byte() == Some(b'-'));
        if self.byte() == Some(b'0') {
            self.at += 1;
            if self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.wrong("invalid number"));
            }
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(())
    }

    /// One digit or several.
    fn digits(&mut self) -> Result<(), Problem> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        match self.byte() {
            _ if self.at > start => Ok(()),
            Some(_) => Err(self.wrong("invalid number")),
            None => Err(self.ends("the text ends where a value should be")),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            match bytes[self.at] {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
        None
    }

    fn wrong(&self, what: &'static str) -> Problem {
        Problem { offset: self.at, what: Some(what) }
    }

    /// At the last character, or behind the last line end.
    fn ends(&self, what: &'static str) -> Problem {
        let text = self.text;
        let is_line = text.ends_with('\n');
        Problem { offset: text.len() - usize::from(!is_line && !text.is_empty()), what: Some(what) }
    }
}
