//! The principles of mechanics at one state of a model, by the names of the model: what `check --principles` says.
//!
//! The numbers are the kernel's ([`Principles`]); here they get names, words and a page.

use super::instant::Instant;
use super::{count, number};
use crate::start::numbers::{Evaluator, State};
use crate::start::words::{and, digits, few};
use holonom_kernel::{Principles, Snapshot, VirtualDisplacement, Workspace};
use holonom_language::Model;
use holonom_symbols::expr::Formula;
use holonom_symbols::page::{Equation, Page, Rich};

/// Matrices of more coordinates than this are not worth forming: n answers of the kernel, each of n numbers.
pub(crate) const LARGEST: usize = 200;
/// Displacements of which more coordinates move are listed, not told.
const TOLD: usize = 4;
/// What is less than this part of what it is compared with is rounding, and written as 0.
const ROUNDING: f64 = 1e-12;
/// A difference below this part of what it is taken from has too few digits to be shown.
const LOST: f64 = 1e-6;

/// What the principles of the papers say about a model at one state.
#[derive(Clone, Debug, PartialEq)]
pub struct PrinciplesReport {
    /// The state.
    pub state: State,
    /// The coordinates.
    pub coordinates: Vec<String>,
    /// The rows of constraints that are active, in the order of the rows of A.
    pub rows: Vec<String>,
    /// Rows among them that repeat others.
    pub redundant: Vec<String>,
    /// M, Q, A and b, row by row.
    pub mass: Vec<f64>,
    /// Q.
    pub force: Vec<f64>,
    /// A.
    pub constraints: Vec<f64>,
    /// b.
    pub right_sides: Vec<f64>,
    /// The principles in numbers.
    pub numbers: Principles,
    /// Whether `free` says what nothing else determines.
    prescribed: bool,
    /// The unit of each coordinate, in a model with units.
    units: Vec<Option<String>>,
}

/// Why there are no principles to show.
pub(super) enum Absent {
    TooLarge(usize),
    NoMotion,
}

impl Absent {
    pub(super) fn note(&self) -> String {
        match self {
            Self::TooLarge(n) => format!(
                "the principles are not shown: the matrices of {n} coordinates are too large (at most {LARGEST})"
            ),
            Self::NoMotion => "the principles are not shown: no acceleration obeys the equations here".to_string(),
        }
    }
}

impl PrinciplesReport {
    /// The principles at an instant whose motion was found.
    pub(super) fn new(evaluator: &Evaluator, instant: &Instant) -> Result<Self, Absent> {
        let n = evaluator.coordinates();
        if n > LARGEST || evaluator.rows.len() > 2 * LARGEST {
            return Err(Absent::TooLarge(n));
        }
        if !instant.motion.consistent || !instant.motion.balanced {
            return Err(Absent::NoMotion);
        }
        let entries = instant.entries.full();
        let snapshot = Snapshot::new(&entries.mass, &entries.force)
            .constrained(&entries.a, &entries.b)
            .nonideal(&instant.nonideal);
        let mut numbers = Workspace::new().principles(&snapshot).map_err(|_| Absent::NoMotion)?;
        // What `free` says of directions that nothing determines is the model's (I − M̄⁺M̄)η.
        let mut prescribed = false;
        if numbers.motion.system_rank.rank < n {
            let Principles { motion, by_one_four, .. } = &mut numbers;
            for (j, said) in instant.motion.acceleration.iter().enumerate() {
                let added = said - motion.acceleration[j];
                motion.acceleration[j] += added;
                by_one_four[j] += added;
                prescribed |= added.abs() > ROUNDING * said.abs();
            }
        }
        let model = &evaluator.equations.model;
        let row = |&row: &usize| evaluator.equations.rows[row].name.clone();
        let rows: Vec<String> = evaluator.rows.iter().map(row).collect();
        Ok(Self {
            state: instant.state.clone(),
            coordinates: model.coordinates.iter().map(|c| c.name.clone()).collect(),
            redundant: instant.audit.redundant.iter().map(|r| rows[r.row].clone()).collect(),
            rows,
            mass: entries.mass.clone(),
            force: entries.force.clone(),
            constraints: entries.a.clone(),
            right_sides: entries.b.clone(),
            numbers,
            prescribed,
            units: units(model),
        })
    }

