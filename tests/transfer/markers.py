"""A workspace with a marker in every table and store, and looking for it in all of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import connection, models
from oauth2_provider.models import AccessToken, Application, RefreshToken
from psycopg import sql

from core.clock import utc_now
from core.ids import new_id
from core.stores import redis
from core.stores.graph import GraphStatement, graph
from ontology.graph.services.projection import project_pending, queue_all
from tests.cast import Household
from tests.redis_keys import text_of_key
from tests.rules.doors import DIGEST
from tests.spaces.test_erasure import _row
from transfer.erasure.workspace_tables import list_workspace_tables
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_tables import list_space_tables
from workspaces.access.spaces import SpaceName
from workspaces.models import ConnectedApp, Membership

SCHEMAS = ("public", "org", "app", "ontology", "agent_memory")
NODES = GraphStatement("nodes", "MATCH (n) WHERE n.workspace_id = $workspace_id RETURN properties(n) AS found")
EDGES = GraphStatement(
    "edges", "MATCH (a)-[e]->(b) WHERE a.workspace_id = $workspace_id OR b.workspace_id = $workspace_id RETURN e.id"
)


def plant(household: Household, word: str) -> None:
    """Put a row with the word into every table of the workspace, the word into Redis and the queue, nodes into the
    graph, and a token of an app."""
    space = SpaceName("user", word)
    rest = household.rest()
    rest.remembered(f"The first {word}.", space=str(space))
    rest.put("slots/working/notes", {"value": {"said": word}, "space": str(space)})
    caller = maintenance_caller(household.workspace.id, "test").within(space.id)
    made: dict[type[models.Model], Any] = {}
    with workspace_scope(caller):
        spaced = [table.model for table in reversed(list_space_tables())]
        others = [table.model for table in reversed(list_workspace_tables()) if table.model not in spaced]
        for model in (*others, *spaced):
            made[model] = planted(model, caller, household, word, made)
        queue_all(maintenance_caller(household.workspace.id, "test"))
    give_token(household, made[ConnectedApp])
    redis.put(redis.nudge_key(word, household.workspace.id), word, seconds=600)
    project_pending(workspace_id=household.workspace.id, graph=graph())


def planted(
    model: type[models.Model], caller: Any, household: Household, word: str, made: dict[type[models.Model], Any]
) -> Any:
    """A row with the word, which hangs on rows that were made before."""
    if model is Membership:
        return Membership.objects.filter(workspace_id=caller.workspace_id, user=household.owner).get()
    made.update({type(household.owner): household.owner})
    return _row(model, caller, word, made)


def give_token(household: Household, app: ConnectedApp) -> None:
    """An access token of the app, as signing in makes it."""
    soon = utc_now() + timedelta(hours=1)
    # A registration belongs to the installation: a program registers before a person lets it in anywhere.
    client = Application.objects.create(client_id=new_id().hex, name="Desk", client_type="public")
    access = AccessToken.objects.create(
        user_id=app.user_id, application=client, token=new_id().hex, scope="read", expires=soon
    )
    RefreshToken.objects.create(
        user_id=app.user_id, application=client, token=new_id().hex, access_token=access, token_family=app.id
    )
    with workspace_scope(household.caller):
        ConnectedApp.objects.filter(id=app.id).update(client_id=client.client_id)


def found(word: str, household: Household) -> list[str]:
    """Where a word, or the id of the workspace, is: tables of the catalog, row by row, Redis and the graph."""
    words = [word, word.encode().hex(), str(household.workspace.id)]
    places = [name for name in tables() if _is_in_table(name, words, household)]
    server = redis.client()
    for key in map(str, server.scan_iter(match="oxa:*", count=1_000)):
        places += [f"redis {key}"] if any(each in text_of_key(server, key) for each in words) else []
    places += [f"node {row}" for row in graph().read(NODES, workspace_id=household.workspace.id)]
    return places + [f"edge {row}" for row in graph().read(EDGES, workspace_id=household.workspace.id)]


def tables() -> list[str]:
    """Every table of the catalog, with its schema."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname = ANY(%s) ORDER BY 1",
            [list(SCHEMAS)],
        )
        return [row[0] for row in cursor.fetchall()]


def _is_in_table(name: str, words: list[str], household: Household) -> bool:
    if name == "app.workspace_erasures":  # the receipt names the workspace, and holds no word of it
        words = words[:-1]
    statement = sql.SQL("SELECT EXISTS (SELECT FROM {} AS r WHERE r::text ILIKE ANY (%s))")
    with workspace_scope(maintenance_caller(household.workspace.id, "test")), connection.cursor() as cursor:
        cursor.execute(statement.format(sql.Identifier(*name.split("."))), [[f"%{word}%" for word in words]])
        return bool((cursor.fetchone() or (False,))[0])


def state(household: Household) -> dict[str, Any]:
    """The number of rows of a workspace in each table, and a digest of them."""
    digests: dict[str, Any] = {}
    with workspace_scope(maintenance_caller(household.workspace.id, "test")), connection.cursor() as cursor:
        for table in list_workspace_tables():
            schema = next(name for name in tables() if name.split(".")[1] == table.name).split(".")[0]
            cursor.execute(sql.SQL(DIGEST).format(sql.Identifier(schema, table.name)))
            digests[table.name] = (table.count(household.workspace.id), cursor.fetchone())
    return digests
