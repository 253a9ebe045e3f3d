"""Reading undos: who may see one, what became of its things, and what these say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from core.errors import NotFoundError
from core.text import excerpt
from ontology.models import Edge, Merge, Node
from transfer.models import Undo, UndoItem, UndoItemState
from transfer.undo.decisions import UndoAct
from transfer.undo.planned_item import EDGE, MEMORY_KINDS, MERGE, PlannedItem
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope

# Things of an undo that are shown, those that stay among them.
MAX_ROWS, MAX_KEPT_ROWS = 200, 100
MAX_TEXT = 400
PREVIEWED = "previewed"
# What an undo does not reach.
STAYS = (
    "Messages, episodes and the statements drawn from them: delete their conversations.",
    "Slots, working memory and profiles of users, which have no history.",
    "Of an agent, what was extracted from messages that it appended: undo its runs, or delete the conversations.",
    "Copies of memories that another space has accepted, and what agents did, in telemetry.",
)


# A thing of an undo, planned or recorded.
UndoThing = PlannedItem | UndoItem


@dataclass(frozen=True, slots=True)
class UndoRow:
    """A thing as it is shown; `content` is empty where the caller does not read its space, or it is gone."""

    kind: str
    id: UUID
    act: str
    state: str
    reason: str
    by: str
    content: str


@dataclass(frozen=True, slots=True)
class UndoCount:
    """How many things of a kind were removed, reverted, kept, and returned by a reversal: of a preview, would be."""

    removed: int = 0
    reverted: int = 0
    kept: int = 0
    returned: int = 0


@dataclass(frozen=True, slots=True)
class UndoReport:
    """An undo with its numbers and its first things; without an id it is a preview, and nothing was changed."""

    id: UUID | None
    target: str
    subject: str
    since: datetime | None
    until: datetime
    is_everywhere: bool
    status: str
    total: int
    done: int
    counts: Mapping[str, UndoCount]
    rows: Sequence[UndoRow]
    has_more: bool
    requested_by: str = ""
    requested_at: datetime | None = None
    finished_at: datetime | None = None
    reverted_by: str = ""
    reverted_at: datetime | None = None
    stays: Sequence[str] = STAYS

    @property
    def undone(self) -> int:
        """How many things are taken back, or would be."""
        return sum(count.removed + count.reverted for count in self.counts.values())

    @property
    def kept(self) -> int:
        return sum(count.kept for count in self.counts.values())


def workspace_undos(caller: Caller) -> QuerySet[Undo]:
    """Return the undos that a caller may see, newest first, for an open scope: an admin all, others their own.

    A key that is bound to spaces sees its own, of the spaces that its call reads: one that is stamped has as many users
    as stamps.
    """
    found = Undo.objects.of(caller).order_by("-id")
    own = found.filter(actor_kind=caller.kind, actor_id=caller.id)
    if not caller.binding.is_limited:
        return found if caller.may(Right.ADMIN) else own
    return own.filter(written_space__in=caller.reach.read)


def access_undo(caller: Caller, undo_id: UUID, *, lock: bool = False) -> Undo:
    """Return an undo that the caller may see; `lock` keeps it until the end of the open scope. Raises NotFoundError."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        known = workspace_undos(caller).filter(id=undo_id)
        found: Undo | None = (known.select_for_update() if lock else known).first()
    if found is None:
        raise NotFoundError()
    return found


def undo_report(caller: Caller, undo: Undo) -> UndoReport:
    """Return what became of an undo so far."""
    everywhere = maintenance_caller(caller.workspace_id, "undo")
    with workspace_scope(everywhere):
        mine = UndoItem.objects.of(everywhere).filter(undo=undo)
        numbers = list(mine.values_list("kind", "act", "state").annotate(Count("id")).order_by("kind"))
        shown = [*mine.filter(_stays()).order_by("position")[:MAX_KEPT_ROWS]]
        shown += mine.exclude(_stays()).order_by("position")[: MAX_ROWS - len(shown)]
    by_state: dict[str, int] = defaultdict(int)
    for _, _, state, number in numbers:
        by_state[state] += number
    open_state = UndoItemState.WAITING if undo.reverter_kind == "" else UndoItemState.APPLIED
    total = sum(by_state.values())
    return UndoReport(
        id=undo.id,
        target=undo.target,
        subject=undo.subject,
        since=undo.since,
        until=undo.until,
        is_everywhere=undo.is_everywhere,
        status=undo.status,
        total=total,
        done=total - by_state[open_state],
        counts=_counts(numbers),
        rows=build_rows(caller, shown),
        has_more=undo.has_more,
        requested_by=undo.actor_label,
        requested_at=undo.requested_at,
        finished_at=undo.finished_at,
        reverted_by=undo.reverter_label,
        reverted_at=undo.reverted_at,
    )


