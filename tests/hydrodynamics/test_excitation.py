import numpy as np
import pytest
from pydantic import ValidationError

from cosim.environment.sea_state import SeaState
from cosim.errors import DatabaseError
from cosim.hydrodynamics.assemble import RadiationOptions, assemble
from cosim.hydrodynamics.excitation import FixedExcitation, MovingExcitation, StillExcitation
from cosim.hydrodynamics.frame import FixedFrame
from cosim.hydrodynamics.headings import HeadingGrid, bracket
from cosim.hydrodynamics.record_excitation import RecordExcitation
from cosim.hydrodynamics.transfer_function import ExcitationTransfer

ORIGIN = np.zeros(3)
FULL_CIRCLE = np.radians(np.arange(0.0, 360.0, 15.0))


def force(excitation, t, pose=ORIGIN, size=12):
    out = np.full(size, np.nan)
    excitation.force_into(t, pose, out)
    return out


@pytest.fixture
def transfer(pair):
    return ExcitationTransfer(pair)


def test_regular_wave_is_the_transfer_function(pair, transfer):
    row = 14
    sea = SeaState.of(pair.omega[row], 1.3 * np.exp(0.4j), np.pi / 4)
    excitation = FixedExcitation(transfer, sea, ORIGIN)
    for t in (0.0, 3.3, 17.0):
        wave = sea.amplitude[0] * np.exp(-1j * pair.omega[row] * t)
        expected = np.real(pair.excitation[row, 1] * wave)
        np.testing.assert_allclose(force(excitation, t), expected, atol=1e-9 * 1e6)


def test_crest_lifts_a_small_body(pair, transfer):
    sea = SeaState.of(0.2, 1.0, 0.0)
    # crest over the left body, which is at the origin, at t = 0
    heave = force(FixedExcitation(transfer, sea, ORIGIN), 0.0)[2]
    assert heave == pytest.approx(1000.0 * 9.81 * 100.0, rel=0.02)


def test_a_moved_body_feels_the_wave_later(pair, transfer):
    w = 0.8
    sea = SeaState.of(w, 1.0, 0.0)
    here = FixedExcitation(transfer, sea, ORIGIN)
    moved = FixedExcitation(transfer, sea, np.array([50.0, -20.0, 0.0]))
    delay = sea.wavenumber[0] * 50.0 / w
    np.testing.assert_allclose(force(moved, 7.0 + delay), force(here, 7.0), atol=1e-6)


def test_turning_body_and_wave_together_changes_nothing(pair, transfer):
    yaw = np.radians(37.0)
    omega = np.linspace(0.3, 1.5, 20)
    amplitude = np.exp(1j * np.arange(20.0))
    straight = SeaState.of(omega, amplitude, np.pi / 6)
    turned = SeaState.of(omega, amplitude, np.pi / 6 + yaw)
    a = force(FixedExcitation(transfer, straight, ORIGIN), 5.0)
    b = force(FixedExcitation(transfer, turned, np.array([0.0, 0.0, yaw])), 5.0)
    np.testing.assert_allclose(b, a, atol=1e-9 * np.abs(a).max())


def test_fixed_and_moving_sums_agree(pair, transfer):
    pose = np.array([12.0, -7.0, 0.3])
    random = np.random.default_rng(0)
    sea = SeaState.of(
        random.uniform(0.3, 2.0, 30),
        random.normal(size=30) + 1j * random.normal(size=30),
        random.uniform(0.35, 1.8, 30),
        ramp=10.0,
    )
    a = FixedExcitation(transfer, sea, pose)
    b = MovingExcitation(transfer, sea)
    for t in (-1.0, 0.0, 4.0, 40.0):
        expected = force(a, t, pose)
        np.testing.assert_allclose(force(b, t, pose), expected, atol=1e-8 * 1e7)
    assert not force(a, 0.0, pose).any()


def test_half_way_through_the_ramp(pair, transfer):
    sea = SeaState.of(0.8, 1.0, 0.0, ramp=20.0)
    calm = SeaState.of(0.8, 1.0, 0.0)
    half = force(FixedExcitation(transfer, sea, ORIGIN), 10.0)
    np.testing.assert_allclose(half, 0.5 * force(FixedExcitation(transfer, calm, ORIGIN), 10.0))


