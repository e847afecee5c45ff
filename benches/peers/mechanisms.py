"""Random open and closed mechanisms: accelerations of Holonom beside those of Pinocchio and MuJoCo.

    python3 benches/peers/mechanisms.py [--count 500] [--seed N] [--only CASE] [--holonom PATH]

Makes an environment for the peers first. Every mechanism is written in both formulations. The script compares the degrees of
freedom, and of every body a point, its velocity and acceleration, the spin and its rate. Models that fail are kept in a folder.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import environment

FORMULATIONS = ["joints", "bodies"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500, help="how many mechanisms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this one of them only")
    parser.add_argument("--tolerance", type=float, default=1e-9, help="relative to the largest acceleration")
    parser.add_argument("--holonom", default=str(environment.ROOT / "target" / "release" / "holonom"))
    parser.add_argument("--venv", help="the folder of the environment")
    kept = environment.ROOT / "target" / "mechanisms-failed"
    parser.add_argument("--failures", default=str(kept), help="where models that fail are kept")
    return parser.parse_args()


ASKED = arguments()
environment.enter(ASKED.venv)

import numpy as np  # noqa: E402 - only the environment has it

import mechanism as drawn  # noqa: E402
import routes  # noqa: E402


def main():
    print(f"{environment.versions('pin', 'mujoco')}; seed {ASKED.seed}, tolerance {ASKED.tolerance:g}\n")
    counts, worst, witness = Counter(), Counter(), 0.0
    for case in range(ASKED.count) if ASKED.only is None else [ASKED.only]:
        mechanism, route, expected, peers_apart = drawn_case(case)
        witness = max(witness, peers_apart)
        for formulation in FORMULATIONS:
            text = drawn.text(mechanism, formulation)
            outcome, size, detail = compare(text, expected, mechanism)
            counts[mechanism.style, formulation, outcome] += 1
            if outcome == "agreed":
                worst[formulation] = max(worst[formulation], size)
            else:
                tell(case, mechanism, formulation, outcome, detail, expected, route)
                keep(case, formulation, text)
    summary(counts, worst, witness)
    sys.exit(any(outcome != "agreed" for _, _, outcome in counts))


def drawn_case(case):
    """The mechanism, its start, and what Pinocchio says; how far MuJoCo is from it where both answer."""
    random = np.random.default_rng([ASKED.seed, case])
    mechanism = drawn.draw(random)
    route = routes.Pinocchio(mechanism)
    closed = bool(mechanism.closing())
    route.start(random, moved=not closed and random.random() < 0.6, moving=random.random() < 0.8)
    expected = route.answer()
    if closed:
        return mechanism, route, expected, 0.0
    a, e = routes.mujoco_accelerations(mechanism, route)
    scale = size_of(expected, mechanism)
    apart = max(np.abs(a - expected.a).max(), np.abs(e - expected.e).max()) / scale
    if apart > ASKED.tolerance:
        print(f"case {case}: Pinocchio and MuJoCo are {apart:.1e} apart")
    return mechanism, route, expected, apart


def size_of(expected, mechanism):
    """The largest acceleration, gravity included."""
    return max(np.abs(expected.a).max(), np.abs(expected.e).max(), np.abs(mechanism.gravity).max())


# ------------------------------------------------------------------------------------------------------------- Holonom


def compare(text, expected, mechanism):
    """`agreed`, or what is wrong; the largest difference; more about it."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.holo"
        model.write_text(text)
        freedom = degrees_of_freedom(model)
        table, messages = first_row(model)
    errors = [message for message in messages if message["severity"] == "error"]
    if table is None:
        return f"refused: {errors[0]['code']}", 0.0, errors[0]["message"]
    differences = differences_of(table, expected, mechanism)
    name = max(differences, key=differences.get)
    size = differences[name]
    detail = ", ".join(f"{key} {value:.1e}" for key, value in differences.items())
    detail += "; warned of: " + (", ".join(sorted({m["code"] for m in messages if m["severity"] == "warning"})) or "nothing")
    if freedom != expected.freedom:
        return "other degrees of freedom", size, f"{freedom} instead of {expected.freedom}; {detail}"
    if not size <= ASKED.tolerance:
        return "other state" if max(differences[key] for key in "pvw") > ASKED.tolerance else "disagreed", size, detail
    return "agreed", size, detail


