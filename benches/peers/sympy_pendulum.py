"""M and Q of a planar pendulum of n links by the symbolic package, from its energies, with `simplify` put in order: prints the seconds it takes."""

import sys
import time

import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

n = int(sys.argv[1])
start = time.perf_counter()
theta = dynamicsymbols(f"theta1:{n + 1}")
m, l = sp.symbols(f"m1:{n + 1}"), sp.symbols(f"l1:{n + 1}")
g, t = sp.symbols("g"), dynamicsymbols._t
x = y = sp.Integer(0)
T = V = sp.Integer(0)
for i in range(n):
    x, y = x + l[i] * sp.sin(theta[i]), y - l[i] * sp.cos(theta[i])
    T += m[i] * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2
    V += m[i] * g * y
method = LagrangesMethod(T - V, theta)
method.form_lagranges_equations()
M, Q = method.mass_matrix, method.forcing
if sys.argv[2:] == ["simplify"]:
    M.simplify(), Q.simplify()
print(time.perf_counter() - start)
