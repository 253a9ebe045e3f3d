"""Reading sequences. `access_sequence` is the only road from an outside id to a sequence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL

from telemetry.actions.selectors import NOTHING, PARTS_OF_STEP, Narrow, named_filters, within_period
from telemetry.models import Action, Injection
from telemetry.models import Sequence as SequenceRow
from telemetry.sequences.step_keys import SEPARATOR
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.access.tenancy import refuse_absent


def workspace_sequences(caller: Caller, narrow: Narrow = NOTHING) -> QuerySet[SequenceRow]:
    """Return the workspace's sequences, the latest beginning first, for an open scope.

    `narrow` may name session, agent and outcome, since and until (of its end), and action_type, node_type and
    error_code: those that have a step with all of these.
    """
    parts = {name: narrow[name] for name in PARTS_OF_STEP if name in narrow}
    whole = {name: value for name, value in named_filters(narrow).items() if name not in parts}
    mine = SequenceRow.objects.of(caller).filter(within_period("ended_at", narrow), **whole)
    if parts:
        mine = mine.filter(_has_step(parts))
    return mine.select_related("intent").defer("intent__vector", "steps", "attempts").order_by("-id")


def access_sequence(caller: Caller, sequence_id: UUID) -> SequenceRow:
    """Return a sequence of the caller's workspace. Raises NotFoundError, MissingScopeError without `read`."""
    caller.require(Right.READ)
    with reading_scope(caller):
        found = workspace_sequences(caller).filter(id=sequence_id)
        return found.first() or refuse_absent(found)


def sequence_actions(caller: Caller, sequence: SequenceRow) -> QuerySet[Action]:
    """Return a sequence's actions in the order of their times, for an open scope."""
    return (
        Action.objects.of(caller)
        .filter(
            reporter=sequence.reporter,
            session=sequence.session,
            occurred_at__range=(sequence.started_at, sequence.ended_at),
        )
        .order_by("occurred_at", "id")
    )


def sequence_warnings(caller: Caller, sequence: SequenceRow) -> QuerySet[Injection]:
    """Return the warnings that a sequence was given or, at random, was not, in the order of their times, for an open
    scope."""
    mine = Injection.objects.of(caller).filter(sequence_id=sequence.id)
    return mine.select_related("pattern").order_by("injected_at", "id")


def list_version(sequences: Sequence[SequenceRow]) -> str:
    """Return a text that changes when the list does: a sequence came, or one of them grew."""
    seen = [f"{one.id} {one.ended_at.isoformat()} {one.action_count}" for one in sequences]
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()[:16]


def _has_step(parts: Mapping[str, str]) -> RawSQL:
    """Return whether one step of a sequence has all of these parts, which steps name in the order of PARTS_OF_STEP."""
    places = [PARTS_OF_STEP.index(name) + 1 for name in parts]
    fits = " AND ".join(["split_part(step, %s, %s) = %s"] * len(places))
    bound = [value for place, part in zip(places, parts.values(), strict=True) for value in (SEPARATOR, place, part)]
    return RawSQL(f"EXISTS (SELECT FROM unnest(agent_sequences.steps) AS step WHERE {fits})", bound, BooleanField())  # noqa: S611  # bound
