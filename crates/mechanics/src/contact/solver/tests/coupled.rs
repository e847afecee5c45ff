//! Loads that are strongly coupled by their own friction.

use crate::contact::solver::{Friction, Load, Member, Problem, Verdict, solve};

/// Three contacts that slide and hold both ways. Of the eight combinations of signs exactly one fits, by elimination in fractions.
#[test]
fn three_loads_with_one_solution() {
    let m = [
        [13.0, 4.0, 4.0, -2.0, -6.0, 4.0],
        [4.0, 13.0, 4.0, 5.0, 0.0, 10.0],
        [4.0, 4.0, 7.0, -2.0, -1.0, 4.0],
        [-2.0, 5.0, -2.0, 8.0, -1.0, 3.0],
        [-6.0, 0.0, -1.0, -1.0, 15.0, 2.0],
        [4.0, 10.0, 4.0, 3.0, 2.0, 10.0],
    ];
    let q = [4.0, -9.0, -8.0, -1.0, 5.0, 5.0];
    let (mu, along) = ([2.0, 1.0, 0.5], [-1.0, 1.0, -1.0]);
    let inverse = inverse([3, 4, 5].map(|i| [m[i][3], m[i][4], m[i][5]]));
    let times = |a: &[f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let column = |k: usize| [inverse[0][k], inverse[1][k], inverse[2][k]];
    let mut problem = Problem { unknowns: 3, ..Problem::default() };
    for l in 0..3 {
        let slope = [m[l][3], m[l][4], m[l][5]];
        let rest: [f64; 3] = std::array::from_fn(|i| times(&inverse[i], [q[3], q[4], q[5]]));
        problem.motion.push(rest[l]);
        problem.motion_size.push(10.0);
        problem.response.extend(inverse[l]);
        problem.load.push(times(&slope, rest) - q[l]);
        problem.load_size.push(10.0);
        problem.load_response.extend((0..3).map(|k| times(&slope, column(k))));
        problem.members.push(Member::Friction(Friction {
            at: l,
            components: 1,
            load: Load::Magnitude(l..l + 1),
            sliding: Some([along[l], 0.0, 0.0]),
            constant: 0.0,
            coefficient: mu[l],
            limit_constant: 0.0,
            limit: mu[l],
        }));
    }
    let Verdict::One(answer) = solve(&problem) else { panic!("{:?}", solve(&problem)) };
    for (found, exact) in answer.normals.iter().zip([5021.0 / 753.0, 37009.0 / 1506.0, 2949.0 / 251.0]) {
        assert!((found - exact).abs() < 1e-9, "{answer:?}");
    }
}

fn inverse(a: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |i: usize, j: usize| {
        let (r, s, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        a[r][c] * a[s][d] - a[r][d] * a[s][c]
    };
    let whole: f64 = (0..3).map(|j| a[0][j] * minor(0, j)).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i) / whole))
}
