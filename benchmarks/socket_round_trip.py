"""Round trip of an update of six bodies over sockets, beside a bare ping-pong of the same bytes.

Run ``python benchmarks/socket_round_trip.py [--calls N]``. Out go the states of six bodies,
(6, 18); back come loads, (6, 6), and the full added mass, (36, 36). One side is the adapter as a
run calls it (update, forces, added_mass) with a peer process behind it; the other are two
processes that throw the same frames to and fro with pyzmq and look at nothing. Blocks of calls of
both are interleaved, so that a busy machine slows both; warm-up blocks do not count.

A peer in C++ tells what the adapter costs; a peer in Python costs more by itself, since it runs as
many lines of Python again, each time after a wait. SEA-Stack's link to its Python helper took
44,024 us in the median as shipped on Linux (500 calls, scalar forces only) and 126 us with
TCP_NODELAY; that was measured on another day, so no ratio is given.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np
import zmq

from cosim.wire import Codec
from cosim.wire.keys import create_keys, read_pair, read_public, secure_client
from cosim.wire.messages import Reply, Update

sys.path.insert(0, str(Path(__file__).parent / "peers"))
from host import BODIES, SCRIPTS, opened_adapter, some_states

BLOCK, WARM_UP = 500, 4
TARGET = 1.5

Call = Callable[[], object]


@dataclass(frozen=True)
class Keys:
    """Files of the keys of both sides."""

    host: tuple[Path, Path]
    peer: tuple[Path, Path]

    @classmethod
    def made_in(cls, folder: Path) -> Keys:
        return cls(create_keys("host", folder), create_keys("peer", folder))


@dataclass(frozen=True)
class Row:
    """One comparison: the peer, and where it and the bare one listen."""

    label: str
    endpoint: str
    command: list[str] | None
    transport: str
    keys: Keys | None = None
    a_core_each: bool = False


def frames_of_a_call() -> tuple[list[bytes], list[bytes]]:
    """A request and its reply as the adapter and its peer write them."""
    codec, t = Codec(), 12.345
    session, seq = 2**62, 20_000
    request = codec.pack(Update(session, seq, t), [("state", np.zeros((BODIES, 18)))])
    loads = [("load", np.zeros((BODIES, 6))), ("mass", np.zeros((6 * BODIES, 6 * BODIES)))]
    return request, codec.pack(Reply("update", session, seq, t, True, ""), loads)


@contextmanager
def bare(endpoint: str, keys: Keys | None) -> Iterator[Call]:
    """One exchange of the bare ping-pong."""
    request, reply = frames_of_a_call()
    command = [sys.executable, str(SCRIPTS / "bare.py"), endpoint, *(str(len(f)) for f in reply)]
    if keys:
        command += ["--key", str(keys.peer[1]), "--allow", str(keys.host[0])]
    context = zmq.Context()
    dealer = context.socket(zmq.DEALER)
    dealer.linger = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if keys:
                secure_client(dealer, read_pair(keys.host[1]), read_public(keys.peer[0]))
            assert process.stdout
            dealer.connect(process.stdout.readline().strip())

            def exchange() -> list[bytes]:
                dealer.send_multipart(request)
                return dealer.recv_multipart()

            assert [len(frame) for frame in exchange()] == [len(frame) for frame in reply]
            yield exchange
        finally:
            process.kill()
            dealer.close()
            context.term()


@contextmanager
def ours(command: list[str] | None, transport: str, keys: Keys | None) -> Iterator[Call]:
    """One evaluation through the adapter, as a run makes it."""
    history = command is None or len(command) > 1
    with opened_adapter(command, transport=transport, keys=keys, history=history) as adapter:
        states, x = some_states(), np.zeros(0)
        count = 0

        def evaluate() -> np.ndarray | None:
            nonlocal count
            count += 1
            adapter.update(1e-3 * count, states[count % len(states)], x)
            adapter.forces()
            return adapter.added_mass()

        yield evaluate


def compiled_in(folder: Path) -> list[str] | None:
    """The peer in C++, where there are a compiler and libzmq."""
    program = folder / "six_bodies"
    words = ["g++", "-std=c++11", "-O2", f"-I{files('adapters.zeromq') / 'c'}"]
    words += [str(SCRIPTS / "six_bodies.cpp"), "-o", str(program), "-lzmq"]
    if which(words[0]) is None or subprocess.run(words, capture_output=True).returncode:
        return None
    return [str(program)]


@contextmanager
def a_core_each(wanted: bool) -> Iterator[Callable[[], None]]:
    """What is started inside runs on one processor; after the call that is given, this on another.

    Where processes may run on both, the system puts all threads of the bare ping-pong on one, and
    those of a longer exchange not always: then two different things are compared.
    """
    if not wanted:
        yield lambda: None
        return
    every = os.sched_getaffinity(0)
    mine, theirs = sorted(every)[:2]

    def part() -> None:
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setaffinity(int(thread.name), {mine})

    os.sched_setaffinity(0, {theirs})
    try:
        yield part
    finally:
        os.sched_setaffinity(0, every)


def microseconds(call: Call) -> np.ndarray:
    """Times of the calls of one block."""
    ticks = np.empty(BLOCK + 1, dtype=np.int64)
    clock = time.perf_counter_ns
    ticks[0] = clock()
    for i in range(BLOCK):
        call()
        ticks[i + 1] = clock()
    return np.diff(ticks) / 1e3


def interleaved(one: Call, other: Call, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Blocks of times of both, (blocks, BLOCK) each."""
    pairs = []
    for i in range(WARM_UP + blocks):
        if i % 2:
            pairs.append((microseconds(one), microseconds(other)))
        else:
            pairs.append((microseconds(other), microseconds(one))[::-1])
    kept = np.array(pairs[WARM_UP:])
    return kept[:, 0], kept[:, 1]


