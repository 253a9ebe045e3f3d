"""`wsm memory`: what it says of sessions whose memories were extracted, and of memory that is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.extraction.tasks import extract_conversation
from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of


@pytest.fixture
def acme_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    """A terminal that is signed in to Acme."""
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    return terminal


def test_show_has_what_was_extracted_from_the_session(acme_terminal: Terminal, cast: Cast) -> None:
    memory = memory_of(cast.acme)
    memory.settings.enable_memory()
    for key, said in (("s-1", "I prefer tea to coffee."), ("s-2", "I live in Bern.")):
        memory.session(key).history.append("user", said)
        ended = acme_terminal.run("memory", "end", key, "--yes")
        assert ended.output == f"Ended {key}. Facts and preferences are being looked for in the background.\n"
        conversation = memory.conversations.get(key)
        extract_conversation(str(cast.acme.workspace.id), conversation.id)

    shown = acme_terminal.run("memory", "show", "s-1").output
    told = acme_terminal.json("memory", "show", "s-1")

    assert "The user prefers tea to coffee." in shown
    assert [one["content"] for one in told["memories"]] == ["The user prefers tea to coffee."]
    (source,) = memory.memories.get(told["memories"][0]["id"]).sources
    assert (source.conversation, source.quote) == ("s-1", "I prefer tea to coffee.")


def test_end_says_that_memory_is_off_only_where_it_is(acme_terminal: Terminal, cast: Cast) -> None:
    memory = memory_of(cast.acme)
    memory.settings.enable_memory()
    memory.session("s-1").history.append("user", "Hello.")
    acme_terminal.run("memory", "end", "s-1", "--yes")
    memory.session("s-2").history.append("user", "Hello.")
    extract_conversation(str(cast.acme.workspace.id), memory.conversations.get("s-1").id)

    again = acme_terminal.run("memory", "end", "s-1", "--yes").output
    memory.settings.disable_memory()
    off = acme_terminal.run("memory", "end", "s-2", "--yes").output

    assert again == "Ended s-1. Everything in it was searched for facts and preferences before.\n"
    assert off == "Ended s-2. Memory is off, so 1 message was not searched for facts and preferences.\n"
