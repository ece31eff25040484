import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.template import CartForce
from cosim.errors import AdapterError, ModelError

ZERO = np.zeros((2, 6))


def manager_of(model, *adapters):
    manager = ExternalForcesManager(model)
    for adapter in adapters:
        manager.register(adapter)
    return manager


def test_names_are_unique_and_known(hinged, given):
    adapter = given(hinged, "one", ("a", "b"), lambda s: ZERO)
    manager = manager_of(hinged, adapter)
    assert manager.get_adapter("one") is adapter
    with pytest.raises(ModelError, match="already an adapter 'one'"):
        manager.register(given(hinged, "one", ("a",), lambda s: ZERO))
    with pytest.raises(ModelError, match="no adapter 'two'; registered: one"):
        manager.get_adapter("two")


def test_an_unknown_body_is_named(hinged, given):
    with pytest.raises(ModelError, match="adapter 'one': there is no body 'c'; there are a, b"):
        manager_of(hinged, given(hinged, "one", ("c",), lambda s: ZERO))


def test_history_that_cannot_be_undone_is_refused(hinged, given):
    class Remembers(given):
        def accept(self, t, state, x):
            self.last = t

    with pytest.raises(AdapterError, match=r"'one': it overrides accept.* not Restorable"):
        manager_of(hinged, Remembers(hinged, "one", ("a",), lambda s: ZERO[:1]))


@pytest.mark.parametrize("coupled", [True, False])
def test_generalised_forces_are_those_of_the_theory(hinged, given, moving, added_mass, coupled):
    """Q = B^T (g - M_a B' u), m = B^T M_a B, by dense algebra."""
    if not coupled:
        added_mass[:6, 6:] = added_mass[6:, :6] = 0.0
    g = np.random.default_rng(5).normal(size=(2, 6))
    manager = manager_of(
        hinged, given(hinged, "one", ("a", "b"), lambda s: g, lambda s: added_mass)
    )
    manager.initialize(0.0, *moving)
    Q, mass = manager.generalized_forces(0.0, *moving)
    hinged.kinematics(0.0, *moving)
    B, bias = hinged.velocity_transformation(), hinged.bias().ravel()
    assert pytest.approx(B.T @ (g.ravel() - added_mass @ bias), rel=1e-12) == Q
    assert mass == pytest.approx(B.T @ added_mass @ B, rel=1e-12)


def test_without_added_mass_the_mass_is_none(hinged, given, moving):
    manager = manager_of(hinged, given(hinged, "one", ("a", "b"), lambda s: ZERO))
    manager.initialize(0.0, *moving)
    assert manager.generalized_forces(0.0, *moving)[1] is None


def test_block_diagonal_and_dense_paths_agree(hinged, given, moving, added_mass):
    """The O(n) path with bodies' added mass against the (nu, nu) path."""
    added_mass[:6, 6:] = added_mass[6:, :6] = 0.0
    tiny = added_mass.copy()
    tiny[0, 6] = tiny[6, 0] = 1e-300  # takes the dense path, changes nothing
    found = []
    for mass in (added_mass, tiny):
        manager = manager_of(
            hinged, given(hinged, "one", ("a", "b"), lambda s: s.v, lambda s, m=mass: m)
        )
        y = manager.initialize(0.0, *moving)
        found.append(manager.equations.evaluation(0.0, y).copy())
    assert found[0] == pytest.approx(found[1], rel=1e-11)


def test_order_of_bodies_in_an_adapter_is_its_own(hinged, given, moving, added_mass):
    flip = np.r_[6:12, 0:6]
    g = np.random.default_rng(5).normal(size=(2, 6))
    found = []
    for bodies, load, mass in (
        (("a", "b"), g, added_mass),
        (("b", "a"), g[::-1].copy(), added_mass[np.ix_(flip, flip)]),
    ):
        adapter = given(hinged, "one", bodies, lambda s, g=load: g, lambda s, m=mass: m)
        manager = manager_of(hinged, adapter)
        y = manager.initialize(0.0, *moving)
        found.append(manager.equations.evaluation(0.0, y).copy())
    assert found[0] == pytest.approx(found[1], rel=1e-11)


