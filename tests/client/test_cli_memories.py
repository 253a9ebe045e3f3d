"""`wsm memory list|get|edit|suppress`, `context`, `ask`, `explain`, `bench`, and texts from standard input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of

pytestmark = pytest.mark.django_db
TEA = "Tea is ordered on Mondays."


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    found = Terminal(monkeypatch, tmp_path)
    found.sign_in(cast.acme.secret)
    return found


@pytest.fixture
def id(terminal: Terminal) -> str:
    """The id of a memory about tea."""
    found: str = terminal.json("remember", TEA, "--tag", "tea")["id"]
    return found


def test_memories_are_listed_by_what_they_are(terminal: Terminal, id: str, cast: Cast) -> None:
    fact = terminal.json("remember", "Bread is baked at four.", "--fact")["id"]
    terminal.run("pin", fact)
    memory_of(cast.acme).session("s-1").write("Milk is fresh.")

    assert [one["id"] for one in terminal.json("memory", "list")] == [fact, id]
    assert [one["id"] for one in terminal.json("memory", "list", "--kind", "fact", "--pinned")] == [fact]
    assert [one["id"] for one in terminal.json("memory", "list", "--tag", "tea", "--limit", "1")] == [id]
    assert [one["content"] for one in terminal.json("memory", "list", "--session", "s-1")] == ["Milk is fresh."]
    assert terminal.run("memory", "list", "--session", "s-1", "--pinned").exit_code == 2
    head, *rows = terminal.run("memory", "list").output.splitlines()
    assert (head.split(), len(rows)) == (["id", "kind", "content"], 2)


def test_a_memory_is_shown_with_where_it_comes_from(terminal: Terminal, id: str) -> None:
    terminal.run("memory", "edit", id, "Tea is ordered on Tuesdays.")

    shown = terminal.run("memory", "get", id, "--history").output

    assert shown.startswith("Tea is ordered on Tuesdays.\n")
    assert re.search(r"^tags +tea *$", shown, re.MULTILINE)
    assert TEA in shown.partition("before")[2]
    assert terminal.json("memory", "get", id, "--history")["history"][0]["before"]["content"] == TEA


def test_a_memory_is_edited(terminal: Terminal, id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = terminal.json("memory", "edit", id, "--importance", "0.9", "--valid-to", "2030-01-02", "--no-tags")
    assert (edited["importance"], edited["tags"], edited["valid_to"][:4]) == (0.9, [], "2030")
    assert terminal.json("memory", "edit", id, "--valid-to", "none")["valid_to"] is None
    assert terminal.run("memory", "edit", id, "-", said="Tea comes by van.\n").output.endswith("Tea comes by van.\n")

    monkeypatch.setattr("click.edit", lambda text: text.replace("van", "bike"))
    assert terminal.json("memory", "edit", id)["content"] == "Tea comes by bike."
    monkeypatch.setattr("click.edit", lambda text: None)
    unchanged = terminal.run("memory", "edit", id)
    assert (unchanged.exit_code, "Nothing was changed." in unchanged.stderr) == (1, True)
    assert terminal.run("memory", "edit", id, "--no-tags", "--tag", "x").exit_code == 2
    assert terminal.run("memory", "edit", id, "--valid-to", "soon").exit_code == 2


def test_a_memory_is_kept_from_agents_and_given_back(terminal: Terminal, id: str) -> None:
    assert terminal.json("memory", "suppress", id, "--reason", "Out of date.")["suppressed_reason"] == "Out of date."
    assert terminal.json("memory", "search", "tea")["results"] == []
    assert "suppressed" in terminal.run("memory", "get", id).output
    assert terminal.run("memory", "unsuppress", id).output == f"Unsuppressed memory {id}: {TEA}\n"
    assert len(terminal.json("memory", "search", "tea")["results"]) == 1


def test_standard_input_is_a_text(terminal: Terminal) -> None:
    remembered = terminal.run("remember", "-", said=f"{TEA}\n")

    assert remembered.output.endswith(f": {TEA}\n")
    assert len(json.loads(terminal.run("memory", "search", "-", "--json", said="tea").stdout)["results"]) == 1
    assert TEA in terminal.run("context", "-", said="When is tea ordered?").stdout
    assert terminal.run("ask", "-", said="When is tea ordered?").exit_code == 0
    empty = terminal.run("remember", "-", said=" \n")
    assert (empty.exit_code, "Standard input is empty." in empty.stderr) == (2, True)


def test_a_context_is_a_text_for_a_pipe_and_explained_by_its_receipt(terminal: Terminal, id: str, cast: Cast) -> None:
    said = terminal.run("context", "When is tea ordered?", "--tokens", "500")

    assert TEA in said.stdout
    receipt = re.search(r"of 500 tokens\..* wsm explain (\S+)\n", said.stderr)
    assert receipt, said.stderr
    shown = terminal.run("explain", receipt[1]).output
    assert id in shown
    assert "of 500 tokens" in shown
    assert terminal.json("explain", receipt[1])["chosen"][0]["id"] == id
    terminal.sign_in(cast.umbrella.secret)
    assert terminal.run("explain", receipt[1]).exit_code == 4
    assert terminal.run("memory", "get", id).exit_code == 4
    assert terminal.run("memory", "edit", id, "Mine.").exit_code == 4
    assert TEA not in terminal.run("context", "When is tea ordered?").stdout


def test_what_a_user_is_given_is_theirs(terminal: Terminal) -> None:
    terminal.run("remember", "Mara drinks tea.", "--user", "mara")

    assert "Mara drinks tea." in terminal.run("context", "tea", "--user", "mara").stdout
    assert "Mara drinks tea." not in terminal.run("context", "tea", "--user", "bob").stdout
    assert len(terminal.json("memory", "list", "--user", "mara")) == 1
    assert terminal.json("memory", "list", "--user", "bob") == []


def test_an_answer_names_its_sources(terminal: Terminal, id: str) -> None:
    said = terminal.run("ask", "When is tea ordered?")

    assert f"[mem:{id}]" in said.output
    assert terminal.json("ask", "When is tea ordered?")["found"] is True


def test_where_no_memory_answers_what_was_said_does(terminal: Terminal, id: str, cast: Cast) -> None:
    memory_of(cast.acme).session("s-1").history.append("user", "The plumber Orla mends our boiler every spring.")

    said = terminal.run("ask", "Who mends our boiler?").output

    assert said.startswith("No memory, fact or node says that. What bears on it:\n")
    assert "Orla mends our boiler" in said
    assert "Orla mends our boiler" in terminal.json("ask", "Who mends our boiler?")["said"]
    assert terminal.run("ask", "Which zebra plays chess?").output == "Nothing in this workspace bears on that.\n"


def test_a_setting_that_is_not_one_is_a_misuse(terminal: Terminal) -> None:
    result = terminal.run("settings", "nonsense=1")

    assert (result.exit_code, "There is no setting “nonsense”" in result.stderr) == (2, True)


def test_bench_measures_and_leaves_nothing_in_what_is_shared(terminal: Terminal) -> None:
    measured = terminal.json("bench", "--calls", "3")

    assert [(one["call"], one["calls"]) for one in measured] == [("remember", 3), ("search", 3), ("context", 3)]
    assert all(0 < one["median_ms"] <= one["p95_ms"] <= one["max_ms"] for one in measured)
    assert terminal.json("memory", "list") == []
    assert terminal.json("spaces", "ls", "--kind", "bench")[0]["space"].startswith("bench:")


def test_output_in_a_pipe_has_no_colours(terminal: Terminal, id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    for command in (["memory", "list"], ["memory", "get", id], ["settings"], ["doctor"], ["bench", "--calls", "2"]):
        assert "\x1b" not in terminal.run(*command).output
