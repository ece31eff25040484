"""Flexible beams: what they are made of, and what is refused."""

import math

import numpy as np
import pytest

from cosim.analysis.equilibrium import find_equilibrium
from cosim.analysis.linear import linearise
from cosim.analysis.modes import natural_modes
from cosim.case.schema import Case
from cosim.errors import CaseError, ModelError
from cosim.model import System
from cosim.model.beam_section import BeamSection, RoundSection
from cosim.model.flexible_beam import FlexibleBeam, flexible_beam
from cosim.multibody.joint import JointModel

TUBE = RoundSection(E=2.1e11, G=8.1e10, density=7850, diameter=0.5, wall=0.02)
SLENDER = BeamSection(EI=1e4, mass_per_length=10, rotary_inertia=1e-3)
ENDS = ((0.5, -1.0, 2.0), (2.5, 1.0, 3.0))  # 3 m long
MOTIONS = [("planar", (1.0, -1.0, 0.0)), ("spatial", (0.0, 0.0, 1.0))]


def system_of(part, **sections):
    return System.from_dict({"environment": {"gravity": 0.0}, **part, **sections})


@pytest.mark.parametrize("section", [TUBE, SLENDER], ids=["tube", "slender"])
@pytest.mark.parametrize(("motion", "normal"), MOTIONS)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_mass_centre_and_inertia_are_those_of_the_whole_beam(section, motion, normal, n):
    part = flexible_beam(*ENDS, n, section, motion=motion, normal=normal)
    bodies = list(system_of(part).bodies.values())
    start, end = np.array(ENDS)
    along = (end - start) / 3.0
    plain = section if section is SLENDER else section.section()
    mass = sum(b.mass for b in bodies)
    assert mass == pytest.approx(3.0 * plain.mass_per_length, rel=1e-14)
    centre = sum(b.mass * np.array(b.cog) for b in bodies) / mass
    np.testing.assert_allclose(centre, 0.5 * (start + end), rtol=1e-14, atol=1e-15)
    total = np.zeros((3, 3))
    for b in bodies:
        d = np.array(b.cog) - centre
        total += b.inertia_tensor() + b.mass * (d @ d * np.eye(3) - np.outer(d, d))
    axial, across, _ = 3.0 * np.array(plain.inertias())
    across += mass * 9.0 / 12.0
    expected = across * np.eye(3) + (axial - across) * np.outer(along, along)
    np.testing.assert_allclose(total, expected, rtol=1e-13, atol=1e-13 * across)


def test_section_of_a_tube():
    section = TUBE.section()
    moment = math.pi / 64 * (0.5**4 - 0.46**4)
    stiffness = np.array([section.EI, section.GJ])
    np.testing.assert_allclose(stiffness, [2.1e11 * moment, 8.1e10 * 2 * moment])
    assert section.mass_per_length == pytest.approx(7850 * math.pi / 4 * (0.5**2 - 0.46**2))
    assert section.inertias() == pytest.approx((15700 * moment, 7850 * moment, 7850 * moment))
    solid = RoundSection(E=1, density=1, diameter=0.5).section()
    np.testing.assert_allclose(solid.EI, math.pi / 64 * 0.5**4)


def test_pieces_touch_and_end_where_the_beam_does():
    part = flexible_beam(*ENDS, 4, SLENDER, motion="spatial", normal=(0, 0, 1))
    hinges = [np.array(part["joints"][f"hinge{i}"]["at"]) for i in (1, 2, 3, 4)]
    start, end = np.array(ENDS)
    expected = [start + (end - start) * x for x in (0.125, 0.375, 0.625, 0.875)]
    np.testing.assert_allclose(hinges, expected, atol=1e-14)
    assert part["bodies"]["piece0"]["points"] == {"root": list(ENDS[0])}
    assert part["bodies"]["piece4"]["points"] == {"tip": list(ENDS[1])}


@pytest.mark.parametrize(
    ("root", "motion", "kind", "freedoms"),
    [
        ("clamped", "planar", "fixed", 3),
        ("pinned", "planar", "revolute", 4),
        ("free", "planar", "planar", 6),
        ("clamped", "spatial", "fixed", 6),
        ("pinned", "spatial", "spherical", 9),
        ("free", "spatial", "floating", 12),
    ],
)
def test_ends(root, motion, kind, freedoms):
    part = flexible_beam((0, 0, 0), (2, 0, 0), 3, SLENDER, motion=motion, root=root)
    assert part["joints"]["root"]["type"] == kind
    assert JointModel(system_of(part)).nu == freedoms


def modes(part, **sections):
    model = JointModel(system_of(part, **sections))
    q, _ = model.initial()
    return natural_modes(linearise(model, {}, q))


@pytest.mark.parametrize("motion", ["planar", "spatial"])
def test_damping_ratio_is_that_of_the_first_mode_and_grows_with_frequency(motion):
    part = flexible_beam((0, 0, 0), (2, 0, 0), 16, SLENDER, motion=motion, damping_ratio=0.02)
    found = modes(part)
    first = found[0]
    assert first.damping_ratio == pytest.approx(0.02, rel=2e-3)  # frequency is 0.1 % off
    undamped = [m.period * math.sqrt(1.0 - m.damping_ratio**2) for m in found[:4]]
    for mode, period in zip(found, undamped, strict=False):  # proportional to stiffness
        expected = first.damping_ratio * undamped[0] / period
        assert mode.damping_ratio == pytest.approx(expected, rel=1e-6)


def test_beta_is_damping_over_stiffness():
    part = flexible_beam((0, 0, 0), (2, 0, 0), 4, SLENDER, damping=0.003)
    for load in part["elements"].values():
        assert load["damping"] == pytest.approx(0.003 * load["stiffness"])


