"""The services of the containers as plain processes: the same commands, keys and addresses."""

import shlex
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import xarray as xr
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
SERVICES = YAML(typ="safe").load((ROOT / "docker" / "compose.yaml").read_text())["services"]
END = 0.5  # s of simulated time
DEADLINE = 240  # s, of everything that is waited for


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Loopback:
    """Addresses become those of this machine."""

    enter = ()

    def __init__(self, folder):
        ports = {"5555": free_port(), "5556": free_port()}
        self.replaced = {
            f"tcp://{host}:{port}": f"tcp://127.0.0.1:{taken}"
            for host in ("0.0.0.0", "127.0.0.1", "solver")
            for port, taken in ports.items()
        }


class Namespace:
    """A network of its own, with an address that is not loopback and the name ``solver``."""

    def __init__(self, folder):
        self.replaced = {}
        (folder / "hosts").write_text("10.9.8.7 solver\n127.0.0.1 localhost\n")
        made = "ip link set lo up && ip address add 10.9.8.7/32 dev lo"
        named = f"mount --bind {shlex.quote(str(folder / 'hosts'))} /etc/hosts"
        script = f"{made} && {named} && echo ready && exec sleep {2 * DEADLINE}"
        self.holder = subprocess.Popen(
            ["unshare", "--user", "--map-root-user", "--net", "--mount", "sh", "-c", script],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ready = self.holder.stdout.readline() == "ready\n"
        self.enter = ("nsenter", f"--target={self.holder.pid}", "--user", "--net", "--mount")

    def close(self):
        self.holder.kill()
        self.holder.communicate()


@pytest.fixture(params=["loopback", "namespace"])
def network(request, tmp_path):
    if request.param == "loopback":
        yield Loopback(tmp_path)
        return
    if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        pytest.skip("needs unshare, nsenter and ip")
    own = Namespace(tmp_path)
    try:
        if not own.ready:
            pytest.skip("this machine allows no network of one's own")
        yield own
    finally:
        own.close()


@pytest.fixture
def words_of(network, tmp_path):
    """The command of a service with the folders of this machine."""
    folders = {"/cases/": f"{ROOT}/cases/", "/keys": f"{tmp_path}/keys", "/results": f"{tmp_path}"}
    for name in ("case", "solver"):
        (tmp_path / "keys" / name).mkdir(parents=True)

    def words(parts):
        for old, new in {**folders, **network.replaced}.items():
            parts = [part.replace(old, new) for part in parts]
        programs = {"python": [sys.executable], "cosim": [sys.executable, "-m", "cosim.cli"]}
        return [*network.enter, *programs[parts[0]], *parts[1:]]

    return words


def command(name):
    service = SERVICES[name]
    return [*service.get("entrypoint", ["cosim"]), *service["command"]]


@contextmanager
def running(words, log):
    with log.open("w") as file, subprocess.Popen(words, stdout=file, stderr=file) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(DEADLINE)


def wait_for_health(words):
    begin = time.monotonic()
    while (done := subprocess.run(words, capture_output=True, text=True)).returncode:
        assert time.monotonic() - begin < DEADLINE, done.stderr


@pytest.mark.slow
def test_case_and_solver_run_as_services(words_of, tmp_path):
    subprocess.run(words_of(command("keys")), check=True, timeout=DEADLINE)
    subprocess.run(words_of(command("keys")), check=True, timeout=DEADLINE)  # the second time too
    health = {name: SERVICES[name]["healthcheck"]["test"][1:] for name in ("case", "solver")}
    with running(words_of(command("solver")), tmp_path / "solver.log") as solver:
        wait_for_health(words_of(health["solver"]))
        wait_for_health(words_of(health["case"]))
        words = [*words_of(command("case")), f"--set=time.end={END}", "--quiet"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == 0, done.stderr
        assert solver.poll() is None  # it waits for the next run
        subprocess.run(words_of(health["solver"]), check=True, timeout=DEADLINE)
    with xr.open_dataset(tmp_path / "rotor.nc", engine="h5netcdf") as results:
        assert float(results.time[-1]) == END
        assert float(abs(results["rotor.thrust"]).min()) > 1e5  # N
