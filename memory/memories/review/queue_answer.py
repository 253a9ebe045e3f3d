"""The Review page as an answer: the whole page, or the part that each verdict replaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from memory.memories.review.context_processors import format_count
from memory.memories.review.forms import WordsForm
from memory.memories.review.item_kinds import KEYS, ItemKey, ItemKind
from memory.memories.review.queue_place import QueuePlace
from memory.memories.review.selectors import QueueEntry, count_queue, find_entry, queue_entries, recent_verdicts
from memory.memories.review.view_models import KIND_LABELS, build_card, bulk_verbs, queue_rows, verdict_lines
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest

MAX_ROWS = 30
# Of each kind; beyond it the page says "1,000+".
MAX_COUNTED = 1_000
MAX_VERDICTS = 5


@dataclass(frozen=True, slots=True)
class RefusedWords:
    """Words for an item that were refused, with the reason in their form."""

    item: ItemKey
    form: WordsForm


def render_review(
    request: ConsoleRequest, place: QueuePlace, refused: RefusedWords | None = None, *, status: int = 200
) -> HttpResponse:
    """Render the queue with the item at a place of it."""
    seat = request.seat
    kinds = [place.kind] if place.kind else []
    with workspace_scope(seat.caller):
        counts = count_queue(seat.caller, most=MAX_COUNTED)
        found = queue_entries(seat.caller, kinds=kinds, after=place.after, limit=MAX_ROWS + 1)
        entries, current = _choose_current(seat, found[:MAX_ROWS], place)
        lines = verdict_lines(seat.caller, recent_verdicts(seat.caller, most=MAX_VERDICTS))
    index = entries.index(current) if current else 0
    waiting, is_more = _sum_counts(counts[kind] for kind in (kinds or ItemKind))
    context = {
        "rows": queue_rows([(each, place.move(at=each.key).url(_slug(seat))) for each in entries], current),
        "card": current
        and build_card(seat, current, refused.form if refused and refused.item == current.key else None),
        "chips": _chips(seat, counts, place),
        # Of what waits now, as the rail and the chips count it.
        "number": place.past + index + 1,
        "total": waiting,
        "done": place.done,
        "beginning": place.done + waiting,
        "is_more": is_more,
        "verdict_keys": "".join(sorted(set(KEYS.values()))),
        **_ways(seat, entries, index, place, has_more=len(found) > MAX_ROWS),
        "bulk": bulk_verbs(seat),
        "lines": lines,
        "review_count": format_count(sum(counts.values())),  # the rail need not count again
    }
    template = "review/_review.html" if request.htmx.target == "review" else "review/page.html"
    return render(request, template, context, status=status)


def _choose_current(
    seat: ConsoleContext, entries: list[QueueEntry], place: QueuePlace
) -> tuple[list[QueueEntry], QueueEntry | None]:
    """Return the list and the item that it stands at: the one of the address while it waits, else the first."""
    at = next((each for each in entries if each.key == place.at), None)
    if at is None and place.at is not None and (at := find_entry(seat.caller, place.at)):
        entries = [at, *entries]
    return entries, at or (entries[0] if entries else None)


def _ways(
    seat: ConsoleContext, entries: Sequence[QueueEntry], index: int, place: QueuePlace, *, has_more: bool
) -> dict[str, Any]:
    """Return where skipping leads, and what a verdict's form carries on."""
    following = entries[index + 1].key if index + 1 < len(entries) else None
    onwards = place.move(at=following)
    if following is None:
        more = entries[-1].key if has_more else None
        onwards = place.move(after=more, at=None, past=place.past + len(entries) if more else 0)
    previous = place.move(at=entries[index - 1].key) if entries and index > 0 else None
    return {
        "skip_url": onwards.url(_slug(seat)) if len(entries) > 1 or has_more else "",
        "previous_url": previous.url(_slug(seat)) if previous else "",
        "kept": place.move(at=following).fields,
    }


def _chips(seat: ConsoleContext, counts: dict[ItemKind, int], place: QueuePlace) -> list[dict[str, Any]]:
    everything = {"label": "All", "url": QueuePlace().url(_slug(seat)), "is_current": place.kind is None}
    kinds = [kind for kind in ItemKind if counts[kind] or kind == place.kind]
    return [
        {
            **everything,
            "count": _number(counts.values()),
        },
        *(
            {
                "label": KIND_LABELS[kind],
                "url": QueuePlace(kind).url(_slug(seat)),
                "is_current": kind == place.kind,
                "count": _number([counts[kind]]),
            }
            for kind in kinds
        ),
    ]


def _sum_counts(counts: Iterable[int]) -> tuple[int, bool]:
    """Return the sum of what was counted, and whether there is more, since counting of a kind has stopped."""
    numbers = list(counts)
    return sum(min(each, MAX_COUNTED) for each in numbers), any(each > MAX_COUNTED for each in numbers)


def _number(counts: Iterable[int]) -> str:
    number, is_more = _sum_counts(counts)
    return f"{number:,}+" if is_more else f"{number:,}"


def _choose_form(refused: RefusedWords | None, current: QueueEntry) -> WordsForm | None:
    return refused.form if refused and refused.item == current.key else None


def _slug(seat: ConsoleContext) -> str:
    return seat.workspace.slug
