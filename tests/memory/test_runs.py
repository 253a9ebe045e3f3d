"""Runs and what they cite: each distinct memory counts once for a run, whoever finishes it and however often."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from core.clock import utc_now
from tests.cast import Answer, Cast, RestClient, assemble_cast
from tests.memory.citing import cite, finished, started
from tests.serving import as_serving_role
from tests.together import together


def times_referenced(client: RestClient, memory_id: Any) -> int:
    return int(client.get(f"memories/{memory_id}").json()["times_referenced"])


def test_a_run_is_started_read_and_listed(acme: RestClient) -> None:
    first = acme.post("runs", {"agent": "clerk", "conversation": "c-1"})
    second = acme.post("runs", {"agent": "clerk"})

    assert first.status_code == 201
    assert (first.json()["status"], first.json()["conversation"], second.json()["conversation"]) == (
        "running",
        "c-1",
        None,
    )
    assert acme.get(f"runs/{first.json()['id']}").json() == first.json()
    assert acme.get("runs").json()["results"] == [second.json(), first.json()]


def test_a_memory_cited_three_times_counts_once(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]
    run_id = started(acme)

    answer = finished(acme, run_id, memory_id, memory_id, memory_id.upper()).json()

    assert answer["citations"] == [{"memory_id": memory_id, "counted": True}]
    assert (answer["run"]["status"], answer["unresolved"]) == ("succeeded", [])
    assert times_referenced(acme, memory_id) == 1
    assert acme.get(f"memories/{memory_id}").json()["last_referenced_at"] is not None
    assert acme.get(f"memories/{memory_id}/citations").json()["results"][0]["run"]["id"] == run_id


def test_finishing_again_answers_the_same_and_counts_nothing(acme: RestClient) -> None:
    memory_id, stranger = acme.remembered("Tea.")["id"], str(uuid4())
    other = acme.remembered("Coffee.")["id"]
    run_id = started(acme)
    first = finished(acme, run_id, memory_id, stranger).json()

    for again in (finished(acme, run_id, memory_id, stranger), finished(acme, run_id, other, status="failed")):
        assert again.status_code == 200
        assert again.json() == {**first, "citations": [{"memory_id": memory_id, "counted": False}]}

    assert (times_referenced(acme, memory_id), times_referenced(acme, other)) == (1, 0)


def test_twenty_runs_count_twenty(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]

    cite(acme, memory_id, memory_id, times=20)

    assert times_referenced(acme, memory_id) == 20


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_a_run_that_did_not_succeed_counts_nothing(acme: RestClient, status: str) -> None:
    memory_id = acme.remembered("Tea.")["id"]

    answer = finished(acme, started(acme), memory_id, status=status).json()

    assert answer["run"]["status"] == status
    assert answer["citations"] == [{"memory_id": memory_id, "counted": False}]
    assert times_referenced(acme, memory_id) == 0
    assert acme.get("memories/pin-recommendations").json()["results"] == []


def test_ids_of_nothing_and_of_others_are_unresolved(acme: RestClient, umbrella: RestClient) -> None:
    known, theirs = acme.remembered("Tea.")["id"], umbrella.remembered("Tea.")["id"]
    forgotten = acme.remembered("Coffee.")["id"]
    acme.delete(f"memories/{forgotten}")
    run_id, nothing = started(acme), str(uuid4())

    answer = finished(acme, run_id, theirs, known, nothing, forgotten, run_id, theirs).json()

    assert answer["citations"] == [{"memory_id": known, "counted": True}]
    assert answer["unresolved"] == [theirs, nothing, forgotten, run_id]
    assert (times_referenced(umbrella, theirs), times_referenced(acme, forgotten)) == (0, 0)


def test_what_may_not_be_recalled_does_not_count(acme: RestClient) -> None:
    over, tomorrow = utc_now() - timedelta(days=1), utc_now() + timedelta(days=1)
    suppressed = acme.remembered("Tea.")["id"]
    acme.post(f"memories/{suppressed}/suppress")
    others = [
        acme.remembered(text, **{field: time.isoformat()})["id"]
        for text, field, time in (
            ("Coffee.", "expires_at", over),
            ("Milk.", "valid_to", over),
            ("Rum.", "valid_from", tomorrow),
        )
    ]

    answer = finished(acme, started(acme), suppressed, *others).json()

    assert (answer["citations"], answer["unresolved"]) == ([], [suppressed, *others])
    assert {times_referenced(acme, identity) for identity in (suppressed, *others)} == {0}


@pytest.mark.parametrize(
    ("output", "malformed"),
    [
        ("", []),
        ("No citation.", []),
        ("mem:{id}", []),
        ("[mem:]", ["[mem:]"]),
        ("[mem:1] [node: tea]", ["[mem:1]", "[node: tea]"]),
        ("[mem:{id}", ["[mem:{id}"]),
        ("[mem:{id}0]", ["[mem:{id}0]"]),
    ],
)
def test_what_is_no_citation_counts_nothing_and_is_reported(
    acme: RestClient, output: str, malformed: list[str]
) -> None:
    memory_id = acme.remembered("Tea.")["id"]
    body = {"status": "succeeded", "output": output.replace("{id}", memory_id)}

    run_id = started(acme)
    answer = acme.post(f"runs/{run_id}/finish", body).json()

    assert (answer["citations"], answer["unresolved"]) == ([], [])
    assert answer["malformed"] == [mark.replace("{id}", memory_id) for mark in malformed]
    assert times_referenced(acme, memory_id) == 0
    assert acme.post(f"runs/{run_id}/finish", body).json() == answer


@pytest.mark.parametrize(
    "output",
    [
        "[mem: {one}] [MEM:{two}]",
        "[mem:{one}, mem:{two}]",
        "[mem:{one}, {two}]",
        "[mem:{one}; node:{two}]",
        "[mem:{one}|tea] and [mem:{two}|the text, whole]",
        "\\[mem:{one}\\] [ Mem : {two} ]",
    ],
)
def test_other_spellings_of_a_citation_count(acme: RestClient, output: str) -> None:
    one, two = acme.remembered("Tea.")["id"], acme.remembered("Coffee.")["id"]
    body = {"status": "succeeded", "output": output.replace("{one}", one).replace("{two}", two)}

    answer = acme.post(f"runs/{started(acme)}/finish", body).json()

    assert [each["memory_id"] for each in answer["citations"]] == [one, two]
    assert (answer["unresolved"], answer["malformed"], answer["over_limit"]) == ([], [], 0)
    assert (times_referenced(acme, one), times_referenced(acme, two)) == (1, 1)


def test_a_run_says_how_much_was_cited_beyond_the_limit(acme: RestClient) -> None:
    output = " ".join(f"[mem:{UUID(int=number)}]" for number in range(1_003))
    run_id = started(acme)

    answers = [acme.post(f"runs/{run_id}/finish", {"status": "succeeded", "output": output}).json() for _ in range(2)]

    assert [(len(answer["unresolved"]), answer["over_limit"]) for answer in answers] == [(1_000, 3)] * 2


def test_a_run_may_finish_without_an_output(acme: RestClient) -> None:
    answer = acme.post(f"runs/{started(acme)}/finish", {"status": "succeeded"})

    assert (answer.status_code, answer.json()["citations"]) == (200, [])


@pytest.mark.parametrize(
    "body", [{}, {"status": "running"}, {"status": "done"}, {"status": None}, {"status": "succeeded", "output": 7}]
)
def test_a_finish_that_means_nothing_leaves_the_run_running(acme: RestClient, body: dict[str, Any]) -> None:
    run_id = started(acme)

    assert acme.post(f"runs/{run_id}/finish", body).status_code == 422
    assert acme.get(f"runs/{run_id}").json()["status"] == "running"


def test_references_survive_forgetting_restoring_and_editing(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]
    cite(acme, memory_id, times=2)

    assert acme.delete(f"memories/{memory_id}").json()["times_referenced"] == 2
    assert acme.post(f"memories/{memory_id}/restore").json()["times_referenced"] == 2
    assert acme.patch(f"memories/{memory_id}", {"content": "Tea, green."}).json()["times_referenced"] == 2
    assert acme.post(f"memories/{memory_id}/promote").json()["times_referenced"] == 2


@pytest.fixture
def shared(transactional_db: None) -> Cast:
    """The cast, committed, so that threads with connections of their own see it."""
    return assemble_cast()


def test_fifty_finishes_at_once_count_once(shared: Cast) -> None:
    acme = shared.acme.rest()
    memory_id = acme.remembered("Tea.")["id"]
    run_id = started(acme)

    answers = together([partial(_as_server, partial(finished, acme, run_id, *[memory_id] * 3)) for _ in range(50)])

    assert {answer.status_code for answer in answers} == {200}
    counted = [answer.json()["citations"][0]["counted"] for answer in answers]
    assert (counted.count(True), counted.count(False)) == (1, 49)
    assert times_referenced(acme, memory_id) == 1


def test_twenty_runs_at_once_count_twenty(shared: Cast) -> None:
    acme = shared.acme.rest()
    memory_id = acme.remembered("Tea.")["id"]
    runs = [started(acme) for _ in range(20)]

    together([partial(_as_server, partial(finished, acme, run_id, memory_id)) for run_id in runs])

    assert times_referenced(acme, memory_id) == 20


def test_runs_that_cite_the_same_memories_in_another_order_do_not_deadlock(shared: Cast) -> None:
    acme = shared.acme.rest()
    cited = [acme.remembered(f"Tea {number}.")["id"] for number in range(4)]
    orders = (cited, cited[::-1], cited[2:] + cited[:2])

    together([partial(_repeat, 20, partial(_run_citing, acme, *order)) for order in orders])

    assert [times_referenced(acme, memory_id) for memory_id in cited] == [60] * 4


def test_remembering_restoring_and_forgetting_one_text_at_once_does_not_deadlock(shared: Cast) -> None:
    acme = shared.acme.rest()
    address = f"memories/{acme.remembered('Tea.')['id']}"
    acts = [
        partial(acme.post, "memories", {"content": "Tea."}),
        partial(acme.post, f"{address}/restore"),
        partial(acme.delete, address),
    ]

    def status_codes(act: Callable[[], Answer]) -> set[int]:
        with as_serving_role():
            return {act().status_code for _ in range(15)}

    assert set().union(*together([partial(status_codes, act) for act in acts * 4])) <= {200, 201, 409}
    assert len(acme.get("memories").json()["results"]) <= 1


def test_the_same_text_remembered_at_once_is_one_memory(shared: Cast) -> None:
    acme = shared.acme.rest()

    answers = together([partial(_as_server, partial(acme.post, "memories", {"content": "Tea."})) for _ in range(12)])

    assert sorted(answer.status_code for answer in answers) == [200] * 11 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(acme.get("memories").json()["results"]) == 1


def test_citing_and_governing_at_once_do_not_deadlock(shared: Cast) -> None:
    acme = shared.acme.rest()
    cited = [acme.remembered(f"Tea {number}.")["id"] for number in range(3)]

    def edit() -> Answer:
        return acme.patch(f"memories/{cited[0]}", {"content": f"Tea {uuid4()}."})

    together(
        [
            *(partial(_repeat, 10, partial(_run_citing, acme, *order)) for order in (cited, cited[::-1])),
            *(
                partial(_repeat, 10, partial(_run_citing, acme, *cited, status=status))
                for status in ("failed", "cancelled")
            ),
            *(
                partial(_repeat, 10, partial(acme.post, f"memories/{memory_id}/{verb}"))
                for memory_id in cited
                for verb in ("pin", "unpin")
            ),
            partial(_repeat, 10, edit),
        ]
    )

    assert [times_referenced(acme, memory_id) for memory_id in cited] == [20] * 3


def _run_citing(client: RestClient, *cited: str, status: str = "succeeded") -> Answer:
    return finished(client, started(client), *cited, status=status)


def _repeat(times: int, call: Callable[[], Answer]) -> None:
    with as_serving_role():
        assert [answer.status_code for answer in (call() for _ in range(times))] == [200] * times


def _as_server(call: Callable[[], Answer]) -> Answer:
    with as_serving_role():
        return call()
