"""Statements of what a message says in sentences: those that can be understood alone, others with what they lean on.
Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.english.reported_speech import Speakers, retell
from core.english.salience import salience
from memory.episodes.companions import find_company, speaks_of_several
from memory.episodes.drawn_statement import DrawnStatement, finish_statement
from memory.episodes.question_pairs import AskedQuestion, answered_question
from memory.episodes.sentence_analysis import (
    has_first_person,
    own_clause,
    is_bare_answer,
    is_generic,
    is_talk,
    points_back,
    points_early,
    speaks_of_anyone,
    strip_leads,
    with_subject,
)
from memory.episodes.sentence_references import THERE, find_reference, named_places, needs_none
from memory.episodes.statement_kinds import StatementKind, classify
from memory.episodes.statement_suggestions import is_telling_answer
from memory.episodes.statement_turns import ASKS, REQUEST, SpokenMessage, absolute, topic_sentence
from memory.episodes.unresolved_references import find_unresolved

MAX_WORDS_TOGETHER = 45
MAX_WORDS_BOUND = 32  # where the second begins with a subject of its own
MIN_SALIENCE = 0.6  # of a sentence that leans on another one
MIN_WORDS_NAMING = 3  # of a sentence that names what another one points at
# A name is what such a question asks for, however short the answer is.
WORTH_OF_NAME = 1.5
_ASKS_FOR_NAME = re.compile(r"(?i)^(?:(?:and|so|but|or) )?(?:which|what|who|whose|where)\b")
_NAME = re.compile(r"(?<=[\w,;'’] )(?!I\b)[A-Z][\w'’-]+|^[A-Z]\w+[.!]*$|\"[A-Z]")
_IMPERATIVE = re.compile(
    r"(?i)^(?:please|always|never|from now|whenever|remember|don't|do not|make sure|only|keep|use|"
    r"when i|going forward)\b"
)
_PICTURE = re.compile(r"(?i)\b(?:photo|picture|pic|image)")
_SEEN = re.compile(r"(?i)photo|image|picture|video|file|document|link|attach")
# What a sentence calls the picture that it goes with.
_PICTURED = re.compile(r"(?i)\b(?:this|these|that|it|here|one|photo|pic|picture)\b(?!['’]s been)")
_ALREADY_SHOWN = re.compile(r"(?i)^an? (?:photo|picture|photography|image)(?:graph)? of ")
MAX_PROSE = 1
ANSWER_WITHIN = 2  # sentences, the thanks for asking included
_LOOK = re.compile(r"(?i)(?:check|look|take a look|here)\b")
_KNOW = re.compile(r"(?i)^(?:happen to )?know\b")  # "Would you happen to know if …?"
PLACES_BEFORE = 6  # sentences in which a place is looked for
SHORT_ANSWER = 5  # sentences of an assistant that are read like those of anyone
_OPEN_QUESTION = re.compile(
    r"(?i)^(?:how|what|why|which|where) (?:\w+ ){0,4}?(?:do|does|did|can|could|should|would|is|are|was|were|will)\b"
)
_TALKED_THIS = re.compile(
    r"(?i)\b(?P<verb>reading|read|make|made|making|got|get|had|have|found|saw|see|to|met|there's|there was|bought|tried|watch|watched|"
    r"watching|about|was|is|with|in|joined|started|by|from) this (?=(?P<noun>(?!new\b|special\b|whole\b|same\b|\w+ (?:to|for|and|in|at|on|is|was)\b)[a-z]\w*) [a-z]{3,})"
)
_POINTERS = frozenset({"it", "them", "this", "that"})
_ANCHOR = re.compile(r"\d|(?<=[a-z,] )(?!I\b|I')[A-Z]\w+")
_SECOND_PERSON = re.compile(r"(?i)\b(?:you|your|you're|you've|you'll|us|let's)\b")


@dataclass(slots=True)
class _Unit:
    """Sentences of one message that make one statement, and what was said before them."""

    sentences: list[str]
    others: Sequence[str] = ()  # of the message, the nearest first
    before: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def has_room(self, sentence: str) -> bool:
        """Return whether a sentence that leans on these may stand behind them."""
        most = MAX_WORDS_TOGETHER if points_back(sentence) else MAX_WORDS_BOUND
        return len(self.text.split()) + len(sentence.split()) <= most and salience(sentence) > MIN_SALIENCE


def draw_prose(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    """Yield the statements of a message's prose: a sentence, with those that cannot stand without it."""
    unit: _Unit | None = None
    before: list[str] = []  # what the message says before that
    said_all = [strip_leads(each, names=turn.names) for each in _prose(turn)]
    is_answer = bool(turn.questions)
    for place, said in enumerate(said_all):
        is_answer = is_answer and place < ANSWER_WITHIN and not _LOOK.match(said)
        if _is_empty(turn, said, is_answer=is_answer):
            continue
        others = [*reversed(said_all[:place]), *said_all[place + 1 :]]
        leans = points_back(said) or points_early(said) or bool(find_unresolved(said))
        if leans and not unit and not is_answer and (clause := own_clause(said)) and not find_unresolved(clause):
            said, leans = clause, False
        if unit and leans and (points_back(said) or unit.has_room(said)):
            if unit.has_room(said) and not find_unresolved(f"{unit.text} {said}"):
                unit.sentences.append(said)
            continue
        if unit:
            yield from _statement(turn, unit)
            before.extend(topic_sentence(each, turn.speakers, turn.said_at) for each in unit.sentences)
            unit = None
        asked = _question(turn, said) if is_answer else None
        is_short = leans or len(said.split()) < 7 or not has_first_person(said)
        if asked and is_short:
            yield from _answer(turn, said, asked)
        elif not points_back(said):
            unit = _Unit([said], others, list(before))
        is_answer = False
    if unit:
        yield from _statement(turn, unit)


