"""Penrose's conditions of exported matrices, in exact arithmetic with SymPy at rational states.

Reads a list [{"name", "code", "states"}]: `code` is what `explain --as sympy` writes, `states` are {"q", "v", "p"} as text of rationals that satisfy
the constraints. Prints how many conditions were checked; one that fails is an error. With `--spoil` an entry of every inverse is changed
first, and then every inverse must fail."""

import json
import sys

import sympy as sp

SPOIL = "--spoil" in sys.argv


def exact(value, place):
    return sp.Matrix(value).subs(place).applyfunc(lambda x: sp.simplify(x))


def zero(matrix):
    return all(sp.simplify(entry) == 0 for entry in matrix)


def conditions(X, G, all_four):
    yield "1", zero(X * G * X - X)
    if all_four:
        yield "2", zero(G * X * G - G)
        yield "3", zero((X * G).T - X * G)
        yield "4", zero((G * X).T - G * X)


count = 0
for model in json.load(sys.stdin):
    space = {}
    exec(model["code"], space)  # written by this program
    names = space["q"] + space["v"] + space["p"]
    for state in model["states"]:
        values = [sp.Rational(x) for x in state["q"] + state["v"] + state["p"]]
        place = dict(zip(names, values, strict=True))
        at = {name: exact(space[name], place) for name in model["parts"]}
        pairs = [("constraints", "pseudo_inverse"), ("stacked", "stacked_inverse"), ("weighted", "weighted_inverse")]
        for of, inverse in pairs:
            if inverse not in at:
                continue
            G = at[inverse].copy()
            if SPOIL:
                G[0, 0] += sp.Rational(1, 7)
            held = dict(conditions(at[of], G, True))
            bad = [name for name, holds in held.items() if not holds]
            if bool(bad) != SPOIL:
                sys.exit(f"{model['name']}: {inverse}: conditions {bad} fail at {state}")
            count += len(held)
        if SPOIL:
            continue
        # What is made of them.
        n = at["constraints"].shape[1]
        one = sp.eye(n)
        claims = {
            "A+A": zero(at["constrained_part"] - at["pseudo_inverse"] * at["constraints"]),
            "I-A+A": zero(at["virtual_part"] - (one - at["pseudo_inverse"] * at["constraints"])),
            "Mbar": zero(at["stacked"] - sp.Matrix.vstack(at["virtual_part"] * at["mass"], at["constraints"])),
            "K1": zero(at["acceleration_gain"] - at["stacked_inverse"][:, n:]),
            "K": zero(at["force_gain"] - at["mass"] * at["acceleration_gain"]),
            "N": zero(at["response"] - at["stacked_inverse"][:, :n]),
        }
        if "weighted" in at:
            claims["BBT"] = zero(at["weighted_square"] - at["weighted"] * at["weighted"].T)
            claims["K1 of B"] = zero(at["acceleration_gain"] - at["mass"].applyfunc(lambda m: 1 / sp.sqrt(m) if m else 0) * at["weighted_inverse"])
            claims["da"] = zero(at["ideal_deviation"] - at["acceleration_gain"] * at["constraint_error"])
        for name, holds in claims.items():
            if not holds:
                sys.exit(f"{model['name']}: {name} is not what it should be at {state}")
            count += 1
print(count)
