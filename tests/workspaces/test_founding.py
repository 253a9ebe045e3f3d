"""`manage.py found_workspace`: how somebody with an account gets a workspace."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.cast import Cast
from workspaces.access.selectors import member_workspaces


def test_an_account_gets_an_empty_workspace_and_is_told_where(cast: Cast) -> None:
    said = StringIO()

    call_command("found_workspace", "Bakery", owner=cast.alice.email.upper(), stdout=said)

    [bakery] = [workspace for workspace in member_workspaces(cast.alice) if workspace.name == "Bakery"]
    assert str(bakery.id) in said.getvalue()
    assert f"/w/{bakery.slug}/settings/api-keys" in said.getvalue()


@pytest.mark.parametrize(("name", "owner"), [("Bakery", "nobody@example.com"), (" ", "alice"), ("x" * 121, "alice")])
def test_what_cannot_be_founded_is_refused(cast: Cast, name: str, owner: str) -> None:
    email = cast.alice.email if owner == "alice" else owner

    with pytest.raises(CommandError):
        call_command("found_workspace", name, owner=email)

    assert [workspace.name for workspace in member_workspaces(cast.alice)] == ["Acme"]
