"""Reading what a search ranks, as arrays: words from sheets or blocks, cosines from vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from conversations.blocks import bucket_numbers, postings_in
from conversations.models import BUNDLED_DIMENSIONS
from conversations.questions import Question
from conversations.services.caching import BlockCache, Members
from conversations.sheets import POSTING, SHEETS, TRAITS, conversation_hash
from conversations.stretches import Floats, Stretch, numbered
from core.embedding import QueryVector
from core.sql import named_statements
from workspaces.callers import Caller

STATEMENTS = named_statements(Path(__file__).parent.parent / "queries.sql")

# So many messages are read sheet by sheet and compared vector by vector; beyond, blocks and the vectors' index help.
FEW = 5_000
ID = np.dtype("V16")

_cache = BlockCache(most_messages=2_000_000)


@dataclass(frozen=True, slots=True)
class Compared:
    """Some messages, by the second halves of their ids, and their cosines with the question.

    That half is random in every version of ids that we meet, so that it stands for the whole.
    """

    halves: NDArray[np.uint64]
    cosines: Floats

    @classmethod
    def of(cls, row: Sequence[Any]) -> Compared:
        return cls(np.frombuffer(row[0], "<u8")[1::2], np.frombuffer(row[1], ">f8"))

    def beside(self, ids: NDArray[np.void]) -> Floats:
        """The cosine of each of these messages, NaN where there is none."""
        placed = np.full(len(ids), np.nan)
        if not len(ids) or not len(self.halves):
            return placed
        known = ids.view("<u8")[1::2]
        # Most of many ids are none of a few that were compared; their last bytes already tell.
        endings = np.zeros(1 << 16, bool)
        endings[self.halves >> 48] = True
        likely = np.flatnonzero(endings[known >> 48])
        order = np.argsort(self.halves)
        last = len(order) - 1
        at = order[np.minimum(np.searchsorted(self.halves, known[likely], sorter=order), last)]
        fits = self.halves[at] == known[likely]
        placed[likely[fits]] = self.cosines[at[fits]]
        return placed


def read_words(*, caller: Caller, conversation: UUID | None, question: Question) -> list[Stretch]:
    """The messages of a conversation, or of the whole workspace, with the postings of the question's terms and
    without cosines: one stretch, or that of the blocks and that of the sheets beside them. For an open scope."""
    if conversation is None:
        return _workspace(caller, question)
    few = _sheets(caller, "sheets_of_conversation", question, conversation=conversation, most=FEW + 1)
    if few.size <= FEW:
        return [few]
    name = conversation_hash(conversation)
    return [part.only(part.traits["conversation"] == name) for part in _workspace(caller, question)]


def read_all_compared(*, caller: Caller, conversation: UUID | None, vector: QueryVector) -> Compared:
    """Every message of the conversation, or of the workspace, that has a vector. For an open scope."""
    if conversation is None:
        return Compared.of(_row(caller, "cosines_of_workspace", _compared_with(vector)))
    return Compared.of(_row(caller, "cosines_of_conversation", _compared_with(vector), conversation=conversation))


def read_nearest(*, caller: Caller, vector: QueryVector, most: int) -> Compared:
    """The `most` nearest messages of the workspace. For an open scope."""
    if len(vector.values) != BUNDLED_DIMENSIONS:
        return Compared.of(_row(caller, "cosines_of_workspace", _compared_with(vector)))
    with connection.cursor() as cursor:
        # Row security takes away from what the index of vectors yields, so it must go on until enough is left.
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true)",
            [str(most)],
        )
    return Compared.of(_row(caller, "nearest", _compared_with(vector), most=most))


def read_compared(*, caller: Caller, ids: NDArray[np.void], vector: QueryVector) -> Compared:
    """Those of these messages that have a vector. For an open scope."""
    # One text for all of them: a UUID of Python's for each of hundreds would take longer than finding them.
    digits = ids.tobytes().hex()
    wanted = ",".join(digits[at : at + 32] for at in range(0, len(digits), 32))
    return Compared.of(_row(caller, "cosines_of", _compared_with(vector), messages=f"{{{wanted}}}"))


def _sheets(caller: Caller, statement: str, question: Question, **parameters: Any) -> Stretch:
    ids, traits, postings = _row(caller, statement, parameters)
    described = np.frombuffer(traits, TRAITS)
    found = np.frombuffer(postings, POSTING)
    places = np.repeat(np.arange(len(described)), described["terms"])
    sought = np.isin(found["term"], question.terms)
    return Stretch(
        np.frombuffer(ids, ID),
        described,
        numbered(described["session"]),
        places[sought],
        found["term"][sought],
        found["count"][sought],
    )


def _workspace(caller: Caller, question: Question) -> list[Stretch]:
    waiting = _sheets(caller, "waiting_sheets", question)
    blocks = [row[0] for row in _rows(caller, "block_ids", {})]
    if not blocks:
        return [waiting]
    members = _members_of(caller, blocks)
    buckets = dict(_rows(caller, "buckets", {"buckets": bucket_numbers(question.terms)}))
    packed = [buckets.get(block, b"") for block in members.blocks]
    postings = postings_in(packed, begins=members.begins, terms=question.terms)
    return [Stretch(members.ids, members.traits, members.sessions, *postings), waiting]


def _members_of(caller: Caller, blocks: Sequence[UUID]) -> Members:
    """The messages of the workspace's blocks, one block after the other."""
    key = tuple(blocks)
    if known := _cache.get(key):
        return known
    read = _rows(caller, "blocks", {"blocks": list(blocks)})
    ids = np.frombuffer(b"".join(ids for _, ids, _ in read), ID)
    traits = np.frombuffer(b"".join(traits for _, _, traits in read), TRAITS)
    ends = np.cumsum([len(ids) // ID.itemsize for _, ids, _ in read])
    # A block that is gone since a moment ago is left out.
    there = tuple(block for block, _, _ in read)
    members = Members(there, ids, traits, numbered(traits["session"]), np.concatenate([[0], ends[:-1]]).astype(np.intp))
    _cache.put(key, members)
    return members


def _compared_with(vector: QueryVector) -> dict[str, Any]:
    return {"model": vector.model, "dimensions": len(vector.values), "vector": str(vector.values)}


def _rows(caller: Caller, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(STATEMENTS[statement], {"workspace": caller.workspace_id, "version": SHEETS, **parameters})
        return list(cursor.fetchall())


def _row(caller: Caller, statement: str, parameters: Mapping[str, Any], **more: Any) -> tuple[Any, ...]:
    return _rows(caller, statement, {**parameters, **more})[0]
