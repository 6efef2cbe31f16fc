# Needs Python >= 3.11 and make. Everything goes into .venv and build; remove both to begin anew.
#
#   make solve [FILE=puzzles.txt] [OUT=answers.csv]     make test [ARGS="-k board"]     make lint     make types

PYTHON ?= python3
FILE ?= examples/puzzles.txt
OUT ?= answers.csv
ARGS ?=

BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt README.md $(shell find native gridmill producer worker collector \
	-type f ! -name '*.pyc')

.PHONY: help solve test lint types clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^#   //p' Makefile

# What was stopped goes on (its journal is there); what is finished is made anew.
solve: .venv/.installed
	$(BIN)/gridmill solve "$(FILE)" -o "$(OUT)" $$(test -e "$(OUT).gridmill" || echo --force)
	@echo "The first answers in $(OUT):"
	@head -n 6 "$(OUT)"
	@echo "What solved them is $(BIN)/gridmill; $(BIN)/gridmill --help says what else it does."

# With the safe path the current folder is not imported from: the installed package is tested, not the checkout.
test: .venv/.installed-test
	PYTHONSAFEPATH=1 $(BIN)/pytest $(ARGS)

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.installed-dev
	$(BIN)/mypy

clean:
	rm -rf .venv build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Gridmill needs Python 3.11 or newer; '$(PYTHON)' is not. Say: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; echo "No virtual environment: does Python lack its venv module?" >&2; exit 1; }

# One wheel, built when a source changed; what else a target needs is installed beside it, once.
build/.wheel: $(SOURCES) | $(BIN)/python
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	@touch $@

.venv/.installed: build/.wheel
	$(BIN)/python -m pip install --quiet build/wheel/*.whl
	$(BIN)/python -m pip install --quiet --no-deps --force-reinstall build/wheel/*.whl
	@touch $@

.venv/.installed-%: .venv/.installed
	$(BIN)/python -m pip install --quiet "$$(ls build/wheel/*.whl)[$*]"
	@touch $@
