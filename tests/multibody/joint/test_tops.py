"""Free and heavy tops against their closed forms."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

# the closed forms are printed with 13 digits or more; our solver runs at rtol 1e-12
CLOSED = 1e-10


class TestFreeTop:
    INERTIA, SPIN = np.array([2.0, 3.0, 4.0]), np.array([1.0, 0.0, 0.8])

    # t, w1, w2, w3 in body axes
    REFERENCE = np.array(
        [
            [1.0, 0.900590119395683, 0.501912923187372, 0.738600894649177],
            [2.0, 0.668661695838909, 0.858596945811661, 0.602954585139779],
            [5.0, -0.0434401692034539, 1.15361053607046, 0.375424458646759],
            [10.0, -0.982976232405421, -0.212156315095083, 0.789380223173205],
            [20.0, 0.934206571209684, 0.411919219117284, 0.759190989702642],
        ]
    )

    def model(self, build, joint="floating"):
        body = {"mass": 1.5, "cog": [0.3, -0.2, 0.5], "inertia": self.INERTIA.tolist()}
        described = {"type": joint, "child": "top"}
        if joint == "spherical":
            described["at"] = body["cog"]
        return build({"top": body}, {"free": described}, environment={"gravity": 0.0})

    @pytest.mark.parametrize("joint", ["floating", "spherical"])
    def test_angular_velocity_in_body_axes(self, trees, build, joint):
        model = self.model(build, joint)
        q, u = model.initial()
        u[-3:] = self.SPIN
        qs, us = trees.solve(model, q, u, self.REFERENCE[:, 0])
        for q, u, row in zip(qs, us, self.REFERENCE, strict=True):
            state = model.kinematics(0.0, q, u)
            np.testing.assert_allclose(state.R[0].T @ state.v[0, 3:], row[1:], atol=CLOSED)
            momentum = state.R[0] @ (self.INERTIA * (state.R[0].T @ state.v[0, 3:]))
            np.testing.assert_allclose(momentum, self.INERTIA * self.SPIN, atol=CLOSED)

    def test_turning_about_the_middle_axis(self, trees, build):
        """The hard case: it tumbles, for ever, with the period 4 K / Omega."""
        model = self.model(build)
        q, u = model.initial()
        start = np.array([1e-3, 1.0, 0.0])
        u[3:] = start
        I1, I2, I3 = self.INERTIA
        L2, E2 = np.sum((self.INERTIA * start) ** 2), np.sum(self.INERTIA * start**2)
        # L² < 2 E I2 here: the formulae with the first and third axis exchanged
        assert L2 < E2 * I2
        omega = np.sqrt((I1 - I2) * (L2 - E2 * I3) / (I1 * I2 * I3))
        m = (I2 - I3) * (E2 * I1 - L2) / ((I1 - I2) * (L2 - E2 * I3))
        # starts where the third rate vanishes: a quarter period from its largest value
        largest = np.sqrt((E2 * I1 - L2) / (I2 * (I1 - I2)))
        times = np.linspace(2.0, 40.0, 12)
        qs, us = trees.solve(model, q, u, times)
        exact = largest * ellipj(omega * times + ellipk(m), m)[0]
        ours = []
        for q, u in zip(qs, us, strict=True):
            state = model.kinematics(0.0, q, u)
            ours.append((state.R[0].T @ state.v[0, 3:])[1])
        assert np.ptp(exact) > 1.9
        # deviations grow by exp(0.4 t) near the unstable axis: four digits in 40 s
        np.testing.assert_allclose(ours, exact, atol=1e-6)


def test_heavy_symmetric_top(trees, build):
    """From a cusp at 30 degrees with 40 rad/s: nutation, precession and energy."""
    # the description's axes are upright; the start leans by -30 degrees about x
    body = {"mass": 1.0, "cog": [0.0, 0.0, 1.0], "inertia": [0.25, 0.25, 0.4]}
    model = build({"top": body}, {"pin": {"type": "spherical", "child": "top", "at": [0, 0, 0]}})
    lean = np.radians(30.0)
    q, u = model.initial({"pin.roll": -lean})
    u[:] = 40.0 * np.array([0.0, np.sin(lean), np.cos(lean)])
    model.kinematics(0.0, q, u)
    assert model.energy().total == pytest.approx(328.495709211125, rel=1e-13)
    expected = np.array(
        [
            [0.1, -0.0077638692413, 0.5147860348830, 0.8572835357242],
            [1.0, -0.3196918169537, 0.3951546738023, 0.8611909927217],
        ]
    )
    period = 0.5361683869321738
    times = np.append(expected[:, 0], 2.0 * period)
    qs, us = trees.solve(model, q, u, np.sort(times))
    order = np.argsort(times)
    rows = dict(zip(order, zip(qs, us, strict=True), strict=True))
    for k, row in enumerate(expected):
        r = model.kinematics(0.0, *rows[k]).r[0]
        np.testing.assert_allclose(r, row[1:], atol=CLOSED)
    r = model.kinematics(0.0, *rows[2]).r[0]
    # two nutations later: again at the cusp, turned by twice the precession per nutation
    turned = 2.0 * 0.3431079555285723
    back = 0.5 * np.array([-np.sin(turned), np.cos(turned)])
    np.testing.assert_allclose(r, [*back, np.cos(lean)], atol=1e-9)
    assert model.energy().total == pytest.approx(328.495709211125, rel=1e-11)
