"""The table of faults as a page of the documentation."""

from .row import KEPT, NONE
from .table import SECTIONS

HEAD = """\
# When another program fails

A solver behind a socket can end, hang, freeze, or answer nonsense, and so can the program that
calls it. This page says for each fault what you see, when, with which exit code, and what results
are on disk. It is written from the table that the tests go through
(`tests/adapters/zeromq/faults`): they start the program and the peers for real, let the fault
happen, and compare the sentence below with what was printed. For every row they also assert that
no traceback is shown, that no process is left two seconds later, and that all rows in the result
file are, bit for bit, those of a run that nobody disturbed.

In the sentences `T` is a time, `'COMMAND'` the command line that was launched, `FOLDER` its private
working directory, `SOCKET` the endpoint in it. The deadlines are those of the test
(`deadlines: {connect: 2, reply: 2, heartbeat: 1}`); the defaults are 30 s, 600 s and 5 s. "At once"
is less than a second on a machine that is free, and the same goes for the time after a deadline;
the tests, which share their machine, allow three.

The exit codes are those of [](errors.md). A run with results names the file and the command with
which it goes on, see [](restart.md).
"""

FOOT = """\

Beyond the table, a hundred peers are killed at random calls (`kill -9`): twenty in whole runs, at
a call, and eighty from outside, at any moment of a call. Each ends with the sentence of the row
above. A peer that was not launched serves the next run after one that failed, and notices
within seconds when the program that called it was killed.
"""

RESULTS = {KEPT: "up to the last step", NONE: "none yet"}


def page():
    """Text of the page."""
    parts = [HEAD]
    for title, rows in SECTIONS.items():
        parts += [f"\n## {title}\n\n", "| fault | what you see | when | exit code | results |\n"]
        parts.append("|---|---|---|---|---|\n")
        parts += [_line(row) for row in rows]
    return "".join([*parts, FOOT])


def _line(row):
    code = row.code if row.code >= 0 else 128 - row.code
    cells = [row.what, _seen(row), row.after, str(code), RESULTS.get(row.results, row.results)]
    return f"| {' | '.join(cells)} |\n"


def _seen(row):
    if not row.sees:
        return "what the shell says" if row.code else "nothing"
    text = row.sees if row.code == 0 else f"cosim: {row.sees}"
    fence = "``" if "`" in text else "`"
    escaped = text.replace("|", "\\|")
    return f"{fence}{escaped}{fence}"
