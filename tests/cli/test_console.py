import io
import logging
import warnings

import pytest
from rich.console import Console

from cosim.cli.console import listen


@pytest.fixture
def shown():
    return Console(file=io.StringIO(), width=80)


def lines(console):
    return console.file.getvalue().splitlines()


def test_a_warning_is_shown_once_and_a_message_as_often_as_it_comes(shown):
    log = logging.getLogger("cosim.somewhere")
    with listen(shown, logging.INFO):
        for _ in range(2):
            log.warning("deep")
            log.info("and on")
    assert lines(shown) == ["warning: deep", "and on", "and on"]


def test_progress_is_shown_where_only_warnings_are(shown):
    with listen(shown, logging.WARNING, progress=True):
        logging.getLogger("adapters.somewhere").info("a note")
        logging.getLogger("adapters.progress").info("half way")
    with listen(shown, logging.WARNING):
        logging.getLogger("adapters.progress").info("quiet")
    assert lines(shown) == ["half way"]


def test_a_warning_of_python_is_one_line_without_its_place(shown):
    with listen(shown, logging.INFO):
        warnings.simplefilter("always")
        for _ in range(2):
            warnings.warn("a glyph is missing", UserWarning, stacklevel=1)
    assert lines(shown) == ["warning: a glyph is missing"]
