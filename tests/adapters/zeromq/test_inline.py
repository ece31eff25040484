"""A Python peer in this very process may fail like a program, and ends no run."""

import logging

import numpy as np
import pytest

from adapters.zeromq.inline import InlineLink, load_peer
from adapters.zeromq.link import Errand
from cosim.errors import AdapterError, PeerLostError
from cosim.wire import Codec, Loads, Peer
from cosim.wire.messages import Abort, Initialize

from ...wire.conftest import SESSION, STATE, hello

CODEC = Codec()


class Quitter(Peer):
    at_end = False

    def update(self, at):
        if not self.at_end:
            raise SystemExit(3)
        return Loads(wrenches=np.zeros((1, 6)))

    def end(self):
        raise SystemExit("enough")


def begun(**changes):
    peer = Quitter()
    peer.__dict__ |= changes
    link = InlineLink(peer, adapter="rotor")
    link.send(CODEC.pack(hello()), Errand("hello", 0.0))
    link.receive()
    link.send(CODEC.pack(Initialize(SESSION, 2, 0.0), [("state", STATE)]), Errand("initialize", 0))
    return link


def test_sys_exit_of_a_peer_is_the_loss_of_the_peer():
    with pytest.raises(PeerLostError, match=r"'rotor' at t = 0 s: Quitter .* called sys.exit\(3\)"):
        begun().receive()


@pytest.mark.parametrize("aborted", [True, False])
def test_sys_exit_at_the_end_is_a_warning(caplog, aborted):
    link = begun(at_end=True)
    link.receive()
    with caplog.at_level(logging.WARNING):
        if aborted:
            link.post(CODEC.pack(Abort(SESSION, 3, 0.0, reason="a test")))
        link.close(keep=False)
    assert [r.message.count("called sys.exit('enough')") for r in caplog.records] == [1]


def test_a_file_that_exits_when_it_is_read(tmp_path):
    (tmp_path / "quits.py").write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(AdapterError, match=r"cannot load the peer .*: SystemExit: 0"):
        load_peer(f"{tmp_path}/quits.py:X", adapter="rotor")
