"""Settings → Activity: the audit record for owners, narrowed, paged, and saved as a file."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import utc_now
from tests.cast import Cast
from tests.pages import Visitor, as_role, text_of
from workspaces.access.activity import selectors
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent, Role

PATHS = ("settings/activity", "settings/activity/csv", "settings/activity/jsonl")


def record(caller: Caller, action: str = "thing.done", **fields: object) -> None:
    with workspace_scope(caller):
        record_event(caller=caller, action=action, **fields)  # type: ignore[arg-type]  # as each test gives them


def body(visitor: Visitor, path: str, **query: str) -> str:
    answer = visitor.get(path, **query)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content).decode()


@pytest.mark.parametrize("role", list(Role))
def test_owners_alone_see_it(cast: Cast, role: Role) -> None:
    visitor = as_role(cast, role)
    for path in PATHS:
        assert visitor.get(path).status_code == (200 if role == Role.OWNER else 403), path
    assert ("settings/activity" in text_of(visitor.get("settings/memory"))) is (role == Role.OWNER)


def test_an_outsider_finds_nothing(outsider: Visitor) -> None:
    for path in PATHS:
        assert outsider.get(path).status_code == 404, path


def test_it_says_who_what_and_from_where_and_nothing_of_another_workspace(alice: Visitor, cast: Cast) -> None:
    record(cast.umbrella.caller, "secret.plan")
    alice.post("settings/members", email="dana@elsewhere.example", role="viewer")

    page = text_of(alice.get("settings/activity"))
    for word in ("member.invited", "Alice", "127.0.0.1", "role: viewer", "key.created"):
        assert word in page
    assert "secret.plan" not in page
    assert "secret.plan" not in body(alice, "settings/activity/jsonl")


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ({"who": "alic"}, True),
        ({"who": "bob"}, False),
        ({"what": "thing"}, True),
        ({"what": "hing"}, False),
        ({"object": "gadget"}, True),
        ({"object": "g-1"}, True),
        ({"object": "g-"}, False),
        ({"address": "192.0.2.7"}, False),
        ({"since": "2020-01-01"}, True),
        ({"until": "2020-01-01"}, False),
        ({"who": "%"}, False),
        ({"who": "alice", "what": "thing.done", "object": "gadget"}, True),
    ],
)
def test_filters_narrow_page_and_files_alike(alice: Visitor, cast: Cast, query: dict[str, str], fits: bool) -> None:
    record(cast.acme.caller, "thing.done", object_type="gadget", object_id="g-1")

    assert ("<code>thing.done</code>" in text_of(alice.get("settings/activity", **query))) is fits
    for kind in ("csv", "jsonl"):
        assert ("thing.done" in body(alice, f"settings/activity/{kind}", **query)) is fits


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_of_the_calendar(alice: Visitor, day: str) -> None:
    for name in ("since", "until"):
        assert alice.get("settings/activity", **{name: day}).status_code == 200


def test_today_is_within_until_today(alice: Visitor, cast: Cast) -> None:
    record(cast.acme.caller)
    today = f"{utc_now():%Y-%m-%d}"
    assert "<code>thing.done</code>" in text_of(alice.get("settings/activity", since=today, until=today))


@pytest.mark.parametrize("query", [{"since": "soon"}, {"who": "x" * 300}, {"cursor": "made-up"}])
def test_what_is_no_filter_is_refused(alice: Visitor, query: dict[str, str]) -> None:
    assert alice.get("settings/activity", **query).status_code == 422
    if "cursor" not in query:
        assert alice.get("settings/activity/csv", **query).status_code == 422


def test_an_unknown_format_is_absent(alice: Visitor) -> None:
    assert alice.get("settings/activity/exe").status_code == 404


def test_files_hold_every_event_and_saving_one_is_an_event(
    alice: Visitor, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "ROWS_AT_ONCE", 2)
    for number in range(5):
        record(cast.acme.caller, f"thing.done{number}", details={"number": number})

    rows = list(csv.DictReader(io.StringIO(body(alice, "settings/activity/csv"))))
    lines = [json.loads(line) for line in body(alice, "settings/activity/jsonl").splitlines()]

    with workspace_scope(cast.acme.caller):
        kept = list(AuditEvent.objects.order_by("-pk").values_list("action", flat=True))
    assert kept[:2] == ["audit.exported", "audit.exported"]
    assert [line["action"] for line in lines] == kept
    assert [row["action"] for row in rows] == kept[1:]
    assert next(line for line in lines if line["action"] == "thing.done4")["details"] == {"number": 4}


def test_no_cell_is_a_formula_and_names_are_text(alice: Visitor, cast: Cast) -> None:
    cast.alice.name = '=HYPERLINK("http://x")<b>'
    cast.alice.save()
    alice.post("settings/members", email="dana@elsewhere.example", role="viewer")

    rows = list(csv.DictReader(io.StringIO(body(alice, "settings/activity/csv"))))
    assert {row["actor"][0] for row in rows if "HYPERLINK" in row["actor"]} == {"'"}
    assert "&lt;b&gt;" in text_of(alice.get("settings/activity"))
    assert '")<b>' not in text_of(alice.get("settings/activity")).partition("<tbody>")[2]


def test_pages_follow_each_other_with_their_filters(alice: Visitor, cast: Cast) -> None:
    for number in range(60):
        record(cast.acme.caller, f"thing.n{number}")
    first = text_of(alice.get("settings/activity", what="thing"))
    assert "thing.n59" in first
    assert "thing.n9<" not in first
    assert "what=thing" in first.partition('rel="next"')[2][:200]


def test_the_number_of_queries_does_not_grow(alice: Visitor, cast: Cast) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            alice.get("settings/activity")
        return len(queries)

    before = count()
    for _ in range(10):
        record(cast.acme.caller)
    assert count() == before


def test_old_events_are_still_there(alice: Visitor, cast: Cast) -> None:
    with workspace_scope(cast.acme.caller):
        AuditEvent.objects.create(
            workspace_id=cast.acme.workspace.id,
            actor_kind="system",
            action="thing.old",
            created_at=utc_now() - timedelta(days=400),
        )
    assert "thing.old" in text_of(alice.get("settings/activity", what="thing", until=f"{utc_now():%Y-%m-%d}"))