    /// A virtual displacement in words: `x forward by 1 m, s back by 0.3 m`.
    pub fn words(&self, displacement: &VirtualDisplacement) -> String {
        let v = &displacement.direction;
        let moved: Vec<usize> = (0..v.len()).filter(|&j| v[j] != 0.0).collect();
        if let [alone] = moved[..] {
            return format!("{} alone", self.coordinates[alone]);
        }
        let amount = |j: usize| {
            let unit = self.units[j].as_ref().map_or(String::new(), |unit| format!(" {unit}"));
            format!("{}{unit}", number(v[j].abs()))
        };
        let told = |&j: &usize| {
            let way = if v[j] > 0.0 { "forward" } else { "back" };
            format!("{} {way} by {}", self.coordinates[j], amount(j))
        };
        let listed = |&j: &usize| {
            let sign = if v[j] > 0.0 { "+" } else { "−" };
            format!("{} {sign}{}", self.coordinates[j], amount(j))
        };
        // Who leads stands first.
        let mut order = vec![displacement.leader];
        order.extend(moved.iter().copied().filter(|&j| j != displacement.leader));
        match order.len() <= TOLD {
            true => order.iter().map(told).collect::<Vec<_>>().join(", "),
            false => few(order.iter().map(listed).collect()).join(", "),
        }
    }

    /// All of it as a page; headings are of level 2.
    pub fn page(&self) -> Page {
        let mut page = Page::new();
        self.displacements(&mut page);
        self.virtual_work(&mut page);
        self.gauss(&mut page);
        self.deviation(&mut page);
        self.general(&mut page);
        self.uniqueness(&mut page);
        page
    }

    fn is_ideal(&self) -> bool {
        self.numbers.nonideal.iter().all(|&x| x == 0.0)
    }

    fn is_definite(&self) -> bool {
        self.numbers.motion.mass_rank == self.coordinates.len()
    }

    fn displacements(&self, page: &mut Page) {
        page.heading(2, "Virtual displacements");
        page.equation(Equation::new(product(["A", "v"]), Formula::integer(0)).numbered("2005p, eq. 8"));
        let list = &self.numbers.displacements;
        if list.is_empty() {
            page.text("There is none: the constraints alone determine the acceleration.");
            return;
        }
        page.text("Every virtual displacement is a sum of multiples of these:");
        let item = |(at, v): (usize, &VirtualDisplacement)| {
            Rich::default().formula(numbered("v", at)).words(&format!(": {}", self.words(v)))
        };
        page.list(list.iter().enumerate().map(item));
    }

    fn virtual_work(&self, page: &mut Page) {
        let list = &self.numbers.displacements;
        page.heading(2, "D'Alembert's principle");
        let work = |of: Formula| Formula::product([Formula::name("v").transposed(), of]);
        page.equation(Equation::new(work(total_force()), work(Formula::name("C"))).numbered("2005p, eq. 9"));
        page.text(match self.is_ideal() {
            true if self.rows.is_empty() => "There are no constraints, and so no work of theirs.",
            true => "The constraints are ideal (C = 0): they do no work on a virtual displacement.",
            false => "The constraints are not ideal: on a virtual displacement they do the work of C, and no other.",
        });
        if list.is_empty() {
            return;
        }
        let head = vec![
            Rich::default().words("along"),
            Rich::default().words("work of ").formula(total_force()),
            Rich::default().words("work of C"),
            Rich::default().words("work of ").formula(subscript("Q", "i")),
        ];
        let row = |(at, v): (usize, &VirtualDisplacement)| {
            let clean = |x: f64| cell(clean(x, v.work_scale));
            vec![Rich::default().formula(numbered("v", at)), clean(v.work), cell(v.given_work), clean(v.ideal_work)]
        };
        page.table(head, list.iter().enumerate().map(row).collect());
        let worst = list.iter().map(VirtualDisplacement::mismatch).fold(0.0, f64::max);
        page.note(format!("Largest difference of the two works: {} of their terms.", rounded(worst)));
    }

    fn gauss(&self, page: &mut Page) {
        page.heading(2, "Gauss's principle");
        let gauss = &self.numbers.gauss;
        let least = match gauss.by_acceleration {
            Some(least) => {
                let extra = Formula::product([name("M").inverse(), name("C")]);
                let from = match self.is_ideal() {
                    true => Formula::sum([name("q''"), name("a").minus()]),
                    false => Formula::sum([name("q''"), name("a").minus(), extra.minus()]),
                };
                let norm = Formula::product([from.clone().transposed(), name("M"), from]);
                page.equation(Equation::new(subscript("G", "ni"), norm).numbered("2005p, eq. 19"));
                least
            }
            None => {
                let square = Formula::product([name("q''").transposed(), name("M"), name("q''")]);
                let force = Formula::sum([name("Q"), name("C")]).transposed();
                let work = Formula::product([force, name("q''")]);
                let right = Formula::sum([square.over(Formula::integer(2)), work.minus()]);
                page.equation(Equation::new(name("G"), right));
                page.note(
                    "M is singular, so the norm of 2005p, eq. 19 does not exist. This function is least for any M.",
                );
                gauss.general
            }
        };
        let list = &self.numbers.displacements;
        if list.is_empty() {
            page.text(format!("Its value is {}. No other acceleration is possible.", number(least)));
            return;
        }
        page.text(format!(
            "Its value at the motion is {}. Here is what it gains when the acceleration changes by a virtual displacement:",
            number(least)
        ));
        let half = if gauss.by_acceleration.is_some() { 1.0 } else { 0.5 };
        let gain = Formula::product([name("v").transposed(), name("M"), name("v")]);
        let gain = if half == 1.0 { gain } else { gain.over(Formula::integer(2)) };
        let head = vec![
            Rich::default().words("along"),
            Rich::default().words("gain"),
            Rich::default().formula(gain),
            Rich::default().words("slope"),
        ];
        let row = |(at, v): (usize, &VirtualDisplacement)| {
            let scale = v.gain.abs().max(least.abs());
            // The difference of two large values says nothing of a gain below their last digits.
            let measured = match v.gain.abs() < LOST * least.abs() {
                true => Rich::default().words("rounding"),
                false => cell(clean(half * v.measured_gain, scale)),
            };
            vec![
                Rich::default().formula(numbered("v", at)),
                measured,
                cell(half * v.gain),
                cell(clean(half * v.slope, scale.max(v.work_scale))),
            ]
        };
        page.table(head, list.iter().enumerate().map(row).collect());
        let open = self.coordinates.len() - self.numbers.motion.system_rank.rank;
        page.text(match open {
            0 => "The slope is 0 and every gain is positive: each other possible acceleration has a larger value.".to_string(),
            _ => format!(
                "The slope is 0 and no gain is negative. Along {} the value does not change: there the motion is not determined.",
                count(open, "direction", "directions")
            ),
        });
    }

