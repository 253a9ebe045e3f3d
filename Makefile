# Two commands are enough: `make run` and `make test`. `make help` lists the others.

PORT ?= 8000
RELOAD ?=
NAME ?= My agent
OWNER ?= mara@harbour.example
WSM_HOME ?= $(CURDIR)/var
BENCH_HOME ?= $(CURDIR)/var/bench
export PORT RELOAD WSM_HOME

BOOTSTRAP := ./embedded/launcher/bootstrap.sh
PYTHON_ENV := .venv/bin/python
MANAGE := $(PYTHON_ENV) manage.py
# What measures calls makes more of them than a caller may.
UNLIMITED := RATE_LIMIT_PER_MINUTE=0 WORKSPACE_RATE_LIMIT_PER_MINUTE=0
# The servers that no URL names, in a folder that is deleted afterwards.
WITH_SERVERS := $(PYTHON_ENV) -m embedded exec --fast --
# The servers of `make test-servers`, which stay up between runs; without them, servers for this run only.
TEST_HOME ?= $(CURDIR)/var/test
WITH_KEPT_SERVERS := $(PYTHON_ENV) -m embedded exec --fast --home "$(TEST_HOME)" --
# Most of the time of a short run, and of each program that tests start, is importing: without compiled files it is
# twice as long.
COMPILED := env -u PYTHONDONTWRITEBYTECODE

# Those that run next to each other, and those that stop servers; no test at all (5) is none that fails.
TOGETHER := { $(PYTHON_ENV) -m pytest -n auto --maxprocesses 4 --dist worksteal -m "not alone" $(ARGS) || [ $$? -eq 5 ]; }
ALONE := { $(PYTHON_ENV) -m pytest -m alone $(ARGS) || [ $$? -eq 5 ]; }

# The oldest Python of the SDK has less in its library.
TYPES := $(PYTHON_ENV) -m mypy . && \
	MYPYPATH=client $(PYTHON_ENV) -m mypy --config-file= --strict --python-version 3.10 --exclude integrations/ client/workspace_memory

COMPILE := uv pip compile --quiet --universal --python-version 3.11 --no-header --annotation-style line

.DEFAULT_GOAL := help
.PHONY: help run workspace servers test check lint docs demo demo-talk bench-search bench-scale bench-mining bench-actions bench-ask bench-context
.PHONY: bench-messages bench-window bench-fairness bench-recall bench-evidence bench-chat bench-spaces bench-truth bench-small-stores
.PHONY: bench-pages bench-tasks bench-pictures bench-hooks bench-integrations bench-tool-tokens bench-imports
.PHONY: quick feature test-servers hooks
.PHONY: fuzz-api bench-scratchpad format lock clean runtime dev

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo "  Settings: PORT=8000 WSM_HOME=var DATABASE_URL= REDIS_URL= GRAPH_URL= (see docs/reference/settings.md)"

run: ## Install what is missing, start everything, serve http://127.0.0.1:PORT until Ctrl-C (RELOAD=1 follows edits)
	@$(BOOTSTRAP) runtime $(PORT)
	@exec $(PYTHON_ENV) -m embedded.launcher

workspace: export NAME := $(NAME)
workspace: export OWNER := $(OWNER)
workspace: runtime ## Make an empty workspace for an agent of your own, its key in var/keys (NAME="My agent" OWNER=email)
	@exec env -u PORT $(PYTHON_ENV) -m embedded.launcher -- $(MANAGE) found_workspace --owner "$$OWNER" --key -- "$$NAME"

servers: runtime ## Start PostgreSQL, Valkey and the graph server only, until Ctrl-C
	@exec $(PYTHON_ENV) -m embedded up --home "$(WSM_HOME)"

test: dev ## Run the tests against servers of their own (ARGS="-k recall" chooses some)
	$(COMPILED) $(WITH_SERVERS) sh -c '$(TOGETHER) && $(ALONE)'

quick: dev ## Run the tests that need no server, in about a minute (ARGS="tests/core" chooses some)
	@$(COMPILED) $(PYTHON_ENV) -m pytest --quick -q -n 0 -p no:schemathesis $(ARGS)

