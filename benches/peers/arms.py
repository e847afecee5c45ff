"""Speed of one acceleration: the six-axis arm (P11), the arm with a rod, Bricard's mechanism (P8); and 10 s of the latter.

    python3 benches/peers/arms.py [--rounds 25] [--core 0]

Makes an environment for the peers first and builds the bench `mechanisms`. All are held on one core and take turns: in every
round each contender has a slice of time, and the best slice counts. Of peers the same calls of the binding on an empty model, or
of a function that does nothing, are timed in the same slice and subtracted. Before anything is timed, accelerations at the
states, which come from runs of Holonom, must agree.
"""

import argparse
import os
import subprocess
import time

import environment


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--core", type=int, default=0, help="the core that all are held on")
    parser.add_argument("--venv", help="the folder of the environment")
    return parser.parse_args()


ASKED = arguments()
environment.enter(ASKED.venv)

import mujoco  # noqa: E402 - only the environment has them
import numpy as np  # noqa: E402
import pinocchio as pin  # noqa: E402
from scipy.integrate import DOP853  # noqa: E402

import chains  # noqa: E402

BENCH = ["cargo", "bench", "--quiet", "-p", "holonom-benches", "--bench", "mechanisms"]
WANTED = 4e-8  # error of the vertex after 10 s


def main():
    subprocess.run([*BENCH, "--no-run"], cwd=environment.ROOT, check=True)
    os.sched_setaffinity(0, {ASKED.core})
    holonom = Holonom()
    print(environment.versions("pin", "mujoco", "drake", "scipy") + f"; {ASKED.rounds} rounds, one core\n")
    print("|  | contender | one acceleration | Holonom's best is | apart |")
    print("|---|---|---:|---:|---:|")
    for name, chain in (("arm", chains.arm(0, False)), ("arm with rod", chains.arm(1, True)), ("bricard", chains.bricard())):
        accelerations(name, chain, holonom)
    ten_seconds(holonom)


# -------------------------------------------------------------------------------------------------------------- Holonom


class Holonom:
    """The bench in a process of its own, which answers when it is asked."""

    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([*BENCH, "--", "--serve"], cwd=environment.ROOT, **pipes)
        self.cases = {}
        while (line := self.process.stdout.readline().strip()) != "ready":
            if line.startswith("case "):
                name, formulation, *sizes = line.removeprefix("case ").split(" | ")
                states = [self.numbers() for _ in range(int(sizes[-1]))]
                self.cases[name, formulation] = (list(map(int, sizes)), np.array(states))

    def numbers(self):
        return [float(x) for x in self.process.stdout.readline().split()]

    def ask(self, *words):
        self.process.stdin.write(" | ".join(words) + "\n")
        self.process.stdin.flush()
        return self.numbers()

    def states(self, name):
        """q and v of the hinges along the motion, and how the tip is accelerated."""
        (n, *_), table = self.cases[name, "joints"]
        return table[:, 4 : 4 + n], table[:, 4 + n :], table[:, 1:4]

    def disagreement(self, name):
        """Of both formulations, whose states come from runs of their own."""
        joints, bodies = (self.cases[name, formulation][1][:, 1:4] for formulation in ("joints", "bodies"))
        return np.abs(joints - bodies).max() / np.abs(joints).max()


# ------------------------------------------------------------------------------------------------------- one acceleration


def accelerations(name, chain, holonom):
    q, v, pull = holonom.states(name)
    if name == "bricard":
        q, v = chain_angles(chain, q, v)
    contenders = {
        "Holonom, joints": (lambda: holonom.ask(name, "joints")[0], 0.0),
        "Holonom, bodies": (lambda: holonom.ask(name, "bodies")[0], holonom.disagreement(name)),
        **pinocchio(chain, q, v, pull),
        **in_mujoco(chain, q, v),
        **in_drake(chain, q, v),
    }
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(ASKED.rounds):
        for contender, (measure, _) in contenders.items():
            best[contender] = min(best[contender], measure())
    ours = min(best["Holonom, joints"], best["Holonom, bodies"])
    for contender, nanoseconds in best.items():
        apart = contenders[contender][1]
        shown = f"{apart:.0e}" if isinstance(apart, float) else apart
        print(f"| {name} | {contender} | {nanoseconds:.0f} ns | {ours / nanoseconds:.2f} | {shown} |", flush=True)


