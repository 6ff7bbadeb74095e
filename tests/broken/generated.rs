//! Files that a case cannot hold as text, or should not.

use std::fs;
use std::path::Path;
use std::process::Command;

type Generate = fn(&Path);

/// What is added to the tree of a case.
pub(crate) const GENERATED: &[(&str, Generate)] = &[
    ("070-deep-nesting", |root| {
        write(root, "soc/deep.json", &"[".repeat(100_000));
    }),
    ("071-deep-nesting-in-a-value", |root| {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        let text = format!("[\n  {{\"EventName\": \"A\", \"EventCode\": {open}{close}}}\n]\n");
        write(root, "soc/deep.json", &text);
    }),
    ("072-deep-nesting-of-objects", |root| {
        let text = format!("[{}1{}]", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        write(root, "soc/deep.json", &text);
    }),
    ("180-very-long-values", |root| {
        let long = "x".repeat(1_000_000);
        let text = format!(
            "[\n  {{\"EventName\": \"{long}\"}},\n  {{\"EventName\": \"A\", \"Unit\": \"{long}\"}},\n  \
             {{\"EventName\": \"B\", \"UMask\": \"{long}\"}},\n  {{\"EventName\": \"C\", \"{long}\": \
             \"1\"}},\n  {{\"EventName\": \"D\", \"ArchStdEvent\": \"{long}\"}},\n  {{\"MetricName\": \
             \"E\", \"MetricExpr\": \"1 + {long} +\"}},\n  {{\"EventName\": \"F\", \"Filter\": \
             \"{long}\"}}\n]\n"
        );
        write(root, "soc/long.json", &text);
    }),
    // A pipe would keep whoever reads it waiting for ever.
    ("193-pipe", |root| {
        let status = Command::new("mkfifo").arg(root.join("soc/pipe.json")).status().unwrap();
        assert!(status.success());
    }),
    // There are as many ways through them as permutations.
    ("197-directories-linked-to-each-other", |root| {
        for from in 0..12 {
            let directory = root.join(format!("d{from}"));
            fs::create_dir(&directory).unwrap();
            for to in (0..12).filter(|&to| to != from) {
                let target = format!("../d{to}");
                std::os::unix::fs::symlink(target, directory.join(format!("d{to}"))).unwrap();
            }
        }
    }),
];

fn write(root: &Path, path: &str, text: &str) {
    fs::write(root.join(path), text).unwrap();
}
