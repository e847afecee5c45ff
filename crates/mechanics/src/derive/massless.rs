//! Which coordinates may move without mass, and which others have a say in that: found on patterns, so that size alone is no obstacle.

use super::equations::Equations;
use super::probe::Probe;
use holonom_symbols::expr::{FastMap, Id, Symbol};

/// What is below this part of the largest entry of its row counts as zero.
const ZERO: f64 = 1e-9;
/// Steps that an elimination may take before it is given up.
const MOST_STEPS: usize = 50_000_000;

/// A row of numbers: columns and entries, in order.
type Row = Vec<(usize, f64)>;

/// Coordinates that may move without mass: all but those with a mass of their own that is coupled to nothing, and those
/// of groups in which M or `[M; A]` has full rank at some state, which is what most models have.
pub(super) fn candidates(equations: &Equations, probe: &Probe) -> Vec<usize> {
    let n = equations.model.coordinates.len();
    let diagonal: Vec<Id> = (0..n).map(|i| equations.mass.get(i, i)).collect();
    let has_mass = probe.nonzero(&equations.graph, &diagonal);
    let own = |i: usize| has_mass[i] && equations.mass.row(i).iter().all(|&(j, _)| j == i);
    let open: Vec<usize> = (0..n).filter(|&i| !own(i)).collect();
    if open.is_empty() {
        return open;
    }
    let mut place = vec![usize::MAX; n];
    open.iter().enumerate().for_each(|(column, &i)| place[i] = column);
    let narrow = |entries: &[(usize, Id)]| -> Vec<(usize, Id)> {
        let inside = entries.iter().filter(|&&(i, _)| place[i] != usize::MAX);
        inside.map(|&(i, entry)| (place[i], entry)).collect()
    };
    let mass: Vec<_> = open.iter().map(|&i| narrow(equations.mass.row(i))).collect();
    let active = equations.rows.iter().filter(|row| !row.off);
    let constraints: Vec<_> = active.map(|row| narrow(&row.a)).filter(|row| !row.is_empty()).collect();
    let both = [&mass[..], &constraints[..]].concat();
    let mut left = Vec::new();
    for (columns, rows) in groups(&both, open.len()) {
        let of = |which: fn(usize, usize) -> bool| -> Vec<&Vec<(usize, Id)>> {
            rows.iter().filter(|&&row| which(row, mass.len())).map(|&row| &both[row]).collect()
        };
        let full = |rows: &[&Vec<(usize, Id)>]| {
            (0..3).any(|state| {
                rank(numbers(equations, probe, rows, &columns, state), columns.len()) == Some(columns.len())
            })
        };
        if !full(&of(|row, masses| row < masses)) && !full(&of(|_, _| true)) {
            left.extend(columns.iter().map(|&column| open[column]));
        }
    }
    left.sort_unstable();
    left
}

