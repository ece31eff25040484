import math

import msgspec
import numpy as np
import pytest

from cosim.wire import Codec, Limits, VersionError, WireError, pack, unpack_reply, unpack_request
from cosim.wire.messages import (
    Abort,
    Accept,
    Advance,
    End,
    Environment,
    HelloReply,
    Initialize,
    PointName,
    Refusal,
    Reply,
    RestoreState,
    SaveState,
    Signal,
    Static,
    Update,
)

from .conftest import hello

STATE = np.arange(36.0).reshape(2, 18)


def hello_reply(**changes):
    given = {
        "version": 1,
        "name": "rotor",
        "mode": "evaluate",
        "n_states": 2,
        "history": True,
        "restorable": True,
        "static": False,
        "event": True,
        "added_mass": False,
        "max_step": math.inf,
        "inner_step": 0.01,
        "bodies": ["hub"],
        "points": [PointName("tip")],
        "channels": [Signal("pitch", "rad")],
        "outputs": [Signal("power", "W", "", "hub", "electrical power")],
        "heartbeat": "tcp://127.0.0.1:4",
        "pid": 12,
        "about": {"solver": "3.1"},
    }
    return HelloReply("hello", 3, 1, 0.5, True, "", **{**given, **changes})


def header(message, arrays=()):
    """The header of a message as a map that can be spoiled."""
    return msgspec.msgpack.decode(pack(message, arrays)[0])


def encoded(fields):
    return msgspec.msgpack.encode(fields)


def update():
    return header(Update(3, 9, 1.5), [("state", STATE)]), STATE.tobytes()


REQUESTS = [
    (hello(settings={"gain": 2.5, "list": [1, None, {"deep": "x"}]}), []),
    (Static(3, 2, 0.0), [("state", STATE)]),
    (
        Initialize(3, 2, 0.0),
        [("state", STATE), ("points", np.ones((1, 6))), ("channels", np.ones(3))],
    ),
    (Update(2**63 - 1, 9, 1.5), [("state", STATE), ("x", np.array([1e300, -5e-324]))]),
    (Accept(3, 9, -1.5), [("state", STATE)]),
    (Advance(3, 9, 1.5, t0=1.25), [("start", STATE), ("end", STATE + 1)]),
    (SaveState(3, 9, 1.5), []),
    (RestoreState(3, 9, 1.5), [("data", np.frombuffer(b"\x00\xff", np.uint8))]),
    (End(0, 9, 1.5), []),
    (Abort(3, 9, 1.5, reason="diverged"), []),
]
REPLIES = [
    (hello_reply(), []),
    (hello_reply(mode="advance"), [("apparent_mass", np.eye(6))]),
    (Refusal("hello", 3, 1, 0.0, False, "busy", version=1), []),
    (Reply("update", 3, 9, 1.5, True, ""), [("load", np.ones((2, 6))), ("mass", np.eye(12))]),
    (Reply("save_state", 3, 9, 1.5, True, ""), [("data", np.frombuffer(b"abc", np.uint8))]),
    (Reply("advance", 3, 9, 1.5, False, "it broke"), []),
]


@pytest.mark.parametrize(("message", "arrays"), REQUESTS, ids=lambda item: type(item).__name__)
def test_a_request_comes_back_as_it_was(message, arrays):
    same(message, arrays, unpack_request(pack(message, arrays)))


@pytest.mark.parametrize(("message", "arrays"), REPLIES, ids=lambda item: type(item).__name__)
def test_a_reply_comes_back_as_it_was(message, arrays):
    same(message, arrays, unpack_reply(pack(message, arrays)))


def same(message, arrays, received):
    read, read_arrays = received
    assert type(read) is type(message)
    for name in set(message.__struct_fields__) - {"arrays"}:
        assert getattr(read, name) == getattr(message, name)
    assert list(read_arrays) == [name for name, _ in arrays]
    for name, array in arrays:
        assert read_arrays[name].dtype == array.dtype
        assert not read_arrays[name].flags.writeable
        np.testing.assert_array_equal(read_arrays[name], array)


def test_frames_are_what_the_protocol_page_says():
    frames = pack(Update(5, 2, 0.5), [("state", STATE[:1])])
    assert frames[1] == STATE[:1].astype("<f8").tobytes()
    assert msgspec.msgpack.decode(frames[0]) == {
        "op": "update",
        "session": 5,
        "seq": 2,
        "t": 0.5,
        "arrays": [["state", "<f8", [1, 18]]],
    }


def test_empty_arrays_are_not_sent():
    frames = pack(Update(5, 2, 0.5), [("state", np.zeros((0, 18))), ("x", np.zeros(2))])
    assert len(frames) == 2


