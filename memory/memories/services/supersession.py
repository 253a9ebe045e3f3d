"""What is true now: a newer memory closes what it replaces, and what it closed opens again when it goes.

Every function here runs inside the caller's open `workspace_scope`, in the transaction of the write.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.utils.dateparse import parse_datetime

from core.clock import utc_now
from core.db.locks import wait_for_lock
from core.text import fingerprint, normalise
from memory.memories.replacement.claims import Reading, read_claims
from memory.memories.replacement.decision import Decision, Succession, decide_by_frames, decide_readings
from memory.memories.selectors import CONTRADICTS
from memory.memories.services.corrected_statements import find_uncorrected
from memory.memories.services.proposal_withdrawals import withdraw_proposals
from memory.memories.services.replacement_candidates import (
    CANDIDATES,
    candidate_texts,
    closer_of_same_text,
    open_memories,
    still_open,
    words_query,
)
from memory.memories.services.revisions import record_revision
from memory.memories.services.statement_closings import close_statements, open_statements
from memory.memories.services.statement_supersession import close_statements_of_replaced, open_statements_of_reopened
from memory.models import EpisodeStatement, Kind, Memory, MemoryRevision, Source
from ontology.nodes_and_edges.services.edges import NewEdge, create_edges
from ontology.nodes_and_edges.services.node_writer import change_node
from workspaces.access.callers import PEOPLE, Caller, Right
from workspaces.access.spaces import SHARED

SUBJECT_LOCK = "subject"
# Words of a text's subject that writers wait for.
MAX_LOCKS = 6
# What a text dates so much earlier than what is known tells old news.
OLD_NEWS = timedelta(days=365)
# Steps in a history: closed by another memory, opened with the end of that, closed and opened by a caller.
SUPERSEDE, OPEN, CLOSE, REOPEN, KEEP_BOTH = "supersede", "open", "close", "reopen", "keep_both"
CLOSINGS = (CLOSE, SUPERSEDE)
STATED_AGAIN = Decision(Succession.REPLACES)
# Sources that state things without a decision of a person or an agent.
AUTOMATIC = frozenset({Source.EXTRACTION, Source.IMPORT})


def lock_subjects(caller: Caller, content: str) -> None:
    """Let writers about one subject wait for each other, before any row is locked: else neither sees the other's."""
    reading = read_claims(content)
    subjects = {" ".join(sorted(claim.subject)) for claim in reading.claims}
    if reading.sketch is not None:  # each word of it alone, as another text may name it by fewer or more
        subjects |= {*sorted(reading.sketch.subject)[:MAX_LOCKS], *(["@"] if reading.sketch.speaks else [])}
    for subject in sorted({"@" if subject.startswith("@") else subject for subject in subjects}):
        wait_for_lock(f"{SUBJECT_LOCK} {subject}", caller.workspace_id, caller.reach.written)


def close_replaced(
    *,
    caller: Caller,
    memory: Memory,
    at: datetime | None = None,
    learned: datetime | None = None,
    is_restored: bool = False,
    only_earlier: bool = False,
) -> None:
    """Close what a memory replaces; close the memory itself where something newer replaces it already.

    `at` is when it was stated, by default from when on it is valid, or was made; `learned` is when it came in, by
    default when it was made. What the caller may not close gets an edge `contradicts`, for people to decide about; so
    does, for a memory that is restored, what its author may not close. `only_earlier` is for one of many that were
    inserted together: what came in after it will be compared with it in its turn.
    """
    reading = read_claims(memory.content)
    if not reading.may_replace or memory.is_closed or memory.node.is_deleted or memory.is_suppressed:
        return
    if memory.node.valid_to is not None and memory.node.valid_to <= utc_now():  # over already
        return
    moment, known = at or _moment(memory), learned or memory.node.created_at
    closer = closer_of_same_text(caller, memory)  # what is stated again is so again
    for text in candidate_texts(caller, reading, memory, only_earlier=only_earlier, closer=closer):
        is_one = _is_one_author(caller, memory.author_id, text.author_id)
        is_newer = text.moment <= moment
        readings = (read_claims(text.content), reading) if is_newer else (reading, read_claims(text.content))
        is_again = is_newer and text.pk == closer
        decision = STATED_AGAIN if is_again else decide_readings(*readings, is_one_person=is_one)
        if decision.outcome not in {Succession.REPLACES, Succession.MAY_REPLACE}:
            continue
        other = Memory.objects.of(caller).select_related("node").filter(pk=text.pk).first()
        if other is None:  # erased since its text was read
            continue
        if is_newer:
            may_close = _may_close(caller, other, memory) and (
                not is_restored or _words_may_close(caller, other, memory)
            )
            _close_or_note(caller, other, memory, decision=decision, moment=moment, learned=known, may_close=may_close)
        elif decision.outcome == Succession.REPLACES:
            if _words_may_close(caller, memory, other) and not _was_kept_open(caller, memory, other):
                close_row(caller, memory, other, _end(decision, memory, _moment(other)), known)
                return
            create_edges(caller=caller, new=[NewEdge(CONTRADICTS, other.pk, memory.pk)])
    _close_statements(caller, memory, reading, moment, known)


