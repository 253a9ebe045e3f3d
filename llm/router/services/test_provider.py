"""Trying a provider out: one tiny call, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from core.errors import FieldProblem, InvalidError
from llm.call_kinds import CallKind
from llm.configuration.budget import Prices
from llm.configuration.selectors import ResolvedModel, access_provider
from llm.configuration.services import resolve_target
from llm.models import ModelChoice, ModelProvider
from llm.providers.errors import BudgetExceededError, ModelError
from llm.providers.types import Prompt, PromptMessage, ProviderFailureError
from llm.providers.validation import require_usable
from llm.usage.services import record_call
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

TEST_PROMPT = Prompt("", (PromptMessage("user", "Answer with the word OK."),))


@dataclass(frozen=True, slots=True)
class Trial:
    """Whether a provider answers, one sentence about it, and the provider's name for a failure."""

    works: bool
    detail: str
    model: str
    latency_ms: int
    provider_code: str = ""


def try_provider(*, caller: Caller, provider_id: UUID, model: str = "") -> Trial:
    """Ask the provider for one word, by the named model or by one that is chosen. A failure is an answer, no error.

    Raises MissingScopeError without `admin`, NotFoundError, and InvalidError when no model is named or chosen.
    """
    caller.require(Right.ADMIN)
    choice = _choice(caller, access_provider(caller, provider_id), model)
    from llm.providers import sync  # noqa: PLC0415  # imports pydantic-ai

    code = ""
    try:
        with record_call(
            caller=caller, kind=CallKind.TEST, prompt=TEST_PROMPT, choice=choice, background=False
        ) as recording:
            try:
                require_usable(sync.answer(resolve_target(choice), TEST_PROMPT, meter=recording.meter))
            except ProviderFailureError as failure:
                code = failure.code
                raise failure.error from None
    except BudgetExceededError as error:  # the provider was not asked
        return Trial(False, error.detail, choice.name, 0)
    except ModelError as error:
        return Trial(False, error.detail, choice.name, recording.latency_ms, code)
    return Trial(True, f"{choice.provider.name} answers.", choice.name, recording.latency_ms)


def _choice(caller: Caller, provider: ModelProvider, model: str) -> ResolvedModel:
    with workspace_scope(caller):
        chosen = ModelChoice.objects.of(caller).filter(provider=provider).order_by("-level", "subject", "tier")
        choice = (chosen.filter(model=model) if model else chosen).first()
    if choice is not None:
        return ResolvedModel(provider, choice.model, Prices(choice.input_price, choice.output_price))
    if model:
        return ResolvedModel(provider, model, Prices())
    problem = FieldProblem("model", "required", "Choose one of its models first, or name one: no model is chosen yet.")
    raise InvalidError(problem.detail, problems=(problem,))
