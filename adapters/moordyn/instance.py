"""Owner of one MoorDyn system: its directory, its life, its state."""

from __future__ import annotations

import hashlib
import struct
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from adapters.moordyn.binding import Binding, Handle, Reals, keep_none_alive, load_binding
from adapters.moordyn.capture import CapturedOutput
from cosim.errors import AdapterError
from cosim.multibody.interface import Float

__all__ = ["DivergenceError", "MoorDynInstance"]

_SILENT = 4096
_SKIP_IC = 1
_MAGIC = b"cosim moordyn 1\n"
_HEADER = struct.Struct("<16s16s32sQQ")


class DivergenceError(AdapterError):
    """Lines without finite positions; `reason` says where."""

    def __init__(self, reason: str, *, adapter: str, t: float | None = None) -> None:
        super().__init__(reason, adapter=adapter, t=t)
        self.reason = reason


class MoorDynInstance:
    """One MoorDyn system in a private directory, silent, closed exactly once.

    Call order: construct, `start`, then `follow`, `save`, `restore` and the readers in any
    order, `close`.

    Parameters
    ----------
    text : str
        Input file.
    tables : mapping of name to Path
        Files that the text refers to by these names.
    adapter : str
        Name of the adapter, for messages.

    Attributes
    ----------
    lines, points : tuple of handles
        In the order of the file.

    Raises
    ------
    AdapterError
        MoorDyn refuses the file; its own words are in the message.
    """

    def __init__(self, text: str, tables: Mapping[str, Path], *, adapter: str) -> None:
        self._adapter = adapter
        self._binding = load_binding(adapter)
        self._fingerprint = hashlib.sha256(text.encode()).digest()[:16]
        directory = tempfile.TemporaryDirectory(prefix="cosim-moordyn-")
        path = Path(directory.name) / "lines.txt"
        path.write_text(text, encoding="utf-8")
        for name, source in tables.items():
            (path.parent / name).write_bytes(source.read_bytes())
        with CapturedOutput() as output:
            try:
                self._system: Handle = self._binding.create(str(path))
            except RuntimeError:
                directory.cleanup()
                self._system = None
        if self._system is None:
            raise self._error(f"MoorDyn refuses its input: {_errors(output.text)}")
        self._binding.set_verbosity(self._system, _SILENT)
        self._close = weakref.finalize(self, _close, self._binding, self._system, directory)
        self.lines: tuple[Handle, ...] = ()
        self.points: tuple[Handle, ...] = ()

    def start(self, x: Sequence[float], lines: int, points: int) -> None:
        """Place the coupled points at x, (3p,), at rest; each line takes its catenary.

        Parameters
        ----------
        x : sequence of float
            m, world frame, in the order of the file.
        lines, points : int
            How many of each the file has.
        """
        expected = self._binding.n_coupled_dof(self._system)
        if expected != len(x):
            raise self._error(f"MoorDyn expects {expected} coordinates of fairleads, not {len(x)}")
        with CapturedOutput() as output:
            code = self._binding.init(self._system, list(x), [0.0] * len(x), _SKIP_IC)
        if code != 0:
            raise self._error(f"MoorDyn cannot start: {_errors(output.text)}")
        self._binding.ext_wave_init(self._system)
        self.lines = tuple(self._binding.get_line(self._system, i + 1) for i in range(lines))
        self.points = tuple(self._binding.get_point(self._system, i + 1) for i in range(points))

    def follow(self, x: Iterable[list[float]], v: Iterable[list[float]], dt: float) -> Reals:
        """Take one step of dt for every row of start positions x and velocities v.

        MoorDyn moves the coupled points by v dt from x during a step.

        Parameters
        ----------
        x, v : iterable of list of float
            m and m/s, (3p,) each.
        dt : float
            s; not above MoorDyn's own step, or it takes a second one for the rest.

        Returns
        -------
        (3p,) tuple
            Force on each coupled point by the lines at the end of the last step, N.

        Raises
        ------
        DivergenceError
            Names line and node.
        """
        step, system = self._binding.step, self._system
        force: Reals = ()
        try:
            for position, velocity in zip(x, v, strict=True):
                force = step(system, position, velocity, 0.0, dt)
        except RuntimeError as error:
            raise DivergenceError(self._divergence(dt), adapter=self._adapter) from error
        return force

    def water_points(self) -> Float:
        """Places at which the motion of the water is asked for, (w, 3), m."""
        return np.array(self._binding.ext_wave_coords(self._system)).reshape(-1, 3)

    def set_water(self, velocity: list[float], acceleration: list[float]) -> None:
        """Hold the motion of the water, (3w,) each, m/s and m/s², until the next call."""
        self._binding.ext_wave_set(self._system, velocity, acceleration, 0.0)

    def point_mass(self, point: int) -> Sequence[Reals]:
        """Mass and added mass of the line ends at a point (index from 0), (3, 3), kg."""
        return self._binding.point_get_m(self.points[point])

    def tensions(self, line: int) -> tuple[float, float]:
        """Tension of the last and first segment of a line (index from 0), N."""
        handle = self.lines[line]
        anchor = np.linalg.norm(self._binding.line_get_node_ten(handle, 0))
        return self._binding.line_get_fairlead_tension(handle), float(anchor)

    def nodes(self, line: int) -> Float:
        """Positions of the nodes of a line (index from 0), (n + 1, 3), m."""
        handle, position = self.lines[line], self._binding.line_get_node_pos
        count = self._binding.line_get_n(handle) + 1
        return np.array([position(handle, node) for node in range(count)])

    def save(self, extra: bytes = b"") -> bytes:
        """State of the lines, with length and hash in front.

        Parameters
        ----------
        extra : bytes
            What the caller wants to find again, covered by the same hash.
        """
        data = extra + self._binding.serialize(self._system)
        digest = hashlib.sha256(data).digest()
        return _HEADER.pack(_MAGIC, self._fingerprint, digest, len(data), len(extra)) + data

    def restore(self, state: bytes) -> bytes:
        """Put back what `save` returned; the caller's extra bytes.

        MoorDyn itself takes a cut or foreign state and fails later, or aborts.

        Raises
        ------
        AdapterError
            Not a state of this system.
        """
        if len(state) < _HEADER.size:
            raise self._error("this is not a state of MoorDyn: it is too short")
        magic, fingerprint, digest, length, split = _HEADER.unpack_from(state)
        data = state[_HEADER.size :]
        if magic != _MAGIC or fingerprint != self._fingerprint:
            raise self._error("this is the state of another system, or none of MoorDyn at all")
        if length != len(data) or digest != hashlib.sha256(data).digest():
            raise self._error("this state of MoorDyn is damaged")
        try:
            self._binding.deserialize(self._system, data[split:])
        except RuntimeError as error:
            raise self._error("MoorDyn does not accept its own state") from error
        keep_none_alive()
        return data[:split]

    def close(self) -> None:
        """Close the system and remove its directory; may be called twice."""
        self._close()

    def _divergence(self, dt: float) -> str:
        where = "the lines"
        for number, line in enumerate(self.lines, start=1):
            node = self._first_bad_node(line)
            if node is not None:
                where = f"line {number} at node {node}"
                break
        return (
            f"MoorDyn diverged, {where} has no finite position any more; take a smaller "
            f"time_step than {dt:g} s, or look for lines that snatch"
        )

    def _first_bad_node(self, line: Handle) -> int | None:
        for node in range(self._binding.line_get_n(line) + 1):
            try:
                position = self._binding.line_get_node_pos(line, node)
            except RuntimeError:
                return node
            if not np.all(np.isfinite(position)):
                return node
        return None

    def _error(self, message: str) -> AdapterError:
        return AdapterError(message, adapter=self._adapter)


def _close(binding: Binding, system: Handle, directory: tempfile.TemporaryDirectory[str]) -> None:
    binding.close(system)
    directory.cleanup()


def _errors(output: str) -> str:
    """The lines of MoorDyn's output that tell what is wrong."""
    lines = [line.strip() for line in output.splitlines()]
    starts = [i for i, line in enumerate(lines) if line.startswith("ERR")]
    told = " ".join(" ".join(lines[i : i + 3]) for i in starts[:1])
    return told or " ".join(lines[-2:]) or "it gives no reason"
