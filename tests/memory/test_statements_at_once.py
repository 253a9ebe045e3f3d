"""Two consolidations of one space that close the same statements, each in an order of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from core.clock import utc_now
from memory.memories.services.statement_supersession import close_replaced_statements
from memory.models import EpisodeStatement, MemoryEpisode
from tests.cast import Cast, Household
from tests.memory.test_episodes import add_episode
from tests.together import together
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db(transaction=True)

YEAR_AGO = utc_now() - timedelta(days=365)
LATER, LAST = YEAR_AGO + timedelta(days=100), YEAR_AGO + timedelta(days=101)


def test_they_wait_for_each_other(cast: Cast) -> None:
    cast.acme.rest().post("conversations/garden/messages", {"role": "user", "content": "Hello."})
    add_episode(cast.acme, "What was said.", 2, hour=0)
    old = _keep(cast.acme, [("Anna lives in Rome.", YEAR_AGO), ("Ben lives in Rome.", YEAR_AGO)], begin=1)
    first = _keep(cast.acme, [("Anna lives in Oslo.", LATER), ("Ben lives in Oslo.", LAST)], begin=3)
    second = _keep(cast.acme, [("Ben lives in Paris.", LATER), ("Anna lives in Paris.", LAST)], begin=5)

    together([lambda: _close_slowly(cast.acme, first), lambda: _close_slowly(cast.acme, second)])

    with workspace_scope(cast.acme.caller):
        closed = EpisodeStatement.objects.filter(pk__in=[each.pk for each in old]).exclude(superseded_at=None)
        assert closed.count() == 2


def _keep(household: Household, said: Sequence[tuple[str, datetime]], *, begin: int) -> list[EpisodeStatement]:
    with workspace_scope(household.caller):
        episode = MemoryEpisode.objects.get()
        return EpisodeStatement.objects.bulk_create(
            EpisodeStatement(
                workspace_id=household.workspace.id,
                space_id=episode.space_id,
                episode=episode,
                conversation_id=episode.conversation_id,
                position=position,
                text=text,
                kind="fact",
                said_at=at,
                speaker="user",
                confidence=0.9,
            )
            for position, (text, at) in enumerate(said, start=begin)
        )


def _close_slowly(household: Household, statements: Sequence[EpisodeStatement]) -> None:
    """Leave time after each change, in which the other transaction makes its own."""

    def wait(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith("UPDATE"):
            time.sleep(0.5)
        return result

    with workspace_scope(household.caller), connection.execute_wrapper(wait):
        close_replaced_statements(caller=household.caller, statements=statements)
