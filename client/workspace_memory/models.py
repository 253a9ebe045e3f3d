"""What the server answers, typed. Fields that a newer server adds are kept and can be read as attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["memory", "fact"]
Mode = Literal["hybrid", "keyword", "semantic"]
Role = Literal["user", "assistant", "tool", "system"]
RunStatus = Literal["succeeded", "failed", "cancelled"]
Outcome = Literal["success", "failure", "dead_end"]

T = TypeVar("T")


class Answer(BaseModel):
    """The base of all answers."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Workspace(Answer):
    """The unit of memory that a key belongs to."""

    id: str
    name: str
    slug: str


class StoredMemory(Answer):
    """A memory (a suggestion) or a fact (authoritative), with its standing."""

    id: str
    kind: Kind
    content: str
    tags: list[str]
    source: str
    author: str
    confidence: float
    importance: float
    weight: float
    manual_weight: float
    pinned: bool
    suppressed: bool
    times_referenced: int
    independent_references: int = 0
    last_referenced_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    is_deleted: bool

    @property
    def citation(self) -> str:
        """The mark with which an agent cites this memory in its output."""
        return f"[mem:{self.id}]"


class Arm(Answer):
    """Where one ranking of a search put a hit: rank from 1, score in 0 to 1."""

    rank: int
    score: float


class Hit(Answer):
    """A memory that a search found; `score` in 0 to 1."""

    memory: StoredMemory
    score: float
    arms: dict[str, Arm]


@dataclass(frozen=True, slots=True)
class Found(Sequence[T], Generic[T]):
    """Hits, best first; `method` says which arms ran, `latency_ms` how long the server took."""

    results: tuple[T, ...]
    method: str
    latency_ms: float

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self.results[place]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[T]:
        return iter(self.results)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list, and the query that asks for the next one."""

    results: tuple[T, ...]
    next: dict[str, str] | None


class Revision(Answer):
    """One step in a memory's life."""

    id: str
    action: str
    by: str
    by_kind: str
    at: datetime
    before: dict[str, Any]


class Run(Answer):
    """One piece of an agent's work."""

    id: str
    agent: str
    conversation: str | None
    status: str
    started_at: datetime
    finished_at: datetime | None


class RunCitation(Answer):
    """A run that cited a memory."""

    run: Run
    counted: bool
    at: datetime


class CitedMemory(Answer):
    """A memory that a finished run cited; `counted` only the first time."""

    memory_id: str
    counted: bool


class CitedNode(Answer):
    """A node that is not a memory and was cited; `counted` only the first time."""

    node_id: str
    counted: bool


class FinishedRun(Answer):
    """A run at its end, and what became of its citations."""

    run: Run
    citations: list[CitedMemory]
    nodes: list[CitedNode] = Field(default_factory=list)
    unresolved: list[str]


class Purged(Answer):
    """What a purge forgot."""

    removed: list[dict[str, str]]
    count: int


class Conversation(Answer):
    """Messages under one key of the caller's choice."""

    id: str
    key: str
    title: str
    status: str
    created_at: datetime
    last_message_at: datetime | None
    ended_at: datetime | None


class EndedConversation(Conversation):
    """A conversation that was ended; `extracting` while facts and preferences are looked for."""

    extracting: bool


class Message(Answer):
    """One message of a conversation."""

    id: str
    conversation_id: str
    role: Role
    name: str | None
    content: str
    metadata: dict[str, Any]
    created_at: datetime


class MessageHit(Answer):
    """A message that a search found, and why; `score` in 0 to 1."""

    message: Message
    score: float
    reasons: list[Any]


class Episode(Answer):
    """The summary of older messages."""

    id: str
    conversation_id: str
    summary: str
    turn_count: int
    period_start: datetime
    period_end: datetime
    created_at: datetime


class Window(Answer):
    """What an agent that goes on with a conversation is given of it."""

    conversation_id: str
    text: str
    episodes: list[Episode]
    messages: list[Message]
    tokens_used: int


class ContextItem(Answer):
    """Why something is in a context, and who wrote it; `source` is a class that the server determines."""

    id: str
    reason: str
    score: float
    source: str = ""
    author: str | None = None


class ContextBlock(Answer):
    """One part of a context: facts, episodes, memories, nodes, patterns or profile."""

    name: str
    text: str
    tokens: int
    items: list[ContextItem]


class Dropped(Answer):
    """What did not fit, and why."""

    id: str
    reason: str


class Context(Answer):
    """What an agent should know before it acts; `text` goes into its prompt."""

    text: str
    blocks: list[ContextBlock]
    tokens_used: int
    token_budget: int
    dropped: list[Dropped]
    left_out: list[str]
    facts_over_budget: bool
    receipt_id: str | None


class Action(BaseModel):
    """One thing that an agent did, as types and outcome: never arguments, bodies or what somebody said."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    session: str
    agent: str
    action_type: str
    outcome: Outcome
    tool: str | None = None
    node_type: str | None = None
    node_ids: list[str] = Field(default_factory=list)
    error_code: str | None = None
    latency_ms: float | None = None
    occurred_at: datetime | None = None


class UserMemory(Answer):
    """What is kept about a user, as Markdown; `sections` by heading."""

    user: str
    content: str
    sections: dict[str, str]
    updated_by: str | None
    updated_at: datetime | None


class Captured(Answer):
    """How many actions were kept; none while memory is off."""

    captured: int
    ids: list[str]


class StoredAction(Answer):
    """An action as the server keeps it."""

    id: str
    session: str
    agent: str
    action_type: str
    outcome: str


class Readiness(Answer):
    """One thing that the server leans on; `detail` names the cure where it fails."""

    state: Literal["ok", "failing"]
    ms: float
    detail: str = ""


class Ready(Answer):
    """What the server leans on, by name."""

    checks: dict[str, Readiness]


class Switched(Answer):
    """Whether a switch was moved, or stood there already."""

    changed: bool


class WorkspaceSettings(Answer):
    """The workspace's settings, group by group."""


class Import(Answer):
    """An import of a whole workspace. `report` says what came in, `error` why nothing did."""

    id: str
    status: Literal["open", "queued", "done", "refused"]
    progress: dict[str, int] | None = None
    report: dict[str, Any] | None = None
    error: dict[str, str] | None = None


class ItemResult(Answer):
    """What became of one item of another product's export."""

    line: int
    status: Literal["created", "existing", "refused"]
    id: str | None = None
    code: str = ""
    detail: str = ""
