"""Write ``constraints.txt``: the versions of this environment, in which the tests have passed.

Run ``python docker/freeze.py`` with the Python that the tests ran with. Only what the wheel needs
is written, and what builds it: not what tests and documents it.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).parent
HEAD = """\
# Versions in which the tests have passed; written by `python docker/freeze.py`.
"""


def needed(requirements: list[str]) -> dict[str, str]:
    """Version of every distribution that these need, and those need in turn."""
    found: dict[str, str] = {}
    extras: dict[str, set[str]] = {}
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        known = extras.setdefault(name, set())
        if name in found and requirement.extras <= known:
            continue
        known |= requirement.extras
        found[name] = distribution(name).version
        for text in distribution(name).requires or []:
            inner = Requirement(text)
            if inner.marker is None or any(
                inner.marker.evaluate({"extra": extra}) for extra in ("", *known)
            ):
                waiting.append(inner)
    return found


def main() -> None:
    """Write the file beside this one."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    wanted = project["build-system"]["requires"] + project["project"]["dependencies"]
    lines = [f"{name}=={version}\n" for name, version in sorted(needed(wanted).items())]
    (HERE / "constraints.txt").write_text("".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
