"""A worker that is killed (SIGKILL) at every statement of an erasure, while others write, still leaves nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
from threading import Event, Thread

import pytest
from django.conf import settings
from django.db import DatabaseError, connection

from core.errors import ProductError
from core.ids import new_id
from core.stores import queue
from memory.memories.services.memory_writer import NewMemory, remember
from memory.working_memory.services.slots import write_slot
from memory.working_memory.slot_limits import SlotAddress, SlotLimits
from tests.cast import Cast, Household
from tests.furnished import furnish
from tests.serving import serving_environment
from tests.transfer.markers import found, plant, state
from transfer.erasure import tasks
from transfer.erasure.selectors import RECHECKED_AFTER
from transfer.models import WorkspaceErasure

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_killed_at_every_statement_while_others_write(cast: Cast) -> None:
    marker = f"quincunx{new_id().hex[-12:]}"
    plant(cast.acme, marker)
    furnish(cast.umbrella)
    theirs, stop = state(cast.umbrella), Event()
    writers = [
        Thread(target=_write_late, args=(cast.acme, marker, stop)),
        Thread(target=_knock, args=(cast.acme, stop)),
    ]
    erasure_id = cast.acme.rest().delete(f"/v1/workspaces/{cast.acme.workspace.id}", {"confirm": "Acme"}).json()["id"]
    for writer in writers:
        writer.start()

    try:
        ended = _run(erasure_id)
    finally:
        stop.set()
        for writer in writers:
            writer.join()

    *killed, _ = ended
    assert ended == [signal.SIGKILL] * len(killed) + [0]
    assert len(killed) > 200, "As many statements were killed before, each in its place."
    receipt = WorkspaceErasure.objects.get()
    assert [check["found"] for check in receipt.checks] == [0, 0, 0, 0]
    _look_again(receipt)
    assert found(marker, cast.acme) == []
    assert state(cast.umbrella) == theirs


def _write_late(household: Household, marker: str, stop: Event) -> None:
    """Write past the closed doors, as a call does that had entered before, until the database takes nothing more."""
    number = 0
    while not stop.is_set():
        number += 1
        try:
            remember(caller=household.caller, new=NewMemory(f"The late {marker} {number}."))
            write_slot(
                caller=household.caller,
                address=SlotAddress("working", f"late{number}", {}),
                value=marker,
                limits=SlotLimits(),
            )
        except (DatabaseError, ProductError):
            break
        stop.wait(0.2)
    connection.close()


def _knock(household: Household, stop: Event) -> None:
    """Write through the door, which is closed."""
    while not stop.is_set():
        assert household.rest().post("memories", {"content": "Too late."}).status_code in {401, 410}
        stop.wait(0.1)
    connection.close()


def _run(erasure_id: str) -> list[int]:
    """Run tests.transfer.erasure_crashing as the serving role on the test's database; return how each child ended."""
    written = subprocess.run(
        [sys.executable, "-m", "tests.transfer.erasure_crashing", erasure_id],
        env=serving_environment(),
        cwd=settings.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return [int(line) for line in written.split()]


def _look_again(erasure: WorkspaceErasure) -> None:
    """Do what the schedule does some minutes later, when calls that were under way have ended."""
    WorkspaceErasure.objects.update(finished_at=erasure.requested_at - RECHECKED_AFTER)
    queue.discard_workspace_tasks(erasure.id)
    tasks.erase_workspaces()
    while not tasks.erase_workspace(str(erasure.id)):
        pass
