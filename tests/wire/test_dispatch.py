import math

import numpy as np
import pytest

from cosim.wire import Codec, Dispatcher, Loads, Peer, Signal
from cosim.wire.messages import (
    Abort,
    Accept,
    Advance,
    End,
    HelloReply,
    Initialize,
    Refusal,
    RestoreState,
    SaveState,
    Static,
    Update,
)

from .conftest import SESSION, STATE, Damper, hello

S = [("state", STATE)]
ENDS = [("start", STATE), ("end", STATE + 1.0)]


class Whole(Peer):
    """A peer in mode evaluate that has everything."""

    name = "whole"
    n_states = 2
    history = restorable = static = event = added_mass = True
    channels = (Signal("wind", "m/s"),)
    outputs = (Signal("power", "W"), Signal("torque", "N m"))

    def __init__(self):
        self.latched = 0
        self.ended = 0

    def configure(self, setup):
        self.setup = setup

    def initialize(self, at):
        self.x0, self.x_scale = [1.0, 2.0], [0.1, 0.2]

    def update(self, at):
        k = len(at.r)
        return Loads(
            wrenches=np.full((k, 6), at.channels[0] + self.latched),
            at_points=-at.points,
            added_mass=np.eye(6 * k),
            x_dot=-at.x,
            event=at.t - 1.0,
            outputs=[1, 2],
        )

    def accept(self, at):
        self.latched += 1

    def static_loads(self, at):
        return Loads(wrenches=at.v)

    def save_state(self):
        return bytes([self.latched])

    def restore_state(self, state):
        self.latched = state[0]

    def end(self):
        self.ended += 1


class Lines(Peer):
    """A peer in mode advance."""

    name = "lines"
    mode = "advance"
    restorable = True
    inner_step = 0.01
    outputs = (Signal("tension", "N"),)

    def __init__(self):
        self.travelled = 0.0

    def loads_now(self):
        return Loads(wrenches=np.zeros((1, 6)), outputs=[self.travelled])

    def advance(self, step):
        self.travelled += step.end.r[0, 0] - step.start.r[0, 0]
        return Loads(wrenches=np.full((1, 6), self.travelled), outputs=[self.travelled])

    def save_state(self):
        return np.float64(self.travelled).tobytes()

    def restore_state(self, state):
        self.travelled = float(np.frombuffer(state)[0])


class Host:
    """Sends requests of one session, through frames and back."""

    def __init__(self, peer, session=SESSION):
        self.dispatcher = peer if isinstance(peer, Dispatcher) else Dispatcher(peer)
        self.session = session
        self.codec = Codec()
        self.seq = 0

    def send(self, request, arrays=()):
        """The frames of the answer."""
        read = self.codec.unpack_request(self.codec.pack(request, arrays))
        answer = self.dispatcher.handle(*read)
        return None if answer is None else self.codec.pack(*answer)

    def call(self, kind, arrays=(), *, t=0.0, **more):
        self.seq += 1
        reply, received = self.codec.unpack_reply(
            self.send(kind(self.session, self.seq, t, **more), arrays)
        )
        assert (reply.session, reply.seq, reply.t) == (self.session, self.seq, t)
        return reply, received

    def hello(self, **changes):
        self.seq = 1
        return self.codec.unpack_reply(self.send(hello(self.session, **changes)))[0]

    def fails(self, kind, arrays=(), **more):
        reply, received = self.call(kind, arrays, **more)
        assert not reply.ok
        assert not received
        return reply.error


def started(peer, arrays=S, **changes):
    host = Host(peer)
    reply = host.hello(**changes)
    assert reply.ok, reply.error
    reply, _ = host.call(Initialize, arrays)
    assert reply.ok, reply.error
    return host


WIND = [("channels", np.array([3.0]))]
POINT = [("points", np.arange(6.0).reshape(1, 6))]


def test_hello_tells_what_the_peer_is():
    peer = Whole()
    reply = Host(peer).hello(points=["tip"], channels=["wind", "rain"], settings={"gain": 2})
    assert isinstance(reply, HelloReply)
    assert (reply.name, reply.mode, reply.n_states) == ("whole", "evaluate", 2)
    has = (reply.history, reply.restorable, reply.static, reply.event, reply.added_mass)
    assert has == (True,) * 5
    assert reply.bodies == ["buoy"]
    assert [point.name for point in reply.points] == ["tip"]
    assert reply.channels == [Signal("wind", "m/s")]
    assert [signal.name for signal in reply.outputs] == ["power", "torque"]
    assert reply.max_step == math.inf
    setup = peer.setup
    assert (setup.bodies, setup.points, setup.channels) == (("buoy",), ("tip",), ("wind",))
    assert (setup.gravity, setup.water_density, setup.water_depth) == (9.81, 1025.0, math.inf)
    assert (setup.start, setup.end, setup.run) == (0.0, 10.0, "trial")
    assert setup.settings == {"gain": 2}


