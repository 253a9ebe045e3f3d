"""The demo data: members who are no staff, one auditor who is no superuser, and a file that can be lost at any time."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from bench import conversation_demo
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.accounts.services.memberships import add_member
from workspaces.models import AuditEvent, Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(tmp_path: Path, settings: Any) -> dict[str, Any]:
    settings.HOME = tmp_path
    return create_demo(tmp_path)


def create_demo(folder: Path) -> dict[str, Any]:
    call_command("create_demo", stdout=StringIO())
    return dict(json.loads((folder / "demo.json").read_text()))


def test_demo_people_are_members_and_one_more_is_staff_without_any_permission(demo: dict[str, Any]) -> None:
    people = {
        user.email: (user.is_staff, user.is_superuser, len(user.get_all_permissions())) for user in User.objects.all()
    }

    assert people == {
        demo["email"]: (False, False, 0),
        demo["other"]["email"]: (False, False, 0),
        demo["staff"]["email"]: (True, False, 0),
    }


def test_the_file_has_what_the_contract_says_and_the_auditors_sign_in(demo: dict[str, Any]) -> None:
    fields = {"workspace_id", "api_key", "email", "password"}

    assert set(demo) == {"url", "other", "staff", *fields}
    assert (set(demo["other"]), set(demo["staff"])) == (fields, {"email", "password"})


def test_demo_people_of_an_older_version_lose_the_staff_admin(demo: dict[str, Any], tmp_path: Path) -> None:
    User.objects.exclude(email=demo["staff"]["email"]).update(is_staff=True, is_superuser=True)

    again = create_demo(tmp_path)

    assert again == demo
    assert list(User.objects.filter(is_staff=True).values_list("email", flat=True)) == [demo["staff"]["email"]]
    assert not User.objects.filter(is_superuser=True).exists()


def test_the_auditor_signs_in_chooses_a_workspace_and_is_on_record(demo: dict[str, Any]) -> None:
    client, staff = Client(), demo["staff"]
    form = {"username": staff["email"], "password": staff["password"]}
    assert client.post(reverse("admin:login"), form).status_code == 302
    assert "Harbour Bakery" in client.get(reverse("admin:workspaces_workspace_changelist")).content.decode()

    client.post(reverse("admin:staff_enter", args=[demo["workspace_id"]]), {"reason": "A look around"})
    assert "Oven two runs" in client.get(reverse("admin:memory_memory_changelist")).content.decode()

    mara = User.objects.get(email=demo["email"])
    caller = access_workspace(user=mara, workspace_id=UUID(demo["workspace_id"]))
    with workspace_scope(caller):
        visits = AuditEvent.objects.filter(actor_kind="staff").order_by("created_at", "id")
        assert list(visits.values_list("action", "object_type")) == [
            ("staff.entered", "workspace"),
            ("staff.read", "memory"),
        ]


def test_demo_people_are_not_let_into_the_admin(demo: dict[str, Any]) -> None:
    client = Client()
    client.force_login(User.objects.get(email=demo["email"]))

    answer = client.get(reverse("admin:index"))

    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, reverse("admin:login"))


@pytest.mark.parametrize("damage", [b'{"workspace_id": "01', b"\xff\x00\xff", b'["a list"]', b'{"other": 5}'])
def test_a_damaged_file_is_set_aside_and_made_again(settings: Any, tmp_path: Path, damage: bytes) -> None:
    settings.HOME, path = tmp_path, tmp_path / "demo.json"
    path.write_bytes(damage)

    said = printed_by_create_demo()

    demo = json.loads(path.read_text())
    assert RestClient(UUID(demo["workspace_id"]), demo["api_key"]).get("memories").status_code == 200
    (aside,) = tmp_path.glob("demo.json.damaged-*")
    assert aside.read_bytes() == damage
    assert f"demo.json could not be read: it is now {aside.name}, with new passwords and keys." in said


def test_neither_passwords_nor_keys_are_printed(settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path

    said = printed_by_create_demo()

    demo = json.loads((tmp_path / "demo.json").read_text())
    assert demo["email"] in said
    assert not [secret for secret in (demo["password"], demo["api_key"]) if secret in said]


def printed_by_create_demo() -> str:
    said = StringIO()
    call_command("create_demo", stdout=said)
    return said.getvalue()


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("is_lost", [False, True])
def test_demo_people_who_joined_another_workspace_keep_their_own(
    demo: dict[str, Any], tmp_path: Path, cast: Cast, role: Role, is_lost: bool
) -> None:
    assert cast.acme.workspace.name < "Harbour Bakery"  # so that it comes first in a list of theirs
    add_member(caller=cast.acme.caller, email=demo["email"], role=role)
    if is_lost:
        (tmp_path / "demo.json").unlink()

    again = create_demo(tmp_path)

    assert again["workspace_id"] == demo["workspace_id"]
    assert (again == demo) is not is_lost
    assert RestClient(UUID(again["workspace_id"]), again["api_key"]).get("memories").status_code == 200


def test_demo_people_who_lost_their_role_get_a_workspace_of_their_own(
    demo: dict[str, Any], tmp_path: Path, cast: Cast
) -> None:
    mara = access_workspace(user=User.objects.get(email=demo["email"]), workspace_id=UUID(demo["workspace_id"]))
    add_member(caller=mara, email=cast.alice.email, role=Role.OWNER)
    add_member(caller=mara, email=demo["email"], role=Role.MEMBER)

    again = create_demo(tmp_path)

    assert again["workspace_id"] != demo["workspace_id"]
    assert RestClient(UUID(again["workspace_id"]), again["api_key"]).get("api-keys").status_code == 200


def test_the_talk_ends_in_a_sentence_next_to_a_server_without_a_model() -> None:
    problem = {"code": "invalid", "errors": [{"field": "base_url", "code": "refused_address", "detail": "Not public."}]}
    transport = httpx.MockTransport(lambda request: httpx.Response(422, json=problem))

    with (
        httpx.Client(base_url="http://127.0.0.1:8000", transport=transport) as rest,
        pytest.raises(SystemExit, match="was started without MODEL_HOSTS"),
        conversation_demo._model_of_the_workspace(rest, url="http://127.0.0.1:8000"),
    ):
        pytest.fail("It went on without a model.")
