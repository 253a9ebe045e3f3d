"""What only the summary of an episode says: its sentences with a date, a number or a name that no statement has. Pure.

Other conversations search statements and never a summary, so that such a sentence becomes a statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.english.salience import salience
from core.text import gives_secret_away, split_sentences
from core.text.transcripts import TranscriptTurn
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.statement_check import says_no_more
from memory.episodes.statement_kinds import classify
from memory.episodes.statement_turns import SPOKEN_ROLES, speaker_label
from memory.episodes.unresolved_references import find_unresolved

MAX_SENTENCES = 3
MAX_WORDS = 45
CONFIDENCE = 0.5
# What a summary says of the talk and not of what was said: "Ana and Ben exchanged 30 messages on 12 May 2026."
_OF_THE_TALK = re.compile(r"\b(?:exchanged|wrote) [\d,]+ messages?\b|\bThere were [\d,]+ messages?\b|\bspoke of\b")
_TELLING = re.compile(r"\d+(?:[.,:]\d+)*|(?<=[\w,;'’] )(?<! that )(?!I\b)[A-Z][\w'’-]+")


def draw_from_summary(
    summary: str, drawn: Sequence[DrawnStatement], messages: Sequence[TranscriptTurn]
) -> list[DrawnStatement]:
    """Return the sentences of a summary that tell a date, a number or a name of which no statement has a word.

    A sentence that adds something to the messages, or points at another one, is left out.
    """
    spoken = [place for place, message in enumerate(messages) if message.role in SPOKEN_ROLES]
    known = {word for each in drawn for word in _telling_words(each.text)}
    known |= {str(each.created_at.year) for each in messages}
    labels = {speaker_label(messages[place]).removeprefix("the ") for place in spoken}
    found: list[DrawnStatement] = []
    before = ""
    for said in split_sentences(summary) if spoken else ():
        # "Ana found a flat! Two rooms in Bari.": the second goes on with the first.
        is_part = before and not any(label in said for label in labels)
        sentence, before = f"{before} {said}" if is_part else said, said
        new = _telling_words(sentence) - known
        if not new or not _is_whole(sentence):
            continue
        source = _find_source(sentence, new, messages, spoken)
        if not _adds_nothing(sentence, messages, source):
            continue
        known |= new
        speaker = speaker_label(messages[source]).removeprefix("the ")
        at, worth = messages[source].created_at, salience(sentence)
        found.append(DrawnStatement(sentence, classify(sentence), at, speaker, CONFIDENCE, source, worth))
    return sorted(sorted(found, key=lambda each: -each.worth)[:MAX_SENTENCES], key=lambda each: each.source)


def _adds_nothing(sentence: str, messages: Sequence[TranscriptTurn], source: int) -> bool:
    """Return whether a sentence says what its source says, or where it is of several messages, what all of them say."""
    last = len(messages) - 1
    return says_no_more(sentence, turns=messages, place=source) or says_no_more(
        sentence, turns=messages, place=last, before=last
    )


def _is_whole(sentence: str) -> bool:
    is_long = len(sentence.split()) > MAX_WORDS
    is_of_talk = _OF_THE_TALK.search(sentence) is not None
    return not (is_long or is_of_talk or gives_secret_away(sentence) or find_unresolved(sentence, is_retold=True))


def _telling_words(text: str) -> set[str]:
    return {found[0].casefold().removesuffix("'s") for found in _TELLING.finditer(text)}


def _find_source(sentence: str, words: set[str], messages: Sequence[TranscriptTurn], spoken: Sequence[int]) -> int:
    """Return the place of the first message that has most of these words, and is said by whom the sentence names."""

    def count(place: int) -> tuple[int, bool, int]:
        said = messages[place].content.casefold()
        return sum(word in said for word in words), speaker_label(messages[place]) in sentence, -place

    return max(spoken, key=count)
