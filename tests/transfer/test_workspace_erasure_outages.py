"""A workspace is erased while the graph or Valkey is dead: no receipt until it is back, and then nothing is left."""

from __future__ import annotations

from typing import Any

import pytest

from core.ids import new_id
from core.stores import queue
from tests.cast import Cast
from tests.flows.outages import without
from tests.transfer.markers import found, plant
from transfer.erasure import tasks
from transfer.models import WorkspaceErasure

pytestmark = [pytest.mark.alone, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("server", "named"), [("graph", "graph"), ("valkey", "redis")])
def test_a_dead_server_is_waited_for(cast: Cast, settings: Any, server: str, named: str) -> None:
    marker, rest = f"quincunx{new_id().hex[-12:]}", cast.acme.rest()
    plant(cast.acme, marker)
    address = f"/v1/workspaces/{cast.acme.workspace.id}"

    with without(server, settings):
        counted = rest.delete(f"{address}?dry_run=true").json()
        erasure_id = rest.delete(address, {"confirm": "Acme"}).json()["id"]
        assert not tasks.erase_workspace(erasure_id)
        waiting = rest.get(f"/v1/erasures/{erasure_id}").json()

    queue.discard_workspace_tasks(WorkspaceErasure.objects.get().id)
    assert tasks.erase_workspaces() == 1
    while not tasks.erase_workspace(erasure_id):
        pass
    receipt = rest.get(f"/v1/erasures/{erasure_id}").json()
    assert counted["unreachable"] == [named]
    assert (waiting["status"], waiting["waits_for"], waiting["checks"]) == ("erasing", named, [])
    assert (receipt["status"], receipt["waits_for"]) == ("erased", None)
    assert found(marker, cast.acme) == []
