"""The page Ask: asking with and without script, what failed, who may ask, and where the answers come from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from typing import Any, cast

import pytest

from tests.cast import Answer, Cast, RestClient
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, failing, model_server, saying
from tests.pages import Visitor, text_of
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

QUESTION = "When is the flour delivered?"
FLOUR = "Flour is delivered on Tuesdays."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        yield running


def key_on(answer: Answer) -> str:
    """What the form of a page asks for: an id, or a key for a new conversation."""
    found = re.search(r'name="conversation" value="([^"]+)"', text_of(answer))
    assert found
    return found[1]


def stream(visitor: Visitor, **fields: Any) -> tuple[Answer, list[tuple[str, dict[str, Any]]]]:
    sent = visitor.client.post(visitor.address("explain/ask"), fields, headers={"Accept": "text/event-stream"})
    answer = cast("Answer", sent)  # whose content may be a stream, which django-stubs does not know of the client's
    if not answer.streaming:
        return answer, []
    blocks = b"".join(answer.streaming_content).decode().strip().split("\n\n")
    split = [block.split("\n") for block in blocks]
    return answer, [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in split]


def test_begins_with_an_empty_conversation_and_says_that_no_model_is_configured(bob: Visitor) -> None:
    page = text_of(bob.get("explain/ask"))

    assert "Ask what Acme remembers" in page
    assert "No model is configured." in page


def test_without_script_a_question_is_answered_by_the_page(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")

    page = text_of(answer := bob.post("explain/ask", conversation=key_on(bob.get("explain/ask")), message=QUESTION))

    assert answer.status_code == 200
    assert f'href="/w/{bob.workspace.slug}/memory/{fact["id"]}"' in page
    assert FLOUR in page
    assert "Recalled in" in page
    assert re.search(rf'href="/w/{bob.workspace.slug}/receipts/[0-9a-f-]{{36}}"', page)
    assert f"<h1>{QUESTION}</h1>" in page


def test_it_opens_where_its_person_left_off(bob: Visitor, cast: Cast, acme: RestClient) -> None:
    key = key_on(bob.get("explain/ask"))
    bob.post("explain/ask", conversation=key, message=QUESTION)
    acme.post("conversations/somebody-elses/messages", {"role": "user", "content": "Later."})
    mine = acme.get(f"conversations/{key}").json()["id"]

    assert bob.get("explain/ask").headers["Location"] == bob.address(f"explain/ask/{mine}")
    assert QUESTION in text_of(bob.get(f"explain/ask/{mine}"))
    assert "Ask what Acme remembers" in text_of(bob.get("explain/ask?new"))
    assert "Ask what Acme remembers" in text_of(Visitor.of(cast.alice, cast.acme.workspace).get("explain/ask"))


def test_goes_on_with_a_conversation_of_an_agent(bob: Visitor, acme: RestClient) -> None:
    acme.post("conversations/kitchen/messages", {"role": "user", "content": "Hello."})
    found = acme.get("conversations/kitchen").json()["id"]

    bob.post("explain/ask", conversation=found, message=QUESTION)

    messages = acme.get("conversations/kitchen/messages").json()["results"]
    assert [message["content"] for message in messages][:2] == ["Hello.", QUESTION]
    assert acme.get("conversations/kitchen").json()["title"] == ""


def test_a_message_that_a_key_appended_names_the_key(bob: Visitor, acme: RestClient) -> None:
    acme.post("conversations/kitchen/messages", {"role": "user", "name": "Bob", "content": "Pay account 4711."})
    conversation = acme.get("conversations").json()["results"][0]["id"]

    page = bob.get(f"explain/ask/{conversation}")

    assert "by Acme agent (API key)</span>" in text_of(page)


def test_streams_the_fragments_of_the_page(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")

    answer, events = stream(bob, conversation=key_on(bob.get("explain/ask")), message=QUESTION)

    assert answer.headers["Content-Type"] == "text/event-stream"
    assert "no-store" in answer.headers["Cache-Control"]
    names = [name for name, _ in events]
    assert (names[0], names[-1], set(names[1:-1])) == ("trace", "done", {"token"})
    done = events[-1][1]
    assert f'href="/w/{bob.workspace.slug}/memory/{fact["id"]}"' in done["html"]
    assert done["html"].split("</article>")[0] in text_of(bob.get(done["url"]))


def test_text_of_a_message_is_never_markup(bob: Visitor, acme: RestClient) -> None:
    acme.remembered("Flour <script>alert(1)</script> is delivered.", kind="fact")

    _, events = stream(bob, conversation=key_on(bob.get("explain/ask")), message="<img src=x> flour delivered?")

    assert "<script>" not in events[-1][1]["html"]
    assert "<img" not in text_of(bob.get(events[-1][1]["url"]))


def test_a_model_that_breaks_off_says_so_and_the_question_can_be_asked_again(
    cast: Cast, bob: Visitor, server: ModelServer, acme: RestClient
) -> None:
    choose(cast.acme, server)
    server.will(Reply(hangs_up_after=1), Reply(hangs_up_after=1), saying("On Tuesdays."))
    key = key_on(bob.get("explain/ask"))

    _, events = stream(bob, conversation=key, message=QUESTION)
    refused = bob.post("explain/ask", conversation=key, message=QUESTION)
    again = bob.post("explain/ask", conversation=key_on(refused), message=QUESTION)

    assert [name for name, _ in events] == ["trace", "token", "error"]
    assert escape(events[-1][1]["text"]) in text_of(refused)
    assert refused.status_code in {502, 503}
    assert "Your question is kept." in text_of(refused)
    assert "Ask again" in text_of(refused)
    assert "On Tuesdays." in text_of(again)
    assert "Ask again" not in re.sub(r"<template.*?</template>", "", text_of(again), flags=re.DOTALL)
    assert "No model is configured" not in text_of(again)
    stored = acme.get(f"conversations/{key}/messages").json()["results"]
    assert [message["content"] for message in stored] == [QUESTION, "On Tuesdays."], "The question is kept once."


def test_a_model_that_does_not_answer_is_replaced_by_quotes(
    cast: Cast, bob: Visitor, server: ModelServer, acme: RestClient
) -> None:
    acme.remembered("Tea is ordered on Mondays.", kind="fact")
    choose(cast.acme, server)
    server.will(failing(401))

    _, events = stream(bob, conversation=key_on(bob.get("explain/ask")), message="When is tea ordered?")

    assert [name for name, _ in events][:2] == ["trace", "token"]
    assert "The model did not answer (model_unavailable)" in events[1][1]["text"]
    assert "Tea is ordered on Mondays." in events[1][1]["text"]


@pytest.mark.parametrize("message", ["", "   ", "x" * 20_001, "a\x00b"])
def test_what_is_no_question_is_refused_and_stays_in_the_form(bob: Visitor, acme: RestClient, message: str) -> None:
    key = key_on(bob.get("explain/ask"))

    page = bob.post("explain/ask", conversation=key, message=message)
    streamed, _ = stream(bob, conversation=key, message=message)

    assert (page.status_code, streamed.status_code) == (422, 422)
    assert "errorlist" in text_of(page)
    assert streamed.json()["detail"]
    assert acme.get("conversations").json()["results"] == []


def test_a_conversation_that_is_gone_is_not_begun_again(bob: Visitor, acme: RestClient) -> None:
    for address in ("0198c0de-0000-7000-8000-000000000000", "made-up", "chat-deadbeef-1"):
        assert bob.post("explain/ask", conversation=address, message=QUESTION).status_code == 404
        assert stream(bob, conversation=address, message=QUESTION)[0].status_code == 404
    assert acme.get("conversations").json()["results"] == []


def test_the_outsider_and_the_stranger_get_nowhere(cast: Cast, acme: RestClient) -> None:
    acme.post("conversations/kitchen/messages", {"role": "user", "content": "Hello."})
    found = acme.get("conversations/kitchen").json()["id"]
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    for path in ("explain/ask", f"explain/ask/{found}"):
        assert charlie.get(path).status_code == 404
    assert stream(charlie, conversation=found, message=QUESTION)[0].status_code == 404
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)
    assert at_home.get(f"explain/ask/{found}").status_code == 404
    assert at_home.post("explain/ask", conversation=found, message=QUESTION).status_code == 404
    charlie.client.logout()
    assert charlie.get("explain/ask").headers["Location"].startswith("/sign-in?next=")
    assert len(acme.get("conversations/kitchen/messages").json()["results"]) == 1


def test_a_viewer_reads_and_asks_nothing(cast: Cast, acme: RestClient) -> None:
    acme.post("conversations/kitchen/messages", {"role": "user", "content": "Hello."})
    found = acme.get("conversations/kitchen").json()["id"]
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    viewer = Visitor.of(cast.bob, cast.acme.workspace)

    page = text_of(viewer.get(f"explain/ask/{found}"))

    assert "Hello." in page
    assert "<textarea" not in page
    assert "Ask again" not in page
    assert viewer.post("explain/ask", conversation=found, message=QUESTION).status_code == 403
    assert stream(viewer, conversation=found, message=QUESTION)[0].status_code == 403


def test_a_question_needs_the_pages_token(bob: Visitor) -> None:
    key = key_on(bob.get("explain/ask"))
    bob.client.handler.enforce_csrf_checks = True

    assert stream(bob, conversation=key, message=QUESTION)[0].status_code == 403
