"""The table of faults, and its page."""

from . import rows_answers, rows_fine, rows_host, rows_lost, rows_start

SECTIONS = {
    "A peer is lost, or does not answer": rows_lost.ROWS,
    "A peer answers what is not allowed": rows_answers.ROWS,
    "A run does not begin": rows_start.ROWS,
    "The program itself is ended": rows_host.ROWS,
    "What does not matter": rows_fine.ROWS,
}
ROWS = [row for rows in SECTIONS.values() for row in rows]
