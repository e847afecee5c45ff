//! The papers' own way: a, e = b − A a, A⁺, M̄, M̄⁺, M̂, K₁, K, Δa and B in symbols.
//!
//! None of these is needed for the motion; they are what the papers write down. With A = D A_r, both of full rank,
//! `A⁺ = A_rᵀ(A_r A_rᵀ)⁻¹(DᵀD)⁻¹Dᵀ`. M̄⁺ is never formed from M̄: its columns are the accelerations that unit forces and
//! unit right sides cause, `H = Z G⁻¹Zᵀ` and `K₁ = (I − H M)p` in the terms of [`super::motion`], which is the same since
//! the two blocks of M̄ can be met one after the other.

use super::arithmetic::{Arithmetic, Calculator, Entry, Rows};
use super::check::check_steps;
use super::constraints::{Constraints, gram};
use super::eliminate::{Pivots, reduce, solve};
use super::exact::Exact;
use super::motion::{along_free, free_directions, reduced_mass};
use super::sample::{Ground, Values};
use super::solution::{Mismatch, Solution};
use super::system::{self, System};
use crate::algebra::{Budget, Exhausted, Ratio};
use crate::derive::Equations;
use crate::expr::{Function, Graph, Id};

/// A matrix of expressions, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What the papers call it.
    pub name: &'static str,
    /// Where they define it.
    pub equation: &'static str,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// Row by row.
    pub entries: Vec<Id>,
}

/// The ingredients of the explicit equation of motion; what would take too much work is missing.
#[derive(Clone, Debug)]
pub struct Steps {
    /// All expressions; those of the solution keep their ids.
    pub graph: Graph,
    /// A and b over the rows in force, as they were solved.
    pub rows: Vec<usize>,
    /// a = M⁻¹Q (1992, eq. 2), where M is regular.
    pub free_acceleration: Option<Table>,
    /// e = b − A a (1992, eq. 5c′), where M is regular.
    pub constraint_error: Option<Table>,
    /// A⁺, n × m.
    pub pseudo_inverse: Option<Table>,
    /// M̄ = [(I − A⁺A)M; A], (n + m) × n (2006, eq. 2.13).
    pub stacked: Option<Table>,
    /// M̄⁺, n × (n + m).
    pub stacked_inverse: Option<Table>,
    /// M̂ = [M; A], (n + m) × n (2006, result 3).
    pub system: Table,
    /// Its rank.
    pub rank: usize,
    /// K₁, n × m: the last m columns of M̄⁺ (1992, after eq. 5c′).
    pub acceleration_gain: Option<Table>,
    /// K = M K₁, n × m (1992, after eq. 5a′).
    pub force_gain: Option<Table>,
    /// Δa = K₁e (1992, eq. 5c′), where M is regular.
    pub deviation: Option<Table>,
    /// B = A M^{-1/2}, m × n, where M is diagonal and regular (2006, eq. 4.3).
    pub weighted: Option<Table>,
    /// B Bᵀ = A M⁻¹Aᵀ, m × m, where M is regular.
    pub weighted_square: Option<Table>,
    /// I − M̄⁺M̄, n × n, which η is multiplied by (2006, eq. 2.14), where the motion is not unique.
    pub free_projector: Option<Table>,
    /// At how many states all of these were held against what the kernel's answers make up.
    pub checked: usize,
}

/// The steps for a system that was solved.
///
/// Nothing if the system has no admissible states, or no symbols at all could be found within the budget.
///
/// # Errors
/// An entry that differs from what the kernel's answers make up: a defect of this program.
pub fn steps(equations: &Equations, solution: &Solution, budget: &Budget) -> Result<Option<Steps>, Box<Mismatch>> {
    let options = &solution.options;
    let Ok(Some(ground)) = Ground::new(equations, options, budget) else { return Ok(None) };
    let mut graph = solution.graph.clone();
    let system = system::system(equations, &ground, &mut graph, &options.set);
    let made = super::learning(&ground, |shadows| {
        let values = Values::new(shadows);
        made(&ground, &system, graph.clone(), &values, budget).map_err(|mismatch| (mismatch, ()))
    });
    made.map_err(|(mismatch, ())| mismatch)
}

/// The steps, with values at some states to lean on.
fn made(
    ground: &Ground,
    system: &System,
    mut graph: Graph,
    values: &Values,
    budget: &Budget,
) -> Result<Option<Steps>, Box<Mismatch>> {
    let (n, m) = (system.n, system.rows.len());
    let hat: Vec<Id> = system.mass.iter().chain(&system.a).flatten().copied().collect();
    let mut steps = Steps {
        graph: Graph::new(),
        rows: system.rows.clone(),
        free_acceleration: None,
        constraint_error: None,
        pseudo_inverse: None,
        stacked: None,
        stacked_inverse: None,
        system: Table { name: "M̂", equation: "2006, result 3", rows: n + m, columns: n, entries: hat },
        rank: ground.ranks.system,
        acceleration_gain: None,
        force_gain: None,
        deviation: None,
        weighted: None,
        weighted_square: None,
        free_projector: None,
        checked: 0,
    };
    // Each part is independent of what the budget did to those before it.
    let exact = Exact::new(&mut graph, super::positive(ground), values, budget);
    let mut calculator = Calculator::new(exact, values.len());
    let done = all(&mut calculator, ground, system, &mut steps);
    steps.graph = graph;
    if done.is_err_and(|end| end.reason.is_final()) {
        return Ok(None);
    }
    steps.checked = check_steps(&steps, ground)?;
    Ok(Some(steps))
}

