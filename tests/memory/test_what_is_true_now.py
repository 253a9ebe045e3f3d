"""A memory that replaces an older one closes it: what is recalled, at which time, and how it opens again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

import mcp_server.tools  # noqa: F401  # fills the registry
from mcp_server.registry import TOOLS
from memory.extraction.rules import ExtractedStatement
from memory.extraction.services.keep import KeepOutcome, keep_once
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, remember
from memory.memories.transitions import Verb
from memory.models import EpisodeStatement, Source
from ontology.models import Edge
from tests.cast import Cast, Household, RestClient
from tests.memory.test_episodes import consolidate
from workspace_memory.cli.memories import search as search_command
from workspace_memory.request_fields import ContextFields, Filters
from workspaces.access.callers import Right, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import SHARED

ROME, OSLO, PARIS = "Anna lives in Rome.", "Anna has moved to Oslo.", "Anna lives in Paris now."
LIVES = "Anna lives moved Rome Oslo Paris"


@pytest.fixture
def agent(cast: Cast) -> RestClient:
    """An agent that may not create facts."""
    return cast.acme.rest(Right.READ, Right.WRITE)


def read(client: RestClient, memory: dict[str, Any]) -> dict[str, Any]:
    return dict(client.get(f"memories/{memory['id']}").json())


def context(client: RestClient, **more: Any) -> str:
    answer = client.post("context", {"query": LIVES, **more})
    assert answer.status_code == 200, answer.content
    return str(answer.json()["text"])


def found(client: RestClient, **more: Any) -> list[str]:
    answer = client.post("memories/search", {"query": LIVES, **more})
    assert answer.status_code == 200, answer.content
    return [hit["memory"]["content"] for hit in answer.json()["results"]]


def listed(client: RestClient, **more: Any) -> list[str]:
    return [each["content"] for each in client.get("memories", **more).json()["results"]]


def test_a_newer_value_closes_the_older_one(agent: RestClient) -> None:
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)

    closed = read(agent, rome)
    assert closed["superseded_by"] == oslo["id"]
    assert closed["valid_to"] == oslo["created_at"] == closed["superseded_at"]
    assert found(agent) == [OSLO]
    text = context(agent)
    assert ROME not in text
    assert f"{OSLO} (since {oslo['created_at'][:10]})" in text
    assert read(agent, oslo)["superseded_by"] is None


def test_the_history_says_by_whom_and_by_what(agent: RestClient) -> None:
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)

    step = agent.get(f"memories/{rome['id']}/history").json()["results"][0]

    assert step["action"] == "supersede"
    assert step["by_kind"] == "api_key"
    assert step["before"] == {"valid_to": None, "superseded_by": oslo["id"]}


def test_another_time_has_another_answer(agent: RestClient) -> None:
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)

    for name in ("as_of", "known_at"):
        assert found(agent, **{name: rome["created_at"]}) == [ROME]
        assert found(agent, **{name: oslo["created_at"]}) == [OSLO]
        assert listed(agent, **{name: rome["created_at"]}) == [ROME]
        assert ROME in (then := context(agent, **{name: rome["created_at"]}))
        assert OSLO not in then


def test_when_it_was_true_and_when_it_was_learned_are_two_times(agent: RestClient) -> None:
    """Anna moved in March, which was learned in November."""
    rome = agent.remembered(ROME, valid_from="2025-01-01T00:00:00Z")
    agent.remembered(OSLO, valid_from="2026-03-04T00:00:00Z")

    assert read(agent, rome)["valid_to"] == "2026-03-04T00:00:00Z"
    assert f"{OSLO} (since 2026-03-04)" in context(agent)
    assert found(agent, as_of="2026-02-01T00:00:00Z") == [ROME]
    assert found(agent, as_of="2026-06-01T00:00:00Z") == [OSLO]
    assert found(agent, as_of="2026-06-01T00:00:00Z", known_at=rome["created_at"]) == [ROME]


def test_a_plan_closes_nothing_until_its_day(agent: RestClient) -> None:
    rome = agent.remembered(ROME)
    plan = agent.remembered("Anna will move to Oslo next month.")
    assert read(agent, rome)["superseded_by"] is None
    agent.delete(f"memories/{plan['id']}")

    agent.remembered(OSLO, valid_from="2126-01-01T00:00:00Z")

    assert read(agent, rome)["valid_to"] == "2126-01-01T00:00:00Z"
    assert found(agent) == [ROME]
    assert found(agent, as_of="2126-02-01T00:00:00Z") == [OSLO]


def test_an_old_value_that_is_stated_again_is_current_again(agent: RestClient) -> None:
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)

    again = agent.post("memories", {"content": ROME})

    assert again.status_code == 201
    assert again.json()["id"] != rome["id"]
    assert read(agent, oslo)["superseded_by"] == again.json()["id"]
    assert found(agent) == [ROME]
    assert found(agent, as_of=oslo["created_at"]) == [OSLO]


def test_extraction_folds_nothing_into_what_is_over(cast: Cast) -> None:
    agent = cast.acme.rest(Right.READ, Right.WRITE)
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)
    extractor = system_caller(cast.acme.workspace.id, "extraction").within(SHARED.id)
    said = ExtractedStatement(ROME, "fact", 0.5, 0.6)

    assert keep_once(caller=extractor, found=said) == KeepOutcome.ADDED

    assert read(agent, oslo)["superseded_by"] not in {None, rome["id"]}
    assert found(agent) == [ROME]


def test_what_comes_in_late_is_closed_by_what_is_newer(cast: Cast) -> None:
    agent = cast.acme.rest()
    oslo = agent.remembered(OSLO)
    old = NewMemory(ROME, source=Source.IMPORT, created_at=oslo_before(oslo))

    late = remember(caller=cast.acme.caller, new=old).memory
    again = remember(caller=cast.acme.caller, new=old)

    assert str(late.superseded_by_id) == oslo["id"]
    assert found(agent) == [OSLO]
    assert not again.is_new
    assert again.memory.pk == late.pk


def oslo_before(oslo: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(oslo["created_at"]) - timedelta(days=10)


def test_a_person_says_that_it_is_still_true(agent: RestClient) -> None:
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)

    opened = agent.post(f"memories/{rome['id']}/reopen")

    assert opened.status_code == 200
    assert opened.json()["superseded_by"] is None
    assert opened.json()["valid_to"] is None
    assert sorted(found(agent)) == sorted([ROME, OSLO])
    assert agent.post(f"memories/{rome['id']}/reopen").status_code == 200
    closed = agent.post(f"memories/{rome['id']}/close").json()
    assert closed["superseded_by"] == oslo["id"]
    assert closed["valid_to"] == oslo["created_at"]


def test_closing_by_hand_needs_no_successor(agent: RestClient) -> None:
    rome = agent.remembered(ROME)

    closed = agent.post(f"memories/{rome['id']}/close").json()

    assert closed["superseded_by"] is None
    assert closed["superseded_at"] is not None
    assert found(agent) == []
    assert found(agent, known_at=rome["created_at"]) == [ROME]


def test_reopening_next_to_the_same_text_is_refused(agent: RestClient) -> None:
    rome = agent.remembered(ROME)
    agent.remembered(OSLO)
    agent.remembered(ROME)

    assert agent.post(f"memories/{rome['id']}/reopen").json()["code"] == "duplicate"


def test_forgetting_what_closed_it_opens_it(agent: RestClient) -> None:
    rome, oslo = agent.remembered(ROME), agent.remembered(OSLO)

    agent.delete(f"memories/{oslo['id']}")
    assert found(agent) == [ROME]
    assert read(agent, rome)["superseded_by"] is None

    agent.post(f"memories/{oslo['id']}/restore")
    assert found(agent) == [OSLO]


def test_forgetting_the_middle_of_three_leaves_the_newest(agent: RestClient) -> None:
    rome, oslo, paris = agent.remembered(ROME), agent.remembered(OSLO), agent.remembered(PARIS)

    agent.delete(f"memories/{oslo['id']}")

    assert found(agent) == [PARIS]
    assert read(agent, rome)["superseded_by"] == paris["id"]


def test_an_edit_closes_and_opens(agent: RestClient) -> None:
    rome, other = agent.remembered(ROME), agent.remembered("Anna likes the sea.")

    agent.patch(f"memories/{other['id']}", {"content": OSLO})
    assert found(agent) == [OSLO]

    agent.patch(f"memories/{other['id']}", {"content": "Anna likes the sea."})
    assert ROME in found(agent)
    assert read(agent, rome)["superseded_by"] is None


def test_another_end_takes_the_closing_back(agent: RestClient) -> None:
    rome = agent.remembered(ROME)
    agent.remembered(OSLO)

    edited = agent.patch(f"memories/{rome['id']}", {"valid_to": None}).json()

    assert edited["superseded_by"] is None
    assert ROME in found(agent)


def test_another_end_takes_no_closing_of_a_person_back(cast: Cast, agent: RestClient) -> None:
    rome = agent.remembered(ROME)
    apply_transition(caller=cast.acme.caller, memory_id=UUID(rome["id"]), verb=Verb.CLOSE)

    assert agent.post(f"memories/{rome['id']}/reopen").status_code == 403
    assert agent.patch(f"memories/{rome['id']}", {"valid_to": None}).status_code == 403
    assert read(agent, rome)["superseded_at"] is not None
    assert agent.patch(f"memories/{rome['id']}", {"tags": ["home"]}).status_code == 200
    assert cast.acme.rest().patch(f"memories/{rome['id']}", {"valid_to": None}).status_code == 200


def test_a_closed_memory_can_be_forgotten_and_restored(agent: RestClient) -> None:
    rome = agent.remembered(ROME)
    agent.remembered(OSLO)

    agent.delete(f"memories/{rome['id']}")
    restored = agent.post(f"memories/{rome['id']}/restore")

    assert restored.status_code == 200
    assert restored.json()["superseded_by"]
    assert found(agent) == [OSLO]


@pytest.mark.parametrize("hidden", ["suppress", "forget"])
def test_what_is_hidden_is_left_alone(agent: RestClient, hidden: str) -> None:
    rome = agent.remembered(ROME)
    agent.delete(f"memories/{rome['id']}") if hidden == "forget" else agent.post(f"memories/{rome['id']}/{hidden}")

    agent.remembered(OSLO)

    assert read(agent, rome)["superseded_by"] is None


def test_another_space_is_left_alone(agent: RestClient) -> None:
    rome = agent.remembered(ROME)

    agent.remembered(OSLO, user="anna")

    assert read(agent, rome)["superseded_by"] is None


def contradictions(household: Household) -> list[tuple[UUID, UUID]]:
    with workspace_scope(household.caller):
        edges = Edge.objects.of(household.caller).filter(type="contradicts")
        return list(edges.values_list("source_id", "target_id"))


@pytest.mark.parametrize("governed", ["fact", "pinned", "of a person"])
def test_an_agent_only_notes_that_something_governed_may_be_over(cast: Cast, governed: str) -> None:
    trusted, agent = cast.acme.rest(), cast.acme.rest(Right.READ, Right.WRITE)
    if governed == "of a person":
        rome = {"id": str(remember(caller=cast.acme.caller, new=NewMemory(ROME, source=Source.USER)).memory.pk)}
    else:
        rome = trusted.remembered(ROME, kind="fact" if governed == "fact" else "memory")
    if governed == "pinned":
        trusted.post(f"memories/{rome['id']}/pin")

    oslo = agent.remembered(OSLO)

    assert read(agent, rome)["superseded_by"] is None
    assert contradictions(cast.acme) == [(UUID(oslo["id"]), UUID(rome["id"]))]
    trusted.remembered(PARIS)
    assert read(agent, rome)["superseded_by"] is not None


def test_extraction_closes_no_fact(cast: Cast) -> None:
    rome = cast.acme.rest().remembered(ROME, kind="fact")
    extractor = system_caller(cast.acme.workspace.id, "extraction").within(SHARED.id)

    keep_once(caller=extractor, found=ExtractedStatement(OSLO, "fact", 0.5, 0.6))

    assert read(cast.acme.rest(), rome)["superseded_by"] is None
    assert contradictions(cast.acme)


def said(client: RestClient, *lines: tuple[str, str], key: str = "talk") -> list[dict[str, Any]]:
    messages = [{"role": "user", "name": "Anna", "content": text, "created_at": at} for text, at in lines]
    assert client.post(f"conversations/{key}/messages", {"messages": messages}).status_code == 201
    return [
        each for episode in consolidate(client, key=key, retain_last=0)["episodes"] for each in episode["statements"]
    ]


def test_statements_close_each_other(cast: Cast) -> None:
    client = cast.acme.rest()
    client.post("memory/enable")
    lines = [
        ("I live in Rome.", "2023-05-01T09:00:00Z"),
        ("What a wonderful and long day that was, thanks a lot to all of you for everything!", "2023-05-01T09:01:00Z"),
        ("Wow, that is great to hear, and good luck with everything that you do, my dear!", "2023-05-01T09:02:00Z"),
        ("I moved to Oslo last week.", "2023-09-01T09:00:00Z"),
    ]

    statements = {each["text"]: each for each in said(client, *lines)}

    old = next(each for text, each in statements.items() if "Rome" in text)
    new = next(each for text, each in statements.items() if "Oslo" in text)
    assert old["superseded_by"] == new["id"]
    assert old["valid_to"] == "2023-09-01T09:00:00Z"
    assert "Rome" not in context(client)
    assert "Rome" in context(client, as_of="2023-06-01T00:00:00Z")


def test_a_memory_closes_statements_and_lets_them_go(cast: Cast) -> None:
    client = cast.acme.rest()
    client.post("memory/enable")
    said(client, ("I live in Rome, near the river.", "2023-05-01T09:00:00Z"), ("What a day!", "2023-05-01T09:01:00Z"))
    oslo = client.remembered("Anna moved to Oslo.")

    def closed() -> list[str]:
        with workspace_scope(cast.acme.caller):
            rows = EpisodeStatement.objects.of(cast.acme.caller).exclude(superseded_by_memory=None)
            return [str(each.superseded_by_memory_id) for each in rows]

    assert closed() == [oslo["id"]]
    client.delete(f"memories/{oslo['id']}")
    assert closed() == []


def test_every_door_asks_for_another_time() -> None:
    both = {"as_of", "known_at"}

    for tool in ("memory.recall", "memory.list", "context.assemble"):
        assert both <= set(TOOLS[tool].arguments.fields), tool
    assert both <= Filters.__annotations__.keys()
    assert both <= ContextFields.__annotations__.keys()
    assert both <= {option.name for option in search_command.params}


def test_a_question_in_the_words_of_what_is_over_finds_what_is_current(agent: RestClient) -> None:
    """Through as many replacements as there were."""
    agent.remembered("Anna works at Brightwater as an accountant.")
    agent.remembered("Anna quit Brightwater and joined Quantica.")
    oslo = agent.remembered("Anna has left Quantica for Ferrovia.")

    answer = agent.post("context", {"query": "Anna works at Brightwater as an accountant"}).json()

    assert [item["id"] for block in answer["blocks"] for item in block["items"]] == [oslo["id"]]
    assert "Brightwater" not in answer["text"]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The garden gate is broken.", "Uncle Ben repaired the garden gate."),  # two words in common
        ("Halcyon is privately held.", "Halcyon listed on the stock exchange on Thursday."),  # one
    ],
)
def test_what_no_frame_reads_is_compared_as_well(agent: RestClient, older: str, newer: str) -> None:
    """However many newer memories share no word with it."""
    first = agent.remembered(older)
    for number in range(45):
        agent.remembered(f"Shelf {number} holds jam.")

    second = agent.remembered(newer)

    assert read(agent, first)["superseded_by"] == second["id"]


def test_what_may_be_a_replacement_is_noted_and_both_stay(cast: Cast, acme: RestClient) -> None:
    broken = acme.remembered("The door is broken.")
    repaired = acme.remembered("The cellar door was repaired.")

    assert contradictions(cast.acme) == [(UUID(repaired["id"]), UUID(broken["id"]))]
    assert acme.get(f"memories/{broken['id']}").json()["superseded_by"] is None
