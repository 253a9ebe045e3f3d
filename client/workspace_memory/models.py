"""What the server answers, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from workspace_memory.base_models import Answer, Citable, Found, Page, Readiness, Ready, Report

# fmt: off
__all__ = [
    "Action", "AddedMessages", "Answer", "Arm", "Captured", "Citable", "CitedMemory", "CitedNode", "Context",
    "ContextBlock", "ContextItem", "Conversation", "Dropped", "EndedConversation", "Episode", "FinishedRun", "Found",
    "Hit", "Import", "ItemResult", "Kind", "MemorySource", "Message", "MessageHit", "Mode", "Outcome", "Page",
    "Proposal", "ProposalStatus", "Purged", "Readiness", "Ready", "Report", "Revision", "Role", "Run", "RunCitation",
    "RunStatus", "Source", "StepSource", "StepStatus", "StoredAction", "StoredMemory", "StoredMemoryDetail",
    "Switched", "UserMemory", "Workspace", "WorkspaceSettings",
]
# fmt: on
Kind = Literal["memory", "fact"]
Mode = Literal["hybrid", "keyword", "semantic"]
Role = Literal["user", "assistant", "tool", "system"]
RunStatus = Literal["succeeded", "failed", "cancelled"]
Outcome = Literal["success", "failure", "dead_end"]
Source = Literal["user", "agent", "extraction", "import"]
ProposalStatus = Literal["pending", "accepted", "rejected"]
StepStatus = Literal["pending", "in_progress", "done", "blocked", "skipped"]


class Workspace(Answer):
    """A workspace that the caller may enter."""

    id: str
    name: str
    slug: str


class StoredMemory(Citable):
    """A memory or fact."""

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
    pinned_by: str | None = None
    pinned_at: datetime | None = None
    suppressed: bool
    suppressed_by: str | None = None
    suppressed_at: datetime | None = None
    suppressed_reason: str | None = None
    times_referenced: int
    independent_references: int
    last_referenced_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
    is_deleted: bool
    pending_embedding: bool
    origin_id: str | None = None
    origin_space: str | None = None
    superseded_by: str | None = None
    superseded_at: datetime | None = None


class MemorySource(Answer):
    """A message that says what a memory says; `quote` is its sentence, null once the message was deleted."""

    message_id: str
    conversation_id: str
    conversation: str
    said_at: datetime
    quote: str | None = None


class StoredMemoryDetail(StoredMemory):
    """A memory or fact with the messages that it was extracted from, newest first, at most 50."""

    sources: list[MemorySource]


class Arm(Answer):
    """Where one arm of a search put a hit."""

    rank: int
    score: float


class Hit(Answer):
    """A memory that a search found; `arms` has its place by words and by meaning."""

    memory: StoredMemory
    score: float
    confidence: float | None = None
    arms: dict[str, Arm]


class StepSource(Answer):
    """The message that made a step of a memory's history."""

    message_id: str
    conversation_id: str
    conversation: str
    said_at: datetime


class Revision(Answer):
    """One step in the history of a memory; `before` holds what it replaced, `source` the message that made it."""

    id: str
    action: str
    by: str
    by_kind: str
    at: datetime
    before: dict[str, Any]
    source: StepSource | None = None


class Run(Answer):
    """One piece of work of an agent."""

    id: str
    agent: str
    conversation: str | None = None
    status: str
    started_at: datetime
    finished_at: datetime | None = None


class RunCitation(Answer):
    """A run that cited a memory."""

    run: Run
    counted: bool
    at: datetime


class CitedMemory(Answer):
    """A memory that a run cited; `counted` says whether this very call raised its counter."""

    memory_id: str
    counted: bool


class CitedNode(Answer):
    """Any other node that a run cited."""

    node_id: str
    counted: bool


class FinishedRun(Answer):
    """A run in its terminal state, what it cited, and ids that are none of this workspace."""

    run: Run
    citations: list[CitedMemory]
    nodes: list[CitedNode]
    unresolved: list[str]
    malformed: list[str]
    over_limit: int


