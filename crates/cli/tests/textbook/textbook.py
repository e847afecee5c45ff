"""The formulas of `holonom explain` beside those of textbooks: shown equal by SymPy, on the constraints.

Every expression is made rational first: a circle by its half angle, a sine and a cosine by theirs. What is left over a common
denominator must be zero, term by term.

    python textbook.py FOLDER

FOLDER has `pendulum.py` and its like, as `holonom explain --as sympy --only acceleration` writes them.
"""

import runpy
import sys
from pathlib import Path

import sympy as sp

FOLDER = Path(sys.argv[1])


class Model:
    """A formula with plain symbols: `x`, `x_dot`, and parameters by name."""

    def __init__(self, name):
        made = runpy.run_path(str(FOLDER / f"{name}.py"))
        self.name = name
        self.count = 0
        plain = {}
        for q, v in zip(made["q"], made["v"]):
            plain[v] = sp.Symbol(f"{q.func}_dot", real=True)
        for q in made["q"]:
            plain[q] = sp.Symbol(str(q.func), real=True)
        # Velocities first: they contain the coordinates.
        velocities = {v: plain[v] for v in made["v"]}
        positions = {q: plain[q] for q in made["q"]}
        self.acceleration = {
            str(q.func): a.xreplace(velocities).xreplace(positions) for q, a in zip(made["q"], made["acceleration"])
        }
        self.symbols = {str(s): s for s in [*plain.values(), *made["p"]]}

    def __getitem__(self, name):
        return self.symbols[name]

    def vanish(self, what, *expressions, where=None):
        """Expressions that are zero, with symbols replaced and all angles rational."""
        for expression in expressions:
            left = rational(sp.sympify(expression).subs(where or {}, simultaneous=True))
            assert left == 0, f"{self.name}, {what}: {left} is left"
            self.count += 1

    def done(self):
        print(f"{self.name}: {self.count} equalities")


def rational(expression):
    """An expression over one denominator; sines, cosines and tangents by half angles, roots by symbols with known squares."""
    expression = sp.expand_trig(expression)
    angles = {of.args[0] for of in expression.atoms(sp.sin, sp.cos, sp.tan)}
    for angle in angles:
        u = sp.Dummy("u")
        sine, cosine = 2 * u / (1 + u**2), (1 - u**2) / (1 + u**2)
        expression = expression.subs({sp.sin(angle): sine, sp.cos(angle): cosine, sp.tan(angle): sine / cosine})
    roots = {}
    for root in [power for power in expression.atoms(sp.Pow) if power.exp.is_Rational and power.exp.q == 2]:
        symbol = roots.setdefault(root.base, sp.Dummy("w"))
        expression = expression.subs(root, symbol ** (2 * root.exp))
    numerator = sp.fraction(sp.together(expression))[0]
    numerator = sp.expand(numerator)
    for base, symbol in roots.items():
        numerator = sp.rem(numerator, sp.expand(symbol**2 - base), symbol)
    return sp.expand(numerator)


def circle(x, y, radius, name):
    """A point of a circle, and its velocity."""
    u, w = sp.symbols(f"u_{name} w_{name}")
    cosine, sine = (1 - u**2) / (1 + u**2), 2 * u / (1 + u**2)
    return (radius * cosine, radius * sine), (-w * radius * sine, w * radius * cosine)


def pendulum():
    m = Model("pendulum")
    x, y, xd, yd, L, g = (m[s] for s in ["bob_x", "bob_y", "bob_x_dot", "bob_y_dot", "L", "g"])
    (px, py), (vx, vy) = circle(x, y, L, "bob")
    on = {x: px, y: py, xd: vx, yd: vy}
    tension = (xd**2 + yd**2 - g * y) / L**2
    m.vanish("x''", m.acceleration["bob_x"] + tension * x, where=on)
    m.vanish("y''", m.acceleration["bob_y"] + tension * y + g, where=on)
    m.done()


def spherical_pendulum():
    m = Model("spherical_pendulum")
    theta, phi_dot, theta_dot, L, g = (m[s] for s in ["theta", "phi_dot", "theta_dot", "L", "g"])
    m.vanish("theta''", m.acceleration["theta"] - (phi_dot**2 * sp.sin(theta) * sp.cos(theta) - g / L * sp.sin(theta)))
    m.vanish("phi''", m.acceleration["phi"] + 2 * theta_dot * phi_dot * sp.cos(theta) / sp.sin(theta))
    m.done()


