//! Batches → answers, on every core, in order, in constant memory.
//!
//! One thread reads, some solve, and the caller's writes. For each batch the reader puts a ticket into a
//! queue before it gives the batch to whoever is free; the writer takes the tickets in order and waits
//! for each. The queue is bounded, so a slow writer stops the reader; long lines take up more of it.

use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use holonom::output::reason;

use super::answer::{Answerer, Form};
use super::lines::{Batch, Lines};

/// The answers to a batch.
pub struct Answered {
    pub bytes: Vec<u8>,
    /// Some line was bad.
    pub any_bad: bool,
}

/// Why not everything was answered.
pub enum Stop {
    /// Nobody reads the answers any more.
    Closed,
    Because {
        code: &'static str,
        what: String,
        help: &'static str,
    },
}

impl Stop {
    pub fn unreadable(source: &str, error: &io::Error) -> Self {
        let what = format!("cannot read `{source}`: {}", reason(error));
        Self::Because { code: "unreadable-input", what, help: "give a file of JSON lines, or `-` for standard input" }
    }

    pub fn unwritable(target: &Path, error: &io::Error) -> Self {
        let what = format!("cannot write `{}`: {}", target.display(), reason(error));
        Self::Because {
            code: "unwritable-output",
            what,
            help: "see that the folder exists, can be written to and has room",
        }
    }

    fn no_thread(error: &io::Error) -> Self {
        let what = format!("cannot start another thread: {}", reason(error));
        Self::Because { code: "no-thread", what, help: "ask for fewer with `--threads`" }
    }

    fn lost() -> Self {
        Self::Because {
            code: "internal",
            what: "a thread ended before its work was done".into(),
            help: "this is a mistake in holonom; please report it with the input that leads to it",
        }
    }
}

struct Job {
    batch: Batch,
    answered: SyncSender<Answered>,
}

/// Where the answers to a batch will come; nothing, where a ticket only takes up room.
type Ticket = Option<Receiver<Answered>>;

/// So many bytes of input may be on their way at once, in very long lines.
const UNDER_WAY: usize = 256 << 20;

/// Answers every line of the input; `write` gets the answers in order.
pub fn run(
    source: &str,
    input: Box<dyn Read + Send>,
    threads: usize,
    form: &Form,
    mut write: impl FnMut(Answered) -> Result<(), Stop>,
) -> Result<(), Stop> {
    // Some batches in reserve, so that nobody waits for a slow one.
    let room = 4 * threads;
    let (give_ticket, tickets) = sync_channel::<io::Result<Ticket>>(room);
    let (give_job, jobs) = sync_channel::<Job>(room);
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..threads {
        let (jobs, answerer) = (Arc::clone(&jobs), Answerer::new(form.clone()));
        spawn("solve", move || work(&jobs, answerer))?;
    }
    // Threads are not joined: when nobody reads our answers, the reader may wait for input for ever.
    spawn("read", move || read(Lines::new(input), room, &give_ticket, &give_job))?;
    for ticket in tickets {
        let ticket = ticket.map_err(|error| Stop::unreadable(source, &error))?;
        if let Some(ticket) = ticket {
            write(ticket.recv().map_err(|_| Stop::lost())?)?;
        }
    }
    Ok(())
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), Stop> {
    let spawned = thread::Builder::new().name(name.into()).spawn(body);
    spawned.map(drop).map_err(|error| Stop::no_thread(&error))
}

fn read(mut lines: Lines<impl Read>, room: usize, tickets: &SyncSender<io::Result<Ticket>>, jobs: &SyncSender<Job>) {
    loop {
        let batch = match lines.next() {
            Ok(Some(batch)) => batch,
            Ok(None) => return,
            // When the writer has gone there is nobody to tell.
            Err(error) => return drop(tickets.send(Err(error))),
        };
        let (answered, ticket) = sync_channel(1);
        let extra = batch.bytes.len() / (UNDER_WAY / room);
        if tickets.send(Ok(Some(ticket))).is_err() || jobs.send(Job { batch, answered }).is_err() {
            return;
        }
        for _ in 0..extra {
            if tickets.send(Ok(None)).is_err() {
                return;
            }
        }
    }
}

fn work(jobs: &Mutex<Receiver<Job>>, mut answerer: Answerer) {
    loop {
        // A lock is poisoned only by a panic while it is held, and `recv` does not panic.
        let Ok(job) = jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv() else { return };
        if job.answered.send(answerer.answer(&job.batch)).is_err() {
            return;
        }
    }
}
