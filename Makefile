# dpviz: `make run` starts the app, `make check` runs the quick checks, `make test` every kind,
# and `make thorough` what repeats them on more settings.
# Needs Python >= 3.11 and make.
# All paths are relative and tools run as `python -m`, so the folder's name may contain spaces.

PORT ?= 8501
HOST ?= 127.0.0.1
WORKERS ?= 1
BASE_PATH ?=
NAMES ?=
PYTHON ?=
VENV := .venv
PY := $(VENV)/bin/python
export PYTHON HOST PORT WORKERS BASE_PATH NAMES

.DEFAULT_GOAL := help
.PHONY: help run dev serve check test thorough lint format bench load peers samples answers figures readme docs gallery site site-check clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/runtime.stamp ## install what is needed, start the app and print its address (PORT=8501, HOST=127.0.0.1)
	@WORKERS= BASE_PATH= NAMES= exec $(PY) -m scripts.serve

dev: $(VENV)/dev.stamp ## the same for developers: a changed file is seen at once
	@exec $(PY) -m streamlit run dpviz/ui/server/asgi.py --server.port $(PORT) --server.address $(HOST) --server.fileWatcherType auto

serve: $(VENV)/runtime.stamp ## the same for a class: WORKERS=2 processes behind HAProxy, BASE_PATH=/dpviz; docs/deploy.md
	@exec $(PY) -m scripts.serve

check: $(VENV)/dev.stamp ## lint, types and the quick tests: no large samples, pages or browser
	@sh scripts/check.sh quick

test: $(VENV)/dev.stamp ## lint, types and every kind of test on all cores, those in a real browser included
	@sh scripts/check.sh all

thorough: $(VENV)/dev.stamp ## what `make test` shows once, on more settings, screens and stories (marker thorough)
	@sh scripts/check.sh thorough

lint: $(VENV)/dev.stamp ## ruff and mypy only
	@sh scripts/check.sh lint

format: $(VENV)/dev.stamp ## let ruff mend style and layout
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(VENV)/dev.stamp ## speed and accuracy, one module after the other (ONLY="name name" picks some, into build/ only)
	@$(PY) -m benchmarks $(ONLY)

load: $(VENV)/dev.stamp ## a class at once: how soon a server answers, what it costs (LOAD="--sessions 100" for one load of your own)
	@$(PY) -m benchmarks.load $(LOAD)

peers: $(VENV)/dev.stamp ## install the libraries that `make bench` compares with, where they are wanted
	$(PY) -m pip install -q -c constraints.txt --no-build-isolation -e '.[peers]'

samples: $(VENV)/runtime.stamp ## write the sample data anew
	$(PY) sample_data/make_samples.py

answers: $(VENV)/runtime.stamp ## compute anew what recommendations, sweeps and maps answer at once (half an hour, one core)
	$(PY) -m scripts.answers

gallery: $(VENV)/dev.stamp ## take the pictures of the gallery from the app anew (ONLY="trees map" takes some)
	@DPVIZ_CHROMIUM=$$(sh scripts/find_browser.sh) && export DPVIZ_CHROMIUM && $(PY) -m scripts.gallery $(ONLY)

site: $(VENV)/runtime.stamp ## write the stories as plain files into build/site (SITE="--single --address https://…")
	@$(PY) -m dpviz site build/site $(SITE)

site-check: $(VENV)/dev.stamp ## the static edition whole: bytes, seconds on a slow line, all states in Chromium and Firefox, frames, axe, wheel, notebooks
	@DPVIZ_CHROMIUM=$$(sh scripts/find_browser.sh) && export DPVIZ_CHROMIUM \
		&& { DPVIZ_FIREFOX=$$(sh scripts/find_browser.sh firefox) && export DPVIZ_FIREFOX || true; } && $(PY) -m scripts.site_check

docs: $(VENV)/dev.stamp ## write the API page of all public names into build/docs
	@$(PY) -m scripts.api_page

figures: $(VENV)/runtime.stamp ## run the papers' studies anew and store what the Papers page opens with (15 to 20 minutes)
	$(PY) -m scripts.paper_figures

readme: $(VENV)/runtime.stamp ## write README's table of methods and its measured figures anew
	$(PY) -m scripts.methods_table
	$(PY) -m benchmarks readme

clean: ## remove the environment and everything generated
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/runtime.stamp: pyproject.toml constraints.txt scripts/install.sh
	@sh scripts/install.sh runtime

$(VENV)/dev.stamp: pyproject.toml constraints.txt scripts/install.sh
	@sh scripts/install.sh dev
