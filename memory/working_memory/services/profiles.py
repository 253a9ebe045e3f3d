"""What an agent keeps about a user of its workspace, across conversations and never across users."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from core.text.validators import refuse_invisible_characters, refuse_secret
from memory.models import UserMemory
from memory.working_memory.profile_sections import TEMPLATE, filled_sections, with_sections
from workspaces.access.callers import PEOPLE, Caller, Right
from workspaces.access.quotas import refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space
from workspaces.access.spaces import SHARED, NamedSpaces
from workspaces.http.idempotency import purge_responses

MAX_CHARACTERS = 16_000


def read_user_memory(*, caller: Caller, user: str) -> UserMemory:
    """Return what is kept about a user; for one of whom nothing is kept, the template, unsaved. Raises
    MissingScopeError."""
    caller.require(Right.READ)
    caller = caller.naming(NamedSpaces(user=user))
    with workspace_scope(caller):
        known = UserMemory.objects.prefer_written_space(caller).filter(user=user)
        return known.first() or _new(caller, user)


def write_user_memory(*, caller: Caller, user: str, content: str) -> UserMemory:
    """Replace what is kept about a user.

    Raises MissingScopeError without `write`, InvalidError, SecretRefusedError, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    _check(content)
    caller = caller.naming(NamedSpaces(user=user))
    with workspace_scope(caller):
        return _store(_lock_row(caller, user), caller, content)


def update_user_memory(*, caller: Caller, user: str, sections: Mapping[str, str]) -> UserMemory:
    """Replace the named sections and leave the others; an empty text takes a section out.

    Raises MissingScopeError without `write`, InvalidError, SecretRefusedError, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    caller = caller.naming(NamedSpaces(user=user))
    with workspace_scope(caller):
        known = _lock_row(caller, user)
        content = with_sections(known.content, sections)
        _check(content)
        others = filled_sections(known.content).keys() - sections.keys()
        # A page has one author: a person who corrects a section does not vouch for what an agent wrote in others.
        is_of_agent = bool(others) and known.updated_by_kind not in {"", *PEOPLE}
        return _store(known, caller, content, keeps_author=is_of_agent and caller.kind in PEOPLE)


def forget_user_memory(*, caller: Caller, user: str) -> None:
    """Delete what is kept about a user; what is not there is gone already. Raises MissingScopeError."""
    caller.require(Right.WRITE)
    places = [caller.naming(NamedSpaces(user=user))]
    if caller.binding.allows(SHARED):
        places.append(caller.naming(NamedSpaces()))
    for place in places:
        with workspace_scope(place):
            _rows(place, user).delete()
            purge_responses(caller=place)


def _rows(caller: Caller, user: str) -> QuerySet[UserMemory]:
    return UserMemory.objects.in_written_space(caller).filter(user=user)


def _new(caller: Caller, user: str) -> UserMemory:
    return UserMemory(workspace_id=caller.workspace_id, user=user, content=TEMPLATE, updated_at=None)


def _lock_row(caller: Caller, user: str) -> UserMemory:
    """Return the user's row, made where there is none; two updates of it wait for each other."""
    if not _rows(caller, user).exists():
        refuse_full(caller=caller, model=UserMemory, setting="MAX_USER_MEMORIES")
        enter_space(caller)
        new = _new(caller, user)
        # What the shared space knows of the user is what their own begins with.
        if before := UserMemory.objects.prefer_written_space(caller).filter(user=user).first():
            new.content = before.content
        UserMemory.objects.bulk_create([new], ignore_conflicts=True)
    return _rows(caller, user).select_for_update().get()


def _store(known: UserMemory, caller: Caller, content: str, *, keeps_author: bool = False) -> UserMemory:
    known.content, known.updated_at = content, utc_now()
    if not keeps_author:
        known.updated_by, known.updated_by_kind = caller.label[:200], caller.kind
    known.save()
    return known


def _check(content: str) -> None:
    if len(content) > MAX_CHARACTERS:
        said = f"At most {MAX_CHARACTERS:,} characters are kept about a user."
        raise InvalidError(problems=(FieldProblem("content", "max_length", said),))
    refuse_invisible_characters(content, field="content")
    refuse_secret(content, field="content")
