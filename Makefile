# Two commands: `make play` and `make test`. Both set up what they need.

# The first Python that runs; a name may be found and not run, as pyenv's are
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(shell $(name) -c "print('$(name)')" 2>/dev/null)) python3)
VENV := .venv
BIN := $(VENV)/bin
# The versions that were tested; `make LOCK= test` takes the newest ones that pyproject.toml allows.
LOCK ?= constraints.txt
ifneq ($(LOCK),)
export UV_CONSTRAINT := $(LOCK)
export UV_BUILD_CONSTRAINT := $(LOCK)
export PIP_CONSTRAINT := $(LOCK)
endif
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

.PHONY: help setup browser node programs play test test-slow compiled lint page-lint lock release-check soak fuzz coverage bench results speed docs levels scores pictures clean

help:  ## show what can be made
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(VENV)/.developing  ## build .venv with all extras and the developer tools

# $(call install,WHAT): with uv, or with pip, which may know indexes that uv does not
define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
  { echo "kibitz needs Python 3.11 or newer. Name yours: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
@echo "Setting up $(VENV); the first time takes a minute."
@[ -x $(BIN)/pip ] || $(PYTHON) -m venv $(VENV)
@$(BIN)/pip install $(PIP) uv && VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet $(1) || { \
  echo "uv failed; trying pip, which takes longer."; \
  $(BIN)/pip install $(PIP) --upgrade "pip>=25.1" && $(BIN)/pip install $(PIP) --prefer-binary $(1); }
endef

$(VENV)/.developing: pyproject.toml $(LOCK)
	$(call install,--editable '.[all]' --group dev)
	@touch $(VENV)/.playing $@

$(VENV)/.playing: pyproject.toml $(LOCK)
	$(call install,--editable .)
	@touch $@

lock: setup  ## write the newest versions that pyproject.toml allows to constraints.txt
	@groups=$$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"])') && \
	env -u UV_CONSTRAINT -u UV_BUILD_CONSTRAINT $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	  --no-annotate --custom-compile-command "make lock" --extra all $$(printf -- '--group %s ' $$groups) \
	  pyproject.toml --output-file constraints.txt

play: $(VENV)/.playing  ## play in the browser
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

test-slow: TIMES = 3
test-slow: setup  ## what make test leaves out, then four minutes of soak: SEED=… TIMES=3 MINUTES=4
	@$(MAKE) --no-print-directory --jobs 2 compiled programs
	@begun=$$(date +%s); echo "Property tests with SEED=$(SEED) TIMES=$(TIMES)"; failed=0; \
	KIBITZ_FUZZ=$(TIMES) $(BIN)/pytest -n 3 --dist worksteal -m "slow or fuzz or hypothesis" --hypothesis-seed=$(SEED) || failed=1; \
	$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),4) --seed $(SEED) || failed=1; \
	took=$$(($$(date +%s) - begun)); echo "The slow tests took $$((took / 60)) min $$((took % 60)) s."; exit $$failed

compiled: setup
	@$(BIN)/python -m tests.compile

# ESLint and the TypeScript compiler need Node 20.19 or newer, npm, and the network once.
page-lint:  ## ESLint and type checks of the page, if Node and npm are here
	@command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null || \
	  { echo "There is no npm with Node 20.19 or newer here, so the JavaScript of the page is not checked."; exit 0; }; \
	cd tools/page && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent || \
	  { echo "npm cannot install tools/page/package.json, so the JavaScript of the page is not checked."; exit 0; }; } && \
	node_modules/.bin/tsc -p . && cd ../../src/kibitz && ../../tools/page/node_modules/.bin/eslint --config ../../tools/page/eslint.config.js .

lint: setup  ## linter, type checker, import contract between the packages, prose, the page
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python tools/prose.py
	@$(MAKE) --no-print-directory page-lint

soak: setup compiled  ## play at both servers under faults, 30 minutes: make soak MINUTES=5 SEED=7 FAULTS=kill,disk
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),30) $(if $(SEED),--seed $(SEED)) $(if $(FAULTS),--faults $(FAULTS)) $(if $(ONLY),--only $(ONLY))

fuzz: setup  ## property tests and comparisons at length, from a random seed: TIMES=20 as many examples, SEED=…
	@echo "Looking for counterexamples with SEED=$(SEED) TIMES=$(TIMES); keep what is found as a test, with @example."
	@KIBITZ_FUZZ=$(TIMES) $(BIN)/pytest -n 2 -m "hypothesis or fuzz" --hypothesis-seed=$(SEED)

coverage: setup  ## what the tests run of the code, and the lines that they do not
	@echo "Playing games of every agent in plain Python, then the tests; it takes some minutes."
	@NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m tests.core.both_ways >/dev/null
	@NUMBA_DISABLE_JIT=1 $(BIN)/coverage run --append -m tests.search.searches >/dev/null
	@NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m "not machine_code and not slow" --cov --cov-append --cov-report= $(INTERPRETED)
	@$(BIN)/pytest -n 2 --cov --cov-append --cov-report=term-missing:skip-covered tests/engine/test_cache.py tests/engine/test_compile.py tests/arena tests/cli

bench: setup  ## measure speed against others, side by side
	@$(BIN)/python benchmarks/run.py

results: setup  ## play the published tables again: docs/results and the table of the README
	@$(BIN)/python docs/results/make.py

speed: setup  ## measure speed beside OpenSpiel again, for the table of the README
	@$(BIN)/python docs/results/speed.py

docs: setup  ## build the documentation site: site/index.html
	@$(BIN)/python -c "import furo, myst_parser, sphinx_copybutton" 2>/dev/null || VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --group docs
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d $(VENV)/doctrees docs site && echo "Open site/index.html."

levels: setup  ## measure every agent of Hanabi with a person at the table, for the levels
	@$(BIN)/python benchmarks/levels.py

scores: setup  ## measure every agent again, for the catalogue of the page
	@$(BIN)/python -m kibitz.server.web.agent_scores

pictures: setup browser  ## draw the pictures of the README and of the pages
	@$(BIN)/python docs/pictures/make.py

release-check: setup  ## build the packages, install the wheel elsewhere and use it: PYTHONS="3.12 3.13" KEEP=dist
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --group release
	@$(BIN)/python tools/release_check.py $(if $(LOCK),--constraint $(LOCK)) $(if $(KEEP),--keep $(KEEP)) $(PYTHONS)

clean:  ## remove what setup built
	rm -rf $(VENV) tools/page/node_modules
