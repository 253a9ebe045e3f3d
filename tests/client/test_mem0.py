"""Programs of mem0 with another import, against the product."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import workspace_memory.sync.mem0_base
from memory.extraction.tasks import extract_conversation
from tests.cast import Cast
from tests.client.wiring import async_memory_of, finished, memory_of, memory_with
from workspace_memory.compat.mem0 import (
    AsyncMemory,
    Memory,
    MemoryClient,
    MemoryMissingError,
    MemoryOffError,
    NoCounterpartError,
)
from workspaces.access.callers import Right
from workspaces.keys.services import create_key
from workspaces.settings.services import set_memory_enabled

TALK = [
    {"role": "user", "content": "I am allergic to nuts."},
    {"role": "assistant", "content": "I will remember that."},
]


@pytest.fixture
def memory(cast: Cast) -> Memory:
    return Memory(client=memory_of(cast.acme))


@pytest.fixture
def platform(cast: Cast) -> MemoryClient:
    return MemoryClient(client=memory_of(cast.acme))


@pytest.fixture
def _worker(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Does, whenever the client waits, what the worker would do meanwhile."""
    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    everything = memory_of(cast.acme)

    def work(seconds: float) -> None:
        for client in (everything.for_user("mara"), everything.in_space("agent:clerk")):
            for conversation in client.conversations.list():
                extract_conversation(str(cast.acme.workspace.id), conversation.id)

    monkeypatch.setattr(workspace_memory.sync.mem0_base, "time", SimpleNamespace(sleep=work))


def texts(found: dict[str, Any]) -> list[str]:
    return [one["memory"] for one in found["results"]]


def test_a_text_is_kept_found_changed_and_deleted_for_a_user(memory: Memory) -> None:
    added = memory.add("Mara drinks green tea.", user_id="mara", infer=False, metadata={"topic": "tea"})

    (one,) = added["results"]
    assert (one["memory"], one["event"]) == ("Mara drinks green tea.", "ADD")
    assert memory.get(one["id"]) == memory.get_all(user_id="mara")["results"][0]
    (hit,) = memory.search("what does Mara drink?", user_id="mara")["results"]
    assert (hit["id"], hit["user_id"], hit["metadata"]) == (one["id"], "mara", {"topic": "tea"})
    assert 0 < hit["score"] <= 1

    said = memory.update(one["id"], text="Mara drinks black tea.", metadata={"hot": True})
    assert said == {"message": "Memory updated successfully!"}
    changed = memory.get(one["id"])
    assert changed is not None
    assert (changed["memory"], changed["metadata"]) == ("Mara drinks black tea.", {"topic": "tea", "hot": True})

    assert memory.delete(one["id"]) == {"message": "Memory deleted successfully!"}
    assert (memory.get(one["id"]), texts(memory.get_all(user_id="mara"))) == (None, [])
    steps = [(step["event"], step["old_memory"], step["new_memory"]) for step in memory.history(one["id"])]
    assert steps == [
        ("ADD", None, "Mara drinks green tea."),
        ("UPDATE", "Mara drinks green tea.", "Mara drinks black tea."),
        ("DELETE", "Mara drinks black tea.", None),
    ]


@pytest.mark.usefixtures("_worker")
def test_what_is_worth_keeping_of_a_talk_is_there_when_add_returns(memory: Memory) -> None:
    added = memory.add(TALK, user_id="mara", metadata={"topic": "food"})

    assert [one["event"] for one in added["results"]] == ["ADD"]
    assert "allergic to nuts" in texts(added)[0]
    (found,) = memory.search("nuts", user_id="mara", filters={"topic": "food"})["results"]
    assert (found["id"], found["metadata"]) == (added["results"][0]["id"], {"topic": "food"})
    assert texts(memory.add("Thank you.", user_id="mara")) == []
    assert texts(memory.search("what is Mara allergic to?", user_id="mara")) == texts(added)


@pytest.mark.usefixtures("_worker")
def test_a_run_has_its_own_conversation_and_is_found_by_its_name(memory: Memory) -> None:
    memory.add(TALK, agent_id="clerk", run_id="r-1")
    memory.add("The clerk closes at five.", agent_id="clerk", infer=False)

    assert ["nuts" in text for text in texts(memory.get_all(agent_id="clerk", run_id="r-1"))] == [True]
    assert len(texts(memory.get_all(filters={"agent_id": "clerk"}))) == 2
    assert memory.delete_all(agent_id="clerk", run_id="r-1") == {"message": "Memories deleted successfully!"}
    assert texts(memory.get_all(agent_id="clerk")) == ["The clerk closes at five."]


def test_nothing_is_added_silently_while_memory_is_off(memory: Memory, cast: Cast) -> None:
    set_memory_enabled(caller=cast.acme.caller, enabled=False)

    with pytest.raises(MemoryOffError, match="infer=False"):
        memory.add(TALK, user_id="mara")
    assert list(memory_of(cast.acme).for_user("mara").conversations.list()) == []


def test_users_do_not_see_each_other_nor_what_is_shared(memory: Memory, cast: Cast) -> None:
    one = memory.add("Mara drinks green tea.", user_id="mara", infer=False)["results"][0]
    memory_of(cast.acme).write("Tea is ordered on Mondays.")

    assert texts(memory.search("tea", user_id="bob", threshold=0)) == []
    assert texts(memory.get_all(user_id="bob")) == []
    assert texts(memory.search("tea", user_id="mara", threshold=0)) == ["Mara drinks green tea."]
    with_shared = Memory(client=memory_of(cast.acme), shared=True)
    assert len(texts(with_shared.search("tea", user_id="mara", threshold=0))) == 2
    assert memory.get(one["id"].replace("user:mara", "user:bob")) is None