def chain_angles(chain, q, v):
    """From the hinges of Holonom's tree, which grows from both ends (0, 1, 2 and 5, 4), to those of a chain from one end."""

    def turn(i, angle):
        axis = [*chain.axes, chain.last][i]
        return pin.exp3(axis * angle)

    def third(at):
        near = turn(0, at[0]) @ turn(1, at[1]) @ turn(2, at[2])
        far = turn(5, -at[4]) @ turn(4, -at[3])
        return pin.log3(near.T @ far) @ chain.axes[3]

    def rate(at, speed, h=1e-5):
        # A central difference of fourth order: the rate is known to about 1e-11.
        f = [third(at + k * h * speed) for k in (-2, -1, 1, 2)]
        return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)

    angles = np.array([third(at) for at in q])
    rates = np.array([rate(at, speed) for at, speed in zip(q, v)])
    return np.column_stack([q[:, :3], angles, q[:, 3]]), np.column_stack([v[:, :3], rates, v[:, 3]])


def per_call(call, states):
    """Nanoseconds per call, over all states: the best of some passes."""
    best = float("inf")
    for _ in range(4):
        start = time.perf_counter()
        for q, v in states:
            call(q, v)
        best = min(best, time.perf_counter() - start)
    return best / len(states) * 1e9


def pinocchio(chain, q, v, pull):
    peer = chains.Pinocchio(chain)
    states = [peer.state(*state) for state in zip(q, v)]
    found = np.array([peer.pull(*state) for state in states])
    apart = np.abs(found - pull).max() / np.abs(pull).max()
    function, before, after = peer.call()
    model = pin.Model()
    data, none = model.createData(), np.zeros(0)
    rest = (none, *empty_loops(model, data)) if len(after) > 1 else (none,)

    def measure():
        whole = per_call(lambda q, v: function(*before, q, v, *after), states)
        return whole - per_call(lambda q, v: function(model, data, none, none, *rest), states)

    kind = "aba" if len(after) == 1 else "constraintDynamics"
    return {f"Pinocchio, {kind}": (measure, float(apart))}


def empty_loops(model, data):
    """What a call of constrained dynamics takes besides the state, without loops."""
    loops, loop_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    pin.initConstraintDynamics(model, data, loops, loop_data)
    return loops, loop_data, chains.EXACT


def in_mujoco(chain, q, v):
    """Its overhead is that of writing the state and of a call that looks at it."""
    model = chains.mujoco_model(chain)
    data = mujoco.MjData(model)
    states = list(zip(q, v))

    def turn(function):
        def call(q, v):
            data.qpos[:] = q
            data.qvel[:] = v
            function(model, data)

        return call

    def measure():
        return per_call(turn(mujoco.mj_forward), states) - per_call(turn(mujoco.mj_checkVel), states)

    is_soft = chain.last is not None or chain.rod is not None
    apart = "soft" if is_soft else distance(chain, states, lambda q, v: turn(mujoco.mj_forward)(q, v) or data.qacc)
    return {"MuJoCo, mj_forward": (measure, apart)}


def in_drake(chain, q, v):
    if chain.last is not None or chain.rod is not None:
        return {}
    try:
        plant, empty = chains.drake_plant(chain), chains.drake_plant(None)
    except ImportError:
        print("Drake cannot be installed here and is skipped.")
        return {}
    states = list(zip(q, v))

    def caller(plant, size):
        context = plant.CreateDefaultContext()

        def call(q, v):
            plant.SetPositions(context, q[:size])
            plant.SetVelocities(context, v[:size])
            return plant.EvalTimeDerivatives(context)

        return call

    ours, none = caller(plant, len(q[0])), caller(empty, 0)

    def measure():
        return per_call(ours, states) - per_call(none, states)

    found = lambda q, v: ours(q, v).CopyToVector()[len(q) :]  # noqa: E731
    return {"Drake, EvalTimeDerivatives": (measure, distance(chain, states, found))}


