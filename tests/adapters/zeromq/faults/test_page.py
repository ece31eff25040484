"""The page of the documentation is the table that the tests go through."""

import os
from pathlib import Path

from .page import page
from .table import ROWS

PAGE = Path(__file__).parents[4] / "docs" / "faults.md"


def test_the_page_is_the_table():
    """Write it anew with the environment variable WRITE_PAGES."""
    if os.environ.get("WRITE_PAGES"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_rows_have_names_of_their_own():
    assert len({row.name for row in ROWS}) == len(ROWS)
