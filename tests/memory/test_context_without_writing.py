"""A database that cannot write still answers a context."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.cast import Cast


@pytest.fixture
def _read_only(cast: Cast) -> Iterator[None]:
    """PostgreSQL refuses every change, as it does on a standby or a full disk."""
    cast.acme.rest().remembered("Flour is delivered on Tuesdays.", kind="fact")
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_read_only")
def test_a_context_is_answered_without_its_receipt(cast: Cast) -> None:
    answer = cast.acme.rest().post("context", {"query": "When does the flour come?"})

    assert answer.status_code == 200, answer.content
    context = answer.json()
    assert (context["left_out"], context["receipt_id"]) == (["receipt"], None)
    assert "Flour is delivered on Tuesdays." in context["text"]
