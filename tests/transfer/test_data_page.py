"""Settings → Data: saving the workspace as a file, and bringing it in again, in the console."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files import uploadhandler
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, as_role, text_of
from tests.transfer.moving import checked, exported
from transfer.imports import tasks
from transfer.models import Import
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import AuditEvent, Role

TEA = "The <b>tea</b> order is due on Mondays."


def upload(visitor: Visitor, content: bytes) -> Answer:
    file = SimpleUploadedFile("workspace.jsonl", content)
    return visitor.client.post(visitor.address("settings/data/import"), {"file": file})


@pytest.mark.parametrize("content", [b"{}\n" * 1_200_000, b"a \n" * 1_200_000])
def test_no_file_of_a_form_comes_to_a_disk(db: None, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """A stranger's malformed form left its file behind; a whole workspace in clear does not belong there either."""

    def make_file(*given: Any) -> None:
        raise AssertionError("A file on a disk.")

    monkeypatch.setattr(uploadhandler, "TemporaryUploadedFile", make_file)
    head = (
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    )
    if content.startswith(b"{"):
        head = head.replace("Content-Transfer-Encoding: base64\r\n", "")
    body = head.encode() + content + b"\r\n--x--\r\n"

    stranger = Client(enforce_csrf_checks=True)
    stranger.cookies["csrftoken"] = "a" * 32  # any: it has the form read

    answer = stranger.generic("POST", "/w/acme/settings/data/import", body, "multipart/form-data; boundary=x")

    assert answer.status_code in {400, 403}


@pytest.fixture
def second(cast: Cast) -> Visitor:
    """Alice in a workspace of hers that is empty."""
    return Visitor.of(cast.alice, found_workspace(owner=cast.alice, name="Second"))


def run_imports(caller: Any) -> None:
    """What the worker does."""
    with workspace_scope(caller):
        waiting = list(Import.objects.of(caller).filter(status="queued").values_list("workspace_id", "id"))
    for workspace_id, import_id in waiting:
        tasks.run_import(str(workspace_id), str(import_id))


@pytest.mark.parametrize("role", list(Role))
def test_owners_and_admins_alone_may(cast: Cast, role: Role) -> None:
    visitor = as_role(cast, role)
    governs = role in {Role.OWNER, Role.ADMIN}

    assert visitor.get("settings/data").status_code == (200 if governs else 403)
    export = visitor.post("settings/data/export")
    if governs:
        assert b"manifest" in b"".join(export.streaming_content)
    assert export.status_code == (200 if governs else 403)
    assert visitor.post("settings/data/import").status_code == (422 if governs else 403)
    assert ("settings/data" in text_of(visitor.get("settings/memory"))) is governs
    if governs:
        assert ("See what would go" in text_of(visitor.get("settings/data"))) is (role == Role.OWNER)


def test_an_outsider_finds_nothing(outsider: Visitor) -> None:
    assert outsider.get("settings/data").status_code == 404
    for path in ("export", "import"):
        assert outsider.post(f"settings/data/{path}").status_code == 404


def test_the_export_is_that_of_rest_and_leaves_an_event(alice: Visitor, acme: RestClient, cast: Cast) -> None:
    acme.remembered(TEA)
    answer = alice.post("settings/data/export")
    file = b"".join(answer.streaming_content).decode()

    assert TEA in file
    assert checked(file)
    assert re.search(r'filename="acme-\d{4}-\d\d-\d\d\.jsonl"', answer.headers["Content-Disposition"])
    with workspace_scope(cast.acme.caller):
        assert AuditEvent.objects.order_by("-pk").values_list("action", flat=True)[0] == "workspace.exported"
    assert alice.get("settings/data/export").status_code == 405


def test_a_file_comes_in_and_its_page_says_what_it_brought(second: Visitor, umbrella: RestClient, cast: Cast) -> None:
    umbrella.remembered(TEA)
    file = exported(umbrella)

    started = upload(second, file.encode())
    assert started.status_code == 302, text_of(started)
    page = text_of(second.client.get(started.headers["Location"]))
    assert "<progress" in page
    assert 'hx-trigger="every 2s"' in page


@pytest.mark.parametrize(
    "content", [b"", b"not json", b'{"kind": "memory"}', b"\xff\xfe", b'{"a": NaN}\n', b"[]\n" * 3]
)
def test_a_file_that_is_none_changes_nothing(second: Visitor, cast: Cast, content: bytes) -> None:
    answer = upload(second, content)

    if answer.status_code == 302:  # the worker says what is wrong
        caller = cast.acme.caller.__class__(second.workspace.id, *_rest_of(cast))
        run_imports(caller)
        page = text_of(second.client.get(answer.headers["Location"]))
        assert "Nothing was changed." in page
        assert "hx-trigger" not in page.partition('id="import-state"')[2]
    else:
        assert answer.status_code == 422
        assert "errorlist" in text_of(answer)


def test_an_import_of_another_workspace_is_absent(second: Visitor, umbrella: RestClient, cast: Cast) -> None:
    started = upload(second, exported(umbrella).encode())
    path = started.headers["Location"].partition(second.workspace.slug)[2].lstrip("/")

    assert Visitor.of(cast.charlie, cast.umbrella.workspace).get(path).status_code == 404
    assert Visitor.of(cast.charlie, second.workspace).get(path).status_code == 404


def _rest_of(cast: Cast) -> tuple[Any, ...]:
    caller = cast.acme.caller
    return caller.kind, caller.id, caller.label, caller.rights