def test_cart_forces_act_at_their_points(hinged, given, moving):
    state = hinged.kinematics(0.0, *moving).copy()
    point = state.r[1] + [0.3, -0.2, 0.5]
    force, couple = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3])
    forces = [CartForce("b", force, couple, point), CartForce("a", (0.0, 0.0, 4.0))]
    wrenches = np.zeros((2, 6))
    wrenches[0, 2] = 4.0
    wrenches[1] = [*force, *(couple + np.cross([0.3, -0.2, 0.5], force))]
    Q = []
    for load in (forces, wrenches):
        manager = manager_of(hinged, given(hinged, "one", ("a", "b"), lambda s, g=load: g))
        manager.initialize(0.0, *moving)
        Q.append(manager.generalized_forces(0.0, *moving)[0])
    assert pytest.approx(Q[1], rel=1e-13) == Q[0]


@pytest.mark.parametrize(
    ("load", "mass", "message"),
    [
        (np.full((2, 6), np.nan), None, "'one' at t = 2.5 s: the load on body 'a' is not finite"),
        (np.zeros((2, 3)), None, r"forces\(\) has the shape \(2, 3\); 2 bodies need \(2, 6\)"),
        (ZERO, np.zeros((6, 6)), r"added_mass\(\) has the shape \(6, 6\)"),
        (ZERO, np.triu(np.ones((12, 12))), "the added mass is not symmetric"),
        (ZERO, np.diag([1.0] * 11 + [np.inf]), "added mass of body 'b' is not finite"),
        ([CartForce("z", (0, 0, 0))], None, "names the body 'z', which is not one of its"),
    ],
)
def test_wrong_loads_are_named(hinged, given, moving, load, mass, message):
    manager = manager_of(hinged, given(hinged, "one", ("a", "b"), lambda s: load, lambda s: mass))
    manager.initialize(0.0, *moving)
    with pytest.raises(AdapterError, match=message):
        manager.generalized_forces(2.5, *moving)


def test_foreign_exceptions_become_adapter_errors(hinged, given, moving):
    def broken(state):
        raise KeyError("depth")

    manager = manager_of(hinged, given(hinged, "one", ("a",), broken))
    manager.initialize(0.0, *moving)
    with pytest.raises(AdapterError, match="'one' at t = 1 s: KeyError: 'depth'"):
        manager.generalized_forces(1.0, *moving)


def test_mass_matrix_that_cannot_be_solved_names_body_and_time(hinged, given, moving):
    from cosim.errors import SolverError

    wrong = -10.0 * np.eye(12)
    manager = manager_of(hinged, given(hinged, "one", ("a", "b"), lambda s: ZERO, lambda s: wrong))
    y = manager.initialize(0.0, *moving)
    with pytest.raises(SolverError, match=r"at t = 0 s: the mass matrix .* body '[ab]'"):
        manager.equations.evaluation(0.0, y)


def test_all_adapters_end_even_if_one_fails(hinged, given):
    class Fails(given):
        def end(self):
            super().end()
            raise OSError("gone")

    adapters = [Fails(hinged, "one", ("a",), lambda s: ZERO), given(hinged, "two", ("a",), None)]
    with (
        pytest.raises(AdapterError, match="'one': OSError: gone"),
        manager_of(hinged, *adapters),
    ):
        pass
    assert [a.ended for a in adapters] == [1, 1]
    with pytest.raises(ValueError, match="mine"), manager_of(hinged, *adapters):
        raise ValueError("mine")


def test_all_adapters_are_told_why_a_run_failed_before_any_ends(hinged, given):
    told = []

    class Told(given):
        def abort(self, reason):
            told.append((self.name, reason))

        def end(self):
            super().end()
            told.append((self.name, "end"))

    class Fails(given):
        def abort(self, reason):
            raise OSError("gone")

    adapters = [
        Fails(hinged, "one", ("a",), None),
        Told(hinged, "two", ("a",), None),
        Told(hinged, "three", ("b",), None),
        given(hinged, "four", ("b",), None),
    ]
    with pytest.raises(ValueError, match="mine"), manager_of(hinged, *adapters):
        raise ValueError("mine")
    expected = [("two", "mine"), ("three", "mine"), ("two", "end"), ("three", "end")]
    assert told == expected
    assert adapters[0].ended == 1
    assert adapters[3].ended == 2
    with pytest.raises(KeyboardInterrupt), manager_of(hinged, adapters[1]):
        raise KeyboardInterrupt
    assert told[4] == ("two", "interrupted")


def test_registration_ends_with_initialize(hinged, given, moving):
    manager = manager_of(hinged)
    with pytest.raises(ModelError, match="not initialised"):
        manager.generalized_forces(0.0, *moving)
    manager.initialize(0.0, *moving)
    with pytest.raises(ModelError, match="register it before initialize"):
        manager.register(given(hinged, "late", ("a",), None))
    with pytest.raises(ModelError, match="initialised already"):
        manager.initialize(0.0, *moving)
