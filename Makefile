# The whole developer interface. Each target sets up what it needs in .venv and is quick when repeated.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: help demo reproduce-quick test test-slow check format bench bench-full clean
help:           ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tagweave needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`. Try: make PYTHON=python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Could not make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[check]'
	@touch $@

demo: $(INSTALLED)      ## Complete a generated collection; shows a table, saves a picture
	$(BIN)/python -m tagweave.demo --output demo-output

reproduce-quick: $(INSTALLED) ## Every experiment in small, on a generated collection
	$(BIN)/tagweave reproduce all --data generated --quick --output reproduced/quick

test: $(INSTALLED)      ## All tests but the slow ones, with coverage
	$(BIN)/python -m pytest -m "not slow" --cov --cov-report=term

test-slow: $(INSTALLED) ## The slow tests only
	$(BIN)/python -m pytest -m slow

check: $(INSTALLED)     ## Lint, format and strict types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(INSTALLED)    ## Mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED)     ## The measured claims of README and docs in short, printed again (under 3 minutes)
	$(BIN)/python -m benchmarks

bench-full: $(INSTALLED) ## The same at full size, 1,000,000 instances included; draws docs/growth.png
	$(BIN)/python -m benchmarks --full

clean:                  ## Remove everything that make made
	rm -rf $(VENV) demo-output reproduced .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
