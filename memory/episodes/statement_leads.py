"""What a user tells an assistant, behind what it leans on: the question that it answers, what they said before. Pure;
English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.english.irregular_forms import ANY_PAST
from core.english.lasting_facts import find_lasting
from core.english.omitted_subjects import with_subject
from core.english.persons import KIN, NAME_INSIDE, PERSON
from core.english.standing_instructions import begins_with_order
from core.english.time_expressions import MONTHS
from memory.episodes.question_pairs import AskedQuestion, begins_with_name, find_question, is_fragment, yes_or_no
from memory.episodes.reference_resolution import PICTURE, StatementSource
from memory.episodes.sentence_analysis import (
    is_polite,
    is_talk,
    leaves_out_thing,
    points_back,
    strip_leads,
)
from memory.episodes.sentence_references import is_person
from memory.episodes.statement_turns import ASKS, REQUEST, HeardSentence, SpokenMessage, cut_to_clauses
from memory.episodes.statement_wishes import may_answer
from memory.episodes.unresolved_references import (
    SEVERAL,
    asks_of_others,
    find_pointer,
    has_empty_subject,
    points_at_thing,
)
from memory.episodes.untold_scenes import begins_or_ends
from memory.episodes.untold_things import find_untold

SENTENCES_TOLD = 6  # of the user, in which it is looked for what a sentence points at
SENTENCES_OF_THING = 2  # in which it is looked for what a sentence leaves out
MIN_WORDS_ASKING = 4  # a shorter question is understood behind what was said before
MIN_WORDS_NAMING = 6  # of a question that names something
WORDS_OF_SUBJECT = 3
MAX_LEAD = 60  # characters
_WORKER = "customer|client|landlord|landlady|student|trainee|owner|supervisor|neighbou?r"
_PERSON = re.compile(
    rf"(?i)\b(?:{PERSON}|{_WORKER}|nurse|vet|dentist|\w+ician)\b|"
    r"\b(?:my|our|with|and|met|asked|called|mr|mrs|ms|dr)\.? (?:\w+ )?(?-i:[A-Z][a-z])"
)
_SUBJECT = re.compile(rf"(?i)(?:my|our) (?:\w+ )?(?:{KIN}|\w+ (?-i:[A-Z])|(?-i:[A-Z]))|(?:the|an?) (?:{_WORKER})\b")
_EMPTY = re.compile(
    r"(?i)there(?:['’]s| is| are| was| were| will be)\b|"
    r"it(?:['’]s| is| was| has been) (?:\w+ )?(?:rain|snow|pour|freez|cold|hot|warm|sunny|dark|late|time)"
)
# What is said once: a price, a date, a measure.
_AMOUNT = re.compile(
    rf"(?i)[$€£]\d|\b\d[\d.,]{{0,12}}(?:(?:st|nd|rd|th)\b|[ -]?(?:{'|'.join(MONTHS)}|euros?|dollars?|pounds?|bucks|%|"
    r"per ?cent|kg|g|grams?|km|m|cm|mm|miles|met(?:re|er)s|lit(?:re|er)s|hours|minutes|pages|people|pieces)\b)"
)
# What someone did or saw, and nothing more.
_PASSING = re.compile(
    rf"(?i)(?:it|some|there (?:was|were)|the [a-z]+ was|(?:I|we|my (?!(?:{KIN})\b)\w+) (?:\w+ly )?(?:{ANY_PAST}|was))\b"
)
_ASKS_FOR = re.compile("(?i)" + "|".join(each.pattern.removeprefix("(?i)") for each in (REQUEST, ASKS)))
_IS_THERE = re.compile(r"(?i)\b(?:is|are|was|were) there\b")
_NAME = re.compile(NAME_INSIDE)
_PEOPLE = frozenset({"they", "them", "their", "theirs"})
_BARE_ANSWER = re.compile(r"(?i)(?:[\w' ]{2,20}, )?(?:yes|yeah|no|nope|maybe|please|sure)[.!]*$")
_OWN = re.compile(r"(?i)\b(?:I|we|my|our)\b")
_OWN_SUBJECT = re.compile(r"(?i)^(?:I|we)\b")
# Verbs that only "I" leaves its place before: of another it would be "wants".
_OWN_VERB = re.compile(
    r"(?i)^(?:(?:just|still|also|even|never|always|\w+ly) )*(?:don't|haven't|love|hope|need|want|feel|wish|think|"
    r"guess|wanna|gotta|gonna|can't wait)\b"
)


def leans_on_talk(sentence: str) -> bool:
    """Return whether a sentence of a user points at something before it, or has no verb."""
    return bool(_pointer(sentence)) or is_fragment(sentence)


def tells_of_user(sentence: str) -> bool:
    """Return whether a sentence tells more of its speaker than what they did: what is so or is to come, what begins or
    ends, and what the people and things around them do."""
    is_more = begins_or_ends(sentence) or find_lasting(sentence) is not None or not _PASSING.match(sentence)
    is_more = is_more or _AMOUNT.search(sentence) is not None
    return is_more and not sentence.endswith("?")


def shares_subject(turn: SpokenMessage, sentence: str, before: str) -> bool:
    """Return whether a sentence leaves out its subject, which the one before has: "She moves back. Got a job.".

    Between people the one before has to be about a person that it names.
    """
    is_open = with_subject(sentence) != sentence and not _OWN_VERB.match(sentence)
    is_of_other = not _OWN_SUBJECT.match(before) and with_subject(before) == before
    return is_open and is_of_other and (turn.is_for_assistant or _about_person(before))


def is_reply(turn: SpokenMessage, sentence: str, before: Sequence[str]) -> bool:
    """Return whether a sentence is the first that a message says after a question, and may answer it."""
    return bool(turn.questions) and all(map(is_polite, before)) and may_answer(sentence)


def with_lead(statement: str, *, turn: SpokenMessage, source: StatementSource) -> str:
    """Return a statement behind the question that it answers and the sentence before that names what it points at.

    It is '' where it is not understood behind these either.
    """
    asked = _find_asked(turn, source)
    question = asked.text if asked else ""
    said = f"{question} {source.sentences[0]}".strip()
    is_of_others = turn.is_of_people and asks_of_others(question, asked=turn.speakers.speaker)
    is_open = is_of_others or _is_open(question)
    pointer = _pointer(source.sentences[0]) or (find_pointer(question) if is_open else "")
    is_of_thing = not question and leaves_out_thing(source.text)
    needs_topic = is_open or is_of_thing or (pointer and find_pointer(said))
    topic = _topic(turn, source, said, pointer, is_open=is_open) if needs_topic else ""
    if not question and _BARE_ANSWER.match(source.text):
        return ""
    is_untold = is_of_others or (turn.is_of_people and is_open) or (is_of_thing and not _OWN.search(source.text))
    if (is_untold and not topic) or not _is_understood(turn, source.text, question, topic):
        return ""
    answer = yes_or_no(question, turn.blocks.sentences[: len(source.before) + 1])
    return _behind(statement, question, topic, speaker=turn.speakers.speaker, answer=answer)


def _is_understood(turn: SpokenMessage, text: str, question: str, topic: str) -> bool:
    """Return whether a text says what it is about behind a question and topic; to an assistant all but a request does,
    since "this code" of one is not shown."""
    known = without_names(turn, f"{topic} {question}").strip()
    if turn.is_of_people:
        return known != "" and not PICTURE.search(question) and not _points(text, known)
    return not (_ASKS_FOR.search(text) and points_at_thing(text, known=known))


def _is_open(question: str) -> bool:
    """Return whether a question does not say what it is about: "Which area?", "How is she?"."""
    is_short = 0 < len(question.split()) < MIN_WORDS_ASKING and not _NAME.search(question)
    return is_short or _points(_IS_THERE.sub("is", question))


def _points(text: str, known: str = "") -> bool:
    """Return whether a text points at what is not named, other than at "they", who may be anyone."""
    return find_pointer(text, known=known).lower() not in {"", *_PEOPLE}


def without_names(turn: SpokenMessage, text: str) -> str:
    """Return a text in which the two who talk are "we": they are not whom "he" or "they" are."""
    names = filter(None, (turn.speakers.speaker, turn.speakers.listener))
    return re.sub("|".join(rf"\b{re.escape(name)}\b" for name in names), "we", text)


def _behind(statement: str, question: str, topic: str, *, speaker: str, answer: str) -> str:
    lead = f'About "{topic}"' if topic else ""
    said = re.sub(rf"(?i)^{re.escape(speaker)} said: ", "", statement)
    if question:
        return f'{f"{lead}, asked" if lead else "Asked"} "{question}", {speaker} said: {answer}{said}'
    if not lead:
        return statement
    return f"{lead}: {said}" if said == statement else f"{lead}, {speaker} said: {said}"


def _pointer(text: str) -> str:
    """Return the pronoun at which a text leans: at its beginning, or in its first clause."""
    if points_back(text) and not has_empty_subject(text) and not _EMPTY.match(text):
        return text.split(maxsplit=1)[0].partition("'")[0]
    pointer = find_pointer(text)
    return pointer if pointer and "," not in text[: text.find(pointer)] else ""


def _find_asked(turn: SpokenMessage, source: StatementSource) -> AskedQuestion | None:
    """Return the question of the message before that the first thing of this one answers; None for none."""
    first = source.sentences[0]
    if first.endswith("?") or not is_reply(turn, first, source.before):
        return None
    is_short = len(first.split()) < MIN_WORDS_ASKING or with_subject(first) != first or begins_with_order(first)
    is_open = is_short or leans_on_talk(first) or (turn.is_of_people and find_untold(first))
    if not is_open:
        return None
    if len(turn.questions) == 1:
        return turn.questions[0]
    begin = " ".join(turn.blocks.sentences[: len(source.before) + 1])
    return find_question(turn.questions, first, said=begin, names=turn.names)


def _topic(turn: SpokenMessage, source: StatementSource, said: str, pointer: str, *, is_open: bool) -> str:
    """Return the last sentence of the user that names what these words point at, else for an open question the last."""
    own = (HeardSentence(each, turn.speakers, turn.said_at) for each in source.before)
    heard = [*(turn.heard if turn.is_of_people else turn.told), *own][-SENTENCES_TOLD:]
    if turn.is_of_people and source.before and pointer.lower() == "it":
        heard = heard[-1:]
    if leaves_out_thing(source.sentences[0]):
        heard = [each for each in heard[-SENTENCES_OF_THING:] if not is_fragment(each.text)]
    asked = {each.text.rstrip("?") for each in turn.questions}
    told = [(strip_leads(each.text, names=turn.names), each) for each in reversed(heard) if each.retold not in asked]
    telling = [
        (text, each)
        for text, each in told
        if not (is_talk(text) or points_back(text) or points_back(each.retold) or _is_idle(turn, text))
    ]
    if is_person(pointer):
        # Whom a sentence is about is more likely meant than whom it names.
        telling = sorted(telling, key=lambda one: not _about_person(one[0]))
    best = next((each for text, each in telling if _names(text, pointer, said)), None)
    if best is None and pointer.lower() == "them" and turn.is_of_people and telling:
        best = telling[0][1] if telling[0][1] is turn.heard[-1] else None
    if best is None and is_open and not (turn.is_of_people and is_person(pointer)):
        last = (each for each in reversed(turn.told[-2:]) if not is_talk(each.text))
        best = next((each for each in last if turn.is_for_assistant or not points_back(each.text)), None)
    return cut_to_clauses(best.retold, limit=MAX_LEAD).rstrip(" ?.!") if best else ""


def _is_idle(turn: SpokenMessage, text: str) -> bool:
    """Return whether a sentence names nothing: one of people that points at something, a question that is short, or
    asks an assistant for something."""
    if turn.is_of_people and find_pointer(text):
        return True
    return text.endswith("?") and (turn.is_for_assistant or len(text.split()) < MIN_WORDS_NAMING)


def _about_person(text: str) -> bool:
    return begins_with_name(text) or _SUBJECT.match(text) is not None


def _names(text: str, pointer: str, said: str) -> bool:
    """Return whether a sentence names what a pronoun of these words stands for."""
    if is_person(pointer):
        return _about_person(text) or _PERSON.search(text) is not None
    if pointer.lower() in _PEOPLE:
        return SEVERAL.search(" ".join(text.split()[:WORDS_OF_SUBJECT])) is not None
    return pointer != "" and (not find_pointer(said, known=text) or points_back(said))