type E = Entry<Ratio>;

/// Writes a matrix down.
fn table(
    calculator: &mut Calculator<Exact>,
    name: &'static str,
    equation: &'static str,
    rows: &[Vec<E>],
) -> Result<Option<Table>, Exhausted> {
    let columns = rows.first().map_or(0, Vec::len);
    let flat: Vec<E> = rows.iter().flatten().cloned().collect();
    let entries = calculator.write(&flat)?;
    Ok(Some(Table { name, equation, rows: rows.len(), columns, entries }))
}

fn transposed(rows: &[Vec<E>], columns: usize) -> Rows<Ratio> {
    (0..columns).map(|c| rows.iter().map(|row| row[c].clone()).collect()).collect()
}

/// The product of two matrices.
fn product(calculator: &mut Calculator<Exact>, a: &[Vec<E>], b: &[Vec<E>]) -> Result<Rows<Ratio>, Exhausted> {
    let columns = b.first().map_or(0, Vec::len);
    a.iter().map(|row| calculator.apply_transposed(b, row, columns)).collect()
}

fn all(
    calculator: &mut Calculator<Exact>,
    ground: &Ground,
    system: &System,
    steps: &mut Steps,
) -> Result<(), Exhausted> {
    let (n, m) = (system.n, system.rows.len());
    let kept = ground.independent();
    let mass: Rows<Ratio> = system.mass.iter().map(|row| calculator.read(row)).collect::<Result<_, _>>()?;
    let a: Rows<Ratio> = system.a.iter().map(|row| calculator.read(row)).collect::<Result<_, _>>()?;
    let b: Vec<E> = system.b.iter().map(|&id| Ok(calculator.read(&[id])?.remove(0))).collect::<Result<_, _>>()?;
    let hat: Rows<Ratio> = mass.iter().chain(&a).cloned().collect();
    if let Some(hat) = table(calculator, "M̂", "2006, result 3", &hat)? {
        steps.system = hat;
    }
    let Some(constraints) = Constraints::new(calculator, n, &system.a, &system.b, &kept)? else { return Ok(()) };
    // a, e and B for a regular M.
    let mut error = None;
    if ground.ranks.mass == n {
        let force = calculator.read(&system.force)?;
        let right: Rows<Ratio> = force.into_iter().map(|entry| vec![entry]).collect();
        if let Some(free) = solve(calculator, &mass, &right)? {
            steps.free_acceleration = table(calculator, "a", "1992, eq. 2", &free)?;
            let reached = product(calculator, &a, &free)?;
            let e: Vec<Vec<E>> = b
                .iter()
                .zip(&reached)
                .map(|(b, row)| Ok(vec![calculator.subtract(b, &row[0])?]))
                .collect::<Result<_, Exhausted>>()?;
            steps.constraint_error = table(calculator, "e", "1992, eq. 5c′", &e)?;
            error = Some(e);
        }
        let across = transposed(&a, n);
        if let Some(weighted) = solve(calculator, &mass, &across)? {
            let square = product(calculator, &a, &weighted)?;
            steps.weighted_square = table(calculator, "B Bᵀ", "1992", &square)?;
        }
        steps.weighted = weighted(calculator, system)?;
    }
    // A⁺ by its factors of full rank.
    let rows: Rows<Ratio> = kept.iter().map(|&k| a[k].clone()).collect();
    let columns = transposed(&rows, n);
    let square = gram(calculator, &columns, kept.len())?;
    let spread = constraints.spread(calculator);
    let Some(inner) = solve(calculator, &square, &spread)? else { return Ok(()) };
    let pseudo_inverse = product(calculator, &columns, &inner)?;
    steps.pseudo_inverse = table(calculator, "A⁺", "2006, eq. 2.8", &pseudo_inverse)?;
    // M̄ = [(I − A⁺A)M; A].
    let reached = product(calculator, &a, &mass)?;
    let back = product(calculator, &pseudo_inverse, &reached)?;
    let mut stacked = mass.clone();
    if m > 0 {
        for (row, back) in stacked.iter_mut().zip(&back) {
            for (entry, back) in row.iter_mut().zip(back) {
                *entry = calculator.subtract(entry, back)?;
            }
        }
    }
    stacked.extend(a.iter().cloned());
    steps.stacked = table(calculator, "M̄", "2006, eq. 2.13", &stacked)?;
    // H and K₁.
    let Some((responses, gain)) = responses(calculator, &constraints, &mass, n, ground.ranks.system)? else {
        return Ok(());
    };
    let stacked_inverse: Rows<Ratio> =
        responses.iter().zip(&gain).map(|(h, k)| h.iter().chain(k).cloned().collect()).collect();
    steps.stacked_inverse = table(calculator, "M̄⁺", "2006, eq. 2.14", &stacked_inverse)?;
    steps.acceleration_gain = table(calculator, "K₁", "1992, after eq. 5c′", &gain)?;
    let force_gain = product(calculator, &mass, &gain)?;
    steps.force_gain = table(calculator, "K", "1992, after eq. 5a′", &force_gain)?;
    if let Some(e) = error {
        let deviation = product(calculator, &gain, &e)?;
        steps.deviation = table(calculator, "Δa", "1992, eq. 5c′", &deviation)?;
    }
    if ground.ranks.system < n {
        let mut projector = product(calculator, &stacked_inverse, &stacked)?;
        for (i, row) in projector.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let unit = if i == j { calculator.one() } else { calculator.zero() };
                *entry = calculator.subtract(&unit, entry)?;
            }
        }
        steps.free_projector = table(calculator, "I − M̄⁺M̄", "2006, eq. 2.14", &projector)?;
    }
    Ok(())
}

