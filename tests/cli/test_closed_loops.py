"""What the commands say of closed loops."""

import numpy as np
import pytest

from cosim.results.reader import open_results

FOUR_BAR = """\
case: 1
title: Four bars
bodies:
  crank: {mass: 1, cog: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1]}
  coupler: {mass: 1, cog: [0.6, 0, 1.25], inertia: [0.1, 0.1, 0.1]}
  rocker: {mass: 1, cog: [1.2, 0, 0.75], inertia: [0.1, 0.1, 0.1]}
joints:
  A: {type: revolute, child: crank, at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, parent: crank, child: coupler, at: [0, 0, 1], axis: [0, 1, 0]}
  C: {type: revolute, parent: coupler, child: rocker, at: [1.2, 0, 1.5], axis: [0, 1, 0]}
  D: {type: revolute, child: rocker, at: [1.2, 0, 0], axis: [0, 1, 0], cut: true}
elements:
  spring: {type: joint, joint: A, stiffness: 60}
start:
  from: reference
  set: {A.angle_deg: 10}
time: {end: 1}
output: {step: 0.1}
"""


@pytest.fixture
def four_bar(tmp_path):
    path = tmp_path / "four_bar.yaml"
    path.write_text(FOUR_BAR)
    return path


def words(text):
    return " ".join(text.split())


def test_check_counts_freedom_by_rank(invoke, four_bar):
    code, said, errors = invoke("check", four_bar)
    assert code == 0, errors
    said = words(said)
    assert "3 bodies, 1 degree of freedom" in said
    assert "3 of the 5 closure equations follow from the others" in said
    assert "Gruebler's count gives -2" in said
    assert "joint 'D' holds what others hold too: force along (0, 1, 0)" in said


def test_run_warns_of_loads_that_are_not_unique_and_stores_them(invoke, four_bar):
    code, _, errors = invoke("run", four_bar)
    assert code == 0, errors
    assert "joint 'D' holds what others hold too" in words(errors)
    results = open_results("results/four_bar.nc")
    assert list(results["joint"].values) == ["A", "B", "C", "D"]
    assert results["closure/gap"].max() < 1e-12
    assert results["closure/shift"].max() < 1e-4
    held = results.joint_force.sel(joint=["A", "D"]).sum("joint")
    total = results.acceleration.sum("body").values + np.array([0.0, 0.0, 3.0 * 9.81])
    assert abs(held.values - total).max() < 1e-9


def test_start_that_leaves_a_loop_open_is_one_sentence(invoke, four_bar):
    settings = ("--set", "start.set.A.angle_deg=20", "--set", "start.set.B.angle_deg=30")
    code, _, errors = invoke("run", four_bar, *settings)
    assert code != 0
    text = "the loops cannot be closed with these start values: joint 'D' is open by"
    assert text in words(errors)


def test_load_on_a_cut_joint_is_refused(invoke, four_bar):
    code, _, errors = invoke("check", four_bar, "--set", "elements.spring.joint=D")
    assert code == 2
    text = "'D' (revolute) is cut: it has no coordinate to load; cut another joint"
    assert text in words(errors)
