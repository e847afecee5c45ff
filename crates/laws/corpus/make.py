"""Hard cases for the kernel (M, Q, A, b, C) -> motion, with exact answers.

    python make.py            writes hard.jsonl beside this file and prints the count of each family

Needs python-flint (rational matrices). Every answer is computed in exact rational arithmetic from
the numbers in the file (or, where "rounded" is true, from the rationals they were rounded from),
proved against its laws by assertions, and only then rounded, once, to the nearest f64.
No floating-point solver is involved, and nothing here shares code with the kernel it tests.
"""
import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path

from flint import fmpq, fmpq_mat

U = 2.0 ** -53


# ---------------------------------------------------------------- rational matrices

def q(x):
    """int, float (taken as exact), Fraction or fmpq to fmpq."""
    if isinstance(x, fmpq):
        return x
    if isinstance(x, float):
        return fmpq(*x.as_integer_ratio())
    if isinstance(x, Fraction):
        return fmpq(x.numerator, x.denominator)
    return fmpq(x)


def mat(rows, ncols=None):
    rows = [[q(x) for x in r] for r in rows]
    n = len(rows[0]) if rows else ncols
    return fmpq_mat(len(rows), n, [x for r in rows for x in r])


def col(v):
    return mat([[x] for x in v], 1)


def rows_of(X):
    return [[X[i, j] for j in range(X.ncols())] for i in range(X.nrows())]


def flat(X):
    return [X[i, 0] for i in range(X.nrows())]


def zeros(m, n):
    return fmpq_mat(m, n)


def eye(n):
    return mat([[int(i == j) for j in range(n)] for i in range(n)], n)


def vstack(X, Y):
    return mat(rows_of(X) + rows_of(Y), X.ncols())


def take_rows(X, idx):
    return mat([[X[i, j] for j in range(X.ncols())] for i in idx], X.ncols())


def take_cols(X, idx):
    return mat([[X[i, j] for j in idx] for i in range(X.nrows())], len(idx))


def rref(X):
    """Reduced echelon form: (nonzero rows, their pivot columns)."""
    if X.nrows() == 0 or X.ncols() == 0:
        return zeros(0, X.ncols()), []
    R, k = X.rref()
    pivots, j = [], 0
    for i in range(k):
        while R[i, j] == 0:
            j += 1
        pivots.append(j)
    return take_rows(R, range(k)), pivots


def rank(X):
    return len(rref(X)[1])


def nullspace(X):
    """Rational basis of N(X), as columns."""
    n = X.ncols()
    R, piv = rref(X)
    free = [j for j in range(n) if j not in piv]
    W = zeros(n, len(free))
    for c, j in enumerate(free):
        W[j, c] = fmpq(1)
        for i, p in enumerate(piv):
            W[p, c] = -R[i, j]
    return W


def pinv(X):
    """Moore-Penrose inverse by the full-rank factorisation X = F G: no square root is needed."""
    G, piv = rref(X)
    if not piv:
        return zeros(X.ncols(), X.nrows())
    F = take_cols(X, piv)
    Ft, Gt = F.transpose(), G.transpose()
    return Gt * (G * Gt).inv() * (Ft * F).inv() * Ft


def projector(W):
    """Orthogonal projector on the span of the independent columns of W."""
    if W.ncols() == 0:
        return zeros(W.nrows(), W.nrows())
    Wt = W.transpose()
    return W * (Wt * W).inv() * Wt


def is_zero(X):
    return all(x == 0 for r in rows_of(X) for x in r)


def semidefinite(M):
    """(M >= 0, M > 0), exactly, by symmetric elimination."""
    S, n, definite = rows_of(M), M.nrows(), True
    for k in range(n):
        p = S[k][k]
        if p < 0:
            return False, False
        if p == 0:
            definite = False
            if any(S[k][j] != 0 for j in range(k, n)):
                return False, False
            continue
        for i in range(k + 1, n):
            f = S[i][k] / p
            if f != 0:
                for j in range(k, n):
                    S[i][j] -= f * S[k][j]
    return True, definite


def to_float(x):
    """Nearest f64 of a rational (integer division in Python rounds correctly)."""
    x = q(x)
    return int(x.p) / int(x.q) + 0.0


# ---------------------------------------------------------------- the answer, exactly

