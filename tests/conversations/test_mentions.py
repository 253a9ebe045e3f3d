"""How the hits for an order of events and for a summary follow each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from conversations.indexing.candidates import MessageBatch
from conversations.indexing.document import Mark
from conversations.search.mentions import arrange_hits
from conversations.search.query_parser import read_question
from conversations.search.ranking_weights import RANKING_WEIGHTS
from tests.conversations.test_ranking import _stretch

# Two sessions of a chat: question, answer, question, answer; question, answer.
SESSIONS = (0, 0, 0, 0, 1, 1)
SCORES = (0.9, 0.8, 0.7, 0.1, 0.5, 0.6)


@pytest.mark.parametrize(("text", "places"), [
    ("Where did I buy the shoes?", [0, 1, 2, 5, 4, 3]),
    ("In which order did I mention the shoes?", [0, 4, 2, 1, 5, 3]),
    ("In which order were the shoes mentioned?", [0, 5, 1, 2, 4, 3]),
    ("Summarise how the shoes were chosen.", [0, 1, 2, 3, 4, 5]),
])  # fmt: skip
def test_hits_are_arranged_for_what_is_asked(text: str, places: list[int]) -> None:
    score = np.array(SCORES)
    best = sorted(range(6), key=lambda at: -SCORES[at])

    arranged = arrange_hits(_chat(), best, score, read_question(text))

    assert list(arranged) == places
    assert list(arranged.values()) == sorted(arranged.values(), reverse=True), "Scores never rise."


def test_an_answer_comes_with_its_question_whatever_it_says() -> None:
    arranged = arrange_hits(_chat(), [3], np.array(SCORES), read_question("Give me a summary of the shoes."))

    assert arranged == {2: 0.1, 3: 0.1}


def test_without_an_assistant_there_is_no_exchange() -> None:
    talk = _with_users(_stretch(["shoes"] * 3), [True] * 3)

    assert list(arrange_hits(talk, [1], np.array([0.1, 0.9, 0.1]), read_question("Summarise the shoes."))) == [1]


def test_of_a_topic_each_message_speaks_for_itself() -> None:
    alone = RANKING_WEIGHTS.of_topic.weights

    assert (alone.session_words, alone.session_best_words, alone.session_best_meaning) == (0, 0, 0)
    assert alone.meaning == RANKING_WEIGHTS.weights.meaning


def _chat() -> MessageBatch:
    chat = _with_users(_stretch(["shoes"] * 6), [True, False] * 3)
    return replace(chat, sessions=np.array(SESSIONS))


def _with_users(batch: MessageBatch, is_user: list[bool]) -> MessageBatch:
    traits = batch.traits.copy()
    traits["marks"] = [Mark.FROM_USER if user else 0 for user in is_user]
    return replace(batch, traits=traits)
