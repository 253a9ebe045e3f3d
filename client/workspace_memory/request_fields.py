"""What callers may name in a request, as keyword arguments.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypedDict

from workspace_memory.models import Kind, Mode, Outcome, Source


class MemoryFields(TypedDict, total=False):
    """The body of `POST memories`."""

    tags: Annotated[Sequence[str], "Short labels, without commas."]
    importance: Annotated[float, "How much it matters."]
    confidence: Annotated[float, "How certain it is."]
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: Annotated[datetime | None, "From when on it is not recalled any more; RFC 3339 with an offset."]
    kind: Annotated[Kind, "A memory is a suggestion; a fact is authoritative and needs the scope `facts`."]
    source: Source


class MemoryChanges(TypedDict, total=False):
    """The body of `PATCH memories/{id}`: any of these, at least one."""

    content: Annotated[str, "One statement that stands for itself: who, what, when. No secrets."]
    tags: Annotated[Sequence[str], "Short labels, without commas."]
    importance: Annotated[float, "How much it matters."]
    confidence: Annotated[float, "How certain it is."]
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: Annotated[datetime | None, "From when on it is not recalled any more; RFC 3339 with an offset."]


class Filters(TypedDict, total=False):
    """The filters of a search."""

    kinds: Sequence[Kind]
    tags: Annotated[Sequence[str], "Short labels, without commas."]
    sources: Sequence[Source]
    pinned: bool | None
    created_after: datetime | None
    created_before: datetime | None
    as_of: Annotated[datetime | None, "What was true at this time, instead of now."]
    known_at: Annotated[
        datetime | None, "What was known at this time: without what was learned later, and what that has closed."
    ]


class ActionFilters(TypedDict, total=False):
    """The query string of `GET actions`."""

    session: str
    agent: str
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str
    since: datetime
    until: datetime


class EventFilters(TypedDict, total=False):
    """Which events: behind an id, and of what kind. `Last-Event-ID` stands for `after`."""

    verb: Annotated[str, "Only reads, writes or removals."]
    layer: Annotated[str, "Only of one layer."]
    outcome: Annotated[Outcome, "Only of one outcome."]
    actor: Annotated[str, "The name of a key, an app or a task, or the id of who did it."]


class MessageFields(TypedDict, total=False):
    """One message of `POST conversations/{c}/messages`."""

    name: Annotated[str, "Who said it, where that is known."]
    created_at: Annotated[datetime, "When it was said, RFC 3339 with an offset; now, unless given."]
    metadata: Annotated[dict[str, Any], "Of the caller's own; `session` names the session that the message belongs to."]


class IterationFields(TypedDict, total=False):
    """The body of `POST conversations/{c}/iterations/{task_key}`: one attempt."""

    result: Annotated[str, "What came of it."]
    error: Annotated[str, "The error, as it was reported."]
    diagnosis: Annotated[str, "Why it failed."]
    fix: Annotated[str, "What was or will be changed."]


class ContextFields(TypedDict, total=False):
    """The body of `POST context`."""

    conversation: Annotated[str, "The key or id of the conversation that goes on."]
    node_ids: Annotated[Sequence[str], "Nodes that the work is about."]
    user: Annotated[str, "The caller's own name of the user whom this is for."]
    token_budget: Annotated[int, "The maximum number of tokens; facts are never dropped."]
    as_of: Annotated[datetime | None, "What was true at this time, instead of now."]
    known_at: Annotated[
        datetime | None, "What was known at this time: without what was learned later, and what that has closed."
    ]


class NodeFields(TypedDict, total=False):
    """The body of `POST ontology/nodes`."""

    properties: Annotated[dict[str, Any], "What is known of it, by name."]
    connection: str | None


class NodeChanges(TypedDict, total=False):
    """The body of `PATCH ontology/nodes/{id}`: any of these. Of properties, those that are named; null removes one."""

    type: Annotated[str, "What it is, in a word."]
    name: str
    properties: Annotated[dict[str, Any], "Those to change, by name; null removes one."]


class NodeListFilters(TypedDict, total=False):
    """The query string of `GET ontology/nodes`; `name` is the whole name, `q` a part of it."""

    type: Sequence[str]
    connection: str
    created_after: datetime
    created_before: datetime
    include_deleted: bool
    name: str
    q: str


class NodeFilters(TypedDict, total=False):
    """The filters of a search and of a question; `properties` are all of them."""

    types: Annotated[Sequence[str], "Only these types."]
    connection: str
    properties: Annotated[dict[str, Any], "What a node must all have."]
    created_after: datetime | None
    created_before: datetime | None
    as_of: Annotated[datetime | None, "What was known then."]


class EdgeFields(TypedDict, total=False):
    """The body of `POST ontology/edges`."""

    properties: Annotated[dict[str, Any], "What is known of it, by name."]
    connection: str | None


class EdgeChanges(TypedDict, total=False):
    """The body of `PATCH ontology/edges/{id}`: any of these. Of properties, those that are named; null removes one."""

    type: Annotated[str, "How the source is related to the target."]
    properties: Annotated[dict[str, Any], "Those to change, by name; null removes one."]


class EdgeFilters(TypedDict, total=False):
    """The query string of `GET ontology/edges`; `node` is either end."""

    type: Sequence[str]
    connection: str
    created_after: datetime
    created_before: datetime
    include_deleted: bool
    source: str
    target: str
    node: str


class PatternFilters(TypedDict, total=False):
    """The query string of `GET patterns`."""

    status: str
    suppressed: bool
    action_type: str
    node_type: str
    error_code: str


class SequenceFilters(TypedDict, total=False):
    """The query string of `GET sequences`."""

    session: str
    agent: str
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str
    since: datetime
    until: datetime


class MetricFields(TypedDict, total=False):
    """The body of `POST metrics`; with `dry_run` nothing is stored, and what it would have said is answered."""

    description: str
    event_filter: Annotated[str, "Which sequences are measured, such as action_type = 'tool_call'."]
    success_condition: Annotated[str, "What counts as well, such as outcome = 'success' and action_count < 10."]
    measure: Annotated[str, "What an average or a percentile is taken of."]
    window_days: Annotated[int, "The days that each value looks back over."]
    back_fill: Annotated[bool, "Whether the past is measured as well."]


class MetricChanges(TypedDict, total=False):
    """The body of `PATCH metrics/{id}`: what changes, and whether the past is measured (again)."""

    name: Annotated[str, "A name of its own in this workspace."]
    description: str
    event_filter: Annotated[str, "Which sequences are measured, such as action_type = 'tool_call'."]
    success_condition: Annotated[str, "What counts as well, such as outcome = 'success' and action_count < 10."]
    aggregation: str
    measure: Annotated[str, "What an average or a percentile is taken of."]
    window_days: Annotated[int, "The days that each value looks back over."]
    back_fill: Annotated[bool, "Whether the past is measured as well."]


class ReceiptFilters(TypedDict, total=False):
    """The query string of `GET receipts`."""

    memory: Annotated[str, "Contexts that held this memory, or another thing with this id; of the newest 5,000."]
    conversation: Annotated[str, "The key or id of a conversation."]
    agent: Annotated[str, "The name of the key, app or person that asked; of the newest 5,000."]


class RerunFields(TypedDict, total=False):
    """The body of `POST receipts/{id}/rerun`; what is not named stays as it was."""

    query: Annotated[str, "Needed where neither receipt nor conversation has the question."]
    token_budget: Annotated[int, "The maximum number of tokens; facts are never dropped."]
    mode: Annotated[Mode, "How nodes are searched."]
    as_of: Annotated[datetime | None, "What was true at this time, instead of now."]
    known_at: Annotated[
        datetime | None, "What was known at this time: without what was learned later, and what that has closed."
    ]
    without: Annotated[Sequence[str], "Ids of items that stay out."]


class DecisionFields(TypedDict, total=False):
    """The body of `POST review/{id}/decide`."""

    content: Annotated[str, "With `edit`: the words to keep."]
    into: Annotated[str, "With `merge`: the memory that says the same, or the node to keep."]


class KeyFields(TypedDict, total=False):
    """The body of `POST api-keys`."""

    expires_at: Annotated[datetime | None, "Without it the key does not expire."]
    spaces: Annotated[
        Sequence[str], "The spaces that the key may use, `user:*` for those of every user; empty for every space."
    ]
    stamped: Annotated[bool, "Whether each call must name its user in the header `X-On-Behalf-Of`."]
    sub_agent: Annotated[bool, "Whether it is a sub-agent's, which is given no memory of users."]
    tools: Annotated[
        Sequence[str], "The sets of MCP tools that are listed where the address names none; empty for `core`."
    ]


class ProviderFields(TypedDict, total=False):
    """The body of `POST models/providers`."""

    base_url: Annotated[str, "Empty for the provider's own address."]
    api_key: str
    timeout_seconds: int
