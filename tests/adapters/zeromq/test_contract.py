"""The contract of all adapters, kept by peers in this process and behind sockets."""

from typing import ClassVar

import pytest

from cosim.testing import AdapterContract, ContractCase


class PeerContract(AdapterContract):
    peer = ""
    options: ClassVar = {}

    @pytest.fixture(autouse=True)
    def _tools(self, make, model):
        self._make, self._model = make, model

    def case(self, how=None):
        adapter = self._make(self.peer, how=how or self.how, **self.options)
        return ContractCase(self._model, adapter, *self._model.initial(), amplitude=0.1)


class Inline(PeerContract):
    how = "inline"


class OverIpc(PeerContract):
    how = "ipc"


class Damper(PeerContract):
    peer = "Damper"


class Filtered(PeerContract):
    peer, options = "Filtered", {"states": 3}


class Counter(PeerContract):
    peer, options = "Counter", {"history": True}


class Spring(PeerContract):
    peer, options = "Spring", {"mode": "advance"}


class LastingSpring(PeerContract):
    peer, options = "LastingSpring", {"mode": "advance", "restorable": False}


class TestDamperInline(Damper, Inline): ...


class TestDamperOverIpc(Damper, OverIpc): ...


class TestDamperOverTcp(Damper):
    how = "tcp"


class TestStatesInline(Filtered, Inline): ...


class TestStatesOverIpc(Filtered, OverIpc): ...


class TestHistoryInline(Counter, Inline): ...


class TestHistoryOverIpc(Counter, OverIpc): ...


class TestAdvanceInline(Spring, Inline): ...


class TestAdvanceOverIpc(Spring, OverIpc): ...


class TestNotRestorableInline(LastingSpring, Inline): ...


class TestNotRestorableOverIpc(LastingSpring, OverIpc): ...
