"""What an agent keeps about a user of its workspace, across conversations and never across users."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db.models import QuerySet

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, InvalidError
from core.text.markdown_sections import with_sections
from core.text.validators import refuse_invisible_characters, refuse_secret
from memory.models import UserMemory
from memory.working_memory.profile_sections import content_version, filled_sections
from workspaces.access.audit import record_event
from workspaces.access.callers import PEOPLE, ActorKind, Caller, Right
from workspaces.access.quotas import refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace, own_space
from workspaces.access.space_registry import enter_space
from workspaces.access.spaces import SHARED, NamedSpaces
from workspaces.http.idempotency import purge_responses
from workspaces.settings.workspace_settings import memory_settings

MAX_CHARACTERS = 16_000


class UserMemoryVersionError(ConflictError):
    """What is kept about the user was changed since the caller read it.

    `kept` is what is kept now.
    """

    code = "version_conflict"

    def __init__(self, kept: UserMemory) -> None:
        self.kept = kept
        super().__init__(
            "What is kept about this user was changed since that version. Read it again, put your change into what it "
            f"says now, and send it with version {content_version(kept.content)}."
        )


def user_of_call(caller: Caller, named: str = "") -> str:
    """Return the key of the user whom a call is for: the `named` one, else the one whose space the call writes into.

    A person at a page is the user of their own space only: an admin who opens another's is not that user. '' for no
    user.
    """
    space = caller.reach.name
    if named or space is None or space.kind != "user":
        return named
    is_of_another = caller.kind == ActorKind.USER and space != own_space(caller.id)
    return "" if is_of_another else space.key


def find_user_memory(caller: Caller, user: str) -> UserMemory | None:
    """Return what is kept about a user, in an open scope; None where nothing is. Every reading comes through here."""
    if not user:
        return None
    return UserMemory.objects.prefer_written_space(caller).filter(user=user).first()


def read_user_memory(*, caller: Caller, user: str) -> UserMemory:
    """Return what is kept about a user; for one of whom nothing is kept, the template, unsaved.

    Raises MissingScopeError, and what `Caller.naming` raises.
    """
    caller.require(Right.READ)
    caller = caller.naming(NamedSpaces(user=user))
    with workspace_scope(caller):
        return find_user_memory(caller, user) or _new(caller, user)


def write_user_memory(*, caller: Caller, user: str, content: str, version: str | None = None) -> UserMemory:
    """Replace what is kept about a user; with a `version`, only where that is what is kept.

    Raises MissingScopeError without `write`, InvalidError, SecretRefusedError, QuotaExceededError,
    UserMemoryVersionError.
    """
    caller.require(Right.WRITE)
    _check(content)
    caller = caller.naming(NamedSpaces(user=user))
    with workspace_scope(caller):
        known = _lock_row(caller, user)
        _refuse_other_version(known, version, content)
        return _store(known, caller, content)


def update_user_memory(
    *, caller: Caller, user: str, sections: Mapping[str, str], version: str | None = None
) -> UserMemory:
    """Replace the named sections and leave the others; an empty text takes a section out.

    Raises MissingScopeError without `write`, InvalidError, SecretRefusedError, QuotaExceededError, and with a
    `version` UserMemoryVersionError where another one is kept.
    """
    caller.require(Right.WRITE)
    caller = caller.naming(NamedSpaces(user=user))
    with workspace_scope(caller):
        known = _lock_row(caller, user)
        content = with_sections(known.content, sections)
        _refuse_other_version(known, version, content)
        _check(content)
        return _store(known, caller, content)


def forget_user_memory(*, caller: Caller, user: str) -> None:
    """Delete what is kept about a user; what is not there is gone already. Raises MissingScopeError."""
    caller.require(Right.WRITE)
    places = [caller.naming(NamedSpaces(user=user))]
    if caller.binding.allows(SHARED):
        places.append(caller.naming(NamedSpaces(space=str(SHARED))))
    for place in places:
        with workspace_scope(place):
            for identity in list(_rows(place, user).values_list("id", flat=True)):
                _record(place, "user_memory.deleted", identity)
            _rows(place, user).delete()
            purge_responses(caller=place)


def _rows(caller: Caller, user: str) -> QuerySet[UserMemory]:
    return UserMemory.objects.in_written_space(caller).filter(user=user)


def _new(caller: Caller, user: str) -> UserMemory:
    template = memory_settings(current_workspace(caller)).user_template
    return UserMemory(workspace_id=caller.workspace_id, user=user, content=template, updated_at=None)


def _lock_row(caller: Caller, user: str) -> UserMemory:
    """Return the user's row, made where there is none; two updates of it wait for each other."""
    if not _rows(caller, user).exists():
        refuse_full(caller=caller, model=UserMemory, setting="MAX_USER_MEMORIES")
        enter_space(caller)
        new = _new(caller, user)
        # What the shared space knows of the user is what their own begins with.
        if before := find_user_memory(caller, user):
            new.content = before.content
            # With its author: else a person who corrects a section would vouch for what an agent wrote in others.
            new.updated_by, new.updated_by_kind = before.updated_by, before.updated_by_kind
        UserMemory.objects.bulk_create([new], ignore_conflicts=True)
    return _rows(caller, user).select_for_update().get()


def _store(known: UserMemory, caller: Caller, content: str) -> UserMemory:
    # A page has one author: a person who corrects a section does not vouch for what an agent wrote in others.
    is_of_agent = known.updated_by_kind not in {"", *PEOPLE} and _has_kept_section(known.content, content)
    known.content, known.updated_at = content, utc_now()
    if not (is_of_agent and caller.kind in PEOPLE):
        known.updated_by, known.updated_by_kind = caller.label[:200], caller.kind
    known.save()
    _record(caller, "user_memory.changed", known.id)
    return known


def _has_kept_section(before: str, after: str) -> bool:
    """Return whether a section that says something says the same after a change."""
    return not filled_sections(before).items().isdisjoint(filled_sections(after).items())


def _record(caller: Caller, action: str, identity: UUID) -> None:
    space = {"space": str(caller.reach.name)} if caller.reach.name else {}
    record_event(caller=caller, action=action, object_type="user_memory", object_id=identity, details=space)


def _refuse_other_version(known: UserMemory, version: str | None, content: str) -> None:
    """Raise UserMemoryVersionError unless this version is kept, or what is to be written is, since it was sent
    before."""
    if version is not None and version != content_version(known.content) and content != known.content:
        raise UserMemoryVersionError(known)


def _check(content: str) -> None:
    if len(content) > MAX_CHARACTERS:
        said = f"At most {MAX_CHARACTERS:,} characters are kept about a user."
        raise InvalidError(problems=(FieldProblem("content", "max_length", said),))
    refuse_invisible_characters(content, field="content")
    refuse_secret(content, field="content")
