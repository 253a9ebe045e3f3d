"""A verdict on its way in, with what belongs to it, and what came of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from memory.memories.review.item_kinds import VerdictKind


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with other words, the memory or node to keep, and what stands for what was shown: the `statement_hash`
    of a memory, of two the `hash_pair`, of two nodes the `join_versions`."""

    verdict: VerdictKind
    content: str | None = None
    into: UUID | None = None
    seen: str = ""


@dataclass(frozen=True, slots=True)
class JudgementOutcome:
    """What is recorded of a verdict: its word, the fingerprint of the text, and what its undoing needs."""

    verdict: str
    mark: str = ""
    before: Mapping[str, Any] = field(default_factory=dict)
