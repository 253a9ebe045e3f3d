"""Calls that are sent again: the same key and the same request get the same answer, and nothing happens twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, Q, Sum, Value, When
from django.db.models.functions import Length

from core.clock import utc_now
from core.crypto import UnreadableSecretError, decrypt, encrypt
from workspaces.access.callers import Caller
from workspaces.access.idempotency_keys import (
    KEPT,
    AnswerNotKeptError,
    KeyReusedError,
    StillAtWorkError,
    refuse_unfit_key,
)
from workspaces.access.quotas import QuotaExceededError, claim_bytes
from workspaces.access.reencryption import Reencryption, reencrypt
from workspaces.access.scope import workspace_scope
from workspaces.models import IdempotentAnswer

# A process that died left its call unanswered; after this time another call may try.
AT_WORK = timedelta(minutes=10)
# A longer answer, as characters of JSON, is not kept: refused lines make one that is many times as long as its request.
MAX_ANSWER_CHARACTERS = 262_144


class AnsweredBeforeError(Exception):
    """The call has its response already; the door returns that."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


@dataclass(frozen=True, slots=True)
class IdempotentCall:
    """A call that is answered once; `id` is a digest of who asks, for whom, in which spaces, where, under which key.

    `spaces` are those whose rows its answer may tell of; without any, that is not known.
    """

    caller: Caller
    id: str
    spaces: tuple[UUID, ...] = ()

    @classmethod
    def of(cls, *, caller: Caller, path: str, key: str, stays_within: bool = True) -> IdempotentCall:
        """Return the call; `stays_within` says that it reads and writes the spaces that it names and no others.

        Raises InvalidError for what cannot be a key.
        """
        refuse_unfit_key(key)
        # All users of a stamped key are one caller; what they share, each of them reads in a call of their own.
        spaces = [caller.binding.default, caller.reach.written, *sorted(caller.reach.read)]
        parts = [caller.kind, caller.id, path, key, *map(str, spaces)]
        if caller.is_sub_agent:  # what the agent was answered is not for its sub-agents
            parts.append("sub-agent")
        is_known = stays_within and not caller.reach.every
        answered = sorted({caller.reach.written, *caller.reach.read}) if is_known else []
        return cls(caller, hashlib.sha256(json.dumps(parts).encode()).hexdigest(), tuple(answered))

    @property
    def purpose(self) -> str:
        return f"answer:{self.caller.workspace_id}:{self.id}"


def start(call: IdempotentCall, *, request: Any) -> None:
    """Note that this call is at work. Raises AnsweredBeforeError, KeyReusedError, StillAtWorkError, AnswerNotKeptError.

    Of two at once one begins, and the other raises.
    """
    digest = hashlib.sha256(json.dumps(request, sort_keys=True, default=repr).encode()).hexdigest()
    now = utc_now()
    with workspace_scope(call.caller):
        mine = IdempotentAnswer.objects.of(call.caller).filter(call=call.id)
        mine.filter(Q(created_at__lt=now - KEPT) | Q(status=None, created_at__lt=now - AT_WORK)).delete()
        known, is_new = IdempotentAnswer.objects.get_or_create(
            workspace_id=call.caller.workspace_id,
            call=call.id,
            defaults={"request_sha256": digest, "spaces": list(call.spaces)},
        )
    if is_new:
        return
    if known.request_sha256 != digest:
        raise KeyReusedError()
    if known.status is None:
        raise StillAtWorkError()
    raise AnsweredBeforeError(known.status, _read_stored(call, known.answer))


def store_response(call: IdempotentCall, *, status: int, rendered: Callable[[], str] | None) -> None:
    """Store the answer; without `rendered`, for a long one, and beyond MAX_ANSWER_BYTES, only that there was one."""
    text = rendered() if rendered else ""
    answer = encrypt(text, purpose=call.purpose) if 0 < len(text) <= MAX_ANSWER_CHARACTERS else ""
    with workspace_scope(call.caller):
        if answer and not _claim_room(call.caller, answer):
            answer = ""
        _mine(call).update(status=status, answer=Case(When(is_erased=True, then=Value("")), default=Value(answer)))


def release(call: IdempotentCall) -> None:
    """Release the key of a failed call, so that the next one may try."""
    with workspace_scope(call.caller):
        _mine(call).delete()


def purge_responses(*, caller: Caller, spaces: Collection[UUID] = ()) -> None:
    """Erase the answers that may hold what is deleted, in the scope in which that is.

    They are those of calls that could read one of the `spaces` in which that was, the one that the caller writes into
    unless they are given, and those of which that is not known. That there was one stays known, so that nothing
    happens twice. Calls at work may have read what is deleted: their answers will not be kept.
    """
    kept = IdempotentAnswer.objects.of(caller).filter(is_erased=False)
    if spaces or not caller.reach.every:
        kept = kept.filter(Q(spaces__overlap=list(spaces or [caller.reach.written])) | Q(spaces=[]))
    kept.update(is_erased=True, answer="")


def delete_expired(*, caller: Caller) -> int:
    """Delete answers that are kept no longer; return their number."""
    with workspace_scope(caller):
        expired = IdempotentAnswer.objects.of(caller).filter(created_at__lt=utc_now() - KEPT)
        return expired.delete()[0]


def reencrypt_answers(*, caller: Caller, is_rehearsal: bool = False) -> Reencryption:
    """Encrypt the workspace's kept answers under SECRET_KEY itself; a rehearsal only counts them."""
    return reencrypt(
        caller=caller,
        rows=IdempotentAnswer.objects,
        column="answer",
        purpose=lambda row: IdempotentCall(caller, row.call).purpose,
        is_rehearsal=is_rehearsal,
    )


def _claim_room(caller: Caller, answer: str) -> bool:
    """Return whether the workspace may keep these bytes as well: the call was answered, and is refused nothing."""

    def count() -> int:
        kept = IdempotentAnswer.objects.of(caller).aggregate(size=Sum(Length("answer")))
        return int(kept["size"] or 0)

    try:
        claim_bytes(caller=caller, setting="MAX_ANSWER_BYTES", added=len(answer), count=count)
    except QuotaExceededError:
        return False
    return True


def _mine(call: IdempotentCall) -> Any:
    return IdempotentAnswer.objects.of(call.caller).filter(call=call.id, status=None)


def _read_stored(call: IdempotentCall, answer: str) -> Any:
    if not answer:
        raise AnswerNotKeptError()
    try:
        return json.loads(decrypt(answer, purpose=call.purpose))
    except UnreadableSecretError as error:  # kept under another SECRET_KEY
        raise AnswerNotKeptError() from error
