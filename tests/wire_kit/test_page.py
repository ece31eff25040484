"""The C of the protocol page is compiled; the line that copies the kit is run."""

import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from .conftest import STATE, WARNINGS, require, run

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
MEX = """
#include <stddef.h>
typedef struct mxArray_tag mxArray;
typedef enum { mxREAL } mxComplexity;
mxArray *mxCreateDoubleScalar(double);
mxArray *mxCreateDoubleMatrix(size_t, size_t, mxComplexity);
double *mxGetPr(const mxArray *);
mxArray *mexCallMATLABWithTrap(int, mxArray *[], int, mxArray *[], const char *);
void mxDestroyArray(mxArray *);
size_t mxGetNumberOfElements(const mxArray *);
char *mxArrayToString(const mxArray *);
void mexErrMsgTxt(const char *);
"""


@pytest.fixture
def blocks():
    return re.findall(r"```c\n(.*?)```", PAGE, re.DOTALL)


def test_peer_in_c_on_the_page_runs(kit, start, blocks):
    require("gcc")
    (kit / "page.c").write_text(blocks[0], encoding="utf-8")
    run("gcc", "-std=c99", *WARNINGS, "page.c", "-o", "page", "-lzmq", "-lm", cwd=kit)
    process, client = start(kit / "page")
    assert client.hello()["ok"]
    client.ask("initialize", arrays={"state": STATE})
    np.testing.assert_array_equal(client.arrays["load"], -10.0 * STATE[:, 12:])
    client.ask("end")
    assert process.wait(20) == 0


def test_sketch_for_matlab_fits_the_header(kit, blocks):
    """Against the prototypes of MATLAB's mex.h only: there is no MATLAB here."""
    require("gcc")
    (kit / "mex.h").write_text(MEX, encoding="utf-8")
    (kit / "matlab.c").write_text(blocks[1], encoding="utf-8")
    run("gcc", "-std=c99", *WARNINGS, "-c", "matlab.c", "-o", "matlab.o", cwd=kit)


def test_line_that_copies_the_kit(tmp_path):
    (line,) = re.findall(r"^python (-c .*)$", PAGE, re.MULTILINE)
    run(sys.executable, *shlex.split(line), cwd=tmp_path)
    assert (tmp_path / "peers" / "cosim_peer.h").is_file()


def test_cmake_builds_all(kit, tmp_path):
    require("cmake", "g++")
    run("cmake", "-S", str(kit), "-B", "build", cwd=tmp_path)
    run("cmake", "--build", "build", cwd=tmp_path)
    assert (tmp_path / "build" / "damper").is_file()
    assert (tmp_path / "build" / "attached_mass").is_file()