def review_closed(*, caller: Caller, memory: Memory) -> None:
    """Open what a memory closed and, with its new text, does not replace any more, or may not replace as the words of
    the caller."""
    reading = read_claims(memory.content)
    over: list[UUID] = []
    for closed in _find_closed_rows(caller, [memory.pk]):
        is_one = _is_one_person(caller, memory, closed)
        decision = decide_readings(read_claims(closed.content), reading, is_one_person=is_one)
        if decision.outcome == Succession.REPLACES and _may_close(caller, closed, memory):
            over.append(closed.pk)
        else:
            open_again(caller=caller, memory=closed)
    statements = EpisodeStatement.objects.of(caller).filter(superseded_by_memory=memory).values_list("pk", "text")
    left = (
        pk for pk, text in statements if decide_by_frames(read_claims(text), reading).outcome != Succession.REPLACES
    )
    open_statements(caller, list(left))
    for identity in over:
        close_statements_of_replaced(caller=caller, memory_id=identity)


def open_predecessors(*, caller: Caller, memory_ids: Collection[UUID]) -> None:
    """Open what these memories closed, which are forgotten; what closed them goes on closing it where that fits.

    A statement that says what a person corrected in one of them was wrong, and stays closed.
    """
    rows = _find_closed_rows(caller, memory_ids)
    with_heirs = Memory.objects.of(caller).select_related("node", "superseded_by__node")
    closers = with_heirs.in_bulk({closed.superseded_by_id for closed in rows})
    for closed in rows:
        closer = closers[closed.superseded_by_id]
        heir = closer.superseded_by
        if heir is not None and not heir.node.is_deleted and _words_may_close(caller, closed, heir):
            readings = read_claims(closed.content), read_claims(heir.content)
            if decide_readings(*readings).outcome == Succession.REPLACES:
                Memory.objects.filter(pk=closed.pk).update(superseded_by=heir, superseded_at=closer.superseded_at)
                end = closer.node.valid_to or _moment(heir)
                _change_end(caller, closed, end)
                before = {"superseded_by": str(closer.pk)}
                record_revision(caller=caller, memory_id=closed.pk, action=SUPERSEDE, before=before)
                continue
        open_again(caller=caller, memory=closed)
    open_statements(caller, [each.pk for each in find_uncorrected(caller, memory_ids)])


def open_again(*, caller: Caller, memory: Memory) -> bool:
    """Make a closed memory current again; False where another live one says the same by now."""
    mark = None if memory.node.is_deleted else fingerprint(workspace_id=caller.workspace_id, text=memory.content)
    if mark and not make_room(caller, memory, mark):
        return False
    before = reopen_row(caller, memory, mark=mark)
    record_revision(caller=caller, memory_id=memory.pk, action=OPEN, before=before)
    return True


def make_room(caller: Caller, memory: Memory, mark: str) -> bool:
    """Close the live memory of the same text, so that this one can have its place; False where that one stays.

    An agent's gives way to a fact, a pin and a person's words: it may have been made to keep these out.
    """
    same = Memory.objects.in_written_space(caller).filter(live_fingerprint=mark).exclude(pk=memory.pk)
    twin = same.select_related("node").select_for_update(of=("self", "node"), no_key=True).first()
    if twin is None:
        return True
    if not needs_person(memory) or needs_person(twin):
        return False
    now = utc_now()
    close_row(caller, twin, memory, max(now, _moment(twin) + timedelta(microseconds=1)), now)
    return True


def needs_person(memory: Memory) -> bool:
    """Return whether people decide about it: a fact, a pin, or a person's words."""
    return memory.kind == Kind.FACT or memory.is_pinned or _is_word_of_person(memory)


def reopen_row(caller: Caller, memory: Memory, *, mark: str | None) -> dict[str, Any]:
    """Take the closing of a memory back, and return what was before."""
    before = {
        "valid_to": memory.node.valid_to.isoformat() if memory.node.valid_to else None,
        "superseded_by": str(memory.superseded_by_id) if memory.superseded_by_id else None,
    }
    _change_end(caller, memory, _previous_end(caller, memory))
    if memory.superseded_by_id is not None:
        open_statements_of_reopened(caller=caller, memory=memory)
    Memory.objects.filter(pk=memory.pk).update(superseded_by=None, superseded_at=None, live_fingerprint=mark)
    return before


