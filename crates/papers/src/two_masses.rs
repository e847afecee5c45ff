//! Udwadia & Phohomsiri 2006, example 3: two masses in parts, and what happens where one of them is missing.

use crate::claim::{Quantity as Q, claim};
use crate::entry::{Check, Entry, List, Paper};
use crate::scene::Scene;

/// What becomes of the bars.
const BARS: &str = "the coordinates are x̄₁, q₁, q̄₂; x̄₁ and q̄₂ differ from x₁ and q₂ by lengths at rest, so that second \
                    derivatives with and without a bar are the same";

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = two_masses();
    all.extend(massless_first());
    all.extend(massless_second());
    all
}

fn two_masses() -> Vec<Entry> {
    let list = List(Paper::Singular, "5");
    let on = Scene::TwoMasses;
    let masses = "one.m, 0, 0; 0, two.m, two.m; 0, two.m, two.m";
    let forces = "-one.k*(one.x - one.l0); 0; -two.k*(two.q2 - two.l0)";
    let stacked = "one.m/2, two.m/2, two.m/2; one.m/2, two.m/2, two.m/2; 0, two.m, two.m; 1, -1, 0";
    let motion = "(-one.k*(one.x - one.l0) + two.k*(two.q2 - two.l0))/one.m;
                  (-one.k*(one.x - one.l0) + two.k*(two.q2 - two.l0))/one.m;
                  -(-one.k*(one.x - one.l0) + two.k*(two.q2 - two.l0))/one.m - two.k*(two.q2 - two.l0)/two.m";
    vec![
        list.example(
            "example-3",
            r"\text{two masses in the coordinates } \bar{x}_1, q_1, \bar{q}_2",
            "a system taken apart and joined again by a constraint",
            vec![claim(on, Q::PositionRows, "one.x + one.d - two.q1"), claim(on, Q::FullRank, "3"), claim(on, Q::Acceleration, motion)],
        ),
        list.data(
            "5.24",
            r"T = T_1 + T_2 = \tfrac{1}{2} m_1 \dot{x}_1^2 + \tfrac{1}{2} m_2 (\dot{q}_1 + \dot{q}_2)^2",
            "the kinetic energy of the parts",
            vec![claim(on, Q::Kinetic, "1/2*one.m*one.x'^2 + 1/2*two.m*(two.q1' + two.q2')^2")],
        ),
        list.data(
            "5.25",
            r"V = V_1 + V_2 = \tfrac{1}{2} k_1 (x_1 - l_{10})^2 + \tfrac{1}{2} k_2 (q_2 - l_{20})^2",
            "the potential energy of the parts",
            vec![claim(on, Q::Potential, "1/2*one.k*(one.x - one.l0)^2 + 1/2*two.k*(two.q2 - two.l0)^2")],
        ),
        list.example(
            "5.26",
            r"T = \tfrac{1}{2} m_1 \dot{\bar{x}}_1^2 + \tfrac{1}{2} m_2 (\dot{q}_1 + \dot{\bar{q}}_2)^2",
            "the same with x̄₁ = x₁ − l₁₀ and q̄₂ = q₂ − l₂₀",
            vec![claim(on, Q::Kinetic, "1/2*one.m*((one.x - one.l0)')^2 + 1/2*two.m*(two.q1' + (two.q2 - two.l0)')^2")],
        ),
        list.example(
            "5.27",
            r"V = \tfrac{1}{2} k_1 \bar{x}_1^2 + \tfrac{1}{2} k_2 \bar{q}_2^2",
            "the same with the extensions",
            vec![claim(on, Q::Potential, "1/2*one.k*(one.x - one.l0)^2 + 1/2*two.k*(two.q2 - two.l0)^2")],
        ),
        list.example("5.28", r"m_1 \ddot{\bar{x}}_1 + k_1 \bar{x}_1 = 0", "Lagrange's equation for x̄₁", vec![claim(on, Q::FreeEquation(0), "one.m*one.x'' + one.k*(one.x - one.l0)")]),
        list.example("5.29", r"m_2 \ddot{q}_1 + m_2 \ddot{\bar{q}}_2 = 0", "Lagrange's equation for q₁", vec![claim(on, Q::FreeEquation(1), "two.m*two.q1'' + two.m*two.q2''")]),
        list.example(
            "5.30",
            r"m_2 \ddot{q}_1 + m_2 \ddot{\bar{q}}_2 + k_2 \bar{q}_2 = 0",
            "Lagrange's equation for q̄₂",
            vec![claim(on, Q::FreeEquation(2), "two.m*two.q1'' + two.m*two.q2'' + two.k*(two.q2 - two.l0)")],
        ),
        list.example(
            "5.31",
            r"\begin{bmatrix} m_1 & 0 & 0 \\ 0 & m_2 & m_2 \\ 0 & m_2 & m_2 \end{bmatrix} \begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = \begin{bmatrix} -k_1 \bar{x}_1 \\ 0 \\ -k_2 \bar{q}_2 \end{bmatrix}",
            "all three together",
            vec![
                claim(on, Q::Mass, masses),
                claim(on, Q::Force, forces),
                claim(on, Q::FreeEquation(0), "one.m*(one.x - one.l0)'' + one.k*(one.x - one.l0)"),
                claim(on, Q::FreeEquation(1), "two.m*two.q1'' + two.m*(two.q2 - two.l0)''"),
                claim(on, Q::FreeEquation(2), "two.m*two.q1'' + two.m*(two.q2 - two.l0)'' + two.k*(two.q2 - two.l0)"),
            ],
        )
        .remarked(r"\ddot{x}_1, \; \ddot{q}_1, \; \ddot{q}_2", BARS),
        list.example(
            "5.32",
            r"\begin{bmatrix} 1 & -1 & 0 \end{bmatrix} \begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = 0",
            "the connection q₁ = x₁ + d, differentiated twice",
            vec![
                claim(on, Q::PositionRows, "one.x + one.d - two.q1"),
                claim(on, Q::PositionRows, "(one.x - one.l0) + one.l0 + one.d - two.q1"),
                claim(on, Q::AccelerationRows, "one.x'' - two.q1''"),
                claim(on, Q::AccelerationRows, "(one.x - one.l0)'' - two.q1''"),
            ],
        )
        .remarked(r"\ddot{x}_1, \; \ddot{q}_1, \; \ddot{q}_2", BARS),
        list.example("5.33", r"M = \begin{bmatrix} m_1 & 0 & 0 \\ 0 & m_2 & m_2 \\ 0 & m_2 & m_2 \end{bmatrix}", "a singular mass matrix", vec![claim(on, Q::Mass, masses)]),
        list.example("5.34", r"Q = \begin{bmatrix} -k_1 \bar{x}_1 \\ 0 \\ -k_2 \bar{q}_2 \end{bmatrix}", "the springs", vec![claim(on, Q::Force, forces)]),
        list.example("5.35", r"A = \begin{bmatrix} 1 & -1 & 0 \end{bmatrix}", "the connection", vec![claim(on, Q::Rows, "1, -1, 0")]),
        list.example("5.36", r"b = 0", "its right side", vec![claim(on, Q::RightSide, "0")]),
        list.example("5.37", r"A^+ = \frac{1}{2} \begin{bmatrix} 1 \\ -1 \\ 0 \end{bmatrix}", "its Moore–Penrose inverse", vec![claim(on, Q::RowsPlus, "1; -1; 0").times("1/2")]),
        list.example(
            "5.38",
            r"\bar{M} = \begin{bmatrix} m_1/2 & m_2/2 & m_2/2 \\ m_1/2 & m_2/2 & m_2/2 \\ 0 & m_2 & m_2 \\ 1 & -1 & 0 \end{bmatrix}",
            "Newton's law along the connection, and the connection",
            vec![claim(on, Q::Stacked, stacked)],
        ),
        list.example(
            "case-5.1",
            r"m_1, m_2 > 0",
            "M is singular, [M; A] is not: the motion is unique",
            vec![claim(on, Q::FullRank, "3"), claim(on, Q::Expression("one.x'' - two.q1''"), "0")],
        ),
        list.example(
            "5.39",
            r"\begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = \begin{bmatrix} (-k_1 \bar{x}_1 + k_2 \bar{q}_2)/m_1 \\ (-k_1 \bar{x}_1 + k_2 \bar{q}_2)/m_1 \\ -(-k_1 \bar{x}_1 + k_2 \bar{q}_2)/m_1 - k_2 \bar{q}_2/m_2 \end{bmatrix}",
            "the equation of motion of the two masses",
            vec![
                claim(on, Q::Stacked, stacked),
                claim(on, Q::Acceleration, motion),
                // The same without taking it apart: x₂ = q₁ + q₂.
                claim(on, Q::Expression("two.q1'' + two.q2''"), "-two.k*(two.q2 - two.l0)/two.m"),
            ],
        ),
    ]
}

