//! The options of perf's `stat`, `record`, `report` and `script`, as the manual lists them, and those
//! of them that have no meaning here: they are accepted and named in a note, or refused with the
//! reason, but never unknown.

mod manual;
mod record;
mod report;
mod script;
mod shared;
mod stat;
mod table;

use std::marker::PhantomData;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::failure::complain;
use crate::invocation::Invocation;
pub(crate) use manual::roff;
pub(crate) use table::PerfOption;
use table::Verdict;

/// The negation of an option that others imply.
const NO_METRIC_ONLY: &str = "no-metric-only";

/// A command of perf that this program has, too.
pub(crate) trait OfPerf: Clone + std::fmt::Debug + Send + Sync + 'static {
    const NAME: &'static str;
    const OPTIONS: &'static [PerfOption];
}

macro_rules! commands {
    ($($name:ident $module:ident)*) => {
        $(
            #[derive(Clone, Debug)]
            pub(crate) enum $name {}

            impl OfPerf for $name {
                const NAME: &'static str = stringify!($module);
                const OPTIONS: &'static [PerfOption] = $module::ALL;
            }
        )*

        /// The options of a command of perf.
        pub(crate) fn of_command(name: &str) -> Option<&'static [PerfOption]> {
            match name {
                $(stringify!($module) => Some($module::ALL),)*
                _ => None,
            }
        }
    };
}

commands! {
    Stat stat
    Record record
    Report report
    Script script
}

/// The long names that a command of perf 6.12 has, in its order; `None` if it is none of these.
pub(crate) fn names(command: &str) -> Option<impl Iterator<Item = &'static str>> {
    let options = of_command(command)?.iter().filter(|option| !option.is_later);
    Some(options.map(|option| option.long).filter(|long| !long.is_empty()))
}

/// perf's options that have no effect, and negated ones.
#[derive(Clone, Debug)]
pub(crate) struct PerfOptionArgs<C> {
    accepted: Vec<&'static PerfOption>,
    has_no_metric_only: bool,
    /// Why the first that is refused is.
    refusal: Option<String>,
    command: PhantomData<C>,
}

impl<C: OfPerf> PerfOptionArgs<C> {
    fn new() -> Self {
        let (accepted, refusal) = (Vec::new(), None);
        PerfOptionArgs { accepted, has_no_metric_only: false, refusal, command: PhantomData }
    }

    /// The options without effect, and why.
    pub(crate) fn without_effect(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.accepted.iter().filter_map(|option| match option.verdict {
            Verdict::Accepted(why) => Some((option.long, why)),
            _ => None,
        })
    }

    /// Tells which options have no effect, but not programs that run perf.
    pub(crate) fn tell(&self) {
        if Invocation::current().is_perf() {
            return;
        }
        for (long, why) in self.without_effect() {
            complain(C::NAME, &format!("note: `--{long}` has no effect: {why}"));
        }
    }

    /// Why an option is refused.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// The same as a usage error.
    pub(crate) fn or_refused(self) -> Result<Self, Error> {
        match &self.refusal {
            Some(why) => Err(Error::raw(ErrorKind::ValueValidation, why)),
            None => Ok(self),
        }
    }

    /// Whether counts are shown, too, where others are for metrics only.
    pub(crate) fn has_no_metric_only(&self) -> bool {
        self.has_no_metric_only
    }
}

impl<C: OfPerf> Default for PerfOptionArgs<C> {
    fn default() -> Self {
        PerfOptionArgs::new()
    }
}

