"""What the reference pages list, read from the code: routes, bodies, errors, tasks, commands and tables.

A page marks where a list stands: `<!-- generated: routes -->` … `<!-- end -->`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import chain
from types import ModuleType
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import get_commands, load_command_class
from rest_framework.views import APIView

from config.openapi.document import doors, operations
from config.openapi.schema_descriptions import fields_in_words
from config.row_security_policies import migration_policies
from config.schedules import SCHEDULE
from config.url_table import addresses, in_braces
from core.db.table_schema import table_schema
from core.errors import ProductError
from core.http.json_schema import body_schema
from core.migrations import Policy
from mcp_server.registry import TOOLS, Tool
from mcp_server.tool_sets import find_sets
from memory.memories.transitions import TRANSITIONS
from workspaces.http.rest import WorkspaceView, select_right

PACKAGES = ("core", *settings.APP_SCHEMAS, "chat", "mcp_server", "config")
WORKSPACE = "/v1/workspaces/{ws}/"
NAMES_A_ROUTE = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) ")
MARKED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def regenerate_lists(page: str) -> str:
    """Return the page with each of its generated lists as the code is now."""
    return MARKED.sub(lambda found: f"{found[1]}{LISTS[found[2]]()}\n{found[3]}", page)


def routes() -> str:
    """Return every REST route of a workspace: methods with the scope that each needs, and what it is for."""
    rows = [
        f"| `{path.removeprefix(WORKSPACE)}` | {_methods(view.cls, view.initkwargs)} | {_purpose(view)} |"
        for path, view in _views()
        if path.startswith(WORKSPACE)
    ]
    return _table("route | methods and scopes | what", rows)


def bodies() -> str:
    """Return every body and query string that is accepted, field by field."""
    queries = (schema for _, _, _, (view, _) in doors() for schema in getattr(view, "asks", {}).values())
    reads = (reader for operation in operations().values() for reader in operation.reads)
    # Parts of a body have fields as well; the body itself is the one whose sentence names its route.
    whole = [reader for reader in dict.fromkeys([*reads, *queries]) if NAMES_A_ROUTE.search(_sentence(reader))]
    return "\n\n".join(f"**{_sentence(reader)}**\n{fields_in_words(body_schema(reader))}" for reader in whole)


def errors() -> str:
    """Return every error code with its status."""
    for package in PACKAGES:
        for name in _module_names(package):
            importlib.import_module(name)
    found: dict[tuple[int, str], set[str]] = defaultdict(set)
    for error in _descendants(ProductError):
        if "code" in vars(error) and _is_ours(error.__module__):
            found[error.status, error.code].add(_sentence(error))
    rows = [
        f"| `{code}` | {status} | {' '.join(sorted(sentences))} |"
        for (status, code), sentences in sorted(found.items())
    ]
    return _table("code | status | what", rows)


def tasks() -> str:
    """Return every function that the queue may be given."""
    names = (name for package in PACKAGES for name in _module_names(package) if name.endswith(".tasks"))
    functions = chain.from_iterable(_functions(importlib.import_module(name)) for name in names)
    return _table("task | what", [f"| `{task.__module__}.{task.__name__}` | {_sentence(task)} |" for task in functions])


def schedule() -> str:
    """Return every line of the schedule."""
    return _table("name | task | when (UTC)", [f"| {line.name} | `{line.task}` | `{line.cron}` |" for line in SCHEDULE])


def commands() -> str:
    """Return every management command of ours."""
    ours = {name: app for name, app in sorted(get_commands().items()) if _is_ours(app)}
    rows = [f"| `manage.py {name}` | {load_command_class(app, name).help} |" for name, app in ours.items()]
    return _table("command | what", rows)


def tables() -> str:
    """Return every table of ours with its row-security policies."""
    found = _policies()
    placed = sorted(
        (table_schema(label, model._meta.db_table), label, place, model)
        for label in settings.APP_SCHEMAS
        for place, model in enumerate(apps.get_app_config(label).get_models())
    )
    rows = [
        f"| `{schema}.{model._meta.db_table}` | {_sentence(model)} | {_names(found[model._meta.label_lower])} |"
        for schema, _, _, model in placed
    ]
    return _table("table | what | policies", rows)


def tools() -> str:
    """Return every tool of the MCP door: what it takes, and what clients may tell people about it."""
    importlib.import_module("mcp_server.tools")
    cells = [
        (f"`{tool.listed_name}`", ", ".join(find_sets(tool)), _hints(tool), _arguments(tool), tool.description)
        for tool in sorted(TOOLS.values(), key=lambda tool: tool.listed_name)
    ]
    rows = [f"| {' | '.join(row)} |" for row in cells]
    return _table("tool | sets | hints | arguments | what", rows)


LISTS: dict[str, Callable[[], str]] = {
    made.__name__: made for made in (routes, bodies, errors, tasks, schedule, commands, tables, tools)
}


def _hints(tool: Tool) -> str:
    kind = "reads" if tool.is_read_only else "removes" if tool.is_destructive else "writes"
    return f"{kind}, idempotent" if tool.is_idempotent and not tool.is_read_only else kind


def _arguments(tool: Tool) -> str:
    needed = tool.arguments.json_schema.get("required", ())
    named = [f"`{name}`" + ("" if name in needed else "?") for name in tool.arguments.fields]
    return ", ".join(named) or "none"


def _table(heads: str, rows: list[str]) -> str:
    rule = "|".join("---" for _ in heads.split(" | "))
    return "\n".join([f"| {heads} |", f"|{rule}|", *rows])


def _sentence(thing: Any) -> str:
    """Return the first paragraph of a docstring; for an error without one, what clients read."""
    text = inspect.cleandoc(vars(thing).get("__doc__") or getattr(thing, "title", "") or thing.__doc__)
    return " ".join(text.partition("\n\n")[0].split()).replace("|", "\\|")


def _views() -> Iterator[tuple[str, Any]]:
    """Yield the address and the view of every route."""
    for route, pattern in addresses():
        yield in_braces(route), pattern.callback


def _purpose(view: Any) -> str:
    """Return what a route is for: of a view with several verbs, what the verb of this route means."""
    verb = view.initkwargs.get("verb")
    return TRANSITIONS[verb].meaning if verb else _sentence(view.cls)


def _methods(view: type[APIView], initial: dict[str, Any]) -> str:
    rights = initial.get("rights", view.rights) if issubclass(view, WorkspaceView) else {}
    offered = [name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)]
    needed = {name: select_right(rights, name) for name in offered}
    return ", ".join(f"{name} `{right}`" if right else name for name, right in needed.items())


def _policies() -> dict[str, dict[str, Policy]]:
    """Return the policies of each model by name, as they are after the last migration."""
    found: dict[str, dict[str, Policy]] = defaultdict(dict)
    for (app, _), changes in migration_policies().items():
        for operation in changes:
            policies = found[f"{operation.of_app or app}.{operation.model_name}".lower()]
            for replaced in operation.replaced:
                policies.pop(replaced, None)
            policies |= {policy.name: policy for policy in operation.policies}
    return found


def _names(policies: dict[str, Policy]) -> str:
    return ", ".join(f"`{policy.name}` ({policy.operation})" for policy in policies.values()) or "none"


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in PACKAGES


def _module_names(package: str) -> list[str]:
    found = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
    return [module.name for module in found if not re.search(r"\.(migrations|management|asgi)\b", module.name)]


def _functions(module: ModuleType) -> list[Callable[..., Any]]:
    public = [thing for name, thing in vars(module).items() if inspect.isfunction(thing) and not name.startswith("_")]
    return [function for function in public if function.__module__ == module.__name__]


def _descendants(kind: type[ProductError]) -> Iterator[type[ProductError]]:
    for child in kind.__subclasses__():
        yield child
        yield from _descendants(child)
