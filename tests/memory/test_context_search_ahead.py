"""A context that searches on a second connection is the same as one that searches on its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection

from memory.recall.layers import base
from memory.recall.layers.base import Recall
from tests.cast import RestClient

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Who delivers the flour to Harbour Bakery, and when?"


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every context search ahead, as where a connection is to spare; the kinds of what was begun."""
    begun: list[str] = []
    threads = ThreadPoolExecutor(2)

    def begin(work: Callable[[], Any]) -> Future[Any]:
        def run() -> Any:
            try:
                return work()
            finally:
                connection.close()

        begun.append("search")
        return threads.submit(run)

    monkeypatch.setattr(base, "read_on_spare_connection", begin)
    return begun


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search of every context begin when the call already waits for it."""
    threads = ThreadPoolExecutor(2)

    def begin(work: Callable[[], Any]) -> Future[Any]:
        def run() -> Any:
            time.sleep(0.5)
            try:
                return work()
            finally:
                connection.close()

        return threads.submit(run)

    monkeypatch.setattr(base, "read_on_spare_connection", begin)


def fill(acme: RestClient) -> None:
    acme.remembered("Flour is delivered by the northern mill on Tuesdays.", kind="fact")
    acme.remembered("The flour delivery needs a signature at the back door.")
    acme.remembered("Mara Holm lives in Lisbon and signs for the flour.")
    acme.remembered("Mara Holm has moved to Bergen.")
    for name in ("Harbour Bakery", "Northern Mill"):
        assert acme.post("ontology/nodes", {"type": "company", "name": name}).status_code == 201
    text = "The flour came on Tuesday, {} bags for Harbour Bakery."
    said = [{"role": "user", "content": text.format(bags)} for bags in (3, 4)]
    assert acme.post("conversations/kitchen/messages", {"messages": said}).status_code == 201


def without_ids(context: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in context.items() if key != "receipt_id"}


@pytest.mark.parametrize(
    "more", [{}, {"conversation": "kitchen"}, {"token_budget": 60}, {"as_of": "2027-01-01T00:00:00Z"}]
)
def test_it_holds_the_same(acme: RestClient, more: dict[str, Any], request: pytest.FixtureRequest) -> None:
    fill(acme)
    alone = acme.post("context", {"query": QUESTION, **more}).json()
    begun = request.getfixturevalue("ahead")
    together = acme.post("context", {"query": QUESTION, **more}).json()

    assert begun == ["search"]
    assert without_ids(together) == without_ids(alone)
    assert alone["blocks"], "Something was found."


def test_a_search_that_fails_there_is_left_out(
    acme: RestClient, ahead: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(acme)

    def fail(_: Recall) -> None:
        raise DatabaseError

    monkeypatch.setattr(Recall, "_search", fail)
    context = acme.post("context", {"query": QUESTION}).json()

    assert ahead == ["search"]
    assert context["left_out"] == ["search"]
    assert [block["name"] for block in context["blocks"]] == ["facts"]


@pytest.mark.usefixtures("late")
def test_calls_that_wait_for_a_search_hold_up_no_other_search(acme: RestClient) -> None:
    fill(acme)

    def ask() -> list[str]:
        try:
            return [block["name"] for block in acme.post("context", {"query": QUESTION}).json()["blocks"]]
        finally:
            connection.close()

    clients = ThreadPoolExecutor(3)
    answers = [client.result(timeout=30) for client in [clients.submit(ask) for _ in range(3)]]

    assert answers[0][:2] == ["facts", "memories"]
    assert answers == answers[:1] * 3