def close_by_hand(caller: Caller, memory: Memory) -> dict[str, Any]:
    """Say that a memory is over; after a reopening, that it was closed as before. Return what was before."""
    last = MemoryRevision.objects.of(caller).filter(memory=memory).order_by("-id").first()
    undone = last.before if last is not None and last.action == REOPEN else {}
    closer = Memory.objects.of(caller).live().filter(pk=undone.get("superseded_by")).first()
    end = parse_datetime(undone.get("valid_to") or "") or utc_now()
    before = {"valid_to": memory.node.valid_to.isoformat() if memory.node.valid_to else None}
    _change_end(caller, memory, end)
    Memory.objects.filter(pk=memory.pk).update(superseded_by=closer, superseded_at=utc_now(), live_fingerprint=None)
    withdraw_proposals(caller=caller, memory_ids=[memory.pk])
    return before | ({"superseded_by": str(closer.pk)} if closer else {})


def close_as_judged(*, caller: Caller, old: Memory, new: Memory) -> bool:
    """Close a memory that a newer one replaces by a judgement of a model, if both say what they said to it.

    What people decide about gets an edge `contradicts` instead, and so is never closed by it. Return whether anything
    changed.
    """
    rows = open_memories(caller).select_related("node").select_for_update(of=("self", "node"), no_key=True)
    newer = rows.filter(pk=new.pk).first()  # first, as writers do
    older = rows.filter(pk=old.pk).first()
    if newer is None or older is None or (newer.content, older.content) != (new.content, old.content):
        return False
    if _moment(older) > _moment(newer) or _was_kept_open(caller, older, newer):
        return False
    if needs_person(older):
        create_edges(caller=caller, new=[NewEdge(CONTRADICTS, newer.pk, older.pk)])
    else:
        close_row(caller, older, newer, max(_moment(newer), _moment(older) + timedelta(microseconds=1)), utc_now())
    return True


def is_newer(memory: Memory, other: Memory) -> bool:
    """Return whether a memory was stated, or begins to hold, no earlier than another one."""
    return _moment(memory) >= _moment(other)


def find_closed(caller: Caller, content: str, *, before: datetime) -> Memory | None:
    """Return a closed memory of the same text that was still true then: what tells of that time says nothing new."""
    words = SearchQuery(content, config="english")
    closed = Memory.objects.in_written_space(caller).filter(superseded_at__isnull=False, node__words=words)
    still = closed.filter(node__valid_to__gt=before, node__is_deleted=False).select_related("node").order_by("-pk")
    return next((each for each in still[:CANDIDATES] if normalise(each.content) == normalise(content)), None)


def _is_space_of_one(caller: Caller) -> bool:
    """Return whether "I" and "the user" are one person in the written space; a task knows no name of its space."""
    name = caller.reach.name
    return caller.reach.written != SHARED.id and (name is None or name.kind == "user")


def _moment(memory: Memory) -> datetime:
    start: datetime = memory.node.valid_from or memory.node.created_at
    return start


def _is_one_person(caller: Caller, memory: Memory, other: Memory) -> bool:
    return _is_one_author(caller, memory.author_id, other.author_id)


def _is_one_author(caller: Caller, mine: str, theirs: str) -> bool:
    return (bool(mine) and mine == theirs) or _is_space_of_one(caller)


def _close_or_note(
    caller: Caller,
    old: Memory,
    new: Memory,
    *,
    decision: Decision,
    moment: datetime,
    learned: datetime,
    may_close: bool,
) -> None:
    if _is_old_news(decision, old) or _was_kept_open(caller, old, new):
        return
    if decision.outcome == Succession.MAY_REPLACE or not may_close:
        create_edges(caller=caller, new=[NewEdge(CONTRADICTS, new.pk, old.pk)])
        return
    locked = Memory.objects.of(caller).filter(still_open(), pk=old.pk).select_related("node")
    held = locked.select_for_update(of=("self", "node"), no_key=True).first()
    if held is None or held.node.is_deleted:
        return
    end = _end(decision, held, moment)
    if not held.is_closed or held.node.valid_to is None or end < held.node.valid_to:
        close_row(caller, held, new, end, learned)


def _may_close(caller: Caller, old: Memory, new: Memory) -> bool:
    """Return whether the caller decides about it: facts, pins and the words of people need a person, or `facts`."""
    if new.source not in AUTOMATIC and (caller.is_person or caller.may(Right.FACTS)):
        return True
    is_of_person = old.edited_by_kind in PEOPLE or (old.author_kind in PEOPLE and not old.edited_by_kind)
    return old.kind == Kind.MEMORY and not old.is_pinned and not is_of_person


