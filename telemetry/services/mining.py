"""Turning sequences into patterns: promoted, retired, and what their warnings changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from core import queue
from core.clock import utc_now
from telemetry import mining
from telemetry.mining import Evidence, Key, Verdict
from telemetry.models import Changed, Pattern, PatternStatus
from telemetry.recommending import recommendation
from telemetry.sequencing import GAP
from telemetry.services.announcing import announce
from telemetry.services.sequencing import sequence_pending
from telemetry.statements import rows, run, take_turn
from workspaces.callers import Caller, Right, system_caller
from workspaces.scope import workspace_scope

RECOMMEND_TASK = "telemetry.tasks.recommend"
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
    """Look for patterns now, over the trailing 30 days. Raises MissingScopeError without `write`."""
    caller.require(Right.WRITE)
    return evaluate_workspace(workspace_id=caller.workspace_id)


def evaluate_workspace(*, workspace_id: UUID, now: datetime | None = None) -> Evaluation:
    """Sequence what waits, judge every pattern by its sequences, count what warnings changed.

    Evaluating again without new actions changes nothing.
    """
    now = now or utc_now()
    sequence_pending(workspace_id=workspace_id)
    caller = system_caller(workspace_id, "mining")
    with workspace_scope(caller):
        take_turn("mining", caller)
        since = now - timedelta(days=mining.TRAILING_DAYS)
        evaluation = _judge(caller, since, now)
        settled = run("settle_injections", caller, gap=GAP, since=now - SETTLING)
        effects = run("count_effects", caller, since=since)
        for identity in evaluation.promoted:
            queue.enqueue(RECOMMEND_TASK, str(workspace_id), str(identity))
    return Evaluation(evaluation.promoted, evaluation.retired, evaluation.changed + settled + effects)


def _judge(caller: Caller, since: datetime, now: datetime) -> Evaluation:
    known = {_key(pattern): pattern for pattern in Pattern.objects.filter(workspace_id=caller.workspace_id)}
    standing = {key: pattern.status == PatternStatus.PROMOTED for key, pattern in known.items()}
    attempts = {str(attempt): int(number) for attempt, number in rows("attempts_made", caller, since=since)}
    met = ((str(step), int(number)) for step, number in rows("steps_met", caller, since=since))
    found = mining.evidence(met=met, attempts=attempts)
    judged = mining.verdicts(found, known=standing)
    added = [_new(caller, key, evidence, now) for key, (evidence, _) in judged.items() if key not in known]
    changed = [pattern for key, pattern in known.items() if _apply(pattern, *judged[key], now)]
    Pattern.objects.bulk_create(added)
    Pattern.objects.bulk_update(changed, CHANGING)
    announce(caller, Changed.PATTERN, [pattern.id for pattern in (*added, *changed)])
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
    """Bring a pattern up to date in memory; whether that changed it."""
    before = (pattern.status, pattern.support, pattern.attempts)
    if pattern.status != PatternStatus(verdict.value):
        pattern.status = PatternStatus(verdict.value)
        pattern.retired_at = None if verdict == Verdict.PROMOTED else now
        pattern.promoted_at = now if verdict == Verdict.PROMOTED else pattern.promoted_at
    pattern.support, pattern.attempts, pattern.confidence = evidence.support, evidence.attempts, evidence.confidence
    return before != (pattern.status, pattern.support, pattern.attempts)
