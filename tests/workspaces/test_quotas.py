"""No workspace takes more than its part: rows, imports, calls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction, keep_actions
from telemetry.models import Action
from tests.cast import Answer, Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.quotas import forget_counts
from workspaces.access.scope import workspace_scope
from workspaces.settings.services import set_memory_enabled

pytestmark = pytest.mark.django_db

ACTION = {"session": "s", "agent": "a", "action_type": "tool_call", "outcome": "success"}


@pytest.fixture(autouse=True)
def _nothing_counted(cast: Cast) -> Iterator[None]:
    for household in (cast.acme, cast.umbrella):
        set_memory_enabled(caller=household.caller, enabled=True)  # without, no action is kept
    forget_counts()
    yield
    forget_counts()


def part(client: RestClient, job: str, number: int, line: str = '{"a": 1}') -> Answer:
    return client.raw("PUT", f"imports/{job}/parts/{number}", line, content_type="application/x-ndjson")


@pytest.mark.parametrize(
    ("setting", "path", "body"),
    [
        ("MAX_NODES", "memories", {"content": "The kettle is blue."}),
        ("MAX_NODES", "ontology/nodes", {"type": "note", "name": "kettle"}),
        ("MAX_MESSAGES", "conversations/c/messages", {"role": "user", "content": "Hello."}),
        ("MAX_ITERATIONS", "conversations/c/iterations/build", {"action": "Ran."}),
        ("MAX_ACTIONS", "actions", {"actions": [ACTION]}),
    ],
)
def test_a_full_workspace_takes_no_more_rows_and_others_do(
    cast: Cast, settings: Any, setting: str, path: str, body: dict[str, Any]
) -> None:
    acme, umbrella = cast.acme.rest(), cast.umbrella.rest()
    setattr(settings, setting, 1)
    assert acme.post(path, body).status_code in {200, 201}
    forget_counts()

    refused = acme.post(path, {**body, "content": "Another."} if "content" in body else body)

    assert (refused.status_code, refused.json()["code"]) == (409, "quota_exceeded"), refused.content
    assert setting in refused.json()["detail"]
    assert umbrella.post(path, body).status_code in {200, 201}
    setattr(settings, setting, 0)
    assert acme.post(path, {**body, "content": "A third."} if "content" in body else body).status_code in {200, 201}


def test_bulk_lines_of_a_full_workspace_are_refused(acme: RestClient, settings: Any) -> None:
    settings.MAX_NODES = 1
    acme.remembered("The kettle is blue.")
    forget_counts()

    answer = acme.raw("POST", "ontology/nodes/bulk", '{"type": "note", "name": "n"}', "application/x-ndjson")

    assert (answer.status_code, answer.json()["code"]) == (409, "quota_exceeded")


def test_what_the_server_captures_of_a_full_workspace_is_let_go(cast: Cast, settings: Any) -> None:
    settings.MAX_ACTIONS = 1
    for _ in range(2):
        forget_counts()
        keep_actions(caller=cast.acme.caller, actions=[NewAction("s", "a", "tool_call", Outcome.SUCCESS)])

    with workspace_scope(cast.acme.caller):
        assert Action.objects.count() == 1


@pytest.mark.parametrize("tier", ["session", "episodic", "semantic"])
def test_the_slots_of_a_workspace_have_so_many_bytes(cast: Cast, settings: Any, tier: str) -> None:
    settings.MAX_SLOT_BYTES = 5_000
    acme, umbrella = cast.acme.rest(), cast.umbrella.rest()

    def put(client: RestClient, name: str, size: int) -> Answer:
        return client.put(f"slots/{tier}/{name}", {"value": "x" * size})

    assert [put(acme, name, 1_500).status_code for name in "ab"] == [200, 200]
    refused = put(acme, "c", 1_500)
    assert (refused.status_code, refused.json()["code"]) == (409, "quota_exceeded")
    assert "MAX_SLOT_BYTES" in refused.json()["detail"]
    assert acme.get(f"slots/{tier}/c").status_code == 404
    assert acme.post(f"slots/{tier}/list/append", {"item": "x" * 3_000}).json()["code"] == "quota_exceeded"
    assert put(umbrella, "c", 1_500).status_code == 200

    assert put(acme, "a", 100).status_code == 200, "It takes the place of what it replaces."
    assert put(acme, "c", 1_500).status_code == 200
    assert acme.delete(f"slots/{tier}/b").status_code == 204
    assert put(acme, "d", 1_500).status_code == 200
    forget_counts()
    assert put(acme, "e", 1_500).status_code == 409
    settings.MAX_SLOT_BYTES = 0
    assert put(acme, "e", 1_500).status_code == 200


def test_many_small_items_count_for_their_rows(acme: RestClient, settings: Any) -> None:
    settings.MAX_SLOT_BYTES = 20_000

    assert acme.put("slots/episodic/numbers", {"value": [1] * 50}).status_code == 200
    assert acme.put("slots/episodic/more", {"value": [1] * 50}).status_code == 409
    forget_counts()
    assert acme.put("slots/episodic/more", {"value": [1] * 50}).status_code == 409


def test_a_workspace_keeps_so_many_user_memories(cast: Cast, settings: Any) -> None:
    settings.MAX_USER_MEMORIES = 1
    acme = cast.acme.rest()
    assert acme.put("users/u-1/memory", {"content": "# One"}).status_code == 200
    forget_counts()

    refused = acme.put("users/u-2/memory", {"content": "# Two"})

    assert (refused.status_code, refused.json()["code"]) == (409, "quota_exceeded")
    assert acme.put("users/u-1/memory", {"content": "# Again"}).status_code == 200
    assert cast.umbrella.rest().put("users/u-2/memory", {"content": "# Two"}).status_code == 200


def test_the_newest_receipts_are_kept(cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.recall.receipts.services.receipt_writer.PRUNED_EVERY", 1)
    settings.MAX_RECEIPTS = 2
    acme, receipts = cast.acme.rest(), []
    other = cast.umbrella.rest().post("context", {"query": "tea"}).json()["receipt_id"]

    for _ in range(4):
        receipts.append(acme.post("context", {"query": "tea"}).json()["receipt_id"])
        forget_counts()

    assert [acme.get(f"receipts/{each}").status_code for each in receipts] == [404, 404, 200, 200]
    assert cast.umbrella.rest().get(f"receipts/{other}").status_code == 200


@pytest.mark.parametrize("body", ["[]", "1", '{"a": 1}'])
def test_a_body_that_is_no_export_leaves_no_import_open(acme: RestClient, body: str) -> None:
    for _ in range(3):
        answer = acme.raw("POST", "import", body, content_type="application/x-ndjson")
        assert answer.status_code == 422, answer.content

    assert {job["status"] for job in acme.get("imports").json()["results"]} <= {"refused"}
    assert acme.post("imports").status_code == 201


def test_imports_that_are_open_are_few(acme: RestClient, umbrella: RestClient) -> None:
    answers = [acme.post("imports") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[-1].json()["code"] == "too_many_imports"
    assert umbrella.post("imports").status_code == 201
    with time_machine.travel(utc_now() + timedelta(minutes=61)):
        assert acme.post("imports").status_code == 201


def test_an_import_has_so_many_parts_and_bytes(acme: RestClient, settings: Any) -> None:
    settings.MAX_IMPORT_PARTS, settings.MAX_IMPORT_BYTES = 3, 40
    job = acme.post("imports").json()["id"]

    assert part(acme, job, 0).status_code == 200
    assert part(acme, job, 3).json()["code"] == "too_large"
    assert part(acme, job, 0).status_code == 200, "It replaces what it was, and is not added to it."
    assert part(acme, job, 1).status_code == 200
    assert part(acme, job, 2).json()["code"] == "too_large"


def test_keys_of_a_workspace_share_its_rate_and_others_have_their_own(
    cast: Cast, umbrella: RestClient, settings: Any
) -> None:
    settings.WORKSPACE_RATE_LIMIT_PER_MINUTE = 4
    keys = [cast.acme.rest(Right.READ) for _ in range(3)]

    answers = [key.get("memories") for _ in range(4) for key in keys]  # over two minutes at most

    refused = next(answer for answer in answers if answer.status_code == 429)
    assert "of this workspace together" in refused.json()["detail"]
    assert int(refused["Retry-After"]) > 0
    assert umbrella.get("memories").status_code == 200
