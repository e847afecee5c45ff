//! The models that compiled code and motion are measured on, as text.

use holonom::derive::{Equations, derive};
use holonom::model::from_text;

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

/// The equations of a model that is known to be good.
pub fn equations(text: &str) -> Equations {
    let loaded = from_text("model.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let derived = derive(model);
    derived.equations.unwrap_or_else(|| panic!("{:?}", derived.diagnostics))
}
