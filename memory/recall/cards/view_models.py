"""View models of hover cards: what a thing says, its state, what is known of it, and what its reader may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from conversations.models import Conversation, Message, Status
from memory.episodes.conversations.view_models import detail_url as conversation_url
from memory.memories.view_models import SOURCE_LABELS, MemoryRow, build_row
from memory.models import ContextReceipt, Memory, MemoryRevision, MemorySource, Run, Source
from memory.recall.overview.selectors import AgentActivity
from memory.recall.overview.view_models import agent_url
from memory.recall.receipts.view_models import find_origin, list_url, receipt_url, run_url
from ontology.models import Node
from ontology.nodes_and_edges.console_selectors import type_marks
from ontology.nodes_and_edges.type_marks import TypeMark
from ontology.nodes_and_edges.view_models import find_mark, may_edit, node_title, node_url, summarise_properties
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext

MAX_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class CardLink:
    """Something that a card leads to."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class HoverCard:
    """What `cards/_card.html` shows. `kind` is a memory's, `type` and `mark` are a thing's, otherwise `label` says what
    it is; `notes` are its state in words, `pairs` as in `parts/key_values.html`; `row` brings the verbs of a memory."""

    label: str
    text: str
    kind: str = ""
    type: str = ""
    mark: TypeMark | None = None
    title: str = ""
    notes: Sequence[str] = ()
    pairs: Sequence[dict[str, Any]] = ()
    links: Sequence[CardLink] = field(default_factory=tuple)
    row: MemoryRow | None = None


def memory_card(
    seat: ConsoleContext,
    memory: Memory,
    source: MemorySource | None,
    last: MemoryRevision | None,
    *,
    is_merged: bool,
) -> HoverCard:
    """Return the card of a memory; `last` is the step that made it forgotten, where it is, and `is_merged` says that
    what closed it stands for both."""
    row = build_row(seat, memory)
    origin, origin_url = find_origin(seat, source)
    said = {"value": origin, "url": origin_url} if origin else {}
    by = {"label": "Source", "value": f"{SOURCE_LABELS[Source(memory.source)]}: {memory.author}"}
    cited = memory.times_referenced
    return HoverCard(
        "Fact" if memory.kind == "fact" else "Memory",
        memory.content,
        kind=memory.kind,
        notes=_memory_notes(memory, row, last, is_merged=is_merged),
        pairs=[
            by,
            *([{"label": "Learned", **said}] if said else []),
            {"label": "Confidence", "value": f"{memory.confidence:.2f}"},
            *([{"label": "Cited by", "value": _count(cited, "run")}] if cited else []),
            {"label": "Created", "at": memory.node.created_at},
        ],
        links=[CardLink("Edit", row.urls["edit"])] if "edit" in row.urls else (),
        row=row,
    )


def node_card(seat: ConsoleContext, node: Node, edges: int) -> HoverCard:
    """Return the card of a thing with the number of its edges."""
    url = node_url(seat, node)
    links = [] if node.is_deleted else [CardLink("Show graph", f"{url}/graph")]
    if may_edit(seat, node) and not node.is_deleted:
        links.append(CardLink("Edit", f"{url}/edit"))
    cited = [{"label": "Cited", "value": _count(node.reference_count, "time")}] if node.reference_count else []
    return HoverCard(
        "Thing",
        summarise_properties(node),
        type=node.type,
        mark=find_mark(type_marks(seat.caller), node.type),
        title=node_title(node),
        notes=["Deleted"] if node.is_deleted else [],
        pairs=[
            {"label": "Connections", "value": f"{edges:,}"},
            *cited,
            {"label": "Created", "at": node.created_at},
        ],
        links=links,
    )


def conversation_card(seat: ConsoleContext, conversation: Conversation, number: int, last: Message | None) -> HoverCard:
    """Return the card of a conversation: what was said last, and how many messages there are."""
    said = f"{MAX_COUNTED:,}+ messages" if number > MAX_COUNTED else _count(number, "message")
    links = [CardLink("Messages", conversation_url(seat, conversation))]
    if seat.caller.may(Right.WRITE):
        links.append(CardLink("Ask in it", reverse("ask-conversation", args=[seat.workspace.slug, conversation.id])))
    return HoverCard(
        "Conversation",
        f"{last.get_role_display()}: {last.content}" if last else "",
        title=conversation.title or conversation.key,
        notes=["Ended"] if conversation.status == Status.ENDED else [],
        pairs=[{"label": "Holds", "value": said}, *_moment("Last message", conversation.last_message_at)],
        links=links,
    )


