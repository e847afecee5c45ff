"""The principles, written from the papers with NumPy, beside what `check --principles --json` says.

Reads lines {"name", "system", "principles"} and prints one line per model; an entry that differs is an error. With `--spoil` the first
number of every entry is changed in its ninth digit first, and then every entry must be found to differ."""

import json
import sys

import mpmath
import numpy as np
from numpy.linalg import eigh, norm

TOLERANCE = 1e-12
SPOIL = "--spoil" in sys.argv


def root(M):
    w, U = eigh(M)
    return U @ np.diag(np.sqrt(w)) @ U.T, U @ np.diag(1 / np.sqrt(w)) @ U.T


def pseudo(X, rank):
    """The pseudo-inverse, its rank known: what is left of smaller singular values is rounding. With 40 digits where rows differ much in size."""
    if X.size == 0:
        return np.zeros(X.shape[::-1])
    U, s, V = np.linalg.svd(X, full_matrices=False)
    if rank and s[0] > 1e3 * s[rank - 1]:
        with mpmath.workdps(40):
            U, s, V = mpmath.svd_r(mpmath.matrix(X.tolist()))
            inverse = mpmath.diag([1 / s[i] if i < rank else 0 for i in range(len(s))])
            return np.array((V.T * inverse * U.T).tolist(), dtype=float)
    inverse = np.array([1 / x if i < rank else 0.0 for i, x in enumerate(s)])
    return V.T @ np.diag(inverse) @ U.T


