"""An adapter in another process gives what it gives in this one, bit for bit."""

import json
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.build import build
from cosim.errors import AdapterError, CaseError
from cosim.serving.adapter_peer import AdapterPeer
from cosim.testing import AdapterContract, ContractCase
from cosim.wire.server import PeerServer

ROOT = Path(__file__).parents[2]
WAVES = {"type": "regular", "height": 2.0, "period": 7.0, "ramp": 0.0}
MOORING = """\
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
PEER = """\
import json
from pathlib import Path
from cosim.case.schema import Case
from cosim.serving.adapter_peer import AdapterPeer

HERE = Path(__file__).parent

class Served(AdapterPeer):
    def __init__(self):
        case = Case.from_dict(json.loads((HERE / "served.yaml").read_text()), folder=HERE)
        super().__init__(case, "load")
"""
HYDRO = {
    "type": "capytaine",
    "bodies": ["box"],
    "database": str(ROOT / "tests" / "verification" / "data" / "box.nc"),
}
LINES = {"type": "moordyn", "file": "mooring.txt"}


class Shared:
    """A box with one adapter, its own or a served one; both cases are written."""

    def __init__(self, folder, adapter, *, waves=WAVES, depth=50):
        (folder / "mooring.txt").write_text(MOORING)
        (folder / "peer.py").write_text(PEER)
        self.folder = folder
        self.data = {
            "case": 1,
            "environment": {
                "gravity": 9.81,
                "water_density": 1025.0,
                "water_depth": depth,
                "waves": waves,
            },
            "bodies": {
                "box": {
                    "mass": 2.05e6,
                    "cog": [0, 0, -1],
                    "inertia": [8.5e7, 8.5e7, 1.4e8],
                    "points": {"fairlead": [1, 0, -5]},
                }
            },
            "joints": {"free": {"type": "floating", "child": "box"}},
            "adapters": {"load": adapter},
            "start": {"from": "reference", "set": {"free.surge_rate": 0.3}},
            "time": {"end": 2, "communication_step": 0.1},
            "output": {"step": 0.25},
        }
        (folder / "served.yaml").write_text(json.dumps(self.data))

    def here(self):
        return cosim.Case.from_dict(self.data, folder=self.folder)

    def away(self, **options):
        options = {"inline": "peer.py:Served", "bodies": ["box"], **options}
        options = {key: value for key, value in options.items() if value is not None}
        adapters = {"load": {"type": "zeromq", **options}}
        return cosim.Case.from_dict({**self.data, "adapters": adapters}, folder=self.folder)


def same(one, other):
    """All of `other` is in `one`, to the last bit; the text of the case apart."""
    for name in set(other.variables) - {"case_text"}:
        np.testing.assert_array_equal(one[name].values, other[name].values, err_msg=name)


@pytest.fixture
def share(tmp_path):
    return lambda adapter, **options: Shared(tmp_path, adapter, **options)


def test_hydrodynamics_with_states(share):
    pair = share(HYDRO, depth=np.inf)
    count = AdapterPeer(pair.here(), "load").n_states
    assert count > 0
    away = cosim.run(pair.away(mode="evaluate", states=count))
    same(cosim.run(pair.here()), away)


def test_hydrodynamics_with_a_history(share):
    pair = share({**HYDRO, "radiation": {"method": "convolution"}}, depth=np.inf)
    away = cosim.run(pair.away(mode="evaluate", history=True))
    same(cosim.run(pair.here()), away)


@pytest.mark.parametrize("scheme", ["iterated", "explicit"])
def test_lines_in_waves(share, scheme):
    pair = share(LINES)
    pair.data["time"]["scheme"] = scheme
    away = cosim.run(pair.away(mode="advance", settles=True))
    same(cosim.run(pair.here()), away)
    assert float(away["load/line1/fairlead_tension"].min()) > 0.0


@pytest.mark.slow
def test_mooring_of_the_spar_in_a_process_of_its_own():
    """Issue: the MoorDyn adapter in a separate process, with identical results."""
    folder = ROOT / "cases" / "oc3_spar"
    here = cosim.run(cosim.read_case(folder / "case.yaml", ["time.end=5"]))
    away = cosim.run(cosim.read_case(folder / "remote_mooring.yaml", ["time.end=5"]))
    assert len(away.data_vars) > 50
    same(here, away)
    missing = set(here.variables) - set(away.variables)
    assert all(name.startswith("shape") for name in missing)  # lines are not drawn


class TestContractOfLines(AdapterContract):
    @pytest.fixture(autouse=True)
    def _tools(self, share):
        self._pair, self._options = share(LINES), {"mode": "advance"}

    def case(self):
        assembly = build(self._pair.away(**self._options))
        return ContractCase(assembly.model, assembly.adapters["load"], *assembly.model.initial())


class TestContractOfHydrodynamics(TestContractOfLines):
    @pytest.fixture(autouse=True)
    def _tools(self, share):
        self._pair = share({**HYDRO, "radiation": {"method": "convolution"}}, depth=np.inf)
        self._options = {"mode": "evaluate", "history": True}


@pytest.fixture
def listening(tmp_path):
    """Serve a peer from a thread; returns its address."""
    with ExitStack() as stack:

        def serve(peer):
            server = stack.enter_context(PeerServer(peer, f"ipc://{tmp_path}/peer"))
            thread = threading.Thread(target=server.serve)
            thread.start()
            stack.callback(thread.join, 10.0)
            stack.callback(server.stop)
            return server.endpoint

        yield serve


def test_the_second_session_gets_a_fresh_adapter(share, listening):
    """One process serves one run after the other, each from the start."""
    pair = share(LINES)
    address = listening(AdapterPeer(pair.here(), "load"))
    case = pair.away(inline=None, address=address, mode="advance", settles=True)
    same(cosim.run(pair.here()), cosim.run(case))
    same(cosim.run(pair.here()), cosim.run(case))


def test_other_water_is_refused(share):
    pair = share(LINES)
    pair.data["environment"]["water_density"] = 1000.0
    with pytest.raises(AdapterError, match=r"water_density is 1025 in the served case and 1000"):
        cosim.run(pair.away(mode="advance"))


def test_an_adapter_that_there_is_not(share):
    with pytest.raises(CaseError, match=r"has no adapter 'laod'; did you mean 'load'"):
        AdapterPeer(share(LINES).here(), "laod")


def test_the_errors_of_the_adapter_arrive(share):
    """A MoorDyn file that does not fit is told by the run that calls, with its exit code 5."""
    pair = share(LINES)
    (pair.folder / "mooring.txt").write_text(MOORING.replace("80 5 -", "2 5 -"))
    command = f"{sys.executable} -P -m cosim.cli serve served.yaml --adapter load"
    with pytest.raises(AdapterError) as caught:
        cosim.run(pair.away(inline=None, launch=command, mode="advance"))
    assert "mooring.txt" in str(caught.value) or "line" in str(caught.value)
