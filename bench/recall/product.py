"""The product in the run: import over REST, the embedding backlog, and searches over REST."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

import httpx
import numpy as np
from numpy.typing import NDArray

from bench.memory_loader import owner_of
from bench.recall.dataset import Asked, DataSet, Said, Talk
from bench.rest_client import rest_as
from bench.timing import milliseconds
from conversations.indexing.services.index_writer import index_pending
from conversations.models import Message, MessageEmbedding
from conversations.search.services.message_search import search_messages
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

AT_ONCE = 200
DEPTH = 200  # the most that a search answers
TIMED = 40  # questions whose time is taken; ten hits are wanted then
LONGEST_WAIT_SECONDS = 3_600
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Imported:
    """A data set in a workspace of its own; `ids` leads from the product's ids to those of the data."""

    caller: Caller
    ids: Mapping[str, str]
    messages_a_second: float
    embedded_a_second: float
    milliseconds: list[float] = field(default_factory=list)


def import_data(data: DataSet) -> Imported:
    """Append every message over REST and wait until each has its vector."""
    caller = owner_of(f"Recall {data.name} {time.time():.0f}")
    ids: dict[str, str] = {}
    started = time.perf_counter()
    with rest_as(caller) as rest:
        for talk in data.talks:
            ids.update(_append(rest, talk))
    appended = time.perf_counter()
    while _waiting(caller):
        if time.perf_counter() - appended > LONGEST_WAIT_SECONDS:
            raise TimeoutError("The embedding backlog does not drain. Is the worker running?")
        time.sleep(1)
    embedded = time.perf_counter()
    index_pending(workspace_id=caller.workspace_id)
    return Imported(caller, ids, round(len(ids) / (appended - started)), round(len(ids) / (embedded - started), 1))


def rankings(imported: Imported, talks: Sequence[Talk], *, at_once: bool) -> Iterator[tuple[Talk, Asked, list[str]]]:
    """Each question with the ids of the data that the product answers, best first; `at_once` names no conversation.

    Ids of other conversations have their conversation before them, since the data's are unique within one only.
    """
    with rest_as(imported.caller) as rest:
        for talk in talks:
            for question in talk.questions:
                body = {"query": question.text, "limit": DEPTH} | ({} if at_once else {"conversation": talk.id})
                yield talk, question, [imported.ids[hit["message"]["id"]] for hit in _search(rest, body)]


def latencies(imported: Imported, data: DataSet, *, at_once: bool) -> list[float]:
    """Milliseconds through HTTP of some of the questions, each asked for the first time."""
    with rest_as(imported.caller) as rest:
        return _times(data, lambda asked: _search(rest, asked), at_once=at_once)


def latencies_inside(imported: Imported, data: DataSet, *, at_once: bool) -> list[float]:
    """The same inside this process, as peers answer inside theirs."""
    return _times(data, lambda asked: search_messages(caller=imported.caller, **asked), at_once=at_once)


def vectors_of(imported: Imported) -> dict[str, Vectors]:
    """The vectors that the product has stored, by the ids of the data."""
    with workspace_scope(imported.caller):
        rows = MessageEmbedding.objects.filter(workspace_id=imported.caller.workspace_id)
        stored = list(rows.values_list("message_id", "vector"))
    return {imported.ids[str(identity)]: np.asarray(vector, np.float32) for identity, vector in stored}


def _times(data: DataSet, search: Callable[[dict[str, Any]], object], *, at_once: bool) -> list[float]:
    # The question marks keep a question out of the cache of vectors.
    marks = "??" if at_once else "?"
    asked = [
        {"query": f"{question.text}{marks}", "limit": 10} | ({} if at_once else {"conversation": talk.id})
        for talk, question in islice(data.mixed, TIMED)
    ]
    return [milliseconds(partial(search, one)) for one in asked]


def data_id(talk: Talk, message_id: str) -> str:
    return f"{talk.id}/{message_id}"


def _append(rest: httpx.Client, talk: Talk) -> dict[str, str]:
    ids: dict[str, str] = {}
    for at in range(0, len(talk.messages), AT_ONCE):
        part = talk.messages[at : at + AT_ONCE]
        answer = rest.post(f"conversations/{talk.id}/messages", json={"messages": [_body(said) for said in part]})
        stored = answer.raise_for_status().json()["messages"]
        ids.update({message["id"]: data_id(talk, said.id) for message, said in zip(stored, part, strict=True)})
    return ids


def _body(said: Said) -> dict[str, Any]:
    return {
        "role": said.role,
        "name": said.speaker,
        "content": said.text,
        "created_at": said.at.isoformat(),
        "metadata": {"session": said.session},
    }


def _search(rest: httpx.Client, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = rest.post("messages/search", json=body).raise_for_status().json()["results"]
    return found


def _waiting(caller: Caller) -> UUID | None:
    with workspace_scope(caller):
        return (
            Message.objects.filter(workspace_id=caller.workspace_id, needs_embedding=True)
            .values_list("id", flat=True)
            .first()
        )
