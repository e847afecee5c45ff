"""Random mechanisms: bodies, joints and a start, as data and as the text of a model."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np

GROUND = 0
AXES = {"x": 0, "y": 1, "z": 2}


@dataclass
class Body:
    """A rigid body at its place in the picture. Inertia and centre are along its own axes."""

    mass: float
    inertia: np.ndarray  # about the centre of mass
    centre: np.ndarray
    place: np.ndarray
    turns: list  # (axis, angle), each about the axes of the body
    box: tuple | None  # sides, if it is a box
    point: np.ndarray  # the point whose acceleration is compared

    def rotation(self):
        R = np.eye(3)
        for axis, angle in self.turns:
            R = R @ turn(axis, angle)
        return R


@dataclass
class Joint:
    """A joint between two bodies, by number; 0 is the ground. The second turns relative to the first."""

    kind: str  # hinge, slider, ball
    first: int
    second: int
    place: np.ndarray
    axis: np.ndarray | None


@dataclass
class Branch:
    """A body on the tree of joints: the joint that carries it (none: it is free) and the body it is carried by."""

    body: int
    joint: int | None
    parent: int
    sign: float  # -1 where the joint names the carried body first


@dataclass
class Mechanism:
    style: str
    gravity: np.ndarray
    bodies: list
    joints: list
    values: dict = field(default_factory=dict)  # joint -> start value
    rates: dict = field(default_factory=dict)  # joint -> start rate
    spins: dict = field(default_factory=dict)  # body -> start spin
    velocities: dict = field(default_factory=dict)  # free body -> start velocity

    def body(self, number):
        return self.bodies[number - 1]

    def tree(self):
        """Breadth first from the ground, in the order of the joints; what is left hangs on free bodies."""
        branches, known = [], {GROUND}
        for root in range(len(self.bodies) + 1):
            if root in known and root != GROUND:
                continue
            if root != GROUND:
                known.add(root)
                branches.append(Branch(root, None, GROUND, 1.0))
            waiting = deque([root])
            while waiting:
                parent = waiting.popleft()
                for number, joint in enumerate(self.joints):
                    for near, far, sign in ((joint.first, joint.second, 1.0), (joint.second, joint.first, -1.0)):
                        if near == parent and far not in known:
                            known.add(far)
                            branches.append(Branch(far, number, parent, sign))
                            waiting.append(far)
        return branches

    def closing(self):
        """The joints that close loops."""
        used = {branch.joint for branch in self.tree()}
        return [joint for number, joint in enumerate(self.joints) if number not in used]


def turn(axis, angle):
    i = AXES[axis]
    j, k = (i + 1) % 3, (i + 2) % 3
    R, c, s = np.eye(3), np.cos(angle), np.sin(angle)
    R[j, j] = R[k, k] = c
    R[j, k], R[k, j] = -s, s
    return R


# ------------------------------------------------------------------------------------------------------------ drawing

STYLES = ["tree", "tree", "spatial loops", "parallel axes", "common point"]


def draw(random):
    """A random mechanism at its picture, without start values."""
    style = STYLES[random.integers(len(STYLES))]
    count = int(random.integers(1, 13))
    bodies = [draw_body(random) for _ in range(count)]
    gravity = rounded(random.normal(size=3) * 6)
    joints = draw_joints(random, style, count)
    return Mechanism(style, gravity, bodies, joints)


def draw_body(random):
    turns = [("xyz"[random.integers(3)], rounded(random.uniform(-3, 3))) for _ in range(random.integers(3))]
    mass, place, point = rounded(random.uniform(0.3, 3)), rounded(random.uniform(-1, 1, 3)), rounded(random.uniform(-1, 1, 3))
    a, b, c = sides = tuple(rounded(random.uniform(0.3, 1.5, 3)))
    inertia = mass / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    if random.random() < 0.5:
        return Body(mass, inertia, np.zeros(3), place, turns, sides, point)
    R = turn("x", random.uniform(-3, 3)) @ turn("y", random.uniform(-3, 3))
    inertia = R @ inertia @ R.T
    inertia = rounded((inertia + inertia.T) / 2, 6)
    return Body(mass, inertia, rounded(random.uniform(-0.5, 0.5, 3)), place, turns, None, point)


def draw_joints(random, style, count):
    axis, centre = direction(random), rounded(random.uniform(-1, 1, 3))
    chain = random.random() < 0.5
    joints = []
    for body in range(1, count + 1):
        parent = body - 1 if chain and random.random() < 0.8 else int(random.integers(body))
        if parent == GROUND and random.random() < 0.15:
            continue  # a free body
        joints.append(draw_joint(random, style, parent, body, axis, centre))
    if style != "tree" and count > 1:
        for _ in range(random.integers(1, 4)):
            first, second = random.choice(count + 1, 2, replace=False)
            joints.append(draw_joint(random, style, int(first), int(second), axis, centre))
    order = random.permutation(len(joints)) if random.random() < 0.3 else range(len(joints))
    return [joints[i] for i in order]


def draw_joint(random, style, first, second, axis, centre):
    """Between two bodies. Where axes are parallel or meet in a point, loops can move."""
    if random.random() < 0.5:
        first, second = second, first
    place = rounded(random.uniform(-1, 1, 3))
    if style == "parallel axes":
        if random.random() < 0.2:
            return Joint("slider", first, second, place, rounded(np.cross(axis, direction(random)), 9))
        return Joint("hinge", first, second, place, axis)
    if style == "common point":
        if random.random() < 0.1:
            return Joint("ball", first, second, centre, None)
        return Joint("hinge", first, second, centre, direction(random))
    kind = ["hinge", "hinge", "slider", "ball"][random.integers(4)]
    return Joint(kind, first, second, place, None if kind == "ball" else direction(random))


def direction(random):
    """A direction, not of unit length, whose components have few digits."""
    while True:
        axis = rounded(random.uniform(-1, 1, 3))
        if np.linalg.norm(axis) > 0.3:
            return axis


def rounded(values, digits=3):
    values = np.round(values, digits)
    return float(values) if np.ndim(values) == 0 else values


# ---------------------------------------------------------------------------------------------------------------- text


def text(mechanism, formulation):
    """The model, with the point, its velocity and acceleration, the spin and its rate of each body as outputs."""
    lines = [f"# {mechanism.style}", f"formulation {formulation}"]
    lines += [body_text(number, body) for number, body in enumerate(mechanism.bodies, 1)]
    lines.append(f"gravity {tuple_text(mechanism.gravity)}")
    lines += [joint_text(number, joint) for number, joint in enumerate(mechanism.joints)]
    starts = start_texts(mechanism)
    if starts:
        lines.append("start " + ",\n  ".join(starts))
    for number, body in enumerate(mechanism.bodies, 1):
        point = f"b{number}{tuple_text(body.point)}"
        lines += [f"output p{number}: {point}", f"output v{number}: ({point})'", f"output a{number}: ({point})''"]
        lines += [f"output w{number}: b{number}.spin", f"output e{number}: (b{number}.spin)'"]
    return "\n".join(lines) + "\n"


def body_text(number, body):
    if body.box:
        what = f"box({', '.join(map(repr, map(float, body.box)))}) of {body.mass!r}"
    else:
        rows = ", ".join("[" + ", ".join(repr(float(x)) for x in row) + "]" for row in body.inertia)
        what = f"mass = {body.mass!r}, inertia = [{rows}], centre = {tuple_text(body.centre)}"
    turns = ", then ".join(f"{axis} by {angle!r}" for axis, angle in body.turns)
    return f"body b{number}: {what}, at {tuple_text(body.place)}" + (f", turned {turns}" if turns else "")


def joint_text(number, joint):
    ends = ", ".join("ground" if end == GROUND else f"b{end}" for end in (joint.first, joint.second))
    axis = "" if joint.axis is None else f", axis {tuple_text(joint.axis)}"
    return f"joint j{number}: {joint.kind}({ends}), at {tuple_text(joint.place)}{axis}"


def start_texts(mechanism):
    starts = [f"j{joint} = {float(value)!r}" for joint, value in mechanism.values.items()]
    starts += [f"j{joint}' = {float(rate)!r}" for joint, rate in mechanism.rates.items()]
    starts += [f"b{body}.spin = {tuple_text(spin)}" for body, spin in mechanism.spins.items()]
    for body, velocity in mechanism.velocities.items():
        starts += [f"b{body}.{axis}' = {float(rate)!r}" for axis, rate in zip("xyz", velocity)]
    return starts


def tuple_text(values):
    return "(" + ", ".join(repr(float(x)) for x in values) + ")"