class Model:
    def __init__(self, line):
        self.name, self.wrong, self.seen = line["name"], [], []
        system, said = line["system"], line["principles"]
        array = lambda x, shape: np.array(x, dtype=float).reshape(shape)
        n, m = len(system["Q"]), len(system["b"])
        M, Q = array(system["M"], (n, n)), array(system["Q"], n)
        A, b, C = array(system["A"], (m, n)), array(system["b"], m), array(said["C"], n)
        K = said["matrices"]
        I = np.eye(n)
        k = np.linalg.matrix_rank(A / norm(A, axis=1, keepdims=True), 1e-9) if m else 0
        r = np.linalg.matrix_rank(np.vstack([M, A]), 1e-9)
        definite = np.linalg.matrix_rank(M, 1e-11) == n
        A_plus = pseudo(A, k)
        Mbar = np.vstack([(I - A_plus @ A) @ M, A])                           # 2006 (2.13)
        Mbar_plus = pseudo(Mbar, r)
        right = np.concatenate([Q + C, b])
        qdd = Mbar_plus @ right                                               # 2006 (2.14), eta = 0
        K1 = Mbar_plus[:, n:]
        N = Mbar_plus[:, :n]
        self.says("A+", K["A+"], A_plus)
        self.says("A+A", K["A+A"], A_plus @ A)
        self.says("I-A+A", K["I-A+A"], I - A_plus @ A, 1)
        self.says("Mbar", K["Mbar"], Mbar, norm(M))
        self.says("Mbar+", K["Mbar+"], Mbar_plus)
        self.says("N", K["N"], N, norm(Mbar_plus))
        self.says("I-Mbar+Mbar", K["I-Mbar+Mbar"], I - Mbar_plus @ Mbar, 1)
        self.penrose("A+", A, array(K["A+"], (n, m)), "1234")
        self.penrose("Mbar+", array(K["Mbar"], (n + m, n)), array(K["Mbar+"], (n, n + m)), "1234")
        self.says("qdd by 14", said["qdd_by_14"], qdd, norm(Mbar_plus) * norm(right))
        if definite:
            half, inverse = root(M)
            B = A @ inverse                                                   # 2005p (21)
            B_plus = pseudo(B, k)
            a, c = inverse @ inverse @ Q, inverse @ inverse @ C
            e = b - A @ a
            K1 = inverse @ B_plus                                             # 1992, after (5c')
            # 2005p (23) and 2005s (7)
            qdd = a + inverse @ B_plus @ e + inverse @ (I - B_plus @ B) @ inverse @ C
            size = norm(a) + norm(qdd) + norm(c)
            self.says("a", K["a"], a)
            self.says("e", K["e"], e, norm(np.abs(A) @ np.abs(a)) + norm(b))
            self.says("B", K["B"], B)
            self.says("B+", K["B+"], B_plus)
            self.says("K", K["K"], M @ K1, norm(M) * norm(K1))
            self.says("N", K["N"], inverse @ (I - B_plus @ B) @ inverse, norm(inverse) ** 2)   # 2005s (7)
            self.says("da", K["da"], qdd - a, size)                           # 1992 (5c'), and what C adds
            self.says("K1e", said["K1e"], K1 @ e, size)
            self.says("K1e + NC", np.array(said["K1e"]) + said["NC"], qdd - a, size)
            self.says("gauss", said["gauss"], (qdd - a - c) @ M @ (qdd - a - c), norm(M) * size**2)   # 2005p (19)
            self.penrose("B+", array(K["B"], (m, n)), array(K["B+"], (n, m)), "1234")
            self.penrose("B14", array(K["B"], (m, n)), array(K["B14"], (n, m)), "14")
        else:
            size = norm(qdd)
            self.says("gauss", said["gauss"], qdd @ M @ qdd / 2 - (Q + C) @ qdd, abs(qdd @ M @ qdd) + abs((Q + C) @ qdd))
            self.penrose("Mbar14", array(K["Mbar"], (n + m, n)), array(K["Mbar14"], (n, n + m)), "14")
        self.says("K1", K["K1"], K1)
        self.says("qdd", said["qdd"], qdd, size)
        self.says("NC", said["NC"], N @ C, size)
        Qc = M @ qdd - Q                                                      # 2005p (7)
        half = 1 if definite else 0.5
        gauss = lambda x: half * (x @ M @ x - 2 * (Q + C) @ x)
        basis = [np.array(v["v"]) for v in said["displacements"]]
        if len(basis) != n - k or (basis and np.linalg.matrix_rank(np.array(basis)) != n - k):
            self.wrong.append("the displacements are no basis")
        for v, of in zip(basis, said["displacements"]):
            terms = np.abs(v) @ (np.abs(M) @ np.abs(qdd) + np.abs(Q) + np.abs(C)) + norm(v) * norm(M)
            self.says("A v", A @ v, np.zeros(m), norm(A) * norm(v))           # 2005p (8)
            self.says("work", of["work"], v @ Qc, terms)
            self.says("work of C", of["work_of_C"], of["work"], terms)        # 2005p (9)
            self.says("work of Qi", of["work_of_Qi"], 0, terms)               # 2005p (10)
            self.says("slope", of["gauss_slope"], half * 2 * v @ (M @ qdd - Q - C), terms)   # 2005p (13)
            self.says("vMv", of["vMv"], v @ M @ v)                            # 2005p (15)
            gained = gauss(qdd + v) - gauss(qdd)
            self.says("gain", of["gauss_gain"], gained, abs(gained) + terms + np.abs(qdd) @ np.abs(M) @ np.abs(qdd))
        if said["rank_Mhat"] != r:
            self.wrong.append(f"rank {said['rank_Mhat']}, not {r}")

    def says(self, what, said, is_, size=0.0):
        said, is_ = np.array(said, dtype=float).flatten(), np.array(is_, dtype=float).flatten()
        scale = max(norm(is_), size)
        if SPOIL and said.size and scale > 0:
            said[0] += 1e-9 * scale
            self.seen.append(what)
        apart = norm(said - is_) if said.shape == is_.shape else np.inf
        if not apart <= TOLERANCE * scale:
            self.wrong.append(f"{what}: apart by {apart:.1e} of {scale:.1e}")

    def penrose(self, what, X, G, conditions):
        """Penrose's conditions: 1 X G X = X, 2 G X G = G, 3 and 4 that X G and G X are symmetric."""
        XG, GX = X @ G, G @ X
        each = {"1": (XG @ X - X, norm(X)), "2": (GX @ G - G, norm(G)), "3": (XG - XG.T, norm(XG)), "4": (GX - GX.T, norm(GX))}
        for which in conditions:
            left, size = each[which]
            if norm(left) > TOLERANCE * max(size, norm(X) * norm(G) * size, 1e-300):
                self.wrong.append(f"{what}: Penrose's condition {which} misses by {norm(left):.1e}")


bad = 0
for line in sys.stdin:
    model = Model(json.loads(line))
    if SPOIL:
        found = {entry.split(":")[0] for entry in model.wrong}
        missed = [what for what in model.seen if what not in found]
        bad += bool(missed)
        print(model.name, "missed: " + ", ".join(missed) if missed else "every change was found")
    else:
        bad += bool(model.wrong)
        print(model.name, "; ".join(model.wrong) or "agrees")
sys.exit(1 if bad else 0)