def test_columns_of_a_matrix_are_sent_row_by_row():
    turned = np.asfortranarray(STATE)
    assert pack(Update(5, 2, 0.5), [("state", turned)])[1] == STATE.tobytes()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_neither_sent_nor_taken(number):
    state = STATE.copy()
    state[1, 2] = number
    with pytest.raises(WireError, match=r"state\[1, 2\] is -?(nan|inf)"):
        pack(Update(3, 9, 1.5), [("state", state)])
    frames = pack(Update(3, 9, 1.5), [("state", STATE)])
    with pytest.raises(WireError, match=r"state\[1, 2\] is -?(nan|inf)"):
        unpack_request([frames[0], state.tobytes()])


def test_numbers_whose_squares_overflow_are_taken():
    state = np.full((1, 18), 1e300)
    _, arrays = unpack_request(pack(Update(3, 9, 1.5), [("state", state)]))
    np.testing.assert_array_equal(arrays["state"], state)


SPOILED = [
    ({"op": "fly"}, "op"),
    ({"session": -1}, "session"),
    ({"session": 2**63}, "session"),
    ({"session": True}, "session"),
    ({"session": 3.0}, "session"),
    ({"seq": 0}, "seq"),
    ({"seq": "9"}, "seq"),
    ({"t": math.nan}, r"\$\.t"),
    ({"t": math.inf}, r"\$\.t"),
    ({"t": None}, r"\$\.t"),
    ({"extra": 1}, "extra"),
    ({"arrays": {}}, "arrays"),
    ({"arrays": [["state", ">f8", [2, 18]]]}, "<f8|enum"),
    ({"arrays": [["state", "|u1", [288]]]}, "type"),
    ({"arrays": [["load", "<f8", [2, 18]]]}, "'load' is not expected"),
    ({"arrays": [["state", "<f8", [2, 3, 6]]]}, "arrays"),
    ({"arrays": [["state", "<f8", []]]}, "arrays"),
    ({"arrays": [["state", "<f8", [-2, -18]]]}, "arrays"),
    ({"arrays": [["state", "<f8", [0, 18]]]}, "arrays"),
    ({"arrays": [["state", "<f8", [2, 19]]]}, "304"),
    ({"arrays": [["state", "<f8", [2**40, 2**40]]]}, "at most"),
    ({"arrays": []}, "1 frames"),
    ({"arrays": [["state", "<f8", [2, 18]], ["state", "<f8", [2, 18]]]}, "twice"),
    ({"arrays": [["state", "<f8", [2, 18]]] * 17}, "at most 16"),
]


@pytest.mark.parametrize(("change", "said"), SPOILED, ids=lambda item: str(item)[:50])
def test_a_spoiled_request_is_refused(change, said):
    fields, frame = update()
    with pytest.raises(WireError, match=said):
        unpack_request([encoded({**fields, **change}), frame])


@pytest.mark.parametrize("missing", ["op", "session", "seq", "t", "arrays"])
def test_every_key_is_needed(missing):
    fields, frame = update()
    del fields[missing]
    with pytest.raises(WireError, match=f"{missing}|op|keys"):
        unpack_request([encoded(fields), frame])


def test_a_key_that_is_there_twice_is_refused():
    fields, frame = update()
    whole = encoded(fields)
    twice = bytes([whole[0] + 1]) + whole[1:] + encoded("t") + encoded(2.5)
    with pytest.raises(WireError, match="keys"):
        unpack_request([twice, frame])
    del fields["arrays"]
    short = encoded(fields)
    with pytest.raises(WireError, match="arrays"):
        unpack_request([bytes([short[0] + 1]) + short[1:] + encoded("t") + encoded(2.5)])


def test_a_setting_that_is_there_twice_is_refused():
    fields = header(hello(settings={"gain": 1}))
    one, two = (
        encoded({"gain": 1}),
        b"\x82" + encoded("gain") * 1 + b"\x01" + encoded("gain") + b"\x02",
    )
    frame = encoded(fields)
    assert one in frame
    with pytest.raises(WireError, match="twice"):
        unpack_request([frame.replace(one, two)])


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [b""],
        [b"\xc1"],
        [b"\x91" * 60000],
        [encoded([1, 2])],
        [encoded(update()[0]) + b"\x00", update()[1]],
        [encoded(update()[0])[:-1], update()[1]],
        [encoded(update()[0]), update()[1][:-8]],
        [encoded(update()[0]), update()[1], b""],
        [encoded(update()[0])],
        [bytes(65537)],
    ],
    ids=range(11),
)
def test_frames_that_are_no_message_are_refused(frames):
    with pytest.raises(WireError):
        unpack_request(frames)
    with pytest.raises(WireError):
        unpack_reply(frames)


