"""What the server answers about turns of a chat, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from workspace_memory.base_models import Answer
from workspace_memory.models import CitedMemory, CitedNode, Message, Run

__all__ = ["Layer", "Turn"]


class Layer(Answer):
    """How one layer of a context fared."""

    layer: str
    ms: float
    found: int
    left_out: bool


class Turn(Answer):
    """A turn that is over: the stored answer, what it cited, and how it came about."""

    message: Message
    run: Run
    citations: list[CitedMemory]
    nodes: list[CitedNode]
    unresolved: list[str]
    malformed: list[str]
    over_limit: int
    model: str | None = None
    fallback: str | None = None
    left_out: list[str]
    receipt_id: str | None = None
    trace: list[Layer]
    latency_ms: float
