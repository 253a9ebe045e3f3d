"""Adding messages with the SDK and with `wsm add`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of
from workspace_memory.cli.add_command import read_messages
from workspace_memory.errors import WorkspaceMemoryError

HELLO = {"role": "user", "content": "Hello."}


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("Hello.", [HELLO]),
        ("user: Hello.\n\nAssistant:  Hi: you.\n", [HELLO, {"role": "assistant", "content": "Hi: you."}]),
        ("Note: tea.\nuser:", [{"role": "user", "content": "Note: tea."}, {"role": "user", "content": "user:"}]),
        ('[{"role": "user", "content": "Hello."}]', [HELLO]),
        (' {"messages": [{"role": "user", "content": "Hello."}]}', [HELLO]),
    ],
)
def test_messages_are_read_from_lines_and_json(text: str, messages: list[dict[str, Any]]) -> None:
    assert read_messages(text) == messages


@pytest.mark.parametrize(("text", "why"), [(" \n", "no message"), ("[1]", "list of messages"), ("{", "not JSON")])
def test_what_has_no_message_is_refused(text: str, why: str) -> None:
    with pytest.raises(click.ClickException, match=why):
        read_messages(text)


def test_the_sdk_adds_for_a_user(cast: Cast) -> None:
    memory = memory_of(cast.acme)

    added = memory.add([HELLO, {"role": "assistant", "content": "Hi."}], user="mara", conversation="c-1")

    assert (added.conversation, len(added.message_ids)) == ("c-1", 2)
    said = memory.for_user("mara", shared=False).session("c-1").history.last()
    assert [message.id for message in said] == added.message_ids
    assert memory.session("c-1").history.last() == []


def test_what_is_said_for_a_user_without_a_name_is_not_put_into_what_is_shared(cast: Cast) -> None:
    memory = memory_of(cast.acme)

    with pytest.raises(WorkspaceMemoryError, match="Name the user"):
        memory.add([HELLO], user="")
    assert list(memory.conversations.list()) == []


def test_wsm_adds_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    memory_of(cast.acme).settings.disable_memory()
    (tmp_path / "talk.txt").write_text("user: Hello.\nassistant: Hi.\n", encoding="utf-8")

    told = terminal.run("add", str(tmp_path / "talk.txt"), "--conversation", "c-1").output
    added = terminal.json("add", str(tmp_path / "talk.txt"), "--conversation", "c-1")

    assert told.startswith("Added 2 to c-1. Memory is off, so facts and preferences are not looked for.")
    assert (added["reason"], len(added["message_ids"])) == ("memory_off", 2)
