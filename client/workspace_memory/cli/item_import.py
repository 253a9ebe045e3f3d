"""Sending the items of another product's export, a request's worth of one space at a time, and counting them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

import click

from workspace_memory.cli.output import counted
from workspace_memory.errors import ForbiddenError, InvalidError, NoAnswerError, ServerError, WorkspaceMemoryError
from workspace_memory.importing.items import (
    EdgeItem,
    Item,
    Kept,
    MemoryItem,
    MessageItem,
    NodeItem,
    Skipped,
    readable,
    tags_of,
)
from workspace_memory.models import ItemResult
from workspace_memory.sync.client import Memory

ITEMS_AT_ONCE = 500
BYTES_AT_ONCE = 8_000_000
# Of many spaces: what waits for more of its space to come.
BYTES_IN_HAND = 32_000_000
AGAIN = "Run the same again, and it goes on."
KINDS = {MessageItem: "message", MemoryItem: "memory", NodeItem: "node", EdgeItem: "edge"}


class StoppedImport(WorkspaceMemoryError):
    """Ctrl-C. What had been sent by then is there."""


@dataclass(slots=True)
class ItemBatch:
    """Items of one space that go in one request, with the lines that say them."""

    space: str
    items: list[Kept] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    size: int = 0

    def add(self, item: Kept, line: dict[str, Any], size: int) -> None:
        self.items.append(item)
        self.lines.append(line)
        self.size += size


@dataclass(slots=True)
class ConversationCount:
    """A conversation of the export: its space, its key, and how many of its messages are there now."""

    space: str
    key: str
    messages: int = 0


class ItemImport:
    """One import: what was sent, and what became of it. `named` is the space that was asked for, which goes before
    those that the export names."""

    def __init__(
        self, client: Memory, *, format: str, dry_run: bool, named: str | None, progress: Callable[[int, int], None]
    ) -> None:
        self._client = client
        self._format = format
        self._is_dry = dry_run
        self._named = named
        self._progress = progress
        self._skipped: list[dict[str, Any]] = []
        self._counts: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._spaces: Counter[str] = Counter()
        self._times: list[datetime] = []
        self._timeless = 0
        self._conversations: dict[tuple[str, str], ConversationCount] = {}
        self._nodes: set[tuple[str, str]] = set()
        self._edges: list[EdgeItem] = []

    def send(self, items: Iterable[Item]) -> None:
        """Send everything. Raises StoppedImport, and what the client raises; what was sent by then is there."""
        try:
            for kept in (self._nodes_and_texts(items), self._edges):
                for batch in batches(self._placed(kept)):
                    self._send(batch)
        except KeyboardInterrupt as stop:
            raise StoppedImport(
                f"Stopped after {self._came_in()} came in. Run the same again, and it goes on."
            ) from stop
        except (NoAnswerError, ServerError):
            click.echo(f"Broke off after {self._came_in()} came in. {AGAIN}", err=True)
            raise

    def end_conversations(self) -> dict[str, Any]:
        """End each conversation of the export, so that it is looked through; the number, and why some are not."""
        ended, extracting, reasons = 0, 0, Counter[str]()
        for one in self._conversations.values():
            here = self._client.in_space(one.space) if one.space else self._client
            if answer := here.session(one.key).end():
                ended += 1
                extracting += answer.extracting
                if not answer.extracting:
                    reasons[answer.detail] += 1
            self._progress(ended, len(self._conversations))
        return {"ended": ended, "extracting": extracting, "reasons": dict(reasons.most_common())}

    def report(self, *, ended: dict[str, Any] | None) -> dict[str, Any]:
        """What came in, from when and for whom, and everything that did not."""
        reasons = dict(Counter(one["code"] for one in self._skipped).most_common())
        dates = [min(self._times).isoformat(), max(self._times).isoformat()] if self._times else [None, None]
        return {
            "format": self._format,
            "dry_run": self._is_dry,
            **{status: self._counts[status] for status in ("created", "existing", "refused")},
            "kinds": {kind: self._kinds[kind] for kind in KINDS.values() if self._kinds[kind]},
            "spaces": dict(self._spaces.most_common()),
            "dates": {"first": dates[0], "last": dates[1], "without": self._timeless},
            "conversations": {"count": len(self._conversations), **(ended or {})},
            "skipped": reasons,
            "details": self._skipped,
        }

    def _came_in(self) -> str:
        return counted(0 if self._is_dry else self._counts["created"], "item")

    def _nodes_and_texts(self, items: Iterable[Item]) -> Iterator[Kept]:
        """What to send before edges, each node once; these are put off, and what is skipped goes into the report."""
        seen: dict[tuple[str, str], NodeItem] = {}
        for item in items:
            if isinstance(item, Skipped):
                self._skipped.append({**asdict(item), "where": readable(item.where), "why": readable(item.why)})
            elif isinstance(item, EdgeItem):
                self._edges.append(item)
            elif not isinstance(item, NodeItem):
                yield item
            elif seen.get((item.space, item.key)) != item:
                seen[item.space, item.key] = item
                yield item

    def _placed(self, items: Iterable[Kept]) -> Iterator[Kept]:
        """Items in the space that was asked for, where one was; whose a memory was is then a tag of it."""
        for item in items:
            if self._named is None or not item.space:
                yield item
            elif isinstance(item, MemoryItem):
                yield replace(item, space="", tags=tags_of(*item.tags[:1], item.space, *item.tags[1:]))
            else:
                yield replace(item, space="")

    def _send(self, batch: ItemBatch) -> None:
        here = self._client.in_space(batch.space) if batch.space else self._client
        try:
            results = here.transfers.import_items(batch.lines, dry_run=self._is_dry)
        except (ForbiddenError, InvalidError) as error:
            if not batch.space:
                raise
            results = [
                ItemResult(line=number, status="refused", code=error.code, detail=f"{batch.space}: {error.detail}")
                for number, _ in enumerate(batch.lines, start=1)
            ]
        for item, result in zip(batch.items, results, strict=True):
            self._count(item, result)
        self._progress(self._counts.total(), 0)

    def _count(self, item: Kept, result: ItemResult) -> None:
        is_refused = result.status == "refused" and not self._would_come(item, result)
        status = "refused" if is_refused else "created" if result.status == "refused" else result.status
        self._counts[status] += 1
        if is_refused:
            where = readable(item.where)
            self._skipped.append({"where": where, "code": result.code, "why": result.detail})
            return
        if isinstance(item, MessageItem):
            one = self._conversations.setdefault(
                (item.space, item.conversation), ConversationCount(item.space, item.conversation)
            )
            one.messages += 1
        if isinstance(item, NodeItem):
            self._nodes.add((item.space, item.key))
        if status != "created":
            return
        self._kinds[KINDS[type(item)]] += 1
        if space := item.space or self._named:
            self._spaces[space] += 1
        if isinstance(item, MessageItem | MemoryItem):
            self._times += [item.at] if item.at else []
            self._timeless += item.at is None

    def _would_come(self, item: Kept, result: ItemResult) -> bool:
        """Whether an edge is refused in a dry run alone: its nodes would be there by then."""
        if not (self._is_dry and isinstance(item, EdgeItem) and result.code == "not_found"):
            return False
        return {(item.space, item.source), (item.space, item.target)} <= self._nodes


def batches(items: Iterable[Kept]) -> Iterator[ItemBatch]:
    """Items in requests that the server takes, those of a space in their order."""
    open_batches: dict[str, ItemBatch] = {}
    in_hand = 0
    for item in items:
        line = item.line()
        needed = len(json.dumps(line))  # as it is sent: a letter beyond ASCII takes six bytes or twelve
        batch = open_batches.setdefault(item.space, ItemBatch(item.space))
        if batch.items and (len(batch.items) == ITEMS_AT_ONCE or batch.size + needed > BYTES_AT_ONCE):
            in_hand -= batch.size
            yield batch
            batch = open_batches[item.space] = ItemBatch(item.space)
        batch.add(item, line, needed)
        in_hand += needed
        if in_hand > BYTES_IN_HAND:
            largest = max(open_batches.values(), key=lambda one: one.size)
            in_hand -= largest.size
            yield open_batches.pop(largest.space)
    yield from open_batches.values()
