"""Work of the schedule: what fails in one workspace keeps no other one waiting."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import OperationalError

from conversations.indexing.services import index_writer
from conversations.indexing.tasks import index_all
from tests.cast import Cast
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.selectors import all_workspace_ids

pytestmark = pytest.mark.django_db


def test_the_others_have_their_turn_and_the_task_fails(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    first, *others = all_workspace_ids()
    assert others
    reached: list[UUID] = []

    def step(identity: UUID) -> int:
        reached.append(identity)
        return 1 // (identity != first)

    with pytest.raises(ZeroDivisionError):
        sum_over_workspaces(step)
    assert reached == [first, *others]
    assert [record.getMessage() for record in caplog.records] == [
        f"workspace_failed workspace={first} cause=ZeroDivisionError"
    ]


def test_a_database_that_is_away_is_asked_once(cast: Cast) -> None:
    reached: list[UUID] = []

    def step(identity: UUID) -> int:
        reached.append(identity)
        raise OperationalError

    with pytest.raises(OperationalError):
        sum_over_workspaces(step)
    assert len(reached) == 1


def test_a_scheduled_task_goes_on_behind_a_workspace_that_fails(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = all_workspace_ids()
    reached: list[UUID] = []

    def index_pending(*, workspace_id: UUID) -> int:
        if workspace_id == first:
            raise ValueError
        reached.append(workspace_id)
        return 0

    monkeypatch.setattr(index_writer, "index_pending", index_pending)
    with pytest.raises(ValueError, match=r"^$"):
        index_all()
    assert reached == others
