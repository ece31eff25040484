"""Rules of the wait, with a clock and a connection that the test moves."""

import numpy as np
import pytest

from adapters.zeromq import vigil
from adapters.zeromq.beat import Heartbeat
from adapters.zeromq.link import Errand
from adapters.zeromq.options import Deadlines
from adapters.zeromq.vigil import Subject, Vigil
from cosim.errors import AdapterError, AdapterTimeout, PeerLostError


class Line:
    """A connection that stands."""

    made, broken, refused = 1, 0, False

    @property
    def is_up(self):
        return self.made > self.broken

    def look(self): ...


class Echo:
    """A socket that sends back what it gets, or not."""

    def __init__(self):
        self.kept, self.alive = [], True

    def send(self, frame, flags):
        self.kept.append(frame)

    def recv(self, flags):
        import zmq

        if not (self.alive and self.kept):
            raise zmq.Again
        return self.kept.pop()


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(vigil.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def watch(clock):
    def start(endpoint="ipc:///x", *, beat=None, name="peer", **deadlines):
        line, sent = Line(), []
        subject = Subject("rotor", endpoint, Deadlines(**deadlines), line, None, False, beat, name)
        errand = Errand("update", 2.0)
        return Vigil(subject, errand, lambda: sent.append(1), waited=0.05), line, sent

    return start


def look_for(vigil, clock, seconds, step=0.05):
    for _ in range(int(np.ceil(seconds / step))):
        clock[0] += step
        vigil.look()


def test_an_answer_may_take_as_long_as_its_deadline(watch, clock):
    one, _, _ = watch(reply=20)
    look_for(one, clock, 19.9)
    with pytest.raises(AdapterTimeout, match=r"'update' within 20 s \(it has no heartbeat to tell"):
        look_for(one, clock, 0.2)


def test_the_first_answer_has_a_deadline_of_its_own(watch, clock):
    one, _, _ = watch(name="", connect=3)
    with pytest.raises(AdapterTimeout, match="nothing has answered at ipc:///x within 3 s"):
        look_for(one, clock, 3.1)


def test_silence_is_told_from_a_long_computation(watch, clock):
    echo = Echo()
    one, _, _ = watch(beat=Heartbeat(echo, 5.0))
    look_for(one, clock, 60.0)
    echo.alive = False
    look_for(one, clock, 4.0)
    with pytest.raises(PeerLostError, match=r"heartbeat for 5\.0 s"):
        look_for(one, clock, 2.5)


def test_time_in_which_this_process_was_stopped_does_not_count(watch, clock):
    echo = Echo()
    one, _, _ = watch(beat=Heartbeat(echo, 5.0), reply=20)
    look_for(one, clock, 2.0)
    echo.alive = False
    clock[0] += 3600.0
    one.look()
    echo.alive = True
    look_for(one, clock, 10.0)


def test_a_connection_that_comes_back_gets_the_request_again(watch, clock):
    one, line, sent = watch()
    one.look()
    line.broken = 1
    look_for(one, clock, 0.4)
    line.made = 2
    look_for(one, clock, 5.0)
    assert len(sent) == 1


def test_one_that_stays_away_is_lost(watch, clock):
    one, line, _ = watch()
    line.broken = 1
    with pytest.raises(PeerLostError, match=r"peer 'peer' \(ipc:///x\) closed the connection"):
        look_for(one, clock, 0.7)


def test_another_machine_has_the_time_of_a_heartbeat_to_come_back(watch, clock):
    one, line, _ = watch("tcp://10.0.0.1:5555", heartbeat=5)
    line.broken = 1
    look_for(one, clock, 4.9)
    with pytest.raises(PeerLostError):
        look_for(one, clock, 0.3)


def test_a_connection_that_breaks_again_and_again_is_given_up(watch, clock):
    one, line, sent = watch()
    for _ in range(3):
        line.broken, line.made = line.made, line.made + 1
        look_for(one, clock, 0.1)
    assert len(sent) == 3
    line.broken, line.made = line.made, line.made + 1
    with pytest.raises(PeerLostError, match=r"broke the connection 4 times .* above 64 MiB"):
        one.look()


def test_a_connection_that_is_refused_says_what_to_look_at(watch, clock):
    one, line, _ = watch(name="")
    line.refused = True
    with pytest.raises(AdapterError, match=r"does not accept the connection: it may want keys"):
        one.look()