def count_things(things: Iterable[UndoThing]) -> dict[str, UndoCount]:
    """Return the numbers of a plan, as they would be."""
    counted: dict[tuple[str, str, str], int] = defaultdict(int)
    for thing in things:
        state = UndoItemState.KEPT if thing.reason else UndoItemState.APPLIED
        counted[thing.kind, thing.act, state] += 1
    return _counts([(*key, number) for key, number in sorted(counted.items())])


def first_things(things: Sequence[UndoThing]) -> list[UndoThing]:
    """Return the things of a plan that are shown: the first that stay, then the first that go."""
    kept = [thing for thing in things if thing.reason][:MAX_KEPT_ROWS]
    return [*kept, *[thing for thing in things if not thing.reason][: MAX_ROWS - len(kept)]]


def build_rows(caller: Caller, things: Sequence[UndoThing]) -> list[UndoRow]:
    """Return things as they are shown, with what they say where the caller reads it."""
    with workspace_scope(caller):
        texts = {**_node_texts(caller, things), **_edge_texts(caller, things), **_merge_texts(caller, things)}
    return [
        UndoRow(
            kind=thing.kind,
            id=thing.item_id,
            act=thing.act,
            state=thing.state,
            reason=thing.reason,
            by=thing.by,
            content=excerpt(texts.get(thing.item_id, ""), limit=MAX_TEXT),
        )
        for thing in things
    ]


def _stays() -> Q:
    return Q(state__in=[UndoItemState.KEPT, UndoItemState.LEFT])


def _counts(numbers: Iterable[tuple[str, str, str, int]]) -> dict[str, UndoCount]:
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    names = {UndoItemState.KEPT: "kept", UndoItemState.RETURNED: "returned"}
    past = {UndoAct.REMOVE: "removed", UndoAct.REVERT: "reverted"}
    for kind, act, state, number in numbers:
        if state != UndoItemState.WAITING:
            found[kind][names.get(UndoItemState(state), past[UndoAct(act)])] += number
    return {kind: UndoCount(**counted) for kind, counted in found.items()}


def _node_texts(caller: Caller, things: Sequence[UndoThing]) -> dict[UUID, str]:
    ids = [thing.item_id for thing in things if thing.kind not in {EDGE, MERGE}]
    nodes = Node.objects.of(caller).filter(id__in=ids).values_list("id", "type", "name", "body")
    return {
        identity: body if kind in MEMORY_KINDS else f"{kind} {name}" for identity, kind, name, body in nodes.iterator()
    }


def _edge_texts(caller: Caller, things: Sequence[UndoThing]) -> dict[UUID, str]:
    ids = [thing.item_id for thing in things if thing.kind == EDGE]
    edges = Edge.objects.of(caller).filter(id__in=ids).select_related("source", "target") if ids else []
    return {edge.id: f"{_label(edge.source)} {edge.type} {_label(edge.target)}" for edge in edges}


def _merge_texts(caller: Caller, things: Sequence[UndoThing]) -> dict[UUID, str]:
    ids = [thing.item_id for thing in things if thing.kind == MERGE]
    merges = Merge.objects.of(caller).filter(id__in=ids).select_related("kept", "absorbed") if ids else []
    return {merge.id: f"{_label(merge.absorbed)} into {_label(merge.kept)}" for merge in merges}


def _label(node: Node) -> str:
    return str(node.name or node.body)
