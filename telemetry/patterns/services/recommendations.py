"""Asking the workspace's model what to advise about a pattern; without one the rule's advice stays."""

from __future__ import annotations

from uuid import UUID

from core.text.prompt_sanitiser import flatten
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.types import PromptMessage
from llm.router.services.completions import complete
from telemetry.models import Pattern, RecommendedBy
from telemetry.patterns.prompts import RECOMMENDATION_PROMPT, Recommendation
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_callers import caller_of_row


def recommend_by_model(*, workspace_id: UUID, pattern_id: UUID) -> bool:
    """Replace a rule's recommendation by the model's; return whether that happened. Raises a child of ModelError.

    The model gets types, codes and counts. An answer that comes late overwrites nothing but the rule.
    """
    caller = caller_of_row(workspace_id, "recommending", model=Pattern, row_id=pattern_id)
    if caller is None:
        return False
    choice = configured_model(caller, CallKind.REFLECT)
    pattern = _waiting(caller, pattern_id)
    if choice is None or pattern is None:
        return False
    told = (
        f"action type: {flatten(pattern.action_type)}\ntype of the target: {flatten(pattern.node_type) or 'none'}\n"
        f"error code: {flatten(pattern.error_code)}\n"
        f"met by {pattern.support} of {pattern.attempts} sequences that tried it"
    )
    answer = complete(
        caller=caller,
        kind=CallKind.REFLECT,
        system=RECOMMENDATION_PROMPT,
        messages=[PromptMessage("user", told)],
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
        mine = Pattern.objects.of(caller).filter(id=pattern_id)
        found: Pattern | None = mine.filter(recommended_by=RecommendedBy.RULE).first()
        return found
