//! Which inputs may be moved at once to see what functions make of each: those that no function has in common.
//!
//! Of 300 balls that do not touch each other, all heights are moved at once, in place of one evaluation of all functions for each.

use holonom_symbols::expr::{Graph, Id, Symbol};

/// Groups of coordinates whose positions no function has in common; the same for velocities and accelerations.
#[derive(Default)]
pub(super) struct Together {
    pub(super) positions: Vec<Vec<usize>>,
    pub(super) velocities: Vec<Vec<usize>>,
    pub(super) accelerations: Vec<Vec<usize>>,
}

impl Together {
    /// The groups for functions, each of several expressions, of n coordinates.
    pub(super) fn new(graph: &Graph, functions: &[[Id; 2]], n: usize) -> Self {
        let symbols: Vec<Vec<Symbol>> = functions.iter().map(|function| graph.symbols(function)).collect();
        let of = |which: fn(Symbol) -> Option<u32>| {
            let places = |symbols: &Vec<Symbol>| {
                symbols.iter().filter_map(|&symbol| which(symbol)).map(|j| j as usize).collect()
            };
            groups(&symbols.iter().map(places).collect::<Vec<_>>(), n)
        };
        Self {
            positions: of(|symbol| if let Symbol::Position(j) = symbol { Some(j) } else { None }),
            velocities: of(|symbol| if let Symbol::Velocity(j) = symbol { Some(j) } else { None }),
            accelerations: of(|symbol| if let Symbol::Acceleration(j) = symbol { Some(j) } else { None }),
        }
    }
}

/// Puts inputs into groups of which every function has one member at most; inputs that no function has are in none.
fn groups(functions: &[Vec<usize>], inputs: usize) -> Vec<Vec<usize>> {
    let mut functions_of: Vec<Vec<usize>> = vec![Vec::new(); inputs];
    for (function, places) in functions.iter().enumerate() {
        places.iter().for_each(|&place| functions_of[place].push(function));
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    // For each group, the functions that have a member in it.
    let mut taken: Vec<Vec<bool>> = Vec::new();
    for (place, of) in functions_of.iter().enumerate().filter(|(_, of)| !of.is_empty()) {
        let free = taken.iter().position(|taken| of.iter().all(|&function| !taken[function]));
        let group = free.unwrap_or_else(|| {
            groups.push(Vec::new());
            taken.push(vec![false; functions.len()]);
            groups.len() - 1
        });
        groups[group].push(place);
        of.iter().for_each(|&function| taken[group][function] = true);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::groups;

    /// A row of balls of which each has a distance to the next takes two groups, whatever their number; one function of all takes one for each.
    #[test]
    fn no_function_has_two_inputs_of_a_group() {
        let row: Vec<Vec<usize>> = (0..50).map(|i| vec![i, i + 1]).collect();
        assert_eq!(groups(&row, 60).len(), 2);
        let apart: Vec<Vec<usize>> = (0..50).map(|i| vec![i]).collect();
        assert_eq!(groups(&apart, 50), [(0..50).collect::<Vec<_>>()]);
        let mut with_all = row.clone();
        with_all.push((0..51).collect());
        assert_eq!(groups(&with_all, 51).len(), 51);
        for (functions, found) in [(&row, groups(&row, 60)), (&with_all, groups(&with_all, 51))] {
            for function in functions {
                assert!(found.iter().all(|group| group.iter().filter(|place| function.contains(place)).count() <= 1));
                assert!(function.iter().all(|place| found.iter().any(|group| group.contains(place))));
            }
        }
    }
}
