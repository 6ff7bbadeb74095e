//! The tasks and CPUs that a set measures, checked once for all kinds of events.

use std::format;
use std::path::Path;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::file;
use crate::open::{Error, ErrorKind};
use crate::system::Scope;

/// The scope without threads that are named twice or have ended.
///
/// # Errors
///
/// Returns an error if no thread and no CPU is named, if a thread cannot exist, or if all have
/// ended.
pub(super) fn checked(scope: &Scope, proc: &Path) -> Result<Scope, Error> {
    let named = match scope {
        Scope::Threads(named) => named,
        Scope::Cpus(cpus) if cpus.is_empty() => {
            return Err(Error::new(ErrorKind::NoDevice, 0, "no CPU is named"));
        }
        _ => return Ok(scope.clone()),
    };
    let mut threads: Vec<u32> = Vec::new();
    for &thread in named {
        if thread == 0 {
            let message = "there is no thread 0; `Scope::ThisThread` is the one that opens the \
                           counters";
            return Err(Error::new(ErrorKind::NoSuchTask, 0, message));
        }
        if !threads.contains(&thread) && !has_ended(thread, proc) {
            threads.push(thread);
        }
    }
    match (threads.is_empty(), named.as_slice()) {
        (false, _) => Ok(Scope::Threads(threads)),
        (true, []) => Err(Error::new(ErrorKind::NoSuchTask, 0, "no thread is named")),
        (true, _) => Err(none_left(named)),
    }
}

/// Refuses threads of which none exists any more.
pub(super) fn check_some_left(scope: &Scope, proc: &Path) -> Result<(), Error> {
    match scope {
        Scope::Threads(threads) if threads.iter().all(|&one| has_ended(one, proc)) => {
            Err(none_left(threads))
        }
        _ => Ok(()),
    }
}

fn none_left(threads: &[u32]) -> Error {
    const MOST: usize = 5;
    let message = match threads {
        [thread] => format!("there is no thread {thread}"),
        _ => {
            let mut message = String::from("none of the threads exists any more: ");
            for (n, thread) in threads.iter().enumerate() {
                let separator = if n == 0 { "" } else { ", " };
                message.push_str(&match n < MOST {
                    true => format!("{separator}{thread}"),
                    false => format!("{separator}…"),
                });
                if n == MOST {
                    break;
                }
            }
            message
        }
    };
    Error::new(ErrorKind::NoSuchTask, 0, message)
}

/// Whether a thread has ended, even if nobody has waited for it yet (`proc_pid_stat(5)`:
/// the state follows the name). Where there is no procfs, the kernel will know.
fn has_ended(thread: u32, proc: &Path) -> bool {
    let stat = proc.join(thread.to_string()).join("stat");
    match file::of_procfs(&stat) {
        Ok(text) => {
            let state =
                text.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
            matches!(state, Some('Z' | 'X' | 'x'))
        }
        Err(_) => !proc.join(thread.to_string()).exists() && proc.join("self").exists(),
    }
}
