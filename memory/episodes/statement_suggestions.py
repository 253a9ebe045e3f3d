"""Statements of long answers of an assistant: what has a name or an amount. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.english.message_markup import without_number
from core.english.salience import salience
from core.text import excerpt
from memory.episodes.drawn_statement import DrawnStatement, finish_statement, retell_item
from memory.episodes.named_headings import announces, concreteness, find_names
from memory.episodes.sentence_analysis import FIRST_SINGULAR, TO_OTHERS
from memory.episodes.statement_kinds import classify
from memory.episodes.statement_turns import ASKS, SpokenMessage, cut_to_clauses
from memory.episodes.unresolved_references import find_unresolved

MAX_ITEM, MAX_ITEMS = 220, 1
# Of the reader, or of what is the matter.
_ABOUT_CASE = re.compile(
    r"(?i)\b(?:you|your|you're|you've|you'll|us|let's|because|due to|occurs?|caused by|instead of|already|"
    r"the (?:error|issue|problem|cause|reason))\b"
)
_STOCK_HEADING = re.compile(
    r"(?i)(?:conclusion|summary|example|explanation|introduction|additional|final|step-by-step|overview|key points|"
    r"tips?\b|notes?\b|task \d|week \d|day \d|month \d|option \d|phase \d|practical|usage|output|next steps|important|"
    r"here\b)"
)
_LETTER = re.compile(r"(?i)(?:hi|hello|hey|dear|subject|best regards|sincerely)\b")
# A part of a text that the user works on.
DRAFTED = re.compile(
    r"(?i)(?:introduction|conclusion|abstract|(?:body )?paragraph|closing|opening|stanza|verse|solution)\b"
)
_CLOCK = re.compile(r"(?i)\d ?[ap]\.?m\b.{0,4}[-–]")  # a line of a drafted timetable
_FORMULA = re.compile(r"\\|[=^{}]|\bP\(")
# A request that only what was said with it explains: "to offer some guidance".
_OF_NOTHING = re.compile(
    r"(?i)^to (?:help |please )?(?:(?:offer|give|provide|share)(?: the user)? (?:me |any |some )?(?:\w+ )?(?:guidance|"
    r"advice|suggestions?|tips|help|feedback)$|figure out what(?:'s| is) (?:going on|wrong|going wrong)|"
    r"tell the user more$|(?:review|check|improve|fix|debug|optimize) (?:their|the user's|the) (?:\w+ )?code\b)"
)
_THIS = re.compile(r"(?i)\b(?:this|that|it|them|these|those|they|her|him)\b(?! \w+ (?:is|are)\b)")
_STANDING = re.compile(r"(?i)(?:always|never|from now on|whenever)\b")


def draw_suggestions(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    """Yield of a long answer one item with a name or an amount that the request does not have."""
    if _STANDING.match(turn.topic):  # an instruction was acknowledged
        return
    occasion = _occasion(turn) if turn.blocks.lists else ""
    if not occasion:  # what it is about is not clear
        return
    items = [(block.heading, item) for block in turn.blocks.lists for item in block.items]
    names = find_names("\n".join([*turn.blocks.sentences, *(item.rpartition(": ")[2] for _, item in items)]))
    told = [
        (concreteness(item, names=names, known=occasion), heading, item) for heading, item in items if is_plain(item)
    ]
    telling = sorted((each for each in told if each[0]), key=lambda each: (-each[0], -salience(each[2])))
    speaker = turn.speakers.speaker
    for _, heading, item in telling[:MAX_ITEMS]:
        place = f" ({excerpt(without_number(heading), limit=60)})" if heading and _is_telling(heading) else ""
        yield finish_statement(
            turn, f"{occasion}{speaker} suggested{place}: {retell_item(turn, cut_to_clauses(item, limit=MAX_ITEM))}",
            kind=classify(item, is_instruction_possible=False), worth=salience(item) - 0.5, confidence=0.5,
        )  # fmt: skip


def _occasion(turn: SpokenMessage) -> str:
    """Return what an answer was asked, or is about, as the beginning of a statement."""
    is_vague = any(pattern.search(turn.question) for pattern in (_THIS, _OF_NOTHING))
    is_vague = is_vague or find_unresolved(turn.question, is_retold=True) != ""
    if turn.topic and (is_vague or not turn.question):
        if find_unresolved(turn.topic, is_retold=True) or turn.topic.endswith("…"):
            return ""
        return f'Asked "{turn.topic}?", ' if ASKS.match(turn.topic) else f'About "{turn.topic}" '
    return f"Asked {turn.question}, " if turn.question else ""


def is_plain(sentence: str) -> bool:
    """Return whether a sentence of a long answer is neither a formula nor a draft nor a line of a timetable."""
    return not any(pattern.search(sentence) for pattern in (_FORMULA, FIRST_SINGULAR, _CLOCK))


def telling_sentences(sentences: Sequence[str]) -> list[str]:
    """Return the sentences of a long answer that tell the reader something with a name or an amount."""
    names = find_names("\n".join(sentences))
    return [
        each
        for each in sentences
        if _ABOUT_CASE.search(each) and is_plain(each) and not announces(each) and concreteness(each, names=names)
    ]


def _is_telling(label: str) -> bool:
    """Return whether a heading says what is below it."""
    if _THIS.search(label) or TO_OTHERS.search(label):
        return False
    is_stock = _STOCK_HEADING.match(label) or _LETTER.match(label) or _CLOCK.search(label) or label.endswith(",")
    return len(label.split()) <= 10 and not is_stock
