//! The exporter while it runs.
//!
//! ```text
//! scraper ─▶ connection ─▶ order ─▶ collector: read, write ─▶ answer
//! SIGHUP ─▶ configuration ─▶ order ─▶ collector: another collection
//! ```
//!
//! One thread has the counters, and takes one order after the other. Another one has all
//! connections. A connection waits for the collector, never the collector for a connection.

mod collector;
mod http;
mod rights;
mod textfile;

use std::future::poll_fn;
use std::net::{SocketAddr, TcpListener};
use std::task::Poll;

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use super::collection::{Collection, Event, Requests};
use super::config::Config;
use super::prepared::{Prepared, prepare};
use crate::export_args::{ExportArgs, LISTEN};
use crate::failure::{Failure, SUCCESS, complain};
use collector::Collector;

/// Counts and answers until a signal ends it.
pub(super) fn serve(args: &ExportArgs, prepared: Prepared) -> Result<u8, Failure> {
    let limits = prepared.config.limits;
    let requests = Requests::default();
    // Before anything is opened, so that a second exporter changes nothing.
    let listener = match &args.textfile {
        Some(_) => None,
        None => Some(listen(args, &prepared.config)?),
    };
    let every = prepared.config.every;
    let mut collection = Collection::new(prepared, &requests).map_err(Failure::Missing)?;
    collection.update();
    if let Some(user) = &args.user {
        rights::drop_to(user).map_err(Failure::Missing)?;
    }
    let collector = Collector::start(collection, every, &requests)
        .map_err(|error| Failure::Missing(format!("no thread can be started: {error}")))?;
    let runtime = runtime().map_err(Failure::Missing)?;
    let textfile = args.textfile.clone();
    runtime.block_on(async {
        // Before it is said that the exporter listens: who is told may send signals.
        let ended = Ended::new()?;
        reload_on_hangup(args.clone(), &collector, &requests)?;
        match (listener, textfile) {
            (Some((listener, address)), _) => {
                complain("export", &format!("listening on http://{address}/metrics"));
                http::start(listener, &collector, &requests, limits)?;
            }
            (None, Some(path)) => textfile::start(path, every, &collector, &requests),
            (None, None) => {}
        }
        ended.wait().await;
        Ok(SUCCESS)
    })
}

/// Where requests are awaited, and the address.
fn listen(args: &ExportArgs, config: &Config) -> Result<(TcpListener, SocketAddr), Failure> {
    let of_config = config.listen.as_ref().map(|listen| listen.value);
    let address: SocketAddr = match args.listen.or(of_config) {
        Some(address) => address,
        None => LISTEN.parse().map_err(|_| Failure::Missing(LISTEN.into()))?,
    };
    let why = |error| Failure::Missing(format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).map_err(why)?;
    listener.set_nonblocking(true).map_err(why)?;
    let address = listener.local_addr().map_err(why)?;
    Ok((listener, address))
}

fn runtime() -> Result<Runtime, String> {
    let runtime = Builder::new_current_thread().enable_io().enable_time().build();
    runtime.map_err(|error| format!("cannot wait for requests: {error}"))
}

/// Signals that end the exporter.
struct Ended {
    signals: [tokio::signal::unix::Signal; 2],
}

impl Ended {
    fn new() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(|error| no_signals(&error));
        Ok(Ended { signals: [listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?] })
    }

    async fn wait(mut self) {
        poll_fn(|context| {
            let mut all = self.signals.iter_mut();
            match all.any(|signal| signal.poll_recv(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }
}

/// Reads the configuration again at each SIGHUP. One with a fault changes nothing.
fn reload_on_hangup(
    args: ExportArgs,
    collector: &Collector,
    requests: &Requests,
) -> Result<(), Failure> {
    let mut hangups = signal(SignalKind::hangup()).map_err(|error| no_signals(&error))?;
    let (collector, requests) = (collector.clone(), requests.clone());
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            match reloaded(&args) {
                Ok(prepared) => {
                    complain("export", "the configuration has been read again");
                    collector.replace(prepared);
                    requests.count(Event::Reloaded);
                }
                Err(message) => {
                    complain("export", &format!("the configuration stays as it was:\n{message}"));
                    requests.count(Event::ReloadFault);
                }
            }
        }
    });
    Ok(())
}

fn reloaded(args: &ExportArgs) -> Result<Prepared, String> {
    match prepare(args) {
        Ok(Ok(prepared)) => Ok(prepared),
        Ok(Err(faults)) => Err(faults),
        Err(Failure::Missing(message)) => Err(message),
        Err(Failure::Write(what, error)) => Err(format!("{what}: {error}")),
    }
}

fn no_signals(error: &std::io::Error) -> Failure {
    Failure::Missing(format!("cannot wait for signals: {error}"))
}
