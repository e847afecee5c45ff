//! The motion, in any arithmetic: accelerations along what the constraints leave open.
//!
//! With independent rows reduced to `q̈_P = β − N q̈_F`, every admissible acceleration is `p + Z z`, and Z spans the virtual
//! displacements. Along these the constraint forces do the work of C alone, `Zᵀ(M q̈ − Q − C) = 0` (2006, eq. 2.9), so
//!
//! ```text
//! G z = Zᵀ(Q + C − M p),   G = ZᵀM Z
//! ```
//!
//! The null vectors of G are N(M) ∩ N(A) seen through Z, the free directions (2006, result 3). What is left of
//! `M q̈ − Q − C` is Aᵀλ. All is linear in the forces: Q with b is one column, the parts of C are others, and a C that
//! depends on the reactions it changes takes one small system more.

use super::arithmetic::{Arithmetic, Calculator, Entry, Rows};
use super::constraints::{Constraints, gram};
use super::eliminate::{Pivots, reduce, solve};
use super::reactions::{Solved, through_reactions};
use super::solution::Ranks;
use holonom_symbols::algebra::Exhausted;
use holonom_symbols::expr::Id;

/// Everything that there is to say about the motion. Rows are counted among those in force.
pub struct Answer<V> {
    pub(super) acceleration: Vec<Entry<V>>,
    pub(super) ideal: Vec<Entry<V>>,
    pub(super) nonideal: Vec<Entry<V>>,
    pub(super) given: Vec<Entry<V>>,
    pub multipliers: Vec<Entry<V>>,
    pub reactions: Vec<Entry<V>>,
    pub(super) free: Rows<V>,
    /// Free directions that a force pushes along, with the force.
    pub(super) unbalanced: Vec<(usize, Entry<V>)>,
    /// The determinant of the system, where the motion is unique.
    pub(super) determinant: Entry<V>,
}

/// The way from forces to accelerations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// Through λ, where M is regular: what is divided by vanishes at no regular state.
    Reactions,
    /// Along what the constraints leave open.
    Displacements,
}

/// A column of forces and what weighs it.
pub(super) enum Weight {
    /// Q, with b.
    Impressed,
    /// As it is.
    One,
    /// The ideal multiplier of a row.
    Multiplier(usize),
    /// The total reaction of a row.
    Reaction(usize),
}

/// G = ZᵀM Z.
pub(super) fn reduced_mass<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    mass: &Rows<A::Value>,
) -> Result<Rows<A::Value>, Exhausted> {
    let count = constraints.others.len();
    let mut g: Rows<A::Value> = vec![Vec::new(); count];
    for j in 0..count {
        let unit: Vec<Entry<A::Value>> =
            (0..count).map(|k| if k == j { calculator.one() } else { calculator.zero() }).collect();
        let z = constraints.displace(calculator, &unit)?;
        let inertia = calculator.apply(mass, &z)?;
        let work = constraints.work(calculator, &inertia)?;
        g.iter_mut().zip(work).for_each(|(row, entry)| row.push(entry));
    }
    Ok(g)
}

/// A basis of N(M) ∩ N(A), where that many directions are expected; nothing where it is another number.
pub(super) fn free_directions<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    g: &Rows<A::Value>,
    expected: usize,
) -> Result<Option<Rows<A::Value>>, Exhausted> {
    let mut free: Rows<A::Value> = Vec::new();
    if expected == 0 {
        return Ok(Some(free));
    }
    let count = g.len();
    let reduced = reduce(calculator, g.clone(), count, Pivots::Diagonal)?;
    for e in reduced.others(count) {
        let mut y = vec![calculator.zero(); count];
        y[e] = calculator.one();
        for (row, &p) in reduced.rows.iter().zip(&reduced.pivots) {
            y[p] = calculator.negate(&row[e])?;
        }
        free.push(constraints.displace(calculator, &y)?);
    }
    Ok((free.len() == expected).then_some(free))
}

/// The part of a vector along the free directions, W(WᵀW)⁻¹Wᵀx; nothing where there is none.
pub(super) fn along_free<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    free: &Rows<A::Value>,
    x: &[Entry<A::Value>],
) -> Result<Option<Vec<Entry<A::Value>>>, Exhausted> {
    let right = calculator.apply(free, x)?;
    if right.iter().all(|entry| calculator.is_zero(entry)) {
        return Ok(None);
    }
    let right: Rows<A::Value> = right.into_iter().map(|entry| vec![entry]).collect();
    let by_rows: Rows<A::Value> = (0..x.len()).map(|i| free.iter().map(|w| w[i].clone()).collect()).collect();
    let gram = gram(calculator, &by_rows, free.len())?;
    let Some(weights) = solve(calculator, &gram, &right)? else { return Ok(None) };
    let weights: Vec<Entry<A::Value>> = weights.into_iter().map(|mut row| row.remove(0)).collect();
    calculator.apply_transposed(free, &weights, x.len()).map(Some)
}

