"""The parts of a message: sentences of prose, lists under their headings, notes in brackets. Pure.

Code is left out: a statement about a conversation is not the place for it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.text import split_sentences

# Of a monster message only the beginning is read.
MAX_CHARACTERS_READ = 20_000
MAX_LINES = 600
# Of a monster sentence too: nothing that is kept of one is half as long, and rules look back over what they have read.
MAX_SENTENCE = 1_000

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^\s*#{1,6}\s+(?P<text>\S.*)$")
_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*•+]|\d{1,2}[.)])\s+(?P<text>\S.*)$")
_TABLE = re.compile(r"^\s*\|")
_MARKUP = re.compile(r"\*\*|__|`|\\[()\[\]]")
# Typed for an apostrophe: "we`ve".
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])[`´](?=(?:ve|s|re|ll|m|d|t)\b)")
_LETTER = re.compile(r"\w")  # without one it is a mark that was left alone: "Thanks! !"
_CODE = re.compile(
    r"[{};]\s*$|^\s*(?:import|from|def|class|return|const|let|var|function|SELECT|INSERT|CREATE|<\w)\b.*[=(:<]|"
    r"=>|\w\(\)|=="
)
_NOTE = re.compile(r"\[(?P<what>[^\[\]:\n]{3,40}): (?P<about>[^\[\]\n]{3,300})\]")
# What a program has put behind the last sentence: an arrow, and more of them with numbers.
_ARROWS = ("->", "=>", "→")
_AFTER_ARROWS = f"{string.whitespace}{string.digits},.>→=-"
_NUMBERED = re.compile(r"^(?:step|part|phase|section|tip|option)?\s*\d{1,2}\s*[.:)-]\s+", re.IGNORECASE)

# The end of a line that leads to code or a list.
_ANNOUNCEMENT = re.compile(
    r"(?i)[,;.]? (?:(?:and|so) )?(?:here(?:['’]s| is| are)|like this|this is|as follows|for example)\b[^.?!]*$"
)
MIN_WORDS_TOLD = 8  # before it; fewer say nothing of their own


@dataclass(slots=True)
class ListBlock:
    """Items of a list, and the heading or the line that leads into them."""

    heading: str
    items: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MessageBlocks:
    """A message, taken apart."""

    sentences: list[str] = field(default_factory=list)
    lists: list[ListBlock] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)


def parse_blocks(content: str) -> MessageBlocks:
    """Take a message apart."""
    text = content[:MAX_CHARACTERS_READ]
    blocks = MessageBlocks()
    blocks.notes = [(found["what"].strip(), found["about"].strip(" .")) for found in _NOTE.finditer(text)]
    text = _NOTE.sub(" ", text) if blocks.notes else text
    heading = ""
    for line in _prose_lines(text):
        found_heading, found_item = _HEADING.match(line), _ITEM.match(line)
        if found_heading or _is_bold_line(line):
            heading = plain(found_heading["text"] if found_heading else line)[:MAX_SENTENCE].rstrip(":")
            blocks.headings.append(heading)
            continue
        if found_item:
            _add_item(blocks, heading, found_item)
            continue
        said = [sentence[:MAX_SENTENCE] for sentence in split_sentences(plain(line)) if _LETTER.search(sentence)]
        if said and said[-1].endswith(":"):
            heading = said.pop().rstrip(":")
            said.extend(_leading_words(heading))
        blocks.sentences.extend(said)
    return blocks


def plain(text: str) -> str:
    """Return a line without the marks of Markdown."""
    return " ".join(_MARKUP.sub("", _APOSTROPHE.sub("'", _cut_trailer(text))).split())


def _cut_trailer(text: str) -> str:
    # Not a pattern: looked for from the front, each of many arrows reads all that follow it.
    rest = len(text.rstrip(_AFTER_ARROWS))
    begins = [at for arrow in _ARROWS if (at := text.find(arrow, rest)) >= 0]
    return text[: min(begins)] if begins else text


def without_number(heading: str) -> str:
    """Return a heading without "Step 1:"."""
    return _NUMBERED.sub("", heading, count=1)


def _prose_lines(text: str) -> Iterator[str]:
    is_code = False
    for line in text.splitlines()[:MAX_LINES]:
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and line.strip() and not _TABLE.match(line) and not (len(line) < 200 and _CODE.search(line)):
            yield line


def _leading_words(heading: str) -> Iterator[str]:
    """Yield what a line says before it leads to code or a list: "I'm moving to Hugo, here's what I have"."""
    announced = _ANNOUNCEMENT.search(heading)
    if announced and len(heading[: announced.start()].split()) >= MIN_WORDS_TOLD:
        yield f"{heading[: announced.start()]}."


def _is_bold_line(line: str) -> bool:
    stripped = line.strip()
    return len(stripped) < 120 and stripped.startswith("**") and stripped.rstrip(":").endswith("**")


def _add_item(blocks: MessageBlocks, heading: str, found: re.Match[str]) -> None:
    text = plain(found["text"])[:MAX_SENTENCE]
    if not blocks.lists or blocks.lists[-1].heading != heading:
        blocks.lists.append(ListBlock(heading))
    items = blocks.lists[-1].items
    is_nested = len(found["indent"]) >= 2
    if is_nested and items and len(items[-1]) < 160:
        items[-1] = (
            f"{items[-1].rstrip('.')}{' ' if items[-1].endswith(':') else ', ' if ': ' in items[-1] else ': '}{text}"
        )
    elif not is_nested:
        items.append(text)