    fn deviation(&self, page: &mut Page) {
        let Principles { form, proportional, added, motion, .. } = &self.numbers;
        let response = product(["N", "C"]);
        if let (Some(a), Some(e), Some(gain)) = (&form.free_acceleration, &form.constraint_error, proportional) {
            page.heading(2, "The deviation from the motion without constraints");
            let delta = Formula::row([name("Delta"), name("a")]);
            let ideal = Formula::product([subscript("K", "1"), name("e")]);
            match self.is_ideal() {
                true => page.equation(Equation::new(delta, ideal.clone()).numbered("1992, eq. 5c′")),
                false => page.equation(
                    Equation::new(delta, Formula::sum([ideal.clone(), response.clone()])).numbered("2005s, eq. 7"),
                ),
            };
            page.text(
                "Without constraints the acceleration would be a. It misses them by e = b − A a, and they change it by Δa = q̈ − a.",
            );
            if !self.rows.is_empty() {
                let size = |row: usize| {
                    let n = self.coordinates.len();
                    let terms = self.constraints[row * n..][..n].iter().zip(a).map(|(x, a)| (x * a).abs());
                    terms.sum::<f64>() + self.right_sides[row].abs()
                };
                let row = |(at, (row, e)): (usize, (&String, &f64))| {
                    vec![Rich::default().code(row), cell(clean(*e, size(at)))]
                };
                let head = vec![Rich::default().words("constraint"), Rich::default().formula(name("e"))];
                page.table(head, self.rows.iter().zip(e).enumerate().map(row).collect());
            }
            let mut columns = vec![(name("a"), &a[..]), (ideal, &gain[..])];
            if !self.is_ideal() {
                columns.push((response, &added[..]));
            }
            let sum = form.deviation.as_deref().unwrap_or(&[]);
            columns.push((Formula::sum([name("q''"), name("a").minus()]), sum));
            self.by_coordinate(page, &columns);
            if !self.is_ideal() {
                page.note("K₁e is the deviation that ideal constraints would cause; N C is what C adds, with N = M^(−1/2)(I − B⁺B)M^(−1/2).");
            }
            return;
        }
        page.heading(2, "The equation of motion for singular M");
        let determined = Formula::product([
            name("M").bar().pseudo_inverse(),
            Formula::matrix(1, vec![Formula::sum([name("Q"), name("C")]), name("b")]),
        ]);
        page.equation(match motion.is_unique() {
            true => Equation::new(name("q''"), determined).numbered("2006, eq. 2.15"),
            false => {
                let part = Formula::product([name("M").bar().pseudo_inverse(), name("M").bar()]);
                let open = Formula::product([Formula::sum([name("I"), part.minus()]), name("eta")]);
                Equation::new(name("q''"), Formula::sum([determined, open])).numbered("2006, eq. 2.14")
            }
        });
        page.text("M has no inverse: there is no acceleration a without constraints, and no deviation from it.");
        let ideal: Vec<f64> = motion.acceleration.iter().zip(added).map(|(x, more)| x - more).collect();
        let ideally =
            Formula::product([name("M").bar().pseudo_inverse(), Formula::matrix(1, vec![name("Q"), name("b")])]);
        let mut columns = vec![];
        if !self.is_ideal() {
            columns.push((ideally, &ideal[..]));
            columns.push((response, &added[..]));
        }
        columns.push((name("q''"), &motion.acceleration[..]));
        self.by_coordinate(page, &columns);
    }

    fn general(&self, page: &mut Page) {
        let n = self.coordinates.len();
        let Principles { form, motion, .. } = &self.numbers;
        page.heading(2, "The most general motion that the constraints allow");
        let first = match self.is_definite() {
            true => Formula::sum([name("a"), Formula::product([subscript("K", "1"), name("e")])]),
            false => {
                Formula::product([name("M").bar().pseudo_inverse(), Formula::matrix(1, vec![name("Q"), name("b")])])
            }
        };
        page.equation(Equation::new(name("q''"), Formula::sum([first, product(["N", "c"])])).numbered("2005s, eq. 7"));
        let rank = n - motion.constraint_rank.rank;
        let open = n - motion.system_rank.rank;
        let given = if self.is_ideal() { " = 0" } else { "" };
        let which = format!("N has rank {}. Ideal constraints have c = 0; these have c = C{given}.", rank - open);
        page.text(match (rank, open) {
            (0, _) => "N = 0: there is one acceleration that satisfies the constraints, whatever the forces are.".to_string(),
            (_, 0) => format!(
                "c is any vector. Every c gives an acceleration that satisfies the constraints, and each of them has some c: {which}"
            ),
            _ => format!(
                "c is any vector. Every c gives an acceleration that satisfies the constraints; with (I − M̄⁺M̄)η added, these are all of them. {which}"
            ),
        });
        const SHOWN: usize = 6;
        if rank > 0 && n <= SHOWN {
            let size = form.response.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let entries = form.response.iter().map(|&x| value(clean(x, size)));
            page.equation(Equation::new(name("N"), Formula::matrix(n, entries)));
        }
        let forces = [
            (name("Q"), &self.force[..]),
            (subscript("Q", "i"), &motion.ideal_force[..]),
            (subscript("Q", "ni"), &motion.nonideal_force[..]),
        ];
        page.text("The three forces that Newton, Lagrange and Coulomb stand for (2005s, eqs 9 to 11):");
        self.by_coordinate(page, &forces);
    }

