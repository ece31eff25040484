"""Every row of the table of faults, by the program itself with a real peer (issue 4).

The program and its peers are processes; what a user sees is compared letter by letter, but for
paths, ports and times. No fault may take longer than its deadline, leave a process behind, show a
traceback, or cost results.
"""

import pytest

from .harness import beside, case_of, listener, same_rows
from .row import COMPLETE, KEPT, NONE, WAITS
from .table import ROWS

AT_MOST = 3.0
"""After the deadline, s. It is less than one on a free machine, and tests share theirs."""
TRIES = 4
"""Other work makes a run late now and then; a fault that takes long always does."""


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_what_the_user_gets(row, program, undisturbed, tmp_path):
    outcome = run(row, program, tmp_path)
    assert not outcome.has_traceback, outcome.stderr
    assert outcome.code == row.code, outcome.stderr
    assert_seen(row, outcome)
    assert outcome.orphans == ()
    assert_in_time(row, outcome, lambda n: run(row, program, _fresh(tmp_path / f"again{n}")))
    assert_results(row, outcome, undisturbed)


def run(row, program, folder):
    for name, text in row.files.items():
        (folder / name).write_text(text)
    with listener() as port, beside(folder, row.beside):
        text = case_of(row.adapters).replace("@folder@", str(folder)).replace("@port@", str(port))
        return program.run(folder, text.replace(*row.spoil), kill=row.kill)


def assert_in_time(row, outcome, again):
    if not row.after:
        return
    seconds, limit = [outcome.seconds], WAITS[row.after] + AT_MOST
    while min(seconds) > limit and len(seconds) < TRIES:
        seconds.append(again(len(seconds)).seconds)
    assert min(seconds) <= limit, seconds


def _fresh(folder):
    folder.mkdir()
    return folder


def assert_seen(row, outcome):
    if row.code < 0:  # killed: it cannot say anything
        return
    if row.code == 0:
        told = [line for line in outcome.lines if line.startswith(("warning", "adapter '"))]
        told = [line for line in told if not line.endswith(" answers")]
        assert told == ([row.sees] if row.sees else [])
        return
    assert outcome.sentence == row.sees
    assert outcome.lines[-1] == f"cosim: {row.sees}"


def assert_results(row, outcome, undisturbed):
    found = outcome.results
    if row.results == NONE:
        assert found is None
        return
    with found:
        status = {COMPLETE: "completed", KEPT: expected_status(row, outcome)}[row.results]
        assert found.attrs["status"] == status
        assert same_rows(found, undisturbed(row.twin))
        if row.results == KEPT and row.code == 5:
            assert any("results up to t = T s are in results/case.nc" in x for x in outcome.lines)


def expected_status(row, outcome):
    if row.code < 0:
        return "running"
    if row.code != 5:
        return "interrupted"
    return outcome.stderr.splitlines()[-1].removeprefix("cosim: ")
