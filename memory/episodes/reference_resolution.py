"""What a statement points at, named in it: a picture, a place, a person, or the sentence before. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.english.salience import WORTH_KEEPING, salience
from memory.episodes.sentence_analysis import is_talk, points_back
from memory.episodes.sentence_references import THERE, find_pointed_noun, is_person, named_places, only_person
from memory.episodes.sentence_subjects import defines
from memory.episodes.statement_kinds import StatementKind, classify
from memory.episodes.statement_turns import HeardSentence, SpokenMessage, topic_sentence
from memory.episodes.unresolved_references import find_unresolved
from memory.episodes.untold_scenes import lacks_scene
from memory.episodes.untold_things import find_untold

MIN_WORDS_NAMING = 3  # of a sentence that names what another one points at
SENTENCES_BEFORE = 6  # in which a place or a person is looked for
_SEEN = re.compile(r"(?i)photo|image|picture|video|file|document|link|attach")
PICTURE = re.compile(r"(?i)\b(?:photo|picture|pic|image)")
# What a sentence calls the picture that it goes with.
_PICTURED = re.compile(r"(?i)\b(?:this|these|that|it|here|(?:this|that) one|photo|pic|picture)\b(?!['’]s been)")
_MADE = re.compile(r"(?i)\b(?:made|painted|drew|took|bought|got|love|loved|baked|cooked|built|wrote|designed) it\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class StatementSource:
    """The sentences that a statement is made of, and what their message says before."""

    sentences: Sequence[str]
    before: Sequence[str] = ()

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def resolve_references(statement: str, *, turn: SpokenMessage, source: StatementSource) -> str:
    """Return a statement with what it points at; '' where nothing tells what that is."""
    pointing = find_unresolved(source.text)
    untold = find_untold(source.text) if turn.is_of_people else None
    if not pointing and not untold:
        return statement
    pointing = pointing or (untold.words if untold else "")
    noun = _noun_to_find(turn, source)
    is_looked_for = noun or is_person(pointing) or THERE.search(statement)
    said = _earlier_sentences(turn, source) if is_looked_for else []
    found = (
        _with_picture(statement, pointing, turn=turn, source=source)
        or _with_place(statement, said, turn=turn)
        or _with_person(statement, pointing, said, turn=turn, source=source)
        or _with_topic(statement, noun, said, turn=turn, source=source)
    )
    if found:
        return found
    # "It was a race for beginners along the coast" tells what it is.
    is_told = defines(source.sentences[0]) and not find_unresolved(source.text, known="a thing")
    return statement if is_told else ""


def with_scene(statement: str, *, turn: SpokenMessage, source: StatementSource) -> str:
    """Return a statement behind what its speaker last said of an event; '' where it goes on with what is not found."""
    mine = [each for each in turn.heard if each.speakers == turn.speakers]
    said = [*mine, *(HeardSentence(each, turn.speakers, turn.said_at) for each in source.before)]
    scene = next((each.retold for each in reversed(said[-SENTENCES_BEFORE:]) if _is_scene(each)), "")
    if scene:
        return f'About "{scene}": {statement}'
    others = takewhile(lambda each: each.speakers != turn.speakers, reversed(turn.heard))
    goes_on = any(not is_talk(each) for each in source.before) or any(each.text.endswith("?") for each in others)
    return "" if goes_on or points_back(source.text) else statement


def _is_scene(said: HeardSentence) -> bool:
    if salience(said.text) < WORTH_KEEPING or is_talk(said.text) or said.text[-1:] == "?":
        return False
    is_event = classify(said.retold) == StatementKind.EVENT or _YEAR.search(said.retold)
    return bool(is_event) and not (lacks_scene(said.text) or points_back(said.text) or _points(said.retold))


def _with_picture(statement: str, pointing: str, *, turn: SpokenMessage, source: StatementSource) -> str:
    shown = next((about for what, about in turn.blocks.notes if _SEEN.search(what)), "")
    if pointing.lower() == "it":
        is_meant = _MADE.search(source.text) is not None
    else:
        is_meant = _PICTURED.match(pointing) is not None or pointing.lower().split()[-1] in shown
    if not shown or not is_meant or find_unresolved(source.text, known=shown):
        return ""
    return f"{statement.rstrip('.!')} (with {shown})."


def _with_place(statement: str, said: Sequence[str], *, turn: SpokenMessage) -> str:
    if not THERE.search(statement):
        return ""
    places = named_places(". ".join(said[-SENTENCES_BEFORE:]), known=turn.names)
    if len(places) != 1 or places[0] in statement:
        return ""
    return THERE.sub(f"there ({places[0]})", statement, count=1)


def _with_person(
    statement: str, pointing: str, said: Sequence[str], *, turn: SpokenMessage, source: StatementSource
) -> str:
    who = only_person(said[-SENTENCES_BEFORE:], pointing, known=turn.names) if is_person(pointing) else ""
    if not who or find_unresolved(source.text, known=who):
        return ""
    return re.sub(rf"\b{pointing}\b", f"{pointing} ({who})", statement, count=1)


def _with_topic(statement: str, noun: str, said: Sequence[str], *, turn: SpokenMessage, source: StatementSource) -> str:
    """Return a statement behind the sentence that names what it points at."""
    if not noun:
        return ""
    is_picture = PICTURE.match(noun) is not None
    named = PICTURE if is_picture else re.compile(rf"(?i)\b{re.escape(noun)}\b")
    sentences = (each for each in reversed(said) if len(each.split()) > MIN_WORDS_NAMING and named.search(each))
    topic = next((each for each in sentences if not _points(each)), "")
    is_told = topic and (is_picture or not find_unresolved(source.text, known=topic))
    return f'About "{topic}": {statement}' if is_told else ""


def _noun_to_find(turn: SpokenMessage, source: StatementSource) -> str:
    """Return the noun of "that app" or "the deposit", which a sentence before may name; '' for none."""
    if turn.is_for_assistant:
        return ""
    if noun := find_pointed_noun(source.sentences[0]):
        return noun
    untold = find_untold(source.sentences[0]) if turn.is_of_people else None
    return untold.noun if untold else ""


def _earlier_sentences(turn: SpokenMessage, source: StatementSource) -> list[str]:
    return [*turn.earlier, *(topic_sentence(each, turn.speakers, turn.said_at) for each in source.before)]


def _points(retold: str) -> bool:
    return bool(find_unresolved(retold, is_retold=True) or find_untold(retold))
