"""The rules that find things and relations in a text, as a table of cases."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.answers.entity_rules import Extract, Mention, Relation, extract_by_rules, resolve_mentions

Named = set[tuple[str, str]]
Told = set[tuple[str, str, str]]


def named(extract: Extract) -> Named:
    return {(mention.type, mention.name) for mention in extract.mentions}


def told(extract: Extract) -> Told:
    return {(one.source.name, one.type, one.target.name) for one in extract.relations}


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("Ada Lovelace works at Acme.", {("Ada Lovelace", "works_at", "Acme")}),
        ("Ada works as a lead engineer for Acme Corp.", {("Ada", "works_at", "Acme Corp")}),
        ("Ada is an engineer at Acme.", {("Ada", "works_at", "Acme"), ("Ada", "is_a", "engineer")}),
        ("Ada joined Acme in May 2023.", {("Ada", "works_at", "Acme")}),
        ("Ada is the CEO of Acme.", {("Ada", "leads", "Acme")}),
        ("Ada lives in Oslo.", {("Ada", "lives_in", "Oslo")}),
        ("Ada recently moved to New York City.", {("Ada", "lives_in", "New York City")}),
        ("Ada was born in Turin.", {("Ada", "born_in", "Turin")}),
        ("Acme is based in Oslo.", {("Acme", "located_in", "Oslo")}),
        ("Ada studied physics at Uppsala University.", {("Ada", "studies_at", "Uppsala University")}),
        ("Ada is married to Bob.", {("Ada", "married_to", "Bob")}),
        ("Ada met Charles Babbage.", {("Ada", "knows", "Charles Babbage")}),
        ("Labs Ltd is a subsidiary of Acme.", {("Labs Ltd", "part_of", "Acme"), ("Labs Ltd", "is_a", "subsidiary")}),
        ("Acme uses Redis, Kafka and PostgreSQL.", {("Acme", "uses", x) for x in ("Redis", "Kafka", "PostgreSQL")}),
        ("Ada bought a red bicycle for the summer.", {("Ada", "owns", "red bicycle")}),
        ("Ada is a mathematician.", {("Ada", "is_a", "mathematician")}),
        ("Ada and Bob work at Acme.", {("Ada", "works_at", "Acme"), ("Bob", "works_at", "Acme")}),
        ("Ada lives in Oslo and works at Acme.", {("Ada", "lives_in", "Oslo"), ("Ada", "works_at", "Acme")}),
        ("Ada works at Acme. She lives in Oslo.", {("Ada", "works_at", "Acme"), ("Ada", "lives_in", "Oslo")}),
        ("Ada met Bob. She lives in Oslo.", {("Ada", "knows", "Bob")}),
        ("She lives in Oslo.", set()),
        ("I live in Oslo.", set()),
        ("Ada: I live in Oslo.", {("Ada", "lives_in", "Oslo")}),
        ("[1 May 2023] Ada: I live in Oslo.", {("Ada", "lives_in", "Oslo")}),
        ("Yesterday Ada joined Acme.", {("Ada", "works_at", "Acme")}),
        ("Ada is a big fan of Acme.", set()),
        ("Does anybody work at the weekend?", set()),
        ("The build uses too much memory.", set()),
        ("", set()),
    ],
)
def test_relations_are_read_from_plain_sentences(text: str, relations: Told) -> None:
    assert told(extract_by_rules(text)) == relations


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("We met at Stanford University.", {("organization", "Stanford University")}),
        ("The trip to Reykjavik was long.", {("place", "Reykjavik")}),
        ("It is due on 2023-05-07.", {("date", "2023-05-07")}),
        ("It is due on 7 May 2023, or May 9th, 2023.", {("date", "2023-05-07"), ("date", "2023-05-09")}),
        ("It happened in May 2023.", {("date", "2023-05")}),
        ("It is due on 31 February 2023.", set()),
        ("I talked with my manager Priya about it.", {("person", "Priya")}),
        ("Dr. Smith told us.", {("person", "Smith")}),
        ("Great weather today. Thanks for your help!", set()),
        ("Please restart the API.", set()),
    ],
)
def test_things_are_named_without_a_relation(text: str, things: Named) -> None:
    assert named(extract_by_rules(text)) == things


def test_who_says_i_may_be_told() -> None:
    assert told(extract_by_rules("I live in Oslo.", speaker="Ada")) == {("Ada", "lives_in", "Oslo")}


def test_the_only_date_of_a_sentence_belongs_to_its_relation() -> None:
    (relation,) = extract_by_rules("Ada joined Acme in May 2023.").relations
    assert relation.properties == {"date": "2023-05"}


def test_a_guess_is_less_sure_than_a_name() -> None:
    sure, guessed = extract_by_rules("Ada works at Acme. She lives in Oslo.").relations
    assert 0 < guessed.confidence < sure.confidence < 1


def test_a_first_name_stands_for_the_full_one() -> None:
    extract = extract_by_rules("Ada Lovelace works at Acme. Ada lives in Oslo.")
    (person,) = [mention for mention in extract.mentions if mention.type == "person"]
    assert (person.name, person.aliases) == ("Ada Lovelace", ("Ada",))
    assert told(extract) == {("Ada Lovelace", "works_at", "Acme"), ("Ada Lovelace", "lives_in", "Oslo")}


def test_a_first_name_of_two_people_stands_for_none() -> None:
    extract = extract_by_rules("Ada Byron met Ada Lovelace. Ada lives in Oslo.")
    assert {name for _, name in named(extract)} == {"Ada Byron", "Ada Lovelace", "Ada", "Oslo"}


def test_of_two_types_the_surer_one_stays() -> None:
    ada, other = Mention("person", "Ada", 0.9), Mention("place", "ada", 0.2)
    acme = Mention("organization", "Acme", 0.5)
    extract = resolve_mentions(Extract([ada, other, acme], [Relation("works_at", other, acme, 0.5)]))
    assert named(extract) == {("person", "Ada"), ("organization", "Acme")}
    assert told(extract) == {("Ada", "works_at", "Acme")}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    extract = extract_by_rules(text)
    assert {one for relation in extract.relations for one in (relation.source, relation.target)} <= set(
        extract.mentions
    )


@pytest.mark.parametrize(
    "piece",
    ["Ada and ", "A" * 20 + " ", "Ada uses x, ", "Ada works as a x ", "in May ", "and ", "I'm a ", "A-", "A&", "A.a'"],
)
def test_a_hostile_text_takes_no_more_than_a_moment(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    started = time.process_time()
    extract_by_rules(text)
    assert time.process_time() - started < 10  # well below one second here; what was quadratic took minutes
