"""Reading providers, choices, prompt runs and the budget; `access_provider` is the only road from an id to one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError, NotFoundError
from llm.call_kinds import TIER_OF_KIND, CallKind, Level
from llm.configuration.budget import Budget, Prices, month_start
from llm.configuration.model_selection import ModelRequest, most_specific
from llm.models import ModelChoice, ModelProvider, PromptRun
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import model_settings

AS_CONFIGURED = ModelRequest()


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """The model that will answer, at whose address, at what price."""

    provider: ModelProvider
    name: str
    prices: Prices


def configured_model(
    caller: Caller,
    kind: CallKind,
    *,
    agent: str | None = None,
    conversation: str | None = None,
    request: ModelRequest = AS_CONFIGURED,
) -> ResolvedModel | None:
    """Return the model for a kind of work: what the request names, else the conversation's, the agent's, the
    workspace's.

    None means that no model is configured, and the caller goes on by rules, such as those of
    `core.english.salience`. Raises InvalidError when the request names a model that the workspace has not
    chosen anywhere.
    """
    tier = request.tier or TIER_OF_KIND.get(kind)
    if tier is None:
        return None
    with workspace_scope(caller):
        chosen = ModelChoice.objects.of(caller).select_related("provider")
        if request.model:
            chosen = chosen.filter(model=request.model)
        else:
            chosen = chosen.filter(_applies(agent=agent, conversation=conversation))
        choice = most_specific(chosen, tier=tier, agent=agent, conversation=conversation)
    if choice is not None:
        return ResolvedModel(choice.provider, choice.model, Prices(choice.input_price, choice.output_price))
    if request.model:
        problem = FieldProblem("model", "unknown_model", "No choice of this workspace names this model.")
        raise InvalidError(problem.detail, problems=(problem,))
    return None


def _applies(*, agent: str | None, conversation: str | None) -> Q:
    return (
        Q(level=Level.WORKSPACE)
        | Q(level=Level.AGENT, subject=agent or "")
        | Q(level=Level.CONVERSATION, subject=conversation or "")
    )


def access_provider(caller: Caller, provider_id: UUID, *, lock: bool = False) -> ModelProvider:
    """Return a provider of the caller's workspace. Raises NotFoundError; absent and forbidden look the same.

    `lock` keeps the row until the end of the caller's open scope.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        found = ModelProvider.objects.of(caller).filter(id=provider_id)
        provider: ModelProvider | None = (found.select_for_update() if lock else found).first()
    if provider is None:
        raise NotFoundError()
    return provider


def workspace_providers(caller: Caller) -> list[ModelProvider]:
    """Return the workspace's providers, by name."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return list(ModelProvider.objects.of(caller).order_by("name"))


def workspace_choices(caller: Caller) -> list[ModelChoice]:
    """Return the workspace's choices with their providers: its own first, then by conversation and agent."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        chosen = ModelChoice.objects.of(caller).select_related("provider")
        return list(chosen.order_by("-level", "subject", "tier"))


def workspace_prompt_runs(caller: Caller) -> QuerySet[PromptRun]:
    """Return every call of a model, newest first, for an open scope."""
    return PromptRun.objects.of(caller).order_by("-id")


def month_budget(caller: Caller) -> Budget:
    """Return the budget of this month (UTC), and what was spent of it."""
    with workspace_scope(caller):
        limit = model_settings(Workspace.objects.get(id=caller.workspace_id)).monthly_budget
        runs = PromptRun.objects.of(caller).filter(created_at__gte=month_start(utc_now()))
        spent = runs.aggregate(spent=Sum("credits"))["spent"]
    return Budget(None if limit is None else Decimal(str(limit)), spent or Decimal(0))
