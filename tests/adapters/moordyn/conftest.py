import numpy as np
import pytest

from adapters.moordyn.adapter import MoorDynAdapter
from adapters.moordyn.options import MoorDynOptions
from cosim.model import System
from cosim.multibody.interface import State
from cosim.multibody.joint import JointModel

# OC3-Hywind, NREL/TP-500-47535 table 5-1; drag as in MoorDyn's own example
OC3 = """\
--------------------- MoorDyn v2 input file -----------------
the mooring of OC3
---------------------- LINE TYPES ---------------------------
TypeName   Diam    Mass/m     EA         BA/-zeta    EI   Cd   Ca   CdAx  CaAx
(name)     (m)     (kg/m)     (N)        (N-s/-)     ()   (-)  (-)  (-)   (-)
main       0.09    77.7066    384.243E6  -0.8        0    1.6  1.0  0.1   0.0
---------------------- POINTS -------------------------------
ID    Type      X         Y           Z       Mass   Volume  CdA    Ca
(#)   (-)       (m)       (m)         (m)     (kg)   (m^3)   (m^2)  (-)
1     Fixed     853.87    0           -320.0  0      0       0      0
2     Fixed     -426.935  739.473111  -320.0  0      0       0      0
3     Fixed     -426.935  -739.473111 -320.0  0      0       0      0
4     Vessel    5.2       0.0         -70.0   0      0       0      0
5     Vessel    -2.6      4.503332    -70.0   0      0       0      0
6     Vessel    -2.6      -4.503332   -70.0   0      0       0      0
---------------------- LINES --------------------------------
ID   LineType   AttachA  AttachB  UnstrLen  NumSegs  LineOutputs
(#)   (name)     (#)      (#)       (m)       (-)     (-)
1     main       1        4         902.2     20      -
2     main       2        5         902.2     20      -
3     main       3        6         902.2     20      -
---------------------- OPTIONS ------------------------------
0.005         dtM
320           WtrDpth
---------------------- need this line -----------------------
"""

SMALL = """\
--- LINE TYPES ---
TypeName Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)
chain 0.05 50 1e7 -0.8 0 1.6 1.0 0.1 0.0
--- POINTS ---
ID Type X Y Z Mass Volume CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 60 0 -50 0 0 0 0
2 Coupled 1 0 -5 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 chain 1 2 80 5 -
--- OPTIONS ---
0.005 dtM
50 WtrDpth
--- END ---
"""

WATER = {"gravity": 9.80665, "water_density": 1025, "water_depth": 320}


@pytest.fixture(autouse=True, scope="session")
def _private_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COSIM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def oc3_text():
    return OC3


@pytest.fixture
def small_text():
    return SMALL


@pytest.fixture
def mooring(tmp_path):
    """Write a mooring file and return its path."""

    def write(text, name="mooring.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def make_adapter(mooring):
    """Adapter on a spar (or other bodies), ended after the test."""
    made = []

    def make(text=OC3, *, bodies=None, environment=None, file_bodies=None, **options):
        earth_points = options.pop("earth_points", {})
        bodies = bodies or {"spar": {"cog": [0, 0, -78]}}
        system = System.from_dict(
            {
                "earth_points": earth_points,
                "environment": WATER | (environment or {}),
                "bodies": {
                    name: {"mass": 8e6, "inertia": [1.9e10, 1.9e10, 1.9e8]} | body
                    for name, body in bodies.items()
                },
                "joints": {f"{b}_joint": {"type": "floating", "child": b} for b in bodies},
            }
        )
        if text is not None:
            options["file"] = mooring(text)
        if file_bodies is not None:
            options["bodies"] = file_bodies
        adapter = MoorDynAdapter(JointModel(system), "lines", MoorDynOptions(**options))
        made.append(adapter)
        return adapter

    yield make
    for adapter in made:
        adapter.end()


@pytest.fixture
def pose():
    """State of one body."""

    def state(t=0.0, r=(0.0, 0.0, -78.0), R=None, v=(0.0,) * 6):
        attitude = np.eye(3) if R is None else np.asarray(R)
        return State(t, np.array([r], float), attitude[None].copy(), np.array([v], float))

    return state
