"""Texts that PostgreSQL's text parser is slow on cost no more than others, whichever way they come in."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from django.db import connection

from core.ids import new_id
from ontology.models import Node
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db

LENGTH = 16_000
SECONDS = 0.5
RUNS = """
    a_ _a 1_ _1 a1_ a_1- x_y-z. -a_ a-_ __a a__ a- a-a- - a/ /a a/a/ a. a.a. 1. 1.2.3.4/ a@ @a a@a@ a@b.c a_b@c.d
    1 12 1- -1 1e 1e- a http://a/ http://a.b/c_ www.a. www.a- a.b/c?d= ftp:// a:// a& &a; &#1; <a </a> <a= a' /a/b_
    ~ ~/a ~/.+ + % %20 a=b& a:b: é_ é- 漢 漢_ 漢字 か゚ か゚_ aé_b
""".split()  # noqa: SIM905  # as a list, a line each
ORDINARY = [
    "The boiler was serviced on 2026-03-01; next time in 12.5 months.",
    "snake_case_names, kebab-case-names, CamelCaseNames and a/path/to_some/file_name.txt",
    "mail a_b.c@d-e.example or see https://host.example/a_b/c-d?e_f=g_h#i_j and www.host.example",
    "Grüße aus Łódź, café_au_lait, слово_слово",
    "x" * 254 + " and then " + "y" * 254 + " more of it " * 10,
    "a_" * 200,
    "_".join(["word"] * 50),
    "A line\nand\tanother   one with  spaces.",
]


def seconds_of(work: Callable[[], object]) -> float:
    """The better of two attempts: a machine that is busy must not look like a slow parser."""
    took = []
    for _ in range(2):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
        if took[-1] < SECONDS:
            break
    return min(took)


@pytest.mark.parametrize("pattern", RUNS)
def test_a_row_is_indexed_in_half_a_second_whatever_its_text(cast: Cast, pattern: str) -> None:
    body = (pattern * LENGTH)[: LENGTH - 1] + "+"
    caller = cast.acme.caller

    def write() -> None:
        with workspace_scope(caller):
            Node.objects.create(id=new_id(), workspace_id=caller.workspace_id, type="note", name="n", body=body)

    assert seconds_of(write) < SECONDS


def test_a_memory_and_lines_in_bulk_are_written_in_time(acme: RestClient) -> None:
    run = "a_" * 7_900
    lines = "\n".join(json.dumps({"type": "note", "name": f"n{n}", "body": f"{n} {run}"}) for n in range(3))

    began = time.perf_counter()
    assert acme.post("memories", {"content": run}).status_code == 201
    assert acme.raw("POST", "ontology/nodes/bulk", lines, "application/x-ndjson").status_code in {200, 201, 207}
    assert time.perf_counter() - began < 4 * SECONDS


def test_an_item_of_a_slot_is_written_in_time(acme: RestClient) -> None:
    began = time.perf_counter()
    answer = acme.put("slots/semantic/notes", {"value": ["a_" * 40_000]})

    assert answer.status_code in {200, 201}, answer.content
    assert time.perf_counter() - began < 4 * SECONDS


@pytest.mark.parametrize("path", ["memories/search", "ontology/search", "messages/search", "context"])
@pytest.mark.parametrize("pattern", ["a_", "a-_", "1_", "x_y-z."])
def test_a_long_question_is_answered_in_time(acme: RestClient, path: str, pattern: str) -> None:
    acme.remembered("The kettle is blue.")

    began = time.perf_counter()
    answer = acme.post(path, {"query": (pattern * LENGTH)[: LENGTH - 200]})

    assert answer.status_code in {200, 422}
    assert time.perf_counter() - began < 4 * SECONDS


def test_ordinary_texts_have_the_words_that_they_had(cast: Cast) -> None:
    caller = cast.acme.caller
    with workspace_scope(caller):
        for text in ORDINARY:
            node = Node.objects.create(
                id=new_id(), workspace_id=caller.workspace_id, type="note", name=text[:100], body=text
            )
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT words = to_tsvector('english', name || ' ' || body) FROM nodes WHERE id = %s", [node.id]
                )
                assert cursor.fetchone() == (True,), text


def test_what_stands_behind_a_long_run_is_found(acme: RestClient) -> None:
    remembered = acme.remembered("a_" * 5_000 + " kettle")

    hits = acme.post("memories/search", {"query": "kettle"}).json()

    assert remembered["id"] in json.dumps(hits)
