"""Every file that MoorDyn would misread or refuse late is refused with file, line, reason."""

import logging

import pytest

from adapters.moordyn.file import read_mooring_file
from adapters.moordyn.sections import MooringFileError
from cosim.errors import CaseError

VERSION_1 = """\
MoorDyn input file
------------------------- LINE TYPES ------------------------
LineType  Diam    MassDen    EA       BA/-zeta   Can   Cat   Cdn   Cdt
(-)       (m)     (kg/m)     (N)      (Pa-s/-)   (-)   (-)   (-)   (-)
nylon    0.124    13.76    2515288.0    -0.8     1.0   0.0   1.6   0.05
----------------------- CONNECTION PROPERTIES ---------------
Node Type X Y Z M V FX FY FZ CdA CA
(-)  (-) (m) (m) (m) (kg) (m^3) (kN) (kN) (kN) (m^2) (-)
1 Vessel 0.0 0 -10.00 0 0 0 0 0 0 0
-------------------------- LINE PROPERTIES ------------------
Line LineType UnstrLen NumSegs NodeAnch NodeFair Flags/Outputs
(-) (-) (m) (-) (-) (-) (-)
1 nylon 300.0 50 2 1 p
"""

BODY = """\
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 {} 0.0 0.0 -35 0 0 0 0 0 0 0 0 0
---------------------- POINTS"""
ROD = """\
--- ROD TYPES ---
TypeName Diam Mass/m Cd Ca CdEnd CaEnd
(name) (m) (kg/m) (-) (-) (-) (-)
can 1 100 0.6 1.0 1.2 1.0
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs RodOutputs
(#) (name) (-) (m) (m) (m) (m) (m) (m) (-) (-)
1 {} {} 0 0 -20 0 0 -15 3 -
---------------------- POINTS"""
POINTS = "---------------------- POINTS"
PAIR = BODY.format("Coupled").replace("0 0 0 0 0 0\n", "0 1|2 0 0 0 0\n")
HEAVY = BODY.format("Coupled").replace("0 0 0 0 0 0\n", "7 0 0 0 0 0\n")

# what is changed, by what, line of the file, part of the reason
REFUSED = [
    ("384.243E6", "abc", 6, "neither a number nor a table"),
    ("384.243E6", "384.243D6", 6, "neither a number nor a table"),
    ("384.243E6", "-3e8", 6, "EA is -3e+08 and must be positive"),
    ("main       0.09 ", "main       O.09 ", 6, "(Diam) is 'O.09', which is not a number"),
    ("main       0.09 ", "main       0 ", 6, "Diam is 0 and must be positive"),
    ("77.7066", "nan", 6, "'nan', which is not a number"),
    ("77.7066", "1e999", 6, "which is not a number"),
    ("1.6  1.0  0.1   0.0", "1.6  1.0  0.1", 6, "those of a version 1 file"),
    ("1.6  1.0  0.1   0.0", "1.6  1.0", 6, "has 10 to 13 columns, this line has 8"),
    ("1.6  1.0  0.1   0.0", "-1.6  1.0  0.1   0.0", 6, "Cd is -1.6"),
    ("853.87    0 ", "abc    0 ", 10, "column 3 (X) is 'abc'"),
    ("4     Vessel", "7     Vessel", 13, "point 7 is number 4"),
    ("4     Vessel", "4     Vesel", 13, "unknown attachment 'Vesel'"),
    ("4     Vessel", "4     Body1", 13, "hangs on body 1, and there are 0 bodies"),
    ("-70.0   0      0       0      0\n5", "-70.0   0  0\n5", 13, "has 9 columns, this line has 7"),
    ("-70.0   0      0       0      0\n5", "-70 0 0 0 0 0 0 0\n5", 13, "version 1"),
    ("-70.0   0      0       0      0\n5", "-70 0 0 0 0 top\n5", 13, "put remarks behind '#'"),
    ("1     main       1        4", "1     main       1        9", 19, "ends on point 9"),
    ("1     main       1        4", "1     main       1        1", 19, "both ends of line 1"),
    ("1     main       1        4", "1     main       1        R1A", 19, "ends on rod 1"),
    ("1     main       1        4", "1     main       1        4B", 19, "a line ends on a point"),
    ("1     main       1        4", "1     chain      1        4", 19, "unknown type 'chain'"),
    ("1     main       1        4", "3     main       1        4", 19, "line 3 is number 1"),
    ("902.2     20      -\n2", "902.2     20.5    -\n2", 19, "is not a whole number"),
    ("902.2     20      -\n2", "902.2     0       -\n2", 19, "at least one segment"),
    ("902.2     20      -\n2", "-902.2    20      -\n2", 19, "UnstrLen is -902.2"),
    ("902.2     20      -\n2", "902.2     20\n2", 19, "has 7 columns, this line has 6"),
    ("0.005         dtM", "dtM   0.005", 23, "reversed, which MoorDyn ignores; write '0.005 dtM'"),
    ("0.005         dtM", "0.005 dtm_", 23, "unknown option 'dtm_', which MoorDyn ignores; did"),
    ("0.005         dtM", "0.005 dtM\n0.01 dt", 24, "given twice, first in line 23"),
    ("0.005         dtM", "0.005", 23, "write 'value name'"),
    ("0.005         dtM", "x dtM", 23, "'x', which is not a number"),
    ("0.005         dtM", "0 dtM", 23, "dtM must be positive"),
    ("0.005         dtM", "0.005 dtM\nrk7 tScheme", 24, "silently takes rk2"),
    ("0.005         dtM", "0.005 dtM\nwilson20 tScheme", 24, "clock 1.74 times too fast"),
    ("0.005         dtM", "0.005 dtM\nab4 tScheme", 24, "wrong coefficients"),
    ("0.005         dtM", "0.005 dtM\nbottom.txt SeafloorFile", 24, "no such file"),
    ("- LINES -", "- LNIES -", 16, "unknown section 'LNIES', which MoorDyn ignores; did you mean"),
    ("- LINES -", "- POINTS -", 16, "a second section of points"),
    ("ID    Type      X  ", "1 Fixed 1 1 1 0 0 0 0 ", 8, "skips the 2 lines below"),
    ("- OPTIONS -", "- FAILURE -", 22, "do not work in MoorDyn 2.7"),
    ("- OPTIONS -", "- CONTROL -", 22, "only the Fortran version"),
    ("- LINE TYPES -", "- SYROPE IC -", 3, "not supported"),
    ("main       0.09", "main 0.1 9 9 9 9 1 1 1 1\nmain       0.09", 7, "was defined in line 6"),
    (POINTS, BODY.format("Copled"), 10, "unknown attachment 'Copled'"),
    (POINTS, BODY.format("Coupled 1"), 10, "has 14 columns, this line has 15"),
    (
        POINTS,
        BODY.format("Coupled").replace("0 0 0 0 0 0\n", "0 1|2 0 0 0 0\n"),
        10,
        "numbers joined",
    ),
    (POINTS, ROD.format("tin", "Fixed"), 14, "unknown type 'tin'"),
    (POINTS, ROD.format("can", "Body3"), 14, "hangs on body 3"),
]


