# Same Deal. `make` alone lists the verbs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help env demo test check fix serve play bot bench soak soak-mutants generate pictures texts lock clean

help: ## list the verbs
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

env: $(STAMP) ## make or update .venv (quick when nothing changed)

# Every version and hash comes from requirements.lock; our own package is linked, not copied.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Same Deal needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: env ## four bots race a short duel on a server of their own
	@$(BIN)/samedeal demo $(if $(RULESET),--ruleset $(RULESET))

test: env ## run the tests
	$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

check: env ## format, lint, types, layers, generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy tools
	$(BIN)/lint-imports
	$(BIN)/python tools/generate_schema.py --check
	$(BIN)/python tools/make_rules_doc.py --check
	$(BIN)/python tools/make_keys_doc.py --check
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

fix: env ## format and repair what ruff can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

serve: env ## run a server here (embedded store); ARGS="--port 7777"
	@exec $(BIN)/samedeal serve $(ARGS)

play: env ## play: race a bot, a friend, or the clock
	@exec $(BIN)/samedeal play $(ARGS)

bot: env ## seat a bot: make bot ARGS="CODE --level hard"
	@exec $(BIN)/samedeal bot $(ARGS)

bench: env ## load on a running server: make bench ARGS="--players 100"
	@exec $(BIN)/samedeal bench $(ARGS)

soak: env ## faults against real processes: make soak MINUTES=10 SEED=1
	@PYTHONPATH=tests $(BIN)/python -m faults.soak --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED)) $(ARGS)

soak-mutants: env ## does the harness find bugs that are planted into a node?
	$(BIN)/python -m pytest tests/faults/test_soak.py -k planted

generate: env ## rewrite what is made from the code: schemas, lifecycle, transcript, rules
	$(BIN)/python tools/generate_schema.py
	$(BIN)/python tools/draw_lifecycle.py
	$(BIN)/python tools/make_transcript.py
	$(BIN)/python tools/make_rules_doc.py
	$(BIN)/python tools/make_keys_doc.py
	$(BIN)/python tools/make_texts.py

pictures: env ## draw the pictures of the README anew
	@PYTHONPATH=tests $(BIN)/python tools/make_pictures.py

texts: env ## the client's texts: extract, update es.po, compile es.mo
	$(BIN)/python tools/make_texts.py

lock: env ## pin every dependency anew (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --extra dev pyproject.toml -o requirements.lock

clean: ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist
