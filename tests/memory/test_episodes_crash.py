"""A worker that is killed (SIGKILL) while it consolidates leaves all sources or the episode, never neither.

And wherever an episode stands, what was said in its sources had been kept as a memory before these went.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.db.models import Sum

from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Message, MessageRole
from core.clock import utc_now
from memory.episodes.tasks import consolidate_conversation
from memory.models import Kind, MemoryEpisode
from ontology.models import Node
from tests.cast import Cast, Household
from tests.serving import serving_environment
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# Two episodes of three turns: 2,000 tokens each, 6,000 in one call. Few of them are words: reading these takes longer
# than all the rest.
TURNS = 6
NOTHING_DONE, HALF_DONE, DONE = (6, 0), (3, 1), (0, 2)
TURN = "I decided to plant apple tree {0} in Graz. " + "⠿" * 640
KEPT = "The user decided to plant apple tree {0} in Graz."


def test_killed_at_every_statement(cast: Cast) -> None:
    ended = _run("statements", cast.acme, _backlogs(cast.acme, 240))

    *killed, finished = ended
    assert [*ended.values()] == [signal.SIGKILL] * len(killed) + [0], "Its last steps were never reached."
    assert len(killed) >= 40
    states = _assert_kept_before_it_went(cast.acme, [*killed, finished])
    assert {*states} == {NOTHING_DONE, HALF_DONE, DONE}, "Before, between and after the episodes, and nothing else."
    _finish(cast.acme, killed)


def test_killed_after_any_time(cast: Cast) -> None:
    conversations = _backlogs(cast.acme, 40)

    ended = _run("delays", cast.acme, conversations)

    assert list(ended.values()).count(signal.SIGKILL) >= 20
    assert {*_assert_kept_before_it_went(cast.acme, conversations)} <= {NOTHING_DONE, HALF_DONE, DONE}
    _finish(cast.acme, conversations)


def _backlogs(household: Household, count: int) -> list[str]:
    household.rest().post("memory/enable")
    first = utc_now() - timedelta(days=60)
    stored = []
    for number in range(count):
        messages = [
            NewMessage(MessageRole.USER, TURN.format(number), created_at=first + timedelta(minutes=turn))
            for turn in range(TURNS)
        ]
        stored.append(append_messages(caller=household.caller, conversation=f"garden-{number}", messages=messages)[0])
    return [str(message.conversation_id) for message in stored]


def _run(how: str, household: Household, conversations: Sequence[str]) -> dict[str, int]:
    """Run tests.memory.crashing as the serving role on the test's database; answer which signal ended each child."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.memory.crashing", how, str(household.workspace.id), *conversations],
        env=serving_environment(),
        cwd=settings.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return {conversation: int(how) for conversation, how in map(str.split, told.splitlines())}


def _state(household: Household, conversation: str) -> tuple[int, int]:
    """How many messages are left, and how many episodes there are; together they stand for every turn."""
    with workspace_scope(household.caller):
        left = Message.objects.filter(conversation_id=UUID(conversation)).count()
        episodes = MemoryEpisode.objects.filter(conversation_id=UUID(conversation))
        assert left + (episodes.aggregate(turns=Sum("turn_count"))["turns"] or 0) == TURNS
        return left, len(episodes)


def _assert_kept_before_it_went(household: Household, conversations: Sequence[str]) -> list[tuple[int, int]]:
    """The states. Whatever has an episode has its memory; and none has two, however often it was begun again."""
    states = [_state(household, conversation) for conversation in conversations]
    with workspace_scope(household.caller):
        kept = Counter(Node.objects.filter(type=Kind.MEMORY, is_deleted=False).values_list("body", flat=True))
    assert set(kept.values()) <= {1}
    assert all(state == NOTHING_DONE or kept[KEPT.format(number)] == 1 for number, state in enumerate(states))
    return states


def _finish(household: Household, conversations: Sequence[str]) -> None:
    """The next run, once the leases of the dead one have run out, does what was left."""
    workspace = household.workspace.id
    with workspace_scope(household.caller):
        Lease.objects.update(until=utc_now())
    for conversation in conversations:
        consolidate_conversation(str(workspace), conversation, 0, 30)
    assert {*_assert_kept_before_it_went(household, conversations)} == {DONE}
