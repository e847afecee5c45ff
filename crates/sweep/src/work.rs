//! Workers on every core: points from a counter they share, results to the one thread that keeps the journal.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::journal::Journal;
use super::record::{Ended, Record};
use super::study::Study;

/// A worker takes so many points at a time at most, and fewer near the end so that all are done at about the same time.
const MOST_AT_A_TIME: u64 = 16;
/// The journal is seen to at least so often.
const TICK: Duration = Duration::from_millis(200);
/// What is written is on the disk after this time, or as soon as the disk allows.
const PAUSE: Duration = Duration::from_secs(1);
/// So many messages per worker may wait while the journal is written.
const WAITING: usize = 32;
/// As much as the first thread of a program has: reading a model may go deep.
const STACK: usize = 8 << 20;

/// How to work.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// How many workers.
    pub jobs: usize,
    /// Whether the first run that fails, or is refused, ends the sweep.
    pub stop_on_failure: bool,
    /// What ends the sweep when it is set; set by the sweep itself when it ends early.
    pub stop: &'a AtomicBool,
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs that have ended, in earlier sessions too.
    pub done: u64,
    /// Runs that ended now.
    pub now: u64,
    /// Of those, runs that failed or were refused.
    pub bad: u64,
    /// All points.
    pub all: u64,
}

/// What workers send.
enum Message {
    Rows(u64, Vec<f64>),
    End(u64, Record),
}

/// Runs all points that the journal does not know yet; `watch` is told how far it is.
///
/// A run that is under way when the sweep is stopped leaves nothing: it will be made again.
///
/// # Errors
/// Where the journal cannot be written, or no thread started. What was written counts.
pub fn run(
    study: &Study,
    journal: &mut Journal,
    work: &Work<'_>,
    watch: &mut dyn FnMut(Progress),
) -> io::Result<Progress> {
    let all = study.points().count();
    let mut progress = Progress { done: journal.done(), now: 0, bad: 0, all };
    let known: Vec<u64> = bits(all, |point| journal.has(point));
    let jobs = work.jobs.max(1);
    let next = AtomicU64::new(0);
    let (sender, receiver) = sync_channel(WAITING * jobs);
    let (file, over) = (journal.file()?, AtomicBool::new(false));
    let ran = thread::scope(|scope| {
        let settled = scope.spawn(|| settle(&file, &over));
        for _ in 0..jobs {
            let (sender, next, known) = (sender.clone(), &next, &known);
            let body = move || worker(study, known, next, jobs as u64, work.stop, &sender);
            let started = thread::Builder::new().name("sweep".into()).stack_size(STACK).spawn_scoped(scope, body);
            if let Err(error) = started {
                work.stop.store(true, Ordering::Relaxed);
                over.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        drop(sender);
        let kept = keep(&receiver, journal, work, &mut progress, watch);
        if kept.is_err() {
            work.stop.store(true, Ordering::Relaxed);
        }
        // Whoever waits to send ends when nobody receives.
        drop(receiver);
        over.store(true, Ordering::Relaxed);
        settled.thread().unpark();
        kept.and(settled.join().unwrap_or(Ok(())))
    });
    ran?;
    journal.sync()?;
    Ok(progress)
}

/// Makes sure every second that what was written is on the disk.
fn settle(file: &File, over: &AtomicBool) -> io::Result<()> {
    while !over.load(Ordering::Relaxed) {
        thread::park_timeout(PAUSE);
        file.sync_data()?;
    }
    Ok(())
}

/// Writes down what comes until nobody is left to send.
fn keep(
    receiver: &Receiver<Message>,
    journal: &mut Journal,
    work: &Work<'_>,
    progress: &mut Progress,
    watch: &mut dyn FnMut(Progress),
) -> io::Result<()> {
    loop {
        // What is there is written together; when nothing is, it is handed to the system before waiting.
        let message = match receiver.try_recv() {
            Ok(message) => message,
            Err(_) => {
                journal.write()?;
                match receiver.recv_timeout(TICK) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => {
                        watch(*progress);
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        };
        match message {
            Message::Rows(point, rows) => journal.rows(point, &rows)?,
            Message::End(point, record) => {
                journal.end(point, &record)?;
                progress.done += 1;
                progress.now += 1;
                if record.end.is_bad() {
                    progress.bad += 1;
                    if work.stop_on_failure {
                        work.stop.store(true, Ordering::Relaxed);
                    }
                }
                watch(*progress);
            }
        }
    }
}

fn worker(study: &Study, known: &[u64], next: &AtomicU64, jobs: u64, stop: &AtomicBool, sender: &SyncSender<Message>) {
    let all = study.points().count();
    loop {
        let left = all.saturating_sub(next.load(Ordering::Relaxed));
        let take = (left / (8 * jobs)).clamp(1, MOST_AT_A_TIME);
        let first = next.fetch_add(take, Ordering::Relaxed);
        if first >= all {
            return;
        }
        for point in first..all.min(first + take) {
            if known[(point / 64) as usize] >> (point % 64) & 1 == 1 {
                continue;
            }
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let mut gone = false;
            let record = study.run(point, stop, &mut |rows| gone |= sender.send(Message::Rows(point, rows)).is_err());
            if gone || record.end == Ended::Interrupted || sender.send(Message::End(point, record)).is_err() {
                return;
            }
        }
    }
}

/// A bit for each point.
fn bits(count: u64, set: impl Fn(u64) -> bool) -> Vec<u64> {
    let word = |which: u64| (0..64).filter(|bit| set(64 * which + bit)).fold(0, |word, bit| word | 1 << bit);
    (0..count.div_ceil(64)).map(word).collect()
}

/// The processor time that this program has used so far, over all threads, where the system can tell.
pub fn processor_seconds() -> Option<f64> {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
    }
    #[cfg(not(target_os = "linux"))]
    None
}
