"""Fitting what confidence is worth in a workspace, from its receipts and from what the runs that followed cited."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from conversations.models import Conversation
from core.clock import utc_now
from core.ids import parse_id
from memory.models import CalibratedLayer, ConfidenceCalibration, ContextReceipt, Run, RunCitation, RunStatus
from memory.recall.calibration import Calibration, fit_calibration
from memory.recall.citation_outcomes import GivenContext, Outcomes, find_outcomes
from ontology.models import Node
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope

Row = TypeVar("Row")

TASK = "recalibration"
# How far back receipts and runs are read, and how many of the newest of each.
PERIOD = timedelta(days=90)
MAX_RUNS, MAX_RECEIPTS, RECEIPTS_AT_ONCE, ROWS_AT_ONCE = 20_000, 5_000, 200, 10_000
# A run belongs to the contexts of its conversation that were made so long before its end.
MAX_RUN = timedelta(hours=1)
# With fewer citations, or fewer items that were never cited, confidence stays what it is.
MIN_CITED, MIN_UNCITED = 50, 20
# Turns of the console's chat: without a model they quote what the search thought best, and no run says which did.
QUOTING_AGENT = "chat"
CITABLE_BLOCKS = {"facts", *CalibratedLayer.values}


class FinishedRow(NamedTuple):
    """A run as it is read here, in the order of these columns."""

    id: UUID
    space_id: UUID
    conversation: str
    agent: str
    status: str
    finished_at: datetime
    cited_nodes: Any


class NodeCounts(NamedTuple):
    """Where a node is, and how often runs of its space cited it, in the order of these columns."""

    space_id: UUID
    reference_count: int
    independent_references: int


@dataclass(slots=True)
class _Given:
    """What a receipt says of items that can be cited: all of them, and confidences by layer."""

    run: UUID
    space_id: UUID
    items: set[UUID] = field(default_factory=set)
    confidences: dict[str, dict[UUID, float]] = field(default_factory=lambda: defaultdict(dict))


def recalibrate(*, workspace_id: UUID) -> int:
    """Fit every layer of a workspace once more; return how many have enough citations. Of others the fit is deleted.

    All spaces count together, and nothing but four numbers for each layer leaves them.
    """
    caller = maintenance_caller(workspace_id, TASK)
    with workspace_scope(caller):
        outcomes = _read_outcomes(caller)
    enough = {
        layer: found
        for layer, found in outcomes.items()
        if len(found.cited) >= MIN_CITED and len(found.uncited) >= MIN_UNCITED
    }
    fitted = {layer: fit_calibration(found.every) for layer, found in enough.items()}
    with workspace_scope(caller):
        ConfidenceCalibration.objects.of(caller).exclude(layer__in=fitted).delete()
        for layer, calibration in fitted.items():
            _keep(caller, layer, calibration, enough[layer])
    return len(fitted)


def _keep(caller: Caller, layer: str, calibration: Calibration, found: Outcomes) -> None:
    ConfidenceCalibration.objects.of(caller).update_or_create(
        workspace_id=caller.workspace_id,
        layer=layer,
        defaults={
            "slope": calibration.slope,
            "intercept": calibration.intercept,
            "cited": len(found.cited),
            "uncited": len(found.uncited),
            "fitted_at": utc_now(),
        },
    )


def _read_outcomes(caller: Caller) -> Mapping[str, Outcomes]:
    """Return the outcomes of each layer, in the open scope of every space."""
    since = utc_now() - PERIOD
    runs = _read_runs(caller, since)
    followed = _find_followed(caller, runs, since)
    given = list(_read_given(caller, followed))
    known = _read_nodes(caller, {item for each in given for item in each.items})
    by_run = _read_citations(caller, {each.run: runs[each.run] for each in given})
    ever_cited = {item for item, node in known.items() if node.reference_count}
    ever_cited |= {item for run in runs.values() for item in _ids(run.cited_nodes)}
    ever_cited |= _read_cited(caller, known.keys() - ever_cited)
    independent = _find_independent(given, known)
    outcomes = {}
    for layer in CalibratedLayer.values:
        contexts = [
            GivenContext(
                given=frozenset(each.items & known.keys()),
                cited=frozenset(by_run[each.run]),
                confidences={item: raw for item, raw in each.confidences[layer].items() if item in known},
            )
            for each in given
        ]
        outcomes[layer] = find_outcomes(contexts, ever_cited=ever_cited, independent=independent)
    return outcomes


def _read_nodes(caller: Caller, ids: Collection[UUID]) -> dict[UUID, NodeCounts]:
    columns = ("id", *NodeCounts._fields)
    rows = (
        Node.objects.of(caller).filter(id__in=some).values_list(*columns) for some in _batches(list(ids), ROWS_AT_ONCE)
    )
    return {identity: NodeCounts(*counts) for found in rows for identity, *counts in found}


def _read_cited(caller: Caller, ids: Collection[UUID]) -> set[UUID]:
    """Return the memories among these that a run of any space has cited, however it ended."""
    cited = RunCitation.objects.of(caller)
    batches = _batches(list(ids), ROWS_AT_ONCE)
    return {item for some in batches for item in cited.filter(memory_id__in=some).values_list("memory_id", flat=True)}


def _find_independent(given: Sequence[_Given], known: Mapping[UUID, NodeCounts]) -> set[UUID]:
    """Return the items whose citations count: not those that only the agent cites which wrote them.

    A citation from another space than the item's raises no counter of it; there it counts by itself.
    """
    items = ((item, each.space_id) for each in given for item in each.items & known.keys())
    elsewhere = {item for item, space_id in items if known[item].space_id != space_id}
    return elsewhere | {item for item, node in known.items() if node.independent_references}


def _read_runs(caller: Caller, since: datetime) -> dict[UUID, FinishedRow]:
    """Return the newest runs that ended since then in a conversation, whose key stands for its id."""
    ended = Run.objects.of(caller).filter(finished_at__gte=since).exclude(conversation="").order_by("-finished_at")
    rows = [FinishedRow._make(row) for row in ended.values_list(*FinishedRow._fields)[:MAX_RUNS]]
    keys = _find_keys(caller, {row.conversation for row in rows})
    return {row.id: row._replace(conversation=keys.get(row.conversation, row.conversation)) for row in rows}


def _find_keys(caller: Caller, addresses: Collection[str]) -> dict[str, str]:
    """Return the keys of those conversations that are named by their id."""
    named = {address: identity for address in addresses if (identity := parse_id(address))}
    rows = Conversation.objects.of(caller).filter(id__in=named.values()).values_list("id", "key")
    keys = dict(rows)
    return {address: keys[identity] for address, identity in named.items() if identity in keys}


def _find_followed(caller: Caller, runs: Mapping[UUID, FinishedRow], since: datetime) -> dict[UUID, UUID]:
    """Return the run that followed each receipt, the newest first: the next one to end in its conversation and space.

    One that failed, or that quoted, is not a reader; its receipts are left out.
    """
    ended: defaultdict[tuple[UUID, str], list[tuple[datetime, UUID]]] = defaultdict(list)
    for run in runs.values():
        ended[run.space_id, run.conversation].append((run.finished_at, run.id))
    for found in ended.values():
        found.sort()
    newest = ContextReceipt.objects.of(caller).filter(created_at__gte=since).exclude(conversation="")
    columns = ("id", "space_id", "conversation", "created_at")
    rows = list(newest.order_by("-created_at").values_list(*columns)[:MAX_RECEIPTS])
    keys = _find_keys(caller, {conversation for _, _, conversation, _ in rows})
    followed = {}
    for receipt, space_id, conversation, created_at in rows:
        later = ended.get((space_id, keys.get(conversation, conversation)), [])
        place = bisect_left(later, (created_at, UUID(int=0)))
        if place == len(later) or later[place][0] - created_at > MAX_RUN:
            continue
        run = runs[later[place][1]]
        if run.status == RunStatus.SUCCEEDED and run.agent != QUOTING_AGENT:
            followed[receipt] = run.id
    return followed


def _read_given(caller: Caller, followed: Mapping[UUID, UUID]) -> Iterator[_Given]:
    """Yield what these receipts say, in their order; what an import brought may be of any shape."""
    for ids in _batches(list(followed), RECEIPTS_AT_ONCE):
        rows = ContextReceipt.objects.of(caller).filter(id__in=ids).values_list("id", "space_id", "chosen")
        read = {receipt: (space_id, chosen) for receipt, space_id, chosen in rows}
        for receipt in (each for each in ids if each in read):
            space_id, chosen = read[receipt]
            given = _Given(followed[receipt], space_id)
            for item in chosen if isinstance(chosen, list) else ():
                if isinstance(item, dict):
                    _note(given, item)
            yield given


def _note(given: _Given, item: Mapping[str, Any]) -> None:
    identity, block, raw = parse_id(item.get("id")), str(item.get("block")), item.get("raw_confidence")
    if identity is None or block not in CITABLE_BLOCKS:
        return
    given.items.add(identity)
    if isinstance(raw, float) and 0.0 < raw < 1.0:
        given.confidences[block][identity] = raw


def _read_citations(caller: Caller, runs: Mapping[UUID, FinishedRow]) -> Mapping[UUID, set[UUID]]:
    cited = {identity: set(_ids(run.cited_nodes)) for identity, run in runs.items()}
    for ids in _batches(list(runs), ROWS_AT_ONCE):
        rows = RunCitation.objects.of(caller).filter(run_id__in=ids).values_list("run_id", "memory_id")
        for run, memory in rows:
            cited[run].add(memory)
    return cited


def _batches(every: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (every[place : place + size] for place in range(0, len(every), size))


def _ids(stored: Any) -> Iterator[UUID]:
    texts = stored if isinstance(stored, list) else ()
    yield from (identity for text in texts if isinstance(text, str) and (identity := parse_id(text)))
