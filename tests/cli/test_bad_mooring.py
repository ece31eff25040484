"""A light buoy on two chains with one thing wrong at a time, from file to exit code."""

import numpy as np
import pytest

from cosim.results.reader import open_results

BUOY = """\
case: 1
environment: {gravity: 9.81, water_density: 1025, water_depth: 60}
bodies:
  buoy: {mass: 500, cog: [0, 0, 0], inertia: [200, 200, 200], points: {eye: [0, 0, -1]}}
joints:
  free: {type: floating, child: buoy}
elements:
  hull:
    type: matrix
    body: buoy
    at: [0, 0, 0]
    stiffness: [0, 0, 3e4, 1e4, 1e4, 1e3]
    damping: [100, 100, 500, 100, 100, 100]
    preload: [0, 0, 2e5, 0, 0, 0]
adapters:
  lines:
    type: moordyn
    line_types: {chain: {diameter: 0.1, mass: 200, stiffness: 1e8}}
    anchors: {east: [70, 0, -60], west: [-70, 0, -60]}
    lines:
      a: {type: chain, ends: [east, buoy/eye], length: 100, segments: 10}
      b: {type: chain, ends: [west, buoy/eye], length: 100, segments: 10}
start: {from: reference}
time: {end: 2}
"""
VERSION_1 = """\
MoorDyn input file
----------------------- LINE TYPES -------------------------
LineType  Diam   MassDen  EA   BA/-zeta  Can  Cat  Cdn  Cdt
(-)       (m)    (kg/m)   (N)  (-)       (-)  (-)  (-)  (-)
chain     0.1    200      1e8  -0.8      1.0  0.0  1.6  0.05
---------------------- CONNECTION PROPERTIES ---------------
Node Type X Y Z M V FX FY FZ CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (kN) (kN) (kN) (m^2) (-)
1 Fixed 70 0 -60 0 0 0 0 0 0 0
2 Vessel 0 0 -1 0 0 0 0 0 0 0
---------------------- LINE PROPERTIES ---------------------
Line LineType UnstrLen NumSegs NodeAnch NodeFair Flags
(-) (-) (m) (-) (-) (-) (-)
1 chain 100 10 1 2 p
"""


@pytest.fixture
def refused(invoke, tmp_path, monkeypatch):
    """Replace pieces of the case, run it, and return what the program says."""
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path / "cache"))

    def run(code, *pairs):
        content = BUOY
        for old, new in pairs:
            assert old in content
            content = content.replace(old, new)
        (tmp_path / "buoy.yaml").write_text(content)
        got, _, errors = invoke("run", "buoy.yaml", "--quiet")
        assert got == code, errors
        assert "Traceback" not in errors
        return errors

    return run


def test_the_case_itself_is_good(refused):
    assert refused(0) == ""


DESCRIBED = BUOY[BUOY.index("    line_types:") : BUOY.index("start:")]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (DESCRIBED, "    file: lines.txt\n", "lines.txt:5: line types with 9 columns are those of"),
        (DESCRIBED, "    file: none.txt\n", "none.txt: there is no such file"),
        (DESCRIBED, "", "moordyn needs 'file', or 'line_types' and 'lines'"),
        ("points: {eye: [0, 0, -1]}", "points: {eye: [0, 0, -99]}", "below the sea bed at z = -60"),
        ("west: [-70, 0, -60]", "west: [-70, 0, -61]", "anchor west at z = -61 m is below the sea"),
        ("west: [-70, 0, -60]", "west: [-700, 0, -60]", "line 'b' is 100 m long and its ends are"),
        ("ends: [west, buoy/eye]", "ends: [west, buoy/aye]", "did you mean 'buoy/eye'?"),
        ("ends: [west, buoy/eye]", "ends: [east, buoy/eye]", "anchor 'west' holds no line"),
        ("b: {type: chain", "b: {type: chian", "unknown type 'chian'; did you mean 'chain'?"),
        ("water_depth: 60", "water_depth: inf", "depth"),
        ("type: moordyn", "type: moordin", "unknown adapter type 'moordin'; did you mean"),
        ("{from: reference}", "{from: reference, set: {buoy.surge: 60}}", "where the run starts"),
        ("end: 2", "end: 2, communication_step: 3", "'communication_step' = 3 s is longer"),
        ("end: 2", "end: 2, order: 0", "'iterated' interpolates with order 1 or 2, not 0"),
        ("end: 2", "end: 2, method: compiled", "method 'compiled' is for runs without Steppers"),
    ],
)
def test_what_cannot_be_run(refused, tmp_path, old, new, text):
    (tmp_path / "lines.txt").write_text(VERSION_1)
    errors = refused(2, (old, new))
    assert text in errors
    assert len(errors.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("end: 2", "end: 2, scheme: explicit", "is unstable: growth"),
        ("end: 2", "end: 2, order: 2", "is safe only where S < 1"),
        ("preload: [0,", "preload: [1e9,", "out of balance in 'free.surge'"),
    ],
)
def test_what_must_not_be_run(refused, old, new, text):
    start = "{from: equilibrium}" if "preload" in new else "{from: reference}"
    errors = refused(3, (old, new), ("{from: reference}", start))
    assert text in errors
    assert len(errors.strip().splitlines()) == 1


def test_a_run_that_diverges_leaves_what_it_had(refused, tmp_path):
    pull = "elements:\n  pull: {type: force, point: buoy, force: [0, 0, 1e3*exp(25*t)]}\n"
    errors = refused(5, ("elements:\n", pull))
    assert "adapter 'lines' at t = " in errors
    assert "MoorDyn diverged, line " in errors
    results = open_results(tmp_path / "results" / "buoy.nc")
    assert results.attrs["status"].startswith("adapter 'lines' at t = ")
    diverged = float(errors.split("at t = ")[1].split(" s:")[0])
    assert results.time.values[-1] > diverged - 0.2  # all instants before, every 0.1 s
    np.testing.assert_allclose(np.diff(results.time), 0.1)
    assert np.isfinite(results["position"]).all()