/// Columns that rows connect, directly or through others, with those rows.
fn groups(rows: &[Vec<(usize, Id)>], columns: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut parent: Vec<usize> = (0..columns).collect();
    fn root(parent: &mut [usize], mut column: usize) -> usize {
        while parent[column] != column {
            parent[column] = parent[parent[column]];
            column = parent[column];
        }
        column
    }
    for row in rows {
        for pair in row.windows(2) {
            let (a, b) = (root(&mut parent, pair[0].0), root(&mut parent, pair[1].0));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut number = vec![usize::MAX; columns];
    let mut found: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for column in 0..columns {
        let root = root(&mut parent, column);
        if number[root] == usize::MAX {
            number[root] = found.len();
            found.push((vec![], vec![]));
        }
        found[number[root]].0.push(column);
    }
    for (index, row) in rows.iter().enumerate() {
        if let Some(&(column, _)) = row.first() {
            found[number[root(&mut parent, column)]].1.push(index);
        }
    }
    found
}

/// Rows at a state, with the columns of a group counted from 0, each scaled to entries of at most 1.
fn numbers(
    equations: &Equations,
    probe: &Probe,
    rows: &[&Vec<(usize, Id)>],
    columns: &[usize],
    state: u64,
) -> Vec<Row> {
    let flat: Vec<Id> = rows.iter().flat_map(|row| row.iter().map(|entry| entry.1)).collect();
    let mut values = probe.values(&equations.graph, &flat, state).into_iter();
    let number = |column: usize| columns.binary_search(&column).unwrap_or(0);
    let scaled = |row: &&Vec<(usize, Id)>| {
        let row: Row = row.iter().map(|&(column, _)| (number(column), values.next().unwrap_or(0.0))).collect();
        let scale = row.iter().fold(0.0f64, |most, entry| most.max(entry.1.abs()));
        match scale > 0.0 && scale.is_finite() {
            true => row.into_iter().map(|(column, entry)| (column, entry / scale)).collect(),
            false => Row::new(),
        }
    };
    rows.iter().map(scaled).collect()
}

/// The rank of rows with few entries, by elimination, the largest entry of each column first; nothing where that takes too long.
fn rank(rows: Vec<Row>, columns: usize) -> Option<usize> {
    // By the first column that is left of a row.
    let mut waiting: Vec<Vec<Row>> = vec![Vec::new(); columns];
    let put = |waiting: &mut Vec<Vec<Row>>, mut row: Row| {
        row.retain(|entry| entry.1.abs() > ZERO);
        if let Some(&(first, _)) = row.first() {
            waiting[first].push(row);
        }
    };
    rows.into_iter().for_each(|row| put(&mut waiting, row));
    let (mut rank, mut steps) = (0, 0usize);
    for column in 0..columns {
        let mut here = std::mem::take(&mut waiting[column]);
        let best = (0..here.len()).max_by(|&a, &b| here[a][0].1.abs().total_cmp(&here[b][0].1.abs()));
        let Some(best) = best else { continue };
        let pivot = here.swap_remove(best);
        rank += 1;
        for row in here {
            let factor = row[0].1 / pivot[0].1;
            let rest = minus(&row[1..], &pivot[1..], factor);
            steps += rest.len() + 1;
            put(&mut waiting, rest);
        }
        if steps > MOST_STEPS {
            return None;
        }
    }
    Some(rank)
}

/// `row − factor·pivot`
fn minus(row: &[(usize, f64)], pivot: &[(usize, f64)], factor: f64) -> Row {
    let mut result = Row::with_capacity(row.len() + pivot.len());
    let (mut i, mut j) = (0, 0);
    while i < row.len() || j < pivot.len() {
        let (a, b) = (row.get(i).map_or(usize::MAX, |e| e.0), pivot.get(j).map_or(usize::MAX, |e| e.0));
        let mut value = 0.0;
        if a <= b {
            value += row[i].1;
            i += 1;
        }
        if b <= a {
            value -= factor * pivot[j].1;
            j += 1;
        }
        result.push((a.min(b), value));
    }
    result
}

/// The coordinates that have to do with `some`: through M, constraints, forces, and whatever these depend on. Nothing if they are more than `most`.
pub(super) fn around(equations: &Equations, some: &[usize], most: usize) -> Option<Vec<usize>> {
    let Equations { graph, mass, force, rows, nonideal, .. } = equations;
    let mut by_coordinate: FastMap<usize, Vec<usize>> = FastMap::default();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| !row.off) {
        row.a.iter().for_each(|&(i, _)| by_coordinate.entry(i).or_default().push(index));
    }
    let mut known: FastMap<usize, ()> = some.iter().map(|&i| (i, ())).collect();
    let mut stack = some.to_vec();
    let mut seen_rows: FastMap<usize, ()> = FastMap::default();
    while let Some(i) = stack.pop() {
        let mut ids: Vec<Id> = mass.row(i).iter().map(|entry| entry.1).collect();
        ids.push(force[i]);
        ids.extend(nonideal.iter().map(|part| part.force[i]));
        let mut found: Vec<usize> = mass.row(i).iter().map(|entry| entry.0).collect();
        for &index in by_coordinate.get(&i).into_iter().flatten() {
            if seen_rows.insert(index, ()).is_none() {
                let row = &rows[index];
                found.extend(row.a.iter().map(|entry| entry.0));
                ids.extend(row.a.iter().map(|entry| entry.1).chain([row.b]));
            }
        }
        found.extend(graph.symbols(&ids).into_iter().filter_map(|symbol| match symbol {
            Symbol::Position(i) | Symbol::Velocity(i) => Some(i as usize),
            _ => None,
        }));
        for i in found {
            if known.insert(i, ()).is_none() {
                stack.push(i);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    let mut all: Vec<usize> = known.into_keys().collect();
    all.sort_unstable();
    Some(all)
}
