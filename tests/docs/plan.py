"""What is done with each block of code of the documentation: run here, run by another test, read, or listed.

A new block of a shell, of Python or of SQL is run by `test_blocks.py`, which needs no line here. A page whose blocks
need more than a server has a test of its own, and a line in RUN_BY.
"""

from __future__ import annotations

from fnmatch import fnmatch

from tests.docs.fences import Fence

# Page (or pattern of pages) and language → the test that runs its blocks.
RUN_BY = {
    ("README.md", "python"): "tests/client/test_docs.py",
    ("client/README.md", "python"): "tests/client/test_docs.py",
    ("clients/js/README.md", "js"): "tests/client/test_js.py",
    ("docs/how-to/cli.md", "sh"): "tests/client/test_docs.py",
    ("docs/how-to/integrations/proxy.md", "python"): "tests/chat/test_proxy_page.py",
    ("docs/how-to/integrations/*.md", "python"): "tests/client/integrations/test_adapters.py",
    ("docs/how-to/integrations/vercel-ai.md", "js"): "tests/client/test_js.py",
    ("docs/how-to/js.md", "js"): "tests/client/test_js.py",
    ("docs/how-to/mem0.md", "python"): "tests/client/test_docs.py",
    ("docs/how-to/sdk.md", "python"): "tests/client/test_docs.py",
    ("docs/how-to/users.md", "python"): "tests/client/test_docs.py",
    ("docs/how-to/users.md", "sh"): "tests/client/test_docs.py",
}

# Blocks that are not run: page, and how the first line begins → why.
LISTED = {
    ("CONTRIBUTING.md", "client"): "a drawing",
    ("CONTRIBUTING.md", ".venv/bin/python -m embedded exec"): "writes a migration and generated files into the project",
    ("docs/architecture.md", "agent ── REST /v1"): "a drawing",
    ("docs/how-to/mcp.md", "claude mcp add"): "needs Claude Code, which asks for an account",
    ("docs/how-to/mcp.md", "npx -y -p node@22"): "tests/mcp_server/test_inspector.py runs a pinned Inspector",
    ("docs/how-to/operate.md", "export WSM_HOME=$PWD/restored"): "starts a second set of servers, for half a minute",
    ("docs/how-to/operate.md", ".venv/bin/python -m embedded stop"): "stops a server that other tests use",
    ("docs/how-to/own-servers.md", "psql -h 127.0.0.1"): "needs a PostgreSQL with a superuser of the reader's",
    ("docs/how-to/own-servers.md", "export DATABASE_URL="): "names the PostgreSQL of the block before it",
}

# Accounts that pages name, which their readers have.
PEOPLE = ("anna@harbour.example", "you@example.com")

# What pages say that was done before: page → shell.
SETUP = {
    "docs/how-to/consolidation.md": """
curl -s -H "$AUTH" -X POST "$WS/memory/enable"
for minute in $(seq 10 35); do
    printf '{"item": "message", "conversation": "tuesday", "key": "%s", "role": "user", "name": "Ana",' "$minute"
    printf '"content": "I bought %s loaves of rye in Bergen.", ' "$minute"
    printf '"created_at": "2026-01-02T09:%s:00Z"}\\n' "$minute"
done | curl -s -H "$AUTH" -H "Content-Type: application/x-ndjson" "$WS/import/items" --data-binary @-
""",
    "docs/how-to/embedder.md": """
PROVIDER=$(curl -s -H "$AUTH" -H "$JSON" "$WS/models/providers" \\
    -d "{\\"name\\": \\"Local\\", \\"kind\\": \\"openai\\", \\"base_url\\": \\"$MODEL_URL\\"}" | field id)
""",
    "docs/how-to/mcp.md": """
curl -s -H "$AUTH" -H "$JSON" "$WS/memories" -d '{"content": "Lift the door of the oven while pulling."}'
""",
    "docs/reference/context.md": """
curl -s -H "$AUTH" -H "$JSON" "$WS/memories" -d '{"content": "The oven runs hot.", "kind": "fact"}'
curl -s -H "$AUTH" -H "$JSON" "$WS/memories" -d '{"content": "The mixer is repaired on Tuesdays."}'
""",
    "docs/reference/rest.md": """
ID=$(curl -s -H "$AUTH" -H "$JSON" "$WS/memories" -d '{"content": "The oven door sticks."}' | field id)
curl -s -H "$AUTH" -H "$JSON" "$WS/ontology/nodes" \
    -d '{"type": "person", "name": "Ada Lovelace", "properties": {"city": "Oslo", "work": "mills flour"}}'
RUN=$(curl -s -H "$AUTH" -H "$JSON" "$WS/runs" -d '{"agent": "planner"}' | field id)
""",
}

# Calls that pages show because they are refused: page → their statuses.
REFUSALS = {
    "docs/start.md": [409],  # a pinned memory is not forgotten by accident
    "docs/reference/rest.md": [422],  # what a problem looks like
}

# Fields of samples that the worker's vectors bring, seconds later: page → names.
NOT_YET = {"docs/start.md": {"semantic"}, "docs/reference/rest.md": {"semantic"}}

# The page that compares the whole installation with the graph, before others write what the worker would carry there.
FIRST = "docs/how-to/graph.md"

# Languages whose blocks are run, those that are read, and those that show what the block before them prints.
RUN = frozenset({"sh", "python", "js", "sql"})
READ = frozenset({"json", "toml", "yaml", "django", "markdown"})
PRINTED = frozenset({"text"})

# The first words of what people type: such lines belong into a fence, where they are run. Installing and naming the
# server is left to the tests of clients, which have environments of their own.
COMMANDS = ("curl", "wsm", "make", "npx", "python", ".venv/bin/", "docker", "psql", "claude")
# Pages whose indented commands another test runs.
INDENTED = {
    "docs/how-to/import.md": "tests/client/test_importing.py",
    "docs/how-to/mcp.md": "tests/client/test_stdio.py",
    "plugin/README.md": "tests/client/test_plugin.py",
}
INSTALLERS = ("pip install ", "agent/bin/pip install ", "python3 -m venv ", "npm install ", "npm ci ")


def is_run_by_another(fence: Fence) -> bool:
    """Whether another test runs a block."""
    return any(fence.language == language and fnmatch(fence.page, pattern) for pattern, language in RUN_BY)


def is_listed(fence: Fence) -> bool:
    """Whether a block is on the list of those that are not run."""
    return any(fence.page == page and fence.first_line.startswith(start) for page, start in LISTED)


def is_installation(fence: Fence) -> bool:
    """Whether a block installs packages and does nothing else: tests of clients do so in environments of their own."""
    lines = [line.strip() for line in fence.code.splitlines() if line.strip() and not line.strip().startswith("#")]
    return fence.language == "sh" and all(line.startswith(INSTALLERS) for line in lines)
