"""What a text tells of things and how they hang together: names, organisations, places, dates, relations. Pure.

By rules, for workspaces without a model. What the rules do not understand is left alone, because a wrong node is worse
than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.text import normalise, split_sentences
from ontology.answers.gazetteer import (
    BEINGS,
    NAME,
    PLACES,
    RELATIONS,
    RelationSlot,
    as_date,
    find_dates,
    is_name,
    kind_of_name,
    trim_article,
    trim_name,
)

MAX_MENTIONS = 200
# Of a "sentence" that is longer, which has no full stop where one is due, the beginning is read.
MAX_SENTENCE_CHARACTERS = 2_000
# A relation was said like this, and the rule may have misread it; a name that only looks like one says less; and
# the person behind "she" was guessed.
OF_RELATION, OF_MARKED_NAME, OF_BARE_NAME, GUESSED = 0.6, 0.6, 0.4, 0.75
# How a line of a transcript begins.
SAYS = re.compile(rf"^(?:\[[^\]]{{0,80}}\] )?(?P<who>{NAME.pattern}): ")
SAID_BEFORE = "and"
PRONOUN = re.compile(r"(?i:he|she|they)\b")
FIRST_PERSON = re.compile(r"(?:I|we|We)\b")
SEPARATOR = re.compile(r",? and |, ")


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing that the text names; `confidence` is 0 to 1."""

    type: str
    name: str
    confidence: float
    aliases: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Equal for mentions of the same thing."""
        return self.type, normalise(self.name)


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed relation between two mentions, with what else was said of it."""

    type: str
    source: Mention
    target: Mention
    confidence: float
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extract:
    """What was found in a text. Every end of a relation is among the mentions."""

    mentions: Sequence[Mention] = ()
    relations: Sequence[Relation] = ()


def extract_by_rules(text: str, *, speaker: str = "") -> Extract:
    """Return the things and relations that the rules find; `speaker` is who says "I" in the text, if that is known."""
    reading = _Reading(speaker)
    for sentence in split_sentences(text.replace("’", "'")):
        reading.read(sentence[:MAX_SENTENCE_CHARACTERS])
        if len(reading.mentions) >= MAX_MENTIONS:
            break
    return resolve_mentions(Extract(reading.mentions, reading.relations))


def resolve_mentions(extract: Extract) -> Extract:
    """Each thing and each relation once: the surest type of a name wins, and a first name stands for the full one."""
    by_name: dict[str, Mention] = {}
    for mention in extract.mentions:
        name = normalise(mention.name)
        known = by_name.get(name)
        if known is None or mention.confidence > known.confidence:
            by_name[name] = mention
    _join_first_names(by_name)
    relations: dict[tuple[str, str, str], Relation] = {}
    for relation in extract.relations:
        source, target = (by_name[normalise(end.name)] for end in (relation.source, relation.target))
        key = (relation.type, normalise(source.name), normalise(target.name))
        if source is not target and (key not in relations or relation.confidence > relations[key].confidence):
            relations[key] = replace(relation, source=source, target=target)
    mentions = tuple(dict.fromkeys(by_name.values()))
    return Extract(mentions[:MAX_MENTIONS], tuple(relations.values()))


def _join_first_names(by_name: dict[str, Mention]) -> None:
    """Make "Ada" an alias of "Ada Lovelace" where the text has only one person with that first name."""
    persons = [mention for mention in by_name.values() if mention.type == "person"]
    for short in [mention for mention in persons if " " not in mention.name]:
        full = [mention for mention in persons if mention.name.startswith(f"{short.name} ")]
        if len(full) == 1:
            joined = replace(
                full[0],
                aliases=(*full[0].aliases, short.name),
                confidence=max(full[0].confidence, short.confidence),
            )
            for name in [name for name, mention in by_name.items() if mention in {full[0], short}]:
                by_name[name] = joined


class _Reading:
    """Goes through a text sentence by sentence; remembers who was spoken of last."""

    def __init__(self, speaker: str) -> None:
        self.mentions: list[Mention] = []
        self.relations: list[Relation] = []
        self._speaker = speaker
        self._persons: list[Mention] = []

    def read(self, sentence: str) -> None:
        when = find_dates(sentence)
        for date in when:
            self._add(Mention("date", date, OF_MARKED_NAME))
        if says := SAYS.match(sentence):
            sentence = sentence[says.end() :]
            self._speaker = trim_name(says["who"], is_first=True)
        self._read_names(sentence)
        self._read_relations(sentence, when)

    def _read_names(self, sentence: str) -> None:
        for match in NAME.finditer(sentence):
            name = trim_name(match[0], is_first=match.start() == 0)
            kind = kind_of_name(name, sentence, match.start(), match.end()) if name else ""
            if kind:
                self._add(Mention(kind, name, OF_MARKED_NAME if kind != "person" else OF_BARE_NAME))

    def _read_relations(self, sentence: str, when: Sequence[str]) -> None:
        found = [(match, rule) for rule in RELATIONS for match in rule.pattern.finditer(sentence)]
        subjects: list[tuple[Mention, float]] = []
        for match, rule in sorted(found, key=lambda each: each[0].start()):
            if match["subject"] != SAID_BEFORE:
                subjects = list(self._subjects(match["subject"], rule.subject))
            objects = list(_objects(match["object"], rule.object))
            said = {"date": when[0]} if len(when) == 1 and rule.may_be_dated else {}
            self._relate(rule.type, subjects, objects, said)

    def _relate(
        self, type_: str, subjects: Iterable[tuple[Mention, float]], objects: Sequence[Mention], said: dict[str, Any]
    ) -> None:
        for subject, sureness in subjects:
            for thing in objects:
                self._add(subject)
                self._add(thing)
                self.relations.append(Relation(type_, subject, thing, round(OF_RELATION * sureness, 4), said))

    def _subjects(self, text: str, slot: RelationSlot) -> Iterator[tuple[Mention, float]]:
        """Yield who a relation speaks of, and how sure that is: names, the speaker for "I", or the only person so
        far."""
        if FIRST_PERSON.fullmatch(text):
            if self._speaker:
                yield Mention("person", self._speaker, OF_RELATION), 1.0
        elif PRONOUN.fullmatch(text):
            if len({person.key for person in self._persons}) == 1:
                yield self._persons[-1], GUESSED
        else:
            for part in SEPARATOR.split(text):
                name = trim_name(part, is_first=True)
                if name and is_name(name):
                    yield Mention(_fitting(name, slot), name, OF_RELATION), 1.0

    def _add(self, mention: Mention) -> None:
        self.mentions.append(mention)
        if mention.type == "person":
            self._persons = [*(each for each in self._persons if each.key != mention.key), mention]


def _objects(text: str, slot: RelationSlot) -> Iterator[Mention]:
    for part in SEPARATOR.split(text):
        name = trim_name(part, is_first=False) if slot.is_named else trim_article(part)
        if name and as_date(name) is None and (is_name(name) or not slot.is_named):
            yield Mention(_fitting(name, slot), name, OF_RELATION)


def _fitting(name: str, slot: RelationSlot) -> str:
    """Return the type that a place in a relation asks for, unless the name itself says something else."""
    said = BEINGS.get(name.rpartition(" ")[2].lower(), "") or ("place" if name.lower() in PLACES else "")
    return said if said in slot.types else slot.types[0]
