"""Observations by a model behind the wire: what it is asked, and that rules stand in however it fails."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from conversations.models import ObservationCursor
from conversations.observations.prompts import OBSERVE_PROMPT, REFLECT_PROMPT
from conversations.observations.services import observer
from tests.cast import Cast, RestClient
from tests.conversations.observing import (
    PAYLOAD,
    SECRET,
    assert_consistent,
    batches,
    loop_messages,
    observations,
    observe,
    say,
    set_tokens,
    window,
)
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, Seen, failing, model_server, saying
from tests.memory.test_switching_off import off_after
from workspaces.access.scope import workspace_scope


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        yield running


@pytest.fixture
def acme(cast: Cast, server: ModelServer) -> RestClient:
    """REST as Acme's agent, with a model, whose workspace observes from 2,000 tokens on."""
    choose(cast.acme, server)
    client = cast.acme.rest()
    set_tokens(client)
    return client


def answer(*texts: str, kind: str = "important", turn: int = 1) -> Reply:
    return saying(json.dumps({"observations": [{"turn": turn, "kind": kind, "text": text} for text in texts]}))


def system_of(seen: Seen) -> str:
    return str(seen.body["messages"][0]["content"])


def test_the_model_reads_a_numbered_transcript_without_secrets(
    cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    messages = loop_messages(12)
    messages[1]["content"] = f"The api_key = {SECRET}\nThe orders are in Graz."
    server.will(answer("Orders are in Graz.", turn=2, kind="critical"))
    say(acme, messages)

    assert observe(cast.acme) == 1

    (seen,) = server.seen
    assert system_of(seen).startswith(OBSERVE_PROMPT)
    asked = str(seen.body["messages"][1]["content"])
    assert "#1 [" in asked
    assert "] user: Never deploy" in asked
    assert SECRET not in asked
    (batch,) = batches(cast.acme)
    assert (batch.method, batch.failure) == ("model", "")
    (kept,) = observations(cast.acme)
    assert (kept.kind, kept.text) == ("critical", "Orders are in Graz.")
    assert kept.source_message_ids == [batch.source_message_ids[1]]
    runs = acme.get("models/runs").json()["results"] if acme.get("models/runs").status_code == 200 else []
    assert all(run["kind"] == "observe" for run in runs)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (saying("Once upon a time."), "model_broken_answer"),
        (saying('{"observations": []}'), "model_broken_answer"),
        (saying('{"observations": [{"turn": 0, "kind": "info", "text": "x"}]}'), "model_broken_answer"),
        (saying('{"observations": [{"turn": 1, "kind": "vital", "text": "x"}]}'), "model_broken_answer"),
        (answer("Of a turn that is not there.", turn=99), "model_empty"),
        (answer("password: hunter2!xY9"), "model_empty"),
        (answer("I'm sorry, but I can't observe this conversation."), "model_empty"),
        (saying(""), "model_empty"),
        (Reply(refusal="I cannot help with that."), "model_refused"),
        (failing(500), "model_unavailable"),
        (failing(401), "model_unavailable"),
        (Reply(hangs_up_after=0), "model_unavailable"),
        (Reply(pieces=('{"observations": [{"tu',), finish="length"), "model_cut_off"),
    ],
)
def test_rules_stand_in_for_a_model_that_fails_and_it_is_reported(
    cast: Cast, acme: RestClient, server: ModelServer, caplog: pytest.LogCaptureFixture, *, reply: Reply, code: str
) -> None:
    server.will(reply)
    say(acme, loop_messages(12))

    with caplog.at_level(logging.WARNING):
        assert observe(cast.acme) == 1

    (batch,) = batches(cast.acme)
    assert (batch.method, batch.failure) == ("rules", code)
    lines = [record.getMessage() for record in caplog.records if "observation_by_rules" in record.getMessage()]
    assert lines == [f"observation_by_rules conversation={batch.conversation_id} code={code}"]
    assert any("Never deploy order service 0" in one.text for one in observations(cast.acme))
    assert_consistent(cast.acme)


def test_a_dead_model_is_asked_once_in_a_run(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    server.will(failing(500))
    say(acme, loop_messages(40))

    assert observe(cast.acme) > 3

    calls = len([seen for seen in server.seen if system_of(seen).startswith(OBSERVE_PROMPT)])
    assert [batch.failure for batch in batches(cast.acme)][1:] == [""] * (len(batches(cast.acme)) - 1)
    assert calls < len(batches(cast.acme))


def test_a_wordy_model_is_held_to_a_fifth(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    server.will(answer(*(f"Finding number {n}: the certificate of branch {n} had expired in 2024." for n in range(90))))
    say(acme, loop_messages(12))

    observe(cast.acme)

    (batch,) = batches(cast.acme)
    assert 0 < batch.tokens * 5 <= batch.source_tokens


def test_the_reflector_asks_for_what_to_merge_and_may_not_drop_what_is_critical(
    cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    set_tokens(acme, 1_000, reflect_tokens=1_000)
    merged = saying(json.dumps({"observations": [{"numbers": [1, 2], "kind": "important", "text": "All is well."}]}))
    server.chooses = lambda seen: merged if system_of(seen).startswith(REFLECT_PROMPT) else failing(500)
    say(acme, loop_messages(120))

    observe(cast.acme)

    asked = [str(seen.body["messages"][1]["content"]) for seen in server.seen if system_of(seen).startswith("You tidy")]
    assert asked
    assert "#1 20" in asked[0]
    assert PAYLOAD not in asked[0]
    text = window(acme)["observations"]["text"]
    assert "All is well." in text
    assert "Never deploy order service 0 on a Friday." in text
    with workspace_scope(cast.acme.caller):
        cursor = ObservationCursor.objects.get()
    assert (cursor.generation >= 1, cursor.reflection_method, cursor.reflection_failure) == (True, "model", "")
    assert_consistent(cast.acme)


def test_rules_reflect_where_the_model_does_not(
    cast: Cast, acme: RestClient, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    set_tokens(acme, 1_000, reflect_tokens=1_000)
    server.chooses = lambda seen: saying("Well, well.")
    say(acme, loop_messages(120))

    observe(cast.acme)

    with workspace_scope(cast.acme.caller):
        cursor = ObservationCursor.objects.get()
    assert cursor.generation >= 1
    assert (cursor.reflection_method, cursor.reflection_failure) == ("rules", "model_broken_answer")
    assert any("reflection_by_rules" in record.getMessage() for record in caplog.records)


def test_memory_that_was_switched_off_while_the_model_answered_keeps_nothing(
    cast: Cast, acme: RestClient, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.will(answer("Orders are in Graz."))
    off_after(monkeypatch, observer, "complete", acme)
    say(acme, loop_messages(40))

    assert observe(cast.acme) == 0
    assert (batches(cast.acme), len(server.seen)) == ([], 1)
