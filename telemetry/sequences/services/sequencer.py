"""Putting actions into sequences as they arrive, in whatever order: incremental, and without harm when repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from core.db.locks import wait_for_lock
from core.ids import id_from_time
from core.space_ids import SHARED
from telemetry.actions.services.outbox import announce
from telemetry.models import Arrival, Changed
from telemetry.models import Sequence as SequenceRow
from telemetry.sequences.sessionization import (
    GAP,
    FormedSequence,
    SessionWindow,
    Span,
    TimedAction,
    form_sequence,
    session_windows,
    split_at_gaps,
)
from telemetry.sequences.step_keys import SEPARATOR
from telemetry.sql import rows, run
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_callers import caller_in_space, spaces_of_rows

# Arrivals of one transaction. A batch of a thousand reported actions makes one for each of its sessions.
AT_ONCE = 2_000
SEQUENCING_LOCK = "sequencing"
TASK = "sequencing"


@dataclass(frozen=True, slots=True)
class _Placed:
    """A sequence as it should be: with the id that it has, or a new one. Its actions from `since` on may be new."""

    id: UUID
    formed: FormedSequence
    since: datetime


def sequence_pending(*, workspace_id: UUID) -> int:
    """Put every action that arrived into its sequence; return the number of sequences that were added or changed.

    A late action goes where its time says: into a sequence, before or behind one, or between two that become one.
    Waits while another process is at it.
    """
    changed = 0
    for space_id in spaces_of_rows(workspace_id, TASK, rows=Arrival.objects.all()):
        caller = caller_in_space(workspace_id, TASK, space_id=space_id)
        while (done := _one_batch(caller)) is not None:
            changed += done
    return changed


def forget_unused_intents(*, workspace_id: UUID) -> int:
    """Delete intents that no sequence has any more; return their number."""
    caller = maintenance_caller(workspace_id, TASK)
    with workspace_scope(caller):
        wait_for_lock(SEQUENCING_LOCK, workspace_id)  # or an intent might go while a sequence is given it
        return run("forget_intents", caller)


def _one_batch(caller: Caller) -> int | None:
    """Return how many sequences a batch of arrivals changed; None when there is none."""
    with workspace_scope(caller):
        wait_for_lock(SEQUENCING_LOCK, caller.workspace_id)
        arrived = [Span(*row) for row in rows("take_arrivals", caller, most=AT_ONCE)]
        if not arrived:
            return None
        wanted = session_windows([*arrived, *_spans_nearby(caller, arrived)])
        placed = list(_place_actions(_load_actions(caller, wanted)))
        _remove_absorbed(caller, wanted, placed)
        return _put(caller, placed)


def _spans_nearby(caller: Caller, arrived: Sequence[Span]) -> list[Span]:
    # Arrivals that lie together are looked up once: a busy session makes one every half second.
    return [Span(*row) for row in rows("sequences_near", caller, gap=GAP, **_columns(session_windows(arrived)))]


def _load_actions(caller: Caller, wanted: Sequence[SessionWindow]) -> Iterable[tuple[SessionWindow, list[TimedAction]]]:
    for place, packed in rows("actions_within", caller, **_columns(wanted)):
        yield wanted[place - 1], [_parse_action(line) for line in packed.split("\x1e")]


def _parse_action(line: str) -> TimedAction:
    at, agent, action_type, tool, node_type, outcome, error_code, is_trusted = line.split(SEPARATOR)
    return TimedAction(int(at), agent, action_type, tool, node_type, outcome, error_code, is_trusted == "t")


def _place_actions(found: Iterable[tuple[SessionWindow, list[TimedAction]]]) -> Iterable[_Placed]:
    for window, actions in found:
        for part in split_at_gaps(actions):
            made = form_sequence(window.session, part, reporter=window.reporter)
            inside = [span.known for span in window.known if made.started_at <= span.first_at <= made.ended_at]
            # The oldest of several that become one keeps its id, and all of its actions are new to it.
            identity = inside[0] if inside and inside[0] else id_from_time(made.started_at)
            since = max(made.started_at, window.news_at) if len(inside) == 1 else made.started_at
            yield _Placed(identity, made, since)


def _remove_absorbed(caller: Caller, wanted: Sequence[SessionWindow], placed: Sequence[_Placed]) -> None:
    kept = {one.id for one in placed}
    known = {span.known for window in wanted for span in window.known if span.known}
    if absorbed := known - kept:
        SequenceRow.objects.of(caller).filter(id__in=absorbed).delete()
        announce(caller, Changed.SEQUENCE, absorbed)


def _put(caller: Caller, placed: Sequence[_Placed]) -> int:
    intents = {
        one.formed.summary: intent_id(caller.workspace_id, caller.reach.written, one.formed.summary) for one in placed
    }
    run("insert_intents", caller, id=list(intents.values()), summary=list(intents))
    return run(
        "put_sequences",
        caller,
        id=[one.id for one in placed],
        since=[one.since for one in placed],
        reporter=[one.formed.reporter for one in placed],
        is_trusted=[one.formed.is_trusted for one in placed],
        session=[one.formed.session for one in placed],
        agent=[one.formed.agent for one in placed],
        started_at=[one.formed.started_at for one in placed],
        ended_at=[one.formed.ended_at for one in placed],
        outcome=[one.formed.outcome for one in placed],
        action_count=[one.formed.action_count for one in placed],
        failure_count=[one.formed.failure_count for one in placed],
        duration_ms=[one.formed.duration_ms for one in placed],
        steps=["\x1e".join(one.formed.steps) for one in placed],
        attempts=["\x1e".join(one.formed.attempts) for one in placed],
        intent_id=[intents[one.formed.summary] for one in placed],
    )


def intent_id(workspace_id: UUID, space_id: UUID, summary: str) -> UUID:
    """Return the id of the intent with these words in a space; in the shared one, the words alone decide."""
    return uuid5(workspace_id, summary if space_id == SHARED else f"{space_id} {summary}")


def _columns(spans: Sequence[Span] | Sequence[SessionWindow]) -> dict[str, Any]:
    return {
        "reporter": [span.reporter for span in spans],
        "session": [span.session for span in spans],
        "first_at": [span.first_at for span in spans],
        "last_at": [span.last_at for span in spans],
    }
