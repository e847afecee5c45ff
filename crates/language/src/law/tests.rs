//! The list of laws, and what elaboration makes of each.

use super::{Kind, LAWS, called, listed, names};
use holonom_symbols::expr::{Depends, Graph, Symbol};

#[test]
fn every_law_is_written_as_it_is_called() {
    for law in LAWS {
        assert_eq!(LAWS.iter().filter(|other| other.name == law.name).count(), 1, "{}", law.name);
        assert!((1..=law.parameters.len()).contains(&law.required), "{}", law.name);
        assert!(law.order.is_none_or(|order| order.iter().all(|&place| place < law.parameters.len())), "{}", law.name);
        assert!(law.forms.iter().all(|form| listed().contains(form)), "{}", law.name);
        if law.is_called() {
            let opening = format!("`{}(", law.name);
            assert!(law.forms.iter().all(|form| form.starts_with(&opening)), "{}", law.name);
            assert_eq!(called(law.name).map(|found| found.name), Some(law.name));
        }
    }
    assert!(called("columb").is_none() && called("a table").is_none());
    assert_eq!(names().collect::<Vec<_>>(), ["coulomb", "viscous", "quadratic", "stribeck", "law"]);
}

/// A law speaks of its own contact alone, and its limit of no slip.
#[test]
fn expressions_are_those_of_one_contact() {
    for law in LAWS {
        for count in law.required..=law.parameters.len() {
            let mut graph = Graph::new();
            let (slip, normal) = (graph.symbol(Symbol::Slip(7)), graph.symbol(Symbol::Normal(7)));
            let arguments: Vec<_> = (0..count)
                .map(|place| match law.parameters[place].kind {
                    Kind::Force => graph.add(slip, normal),
                    _ => graph.symbol(Symbol::Parameter(place as u32)),
                })
                .collect();
            let made = law.with(&mut graph, 7, &arguments);
            assert_eq!((made.name, &made.arguments), (law.name, &arguments));
            assert!(graph.depends(made.sliding).on(Depends::CONTACT), "{}", law.name);
            let own = [Symbol::Slip(7), Symbol::Normal(7)];
            let mut symbols = graph.symbols(&[made.sliding]);
            symbols.extend(made.limit.iter().flat_map(|&limit| graph.symbols(&[limit])));
            assert!(symbols.iter().all(|one| own.contains(one) || matches!(one, Symbol::Parameter(_))), "{}", law.name);
            let slips = made.limit.is_some_and(|limit| graph.symbols(&[limit]).contains(&own[0]));
            assert!(!slips, "{}", law.name);
        }
    }
}
