"""Response of the Steppers' loads to a small acceleration of their bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.integrate.probe import Probe, moved
from cosim.multibody.interface import Float

__all__ = ["ImpulseResponse", "declared_response", "measure_response"]

_SPEED = 1e-3
_LEAST, _MOST, _SUBSTEPS = 8, 60, 300
_HISTORY = 480
"""Most past accelerations kept: bounds the size of the eigenvalue problem."""


@dataclass(frozen=True)
class ImpulseResponse:
    r"""Loads after accelerations of one communication step, by generalised direction.

    With the acceleration a0 (1 - s) + a1 s over one step of length H and constant speed
    afterwards, the loads change at the j-th following instant by

    .. math:: \Delta L_j = -K d_j - C u_j + g^0_j a_0 + g^1_j a_1,

    d and u the displacement and speed reached; g fades out over the second half of the
    record, so that its end excites nothing.

    Attributes
    ----------
    step : float
        H, s.
    g : (2, N, nl, nu)
    K, C : (nl, nu)
    first : (nl, nu)
        Loads at the end of a step of unit constant acceleration: minus the apparent mass.
    substeps : int
        Length of the record in steps of the Steppers' own integration.
    """

    step: float
    g: Float
    K: Float
    C: Float
    first: Float
    substeps: int


def measure_response(
    equations: CoupledEquations, t: float, y: Float, step: float
) -> tuple[ImpulseResponse, ...]:
    """Let the Steppers follow small impulses from their present state; restores them.

    Parameters
    ----------
    equations : CoupledEquations
        All Steppers Restorable.
    t, y : float, (n,)
        Committed point; the impulses start from rest in its pose.
    step : float
        H, s.

    Returns
    -------
    tuple of ImpulseResponse
        What lasts is told apart as stiffness and damping; all that lasts is taken for
        stiffness; nothing lasts. A record that ends before the Steppers have come to rest
        may give the first, or the first two, wrong signs.
    """
    inner = max((e.stepper.inner_step for e in equations.steppers if e.stepper), default=0.0)
    per_step = max(1, round(step / inner)) if inner > 0.0 else 1
    longest = min(_MOST, _HISTORY // (2 * equations.model.nu))
    count = max(min(_SUBSTEPS // per_step, longest), _LEAST)
    probe = Probe(equations, t, y, step)
    nu = equations.model.nu
    still = _loads(equations, probe, np.zeros(nu), np.zeros((count, 2)))
    raw = np.zeros((2, count, still.shape[1], nu))
    j = np.arange(count)
    shapes = np.array([1.0 / 3.0, 1.0 / 6.0])[:, None] * step**2 + 0.5 * step**2 * j
    for k in range(nu):
        direction = np.eye(1, nu, k)[0]
        reach = probe.reach(direction)
        if reach == 0.0:
            continue
        speed = _SPEED / reach
        a = 2.0 * speed / step
        for kind in range(2):
            path = np.column_stack([a * shapes[kind], np.full(count, speed)])
            raw[kind, :, :, k] = (_loads(equations, probe, direction, path) - still) / a
    probe.end()
    return tuple(
        _split(raw, shapes, step, substeps=count * per_step, terms=terms) for terms in (2, 1, 0)
    )


def declared_response(equations: CoupledEquations, t: float, y: Float, step: float) -> Float:
    """Minus the declared apparent mass of all Steppers by direction, (nl, nu)."""
    columns = []
    for k in range(equations.model.nu):
        direction = np.eye(1, equations.model.nu, k)[0]
        parts = equations.parts(moved(equations, t, y, 0.0 * direction, direction))
        column = []
        for entry, part in zip(equations.steppers, parts, strict=True):
            assert entry.stepper is not None
            mass = entry.stepper.apparent_mass
            size = entry.load.size
            column.append(np.zeros(size) if mass is None else -mass @ part.v.ravel())
        columns.append(np.concatenate(column))
    return np.array(columns).T


def _loads(equations: CoupledEquations, probe: Probe, shape: Float, path: Float) -> Float:
    """Loads along a motion, (count, nl)."""
    assert equations.held is not None
    return np.array(list(probe.follow(shape, path)))[:, equations.held.is_load]


def _split(raw: Float, shapes: Float, step: float, *, substeps: int, terms: int) -> ImpulseResponse:
    """Separate what stays (of stiffness, damping: `terms`) from what decays, by the last third."""
    count, (nl, nu) = raw.shape[1], raw.shape[2:]
    tail = slice(count - max(2, count // 3), count)
    d = shapes[:, tail].ravel()
    basis = -np.column_stack([d, np.full(d.size, 0.5 * step)])[:, :terms]
    values = raw[:, tail].reshape(d.size, nl * nu)
    lasting = np.zeros((2, nl * nu))
    scale = basis[0]
    lasting[:terms] = np.linalg.lstsq(basis / scale, values, rcond=None)[0] / scale[:, None]
    K, C = lasting.reshape(2, nl, nu)
    fade = np.cos(0.5 * np.pi * np.clip(2.0 * np.arange(count) / count - 1.0, 0.0, 1.0)) ** 2
    stays = -shapes[:, :, None, None] * K - 0.5 * step * C
    return ImpulseResponse(
        step=step,
        g=(raw - stays) * fade[None, :, None, None],
        K=K,
        C=C,
        first=raw[0, 0] + raw[1, 0],
        substeps=substeps,
    )
