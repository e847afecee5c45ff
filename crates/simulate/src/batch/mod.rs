//! Many states of one model, or many sets of its parameters: accelerations in SIMD lanes and on all cores.
//!
//! In: a [`CompiledSystem`] and [`States`], quantity after quantity. Out: accelerations in the same layout, and a [`BatchReport`]. `solve`
//! writes the equation of motion as straight-line code for the sparsity of the model, without a choice of pivots; the program runs over
//! blocks of states. Where M is singular, `supplement` adds rows to it beforehand. Every state carries a certificate, made of its
//! pivots. Where it fails, the kernel computes the state again (`one`): it chooses pivots, decides ranks, and reports why there is no
//! motion. The result of a state depends neither on its place nor on the other states, nor on the number of threads or the width of registers.

mod one;
mod solve;
mod states;
mod supplement;

pub use states::{Alone, BatchReport, States, Trouble};

use holonom_mechanics::compile::{self, CompiledSystem, Fixed, Program, Rows, UnknownParameter};
use holonom_symbols::expr::{Graph, Id, Symbol};
use one::One;
use pulp::{Arch, Simd, WithSimd};
use solve::{Given, LIMIT, reduced, solve};
use states::{Varied, in_force};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use supplement::supplement;

/// The accelerations of a model at many states.
///
/// ```
/// use holonom_simulate::batch::{Accelerations, States};
/// use holonom_mechanics::compile::CompiledSystem;
/// use holonom_language::from_text;
/// use holonom_mechanics::derive::derive;
///
/// let text = "param m = 2, L = 0.5, g = 9.81
/// coord x, y
/// particle bob: m at (x, y)
/// gravity (0, -g)
/// constraint rod: x^2 + y^2 = L^2
/// start x = L
/// ";
/// let model = from_text("pendulum.holo", text).model.expect("a good model");
/// let system = CompiledSystem::new(derive(model).expect("a good model").value);
///
/// // Two pendulums, both hanging; the second swings.
/// let states = States { count: 2, q: &[0.0, 0.0, -0.5, -0.5], v: &[0.0, 1.0, 0.0, 0.0], ..States::default() };
/// let mut accelerations = vec![0.0; 4];
/// let report = Accelerations::new(&system).evaluate(&states, &mut accelerations);
/// assert!(report.troubles.is_empty());
/// assert!(accelerations[2].abs() < 1e-13 && (accelerations[3] - 2.0).abs() < 1e-13); // v²/L
/// ```
#[derive(Clone, Debug)]
pub struct Accelerations {
    system: CompiledSystem,
    varied: Vec<Varied>,
    /// The rows in force.
    rows: Vec<usize>,
    lanes: Result<(Program, Fixed), Alone>,
    threads: NonZero<usize>,
}

/// Operations that are worth a thread of their own.
const WORTH: usize = 1_000_000;
/// States between two looks at their certificates.
const PIECE: usize = 1024;

impl Accelerations {
    /// For a system and its parameters, on all cores.
    pub fn new(system: &CompiledSystem) -> Self {
        Self::with(system, Vec::new())
    }

    /// For a system of which every state has its own values of some parameters; parameters that are made of them follow.
    ///
    /// # Errors
    /// If the model has no parameter of some name.
    pub fn over(system: &CompiledSystem, parameters: &[&str]) -> Result<Self, UnknownParameter> {
        let all = &system.equations().model.parameters;
        let varied = parameters.iter().map(|&name| {
            let place = all.iter().position(|parameter| parameter.name == name);
            place.map(|place| Varied { place, name: name.into() }).ok_or_else(|| UnknownParameter { name: name.into() })
        });
        Ok(Self::with(system, varied.collect::<Result<_, _>>()?))
    }

    fn with(system: &CompiledSystem, varied: Vec<Varied>) -> Self {
        let equations = system.equations();
        let rows: Vec<usize> = (0..equations.rows.len()).filter(|&row| !equations.rows[row].off).collect();
        let lanes = write_out(system, &varied, &rows).map(|(graph, roots)| {
            let program = Program::new(&graph, &roots);
            let fixed = program.fixed(system.parameters());
            (program, fixed)
        });
        let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Self { system: system.clone(), varied, rows, lanes, threads }
    }

    /// The same with at most so many threads. Results do not depend on it.
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Why states are done one by one, where lanes are not used at all.
    pub fn alone(&self) -> Option<Alone> {
        self.lanes.as_ref().err().copied()
    }

    /// How many operations an acceleration takes in lanes, the certificate included.
    pub fn operations(&self) -> Option<usize> {
        self.lanes.as_ref().ok().map(|(program, _)| program.operations())
    }