/// B = A M^{-1/2} for a diagonal M.
fn weighted(calculator: &mut Calculator<Exact>, system: &System) -> Result<Option<Table>, Exhausted> {
    let n = system.n;
    let diagonal = (0..n).all(|i| (0..n).all(|j| i == j || system.mass[i][j] == Id::ZERO));
    if !diagonal || system.a.is_empty() {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for row in &system.a {
        let graph = calculator.inner.graph();
        let entries: Vec<Id> = row
            .iter()
            .enumerate()
            .map(|(j, &entry)| {
                let root = graph.call(Function::Sqrt, system.mass[j][j]);
                graph.divide(entry, root)
            })
            .collect();
        rows.push(calculator.read(&entries)?);
    }
    table(calculator, "B", "2006, eq. 4.3", &rows)
}

type Responses = (Rows<Ratio>, Rows<Ratio>);

/// The accelerations that unit forces cause, and those that unit right sides cause.
fn responses(
    calculator: &mut Calculator<Exact>,
    constraints: &Constraints<Ratio>,
    mass: &Rows<Ratio>,
    n: usize,
    system_rank: usize,
) -> Result<Option<Responses>, Exhausted> {
    let g = reduced_mass(calculator, constraints, mass)?;
    let Some(free) = free_directions(calculator, constraints, &g, n - system_rank)? else { return Ok(None) };
    let count = g.len();
    let mut unit: Rows<Ratio> = vec![vec![calculator.zero(); n]; n];
    for (i, row) in unit.iter_mut().enumerate() {
        row[i] = calculator.one();
        if let Some(part) = along_free(calculator, &free, row)? {
            for (entry, part) in row.iter_mut().zip(&part) {
                *entry = calculator.subtract(entry, part)?;
            }
        }
    }
    let mut rows = g;
    for force in &unit {
        let work = constraints.work(calculator, force)?;
        rows.iter_mut().zip(work).for_each(|(row, entry)| row.push(entry));
    }
    let reduced = reduce(calculator, rows, count, Pivots::Diagonal)?;
    let mut columns: Rows<Ratio> = Vec::with_capacity(n);
    let least = |calculator: &mut Calculator<Exact>, mut x: Vec<E>| -> Result<Vec<E>, Exhausted> {
        if let Some(part) = along_free(calculator, &free, &x)? {
            for (entry, part) in x.iter_mut().zip(&part) {
                *entry = calculator.subtract(entry, part)?;
            }
        }
        Ok(x)
    };
    for j in 0..n {
        let mut y = vec![calculator.zero(); count];
        for (row, &p) in reduced.rows.iter().zip(&reduced.pivots) {
            y[p] = row[count + j].clone();
        }
        let response = constraints.displace(calculator, &y)?;
        columns.push(least(calculator, response)?);
    }
    let h = transposed(&columns, n);
    // Right sides: p − H M p.
    let spread = constraints.spread(calculator);
    let starts = product(calculator, &constraints.inverse, &spread)?;
    let m = constraints.a.len();
    let mut gains: Rows<Ratio> = Vec::with_capacity(m);
    for row in 0..m {
        let mut p = vec![calculator.zero(); n];
        for (&pivot, start) in constraints.pivots.iter().zip(&starts) {
            p[pivot] = start[row].clone();
        }
        let inertia = calculator.apply(mass, &p)?;
        let back = calculator.apply(&h, &inertia)?;
        let x = p.iter().zip(&back).map(|(p, back)| calculator.subtract(p, back)).collect::<Result<Vec<_>, _>>()?;
        gains.push(least(calculator, x)?);
    }
    let gain = if m == 0 { vec![Vec::new(); n] } else { transposed(&gains, n) };
    Ok(Some((h, gain)))
}
