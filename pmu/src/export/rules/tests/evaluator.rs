//! Evaluates the part of PromQL that rules are written in. The grammar and the meaning are those
//! of Prometheus's documentation ("Operators", "Functions"), and share nothing with the translator.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

pub(super) type Labels = BTreeMap<String, String>;

/// Series: the name, the labels, and the value, which is also the rate of a counter.
#[derive(Default)]
pub(super) struct Series(Vec<(String, Labels, f64)>);

#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(f64),
    Vector(Vec<(Labels, f64)>),
}

impl Series {
    pub(super) fn add(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let labels = labels.iter().filter(|(_, value)| !value.is_empty());
        let labels = labels.map(|(name, value)| ((*name).into(), (*value).into())).collect();
        self.0.push((name.into(), labels, value));
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &(String, Labels, f64)> {
        self.0.iter()
    }

    pub(super) fn evaluate(&self, text: &str) -> Value {
        let mut parser = Parser { series: self, words: words(text), at: 0 };
        let value = parser.expression(0);
        assert_eq!(parser.at, parser.words.len(), "{text}: all of it is an expression");
        value
    }
}

/// Names, numbers and strings, and operators.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(&c) = chars.peek() {
        let take = |chars: &mut Peekable<Chars<'_>>, is_part: fn(char) -> bool| {
            let mut word = String::new();
            while let Some(c) = chars.next_if(|c| is_part(*c)) {
                word.push(c);
            }
            word
        };
        match c {
            ' ' | '\n' => drop(chars.next()),
            'a'..='z' | 'A'..='Z' | '_' | ':' | '0'..='9' | '.' => {
                words.push(take(&mut chars, |c| c.is_ascii_alphanumeric() || "_:.".contains(c)));
            }
            '"' => {
                let mut word = String::from(chars.next().expect("it was seen"));
                loop {
                    match chars.next().expect("strings end") {
                        '"' => break,
                        '\\' => word.push(chars.next().expect("strings end")),
                        c => word.push(c),
                    }
                }
                words.push(word);
            }
            '=' | '!' | '<' | '>' => words.push(take(&mut chars, |c| "=!<>".contains(c))),
            c => {
                words.push(c.into());
                chars.next();
            }
        }
    }
    words
}

struct Parser<'s> {
    series: &'s Series,
    words: Vec<String>,
    at: usize,
}

/// How operators match the series of both sides.
struct Matching {
    on: Option<Vec<String>>,
    many: Option<&'static str>,
    is_bool: bool,
}

