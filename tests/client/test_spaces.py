"""Clients of one user, agent or space: what they name in every call, and that they reach nobody else's memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from core.clock import utc_now
from core.text.validators import INVISIBLE_CHARACTERS
from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import IMPATIENT, URL, Script, async_memory_of, finished, memory_of, memory_with
from workspace_memory import (
    Action,
    ApiError,
    ForbiddenError,
    Memory,
    UnauthenticatedError,
    WorkspaceMemoryError,
    semantic_memory,
)
from workspace_memory.importing.items import MemoryItem
from workspace_memory.spaces import STAMP, Spaces, stamp
from workspaces.access.callers import Right
from workspaces.access.spaces import NOT_TRIMMED
from workspaces.keys.on_behalf_stamps import read_stamp
from workspaces.keys.services import create_key


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, cast: Cast) -> Terminal:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    return terminal


def _asked(memory: Callable[[Memory], Memory], call: Callable[[Memory], Any], **options: Any) -> httpx.Request:
    """The request of a call, which is refused."""
    script = Script(httpx.Response(403))
    with pytest.raises(ApiError):
        call(memory(Memory(URL, "oxa_live_x", "ws-1", http=script, retries=IMPATIENT, **options)))
    return script.asked[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.memories.get("m"),
        lambda memory: list(memory.memories.list()),
        lambda memory: memory.session("s").history.last(2),
        lambda memory: memory.session("s").delete(),
        lambda memory: list(memory.conversations.list()),
        lambda memory: memory.transfers.import_items([{"kind": "memory"}]),
        lambda memory: list(memory.transfers.map("i")),
        lambda memory: memory.user("42").delete(),
    ],
)
def test_calls_without_a_body_of_json_name_the_user_in_the_query(call: Callable[[Memory], Any]) -> None:
    request = _asked(lambda memory: memory.for_user("ä & 42"), call)

    assert dict(parse_qsl(request.url.query.decode()))["user"] == "ä & 42"
    assert b"user" not in request.content


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.write("Tea."),
        lambda memory: memory.search("tea"),
        lambda memory: memory.context("tea"),
        lambda memory: memory.context("tea", user="42"),
        lambda memory: memory.memories.pin("m"),
        lambda memory: memory.memories.forget("m"),
        lambda memory: memory.session("s").history.extend([{"role": "user", "content": "Hello."}]),
        lambda memory: memory.session("s").end(),
        lambda memory: memory.runs.start("clerk"),
        lambda memory: memory.runs.finish("r"),
        lambda memory: memory.slots.slot("notes", semantic_memory(scope=["user_id"]), user_id="u").set([1]),
        lambda memory: memory.user("42").write("Tea."),
    ],
)
def test_calls_with_a_body_name_the_user_in_it(call: Callable[[Memory], Any]) -> None:
    request = _asked(lambda memory: memory.for_user("42"), call)

    assert json.loads(request.content)["user"] == "42"
    assert "user=" not in request.url.query.decode().replace("scope.user_id=", "")


@pytest.mark.parametrize(
    ("spaces", "call", "said"),
    [
        (Spaces(agent="clerk"), ("POST", "memories"), {"agent": "clerk"}),
        (Spaces(agent="clerk"), ("POST", "runs"), {"space": "agent:clerk"}),
        (Spaces(agent="clerk"), ("GET", "actions"), {"space": "agent:clerk"}),
        (Spaces(user="42", agent="clerk"), ("POST", "memories"), {"user": "42", "agent": "clerk"}),
        (Spaces(user="42", agent="clerk"), ("POST", "runs"), {"user": "42"}),
        (Spaces(space="project:apollo", shared=False), ("GET", "runs"), {"space": "project:apollo", "shared": False}),
        (Spaces(), ("GET", "memories"), {}),
    ],
)
def test_an_agent_of_the_call_itself_is_not_taken_for_a_space(
    spaces: Spaces, call: tuple[str, str], said: dict[str, Any]
) -> None:
    assert spaces.fields(method=call[0], path=call[1]) == said


def test_what_is_of_the_whole_workspace_names_nobody() -> None:
    for call in (
        lambda memory: memory.settings.change({"memory": {"retention_days": 30}}),
        lambda memory: memory.settings.enable_memory(),
        lambda memory: memory.readiness(),
    ):
        request = _asked(lambda memory: memory.for_user("42"), call)
        assert b"42" not in request.content + request.url.query


@pytest.mark.parametrize("name", ["", "  ", None, 42, "\ud800"])
def test_a_name_that_is_none_is_refused_and_not_left_out(name: Any) -> None:
    memory = Memory(URL, "oxa_live_x", "ws-1", http=Script())

    for make in (memory.for_user, memory.for_agent, memory.in_space):
        with pytest.raises(WorkspaceMemoryError):
            make(name)


def test_a_client_of_one_user_does_not_become_that_of_another() -> None:
    ada = Memory(URL, "oxa_live_x", "ws-1", http=Script()).for_user("ada", shared=False)

    with pytest.raises(WorkspaceMemoryError, match="for the user 'ada'"):
        ada.for_user("bob")
    with pytest.raises(WorkspaceMemoryError, match="for the user 'ada'"):
        ada.context("tea", user="bob")
    assert _spaces(ada.for_user("ada").for_agent("clerk")) == Spaces(user="ada", agent="clerk", shared=False)


def _spaces(memory: Memory) -> Spaces:
    return memory.memories._transport.spaces


@pytest.mark.django_db
def test_each_client_sees_its_own_memory_and_what_is_shared(cast: Cast) -> None:
    memory = memory_of(cast.acme)
    ada, clerk = memory.for_user("ada"), memory.for_agent("clerk")
    apollo = memory.in_space("project:apollo", shared=False)
    for client, text in ((memory, "Tea."), (ada, "Ada."), (clerk, "Clerk."), (apollo, "Apollo.")):
        client.write(text)

    def seen(client: Memory) -> set[str]:
        return {one.content for one in client.memories.list()}

    assert seen(memory) == {"Tea."}
    assert seen(ada) == {"Tea.", "Ada."}
    assert seen(ada.for_agent("clerk")) == {"Tea.", "Ada.", "Clerk."}
    assert seen(memory.for_agent("clerk", shared=False)) == {"Clerk."}
    assert seen(apollo) == {"Apollo."}
    assert seen(memory.for_user("nobody")) == {"Tea."}


@pytest.mark.django_db
def test_sessions_runs_actions_slots_and_contexts_are_of_the_user(cast: Cast) -> None:
    memory = memory_of(cast.acme)
    memory.settings.enable_memory()
    ada, bob = memory.for_user("ada"), memory.for_user("bob")
    ada.write("Ada drinks tea.")
    ada.session("s").history.append("user", "I am Ada.")
    run = ada.for_agent("clerk").runs.start("clerk")
    acted = Action(session="s", agent="clerk", action_type="tool_call", outcome="success")
    memory.for_agent("clerk").actions.report([acted])
    ada.session("s").window()

    assert "Ada drinks tea." in ada.context("who drinks tea?").text
    assert "Ada drinks tea." not in bob.context("who drinks tea?").text
    assert [one.id for one in ada.runs.list()] == [run.id]
    assert list(bob.runs.list()) == list(memory.runs.list()) == []
    assert list(memory.conversations.list()) == list(bob.conversations.list()) == []
    assert "clerk" in {one.agent for one in memory.for_agent("clerk", shared=False).actions.list()}
    assert "clerk" not in {one.agent for one in memory.actions.list()}
    assert list(memory.for_user("bob", shared=False).actions.list(agent="clerk")) == []


@pytest.mark.django_db
def test_items_that_are_imported_belong_to_the_user(cast: Cast) -> None:
    memory = memory_of(cast.acme)

    [item] = memory.for_user("ada").transfers.import_items([MemoryItem("Ada drinks tea.").line()])

    assert item.status == "created"
    assert [one.content for one in memory.for_user("ada").memories.list()] == ["Ada drinks tea."]
    assert list(memory.memories.list()) == []


@pytest.mark.django_db
def test_the_client_to_be_awaited_does_the_same(cast: Cast) -> None:
    async def work() -> None:
        memory = async_memory_of(cast.acme)
        async with memory.for_user("ada") as ada:
            await ada.write("Ada.")
        assert [one.content async for one in memory.for_user("ada").memories.list()] == ["Ada."]  # still connected
        assert [one async for one in memory.memories.list()] == []
        await memory.aclose()

    finished(work())


@pytest.mark.django_db
def test_a_bound_key_reaches_no_other_user(cast: Cast) -> None:
    secret = create_key(caller=cast.acme.caller, name="k", scopes=list(Right), spaces=["user:42"]).secret
    other = memory_of(cast.acme).for_user("43").write("A secret of 43.")
    memory = memory_with(secret)

    assert list(memory.memories.list()) == []
    for client in (memory.for_user("43"), memory.in_space("user:43"), memory.in_space("shared")):
        with pytest.raises(ForbiddenError, match="space_not_allowed"):
            client.memories.get(other.id)
        with pytest.raises(ForbiddenError, match="space_not_allowed"):
            client.write("x")
        with pytest.raises(ForbiddenError, match="space_not_allowed"):
            client.context("secret")


@pytest.mark.django_db
def test_a_stamped_key_acts_for_the_user_of_each_client(cast: Cast) -> None:
    made = create_key(caller=cast.acme.caller, name="k", scopes=list(Right), spaces=["user:*"], is_stamped=True)
    memory = memory_with(made.secret, stamped=True)
    for user in ("ädä 1\\n/", "bob"):
        memory.for_user(user).write(f"About {user}.")

    assert [one.content for one in memory.for_user("bob").memories.list()] == ["About bob."]
    with pytest.raises(UnauthenticatedError, match="stamp_required"):
        memory.search("about")
    with pytest.raises(UnauthenticatedError, match="stamp_required"):
        memory_with(made.secret).for_user("bob").search("about")


def test_the_server_reads_the_stamp_of_the_client() -> None:
    now = utc_now()
    for user in ("42", "ädä 1/%", "a b"):
        header = stamp(key="oxa_live_x", user=user, clock=now.timestamp)
        assert read_stamp(header, secret="oxa_live_x", now=now) == user  # of nothing


def test_each_attempt_has_the_stamp_of_its_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = iter(range(60, 600, 60))
    monkeypatch.setattr("workspace_memory.wire.stamp", lambda **_: f"minute {next(minutes)}")
    script = Script(httpx.Response(503), httpx.Response(404))
    memory = Memory(URL, "oxa_live_x", "ws-1", http=script, retries=IMPATIENT, stamped=True)

    with pytest.raises(ApiError):
        memory.for_user("42").write("Tea.")

    assert [request.headers[STAMP] for request in script.asked] == ["minute 60", "minute 120"]


def test_the_workspace_is_looked_up_once_for_all_clients() -> None:
    workspace = {"id": "w", "name": "W", "slug": "w", "role": "owner", "created_at": "2026-01-01T00:00:00Z"}
    script = Script(httpx.Response(200, json={"results": [workspace], "next": None}), *[httpx.Response(404)] * 2)
    memory = Memory(URL, "oxa_live_x", http=script, retries=IMPATIENT)

    for user in ("ada", "bob"):
        with pytest.raises(ApiError):
            memory.for_user(user).write("Tea.")

    assert [request.url.path for request in script.asked] == ["/v1/workspaces", *["/v1/workspaces/w/memories"] * 2]


@pytest.mark.django_db
def test_commands_take_a_user_an_agent_or_a_space(terminal: Terminal) -> None:
    for text, options in (("Tea.", []), ("Ada.", ["--user", "ada"]), ("Clerk.", ["--agent", "clerk"])):
        assert terminal.run("remember", text, *options).exit_code == 0

    def seen(*options: str) -> set[str]:
        found = terminal.json("memory", "search", "Tea. Ada. Clerk.", "--mode", "keyword", *options)
        return {hit["memory"]["content"] for hit in found["results"]}

    mine = terminal.json("remember", "Ada.", "--user", "ada")["id"]
    assert terminal.run("pin", mine).exit_code == 4
    assert terminal.run("pin", mine, "--user", "bob").exit_code == 4
    assert terminal.run("pin", mine, "--space", "user:ada").exit_code == 0
    assert "Ada." not in seen()
    assert "Ada." not in seen("--user", "bob")
    assert {"Ada.", "Clerk."} & seen("--user", "ada", "--agent", "clerk")
    assert terminal.run("memory", "ls", "--user", "").exit_code == 1
    assert terminal.run("memory", "ls", "--user", "ada", "--space", "user:bob").exit_code == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "sentence"), [("ada\u200d", INVISIBLE_CHARACTERS), ("ada ", NOT_TRIMMED)])
def test_a_name_that_is_not_seen_is_refused_in_the_servers_words(
    terminal: Terminal, cast: Cast, name: str, sentence: str
) -> None:
    with pytest.raises(ApiError, match=re.escape(sentence)):
        memory_of(cast.acme).for_user(name).write("Tea.")
    told = terminal.run("remember", "Tea.", "--user", name)

    assert told.exit_code == 1
    assert " ".join(sentence.split()) in " ".join(told.output.split())


@pytest.mark.django_db
def test_a_bound_key_is_refused_the_settings_in_the_servers_words(terminal: Terminal, cast: Cast) -> None:
    secret = create_key(caller=cast.acme.caller, name="k", scopes=list(Right), spaces=["user:42"]).secret
    terminal.sign_in(secret)

    told = terminal.run("settings", "memory.retention_days=30")

    assert told.exit_code == 3
    assert "this key is bound to: user:42. Use one that is bound to none." in " ".join(told.output.split())


@pytest.mark.django_db
def test_the_command_line_imports_into_a_users_memory(terminal: Terminal, cast: Cast, tmp_path: Any) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "ovens.md").write_text("# Ovens\n\nThe third oven is new.\n")

    assert terminal.run("import", str(notes), "--user", "ada").exit_code == 0

    memory = memory_of(cast.acme)
    assert list(memory.memories.list()) == []
    assert len(list(memory.for_user("ada").memories.list())) == 1
