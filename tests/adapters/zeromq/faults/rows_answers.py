"""Peers that answer what is not allowed."""

from .row import AT_ONCE, CLOSED, FOLDER, KNOWN, LAUNCHED, NONE, Row, one

ANSWER = f"{KNOWN} breaks the protocol: its answer to 'update':"
HEADER = f"{ANSWER} the header of a reply:"
NAN = f"is nan; all numbers must be finite{FOLDER}"


def wrong(name, what, sees, after=AT_ONCE):
    """A row of a wrong answer to an update."""
    return Row(name, what, sees, one(name), after=after)


ROWS = [
    wrong("nan_load", "NaN in a load", f"{ANSWER} load[0, 0] {NAN}"),
    Row(
        "nan_mass",
        "NaN in the added mass",
        f"{ANSWER} mass[0, 0] {NAN}",
        one("nan-mass --mass"),
        twin="none --mass",
    ),
    Row(
        "nan_x_dot",
        "NaN in the derivative of a state",
        f"{ANSWER} x_dot[0] {NAN}",
        one("nan-x-dot --states 1", states=1),
        twin="none --states 1",
    ),
    Row(
        "nan_at_the_start",
        "NaN in the first load",
        f"{KNOWN} breaks the protocol: its answer to 'initialize': load[0, 0] {NAN}",
        one("nan-load --op initialize"),
        results=NONE,
    ),
    Row(
        "asymmetric_mass",
        "added mass that is not symmetric",
        "adapter 'rotor' at t = T s: the added mass is not symmetric (by 6.0e-01 of its largest "
        "entry)",
        one("asymmetric-mass --mass"),
        twin="none --mass",
    ),
    wrong(
        "wrong_shape",
        "array of another shape",
        f"{ANSWER} array 'load' has the shape (1, 3), not (1, 6){FOLDER}",
    ),
    wrong(
        "wrong_bytes",
        "frame shorter than its description",
        f"{ANSWER} array 'load' (1, 6) has 40 bytes, not 48{FOLDER}",
    ),
    wrong(
        "wrong_dtype",
        "single instead of double precision",
        f"{ANSWER} 'arrays' of the header: Invalid enum value '<f4' - at `$[0][1]`{FOLDER}",
    ),
    wrong("no_load", "no load", f"{ANSWER} array 'load' (1, 6) is missing{FOLDER}"),
    wrong(
        "surplus",
        "array that nobody expects",
        f"{ANSWER} array 'lift' is not expected here{FOLDER}",
    ),
    wrong(
        "huge_frame",
        "frame beyond the limit of 64 MiB",
        f"{KNOWN} runs, but the connection is closed, as after a message above 64 MiB{FOLDER}",
        after=CLOSED,
    ),
    wrong(
        "later_seq",
        "answer to a request that was not yet made",
        f"{KNOWN} breaks the protocol: it answered 'update' number 43 at t = T s to 'update' "
        f"number 42 at t = T s{FOLDER}",
    ),
    wrong(
        "other_time",
        "answer for another time",
        f"{KNOWN} breaks the protocol: it answered 'update' number 42 at t = T s to 'update' "
        f"number 42 at t = T s{FOLDER}",
    ),
    wrong(
        "other_op",
        "answer to another operation",
        f"{KNOWN} breaks the protocol: it answered 'accept' number 42 at t = T s to 'update' "
        f"number 42 at t = T s{FOLDER}",
    ),
    wrong(
        "unknown_key",
        "key that the protocol does not know",
        f"{HEADER} Object contains unknown field `mood`{FOLDER}",
    ),
    wrong(
        "garbage_header",
        "header of random bytes",
        f"{HEADER} Expected `object`, got `int`{FOLDER}",
    ),
    wrong("garbage", "random bytes", f"{HEADER} Expected `object`, got `int`{FOLDER}"),
    wrong("empty", "empty message", f"{HEADER} Input data was truncated{FOLDER}"),
    wrong(
        "endless",
        "messages without end that are no answer",
        f"{KNOWN} breaks the protocol: 1000 messages came that are no answer to 'update'{FOLDER}",
    ),
    wrong(
        "refuses",
        "peer says that it cannot (`ok: false`)",
        f"{KNOWN}: the table of the wind ends at 3 s{FOLDER}",
    ),
    Row(
        "wrong_version",
        "peer speaks another version of the protocol",
        f"{LAUNCHED} speaks version 7 of the protocol, and this program version 1; install "
        "versions that fit",
        one("wrong-version --op hello"),
        results=NONE,
    ),
    Row(
        "refuses_version",
        "peer refuses our version of the protocol",
        f"{LAUNCHED}: the run speaks version 1 of the protocol, and this peer version 7{FOLDER}",
        one("refuses-version --op hello"),
        results=NONE,
    ),
    Row(
        "garbage_at_hello",
        "random bytes as first answer",
        f"{LAUNCHED} breaks the protocol: its answer to 'hello': the header of a reply: Expected "
        f"`object`, got `int`{FOLDER}",
        one("garbage --op hello"),
        results=NONE,
    ),
    Row(
        "no_name",
        "peer does not say who it is",
        f"{LAUNCHED} breaks the protocol: its answer to 'hello': the header of the reply to hello: "
        f"Expected `str` of length >= 1 - at `$.name`{FOLDER}",
        one("no-name --op hello"),
        results=NONE,
    ),
]
