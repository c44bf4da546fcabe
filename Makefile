# Relembra: `make run` installs and starts the product, `make test` installs what tests need and runs them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
# What `make check` tries: decisions, rules and the engine without a server, a browser or another process.
QUICK := $(addprefix tests/unit/,domain ingest learn recall tools transfer views test_layers.py test_settings.py \
	test_items.py test_conversations.py test_forgetting.py)

.PHONY: help run test check soak lint format locale bench measure client requirements clean

help: ## Show what can be done here
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: $(VENV)/.installed-run ## Install Relembra and start it at http://127.0.0.1:8484
	@echo "In another terminal, for the command line and Python:  . $(VENV)/bin/activate"
	@$(BIN)/relembra serve

test: $(VENV)/.installed-test ## Install what the tests need, check style and types, run every test
	@$(MAKE) --no-print-directory lint
	@$(BIN)/pytest -n auto --durations=15

check: $(VENV)/.installed-test ## Check style and types and run the quick tests, in a minute and a half
	@$(MAKE) --no-print-directory lint
	@$(BIN)/pytest -n auto -q $(QUICK)

soak: $(VENV)/.installed-test ## Try faults, kills and properties with new seeds for MINUTES (30); SEED repeats a run
	@$(BIN)/python tests/soak.py $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES))

lint: $(VENV)/.installed-test ## Check style and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

format: $(VENV)/.installed-test ## Format the code and sort its imports
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

locale: $(VENV)/.installed-test ## Compile the catalogues of sentences in src/relembra/locale
	@$(BIN)/pybabel --quiet compile --directory src/relembra/locale --domain relembra

bench: $(VENV)/.installed-test ## Measure speed and size, as ratios printed in one table
	@$(BIN)/python -m bench.run

measure: $(VENV)/.installed-test ## Print how large the house is
	@$(BIN)/python -m bench.measure

client: $(VENV)/.installed-test ## Check the TypeScript client's types and run its tests; needs Node 20
	@sh clients/typescript/check.sh $(BIN)/python

requirements: $(VENV)/.installed-test ## Compile the pinned requirements again
	@sh requirements/compile.sh $(BIN)/uv

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build

$(BIN)/python:
	@sh requirements/venv.sh $(PYTHON) $(VENV)

$(VENV)/.installed-run: requirements/run.txt pyproject.toml | $(BIN)/python
	@echo "Installing Relembra into $(VENV) …"
	@$(PIP) --require-hashes --no-deps -r requirements/build.txt
	@$(PIP) --require-hashes --no-deps -r requirements/run.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.installed-test: requirements/test.txt pyproject.toml | $(BIN)/python
	@echo "Installing what the tests need into $(VENV) …"
	@$(PIP) --require-hashes --no-deps -r requirements/build.txt
	@$(PIP) --require-hashes --no-deps -r requirements/test.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@sh requirements/system.sh
	@touch $@ $(VENV)/.installed-run