@pytest.mark.parametrize(("old", "new", "row", "reason"), REFUSED)
def test_a_bad_file_is_refused_with_file_line_and_reason(mooring, oc3_text, old, new, row, reason):
    assert old in oc3_text
    path = mooring(oc3_text.replace(old, new, 1))
    with pytest.raises(MooringFileError) as caught:
        read_mooring_file(path)
    error = caught.value
    assert (error.path, error.row) == (path, row)
    assert reason in error.reason
    assert str(error).startswith(f"{path}:{row}: ")
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("content", "row", "reason"),
    [
        (b"", 0, "is empty"),
        (b" \n\n", 0, "is empty"),
        (b"\x7fELF\0\0binary", 0, "not a text file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", 1, "git-lfs pointer"),
        (b"case: 1\nbodies: {}\n", 0, "no '--- SECTION ---' lines"),
        (b"--- LINE TYPES ---\na\nb\n--- OPTIONS ---\n", 0, "no 'POINTS' section"),
        (VERSION_1.encode(), 5, "version 1"),
    ],
)
def test_what_is_no_mooring_file_is_refused(tmp_path, content, row, reason):
    path = tmp_path / "foreign.txt"
    path.write_bytes(content)
    with pytest.raises(MooringFileError, match=r"foreign\.txt") as caught:
        read_mooring_file(path)
    assert caught.value.row == row
    assert reason in caught.value.reason


def test_an_absent_file_and_a_directory_are_refused(tmp_path):
    with pytest.raises(MooringFileError, match="no such file"):
        read_mooring_file(tmp_path / "absent.txt")
    with pytest.raises(MooringFileError, match="is a directory"):
        read_mooring_file(tmp_path)


