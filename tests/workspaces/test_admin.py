"""Staff look into one workspace at a time, and every look is in that workspace's audit record."""

from __future__ import annotations

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from config.schedules import SCHEDULE
from core.stores import queue
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Memory
from tests.cast import PASSWORD, Answer, Cast, Household
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import workspace_keys
from workspaces.models import ApiKey, AuditEvent, Membership, User, Workspace

TENANT_LISTS = ("workspaces_apikey", "workspaces_membership", "workspaces_auditevent", "memory_memory")
REASON = "Ticket 4711: memories look wrong"

pytestmark = pytest.mark.django_db


@pytest.fixture
def auditor(cast: Cast) -> User:
    """A staff member without a single one of Django's permissions, and no member of any workspace."""
    return User.objects.create_user("ada@staff.example", PASSWORD, name="Ada", is_staff=True)


@pytest.fixture
def staff(auditor: User) -> Client:
    return _signed_in(auditor)


@pytest.fixture
def tea(cast: Cast) -> Memory:
    return remember(caller=cast.acme.caller, new=NewMemory("Acme orders tea on Mondays.")).memory


@pytest.mark.parametrize(
    "page", ["index", "workspaces_workspace_changelist", *(f"{n}_changelist" for n in TENANT_LISTS)]
)
def test_members_who_are_no_staff_are_sent_to_sign_in(cast: Cast, page: str) -> None:
    for client in (Client(), _signed_in(cast.alice)):
        answer = client.get(reverse(f"admin:{page}"))
        assert answer.status_code == 302
        assert reverse("admin:login") in answer["Location"]


def test_no_staff_cannot_enter(cast: Cast) -> None:
    answer = _enter(_signed_in(cast.alice), cast.acme)
    assert reverse("admin:login") in answer["Location"]
    assert _visits(cast.acme) == []


@pytest.mark.parametrize("name", TENANT_LISTS)
def test_without_a_choice_a_sentence_stands_where_the_rows_would_be(staff: Client, tea: Memory, name: str) -> None:
    answer = staff.get(reverse(f"admin:{name}_changelist"))
    assert answer.status_code == 200
    assert "you have entered none" in answer.content.decode()


def test_without_a_choice_no_object_is_shown(staff: Client, tea: Memory) -> None:
    page = staff.get(_page_of(tea)).content.decode()
    assert "you have entered none" in page
    assert "orders tea" not in page


@pytest.mark.parametrize("page", ["add", "change", "delete", "history"])
@pytest.mark.parametrize("model", TENANT_LISTS)
def test_without_a_choice_no_address_breaks(staff: Client, tea: Memory, model: str, page: str) -> None:
    address = reverse(f"admin:{model}_{page}", args=[] if page == "add" else [tea.pk])
    assert staff.get(address).status_code in {200, 302, 403}


def test_the_list_of_workspaces_shows_all_and_leaves_no_trace(cast: Cast, staff: Client) -> None:
    page = staff.get(reverse("admin:workspaces_workspace_changelist")).content.decode()
    assert "Acme" in page
    assert "Umbrella" in page
    assert _visits(cast.acme) == _visits(cast.umbrella) == []


@pytest.mark.parametrize(
    "query", ["config__icontains={}", "config__has_key=memory", "is_deleted=0", "slug__startswith=a"]
)
def test_the_list_of_workspaces_answers_no_guesses_about_their_settings(cast: Cast, staff: Client, query: str) -> None:
    answer = staff.get(f"{reverse('admin:workspaces_workspace_changelist')}?{query}")
    assert answer.status_code == 400


def test_keys_are_not_found_by_guessing_at_their_hash(cast: Cast, staff: Client) -> None:
    _enter(staff, cast.acme)
    assert staff.get(f"{reverse('admin:workspaces_apikey_changelist')}?secret_hash__startswith=a").status_code == 400
    for address in ("workspaces_membership_changelist", "memory_memory_changelist"):
        narrowed = "role__exact=owner" if "membership" in address else "standing=facts&source__exact=agent"
        assert staff.get(f"{reverse(f'admin:{address}')}?{narrowed}").status_code == 200


