# Two commands matter: `make demo` and `make test`. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml README.md $(shell find cosim adapters -name '*.py')
CASE := cases/oc3_spar
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

WEB := cosim/results/animation/web

.PHONY: demo test lint types unit docs bench clean forget-kernels three

demo: $(VENV)/.installed
	$(BIN)/cosim run $(CASE)/case.yaml --out $(CASE)/results
	$(BIN)/cosim plot $(CASE)/results/oc3_spar.nc

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
	$(BIN)/python -P -m pytest

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

# three.js of the interactive page, from npm; only for a new version of it
three:
	rm -rf build/three && mkdir -p build/three && cp $(WEB)/three.entry.js build/three
	cd build/three && npm init --yes > /dev/null && npm install --no-audit three@0.187.0 esbuild@0.28.2
	cd build/three && npx esbuild three.entry.js --bundle --minify --format=iife --global-name=THREE \
		--target=es2020 --legal-comments=none --outfile=three.min.js \
		"--banner:js=/* three.js 0.187.0, MIT licence, https://threejs.org: see three.LICENSE */"
	cp build/three/three.min.js $(WEB)
	cp build/three/node_modules/three/LICENSE $(WEB)/three.LICENSE

forget-kernels:
	find . -name '*.nb[ic]' -delete

clean:
	rm -rf $(VENV) dist docs/_build .mypy_cache .ruff_cache .pytest_cache
