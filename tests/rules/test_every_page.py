"""What every console page promises outsiders, tried on all of them: a new page is held to it unnamed."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.console_addresses import PARAMETER, console_routes, fill_route
from tests.furnished import furnish
from tests.pages import Visitor
from tests.rules.doors import OBJECTS, ids_of

PAGES = console_routes()
# The audit record of a workspace is not divided into spaces: its owners see ids of all of them, and no contents.
DIVIDED_PAGES = [route for route in PAGES if "/settings/activity" not in route]


def _is_absent(visitor: Visitor, path: str) -> bool:
    """It answers 404, whichever method it takes."""
    statuses = {visitor.get(path).status_code, visitor.post(path).status_code}
    return 404 in statuses and statuses <= {404, 405}


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
