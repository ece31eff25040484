# Two commands matter: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml README.md $(shell find cosim adapters -name '*.py')
CASE := cases/oc3_spar
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo demo-sockets test lint types unit docs bench clean forget-kernels

demo: $(VENV)/.installed
	$(BIN)/cosim run $(CASE)/case.yaml --out $(CASE)/results
	$(BIN)/cosim plot $(CASE)/results/oc3_spar.nc
	$(BIN)/cosim animate $(CASE)/results/oc3_spar.nc

# the same platform, with its rotor and controller as a program of its own
demo-sockets: $(VENV)/.installed
	$(BIN)/cosim run $(CASE)/rotor.yaml --out $(CASE)/results
	$(BIN)/cosim plot $(CASE)/results/rotor.nc

test: lint types unit

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

# from the root of the checkout but against the installed wheel: -P keeps the checkout
# off the import path
unit: $(VENV)/.tested
	$(BIN)/python -P -c "import cosim, sys; sys.exit('site-packages' not in cosim.__file__)"
	$(BIN)/python -P -m pytest -n 2 --dist loadfile

docs: $(VENV)/.documented
	$(BIN)/python -P -m sphinx -W --keep-going -b html docs docs/_build/html

bench: $(VENV)/.benchmarked
	$(BIN)/python -P benchmarks/run.py

$(BIN)/python:
	$(PYTHON) -c "import sys; sys.exit('Python 3.11 or newer is needed' if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	$(PIP) install build
	rm -rf dist
	$(BIN)/python -m build --wheel --outdir dist . > /dev/null
	$(PIP) install dist/*.whl
	$(PIP) install --force-reinstall --no-deps dist/*.whl
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(PIP) install "$$(echo dist/*.whl)[test]"
	touch $@

$(VENV)/.documented: $(VENV)/.installed
	$(PIP) install "$$(echo dist/*.whl)[docs]"
	touch $@

$(VENV)/.benchmarked: $(VENV)/.installed
	$(PIP) install "$$(echo dist/*.whl)[bench]"
	touch $@

forget-kernels:
	find . -name '*.nb[ic]' -delete

clean:
	rm -rf $(VENV) dist docs/_build .mypy_cache .ruff_cache .pytest_cache
