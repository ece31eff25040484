"""Interruptions count even where the exception does not come through."""

import os
import signal
import sys

import pytest
import typer

from cosim.cli.failures import guarded
from cosim.cli.signals import insist


def lost(number):
    try:
        os.kill(os.getpid(), number)
    except BaseException:
        return


def unraisable(number):
    class Dies:
        def __del__(self):
            os.kill(os.getpid(), number)

    Dies()


def printed(number):
    """As Cython does with what leaves a function that cannot raise."""
    try:
        os.kill(os.getpid(), number)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)


def turned(number):
    try:
        os.kill(os.getpid(), number)
    except BaseException:
        raise ValueError("a schema that is incomplete") from None


def insisted(number):
    lost(number)
    insist()
    pytest.fail("the run goes on")


@pytest.mark.parametrize("happens", [lost, unraisable, printed, turned, insisted])
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGINT, 130, "cosim: interrupted\n"),
        (signal.SIGTERM, 143, "cosim: terminated\n"),
    ],
)
def test_a_signal_ends_the_command_whatever_becomes_of_its_exception(
    happens, number, code, said, capsys
):
    before = signal.getsignal(number)
    with pytest.raises(typer.Exit) as ending:
        guarded(happens)(number)
    assert ending.value.exit_code == code
    assert capsys.readouterr().err == said
    assert signal.getsignal(number) is before


def test_what_is_to_be_ignored_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        guarded(os.kill)(os.getpid(), signal.SIGINT)
        insist()
    finally:
        signal.signal(signal.SIGINT, before)
