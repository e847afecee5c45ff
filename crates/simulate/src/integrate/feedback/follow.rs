//! Friction that changes no load: it follows from the loads, and one answer of the system to all of it together is enough.
//!
//! So it is where nothing but friction ties what is pushed to what bears loads, as for blocks on level ground, side by side or on each other.

use crate::integrate::contact::{Contacts, Mode};
use crate::integrate::linear::Linear;
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::contact::Parts;
use holonom_symbols::expr::Symbol;

/// A coordinate that a contact pushes, and the place of its friction among those of all contacts.
#[derive(Clone, Copy, Debug)]
struct Pushed {
    contact: usize,
    coordinate: usize,
    push: usize,
}

/// The contacts that slide and change no load.
#[derive(Clone, Default)]
pub(super) struct Followers {
    /// For each contact, whether it is one of them.
    follows: Vec<bool>,
    pushed: Vec<Pushed>,
    /// What they push with together, and the answer to it.
    force: Vec<f64>,
    answer: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Followers {
    /// Finds them among contacts that do something, with some rows in force.
    pub(super) fn find(&mut self, system: &CompiledSystem, rows: &[usize], in_force: &[bool], contacts: &Contacts) {
        let (equations, touches) = (system.equations(), &contacts.touches);
        let parts = Parts::of_motion(system, rows.iter().copied(), contacts.stick_columns());
        let acting = || (0..contacts.list.len()).filter(|&which| contacts.list[which].mode != Mode::Loose);
        let mut bears = vec![false; parts.len()];
        let mut mark = |row: usize| bears[parts.of_first(equations.rows[row].a.iter().map(|entry| entry.0))] = true;
        acting().for_each(|which| touches.load_rows(which).for_each(&mut mark));
        for part in &equations.nonideal {
            if part.constraint.is_some_and(|constraint| !in_force[constraint]) {
                continue;
            }
            part.by_reaction.iter().for_each(|entry| mark(entry.1));
            for (symbol, _) in part.nonlinear.iter().flat_map(|force| &force.slopes) {
                if let Symbol::Reaction(row) = *symbol {
                    mark(row as usize);
                }
            }
        }
        // A law that is no straight line may hang on any reaction.
        let is_known = acting().all(|which| touches.has_straight_law(which));
        let is_apart = |which: usize| touches.coordinates(which).iter().all(|j| !bears[parts.of(*j as usize).0]);
        let follows = |which: usize| is_known && contacts.list[which].slides() && is_apart(which);
        self.follows = (0..contacts.list.len()).map(follows).collect();
        self.pushed.clear();
        for contact in (0..contacts.list.len()).filter(|&which| self.follows[which]) {
            let own = touches.coordinates(contact).iter().zip(contacts.push_at[contact]..);
            self.pushed.extend(own.map(|(&j, push)| Pushed { contact, coordinate: j as usize, push }));
        }
        let total = rows.len() + contacts.stick_columns().count();
        for (list, size) in [
            (&mut self.force, system.coordinates()),
            (&mut self.answer, system.coordinates()),
            (&mut self.multipliers, total),
        ] {
            list.clear();
            list.resize(size, 0.0);
        }
    }

    /// Whether a contact is one of them.
    pub(super) fn contain(&self, contact: usize) -> bool {
        self.follows[contact]
    }

    /// Adds their friction, as laws were evaluated last, to C, and what it does to the acceleration and the reactions; `zeros` has a number
    /// for every row.
    pub(super) fn push(
        &mut self,
        contacts: &Contacts,
        linear: &mut Linear,
        zeros: &[f64],
        (acceleration, reaction, c): (&mut [f64], &mut [f64], &mut [f64]),
    ) {
        if self.pushed.is_empty() {
            return;
        }
        self.force.fill(0.0);
        for one in &self.pushed {
            self.force[one.coordinate] += contacts.list[one.contact].friction.0 * contacts.pushes[one.push];
        }
        linear.respond(&self.force, zeros, &mut self.answer, &mut self.multipliers);
        for (sum, more) in [(c, &self.force), (acceleration, &self.answer), (reaction, &self.multipliers)] {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom_language::from_text;
    use holonom_mechanics::derive::derive;

    /// Which contacts follow where some stick and all others slide, with all rows in force.
    fn followers(text: &str, sticking: &[usize]) -> Vec<bool> {
        let loaded = from_text("follow.holo", text);
        let system = CompiledSystem::new(derive(loaded.model.expect("a good model")).expect("a good model").value);
        let mut contacts = Contacts::new(&system).expect("friction");
        for (which, contact) in contacts.list.iter_mut().enumerate() {
            contact.mode = if sticking.contains(&which) { Mode::Sticks } else { Mode::Slides };
        }
        let (n, rows) = (system.coordinates(), Vec::from_iter(0..system.rows()));
        contacts.evaluate(&system, 0.0, &vec![0.5; n], &vec![0.5; n]);
        let mut found = Followers::default();
        found.find(&system, &rows, &vec![true; system.equations().model.constraints.len()], &contacts);
        found.follows
    }

    /// Three blocks on each other.
    const STACK: &str = "coord x[1..3], y[1..3]\nlet x[0] = 0, y[0] = 0\nparticle p[i in 1..3]: 1 at (x[i], y[i])\n\
        gravity (0, -9.81)\nconstraint on[i in 1..3]: y[i] - y[i-1] = 0.1\n\
        friction on[i in 1..3]: LAW, slip = x[i]' - x[i-1]', normal = reaction(on[i])\n";

    #[test]
    fn what_slides_on_level_ground_follows() {
        assert_eq!(followers(&STACK.replace("LAW", "coulomb(0.3)"), &[]), [true; 3]);
        assert_eq!(followers(&STACK.replace("LAW", "stribeck(0.1, 0.3, 0.8)"), &[]), [true; 3]);
        // One that sticks ties blocks together, not their loads.
        assert_eq!(followers(&STACK.replace("LAW", "coulomb(0.3)"), &[1]), [true, false, true]);
    }

    /// A slope ties both coordinates of a block, and so does a mass that is not diagonal. A law that is no straight line may hang on anything.
    #[test]
    fn what_may_change_a_load_does_not_follow() {
        let block = "coord x, y\nparticle p: 1 at (x, y)\ngravity (0, -9.81)\n";
        let slope = format!("{block}constraint plane: y = 0.5*x\nfriction plane: coulomb(0.3)\n");
        assert_eq!(followers(&slope, &[]), [false]);
        let flat = "constraint floor: y = 0\nfriction floor: coulomb(0.3), slip = x', normal = reaction(floor)\n";
        assert_eq!(followers(&format!("{block}{flat}"), &[]), [true]);
        assert_eq!(followers(&format!("{block}kinetic 0.1*x'*y'\n{flat}"), &[]), [false]);
        assert_eq!(followers(&STACK.replace("LAW", "law(0.3*sqrt(normal))"), &[]), [false; 3]);
    }
}
