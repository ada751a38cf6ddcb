# Two commands: `make play` and `make test`. Both set up what they need.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.set-up
# Without bytecode of every module of every package, which takes half the time: Python makes that of what it imports.
PIP := --quiet --disable-pip-version-check --no-compile

# Images of containers often forbid bytecode beside the sources. Then every process compiles every module that it imports
# again, which takes longer than all else that a command does: here it is kept in the environment instead.
ifdef PYTHONDONTWRITEBYTECODE
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/bytecode
endif

BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable

# What `make coverage` runs besides a game of every agent: tests that are feasible without the compiler. The others play
# thousands of games.
INTERPRETED := $(wildcard $(addprefix tests/games/*/test_,rules.py cards.py notation.py page.py)) \
  $(addprefix tests/,core/test_record.py core/test_registry.py games/hanabi/agents/test_promises.py games/hanabi/agents/test_rule_files.py \
  games/hanabi/test_knowledge.py games/hanabi/test_start_positions.py games/hanabi/formats/test_hanab_live.py games/loveletter/test_rounds.py arena/test_statistics.py arena/test_ratings.py)

# `make fuzz TIMES=50 SEED=7`: so many times the examples of a test run, from a seed that another run can repeat
TIMES ?= 20
SEED ?= $(shell date +%s)

.PHONY: help setup browser node programs play test compiled lint soak fuzz coverage bench results levels scores pictures clean

help:  ## show what can be made
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(DONE)  ## build .venv, so that .venv/bin/kibitz works

$(DONE): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "kibitz needs Python 3.11 or newer; name yours with make PYTHON=python3"; exit 1; }
	@echo "Setting up $(VENV); the first time takes a minute or two."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install $(PIP) uv && VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --editable . --group dev || { \
	  echo "Once more with pip, which takes longer and knows the package indexes that pip was told of."; \
	  $(BIN)/pip install $(PIP) --upgrade "pip>=25.1" && $(BIN)/pip install $(PIP) --prefer-binary --editable . --group dev; }
	@touch $(DONE)

play: setup  ## play in the browser
	@$(BIN)/kibitz serve

browser:  ## find a Chromium for the tests of the page, or install one
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; [ -n "$$KIBITZ_BROWSER" ] && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Chromium for the tests of the page."; apt-get -qq update && \
	  { apt-get -qq install -y chromium-headless-shell >/dev/null 2>&1 || apt-get -qq install -y chromium >/dev/null; }; \
	else \
	  echo "There is no Chromium here, so the tests of the page will be skipped."; \
	  echo "Install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER."; \
	fi

node:  ## find Node for the test of the bot in JavaScript, or install it
	@command -v node >/dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Node for the test of the bot in JavaScript."; apt-get -qq update && apt-get -qq install -y --no-install-recommends nodejs >/dev/null; \
	else \
	  echo "There is no Node here, so the bot in JavaScript will not be tested. Install nodejs."; \
	fi

programs:  # one after the other, as the system's package manager takes one at a time
	@$(MAKE) --no-print-directory browser
	@$(MAKE) --no-print-directory node

test:  ## check everything
	@$(MAKE) --no-print-directory --jobs 3 lint compiled programs  # what is installed comes over the network, and takes no core
	@$(BIN)/pytest -n 3 --dist worksteal  # on two cores: many tests wait for a browser, a socket or a clock

compiled: setup
	@$(BIN)/python -m tests.compile

lint: setup  ## linter, type checker, import contract between the packages, prose
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python tools/prose.py

soak: setup compiled  ## play at both servers under faults, 30 minutes: make soak MINUTES=5 SEED=7 FAULTS=kill,disk
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),30) $(if $(SEED),--seed $(SEED)) $(if $(FAULTS),--faults $(FAULTS)) $(if $(ONLY),--only $(ONLY))

fuzz: setup  ## property tests and comparisons at length, from a random seed: TIMES=20 as many examples, SEED=…
	@echo "Looking for counterexamples with SEED=$(SEED) TIMES=$(TIMES); keep what is found as a test, with @example."
	@KIBITZ_FUZZ=$(TIMES) $(BIN)/pytest -n 2 -m "hypothesis or fuzz" --hypothesis-seed=$(SEED)

coverage: setup  ## what the tests run of the code, and the lines that they do not
	@echo "Playing games of every agent in plain Python, then the tests; it takes some minutes."
	@NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m tests.core.both_ways >/dev/null
	@NUMBA_DISABLE_JIT=1 $(BIN)/coverage run --append -m tests.search.searches >/dev/null
	@NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m "not machine_code" --cov --cov-append --cov-report= $(INTERPRETED)
	@$(BIN)/pytest -n 2 --cov --cov-append --cov-report=term-missing:skip-covered tests/engine/test_cache.py tests/engine/test_compile.py tests/arena tests/cli

bench: setup  ## measure speed against others, side by side
	@$(BIN)/python benchmarks/run.py

results: setup  ## play the published tables again: docs/results and the table of the README
	@$(BIN)/python docs/results/make.py

levels: setup  ## measure every agent of Hanabi with a person at the table, for the levels
	@$(BIN)/python benchmarks/levels.py

scores: setup  ## measure every agent again, for the catalogue of the page
	@$(BIN)/python -m kibitz.server.web.agent_scores

pictures: setup browser  ## draw the pictures of the README and of the pages
	@$(BIN)/python docs/pictures/make.py

clean:  ## remove what setup built
	rm -rf $(VENV)
