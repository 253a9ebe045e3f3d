"""One memory's page, and every verb as a form."""

from __future__ import annotations

from uuid import UUID

import pytest

from memory.memories.services.revisions import record_revision
from memory.memories.transitions import TRANSITIONS, Verb
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope

TEA = "The office tea order is due on the first Monday of each month."
COFFEE = "Coffee is ordered weekly, on Tuesdays."


# --- One memory


def test_the_page_of_a_memory_tells_its_story(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA, tags=["tea"])
    run = acme.post("runs", {"agent": "clerk", "conversation": "ticket-7"}).json()
    acme.post(f"runs/{run['id']}/finish", {"status": "succeeded", "output": f"See [mem:{memory['id']}]."})
    acme.patch(f"memories/{memory['id']}", {"content": COFFEE})

    page = text_of(bob.get(f"memory/{memory['id']}"))

    for told in (COFFEE, f"Before: {TEA}", "Edited", "Remembered", "1 run", "ticket-7", "Acme agent", memory["id"]):
        assert told in page, told


def test_the_history_says_what_was_said_again_in_other_words(bob: Visitor, cast: Cast, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    before = {"merged": "Tea for the office is ordered on the first Monday of each month."}
    with workspace_scope(cast.acme.caller):
        record_revision(caller=cast.acme.caller, memory_id=UUID(memory["id"]), action="merge", before=before)

    page = text_of(bob.get(f"memory/{memory['id']}"))

    assert "Said again in other words" in page
    assert before["merged"] in page
    assert "#merge" not in page, "There is no such icon."


def test_citations_are_links_and_everything_else_is_text(bob: Visitor, acme: RestClient) -> None:
    other = acme.remembered(TEA)["id"]
    memory = acme.remembered(f"<script>alert(1)</script> & [mem:{other}], not [mem:1] or [mem:<b>].")

    page = text_of(bob.get(f"memory/{memory['id']}"))

    assert f'href="{bob.address(f"memory/{other}")}"' in page
    assert f'data-mark="[mem:{other}]" aria-label="Source 1">1</a>' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; " in page
    assert "<script>alert" not in page
    unread = '<span class="citation-malformed" title="This citation names no id">{}</span>'
    assert f"not {unread.format('[mem:1]')} or {unread.format('[mem:&lt;b&gt;]')}." in page


def test_other_spellings_of_a_citation_are_links_too(bob: Visitor, acme: RestClient) -> None:
    one, two = acme.remembered(TEA)["id"], acme.remembered(COFFEE)["id"]
    memory = acme.remembered(f"[MEM: {one}, mem:{two}] and [mem:{two}|<i>coffee</i>]")

    page = text_of(bob.get(f"memory/{memory['id']}"))

    assert f'data-mark="[mem:{one}]" aria-label="Source 1">1</a>' in page
    assert f'data-mark="[mem:{two}]" aria-label="Source 2">2</a>' in page
    assert "&lt;i&gt;coffee&lt;/i&gt;<sup>2</sup></a>" in page


def test_a_forgotten_memory_can_still_be_opened_and_restored(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    acme.delete(f"memories/{memory['id']}")

    page = text_of(bob.get(f"memory/{memory['id']}"))

    assert "Restore" in page
    assert "Promote" not in page


def test_editing_passes_on_what_changed_and_nothing_else(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA, tags=["tea"], valid_from="2026-01-01T10:00:00.123456Z", importance=0.3)
    form = {
        "content": COFFEE,
        "tags": "tea",
        "importance": "0.3",
        "confidence": "1.0",
        "valid_from": "2026-01-01T10:00:00",
        "valid_to": "",
        "expires_at": "",
    }

    bob.post(f"memory/{memory['id']}/edit", **form)

    edited = acme.get(f"memories/{memory['id']}").json()
    assert edited["content"] == COFFEE
    assert edited["valid_from"] == memory["valid_from"]
    assert acme.get(f"memories/{memory['id']}/history").json()["results"][0]["before"] == {"content": TEA}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"content": COFFEE}, "Another live memory has the same text."),
        ({"importance": "1.5"}, "Ensure this value is less than or equal to 1."),
        ({"importance": "nan"}, "Enter a number."),
        ({"valid_from": "2026-02-01T00:00:00", "valid_to": "2026-01-01T00:00:00"}, "Must be later than valid_from."),
        ({"expires_at": "soon"}, "Enter a valid date/time."),
    ],
)
def test_a_refused_edit_keeps_what_was_typed(
    bob: Visitor, acme: RestClient, change: dict[str, str], complaint: str
) -> None:
    acme.remembered(COFFEE)
    memory = acme.remembered(TEA)
    typed = {"content": "Typed with care.", "tags": "typed-tag", "importance": "0.5", "confidence": "1", **change}

    answer = bob.swap(f"memory/{memory['id']}/edit", target="memory", **typed)

    assert answer.status_code == 422
    assert complaint in text_of(answer)
    assert "typed-tag" in text_of(answer)
    assert acme.get(f"memories/{memory['id']}").json()["content"] == TEA


