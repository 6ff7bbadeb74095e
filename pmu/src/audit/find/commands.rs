//! The metrics and the names of events of perf's command lines, `perf stat -M ipc -e l1d_cache_refill`,
//! and of the lists of arguments by which programs run it: `["perf", "stat", "-M", "ipc"]`. A command may
//! go on in the next lines.

use std::ops::Range;

use super::LONGEST;
use crate::audit::candidate::{Candidate, Name};
use crate::perf_options;

/// A metric or an event that a command line names.
pub(super) struct Found {
    pub(super) candidate: Candidate,
    /// The number of its line, from 0.
    pub(super) line: usize,
    /// That of the line in which the command begins.
    pub(super) command: usize,
}

/// A command does not go on for more lines.
const MOST_LINES: usize = 40;

/// What may be between `perf` and `stat`: options, and the calls of a program's own.
const MOST_BETWEEN: usize = 4;

pub(super) fn find(lines: &[(usize, &str)]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (number, (_, line)) in lines.iter().enumerate() {
        if line.len() > LONGEST || !line.to_ascii_lowercase().contains("perf") {
            continue;
        }
        let words = words_of(lines, number);
        for (at, perf) in words.iter().enumerate().filter(|(_, word)| word.is_perf()) {
            let rest = words[at + 1..].iter().cloned().chain(words_below(lines, number));
            let of_command = |(candidate, line)| Found { candidate, line, command: number };
            found.extend(metrics(perf, rest).into_iter().map(of_command));
        }
    }
    // Programs have the name twice: `execlp("perf", "perf", "stat", ...)`.
    found.sort_by_key(|one| one.candidate.span.start);
    found.dedup_by(|one, before| one.candidate.span == before.candidate.span);
    found
}

/// A word of a command, without the quotes around it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word<'t> {
    at: usize,
    text: &'t str,
    line: usize,
    /// Where the string begins that has the word.
    string: Option<usize>,
    /// Whether the string has nothing else.
    is_whole: bool,
    /// Whether a command ends before it.
    is_first: bool,
}

impl Word<'_> {
    fn is_perf(&self) -> bool {
        let name = self.text.rsplit('/').next().unwrap_or_default();
        let variable = name.trim_start_matches(['$', '{']).trim_end_matches('}');
        name == "perf" || name != variable && variable.eq_ignore_ascii_case("perf")
    }

    /// Whether it is a call by which programs add arguments.
    fn is_call(&self) -> bool {
        self.text.strip_prefix('.').is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('/')
        })
    }

    /// Whether it is no argument, or one that is replaced by others.
    fn says_nothing(&self) -> bool {
        self.is_call()
            || self.text.starts_with(['$', '{', '<', '%'])
            || matches!(self.text, "#" | "//" | "///" | "//!" | "*" | "," | "&" | "vec!")
    }
}

/// The words of the lines in which the command of a line goes on, read as they are asked for.
fn words_below<'t>(lines: &[(usize, &'t str)], number: usize) -> impl Iterator<Item = Word<'t>> {
    let goes_on = move |&below: &usize| {
        let (before, (_, next)) = (lines[below - 1].1.trim_end(), lines[below]);
        let is_begun = before.ends_with(['\\', ',', '(', '[']);
        next.len() <= LONGEST && (is_begun || next.trim_start().starts_with(".arg"))
    };
    let below = number + 1..lines.len().min(number + MOST_LINES);
    below.take_while(goes_on).flat_map(move |below| words_of(lines, below))
}

fn words_of<'t>(lines: &[(usize, &'t str)], number: usize) -> Vec<Word<'t>> {
    let (start, line) = lines[number];
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut string: Option<(usize, char)> = None;
    let mut is_first = false;
    let mut from = 0;
    for (at, c) in line.char_indices().chain([(line.len(), '\n')]) {
        let (before, after) = (&line[..at], line.get(at + c.len_utf8()..).unwrap_or_default());
        let is_apostrophe = c == '\''
            && before.ends_with(|c: char| c.is_ascii_alphanumeric())
            && after.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_mark = matches!(c, '"' | '\'' | '`') && !is_apostrophe;
        // Escaped, it is a mark of what the string is for.
        let is_quote = is_mark && !before.ends_with('\\');
        let is_between = c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '\\') || is_mark;
        let is_end = ends_command(c, before, after);
        if !is_between && !is_end {
            continue;
        }
        let text = &line[from..at];
        let is_whole =
            string.is_some_and(|(open, quote)| is_quote && open + 1 == from && quote == c);
        // Commas between strings are those of a list.
        let is_of_list =
            text == "," && string.is_none() && words.last().is_some_and(|last| last.is_whole);
        if !text.is_empty() && !is_of_list {
            let string = string.map(|(open, _)| start + open);
            words.push(Word { at: start + from, text, line: number, string, is_whole, is_first });
            is_first = false;
        }
        from = at + c.len_utf8();
        is_first |= is_end;
        match string {
            None if is_quote => string = Some((at, c)),
            Some((_, quote)) if is_quote && quote == c => string = None,
            _ => {}
        }
    }
    words
}

