"""Every code block of the documentation runs.

- ``python``: executed, all blocks of a page in one namespace and one folder
- ``yaml``: a complete case is read and checked with its adapters' options; the sections of a
  fragment replace those of the last complete case of its page, or of the smallest case
- ``shell``: lines that start with ``cosim`` or ``python`` are run, the others must be known;
  runs of more than a minute are cut to two seconds
- ``console``: as ``shell`` after ``$``, and the lines below must be in what the program says
- ``toml``: parsed

A block with a caption is also written to a file of that name; one that is called bad is not read.
"""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.myst import CodeBlockParser

from cosim.case.adapter_types import AdapterTypes
from cosim.case.check import check
from cosim.case.read import read_case
from cosim.case.source import Source, load_yaml

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").glob("**/*.md"), ROOT / "README.md", *ROOT.glob("cases/*/*.md")])
SHELL_ONLY = {"git", "cd", "python3", ".venv/bin/pip", "pip", "source"}
SMALLEST = {
    "bodies": {"bob": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
    "joints": {"free": {"type": "floating", "child": "bob"}},
    "time": {"end": 1},
}
LONG, SHORT = 60.0, 2.0


def written(example, suffix):
    options = example.region.lexemes.get("options", {})
    path = Path(options.get("caption", f"block{example.line}{suffix}"))
    path.write_text(example.parsed, encoding="utf-8")
    return path


def run_python(example):
    if "caption" in example.region.lexemes.get("options", {}):
        written(example, ".py")
    PythonEvaluator()(example)


def read_yaml(example):
    data = load_yaml(example.parsed).data
    if example.region.lexemes.get("options", {}).get("caption", "").startswith("bad"):
        written(example, ".yaml")
        return
    if "case" in data:
        read_case(written(example, ".yaml"))
        example.namespace["_last_case"] = data
        return
    whole = {**example.namespace.get("_last_case", SMALLEST), **data}
    check(Source(whole), types=AdapterTypes(), folder=Path.cwd())


def read_toml(example):
    tomllib.loads(example.parsed)


def run_shell(example):
    for line in example.parsed.splitlines():
        run_line(line)


def run_console(example):
    said = ""
    for line in example.parsed.splitlines():
        if line.startswith("$ "):
            said = run_line(line[2:], fails=True)
        elif line.strip() not in ("", "..."):
            assert line.strip() in said, said


def run_line(line, fails=False):
    words = shlex.split(line, comments=True)
    if not words or words[0] in SHELL_ONLY:
        return ""
    if words[0] == "make":
        assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text()
        return ""
    if words[0] == "python":
        command = [sys.executable, *words[1:]]
    else:
        assert words[0] == "cosim", f"unknown command: {line}"
        command = [sys.executable, "-P", "-m", "cosim.cli", *words[1:], *shortening(words)]
    environment = {**os.environ, "PYTHONWARNINGS": "error", "COLUMNS": "140"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    said = done.stdout + done.stderr
    assert fails or done.returncode == 0, said
    return said


def shortening(words):
    if words[1] != "run" or any(word.startswith("time.end=") for word in words):
        return []
    try:
        end = read_case(words[2]).time.end
    except Exception:
        return []  # the program says what is wrong
    return ["--set", f"time.end={SHORT}"] if end > LONG else []


LANGUAGES = {
    "python": run_python,
    "yaml": read_yaml,
    "shell": run_shell,
    "console": run_console,
    "toml": read_toml,
    "text": lambda example: None,
}
SYBIL = Sybil(parsers=[CodeBlockParser(name, run) for name, run in LANGUAGES.items()])
DOCUMENTS = {page.relative_to(ROOT).as_posix(): SYBIL.parse(page) for page in PAGES}
EXAMPLES = [
    pytest.param(page, example, id=f"{page}:{example.line}")
    for page, document in DOCUMENTS.items()
    for example in document.examples()
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder for every page, with the cases in it."""
    made = {}

    def folder(page):
        if page not in made:
            made[page] = tmp_path_factory.mktemp(page.replace("/", "_").replace(".", "_"))
            (made[page] / "cases").symlink_to(ROOT / "cases")
        return made[page]

    return folder


@pytest.mark.parametrize(("page", "example"), EXAMPLES)
def test_block_runs(page, example, folders, monkeypatch):
    monkeypatch.chdir(folders(page))
    monkeypatch.syspath_prepend(str(folders(page)))
    example.evaluate()


@pytest.mark.parametrize("page", DOCUMENTS)
def test_every_fence_is_of_a_language_that_is_tested(page):
    text = DOCUMENTS[page].text
    opened = [line for line in text.splitlines() if line.startswith("```")][::2]
    known = {"", *LANGUAGES, "{image}", "{toctree}", "{include}", "{eval-rst}", "{figure}"}
    known |= {"c", "fortran"}  # of the protocol page; tests/wire_kit compiles them
    for line in opened:
        kind = line[3:].split()[1] if line.startswith("```{code-block}") else line[3:].split()[0]
        assert kind in known, line
