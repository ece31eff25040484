"""The damper of the C kit, in Python."""

from cosim.wire import Loads, Peer
from cosim.wire.server import run_peer


class Damper(Peer):
    name = "damper in Python"

    def configure(self, setup):
        self.c = setup.settings.get("c", 10.0)

    def update(self, at):
        return Loads(wrenches=-self.c * at.v)


if __name__ == "__main__":
    run_peer(Damper())
