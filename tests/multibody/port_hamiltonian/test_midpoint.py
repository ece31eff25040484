"""Port-Hamiltonian systems, their interconnection, and both midpoint rules against references."""

import numpy as np
import pytest

from cosim.errors import ModelError, SolverError
from cosim.multibody.port_hamiltonian import (
    ConstrainedMechanics,
    Quadratic,
    RigidBody,
    interconnect,
    midpoint_step,
    pair,
)
from cosim.multibody.port_hamiltonian.mechanics import Potential
from cosim.multibody.port_hamiltonian.midpoint import momentum_residual

G = np.array([0.0, 0.0, -9.81])


def start_of(system, *states):
    q, v = (np.concatenate(part) for part in zip(*states, strict=True))
    return np.concatenate([q, v, np.zeros(len(system.constraints.c))])


def march(system, x, h, steps, **more):
    for _ in range(steps):
        x = midpoint_step(system, x, h, **more).x
    return x


def top():
    """Lagrange's top, pinned at the origin, its axis at 30 degrees from the vertical."""
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    R = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    body = RigidBody("top", 1.0, np.array([0.25, 0.25, 0.4]), G)
    state = RigidBody.state(R[:, 2], R, np.zeros(3), 40.0 * R[:, 2])
    pin = pair("spherical", ("earth", "top"), np.zeros(3), {"top": state[0]})
    system = interconnect({"top": body}, [pin])
    return system, start_of(system, state)


def bars():
    """Closed loop of four bars, port-Hamiltonian paper, section 7.2."""
    along, across = 10.0 / 6.0, 10.0 * 101.0 / 12.0
    bodies, states = {}, {}
    places = {"right": (5, 0, 0), "back": (0, 5, 0), "left": (-5, 0, 0), "front": (0, -5, 0)}
    for name, place in places.items():
        moments = [across, along, across] if place[0] else [along, across, across]
        bodies[name] = RigidBody(name, 10.0, np.array(moments))
        states[name] = RigidBody.state(np.array(place), np.eye(3), np.zeros(3), np.zeros(3))
    corners = {
        ("right", "back"): (5, 5, 0),
        ("back", "left"): (-5, 5, 0),
        ("left", "front"): (-5, -5, 0),
        ("front", "right"): (5, -5, 0),
    }
    q = {name: state[0] for name, state in states.items()}
    pairs = [pair("spherical", ends, np.array(at), q) for ends, at in corners.items()]
    system = interconnect(bodies, pairs)
    return bodies, pairs, system, start_of(system, *states.values())


def pulse(t):
    u = np.zeros(24)
    u[0], u[3] = 8 * 200 * max(0.0, min(t, 1 - t)), 6 * 200 * max(0.0, min(t, 1 - t))
    return u


@pytest.mark.parametrize("ggl", [False, True])
def test_heavy_top(ggl):
    # one step of 1 ms: energy and positions exact, velocities by 8e-5 or exact
    system, x = top()
    step = midpoint_step(system, x, 1e-3, ggl=ggl)
    assert abs(step.balance) < 1e-12 * 328.5
    q, v, _ = system.split(step.x)
    assert np.abs(system.constraints.value(q)).max() < 1e-14
    slip = np.abs(system.constraints.jacobian(q) @ v).max()
    assert slip < 1e-12 if ggl else 1e-5 < slip < 1e-3
    errors = []
    exact = np.array([-0.0077638692413, 0.5147860348830, 0.8572835357242])  # closed form, 0.1 s
    for h in (2e-3, 1e-3):
        errors.append(np.linalg.norm(march(system, x, h, round(0.1 / h), ggl=ggl)[:3] - exact))
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.02)


def test_closed_loop_of_bars_as_published():
    # paper, section 7.2, h = 0.1: energies to all digits printed
    _, _, system, x = bars()
    work = 0.0
    for k in range(20):
        step = midpoint_step(system, x, 0.1, pulse(0.1 * (k + 0.5)))
        x = step.x
        work += sum(step.work.values())
        assert abs(step.balance) < 1e-12 * 2100.0
        if k == 0:
            assert system.hamiltonian(x) == pytest.approx(0.880081744, abs=5e-10)
    assert system.hamiltonian(x) == pytest.approx(2095.376897, abs=5e-7)
    assert work == pytest.approx(2095.376897, abs=5e-7)


