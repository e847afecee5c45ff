//! The papers' own way: v, a, e = b − A a, A⁺, B, B⁺, M̄, M̄⁺, M̂, K₁, K, N, Δa and projectors in symbols.
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
use holonom_mechanics::derive::Equations;
use holonom_symbols::algebra::{Budget, Exhausted, Ratio};
use holonom_symbols::expr::{Function, Graph, Id};

/// A matrix of expressions, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressionMatrix {
    /// What it is called, in plain letters as in [`holonom_kernel::Matrix`]: `A+`, `K1`.
    pub name: &'static str,
    /// Where the papers define it.
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
    /// In the order in which they are found. Those of the kernel's [`ExplicitForm`](holonom_kernel::ExplicitForm) have its names; besides these there are
    /// `v` (virtual displacements, a column each), `Mhat` = [M; A] and `BBT` = A M⁻¹Aᵀ. `B` and `B+` are given for diagonal M.
    pub tables: Vec<ExpressionMatrix>,
    /// The rank of M̂.
    pub rank: usize,
    /// At how many states all of these were held against what the kernel's answers make up.
    pub checked: usize,
}

impl Steps {
    /// The table of a name, where there is one.
    pub fn table(&self, name: &str) -> Option<&ExpressionMatrix> {
        self.tables.iter().find(|table| table.name == name)
    }
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
    let mut steps = Steps {
        graph: Graph::new(),
        rows: system.rows.clone(),
        tables: Vec::new(),
        rank: ground.ranks.system,
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
) -> Result<ExpressionMatrix, Exhausted> {
    let columns = rows.first().map_or(0, Vec::len);
    let flat: Vec<E> = rows.iter().flatten().cloned().collect();
    let entries = calculator.write(&flat)?;
    Ok(ExpressionMatrix { name, equation, rows: rows.len(), columns, entries })
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
    let tables = &mut steps.tables;
    let hat: Rows<Ratio> = mass.iter().chain(&a).cloned().collect();
    tables.push(table(calculator, "Mhat", "2006, result 3", &hat)?);
    let Some(constraints) = Constraints::new(calculator, n, &system.a, &system.b, &kept)? else { return Ok(()) };
    // Virtual displacements: one coordinate leads, the others follow.
    let free = constraints.others.len();
    let mut displacements: Rows<Ratio> = Vec::with_capacity(free);
    for lead in 0..free {
        let y: Vec<E> = (0..free).map(|i| if i == lead { calculator.one() } else { calculator.zero() }).collect();
        let v = constraints.displace(calculator, &y)?;
        displacements.push(without_denominators(calculator, v)?);
    }
    tables.push(table(calculator, "v", "2005p, eq. 8", &transposed(&displacements, n))?);
    // a, e and B for a regular M.
    let mut error = None;
    if ground.ranks.mass == n {
        let force = calculator.read(&system.force)?;
        let right: Rows<Ratio> = force.into_iter().map(|entry| vec![entry]).collect();
        if let Some(free) = solve(calculator, &mass, &right)? {
            tables.push(table(calculator, "a", "1992, eq. 2", &free)?);
            let reached = product(calculator, &a, &free)?;
            let e: Vec<Vec<E>> = b
                .iter()
                .zip(&reached)
                .map(|(b, row)| Ok(vec![calculator.subtract(b, &row[0])?]))
                .collect::<Result<_, Exhausted>>()?;
            tables.push(table(calculator, "e", "1992, after eq. 5c′", &e)?);
            error = Some(e);
        }
        let across = transposed(&a, n);
        if let Some(weighted) = solve(calculator, &mass, &across)? {
            let square = product(calculator, &a, &weighted)?;
            tables.push(table(calculator, "BBT", "2005p, eq. 21", &square)?);
        }
        tables.extend(weighted(calculator, system)?);
    }
    // A⁺ by its factors of full rank.
    let rows: Rows<Ratio> = kept.iter().map(|&k| a[k].clone()).collect();
    let columns = transposed(&rows, n);
    let square = gram(calculator, &columns, kept.len())?;
    let spread = constraints.spread(calculator);
    let Some(inner) = solve(calculator, &square, &spread)? else { return Ok(()) };
    let pseudo_inverse = product(calculator, &columns, &inner)?;
    tables.push(table(calculator, "A+", "2006, eq. 2.8", &pseudo_inverse)?);
    let reach = match m {
        0 => vec![vec![calculator.zero(); n]; n],
        _ => product(calculator, &pseudo_inverse, &a)?,
    };
    tables.push(table(calculator, "A+A", "2006, eq. 2.8", &reach)?);
    let virtual_part = from_identity(calculator, &reach)?;
    tables.push(table(calculator, "I-A+A", "2006, eq. 2.8", &virtual_part)?);
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
    tables.push(table(calculator, "Mbar", "2006, eq. 2.13", &stacked)?);
    // N and K₁.
    let Some((responses, gain)) = responses(calculator, &constraints, &mass, n, ground.ranks.system)? else {
        return Ok(());
    };
    let stacked_inverse: Rows<Ratio> =
        responses.iter().zip(&gain).map(|(h, k)| h.iter().chain(k).cloned().collect()).collect();
    tables.push(table(calculator, "Mbar+", "2006, eq. 2.14", &stacked_inverse)?);
    tables.push(table(calculator, "K1", "1992, after eq. 5c′", &gain)?);
    let force_gain = product(calculator, &mass, &gain)?;
    tables.push(table(calculator, "K", "1992, after eq. 5a′", &force_gain)?);
    tables.push(table(calculator, "N", "2005s, eq. 7", &responses)?);
    if tables.iter().any(|table| table.name == "B") {
        tables.push(weighted_inverse(calculator, system, &gain)?);
    }
    if let Some(e) = error {
        let deviation = product(calculator, &gain, &e)?;
        tables.push(table(calculator, "da", "1992, eq. 5c′", &deviation)?);
    }
    let free = match ground.ranks.system < n {
        true => {
            let determined = product(calculator, &stacked_inverse, &stacked)?;
            from_identity(calculator, &determined)?
        }
        false => vec![vec![calculator.zero(); n]; n],
    };
    tables.push(table(calculator, "I-Mbar+Mbar", "2006, eq. 2.14", &free)?);
    Ok(())
}

/// A multiple of a direction that divides by nothing: (cos φ, sin φ) for (1/tan φ, 1).
fn without_denominators(calculator: &mut Calculator<Exact>, mut v: Vec<E>) -> Result<Vec<E>, Exhausted> {
    for i in 0..v.len() {
        let below = v[i].value.denominator().clone();
        if below.is_constant() {
            continue;
        }
        let below = calculator.inner.write(&[Ratio::from_polynomial(below)])?;
        let factor = calculator.read(&below)?.remove(0);
        for x in &mut v {
            *x = calculator.multiply(x, &factor)?;
        }
    }
    Ok(v)
}

/// I − X.
fn from_identity(calculator: &mut Calculator<Exact>, rows: &[Vec<E>]) -> Result<Rows<Ratio>, Exhausted> {
    let mut out = rows.to_vec();
    for (i, row) in out.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let unit = if i == j { calculator.one() } else { calculator.zero() };
            *entry = calculator.subtract(&unit, entry)?;
        }
    }
    Ok(out)
}

/// B⁺ = M^{1/2}K₁ for a diagonal M.
fn weighted_inverse(
    calculator: &mut Calculator<Exact>,
    system: &System,
    gain: &[Vec<E>],
) -> Result<ExpressionMatrix, Exhausted> {
    let mut rows = Vec::new();
    for (j, row) in gain.iter().enumerate() {
        let graph = calculator.inner.graph();
        let root = graph.call(Function::Sqrt, system.mass[j][j]);
        let root = calculator.read(&[root])?.remove(0);
        rows.push(row.iter().map(|entry| calculator.multiply(&root, entry)).collect::<Result<Vec<_>, _>>()?);
    }
    table(calculator, "B+", "2005p, eq. 22", &rows)
}

/// B = A M^{-1/2} for a diagonal M.
fn weighted(calculator: &mut Calculator<Exact>, system: &System) -> Result<Option<ExpressionMatrix>, Exhausted> {
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
    table(calculator, "B", "2005p, eq. 21", &rows).map(Some)
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
