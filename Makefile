# Two commands for everyone: `make site` and `make test`. The rest is for those who build the tool.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

# What Python compiled is kept, whatever the shell says: without it each run of the tests, each worker
# and each command that they start compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help site serve test format lint docs unit integration without-browser thorough browser golden npm test-engines bench picture wheel clean

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

site: $(VENV)/.site ## check the notes, build the site, say where it is
	@$(BIN)/kg check
	@$(BIN)/kg build

serve: $(VENV)/.site ## show the site, and every edit as it is made
	@$(BIN)/kg serve

npm: ## what judges some exports and the scripts of the site in the tests; without it those tests are skipped
	@mkdir -p build/npm && cp tests/npm/package.json build/npm/
	@npm install --prefix build/npm --no-package-lock --no-audit --no-fund --silent
	@# of Dataview only its own file: what it depends on is in no registry, and its parser needs none of it
	@cd build/npm && npm pack --silent obsidian-dataview@0.5.68 >/dev/null && mkdir -p node_modules/obsidian-dataview && \
		tar -xzf obsidian-dataview-0.5.68.tgz -C node_modules/obsidian-dataview --strip-components=1

test: $(VENV)/.test ## all checks and tests, browser included
	@# each is busy with one thing at a time: beside each other they take as long as the longer
	@$(MAKE) --no-print-directory --jobs=2 lint docs
	@$(MAKE) --no-print-directory without-browser
	@$(MAKE) --no-print-directory browser

PRETTIER := build/npm/node_modules/.bin/prettier

format: $(VENV)/.test ## write Python as `make lint` wants it, and after `make npm` the scripts of the site
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .
	@if [ -e $(PRETTIER) ]; then $(PRETTIER) --write --log-level warn site/assets/*.js; fi

# One import against the layers breaks a contract of each room that it leads through. The rooms as a whole
# come first, so the first broken contract names the import itself.
FIRST_BROKEN_CONTRACT := awk '/^Broken contracts$$/ {found = 1; getline; next} \
	found && /^--+$$/ && ++headings == 2 {exit} found {print line; line = $$0}'

lint: $(VENV)/.test ## style, types, layers and names
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@mkdir -p build
	@$(BIN)/lint-imports >build/imports.txt || { $(FIRST_BROKEN_CONTRACT) build/imports.txt; echo "all of it: build/imports.txt"; exit 1; }
	@$(BIN)/python -m pytest -n 0 tests/test_names_of_code.py

docs: $(VENV)/.docs ## build the guides and the reference into build/docs; each broken link fails
	@NO_MKDOCS_2_WARNING=1 DISABLE_MKDOCS_2_WARNING=true $(BIN)/python -m mkdocs build --quiet --strict
	@echo "documentation: build/docs/index.html; searched where it is served: python3 -m http.server -d build/docs"

SPECS_OF_ROOM = $(wildcard $(addprefix tests/specs/,$(ROOM)))

unit: $(VENV)/.test ## what can be tested within one process; of a room alone: ROOM=notes
	@$(BIN)/python -m pytest $(addprefix tests/,$(ROOM)) --ignore=tests/browser -m "not integration" -n auto --dist worksteal
	@$(if $(SPECS_OF_ROOM),$(BIN)/python -m pytest tests/test_specs.py -k "$(SPECS_OF_ROOM:tests/specs/%=%/)" -n auto)

integration: $(VENV)/.test ## what starts git, servers, builds or the program
	@$(BIN)/python -m pytest --ignore=tests/browser -m integration -n auto --dist worksteal

without-browser: $(VENV)/.test ## the unit and integration tests in one run, which takes less time than two
	@$(BIN)/python -m pytest --ignore=tests/browser -n auto --dist worksteal

thorough: $(VENV)/.test ## the same, each property on twenty times as many examples
	@HYPOTHESIS_PROFILE=thorough \
		$(BIN)/python -m pytest --ignore=tests/browser -n auto --dist worksteal -o faulthandler_timeout=1200
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest tests/browser/test_weigh.py -o faulthandler_timeout=1200

browser: $(VENV)/.test ## what people click, in a real Chromium
	@$(BIN)/python tests/browser/find_chromium.py --install
	@$(BIN)/python -m pytest tests/browser -n 2 --dist worksteal

golden: $(VENV)/.test ## write what the tests compare with anew: read the difference before you commit it
	@UPDATE_SPECS=1 $(BIN)/python -m pytest tests/test_specs.py tests/docs/test_tutorial.py \
		tests/docs/test_cookbook.py tests/docs/test_conventions.py
	@$(BIN)/python -m tests.cli.test_golden_commands
	@$(BIN)/python -m tests.publish.test_golden_site

test-engines: $(VENV)/.test ## the same answers from SPARQL servers, Virtuoso included
	@$(BIN)/python tests/engines/find_virtuoso.py --install
	@KG_ENGINES=all $(BIN)/python -m pytest tests/engines -n 2

bench: $(VENV)/.test ## speed, as ratios measured in one run; fails where a step takes twice what was recorded
	@$(BIN)/python -m bench
	@$(BIN)/python -m pytest bench

picture: $(VENV)/.test site ## take the picture of the README anew
	@$(BIN)/python -m tests.browser.take_picture

wheel: $(VENV)/.test ## build the package into dist/
	@$(BIN)/python -m hatchling build -t wheel

clean: ## remove what was built, but not the virtual environment
	rm -rf build dist

$(VENV)/.python:
	@test -n "$(PYTHON)" || { echo "kg needs Python 3.11 or newer; install it, or name it: make PYTHON=/path/to/python"; exit 1; }
	@echo "making a virtual environment in $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.site: $(VENV)/.python pyproject.toml constraints.txt
	@echo "installing kg and what it stands on"
	@$(PIP) --editable .
	@touch $@

# All at once, with what the documentation needs: to start pip again takes five to ten seconds. Python
# compiles what is imported when it first is, a small part of what pip would compile.
$(VENV)/.test: $(VENV)/.python pyproject.toml constraints.txt
	@echo "installing kg, what it stands on, and what tests and documentation need"
	@$(PIP) --no-compile --editable '.[docs,test]'
	@touch $(VENV)/.site $(VENV)/.docs $@

$(VENV)/.docs: $(VENV)/.site
	@echo "installing what the documentation needs"
	@$(PIP) --editable '.[docs]'
	@touch $@
