"""REST of slots, which an agent keeps under a name, in a tier, for a scope; and of what is kept about users."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django.http import QueryDict
from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import SEARCH
from core.errors import FieldProblem, InvalidError, NotFoundError, UnknownFieldError
from core.http.schemas import NoBody
from core.http.url_parameters import refuse_repeated
from core.text import has_forbidden_characters, is_one_line, looks_like_credential
from memory.models import SlotTier
from memory.working_memory.schemas import (
    ItemInput,
    SlotInput,
    SlotResponse,
    SlotSearchInput,
    SlotSearchResponse,
    SlotStateResponse,
    UserMemoryInput,
    UserMemoryResponse,
    UserSectionsInput,
    with_current,
)
from memory.working_memory.services import profiles, slots
from memory.working_memory.slot_limits import TENANT, WORKING, SlotAddress
from workspaces.access.callers import Right
from workspaces.access.space_access_audit import note_openings
from workspaces.access.space_registry import refuse_unseen_names
from workspaces.access.spaces import NamedSpaces, SpaceName, SubAgentRefusedError
from workspaces.http import space_fields
from workspaces.http.rest import WorkspaceView

TIERS = (WORKING, *SlotTier.values)
MAX_NAME_CHARACTERS = 200
MAX_DIMENSIONS = 10
# Dimensions that say whose a slot is.
USER_DIMENSIONS = frozenset({"user", "user_id"})
DIMENSION = re.compile(r"scope\.([A-Za-z_][A-Za-z0-9_]{0,63})")


class ScopedView(WorkspaceView):
    """A view of slots: its query string says for whom, as `scope.<dimension>`."""

    takes_scope = True

    def read_query(self) -> dict[str, Any]:
        rest, self._queried = space_fields.split_query(self.request.query_params, ())
        return read_scope(rest)

    def address(self, tier: str, name: str) -> SlotAddress:
        """Return the slot that the request names.

        Raises NotFoundError for a tier or name that cannot be, SubAgentRefusedError for a slot of a user where a
        sub-agent asks.
        """
        if tier not in TIERS or not _is_name(name):
            raise NotFoundError()
        if self.caller.is_sub_agent and not USER_DIMENSIONS.isdisjoint(self.asked):
            raise SubAgentRefusedError()
        return SlotAddress(tier, name, self.asked)


class SlotView(ScopedView):
    """Read, replace or delete what a slot holds; `scope.<dimension>` in the query string says for whom."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    reads = {"PUT": SlotInput}
    answers = {"GET": SlotResponse, "PUT": SlotResponse, "DELETE": None}

    def get(self, request: Request, ws: str, tier: str, name: str) -> Response:
        return self.answer(SlotResponse.of(slots.read_slot(caller=self.caller, address=self.address(tier, name))))

    def put(self, request: Request, ws: str, tier: str, name: str) -> Response:
        address, given = self.address(tier, name), self.body(SlotInput)
        state = slots.write_slot(caller=self.caller, address=address, value=given.value, limits=given.limits())
        return self.answer(SlotResponse.of(state))

    def delete(self, request: Request, ws: str, tier: str, name: str) -> Response:
        address = self.address(tier, name)
        self.body(NoBody)
        slots.delete_slot(caller=self.caller, address=address)
        return Response(status=204)


class AppendView(ScopedView):
    """Add an item to a slot that is a list; an absent one begins with it. The answer has the count, not the value."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    reads = {"POST": ItemInput}
    answers = {"POST": SlotStateResponse}

    def post(self, request: Request, ws: str, tier: str, name: str) -> Response:
        address, given = self.address(tier, name), self.body(ItemInput)
        state = slots.append_to_slot(caller=self.caller, address=address, item=given.item, limits=given.limits())
        return self.answer(SlotStateResponse.of(state))


class SlotSearchView(ScopedView):
    """Search the items of a slot by words, in the semantic tier also by meaning."""

    action_types = SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": SlotSearchInput}
    answers = {"POST": SlotSearchResponse}

    def post(self, request: Request, ws: str, tier: str, name: str) -> Response:
        address, given = self.address(tier, name), self.body(SlotSearchInput)
        found = slots.search_slot(caller=self.caller, address=address, query=given.query, limit=given.limit)
        return self.answer(SlotSearchResponse.of(found))


def read_scope(query: QueryDict) -> dict[str, str]:
    """Return the scope that a query string names. Raises InvalidError for one that cannot be."""
    refuse_repeated(query)
    scope: dict[str, str] = {}
    for parameter, given in query.items():
        dimension, value = DIMENSION.fullmatch(parameter), str(given)
        if dimension is None:
            said = "Only scope.<dimension> is known here."
            raise UnknownFieldError(problems=(FieldProblem(parameter[:80], "unknown_field", said),))
        if not value or not _is_name(value):
            said = f"A scope has values of 1 to {MAX_NAME_CHARACTERS} characters on one line."
            raise InvalidError(problems=(FieldProblem(parameter, "invalid", said),))
        if dimension[1] != TENANT:
            scope[dimension[1]] = value
    if len(scope) > MAX_DIMENSIONS:
        raise InvalidError(f"A scope has at most {MAX_DIMENSIONS} dimensions.")
    return scope


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME_CHARACTERS and is_one_line(text) and not has_forbidden_characters(text)


class UserMemoryView(WorkspaceView):
    """Read, replace, update by sections or delete what is kept about a user."""

    reads = {"PUT": UserMemoryInput, "PATCH": UserSectionsInput}
    answers = {"GET": UserMemoryResponse, "PUT": UserMemoryResponse, "PATCH": UserMemoryResponse, "DELETE": None}

    def get(self, request: Request, ws: str, user: str) -> Response:
        return self.answer(UserMemoryResponse.of(profiles.read_user_memory(caller=self.caller, user=self._user(user))))

    def put(self, request: Request, ws: str, user: str) -> Response:
        given = self.body(UserMemoryInput)
        try:
            kept = profiles.write_user_memory(
                caller=self.caller, user=self._user(user), content=given.content, version=given.version
            )
        except profiles.UserMemoryVersionError as error:
            raise with_current(error) from None
        return self.answer(UserMemoryResponse.of(kept))

    def patch(self, request: Request, ws: str, user: str) -> Response:
        given = self.body(UserSectionsInput)
        try:
            kept = profiles.update_user_memory(
                caller=self.caller, user=self._user(user), sections=given.sections, version=given.version
            )
        except profiles.UserMemoryVersionError as error:
            raise with_current(error) from None
        return self.answer(UserMemoryResponse.of(kept))

    def delete(self, request: Request, ws: str, user: str) -> Response:
        self.body(NoBody)
        profiles.forget_user_memory(caller=self.caller, user=self._user(user))
        return Response(status=204)

    def _user(self, name: str) -> str:
        """Return the user that the path names, whose space the call opens."""
        user = _check_user(name)
        refuse_unseen_names(self.caller, NamedSpaces(user=user))
        note_openings(self.caller, [SpaceName("user", user)])
        return user


def _check_user(name: str) -> str:
    if not name or not _is_name(name) or looks_like_credential(name):
        raise NotFoundError()
    return name
