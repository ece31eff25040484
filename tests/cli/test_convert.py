from pathlib import Path

import numpy as np
import pytest

from cosim.case.read import read_case
from cosim.readers import read_chrono_yaml
from cosim.results.reader import open_results

MODELS = sorted((Path(__file__).parents[1] / "readers" / "chrono").glob("*.model.yaml"))
CART = next(model for model in MODELS if model.name.startswith("cart"))


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_round_trip(invoke, model):
    """The case file describes the system that was read, to the last digit."""
    code, out, errors = invoke("convert", model, "case.yaml")
    assert (code, out) == (0, "case.yaml\n"), errors
    case, reading = read_case("case.yaml"), read_chrono_yaml(model)
    for section in ("environment", "bodies", "joints", "elements", "earth_points"):
        assert getattr(case, section) == getattr(reading.system, section)
    assert case.start.set == reading.start
    assert case.title == reading.title


def test_converted_case_checks_and_runs(invoke):
    assert invoke("convert", CART, "cart.yaml", "--end", "2")[0] == 0
    code, out, errors = invoke("check", "cart.yaml")
    assert code == 0, errors
    assert "the case is ready to run" in out + errors
    code, _, errors = invoke("run", "cart.yaml", "--quiet")
    assert code == 0, errors
    position = open_results("results/cart.nc")["position"].sel(body="cart")
    # section 4.2.2 of the M4E paper, tests/verification/test_m4e_cases.py
    assert float(position[-1, 0]) == pytest.approx(0.750088994552, abs=1e-4)
    assert np.all(position[:, 1:] == [0.0, 0.125])


def test_shown_without_a_name(invoke, tmp_path):
    code, out, _ = invoke("convert", CART)
    assert code == 0
    (tmp_path / "shown.yaml").write_text(out)
    assert read_case("shown.yaml").joints["slide"].axis == (-1.0, 0.0, 0.0)


def test_end_that_nothing_says_is_told(invoke, tmp_path):
    model = tmp_path / "alone.model.yaml"
    model.write_text(CART.read_text())
    code, _, errors = invoke("convert", model, "case.yaml")
    assert code == 0
    assert "time.end is 10 s" in errors


def test_files_are_not_written_over(invoke, tmp_path):
    (tmp_path / "case.yaml").write_text("mine")
    code, _, errors = invoke("convert", CART, "case.yaml")
    assert code == 2
    assert "'case.yaml' is there already; choose another name, or --force" in errors
    assert (tmp_path / "case.yaml").read_text() == "mine"
    assert invoke("convert", CART, "case.yaml", "--force")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.yaml"], "there is no model file 'nothing.yaml'"),
        ([CART, "missing/case.yaml"], "'missing/case.yaml' cannot be written"),
        ([CART, "case.yaml", "--end", "-1"], "cosim: time.end: must be greater than 0"),
        ([CART, "case.yaml", "--end", "0"], "cosim: time.end: must be greater than 0"),
        ([CART, "case.yaml", "--simulation", CART], "'simulation' is required"),
    ],
)
def test_mistakes(invoke, arguments, sentence):
    code, _, errors = invoke("convert", *arguments)
    assert code == 2
    assert sentence in errors
