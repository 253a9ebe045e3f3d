"""The embedding queue: turns of every workspace, two ends of a backlog, and what becomes of it when something fails."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django_q.models import OrmQ

from conversations.indexing.services.embedded_messages import MESSAGE_VECTORS
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Message, MessageRole
from core.embedding import EmbeddingFailedError, Vector, default_embedder
from core.stores import queued_tasks
from llm.embedding import tasks
from llm.embedding.services import backlog
from llm.embedding.services.backlog import EMBED_TASK, FIRST_BATCH, LARGEST_BATCH, embed_pending, fitting_size
from llm.embedding.table_registry import embedded_tables
from llm.embedding.tasks import embed_all, embed_workspace
from llm.models import WorkspaceEmbedding
from ontology.models import Node
from tests.cast import Cast, Household
from workspaces.access.leases import take_lease
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

pytestmark = pytest.mark.django_db(transaction=True)


class Embedder:
    """Makes vectors of nothing, and remembers what it was given."""

    model = "still"
    dimensions = 384

    def __init__(self, *, is_broken: bool = False) -> None:
        self.is_broken = is_broken
        self.given: list[list[str]] = []

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if self.is_broken:
            raise EmbeddingFailedError("The endpoint did not answer.")
        self.given.append(list(texts))
        return [[1.0, *[0.0] * 383] for _ in texts]


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Embedder:
    made = Embedder()
    monkeypatch.setattr(backlog, "default_embedder", lambda: made)
    return made


@pytest.fixture
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every turn is over after its first round of batches."""
    monkeypatch.setattr(tasks, "TURN_SECONDS", 0.0)


def _embed_all_of(household: Household) -> int:
    try:
        done, _ = backlog.embed_for_a_while(workspace_id=household.workspace.id, seconds=0.0)
        return done
    finally:
        connection.close()


def test_a_long_backlog_takes_turns_with_what_comes_meanwhile(
    cast: Cast, embedder: Embedder, short_turns: None
) -> None:
    _say(cast.acme, 4 * FIRST_BATCH)
    run_first()
    cast.umbrella.rest().remembered("Tea is ordered on Mondays.")

    turns = [run_first() for _ in range(5)]

    # Two turns of the long backlog, one from each end, were there before.
    assert str(cast.umbrella.workspace.id) in [workspace for _, workspace, *_ in turns[:3]]
    assert _waiting(cast.umbrella) == 0


def test_however_many_nudges_two_turns_of_a_workspace_are_queued(
    cast: Cast, embedder: Embedder, short_turns: None
) -> None:
    for _ in range(4):
        _say(cast.acme, 2 * FIRST_BATCH)
        run_first()
    for _ in range(3):  # without Redis every nudge becomes a task
        queued_tasks.add(queued_tasks.QueuedTask(id="nudged", path=EMBED_TASK, args=(str(cast.acme.workspace.id),)))

    longest = 0
    while _queued():
        run_first()
        longest = max(longest, len([one for one in _queued() if len(one) > 2]))

    assert longest == 2
    assert _waiting(cast.acme) == 0
    assert _leases(cast.acme) == 0


def test_workers_begin_at_both_ends(cast: Cast, embedder: Embedder, short_turns: None) -> None:
    _say(cast.acme, 3 * FIRST_BATCH)
    held = take_lease(caller=cast.acme.caller, name="embedding oldest", seconds=60)
    assert held

    assert embed_workspace(str(cast.acme.workspace.id)) == FIRST_BATCH
    assert embed_workspace(str(cast.acme.workspace.id)) == 0  # both ends are taken

    assert embedder.given[0][0].startswith(f"Message {3 * FIRST_BATCH - 1}.")
    (turn,) = [one for one in _queued() if len(one) > 2]
    assert turn[2] == "newest"


def test_every_table_has_its_part_of_a_turn(cast: Cast, embedder: Embedder, short_turns: None) -> None:
    _say(cast.acme, 2 * FIRST_BATCH)
    cast.acme.rest().remembered("Tea is ordered on Mondays.")

    assert embed_workspace(str(cast.acme.workspace.id)) == FIRST_BATCH + 1

    with workspace_scope(cast.acme.caller):
        assert not Node.objects.filter(needs_embedding=True).exists()


def test_what_another_transaction_holds_goes_on_waiting_and_delays_nothing(cast: Cast, embedder: Embedder) -> None:
    held, free = (cast.acme.rest().remembered(text)["id"] for text in ("Tea is on Mondays.", "Rye is on Fridays."))

    with workspace_scope(cast.acme.caller):
        Node.objects.filter(id=held).update(name="Tea")
        with ThreadPoolExecutor(1) as other:
            assert other.submit(_embed_all_of, cast.acme).result(timeout=20) == 2

    with workspace_scope(cast.acme.caller):
        waiting = {str(row) for row in Node.objects.filter(needs_embedding=True).values_list("id", flat=True)}
    assert (held in waiting, free in waiting) == (True, False)
    assert _embed_all_of(cast.acme) == 1


