"""The symbolic side shares nothing with the kernels that it is compared with."""

import ast
import subprocess
import sys
from pathlib import Path

from cosim.multibody.joint import symbolic

HERE = "cosim.multibody.joint.symbolic"
SHARED = {
    "cosim.multibody.interface",  # what every formulation keeps
    "cosim.multibody.elements.channels",  # names of outputs
    "cosim.multibody.start_values",  # reading of start values
}


def test_nothing_of_the_kernels_is_imported():
    for file in Path(symbolic.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("cosim.multibody"):
                assert node.module.startswith(HERE) or node.module in SHARED, file


def test_sympy_is_loaded_by_the_first_name_that_is_used():
    code = (
        f"import sys, {HERE} as it; assert 'sympy' not in sys.modules; it.derive; "
        "assert 'sympy' in sys.modules; assert 'derive_loops' in dir(it)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_public_names():
    for name in symbolic.__all__:
        assert getattr(symbolic, name).__doc__
    assert not hasattr(symbolic, "deriv")
