//! The CPU that a block of source text is for: a line above that is indented less and names one, such
//! as the pattern of a `match`, a label, a key or the head of a function.

use crate::audit::cpu::{Cpu, Cpus};

/// A block that is longer than this is not one for a CPU.
const MOST_LINES: usize = 60;

/// The CPUs that the blocks around a line are for, and the number of the line that says so, from 0.
pub(super) fn cpus(lines: &[(usize, &str)], number: usize, cpus: &Cpus) -> (Vec<Cpu>, usize) {
    let mut within = indentation(lines[number].1);
    let above = (number.saturating_sub(MOST_LINES)..number).rev();
    for head in above.filter(|&head| !is_comment(lines[head].1)) {
        let line = lines[head].1;
        if line.trim().is_empty() || indentation(line) >= within {
            continue;
        }
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

pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "*", "/*", ";", "--"].iter().any(|start| line.starts_with(start))
}
