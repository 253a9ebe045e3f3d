"""Appending and reading messages, through REST."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
import time_machine

from conversations.messages.conversation_keys import UnfitKeyError
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import MessageRole
from core.clock import utc_now
from core.ids import new_id
from tests.cast import Cast, RestClient
from tests.together import together
from workspaces.access.callers import Right


def say(client: RestClient, content: str, key: str = "help-desk", **fields: Any) -> Any:
    return client.post(f"conversations/{key}/messages", {"role": "user", "content": content, **fields})


def contents(answer: Any) -> list[str]:
    return [message["content"] for message in answer.json()["results"]]


def test_the_first_message_creates_the_conversation(acme: RestClient) -> None:
    answer = say(acme, "Where is the tea?", name="Bob", metadata={"channel": "web"})

    assert answer.status_code == 201
    message = answer.json()
    assert (message["role"], message["content"], message["name"]) == ("user", "Where is the tea?", "Bob")
    assert message["metadata"] == {"channel": "web"}
    (conversation,) = acme.get("conversations").json()["results"]
    assert (conversation["key"], conversation["status"]) == ("help-desk", "open")
    assert conversation["id"] == message["conversation_id"]
    assert conversation["last_message_at"] == message["created_at"] == message["session"]


def test_appends_by_key_and_by_id(acme: RestClient) -> None:
    identity = say(acme, "one").json()["conversation_id"]

    assert say(acme, "two").json()["conversation_id"] == identity
    assert say(acme, "three", key=identity).json()["conversation_id"] == identity
    assert contents(acme.get("conversations/help-desk/messages")) == ["one", "two", "three"]


def test_a_bulk_keeps_the_given_times_and_the_given_order(acme: RestClient) -> None:
    lines = [
        {"role": "user", "content": "late", "created_at": "2024-05-08T21:00:00+01:00"},
        {"role": "assistant", "content": "early", "created_at": "2024-05-08T09:00:00Z"},
        {"role": "tool", "content": "soon after", "created_at": "2024-05-08T09:00:00Z", "metadata": {"session": "S1"}},
    ]

    answer = acme.post("conversations/import/messages", {"messages": lines})

    assert answer.status_code == 201
    stored = answer.json()["messages"]
    assert [message["content"] for message in stored] == ["late", "early", "soon after"]
    assert stored[0]["created_at"] == "2024-05-08T20:00:00Z"
    assert [message["session"] for message in stored] == ["2024-05-08T20:00:00Z", "2024-05-08T09:00:00Z", "S1"]
    assert contents(acme.get("conversations/import/messages")) == ["early", "soon after", "late"]


def test_messages_without_a_time_keep_their_order(acme: RestClient) -> None:
    lines = [{"role": "user", "content": str(number)} for number in range(1_000)]

    assert acme.post("conversations/c/messages", {"messages": lines}).status_code == 201

    assert contents(acme.get("conversations/c/messages", last=200)) == [str(number) for number in range(800, 1_000)]
    assert contents(acme.get("conversations/c/messages")) == [str(number) for number in range(980, 1_000)]


def test_a_clock_that_is_put_back_leaves_the_order_in_which_it_was_said(acme: RestClient) -> None:
    said = ["Is the kiln hot?", "It is.", "And now?"]
    for text, hours in zip(said, (0, -1, -20), strict=True):
        with time_machine.travel(utc_now() + timedelta(hours=hours)):
            acme.post("conversations/kiln/messages", {"role": "user", "content": text})

    assert [message["content"] for message in acme.get("conversations/kiln/messages").json()["results"]] == said


def test_a_time_far_ahead_was_given_and_moves_no_other(acme: RestClient) -> None:
    ahead = (utc_now() + timedelta(days=2)).isoformat()
    acme.post("conversations/kiln/messages", {"role": "user", "content": "Then.", "created_at": ahead})

    acme.post("conversations/kiln/messages", {"role": "user", "content": "Now."})

    assert [message["content"] for message in acme.get("conversations/kiln/messages").json()["results"]] == [
        "Now.",
        "Then.",
    ]


def test_reads_back_page_by_page(acme: RestClient) -> None:
    acme.post("conversations/c/messages", {"messages": [{"role": "user", "content": str(n)} for n in range(5)]})

    newest = acme.get("conversations/c/messages", last=2)
    middle = acme.get(newest.json()["next"].removeprefix("http://testserver"))
    oldest = acme.get(middle.json()["next"].removeprefix("http://testserver"))

    assert [contents(page) for page in (newest, middle, oldest)] == [["3", "4"], ["1", "2"], ["0"]]
    assert oldest.json()["next"] is None


@pytest.mark.parametrize(
    "key", ["a/b", "a b", "Ünï/☕", "100%", "a?b=c&d", "#1", "a/../b", "messages", "/x", "x" * 200]
)
def test_a_key_may_hold_any_character(acme: RestClient, key: str) -> None:
    path = f"conversations/{quote(key, safe='')}"

    assert acme.post(f"{path}/messages", {"role": "user", "content": "hello"}).status_code == 201

    assert acme.get("conversations").json()["results"][0]["key"] == key
    assert contents(acme.get(f"{path}/messages")) == ["hello"]


@pytest.mark.parametrize("key", ["x" * 201, "a/messages", "a/end/b", " a", "a ", "a\x00b"])
def test_refuses_what_cannot_be_a_key(acme: RestClient, key: str) -> None:
    answer = acme.post(f"conversations/{quote(key, safe='')}/messages", {"role": "user", "content": "hello"})

    assert (answer.status_code, answer.json()["code"]) == (422, "unfit_key")
    assert acme.get("conversations").json()["results"] == []
    assert acme.get(f"conversations/{quote(key, safe='')}/messages").status_code == 404


@pytest.mark.parametrize("key", ["", "a\nb", "a\u2028b", "lone \ud800"])
def test_refuses_keys_that_no_address_can_carry(cast: Cast, key: str) -> None:
    with pytest.raises(UnfitKeyError):
        append_messages(caller=cast.acme.caller, conversation=key, messages=[NewMessage(MessageRole.USER, "hello")])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"role": "user"}, 422, "invalid"),
        ({"content": "x"}, 422, "invalid"),
        ({"role": "root", "content": "x"}, 422, "invalid"),
        ({"role": "user", "content": ""}, 422, "invalid"),
        ({"role": "user", "content": " \n"}, 422, "invalid"),
        ({"role": "user", "content": 7}, 422, "invalid"),
        ({"role": "user", "content": "a\x00b"}, 422, "invalid"),
        ({"role": "user", "content": "x", "workspace_id": "0"}, 422, "unknown_field"),
        ({"role": "user", "content": "x", "created_at": "soon"}, 422, "invalid"),
        ({"role": "user", "content": "x", "created_at": "0001-01-01T00:00:00Z"}, 422, "invalid"),
        ({"role": "user", "content": "x", "created_at": "9999-12-31T23:59:59Z"}, 422, "invalid"),
        ({"role": "user", "content": "x", "name": "n" * 121}, 422, "invalid"),
        ({"role": "user", "content": "x", "metadata": []}, 422, "invalid"),
        ({"role": "user", "content": "x", "metadata": {"session": 1}}, 422, "invalid"),
        ({"role": "user", "content": "x", "metadata": {"session": ""}}, 422, "invalid"),
        ({"role": "user", "content": "x", "metadata": {"a": ["b\x00"]}}, 422, "invalid"),
        ({"role": "user", "content": "x", "metadata": {"a\x00": 1}}, 422, "invalid"),
        ({"role": "user", "content": "x", "metadata": {"a": "y" * 16_000}}, 422, "invalid"),
        ({"role": "user", "content": "x" * 100_001}, 413, "content_too_large"),
        ({"messages": []}, 422, "invalid"),
        ({"messages": "x"}, 422, "invalid"),
        ({"messages": [{"role": "user", "content": "x"}] * 1_001}, 422, "invalid"),
        ({"messages": [{"role": "user", "content": "x"}, {"role": "user"}]}, 422, "invalid"),
        ({"messages": [{"role": "user", "content": "x"}], "role": "user"}, 422, "unknown_field"),
        ([], 422, "invalid"),
    ],
)
def test_refuses_bad_bodies_and_keeps_nothing(acme: RestClient, body: Any, status: int, code: str) -> None:
    answer = acme.post("conversations/c/messages", body)

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert acme.get("conversations").json()["results"] == []


def test_refuses_numbers_that_are_not_finite(acme: RestClient) -> None:
    body = '{"role": "user", "content": "x", "metadata": {"a": 1e999}}'

    assert acme.raw("POST", "conversations/c/messages", body).status_code == 422


def test_a_bulk_may_be_larger_than_other_bodies_up_to_a_limit_of_its_own(acme: RestClient, settings: Any) -> None:
    lines = {"messages": [{"role": "user", "content": "x" * 90_000}] * 20}
    settings.MAX_BULK_BYTES = 1_000_000

    refused = acme.post("conversations/c/messages", lines)
    settings.MAX_BULK_BYTES = 2_000_000

    assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
    assert acme.post("conversations/c/messages", lines).status_code == 201


def test_the_longest_message_can_be_stored_whatever_it_is_made_of(acme: RestClient) -> None:
    rare = [chr(0x20000 + number) for number in range(5_000)]
    text = " ".join("-".join(rare[(7 * n + m) % 5_000] for m in range(100)) for n in range(497))

    assert say(acme, text[:100_000]).status_code == 201


@pytest.mark.parametrize("query", [{"last": 0}, {"last": 201}, {"last": "x"}, {"before": "x"}, {"first": 1}])
def test_refuses_a_bad_query(acme: RestClient, query: dict[str, Any]) -> None:
    say(acme, "one")

    assert acme.get("conversations/help-desk/messages", **query).status_code == 422


def test_reading_needs_read_and_appending_needs_write(cast: Cast) -> None:
    say(cast.acme.rest(), "one")
    reader, writer = cast.acme.rest(Right.READ), cast.acme.rest(Right.WRITE)

    assert reader.get("conversations/help-desk/messages").status_code == 200
    assert say(reader, "two").json()["code"] == "missing_scope"
    assert say(writer, "two").status_code == 201
    assert writer.get("conversations/help-desk/messages").json()["code"] == "missing_scope"


def test_charlie_sees_nothing(acme: RestClient, umbrella: RestClient) -> None:
    message = say(acme, "one").json()
    identity = message["conversation_id"]

    assert umbrella.get("conversations").json()["results"] == []
    for key in ("help-desk", identity):
        assert umbrella.get(f"conversations/{key}/messages").status_code == 404
        assert umbrella.get(f"/v1/workspaces/{acme.workspace_id}/conversations/{key}/messages").status_code == 404
    say(umbrella, "mine", key="other")
    assert umbrella.get("conversations/other/messages", before=message["id"]).status_code == 404
    assert umbrella.get("conversations/other/messages", before=str(new_id())).status_code == 404


def test_the_same_key_is_another_conversation_in_another_workspace(acme: RestClient, umbrella: RestClient) -> None:
    say(acme, "ours")
    say(umbrella, "theirs")

    assert contents(umbrella.get("conversations/help-desk/messages")) == ["theirs"]
    assert contents(acme.get("conversations/help-desk/messages")) == ["ours"]


@pytest.mark.django_db(transaction=True)
def test_many_first_messages_at_once_make_one_conversation(cast: Cast) -> None:
    new = NewMessage(MessageRole.USER, "hello")

    stored = together(
        [lambda: append_messages(caller=cast.acme.caller, conversation="race", messages=[new])[0] for _ in range(8)]
    )

    assert len({message.conversation_id for message in stored}) == 1
    assert len({message.session for message in stored}) == 1
    assert len(cast.acme.rest().get("conversations").json()["results"]) == 1
