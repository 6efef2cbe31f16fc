# Needs Python >= 3.11 and make. Everything goes into .venv and build; remove both to begin anew.
#
#   make solve [FILE=puzzles.txt] [OUT=answers.csv]     make test [ARGS="-k board"]     make lint     make types
#   make chaos [SEED=1]: five minutes of puzzles while everything is killed, stopped, cut off and lied to
#   make fuzz [SECONDS=600] [TARGETS="puzzles reply"]: every parser and decoder, guided by what it reaches (Linux)
#   make sanitize: the native tests under the address and undefined-behaviour sanitizers (g++, Linux)

PYTHON ?= python3
FILE ?= examples/puzzles.txt
OUT ?= answers.csv
ARGS ?=
SEED ?= 1
SECONDS ?= 600
TARGETS ?=

BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt README.md $(shell find native gridmill producer worker collector \
	-type f ! -name '*.pyc')

# For the sanitizers. Errors end the process; Python's own small objects come from malloc, where strays are seen.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1
SANITIZED := env PYTHONPATH=build/sanitize PYTHONSAFEPATH=1 PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=print_stacktrace=1 GRIDMILL_CI=1
NATIVE_TESTS := $(addprefix tests/test_,native.py native_fuzz.py native_memory.py lanes.py deep.py single.py judge.py \
	api_cells.py native_text.py canon.py inquiry.py seen.py spare.py technique.py)

.PHONY: help solve test chaos fuzz sanitize lint types clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^#   //p' Makefile

# What was stopped goes on (its journal is there); what is finished is made anew. gzip leaves alone what is not packed.
solve: .venv/.installed
	$(BIN)/gridmill solve "$(FILE)" -o "$(OUT)" $$(test -e "$(OUT).gridmill" || echo --force)
	@echo "The first answers in $(OUT):"
	@gzip -cdf < "$(OUT)" | head -n 6
	@echo "What solved them is $(BIN)/gridmill; $(BIN)/gridmill --help says what else it does."

# With the safe path the current folder is not imported from: the installed package is tested, not the checkout.
# Two files of tests at a time, for much of a test is waiting; those of one file, which may share a server or a name on
# this machine, come one after the other. (ARGS="-n 0 --pdb": all in this process.)
test: .venv/.installed-test
	PYTHONSAFEPATH=1 $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

chaos: .venv/.installed-test
	PYTHONPATH=tests $(BIN)/python -P -m chaos --seed $(SEED) $(ARGS)

fuzz: .venv/.installed-test .venv/.installed-fuzz
	PYTHONSAFEPATH=1 $(BIN)/python tests/fuzz/__main__.py $(SECONDS) $(TARGETS)

# The runtime of the sanitizer has to be loaded before Python, and the C++ library with it, whose throw it watches. What
# it watches is several times as slow, so a test may take longer.
sanitize: .venv/.installed-test build/sanitize/.built
	preload="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libstdc++.so)"; \
	  $(SANITIZED) LD_PRELOAD="$$preload" $(BIN)/python -m pytest -p no:cacheprovider -o timeout=600 $(NATIVE_TESTS) $(ARGS)

build/sanitize/.built: $(SOURCES) | $(BIN)/python
	rm -rf build/sanitize
	GRIDMILL_REQUIRE_NATIVE=1 CXX=g++ CXXFLAGS="$(SANITIZE)" $(BIN)/python -m pip install --quiet --no-deps \
	  --target build/sanitize -C build-dir=build/sanitize-objects -C cmake.build-type=None .
	@touch $@

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
	@echo "Setting up .venv."
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "No virtual environment: does Python lack its venv module?" >&2; exit 1; }

# One wheel, built when a source changed; what else a target needs is installed beside it, once.
build/.wheel: $(SOURCES) | $(BIN)/python
	@echo "Building Gridmill: some minutes, and again only when its sources have changed."
	@rm -rf build/wheel
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	@touch $@

.venv/.installed: build/.wheel
	@echo "Installing it, and what it needs, into .venv."
	@$(BIN)/python -m pip install --quiet build/wheel/*.whl
	@$(BIN)/python -m pip install --quiet --no-deps --force-reinstall build/wheel/*.whl
	@touch $@

.venv/.installed-%: .venv/.installed
	$(BIN)/python -m pip install --quiet "$$(ls build/wheel/*.whl)[$*]"
	@touch $@
