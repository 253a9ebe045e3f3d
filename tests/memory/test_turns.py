"""Of one workspace few extractions wait in the queue: what another queues has not to wait for all of them."""

from __future__ import annotations

from uuid import UUID

import pytest
from django_q.models import OrmQ

from conversations.models import Conversation, Message
from core.clock import utc_now
from core.stores import queue, queued_tasks
from core.stores.queued_tasks import QueuedTask, listed_tasks
from memory.episodes.services.consolidation import CONSOLIDATE_TASK
from memory.episodes.services.end_conversation import EXTRACT_TASK
from memory.episodes.tasks import resume_waiting
from memory.extraction import tasks as extraction_tasks
from tests.cast import Cast, RestClient
from workspaces.access.callers import system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.unique_tasks import QUEUED_AT_ONCE, enqueue_in_turn, note_begin
from workspaces.models import Lease, WaitingTask

MANY = 12


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    """REST as Acme's agent, with memory switched on and an empty queue."""
    client = cast.acme.rest()
    client.post("memory/enable")
    OrmQ.objects.all().delete()
    return client


def end(client: RestClient, number: int) -> None:
    client.post(f"conversations/c-{number}/messages", {"role": "user", "content": f"I prefer tea number {number}."})
    assert client.post(f"conversations/c-{number}/end").json()["extracting"] is True


def tasks(path: str = EXTRACT_TASK) -> list[QueuedTask]:
    read = [queued_tasks.read(payload) for payload in OrmQ.objects.order_by("id").values_list("payload", flat=True)]
    return [task for task in read if task.path == path]


def work(path: str = EXTRACT_TASK) -> int:
    """Run the oldest task of this kind until there is none; return how many there were."""
    done = 0
    while OrmQ.objects.exists():
        row = OrmQ.objects.order_by("id").first()
        assert row is not None
        task = queued_tasks.read(row.payload)
        row.delete()
        if task.path == path:
            listed_tasks()[path](*task.args)
            done += 1
    return done


def unread_messages(cast: Cast) -> int:
    with workspace_scope(cast.acme.caller):
        return Message.objects.filter(extracted_at=None).count()


def test_of_many_ended_conversations_few_are_queued_at_a_time_and_none_is_lost(cast: Cast, acme: RestClient) -> None:
    for number in range(MANY):
        end(acme, number)

    assert len(tasks()) == QUEUED_AT_ONCE
    assert work() == MANY
    assert unread_messages(cast) == 0
    with workspace_scope(cast.acme.caller):
        assert not WaitingTask.objects.exists()


def test_what_another_workspace_queues_stands_behind_a_few_only(acme: RestClient, umbrella: RestClient) -> None:
    umbrella.post("memory/enable")
    for number in range(MANY):
        end(acme, number)
    end(umbrella, 0)

    waiting = tasks()

    assert [task.args[0] for task in waiting] == [str(acme.workspace_id)] * QUEUED_AT_ONCE + [
        str(umbrella.workspace_id)
    ]
    first, *_ = waiting
    OrmQ.objects.order_by("id").first().delete()
    listed_tasks()[EXTRACT_TASK](*first.args)
    assert [task.args[0] for task in tasks()][-2:] == [str(umbrella.workspace_id), str(acme.workspace_id)]


def test_an_ended_conversation_waits_once_however_often_it_is_ended(cast: Cast, acme: RestClient) -> None:
    for number in (*range(4), 3, 3):
        end(acme, number)

    with workspace_scope(cast.acme.caller):
        assert WaitingTask.objects.count() == 4 - QUEUED_AT_ONCE
    assert work() == 4


def test_what_a_lost_task_did_not_queue_the_schedule_does(cast: Cast, acme: RestClient) -> None:
    for number in range(MANY):
        end(acme, number)
    OrmQ.objects.all().delete()
    assert resume_waiting() == 0, "Those that were queued are not known to be lost before an hour is over."
    with workspace_scope(cast.acme.caller):
        Lease.objects.update(until=utc_now())

    assert resume_waiting() == QUEUED_AT_ONCE
    assert work() == MANY - QUEUED_AT_ONCE


def test_a_conversation_that_is_gone_gives_its_turn_to_the_next(cast: Cast, acme: RestClient) -> None:
    for number in range(MANY):
        end(acme, number)
    for number in range(QUEUED_AT_ONCE + 1):
        assert acme.delete(f"conversations/c-{number}").status_code in {200, 204}

    work()

    assert unread_messages(cast) == 0


def test_a_long_conversation_is_extracted_in_several_turns(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction_tasks, "SECONDS_OF_ONE_TASK", 0.0)
    lines = [{"role": "user", "content": f"I prefer tea number {number}. " + "x" * 9_000} for number in range(8)]
    acme.post("conversations/long/messages", {"messages": lines})
    acme.post("conversations/long/end")

    assert work() >= 3
    assert unread_messages(cast) == 0


def test_consolidations_take_turns_and_keep_what_they_were_asked_for(cast: Cast, acme: RestClient) -> None:
    caller = system_caller(acme.workspace_id, "consolidation")
    for number in range(MANY):
        end(acme, number)
    with workspace_scope(caller):
        ids = [str(each) for each in Conversation.objects.of(caller).order_by("id").values_list("id", flat=True)]
    OrmQ.objects.all().delete()
    for number, identity in enumerate(ids):
        assert enqueue_in_turn(CONSOLIDATE_TASK, caller=caller, subject=identity, arguments=(number, 30))
        assert not enqueue_in_turn(CONSOLIDATE_TASK, caller=caller, subject=identity, arguments=(99, 99))

    done = []
    while waiting := tasks(CONSOLIDATE_TASK):
        assert len(waiting) <= QUEUED_AT_ONCE
        done.append(waiting[0].args)
        OrmQ.objects.order_by("id").first().delete()
        note_begin(CONSOLIDATE_TASK, caller=caller, subject=str(waiting[0].args[1]))

    assert done == [(str(acme.workspace_id), identity, number, 30) for number, identity in enumerate(ids)]


def test_a_workspace_does_not_see_what_waits_in_another(cast: Cast, acme: RestClient) -> None:
    for number in range(MANY):
        end(acme, number)

    with workspace_scope(cast.umbrella.caller):
        assert not WaitingTask.objects.exists()
    note_begin(EXTRACT_TASK, caller=cast.umbrella.caller, subject=str(UUID(int=1)))
    assert len(tasks()) == QUEUED_AT_ONCE
    assert queue.waiting_tasks() >= QUEUED_AT_ONCE
