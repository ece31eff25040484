"""The drawing library of the page comes out of trimesh, whole and alone."""

import re

import pytest

from cosim.errors import CosimError
from cosim.results.animation.three import REVISION, three_js, three_js_of


def test_it_is_one_statement_below_its_licence():
    script = three_js()
    assert script.startswith("/**\n * @license\n * Copyright 2010-2022 Three.js Authors")
    assert "SPDX-License-Identifier: MIT" in script[:120]
    assert script.endswith('Object.defineProperty(t,"__esModule",{value:!0})}));')
    assert f'const e="{REVISION}"' in script
    assert ".REVISION=e" in script
    # the viewer's own scripts, and the end of the element, are left behind
    assert not re.search(r"TrackballControls|GLTFLoader|</script", script)


def test_it_is_found_wherever_it_stands():
    script = three_js()
    around = "<script>let before = 1;\n" + script + "\n(function(){})();</script>"
    assert three_js_of(around) == script


@pytest.mark.parametrize(
    "change",
    [
        lambda script: script.replace(f'"{REVISION}"', '"163"', 1),
        lambda script: script.replace(".REVISION=", ".VERSION="),
        lambda script: script[:-4],
        lambda script: script.replace("@license", "@copy"),
        lambda script: "",
    ],
    ids=["other revision", "no revision", "cut off", "no licence", "nothing"],
)
def test_another_build_is_refused(change):
    with pytest.raises(CosimError, match=r"^trimesh [\d.]+ brings no three\.js r140.*4\.8\.3"):
        three_js_of(f"<script>{change(three_js())}</script>")