def double_pendulum():
    """Newton's law: what is left beside gravity is along the rods, which keep their lengths."""
    m = Model("double_pendulum")
    names = ["a_x", "a_y", "b_x", "b_y", "a_x_dot", "a_y_dot", "b_x_dot", "b_y_dot", "m1", "m2", "L1", "L2", "g"]
    ax, ay, bx, by, axd, ayd, bxd, byd, m1, m2, L1, L2, g = (m[s] for s in names)
    (px, py), (vx, vy) = circle(ax, ay, L1, "a")
    (dx, dy), (wx, wy) = circle(bx, by, L2, "b")
    on = {ax: px, ay: py, axd: vx, ayd: vy, bx: px + dx, by: py + dy, bxd: vx + wx, byd: vy + wy}
    axx, ayy, bxx, byy = (m.acceleration[s] for s in ["a_x", "a_y", "b_x", "b_y"])
    lower = (m2 * bxx, m2 * (byy + g))
    both = (m1 * axx + lower[0], m1 * (ayy + g) + lower[1])
    m.vanish("lower rod", lower[0] * (by - ay) - lower[1] * (bx - ax), where=on)
    m.vanish("upper rod", both[0] * ay - both[1] * ax, where=on)
    m.vanish("length", ax * axx + ay * ayy + axd**2 + ayd**2, where=on)
    speed = (bxd - axd) ** 2 + (byd - ayd) ** 2
    m.vanish("length", (bx - ax) * (bxx - axx) + (by - ay) * (byy - ayy) + speed, where=on)
    m.done()


def lagrange(m, coordinates, kinetic, potential, extra):
    """M q'' + (rest) − forces of Lagrange's equations, as expressions of the accelerations found."""
    q = [m[c] for c in coordinates]
    v = [m[f"{c}_dot"] for c in coordinates]
    a = [m.acceleration[c] for c in coordinates]
    lines = []
    for i in range(len(q)):
        momentum = sp.diff(kinetic, v[i])
        rate = sum(sp.diff(momentum, q[j]) * v[j] + sp.diff(momentum, v[j]) * a[j] for j in range(len(q)))
        lines.append(rate - sp.diff(kinetic, q[i]) + sp.diff(potential, q[i]) - extra.get(coordinates[i], 0))
    return lines


def second(m, coordinates, expression):
    """The second derivative of an expression of the coordinates."""
    q = [m[c] for c in coordinates]
    v = [m[f"{c}_dot"] for c in coordinates]
    a = [m.acceleration[c] for c in coordinates]
    first = sum(sp.diff(expression, q[i]) * v[i] for i in range(len(q)))
    return sum(sp.diff(first, q[i]) * v[i] + sp.diff(first, v[i]) * a[i] for i in range(len(q)))


def loop(m, coordinates, kinetic, potential, extra, constraints):
    """The loop stays closed, and what is left of Lagrange's equations does no work in the motion that it allows."""
    for constraint in constraints:
        m.vanish("loop", second(m, coordinates, constraint))
    lines = lagrange(m, coordinates, kinetic, potential, extra)
    slopes = sp.Matrix([[sp.diff(c, m[q]) for q in coordinates] for c in constraints])
    # One direction is free: the cross product of the two rows.
    free = slopes[0, :].cross(slopes[1, :])
    m.vanish("work", sum(free[i] * lines[i] for i in range(3)))
    m.done()


def four_bar():
    m = Model("four_bar")
    a, b, c, l1, l2, l3, base, rho, g = (m[s] for s in ["a", "b", "c", "l1", "l2", "l3", "base", "rho", "g"])
    ad, bd, cd = (m[s] for s in ["a_dot", "b_dot", "c_dot"])
    # Bars: crank and rocker turn about their ends, the coupler also moves with the crank's.
    kinetic = rho * (l1**3 * ad**2 + l3**3 * cd**2) / 6
    kinetic += rho * l2 * (l1**2 * ad**2 + l1 * l2 * ad * bd * sp.cos(a - b) + l2**2 * bd**2 / 3) / 2
    potential = rho * g * (l1**2 / 2 + l1 * l2) * sp.sin(a) + rho * g * (l2**2 * sp.sin(b) + l3**2 * sp.sin(c)) / 2
    closed = [l1 * f(a) + l2 * f(b) - l3 * f(c) - d for f, d in [(sp.cos, base), (sp.sin, 0)]]
    loop(m, ["a", "b", "c"], kinetic, potential, {}, closed)


