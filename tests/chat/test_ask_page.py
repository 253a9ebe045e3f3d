"""Ask as one door: its old addresses, numbered citations, and an answer that changes when a belief is mended in it."""

from __future__ import annotations

import re
from html import unescape

import pytest

from core.ids import new_id
from tests.cast import Answer, Cast, RestClient
from tests.chat.test_pages import FLOUR, QUESTION, key_on, stream
from tests.llm.conftest import choose
from tests.llm.server import model_server, saying
from tests.pages import Visitor, text_of
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

pytestmark = pytest.mark.django_db

OTHER = "The flour mill closes on Sundays."


def asked(visitor: Visitor, question: str = QUESTION) -> Answer:
    return visitor.post("explain/ask", conversation=key_on(visitor.get("explain/ask?new")), message=question)


def recompute_path(page: Answer) -> str:
    found = re.search(r'hx-post="([^"]*/explain/ask/[0-9a-f-]{36}/[0-9a-f-]{36})[^"]*"', text_of(page))
    assert found
    return unescape(found[1])


def recomputed(answer: Answer) -> str:
    found = re.search(r'<section class="recomputed".*?</section>', text_of(answer), re.DOTALL)
    assert found, text_of(answer)
    return found[0]


# --- One door ------------------------------------------------------------------------------------


def test_old_addresses_lead_on_for_good_with_what_they_name(bob: Visitor, acme: RestClient) -> None:
    acme.post("conversations/kitchen/messages", {"role": "user", "content": "Hello."})
    found = acme.get("conversations/kitchen").json()["id"]

    for old, new in (
        ("chat", "explain/ask"),
        ("chat?new", "explain/ask?new="),
        (f"chat/{found}", f"explain/ask/{found}"),
        ("ontology/ask", "explain/ask"),
        ("ontology/ask?question=Who%3F", "explain/ask?question=Who%3F"),
    ):
        answer = bob.get(old)
        assert (answer.status_code, answer.headers["Location"]) == (301, bob.address(new)), old
    sent = bob.post("chat", conversation=found, message=QUESTION)
    assert (sent.status_code, sent.headers["Location"]) == (308, bob.address("explain/ask"))
    assert bob.post("ontology/ask", question="Who?").headers["Location"] == bob.address("explain/ask?question=Who%3F")


def test_a_question_in_the_address_stands_in_the_form(bob: Visitor) -> None:
    asked(bob)

    assert "Who bakes?</textarea>" in text_of(bob.get("explain/ask", question="Who bakes?"))


def test_ask_is_a_tab_of_explain_and_no_place_of_its_own(bob: Visitor) -> None:
    page = text_of(bob.get("explain/ask?new"))
    tabs = re.findall(r'<nav class="tabs".*?</nav>', page, re.DOTALL)[0]
    rail = re.findall(r'<nav class="rail-nav".*?</nav>', page, re.DOTALL)[0]

    assert re.search(r'explain/ask" aria-current="page">Ask', tabs)
    assert "Ask" not in text_of(bob.get("ontology")).split('<nav class="tabs"')[1].split("</nav>")[0]
    assert ">Chat<" not in rail
    near = re.findall(r'<li class="is-near[^"]*"><a[^>]*>.*?<span>(.*?)</span>', rail)
    assert near == ["Home", "Review", "Memory", "Ask"], "and More: the bar of a phone"
    assert rail.count('class="is-near is-phone-only"') == 1


def test_edges_of_things_are_in_the_one_ranking(bob: Visitor, acme: RestClient) -> None:
    ada, mill = (
        acme.post("ontology/nodes", {"type": kind, "name": name}).json()["id"]
        for kind, name in (("person", "Ada Lovelace"), ("organization", "Acme Mills"))
    )
    acme.post("ontology/edges", {"type": "works_at", "source": ada, "target": mill})

    page = text_of(asked(bob, "Where does Ada Lovelace work?"))

    assert "Ada Lovelace works at Acme Mills" in page


# --- Citations -----------------------------------------------------------------------------------


def test_an_answer_numbers_its_sources_and_shows_no_mark(bob: Visitor, acme: RestClient) -> None:
    fact, other = acme.remembered(FLOUR, kind="fact"), acme.remembered(OTHER, kind="fact")

    page = text_of(asked(bob, "When is flour delivered, and when does the flour mill close?"))
    main = page.split('<section class="thread"')[1].split("</section>")[0]
    visible = re.sub(r"<[^>]*>", " ", main)

    assert "[mem:" not in visible
    assert sorted(re.findall(r'aria-label="Source (\d)">\d</a>', main)) == ["1", "2"]
    assert {f"[mem:{fact['id']}]", f"[mem:{other['id']}]"} <= set(re.findall(r'data-mark="([^"]*)"', main))
    assert f"[mem:{fact['id']}]" in re.findall(r'data-copy="([^"]*)"', main)[0], "the copy has the marks"
    assert re.search(r"<li>[^<]*" + re.escape(FLOUR) + r" <a class=\"citation", main), "the number stands behind"