/// From the loosest; all associate to the left.
const PRECEDENCE: [&[&str]; 5] =
    [&["or"], &["and", "unless"], &["==", "!=", "<=", "<", ">=", ">"], &["+", "-"], &["*", "/"]];

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.words[self.at - 1].clone()
    }

    fn accept(&mut self, word: &str) -> bool {
        let is_it = self.peek() == word;
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, word: &str) {
        assert!(self.accept(word), "`{word}` is expected at {:?}", &self.words[self.at..]);
    }

    fn expression(&mut self, level: usize) -> Value {
        let Some(operators) = PRECEDENCE.get(level) else { return self.unary() };
        let mut left = self.expression(level + 1);
        while operators.contains(&self.peek()) {
            let operator = self.next();
            let matching = self.matching();
            let right = self.expression(level + 1);
            left = binary(&operator, left, &matching, right);
        }
        left
    }

    fn matching(&mut self) -> Matching {
        let is_bool = self.accept("bool");
        let on = self.accept("on").then(|| self.names());
        let mut many = None;
        for side in ["group_left", "group_right"] {
            if self.accept(side) {
                assert!(self.names().is_empty(), "no label is taken over");
                many = Some(side);
            }
        }
        Matching { on, many, is_bool }
    }

    fn names(&mut self) -> Vec<String> {
        self.expect("(");
        let mut names = Vec::new();
        while !self.accept(")") {
            names.push(self.next());
            self.accept(",");
        }
        names
    }

    fn unary(&mut self) -> Value {
        if self.accept("-") {
            let Value::Scalar(number) = self.unary() else { panic!("a negative vector") };
            return Value::Scalar(-number);
        }
        if self.accept("(") {
            let value = self.expression(0);
            self.expect(")");
            return value;
        }
        let word = self.next();
        match word.as_str() {
            "Inf" => Value::Scalar(f64::INFINITY),
            "sum" | "count" => self.aggregation(&word),
            "rate" => {
                self.expect("(");
                let value = self.selector(true);
                self.expect(")");
                value
            }
            "clamp_min" | "clamp_max" => self.clamp(&word),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => {
                Value::Scalar(word.parse().expect("a number"))
            }
            _ => {
                self.at -= 1;
                self.selector(false)
            }
        }
    }

    fn aggregation(&mut self, operator: &str) -> Value {
        self.expect("without");
        let without = self.names();
        self.expect("(");
        let Value::Vector(series) = self.expression(0) else { panic!("a sum of a number") };
        self.expect(")");
        let mut sums: BTreeMap<Labels, f64> = BTreeMap::new();
        for (mut labels, value) in series {
            labels.retain(|name, _| !without.contains(name));
            let one = if operator == "count" { 1.0 } else { value };
            *sums.entry(labels).or_default() += one;
        }
        Value::Vector(sums.into_iter().collect())
    }

    fn clamp(&mut self, function: &str) -> Value {
        self.expect("(");
        let Value::Vector(series) = self.expression(0) else { panic!("a number is clamped") };
        self.expect(",");
        let Value::Scalar(limit) = self.expression(0) else { panic!("a limit is a number") };
        self.expect(")");
        let clamped = |value: f64| match (value.is_nan(), function) {
            (true, _) => value,
            (_, "clamp_min") => value.max(limit),
            _ => value.min(limit),
        };
        Value::Vector(series.into_iter().map(|(labels, value)| (labels, clamped(value))).collect())
    }

    fn selector(&mut self, is_range: bool) -> Value {
        let name = self.next();
        let mut matchers = Vec::new();
        if self.accept("{") {
            while !self.accept("}") {
                let (label, operator, value) = (self.next(), self.next(), self.next());
                matchers.push((label, operator == "=", value[1..].to_owned()));
                self.accept(",");
            }
        }
        if is_range {
            self.expect("[");
            self.next();
            self.expect("]");
        }
        let is_it = |labels: &Labels| {
            matchers.iter().all(|(label, is_equal, value)| {
                (labels.get(label).map_or("", String::as_str) == value) == *is_equal
            })
        };
        let own = self.series.0.iter().filter(|(own, labels, _)| *own == name && is_it(labels));
        Value::Vector(own.map(|(_, labels, value)| (labels.clone(), *value)).collect())
    }
}

fn binary(operator: &str, left: Value, matching: &Matching, right: Value) -> Value {
    let apply = |a: f64, b: f64| applied(operator, a, b, matching.is_bool);
    let keep = |series: Vec<(Labels, f64)>, apply: &dyn Fn(f64) -> Option<f64>| {
        let kept = series.into_iter();
        Value::Vector(kept.filter_map(|(labels, value)| Some((labels, apply(value)?))).collect())
    };
    match (left, right) {
        (Value::Scalar(a), Value::Scalar(b)) => {
            Value::Scalar(apply(a, b).expect("a comparison of numbers has `bool`"))
        }
        (Value::Vector(series), Value::Scalar(b)) => keep(series, &|a| apply(a, b)),
        (Value::Scalar(a), Value::Vector(series)) => keep(series, &|b| {
            let value = apply(a, b)?;
            // A filter keeps the value of the series.
            let is_filter = PRECEDENCE[2].contains(&operator) && !matching.is_bool;
            Some(if is_filter { b } else { value })
        }),
        (Value::Vector(left), Value::Vector(right)) => {
            Value::Vector(joined(operator, left, matching, right))
        }
    }
}

