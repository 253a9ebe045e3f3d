"""Everything that is given to the queue, the schedule or a nudge by its dotted path is a function in a `tasks.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from config.schedules import HEARTBEAT, SCHEDULE
from core.stores.queue import Scheduled
from core.stores.queued_tasks import listed_tasks
from tests.rules.source import PRODUCT, ROOT, name_of, nodes, python_files, tree

# The functions that take a task's path, and at which place.
TAKERS = {
    **dict.fromkeys(("enqueue", "enqueue_unless_waiting", "enqueue_long"), 0),
    **dict.fromkeys(("enqueue_once", "note_begin", "enqueue_in_turn", "enqueue_waiting"), 0),
    **dict.fromkeys(("nudge_after_commit", "nudge_received"), 0),
    Scheduled.__name__: 1,
}
# What they are given there came from a taker.
PASSING_ON = {ROOT / "core" / "stores" / "queue.py", ROOT / "workspaces" / "access" / "unique_tasks.py"}


def test_every_queued_path_is_a_task() -> None:
    paths = [(name_of(path), task) for path in python_files(*PRODUCT) for task in _queued(path)]

    assert len(paths) >= len(SCHEDULE)
    assert {(where, task) for where, task in paths if not _is_task(task)} == set()


def test_the_worker_may_run_the_functions_of_every_tasks_module_and_nothing_else() -> None:
    written = {
        f"{name_of(path).removesuffix('.py').replace('/', '.')}.{node.name}"
        for path in python_files(*PRODUCT)
        if path.name == "tasks.py"
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }

    assert set(listed_tasks()) == written
    assert {HEARTBEAT, *(line.task for line in SCHEDULE)} <= written


def test_every_nudged_task_is_on_the_schedule_too() -> None:
    """A nudge may be lost with its process: a task for all workspaces must find what it left."""
    scheduled_apps = {line.task.partition(".")[0] for line in SCHEDULE}
    nudged = {task for path in python_files(*PRODUCT) for task in _queued(path, only="nudge_after_commit")}

    assert {task for task in nudged if task.partition(".")[0] not in scheduled_apps} == set()


def test_schedules_have_names_of_their_own_and_five_fields() -> None:
    assert len({line.name for line in SCHEDULE}) == len(SCHEDULE)
    assert [line.name for line in SCHEDULE if len(line.cron.split()) != 5] == []


def _queued(path: Path, only: str = "") -> Iterator[str]:
    for node in nodes(path):
        if not isinstance(node, ast.Call) or path in PASSING_ON:
            continue
        taker = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if taker in TAKERS and taker.startswith(only):
            yield _value(path, node.args[TAKERS[taker]])


def _value(path: Path, argument: ast.expr) -> str:
    """The string that a call gives: written there, or a constant by its name."""
    if isinstance(argument, ast.Constant):
        return str(argument.value)
    first, *rest = ast.unparse(argument).split(".")
    value = _named(path, first)
    for name in rest:
        value = getattr(value, name, f"{name} is no constant")
    return str(value)


def _named(path: Path, name: str) -> object:
    """What a name means in a file; it may have been imported inside a function."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
            package = import_module(node.module)
            return getattr(package, name, None) or import_module(f"{node.module}.{name}")
    module = import_module(name_of(path).removesuffix(".py").replace("/", "."))
    return getattr(module, name, f"{name} is no constant")


def _is_task(task: str) -> bool:
    return task in listed_tasks()
