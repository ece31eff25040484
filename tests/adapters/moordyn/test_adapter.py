"""The adapter's contract: motion in, loads out, and everything undone by a restore."""

from itertools import pairwise

import numpy as np
import pytest

from adapters.moordyn.instance import DivergenceError
from adapters.moordyn.levers import end_mass, wrenches
from adapters.moordyn.sections import MooringFileError
from cosim.coupling.motion import Motion
from cosim.errors import AdapterError
from cosim.multibody.interface import State

WAVES = {"type": "jonswap", "hs": 4.0, "tp": 9.0, "ramp": 0.0, "components": 50}
H = 0.1


def _rotation(vector):
    angle = np.linalg.norm(vector)
    x, y, z = vector / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def _swinging(t, amplitude=2.0, omega=2 * np.pi / 8):
    """Smooth motion from rest in surge, sway and heave."""
    s, c = np.sin(omega * t), np.cos(omega * t)
    shape = np.array([1.0, 0.3, 0.2])
    v = np.zeros((1, 6))
    v[0, :3] = amplitude * 3 * omega * s**2 * c * shape
    r = np.array([[0.0, 0.0, -78.0] + amplitude * s**3 * shape])
    return State(t, r, np.eye(3)[None].copy(), v)


def _run(adapter, first, count, step=H):
    forces = []
    for i in range(first, first + count):
        adapter.advance(Motion(_swinging(i * step), _swinging((i + 1) * step)))
        forces.append(adapter.forces())
    return np.array(forces)


@pytest.mark.parametrize("scheme", ["rk2", "rk4"])
@pytest.mark.parametrize("waves", [{"type": "still"}, WAVES])
def test_save_advance_restore_advance_is_bit_equal(make_adapter, scheme, waves):
    adapter = make_adapter(scheme=scheme, environment={"waves": waves})
    adapter.initialize(0.0, _swinging(0.0))
    _run(adapter, 0, 10)
    state = adapter.save_state()
    loads = adapter.forces(), adapter.added_mass(), adapter.outputs()
    expected = _run(adapter, 10, 5)
    masses = adapter.added_mass()
    adapter.accept(1.5, _swinging(1.5), np.zeros(0))
    adapter.restore_state(state)
    for now, then in zip(
        (adapter.forces(), adapter.added_mass(), adapter.outputs()), loads, strict=True
    ):
        np.testing.assert_array_equal(now, then)
    np.testing.assert_array_equal(_run(adapter, 10, 5), expected)
    np.testing.assert_array_equal(adapter.added_mass(), masses)


def test_injected_rejected_trials_change_nothing(make_adapter):
    plain, disturbed = (make_adapter(environment={"waves": WAVES}) for _ in range(2))
    for adapter in (plain, disturbed):
        adapter.initialize(0.0, _swinging(0.0))
    random = np.random.default_rng(0)
    for i in range(15):
        state = disturbed.save_state()
        end = _swinging((i + 1) * H)
        wrong = State(end.t, end.r + random.normal(size=(1, 3)), end.R, 2 * end.v)
        disturbed.advance(Motion(_swinging(i * H), wrong))
        disturbed.restore_state(state)
        np.testing.assert_array_equal(_run(disturbed, i, 1), _run(plain, i, 1))


def test_two_adapters_at_once(make_adapter):
    alone = make_adapter()
    alone.initialize(0.0, _swinging(0.0))
    expected = _run(alone, 0, 10)
    one, two = make_adapter(), make_adapter()
    for adapter in (one, two):
        adapter.initialize(0.0, _swinging(0.0))
    for i in range(10):
        _run(two, 5, 1)
        np.testing.assert_array_equal(_run(one, i, 1)[0], expected[i])


@pytest.mark.parametrize("step", [0.1, 0.0501, 0.2])
def test_force_along_a_prescribed_motion_has_converged(make_adapter, step):
    """Below 3e-4 of the amplitude against steps ten times finer (start values give 1e-3)."""
    end = 8.0
    forces = {}
    for time_step in (0.005, 0.0005):
        adapter = make_adapter(time_step=time_step)
        adapter.initialize(0.0, _swinging(0.0))
        forces[time_step] = _run(adapter, 0, int(end / step), step)[:, 0, :3]
    amplitude = np.ptp(forces[0.0005][:, 0]) / 2
    error = np.abs(forces[0.005] - forces[0.0005]).max()
    assert error < 3e-4 * amplitude


def test_force_does_not_depend_on_how_the_motion_is_cut(make_adapter):
    """A curve of third degree is one Hermite segment or many."""

    def cubic(t):
        r = np.array([[t**3 / 10, t**2 / 10, -78.0]])
        v = np.array([[3 * t**2 / 10, t / 5, 0, 0, 0, 0]])
        return State(t, r, np.eye(3)[None].copy(), v)

    ends = []
    for cuts in (1, 2, 8):
        adapter = make_adapter()
        adapter.initialize(0.0, cubic(0.0))
        instants = np.linspace(0.0, 1.6, cuts + 1)
        for a, b in pairwise(instants):
            adapter.advance(Motion(cubic(a), cubic(b)))
        ends.append(adapter.forces()[0, :3])
    scale = np.linalg.norm(ends[0][:2])
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-5 * scale)
    np.testing.assert_allclose(ends[2], ends[0], atol=1e-5 * scale)