    /// The accelerations: that of coordinate i at state k goes to `out[i·count + k]`.
    ///
    /// # Panics
    /// If there are fewer positions, velocities, parameters or places than states need.
    pub fn evaluate(&self, states: &States, out: &mut [f64]) -> BatchReport {
        let (n, count) = (self.system.coordinates(), states.count);
        for (what, found, needed) in [
            ("positions", states.q.len(), n * count),
            ("velocities", states.v.len(), n * count),
            ("parameters", states.parameters.len(), self.varied.len() * count),
            ("places", out.len(), n * count),
        ] {
            assert!(found >= needed, "{found} {what} for {count} states that need {needed}");
        }
        assert!(states.t.is_empty() || states.t.len() >= count, "fewer times than states");
        if count == 0 {
            return BatchReport::default();
        }
        if let Some(missing) = self.system.equations().model.unspecified() {
            out[..n * count].fill(f64::NAN);
            let trouble = Trouble::Unspecified(missing.message);
            return BatchReport {
                troubles: (0..count).map(|state| (state, trouble.clone())).collect(),
                ..BatchReport::default()
            };
        }
        let inputs = self.inputs(states);
        let work = count.saturating_mul(self.operations().unwrap_or(WORTH / 100));
        let threads = self.threads.get().min(work / WORTH + 1);
        let share = count.div_ceil(threads);
        // Each thread gets a part of every row.
        let mut parts: Vec<(Range<usize>, Vec<&mut [f64]>)> = Vec::new();
        for start in (0..count).step_by(share) {
            parts.push((start..(start + share).min(count), Vec::with_capacity(n + 1)));
        }
        for mut row in out[..n * count].chunks_exact_mut(count) {
            for (range, rows) in &mut parts {
                let (own, rest) = row.split_at_mut(range.len());
                rows.push(own);
                row = rest;
            }
        }
        let reports: Vec<BatchReport> = if parts.len() == 1 {
            parts.into_iter().map(|(range, rows)| self.part(states, &inputs.states(states), range, rows)).collect()
        } else {
            std::thread::scope(|scope| {
                let inputs = &inputs;
                let started: Vec<_> = parts
                    .into_iter()
                    .map(|(range, rows)| scope.spawn(move || self.part(states, &inputs.states(states), range, rows)))
                    .collect();
                started
                    .into_iter()
                    .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            })
        };
        let mut report = BatchReport::default();
        for part in reports {
            report.redone.extend(part.redone);
            report.troubles.extend(part.troubles);
        }
        report
    }

    fn inputs(&self, states: &States) -> Inputs {
        let (n, count) = (self.system.coordinates(), states.count);
        let t = if states.t.is_empty() { vec![0.0; count] } else { Vec::new() };
        let q = match self.varied[..] {
            [] => Vec::new(),
            _ => [&states.q[..n * count], &states.parameters[..self.varied.len() * count]].concat(),
        };
        Inputs { t, q }
    }

    /// Some of the states.
    fn part(
        &self,
        states: &States,
        inputs: &compile::ProgramStates,
        range: Range<usize>,
        mut rows: Vec<&mut [f64]>,
    ) -> BatchReport {
        let mut report = BatchReport::default();
        match &self.lanes {
            Err(_) => report.redone.extend(range.clone()),
            Ok((program, fixed)) => {
                let mut batch = program.batch();
                let mut certificate = vec![0.0; PIECE.min(range.len())];
                for start in range.clone().step_by(PIECE) {
                    let piece = start..(start + PIECE).min(range.end);
                    let mut out = Piece { rows: &mut rows, certificate: &mut certificate, first: start - range.start };
                    program.evaluate_rows(fixed, inputs, piece.clone(), &mut batch, &mut out);
                    let found = &certificate[..piece.len()];
                    if !Arch::new().dispatch(Holds(found)) {
                        let failed = found.iter().zip(piece).filter(|(found, _)| !holds(**found));
                        report.redone.extend(failed.map(|(_, state)| state));
                    }
                }
            }
        }
        if report.redone.is_empty() {
            return report;
        }
        let feedback = self.alone() == Some(Alone::Feedback);
        let mut one = One::new(&self.system, &self.varied, &self.rows, feedback);
        for &state in &report.redone {
            let (found, trouble) = one.accelerate(states, state);
            let moves = matches!(trouble, None | Some(Trouble::NotUnique { .. }));
            for (i, row) in rows.iter_mut().enumerate() {
                row[state - range.start] = found.filter(|_| moves).map_or(f64::NAN, |found| found[i]);
            }
            report.troubles.extend(trouble.map(|trouble| (state, trouble)));
        }
        report
    }
}

/// Inputs that are not given as the program wants them.
struct Inputs {
    t: Vec<f64>,
    /// Positions, and then parameters.
    q: Vec<f64>,
}