def test_deleting_all_of_a_user_leaves_what_is_shared(memory: Memory, cast: Cast) -> None:
    with_shared = Memory(client=memory_of(cast.acme), shared=True)
    with_shared.add("Mara drinks green tea.", user_id="mara", infer=False)
    memory_of(cast.acme).write("Tea is ordered on Mondays.")

    with_shared.delete_all(user_id="mara")

    assert texts(with_shared.get_all(user_id="mara")) == ["Tea is ordered on Mondays."]


def test_the_outsider_sees_nothing(memory: Memory, cast: Cast) -> None:
    one = memory.add("Mara drinks green tea.", user_id="mara", infer=False)["results"][0]
    outsider = Memory(client=memory_of(cast.umbrella))

    assert outsider.get(one["id"]) is None
    assert outsider.history(one["id"]) == []
    assert (texts(outsider.get_all(user_id="mara")), texts(outsider.search("tea", user_id="mara"))) == ([], [])
    for change in (outsider.delete, lambda id: outsider.update(id, text="Mara drinks milk.")):
        with pytest.raises(ValueError, match="not found"):
            change(one["id"])
    assert memory.get(one["id"]) is not None


def test_a_key_of_one_user_is_refused_another(cast: Cast) -> None:
    bound = create_key(
        caller=cast.acme.caller, name="mara", scopes=[Right.READ, Right.WRITE], spaces=["user:mara"]
    ).secret
    memory = Memory(client=memory_with(bound))

    assert texts(memory.add("Mara drinks tea.", user_id="mara", infer=False)) == ["Mara drinks tea."]
    with pytest.raises(Exception, match="space_not_allowed"):
        memory.get_all(user_id="bob")


def test_a_memory_that_is_over_is_not_listed(memory: Memory) -> None:
    one = memory.add("The sale ends.", user_id="mara", infer=False, expiration_date="2020-01-01")["results"][0]

    assert texts(memory.get_all(user_id="mara")) == []
    assert texts(memory.get_all(user_id="mara", show_expired=True)) == ["The sale ends."]
    memory.update(one["id"], expiration_date=None)
    assert texts(memory.get_all(user_id="mara")) == ["The sale ends."]


def test_what_has_no_counterpart_is_refused_before_anything_is_sent(memory: Memory, platform: MemoryClient) -> None:
    refused: list[Callable[[], object]] = [
        lambda: memory.add("Tea.", user_id="mara", memory_type="procedural_memory", agent_id="clerk"),
        lambda: memory.add("Tea.", user_id="mara", prompt="Keep all."),
        lambda: memory.search("tea", filters={"OR": [{"user_id": "mara"}]}),
        memory.reset,
        lambda: memory.chat("Hello."),
        lambda: memory.project.update(custom_instructions="Keep all."),
        lambda: memory.search("tea", user_id="mara", show_expired=True),
        lambda: platform.create_memory_export(schema="{}"),
        lambda: platform.delete_users(app_id="app"),
        lambda: platform.feedback(memory_id="m"),
        lambda: platform.add("Tea.", user_id="mara", custom_categories=[{"tea": "all of it"}]),
    ]
    for call in refused:
        with pytest.raises(NoCounterpartError):
            call()
    with pytest.raises(ValueError, match="user_id"):
        memory.add("Tea.")
    assert texts(memory.get_all(user_id="mara")) == []


def test_a_configuration_is_taken_and_said_to_have_no_effect(cast: Cast) -> None:
    with pytest.warns(UserWarning, match="llm, vector_store"):
        Memory.from_config({"vector_store": {"provider": "qdrant"}, "llm": {}}, client=memory_of(cast.acme))


def test_the_platforms_client_answers_in_its_own_shapes(platform: MemoryClient) -> None:
    for number in range(3):
        platform.add([{"role": "user", "content": f"Tea {number}."}], user_id="mara", infer=False)

    page = platform.get_all(filters={"AND": [{"user_id": "mara"}]}, page=1, page_size=2)
    assert (page["count"], texts(page), page["next"], page["previous"]) == (
        3,
        ["Tea 2.", "Tea 1."],
        "?page=2&page_size=2",
        None,
    )
    first = platform.get(page["results"][0]["id"])
    assert platform.update(first["id"], text="Coffee.")["memory"] == "Coffee."
    assert texts(platform.search("coffee", filters={"user_id": "mara"}, top_k=1)) == ["Coffee."]
    platform.batch_update([{"memory_id": first["id"], "text": "Milk."}])
    platform.batch_delete([{"memory_id": page["results"][1]["id"]}])
    assert texts(platform.get_all(user_id="mara")) == ["Milk.", "Tea 0."]
    assert [(one["type"], one["name"]) for one in platform.users()["results"]] == [("user", "mara")]
    platform.delete_users(user_id="mara")
    assert texts(platform.get_all(user_id="mara")) == []
    with pytest.raises(MemoryMissingError):
        platform.get(first["id"])


def test_the_awaited_classes_do_the_same(cast: Cast) -> None:
    async def work() -> None:
        async with AsyncMemory(client=async_memory_of(cast.acme)) as memory:
            added = await memory.add("Mara drinks tea.", user_id="mara", infer=False)
            assert texts(await memory.search("tea", user_id="mara")) == texts(added) == ["Mara drinks tea."]

    finished(work())