fn joined(
    operator: &str,
    left: Vec<(Labels, f64)>,
    matching: &Matching,
    right: Vec<(Labels, f64)>,
) -> Vec<(Labels, f64)> {
    let key = |labels: &Labels| {
        let mut key = labels.clone();
        if let Some(on) = &matching.on {
            key.retain(|name, _| on.contains(name));
        }
        key
    };
    let has = |series: &[(Labels, f64)], labels: &Labels| {
        series.iter().any(|(other, _)| key(other) == key(labels))
    };
    match operator {
        "and" => left.into_iter().filter(|(labels, _)| has(&right, labels)).collect(),
        "unless" => left.into_iter().filter(|(labels, _)| !has(&right, labels)).collect(),
        "or" => {
            let others = right.into_iter().filter(|(labels, _)| !has(&left, labels));
            let others: Vec<_> = others.collect();
            left.into_iter().chain(others).collect()
        }
        _ => {
            let is_right = matching.many == Some("group_right");
            let (many, one) = if is_right { (right, left) } else { (left, right) };
            let pair = |(labels, value): (Labels, f64)| {
                let mut others = one.iter().filter(|(other, _)| key(other) == key(&labels));
                let other = others.next()?.1;
                assert!(others.next().is_none(), "many series on the side of one");
                let (a, b) = if is_right { (other, value) } else { (value, other) };
                Some((labels, applied(operator, a, b, matching.is_bool)?))
            };
            many.into_iter().filter_map(pair).collect()
        }
    }
}

/// `None` if a filter leaves the series out.
fn applied(operator: &str, a: f64, b: f64, is_bool: bool) -> Option<f64> {
    let is_true = match operator {
        "+" => return Some(a + b),
        "-" => return Some(a - b),
        "*" => return Some(a * b),
        "/" => return Some(a / b),
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        other => panic!("`{other}` of numbers"),
    };
    if is_bool { Some(f64::from(is_true)) } else { is_true.then_some(a) }
}

/// What Prometheus itself says of the same expressions (`promtool test rules`).
#[test]
fn as_prometheus() {
    let mut series = Series::default();
    for (name, cpu, value) in [("a", "0", 6.0), ("a", "1", 9.0), ("b", "0", 2.0), ("b", "1", 0.0)] {
        series.add(name, &[("job", "pmu"), ("instance", "m"), ("cpu", cpu)], value);
    }
    series.add("m", &[("job", "pmu"), ("instance", "m")], 3.0);
    let on = "on (job, instance) group_left ()";
    let cases: [(&str, &[f64]); 14] = [
        ("a / b", &[3.0, f64::INFINITY]),
        ("a / (b != 0)", &[3.0]),
        ("a + b * 2", &[10.0, 9.0]),
        ("a - b - 1", &[3.0, 8.0]),
        ("a > 7 or b", &[9.0, 2.0]),
        ("8 > a", &[6.0]),
        ("8 > bool a", &[1.0, 0.0]),
        ("clamp_min(b, 1)", &[2.0, 1.0]),
        ("sum without (cpu) (a)", &[15.0]),
        ("count without (cpu) (a{cpu=\"1\"})", &[1.0]),
        ("(a unless b == 0) or (2 * b and b == 0)", &[6.0, 0.0]),
        (&format!("a / {on} m"), &[2.0, 3.0]),
        ("a and on (job, instance) m{x=\"y\"}", &[]),
        ("rate(b{cpu!=\"\"}[1m])", &[2.0, 0.0]),
    ];
    for (text, expected) in cases {
        let Value::Vector(series) = series.evaluate(text) else { panic!("{text} is no number") };
        let values: Vec<f64> = series.iter().map(|(_, value)| *value).collect();
        assert_eq!(values, expected, "{text}");
    }
}
