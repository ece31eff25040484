import numpy as np

from cosim.wire.messages import End, Update

from .conftest import DEADLINE, SESSION, STATE, Damper, served


def test_a_session_from_hello_to_end(endpoint, client):
    peer = Damper()
    with served(peer, endpoint, once=True) as server:
        host = client(server.endpoint)
        assert host.start().name == "damper"
        reply, arrays = host.call(Update(SESSION, 3, 0.5), [("state", STATE)])
        assert reply.t == 0.5
        np.testing.assert_array_equal(arrays["load"], -10.0 * STATE[:, 12:])
        np.testing.assert_array_equal(arrays["mass"], 2.0 * np.eye(6))
        assert host.call(End(SESSION, 4, 0.5))[0].ok
        server.thread.join(DEADLINE)
        assert not server.thread.is_alive()
    assert peer.calls == [0.0, 0.5, "end"]
