"""Runs the program ``cosim`` with peers that go wrong, and notes what a user would see."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import numpy as np

from cosim.results.reader import open_results

HERE = Path(__file__).parent
PEERS = HERE / "peers"
LONGEST = 60.0
"""No run of these tests takes longer, s."""

CASE = {
    "case": 1,
    "bodies": {"buoy": {"mass": 100, "cog": [0, 0, 0], "inertia": [10, 10, 10]}},
    "joints": {"rail": {"type": "prismatic", "child": "buoy", "at": [0, 0, 0], "axis": [1, 0, 0]}},
    "elements": {"spring": {"type": "joint", "joint": "rail", "stiffness": 400}},
    "start": {"from": "reference", "set": {"rail.position": 1.0}},
    "time": {"end": 5, "communication_step": 0.05},
    "output": {"step": 0.05, "file": "case.nc", "checkpoint": 1.0},
}
DEADLINES = {"connect": 2.0, "reply": 2.0, "heartbeat": 1.0}


def adapter(peer="", **options):
    """Part of a case file: a peer of this folder, launched unless an address is given."""
    script = str(PEERS / "bad_peer.py")
    where = {} if "address" in options else {"launch": ["{python}", script, *peer.split()]}
    common = {"type": "zeromq", "mode": "evaluate", "bodies": ["buoy"], "deadlines": DEADLINES}
    return {**common, **where, **options}


def case_of(adapters, **parts):
    """A case file as text; JSON is YAML."""
    return json.dumps({**CASE, "adapters": adapters, **parts})


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int
    seconds: float
    """From the fault, the signal, or its start, to the end of the program."""
    stderr: str
    stdout: str
    folder: Path
    orphans: tuple[str, ...]
    """Command lines of what was left running after the deadline for leaving."""

    @property
    def lines(self):
        """Lines on stderr, without what differs from run to run."""
        return [plain(line, self.folder) for line in self.stderr.splitlines()]

    @property
    def sentence(self):
        """The last of them."""
        return self.lines[-1].removeprefix("cosim: ") if self.lines else ""

    @property
    def has_traceback(self):
        return bool(re.search(r"^(Traceback|  File |Exception ignored)", self.stderr, re.MULTILINE))

    @property
    def results(self):
        """What is on disk, or None."""
        path = self.folder / "results" / "case.nc"
        return open_results(path) if path.exists() else None


def plain(text, folder):
    """A sentence without paths, numbers of ports, times and versions of this run."""
    text = text.replace(f"{folder}/", "").replace(f"{PEERS}/", "").replace(sys.executable, "python")
    text = re.sub(r"[^\s']*\bcosim-\w+-\w{8}/peer", "SOCKET", text)
    text = re.sub(r"[^\s']*\bcosim-\w+-\w{8}", "FOLDER", text)
    text = re.sub(r"'(env|python) [^']*'", "'COMMAND'", text)
    text = re.sub(r"(File \"\w+\.py\", line )\d\d+", r"\1N", text)
    text = re.sub(r"\brun '\w+'", "run 'NAME'", text)
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)
    return re.sub(r"\bt = -?[\d.e-]+ s", "t = T s", text)


class Program:
    """``cosim`` as a process, again and again; one run at a time."""

    def __init__(self):
        # what runs that fail keep of their peers; a path of sockets, so a short one
        self._kept = tempfile.TemporaryDirectory(prefix="faults-")
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(HERE / "launcher.py")],
            env={**os.environ, "TMPDIR": self._kept.name},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answers = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def run(self, folder, text, *, kill=None, delay=0.1, arguments=()):
        """Run a case file; `kill` is a signal for the program, sent after the mark of the peer."""
        (folder / "case.yaml").write_text(text)
        begun = time.monotonic()
        pid = self._begin(folder, ["run", "case.yaml", *arguments])
        told = None
        if kill is not None:
            wait_for(lambda: (folder / "mark").exists())
            time.sleep(delay)
            os.kill(pid, kill)
            told = time.monotonic()
        return self._end(folder, pid, told, begun)

    def close(self):
        self._process.stdin.close()
        self._process.wait(LONGEST)
        self._process.stdout.close()
        self._kept.cleanup()

    def _listen(self):
        for line in self._process.stdout:
            self._answers.put(json.loads(line))

    def _begin(self, folder, arguments):
        environment = {"FAULT_FOLDER": str(folder), "COLUMNS": "120"}
        task = {"arguments": arguments, "folder": str(folder), "environment": environment}
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        return self._answers.get(timeout=LONGEST)["pid"]

    def _end(self, folder, pid, told, begun):
        timer = threading.Timer(LONGEST, os.kill, (pid, signal.SIGKILL))
        timer.start()
        found = self._answers.get(timeout=2 * LONGEST)
        assert timer.is_alive(), f"it did not end within {LONGEST} s"
        timer.cancel()
        mark = folder / "mark"
        if told is None:
            told = float(mark.read_text()) if mark.exists() else begun
        return Outcome(
            found["code"],
            found["at"] - told,
            (folder / "stderr").read_text(errors="replace"),
            (folder / "stdout").read_text(errors="replace"),
            folder,
            left_running(folder),
        )


@contextmanager
def beside(folder, peer):
    """A peer that runs already, at the socket ``peer`` in the folder of the run."""
    if not peer:
        yield
        return
    script, *words = peer.split()
    process = subprocess.Popen(
        [sys.executable, str(PEERS / script), *words, "--endpoint", f"ipc://{folder}/peer"],
        env={**os.environ, "FAULT_BESIDE": str(folder), "FAULT_FOLDER": str(folder)},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: (folder / "peer").exists())
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def listener():
    """Number of a port at which somebody listens who never says anything."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def wait_for(condition, seconds=LONGEST):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.005)


def left_running(folder, seconds=2.0):
    """Command lines of processes of a run that are still there after some seconds; ends them."""
    limit = time.monotonic() + seconds
    while (found := processes_of(folder)) and time.monotonic() < limit:
        time.sleep(0.02)
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return tuple(found.values())


def processes_of(folder):
    """Processes whose environment names the folder of a run, and their command lines."""
    marker, found = f"FAULT_FOLDER={folder}\0".encode(), {}
    other = f"FAULT_BESIDE={folder}\0".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                environment = (entry / "environ").read_bytes()
                if marker in environment and other not in environment:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    found[int(entry.name)] = b" ".join(words).decode(errors="replace")
    return found


def same_rows(some, whole):
    """Whether the rows of a run that was ended are those of an undisturbed one, bit for bit."""
    count = some.sizes["time"]
    return all(
        np.array_equal(some[name].values, whole[name].values[:count], equal_nan=True)
        for name in some.variables
        if some[name].dims[:1] == ("time",)
    )
