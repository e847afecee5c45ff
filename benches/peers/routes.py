"""The same mechanisms in Pinocchio and in MuJoCo. Every joint frame lies along the world's axes in the picture.

Trees: Pinocchio's articulated-body algorithm, and MuJoCo's forward pass as a second witness. Loops: M, forces, Jacobians and
accelerations of points from Pinocchio; the rows that close them are written here and solved in the least M-norm, so that rows may
repeat: a = a0 + L^-T (J L^-T)^+ (-drift - J a0) with M = L L^T.
"""

from dataclasses import dataclass

import mujoco
import numpy as np
import pinocchio as pin

from mechanism import GROUND

KEPT = 1e-9  # singular values below this, relative to the largest, count as zero


@dataclass
class Answer:
    """Of every body: its point, velocity and acceleration, its spin and the rate of its spin."""

    p: np.ndarray
    v: np.ndarray
    a: np.ndarray
    w: np.ndarray
    e: np.ndarray
    freedom: int
    weakest: float  # the smallest singular value that was kept, relative to the largest
    dropped: float  # the largest that was not kept


class Pinocchio:
    def __init__(self, mechanism):
        self.mechanism, self.branches = mechanism, depth_first(mechanism.tree())
        self.model, self.id, self.origin = pin.Model(), {GROUND: 0}, {GROUND: np.zeros(3)}
        self.model.gravity.linear = mechanism.gravity
        for branch in self.branches:
            self.add(branch)
        self.data = self.model.createData()
        self.q, self.qd = pin.neutral(self.model), np.zeros(self.model.nv)

    def add(self, branch):
        body = self.mechanism.body(branch.body)
        joint = None if branch.joint is None else self.mechanism.joints[branch.joint]
        origin = body.place if joint is None else joint.place
        placement = pin.SE3(np.eye(3), origin - self.origin[branch.parent])
        model = joint_model(joint, branch.sign)
        number = self.model.addJoint(self.id[branch.parent], model, placement, f"b{branch.body}")
        R = body.rotation()
        centre = body.place + R @ body.centre - origin
        self.model.appendBodyToJoint(number, pin.Inertia(body.mass, centre, R @ body.inertia @ R.T), pin.SE3.Identity())
        self.id[branch.body], self.origin[branch.body] = number, origin

    def slot(self, body):
        """Where the velocities of the joint that carries a body are."""
        joint = self.model.joints[self.id[body]]
        return slice(joint.idx_v, joint.idx_v + joint.nv)

    def offset(self, body, place):
        """From the joint frame of a body to a place of the picture."""
        return place - self.origin[body]

    # ---- start

    def start(self, random, moved, moving):
        """Draws a start and writes it into the mechanism: joints turned (trees only), velocities that loops allow."""
        if moved:
            for branch in self.branches:
                joint = self.model.joints[self.id[branch.body]]
                if joint.nv == 1:
                    value = float(np.round(random.uniform(-2, 2), 3))
                    self.q[joint.idx_q] = value
                    self.mechanism.values[branch.joint] = value
        if moving:
            self.qd = self.allowed(random.uniform(-2, 2, self.model.nv))
            self.write_velocities()

    def allowed(self, wish):
        J, _ = self.rows(np.zeros(self.model.nv), np.zeros(self.model.nv))
        if J.shape[0] == 0:
            return wish
        _, sizes, V = np.linalg.svd(J)
        rank = int(np.sum(sizes > KEPT * max(sizes[0], 1e-300)))
        free = V[rank:]
        rates = free.T @ (free @ wish)
        rates[np.abs(rates) < 1e-13] = 0
        return rates

    def write_velocities(self):
        pin.forwardKinematics(self.model, self.data, self.q, self.qd)
        for branch in self.branches:
            rates = self.qd[self.slot(branch.body)]
            if len(rates) == 1:
                self.mechanism.rates[branch.joint] = rates[0]
                continue
            motion = self.velocity(branch.body)
            self.mechanism.spins[branch.body] = motion[1]
            if branch.joint is None:
                self.mechanism.velocities[branch.body] = motion[0]

    # ---- kinematics, in the world

    def velocity(self, body):
        """Of the origin of the joint frame: velocity and spin."""
        if body == GROUND:
            return np.zeros(3), np.zeros(3)
        motion = pin.getVelocity(self.model, self.data, self.id[body], pin.LOCAL_WORLD_ALIGNED)
        return motion.linear.copy(), motion.angular.copy()

    def acceleration(self, body):
        if body == GROUND:
            return np.zeros(3), np.zeros(3)
        motion = pin.getClassicalAcceleration(self.model, self.data, self.id[body], pin.LOCAL_WORLD_ALIGNED)
        return motion.linear.copy(), motion.angular.copy()

    def arm(self, body, offset):
        """From the origin of the joint frame to a point, in the world."""
        return offset if body == GROUND else self.data.oMi[self.id[body]].rotation @ offset

    def point(self, body, offset):
        """Position, velocity and acceleration of a point that is fixed to a body."""
        r, (v, w), (a, e) = self.arm(body, offset), self.velocity(body), self.acceleration(body)
        origin = np.zeros(3) if body == GROUND else self.data.oMi[self.id[body]].translation
        return origin + r, v + np.cross(w, r), a + np.cross(e, r) + np.cross(w, np.cross(w, r))

    def jacobian(self, body, offset):
        """Of a point's velocity, and of the spin."""
        if body == GROUND:
            return np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        J = pin.getJointJacobian(self.model, self.data, self.id[body], pin.LOCAL_WORLD_ALIGNED)
        r = self.arm(body, offset)
        return J[:3] - pin.skew(r) @ J[3:], J[3:]

    # ---- loops

    def rows(self, qd, qdd):
        """The rows J of all loops, and the acceleration J qdd + J' qd by which they part."""
        pin.forwardKinematics(self.model, self.data, self.q, qd, qdd)
        pin.computeJointJacobians(self.model, self.data, self.q)
        found = [self.rows_of(joint) for joint in self.mechanism.closing()]
        none = (np.zeros((0, self.model.nv)), np.zeros(0))
        return tuple(map(np.concatenate, zip(*found, none)))

    def rows_of(self, joint):
        """Loops are closed where everything was placed: both ends at one place, axes along each other."""
        A, B = joint.first, joint.second
        rA, rB = self.offset(A, joint.place), self.offset(B, joint.place)
        (_, vA, aA), (_, vB, aB) = self.point(A, rA), self.point(B, rB)
        (_, wA), (_, wB), (_, eA), (_, eB) = self.velocity(A), self.velocity(B), self.acceleration(A), self.acceleration(B)
        (JA, TA), (JB, TB) = self.jacobian(A, rA), self.jacobian(B, rB)
        J, T = JB - JA, TB - TA
        apart, turned = aB - aA, eB - eA
        if joint.kind == "ball":
            return J, apart
        across = normals(joint.axis)  # fixed to A: they move with wA
        moved = np.cross(wA, across)
        if joint.kind == "hinge":
            return np.vstack([J, across @ T]), np.concatenate([apart, across @ turned + moved @ (wB - wA)])
        return np.vstack([across @ J, T]), np.concatenate([across @ apart + 2 * moved @ (vB - vA), turned])

    # ---- the answer

    def answer(self):
        J, drift = self.rows(self.qd, np.zeros(self.model.nv))
        qdd, rank, weakest, dropped = pin.aba(self.model, self.data, self.q, self.qd, np.zeros(self.model.nv)), 0, 1.0, 0.0
        if len(drift):
            qdd, rank, weakest, dropped = self.closed(J, drift)
        pin.forwardKinematics(self.model, self.data, self.q, self.qd, qdd)
        self.qdd = qdd
        found = [self.of(number, body) for number, body in enumerate(self.mechanism.bodies, 1)]
        return Answer(*map(np.array, zip(*found)), self.model.nv - rank, weakest, dropped)

    def closed(self, J, drift):
        M = pin.crba(self.model, self.data, self.q)
        M = np.triu(M) + np.triu(M, 1).T
        L = np.linalg.cholesky(M)
        a0 = np.linalg.solve(M, -pin.nonLinearEffects(self.model, self.data, self.q, self.qd))
        B = np.linalg.solve(L, J.T).T
        sizes = np.linalg.svd(J, compute_uv=False)
        sizes = sizes / max(sizes[0], 1e-300)
        rank = int(np.sum(sizes > KEPT))
        U, s, V = np.linalg.svd(B, full_matrices=False)
        miss = -drift - J @ a0
        step = V[:rank].T @ ((U[:, :rank].T @ miss) / s[:rank])
        self.contradiction = np.linalg.norm(U[:, rank:].T @ miss)
        weakest, dropped = (sizes[rank - 1] if rank else 1.0), (sizes[rank] if rank < len(sizes) else 0.0)
        return a0 + np.linalg.solve(L.T, step), rank, weakest, dropped

    def of(self, number, body):
        offset = body.place + body.rotation() @ body.point - self.origin[number]
        p, v, a = self.point(number, offset)
        return p, v, a, self.velocity(number)[1], self.acceleration(number)[1]


