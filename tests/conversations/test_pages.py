"""The Conversations pages and receipts: what they show, what can be done there, and by whom."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from workspaces.access.selectors import own_space
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

ACTS = ("consolidate", "end", "delete")


@pytest.fixture
def kitchen(acme: RestClient) -> str:
    """The id of a conversation with 24 old messages and 4 of today."""
    old = utc_now() - timedelta(days=60)
    said = [_message(f"Turn {n} about the oven.", old + timedelta(minutes=n)) for n in range(24)]
    today = [_message(f"Turn {n} about tea.", utc_now()) for n in range(24, 28)]
    acme.post("conversations/kitchen/messages", {"messages": [*said, *today]})
    return str(acme.get("conversations/kitchen").json()["id"])


def _message(content: str, at: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, "created_at": at.isoformat()}


def _switch_memory_on(acme: RestClient) -> None:
    assert acme.put("settings", {"memory": {"enabled": True}}).status_code == 200


def test_the_list_is_empty_until_something_is_said(bob: Visitor, acme: RestClient) -> None:
    assert "No conversations" in text_of(bob.get("conversations"))


def test_the_list_counts_and_quotes_the_last_message(bob: Visitor, kitchen: str) -> None:
    page = text_of(bob.get("conversations"))

    assert f'href="/w/{bob.workspace.slug}/conversations/{kitchen}"' in page
    assert ">28<" in page
    assert "Turn 27 about tea." in page


def test_long_lists_come_in_pages(bob: Visitor, acme: RestClient) -> None:
    for number in range(3):
        acme.post(f"conversations/talk-{number}/messages", {"role": "user", "content": "Hello."})

    first = text_of(bob.get("conversations", limit=2))

    assert "talk-2" in first
    assert "talk-0" not in first
    assert 'rel="next"' in first


def test_one_conversation_shows_its_sessions(bob: Visitor, kitchen: str) -> None:
    page = text_of(bob.get(f"conversations/{kitchen}"))

    assert page.count('class="session"') == 2
    assert "Turn 0 about the oven." in page
    assert "Turn 27 about tea." in page


def test_messages_are_paged_backwards(bob: Visitor, acme: RestClient) -> None:
    said = [_message(f"Line {n}.", utc_now() + timedelta(seconds=n)) for n in range(60)]
    acme.post("conversations/long/messages", {"messages": said})
    found = acme.get("conversations/long").json()["id"]

    newest = text_of(bob.get(f"conversations/{found}"))
    before = newest.split("?before=")[1].split('"')[0]
    earlier = text_of(bob.get(f"conversations/{found}", before=before))

    assert "Line 10." in newest
    assert "Line 9." not in newest
    assert "Line 9." in earlier
    assert "Line 10." not in earlier
    assert bob.get(f"conversations/{found}?before=nonsense").status_code == 404


def test_a_very_long_message_is_cut_until_asked_for(bob: Visitor, acme: RestClient) -> None:
    message = acme.post("conversations/long/messages", {"role": "tool", "content": "word " * 2_000 + "END"}).json()
    path = f"conversations/{message['conversation_id']}"

    assert "END" not in text_of(bob.get(path))
    assert "END" in text_of(bob.get(path, whole=message["id"]))


def test_consolidating_leaves_an_episode_with_its_sources(bob: Visitor, acme: RestClient, kitchen: str) -> None:
    _switch_memory_on(acme)

    answer = bob.client.post(bob.address(f"conversations/{kitchen}/consolidate"), follow=True)

    page = text_of(answer)
    assert "Consolidated. 8 messages became 1 episode." in page
    episode = acme.get("conversations/kitchen/episodes").json()["results"][0]
    assert "8 turns" in page
    assert all(source in page for source in episode["source_message_ids"])
    assert "Turn 0 about" not in page.split('class="split"')[1].split("Episodes</h2>")[0]
    again = bob.client.post(bob.address(f"conversations/{kitchen}/consolidate"), follow=True)
    assert "Nothing to consolidate" in text_of(again)


def test_while_memory_is_off_nothing_is_consolidated(bob: Visitor, kitchen: str) -> None:
    page = text_of(bob.get(f"conversations/{kitchen}"))

    assert "dialog-consolidate" not in page
    assert "Memory is off in this workspace" in page
    assert bob.post(f"conversations/{kitchen}/consolidate").status_code == 409


def test_ending_keeps_the_history(bob: Visitor, acme: RestClient, kitchen: str) -> None:
    page = text_of(bob.client.post(bob.address(f"conversations/{kitchen}/end"), follow=True))

    assert "Ended." in page
    assert "Turn 27 about tea." in page
    assert "dialog-end" not in page
    assert acme.get("conversations/kitchen").json()["status"] == "ended"


def test_deleting_wants_its_word_typed(bob: Visitor, acme: RestClient, kitchen: str) -> None:
    path = f"conversations/{kitchen}/delete"

    asked = bob.get(path)
    refused = bob.post(path, typed="remove")
    assert "Type <b>delete</b> to go on" in text_of(asked)
    assert (refused.status_code, acme.get("conversations/kitchen").status_code) == (422, 200)
    assert "Nothing was deleted" in text_of(refused)

    gone = bob.client.post(bob.address(path), {"typed": "delete"}, follow=True)
    assert "Deleted, with everything that hung on it." in text_of(gone)
    assert bob.get(f"conversations/{kitchen}").status_code == 404


def test_with_script_the_page_is_swapped_and_a_toast_says_what_happened(bob: Visitor, kitchen: str) -> None:
    path = f"conversations/{kitchen}"

    ended = bob.swap(f"{path}/end", at=path)
    mistyped = bob.swap(f"{path}/delete", at=path, typed="")
    deleted = bob.swap(f"{path}/delete", at=path, typed="delete")

    assert "Ended." in ended.headers["HX-Trigger"]
    assert f'"path": "{bob.address(path)}"' in ended.headers["HX-Location"]
    assert (mistyped.status_code, "<html" in text_of(mistyped)) == (422, False)
    assert f'"path": "{bob.address("conversations")}"' in deleted.headers["HX-Location"]


def test_a_viewer_sees_no_buttons_and_may_do_nothing(cast: Cast, bob: Visitor, acme: RestClient, kitchen: str) -> None:
    _switch_memory_on(acme)
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)

    page = text_of(bob.get(f"conversations/{kitchen}"))

    assert "Turn 27 about tea." in page
    for act in ACTS:
        assert f"dialog-{act}" not in page
        assert bob.get(f"conversations/{kitchen}/{act}").status_code == 403
        assert bob.post(f"conversations/{kitchen}/{act}", typed="delete").status_code == 403
    assert "Continue in Chat" not in page


def test_the_outsider_finds_none_of_it(cast: Cast, acme: RestClient, kitchen: str) -> None:
    receipt = acme.post("context", {"query": "oven"}).json()["receipt_id"]
    paths = [f"conversations/{kitchen}", f"receipts/{receipt}", *(f"conversations/{kitchen}/{act}" for act in ACTS)]

    for workspace in (cast.acme.workspace, cast.umbrella.workspace):
        charlie = Visitor.of(cast.charlie, workspace)
        assert [charlie.get(path).status_code for path in paths] == [404] * len(paths)
        assert [charlie.post(path, typed="delete").status_code for path in paths[2:]] == [404] * len(ACTS)
    assert len(acme.get("conversations/kitchen/messages?last=200").json()["results"]) == 28


def test_acts_need_the_pages_token(bob: Visitor, acme: RestClient, kitchen: str) -> None:
    bob.client.handler.enforce_csrf_checks = True

    for act in ACTS:
        assert bob.post(f"conversations/{kitchen}/{act}", typed="delete").status_code == 403


def test_a_receipt_says_why_each_item_is_in_and_reads_its_text_anew(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered("The oven is serviced in May.", kind="fact")
    memory = acme.remembered("The oven door squeaks.")
    receipt = acme.post("context", {"query": "oven"}).json()["receipt_id"]
    acme.patch(f"memories/{memory['id']}", {"content": "The oven door was oiled."})

    page = text_of(bob.get(f"receipts/{receipt}"))

    assert "The oven is serviced in May." in page
    assert "The oven door was oiled." in page
    assert "squeaks" not in page
    assert "Authoritative" in page
    for found in (fact, memory):
        assert f'href="/w/{bob.workspace.slug}/memory/{found["id"]}"' in page


def test_a_receipt_says_what_found_no_room_and_what_was_forgotten_since(bob: Visitor, acme: RestClient) -> None:
    fact = acme.remembered("The oven is serviced in May.", kind="fact")
    acme.remembered("The oven door squeaks.")
    receipt = acme.post("context", {"query": "oven", "token_budget": 1}).json()["receipt_id"]
    acme.delete(f"memories/{fact['id']}")

    page = text_of(bob.get(f"receipts/{receipt}"))

    assert "No room in the token budget" in page
    assert "The facts alone exceed the budget." in page
    assert "Forgotten since" in page


def test_a_receipt_links_things_as_well_as_memories(bob: Visitor, acme: RestClient) -> None:
    oven = acme.post("ontology/nodes", {"type": "oven", "name": "Oven two", "properties": {"city": "Oslo"}}).json()
    receipt = acme.post("context", {"query": "oven", "node_ids": [oven["id"]]}).json()["receipt_id"]

    page = text_of(bob.get(f"receipts/{receipt}"))

    assert f"/ontology/nodes/{oven['id']}" in page
    assert "oven: Oven two; city: Oslo" in page


def test_a_receipt_of_nothing_says_so(bob: Visitor, acme: RestClient) -> None:
    receipt = acme.post("context", {"query": "oven"}).json()["receipt_id"]

    assert "Nothing was recalled" in text_of(bob.get(f"receipts/{receipt}"))
    assert bob.get("receipts/0198c0de-0000-7000-8000-000000000000").status_code == 404


def test_a_receipt_reads_messages_statements_and_profiles_anew(bob: Visitor, cast: Cast, acme: RestClient) -> None:
    own = own_space(cast.bob.id)
    _switch_memory_on(acme)
    old = utc_now() - timedelta(days=60)
    told = [_message(text, old) for text in ("Which oven is it?", "The oven weighs 80 kg and costs 900 euros.")]
    acme.post("conversations/past/messages", {"messages": [told[0], {**told[1], "role": "assistant"}]})
    acme.post("conversations/past/consolidate", {"retain_last": 0})
    acme.post("conversations/kitchen/messages", _message("The oven is on the second floor.", utc_now()))
    acme.patch(f"users/{own.key}/memory", {"sections": {"Current Goals": "Replace the oven."}})
    context = acme.post("context", {"query": "oven", "user": own.key}).json()
    assert {block["name"] for block in context["blocks"]} >= {"messages", "statements", "profile"}

    page = text_of(bob.get(f"receipts/{context['receipt_id']}", space=str(own)))

    for text in ("The oven is on the second floor.", "costs 900 euros", "what is kept about the user"):
        assert text in page, text
    assert "No longer there" not in page
