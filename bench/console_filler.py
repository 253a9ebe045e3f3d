"""Filling a workspace with everything that the console shows, in proportion to its memories."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product
from uuid import UUID

import psycopg
from django.db import models

from bench.console_rows import FIRST, SECOND, Copies
from bench.corpus import World
from bench.memory_loader import (
    OWNER,
    SEARCH_PATH,
    insert_memories,
    is_loaded,
    owner_of,
    without_vector_index,
    workspace_with,
)
from bench.message_loader import fill_messages
from bench.row_copies import copy_row
from config.row_security_policies import tenant_tables
from config.settings import owner_url
from conversations.models import Conversation
from core.clock import utc_now
from memory.memories.services.memory_writer import NewMemory
from memory.memories.sessions.services import remember_in_session
from memory.models import Kind, Memory, Run
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import assemble_context
from ontology.models import GOVERNED_TYPES, Node
from telemetry.models import Metric, Pattern
from tests.cast import Household
from tests.furnished import furnish
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import parse_space
from workspaces.keys.services import create_key
from workspaces.models import Membership, Role, Space, SpaceKind, User, Workspace

NAME = "Pages"
MESSAGES_OF_MEMORIES = 0.3
# These fill the budget of a context.
FACTS = 50
# Every so many memories one waits for a person.
PENDING_EVERY = 200
SPACES, MEMORIES_OF_A_SPACE, PEOPLE = 300, 3, 60


def filled_workspaces(world: World, *, sizes: tuple[int, ...], model: str) -> dict[int, Household]:
    """Return workspaces with these numbers of memories; they are filled once and stay for later runs."""
    are_loaded = all(is_loaded(count=size, name=NAME) for size in sizes)
    with nullcontext() if are_loaded else without_vector_index():
        for size in sizes:
            caller = workspace_with(world, count=size, model=model, name=NAME, fact_every=max(2, size // FACTS))
            fill_messages(world, caller, count=int(size * MESSAGES_OF_MEMORIES), model=model)
    households = {size: _household(owner_of(f"{NAME} {size:,}")) for size in sizes}
    empty = {size: household for size, household in households.items() if not _is_filled(household.caller)}
    for size, household in empty.items():
        _fill(world, household, memories=size, model=model)
    if empty:
        _analyze()
    return households


def _household(caller: Caller) -> Household:
    with workspace_scope(caller):
        workspace = Workspace.objects.get(id=caller.workspace_id)
    secret = create_key(caller=caller, name="bench", scopes=[Right.READ, Right.WRITE]).secret
    return Household(workspace, User.objects.get(email=OWNER), caller, secret)


def _is_filled(caller: Caller) -> bool:
    """Whether its rows were copied: what furnishing makes has other agents."""
    with workspace_scope(caller):
        return Run.objects.of(caller).filter(agent="agent-1").exists()


def _fill(world: World, household: Household, *, memories: int, model: str) -> None:
    caller = household.caller
    furnish(household)
    _make_receipt(caller)
    _add_people(caller, max(3, PEOPLE * memories // 100_000))
    _add_spaces(world, caller, max(3, SPACES * memories // 100_000), model=model)
    copy_rows(caller, memories=memories)


def copy_rows(caller: Caller, *, memories: int) -> None:
    """Add what a workspace with that number of memories has next to them, to one that is furnished."""
    with workspace_scope(caller):
        ids = {"memory_ids": _ids(Memory, caller, node__is_deleted=False)}
        _copy_all(caller, FIRST, memories, ids)
        things = Node.objects.of(caller).exclude(type__in=GOVERNED_TYPES)
        ids |= {"node_ids": list(things.order_by("pk").values_list("pk", flat=True))}
        for name, model_of in REFERRED.items():
            ids[name] = _ids(model_of, caller)
        _copy_all(caller, SECOND, memories, ids)
        oldest = ids["conversation_ids"][0]
        pending = ids["memory_ids"][::PENDING_EVERY]
        Memory.objects.filter(pk__in=pending).update(review="pending")
        Node.objects.filter(pk__in=pending).update(suppressed_at=utc_now())
    # The address of a session's memory is that of its conversation, of which the oldest is taken.
    remember_in_session(caller=caller, conversation=str(oldest), new=NewMemory("The caller is in a hurry."))


REFERRED: dict[str, type[models.Model]] = {
    "run_ids": Run,
    "conversation_ids": Conversation,
    "metric_ids": Metric,
    "pattern_ids": Pattern,
}


def _copy_all(caller: Caller, rows: tuple[Copies, ...], memories: int, ids: dict[str, list[UUID]]) -> None:
    for copies in rows:
        found = copies.model._default_manager.filter(workspace_id=caller.workspace_id).order_by("-pk").first()
        if found is None:
            raise RuntimeError(f"{copies.model.__name__} has no row to copy.")
        count = max(copies.least, copies.count * memories // 100_000)
        copy_row(caller, found, count=count, values=copies.values, ids=ids)


def _make_receipt(caller: Caller) -> None:
    """Make the row that receipts are copied from: a context of many memories."""
    with workspace_scope(caller):
        first = Node.objects.of(caller).filter(type=Kind.MEMORY).order_by("id")[:1].get()
    assemble_context(caller=caller, wanted=ContextRequest(" ".join(first.body.split()[:6])))


def _add_people(caller: Caller, count: int) -> None:
    emails = [f"person-{number}-{caller.workspace_id}@memory.example" for number in range(count)]
    people = User.objects.bulk_create(User(email=email, name=f"Person {n}") for n, email in enumerate(emails))
    with workspace_scope(caller):
        Membership.objects.bulk_create(
            Membership(workspace_id=caller.workspace_id, user=person, role=Role.MEMBER) for person in people
        )


def _add_spaces(world: World, caller: Caller, count: int, *, model: str) -> None:
    names = [f"project:{number}" for number in range(count)]
    texts = world.texts(seed=7, count=count * MEMORIES_OF_A_SPACE)
    places = product(names, range(MEMORIES_OF_A_SPACE))
    batch = [(parse_space(name).id, text) for (name, _), text in zip(places, texts, strict=True)]
    maintenance = maintenance_caller(caller.workspace_id, "bench")
    with workspace_scope(maintenance):
        Space.objects.bulk_create(
            Space(id=parse_space(name).id, workspace_id=caller.workspace_id, kind=SpaceKind.CUSTOM, key=name)
            for name in names
        )
        insert_memories(maintenance, batch, model=model)


def _ids(model: type[models.Model], caller: Caller, **narrowed: object) -> list[UUID]:
    rows = model._default_manager.filter(workspace_id=caller.workspace_id, **narrowed)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:20_000])


def _analyze() -> None:
    """Bring statistics up to date, as the server does by itself after a while."""
    with psycopg.connect(owner_url(), autocommit=True, options=SEARCH_PATH) as owner:
        for table in tenant_tables():
            owner.execute(f'VACUUM ANALYZE "{table.schema}"."{table.name}"')