fn massless_first() -> Vec<Entry> {
    let list = List(Paper::Singular, "5");
    let on = Scene::MasslessFirst;
    let motion = "-k1*k2^2*(x1 + q2); -k1*k2^2*(x1 + q2); -k1^2*k2*(x1 + q2)";
    let per = "1/(m2*(k1 + k2)^2)";
    let rows = "1, -1, 0; k1, 0, -k2";
    vec![
        list.example(
            "case-5.2",
            r"m_1 = 0, \; m_2 > 0",
            "without mass in between, M̄ lacks rank: an equation is missing, and the program finds it",
            vec![
                claim(Scene::MasslessFirstOpen, Q::FullRank, "2"),
                claim(Scene::MasslessFirstFound, Q::FullRank, "3"),
                claim(Scene::MasslessFirstFound, Q::Acceleration, motion).times(per),
            ],
        ),
        list.example(
            "5.40",
            r"k_1 \bar{x}_1 = k_2 \bar{q}_2",
            "the missing equation: the springs balance each other",
            vec![
                claim(Scene::MasslessFirstFound, Q::HiddenRow, "k1, 0, -k2, k1*x1 - k2*q2"),
                claim(on, Q::PositionRows, "x1 + l - q1; k1*x1 - k2*q2"),
            ],
        ),
        list.example(
            "5.41",
            r"\begin{bmatrix} 1 & -1 & 0 \\ k_1 & 0 & -k_2 \end{bmatrix} \begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = \begin{bmatrix} 0 \\ 0 \end{bmatrix}",
            "both constraints, differentiated twice",
            vec![claim(on, Q::AccelerationRows, "x1'' - q1''; k1*x1'' - k2*q2''")],
        ),
        list.example("5.42", r"A = \begin{bmatrix} 1 & -1 & 0 \\ k_1 & 0 & -k_2 \end{bmatrix}", "their rows", vec![claim(on, Q::Rows, rows)]),
        list.example("5.43", r"b = \begin{bmatrix} 0 \\ 0 \end{bmatrix}", "their right sides", vec![claim(on, Q::RightSide, "0; 0")]),
        list.example(
            "5.44",
            r"A^+ = A^T (A A^T)^{-1} = \frac{1}{k_1^2 + 2 k_2^2} \begin{bmatrix} k_2^2 & k_1 \\ -(k_1^2 + k_2^2) & k_1 \\ k_1 k_2 & -2 k_2 \end{bmatrix}",
            "the Moore–Penrose inverse",
            vec![claim(on, Q::RowsPlus, "k2^2, k1; -(k1^2 + k2^2), k1; k1*k2, -2*k2").times("1/(k1^2 + 2*k2^2)")],
        ),
        list.example(
            "5.45",
            r"\bar{M} = \begin{bmatrix} 0 & m_2 k_2 (k_1 + k_2)/(k_1^2 + 2 k_2^2) & m_2 k_2 (k_1 + k_2)/(k_1^2 + 2 k_2^2) \\ 0 & m_2 k_2 (k_1 + k_2)/(k_1^2 + 2 k_2^2) & m_2 k_2 (k_1 + k_2)/(k_1^2 + 2 k_2^2) \\ 0 & m_2 k_1 (k_1 + k_2)/(k_1^2 + 2 k_2^2) & m_2 k_1 (k_1 + k_2)/(k_1^2 + 2 k_2^2) \\ 1 & -1 & 0 \\ k_1 & 0 & -k_2 \end{bmatrix}",
            "with the extra row, M̄ has full rank",
            vec![
                claim(
                    on,
                    Q::Stacked,
                    "0, m2*k2*(k1 + k2)/(k1^2 + 2*k2^2), m2*k2*(k1 + k2)/(k1^2 + 2*k2^2);
                     0, m2*k2*(k1 + k2)/(k1^2 + 2*k2^2), m2*k2*(k1 + k2)/(k1^2 + 2*k2^2);
                     0, m2*k1*(k1 + k2)/(k1^2 + 2*k2^2), m2*k1*(k1 + k2)/(k1^2 + 2*k2^2);
                     1, -1, 0; k1, 0, -k2",
                ),
                claim(on, Q::FullRank, "3"),
            ],
        ),
        list.example(
            "5.46",
            r"\hat{M} = \begin{bmatrix} 0 & 0 & 0 \\ 0 & m_2 & m_2 \\ 0 & m_2 & m_2 \\ 1 & -1 & 0 \\ k_1 & 0 & -k_2 \end{bmatrix}",
            "which is easier to see here",
            vec![claim(on, Q::Full, "0, 0, 0; 0, m2, m2; 0, m2, m2; 1, -1, 0; k1, 0, -k2"), claim(on, Q::FullRank, "3")],
        ),
        list.example(
            "5.47",
            r"\begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = \frac{1}{m_2 (k_1 + k_2)^2} \begin{bmatrix} -k_1 k_2^2 (\bar{x}_1 + \bar{q}_2) \\ -k_1 k_2^2 (\bar{x}_1 + \bar{q}_2) \\ -k_1^2 k_2 (\bar{x}_1 + \bar{q}_2) \end{bmatrix}",
            "the equation of motion with a massless joint",
            vec![claim(on, Q::Acceleration, motion).times(per)],
        )
        .remarked(r"\ddot{x}_1, \; \ddot{q}_1, \; \ddot{q}_2", BARS),
        list.example(
            "5.48",
            r"\ddot{x}_2 = \ddot{q}_1 + \ddot{\bar{q}}_2 = -\frac{1}{m_2} \frac{k_1 k_2}{k_1 + k_2} (\bar{x}_1 + \bar{q}_2)",
            "the mass m₂ on two springs in series",
            vec![
                claim(on, Q::Expression("q1'' + q2''"), "-1/m2*k1*k2/(k1 + k2)*(x1 + q2)"),
                claim(on, Q::Expression("x1''"), "k2/k1*q2''"),
            ],
        )
        .misprinted(
            r"\ddot{x}_2 = \frac{1}{m_2} \frac{k_1 k_2}{k_1 + k_2} (\bar{x}_1 + \bar{q}_2)",
            "the minus sign of (5.47) is lost: springs that are stretched would push",
        )
        .fails(Check::Example(vec![claim(on, Q::Expression("q1'' + q2''"), "1/m2*k1*k2/(k1 + k2)*(x1 + q2)")])),
    ]
}

