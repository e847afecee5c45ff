//! One-sided constraints along a run: rows that close strike, rows that rest push, rows that would pull let go.
//!
//! A row is in force while it pushes. Where its gap closes, velocities jump (`contact::impact`); what then neither closes nor parts is
//! decided together with friction (`contact::stage`). Bounces that have become too small for the digits of the gap end in contact (`series`).

use super::rounding::Rounding;
use super::runner::{Runner, Stop};
use super::series::{Ended, Near};
use crate::analysis::number;
use holonom_language::{Diagnostic, When};
use holonom_mechanics::contact::AT_REST;

/// A gap below this part of the scale of its row touches.
const TOUCHES: f64 = 1e-12;
/// A gap below zero by more than this part of the scale of its row is a violation.
const VIOLATED: f64 = 1e-9;
/// A touch that is slower than so many times the tolerance of velocities does no harm.
const HARMLESS: f64 = 10.0;
/// A row that has let go may come back with an acceleration below this part of its terms: that is rounding of the moment.
const LEAVES: f64 = 1e-9;
/// Rounds of impacts and contacts at one moment; each takes back at least one row that has let go.
const ROUNDS: usize = 1000;

/// A row that closes so slowly that a blow cannot be told from a touch.
struct Graze {
    row: usize,
    /// How fast it closes, and how far below zero its gap would come without a blow.
    speed: f64,
    depth: f64,
}

/// What became of a row at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Became {
    /// It was struck with an impulse, and parts again.
    Bounces(f64),
    /// It was struck with an impulse and has no restitution, but does not stay.
    Touches(f64),
    /// It came into force, with the impulse of its impact, at a time: that at which its bounces would have come to an end.
    Catches(f64, f64),
    /// It was in force, was struck with an impulse, and stays in force.
    IsStruck(f64),
    /// It is in force no longer, perhaps after an impulse.
    LetsGo(f64),
}

