//! The options of `perf stat`, as the manual lists them, and those of them that have no
//! meaning here: they are accepted and named in a note, or refused with the reason, but never
//! unknown.

mod manual;
mod table;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

pub(crate) use manual::roff;
use table::{ALL, PerfOption, Verdict};

/// The negation of an option that others imply.
const NO_METRIC_ONLY: &str = "no-metric-only";

/// The long names of perf 6.12, in its order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(|option| !option.is_later).map(|option| option.long)
}

/// perf's options that have no effect, and negated ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct PerfOptionArgs {
    accepted: Vec<&'static PerfOption>,
    has_no_metric_only: bool,
    /// Why the first that is refused is.
    refusal: Option<String>,
}

impl PerfOptionArgs {
    /// The options without effect, and why.
    pub(crate) fn without_effect(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.accepted.iter().filter_map(|option| match option.verdict {
            Verdict::Accepted(why) => Some((option.long, why)),
            _ => None,
        })
    }

    /// Why an option is refused.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Whether counts are shown, too, where others are for metrics only.
    pub(crate) fn has_no_metric_only(&self) -> bool {
        self.has_no_metric_only
    }
}

impl Args for PerfOptionArgs {
    /// Comes after all other options, of which it knows only what is missing.
    fn augment_args(mut command: Command) -> Command {
        for option in ALL {
            let is_known = command.get_arguments().any(|arg| arg.get_long() == Some(option.long));
            if !is_known && matches!(option.verdict, Verdict::Accepted(_) | Verdict::Refused(_)) {
                command = command.arg(only_of_perf(option));
            }
        }
        let negation = Arg::new(NO_METRIC_ONLY).long(NO_METRIC_ONLY).hide(true);
        command = command.arg(negation.action(ArgAction::SetTrue));
        command.mut_arg(NO_METRIC_ONLY, |arg| arg.overrides_with("metric_only"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn only_of_perf(option: &'static PerfOption) -> Arg {
    let mut arg = Arg::new(option.long).long(option.long).hide(true);
    if let Some(short) = option.short {
        arg = arg.short(short);
    }
    match (option.value.is_empty(), option.is_optional) {
        (true, _) => arg.action(ArgAction::SetTrue),
        (false, false) => arg.action(ArgAction::Append).value_name(option.value),
        (false, true) => arg
            .action(ArgAction::Append)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(""),
    }
}

impl FromArgMatches for PerfOptionArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let is_given = |id: &str| {
            matches.try_contains_id(id).unwrap_or(false)
                && matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
        };
        let has_no_metric_only = is_given(NO_METRIC_ONLY);
        let mut args = PerfOptionArgs { has_no_metric_only, ..PerfOptionArgs::default() };
        for option in ALL {
            match option.verdict {
                Verdict::Accepted(_) if is_given(option.long) => args.accepted.push(option),
                Verdict::Refused(why) if is_given(option.long) => {
                    args.refusal.get_or_insert(refusal(option.long, option.is_later, why));
                }
                _ => {}
            }
        }
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn refusal(long: &str, is_later: bool, why: &str) -> String {
    let of = if is_later { ", an option of a later perf than 6.12," } else { "" };
    format!("`--{long}`{of} is not available: {why}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory as _;

    use super::manual::markdown;
    use super::*;
    use crate::cli::Cli;

    /// An option that does what perf's does has its names and takes what it takes; one that
    /// does not is not in the help.
    #[test]
    fn the_command_line_has_what_the_table_says() {
        let mut command = Cli::command();
        command.build();
        let stat = command.find_subcommand("stat").expect("it is one");
        for option in ALL {
            let long = option.long;
            let names = |arg: &&Arg| {
                arg.get_long() == Some(long)
                    || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&long))
            };
            let arg = stat.get_arguments().find(names).unwrap_or_else(|| panic!("no --{long}"));
            assert_eq!(arg.get_short(), option.short, "--{long}");
            let takes_value = arg.get_action().takes_values();
            assert_eq!(takes_value, !option.value.is_empty(), "--{long}");
            let is_optional =
                takes_value && arg.get_num_args().is_some_and(|n| n.min_values() == 0);
            assert_eq!(is_optional, option.is_optional, "--{long}");
            let is_without_meaning =
                matches!(option.verdict, Verdict::Accepted(_) | Verdict::Refused(_));
            assert_eq!(arg.is_hide_set(), is_without_meaning, "--{long}: {:?}", option.verdict);
        }
    }

    #[test]
    fn verdicts_are_sentences() {
        for option in ALL {
            let why = match option.verdict {
                Verdict::Same => continue,
                Verdict::Differs(why) | Verdict::Accepted(why) | Verdict::Refused(why) => why,
            };
            assert!(why.starts_with(|c: char| !c.is_uppercase()), "--{}: {why}", option.long);
            assert!(!why.ends_with('.') && why.len() > 20, "--{}: {why}", option.long);
        }
    }

    fn parsed(words: &[&str]) -> Result<PerfOptionArgs, Error> {
        let mut all = vec!["pmu", "stat"];
        all.extend(words);
        all.push("true");
        let matches = Cli::command().try_get_matches_from(all)?;
        let (_, matches) = matches.subcommand().expect("it is one");
        PerfOptionArgs::from_arg_matches(matches)
    }

    #[test]
    fn options_without_meaning() {
        for option in ALL {
            let word = match (option.value.is_empty(), option.is_optional) {
                (false, false) => format!("--{}=x", option.long),
                _ => format!("--{}", option.long),
            };
            match (option.verdict, parsed(&[&word])) {
                (Verdict::Accepted(why), Ok(args)) => {
                    let all: Vec<_> = args.without_effect().collect();
                    assert_eq!(all, [(option.long, why)]);
                }
                (Verdict::Refused(why), Ok(args)) => {
                    let error = args.refusal().expect("it is refused");
                    assert!(error.contains(why), "{error}");
                    assert!(error.contains("later perf") == option.is_later, "{error}");
                }
                (Verdict::Accepted(_) | Verdict::Refused(_), answer) => {
                    panic!("{word}: {answer:?}")
                }
                (Verdict::Same | Verdict::Differs(_), _) => {}
            }
        }
    }

    #[test]
    fn negations() {
        for (words, has_no_metric_only) in [
            (&["--metric-only", "--no-metric-only"][..], true),
            (&["--no-metric-only", "--metric-only"], false),
            (&["--topdown", "--no-metric-only"], true),
            (&["--metric-only"], false),
        ] {
            let args = parsed(words).expect("they go together");
            assert_eq!(args.has_no_metric_only(), has_no_metric_only, "{words:?}");
        }
    }

    /// `PMU_WRITE` writes the file.
    #[test]
    fn the_documentation_has_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("PERF-STAT.md");
        if std::env::var_os("PMU_WRITE").is_some() {
            std::fs::write(&path, markdown()).expect("it can be written");
        }
        let written = std::fs::read_to_string(&path).expect("it is there");
        assert!(written == markdown(), "`PMU_WRITE=1 cargo test -p pmu perf_options` writes it");
    }
}
