//! Answers as notes to read: how things stand first, then the numbers.

use std::fmt::Write;

use holonom::{
    Motion, MotionError, Workspace,
    kernel::{Audit, Conflict, ObservedForces, Rank, Redundancy},
};

use super::fault::Fault;
use super::place::Names;
use super::system::{System, count};
use super::text::{Paint, Table, harmless, listed, number, sum};

/// Below this a rank was a close call.
const CLOSE: f64 = 1e-9;

/// Of findings of one kind, so many are printed.
const FINDINGS: usize = 12;

/// Solves the system and writes a note about it.
pub fn answer(
    workspace: &mut Workspace,
    system: &System,
    title: &str,
    colours: bool,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let snapshot = system.snapshot();
    let explanation = match system.has("qdd") {
        true => Some(workspace.explain(&snapshot, &system.qdd).map_err(Fault::Motion)?),
        false => None,
    };
    let audit = workspace.audit(&snapshot).map_err(Fault::Motion)?;
    let motion = workspace.motion();
    let names = Names {
        coordinates: (0..system.coordinates()).map(|j| harmless(&system.coordinate(j))).collect(),
        constraints: (0..system.constraints()).map(|i| harmless(&system.constraint(i))).collect(),
    };
    let mut note = Note { system, names, motion, audit: &audit, paint: Paint(colours), text: String::new() };
    note.head(title);
    note.ranks();
    match &explanation {
        None => {
            note.verdicts();
            note.forces();
        }
        Some(explanation) => note.explanation(explanation)?,
    }
    note.text.push('\n');
    out.extend_from_slice(note.text.as_bytes());
    Ok(())
}

/// Writes what is wrong with a line, in place of a note.
pub fn refusal(title: &str, place: &str, names: &Names, fault: &Fault, colours: bool, out: &mut Vec<u8>) {
    let paint = Paint(colours);
    let text = format!(
        "{}\n  {}: {}\n    --> {}\n     = help: {}\n\n",
        paint.bold(&harmless(title)),
        paint.red(&format!("error[{}]", fault.code())),
        harmless(&fault.what(names)),
        harmless(place),
        fault.why(),
    );
    out.extend_from_slice(text.as_bytes());
}

struct Note<'a> {
    system: &'a System,
    /// Given or made up, one for each.
    names: Names,
    motion: &'a Motion,
    audit: &'a Audit,
    paint: Paint,
    text: String,
}

