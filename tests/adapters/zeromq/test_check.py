"""`cosim check` looks whether the program is there, and `cosim modes` at what it does."""

import sys
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.build import build
from cosim.case.inspect import find_coupling, round_trips, start_of
from cosim.cli.check_command import check_case

PEER = Path(__file__).parent / "peers" / "added.py"
CASE = """\
case: 1
bodies:
  buoy: {mass: 2, cog: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, child: buoy, at: [0, 0, 0], axis: [1, 0, 0]}
elements:
  spring: {type: joint, joint: rail, stiffness: 20.0}
adapters:
  water: {type: zeromq, mode: evaluate, bodies: [buoy], SOURCE, settings: {c: 3}}
time: {end: 1}
"""


def written(folder, source):
    file = folder / "case.yaml"
    file.write_text(CASE.replace("SOURCE", source))
    return file


def test_check_shows_that_the_peer_answers(tmp_path, capsys):
    file = written(tmp_path, f'launch: "{sys.executable} {PEER} Told"')
    check_case(file, [])
    text = " ".join(capsys.readouterr().out.split())
    assert "adapter 'water': peer told, mode evaluate it answers; a message there and" in text


def test_only_adapters_with_a_program_have_a_round_trip(tmp_path):
    assembly = build(cosim.read_case(written(tmp_path, f"inline: '{PEER}:Told'")))
    assert 0.0 < round_trips(assembly)["water"] < 0.1
    assembly.adapters["water"].end()


def test_modes_are_those_with_its_added_mass_and_damping(tmp_path):
    """w = sqrt(20 / (2 + 20)), damping ratio c / (2 sqrt(k m))."""
    case = cosim.read_case(written(tmp_path, f"inline: '{PEER}:Told'"))
    mode = cosim.case_modes(case).modes[0]
    omega, ratio = (20.0 / 22.0) ** 0.5, 3.0 / (2.0 * (20.0 * 22.0) ** 0.5)
    assert mode.damping_ratio == pytest.approx(ratio, abs=1e-6)
    assert 2.0 * np.pi / mode.period == pytest.approx(omega * (1 - ratio**2) ** 0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("peer", "schemes"),
    [
        ("Sealed", ["explicit, order 0", "explicit, order 1", "explicit, order 2"]),
        ("Mute", None),
    ],
)
def test_check_shows_only_schemes_that_are_possible(tmp_path, peer, schemes):
    file = written(tmp_path, f"inline: '{PEER}:{peer}', restorable: false")
    file.write_text(file.read_text().replace("evaluate", "advance"))
    assembly = build(cosim.read_case(file, ["time.communication_step=0.02"]))
    coupling = find_coupling(assembly, start_of(assembly), 0.0)
    assert (coupling and list(coupling.schemes)) == schemes


@pytest.mark.parametrize(("static", "mass"), [(True, 2.0), (False, 22.0)])
def test_a_peer_with_its_own_clock_is_asked_at_rest_while_it_runs(tmp_path, static, mass):
    """w = sqrt((20 + 10) / m), by its stiffness at rest alone, or by what it does in motion."""
    file = written(tmp_path, f"inline: '{PEER}:Held'")
    file.write_text(file.read_text().replace("evaluate", "advance"))
    mode = cosim.case_modes(cosim.read_case(file), static=static).modes[0]
    assert 2.0 * np.pi / mode.period == pytest.approx((30.0 / mass) ** 0.5, rel=2e-3)
