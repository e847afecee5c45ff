//! Elimination in the field: pendulums of several links, in angles.

use super::bench::Bench;
use holonom_symbols::algebra::{Budget, Ratio};

/// `M q̈ = Q` of a chain of n links, θᵢ from the vertical.
fn chain(n: usize) -> (Bench, Vec<Vec<Ratio>>, Vec<Ratio>) {
    let numbered = |letter: char| (1..=n).map(|i| format!("{letter}{i} ")).collect::<String>();
    let mut bench = Bench::new(&format!("{}{}g", numbered('m'), numbered('l')), &numbered('t')).positive();
    let below = |i: usize| (i..=n).map(|k| format!("m{k}")).collect::<Vec<_>>().join(" + ");
    let (mut mass, mut force) = (Vec::new(), Vec::new());
    for i in 1..=n {
        let row = (1..=n).map(|j| format!("({})*l{i}*l{j}*cos(t{i} - t{j})", below(i.max(j))));
        mass.push(row.map(|entry| bench.read(&entry)).collect());
        let mut sum = format!("-g*({})*l{i}*sin(t{i})", below(i));
        for j in (1..=n).filter(|&j| j != i) {
            sum += &format!(" - ({})*l{i}*l{j}*t{j}'^2*sin(t{i} - t{j})", below(i.max(j)));
        }
        force.push(bench.read(&sum));
    }
    (bench, mass, force)
}

/// The determinant by minors of the first row.
fn determinant(bench: &Bench, rows: &[Vec<Ratio>], budget: &Budget) -> Ratio {
    if rows.is_empty() {
        return Ratio::one();
    }
    let field = &bench.field;
    let mut sum = Ratio::zero();
    for column in 0..rows.len() {
        let without = |row: &Vec<Ratio>| [&row[..column], &row[column + 1..]].concat();
        let minor: Vec<Vec<Ratio>> = rows[1..].iter().map(without).collect();
        let part = field.multiply(&rows[0][column], &determinant(bench, &minor, budget), budget).unwrap();
        sum =
            if column % 2 == 0 { field.add(&sum, &part, budget) } else { field.subtract(&sum, &part, budget) }.unwrap();
    }
    sum
}

/// By Cramer's rule numerator and denominator have a factor in common that only the relations show.
#[test]
fn three_links_have_short_formulas() {
    let (mut bench, mass, force) = chain(3);
    let budget = Budget::new(1 << 32);
    let below = determinant(&bench, &mass, &budget);
    let written = bench.written(&below).0;
    assert_eq!(written, "m3*l1^2*l2^2*l3^2*(m2*(m2 + m3)*sin(t1 - t2)^2 + m1*m3*sin(t2 - t3)^2 + m1*m2)");
    for (column, most) in [(0, 110), (1, 135), (2, 85)] {
        let mut rows = mass.clone();
        for (row, value) in rows.iter_mut().zip(&force) {
            row[column] = value.clone();
        }
        let above = determinant(&bench, &rows, &budget);
        let acceleration = bench.field.divide(&above, &below, &budget).unwrap();
        let (text, nodes) = bench.written(&acceleration);
        assert!(nodes <= most, "{nodes} nodes: {text}");
    }
}

/// Each equation of a chain in the form in which one writes it down.
#[test]
fn four_links_are_written_plainly() {
    let (mut bench, mass, force) = chain(4);
    assert_eq!(bench.written(&mass[0][3]).0, "m4*l1*l4*cos(t1 - t4)");
    let expected = "m4*l4*(l1*t1'^2*sin(t1 - t4) + l2*t2'^2*sin(t2 - t4) + l3*t3'^2*sin(t3 - t4) - g*sin(t4))";
    assert_eq!(bench.written(&force[3]).0, expected);
}
