"""Consolidation with a model behind the wire: what it is asked, and that nothing is lost however it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from memory.episodes.prompts import STATEMENTS_PROMPT
from memory.extraction.prompts import EXTRACTION_PROMPT
from tests.cast import Cast, RestClient
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, Seen, failing, model_server, saying
from tests.memory.test_episodes import consolidate, fill, messages_left, turn_counts

SUMMARY = "The user planned a garden,\n and the assistant   noted the dates."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Asked for facts or statements, it finds none; what it `will` is about summaries."""
    with model_server() as running:

        def chosen(seen: Seen) -> Reply:
            if is_about_facts(seen) or is_about_statements(seen):
                return saying('{"statements": []}')
            return running.replies.pop(0) if len(running.replies) > 1 else running.replies[0]

        running.chooses = chosen
        yield running


def is_about_facts(seen: Seen) -> bool:
    return str(seen.body["messages"][0]["content"]).startswith(EXTRACTION_PROMPT)


def is_about_statements(seen: Seen) -> bool:
    return str(seen.body["messages"][0]["content"]).startswith(STATEMENTS_PROMPT)


@pytest.fixture
def acme(cast: Cast, server: ModelServer) -> RestClient:
    """REST as Acme's agent, with memory on, a model, and thirty messages, ten of which are due."""
    choose(cast.acme, server)
    client = cast.acme.rest()
    client.post("memory/enable")
    fill(client, 30)
    return client


def test_the_model_gets_the_transcript_and_writes_one_line(acme: RestClient, server: ModelServer) -> None:
    server.will(saying(json.dumps({"paragraph": SUMMARY})))

    (episode,) = consolidate(acme)["episodes"]

    assert episode["summary"] == "The user planned a garden, and the assistant noted the dates."
    extraction, seen, statements = server.seen
    assert is_about_statements(statements)
    assert is_about_facts(extraction), "What is about to be deleted is first looked at for facts."
    system, asked = (message["content"] for message in seen.body["messages"])
    assert "third person" in system
    assert "roles" in system
    assert "user: I decided to move the launch" in asked
    assert asked.count("\n\n") == 9, "ten turns"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (saying(""), "model_empty"),
        (saying('{"paragraph": ""}'), "model_broken_answer"),
        (saying('{"paragraph": " \\n "}'), "empty_summary"),
        (saying('{"paragraph": "The user'), "model_broken_answer"),
        (saying("Once upon a time."), "model_broken_answer"),
        (Reply(refusal="I cannot help with that."), "model_refused"),
        (saying('{"paragraph": "I\'m sorry, but I can\'t summarise this conversation."}'), "model_refused"),
        (failing(500), "model_unavailable"),
        (failing(401), "model_unavailable"),
        (Reply(hangs_up_after=0), "model_unavailable"),
        (saying('{"paragraph": "Late."}', waits_seconds=60), "model_unavailable"),
        (saying('{"paragraph": "The user"}', finish="length"), "model_cut_off"),
    ],
)
def test_without_a_summary_nothing_is_deleted(
    cast: Cast, acme: RestClient, server: ModelServer, reply: Reply, code: str
) -> None:
    server.will(reply)
    if reply.waits_seconds:
        choose(cast.acme, server, name="Impatient", timeout_seconds=1)

    answer = acme.post("conversations/garden/consolidate")

    assert (answer.status_code in {502, 503}, answer.json()["code"]) == (True, code), answer.content
    assert (messages_left(cast.acme), turn_counts(acme)) == (30, [])
    server.will(saying(json.dumps({"paragraph": SUMMARY})))
    assert len(consolidate(acme)["episodes"]) == 1, "The claim was given back."


def test_what_was_done_before_a_failure_stays(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    fill(acme, 220)
    server.will(saying(json.dumps({"paragraph": SUMMARY})), failing(500))

    assert acme.post("conversations/garden/consolidate").json()["code"] == "model_unavailable"

    assert (turn_counts(acme), messages_left(cast.acme)) == ([100], 150)


def test_without_extraction_nothing_is_deleted(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    server.chooses = lambda seen: failing(500) if is_about_facts(seen) else saying('{"paragraph": "A garden."}')

    assert acme.post("conversations/garden/consolidate").json()["code"] == "model_unavailable"

    assert (messages_left(cast.acme), turn_counts(acme)) == (30, [])
    statement = {"content": "The user plants apple trees.", "type": "fact", "importance": 0.5, "confidence": 0.9}
    found = saying(json.dumps({"statements": [statement]}))
    server.chooses = lambda seen: found if is_about_facts(seen) else saying('{"paragraph": "A garden."}')
    assert len(consolidate(acme)["episodes"]) == 1
    assert [memory["content"] for memory in acme.get("memories").json()["results"]] == [statement["content"]]


def answer_about_statements(server: ModelServer, reply: Reply) -> None:
    chosen = server.chooses
    assert chosen is not None
    server.will(saying(json.dumps({"paragraph": SUMMARY})))
    server.chooses = lambda seen: reply if is_about_statements(seen) else chosen(seen)


def test_what_a_model_adds_to_what_was_said_is_not_kept(acme: RestClient, server: ModelServer) -> None:
    said = {"turn": 2, "text": "Priya approved a budget of 40,000 euros.", "kind": "decision", "confidence": 0.9}
    added = ("Priya approved 50,000 euros.", "Paula approved 40,000 euros.", "Priya approved it on 3 May 2021.")
    given = [said, *({**said, "text": text} for text in added), {**said, "turn": 99}]
    answer_about_statements(server, saying(json.dumps({"statements": given})))

    (episode,) = consolidate(acme)["episodes"]

    (kept,) = episode["statements"]
    assert {name: kept[name] for name in ("text", "kind", "speaker", "confidence")} == {
        "text": said["text"],
        "kind": "decision",
        "speaker": "assistant",
        "confidence": 0.9,
    }
    asked = next(seen for seen in server.seen if is_about_statements(seen)).body["messages"][1]["content"]
    assert asked.startswith("#1 [")
    assert "\n\n#10 [" in asked


@pytest.mark.parametrize("reply", [failing(500), saying("Once upon a time."), saying('{"statements": []}')])
def test_without_usable_statements_of_a_model_rules_draw_them(
    cast: Cast, acme: RestClient, server: ModelServer, reply: Reply
) -> None:
    answer_about_statements(server, reply)

    (episode,) = consolidate(acme)["episodes"]

    assert any("12 March 2024" in each["text"] for each in episode["statements"])
    assert messages_left(cast.acme) == 20
