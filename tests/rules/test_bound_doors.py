"""What no key that is bound to spaces may do at any door: change what is of the whole workspace."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction
from psycopg import sql

import mcp_server.tools  # noqa: F401  # fills the registry
from mcp_server.registry import TOOLS
from tests.cast import Cast, Household
from tests.furnished import furnish
from tests.rules.doors import DIGEST, OUTWARD, Door, Visitor, ids_of, refusals, rest_doors
from workspaces.access.callers import Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key, revoke_key

CHANGING = [door for door in rest_doors() if door.method != "GET"]
ABOUT_THE_WORKSPACE = [door for door in CHANGING if not getattr(door.view, "names_spaces", True)]
# A bound key makes and revokes keys that reach no further than it does: tests/spaces/test_bound_keys.py.
HELD_TO_THE_BINDING = {"api-keys", "api-key"}
# Tables without a space that each write into a space changes as well: its name, its event, what waits for the worker.
OF_EACH_WRITE = {"spaces", "audit_events", "graph_outbox", "waiting_tasks", "leases", "idempotent_answers"}
# A call that is answered by a model is noted with its cost, whatever key makes it.
OF_EACH_WRITE |= {"prompt_runs"}
# An undo is noted with the space in which it was asked for, and its things are divided: tests/transfer/test_undo.py.
OF_EACH_WRITE |= {"undos"}

WITHOUT_SPACE = """
    SELECT n.nspname, c.relname
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ('org', 'app', 'ontology', 'agent_memory')
       AND (c.relname = 'workspaces' OR EXISTS (
                SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id'))
       AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'space_id')
"""


def bound_to(household: Household, *spaces: str) -> Visitor:
    return Visitor(create_key(caller=household.caller, name="bound", scopes=list(Right), spaces=spaces).secret)


def state_of_workspace(household: Household) -> dict[str, Any]:
    """A digest of every table of the workspace whose rows belong to no space."""
    digests = {}
    with workspace_scope(maintenance_caller(household.workspace.id, "test")), connection.cursor() as cursor:
        cursor.execute(WITHOUT_SPACE)
        for schema, name in cursor.fetchall():
            if name not in OF_EACH_WRITE:
                cursor.execute(sql.SQL(DIGEST).format(sql.Identifier(schema, name)))
                digests[name] = cursor.fetchone()[0]
    return digests


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("spaces", [("shared",), ("shared", "user:*")])
def test_no_door_changes_what_is_of_the_whole_workspace(cast: Cast, spaces: tuple[str, ...]) -> None:
    furnish(cast.acme)
    mine, visitor = {**ids_of(cast.acme), "user_id": cast.bob.id}, bound_to(cast.acme, *spaces)
    before = state_of_workspace(cast.acme)
    assert {"workspaces", "memberships", "model_providers", "model_choices", "api_keys"} <= before.keys()

    changed: dict[str, set[str]] = {}
    for door in [door for door in CHANGING if door.name not in OUTWARD | HELD_TO_THE_BINDING]:
        with transaction.atomic():
            visitor.asks(door, mine, door.body(mine))
            after = state_of_workspace(cast.acme)
            changed[str(door)] = {name for name in before if before[name] != after[name]}
            transaction.set_rollback(True)

    assert {door: tables for door, tables in changed.items() if tables} == {}


@pytest.mark.django_db
def test_doors_to_the_workspace_itself_say_what_to_do(cast: Cast) -> None:
    furnish(cast.acme)
    mine, visitor = {**ids_of(cast.acme), "user_id": cast.bob.id}, bound_to(cast.acme, "user:42", "shared")
    doors = [door for door in ABOUT_THE_WORKSPACE if door.name not in HELD_TO_THE_BINDING]
    assert {"api-settings", "api-members", "api-model-choices", "api-memory-enable"} <= {door.name for door in doors}

    answers: list[tuple[Door, Any]] = [(door, visitor.asks(door, mine, door.body(mine))) for door in doors]

    assert refusals(answers, status=403, codes={"space_not_allowed"}) == {}
    said = {answer.json()["detail"] for _, answer in answers}
    assert said == {
        "This is about every space, and this key is bound to: user:42, shared. Use one that is bound to none."
    }


@pytest.mark.django_db
def test_a_bound_key_revokes_no_key_that_reaches_further(cast: Cast) -> None:
    made = [create_key(caller=cast.acme.caller, name="k", scopes=[Right.READ], spaces=s) for s in ([], ["user:42"])]
    furnish(cast.acme)
    visitor, door = bound_to(cast.acme, "user:42"), next(door for door in CHANGING if door.name == "api-key")

    answers = [visitor.asks(door, {"ws": cast.acme.workspace.id, "key_id": one.key.id}, {}) for one in made]

    assert [answer.status_code for answer in answers] == [404, 200]
    assert revoke_key(caller=cast.acme.caller, key_id=made[0].key.id).revoked_at is not None


def test_every_changing_tool_names_spaces_or_is_refused_to_bound_keys() -> None:
    whole = {tool.name for tool in TOOLS.values() if not (tool.names_spaces or tool.is_read_only)}

    assert whole == {"workspace.enable_memory", "workspace.disable_memory"}
