import numpy as np
import pytest
import xarray as xr

from cosim.results.statistics import (
    Series,
    Statistic,
    largest_imbalance,
    settled_from,
    statistics,
)


@pytest.fixture
def dataset():
    time = np.arange(0.0, 100.0, 0.1)
    tension = 1000 + 50 * np.sin(2 * np.pi * time / 10)
    tension[time < 20] = 0.0
    surge = np.column_stack([np.full(time.size, 2.0), time])
    return xr.Dataset(
        {
            "lines/tension": ("time", tension, {"units": "N"}),
            "joint_translation": (("time", "translation"), surge, {"units": "m"}),
            "joint_type": ("joint", np.array(["floating", "prismatic"], dtype=object)),
            "joint_child": ("joint", np.array(["hull", "rod"], dtype=object)),
            **{f"hydro/load_{i}": ("time", tension, {"units": "N"}) for i in range(18)},
        },
        coords={
            "time": time,
            "joint": ["free", "slide"],
            "translation": ["free.surge", "slide.position"],
            "source": ["hydro", "lines"],
        },
        attrs={"wave_ramp": "20"},
    )


def test_the_ramp_is_left_out(dataset):
    assert settled_from(dataset) == 20.0
    tension = {row.name: row for row in statistics(dataset)}["lines/tension"]
    # eight whole periods of 1000 + 50 sin
    assert tension.mean == pytest.approx(1000)
    assert tension.std == pytest.approx(50 / np.sqrt(2), rel=1e-6)
    assert (tension.minimum, tension.maximum) == (pytest.approx(950), pytest.approx(1050))
    assert statistics(dataset, 0.0)[2].minimum == 0.0


def test_a_run_shorter_than_the_ramp_is_taken_whole(dataset):
    assert settled_from(dataset.sel(time=slice(0, 10))) == 0.0


def test_coordinates_of_floating_bodies_are_named_after_them(dataset):
    assert [row.name for row in statistics(dataset)] == [
        "hull surge",
        "slide.position",
        "lines/tension",
    ]


def with_elements(dataset, count):
    time = dataset["time"].values
    quantities = {"force": "N", "power": "W", "position": "m", "rate": "m/s"}
    added = {
        f"element/pto{i}/{quantity}": ("time", np.full(time.size, -float(i)), {"units": units})
        for i in range(count)
        for quantity, units in quantities.items()
    }
    return dataset.assign(added)


def elements_listed(dataset):
    return [row.name for row in statistics(dataset) if row.name.startswith("element/")]


def test_loads_and_powers_of_elements_are_listed(dataset):
    rows = statistics(with_elements(dataset, 2))[-4:]
    names = [f"element/pto{i}/{quantity}" for i in (0, 1) for quantity in ("force", "power")]
    assert [row.name for row in rows] == names
    assert (rows[-1].mean, rows[-1].units) == (-1.0, "W")


def test_of_many_elements_the_powers_and_of_very_many_nothing(dataset):
    names = elements_listed(with_elements(dataset, 7))
    assert names == [f"element/pto{i}/power" for i in range(7)]
    assert elements_listed(with_elements(dataset, 13)) == []


def test_nothing_but_nan_has_no_statistics():
    row = Statistic.of(Series("x", "m", np.array([np.nan, np.nan])))
    assert np.isnan([row.mean, row.std, row.minimum, row.maximum]).all()


def test_an_imbalance_counts_by_the_energy_of_the_whole_run():
    books = xr.Dataset(
        {
            "ledger/balance": ("time", [0.0, 3.0, -2e-6, 1e-6]),
            "ledger/exchanged": ("time", [0.0, 1e-6, 50.0, 100.0]),
            "energy/kinetic": ("time", [0.0, 1e-6, 5.0, 1.0]),
        }
    )
    assert largest_imbalance(books) == pytest.approx(1e-6)
    books["ledger/exchanged"] = ("time", [0.0, 0.0, 0.0, 1e-12])
    assert largest_imbalance(books) == 3.0
    assert largest_imbalance(books[["ledger/balance"]]) == 3.0
