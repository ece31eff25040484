"""The reference pages know every public name and every key."""

import re
import sys
from pathlib import Path

import pytest

import cosim
from cosim import errors

DOCS = Path(__file__).parents[2] / "docs"


def test_api_page_has_every_public_name():
    text = (DOCS / "reference" / "api.md").read_text()
    documented = re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)$", text, re.MULTILINE)
    assert sorted(documented) == sorted(cosim.__all__)


def test_public_names_can_be_imported():
    for name in cosim.__all__:
        assert getattr(cosim, name).__doc__


def test_errors_page_has_every_error():
    text = (DOCS / "errors.md").read_text()
    for name in errors.__all__:
        assert f"`{name}`" in text
    for code in {getattr(errors, name).exit_code for name in errors.__all__}:
        assert re.search(rf"^\| {code} \|", text, re.MULTILINE)


@pytest.fixture
def case_file_page(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import case_reference

    yield list(case_reference.lines())
    for name in ("case_reference", "docstrings"):
        sys.modules.pop(name)


def test_case_file_page_explains_every_key(case_file_page):
    rows = [re.split(r"(?<!\\)\|", line) for line in case_file_page if line.startswith("| `")]
    assert len(rows) > 200
    for _, key, value, _, meaning, _ in rows:
        assert meaning.strip() or (key.strip() in ("`type`", "`shape`") and value.strip())
