"""The rules behind message search: what a question asks for, what a sheet holds, how signals make a score."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from conversations.indexing.candidates import Floats, MessageBatch, concatenate_batches, number_names
from conversations.indexing.document import (
    POSTING,
    TRAITS,
    IndexedMessage,
    Mark,
    hash_lexeme,
    index_message,
    speaker_hash,
)
from conversations.indexing.segments import bucket_numbers, merge_bucket, pack_buckets, read_postings
from conversations.search.bm25 import message_scores, message_statistics
from conversations.search.query_parser import Question, read_question
from conversations.search.ranking import (
    best_places,
    build_statistics,
    compute_signals,
    favour_named_speakers,
    scores,
    strongest_signals,
)
from conversations.search.ranking_weights import RANKING_WEIGHTS, SIGNAL_WORDS, SignalWeights
from core.text import lexemes

MONDAY = datetime(2023, 5, 8, 10, 0, tzinfo=UTC)
SOMEWHERE = UUID(int=7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We hiked; they're hiking. She hikes!", ["hike", "hike", "hike"]),
        ("The café's crème brûlée", ["cafe", "creme", "brule"]),
        ("Don't you know 3.14?", ["know", "3.14"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("the of and", []),
    ],
)
def test_lexemes(text: str, expected: list[str]) -> None:
    assert lexemes(text) == expected


@pytest.mark.parametrize(
    ("text", "months", "years", "days"),
    [
        ("When did Ann move?", set(), set(), []),
        ("What did I buy in May 2023?", {5}, {2023}, []),
        ("Who may come?", set(), set(), []),
        ("Where were they on July 3, 2023?", {7}, {2023}, [date(2023, 7, 3)]),
        ("What was eaten on the 14th of august?", {8}, set(), [date(1, 8, 14)]),
        ("How long did February 30 last?", {2}, set(), []),
    ],
)
def test_the_dates_of_a_question(text: str, months: set[int], years: set[int], days: list[date]) -> None:
    question = read_question(text)

    assert (set(question.months), set(question.years), list(question.days)) == (months, years, days)


@pytest.mark.parametrize(
    ("text", "asks_time", "is_first_person"),
    [("When did Ann move?", True, False), ("What did I buy?", False, True), ("How long is my bed?", True, True)],
)
def test_what_else_a_question_says(text: str, asks_time: bool, is_first_person: bool) -> None:
    question = read_question(text)

    assert (question.asks_time, question.is_first_person) == (asks_time, is_first_person)


def test_words_of_the_frame_count_only_alone() -> None:
    assert set(read_question("What kind of bread?").terms) == {hash_lexeme("bread")}
    assert set(read_question("What kinds?").terms) == {hash_lexeme("kind")}


def test_a_sheet_holds_words_speaker_and_date() -> None:
    sheet = _sheet("Yesterday we baked two loaves, then two more. Shall we?", name="Ann Lee")
    postings = dict(np.frombuffer(sheet.postings, POSTING).tolist())

    assert {
        hash_lexeme(word) for word in ("bake", "loav", "ann", "lee", "may", "2023", "monday", "8")
    } <= postings.keys()
    assert postings[hash_lexeme("two")] == 2
    (traits,) = np.frombuffer(sheet.traits, TRAITS)
    assert traits["speaker"] == speaker_hash("ann")
    marks = Mark(int(traits["marks"]))
    assert marks == Mark.ASKS | Mark.TELLS_TIME | Mark.TELLS_NUMBER | Mark.TELLS_OF_SELF | Mark.FROM_USER


def test_blocks_hold_what_the_sheets_held() -> None:
    sheets = [_sheet(text) for text in ("tea and bread", "bread and bread", "nothing")]
    packed = dict(
        pack_buckets(
            traits=b"".join(sheet.traits for sheet in sheets), postings=b"".join(sheet.postings for sheet in sheets)
        )
    )
    terms = np.array([hash_lexeme("bread"), hash_lexeme("tea")], np.uint32)

    begins = np.array([0, 100])
    buckets = {number: merge_bucket([b"", packed[number]], begins=begins) for number in bucket_numbers(terms)}
    places, numbers, counts = read_postings(buckets, terms)

    assert list(zip(places.tolist(), numbers.tolist(), counts.tolist(), strict=True)) == [
        (100, 0, 1),
        (101, 0, 2),
        (100, 1, 1),
    ]


def test_bm25_is_that_of_the_textbook() -> None:
    texts = ["tea tea bread", "bread", "coffee with milk and sugar", "tea"]
    question = read_question("tea bread")
    stretch = _asked(_stretch(texts), question)
    documents = [Counter(lexemes(f"{MONDAY:%d %B %Y %A} {text}".lstrip("0"))) for text in texts]
    mean = sum(document.total() for document in documents) / len(documents)

    expected = []
    for document in documents:
        total = 0.0
        for word in ("tea", "bread"):
            holding = sum(word in other for other in documents)
            rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            longer = RANKING_WEIGHTS.k1 * (1 - RANKING_WEIGHTS.b + RANKING_WEIGHTS.b * document.total() / mean)
            total += rarity * document[word] * (RANKING_WEIGHTS.k1 + 1) / (document[word] + longer)
        expected.append(total)

    found = message_scores(stretch, question, message_statistics(stretch, question), RANKING_WEIGHTS)
    assert found == pytest.approx(expected)


def test_neighbours_are_of_the_same_session() -> None:
    stretch = _stretch(["tea", "bread", "milk"], sessions=["a", "a", "b"])
    signals = _signals(stretch, "tea and bread")

    assert signals["words_before"][1] > 0
    assert signals["words_after"][0] > 0
    assert signals["words_before"][2] == 0
    assert signals["session_best_words"][2] == 0


def test_meaning_counts_above_the_floor_and_where_it_is_known() -> None:
    stretch = _stretch(["a b", "c d", "e f"]).with_cosines(np.array([0.9, RANKING_WEIGHTS.floor, np.nan]))

    assert _signals(stretch, "x")["meaning"].tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("question", "signal", "expected"),
    [
        ("What did Ann bake?", "named_speaker", [1, 0]),
        ("What did Ann tell Ben?", "named_speaker", [0, 0]),
        ("What happened in May?", "in_month", [1, 1]),
        ("What happened in June?", "in_month", [0, 0]),
        ("What happened in 2023?", "in_month", [1, 1]),
        ("When was the bread baked?", "tells_time", [1, 0]),
        ("Who baked the bread?", "tells_time", [0, 0]),
    ],
)
def test_signals_of_circumstance(question: str, signal: str, expected: list[int]) -> None:
    stretch = _stretch(["bread, yesterday", "bread"], names=["Ann", "Ben"])

    assert _signals(stretch, question)[signal].tolist() == expected


def test_what_was_said_near_a_named_day_is_near() -> None:
    stretch = _stretch(["tea", "tea"], days=[0, 40])

    near = _signals(stretch, "What was drunk on May 8?")["near_day"]

    assert near[0] > 0.8
    assert near[1] < 0.1


def test_a_part_ranks_as_the_whole_does_when_it_knows_the_surroundings() -> None:
    talks = [_stretch(["tea and bread", "bread"]), _stretch(["coffee", "milk"]), _stretch(["bread"] * 9)]
    question = read_question("tea with bread")
    whole = _asked(concatenate_batches(talks), question)
    surroundings = build_statistics([whole], question)
    kept = np.arange(whole.size) < 2

    assert build_statistics([_asked(talk, question) for talk in talks], question).messages.total == whole.size
    all_scores, _ = scores(whole, question, surroundings, RANKING_WEIGHTS)
    part_scores, parts = scores(whole.only(kept), question, surroundings, RANKING_WEIGHTS)

    assert part_scores == pytest.approx(all_scores[:2])
    assert strongest_signals(parts, [0])[0][0] in {"words", "coverage", "session_words", "session_best_words"}


@pytest.mark.parametrize("size", [0, 1, 129, 20_000])
@pytest.mark.parametrize("different", [2, 1_000_000])
def test_the_best_places_are_those_of_a_sorted_list(size: int, different: int) -> None:
    values = np.random.default_rng(size).integers(0, different, size).astype(np.float64)

    assert best_places(values, most=100).tolist() == np.argsort(-values, kind="stable")[:100].tolist()


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_stretch_may_be_short(size: int) -> None:
    question = read_question("tea on May 8")
    stretch = _asked(_stretch(["tea"] * size), question)

    found, _ = scores(stretch, question, build_statistics([stretch], question), RANKING_WEIGHTS)

    assert len(found) == size


@pytest.mark.parametrize(("text", "expected"), [
    ("What did Mara say to Ben?", [1.0, 1.0, 0.95, 0.95, 0.9]),  # both, one, none of the named
    ("What did Ben say?", [1.0, 1.0, 0.9, 0.9, 0.9]),
    ("What did Ida say?", [0.9, 0.9, 1.0, 1.0, 0.9]),
    ("What did Zoe say?", [1.0] * 5),
    ("What has Mara baked?", [1.0, 0.9, 1.0, 0.9, 0.81]),  # a list, mostly in her own words
    ("What have Mara and Ben baked?", [1.0, 1.0, 0.95, 0.95, 0.9]),
    ("Does the ben rise?", [1.0] * 5),  # not written as a name
])  # fmt: skip
def test_conversations_in_which_the_named_ones_speak_come_before_others(text: str, expected: list[float]) -> None:
    stretch = _stretch(["Hi."] * 5, names=["Mara", "Ben", "Mara", "Ida", "Eve"])
    traits = stretch.traits.copy()
    traits["conversation"] = [1, 1, 2, 2, 3]

    found = favour_named_speakers(replace(stretch, traits=traits), read_question(text), np.ones(5))

    assert found.tolist() == pytest.approx(expected)


def _signals(stretch: MessageBatch, text: str) -> dict[str, Floats]:
    question = read_question(text)
    asked = _asked(stretch, question)
    return compute_signals(asked, question, build_statistics([asked], question), RANKING_WEIGHTS)


def _asked(stretch: MessageBatch, question: Question) -> MessageBatch:
    """With the postings of the question's terms alone, as a search reads them."""
    sought = np.isin(stretch.terms, question.terms)
    numbers = [question.terms.tolist().index(term) for term in stretch.terms[sought]]
    return replace(
        stretch,
        places=stretch.places[sought],
        terms=np.array(numbers, np.intp),
        counts=stretch.counts[sought],
    )