def test_settings_hold_what_a_case_file_can():
    fields = header(hello())
    for bad in (b"raw", msgspec.msgpack.Ext(1, b"x"), {"a": [b"x"]}, {1: 2}):
        with pytest.raises(WireError, match=r"settings|a map in the header"):
            unpack_request([encoded({**fields, "settings": {"key": bad}})])
    deep = []
    for _ in range(30):
        deep = [deep]
    with pytest.raises(WireError, match="nested"):
        unpack_request([encoded({**fields, "settings": {"key": deep}})])


def test_names_are_there_once():
    with pytest.raises(WireError, match="'hub' is twice among the bodies"):
        unpack_request(pack(hello(bodies=["hub", "hub"])))
    with pytest.raises(WireError, match="'pitch' is twice among the channels"):
        unpack_reply(pack(hello_reply(channels=[Signal("pitch", "rad")] * 2)))


def test_another_version_is_named_whatever_its_header_is():
    fields = {**header(hello()), "version": 2, "novelty": []}
    with pytest.raises(VersionError, match=r"version 2 .* version 1"):
        unpack_request([encoded(fields)])
    fields = {**header(hello_reply()), "version": 2, "novelty": []}
    with pytest.raises(VersionError, match=r"version 2 .* version 1"):
        unpack_reply([encoded(fields)])


def test_a_refusal_by_another_version_is_read():
    fields = {"re": "hello", "session": 3, "seq": 1, "t": 0.0, "ok": False, "error": "no"}
    reply, _ = unpack_reply([encoded({**fields, "version": 2, "novelty": [], "arrays": []})])
    assert isinstance(reply, Refusal)
    assert (reply.version, reply.error, reply.session) == (2, "no", 3)


def test_an_accepted_hello_says_everything():
    for name in hello_reply().__struct_fields__:
        fields = header(hello_reply())
        del fields[name]
        with pytest.raises(WireError):
            unpack_reply([encoded(fields)])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mode": "both"}, "mode"),
        ({"n_states": -1}, "n_states"),
        ({"max_step": 0.0}, "max_step"),
        ({"max_step": math.nan}, "max_step"),
        ({"inner_step": math.inf}, "inner_step"),
        ({"history": 1}, "history"),
        ({"channels": [{"name": "pitch"}]}, "units"),
        ({"outputs": [{"name": "", "units": "m"}]}, "name"),
        ({"about": {"a": 1}}, "about"),
    ],
)
def test_a_spoiled_reply_to_hello_is_refused(change, said):
    with pytest.raises(WireError, match=said):
        unpack_reply([encoded({**header(hello_reply()), **change})])


def test_an_error_says_something_and_only_an_error():
    fields = header(Reply("update", 3, 9, 1.5, False, "it broke"))
    with pytest.raises(WireError, match="says nothing"):
        unpack_reply([encoded({**fields, "error": ""})])
    with pytest.raises(WireError, match="has an 'error'"):
        unpack_reply([encoded({**fields, "ok": True})])


def test_depth_may_be_infinite_and_nothing_else():
    def where(**changes):
        depth = {"gravity": 9.81, "water_density": 1025.0, "water_depth": math.inf, **changes}
        return [encoded({**header(hello()), "environment": depth})]

    assert unpack_request(where())[0].environment == Environment(9.81, 1025.0, math.inf)
    for name, value in (("gravity", math.inf), ("water_density", -1.0), ("water_depth", 0.0)):
        with pytest.raises(WireError, match=name):
            unpack_request(where(**{name: value}))


def test_sizes_are_limited():
    small = Codec(Limits(header=100, message=800, arrays=1))
    with pytest.raises(WireError, match="at most 800 bytes"):
        small.pack(Update(3, 9, 1.5), [("state", np.zeros((6, 18)))])
    with pytest.raises(WireError, match="at most 1 arrays"):
        small.pack(Update(3, 9, 1.5), [("state", STATE), ("x", np.zeros(1))])
    with pytest.raises(WireError, match="at most 100 bytes"):
        small.pack(Abort(3, 9, 1.5, reason="x" * 200))
    with pytest.raises(WireError, match="at most 800 bytes"):
        small.unpack_request(pack(Update(3, 9, 1.5), [("state", np.zeros((6, 18)))]))


def test_many_different_descriptions_are_forgotten_again():
    codec = Codec()
    for n in range(1, 300):
        frames = codec.pack(Update(3, 9, 1.5), [("x", np.zeros(n))])
        assert codec.unpack_request(frames)[1]["x"].shape == (n,)
    assert sum(map(len, codec._requests.values())) <= 65
    assert len(codec._writings) <= 65
