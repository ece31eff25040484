"""RM3 with power take-off and three MoorDyn lines in a recorded sea against WEC-Sim + MoorDyn.

After t = 40 s (the reference starts with slack lines) at most 25 mm (float), 15 mm (spar) and
5 kN (fairlead tension) apart. The reference has no radiation from body to body; with it the
spar is 26 mm away, which the same tolerances must notice.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cosim

CASE = Path(__file__).parents[2] / "cases" / "rm3" / "moored.yaml"
REFERENCE = Path(__file__).parent / "data" / "rm3_moored.csv"
SETTLED = 40.0


def largest_errors(end, *settings):
    case = cosim.read_case(CASE, [f"time.end={end}", *settings])
    results = cosim.run(case)
    published = pd.read_csv(REFERENCE, comment="#")
    rows = np.round(results["time"].values / 0.05).astype(int)
    there = published.iloc[rows]
    np.testing.assert_allclose(there["t"], results["time"], atol=1e-9)
    ours = {
        "float_z": results["position"].sel(body="float", xyz="z"),
        "spar_z": results["position"].sel(body="spar", xyz="z"),
        "tension4": 1e-3 * results["lines/line4/fairlead_tension"],
        "tension5": 1e-3 * results["lines/line5/fairlead_tension"],
    }
    late = results["time"].values > SETTLED
    return {key: np.abs(x.values - there[key].to_numpy())[late].max() for key, x in ours.items()}


@pytest.mark.slow
def test_moored_device_follows_the_reference():
    worst = largest_errors(400)
    assert worst["float_z"] <= 0.025
    assert worst["spar_z"] <= 0.015
    assert worst["tension4"] <= 5.0
    assert worst["tension5"] <= 5.0


@pytest.mark.slow
def test_body_interaction_is_noticed():
    assert largest_errors(120, "adapters.hydro.body_interaction=true")["spar_z"] > 0.015