def test_entering_is_audited_in_the_workspace_and_leads_to_its_page(cast: Cast, auditor: User, staff: Client) -> None:
    answer = _enter(staff, cast.acme)
    assert answer["Location"] == reverse("admin:workspaces_workspace_change", args=[cast.acme.workspace.id])
    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.get(action="staff.entered")
    assert (event.actor_kind, event.actor_id) == ("staff", str(auditor.id))
    assert (event.object_type, event.object_id) == ("workspace", str(cast.acme.workspace.id))
    assert event.address == "127.0.0.1"
    assert event.details == {"reason": REASON}
    assert _visits(cast.umbrella) == []


def test_entering_needs_a_post_with_the_forms_token(cast: Cast, auditor: User, staff: Client) -> None:
    address = reverse("admin:staff_enter", args=[cast.acme.workspace.id])
    assert staff.get(address, {"reason": REASON}).status_code == 200
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(auditor)
    assert strict.post(address, {"reason": REASON}).status_code == 403
    assert _visits(cast.acme) == []


@pytest.mark.parametrize(
    "reason", ["", "   ", "look", "to look \u202eat it", "x" * 301, "because of oxa_live_" + "a1B2c3D4" * 6]
)
def test_entering_needs_a_reason(cast: Cast, staff: Client, reason: str) -> None:
    address = reverse("admin:staff_enter", args=[cast.acme.workspace.id])

    answer = staff.post(address, {"reason": reason})

    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert "you have entered none" in staff.get(reverse("admin:memory_memory_changelist")).content.decode()
    assert _visits(cast.acme) == []


def test_owners_and_no_members_see_who_came_and_why(cast: Cast, staff: Client) -> None:
    _enter(staff, cast.acme)
    settings = reverse("settings-memory", args=[cast.acme.workspace.slug])

    assert REASON in _signed_in(cast.alice).get(settings).content.decode()
    assert REASON not in _signed_in(cast.bob).get(settings).content.decode()
    other = reverse("settings-memory", args=[cast.umbrella.workspace.slug])
    assert REASON not in _signed_in(cast.charlie).get(other).content.decode()


@pytest.mark.parametrize("spelling", ["{0}", "[mem:{0}]", "{1}", "tea mondays"])
def test_memories_are_found_by_id_short_id_and_words(cast: Cast, staff: Client, tea: Memory, spelling: str) -> None:
    remember(caller=cast.acme.caller, new=NewMemory("Acme orders coffee on Fridays."))
    _enter(staff, cast.acme)
    term = spelling.format(tea.pk, str(tea.pk)[-8:])

    page = staff.get(reverse("admin:memory_memory_changelist"), {"q": term}).content.decode()

    assert "orders tea" in page
    assert "orders coffee" not in page


def test_memories_of_another_workspace_are_not_found(cast: Cast, staff: Client, tea: Memory) -> None:
    _enter(staff, cast.umbrella)
    page = staff.get(reverse("admin:memory_memory_changelist"), {"q": str(tea.pk)}).content.decode()
    assert "orders tea" not in page


def test_queue_and_schedule_are_readable_for_staff_alone(cast: Cast, staff: Client) -> None:
    queue.write_schedules(SCHEDULE)
    queue.enqueue("ontology.graph.tasks.project_all")

    page = staff.get(reverse("admin:staff_health")).content.decode()

    assert "merge candidates" in page
    assert "ontology.graph.tasks.project_all" in page
    assert "queued or running" in page
    assert _signed_in(cast.alice).get(reverse("admin:staff_health")).status_code == 302
    assert staff.post(reverse("admin:staff_health")).status_code == 405


def test_tables_are_found_by_name_twice_as_the_cache_answers_the_second_time(staff: Client) -> None:
    for _ in range(2):
        assert "Memor" in staff.get("/admin/search/", {"s": "memor"}).content.decode()


