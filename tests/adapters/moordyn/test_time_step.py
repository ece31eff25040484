"""The estimated stable step brackets MoorDyn's true one."""

import math
from dataclasses import replace

import pytest

from adapters.moordyn.file import read_mooring_file
from adapters.moordyn.instance import DivergenceError, MoorDynInstance
from adapters.moordyn.time_step import eased, stable_step, suggested_step
from adapters.moordyn.write import mooring_text


def _survives(text, step, scheme):
    text = text.replace("0.005         dtM", f"{step!r} dtM\n{scheme} tScheme")
    instance = MoorDynInstance(text, {}, adapter="lines")
    x = [5.2, 0.0, -70.0, -2.6, 4.503332, -70.0, -2.6, -4.503332, -70.0]
    instance.start(x, 3, 6)
    count = math.ceil(20.0 / step)
    try:
        force = instance.follow([x] * count, [[0.0] * 9] * count, step)
    except DivergenceError:
        return False
    finally:
        instance.close()
    return max(map(abs, force)) < 2e6


# what decides: the sea bed, stretching with and without damping, many short segments
CASES = {
    "sea bed": ((), "rk4"),
    "sea bed, rk2": ((), "rk2"),
    "stretching": ((("902.2     20", "902.2     40"), ("320           W", "320 W"), "soft"), "rk4"),
    "undamped": ((("-0.8  ", "-0.01 "), "soft"), "rk4"),
    "euler": ((), "euler"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_estimate_brackets_the_true_limit(mooring, oc3_text, name):
    changes, scheme = CASES[name]
    text = oc3_text
    for change in changes:
        if change == "soft":
            text = text.replace("0.005         dtM", "3e4 cBot\n0.005         dtM")
        else:
            text = text.replace(*change)
    limit = stable_step(read_mooring_file(mooring(text)), scheme)
    assert _survives(text, 0.6 * limit, scheme)
    assert not _survives(text, 1.5 * limit, scheme)


def test_the_suggestion_is_a_part_of_the_limit_of_rk4(mooring, oc3_text):
    file = read_mooring_file(mooring(oc3_text))
    assert suggested_step(file) == pytest.approx(0.6 * stable_step(file, "rk4"))
    assert stable_step(file, "midpoint5") is None


def test_eased_lines_allow_longer_steps_and_round_trip(mooring, oc3_text):
    file = read_mooring_file(mooring(oc3_text))
    easy = eased(file)
    assert float(easy.options["dtM"].value) > 3.0 * suggested_step(file)
    again = read_mooring_file(mooring(mooring_text(easy), "eased.txt"))
    assert again.line_types[0].EA == file.line_types[0].EA


def test_single_segments_between_held_points_have_nothing_to_integrate(mooring, oc3_text):
    file = read_mooring_file(mooring(oc3_text))
    single = replace(file, lines=tuple(replace(line, segments=1) for line in file.lines))
    assert stable_step(single, "rk4") is None
    assert suggested_step(single) is None
    assert eased(single) is single
    # a free end is a node that moves
    loose = tuple(replace(point, attachment="free") for point in single.points)
    assert stable_step(replace(single, points=loose), "rk4") is not None
