//! Laws of families on random graphs.

use super::super::random::{self, Point, Random};
use super::*;
use holonom_symbols::expr::Symbol;

/// Many copies of a random graph with other symbols are families, and have the values of the graph.
#[test]
fn copies_of_a_graph_are_families() {
    const COPIES: u32 = 21;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let point = Point::new(&mut random);
        let (mut graph, roots) = random::graph(&mut random, 100 + 6 * seed as usize, &point);
        let mut all = Vec::new();
        let count = random::SYMBOLS;
        for copy in 0..COPIES {
            let renamed = |graph: &mut Graph, symbol: Symbol| {
                let other = match symbol {
                    Symbol::Position(i) => Symbol::Position(i + copy * count),
                    Symbol::Velocity(i) => Symbol::Velocity(i + copy * count),
                    other => other,
                };
                graph.symbol(other)
            };
            let symbols: Vec<(Symbol, Id)> =
                graph.symbols(&roots).into_iter().map(|symbol| (symbol, renamed(&mut graph, symbol))).collect();
            all.extend(graph.substitute(&roots, |symbol| symbols.iter().find(|one| one.0 == symbol).map(|one| one.1)));
        }
        // Copies near the tame point, each a little off.
        let near = |list: &[f64]| -> Vec<f64> {
            (0..COPIES).flat_map(|k| list.iter().map(move |x| x * (1.0 + 1e-7 * f64::from(k)))).collect()
        };
        let (q, v) = (near(&point.q), near(&point.v));
        let value = |symbol| match symbol {
            Symbol::Position(i) => q[i as usize],
            Symbol::Velocity(i) => v[i as usize],
            other => point.value(other),
        };
        let expected = graph.evaluate(&all, value);
        let each: Vec<u32> = (0..all.len() as u32).collect();
        let by_copy: Vec<u32> = each.iter().map(|output| output / roots.len() as u32).collect();
        for items in [each, by_copy] {
            let Some(families) = Families::new(&graph, &all, &items) else { continue };
            let fixed = families.fixed(&point.parameters);
            let mut room = families.room();
            let inputs = Inputs { t: point.t, q: &q, v: &v, reaction: &point.reaction, ..Inputs::default() };
            families.evaluate(&fixed, &inputs, &mut room);
            for (found, expected) in room.outputs().iter().zip(&expected) {
                assert!((found - expected).abs() <= 1e-8 * expected.abs(), "seed {seed}: {found} {expected}");
            }
        }
    }
}

/// What many items share is computed once, and what hangs on what was computed just before is no family.
#[test]
fn levels_are_few_or_there_are_no_families() {
    use holonom_symbols::expr::Function;
    let mut graph = Graph::new();
    let angles: Vec<Id> = (0..1000).map(|i| graph.symbol(Symbol::Position(i))).collect();
    let cosines: Vec<Id> = angles.iter().map(|&angle| graph.call(Function::Cos, angle)).collect();
    // A ring, so that every cosine is needed twice.
    let pairs: Vec<Id> = (0..1000).map(|i| graph.multiply(cosines[i], cosines[(i + 1) % 1000])).collect();
    let each: Vec<u32> = (0..1000).collect();
    let families = Families::new(&graph, &pairs, &each).expect("pays");
    assert_eq!((families.levels.len(), families.count()), (2, 2));
    assert_eq!(families.operations(), 2);
    let mut partial = vec![cosines[0]];
    for &cosine in &cosines[1..] {
        let last = partial[partial.len() - 1];
        let sum = graph.sum(&[(Number::ONE, last), (Number::integer(2), cosine)]);
        partial.push(graph.call(Function::Sin, sum));
    }
    assert!(Families::new(&graph, &partial, &each).is_none());
}
