"""Extracting typed nodes and edges from a text; each is kept once, with where it comes from. The text is not kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from core.clock import moment, utc_now
from core.db.locks import wait_for_lock
from core.text import fingerprint, is_invisible, looks_like_secret, normalise
from core.text.prompt_sanitiser import label
from core.text.validators import refuse_secret
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.types import PromptMessage
from llm.router.services.completions import complete
from ontology.answers.answer_trace import Trace
from ontology.answers.entity_rules import Extract, Mention, Relation, extract_by_rules, resolve_mentions
from ontology.answers.prompts import ENTITIES_PROMPT, GivenEntities
from ontology.answers.services.question_answering import AGENT, OntologyAnswer, Used, ask_ontology, model_usage
from ontology.models import GOVERNED_TYPES, Edge, Node, is_governed_type
from ontology.nodes_and_edges.normalisation import MAX_NAME_CHARACTERS, name_key, render_properties
from ontology.nodes_and_edges.provenance import Origin, with_origin
from ontology.nodes_and_edges.services.edges import NewEdge, Triple, create_edges, live_ends
from ontology.nodes_and_edges.services.node_writer import NewNode, create_nodes
from ontology.nodes_and_edges.validation import MAX_TYPE_CHARACTERS
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

INGEST_LOCK = "text ingest"
RULES = "rules"
DATE = "date"
_NO_TYPE = re.compile(r"[^\w]+")


class PromptIntent(StrEnum):
    """What a prompt is for."""

    UPDATE = "update"
    QUERY = "query"
    BOTH = "both"


class IngestOutcome(StrEnum):
    """What became of something that the text names: it is new, or it was known already."""

    ADDED = "added"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class KeptNode:
    """The node that stands for a mention."""

    node: Node
    outcome: IngestOutcome
    confidence: float


@dataclass(frozen=True, slots=True)
class KeptEdge:
    """The edge that stands for a relation."""

    edge: Edge
    outcome: IngestOutcome
    confidence: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A name that was found and not kept: deleted before, of a reserved type, or like a credential."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Update:
    """What a text added to the ontology, and what it only confirmed. `used` is None for the rules."""

    nodes: Sequence[KeptNode]
    edges: Sequence[KeptEdge]
    left_out: Sequence[LeftOut]
    text_hash: str
    used: Used | None

    @property
    def model(self) -> str | None:
        """The model that read the text."""
        return self.used.model if self.used else None


@dataclass(frozen=True, slots=True)
class Prompted:
    """What a prompt did: an update, an answer, or both; and the steps of all of it."""

    update: Update | None
    answer: OntologyAnswer | None
    trace: Trace


def run_prompt(
    *,
    caller: Caller,
    text: str,
    intent: PromptIntent,
    message_id: UUID | None = None,
    speaker: str = "",
    top_k: int = 12,
) -> Prompted:
    """Learn from a text, answer it, or first one and then the other.

    `message_id` and `speaker` tell where the text comes from and who says "I" in it. Raises MissingScopeError
    (`write` for an update, `read` for a query, both for both), SecretRefusedError, and a child of ModelError when the
    workspace's model fails: nothing is guessed in its place.
    """
    if intent != PromptIntent.QUERY:
        caller.require(Right.WRITE)
    if intent != PromptIntent.UPDATE:
        caller.require(Right.READ)
    refuse_secret(text, field="text")
    trace = Trace()
    update = answer = None
    if intent != PromptIntent.QUERY:
        update = _update(caller, text, message_id, speaker, trace)
    if intent != PromptIntent.UPDATE:
        answer = ask_ontology(caller=caller, question=text, top_k=top_k, trace=trace)
    return Prompted(update, answer, trace)


def _update(caller: Caller, text: str, message_id: UUID | None, speaker: str, trace: Trace) -> Update:
    with trace.step("extract") as step:
        extract, used = _extract(caller, text, speaker)
        step.found = len(extract.mentions) + len(extract.relations)
    origin = Origin(
        text_hash=fingerprint(workspace_id=caller.workspace_id, text=text),
        method=used.model if used else RULES,
        by=caller.label,
        by_kind=caller.kind,
        by_id=caller.id,
        at=moment(utc_now()) or "",
        message_id=str(message_id) if message_id else None,
    )
    with trace.step("keep") as step, workspace_scope(caller):
        # Two texts that name the same new thing would both add it: the second waits for the first one's commit.
        wait_for_lock(INGEST_LOCK, caller.workspace_id)
        nodes, left_out = _keep_nodes(caller, extract.mentions, origin)
        edges = _keep_edges(caller, extract.relations, nodes, origin)
        step.found, step.dropped = len(nodes) + len(edges), len(left_out)
    return Update(list(nodes.values()), edges, left_out, origin.text_hash, used)


def _extract(caller: Caller, text: str, speaker: str) -> tuple[Extract, Used | None]:
    choice = configured_model(caller, CallKind.EXTRACT, agent=AGENT)
    if choice is None:
        return extract_by_rules(text, speaker=speaker), None
    said = f"{label(speaker)}: {text}" if speaker else text
    completion = complete(
        caller=caller,
        kind=CallKind.EXTRACT,
        system=ENTITIES_PROMPT,
        messages=[PromptMessage("user", said)],
        choice=choice,
        schema=GivenEntities,
    )
    return _as_extract(completion.value or GivenEntities(things=[], relations=[])), model_usage(completion)


def _as_extract(given: GivenEntities) -> Extract:
    """Return a model's answer in the terms of the rules; relations between things that it did not name fall away."""
    mentions = {
        normalise(one.name): Mention(
            _clean_type(one.type),
            " ".join(one.name.split()),
            one.confidence,
            tuple(" ".join(a.split()) for a in one.aliases),
        )
        for one in given.things
        if one.name.strip() and _clean_type(one.type)
    }
    relations = [
        Relation(
            _clean_type(one.type), mentions[normalise(one.source)], mentions[normalise(one.target)], one.confidence
        )
        for one in given.relations
        if {normalise(one.source), normalise(one.target)} <= mentions.keys() and _clean_type(one.type)
    ]
    return resolve_mentions(Extract(list(mentions.values()), relations))