    /// Vectors coordinate by coordinate, in lines that can be broken: a table would not fit on a phone.
    fn by_coordinate(&self, page: &mut Page, vectors: &[(Formula, &[f64])]) {
        let item = |j: usize| {
            // Coordinates may be of very different sizes: each is measured by itself.
            let size = vectors.iter().fold(0.0, |m: f64, (_, list)| m.max(list[j].abs()));
            let mut line = Rich::default().code(&self.coordinates[j]).words(": ");
            for (at, (vector, list)) in vectors.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                line = line.words(comma).formula(vector.clone()).words(&format!(" = {}", short(clean(list[j], size))));
            }
            line
        };
        page.list((0..self.coordinates.len()).map(item));
    }

    fn uniqueness(&self, page: &mut Page) {
        let n = self.coordinates.len();
        let Principles { form, motion, by_one_four, .. } = &self.numbers;
        page.heading(2, "Uniqueness");
        let rank = motion.system_rank.rank;
        page.text(if rank == n {
            format!(
                "[M; A] has rank {rank} of {n}, so the acceleration is unique (2006, result 3), and the term \
                 (I − M̄⁺M̄)η of the general solution (2006, eq. 2.14) is 0. M has rank {}.",
                motion.mass_rank
            )
        } else {
            let open: Vec<String> = motion.undetermined().map(|j| format!("`{}`", self.coordinates[j])).collect();
            format!(
                "[M; A] has rank {rank} of {n}: any (I − M̄⁺M̄)η may be added to the acceleration (2006, eq. 2.14). It changes {}. \
                 {}.",
                and(&few(open)),
                if self.prescribed { "Here it is what `free` says" } else { "Here η = 0" }
            )
        });
        let apart = by_one_four.iter().zip(&motion.acceleration).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        let size = motion.acceleration.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let relative = if apart == 0.0 { 0.0 } else { apart / size.max(f64::MIN_POSITIVE) };
        let of = if form.weighted.is_some() { "B" } else { "M̄" };
        if !self.redundant.is_empty() {
            let redundant: Vec<String> = self.redundant.iter().map(|row| format!("`{row}`")).collect();
            let differs = match relative < LOST {
                true => format!("gives the same acceleration; largest difference: {} of it", rounded(relative)),
                false => "gives the same acceleration on paper; here rounding hides it, since sizes differ too much"
                    .to_string(),
            };
            page.text(format!(
                "Any {{1,4}}-inverse may take the place of {of}⁺ (2005p, after eq. 22). The one that ignores {} {differs}.",
                and(&few(redundant))
            ));
        }
    }
}

/// The unit of each coordinate.
fn units(model: &Model) -> Vec<Option<String>> {
    let unit = |c: &holonom_language::Coordinate| {
        (model.has_units && !c.dimension.is_number()).then(|| c.dimension.to_string())
    };
    model.coordinates.iter().map(unit).collect()
}

fn name(name: &str) -> Formula {
    Formula::name(name)
}

fn subscript(letter: &str, index: &str) -> Formula {
    name(letter).subscript(Formula::words(index))
}

/// v₁, v₂, …
fn numbered(letter: &str, at: usize) -> Formula {
    subscript(letter, &(at + 1).to_string())
}

fn product(names: [&str; 2]) -> Formula {
    Formula::product(names.map(name))
}

/// Qᶜ = Qᵢ + Qₙᵢ.
fn total_force() -> Formula {
    Formula::sum([subscript("Q", "i"), subscript("Q", "ni")])
}

/// A number as a formula.
fn value(x: f64) -> Formula {
    match x < 0.0 {
        true => Formula::words(&number(-x)).minus(),
        false => Formula::words(&number(x)),
    }
}

/// With so many digits that a table fits on a phone.
fn short(x: f64) -> String {
    digits(x, 5).replace('-', "−")
}

fn cell(x: f64) -> Rich {
    Rich::default().words(&short(x))
}

/// 0 for what is rounding beside a scale.
fn clean(x: f64, scale: f64) -> f64 {
    if x.abs() <= ROUNDING * scale { 0.0 } else { x }
}

/// A small part, to two digits.
fn rounded(x: f64) -> String {
    if x == 0.0 { "0".to_string() } else { format!("{x:.1e}") }
}
