//! Large systems in motion, through the sparse kernel: the laws that hold for small ones.

use holonom::language::from_text;
use holonom::mechanics::compile::CompiledSystem;
use holonom::mechanics::derive::derive;
use holonom::simulate::integrate::{End, Field, Outcome, Plan, RecordedRows, Run, plan};

fn planned(text: &str, until: f64) -> Plan {
    let loaded = from_text("large.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let equations = derive(model).expect("a good model").value;
    let options = Run { until: Some(until), every: Some(until), ..Run::default() };
    plan(&CompiledSystem::new(equations), &options).unwrap_or_else(|errors| panic!("{errors:?}")).value
}

fn run(plan: &Plan) -> (Outcome, Vec<f64>) {
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
    (outcome, trajectory.rows.pop().unwrap_or_default())
}

/// The chain of P1, with more lines for some of its variants.
fn chain(links: usize, more: &str) -> String {
    format!(
        "param N = {links}, l = 1/N, g = 9.81\nparticle p[1..N]: 1 in plane\nlet p[0] = (0, 0)\ngravity (0, -g)\n\
         constraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2\n\
         start p[i in 1..N] = i*l*(sin(pi/4), -cos(pi/4))\n{more}"
    )
}

#[test]
fn a_chain_of_a_hundred_links_comes_to_where_it_is_known_to() {
    let plan = planned(&chain(100, ""), 0.3);
    let (outcome, row) = run(&plan);
    let evidence = outcome.evidence;
    assert!(evidence.position_residual < 1e-12 && evidence.velocity_residual < 1e-12, "{evidence:?}");
    assert!(evidence.energy_imbalance < 1e-9 * evidence.energy_scale.max(1.0), "{evidence:?}");
    // Whatever the number of links, the same with every rod given twice.
    let twice = "constraint again[i in 1..N]: 3*dot(p[i] - p[i-1], p[i] - p[i-1]) = 3*l^2\n";
    let other = planned(&chain(100, twice), 0.3);
    let (redundant, same) = run(&other);
    for name in ["p[100].x", "p[100].y", "p[37].x", "p[37].y'"] {
        let at = |plan: &Plan, row: &[f64]| row[plan.column(name).expect(name)];
        let apart = (at(&plan, &row) - at(&other, &same)).abs();
        assert!(apart < 1e-8, "{name} {apart:e}");
    }
    // Rows of different length share the load by their squares, as multipliers of least norm do: λ + 3 λ' is that of the rod alone.
    let of = |plan: &Plan, row: &[f64], name: &str| row[plan.column(name).expect(name)];
    let alone = of(&plan, &row, "multiplier.rod[50]");
    let both = (of(&other, &same, "multiplier.rod[50]"), of(&other, &same, "multiplier.again[50]"));
    assert!((both.0 + 3.0 * both.1 - alone).abs() < 1e-6 * alone.abs(), "{alone} {both:?}");
    assert!((both.1 - 3.0 * both.0).abs() < 1e-6 * alone.abs(), "{both:?}");
    assert_eq!(redundant.ranks, []);
}

/// A link without mass in the middle, which stays in line with the next: the two act as one rod, whatever the kernel.
#[test]
fn chains_with_massless_links_move() {
    for links in [8, 90] {
        let text = "param N = 90, k = 4, l = 1/N, g = 9.81, m[i in 1..N] = if(i == k, 0, 1)\nparticle p[i in 1..N]: m[i] in plane\n\
            let p[0] = (0, 0)\ngravity (0, -g)\n\
            constraint rod[i in 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2\n\
            constraint line: (p[k] - p[k-1]).x*(p[k+1] - p[k]).y = (p[k] - p[k-1]).y*(p[k+1] - p[k]).x\n\
            start p[i in 1..N] = i*l*(sin(pi/4), -cos(pi/4))\n";
        let plan = planned(&text.replace("N = 90", &format!("N = {links}")), 0.05);
        let (outcome, _) = run(&plan);
        let evidence = outcome.evidence;
        assert!(evidence.position_residual < 1e-11, "{evidence:?}");
        assert!(evidence.energy_imbalance < 1e-9 * evidence.energy_scale.max(1.0), "{evidence:?}");
        assert!(outcome.statistics.steps < 200, "{:?}", outcome.statistics);
    }
}

#[test]
fn four_bars_in_a_row_lose_rank_and_keep_their_branch() {
    let text = include_str!("../../../gallery/n-four-bar/n-four-bar.holo").replace("N = 10", "N = 60");
    let plan = planned(&text, 1.0);
    let (outcome, row) = run(&plan);
    assert_eq!(outcome.ranks.len(), 1, "{:?}", outcome.ranks);
    let loss = &outcome.ranks[0];
    assert_eq!((loss.rank, loss.rank_there), (121, 61));
    assert_eq!(loss.rows.len(), 121);
    let at = |name: String| row[plan.column(&name).expect("a column")];
    for i in 1..=60 {
        let apart = (at(format!("x[{i}]")) - f64::from(i) - at("x[0]".into())).abs();
        assert!(apart < 1e-9, "{i} {apart:e}");
    }
}

/// Holonomic rows, rows of velocities and a row that is off, beside each other; an impact on the way.
#[test]
fn kinds_of_rows_and_events_go_together() {
    let more = "constraint wheel: p[N].x' = p[N].y'*0.25 + 0.1*sin(3*t)\nconstraint floor: p[20].y = -0.3, off\n\
        event hit: p[20].y < -0.205 -> impact floor, restitution = 0.5\nevent late: t > 0.03 -> set g = 5\n";
    let plan = planned(&chain(70, more), 0.045);
    let mut trajectory = RecordedRows::default();
    let outcome = plan.run(&mut trajectory);
    assert_eq!(outcome.end, End::Finished, "{:?}", outcome.diagnostics);
    assert!(!outcome.events.is_empty());
    assert!(outcome.evidence.position_residual < 1e-11, "{:?}", outcome.evidence);
    assert!(outcome.evidence.velocity_residual < 1e-11, "{:?}", outcome.evidence);
}

/// A q̈ = b and M q̈ = Q + Aᵀλ at a state of a long chain, in time that grows with its length alone.
#[test]
fn accelerations_of_a_long_chain_obey_its_equations() {
    let links = 2_000;
    let plan = planned(&chain(links, ""), 1.0);
    let start = plan.start();
    let mut field = plan.field();
    let mut rate = start.clone();
    assert!(field.rate(0.0, &start, &mut rate).is_ok());
    // A straight chain at rest falls like a rigid body would, and every rod turns alike: q̈ = −g sin 45° across it.
    let across = -9.81 * 0.5;
    for i in 0..links {
        let found = &rate[2 * links + 2 * i..][..2];
        // Only the component across the rods is left of gravity.
        assert!((found[0] - across).abs() < 1e-6 && (found[1] - across).abs() < 1e-6, "{i} {found:?}");
    }
    let system: &CompiledSystem = plan.system();
    assert_eq!(system.coordinates(), 2 * links);
}

/// What needs full matrices says so before it takes the memory.
#[test]
fn what_stays_small_is_refused_by_name() {
    let loaded = from_text("large.holo", &chain(1_001, "run until 1, method = stiff\n"));
    let equations = derive(loaded.model.expect("a good model")).expect("a good model").value;
    let refused = plan(&CompiledSystem::new(equations), &Run::default()).err().expect("too large for a stiff method");
    let message = refused.iter().find(|message| message.code == "run-setting").expect("a message");
    assert!(message.message.contains("2002"), "{message:?}");
}