def slider_crank():
    m = Model("slider_crank")
    a, b, x, r, l, Jc, mass, M, tau = (m[s] for s in ["a", "b", "x", "r", "l", "Jc", "m", "M", "tau"])
    ad, bd, xd = (m[s] for s in ["a_dot", "b_dot", "x_dot"])
    rod = r**2 * ad**2 + r * l * ad * bd * (sp.sin(a) * sp.sin(b) - sp.cos(a) * sp.cos(b)) + l**2 * bd**2 / 4
    kinetic = Jc * ad**2 / 2 + mass * rod / 2 + mass * l**2 * bd**2 / 24 + M * xd**2 / 2
    closed = [r * sp.cos(a) + l * sp.cos(b) - x, r * sp.sin(a) - l * sp.sin(b)]
    loop(m, ["a", "b", "x"], kinetic, sp.Integer(0), {"a": tau}, closed)


def wheel():
    m = Model("wheel")
    mass, R, Ic, alpha, g = (m[s] for s in ["m", "R", "Ic", "alpha", "g"])
    turn = mass * g * R * sp.sin(alpha) / (mass * R**2 + Ic)
    m.vanish("theta''", m.acceleration["theta"] - turn)
    m.vanish("y''", m.acceleration["y"] - R * sp.sin(alpha) * turn)
    m.done()


def appell():
    m = Model("appell")
    names = ["x_dot", "y_dot", "z_dot", "Fx", "Fy", "Fz", "alpha", "a0"]
    xd, yd, zd, Fx, Fy, Fz, alpha, a0 = (m[s] for s in names)
    u = sp.sqrt(xd**2 + yd**2 + zd**2)
    k = (2 * alpha - xd * Fx - yd * Fy + zd * Fz) / u**2
    m.vanish("x''", m.acceleration["x"] - (Fx + k * xd - 2 * a0 * xd * zd**2 / u))
    m.vanish("y''", m.acceleration["y"] - (Fy + k * yd - 2 * a0 * yd * zd**2 / u))
    m.vanish("z''", m.acceleration["z"] - (Fz - k * zd - 2 * a0 * zd * (xd**2 + yd**2) / u))
    m.done()


def rolling_disc():
    """Euler's equations in the frame that leans and heads with the disc, and rolling."""
    m = Model("rolling_disc")
    names = ["psi", "theta", "phi", "psi_dot", "theta_dot", "phi_dot", "m", "R", "g", "A", "C"]
    psi, theta, phi, psid, thetad, phid, mass, R, g, A, C = (m[s] for s in names)
    w1, w2, w3 = thetad, psid * sp.sin(theta), psid * sp.cos(theta) + phid
    angles = ["psi", "theta", "phi"]

    def rate(expression):
        q = [m[c] for c in angles]
        v = [m[f"{c}_dot"] for c in angles]
        a = [m.acceleration[c] for c in angles]
        return sum(sp.diff(expression, q[i]) * v[i] + sp.diff(expression, v[i]) * a[i] for i in range(3))

    lean = A * w2 * psid * sp.cos(theta) - (C + mass * R**2) * w3 * w2 - mass * g * R * sp.cos(theta)
    m.vanish("lean", (A + mass * R**2) * rate(w1) - lean)
    m.vanish("spin", (C + mass * R**2) * rate(w3) - mass * R**2 * w1 * w2)
    m.vanish("heading", A * rate(w2) - (C * w3 * w1 - A * psid * sp.cos(theta) * w1))
    m.vanish("height", m.acceleration["z"] - rate(R * thetad * sp.cos(theta)))
    e1 = sp.Matrix([sp.cos(psi), sp.sin(psi), 0])
    e2 = sp.Matrix([-sp.sin(psi) * sp.cos(theta), sp.cos(psi) * sp.cos(theta), sp.sin(theta)])
    rolled = R * (w1 * e1 + w2 * e2 + w3 * e1.cross(e2)).cross(e2)
    m.vanish("rolling", m.acceleration["x"] - rate(rolled[0]), m.acceleration["y"] - rate(rolled[1]))
    m.done()


for check in [pendulum, spherical_pendulum, double_pendulum, four_bar, slider_crank, wheel, appell, rolling_disc]:
    check()
