"""Answers to messages that cannot be read."""

from __future__ import annotations

import math

from cosim.wire.errors import WireError
from cosim.wire.failure import one_line
from cosim.wire.frames import Peek
from cosim.wire.messages import OPERATIONS, PROTOCOL, Refusal, Reply

__all__ = ["refusal"]


def refusal(peek: Peek | None, error: WireError) -> Reply | None:
    """What to answer to a bad message.

    Parameters
    ----------
    peek : Peek or None
        What could be read of it.
    error : WireError
        What is wrong with it.

    Returns
    -------
    Reply or None
        None where nobody would understand an answer.
    """
    if peek is None or not 0 <= peek.session < 2**63 or not 1 <= peek.seq < 2**63:
        return None
    if not math.isfinite(peek.t) or peek.op == "abort":
        return None
    sentence = one_line(str(error))
    if peek.op == "hello":
        return Refusal("hello", peek.session, peek.seq, peek.t, False, sentence, version=PROTOCOL)
    for op in OPERATIONS:
        if op == peek.op:
            return Reply(op, peek.session, peek.seq, peek.t, False, sentence)
    return None