def _is_empty(turn: SpokenMessage, said: str, *, is_answer: bool) -> bool:
    """Return whether a sentence says nothing of its speaker that is worth keeping."""
    if is_talk(said) and not (is_answer and is_bare_answer(said)):
        return True
    if turn.is_for_assistant:
        return False
    if said.endswith("?") or (not is_answer and is_generic(said)):
        return True
    return turn.role != "assistant" and speaks_of_anyone(said)


def _prose(turn: SpokenMessage) -> Sequence[str]:
    """Return the sentences to be read: of a long answer of an assistant the few that say something of their own."""
    sentences = turn.blocks.sentences
    if turn.role != "assistant" or (len(sentences) <= SHORT_ANSWER and not turn.blocks.lists):
        return [each for each in sentences if not each.count("\\")]
    telling = [each for each in sentences if is_telling_answer(each) and _SECOND_PERSON.search(each)]
    best = sorted(telling, key=salience, reverse=True)[:MAX_PROSE]
    return [each for each in sentences if each in best]


def _question(turn: SpokenMessage, said: str) -> AskedQuestion | None:
    """Return the question that a sentence answers, as it can be understood; None if there is none."""
    begin = " ".join(turn.blocks.sentences[:ANSWER_WITHIN])
    asked = answered_question(turn.questions, said, said=begin, names=turn.names)
    if asked is None or not find_unresolved(asked.text, is_retold=True):
        return replace(asked, lead="") if asked else None
    if not asked.lead or find_unresolved(asked.lead, is_retold=True):
        return None
    return None if find_unresolved(asked.text, known=asked.lead, is_retold=True) else asked


def _answer(turn: SpokenMessage, said: str, asked: AskedQuestion) -> Iterator[DrawnStatement]:
    """Yield a question of the other speaker together with an answer that says little alone."""
    whole = with_subject(said)
    if find_unresolved(whole, known=f"{asked.lead} {asked.text}"):
        return
    speakers = _speakers(turn, said, [asked.text, *turn.before[-1:]])
    answer = absolute(retell(whole, speakers=speakers), turn.said_at)
    answer = answer.replace('"', "") if answer.count('"') % 2 else answer
    begin = f'About "{asked.lead.rstrip(" ?.!")}", asked' if asked.lead else "Asked"
    text = f'{begin} "{asked.text}", {turn.speakers.speaker} said: {answer}'
    worth = salience(said) + (0.4 if points_back(said) else 0.5)
    if _ASKS_FOR_NAME.match(asked.text) and _NAME.search(said):
        worth = max(worth, WORTH_OF_NAME)
    kind = classify(said, is_instruction_possible=False)
    yield finish_statement(turn, text, kind=kind, worth=worth, confidence=0.6)


def _speakers(turn: SpokenMessage, said: str, around: Sequence[str]) -> Speakers:
    """Return the speakers with those whom "we" stands for in a sentence."""
    if turn.role == "assistant" or turn.is_for_assistant:
        return turn.speakers
    return replace(turn.speakers, company=find_company(said, around, listener=turn.speakers.listener))


def _shown(turn: SpokenMessage) -> str:
    """Return what a message shows, as a part of a sentence; '' for nothing."""
    return next((_ALREADY_SHOWN.sub("", about) for what, about in turn.blocks.notes if _SEEN.search(what)), "")


