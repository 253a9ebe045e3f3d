"""Statements drawn from messages by rules: in the third person, with dates resolved. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.english.message_markup import without_number
from core.english.reported_speech import Speakers, retell
from core.english.salience import salience
from core.text import excerpt, lexemes, looks_like_secret
from core.text.email_addresses import mask_email_addresses
from core.text.tokens import count_tokens
from core.text.transcripts import TranscriptTurn, quotable
from memory.episodes.sentence_analysis import (
    MIN_WORDS,
    has_first_person,
    is_bare_answer,
    is_generic,
    is_talk,
    points_back,
    points_early,
    strip_leads,
    with_subject,
)
from memory.episodes.sentence_references import THERE, find_reference, named_places, needs_none
from memory.episodes.statement_kinds import StatementKind, classify
from memory.episodes.statement_turns import ASKS, REQUEST, SpokenMessage, absolute, read_messages, topic_sentence

MAX_CHARACTERS = 420
MAX_WORDS_TOGETHER = 45
MAX_WORDS_BOUND = 22  # where the second could stand alone, but for an "it"

MAX_OUTLINE, MAX_ITEMS = 130, 1
WORTH_OF_NOTE = 0.9
WORTH_OF_NEW, MIN_WORTH_OF_NEW = 0.3, 1.0
# A name is what such a question asks for, however short the answer is.
WORTH_OF_NAME = 1.5
_ASKS_FOR_NAME = re.compile(r'(?i)^"(?:(?:and|so|but|or) )?(?:which|what|who|whose|where)\b')
_NAME = re.compile(r"(?<=[\w,;'’] )(?!I\b)[A-Z][\w'’-]+|^[A-Z]\w+[.!]*$|\"[A-Z]")
_NUMBERS = re.compile(r"\d{2}|\d+[%$:.,]\d|[$€£]\d|\b\d+ \w{3,}")
_STOCK_HEADING = re.compile(
    r"(?i)(?:conclusion|summary|example|explanation|introduction|additional|final|step-by-step|overview|"
    r"key points|tips?\b|notes?\b|"
    r"task \d|week \d|day \d|month \d|option \d|phase \d|practical|usage|output|next steps|important)"
)
_IMPERATIVE = re.compile(
    r"(?i)^(?:please|always|never|from now|whenever|remember|don't|do not|make sure|only|keep|use|"
    r"when i|going forward)\b"
)
_LETTER = re.compile(r"(?i)(?:hi|hello|hey|dear|subject|best regards|sincerely)\b")
_NAMED = re.compile(r"\d|[\"“]| by [A-Z]")
_CLOCK = re.compile(r"(?i)\d ?[ap]\.?m\b.{0,4}[-–]")  # a line of a drafted timetable
_FORMULA = re.compile(r"\\|[=^{}]|\bP\(")
_SEEN = re.compile(r"(?i)photo|image|picture|video|file|document|link|attach")
# What is asked about a picture.
_SEEN_THING = re.compile(
    r"(?i)\b(?:on|made|make|sign\w*|wrote|write|paint\w*|draw|drew|take|took|these|those|this|who|where)\b"
)
_THIS = re.compile(r"(?i)\b(?:this|that|it|them|these|those|they|her|him)\b(?! \w+ (?:is|are)\b)")
_SINGULAR_SELF = re.compile(r"\b(?:I|I'm|I've|I'd|my|me|My)\b")
MAX_PROSE = 1
ANSWER_WITHIN = 2  # sentences, the thanks for asking included
_LOOK = re.compile(r"(?i)(?:check|look|take a look|here)\b")
# What a statement loses whose "it" or "there" is said by a topic before it, or by nothing at all.
POINTS_FAR, POINTS_NOWHERE = 0.2, 0.8
_KNOW = re.compile(r"(?i)^(?:happen to )?know\b")  # "Would you happen to know if …?"
_PICTURE = re.compile(r"(?i)\b(?:photo|picture|pic|image)")
PLACES_BEFORE = 6  # sentences in which a place is looked for
SHORT_ANSWER = 5  # sentences of an assistant that are read like those of anyone
_OPEN_QUESTION = re.compile(
    r"(?i)^(?:how|what|why|which|where) (?:\w+ ){0,4}?(?:do|does|did|can|could|should|would|is|are|was|were|will)\b"
)
_SECOND_PERSON = re.compile(r"(?i)\b(?:you|your|you're|you've|you'll|us|let's)\b")


@dataclass(frozen=True, slots=True)
class DrawnStatement:
    """A statement of the message at `source`; `worth` orders it among the others."""

    text: str
    kind: StatementKind
    said_at: datetime
    speaker: str
    confidence: float
    source: int
    worth: float

    @property
    def tokens(self) -> int:
        """What the statement costs in a context."""
        return count_tokens(self.text)


def draw_candidates(messages: Sequence[TranscriptTurn]) -> list[DrawnStatement]:
    """Return everything that could be kept of messages of one conversation, in their order."""
    drawn: list[DrawnStatement] = []
    said: set[str] = set()
    # Secrets are taken out first: a statement may begin with one in a capital, which then looks like none.
    for turn in read_messages(quotable(messages)):
        mine = [*_notes(turn), *_prefer_new([*_lists(turn), *_sentences(turn)], said)]
        drawn.extend(each for each in mine if not looks_like_secret(each.text))
        said.update(lexemes(messages[turn.place].content))
    return drawn


def _prefer_new(drawn: Sequence[DrawnStatement], said: Collection[str]) -> Iterator[DrawnStatement]:
    """Yield the statements of a message; the first that brings words of its own is worth more than comments on it."""
    is_found = len(drawn) < 2  # alone it has no comment
    for each in drawn:
        is_new = not is_found and each.worth >= MIN_WORTH_OF_NEW and not set(lexemes(each.text)) <= set(said)
        is_found = is_found or is_new
        yield replace(each, worth=each.worth + WORTH_OF_NEW) if is_new else each


def _finish(turn: SpokenMessage, text: str, *, kind: StatementKind, worth: float, confidence: float) -> DrawnStatement:
    shown = excerpt(mask_email_addresses(text).strip(" ,;:-–"), limit=MAX_CHARACTERS)
    if shown.count('"') % 2:
        shown = shown.replace('"', "")
    shown = shown[:1].upper() + shown[1:]
    if shown[-1:] not in {".", "!", "?", "…", '"'}:
        shown += "."
    return DrawnStatement(
        shown, kind, turn.said_at, turn.speakers.speaker.removeprefix("the "), confidence, turn.place, worth
    )


def _notes(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    for what, about in turn.blocks.notes:
        if _SEEN.search(what):
            yield _finish(
                turn,
                f"{turn.speakers.speaker} shared {about}",
                kind=StatementKind.EVENT,
                worth=WORTH_OF_NOTE,
                confidence=0.7,
            )


def _lists(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    if turn.role == "assistant":
        yield from _suggestions(turn)
        return
    for block in turn.blocks.lists:
        heading = f" {without_number(block.heading)}" if block.heading else ""
        yield from _group_items(turn, f"{turn.speakers.speaker} listed{heading}: ", block.items)


def _suggestions(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    """Yield of a long answer what has numbers or dates, and its outline if nothing has or if it names things."""
    labels = [without_number(each) for each in turn.blocks.headings]
    items = [(block.heading, item) for block in turn.blocks.lists for item in block.items]
    labels.extend(item.partition(":")[0] for _, item in items if ":" in item[:60])
    outline = _outline([each for each in dict.fromkeys(labels) if _is_telling(each)])
    speaker = turn.speakers.speaker
    telling = sorted((pair for pair in items if _is_telling_answer(pair[1])), key=lambda pair: -salience(pair[1]))
    if outline and (not telling or _NAMED.search(outline)):
        yield _finish(
            turn, f"{_occasion(turn)}{speaker} suggested: {outline}", kind=StatementKind.FACT, worth=1.1, confidence=0.6
        )
    for heading, item in telling[:MAX_ITEMS]:
        place = f" ({excerpt(without_number(heading), limit=60)})" if heading else ""
        yield _finish(
            turn, f"{speaker} suggested{place}: {_item(turn, item)}",
            kind=classify(item, is_instruction_possible=False), worth=salience(item) - 0.5, confidence=0.5,
        )  # fmt: skip


def _occasion(turn: SpokenMessage) -> str:
    """Return what an answer was asked, or is about, as the beginning of a statement."""
    is_vague = points_early(turn.question) or _THIS.search(turn.question) is not None
    if turn.topic and (is_vague or not turn.question):
        return f'About "{turn.topic}" '
    return f"Asked {turn.question}, " if turn.question else ""


def _outline(labels: Sequence[str]) -> str:
    """Return as many whole labels as fit."""
    kept: list[str] = []
    for label in labels:
        if kept and len("; ".join([*kept, label])) > MAX_OUTLINE:
            break
        kept.append(label)
    return excerpt("; ".join(kept), limit=MAX_OUTLINE)


def _is_telling_answer(sentence: str) -> bool:
    """Return whether a sentence of a long answer has numbers, and is neither a formula nor a draft."""
    is_plain = not any(pattern.search(sentence) for pattern in (_FORMULA, _SINGULAR_SELF, _CLOCK))
    return is_plain and _NUMBERS.search(sentence) is not None


def _is_telling(label: str) -> bool:
    """Return whether a heading says what is below it."""
    is_stock = _STOCK_HEADING.match(label) or _LETTER.match(label) or _CLOCK.search(label) or label.endswith(",")
    return len(label.split()) <= 10 and not is_stock


def _item(turn: SpokenMessage, item: str) -> str:
    return absolute(retell(item, speakers=turn.speakers, is_introduced=True), turn.said_at)


def _group_items(turn: SpokenMessage, lead: str, items: Sequence[str]) -> Iterator[DrawnStatement]:
    """Yield the items of a list as few statements."""
    group: list[str] = []
    for item in [*items, ""]:
        if group and (not item or len(lead) + sum(map(len, group)) + len(item) > MAX_CHARACTERS - 20):
            text = lead + "; ".join(group)
            yield _finish(turn, text, kind=classify(text), worth=salience(text) + 0.2, confidence=0.6)
            group = []
        group.append(_item(turn, item))


def _sentences(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    """Yield the statements of a message's prose: a sentence, with those that cannot stand without it."""
    together: list[str] = []
    before: list[str] = []  # what the message says before that
    is_answer = bool(turn.question)
    for place, sentence in enumerate(_prose(turn)):
        is_answer = is_answer and place < ANSWER_WITHIN and not _LOOK.match(sentence)
        said = strip_leads(sentence, names=turn.names)
        if (is_talk(said) and not (is_answer and is_bare_answer(said))) or (
            not turn.is_for_assistant and (said.endswith("?") or (not is_answer and is_generic(said)))
        ):
            continue
        if together and (points_back(said) or points_early(said)):
            most = MAX_WORDS_TOGETHER if points_back(said) else MAX_WORDS_BOUND
            if sum(len(each.split()) for each in together) + len(said.split()) <= most and salience(said) > 0.6:
                together.append(said)
                continue
            if points_back(said):
                continue
        if together:
            yield _statement(turn, together, before)
            before.extend(topic_sentence(each, turn.speakers, turn.said_at) for each in together)
            together = []
        is_short = points_back(said) or points_early(said) or len(said.split()) < 7 or not has_first_person(said)
        if is_answer and is_short and turn.role != "assistant":
            yield _answer(turn, said)
        elif not points_back(said):
            together = [said]
        is_answer = False
    if together:
        yield _statement(turn, together, before)


