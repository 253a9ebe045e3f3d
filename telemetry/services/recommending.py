"""Asking the workspace's model what to advise about a pattern; without one the rule's advice stays."""

from __future__ import annotations

from uuid import UUID

from llm.exchange import Message
from llm.kinds import Kind
from llm.selectors import configured_model
from llm.services.router import complete
from telemetry.models import Pattern, RecommendedBy
from telemetry.prompts import RECOMMENDATION_PROMPT, Recommendation
from workspaces.callers import Caller, system_caller
from workspaces.scope import workspace_scope


def recommend_by_model(*, workspace_id: UUID, pattern_id: UUID) -> bool:
    """Replace a rule's recommendation by the model's; answer whether that happened. Raises a child of ModelError.

    The model is told types, codes and counts. An answer that comes late overwrites nothing but the rule.
    """
    caller = system_caller(workspace_id, "recommending")
    choice = configured_model(caller, Kind.REFLECT)
    pattern = _waiting(caller, pattern_id)
    if choice is None or pattern is None:
        return False
    told = (
        f"action type: {pattern.action_type}\ntype of the target: {pattern.node_type or 'none'}\n"
        f"error code: {pattern.error_code}\nmet by {pattern.support} of {pattern.attempts} sequences that tried it"
    )
    answer = complete(
        caller=caller,
        kind=Kind.REFLECT,
        system=RECOMMENDATION_PROMPT,
        messages=[Message("user", told)],
        choice=choice,
        schema=Recommendation,
        background=True,
    )
    if answer.value is None:
        return False
    advice = " ".join(answer.value.advice.split())
    with workspace_scope(caller):
        mine = Pattern.objects.filter(workspace_id=workspace_id, id=pattern_id, recommended_by=RecommendedBy.RULE)
        return bool(mine.update(recommendation=advice, recommended_by=RecommendedBy.MODEL))


def _waiting(caller: Caller, pattern_id: UUID) -> Pattern | None:
    with workspace_scope(caller):
        mine = Pattern.objects.filter(workspace_id=caller.workspace_id, id=pattern_id)
        found: Pattern | None = mine.filter(recommended_by=RecommendedBy.RULE).first()
        return found
