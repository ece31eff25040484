"""The same damper with this package, as a user writes it."""

import cosim


class Damper(cosim.Peer):
    name = "damper"

    def update(self, at):
        return cosim.Loads(wrenches=-20.0 * at.v)


if __name__ == "__main__":
    cosim.run_peer(Damper())
