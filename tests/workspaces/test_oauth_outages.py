"""Connected apps while a server behind the product cannot do its part."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.cast import Cast
from tests.workspaces.oauth import RESOURCE, Desk
from workspaces.oauth.services.connected_apps import caller_of_token


@pytest.mark.django_db(transaction=True)
def test_a_database_that_cannot_write_still_knows_its_tokens(cast: Cast, desk: Desk) -> None:
    tokens = desk.connects(cast.acme.workspace.id)
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    try:
        caller = caller_of_token(secret=tokens["access_token"], resource=RESOURCE)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = off")

    assert caller.workspace_id == cast.acme.workspace.id
