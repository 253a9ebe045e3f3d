"""How recalled things read in a prompt: one line each, under the headings that agents know.

Stored text is flattened (core.text.prompt_sanitiser), so that it cannot begin a line, and provenance stands before it,
where it cannot be imitated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple, Protocol
from uuid import UUID

from conversations.models import Message, MessageRole
from core.text.prompt_sanitiser import flat_excerpt, flatten, label, quote
from core.text.secrets import looks_like_secret
from core.text.transcripts import strip_secrets
from memory.episodes.retold_summary import NOTHING_QUOTABLE
from memory.memories.sources.repetitions import cut_spans
from memory.models import EpisodeStatement, MemoryEpisode
from memory.recall.provenance import Provenance, SourceClass

EPISODES_HEADING = "Earlier conversation summaries (most recent last):"
NODE_CHARACTERS = 300
MESSAGE_CHARACTERS = 600
# Of a topic many mentions are wanted more than all that each of them says.
MENTION_CHARACTERS = 200
# What is read of a text to quote as much as that, and in proportion for mentions.
READ_CHARACTERS = 2_400
# Of a line so much around what is quoted of it is looked through for credentials.
NEAR = 2_000
# Roles of those who have a name.
SPEAKERS = frozenset({MessageRole.USER, MessageRole.ASSISTANT})


class EpisodeSummary(NamedTuple):
    """What a line says of an episode."""

    id: UUID
    turn_count: int
    summary: str


def episode_line(episode: MemoryEpisode | EpisodeSummary, *, cut: Sequence[Sequence[int]] = ()) -> str:
    """Return the line that PRODUCT section 5 fixes, without what stands in the places that are `cut`."""
    summary = cut_spans(episode.summary, cut) or NOTHING_QUOTABLE
    return f"- ({episode.turn_count} turns) {flatten(summary)}"


def message_lines(
    message: Message,
    provenance: Provenance,
    *,
    is_of_one: bool = True,
    characters: int = MESSAGE_CHARACTERS,
    spans: Sequence[Sequence[int]] = (),
    conversation: str = "",
) -> tuple[str, str]:
    """Return a message as it begins a passage (its mark, its date, its provenance, who and what), and as it goes on
    with one.

    On one line and without secrets; a name stands behind the role, which it cannot replace. `is_of_one` says that all
    of the passage has this provenance, so that it is said once. At most `characters` of the text are quoted: its
    beginning, or what stands between the places of each of `spans`. An opening names the `conversation` whose key is
    given.
    """
    read = _quote_spans(message.content, spans) or strip_secrets(
        _beginning(message.content, READ_CHARACTERS * characters // MESSAGE_CHARACTERS)
    )
    said = flat_excerpt(read, limit=characters)
    return _passage_lines(message, said, provenance, is_of_one=is_of_one, conversation=conversation)


def question_lines(
    message: Message, question: str, provenance: Provenance, *, is_of_one: bool = True, conversation: str = ""
) -> tuple[str, str]:
    """Return what a message asks, without secrets already, as `message_lines` return all of it."""
    said = f"… {flatten(question)}"
    return _passage_lines(message, said, provenance, is_of_one=is_of_one, conversation=conversation)


def _passage_lines(
    message: Message, said: str, provenance: Provenance, *, is_of_one: bool, conversation: str
) -> tuple[str, str]:
    text = f"{speaker(message)}: {said}"
    placed = replace(provenance, conversation=conversation) if conversation else provenance
    opening = f"- [msg:{message.id}] {message.created_at:%a %Y-%m-%d} {placed} {text}"
    return opening, f"  {text if is_of_one else f'{provenance} {text}'}"


def speaker(message: Message) -> str:
    """Return the role of who said it, and the name behind that."""
    name = speaker_name(message)
    return f"{message.role} {name}" if name else str(message.role)


def speaker_name(message: Message) -> str:
    """Return the name that a message was given, as a label; a system or a tool has none, which could be a person's, and
    a role is not one."""
    name = label(message.name) if message.role in SPEAKERS else ""
    return "" if name.casefold() == message.role else name


def _beginning(text: str, most: int) -> str:
    """Return what may be shown of a text: credentials are looked for in its lines, and not in all of a book."""
    if len(text) <= most:
        return text
    cut = text[:most]
    return cut[: cut.rfind("\n") + 1] or cut  # half a line may hide what it holds


def _quote_spans(text: str, spans: Sequence[Sequence[int]]) -> str:
    """Return what stands in these places, with "…" for what is left out; without what is of a line with a secret."""
    shown = [(begin, end) for begin, end in spans if not looks_like_secret(_lines_around(text, begin, end))]
    parts, last = [], 0
    for begin, end in shown:
        parts += ["…"] if text[last:begin].strip() else []
        parts.append(text[begin:end])
        last = end
    return " ".join([*parts, "…"] if text[last:].strip() else parts) if shown else ""


def _lines_around(text: str, begin: int, end: int) -> str:
    """Return all of the lines that a part of a text is of, of long ones what is near."""
    near = text[max(begin - NEAR, 0) : end + NEAR]
    before, behind = near.rfind("\n", 0, min(begin, NEAR)), near.find("\n", min(begin, NEAR) + end - begin)
    return near[before + 1 : behind if behind >= 0 else len(near)]


def statement_lines(statement: EpisodeStatement) -> tuple[str, str]:
    """Return a statement as the first of its episode, with the mark of that, its source and its date, and as another
    one."""
    text = f"{statement.said_at:%Y-%m-%d}: {flatten(statement.text)}"
    return f"- [ep:{statement.episode_id}] ({SourceClass.EPISODE}) {text}", f"  {text}"


def memory_line(
    identity: str, content: str, provenance: Provenance, *, since: date | None = None, stated: date | None = None
) -> str:
    """Return the content on one line, behind the citation that an answer repeats when it uses it.

    `since` is the day from which on it holds, of one that replaced another; `stated` the day of which it is said.
    """
    dated = f" (since {since:%Y-%m-%d})" if since else ""
    told = f"{stated:%Y-%m-%d}: " if stated else ""
    return f"- [mem:{identity}] {provenance} {told}{flatten(content)}{dated}"


def profile_section(heading: str, text: str, provenance: Provenance) -> str:
    """Return a section of what is kept about a user: a line of the server, then the lines of the section, each
    quoted."""
    title = f" {flatten(heading)}:" if heading else ""
    return f"- {provenance}{title}\n{quote(text)}"


class Thing(Protocol):
    """What a line says of a node."""

    @property
    def id(self) -> UUID: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def body(self) -> str: ...


def node_line(node: Thing, provenance: Provenance) -> str:
    said = flat_excerpt(f"{node.name} {node.body}", limit=NODE_CHARACTERS)
    return f"- [node:{node.id}] {provenance} {flatten(node.type)}: {said}"


def edge_lines(node_id: str, sentence: str, provenance: Provenance) -> tuple[str, str]:
    """Return an edge as it reads without the node that brings it, and behind that."""
    said = f"{provenance} {flatten(sentence)}"
    return f"- [node:{node_id}] {said}", f"  {said}"
