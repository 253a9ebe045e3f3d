"""Looking for nodes that may be one thing, in the background, and remembering which pairs are kept apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from core.clock import utc_now
from llm.embedding.selectors import active_embedder, vectors_of_source
from ontology.matching.name_forms import initials_key, words_key
from ontology.matching.selectors import access_candidate
from ontology.matching.similarity import MIN_COSINE, Described, similarity
from ontology.models import GOVERNED_TYPES, MergeCandidate, Node
from ontology.nodes_and_edges.normalisation import name_key
from ontology.nodes_and_edges.services.outbox import SQL
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.space_callers import caller_in_space, spaces_of_rows

TASK = "matching"
BATCH = 100
ALIKE_PER_NODE = 20  # others that are compared with a node for each reason
PROPOSED_PER_NODE = 5
ALIASES_AT_MOST = 5_000  # nodes whose aliases are looked at
BUSY = 50  # edges; more neighbours in common with such a node say nothing

Pair = tuple[UUID, UUID]


def match_pending(*, workspace_id: UUID, most: int) -> int:
    """Look for the likes of up to `most` nodes that are new, renamed or newly embedded; return their number."""
    done = 0
    for space_id in spaces_of_rows(workspace_id, TASK, rows=Node.objects.filter(needs_matching=True)):
        done += _match_space(caller_in_space(workspace_id, TASK, space_id=space_id), most - done)
    return done


def _match_space(caller: Caller, most: int) -> int:
    workspace_id = caller.workspace_id
    done = 0
    while done < most:
        with workspace_scope(caller):
            waiting = Node.objects.filter(workspace_id=workspace_id, needs_matching=True).order_by("id")
            ids = list(waiting.values_list("id", flat=True)[: min(BATCH, most - done)])
            if not ids:
                break
            # Taken out first: a change that comes meanwhile puts its node in again.
            Node.objects.filter(workspace_id=workspace_id, id__in=ids).update(needs_matching=False)
            _write_name_forms(caller, ids)
            _propose(caller, ids)
        done += len(ids)
    return done


def keep_apart(*, caller: Caller, candidate_id: UUID) -> MergeCandidate:
    """Say that two nodes are not one; the pair is not proposed again.

    Raises MissingScopeError, NotFoundError, OtherSpaceError for a pair of a space that the caller only reads.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        found = access_candidate(caller, candidate_id, lock=True)
        open_ones = MergeCandidate.objects.of(caller).filter(id=found.id, kept_apart_at=None)
        open_ones.update(kept_apart_at=utc_now(), kept_apart_by=caller.label)
        return access_candidate(caller, candidate_id)


def propose_again(*, caller: Caller, candidate_id: UUID) -> MergeCandidate:
    """Take back that two nodes are not one: the pair is in the merge queue again. Raises what `keep_apart` raises."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        found = access_candidate(caller, candidate_id, lock=True)
        MergeCandidate.objects.of(caller).filter(id=found.id).update(kept_apart_at=None, kept_apart_by="")
        return access_candidate(caller, candidate_id)


def _write_name_forms(caller: Caller, ids: Sequence[UUID]) -> None:
    """Keep the keys of the nodes' names, read after they were taken out: their rows are locked, so no name changes."""
    stale: list[Node] = []
    named = Node.objects.of(caller).filter(id__in=ids).exclude(type__in=GOVERNED_TYPES)
    for node in named.only("id", "workspace_id", "name", "words_key", "initials_key"):
        keys = words_key(node.name), initials_key(node.name)
        if keys != (node.words_key, node.initials_key):
            node.words_key, node.initials_key = keys
            stale.append(node)
    Node.objects.bulk_update(stale, ["words_key", "initials_key"])


