"""Undos that go on while what they are about is erased, with its space or with the whole workspace."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from core.ids import new_id
from memory.memories.services.lifecycle import forget_memories
from tests.cast import Cast, RestClient
from transfer.models import UndoItem
from transfer.undo import tasks
from transfer.undo.services import undo_steps
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key


@pytest.mark.django_db(transaction=True)
def test_rows_that_an_undo_works_on_are_not_erased_under_it_and_added_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    clerk = RestClient(cast.acme.workspace.id, made.secret)
    run = clerk.post("runs", {"agent": "clerk", "user": "42"}).json()["id"]
    for number in range(3):
        clerk.remembered(f"Statement number {number}.", user="42")
    free: list[int] = []

    def while_it_works(forget: Callable[..., Any], **given: Any) -> Any:
        with ThreadPoolExecutor(1) as eraser:
            free.append(eraser.submit(_count_free_rows, cast.acme.workspace.id).result())
        return forget(**given)

    monkeypatch.setattr(undo_steps, "forget_memories", lambda **given: while_it_works(forget_memories, **given))
    undone = clerk.post("undo", {"run": run, "user": "42"}).json()

    assert (undone["status"], undone["counts"]["memory"]["removed"]) == ("done", 3)
    assert free == [0]


def _count_free_rows(workspace_id: UUID) -> int:
    """Return how many rows of undos an erasure could delete at this moment."""
    everywhere: Caller = maintenance_caller(workspace_id, "erasure")
    try:
        with workspace_scope(everywhere):
            return len(UndoItem.objects.of(everywhere).select_for_update(skip_locked=True))
    finally:
        connection.close()


@pytest.mark.django_db
def test_an_undo_that_is_gone_with_its_workspace_is_over(cast: Cast) -> None:
    assert tasks.take_back(str(cast.acme.workspace.id), str(new_id()))
