"""Two owners who change each other at the same moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.cast import Cast
from tests.together import together
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.accounts.services.memberships import OwnersOnlyError, add_member, set_role
from workspaces.models import Membership, Role, User

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_second_one_waits_and_is_told_that_they_own_nothing_any_more(cast: Cast) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.OWNER)

    ended = together([lambda: _demote(cast, cast.alice, cast.bob), lambda: _demote(cast, cast.bob, cast.alice)])

    assert sorted(ended) == ["demoted", "refused"]
    with workspace_scope(cast.acme.caller):
        assert Membership.objects.filter(role=Role.OWNER).count() == 1


def _demote(cast: Cast, owner: User, other: User) -> str:
    """Leave time after each lock, in which the other transaction takes its own."""

    def wait(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if "FOR UPDATE" in sql:
            time.sleep(0.3)
        return result

    caller = access_workspace(user=owner, workspace_id=cast.acme.workspace.id)
    with connection.execute_wrapper(wait):
        try:
            set_role(caller=caller, user=other, role=Role.ADMIN)
        except OwnersOnlyError:
            return "refused"
    return "demoted"