def _propose(caller: Caller, ids: Sequence[UUID]) -> None:
    cosines = _by_meaning(caller, ids)
    shared = _by_neighbours(caller, ids)
    pairs = {*_by_name(caller, ids), *_by_words(caller, ids), *cosines, *shared, *_by_alias(caller, ids)}
    known = _describe_nodes(caller, {identity for pair in pairs for identity in pair})
    found: dict[UUID, list[tuple[float, Pair, Any]]] = defaultdict(list)
    for pair in pairs:
        if pair[0] in known and pair[1] in known:
            like = similarity(known[pair[0]], known[pair[1]], cosine=cosines.get(pair), shared=shared.get(pair, 0))
            if like.is_worth_a_look:
                found[pair[0] if pair[0] in ids else pair[1]].append((like.score, pair, like.reasons))
    best = {pair: (score, reasons) for ranked in found.values() for score, pair, reasons in _first(ranked)}
    MergeCandidate.objects.bulk_create(
        [
            MergeCandidate(
                workspace_id=caller.workspace_id,
                first_id=first,
                second_id=second,
                score=score,
                reasons=[{"reason": reason, "weight": weight} for reason, weight in reasons],
            )
            for (first, second), (score, reasons) in best.items()
        ],
        update_conflicts=True,
        unique_fields=["workspace", "first", "second"],
        update_fields=["score", "reasons"],
    )


def _first(ranked: list[tuple[float, Pair, Any]]) -> list[tuple[float, Pair, Any]]:
    return sorted(ranked, key=lambda one: (-one[0], one[1]))[:PROPOSED_PER_NODE]


def _by_name(caller: Caller, ids: Sequence[UUID]) -> Iterable[Pair]:
    return (_pair(one, other) for one, other in _rows("alike_by_name", caller, ids, most=ALIKE_PER_NODE))


def _by_words(caller: Caller, ids: Sequence[UUID]) -> Iterable[Pair]:
    return (_pair(one, other) for one, other in _rows("alike_by_words", caller, ids, most=ALIKE_PER_NODE))


def _by_meaning(caller: Caller, ids: Sequence[UUID]) -> dict[Pair, float]:
    own = active_embedder(caller)
    vectors = vectors_of_source("nodes", reference="node_id", model=own.vector_model) if own else "node_embeddings"
    rows = _rows("alike_by_meaning", caller, ids, vectors=vectors, most=PROPOSED_PER_NODE)
    return {_pair(one, other): cosine for one, other, cosine in rows if cosine >= MIN_COSINE}


def _by_neighbours(caller: Caller, ids: Sequence[UUID]) -> dict[Pair, int]:
    rows = _rows("alike_by_neighbours", caller, ids, most=ALIKE_PER_NODE * len(ids), busy=BUSY)
    return {_pair(one, other): count for one, other, count in rows}


def _by_alias(caller: Caller, ids: Sequence[UUID]) -> Iterable[Pair]:
    """Nodes that one of these is another name of, and nodes that are another name of one of these."""
    live = Node.objects.of(caller).filter(is_deleted=False)
    having = live.filter(properties__has_key="aliases").order_by("-id").values_list("id", "properties__aliases")
    by_alias: dict[str, set[UUID]] = defaultdict(set)
    for identity, aliases in having[:ALIASES_AT_MOST]:
        for alias in _keys(aliases):
            by_alias[alias].add(identity)
    wanted = set(ids)
    named = live.filter(name_key__in=list(by_alias)).exclude(name_key="").values_list("id", "name_key")
    for identity, key in named:
        for other in by_alias[key] - {identity}:
            if identity in wanted or other in wanted:
                yield _pair(identity, other)


def _describe_nodes(caller: Caller, ids: Iterable[UUID]) -> dict[UUID, Described]:
    nodes = Node.objects.of(caller).filter(id__in=list(ids), is_deleted=False)
    rows = nodes.exclude(type__in=GOVERNED_TYPES).values_list("id", "type", "name_key", "properties__aliases")
    degrees = dict(_rows("degrees", caller, list(ids), busy=BUSY))
    return {
        identity: Described(kind, key, frozenset(_keys(aliases)), degrees.get(identity, 0))
        for identity, kind, key, aliases in rows
    }


def _keys(aliases: Any) -> Iterable[str]:
    """Properties are free text: only a list of texts is a list of aliases."""
    return (name_key(alias) for alias in aliases if isinstance(alias, str)) if isinstance(aliases, list) else ()


def _rows(statement: str, caller: Caller, ids: Sequence[UUID], *, vectors: str = "", **given: int) -> list[Any]:
    with connection.cursor() as cursor:
        governed = sorted(GOVERNED_TYPES)
        text = SQL[statement].format(vectors=vectors) if vectors else SQL[statement]
        cursor.execute(text, {"workspace_id": caller.workspace_id, "ids": list(ids), "governed": governed, **given})
        return list(cursor.fetchall())


def _pair(one: UUID, other: UUID) -> Pair:
    return (one, other) if one < other else (other, one)