def test_a_life_in_order():
    peer = Whole()
    host = Host(peer)
    host.hello(points=["tip"])
    _, arrays = host.call(Static, S)
    np.testing.assert_array_equal(arrays["load"], STATE[:, 12:])
    _, arrays = host.call(Initialize, S + POINT + WIND)
    np.testing.assert_array_equal(arrays["x"], [1.0, 2.0])
    np.testing.assert_array_equal(arrays["x_scale"], [0.1, 0.2])
    np.testing.assert_array_equal(arrays["x_dot"], [-1.0, -2.0])
    trial = [*S, *POINT, *WIND, ("x", np.array([4.0, 5.0]))]
    _, arrays = host.call(Update, trial, t=0.25)
    assert set(arrays) == {"load", "point_load", "mass", "x_dot", "event", "outputs"}
    np.testing.assert_array_equal(arrays["x_dot"], [-4.0, -5.0])
    np.testing.assert_array_equal(arrays["point_load"], -POINT[0][1])
    np.testing.assert_array_equal(arrays["event"], [-0.75])
    _, arrays = host.call(Accept, trial, t=0.25)
    np.testing.assert_array_equal(arrays["load"], np.full((1, 6), 4.0))
    _, arrays = host.call(SaveState)
    assert arrays["data"].tobytes() == b"\x01"
    host.call(Accept, trial, t=0.5)
    host.call(RestoreState, [("data", arrays["data"])])
    assert peer.latched == 1
    assert host.call(End)[0].ok
    assert peer.ended == 1
    assert host.dispatcher.ended


def test_advance_and_back():
    host = started(Lines())
    _, saved = host.call(SaveState)
    _, first = host.call(Advance, ENDS, t=0.5, t0=0.0)
    np.testing.assert_array_equal(first["load"], np.ones((1, 6)))
    host.call(RestoreState, [("data", saved["data"])])
    _, again = host.call(Advance, ENDS, t=0.5, t0=0.0)
    assert {name: array.tobytes() for name, array in first.items()} == {
        name: array.tobytes() for name, array in again.items()
    }


def test_a_step_as_a_curve():
    class Middle(Lines):
        def advance(self, step):
            at = step.motion().at(0.25)
            self.at = at
            return Loads(wrenches=np.zeros((1, 6)), outputs=[at.r[0, 0]])

    state = np.zeros((1, 18))
    state[0, 3:12] = np.eye(3).ravel()
    later = state.copy()
    later[0, 0] = 1.0
    peer = Middle()
    host = started(peer, [("state", state)])
    _, arrays = host.call(Advance, [("start", state), ("end", later)], t=0.5, t0=0.0)
    assert arrays["outputs"][0] == pytest.approx(0.5, abs=1e-15)
    np.testing.assert_allclose(peer.at.R[0], np.eye(3), atol=1e-15)


def test_update_may_be_repeated():
    host = started(Damper())
    replies = [host.call(Update, S, t=0.5)[1] for _ in range(3)]
    assert len({arrays["load"].tobytes() for arrays in replies}) == 1


def test_a_request_sent_again_is_answered_from_the_kept_reply():
    peer = Damper()
    host = started(peer)
    request = Update(SESSION, 3, 0.5)
    first = host.send(request, S)
    assert host.send(request, S) == first
    assert peer.calls == [0.0, 0.5]
    assert host.send(End(SESSION, 4, 0.5)) == host.send(End(SESSION, 4, 0.5))
    assert peer.calls == [0.0, 0.5, "end"]


def test_a_kept_reply_does_not_change_with_the_peer():
    class Reusing(Damper):
        load = np.zeros((1, 6))

        def update(self, at):
            self.load[:] = at.t
            return Loads(wrenches=self.load, added_mass=np.eye(6))

    peer = Reusing()
    host = started(peer)
    request = Update(SESSION, 3, 0.5)
    first = host.send(request, S)
    peer.load[:] = 9.0
    assert host.send(request, S) == first


def test_a_repeated_hello_configures_once():
    peer = Whole()
    host = Host(peer)
    first = host.send(hello())
    peer.setup = None
    assert host.send(hello()) == first
    assert peer.setup is None


def test_a_repeated_number_means_the_same_request():
    host = started(Damper())
    host.send(Update(SESSION, 3, 0.5), S)
    reply, _ = host.codec.unpack_reply(host.send(Update(SESSION, 3, 0.6), S))
    assert "repeated with another operation or time" in reply.error
    assert host.codec.unpack_reply(host.send(Update(SESSION, 3, 0.5), S))[0].ok


