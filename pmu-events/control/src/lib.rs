//! Perf's control protocol: who counts is told by another program when to count.
//!
//! Use it in a benchmark that runs under `perf stat --control` or `pmu stat --control`, to count the
//! region that it measures and not its preparation; or in a harness of your own, whose
//! counters others switch.
//!
//! This is the module `control` of [`pmu-events`](https://docs.rs/pmu-events), behind the
//! feature of that name.
//!
//! Commands are lines on one descriptor or FIFO; on another, if there is one, each is acknowledged
//! when it has been obeyed. An [`Address`] names the two as `--control` does:
//!
//! | address | commands | acknowledgements |
//! |---|---|---|
//! | `fd:10` | are read from descriptor 10 | none |
//! | `fd:10,11` | are read from descriptor 10 | are written to descriptor 11 |
//! | `fifo:ctl` | are read from the FIFO `ctl` | none |
//! | `fifo:ctl,ack` | are read from the FIFO `ctl` | are written to the FIFO `ack` |
//!
//! [`Control`] sends commands and waits for the acknowledgements, each until a deadline: a FIFO
//! that nobody opens, a reader that is gone and an acknowledgement that never comes are errors.
//!
//! ```no_run
//! use pmu_events::control::Control;
//!
//! // $ mkfifo ctl ack
//! // $ pmu stat --delay=-1 --control fifo:ctl,ack ./benchmark
//! let mut control = Control::connect(&"fifo:ctl,ack".parse()?)?;
//! let numbers: Vec<u64> = (0..1_000_000).collect(); // Not counted.
//! let sum: u64 = control.during(|| numbers.iter().sum())?;
//! println!("{sum}");
//! # Ok::<(), pmu_events::control::Error>(())
//! ```
//!
//! [`Server`] is the other end. It splits and understands commands as perf does
//! (`evlist__ctlfd_process` in `tools/perf/util/evlist.c`):
//!
//! ```no_run
//! use pmu_events::System;
//! use pmu_events::control::{Command, Server};
//!
//! let mut counters = System::new().open("task-clock,page-faults")?;
//! let mut server = Server::listen(&"fifo:ctl,ack".parse()?)?;
//! while let Some(request) = server.receive(None)? {
//!     match request.command() {
//!         Ok(Command::Enable) => counters.enable()?,
//!         Ok(Command::Disable) => counters.disable()?,
//!         Ok(Command::Stop) => break,
//!         Ok(_) => {}
//!         Err(error) => eprintln!("{error}"),
//!     }
//!     server.acknowledge(&request)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Only Unix has descriptors and FIFOs; elsewhere, there are only addresses and commands.

#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]

mod address;
#[cfg(unix)]
mod client;
mod command;
#[cfg(unix)]
mod descriptor;
mod error;
#[cfg(unix)]
mod fifo;
#[cfg(unix)]
mod input;
#[cfg(unix)]
mod ready;
#[cfg(unix)]
mod server;

pub use address::Address;
#[cfg(unix)]
pub use client::Control;
pub use command::{Command, Listing};
pub use error::{Error, ErrorKind};
#[cfg(unix)]
pub use server::{Request, Server};
