"""The other end of the bare ping-pong: answers every message with the same frames, and no more.

``python bare.py ENDPOINT BYTES BYTES ... [--key FILE --allow FILE]`` prints where it listens and
serves until it is killed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import zmq

from cosim.wire.keys import PeerKeys, secure_server
from cosim.wire.threads import Authenticator


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("endpoint")
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--key", type=Path)
    parser.add_argument("--allow", type=Path)
    given = parser.parse_args()
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.linger = 0
    if given.key:
        keys = PeerKeys.read(given.key, [given.allow])
        Authenticator(context, keys.clients).start()
        secure_server(router, keys.own)
    router.bind(given.endpoint)
    print(router.getsockopt_string(zmq.LAST_ENDPOINT), flush=True)
    frames = [bytes(size) for size in given.sizes]
    while True:
        identity = router.recv_multipart()[0]
        router.send_multipart([identity, *frames])


if __name__ == "__main__":
    main()
