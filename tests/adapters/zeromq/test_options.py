"""The keys of an adapter: what they mean, and what is refused with a sentence."""

import sys

import pytest

import cosim
from adapters.zeromq.adapter import AdvancePeer, EvaluatePeer, RestorableAdvancePeer, ZeroMQAdapter
from adapters.zeromq.options import ZeroMQOptions
from cosim.case.build import build
from cosim.errors import CaseError, ModelError


def options(folder=".", **keys):
    keys = {"mode": "evaluate", "bodies": ["buoy"], **keys}
    return ZeroMQOptions.model_validate(keys, context={"folder": str(folder)})


def case(**keys):
    return cosim.Case.from_dict(
        {
            "bodies": {
                "buoy": {
                    "mass": 1,
                    "cog": [0, 0, 0],
                    "inertia": [1, 1, 1],
                    "points": {"hub": [0] * 3},
                }
            },
            "joints": {"free": {"type": "floating", "child": "buoy"}},
            "adapters": {
                "rotor": {"type": "zeromq", "mode": "evaluate", "bodies": ["buoy"]} | keys
            },
            "earth_points": {"gauge": [0, 0, 0]},
            "time": {"end": 1},
        }
    )


def test_words_that_name_a_file_beside_the_case_become_absolute(tmp_path):
    (tmp_path / "rotor.py").write_text("")
    command = options(tmp_path, launch="{python} rotor.py --table 'a b.csv' -v").launch
    assert command == (sys.executable, str(tmp_path / "rotor.py"), "--table", "a b.csv", "-v")
    assert options(tmp_path, launch=["x", "rotor.py"]).launch == ("x", str(tmp_path / "rotor.py"))


def test_an_inline_peer_is_a_class_of_a_file_beside_the_case(tmp_path):
    (tmp_path / "rotor.py").write_text("")
    assert options(tmp_path, inline="rotor.py:Rotor").inline == f"{tmp_path}/rotor.py:Rotor"
    assert options(tmp_path, inline="package.rotor:Rotor").inline == "package.rotor:Rotor"


def test_names_of_the_peer_and_of_the_case():
    given = options(address="ipc:///x", bodies={"a": "buoy"}, points={"hub": "buoy/hub"})
    assert given.peer_bodies == (("a", "buoy"),)
    assert given.peer_points == (("hub", "buoy/hub"),)
    assert options(address="ipc:///x", points=["buoy/hub"]).peer_points == (
        ("buoy/hub", "buoy/hub"),
    )


def test_settings_may_use_parameters():
    given = {"a": "=2*c", "b": [1, "=c"], "d": {"e": "=c/2", "f": "text", "g": None}}
    keys = {"mode": "evaluate", "bodies": ["buoy"], "launch": "x", "settings": given}
    valid = ZeroMQOptions.model_validate(keys, context={"parameters": {"c": 3.0}, "folder": "."})
    assert valid.settings == {"a": 6.0, "b": [1, 3.0], "d": {"e": 1.5, "f": "text", "g": None}}


def test_this_machine_is_not_looked_up():
    assert options(address="tcp://localhost:5555").address == "tcp://127.0.0.1:5555"


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "tcp://127.9.9.9:1", "tcp://[::1]:1", "ipc:///tmp/x"]
)
def test_addresses_of_this_machine_need_no_keys(address):
    assert options(address=address).curve is None


def test_other_machines_need_keys_or_a_word(tmp_path):
    keys = {"server_key": "peer.key", "key": "host.key_secret"}
    given = options(tmp_path, address="tcp://solver:5555", curve=keys)
    assert given.curve.key == tmp_path / "host.key_secret"
    assert options(address="tcp://10.0.0.1:5555", insecure=True).insecure


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({}, "one of 'launch', 'address' and 'inline'$"),
        ({"address": "ipc:///x", "launch": "x"}, "not 'launch' and 'address'"),
        ({"launch": ""}, "launch"),
        ({"launch": "'"}, "No closing quotation"),
        ({"inline": "rotor"}, "'inline' is 'file.py:Class'"),
        ({"inline": "no.py:Rotor"}, "there is no file .*no.py"),
        ({"address": "http://x"}, "no endpoint"),
        ({"address": "tcp://127.0.0.1:99999"}, "no endpoint"),
        ({"address": "tcp://127.0.0.1:*"}, "names no port"),
        ({"address": "tcp://127.0.0.1"}, "no endpoint"),
        ({"address": "tcp://solver:5555"}, "not on this machine"),
        ({"address": "tcp://0.0.0.0:5555"}, "not on this machine"),
        ({"address": "ipc:///x", "transport": "tcp"}, "'transport' belongs to 'launch'"),
        ({"launch": "x", "insecure": True}, "'insecure' belongs to 'address'"),
        ({"launch": "x", "mode": "advance", "states": 1}, "'states' belongs to mode: evaluate"),
        ({"launch": "x", "restorable": False}, "'restorable' belongs to mode: advance"),
        ({"launch": "x", "bodies": []}, "bodies"),
        ({"launch": "x", "deadlines": {"reply": 0}}, "reply"),
        ({"launch": "x", "settings": {"c": "=k"}}, "settings: .*unknown parameter 'k'"),
        ({"launch": "x", "mod": "evaluate"}, "unknown key 'mod'; did you mean 'mode'"),
    ],
)
def test_what_cannot_be_is_a_sentence_about_the_adapter(keys, text):
    with pytest.raises(CaseError, match=text) as caught:
        build(case(**keys))
    assert "adapters.rotor" in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"bodies": ["bouy"]}, "no body 'bouy'; did you mean 'buoy'"),
        ({"bodies": ["buoy", "buoy"]}, "'buoy' stands twice"),
        ({"points": ["buoy/hup"]}, "no point 'buoy/hup'; did you mean 'buoy/hub'"),
        ({"points": ["earth/gauge"]}, "'earth/gauge' is on no body"),
    ],
)
def test_bodies_and_points_must_be_there(keys, text):
    with pytest.raises(ModelError, match=f"adapter 'rotor': .*{text}"):
        build(case(launch="x", **keys))


def test_a_point_of_another_body_says_which_to_add(model):
    wrong = options(launch="x", points=["float/end"])
    with pytest.raises(ModelError, match=r"add it to 'bodies' \(\[buoy, float\]\)"):
        ZeroMQAdapter.create(model, "rotor", wrong)


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        ({}, EvaluatePeer),
        ({"mode": "advance"}, RestorableAdvancePeer),
        ({"mode": "advance", "restorable": False}, AdvancePeer),
    ],
)
def test_the_case_says_of_which_kind_it_is(keys, kind):
    assembly = build(case(launch="nothing is started", on_peer_loss="restart", **keys))
    adapter = assembly.adapters["rotor"]
    assert type(adapter) is kind
    assert adapter.on_loss == "restart"
    adapter.end()
