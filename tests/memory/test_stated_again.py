"""What is stated or let out again next to what came meanwhile: one of both is current."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import Cast, RestClient
from workspaces.access.callers import Right

VEGETARIAN, MEAT = "Anna is vegetarian.", "Anna eats meat again."
OLD_NUMBER, NEW_NUMBER = "Anna's phone number is 555-1234.", "Anna's phone number has changed to 555-9876."


@pytest.fixture
def agent(cast: Cast) -> RestClient:
    """An agent that may not create facts."""
    return cast.acme.rest()


def current(client: RestClient) -> list[str]:
    every = client.get("memories").json()["results"]
    return [each["content"] for each in every if not each["superseded_at"]]


def test_the_same_text_again_closes_what_had_closed_it(agent: RestClient) -> None:
    for text in (VEGETARIAN, MEAT, VEGETARIAN):
        agent.remembered(text)
        assert current(agent) == [text]


def test_so_it_is_through_several_steps(agent: RestClient) -> None:
    for text in (VEGETARIAN, MEAT, "Anna has become a vegan.", VEGETARIAN):
        agent.remembered(text)

    assert current(agent)[0] == VEGETARIAN
    assert MEAT not in current(agent)


def test_an_agent_closes_no_fact_by_saying_it_again(cast: Cast, agent: RestClient) -> None:
    agent.remembered(VEGETARIAN)
    agent.remembered(MEAT, kind="fact")

    cast.acme.rest(Right.READ, Right.WRITE).remembered(VEGETARIAN)

    assert set(current(agent)) == {VEGETARIAN, MEAT}


def test_what_is_let_out_again_was_replaced_meanwhile(agent: RestClient) -> None:
    old: dict[str, Any] = agent.remembered(OLD_NUMBER)
    agent.post(f"memories/{old['id']}/suppress")
    agent.remembered(NEW_NUMBER)

    agent.post(f"memories/{old['id']}/unsuppress")

    assert current(agent) == [NEW_NUMBER]


def test_what_was_opened_by_hand_stays_open_when_it_is_let_out(agent: RestClient) -> None:
    old: dict[str, Any] = agent.remembered(OLD_NUMBER)
    agent.remembered(NEW_NUMBER)
    for verb in ("reopen", "suppress", "unsuppress"):
        assert agent.post(f"memories/{old['id']}/{verb}").status_code == 200

    assert set(current(agent)) == {OLD_NUMBER, NEW_NUMBER}
