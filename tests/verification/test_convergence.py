"""Error against tolerance, as in figure 11 and table 9 of the joint-coordinate paper.

The paper finds a first-order trend of the error over the tolerance. RK45 advances with the
formula of order 5 and keeps the difference to order 4, of order h⁵, at the tolerance: the error
at a given time, of order h⁵ too, is proportional to it. The band about 1 is ours; between pairs
of tolerances two decades apart the step control makes it vary. Full study, 100 s:
cases/planar/convergence.py.
"""

import numpy as np
import pytest

END = 20.0
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)


@pytest.fixture(scope="module")
def convergence(script):
    return script("planar", "convergence")


@pytest.fixture(scope="module")
def errors(convergence):
    runs = [convergence.run(rtol, END) for rtol in TOLERANCES]
    return convergence.study(runs, convergence.exact(runs[0][0]))


def test_errors_decrease_in_first_order(convergence, errors):
    for found in errors:
        assert np.all(np.diff(found, axis=0) < 0.0)
        slope = convergence.slope(TOLERANCES[: len(found)], found)
        np.testing.assert_allclose(slope, 1.0, atol=0.2)


def test_errors_against_the_tightest_run_are_those_against_the_exact_solution(errors):
    among, outside = errors
    np.testing.assert_allclose(among, outside[:-1], rtol=0.03)
    assert outside[-1].max() < 1e-9