def test_discretising_and_connecting_commute():
    # each bar discretised by itself, loaded by its pairs at the middle of the step, moves as in
    # the discretised whole, to rounding
    bodies, pairs, system, x = bars()
    x1 = march(system, x, 0.1, 3)
    x1 = midpoint_step(system, x1, 0.1, pulse(0.35)).x
    step = midpoint_step(system, x1, 0.1, pulse(0.45))
    (q, v, _), (q1, v1, multipliers) = system.split(x1), system.split(step.x)
    first = {name: 12 * i for i, name in enumerate(bodies)}
    middle = 0.5 * (q + q1)
    own = 6 * len(bodies)
    efforts = np.zeros(48)
    for number, joint in enumerate(pairs):
        rows = slice(own + 3 * number, own + 3 * number + 3)
        G_J = joint.constraints(first, 48).jacobian(middle)
        efforts += G_J.T @ multipliers[rows]
        np.testing.assert_allclose(G_J @ (v + v1) / 2, 0.0, atol=1e-13)  # no power is made
    for i, body in enumerate(bodies.values()):
        part = slice(12 * i, 12 * i + 12)
        lack = momentum_residual(body, (q[part], v[part]), (q1[part], v1[part]), 0.1)
        rigid = body.constraints.jacobian(middle[part]).T @ multipliers[6 * i : 6 * i + 6]
        load = body.inputs(middle[part]) @ pulse(0.45)[6 * i : 6 * i + 6]
        np.testing.assert_allclose(lack + 0.1 * (rigid + efforts[part] - load), 0.0, atol=1e-11)


def test_structure_and_power_balance():
    system, x = top()
    x = march(system, x, 1e-3, 5)
    assert system.check_structure(x) == []
    u = np.arange(6.0)
    through, lost = system.power_balance(x, u)
    q, v, _ = system.split(x)
    omega = 0.5 * np.cross(q[3:].reshape(3, 3), v[3:].reshape(3, 3)).sum(axis=0)
    assert through == pytest.approx(u[:3] @ v[:3] + u[3:] @ omega, rel=1e-13)
    assert lost == 0.0


def test_broken_structure_is_told():
    class Wrong(ConstrainedMechanics):
        def J(self, x):  # noqa: N802 - the letter of the form
            return np.abs(super().J(x))

    free = Quadratic(np.zeros((0, 1, 1)), np.zeros((0, 1)), np.zeros(0))
    still = Potential(lambda q: 0.0, lambda q: np.zeros(1))
    wrong = Wrong(np.eye(1), still, free, lambda q: np.ones((1, 1)), ("push",), -np.eye(1))
    findings = wrong.check_structure(np.array([0.1, 0.2]))
    assert [text.split(":")[0] for text in findings] == [
        "J is not skew",
        "R is negative for some efforts",
    ]


def test_nonlinear_spring_with_damper_and_port():
    # V = k q^4 / 4: the discrete gradient exchanges it exactly, the damper's loss is on the books
    free = Quadratic(np.zeros((0, 1, 1)), np.zeros((0, 1)), np.zeros(0))
    spring = Potential(lambda q: 25.0 * float(q[0]) ** 4, lambda q: 100.0 * q**3)
    system = ConstrainedMechanics(
        np.array([[2.0]]), spring, free, lambda q: np.ones((1, 1)), ("push",), np.array([[0.3]])
    )
    x, before, sums = np.array([1.0, 0.0]), 25.0, 0.0
    for k in range(200):
        step = midpoint_step(system, x, 0.02, np.array([np.cos(0.02 * (k + 0.5))]))
        x, sums = step.x, sums + sum(step.work.values())
        assert step.work["ledger/work/elements"] <= 0.0
    assert system.hamiltonian(x) - before == pytest.approx(sums, abs=1e-12 * 25.0 * 10)


def test_multipliers_are_of_first_order_and_states_of_second():
    system, x = top()
    runs = {h: march(system, x, h, round(0.05 / h)) for h in (1e-3, 5e-4, 2.5e-4, 3.125e-5)}
    fine = runs.pop(3.125e-5)
    n = 2 * system.n
    places, forces = (
        [np.abs(run[part] - fine[part]).max() for run in runs.values()]
        for part in (slice(0, n), slice(n, None))
    )
    assert np.log2(places[0] / places[1]) == pytest.approx(2.0, abs=0.05)
    assert np.log2(forces[0] / forces[1]) == pytest.approx(1.0, abs=0.1)


def test_mistakes_end_in_one_sentence():
    bodies, pairs, _, _ = bars()
    del bodies["left"]
    with pytest.raises(ModelError, match="names 'left', which is not a body"):
        interconnect(bodies, pairs)
    system, x = top()
    with pytest.raises(SolverError, match="take a smaller step"):
        march(system, x, 5.0, 3)
