# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
DIR ?= .
QUESTION ?= where are keyword and vector scores fused?
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

.PHONY: demo test lint format clean

$(VENV)/.product: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -e '.[dev,eval]'
	@touch $@ $(VENV)/.product

demo: $(VENV)/.product
	$(BIN)/hybrid-index --root "$(DIR)" index
	$(BIN)/hybrid-index --root "$(DIR)" search "$(QUESTION)" --top-n 5

test: lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
