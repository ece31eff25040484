"""Linearisation about any state against the equations of motion themselves."""

import numpy as np
import pytest
from scipy.linalg import expm

from cosim.analysis.differences import jacobian
from cosim.analysis.linear import linearise
from cosim.analysis.state_space import state_space
from cosim.coupling.capabilities import ContinuousStates, Linearisable, Linearisation, StaticLoads
from cosim.coupling.template import TemplateInterface
from cosim.errors import CosimError, ModelError
from cosim.extras import optional_module
from cosim.model import System
from cosim.multibody.joint.model import JointModel

POINTS = {"a": [0.3, 0.2, -1.5], "b": [0.3, 0.2, -2.5]}


@pytest.fixture(scope="module")
def model():
    """A floating body that carries another one on a universal joint."""
    return JointModel(
        System.from_dict(
            {
                "bodies": {
                    "a": {
                        "mass": 1.0,
                        "cog": [0, 0.1, -1],
                        "inertia": [0.3, 0.2, 0.15],
                        "points": {"p": POINTS["a"]},
                    },
                    "b": {
                        "mass": 2.0,
                        "cog": [0.2, 0, -2],
                        "inertia": [0.3, 0.2, 0.4],
                        "points": {"p": POINTS["b"]},
                    },
                },
                "joints": {
                    "t": {"type": "floating", "child": "a"},
                    "m": {
                        "type": "universal",
                        "axis1": [0, 1, 0],
                        "axis2": [1, 0, 0],
                        "parent": "a",
                        "child": "b",
                        "at": [0, 0, -1],
                    },
                },
                "elements": {
                    "hinge": {
                        "type": "joint",
                        "joint": "m",
                        "coordinate": "angle1",
                        "stiffness": 5.0,
                        "damping": 1.0,
                    },
                    "rope": {
                        "type": "tension",
                        "points": ["earth/o", "a/p"],
                        "stiffness": 30.0,
                        "damping": 2.0,
                    },
                },
                "earth_points": {"o": [0.5, 0, 1]},
            }
        )
    )


@pytest.fixture(scope="module")
def moving(model):
    """A state far from rest."""
    random = np.random.default_rng(1)
    q, _ = model.initial()
    return model.retract(q, 0.5 * random.normal(size=model.nu)), random.normal(size=model.nu)


def test_flow_about_a_moving_state(model, moving):
    """What a small change becomes in 1 ms, by the equations and by exp(A t): d' = N d + u too."""
    nu, h, size = model.nu, 1e-3, 1e-4

    def after(q, u, time):
        for _ in range(20):
            q, u = model.step(0.0, time / 20, q, u)
        return q, u

    y = size * np.random.default_rng(2).normal(size=2 * nu)
    q, u = moving
    ends = [after(model.retract(q, s * y[:nu]), u + s * y[nu:], h) for s in (1.0, -1.0)]
    middle, _ = after(q, u, h)
    d = [model.difference(end, middle) for end, _ in ends]
    found = np.concatenate([d[0] - d[1], ends[0][1] - ends[1][1]]) / 2.0
    A = linearise(model, {}, *after(q, u, h / 2)).state_matrix()
    change = np.max(np.abs(found - y))
    assert np.max(np.abs(expm(h * A) @ y - found)) < 1e-5 * change


def accelerations_of_points(model, q, u, force):
    """Positions, velocities and accelerations of both points and angular velocities."""
    state = model.kinematics(0.0, q, u).copy()
    u_dot, v_dot = model.accelerations(force)
    values = []
    for i, (body, place) in enumerate(POINTS.items()):
        arm = state.R[i] @ (np.array(place) - model.system.bodies[body].cog)
        w = state.v[i, 3:]
        swing = np.cross(w, np.cross(w, arm))
        values += [
            *(state.r[i] + arm),
            *(state.v[i, :3] + np.cross(w, arm)),
            *(v_dot[i, :3] + np.cross(v_dot[i, 3:], arm) + swing),
            *w,
        ]
    return np.array([*values, *u_dot])


