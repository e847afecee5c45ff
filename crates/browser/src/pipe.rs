//! Messages to and from the browser.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Error;

/// How long an answer may take. Loading a page on a busy machine is the slowest thing asked for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The two named pipes, and what has come out of one of them.
pub(crate) struct Pipe {
    to: File,
    from: Receiver<Value>,
    answers: PathBuf,
    events: VecDeque<Value>,
    last_id: u64,
}

impl Pipe {
    /// Makes the ends of this side. The browser may open its own before or after.
    pub(crate) fn open(commands: &Path, answers: &Path) -> Result<Self, Error> {
        // For reading and writing, so that opening does not wait for the other side, which may never come.
        let to = OpenOptions::new().read(true).write(true).open(commands).map_err(|e| Error::Io("open the pipe", e))?;
        let (sender, from) = channel();
        let path = answers.to_owned();
        std::thread::spawn(move || {
            let Ok(file) = File::open(path) else { return };
            let mut reader = BufReader::new(file);
            let mut message = Vec::new();
            while matches!(reader.read_until(0, &mut message), Ok(n) if n > 0) {
                message.pop();
                if let Ok(value) = serde_json::from_slice(&message)
                    && sender.send(value).is_err()
                {
                    return;
                }
                message.clear();
            }
        });
        Ok(Self { to, from, answers: answers.to_owned(), events: VecDeque::new(), last_id: 0 })
    }

    /// Sends a command and waits for its answer; events that come meanwhile are kept.
    pub(crate) fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Result<Value, Error> {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).map_err(|e| Error::Io("write to the browser", e))?;
        let until = Instant::now() + PATIENCE;
        loop {
            let mut answer = self.receive(until, method)?;
            if answer["id"] != id {
                self.events.push_back(answer);
                continue;
            }
            if let Some(error) = answer.get("error") {
                let message = error["message"].as_str().unwrap_or("no reason given").to_owned();
                return Err(Error::Refused { method: method.to_owned(), message });
            }
            return Ok(answer["result"].take());
        }
    }

    /// Waits for an event of a session, and keeps it with the others.
    pub(crate) fn wait_for(&mut self, session: &str, method: &str) -> Result<(), Error> {
        let wanted = |event: &Value| event["method"] == method && event["sessionId"] == session;
        let until = Instant::now() + PATIENCE;
        if self.events.iter().any(wanted) {
            return Ok(());
        }
        loop {
            let event = self.receive(until, method)?;
            let found = wanted(&event);
            self.events.push_back(event);
            if found {
                return Ok(());
            }
        }
    }

    /// All events of a session so far.
    pub(crate) fn events(&mut self, session: &str) -> impl Iterator<Item = &Value> {
        self.events.extend(self.from.try_iter());
        self.events.iter().filter(move |event| event["sessionId"] == session)
    }

    /// Forgets the events of a session, so that the next page does not see them.
    pub(crate) fn forget(&mut self, session: &str) {
        self.events.retain(|event| event["sessionId"] != session);
    }

    fn receive(&mut self, until: Instant, what: &str) -> Result<Value, Error> {
        let left = until.saturating_duration_since(Instant::now());
        self.from.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Error::Timeout(what.to_owned()),
            RecvTimeoutError::Disconnected => Error::Ended,
        })
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // If the browser never came, the reading thread still waits for somebody to open the other end.
        drop(OpenOptions::new().read(true).write(true).open(&self.answers));
    }
}
