# make play    the caller; more words with ARGS="--plain --resume"
# make check   style, types, import rules and the inner ring of tests, in a minute; then the lines of each
#              room, and the command for the tests of the outer ring that the change touches
# make test    every test but the soaks; docs/dev/tests.md tells which are where
# make soak    hours of random games, kills, faults, damage and chaos; SOAK=short takes a few minutes
# make mutants small mistakes put into rules and conversation: does the inner ring notice?
# make pythons the inner ring with every Python from 3.11 on that the PATH has
# make oldest  the inner ring with the oldest versions that pyproject.toml allows, the core without its extensions
# make lint    style, types, import rules and what nothing uses alone
# make format  formats the Python files
# make bench   the benchmarks, a minute of them with ARGS=--short; fails below a floor
# make screenshots   the README's pictures
# make fuzz    a minute of hostile input at every door; longer with ARGS="--seconds 600"
# make extras ARGS="labels pcsc"  adds extras of pyproject.toml to .venv
# make constraints  renews the versions that a fresh .venv gets, with uv
# make generated  writes all that is made from the code and the records: what the next three make, rulings,
#              answers and fingerprints of games, conversations; half a minute
# make settings  writes config.yaml from the table of settings
# make surface  writes docs/dev/surface.md, what people meet, from the program
# make messages  finds new sentences and updates the translations; says what lags
# make clean   removes what these made
#
# Each installs what is missing into .venv, and only when pyproject.toml has changed.
# Another Python: make play PYTHON=/path/to/python3

ARGS ?=
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python scripts/install.py
INSTALLED := pyproject.toml constraints.txt scripts/install.py
# Written to disk, what was compiled of tests and modules is there for the next worker and the next run.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --dist worksteal
# What pytest makes of the tests' modules is made once, not by every worker of the first run.
REWRITE := echo "Preparing the tests ..."; PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qq >/dev/null || true
# As many workers as cores; at least five, because many tests mostly wait.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
WORKERS := $(shell test $(CORES) -gt 5 && echo $(CORES) || echo 5)
SOAK ?= soak
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3 python3.13 python3.12 python3.11 python3.14 python)

# A .venv that was copied, moved, cut short or whose Python is gone is made again.
ifneq ($(shell { cat $(VENV)/.place && $(BIN)/python -c '' || echo broken; } 2>/dev/null),$(CURDIR))
STALE := stale
endif

.DEFAULT_GOAL := play
.PHONY: play check inner test lint format style types imports unused bench fuzz soak mutants pythons oldest screenshots generated messages settings surface extras constraints clean stale
.DELETE_ON_ERROR:

play: $(VENV)/.play
	@$(BIN)/companion play $(ARGS) || [ $$? -eq 130 ] # Ctrl+C is no error of make's

check: $(VENV)/.dev
	@$(MAKE) --no-print-directory --keep-going -j3 style types imports unused inner || \
	    { $(MAKE) --no-print-directory lint; exit 1; } # whose faults have scrolled away
	@$(BIN)/python scripts/change.py

inner: $(VENV)/.dev
	@$(PYTEST) -q -m "not outer and not soak" -n $(CORES) $(ARGS)

test: $(VENV)/.dev
	@$(PYTEST) -n $(WORKERS) $(ARGS)

lint: $(VENV)/.dev
	@$(MAKE) --no-print-directory --keep-going style types imports unused

format: $(VENV)/.dev
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

style: $(VENV)/.dev
	@fault=0; $(BIN)/ruff check --quiet . || fault=1; \
	$(BIN)/ruff format --quiet --check . || { echo "run make format" >&2; fault=1; }; exit $$fault

types: $(VENV)/.dev
	@$(BIN)/mypy --no-error-summary

imports: $(VENV)/.dev
	@$(BIN)/python scripts/hiding.py
	@PYTHONPATH=. $(BIN)/lint-imports --no-logo >$(VENV)/lint-imports.txt || { cat $(VENV)/lint-imports.txt; exit 1; }

unused: $(VENV)/.dev
	@$(BIN)/vulture

bench: $(VENV)/.bench
	@$(BIN)/python tests/bench/run.py $(ARGS)

