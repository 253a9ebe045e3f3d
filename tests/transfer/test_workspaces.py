"""A workspace out of one installation and into another: the same in every byte, or nothing at all."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps

from conversations.indexing.services.index_writer import index_pending
from core.clock import utc_now
from core.embedding import default_embedder
from llm.embedding.services.backlog import embed_pending
from ontology.search.services.node_embeddings import NODE_VECTORS
from tests.cast import Cast, RestClient
from tests.furnished import furnish
from tests.telemetry.test_metrics import QUICK
from tests.transfer.moving import checked, empty_server, exported, manifest_of, records_of, sent, with_records
from transfer.exports.records import KIND
from transfer.exports.tables import BY_NAME, KINDS, LEFT_OUT
from transfer.imports import tasks
from workspaces.access.callers import Right
from workspaces.access.tenancy import TenantModel

TEA, TRAINS = "Tea is ordered on Mondays.", "The night train leaves at nine."


@pytest.fixture
def file(cast: Cast, acme: RestClient) -> str:
    """The export of a workspace that has something in every table."""
    furnish(cast.acme)
    acme.remembered(TEA, tags=["tea"])
    acme.post(
        "conversations/s-1/messages",
        {"role": "user", "content": TRAINS, "created_at": "2026-01-01T08:00:00Z", "metadata": {"session": "one"}},
    )
    acme.put("settings", {"memory": {"retention_days": 30}})
    return exported(acme)


def test_export_import_export_is_equal_in_every_byte_on_an_empty_server(
    cast: Cast, file: str, umbrella: RestClient
) -> None:
    empty_server(cast.acme)

    answer = sent(umbrella, file)

    assert (answer.status_code, answer.json()["status"]) == (201, "done"), answer.content
    again = exported(umbrella)
    assert records_of(again) == records_of(file)
    assert {**manifest_of(again), "exported_at": ""} == {**manifest_of(file), "exported_at": ""}
    assert answer.json()["report"]["ids"] == "kept"
    counts = {entry["kind"]: entry["count"] for entry in manifest_of(file)["contents"] if entry["kind"] != "settings"}
    assert answer.json()["report"]["counts"] == counts
    assert counts.keys() == BY_NAME.keys()


def test_a_copy_on_the_same_server_keeps_every_id(acme: RestClient, file: str, umbrella: RestClient) -> None:
    report = sent(umbrella, file).json()["report"]

    assert (report["ids"], report["mapped"]) == ("kept", 0)
    assert records_of(exported(umbrella)) == records_of(file)
    assert records_of(exported(acme)) == records_of(file), "The copy changed what it was made of."
    job = umbrella.get("imports").json()["results"][0]["id"]
    assert umbrella.get(f"imports/{job}/map").getvalue() == b""


def test_what_was_found_is_found_again(cast: Cast, acme: RestClient, file: str, umbrella: RestClient) -> None:
    queries = [("memories/search", "When is tea ordered?"), ("messages/search", "night train")]
    _caught_up(cast.acme.workspace.id)
    before = [_found(acme, *query) for query in queries]
    empty_server(cast.acme)
    assert sent(umbrella, file).status_code == 201

    _caught_up(cast.umbrella.workspace.id)

    assert all(before)
    assert [_found(umbrella, *query) for query in queries] == before


def test_what_was_forgotten_does_not_come_back(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    memory = acme.remembered(TEA)
    acme.delete(f"memories/{memory['id']}")
    assert sent(umbrella, exported(acme)).status_code == 201

    refused = umbrella.post("memories", {"content": TEA, "source": "import"})

    assert refused.json()["code"] == "forgotten_before"
    assert umbrella.remembered(TEA)["is_deleted"] is False


def test_the_manifest_has_counts_and_checksums_and_says_what_stays_behind(file: str) -> None:
    manifest = manifest_of(file)

    assert checked(file)
    assert (manifest["format"], manifest["version"]) == ("workspace-memory-export", 1)
    assert manifest["left_out"] == LEFT_OUT


def test_every_table_of_a_workspace_is_exported_or_left_out_for_a_reason() -> None:
    tables = {model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)}
    taken = {kind.model._meta.db_table for kind in KINDS}

    assert tables == taken | LEFT_OUT.keys()
    assert taken & LEFT_OUT.keys() == set()


def test_secrets_and_vectors_stay_behind(cast: Cast, acme: RestClient) -> None:
    acme.post("model-providers", {"name": "p", "kind": "openai", "api_key": "sk-very-secret-1234567890"})
    furnish(cast.acme)
    embed_pending(NODE_VECTORS, workspace_id=cast.acme.workspace.id, most=10)

    file = exported(acme)

    assert "very-secret" not in file
    names = {name for line in file.splitlines() for name in json.loads(line)}
    assert not {"encrypted_key", "key_hint", "vector", "secret_hash"} & names


BROKEN = [
    ("not a manifest", records_of, 422, "broken_export"),
    ("cut off", lambda file: file[: len(file) // 2].rsplit("\n", 1)[0], 422, "broken_export"),
    ("cut in a line", lambda file: file[: len(file) // 2], 400, "malformed_json"),
    ("a byte changed", lambda file: file.replace("Mondays", "Tuesdays"), 422, "broken_export"),
    ("another version", lambda file: file.replace('"version":1}', '"version":2}', 1), 422, "broken_export"),
    ("a record twice", lambda file: file + file.splitlines()[-1] + "\n", 422, "broken_export"),
    ("an unknown column", lambda file: _first(file, "message", surprise=1), 422, "unfit_record"),
    ("a wrong type", lambda file: _first(file, "message", created_at=["x"]), 422, "unfit_record"),
    ("a wrong choice", lambda file: _first(file, "message", role="ghost"), 422, "unfit_record"),
    ("nothing where something must be", lambda file: _first(file, "message", content=None), 422, "unfit_record"),
    ("a text that is too long", lambda file: _first(file, "conversation", key="x" * 300), 422, "unfit_record"),
    ("no text", lambda file: _first(file, "message", content="a\x00b"), 422, "broken_export"),
    ("a bound of the table", lambda file: _first(file, "memory", confidence=7.0), 422, "broken_export"),
    ("a stranger", lambda file: _first(file, "episode", conversation_id=STRANGER), 422, "broken_export"),
    ("settings that are none", lambda file: _first(file, "settings", memory={"surprise": 1}), 422, "unfit_record"),
    ("no number", lambda file: _first(file, "context_receipt", latency_ms="nan"), 422, "unfit_record"),
    ("no time", lambda file: file.replace('"exported_at":"', '"exported_at":"\\u0000', 1), 422, "broken_export"),
    ("a list where a text belongs", lambda file: _first(file, "message", content=["x"]), 422, "unfit_record"),
    ("a step of nothing", lambda file: _first(file, "memory_revision", action="weigh", before={}), 422, "unfit_record"),
    (
        "a step with a number for a text",
        lambda file: _first(file, "memory_revision", before={"content": 7}),
        422,
        "unfit_record",
    ),
    (
        "a step of another importance than there is",
        lambda file: _first(file, "memory_revision", before={"importance": 7}),
        422,
        "unfit_record",
    ),
    (
        "a change with a list for properties",
        lambda file: _first(file, "ontology_change", before={"properties": []}),
        422,
        "unfit_record",
    ),
    (
        "a change of a longer type than there is",
        lambda file: _first(file, "ontology_change", before={"type": "x" * 65}),
        422,
        "unfit_record",
    ),
    (
        "a change with a text for whose words it put back",
        lambda file: _first(file, "ontology_change", before={"words_of": "Alice"}),
        422,
        "unfit_record",
    ),
    ("a number where a text belongs", lambda file: _first(file, "message", content=7), 422, "unfit_record"),
    ("true where a number belongs", lambda file: _first(file, "episode", turn_count=True), 422, "unfit_record"),
    ("an object where a list belongs", lambda file: _first(file, "memory", tags={}), 422, "unfit_record"),
    ("a list where an object belongs", lambda file: _first(file, "node", properties=[]), 422, "unfit_record"),
    ("a list of what is no id", lambda file: _first(file, "episode", source_message_ids=["x"]), 422, "unfit_record"),
    ("a text beyond what a memory has", lambda file: _first(file, "node", body="word " * 10_000), 422, "unfit_record"),
    ("a text beyond what a message has", lambda file: _first(file, "message", content=LONG_TEXT), 422, "unfit_record"),
    (
        "a page of a user that is a book",
        lambda file: _first(file, "user_memory", content=LONG_TEXT),
        422,
        "unfit_record",
    ),
    ("properties without end", lambda file: _first(file, "node", properties={"a": LONG_TEXT}), 422, "unfit_record"),
    (
        "a record of what was chosen without end",
        lambda file: _first(file, "context_receipt", chosen=[LONG_TEXT]),
        422,
        "unfit_record",
    ),
    ("tags without end", lambda file: _first(file, "memory", tags=["x"] * 1_000), 422, "unfit_record"),
    (
        "a history without end",
        lambda file: _first(file, "memory_revision", before={"a": LONG_TEXT}),
        422,
        "unfit_record",
    ),
    ("a space of nobody", lambda file: _first(file, "message", space_id=STRANGER), 422, "broken_export"),
    ("a time of nowhere", lambda file: _first(file, "message", created_at="2026-01-01"), 422, "unfit_record"),
    ("a time beyond all", lambda file: _first(file, "message", created_at=LAST_MOMENT), 422, "unfit_record"),
    ("forgotten at no time", lambda file: _first(file, "memory", forgotten_at="x"), 422, "unfit_record"),
    ("forgotten at a list", lambda file: _first(file, "memory", forgotten_at=[7]), 422, "unfit_record"),
    ("an unknown kind", lambda file: _first(file, "message", **{KIND: "ghost"}), 422, "unfit_record"),
]
LAST_MOMENT = "9999-12-31T23:59:59-12:00"
LONG_TEXT: str = " ".join(map(str, range(200_000)))
WRONG_IDS: list[Any] = [None, 7, "", "x", [], {}]
STRANGER = "01a2009e-0000-7000-8000-000000000000"


@pytest.mark.parametrize("case", BROKEN, ids=[case[0] for case in BROKEN])
def test_a_broken_file_changes_nothing(cast: Cast, file: str, umbrella: RestClient, case: Any) -> None:
    _, broken, status, code = case
    empty_server(cast.acme)
    before = records_of(exported(umbrella))

    answer = sent(umbrella, broken(file))

    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert records_of(exported(umbrella)) == before
    told = [(job["status"], (job["error"] or {}).get("code")) for job in umbrella.get("imports").json()["results"]]
    assert told == ([("refused", code)] if status == 422 else [])


@pytest.mark.parametrize("kind", ["message", "memory"])
def test_a_record_without_an_id_is_refused(file: str, umbrella: RestClient, kind: str) -> None:
    key = BY_NAME[kind].key
    for wrong in WRONG_IDS:
        answer = sent(umbrella, _first(file, kind, **{key: wrong}))

        assert (answer.status_code, answer.json()["code"]) == (422, "unfit_record"), answer.content
        assert f"the {kind} has no id under `{key}`" in answer.json()["detail"]


def test_a_reference_to_a_row_of_another_workspace_is_refused(cast: Cast, acme: RestClient, file: str) -> None:
    foreign = acme.get("conversations").json()["results"][0]["id"]
    empty = cast.umbrella.rest()
    tampered = with_records(
        file, lambda record: {**record, "conversation_id": foreign} if record[KIND] == "episode" else None
    )

    answer = sent(empty, tampered)

    assert (answer.status_code, answer.json()["code"]) == (422, "broken_export")


def test_items_of_an_older_export_have_the_version_of_their_slot(acme: RestClient, umbrella: RestClient) -> None:
    acme.put("slots/session/notes", {"value": ["a", "b"], "schema_version": 3})
    acme.put("slots/session/plan", {"value": "c"})

    def older(record: dict[str, Any]) -> dict[str, Any]:
        if record[KIND] == "slot_item":
            assert record.pop("schema_version") in {1, 3}
        return record

    assert sent(umbrella, with_records(exported(acme), older)).status_code == 201

    assert umbrella.get("slots/session/notes").json()["versions"] == [3, 3]
    assert umbrella.get("slots/session/plan").json()["value"] == "c"


def test_what_reading_leaves_in_a_space_that_there_is_not_stays_behind(
    cast: Cast, acme: RestClient, umbrella: RestClient
) -> None:
    acme.remembered("Tea is ordered on Mondays.")
    reader = cast.acme.rest(Right.READ)
    assert reader.post("context?user=ghost", {"query": "tea"}).status_code == 200

    answer = sent(umbrella, exported(acme))

    assert answer.status_code in {200, 201}, answer.content


def test_only_an_empty_workspace_takes_an_export(acme: RestClient, file: str) -> None:
    answer = sent(acme, file)

    assert (answer.status_code, answer.json()["code"]) == (409, "workspace_not_empty")
    assert "memory" in answer.json()["detail"]


def test_metrics_that_somebody_made_are_not_replaced(cast: Cast, file: str, umbrella: RestClient) -> None:
    empty_server(cast.acme)
    assert umbrella.post("metrics", QUICK).status_code == 201

    answer = sent(umbrella, file)

    assert (answer.status_code, answer.json()["code"]) == (409, "workspace_not_empty"), answer.content
    assert QUICK["name"] in {metric["name"] for metric in umbrella.get("metrics").json()["results"]}


def test_admin_alone_neither_reads_nor_writes_by_moving(cast: Cast, file: str) -> None:
    narrow = cast.umbrella.rest(Right.ADMIN)

    assert [narrow.get("export").json()["code"], sent(narrow, file).json()["code"]] == ["missing_scope"] * 2


@pytest.mark.parametrize("scope", [Right.READ, Right.WRITE, Right.FACTS])
def test_moving_a_workspace_needs_admin(cast: Cast, file: str, scope: Right) -> None:
    narrow = cast.umbrella.rest(scope)

    answers = [narrow.get("export"), sent(narrow, file), narrow.post("imports"), narrow.get("imports")]

    assert [answer.json()["code"] for answer in answers] == ["missing_scope"] * 4


def test_a_large_file_is_sent_in_parts_and_brought_in_by_the_worker(
    cast: Cast, file: str, umbrella: RestClient, monkeypatch: Any
) -> None:
    queued: list[tuple[Any, ...]] = []
    monkeypatch.setattr("core.stores.queue.enqueue_long", lambda *task: queued.append(task))
    job = umbrella.post("imports").json()["id"]
    lines = file.splitlines(keepends=True)
    pieces = ["".join(lines[place : place + 7]) for place in range(0, len(lines), 7)]
    assert umbrella.post(f"imports/{job}/start").json()["code"] == "parts_missing"
    for number in reversed(range(len(pieces))):  # in any order, and twice
        for _ in range(2):
            _put(umbrella, job, number, pieces[number])
    assert umbrella.get(f"imports/{job}").json()["received"] == {"parts": len(pieces), "lines": len(lines)}

    assert umbrella.post(f"imports/{job}/start").json()["status"] == "queued"
    assert umbrella.post(f"imports/{job}/start").json()["status"] == "queued"
    assert len(queued) == 1
    assert _put(umbrella, job, 0, pieces[0]).json()["code"] == "import_started"
    for _ in range(2):
        tasks.run_import(*queued[0][1:])

    done = umbrella.get(f"imports/{job}").json()
    assert (done["status"], done["received"]) == ("done", None)
    assert sum(done["report"]["counts"].values()) == len(lines) - 2


def test_what_nobody_starts_is_deleted_after_a_day(umbrella: RestClient) -> None:
    umbrella.post("imports")
    assert tasks.delete_abandoned() == 0
    with time_machine.travel(utc_now() + timedelta(days=1, seconds=1)):
        assert tasks.delete_abandoned() == 1


def _put(client: RestClient, job: str, number: int, piece: str) -> Any:
    return client.raw("PUT", f"imports/{job}/parts/{number}", piece.encode(), content_type="application/x-ndjson")


def _first(file: str, kind: str, **changes: Any) -> str:
    """The file with its first record of a kind changed, and a manifest that knows of it."""
    changed: list[str] = []

    def change(record: dict[str, Any]) -> dict[str, Any]:
        if record[KIND] != kind or changed:
            return record
        changed.append(kind)
        return {**record, **changes}

    return with_records(file, change)


def _caught_up(workspace_id: Any) -> None:
    assert default_embedder() is not None
    embed_pending(NODE_VECTORS, workspace_id=workspace_id, most=100)
    index_pending(workspace_id=workspace_id)


def _found(client: RestClient, door: str, query: str) -> list[Any]:
    hits = client.post(door, {"query": query}).json()["results"]
    return [(hit.get("memory", hit.get("message"))["id"], round(hit["score"], 4)) for hit in hits]
