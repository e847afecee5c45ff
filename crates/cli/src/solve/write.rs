//! Answers as JSON, one object per line, fields always in the same order.

use holonom::{
    Motion, MotionError, Workspace,
    kernel::{Audit, ExplicitForm, ObservedForces},
};
use serde_json::value::RawValue;

use super::fault::Fault;
use super::place::Names;
use super::system::System;

/// What an answer has besides the motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct With {
    /// Redundant and contradictory constraints.
    pub audit: bool,
    /// The matrices of the papers.
    pub matrices: bool,
}

/// Solves the system and writes its answer.
pub fn answer(
    workspace: &mut Workspace,
    system: &System,
    id: Option<&RawValue>,
    with: With,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let snapshot = system.snapshot();
    let mut object = Object::open(out);
    object.id(id);
    let explanation = match system.has("qdd") {
        true => Some(workspace.explain(&snapshot, &system.qdd).map_err(Fault::Motion)?),
        false => None,
    };
    let matrices = match with.matrices {
        true => Some(workspace.explicit_form(&snapshot).map_err(Fault::Motion)?),
        false => None,
    };
    let audit = match with.audit {
        true => Some(workspace.audit(&snapshot).map_err(Fault::Motion)?),
        false => None,
    };
    // Matrices are answers to other forces: the motion is that of the last solve.
    if (explanation.is_none() && audit.is_none()) || matrices.is_some() {
        workspace.solve(&snapshot).map_err(Fault::Motion)?;
    }
    let motion = workspace.motion();
    match &explanation {
        Some(explanation) => object.explanation(explanation, system, motion),
        None => object.motion(motion, system),
    }
    if let Some(audit) = &audit {
        object.nested("audit", |object| object.audit(audit, &system.names));
    }
    if let Some(form) = &matrices {
        object.nested("matrices", |object| object.matrices(form));
    }
    // What overflows has no place in JSON, and in no answer either.
    if object.close() { Ok(()) } else { Err(Fault::Motion(MotionError::OutOfRange)) }
}

/// Writes what is wrong with a line, in place of its answer.
pub fn refusal(line: u64, id: Option<&RawValue>, names: &Names, fault: &Fault, out: &mut Vec<u8>) {
    let mut object = Object::open(out);
    object.id(id);
    object.nested("error", |error| {
        error.field("line", &(line as usize));
        error.field("code", fault.code());
        error.field("what", &fault.what(names));
        error.field("why", &fault.why());
    });
    object.close();
}

/// An object being written.
struct Object<'o> {
    out: &'o mut Vec<u8>,
    empty: bool,
    /// Every number so far is finite.
    finite: bool,
}

