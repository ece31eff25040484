import numpy as np
import pytest

from cosim.coupling.acceleration import IQNILS, Aitken, acceleration


def passes(accelerator, H, x, scale, *, tolerance=1e-10, limit=60):
    accelerator.start_step()
    for count in range(1, limit + 1):
        returned = H(x)
        if np.max(np.abs(returned - x) / scale) <= tolerance:
            return count, x
        x = accelerator.next(x, returned, scale)
    raise AssertionError("did not converge")


@pytest.mark.parametrize("ratio", [0.1, 0.9, 5.0, 17.0])
def test_one_unknown_needs_three_passes_at_any_ratio(ratio):
    # x = b - ratio x: fixed-point iteration diverges above 1; Aitken is exact for one unknown
    for accelerator in (Aitken(), IQNILS(6)):
        size = 1 if isinstance(accelerator, Aitken) else 6
        b = np.linspace(1.0, 1.0, size)
        count, x = passes(accelerator, lambda x, b=b: b - ratio * x, np.zeros(size), np.ones(size))
        assert count <= 3
        assert x == pytest.approx(b / (1.0 + ratio), rel=1e-9)


def test_linear_map_of_six_unknowns_ends_after_seven_columns_and_then_in_two():
    rng = np.random.default_rng(0)
    J = -rng.normal(size=(6, 6)) @ np.diag([8.0, 4.0, 2.0, 1.0, 0.5, 0.1])
    scale = np.array([1e6, 1e6, 1e6, 1e8, 1e8, 1e8])
    b = rng.normal(size=6) * scale
    D = np.diag(scale) @ J @ np.diag(1.0 / scale)
    accelerator = IQNILS(6)
    count, x = passes(accelerator, lambda x: b + D @ x, np.zeros(6), scale)
    assert count <= 8
    assert x == pytest.approx(np.linalg.solve(np.eye(6) - D, b), rel=1e-6)
    # columns are kept: the next step, with another right side, takes one correction
    count, _ = passes(accelerator, lambda x: 1.3 * b + D @ x, x, scale, tolerance=1e-8)
    assert count <= 3


def test_never_more_columns_than_unknowns():
    assert IQNILS(3)._V.maxlen == 3
    assert IQNILS(30)._V.maxlen == 8


def test_the_factory_takes_aitken_for_one_unknown():
    assert isinstance(acceleration(1), Aitken)
    assert isinstance(acceleration(6), IQNILS)
