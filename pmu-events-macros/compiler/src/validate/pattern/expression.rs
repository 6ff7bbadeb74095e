//! POSIX extended regular expressions (IEEE Std 1003.1, chapter 9.4), parsed
//! into a nondeterministic automaton.
//!
//! Syntax that POSIX leaves undefined, and glibc's extensions, are refused: a
//! map file should mean the same on every machine.

/// What is wrong with an expression, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) offset: usize,
    pub(crate) message: String,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    const EMPTY: Self = Bytes([0; 4]);

    pub(super) fn of(byte: u8) -> Self {
        let mut one = Bytes::EMPTY;
        one.insert(byte);
        one
    }

    fn insert(&mut self, byte: u8) {
        self.0[byte as usize / 64] |= 1 << (byte % 64);
    }

    pub(super) fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 == 1
    }

    fn negate(self) -> Self {
        Bytes(self.0.map(|word| !word))
    }

    /// A byte of the set, preferably one that occurs in CPUIDs.
    fn sample(self) -> Option<u8> {
        let plain = (b'0'..=b'9').chain(b'A'..=b'Z').chain(b'a'..=b'z');
        { plain }.chain(b' '..=b'~').chain(0..=u8::MAX).find(|&byte| self.contains(byte))
    }

    /// The byte of a set that has exactly one.
    fn only(self) -> Option<u8> {
        let mut words = self.0.iter().zip([0, 64, 128, 192]).filter(|(word, _)| **word != 0);
        let (word, first) = words.next()?;
        let is_one = word.is_power_of_two() && words.next().is_none();
        is_one.then(|| u8::try_from(word.trailing_zeros()).ok()?.checked_add(first))?
    }
}

/// One step of the automaton.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Consumes one byte of a set, then continues.
    Take(Bytes, usize),
    /// Continues at either, without a byte.
    Split(usize, usize),
    /// Only before the first byte.
    Begin(usize),
    /// Only after the last byte.
    End(usize),
    /// The whole expression has matched.
    Accept,
}

impl Node {
    /// The set of bytes that it takes one of.
    pub(super) fn taken(&self) -> Option<Bytes> {
        match self {
            Node::Take(bytes, _) => Some(*bytes),
            _ => None,
        }
    }
}

/// An expression as an automaton.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) nodes: Vec<Node>,
    pub(super) start: usize,
}

/// An expression may not need more steps than this: `x{255}` within `{255}`
/// is not what a map file is for.
const MOST_NODES: usize = 4096;

/// Parentheses may not nest deeper.
const DEEPEST: usize = 64;

/// A parsed expression.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) tree: Tree,
}

impl Pattern {
    /// The only text that it matches, if it is plain text, with or without
    /// anchors.
    pub(super) fn literal(&self) -> Option<String> {
        let mut all = match &self.tree {
            Tree::Empty => &[][..],
            Tree::Sequence(all) => all,
            one => std::slice::from_ref(one),
        };
        while let [Tree::Begin, rest @ ..] = all {
            all = rest;
        }
        while let [rest @ .., Tree::End] = all {
            all = rest;
        }
        let byte = |tree: &Tree| match tree {
            Tree::Take(bytes) => bytes.only(),
            _ => None,
        };
        let bytes = all.iter().map(byte).collect::<Option<Vec<u8>>>()?;
        String::from_utf8(bytes).ok()
    }

    /// Whether its last part is an anchor: then it matches no text that
    /// continues.
    pub(super) fn ends_in_anchor(&self) -> bool {
        match &self.tree {
            Tree::Sequence(all) => matches!(all.last(), Some(Tree::End)),
            one => matches!(one, Tree::End),
        }
    }

    /// A text that it usually matches, with each repetition done as few times
    /// as possible, or once more. `None` if that is not text.
    pub(super) fn sample(&self, once_more: bool) -> Option<String> {
        let mut bytes = Vec::new();
        self.tree.sample(once_more, &mut bytes)?;
        String::from_utf8(bytes).ok()
    }

    pub(super) fn expression(&self) -> Expression {
        let mut nodes = vec![Node::Accept];
        let start = compile(&self.tree, 0, &mut nodes);
        Expression { nodes, start }
    }
}

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Pattern, Problem> {
    let mut parser = Parser { text: text.as_bytes(), at: 0, depth: 0 };
    let tree = parser.alternatives()?;
    if parser.at < parser.text.len() {
        return Err(parser.problem("unmatched `)`"));
    }
    if tree.size() > MOST_NODES {
        return Err(Problem { offset: 0, message: "the expression is too large".to_owned() });
    }
    Ok(Pattern { tree })
}

/// The syntax tree.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Empty,
    Take(Bytes),
    Begin,
    End,
    Sequence(Vec<Tree>),
    Either(Vec<Tree>),
    Repeat(Box<Tree>, u16, Option<u16>),
}

