"""`make bench-spaces`: a million pairs of scopes and rows, for one that is seen and may not be; one space in 10,000."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.apps import apps
from django.db import IntegrityError, OperationalError, ProgrammingError, connection, transaction
from psycopg import sql

from bench.corpus import Query, Text, World
from bench.memory_loader import insert_memories, owner_of, without_vector_index
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95, milliseconds
from config.database_roles import serving_role_problem
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Conversation, Message, MessageRole
from core.embedding import default_embedder
from memory.citations.services import start_run
from memory.memories.services.memory_search import search_memories
from memory.models import Memory, Run
from ontology.models import Edge, Node
from ontology.nodes_and_edges.services.edges import NewEdge, add_edge
from ontology.nodes_and_edges.services.node_editor import NodeDraft, add_node
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces, parse_space
from workspaces.access.tenancy import SpacedModel

PROBES = int(os.environ.get("PROBES", "1000000"))
SEED = int(os.environ.get("SEED", "0"))
WORKSPACES = ("Probed", "Probed as well")
SPACES = ("shared", *(f"user:{n}" for n in range(12)), *(f"agent:{n}" for n in range(4)), "project:a", "project:b")
IN_A_SPACE = 25  # memories; of other rows some
CALLS_EVERY = 25  # scopes: as many as this in SQL, then one call of a service
AT_ONCE = 1_000

CROWD, CROWD_SPACES, ALONE = 100_000, 10_000, 50
QUERIES, ROUNDS = 100, 3
TARGET = 1.3
MODES = ("SELECT {columns} FROM {table}", "UPDATE {table} SET space_id = space_id RETURNING {columns}")

# Tables of which the worker, which runs as well, takes nothing away.
LASTING = (Node, Edge, Memory, Conversation, Message, Run)

Place = tuple[UUID, UUID]  # a workspace and a space in it


@dataclass(frozen=True, slots=True)
class Scope:
    """A workspace, the space that it writes into, and those that it reads."""

    workspace_id: UUID
    written: UUID
    read: frozenset[UUID]
    reads_shared: bool

    @property
    def readable(self) -> frozenset[Place]:
        shared = frozenset({parse_space("shared").id}) if self.reads_shared else frozenset()
        return frozenset((self.workspace_id, space) for space in self.read | shared)

    def enter(self) -> None:
        """Set the scope in plain SQL, in the open transaction."""
        values = {
            "tenant_id": str(self.workspace_id),
            "space": str(self.written),
            "spaces": "{" + ",".join(map(str, self.read)) + "}",
            "reads_shared": "on" if self.reads_shared else "off",
        }
        with connection.cursor() as cursor:
            for name, value in values.items():
                cursor.execute("SELECT set_config(%s, %s, true)", [f"rls.{name}", value])


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is divided into spaces, and where each of its rows is."""

    model: type[SpacedModel]
    rows: dict[str, Place]


@dataclass(slots=True)
class Count:
    """How many pairs of a scope and a row were tried, and which of them came out wrong."""

    probes: int = 0
    statements: int = 0
    calls: int = 0
    leaks: int = 0
    hidden: int = 0


def main() -> None:
    world = World()
    embedder = default_embedder()
    model = embedder.model if embedder else "synthetic"
    callers = [_filled(name, world) for name in WORKSPACES]
    count = probe(callers, world)
    print(
        f"{count.probes:,} probes (a scope and a row) in {count.statements:,} statements and {count.calls:,} calls of "
        f"services, seed {SEED}: {count.leaks:,} leaks, {count.hidden:,} rows hidden that may be seen"
    )
    figures = _compare(world, model)
    report = HOME / "bench-spaces.json"
    outcome = {"machine": machine(), "probes": count.probes, "leaks": count.leaks, "hidden": count.hidden, **figures}
    report.write_text(json.dumps(outcome, indent=1))
    print(f"\n{machine()}. {report}")
    sys.exit(1 if count.leaks or count.hidden else 0)