impl<'o> Object<'o> {
    fn open(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, empty: true, finite: true }
    }

    /// Ends the object and its line.
    fn close(self) -> bool {
        self.out.extend_from_slice(b"}\n");
        self.finite
    }

    fn key(&mut self, key: &str) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn field<T: Json + ?Sized>(&mut self, key: &str, value: &T) {
        self.key(key);
        self.finite &= value.write(self.out);
    }

    fn nested(&mut self, key: &str, fill: impl FnOnce(&mut Object)) {
        self.key(key);
        self.object(fill);
    }

    fn object(&mut self, fill: impl FnOnce(&mut Object)) {
        self.out.push(b'{');
        let mut inner = Object { out: &mut *self.out, empty: true, finite: true };
        fill(&mut inner);
        self.finite &= inner.finite;
        self.out.push(b'}');
    }

    fn list<T>(&mut self, key: &str, items: &[T], mut fill: impl FnMut(&mut Object, &T)) {
        self.key(key);
        self.out.push(b'[');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            self.object(|object| fill(object, item));
        }
        self.out.push(b']');
    }

    fn id(&mut self, id: Option<&RawValue>) {
        if let Some(id) = id {
            self.key("id");
            self.out.extend_from_slice(id.get().as_bytes());
        }
    }

    fn motion(&mut self, motion: &Motion, system: &System) {
        self.field("qdd", &motion.acceleration);
        self.field("Qi", &motion.ideal_force);
        self.field("Qni", &motion.nonideal_force);
        self.field("lambda", &motion.reactions);
        self.field("lambda_ideal", &motion.ideal_multipliers);
        self.field("rank_A", &motion.constraint_rank.rank);
        self.field("rank_Mhat", &motion.system_rank.rank);
        self.uniqueness(motion, system);
        self.field("consistent", &motion.consistent);
        self.field("residual", &motion.residuals);
        self.field("dyn_consistent", &motion.balanced);
        self.field("unbalanced", &motion.unbalanced_force);
        self.margins(motion);
        self.field("gauss", &motion.gauss.value());
        self.field("gauss_form", if motion.gauss.deviation.is_some() { "deviation" } else { "general" });
        self.field("rank_M", &motion.mass_rank);
        self.field("refinements", &motion.refinements);
    }

    /// The forces behind an observed acceleration; `motion` is that of ideal constraints.
    fn explanation(&mut self, explanation: &ObservedForces, system: &System, motion: &Motion) {
        self.field("qdd", &system.qdd);
        self.field("Qc", &explanation.constraint_force);
        self.field("Qi", &explanation.ideal_force);
        self.field("Qni", &explanation.nonideal_force);
        self.field("C", &explanation.nonideal_part);
        self.field("lambda", &explanation.reactions);
        self.field("lambda_ideal", &motion.ideal_multipliers);
        self.field("consistent", &explanation.admissible);
        self.field("residual", &explanation.residuals);
        self.field("ideal", &explanation.ideal);
        self.field("rank_A", &motion.constraint_rank.rank);
        self.field("rank_Mhat", &motion.system_rank.rank);
        self.uniqueness(motion, system);
        self.margins(motion);
        self.field("rank_M", &motion.mass_rank);
    }

    fn uniqueness(&mut self, motion: &Motion, system: &System) {
        self.field("unique", &motion.is_unique());
        let directions: Vec<Vec<f64>> = motion.free_directions().collect();
        self.field("nullspace_dim", &directions.len());
        self.field("nullspace", &directions);
        let undetermined: Vec<usize> = motion.undetermined().collect();
        self.field("undetermined", &undetermined);
        self.named("undetermined_names", &undetermined, &system.names.coordinates);
    }

    /// By how much the ranks were clear.
    fn margins(&mut self, motion: &Motion) {
        self.field("gap_A", &motion.constraint_rank.gap);
        self.field("gap_Mhat", &motion.system_rank.gap);
        self.field("dropped_A", &motion.constraint_rank.dropped);
        self.field("dropped_Mhat", &motion.system_rank.dropped);
    }

    fn audit(&mut self, audit: &Audit, names: &Names) {
        let names = &names.constraints;
        self.list("redundant", &audit.redundant, |object, redundancy| {
            object.field("row", &redundancy.row);
            if let Some(name) = names.get(redundancy.row) {
                object.field("name", name);
            }
            object.field("repeats", &redundancy.repeats);
            object.named("names", &redundancy.repeats, names);
            object.field("coefficients", &redundancy.coefficients);
        });
        self.list("conflicts", &audit.conflicts, |object, conflict| {
            object.field("rows", &conflict.rows);
            object.named("names", &conflict.rows, names);
            object.field("coefficients", &conflict.coefficients);
            object.field("gap", &conflict.gap);
        });
        self.field("determinate", &audit.determinate_multipliers);
        self.field("determinate_reactions", &audit.determinate_reactions);
    }

    /// Each matrix as a list of rows, vectors as lists of numbers.
    fn matrices(&mut self, form: &ExplicitForm) {
        for matrix in form.matrices() {
            if matches!(matrix.name, "a" | "e" | "da") {
                self.field(matrix.name, matrix.entries);
            } else {
                let rows: Vec<&[f64]> = match matrix.columns {
                    0 => vec![&[]; matrix.rows],
                    columns => matrix.entries.chunks(columns).collect(),
                };
                self.field(matrix.name, &rows);
            }
        }
    }

    /// The names of what the indices point to, if names were given.
    fn named(&mut self, key: &str, indices: &[usize], names: &[String]) {
        if !names.is_empty() {
            let names: Vec<&str> = indices.iter().filter_map(|at| names.get(*at)).map(String::as_str).collect();
            self.field(key, &names);
        }
    }
}

/// What can be written. Says whether all of it was finite.
trait Json {
    fn write(&self, out: &mut Vec<u8>) -> bool;
}

impl Json for f64 {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        // The shortest text that reads back as the same number.
        serde_json::to_writer(out, self).is_ok() && self.is_finite()
    }
}

impl Json for usize {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        serde_json::to_writer(out, self).is_ok()
    }
}

impl Json for bool {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
        true
    }
}

impl Json for str {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        serde_json::to_writer(out, self).is_ok()
    }
}

impl Json for String {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        self.as_str().write(out)
    }
}

impl<T: Json + ?Sized> Json for &T {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        (**self).write(out)
    }
}

impl<T: Json> Json for [T] {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        out.push(b'[');
        let mut finite = true;
        for (at, value) in self.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            finite &= value.write(out);
        }
        out.push(b']');
        finite
    }
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) -> bool {
        self.as_slice().write(out)
    }
}
