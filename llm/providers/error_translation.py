"""What went wrong at a provider, in our words."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

from pydantic_ai import exceptions as theirs

from llm.providers.checked_transport import AddressRefusedError, AnswerRefusedError
from llm.providers.errors import (
    ModelBrokenAnswerError,
    ModelCutOffError,
    ModelError,
    ModelRefusedError,
    ModelUnavailableError,
)
from llm.providers.types import ProviderFailureError, Target

log = logging.getLogger(__name__)

# What providers call their errors: invalid_api_key, RESOURCE_EXHAUSTED. Without digits no secret looks like one.
CODE = re.compile(r"[a-z][a-z_]{1,39}|[A-Z][A-Z_]{1,39}")

# What the library raises for a call, and how it stumbles over an answer of a shape that it does not expect.
FAILURES = (theirs.AgentRunError, theirs.UserError, LookupError, AttributeError, TypeError, ValueError, RecursionError)

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

TOO_LONG = (
    "{provider} sent a longer answer than is read, or one of too many parts, or a compressed one. Check its address."
)

WORTH_A_RETRY = (
    theirs.ModelRateLimitError,
    theirs.ModelUnavailableError,
    theirs.ModelServerError,
    theirs.ModelConnectionError,
)


def is_worth_a_retry(error: Exception) -> bool:
    """Return whether the same request may succeed in a moment: lost connections, 429 and 5xx. Waiting long once is
    enough."""
    if isinstance(error, theirs.ModelTimeoutError) or _has_cause(error, AddressRefusedError, AnswerRefusedError):
        return False
    return isinstance(error, WORTH_A_RETRY)


def is_form_refused(error: Exception) -> bool:
    """Return whether the form of answer that was asked for may be what the provider did not take.

    Servers that do not know a `response_format` answer 400, 422 or, some, 500.
    """
    if isinstance(error, theirs.ModelAuthenticationError | theirs.ModelNotFoundError):
        return False
    if isinstance(error, theirs.ModelContextWindowExceededError):
        return False
    status = getattr(error, "status_code", None)
    return isinstance(error, theirs.UserError | theirs.ModelRequestRejectedError) or status == 500


def as_failure(error: Exception, target: Target, *, has_begun: bool = False) -> ProviderFailureError:
    """Return the failure to raise in place of the library's, whose text may hold the prompt."""
    return ProviderFailureError(
        _model_error(error, target, has_begun=has_begun),
        code=_code(error),
        is_form_refused=is_form_refused(error),
    )


def timeout_failure(target: Target) -> ProviderFailureError:
    """Return the failure of a call that took longer than its provider may."""
    return as_failure(theirs.ModelRequestTimeout(target.model, float(target.timeout_seconds)), target)


def _model_error(error: Exception, target: Target, *, has_begun: bool) -> ModelError:
    if has_begun:
        return ModelCutOffError()
    if isinstance(error, theirs.ContentFilterError):
        return ModelRefusedError()
    if _has_cause(error, AnswerRefusedError):
        return ModelBrokenAnswerError(TOO_LONG.format(provider=target.provider))
    if _has_cause(error, AddressRefusedError):
        return ModelUnavailableError(
            f"The address of {target.provider} is not a public one. The operator can allow it with MODEL_HOSTS."
        )
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


def _code(error: Exception) -> str:
    """Return the name that a provider gives to its error, if it is one; never its words, nor those of another
    server."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    names = [inner.get(key) for key in ("code", "type", "status")] if isinstance(inner, dict) else []
    return next((name for name in names if isinstance(name, str) and CODE.fullmatch(name)), "")


def _has_cause(error: Exception, *kinds: type[Exception]) -> bool:
    return any(isinstance(cause, kinds) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