class Answer:
    """Everything the kernel promises, for exact M, Q, A, b, C (all fmpq_mat)."""

    def __init__(self, M, Q, A, b, C):
        n, m = M.nrows(), A.nrows()
        I = eye(n)
        assert M == M.transpose()
        psd, self.definite = semidefinite(M)
        assert psd, "M must be positive semi-definite"
        self.Ap = Ap = pinv(A)
        assert A * Ap * A == A and Ap * A * Ap == Ap
        assert (A * Ap).transpose() == A * Ap and (Ap * A).transpose() == Ap * A
        P = I - Ap * A                                       # projector on N(A)
        Mhat = vstack(M, A)
        self.rank_A, self.rank_Mhat = rank(A), rank(Mhat)
        self.W = W = nullspace(Mhat)
        self.Pi = Pi = projector(W)

        # independent rows G of A, A = F G, and the bordered matrix of the motion
        _, self.sub = rref(A.transpose())
        self.G = G = take_rows(A, self.sub)
        k, d = G.nrows(), W.ncols()
        Gt, Wt = G.transpose(), W.transpose()
        self.F = F = A * Gt * (G * Gt).inv() if k else zeros(m, 0)
        assert F * G == A
        self.Fp = pinv(F)
        N = n + k + d
        K = zeros(N, N)
        for i in range(n):
            for j in range(n):
                K[i, j] = M[i, j]
        for X, off in ((G, n), (W.transpose(), n + k)):
            for i in range(X.nrows()):
                for j in range(n):
                    K[off + i, j] = X[i, j]
                    K[j, off + i] = X[i, j]
        self.K, self.Kinv = K, K.inv()

        def move(f, r):
            """Mbar^+ [f; r]: least in the rows as given, then of least norm."""
            rhs = zeros(N, 1)
            g = f - Pi * f
            e = self.Fp * r
            for i in range(n):
                rhs[i, 0] = g[i, 0]
            for i in range(k):
                rhs[n + i, 0] = e[i, 0]
            y = self.Kinv * rhs
            return take_rows(y, range(n))

        f = Q + C
        x = move(f, b)
        zero_b = zeros(m, 1)
        self.x_Q, self.x_C = move(Q, b), move(C, zero_b)
        Qi = M * self.x_Q - (I - Pi) * Q
        Qni = M * self.x_C + Pi * C
        Atp = Ap.transpose()                                 # (A^T)^+
        self.lam_ideal, self.lam = Atp * Qi, Atp * (Qi + Qni - C)
        residual = A * x - b
        unbalanced = Pi * f

        # the laws that define the motion, each exactly
        assert A * x == A * Ap * b                           # least squares in the rows as given
        assert P * (M * x - f) + Pi * f == zeros(n, 1)       # (2.11) but for the unbalanced part
        assert is_zero(Pi * x)                               # least norm
        assert is_zero(M * Pi) and is_zero(A * Pi) and Pi * Pi == Pi and Pi == Pi.transpose()
        # (2.14) itself, with eta = 0, by a Moore-Penrose inverse of Mbar
        Mbar = vstack(P * M, A)
        assert rank(Mbar) == self.rank_Mhat                  # result 3
        assert pinv(Mbar) * vstack(f, b) == x
        # the split
        assert is_zero(P * Qi) and A.transpose() * self.lam_ideal == Qi
        assert A.transpose() * self.lam + C == Qi + Qni
        assert Qi + Qni == M * x - Q + unbalanced
        assert self.x_Q + self.x_C == x
        assert is_zero(A.transpose() * residual)
        AAp = A * Ap
        assert AAp * self.lam == self.lam and AAp * self.lam_ideal == self.lam_ideal
        if self.definite:
            # (26) of the 2005 paper with A^T (A M^-1 A^T)^+ for M^{1/2} B^+, on the attainable b
            Mi = M.inv()
            S = A * Mi * A.transpose()
            Sp = pinv(S)
            be = A * Ap * b
            a, c = Mi * Q, Mi * C
            assert A.transpose() * Sp * (be - A * a) == Qi
            assert C - A.transpose() * Sp * (A * c) == Qni
            dev = x - a - c
            self.gauss_deviation = (dev.transpose() * M * dev)[0, 0]
            Qc = Qi + Qni - C
            assert (Qc.transpose() * Mi * Qc)[0, 0] == self.gauss_deviation
        else:
            self.gauss_deviation = None

        left = nullspace(A.transpose())
        self.determinate = [all(left[i, j] == 0 for j in range(left.ncols())) for i in range(m)]
        self.x, self.Qi, self.Qni, self.residual, self.unbalanced = x, Qi, Qni, residual, unbalanced
        self.consistent = is_zero(residual)
        self.dyn_consistent = is_zero(unbalanced)
        self.undetermined = [j for j in range(n) if Pi[j, j] > 0]
        self.gauss_general = ((x.transpose() * M * x)[0, 0] / 2 - (f.transpose() * x)[0, 0])
        self.data = (M, Q, A, b, C)

    def errors(self):
        """First-order bounds, per component, on what a relative change of 2^-53 in every entry of
        the data (ranks held) can do to q'', Qi, Qni and lambda. Used as hints only."""
        M, Q, A, b, C = self.data
        n, m, k, d = M.nrows(), A.nrows(), self.G.nrows(), self.W.ncols()
        aM, aA = absf(M), absf(A)
        aAt = transposed(aA, m, n)
        Kx, Kl = take_rows(self.Kinv, range(n)), take_rows(self.Kinv, range(n, n + k))
        Fp, G = self.Fp, self.G
        lsq = (self.F.transpose() * self.F).inv() * (G * G.transpose()).inv() * G if k else zeros(0, n)
        parts = lambda X: (take_cols(X, range(n)), take_cols(X, range(n, n + k)),
                           take_cols(X, range(n + k, n + k + d)))
        W = self.W
        mu = (W.transpose() * W).inv() * W.transpose() if d else zeros(0, n)
        Hf, Hb, _ = parts(Kx)
        # how far the undetermined directions themselves move
        eW = mul(absf(Hf), mul(aM, absf(W)))
        if m:
            eW = add(eW, mul(absf(Hb * Fp), mul(aA, absf(W))))

        def spread(X, load, r, x, lam):
            """Bound for the component rows X (a map from [f; G-rows; W-rows]) of this solution."""
            f = sum(load[1:], load[0])
            Xf, Xb, Xw = parts(X)
            top = vadd(mv(aM, absv(x)), *map(absv, load), absv(self.Pi * f), mv(aAt, absv(lam)),
                       mv(eW, absv(mu * f)))
            rows = vadd(absv(r), mv(aA, absv(x)))
            res = absv(A * x - r) if not is_zero(r) else [0.0] * m
            out = vadd(mv(absf(Xf), top), mv(absf(Xb * Fp), rows),
                       mv(absf(Xb * lsq), mv(aAt, res)))
            if d:
                wr = [sum(eW[i][c] * ax for i, ax in enumerate(absv(x))) for c in range(d)]
                out = vadd(out, mv(absf(Xw), wr))
            return out

        zb = zeros(m, 1)
        lamC = self.lam - self.lam_ideal
        e = {"qdd": spread(Kx, (Q, C), b, self.x, self.lam)}
        MK = M * Kx
        e["Qi"] = vadd(spread(MK, (Q,), b, self.x_Q, self.lam_ideal),
                       mv(aM, absv(self.x_Q)), absv(Q), absv(self.Pi * Q))
        e["Qni"] = vadd(spread(MK, (C,), zb, self.x_C, lamC),
                        mv(aM, absv(self.x_C)), absv(self.Pi * C)) if not is_zero(C) else [0.0] * n
        L = self.Fp.transpose() * Kl
        turn = absf(eye(m) - A * self.Ap) if m else []
        e["lambda"] = vadd(spread(L, (Q, C), b, self.x, self.lam),
                           mv(turn, mv(aA, absv(self.Ap * self.lam)))) if m else []
        return e


def absf(X):
    return [[abs(to_float(x)) for x in r] for r in rows_of(X)]


def absv(X):
    return [abs(to_float(x)) for x in flat(X)]


def transposed(X, m, n):
    return [[X[i][j] for i in range(m)] for j in range(n)]


def mv(X, v):
    return [math.fsum(a * b for a, b in zip(r, v)) for r in X]


def mul(X, Y):
    nc = len(Y[0]) if Y else 0
    return [[math.fsum(r[t] * Y[t][j] for t in range(len(r))) for j in range(nc)] for r in X]


def add(X, Y):
    return [[a + b for a, b in zip(r, s)] for r, s in zip(X, Y)]


def vadd(*vs):
    return [math.fsum(t) for t in zip(*vs)]


def check_errors(ans, err):
    """Change every number of a problem by a relative 2^-80, exactly, and see that `err` covers it."""
    M, Q, A, b, C = ans.data
    if not ans.definite or ans.rank_A < A.nrows():
        return                                   # a change of the data would change a rank
    rng, step = random.Random(0), fmpq(1, 2 ** 80)
    shift = lambda X: mat([[x * (1 + rng.choice((-1, 1)) * step) for x in r] for r in rows_of(X)], X.ncols())
    N = shift(M)
    for i in range(N.nrows()):
        for j in range(i):
            N[i, j] = N[j, i]
    new = Answer(N, shift(Q), shift(A), shift(b), shift(C))
    for name, X, Y in (("qdd", ans.x, new.x), ("Qi", ans.Qi, new.Qi), ("Qni", ans.Qni, new.Qni),
                       ("lambda", ans.lam, new.lam)):
        for u, v, e in zip(flat(X), flat(Y), err[name]):
            assert abs(to_float((u - v) / step)) <= 1.001 * e, name


