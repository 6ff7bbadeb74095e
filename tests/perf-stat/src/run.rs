//! What a program writes, and where.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::combinations::Combination;

/// The streams, and how the program ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
    /// What is in the file of `-o`.
    pub file: Option<String>,
    /// What descriptor 3 has received.
    pub descriptor: String,
}

impl Run {
    /// Whether it says that something is wrong, and nothing else.
    pub fn is_refusal(&self) -> bool {
        self.status > 100 && !self.has_counts() && !self.err.trim().is_empty()
    }

    /// Whether it shows what was counted.
    pub fn has_counts(&self) -> bool {
        let text = [&self.out, &self.err, &self.descriptor].map(String::as_str).concat();
        text.contains("time elapsed") || text.contains("counter-value")
    }
}

/// A directory whose files are those of one run, and the process that sleeps.
pub struct Place {
    pub directory: PathBuf,
    pub process: u32,
}

/// Runs `program stat` with the words.
pub fn run(program: &Path, combination: &Combination, place: &Place, locale: &str) -> Run {
    let out = place.directory.join("out");
    let descriptor = place.directory.join("descriptor");
    let _ = fs::remove_file(&out);
    fs::write(&descriptor, "").expect("the directory can be written");
    if combination.has_contents {
        fs::write(&out, "contents\n").expect("the directory can be written");
    }
    let script = format!(
        "exec {} stat {} 3>>{}",
        program.display(),
        combination.words,
        descriptor.display()
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .env("OUT", &out)
        .env("PID", place.process.to_string())
        .env("LC_ALL", locale)
        // Where nothing may be counted of the kernel, both say so in their way.
        .env("PERF_CPUID", "GenuineIntel-6-8F-4")
        .env_remove("PERF_CONFIG")
        .env("HOME", &place.directory)
        .stdin(Stdio::null())
        .output()
        .expect("sh is installed");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
    Run {
        status: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
        file: fs::read_to_string(&out).ok(),
        descriptor: fs::read_to_string(&descriptor).expect("it has been written"),
    }
}
