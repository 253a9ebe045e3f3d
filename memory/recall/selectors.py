"""Reading receipts of contexts. `access_receipt` is the only road from an outside id to a receipt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from conversations.messages.selectors import conversations_by_key, find_by_address
from conversations.models import Conversation, Message
from core.errors import NotFoundError
from core.ids import parse_id
from memory.memories.history.selectors import rewind_memories
from memory.memories.selectors import Moments
from memory.memories.sessions.selectors import with_named_session
from memory.models import ConfidenceCalibration, ContextReceipt, EpisodeStatement, Kind, Memory, MemoryEpisode
from memory.recall.calibration import Calibration
from memory.recall.context_items import edge_provenance
from memory.recall.prompt_format import speaker
from memory.recall.provenance import SourceClass, message_provenance, node_provenance
from ontology.models import Edge, Node
from ontology.nodes_and_edges.edge_sentences import edge_sentence
from ontology.nodes_and_edges.past_versions import rewind_nodes
from telemetry.models import Pattern
from telemetry.patterns.services.warning_injection import pattern_line
from workspaces.access.callers import Caller, Right
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import reading_scope

NOW = Moments()
_CALIBRATIONS = CallerQuery(
    lambda caller, _: ConfidenceCalibration.objects.of(caller).values_list("layer", "slope", "intercept")
)


@dataclass(frozen=True, slots=True)
class RecalledItem:
    """A thing that a receipt names, as it reads now, behind its provenance. `memory_kind` is '' for no memory, `page`
    where it has none; that is one of the `conversation` in which something was said, and else of the thing itself.
    `said_at` is of statements, which a person may have closed, or something newer replaced."""

    text: str
    memory_kind: str = ""
    page: str = ""
    is_forgotten: bool = False
    conversation: UUID | None = None
    is_suppressed: bool = False
    said_at: datetime | None = None
    is_closed: bool = False
    is_replaced: bool = False


def access_receipt(caller: Caller, receipt_id: UUID) -> ContextReceipt:
    """Return the receipt of a context that was assembled in the caller's workspace.

    Raises NotFoundError, also where the call that it is of read more spaces than the caller does.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        found = ContextReceipt.objects.of(caller).filter(id=receipt_id)
        receipt: ContextReceipt | None = found.first()
    if receipt is None or not (caller.reach.every or set(receipt.read_spaces) <= set(caller.reach.read)):
        raise NotFoundError()
    return receipt


def recalled_things(caller: Caller, receipt: ContextReceipt) -> dict[str, RecalledItem]:
    """Return what the receipt names, by id, read again; what is no longer there is not in it."""
    named = {item["id"] for item in [*receipt.chosen, *receipt.dropped]}
    return things_by_id(with_named_session(caller, receipt.conversation), named)


def things_by_id(caller: Caller, named: Collection[str], moments: Moments = NOW) -> dict[str, RecalledItem]:
    """Return what is named by these ids of items of a context, by id, as it reads now; memories and other nodes as
    they did at the moment that is asked for."""
    named = set(named)
    sections = {each for each in named if ":" in each}  # of a user's profile, by its id and their places
    ids = named - sections
    found = dict.fromkeys(sections, RecalledItem("A section of what is kept about the user"))
    with reading_scope(caller):
        for read in (_nodes, _messages, _statements, _edges, _episodes, _patterns):
            if ids := ids - found.keys():
                found |= read(caller, ids)
        return found | _past_things(caller, named - sections, moments)


def layer_calibrations(caller: Caller) -> dict[str, Calibration]:
    """Return what confidence is worth in contexts of the workspace, by layer; the others are as they are."""
    with reading_scope(caller):
        rows = _CALIBRATIONS.rows(caller)
    return {layer: Calibration(slope, intercept) for layer, slope, intercept in rows}


def workspace_calibrations(caller: Caller) -> list[ConfidenceCalibration]:
    """Return each layer's calibration with what it rests on, in the order of their names."""
    with reading_scope(caller):
        return list(ConfidenceCalibration.objects.of(caller).order_by("layer"))