impl Inputs {
    fn states<'a>(&'a self, states: &States<'a>) -> compile::ProgramStates<'a> {
        let or = |own: &'a [f64], given: &'a [f64]| if own.is_empty() { given } else { own };
        let (t, q) = (or(&self.t, states.t), or(&self.q, states.q));
        compile::ProgramStates { count: states.count, t, q, v: states.v, ..compile::ProgramStates::default() }
    }
}

/// Where the values of some states go.
struct Piece<'a, 'r> {
    rows: &'a mut [&'r mut [f64]],
    certificate: &'a mut [f64],
    first: usize,
}

impl Rows for Piece<'_, '_> {
    #[inline(always)]
    fn row(&mut self, number: usize) -> &mut [f64] {
        match self.rows.get_mut(number) {
            Some(row) => &mut row[self.first..],
            None => self.certificate,
        }
    }
}

/// Whether a certificate holds; not where it is no number.
fn holds(certificate: f64) -> bool {
    certificate.abs() < LIMIT
}

/// Whether all of them do.
struct Holds<'a>(&'a [f64]);

impl WithSimd for Holds<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let (chunks, rest) = self.0.as_chunks::<8>();
        let mut all = [true; 8];
        for chunk in chunks {
            for (all, &certificate) in all.iter_mut().zip(chunk) {
                *all &= holds(certificate);
            }
        }
        all.iter().all(|&all| all) && rest.iter().all(|&certificate| holds(certificate))
    }
}

/// q̈ and the certificate as expressions; parameters that vary are positions beyond the last coordinate.
fn write_out(system: &CompiledSystem, varied: &[Varied], rows: &[usize]) -> Result<(Graph, Vec<Id>), Alone> {
    let equations = system.equations();
    let feedback = |part: &holonom_mechanics::derive::NonidealTerm| {
        !(part.by_multiplier.is_empty() && part.by_reaction.is_empty() && part.nonlinear.is_empty())
    };
    if !equations.frictions.is_empty() || equations.nonideal.iter().any(feedback) {
        return Err(Alone::Feedback);
    }
    let mut graph = equations.graph.clone();
    let n = system.coordinates();
    let mut force = equations.force.clone();
    for part in &equations.nonideal {
        if part.acts(equations.model.constraints.len(), |constraint| in_force(equations, constraint)) {
            for (total, &more) in force.iter_mut().zip(&part.force) {
                *total = graph.add(*total, more);
            }
        }
    }
    // All expressions in one list, so that parameters are replaced in all of them.
    let mut all: Vec<Id> = equations.mass.ids().collect();
    all.extend(&force);
    for &row in rows {
        all.extend(equations.rows[row].a.iter().map(|entry| entry.1));
        all.push(equations.rows[row].b);
    }
    let values = replacements(system, varied, &mut graph);
    let all = graph.substitute(&all, |symbol| match symbol {
        Symbol::Parameter(place) => values.get(&place).copied(),
        _ => None,
    });
    let mut all = all.into_iter();
    let mut mass = vec![BTreeMap::new(); n];
    for ((i, j, _), id) in equations.mass.iter().zip(&mut all) {
        if id != Id::ZERO {
            mass[i].insert(j, id);
        }
    }
    let force: Vec<Id> = all.by_ref().take(n).collect();
    let mut given = Given { mass, force, rows: Vec::new(), right: Vec::new(), added: Vec::new() };
    for &row in rows {
        let entries = equations.rows[row].a.iter().map(|entry| entry.0).zip(&mut all);
        let entries = entries.filter(|entry| entry.1 != Id::ZERO).collect();
        let (entries, right) = reduced(&mut graph, entries, all.next().unwrap_or(Id::ZERO));
        given.rows.push(entries);
        given.right.push(right);
    }
    supplement(&mut graph, &mut given, system, varied);
    let roots = solve(&mut graph, &given)?;
    Ok((graph, roots))
}

/// What stands for the parameters that vary, and for those that are made of them.
fn replacements(system: &CompiledSystem, varied: &[Varied], graph: &mut Graph) -> BTreeMap<u32, Id> {
    let mut values: BTreeMap<u32, Id> = BTreeMap::new();
    if varied.is_empty() {
        return values;
    }
    let n = system.coordinates();
    for (place, parameter) in system.equations().model.parameters.iter().enumerate() {
        let symbol = match varied.iter().position(|varied| varied.place == place) {
            Some(number) => graph.symbol(Symbol::Position((n + number) as u32)),
            None if system.is_set(place) => continue,
            None => {
                let made = graph.substitute(&[parameter.value], |symbol| match symbol {
                    Symbol::Parameter(place) => values.get(&place).copied(),
                    _ => None,
                })[0];
                if made == parameter.value {
                    continue;
                }
                made
            }
        };
        values.insert(place as u32, symbol);
    }
    values
}
