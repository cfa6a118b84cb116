# dpviz: `make run` starts the app, `make check` runs the quick checks, `make test` all of them.
# Needs Python >= 3.11 and make.
# All paths are relative and tools run as `python -m`, so the folder's name may contain spaces.

PORT ?= 8501
HOST ?= 127.0.0.1
PYTHON ?=
VENV := .venv
PY := $(VENV)/bin/python
export PYTHON HOST PORT

.DEFAULT_GOAL := help
.PHONY: help run check test lint format bench peers samples answers figures readme docs clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/runtime.stamp ## install what is needed, start the app and print its address (PORT=8501, HOST=127.0.0.1)
	@exec $(PY) -m scripts.serve

check: $(VENV)/dev.stamp ## lint, types and the quick tests: no large samples, pages or browser
	@sh scripts/check.sh quick

test: $(VENV)/dev.stamp ## lint, types and all tests on all cores, those in a real browser included
	@sh scripts/check.sh all

lint: $(VENV)/dev.stamp ## ruff and mypy only
	@sh scripts/check.sh lint

format: $(VENV)/dev.stamp ## let ruff mend style and layout
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(VENV)/dev.stamp ## speed and accuracy, one module after the other (ONLY="name name" picks some)
	@$(PY) -m benchmarks $(ONLY)

peers: $(VENV)/dev.stamp ## install the libraries that `make bench` compares with, where they are wanted
	$(PY) -m pip install -q -c constraints.txt --no-build-isolation -e '.[peers]'

samples: $(VENV)/runtime.stamp ## write the sample data anew
	$(PY) sample_data/make_samples.py

answers: $(VENV)/runtime.stamp ## compute anew what the page What if answers at once (half an hour, one core)
	$(PY) -m scripts.answers

docs: $(VENV)/dev.stamp ## write the API page of all public names into build/docs
	@$(PY) -m scripts.api_page

figures: $(VENV)/runtime.stamp ## run the papers' studies anew and store what the Papers page opens with (about ten minutes)
	$(PY) -m scripts.paper_figures

readme: $(VENV)/runtime.stamp ## write README's table of methods anew from the catalogue
	$(PY) -m scripts.methods_table

clean: ## remove the environment and everything generated
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/runtime.stamp: pyproject.toml constraints.txt scripts/install.sh
	@sh scripts/install.sh runtime

$(VENV)/dev.stamp: pyproject.toml constraints.txt scripts/install.sh
	@sh scripts/install.sh dev