def depth_first(branches, parent=GROUND):
    """The order that Pinocchio needs: its mass matrix is wrong where the bodies of one branch are not numbered in a row."""
    return [x for branch in branches if branch.parent == parent for x in (branch, *depth_first(branches, branch.body))]


def joint_model(joint, sign):
    if joint is None:
        return pin.JointModelFreeFlyer()
    if joint.kind == "ball":
        return pin.JointModelSpherical()
    axis = sign * joint.axis / np.linalg.norm(joint.axis)
    return pin.JointModelRevoluteUnaligned(axis) if joint.kind == "hinge" else pin.JointModelPrismaticUnaligned(axis)


def normals(axis):
    """Two unit vectors normal to an axis, as rows."""
    return np.linalg.svd(axis[None, :])[2][1:]


def mujoco_accelerations(mechanism, route):
    """Accelerations of points and of spins of a tree, at the state of the other route."""
    model = mujoco.MjModel.from_xml_string(mujoco_text(mechanism, route))
    data = mujoco.MjData(model)
    for branch in route.branches:
        joint = model.joint(f"j{branch.body}")
        at, rates = route.q[route.model.joints[route.id[branch.body]].idx_q], route.qd[route.slot(branch.body)]
        if len(rates) == 1:
            data.qpos[joint.qposadr[0]] = at
        data.qvel[joint.dofadr[0] : joint.dofadr[0] + len(rates)] = rates
    mujoco.mj_forward(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    found = [mujoco_acceleration(model, data, number, body, route) for number, body in enumerate(mechanism.bodies, 1)]
    return tuple(map(np.array, zip(*found)))


def mujoco_acceleration(model, data, number, body, route):
    here, both, velocity = model.body(f"b{number}").id, np.zeros(6), np.zeros(6)
    mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, here, both, 0)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, here, velocity, 0)
    e, a, w = both[:3], both[3:] + model.opt.gravity, velocity[:3]  # it counts gravity as an acceleration upwards
    offset = body.place + body.rotation() @ body.point - route.origin[number]
    r = data.xmat[here].reshape(3, 3) @ offset
    return a + np.cross(e, r) + np.cross(w, np.cross(w, r)), e


