"""There are two ways of exclusion, one module each, and a page that lists every use."""

from __future__ import annotations

import re

from tests.rules.source import PRODUCT, ROOT, name_of, python_files

PAGE = (ROOT / "docs" / "why" / "exclusion.md").read_text()
MODULES = {"core/db/locks.py", "workspaces/access/leases.py"}
TAKING = re.compile(r"\b(?:wait_for_lock|try_lock|take_lease|hold_lease)\(")
NAME = re.compile(r'^\w+_(?:LOCK|LEASE) = "(.+)"$', re.MULTILINE)


def test_every_lock_and_lease_has_a_constant_and_is_on_the_page_with_its_module() -> None:
    taking = {name: text for name, text in _sources().items() if TAKING.search(text) and name not in MODULES}

    assert len(taking) >= 10
    assert [name for name, text in taking.items() if not NAME.search(text)] == []
    untold = [(name, used) for name, text in taking.items() for used in NAME.findall(text) if not _is_told(name, used)]
    assert untold == []


def test_advisory_locks_are_taken_in_one_module_and_locked_rows_are_skipped_in_four() -> None:
    assert _modules_with(r"pg_(?:try_)?advisory") == {"core/db/locks.py"}
    assert _modules_with(r"(?i)skip[_ ]locked") == {
        "conversations/indexing/services/index_writer.py",
        "core/stores/queued_tasks.py",
        "llm/embedding/services/model_change.py",
        "llm/embedding/services/vector_store.py",
    }


def _is_told(module: str, name: str) -> bool:
    return any(f"`{name}" in row and f"`{module}`" in row for row in PAGE.splitlines())


def _modules_with(pattern: str) -> set[str]:
    return {name for name, text in _sources().items() if re.search(pattern, text)}


def _sources() -> dict[str, str]:
    statements = [path for app in PRODUCT for path in (ROOT / app).rglob("*.sql")]
    return {name_of(path): path.read_text() for path in (*python_files(*PRODUCT), *statements)}
