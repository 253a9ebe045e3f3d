"""The list of the spaces of a workspace: a space is entered with the first row that is written into it.

A caller sees the spaces that its key or app is bound to; with the right `admin` and no binding, all of them. A caller
that is bound to nothing and lacks that right sees none: the names of a workspace's users are not for every agent.
To see all of them leaves an audit event.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from threading import Lock
from uuid import UUID

from cachetools import TTLCache
from django.db import transaction
from django.db.models import Q, QuerySet

from core.errors import InvalidError, NotFoundError
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.space_access_audit import note_directory
from workspaces.access.spaces import (
    OWN_KINDS,
    SESSION_KIND,
    SHARED,
    SHARED_ONLY,
    Binding,
    NamedSpaces,
    SpaceName,
    is_every_key,
    parse_space,
    refuse_unseen,
)
from workspaces.models import Space, SpaceKind

# Spaces that this process knows to be entered. An import replaces the list, and may run in another process: a space
# that it took away is entered again after a minute.
ENTERED_SECONDS = 60.0
_entered: TTLCache[tuple[UUID, UUID], bool] = TTLCache(maxsize=100_000, ttl=ENTERED_SECONDS)
_lock = Lock()


def enter_space(caller: Caller) -> None:
    """Enter the space that the caller writes into, in the open scope, unless it is there."""
    name, place = caller.reach.name, (caller.workspace_id, caller.reach.written)
    if name is None or _is_entered(place):
        return
    refuse_new_unseen(caller, name)
    Space.objects.bulk_create([_row(caller, name)], ignore_conflicts=True)
    transaction.on_commit(partial(_note_entered, place))


def refuse_new_unseen(caller: Caller, *names: SpaceName, field: str = "space") -> None:
    """Raise InvalidError for a name in which something cannot be seen; what was entered under one stays in use."""
    for name in names:
        try:
            refuse_unseen(name, field=field)
        except InvalidError:
            with workspace_scope(caller):
                if not Space.objects.of(caller).filter(id=name.id).exists():
                    raise


def refuse_unseen_names(caller: Caller, named: NamedSpaces) -> None:
    """Raise InvalidError where a call names, or its stamp does, a space that looks like another one, unless it was
    entered before."""
    for field, name in (("user", named.user), ("agent", named.agent), ("space", named.space)):
        if name is not None:
            space = parse_space(name) if field == "space" else SpaceName(field, name)
            refuse_new_unseen(caller, space, field=field)
    if caller.reach.name:
        refuse_new_unseen(caller, caller.reach.name)


def forget_entered() -> None:
    """Look again whether a space is entered, after spaces were taken away."""
    with _lock:
        _entered.clear()


def known_spaces(caller: Caller, *, kind: str = "", prefix: str = "") -> QuerySet[Space]:
    """Return the spaces that the caller may know of, in the open scope; `shared` is there though nothing is in it.

    `prefix` is how the name begins, or the key of a user, an agent or a space of this kind. Raises MissingScopeError.
    """
    _require_binding(caller)
    note_directory(caller)
    enter_space(replace(caller, reach=SHARED_ONLY))
    named = Space.objects.of(caller).exclude(kind=SpaceKind.CUSTOM, key__startswith=f"{SESSION_KIND}:")
    return named.filter(_allowed_rows(caller.binding), _rows_of_kind(kind, prefix))


def find_space(caller: Caller, name: str) -> Space:
    """Return a space by its name.

    Raises NotFoundError where nothing was written into it, SpaceNotAllowedError outside of the caller's binding,
    MissingScopeError where it has neither a binding nor the right `admin`.
    """
    _require_binding(caller)
    try:
        space = parse_space(name)
    except InvalidError as error:
        raise NotFoundError() from error
    caller.binding.require(space)
    with workspace_scope(caller):
        if space == SHARED:
            enter_space(replace(caller, reach=SHARED_ONLY))
        found = Space.objects.of(caller).filter(id=space.id).first()
        if found is not None:
            note_directory(caller, space)
    if found is None:
        raise NotFoundError()
    return found


def space_name(caller: Caller, space_id: UUID) -> SpaceName:
    """Return the name of a space that something was written into, in the open scope. Raises NotFoundError."""
    if space_id == SHARED.id:
        return SHARED
    if caller.reach.name and caller.reach.name.id == space_id:
        return caller.reach.name
    found = Space.objects.of(caller).filter(id=space_id).first()
    if found is None:
        raise NotFoundError()
    return found.parsed_name


def _is_entered(place: tuple[UUID, UUID]) -> bool:
    with _lock:
        return _entered.get(place, False)


def _note_entered(place: tuple[UUID, UUID]) -> None:
    with _lock:
        _entered[place] = True


def _require_binding(caller: Caller) -> None:
    if not caller.binding.allowed:
        caller.require(Right.ADMIN)


def _allowed_rows(binding: Binding) -> Q:
    if binding.is_of_sub_agent:
        return _allowed_rows(replace(binding, is_of_sub_agent=False)) & ~Q(kind=SpaceKind.USER)
    if not binding.allowed:
        return Q()
    found = Q(id__in=[parse_space(name).id for name in binding.allowed if not is_every_key(name)])
    for name in binding.allowed:
        if is_every_key(name):
            found |= _rows_of_kind(name.removesuffix(":*"), "")
    return found


def _rows_of_kind(kind: str, prefix: str) -> Q:
    """Return the condition for spaces of a kind, any if it is empty, whose name or key begins with the prefix."""
    if kind:
        key = prefix.removeprefix(f"{kind}:")
        if kind not in OWN_KINDS:
            return Q(kind=SpaceKind.CUSTOM, key__startswith=f"{kind}:{key}")
        return Q(kind=kind) & (Q(key__startswith=key) if kind != SHARED.kind else _rows_of_shared(key))
    found = Q(key__startswith=prefix) & ~Q(kind=SpaceKind.SHARED) | _rows_of_shared(prefix)
    for own in (SpaceKind.USER, SpaceKind.AGENT):
        if prefix.startswith(f"{own}:"):
            found |= Q(kind=own, key__startswith=prefix.removeprefix(f"{own}:"))
    return found


def _rows_of_shared(prefix: str) -> Q:
    return Q(kind=SpaceKind.SHARED) if SHARED.kind.startswith(prefix) else Q(pk__in=())


def _row(caller: Caller, name: SpaceName) -> Space:
    kind, key = (SpaceKind(name.kind), name.key) if name.kind in OWN_KINDS else (SpaceKind.CUSTOM, str(name))
    return Space(id=caller.reach.written, workspace_id=caller.workspace_id, kind=kind, key=key)