def test_moordyns_clock_is_the_runs(make_adapter):
    adapter = make_adapter()
    adapter.initialize(0.0, _swinging(0.0))
    state = adapter._running._binding.serialize(adapter._running._system)
    start = np.frombuffer(state, offset=8, count=1)[0]
    _run(adapter, 0, 100, 0.0731)
    state = adapter._running._binding.serialize(adapter._running._system)
    assert np.frombuffer(state, offset=8, count=1)[0] - start == pytest.approx(7.31, abs=1e-9)


def test_fairleads_are_where_the_body_is_at_large_angles(make_adapter, pose):
    """Position error below 1 mm (pitfalls, acceptance 11)."""
    adapter = make_adapter(max_strain=0.05)
    start = pose()
    adapter.initialize(0.0, start)
    vector = np.array([0.5, -0.4, 0.7])
    end = pose(1.0, r=(3.0, -2.0, -77.0), R=_rotation(vector))
    adapter.advance(Motion(start, end))
    local = np.array([[5.2, 0, 8], [-2.6, 4.503332, 8], [-2.6, -4.503332, 8]])
    expected = end.r[0] + local @ end.R[0].T
    nodes = np.array([shape.nodes[-1] for shape in adapter.shapes()])
    np.testing.assert_allclose(nodes, expected, atol=1e-6)
    again = make_adapter(max_strain=0.05)
    again.initialize(0.0, end)
    nodes = np.array([shape.nodes[-1] for shape in again.shapes()])
    np.testing.assert_allclose(nodes, expected, atol=1e-9)


def test_a_turned_mooring_gives_turned_forces(make_adapter, oc3_text, pose):
    """Anchors and body turned by 37 degrees about z; fairleads stay written for q = 0."""
    start = make_adapter()
    start.initialize(0.0, pose(r=(2, 0, -78)))
    straight = start.forces()[0]
    turn = _rotation(np.array([0, 0, np.radians(37)]))
    text = oc3_text
    for anchor in (
        "853.87    0           -320.0",
        "-426.935  739.473111  -320.0",
        "-426.935  -739.473111 -320.0",
    ):
        place = turn @ np.array(anchor.split(), float)
        text = text.replace(anchor, " ".join(map(repr, place.tolist())))
    adapter = make_adapter(text)
    adapter.initialize(0.0, pose(r=turn @ [2, 0, -78], R=turn))
    turned = adapter.forces()[0]
    np.testing.assert_allclose(turned[:3], turn @ straight[:3], atol=1.0)
    np.testing.assert_allclose(turned[3:], turn @ straight[3:], atol=10.0)


def test_any_number_of_fairleads_on_any_number_of_bodies(make_adapter, oc3_text):
    bodies = {"a": {"cog": [0, 0, -78]}, "idle": {"cog": [50, 0, 0]}, "b": {"cog": [0, 5, -70]}}
    adapter = make_adapter(oc3_text, bodies=bodies, fairleads={4: "b", 5: "a", 6: "a"})
    one = make_adapter(oc3_text)
    assert adapter.bodies == ("a", "b")
    r = np.array([[0.0, 0, -78], [0, 5, -70]])
    state = State(0.0, r, np.tile(np.eye(3), (2, 1, 1)), np.zeros((2, 6)))
    adapter.initialize(0.0, state)
    one.initialize(0.0, State(0.0, r[:1], np.eye(3)[None], np.zeros((1, 6))))
    total, expected = adapter.forces(), one.forces()[0]
    np.testing.assert_allclose(total[:, :3].sum(axis=0), expected[:3], rtol=1e-12)
    moment = total[:, 3:].sum(axis=0) + np.cross(r[1] - r[0], total[1, :3])
    np.testing.assert_allclose(moment, expected[3:], atol=1e-6)
    mass = adapter.added_mass()
    assert mass.shape == (12, 12)
    assert not mass[:6, 6:].any()
    np.testing.assert_array_equal(mass, mass.T)


