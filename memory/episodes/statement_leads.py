"""What a user tells an assistant, behind what it leans on: the question that it answers, what they told before. Pure;
English."""

from __future__ import annotations

import re

from core.english.persons import KIN, PERSON
from memory.episodes.question_pairs import AskedQuestion, begins_with_name, is_fragment
from memory.episodes.reference_resolution import StatementSource
from memory.episodes.sentence_analysis import is_talk, points_back, strip_leads
from memory.episodes.sentence_references import is_person
from memory.episodes.sentence_subjects import with_subject
from memory.episodes.statement_turns import HeardSentence, SpokenMessage, cut_to_clauses
from memory.episodes.unresolved_references import find_pointer, has_empty_subject

SENTENCES_TOLD = 6  # of the user, in which it is looked for what a sentence points at
MIN_WORDS_ASKING = 4  # a shorter question is understood behind what was told before
WORDS_OF_ITS_OWN = 7  # at least, of an answer that is read without its question
MAX_LEAD = 80  # characters
_WORKER = r"customer|client|landlord|landlady|nurse|vet|dentist|\w+ician|plumber|supervisor|student|trainee|driver|cleaner"
_PERSON = re.compile(
    rf"(?i)\b(?:{PERSON}|{_WORKER})\b|\b(?:my|our|with|and|met|told|asked|called|mr|mrs|ms|dr)\.? (?:\w+ )?(?-i:[A-Z][a-z])"
)
_SUBJECT = re.compile(
    rf"(?i)(?:my|our) (?:\w+ )?(?:{KIN}|\w+ (?-i:[A-Z])|(?-i:[A-Z]))|(?:the|an?) (?:customer|client|landlord|landlady|"
    r"student|trainee|owner|supervisor|neighbou?r)\b"
)
_PEOPLE = frozenset({"they", "them", "their", "theirs"})
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
    is_open = 0 < len(question.split()) < MIN_WORDS_ASKING or find_pointer(question) != ""
    pointer = _pointer(source.sentences[0])
    topic = ""
    if is_open or (pointer and find_pointer(source.sentences[0], known=question)):
        topic = _topic(turn, source, f"{question} {source.sentences[0]}".strip(), pointer or find_pointer(question), is_open=is_open)
    lead = f'About "{topic}"' if topic else ""
    speaker = turn.speakers.speaker
    said = re.sub(rf"(?i)^{re.escape(speaker)} said: ", "", statement)
    if question:
        return f'{f"{lead}, asked" if lead else "Asked"} "{question}", {speaker} said: {said}'
    if not lead:
        return statement
    return f"{lead}: {said}" if said == statement else f"{lead}, {speaker} said: {said}"


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


def _topic(turn: SpokenMessage, source: StatementSource, said: str, pointer: str, *, is_open: bool) -> str:
    """Return the last sentence of the user that names what these words point at, else for an open question the last."""
    own = (HeardSentence(each, turn.speakers, turn.said_at) for each in source.before)
    heard = [*turn.told, *own][-SENTENCES_TOLD:]
    told = [(strip_leads(each.text, names=turn.names), each) for each in reversed(heard)]
    telling = [(text, each) for text, each in told if not (is_talk(text) or points_back(text) or text.endswith("?"))]
    if is_person(pointer):
        # Whom a sentence is about is more likely meant than whom it names.
        telling = sorted(telling, key=lambda one: not _about_person(one[0]))
    best = next((each for text, each in telling if _names(text, pointer, said)), None)
    if best is None and telling and is_open:
        best = telling[0][1]
    return cut_to_clauses(best.retold, limit=MAX_LEAD).rstrip(" ?.!") if best else ""


def _about_person(text: str) -> bool:
    return begins_with_name(text) or _SUBJECT.match(text) is not None


def _names(text: str, pointer: str, said: str) -> bool:
    """Return whether a sentence names what a pronoun of these words stands for."""
    if is_person(pointer):
        return _about_person(text) or _PERSON.search(text) is not None
    if not pointer or _pointer(text):
        return False
    return not find_pointer(said, known=text) or (pointer.lower() not in _PEOPLE and points_back(said))
