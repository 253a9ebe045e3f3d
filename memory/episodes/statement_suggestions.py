"""Statements of long answers of an assistant: what has numbers, or the outline. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.english.message_markup import without_number
from core.english.salience import salience
from core.text import excerpt
from memory.episodes.drawn_statement import DrawnStatement, finish_statement, retell_item
from memory.episodes.sentence_analysis import FIRST_SINGULAR, TO_OTHERS
from memory.episodes.statement_kinds import StatementKind, classify
from memory.episodes.statement_turns import SpokenMessage
from memory.episodes.unresolved_references import find_unresolved

MAX_OUTLINE, MAX_ITEMS = 130, 1
_NUMBERS = re.compile(r"\d{2}|\d+[%$:.,]\d|[$€£]\d|\b\d+ \w{3,}")
_STOCK_HEADING = re.compile(
    r"(?i)(?:conclusion|summary|example|explanation|introduction|additional|final|step-by-step|overview|"
    r"key points|tips?\b|notes?\b|"
    r"task \d|week \d|day \d|month \d|option \d|phase \d|practical|usage|output|next steps|important)"
)
_LETTER = re.compile(r"(?i)(?:hi|hello|hey|dear|subject|best regards|sincerely)\b")
_NAMED = re.compile(r"\d|[\"“]| by [A-Z]")
_CLOCK = re.compile(r"(?i)\d ?[ap]\.?m\b.{0,4}[-–]")  # a line of a drafted timetable
_FORMULA = re.compile(r"\\|[=^{}]|\bP\(")
_THIS = re.compile(r"(?i)\b(?:this|that|it|them|these|those|they|her|him)\b(?! \w+ (?:is|are)\b)")
_STANDING = re.compile(r"(?i)(?:always|never|from now on|whenever)\b")


def draw_suggestions(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    """Yield of a long answer what has numbers or dates, and its outline if nothing has or if it names things."""
    labels = [without_number(each) for each in turn.blocks.headings]
    items = [(block.heading, item) for block in turn.blocks.lists for item in block.items]
    labels.extend(item.partition(":")[0] for _, item in items if ":" in item[:60])
    outline = _outline([each for each in dict.fromkeys(labels) if _is_telling(each)])
    speaker = turn.speakers.speaker
    telling = sorted((pair for pair in items if is_telling_answer(pair[1])), key=lambda pair: -salience(pair[1]))
    if _STANDING.match(turn.topic):  # an instruction was acknowledged
        return
    occasion = _occasion(turn)
    if not occasion and (turn.topic or turn.question):  # what it is about is not clear
        return
    if outline and occasion and (not telling or _NAMED.search(outline)):
        yield finish_statement(
            turn, f"{occasion}{speaker} wrote about: {outline}", kind=StatementKind.FACT, worth=1.0, confidence=0.6
        )
    for heading, item in telling[:MAX_ITEMS]:
        place = f" ({excerpt(without_number(heading), limit=60)})" if heading and _is_telling(heading) else ""
        yield finish_statement(
            turn, f"{occasion}{speaker} suggested{place}: {retell_item(turn, item)}",
            kind=classify(item, is_instruction_possible=False), worth=salience(item) - 0.5, confidence=0.5,
        )  # fmt: skip


def _occasion(turn: SpokenMessage) -> str:
    """Return what an answer was asked, or is about, as the beginning of a statement."""
    is_vague = _THIS.search(turn.question) is not None or find_unresolved(turn.question, is_retold=True)
    if turn.topic and (is_vague or not turn.question):
        return "" if find_unresolved(turn.topic, is_retold=True) else f'About "{turn.topic}" '
    return f"Asked {turn.question}, " if turn.question else ""


def _outline(labels: Sequence[str]) -> str:
    """Return as many whole labels as fit."""
    kept: list[str] = []
    for label in labels:
        if kept and len("; ".join([*kept, label])) > MAX_OUTLINE:
            break
        kept.append(label)
    return excerpt("; ".join(kept), limit=MAX_OUTLINE)


def is_telling_answer(sentence: str) -> bool:
    """Return whether a sentence of a long answer has numbers, and is neither a formula nor a draft."""
    is_plain = not any(pattern.search(sentence) for pattern in (_FORMULA, FIRST_SINGULAR, _CLOCK))
    return is_plain and _NUMBERS.search(sentence) is not None


def _is_telling(label: str) -> bool:
    """Return whether a heading says what is below it."""
    if _THIS.search(label) or TO_OTHERS.search(label):
        return False
    is_stock = _STOCK_HEADING.match(label) or _LETTER.match(label) or _CLOCK.search(label) or label.endswith(",")
    return len(label.split()) <= 10 and not is_stock
