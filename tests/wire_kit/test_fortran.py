"""The Fortran example, compiled and run."""

import numpy as np

from .conftest import STATE, require, run

FORTRAN = ("-std=f2018", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic")


def test_fortran_damper(kit, start):
    require("gcc", "gfortran")
    how = ("-O2", "-x", "c", "-DCOSIM_PEER_EXPORT")
    run("gcc", *how, "-c", "cosim_peer.h", "-o", "cosim_peer.o", cwd=kit)
    sources = ("cosim_peer.f90", "damper.f90", "cosim_peer.o")
    run("gfortran", *FORTRAN, *sources, "-o", "damper_fortran", "-lzmq", cwd=kit)
    process, client = start(kit / "damper_fortran")
    state = np.vstack([STATE, 3.0 - STATE])
    assert client.hello("buoy", "float", c=3.0)["name"] == "damper in Fortran"
    client.ask("initialize", arrays={"state": state})
    client.ask("update", 0.5, arrays={"state": state})
    np.testing.assert_array_equal(client.arrays["load"], -3.0 * state[:, 12:])
    assert client.ask("end")["ok"]
    assert process.wait(20) == 0


def test_fortran_damper_refuses_a_setting(kit, start):
    require("gcc", "gfortran")
    if not (kit / "damper_fortran").exists():
        test_fortran_damper(kit, start)
    _, client = start(kit / "damper_fortran")
    assert client.hello(c=-3.0)["error"] == "the setting c must not be negative"
