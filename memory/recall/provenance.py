"""Provenance of what a context shows: a source class that the server determines, and the author. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from core.text.prompt_sanitiser import label
from memory.models import Source
from workspaces.access.callers import KIND_NOTES, PEOPLE


class SourceClass(StrEnum):
    """Where an item of a context comes from, whatever its author says."""

    PERSON = "person"
    AGENT = "agent"
    EXTRACTION = "extraction"
    IMPORT = "import"
    MESSAGE = "message"
    EPISODE = "episode"
    TELEMETRY = "telemetry"


@dataclass(frozen=True, slots=True)
class Provenance:
    """The source class and the label of the author; `connection` is the name of the one that a node came through,
    `conversation` the key of the one in which something was said."""

    source: SourceClass
    author: str = ""
    connection: str = ""
    conversation: str = ""
    _note: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shows_author = self.source not in {SourceClass.PERSON, SourceClass.EXTRACTION}
        name = label(_without_kind(self.author)) if shows_author else ""
        by = f" {name}" if name else ""
        through = f" via {label(self.connection)}" if self.connection else ""
        where = f" in {label(self.conversation)}" if self.conversation else ""
        object.__setattr__(self, "_note", f"({self.source}{by}{through}{where})")

    def __str__(self) -> str:
        """Return the provenance in a line of a context, in a few tokens: `(agent order-desk)`. People are not named."""
        return self._note


@lru_cache(maxsize=1024)  # a thousand facts have few authors, and all are in every context
def memory_provenance(
    *, source: str, author: str, author_kind: str, edited_by: str = "", edited_by_kind: str = ""
) -> Provenance:
    """Return the provenance of a memory: of the words that it has now, so the actor that edited them is their
    author."""
    if edited_by_kind:
        return Provenance(_source_class(edited_by_kind), edited_by)
    if source == Source.EXTRACTION and author_kind not in KIND_NOTES:  # a key may state it, and stays an agent
        return Provenance(SourceClass.EXTRACTION, author)
    if source == Source.IMPORT:
        return Provenance(SourceClass.IMPORT, author)
    return Provenance(_source_class(author_kind), author)


@lru_cache(maxsize=1024)
def message_provenance(*, appended_by: str, appended_by_kind: str) -> Provenance:
    """Return the provenance of a message: who appended it, whatever role and name it was given."""
    return Provenance(_source_class(appended_by_kind), appended_by)


def node_provenance(provenance: Mapping[str, Any], *, connection: str = "") -> Provenance:
    """Return the provenance of a node from what was kept when it was made, edits included."""
    edited = provenance.get("edited")
    if isinstance(edited, Mapping):
        return Provenance(_source_class(str(edited.get("by_kind"))), str(edited.get("by", "")), connection)
    sources = provenance.get("sources")
    if isinstance(sources, list) and sources and isinstance(sources[-1], Mapping):
        return Provenance(SourceClass.EXTRACTION, str(sources[-1].get("by", "")), connection)
    is_person = provenance.get("source") == Source.USER
    source = SourceClass.PERSON if is_person else SourceClass.AGENT
    if provenance.get("is_imported") is True:
        source = SourceClass.IMPORT
    return Provenance(source, str(provenance.get("by", "")), connection)


def profile_provenance(*, updated_by: str, updated_by_kind: str) -> Provenance:
    """Return the provenance of what is kept about a user."""
    return Provenance(_source_class(updated_by_kind), updated_by)


def _without_kind(author: str) -> str:
    """Drop the note of a signature that says "API key" or "connected app": the source class says it already."""
    for note in KIND_NOTES.values():
        author = author.removesuffix(note)
    return author


def _source_class(kind: str) -> SourceClass:
    """Anything that is not known to be a person counts as an agent, which is trusted less."""
    return SourceClass.PERSON if kind in PEOPLE else SourceClass.AGENT
