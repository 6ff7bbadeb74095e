//! Labels that say more than their code counts: `L1_Fills_DRAM` of a code that counts near memory
//! alone, beside an event for all memory.

use super::bench::Core;
use super::{Counted, Judgement, Verdict};
use crate::audit::words;
use crate::decode::coded::OfModel;

/// Words that say of an event that it is not a part.
const WHOLE: [&str; 4] = ["all", "any", "total", "both"];

/// Words of one meaning: the two halves of a machine, and what they have.
const NEAR: [&str; 3] = ["near", "local", "own"];
const FAR: [&str; 3] = ["far", "remote", "other"];
const MEMORY: [&str; 3] = ["dram", "mem", "memory"];

/// The judgement on a label, if a larger event has all that the label says, and the code's event has
/// a restriction that the label does not mention.
pub(super) fn of(label: &str, core: &Core, counted: &Counted) -> Option<Judgement> {
    let said = stems(label);
    let events = &counted.found.events;
    let one = events.iter().find(|of| !of.event.is_deprecated())?;
    let own = stems(tail(one));
    // If one of the names of the code says what the label says, the label is right.
    let is_said = |of: &OfModel| stems(tail(of)).iter().all(|word| is_in(&said, word));
    if events.iter().any(is_said) {
        return None;
    }
    if let Some(part) = other_half(core, counted, one, &said, &own) {
        return Some(part);
    }
    let (whole, umask) = core.wholes(counted.words).into_iter().find(|(whole, _)| {
        let of_whole: Vec<String> =
            stems(tail(whole)).into_iter().filter(|word| !WHOLE.contains(&&**word)).collect();
        let more: Vec<&String> = own.iter().filter(|word| !is_in(&of_whole, word)).collect();
        let is_refined = !of_whole.is_empty() && of_whole.iter().all(|word| is_in(&own, word));
        let says_whole = of_whole.iter().any(|word| is_in(&said, word));
        is_refined && says_whole && !more.is_empty() && !more.iter().any(|word| is_in(&said, word))
    })?;
    let fix = core.string(whole);
    Some(Judgement {
        verdict: Verdict::OnlyAPart,
        evidence: format!(
            "{}; {} is {fix}, of which umask={umask:#x} is missing",
            counted.sentence(),
            whole.event.name(),
        ),
        fix: Some(fix),
    })
}

/// The judgement on a label that says neither near nor far, of an event that has one and a sibling
/// that has the other.
fn other_half(
    core: &Core,
    counted: &Counted,
    one: &OfModel,
    said: &[String],
    own: &[String],
) -> Option<Judgement> {
    let has =
        |group: [&str; 3], words: &[String]| words.iter().any(|word| group.contains(&&**word));
    if has(NEAR, said) || has(FAR, said) || !own.iter().any(|word| is_in(said, word)) {
        return None;
    }
    let (half, contrary) = match (has(NEAR, own), has(FAR, own)) {
        (true, false) => (NEAR, FAR),
        (false, true) => (FAR, NEAR),
        _ => return None,
    };
    let without = |words: &[String], group: [&str; 3]| -> Vec<String> {
        words.iter().filter(|word| !group.contains(&&***word)).cloned().collect()
    };
    let is_sibling = |other: &OfModel| {
        let words = stems(tail(other));
        has(contrary, &words) && without(&words, contrary) == without(own, half)
    };
    let siblings = core.siblings(counted.words);
    let &(sibling, umask) = siblings.iter().find(|(of, _)| is_sibling(of))?;
    Some(Judgement {
        verdict: Verdict::OnlyAPart,
        evidence: format!("{}, and not {}", counted.sentence(), sibling.event.name()),
        fix: core.with_umask(*one, umask),
    })
}

/// What follows the first dot of a name.
fn tail(of: &OfModel) -> &'static str {
    let name = of.event.name();
    name.split_once('.').map_or(name, |(_, tail)| tail)
}

/// The words of a name, without the signs of the plural.
fn stems(name: &str) -> Vec<String> {
    let stem = |word: String| match word.strip_suffix("es").filter(|stem| stem.ends_with('s')) {
        Some(stem) => stem.to_string(),
        None if word.len() > 3 && !word.ends_with("ss") => word.trim_end_matches('s').to_string(),
        None => word,
    };
    words::of(name).into_iter().map(stem).collect()
}

fn is_in(words: &[String], wanted: &str) -> bool {
    let is_same = |word: &str| {
        word == wanted
            || [NEAR, FAR, MEMORY]
                .iter()
                .any(|group| group.contains(&word) && group.contains(&wanted))
    };
    words.iter().any(|word| is_same(word))
}
