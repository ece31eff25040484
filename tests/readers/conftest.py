import numpy as np
import pytest
from scipy.integrate import solve_ivp

from cosim.multibody.joint import JointModel


def _rates(model):
    no_load = np.zeros(model.nu)

    def f(t, y):
        q, u = np.ascontiguousarray(y[: model.nq]), np.ascontiguousarray(y[model.nq :])
        model.kinematics(t, q, u)
        return np.concatenate([model.q_dot(q, u), model.accelerations(no_load)[0]])

    return f


@pytest.fixture
def run():
    """Coordinates and speeds at `times`, and positions of all bodies (times, n, 3)."""

    def solve(reading, times):
        model = JointModel(reading.system)
        y0 = np.concatenate(model.initial(reading.start))
        options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.1}
        solution = solve_ivp(_rates(model), (0.0, times[-1]), y0, t_eval=times, **options)
        assert solution.success
        places = [
            model.kinematics(t, y[: model.nq].copy(), y[model.nq :].copy()).r.copy()
            for t, y in zip(times, solution.y.T, strict=True)
        ]
        return solution.y.T, np.array(places)

    return solve
