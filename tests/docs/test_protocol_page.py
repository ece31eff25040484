"""What the protocol page shows is what the code says, does and accepts."""

import importlib.util
import re
from importlib.resources import files
from pathlib import Path

import pytest

from cosim.wire.contents import REPLY_ARRAYS, REQUEST_ARRAYS
from cosim.wire.messages import OPERATIONS, Environment, Hello, HelloReply, Reply, Request, Signal

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def page():
    return (DOCS / "protocol.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("wire_example", DOCS / "wire_example.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_dump_is_what_the_code_packs(page, example):
    assert f"```text\n{example.dump()}\n```" in page


def test_page_has_every_key_array_and_operation(page):
    keys = {
        name
        for kind in (Request, Hello, Reply, HelloReply, Environment)
        for name in kind.__struct_fields__
    }
    lists = (*REQUEST_ARRAYS.values(), *REPLY_ARRAYS.values())
    arrays = {name for names in lists for name in names}
    for name in {*keys, *arrays, *OPERATIONS}:
        assert f"`{name}`" in page, name
    for name in Signal.__struct_fields__:
        assert re.search(rf"`\{{[^}}]*\b{name}\b[^}}]*\}}`", page), name


def test_fortran_on_the_page_is_in_the_example(page):
    example = (files("adapters.zeromq") / "c" / "damper.f90").read_text(encoding="utf-8")
    (block,) = re.findall(r"```fortran\n(.*?)```", page, re.DOTALL)
    for line in block.splitlines():
        assert line.strip() in example


def test_kit_is_in_the_package_and_is_named(page):
    names = {item.name for item in (files("adapters.zeromq") / "c").iterdir()}
    assert names >= {"cosim_peer.h", "damper.cpp", "attached_mass.cpp", "CMakeLists.txt"}
    for name in ("cosim_peer.h", "cosim_peer.f90", "damper.cpp", "attached_mass.cpp", "damper.f90"):
        assert name in names
        assert f"`{name}`" in page
