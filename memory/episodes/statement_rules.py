"""Statements drawn from messages by rules: in the third person, with dates resolved. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from core.english.extractive_summary import salience
from core.english.relative_dates import resolve_dates
from core.english.reported_speech import Speakers, retell
from core.text import excerpt, looks_like_secret
from core.text.tokens import count_tokens
from memory.episodes.message_markup import MessageBlocks, parse_blocks, without_number
from memory.episodes.sentence_analysis import (
    has_first_person,
    is_bare_answer,
    is_talk,
    nicknames,
    points_back,
    points_early,
    strip_leads,
    with_subject,
)
from memory.episodes.statement_kinds import StatementKind, classify
from memory.extraction.transcripts import TranscriptTurn

MAX_CHARACTERS = 420
MAX_WORDS_TOGETHER = 45
MAX_WORDS_BOUND = 22  # where the second could stand alone, but for an "it"
SPOKEN_ROLES = frozenset({"user", "assistant"})

_REQUEST = re.compile(
    r"(?i)(?P<before>^|[,.;:!–-] ?|\b)(?:(?:and|so|but|also) )?(?:can|could|would|will) you (?:please |"
    r"also |maybe |possibly )*(?P<help>help me(?: to)? )?"
)
MAX_QUESTION = 110
MAX_TOPIC = 80
_QUESTION_PART = re.compile(
    r"[,;–-] (?:(?:so|and|but) )?(?=(?:how|what|which|where|when|why|should|is|are|do|"
    r"does|can|could|will)\b)"
)
MAX_OUTLINE, MAX_ITEMS = 130, 1
WORTH_OF_NOTE = 0.9
_NUMBERS = re.compile(r"\d{2}|\d+[%$:.,]\d|[$€£]\d|\b\d+ \w{3,}")
_STOCK_HEADING = re.compile(
    r"(?i)(?:conclusion|summary|example|explanation|introduction|additional|final|step-by-step|overview|"
    r"key points|tips?\b|notes?\b|"
    r"task \d|week \d|day \d|month \d|option \d|phase \d|practical|usage|output|next steps|important)"
)
# Questions that keep a talk going and ask for nothing.
_STOCK_QUESTION = re.compile(
    r"(?i)^(?:how'?(?:ve|s)? ?(?:are|have|has|'s|is)? \S+(?: \S+)?(?: been| doing| going)?(?: lately| today)?\?|what's "
    r"(?:up|new|going on)|any(?:thing)? (?:new|else)|"
    r"(?:do|does|would|are|is) .{0,40}\b(?:any (?:more|other|further)|need|like|want|ready|sound|work "
    r"for)\b|how (?:does|do) (?:this|that|it) sound|"
    r"what (?:do|does) .{1,30} think|(?:do|does) .{1,20} think (?:that|this|it)\b|what can (?:you|i|we) do\b|"
    r".*(?:\bright|\byou know|\bdon't they|\bisn't it)\?$|.*\byou (?:said|mentioned)\b|can you believe|"
    r"is(?:n't)? (?:that|it)\b|right\?)"
)
_IMPERATIVE = re.compile(
    r"(?i)^(?:please|always|never|from now|whenever|remember|don't|do not|make sure|only|keep|use|"
    r"when i|going forward)\b"
)
_LETTER = re.compile(r"(?i)(?:hi|hello|hey|dear|subject|best regards|sincerely)\b")
_DRAFT = re.compile(r"\n[^\S\n]*(?:Hi|Hey|Hello|Dear) [A-Z]\w+[,!]")  # a letter that the user has written
_NAMED = re.compile(r"\d|[\"“]| by [A-Z]")
_CLOCK = re.compile(r"(?i)\d ?[ap]\.?m\b.{0,4}[-–]")  # a line of a drafted timetable
_FORMULA = re.compile(r"\\|[=^{}]|\bP\(")
_SEEN = re.compile(r"(?i)photo|image|picture|video|file|document|link|attach")
_THIS = re.compile(r"(?i)\b(?:this|that|it|them|these|those|they|her|him)\b(?! \w+ (?:is|are)\b)")
_SINGULAR_SELF = re.compile(r"\b(?:I|I'm|I've|I'd|my|me|My)\b")
MAX_PROSE = 1
SHORT_ANSWER = 5  # sentences of an assistant that are read like those of anyone
_OPEN_QUESTION = re.compile(
    r"(?i)^(?:how|what|why|which|where) (?:\w+ ){0,4}?(?:do|does|did|can|could|should|would|is|are|was|were|will)\b"
)
_SECOND_PERSON = re.compile(r"(?i)\b(?:you|your|you're|you've|you'll|us|let's)\b")
_ASKS = re.compile(
    r"(?i)^(?:what|how|when|where|who|why|which|is|are|do|does|did|can|could|should|would|will|have|has|any)\b"
)


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


@dataclass(frozen=True, slots=True)
class _Turn:
    """A message with what is known of it: who says it to whom, and what was asked before."""

    place: int
    role: str
    said_at: datetime
    speakers: Speakers
    names: Sequence[str]
    blocks: MessageBlocks
    question: str
    topic: str
    is_for_assistant: bool


def draw_candidates(messages: Sequence[TranscriptTurn]) -> list[DrawnStatement]:
    """Return everything that could be kept of messages of one conversation, in their order."""
    return [
        statement
        for turn in _turns(messages)
        for statement in (*_notes(turn), *_lists(turn), *_sentences(turn))
        if not looks_like_secret(statement.text)
    ]


def speaker_label(message: TranscriptTurn) -> str:
    """Return how statements call the speaker of a message: by name, or "the user" and "the assistant"."""
    name = " ".join(message.name.split())
    return name if name and name.lower() != message.role else f"the {message.role}"


def _turns(messages: Sequence[TranscriptTurn]) -> Iterator[_Turn]:
    labels = list(dict.fromkeys(speaker_label(each) for each in messages if each.role in SPOKEN_ROLES))
    roles = {each.role for each in messages}
    question, asker, topic = "", "", ""
    for place, message in enumerate(messages):
        if message.role not in SPOKEN_ROLES:
            continue
        speaker = speaker_label(message)
        others = [label for label in labels if label != speaker]
        speakers = Speakers(speaker, others[0] if len(others) == 1 else "")
        is_for_assistant = message.role == "user" and "assistant" in roles
        blocks = parse_blocks(_DRAFT.split(message.content, maxsplit=1)[0] if is_for_assistant else message.content)
        yield _Turn(
            place, message.role, message.created_at, speakers,
            [form for label in labels for form in nicknames(label)],
            blocks, *((question, topic) if asker != speaker else ("", "")),
            is_for_assistant,
        )  # fmt: skip
        question, asker = _last_question(blocks, speakers, message), speaker
        topic = _topic(blocks, speakers, message.created_at)


def _last_question(blocks: MessageBlocks, speakers: Speakers, message: TranscriptTurn) -> str:
    """Return what a message asks at its end, as what follows "asked"; '' for nothing.

    A question stands in quotes, a request ("can you help me plan it?") begins with "to".
    """
    names = nicknames(speakers.listener)
    is_request = message.role == "user" and speakers.listener == "the assistant"
    for sentence in reversed(blocks.sentences if is_request else blocks.sentences[-3:]):
        wish = _REQUEST.search(sentence) if is_request else None
        asked = strip_leads(sentence[wish.end() :] if wish else _without_preamble(sentence), names=names)
        if not (wish or asked.rstrip("\"')").endswith("?")) or len(asked.split()) < 3 or _STOCK_QUESTION.match(asked):
            continue
        retold = _absolute(retell(asked, speakers=speakers), message.created_at)
        if not wish and len(retold) > MAX_QUESTION and not _ASKS.match(asked):
            return ""
        if not wish:
            return f'"{excerpt(retold, limit=MAX_QUESTION)}"'
        wanted = excerpt(retold[:1].lower() + retold[1:], limit=MAX_QUESTION).rstrip(" ?.!")
        return f"to help {wanted}" if wish["help"] else f"to {wanted}"
    return ""


def _topic(blocks: MessageBlocks, speakers: Speakers, said_at: datetime) -> str:
    """Return the sentence that tells most of what a message is about; '' for nothing."""
    told = [each for each in map(partial(strip_leads, names=()), blocks.sentences[:8]) if not is_talk(each)]
    best = max(told, key=lambda each: salience(each) - points_early(each) - points_back(each), default="")
    return excerpt(_absolute(retell(best, speakers=speakers), said_at), limit=MAX_TOPIC).rstrip(" ?.!")


def _without_preamble(sentence: str) -> str:
    """Return the question at the end of a long sentence."""
    if len(sentence) <= MAX_QUESTION or not (parts := list(_QUESTION_PART.finditer(sentence))):
        return sentence
    return sentence[parts[-1].end() :]


def _absolute(text: str, said_at: datetime) -> str:
    return resolve_dates(text, said_on=said_at.date())


def _finish(turn: _Turn, text: str, *, kind: StatementKind, worth: float, confidence: float) -> DrawnStatement:
    shown = excerpt(text.strip(" ,;:-–"), limit=MAX_CHARACTERS)
    if shown.count('"') % 2:
        shown = shown.replace('"', "")
    shown = shown[:1].upper() + shown[1:]
    if shown[-1:] not in {".", "!", "?", "…", '"'}:
        shown += "."
    return DrawnStatement(
        shown, kind, turn.said_at, turn.speakers.speaker.removeprefix("the "), confidence, turn.place, worth
    )


def _notes(turn: _Turn) -> Iterator[DrawnStatement]:
    for what, about in turn.blocks.notes:
        if _SEEN.search(what):
            yield _finish(
                turn,
                f"{turn.speakers.speaker} shared {about}",
                kind=StatementKind.EVENT,
                worth=WORTH_OF_NOTE,
                confidence=0.7,
            )


def _lists(turn: _Turn) -> Iterator[DrawnStatement]:
    if turn.role == "assistant":
        yield from _suggestions(turn)
        return
    for block in turn.blocks.lists:
        heading = f" {without_number(block.heading)}" if block.heading else ""
        yield from _group_items(turn, f"{turn.speakers.speaker} listed{heading}: ", block.items)


def _suggestions(turn: _Turn) -> Iterator[DrawnStatement]:
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


def _occasion(turn: _Turn) -> str:
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


def _item(turn: _Turn, item: str) -> str:
    return _absolute(retell(item, speakers=turn.speakers, is_introduced=True), turn.said_at)


def _group_items(turn: _Turn, lead: str, items: Sequence[str]) -> Iterator[DrawnStatement]:
    """Yield the items of a list as few statements."""
    group: list[str] = []
    for item in [*items, ""]:
        if group and (not item or len(lead) + sum(map(len, group)) + len(item) > MAX_CHARACTERS - 20):
            text = lead + "; ".join(group)
            yield _finish(turn, text, kind=classify(text), worth=salience(text) + 0.2, confidence=0.6)
            group = []
        group.append(_item(turn, item))


def _sentences(turn: _Turn) -> Iterator[DrawnStatement]:
    """Yield the statements of a message's prose: a sentence, with those that cannot stand without it."""
    together: list[str] = []
    is_answer = bool(turn.question)
    for sentence in _prose(turn):
        said = strip_leads(sentence, names=turn.names)
        if (is_talk(said) and not (is_answer and is_bare_answer(said))) or (
            said.endswith("?") and not turn.is_for_assistant
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
            yield _statement(turn, together)
            together = []
        is_short = points_back(said) or points_early(said) or len(said.split()) < 7 or not has_first_person(said)
        if is_answer and is_short and turn.role != "assistant":
            yield _answer(turn, said)
        elif not points_back(said):
            together = [said]
        is_answer = False
    if together:
        yield _statement(turn, together)


def _prose(turn: _Turn) -> Sequence[str]:
    """Return the sentences to be read: of a long answer of an assistant the few that say something of their own."""
    sentences = turn.blocks.sentences
    if turn.role != "assistant" or (len(sentences) <= SHORT_ANSWER and not turn.blocks.lists):
        return [each for each in sentences if not each.count("\\")]
    telling = [each for each in sentences if _is_telling_answer(each) and _SECOND_PERSON.search(each)]
    best = sorted(telling, key=salience, reverse=True)[:MAX_PROSE]
    return [each for each in sentences if each in best]


def _answer(turn: _Turn, said: str) -> DrawnStatement:
    """Return a question of the other speaker together with an answer that says little alone."""
    is_named = turn.speakers.speaker.casefold() in turn.question.casefold()
    answer = _absolute(retell(with_subject(said), speakers=turn.speakers, is_introduced=is_named), turn.said_at)
    text = f"Asked {turn.question}, {turn.speakers.speaker} said: {answer}"
    worth = salience(said) + (0.4 if points_early(turn.question) or points_back(said) else 0.5)
    return _finish(turn, text, kind=classify(said, is_instruction_possible=False), worth=worth, confidence=0.6)


def _statement(turn: _Turn, together: Sequence[str]) -> DrawnStatement:
    first, *others = together
    text = _first_sentence(turn, first)
    parts = [text, *(retell(each, speakers=turn.speakers, is_introduced=True) for each in others)]
    whole = " ".join(part if part[-1:] in ".!?…" else f"{part}." for part in map(_capitalize, parts))
    raw = " ".join(together)
    worth = max(map(salience, together)) + 0.1 * len(others)
    if turn.is_for_assistant:
        worth += 0.8
    elif turn.role == "assistant":
        worth -= 0.5
    elif not any(map(has_first_person, together)):
        worth -= 0.35
    if points_early(first):
        shown = next((about for what, about in turn.blocks.notes if _SEEN.search(what)), "")
        whole = f"{whole.rstrip('.!')} (with {shown})." if shown else whole
        worth -= 0.3 if shown else 0.6
    if _SECOND_PERSON.search(raw) and not turn.is_for_assistant:
        worth -= 0.3
    kind = classify(raw, is_instruction_possible=turn.is_for_assistant)
    return _finish(
        turn, _absolute(whole, turn.said_at), kind=kind, worth=worth, confidence=0.7 if has_first_person(first) else 0.5
    )


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _first_sentence(turn: _Turn, sentence: str) -> str:
    speakers = turn.speakers
    if turn.is_for_assistant and (asked := _REQUEST.search(sentence)):
        return _request(speakers, sentence, asked)
    said = sentence if turn.role == "assistant" else with_subject(sentence)
    if turn.is_for_assistant and _IMPERATIVE.match(sentence) and classify(sentence) == StatementKind.INSTRUCTION:
        return f"{speakers.speaker} instructed: {retell(sentence, speakers=speakers, is_introduced=True)}"
    is_asked = turn.is_for_assistant and _OPEN_QUESTION.match(sentence) is not None
    if is_asked or (sentence.endswith("?") and _ASKS.match(sentence)):
        return f"{speakers.speaker} asked: {retell(sentence, speakers=speakers, is_introduced=True)}"
    text = retell(said, speakers=speakers)
    if has_first_person(said):
        return text
    return f"{speakers.speaker} said: {text[:1].upper()}{text[1:]}"


def _request(speakers: Speakers, sentence: str, asked: re.Match[str]) -> str:
    """Return "…, can you help me write it?" as what the user says, and what they ask for."""
    before = sentence[: asked.start()].rstrip(" ,.;:–-")
    wish = sentence[asked.end() :].rstrip(" ?.!")
    said = retell(before, speakers=speakers) if before else speakers.speaker
    is_introduced = not before or has_first_person(before)
    wanted = retell(wish, speakers=speakers, is_introduced=True)
    helping = "help them " if asked["help"] else ""
    if not before:
        return f"{said} asked {speakers.listener or 'the assistant'} to {helping}{wanted}"
    who = "they" if is_introduced else speakers.speaker
    return f"{said}; {who} asked {speakers.listener or 'the assistant'} to {helping}{wanted}"