def test_a_gap_is_refused_and_changes_nothing():
    peer = Damper()
    host = started(peer)
    reply, _ = host.codec.unpack_reply(host.send(Update(SESSION, 5, 0.5), S))
    assert reply.error == "request 5 came after 2: those between are missing"
    assert peer.calls == [0.0]
    assert host.codec.unpack_reply(host.send(Update(SESSION, 3, 0.5), S))[0].ok


def test_a_request_of_the_past_is_ignored():
    host = started(Damper())
    host.call(Update, S, t=0.5)
    assert host.send(Initialize(SESSION, 2, 0.0), S) is None


def test_one_session_at_a_time():
    dispatcher = Dispatcher(Damper())
    first = started(dispatcher)
    other = Host(dispatcher, session=8)
    reply = other.hello()
    assert isinstance(reply, Refusal)
    assert reply.error == "busy with run 'trial'"
    assert "not open" in other.fails(Update, S)
    assert first.call(Update, S)[0].ok
    first.call(End)
    other.seq = 0
    assert other.hello().ok


def test_an_abort_of_somebody_else_is_ignored():
    peer = Damper()
    host = started(peer)
    assert host.send(Abort(8, 1, 0.0, reason="mine")) is None
    assert host.call(Update, S)[0].ok
    assert host.send(Abort(SESSION, 99, 0.0, reason="diverged")) is None
    assert peer.calls[-1] == "end"
    assert host.dispatcher.session is None


def test_a_session_that_is_lost_ends_the_peer_once():
    peer = Damper()
    host = started(peer)
    host.dispatcher.close("gone")
    host.dispatcher.close("gone")
    assert peer.calls.count("end") == 1
    assert "not open" in host.fails(Update, S)


@pytest.mark.parametrize(
    ("kind", "arrays", "more"),
    [
        (Update, S, {}),
        (Accept, S, {}),
        (SaveState, [], {}),
        (RestoreState, [], {}),
    ],
)
def test_nothing_before_initialize(kind, arrays, more):
    host = Host(Whole())
    host.hello()
    assert host.fails(kind, arrays, **more) == f"{kind(0, 1, 0.0).op} cannot come before initialize"


def test_order_of_life():
    host = Host(Damper())
    assert "the first request is hello" in host.fails(Update, S)
    assert (
        "hello has the number 1"
        in host.codec.unpack_reply(host.send(hello(9).__class__(**{**fields(hello(9)), "seq": 2})))[
            0
        ].error
    )
    host = started(Whole(), S + WIND)
    assert host.fails(Initialize, S + WIND) == "initialize cannot come after initialize"
    assert host.fails(Static, S) == "static cannot come after initialize"
    host.seq += 1
    again = hello(SESSION).__class__(**{**fields(hello(SESSION)), "seq": host.seq})
    assert "once in a session" in host.codec.unpack_reply(host.send(again))[0].error


def fields(message):
    return {name: getattr(message, name) for name in message.__struct_fields__}


def test_what_a_peer_has_not_is_refused():
    damper, lines = started(Damper()), started(Lines())
    assert "'damper', in mode 'evaluate', has no accept" in damper.fails(Accept, S)
    assert "has no advance" in damper.fails(Advance, ENDS, t=1.0, t0=0.0)
    assert "has no save_state" in damper.fails(SaveState)
    assert "'lines', in mode 'advance', has no update" in lines.fails(Update, S)
    host = Host(Damper())
    host.hello()
    assert "has no static" in host.fails(Static, S)


def test_arrays_of_the_session_and_no_others():
    host = started(Damper())
    assert "'state' (1, 18) is missing" in host.fails(Update)
    assert "shape (2, 18), not (1, 18)" in host.fails(Update, [("state", np.zeros((2, 18)))])
    assert "'x' is not expected" in host.fails(Update, [*S, ("x", np.zeros(1))])
    assert host.call(Update, S)[0].ok


def test_a_step_goes_forward():
    host = started(Lines())
    assert "forward" in host.fails(Advance, ENDS, t=0.5, t0=0.5)


