//! Udwadia & Kalaba 1992: ideal constraints, M > 0, by Gauss's principle.

use crate::differentiate::Level;
use crate::entry::{Entry, List, Paper};
use crate::numbers::{Mat, dot, form, plus, size};
use crate::systems::On::Ideal;
use holonom_reference::is_definite;

pub(crate) fn entries() -> Vec<Entry> {
    let list = List(Paper::Perspective, "");
    vec![
        list.given("1", r"M\,\ddot{q} = Q", "the motion without constraints; M is symmetric and positive definite", Ideal, |s, l| {
            l.equal(&s.M.transpose(), &s.M);
            l.holds(is_definite(&s.M));
            l.forces(s, &(&s.M * &s.a), &s.Q);
        }),
        list.definition("2", r"a = M^{-1} Q", "the acceleration that the system would have without constraints", Ideal, |s, l| {
            l.equal(&s.a, &(&s.inverse * &s.Q));
            l.equal(&s.a, &s.unconstrained(&s.Q));
        }),
        list.differentiation(
            "3",
            r"A\,\ddot{q} = b",
            "constraints of every kind, differentiated, are linear in the acceleration; rows may repeat",
            Level::EveryKind,
        ),
        list.law("4", r"M\,\ddot{q} = Q + Q^c", "the force of constraint is what Newton's law lacks", Ideal, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.Qc));
            l.accelerations(s, &(&s.A * &s.qdd), &s.b);
        }),
        list.law("5a", r"M\,\ddot{q} = Q + K\,(b - A M^{-1} Q)", "the equation of motion, outright", Ideal, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.K * (&s.b - &s.A * &s.inverse * &s.Q)));
        }),
        list.law("5a'", r"M\,\ddot{q} = Q + K\,(b - A a)", "the same with the free acceleration", Ideal, |s, l| {
            l.forces(s, &(&s.M * &s.qdd), &(&s.Q + &s.K * (&s.b - &s.A * &s.a)));
        }),
        list.definition("K", r"K = M^{1/2} (A M^{-1/2})^+", "from what a constraint lacks to the force that makes up for it", Ideal, |s, l| {
            l.equal(&s.K, &(&s.root * plus(&(&s.A * &s.inverse_root))));
            l.penrose(&(&s.A * &s.inverse_root), &(&s.inverse_root * &s.K));
        }),
        list.law("5b", r"Q^c = K\,(b - A M^{-1} Q)", "the force of constraint, outright", Ideal, |s, l| {
            l.forces(s, &s.Qc, &(&s.K * (&s.b - &s.A * &s.inverse * &s.Q)));
        }),
        list.law("5c", r"\ddot{q} - a = M^{-1} K\,(b - A a)", "by how much the constraints change the acceleration", Ideal, |s, l| {
            l.accelerations(s, &(&s.qdd - &s.a), &(&s.inverse * &s.K * (&s.b - &s.A * &s.a)));
        }),
        list.law("5c'", r"\Delta a = K_1 e, \quad e = b - A a", "the change is proportional to the error of the free acceleration", Ideal, |s, l| {
            let e = &s.b - &s.A * &s.a;
            l.accelerations(s, &(&s.qdd - &s.a), &(&s.K1 * e));
        }),
        list.definition(
            "K1",
            r"K_1 = M^{-1} K = M^{-1/2} (A M^{-1/2})^+",
            "the weighted Moore–Penrose inverse of the constraint matrix",
            Ideal,
            |s, l| {
                l.equal(&s.K1, &(&s.inverse * &s.K));
                l.equal(&s.K1, &(&s.inverse_root * plus(&(&s.A * &s.inverse_root))));
                l.equal(&s.K1, &s.Mbar_plus.columns(s.n()..s.n() + s.m()));
            },
        ),
        list.law(
            "principle",
            r"\Delta a = K_1 e \quad \text{for every } e",
            "twice the error, twice the change; no error, no change",
            Ideal,
            |s, l| {
                // b that a meets already: nothing changes. Twice the error: twice the change.
                let met = &s.A * &s.a;
                l.accelerations(s, &s.again(&s.Q, &met, &s.C).qdd, &s.a);
                let twice = &s.b + &s.b - met;
                let change = &s.qdd - &s.a;
                l.accelerations(s, &(s.again(&s.Q, &twice, &s.C).qdd - &s.a), &(&change + &change));
            },
        ),
        list.law(
            "6",
            r"\mathcal{G} = (\ddot{q} - a)^T M\,(\ddot{q} - a) \to \min, \quad A\,\ddot{q} = b",
            "Gauss: no possible acceleration deviates less from the free one",
            Ideal,
            |s, l| {
                l.accelerations(s, &(&s.A * &s.qdd), &s.b);
                let least = s.gauss(&s.qdd);
                for possible in s.possible_accelerations().iter().skip(1) {
                    l.not_less(&s.gauss(possible), &least);
                    let moved = possible - &s.qdd;
                    // The minimum is one: the slope along every virtual displacement is zero.
                    let slope = form(&moved, &s.M, &(&s.qdd - &s.a));
                    l.vanishes(&slope, size(&(&s.M * &moved)) * size(&s.a).max(size(&s.qdd)));
                }
            },
        ),
        list.law(
            "7",
            r"\ddot{r} = (A M^{-1/2})^+ b + R y, \quad \ddot{r} = M^{1/2}\ddot{q}, \quad R = I - (A M^{-1/2})^+ A M^{-1/2}",
            "whatever y is, this satisfies the constraints, and every possible acceleration is of this form",
            Ideal,
            |s, l| {
                let r = &s.B_plus * &s.b + s.R() * s.any('y', s.n());
                l.accelerations(s, &(&s.B * r), &s.b);
                for possible in s.possible_accelerations() {
                    let r = &s.root * possible; // reached with y = itself
                    l.beside(&(&s.B_plus * &s.b + s.R() * &r), &r, size(&(&s.root * &s.a)));
                }
            },
        ),
        list.law(
            "8",
            r"\mathcal{G} = d^T d, \quad d = \ddot{r} - M^{1/2} a = R y - \{M^{1/2} a - (A M^{-1/2})^+ b\}",
            "Gauss's function as the square of a plain length",
            Ideal,
            |s, l| {
                let y = s.any('y', s.n());
                let r = &s.B_plus * &s.b + s.R() * &y;
                let (left, right) = (&r - &s.root * &s.a, s.R() * &y - (&s.root * &s.a - &s.B_plus * &s.b));
                l.beside(&left, &right, size(&(&s.root * &s.a)));
                // The motion is reached with y = r̈, as (7) has it.
                let moving = &s.root * &s.qdd;
                let (there, target) = (&moving - &s.root * &s.a, &s.root * &s.a - &s.B_plus * &s.b);
                l.beside(&there, &(s.R() * &moving - target), size(&(&s.root * &s.a)));
                let deviation = &s.inverse_root * &r - &s.a;
                l.equal(&form(&deviation, &s.M, &deviation), &dot(&right, &right));
            },
        ),
        list.law(
            "9",
            r"y = R\,\{M^{1/2} a - (A M^{-1/2})^+ b\} + (A M^{-1/2})^+ (A M^{-1/2})\,z",
            "every y that makes it least leads to one motion",
            Ideal,
            |s, l| {
                let BB = &s.B_plus * &s.B;
                l.beside(&s.R().transpose(), &s.R(), 1.0);
                l.beside(&(s.R() * s.R()), &s.R(), 1.0); // so that R⁺ = R
                l.vanishes(&(s.R() * &BB), 1.0);
                let target = &s.root * &s.a - &s.B_plus * &s.b;
                let y = s.R() * &target + BB * s.any('z', s.n());
                // No other y makes G of (8) less.
                let G = |y: &Mat| dot(&(s.R() * y - &target), &(s.R() * y - &target));
                l.not_less(&G(&s.any('y', s.n())), &G(&y));
                l.not_less(&G(&(&y + s.any('d', s.n()))), &G(&y));
                let r = &s.B_plus * &s.b + s.R() * y;
                l.accelerations(s, &(&s.inverse_root * r), &s.qdd);
            },
        ),
    ]
}