def _resolve(turn: SpokenMessage, unit: _Unit, whole: str) -> str:
    """Return a statement with what it points at; '' where nothing tells what that is."""
    pointing = find_unresolved(unit.text)
    first = unit.sentences[0]
    if not pointing and (not points_early(first) or needs_none(first)) and find_reference(first) is None:
        return whole
    shown = _shown(turn)
    if shown and _PICTURED.search(unit.text) and not find_unresolved(unit.text, known=shown):
        return f"{whole.rstrip('.!')} (with {shown})."
    said = [*turn.before, *unit.before]
    if THERE.search(unit.text):
        places = named_places(" ".join(said[-PLACES_BEFORE:]), known=turn.names)
        if len(places) == 1 and places[0] not in whole:
            return THERE.sub(f"there ({places[0]})", whole, count=1)
    reference = find_reference(first)
    if reference and reference.noun and not turn.is_for_assistant:
        is_picture = _PICTURE.match(reference.noun) is not None
        named = _PICTURE if is_picture else re.compile(rf"(?i)\b{re.escape(reference.noun.removesuffix('s'))}")
        sentences = (each for each in reversed(said) if len(each.split()) > MIN_WORDS_NAMING and named.search(each))
        topic = next((each for each in sentences if not find_unresolved(each, is_retold=True)), "")
        is_told = topic and (is_picture or not find_unresolved(unit.text, known=topic))
        return f'About "{topic}": {whole}' if is_told else ""
    if pointing.lower() in _POINTERS and turn.only_topic and not unit.before:
        return f'About "{turn.only_topic}": {whole}'
    return "" if pointing else whole


def _statement(turn: SpokenMessage, unit: _Unit) -> Iterator[DrawnStatement]:
    first, *others = unit.sentences
    if _is_of_unknown_company(turn, unit):
        return
    parts = [_first_sentence(turn, unit)]
    for each in others:
        parts.append(retell(with_subject(each), speakers=_speakers(turn, each, [*unit.sentences, *unit.others])))
    whole = " ".join(part if part[-1:] in ".!?…" else f"{part}." for part in map(_capitalize, parts))
    whole = _resolve(turn, unit, whole)
    if not whole:
        return
    worth = max(map(salience, unit.sentences)) + 0.1 * len(others)
    if turn.is_for_assistant:
        worth += 0.8
    elif turn.role == "assistant":
        worth -= 0.5
    elif not any(map(has_first_person, unit.sentences)):
        worth -= 0.35
    if _SECOND_PERSON.search(unit.text) and not turn.is_for_assistant:
        worth -= 0.3
    kind = classify(unit.text, is_instruction_possible=turn.is_for_assistant)
    confidence = 0.7 if has_first_person(first) else 0.5
    yield finish_statement(turn, absolute(whole, turn.said_at), kind=kind, worth=worth, confidence=confidence)


def _is_of_unknown_company(turn: SpokenMessage, unit: _Unit) -> bool:
    """Return whether "we" are others that nothing names, and what they do is not an event."""
    if turn.is_for_assistant or turn.role == "assistant" or not speaks_of_several(unit.text):
        return False
    if classify(unit.text) not in {StatementKind.FACT, StatementKind.PREFERENCE} or _ANCHOR.search(unit.text):
        return False
    around = [*unit.others, *turn.before[-2:]]
    return not find_company(unit.text, around, listener=turn.speakers.listener) and not _has_own_company(unit.text)


def _has_own_company(text: str) -> bool:
    return bool(find_company("We", [text], listener=""))


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _first_sentence(turn: SpokenMessage, unit: _Unit) -> str:
    sentence = unit.sentences[0]
    speakers = _speakers(turn, sentence, [*unit.sentences[1:], *unit.others, *turn.before[-2:]])
    if turn.is_for_assistant and (asked := REQUEST.search(sentence)):
        return _request(speakers, sentence, asked)
    said = sentence if turn.role == "assistant" else with_subject(sentence)
    if turn.is_for_assistant and _IMPERATIVE.match(sentence) and classify(sentence) == StatementKind.INSTRUCTION:
        return f"{speakers.speaker} instructed: {retell(sentence, speakers=speakers, is_introduced=True)}"
    is_asked = turn.is_for_assistant and _OPEN_QUESTION.match(sentence) is not None
    if is_asked or (sentence.endswith("?") and ASKS.match(sentence)):
        return f"{speakers.speaker} asked: {retell(sentence, speakers=speakers, is_introduced=True)}"
    text = retell(_with_article(said), speakers=speakers)
    if has_first_person(said):
        return text
    return f"{speakers.speaker} said: {text[:1].upper()}{text[1:]}"


def _with_article(sentence: str) -> str:
    """Return a sentence with "a" for the "this" of talk: "I read this fine book", "this parade I went to"."""
    return _TALKED_THIS.sub(lambda found: f"{found['verb']} {'an' if found['noun'][0] in 'aeiou' else 'a'} ", sentence)


def _request(speakers: Speakers, sentence: str, asked: re.Match[str]) -> str:
    """Return "…, can you help me write it?" as what the user says, and what they ask for."""
    before = sentence[: asked.start()].rstrip(" ,.;:–-")
    wish = _KNOW.sub("tell me", sentence[asked.end() :].rstrip(" ?.!"))
    said = retell(before, speakers=speakers) if before else speakers.speaker
    is_introduced = not before or has_first_person(before)
    wanted = retell(wish, speakers=speakers, is_introduced=True)
    helping = "help them " if asked["help"] else ""
    if not before:
        return f"{said} asked {speakers.listener or 'the assistant'} to {helping}{wanted}"
    who = "they" if is_introduced else speakers.speaker
    return f"{said}; {who} asked {speakers.listener or 'the assistant'} to {helping}{wanted}"