@pytest.mark.parametrize(
    ("loads", "said"),
    [
        (Loads(), "update returned neither wrenches nor at_points"),
        (None, "update returned a NoneType, not Loads"),
        (Loads(wrenches=np.zeros(6)), r"wrenches of update have the shape (6,), not (1, 6)"),
        (Loads(wrenches=[[0, 0, math.nan, 0, 0, 0]]), "wrenches of update[0, 2] is nan"),
        (Loads(wrenches=[["1"] * 6]), "wrenches of update are no real numbers"),
        (Loads(wrenches=[[1.0], [1.0, 2.0]]), "wrenches of update are not numbers"),
        (Loads(wrenches=np.zeros((1, 6), complex)), "are no real numbers, but complex128"),
        (Loads(wrenches=[[None] * 6]), "wrenches of update are no real numbers"),
        (Loads(wrenches=np.zeros((1, 6))), "update returned no added_mass: (6, 6) is announced"),
        (
            Loads(wrenches=np.zeros((1, 6)), added_mass=np.full((6, 6), np.inf)),
            "added_mass of update[0, 0] is inf",
        ),
        (
            Loads(wrenches=np.zeros((1, 6)), added_mass=np.eye(6), x_dot=[1.0]),
            "update returned x_dot, and none are announced",
        ),
        (
            Loads(wrenches=np.zeros((1, 6)), added_mass=np.eye(6), event=0.0),
            "update returned event, and none are announced",
        ),
    ],
)
def test_bad_loads_are_named_and_not_sent(loads, said):
    class Bad(Damper):
        def update(self, at):
            return super().update(at) if at.t == 0.0 else loads

    host = started(Bad())
    assert said in host.fails(Update, S, t=1.0)
    assert host.call(Update, S, t=0.0)[0].ok


def test_an_exception_becomes_a_sentence(caplog):
    class Broken(Damper):
        def update(self, at):
            if at.t > 0.0:
                raise ZeroDivisionError("no\nspeed\x1b[2J")
            return super().update(at)

    host = started(Broken())
    line = Broken.update.__code__.co_firstlineno + 2
    expected = f"ZeroDivisionError: no speed [2J (test_dispatch.py, line {line})"
    assert host.fails(Update, S, t=1.0) == expected
    assert "Traceback" in caplog.text
    assert host.call(Update, S, t=0.0)[0].ok


def test_a_peer_that_fails_to_start():
    class Fails(Damper):
        def configure(self, setup):
            raise KeyError(setup.settings["gain"])

    host = Host(Fails())
    reply = host.hello()
    assert isinstance(reply, Refusal)
    assert reply.error.startswith("KeyError: 'gain'")
    assert host.dispatcher.session is None
    assert host.send(Abort(SESSION, 2, 0.0, reason="refused")) is None
    assert host.dispatcher.ended


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mode": "both"}, "mode"),
        ({"n_states": -1}, "n_states"),
        ({"n_states": 1.5}, "n_states"),
        ({"history": True}, "needs save_state"),
        ({"event": 1}, "event"),
        ({"max_step": 0}, "max_step"),
        ({"name": ""}, "name"),
        ({"outputs": ["power"]}, "outputs"),
        ({"outputs": [Signal("a", "1"), Signal("a", "1")]}, "twice"),
        ({"mode": "advance", "n_states": 1}, "own clock"),
        ({"apparent_mass": np.eye(3)}, "apparent_mass have the shape (3, 3), not (6, 6)"),
        ({"bodies": ["hull"]}, "has the bodies hull, and the case gives buoy"),
        ({"points": ["tip"]}, "has the points tip, and the case gives none"),
    ],
)
def test_a_peer_that_contradicts_itself_is_refused(changes, said):
    peer = Damper()
    for name, value in changes.items():
        setattr(peer, name, value)
    reply = Host(peer).hello()
    assert isinstance(reply, Refusal)
    assert said in reply.error


def test_numbers_of_numpy_are_numbers():
    peer = Damper()
    peer.n_states, peer.max_step, peer.static = np.int64(2), np.float64(0.1), np.bool_(True)
    reply = Host(peer).hello()
    assert (reply.n_states, reply.max_step, reply.static) == (2, 0.1, True)


def test_order_of_the_peer_is_told():
    peer = Damper()
    peer.bodies = ("b", "a")
    assert Host(peer).hello(bodies=["a", "b"]).bodies == ["b", "a"]


def test_states_need_a_start_and_scales():
    class Peerless(Whole):
        def initialize(self, at):
            self.x0, self.x_scale = [1.0, 2.0], [0.1, 0.0]

    host = Host(Peerless())
    host.hello()
    assert "x_scale must be positive" in host.fails(Initialize, S + WIND)


def test_a_peer_that_loads_points_only():
    class Hub(Peer):
        def update(self, at):
            return Loads(at_points=-at.points)

    host = Host(Hub())
    host.hello(bodies=[], points=["hub"])
    _, arrays = host.call(Initialize, POINT)
    np.testing.assert_array_equal(arrays["point_load"], -POINT[0][1])


def test_instants_are_read_only():
    class Writing(Damper):
        def update(self, at):
            at.v[:] = 0.0
            return super().update(at)

    host = Host(Writing())
    host.hello()
    assert "read-only" in host.fails(Initialize, S)


def test_sessions_follow_each_other():
    dispatcher = Dispatcher(Damper())
    for session in range(3):
        host = Host(dispatcher, session)
        assert host.hello().ok
        assert host.call(Initialize, S)[0].ok
        assert host.call(End)[0].ok
