"""The product's own source, as trees and as text, for the rules that are machines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("chat", "conversations", "llm", "mcp_server", "memory", "ontology", "telemetry", "transfer", "workspaces")
PRODUCT = ("config", "core", "embedded", *APPS)
CODE = (*PRODUCT, "client", "plugin", "bench", "tests")


def python_files(*folders: str) -> list[Path]:
    """The Python files below some folders of the repository, in order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """Where a file is, from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def is_migration(path: Path) -> bool:
    return path.parent.name == "migrations"


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file's tree, walked once for all rules."""
    return tuple(ast.walk(tree(path)))


def imported_packages(path: Path) -> Iterator[str]:
    """The first part of everything that a file imports, wherever in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
