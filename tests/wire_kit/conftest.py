"""Builds the examples of the C kit, and speaks with them without any of our own code."""

import os
import shutil
import subprocess
from importlib.resources import as_file, files
from pathlib import Path

import msgspec
import numpy as np
import pytest
import zmq

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SESSION = 7
SECONDS = 20
ENVIRONMENT = {"gravity": 9.81, "water_density": 1025.0, "water_depth": float("inf")}
STATE = np.arange(18.0)[None, :] + 0.25


def require(*programs):
    """Skip without a compiler; on the machines of the CI it must be there."""
    missing = [name for name in programs if shutil.which(name) is None]
    if not any((Path(root) / "zmq.h").is_file() for root in include_paths()):
        missing.append("zmq.h")
    if missing:
        message = f"not installed: {', '.join(missing)}"
        if os.environ.get("GITHUB_ACTIONS"):
            pytest.fail(message)
        pytest.skip(message)


def include_paths():
    given = os.environ.get("CPATH", "").split(":")
    return [path for path in (*given, "/usr/include", "/usr/local/include") if path]


def run(*words, cwd, seconds=300):
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done


@pytest.fixture(scope="session")
def kit(tmp_path_factory):
    """A copy of the kit, as a user takes it out of the wheel."""
    folder = tmp_path_factory.mktemp("kit")
    with as_file(files("adapters.zeromq") / "c") as source:
        shutil.copytree(source, folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def build(kit):
    made = {}

    def program(name, *, sanitized=False):
        key = (name, sanitized)
        if key not in made:
            require("g++")
            out = kit / (f"{name}_checked" if sanitized else name)
            how = SANITIZERS if sanitized else ("-O2",)
            source = f"{name}.cpp"
            run("g++", "-std=c++11", *how, *WARNINGS, source, "-o", str(out), "-lzmq", cwd=kit)
            made[key] = out
        return made[key]

    return program


@pytest.fixture(scope="session")
def everything(kit):
    """The peer of everything.c, with sanitizers."""
    require("gcc")
    source, out = Path(__file__).parent / "everything.c", kit / "everything"
    how = ("-std=c99", *SANITIZERS, *WARNINGS, f"-I{kit}")
    run("gcc", *how, str(source), "-o", str(out), "-lzmq", "-lm", cwd=kit)
    return out


class Client:
    """A host made of msgspec and pyzmq alone."""

    def __init__(self, endpoint, context, session=SESSION):
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger, self.socket.rcvtimeo = 0, 1000 * SECONDS
        self.socket.connect(endpoint)
        self.session, self.seq, self.arrays = session, 0, {}

    def frames(self, op, t=0.0, *, seq=None, **more):
        return request(op, t, seq=seq or self.seq + 1, session=self.session, **more)

    def send(self, op, t=0.0, **more):
        self.socket.send_multipart(self.frames(op, t, **more))

    def receive_header(self):
        return msgspec.msgpack.decode(self.socket.recv_multipart()[0])

    def receive(self):
        header, *frames = self.socket.recv_multipart()
        reply = msgspec.msgpack.decode(header)
        assert len(frames) == len(reply["arrays"])
        self.arrays = {
            name: np.frombuffer(frame, dtype).reshape(shape)
            for (name, dtype, shape), frame in zip(reply["arrays"], frames, strict=True)
        }
        return reply

    def ask(self, op, t=0.0, **more):
        self.send(op, t, **more)
        reply = self.receive()
        self.seq = more.get("seq") or self.seq + 1
        assert (reply["re"], reply["session"], reply["seq"], reply["t"]) == (
            op,
            self.session,
            self.seq,
            t,
        )
        return reply

    def silent(self, seconds=0.3):
        return not self.socket.poll(1000 * seconds)

    def hello(self, *bodies, **settings):
        return self.ask("hello", **greeting(*bodies, **settings))


def greeting(*bodies, **settings):
    return {
        "version": 1,
        "host": "test",
        "run": "trial",
        "bodies": list(bodies or ("buoy",)),
        "points": [],
        "channels": [],
        "settings": settings,
        "environment": ENVIRONMENT,
        "end": 10.0,
    }


def request(op, t=0.0, *, seq, session=SESSION, arrays=None, **more):
    """Frames of a request; `arrays` is a dict."""
    arrays = {name: np.ascontiguousarray(value) for name, value in (arrays or {}).items()}
    described = [[name, value.dtype.str, list(value.shape)] for name, value in arrays.items()]
    header = {"op": op, "session": session, "seq": seq, "t": t, **more, "arrays": described}
    return [msgspec.msgpack.encode(header), *(value.tobytes() for value in arrays.values())]


class Sockets:
    """Makes sockets and keeps them for the end of the test."""

    def __init__(self):
        self.context, self.made = zmq.Context(), []

    def socket(self, kind):
        self.made.append(self.context.socket(kind))
        return self.made[-1]

    def close(self):
        for socket in self.made:
            socket.close(0)
        self.context.term()


@pytest.fixture
def context():
    made = Sockets()
    yield made
    made.close()


@pytest.fixture
def start(tmp_path, context):
    """Start a program as a run would; gives its process and a client."""
    running = []

    def launch(program, *arguments, launched=True, session=SESSION):
        endpoint = f"ipc://{tmp_path}/p{len(running)}"
        told = {"COSIM_ENDPOINT": endpoint, "COSIM_PROTOCOL": "1", "COSIM_PEER": "test"}
        words = arguments if launched else ("--endpoint", endpoint, *arguments)
        with (tmp_path / f"stderr{len(running)}").open("wb") as err:
            process = subprocess.Popen(
                [program, *words],
                env={**os.environ, **(told if launched else {})},
                stderr=err,
            )
        running.append(process)
        client = Client(endpoint, context, session)
        client.endpoint = endpoint
        return process, client

    yield launch
    for process in running:
        process.kill()
        process.wait()