def test_every_look_is_audited_with_type_and_id(cast: Cast, staff: Client, tea: Memory) -> None:
    key = workspace_keys(cast.acme.caller)[0]
    _enter(staff, cast.acme)
    for name in TENANT_LISTS:
        assert staff.get(reverse(f"admin:{name}_changelist")).status_code == 200
    assert staff.get(_page_of(tea)).status_code == 200
    assert staff.get(reverse("admin:workspaces_apikey_change", args=[key.id])).status_code == 200
    assert staff.get(reverse("admin:workspaces_workspace_change", args=[cast.acme.workspace.id])).status_code == 200
    assert _visits(cast.acme) == [
        ("staff.entered", "workspace", str(cast.acme.workspace.id)),
        ("staff.read", "api_key", ""),
        ("staff.read", "membership", ""),
        ("staff.read", "audit_event", ""),
        ("staff.read", "memory", ""),
        ("staff.read", "memory", str(tea.pk)),
        ("staff.read", "api_key", str(key.id)),
        ("staff.read", "workspace", str(cast.acme.workspace.id)),
    ]
    with workspace_scope(cast.acme.caller):
        assert [event.details for event in AuditEvent.objects.filter(action="staff.read").exclude(details={})] == []


@pytest.mark.parametrize("spelling", ["{0.hex}", "{{{0}}}", "--------{0}--------------------------------"])
def test_a_look_is_audited_with_the_id_however_the_address_spells_it(
    cast: Cast, staff: Client, tea: Memory, spelling: str
) -> None:
    _enter(staff, cast.acme)
    assert staff.get(reverse("admin:memory_memory_change", args=[spelling.format(tea.pk)])).status_code == 200
    assert _visits(cast.acme)[-1] == ("staff.read", "memory", str(tea.pk))


def test_another_workspace_is_invisible(cast: Cast, staff: Client, tea: Memory) -> None:
    _enter(staff, cast.umbrella)
    assert "orders tea" not in staff.get(reverse("admin:memory_memory_changelist")).content.decode()
    assert staff.get(_page_of(tea)).status_code == 302
    assert staff.get(reverse("admin:workspaces_workspace_change", args=[cast.acme.workspace.id])).status_code == 302
    members = staff.get(reverse("admin:workspaces_membership_changelist")).content.decode()
    assert "Charlie" in members
    assert "Bob" not in members
    assert _visits(cast.acme) == []
    assert [visit for visit in _visits(cast.umbrella) if visit[2] == str(tea.pk)] == []


def test_leaving_closes_the_workspace(cast: Cast, staff: Client, tea: Memory) -> None:
    _enter(staff, cast.acme)
    staff.post(reverse("admin:staff_leave"))
    assert "you have entered none" in staff.get(_page_of(tea)).content.decode()
    assert [action for action, _, _ in _visits(cast.acme)] == ["staff.entered", "staff.left"]


def test_entering_the_next_workspace_leaves_the_last_one(cast: Cast, staff: Client) -> None:
    _enter(staff, cast.acme)
    _enter(staff, cast.umbrella)
    assert [action for action, _, _ in _visits(cast.acme)] == ["staff.entered", "staff.left"]
    assert [action for action, _, _ in _visits(cast.umbrella)] == ["staff.entered"]


def test_a_deleted_workspace_cannot_be_entered_and_ends_a_visit(cast: Cast, staff: Client, tea: Memory) -> None:
    _enter(staff, cast.acme)
    with workspace_scope(cast.acme.caller):
        cast.acme.workspace.is_deleted = True
        cast.acme.workspace.save()
    assert "you have entered none" in staff.get(_page_of(tea)).content.decode()
    assert _enter(staff, cast.acme).status_code == 404


def test_a_memorys_page_shows_its_revisions_and_links_what_it_cites(cast: Cast, staff: Client, tea: Memory) -> None:
    citing = remember(caller=cast.acme.caller, new=NewMemory(f"Tea & cake, see [mem:{tea.pk}].")).memory
    edit_memory(caller=cast.acme.caller, memory_id=citing.pk, changes={"tags": ["tea"]})
    _enter(staff, cast.acme)
    page = staff.get(_page_of(citing)).content.decode()
    assert f'href="{_page_of(tea)}">[mem:{tea.pk}]</a>' in page
    assert "Tea &amp; cake" in page
    assert "remember" in page
    assert "edit" in page


@pytest.mark.parametrize(
    ("standing", "verb"),
    [("facts", Verb.PROMOTE), ("pinned", Verb.PIN), ("suppressed", Verb.SUPPRESS), ("forgotten", Verb.FORGET)],
)
def test_memories_are_listed_by_standing(cast: Cast, staff: Client, tea: Memory, standing: str, verb: Verb) -> None:
    address = reverse("admin:memory_memory_changelist")
    _enter(staff, cast.acme)
    assert "orders tea" not in staff.get(address, {"standing": standing}).content.decode()
    apply_transition(caller=cast.acme.caller, memory_id=tea.pk, verb=verb)
    assert "orders tea" in staff.get(address, {"standing": standing}).content.decode()


