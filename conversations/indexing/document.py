"""The sheet of a message: what search knows about it without reading it again, packed into bytes. Pure.

A sheet holds hashes of lexemes, never the words. `SHEETS` names the way to make it: change it together with the way,
and the worker makes every sheet again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntFlag
from hashlib import blake2b
from uuid import UUID
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.english.time_expressions import STATED_TIME
from core.text import lexemes

POSTING = np.dtype([("term", "<u4"), ("count", "u1")])
TRAITS = np.dtype(
    [
        ("conversation", "<u8"),  # hashes of what is named; 0 means no name
        ("session", "<u8"),
        ("speaker", "<u4"),
        ("said", "<u4"),  # minutes since 1970
        ("length", "<u2"),  # lexemes
        ("characters", "<u2"),
        ("terms", "<u2"),  # distinct lexemes
        ("marks", "u1"),
    ]
)
SHEETS = "sheets-2"


class Mark(IntFlag):
    """What a message looks like, seen from afar."""

    ASKS = 1  # ends with a question
    TELLS_TIME = 2
    TELLS_NUMBER = 4
    FROM_USER = 8
    TELLS_OF_SELF = 16


_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|once|twice|hundred|thousand)\b", re.IGNORECASE
)
_SELF = re.compile(r"\b(?:i|i'm|i've|my|me|we|we're|our)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IndexedMessage:
    """The packed form: one record of `TRAITS`, and its postings, ordered by term."""

    traits: bytes
    postings: bytes


def index_message(
    *, content: str, name: str, session: str, conversation: UUID, said_at: datetime, is_from_user: bool
) -> IndexedMessage:
    """Return what a message is found by: its own words, its speaker's name and the date on which it was said."""
    counts = Counter(lexemes(f"{said_at:%d %B %Y %A} {name}: {content}".lstrip("0")))
    hashed: Counter[int] = Counter()
    for lexeme, count in counts.items():
        hashed[hash_lexeme(lexeme)] += count
    postings = np.array(sorted((term, min(count, 255)) for term, count in hashed.items()), POSTING)
    traits = np.zeros(1, TRAITS)
    traits[0] = (
        conversation_hash(conversation),
        session_hash(conversation, session),
        speaker_hash(name),
        int(said_at.timestamp()) // 60,
        min(sum(counts.values()), 65_535),
        min(len(content), 65_535),
        len(postings),
        _marks(content, is_from_user=is_from_user),
    )
    return IndexedMessage(traits.tobytes(), postings.tobytes())


def hash_lexeme(lexeme: str) -> int:
    """32 bits that stand for a lexeme; two of a hundred thousand may share them, which shifts one score a little."""
    return crc32(lexeme.encode())


def hash_lexemes(words: Iterable[str]) -> NDArray[np.uint32]:
    return np.fromiter((hash_lexeme(word) for word in words), np.uint32)


def speaker_hash(name: str) -> int:
    """People are named in a question by the first of their names."""
    first = lexemes(name)[:1]
    return hash_lexeme(first[0]) if first else 0


def conversation_hash(conversation: UUID) -> int:
    return int.from_bytes(blake2b(conversation.bytes, digest_size=8).digest(), "little")


def session_hash(conversation: UUID, session: str) -> int:
    return int.from_bytes(blake2b(session.encode(), digest_size=8, key=conversation.bytes).digest(), "little")


def _marks(content: str, *, is_from_user: bool) -> Mark:
    marks = Mark(0)
    if "?" in content[-3:]:
        marks |= Mark.ASKS
    if STATED_TIME.search(content):
        marks |= Mark.TELLS_TIME
    if _NUMBER.search(content):
        marks |= Mark.TELLS_NUMBER
    if _SELF.search(content):
        marks |= Mark.TELLS_OF_SELF
    if is_from_user:
        marks |= Mark.FROM_USER
    return marks