impl Tree {
    /// Appends a text that it matches. `None` if that is too long for a CPUID.
    fn sample(&self, once_more: bool, out: &mut Vec<u8>) -> Option<()> {
        const LONGEST: usize = 255;
        match self {
            Tree::Empty | Tree::Begin | Tree::End => {}
            Tree::Take(bytes) => out.push(bytes.sample()?),
            Tree::Sequence(all) => {
                all.iter().try_for_each(|tree| tree.sample(once_more, out))?;
            }
            Tree::Either(all) => {
                let one = if once_more { all.last() } else { all.first() };
                one?.sample(once_more, out)?;
            }
            Tree::Repeat(inner, least, most) => {
                let more = u16::from(once_more && most.is_none_or(|most| most > *least));
                for _ in 0..*least + more {
                    inner.sample(once_more, out)?;
                }
            }
        }
        (out.len() <= LONGEST).then_some(())
    }

    /// The maximum number of nodes that it compiles to.
    fn size(&self) -> usize {
        match self {
            Tree::Empty => 0,
            Tree::Take(_) | Tree::Begin | Tree::End => 1,
            Tree::Sequence(all) | Tree::Either(all) => {
                all.iter().fold(all.len(), |sum, tree| sum.saturating_add(tree.size()))
            }
            Tree::Repeat(inner, least, most) => {
                let times = usize::from(most.unwrap_or(least + 1)).max(1);
                times.saturating_mul(inner.size().saturating_add(1))
            }
        }
    }
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn problem(&self, message: &str) -> Problem {
        Problem { offset: self.at, message: message.to_owned() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn alternatives(&mut self) -> Result<Tree, Problem> {
        let mut all = vec![self.sequence()?];
        while self.peek() == Some(b'|') {
            self.at += 1;
            all.push(self.sequence()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Tree::Either(all) })
    }

    fn sequence(&mut self) -> Result<Tree, Problem> {
        let mut all = Vec::new();
        while let Some(c) = self.peek() {
            if c == b'|' || (c == b')' && self.depth > 0) {
                break;
            }
            let atom = self.atom()?;
            all.push(self.repeated(atom)?);
        }
        // Only a whole expression may be empty. Unclosed parentheses are
        // another fault.
        let is_unclosed = self.depth > 0 && self.peek().is_none();
        if all.is_empty() && !self.text.is_empty() && !is_unclosed {
            return Err(self.problem("an empty alternative, which POSIX leaves undefined"));
        }
        Ok(if all.is_empty() { Tree::Empty } else { Tree::Sequence(all) })
    }

    fn atom(&mut self) -> Result<Tree, Problem> {
        let c = self.text[self.at];
        match c {
            b'(' => {
                if self.depth == DEEPEST {
                    return Err(self.problem("parentheses are nested too deeply"));
                }
                let open = self.at;
                self.at += 1;
                self.depth += 1;
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.peek() != Some(b')') {
                    return Err(Problem {
                        offset: open,
                        message: "unclosed parenthesis".to_owned(),
                    });
                }
                self.at += 1;
                Ok(inner)
            }
            b')' => Err(self.problem("unmatched `)`")),
            b'*' | b'+' | b'?' | b'{' => Err(self.problem("there is nothing to repeat")),
            b'[' => self.bracket(),
            b'^' => self.step(Tree::Begin),
            b'$' => self.step(Tree::End),
            b'.' => {
                let mut any = Bytes::EMPTY;
                any.insert(0); // Any byte but NUL, which no C string contains.
                self.step(Tree::Take(any.negate()))
            }
            b'\\' => {
                let Some(&escaped) = self.text.get(self.at + 1) else {
                    return Err(self.problem("a backslash at the end escapes nothing"));
                };
                if escaped.is_ascii_alphanumeric() {
                    return Err(self.problem("POSIX gives this escape no meaning"));
                }
                self.at += 1;
                self.literal(escaped)
            }
            _ => self.literal(c),
        }
    }

    fn step(&mut self, tree: Tree) -> Result<Tree, Problem> {
        self.at += 1;
        Ok(tree)
    }

    fn literal(&mut self, c: u8) -> Result<Tree, Problem> {
        self.step(Tree::Take(Bytes::of(c)))
    }

    fn repeated(&mut self, atom: Tree) -> Result<Tree, Problem> {
        let Some(c @ (b'*' | b'+' | b'?' | b'{')) = self.peek() else {
            return Ok(atom);
        };
        if matches!(atom, Tree::Begin | Tree::End) {
            return Err(self.problem("a repeated anchor, which POSIX leaves undefined"));
        }
        let (least, most) = if c == b'{' { self.interval()? } else { self.simple(c) };
        if matches!(self.peek(), Some(b'*' | b'+' | b'?' | b'{')) {
            return Err(self.problem("a repeated repetition, which POSIX leaves undefined"));
        }
        Ok(Tree::Repeat(Box::new(atom), least, most))
    }

    /// `*`, `+`, `?`.
    fn simple(&mut self, c: u8) -> (u16, Option<u16>) {
        self.at += 1;
        match c {
            b'*' => (0, None),
            b'+' => (1, None),
            _ => (0, Some(1)),
        }
    }

    /// `{2}`, `{2,}`, `{2,4}`.
    fn interval(&mut self) -> Result<(u16, Option<u16>), Problem> {
        let open = self.at;
        let wrong = || Problem {
            offset: open,
            message: "invalid repetition; write {2}, {2,} or {2,4}, of at most 255".to_owned(),
        };
        let rest = &self.text[open + 1..];
        let close = rest.iter().position(|&c| c == b'}').ok_or_else(wrong)?;
        let inner = std::str::from_utf8(&rest[..close]).map_err(|_| wrong())?;
        let number = |text: &str| match text.parse::<u16>() {
            Ok(n) if n <= 255 && text.bytes().all(|c| c.is_ascii_digit()) => Ok(n),
            _ => Err(wrong()),
        };
        let bounds = match inner.split_once(',') {
            None => {
                let exactly = number(inner)?;
                (exactly, Some(exactly))
            }
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        if bounds.1.is_some_and(|most| most < bounds.0) {
            return Err(wrong());
        }
        self.at = open + close + 2;
        Ok(bounds)
    }

    /// `[abc]`, `[^a-f]`, `[[:xdigit:]_]`.
    fn bracket(&mut self) -> Result<Tree, Problem> {
        let open = self.at;
        let unclosed = || Problem { offset: open, message: "unclosed bracket".to_owned() };
        self.at += 1;
        let negated = self.peek() == Some(b'^');
        if negated {
            self.at += 1;
        }
        let first = self.at;
        let mut set = Bytes::EMPTY;
        loop {
            let c = self.peek().ok_or_else(unclosed)?;
            if c == b']' && self.at > first {
                self.at += 1;
                return Ok(Tree::Take(if negated { set.negate() } else { set }));
            }
            let begins_class = |at: usize| {
                self.text[at] == b'[' && matches!(self.text.get(at + 1), Some(b':' | b'.' | b'='))
            };
            if begins_class(self.at) {
                self.class(&mut set)?;
                continue;
            }
            // After a range or a class.
            if c == b'-'
                && self.at > first
                && self.text.get(self.at + 1).is_some_and(|&next| next != b']')
            {
                return Err(self.problem(
                    "a `-` that is not first or last in its bracket, nor within a range, which \
                     POSIX leaves undefined",
                ));
            }
            let ranged = self.text.get(self.at + 1) == Some(&b'-')
                && self.text.get(self.at + 2).is_some_and(|&end| end != b']');
            if !ranged {
                set.insert(c);
                self.at += 1;
                continue;
            }
            if begins_class(self.at + 2) {
                return Err(self.problem("a range cannot end with a class of characters"));
            }
            let end = self.text[self.at + 2];
            if end < c {
                return Err(self.problem("range ends before it starts"));
            }
            (c..=end).for_each(|c| set.insert(c));
            self.at += 3;
        }
    }

    /// `[:xdigit:]` within a bracket.
    fn class(&mut self, set: &mut Bytes) -> Result<(), Problem> {
        let unknown = || self.problem("unknown class of characters");
        let rest = self.text[self.at..].strip_prefix(b"[:").ok_or_else(unknown)?;
        let end = rest.windows(2).position(|two| two == b":]").ok_or_else(unknown)?;
        let is: fn(&u8) -> bool = match &rest[..end] {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |c| matches!(c, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |c| matches!(c, b' '..=b'~'),
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |c| matches!(c, b' ' | b'\t'..=b'\r'),
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => return Err(unknown()),
        };
        (0..=u8::MAX).filter(is).for_each(|c| set.insert(c));
        self.at += end + 4;
        Ok(())
    }
}

/// Adds the nodes of a tree that continues at `next`; returns where it starts.
fn compile(tree: &Tree, next: usize, nodes: &mut Vec<Node>) -> usize {
    let mut push = |node| {
        nodes.push(node);
        nodes.len() - 1
    };
    match tree {
        Tree::Empty => next,
        Tree::Take(bytes) => push(Node::Take(*bytes, next)),
        Tree::Begin => push(Node::Begin(next)),
        Tree::End => push(Node::End(next)),
        Tree::Sequence(all) => all.iter().rev().fold(next, |next, tree| compile(tree, next, nodes)),
        Tree::Either(all) => {
            let starts: Vec<_> = all.iter().map(|tree| compile(tree, next, nodes)).collect();
            starts
                .into_iter()
                .reduce(|a, b| {
                    nodes.push(Node::Split(a, b));
                    nodes.len() - 1
                })
                .unwrap_or(next)
        }
        Tree::Repeat(inner, least, most) => {
            let mut next = next;
            match most {
                None => {
                    let split = push(Node::Split(next, next));
                    let start = compile(inner, split, nodes);
                    nodes[split] = Node::Split(start, next);
                    next = split;
                }
                Some(most) => {
                    let end = next;
                    for _ in *least..*most {
                        let start = compile(inner, next, nodes);
                        nodes.push(Node::Split(start, end));
                        next = nodes.len() - 1;
                    }
                }
            }
            (0..*least).fold(next, |next, _| compile(inner, next, nodes))
        }
    }
}
