"""Keys for encrypted connections (CURVE): made, read, and given to sockets.

A pair is two files, as other ZeroMQ programs write them: ``NAME.key`` with the public key, to
hand out, and ``NAME.key_secret`` with both, which only its owner may read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import zmq

from cosim.wire.errors import WireError

__all__ = [
    "KeyPair",
    "PeerKeys",
    "create_keys",
    "read_pair",
    "read_public",
    "secure_client",
    "secure_server",
]

DOMAIN = b"cosim"
_ENTRY = re.compile(
    r"^\s*(public|secret)-key\s*=\s*\"([0-9a-zA-Z.:+=^!/*?&<>()\[\]{}@%$#-]{40})\"\s*$",
    re.MULTILINE,
)
_LONGEST = 10_000


@dataclass(frozen=True)
class KeyPair:
    """A public and a secret key, 40 characters each.

    Attributes
    ----------
    public, secret : bytes
    """

    public: bytes
    secret: bytes

    def __repr__(self) -> str:
        return f"KeyPair({self.public.decode()})"


@dataclass(frozen=True)
class PeerKeys:
    """What a peer needs to serve encrypted: its own pair, and who may call.

    Attributes
    ----------
    own : KeyPair
    clients : frozenset of bytes
        Public keys of the hosts.
    """

    own: KeyPair
    clients: frozenset[bytes]

    @classmethod
    def read(cls, secret: Path, clients: Iterable[Path]) -> PeerKeys:
        """Keys from files.

        Parameters
        ----------
        secret : Path
            Own ``NAME.key_secret``.
        clients : iterable of Path
            ``NAME.key`` of every host that may call.

        Raises
        ------
        WireError
            No key file, or a secret that others can read.
        """
        allowed = frozenset(read_public(path) for path in clients)
        if not allowed:
            raise WireError("nobody may call: name the public key of at least one host")
        return cls(read_pair(secret), allowed)


def create_keys(name: str, folder: Path) -> tuple[Path, Path]:
    """Make a pair of keys.

    Parameters
    ----------
    name : str
        Of the files, without ending.
    folder : Path
        Made where it is not there.

    Returns
    -------
    public, secret : Path

    Raises
    ------
    WireError
        There are such files, or they cannot be written.
    """
    if not re.fullmatch(r"[\w.-]+", name):
        raise WireError(f"'{name}' is no name of a key: use letters, digits, '_', '-' and '.'")
    public_file, secret_file = folder / f"{name}.key", folder / f"{name}.key_secret"
    public, secret = (key.decode() for key in zmq.curve_keypair())
    lines = ["#   Keys of offshore-cosim", "metadata", "curve", f'    public-key = "{public}"']
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(secret_file, [*lines, f'    secret-key = "{secret}"'], 0o600)
        _write(public_file, lines, 0o644)
    except FileExistsError as error:
        raise WireError(f"{error.filename} is there already; choose another name") from None
    except OSError as error:
        raise WireError(f"cannot write {error.filename}: {error.strerror}") from None
    return public_file, secret_file


def read_public(path: Path) -> bytes:
    """The public key of a file.

    Raises
    ------
    WireError
        No such file, or no key in it.
    """
    return _key(_entries(path), "public", path)


def read_pair(path: Path) -> KeyPair:
    """Both keys of a secret file.

    Raises
    ------
    WireError
        No such file, no keys in it, or others can read it.
    """
    entries = _entries(path)
    pair = KeyPair(_key(entries, "public", path), _key(entries, "secret", path))
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise WireError(f"others can read the secret key {path}; run: chmod 600 {path}")
    if zmq.curve_public(pair.secret) != pair.public:
        raise WireError(f"the two keys in {path} do not belong together; make new ones")
    return pair


def secure_server(socket: zmq.Socket[bytes], pair: KeyPair) -> None:
    """Make a socket accept only encrypted connections that the authenticator allows."""
    socket.zap_domain = DOMAIN
    socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
    socket.curve_server = True
    socket.curve_secretkey = pair.secret
    socket.curve_publickey = pair.public


def secure_client(socket: zmq.Socket[bytes], pair: KeyPair, server: bytes) -> None:
    """Make a socket encrypt, prove who it is, and speak with that server only."""
    socket.curve_serverkey = server
    socket.curve_publickey = pair.public
    socket.curve_secretkey = pair.secret


def _entries(path: Path) -> dict[str, str]:
    try:
        with path.open(encoding="ascii") as file:
            text = file.read(_LONGEST)
    except OSError as error:
        raise WireError(f"cannot read the key {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise WireError(f"{path} is no key file") from None
    return dict(_ENTRY.findall(text))


def _key(entries: dict[str, str], kind: str, path: Path) -> bytes:
    if kind not in entries:
        raise WireError(f"{path} has no {kind} key; `cosim keys` makes a pair")
    return entries[kind].encode()


def _write(path: Path, lines: list[str], mode: int) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(file, "w", encoding="ascii") as stream:
        stream.write("\n".join([*lines, ""]))