def report(label: str, mine: np.ndarray, theirs: np.ndarray) -> None:
    ratios = np.median(mine, axis=1) / np.median(theirs, axis=1)
    low, mid, high = np.percentile(ratios, [10, 50, 90])
    print(
        f"{label:<26}"
        f"{np.median(theirs):8.0f}{np.percentile(theirs, 99):8.0f}"
        f"{np.median(mine):10.0f}{np.percentile(mine, 99):8.0f}"
        f"{np.median(mine) / np.median(theirs):9.2f}   {mid:.2f} ({low:.2f} to {high:.2f})",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=20_000, help="timed calls of each side")
    blocks = -(-parser.parse_args().calls // BLOCK)
    request, reply = frames_of_a_call()
    print(
        f"{blocks * BLOCK} calls of each side in blocks of {BLOCK}; "
        f"bytes out {[len(f) for f in request]}, back {[len(f) for f in reply]}\n"
        f"{'peer, transport':<26}{'bare, us':>16}{'adapter, us':>18}{'ratio of':>9}   by block:\n"
        f"{'':<26}{'median':>8}{'p99':>8}{'median':>10}{'p99':>8}{'medians':>9}   "
        "median (p10 to p90)"
    )
    python = [sys.executable, str(SCRIPTS / "six_bodies.py")]
    with TemporaryDirectory() as folder:
        keys, compiled = Keys.made_in(Path(folder) / "keys"), compiled_in(Path(folder))
        ipc, tcp = f"ipc://{folder}/bare", "tcp://127.0.0.1:*"
        rows = [
            Row("Python, ipc", ipc, python, "ipc"),
            Row("Python, tcp", tcp, python, "tcp"),
            Row("Python, tcp with CURVE", tcp, python, "tcp", keys),
            Row("Python, no socket", ipc, None, ""),
        ]
        if compiled:
            rows += [Row("C++, ipc", ipc, compiled, "ipc"), Row("C++, tcp", tcp, compiled, "tcp")]
        if sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1:
            rows += [
                replace(row, label=f"{row.label}, a core each", a_core_each=True)
                for row in rows
                if row.transport == "ipc"
            ]
        for row in rows:
            with (
                a_core_each(row.a_core_each) as part,
                bare(row.endpoint, row.keys) as theirs,
                ours(row.command, row.transport, row.keys) as mine,
            ):
                part()
                report(row.label, *interleaved(mine, theirs, blocks))
    if not compiled:
        print("no peer in C++: it needs g++ and libzmq with its header")
    print(f"target for the adapter: at most {TARGET} times the bare median")


if __name__ == "__main__":
    main()