def test_inputs_and_outputs_about_a_moving_state(model, moving):
    nu = model.nu
    outputs = [
        f"{body}{stem}{axis}"
        for body in "ab"
        for stem, axes in (("/p.", "xyz"), ("/p.v", "xyz"), ("/p.a", "xyz"), (".w", "xyz"))
        for axis in axes
    ]
    outputs += [f"{speed}_acceleration" for speed in model.speeds]
    space = state_space(linearise(model, {}, *moving), model, outputs=outputs)

    def response(z):
        d, change, force = np.split(z, 3)
        return accelerations_of_points(
            model, model.retract(moving[0], d), moving[1] + change, force
        )

    J, _ = jacobian(response, 3 * nu)
    exact = J[:, : 2 * nu]
    np.testing.assert_allclose(space.C, exact, atol=1e-10 * np.abs(exact).max())
    np.testing.assert_allclose(space.D, J[:, 2 * nu :], atol=1e-11)


def test_outputs_of_all_coordinates_of_a_moving_loop():
    """The speeds of dependent coordinates change with the pose too."""
    hinge = {"type": "revolute", "axis": [0, 1, 0]}
    bodies = {"crank": [0, 0, 0.25], "coupler": [0.5, 0, 0.75], "rocker": [1, 0, 0.5]}
    system = System.from_dict(
        {
            "bodies": {
                name: {"mass": 1, "cog": cog, "inertia": [0.1] * 3} for name, cog in bodies.items()
            },
            "joints": {
                "A": {**hinge, "child": "crank", "at": [0, 0, 0]},
                "B": {**hinge, "parent": "crank", "child": "coupler", "at": [0, 0, 0.5]},
                "C": {**hinge, "parent": "coupler", "child": "rocker", "at": [1, 0, 1]},
                "D": {**hinge, "child": "rocker", "at": [1, 0, 0], "cut": True},
            },
        }
    )
    model = JointModel(system)
    q, u = model.initial({"A.angle": 0.3, "A.angle_rate": 2.0})
    linear = linearise(model, {}, q, u)
    outputs = [name + kind for kind in ("", "_rate", "_acceleration") for name in model.speeds]
    space = state_space(linear, model, outputs=outputs)
    independent = model.speeds.index(linear.speeds[0])

    def motion(z):
        """The pose with this angle of the independent hinge, by bisection on the crank's."""
        low, high = -0.5, 0.5
        for _ in range(60):
            middle = 0.5 * (low + high)
            pose, _ = model.initial({"A.angle": 0.3 + middle})
            sign = np.sign(linear.basis[0, 0])
            if sign * (model.difference(pose, q)[independent] - z[0]) > 0.0:
                high = middle
            else:
                low = middle
        pose, speeds = model.initial({"A.angle": 0.3 + low, "A.angle_rate": 1.0})
        speeds *= (u[independent] + z[1]) / speeds[independent]
        model.kinematics(0.0, pose, speeds)
        u_dot, _ = model.accelerations(np.zeros(model.nu))
        return np.concatenate([model.difference(pose, q), speeds, u_dot])

    h = 1e-4
    exact = np.array([(motion(h * e) - motion(-h * e)) / (2.0 * h) for e in np.eye(2)]).T
    np.testing.assert_allclose(space.C, exact, atol=1e-6 * np.abs(exact).max())


def test_wrench_inputs_do_the_work_of_their_points(model, moving):
    """A force does along a velocity what the generalised force does along the speeds."""
    system = linearise(model, {}, *moving)
    names = ["b/p.fx", "b/p.mz", "a.fy"]
    space = state_space(system, model, inputs=names, outputs=["b/p.vx", "b.wz", "a.vy"])
    nu = model.nu
    force = system.M @ space.B[nu : 2 * nu]
    np.testing.assert_allclose(force.T, space.C[:, nu:], atol=1e-12)


def test_scipy_and_control_take_it(model, moving):
    pytest.importorskip("control")
    space = state_space(linearise(model, {}, *moving), model, inputs=["t.surge"])
    assert space.to_scipy().A.shape == (2 * model.nu, 2 * model.nu)
    made = space.to_control()
    assert made.input_labels == ["t_surge"]
    assert made.output_labels[0] == "t_surge"
    np.testing.assert_allclose(made(2j), space.frequency_response(np.array([2.0]))[0].conj())


