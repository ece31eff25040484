"""A peer that computes for ever from an instant on, and does not listen to SIGTERM."""

import os
import signal
import sys
import time
from pathlib import Path

from cosim.wire import Loads, Peer
from cosim.wire.server import run_peer


def tell(text):
    with Path(os.environ["TEST_PIDS"]).open("a") as file:
        file.write(f"{text}\n")


class Stuck(Peer):
    name = "stuck"
    last = float(sys.argv[1])

    def initialize(self, at):
        tell(os.getpid())

    def update(self, at):
        if at.t > self.last:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            tell("stuck")
            while True:
                time.sleep(0.001)
        return Loads(wrenches=-at.v)


if __name__ == "__main__":
    run_peer(Stuck())
