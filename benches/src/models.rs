//! The models that compiled code and motion are measured on, as text.

use holonom::language::from_text;
use holonom::mechanics::derive::{Equations, derive};

/// P6: a planar pendulum of n links, point masses and lengths as parameters, absolute angles, energies written naturally.
pub fn pendulum(n: usize) -> String {
    format!(
        "param      n = {n}, g = 9.81, m[i in 1..n] = 1 + i/10, l[i in 1..n] = 1/(1 + i/10)
coord      theta[1..n]
let        x[0] = 0, x[i in 1..n] = x[i-1] + l[i]*sin(theta[i]),
           y[0] = 0, y[i in 1..n] = y[i-1] - l[i]*cos(theta[i])
kinetic    sum(i in 1..n, m[i]*(x[i]'^2 + y[i]'^2)/2)
potential  sum(i in 1..n, m[i]*g*y[i])
start      theta[i in 1..n] = pi/4
"
    )
}

/// P3: Andrews' squeezing mechanism.
pub const ANDREWS: &str = include_str!("../../gallery/andrews/andrews.holo");

/// P2: four-bars in a row; `N = 10` may be replaced.
pub const N_FOUR_BAR: &str = include_str!("../../gallery/n-four-bar/n-four-bar.holo");

/// P7: the pendulum in Cartesian coordinates.
pub const PENDULUM: &str = include_str!("../../gallery/pendulum/pendulum.holo");

/// P1: the chain of ten masses.
pub const CHAIN: &str = include_str!("../../gallery/chain/chain.holo");

/// P1: a chain of n links without anything that is expected or drawn.
pub fn chain(n: usize) -> String {
    let is_law = |line: &&str| !line.starts_with("expect") && !line.starts_with("draw");
    let text: Vec<&str> = CHAIN.lines().filter(is_law).collect();
    text.join("\n").replace("N = 10,", &format!("N = {n},")) + "\n"
}

/// P2: n four-bars in a row, likewise.
pub fn four_bars(n: usize) -> String {
    let is_law = |line: &&str| !line.starts_with("expect") && !line.starts_with("draw");
    let text: Vec<&str> = N_FOUR_BAR.lines().filter(is_law).collect();
    text.join("\n").replace("N = 10,", &format!("N = {n},")) + "\n"
}

/// The equations of a model that is known to be good.
pub fn equations(text: &str) -> Equations {
    let loaded = from_text("model.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    derive(model).unwrap_or_else(|errors| panic!("{errors:?}")).value
}

/// A double pendulum in Cartesian coordinates.
pub const CARTESIAN_DOUBLE_PENDULUM: &str = "title      Double pendulum
param      m1 = 1, m2 = 2, L1 = 1, L2 = 0.7, g = 9.81
coord      x1, y1, x2, y2
particle   p: m1 at (x1, y1)
particle   q: m2 at (x2, y2)
gravity    (0, -g)
constraint upper: x1^2 + y1^2 = L1^2
constraint lower: (x2 - x1)^2 + (y2 - y1)^2 = L2^2
start      x1 = 0.6, y1 ~ -0.8, x2 = 1, y2 ~ -1.4
";

/// n coordinates with masses of their own and m quadratic constraints with random coefficients, through the origin so that there is a start.
pub fn quadrics(n: usize, m: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |many: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % many
    };
    let names: Vec<String> = (1..=n).map(|i| format!("x{i}")).collect();
    let mut text = format!("coord      {}\n", names.join(", "));
    for name in &names {
        text += &format!("kinetic    {}*{name}'^2/2\n", next(5) + 1);
        text += &format!("force      {name}: {}\n", next(9) + 1);
    }
    for row in 1..=m {
        let mut terms: Vec<String> = Vec::new();
        for (i, a) in names.iter().enumerate() {
            terms.push(format!("{}*{a}", next(9) + 1));
            for b in &names[i..] {
                if next(2) == 0 {
                    terms.push(format!("{}*{a}*{b}", next(9) + 1));
                }
            }
        }
        text += &format!("constraint c{row}: {} = 0\n", terms.join(" + "));
    }
    text + &format!("start      {}\n", names.iter().map(|name| format!("{name} ~ 0.01")).collect::<Vec<_>>().join(", "))
}
