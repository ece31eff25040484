"""Loads in joints at every output instant: closed forms, and Newton and Euler for every case.

The balance is made here from what the results hold: motions, joint loads at their points, loads
of adapters (added mass included) and values of elements, turned into wrenches on their bodies.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cosim

CASES = Path(__file__).parents[2] / "cases"
G = 9.81
FILES = sorted(path for path in CASES.glob("*/*.yaml") if path.read_text().count("\ncase: 1"))
ROUNDING = 1e-12  # of the largest load of the case


# --- the pendulum ------------------------------------------------------------------------------


def hinge(results):
    """Load in the hinge along the link, away from its centre of gravity, and across it."""
    angle = np.radians(results.joint_rotation_deg.values[:, 0])
    force = results.joint_force.sel(joint="hinge").values
    along = np.stack([np.sin(angle), 0 * angle, np.cos(angle)], axis=1)
    across = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    return angle, np.sum(force * along, axis=1), np.sum(force * across, axis=1)


def test_pendulum_at_rest_hangs_on_its_weight():
    results = cosim.run(cosim.read_case(CASES / "single_pendulum", ["push=0", "time.end=1"]))
    np.testing.assert_allclose(
        results.joint_force.values[:, 0], [[0.0, 0.0, G]] * results.sizes["time"], atol=1e-14
    )
    np.testing.assert_array_equal(results.joint_moment.values, 0.0)
    np.testing.assert_array_equal(results.joint_point.values, 0.0)


@pytest.mark.parametrize("push", [-0.4, 6.0])
def test_pendulum_in_motion_has_the_closed_form(push):
    """m (g cos + r w²) along, m g sin J / (J + m r²) across; swinging, and going round."""
    results = cosim.run(cosim.read_case(CASES / "single_pendulum", [f"push={push}"]))
    angle, along, across = hinge(results)
    rate = results.joint_rate.values[:, 0]
    m, J, r = 1.0, 1.0, 0.5
    assert (np.abs(angle).max() > np.pi) == (push == 6.0)
    np.testing.assert_allclose(along, m * (G * np.cos(angle) + r * rate**2), rtol=0, atol=1e-12)
    # the link turns about +y: across is where it pushes the link back
    expected = m * G * np.sin(angle) * J / (J + m * r**2)
    np.testing.assert_allclose(across, -expected, rtol=0, atol=1e-12)
    assert np.abs(results.joint_moment.values).max() < 1e-13  # a hinge passes none about y
    assert np.abs(results.joint_force.sel(xyz="y").values).max() == 0.0


def test_released_rod_pushes_back_with_a_quarter_of_its_weight(script):
    """Uniform rods let go horizontally: m g / 4 in the first hinge of one link."""
    chain = script("n_pendulum", "chain").chain
    results = cosim.run(chain(1, end=0.1))
    expected = [0.0, 0.0, 10.0 * G / 4.0]
    np.testing.assert_allclose(results.joint_force.values[0, 0], expected, atol=1e-12)


# --- every case ----------------------------------------------------------------------------------


class Books:
    """Wrenches on all bodies about their centres of gravity over a run, (times, n, 6)."""

    def __init__(self, case, results):
        self.case, self.results = case, results
        self.names = list(case.bodies)
        self.r = results.position.values
        rpy = results.attitude_deg.values[..., ::-1]
        self.R = Rotation.from_euler("ZYX", rpy.reshape(-1, 3), degrees=True).as_matrix()
        self.R = self.R.reshape(*self.r.shape, 3)
        self.wrench = np.zeros((*self.r.shape[:2], 6))
        self.largest = 0.0

    def add(self, body, force, at, moment=0.0):
        if body == "earth":
            return
        k = self.names.index(body)
        self.wrench[:, k, :3] += force
        self.wrench[:, k, 3:] += moment + np.cross(at - self.r[:, k], force)
        self.largest = max(self.largest, np.abs(force).max())

    def place(self, address):
        """Body, and where the point is now."""
        body, at = self.case.point(address)
        return body, self.moved(body, at)

    def moved(self, body, at):
        if body == "earth":
            return np.broadcast_to(np.array(at), (len(self.r), 3))
        k = self.names.index(body)
        arm = np.subtract(at, self.case.bodies[body].cog)
        return self.r[:, k] + self.R[:, k] @ arm

    def vector(self, name, quantity):
        return np.stack(
            [self.results[f"element/{name}/{quantity}_{axis}"].values for axis in "xyz"], axis=1
        )

    def add_loads(self):
        """Weight, adapters and elements; those on coordinates of joints are in the joint loads."""
        for k, (name, body) in enumerate(self.case.bodies.items()):
            weight = body.mass * body.gravity_scale * self.case.environment.gravity
            self.add(name, np.array([[0.0, 0.0, -weight]]), self.r[:, k])
        for source in self.case.adapters:
            for k, name in enumerate(self.names):
                here = self.results.sel(source=source, body=name)
                self.add(name, here.force.values, self.r[:, k], here.moment.values)
        for name, element in self.case.elements.items():
            getattr(self, f"add_{element.type}")(name, element)

    def add_joint(self, name, element):
        pass

    def add_force(self, name, element):
        body, at = self.place(element.point)
        self.add(body, self.vector(name, "force"), at, self.vector(name, "moment"))

    def add_tension(self, name, element):
        (first, a), (second, b) = map(self.place, element.points)
        direction = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
        pull = self.results[f"element/{name}/tension"].values[:, None] * direction
        self.add(first, pull, a)
        self.add(second, -pull, b)

    def add_torsion(self, name, element):
        first, second = element.bodies
        axis = np.array(element.axis) / np.linalg.norm(element.axis)
        turned = self.R[:, self.names.index(first)] @ axis
        # nothing turns out of the axis in any of the cases
        np.testing.assert_allclose(self.R[:, self.names.index(second)] @ axis, turned, atol=1e-12)
        moment = self.results[f"element/{name}/moment"].values[:, None] * turned
        for body, sign in ((second, 1.0), (first, -1.0)):
            self.add(body, np.zeros(3), self.r[:, 0], sign * moment)

    def add_matrix(self, name, element):
        at = self.moved(element.body, element.at)
        force, moment = self.vector(name, "force"), self.vector(name, "moment")
        self.add(element.body, force, at, moment)
        self.add(element.reference, -force, at, -moment)

    def add_joints(self, of_earth_only=False):
        for name, joint in self.case.joints.items():
            here = self.results.sel(joint=name)
            load = here.joint_force.values, here.joint_point.values, here.joint_moment.values
            if joint.parent == "earth" or not of_earth_only:
                self.add(joint.child, *load)
            if not of_earth_only:
                force, at, moment = load
                self.add(joint.parent, -force, at, -moment)

    def freedom(self, joint):
        """Directions that a joint leaves free, world axes: (times, 6) each, one per speed."""
        turn = np.eye(3)
        if joint.parent != "earth":
            turn = self.R[:, self.names.index(joint.parent)]
        none = np.zeros((len(self.r), 3))

        def direction(axis, turn=turn):
            vector = np.array(axis) / np.linalg.norm(axis)
            return np.broadcast_to(turn @ vector, none.shape)

        def force(axis):
            return np.concatenate([direction(axis), none], axis=1)

        def moment(axis):
            return np.concatenate([none, direction(axis)], axis=1)

        x, y, z = np.eye(3)
        match joint.type:
            case "revolute":
                return [moment(joint.axis)]
            case "prismatic":
                return [force(joint.axis)]
            case "cylindrical":
                return [force(joint.axis), moment(joint.axis)]
            case "planar" if joint.plane == "xz":
                return [force(x), force(z), moment(y)]
            case "universal":
                of_child = self.R[:, self.names.index(joint.child)]
                second = np.concatenate([none, direction(joint.axis2, of_child)], axis=1)
                return [moment(joint.axis1), second]
            case "spherical":
                return [*map(moment, (x, y, z))]
            case "fixed":
                return []
            case "floating":
                return [*map(force, (x, y, z)), *map(moment, (x, y, z))]
        raise AssertionError(f"{joint.type}: add its freedom here")

    def on_coordinates(self, name, joint):
        """What elements do on each coordinate of a joint, (speeds, times)."""
        found = np.zeros((len(self.freedom(joint)), len(self.r)))
        for label, element in self.case.elements.items():
            if element.type == "joint" and element.joint == name:
                coordinate = element.coordinate or joint.coordinates[0]
                row = joint.coordinates.index(coordinate)
                found[row] += self.results[f"element/{label}/force"].values
        return found

    def inertial(self):
        """M v' + w x J w of every body."""
        out = np.zeros_like(self.wrench)
        w, w_dot = (self.results[f"angular_{x}"].values for x in ("velocity", "acceleration"))
        for k, body in enumerate(self.case.bodies.values()):
            J = self.R[:, k] @ body.inertia_tensor() @ self.R[:, k].transpose(0, 2, 1)
            out[:, k, :3] = body.mass * self.results.acceleration.values[:, k]
            change = np.einsum("tij,tj->ti", J, w_dot[:, k])
            turning = np.cross(w[:, k], np.einsum("tij,tj->ti", J, w[:, k]))
            out[:, k, 3:] = change + turning
            # without loads the two cancel: they are the largest themselves
            self.largest = max(self.largest, np.abs(turning).max(), np.abs(out[:, k]).max())
        return out

    def total(self, wrenches):
        """Sum over the bodies, moments about the origin, (times, 6)."""
        moment = wrenches[..., 3:] + np.cross(self.r, wrenches[..., :3])
        return np.concatenate([wrenches[..., :3], moment], axis=2).sum(axis=1)


