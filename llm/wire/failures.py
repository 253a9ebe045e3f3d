"""What went wrong at a provider, in our words."""

from __future__ import annotations

import logging

from pydantic_ai import exceptions as theirs

from core.text import excerpt
from llm.errors import ModelBrokenAnswerError, ModelCutOffError, ModelError, ModelRefusedError, ModelUnavailableError
from llm.exchange import ProviderFailureError, Target

log = logging.getLogger(__name__)

MOST_WORDS = 300

# What the library raises for a call, and how it stumbles over an answer of a shape that it does not expect.
FAILURES = (theirs.AgentRunError, theirs.UserError, LookupError, AttributeError, TypeError, ValueError)

# The first line that fits counts: the specific ones come first.
SENTENCES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (
        theirs.ModelAuthenticationError,
        "{provider} does not accept its key{status}. Enter the key again in the settings.",
    ),
    (theirs.ModelNotFoundError, "{provider} has no model '{model}', or its address is wrong{status}."),
    (theirs.ModelQuotaExceededError, "{provider} says that its quota or its credit is used up{status}."),
    (theirs.ModelRateLimitError, "{provider} takes no more requests at the moment{status}. Try later."),
    (theirs.ModelContextWindowExceededError, "The prompt is longer than '{model}' can read{status}."),
    ((theirs.ModelRequestTimeout, theirs.ModelTimeoutError), "{provider} did not answer within {seconds} seconds."),
    (theirs.ModelConnectionError, "{provider} could not be reached, or hung up. Check its address."),
    (theirs.ModelRequestRejectedError, "{provider} did not accept the request{status}."),
    (
        (theirs.ModelHTTPError, theirs.ModelServerError, theirs.ModelUnavailableError),
        "{provider} failed{status}. Try later.",
    ),
)

WORTH_A_RETRY = (
    theirs.ModelRateLimitError,
    theirs.ModelUnavailableError,
    theirs.ModelServerError,
    theirs.ModelConnectionError,
)


def is_worth_a_retry(error: Exception) -> bool:
    """Whether the same request may succeed in a moment: lost connections, 429 and 5xx. Waiting long once is enough."""
    return isinstance(error, WORTH_A_RETRY) and not isinstance(error, theirs.ModelTimeoutError)


def is_form_refused(error: Exception) -> bool:
    """Whether the form of answer that was asked for may be what the provider did not take.

    Servers that do not know a `response_format` answer 400, 422 or, some, 500.
    """
    if isinstance(error, theirs.ModelAuthenticationError | theirs.ModelNotFoundError):
        return False
    if isinstance(error, theirs.ModelContextWindowExceededError):
        return False
    status = getattr(error, "status_code", None)
    return isinstance(error, theirs.UserError | theirs.ModelRequestRejectedError) or status == 500


def as_failure(error: Exception, target: Target, *, has_begun: bool = False) -> ProviderFailureError:
    """The failure to raise in place of the library's, whose text may hold the prompt."""
    return ProviderFailureError(
        _model_error(error, target, has_begun=has_begun),
        said=_said(error, target),
        is_form_refused=is_form_refused(error),
    )


def timed_out(target: Target) -> ProviderFailureError:
    """The failure of a call that took longer than its provider may."""
    return as_failure(theirs.ModelRequestTimeout(target.model, float(target.timeout_seconds)), target)


def _model_error(error: Exception, target: Target, *, has_begun: bool) -> ModelError:
    if has_begun:
        return ModelCutOffError()
    if isinstance(error, theirs.ContentFilterError):
        return ModelRefusedError()
    for kinds, sentence in SENTENCES:
        if isinstance(error, kinds):
            code = getattr(error, "status_code", None)
            status = f" ({code})" if code else ""
            return ModelUnavailableError(
                sentence.format(
                    provider=target.provider, model=target.model, status=status, seconds=target.timeout_seconds
                )
            )
    log.warning("model_answer_unreadable kind=%s cause=%s", target.kind, type(error).__name__)
    return ModelBrokenAnswerError(f"{target.provider} did not answer in the format of its API. Check its address.")


def _said(error: Exception, target: Target) -> str:
    """The message of a provider's error object, in one line, without the key; never a body that is a page."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    if not isinstance(message, str):
        return ""
    return excerpt(message.replace(target.key, "…") if target.key else message, limit=MOST_WORDS)