def conversation_of_receipt(caller: Caller, receipt: ContextReceipt) -> Conversation | None:
    """Return the conversation that the context was assembled for; None when there was none or it was deleted."""
    with reading_scope(caller):
        return find_by_address(conversations_by_key(caller), receipt.conversation) if receipt.conversation else None


def _nodes(caller: Caller, ids: Collection[str]) -> dict[str, RecalledItem]:
    nodes = Node.objects.of(caller).filter(id__in=ids).defer("words")
    return {str(node.id): _recalled_node(node) for node in nodes}


def _messages(caller: Caller, ids: Collection[str]) -> dict[str, RecalledItem]:
    messages = Message.objects.of(caller).filter(id__in=ids)
    return {str(message.id): _recalled_message(message) for message in messages}


def _statements(caller: Caller, ids: Collection[str]) -> dict[str, RecalledItem]:
    statements = EpisodeStatement.objects.of(caller).filter(id__in=ids, episode__is_deleted=False)
    statements = statements.select_related("episode").defer("vector", "words", "episode__source_message_ids")
    return {str(statement.id): _recalled_statement(statement) for statement in statements}


def _edges(caller: Caller, ids: Collection[str]) -> dict[str, RecalledItem]:
    edges = Edge.objects.of(caller).visible().filter(id__in=ids).select_related("source", "target")
    edges = edges.defer("source__words", "target__words")
    return {str(edge.id): RecalledItem(f"{edge_provenance(edge)} {edge_sentence(edge)}") for edge in edges}


def _episodes(caller: Caller, ids: Collection[str]) -> dict[str, RecalledItem]:
    episodes = MemoryEpisode.objects.of(caller).live().filter(id__in=ids).defer("source_message_ids")
    return {
        str(each.id): RecalledItem(each.summary, page="conversation-detail", conversation=each.conversation_id)
        for each in episodes
    }


def _patterns(caller: Caller, ids: Collection[str]) -> dict[str, RecalledItem]:
    return {str(each.id): RecalledItem(pattern_line(each)) for each in Pattern.objects.of(caller).filter(id__in=ids)}


def _past_things(caller: Caller, ids: Collection[str], moments: Moments) -> dict[str, RecalledItem]:
    """Return memories and other nodes as they were at another moment."""
    until = moments.until
    if until is None:
        return {}
    known = [identity for identity in map(parse_id, ids) if identity]
    nodes = list(Node.objects.of(caller).filter(id__in=known).exclude(type__in=Kind.values))
    memories = list(Memory.objects.of(caller).select_related("node").filter(pk__in=known))
    rewind_memories(caller, memories, moments)
    then = [*rewind_nodes(caller, nodes, until), *(memory.node for memory in memories)]
    return {str(node.id): _recalled_node(node) for node in then}


def _recalled_node(node: Node) -> RecalledItem:
    if node.type in Kind.values:
        is_suppressed = node.suppressed_at is not None
        return RecalledItem(node.body, node.type, "memory-detail", node.is_deleted, is_suppressed=is_suppressed)
    text = "; ".join([f"{node.type}: {node.name}", *node.body.splitlines()])
    return RecalledItem(f"{node_provenance(node.provenance)} {text}", "", "ontology-node", node.is_deleted)


def _recalled_message(message: Message) -> RecalledItem:
    by = message_provenance(appended_by=message.appended_by, appended_by_kind=message.appended_by_kind)
    text = f"{by} {speaker(message)}: {message.content}"
    return RecalledItem(text, page="conversation-detail", conversation=message.conversation_id)


def _recalled_statement(statement: EpisodeStatement) -> RecalledItem:
    text = f"({SourceClass.EPISODE}) {statement.text}"
    conversation = statement.episode.conversation_id
    return RecalledItem(
        text,
        page="conversation-detail",
        conversation=conversation,
        said_at=statement.said_at,
        is_closed=statement.is_closed_by_hand,
        is_replaced=statement.successor_id is not None,
    )
