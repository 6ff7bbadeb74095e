//! The CPU that a block of source text is for: a line above that is indented less and names one, such
//! as the pattern of a `match`, a label, a key or the head of a function. In configuration files, it is
//! the head of a section, `[skylake]`, which need not be indented less.

use crate::audit::cpu::{Cpu, Cpus};

/// A block that is longer than this is not one for a CPU.
const MOST_LINES: usize = 60;

/// The CPUs that the blocks around a line are for, and the number of the line that says so, from 0.
pub(super) fn cpus(lines: &[(usize, &str)], number: usize, cpus: &Cpus) -> (Vec<Cpu>, usize) {
    let mut within = indentation(lines[number].1);
    let mut is_in_section = false;
    let above = (number.saturating_sub(MOST_LINES)..number).rev();
    for head in above.filter(|&head| !is_comment(lines[head].1)) {
        let line = lines[head].1;
        let is_head = !is_in_section && is_section(line) && indentation(line) <= within;
        if line.trim().is_empty() || indentation(line) >= within && !is_head {
            continue;
        }
        // Of sections, only the nearest holds the line.
        is_in_section |= is_head;
        within = indentation(line);
        let mut named = cpus.named_in(line);
        // Patterns go on from line to line.
        for before in (head.saturating_sub(MOST_LINES)..head).rev() {
            let more = cpus.named_in(lines[before].1);
            let is_part = lines[before + 1].1.trim_start().starts_with(['|', ',']);
            if named.is_empty() || more.is_empty() || !is_part {
                break;
            }
            named.extend(more.into_iter().filter(|cpu| !named.contains(cpu)).collect::<Vec<_>>());
        }
        if !named.is_empty() {
            return (named, head);
        }
    }
    (Vec::new(), number)
}

fn indentation(line: &str) -> usize {
    let blank = line.len() - line.trim_start().len();
    // A tab is as deep as any usual number of blanks.
    blank + 7 * line[..blank].matches('\t').count()
}

/// Whether a line is the head of a section: a name in brackets.
fn is_section(line: &str) -> bool {
    let name = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    name.is_some_and(|name| {
        let name = name.trim_start_matches('[').trim_end_matches(']');
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '))
    })
}

pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "*", "/*", ";", "--"].iter().any(|start| line.starts_with(start))
}
