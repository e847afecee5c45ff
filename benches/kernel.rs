//! `cargo bench -p holonom-benches --bench kernel`: the kernel beside its peers, as ratios.

use holonom::{Snapshot, Workspace};
use holonom_benches::{bare::Bare, kkt, literal, systems::System, timing};
use std::hint::black_box;
use std::time::Duration;

fn main() {
    println!("Time per solve. The kernel returns the full result without the audit: q̈, both forces, multipliers,");
    println!("reactions, ranks with gaps, verdicts, residuals, Gauss's function. Ratios are to the kernel.\n");
    println!("|  n |  m | kernel | held rank | bare Cholesky + QR | literal (26) | literal (2.15) | KKT by LU |");
    println!("|---:|---:|-------:|----------:|-------------------:|-------------:|---------------:|----------:|");
    for (n, m) in [(4, 2), (10, 6), (30, 20), (100, 60), (300, 180)] {
        let s = System::random(n, m);
        let snapshot = Snapshot::new(&s.M, &s.Q).constrained(&s.A, &s.b).nonideal(&s.C);
        let (mut workspace, mut held_workspace, mut bare) = (Workspace::new(), Workspace::new(), Bare::new(n, m));
        workspace.solve(&snapshot).expect("a good system");
        let held = workspace.structure();
        agree(&s, &mut workspace, &mut bare);

        let times = timing::best(
            &mut [
                &mut || drop(black_box(workspace.solve(black_box(&snapshot)))),
                &mut || drop(black_box(held_workspace.solve_held(black_box(&snapshot), &held))),
                &mut || bare.solve(black_box(&s)),
                &mut || drop(black_box(literal::definite(black_box(&s)))),
                &mut || drop(black_box(literal::general(black_box(&s)))),
                &mut || drop(black_box(kkt::solve(black_box(&s)))),
            ],
            Duration::from_secs(12),
        );
        let ratio = |i: usize| times[i] / times[0];
        println!(
            "| {n:2} | {m:2} | {:6.2} µs | {:.2} | {:.2} | {:.1} | {:.1} | {:.2} |",
            times[0] * 1e6,
            ratio(1),
            ratio(2),
            ratio(3),
            ratio(4),
            ratio(5)
        );
    }
}

/// All contenders solve the same problem: a fast wrong answer is no contender.
fn agree(s: &System, workspace: &mut Workspace, bare: &mut Bare) {
    let snapshot = Snapshot::new(&s.M, &s.Q).constrained(&s.A, &s.b).nonideal(&s.C);
    let motion = workspace.solve(&snapshot).expect("a good system");
    assert_eq!(motion.refinements, 0, "a well-conditioned system needs no refinement");
    bare.solve(s);
    let (by_26, by_215, by_kkt) = (literal::definite(s).0, literal::general(s), kkt::solve(s));
    for j in 0..s.n {
        let expected = motion.acceleration[j];
        for other in [bare.qdd[j], by_26[(j, 0)], by_215[(j, 0)], by_kkt[(j, 0)]] {
            assert!((other - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{other} is not {expected}");
        }
    }
}
