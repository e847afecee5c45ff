//! Closed forms for the report of a run, made beside it and never for longer than it takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use holonom::mechanics::compile::CompiledSystem;
use holonom::symbols::algebra::Budget;
use holonom_report::ReportFormulas;

/// What formulas may cost beside a run of any length: a second or two, as for `holonom report`.
const WORK: u64 = crate::report::FORMULAS;
/// What they may take beside a run that is shorter. With what is written down after that, it is 100 ms.
const SHORTEST: Duration = Duration::from_millis(60);
/// How long to wait for what there is once time is over: the implicit form, written down.
const LAST: Duration = Duration::from_millis(25);

/// Closed forms on their way.
pub struct Beside {
    system: CompiledSystem,
    set: Vec<(String, f64)>,
    interrupt: Arc<AtomicBool>,
    worker: Option<Worker>,
    begin: Instant,
}

/// A thread that makes them. It is not waited for beyond the time allowed: it ends with the program at the latest.
struct Worker {
    enough: Arc<AtomicBool>,
    made: Receiver<ReportFormulas>,
    begin: Instant,
}

impl Beside {
    /// Begins beside the run, where there is a core to spare.
    pub fn start(system: &CompiledSystem, set: Vec<(String, f64)>, interrupt: Arc<AtomicBool>) -> Self {
        let begin = Instant::now();
        let mut beside = Self { system: system.clone(), set, interrupt, worker: None, begin };
        if thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) {
            beside.worker = beside.work();
        }
        beside
    }

    /// What there is once the run is over: closed forms, if they are ready by then or 60 ms after the beginning.
    /// Who is `patient` gets them whenever they are ready, the same on every machine.
    pub fn finish(mut self, patient: bool) -> ReportFormulas {
        let allowed = self.begin.elapsed().max(SHORTEST);
        let Some(worker) = self.worker.take().or_else(|| self.work()) else { return ReportFormulas::late() };
        if patient {
            return worker.made.recv().unwrap_or_else(|_| ReportFormulas::late());
        }
        let left = allowed.saturating_sub(worker.begin.elapsed());
        if let Ok(made) = worker.made.recv_timeout(left) {
            return made;
        }
        worker.enough.store(true, Ordering::Relaxed);
        worker.made.recv_timeout(LAST).unwrap_or_else(|_| ReportFormulas::late())
    }

    /// Nothing where the machine has no thread to give.
    fn work(&self) -> Option<Worker> {
        let enough = Arc::new(AtomicBool::new(false));
        let (send, made) = channel();
        let (system, set) = (self.system.clone(), self.set.clone());
        let (interrupt, until) = (self.interrupt.clone(), enough.clone());
        let make = move || {
            let budget = Budget::with_interrupt(WORK, interrupt).until(until);
            // Nobody listens any more if it comes too late.
            let _ = send.send(ReportFormulas::new(&system, &set, &budget));
        };
        let begin = Instant::now();
        thread::Builder::new().name("formulas".to_string()).spawn(make).ok()?;
        Some(Worker { enough, made, begin })
    }
}
