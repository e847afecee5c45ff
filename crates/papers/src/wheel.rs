//! Udwadia & Phohomsiri 2006, examples 1 and 2: a wheel, and a wheel with a virtual particle.

use crate::claim::{Quantity as Q, claim};
use crate::entry::{Check, Entry, List, Paper};
use crate::scene::Scene;

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = wheel();
    all.extend(particle());
    all
}

fn wheel() -> Vec<Entry> {
    let list = List(Paper::Singular, "5");
    let on = Scene::Wheel;
    let per_inertia = "1/(m*R^2 + Ic)";
    vec![
        list.example(
            "example-1",
            r"\text{a wheel in the coordinates } \theta, y",
            "one degree of freedom, two coordinates: M is singular, and the motion unique all the same",
            vec![
                claim(on, Q::Acceleration, "m*g*R*sin(alpha); m*g*R^2*sin(alpha)^2").times(per_inertia),
                claim(on, Q::FullRank, "2"),
            ],
        ),
        list.data("5.1", r"T = \tfrac{1}{2} m (R\dot\theta)^2 + \tfrac{1}{2} I_c \dot\theta^2", "its kinetic energy", vec![claim(on, Q::Kinetic, "1/2*m*(R*theta')^2 + 1/2*Ic*theta'^2")]),
        list.data("5.2", r"V = -m g y", "its potential energy", vec![claim(on, Q::Potential, "-m*g*y")]),
        list.example("5.3", r"(m R^2 + I_c)\,\ddot\theta = 0", "Lagrange's equation for θ", vec![claim(on, Q::FreeEquation(0), "(m*R^2 + Ic)*theta''")]),
        list.example("5.4", r"0\,\ddot y - m g = 0", "Lagrange's equation for y", vec![claim(on, Q::FreeEquation(1), "0*y'' - m*g")]),
        list.example(
            "5.5",
            r"\begin{bmatrix} m R^2 + I_c & 0 \\ 0 & 0 \end{bmatrix} \begin{bmatrix} \ddot\theta \\ \ddot y \end{bmatrix} = \begin{bmatrix} 0 \\ m g \end{bmatrix}",
            "both together",
            vec![
                claim(on, Q::FreeEquation(0), "(m*R^2 + Ic)*theta'' + 0*y'' - 0"),
                claim(on, Q::FreeEquation(1), "0*theta'' + 0*y'' - m*g"),
            ],
        ),
        list.example("5.6", r"M = \begin{bmatrix} m R^2 + I_c & 0 \\ 0 & 0 \end{bmatrix}", "a singular mass matrix", vec![claim(on, Q::Mass, "m*R^2 + Ic, 0; 0, 0")]),
        list.example("5.7", r"Q = \begin{bmatrix} 0 \\ m g \end{bmatrix}", "the weight", vec![claim(on, Q::Force, "0; m*g")]),
        list.data("5.8", r"y = R\,\theta \sin\alpha", "rolling without slipping", vec![claim(on, Q::PositionRows, "y - R*theta*sin(alpha)")]),
        list.example(
            "5.9",
            r"\begin{bmatrix} -R\sin\alpha & 1 \end{bmatrix} \begin{bmatrix} \ddot\theta \\ \ddot y \end{bmatrix} = 0",
            "differentiated twice",
            vec![claim(on, Q::AccelerationRows, "-R*sin(alpha)*theta'' + y''")],
        ),
        list.example("5.10", r"A = \begin{bmatrix} -R\sin\alpha & 1 \end{bmatrix}", "its row", vec![claim(on, Q::Rows, "-R*sin(alpha), 1")]),
        list.example("5.11", r"b = 0", "its right side", vec![claim(on, Q::RightSide, "0")]),
        list.data("5.12", r"C = 0", "the constraint is ideal", vec![claim(on, Q::Work, "0; 0")]),
        list.example(
            "5.13",
            r"A^+ = \frac{1}{1 + R^2\sin^2\alpha} \begin{bmatrix} -R\sin\alpha \\ 1 \end{bmatrix}",
            "the Moore–Penrose inverse of the row",
            vec![claim(on, Q::RowsPlus, "-R*sin(alpha); 1").times("1/(1 + R^2*sin(alpha)^2)")],
        ),
        list.example(
            "5.14",
            r"(I - A^+ A)\,M = \frac{m R^2 + I_c}{1 + R^2\sin^2\alpha} \begin{bmatrix} 1 & 0 \\ R\sin\alpha & 0 \end{bmatrix}",
            "the mass along the constraint",
            vec![claim(on, Q::AlongMass, "1, 0; R*sin(alpha), 0").times("(m*R^2 + Ic)/(1 + R^2*sin(alpha)^2)")],
        ),
        list.example(
            "5.15",
            r"\bar{M} = \begin{bmatrix} \frac{m R^2 + I_c}{1 + R^2\sin^2\alpha} & 0 \\ \frac{(m R^2 + I_c) R\sin\alpha}{1 + R^2\sin^2\alpha} & 0 \\ -R\sin\alpha & 1 \end{bmatrix}",
            "with the row below",
            vec![
                claim(
                    on,
                    Q::Stacked,
                    "(m*R^2 + Ic)/(1 + R^2*sin(alpha)^2), 0; (m*R^2 + Ic)*R*sin(alpha)/(1 + R^2*sin(alpha)^2), 0; -R*sin(alpha), 1",
                ),
                claim(on, Q::FullRank, "2"),
            ],
        ),
        list.example(
            "5.16",
            r"\begin{bmatrix} \ddot\theta \\ \ddot y \end{bmatrix} = \bar{M}^+ \begin{bmatrix} Q \\ b \end{bmatrix} = \frac{1}{m R^2 + I_c} \begin{bmatrix} 1 & R\sin\alpha & 0 \\ R\sin\alpha & R^2\sin^2\alpha & m R^2 + I_c \end{bmatrix} \begin{bmatrix} 0 \\ m g \\ 0 \end{bmatrix}",
            "the motion by (2.15), with the Moore–Penrose inverse of M̄",
            vec![
                claim(on, Q::StackedPlus, "1, R*sin(alpha), 0; R*sin(alpha), R^2*sin(alpha)^2, m*R^2 + Ic").times(per_inertia),
                claim(on, Q::Force, "0; m*g"),
                claim(on, Q::RightSide, "0"),
                claim(on, Q::Acceleration, "R*sin(alpha)*(m*g); R^2*sin(alpha)^2*(m*g)").times(per_inertia),
            ],
        )
        .misprinted(
            r"\frac{1}{m R^2 + I_c} \begin{bmatrix} 1 & R\sin\alpha & 0 \\ R\sin\alpha & R^2\sin^2\alpha & 1 \end{bmatrix}",
            "the last entry must be m R² + I_c; the motion (5.17) is not touched, as b = 0",
        )
        .fails(Check::Example(vec![
            claim(on, Q::StackedPlus, "1, R*sin(alpha), 0; R*sin(alpha), R^2*sin(alpha)^2, 1").times(per_inertia),
        ])),
        list.example(
            "5.17",
            r"\begin{bmatrix} \ddot\theta \\ \ddot y \end{bmatrix} = \frac{1}{m R^2 + I_c} \begin{bmatrix} m g R\sin\alpha \\ m g R^2\sin^2\alpha \end{bmatrix}",
            "the equation of motion of the wheel",
            vec![claim(on, Q::Acceleration, "m*g*R*sin(alpha); m*g*R^2*sin(alpha)^2").times(per_inertia)],
        ),
    ]
}