def test_weighing_moves_the_weight_and_can_be_undone(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    answer = bob.swap(f"memory/{memory['id']}/weigh", target="memory", delta="0.5", times_referenced="0")

    assert toast_of(answer)["text"] == "Its weight is now 1.50."
    assert acme.get(f"memories/{memory['id']}").json()["weight"] == 1.5
    bob.swap(toast_of(answer)["undo_url"], target="memory")
    assert acme.get(f"memories/{memory['id']}").json()["weight"] == 1.0


@pytest.mark.parametrize("delta", ["", "a lot", "nan", "11", "1e999"])
def test_a_weight_that_is_no_number_changes_nothing(bob: Visitor, acme: RestClient, delta: str) -> None:
    memory = acme.remembered(TEA)

    answer = bob.swap(f"memory/{memory['id']}/weigh", target="memory", delta=delta)

    assert (answer.status_code, answer.json()["detail"]) == (422, "A weight moves by a number from -10 to 10.")
    assert acme.get(f"memories/{memory['id']}").json() == memory


# --- Verbs


@pytest.mark.parametrize("verb", Verb)
def test_every_verb_answers_with_the_row_and_how_to_undo_it(bob: Visitor, acme: RestClient, verb: Verb) -> None:
    memory = acme.remembered(TEA)

    answer = bob.swap(f"memory/{memory['id']}/{verb}", at="memory?view=suggestions")

    page, toast = text_of(answer), toast_of(answer)
    assert page.lstrip().startswith("<li class=")
    assert f'data-key="memory-{memory["id"]}"' in page
    assert 'id="memory-tabs" hx-swap-oob="true"' in page
    assert toast["text"].startswith(f"{TRANSITIONS[verb].past}. {TRANSITIONS[verb].meaning}")
    assert bob.swap(toast["undo_url"]).status_code == 200


def test_a_verb_on_the_memorys_page_answers_with_that_page(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    answer = bob.swap(f"memory/{memory['id']}/promote", target="memory", at=f"memory/{memory['id']}")

    assert text_of(answer).lstrip().startswith('<article id="memory"')
    assert toast_of(answer)["undo_target"] == "#memory"


def test_a_verb_without_script_leads_back_with_a_message(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    back = f"http://testserver{bob.address('memory?view=suggestions')}"

    answer = bob.client.post(bob.address(f"memory/{memory['id']}/promote"), headers={"Referer": back})

    assert answer.headers["Location"] == back
    assert "Promoted. Agents will treat this as a fact." in text_of(bob.get("memory", view="facts"))


def test_a_redirect_never_leads_to_another_site(bob: Visitor, acme: RestClient) -> None:
    path = bob.address(f"memory/{acme.remembered(TEA)['id']}")

    answer = bob.client.post(f"{path}/pin", headers={"Referer": "https://elsewhere.example/"})

    assert answer.headers["Location"] == path


def test_forgetting_what_is_pinned_says_what_to_do_first(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    bob.post(f"memory/{memory['id']}/pin")

    answer = bob.swap(f"memory/{memory['id']}/forget")

    assert answer.status_code == 409
    assert answer.json()["detail"] == "This memory is pinned. Unpin it first, or forget it with force as an admin."
    assert acme.get(f"memories/{memory['id']}").json()["is_deleted"] is False


def test_a_reason_that_is_too_long_is_refused_and_not_cut(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    answer = bob.swap(f"memory/{memory['id']}/suppress", target="memory", reason="x" * 501)

    assert (answer.status_code, answer.json()["detail"]) == (422, "A reason is plain text of at most 500 characters.")
    assert acme.get(f"memories/{memory['id']}").json()["suppressed"] is False


def test_a_score_stays_in_its_row(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    score = f'id="score-{memory["id"]}"'

    assert score in text_of(bob.get("memory", q="tea"))
    assert f"{score} hx-preserve" in text_of(bob.swap(f"memory/{memory['id']}/pin", at="memory?view=search&q=tea"))


# --- What is true now


def test_a_replaced_memory_leads_to_what_replaced_it_and_can_be_reopened(bob: Visitor, acme: RestClient) -> None:
    rome, oslo = acme.remembered("Anna lives in Rome."), acme.remembered("Anna has moved to Oslo.")

    page = text_of(bob.get(f"memory/{rome['id']}"))

    assert "Replaced by" in page
    assert bob.address(f"memory/{oslo['id']}") in page
    assert "It is still true" in page
    assert bob.swap(f"memory/{rome['id']}/reopen", target="memory").status_code == 200
    assert acme.get(f"memories/{rome['id']}").json()["superseded_by"] is None


def test_what_an_agent_may_not_close_is_in_doubt(bob: Visitor, acme: RestClient, cast: Cast) -> None:
    rome = acme.remembered("Anna lives in Rome.", kind="fact")
    cast.acme.rest(Right.READ, Right.WRITE).remembered("Anna has moved to Oslo.")

    page = text_of(bob.get(f"memory/{rome['id']}"))

    assert "A newer memory says otherwise" in page
    assert "Anna has moved to Oslo." in page
    assert bob.swap(f"memory/{rome['id']}/close", target="memory").status_code == 200
    assert acme.get(f"memories/{rome['id']}").json()["valid_to"] is not None
