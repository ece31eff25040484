"""A Python peer in this process: all of the protocol but the socket."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import sys
from collections.abc import Sequence
from types import ModuleType

from adapters.zeromq.link import Errand, Frames, Link
from cosim.errors import AdapterError, PeerLostError
from cosim.wire import Codec, Dispatcher, Peer, WireError

__all__ = ["InlineLink", "load_peer"]

LOG = logging.getLogger(__name__)


class InlineLink(Link):
    """Hands frames to a peer in this process.

    Messages are written and read as for a socket, so that both give the same numbers.

    Parameters
    ----------
    peer : Peer
    adapter : str
        Name in the case.
    """

    def __init__(self, peer: Peer, *, adapter: str) -> None:
        self._peer = peer
        self._adapter = adapter
        self._dispatcher = Dispatcher(peer)
        self._codec = Codec()
        self._frames: Sequence[bytes] = ()
        self._errand = Errand("", 0.0)

    @property
    def description(self) -> str:
        """Its class."""
        return f"{type(self._peer).__name__} in this process"

    def send(self, frames: Sequence[bytes], errand: Errand) -> None:
        """Keep the request."""
        self._frames, self._errand = frames, errand

    def receive(self) -> Frames:
        """Let the peer answer the request."""
        request, arrays = self._codec.unpack_request(self._frames)
        try:
            answer = self._dispatcher.handle(request, arrays)
        except SystemExit as error:
            raise self._left(error) from None
        if answer is None:
            raise AdapterError(
                f"no answer to '{self._errand.op}'", adapter=self._adapter, t=self._errand.t
            )
        return self._codec.pack(*answer)

    def greeted(self, heartbeat: str, name: str) -> None:
        """It lives as long as this process."""

    def post(self, frames: Sequence[bytes]) -> None:
        """Hand over a request that has no answer."""
        try:
            self._dispatcher.handle(*self._codec.unpack_request(frames))
        except WireError as error:
            LOG.warning("adapter '%s': %s", self._adapter, error)
        except SystemExit as error:
            LOG.warning("%s", self._left(error))

    def abort(self) -> None:
        """It has been told."""

    def close(self, *, keep: bool, grace: float = 0.0) -> None:
        """End what is left of the session."""
        try:
            self._dispatcher.close("the host has ended")
        except SystemExit as error:
            LOG.warning("at the end of the run: %s", self._left(error))

    def _left(self, error: SystemExit) -> PeerLostError:
        """It would end this process; that is not its own."""
        return PeerLostError(
            f"{self.description} called sys.exit({error.code!r})",
            adapter=self._adapter,
            t=self._errand.t,
        )


def load_peer(source: str, *, adapter: str) -> Peer:
    """The peer that ``file.py:Class`` or ``package.module:Class`` names.

    Raises
    ------
    AdapterError
        It cannot be imported, or is no peer.
    """
    place, _, name = source.rpartition(":")
    try:
        found = vars(_module_of(place)).get(name)
        if not (inspect.isclass(found) and issubclass(found, Peer)):
            raise AdapterError(f"'{name}' of {place} is no class of cosim.Peer", adapter=adapter)
        peer: Peer = found()
    except AdapterError:
        raise
    except (Exception, SystemExit) as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise AdapterError(f"cannot load the peer {source}: {text}", adapter=adapter) from error
    return peer


def _module_of(place: str) -> ModuleType:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    name = f"_cosim_inline_{abs(hash(place)):x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
