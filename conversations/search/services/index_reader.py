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

from conversations.indexing.candidates import ID, Floats, MessageBatch, PostingColumns, id_halves, number_names
from conversations.indexing.document import SHEETS, TRAITS, conversation_hash
from conversations.indexing.segments import Bucket, bucket_numbers, merge_bucket, read_postings
from conversations.models import BUNDLED_DIMENSIONS, Message
from conversations.search.segment_cache import LastUsed, Members, Waiting
from core.db.named_statements import named_statements
from core.embedding import QueryVector
from llm.embedding.selectors import name_vectors
from workspaces.access.callers import Caller

STATEMENTS = named_statements(Path(__file__).parents[1] / "queries.sql")
# At most this many messages are read sheet by sheet and compared vector by vector; for more, blocks and the index of
# vectors help.
FEW = 5_000

_members: LastUsed[bytes, Members] = LastUsed(most_bytes=64_000_000)
_buckets: LastUsed[tuple[bytes, int], Bucket] = LastUsed(most_bytes=64_000_000)
_waiting: LastUsed[tuple[UUID, ...], Waiting] = LastUsed(most_bytes=32_000_000)


@dataclass(frozen=True, slots=True)
class Compared:
    """Some messages, by the second halves of their ids (`id_halves`), and their cosines with the question."""

    halves: NDArray[np.uint64]
    cosines: Floats

    @classmethod
    def of(cls, row: Sequence[Any]) -> Compared:
        return cls(id_halves(np.frombuffer(row[0], ID)), np.frombuffer(row[1], ">f8"))

    def read_cosines(self, ids: NDArray[np.void]) -> Floats:
        """Return the cosine of each of these messages, NaN where there is none."""
        placed = np.full(len(ids), np.nan)
        if not len(ids) or not len(self.halves):
            return placed
        known = id_halves(ids)
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


def read_words(*, caller: Caller, conversation: UUID | None, terms: NDArray[np.uint32]) -> list[MessageBatch]:
    """Return the messages of a conversation, or of the whole workspace, with the postings of these terms and
    without cosines: one batch, or that of the blocks and that of the sheets next to them. For an open scope."""
    if conversation is None:
        return _workspace(caller, terms)
    ids, traits, postings = _row(caller, "sheets_of_conversation", {"conversation": conversation, "most": FEW + 1})
    few = PostingColumns.of(ids=ids, traits=traits, postings=postings)
    if len(few.ids) <= FEW:
        return [few.select_terms(terms)]
    name = conversation_hash(conversation)
    return [part.only(part.traits["conversation"] == name) for part in _workspace(caller, terms)]


def read_all_compared(*, caller: Caller, conversation: UUID | None, vector: QueryVector) -> Compared:
    """Return every message of the conversation, or of the workspace, that has a vector. For an open scope."""
    if conversation is None:
        return _compare(caller, "cosines_of_workspace", vector)
    return _compare(caller, "cosines_of_conversation", vector, conversation=conversation)


def read_nearest(*, caller: Caller, vector: QueryVector, most: int) -> Compared:
    """Return the `most` nearest messages of the workspace. For an open scope."""
    if len(vector.values) != BUNDLED_DIMENSIONS or vector.is_of_workspace:
        return _compare(caller, "cosines_of_workspace", vector)
    with connection.cursor() as cursor:
        # Row security takes away from what the index of vectors yields, so it must go on until enough is left.
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true)",
            [str(most)],
        )
    return _compare(caller, "nearest", vector, most=most)


def read_compared(*, caller: Caller, ids: NDArray[np.void], vector: QueryVector) -> Compared:
    """Return those of these messages that have a vector. For an open scope."""
    return _compare(caller, "cosines_of", vector, messages=_array(ids.tobytes()))


def read_messages(*, caller: Caller, ids: NDArray[np.void]) -> dict[bytes, Message]:
    """Return those of these messages that still exist, by their ids. For an open scope."""
    if not len(ids):
        return {}
    named = {"workspace": caller.workspace_id, "ids": _array(ids.tobytes())}
    return {message.id.bytes: message for message in Message.objects.raw(STATEMENTS["messages"], named)}


def read_later(
    *, caller: Caller, answers: Sequence[UUID], later: Sequence[UUID], vector: QueryVector, near: float, characters: int
) -> list[tuple[UUID, UUID, float, float, str]]:
    """Return, for each of the answers, what users said after it in its space, of these messages: both ids, its cosines
    with the answer, at least `near`, and with the question, and how it begins. For an open scope."""
    vectors = name_vectors("message_embeddings", source="messages", reference="message_id", query=vector)
    named = {"answers": _array(b"".join(each.bytes for each in answers))}
    named |= {"messages": _array(b"".join(each.bytes for each in later))}
    compared = {"model": vector.model, "dimensions": len(vector.values), "vector": str(vector.values), "near": near}
    return _rows(caller, "said_later", {**named, **compared, "characters": characters}, vectors=vectors)


