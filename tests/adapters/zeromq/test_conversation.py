"""Numbers of requests and answers; what a peer may not answer."""

import numpy as np
import pytest

from adapters.zeromq.conversation import Conversation
from adapters.zeromq.link import Link
from cosim.errors import AdapterError, ProtocolError
from cosim.wire import Codec, Dispatcher
from cosim.wire.messages import Refusal, Reply, Update

from ...wire.conftest import Damper, hello

CODEC = Codec()


class Scripted(Link):
    """Answers with what the test says; each answer is a function of the request."""

    description = "the peer"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.sent = []
        self.closed = []

    def send(self, frames, errand):
        self.sent.append(CODEC.unpack_request(frames)[0])

    def receive(self):
        answer = self.answers.pop(0)(self.sent[-1])
        return answer if isinstance(answer, list) else CODEC.pack(*answer)

    def greeted(self, heartbeat, name): ...

    def post(self, frames):
        self.sent.append(CODEC.unpack_request(frames)[0])

    def abort(self):
        self.closed.append("abort")

    def close(self, *, keep, grace=0.0):
        self.closed.append(("close", keep))


def answer(request, load=1.0, **changes):
    keys = {"session": request.session, "seq": request.seq, "t": request.t, "re": request.op}
    keys |= {name: change(keys[name]) for name, change in changes.items()}
    arrays = [] if load is None else [("load", np.full((1, 6), load))]
    return Reply(keys["re"], keys["session"], keys["seq"], keys["t"], True, ""), arrays


def talk(*answers):
    link = Scripted(*answers)
    return Conversation(link, adapter="rotor"), link


def ask(conversation, t=2.0):
    request = Update(conversation.number, conversation.next_seq, t)
    state = np.zeros((1, 18))
    return conversation.ask(request, [("state", state)], lambda found: None)["load"][0, 0]


def test_requests_are_numbered_and_answers_matched():
    conversation, link = talk(answer, lambda r: answer(r, 2.0))
    assert [ask(conversation), ask(conversation)] == [1.0, 2.0]
    assert [request.seq for request in link.sent] == [1, 2]
    assert {request.session for request in link.sent} == {conversation.number}


def test_answers_that_come_twice_or_to_others_are_dropped():
    conversation, _ = talk(
        answer,
        lambda r: answer(r, 7.0, seq=lambda n: n - 1),
        lambda r: answer(r, 8.0, session=lambda n: (n + 1) % 2**63),
        lambda r: answer(r, 3.0),
    )
    assert [ask(conversation), ask(conversation)] == [1.0, 3.0]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda r: answer(r, seq=lambda n: n + 1), "answered 'update' number 2 at t = 2 s"),
        (lambda r: answer(r, t=lambda t: 1.0), "number 1 at t = 1 s to 'update' number 1 at t = 2"),
        (lambda r: answer(r, None, re=lambda op: "end"), "answered 'end' number 1"),
        (lambda r: [b"\xff"], "breaks the protocol: its answer to 'update'"),
        (lambda r: CODEC.pack(*answer(r))[:1], "describes 1 arrays, and 0 frames follow"),
    ],
)
def test_what_is_no_answer_ends_the_conversation(wrong, text):
    conversation, link = talk(wrong)
    with pytest.raises(ProtocolError, match=f"'rotor' at t = 2 s: the peer .*{text}"):
        ask(conversation)
    conversation.end()
    assert link.closed == [("close", True)]
    assert len(link.sent) == 1


def test_a_peer_that_talks_without_end_is_not_listened_to():
    conversation, _ = talk(*[lambda r: answer(r, session=lambda n: 0)] * 1001)
    with pytest.raises(ProtocolError, match="1000 messages came that are no answer"):
        ask(conversation)


def test_a_refusal_is_the_error_and_the_conversation_goes_on():
    def refuse(request):
        return Reply("update", request.session, request.seq, request.t, False, "no wind"), []

    conversation, link = talk(refuse, answer, lambda r: answer(r, None))
    with pytest.raises(AdapterError, match="'rotor' at t = 2 s: the peer: no wind"):
        ask(conversation)
    assert ask(conversation) == 1.0
    conversation.end()
    conversation.end()
    assert link.closed == [("close", True)]


def test_numbers_that_are_not_finite_are_not_sent():
    conversation, link = talk(answer)
    request = Update(conversation.number, conversation.next_seq, 2.0)
    with pytest.raises(AdapterError, match=r"cannot send 'update': state\[0, 0\] is nan"):
        conversation.ask(request, [("state", np.full((1, 18), np.nan))], lambda found: None)
    assert not link.sent
    assert ask(conversation) == 1.0


def test_numbers_too_large_for_a_header_are_not_sent():
    conversation, link = talk()
    with pytest.raises(AdapterError, match="cannot send 'hello': a number in the header"):
        conversation.hello(hello(settings={"n": 2**70}))
    assert not link.sent


def test_a_busy_peer_is_asked_again(monkeypatch):
    def busy(request):
        text = "busy with run 'spar'"
        return Refusal("hello", request.session, 1, request.t, False, text, version=1), []

    def welcome(request):
        return Dispatcher(Damper()).handle(request, {})

    conversation, link = talk(*[busy] * 3, welcome)
    assert conversation.hello(hello())[0].name == "damper"
    assert [request.seq for request in link.sent] == [1] * 4
    monkeypatch.setattr("adapters.zeromq.conversation._BUSY_FOR", 0.0)
    conversation, _ = talk(busy)
    with pytest.raises(AdapterError, match="the peer: busy with run 'spar'"):
        conversation.hello(hello())


def test_a_question_can_be_asked_again():
    conversation, link = talk(*[answer] * 51)
    ask(conversation)
    assert conversation.round_trip() > 0.0
    assert {request.seq for request in link.sent} == {1}


def test_abort_is_told_with_its_reason_and_closes():
    conversation, link = talk(answer)
    ask(conversation)
    conversation.abort("x" * 2000)
    conversation.end()
    assert link.sent[-1].op == "abort"
    assert len(link.sent[-1].reason) == 1000
    assert link.closed == ["abort", ("close", False)]
    conversation.abort("again")
    assert len(link.closed) == 2
