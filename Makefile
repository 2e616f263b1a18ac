# make demo: try it. make test: run the tests. Needs Python 3.11 and make, nothing else.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
APART := -n logical --dist loadfile
SQLITE := DATABASE_URL=sqlite:///$(CURDIR)/var/uac.sqlite3 REDIS_URL=

.PHONY: help demo serve test test-browser lint types ci clean

help:
	@echo "make demo          try it: example people, web and worker, http://localhost:8000"
	@echo "make serve         web and worker on the database as it is"
	@echo "make test          the tests, on SQLite"
	@echo "make test-browser  the tests that drive Chromium"
	@echo "make lint types    what CI checks besides the tests"
	@echo "make ci            all that CI runs"
	@echo "make clean         remove the environment and caches; var/ with its data stays"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "Python 3.11 is needed; name it: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Two stamps, so that the demo does not wait for the tools of the tests
$(VENV)/.runtime: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

.env:
	@umask 077; $(PYTHON) -c 'import secrets; print("SECRET_KEY=" + secrets.token_urlsafe(48)); print("HTTPS=false")' > $@
	@echo "Wrote .env with a new SECRET_KEY for this machine."

demo: $(VENV)/.runtime .env
	@exec $(BIN)/python manage.py demo

serve: $(VENV)/.runtime .env
	@exec $(BIN)/python manage.py serve

test: $(VENV)/.dev .env
	$(SQLITE) $(BIN)/pytest -q $(APART) -m "not browser"

test-browser: $(VENV)/.dev .env
	$(SQLITE) $(BIN)/pytest -q -m browser

lint: $(VENV)/.dev .env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.dev .env
	$(BIN)/mypy

ci:
	.ci/run

clean:
	rm -rf $(VENV) *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
