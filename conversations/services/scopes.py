"""Reading what a search ranks: sheets or blocks of words, and cosines, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from conversations.blocks import ENTRY, bucket_numbers, entries_of
from conversations.models import BUNDLED_DIMENSIONS
from conversations.questions import Question
from conversations.ranking import Scope
from conversations.services.caching import BlockCache
from conversations.sheets import POSTING, SHEETS, TRAITS, conversation_hash
from core.embedding import Vector
from core.sql import named_statements
from workspaces.callers import Caller

STATEMENTS = named_statements(Path(__file__).parent.parent / "queries.sql")

# So many messages are read sheet by sheet and compared vector by vector; beyond, blocks and the vectors' index help.
FEW = 5_000
ID = np.dtype("V16")

Ids = NDArray[np.void]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A question as the model that made it sees it; compared with vectors of the same model only."""

    model: str
    values: Vector

    @property
    def parameters(self) -> dict[str, Any]:
        return {"model": self.model, "dimensions": len(self.values), "vector": str(self.values)}


def read_sheets(*, caller: Caller, conversation: UUID | None, question: Question) -> Scope:
    """The messages of a conversation, or of the whole workspace, with the postings of the question's terms and
    without cosines. For an open scope."""
    if conversation is None:
        return _workspace(caller, question)
    few = _sheets(caller, "sheets_of_conversation", question, conversation=conversation, most=FEW + 1)
    if few.size <= FEW:
        return few
    everything = _workspace(caller, question)
    return _only(everything, everything.traits["conversation"] == conversation_hash(conversation))


def read_cosines(
    *,
    caller: Caller,
    conversation: UUID | None,
    scope: Scope,
    vector: QueryVector,
    candidates: int,
    by_words: NDArray[np.intp],
) -> Floats:
    """The cosine of each message with the question, NaN where there is none. For an open scope.

    Of many messages only the nearest `candidates` are compared, those that words have found, and what stands beside.
    """
    if conversation is not None:
        found = _row(caller, "cosines_of_conversation", vector.parameters, conversation=conversation)
        return _placed(scope.ids, found)
    if scope.size <= FEW or len(vector.values) != BUNDLED_DIMENSIONS:
        return _placed(scope.ids, _row(caller, "cosines_of_workspace", vector.parameters))
    _prepare_walk(candidates)
    cosines = _placed(scope.ids, _row(caller, "nearest", vector.parameters, most=candidates))
    places = _widened(np.concatenate([by_words, np.flatnonzero(~np.isnan(cosines))]), scope.size)
    places = places[np.isnan(cosines[places])]
    wanted = [UUID(bytes=identity.tobytes()) for identity in scope.ids[places]]
    cosines[places] = _placed(scope.ids[places], _row(caller, "cosines_of", vector.parameters, messages=wanted))
    return cosines


def _prepare_walk(candidates: int) -> None:
    """Row security takes away from what the index of vectors yields, so it must go on until enough is left."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true)",
            [str(candidates)],
        )


def _widened(places: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """With the two places before and the two after each."""
    wide = np.unique(places[:, None] + np.arange(-2, 3))
    return wide[(wide >= 0) & (wide < size)]


def _placed(ids: Ids, row: Sequence[Any]) -> Floats:
    """Values where their ids are among `ids`."""
    found = np.frombuffer(row[0], "<u8").reshape(-1, 2)
    values = np.frombuffer(row[1], ">f8")
    placed = np.full(len(ids), np.nan)
    if not len(ids) or not len(found):
        return placed
    # The second half of an id is random in every version that we meet, so that it stands for the whole.
    known = ids.view("<u8").reshape(-1, 2)[:, 1]
    order = np.argsort(found[:, 1])
    at = np.minimum(np.searchsorted(found[:, 1], known, sorter=order), len(found) - 1)
    match = order[at]
    fits = found[match, 1] == known
    placed[fits] = values[match[fits]]
    return placed


def _sheets(caller: Caller, statement: str, question: Question, **parameters: Any) -> Scope:
    ids, traits, postings = _row(caller, statement, parameters)
    described = np.frombuffer(traits, TRAITS)
    found = np.frombuffer(postings, POSTING)
    places = np.repeat(np.arange(len(described)), described["terms"])
    sought = np.isin(found["term"], question.terms)
    return Scope(np.frombuffer(ids, ID), described, places[sought], found["term"][sought], found["count"][sought])


def _workspace(caller: Caller, question: Question) -> Scope:
    return _joined([*_blocks(caller, question), _sheets(caller, "waiting_sheets", question)])


# 200 kB each.
_cache = BlockCache(most=512)


def _blocks(caller: Caller, question: Question) -> list[Scope]:
    """Each block of the workspace with its entries for the question."""
    identities = [row[0] for row in _rows(caller, "block_ids", {})]
    if not identities:
        return []
    members = _cache.known(identities)
    if missing := [identity for identity in identities if identity not in members]:
        read = {
            identity: (np.frombuffer(ids, ID), np.frombuffer(traits, TRAITS))
            for identity, ids, traits in _rows(caller, "blocks", {"blocks": missing})
        }
        _cache.keep(read)
        members |= read
    buckets = _rows(caller, "buckets", {"buckets": bucket_numbers(question.terms)})
    entries = {block: entries_of(packed, question.terms) for block, packed in buckets}
    none = np.zeros(0, ENTRY)
    return [_block(*members[block], entries.get(block, none)) for block in identities if block in members]


def _block(ids: Ids, traits: NDArray[np.void], entries: NDArray[np.void]) -> Scope:
    return Scope(ids, traits, entries["place"].astype(np.intp), entries["term"], entries["count"])


def _joined(parts: Sequence[Scope]) -> Scope:
    starts = np.cumsum([0, *(part.size for part in parts)])
    return Scope(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.traits for part in parts]),
        np.concatenate([part.places + start for part, start in zip(parts, starts, strict=False)]),
        np.concatenate([part.terms for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )


def _only(scope: Scope, kept: NDArray[np.bool_]) -> Scope:
    """Those messages alone, and their entries."""
    place = np.cumsum(kept) - 1
    sought = kept[scope.places]
    return Scope(
        scope.ids[kept], scope.traits[kept], place[scope.places[sought]], scope.terms[sought], scope.counts[sought]
    )


def _rows(caller: Caller, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(STATEMENTS[statement], {"workspace": caller.workspace_id, "version": SHEETS, **parameters})
        return list(cursor.fetchall())


def _row(caller: Caller, statement: str, parameters: Mapping[str, Any], **more: Any) -> tuple[Any, ...]:
    return _rows(caller, statement, {**parameters, **more})[0]