impl Note<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    fn head(&mut self, title: &str) {
        let title = self.paint.bold(&harmless(title));
        self.line(0, &title);
        let (n, m) = (self.system.coordinates(), self.system.constraints());
        let kind = if self.system.has("C") { ", not ideal" } else { "" };
        let constraints = if m == 0 { "no constraints".into() } else { count(m, "constraint") };
        self.line(2, &format!("{}, {constraints}{kind}", count(n, "coordinate")));
    }

    /// The three ranks, what each means, and how clear it was.
    fn ranks(&mut self) {
        let (n, m) = (self.system.coordinates(), self.system.constraints());
        let motion = self.motion;
        if motion.mass_rank < n {
            let massless: Vec<String> = (0..n)
                .filter(|j| self.system.M.entries[j * n..(j + 1) * n].iter().all(|x| *x == 0.0))
                .map(|j| self.names.coordinates[j].clone())
                .collect();
            let which = if massless.is_empty() { String::new() } else { format!(" (no mass: {})", listed(&massless)) };
            self.line(2, &format!("M is singular: rank {} of {n}{which}", motion.mass_rank));
        }
        let free = n - motion.system_rank.rank;
        let verdict = match free {
            // Of a motion that does not exist nothing else can be said.
            0 if !motion.consistent => "no direction is free".into(),
            1 if !motion.balanced => "one direction is free".into(),
            _ if !motion.balanced => format!("{free} directions are free"),
            0 => "the motion is unique".into(),
            _ => self.paint.yellow("the motion is not unique"),
        };
        let system = format!("[M; A] has rank {} of {n}: {verdict}", motion.system_rank.rank);
        self.line(2, &format!("{system}{}", clearness(&motion.system_rank)));
        self.free_directions();
        if m > 0 {
            let redundant = m - motion.constraint_rank.rank;
            let verdict = match (motion.consistent, redundant) {
                (_, 0) => "no constraint is redundant".into(),
                (false, _) => self.paint.red("the constraints contradict each other"),
                (true, 1) => self.paint.yellow("one constraint is redundant"),
                (true, more) => self.paint.yellow(&format!("{more} constraints are redundant")),
            };
            let rank = format!("A has rank {} of {m}: {verdict}", motion.constraint_rank.rank);
            self.line(2, &format!("{rank}{}", clearness(&motion.constraint_rank)));
        }
        self.dependent_rows();
    }

    /// Which rows repeat and which contradict which.
    fn dependent_rows(&mut self) {
        let Audit { redundant, conflicts, .. } = self.audit;
        let contradicts = |r: &Redundancy| {
            conflicts.iter().any(|c| c.rows.contains(&r.row) && r.repeats.iter().all(|i| c.rows.contains(i)))
        };
        let mut lines: Vec<String> = conflicts.iter().map(|conflict| self.conflict(conflict)).collect();
        lines.extend(redundant.iter().filter(|r| !contradicts(r)).map(|r| self.redundancy(r)));
        for line in lines.iter().take(FINDINGS) {
            self.line(4, line);
        }
        if lines.len() > FINDINGS {
            self.line(4, &format!("and {} more", lines.len() - FINDINGS));
        }
    }

    fn redundancy(&self, r: &Redundancy) -> String {
        let name = |i: usize| self.names.constraints[i].clone();
        let row = name(r.row);
        match (r.repeats.as_slice(), r.coefficients.as_slice()) {
            ([], _) => format!("{row} is a row of zeros, without effect"),
            ([other], [factor]) => match number(*factor).as_str() {
                "1" => format!("{row} repeats {}", name(*other)),
                factor => format!("{row} repeats {} (× {factor})", name(*other)),
            },
            (others, factors) => {
                let terms: Vec<_> = factors.iter().copied().zip(others.iter().map(|i| name(*i))).collect();
                format!("{row} = {}", sum(&terms))
            }
        }
    }

    fn conflict(&self, c: &Conflict) -> String {
        let name = |i: &usize| self.names.constraints[*i].clone();
        if let [row] = c.rows.as_slice() {
            return format!("{} is a row of zeros, but its right side is {}", name(row), number(c.gap));
        }
        // An equation begins with a plus.
        let sign = if c.coefficients.first().is_some_and(|first| *first < 0.0) { -1.0 } else { 1.0 };
        let terms: Vec<_> = c.coefficients.iter().map(|x| sign * x).zip(c.rows.iter().map(name)).collect();
        format!("{} = 0, but the right sides give {}", sum(&terms), number(sign * c.gap))
    }

    /// What cannot be, and what is shared.
    fn verdicts(&mut self) {
        if !self.motion.consistent {
            self.line(2, "no motion satisfies the constraints; below is the least-squares answer");
        }
        if !self.motion.balanced {
            self.unbalanced();
        }
        self.shared_reactions();
    }

    fn unbalanced(&mut self) {
        let force = &self.motion.unbalanced_force;
        let size = force.iter().map(|x| x * x).sum::<f64>().sqrt();
        // A direction begins with a plus, as free directions do.
        let first = force.iter().find(|x| **x != 0.0).copied().unwrap_or(1.0);
        let along = size.copysign(first);
        let unit: Vec<f64> = force.iter().map(|x| x / along).collect();
        let alone = unit.iter().filter(|x| **x != 0.0).count() == 1;
        let (bad, direction, along) = (self.paint.red("no acceleration exists:"), self.direction(&unit), number(along));
        if alone {
            self.line(2, &format!("{bad} {direction} carries a force of {along} that nothing balances;"));
            self.line(4, &format!("give {direction} mass, or a constraint that contains it"));
        } else {
            self.line(2, &format!("{bad} a force of {along} that nothing balances acts along"));
            self.line(4, &format!("{direction};"));
            self.line(4, "give this direction mass, or add a constraint that contains it");
        }
    }

    fn free_directions(&mut self) {
        let motion = self.motion;
        if motion.is_unique() {
            return;
        }
        let undetermined: Vec<String> = motion.undetermined().map(|j| self.names.coordinates[j].clone()).collect();
        self.line(4, &format!("undetermined: {}", listed(&undetermined)));
        // One free coordinate says all there is to say.
        if undetermined.len() > motion.free_directions().count() {
            let directions: Vec<String> = motion.free_directions().map(|w| self.direction(&w)).collect();
            for direction in directions.iter().take(FINDINGS) {
                self.line(4, &format!("free direction: {direction}"));
            }
            if directions.len() > FINDINGS {
                self.line(4, &format!("and {} more", directions.len() - FINDINGS));
            }
        }
    }

    fn direction(&self, w: &[f64]) -> String {
        let terms: Vec<_> = w
            .iter()
            .copied()
            .zip(self.names.coordinates.iter().cloned())
            .filter(|(component, _)| *component != 0.0)
            .collect();
        match terms.as_slice() {
            [(_, only)] => only.clone(),
            _ => sum(&terms),
        }
    }

    fn shared_reactions(&mut self) {
        let shared: Vec<String> = (0..self.system.constraints())
            .filter(|i| !self.audit.determinate_reactions[*i])
            .map(|i| self.names.constraints[i].clone())
            .collect();
        if !shared.is_empty() {
            self.line(2, &format!("how {} share their load is not determined;", listed(&shared)));
            self.line(4, "of all reactions that fit, those of least norm are shown");
        }
    }

    fn forces(&mut self) {
        let motion = self.motion;
        let mut table = Table::new(&["", "acceleration", "impressed Q", "ideal Qi", "non-ideal Qni"]);
        let free: Vec<usize> = motion.undetermined().collect();
        for (j, name) in self.names.coordinates.iter().enumerate() {
            let numbers = [motion.acceleration[j], self.system.Q[j], motion.ideal_force[j], motion.nonideal_force[j]];
            table.row(name.clone(), &numbers, if free.contains(&j) { "free" } else { "" });
        }
        self.text.push('\n');
        table.print(&mut self.text);
        if self.system.constraints() > 0 {
            self.reactions(&motion.reactions, &motion.residuals);
        }
    }

    fn reactions(&mut self, reactions: &[f64], residuals: &[f64]) {
        let ideal = &self.motion.ideal_multipliers;
        let apart = self.system.has("C") || self.system.has("qdd");
        let heads = ["", "reaction", "residual", "if ideal"];
        let mut table = Table::new(&heads[..if apart { 4 } else { 3 }]);
        for (i, name) in self.names.constraints.iter().enumerate() {
            let numbers = [reactions[i], residuals[i], ideal[i]];
            let remark = if self.audit.determinate_multipliers[i] { "" } else { "not unique" };
            table.row(name.clone(), &numbers[..if apart { 3 } else { 2 }], remark);
        }
        self.text.push('\n');
        table.print(&mut self.text);
    }

    fn explanation(&mut self, explanation: &ObservedForces) -> Result<(), Fault> {
        let ObservedForces { ideal_force, nonideal_force, nonideal_part, reactions, residuals, .. } = explanation;
        let whole = [nonideal_force, nonideal_part, reactions, residuals];
        if !whole.iter().all(|numbers| numbers.iter().all(|x| x.is_finite())) {
            return Err(Fault::Motion(MotionError::OutOfRange));
        }
        let verdict = match (explanation.admissible, explanation.ideal) {
            (false, _) => self.paint.red("the observed acceleration breaks the constraints: no C explains it"),
            (true, true) => "the observed acceleration is that of ideal constraints".into(),
            (true, false) => "the observed acceleration needs non-ideal constraints; the least C is shown".into(),
        };
        self.line(2, &verdict);
        self.shared_reactions();
        let mut table = Table::new(&["", "observed", "impressed Q", "ideal Qi", "non-ideal Qni", "C"]);
        for (j, name) in self.names.coordinates.iter().enumerate() {
            let numbers = [self.system.qdd[j], self.system.Q[j], ideal_force[j], nonideal_force[j], nonideal_part[j]];
            table.row(name.clone(), &numbers, "");
        }
        self.text.push('\n');
        table.print(&mut self.text);
        if self.system.constraints() > 0 {
            self.reactions(reactions, residuals);
        }
        Ok(())
    }
}

/// By how much a rank was clear, if anything was to be decided.
fn clearness(rank: &Rank) -> String {
    let close = if rank.gap < CLOSE { ": a close call" } else { "" };
    format!("  (gap {}{close})", number(rank.gap))
}
