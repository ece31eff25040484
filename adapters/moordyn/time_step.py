r"""A stable step for MoorDyn, from what its segments are made of.

Three oscillators bound the eigenvalues of a line of segments of length l and mass m l:

.. math::
    \text{stretching:}\quad & s^2 + \frac{4 BA}{m l^2} s + \frac{4 EA}{m l^2} = 0 \\
    \text{bending:}\quad & s^2 + \frac{16 EI}{m l^4} = 0 \\
    \text{sea bed:}\quad & s^2 + \frac{c_b d}{m_n} s + \frac{k_b d}{m_n} = 0

with m and m_n the mass with tangential and transverse added mass per length. The step is
stable while the scheme's amplification of every s dt stays at most 1. The sea bed decides
for most chains: 3e5 Pa s/m on 45 m of 0.09 m chain is a rate of 310 1/s.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from dataclasses import replace

from adapters.moordyn.records import LineRecord, LineType, MooringFile, OptionRecord

__all__ = ["SHARE", "eased", "stable_step", "suggested_step"]

SHARE = 0.6
"""Part of the limit that is taken: snatching lines need less than the linear limit."""
_EASED_RATE = 100.0
"""Rate of stretching and sea bed that eased lines aim at, 1/s."""
_EASED_DAMPING = -0.2
"""Share of critical damping of the segments of eased lines."""
_HEAVIEST = 10.0
"""Bound on the tangential mass of eased lines, times their own."""
_LONGEST_EASED = 0.02
_DEFAULTS = {"kBot": 3.0e6, "cBot": 3.0e5, "rho": 1025.0}
_TERMS = {"rk4": 4, "rk2": 2, "heun": 2, "euler": 1, "leuler": 1}
"""Terms of the exponential series that an explicit scheme keeps."""


def stable_step(file: MooringFile, scheme: str) -> float | None:
    """Longest stable step, s, or None where it cannot be told.

    Parameters
    ----------
    file : MooringFile
    scheme : str
        An explicit scheme; for implicit ones the answer is None.
    """
    terms = _TERMS.get(scheme.lower())
    if terms is None:
        return None
    rates = list(_rates(file))
    if not rates:
        return None
    step = min(_limit(rate, terms) for rate in rates)
    # predictor-corrector with the old slope: half the range of a true two-stage scheme
    return 0.5 * step if scheme.lower() == "heun" else step


def suggested_step(file: MooringFile) -> float | None:
    """A step that is stable with rk4 and with the implicit schemes, s, or None."""
    limit = stable_step(file, "rk4")
    return None if limit is None else SHARE * limit


def eased(file: MooringFile) -> MooringFile:
    """The same lines with other dampers and masses: same rest, longer stable step.

    Internal damping, sea-bed damping and tangential added mass do no work at rest. They are
    set so that the sea bed and stretching allow about the same step; lines with tabulated
    stiffness or damping keep their own, and so do single segments, which have no free nodes.
    """
    if any(kind.stiffness is None or "|" in kind.EA + kind.BA for kind in file.line_types):
        return file
    if suggested_step(file) is None:
        return file
    segments = {kind.name: math.inf for kind in file.line_types}
    for line in file.lines:
        segments[line.type] = min(segments[line.type], line.length / line.segments)
    density = _option(file, "rho")
    kinds = [_eased_type(kind, segments[kind.name], density) for kind in file.line_types]
    masses = (kind.mass / kind.diameter for kind in file.line_types)
    bed_damping = min(_option(file, "cBot"), _EASED_RATE * min(masses))
    options = {**file.options, "cBot": OptionRecord(repr(bed_damping))}
    eased_file = replace(file, line_types=tuple(kinds), options=options)
    step = OptionRecord(repr(min(suggested_step(eased_file) or math.inf, _LONGEST_EASED)))
    return replace(eased_file, options={**options, "dtM": step, "tScheme": OptionRecord("rk4")})


def _eased_type(kind: LineType, segment: float, density: float) -> LineType:
    displaced = density * 0.25 * math.pi * kind.diameter**2
    wanted = (kind.stiffness or 0.0) * (2.0 / (segment * _EASED_RATE)) ** 2
    mass = min(max(wanted, kind.mass), _HEAVIEST * kind.mass)
    added = max(kind.CaAx, (mass - kind.mass) / displaced)
    return replace(kind, BA=repr(_EASED_DAMPING), CaAx=added)


def _rates(file: MooringFile) -> Iterator[complex]:
    """Eigenvalues s of the stiffest motions of all lines, 1/s."""
    for line in file.lines:
        kind = file.line_type(line.type)
        if kind.stiffness is not None and kind.damping is not None and _moves(file, line):
            yield from _line_rates(file, line, kind)


def _moves(file: MooringFile, line: LineRecord) -> bool:
    """Whether MoorDyn integrates any node: one segment between held points has none."""
    held = {point.id for point in file.points if point.attachment != "free"}
    ends = (line.end_a, line.end_b)
    return line.segments > 1 or any(end.side or end.id not in held for end in ends)


def _line_rates(file: MooringFile, line: LineRecord, kind: LineType) -> Iterator[complex]:
    segment = line.length / line.segments
    displaced = _option(file, "rho") * 0.25 * math.pi * kind.diameter**2
    along = kind.mass + kind.CaAx * displaced
    across = kind.mass + kind.Ca * displaced
    stiffness, damping = kind.stiffness or 0.0, kind.damping or 0.0
    if damping < 0.0:
        damping = -damping * segment * math.sqrt(stiffness * kind.mass)
    stretch = 4.0 / (along * segment**2)
    yield _fast_root(damping * stretch, stiffness * stretch)
    bed = kind.diameter / across
    yield _fast_root(_option(file, "cBot") * bed, _option(file, "kBot") * bed)
    if kind.EI not in kind.tables:
        bending = max(float(part) for part in kind.EI.split("|"))
        yield _fast_root(0.0, 16.0 * bending / (across * segment**4))


def _option(file: MooringFile, name: str) -> float:
    value = file.number(name)
    return _DEFAULTS[name] if value is None else value


def _fast_root(damping: float, stiffness: float) -> complex:
    """Root of s² + damping s + stiffness that is farthest from 0."""
    return 0.5 * (-damping - cmath.sqrt(damping**2 - 4.0 * stiffness))


def _limit(rate: complex, terms: int) -> float:
    """Largest dt with |1 + z + ... + z^terms/terms!| <= 1 for z = rate dt, by bisection."""
    if rate == 0.0:
        return math.inf
    low, high = 0.0, 4.0 / abs(rate)
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _amplification(rate * middle, terms) <= 1.0 + 1e-12:
            low = middle
        else:
            high = middle
    return low


def _amplification(z: complex, terms: int) -> float:
    return abs(sum(z**k / math.factorial(k) for k in range(terms + 1)))