def probe(callers: Sequence[Caller], world: World) -> Count:
    """Try scopes and rows against each other until there are enough pairs."""
    if problem := serving_role_problem():
        sys.exit(f"The bench must connect as the serving role: {problem}")
    dice, count = random.Random(SEED), Count()
    tables = [_table(model, callers) for model in apps.get_models() if issubclass(model, SpacedModel)]
    filled = [table for table in tables if table.rows]
    queries = [query.text for query in world.queries(seed=1, count=50)]
    while count.probes < PROBES:
        scope = _random_scope(dice, callers)
        _probe_tables(scope, filled, dice, count)
        if count.statements % CALLS_EVERY == 0:
            _probe_service(dice, callers, queries, filled, count)
        if count.statements % 100 == 0:
            print(f"\r{count.probes:,} probes, {count.leaks:,} leaks", end="", flush=True)
    print()
    return count


def _random_scope(dice: random.Random, callers: Sequence[Caller]) -> Scope:
    ids = [parse_space(space).id for space in SPACES]
    others = frozenset(dice.sample(ids[1:], dice.randrange(4)))
    return Scope(dice.choice(callers).workspace_id, dice.choice(ids), others, dice.random() < 0.6)


def _probe_tables(scope: Scope, tables: Sequence[Table], dice: random.Random, count: Count) -> None:
    """Read, change or remove whatever a table lets: each row of it is a probe."""
    table, change = dice.choice(tables), dice.random()
    columns = sql.SQL("{}::text, workspace_id, space_id").format(sql.Identifier(str(table.model._meta.pk.column)))
    name = sql.Identifier(table.model._meta.db_table)
    text = MODES[0] if change < 0.6 else MODES[1] if change < 0.8 else "DELETE FROM {table} RETURNING {columns}"
    with transaction.atomic():
        scope.enter()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            try:
                with transaction.atomic():
                    cursor.execute(sql.SQL(text).format(table=name, columns=columns))
                    seen = {identity: (workspace_id, space_id) for identity, workspace_id, space_id in cursor}
            # What is only appended to, what others refer to, and what the worker is at: not tried.
            except (ProgrammingError, IntegrityError, OperationalError):
                transaction.set_rollback(True)
                return
        transaction.set_rollback(True)
    written = frozenset({(scope.workspace_id, scope.written)})
    _compare_rows(seen, table, scope.readable if text == MODES[0] else scope.readable & written, count)
    count.statements += 1


def _compare_rows(seen: dict[str, Place], table: Table, allowed: frozenset[Place], count: Count) -> None:
    count.probes += len(table.rows.keys() | seen.keys())
    count.leaks += sum(place not in allowed for place in seen.values())
    if table.model in LASTING:
        count.hidden += sum(place in allowed and identity not in seen for identity, place in table.rows.items())


def _probe_service(
    dice: random.Random, callers: Sequence[Caller], queries: Sequence[str], tables: Sequence[Table], count: Count
) -> None:
    """Search, and look at what is found: each memory of either workspace is a probe."""
    caller, space, reads_shared = dice.choice(callers), dice.choice(SPACES), dice.random() < 0.5
    shared = reads_shared or space == "shared"
    found = search_memories(
        caller=caller.naming(NamedSpaces(space=space, shared=shared)), query=dice.choice(queries), limit=50
    )
    readable = {parse_space(space).id, *([parse_space("shared").id] if shared else [])}
    nodes = next(table for table in tables if table.model is Node)
    places = [nodes.rows[str(hit.memory.pk)] for hit in found.hits]
    count.leaks += sum(place not in {(caller.workspace_id, each) for each in readable} for place in places)
    count.probes += len(nodes.rows)
    count.calls += 1


def _table(model: type[SpacedModel], callers: Sequence[Caller]) -> Table:
    rows: dict[str, Place] = {}
    for caller in callers:
        everywhere = maintenance_caller(caller.workspace_id, "bench")
        with workspace_scope(everywhere):
            found = model._default_manager.values_list("pk", "workspace_id", "space_id")
            rows |= {str(identity): (workspace_id, space_id) for identity, workspace_id, space_id in found}
    return Table(model, rows)


