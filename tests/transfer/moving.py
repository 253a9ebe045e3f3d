"""Moving workspaces in tests: a file in hand, an emptied server, a file that was tampered with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.db import connection
from psycopg import sql

from tests.cast import Answer, Household, RestClient
from transfer.exports.records import KIND, Tally, render_line
from transfer.exports.tables import KINDS
from workspaces.access.scope import workspace_scope


def exported(client: RestClient) -> str:
    answer = client.get("export")
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content).decode()


def sent(client: RestClient, file: str) -> Answer:
    return client.raw("POST", "import", file.encode(), content_type="application/x-ndjson")


def records_of(file: str) -> str:
    """Everything but the manifest, which says when."""
    return file.split("\n", 1)[1]


def manifest_of(file: str) -> dict[str, Any]:
    return dict(json.loads(file.split("\n", 1)[0]))


def with_records(file: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> str:
    """The file with changed records and a manifest that fits them; a record that becomes None is gone."""
    tally, lines = Tally(), []
    for record in (change(json.loads(line)) for line in records_of(file).splitlines()):
        if record is not None:
            lines.append(render_line(record))
            tally.add(str(record[KIND]), lines[-1])
    manifest = {**manifest_of(file), "contents": tally.contents, "sha256": tally.sha256}
    return "\n".join([render_line(manifest), *lines, ""])


def checked(file: str) -> bool:
    """Whether a file's checksums are what its manifest says, by the plainest of means."""
    records = records_of(file).splitlines(keepends=True)
    found = manifest_of(file)
    by_kind: dict[str, list[str]] = {}
    for record in records:
        by_kind.setdefault(json.loads(record)[KIND], []).append(record)
    told = {(entry["kind"], entry["count"], entry["sha256"]) for entry in found["contents"]}
    return found["sha256"] == _sha("".join(records)) and told == {
        (kind, len(lines), _sha("".join(lines))) for kind, lines in by_kind.items()
    }


def empty_server(household: Household) -> None:
    """Take every row of a workspace away, as if this were another server, on which none of its ids is known."""
    derived = ("node_embeddings", "message_embeddings", "message_words", "forgotten_fingerprints")
    tables = [*derived, *(kind.model._meta.db_table for kind in reversed(KINDS))]
    with workspace_scope(household.caller), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE prompt_runs NO FORCE ROW LEVEL SECURITY")  # whose rows nobody may delete
        for table in tables:
            delete = sql.SQL("DELETE FROM {} WHERE workspace_id = %s").format(sql.Identifier(table))
            cursor.execute(delete, [household.workspace.id])
        cursor.execute("ALTER TABLE prompt_runs FORCE ROW LEVEL SECURITY")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
