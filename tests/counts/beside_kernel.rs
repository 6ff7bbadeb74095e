//! The same operations on the simulated kernel and on this machine's: both agree.
//!
//! A thread touches new pages, so many and on such a CPU as the operations say, and page
//! faults in user space are counted. Where the kernel permits no counting, it says so.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use pmu_events::open::{Counters, ErrorKind, Options, Outcome};
use pmu_events::{Scope, System};
use simulated_kernel::world::Tid;

use crate::laboratory::{Cores, Laboratory, event};
use crate::rights::{self, Rights, rights};

/// Pages that are touched at once. The kernel may add a few faults of its own.
const PAGES: u64 = 512;
const FEW: u64 = PAGES / 8;

#[derive(Clone, Copy, Debug)]
enum Step {
    Enable,
    Disable,
    Reset,
    /// On the first or the second CPU.
    Touch(usize),
    /// All counts must agree.
    Read,
}

/// A thread that touches pages when it is told to.
struct Worker {
    id: Tid,
    tell: Sender<u64>,
    done: Receiver<()>,
}

impl Worker {
    fn start() -> Self {
        let (tell, hear) = mpsc::channel::<u64>();
        let (finish, done) = mpsc::channel();
        let (tell_id, id) = mpsc::channel();
        thread::spawn(move || {
            // SAFETY: it has no arguments and cannot fail.
            tell_id.send(unsafe { libc::gettid() }.cast_unsigned()).expect("somebody waits");
            for pages in hear {
                touch(pages);
                finish.send(()).expect("somebody waits");
            }
        });
        let worker = Worker { id: id.recv().expect("it starts"), tell, done };
        // What the thread needs besides is there from then on.
        worker.touch(PAGES);
        worker
    }

    fn touch(&self, pages: u64) {
        self.tell.send(pages).expect("it waits");
        self.done.recv().expect("it does as it is told");
    }

    fn move_to(&self, cpu: u32) {
        // SAFETY: zeros are an empty set, and the call reads it.
        let moved = unsafe {
            let mut cpus = std::mem::zeroed::<libc::cpu_set_t>();
            libc::CPU_SET(cpu as usize, &mut cpus);
            libc::sched_setaffinity(self.id as libc::pid_t, size_of_val(&cpus), &raw const cpus)
        };
        assert_eq!(moved, 0, "it may run on CPU {cpu}");
    }
}

fn touch(pages: u64) {
    let size = page_size();
    let length = pages as usize * size;
    // SAFETY: the kernel chooses where; nothing else is there, and only these bytes are written.
    unsafe {
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let start = libc::mmap(std::ptr::null_mut(), length, rights, kind, -1, 0);
        assert_ne!(start, libc::MAP_FAILED);
        // Each page has its own fault.
        libc::madvise(start, length, libc::MADV_NOHUGEPAGE);
        for page in 0..pages as usize {
            start.cast::<u8>().add(page * size).write_volatile(1);
        }
        libc::munmap(start, length);
    }
}

fn page_size() -> usize {
    // SAFETY: it asks for a number.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// Two CPUs on which this process may run, or the only one twice.
fn cpus() -> [u32; 2] {
    // SAFETY: zeros are an empty set, and the call fills it.
    let allowed = unsafe {
        let mut cpus = std::mem::zeroed::<libc::cpu_set_t>();
        assert_eq!(libc::sched_getaffinity(0, size_of_val(&cpus), &raw mut cpus), 0);
        cpus
    };
    // SAFETY: the number is below the size of the set.
    let is_allowed = |&cpu: &usize| unsafe { libc::CPU_ISSET(cpu, &allowed) };
    let mut all = (0..libc::CPU_SETSIZE as usize).filter(is_allowed).map(|cpu| cpu as u32);
    let first = all.next().expect("it runs somewhere");
    [first, all.next().unwrap_or(first)]
}

/// The count of each event, if it is complete.
fn counted(counters: &Counters) -> Vec<Option<u64>> {
    let value = |outcome: Outcome| outcome.total().map(|total| total.value());
    counters.read().events().iter().map(|event| value(event.outcome())).collect()
}

#[test]
fn the_model_and_the_kernel_agree() {
    use Step::{Disable, Enable, Read, Reset, Touch};
    let scripts: &[&[Step]] = &[
        &[Read, Enable, Touch(0), Read, Touch(1), Read, Disable, Touch(0), Touch(1), Read],
        &[Enable, Touch(1), Reset, Read, Touch(0), Touch(1), Read, Disable, Reset, Read],
        &[Touch(0), Enable, Touch(0), Disable, Touch(1), Enable, Touch(1), Read, Reset, Read],
        &[Reset, Enable, Enable, Touch(0), Touch(0), Read, Reset, Reset, Touch(1), Read],
    ];
    let [first, second] = cpus();
    let texts = [
        "page-faults:u".to_string(),
        format!("page-faults/cpu={first}/u"),
        format!("{{page-faults:u,page-faults/cpu={second}/u}}"),
        format!(
            "{{page-faults/cpu={first}/u,page-faults/cpu={first}/u}},page-faults/cpu={second}/u"
        ),
    ];
    let worker = Worker::start();
    let scope = Scope::Threads(vec![worker.id]);
    for text in &texts {
        let opened = System::new().open_with(text, &Options::new().with_scope(scope.clone()));
        if rights() == Rights::Nothing {
            match opened {
                Ok(counters) => {
                    assert!(rights::has_no_counters() && counted(&counters)[0].is_none())
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::NotPermitted, "{error}"),
            }
            continue;
        }
        drop(opened);
        for &script in scripts {
            agree(text, script, &worker, &scope, [first, second]);
        }
    }
}

fn agree(text: &str, script: &[Step], worker: &Worker, scope: &Scope, cpus: [u32; 2]) {
    let options = Options::new().with_scope(scope.clone());
    let mut real = System::new().open_with(text, &options).expect("it was opened before");

    let laboratory = Laboratory::with_cpus(Cores::Alike, cpus[1].max(cpus[0]) + 1);
    let faults = event(1, 2);
    laboratory.kernel().rates().only_single(faults);
    laboratory.spawn(worker.id);
    let mut model = laboratory.system().open_with(text, &options).expect("the model opens it");
    for (n, step) in script.iter().enumerate() {
        match *step {
            Step::Enable => {
                real.enable().expect("it can be enabled");
                model.enable().expect("the model can");
            }
            Step::Disable => {
                real.disable().expect("it can be disabled");
                model.disable().expect("the model can");
            }
            Step::Reset => {
                real.reset();
                model.reset();
            }
            Step::Touch(cpu) => {
                worker.move_to(cpus[cpu]);
                worker.touch(PAGES);
                let mut kernel = laboratory.kernel();
                kernel.place(worker.id, Some(cpus[cpu])).expect("it is online");
                assert!(kernel.cause(worker.id, faults, PAGES));
                kernel.place(worker.id, None).expect("it may wait");
            }
            Step::Read => {
                let (real, model) = (counted(&real), counted(&model));
                let what =
                    || format!("{text}, step {n} of {script:?}: {real:?}, the model {model:?}");
                assert_eq!(real.len(), model.len());
                for (real, model) in real.iter().zip(&model) {
                    match (real, model) {
                        (Some(real), Some(model)) => {
                            assert!(
                                (*model..=model + FEW * (n as u64 + 1)).contains(real),
                                "{}",
                                what()
                            );
                        }
                        _ => assert_eq!(real, model, "{}", what()),
                    }
                }
            }
        }
    }
}
