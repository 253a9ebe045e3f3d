"""A pytest plugin: `--quick` runs the tests that need no server, and holds them to it.

A test is quick when none of its fixtures leads to the database and no mark says otherwise. Nobody lists quick tests:
one that turns out to call a server or to start a process fails here, and the failure names the cure.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "live_server"}
OTHER_MARKS = {"django_db", "heavy", "slow", "browser", "alone"}
# Nobody listens there: what is sent to these addresses is refused at once, and seen by `_watch`.
NOBODY = 2
ADDRESSES = {
    "DATABASE_URL": f"postgresql://quick@127.0.0.1:{NOBODY}/quick",
    "DATABASE_OWNER_URL": f"postgresql://quick@127.0.0.1:{NOBODY}/quick",
    "REDIS_URL": f"redis://127.0.0.1:{NOBODY}/0",
    "GRAPH_URL": f"bolt://127.0.0.1:{NOBODY}",
}
STARTS = {"subprocess.Popen", "os.fork", "os.posix_spawn"}
SECONDS = 60  # on a busy machine; alone, none takes more than two

_touched: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests that need no server and no process of their own")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before pytest-django reads the settings, so that running servers are out of reach."""
    if early_config.known_args_namespace.quick:
        os.environ.update(ADDRESSES)
        early_config.pluginmanager.register(Quick(), "quick tests")


class Quick:
    """The hooks of a run with `--quick`."""

    def pytest_configure(self, config: pytest.Config) -> None:
        from hypothesis import settings

        settings.register_profile("quick", max_examples=20)
        settings.load_profile("quick")
        sys.addaudithook(_watch)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Do not even import a file in which every test asks for the database."""
        is_tests = collection_path.suffix == ".py" and collection_path.name.startswith("test_")
        return True if is_tests and not may_be_quick(collection_path) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        others = [item for item in items if not is_quick(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if is_quick(item)]
        for item in items:
            item.add_marker(pytest.mark.timeout(SECONDS))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        yield from _held(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield from _held(item)


def is_quick(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return not fixtures & DATABASE_FIXTURES and not any(mark.name in OTHER_MARKS for mark in item.iter_markers())


def may_be_quick(path: Path) -> bool:
    """Whether some test of the file may be quick, told by its source alone; `is_quick` decides."""
    tree = ast.parse(path.read_text())
    if any(name in OTHER_MARKS for name in _module_marks(tree)):
        return False
    conftests = [path.with_name("conftest.py"), Path(__file__).with_name("conftest.py")]
    fixtures = [*_functions(tree), *(each for conftest in conftests for each in _functions_of(conftest))]
    slow = set(DATABASE_FIXTURES)
    while more := {name for name, asked in fixtures if not name.startswith("test_") and asked & slow} - slow:
        slow |= more
    return any(not asked & slow for name, asked in fixtures if name.startswith("test_"))


def _held(item: pytest.Item) -> Iterator[Any]:
    _touched.clear()
    result = yield
    if _touched:
        pytest.fail(f"A quick test {_touched[0]}: mark it with @pytest.mark.heavy, or test the pure function.")
    return result


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """See what Python tells of every connection and process; what libpq does is refused where nobody listens."""
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][1:2] == (NOBODY,):
        _touched.append("called a server")
    elif event in STARTS:
        _touched.append(f"started {arguments[0]!r}" if arguments else "started a process")


def _module_marks(tree: ast.Module) -> Iterator[str]:
    """The names of the marks in `pytestmark = …` of a module."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            yield from (part.attr for part in ast.walk(node.value) if isinstance(part, ast.Attribute))


@cache
def _functions_of(conftest: Path) -> list[tuple[str, set[str]]]:
    return _functions(ast.parse(conftest.read_text())) if conftest.exists() else []


def _functions(tree: ast.Module) -> list[tuple[str, set[str]]]:
    """The functions of a module and of its classes, each with the names of its arguments: what pytest gives them."""
    blocks = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    return [
        (node.name, {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)})
        for block in blocks
        for node in block
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