/// Accelerations, forces M q̈ and multipliers of all rows, for each column of forces.
struct Columns<V> {
    accelerations: Rows<V>,
    inertias: Rows<V>,
    multipliers: Rows<V>,
    determinant: Entry<V>,
}

/// Along virtual displacements: G z = Zᵀ(f − M p), all columns at once. Nothing if the rank is not the one expected.
fn along_displacements<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    mass: &Rows<A::Value>,
    g: Rows<A::Value>,
    free: &Rows<A::Value>,
    carried: &Rows<A::Value>,
) -> Result<Option<Columns<A::Value>>, Exhausted> {
    let (n, count) = (constraints.n, g.len());
    let mut start = vec![calculator.zero(); n];
    for (&p, beta) in constraints.pivots.iter().zip(&constraints.beta) {
        start[p] = beta.clone();
    }
    let mut rows = g;
    for (c, force) in carried.iter().enumerate() {
        let mut force = force.clone();
        if c == 0 {
            let inertia = calculator.apply(mass, &start)?;
            force = difference(calculator, &force, &inertia)?;
        }
        let work = constraints.work(calculator, &force)?;
        rows.iter_mut().zip(work).for_each(|(row, entry)| row.push(entry));
    }
    let reduced = reduce(calculator, rows, count, Pivots::Diagonal)?;
    if reduced.pivots.len() != count - free.len() {
        return Ok(None);
    }
    let square = calculator.multiply(&constraints.determinant, &constraints.determinant)?;
    let determinant = calculator.multiply(&square, &reduced.determinant)?;
    let (mut accelerations, mut inertias, mut multipliers) = (Vec::new(), Vec::new(), Vec::new());
    for (c, force) in carried.iter().enumerate() {
        let mut y = vec![calculator.zero(); count];
        for (row, &p) in reduced.rows.iter().zip(&reduced.pivots) {
            y[p] = row[count + c].clone();
        }
        let mut acceleration = constraints.displace(calculator, &y)?;
        if c == 0 {
            acceleration =
                acceleration.iter().zip(&start).map(|(x, y)| calculator.add(x, y)).collect::<Result<_, _>>()?;
        }
        if let Some(part) = along_free(calculator, free, &acceleration)? {
            acceleration = difference(calculator, &acceleration, &part)?; // of least norm: η = 0
        }
        let inertia = calculator.apply(mass, &acceleration)?;
        let reaction = difference(calculator, &inertia, force)?;
        multipliers.push(constraints.multipliers(calculator, &reaction)?);
        accelerations.push(acceleration);
        inertias.push(inertia);
    }
    Ok(Some(Columns { accelerations, inertias, multipliers, determinant }))
}

fn difference<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    x: &[Entry<A::Value>],
    y: &[Entry<A::Value>],
) -> Result<Vec<Entry<A::Value>>, Exhausted> {
    x.iter().zip(y).map(|(x, y)| calculator.subtract(x, y)).collect()
}