def _prose(turn: SpokenMessage) -> Sequence[str]:
    """Return the sentences to be read: of a long answer of an assistant the few that say something of their own."""
    sentences = turn.blocks.sentences
    if turn.role != "assistant" or (len(sentences) <= SHORT_ANSWER and not turn.blocks.lists):
        return [each for each in sentences if not each.count("\\")]
    telling = [each for each in sentences if _is_telling_answer(each) and _SECOND_PERSON.search(each)]
    best = sorted(telling, key=salience, reverse=True)[:MAX_PROSE]
    return [each for each in sentences if each in best]


def _answer(turn: SpokenMessage, said: str) -> DrawnStatement:
    """Return a question of the other speaker together with an answer that says little alone."""
    is_named = turn.speakers.speaker.casefold() in turn.question.casefold()
    answer = absolute(retell(with_subject(said), speakers=turn.speakers, is_introduced=is_named), turn.said_at)
    answer = answer.replace('"', "") if answer.count('"') % 2 else answer
    is_seen = not turn.is_fresh and _SEEN_THING.search(turn.question) is not None
    topic = (turn.shown if is_seen else "") or turn.topic or turn.shown
    asked = f'About "{topic}", asked' if turn.is_vague and topic else "Asked"
    text = f"{asked} {turn.question}, {turn.speakers.speaker} said: {answer}"
    worth = salience(said) + (0.4 if points_early(turn.question) or points_back(said) else 0.5)
    if _ASKS_FOR_NAME.match(turn.question) and _NAME.search(said):
        worth = max(worth, WORTH_OF_NAME)
    return _finish(turn, text, kind=classify(said, is_instruction_possible=False), worth=worth, confidence=0.6)