def test_still_water():
    assert not force(StillExcitation(), 3.0).any()


@pytest.mark.parametrize("step_deg", [15.0, 30.0])
def test_headings_between_those_of_the_database(build, step_deg):
    # 30 m from the origin: without the local phase, 15 degrees apart would be hopeless
    points = [(0.0, 0.0, -1.0), (30.0, 5.0, -2.0)]
    headings = np.radians(np.arange(0.0, 360.0, step_deg))
    coarse = ExcitationTransfer(build(("a", "b"), headings=headings, points=points))
    beta = np.radians(22.0)
    exact = build(("a", "b"), headings=[beta], points=points)
    w = exact.omega[9:20]
    X = coarse.along(w, np.full(w.size, beta), origin=(0.0, 0.0))
    scale = np.abs(exact.excitation[9:20, 0]).max(axis=0)
    # a periodic cubic spline misses a cosine by h^4 / 384; linear would by h^2 / 8
    limit = np.radians(step_deg) ** 4 / 384.0
    assert np.abs(X - exact.excitation[9:20, 0]).max() < 1.05 * limit * scale.max()


@pytest.mark.parametrize(("beta_deg", "warned"), [(90.0, False), (30.0, True)])
def test_headings_far_apart_are_reported(build, beta_deg, warned):
    database = build(headings=np.radians([0.0, 90.0, 180.0, 270.0]))
    sea = SeaState.of(0.8, 1.0, np.radians(beta_deg))
    found = assemble(database, database.names, frame=FixedFrame(ORIGIN), sea=sea).findings
    assert any("that are 90 deg apart" in f.sentence for f in found) is warned


def test_quartering_waves_of_a_hull_turned_by_its_yaw(build):
    """A moving frame interpolates headings as well as a fixed one."""
    headings = np.radians(np.arange(0.0, 360.0, 30.0))
    transfer = ExcitationTransfer(build(headings=headings))
    sea = SeaState.of([0.6, 0.9], [1.0, 0.5j], np.radians(20.0))
    pose = np.array([3.0, 4.0, np.radians(-27.0)])
    expected = force(FixedExcitation(transfer, sea, pose), 2.0, size=6)
    found = force(MovingExcitation(transfer, sea), 2.0, pose, size=6)
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


def test_load_at_frequencies_outside_the_database(pair, transfer):
    beta = np.zeros(2)
    X = transfer.along(np.array([0.02, 9.0]), beta, origin=(0.0, 0.0))
    still = np.concatenate([b.stiffness[:, 2] for b in pair.bodies])
    np.testing.assert_allclose(X[0].real[[2, 8]], still[[2, 8]], rtol=1e-2)
    assert not X[1].any()


def test_headings_close_to_a_circle():
    closed = HeadingGrid(FULL_CIRCLE)
    assert closed.closed
    closed.require(np.array([-0.1, 7.0]), "waves")
    lower, weight = closed.weights(np.radians([352.5, -7.5]))
    np.testing.assert_array_equal(lower, [23, 23])
    np.testing.assert_allclose(weight, 0.5)
    assert closed.rows[24] == 0
    assert HeadingGrid(np.radians([0.0, 90.0, 180.0, 270.0, 360.0])).closed
    assert not HeadingGrid(np.radians([0.0, 90.0])).closed
    assert not HeadingGrid(np.zeros(1)).closed


def test_bracket_outside_takes_the_nearest():
    grid = np.array([0.0, 0.5])
    assert bracket(grid, 0.7)[:2] == (0, 1.0)
    assert bracket(grid, -0.2)[:2] == (0, 0.0)
    assert bracket(grid, -0.2)[2] == pytest.approx(0.2)


def test_headings_that_the_database_lacks(transfer):
    sea = SeaState.of(0.8, 1.0, np.pi)
    with pytest.raises(
        DatabaseError, match=r"waves come at 180 deg .* holds the headings 0, 45, 90"
    ):
        FixedExcitation(transfer, sea, ORIGIN)


