"""The reflector: observations of a conversation that have become too many are merged and dropped."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from conversations.models import (
    BatchState,
    Conversation,
    Observation,
    ObservationBatch,
    ObservationCursor,
    ObservationMethod,
)
from conversations.observations.block import observation_line
from conversations.observations.drawn_observations import DrawnObservation
from conversations.observations.prompts import REFLECT_PROMPT, ModelReflections
from conversations.observations.reflection_rules import read_reflections, reduce_by_rules
from conversations.observations.selectors import active_observations
from conversations.observations.services.batches import read_drawn, store_observations
from conversations.observations.thresholds import ObservationThresholds
from core.clock import utc_now
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.errors import ModelError
from llm.providers.types import PromptMessage
from llm.router.services.completions import complete
from workspaces.access.callers import Caller
from workspaces.access.leases import HeldLease
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import hold_workspace
from workspaces.settings.workspace_settings import is_memory_enabled

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Reflection:
    """What is left of observations, what has merged them, and the model's error that rules stood in for."""

    kept: Sequence[DrawnObservation]
    method: ObservationMethod
    failure: str = ""


def reflect_if_due(*, lease: HeldLease, conversation: Conversation, thresholds: ObservationThresholds) -> bool:
    """Merge the observations of a conversation where they are above the threshold; return whether it was done.

    By the workspace's model or, without one and where it fails, by rules; `critical` ones are never dropped. What
    takes their place begins a new generation of the block, in one transaction. Observations that messages made room
    for meanwhile stay behind it. For the holder of the conversation's lease.
    """
    caller = lease.caller
    with workspace_scope(caller):
        cursor = ObservationCursor.objects.of(caller).filter(conversation_id=conversation.id).first()
        if cursor is None or not _is_due(thresholds, cursor):
            return False
        before = list(active_observations(caller, conversation.id))
        _correct_tokens(caller, cursor, before)
        if not _is_due(thresholds, cursor):
            return False
    reflection = _reflect(caller, conversation, [read_drawn(each) for each in before], thresholds.reflection_target)
    return _replace(lease, conversation.id, before, reflection)


def _is_due(thresholds: ObservationThresholds, cursor: ObservationCursor) -> bool:
    return thresholds.needs_reflection(
        observation_tokens=cursor.observation_tokens, reflected_tokens=cursor.reflected_tokens
    )


def _correct_tokens(caller: Caller, cursor: ObservationCursor, active: Sequence[Observation]) -> None:
    """Put the tokens that there are in the place of those that were counted, in an open scope.

    An import may bring any number, and no merging would ever bring it down to where the observer may leave.
    """
    tokens = sum(each.tokens for each in active)
    if tokens != cursor.observation_tokens:
        counted = ObservationCursor.objects.of(caller).filter(
            conversation_id=cursor.conversation_id, observation_tokens=cursor.observation_tokens
        )
        counted.update(observation_tokens=tokens)
        cursor.observation_tokens = tokens


def _reflect(
    caller: Caller, conversation: Conversation, observations: Sequence[DrawnObservation], max_tokens: int
) -> _Reflection:
    """Return what is left of observations. Takes as long as the model does: never call it in a scope."""
    choice = configured_model(caller, CallKind.REFLECT, conversation=conversation.key)
    if choice is None:
        return _Reflection(reduce_by_rules(observations, max_tokens=max_tokens), ObservationMethod.RULES)
    numbered = "\n".join(
        f"#{number} {each.observed_at:%Y-%m-%d} "
        f"{observation_line(kind=each.kind, text=each.text, observed_at=each.observed_at).removeprefix('- ')}"
        for number, each in enumerate(observations, start=1)
    )
    try:
        answer = complete(
            caller=caller,
            kind=CallKind.REFLECT,
            system=REFLECT_PROMPT,
            messages=[PromptMessage("user", numbered)],
            choice=choice,
            schema=ModelReflections,
            background=True,
        )
    except ModelError as error:
        log.warning("reflection_by_rules conversation=%s code=%s", conversation.id, error.code)
        kept = reduce_by_rules(observations, max_tokens=max_tokens)
        return _Reflection(kept, ObservationMethod.RULES, error.code)
    given = read_reflections(answer.value.observations if answer.value else [], observations)
    # Nothing but what may not be dropped anyway, or more than was asked for: rules see to the rest.
    return _Reflection(reduce_by_rules(given, max_tokens=max_tokens), ObservationMethod.MODEL)


def _replace(lease: HeldLease, conversation: UUID, before: Sequence[Observation], reflection: _Reflection) -> bool:
    """Put what is left in the place of the observations, as those of their last batch; return False where memory is
    off or another process has taken over."""
    caller = lease.caller
    with workspace_scope(caller):
        if not is_memory_enabled(hold_workspace(caller)):
            return False
        if not Conversation.objects.of(caller).filter(id=conversation).select_for_update().first():
            return False
        if not lease.is_current():
            return False
        batches = ObservationBatch.objects.of(caller).filter(id__in={each.batch_id for each in before})
        last = batches.filter(state=BatchState.ACTIVE).order_by("-number").first()
        if last is None:
            return False
        Observation.objects.of(caller).filter(id__in=[each.id for each in before]).delete()
        store_observations(caller=caller, batch=last, drawn=reflection.kept)
        tokens = sum(each.tokens for each in reflection.kept)
        replaced = sum(each.tokens for each in before)
        batches.exclude(id=last.id).update(state=BatchState.REFLECTED, tokens=0)
        batches.filter(id=last.id).update(tokens=tokens)
        cursors = ObservationCursor.objects.of(caller).filter(conversation_id=conversation)
        cursors.update(
            observation_tokens=F("observation_tokens") - replaced + tokens,
            generation=F("generation") + 1,
            reflected_at=utc_now(),
            reflected_tokens=tokens,
            reflection_method=reflection.method,
            reflection_failure=reflection.failure,
        )
    return True
