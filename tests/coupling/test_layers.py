"""Arrows go one way (design 1): what may import what."""

import ast
from pathlib import Path

import pytest

import cosim

ROOT = Path(cosim.__file__).parent


def imported(folder):
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield file, node.module
            elif isinstance(node, ast.Import):
                yield from ((file, name.name) for name in node.names)


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("", "adapters"),
        ("coupling", "cosim.integrate"),
        ("multibody", "cosim.coupling"),
        ("multibody", "cosim.integrate"),
        ("model", "cosim.multibody"),
    ],
)
def test_nothing_imports_what_stands_above_it(folder, forbidden):
    wrong = [
        f"{file.relative_to(ROOT)} imports {module}"
        for file, module in imported(ROOT / folder)
        if module == forbidden or module.startswith(forbidden + ".")
    ]
    assert not wrong


def test_algebra_stands_below_everything():
    modules = {module for _, module in imported(ROOT / "algebra")}
    assert not [m for m in modules if m.startswith("cosim") and not m.startswith("cosim.algebra")]
