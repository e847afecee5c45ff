"""The arm (P11) and Bricard's mechanism (P8) in Pinocchio, MuJoCo and Drake.

Every joint frame lies along the world's axes in the placement, so that angle 0 is the placement.
"""

from dataclasses import dataclass

import mujoco
import numpy as np
import pinocchio as pin

SIDE = 0.1  # of the square section of every link
EXACT = pin.ProximalSettings(1e-10, 1e-8, 2)  # the fastest settings with which constrained dynamics agree to 1e-9


@dataclass
class Chain:
    """Boxes end to end on hinges, from the ground on."""

    points: np.ndarray
    axes: np.ndarray
    masses: list
    gravity: np.ndarray
    tip: tuple  # (link, place) of the point that is compared
    rod: tuple | None = None  # (link, place, link, place)
    last: np.ndarray | None = None  # axis of a hinge that joins the end to the ground

    def inertia(self, i):
        """Of a link about its centre, along the world's axes."""
        d = self.points[i + 1] - self.points[i]
        length = np.linalg.norm(d)
        along, across = SIDE**2 / 6, (length**2 + SIDE**2) / 12
        return self.masses[i] * (across * np.eye(3) + (along - across) * np.outer(d, d) / length**2)


def arm(bend, rod):
    lengths, e = [0.4, 0.6, 0.12, 0.5, 0.1, 0.08], np.array([np.cos(bend), 0, -np.sin(bend)])
    x, y, z = np.eye(3)
    steps = [length * (x if i < 2 else e) for i, length in enumerate(lengths)]
    points = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    middle = (points[:-1] + points[1:]) / 2
    ends = (1, middle[1], 3, middle[3]) if rod else None
    return Chain(points, np.array([z, y, y, e, y, e]), [20, 12, 6, 4, 2, 0.5], np.array([0, 0, -9.81]), (5, points[6]), ends)


def bricard():
    points = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float)
    axes = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    return Chain(points, axes, [1] * 5, np.array([0, -9.81, 0]), (2, points[3]), last=np.array([1.0, 0, 0]))


# ------------------------------------------------------------------------------------------------------------ Pinocchio


class Pinocchio:
    """Articulated bodies; with a loop constrained dynamics, Bricard's last hinge as two points on its axis."""

    ROD_MASS = 1e-3  # a rod is a body there: it cannot be without mass

    def __init__(self, chain):
        self.chain, self.model = chain, pin.Model()
        self.model.gravity.linear = chain.gravity
        self.origin, parent = np.zeros(3), 0
        for i, axis in enumerate(chain.axes):
            parent = self.add(parent, revolute(axis), chain.points[i], i)
        self.loops = pin.StdVec_RigidConstraintModel()
        if chain.last is not None:
            for along in (0, 0.5):
                self.tie(parent, self.origin, 0, np.zeros(3), chain.points[5] + along * chain.last)
        if chain.rod:
            self.add_rod(*chain.rod)
        self.data, self.loop_data = self.model.createData(), pin.StdVec_RigidConstraintData()
        for loop in self.loops:
            self.loop_data.append(loop.createData())
        if len(self.loops):
            pin.initConstraintDynamics(self.model, self.data, self.loops, self.loop_data)
        self.no_torque = np.zeros(self.model.nv)

    def add(self, parent, joint, place, i):
        number = self.model.addJoint(parent, joint, pin.SE3(np.eye(3), place - self.origin), f"h{i}")
        self.origin = place
        centre = (self.chain.points[i + 1] - place) / 2
        body = pin.Inertia(self.chain.masses[i], centre, self.chain.inertia(i))
        self.model.appendBodyToJoint(number, body, pin.SE3.Identity())
        return number

    def tie(self, one, origin_one, other, origin_other, place):
        """Two bodies share the point that is at a place in the placement."""
        frames = [pin.SE3(np.eye(3), place - origin) for origin in (origin_one, origin_other)]
        kind, frame = pin.ContactType.CONTACT_3D, pin.ReferenceFrame.LOCAL
        self.loops.append(pin.RigidConstraintModel(kind, self.model, one, frames[0], other, frames[1], frame))

    def add_rod(self, first, start, second, end):
        """A light body on a ball joint, whose far end is tied; there is no constraint for a distance."""
        points = self.chain.points
        placement = pin.SE3(np.eye(3), start - points[first])
        rod = self.model.addJoint(first + 1, pin.JointModelSpherical(), placement, "rod")
        half = (end - start) / 2
        inertia = self.ROD_MASS * (half @ half / 3) * np.eye(3)
        self.model.appendBodyToJoint(rod, pin.Inertia(self.ROD_MASS, half, inertia), pin.SE3.Identity())
        self.tie(rod, start, second + 1, points[second], end)

    def state(self, q, v):
        """Of all joints, from those of the hinges: the rod follows."""
        if not self.chain.rod:
            return q, v
        first, start, second, end = self.chain.rod
        points, full, rates = self.chain.points, pin.neutral(self.model), np.zeros(self.model.nv)
        q_at, v_at = self.slots()
        full[q_at[:-1]], rates[v_at[:-1]] = q, v
        pin.forwardKinematics(self.model, self.data, full, rates)
        one, other = self.data.oMi[first + 1], self.data.oMi[second + 1]
        a, b = one.act(start - points[first]), other.act(end - points[second])
        turn = rotation_between(end - start, one.rotation.T @ (b - a))
        full[q_at[-1] : q_at[-1] + 4] = pin.Quaternion(turn).coeffs()
        speeds = [self.speed(first + 1, start - points[first]), self.speed(second + 1, end - points[second])]
        spin = np.cross(b - a, speeds[1] - speeds[0]) / ((b - a) @ (b - a))
        relative = spin - pin.getVelocity(self.model, self.data, first + 1, pin.LOCAL_WORLD_ALIGNED).angular
        rates[v_at[-1] : v_at[-1] + 3] = turn.T @ one.rotation.T @ relative
        return full, rates

    def slots(self):
        joints = [self.model.joints[self.model.getJointId(name)] for name in [*(f"h{i}" for i in range(6)), "rod"]]
        return [joint.idx_q for joint in joints], [joint.idx_v for joint in joints]

    def speed(self, joint, offset):
        motion = pin.getVelocity(self.model, self.data, joint, pin.LOCAL_WORLD_ALIGNED)
        return motion.linear + np.cross(motion.angular, self.data.oMi[joint].rotation @ offset)

    def accelerate(self, q, v):
        if len(self.loops) == 0:
            return pin.aba(self.model, self.data, q, v, self.no_torque)
        return pin.constraintDynamics(self.model, self.data, q, v, self.no_torque, self.loops, self.loop_data, EXACT)

    def call(self):
        """The function to time, and its arguments before and after the state."""
        if len(self.loops) == 0:
            return pin.aba, (self.model, self.data), (self.no_torque,)
        return pin.constraintDynamics, (self.model, self.data), (self.no_torque, self.loops, self.loop_data, EXACT)

    def pull(self, q, v):
        """The acceleration of the tip."""
        joint, place = self.chain.tip
        pin.forwardKinematics(self.model, self.data, q, v, self.accelerate(q, v))
        motion = pin.getClassicalAcceleration(self.model, self.data, joint + 1, pin.LOCAL_WORLD_ALIGNED)
        w = pin.getVelocity(self.model, self.data, joint + 1, pin.LOCAL_WORLD_ALIGNED).angular
        r = self.data.oMi[joint + 1].rotation @ (place - self.chain.points[joint])
        return motion.linear + np.cross(motion.angular, r) + np.cross(w, np.cross(w, r))

    def tip(self, q):
        joint, place = self.chain.tip
        pin.forwardKinematics(self.model, self.data, q)
        return self.data.oMi[joint + 1].act(place - self.chain.points[joint])


