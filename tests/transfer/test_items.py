"""Items of other products' exports: once, however often they come; each line for itself; a dry run keeps nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conversations.messages.selectors import access_conversation
from memory.episodes.services.consolidation import summarize_old_turns
from tests.cast import Answer, Cast, RestClient
from transfer.imports.services.third_party import ImportedMessage
from workspaces.access.callers import Right
from workspaces.settings.services import set_memory_enabled

TEA = "Tea is ordered on Mondays."


def message(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "item": "message",
        "conversation": "chatgpt/c-1",
        "key": f"m-{number}",
        "title": "Tea",
        "role": "user",
        "content": f"Message {number}.",
        "created_at": f"2026-01-01T08:{number:02}:00Z",
        **fields,
    }


def memory(content: str = TEA, **fields: Any) -> dict[str, Any]:
    return {"item": "memory", "content": content, **fields}


def node(key: str, **fields: Any) -> dict[str, Any]:
    return {"item": "node", "key": key, "type": "person", "name": key.title(), **fields}


def taken(client: RestClient, *items: Any, query: str = "") -> Answer:
    lines = "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    return client.raw("POST", f"import/items{query}", lines, content_type="application/x-ndjson")


def counts(answer: Answer) -> tuple[int, int, int]:
    body = answer.json()
    return body["created"], body["existing"], body["refused"]


def test_items_come_in_once(acme: RestClient) -> None:
    items = [*map(message, range(5)), memory(tags=["mem0"]), message(1, conversation="claude/c-2")]

    assert counts(taken(acme, *items)) == (7, 0, 0)
    again = taken(acme, *items, message(5), message(5))

    assert counts(again) == (1, 8, 0)
    assert again.json()["results"][7]["id"] == again.json()["results"][8]["id"]
    said = acme.get("conversations/chatgpt/c-1/messages").json()["results"]
    assert [(one["content"], one["created_at"]) for one in said[:1]] == [("Message 0.", "2026-01-01T08:00:00Z")]
    assert len(said) == 6
    assert {one["title"] for one in acme.get("conversations").json()["results"]} == {"Tea"}
    (kept,) = acme.get("memories").json()["results"]
    assert (kept["source"], kept["tags"]) == ("import", ["mem0"])


def test_messages_without_a_time_come_in_once_as_well(acme: RestClient) -> None:
    timeless = {name: value for name, value in message(1).items() if name != "created_at"}

    assert [counts(taken(acme, timeless)) for _ in range(2)] == [(1, 0, 0), (0, 1, 0)]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("2025-03-01T09:30:00-07:00", "2025-04-01T00:00:00Z"), ("2025-03-01T16:30:00Z", "2025-04-01T00:00:00Z")),
        (("2025-03-01T09:30:00Z", None), ("2025-03-01T09:30:00Z", "2025-03-01T09:30:00Z")),
        ((None, "2025-04-01T00:00:00Z"), ("2025-04-01T00:00:00Z", "2025-04-01T00:00:00Z")),
        (("2025-03-01T09:30:00Z", "2025-01-01T00:00:00Z"), ("2025-03-01T09:30:00Z", "2025-03-01T09:30:00Z")),
    ],
)
def test_memories_keep_their_times(
    acme: RestClient, given: tuple[str | None, str | None], kept: tuple[str, str]
) -> None:
    times = dict(zip(("created_at", "updated_at"), given, strict=True))
    taken(acme, memory(**{name: at for name, at in times.items() if at}))

    (found,) = acme.get("memories").json()["results"]

    assert (found["created_at"], found["updated_at"]) == kept
    assert counts(taken(acme, memory(created_at="2020-01-01T00:00:00Z"))) == (0, 1, 0)
    assert acme.get("memories").json()["results"] == [found]


def test_nothing_was_made_later_than_now(acme: RestClient) -> None:
    taken(acme, memory(created_at="2999-01-01T00:00:00Z", updated_at="2999-01-02T00:00:00Z"))

    (found,) = acme.get("memories").json()["results"]

    assert found["created_at"] == found["updated_at"] < "2900"


def test_the_same_key_elsewhere_is_another_message(acme: RestClient, umbrella: RestClient) -> None:
    ids = [taken(client, message(1)).json()["results"][0]["id"] for client in (acme, umbrella)]

    assert len(set(ids)) == 2


def test_a_dry_run_tells_the_same_and_keeps_nothing(acme: RestClient) -> None:
    items = [message(1), memory(), memory()]

    dry = taken(acme, *items, query="?dry_run=true")

    assert counts(dry) == (2, 1, 0)
    assert acme.get("conversations").json()["results"] == acme.get("memories").json()["results"] == []
    assert counts(taken(acme, *items)) == (2, 1, 0)


def test_what_an_episode_stands_for_does_not_come_back(cast: Cast, acme: RestClient) -> None:
    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    items = [*map(message, range(6))]
    taken(acme, *items)
    conversation = access_conversation(cast.acme.caller, "chatgpt/c-1")
    summarize_old_turns(caller=cast.acme.caller, conversation=conversation, retain_last=2, max_age_days=0)
    assert len(acme.get("conversations/chatgpt/c-1/messages").json()["results"]) == 2

    assert counts(taken(acme, *items)) == (0, 6, 0)


def test_what_was_forgotten_does_not_come_back(acme: RestClient) -> None:
    taken(acme, memory())
    acme.delete(f"memories/{acme.get('memories').json()['results'][0]['id']}")

    (result,) = taken(acme, memory()).json()["results"]

    assert (result["status"], result["code"]) == ("refused", "forgotten_before")


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("{", "malformed_json"),
        ("[]", "invalid"),
        ("7", "invalid"),
        ({"item": "ghost"}, "invalid"),
        (message(9, role="ghost"), "invalid"),
        (message(9, surprise=1), "unknown_field"),
        (message(9, content="x" * 100_001), "content_too_large"),
        (message(9, conversation="a/messages"), "unfit_key"),
        (message(9, content="a\x00b"), "invalid"),
        (memory("x" * 16_001), "content_too_large"),
        (memory("The key is sk-ant-api03-" + "a1B2" * 24), "secret_refused"),
        (memory(" "), "invalid"),
        (memory(created_at=7), "invalid"),
        (memory(updated_at="0001-01-01T00:00:00Z"), "invalid"),
        (memory(expires_at="soon"), "invalid"),
        (memory(valid_from="2026-02-01T00:00:00Z", valid_to="2026-01-01T00:00:00Z"), "invalid"),
        (memory(confidence=2), "invalid"),
        ({"item": ["memory"]}, "invalid"),
    ],
)
def test_a_line_that_is_refused_keeps_no_other_one_out(acme: RestClient, bad: Any, code: str) -> None:
    answer = taken(acme, message(1), bad, memory())

    assert counts(answer) == (2, 0, 1), answer.json()
    assert (answer.json()["results"][1]["status"], answer.json()["results"][1]["code"]) == ("refused", code)


def test_taking_in_needs_write_and_bounds(cast: Cast, acme: RestClient) -> None:
    assert taken(cast.acme.rest(Right.READ), memory()).json()["code"] == "missing_scope"
    assert taken(acme, *[memory()] * 2_001).status_code == 413
    assert taken(acme, memory(), query="?surprise=1").json()["code"] == "unknown_field"


def test_messages_of_the_same_moment_keep_their_order(acme: RestClient) -> None:
    items = [message(number, created_at="2026-01-01T08:00:00Z") for number in range(12)]

    taken(acme, *items[:5])
    assert counts(taken(acme, *items)) == (7, 5, 0)

    said = acme.get("conversations/chatgpt/c-1/messages?last=20").json()["results"]
    assert [one["content"] for one in said] == [f"Message {number}." for number in range(12)]
    assert {one["created_at"][:19] for one in said} == {"2026-01-01T08:00:00"}
    assert counts(taken(acme, *items)) == (0, 12, 0)


def test_what_a_memory_says_of_its_time_and_certainty_is_kept(acme: RestClient) -> None:
    given: dict[str, Any] = {
        "valid_from": "2026-01-01T00:00:00Z",
        "valid_to": "2026-02-01T00:00:00Z",
        "expires_at": "2999-01-01T00:00:00Z",
        "importance": 0.9,
        "confidence": 0.4,
    }
    (result,) = taken(acme, memory(**given)).json()["results"]

    found = acme.get(f"memories/{result['id']}").json()

    assert {name: found[name] for name in given} == given


def test_what_has_expired_is_recalled_by_no_search(acme: RestClient) -> None:
    taken(acme, memory(expires_at="2026-01-31T00:00:00Z", created_at="2026-01-01T00:00:00Z"))

    assert acme.post("memories/search", {"query": TEA, "mode": "keyword"}).json()["results"] == []
    assert counts(taken(acme, memory(expires_at="2026-01-31T00:00:00Z"))) == (0, 1, 0)


def test_the_same_export_comes_into_each_space(acme: RestClient) -> None:
    items = [message(1), memory(), node("ada")]

    ids = [
        [result["id"] for result in taken(acme, *items, query=query).json()["results"]]
        for query in ("", "?user=alice", "?user=bob", "?space=project:apollo")
    ]

    assert len({each for those in ids for each in those}) == 12
    assert counts(taken(acme, *items, query="?user=alice")) == (0, 3, 0)
    assert [one["id"] for one in acme.get("memories?user=alice&shared=false").json()["results"]] == [ids[1][1]]
    assert [one["id"] for one in acme.get("memories").json()["results"]] == [ids[0][1]]


def test_a_message_that_a_space_got_before_is_known_again(acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(ImportedMessage, "find_id", ImportedMessage.find_earlier_id)
        taken(acme, message(1), query="?user=alice")

    assert counts(taken(acme, message(1), message(2), query="?user=alice")) == (1, 1, 0)