def _resolve(turn: SpokenMessage, together: Sequence[str], whole: str, before: Sequence[str]) -> tuple[str, float]:
    """Return a statement with what its first sentence points at, and what it loses in worth for that."""
    said = [*turn.before, *before]
    if any(map(THERE.search, together)):
        places = named_places(" ".join(said[-PLACES_BEFORE:]), known=turn.names)
        if len(places) == 1 and places[0] not in whole:
            whole = THERE.sub(f"there ({places[0]})", whole, count=1)
            return whole, 0.0
    pointed = find_reference(together[0])
    is_early = points_early(together[0]) and not needs_none(together[0])
    if (pointed is None and not is_early) or (pointed and pointed.noun and turn.blocks.notes):
        return whole, 0.0
    if turn.role == "assistant":
        return whole, POINTS_FAR
    if turn.is_for_assistant:
        own = before[-1] if before and pointed and not (pointed.noun or pointed.is_place) else ""
        stands = len(own.split()) > MIN_WORDS and not (points_back(own) or points_early(own))
        return (f'About "{own}": {whole}' if stands else whole), POINTS_FAR
    topic, loss = (before[-1] if before and len(before[-1].split()) > MIN_WORDS else turn.topic), POINTS_FAR
    if pointed and pointed.noun:
        named = (
            _PICTURE
            if _PICTURE.match(pointed.noun)
            else re.compile(rf"(?i)\b{re.escape(pointed.noun.removesuffix('s'))}")
        )
        sentences = (each for each in reversed(said) if len(each.split()) > MIN_WORDS and named.search(each))
        topic, loss = next(sentences, topic), 0.0
    return (f'About "{topic}": {whole}', loss) if topic else (whole, POINTS_NOWHERE)


