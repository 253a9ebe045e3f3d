"""Both clients against the product: everything that an agent does with its memory."""

from __future__ import annotations

import inspect
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import workspace_memory.aio.client
import workspace_memory.sync.client
from config import sdk_types
from tests.cast import Cast
from tests.client.wiring import async_memory_of, finished, memory_of, memory_with
from tests.rules.source import ROOT, imported_packages, python_files
from workspace_memory import Action, ConflictError, ForbiddenError, Memory, NotFoundError
from workspaces.access.callers import Right
from workspaces.settings.services import set_memory_enabled

sys.path.insert(0, str(ROOT / "client"))


@pytest.fixture
def memory(cast: Cast) -> Memory:
    return memory_of(cast.acme)


def test_a_session_keeps_what_was_said(memory: Memory) -> None:
    history = memory.session("support/42").history
    history.append("user", "When is tea ordered?")
    history.extend([{"role": "assistant", "content": "On Mondays.", "created_at": datetime(2030, 1, 1, tzinfo=UTC)}])

    assert [(message.role, message.content) for message in history.last(5)] == [
        ("user", "When is tea ordered?"),
        ("assistant", "On Mondays."),
    ]
    assert [message.content for message in history.last(1)] == ["On Mondays."]
    assert [conversation.key for conversation in memory.conversations.list()] == ["support/42"]
    found = memory.conversations.search("when is tea ordered", conversation="support/42")
    assert found[0].message.content == "When is tea ordered?"


def test_a_session_ends_and_can_be_deleted(memory: Memory) -> None:
    session = memory.session("support/42")
    session.history.append("user", "Hello.")

    ended = session.end()
    assert ended is not None
    assert (ended.status, session.window().messages[0].content) == ("ended", "Hello.")
    assert list(session.episodes()) == []
    session.delete()
    with pytest.raises(NotFoundError):
        memory.conversations.get("support/42")


@pytest.mark.parametrize("key", ["s-1", "a/b c?d", "k" * 200, "anna, tom, 2026", "x/memories"])
def test_what_a_session_writes_is_found_in_that_session_only(memory: Memory, key: str) -> None:
    session = memory.session(key)
    written = session.write("Tea is ordered on Mondays.", importance=0.9, tags=["tea"])
    memory.session("another").write("Tea is ordered by Bob.")
    shared = memory.write("Tea is green.")

    assert (written.importance, written.tags) == (0.9, ["tea"])
    assert [hit.memory.id for hit in session.search("tea")] == [written.id]
    assert [one.id for one in session.memories()] == [written.id]
    assert [hit.memory.id for hit in memory.search("tea")] == [shared.id]
    assert [one.id for one in memory.memories.list()] == [shared.id]
    assert "Mondays" in memory.context("when is tea ordered?", conversation=key).text
    assert "Mondays" not in memory.context("when is tea ordered?", conversation="another").text
    assert "Mondays" not in memory.context("when is tea ordered?").text


def test_thirty_sessions_may_write_the_same_text_and_lose_nothing(memory: Memory) -> None:
    known = memory.write("Tea is ordered on Mondays.")
    ids = {key: memory.session(key).write("Tea is ordered on Mondays.").id for key in map(str, range(30))}

    assert len({known.id, *ids.values()}) == 31
    for key, id in ids.items():
        assert [hit.memory.id for hit in memory.session(key).search("tea")] == [id]
    assert memory.session("0").write("Tea is ordered on Mondays.").id == ids["0"]


def test_a_session_that_has_not_begun_finds_nothing_and_the_first_writing_begins_it(memory: Memory) -> None:
    session = memory.session("s-1")

    assert (list(session.search("tea")), list(memory.conversations.list())) == ([], [])
    session.write("Tea is ordered on Mondays.")
    assert [one.key for one in memory.conversations.list()] == ["s-1"]
    assert session.history.last() == []


@pytest.mark.parametrize("ends", ["end", "delete"])
def test_what_a_session_wrote_goes_with_it(memory: Memory, ends: str) -> None:
    session = memory.session("s-1")
    session.history.append("user", "Hello.")
    written = session.write("Tea is ordered on Mondays.")
    memory.session("s-2").write("Tea is ordered on Mondays.")

    getattr(session, ends)()

    assert list(session.search("tea")) == []
    assert len(memory.session("s-2").search("tea")) == 1
    again = session.write("Tea is ordered on Mondays.")
    assert again.id != written.id
    assert [hit.memory.id for hit in session.search("tea")] == [again.id]


def test_what_a_session_wrote_can_be_lifted_out_of_it_and_forgotten(memory: Memory) -> None:
    session = memory.session("s-1")
    lifted, dropped = session.write("Tea is ordered on Mondays.", tags=["tea"]), session.write("Tea is green.")

    fact = session.promote(lifted.id)
    session.forget(dropped.id)

    assert (fact.kind, fact.content, fact.tags) == ("fact", "Tea is ordered on Mondays.", ["tea"])
    assert [hit.memory.id for hit in memory.search("tea")] == [fact.id]
    assert list(session.search("tea")) == []
    with pytest.raises(NotFoundError):
        memory.memories.promote(dropped.id)