impl<C: OfPerf> Args for PerfOptionArgs<C> {
    /// Comes after all other options, of which it knows only what is missing.
    fn augment_args(mut command: Command) -> Command {
        for option in C::OPTIONS {
            let is_known = command.get_arguments().any(|arg| arg.get_long() == Some(option.long));
            if !is_known && matches!(option.verdict, Verdict::Accepted(_) | Verdict::Refused(_)) {
                command = command.arg(only_of_perf(option));
            }
        }
        if C::NAME != Stat::NAME {
            return command;
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

impl<C: OfPerf> FromArgMatches for PerfOptionArgs<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let is_given = |id: &str| {
            matches.try_contains_id(id).unwrap_or(false)
                && matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
        };
        let has_no_metric_only = is_given(NO_METRIC_ONLY);
        let mut args = PerfOptionArgs { has_no_metric_only, ..Self::new() };
        for option in C::OPTIONS {
            match option.verdict {
                Verdict::Accepted(_) if is_given(option.long) => args.accepted.push(option),
                Verdict::Refused(why) if is_given(option.long) => {
                    args.refusal.get_or_insert(refusal(option.long, option.is_later, why));
                }
                _ => {}
            }
        }
        // `stat` says it with other contradictions.
        if C::NAME == Stat::NAME { Ok(args) } else { args.or_refused() }
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
        for (name, option) in all() {
            let command = command.find_subcommand(name).expect("it is one");
            let long = option.long;
            let names = |arg: &&Arg| {
                arg.get_long() == Some(long)
                    || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&long))
            };
            let has_letter = |arg: &&Arg| option.short.is_some() && arg.get_short() == option.short;
            let mut arguments = command.get_arguments();
            let arg = match long {
                "" => arguments.find(has_letter),
                _ => arguments.find(names),
            };
            let arg = arg.unwrap_or_else(|| panic!("{name} has no --{long}"));
            assert_eq!(arg.get_short(), option.short, "{name} --{long}");
            let takes_value = arg.get_action().takes_values();
            assert_eq!(takes_value, !option.value.is_empty(), "{name} --{long}");
            let is_optional =
                takes_value && arg.get_num_args().is_some_and(|n| n.min_values() == 0);
            assert_eq!(is_optional, option.is_optional, "{name} --{long}");
            let is_without_meaning =
                matches!(option.verdict, Verdict::Accepted(_) | Verdict::Refused(_));
            let context = format!("{name} --{long}: {:?}", option.verdict);
            assert_eq!(arg.is_hide_set(), is_without_meaning, "{context}");
        }
    }

    #[test]
    fn verdicts_are_sentences() {
        for (_, option) in all() {
            let why = match option.verdict {
                Verdict::Same => continue,
                Verdict::Differs(why) | Verdict::Accepted(why) | Verdict::Refused(why) => why,
            };
            assert!(why.starts_with(|c: char| !c.is_uppercase()), "--{}: {why}", option.long);
            assert!(!why.ends_with('.') && why.len() > 20, "--{}: {why}", option.long);
        }
    }

    fn all() -> impl Iterator<Item = (&'static str, &'static PerfOption)> {
        let commands = ["stat", "record", "report", "script"];
        commands.into_iter().flat_map(|name| {
            let options = of_command(name).expect("perf has it");
            options.iter().map(move |option| (name, option))
        })
    }

    fn parsed<C: OfPerf>(words: &[&str]) -> Result<PerfOptionArgs<C>, Error> {
        let mut all = vec!["pmu", C::NAME];
        all.extend(words);
        if ["stat", "record"].contains(&C::NAME) {
            all.push("true");
        }
        let matches = Cli::command().try_get_matches_from(all)?;
        let (_, matches) = matches.subcommand().expect("it is one");
        PerfOptionArgs::from_arg_matches(matches)
    }

    fn check<C: OfPerf>() {
        for option in C::OPTIONS {
            let word = match (option.value.is_empty(), option.is_optional) {
                (false, false) => format!("--{}=x", option.long),
                _ => format!("--{}", option.long),
            };
            let is_refused = |error: &str, why| {
                assert!(error.contains(why), "{error}");
                assert!(error.contains("later perf") == option.is_later, "{error}");
            };
            match (option.verdict, parsed::<C>(&[&word])) {
                (Verdict::Accepted(why), Ok(args)) => {
                    let all: Vec<_> = args.without_effect().collect();
                    assert_eq!(all, [(option.long, why)]);
                }
                (Verdict::Refused(why), Ok(args)) => {
                    is_refused(args.refusal().expect("it is refused"), why);
                }
                (Verdict::Refused(why), Err(error)) => is_refused(&error.to_string(), why),
                (Verdict::Accepted(_), answer) => panic!("{word}: {answer:?}"),
                (Verdict::Same | Verdict::Differs(_), _) => {}
            }
        }
    }

    #[test]
    fn options_without_meaning() {
        check::<Stat>();
        check::<Record>();
        check::<Report>();
        check::<Script>();
    }

    #[test]
    fn negations() {
        for (words, has_no_metric_only) in [
            (&["--metric-only", "--no-metric-only"][..], true),
            (&["--no-metric-only", "--metric-only"], false),
            (&["--topdown", "--no-metric-only"], true),
            (&["--metric-only"], false),
        ] {
            let args = parsed::<Stat>(words).expect("they go together");
            assert_eq!(args.has_no_metric_only(), has_no_metric_only, "{words:?}");
        }
    }

    /// `PMU_WRITE` writes the files.
    #[test]
    fn the_documentation_has_the_tables() {
        for name in ["stat", "record", "report", "script"] {
            let file = format!("PERF-{}.md", name.to_uppercase());
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            let text = markdown(name);
            if std::env::var_os("PMU_WRITE").is_some() {
                std::fs::write(&path, &text).expect("it can be written");
            }
            let written = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(written == text, "`PMU_WRITE=1 cargo test -p pmu perf_options` writes {name}");
        }
    }
}
