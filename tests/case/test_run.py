import numpy as np
import pytest
import xarray as xr

import cosim
from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import build
from cosim.case.read import read_case
from cosim.case.run import result_file
from cosim.case.start import start_state
from cosim.errors import CaseError, CosimError, EquilibriumError, SolverError


def pendulum(**sections):
    return cosim.Case(
        bodies={"bob": cosim.Body(mass=2, cog=(0, 0, -1), inertia=(1e-9, 1e-9, 1e-9))},
        joints={"hinge": cosim.Revolute(child="bob", at=(0, 0, 0), axis=(0, 1, 0))},
        **{"time": cosim.TimeSettings(end=4, rtol=1e-8), **sections},
    )


def test_a_small_swing_has_the_textbook_period():
    # point mass on a massless rod: T = 2 pi sqrt(l/g) (1 + a²/16), a = 1 degree
    case = pendulum(start=cosim.Start(from_="reference", set={"hinge.angle_deg": 1}))
    results = cosim.run(case)
    omega = np.sqrt(9.81 / 1.0) / (1 + np.radians(1) ** 2 / 16)
    angle = results["joint_rotation_deg"].sel(rotation="hinge.angle")
    np.testing.assert_allclose(angle, np.cos(omega * results.time), atol=2e-5)


def test_what_is_returned_is_what_the_file_holds(tmp_path):
    case = pendulum(start=cosim.Start(from_="reference", set={"hinge.angle": 0.5}))
    results = cosim.run(case, out=tmp_path / "swing.nc")
    xr.testing.assert_identical(results, cosim.open_results(tmp_path / "swing.nc"))
    assert results.attrs["status"] == "completed"
    assert float(abs(results["ledger/balance"]).max()) < 1e-6


def test_equilibrium_is_where_nothing_moves():
    case = pendulum(
        elements={"spring": cosim.JointLoad(joint="hinge", stiffness=30.0, rest=0.2)},
        time=cosim.TimeSettings(end=2, rtol=1e-10, atol=1e-12),
    )
    results = cosim.run(case)
    angle = np.radians(results["joint_rotation_deg"].values[:, 0])
    assert abs(30.0 * (angle[0] - 0.2) + 2 * 9.81 * np.sin(angle[0])) < 1e-6
    assert np.ptp(angle) < 1e-8


def test_values_set_replace_those_of_the_equilibrium(write):
    case = read_case(
        write(
            """\
            case: 1
            bodies:
              buoy: {mass: 100, cog: [0, 0, 0], inertia: [10, 10, 10]}
            joints: {free: {type: floating, child: buoy}}
            elements:
              springs:
                type: matrix
                body: buoy
                at: [0, 0, 0]
                preload: [50, 0, 0, 0, 2, 0]
                stiffness: [100, 100, 1000, 20, 20, 20]
            start: {set: {buoy.surge: 3, free.yaw_deg: 30, buoy.heave_rate: 0.1}}
            time: {end: 1}
            """
        )
    )
    assembly = build(case)
    start = start_state(case, assembly.model, {})
    state = assembly.model.kinematics(0.0, start.q, start.u)
    np.testing.assert_allclose(state.r[0], [3.0, 0.0, -0.981], atol=1e-6)
    yaw, pitch = np.radians(30), 0.1
    np.testing.assert_allclose(state.R[0, 2], [-np.sin(pitch), 0, np.cos(pitch)], atol=1e-6)
    assert np.arctan2(state.R[0, 1, 0], state.R[0, 0, 0]) == pytest.approx(yaw)
    np.testing.assert_allclose(state.v[0], [0, 0, 0.1, 0, 0, 0], atol=1e-12)


def test_no_equilibrium_says_what_to_do():
    case = pendulum(
        elements={"push": cosim.PointForce(point="bob", moment=(0, 100, 0))},
    )
    with pytest.raises(EquilibriumError, match=r"start: \{from: reference\}") as caught:
        cosim.run(case)
    assert caught.value.exit_code == 3


def test_unknown_start_values_are_found_together(write, pendulum):
    path = write(pendulum.replace("hinge.angle_deg: 5", "hing.angle: 5, hinge.angel: 2"))
    with pytest.raises(CaseError) as caught:
        cosim.run(cosim.read_case(path))
    first, second = str(caught.value).split("\n")
    assert first.startswith(f"{path}:14: ")
    assert "did you mean 'hinge'" in first
    assert "did you mean 'angle'" in second


def test_adapters_of_ones_own_need_no_installation(wind):
    case = pendulum(
        adapters={"breeze": {"type": "wind", "speed": 12.0}},
        start=cosim.Start(from_="reference"),
    )
    results = cosim.run(case, types={"wind": wind})
    assert float(results["breeze/speed"][-1]) == 12.0
    np.testing.assert_allclose(results["force"].sel(source="breeze", body="bob")[5], [12, 0, 0])


def test_what_an_adapter_refuses_has_its_line_in_the_case(write, wind, pendulum):
    class Picky(wind):
        def __init__(self, model, name, options):
            super().__init__(model, name, options)
            model.index([f"sail{options.speed:g}"])

    adapters = "adapters:\n  one: {type: picky, speed: 1}\n  two: {type: picky, speed: 2}\n"
    path = write(pendulum + adapters)
    types = AdapterTypes({"picky": Picky})
    with pytest.raises(CosimError) as caught:
        build(cosim.read_case(path, types=types), types)
    assert caught.value.exit_code == 2
    assert str(caught.value).split("\n") == [
        f"{path}:20: adapter 'one': there is no body 'sail1'; there are bob",
        f"{path}:21: adapter 'two': there is no body 'sail2'; there are bob",
    ]


def test_the_options_of_an_adapter_are_checked_in_python_too(wind):
    case = pendulum(adapters={"breeze": {"type": "wind", "sped": 12.0}})
    with pytest.raises(CaseError, match=r"adapters\.breeze: unknown key 'sped'"):
        cosim.run(case, types={"wind": wind})


def test_a_run_that_diverges_leaves_what_it_had(tmp_path):
    # a negative damper: the swing grows until the numbers end
    case = pendulum(
        elements={
            "engine": cosim.JointLoad(joint="hinge", law="50*v*v*v"),
        },
        start=cosim.Start(from_="reference", set={"hinge.angle_rate": 1.0}),
        output=cosim.Output(step=1e-3),
    )
    with pytest.raises(SolverError, match="bob"):
        cosim.run(case, out=tmp_path / "run.nc")
    results = cosim.open_results(tmp_path / "run.nc")
    assert results.sizes["time"] > 3
    assert np.isfinite(results["position"]).all()
    assert results.attrs["status"].startswith("the run stopped at t =")


def test_provenance_is_in_the_results(write):
    path = write()
    results = cosim.run(cosim.read_case(path, ["length=3"]))
    text = str(results["case_text"].item())
    assert text == "# --set length=3\n" + path.read_text()
    assert '"rtol": 1e-06' in results.attrs["settings"]
    assert "numpy" in results.attrs["versions"]
    assert results.attrs["title"] == path.parent.name


def test_the_result_file_has_the_name_of_the_case(write, tmp_path):
    assert result_file(read_case(write(name="decay.yaml")), tmp_path).name == "decay.nc"
    case = read_case(write(), ["output.file=mine.nc"])
    assert result_file(case, "there").as_posix() == "there/mine.nc"


def test_the_public_names_are_there_and_sorted():
    assert cosim.__all__ == sorted(cosim.__all__, key=lambda name: (name.islower(), name))
    assert all(getattr(cosim, name) is not None for name in cosim.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Bodi'"):
        cosim.Bodi  # noqa: B018
