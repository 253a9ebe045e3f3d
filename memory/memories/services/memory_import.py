"""Import of memories by the hundred: what `remember` does with one after the other, reading and writing each table
once for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ProductError
from core.text import fingerprint
from memory.memories.review.services.quarantine import note_arrivals
from memory.memories.services.memory_writer import (
    ForgottenBeforeError,
    NewMemory,
    Remembered,
    insert_memories,
    remember,
    validate_new,
)
from memory.memories.services.supersession import close_replaced, find_closed
from memory.models import ForgottenFingerprint, Memory
from workspaces.access.callers import Caller, Right

Outcome = Remembered | ProductError


@dataclass(frozen=True, slots=True)
class MarkedMemory:
    """A memory to be stored and the fingerprint of its text."""

    new: NewMemory
    mark: str


def import_memories(*, caller: Caller, new: Sequence[NewMemory]) -> list[Outcome]:
    """Keep memories that another product had (`Source.IMPORT`), in the open scope; return what became of each.

    It is the same as `remember` with one after the other. Raises MissingScopeError without `write`.
    """
    caller.require(Right.WRITE)
    marked = [MarkedMemory(one, fingerprint(workspace_id=caller.workspace_id, text=one.content)) for one in new]
    outcomes: list[Outcome] = []
    for run in _distinct_runs(marked):
        try:
            with transaction.atomic():
                outcomes += _import_run(caller, run)
        except (IntegrityError, ProductError):  # another writer was first, or one of them is refused: each by itself
            outcomes += [_import_one(caller, one) for one in run]
    return outcomes


def _distinct_runs(marked: Sequence[MarkedMemory]) -> Iterator[list[MarkedMemory]]:
    """Yield the memories in runs without a text that occurs twice: the second one may be closed by then, or not."""
    run: list[MarkedMemory] = []
    seen: set[str] = set()
    for one in marked:
        if one.mark in seen:
            yield run
            run, seen = [], set()
        run.append(one)
        seen.add(one.mark)
    if run:
        yield run


def _import_one(caller: Caller, one: MarkedMemory) -> Outcome:
    try:
        with transaction.atomic():
            return remember(caller=caller, new=one.new)
    except ProductError as error:
        return error


def _import_run(caller: Caller, run: Sequence[MarkedMemory]) -> list[Outcome]:
    """Keep memories of different texts together. Raises IntegrityError, and ProductError for what is not the fault of
    a single text."""
    outcomes = _find_known(caller, run)
    fresh = [one for one in run if one.mark not in outcomes]
    made: list[Memory] = []
    if fresh:
        made = insert_memories(caller=caller, marked=[(one.new, one.mark) for one in fresh], action="remember")
    # After the insert, as with one: what is forgotten at this moment stays out.
    if _find_forgotten(caller, fresh):
        raise ForgottenBeforeError()
    held = note_arrivals(caller=caller, memories=made, is_decided=caller.is_person)
    for one, memory in zip(fresh, made, strict=True):
        outcomes[one.mark] = Remembered(memory, is_new=True)
        if memory.pk not in held:
            close_replaced(caller=caller, memory=memory, at=one.new.valid_from or one.new.said_at, only_earlier=True)
    closed = _find_closed_since(caller, outcomes.values())
    return [_import_one(caller, one) if one.mark in closed else outcomes[one.mark] for one in run]


def _find_known(caller: Caller, run: Sequence[MarkedMemory]) -> dict[str, Outcome]:
    """Return what needs no insert, by its mark: what is refused, what was closed, what is there, what was forgotten."""
    outcomes: dict[str, Outcome] = {}
    for one in run:
        try:
            validate_new(one.new)
        except ProductError as error:
            outcomes[one.mark] = error
    fit = [one for one in run if one.mark not in outcomes]
    mine = Memory.objects.in_written_space(caller)
    live = {row.live_fingerprint: row for row in mine.filter(live_fingerprint__in=[one.mark for one in fit])}
    forgotten = _find_forgotten(caller, fit)
    has_closed = mine.filter(superseded_at__isnull=False).exists()
    for one in fit:
        stated = one.new.said_at or one.new.valid_from or one.new.created_at or utc_now()
        closed = find_closed(caller, one.new.content, before=stated) if has_closed else None
        if known := closed or live.get(one.mark):
            outcomes[one.mark] = Remembered(known, is_new=False)
        elif one.mark in forgotten:
            outcomes[one.mark] = ForgottenBeforeError()
    return outcomes


def _find_forgotten(caller: Caller, run: Sequence[MarkedMemory]) -> set[str]:
    rows = ForgottenFingerprint.objects.in_written_space(caller).filter(fingerprint__in=[one.mark for one in run])
    return set(rows.values_list("fingerprint", flat=True))


def _find_closed_since(caller: Caller, outcomes: Iterable[Outcome]) -> set[str]:
    """Return the marks of memories that were there, and that others of the run have closed: their texts come later."""
    known = {
        one.memory.pk: one.memory.live_fingerprint
        for one in outcomes
        if isinstance(one, Remembered) and not one.is_new and one.memory.live_fingerprint
    }
    closed = Memory.objects.of(caller).filter(pk__in=known, superseded_at__isnull=False)
    return {str(known[pk]) for pk in closed.values_list("pk", flat=True)} if known else set()