def read_message_times(*, caller: Caller, ids: NDArray[np.void]) -> dict[bytes, int]:
    """Return the times of those of these messages that still exist, in microseconds since 1970. For an open scope."""
    if not len(ids):
        return {}
    found, times = _row(caller, "message_times", {"ids": _array(ids.tobytes())})
    return dict(zip(_split(found), np.frombuffer(times, ">i8").tolist(), strict=True))


def split_ids(ids: NDArray[np.void]) -> list[bytes]:
    """Return the ids one by one."""
    return _split(ids.tobytes())


def read_beginnings(*, caller: Caller, ids: NDArray[np.void], characters: int) -> dict[bytes, str]:
    """Return the first `characters` of those of these messages that still exist and are of the space that the caller
    writes into, by their ids. For an open scope."""
    named = {"messages": _array(ids.tobytes()), "characters": characters, "space": caller.reach.written}
    return dict(_rows(caller, "beginnings", named))


def _workspace(caller: Caller, terms: NDArray[np.uint32]) -> list[MessageBatch]:
    blocks, waiting = _row(caller, "word_index", {})
    pending = _read_pending(caller, waiting).sheets.select_terms(terms)
    if not blocks:
        return [pending]
    members = _read_members(caller, blocks)
    postings = read_postings(_read_buckets(caller, members, terms), terms)
    return [MessageBatch(members.ids, members.traits, members.sessions, *postings), pending]


def _read_pending(caller: Caller, named: bytes) -> Waiting:
    """Return the sheets of the messages with these ids."""
    place = (caller.workspace_id, *caller.reach.read)
    known = _waiting.get(place)
    if known and known.named == named:
        return known
    messages = _split(named)
    rows = dict(known.rows) if known else {}
    if new := b"".join(message for message in messages if message not in rows):
        rows |= {row[2]: row for row in _rows(caller, "sheets", {"messages": _array(new)})}
    # One that is gone since a moment ago is left out.
    rows = {message: rows[message] for message in messages if message in rows}
    columns = list(zip(*sorted(rows.values()), strict=True)) or [()] * 5
    ids, traits, postings = (b"".join(column) for column in columns[2:])
    waiting = Waiting(named, rows, PostingColumns.of(ids=ids, traits=traits, postings=postings))
    _waiting.put(place, waiting)
    return waiting


def _read_members(caller: Caller, blocks: bytes) -> Members:
    """Return the messages of these blocks, one block after the other."""
    if known := _members.get(blocks):
        return known
    # A block that is gone since a moment ago is left out.
    read = _rows(caller, "blocks", {"blocks": _array(blocks)})
    there, ids, traits = zip(*read, strict=True) if read else ((), (), ())
    described = np.frombuffer(b"".join(traits), TRAITS)
    ends = np.cumsum([0, *(len(some) // ID.itemsize for some in ids)])
    members = Members(there, np.frombuffer(b"".join(ids), ID), described, number_names(described["session"]), ends[:-1])
    _members.put(blocks, members)
    return members


def _read_buckets(caller: Caller, members: Members, terms: NDArray[np.uint32]) -> dict[int, Bucket]:
    """Return the buckets that hold these terms."""
    blocks = b"".join(members.blocks)
    numbers = bucket_numbers(terms)
    kept = {number: bucket for number in numbers if (bucket := _buckets.get((blocks, number)))}
    if unread := [number for number in numbers if number not in kept]:
        read = _rows(caller, "buckets", {"buckets": unread})
        packed = {(number, block): postings for number, block, postings in read}
        for number in unread:
            parts = [packed.get((number, block), b"") for block in members.blocks]
            kept[number] = merge_bucket(parts, begins=members.begins)
            _buckets.put((blocks, number), kept[number])
    return kept


def _split(ids: bytes) -> list[bytes]:
    return [ids[at : at + ID.itemsize] for at in range(0, len(ids), ID.itemsize)]


def _array(ids: bytes) -> str:
    """Return ids of 16 bytes as PostgreSQL reads an array: UUIDs of Python's would take longer than the search."""
    digits = ids.hex()
    return f"{{{','.join(digits[at : at + 32] for at in range(0, len(digits), 32))}}}"


def _compare(caller: Caller, statement: str, vector: QueryVector, **more: Any) -> Compared:
    vectors = name_vectors("message_embeddings", source="messages", reference="message_id", query=vector)
    parameters = {"model": vector.model, "dimensions": len(vector.values), "vector": str(vector.values)}
    return Compared.of(_row(caller, statement, {**parameters, **more}, vectors=vectors))


def _rows(caller: Caller, statement: str, parameters: Mapping[str, Any], *, vectors: str = "") -> list[tuple[Any, ...]]:
    place: dict[str, Any] = {"workspace": caller.workspace_id, "spaces": list(caller.reach.read), "version": SHEETS}
    with connection.cursor() as cursor:
        text = STATEMENTS[statement].format(vectors=vectors) if vectors else STATEMENTS[statement]
        cursor.execute(text, {**place, **parameters})
        return list(cursor.fetchall())


def _row(caller: Caller, statement: str, parameters: Mapping[str, Any], *, vectors: str = "") -> tuple[Any, ...]:
    return _rows(caller, statement, parameters, vectors=vectors)[0]
