"""Verdicts about contradictions, patterns and pairs of nodes. In the open scope of the decision."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

from core.clock import utc_now
from core.errors import NotFoundError
from core.text import fingerprint
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement, JudgementOutcome
from memory.memories.review.selectors import find_entry
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import TextChangedError, apply_transition, statement_hash
from memory.memories.services.revisions import record_revision
from memory.memories.services.supersession import KEEP_BOTH, close_row
from memory.memories.transitions import Verb
from memory.models import Memory, ReviewVerdict
from ontology.matching.services.candidates import keep_apart, propose_again
from ontology.matching.services.merges import merge_nodes, undo_merge
from ontology.models import Node
from ontology.nodes_and_edges.selectors import access_node
from ontology.nodes_and_edges.services.edges import delete_edge, restore_edge
from ontology.nodes_and_edges.services.node_editor import NodeChangedError
from telemetry.patterns.services.pattern_admin import annotate_pattern
from workspaces.access.callers import Caller


def hash_pair(newer: Memory, older: Memory) -> str:
    """Return the SHA-256 of what two memories say that contradict each other."""
    return sha256(f"{statement_hash(newer)}{statement_hash(older)}".encode()).hexdigest()


def join_versions(first: Node, second: Node) -> str:
    """Return the versions of two nodes, which rise with every change."""
    return f"{first.version}-{second.version}"


def decide_contradiction(caller: Caller, item: ItemKey, judgement: Judgement) -> JudgementOutcome:
    """Let one of two memories stand for both, or both go on."""
    entry = find_entry(caller, item)
    if entry is None:
        raise NotFoundError()
    # Locked in the order of their ids, as any other step that takes two.
    pair = {each: access_memory(caller, each, lock=True) for each in sorted((entry.row.source_id, entry.row.target_id))}
    newer, older = pair[entry.row.source_id], pair[entry.row.target_id]
    if judgement.seen and judgement.seen != hash_pair(newer, older):
        raise TextChangedError()
    mark = fingerprint(workspace_id=caller.workspace_id, text=f"{newer.content}\n{older.content}")
    if judgement.verdict == VerdictKind.BOTH:
        delete_edge(caller=caller, edge_id=item.id)
        before = {"superseded_by": str(newer.pk)}
        record_revision(caller=caller, memory_id=older.pk, action=KEEP_BOTH, before=before)
        return JudgementOutcome(VerdictKind.BOTH, mark)
    closed, kept = (older, newer) if judgement.verdict == VerdictKind.NEWER else (newer, older)
    now, start = utc_now(), closed.node.valid_from or closed.node.created_at
    close_row(caller, closed, kept, max(now, start + timedelta(microseconds=1)), now)
    return JudgementOutcome(judgement.verdict, mark, {"closed": str(closed.pk)})


def undo_contradiction(caller: Caller, verdict: ReviewVerdict) -> None:
    """Open the closed memory again, or have both contradict each other again."""
    if closed := verdict.before.get("closed"):
        apply_transition(caller=caller, memory_id=closed, verb=Verb.REOPEN)
    else:
        restore_edge(caller=caller, edge_id=verdict.item_id)


def decide_pattern(caller: Caller, item: ItemKey, judgement: Judgement) -> JudgementOutcome:
    """Go on warning agents of a pattern, or keep it from them."""
    entry = find_entry(caller, item)
    if entry is None:
        raise NotFoundError()
    if judgement.verdict == VerdictKind.SUPPRESS:
        annotate_pattern(caller=caller, pattern_id=item.id, suppressed=True)
    return JudgementOutcome(judgement.verdict, fingerprint(workspace_id=caller.workspace_id, text=entry.text))


def undo_pattern(caller: Caller, verdict: ReviewVerdict) -> None:
    """Show a pattern to agents again, where it was kept from them."""
    if verdict.verdict == VerdictKind.SUPPRESS:
        annotate_pattern(caller=caller, pattern_id=verdict.item_id, suppressed=False)


def decide_merge(caller: Caller, item: ItemKey, judgement: Judgement) -> JudgementOutcome:
    """Make one node of two, or say that they are two."""
    if judgement.verdict == VerdictKind.APART:
        keep_apart(caller=caller, candidate_id=item.id)
        return JudgementOutcome(VerdictKind.APART)
    entry = find_entry(caller, ItemKey(ItemKind.MERGE, item.id))
    if entry is None:
        raise NotFoundError()
    first, second = entry.row.first_id, entry.row.second_id
    nodes = {each: access_node(caller, each, lock=True) for each in sorted((first, second))}
    if judgement.seen and judgement.seen != join_versions(nodes[first], nodes[second]):
        raise NodeChangedError()
    keep, absorb = (second, first) if judgement.into == second else (first, second)
    merged = merge_nodes(caller=caller, keep_id=keep, absorb_id=absorb)
    return JudgementOutcome(VerdictKind.MERGE, before={"merge": str(merged.pk)})


def undo_merging(caller: Caller, verdict: ReviewVerdict) -> None:
    """Make two nodes of one again, or propose the pair again."""
    if verdict.verdict == VerdictKind.MERGE:
        undo_merge(caller=caller, merge_id=verdict.before["merge"])
    else:
        propose_again(caller=caller, candidate_id=verdict.item_id)