/// Whether a shell ends a command with a character: `perf stat -x \;` does not.
fn ends_command(c: char, before: &str, after: &str) -> bool {
    let is_alone = after.is_empty() || after.starts_with([' ', '\t', c]);
    match c {
        ';' => !before.ends_with(['\\', '"', '\'']),
        '|' => !before.ends_with(['\\', '"', '\'']) && is_alone,
        '&' => is_alone,
        _ => false,
    }
}

/// What a command names that begins with `perf`, each with the number of its line.
fn metrics<'t>(perf: &Word<'_>, rest: impl Iterator<Item = Word<'t>>) -> Vec<(Candidate, usize)> {
    // The command is the whole of a string, or each of its words is one.
    let is_its = |word: &Word<'_>| {
        !word.is_first && (perf.string.is_none() || perf.is_whole || word.string == perf.string)
    };
    let mut left = rest.take_while(is_its).peekable();
    if !left.by_ref().take(MOST_BETWEEN).any(|word| word.text == "stat") {
        return Vec::new();
    }
    left.next_if(|word| matches!(word.text, "record" | "report"));
    let mut found = Vec::new();
    while let Some(word) = left.next() {
        if word.says_nothing() {
            continue;
        }
        match Given::of(word.text) {
            None => break,
            Some(Given::Here { what: Some(what), value }) => {
                found.extend(names(&word, value, what))
            }
            Some(Given::Next { what }) => {
                while left.next_if(Word::is_call).is_some() {}
                let value = left.next_if(is_value);
                // Beside strings, other words are variables.
                let value = value.filter(|value| value.is_whole >= word.is_whole);
                if let (Some(what), Some(value)) = (what, value) {
                    found.extend(names(&value, value.text, what));
                }
            }
            Some(_) => {}
        }
    }
    found
}

fn is_value(word: &Word<'_>) -> bool {
    !word.text.starts_with('-') || word.text == "-"
}

/// What the words of an option's value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Metrics,
    Events,
}

/// Where an option has its value, and what its words are.
enum Given<'t> {
    Nowhere,
    Here { what: Option<What>, value: &'t str },
    Next { what: Option<What> },
}

impl<'t> Given<'t> {
    /// `None` if the word is no option: the command that perf runs begins there.
    fn of(word: &'t str) -> Option<Self> {
        let options = perf_options::of_command("stat").unwrap_or_default();
        if let Some(long) = word.strip_prefix("--") {
            let (long, value) =
                long.split_once('=').map_or((long, None), |(long, value)| (long, Some(value)));
            let what = match long {
                "metrics" => Some(What::Metrics),
                "event" => Some(What::Events),
                _ => None,
            };
            let takes_value = options.iter().any(|option| {
                option.long == long && !option.value.is_empty() && !option.is_optional
            });
            return match value {
                _ if long.is_empty() => None,
                Some(value) => Some(Given::Here { what, value }),
                None if takes_value => Some(Given::Next { what }),
                None => Some(Given::Nowhere),
            };
        }
        let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty())?;
        let with_value = letters.char_indices().find_map(|(at, letter)| {
            let is_it = |option: &&perf_options::PerfOption| {
                option.short == Some(letter) && !option.value.is_empty()
            };
            let option = options.iter().find(is_it)?;
            let what = match letter {
                'M' => Some(What::Metrics),
                'e' => Some(What::Events),
                _ => None,
            };
            Some((what, option.is_optional, &letters[at + letter.len_utf8()..]))
        });
        Some(match with_value {
            None | Some((_, true, "")) => Given::Nowhere,
            Some((what, false, "")) => Given::Next { what },
            Some((what, _, value)) => Given::Here { what, value },
        })
    }
}

/// The names that a word has, joined by commas; modifiers follow a colon, and groups of events are in
/// braces. Terms of a PMU are found elsewhere.
fn names(word: &Word<'_>, value: &str, what: What) -> Vec<(Candidate, usize)> {
    let begin = word.at + word.text.len() - value.len();
    let is_around = |c: char| c == '.' || what == What::Events && matches!(c, '{' | '}');
    let name = |part: &str| {
        let name = part.split(':').next()?.trim_matches(is_around);
        let at = begin + (name.as_ptr() as usize - value.as_ptr() as usize);
        let span: Range<usize> = at..at + name.len();
        let named = match what {
            What::Metrics => Name::Metric(name.into()),
            What::Events => Name::Event(name.into()),
        };
        is_name(name).then(|| (Candidate::named(span, named), word.line))
    };
    value.split(',').filter_map(name).collect()
}