@pytest.mark.parametrize(
    ("rows", "seconds", "size"), [(8, 1.0, 4), (8, 0.1, 40), (8, 0.0, LARGEST_BATCH), (8, 60.0, 1)]
)
def test_batches_fit_the_time_that_others_may_wait(rows: int, seconds: float, size: int) -> None:
    assert fitting_size(rows, seconds=seconds) == size


def test_long_texts_make_small_batches(cast: Cast, embedder: Embedder) -> None:
    _say(cast.acme, 4, text="Tea. " * 1_500)

    assert embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=100) == 4

    assert [len(batch) for batch in embedder.given] == [1, 1, 1, 1]


def test_the_schedule_queues_every_workspace_where_rows_wait(cast: Cast, embedder: Embedder) -> None:
    for household in (cast.acme, cast.umbrella):
        _say(household, 1)
    OrmQ.objects.all().delete()
    forget_nudges(cast)

    assert embed_all() == 2
    while _queued():
        run_first()

    assert (embed_all(), _waiting(cast.acme), _waiting(cast.umbrella)) == (0, 0, 0)


def test_another_model_makes_every_vector_again(
    cast: Cast, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme = cast.acme.rest()
    _say(cast.acme, 2)
    acme.remembered("Tea is ordered on Mondays.")
    acme.put("slots/semantic/notes", {"value": [{"note": "She keeps a labrador."}]})
    assert embed_workspace(str(cast.acme.workspace.id)) == 4
    assert embed_all() == 0

    monkeypatch.setattr(embedder, "model", "another")

    assert embed_all() == 1
    assert embed_workspace(str(cast.acme.workspace.id)) == 4
    assert embed_all() == 0


def test_an_embedder_that_fails_leaves_no_lease_and_no_task(
    cast: Cast, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    _say(cast.acme, 1)
    OrmQ.objects.all().delete()
    monkeypatch.setattr(embedder, "is_broken", True)

    assert embed_workspace(str(cast.acme.workspace.id)) == 0

    assert (_queued(), _leases(cast.acme), _waiting(cast.acme)) == ([], 0, 1)
    monkeypatch.setattr(embedder, "is_broken", False)
    assert embed_workspace(str(cast.acme.workspace.id)) == 1


def test_unwanted_vectors_are_not_waited_for(cast: Cast, embedder: Embedder) -> None:
    _say(cast.acme, 1)
    cast.acme.rest().put("settings", {"memory": {"embed_messages": False}})

    assert (embed_all(), embed_workspace(str(cast.acme.workspace.id)), _waiting(cast.acme)) == (0, 0, 1)


def test_without_an_embedder_nothing_happens(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    _say(cast.acme, 1)
    monkeypatch.setattr(backlog, "default_embedder", lambda: None)

    assert (embed_all(), embed_workspace(str(cast.acme.workspace.id)), _waiting(cast.acme)) == (0, 0, 1)


def test_every_table_with_vectors_is_registered() -> None:
    from django.apps import apps

    ours = {model for model in apps.get_models() if any(field.name == "vector" for field in model._meta.get_fields())}

    # One table has the vectors of all of them by models of workspaces.
    assert {table.vectors or table.rows for table in embedded_tables()} == ours - {WorkspaceEmbedding}
    assert default_embedder() is not None


def run_first() -> tuple[str | int, ...]:
    """Run the embedding task that has waited longest; return its path and arguments."""
    row = next(row for row in OrmQ.objects.order_by("lock", "id") if queued_tasks.read(row.payload).path == EMBED_TASK)
    task = queued_tasks.read(row.payload)
    row.delete()
    embed_workspace(*map(str, task.args))
    return task.path, *task.args


def forget_nudges(cast: Cast) -> None:
    from core.stores import redis

    for household in (cast.acme, cast.umbrella):
        redis.discard(redis.nudge_key(EMBED_TASK, household.workspace.id))


def _queued() -> list[tuple[Any, ...]]:
    tasks_ = [
        queued_tasks.read(payload) for payload in OrmQ.objects.order_by("lock", "id").values_list("payload", flat=True)
    ]
    return [(task.path, *task.args) for task in tasks_ if task.path == EMBED_TASK]


def _say(household: Household, count: int, *, text: str = "Where is the tea?") -> None:
    messages = [NewMessage(MessageRole.USER, f"Message {number}. {text}") for number in range(count)]
    append_messages(caller=household.caller, conversation="help-desk", messages=messages)


def _waiting(household: Household) -> int:
    with workspace_scope(household.caller):
        rows = (Message.objects, Node.objects)
        return sum(each.filter(needs_embedding=True).count() for each in rows)


def _leases(household: Household) -> int:
    with workspace_scope(household.caller):
        return Lease.objects.count()
