import inspect
from pathlib import Path

import pytest

import cosim

FOLDER = Path(__file__).parents[2] / "cases" / "oc3_spar"


def oc3_spar():
    """The main case without its file: what a user would write."""
    return cosim.Case(
        environment=cosim.Environment(
            gravity=9.80665,
            water_density=1025,
            water_depth=320,
            waves=cosim.JonswapWaves(hs=6, tp=10, gamma=3.3, seed=1, ramp=60),
        ),
        bodies={
            "spar": cosim.Body(
                mass=8066048,
                cog=(0, 0, -78),
                inertia=(1.893e10, 1.893e10, 1.891e8),
                points={
                    "deck": (0, 0, 10),
                    "nacelle": (0, 0, 90),
                    "fairlead1": (5.2, 0, -70),
                    "fairlead2": (-2.6, 4.5033321, -70),
                    "fairlead3": (-2.6, -4.5033321, -70),
                },
            )
        },
        joints={"free": cosim.Floating(child="spar")},
        elements={
            "yaw_spring_and_damping": cosim.MatrixLoad(
                body="spar",
                at=(0, 0, 0),
                stiffness=(0, 0, 0, 0, 0, 98.34e6),
                damping=(1e5, 1e5, 1.3e5, 0, 0, 13e6),
            )
        },
        adapters={
            "hydro": {
                "type": "capytaine",
                "bodies": ["spar"],
                "database": FOLDER / "hydrodynamics.nc",
            },
            "lines": {"type": "moordyn", "file": FOLDER / "mooring.txt"},
        },
        time=cosim.TimeSettings(end=600),
        output=cosim.Output(points=["spar/nacelle"]),
    )


def test_the_main_case_takes_under_60_lines_of_python():
    assert len(inspect.getsource(oc3_spar).splitlines()) < 60


def test_it_is_the_case_of_the_file():
    written, read = oc3_spar(), cosim.read_case(FOLDER)
    for section in ("environment", "bodies", "joints", "elements", "start", "time"):
        assert getattr(written, section) == getattr(read, section), section
    assert set(written.adapters) == set(read.adapters)


def test_it_runs():
    short = oc3_spar().model_copy(update={"time": cosim.TimeSettings(end=1.0)})
    results = cosim.run(short)
    assert float(results.time[-1]) == pytest.approx(1.0)
    assert results["point_position"].sel(point="spar/nacelle").shape == (11, 3)
