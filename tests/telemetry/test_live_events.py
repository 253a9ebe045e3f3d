"""Live events through the doors: what happened is seen, by those who may, and never what was said."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from core.stores import redis
from telemetry.live.services.changes import note_change
from telemetry.live.services.feeds import OpenFeeds, TooManyStreamsError
from telemetry.live.services.publisher import MAX_EVENTS, publish
from tests.cast import Answer, Cast, RestClient
from tests.flows.outages import without
from tests.pages import Visitor
from workspaces.access.callers import Right, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.services import create_key
from workspaces.models import Role, User

pytestmark = pytest.mark.heavy
SAID = "Quokkas at the Lindqvist harbour drink elderflower cordial."


def _json(agent: RestClient, **query: Any) -> dict[str, Any]:
    answer = RestClient(agent.workspace_id, agent.secret, accept="application/json").get("events", **query)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def _results(agent: RestClient, **query: Any) -> list[dict[str, Any]]:
    return list(_json(agent, **query)["results"])


def _bound(cast: Cast, *spaces: str, scopes: tuple[Right, ...] = (Right.READ, Right.WRITE)) -> RestClient:
    made = create_key(caller=cast.acme.caller, name=" ".join(spaces), scopes=list(scopes), spaces=list(spaces))
    return RestClient(cast.acme.workspace.id, made.secret, accept="application/json")


def test_a_write_and_a_read_are_seen_as_types_ids_and_numbers(acme: RestClient) -> None:
    memory = acme.remembered(SAID, tags=["quokka"])
    acme.post("memories/search", {"query": "elderflower cordial"})
    acme.delete(f"memories/{memory['id']}")

    wrote, read, removed = _results(acme)

    assert (wrote["verb"], wrote["layer"], wrote["type"], wrote["ids"]) == (
        "write",
        "memories",
        "memory",
        [memory["id"]],
    )
    assert (read["verb"], read["action"], read["ids"], read["count"]) == (
        "read",
        "POST memories/search",
        [memory["id"]],
        1,
    )
    assert (removed["verb"], removed["ids"]) == ("remove", [memory["id"]])
    assert wrote["actor"] == {"kind": "api_key", "id": wrote["actor"]["id"], "name": "Acme agent"}
    assert all(
        one["milliseconds"] > 0 and one["outcome"] == "success" and one["door"] == "rest" for one in (wrote, read)
    )


# What a caller sends, in every place where it might slip into an event.
CALLS: list[Callable[[RestClient], Answer]] = [
    lambda agent: agent.post("memories", {"content": SAID, "tags": ["elderflower"]}),
    lambda agent: agent.post("memories", {"content": SAID, "colour": "elderflower"}),
    lambda agent: agent.get("memories", tags="elderflower"),
    lambda agent: agent.post("memories/search", {"query": "elderflower"}),
    lambda agent: agent.post("conversations/elderflower/messages", {"role": "user", "content": SAID}),
    lambda agent: agent.get("conversations/elderflower/messages"),
    lambda agent: agent.post("conversations/elderflower/memories", {"content": SAID}),
    lambda agent: agent.post("context", {"query": "elderflower", "conversation": "elderflower"}),
    lambda agent: agent.post("chat", {"conversation": "elderflower", "message": "Who drinks elderflower?"}),
    lambda agent: agent.put("slots/semantic/elderflower", {"value": "elderflower"}),
    lambda agent: agent.put("users/elderflower/memory", {"content": "# User Context\nelderflower"}),
    lambda agent: agent.post("ontology/nodes", {"type": "drink", "name": "elderflower", "properties": {}}),
    lambda agent: agent.post("ontology/ask", {"question": "elderflower?"}),
    lambda agent: agent.get("memories/elderflower"),
    lambda agent: agent.raw("ELDERFLOWER", "memories", b"{}"),
    lambda agent: agent.post("memories/search", {"query": "elderflower", "user": "elderflower"}),
]


@pytest.mark.parametrize("call", CALLS)
def test_nothing_that_was_said_is_in_an_event(
    cast: Cast, acme: RestClient, call: Callable[[RestClient], Answer]
) -> None:
    call(acme)

    ring = redis.read_events_back(cast.acme.workspace.id, before="", most=100)
    assert "elderflower" not in json.dumps(ring).lower()


def test_what_is_refused_is_seen_with_its_code_and_no_ids(acme: RestClient) -> None:
    acme.get(f"memories/{uuid4()}")
    (event,) = _results(acme)
    assert (event["outcome"], event["error_code"], event["ids"]) == ("failure", "not_found", [])


def test_a_search_without_hits_is_a_dead_end(acme: RestClient) -> None:
    acme.get("memories")
    assert [one["outcome"] for one in _results(acme)] == ["dead_end"]


def test_looking_at_events_is_no_event(acme: RestClient) -> None:
    _json(acme)
    acme.get("events")
    assert _results(acme) == []


def test_asking_again_goes_on_behind_the_last_one(acme: RestClient) -> None:
    acme.get("memories")
    first = _json(acme, after="0")
    assert len(first["results"]) == 1

    acme.get("runs")
    assert first["last_event_id"] == first["results"][-1]["id"]
    again = _json(acme, after=first["last_event_id"])
    assert [one["layer"] for one in again["results"]] == ["runs"]
    assert _json(acme, after=again["last_event_id"]) == {"results": [], "last_event_id": again["last_event_id"]}


def test_filters_and_limits(acme: RestClient) -> None:
    acme.remembered(SAID)
    acme.get("runs")
    acme.get("memories")

    assert [one["verb"] for one in _results(acme, verb="write")] == ["write"]
    assert [one["layer"] for one in _results(acme, layer="runs")] == ["runs"]
    assert len(_results(acme, actor="Acme agent")) == 3
    assert _results(acme, actor="Nobody's") == []
    assert [one["action"] for one in _results(acme, limit=2)] == ["GET runs", "GET memories"]
    assert [one["action"] for one in _results(acme, after="0", limit=2)] == ["POST memories", "GET runs"]


@pytest.mark.parametrize(
    "query",
    [
        *({"after": place} for place in ("x", "1-2-3", "١", "9" * 40)),
        *({"limit": 0}, {"limit": 201}, {"verb": "chew"}, {"layer": "x"}, {"colour": "red"}),
    ],
)
def test_what_cannot_be_asked_is_refused(acme: RestClient, query: dict[str, Any]) -> None:
    assert acme.get("events", **query).status_code == 422


def test_a_wrong_last_event_id_is_refused(cast: Cast) -> None:
    answer = Client().get(
        f"/v1/workspaces/{cast.acme.workspace.id}/events",
        headers={"Authorization": f"Bearer {cast.acme.secret}", "Last-Event-ID": "elsewhere"},
    )
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["errors"][0]["field"] == "Last-Event-ID"


def test_without_a_dispatcher_the_stream_answers_what_was_missed(cast: Cast, acme: RestClient) -> None:
    acme.get("memories")
    acme.get("runs")
    first, second = _results(acme)

    streamed = Client().get(
        f"/v1/workspaces/{cast.acme.workspace.id}/events",
        headers={"Authorization": f"Bearer {cast.acme.secret}", "Last-Event-ID": first["id"]},
    )

    assert streamed["Content-Type"] == "text/event-stream"
    text = b"".join(streamed).decode()
    assert f"id: {second['id']}\ndata: " in text
    assert json.loads(text.partition("data: ")[2].partition("\n")[0]) == second
    assert first["id"] not in text


# --- Whose they are -------------------------------------------------------------------------------


def test_spaces_keep_their_events_apart(cast: Cast, acme: RestClient) -> None:
    user_42, user_43, shared = _bound(cast, "user:42"), _bound(cast, "user:43", "shared"), _bound(cast, "shared")
    memory = user_42.remembered("Only for 42.")
    acme.post("memories/search", {"query": "only", "user": "42"})

    assert memory["id"] in json.dumps(_results(user_42))
    for other in (user_43, shared, acme):
        assert _results(other) == []
    # What was read in both spaces is seen by who may read both.
    seen = _results(acme, user="42")
    assert [one["verb"] for one in seen] == ["write", "read"]
    assert [one["verb"] for one in _results(acme, user="42", shared="false")] == ["write"]
    assert user_42.get("events", user="43").status_code == 403


def test_when_others_do_something_is_not_told(cast: Cast, acme: RestClient) -> None:
    user_43 = _bound(cast, "user:43")
    user_43.get("memories")
    before = _json(user_43)
    acme.post("memories", {"content": "Only for 42.", "user": "42"})

    hidden = redis.read_events_back(acme.workspace_id, before="", most=1)[0][0]
    assert _json(user_43) == before
    assert _json(user_43, after=before["last_event_id"])["last_event_id"] == before["last_event_id"]
    stream = RestClient(acme.workspace_id, user_43.secret, accept="text/event-stream")
    for query in ({}, {"after": before["last_event_id"]}):
        assert hidden not in b"".join(stream.get("events", **query)).decode()


def test_another_workspace_sees_nothing(acme: RestClient, umbrella: RestClient) -> None:
    acme.remembered(SAID)
    assert _results(umbrella) == []
    assert umbrella.get(f"/v1/workspaces/{acme.workspace_id}/events").status_code == 404


def test_what_is_written_for_one_session_names_no_id(cast: Cast, acme: RestClient, commits: None) -> None:
    answer = acme.post("conversations/tickets/memories", {"content": SAID})
    assert answer.status_code == 201
    assert answer.json()["id"] not in json.dumps(_results(acme))


@pytest.mark.parametrize(
    ("scopes", "status"), [((Right.READ,), 200), ((Right.WRITE,), 403), ((Right.READ, Right.ADMIN), 200)]
)
def test_a_key_needs_the_right_to_read(cast: Cast, scopes: tuple[Right, ...], status: int) -> None:
    assert cast.acme.rest(*scopes).get("events").status_code == status


def test_what_is_about_the_workspace_is_seen_by_admins_alone(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"token_budget": 3_000}})
    acme.get("members")

    assert [one["layer"] for one in _results(acme)] == ["workspace", "workspace"]
    assert _results(cast.acme.rest(Right.READ)) == []
    assert _results(_bound(cast, "shared", scopes=(Right.READ,))) == []


@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_look(cast: Cast, acme: RestClient, role: Role) -> None:
    dora = User.objects.create_user("dora@acme.example", "correct horse battery", name="Dora")
    add_member(caller=cast.acme.caller, email=dora.email, role=role)
    memory = acme.remembered(SAID)
    visitor = Visitor.of(dora, cast.acme.workspace)

    answer = visitor.client.get(
        f"/v1/workspaces/{cast.acme.workspace.id}/events", headers={"Accept": "application/json"}
    )
    assert [one["ids"] for one in answer.json()["results"]] == [[memory["id"]]]
    assert visitor.get("live").status_code == 200


def test_a_person_has_no_name_in_an_event(cast: Cast, acme: RestClient, alice: Visitor) -> None:
    alice.client.get(f"/v1/workspaces/{cast.acme.workspace.id}/memories")
    (event,) = _results(acme)
    assert event["actor"] == {"kind": "user", "id": str(cast.alice.id), "name": None}


# --- Other doors ----------------------------------------------------------------------------------


def test_what_people_change_in_the_console_is_seen(acme: RestClient, alice: Visitor, commits: None) -> None:
    memory = acme.remembered(SAID)
    alice.get("memory")
    alice.post(f"memory/{memory['id']}/pin")

    *_, pinned = _results(acme)
    assert (pinned["door"], pinned["action"]) == ("console", "POST memory/{memory_id}/pin")
    assert (pinned["type"], pinned["ids"], pinned["actor"]["kind"]) == ("memory", [memory["id"]], "user")


def test_a_form_whose_answer_has_no_ids_names_what_it_changed(
    acme: RestClient, alice: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The transaction of a test never commits: what waits for it is run at once.
    monkeypatch.setattr("django.db.transaction.on_commit", lambda run, robust=False: run())
    alice.post("memory/remember", content=SAID, kind="memory")

    *_, wrote = _results(acme)
    assert (wrote["door"], wrote["type"], len(wrote["ids"])) == ("console", "memory", 1)


def test_a_chat_turn_is_one_event(acme: RestClient) -> None:
    acme.remembered(SAID)
    acme.post("chat", {"conversation": "tickets", "message": "What do quokkas drink?"})
    *_, turn = _results(acme)
    assert (turn["door"], turn["layer"], turn["action"], turn["actor"]["name"]) == ("chat", "chat", "chat.turn", "chat")
    assert len([one for one in _results(acme) if one["door"] == "chat"]) == 1


def test_what_agents_report_is_seen_while_memory_is_on(acme: RestClient) -> None:
    action = {"session": "s-1", "agent": "clerk", "action_type": "tool_call", "tool": "erp.send", "outcome": "failure"}
    acme.post("actions", {"actions": [{**action, "error_code": "rate_limited", "latency_ms": 12.5}]})
    assert [one["action"] for one in _results(acme)] == ["POST actions"]  # memory is off: nothing was kept

    acme.post("memory/enable")
    acme.post("actions", {"actions": [{**action, "error_code": "rate_limited", "latency_ms": 12.5}]})

    told = [one for one in _results(acme) if one["door"] == "agent"]
    assert [(one["actor"]["name"], one["action"], one["error_code"], one["milliseconds"]) for one in told] == [
        ("clerk", "erp.send", "rate_limited", 12.5)
    ]


def test_what_the_server_changes_by_itself_is_an_event_of_its_own(
    cast: Cast, acme: RestClient, django_capture_on_commit_callbacks: Any
) -> None:
    caller, identity = system_caller(cast.acme.workspace.id, "consolidation"), uuid4()
    with django_capture_on_commit_callbacks(execute=True), workspace_scope(caller):
        note_change(caller=caller, layer="episodes", type="episode", ids=[identity], action="consolidate")
        assert _results(acme) == []  # not before the commit

    (event,) = _results(acme)
    assert (event["door"], event["action"], event["ids"]) == ("server", "consolidate", [str(identity)])
    assert event["actor"]["name"] == "consolidation"
    assert event["milliseconds"] is None


# --- The ring -------------------------------------------------------------------------------------


def test_the_ring_is_bounded_and_expires(cast: Cast, acme: RestClient) -> None:
    acme.get("memories")
    place = redis.read_events_back(cast.acme.workspace.id, before="", most=1)[0]
    for _ in range(8):
        redis.append_events([(cast.acme.workspace.id, place[1])] * 400, most=MAX_EVENTS, seconds=60)
    server, key = redis.client(), redis.events_key(cast.acme.workspace.id)
    assert MAX_EVENTS <= int(server.xlen(key)) < MAX_EVENTS + 200
    assert 0 < int(server.ttl(key)) <= 60
    assert str(cast.acme.workspace.id) in key  # by which erasing a workspace finds it


@pytest.mark.alone
@pytest.mark.django_db(transaction=True)
def test_without_valkey_nothing_but_the_view_is_missing(cast: Cast, settings: Any) -> None:
    acme = cast.acme.rest()
    alice = Visitor.of(cast.alice, cast.acme.workspace)
    with without("valkey", settings):
        memory = acme.remembered(SAID)
        publish(cast.acme.workspace.id)
        answer = acme.get("events")
        assert (answer.status_code, answer.json()["code"]) == (503, "events_unavailable")
        page = alice.get("live")
        assert page.status_code == 200
        assert "cannot be read just now" in page.content.decode()
    assert acme.get(f"memories/{memory['id']}").json()["content"] == SAID


def test_streams_of_a_workspace_are_bounded() -> None:
    feeds, workspace, other = OpenFeeds(most=3, most_of_workspace=2), uuid4(), uuid4()
    anything: Any = None
    first = feeds.open(workspace, anything, last_id="0-0", encode=anything)
    feeds.open(workspace, anything, last_id="0-0", encode=anything)
    with pytest.raises(TooManyStreamsError):
        feeds.open(workspace, anything, last_id="0-0", encode=anything)
    feeds.open(other, anything, last_id="0-0", encode=anything)
    with pytest.raises(TooManyStreamsError):
        feeds.open(uuid4(), anything, last_id="0-0", encode=anything)
    first.close()
    first.close()
    assert feeds.count(workspace) == 1
