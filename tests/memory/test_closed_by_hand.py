"""A person closes a statement of an episode that is not true, and may take that back."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from core.clock import utc_now
from memory.episodes.services.manual_closures import StatementReplacedError, close_statement, reopen_statement
from memory.models import EpisodeStatement
from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, as_role, text_of, toast_of
from tests.together import together
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import own_space
from workspaces.models import AuditEvent, Role

QUESTION = "Which greyhound did Ana adopt?"
HOME = "Where does Ana live?"


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    """REST as Acme's agent, with an episode that says of Ana's dog, and two that say where she lives."""
    client = cast.acme.rest()
    client.post("memory/enable")
    tell(client, "dog", "I adopted a greyhound named Biscuit. My sister Ida plays the cello.", days_ago=60)
    tell(client, "move", "I live in Bern.", days_ago=50)
    tell(client, "moved", "I live in Oslo now.", days_ago=40)
    return client


def tell(client: RestClient, key: str, content: str, *, days_ago: int) -> None:
    """Have Ana say something that an episode keeps, and no memory."""
    at = (utc_now() - timedelta(days=days_ago)).isoformat()
    said = [content, "The oven of the harbour bakery is cold."]
    messages = [{"role": "user", "name": "Ana", "content": each, "created_at": at} for each in said]
    client.post(f"conversations/{key}/messages", {"messages": messages})
    made = client.post(f"conversations/{key}/consolidate", {"retain_last": 0, "max_age_days": 0}).json()["episodes"]
    for memory in client.get("memories").json()["results"]:
        client.delete(f"memories/{memory['id']}")
    # What its memory had closed is open now; the statements close it when they come back.
    assert client.delete(f"episodes/{made[0]['id']}").status_code == 204
    assert client.post(f"episodes/{made[0]['id']}/restore").status_code == 200


def find(cast: Cast, words: str) -> EpisodeStatement:
    with workspace_scope(cast.acme.caller):
        return EpisodeStatement.objects.get(text__contains=words)


def told(client: RestClient, query: str = QUESTION, **more: Any) -> str:
    return str(client.post("context", {"query": query} | more).json()["text"])


def events(cast: Cast) -> list[tuple[str, str, str]]:
    with workspace_scope(cast.acme.caller):
        found = AuditEvent.objects.filter(action__startswith="statement.").order_by("id")
        return list(found.values_list("action", "object_id", "actor_kind"))


def test_a_closed_statement_is_in_no_context_until_it_is_opened_again(cast: Cast, acme: RestClient) -> None:
    known, caller = find(cast, "Biscuit"), cast.acme.caller
    before = utc_now().isoformat()
    assert "Biscuit" in told(acme)

    closed = close_statement(caller=caller, statement_id=known.pk)

    assert closed.is_closed_by_hand
    assert "Biscuit" not in told(acme)
    assert "cello" in told(acme, "What does Ida play?"), "Of the same message."
    assert "Biscuit" in told(acme, as_of=before)
    assert "Biscuit" in told(acme, known_at=before)
    reopen_statement(caller=caller, statement_id=known.pk)
    assert "Biscuit" in told(acme)
    assert find(cast, "Biscuit").valid_to is None
    assert events(cast) == [(f"statement.{verb}", str(known.pk), "user") for verb in ("closed", "reopened")]


def test_a_second_time_changes_nothing(cast: Cast, acme: RestClient) -> None:
    known, caller = find(cast, "Biscuit"), cast.acme.caller

    first, second = (close_statement(caller=caller, statement_id=known.pk) for _ in range(2))
    assert (first.superseded_at, first.valid_to) == (second.superseded_at, second.valid_to)
    for _ in range(2):
        assert reopen_statement(caller=caller, statement_id=known.pk).superseded_at is None

    assert len(events(cast)) == 2


def test_what_something_newer_replaced_is_neither_closed_nor_opened_by_hand(cast: Cast, acme: RestClient) -> None:
    replaced = find(cast, "Bern")
    assert replaced.superseded_by_id == find(cast, "Oslo").pk

    for change in (close_statement, reopen_statement):
        with pytest.raises(StatementReplacedError):
            change(caller=cast.acme.caller, statement_id=replaced.pk)

    assert find(cast, "Bern").superseded_by_id == find(cast, "Oslo").pk
    assert events(cast) == []


def test_what_it_had_replaced_holds_again_also_after_its_episode_was_restored(cast: Cast, acme: RestClient) -> None:
    wrong, caller = find(cast, "Oslo"), cast.acme.caller
    assert "Bern" not in told(acme, HOME)

    close_statement(caller=caller, statement_id=wrong.pk)
    assert acme.delete(f"episodes/{wrong.episode_id}").status_code == 204
    assert acme.post(f"episodes/{wrong.episode_id}/restore").status_code == 200

    assert ("Bern" in told(acme, HOME), "Oslo" in told(acme, HOME)) == (True, False)
    assert find(cast, "Oslo").is_closed_by_hand
    reopen_statement(caller=caller, statement_id=wrong.pk)
    assert ("Bern" in told(acme, HOME), "Oslo" in told(acme, HOME)) == (False, True)


def test_one_that_is_opened_is_closed_by_what_came_meanwhile(cast: Cast, acme: RestClient) -> None:
    known, caller = find(cast, "Oslo"), cast.acme.caller
    close_statement(caller=caller, statement_id=known.pk)
    tell(acme, "again", "I live in Turin now.", days_ago=30)

    opened = reopen_statement(caller=caller, statement_id=known.pk)

    assert opened.superseded_by_id == find(cast, "Turin").pk
    assert "Oslo" not in told(acme, HOME)


def test_no_change_of_a_memory_or_of_another_episode_opens_it(cast: Cast, acme: RestClient) -> None:
    known = find(cast, "Oslo")
    close_statement(caller=cast.acme.caller, statement_id=known.pk)
    closed = find(cast, "Oslo")

    memory = acme.remembered("Ana lives in Turin now.")
    acme.patch(f"memories/{memory['id']}", {"content": "Ana lives in Malmö now."})
    acme.post(f"memories/{memory['id']}/close")
    acme.post(f"memories/{memory['id']}/reopen")
    acme.delete(f"memories/{memory['id']}")
    acme.post(f"memories/{memory['id']}/restore")
    acme.delete(f"episodes/{find(cast, 'Bern').episode_id}")
    acme.post(f"episodes/{find(cast, 'Bern').episode_id}/restore")
    tell(acme, "again", "I live in Turin now.", days_ago=30)
    acme.delete("conversations/again")

    now = find(cast, "Oslo")
    assert (now.superseded_at, now.valid_to, now.successor_id) == (closed.superseded_at, closed.valid_to, None)


@pytest.mark.django_db(transaction=True)
def test_two_at_once_close_it_once(cast: Cast, acme: RestClient) -> None:
    known = find(cast, "Biscuit").pk

    both = together([lambda: close_statement(caller=cast.acme.caller, statement_id=known) for _ in range(2)])

    assert both[0].superseded_at == both[1].superseded_at
    assert [action for action, _, _ in events(cast)] == ["statement.closed"]


def test_an_answer_that_tells_it_is_not_given_once_more(cast: Cast, acme: RestClient) -> None:
    def ask() -> Answer:
        headers = {"Authorization": f"Bearer {acme.secret}", "Idempotency-Key": "once"}
        path = f"/v1/workspaces/{acme.workspace_id}/chat"
        asked = {"conversation": "asking", "message": QUESTION}
        return Client().post(path, asked, content_type="application/json", headers=headers)

    assert "Biscuit" in ask().json()["message"]["content"]

    close_statement(caller=cast.acme.caller, statement_id=find(cast, "Biscuit").pk)

    again = ask()
    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")


def address(statement_id: UUID, verb: str) -> str:
    return f"statements/{statement_id}/{verb}"


@pytest.mark.parametrize("verb", ["close", "reopen"])
def test_viewers_outsiders_and_other_spaces_change_nothing(cast: Cast, acme: RestClient, verb: str) -> None:
    known = find(cast, "Biscuit")
    if verb == "reopen":
        close_statement(caller=cast.acme.caller, statement_id=known.pk)
    before, path = find(cast, "Biscuit"), address(known.pk, verb)
    bob, viewer = Visitor.of(cast.bob, cast.acme.workspace), as_role(cast, Role.VIEWER)

    assert viewer.post(path).status_code == 403
    as_role(cast, Role.MEMBER)
    for workspace in (cast.acme.workspace, cast.umbrella.workspace):
        assert Visitor.of(cast.charlie, workspace).post(path).status_code == 404
    assert bob.post(f"{path}?space={own_space(cast.bob.id)}").status_code == 403
    assert bob.post(address(uuid4(), verb)).status_code == 404
    assert bob.get(path).status_code == 405

    assert find(cast, "Biscuit").superseded_at == before.superseded_at


def test_people_close_and_delete_what_is_of_their_own_space(cast: Cast, acme: RestClient) -> None:
    """The addresses of statements and episodes keep the space of the page."""
    alice, space = Visitor.of(cast.alice, cast.acme.workspace), own_space(cast.alice.id)
    at = (utc_now() - timedelta(days=20)).isoformat()
    messages = [{"role": "user", "content": f"I bought a {thing}.", "created_at": at} for thing in ("harp", "lute")]
    acme.post("conversations/mine/messages", {"messages": messages, "space": str(space)})
    acme.post("conversations/mine/consolidate", {"retain_last": 0, "max_age_days": 0, "space": str(space)})
    with workspace_scope(cast.acme.caller.within(space.id)):
        known = EpisodeStatement.objects.get(text__contains="harp")
    page = f"conversations/{known.conversation_id}"
    shown = text_of(alice.get(page, space=str(space)))
    forms = [form for form in re.findall(r'action="([^"]+)"', shown) if "/statements/" in form or "/episodes/" in form]

    answers = [alice.post(unescape(form)) for form in forms]

    assert {answer.status_code for answer in answers} == {302}
    assert len(forms) == 2


def test_a_statement_of_a_deleted_episode_is_not_there(cast: Cast, acme: RestClient) -> None:
    alice, known = Visitor.of(cast.alice, cast.acme.workspace), find(cast, "Biscuit")
    acme.delete(f"episodes/{known.episode_id}")

    assert alice.post(address(known.pk, "close")).status_code == 404
    assert address(known.pk, "close") not in text_of(alice.get(f"conversations/{known.conversation_id}"))


def test_a_member_closes_and_opens_it_on_the_page_of_the_conversation(cast: Cast, acme: RestClient) -> None:
    bob, known = Visitor.of(cast.bob, cast.acme.workspace), find(cast, "Biscuit")
    page, close, reopen = (
        f"conversations/{known.conversation_id}", address(known.pk, "close"), address(known.pk, "reopen")
    )  # fmt: skip
    assert f'action="{bob.address(close)}"' in text_of(bob.get(page))

    answer = bob.swap(close, at=page, target=f"episode-{known.episode_id}")

    fragment = text_of(answer)
    assert fragment.strip().startswith(f'<li class="moment episode" id="episode-{known.episode_id}"')
    assert '<details class="sources" open>' in fragment
    assert "closed: it is not true" in fragment
    assert "Closed." in toast_of(answer)["text"]
    assert toast_of(answer)["undo_target"] == f"#episode-{known.episode_id}"
    assert toast_of(answer)["undo_url"] == bob.address(reopen)
    undone = bob.swap(toast_of(answer)["undo_url"], at=page, target=f"episode-{known.episode_id}")
    assert "closed: it is not true" not in text_of(undone)
    assert "Reopened." in toast_of(undone)["text"]
    viewer = as_role(cast, Role.VIEWER)
    assert close not in text_of(viewer.get(page))


def test_it_works_without_script(cast: Cast, acme: RestClient) -> None:
    bob, known = Visitor.of(cast.bob, cast.acme.workspace), find(cast, "Biscuit")
    page = f"conversations/{known.conversation_id}"

    closed = bob.post(address(known.pk, "close"))

    assert (closed.status_code, closed["Location"]) == (302, f"{bob.address(page)}#statement-{known.pk}")
    shown = text_of(bob.get(page))
    assert "Closed. No context holds this statement" in shown
    assert f'action="{bob.address(address(known.pk, "reopen"))}"' in shown
    assert bob.post(address(known.pk, "reopen")).status_code == 302
    assert not find(cast, "Biscuit").is_closed_by_hand


def test_what_is_replaced_has_no_button_and_is_refused_with_a_reason(cast: Cast, acme: RestClient) -> None:
    bob, replaced = Visitor.of(cast.bob, cast.acme.workspace), find(cast, "Bern")

    page = text_of(bob.get(f"conversations/{replaced.conversation_id}"))
    answers = [bob.post(address(replaced.pk, verb)) for verb in ("close", "reopen")]

    assert "replaced by something newer" in page
    assert address(replaced.pk, "close") not in page
    assert [answer.status_code for answer in answers] == [409, 409]
    assert "Something newer has replaced this statement" in text_of(answers[0])
