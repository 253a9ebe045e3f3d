"""A message without what its writer only quotes: mails, dialogues, code, texts to be worked on. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# What is read of a line, without the space before it: a pattern takes long to read much.
MAX_CHARACTERS_OF_LINE = 300
_FENCES = ("```", "~~~")
# "On Monday Anna wrote:" before a quoted mail.
_WROTE = re.compile(r"(?i)(?:on|am|le)\b[^\n]{0,120} wrote:$")
_STAMP = r"\[?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?\]?"
_TURN = re.compile(
    rf"(?i:(?P<stamp>{_STAMP})[ ,–-]*)?(?P<who>[A-Z][\w'’.-]{{0,30}}(?: [A-Z][\w'’.-]{{0,30}}){{0,2}}) ?"
    rf"(?P<later>\(?{_STAMP}\)?)?: +\S"
)
# What "I" is in such a line; "Anna: allergic to nuts" is a note about her.
_SPEAKS = re.compile(r"(?i)\b(?:I|me|my|mine|we|us|our|you|your)\b")
# Heads of one's own notes.
_NOTES_LIST = """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december morning noon afternoon evening night today tomorrow yesterday weekend spring summer autumn
    winter breakfast lunch dinner snack work home school goal goals plan plans pros cons problem solution idea ideas
    question answer name job city hobby hobbies likes dislikes diet allergies background context update note ps edit
    important reminder summary first second third next finally before after now then why how what when where who
"""
_NOTES = frozenset(_NOTES_LIST.split())
# What follows such a line is a text that is to be worked on.
_TO_WORK_ON = re.compile(
    r"(?i)(?:(?:please|hey|hi|hello|ok|okay|thanks|now)[,!]? ){0,4}(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:help me )?"
    r"(?:translate|proofread|proof-read|correct|rewrite|rephrase|paraphrase|summari[sz]e|shorten|polish|edit|improve)\b"
    r"[^\n]{0,120}:$"
)


def own_words(text: str) -> str:
    """Return a message without lines that quote a mail, lines of a dialogue that name who says "I", code between
    fences, and what stands behind a line that asks to translate or correct it."""
    if not any(mark in text for mark in ("\n", "```", ">")):
        return text
    lines = [(line, line[: 2 * MAX_CHARACTERS_OF_LINE].strip()[:MAX_CHARACTERS_OF_LINE]) for line in text.splitlines()]
    is_dialogue = _is_dialogue([head for _, head in lines])
    kept = _plain_lines(lines)
    return "\n".join(line for line, head in kept if not (is_dialogue and _TURN.match(head) and _SPEAKS.search(head)))


def _plain_lines(lines: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    is_code = False
    for line, head in lines:
        if head.startswith(_FENCES):
            is_code = not is_code
        elif not is_code and not head.startswith(">") and not _WROTE.match(head):
            yield line, head
            if _TO_WORK_ON.match(head):
                return


def _is_dialogue(lines: Sequence[str]) -> bool:
    """Return whether two or more speak in lines that begin with their names, or with times and names."""
    turns = [found for line in lines if (found := _TURN.match(line))]
    names = {found["who"].split()[0].lower() for found in turns}
    is_stamped = sum(1 for found in turns if found["stamp"] or found["later"]) > 1
    return is_stamped or (len(names) > 1 and not names & _NOTES)