def revolute(axis):
    """The special joint about an axis of the frame where there is one: it is faster."""
    for special, unit in zip((pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ), np.eye(3)):
        if np.allclose(axis, unit):
            return special()
    return pin.JointModelRevoluteUnaligned(axis / np.linalg.norm(axis))


def rotation_between(a, b):
    return pin.Quaternion.FromTwoVectors(a, b).toRotationMatrix()


# --------------------------------------------------------------------------------------------------------------- MuJoCo


def mujoco_model(chain):
    """Loops are soft there: a rod is a tendon of fixed length, Bricard's last hinge two points that are joined."""

    def link(i):
        place = chain.points[i] - (chain.points[i - 1] if i else 0)
        J, centre = chain.inertia(i), (chain.points[i + 1] - chain.points[i]) / 2
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        inner = link(i + 1) if i + 1 < len(chain.axes) else ""
        inertial = f'<inertial pos="{row(centre)}" mass="{chain.masses[i]}" fullinertia="{row(full)}"/>'
        joint = f'<joint name="h{i}" type="hinge" axis="{row(chain.axes[i])}"/>'
        return f'<body name="l{i}" pos="{row(place)}">{inertial}{joint}{site(chain, i)}{inner}</body>'

    option = f'<compiler angle="radian"/><option gravity="{row(chain.gravity)}"/>'
    return mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{link(0)}</worldbody>{loops(chain)}</mujoco>")


def site(chain, i):
    if not chain.rod or i not in chain.rod[::2]:
        return ""
    place = chain.rod[1 if i == chain.rod[0] else 3]
    return f'<site name="s{i}" pos="{row(place - chain.points[i])}"/>'


def loops(chain):
    if chain.last is not None:
        at = [chain.points[5] - chain.points[4] + along * chain.last for along in (0, 0.5)]
        ties = "".join(f'<connect body1="l4" anchor="{row(place)}"/>' for place in at)
        return f"<equality>{ties}</equality>"
    if chain.rod:
        sites = "".join(f'<site site="s{i}"/>' for i in chain.rod[::2])
        return f'<tendon><spatial name="bar">{sites}</spatial></tendon><equality><tendon tendon1="bar"/></equality>'
    return ""


def row(values):
    return " ".join(repr(float(x)) for x in values)


# ---------------------------------------------------------------------------------------------------------------- Drake


def drake_plant(chain):
    """A plant in continuous time, which has no loops; without a chain an empty one."""
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    if chain is not None:
        parent = plant.world_frame()
        plant.mutable_gravity_field().set_gravity_vector(chain.gravity)
        for i in range(len(chain.axes)):
            parent = add_to_plant(plant, parent, chain, i)
    plant.Finalize()
    return plant


def add_to_plant(plant, parent, chain, i):
    from pydrake.math import RigidTransform
    from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, RotationalInertia, SpatialInertia

    m, centre, J = chain.masses[i], (chain.points[i + 1] - chain.points[i]) / 2, chain.inertia(i)
    J = J + m * (centre @ centre * np.eye(3) - np.outer(centre, centre))  # about the origin of the link
    inertia = RotationalInertia(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    body = plant.AddRigidBody(f"l{i}", SpatialInertia.MakeFromCentralInertia(m, centre, inertia.ShiftToCenterOfMass(m, centre)))
    place = chain.points[i] - (chain.points[i - 1] if i else 0)
    frame = plant.AddFrame(FixedOffsetFrame(f"f{i}", parent, RigidTransform(place)))
    plant.AddJoint(RevoluteJoint(f"h{i}", frame, body.body_frame(), chain.axes[i]))
    return body.body_frame()
