"""A file that is read, written and read again is the same file."""

from dataclasses import replace

import numpy as np
import pytest

from adapters.moordyn.file import read_mooring_file
from adapters.moordyn.instance import MoorDynInstance
from adapters.moordyn.write import mooring_text
from cosim.errors import CosimError

EVERYTHING = """\
remarks in front
--- LINE TYPES ---
TypeName Diam Mass/m EA BA EI Cd Ca CdAx CaAx Cl dF cF
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-) (-) (-) (-)
chain 0.05 50.123456789012345 1e7 -0.8 0 1.6 1.0 0.1 0.0
rope  0.1  10 1e6|2e6 -0.5|1e5 10 1.2 1.0 0.1 0.0 0.8 0.08 0.18
table 0.1  10 curve.txt -0.5 0 1.2 1.0 0.1 0.0
--- ROD TYPES ---
TypeName Diam Mass/m Cd Ca CdEnd CaEnd
(-) (m) (kg/m) (-) (-) (-) (-)
can 1 100 0.6 1.0 1.2 1.0
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (-) (m^3) (m^2) (-)
1 Vessel 1 2 -35 10 20 30 0 0 0 0 0 0
2 Free 0 100 -20 0 0 0 1e5 0|0|-1 1e5|2e5|3e5 80 1|2|3 1
3 Fixed 0 200 -20 0 0 0 1e5 0 1e5 80 1 1
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs Out
(#) (-) (-) (m) (m) (m) (m) (m) (m) (-) (-)
1 can Body2 0 0 0 0 0 2 2 p
2 can Body3Pinned 0 0 0 0 0 2 2 p
3 can Fixed 5 5 -30 5 5 -25 2 -
--- POINTS ---
ID Type X Y Z Mass Volume CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 60 0 -50 0 0 0 0
2 Body1 1 0 -5 0 0 0 0
3 Coupled -1 0 -5 0 0 0 0
4 Free -30 0 -20 10 0.1 0.2 1
5 Body2 0 0 1 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 chain 1 2 80 5 ptcs
2 rope 4 3 40 5 -
3 table R3A 4 60 5 -
4 table R1B 5 60 5 -
--- OPTIONS ---
1e-3 dtM
50 WtrDpth
0.3 kb
1.5 FrictionCoefficient
--- OUTPUTS ---
FairTen1 FairTen2
--- need this line ---
"""


def _without_rows(file):
    def bare(records):
        return tuple(replace(record, row=0) for record in records)

    return (
        bare(file.line_types),
        bare(file.rod_types),
        bare(file.bodies),
        bare(file.rods),
        bare(file.points),
        bare(file.lines),
        {name: option.value for name, option in file.options.items()},
    )


def test_round_trip_keeps_everything(mooring):
    mooring("--- x\nStrain Tension\n(-) (N)\n0 0\n1 1e6\n", "curve.txt")
    file = read_mooring_file(mooring(EVERYTHING))
    again = read_mooring_file(mooring(mooring_text(file), "again.txt"))
    assert _without_rows(again) == _without_rows(file)
    assert file.line_types[0].mass == 50.123456789012345
    assert (file.rods[1].body, file.rods[1].pinned) == (3, True)
    assert (file.lines[2].end_a.id, file.lines[2].end_a.side) == (3, "A")


def test_settings_tell_when_a_table_has_changed(make_adapter, mooring):
    found = []
    for stiffness in ("1e6", "2e6"):
        mooring(f"--- x\nStrain Tension\n(-) (N)\n0 0\n1 {stiffness}\n", "curve.txt")
        bodies = {"spar": {"cog": [1, 2, -30]}, "boat": {"cog": [-1, 0, 0]}}
        options = {"file_bodies": {1: "spar"}, "fairleads": {3: "boat"}, "time_step": 1e-3}
        water = {"water_depth": 50}
        adapter = make_adapter(EVERYTHING, bodies=bodies, environment=water, **options)
        found.append(adapter.settings())
    assert {key for key in found[0] if found[0][key] != found[1][key]} == {"curve.txt"}


def test_fairleads_on_a_coupled_body_become_coupled_points(make_adapter, mooring):
    mooring("--- x\nStrain Tension\n(-) (N)\n0 0\n1 1e6\n", "curve.txt")
    adapter = make_adapter(
        EVERYTHING,
        bodies={"spar": {"cog": [1, 2, -30]}, "boat": {"cog": [-1, 0, 0]}},
        environment={"water_depth": 50},
        file_bodies={1: "spar"},
        fairleads={3: "boat"},
        time_step=1e-3,
    )
    file = adapter._setup.file
    assert [(p.attachment, p.body) for p in file.points] == [
        ("fixed", 0),
        ("coupled", 0),
        ("coupled", 0),
        ("free", 0),
        ("body", 1),
    ]
    assert [body.id for body in file.bodies] == [1, 2]
    assert [(rod.attachment, rod.body) for rod in file.rods] == [
        ("body", 1),
        ("body", 2),
        ("fixed", 0),
    ]
    assert adapter.bodies == ("spar", "boat")
    # intrinsic x-y-z angles, as MoorDyn has them: R = Rx(10) Ry(20) Rz(30), written out
    a, b, c = np.radians([10, 20, 30])
    sin, cos = np.sin, np.cos
    first = [cos(b) * cos(c), cos(a) * sin(c) + sin(a) * sin(b) * cos(c)]
    first.append(sin(a) * sin(c) - cos(a) * sin(b) * cos(c))
    third = [sin(b), -sin(a) * cos(b), cos(a) * cos(b)]
    expected = np.array([1, 2, -35]) + np.array(first) - 5 * np.array(third)
    np.testing.assert_allclose(file.points[1].position, expected, atol=1e-12)
    np.testing.assert_allclose(adapter._setup.lever[0], expected - [1, 2, -30], atol=1e-12)