test-servers: dev ## Start servers for `make feature`, with a folder of their own, until Ctrl-C
	@exec $(PYTHON_ENV) -m embedded up --fast --home "$(TEST_HOME)"

feature: dev ## Run some tests in seconds, next to `make test-servers` (ARGS="tests/memory/test_weight.py")
	@began=$$(date +%s); \
	$(COMPILED) $(WITH_KEPT_SERVERS) $(PYTHON_ENV) -m pytest --reuse-db -q -n 0 -p no:schemathesis $(ARGS); \
	status=$$?; echo "make feature took $$(( $$(date +%s) - began )) s."; exit $$status

hooks: dev ## Run what must hold before every commit, as pre-commit does (.pre-commit-config.yaml)
	$(PYTHON_ENV) -m ruff format --check .
	$(PYTHON_ENV) -m ruff check .
	$(PYTHON_ENV) .venv/bin/lint-imports

docs: dev ## Build the documentation as a site into var/site, and fail on a broken link
	@NO_MKDOCS_2_WARNING=1 $(PYTHON_ENV) -m mkdocs build --strict --quiet --config-file deploy/docs/mkdocs.yml
	@echo "Open it with: $(PYTHON_ENV) -m http.server --directory var/site 8080"

check: hooks ## Everything that must hold: format, lint, layers, types, migrations, tests
	@# The tests that run alone wait more than they work, and leave a core for the types.
	$(COMPILED) $(WITH_SERVERS) sh -c '$(MANAGE) makemigrations --check --dry-run && \
		{ { $(TYPES); } & types=$$!; $(ALONE); alone=$$?; wait $$types && [ $$alone -eq 0 ]; } && $(TOGETHER)'

lint: hooks ## Format, lint, layers, types
	$(TYPES)

bench-scratchpad: runtime ## Count the tokens of an agent loop with and without a scratchpad
	@PYTHONPATH=client exec $(PYTHON_ENV) -m bench.scratchpad

format: dev ## Format the code and apply the linter's safe repairs
	$(PYTHON_ENV) -m ruff check --fix .
	$(PYTHON_ENV) -m ruff format .

demo: runtime ## Import a conversation over REST, search it, cite it, and print a table
	@exec $(PYTHON_ENV) -m embedded.launcher -- $(PYTHON_ENV) -m bench.demo

demo-talk: runtime ## Import a conversation, consolidate it, ask about it in chat, without a model and with one
	@MODEL_HOSTS=127.0.0.1 exec $(PYTHON_ENV) -m embedded.launcher -- $(PYTHON_ENV) -m bench.conversation_demo

bench-search: runtime ## Measure search over 10,000 and 100,000 memories
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.search

bench-scale: runtime ## Measure one workspace among 1,000,000 nodes and 2,000,000 edges in 1,000 workspaces
	@$(PYTHON_ENV) -m embedded exec --home "$(BENCH_HOME)/scale" -- \
		sh -c 'WSM_DATABASE_ROLE=owner $(MANAGE) migrate --verbosity 0 && $(PYTHON_ENV) -m bench.scale'

bench-mining: runtime ## Measure what sequences and patterns of 1,000,000 actions take
	@$(PYTHON_ENV) -m embedded exec --home "$(BENCH_HOME)/mining" -- \
		sh -c 'WSM_DATABASE_ROLE=owner $(MANAGE) migrate --verbosity 0 && $(PYTHON_ENV) -m bench.mining'

bench-actions: runtime ## Measure how many actions are taken a second, and what capture adds to a call
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.actions

bench-ask: runtime ## Measure how often answers of the ontology cite the evidence
	@WSM_HOME="$(BENCH_HOME)" MODEL_HOSTS=127.0.0.1 $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.answer_citations

fuzz-api: dev ## Hold thousands of calls to the OpenAPI document (CASES=2000 SEED=0)
	@WSM_HOME="$(BENCH_HOME)/fuzz" MODEL_HOSTS=127.0.0.1 $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.fuzz $(CASES:%=--cases=%) $(SEED:%=--seed=%)