def test_missing_extra_is_named():
    with pytest.raises(CosimError, match=r"a picture needs the package 'nowhere'.*cosim\[show\]"):
        optional_module("nowhere.inside", "show", "a picture")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"outputs": ["t.surges"]}, "no signal 't.surges'; did you mean 't.surge'"),
        ({"outputs": ["b/q.x"]}, "'b/q.x': there is no point 'b/q'; did you mean 'b/p'"),
        ({"outputs": ["earth/o.x"]}, "is fixed to earth"),
        ({"inputs": ["b/p.x"]}, "there is no signal 'b/p.x'"),
    ],
)
def test_unknown_signals(model, moving, arguments, text):
    with pytest.raises(ModelError, match=text):
        state_space(linearise(model, {}, *moving), model, **arguments)


K = np.diag([40.0, 50.0, 60.0, 7.0, 8.0, 9.0])
C = 0.1 * K + 0.3
MASS = np.diag([0.5, 0.6, 0.7, 0.1, 0.2, 0.3])
AX, BV = np.array([[-1.0, 2.0], [-2.0, -1.0]]), np.arange(12.0).reshape(2, 6) / 10.0
CX = BV.T


class Plain(TemplateInterface, ContinuousStates):
    """A linear load with memory about the centre of body 'a' that does not know its derivatives."""

    bodies = ("a",)
    n_states = 2

    def __init__(self, model):
        super().__init__(model, "plain", self.Options())
        self.load = np.zeros((1, 6))
        self.rates = np.zeros(2)

    def initialize(self, t0, state): ...

    def initial_states(self, t0, state):
        return np.zeros(2)

    def state_scales(self):
        return np.array([0.1, 3.0])

    def update(self, t, state, x):
        from cosim.algebra.rotations import quaternion_from_matrix, vector_from_quaternion
        from cosim.algebra.rows import get_matrix

        turn = vector_from_quaternion(quaternion_from_matrix(get_matrix(state.R, 0)))
        d = np.array([*(state.r[0] - np.array([0, 0.1, -1])), *turn])
        self.load[0] = 3.0 - K @ d - C @ state.v[0] + CX @ x
        self.rates[:] = AX @ x + BV @ state.v[0]

    def forces(self):
        return self.load

    def added_mass(self):
        return MASS

    def derivatives(self):
        return self.rates


class Knowing(Plain, Linearisable):
    """The same about the reference pose, exactly."""

    def linearise(self, state, x):
        return Linearisation(np.full(6, 3.0), K, C, MASS, AX, BV, CX)


class Resting(Plain, StaticLoads):
    """The same where only loads at rest are asked for."""

    def static_forces(self, state):
        self.update(state.t, state, np.zeros(2))
        return self.load.copy()


def test_adapters_that_know_nothing_are_differentiated(model):
    q, _ = model.initial()
    exact = linearise(model, {"plain": Knowing(model)}, q)
    found = linearise(model, {"plain": Plain(model)}, q, running=True)
    for name in ("M", "C", "K", "Ax", "Bv", "Cx"):
        a, b = getattr(found, name), getattr(exact, name)
        np.testing.assert_allclose(a, b, atol=1e-11 * np.abs(b).max())
    assert not np.any(found.Bd)
    (told,) = found.contributions
    assert (told.manner, exact.contributions[0].manner) == ("differences", "exact")
    assert told.error < 1e-10


def test_adapters_that_do_not_run_enter_by_their_loads_at_rest(model):
    q, _ = model.initial()
    exact = linearise(model, {"plain": Knowing(model)}, q)
    found = linearise(model, {"plain": Resting(model)}, q)
    np.testing.assert_allclose(found.K, exact.K, atol=1e-11 * np.abs(exact.K).max())
    assert found.contributions[0].manner == "static"
    (left_out,) = linearise(model, {"plain": Plain(model)}, q).contributions
    assert left_out.manner == "none"
