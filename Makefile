# Two commands: `make play` and `make test`. Both set up what they need.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.set-up

BROWSERS := chromium chromium-browser google-chrome google-chrome-stable

.PHONY: help setup browser node play test compiled lint soak bench results scores pictures clean

help:  ## show what can be made
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(DONE)  ## build .venv, so that .venv/bin/kibitz works

$(DONE): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "kibitz needs Python 3.11 or newer; name yours with make PYTHON=python3"; exit 1; }
	@echo "Setting up $(VENV); the first time takes a minute or two."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(DONE)

play: setup  ## play in the browser
	@$(BIN)/kibitz serve

browser:  ## find a Chromium for the tests of the page, or install one
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; [ -n "$$KIBITZ_BROWSER" ] && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Chromium for the tests of the page."; apt-get -qq update && apt-get -qq install -y chromium >/dev/null; \
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

test: setup browser node  ## check everything
	@$(MAKE) --no-print-directory --jobs 2 lint compiled
	@$(BIN)/pytest -n 3 --dist worksteal  # on two cores: many tests wait for a browser, a socket or a clock

compiled: setup
	@$(BIN)/python -m tests.compile

lint: setup  ## linter, type checker, import contract between the rooms
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

soak: setup compiled  ## play at both servers under faults, 30 minutes: make soak MINUTES=5 SEED=7 FAULTS=kill,disk
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),30) $(if $(SEED),--seed $(SEED)) $(if $(FAULTS),--faults $(FAULTS)) $(if $(ONLY),--only $(ONLY))

bench: setup  ## measure speed against others, side by side
	@$(BIN)/python benchmarks/run.py

results: setup  ## play the published tables again: docs/results and the table of the README
	@$(BIN)/python docs/results/make.py

scores: setup  ## measure every agent again, for the catalogue of the page
	@$(BIN)/python -m kibitz.web.scores

pictures: setup browser  ## draw the pictures of the README and of the pages
	@$(BIN)/python docs/pictures/make.py

clean:  ## remove what setup built
	rm -rf $(VENV)