def test_the_same_source_has_the_same_number(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    one, two = acme.remembered(FLOUR)["id"], acme.remembered(OTHER)["id"]
    with model_server() as server:
        choose(cast.acme, server)
        server.will(saying(f"Closed [mem:{two}]. Flour [mem:{one}, mem:{two}]."))

        page = text_of(asked(bob))

    assert re.findall(r'data-mark="\[mem:([^"]*)\]" aria-label="Source (\d)"', page) == [
        (two, "1"),
        (one, "2"),
        (two, "1"),
    ]
    assert re.findall(r'<li value="(\d)"', page) == ["1", "2"]


# --- Mending a belief where it is cited ----------------------------------------------------------


def test_suppressing_a_source_computes_the_answer_again_in_its_place(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    path = recompute_path(asked(bob))

    answer = bob.swap(path, suppress=fact["id"])

    assert answer.status_code == 200
    assert "<html" not in text_of(answer)
    assert "Suppressed." in recomputed(answer)
    assert FLOUR not in recomputed(answer)
    assert FLOUR in text_of(answer).split('class="recomputed"')[0], "What was said stays to compare with."
    assert acme.get(f"memories/{fact['id']}").json()["suppressed"] is True
    assert "Undo: unsuppress it" in recomputed(answer)
    back = bob.swap(path, unsuppress=fact["id"])
    assert "Unsuppressed. The answer stays the same" in recomputed(back)
    assert acme.get(f"memories/{fact['id']}").json()["suppressed"] is False


def test_editing_a_source_computes_the_answer_again_without_script_too(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    path = recompute_path(asked(bob))
    said = acme.get("conversations").json()["results"][0]["key"]
    before = acme.get(f"conversations/{said}/messages").json()["results"]

    page = bob.post(path, **{"edit": fact["id"], f"content-{fact['id']}": "Flour is delivered on Fridays."})

    assert "<html" in text_of(page)
    assert "Flour is delivered on Fridays." in recomputed(page)
    assert "What it said before is in its history." in recomputed(page)
    assert acme.get(f"conversations/{said}/messages").json()["results"] == before, "Nothing of it is kept."
    assert acme.get(f"memories/{fact['id']}").json()["times_referenced"] == 1


def test_a_model_answers_again_where_one_is_configured(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    with model_server() as server:
        choose(cast.acme, server)
        server.will(saying(f"On Tuesdays [mem:{fact['id']}]."), saying("I do not know."))
        path = recompute_path(asked(bob))

        answer = bob.swap(path, suppress=fact["id"])

        assert "I do not know." in recomputed(answer)
        assert FLOUR not in str(server.seen[-1].body), "neither from memory nor from the first answer"


def test_what_cannot_be_changed_says_why(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    path = recompute_path(asked(bob))

    refused = bob.swap(path, **{"edit": fact["id"], f"content-{fact['id']}": " "})

    assert refused.status_code == 422
    assert 'role="alert"' in text_of(refused)
    assert acme.get(f"memories/{fact['id']}").json()["content"] == FLOUR


def test_only_answers_of_this_door_are_computed_again(bob: Visitor, acme: RestClient) -> None:
    receipt = acme.post("context", {"query": QUESTION}).json()["receipt_id"]
    metadata = {"receipt": receipt}
    acme.post("conversations/kitchen/messages", {"role": "assistant", "content": "No.", "metadata": metadata})
    found = acme.get("conversations/kitchen").json()["id"]
    message = acme.get("conversations/kitchen/messages").json()["results"][0]["id"]

    for identity in (message, new_id()):
        assert bob.post(f"explain/ask/{found}/{identity}").status_code == 404
    assert bob.get(f"explain/ask/{found}/{message}").status_code == 405


def test_the_outsider_mends_nothing(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    path = recompute_path(asked(bob))
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)

    assert charlie.post(path, suppress=fact["id"]).status_code == 404
    below = path.partition("/explain/")[2]
    assert at_home.post(f"explain/{below}", suppress=fact["id"]).status_code == 404
    assert acme.get(f"memories/{fact['id']}").json()["suppressed"] is False


def test_an_answer_in_a_space_of_ones_own_is_not_anothers(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    mine = f"space=user:{cast.bob.id}"
    acme.remembered(FLOUR, space=f"user:{cast.bob.id}")
    key = key_on(bob.get(f"explain/ask?new&{mine}"))
    page = bob.post(f"explain/ask?{mine}", conversation=key, message=QUESTION)
    path = recompute_path(page)
    alice = Visitor.of(cast.alice, cast.acme.workspace)

    assert alice.post(path).status_code == 404
    assert alice.post(f"{path}?space=user:{cast.alice.id}").status_code == 404
    assert bob.post(f"{path}?{mine}").status_code == 200


def test_a_viewer_is_answered_and_nothing_is_kept(cast: Cast, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    viewer = Visitor.of(cast.bob, cast.acme.workspace)

    page = text_of(asked(viewer))

    assert FLOUR in page
    assert "nothing of it is kept" in page
    assert ">Suppress<" not in page
    assert acme.get("conversations").json()["results"] == []
    assert acme.get(f"memories/{fact['id']}").json()["times_referenced"] == 0
    assert stream(viewer, conversation=key_on(viewer.get("explain/ask")), message=QUESTION)[0].status_code == 403


def test_a_viewer_recomputes_and_changes_nothing(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    path = recompute_path(asked(bob))
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)

    assert bob.swap(path, suppress=fact["id"]).status_code == 422
    assert acme.get(f"memories/{fact['id']}").json()["suppressed"] is False
    assert FLOUR in text_of(bob.swap(path))