@pytest.fixture(scope="module", params=FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def books(request):
    """Of a second and a half of a case, or all of a shorter one; loads entered but no joints."""
    end = min(1.5, cosim.read_case(request.param).time.end)
    case = cosim.read_case(request.param, [f"time.end={end}", f"output.step={end / 15.0}"])
    made = Books(case, cosim.run(case))
    made.add_loads()
    made.inertial()
    return made


def size(books):
    """Of forces, and of moments: forces times the extent of the system."""
    extent = max(1.0, np.abs(books.r).max())
    return books.largest * np.array([1.0] * 3 + [extent] * 3)


def test_reactions_balance_loads(books):
    """Each body by all its joints, and the whole by those on earth."""
    loads = books.wrench.copy()
    books.add_joints(of_earth_only=True)
    left = books.total(books.inertial()) - books.total(books.wrench)
    assert (np.abs(left).max(axis=0) / size(books)).max() <= ROUNDING
    books.wrench = loads
    books.add_joints()
    left = books.inertial() - books.wrench
    assert (np.abs(left).max(axis=(0, 1)) / size(books)).max() <= ROUNDING


def test_joints_pass_nothing_along_their_freedom(books):
    """But what springs, dampers and laws on the joint itself do there.

    The balance holds for any accelerations; this only for those of the equations of motion.
    """
    scale = size(books)
    for name, joint in books.case.joints.items():
        here = books.results.sel(joint=name)
        wrench = np.concatenate([here.joint_force.values, here.joint_moment.values], axis=1)
        elements = books.on_coordinates(name, joint)
        for direction, expected in zip(books.freedom(joint), elements, strict=True):
            along = np.sum(wrench * direction, axis=1)
            assert np.abs(along - expected).max() <= ROUNDING * scale[-1], name