# ---------------------------------------------------------------- how clear is the rank

def equilibrated(X):
    """Rows and columns scaled by powers of two until all are of comparable size; zero ones dropped."""
    X = [r for r in X if any(r)]
    if not X:
        return []
    keep = [j for j in range(len(X[0])) if any(r[j] for r in X)]
    X = [[r[j] for j in keep] for r in X]
    for _ in range(12):
        for _ in range(2):
            for i, r in enumerate(X):
                big = max(map(abs, r))
                e = -round(math.log2(big) / 2) if big else 0
                X[i] = [math.ldexp(v, e) for v in r]
            X = [list(c) for c in zip(*X)]
    for i, r in enumerate(X):
        e = -round(math.log2(math.sqrt(sum(v * v for v in r))))
        X[i] = [math.ldexp(v, e) for v in r]
    return X


def singular_values(X):
    """One-sided Jacobi, largest first."""
    if not X:
        return []
    cols = [list(c) for c in zip(*X)]
    if len(cols) > len(X):
        cols = [list(r) for r in X]
    for _ in range(40):
        done = True
        for i in range(len(cols)):
            for j in range(i + 1, len(cols)):
                a = math.fsum(v * v for v in cols[i])
                b = math.fsum(v * v for v in cols[j])
                c = math.fsum(v * w for v, w in zip(cols[i], cols[j]))
                if abs(c) <= 1e-16 * math.sqrt(a * b) or c == 0.0:
                    continue
                done = False
                t = (b - a) / (2 * c)
                t = math.copysign(1.0, t) / (abs(t) + math.sqrt(1 + t * t))
                cs = 1 / math.sqrt(1 + t * t)
                sn = cs * t
                for p, (v, w) in enumerate(zip(cols[i], cols[j])):
                    cols[i][p], cols[j][p] = cs * v - sn * w, sn * v + cs * w
        if done:
            break
    return sorted((math.sqrt(math.fsum(v * v for v in c)) for c in cols), reverse=True)


def gap(X, r):
    """(smallest singular value that counts, largest that does not), relative, after scaling."""
    s = singular_values(equilibrated(X))
    if r == 0:
        return None, 0.0
    return s[r - 1] / s[0], (s[r] / s[0] if len(s) > r else 0.0)


# ---------------------------------------------------------------- collecting cases

CASES = []
COUNT = {}


class Reject(Exception):
    pass


def short(x, digits=3):
    return float(f"{x:.{digits - 1}e}")


def emit(family, M, Q, A, b, C=None, rounded=False, min_gap=1e-11, show_C=None, law=None,
         cond_range=(0, math.inf)):
    """Solve, check and record one case. Raises Reject where a decision would not be clear-cut."""
    n, m = len(M), len(A)
    assert 1 <= n <= 12 and 0 <= m <= 10, (family, n, m)
    C_given = C is not None
    C = C if C_given else [0] * n
    exact = (mat(M, n), col(Q), mat(A, n), col(b) if m else zeros(0, 1), col(C))
    stored = [[[to_float(x) for x in r] for r in rows_of(X)] for X in exact]
    if not rounded:
        for X, S in zip(exact, stored):
            if not all(q(s) == x for r, t in zip(rows_of(X), S) for x, s in zip(r, t)):
                raise Reject("not representable")
    ans = Answer(*exact)
    Mf, Qf, Af, bf, Cf = stored

    # every decision must be clear: ranks, consistency, balance, undetermined coordinates
    gA, nA = gap(Af, ans.rank_A)
    gM, nM = gap(Mf + Af, ans.rank_Mhat)
    for g in (gA, gM):
        if g is not None and g < min_gap:
            raise Reject(f"gap {g:.1e}")
    assert nA < n * 1e-15 and nM < n * 1e-15, (family, nA, nM)
    x = [to_float(v) for v in flat(ans.x)]
    res = [abs(to_float(v)) for v in flat(ans.residual)]
    size = [math.fsum(abs(a * v) for a, v in zip(r, x)) + abs(t[0]) for r, t in zip(Af, bf)]
    if not ans.consistent and max(r / s for r, s in zip(res, size) if r) < 1e-7:
        raise Reject("contradiction too faint")
    force = max([abs(v[0]) for v in Qf + Cf] or [0.0])
    if not ans.dyn_consistent and max(absv(ans.unbalanced)) < 1e-6 * force:
        raise Reject("imbalance too faint")
    if any(0 < to_float(ans.Pi[j, j]) < 1e-13 for j in range(n)):
        raise Reject("undetermined coordinate too faint")

    if law:
        law(ans)
    err = ans.errors()
    check_errors(ans, err)
    xmax = max(map(abs, x))
    cond = max(err["qdd"]) / xmax if xmax else 1.0
    if not cond_range[0] <= cond <= cond_range[1]:
        raise Reject(f"cond {cond:.1e}")
    i = COUNT.get(family, 0)
    COUNT[family] = i + 1
    fl = lambda X: [to_float(v) for v in flat(X)]
    case = {"id": f"{family}-{i:02d}", "family": family, "n": n, "m": m, "M": Mf,
            "Q": [v[0] for v in Qf], "A": Af, "b": [v[0] for v in bf]}
    if show_C is None:
        show_C = C_given and (any(v[0] for v in Cf) or i % 2 == 0)
    if show_C or any(v[0] for v in Cf):
        case["C"] = [v[0] for v in Cf]
    case["rounded"] = rounded
    case["cond"] = short(max(1.0, cond))
    case["gap"] = {"A": gA and short(gA, 2), "Mhat": gM and short(gM, 2)}
    case["err"] = {k: [short(U * v, 2) for v in w] for k, w in err.items()}
    case["expect"] = {
        "qdd": fl(ans.x), "Qi": fl(ans.Qi), "Qni": fl(ans.Qni),
        "lambda": fl(ans.lam), "lambda_ideal": fl(ans.lam_ideal),
        "rank_A": ans.rank_A, "rank_Mhat": ans.rank_Mhat, "nullspace_dim": n - ans.rank_Mhat,
        "Pi": [[to_float(v) for v in r] for r in rows_of(ans.Pi)],
        "undetermined": ans.undetermined, "consistent": ans.consistent,
        "dyn_consistent": ans.dyn_consistent, "unbalanced": fl(ans.unbalanced),
        "residual": fl(ans.residual), "gauss_general": to_float(ans.gauss_general),
        "gauss_deviation": None if ans.gauss_deviation is None else to_float(ans.gauss_deviation),
        "determinate": ans.determinate}
    CASES.append(case)
    return ans


def family(name, count, build, **kw):
    """Draw from build(rng, i) until `count` cases are accepted; each family has its own seed."""
    rng = random.Random(f"holonom {name}")
    made = tries = 0
    while made < count:
        tries += 1
        assert tries < 200 * count, f"{name}: too many rejected"
        try:
            emit(name, **{**kw, **build(rng, made)})
            made += 1
        except Reject:
            pass


