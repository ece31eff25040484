import io

import pytest
from rich.console import Console

from cosim.cli.tables import number, statistics_table
from cosim.results.statistics import Statistic


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.23456, "1.235"),
        (-123.456, "-123.5"),
        (900123.0, "900123"),
        (8.066e6, "8.07e+06"),
        (1.5e-16, "1.50e-16"),
        (float("nan"), "-"),
    ],
)
def test_numbers_have_four_digits(value, text):
    assert number(value) == text


def test_large_units_get_a_prefix():
    out = io.StringIO()
    rows = [
        Statistic("tension", "N", 9.0e5, 1e4, 8.7e5, 9.3e5),
        Statistic("surge", "m", 1.5, 0.5, 0.1, 3.0),
    ]
    Console(file=out, width=100).print(statistics_table(rows, 60.0))
    lines = [line.split() for line in out.getvalue().splitlines()]
    assert ["tension", "900.0", "10.00", "870.0", "930.0", "kN"] in lines
    assert ["surge", "1.500", "0.5000", "0.1000", "3.000", "m"] in lines
