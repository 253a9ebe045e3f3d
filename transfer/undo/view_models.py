"""What pages of undos show: what goes and what stays, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse

from transfer.models import UndoItemState, UndoTarget
from transfer.undo.decisions import (
    CHANGED_SINCE,
    CONNECTED,
    GONE,
    NEEDS_FACTS,
    OTHER_RUN,
    PINNED,
    SAME_NAME,
    UndoAct,
)
from transfer.undo.selectors import UndoReport, UndoRow
from workspaces.access.selectors import ConsoleContext

# Why a thing stays, by the code of the reason.
REASON_WORDS = {
    OTHER_RUN: "another run of the same key was at work then",
    CHANGED_SINCE: "it was changed since",
    GONE: "it is gone",
    NEEDS_FACTS: "facts are decided about with the right to facts",
    PINNED: "it is pinned",
    CONNECTED: "connected by another author",
    SAME_NAME: "another key or app has the same name",
    "duplicate": "another one says the same by now",
    "needs_two_people": "a fact needs two people here",
    "pending_review": "it waits for review",
    "end_deleted": "one of its ends is gone",
    "duplicate_edge": "the same edge is there by now",
    "merge_built_upon": "a later merge builds upon it",
    "merged": "it was merged",
    "said_again": "it was said again",
    "missing_scope": "who asked for this may not decide about it",
    "unreadable_step": "its history came with an import and cannot be read",
    "unreadable_change": "its history came with an import and cannot be read",
}
KIND_WORDS = {
    "memory": ("memory", "memories"),
    "fact": ("fact", "facts"),
    "node": ("thing", "things"),
    "edge": ("edge", "edges"),
    "merge": ("merge", "merges"),
}
HIDDEN = "In a space that you have not opened."


@dataclass(frozen=True, slots=True)
class UndoLine:
    """A thing of the list: what it says, what becomes of it, why it stays, and where it is."""

    row: UndoRow
    content: str
    outcome: str
    url: str

    @property
    def word(self) -> str:
        """What it is, where no mark says it."""
        return "" if self.row.kind in {"memory", "fact"} else KIND_WORDS[self.row.kind][0]


@dataclass(frozen=True, slots=True)
class UndoSum:
    """What becomes of how many things of a kind, in words."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class UndoPage:
    """An undo on its page."""

    report: UndoReport
    title: str
    sums: Sequence[UndoSum]
    going: Sequence[UndoLine]
    staying: Sequence[UndoLine]

    @property
    def has_left(self) -> bool:
        """Whether a reversal left things as they are."""
        return any(line.row.state == UndoItemState.LEFT for line in self.staying)

    @property
    def is_running(self) -> bool:
        return self.report.status in {"applying", "reverting"}


def build_view(seat: ConsoleContext, report: UndoReport) -> UndoPage:
    """Return an undo, or its preview, as its page shows it."""
    lines = [_line(seat, row, report) for row in report.rows]
    stays = {UndoItemState.KEPT, UndoItemState.LEFT}
    return UndoPage(
        report=report,
        title=_title(report),
        sums=list(_sums(report)),
        going=[line for line in lines if line.row.state not in stays],
        staying=[line for line in lines if line.row.state in stays],
    )


def _title(report: UndoReport) -> str:
    if report.target == UndoTarget.AGENT:
        return f"Undo what {report.subject} wrote"
    return "Undo this run" if report.target == UndoTarget.RUN else "Undo this import"


def _sums(report: UndoReport) -> Iterator[UndoSum]:
    is_preview = report.id is None
    for kind, (one, many) in KIND_WORDS.items():
        count = report.counts.get(kind)
        if count is None:
            continue
        parts = [
            (count.removed, "to remove" if is_preview else "removed"),
            (count.reverted, "to put back as it was" if is_preview else "put back as it was"),
            (count.returned, "returned"),
            (count.kept, "to stay" if is_preview else "stayed"),
        ]
        text = ", ".join(f"{number:,} {words}" for number, words in parts if number)
        number = sum(number for number, _ in parts)
        if text:
            yield UndoSum((one if number == 1 else many).capitalize(), text)


def _line(seat: ConsoleContext, row: UndoRow, report: UndoReport) -> UndoLine:
    return UndoLine(row, row.content or HIDDEN, _outcome(row, is_preview=report.id is None), _url(seat, row))


def _outcome(row: UndoRow, *, is_preview: bool) -> str:
    if row.reason:
        why = REASON_WORDS.get(row.reason) or f"{row.reason.replace('_', ' ')} since"
        return f"{why[0].upper()}{why[1:]}{f': {row.by}' if row.by else ''}"
    if row.state == UndoItemState.RETURNED:
        return "Returned"
    if row.act == UndoAct.REMOVE:
        return "Goes" if is_preview or row.state == UndoItemState.WAITING else "Removed"
    return "Gets back what it was" if is_preview or row.state == UndoItemState.WAITING else "Put back as it was"


def _url(seat: ConsoleContext, row: UndoRow) -> str:
    """Return the address of a thing that has a page; a forgotten memory has one, a deleted node has none."""
    slug, is_gone = seat.workspace.slug, (row.act, row.state) == (UndoAct.REMOVE, UndoItemState.APPLIED)
    if row.content and row.kind in {"memory", "fact"}:
        return reverse("memory-detail", args=[slug, row.id])
    return reverse("ontology-node", args=[slug, row.id]) if row.content and row.kind == "node" and not is_gone else ""


def back_url(seat: ConsoleContext, target: str) -> str:
    """Return the page from which an undo is reached."""
    page = {UndoTarget.RUN: "explain-runs", UndoTarget.IMPORT: "settings-data"}.get(UndoTarget(target), "agents")
    return reverse(page, args=[seat.workspace.slug])
