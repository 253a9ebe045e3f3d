"""Why a model gave no usable answer: a stable code and one sentence that holds nothing of the prompt or the answer."""

from __future__ import annotations

from typing import ClassVar

from core.errors import ProductError
from llm.models import PromptRunStatus


class ModelError(ProductError):
    """A call of a model ended without a usable answer. Nothing was changed by it."""

    code = "model_error"
    status = 502
    title = "The model gave no usable answer. Try again."
    run_status: ClassVar[PromptRunStatus] = PromptRunStatus.FAILED


class ModelUnavailableError(ModelError):
    """The provider did not answer, or would not take the request."""

    code = "model_unavailable"
    status = 503
    title = "The model did not answer. Try again, or test its provider in the settings."


class ModelUnreachableError(ModelError):
    """The provider behind a request that is passed on did not answer, or failed."""

    code = "model_unreachable"
    title = "The model provider did not answer. Try again, or test it in the settings."


class ModelRequestRejectedError(ModelError):
    """The provider did not accept a request that was passed on to it as it was."""

    code = "model_request_rejected"
    status = 400
    title = "The model provider did not accept the request. Compare it with what the provider's API takes."


class ModelBusyError(ModelError):
    """The provider takes no more requests at the moment."""

    code = "model_busy"
    status = 429
    title = "The model provider takes no more requests at the moment. Try later."


class ModelRefusedError(ModelError):
    """The model, or its provider's filter, declined."""

    code = "model_refused"
    title = "The model declined to answer this."
    run_status = PromptRunStatus.REFUSED


class ModelEmptyError(ModelError):
    """An answer came, and there was nothing in it."""

    code = "model_empty"
    title = "The model answered with nothing. Try again, or choose another model."
    run_status = PromptRunStatus.EMPTY


class ModelCutOffError(ModelError):
    """The answer ended before it was complete."""

    code = "model_cut_off"
    title = "The model's answer broke off before its end. Try again."
    run_status = PromptRunStatus.CUT_OFF


class ModelBrokenAnswerError(ModelError):
    """The answer does not have the form that was asked for, also after a repair."""

    code = "model_broken_answer"
    title = "The model's answer did not have the form that was asked for. Try again, or choose another model."


class BudgetExceededError(ModelError):
    """The workspace's credits for this month are used up, or the fraction that background work may use."""

    code = "budget_exceeded"
    status = 402
    title = (
        "This workspace has used up its model budget for this month. "
        "An owner or admin can raise it under Settings, Models."
    )
    run_status = PromptRunStatus.OVER_BUDGET


class ModelInsideTransactionError(RuntimeError):
    """A model was called while a database transaction was open: a programming error, never a caller's."""
