"""What mem0 says and answers, as tables of cases."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from workspace_memory.compat.mem0_shapes import (
    NoCounterpartError,
    Scope,
    decoded_id,
    encoded_id,
    expiry_of,
    history_shape,
    memory_shape,
    messages_of,
    metadata_of,
    require_known,
    tag_of,
    tags_of,
)
from workspace_memory.models import Revision, StoredMemory

AT = datetime(2026, 11, 27, 10, tzinfo=UTC)


def stored(**fields: Any) -> StoredMemory:
    given = {"id": "019f", "content": "Mara drinks tea.", "tags": [], "created_at": AT, "updated_at": AT, **fields}
    return StoredMemory.model_construct(**given)


@pytest.mark.parametrize(
    ("filters", "owners", "space", "tags"),
    [
        (None, {"user_id": "mara"}, "user:mara", ()),
        ({"user_id": " mara "}, {}, "user:mara", ()),
        ({"agent_id": "clerk"}, {"user_id": "mara"}, "user:mara", ("agent:clerk",)),
        (None, {"agent_id": "clerk", "run_id": "r-1"}, "agent:clerk", ("run:r-1",)),
        (None, {"run_id": "r-1"}, "run:r-1", ()),
        ({"user_id": 42, "topic": "tea"}, {}, "user:42", ("topic:tea",)),
        ({"AND": [{"user_id": "mara"}, {"AND": [{"size": 3}]}]}, {}, "user:mara", ("size:3",)),
        ({"user_id": "mara", "AND": [{"user_id": "mara"}]}, {}, "user:mara", ()),
    ],
)
def test_owners_are_a_space_and_tags(
    filters: dict[str, Any] | None, owners: dict[str, str], space: str, tags: tuple[str, ...]
) -> None:
    found = Scope.of(filters, **owners)
    assert (found.space, found.tags) == (space, tags)
    assert found.filters == ({"tags": tags} if tags else {})


@pytest.mark.parametrize(
    ("filters", "error"),
    [
        ({}, ValueError),
        ({"topic": "tea"}, ValueError),
        ({"user_id": "  "}, ValueError),
        ({"user_id": "two words"}, ValueError),
        ({"OR": [{"user_id": "mara"}]}, NoCounterpartError),
        ({"user_id": "mara", "NOT": []}, NoCounterpartError),
        ({"user_id": "mara", "size": {"gt": 3}}, NoCounterpartError),
        ({"user_id": "*"}, NoCounterpartError),
        ({"AND": [{"user_id": "mara"}, {"user_id": "otto"}]}, ValueError),
        ({"user_id": "mara", "AND": [{"AND": [{"user_id": "otto"}]}]}, ValueError),
        ({"AND": [{"user_id": "otto"}], "user_id": "mara"}, ValueError),
        ({"user_id": "mara", "AND": [{"size": 1}, {"size": True}]}, ValueError),
    ],
)
def test_what_cannot_be_compared_is_refused(filters: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Scope.of(filters)


@pytest.mark.parametrize("metadata", [{"topic": "tea"}, {"size": 3, "hot": True, "ratio": 0.5}, {"code": "3"}, {}])
def test_metadata_becomes_tags_and_comes_back(metadata: dict[str, Any]) -> None:
    assert metadata_of(["tea", "user:mara", "run:r-1", *tags_of(metadata)]) == metadata


@pytest.mark.parametrize(
    ("name", "value"), [("a", [1]), ("a", None), ("a", {"b": 1}), ("a", "b, c"), ("a:b", "c"), ("a", "b" * 70)]
)
def test_metadata_that_no_tag_holds_is_refused(name: str, value: Any) -> None:
    with pytest.raises(NoCounterpartError, match="tags"):
        tag_of(name, value)


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        ("Hello.", [{"role": "user", "content": "Hello."}]),
        ({"role": "assistant", "content": "Hi."}, [{"role": "assistant", "content": "Hi."}]),
        ([{"content": "Hi.", "name": "Mara", "id": 7}], [{"role": "user", "content": "Hi.", "name": "Mara"}]),
        (
            [{"role": "user", "content": [{"type": "text", "text": "A."}, {"type": "text", "text": "B."}]}],
            [{"role": "user", "content": "A.\nB."}],
        ),
    ],
)
def test_messages_come_in_every_form(messages: Any, found: list[dict[str, Any]]) -> None:
    assert messages_of(messages) == found


@pytest.mark.parametrize(
    ("messages", "error"),
    [
        (7, ValueError),
        (["Hello."], ValueError),
        ([{"role": "user", "content": [{"type": "image_url"}]}], NoCounterpartError),
        ([{"role": "user", "content": None}], NoCounterpartError),
    ],
)
def test_what_is_not_a_message_is_refused(messages: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        messages_of(messages)


def test_an_id_says_where_a_memory_is() -> None:
    assert decoded_id(encoded_id("019f", "user:mara@acme.example")) == ("019f", "user:mara@acme.example")
    assert decoded_id("019f") == ("019f", "shared")


@pytest.mark.parametrize("day", ["2026-11-27", date(2026, 11, 27), datetime(2026, 11, 27, 9, tzinfo=UTC)])
def test_the_last_day_is_still_recalled(day: Any) -> None:
    until = expiry_of(day)
    assert until == datetime(2026, 11, 28, tzinfo=UTC)
    assert memory_shape(stored(expires_at=until), "user:mara")["expiration_date"] == "2026-11-27"


@pytest.mark.parametrize("day", ["soon", 7])
def test_what_is_not_a_day_is_refused(day: Any) -> None:
    with pytest.raises(ValueError, match="YYYY-MM-DD"):
        expiry_of(day)


def test_a_memory_has_the_fields_of_mem0() -> None:
    assert memory_shape(stored(tags=["run:r-1", "topic:tea", "hot"]), "user:mara") == {
        "id": "019f@user:mara",
        "memory": "Mara drinks tea.",
        "hash": "2b805aa8f0ab56c746642fb52f7216bd",
        "metadata": {"topic": "tea"},
        "created_at": "2026-11-27T10:00:00+00:00",
        "updated_at": "2026-11-27T10:00:00+00:00",
        "user_id": "mara",
        "run_id": "r-1",
    }


def test_whose_a_memory_is_its_space_says_and_no_tag() -> None:
    assert memory_shape(stored(tags=["user:bob", "agent:clerk"]), "user:mara")["user_id"] == "mara"


def test_the_history_has_the_steps_of_mem0_oldest_first() -> None:
    def step(number: int, action: str, **before: Any) -> Revision:
        return Revision(id=str(number), action=action, by="Acme agent", by_kind="api_key", at=AT, before=before)

    newest_first = [
        step(5, "forget", is_deleted=False),
        step(4, "edit", content="Mara drinks milk."),
        step(3, "pin"),
        step(2, "edit", tags=[]),
        step(1, "remember"),
    ]
    found = history_shape(stored(), newest_first, "019f@user:mara")
    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in found] == [
        ("ADD", None, "Mara drinks milk."),
        ("UPDATE", "Mara drinks milk.", "Mara drinks tea."),
        ("DELETE", "Mara drinks tea.", None),
    ]
    assert [one["is_deleted"] for one in found] == [False, False, True]
    assert {one["memory_id"] for one in found} == {"019f@user:mara"}


def test_an_argument_without_a_counterpart_is_refused_by_name() -> None:
    require_known({"rerank": True, "version": "v2", "prompt": None, "explain": False, "infer": True}, ("infer",))
    with pytest.raises(NoCounterpartError, match=r"^memory_type, prompt: "):
        require_known({"prompt": "Keep all.", "memory_type": "procedural_memory"})
