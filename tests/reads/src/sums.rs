//! Sums of regions, which one thread changes while another reads them.

use std::sync::{Arc as Shared, Mutex};

use loom::sync::Arc;

use crate::sequence::{Sequenced, add};

/// What is read while another thread changes the words: each result once, `None` for a read that is
/// to be tried again.
fn results(write: fn(&Sequenced)) -> Vec<Option<Vec<u64>>> {
    let seen: Shared<Mutex<Vec<Option<Vec<u64>>>>> = Shared::default();
    let found = seen.clone();
    loom::model(move || {
        let sums = Arc::new(Sequenced::new(2));
        let (of_reader, found) = (sums.clone(), found.clone());
        // The reader is spawned: loom looks for other orders of a load and the last store before
        // it, and a writer has always read itself what it stores.
        let reader = loom::thread::spawn(move || {
            let result = of_reader.try_read();
            let mut seen = found.lock().unwrap();
            if !seen.contains(&result) {
                seen.push(result);
            }
        });
        write(&sums);
        reader.join().unwrap();
        assert!(sums.try_read().is_some(), "nobody changes them now");
    });
    let mut results = std::mem::take(&mut *seen.lock().unwrap());
    results.sort();
    results
}

/// Both words of a change are read, or none.
#[test]
fn changes_are_whole() {
    let results = results(|sums| {
        for _ in 0..2 {
            sums.change(|words| words.iter().for_each(|word| add(word, 1)));
        }
    });
    assert_eq!(results, [None, Some(vec![0, 0]), Some(vec![1, 1]), Some(vec![2, 2])]);
}

/// The checker would have found a change that is not whole.
#[test]
fn changes_in_parts_are_seen() {
    let results = results(|sums| {
        sums.change(|words| add(&words[0], 1));
        sums.change(|words| add(&words[1], 1));
    });
    assert_eq!(results, [None, Some(vec![0, 0]), Some(vec![1, 0]), Some(vec![1, 1])]);
}
