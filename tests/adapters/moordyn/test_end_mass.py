"""A buoy moved by us on a line of MoorDyn against the same buoy moved by MoorDyn.

A coupled point carries no inertia of the line's half segment: without the adapter's added
mass a light buoy is a few percent too fast.
"""

import numpy as np
import pytest

from adapters.moordyn.instance import MoorDynInstance
from cosim.coupling.motion import Motion
from cosim.multibody.interface import State

MASS, VOLUME, CA, RHO, G = 50.0, 0.2, 0.1, 1025.0, 9.80665
# a chain on the bottom at 30 m that the buoy lifts partly; no drag, so that it keeps swinging
CHAIN = """\
--- LINE TYPES ---
TypeName Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)
chain 0.04 10 2e6 -0.8 0 1.2 1.0 0.05 0.0
--- POINTS ---
ID Type X Y Z Mass Volume CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 43 0 -30 0 0 0 0
2 {buoy}
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 chain 1 2 40 20 -
--- OPTIONS ---
0.002 dtM
30 WtrDpth
3e4 cBot
{more}
--- END ---
"""
START = np.array([14.0, 0.0, -12.0])
STEP, END = 0.02, 10.0
RUN = "rk4 tScheme\n9.80665 g\n1025 rho\n1 WaveKin\n1 disableOutput\n1 disableOutTime"


def _moved_by_moordyn():
    """Path of a free point, (m, 3)."""
    buoy = f"Free {START[0]} 0 {START[2]} {MASS} {VOLUME} 0 {CA}"
    instance = MoorDynInstance(CHAIN.format(buoy=buoy, more=RUN), {}, adapter="lines")
    instance.start([], 1, 2)
    path = []
    for _ in range(round(END / STEP)):
        instance.follow([[]] * 10, [[]] * 10, STEP / 10)
        path.append(instance.nodes(0)[-1])
    instance.close()
    return np.array(path)


def _state(t, r, v):
    twist = np.zeros((1, 6))
    twist[0, :3] = v
    return State(t, r[None].copy(), np.eye(3)[None].copy(), twist)


def _moved_by_us(adapter, *, end_mass):
    """Path of a point mass under buoyancy and lines, trapezoidal, iterated to the end."""
    own = (MASS + CA * RHO * VOLUME) * np.eye(3)
    lift = np.array([0.0, 0.0, (RHO * VOLUME - MASS) * G])

    def acceleration():
        mass = own + end_mass * adapter.added_mass()[:3, :3]
        return np.linalg.solve(mass, adapter.forces()[0, :3] + lift)

    r, v, path = START.copy(), np.zeros(3), []
    a = acceleration()
    for i in range(round(END / STEP)):
        saved, a1 = adapter.save_state(), a
        for _ in range(30):
            adapter.restore_state(saved)
            v1 = v + 0.5 * STEP * (a + a1)
            r1 = r + STEP * v + STEP**2 / 6 * (2 * a + a1)
            adapter.advance(Motion(_state(i * STEP, r, v), _state((i + 1) * STEP, r1, v1)))
            change = acceleration() - a1
            if np.abs(change).max() < 1e-6:
                break
            a1 = a1 + 0.5 * change
        r, v, a = r1, v1, a1
        path.append(r)
    return np.array(path)


@pytest.fixture
def buoy_adapter(make_adapter, monkeypatch):
    """Started like MoorDyn's free point: catenary, not yet settled."""
    monkeypatch.setattr("adapters.moordyn.adapter.rest", lambda *_: None)
    buoy = f"Coupled {START[0]} 0 {START[2]} 0 0 0 0"
    adapter = make_adapter(
        CHAIN.format(buoy=buoy, more=""),
        bodies={"buoy": {"cog": START.tolist()}},
        environment={"water_depth": 30},
    )
    adapter.initialize(0.0, _state(0.0, START, np.zeros(3)))
    return adapter


def test_a_light_buoy_moves_as_moordyns_own(buoy_adapter):
    """Over the whole path 5e-3 of the amplitude; the two share nothing but the line."""
    reference = _moved_by_moordyn()
    amplitude = np.ptp(reference[:, 2]) / 2
    start = buoy_adapter.save_state()
    path = _moved_by_us(buoy_adapter, end_mass=1.0)
    assert np.abs(path - reference).max() < 5e-3 * amplitude
    buoy_adapter.restore_state(start)
    without = _moved_by_us(buoy_adapter, end_mass=0.0)
    assert np.abs(without - reference).max() > 5e-2 * amplitude
