//! What reads may return.

use std::panic::catch_unwind;
use std::sync::{Arc as Shared, Mutex};

use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;

use crate::page::{Counters, Fault, Field, Fields, REVOKED, Seen};
use crate::protocol::{Slot, read};

/// The values of a read, and the enabled time; `None` if the kernel is to be asked.
type Answer = Option<(Vec<u64>, u64)>;

/// A writer's change of the fields of one page, in any order.
type Change = Vec<(Field, u64)>;

/// What happens to the pages while they are read.
#[derive(Clone)]
enum Step {
    Page(usize, Change),
    /// A counter gets another value.
    Counter(usize, u64),
}

/// Event n counts on counter n, which has 5, and its page says to add 100; 7 ns.
fn pages(number: usize) -> Vec<Fields> {
    (0..number).map(|n| Fields::new(n as u32 + 1, 100, 7)).collect()
}

/// Runs all executions of a writer and a reader in which they interrupt each other at most
/// twice, and returns what was read, each once. Panics at an answer that is none.
fn executions(
    number: usize,
    steps: &[Step],
    fault: Option<Fault>,
    answers: &[Answer],
) -> Vec<Answer> {
    let seen: Shared<Mutex<Vec<Answer>>> = Shared::default();
    let (found, steps, answers) = (seen.clone(), steps.to_vec(), answers.to_vec());
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(move || {
        let shared = Arc::new((pages(number), Counters([5, 5, 5].map(AtomicU64::new))));
        let (steps, of_writer) = (steps.clone(), shared.clone());
        let writer = loom::thread::spawn(move || {
            let (pages, counters) = &*of_writer;
            for step in steps {
                match step {
                    Step::Page(page, change) => pages[page].change(change),
                    Step::Counter(number, value) => counters.set(number, value),
                }
            }
        });
        let (pages, counters) = &*shared;
        let of_page = |(n, fields)| Seen::new(fields, counters, n == 0, fault);
        let pages: Vec<Seen<'_>> = pages.iter().enumerate().map(of_page).collect();
        let mut slots = [Slot::default(); 2];
        let times = read(&pages, &mut slots);
        let values = slots[..number].iter().map(|slot| slot.value).collect();
        let answer = times.map(|times| (values, times.enabled));
        assert!(answers.contains(&answer), "{answer:?} is none of {answers:?}");
        let mut seen = found.lock().unwrap();
        if !seen.contains(&answer) {
            seen.push(answer);
        }
        drop(seen);
        writer.join().unwrap();
    });
    std::mem::take(&mut *seen.lock().unwrap())
}

/// All orders of the steps within a change.
fn orders(change: &Change) -> Vec<Change> {
    let Some(last) = change.len().checked_sub(1) else { return vec![Vec::new()] };
    let (rest, field) = (change[..last].to_vec(), change[last]);
    let insert = |order: Change| {
        (0..=last).map(move |n| {
            let mut order = order.clone();
            order.insert(n, field);
            order
        })
    };
    orders(&rest).into_iter().flat_map(insert).collect()
}

/// The event loses its counter, which counts something else then, and gets another one.
fn moves(out: &Change, again: &Change) -> Vec<Step> {
    vec![
        Step::Page(0, out.clone()),
        Step::Counter(0, 999),
        Step::Counter(2, 1),
        Step::Page(0, again.clone()),
    ]
}

fn out() -> Change {
    vec![(Field::Index, 0), (Field::Offset, 105), (Field::Enabled, 8)]
}

fn again() -> Change {
    vec![(Field::Index, 3), (Field::Offset, 106), (Field::Enabled, 9)]
}

fn before() -> Answer {
    Some((vec![105], 7))
}

/// Every read must return one of the answers, and each answer must be one of a read.
fn check(number: usize, steps: &[Step], answers: &[Answer]) {
    let seen = executions(number, steps, None, answers);
    for answer in answers {
        assert!(seen.contains(answer), "{answer:?} was never read: {seen:?}");
    }
}

/// In whatever order the kernel changes a page.
#[test]
fn an_event_that_moves_to_another_counter() {
    let answers = [before(), None, Some((vec![107], 9))];
    for (out, again) in orders(&out()).iter().zip(orders(&again())) {
        check(1, &moves(out, &again), &answers);
    }
}

/// The page alone is changed: its count is brought up to date.
#[test]
fn an_event_that_stays() {
    let change = vec![(Field::Offset, 200), (Field::Enabled, 9), (Field::Index, 2)];
    for change in orders(&change) {
        check(1, &[Step::Page(0, change)], &[before(), None, Some((vec![205], 9))]);
    }
}

/// The kernel withdraws what it had allowed.
#[test]
fn reads_that_are_revoked() {
    let change = vec![(Field::Capabilities, REVOKED), (Field::Offset, 0), (Field::Index, 0)];
    for change in orders(&change) {
        check(1, &[Step::Page(0, change), Step::Counter(0, 999)], &[before(), None]);
    }
}

/// Both events of a group lose their counters, one after the other, and count on.
fn group() -> Vec<Step> {
    let out = |page| Step::Page(page, vec![(Field::Index, 0)]);
    let again =
        |page| Step::Page(page, vec![(Field::Offset, 200), (Field::Index, page as u64 + 1)]);
    vec![out(0), out(1), again(0), again(1)]
}

/// The counts of a group are those before or those after, for all of its members.
#[test]
fn groups() {
    let both = |value| Some((vec![value, value], 7));
    check(2, &group(), &[both(105), both(205), None]);
}

/// Whether the checker finds a fault of a reader.
fn finds(number: usize, steps: &[Step], fault: Fault, answers: &[Answer]) -> bool {
    catch_unwind(|| executions(number, steps, Some(fault), answers)).is_err()
}

#[test]
fn each_fault_is_found() {
    let steps = moves(&out(), &again());
    let answers = [before(), None, Some((vec![107], 9))];
    for fault in [Fault::Unchecked, Fault::Odd, Fault::Unordered] {
        assert!(finds(1, &steps, fault, &answers), "{fault:?}");
    }
    let both = |value| Some((vec![value, value], 7));
    assert!(finds(2, &group(), Fault::LeaderAlone, &[both(105), both(205), None]));
}