# ---------------------------------------------------------------- pieces to build from

def ints(rng, n, big=9):
    return [rng.randint(-big, big) for _ in range(n)]


def dyadic(rng, n, big=40, den=8):
    return [Fraction(rng.randint(-big, big), den) for _ in range(n)]


def floats(rng, n, size=3.0):
    return [rng.uniform(-size, size) for _ in range(n)]


def any_kind(rng, n):
    return rng.choice((ints, dyadic, floats))(rng, n)


def imat(rng, m, n, big=9, density=1.0):
    """Integer matrix of full rank; sparse if asked."""
    while True:
        X = [[rng.randint(-big, big) if rng.random() < density else 0 for _ in range(n)]
             for _ in range(m)]
        if m == 0 or rank(mat(X)) == min(m, n):
            return X


def dot(u, v):
    return sum((Fraction(a) * Fraction(b) for a, b in zip(u, v)), Fraction(0))


def times(X, v):
    return [dot(r, v) for r in X]


def tmul(X, Y):
    """X Y with Fractions."""
    return [[dot(r, c) for c in zip(*Y)] for r in X]


def gram(J, D):
    """J^T D J."""
    n = len(J[0])
    return [[sum((Fraction(d) * r[i] * r[j] for d, r in zip(D, J)), Fraction(0)) for j in range(n)]
            for i in range(n)]


def tr(X):
    return [list(c) for c in zip(*X)]


def diag(v):
    return [[v[i] if i == j else 0 for j in range(len(v))] for i in range(len(v))]


def pd(rng, n, kind=None):
    """A well-conditioned positive definite matrix."""
    kind = kind or rng.choice(("diag", "int", "float"))
    if kind == "diag":
        return diag([Fraction(rng.randint(1, 40), 4) for _ in range(n)])
    if kind == "int":
        J = [[rng.randint(-3, 3) for _ in range(n)] for _ in range(n)]
        return [[x + (4 if i == j else 0) for j, x in enumerate(r)] for i, r in enumerate(gram(J, [1] * n))]
    X = [[0.0] * n for _ in range(n)]
    for i in range(n):
        X[i][i] = rng.uniform(2, 4) + n / 4
        for j in range(i):
            X[i][j] = X[j][i] = rng.uniform(-.5, .5)
    return X


def permuted(rng, A, b):
    p = list(range(len(A)))
    rng.shuffle(p)
    return [A[i] for i in p], [b[i] for i in p]


def maybe_C(rng, n, p=0.6):
    r = rng.random()
    return any_kind(rng, n) if r < p else [0] * n if r < p + .2 else None


def force(rng, n):
    return any_kind(rng, n)


def size(rng, lo=2, hi=10, slack=1):
    n = rng.randint(lo, hi)
    return n, rng.randint(1, max(1, min(n - slack, 10)))


def redundant(rng, A, b, how, most=10):
    """Add rows that say nothing new. `how` names the way."""
    A, b = [list(r) for r in A], list(b)
    k = len(A)
    extra = rng.randint(1, max(1, min(4, most - k)))
    for _ in range(extra):
        if len(A) >= most:
            break
        i = rng.randrange(k)
        if how == "repeat":
            A.append(list(A[i])), b.append(b[i])
        elif how == "combine":
            w = [rng.randint(-3, 3) for _ in range(k)]
            if sum(x != 0 for x in w) < min(2, k):
                w = [1] * k
            A.append([dot(w, c) for c in zip(*A[:k])]), b.append(dot(w, b[:k]))
        else:
            s = Fraction(how)
            A.append([Fraction(x) * s for x in A[i]]), b.append(Fraction(b[i]) * s)
    return permuted(rng, A, b)


SCALES = ("1000000", "1/1000000", "1000000000000000", "1/1000000000000000")


def shrinkable(A, b, how):
    """For a copy at 1e-6 of a row to be exact the row itself is made 1e6 times larger."""
    s = Fraction(how)
    if s >= 1:
        return A, b
    return [[Fraction(x) / s for x in r] for r in A], [Fraction(x) / s for x in b]


# ---------------------------------------------------------------- the families

def full_rank(rng, i):
    n, m = size(rng, 2, 12, 0)
    if i % 2:
        A = [floats(rng, n) for _ in range(m)]
    else:
        A = imat(rng, m, n, density=rng.choice((.4, 1)))
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=any_kind(rng, m), C=maybe_C(rng, n), min_gap=1e-3)


def repeated(rng, i):
    n, m = size(rng, 2, 9)
    m = min(m, 4)
    A, b = ([floats(rng, n) for _ in range(m)], floats(rng, m)) if i % 2 else (imat(rng, m, n), ints(rng, m))
    k = len(A)
    for t in range(k):
        for _ in range(rng.choice((1, 2)) if t == 0 or rng.random() < .4 else 0):
            if len(A) < 10:
                A, b = A + [A[t]], b + [b[t]]
    A, b = permuted(rng, A, b)
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-3)


def repeated_scaled(rng, i):
    n, m = size(rng, 2, 9)
    how = SCALES[i % 4]
    A, b = shrinkable(imat(rng, min(m, 4), n, big=5), ints(rng, min(m, 4), 5), how)
    A, b = redundant(rng, A, b, how)
    if i % 3 == 0 and len(A) < 9:
        A, b = redundant(rng, A, b, "repeat")
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n))


def combined(rng, i):
    n, m = size(rng, 2, 10)
    m = min(m, 5)
    A = imat(rng, m, n) if i % 2 else [dyadic(rng, n) for _ in range(m)]
    A, b = redundant(rng, A, dyadic(rng, m), "combine")
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-4)


def zero_rows(rng, i):
    n, m = size(rng, 1, 7)
    m = min(m, 4)
    A, b = ([], []) if i == 0 else (imat(rng, min(m, n), n), ints(rng, min(m, n)))
    for _ in range(rng.randint(1, 3)):
        A, b = A + [[0] * n], b + [0]
    A, b = permuted(rng, A, b)
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-4)


def wild_rows(rng, i):
    n, m = size(rng, 3, 10)
    m = max(2, m)
    A, b = imat(rng, m, n), ints(rng, m)
    for t in range(m):
        s = 10.0 ** ((-6, 6, 15, -15, 0, 9, -9, 3)[(t + i) % 8])
        A[t], b[t] = [s * x for x in A[t]], s * b[t]
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-4)


def twelve(rng, n):
    """n masses over twelve orders of magnitude, both ends present."""
    d = [10.0 ** rng.uniform(-6, 6) for _ in range(n)]
    i, j = rng.sample(range(n), 2)
    d[i], d[j] = 1e-6, 1e6
    return d


