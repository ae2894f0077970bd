# Everything is set up from nothing but Python 3.11 or newer: with uv where it is installed, else with venv and pip.
# A stamp file in the environment says what is installed, so that nothing is done twice.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
SUNFISH := .venv-sunfish
UV := $(shell command -v uv 2>/dev/null)
ARGS ?=
# Python keeps what it has compiled, whatever the environment says: to read all sources anew costs each process a second.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run serve test lint bench docs lock clean

run: $(VENV)/.run
	@$(BIN)/plybench $(ARGS)

serve: $(VENV)/.serve
	@$(BIN)/plybench serve $(ARGS)

test: lint
	$(BIN)/plybench warm
	$(BIN)/pytest -n 3 --dist worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 -m plain

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The pages that are made from the sources. The pictures of the app are made by docs/tools/app_pictures.py, which takes long.
docs: $(VENV)/.dev
	$(BIN)/python docs/tools/commands.py
	$(BIN)/python docs/tools/keys.py
	$(BIN)/python docs/tools/counts.py
	$(BIN)/python docs/tools/rooms.py

# Only the long measurements need Sunfish.
bench: $(VENV)/.bench $(if $(PLYBENCH_LONG)$(filter wac matches,$(ARGS)),$(SUNFISH)/.sunfish)
	@$(BIN)/python -m benchmarks $(ARGS)

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "Plybench needs Python 3.11 or newer; none was found."; exit 1; }
	$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
	@touch $@

$(VENV)/.%: requirements/%.txt pyproject.toml | $(VENV)/.made
	$(if $(UV),$(UV) pip install --quiet --compile-bytecode --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check) -r $<
	$(if $(UV),$(UV) pip install --quiet --compile-bytecode --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check) --no-deps --editable .
	@touch $@

# Sunfish needs an old version of chess, so it has an environment of its own.
$(SUNFISH)/.made: | $(VENV)/.made
	$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(SUNFISH),$(PYTHON) -m venv $(SUNFISH))
	@touch $@

$(SUNFISH)/.sunfish: requirements/sunfish.txt | $(SUNFISH)/.made
	$(if $(UV),$(UV) pip install --quiet --compile-bytecode --python $(SUNFISH)/bin/python,$(SUNFISH)/bin/python -m pip install --quiet --disable-pip-version-check) -r $<
	@touch $@

# The locked versions, regenerated from pyproject.toml; needs uv.
lock:
	uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --extra images pyproject.toml -o requirements/run.txt
	uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --extra serve pyproject.toml -c requirements/run.txt -o requirements/serve.txt
	uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --extra cluster pyproject.toml -c requirements/run.txt -o requirements/cluster.txt
	uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --extra dev pyproject.toml -c requirements/run.txt -o requirements/dev.txt
	uv pip compile --quiet --universal --no-header --no-annotate --no-emit-index-url --extra bench pyproject.toml -c requirements/dev.txt -o requirements/bench.txt

clean:
	rm -rf $(VENV) $(SUNFISH) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