def test_search_tells_method_score_and_milliseconds(memory: Memory) -> None:
    memory.write("Tea is ordered on Mondays.", tags=["tea"])

    found = memory.search("tea", mode="keyword", tags=["tea"], created_after=datetime(2020, 1, 1, tzinfo=UTC))

    assert (found.method, found[0].score, found[0].arms["keyword"].rank) == ("keyword", 1.0, 1)
    assert found.latency_ms > 0
    assert list(memory.search("coffee", mode="keyword")) == []


def test_a_time_without_a_zone_is_refused_before_anything_is_sent(memory: Memory) -> None:
    with pytest.raises(ValueError, match="time zone"):
        memory.write("Tea.", expires_at=datetime(2030, 1, 1))  # noqa: DTZ001  # that is the mistake


def test_every_verb_of_a_memory(memory: Memory) -> None:
    memories = memory.memories
    id = memory.write("Tea is ordered on Mondays.").id

    assert memories.promote(id).kind == "fact"
    assert memories.demote(id).kind == "memory"
    assert memories.pin(id).pinned
    with pytest.raises(ConflictError) as caught:
        memories.forget(id)
    assert caught.value.code == "pinned"
    assert not memories.unpin(id).pinned
    assert memories.suppress(id, reason="old").suppressed
    assert not memories.unsuppress(id).suppressed
    assert memories.weigh(id, 0.5, times_referenced=0).manual_weight == 1.5
    assert memories.edit(id, content="Tea is ordered daily.", tags=["tea"]).tags == ["tea"]
    assert memories.forget(id).is_deleted
    assert not memories.restore(id).is_deleted
    assert memories.get(id).content == "Tea is ordered daily."
    assert len(list(memories.history(id))) == 11


def test_lists_are_followed_page_by_page(memory: Memory) -> None:
    for number in range(5):
        memory.write(f"Tea {number}.")
    pages = memory.memories.list(limit=3)

    assert [found.content for found in pages] == ["Tea 4.", "Tea 3.", "Tea 2."]
    assert len(list(memory.memories.list(kinds=["memory"], pinned=False))) == 5
    assert list(memory.memories.list(tags=["tea", "cup"])) == []


def test_a_run_counts_what_it_cites(memory: Memory) -> None:
    written = memory.write("Tea is ordered on Mondays.")
    run = memory.runs.start("clerk", conversation="s-1")

    finished = memory.runs.finish(run.id, output=f"On Mondays {written.citation}.")

    assert [(cited.memory_id, cited.counted) for cited in finished.citations] == [(written.id, True)]
    assert [citation.run.id for citation in memory.memories.citations(written.id)] == [run.id]
    assert [found.id for found in memory.memories.pin_recommendations()] == [written.id]
    assert (memory.runs.get(run.id).status, len(list(memory.runs.list()))) == ("succeeded", 1)


def test_context_within_a_budget(memory: Memory) -> None:
    memory.write("Tea is ordered on Mondays.", kind="fact")

    context = memory.context("tea", conversation="s-1", token_budget=200)

    assert "Tea is ordered on Mondays." in context.text
    assert context.tokens_used <= context.token_budget == 200


def test_actions_are_reported_and_listed(cast: Cast, memory: Memory) -> None:
    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    action = Action(session="s-1", agent="clerk", action_type="tool_call", tool="t", outcome="failure", error_code="e")

    assert memory.actions.report([action]).captured == 1
    assert [found.agent for found in memory.actions.list(outcome="failure", limit=1)] == ["clerk"]


def test_what_is_known_of_a_user_is_in_their_context(memory: Memory) -> None:
    user = memory.user("alice@acme.example")
    assert user.read().updated_at is None
    user.update({"Current Goals": "Order tea."})

    assert "Order tea." in memory.context("what is next?", user="alice@acme.example").text
    assert user.write("Likes tea.").sections == {"": "Likes tea."}
    user.delete()
    assert "Likes tea." not in memory.context("what is next?", user="alice@acme.example").text


def test_what_is_known_of_a_user_is_in_no_other_context(cast: Cast, memory: Memory) -> None:
    memory.user("42").update({"Current Goals": "Order tea."})
    asked = "what is next?"
    others = [memory.context(asked), memory.context(asked, user="43"), memory.for_user("43").context(asked)]

    assert "Order tea." in memory.for_user("42").context(asked).text
    assert [context for context in others if "Order tea." in context.text] == []


