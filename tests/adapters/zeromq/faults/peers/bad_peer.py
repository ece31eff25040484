"""A damper that goes wrong as it is told; pyzmq and msgspec only, nothing of this package.

python bad_peer.py FAULT [--at K] [--mode MODE] [--states N] [--mass] [--endpoint ENDPOINT]
"""

import argparse
import os
import struct
import sys
import threading

import msgspec
import wrongs
import zmq

DAMPING, MASS = 20.0, 5.0
CALLS = ("update", "advance")


def packed(values):
    return struct.pack(f"<{len(values)}d", *values)


class BadPeer:
    """Answers as the protocol says, until the fault."""

    def __init__(self, options):
        self.options = options
        self.fault = getattr(wrongs, options.fault.replace("-", "_"))
        self.calls = self.seq = 0
        self.kept = []
        context = zmq.Context()
        self.socket, self.beats = (context.socket(zmq.ROUTER) for _ in range(2))
        self.socket.linger = self.beats.linger = 0
        self.socket.sndhwm = 0  # nothing is dropped, however much it sends
        endpoint = os.environ.get("COSIM_ENDPOINT") or options.endpoint
        self.socket.bind(endpoint)
        local = endpoint.startswith("ipc")
        self.beats.bind(f"{endpoint}.beats" if local else "tcp://127.0.0.1:*")
        threading.Thread(target=zmq.proxy, args=(self.beats, self.beats), daemon=True).start()

    def serve(self):
        while True:
            identity, header, *frames = self.socket.recv_multipart()
            request = msgspec.msgpack.decode(header)
            if request["seq"] != self.seq:
                before, self.seq = self.kept, request["seq"]
                self.kept = list(self.answers(request, frames, before))
            for message in self.kept:
                self.socket.send_multipart([identity, *message])
            if request["op"] in ("end", "abort") and "stubborn" not in self.options.fault:
                wrongs.note(request)
                return

    def answers(self, request, frames, before):
        op, options = request["op"], self.options
        self.calls += op in CALLS
        reply = {name: request[name] for name in ("session", "seq", "t")}
        reply |= {"re": op, "ok": True, "error": "", "arrays": []}
        arrays = self.arrays(op, frames)
        if op == "abort":
            return []
        if op == "hello":
            reply |= self.about(request)
        due = op in CALLS and (options.always or self.calls == options.at)
        if due or op == options.op:
            return self.fault(reply, arrays, before)
        return [message(reply, arrays)]

    def about(self, request):
        options = self.options
        return {
            "version": 1,
            "name": "rotor",
            "mode": options.mode,
            "n_states": options.states,
            "history": False,
            "restorable": options.mode == "advance",
            "static": False,
            "event": False,
            "added_mass": options.mass,
            "max_step": float("inf"),
            "inner_step": 0.0,
            "bodies": request["bodies"],
            "points": [],
            "channels": [],
            "outputs": [],
            "heartbeat": self.beats.getsockopt_string(zmq.LAST_ENDPOINT),
            "pid": os.getpid(),
            "about": {},
        }

    def arrays(self, op, frames):
        """Name: (dtype, shape, bytes)."""
        if op not in (*CALLS, "initialize"):
            return {"data": ("|u1", [1], b"s")} if op == "save_state" else {}
        state = frames[1] if op == "advance" else frames[0]
        velocity = struct.unpack("<18d", state)[12:]
        found = {"load": ("<f8", [1, 6], packed([-DAMPING * v for v in velocity]))}
        if self.options.mass:
            diagonal = [MASS * (i == j) for i in range(6) for j in range(6)]
            found["mass"] = ("<f8", [6, 6], packed(diagonal))
        if n := self.options.states:
            if op == "initialize":
                found["x"] = ("<f8", [n], packed([0.0] * n))
                found["x_scale"] = ("<f8", [n], packed([1.0] * n))
            found["x_dot"] = ("<f8", [n], packed([velocity[0]] * n))
        return found


def message(reply, arrays):
    """Header and frames; arrays of nothing are left out, as the protocol wants it."""
    described = [[name, dtype, shape] for name, (dtype, shape, _) in arrays.items()]
    header = msgspec.msgpack.encode(reply | {"arrays": described})
    return [header, *(data for _, _, data in arrays.values())]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fault")
    parser.add_argument("--at", type=int, default=40)
    parser.add_argument("--always", action="store_true")
    parser.add_argument("--op", default="")
    parser.add_argument("--mode", default="evaluate")
    parser.add_argument("--states", type=int, default=0)
    parser.add_argument("--mass", action="store_true")
    parser.add_argument("--endpoint", default="")
    options = parser.parse_args()
    wrongs.before(options.fault)
    BadPeer(options).serve()


if __name__ == "__main__":
    sys.modules["bad_peer"] = sys.modules["__main__"]
    main()
