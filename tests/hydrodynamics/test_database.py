import numpy as np
import pytest

from cosim.errors import DatabaseError
from cosim.hydrodynamics.rigid import block_transfer
from cosim.hydrodynamics.storage import load_database, save_database

ARRAYS = ("omega", "added_mass", "damping", "added_mass_inf", "headings", "excitation")


def same(a, b, rtol=0.0):
    for name in ARRAYS:
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=rtol, atol=rtol * 1e6)
    for x, y in zip(a.bodies, b.bodies, strict=True):
        np.testing.assert_allclose(x.stiffness, y.stiffness, rtol=rtol, atol=rtol * 1e6)


def test_moving_there_and_back_changes_nothing(pair):
    moved = pair.move_reference({"left": (1.0, 2.0, -7.0), "right": (28.0, 0.0, 3.0)})
    back = moved.move_reference({b.name: b.reference_point for b in pair.bodies})
    same(back, pair, rtol=1e-11)


def test_moved_coefficients_store_and_do_the_same(pair):
    points = {"left": (1.0, 2.0, -7.0), "right": (28.0, 0.0, 3.0)}
    moved = pair.move_reference(points)
    T = block_transfer([b.reference_point - points[b.name] for b in pair.bodies])
    v = np.random.default_rng(0).normal(size=12)
    old = T @ v
    assert v @ moved.added_mass_inf @ v == pytest.approx(old @ pair.added_mass_inf @ old)
    assert v @ moved.damping[7] @ v == pytest.approx(old @ pair.damping[7] @ old)
    assert v @ moved.excitation[7, 1] == pytest.approx(old @ pair.excitation[7, 1])


def test_selection_reorders_every_array(pair):
    swapped = pair.select(["right", "left"])
    rows = np.r_[6:12, 0:6]
    assert swapped.names == ("right", "left")
    np.testing.assert_array_equal(swapped.added_mass, pair.added_mass[:, rows[:, None], rows])
    np.testing.assert_array_equal(swapped.excitation, pair.excitation[..., rows])
    same(swapped.select(["left", "right"]), pair)
    assert pair.select(["right"]).added_mass.shape == (80, 6, 6)


def test_unknown_body_is_named_with_those_there_are(pair):
    with pytest.raises(DatabaseError, match="no body 'middle'; it holds left, right"):
        pair.select(["middle"])


def test_arrays_are_read_only_copies(database):
    with pytest.raises(ValueError, match="read-only"):
        database.added_mass[0, 0, 0] = 1.0


def test_storage_is_lossless(pair, tmp_path):
    save_database(pair, tmp_path / "pair.nc")
    again = load_database(tmp_path / "pair.nc")
    same(again, pair)
    assert again.names == pair.names
    assert again.added_mass_zero is None
    assert (again.water_depth, again.source.tool) == (np.inf, "synthetic")
    np.testing.assert_array_equal(again.bodies[1].centre_of_mass, pair.bodies[1].centre_of_mass)


def test_single_precision_is_below_bem_accuracy(pair, tmp_path):
    save_database(pair, tmp_path / "pair.nc", single=True)
    again = load_database(tmp_path / "pair.nc")
    scale = np.abs(pair.added_mass).max()
    np.testing.assert_allclose(again.added_mass, pair.added_mass, atol=1e-7 * scale)
    np.testing.assert_array_equal(again.added_mass_inf, pair.added_mass_inf)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("omega", np.linspace(8.0, 0.1, 80), "not positive and strictly increasing"),
        ("damping", np.zeros((80, 5, 6)), r"damping has the shape \(80, 5, 6\)"),
        ("headings", np.array([0.0, 0.0]), "shape|headings"),
    ],
)
def test_inconsistent_arrays_are_refused(database, field, value, sentence):
    from dataclasses import replace

    with pytest.raises(DatabaseError, match=sentence):
        replace(database, **{field: value})
