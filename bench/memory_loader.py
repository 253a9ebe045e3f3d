"""Filling workspaces with invented memories, under row security like everybody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from uuid import UUID

import psycopg
from django.db import connection
from django.db.models import Model
from pgvector.django import HnswIndex

from bench.corpus import Text, World
from config.settings import owner_url
from core.clock import utc_now
from core.text import fingerprint
from memory.models import Kind, Memory, Source
from ontology.models import Node, NodeEmbedding
from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller
from workspaces.access.scope import person_scope, workspace_scope
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import User, Workspace

BATCH = 1_000
SEARCH_PATH = "-c search_path=public,org,app,ontology"
OWNER = "bench@memory.example"
# One memory in a hundred is a fact, one in two hundred is pinned, one in fifty may never be found;
# the needles are what a narrow filter has to leave over.
FACT_EVERY, PINNED_EVERY, HIDDEN_EVERY = 100, 200, 50
NEEDLES, NEEDLE = 10, "needle"


def workspace_with(
    world: World, *, count: int, model: str, name: str = "Bench", fact_every: int = FACT_EVERY
) -> Caller:
    """Return the owner of a workspace with that number of memories; it is filled once and stays for later runs.

    `model` is the name that the vectors are stored under: searches with that embedder compare with them. One memory in
    `fact_every` is a fact.
    """
    caller = owner_of(f"{name} {count:,}")
    with workspace_scope(caller):
        there = Node.objects.filter(workspace_id=caller.workspace_id).count()
    texts = islice(enumerate(world.texts(seed=count, count=count)), there, None)
    while batch := list(islice(texts, BATCH)):
        with workspace_scope(caller):
            _insert(caller, batch, every_needle=count // NEEDLES, fact_every=fact_every, model=model)
        print(f"\rloaded {batch[-1][0] + 1:,} of {count:,} memories", end="", flush=True)
    if there < count:
        print()
    return caller


def is_loaded(*, count: int, name: str = "Bench") -> bool:
    """Whether an earlier run has filled the workspace, so that its index of vectors may stay."""
    caller = owner_of(f"{name} {count:,}")
    with workspace_scope(caller):
        return Node.objects.filter(workspace_id=caller.workspace_id).count() >= count


@contextmanager
def without_vector_index(
    embeddings: type[Model] = NodeEmbedding, *, beside: Sequence[type[Model]] = (Node, Memory)
) -> Iterator[None]:
    """Load first and build the index of vectors afterwards, which saves minutes; then bring statistics up to date."""
    index = next(index for index in embeddings._meta.indexes if isinstance(index, HnswIndex))
    with connection.schema_editor(collect_sql=True) as editor:
        create = str(index.create_sql(embeddings, editor))
    with psycopg.connect(owner_url(), autocommit=True, options=SEARCH_PATH) as owner:
        owner.execute(f"DROP INDEX IF EXISTS {index.name}")
        yield
        owner.execute(create)
        for model in (embeddings, *beside):
            owner.execute(f"VACUUM ANALYZE {model._meta.db_table}")


def owner_of(name: str) -> Caller:
    """The owner of the workspace with this name, which is founded when it is not there."""
    owner = User.objects.filter(email=OWNER).first() or User.objects.create_user(OWNER, "", name="Bench")
    with person_scope(owner.id):
        workspace = Workspace.objects.filter(name=name).first()
    workspace = workspace or found_workspace(owner=owner, name=name)
    return Caller(workspace.id, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"])


def insert_memories(caller: Caller, batch: list[tuple[UUID, Text]], *, model: str) -> None:
    """Insert memories that may all be recalled, each into its space, in an open scope of maintenance."""
    nodes = [
        Node(
            workspace_id=caller.workspace_id,
            space_id=space_id,
            type=Kind.MEMORY,
            body=" ".join(text.words),
            needs_embedding=False,
        )
        for space_id, text in batch
    ]
    Node.objects.bulk_create(nodes)
    Memory.objects.bulk_create(
        Memory(
            workspace_id=caller.workspace_id,
            space_id=node.space_id,
            node=node,
            source=Source.IMPORT,
            author=caller.label,
            live_fingerprint=fingerprint(workspace_id=caller.workspace_id, text=node.body),
        )
        for node in nodes
    )
    NodeEmbedding.objects.bulk_create(
        NodeEmbedding(
            workspace_id=caller.workspace_id,
            space_id=node.space_id,
            node=node,
            model=model,
            dimensions=len(text.vector),
            vector=text.vector,
        )
        for node, (_, text) in zip(nodes, batch, strict=True)
    )


def _insert(caller: Caller, batch: list[tuple[int, Text]], *, every_needle: int, fact_every: int, model: str) -> None:
    nodes = [_node(caller, place, text, fact_every=fact_every) for place, text in batch]
    Node.objects.bulk_create(nodes)
    Memory.objects.bulk_create(
        Memory(
            workspace_id=caller.workspace_id,
            node=node,
            tags=[NEEDLE] if place % every_needle == 0 else [f"topic-{text.topic}"],
            source=Source.IMPORT,
            author=caller.label,
            pinned_at=node.created_at if place % PINNED_EVERY == 1 else None,
            live_fingerprint=None if node.is_deleted else fingerprint(workspace_id=caller.workspace_id, text=node.body),
        )
        for node, (place, text) in zip(nodes, batch, strict=True)
    )
    NodeEmbedding.objects.bulk_create(
        NodeEmbedding(
            workspace_id=caller.workspace_id, node=node, model=model, dimensions=len(text.vector), vector=text.vector
        )
        for node, (_, text) in zip(nodes, batch, strict=True)
    )


def _node(caller: Caller, place: int, text: Text, *, fact_every: int) -> Node:
    now = utc_now()
    # By turns forgotten, suppressed and expired.
    hidden = place // HIDDEN_EVERY % 3 if place % HIDDEN_EVERY == 2 else None
    return Node(
        workspace_id=caller.workspace_id,
        type=Kind.FACT if place % fact_every == 3 else Kind.MEMORY,
        body=" ".join(text.words),
        needs_embedding=False,
        is_deleted=hidden == 0,
        suppressed_at=now if hidden == 1 else None,
        expires_at=now - timedelta(days=1) if hidden == 2 else None,
    )
