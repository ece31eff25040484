"""WAMIT .out listings (version 6 and 7)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroBody, HydroDatabase, Source
from cosim.hydrodynamics.facts import BodyFacts
from cosim.hydrodynamics.hydrostatics import remove_weight
from cosim.hydrodynamics.rigid import Complex, Float

__all__ = ["is_wamit", "read_wamit"]

_NUMBER = r"[-+]?\d*\.?\d+(?:[EeDd][-+]?\d+)?"
_NOTE = "the time factor exp(+i omega t) of WAMIT was conjugated"
# powers of the length scale in A, B and in X, C (translation 0, rotation 1)
_ROTATES = np.array([0, 0, 0, 1, 1, 1])


@dataclass
class _Block:
    """One wave period of the listing."""

    period: float
    line: int
    A: dict[tuple[int, int], float] = field(default_factory=dict)
    B: dict[tuple[int, int], float] = field(default_factory=dict)
    X: dict[tuple[float, int], complex] = field(default_factory=dict)


@dataclass
class _Listing:
    """A parsed listing, non-dimensional."""

    path: Path
    version: str
    length: float = 1.0
    gravity: float = 9.81
    depth: float = math.inf
    bodies: list[dict[str, list[float]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)


def is_wamit(path: Path) -> bool:
    """Whether a text file is a WAMIT listing."""
    with path.open(errors="replace") as file:
        return "WAMIT" in file.read(2000)


def read_wamit(
    path: Path, facts: Mapping[str, BodyFacts], water_density: float | None
) -> HydroDatabase:
    r"""Read a WAMIT .out file; it does not hold the density, so that must be given.

    A and B scale with ρ L^k and ρ ω L^k (k = 3, 4, 5), X and C with ρ g L^m. Moments are
    about each body's origin (XBODY, YBODY, ZBODY).

    Raises
    ------
    DatabaseError
        Names file and line of what cannot be read.
    """
    if water_density is None:
        raise DatabaseError(f"'{path}': a WAMIT listing holds no density; give 'water_density'")
    listing = _parse(path)
    if not listing.bodies or not listing.blocks:
        raise DatabaseError(f"'{path}': no body or no wave period found in this WAMIT listing")
    finite = [b for b in listing.blocks if 0.0 < b.period < math.inf]
    finite.sort(key=lambda b: -b.period)
    headings, X = _excitation(listing, finite, water_density)
    omega = np.array([2.0 * math.pi / b.period for b in finite])
    return HydroDatabase(
        bodies=tuple(_body(listing, i, facts, water_density) for i in range(len(listing.bodies))),
        omega=omega,
        added_mass=np.array([_matrix(listing, b, b.A) for b in finite]) * water_density,
        damping=np.array([_matrix(listing, b, b.B) for b in finite])
        * (water_density * omega[:, None, None]),
        added_mass_inf=_limit(listing, 0.0, water_density),
        added_mass_zero=_limit(listing, math.inf, water_density),
        headings=headings,
        excitation=X,
        phase_reference=np.zeros((len(listing.bodies), 2)),
        water_depth=listing.depth,
        water_density=water_density,
        gravity=listing.gravity,
        source=Source(tool="WAMIT", version=listing.version, path=str(path)),
        notes=(_NOTE,),
    )


def _parse(path: Path) -> _Listing:
    text = path.read_text(errors="replace").splitlines()
    version = re.search(r"WAMIT\s+Version\s+(\S+)", "\n".join(text[:60]))
    listing = _Listing(path, version.group(1) if version else "unknown")
    lines = iter(enumerate(text, start=1))
    for number, line in lines:
        try:
            _header(line, listing)
            _radiation(line, listing)
            if "Wave Heading" in line:
                _heading(line, lines, listing)
            elif "Wave period" in line and "=" in line:
                listing.blocks.append(_Block(_period(line), number))
        except (ValueError, IndexError) as error:
            raise DatabaseError(
                f"'{path}' line {number}: cannot read '{line.strip()}' ({error})"
            ) from None
    return listing


def _numbers(text: str) -> list[float]:
    return [float(n.replace("D", "E").replace("d", "e")) for n in re.findall(_NUMBER, text)]


def _header(line: str, listing: _Listing) -> None:
    if match := re.match(r"\s*N=\s*\d+\s+(\S+)\.gdf", line, re.IGNORECASE):
        listing.names.append(re.sub(r"\W", "_", Path(match.group(1)).name))
    elif "Gravity:" in line and "Length scale" in line:
        listing.gravity, listing.length = _numbers(line)[:2]
    elif "Water depth:" in line:
        found = _numbers(line.split("Water depth:")[1])
        listing.depth = math.inf if "infinite" in line else found[0]
    elif "Body number: N=" in line:
        listing.bodies.append({})
    elif "XBODY" in line:
        if not listing.bodies:
            listing.bodies.append({})
        listing.bodies[-1]["origin"] = _numbers(re.sub(r"[XYZ]BODY|PHIBODY", " ", line))
    elif listing.bodies:
        _hydrostatics(line, listing.bodies[-1])


def _hydrostatics(line: str, body: dict[str, list[float]]) -> None:
    keys = {
        "Volumes (VOLX": "volume",
        "Center of Buoyancy": "buoyancy",
        "Center of Gravity": "gravity",
        "C(3,3),C(3,4),C(3,5)": "c3",
        "C(4,4),C(4,5),C(4,6)": "c4",
        "C(5,5),C(5,6)": "c5",
    }
    for text, key in keys.items():
        if text in line:
            body[key] = _numbers(line.rsplit(":", 1)[1])


def _period(line: str) -> float:
    value = line.split("=")[1]
    if "infinite" in value.split("Wavenumber")[0]:
        return math.inf
    return 0.0 if "zero" in value.split("Wavenumber")[0] else _numbers(value)[0]


def _radiation(line: str, listing: _Listing) -> None:
    parts = line.split()
    if not listing.blocks or len(parts) not in (3, 4) or not parts[1].isdigit():
        return
    i, j = int(parts[0]) - 1, int(parts[1]) - 1
    listing.blocks[-1].A[i, j] = float(parts[2])
    if len(parts) == 4:
        listing.blocks[-1].B[i, j] = float(parts[3])


def _heading(line: str, lines: Iterator[tuple[int, str]], listing: _Listing) -> None:
    heading = _numbers(line.split(":")[1])[0]
    rows = 0
    for _, text in lines:
        parts = text.split()
        if len(parts) == 3 and parts[0].lstrip("-").isdigit():
            mode, modulus, phase = abs(int(parts[0])) - 1, float(parts[1]), float(parts[2])
            value = modulus * np.exp(-1j * math.radians(phase))
            listing.blocks[-1].X[heading, mode] = complex(value)
            rows += 1
        elif rows:
            return


def _matrix(listing: _Listing, block: _Block, values: Mapping[tuple[int, int], float]) -> Float:
    size = 6 * len(listing.bodies)
    out = np.zeros((size, size))
    rotates = np.tile(_ROTATES, len(listing.bodies))
    for (i, j), value in values.items():
        if i >= size or j >= size:
            raise DatabaseError(
                f"'{listing.path}' line {block.line}: mode {max(i, j) + 1} does not belong to "
                f"any of the {len(listing.bodies)} bodies"
            )
        out[i, j] = value * listing.length ** (3 + rotates[i] + rotates[j])
    return out


def _limit(listing: _Listing, period: float, density: float) -> Float | None:
    for block in listing.blocks:
        if block.period == period:
            return _matrix(listing, block, block.A) * density
    return None


def _excitation(listing: _Listing, blocks: list[_Block], density: float) -> tuple[Float, Complex]:
    degrees = sorted({heading for block in blocks for heading, _ in block.X})
    size = 6 * len(listing.bodies)
    rotates = np.tile(_ROTATES, len(listing.bodies))
    X = np.full((len(blocks), len(degrees), size), np.nan + 0j, dtype=np.complex128)
    for n, block in enumerate(blocks):
        for (heading, i), value in block.X.items():
            scale = density * listing.gravity * listing.length ** (2 + rotates[i])
            X[n, degrees.index(heading), i] = value * scale
    return np.radians(degrees), X


def _body(listing: _Listing, i: int, facts: Mapping[str, BodyFacts], density: float) -> HydroBody:
    found = listing.bodies[i]
    name = listing.names[i] if i < len(listing.names) else f"body{i + 1}"
    known = facts.get(name, BodyFacts())
    missing = {"origin", "volume", "buoyancy", "c3", "c4", "c5"} - set(found)
    if missing:
        raise DatabaseError(
            f"'{listing.path}': body {i + 1} ('{name}') lacks {', '.join(sorted(missing))}"
        )
    if any(found["origin"][3:4]):
        raise DatabaseError(f"'{listing.path}': body '{name}' is turned (PHIBODY); not supported")
    point = np.array(found["origin"][:3])
    volume = found["volume"][2]
    centre = np.array(found.get("gravity", [0.0, 0.0, 0.0]))
    C = _stiffness(found, listing, density)
    mass = known.mass or density * volume
    C = remove_weight(C, mass=mass, centre=centre, gravity=listing.gravity)
    area = float(C[2, 2]) / (density * listing.gravity)
    buoyancy = point + np.array(found["buoyancy"])
    return HydroBody(name, point, buoyancy, volume, C, area, point + centre)


def _stiffness(found: Mapping[str, list[float]], listing: _Listing, density: float) -> Float:
    C = np.zeros((6, 6))
    C[2, 2:5] = found["c3"]
    C[3, 3:6] = found["c4"]
    C[4, 4:6] = found["c5"]
    upper = np.triu(C[2:5, 2:5], 1)
    C[2:5, 2:5] += upper.T
    scale = density * listing.gravity * listing.length**2
    C *= scale * listing.length ** (_ROTATES[:, None] + _ROTATES)
    return C
