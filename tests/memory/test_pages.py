"""The Memory page: its lists, search and filters, what is stale, and remembering."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.callers import Right
from workspaces.http.console_lists import ROWS
from workspaces.settings.services import change_settings

TEA = "The office tea order is due on the first Monday of each month."
COFFEE = "Coffee is ordered weekly, on Tuesdays."
SOUP = "Soup is served at noon."


# --- Lists


def test_lists_show_what_they_name(bob: Visitor, acme: RestClient) -> None:
    acme.remembered(TEA, kind="fact")
    acme.remembered(COFFEE)
    bob.post(f"memory/{acme.remembered(SOUP)['id']}/pin")
    gone = acme.remembered("Biscuits are in the drawer.")
    bob.post(f"memory/{gone['id']}/forget")

    shown = {
        view: {text for text in (TEA, COFFEE, SOUP, "Biscuits") if text in text_of(bob.get("memory", view=view))}
        for view in ("pinned", "facts", "suggestions", "search", "review", "stale")
    }

    assert shown == {
        "pinned": {SOUP},
        "facts": {TEA},
        "suggestions": {COFFEE, SOUP},
        "search": {TEA, COFFEE, SOUP},
        "review": {"Biscuits"},
        "stale": set(),
    }


@pytest.mark.parametrize(
    ("state", "expected"), [("suppressed", TEA), ("forgotten", COFFEE), ("expired", SOUP), (None, "all three")]
)
def test_review_tells_why_agents_do_not_see_a_memory(
    bob: Visitor, acme: RestClient, state: str | None, expected: str
) -> None:
    bob.post(f"memory/{acme.remembered(TEA)['id']}/suppress", reason="We moved")
    bob.post(f"memory/{acme.remembered(COFFEE)['id']}/forget")
    acme.remembered(SOUP, expires_at=(utc_now() - timedelta(days=1)).isoformat())

    page = text_of(bob.get("memory", view="review", **({"state": state} if state else {})))

    for text in (TEA, COFFEE, SOUP):
        assert (text in page) == (expected in {text, "all three"})


def test_review_can_be_narrowed_like_any_list(bob: Visitor, acme: RestClient) -> None:
    for content, tag in ((TEA, "tea"), (COFFEE, "coffee")):
        acme.delete(f"memories/{acme.remembered(content, tags=[tag])['id']}")

    page = text_of(bob.get("memory", view="review", tags="tea"))

    assert TEA in page
    assert COFFEE not in page


def test_search_shows_score_and_arms(bob: Visitor, acme: RestClient) -> None:
    acme.remembered(TEA)
    acme.remembered(SOUP)

    page = text_of(bob.get("memory", q="tea order"))

    assert TEA in page
    assert SOUP not in page
    assert "By words: rank 1" in page
    assert "1 found by words" in page


def test_filters_stand_in_the_address(bob: Visitor, acme: RestClient) -> None:
    acme.remembered(TEA, tags=["tea", "office"], source="import")
    acme.remembered(COFFEE, tags=["coffee", "office"])
    acme.remembered(SOUP, kind="fact", tags=["soup"])

    def found(**filters: str) -> set[str]:
        page = text_of(bob.get("memory", view="search", **filters))
        return {text for text in (TEA, COFFEE, SOUP) if text in page}

    assert found(tags="office") == {TEA, COFFEE}
    assert found(tags="office,tea") == {TEA}
    assert found(sources="import") == {TEA}
    assert found(kinds="fact") == {SOUP}
    assert found(pinned="true") == set()
    assert found(q="ordered", tags="coffee") == {COFFEE}
    assert "tags=coffee&amp;tags=tea" in text_of(bob.get("memory", view="search", tags="coffee,tea")).replace(
        "view=search&amp;", ""
    )


def test_long_lists_come_in_pages(bob: Visitor, acme: RestClient) -> None:
    for number in range(ROWS + 1):
        acme.remembered(f"Locker {number:03d} belongs to somebody.")

    first = text_of(bob.get("memory", view="suggestions"))
    assert f"Locker {ROWS:03d}" in first
    assert "Locker 000" not in first
    follow = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")

    last = text_of(bob.get(follow.removeprefix("http://testserver")))
    assert "Locker 000" in last
    assert 'rel="prev"' in last


def test_a_full_list_takes_a_fixed_number_of_queries(
    bob: Visitor, acme: RestClient, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    for number in range(50):
        acme.remembered(f"Locker {number:03d} belongs to somebody.", tags=["lockers"])

    # Fourteen reads: session, user, memberships, rows, counts, filters, facts, connections that go, twice,
    # the workspace's settings, for the number in the rail as well, and that number. Around each of the eight scopes
    # stand two settings of the context and, inside the test's transaction, a savepoint.
    with django_assert_max_num_queries(14 + 8 * 4):
        page = text_of(bob.get("memory", view="suggestions"))

    assert page.count("data-row ") == ROWS


def test_counts_stand_on_the_tabs(bob: Visitor, acme: RestClient) -> None:
    for number in range(3):
        acme.remembered(f"Locker {number} is free.")

    page = text_of(bob.get("memory"))

    assert 'Suggestions <span class="count">3</span>' in page
    assert 'Facts <span class="count">0</span>' in page


def test_an_empty_workspace_says_what_to_do(bob: Visitor) -> None:
    page = text_of(bob.get("memory"))

    assert "Nothing is remembered yet" in page
    assert "Remember something" in page


def test_cited_memories_are_recommended_for_pinning(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)
    run = acme.post("runs", {"agent": "clerk"}).json()
    cast.acme.rest(Right.READ, Right.WRITE).post(
        f"runs/{run['id']}/finish", {"status": "succeeded", "output": f"See [mem:{memory['id']}]."}
    )

    assert "Worth pinning" in text_of(bob.get("memory"))
    bob.post(f"memory/{memory['id']}/pin")
    assert "Worth pinning" not in text_of(bob.get("memory"))


def test_warns_when_facts_exceed_the_budget(cast: Cast, alice: Visitor, acme: RestClient) -> None:
    acme.remembered("A fact that goes on. " * 30, kind="fact")
    assert "nothing else fits" not in text_of(alice.get("memory"))

    change_settings(caller=cast.acme.caller, memory={"token_budget": 100})

    assert "nothing else fits" in text_of(alice.get("memory"))


# --- Stale


def test_an_owner_forgets_everything_stale_and_sees_what(alice: Visitor, acme: RestClient) -> None:
    with time_machine.travel(utc_now() - timedelta(days=91)):
        acme.remembered(TEA)
        acme.remembered(COFFEE, kind="fact")
    acme.remembered(SOUP)
    assert "Forget all 1" in text_of(alice.get("memory", view="stale"))

    answer = alice.swap("memory/stale/purge", target="memory-view", at="memory?view=stale")

    assert toast_of(answer)["text"] == "Forgot 1 stale memory. Each can be restored, from the Bin."
    page = text_of(answer)
    assert TEA in page
    assert "Restore" in page
    assert COFFEE not in page
    assert TEA in text_of(alice.get("memory", view="review", state="forgotten"))


def test_a_member_may_not_purge(bob: Visitor, acme: RestClient) -> None:
    with time_machine.travel(utc_now() - timedelta(days=91)):
        acme.remembered(TEA)

    assert "Forget all" not in text_of(bob.get("memory", view="stale"))
    assert bob.post("memory/stale/purge").status_code == 403
    assert TEA in text_of(bob.get("memory", view="stale"))


# --- Remembering


def test_a_person_remembers(bob: Visitor, acme: RestClient) -> None:
    answer = bob.post("memory/remember", content=f"  {TEA}\r\n", kind="fact", tags="tea, office, tea")

    assert answer.headers["Location"] == bob.address("memory?view=facts")
    (memory,) = acme.get("memories").json()["results"]
    assert (memory["content"], memory["kind"], memory["tags"]) == (TEA, "fact", ["office", "tea"])
    assert (memory["source"], memory["author"]) == ("user", "Bob")
    assert "Remembered. Agents will treat this as a fact." in text_of(bob.get("memory", view="facts"))


def test_remembering_adds_the_row_to_the_list_and_can_be_undone(bob: Visitor, acme: RestClient) -> None:
    remembered = {"content": TEA, "kind": "memory", "tags": ""}
    answer = bob.swap("memory/remember", target="remember-form", takes_row="1", **remembered)

    assert 'hx-swap-oob="afterbegin:[data-memories]"' in text_of(answer)
    assert TEA in text_of(answer)
    assert "remembered" in json.loads(answer.headers["HX-Trigger"])
    bob.post(toast_of(answer)["undo_url"])
    assert acme.get("memories").json()["results"] == []


def test_what_is_already_remembered_is_shown_instead(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    answer = bob.post("memory/remember", content=TEA.upper(), kind="fact", tags="")

    assert answer.headers["Location"] == bob.address(f"memory/{memory['id']}")
    assert "this fact says exactly that." in text_of(bob.get(f"memory/{memory['id']}"))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"content": " ", "kind": "memory"}, "This field is required."),
        ({"content": "a\x00b", "kind": "memory"}, "Contains characters that are not text."),
        ({"content": "a\x07b", "kind": "memory"}, "Contains characters that are not text."),
        ({"content": TEA, "kind": "rumour"}, "Select a valid choice."),
        ({"content": TEA, "kind": "memory", "tags": "x" * 65}, "At most 20 tags of at most 64 characters each."),
        ({"content": TEA, "kind": "memory", "tags": ",".join(map(str, range(21)))}, "At most 20 tags"),
        ({"content": "x" * 16_001, "kind": "memory"}, "A memory has at most 16,000 characters; this text has 16,001."),
        ({"content": "Our key is AKIAIOSFODNN7EXAMPLE", "kind": "memory"}, "Remove it and try again"),
    ],
)
def test_a_refused_text_comes_back_with_the_reason(
    bob: Visitor, acme: RestClient, fields: dict[str, str], complaint: str
) -> None:
    answer = bob.post("memory/remember", **fields)

    assert answer.status_code == 422
    assert complaint in text_of(answer)
    assert fields["content"].strip("\x00 ")[:8] in text_of(answer)
    assert acme.get("memories").json()["results"] == []
