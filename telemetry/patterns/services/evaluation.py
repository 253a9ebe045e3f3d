"""Turning sequences into patterns: promoted, retired, and what their warnings changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from core.clock import utc_now
from core.db.locks import wait_for_lock
from core.stores import queue
from telemetry.actions.services.outbox import announce
from telemetry.live.services.changes import note_change
from telemetry.models import Changed, Pattern, PatternStatus, Sequence
from telemetry.patterns.mining import (
    MIN_SUPPORT,
    TRAILING_DAYS,
    Evidence,
    Key,
    Verdict,
    count_evidence,
    is_corroborated,
    verdicts,
)
from telemetry.patterns.recommendation_rules import recommendation
from telemetry.sequences.services.sequencer import sequence_pending
from telemetry.sequences.sessionization import GAP
from telemetry.sql import rows, run
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.space_callers import caller_in_space, spaces_of_rows
from workspaces.settings.workspace_settings import memory_settings

MINING_LOCK = "mining"
TASK = "mining"
RECOMMEND_TASK = "telemetry.patterns.tasks.recommend"
# Actions may be reported late; after so long, what became of a warning is settled for good.
SETTLING = timedelta(days=1)
CHANGING = ("status", "support", "attempts", "confidence", "promoted_at", "retired_at")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an evaluation changed. `promoted` and `retired` are patterns that were not so before."""

    promoted: tuple[UUID, ...] = ()
    retired: tuple[UUID, ...] = ()
    changed: int = 0


def evaluate_patterns(*, caller: Caller) -> Evaluation:
    """Look for patterns now, over the trailing 30 days, in the space that the caller writes into.

    The ids and the number of other spaces' patterns are not for it. Raises MissingScopeError without `write`.
    """
    caller.require(Right.WRITE)
    sequence_pending(workspace_id=caller.workspace_id)
    now, space_id = utc_now(), caller.reach.written
    settled = _settle(caller.workspace_id, now, space_id=space_id)
    found = _evaluate_space(caller_in_space(caller.workspace_id, TASK, space_id=space_id), now)
    return replace(found, changed=found.changed + settled)


def evaluate_workspace(*, workspace_id: UUID, now: datetime | None = None) -> Evaluation:
    """Sequence what waits, judge every pattern by its sequences, count what warnings changed.

    Evaluating again without new actions changes nothing.
    """
    now = now or utc_now()
    sequence_pending(workspace_id=workspace_id)
    settled = _settle(workspace_id, now)
    parts = [_evaluate_space(caller_in_space(workspace_id, TASK, space_id=each), now) for each in _spaces(workspace_id)]
    return Evaluation(
        tuple(identity for part in parts for identity in part.promoted),
        tuple(identity for part in parts for identity in part.retired),
        settled + sum(part.changed for part in parts),
    )


def _spaces(workspace_id: UUID) -> list[UUID]:
    """Return the spaces in which a pattern could be, and those that have one."""
    enough = spaces_of_rows(workspace_id, TASK, rows=Sequence.objects.all(), at_least=MIN_SUPPORT)
    return sorted({*enough, *spaces_of_rows(workspace_id, TASK, rows=Pattern.objects.all())})


def _settle(workspace_id: UUID, now: datetime, *, space_id: UUID | None = None) -> int:
    """Find out what became of recent warnings, of one space or of each by itself; return the number that changed.

    With the rights of maintenance, since a warning of a user's space may be about a pattern of what is shared.
    """
    caller = maintenance_caller(workspace_id, TASK)
    with workspace_scope(caller):
        wait_for_lock(MINING_LOCK, workspace_id)
        return run("settle_injections", caller, gap=GAP, since=now - SETTLING, space=space_id)


def _evaluate_space(caller: Caller, now: datetime) -> Evaluation:
    workspace_id = caller.workspace_id
    with workspace_scope(caller):
        wait_for_lock(MINING_LOCK, workspace_id)
        since = now - timedelta(days=TRAILING_DAYS)
        evaluation = _judge(caller, since, now)
        effects = run("count_effects", caller, since=since)
        for identity in evaluation.promoted:
            queue.enqueue_unless_waiting(RECOMMEND_TASK, str(workspace_id), str(identity))
    return Evaluation(evaluation.promoted, evaluation.retired, evaluation.changed + effects)


def _judge(caller: Caller, since: datetime, now: datetime) -> Evaluation:
    known = {_key(pattern): pattern for pattern in Pattern.objects.of(caller)}
    standing = {key: pattern.status == PatternStatus.PROMOTED for key, pattern in known.items()}
    attempts = {str(attempt): int(number) for attempt, number in rows("attempts_made", caller, since=since)}
    met = rows("steps_met", caller, since=since)
    min_callers = memory_settings(current_workspace(caller)).pattern_min_callers
    uncorroborated = {
        str(step)
        for step, _, callers, trusted in met
        if not is_corroborated(callers=callers, trusted=trusted, min_callers=min_callers)
    }
    found = count_evidence(
        met=((str(step), int(number)) for step, number, *_ in met), attempts=attempts, uncorroborated=uncorroborated
    )
    judged = verdicts(found, known=standing)
    added = [_new(caller, key, evidence, now) for key, (evidence, _) in judged.items() if key not in known]
    changed = [pattern for key, pattern in known.items() if _apply(pattern, *judged[key], now)]
    Pattern.objects.bulk_create(added)
    Pattern.objects.bulk_update(changed, CHANGING)
    announce(caller, Changed.PATTERN, [pattern.id for pattern in (*added, *changed)])
    new = [pattern.id for pattern in added]
    note_change(caller=caller, layer="telemetry", type="pattern", ids=new, action="learn")
    risen = [pattern.id for key, pattern in known.items() if pattern in changed and _rose(pattern, standing[key])]
    fallen = [
        pattern.id for key, pattern in known.items() if standing[key] and pattern.status != PatternStatus.PROMOTED
    ]
    return Evaluation((*(pattern.id for pattern in added), *risen), tuple(fallen), len(added) + len(changed))


def _key(pattern: Pattern) -> Key:
    return Key(pattern.action_type, pattern.node_type, pattern.error_code)


def _rose(pattern: Pattern, was_promoted: bool) -> bool:
    return not was_promoted and pattern.status == PatternStatus.PROMOTED


def _new(caller: Caller, key: Key, evidence: Evidence, now: datetime) -> Pattern:
    return Pattern(
        workspace_id=caller.workspace_id,
        action_type=key.action_type,
        node_type=key.node_type,
        error_code=key.error_code,
        status=PatternStatus.PROMOTED,
        support=evidence.support,
        attempts=evidence.attempts,
        confidence=evidence.confidence,
        recommendation=recommendation(key.error_code),
        promoted_at=now,
        created_at=now,
    )


def _apply(pattern: Pattern, evidence: Evidence, verdict: Verdict, now: datetime) -> bool:
    """Bring a pattern up to date, without storing it; return whether that changed it."""
    before = (pattern.status, pattern.support, pattern.attempts)
    if pattern.status != PatternStatus(verdict.value):
        pattern.status = PatternStatus(verdict.value)
        pattern.retired_at = None if verdict == Verdict.PROMOTED else now
        pattern.promoted_at = now if verdict == Verdict.PROMOTED else pattern.promoted_at
    pattern.support, pattern.attempts, pattern.confidence = evidence.support, evidence.attempts, evidence.confidence
    return before != (pattern.status, pattern.support, pattern.attempts)
