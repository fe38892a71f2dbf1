# make play    the caller; more words with ARGS="--plain --resume"
# make test    every test          make lint   style, types, import rules
# make bench   the benchmarks      make screenshots   the README's pictures
# make fuzz    a minute of hostile input at every door; longer with ARGS="--seconds 600"
# make soak    10,000 kills, every disk fault of a game, 1,000 damaged logs
# make messages  finds new sentences, updates and compiles the translations
# make clean   removes what these made
#
# Each installs what is missing into .venv, and only when pyproject.toml has changed.
# Another Python: make play PYTHON=/path/to/python3

ARGS ?=
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --root-user-action=ignore
# Python leaves our modules uncompiled where it is told to write no bytecode; a start is faster so.
COMPILE := $(BIN)/python -m compileall -qq companion engine tags
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3 python3.13 python3.12 python3.11 python3.14 python)

# A .venv that was copied, moved, cut short or whose Python is gone is made anew.
ifneq ($(shell { cat $(VENV)/.place && $(BIN)/python -c '' || echo broken; } 2>/dev/null),$(CURDIR))
STALE := stale
endif

.DEFAULT_GOAL := play
.PHONY: play test lint bench fuzz soak screenshots messages clean stale
.DELETE_ON_ERROR:

play: $(VENV)/.play
	@$(BIN)/companion play $(ARGS)

test: $(VENV)/.dev
	@$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "make lint: run $(BIN)/ruff format ." >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@PYTHONPATH=. $(BIN)/lint-imports --no-logo >$(VENV)/lint-imports.txt || { cat $(VENV)/lint-imports.txt; exit 1; }

bench: $(VENV)/.bench
	@$(BIN)/python tests/bench/run.py $(ARGS)

fuzz: $(VENV)/.fuzz
	@$(BIN)/python tests/fuzz/run.py $(ARGS)

soak: $(VENV)/.dev
	@$(BIN)/python tests/soak/kills.py
	@$(BIN)/python tests/soak/disk_faults.py
	@$(BIN)/python tests/soak/damage.py

screenshots: $(VENV)/.dev
	@$(BIN)/python scripts/screenshots.py $(ARGS)

messages: $(VENV)/.dev
	@$(BIN)/python scripts/messages.py $(ARGS)

clean:
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.place: $(STALE)
	@found=; half=; \
	for candidate in $(CANDIDATES); do \
	    "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    "$$candidate" -c 'import ensurepip, venv' 2>/dev/null && { found=$$candidate; break; }; \
	    half=$$candidate; \
	done; \
	if [ -z "$$found" ]; then \
	    if [ -n "$$half" ]; then \
	        echo "make: $$half cannot make virtual environments; on Debian or Ubuntu run: apt install python3-venv" >&2; \
	    else \
	        echo "make: no Python 3.11 or newer was found; install one, or name it: make PYTHON=/path/to/python3" >&2; \
	    fi; \
	    exit 1; \
	fi; \
	echo "Preparing $(VENV) (once, about a minute) ..."; \
	"$$found" -m venv --clear $(VENV)
	@printf '%s\n' '$(CURDIR)' >$@

$(VENV)/.play: pyproject.toml $(VENV)/.place
	@$(PIP) -e .
	@$(COMPILE)
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.place
	@$(PIP) -e '.[dev]'
	@$(COMPILE)
	@touch $(VENV)/.play $@

$(VENV)/.bench: pyproject.toml $(VENV)/.place
	@$(PIP) -e '.[dev,bench]'
	@$(COMPILE)
	@touch $(VENV)/.play $(VENV)/.dev $@

$(VENV)/.fuzz: pyproject.toml $(VENV)/.place
	@$(PIP) -e '.[dev,fuzz]'
	@$(COMPILE)
	@touch $(VENV)/.play $(VENV)/.dev $@
