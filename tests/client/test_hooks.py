"""The plugin's hooks as programs: recall, capture, and what becomes of both when something is wrong."""

from __future__ import annotations

import json
import resource
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Cast
from tests.client.hook_server import KNOWN, HookServer, serving
from tests.client.hooking import SESSION, CodingAgent, await_until
from tests.client.wiring import memory_of
from workspaces.access.tasks import beat

pytestmark = pytest.mark.heavy
# Far more than the hook takes, since other programs may need the machine; `make bench-hooks` measures.
SECONDS = 3.0
PROMPT = "How hot does the oven get?"


@pytest.fixture
def server() -> HookServer:
    return HookServer()


@pytest.fixture
def agent(server: HookServer, tmp_path: Path) -> Iterator[CodingAgent]:
    with serving(server) as url:
        here = CodingAgent(tmp_path, url)
        here.environment["WSM_WORKSPACE"] = ""
        (tmp_path / ".config" / "wsm").mkdir(parents=True)
        # Tests are not about the time that a busy machine needs.
        (tmp_path / ".config" / "wsm" / "hooks.json").write_text('{"recall_ms": 2500}')
        yield here
        server.goes_on.set()
        here.settle()


def test_a_prompt_is_given_what_is_known(agent: CodingAgent, server: HookServer) -> None:
    answer = agent.hook("UserPromptSubmit", prompt=f"{PROMPT} The key is ghp_{'a1B2c3D4' * 5}")

    output = answer["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit"
    assert output["additionalContext"].startswith("<workspace-memory>\n")
    assert KNOWN in output["additionalContext"]
    assert server.asked == [{"query": f"{PROMPT} The key is [redacted]", "token_budget": 750}]


def test_hooks_do_nothing_until_they_are_turned_on(agent: CodingAgent, server: HookServer) -> None:
    agent.environment["WSM_HOOKS"] = ""

    assert [agent.hook(event, prompt=PROMPT) for event in ("UserPromptSubmit", "Stop", "SessionEnd")] == [{}, {}, {}]
    assert (server.asked, agent.spool.exists()) == ([], False)
    (agent.home / ".config" / "wsm" / "hooks.json").write_text('{"hooks": "on", "recall_ms": 2500}')
    assert agent.hook("UserPromptSubmit", prompt=PROMPT) != {}
    agent.environment["WSM_HOOKS"] = "off"
    assert agent.hook("UserPromptSubmit", prompt=PROMPT) == {}


@pytest.mark.parametrize("prompt", ["", "/clear", "ok"])
def test_nothing_is_asked_for_what_is_not_a_question(agent: CodingAgent, server: HookServer, prompt: str) -> None:
    assert (agent.hook("UserPromptSubmit", prompt=prompt), server.asked) == ({}, [])


def test_a_turn_is_kept_without_what_the_hook_put_in_and_without_secrets(
    agent: CodingAgent, server: HookServer
) -> None:
    injected = agent.hook("UserPromptSubmit", prompt=PROMPT)["hookSpecificOutput"]["additionalContext"]

    agent.turn(f"{PROMPT}\n{injected}", f"250 degrees. password: hunter2x! [mem:{SESSION}]")
    agent.settle()

    assert server.contents == [
        ("user", PROMPT),
        ("assistant", f"250 degrees. password: [redacted]! [mem:{SESSION}]"),
    ]
    assert {body["conversation"] for body in server.added} == {f"claude-code/{SESSION}"}
    assert agent.waiting == []
    agent.turn("And cold?", "20 degrees.")
    assert agent.hook("SessionEnd", reason="prompt_input_exit") == {}
    agent.settle()
    assert server.contents[2:] == [("user", "And cold?"), ("assistant", "20 degrees.")]
    assert server.ended == [f"claude-code%2F{SESSION}"]


def test_what_was_said_before_the_hooks_were_on_is_not_sent(agent: CodingAgent, server: HookServer) -> None:
    agent.say("user", "An old secret of the heart.")
    agent.say("assistant", "Noted.")
    agent.hook("UserPromptSubmit", prompt=PROMPT)
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()
    assert server.contents == [("user", PROMPT), ("assistant", "250 degrees.")]

    other = CodingAgent(agent.home, agent.url, session="another", environment=agent.environment)
    other.say("user", "Before.")
    other.say("assistant", "Before as well.")
    other.turn("Now?", "Now.")  # its prompt came before the hooks were on
    other.settle()

    assert server.contents[2:] == [("user", "Now?"), ("assistant", "Now.")]


def test_a_project_may_have_a_space_of_its_own(agent: CodingAgent, server: HookServer) -> None:
    agent.environment |= {"WSM_HOOKS_SPACE": "project", "CLAUDE_PROJECT_DIR": "/home/ana/bakery/"}

    agent.hook("UserPromptSubmit", prompt=PROMPT)
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()

    assert [server.asked[0]["space"], server.added[0]["space"]] == ["project:bakery"] * 2


def test_a_dead_server_holds_nothing_up_and_loses_nothing(server: HookServer, tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        agent = CodingAgent(tmp_path, f"http://127.0.0.1:{unused.getsockname()[1]}")
        answers = [agent.timed_hook("UserPromptSubmit", prompt=PROMPT)]
        agent.turn(PROMPT, "250 degrees.")
        agent.settle()
        answers.append(agent.timed_hook("UserPromptSubmit", prompt="And cold?"))
        answers.append(agent.timed_hook("UserPromptSubmit", prompt="And cold?"))
        agent.settle()

    assert max(held for _, held in answers) < SECONDS
    said = [answer.get("systemMessage", "") for answer, _ in answers]
    assert said[0] == said[2] == ""
    assert said[1].startswith(
        f"Workspace Memory: {agent.url} does not answer (ConnectionRefusedError). 1 turn waits in "
    )
    assert "does not answer" in agent.status()
    with serving(server) as agent.url:
        agent.turn("And cold?", "20 degrees.")
        agent.settle()
    assert [content for _, content in server.contents] == [PROMPT, "250 degrees.", "And cold?", "20 degrees."]
    assert "trouble  none" in agent.status()


def test_a_slow_server_is_not_waited_for_and_is_given_the_turn(agent: CodingAgent, server: HookServer) -> None:
    (agent.home / ".config" / "wsm" / "hooks.json").write_text("{}")
    server.stalls.set()

    answer, held = agent.timed_hook("UserPromptSubmit", prompt=PROMPT)
    agent.say("user", PROMPT)
    agent.say("assistant", "250 degrees.")
    captured, held_too = agent.timed_hook("Stop")

    assert (answer, captured) == ({}, {})
    assert max(held, held_too) < SECONDS
    assert agent.is_delivering() or agent.waiting
    server.goes_on.set()
    await_until(lambda: len(server.contents) == 2)
    assert server.contents == [("user", PROMPT), ("assistant", "250 degrees.")]


def test_a_wrong_key_is_reported_once_a_session_and_loses_nothing(agent: CodingAgent, server: HookServer) -> None:
    agent.key = "wrong"
    assert agent.hook("UserPromptSubmit", prompt=PROMPT) == {}
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()

    said = [agent.hook("UserPromptSubmit", prompt=PROMPT).get("systemMessage", "") for _ in range(2)]
    assert "The server refuses the key (invalid_key). 1 turn waits" in said[0]
    assert said[1] == ""
    agent.settle()
    agent.key = "right"
    agent.hook("UserPromptSubmit", prompt=PROMPT)
    agent.settle()

    assert (server.contents, agent.waiting) == ([("user", PROMPT), ("assistant", "250 degrees.")], [])


def test_a_full_disk_is_reported_and_the_next_turn_takes_along_what_was_not_kept(
    agent: CodingAgent, server: HookServer
) -> None:
    agent.hook("UserPromptSubmit", prompt=PROMPT)
    agent.say("user", PROMPT)
    agent.say("assistant", "250 degrees.")
    agent.preexec = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    answer, held = agent.timed_hook("Stop")

    assert held < SECONDS
    assert answer["systemMessage"].startswith("Workspace Memory: This turn was not kept yet: File too large.")
    assert agent.waiting == []
    assert list(agent.spool.rglob("*.part")) == []
    agent.preexec = None
    agent.turn("And cold?", "20 degrees.")
    agent.settle()
    assert [content for _, content in server.contents] == [PROMPT, "250 degrees.", "And cold?", "20 degrees."]


def test_a_busy_server_is_tried_again_and_a_part_counts_once(agent: CodingAgent, server: HookServer) -> None:
    server.status = 503
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()
    assert len(agent.waiting) == 1
    server.status = 200
    agent.turn("And cold?", "20 degrees.")
    agent.settle()

    assert [content for _, content in server.contents] == [PROMPT, "250 degrees.", "And cold?", "20 degrees."]
    assert len(set(server.keys)) == len(server.added)


def test_what_the_server_refuses_for_good_is_said_to_be_lost(agent: CodingAgent, server: HookServer) -> None:
    server.refused_contents = {PROMPT}
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()

    said = [agent.hook("UserPromptSubmit", prompt="And now?").get("systemMessage", "") for _ in range(2)]

    assert server.contents == [("assistant", "250 degrees.")]
    assert said == ["Workspace Memory: The server refuses a message (validation_error): it is lost.", ""]


def test_a_transcript_that_is_gone_is_said_to_be_lost(agent: CodingAgent, server: HookServer) -> None:
    server.status = 503
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()
    agent.transcript.unlink()
    server.status = 200
    agent.hook("UserPromptSubmit", prompt="And now?")
    agent.settle()

    said = agent.hook("UserPromptSubmit", prompt="And now?")["systemMessage"]

    assert "A transcript cannot be read (No such file or directory): what was said in it since is lost." in said


def test_a_session_in_which_nothing_was_said_loses_nothing(agent: CodingAgent, server: HookServer) -> None:
    assert agent.hook("SessionEnd", reason="clear") == {}
    agent.settle()

    assert agent.hook("UserPromptSubmit", prompt=PROMPT).get("systemMessage") is None
    assert agent.waiting == []


def test_a_spool_that_cannot_be_used_is_reported_and_its_turns_wait(agent: CodingAgent, server: HookServer) -> None:
    agent.spool.mkdir()
    (agent.spool / "sessions").write_text("not a folder")
    agent.turn(PROMPT, "250 degrees.")
    agent.settle()

    assert "Sending stopped (NotADirectoryError); waiting: 1." in agent.status()
    answer = agent.hook("UserPromptSubmit", prompt=PROMPT)
    assert answer["systemMessage"] == f"Workspace Memory: The spool {agent.spool} cannot be used: File exists."
    assert KNOWN in answer["hookSpecificOutput"]["additionalContext"]
    (agent.spool / "sessions").unlink()
    agent.turn("And cold?", "20 degrees.")
    agent.settle()
    assert [content for _, content in server.contents] == [PROMPT, "250 degrees.", "And cold?", "20 degrees."]


@pytest.mark.parametrize("event", ["", "{", "[]", '{"session_id": null}', "null", '{"transcript_path": "x"}'])
def test_an_event_that_cannot_be_read_is_passed_over(agent: CodingAgent, event: str) -> None:
    import subprocess

    from tests.client.hooking import command_of

    environment = {"PATH": "/usr/bin:/bin", "HOME": str(agent.home), "WSM_HOOKS": "on", "WSM_URL": agent.url}
    done = subprocess.run(
        command_of("UserPromptSubmit"), input=event, env=environment, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_only_their_owner_reads_the_files(server: HookServer, tmp_path: Path) -> None:
    agent = CodingAgent(tmp_path, "http://127.0.0.1:9")
    agent.hook("UserPromptSubmit", prompt=PROMPT)
    agent.turn("A word that is nowhere on the disk but here.", "250 degrees.")
    agent.settle()

    files = [path for path in agent.spool.rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in agent.spool.rglob("*") if path.is_dir()} == {0o700}
    assert "nowhere on the disk" not in "".join(path.read_text() for path in files)
    assert "right" not in "".join(path.read_text() for path in files)
    assert json.loads(agent.waiting[0].read_text())["session"] == SESSION


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_as_the_serving_role")
def test_hooks_and_the_product_remember_together(live_server: Any, cast: Cast, tmp_path: Path) -> None:
    beat()
    memory_of(cast.acme).write("The oven of the second shop runs 10 degrees hot.", kind="fact")
    memory_of(cast.acme).context(PROMPT)  # the first one waits until the model is loaded
    (tmp_path / ".config" / "wsm").mkdir(parents=True)
    (tmp_path / ".config" / "wsm" / "hooks.json").write_text('{"recall_ms": 2500}')
    agent = CodingAgent(tmp_path, live_server.url, cast.acme.secret)
    stranger = CodingAgent(tmp_path, live_server.url, cast.umbrella.secret, session="stranger")
    stranger.environment["WSM_HOOKS_DIR"] = str(tmp_path / "other")

    given = agent.hook("UserPromptSubmit", prompt=PROMPT)["hookSpecificOutput"]["additionalContext"]
    agent.turn(PROMPT, "260 degrees.")
    agent.hook("SessionEnd", reason="prompt_input_exit")
    await_until(lambda: not agent.waiting)
    agent.settle()

    assert "The oven of the second shop runs 10 degrees hot." in given
    assert "second shop" not in json.dumps(stranger.hook("UserPromptSubmit", prompt=PROMPT))
    (conversation,) = memory_of(cast.acme).conversations.list()
    assert (conversation.key, conversation.status) == (f"claude-code/{SESSION}", "ended")
    said = memory_of(cast.acme).session(conversation.key).history.last(5)
    assert [(message.role, message.content) for message in said] == [("user", PROMPT), ("assistant", "260 degrees.")]
