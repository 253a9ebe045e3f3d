"""What people tell of themselves for long survives its messages, with and without what leads into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from core.text.tokens import count_tokens
from llm.embedding.services.backlog import embed_for_a_while
from memory.episodes.statement_coverage import find_untold
from memory.episodes.statement_selection import draw_statements
from memory.extraction.rules import extract_by_rules
from tests.cast import Cast, RestClient
from tests.memory.lasting_facts import CHATTER, PEOPLE, REPLIES, LastingFact

AT = "2026-03-09T19:{minute:02}:00Z"


@dataclass(frozen=True)
class Said:
    role: str
    content: str
    name: str
    created_at: datetime = datetime(2026, 3, 9, 19, tzinfo=UTC)


@pytest.mark.parametrize("has_lead", [False, True])
def test_lasting_facts_are_statements_and_proposed_as_memories(has_lead: bool) -> None:
    lost, not_proposed, untold, taken, replaced = [], [], list[str](), 0, 0
    for person, facts in PEOPLE.items():
        talk = [Said(role, text, person if role == "user" else "") for role, text in _talk(facts, has_lead=has_lead)]
        statements = draw_statements(talk)
        memories = extract_by_rules([each for each in talk if each.role == "user"])
        lost += [fact.said for fact in facts if not any(_has_answer(each.text, fact) for each in statements)]
        not_proposed += [fact.said for fact in facts if not any(_has_answer(each.content, fact) for each in memories)]
        untold += [talk[place].content for place in find_untold(talk, statements)]
        taken += sum(each.tokens for each in statements)
        replaced += sum(count_tokens(each.content) for each in talk)

    assert len(lost) <= 6, lost
    assert len(not_proposed) <= 6, not_proposed
    chatter = {said for said, _ in CHATTER}
    assert len([said for said in untold if said not in chatter]) <= 6, untold
    # Two thirds of what these people say lasts; of ordinary talk statements take a third.
    assert taken < 0.4 * replaced


@pytest.mark.usefixtures("memory_on")
@pytest.mark.parametrize("people", [["Ruth"], pytest.param(list(PEOPLE), marks=pytest.mark.slow, id="everyone")])
def test_lasting_facts_are_found_by_other_words_once_no_message_is_left(
    cast: Cast, acme: RestClient, people: Sequence[str]
) -> None:
    for person in people:
        _consolidate(acme, person)
    assert embed_for_a_while(workspace_id=cast.acme.caller.workspace_id, seconds=120)[1]

    facts = [(person, fact) for person in people for fact in PEOPLE[person]]
    lost = [fact.question for person, fact in facts if not _has_answer(_context(acme, person, fact.question), fact)]

    assert len(facts) == 12 * len(people)
    assert len(lost) <= len(facts) // 10, lost


def _consolidate(acme: RestClient, person: str) -> None:
    """Have a person talk to an assistant, and make episodes of all of it."""
    lines = [
        {"role": role, "content": text, "created_at": AT.format(minute=minute)}
        for minute, (role, text) in enumerate(_talk(PEOPLE[person], has_lead=True))
    ]
    for line in lines[::2]:
        line["name"] = person
    place = {"user": person.lower()}
    assert acme.post("conversations/evening/messages", {"messages": lines, **place}).status_code == 201
    request = {"retain_last": 0, "max_age_days": 0, **place}
    assert acme.post("conversations/evening/consolidate", request).json()["turns"] == len(lines)


def _talk(facts: Sequence[LastingFact], *, has_lead: bool) -> Iterator[tuple[str, str]]:
    """Yield a talk in which two thirds of what is said lasts."""
    chatter = iter(CHATTER)
    for number, fact in enumerate(facts):
        if number % 3 != 2:
            said, reply = next(chatter)
            yield "user", said
            yield "assistant", reply
        yield "user", fact.message(has_lead=has_lead)
        yield "assistant", REPLIES[number % len(REPLIES)]


def _context(acme: RestClient, person: str, question: str) -> str:
    asked = {"query": question, "user": person.lower(), "conversation": "morning", "token_budget": 1_024}
    answer: dict[str, Any] = acme.post("context", asked).json()
    return str(answer["text"])


def _has_answer(text: str, fact: LastingFact) -> bool:
    return all(word.casefold() in text.casefold() for word in fact.answer)