def _clean_type(given: str) -> str:
    return _NO_TYPE.sub("_", given.strip().lower()).strip("_")[:MAX_TYPE_CHARACTERS]


def _keep_nodes(
    caller: Caller, mentions: Sequence[Mention], origin: Origin
) -> tuple[dict[Mention, KeptNode], list[LeftOut]]:
    known = _nodes_named(caller, mentions)
    kept: dict[Mention, KeptNode] = {}
    left_out: list[LeftOut] = []
    new: list[Mention] = []
    for mention in mentions:
        if reason := _unfit(mention):
            left_out.append(LeftOut(mention.name if reason != "secret" else "", reason))
        elif node := _match(mention, known):
            kept[mention] = _confirm_node(node, mention, origin)
        elif any(node.type == mention.type for node in known.get(name_key(mention.name), ())):
            left_out.append(LeftOut(mention.name, "deleted_before"))
        else:
            new.append(mention)
    for mention, node in zip(new, _create_nodes(caller, new, origin), strict=True):
        kept[mention] = KeptNode(node, IngestOutcome.ADDED, mention.confidence)
    return {mention: kept[mention] for mention in mentions if mention in kept}, left_out


def _nodes_named(caller: Caller, mentions: Sequence[Mention]) -> Mapping[str, list[Node]]:
    """Lock and return nodes with one of the names, deleted ones too, by the form in which names are compared."""
    keys = {name_key(name) for mention in mentions for name in (mention.name, *mention.aliases)}
    mine = Node.objects.of(caller).filter(name_key__in=keys).exclude(type__in=GOVERNED_TYPES)
    found: dict[str, list[Node]] = {}
    for node in mine.order_by("id").select_for_update(no_key=True):
        found.setdefault(node.name_key, []).append(node)
    return found


def _match(mention: Mention, known: Mapping[str, Sequence[Node]]) -> Node | None:
    """Return the live node that stands for a mention: of its name and type, or the only one of that name.

    Extracted types are guesses, those of existing nodes are not. A date is nothing but a date.
    """
    for name in (mention.name, *mention.aliases):
        live = [node for node in known.get(name_key(name), ()) if not node.is_deleted]
        same = [node for node in live if node.type == mention.type]
        if same:
            return same[0]
        if len(live) == 1 and DATE not in {mention.type, live[0].type}:
            return live[0]
    return None


def _unfit(mention: Mention) -> str:
    if is_governed_type(mention.type):
        return "reserved_type"
    if is_invisible(mention.name):
        return "blank"
    if looks_like_secret("\n".join((mention.name, *mention.aliases))):
        return "secret"
    return "too_long" if len(mention.name) > MAX_NAME_CHARACTERS else ""


def _create_nodes(caller: Caller, mentions: Sequence[Mention], origin: Origin) -> Sequence[Node]:
    new = []
    for mention in mentions:
        properties = {"aliases": list(mention.aliases)} if mention.aliases else {}
        new.append(
            NewNode(
                type=mention.type,
                name=mention.name,
                body=render_properties(properties),
                properties=properties,
                provenance=with_origin({}, origin, confidence=mention.confidence),
            )
        )
    return create_nodes(caller=caller, new=new) if new else []


def _confirm_node(node: Node, mention: Mention, origin: Origin) -> KeptNode:
    _add_origin(node, origin, confidence=mention.confidence)
    return KeptNode(node, IngestOutcome.KNOWN, node.provenance.get("confidence", mention.confidence))


def _keep_edges(
    caller: Caller, relations: Sequence[Relation], nodes: Mapping[Mention, KeptNode], origin: Origin
) -> list[KeptEdge]:
    wanted: dict[Triple, Relation] = {}
    for relation in relations:
        if relation.source in nodes and relation.target in nodes:
            source, target = nodes[relation.source].node.id, nodes[relation.target].node.id
            if source != target:
                wanted.setdefault((source, target, relation.type), relation)
    if not wanted:
        return []
    live_ends(caller, [identity for source, target, _ in wanted for identity in (source, target)])
    new = [
        NewEdge(type_, source, target, relation.properties, with_origin({}, origin, confidence=relation.confidence))
        for (source, target, type_), relation in wanted.items()
    ]
    made = create_edges(caller=caller, new=new)
    mine = Edge.objects.of(caller).select_related("source", "target")
    edges = mine.in_bulk([one.id for one in made])
    return [
        KeptEdge(edges[one.id], IngestOutcome.ADDED, relation.confidence)
        if one.is_new
        else _confirm_edge(edges[one.id], relation, origin)
        for one, relation in zip(made, wanted.values(), strict=True)
    ]


def _confirm_edge(edge: Edge, relation: Relation, origin: Origin) -> KeptEdge:
    _add_origin(edge, origin, confidence=relation.confidence)
    return KeptEdge(edge, IngestOutcome.KNOWN, edge.provenance.get("confidence", relation.confidence))


def _add_origin(kept: Node | Edge, origin: Origin, *, confidence: float) -> None:
    """Add a source to what is known. The graph has no provenance, so that nothing is announced."""
    provenance = with_origin(kept.provenance, origin, confidence=confidence)
    if provenance != kept.provenance:
        type(kept).objects.filter(workspace_id=kept.workspace_id, id=kept.id).update(provenance=provenance)
        kept.provenance = provenance