impl Runner<'_> {
    /// The gap of each one-sided row at the present state and what it is measured by: (row, gap, scale).
    fn gaps(&mut self) -> Vec<(usize, f64, f64)> {
        let Some(sided) = &mut self.occasions.sided else { return Vec::new() };
        let (q, v) = self.state.y[..2 * self.mechanics.n].split_at(self.mechanics.n);
        sided.gaps(&mut self.mechanics, self.state.t, q, v)
    }

    /// Settles one-sided rows at the present state: impacts of those that close, which of those that touch push, what lets go.
    /// The gaps of `closing` have just closed, the reactions of `leaving` have just vanished.
    pub(super) fn meet(&mut self, closing: &[usize], leaving: &[usize]) -> Result<Vec<(usize, Became)>, Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let before = self.occasions.in_contact.take().unwrap_or_else(|| self.mechanics.one_sided_in_force());
        let gaps = self.gaps();
        // What grazes is not struck before something drives it on.
        let triggers = &self.occasions.triggers;
        let grazes = |row: &usize| triggers.grazing_depth(*row) > 0.0 && !closing.contains(row);
        let grazing: Vec<usize> = gaps.iter().map(|one| one.0).filter(grazes).collect();
        let is_excused = |row: usize| before.contains(&row) || closing.contains(&row);
        if let Some(message) =
            self.violation("event-impossible", &gaps, is_excused, "an event has put the system beyond it")
        {
            let help = "let the event set values on the allowed side, or move the constraint by an expression of time";
            return Err(Stop::Said(Box::new(message.help(help))));
        }
        let speeds = self.mechanics.sizes.kind()[n..].to_vec();
        self.mechanics.stage().set_speeds(&speeds);
        let mut leaving = leaving.to_vec();
        let in_force = self.mechanics.one_sided_in_force();
        let is_closed = |row: usize| in_force.contains(&row) || closing.contains(&row);
        let touching: Vec<usize> = gaps
            .iter()
            .filter(|(row, gap, scale)| is_closed(*row) || (gap.abs() <= TOUCHES * scale && !grazing.contains(row)))
            .map(|one| one.0)
            .collect();
        let near = |leaving: &[usize], touching: &[usize]| -> Vec<Near> {
            let stays = gaps.iter().filter(|one| !leaving.contains(&one.0) && !grazing.contains(&one.0));
            stays.filter_map(|&one| Near::new(one, is_closed(one.0) || touching.contains(&one.0))).collect()
        };
        let mut impulses: Vec<(usize, f64)> = Vec::new();
        let mut ended = self.series_at_its_end(&near(&leaving, &[]));
        if let Some(ended) = &ended {
            self.rest(ended)?;
        } else {
            for _ in 0..ROUNDS {
                let part: Vec<usize> = touching.iter().copied().filter(|row| !leaving.contains(row)).collect();
                impulses.extend(self.strike(&part)?);
                if !self.come_back(&touching, &mut leaving) {
                    break;
                }
            }
            ended = self.series_at_its_end(&near(&leaving, &touching));
            if let Some(ended) = &ended {
                self.rest(ended)?;
            }
        }
        impulses.extend(ended.iter().flat_map(|ended| &ended.impulses));
        let end = t + ended.map_or(0.0, |ended| ended.after);
        let now = self.mechanics.one_sided_in_force();
        let impulse = |row: usize| impulses.iter().filter(|one| one.0 == row).map(|one| one.1).sum::<f64>();
        let became = |row: usize| match (before.contains(&row), now.contains(&row), impulse(row)) {
            (false, true, impulse) => Some((row, Became::Catches(impulse, end))),
            (true, false, impulse) => Some((row, Became::LetsGo(impulse))),
            (true, true, impulse) if impulse > 0.0 => Some((row, Became::IsStruck(impulse))),
            (false, false, impulse) if impulse > 0.0 => Some((row, self.parts(row, impulse))),
            _ => None,
        };
        Ok(gaps.iter().map(|one| one.0).filter_map(became).collect())
    }

    /// What is said of a one-sided row that is violated at the present state, or has no gap there, and is not excused; `why` is put at its place.
    fn violation(
        &self,
        code: &'static str,
        gaps: &[(usize, f64, f64)],
        is_excused: impl Fn(usize) -> bool,
        why: &'static str,
    ) -> Option<Diagnostic> {
        let most = |row: usize, scale: f64| (VIOLATED * scale).max(self.occasions.triggers.grazing_depth(row));
        let is_violated = |&&(row, gap, scale): &&(usize, f64, f64)| gap < -most(row, scale) || gap.is_nan();
        let &(row, gap, _) = gaps.iter().find(|one| is_violated(one) && !is_excused(one.0))?;
        let (t, row) = (self.state.t, &self.mechanics.system.equations().rows[row]);
        let text = match gap.is_nan() {
            true => format!("at t = {t} the gap of the one-sided constraint `{}` is not a number", row.name),
            false => format!("at t = {t} the one-sided constraint `{}` is violated by {}", row.name, number(-gap)),
        };
        let message = Diagnostic::error(code, text);
        Some(match row.span {
            Some(span) => message.at(span, why),
            None => message,
        })
    }

    /// The message about a one-sided row that is not in force and is violated at the present state: its contact was lost.
    pub(super) fn fallen_through(&mut self) -> Option<Diagnostic> {
        if !self.occasions.triggers.has_negative_gap() {
            return None;
        }
        let in_force = self.mechanics.one_sided_in_force();
        let gaps = self.gaps();
        let message = self.violation("run-lost", &gaps, |row| in_force.contains(&row), "the motion went through it")?;
        Some(
            message
                .note("its contact was lost in numbers: masses or forces that act on each other there differ by many powers of ten, or the gap is not a number on the other side")
                .help("lower `rtol`, or remove bodies with negligible mass"),
        )
    }

    /// What a row does that was struck and is not in force.
    fn parts(&self, row: usize, impulse: f64) -> Became {
        if self.restitution(row) > 0.0 { Became::Bounces(impulse) } else { Became::Touches(impulse) }
    }

    /// The restitution of a one-sided row.
    pub(super) fn restitution(&self, row: usize) -> f64 {
        self.occasions.sided.as_ref().map_or(0.0, |sided| sided.restitution(row))
    }

    /// A series of blows has ended: what it leaves at rest, rests.
    fn rest(&mut self, ended: &Ended) -> Result<(), Stop> {
        let n = self.mechanics.n;
        self.state.y[n..2 * n].copy_from_slice(&ended.velocities);
        self.decide_touching(&ended.resting)
    }

    /// Strikes rows that touch, and decides what those do that rest after it; the impulses.
    fn strike(&mut self, part: &[usize]) -> Result<Vec<(usize, f64)>, Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let at = |trouble| Stop::Trouble(trouble, t);
        let struck: Vec<(usize, f64)> = part.iter().map(|&row| (row, self.restitution(row))).collect();
        let (q, v) = self.state.y[..2 * n].split_at_mut(n);
        let mut after = v.to_vec();
        let made = self.mechanics.stage().strike((t, q), &mut after, &struck);
        let made = made.map_err(|undone| at(self.mechanics.trouble_at(undone, t, q, v)))?;
        v.copy_from_slice(&after);
        let rates = self.mechanics.stage().gap_rates(t, q, v, part);
        // After a blow nothing closes any more, and what parts by no more than rounding rests.
        let rests = |(&(rate, size), rounding): (&(f64, f64), &f64)| rate <= (AT_REST * size).max(*rounding);
        let is_resting = rates.iter().zip(&made.rounding).map(rests);
        let resting: Vec<usize> = part.iter().zip(is_resting).filter(|one| one.1).map(|one| *one.0).collect();
        self.decide_touching(&resting)?;
        Ok(made.impulses)
    }

    /// Decides which of the rows that touch and rest push, and the rate with it.
    fn decide_touching(&mut self, resting: &[usize]) -> Result<(), Stop> {
        let (n, t) = (self.mechanics.n, self.state.t);
        let at = |trouble| Stop::Trouble(trouble, t);
        let (q, v) = self.state.y[..2 * n].split_at_mut(n);
        self.mechanics.decide_contacts(t, q, v, &[], resting).map_err(at)?;
        self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate).map_err(at)
    }

    /// Whether rows that have let go would come back at once, at the state whose rate was found last: they have not let go, then, and are no
    /// longer among `leaving`.
    fn come_back(&mut self, touching: &[usize], leaving: &mut Vec<usize>) -> bool {
        let (n, t) = (self.mechanics.n, self.state.t);
        let in_force = self.mechanics.one_sided_in_force();
        let (q, v) = self.state.y[..2 * n].split_at(n);
        self.mechanics.stage().gap_rates(t, q, v, touching);
        let bends = self.mechanics.stage().gap_accelerations(&self.state.rate[n..2 * n], touching);
        let count = leaving.len();
        for (row, (bend, size)) in touching.iter().zip(bends) {
            if !in_force.contains(row) && bend < -LEAVES * size {
                leaving.retain(|one| one != row);
            }
        }
        leaving.len() < count
    }

    /// Whether one-sided rows that touch at the present state and do not push part, with the rate found last.
    pub(super) fn open_rows_part(&mut self) -> bool {
        let (n, t) = (self.mechanics.n, self.state.t);
        let in_force = self.mechanics.one_sided_in_force();
        let is_open = |one: &(usize, f64, f64)| !in_force.contains(&one.0) && one.1.abs() <= TOUCHES * one.2;
        let touching: Vec<usize> = self.gaps().into_iter().filter(is_open).map(|one| one.0).collect();
        if touching.is_empty() {
            return true;
        }
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let rates = self.mechanics.stage().gap_rates(t, q, v, &touching);
        let bends = self.mechanics.stage().gap_accelerations(&self.state.rate[n..2 * n], &touching);
        rates.iter().zip(bends).all(|((rate, speed), (bend, size))| *rate > AT_REST * speed || bend >= -LEAVES * size)
    }

    /// Those of the rows that close now that graze: they would open again by themselves, with gaps no further below zero than the tolerance of
    /// their scale. A blow there has the speed √(2 × acceleration × depth), the root of an error: that of a motion that comes to its stop with
    /// speed zero, as an oscillator does one period after a blow without restitution, would be nothing but error.
    fn grazes(&mut self, closing: &[usize]) -> Vec<Graze> {
        let (n, t, part) = (self.mechanics.n, self.state.t, self.plan.settings.rtol.max(TOUCHES));
        // One that has not opened since it grazed does not open by itself.
        let triggers = &self.occasions.triggers;
        let closing: Vec<usize> = closing.iter().copied().filter(|&row| triggers.grazing_depth(row) == 0.0).collect();
        if closing.is_empty() {
            return Vec::new();
        }
        let gaps = self.gaps();
        let speeds = self.mechanics.sizes.largest()[n..].to_vec();
        let (q, v) = self.state.y[..2 * n].split_at(n);
        let fastest = self.mechanics.stage().gap_sizes(t, q, v, &closing, &speeds);
        let rates = self.mechanics.stage().gap_rates(t, q, v, &closing);
        let bends = self.mechanics.stage().gap_accelerations(&self.state.rate[n..2 * n], &closing);
        let graze = |place: usize| {
            let (row, speed, (bend, size)) = (closing[place], -rates[place].0, bends[place]);
            let &(_, gap, scale) = gaps.iter().find(|one| one.0 == row)?;
            let depth = speed * speed / (2.0 * bend) - gap;
            let opens_again = bend > LEAVES * size && depth <= part * scale;
            // Slower ones do no harm: a blow changes velocities by hardly more than the tolerance.
            (opens_again && speed > HARMLESS * part * fastest[place]).then_some(Graze { row, speed, depth })
        };
        (0..closing.len()).filter_map(graze).collect()
    }

    /// Goes on through the rows that graze, of those that close now: nothing changes. The rows that are left.
    pub(super) fn pass_grazes(&mut self, closing: Vec<usize>) -> Vec<usize> {
        let t = self.state.t;
        let grazes = self.grazes(&closing);
        for &Graze { row, speed, depth } in &grazes {
            self.occasions.triggers.graze(row, depth, speed);
            let row = &self.mechanics.system.equations().rows[row];
            self.told.happened(t, row.name.clone(), format!("grazes, speed {}", number(speed)));
            let Some(sided) = &mut self.occasions.sided else { continue };
            if std::mem::replace(&mut sided.doubted, true) {
                continue;
            }
            let text = format!("at t = {t} `{}` closes too slowly to tell an impact from a touch", row.name);
            let mut message = Diagnostic::warning("touch-unclear", text).when(t);
            if let Some(span) = row.span {
                message = message.at(span, "closes, and opens again by itself");
            }
            let note = format!(
                "its speed is {}, which errors within the tolerance explain, and the run continues without an impact; the list of events has \
                 every touch of this kind",
                number(speed)
            );
            let help = "run again with a hundredth of `rtol`: an impact that then appears is real, and changes velocities by about this speed";
            self.told.diagnostics.push(message.note(note).help(help));
        }
        closing.into_iter().filter(|row| grazes.iter().all(|graze| graze.row != *row)).collect()
    }

    /// Goes on from a moment at which gaps close or reactions vanish, which is the present one.
    pub(super) fn pass_sides(&mut self, closing: &[usize], leaving: &[usize]) -> Result<(), Stop> {
        let t = self.state.t;
        // Velocities before a blow; what lets go has only one state.
        if self.occasions.schedule.ends && !self.state.recorded && !closing.is_empty() {
            self.record(t, false)?;
            self.state.recorded = false;
        }
        self.recorder.balance(&self.mechanics, t, &self.state.y);
        let held_seams = self.release_seams();
        let became = self.meet(closing, leaving)?;
        let is_blow = |what: &Became| match what {
            Became::Bounces(_) | Became::Touches(_) | Became::IsStruck(_) => true,
            Became::Catches(impulse, _) | Became::LetsGo(impulse) => *impulse > 0.0,
        };
        if let Some((row, _)) = became.iter().find(|(_, what)| is_blow(what)) {
            let row = &self.mechanics.system.equations().rows[*row];
            let endless = self.control.progress.blow((t, self.plan.settings.until), row);
            endless.map_or(Ok(()), |message| Err(Stop::Said(Box::new(message))))?;
        }
        self.note_sides(&became);
        if self.mechanics.seams.is_some() {
            self.decide_seams_anew(&held_seams)?;
            let found = self.mechanics.rate_deciding(t, &self.state.y, &mut self.state.rate);
            found.map_err(|trouble| Stop::Trouble(trouble, t))?;
        }
        self.look();
        self.method.restart(&self.mechanics);
        self.begin_step(self.mechanics.linear.clearance());
        // Velocities have jumped: that is neither rounding nor a rate to go by.
        self.control.rounding = Rounding::new(self.mechanics.n, self.state.y.len());
        self.control.rounding.measure(&mut self.mechanics, t, &self.state.y, &self.state.rate);
        self.control.is_fresh = true;
        self.told.evidence.energy_of_events += self.recorder.rebalance(&self.mechanics, t, &self.state.y);
        Ok(())
    }

    /// Writes down what became of one-sided rows, by the names of their constraints, and which events of the model follow.
    pub(super) fn note_sides(&mut self, became: &[(usize, Became)]) {
        let t = self.state.t;
        // What touches at the start has not come there.
        let has_come = |(_, what): &&(usize, Became)| t > 0.0 || !matches!(what, Became::Catches(0.0, _));
        let became: Vec<(usize, Became)> = became.iter().filter(has_come).copied().collect();
        let in_force = self.mechanics.one_sided_in_force();
        self.occasions.triggers.heed_gaps(&in_force);
        let equations = self.mechanics.system.equations();
        for (number, event) in equations.model.events.iter().enumerate() {
            let is_due = |&(row, what): &(usize, Became)| {
                let constraint = equations.rows[row].constraint.map(|(constraint, _)| constraint);
                match (event.when, what) {
                    (When::LetsGo(which), Became::LetsGo(_)) => constraint == Some(which),
                    (When::Catches(which), Became::Bounces(_) | Became::Touches(_) | Became::Catches(..)) => {
                        constraint == Some(which)
                    }
                    _ => false,
                }
            };
            if became.iter().any(is_due) {
                self.occasions.due.push(number);
            }
        }
        for &(row, what) in &became {
            let name = self.mechanics.system.equations().rows[row].name.clone();
            let (time, action, impulse) = match what {
                Became::Bounces(impulse) => (t, "bounces", impulse),
                Became::Touches(impulse) => (t, "touches", impulse),
                Became::Catches(impulse, time) => (time, "catches", impulse),
                Became::IsStruck(impulse) => (t, "is struck", impulse),
                Became::LetsGo(impulse) => (t, "lets go", impulse),
            };
            let action = match impulse > 0.0 {
                true => format!("{action}, impulse {}", number(impulse)),
                false => action.to_string(),
            };
            self.told.happened(time, name, action);
        }
    }
}
