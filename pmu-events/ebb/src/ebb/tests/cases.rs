//! Reading the recorded cases.

extern crate std;

use std::string::String;
use std::vec::Vec;

use crate::ebb::{BranchAttr, BranchTarget};

const TEXT: &str = include_str!("cases.txt");

/// A group and the kernel's answers.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// For POWER8, POWER9 and POWER10: an answer for each event, `ok` or the
    /// name of an error.
    pub(crate) answers: [Vec<&'static str>; 3],
    /// The names of the rules that it breaks, on generations where any are
    /// broken; for the tests beside it.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) rules: Vec<&'static str>,
    pub(crate) events: Vec<Opened>,
    pub(crate) target: BranchTarget,
}

/// Attributes of one event.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) attr: BranchAttr,
    /// Fields not covered by any rule: `name`, or `name=value`.
    pub(crate) others: Vec<(String, u64)>,
}

pub(crate) fn all() -> Vec<Case> {
    TEXT.lines().filter(|line| !line.starts_with('#')).map(case).collect()
}

fn case(line: &'static str) -> Case {
    let [name, answers, rules, events] =
        line.split('|').map(str::trim).collect::<Vec<_>>().try_into().expect(line);
    let answers: Vec<Vec<_>> =
        answers.split(' ').map(|answer| answer.split(',').collect()).collect();
    let answers = match <[_; 3]>::try_from(answers) {
        Ok(three) => three,
        Err(one) => [one[0].clone(), one[0].clone(), one[0].clone()],
    };
    let mut target = BranchTarget::THIS_THREAD;
    let events = events.split(';').map(|event| opened(event, &mut target)).collect();
    let rules = rules.split(' ').filter(|rule| *rule != "-").collect();
    Case { name, answers, rules, events, target }
}

fn opened(text: &str, target: &mut BranchTarget) -> Opened {
    let mut opened = Opened { attr: BranchAttr::default(), others: Vec::new() };
    let attr = &mut opened.attr;
    for field in text.split_whitespace() {
        let (name, value) = field.split_once('=').unwrap_or((field, "1"));
        let number = match value.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).expect(field),
            None => value.parse::<i64>().expect(field) as u64,
        };
        match name {
            "type" => attr.kind = number as u32,
            "config" => attr.config = number,
            "sample_period" => attr.sample_period = number,
            "sample_type" => attr.sample_type = number,
            "read_format" => attr.read_format = number,
            "freq" => attr.freq = true,
            "inherit" => attr.inherit = true,
            "pinned" => attr.pinned = true,
            "exclusive" => attr.exclusive = true,
            "enable_on_exec" => attr.enable_on_exec = true,
            "disabled" => attr.disabled = true,
            "exclude_kernel" => attr.exclude_kernel = true,
            "exclude_hv" => attr.exclude_hv = true,
            "pid" => *target = BranchTarget::new(number as i32, target.cpu()),
            "cpu" => *target = BranchTarget::new(target.pid(), number as i32),
            _ => opened.others.push((name.into(), number)),
        }
    }
    opened
}