def _words_may_close(caller: Caller, old: Memory, new: Memory) -> bool:
    """Return whether a memory that was there before closes one that comes in.

    A later date does not decide about a fact, a pin or a person's words.
    """
    is_decided = new.kind == Kind.FACT or _is_word_of_person(new)
    return not needs_person(old) or (is_decided and not _is_dated_by_agent(caller, new))


def _is_dated_by_agent(caller: Caller, memory: Memory) -> bool:
    """Return whether an agent gave a memory the day from which on it holds, when it was made or later.

    Of a copy this is not known, so that it counts as an agent's.
    """
    if memory.node.valid_from is None:
        return False
    dated = MemoryRevision.objects.of(caller).filter(memory=memory, before__has_key="valid_from")
    last = dated.order_by("-id").first()
    kind = last.actor_kind if last is not None else memory.author_kind
    return kind not in PEOPLE or (last is None and memory.origin_id is not None)


def _is_word_of_person(memory: Memory) -> bool:
    if memory.edited_by_kind:
        return memory.edited_by_kind in PEOPLE
    return memory.source not in AUTOMATIC and memory.author_kind in PEOPLE


def _was_kept_open(caller: Caller, old: Memory, new: Memory) -> bool:
    """Return whether it was opened again after this very memory had closed it, or a person let both go on."""
    undone = MemoryRevision.objects.of(caller).filter(memory=old, action__in=(REOPEN, KEEP_BOTH))
    return bool(undone.filter(before__superseded_by=str(new.pk)).exists())


def _is_old_news(decision: Decision, old: Memory) -> bool:
    return decision.starts is not None and _midnight(decision.starts) < _moment(old) - OLD_NEWS


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _end(decision: Decision, old: Memory, moment: datetime) -> datetime:
    """Return when the old one stopped being true: the day that the new one names, if that is later than the old one."""
    if decision.starts is not None and _midnight(decision.starts) > _moment(old):
        return _midnight(decision.starts)
    return max(moment, _moment(old) + timedelta(microseconds=1))


def close_row(caller: Caller, old: Memory, new: Memory, end: datetime, learned: datetime) -> None:
    """Say that a memory was over at `end`, and which one stands for it."""
    before = {
        "valid_to": old.node.valid_to.isoformat() if old.node.valid_to else None,
        "superseded_by": str(new.pk),
    }
    _change_end(caller, old, end)
    if new.node.valid_from is None and end < new.node.created_at:  # it was true before it came in
        change_node(caller=caller, node_id=new.pk, expected={"valid_from": None}, changes={"valid_from": end})
    Memory.objects.filter(pk=old.pk).update(superseded_by=new, superseded_at=learned, live_fingerprint=None)
    withdraw_proposals(caller=caller, memory_ids=[old.pk])
    record_revision(caller=caller, memory_id=old.pk, action=SUPERSEDE, before=before)
    close_statements_of_replaced(caller=caller, memory_id=old.pk)


def _change_end(caller: Caller, memory: Memory, end: datetime | None) -> None:
    change_node(caller=caller, node_id=memory.pk, expected={}, changes={"valid_to": end})


def _previous_end(caller: Caller, memory: Memory) -> datetime | None:
    """Return until when it was valid before it was closed; None where that is over as well."""
    closings = MemoryRevision.objects.of(caller).filter(memory=memory, action__in=CLOSINGS)
    last = closings.filter(before__has_key="valid_to").order_by("-id").first()
    end = parse_datetime((last.before if last else {}).get("valid_to") or "")
    return end if end is not None and end > utc_now() else None


def _find_closed_rows(caller: Caller, memory_ids: Collection[UUID]) -> list[Memory]:
    closed = Memory.objects.of(caller).filter(superseded_by__in=memory_ids).select_related("node").order_by("pk")
    return list(closed.select_for_update(of=("self", "node"), no_key=True))


def _close_statements(caller: Caller, memory: Memory, reading: Reading, moment: datetime, learned: datetime) -> None:
    """Close the statements of episodes that a memory replaces; they were drawn, and are not anybody's decision."""
    open_ = EpisodeStatement.objects.in_written_space(caller).filter(
        episode__is_deleted=False, superseded_at=None, said_at__lte=moment, words=words_query(reading)
    )
    is_one = _is_space_of_one(caller)
    replaced = [
        statement.pk
        for statement in open_.defer("vector", "words").order_by("-pk")[:CANDIDATES]
        if decide_by_frames(read_claims(statement.text), reading, is_one_person=is_one).outcome == Succession.REPLACES
    ]
    if replaced:
        close_statements(caller, replaced, superseded_by_memory=memory, superseded_at=learned, valid_to=moment)
