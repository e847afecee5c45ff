//! One line → its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use holonom::Workspace;
use serde_json::value::RawValue;

use super::fault::Fault;
use super::lines::{Batch, LONGEST};
use super::pipeline::Answered;
use super::place::Names;
use super::read::{read, read_around, unwrapped};
use super::system::System;
use super::write::With;
use super::{pretty, write};

/// How answers are written.
#[derive(Clone)]
pub enum Form {
    Json(With),
    Note { colours: bool, source: String },
}

/// Answers lines, one thread's worth of them.
pub struct Answerer {
    form: Form,
    workspace: Workspace,
    system: System,
}

impl Answerer {
    pub fn new(form: Form) -> Self {
        Self { form, workspace: Workspace::new(), system: System::default() }
    }

    pub fn answer(&mut self, batch: &Batch) -> Answered {
        let mut answered = Answered { bytes: Vec::with_capacity(4 * batch.bytes.len().min(1 << 20)), any_bad: false };
        for (number, line) in (batch.first..).zip(batch.bytes.split(|byte| *byte == b'\n')) {
            if !line.trim_ascii().is_empty() {
                answered.any_bad |= !self.answer_line(number, line, batch.cut, &mut answered.bytes);
            }
        }
        answered
    }

    /// Whether the line was good.
    fn answer_line(&mut self, number: u64, line: &[u8], cut: bool, out: &mut Vec<u8>) -> bool {
        // Some programs begin a file with a mark that is no text.
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(line);
        let start = out.len();
        let (text, tried) = match std::str::from_utf8(line) {
            Ok(text) if cut || line.len() > LONGEST => (text, Err(Fault::TooLong)),
            Ok(text) => (text, self.try_line(number, text, out)),
            // The beginning of a long line may end in the middle of a letter.
            Err(error) => {
                let text = std::str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default();
                let fault = if cut { Fault::TooLong } else { Fault::NotUtf8 { column: error.valid_up_to() + 1 } };
                (text, Err(fault))
            }
        };
        if let Err(fault) = &tried {
            out.truncate(start);
            let (id, names) = read_around(text);
            self.refuse(number, id, &names, fault, out);
        }
        tried.is_ok()
    }

    fn try_line(&mut self, number: u64, line: &str, out: &mut Vec<u8>) -> Result<(), Fault> {
        let line = unwrapped(line);
        let id = read(&line, &mut self.system)?;
        // A mistake of ours on one line must not cost the others their answers.
        let solved = catch_unwind(AssertUnwindSafe(|| {
            let Self { form, workspace, system } = self;
            match form {
                Form::Json(with) => write::answer(workspace, system, id, *with, out),
                Form::Note { colours, .. } => pretty::answer(workspace, system, &title(id, number), *colours, out),
            }
        }));
        solved.unwrap_or_else(|_| {
            self.workspace = Workspace::new();
            Err(Fault::Internal)
        })
    }

    fn refuse(&self, number: u64, id: Option<&RawValue>, names: &Names, fault: &Fault, out: &mut Vec<u8>) {
        match &self.form {
            Form::Json(_) => write::refusal(number, id, names, fault, out),
            Form::Note { colours, source } => {
                let place = format!("{source}:{number}");
                pretty::refusal(&title(id, number), &place, names, fault, *colours, out);
            }
        }
    }
}

/// What a note is headed by.
fn title(id: Option<&RawValue>, number: u64) -> String {
    match id {
        None => format!("line {number}"),
        Some(id) => serde_json::from_str::<String>(id.get()).unwrap_or_else(|_| id.get().into()),
    }
}