def mass_forces(rng, d):
    """Either forces in proportion to the masses, or all of one size."""
    if rng.random() < .5:
        return [m * x for m, x in zip(d, floats(rng, len(d)))]
    return floats(rng, len(d))


def mass_diagonal(rng, i):
    n, m = size(rng, 2, 10)
    d = twelve(rng, n)
    return dict(M=diag(d), Q=mass_forces(rng, d), A=imat(rng, m, n, density=rng.choice((.5, 1))),
                b=ints(rng, m), C=mass_forces(rng, d) if i % 2 else None)


def mass_graded(rng, i):
    n, m = size(rng, 2, 9)
    K = pd(rng, n, "int" if i % 2 else "float")
    s = [2.0 ** rng.randint(-10, 10) for _ in range(n)]
    a, c = rng.sample(range(n), 2)
    s[a], s[c] = 2.0 ** -10, 2.0 ** 10
    M = [[float(s[r] * float(K[r][t]) * s[t]) for t in range(n)] for r in range(n)]
    return dict(M=M, Q=mass_forces(rng, [x * x for x in s]), A=imat(rng, m, n), b=ints(rng, m),
                C=mass_forces(rng, [x * x for x in s]) if i % 2 else None)


def mass_dense(rng, i):
    """M = S^T D S with heavy and light parts mixed in every coordinate: nine orders,
    so that no fair rule can call it singular. Every other case is a chain in relative coordinates."""
    n = rng.randint(2, 6)
    m = rng.randint(0, n // 2)
    if i % 2:
        J = [[int(t <= r) for t in range(n)] for r in range(n)]
    else:
        J = imat(rng, n, n, big=2)
    e = [rng.randint(-15, 15) for _ in range(n)]
    a, c = rng.sample(range(n), 2)
    e[a], e[c] = -15, 15
    D = [Fraction(2) ** t for t in e]
    Q = [dot(r, ints(rng, n)) for r in tr(J)] if rng.random() < .5 else ints(rng, n)
    return dict(M=gram(J, D), Q=Q, A=imat(rng, m, n, big=3), b=ints(rng, m),
                C=ints(rng, n) if i % 3 == 0 else None, min_gap=1e-11)


def mass_redundant(rng, i):
    n, m = size(rng, 3, 9)
    m = min(m, 4)
    how = ("repeat", "combine", *SCALES)[i % 6]
    A, b = imat(rng, m, n, big=5), ints(rng, m, 5)
    if how in SCALES:
        A, b = shrinkable(A, b, how)
    A, b = redundant(rng, A, b, how)
    d = twelve(rng, n)
    return dict(M=diag(d), Q=mass_forces(rng, d), A=A, b=b, C=mass_forces(rng, d) if i % 2 else None)


def near(rng, n, m):
    """Integer rows, the last one repeating the first but for a part of 2^-36 = 1.5e-11."""
    A = imat(rng, m, n, big=7)
    d = [rng.randint(-9, 9) for _ in range(n)]
    A[-1] = [Fraction(x) + Fraction(t, 2 ** 36) for x, t in zip(A[0], d)]
    return A


def near_dependent(rng, i):
    n, m = size(rng, 2, 8, 0)
    m = max(2, min(m, n))
    A = near(rng, n, m)
    b = ints(rng, m) if i % 2 else times(A, dyadic(rng, n, 20, 4))
    A, b = permuted(rng, A, b)
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-11)


def near_dependent_mass(rng, i):
    c = near_dependent(rng, i)
    d = twelve(rng, len(c["Q"]))
    return dict(c, M=diag(d), Q=mass_forces(rng, d), C=mass_forces(rng, d) if i % 3 == 0 else None)


def singular_massless(rng, i):
    """Coordinates without mass, each reached by a constraint."""
    n = rng.randint(2, 10)
    z = rng.randint(1, max(1, min(n - 1, 5)))
    m = min(n, z + rng.randint(0, 2))
    light = set(rng.sample(range(n), z))
    K = pd(rng, n)
    M = [[0 if r in light or t in light else K[r][t] for t in range(n)] for r in range(n)]
    A, b = imat(rng, m, n, density=rng.choice((.6, 1))), ints(rng, m)
    if rank(mat(M + A)) < n:
        raise Reject("free")
    if i % 3 == 2 and m < 9:
        A, b = redundant(rng, A, b, rng.choice(("repeat", "combine", "1000000")))
    return dict(M=M, Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-4 if i % 3 < 2 else 1e-10)


def singular_gram(rng, i):
    """M = J^T D J of deficient rank: massless directions that are no coordinates."""
    n = rng.randint(2, 9)
    p = rng.randint(0 if i % 8 == 0 else 1, n - 1)
    m = min(n, n - p + rng.randint(0, 2))
    J = imat(rng, p, n, big=3)
    M = gram(J, [rng.randint(1, 6) for _ in range(p)]) if p else [[0] * n for _ in range(n)]
    A, b = imat(rng, m, n, big=4), ints(rng, m)
    if rank(mat(M + A)) < n:
        raise Reject("free")
    if i % 3 == 2 and m < 9:
        A, b = redundant(rng, A, b, rng.choice(("repeat", "combine", "1000000")))
    return dict(M=M, Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-4 if i % 3 < 2 else 1e-10)


