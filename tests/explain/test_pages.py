"""The place Explain: contexts of every agent, one of them, running it again, runs, the search lab."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import ContextReceipt
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import own_space
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

QUESTION = "Who delivers the flour, and when?"
MARKUP = "<script>alert(1)</script> flour & <b>bold</b>"


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def flour(acme: RestClient) -> dict[str, Any]:
    acme.remembered("The lighthouse tour starts at noon.")
    return acme.remembered("Flour is delivered by the northern mill on Tuesdays.")


def _receipt(rest: RestClient, **fields: Any) -> str:
    return str(rest.post("context", {"query": QUESTION, **fields}).json()["receipt_id"])


def _failed_run(rest: RestClient, conversation: str, *, status: str = "failed", output: str = "") -> str:
    run = rest.post("runs", {"agent": "clerk", "conversation": conversation}).json()["id"]
    rest.post(f"runs/{run}/finish", {"status": status, "output": output})
    return str(run)


def test_the_list_has_contexts_of_every_agent(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _receipt(acme, conversation="tickets/4")
    run = _failed_run(acme, "tickets/4")

    page = text_of(bob.get("explain"))

    assert f"/receipts/{receipt}" in page
    assert f"/explain/runs/{run}" in page
    assert "tickets/4" in page
    assert "Failed" in page
    assert "No contexts yet" not in page
    assert "No contexts yet" in text_of(bob.get("explain", space=str(own_space(bob_id(bob)))))


def test_a_context_of_which_nothing_is_known_is_listed_by_what_it_held(
    bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    _receipt(acme)
    assert "held “Flour is delivered by the northern mill on Tuesdays.”" in text_of(bob.get("explain"))

    acme.post(f"memories/{flour['id']}/suppress")

    assert "held “Flour" not in text_of(bob.get("explain"))


@pytest.mark.parametrize("page", ["home", "review", "explain", "memory"])
def test_an_empty_page_of_the_shared_space_leads_to_the_others(bob: Visitor, acme: RestClient, page: str) -> None:
    assert bob.address("spaces") in text_of(bob.get(page)).split("in a space of its own")[1][:200]
    assert "in a space of its own" not in text_of(bob.get(page, space=str(own_space(bob_id(bob)))))


def bob_id(visitor: Visitor) -> Any:
    """The id of the person who is signed in."""
    return visitor.client.session["_auth_user_id"]


def test_a_context_links_memory_run_and_origin(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _receipt(acme, conversation="tickets/4")
    run = _failed_run(acme, "tickets/4")

    page = text_of(bob.get(f"receipts/{receipt}"))

    assert flour["content"] in page
    assert f'href="/w/{bob.workspace.slug}/memory/{flour["id"]}"' in page
    assert f"/explain/runs/{run}" in page
    assert "The text itself was not kept" in page


def test_lists_name_contexts_and_runs_by_words_and_not_by_ids(
    bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    """The chat names its conversation by an id."""
    acme.post("chat", {"conversation": "tickets/4", "message": QUESTION})
    known = acme.get("conversations/tickets%2F4").json()["id"]
    unknown = "01a21ec4-3b02-76c3-ae73-06efe319b395"
    _receipt(acme, conversation=unknown)
    _failed_run(acme, unknown)
    _failed_run(acme, known)

    contexts, runs = text_of(bob.get("explain")), text_of(bob.get("explain/runs"))
    memory = text_of(bob.get(f"memory/{flour['id']}"))

    assert f"{QUESTION} <a" in contexts
    assert f'title="Conversation {known}">tickets/4</a>' in contexts
    assert f'title="Conversation {unknown}">…{unknown[-8:]}</a>' in contexts
    assert f'title="{known}">tickets/4</span>' in runs
    assert f'title="{unknown}">…{unknown[-8:]}</span>' in runs
    in_contexts = memory[memory.index('id="contexts"') : memory.index('id="citing"')]
    assert QUESTION in in_contexts
    assert (known in in_contexts, unknown in in_contexts) == (False, False)
    chips = re.findall(r'class="chip"[^>]*>(.*?)</a>', text_of(bob.get("explain", conversation=known)), re.DOTALL)
    assert [chip.strip()[:9] for chip in chips][-1] == "tickets/4", chips


def test_a_kept_context_is_shown_as_the_model_got_it(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    acme.put("settings", {"memory": {"keep_contexts": True}})
    receipt = _receipt(acme)

    page = text_of(bob.get(f"receipts/{receipt}"))

    assert QUESTION in page
    assert f"[mem:{flour['id']}]" in page
    assert "Where the tokens went" in page


def test_suppressing_from_a_context_shows_what_it_would_be_without(
    bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    receipt = _receipt(acme)

    answer = bob.swap(f"receipts/{receipt}/rerun", query=QUESTION, suppress=flour["id"])

    page = text_of(answer)
    assert answer.status_code == 200
    assert "Suppressed." in page
    assert "−1 out" in page
    assert acme.get(f"memories/{flour['id']}").json()["suppressed"] is True
    undone = text_of(bob.swap(f"receipts/{receipt}/rerun", query=QUESTION, unsuppress=flour["id"]))
    assert "Unsuppressed. The same things are in it." in " ".join(undone.split())


def test_editing_from_a_context_shows_what_it_would_say(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _receipt(acme)
    said = "Flour is delivered by the southern mill on Fridays."

    fields = {"query": QUESTION, "edit": flour["id"], f"content-{flour['id']}": said}
    page = text_of(bob.post(f"receipts/{receipt}/rerun", **fields))

    assert "Saved." in page
    assert said in page
    assert acme.get(f"memories/{flour['id']}").json()["content"] == said


def test_what_was_edited_there_is_found_by_what_it_means_at_once(
    bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    receipt, said = _receipt(acme), "Automobiles are repaired by the garage behind the station."

    fields = {"query": "Who mends my car?", "edit": flour["id"], f"content-{flour['id']}": said}
    bob.post(f"receipts/{receipt}/rerun", **fields)

    assert acme.get(f"memories/{flour['id']}").json()["pending_embedding"] is False


def test_running_again_works_without_script_and_keeps_nothing(
    cast: Cast, bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    receipt = _receipt(acme)

    page = text_of(bob.post(f"receipts/{receipt}/rerun", query=QUESTION, without=flour["id"]))

    assert "+0 in, −1 out" in page
    assert "<html" in page
    with workspace_scope(cast.acme.caller):
        assert ContextReceipt.objects.count() == 1


def test_without_a_question_it_says_that_one_is_needed(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _receipt(acme)

    for answer in (bob.post(f"receipts/{receipt}/rerun"), bob.swap(f"receipts/{receipt}/rerun")):
        assert answer.status_code == 422
        assert "does not keep its question" in text_of(answer)


def test_a_suppression_without_a_question_is_said_and_can_be_undone(
    bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    address = f"receipts/{_receipt(acme)}/rerun"
    wanted = [
        f'name="unsuppress" value="{flour["id"]}" data-key="undo-suppress"',
        f'name="unsuppress" value="{flour["id"]}" data-key="unsuppress-{flour["id"]}"',
        "Suppressed since",
        "does not keep its question",
    ]

    answers = bob.swap(address, suppress=flour["id"]), bob.post(address, suppress=flour["id"])

    for answer in answers:
        assert answer.status_code == 200
        page = text_of(answer)
        assert [each for each in wanted if each not in page] == []
        assert f'data-key="suppress-{flour["id"]}"' not in page
    undone = text_of(bob.swap(address, unsuppress=flour["id"]))
    assert "Unsuppressed." in undone
    assert f'data-key="suppress-{flour["id"]}"' in undone
    assert "undo-suppress" not in undone


def test_a_run_shows_what_it_was_given_and_what_it_cited(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _receipt(acme, conversation="tickets/4")
    run = _failed_run(acme, "tickets/4", status="succeeded", output=f"On Tuesdays [mem:{flour['id']}].")
    later = _receipt(acme, conversation="tickets/4")

    page = text_of(bob.get(f"explain/runs/{run}"))

    assert f"/receipts/{receipt}" in page
    assert f"/receipts/{later}" not in page
    assert flour["content"] in page
    assert "was in none of these contexts" not in page
    assert f"/explain/runs/{run}" in text_of(bob.get("explain/runs", status="succeeded"))
    assert f"/explain/runs/{run}" not in text_of(bob.get("explain/runs", status="failed"))


def test_a_memory_says_in_which_contexts_it_was_and_how_they_ended(
    bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    for number, status in enumerate(("failed", "failed", "succeeded")):
        receipt = _receipt(acme, conversation=f"tickets/{number}")
        _failed_run(acme, f"tickets/{number}", status=status)

    page = text_of(bob.get(f"memory/{flour['id']}"))

    assert "In 2 failed and 1 good runs." in page
    assert f"/receipts/{receipt}" in page
    assert f"/explain?memory={flour['id']}" in page


def test_an_answer_of_any_agent_leads_to_its_context(bob: Visitor, acme: RestClient, flour: dict[str, Any]) -> None:
    acme.post("conversations/tickets/messages", {"role": "user", "content": QUESTION})
    receipt = _receipt(acme, conversation="tickets")
    acme.post("conversations/tickets/messages", {"role": "assistant", "content": "On Tuesdays."})
    conversation = acme.get("conversations/tickets").json()["id"]

    page = text_of(bob.get(f"conversations/{conversation}"))

    assert f'class="message-why" href="/w/{bob.workspace.slug}/receipts/{receipt}"' in page
    assert "/explain?conversation=" in page


def test_the_search_lab_shows_arms_what_was_folded_and_raw_json(
    cast: Cast, bob: Visitor, acme: RestClient, flour: dict[str, Any]
) -> None:
    page = text_of(bob.get("explain/search", q=QUESTION, mode="keyword", token_budget="500"))

    assert flour["content"] in page
    assert "Raw JSON" in page
    assert "&quot;receipt_id&quot;" not in page
    raw = text_of(bob.get("explain/search", q=QUESTION, mode="keyword", token_budget="500", raw="true"))
    assert "&quot;receipt_id&quot;: null" in raw
    with workspace_scope(cast.acme.caller):
        assert ContextReceipt.objects.count() == 0
    assert bob.get("explain/search", q=QUESTION, token_budget="nonsense").status_code == 422


@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_look_and_only_writers_may_change(
    cast: Cast, acme: RestClient, bob: Visitor, flour: dict[str, Any], role: Role
) -> None:
    receipt = _receipt(acme, conversation="c-1")
    run = _failed_run(acme, "c-1")
    if role != Role.OWNER:
        add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    visitor = Visitor.of(cast.alice, cast.acme.workspace) if role == Role.OWNER else bob

    for path in ("explain", f"receipts/{receipt}", "explain/runs", f"explain/runs/{run}", "explain/search"):
        assert visitor.get(path).status_code == 200, path
    assert visitor.post(f"receipts/{receipt}/rerun", query=QUESTION).status_code == 200
    changed = visitor.post(f"receipts/{receipt}/rerun", query=QUESTION, suppress=flour["id"])

    is_viewer = role == Role.VIEWER
    assert changed.status_code == (422 if is_viewer else 200)
    assert acme.get(f"memories/{flour['id']}").json()["suppressed"] is not is_viewer
    assert ('name="suppress"' in text_of(visitor.get(f"receipts/{receipt}"))) is False


def test_the_outsider_and_other_spaces_find_none_of_it(
    cast: Cast, acme: RestClient, bob: Visitor, flour: dict[str, Any]
) -> None:
    receipt, hers = _receipt(acme, conversation="c-1"), _receipt(acme, user="42")
    run = _failed_run(acme, "c-1")

    for workspace in (cast.acme.workspace, cast.umbrella.workspace):
        charlie = Visitor.of(cast.charlie, workspace)
        for path in (f"receipts/{receipt}", f"explain/runs/{run}"):
            assert charlie.get(path).status_code == 404
        assert charlie.post(f"receipts/{receipt}/rerun", query=QUESTION).status_code == 404
    assert bob.get(f"receipts/{hers}").status_code == 404
    assert hers not in text_of(bob.get("explain"))


def test_hostile_contents_are_text(bob: Visitor, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"keep_contexts": True}})
    memory = acme.remembered(MARKUP)
    receipt = acme.post("context", {"query": f"flour {MARKUP}", "conversation": "<i>c</i>"}).json()["receipt_id"]
    run = acme.post("runs", {"agent": "<u>clerk</u>", "conversation": "<i>c</i>"}).json()["id"]

    answers = [bob.get(path) for path in ("explain", f"receipts/{receipt}", "explain/runs", f"explain/runs/{run}")]
    answers.append(bob.get("explain/search", q=MARKUP))
    answers.append(bob.swap(f"receipts/{receipt}/rerun", query=MARKUP, suppress=memory["id"]))

    for answer in answers:
        assert answer.status_code == 200
        for raw in ("<script>alert", "<b>bold", "<i>c", "<u>clerk"):
            assert raw not in text_of(answer)


@pytest.mark.parametrize("path", ["explain", "explain/runs"])
def test_lists_ask_a_fixed_number_of_queries(bob: Visitor, acme: RestClient, flour: dict[str, Any], path: str) -> None:
    def made(number: int) -> int:
        for each in range(number):
            _receipt(acme, conversation=f"c-{number}-{each}")
            _failed_run(acme, f"c-{number}-{each}")
        with CaptureQueriesContext(connection) as queries:
            assert bob.get(path).status_code == 200
        return len(queries)

    made(1)
    assert made(2) == made(7)


@pytest.mark.parametrize("page", ["receipt", "lab"])
def test_a_long_context_shows_its_first_rows_and_leads_to_all(bob: Visitor, acme: RestClient, page: str) -> None:
    for number in range(27):
        acme.remembered(f"Locker {number:03d} belongs to the bakery.", kind="fact")
    receipt = acme.post("context", {"query": "Which locker is whose?"}).json()["receipt_id"]
    address = f"receipts/{receipt}" if page == "receipt" else "explain/search?q=Which+locker+is+whose%3F"

    shown = text_of(bob.client.get(bob.address(address)))
    assert len(set(re.findall(r"Locker \d+", shown))) == 25
    assert "2 more, in the same block." in shown
    more = re.search(r'<a href="([^"]+)">Show all', shown)
    assert more
    link = unescape(more[1])
    whole = text_of(bob.client.get(link if link.startswith("/") else f"{bob.address('explain/search')}{link}"))

    assert len(set(re.findall(r"Locker \d+", whole))) == 27
    assert "Show all" not in whole