def _sheet(text: str, *, name: str = "", session: str = "s", at: datetime = MONDAY) -> IndexedMessage:
    return index_message(
        content=text, name=name, session=session, conversation=SOMEWHERE, said_at=at, is_from_user=True
    )


def _stretch(
    texts: list[str],
    *,
    names: list[str] | None = None,
    sessions: list[str] | None = None,
    days: list[int] | None = None,
) -> MessageBatch:
    """Messages with all of their postings."""
    count = len(texts)
    sheets = [
        _sheet(text, name=name, session=session, at=MONDAY + timedelta(days=day))
        for text, name, session, day in zip(
            texts, names or [""] * count, sessions or ["s"] * count, days or [0] * count, strict=True
        )
    ]
    traits = np.frombuffer(b"".join(sheet.traits for sheet in sheets), TRAITS)
    postings = np.frombuffer(b"".join(sheet.postings for sheet in sheets), POSTING)
    places = np.repeat(np.arange(count), traits["terms"])
    mask_sessions = number_names(traits["session"])
    terms = postings["term"].astype(np.intp)
    return MessageBatch(np.zeros(count, "V16"), traits, mask_sessions, places, terms, postings["count"])


def test_every_signal_has_words_for_the_readers_of_a_context() -> None:
    assert list(SIGNAL_WORDS) == [field.name for field in fields(SignalWeights)]
