# `make` lists the commands. Everything runs in .venv, which is created when first needed
# and updated when pyproject.toml changes.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
TESTS  ?= tests
ARGS   ?=

# Where Python may keep no compiled modules, tests rewrite all of theirs in every run, and each process that they start
# compiles the program: that is a third of the time.
unexport PYTHONDONTWRITEBYTECODE

# A process that runs out of tests takes some from another.
PYTEST = $(RUN) -m pytest -n auto --dist worksteal $(STRICT) $(ARGS) $(TESTS)

# WARNINGS=error: any warning fails the run, except one about the standard library that discord.py triggers.
STRICT = $(if $(filter error,$(WARNINGS)),-W error -W "ignore:'audioop' is deprecated:DeprecationWarning")

.DEFAULT_GOAL := help
.PHONY: help play bot quick test test-all sweeps mutants lock pin-base image release bom check format-check lint types format clean

help:
	@echo "make play      play in a local web page, without a Discord account"
	@echo "make bot       run the bot on Discord (set DISCORD_TOKEN, or put it in .env)"
	@echo "make quick     the first lap: the tests that find most, in half a minute on two cores"
	@echo "make test      run the tests that four minutes allow (TESTS=tests/storage: all that are there)"
	@echo "make test-all  run all tests but whole sweeps, in about ten minutes: what has to pass before a change goes in"
	@echo "make sweeps    run whole sweeps: every title, option, recorded game, earlier database; slow"
	@echo "make mutants   remove a title's rules one by one (TITLE=1889) and list those that no test misses; slow"
	@echo "make check     check formatting, lint, types and all tests but sweeps, with warnings as errors"
	@echo "make lock      lock what the container installs, with hashes (needs uv)"
	@echo "make pin-base  pin the container's base image as it is today (needs docker and a network)"
	@echo "make image     build the container's image and play a turn with it (needs docker, or buildah)"
	@echo "make release   prepare a release and its tag (VERSION=1.2.0)"
	@echo "make bom       list what the container installs in CycloneDX format (needs cyclonedx-py)"
	@echo "make format    format the code"
	@echo "make clean     remove .venv and everything else that can be rebuilt"

play: $(VENV)/has-playground
	@$(RUN) -m playground $(ARGS)

bot: $(VENV)/has-bot
	@exec $(VENV)/bin/tetsudo bot

quick: $(VENV)/has-dev
	@$(PYTEST) -m quick

test: $(VENV)/has-dev
	@$(PYTEST) -m "$(if $(filter tests,$(TESTS)),not broad and )not slow"

test-all: $(VENV)/has-dev
	@$(PYTEST) -m "not slow"

sweeps: $(VENV)/has-dev
	@$(PYTEST) -m slow

mutants: $(VENV)/has-dev
	@$(RUN) tests/mutation $(TITLE) $(ARGS)

check: WARNINGS := error
check: format-check lint types test-all

format-check: $(VENV)/has-dev
	@$(RUN) -m ruff format --check .

lint: $(VENV)/has-dev
	@$(RUN) -m ruff check .

types: $(VENV)/has-dev
	@$(RUN) -m mypy
	@$(RUN) -m mypy --config-file tests/mypy.ini

format: $(VENV)/has-dev
	@$(RUN) -m ruff format .
	@$(RUN) -m ruff check --fix .

# Of every system and Python that the project supports; setuptools builds the project itself.
lock:
	@echo 'setuptools>=77' | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra postgres --extra endpoint --output-file requirements.lock pyproject.toml -

BASE := python:3.11-slim-bookworm
pin-base:
	@digest=$$(docker buildx imagetools inspect $(BASE) --format '{{.Manifest.Digest}}') \
	  && expr "$$digest" : 'sha256:[0-9a-f]\{64\}$$' >/dev/null \
	  && sed -i "s|^ARG BASE=.*|ARG BASE=$(BASE)@$$digest|" Dockerfile && grep '^ARG BASE=' Dockerfile

image: $(VENV)/has-dev
	@.ci/image

release: $(VENV)/has-dev
	@.ci/release $(VERSION)

bom:
	@mkdir -p dist && cyclonedx-py requirements requirements.lock --output-file dist/tetsudo.cdx.json

clean:
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/renderer/failures
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the virtual environment --------------------------------------------------------------------

NO_VENV := $(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv
TOO_OLD := Tetsudo needs Python 3.11 or newer. If you have one by another name: make PYTHON=python3.12 ...

# Debian's Python cannot put pip into a virtual environment unless python3-venv is installed;
# if python3-pip is installed instead, use that.
$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "$(TOO_OLD)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 \
	  || { rm -rf $(VENV); $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(RUN) install --quiet pip; } 2>/dev/null \
	  || { rm -rf $(VENV); echo "$(NO_VENV)" >&2; exit 1; }

$(VENV)/has-bot:        EXTRA :=
$(VENV)/has-playground: EXTRA := [playground]
$(VENV)/has-dev:        EXTRA := [dev]

$(VENV)/has-bot $(VENV)/has-playground $(VENV)/has-dev: pyproject.toml | $(RUN)
	@echo "Installing dependencies into $(VENV) (once; about a minute) ..."
	@$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.$(EXTRA)'
	@touch $@
