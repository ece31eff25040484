"""The program, started many times, and runs that nobody disturbs."""

import sys

import pytest

from .harness import Program, adapter, case_of

if sys.platform != "linux":
    collect_ignore_glob = ["test_*"]  # processes are looked for in /proc


@pytest.fixture(scope="module")
def program():
    running = Program()
    yield running
    running.close()


@pytest.fixture(scope="module")
def undisturbed(program, tmp_path_factory):
    """Results of a run with an honest peer, by the arguments of the peer."""
    found = {}

    def results(peer):
        if peer not in found:
            found[peer] = _run(program, tmp_path_factory.mktemp("twin"), peer)
        return found[peer]

    return results


def _run(program, folder, peer):
    if peer == "two":
        adapters = {"rotor": adapter("none"), "wind": adapter("none")}
    else:
        mode = "advance" if "advance" in peer else "evaluate"
        states = {"states": 1} if "--states" in peer else {}
        adapters = {"rotor": adapter(peer, mode=mode, **states)}
    outcome = program.run(folder, case_of(adapters))
    assert outcome.code == 0, outcome.stderr
    return outcome.results.load()