def test_record_gives_what_its_components_give(pair, transfer):
    random = np.random.default_rng(4)
    omega = np.sort(random.uniform(0.5, 1.6, 40))
    sea = SeaState.of(omega, 0.1 * np.exp(2j * np.pi * random.random(40)), np.pi / 4, ramp=0.0)
    place = (15.0, -10.0)
    record = sea.sample(np.arange(0.0, 400.0, 0.05), *place)
    record = type(record)(record.time, record.eta, position=place, heading=np.pi / 4)
    pose = np.array([5.0, 8.0, 0.1])
    measured = RecordExcitation(transfer, record, ramp=0.0, pose=pose)
    exact = FixedExcitation(transfer, sea, pose)
    t = np.arange(100.0, 300.0, 0.37)
    a = np.array([force(measured, x, pose) for x in t])
    b = np.array([force(exact, x, pose) for x in t])
    # 100 s from the ends of the record, which the kernel cannot see beyond
    np.testing.assert_allclose(a, b, atol=2e-3 * np.abs(b).max())


def test_a_record_knows_its_end(transfer):
    record = SeaState.of(0.8, 1.0, 0.0).sample(np.arange(0.0, 50.0, 0.1))
    excitation = RecordExcitation(transfer, record, ramp=5.0, pose=ORIGIN)
    force(excitation, record.time[-1])
    with pytest.raises(DatabaseError, match=r"ends at 49.9 s"):
        force(excitation, 50.1)


def test_a_record_knows_its_start(transfer):
    record = SeaState.of(0.8, 1.0, 0.0).sample(np.arange(0.0, 50.0, 0.1))
    with pytest.raises(DatabaseError, match=r"begins at 0 s"):
        force(RecordExcitation(transfer, record, ramp=0.0, pose=ORIGIN), -0.1)
    # the ramp has not begun: there are no waves yet
    assert not force(RecordExcitation(transfer, record, ramp=5.0, pose=ORIGIN), -20.0).any()


def test_waves_travel_in_the_water_of_the_sea(build):
    """A database for deep water, used on purpose in 15 m: the crest arrives when the sea says."""
    database = build(headings=FULL_CIRCLE)
    sea = SeaState.of(0.8, 1.0, 0.0, depth=15.0)
    here, there = (FixedFrame(np.array([x, 0.0, 0.0])) for x in (0.0, 500.0))
    loads = [
        assemble(database, database.names, frame=frame, sea=sea).loads.excitation
        for frame in (here, there)
    ]
    delay = sea.wavenumber[0] * 500.0 / 0.8
    expected = force(loads[0], 7.0, size=6)
    found = force(loads[1], 7.0 + delay, there.pose, size=6)
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize(("omega", "sentence"), [(0.05, "below 0.1 rad/s"), (8.5, "above 8 rad/s")])
def test_waves_outside_the_frequencies_of_the_database_are_reported(build, omega, sentence):
    database = build()
    sea = SeaState.of([omega, 1.0], [0.2, 1.0], 0.0)
    found = assemble(database, database.names, frame=FixedFrame(ORIGIN), sea=sea).findings
    (finding,) = [f for f in found if "wave energy" in f.sentence]
    assert finding.severity == "warning"
    assert f"3.85 % of the wave energy lies {sentence}" in finding.sentence


def test_waves_that_the_database_does_not_reach_are_refused(database):
    sea = SeaState.of(2.0 * database.omega[-1], 1.0)
    with pytest.raises(DatabaseError, match="100 % of the wave energy lies above 8 rad/s"):
        assemble(database, database.names, frame=FixedFrame(ORIGIN), sea=sea)


def test_a_convolution_that_cuts_its_kernel_off_is_told(database):
    still = SeaState.still()
    for memory, told in ((60.0, 0), (2.0, 1)):
        radiation = RadiationOptions(method="convolution", memory=memory)
        frame = FixedFrame(ORIGIN)
        found = assemble(database, database.names, frame=frame, sea=still, radiation=radiation)
        cut = [f for f in found.findings if "where the convolution cuts it off" in f.sentence]
        assert len(cut) == told
    with pytest.raises(ValidationError, match="must be a tenth of 'memory'"):
        RadiationOptions(memory=1.0, step=0.5)