def _statement(turn: SpokenMessage, together: Sequence[str], before: Sequence[str]) -> DrawnStatement:
    first, *others = together
    text = _first_sentence(turn, first)
    parts = [text, *(retell(each, speakers=turn.speakers, is_introduced=True) for each in others)]
    whole = " ".join(part if part[-1:] in ".!?…" else f"{part}." for part in map(_capitalize, parts))
    raw = " ".join(together)
    worth = max(map(salience, together)) + 0.1 * len(others)
    whole, loss = _resolve(turn, together, whole, before)
    worth -= loss
    if turn.is_for_assistant:
        worth += 0.8
    elif turn.role == "assistant":
        worth -= 0.5
    elif not any(map(has_first_person, together)):
        worth -= 0.35
    if points_early(first) and not needs_none(first):
        shown = next((about for what, about in turn.blocks.notes if _SEEN.search(what)), "")
        whole = f"{whole.rstrip('.!')} (with {shown})." if shown else whole
        worth -= 0.3 if shown else 0.6
    if _SECOND_PERSON.search(raw) and not turn.is_for_assistant:
        worth -= 0.3
    kind = classify(raw, is_instruction_possible=turn.is_for_assistant)
    return _finish(
        turn, absolute(whole, turn.said_at), kind=kind, worth=worth, confidence=0.7 if has_first_person(first) else 0.5
    )


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _first_sentence(turn: SpokenMessage, sentence: str) -> str:
    speakers = turn.speakers
    if turn.is_for_assistant and (asked := REQUEST.search(sentence)):
        return _request(speakers, sentence, asked)
    said = sentence if turn.role == "assistant" else with_subject(sentence)
    if turn.is_for_assistant and _IMPERATIVE.match(sentence) and classify(sentence) == StatementKind.INSTRUCTION:
        return f"{speakers.speaker} instructed: {retell(sentence, speakers=speakers, is_introduced=True)}"
    is_asked = turn.is_for_assistant and _OPEN_QUESTION.match(sentence) is not None
    if is_asked or (sentence.endswith("?") and ASKS.match(sentence)):
        return f"{speakers.speaker} asked: {retell(sentence, speakers=speakers, is_introduced=True)}"
    text = retell(said, speakers=speakers)
    if has_first_person(said):
        return text
    return f"{speakers.speaker} said: {text[:1].upper()}{text[1:]}"


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