def test_audit_events_are_newest_first_and_can_be_narrowed(cast: Cast, staff: Client) -> None:
    _enter(staff, cast.acme)
    address = reverse("admin:workspaces_auditevent_changelist")
    page = staff.get(address).content.decode()
    assert page.index(">staff.entered<") < page.index(">key.created<") < page.index(">workspace.founded<")
    narrowed = staff.get(address, {"action": "key.created", "actor_label": "Alice"}).content.decode()
    assert ">key.created<" in narrowed
    assert ">workspace.founded<" not in narrowed


def test_staff_revoke_a_key_through_the_service_and_never_see_its_hash(cast: Cast, staff: Client) -> None:
    key = workspace_keys(cast.acme.caller)[0]
    _enter(staff, cast.acme)
    seen = staff.get(reverse("admin:workspaces_apikey_change", args=[key.id])).content.decode()
    assert key.secret_hash not in seen
    staff.post(reverse("admin:workspaces_apikey_changelist"), {"action": "revoke", "_selected_action": [str(key.id)]})
    assert cast.acme.rest().get("memories").status_code == 401
    with workspace_scope(cast.acme.caller):
        assert AuditEvent.objects.get(action="key.revoked").actor_kind == "staff"


def test_staff_cannot_revoke_a_key_of_another_workspace(cast: Cast, staff: Client) -> None:
    key = workspace_keys(cast.acme.caller)[0]
    _enter(staff, cast.umbrella)
    staff.post(reverse("admin:workspaces_apikey_changelist"), {"action": "revoke", "_selected_action": [str(key.id)]})
    with workspace_scope(cast.acme.caller):
        assert ApiKey.objects.get(id=key.id).revoked_at is None


@pytest.mark.parametrize("model", [Workspace, ApiKey, Membership, AuditEvent, Memory])
def test_nothing_is_added_changed_or_deleted_even_by_a_superuser(cast: Cast, tea: Memory, model: type[Model]) -> None:
    root = _signed_in(User.objects.create_superuser("root@staff.example", PASSWORD))
    _enter(root, cast.acme)
    with workspace_scope(cast.acme.caller):
        before = list(model._default_manager.values())
        pk = model._default_manager.values_list("pk", flat=True)[0]
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    for address in (reverse(f"{name}_add"), reverse(f"{name}_change", args=[pk]), reverse(f"{name}_delete", args=[pk])):
        assert root.post(address, {"name": "x", "role": "owner", "post": "yes"}).status_code == 403
    with workspace_scope(cast.acme.caller):
        assert list(model._default_manager.values()) == before


def test_an_account_is_made_with_the_address_that_signing_in_looks_for(cast: Cast) -> None:
    root = _signed_in(User.objects.create_superuser("root@staff.example", PASSWORD))
    form = {"email": " Dora@Acme.Example", "name": "Dora", "password1": PASSWORD, "password2": PASSWORD}
    assert root.post(reverse("admin:workspaces_user_add"), form).status_code == 302
    assert User.objects.get(name="Dora").email == "dora@acme.example"
    again = root.post(reverse("admin:workspaces_user_add"), {**form, "name": "Dora II"})
    assert "already exists" in again.content.decode()


def test_staff_without_djangos_permissions_see_no_accounts(staff: Client) -> None:
    assert staff.get(reverse("admin:workspaces_user_changelist")).status_code == 403


def _signed_in(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def _enter(client: Client, household: Household) -> Answer:
    return client.post(reverse("admin:staff_enter", args=[household.workspace.id]), {"reason": REASON})


def _page_of(memory: Memory) -> str:
    return reverse("admin:memory_memory_change", args=[memory.pk])


def _visits(household: Household) -> list[tuple[str, str, str]]:
    """What staff did in a workspace, oldest first."""
    with workspace_scope(household.caller):
        events = AuditEvent.objects.filter(actor_kind="staff").order_by("created_at", "id")
        return list(events.values_list("action", "object_type", "object_id"))