def run_card(seat: ConsoleContext, run: Run, cited: int) -> HoverCard:
    """Return the card of a run with the number of things that it cited."""
    took = [{"label": "Ended", "at": run.finished_at}] if run.finished_at else []
    contexts = [CardLink("Its contexts", list_url(seat, conversation=run.conversation))] if run.conversation else []
    return HoverCard(
        "Run",
        "",
        title=run.agent,
        notes=[str(run.get_status_display())],
        pairs=[{"label": "Began", "at": run.started_at}, *took, {"label": "Cited", "value": _count(cited, "thing")}],
        links=[CardLink("Open", run_url(seat, run)), *contexts],
    )


def context_card(seat: ConsoleContext, receipt: ContextReceipt, conversation: Conversation | None) -> HoverCard:
    """Return the card of a context that an agent was given."""
    tokens = f"{receipt.tokens_used:,} of {receipt.token_budget:,} tokens"
    links = [CardLink("Open", receipt_url(seat, receipt.id))]
    if conversation:
        links.append(CardLink("Conversation", conversation_url(seat, conversation)))
    return HoverCard(
        "Context",
        receipt.question,
        title=f"For {receipt.actor_label}" if receipt.actor_label else "",
        notes=[f"{len(receipt.left_out)} left out"] if receipt.left_out else [],
        pairs=[
            {"label": "Held", "value": f"{_count(len(receipt.chosen_ids), 'thing')}, {tokens}"},
            {"label": "Took", "value": f"{receipt.latency_ms:,.0f} ms"},
            {"label": "Assembled", "at": receipt.created_at},
        ],
        links=links,
    )


def agent_card(seat: ConsoleContext, agent: AgentActivity, *, now: datetime) -> HoverCard:
    """Return the card of an agent: whether it is at work, and how it fares."""
    timeline = reverse("agents", args=[seat.workspace.slug])
    runs = reverse("explain-runs", args=[seat.workspace.slug])
    name = {"agent": agent.name}
    return HoverCard(
        "Agent",
        "",
        title=agent.name,
        notes=["At work"] if agent.is_active(now) else [],
        pairs=[
            {"label": "Last seen", "at": agent.last_at},
            {"label": "Actions", "value": f"{agent.actions:,} in {_count(agent.sequences, 'sequence')}"},
            {"label": "Failed", "value": f"{agent.failures:,}"},
        ],
        links=[
            CardLink("Open", agent_url(seat, agent.name)),
            CardLink("Timeline", f"{timeline}?{urlencode(name)}"),
            CardLink("Runs", f"{runs}?{urlencode(name)}"),
        ],
    )


def _memory_notes(memory: Memory, row: MemoryRow, last: MemoryRevision | None, *, is_merged: bool) -> list[str]:
    if memory.node.is_deleted:
        return [f"{last.actor_label} forgot this" if last and last.actor_label else "Forgotten"]
    suppressed = f"Suppressed: {memory.suppressed_reason}" if memory.suppressed_reason else "Suppressed"
    states = (
        (memory.is_pinned, "Pinned"),
        (memory.is_suppressed, suppressed),
        (bool(row.memory["expired"]) and not memory.is_closed, "Expired"),
        (memory.is_closed, _closing_note(memory, is_merged=is_merged)),
    )
    return [words for is_so, words in states if is_so]


def _closing_note(memory: Memory, *, is_merged: bool) -> str:
    if memory.superseded_by_id is None:
        return "No longer true"
    return "Merged into another one" if is_merged else "Replaced by another one"


def _moment(label: str, at: datetime | None) -> list[dict[str, Any]]:
    return [{"label": label, "at": at}] if at else []


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing if number == 1 else thing + 's'}"
