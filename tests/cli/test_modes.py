import csv
import json
import math

import pytest

SPRING = """\
case: 1
title: Two masses
parameters: {k: 50}
environment: {gravity: 0}
bodies:
  a: {mass: 2, cog: [0, 0, 0], inertia: [1, 1, 1]}
  b: {mass: 3, cog: [1, 0, 0], inertia: [1, 1, 1]}
joints:
  xa: {type: prismatic, child: a, at: [0, 0, 0], axis: [1, 0, 0]}
  xb: {type: prismatic, child: b, at: [1, 0, 0], axis: [0, 1, 0]}
elements:
  ka: {type: joint, joint: xa, stiffness: =k, damping: 2}
  kb: {type: joint, joint: xb, stiffness: 12}
time: {end: 1}
"""


@pytest.fixture
def masses(tmp_path):
    path = tmp_path / "masses.yaml"
    path.write_text(SPRING)
    return path


def test_modes_are_shown_and_stored(invoke, masses, tmp_path):
    code, shown, errors = invoke(
        *("modes", masses, "--sensitivity", "k", "--json", "out/m.json", "--csv", "m.csv")
    )
    assert code == 0, errors
    assert "Two masses: 2 modes of 2 coordinates, about the equilibrium" in shown
    for text in ("damping ratio", "xb.position 100%", "per unit of k = 50"):
        assert text in shown
    content = json.loads((tmp_path / "out" / "m.json").read_text())
    slow, fast = content["modes"]
    assert slow["period"] == pytest.approx(math.pi)
    assert slow["damping_ratio"] == pytest.approx(0.0, abs=1e-12)
    assert fast["undamped_period"] == pytest.approx(2 * math.pi / 5)
    assert fast["damping_ratio"] == pytest.approx(0.1)
    assert list(fast["participation"].values()) == [1.0, 0.0]
    by_k = {record["mode"]: record["frequency"] for record in content["sensitivities"]}
    # w = sqrt(k / m - 0.25)
    assert by_k[fast["name"]] == pytest.approx(0.25 / math.sqrt(24.75) / (2 * math.pi))
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text().splitlines()))
    assert [float(row["period"]) for row in rows] == [slow["period"], fast["period"]]


def test_numbers_can_be_set(invoke, masses):
    code, shown, errors = invoke("modes", masses, "--set", "k=200")
    assert code == 0, errors
    assert "0.0500" in shown  # 2 / (2 sqrt(2 * 200))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--sensitivity", "kk"), "there is no number 'kk' in the case"),
        (("--json", "masses.yaml/m.json"), "cannot be written"),
    ],
)
def test_mistakes_are_one_sentence(invoke, masses, arguments, text):
    code, _, errors = invoke("modes", masses, *arguments)
    assert code == 2
    assert text in errors


def test_an_unstable_equilibrium_is_told(invoke, masses):
    law = ("--set", "elements.kb.stiffness=0", "--set", "elements.kb.law=12*x")
    code, shown, _ = invoke("modes", masses, *law)
    assert code == 0
    assert "grows by the factor e in 0.5 s" in shown


@pytest.mark.parametrize("command", ["check", "run"])
def test_an_equilibrium_is_linearised_once(invoke, masses, monkeypatch, command):
    from cosim.case import modes

    calls = []
    linear = modes.linear_system

    def counted(*arguments, **options):
        calls.append(arguments)
        return linear(*arguments, **options)

    monkeypatch.setattr(modes, "linear_system", counted)
    code, _, errors = invoke(command, masses)
    assert code == 0, errors
    assert len(calls) == 1