def test_what_was_written_about_a_user_meanwhile_is_not_lost(memory: Memory) -> None:
    user = memory.user("42")
    seen = user.read().version
    kept = user.update({"Current Goals": "Order tea."}, version=seen)

    with pytest.raises(ConflictError) as refused:
        user.update({"Current Goals": "Rye."}, version=seen)
    assert refused.value.code == "version_conflict"
    with pytest.raises(ConflictError):
        user.write("Rye.", version=seen)
    assert user.read() == kept
    assert user.write("Rye.", version=kept.version).content == "Rye."


def test_settings_and_the_toggle(memory: Memory) -> None:
    assert memory.settings.change({"memory": {"retention_days": 30}})["memory"]["retention_days"] == 30
    assert (memory.settings.enable_memory(), memory.settings.enable_memory()) == (True, False)
    assert memory.settings.get()["memory"]["enabled"] is True
    assert memory.settings.disable_memory()
    assert memory.memories.purge_stale().count == 0
    assert list(memory.memories.stale()) == []


def test_a_key_finds_its_workspace(cast: Cast, memory: Memory) -> None:
    assert memory.workspace().id == str(cast.acme.workspace.id)


def test_a_key_without_a_scope_is_told_which(cast: Cast) -> None:
    reader = memory_with(cast.acme.rest(Right.READ).secret)
    with pytest.raises(ForbiddenError, match="'write'"):
        reader.write("Tea.")


def test_the_outsider_sees_nothing(cast: Cast, memory: Memory) -> None:
    written = memory.write("Tea is ordered on Mondays.")
    memory.session("s-1").history.append("user", "Hello.")
    outsider = memory_of(cast.umbrella)
    trespasser = memory_of(cast.umbrella, workspace=str(cast.acme.workspace.id))

    assert (len(outsider.search("tea")), list(outsider.conversations.list())) == (0, [])
    for client in (outsider, trespasser):
        with pytest.raises(NotFoundError):
            client.memories.get(written.id)
    assert (outsider.session("s-1").history.last(), outsider.session("s-1").end()) == ([], None)
    with pytest.raises(NotFoundError):
        trespasser.session("s-1").history.last()
    with pytest.raises(NotFoundError):
        trespasser.session("s-1").end()


def test_a_session_in_which_nothing_was_said_is_empty(memory: Memory) -> None:
    session = memory.session("new/one")

    assert (session.history.last(), session.end()) == ([], None)
    session.history.append("user", "Hello.")
    ended = session.end()
    assert ended is not None
    assert (ended.status, len(session.history.last())) == ("ended", 1)


def test_the_asynchronous_client_does_the_same(cast: Cast) -> None:
    async def work() -> None:
        async with async_memory_of(cast.acme) as memory:
            session = memory.session("s-1")
            await session.history.append("user", "When is tea ordered?")
            written = await session.write("Tea is ordered on Mondays.")
            assert [hit.memory.id for hit in await session.search("tea")] == [written.id]
            assert [message.content for message in await session.history.last()] == ["When is tea ordered?"]
            assert [found.id async for found in session.memories(limit=1)] == [written.id]
            assert [found.id async for found in memory.memories.list(limit=1)] == []
            with pytest.raises(NotFoundError):
                await memory.runs.get("00000000-0000-0000-0000-000000000000")

    finished(work())


@pytest.mark.heavy
def test_the_two_clients_are_one() -> None:
    from derive_sync import modules

    outdated = [path.name for path, text in modules().items() if path.read_text() != text]
    assert outdated == [], "Run client/derive_sync.py, and commit what it changed."
    assert inspect.signature(workspace_memory.sync.client.Memory.search).parameters.keys() == (
        inspect.signature(workspace_memory.aio.client.AsyncMemory.search).parameters.keys()
    )


@pytest.mark.heavy
def test_the_types_are_those_of_the_schemas() -> None:
    outdated = [path.name for path, text in sdk_types.modules().items() if path.read_text() != text]
    assert outdated == [], "Run manage.py write_sdk, and commit what it changed."


def test_the_client_imports_nothing_of_the_server() -> None:
    allowed = {
        "workspace_memory",
        "httpx",
        "pydantic",
        "click",
        "rich",
        "typing_extensions",
        "yaml",
    } | sys.stdlib_module_names
    extra = {"mcp", "mcp_types", "httpx2"}  # what the extra `mcp` brings, for `wsm mcp` alone
    # What the extras of adapters bring, and the program of an example.
    frameworks = {
        "agents",
        "anthropic",
        "crewai",
        "langchain_core",
        "langgraph",
        "llama_index",
        "pydantic_ai",
        "langchain_openai",
    }
    for path in python_files("client"):
        is_adapter = path.parent.name in {"integrations", "examples"}
        more = extra if path.name in {"stdio.py", "mcp_stdio_bridge.py"} else frameworks if is_adapter else set()
        assert is_adapter or "workspace_memory.integrations" not in path.read_text(), path
        assert set(imported_packages(path)) - allowed - more == set(), path
    assert (Path(ROOT) / "client" / "workspace_memory" / "py.typed").exists()