bench-context: runtime ## Measure contexts among 100,000 memories and 30,000 messages
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.context_latency

bench-messages: runtime ## Measure taking in and searching 100,000 messages
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.messages

bench-window: runtime ## Measure the window of a conversation through 300 messages of an agent with tools
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.window

bench-fairness: runtime ## Measure how long a memory waits for its vector while another workspace imports 10,000 messages
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.fairness

bench-imports: runtime ## Import 10,000 items of each product's export, killed in the middle and continued (ONLY=mem0 ITEMS=3000)
	@WSM_HOME="$(BENCH_HOME)" PYTHONPATH=client $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.imports $(ONLY:%=--only=%) $(ITEMS:%=--items=%)

bench-recall: dev ## Measure how much evidence is found in the data sets of RECALL_DATA, compared with baselines and peers
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.recall

bench-evidence: dev ## Measure how much evidence is inside contexts, for the data sets of RECALL_DATA
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.context_evidence

bench-chat: dev ## Measure how often the chat without a model quotes what answers, for the data sets of RECALL_DATA
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.chat_quotes

bench-hooks: runtime ## Measure how long the plugin's hooks hold the client, also where the server or the disk fails
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.hooks

bench-truth: runtime ## Measure how often a newer memory stands alone, and how often one is closed wrongly
	@WSM_HOME="$(BENCH_HOME)" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.replacement

bench-small-stores: runtime ## Measure whether few messages or notes answer questions in other words
	@WSM_HOME="$(BENCH_HOME)/stores" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.small_stores

bench-pages: dev ## Measure every console page among 100,000 memories: time, queries, bytes (ONLY=memory CALLS=30)
	@WSM_HOME="$(BENCH_HOME)/pages" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.console_pages $(ONLY:%=--only=%) $(CALLS:%=--calls=%)

bench-tasks: dev ## Do in Chromium what people come to the console for, and count clicks, keys and seconds
	@WSM_HOME="$(BENCH_HOME)/tasks" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.console_tasks

bench-pictures: dev ## Take pictures of every console page into a folder (TO=folder AMOUNT=much ONLY=memory)
	@WSM_HOME="$(BENCH_HOME)/pages" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.console_pictures --to="$(TO)" $(AMOUNT:%=--amount=%) $(ONLY:%=--only=%)

bench-integrations: dev ## Measure seconds and lines until an agent of each framework remembers (ONLY=langgraph)
	@rm -rf "$(BENCH_HOME)/integrations"
	@WSM_HOME="$(BENCH_HOME)/integrations" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.integrations $(ONLY:%=--only=%)

bench-tool-tokens: dev ## Count the tokens of the MCP tools of each set, and of other servers (PEER="name=command")
	@WSM_HOME="$(BENCH_HOME)/integrations" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- \
		$(PYTHON_ENV) -m bench.tool_tokens $(if $(PEER),--peer="$(PEER)")

bench-spaces: runtime ## Try 1,000,000 pairs of scopes and rows, and measure search in one of 10,000 spaces
	@WSM_HOME="$(BENCH_HOME)/spaces" $(UNLIMITED) exec $(PYTHON_ENV) -m embedded.launcher --free-port -- $(PYTHON_ENV) -m bench.space_isolation

lock: ## Pin what requirements.in and requirements-dev.in name (needs uv)
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) -c requirements.txt requirements-dev.in -o requirements-dev.txt
	$(COMPILE) requirements-integrations.in -o requirements-integrations.txt
	$(COMPILE) requirements-crewai.in -o requirements-crewai.txt
	@sed -i.old "/sys_platform == '\(win32\|emscripten\)'/d" requirements.txt requirements-dev.txt
	@{ echo "-r requirements.txt"; cat requirements-dev.txt; } > requirements-dev.txt.old
	@mv requirements-dev.txt.old requirements-dev.txt && rm requirements.txt.old

clean: ## Delete the environment and caches; var/ with its data stays
	rm -rf .venv .venv.lock .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './var/*' -prune -exec rm -rf {} +

dev: ## Install everything that tests and linters need into .venv
runtime dev:
	@$(BOOTSTRAP) $@
