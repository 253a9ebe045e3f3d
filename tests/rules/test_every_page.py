"""What every console page promises outsiders, tried on all of them: a new page is held to it unnamed."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bench.console_filler import copy_rows
from memory.memories.services.memory_writer import NewMemory, remember
from tests.cast import Cast
from tests.console_addresses import PARAMETER, console_pages, console_routes, fill_route
from tests.furnished import furnish
from tests.pages import Visitor, text_of
from tests.rules.doors import OBJECTS, ids_of
from tests.scriptless import ScriptlessReader
from workspaces.access.callers import Caller

PAGES = console_routes()
# Queries that a list asks once for, and not at all while it is empty.
MAX_PREFETCHED = 2
# The audit record of a workspace is not divided into spaces: its owners see ids of all of them, and no contents.
DIVIDED_PAGES = [route for route in PAGES if "/settings/activity" not in route]


def _is_absent(visitor: Visitor, path: str) -> bool:
    """It answers 404, whichever method it takes."""
    statuses = {visitor.get(path).status_code, visitor.post(path).status_code}
    return 404 in statuses and statuses <= {404, 405}


def _queries(visitor: Visitor, path: str) -> int:
    """Those of the second call: the first one may fill a cache."""
    visitor.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(path).status_code == 200
    return len(queries)


def test_there_are_pages() -> None:
    assert len([route for route in PAGES if "/ontology" in route]) > 10


def test_the_outsider_finds_no_page_of_a_workspace(cast: Cast) -> None:
    furnish(cast.acme)
    charlie, ids = Visitor.of(cast.charlie, cast.acme.workspace), ids_of(cast.acme)

    assert [route for route in PAGES if not _is_absent(charlie, fill_route(route, ids))] == []


def test_ids_of_another_workspace_are_found_on_no_page(cast: Cast) -> None:
    furnish(cast.acme)
    furnish(cast.umbrella)
    at_home, ids = Visitor.of(cast.charlie, cast.umbrella.workspace), ids_of(cast.acme)
    naming = [route for route in PAGES if OBJECTS.keys() & set(PARAMETER.findall(route))]

    assert naming
    assert [route for route in naming if not _is_absent(at_home, fill_route(route, ids))] == []


@pytest.mark.parametrize("field", ["keep", "absorb"])
def test_ids_of_another_workspace_are_found_in_no_form(cast: Cast, field: str) -> None:
    furnish(cast.acme)
    furnish(cast.umbrella)
    at_home, ids = Visitor.of(cast.charlie, cast.umbrella.workspace), ids_of(cast.acme)
    mine, other = ids_of(cast.umbrella), {"keep": "node_id", "absorb": "other_id"}

    fields = {name: str((ids if name == field else mine)[key]) for name, key in other.items()}
    assert at_home.post("ontology/merge", **fields).status_code == 404


def test_every_page_reads_without_script(cast: Cast) -> None:
    furnish(cast.acme)
    visitor, found = Visitor.of(cast.alice, cast.acme.workspace), []
    for name, path in console_pages(visitor, ids_of(cast.acme)):
        markup = ScriptlessReader(text_of(visitor.get(path)))
        found += [f"{name}: {problem}" for problem in markup.problems]
    assert "\n".join(found) == ""


@pytest.mark.slow
def test_no_page_asks_more_of_a_fuller_workspace(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    # The fuller one has more actions than are looked through.
    monkeypatch.setattr("ontology.graph.services.node_actions.ACTIONS_LOOKED_AT", 1_000)
    furnish(cast.acme)
    _remember_shelves(cast.acme.caller, range(5))
    copy_rows(cast.acme.caller, memories=500)
    visitor = Visitor.of(cast.alice, cast.acme.workspace)
    # What a search finds decides which layers are asked for more.
    pages = {name: path for name, path in console_pages(visitor, ids_of(cast.acme)) if "q=" not in name}
    few = {name: _queries(visitor, path) for name, path in pages.items()}
    _remember_shelves(cast.acme.caller, range(5, 50))
    copy_rows(cast.acme.caller, memories=2_400)

    more = {name: _queries(visitor, path) - few[name] for name, path in pages.items()}
    # What is prefetched is asked for where there is something to prefetch for, once.
    assert [f"{name}: {number} more" for name, number in more.items() if number > MAX_PREFETCHED] == []


def _remember_shelves(caller: Caller, numbers: Iterable[int]) -> None:
    for number in numbers:
        remember(caller=caller, new=NewMemory(f"Shelf {number} holds tea.", tags=(f"shelf-{number}",)))