def test_two_stiffnesses():
    section = BeamSection(EI=1e4, EI2=4e4, mass_per_length=10, rotary_inertia=1e-3)
    part = flexible_beam((0, 0, 0), (2, 0, 0), 8, section, motion="spatial")
    first, second = modes(part)[:2]
    assert first.period / second.period == pytest.approx(2.0, rel=1e-3)
    # the soft one bends about y, the normal: the tip moves along z
    load = {"tip": {"type": "force", "point": "piece8/tip", "force": [0, 0, 1.0]}}
    model = JointModel(system_of(part, elements={**part["elements"], **load}))
    found = find_equilibrium(model, {}, model.initial()[0])
    state = model.kinematics(0.0, found.q, np.zeros(model.nu))
    assert state.r[-1, 2] > 0.0


def test_twist():
    """Of a bar under a torque: T L / GJ, exact at any number of segments."""
    section = BeamSection(EI=1e4, GJ=5e3, mass_per_length=10, rotary_inertia=1.0)
    part = flexible_beam((0, 0, 0), (0, 0, 2), 5, section, motion="spatial")
    load = {"torque": {"type": "force", "point": "piece5", "moment": [0, 0, 100.0]}}
    model = JointModel(system_of(part, elements={**part["elements"], **load}))
    found = find_equilibrium(model, {}, model.initial()[0])
    state = model.kinematics(0.0, found.q, np.zeros(model.nu))
    turn = math.atan2(state.R[-1, 1, 0], state.R[-1, 0, 0])
    assert turn == pytest.approx(100.0 * 2.0 / 5e3, rel=1e-8)


def test_beam_on_a_body_of_a_case():
    """As a part, placed twice, one turned, with a mass at the tip."""
    mast = {
        "flexible_beam": {
            "start": [1, 0, 0],
            "end": ["=1 + span", 0, 0],
            "segments": 4,
            "section": {"EI": 1e4, "mass_per_length": 10},
            "parent": "hub",
        },
        "bodies": {"lamp": {"mass": 3, "cog": ["=1 + span", 0, 0], "inertia": [1, 1, 1]}},
        "joints": {"weld": {"type": "fixed", "parent": "piece4", "child": "lamp"}},
    }
    case = Case.from_dict(
        {
            "parameters": {"span": 2.0},
            "parts": {"mast": mast},
            "place": [{"part": "mast", "name": "a"}, {"part": "mast", "name": "b", "yaw_deg": 90}],
            "bodies": {"hub": {"mass": 5, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {"hub": {"type": "floating", "child": "hub"}},
            "time": {"end": 1},
        }
    )
    assert case.joints["a/root"].parent == "hub"
    assert case.joints["b/weld"].parent == "b/piece4"
    np.testing.assert_allclose(case.bodies["b/piece4"].points["tip"], [0, 3, 0], atol=1e-15)
    np.testing.assert_allclose(case.joints["b/hinge1"].axis, [-1, 0, 0], atol=1e-15)


def test_mistakes_in_a_case_have_their_place():
    beam = {"start": [0, 0, 0], "end": [1, 0, 0], "segment": 4, "section": {"EI": 1}}
    lamp = {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}
    parts = {"mast": {"flexible_beam": beam}}
    place = [{"part": "mast", "name": "a"}]
    with pytest.raises(CaseError) as told:
        Case.from_dict({"parts": parts, "place": place, "time": {"end": 1}})
    assert "parts.mast.flexible_beam: unknown key 'segment'; did you mean 'segments'?" in str(
        told.value
    )
    assert "parts.mast.flexible_beam: 'segments' is required" in str(told.value)
    assert "'mass_per_length' is required" in str(told.value)
    good = {"start": [0, 0, 0], "end": [1, 0, 0], "segments": 4}
    good["section"] = {"EI": 1, "mass_per_length": 1}
    parts = {"mast": {"flexible_beam": good, "bodies": {"piece1": lamp}}}
    with pytest.raises(CaseError, match="'piece1' in bodies is a name of the beam's own"):
        Case.from_dict({"parts": parts, "place": place, "time": {"end": 1}})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"end": (0, 0, 0)}, "are the same point"),
        ({"normal": (2, 0, 0)}, "'normal' lies along the beam"),
        ({"segments": 0}, "segments: must be greater than or equal to 1"),
        ({"segments": 2.5}, "segments: must be a whole number"),
        (
            {"section": {"EI": 1, "density": 1, "diameter": 1}},
            "section: key 'EI' does not go together with the others here",
        ),
        ({"damping": 0.1, "damping_ratio": 0.1}, "keep one"),
        ({"root": "fixed"}, "root: must be 'clamped', 'pinned' or 'free'"),
        ({"root": "free", "normal": (0, 1, 1)}, "needs a 'normal' along a world axis"),
        (
            {"motion": "spatial", "section": {"EI": 1, "mass_per_length": 1}},
            "its section needs 'rotary_inertia'",
        ),
        (
            {"section": {"E": 1, "density": 1, "diameter": 1, "wall": 0.6}},
            "more than half the diameter",
        ),
    ],
)
def test_refusals(changes, sentence):
    options = {"start": (0, 0, 0), "end": (1, 0, 0), "segments": 4, "section": SLENDER}
    with pytest.raises(ModelError, match=sentence):
        flexible_beam(**{**options, **changes})


def test_first_frequency_is_of_the_softer_way():
    beam = FlexibleBeam(
        start=(0, 0, 0),
        end=(2, 0, 0),
        segments=4,
        section=BeamSection(EI=1e4, EI2=2.5e3, mass_per_length=10, rotary_inertia=1e-3),
        motion="spatial",
    )
    assert beam.first_frequency() == pytest.approx(1.875104069**2 / 4 * math.sqrt(250))