def _filled(name: str, world: World) -> Caller:
    """A workspace with some of everything in each of its spaces; it stays for later runs."""
    owner = owner_of(name)
    with workspace_scope(maintenance_caller(owner.workspace_id, "bench")):
        if Node.objects.filter(workspace_id=owner.workspace_id).count() >= IN_A_SPACE * len(SPACES):
            return owner
    texts = world.texts(seed=len(name), count=IN_A_SPACE * len(SPACES))
    for space in SPACES:
        caller = owner.naming(NamedSpaces(space=space))
        some = list(islice(texts, IN_A_SPACE))
        with workspace_scope(maintenance_caller(owner.workspace_id, "bench")):
            insert_memories(owner, [(parse_space(space).id, text) for text in some], model="synthetic")
        said = [NewMessage(MessageRole.USER, " ".join(text.words)) for text in some]
        append_messages(caller=caller, conversation="c", messages=said)
        ends = [add_node(caller=caller, draft=NodeDraft("person", f"{space} {n}")) for n in range(3)]
        add_edge(caller=caller, new=NewEdge("knows", ends[0].id, ends[1].id))
        start_run(caller=caller, agent="clerk")
        print(f"\rfilled {name}: {space}          ", end="", flush=True)
    print()
    return owner


def _compare(world: World, model: str) -> dict[str, Any]:
    """Search and context of one user among all others, next to the same user alone."""
    crowd, alone = owner_of(f"{CROWD:,} in {CROWD_SPACES:,} spaces"), owner_of(f"{ALONE} in one space")
    with nullcontext() if _size(crowd) >= CROWD else without_vector_index():
        _load(crowd, world, count=CROWD, spaces=CROWD_SPACES, model=model)
        _load(alone, world, count=ALONE, spaces=1, model=model)
    queries = world.queries(seed=CROWD, count=QUERIES)
    figures: dict[str, Any] = {}
    with rest_as(crowd) as among, rest_as(alone) as by_itself:
        for path in ("memories/search", "context"):
            times = _times(path, queries, {"among": among, "alone": by_itself})
            among_p50, among_p95 = median_and_p95(times["among"])
            alone_p50, alone_p95 = median_and_p95(times["alone"])
            ratio = round(among_p95 / alone_p95, 2)
            figures[path] = {"among": [among_p50, among_p95], "alone": [alone_p50, alone_p95], "p95 ratio": ratio}
            print(
                f"{path:16} among {CROWD_SPACES:,} spaces: p50 {among_p50} ms, p95 {among_p95} ms; alone: p50 "
                f"{alone_p50} ms, p95 {alone_p95} ms; p95 ratio {ratio} (target ≤ {TARGET})"
            )
    return figures


def _times(path: str, queries: Sequence[Query], clients: dict[str, httpx.Client]) -> dict[str, list[float]]:
    """By turns, so that what else the machine does falls on both. A word more makes it a new query."""
    times: dict[str, list[float]] = {name: [] for name in clients}
    for turn in range(-1, ROUNDS):
        for query in queries:
            for name, client in clients.items():
                body = {"query": f"{query.text} {turn}", "user": "0"}
                taken = milliseconds(_post(client, path, body))
                if turn >= 0:  # the first round warms up
                    times[name].append(taken)
    return times


def _post(client: httpx.Client, path: str, body: dict[str, Any]) -> Callable[[], object]:
    return lambda: client.post(path, json=body).raise_for_status()


def _size(owner: Caller) -> int:
    with workspace_scope(maintenance_caller(owner.workspace_id, "bench")):
        return Node.objects.filter(workspace_id=owner.workspace_id).count()


def _load(owner: Caller, world: World, *, count: int, spaces: int, model: str) -> None:
    """The first memories are those of one user, the same in both workspaces; the others go to all other users."""
    there = _size(owner)
    batches = islice(_placed(world, count=count, spaces=spaces), there, None)
    while batch := list(islice(batches, AT_ONCE)):
        with workspace_scope(maintenance_caller(owner.workspace_id, "bench")):
            insert_memories(owner, batch, model=model)
        there += len(batch)
        print(f"\rloaded {there:,} of {count:,} memories", end="", flush=True)
    print()


def _placed(world: World, *, count: int, spaces: int) -> Iterator[tuple[UUID, Text]]:
    for place, text in enumerate(world.texts(seed=CROWD, count=count)):
        user = 0 if place < ALONE else 1 + place % (spaces - 1)
        yield parse_space(f"user:{user}").id, text


if __name__ == "__main__":
    main()
