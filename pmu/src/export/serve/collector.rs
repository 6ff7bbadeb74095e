//! The thread that has the counters.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use tokio::sync::oneshot;

use crate::export::collection::{Collection, Requests};
use crate::export::exposition::Format;
use crate::export::prepared::Prepared;
use crate::failure::complain;

/// The way to the thread.
#[derive(Clone)]
pub(super) struct Collector {
    orders: Sender<Order>,
}

enum Order {
    Read { format: Format, answer: oneshot::Sender<Bytes> },
    Replace(Box<Prepared>),
}

impl Collector {
    pub(super) fn start(
        collection: Collection,
        every: Duration,
        requests: &Requests,
    ) -> io::Result<Self> {
        let (orders, received) = mpsc::channel();
        let requests = requests.clone();
        let mut thread = Thread { collection, every, requests, pages: Pages::default() };
        thread::Builder::new().name("collector".into()).spawn(move || thread.run(&received))?;
        Ok(Collector { orders })
    }

    /// Reads the counters; `None` if nobody does any more.
    pub(super) async fn read(&self, format: Format) -> Option<Bytes> {
        let (answer, answered) = oneshot::channel();
        self.orders.send(Order::Read { format, answer }).ok()?;
        answered.await.ok()
    }

    /// Counts something else from now on.
    pub(super) fn replace(&self, prepared: Prepared) {
        // Without the thread, the next request tells.
        let _ = self.orders.send(Order::Replace(Box::new(prepared)));
    }
}

struct Thread {
    collection: Collection,
    every: Duration,
    requests: Requests,
    pages: Pages,
}

/// The texts of one read.
#[derive(Default)]
struct Pages {
    read: Option<Instant>,
    texts: [Option<Bytes>; Format::ALL.len()],
}

impl Thread {
    fn run(&mut self, orders: &mpsc::Receiver<Order>) {
        let mut next = Instant::now() + self.every;
        loop {
            match orders.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(Order::Read { format, answer }) => {
                    // Whoever asked may have gone.
                    let _ = answer.send(self.page(format));
                }
                Ok(Order::Replace(prepared)) => {
                    self.replace(*prepared);
                    next = Instant::now() + self.every;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if Instant::now() >= next {
                self.collection.update();
                // The series may be others now.
                self.pages = Pages::default();
                next = Instant::now() + self.every;
            }
        }
    }

    fn page(&mut self, format: Format) -> Bytes {
        let is_fresh = self.pages.read.is_some_and(|read| read.elapsed() < Collection::FRESH);
        if !is_fresh {
            self.collection.read();
            self.pages = Pages { read: Some(Instant::now()), ..Pages::default() };
        }
        let collection = &mut self.collection;
        let text = || Bytes::from(collection.text(format));
        self.pages.texts[format as usize].get_or_insert_with(text).clone()
    }

    /// The counters of before are closed only when the new ones are known to be possible: both
    /// together might be more than may be open.
    fn replace(&mut self, prepared: Prepared) {
        let every = prepared.config.every;
        match Collection::new(prepared, &self.requests) {
            Ok(collection) => {
                self.collection = collection;
                self.collection.update();
                (self.every, self.pages) = (every, Pages::default());
            }
            Err(message) => complain("export", &message),
        }
    }
}
