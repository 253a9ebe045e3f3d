"""The rules of the house that can be read off the source."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from memory.episodes.conversations.view_models import ConversationAction
from memory.memories.transitions import Verb
from memory.urls import api as memory_api
from memory.urls import pages as memory_pages
from tests.rules.source import (
    APPS,
    CODE,
    PRODUCT,
    ROOT,
    imported_packages,
    is_migration,
    name_of,
    nodes,
    python_files,
    tree,
)

MAX_LINES_OF_A_FUNCTION = 60
MAX_LINES_OF_A_FILE = 400
MAX_ENTRIES_OF_AN_APP = 10

# Which modules may import the client of each backing service.
KNOWERS = {
    "neo4j": {"core/stores/graph.py"},
    "redis": {"core/stores/redis.py"},
    "django_redis": set(),
    "snowballstemmer": {"core/english/lexemes.py"},
    "django_q": {"core/stores/queue.py", "core/stores/queued_tasks.py", "core/stores/worker.py"},
}

# Whatever a task does, the worker goes on; whatever a recall layer does, the turn; whatever one workspace's actions do,
# the capture of all others. Elsewhere errors are caught by name.
BROAD_EXCEPTS = ["core/stores/worker.py", "memory/recall/guard.py", "telemetry/actions/services/action_buffer.py"]
# Of the SDK: around code that is not ours, a backend's and that of results' classes, when a tool or a run is over.
BROAD_EXCEPTS_OF_CLIENT = [
    "client/workspace_memory/aio/agent_runtime.py",
    "client/workspace_memory/aio/scratchpad.py",
    "client/workspace_memory/kept_results.py",
    "client/workspace_memory/sync/agent_runtime.py",
    "client/workspace_memory/sync/scratchpad.py",
]

TEMPLATE = re.compile(r"{%\s*(?:include|extends)\s+[\"']([^\"']+)[\"']")


def test_functions_and_files_stay_short() -> None:
    files = [path for path in python_files(*CODE) if not is_migration(path)]

    long_files = {name_of(path) for path in files if _lines(path) > MAX_LINES_OF_A_FILE}
    long_functions = {
        f"{name_of(path)}:{node.lineno} {node.name}"
        for path in files
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= MAX_LINES_OF_A_FUNCTION
    }

    assert (long_files, long_functions) == (set(), set())


def test_the_top_level_of_an_app_is_its_table_of_contents() -> None:
    entries = {app: {path.name for path in (ROOT / app).iterdir()} - {"__init__.py", "__pycache__"} for app in APPS}

    assert {app: sorted(names) for app, names in entries.items() if len(names) > MAX_ENTRIES_OF_AN_APP} == {}


def test_templates_and_styles_stay_short() -> None:
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static" / "css").rglob("*.css")]

    assert {
        name_of(path) for path in files if _lines(path) > MAX_LINES_OF_A_FILE and "vendor" not in path.parts
    } == set()


def test_errors_are_caught_by_name() -> None:
    broad = [
        name_of(path)
        for path in python_files(*PRODUCT, "client", "plugin")
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and _is_broad(node)
    ]

    assert broad == sorted([*BROAD_EXCEPTS, *BROAD_EXCEPTS_OF_CLIENT])


def test_only_one_module_knows_each_backing_service() -> None:
    for package, knowers in KNOWERS.items():
        importers = {name_of(path) for path in python_files(*PRODUCT) if package in imported_packages(path)}
        assert importers - knowers == set(), package


def test_sentences_are_split_and_words_stemmed_in_one_place() -> None:
    own = {
        name_of(path)
        for path in python_files(*PRODUCT)
        if re.search(r"\(\?<=\[[.!?…]{2,}|endswith\(\(?[\"']ing[\"']", path.read_text())
    }

    assert own == {"core/english/sentences.py"}


def test_rows_of_a_workspace_are_chosen_by_their_manager() -> None:
    written_out = {
        f"{name_of(path)}:{node.lineno}"
        for path in python_files(*PRODUCT)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and _is_workspace_filter(node)
    }

    assert {place.partition(":")[0] for place in written_out} == {"workspaces/access/tenancy.py"}, written_out


def test_every_route_has_a_name_that_can_be_searched_for() -> None:
    routes = [call for path in _url_modules() for call in ast.walk(tree(path)) if _is_route(call)]
    names = [_keyword(route, "name") for route in routes]
    literal = [name.value for name in names if isinstance(name, ast.Constant)]

    # The metadata of a protected resource has two addresses.
    assert [ast.unparse(name) if name else None for name in names if not isinstance(name, ast.Constant)] == [None]
    assert len(literal) == len(set(literal)) > 100
    assert [name for name in literal if not re.fullmatch(r"[a-z]+(-[a-z]+)*", str(name))] == []


def test_routes_of_rest_are_told_from_pages_by_their_names() -> None:
    for path in _url_modules():
        if path.name != "__init__.py" and path.parent.name == "urls":
            names = {
                str(name.value)
                for call in ast.walk(tree(path))
                if _is_route(call) and isinstance(name := _keyword(call, "name"), ast.Constant)
            }
            assert {name for name in names if name.startswith("api-")} == (names if path.name == "api.py" else set())


def test_every_verb_of_a_memory_and_of_a_conversation_has_routes() -> None:
    names = {pattern.name for pattern in [*memory_api.urlpatterns, *memory_pages.urlpatterns]}

    assert {f"memory-{verb}" for verb in Verb} <= names
    assert {f"api-memory-{verb}" for verb in Verb if verb != Verb.FORGET} <= names
    assert {f"conversation-{action}" for action in ConversationAction} <= names


def test_migrations_import_no_app() -> None:
    importers = {
        name_of(path): found
        for path in python_files(*PRODUCT)
        if is_migration(path) and (found := set(imported_packages(path)) & {*APPS, "config"})
    }

    assert importers == {}


def test_every_file_says_what_belongs_in_it() -> None:
    silent = {
        name_of(path)
        for path in python_files(*CODE)
        if not is_migration(path) and path.read_text().strip() and not ast.get_docstring(tree(path))
    }

    assert silent == set()


def test_every_template_that_is_named_exists() -> None:
    named = {(name_of(page), part) for page in _templates() for part in TEMPLATE.findall(page.read_text())}
    named |= {(name_of(path), part) for path in python_files(*PRODUCT) for part in _template_names(path)}

    assert {(where, part) for where, part in named if not _exists(part)} == set()


def _templates() -> list[Path]:
    return sorted((ROOT / "templates").rglob("*.html"))


def _template_names(path: Path) -> set[str]:
    """The strings of a file that are the names of templates of ours."""
    strings = {node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in strings if re.fullmatch(r"[\w/-]+\.html", text)}


def _exists(template: str) -> bool:
    from django.template import TemplateDoesNotExist
    from django.template.loader import get_template

    try:
        get_template(template)
    except TemplateDoesNotExist:
        return False
    return True


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def _url_modules() -> list[Path]:
    return [path for path in python_files(*PRODUCT) if path.parent.name == "urls" or name_of(path) == "config/urls.py"]


def _is_route(node: ast.AST) -> bool:
    """Whether it is `path(…, view)`, and not what includes or mounts others."""
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func) == "path"
        and not ast.unparse(node.args[1]).startswith(("include(", "admin."))
    )


def _keyword(call: ast.AST, name: str) -> ast.expr | None:
    keywords = call.keywords if isinstance(call, ast.Call) else []
    return next((keyword.value for keyword in keywords if keyword.arg == name), None)


def _is_workspace_filter(call: ast.Call) -> bool:
    """Whether it is `….filter(workspace_id=caller.workspace_id)`, or `get` or `exclude`, which `….of(caller)` says."""
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr in {"filter", "get", "exclude"}
        and any(
            keyword.arg == "workspace_id" and ast.unparse(keyword.value).endswith("caller.workspace_id")
            for keyword in call.keywords
        )
    )


def _is_broad(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in {"Exception", "BaseException"}) for name in names
    )