class Proposal(Answer):
    """A memory that was offered to another space, as it was then; `memory_id` is what it became there."""

    id: str
    status: str
    space: str
    content: str
    tags: list[str]
    author: str
    origin_id: str
    origin_space: str
    proposed_by: str
    proposed_at: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None
    memory_id: str | None = None


class Purged(Answer):
    """What a purge forgot."""

    removed: list[dict[str, Any]]
    count: int


class Conversation(Answer):
    """A conversation, without what was said in it."""

    id: str
    key: str
    title: str
    status: str
    created_at: datetime
    last_message_at: datetime | None = None
    ended_at: datetime | None = None


class EndedConversation(Conversation):
    """A conversation that was ended; `extracting` says whether facts and preferences are being looked for in it."""

    extracting: bool
    memory_enabled: bool
    reason: str | None = None
    passed_over: int
    detail: str


class AddedMessages(Answer):
    """Messages that were stored; `extracting` says whether facts and preferences will be looked for in them."""

    conversation_id: str
    conversation: str
    message_ids: list[str]
    extracting: bool
    reason: str | None = None
    detail: str


class Message(Answer):
    """One message as it is stored."""

    id: str
    conversation_id: str
    role: Role
    name: str | None = None
    content: str
    metadata: dict[str, Any]
    session: str
    created_at: datetime
    consolidated_at: datetime | None = None


class MessageHit(Answer):
    """A message that was found, and what speaks for it, the strongest reason first."""

    message: Message
    score: float
    confidence: float | None = None
    reasons: list[str]


class Episode(Answer):
    """A summary and statements that stand for older messages of a conversation."""

    id: str
    conversation_id: str
    summary: str
    turn_count: int
    source_message_ids: list[str]
    period_start: datetime
    period_end: datetime
    created_at: datetime
    statements: list[dict[str, Any]]


class ContextItem(Answer):
    """A thing in a context: why it is there, where it comes from."""

    id: str
    reason: str
    score: float
    source: str
    author: str | None = None
    confidence: float | None = None


class ContextBlock(Answer):
    """Things under one heading."""

    name: str
    text: str
    tokens: int
    items: list[ContextItem]


class Dropped(Answer):
    """A thing that is not in a context: `over_budget`, `low_confidence` or `repeated`."""

    id: str
    reason: str


class Context(Answer):
    """A context, and why each part of it is there; `left_out` names the layers that failed."""

    text: str
    blocks: list[ContextBlock]
    tokens_used: int
    token_budget: int
    dropped: list[Dropped]
    left_out: list[str]
    facts_over_budget: bool
    receipt_id: str | None = None


class UserMemory(Answer):
    """What is kept about a user, whole and by section; `version` stands for what it says."""

    user: str
    content: str
    sections: dict[str, str]
    version: str
    updated_by: str | None = None
    updated_at: datetime | None = None


class Captured(Answer):
    """The actions that were kept, in the order in which they were reported; none while memory is off."""

    captured: int
    ids: list[str]


class StoredAction(Answer):
    """One thing that an agent did."""

    id: str
    session: str
    agent: str
    action_type: str
    tool: str | None = None
    node_type: str | None = None
    node_ids: list[str]
    outcome: str
    error_code: str | None = None
    latency_ms: float | None = None
    occurred_at: datetime


class Switched(Answer):
    """Whether memory is on, and whether the call changed that."""

    enabled: bool
    changed: bool


class WorkspaceSettings(Answer):
    """The settings of a workspace, by part."""

    memory: dict[str, Any]
    models: dict[str, Any]
    retention: dict[str, Any]


class Import(Answer):
    """An import; `received` and `progress` belong to one that is not over, `report` and `error` to one that is."""

    id: str
    status: str
    author: str
    created_at: datetime
    finished_at: datetime | None = None
    received: dict[str, int] | None = None
    progress: dict[str, int] | None = None
    report: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class ItemResult(Answer):
    """What became of one line: the id of what stands for it now, or why it was refused."""

    line: int
    status: str
    id: str | None = None
    code: str = ""
    detail: str = ""
    errors: list[dict[str, Any]] = Field(default_factory=list)


class Action(Report):
    """One action. There is no field for arguments, bodies or messages, and unknown ones are refused."""

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