/// Whether it is a word, and nothing that stands for one.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && text.contains(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::find::lines;

    #[test]
    fn metrics_of_command_lines() {
        for (text, expected) in [
            ("perf stat -M ipc,tma_frontend_bound ls", &["ipc", "tma_frontend_bound"][..]),
            (
                "$ sudo /usr/bin/perf --no-pager stat -a -MTopdownL1 -M cpi -- sleep 1",
                &["TopdownL1", "cpi"],
            ),
            ("\"$PERF\" stat --metrics=ipc:u; ${PERF} stat --metrics cpi", &["ipc", "cpi"]),
            ("perf stat -e '{cycles,instructions}' -x , -aM ipc", &["ipc"]),
            ("perf stat -x\\; -I 100 -M ipc | perf stat -x ';' -Mcpi", &["ipc", "cpi"]),
            ("perf stat report -M ipc", &["ipc"]),
            ("perf stat $FLAGS -M ipc,$MORE,<name> true", &["ipc"]),
            ("see `perf stat -M ipc`, and `-M cpi`.", &["ipc"]),
            ("don't run perf stat -M ipc.", &["ipc"]),
            ("perf stat \\\n  -a \\\n  -M ipc \\\n  true -M cpi\n-M cpi", &["ipc"]),
            ("# perf stat \\\n#   -M ipc", &["ipc"]),
            (
                "run([\"perf\", \"stat\",\n     \"-M\",\"ipc,cpi\", \"ls\", \"-M\", \"x\"])",
                &["ipc", "cpi"],
            ),
            (
                "Command::new(\"perf\")\n    .arg(\"stat\")\n    .args(&[\"-M\", \"ipc\"])\n    .arg(\"ls\");",
                &["ipc"],
            ),
            ("Command::new(\"perf\").arg(\"stat\").arg(\"-M\").arg(\"ipc\").arg(\"-a\")", &["ipc"]),
            (
                "execlp(\"perf\", \"perf\", \"stat\", \"-x\", \",\", \"-M\", \"ipc\", NULL);",
                &["ipc"],
            ),
            ("sh(\"perf stat -M ipc\", \"-M cpi\")", &["ipc"]),
            ("{\"run\": \"perf stat -x \\\",\\\" -M ipc\\n\"}", &["ipc"]),
            // Not perf, not `stat`, not its option, or not a name.
            ("gcc -M ipc; objdump -M intel; likwid-perfctr -M 1", &[]),
            ("perf record -M ipc; perf list -M ipc", &[]),
            ("perf stat ls -M ipc; perf stat -- ls -M ipc", &[]),
            ("perf stat -o -M ipc", &["ipc"]),
            (
                "perf stat -M $METRIC; perf stat -M {metric}; perf stat -M <metric>; perf stat -M %s",
                &[],
            ),
            ("exec.Command(\"perf\", \"stat\", \"-M\", metrics)", &[]),
            ("[\"perf\", \"stat\", \"-M\", \",\".join(metrics)]", &[]),
            ("perf stat\n-M ipc", &[]),
            ("tma_frontend_bound and ipc are metrics of perf", &[]),
            ("perf stat -M", &[]),
            ("perf stat -M ,,", &[]),
        ] {
            let lines: Vec<(usize, &str)> = lines(text).collect();
            let found = find(&lines);
            let is_metric = |one: &&Found| matches!(one.candidate.name, Some(Name::Metric(_)));
            let names: Vec<&str> = found
                .iter()
                .filter(is_metric)
                .map(|one| &text[one.candidate.span.clone()])
                .collect();
            assert_eq!(names, expected, "{text}");
        }
    }
    #[test]
    fn events_of_command_lines() {
        for (text, expected) in [
            (
                "perf stat -e l1d_cache_refill,r3c,cycles:u -- ls -e x",
                &["l1d_cache_refill", "r3c", "cycles"][..],
            ),
            (
                "perf stat -e '{ex_ret_instr,ex_ret_ops}:u' --event=ls_dispatch.all",
                &["ex_ret_instr", "ex_ret_ops", "ls_dispatch.all"],
            ),
            ("perf stat -ecpu/event=1/,$EVENTS -x, ls", &[]),
        ] {
            let lines: Vec<(usize, &str)> = lines(text).collect();
            let found = find(&lines);
            let names: Vec<&str> =
                found.iter().map(|one| &text[one.candidate.span.clone()]).collect();
            assert_eq!(names, expected, "{text}");
        }
    }
}
