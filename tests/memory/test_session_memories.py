"""What is written for one conversation is found in it alone, through every door, and goes with it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from memory.memories.services.memory_writer import NewMemory
from memory.memories.sessions.services import remember_in_session
from memory.models import Memory
from ontology.models import Node
from tests.cast import Cast, RestClient
from tests.transfer.moving import exported, records_of, sent
from workspaces.access.callers import Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_tables import list_space_tables
from workspaces.access.spaces import session_space
from workspaces.models import AuditEvent, Role, Space

pytestmark = pytest.mark.django_db

TEXT = "The zymurgist orders tea on Mondays."
OTHERS = ("workspaces", "memories", "ontology", "conversations", "context", "spaces")


@pytest.fixture
def rest(cast: Cast) -> RestClient:
    return cast.acme.rest()


def written(rest: RestClient, key: str = "s-1", text: str = TEXT, **fields: Any) -> dict[str, Any]:
    answer = rest.post(f"conversations/{key}/memories", {"content": text, **fields})
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def found_in(rest: RestClient, key: str = "s-1") -> list[str]:
    answer = rest.post(f"conversations/{key}/memories/search", {"query": "who orders tea?"})
    return [hit["memory"]["id"] for hit in answer.json()["results"]]


def test_no_list_and_no_search_has_it_unless_the_conversation_is_named(rest: RestClient) -> None:
    memory = written(rest)
    searched = {"query": "who orders tea on Mondays?"}
    doors = [
        rest.get("memories", limit=200),
        rest.get("memories/stale"),
        rest.get("memories/pin-recommendations"),
        rest.post("memories/search", searched),
        rest.post("context", searched),
        rest.post("context", {**searched, "conversation": "s-2"}),
        rest.get("ontology/nodes", limit=200),
        rest.post("ontology/search", searched),
        rest.post("ontology/ask", {"question": "Who orders tea on Mondays?"}),
        rest.post("messages/search", searched),
        rest.get("spaces"),
        rest.get("ontology/types"),
    ]

    for door in doors:
        assert door.status_code == 200, door.json()
        assert "zymurgist" not in door.content.decode()
        assert memory["id"] not in door.content.decode()
        assert ".session" not in door.content.decode()
    for method in (rest.get, rest.delete):
        assert method(f"memories/{memory['id']}").status_code == 404
        assert method(f"ontology/nodes/{memory['id']}").status_code == 404
    assert rest.post(f"memories/{memory['id']}/promote").status_code == 404
    assert found_in(rest) == [memory["id"]]


def test_a_context_of_the_conversation_has_it_and_its_receipt_names_it(rest: RestClient) -> None:
    memory = written(rest)
    rest.remembered("Coffee is ordered on Fridays.")

    context = rest.post("context", {"query": "Who orders tea on Mondays?", "conversation": "s-1"}).json()

    assert TEXT in context["text"]
    assert memory["id"] in [item["id"] for block in context["blocks"] for item in block["items"]]
    receipt = rest.get(f"receipts/{context['receipt_id']}").json()
    assert memory["id"] in str(receipt)


def test_no_call_can_name_the_space_of_a_session(rest: RestClient, cast: Cast) -> None:
    written(rest)
    identity = rest.get("conversations/s-1").json()["id"]
    name = f".session:{identity}"

    assert rest.get("memories", space=name).status_code == 422
    assert rest.get(f"spaces/{name}").status_code == 404
    assert rest.delete(f"spaces/{name}").status_code == 404
    assert rest.get("memories", space=f"session:{identity}").json()["results"] == []


def test_another_user_and_an_outsider_find_nothing_in_it(rest: RestClient, cast: Cast) -> None:
    address = "conversations/s-1/memories"
    answer = rest.post(address, {"content": TEXT, "user": "42"})
    assert answer.status_code == 201

    assert [one["id"] for one in rest.get(address, user="42").json()["results"]] == [answer.json()["id"]]
    assert rest.get(address).status_code == 404
    assert rest.get(address, user="43").status_code == 404
    assert cast.umbrella.rest().get(address, user="42").status_code == 404


def test_writing_needs_the_right_to_write_and_lifting_that_of_facts(cast: Cast, rest: RestClient) -> None:
    memory = written(rest)
    reader, writer = cast.acme.rest(Right.READ), cast.acme.rest(Right.READ, Right.WRITE)

    assert reader.post("conversations/s-1/memories", {"content": "No."}).status_code == 403
    assert found_in(reader) == [memory["id"]]
    assert writer.post("conversations/s-1/memories", {"content": "A fact.", "kind": "fact"}).status_code == 403
    assert writer.post(f"conversations/s-1/memories/{memory['id']}/promote").status_code == 403
    assert reader.delete(f"conversations/s-1/memories/{memory['id']}").status_code == 403


def test_lifting_it_out_keeps_its_author_and_the_session_has_it_no_more(cast: Cast, rest: RestClient) -> None:
    memory = written(cast.acme.rest(Right.READ, Right.WRITE), tags=["tea"], importance=0.9)

    fact = rest.post(f"conversations/s-1/memories/{memory['id']}/promote").json()

    assert (fact["kind"], fact["content"], fact["tags"], fact["importance"]) == ("fact", TEXT, ["tea"], 0.9)
    assert (fact["author"], fact["origin_id"]) == (memory["author"], memory["id"])
    assert found_in(rest) == []
    assert rest.post(f"conversations/s-1/memories/{memory['id']}/promote").status_code == 404


def test_what_replaces_it_in_the_session_closes_nothing_elsewhere(rest: RestClient) -> None:
    shared = rest.remembered("The user lives in Oslo.")
    written(rest, text="The user lives in Oslo.")
    written(rest, text="The user lives in Bergen now.")

    assert rest.get(f"memories/{shared['id']}").json()["superseded_by"] is None
    listed = rest.get("conversations/s-1/memories").json()["results"]
    assert [one["superseded_by"] is not None for one in listed] == [False, True]


def test_what_a_run_of_the_conversation_cites_is_counted_once(rest: RestClient) -> None:
    memory = written(rest)
    run = rest.post("runs", {"agent": "clerk", "conversation": "s-1"}).json()["id"]
    other = rest.post("runs", {"agent": "clerk"}).json()["id"]
    said = {"status": "succeeded", "output": f"Mondays [mem:{memory['id']}], [mem:{memory['id']}]."}

    finished = [rest.post(f"runs/{run}/finish", said).json() for _ in range(2)]

    assert [each["citations"] for each in finished] == [
        [{"memory_id": memory["id"], "counted": True}],
        [{"memory_id": memory["id"], "counted": False}],
    ]
    assert rest.post(f"runs/{other}/finish", said).json()["unresolved"] == [memory["id"]]
    assert rest.get("conversations/s-1/memories").json()["results"][0]["times_referenced"] == 1


@pytest.mark.parametrize("ends", ["end", "delete", "erase"])
def test_nothing_of_it_is_left_when_it_ends(cast: Cast, rest: RestClient, ends: str) -> None:
    space = {"user": "42"} if ends == "erase" else {}
    answers = [
        rest.post("conversations/s-1/memories", {"content": text, **space})
        for text in (TEXT, "The zymurgist lives in Oslo.", "The zymurgist lives in Bergen now.")
    ]
    identity = rest.get("conversations/s-1", **space).json()["id"]
    run = rest.post("runs", {"agent": "clerk", "conversation": "s-1", "space": "user:42" if space else "shared"}).json()
    said = {"status": "succeeded", "output": f"[mem:{answers[0].json()['id']}]", **space}
    assert rest.post(f"runs/{run['id']}/finish", said).json()["citations"]
    rest.remembered("Coffee is black.")

    if ends == "end":
        assert rest.post("conversations/s-1/end").status_code == 200
    elif ends == "delete":
        assert rest.delete("conversations/s-1").status_code == 204
    else:
        counted = rest.raw("DELETE", "spaces/user:42?dry_run=true", "").json()
        erased = rest.delete("spaces/user:42").json()
        assert counted["rows"]["memories"] == erased["rows"]["memories"] == 3

    everywhere = maintenance_caller(cast.acme.workspace.id, "test")
    with workspace_scope(everywhere), connection.cursor() as cursor:
        for table in list_space_tables():
            name = connection.ops.quote_name(table.name)
            cursor.execute(f"SELECT count(*) FROM {name} AS r WHERE r::text ILIKE '%zymurg%'")  # noqa: S608  # of a model
            assert cursor.fetchone() == (0,), table.name
            assert not table.model._base_manager.filter(space_id=session_space(identity).id).exists(), table.name
        assert Memory.objects.of(everywhere).count() == Node.objects.of(everywhere).filter(type="memory").count() == 1
        assert Space.objects.filter(id=session_space(identity).id).exists() == (ends == "end")


def test_the_audit_log_tells_of_its_end(cast: Cast, rest: RestClient) -> None:
    written(rest)
    rest.post("conversations/s-1/end")
    rest.post("conversations/s-1/end")

    with workspace_scope(cast.acme.caller):
        events = AuditEvent.objects.filter(action="conversation.memories_erased")
        assert list(events.values_list("details", flat=True)) == [{"memories": 1}]


@pytest.mark.django_db(transaction=True)
def test_twenty_sessions_at_once_lose_nothing(cast: Cast) -> None:
    caller = cast.acme.caller_as(Role.OWNER)

    def write(key: str) -> str:
        try:
            return str(remember_in_session(caller=caller, conversation=key, new=NewMemory(TEXT)).memory.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(write, [str(number % 20) for number in range(40)]))

    assert ids[:20] == ids[20:]
    assert len(set(ids)) == 20


def test_an_export_takes_it_along_and_an_import_brings_it_back_to_its_session(cast: Cast, rest: RestClient) -> None:
    memory = written(rest)
    file, umbrella = exported(rest), cast.umbrella.rest(*Right)

    assert sent(umbrella, file).status_code == 201

    assert records_of(exported(umbrella)) == records_of(file)
    assert found_in(umbrella) == [memory["id"]]
    assert umbrella.get("memories").json()["results"] == []
    assert "zymurgist" in umbrella.post("context", {"query": "Who orders tea?", "conversation": "s-1"}).json()["text"]
    assert umbrella.post("conversations/s-1/end").status_code == 200
    assert found_in(umbrella) == []
