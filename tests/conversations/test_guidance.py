"""What users asked for once and for all, and questions about names and topics: the rules behind what a search adds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest

from conversations.indexing.candidates import ID, MessageBatch
from conversations.indexing.document import Mark
from conversations.models import Message
from conversations.search.bm25 import Statistics
from conversations.search.confidence import is_answered, message_confidence
from conversations.search.query_parser import read_question
from conversations.search.ranking import favour_conversation
from conversations.search.services.message_search import RankedMessage, _with_guidance
from conversations.search.standing_instruction_candidates import (
    GUIDANCE_TERMS,
    NEWEST,
    best_candidates,
    choose_guidance,
    guidance_places,
    is_its_occasion,
    newest_places,
)
from core.english.standing_instructions import Guidance
from tests.conversations.test_ranking import _asked, _stretch


@pytest.mark.parametrize(("text", "names"), [
    ("When did Mara move to Oslo?", ["mara", "oslo"]),
    ("Mara moved when?", []),
    ("What did we say in May on a Monday?", []),
    ("What Is The Best Rye Of The Mill?", []),
    ("Welches Mehl braucht Mara morgen?", []),
    ("when did mara move to oslo?", []),
])  # fmt: skip
def test_the_names_of_a_question(text: str, names: list[str]) -> None:
    question = read_question(text)

    assert {question.terms[place] for place in question.names} == set(read_question(" ".join(names)).terms)


@pytest.mark.parametrize(("holding", "cosine", "is_found"), [
    ([3, 3], 0.69, True),  # all names are known: a little is enough
    ([3, 0], 0.69, False),  # one of the names is in no message
    ([3, 0], 0.90, True),
])  # fmt: skip
def test_an_unknown_name_makes_a_question_doubtful(holding: list[int], cosine: float, is_found: bool) -> None:
    question = read_question("Has Mara met Olav?")
    stretch = _asked(_stretch(["tea"] * 4), question).with_cosines(np.full(4, cosine))
    statistics = Statistics(np.array([holding[0], 1, holding[1]], np.float64), 9, 5.0)

    assert is_answered(message_confidence(stretch, question, statistics, np.full(4, 0.5))) is is_found


@pytest.mark.parametrize(("text", "cosine", "messages", "is_found"), [
    ("What did she plan for the mill?", 0.80, 2_000, True),
    ("What did I plan for the mill?", 0.80, 2_000, False),  # what somebody asks about themselves is said in such words
    ("What did I plan for the mill?", 0.90, 2_000, True),
    ("What did I plan with Mara?", 0.80, 2_000, True),  # a name says more
    ("What did I plan for the mill?", 0.62, 90, True),  # of few messages hardly any is as near by chance
    ("What did I plan for the mill?", 0.58, 90, False),
    ("What did I plan for the mill?", 0.56, 40, True),
    ("What did I plan with Mara?", 0.56, 40, False),  # a name brings whatever has it near
    ("What did I plan for the mill?", 0.49, 2, False),
])  # fmt: skip
def test_a_question_about_oneself_needs_more(text: str, cosine: float, messages: int, is_found: bool) -> None:
    question = read_question(text)
    stretch = _asked(_stretch(["tea"] * 4), question).with_cosines(np.full(4, cosine))
    statistics = Statistics(np.full(len(question.terms), 3.0), messages, 5.0)

    assert is_answered(message_confidence(stretch, question, statistics, np.full(4, 0.5))) is is_found


@pytest.mark.parametrize(("more", "is_found"), [
    ("", True),
    (", and what does she charge for the hour", True),  # whoever mends it may charge what is said elsewhere
    (" and how much", True),
    (" and does Tess charge for the hour", False),
])  # fmt: skip
def test_what_is_asked_next_does_not_make_a_question_doubtful(more: str, *, is_found: bool) -> None:
    question = read_question(f"Who oiled the gate{more}?")
    stretch = _asked(_stretch(["Una oiled the gate."] * 4), question).with_cosines(np.full(4, 0.36))
    statistics = Statistics(np.full(len(question.terms), 3.0), 2_000, 5.0)

    assert is_answered(message_confidence(stretch, question, statistics, np.full(4, 0.5))) is is_found


@pytest.mark.parametrize(("text", "query", "cosine", "is_its"), [
    ("Always name the mill when I ask about flour.", "Which flours can I get?", 0.1, True),
    ("Always name the mill when I ask about flour.", "What can I bake with?", 0.6, True),
    ("Always name the mill when I ask about flour.", "When does the van come?", 0.5, False),
    ("Always name the mill when I ask about flour.", "When does the van come?", float("nan"), False),
    ("Always use grams.", "When does the van come?", 0.1, True),
])  # fmt: skip
def test_the_occasion_of_an_instruction(text: str, query: str, cosine: float, is_its: bool) -> None:
    assert is_its_occasion(text, read_question(query), cosine) is is_its


def test_what_is_spread_is_looked_for_in_the_conversation_that_has_most_of_it() -> None:
    stretch = _with(_stretch(["tea"] * 4), "conversation", [1, 1, 2, 2])
    score = np.array([0.8, 0.6, 0.7, 0.0])

    favoured = favour_conversation(stretch, score)

    assert favoured[1] / score[1] > favoured[2] / score[2]
    assert (favoured <= score).all()
    assert favour_conversation(_stretch([]), np.empty(0)).tolist() == []


def test_of_many_conversations_none_is_favoured() -> None:
    stretch = _with(_stretch(["tea"] * 20), "conversation", range(20))
    score = np.full(20, 0.5)

    assert np.ptp(favour_conversation(stretch, score)) == pytest.approx(0)


def test_only_what_users_said_is_guidance() -> None:
    stretch = _stretch(["Always use rye.", "Never use rye.", "We use rye."])
    said = _with(stretch, "marks", [Mark.FROM_USER, 0, Mark.FROM_USER])

    asked = _asked(said, replace(read_question("rye"), terms=GUIDANCE_TERMS))

    assert guidance_places(asked, GUIDANCE_TERMS).tolist() == [0]


def test_the_newest_candidates_are_compared() -> None:
    stretch = _stretch(["Always use rye."] * (NEWEST + 5), days=list(range(NEWEST + 5, 0, -1)))

    assert newest_places(stretch, np.arange(NEWEST + 5)).tolist() == list(range(NEWEST))


def test_the_best_candidates_come_first() -> None:
    stretch = _stretch(["a", "b", "c"])
    stretch = replace(stretch, ids=np.frombuffer(b"".join(uuid4().bytes for _ in range(3)), ID))

    found = best_candidates(stretch, np.array([0.1, 0.9, 0.5]), stretch.ids[[0, 2]])

    assert found.tolist() == [2, 0]
    assert best_candidates(stretch, np.zeros(3), stretch.ids[:0]).tolist() == []


def test_a_few_of_each_kind_are_taken_the_best_first() -> None:
    said = [(place, "I prefer rye.") for place in range(5)]
    said += [(9, "Which rye?"), (7, "Always use rye."), (8, "Always use rye when I ask for bread.")]

    chosen = list(choose_guidance(said))

    assert chosen == [
        (0, Guidance.PREFERENCE),
        (1, Guidance.PREFERENCE),
        (2, Guidance.PREFERENCE),
        (7, Guidance.INSTRUCTION),
        (8, Guidance.CONDITIONAL),
    ]


@pytest.mark.parametrize(("limit", "best"), [(1, 1), (2, 2), (5, 3), (9, 6), (10, 6), (30, 6)])
def test_guidance_stands_behind_the_best_hits_of_a_search(limit: int, best: int) -> None:
    hits = [RankedMessage(Message(id=uuid4()), 0.9 - 0.01 * place, ["words"]) for place in range(limit)]
    rule = RankedMessage(Message(id=uuid4()), 0.95, [Guidance.INSTRUCTION])

    found = _with_guidance(hits, [rule, hits[0]])

    assert [hit.message.id for hit in found] == [hit.message.id for hit in [*hits[:best], rule, *hits[best:]][:limit]]
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_nothing_that_was_found_has_no_guidance_behind_it() -> None:
    assert _with_guidance([], [RankedMessage(Message(id=uuid4()), 0.5, [Guidance.INSTRUCTION])]) == []


def _with(stretch: MessageBatch, trait: str, values: Iterable[int]) -> MessageBatch:
    traits = stretch.traits.copy()
    traits[trait] = list(values)
    return replace(stretch, traits=traits)
