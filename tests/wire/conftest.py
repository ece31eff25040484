import os
import subprocess
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest
import zmq

from cosim.wire import Codec, Loads, Peer
from cosim.wire.messages import Environment, Hello, Initialize
from cosim.wire.serving import PeerServer

SESSION = 7
STATE = np.arange(18.0).reshape(1, 18)
DEADLINE = 10.0


class Damper(Peer):
    """A load against the velocity, and a mass."""

    name = "damper"
    added_mass = True

    def __init__(self):
        self.calls = []

    def update(self, at):
        self.calls.append(at.t)
        return Loads(wrenches=-10.0 * at.v, added_mass=2.0 * np.eye(6 * len(at.v)))

    def end(self):
        self.calls.append("end")


def hello(session=SESSION, **changes):
    given = {
        "version": 1,
        "host": "test",
        "run": "trial",
        "bodies": ["buoy"],
        "points": [],
        "channels": [],
        "settings": {},
        "environment": Environment(9.81, 1025.0, float("inf")),
        "end": 10.0,
    }
    return Hello(session, 1, 0.0, **{**given, **changes})


class Client:
    """A host at the other end of a socket."""

    def __init__(self, endpoint, prepare=None):
        self.codec = Codec()
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.rcvtimeo = int(1000 * DEADLINE)
        if prepare is not None:
            prepare(self.socket)
        self.socket.connect(endpoint)

    def call(self, request, arrays=()):
        self.socket.send_multipart(self.codec.pack(request, arrays))
        return self.codec.unpack_reply(self.socket.recv_multipart())

    def start(self, session=SESSION, **changes):
        reply, _ = self.call(hello(session, **changes))
        self.call(Initialize(session, 2, 0.0), [("state", STATE)])
        return reply

    def close(self):
        self.socket.close(0)
        self.context.term()


@contextmanager
def served(peer, endpoint, *, once=False, **options):
    with PeerServer(peer, endpoint, **options) as server:
        thread = threading.Thread(target=server.serve, kwargs={"once": once})
        thread.start()
        server.thread = thread
        try:
            yield server
        finally:
            server.stop()
            thread.join(DEADLINE)
            assert not thread.is_alive()


@pytest.fixture
def client():
    clients = []

    def connect(endpoint, prepare=None):
        clients.append(Client(endpoint, prepare))
        return clients[-1]

    yield connect
    for made in clients:
        made.close()


@pytest.fixture(params=["ipc", "tcp"])
def endpoint(request, tmp_path_factory):
    if request.param == "tcp":
        return "tcp://127.0.0.1:*"
    return f"ipc://{tmp_path_factory.mktemp('s') / 'peer'}"


@pytest.fixture
def invoke_cosim(tmp_path):
    """Run the program in a folder of its own; warnings are errors there too."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-P", "-m", "cosim.cli", *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PYTHONWARNINGS": "error"},
            check=False,
        )

    return run
