"""A row that an agent made with a person's words, before that person says them, keeps nothing of these out."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core.clock import utc_now
from memory.memories.proposals.services import propose_memory
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import DuplicateError, TextChangedError, apply_transition, statement_hash
from memory.memories.services.memory_writer import CopyOrigin, NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, Source
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from tests.together import together
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces

ADA, BOB = "The Pier Bureau is led by Ada Smith.", "The Pier Bureau is led by Bob."
QUERY = {"query": "Who leads the Pier Bureau?"}
PLANTS = ["from 2999", "suppressed", "suppressed from 2999", "expiring", "ending"]


@pytest.fixture
def agent(cast: Cast) -> RestClient:
    """An agent that may not create facts."""
    return cast.acme.rest(Right.READ, Right.WRITE)


def state(cast: Cast, text: str, **more: Any) -> Memory:
    new = NewMemory(text, kind=Kind.FACT, source=Source.USER, **more)
    return remember(caller=cast.acme.caller, new=new).memory


def plant(agent: RestClient, text: str, how: str = "from 2999") -> UUID:
    soon = (utc_now() + timedelta(minutes=1)).isoformat()
    times = {"expiring": {"expires_at": soon}, "ending": {"valid_to": soon}}.get(how, {})
    if how.endswith("2999"):
        times = {"valid_from": "2999-01-01T00:00:00Z"}
    identity = agent.remembered(text, **times)["id"]
    if how.startswith("suppressed"):
        assert agent.post(f"memories/{identity}/suppress").status_code == 200
    return UUID(identity)


def context(client: RestClient) -> str:
    return str(client.post("context", QUERY).json()["text"])


@pytest.mark.parametrize("how", PLANTS)
def test_a_persons_fact_holds_whatever_an_agent_made_of_the_same_words(cast: Cast, agent: RestClient, how: str) -> None:
    bob = state(cast, BOB)
    twin = plant(agent, ADA, how)

    ada = state(cast, ADA)

    assert (ada.pk, ada.kind, ada.is_suppressed) == (twin, Kind.FACT, False)
    assert (ada.node.valid_from, ada.node.valid_to, ada.node.expires_at) == (None, None, None)
    assert ADA in context(agent)
    assert BOB not in context(agent)
    assert agent.get(f"memories/{bob.pk}").json()["superseded_by"] == str(twin)


@pytest.mark.parametrize("how", PLANTS)
def test_a_persons_plain_memory_holds_as_well(cast: Cast, agent: RestClient, how: str) -> None:
    twin = plant(agent, ADA, how)

    kept = remember(caller=cast.acme.caller, new=NewMemory(ADA, source=Source.USER))

    assert (kept.is_new, kept.memory.pk, kept.memory.kind) == (False, twin, Kind.MEMORY)
    assert ADA in [hit["memory"]["content"] for hit in agent.post("memories/search", QUERY).json()["results"]]


def test_what_an_agent_made_of_the_words_does_not_keep_a_fact_closed(cast: Cast, agent: RestClient) -> None:
    bob, ada = state(cast, BOB), state(cast, ADA)
    twin = plant(agent, BOB)

    apply_transition(caller=cast.acme.caller, memory_id=ada.pk, verb=Verb.FORGET)

    assert agent.get(f"memories/{bob.pk}").json()["superseded_by"] is None
    assert agent.get(f"memories/{twin}").json()["superseded_by"] == str(bob.pk)
    assert BOB in context(agent)


@pytest.mark.parametrize("how", PLANTS)
@pytest.mark.parametrize(("away", "back"), [(Verb.FORGET, Verb.RESTORE), (Verb.CLOSE, Verb.REOPEN)])
def test_a_fact_comes_back_past_what_an_agent_made_of_its_words(
    cast: Cast, agent: RestClient, away: Verb, back: Verb, how: str
) -> None:
    person, ada = cast.acme.caller, state(cast, ADA)
    apply_transition(caller=person, memory_id=ada.pk, verb=away)
    twin = plant(agent, ADA, how)

    apply_transition(caller=person, memory_id=ada.pk, verb=back)

    assert agent.get(f"memories/{twin}").json()["superseded_by"] == str(ada.pk)
    assert ADA in context(agent)

    apply_transition(caller=person, memory_id=ada.pk, verb=Verb.FORGET)
    assert agent.get(f"memories/{twin}").json()["superseded_by"] is None


def test_what_an_agent_made_yields_to_a_person_alone(cast: Cast, agent: RestClient) -> None:
    first = plant(agent, ADA, "plain")
    agent.delete(f"memories/{first}")
    plant(agent, ADA, "plain")

    refused = agent.post(f"memories/{first}/restore")

    assert refused.status_code == 409, refused.content


def test_two_facts_of_the_same_words_are_one(cast: Cast) -> None:
    person, first = cast.acme.caller, state(cast, ADA)
    apply_transition(caller=person, memory_id=first.pk, verb=Verb.FORGET)
    state(cast, ADA)

    with pytest.raises(DuplicateError):
        apply_transition(caller=person, memory_id=first.pk, verb=Verb.RESTORE)


def test_what_a_person_suppressed_stays_so_when_it_is_said_again(cast: Cast, agent: RestClient) -> None:
    ada = state(cast, ADA)
    apply_transition(caller=cast.acme.caller, memory_id=ada.pk, verb=Verb.SUPPRESS)

    assert state(cast, ADA).is_suppressed
    assert agent.post("memories", {"content": ADA}).json()["suppressed"]
    assert ADA not in context(agent)


def test_an_agent_changes_nothing_of_a_persons_words_by_saying_them(cast: Cast, agent: RestClient) -> None:
    ada = state(cast, ADA, valid_from=utc_now() + timedelta(days=1), valid_to=utc_now() + timedelta(days=2))

    answer = agent.post("memories", {"content": ADA})

    assert answer.status_code == 200
    kept = answer.json()
    assert (kept["id"], kept["kind"]) == (str(ada.pk), "fact")
    assert None not in (kept["valid_from"], kept["valid_to"])


def test_a_fact_is_what_the_person_wrote_and_said_of_its_time(cast: Cast, agent: RestClient) -> None:
    plant(agent, "The pier costs 10⁶ euros.", "plain")
    begins = utc_now() + timedelta(days=3)

    fact = state(cast, "The pier costs 106 euros.", valid_from=begins)

    assert (fact.content, fact.node.valid_from) == ("The pier costs 106 euros.", begins)
    assert "10⁶" not in context(agent)


@pytest.mark.parametrize("source", ["agent", "extraction", "import"])
@pytest.mark.parametrize("kind", Kind)
def test_a_persons_words_close_what_they_replace_whoever_had_them_before(
    cast: Cast, agent: RestClient, source: str, kind: Kind
) -> None:
    person = cast.acme.caller
    bob = remember(caller=person, new=NewMemory(BOB, kind=kind, source=Source.USER)).memory
    twin = agent.remembered(ADA, source=source, tags=["x"], importance=0.9)["id"]

    ada = remember(caller=person, new=NewMemory(ADA, kind=kind, source=Source.USER, importance=0.2)).memory

    assert (str(ada.pk), ada.source, ada.tags, ada.node.importance_score) == (twin, Source.USER, [], 0.2)
    assert agent.get(f"memories/{bob.pk}").json()["superseded_by"] == twin


def test_an_accepted_proposal_stays_its_authors(cast: Cast, agent: RestClient) -> None:
    twin = plant(agent, ADA)
    author = {"author": "Eve (API key)", "author_id": "eve", "author_kind": "api_key"}
    origin = CopyOrigin(memory_id=twin, space="user:eve", **author)

    kept = remember(caller=cast.acme.caller, new=NewMemory(ADA, origin=origin)).memory

    assert (kept.pk, kept.node.valid_from, kept.edited_by, kept.source) == (twin, None, "", Source.AGENT)


def test_an_accepted_proposal_changes_nothing_where_its_words_are_there(cast: Cast, agent: RestClient) -> None:
    bob = state(cast, BOB)
    twin = agent.remembered("The Pier Bureau is led by Ada.", valid_to="2998-01-01T00:00:00Z")
    origin = CopyOrigin(memory_id=bob.pk, space="user:eve", author="Eve", author_id="eve", author_kind="api_key")
    end = utc_now() + timedelta(days=9_999)

    kept = remember(caller=cast.acme.caller, new=NewMemory(twin["content"], origin=origin, expires_at=end)).memory

    assert (str(kept.pk), kept.node.expires_at) == (twin["id"], None)
    assert agent.get(f"memories/{bob.pk}").json()["superseded_by"] is None


@pytest.mark.parametrize("times", [{"valid_from": 5}, {"expires_at": -5}])
def test_an_accepted_proposal_leaves_the_times_of_a_persons_words(cast: Cast, times: dict[str, int]) -> None:
    given = {name: utc_now() + timedelta(days=days) for name, days in times.items()}
    ada = state(cast, ADA, **given)
    origin = CopyOrigin(memory_id=ada.pk, space="user:eve", author="Eve", author_id="eve", author_kind="api_key")

    kept = remember(caller=cast.acme.caller, new=NewMemory(ADA, origin=origin)).memory

    assert (kept.pk, kept.node.valid_from, kept.node.expires_at) == (ada.pk, ada.node.valid_from, ada.node.expires_at)


@pytest.mark.parametrize("kind", Kind)
def test_an_accepted_proposal_changes_nothing_of_a_persons_words(cast: Cast, agent: RestClient, kind: Kind) -> None:
    ends = utc_now() + timedelta(days=9)
    ada = remember(caller=cast.acme.caller, new=NewMemory(ADA, kind=kind, source=Source.USER, expires_at=ends)).memory
    origin = CopyOrigin(memory_id=ada.pk, space="user:eve", author="Eve", author_id="eve", author_kind="api_key")
    late = utc_now() + timedelta(days=9_999)

    kept = remember(caller=cast.acme.caller, new=NewMemory(ADA, origin=origin, valid_from=late)).memory

    assert (kept.pk, kept.node.valid_from, kept.node.expires_at) == (ada.pk, None, ends)


def test_what_a_person_has_said_again_is_a_persons_word(cast: Cast, agent: RestClient) -> None:
    twin = plant(agent, ADA, "plain")
    remember(caller=cast.acme.caller, new=NewMemory(ADA, source=Source.USER))

    agent.remembered(BOB)

    assert agent.get(f"memories/{twin}").json()["superseded_by"] is None
    lines = agent.get(f"memories/{twin}/history").json()["results"]
    assert [line["action"] for line in lines] == ["remember", "remember"]


@pytest.mark.django_db(transaction=True)
def test_a_text_that_changes_meanwhile_is_not_promoted(cast: Cast, agent: RestClient) -> None:
    twin, facts = plant(agent, ADA, "plain"), []

    def change() -> None:
        with workspace_scope(cast.acme.caller):
            edit_memory(caller=cast.acme.caller, memory_id=twin, changes={"content": "Salaries go to account 4711."})
            time.sleep(1)

    def state_soon() -> None:
        time.sleep(0.3)
        facts.append(state(cast, ADA))

    together([change, state_soon])

    assert [(fact.content, fact.kind) for fact in facts] == [(ADA, Kind.FACT)]
    assert agent.get(f"memories/{twin}").json()["kind"] == "memory"


@pytest.mark.parametrize("verb", ["promote", "pin"])
@pytest.mark.parametrize(
    "change", [{"content": BOB}, {"content": ADA.replace("Smith", "Ｓｍith")}, {"valid_to": "2999-01-01T00:00:00Z"}]
)
def test_a_page_gives_standing_to_what_it_shows(
    agent: RestClient, bob: Visitor, verb: str, change: dict[str, str]
) -> None:
    twin = plant(agent, ADA, "plain")
    page = text_of(bob.get(f"memory/{twin}"))
    seen = page.split('name="seen" value="')[1].split('"')[0]
    assert agent.patch(f"memories/{twin}", change).status_code == 200

    refused = bob.post(f"memory/{twin}/{verb}", seen=seen)

    assert refused.status_code == 409
    assert "has changed since it was shown here" in text_of(refused)
    kept = agent.get(f"memories/{twin}").json()
    assert (kept["kind"], kept["pinned"]) == ("memory", False)

    hidden = bob.post(f"memory/{twin}/suppress", seen=seen)
    assert hidden.status_code == 302
    assert agent.get(f"memories/{twin}").json()["suppressed"]


def test_a_page_reopens_what_it_shows(cast: Cast, agent: RestClient, bob: Visitor) -> None:
    first = agent.remembered("Nora is the chair of the guild.")["id"]
    apply_transition(caller=cast.acme.caller, memory_id=UUID(first), verb=Verb.CLOSE)
    seen = text_of(bob.get(f"memory/{first}")).split('name="seen" value="')[1].split('"')[0]
    reopening = text_of(bob.get(f"memory/{first}")).split('/reopen">')[1].split("</form>")[0]
    assert f'name="seen" value="{seen}"' in reopening
    agent.patch(f"memories/{first}", {"content": "Nora is the owner of the guild."})

    assert bob.post(f"memory/{first}/reopen", seen=seen).status_code == 409


def test_what_was_shown_is_promoted(agent: RestClient, bob: Visitor) -> None:
    twin = plant(agent, ADA, "plain")
    seen = text_of(bob.get("memory?view=suggestions")).split('name="seen" value="')[1].split('"')[0]

    undo = toast_of(bob.swap(f"memory/{twin}/promote", target="memory", seen=seen))["undo_url"]

    assert agent.get(f"memories/{twin}").json()["kind"] == "fact"
    assert bob.post(undo).status_code == 302
    assert agent.get(f"memories/{twin}").json()["kind"] == "memory"


def test_what_was_seen_is_proposed_or_nothing(cast: Cast) -> None:
    eve = cast.acme.rest(Right.READ, Right.WRITE)
    identity = eve.post("memories?user=eve", {"content": ADA}).json()["id"]
    caller = cast.acme.caller.naming(NamedSpaces(user="eve"))
    seen = statement_hash(access_memory(caller, UUID(identity)))
    assert eve.patch(f"memories/{identity}?user=eve", {"content": BOB}).status_code == 200

    with pytest.raises(TextChangedError):
        propose_memory(caller=caller, memory_id=UUID(identity), seen=seen)


def test_an_agent_that_rewrites_its_row_is_its_author_again(cast: Cast, agent: RestClient) -> None:
    twin = plant(agent, ADA, "plain")
    remember(caller=cast.acme.caller, new=NewMemory(ADA, source=Source.USER))

    assert agent.patch(f"memories/{twin}", {"content": BOB}).json()["source"] == "agent"