fn particle() -> Vec<Entry> {
    let list = List(Paper::Singular, "5");
    let on = Scene::VirtualParticle;
    vec![
        list.example(
            "example-2",
            r"\text{the wheel, and a particle } x \text{ without mass}",
            "nothing determines the acceleration of x, and the rest does not care",
            vec![
                claim(on, Q::FullRank, "2"),
                claim(on, Q::FreeDirections, "0; 0; 1"),
                claim(on, Q::Expression("theta''"), "m*g*R*sin(alpha)/(m*R^2 + Ic)"),
            ],
        ),
        list.example("5.18", r"M = \begin{bmatrix} m R^2 + I_c & 0 & 0 \\ 0 & 0 & 0 \\ 0 & 0 & 0 \end{bmatrix}", "the masses", vec![claim(on, Q::Mass, "m*R^2 + Ic, 0, 0; 0, 0, 0; 0, 0, 0")]),
        list.example("5.19", r"A = \begin{bmatrix} -R\sin\alpha & 1 & 0 \end{bmatrix}", "the row", vec![claim(on, Q::Rows, "-R*sin(alpha), 1, 0")]),
        list.example("5.20", r"Q = \begin{bmatrix} 0 \\ m g \\ 0 \end{bmatrix}", "the forces", vec![claim(on, Q::Force, "0; m*g; 0")]),
        list.example(
            "5.21",
            r"\begin{bmatrix} m R^2 + I_c & 0 & 0 \\ 0 & 0 & 0 \\ 0 & 0 & 0 \end{bmatrix} \begin{bmatrix} \ddot\theta \\ \ddot y \\ \ddot x \end{bmatrix} = \begin{bmatrix} 0 \\ m g \\ 0 \end{bmatrix}",
            "the motion without constraint: no force acts on what has no mass",
            vec![
                claim(on, Q::FreeEquation(0), "(m*R^2 + Ic)*theta''"),
                claim(on, Q::FreeEquation(1), "0*y'' - m*g"),
                claim(on, Q::FreeEquation(2), "0"),
            ],
        ),
        list.example(
            "5.22",
            r"\bar{M} = \begin{bmatrix} (m R^2 + I_c)/(1 + R^2\sin^2\alpha) & 0 & 0 \\ (m R^2 + I_c) R\sin\alpha/(1 + R^2\sin^2\alpha) & 0 & 0 \\ 0 & 0 & 0 \\ -R\sin\alpha & 1 & 0 \end{bmatrix}",
            "x is a column of zeros",
            vec![
                claim(
                    on,
                    Q::Stacked,
                    "(m*R^2 + Ic)/(1 + R^2*sin(alpha)^2), 0, 0; (m*R^2 + Ic)*R*sin(alpha)/(1 + R^2*sin(alpha)^2), 0, 0; 0, 0, 0; -R*sin(alpha), 1, 0",
                ),
                claim(on, Q::RightSide, "0"),
                claim(on, Q::Work, "0; 0; 0"),
            ],
        ),
        list.example(
            "5.23",
            r"\begin{bmatrix} \ddot\theta \\ \ddot y \\ \ddot x \end{bmatrix} = \frac{1}{m R^2 + I_c} \begin{bmatrix} m g R\sin\alpha \\ m g R^2\sin^2\alpha \\ 0 \end{bmatrix} + \begin{bmatrix} 0 \\ 0 \\ \eta \end{bmatrix}",
            "the equation of motion, with what is arbitrary in it",
            vec![
                claim(on, Q::Acceleration, "m*g*R*sin(alpha); m*g*R^2*sin(alpha)^2; 0").times("1/(m*R^2 + Ic)"),
                claim(on, Q::FreeDirections, "0; 0; 1"),
            ],
        ),
    ]
}
