"""Data sets of conversations and questions whose evidence is known; they stay outside of the repository.

One JSON file each: {"dataset", "split", "conversations": [{"id", "speakers", "sessions": [{"id", "time", "time_iso",
"messages": [{"id", "speaker", "role", "text"}]}], "questions": [{"id", "category", "question", "evidence": [ids]}]}]}.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the data. `at` is the session's time and its place in the session, in seconds."""

    id: str
    session: str
    session_time: str
    at: datetime
    speaker: str
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the ids of the messages that answer it."""

    id: str
    category: str
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation; message ids are unique within it."""

    id: str
    messages: tuple[Said, ...]
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class DataSet:
    """A file of the data, and the SHA-256 of its bytes."""

    name: str
    sha256: str
    talks: tuple[Talk, ...]

    def beginning(self, *, most_messages: int) -> DataSet:
        """As many of the first conversations as have together at most that number of messages; at least one."""
        sizes = accumulate(len(talk.messages) for talk in self.talks)
        fitting = sum(size <= most_messages for size in sizes)
        return replace(self, talks=self.talks[: max(1, fitting)])

    @property
    def mixed(self) -> Iterator[tuple[Talk, Asked]]:
        """Every question: the first of each conversation, then the second, so that any beginning is fair to all."""
        longest = max(len(talk.questions) for talk in self.talks)
        for place in range(longest):
            yield from ((talk, talk.questions[place]) for talk in self.talks if place < len(talk.questions))

    @property
    def texts(self) -> Iterator[Said]:
        for talk in self.talks:
            yield from talk.messages


def read_data(file: Path, *, most: int | None) -> DataSet:
    """The first `most` conversations of a file, or all of them."""
    raw = file.read_bytes()
    content = json.loads(raw)
    talks = tuple(_talk(conversation) for conversation in content["conversations"][:most])
    return DataSet(f"{content['dataset']} {content['split']}", hashlib.sha256(raw).hexdigest(), talks)


def _talk(conversation: dict[str, Any]) -> Talk:
    messages = tuple(
        Said(
            id=message["id"],
            session=session["id"],
            session_time=session["time"],
            at=datetime.fromisoformat(session["time_iso"]) + timedelta(seconds=place),
            speaker=message["speaker"],
            role=message["role"],
            text=message["text"],
        )
        for session in conversation["sessions"]
        for place, message in enumerate(session["messages"])
    )
    questions = tuple(
        Asked(question["id"], question["category"], question["question"], frozenset(question["evidence"]))
        for question in conversation["questions"]
    )
    return Talk(conversation["id"], messages, questions)
