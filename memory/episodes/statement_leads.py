"""What a user tells an assistant, behind what it leans on: the question that it answers, what they told before. Pure;
English."""

from __future__ import annotations

import re

from core.english.persons import PERSON
from memory.episodes.question_pairs import AskedQuestion, begins_with_name, is_fragment
from memory.episodes.reference_resolution import StatementSource
from memory.episodes.sentence_analysis import is_talk, points_back, strip_leads
from memory.episodes.sentence_references import is_person, only_person
from memory.episodes.sentence_subjects import with_subject
from memory.episodes.statement_turns import HeardSentence, SpokenMessage
from memory.episodes.unresolved_references import find_pointer, has_empty_subject

SENTENCES_TOLD = 6  # of the user, in which it is looked for what a sentence points at
MIN_WORDS_ASKING = 4  # a shorter question is understood behind what was told before
WORDS_OF_ITS_OWN = 7  # at least, of an answer that is read without its question
_PERSON = re.compile(rf"(?i)\b(?:{PERSON})\b")
_OWN_SUBJECT = re.compile(r"(?i)^(?:I|we)\b")


def leans_on_talk(sentence: str) -> bool:
    """Return whether a sentence of a user points at something before it, or has no verb."""
    return bool(_pointer(sentence)) or is_fragment(sentence)


def goes_on(sentence: str, before: str) -> bool:
    """Return whether a sentence leaves out its subject, which the one before has: "She moves back. Got a job."."""
    return with_subject(sentence) != sentence and not _OWN_SUBJECT.match(before) and with_subject(before) == before


def with_lead(statement: str, *, turn: SpokenMessage, source: StatementSource) -> str:
    """Return a statement behind the question that it answers and the sentence before that names what it points at."""
    asked = _asked(turn, source)
    question = asked.text if asked else ""
    is_open = 0 < len(question.split()) < MIN_WORDS_ASKING or find_pointer(question)
    pointer = _pointer(source.text)
    topic = ""
    if is_open or (pointer and find_pointer(source.text, known=question)):
        topic = _topic(turn, source, f"{question} {source.text}".strip(), pointer or find_pointer(question))
    lead = f'About "{topic}"' if topic else ""
    if not question:
        return f"{lead}: {statement}" if lead else statement
    speaker = turn.speakers.speaker
    said = re.sub(rf"(?i)^{speaker} said: ", "", statement)
    return f'{f"{lead}, asked" if lead else "Asked"} "{question}", {speaker} said: {said}'


def _pointer(text: str) -> str:
    """Return the pronoun at which a text leans: at its beginning, or in its first clause."""
    if points_back(text) and not has_empty_subject(text):
        return text.split(maxsplit=1)[0].partition("'")[0]
    pointer = find_pointer(text)
    return pointer if pointer and "," not in text[: text.find(pointer)] else ""


def _asked(turn: SpokenMessage, source: StatementSource) -> AskedQuestion | None:
    """Return the question of the message before that the first thing of this one answers; None for none."""
    first = source.sentences[0]
    is_first = all(map(is_talk, source.before))
    is_reply = is_first and (len(first.split()) < WORDS_OF_ITS_OWN or leans_on_talk(first))
    return turn.questions[-1] if turn.questions and is_reply and not first.endswith("?") else None


def _topic(turn: SpokenMessage, source: StatementSource, said: str, pointer: str) -> str:
    """Return the last sentence of the user that may name what these words point at; '' for none."""
    own = (HeardSentence(each, turn.speakers, turn.said_at) for each in source.before)
    for each in reversed([*turn.told, *own][-SENTENCES_TOLD:]):
        text = strip_leads(each.text, names=turn.names)
        if is_talk(text) or text.endswith("?") or _pointer(text):
            continue
        if is_person(pointer) and not _names_person(text, pointer):
            continue
        if not pointer or points_back(said) or not find_pointer(said, known=text):
            return each.retold
    return ""


def _names_person(text: str, pronoun: str) -> bool:
    """Return whether a sentence names whom "she" or "he" can be."""
    is_named = begins_with_name(text) or _PERSON.search(text) is not None
    return is_named or only_person([text], pronoun, known=()) != ""