def mujoco_text(mechanism, route):
    """The model in MuJoCo's form: bodies inside each other, without geometry."""
    inner = {number: [] for number in range(len(mechanism.bodies) + 1)}
    for branch in route.branches:
        inner[branch.parent].append(branch)

    def write(branch):
        body, R = mechanism.body(branch.body), mechanism.body(branch.body).rotation()
        place = route.origin[branch.body] - route.origin[branch.parent]
        centre, J = body.place + R @ body.centre - route.origin[branch.body], R @ body.inertia @ R.T
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        inertial = f'<inertial pos="{numbers(centre)}" mass="{body.mass!r}" fullinertia="{numbers(full)}"/>'
        joint = None if branch.joint is None else mechanism.joints[branch.joint]
        kind = {"hinge": "hinge", "slider": "slide", "ball": "ball"}[joint.kind] if joint else "free"
        axis = f' axis="{numbers(branch.sign * joint.axis)}"' if joint and joint.axis is not None else ""
        parts = [inertial, f'<joint name="j{branch.body}" type="{kind}"{axis}/>', *map(write, inner[branch.body])]
        return f'<body name="b{branch.body}" pos="{numbers(place)}">{"".join(parts)}</body>'

    bodies = "".join(map(write, inner[GROUND]))
    option = f'<compiler angle="radian"/><option gravity="{numbers(mechanism.gravity)}"/>'
    return f"<mujoco>{option}<worldbody>{bodies}</worldbody></mujoco>"


def numbers(values):
    return " ".join(repr(float(x)) for x in values)