/// The motion under columns of forces, the impressed ones first. Nothing if the ranks are not those expected, or if reactions that
/// feed C have no unique answer.
pub(super) fn motion<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    constraints: &Constraints<A::Value>,
    mass: &[Vec<Id>],
    columns: &[(Weight, Vec<Id>)],
    (ranks, route): (Ranks, Route),
) -> Result<Option<Answer<A::Value>>, Exhausted> {
    let n = constraints.n;
    let mass: Rows<A::Value> = mass.iter().map(|row| calculator.read(row)).collect::<Result<_, _>>()?;
    let forces: Rows<A::Value> = columns.iter().map(|(_, column)| calculator.read(column)).collect::<Result<_, _>>()?;
    let mut free: Rows<A::Value> = Vec::new();
    let mut carried = forces.clone();
    let mut lost: Vec<Option<Vec<Entry<A::Value>>>> = vec![None; forces.len()];
    let solved = if route == Route::Reactions && ranks.mass == n && !constraints.kept.is_empty() {
        let solved = through_reactions(calculator, constraints, &mass, &forces)?;
        let Some(Solved { accelerations, inertias, loads, determinant }) = solved else { return Ok(None) };
        let all = loads.into_iter().map(|load| constraints.spread_out(calculator, load));
        let multipliers = all.collect::<Result<_, _>>()?;
        Some(Columns { accelerations, inertias, multipliers, determinant })
    } else {
        let g = reduced_mass(calculator, constraints, &mass)?;
        let Some(found) = free_directions(calculator, constraints, &g, n - ranks.system)? else { return Ok(None) };
        free = found;
        // What pushes along free directions has nothing to push against.
        for (c, force) in forces.iter().enumerate() {
            let push = calculator.apply(&free, force)?;
            lost[c] = if push.iter().all(Entry::vanishes) { None } else { along_free(calculator, &free, force)? };
            if let Some(part) = &lost[c] {
                carried[c] = difference(calculator, force, part)?;
            }
        }
        along_displacements(calculator, constraints, &mass, g, &free, &carried)?
    };
    let Some(Columns { accelerations, inertias, mut multipliers, determinant }) = solved else { return Ok(None) };
    let m = constraints.a.len();
    let weights = weights(calculator, columns, &multipliers)?;
    let Some(weights) = weights else { return Ok(None) };
    let mut total = |lists: &Rows<A::Value>, length: usize, from: usize| -> Result<Vec<Entry<A::Value>>, Exhausted> {
        (0..length)
            .map(|i| {
                let terms: Vec<_> = (from..lists.len()).map(|c| (&lists[c][i], &weights[c])).collect();
                calculator.dot(&terms)
            })
            .collect()
    };
    let acceleration = total(&accelerations, n, 0)?;
    let reactions = total(&multipliers, m, 0)?;
    let given = total(&forces, n, 1)?;
    let mut nonideal = total(&inertias, n, 1)?;
    let ideal = difference(calculator, &inertias[0], &carried[0])?;
    let mut unbalanced = Vec::new();
    if lost.iter().any(Option::is_some) {
        // Qₙᵢ = M q̈(C) + ΠC: what nothing carries is there all the same.
        let nothing = vec![calculator.zero(); n];
        for i in 0..n {
            let mut terms = vec![(&nonideal[i], calculator.one())];
            for (part, weight) in lost.iter().zip(&weights).skip(1) {
                terms.push((part.as_ref().map_or(&nothing[i], |part| &part[i]), weight.clone()));
            }
            let terms: Vec<_> = terms.iter().map(|(a, b)| (*a, b)).collect();
            let sum = calculator.dot(&terms)?;
            nonideal[i] = sum;
        }
        let all: Vec<Entry<A::Value>> =
            forces[0].iter().zip(&given).map(|(q, c)| calculator.add(q, c)).collect::<Result<_, _>>()?;
        for (which, push) in calculator.apply(&free, &all)?.into_iter().enumerate() {
            if !push.vanishes() {
                unbalanced.push((which, push));
            }
        }
    }
    let ideal_multipliers = multipliers.swap_remove(0);
    // What is zero wherever the constraints are met, as the multipliers of hidden rows are, is written as zero.
    let clean = |list: Vec<Entry<A::Value>>| -> Vec<Entry<A::Value>> {
        list.into_iter().map(|entry| if entry.vanishes() { calculator.zero() } else { entry }).collect()
    };
    let (ideal, nonideal) = (clean(ideal), clean(nonideal));
    let (ideal_multipliers, reactions) = (clean(ideal_multipliers), clean(reactions));
    Ok(Some(Answer {
        acceleration: calculator.shortest(acceleration)?,
        ideal: calculator.shortest(ideal)?,
        nonideal: calculator.shortest(nonideal)?,
        given,
        multipliers: calculator.shortest(ideal_multipliers)?,
        reactions: calculator.shortest(reactions)?,
        free,
        unbalanced,
        determinant,
    }))
}

/// The weight of every column; nothing where reactions that feed C are not determined by it.
fn weights<A: Arithmetic>(
    calculator: &mut Calculator<A>,
    columns: &[(Weight, Vec<Id>)],
    multipliers: &Rows<A::Value>,
) -> Result<Option<Vec<Entry<A::Value>>>, Exhausted> {
    let mut weights: Vec<Entry<A::Value>> = Vec::with_capacity(columns.len());
    let mut fed: Vec<usize> = Vec::new();
    for (weight, _) in columns {
        weights.push(match weight {
            Weight::Impressed | Weight::One => calculator.one(),
            Weight::Multiplier(row) => multipliers[0][*row].clone(),
            Weight::Reaction(row) => {
                if !fed.contains(row) {
                    fed.push(*row);
                }
                calculator.zero()
            }
        });
    }
    if fed.is_empty() {
        return Ok(Some(weights));
    }
    // ρ = what is there without feedback + Σ ρ·(what a unit of it adds).
    let mut rows: Rows<A::Value> = Vec::new();
    let mut right: Rows<A::Value> = Vec::new();
    for &row in &fed {
        let known: Vec<_> = multipliers.iter().zip(&weights).map(|(list, weight)| (&list[row], weight)).collect();
        right.push(vec![calculator.dot(&known)?]);
        let mut line = Vec::new();
        for &other in &fed {
            let mut entry = if row == other { calculator.one() } else { calculator.zero() };
            for ((weight, _), list) in columns.iter().zip(multipliers) {
                if matches!(weight, Weight::Reaction(at) if *at == other) {
                    entry = calculator.subtract(&entry, &list[row])?;
                }
            }
            line.push(entry);
        }
        rows.push(line);
    }
    let Some(solved) = solve(calculator, &rows, &right)? else { return Ok(None) };
    for ((weight, _), value) in columns.iter().zip(&mut weights) {
        if let Weight::Reaction(row) = weight
            && let Some(at) = fed.iter().position(|known| known == row)
        {
            *value = solved[at][0].clone();
        }
    }
    Ok(Some(weights))
}
