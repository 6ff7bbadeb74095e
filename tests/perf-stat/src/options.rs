//! The options of perf's commands in its source (`stat_options` in `tools/perf/builtin-stat.c`, and
//! those of others).

/// An option as the source defines it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defined {
    pub long: String,
    pub short: Option<char>,
    pub takes_value: bool,
    pub is_optional: bool,
}

/// All options between the beginning of an array and its end.
pub fn of_source(array: &str, source: &str) -> Vec<Defined> {
    let start = source.find(&format!("struct option {array}[] = {{")).expect("it has them");
    let all = &source[start..];
    let all = &all[..all.find("OPT_END()").expect("it has an end")];
    let mut found = Vec::new();
    for definition in all.split("\tOPT_").skip(1) {
        let (kind, arguments) = definition.split_once('(').expect("it is a macro");
        let arguments = arguments.trim_start();
        let short = match arguments.strip_prefix('\'') {
            // `'\0'` is none.
            Some(rest) => rest.chars().next().filter(|letter| *letter != '\\'),
            None => None,
        };
        let name = arguments.split(',').nth(1).expect("it has a name").trim();
        let long = if name == "NULL" { "" } else { name.trim_matches('"') };
        found.push(Defined {
            long: long.into(),
            short,
            takes_value: match kind {
                "BOOLEAN" | "BOOLEAN_FLAG" | "BOOLEAN_SET" | "INCR" | "CALLBACK_NOOPT" => false,
                "CALLBACK" | "CALLBACK_DEFAULT" | "CALLBACK_OPTARG" | "CALLBACK_SET"
                | "INTEGER" | "STRING" | "STRING_NOEMPTY" | "STRING_OPTARG"
                | "STRING_OPTARG_SET" | "U64" | "UINTEGER" => true,
                other => panic!("`OPT_{other}` is unknown"),
            },
            is_optional: kind.contains("OPTARG") || kind == "CALLBACK_DEFAULT",
        });
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions() {
        let source = "struct option stat_options[] = {\n\
                      \tOPT_BOOLEAN('T', \"transaction\", &run,\n\t\t\"statistics\"),\n\
                      \tOPT_CALLBACK_OPTARG(0, \"per-cache\", &mode, \"cache level\", \"text\"),\n\
                      \tOPT_CALLBACK_NOOPT('g', NULL, &chains,\n\t\tNULL, \"text\"),\n\
                      \tOPT_BOOLEAN('\\0', \"show-task-events\", &script.tasks, \"text\"),\n\
                      \tOPT_STRING('x', \"field-separator\", &sep, \"separator\", \"text\"),\n\
                      \tOPT_END()\n};";
        let all: Vec<_> = of_source("stat_options", source)
            .into_iter()
            .map(|one| (one.long, one.short, one.takes_value, one.is_optional))
            .collect();
        assert_eq!(
            all,
            [
                (String::new(), Some('g'), false, false),
                ("field-separator".into(), Some('x'), true, false),
                ("per-cache".into(), None, true, true),
                ("show-task-events".into(), None, false, false),
                ("transaction".into(), Some('T'), false, false),
            ]
        );
    }
}