# what depends on the case: options of the adapter, text changed, line, reason
CONTRADICTIONS = [
    ({}, ("320           WtrDpth", "300 WtrDpth"), 24, "WtrDpth is 300 here and 320 in the"),
    ({}, ("320           WtrDpth", "320 WtrDpth\n9.81 g"), 25, "g is 9.81 here and 9.80665"),
    ({}, ("320           WtrDpth", "320 WtrDpth\n1000 rho"), 25, "rho is 1000 here and 1025"),
    ({}, ("320           WtrDpth", "320 WtrDpth\n2 WaveKin"), 25, "come from the environment"),
    ({}, ("320           WtrDpth", "320 WtrDpth\n1 Currents"), 25, "come from the environment"),
    ({}, ("0.005         dtM\n", ""), 0, "does not give dtM"),
    ({}, ("0.005         dtM", "0.012 dtM"), 23, "unstable with rk4"),
    ({"scheme": "rk2"}, ("0.005         dtM", "0.008 dtM"), 23, "unstable with rk2"),
    ({"water_depth": 300}, ("", ""), 10, "anchor 1 at z = -320 m is below the sea bed"),
    ({}, ("-70.0 ", "-321 "), 13, "fairlead 4 at z = -321 m is below the sea bed"),
    ({}, ("902.2 ", "800.0 "), 19, "line 1 is 800 m long and its ends are 884.7"),
    ({}, ("4     Vessel", "4     Free"), None, ""),
    ({"fairleads": {9: "spar"}}, ("", ""), 0, "no coupled point 9"),
    ({"fairleads": {4: "spra"}}, ("", ""), 13, "there is no point 'spra'; did you mean 'spar'"),
    ({"file_bodies": {1: "spar"}}, ("", ""), 0, "no coupled body 1"),
    (
        {},
        (POINTS, BODY.format("Coupled").replace("0 0 0 0 0 0\n", "7 0 0 0 0 0\n")),
        10,
        "of its own",
    ),
    ({}, (POINTS, BODY.format("CoupledPinned")), 10, "coupled and pinned"),
    ({}, (POINTS, ROD.format("can", "Coupled")), 14, "fixed to a body of the case"),
]


@pytest.mark.parametrize(("options", "change", "row", "reason"), CONTRADICTIONS)
def test_a_file_that_contradicts_the_case_is_refused_before_it_runs(
    make_adapter, oc3_text, options, change, row, reason
):
    text = oc3_text.replace(*change, 1) if change[0] else oc3_text
    if row is None:
        make_adapter(text, **options)
        return
    with pytest.raises(MooringFileError) as caught:
        make_adapter(text, **options)
    assert caught.value.row == row
    assert reason in caught.value.reason


def test_overrides_settle_a_contradiction(make_adapter, oc3_text):
    text = oc3_text.replace("320           WtrDpth", "320 WtrDpth\n9.81 g\n1000 rho")
    adapter = make_adapter(
        text,
        environment={"water_depth": "inf"},
        water_depth="file",
        gravity="file",
        water_density=1030,
    )
    options = adapter._setup.file.options
    assert [float(options[name].value) for name in ("WtrDpth", "g", "rho")] == [320, 9.81, 1030]


def test_infinite_depth_needs_a_sea_bed(make_adapter, oc3_text):
    text = oc3_text.replace("320           WtrDpth\n", "")
    with pytest.raises(MooringFileError, match="set 'water_depth'"):
        make_adapter(text, environment={"water_depth": "inf"})


def test_two_bodies_need_to_be_told_apart(make_adapter, oc3_text):
    bodies = {"spar": {"cog": [0, 0, -78]}, "buoy": {"cog": [50, 0, 0]}}
    with pytest.raises(MooringFileError, match=r"txt:13: point 4 is coupled; say which body"):
        make_adapter(oc3_text, bodies=bodies)
    text = oc3_text.replace(POINTS, BODY.format("Coupled"))
    with pytest.raises(MooringFileError, match=r"txt:10: body 1 is coupled; say which body"):
        make_adapter(text, bodies=bodies)
    with pytest.raises(MooringFileError, match=r"there is no body 'boat'"):
        make_adapter(text, bodies=bodies, file_bodies={1: "boat"})


def test_headings_blank_lines_tabs_and_remarks_do_not_matter(mooring, oc3_text):
    plain = read_mooring_file(mooring(oc3_text))
    loose = oc3_text.replace("POINTS", "connection properties", 1)
    loose = loose.replace("2     Fixed", "\n# second anchor\n2\tFixed").replace(
        "0.005         dtM", "0.005 DT  # slow"
    )
    other = read_mooring_file(mooring(loose, "loose.txt"))
    strip = [(point.id, point.attachment, point.position) for point in plain.points]
    assert [(point.id, point.attachment, point.position) for point in other.points] == strip
    assert other.number("dtM") == plain.number("dtM") == 0.005


def test_errors_of_mooring_files_are_case_errors():
    assert issubclass(MooringFileError, CaseError)
    assert MooringFileError.exit_code == 2


def test_a_body_that_starts_beside_its_centre_of_gravity_is_remarked(
    make_adapter, oc3_text, caplog
):
    text = oc3_text.replace(POINTS, BODY.format("Coupled").replace("-35", "-78.2"))
    text = text.replace("4     Vessel    5.2       0.0         -70.0", "4 Body1 5.2 0.0 8.2")
    with caplog.at_level(logging.WARNING):
        make_adapter(text)
    assert "0.2 m from the centre of gravity of 'spar'" in caplog.text