def primitive(X):
    """Columns of a rational matrix as integer vectors without common factor."""
    out = []
    for c in zip(*rows_of(X)):
        c = [Fraction(int(x.p), int(x.q)) for x in c]
        l = math.lcm(*(x.denominator for x in c))
        c = [int(x * l) for x in c]
        g = math.gcd(*c)
        out.append([x // g for x in c])
    return out


def with_free(rng, i, den=1, lo=2, hi=8):
    """M and A that both vanish on given directions w. Returns M, A, rows B spanning what is left, w."""
    n = rng.randint(lo, hi)
    d = rng.randint(1, min(2, n - 1))
    if i % 3 == 0:
        w = [[int(t == j) for t in range(n)] for j in rng.sample(range(n), d)]
    else:
        w = imat(rng, d, n, big=2, density=.6)
    B = primitive(nullspace(mat(w)))
    r = len(B)
    k = rng.randint(0, r - 1) if r > 1 else 0
    p = rng.randint(max(1, r - k), r)
    J = tmul(imat(rng, p, r, big=2), B)
    M = gram([[Fraction(x, den) for x in row] for row in J], [rng.randint(1, 4) for _ in range(p)])
    A = [[Fraction(x, den) for x in row] for row in tmul(imat(rng, k, r, big=2), B)] if k else []
    if rank(mat(M + A)) != r:
        raise Reject("more than wanted is free")
    return n, M, A, B, w


def spanned(rng, B, kind=ints):
    return times(tr(B), kind(rng, len(B)))


def free_balanced(rng, i):
    n, M, A, B, w = with_free(rng, i)
    b = ints(rng, len(A))
    Q, C = spanned(rng, B), spanned(rng, B) if i % 2 else None
    if i % 2:                                    # Q and C push on the free directions and cancel there
        push = times(tr(w), [rng.choice((-3, -1, 2, 5)) for _ in w])
        Q, C = [x + y for x, y in zip(Q, push)], [x - y for x, y in zip(C, push)]
    if i % 4 >= 2 and A:
        A, b = redundant(rng, A, b, rng.choice(("repeat", "combine", "1000000")))

    def law(ans):
        assert ans.dyn_consistent and ans.rank_Mhat < n
        assert not i % 2 or not is_zero(ans.Pi * col(Q))
    return dict(M=M, Q=Q, A=A, b=b, C=C, min_gap=1e-5 if i % 4 < 2 else 1e-10, law=law)


def free_unbalanced(rng, i):
    n, M, A, B, w = with_free(rng, i)
    b = ints(rng, len(A))
    Q = ints(rng, n) if i % 2 else spanned(rng, B)
    C = spanned(rng, B) if i % 2 else [x + y for x, y in zip(spanned(rng, B), times(tr(w), [3] * len(w)))]
    if i % 4 >= 2 and A:
        A, b = redundant(rng, A, b, "repeat")
    if all(dot(x, [s + t for s, t in zip(Q, C)]) == 0 for x in w):
        raise Reject("balanced")
    def law(ans):
        assert not ans.dyn_consistent
    return dict(M=M, Q=Q, A=A, b=b, C=C, min_gap=1e-5, law=law)


def contradict(rng, A, b, how):
    """Rows that cannot all hold."""
    A, b = [list(r) for r in A], list(b)
    k = len(A)
    if how == "zero":
        A.append([0] * len(A[0])), b.append(rng.choice((-3, 1, 4)))
    else:
        A2, b2 = redundant(random.Random(rng.random()), A, b, how, most=k + 2)
        A, b = A2, b2
        t = rng.randrange(len(b))
        b[t] = Fraction(b[t]) + max(1, abs(Fraction(b[t]))) * rng.choice((-1, 1, 2))
    return permuted(rng, A, b)


def is_contradictory(ans):
    assert not ans.consistent


HOW = ("repeat", "combine", "zero", "1000000", "1/1000000")


def contradictory(rng, i):
    n, m = size(rng, 2, 8)
    m, how = min(m, 4), HOW[i % 5]
    A, b = imat(rng, m, n, big=5), ints(rng, m, 5)
    if how == "1/1000000":
        A, b = shrinkable(A, b, how)
    A, b = contradict(rng, A, b, how)
    if rank(mat([r + [x] for r, x in zip(A, b)])) == rank(mat(A)):
        raise Reject("consistent after all")
    M = pd(rng, n) if i % 2 else diag(twelve(rng, n))
    return dict(M=M, Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), law=is_contradictory, min_gap=1e-4,
                cond_range=(0, 1e6))


def contradictory_heavy(rng, i):
    """Rows 1e6 larger than the others contradict each other by as much. The answer is exact, but
    light rows then hang on the last digits of the heavy ones: see "err"."""
    n = rng.randint(3, 7)
    m = rng.randint(2, n - 1)
    A, b = imat(rng, m, n, big=5), ints(rng, m, 5)
    heavy = [10 ** 6 * x for x in A[0]]
    A, b = A + [heavy, heavy], b + [10 ** 6 * b[0], 10 ** 6 * (b[0] + rng.choice((-2, 1, 3)))]
    A, b = permuted(rng, A, b)
    return dict(M=pd(rng, n), Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), law=is_contradictory,
                cond_range=(1e8, 1e14))


def contradictory_singular(rng, i):
    how = HOW[i % 4]
    if i % 3 == 0:
        n, M, A, B, w = with_free(rng, i)
        if not A:
            raise Reject("no rows")
        Q = spanned(rng, B) if i % 2 else ints(rng, n)
        b = ints(rng, len(A))
    else:
        c = (singular_massless if i % 3 == 1 else singular_gram)(rng, 0 if i % 3 == 1 else 1)
        n, M, A, b, Q = len(c["M"]), c["M"], c["A"], c["b"], c["Q"]
    if len(A) > 8:
        raise Reject("too many rows")
    A, b = contradict(rng, A, b, how)
    if rank(mat([r + [x] for r, x in zip(A, b)])) == rank(mat(A)):
        raise Reject("consistent after all")
    return dict(M=M, Q=Q, A=A, b=b, C=ints(rng, n) if i % 2 else None, law=is_contradictory, min_gap=1e-4,
                cond_range=(0, 1e6))


def in_units(s, c):
    """The same mechanics in coordinates q = S q'."""
    n = len(s)
    mulr = lambda x, y: x * y if isinstance(x, float) else Fraction(x) * Fraction(y)
    M = [[mulr(mulr(c["M"][r][t], s[r]), s[t]) for t in range(n)] for r in range(n)]
    v = lambda u: None if u is None else [mulr(x, y) for x, y in zip(u, s)]
    return dict(c, M=M, Q=v(c["Q"]), C=v(c.get("C")), A=[v(r) for r in c["A"]])


def unit_scales(rng, n, i):
    if i % 2:
        s = [2.0 ** rng.choice((-20, -10, 0, 10, 20)) for _ in range(n)]       # exact: 1e-6 .. 1e6
    else:
        s = [10.0 ** rng.choice((-6, -3, 0, 3, 6)) for _ in range(n)]
    return s