fn massless_second() -> Vec<Entry> {
    let list = List(Paper::Singular, "5");
    let on = Scene::MasslessSecond;
    vec![
        list.example(
            "case-5.3",
            r"m_1 > 0, \; m_2 = 0",
            "a spring with nothing at its end: again an equation is missing, and the program finds it",
            vec![
                claim(Scene::MasslessSecondOpen, Q::FullRank, "2"),
                claim(Scene::MasslessSecondFound, Q::FullRank, "3"),
                claim(Scene::MasslessSecondFound, Q::Acceleration, "-k1*x1/m1; -k1*x1/m1; 0"),
            ],
        ),
        list.example(
            "5.49",
            r"k_2 \bar{q}_2 = 0",
            "the missing equation: no force in the second spring",
            vec![
                claim(Scene::MasslessSecondFound, Q::HiddenRow, "0, 0, k2, k2*q2"),
                claim(on, Q::PositionRows, "x1 + l - q1; k2*q2"),
            ],
        ),
        list.example(
            "5.50",
            r"\begin{bmatrix} 1 & -1 & 0 \\ 0 & 0 & k_2 \end{bmatrix} \begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = \begin{bmatrix} 0 \\ 0 \end{bmatrix}",
            "both constraints, differentiated twice",
            vec![claim(on, Q::AccelerationRows, "x1'' - q1''; k2*q2''")],
        )
        .remarked(
            r"\ddot{\bar{x}}_1, \; \ddot{\bar{q}}_1, \; \ddot{\bar{q}}_2",
            "q₁ has a bar here and nowhere else; second derivatives with and without one are the same",
        ),
        list.example("5.51", r"A = \begin{bmatrix} 1 & -1 & 0 \\ 0 & 0 & k_2 \end{bmatrix}", "their rows", vec![claim(on, Q::Rows, "1, -1, 0; 0, 0, k2")]),
        list.example("5.52", r"b = \begin{bmatrix} 0 \\ 0 \end{bmatrix}", "their right sides", vec![claim(on, Q::RightSide, "0; 0")]),
        list.example(
            "5.53",
            r"A^+ = \begin{bmatrix} 1/2 & 0 \\ -1/2 & 0 \\ 0 & 1/k_2 \end{bmatrix}",
            "the Moore–Penrose inverse",
            vec![claim(on, Q::RowsPlus, "1/2, 0; -1/2, 0; 0, 1/k2")],
        ),
        list.example(
            "5.54",
            r"\bar{M} = \begin{bmatrix} m_1/2 & 0 & 0 \\ m_1/2 & 0 & 0 \\ 0 & 0 & 0 \\ 1 & -1 & 0 \\ 0 & 0 & k_2 \end{bmatrix}",
            "M̄ with the extra row",
            vec![claim(on, Q::Stacked, "m1/2, 0, 0; m1/2, 0, 0; 0, 0, 0; 1, -1, 0; 0, 0, k2")],
        ),
        list.example(
            "5.55",
            r"\hat{M} = \begin{bmatrix} m_1 & 0 & 0 \\ 0 & 0 & 0 \\ 0 & 0 & 0 \\ 1 & -1 & 0 \\ 0 & 0 & k_2 \end{bmatrix}",
            "both have full rank",
            vec![claim(on, Q::Full, "m1, 0, 0; 0, 0, 0; 0, 0, 0; 1, -1, 0; 0, 0, k2"), claim(on, Q::FullRank, "3")],
        ),
        list.example(
            "5.56",
            r"\begin{bmatrix} \ddot{\bar{x}}_1 \\ \ddot{q}_1 \\ \ddot{\bar{q}}_2 \end{bmatrix} = \begin{bmatrix} 1/m_1 & 1/m_1 & 0 & 0 & 0 \\ 1/m_1 & 1/m_1 & 0 & -1 & 0 \\ 0 & 0 & 0 & 0 & 1/k_2 \end{bmatrix} \begin{bmatrix} Q \\ b \end{bmatrix} = \begin{bmatrix} -k_1 \bar{x}_1/m_1 \\ -k_1 \bar{x}_1/m_1 \\ 0 \end{bmatrix}",
            "the equation of motion with nothing at the end",
            vec![
                claim(on, Q::StackedPlus, "1/m1, 1/m1, 0, 0, 0; 1/m1, 1/m1, 0, -1, 0; 0, 0, 0, 0, 1/k2"),
                claim(on, Q::Acceleration, "-k1*x1/m1; -k1*x1/m1; 0"),
            ],
        ),
    ]
}