fuzz: $(VENV)/.fuzz
	@$(BIN)/python tests/fuzz/run.py $(ARGS)

soak: $(VENV)/.dev
	@RING=$(SOAK) $(PYTEST) -m "soak or sweep" --timeout 7200 -n $(WORKERS) $(ARGS)
	@$(if $(ARGS),,$(BIN)/python tests/soak/chaos.py --seconds $(if $(filter short,$(SOAK)),30,600))

mutants: $(VENV)/.dev
	@$(BIN)/python tests/tools/mutants.py $(ARGS)

# The inner ring in another environment, which is kept: its folder, its Python, the words of scripts/install.py.
ring = $(call environment,$(1),$(2),$(3)) && $(call run,$(1))
environment = { test -x $(1)/bin/python || $(2) -m venv --without-pip $(1); } && $(1)/bin/python scripts/install.py $(3)
run = $(CURDIR)/$(1)/bin/python -m pytest --dist worksteal -q -m "not outer and not soak" -n $(CORES) $(ARGS)

pythons:
	@failed=; for version in 3.11 3.12 3.13 3.14; do \
	    python$$version -c '' 2>/dev/null || { echo "Python $$version: not found here"; continue; }; \
	    echo "Python $$version:"; $(call ring,$(VENV)/pythons/$$version,python$$version,dev) || failed="$$failed $$version"; \
	done; test -z "$$failed" || { echo "failed with Python$$failed" >&2; exit 1; }

# No inner test needs an extra that is compiled. The core is tried without the extensions; then those with it.
oldest: $(VENV)/.dev
	@$(call environment,$(VENV)/pythons/oldest,$(BIN)/python,--oldest dev labels scan)
	@$(VENV)/pythons/oldest/bin/python -m tests.tools.core -- --dist worksteal -n $(CORES) $(ARGS)
	@$(call run,$(VENV)/pythons/oldest) $(wildcard $(patsubst companion/extensions/%/__init__.py,tests/%,$(wildcard companion/extensions/*/__init__.py)))

screenshots: $(VENV)/.dev
	@$(BIN)/python scripts/screenshots.py $(ARGS)

generated: messages settings surface
	@$(BIN)/python tests/games/regenerate.py
	@$(BIN)/python scripts/rulings.py
	@$(BIN)/python -m tests.engine.fingerprints --write
	@$(BIN)/python -m tests.companion.offers --write
	@$(BIN)/python -m tests.companion.moments --write
	@$(BIN)/python -m tests.companion.random_talk --write

messages: $(VENV)/.dev
	@$(BIN)/python scripts/messages.py $(ARGS)

settings: $(VENV)/.dev
	@$(BIN)/python scripts/settings.py

surface: $(VENV)/.dev
	@$(BIN)/python scripts/surface.py

extras: $(VENV)/.play
	@$(INSTALL) $(ARGS)

constraints:
	@{ echo "# What a fresh .venv gets; make constraints renews it."; \
	uv pip compile --quiet --universal --upgrade --no-header --no-annotate --python-version 3.11 \
	    --extra dev pyproject.toml; } >constraints.new && mv constraints.new constraints.txt

clean:
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.place: $(STALE)
	@found=; half=; \
	for candidate in $(CANDIDATES); do \
	    "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    "$$candidate" scripts/install.py --check 2>/dev/null && { found=$$candidate; break; }; \
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
	echo "Making $(VENV) (once, in less than a minute) ..."; \
	"$$found" -m venv --clear --without-pip $(VENV)
	@printf '%s\n' '$(CURDIR)' >$@

$(VENV)/.play: $(INSTALLED) $(VENV)/.place
	@$(INSTALL)
	@touch $@

$(VENV)/.dev: $(INSTALLED) $(VENV)/.place
	@$(INSTALL) dev
	@$(REWRITE)
	@touch $(VENV)/.play $@

$(VENV)/.bench: $(INSTALLED) $(VENV)/.place
	@$(INSTALL) dev bench
	@touch $(VENV)/.play $(VENV)/.dev $@

$(VENV)/.fuzz: $(INSTALLED) $(VENV)/.place
	@$(INSTALL) dev fuzz
	@touch $(VENV)/.play $(VENV)/.dev $@