def units(rng, i):
    n, m = size(rng, 2, 8)
    if i % 2 == 0:
        c = dict(M=pd(rng, n, "float"), Q=floats(rng, n), A=[floats(rng, n) for _ in range(m)],
                 b=floats(rng, m), C=floats(rng, n) if i % 4 else None)
    else:
        c = (repeated, singular_massless, singular_gram, contradictory)[i // 2 % 4](rng, i)
    s = unit_scales(rng, len(c["Q"]), i)
    c = in_units(s, c)
    if i % 2 == 0:                               # decimal scales round; symmetry must survive
        for r in range(n):
            for t in range(r):
                c["M"][r][t] = c["M"][t][r]
    c["min_gap"] = 1e-5 if i % 2 == 0 else 1e-9
    c["cond_range"] = (0, 1e6)
    return c


def units_free(rng, i):
    """An undetermined direction that mixes coordinates whose units differ by up to 1e6."""
    n, M, A, B, w = with_free(rng, 1, lo=3, hi=6)
    s = [2.0 ** rng.choice((-10, 0, 10)) for _ in range(n)]
    c = dict(M=M, Q=spanned(rng, B), A=A, b=ints(rng, len(A)), C=spanned(rng, B) if i % 2 else None)
    return dict(in_units(s, c), min_gap=1e-4)


def stack_scale(rng, i):
    """Forces and accelerations of very different size: M and A must not be compared with each other."""
    c = (full_rank, singular_massless, singular_gram, free_balanced)[i % 4](rng, 0 if i % 4 != 3 else 1)
    t = Fraction(2) ** ((-40, 40, -30, 30)[i // 4 % 4])
    up = lambda X: [x * t if not isinstance(x, float) else x * float(t) for x in X]
    return dict(c, M=[up(r) for r in c["M"]], Q=up(c["Q"]), C=None if c["C"] is None else up(c["C"]),
                min_gap=1e-4)


def many_rows(rng, i):
    n = rng.randint(2, 5)
    m = rng.randint(n + 1, 10)
    k = rng.randint(1, n)
    A = tmul(imat(rng, m, k, big=4), imat(rng, k, n, big=4))
    if i % 3 == 1:
        A = [[x * (10 ** 6 if t % 2 else 1) for x in r] for t, r in enumerate(A)]
    b = times(A, dyadic(rng, n, 12, 4))
    M = pd(rng, n) if i % 2 else gram(imat(rng, n - 1, n, big=2), [1] * (n - 1))
    if rank(mat(M + A)) < n:
        raise Reject("free")
    return dict(M=M, Q=force(rng, n), A=A, b=b, C=maybe_C(rng, n), min_gap=1e-4)


def no_rows(rng, i):
    n = rng.randint(1, 12) if i % 3 else rng.randint(2, 8)
    C = any_kind(rng, n) if i % 2 else None
    if i % 3 == 0:
        d = twelve(rng, n)
        return dict(M=diag(d), Q=mass_forces(rng, d), A=[], b=[], C=C)
    if i % 3 == 1:
        return dict(M=pd(rng, n), Q=force(rng, n), A=[], b=[], C=C)
    p = rng.randint(1, max(1, n - 1))
    J = imat(rng, p, n, big=2)
    return dict(M=gram(J, [1] * p), Q=spanned(rng, J) if i % 4 == 0 else ints(rng, n), A=[], b=[],
                C=spanned(rng, J) if i % 2 else None, min_gap=1e-5)


def one_coordinate():
    name = "one-coordinate"
    for M, Q, A, b, C in (
            (2, 3, [], [], None), (2, 3, [], [], [1]), (2, 3, [4], [6], None), (2, 3, [4], [6], [5]),
            (2, 3, [4, 4], [6, 6], [-5]), (2, 3, [4, 4], [6, 2], [1]), (2, 3, [0], [0], None),
            (2, 3, [0], [1], None), (0, 3, [2], [1], None), (0, 0, [], [], None), (0, 3, [], [], None),
            (0, 3, [], [], [-3]), (0, 0, [0], [2], None), (1e-300, 1e-300, [1e-150], [3e-150], None),
            (1e6, 1.5, [1e6, 1, 2.0 ** -20], [1e6, 1, 2.0 ** -20], [2]), (1e-6, 1.5, [1e-15], [3e-15], None)):
        emit(name, [[M]], [Q], [[x] for x in A], b, C, show_C=C is not None)


def C_normal(rng, i):
    """C = A^T mu does no virtual work: Qni = 0."""
    c = (full_rank, repeated, singular_massless, combined)[i % 4](rng, 0)
    mu = ints(rng, len(c["A"]), 4)
    def law(ans):
        assert is_zero(ans.Qni)
    C = times(tr([[Fraction(x) for x in r] for r in c["A"]]), mu)
    if not any(C):
        raise Reject("C = 0")
    return dict(c, C=C, law=law, min_gap=1e-4)


def C_tangent(rng, i):
    """C = M z with A z = 0: all of it acts, Qni = C."""
    c = (full_rank, repeated, singular_gram, combined)[i % 4](rng, 0)
    z = primitive(nullspace(mat(c["A"])))
    if not z:
        raise Reject("no freedom")
    v = times(tr(z), ints(rng, len(z), 3))
    C = times([[Fraction(x) for x in r] for r in c["M"]], v)
    if not any(C):
        raise Reject("C = 0")
    def law(ans):
        assert ans.Qni == col(C)
    return dict(c, C=C, law=law, min_gap=1e-4)


def thirds(rng, m, n, big=9):
    return [[Fraction(rng.randint(-big, big), rng.choice((3, 5, 7))) for _ in range(n)] for _ in range(m)]


def frac_pd(rng, n):
    J = thirds(rng, n, n, 5)
    return [[x + (2 if r == t else 0) for t, x in enumerate(row)] for r, row in enumerate(gram(J, [1] * n))]


def rounded_A(rng, i):
    n = rng.randint(3, 9)
    k = rng.randint(1, n - 1)
    m = min(10, k + rng.randint(1, 4))
    A = tmul(thirds(rng, m, k), thirds(rng, k, n))
    b = times(A, [Fraction(rng.randint(-20, 20), 7) for _ in range(n)])
    if rank(mat(A)) != k:
        raise Reject("rank")
    if i % 3 == 2:                               # also massless coordinates, the motion unique
        K = frac_pd(rng, n)
        z = rng.randint(1, k)
        M = [[0 if r < z or t < z else K[r][t] for t in range(n)] for r in range(n)]
        if rank(mat(M + A)) < n:
            raise Reject("free")
    else:
        M = frac_pd(rng, n)
    return dict(M=M, Q=[Fraction(x, 3) for x in ints(rng, n)], A=A, b=b,
                C=[Fraction(x, 7) for x in ints(rng, n)] if i % 2 else None, min_gap=1e-3)


def rounded_M(rng, i):
    """Singular M whose entries are rounded: it may look positive definite, or indefinite, by a hair."""
    if i % 2 == 0:
        n = rng.randint(2, 8)
        p = rng.randint(1, n - 1)
        M = gram(thirds(rng, p, n, 6), [1] * p)
        m = min(n, n - p + rng.randint(0, 1))
        A = thirds(rng, m, n)
        b = [Fraction(x, 3) for x in ints(rng, m)]
        if rank(mat(A)) < m or rank(mat(M + A)) < n:
            raise Reject("rank")
        Q, C = [Fraction(x, 3) for x in ints(rng, n)], None
        if i % 4 == 0:
            C = [Fraction(x, 7) for x in ints(rng, n)]
    else:
        n, M, A, B, w = with_free(rng, 1, den=rng.choice((3, 7)))
        if i % 4 == 3 and A:
            A = A + [[Fraction(x) / 3 for x in A[0]]]
        b = times(A, [Fraction(x, 5) for x in ints(rng, n)]) if A else []
        Q, C = [x / 3 for x in spanned(rng, B)], [x / 7 for x in spanned(rng, B)]
        if i % 3 == 0:
            C = None
    return dict(M=M, Q=Q, A=A, b=b, C=C, min_gap=1e-3)


def papers():
    """The examples of the papers, each against the printed formula (with the errata)."""
    name = "papers"
    F = Fraction

    def close(got, want, tol=1e-15):
        top = max(abs(float(w)) for w in want) or 1.0
        assert all(abs(to_float(g) - float(w)) <= tol * top for g, w in zip(flat(got), want)), (got, want)

    # 2006, example 1: wheel, (5.17); example 2: with a particle of no mass, (5.23)
    for m, R, Ic, g, sn in ((2, .5, .25, 9.81, .5), (3.5, .3, .07, 9.81, math.sin(.3))):
        J = m * R * R + Ic
        ans = emit(name, [[J, 0], [0, 0]], [0, m * g], [[-R * sn, 1]], [0])
        close(ans.x, [m * g * R * sn / J, m * g * R * R * sn * sn / J], 1e-14)
        ans = emit(name, [[J, 0, 0], [0, 0, 0], [0, 0, 0]], [0, m * g, 0], [[-R * sn, 1, 0]], [0], [0, 0, 0],
                   show_C=True)
        close(ans.x, [m * g * R * sn / J, m * g * R * R * sn * sn / J, 0], 1e-14)
        assert ans.undetermined == [2] and ans.dyn_consistent
    # 2006, example 3: two masses and two springs in three coordinates
    row, k1, k2, x1, q2 = [1, -1, 0], 3, 5, F(1, 4), F(-1, 2)
    Q = [-k1 * x1, 0, -k2 * q2]

    def spring(m1, m2):
        return [[m1, 0, 0], [0, m2, m2], [0, m2, m2]]
    ans = emit(name, spring(2, 4), Q, [row], [0])                                   # 5.1, (5.39)
    a = (-k1 * x1 + k2 * q2) / 2
    assert ans.x == col([a, a, -a - k2 * q2 / 4])
    ans = emit(name, spring(0, 4), Q, [row], [0])                                   # 5.2, no extra row
    assert not ans.dyn_consistent and ans.rank_Mhat == 2
    xe = F(5, 2)                                                                    # k1 x1 = k2 q2
    ans = emit(name, spring(0, 4), [-k1 * xe, 0, -k1 * xe], [row], [0])             # 5.2, balanced
    assert ans.dyn_consistent and ans.rank_Mhat == 2
    for x1_, q2_ in ((x1, q2), (xe, F(3, 2))):
        ans = emit(name, spring(0, 4), [-k1 * x1_, 0, -k2 * q2_], [row, [k1, 0, -k2]], [0, 0])  # (5.47)
        s = -(x1_ + q2_) / F(4 * (k1 + k2) ** 2)
        assert ans.x == col([k1 * k2 ** 2 * s, k1 * k2 ** 2 * s, k1 ** 2 * k2 * s])
        assert x1_ == x1 or ans.lam[1, 0] == 0                                      # hidden rows exert no force
    ans = emit(name, spring(2, 0), Q, [row], [0])                                   # 5.3, no extra row
    assert not ans.dyn_consistent and ans.undetermined == [2]
    ans = emit(name, spring(2, 0), [-k1 * x1, 0, 0], [row], [0])                    # 5.3, balanced
    assert ans.dyn_consistent and ans.undetermined == [2]
    for q2_ in (q2, 0):
        ans = emit(name, spring(2, 0), [-k1 * x1, 0, -k2 * q2_], [row, [0, 0, k2]], [0, 0])     # (5.56)
        assert ans.x == col([-k1 * x1 / 2, -k1 * x1 / 2, 0])
        assert ans.lam[1, 0] == q(q2_)
    # 2005, theoretical or experimental: the bead on a line, (32)
    for k, g in ((2, 9.81), (F(-3, 4), 10)):
        ans = emit(name, [[1, 0], [0, 1]], [0, -g], [[k, -1]], [0], [1, 2])
        k, gq = F(k), F(*float(g).as_integer_ratio())
        u = 1 / (k * k + 1)
        assert ans.x == col([-gq * k * u + (1 + 2 * k) * u, -gq + gq * u + (1 + 2 * k) * k * u])
    # 2005, general principle: block on an incline with friction, (39), both directions of sliding
    for m, g, mu, th, sgn in ((2.0, 9.81, .3, .5, 1), (2.0, 9.81, .3, .5, -1), (1.0, 10.0, 0.0, math.pi / 6, 1)):
        c, s = math.cos(th), math.sin(th)
        N = m * g * c
        ans = emit(name, [[m, 0], [0, m]], [0, -m * g], [[-math.tan(th), 1]], [0],
                   [-mu * N * c * sgn, -mu * N * s * sgn], show_C=True)
        close(ans.Qi, [-m * g * s * c, m * g * c * c])
        close(ans.Qni, [-mu * N * c * sgn, -mu * N * s * sgn] if mu else [0, 0])
    # 2005, general principle: Appell's constraint, (30) with velocities; C is tangent, Qni = C
    v, a0, u = (3, 4, 5), F(1, 8), math.sqrt(50)
    C = [-.125 * x * u for x in v]
    ans = emit(name, diag([1, 1, 1]), [1, -2, -9], [[3, 4, -5]], [0], C)
    assert ans.Qni == col(C)
    t = F(-(3 * 1 - 4 * 2 + 5 * 9), 50)
    assert ans.Qi == col([3 * t, 4 * t, -5 * t])


def everything():
    papers()
    one_coordinate()
    family("full-rank", 40, full_rank)
    family("repeated-rows", 28, repeated)
    family("repeated-scaled-rows", 32, repeated_scaled)
    family("combined-rows", 24, combined)
    family("zero-rows", 12, zero_rows)
    family("wild-rows", 24, wild_rows)
    family("mass-diagonal", 24, mass_diagonal)
    family("mass-graded", 16, mass_graded)
    family("mass-dense", 16, mass_dense)
    family("mass-redundant", 24, mass_redundant)
    family("near-dependent", 24, near_dependent)
    family("near-dependent-mass", 14, near_dependent_mass)
    family("singular-massless", 24, singular_massless)
    family("singular-gram", 24, singular_gram)
    family("free-balanced", 28, free_balanced)
    family("free-unbalanced", 18, free_unbalanced)
    family("contradictory", 35, contradictory)
    family("contradictory-heavy", 6, contradictory_heavy)
    family("contradictory-singular", 16, contradictory_singular)
    family("units", 24, units)
    family("units-free", 6, units_free)
    family("stack-scale", 16, stack_scale)
    family("many-rows", 14, many_rows)
    family("no-rows", 14, no_rows)
    family("C-normal", 10, C_normal)
    family("C-tangent", 10, C_tangent)
    family("rounded-A", 24, rounded_A, rounded=True)
    family("rounded-M", 20, rounded_M, rounded=True)


def main():
    everything()
    assert len({c["id"] for c in CASES}) == len(CASES)
    out = Path(__file__).with_name("hard.jsonl")
    text = "".join(json.dumps(c, separators=(",", ":"), allow_nan=False) + "\n" for c in CASES)
    out.write_text(text)
    for name, count in COUNT.items():
        worst = max(c["cond"] for c in CASES if c["family"] == name)
        print(f"{name:24} {count:4}   worst cond {worst:.1e}")
    print(f"{'all':24} {len(CASES):4}   {len(text)} bytes")


if __name__ == "__main__":
    sys.exit(main())
