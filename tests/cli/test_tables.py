import io

import pytest
from rich.console import Console

from cosim.cli.tables import damping, fitted, number, statistics_table, table
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


def test_wide_tables_come_in_parts_that_lose_nothing():
    made = table("name", *(f"column {k}" for k in range(8)))
    for row in ("first", "second"):
        made.add_row(row, *(f"{row[0]}{k}.000000" for k in range(8)))
    parts = fitted(made, 40)
    assert len(parts) == 4
    out = io.StringIO()
    for part in parts:
        Console(file=out, width=40).print(part)
    text = out.getvalue()
    assert "…" not in text
    assert text.count("first") == text.count("second") == 4
    assert all(f"{row}{k}.000000" in text for row in "fs" for k in range(8))
    assert fitted(made, 120) == [made]


def test_rounding_is_no_damping():
    assert [damping(value) for value in (-4.8e-16, 0.0301, -0.02)] == ["0", "0.0301", "-0.0200"]