def distance(chain, states, accelerate):
    """How far a peer's accelerations are from Pinocchio's."""
    peer = chains.Pinocchio(chain)
    pairs = [(np.array(accelerate(q, v)), peer.accelerate(q, v)) for q, v in states]
    return float(max(np.abs(a - b).max() for a, b in pairs) / max(np.abs(b).max() for _, b in pairs))


# ------------------------------------------------------------------------------------------------------------------ 10 s


def ten_seconds(holonom):
    """Bricard's mechanism with the loosest tolerance that puts the vertex within 4e-8 of the truth after every second."""
    peer = chains.Pinocchio(chains.bricard())
    truth, check = (asked(holonom, formulation, 1e-13)[0] for formulation in ("joints", "bodies"))
    apart = np.abs(truth - check).max()
    print(f"\nBricard's mechanism, 10 s, vertex within {WANTED:g}; both formulations at 1e-13 are {apart:.0e} apart.\n")
    print("| contender | rtol | error | evaluations | time | Holonom's best is |")
    print("|---|---:|---:|---:|---:|---:|")
    contenders = {
        "Holonom, joints": lambda rtol, _: asked(holonom, "joints", rtol),
        "Holonom, bodies": lambda rtol, _: asked(holonom, "bodies", rtol),
        "Pinocchio, DOP853": lambda rtol, records: by_scipy(peer, rtol, records),
    }
    rows = {name: loosest(truth, run) for name, run in contenders.items()}
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(max(3, ASKED.rounds // 5)):
        for name, run in contenders.items():
            _, seconds, evaluations = run(rows[name][0], False)
            rows[name][2], best[name] = evaluations, min(best[name], seconds)
    alone = "Pinocchio, its accelerations alone"
    rows[alone] = rows["Pinocchio, DOP853"]
    best[alone] = rows[alone][2] * seconds_of_one(peer)
    ours = min(best["Holonom, joints"], best["Holonom, bodies"])
    for name, (rtol, error, evaluations) in rows.items():
        times = f"{best[name] * 1e3:.2f} ms | {ours / best[name]:.2f}"
        print(f"| {name} | {rtol:.0e} | {error:.0e} | {evaluations:.0f} | {times} |")


def loosest(truth, run):
    """The loosest tolerance that is good enough, and its error; room for the number of evaluations."""
    for step in range(28):
        rtol = 10 ** (-4 - step / 3)
        error = float(np.abs(run(rtol, True)[0] - truth).max())
        if error <= WANTED:
            return [rtol, error, 0]
    raise SystemExit("no tolerance is good enough")


def asked(holonom, formulation, rtol):
    seconds, evaluations, _, *tips = holonom.ask("run", "bricard", formulation, repr(rtol))
    return np.array(tips), seconds, evaluations


def by_scipy(peer, rtol, records):
    """10 s; with records, which take more evaluations, the vertex after every second."""
    n, tips = peer.model.nv, []

    def rate(t, y):
        return np.concatenate([y[n:], peer.accelerate(y[:n], y[n:])])

    start = time.perf_counter()
    method = DOP853(rate, 0.0, np.zeros(2 * n), 10.0, rtol=rtol, atol=1e-3 * rtol)
    while method.status == "running":
        method.step()
        while records and len(tips) < 10 and method.t >= len(tips) + 1:
            tips.append(peer.tip(method.dense_output()(len(tips) + 1)[:n]))
    return np.array(tips).ravel(), time.perf_counter() - start, method.nfev


def seconds_of_one(peer):
    """Of one acceleration at the start, overhead subtracted."""
    at = np.zeros((256, peer.model.nv))
    ((measure, _),) = pinocchio(peer.chain, at, at, np.ones((256, 3))).values()
    return min(measure() for _ in range(5)) * 1e-9


if __name__ == "__main__":
    main()
