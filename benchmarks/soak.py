"""Memory of both processes over a million calls of a peer: it must not grow.

Run ``python benchmarks/soak.py [--calls N] [--transport tcp]``. Every call is an update of six
bodies with their full added mass; every hundredth is followed by what a rejected and an accepted
step do (save, update, restore, update, accept). The resident memory of both processes is looked at
a hundred times; a line through what follows the first tenth gives the growth. Needs Linux.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "peers"))
from host import SCRIPTS, opened_adapter, some_states

from cosim.coupling.capabilities import Restorable

LOOKS, ROWS, STEP = 100, 10, 100
WARM = 0.1  # part of the run in which both processes fill what they keep
MIB = 2.0**20
NONE = 0.5  # MiB over the whole run: the resident memory is counted in pages and pools


@dataclass(frozen=True)
class Soaked:
    """What was seen.

    Attributes
    ----------
    calls : (n,)
        Numbers of calls at which was looked.
    memory : (n, 2)
        Resident memory of the host and of the peer, MiB.
    seconds : float
    """

    calls: np.ndarray
    memory: np.ndarray
    seconds: float

    def slope(self) -> np.ndarray:
        """Growth of both after the first tenth, bytes per call."""
        warm = self.calls >= WARM * self.calls[-1]
        return MIB * np.polyfit(self.calls[warm], self.memory[warm], 1)[0]

    def growth(self) -> np.ndarray:
        """That growth over the whole run, MiB."""
        return self.slope() * self.calls[-1] / MIB


def soak(calls: int, *, transport: str = "ipc") -> Soaked:
    """Call a launched peer so often, and look at the memory."""
    command = [sys.executable, str(SCRIPTS / "six_bodies.py")]
    looks = np.unique(np.linspace(0, calls, LOOKS + 1).astype(int))[1:]
    memory = np.empty((looks.size, 2))
    begin = time.perf_counter()
    with opened_adapter(command, transport=transport) as adapter:
        assert isinstance(adapter, Restorable)
        who = (os.getpid(), process_of(str(SCRIPTS / "six_bodies.py")))
        states, x = some_states(), np.zeros(0)
        done = 0
        for row, look in enumerate(looks):
            for call in range(done, look):
                t, state = 1e-3 * call, states[call % len(states)]
                adapter.update(t, state, x)
                adapter.forces()
                adapter.added_mass()
                if call % STEP == 0:
                    saved = adapter.save_state()
                    adapter.update(t + 1.0, state, x)
                    adapter.restore_state(saved)
                    adapter.update(t, state, x)
                    adapter.accept(t, state, x)
            done = look
            memory[row] = [resident(pid) for pid in who]
    return Soaked(looks, memory, time.perf_counter() - begin)


def resident(pid: int) -> float:
    """Resident memory of a process, MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


def process_of(script: str) -> int:
    """The process under this one that runs a script; a guard may stand between."""
    found = [pid for pid in _below(os.getpid()) if _words(pid)[1:2] == [script]]
    assert len(found) == 1
    return found[0]


def _below(pid: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _parent(entry) == pid:
            yield int(entry.name)
            yield from _below(int(entry.name))


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):  # it has ended
        return -1


def _words(pid: int) -> Sequence[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return ()


def report(soaked: Soaked) -> None:
    each = 1e6 * soaked.seconds / soaked.calls[-1]
    print(f"{soaked.calls[-1]} calls in {soaked.seconds:.0f} s, {each:.0f} us each, all included")
    print(f"{'calls':>10}{'host, MiB':>12}{'peer, MiB':>12}")
    for i in np.linspace(0, soaked.calls.size - 1, ROWS + 1).astype(int):
        host, peer = soaked.memory[i]
        print(f"{soaked.calls[i]:>10}{host:>12.2f}{peer:>12.2f}")
    slope, growth = soaked.slope(), soaked.growth()
    print(f"{'slope':>10}{slope[0]:>12.3f}{slope[1]:>12.3f}  bytes per call")
    print(f"{'growth':>10}{growth[0]:>12.3f}{growth[1]:>12.3f}  MiB, none is below {NONE}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--transport", choices=("ipc", "tcp"), default="ipc")
    given = parser.parse_args()
    soaked = soak(given.calls, transport=given.transport)
    report(soaked)
    if (soaked.growth() > NONE).any():
        sys.exit("memory grows")


if __name__ == "__main__":
    main()
