"""Accelerations of many states of one four-bar (P5) by heyoka's compiled batch function, on one core.

The four-bar in Cartesian coordinates (x0, y0, x1, y1) with the same M, Q, A and b, solved as Udwadia and Kalaba do:
W = A M^-1 A^T, W l = b - A a, acceleration = a + M^-1 A^T l, written out as expressions. Called with the number of states, it
builds the function, then answers every line it reads with the best seconds of some calls over them, so that a benchmark can
take turns with it. The first line it prints is the largest error.
"""

import sys
import time

import heyoka as hy
import numpy as np

count = int(sys.argv[1])
hy.set_nthreads(1)  # it would use all cores
g = 9.81
x0, y0, x1, y1, u0, w0, u1, w1 = state = hy.make_vars("x0", "y0", "x1", "y1", "u0", "w0", "u1", "w1")
# M couples x0 with x1 and y0 with y1: [2/3 1/6; 1/6 2/3].
p, o = np.linalg.inv(np.array([[2 / 3, 1 / 6], [1 / 6, 2 / 3]]))[0]
near, far = float(p), float(o)
down = -g * (near + far)  # M^-1 Q: the same for both ends
ax, ay, bx, by, dx, dy = x0, y0, x1 - 1.0, y1, x1 - x0, y1 - y0
# W, by rows: crank 0, crank 1, coupler (-d, d).
w00, w11 = near * (ax * ax + ay * ay), near * (bx * bx + by * by)
w01 = far * (ax * bx + ay * by)
w02, w12 = (far - near) * (ax * dx + ay * dy), (near - far) * (bx * dx + by * dy)
w22 = 2.0 * (near - far) * (dx * dx + dy * dy)
e0, e1 = -(u0 * u0 + w0 * w0) - ay * down, -(u1 * u1 + w1 * w1) - by * down
e2 = -((u1 - u0) * (u1 - u0) + (w1 - w0) * (w1 - w0))
# W = L D L^T
r0 = 1.0 / w00
l10, l20 = w01 * r0, w02 * r0
r1 = 1.0 / (w11 - l10 * w01)
t = w12 - l20 * w01
l21 = t * r1
r2 = 1.0 / (w22 - l20 * w02 - l21 * t)
f1 = e1 - l10 * e0
k2 = (e2 - l20 * e0 - l21 * f1) * r2
k1 = f1 * r1 - l21 * k2
k0 = e0 * r0 - l10 * k1 - l20 * k2
fx0, fy0, fx1, fy1 = ax * k0 - dx * k2, ay * k0 - dy * k2, bx * k1 + dx * k2, by * k1 + dy * k2
outputs = [near * fx0 + far * fx1, near * fy0 + far * fy1 + down, far * fx0 + near * fx1, far * fy0 + near * fy1 + down]
function = hy.cfunc(outputs, vars=list(state))

random = np.random.default_rng(5)
angle, rate = random.uniform(-1.2, 1.2, count), random.uniform(-3, 3, count)
s, c = np.sin(angle), np.cos(angle)
inputs = np.ascontiguousarray([s, c, s + 1, c, rate * c, -rate * s, rate * c, -rate * s])
found = np.zeros((4, count))
function(inputs, outputs=found)
alpha = 1.2 * g * s
exact = np.array([alpha * c - rate**2 * s, -alpha * s - rate**2 * c] * 2)
print(np.max(np.abs(found - exact)), flush=True)
for line in sys.stdin:
    calls = max(1, int(line))
    best = float("inf")
    for _ in range(calls):
        start = time.perf_counter()
        function(inputs, outputs=found)
        best = min(best, time.perf_counter() - start)
    print(best, flush=True)