def differences_of(table, expected, mechanism):
    """Of points, velocities, accelerations, spins and rates of spins, each relative to its size."""
    bodies = range(1, len(mechanism.bodies) + 1)
    sizes = {"a": size_of(expected, mechanism), "e": size_of(expected, mechanism)}
    differences = {}
    for key in "pvwae":
        found = np.array([[table[f"{key}{body}.{axis}"] for axis in (1, 2, 3)] for body in bodies])
        size = sizes.get(key) or max(1.0, np.abs(getattr(expected, key)).max())
        differences[key] = float(np.abs(found - getattr(expected, key)).max() / size)
    return differences


def degrees_of_freedom(model):
    report = json.loads(holonom("check", model, "--json", "--states", "1").stdout or "{}").get("report") or {}
    return (report.get("verdict") or {}).get("degrees_of_freedom")


def first_row(model):
    """The table at the start, if there is one, and the messages."""
    out = model.parent / "out"
    done = holonom("run", model, "--until", "1e-9", "--every", "1e-9", "--no-report", "--json", "--out", out)
    try:
        messages = json.loads(done.stdout)["messages"]
    except (ValueError, KeyError):
        messages = [{"severity": "error", "code": f"exit status {done.returncode}", "message": done.stderr[-500:]}]
    table = out / "trajectory.csv"
    if not table.exists():
        return None, messages
    with table.open() as file:
        names, values = file.readline().strip().split(","), file.readline().strip().split(",")
    return dict(zip(names, map(float, values))), messages


def holonom(command, model, *options):
    try:
        return subprocess.run(
            [ASKED.holonom, command, model, *options], capture_output=True, text=True, cwd=model.parent, timeout=120
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([], "timeout", "", "no answer within 120 s")


# ------------------------------------------------------------------------------------------------------------- reports


def tell(case, mechanism, formulation, outcome, detail, expected, route):
    kinds = Counter(joint.kind for joint in mechanism.joints)
    joints = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"case {case}, {formulation}: {outcome}\n  {detail}")
    sizes = f"{len(mechanism.bodies)} bodies, {joints or 'no joints'}, {len(mechanism.closing())} closing"
    print(f"  drawn: {mechanism.style}, {sizes}")
    print(f"  start: {len(mechanism.values)} values, {len(mechanism.rates)} rates, {len(mechanism.spins)} spins")
    if mechanism.closing():
        print(f"  loops: smallest singular value kept {expected.weakest:.1e}, largest dropped {expected.dropped:.1e}")
        print(f"  Pinocchio's rows contradict each other by {route.contradiction:.1e}")


def keep(case, formulation, text):
    folder = Path(ASKED.failures)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed-{ASKED.seed}-case-{case}-{formulation}.holo").write_text(text)


def summary(counts, worst, witness):
    outcomes = sorted({outcome for _, _, outcome in counts}, key=lambda outcome: (outcome != "agreed", outcome))
    print(f"\n| style | formulation | {' | '.join(outcomes)} |")
    print("|---|---|" + "---:|" * len(outcomes))
    rows = sorted({(style, formulation) for style, formulation, _ in counts}) + [("all", f) for f in FORMULATIONS]
    for style, formulation in rows:
        cells = [total(counts, style, formulation, outcome) for outcome in outcomes]
        print(f"| {style} | {formulation} | {' | '.join(map(str, cells))} |")
    for formulation in FORMULATIONS:
        print(f"\nLargest difference that agreed, {formulation}: {worst[formulation]:.1e}")
    print(f"\nPinocchio and MuJoCo, trees: {witness:.1e} apart at most")


def total(counts, style, formulation, outcome):
    if style == "all":
        return sum(count for (_, f, o), count in counts.items() if (f, o) == (formulation, outcome))
    return counts[style, formulation, outcome]


if __name__ == "__main__":
    main()