def test_wrench_and_mass_of_a_point_mass_are_those_of_a_point_mass():
    """g - M_a v' must be J^T (f - m a) for the acceleration a of the point."""
    random = np.random.default_rng(1)
    owner, lever = np.array([0, 1, 1]), random.normal(size=(3, 3))
    R = np.array([_rotation(random.normal(size=3)) for _ in range(2)])
    v, v_dot = random.normal(size=(2, 2, 6))
    force, mass = random.normal(size=(3, 3)), random.normal(size=(3, 3, 3))
    mass = mass + mass.transpose(0, 2, 1)
    wrench, added = np.empty((2, 6)), np.empty((12, 12))
    wrenches((np.zeros((2, 3)), R, v), owner, lever, (force, mass), wrench)
    end_mass(R, owner, lever, mass, added)
    expected = np.zeros((2, 6))
    for p in range(3):
        i = owner[p]
        s = R[i] @ lever[p]
        w, w_dot = v[i, 3:], v_dot[i, 3:]
        a = v_dot[i, :3] + np.cross(w_dot, s) + np.cross(w, np.cross(w, s))
        f = force[p] - mass[p] @ a
        expected[i] += np.concatenate([f, np.cross(s, f)])
    np.testing.assert_allclose(wrench.ravel() - added @ v_dot.ravel(), expected.ravel())


def test_end_mass_is_half_a_segment_per_line(make_adapter):
    adapter = make_adapter()
    adapter.initialize(0.0, _swinging(0.0))
    mass = adapter.added_mass()
    half = 902.2 / 20 / 2
    displaced = 1025 * np.pi * 0.09**2 / 4
    assert 3 * half * 77.7066 < mass[2, 2] < 3 * half * (77.7066 + displaced)
    assert np.linalg.eigvalsh(mass)[0] > 0.0


def test_motion_of_the_water_reaches_the_lines(make_adapter):
    still, rough = make_adapter(), make_adapter(environment={"waves": WAVES | {"hs": 12.0}})
    forces = []
    for adapter in (still, rough):
        adapter.initialize(0.0, _swinging(0.0))
        rest = _swinging(0.0)
        for i in range(100):
            motion = Motion(
                State(i * H, rest.r, rest.R, rest.v), State((i + 1) * H, rest.r, rest.R, rest.v)
            )
            adapter.advance(motion)
        forces.append(adapter.forces()[0, :3])
    assert 10.0 < np.linalg.norm(forces[1] - forces[0]) < 1e5


def test_the_water_may_be_held_longer_with_little_loss(make_adapter):
    ends = []
    for interval in (0.005, 0.05):
        adapter = make_adapter(environment={"waves": WAVES}, water_interval=interval)
        adapter.initialize(0.0, _swinging(0.0))
        ends.append(_run(adapter, 0, 40)[-1, 0, :3])
    still = make_adapter()
    still.initialize(0.0, _swinging(0.0))
    wave_part = np.linalg.norm(ends[0] - _run(still, 0, 40)[-1, 0, :3])
    assert np.linalg.norm(ends[1] - ends[0]) < 1e-3 * wave_part


def test_divergence_names_adapter_time_line_and_node(make_adapter):
    adapter = make_adapter()
    adapter.initialize(0.0, _swinging(0.0))
    end = _swinging(H)
    far = State(H, end.r * np.nan, end.R, end.v)
    with pytest.raises(DivergenceError, match=r"'lines' at t = 0.1 s: .*line 1 at node \d+ has no"):
        adapter.advance(Motion(_swinging(0.0), far))


def test_life_before_and_after(make_adapter):
    adapter = make_adapter()
    with pytest.raises(AdapterError, match="call initialize first"):
        adapter.save_state()
    adapter.initialize(0.0, _swinging(0.0))
    adapter.static_forces(_swinging(0.0))
    adapter.end()
    adapter.end()
    with pytest.raises(AdapterError, match="call initialize first"):
        adapter.shapes()


def test_channels_shapes_and_settings(make_adapter):
    adapter = make_adapter()
    adapter.initialize(0.0, _swinging(0.0))
    names = [channel.name for channel in adapter.channels()]
    assert names == [f"line{i}/{end}_tension" for i in (1, 2, 3) for end in ("fairlead", "anchor")]
    assert adapter.outputs().shape == (6,)
    assert [shape.nodes.shape for shape in adapter.shapes()] == [(21, 3)] * 3
    assert adapter.settings()["moordyn"].startswith("2.7")
    assert "OPTIONS" in adapter.settings()["input"]


def test_nothing_reaches_the_terminal(make_adapter, capfd):
    adapter = make_adapter(environment={"waves": WAVES})
    adapter.static_forces(_swinging(0.0))
    adapter.initialize(0.0, _swinging(0.0))
    _run(adapter, 0, 10)
    adapter.restore_state(adapter.save_state())
    adapter.end()
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.parametrize(
    ("r", "reason"),
    [
        ((0.0, 0.0, -378.0), r"mooring.txt:13: where the run starts, fairlead 4 at z = -370 m is"),
        ((100.0, 0.0, -78.0), r"mooring.txt:20: where the run starts, line 2 .* a strain of 0.03"),
    ],
)
def test_a_start_out_of_reach_of_the_lines_is_refused(make_adapter, pose, r, reason):
    adapter = make_adapter()
    with pytest.raises(MooringFileError, match=reason):
        adapter.initialize(0.0, pose(r=r))
