"""Filling a workspace with nodes, vectors and edges by COPY, under row security like everybody else.

PostgreSQL takes no COPY into a table with row security: rows are copied into temporary tables and inserted from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.random import Generator
from numpy.typing import NDArray

from bench.corpus import DIMENSIONS, Text, Vectors, World
from core.ids import new_id
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

TYPES = ("person", "company", "place", "project", "document")
EDGE_TYPES = ("knows", "owns", "mentions")
EDGES_OF_A_NODE = 2
SAMPLED = 200
# One edge in two leads to one of a few nodes that everybody knows, by Zipf's law.
HUBS = 0.5

TEMPORARY = """
CREATE TEMP TABLE new_nodes (id uuid, type text, name text, body text) ON COMMIT DROP;
CREATE TEMP TABLE new_vectors (id uuid, vector halfvec) ON COMMIT DROP;
CREATE TEMP TABLE new_edges (id uuid, type text, source_id uuid, target_id uuid) ON COMMIT DROP;
"""
NODES = """
INSERT INTO nodes (id, workspace_id, type, name, name_key, body, properties, provenance, importance_score,
                   reference_count, is_deleted, needs_embedding, needs_matching, version, created_at, updated_at)
SELECT id, %s, type, name, lower(name), body, '{}', '{}', 0.5, 0, false, false, false, 1, now(), now() FROM new_nodes
"""
VECTORS = """
INSERT INTO node_embeddings (node_id, workspace_id, model, dimensions, vector, created_at)
SELECT id, %s, %s, %s, vector, now() FROM new_vectors
"""
EDGES = """
INSERT INTO edges (id, workspace_id, type, source_id, target_id, properties, provenance, is_deleted, version,
                   created_at, updated_at)
SELECT id, %s, type, source_id, target_id, '{}', '{}', false, 1, now(), now() FROM new_edges
"""
REGISTER = """
INSERT INTO {table} (id, workspace_id, name, description, is_deleted, created_at) VALUES (%s, %s, %s, '', false, now())
"""

# COPY's binary form, a row after the other: the number of columns, then each column with its length before it.
BINARY_START, BINARY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
VECTOR_ROW = np.dtype(
    [
        ("columns", ">i2"),
        ("id_bytes", ">i4"),
        ("id", "V16"),
        ("vector_bytes", ">i4"),
        ("dimensions", ">u2"),
        ("unused", ">u2"),
        ("vector", ">f2", (DIMENSIONS,)),
    ]
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The nodes of a workspace, how many edges there are among them, and what some of the nodes say."""

    nodes: Sequence[UUID]
    edges: int
    sample: Sequence[Text]


def fill(caller: Caller, world: World, *, seed: int, count: int, model: str) -> Loaded:
    """Load nodes with vectors, and twice as many edges, in one transaction."""
    texts, vectors = world.many(seed=seed, count=count)
    ids = [new_id() for _ in range(count)]
    random = np.random.default_rng([seed, 4])
    with workspace_scope(caller), connection.cursor() as cursor:
        cursor.execute(TEMPORARY)
        _copy(cursor, "new_nodes (id, type, name, body)", _node_lines(ids, texts))
        with cursor.copy("COPY new_vectors (id, vector) FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(BINARY_START + _vector_rows(ids, vectors) + BINARY_END)
        _copy(cursor, "new_edges (id, type, source_id, target_id)", _edge_lines(random, ids))
        cursor.execute(NODES, [caller.workspace_id])
        cursor.execute(VECTORS, [caller.workspace_id, model, DIMENSIONS])
        cursor.execute(EDGES, [caller.workspace_id])
        edges = cursor.rowcount
        for table, names in (("node_types", TYPES), ("edge_types", EDGE_TYPES)):
            cursor.executemany(REGISTER.format(table=table), [(new_id(), caller.workspace_id, name) for name in names])
    return Loaded(ids, edges, texts[:: max(1, count // SAMPLED)][:SAMPLED])


def _copy(cursor: object, where: str, lines: str) -> None:
    with cursor.copy(f"COPY {where} FROM STDIN") as copy:  # type: ignore[attr-defined]  # psycopg's cursor
        copy.write(lines)


def _node_lines(ids: Sequence[UUID], texts: Sequence[Text]) -> str:
    return "".join(
        f"{identity}\t{TYPES[place % len(TYPES)]}\t{' '.join(text.words[:3])}\t{' '.join(text.words)}\n"
        for place, (identity, text) in enumerate(zip(ids, texts, strict=True))
    )


def _vector_rows(ids: Sequence[UUID], vectors: Vectors) -> bytes:
    rows = np.zeros(len(ids), dtype=VECTOR_ROW)
    rows["columns"], rows["id_bytes"], rows["vector_bytes"], rows["dimensions"] = 2, 16, 4 + 2 * DIMENSIONS, DIMENSIONS
    rows["id"] = np.frombuffer(b"".join(identity.bytes for identity in ids), dtype="V16")
    rows["vector"] = vectors
    return rows.tobytes()


def _edge_lines(random: Generator, ids: Sequence[UUID]) -> str:
    nodes, kinds = len(ids), len(EDGE_TYPES)
    drawn = 2 * EDGES_OF_A_NODE * nodes
    hubs: NDArray[np.int64] = np.minimum(random.zipf(1.5, size=drawn), nodes) - 1
    targets = np.where(random.random(drawn) < HUBS, hubs, random.integers(nodes, size=drawn))
    # Every triple is one number, so that no edge is drawn twice.
    triples = (random.integers(nodes, size=drawn) * nodes + targets) * kinds + random.integers(kinds, size=drawn)
    chosen = random.permutation(np.unique(triples))[: EDGES_OF_A_NODE * nodes].tolist()
    return "".join(
        f"{new_id()}\t{EDGE_TYPES[one % kinds]}\t{ids[one // kinds // nodes]}\t{ids[one // kinds % nodes]}\n"
        for one in chosen
    )
