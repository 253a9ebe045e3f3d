"""`wsm import` of other products' exports: what comes in, for whom, what is said of it, and how it goes on."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.foreign_exports import WRITERS
from tests.cast import Cast
from tests.client import exports
from tests.client.test_cli import Terminal
from tests.client.wiring import Here, memory_with
from workspace_memory.cli import item_import
from workspace_memory.importing.items import MessageItem
from workspaces.access.callers import Right
from workspaces.keys.services import create_key
from workspaces.settings.services import set_memory_enabled

ITEMS = 24  # of which a request takes 8


class Interrupted(Here):
    """Somebody presses Ctrl-C while the second part of an import is on its way."""

    parts = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.parts += request.url.path.endswith("/import/items")
        if self.parts == 2:
            raise KeyboardInterrupt
        return super().handle_request(request)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    """A terminal that is signed in to Acme."""
    found = Terminal(monkeypatch, tmp_path / "home")
    found.sign_in(cast.acme.secret)
    return found


def test_another_product_s_export_comes_in_once_with_a_report(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(exports.CHATGPT)

    dry = terminal.json("import", str(file), "--dry-run")
    once = terminal.run("import", str(file), "--report", str(tmp_path / "report.json"))
    again = terminal.json("import", str(file), "--format", "chatgpt")

    assert (dry["created"], dry["skipped"]) == (2, {"no_text": 1, "other_branch": 1})
    assert once.output.startswith(f"Imported 2 items from {file} (chatgpt), 0 were there.\n")
    assert (again["created"], again["existing"]) == (0, 2)
    assert json.loads((tmp_path / "report.json").read_text())["details"][0]["code"] == "no_text"
    assert [one["key"] for one in terminal.json("memory", "ls")] == ["chatgpt/c-1"]
    (tmp_path / "other.json").write_text("{}")
    unknown = terminal.run("import", str(tmp_path / "other.json"))
    assert (unknown.exit_code, "chatgpt, claude, mem0" in unknown.stderr) == (1, True)


def test_what_is_no_text_in_an_export_is_reported_and_breaks_nothing(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "conversations.json"
    half = json.loads(exports.CHATGPT.replace('"m-a"', '"m-\\ud800"').replace('"d"', '"d\\udfff"'))
    file.write_text(json.dumps([*half, *json.loads(exports.CHATGPT)]))

    told = terminal.json("import", str(file), "--report", str(tmp_path / "report.json"))

    assert (told["created"], told["refused"]) == (2, 1)
    assert json.loads((tmp_path / "report.json").read_text()) == told
    assert "chatgpt/c-1#m-?" in {one["where"] for one in told["details"]}


def test_an_export_in_any_script_is_sent_in_requests_that_are_taken() -> None:
    said = [MessageItem("c", str(number), "user", "\U0001f375" * 90_000) for number in range(20)]

    sent = list(item_import.batches(said))

    assert [line["key"] for batch in sent for line in batch.lines] == [item.key for item in said]
    assert (
        max(sum(len(json.dumps(line)) + 1 for line in batch.lines) for batch in sent) <= item_import.BYTES_AT_ONCE + 500
    )


def test_what_the_server_refuses_is_found_again_in_the_file(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": "Tea on Mondays."}, {"memory": f"The token is ghp_{'a1B2c3D4' * 5}."}]))

    details = terminal.json("import", str(file))["details"]

    assert [(one["where"], one["code"]) for one in details] == [("mem0.json[1] (line 1)", "secret_refused")]


def test_a_stopped_import_says_what_stays(terminal: Terminal, tmp_path: Path, monkeypatch: Any) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": "Tea on Mondays."}, {"memory": "Bread on Tuesdays."}]))
    monkeypatch.setattr(item_import, "ITEMS_AT_ONCE", 1)
    terminal.reach(Interrupted())

    result = terminal.run("import", str(file))

    assert result.exit_code == 1
    assert "Stopped after 1 item came in. Run the same again" in result.stderr
    terminal.reach(Here())
    assert terminal.run("import", str(file)).output.startswith(f"Imported 1 item from {file} (mem0), 1 was there.")


class Dead(Here):
    """A server that is gone when the third part of an import is on its way."""

    parts = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.parts += request.url.path.endswith("/import/items")
        if self.parts >= 3:
            raise httpx.ReadError("gone")
        return super().handle_request(request)


@pytest.mark.parametrize("format", WRITERS)
def test_an_import_that_broke_off_goes_on(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    monkeypatch.setattr(item_import, "ITEMS_AT_ONCE", 8)
    written = WRITERS[format](tmp_path, ITEMS)
    dry = terminal.json("import", str(written.path), "--dry-run")

    terminal.reach(Dead())
    broken = terminal.run("import", str(written.path))
    terminal.reach(Here())
    rest = terminal.json("import", str(written.path))
    again = terminal.json("import", str(written.path))

    assert (dry["format"], dry["created"], dry["refused"]) == (format, written.items, 0)
    assert broken.exit_code == 5
    assert "Run the same again, and it goes on." in broken.stderr
    assert (rest["created"] + rest["existing"], rest["refused"]) == (written.items, 0)
    assert 0 < rest["created"] < written.items
    assert (again["created"], again["existing"]) == (0, written.items)


def test_messages_of_one_second_are_in_their_order(terminal: Terminal, tmp_path: Path, cast: Cast) -> None:
    written = WRITERS["chatgpt"](tmp_path, 40)

    terminal.run("import", str(written.path))

    said = cast.acme.rest().get("conversations/chatgpt/c-0/messages?last=50").json()["results"]
    assert [int(one["content"].split()[1]) for one in said] == list(range(20))


def test_a_dry_run_says_what_comes_from_when_and_for_whom(terminal: Terminal, tmp_path: Path) -> None:
    written = WRITERS["mem0"](tmp_path, 9)

    dry = terminal.run("import", str(written.path), "--dry-run")

    assert dry.output.splitlines() == [
        f"Would import 9 items from {written.path} (mem0), 0 were there.",
        "9 memories, dated 2026-01-01.",
        "For user:alice (3), user:bob (3), user:carol (3).",
    ]
    assert terminal.json("import", str(written.path))["created"] == 9


def test_two_users_who_say_the_same_both_keep_it(terminal: Terminal, tmp_path: Path, cast: Cast) -> None:
    file = tmp_path / "mem0.json"
    said = {"memory": "Prefers oat milk.", "created_at": "2026-01-02T00:00:00Z"}
    file.write_text(json.dumps([said | {"user_id": "alice"}, said | {"user_id": "bob"}]))

    told = terminal.json("import", str(file))

    assert (told["created"], told["spaces"]) == (2, {"user:alice": 1, "user:bob": 1})
    rest = cast.acme.rest()
    for user in ("alice", "bob"):
        (memory,) = rest.get(f"memories?user={user}&shared=false").json()["results"]
        assert (memory["content"], memory["created_at"]) == ("Prefers oat milk.", "2026-01-02T00:00:00Z")
    assert rest.get("memories").json()["results"] == []
    assert rest.get("memories?user=carol").json()["results"] == []


def test_a_space_that_is_asked_for_goes_before_that_of_the_export(
    terminal: Terminal, tmp_path: Path, cast: Cast
) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": "Prefers oat milk.", "user_id": "alice"}]))

    told = terminal.json("import", str(file), "--space", "project:cafe")

    assert told["spaces"] == {"project:cafe": 1}
    (memory,) = cast.acme.rest().get("memories?space=project:cafe&shared=false").json()["results"]
    assert memory["tags"] == ["mem0", "user:alice"]


def test_users_whose_memory_a_key_may_not_write_are_reported(terminal: Terminal, tmp_path: Path, cast: Cast) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": "Tea.", "user_id": name} for name in ("alice", "bob")]))
    bound = create_key(
        caller=cast.acme.caller, name="bound", scopes=[Right.READ, Right.WRITE], spaces=["user:alice", "shared"]
    )
    terminal.sign_in(bound.secret)

    told = terminal.json("import", str(file))

    assert (told["created"], told["refused"], told["spaces"]) == (1, 1, {"user:alice": 1})
    (detail,) = told["details"]
    assert (detail["where"], detail["why"].startswith("user:bob: ")) == ("mem0.json[1] (line 1)", True)
    assert list(memory_with(cast.acme.secret).for_user("bob", shared=False).memories.list()) == []


def test_an_import_of_nothing_fails(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    file.write_text('[{"memory": " "}]')

    result = terminal.run("import", str(file), "--format", "mem0")

    assert (result.exit_code, result.stderr) == (1, "Nothing came in.\n")
    assert "no_text" in result.stdout
    with zipfile.ZipFile(tmp_path / "claude.zip", "w") as archive:
        archive.writestr("conversations.json", "[")
    cut = terminal.run("import", str(tmp_path / "claude.zip"), "--format", "claude")
    assert (cut.exit_code, "truncated" in cut.stdout) == (1, True)


@pytest.mark.parametrize("enabled", [True, False])
def test_conversations_are_ended_on_request(terminal: Terminal, tmp_path: Path, cast: Cast, enabled: bool) -> None:
    set_memory_enabled(caller=cast.acme.caller, enabled=enabled)
    written = WRITERS["claude"](tmp_path, 42)

    opened = terminal.run("import", str(written.path))
    ended = terminal.run("import", str(written.path), "--end")

    assert "2 conversations are open. Memories come of what was said when a conversation ends" in opened.output
    looked = 2 if enabled else 0
    assert f"Ended 2 conversations; {looked} of them are looked through for memories in the background." in ended.output
    assert ("Memory is off" in ended.output) != enabled
    assert {one["status"] for one in cast.acme.rest().get("conversations").json()["results"]} == {"ended"}
    refused = terminal.run("import", str(written.path), "--end", "--format", "workspace")
    assert refused.exit_code == 2


def test_a_graph_in_a_dry_run_is_that_of_the_run(terminal: Terminal, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(item_import, "ITEMS_AT_ONCE", 5)
    file = tmp_path / "memory.jsonl"
    entities = [{"type": "entity", "name": f"Shop {one}", "entityType": "shop", "observations": []} for one in range(8)]
    relations = [
        {"type": "relation", "from": "Shop 0", "to": name, "relationType": "owns"} for name in ("Shop 7", "Sky")
    ]
    file.write_text("\n".join(map(json.dumps, [*relations, *entities])))

    dry, real = terminal.json("import", str(file), "--dry-run"), terminal.json("import", str(file))

    for told in (dry, real):
        assert (told["created"], told["refused"], told["kinds"]) == (9, 1, {"node": 8, "edge": 1})
        assert [(one["where"], one["code"]) for one in told["details"]] == [("memory.jsonl:2", "not_found")]