def test_the_frame_of_the_body_itself(make_adapter, small_text):
    body = "--- BODIES ---\nID\n()\n1 Coupled 0 0 -21.5 0 0 0 0 0 0 0 0 0\n--- POINTS ---"
    text = small_text.replace("--- POINTS ---", body).replace("2 Coupled 1 0 -5", "2 Body1 1 0 16")
    options = {"bodies": {"spar": {"cog": [0, 0, -21.29]}}, "environment": {"water_depth": 50}}
    by_file = make_adapter(text, **options)
    by_body = make_adapter(text, file_bodies={1: {"body": "spar", "frame": "cog"}}, **options)
    np.testing.assert_allclose(by_file._setup.lever, [[1, 0, 15.79]])
    np.testing.assert_allclose(by_body._setup.lever, [[1, 0, 16]])


def test_what_moordyn_makes_of_a_written_file_is_what_was_meant(make_adapter, oc3_text):
    adapter = make_adapter(oc3_text)
    instance = MoorDynInstance(adapter._setup.text, {}, adapter="lines")
    binding, system = instance._binding, instance._system
    x = [p.position for p in adapter._setup.file.points[3:]]
    instance.start(np.ravel(x).tolist(), 3, 6)
    assert binding.get_dt(system) == 0.005
    assert binding.get_tscheme(system) == "4th order Runge-Kutta"
    assert [binding.line_get_ulen(line) for line in instance.lines] == [902.2] * 3
    assert binding.line_get_node_pos(instance.lines[1], 0) == (-426.935, 739.473111, -320.0)
    instance.close()


LINES = {
    "line_types": {"main": {"diameter": 0.09, "mass": 77.7066, "stiffness": 384.243e6}},
    "anchors": {"east": [853.87, 0, -320]},
    "free_points": {"clump": {"at": [400, 300, -280], "mass": 1000, "volume": 0.1}},
    "lines": {
        "bow": {"type": "main", "ends": ["east", "spar/fair"], "length": 902.2},
        "upper": {"type": "main", "ends": ["clump", "boat"], "length": 460, "segments": 10},
        "lower": {"type": "main", "ends": ["earth/rock", "clump"], "length": 400, "segments": 10},
    },
}
BODIES = {
    "spar": {"cog": [0, 0, -78], "points": {"fair": [5.2, 0, -70]}},
    "boat": {"cog": [0, 0, -2]},
}


def _described(make_adapter, **changes):
    return make_adapter(
        None, bodies=BODIES, earth_points={"rock": [700, 500, -320]}, **LINES | changes
    )


def test_lines_described_in_the_case(make_adapter):
    adapter = _described(make_adapter)
    file = adapter._setup.file
    assert [(p.name, p.attachment) for p in file.points] == [
        ("east", "fixed"),
        ("spar/fair", "coupled"),
        ("clump", "free"),
        ("boat", "coupled"),
        ("earth/rock", "fixed"),
    ]
    np.testing.assert_allclose(adapter._setup.lever, [[5.2, 0, 8], [0, 0, 0]])
    assert [channel.name for channel in adapter.channels()][:2] == [
        "bow/fairlead_tension",
        "bow/anchor_tension",
    ]
    assert 0.004 < adapter.inner_step < 0.007


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "mian", "ends": ["east", "spar/fair"]}, "unknown type 'mian'; did you mean"),
        ({"type": "main", "ends": ["aest", "spar/fair"]}, "anchor or free point 'aest'; did you"),
        (
            {"type": "main", "ends": ["b", "spar/fair"]},
            r"point 'b' \(there are: east, clump\), and",
        ),
        ({"type": "main", "ends": ["east", "clump"]}, "no line hangs on a body"),
        ({"type": "main", "ends": ["east", "east"]}, "both ends of line 'bow'"),
    ],
)
def test_described_lines_are_checked(make_adapter, line, reason):
    with pytest.raises(CosimError, match=reason) as caught:
        _described(make_adapter, lines={"bow": line | {"length": 902.2}})
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"anchors": {"east": [853.87, 0, -320], "west": [-800, 0, -320]}}, "anchor 'west' holds"),
        (
            {"free_points": LINES["free_points"] | {"lost": {"at": [0, 0, -9]}}},
            "point 'lost' holds",
        ),
        ({"free_points": LINES["free_points"] | {"east": {"at": [0, 0, -9]}}}, "'east' is an anch"),
    ],
)
def test_points_without_a_line_or_with_two_meanings_are_refused(make_adapter, changes, reason):
    with pytest.raises(CosimError, match=reason):
        _described(make_adapter, **changes)


@pytest.mark.parametrize(
    ("section", "entry", "value", "reason"),
    [
        ("anchors", "east", [853.87, 0, 320], "anchor east is 320 m above the water"),
        ("line_types", "diameter", 90.0, "line type 'main' has 77.7066 kg/m and displaces"),
        ("line_types", "stiffness", 384.243e3, "line type 'main' would stretch by 58 % under"),
    ],
)
def test_wrong_signs_and_units_are_doubted(make_adapter, caplog, section, entry, value, reason):
    _described(make_adapter)
    assert not caplog.messages
    if section == "anchors":
        changes = {"anchors": {entry: value}, "max_strain": 1.0}
    else:
        changes = {"line_types": {"main": LINES["line_types"]["main"] | {entry: value}}}
    _described(make_adapter, **changes)
    assert [reason in message for message in caplog.messages] == [True]
