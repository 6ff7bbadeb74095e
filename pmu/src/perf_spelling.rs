//! Options as perf spells them, too: abbreviated, and negated by `no-`
//! (`parse_long_opt` in `tools/lib/subcmd/parse-options.c`).
//!
//! A command line that clap does not understand is rewritten and parsed again, so that
//! full names cost nothing. Of an abbreviation, the options that perf has come first:
//! those that only `pmu` has make none ambiguous.

use std::ffi::OsString;

use clap::builder::ArgAction;
use clap::error::ErrorKind;
use clap::{Arg, Command};

use crate::perf_options;

/// Options whose value cannot be taken back.
const NOT_NEGATED: [&str; 3] = ["event", "metrics", "cgroup"];

/// The command line with full names, and without options that a later one negates; `None`
/// if that is what was written.
pub(crate) fn rewritten(
    program: &mut Command,
    words: &[OsString],
) -> Result<Option<Vec<OsString>>, clap::Error> {
    program.build();
    let Some(name) = words.get(1).and_then(|word| word.to_str()) else { return Ok(None) };
    // Two letters are enough for `stat`, which has been there longer than the others.
    let name = if name.len() > 1 && "stat".starts_with(name) { "stat" } else { name };
    let Some(of_perf) = perf_options::names(name) else { return Ok(None) };
    let of_perf: Vec<&str> = of_perf.collect();
    let is_it = |command: &&mut Command| command.get_name() == name;
    let Some(command) = program.get_subcommands_mut().find(is_it) else { return Ok(None) };
    let options = Options { command, of_perf: &of_perf };
    let written = options.rewritten(&words[2..]);
    let written = written.map_err(|why| command.error(ErrorKind::UnknownArgument, why))?;
    let rewritten: Vec<OsString> = words[..2].iter().cloned().chain(written).collect();
    Ok((rewritten != words).then_some(rewritten))
}

/// One option of the command line, with its value.
struct Given {
    /// Its full name, or its letter.
    id: String,
    words: Vec<OsString>,
}

#[derive(Clone, Debug, PartialEq)]
enum Meaning<'n> {
    Set(&'n str),
    /// As if it had not been given so far.
    Unset(&'n str),
}

struct Options<'c> {
    command: &'c Command,
    of_perf: &'c [&'static str],
}

impl<'c> Options<'c> {
    fn rewritten(&self, words: &[OsString]) -> Result<Vec<OsString>, String> {
        let mut given: Vec<Given> = Vec::new();
        let mut rest = words;
        while let Some((word, behind)) = rest.split_first() {
            let Some(text) = word.to_str().filter(|text| text.len() > 1 && *text != "--") else {
                break;
            };
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (long, None),
                };
                match self.meaning(name)? {
                    None => break,
                    Some(Meaning::Unset(_)) if value.is_some() => {
                        return Err(format!("`--{name}` takes no value"));
                    }
                    Some(Meaning::Unset(name)) => {
                        let short = self.of_long(name).and_then(Arg::get_short);
                        let short = short.map(String::from);
                        given.retain(|it| it.id != name && Some(&it.id) != short.as_ref());
                        rest = behind;
                    }
                    Some(Meaning::Set(name)) => {
                        let Some(arg) = self.of_long(name) else { break };
                        let word = match value {
                            Some(value) => format!("--{name}={value}"),
                            None => format!("--{name}"),
                        };
                        let takes_next = value.is_none() && takes_value(arg);
                        let values = usize::from(takes_next).min(behind.len());
                        let mut words = vec![word.into()];
                        words.extend_from_slice(&behind[..values]);
                        given.push(Given { id: name.into(), words });
                        rest = &behind[values..];
                    }
                }
            } else if let Some(letters) = text.strip_prefix('-') {
                let Some((split, values)) = self.of_letters(letters, behind) else { break };
                given.extend(split);
                rest = &behind[values..];
            } else {
                break;
            }
        }
        let words = given.into_iter().flat_map(|it| it.words);
        Ok(words.chain(rest.iter().cloned()).collect())
    }

    /// Each letter as an option of its own, and how many of the words behind are values;
    /// `None` if one is unknown.
    fn of_letters(&self, letters: &str, behind: &[OsString]) -> Option<(Vec<Given>, usize)> {
        let mut given = Vec::new();
        for (at, letter) in letters.char_indices() {
            let arg = self.command.get_arguments().find(|arg| arg.get_short() == Some(letter))?;
            let value = &letters[at + letter.len_utf8()..];
            let id = letter.to_string();
            if !takes_value(arg) {
                given.push(Given { words: vec![format!("-{letter}").into()], id });
                continue;
            }
            let values = usize::from(value.is_empty()).min(behind.len());
            let mut words = vec![format!("-{letter}{value}").into()];
            words.extend_from_slice(&behind[..values]);
            given.push(Given { id, words });
            return Some((given, values));
        }
        Some((given, 0))
    }

    fn meaning(&self, name: &str) -> Result<Option<Meaning<'c>>, String> {
        let own = || self.command.get_arguments().filter_map(Arg::get_long);
        let perf = || self.of_perf.iter().copied();
        let known = || perf().chain(own());
        let exact = known().find_map(|known| {
            if known == name {
                return Some(Meaning::Set(known));
            }
            let negated = known.strip_prefix("no-") == Some(name);
            let negates = name.strip_prefix("no-") == Some(known);
            (negated || negates).then_some(Meaning::Unset(known))
        });
        // A flag of its own says it better than the lack of another.
        let own_flag = own().find(|own| *own == name).map(Meaning::Set);
        let meaning = match own_flag.or(exact) {
            Some(meaning) => meaning,
            None => {
                let mut found: Vec<_> =
                    perf().filter_map(|known| abbreviated(name, known)).collect();
                if found.is_empty() {
                    found = own().filter_map(|known| abbreviated(name, known)).collect();
                }
                match &found[..] {
                    [] => return Ok(None),
                    [one] => one.clone(),
                    _ => {
                        let all: Vec<String> = found.iter().map(spelled).collect();
                        return Err(format!("`--{name}` is ambiguous: {}", all.join(", ")));
                    }
                }
            }
        };
        let Meaning::Unset(known) = meaning else { return Ok(Some(meaning)) };
        if NOT_NEGATED.contains(&known) {
            return Err(format!("`--no-{known}`: `--{known}` cannot be negated"));
        }
        let flag = own().find(|own| own.strip_prefix("no-") == Some(known));
        Ok(Some(flag.map_or(meaning, Meaning::Set)))
    }

    fn of_long(&self, name: &str) -> Option<&'c Arg> {
        self.command.get_arguments().find(|arg| arg.get_long() == Some(name))
    }
}

