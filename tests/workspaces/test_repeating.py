"""Calls that are sent again: once is once, whoever dies in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from core.clock import utc_now
from core.errors import ConflictError
from tests.cast import Answer, Cast, RestClient
from workspaces.access.idempotency_keys import KEPT, AnswerNotKeptError
from workspaces.access.scope import workspace_scope
from workspaces.http import idempotency
from workspaces.http.idempotency import MAX_ANSWER_CHARACTERS, IdempotentCall
from workspaces.http.tasks import delete_expired_answers
from workspaces.models import IdempotentAnswer

RUN = {"agent": "clerk"}


def sent(client: RestClient, path: str, body: Any, key: str = "k-1", kind: str = "application/json") -> Answer:
    from tests.cast import _client

    headers = {"Authorization": f"Bearer {client.secret}", "Idempotency-Key": key}
    address = f"/v1/workspaces/{client.workspace_id}/{path}"
    return _client().post(address, json.dumps(body), content_type=kind, headers=headers)


def runs(client: RestClient) -> int:
    return len(client.get("runs").json()["results"])


def test_the_same_call_again_gets_the_same_answer_and_does_nothing(acme: RestClient) -> None:
    first, again = sent(acme, "runs", RUN), sent(acme, "runs", RUN)

    assert (again.status_code, again.json()) == (201, first.json())
    assert ("Idempotency-Replayed" in first.headers, again["Idempotency-Replayed"]) == (False, "true")
    assert runs(acme) == 1


def test_the_order_of_fields_makes_no_other_request(acme: RestClient) -> None:
    fields = {"agent": "clerk", "conversation": "c-1"}
    sent(acme, "runs", fields)

    assert sent(acme, "runs", dict(reversed(fields.items()))).status_code == 201
    assert runs(acme) == 1


def test_another_request_under_the_same_key_is_refused(acme: RestClient) -> None:
    sent(acme, "runs", RUN)

    other = sent(acme, "runs", {"agent": "another"})

    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert runs(acme) == 1


def test_a_dry_run_is_not_the_answer_to_the_real_one(acme: RestClient) -> None:
    item, lines = {"item": "memory", "content": "Tea is ordered on Mondays."}, "application/x-ndjson"
    assert sent(acme, "import/items?dry_run=true", item, kind=lines).json()["created"] == 1

    real = sent(acme, "import/items", item, kind=lines)

    assert (real.status_code, real.json()["code"]) == (422, "idempotency_key_reused")


def test_keys_are_told_apart_by_address_caller_and_workspace(cast: Cast, acme: RestClient) -> None:
    others = [cast.umbrella.rest(), cast.acme.rest(*cast.acme.caller.rights)]
    answers = [sent(client, "runs", RUN) for client in (acme, *others)]

    assert len({answer.json()["id"] for answer in answers}) == 3
    assert sent(acme, "memories", {"content": "Tea."}).status_code == 201


def test_what_failed_may_be_tried_again(acme: RestClient) -> None:
    assert sent(acme, "runs", {}).status_code == 422

    assert sent(acme, "runs", RUN).status_code == 201


def test_of_two_at_once_one_works_and_the_other_is_told(cast: Cast, acme: RestClient) -> None:
    call = IdempotentCall.of(caller=_key_caller(cast), path=f"/v1/workspaces/{acme.workspace_id}/runs", key="k-1")
    idempotency.start(call, request=["", RUN])

    waiting = sent(acme, "runs", RUN)

    assert (waiting.status_code, waiting.json()["code"]) == (409, "idempotency_in_progress")
    with time_machine.travel(utc_now() + idempotency.AT_WORK + timedelta(seconds=1)):  # the first one died
        assert sent(acme, "runs", RUN).status_code == 201


def test_an_answer_is_kept_for_a_day(cast: Cast, acme: RestClient) -> None:
    sent(acme, "runs", RUN)
    with time_machine.travel(utc_now() + KEPT + timedelta(seconds=1)):
        assert delete_expired_answers() == 1
        sent(acme, "runs", RUN)
    assert runs(acme) == 2


@pytest.mark.parametrize("verb", ["forget", "promote"])
def test_an_answer_with_a_text_of_a_conversation_goes_with_that(acme: RestClient, verb: str) -> None:
    path = "conversations/c-1/memories"
    made = sent(acme, path, {"content": "Tea is ordered on Mondays."}).json()
    if verb == "forget":
        assert acme.delete(f"{path}/{made['id']}").status_code == 200
    else:
        assert acme.post(f"{path}/{made['id']}/promote").status_code == 200

    again = sent(acme, path, {"content": "Tea is ordered on Mondays."})

    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
    assert "Mondays" not in again.content.decode()


def test_neither_secrets_nor_texts_lie_about(cast: Cast, acme: RestClient) -> None:
    made = sent(acme, "api-keys", {"name": "another", "scopes": ["read"]})
    again = sent(acme, "api-keys", {"name": "another", "scopes": ["read"]})
    sent(acme, "memories", {"content": "Tea is ordered on Mondays."})

    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
    with workspace_scope(cast.acme.caller):
        kept = " ".join(IdempotentAnswer.objects.values_list("answer", flat=True))
    assert made.json()["secret"] not in kept
    assert "Mondays" not in kept


def refused_lines(client: RestClient, number: int, key: str) -> Answer:
    headers = {"Authorization": f"Bearer {client.secret}", "Idempotency-Key": key}
    address = f"/v1/workspaces/{client.workspace_id}/ontology/edges/bulk"
    return Client().post(address, "{}\n" * number, content_type="application/x-ndjson", headers=headers)


def kept_characters(cast: Cast) -> int:
    with workspace_scope(cast.acme.caller):
        return sum(map(len, IdempotentAnswer.objects.values_list("answer", flat=True)))


def test_a_long_answer_is_not_kept_only_that_there_was_one(cast: Cast, acme: RestClient) -> None:
    first, again = (refused_lines(acme, 9_999, "k-1") for _ in range(2))

    assert len(first.content) > MAX_ANSWER_CHARACTERS
    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
    assert kept_characters(cast) == 0


def test_a_workspace_keeps_so_many_bytes_of_answers_and_does_what_is_asked(
    cast: Cast, acme: RestClient, umbrella: RestClient, settings: Any
) -> None:
    settings.MAX_ANSWER_BYTES = 2_000
    done = [sent(acme, "runs", {"agent": f"clerk {number}"}, key=f"k-{number}") for number in range(9)]

    again = [sent(acme, "runs", {"agent": f"clerk {number}"}, key=f"k-{number}") for number in (0, 8)]

    assert {answer.status_code for answer in done} == {201}
    assert (again[0].status_code, again[1].status_code) == (201, 409)
    assert again[1].json()["code"] == "answer_not_kept"
    assert 0 < kept_characters(cast) <= 2_000
    assert runs(acme) == 9
    assert [sent(umbrella, "runs", RUN).status_code for _ in range(2)] == [201, 201]


FORGETTING: dict[str, Callable[[RestClient, dict[str, str]], Answer]] = {
    "memory": lambda acme, ids: acme.delete(f"memories/{ids['memory']}"),
    "stale memories": lambda acme, ids: acme.post("memories/stale/purge"),
    "node": lambda acme, ids: acme.delete(f"ontology/nodes/{ids['node']}"),
    "connection": lambda acme, ids: acme.delete(f"ontology/connections/{ids['connection']}"),
    "conversation": lambda acme, ids: acme.delete("conversations/c-1"),
    "user's memory": lambda acme, ids: acme.delete("users/dana/memory"),
    "slot": lambda acme, ids: acme.delete("slots/session/notes"),
}


@pytest.mark.parametrize("forgetting", FORGETTING)
def test_what_was_deleted_is_not_told_again(cast: Cast, acme: RestClient, forgetting: str) -> None:
    tea = {"content": "Tea is ordered on Mondays."}
    with time_machine.travel(utc_now() - timedelta(days=100)):
        acme.remembered("Old and never asked for.")
    connection = acme.post("ontology/connections", {"name": "crm", "kind": "crm"}).json()["id"]
    node = acme.post("ontology/nodes", {"type": "person", "name": "Dana", "connection": connection}).json()["id"]
    acme.put("slots/session/notes", {"value": 1})
    acme.post("conversations/c-1/messages", {"role": "user", "content": "Hello."})
    first = sent(acme, "memories", tea)
    assert sent(acme, "memories", tea).json() == first.json()

    ids = {"memory": first.json()["id"], "node": node, "connection": connection}
    gone = FORGETTING[forgetting](acme, ids)
    again = sent(acme, "memories", tea)

    assert gone.status_code < 300, gone.content
    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
    with workspace_scope(cast.acme.caller):
        assert set(IdempotentAnswer.objects.values_list("answer", flat=True)) == {""}


def test_nor_by_a_call_that_was_at_work_meanwhile(cast: Cast, acme: RestClient) -> None:
    memory = acme.remembered("Tea is ordered on Mondays.")
    call = IdempotentCall.of(caller=_key_caller(cast), path="/somewhere", key="k-1")
    idempotency.start(call, request=["", RUN])
    acme.delete(f"memories/{memory['id']}")

    idempotency.store_response(call, status=201, rendered=lambda: "Tea is ordered on Mondays.")

    with pytest.raises(AnswerNotKeptError):
        idempotency.start(call, request=["", RUN])


def test_an_answer_is_erased_in_one_workspace_only(acme: RestClient, umbrella: RestClient) -> None:
    first = sent(umbrella, "runs", RUN)
    acme.delete(f"memories/{acme.remembered('Tea.')['id']}")

    assert sent(umbrella, "runs", RUN).json() == first.json()


def test_looking_something_up_keeps_nothing(cast: Cast, acme: RestClient) -> None:
    assert sent(acme, "memories/search", {"query": "tea"}).status_code == 200

    with workspace_scope(cast.acme.caller):
        assert IdempotentAnswer.objects.count() == 0


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "é"])
def test_what_cannot_be_a_key_is_refused(acme: RestClient, key: str) -> None:
    answer = sent(acme, "runs", RUN, key=key)

    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "invalid_idempotency_key")


def test_an_answer_under_another_secret_key_is_not_given(cast: Cast, acme: RestClient, settings: Any) -> None:
    call = IdempotentCall.of(caller=_key_caller(cast), path="/somewhere", key="k-1")
    idempotency.start(call, request=["", RUN])
    idempotency.store_response(call, status=201, rendered=lambda: "{}")
    settings.SECRET_KEY = "another" * 8

    with pytest.raises(ConflictError):
        idempotency.start(call, request=["", RUN])


def _key_caller(cast: Cast) -> Any:
    from workspaces.keys.services import caller_of_key

    return caller_of_key(secret=cast.acme.secret, address="")
