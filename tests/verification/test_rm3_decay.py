"""RM3, float released 0.1 m above rest: decay of both bodies against WEC-Sim and SEA-Stack.

Tolerance 0.005 of the release height, root mean square over 40 s. The two programs differ by
0.005 (float) and 0.001 (spar) from each other. Without radiation from body to body the spar
stays at rest, which is 0.03 away: a run that drops it must fail.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cosim

CASE = Path(__file__).parents[2] / "cases" / "rm3" / "decay.yaml"
REFERENCE = Path(__file__).parent / "data" / "rm3_decay.csv"
HEIGHT = 0.1


def errors(*settings):
    case = cosim.read_case(CASE, settings)
    results = cosim.run(case)
    published = pd.read_csv(REFERENCE, comment="#").set_index("t")
    found = {}
    for body in ("float", "spar"):
        z = results["position"].sel(body=body, xyz="z").values - case.bodies[body].cog[2]
        for code in ("wecsim", "seastack"):
            there = published[f"{body}_{code}"].to_numpy()[: z.size]
            found[body, code] = np.sqrt(np.nanmean((z - there) ** 2)) / HEIGHT
    return found


@pytest.fixture(scope="module")
def interacting():
    return errors()


@pytest.mark.parametrize("body", ["float", "spar"])
@pytest.mark.parametrize("code", ["wecsim", "seastack"])
def test_decay_agrees(interacting, body, code):
    assert interacting[body, code] <= 0.005


def test_spar_misses_its_motion_without_body_interaction():
    assert errors("adapters.hydro.body_interaction=false")["spar", "wecsim"] >= 0.02
