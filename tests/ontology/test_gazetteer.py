"""Dates and kinds of names, as far as the words around them say."""

from __future__ import annotations

import pytest

from ontology.answers.gazetteer import as_date, find_dates, is_name, kind_of_name, trim_article, trim_name


@pytest.mark.parametrize(
    ("sentence", "dates"),
    [
        ("On 2023-05-07 we met.", ["2023-05-07"]),
        ("On 7 May 2023 we met.", ["2023-05-07"]),
        ("On the 7th of May, 2023 we met.", ["2023-05-07"]),
        ("On May 7, 2023 we met.", ["2023-05-07"]),
        ("On may 7th 2023 we met.", ["2023-05-07"]),
        ("In May 2023 we met.", ["2023-05"]),
        ("In May, 2023 we met.", ["2023-05"]),
        ("From 2023-05-07 to 9 June 2024.", ["2023-05-07", "2024-06-09"]),
        ("2023-05-07, that is May 7, 2023.", ["2023-05-07"]),
        ("On 29 February 2024.", ["2024-02-29"]),
        ("On 29 February 2023.", []),
        ("On 2023-13-01.", []),
        ("On 2023-02-30.", []),
        ("In May we met, and 2023 was good.", []),
        ("Room 2023-05 is free.", []),
        ("", []),
    ],
)
def test_finds_dates_each_once(sentence: str, dates: list[str]) -> None:
    assert find_dates(sentence) == dates


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2023-05-07", "2023-05-07"),
        ("May 2023", "2023-05"),
        ("7 May 2023", "2023-05-07"),
        ("on May 2023", None),
        ("", None),
    ],
)
def test_a_text_is_a_date_if_it_is_nothing_else(text: str, date: str | None) -> None:
    assert as_date(text) == date


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Ada", True),
        ("Ada Lovelace", True),
        ("Émile", True),
        ("The", False),
        ("However", False),
        ("ada", False),
        ("", False),
    ],
)
def test_a_name_is_more_than_the_first_word_of_a_sentence(text: str, is_one: bool) -> None:
    assert is_name(text) is is_one


@pytest.mark.parametrize(
    ("text", "is_first", "name"),
    [
        ("Ada's", False, "Ada"),
        ("Dr. Ada Lovelace", False, "Ada Lovelace"),
        ("Yesterday Ada", True, "Ada"),
        ("The Ritz", True, "Ritz"),
        ("Ada However", False, "Ada"),
        ("May Ellen", False, "May Ellen"),
        ("The", True, ""),
    ],
)
def test_a_name_is_trimmed_of_what_is_none(text: str, is_first: bool, name: str) -> None:
    assert trim_name(text, is_first=is_first) == name


@pytest.mark.parametrize(
    ("text", "thing"),
    [("a red car", "red car"), ("The oven", "oven"), ("their house.", "house"), ("another", "another"), ("an", "an")],
)
def test_a_thing_loses_its_article(text: str, thing: str) -> None:
    assert trim_article(text) == thing


@pytest.mark.parametrize(
    ("sentence", "name", "kind"),
    [
        ("We bought Acme Ltd last year.", "Acme Ltd", "organization"),
        ("She studied at Oslo University.", "Oslo University", "organization"),
        ("It is in Paris.", "Paris", "place"),
        ("They met on Baker Street.", "Baker Street", "place"),
        ("She moved to Wollerau.", "Wollerau", "place"),
        ("We met Ada there.", "Ada", "person"),
        ("Ada said so.", "Ada", "person"),
        ("It was Ada's birthday.", "Ada", "person"),
        ("I asked Mercury.", "Mercury", "person"),
        ("It runs on Mercury.", "Mercury", ""),
        ("Bank was closed.", "Bank", ""),
    ],
)
def test_neighbours_tell_what_bears_a_name(sentence: str, name: str, kind: str) -> None:
    start = sentence.index(name)

    assert kind_of_name(name, sentence, start, start + len(name)) == kind