/// What an abbreviation means if it is one of an option.
fn abbreviated<'n>(name: &str, known: &'n str) -> Option<Meaning<'n>> {
    if known.strip_prefix("no-").is_some_and(|known| known.starts_with(name)) {
        return Some(Meaning::Unset(known));
    }
    if known.starts_with(name) {
        return Some(Meaning::Set(known));
    }
    let is_negated = name.strip_prefix("no-").is_some_and(|name| known.starts_with(name));
    (is_negated || "no-".starts_with(name)).then_some(Meaning::Unset(known))
}

fn spelled(meaning: &Meaning<'_>) -> String {
    match meaning {
        Meaning::Set(name) => format!("`--{name}`"),
        Meaning::Unset(name) => match name.strip_prefix("no-") {
            Some(name) => format!("`--{name}`"),
            None => format!("`--no-{name}`"),
        },
    }
}

/// Whether the value may be the next word.
fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) && !arg.is_require_equals_set()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    /// What is written, and as what it is understood; an error begins with `!`.
    #[test]
    fn spellings() {
        let cases = [
            ("stat -a --time 20", "stat -a --timeout 20"),
            ("stat --time=20 true", "stat --timeout=20 true"),
            ("stat --del -1 true", "stat --delay -1 true"),
            ("stat --interval-p=7 true", "stat --interval-print=7 true"),
            // Only `pmu` has it.
            ("stat --sysf /x true", "stat --sysfs /x true"),
            ("stat --per-s true --per-s", "stat --per-socket true --per-s"),
            ("stat --per true", "!`--per` is ambiguous: `--per-socket`, `--per-die`"),
            ("stat --no true", "!`--no` is ambiguous"),
            // The last one counts.
            ("stat -ddv --no-detailed -d true", "stat -v -d true"),
            ("stat -D9 -d --delay 3 --no-delay true", "stat -d true"),
            ("stat -D 9 --no-del true", "stat true"),
            ("stat -i --inherit true", "stat true"),
            ("stat --no-inherit --inher true", "stat true"),
            ("stat --no-all-cpus -x, true", "stat -x , true"),
            ("stat --no-event true", "!`--no-event`: `--event` cannot be negated"),
            ("stat --no-repeat=3 true", "!`--no-repeat` takes no value"),
            // What is not an option of `stat` is left alone.
            ("stat -- --time 20", "stat -- --time 20"),
            ("stat --nothing --time 20", "stat --nothing --time 20"),
            ("stat true --time 20", "stat true --time 20"),
            ("list --time 20", "list --time 20"),
            // The others that perf has, too.
            ("record --no-data -d --mmap-p 4 true", "record -d --mmap-pages 4 true"),
            ("record --data --no-data --freq 9 true", "record --freq 9 true"),
            ("report --comm x --no-chil", "report --comms x --no-children"),
            ("script --no-inl --no-ns", "script --no-inline"),
        ];
        for (written, expected) in cases {
            let words = |text: &str| -> Vec<OsString> {
                ["pmu"].into_iter().chain(text.split(' ')).map(OsString::from).collect()
            };
            let written = words(written);
            match (rewritten(&mut Cli::command(), &written), expected.strip_prefix('!')) {
                (Err(error), Some(expected)) => {
                    assert!(error.to_string().contains(expected), "{written:?}: {error}");
                }
                (Ok(found), None) => {
                    let found = found.unwrap_or(written);
                    // A value is a word of its own or not.
                    let joined = |words: &[OsString]| words.join(OsString::from("").as_os_str());
                    assert_eq!(joined(&found), joined(&words(expected)), "{found:?}");
                }
                (other, _) => panic!("{written:?}: {other:?}"),
            }
        }
    }
}
