"""The files that make and start the containers, without a container."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
COMPOSE = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]


@pytest.fixture(scope="module")
def instructions():
    text = (DOCKER / "Dockerfile").read_text()
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def constraints():
    lines = (DOCKER / "constraints.txt").read_text().splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return dict(pairs)


def test_base_is_fixed_and_the_same_for_all_stages(instructions):
    (base,) = [words for word, words in instructions if word == "ARG"]
    assert re.fullmatch(r"BASE=python:3\.\d+\.\d+-slim-\w+(@sha256:[0-9a-f]{64})?", base)
    stages = [words.split()[0] for word, words in instructions if word == "FROM"]
    assert len(stages) > 1
    assert set(stages) == {"${BASE}"}


def test_nobody_is_root_where_something_runs(instructions):
    last = max(i for i, (word, _) in enumerate(instructions) if word == "FROM")
    (user,) = [words for word, words in instructions[last:] if word == "USER"]
    assert user not in ("root", "0")
    after = [word for word, _ in instructions[last:]]
    assert after.index("USER") < after.index("HEALTHCHECK") < after.index("ENTRYPOINT")


def test_what_is_copied_is_there_and_not_ignored(instructions):
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"]
    for word, words in instructions:
        if word == "COPY" and not words.startswith("--from"):
            for source in words.split()[:-1]:
                assert (ROOT / source).exists()
                assert source in allowed


def test_constraints_fix_what_the_project_needs(constraints):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for text in project["project"]["dependencies"] + project["build-system"]["requires"]:
        requirement = Requirement(text)
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        assert name in constraints, f"run: python docker/freeze.py ({name} is missing)"
        assert requirement.specifier.contains(constraints[name])


def test_everything_is_private_and_without_rights():
    assert COMPOSE["networks"] == {"private": {"internal": True}}
    for service in SERVICES.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "ports" not in service
        assert service.get("networks") == ["private"] or service["network_mode"] == "none"


def test_case_waits_for_a_healthy_solver_and_that_for_its_keys():
    assert SERVICES["case"]["depends_on"] == {"solver": {"condition": "service_healthy"}}
    needed = {"keys": {"condition": "service_completed_successfully"}}
    assert SERVICES["solver"]["depends_on"] == needed
    for name in ("case", "solver"):
        assert "cosim.wire.ping" in SERVICES[name]["healthcheck"]["test"]


def test_neither_side_sees_the_secret_of_the_other():
    for name in ("case", "solver"):
        folders = [volume.split(":")[1] for volume in SERVICES[name]["volumes"]]
        assert [folder for folder in folders if "keys" in folder] == [f"/keys/{name}"]


def test_every_volume_is_declared_and_its_folder_made(instructions):
    (made,) = [words for _, words in instructions if "install --directory" in words]
    for service in SERVICES.values():
        for volume in service["volumes"]:
            name, folder = volume.split(":")[:2]
            assert name in COMPOSE["volumes"]
            assert f" {folder}" in made


def test_compose_accepts_the_file():
    client = shutil.which("docker")
    words = [client, "compose"] if client else []
    if not words or subprocess.run([*words, "version"], capture_output=True).returncode:
        pytest.skip("no docker compose")
    command = [*words, "--file", str(DOCKER / "compose.yaml"), "config", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, timeout=60)
    assert done.returncode == 0, done.stderr
