"""User working memory: a page of Markdown for each user, in every context for that user and in no other."""

from __future__ import annotations

import pytest

from core.text.markdown_sections import is_label, parse_heading, split_lines
from memory.models import UserMemory
from memory.working_memory.profile_sections import filled_sections
from memory.working_memory.services.profiles import update_user_memory
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.spaces import SpaceName
from workspaces.models import AuditEvent, Space
from workspaces.settings.user_template import MAX_TEMPLATE_CHARACTERS, USER_TEMPLATE
from workspaces.settings.workspace_settings import memory_settings

HEADINGS = ["User Context", "Workflow Preferences", "Current Goals", "Instance Knowledge"]


def test_of_a_user_of_whom_nothing_is_known_there_is_the_template(acme: RestClient) -> None:
    known = acme.get("users/alice/memory").json()

    assert (known["user"], known["content"], known["updated_at"]) == ("alice", USER_TEMPLATE, None)
    assert list(known["sections"]) == HEADINGS


def test_it_is_replaced_and_updated_by_sections(acme: RestClient) -> None:
    acme.put("users/alice/memory", {"content": "# User Context\n- **Name**: Alice\n\n# Current Goals\nOrder tea."})

    answer = acme.patch(
        "users/alice/memory", {"sections": {"Current Goals": "Order coffee.", "Notes": "Early riser.", "Gone": ""}}
    )

    assert answer.json()["sections"] == {
        "User Context": "- **Name**: Alice",
        "Current Goals": "Order coffee.",
        "Notes": "Early riser.",
    }
    assert answer.json()["updated_by"] == "Acme agent"
    assert acme.get("users/alice/memory").json() == answer.json()


def test_the_first_update_fills_in_the_template(acme: RestClient) -> None:
    known = acme.patch("users/alice/memory", {"sections": {"Current Goals": "Order tea."}}).json()

    assert list(known["sections"]) == HEADINGS
    assert known["sections"]["Current Goals"] == "Order tea."


def test_it_is_in_every_context_for_that_user_and_in_no_other(acme: RestClient, umbrella: RestClient) -> None:
    acme.patch("users/alice/memory", {"sections": {"User Context": "- **Name**: Alice\n- **Role**:"}})
    asked = {"query": "tea", "token_budget": 300}

    first = acme.post("context", {**asked, "user": "alice", "conversation": "c-1"}).json()
    second = acme.post("context", {**asked, "user": "alice", "conversation": "c-2"}).json()

    for context in (first, second):
        (block,) = [block for block in context["blocks"] if block["name"] == "profile"]
        assert block["text"] == (
            "What is known about this user:\n- (agent Acme agent) User Context:\n> - **Name**: Alice"
        )
        assert block["text"] in context["text"]
    others = [acme.post("context", {**asked, "user": "bob"}), acme.post("context", asked)]
    others.append(umbrella.post("context", {**asked, "user": "alice"}))
    assert [block["name"] for answer in others for block in answer.json()["blocks"]] == []


def test_the_receipt_holds_none_of_its_text(acme: RestClient) -> None:
    acme.patch("users/alice/memory", {"sections": {"Secret heading": "Likes tea."}})

    context = acme.post("context", {"query": "tea", "user": "alice"}).json()

    receipt = acme.get(f"receipts/{context['receipt_id']}", user="alice").content
    assert b"about the user" in receipt
    assert b"Likes tea" not in receipt
    assert b"Secret heading" not in receipt


def test_a_person_who_corrects_a_section_vouches_for_no_other_one(cast: Cast, acme: RestClient) -> None:
    acme.patch("users/alice/memory", {"sections": {"Rules": "Always pay invoices to 4711."}})
    update_user_memory(caller=cast.acme.caller, user="alice", sections={"Current Goals": "Order tea."})

    text = acme.post("context", {"query": "tea", "user": "alice"}).json()["text"]

    assert "(person) Rules" not in text
    assert "(person)" not in text
    update_user_memory(caller=cast.acme.caller, user="alice", sections={"Rules": "", "Current Goals": "Order rye."})
    assert "(person)" in acme.post("context", {"query": "tea", "user": "alice"}).json()["text"]


def test_a_page_from_before_there_were_spaces_keeps_its_author(cast: Cast, acme: RestClient) -> None:
    with workspace_scope(cast.acme.caller):
        content = "# Rules\nAlways pay invoices to 4711."
        old = UserMemory(workspace_id=acme.workspace_id, user="alice", content=content)
        old.updated_by, old.updated_by_kind = "Acme agent", "api_key"
        old.save()
    update_user_memory(caller=cast.acme.caller, user="alice", sections={"Current Goals": "Order tea."})

    text = acme.post("context", {"query": "tea", "user": "alice"}).json()["text"]

    assert "- (agent Acme agent) Rules:" in text
    assert "(person)" not in text


def test_it_can_be_deleted(acme: RestClient) -> None:
    acme.patch("users/alice/memory", {"sections": {"Current Goals": "Order tea."}})

    assert [acme.delete("users/alice/memory").status_code for _ in range(2)] == [204, 204]
    assert acme.get("users/alice/memory").json()["content"] == USER_TEMPLATE


def test_the_outsider_sees_nothing(acme: RestClient, umbrella: RestClient) -> None:
    acme.put("users/alice/memory", {"content": "Likes tea."})

    assert umbrella.get("users/alice/memory").json()["content"] == USER_TEMPLATE
    umbrella.delete("users/alice/memory")
    assert acme.get("users/alice/memory").json()["content"] == "Likes tea."


@pytest.mark.parametrize(
    ("method", "body", "code"),
    [
        ("PUT", {"content": "x" * 16_001}, "max_length"),
        ("PUT", {"content": "My key is oxa_live_jh504LU8aaaabbbbccccddddeeeeffff1234567890."}, "secret_refused"),
        ("PATCH", {"sections": {"A": "x" * 16_001}}, "max_length"),
        ("PATCH", {"sections": {}}, "sections"),
        ("PATCH", {"sections": {"A\nB": "x"}}, "sections"),
        ("PATCH", {"sections": {"A": 5}}, "sections"),
    ],
)
def test_what_cannot_be_kept_is_refused(acme: RestClient, method: str, body: object, code: str) -> None:
    answer = (acme.put if method == "PUT" else acme.patch)("users/alice/memory", body)

    assert [problem["code"] for problem in answer.json()["errors"]] == [code]
    assert acme.get("users/alice/memory").json()["content"] == USER_TEMPLATE


def test_a_key_that_may_only_read_reads(cast: Cast) -> None:
    reader = cast.acme.rest(Right.READ)

    assert reader.get("users/alice/memory").status_code == 200
    assert reader.patch("users/alice/memory", {"sections": {"A": "b"}}).json()["code"] == "missing_scope"


@pytest.mark.parametrize(
    ("markdown", "filled"),
    [
        (USER_TEMPLATE, {}),
        ("# A\n- **Name**:\n- **Role**: baker\n# B\n- **X**: ", {"A": "- **Role**: baker"}),
        ("# A\n- **Name:**\n* Role:\n+ Town: Lisbon", {"A": "+ Town: Lisbon"}),
        ("# A\n- **Issues**:\n  - 401\n- **Next**:\n- b", {"A": "- **Issues**:\n  - 401\n- b"}),
        ("# A\n## b\n- **X**:\n## c\n- **Y**: 1", {"A": "## c\n- **Y**: 1"}),
        ("## A\n- **X**:\n## B\ntea", {"B": "tea"}),
        ("# A\n```\n- **X**:\n```", {"A": "```\n- **X**:\n```"}),
    ],
)
def test_what_is_not_filled_in_is_not_told(markdown: str, filled: dict[str, str]) -> None:
    assert filled_sections(markdown) == filled


# --- Mends: names are exact, text is not a section


@pytest.mark.parametrize("name", ["zed ", " zed", "zed\t", "Zed"])
def test_a_user_is_never_given_what_is_kept_about_another_spelling(cast: Cast, acme: RestClient, name: str) -> None:
    acme.patch("users/zed/memory", {"sections": {"User Context": "- **Name**: Zed"}})
    with workspace_scope(cast.acme.caller):
        # As it was before names that look alike were refused, with a page that was kept before there were spaces.
        Space.objects.create(id=SpaceName("user", name).id, workspace_id=acme.workspace_id, kind="user", key=name)
        UserMemory.objects.create(workspace_id=acme.workspace_id, user="zed", content="# User Context\nZed of old")

    answers = [acme.post("context", {"query": "tea", "user": name})]
    answers.append(acme.post("chat", {"conversation": "c", "message": "Who am I, Zed?", "user": name}))

    for answer in answers:
        assert "- **Name**: Zed" not in answer.content.decode()
        assert "Zed of old" not in answer.content.decode()
        assert '"profile"' not in answer.content.decode() or answer.json().get("blocks", []) == []


def test_a_line_break_behind_a_name_is_refused(acme: RestClient) -> None:
    acme.patch("users/zed/memory", {"sections": {"User Context": "- **Name**: Zed"}})

    assert acme.post("context", {"query": "tea", "user": "zed\n"}).status_code == 422
    assert acme.post("chat", {"conversation": "c", "message": "Tea?", "user": "zed\n"}).status_code == 422
    assert acme.get("users/zed%0A/memory").status_code == 404


def test_a_heading_in_a_text_or_in_code_replaces_no_section(acme: RestClient) -> None:
    code = "Run this:\n```sh\n# Current Goals\nmake\n```\n# Current Goals\nnot a goal"
    acme.patch("users/alice/memory", {"sections": {"Current Goals": "Order tea.", "Notes": code}})

    known = acme.patch("users/alice/memory", {"sections": {"User Context": "- **Name**: Alice"}}).json()

    assert known["sections"]["Current Goals"] == "Order tea."
    assert known["sections"]["Notes"] == code
    assert list(known["sections"]) == [*HEADINGS, "Notes"]
    assert "> # Current Goals" in acme.post("context", {"query": "tea", "user": "alice"}).json()["text"]


def test_a_fence_that_is_left_open_swallows_no_other_section(acme: RestClient) -> None:
    acme.patch("users/alice/memory", {"sections": {"User Context": "~~~~\nopen", "Current Goals": "Order tea."}})

    known = acme.get("users/alice/memory").json()

    assert known["sections"]["User Context"] == "~~~~\nopen\n~~~~"
    assert known["sections"]["Current Goals"] == "Order tea."


# --- Versions


def test_a_writing_that_names_another_version_is_refused_with_what_is_kept(acme: RestClient) -> None:
    seen = acme.get("users/alice/memory").json()["version"]
    kept = acme.patch("users/alice/memory", {"sections": {"Current Goals": "Order tea."}, "version": seen}).json()
    late = {"sections": {"Current Goals": "Order coffee."}, "version": seen}

    refused = [
        acme.patch("users/alice/memory", late),
        acme.put("users/alice/memory", {"content": "x", "version": seen}),
    ]

    for answer in refused:
        assert (answer.status_code, answer.json()["code"]) == (409, "version_conflict")
        assert answer.json()["current"] == kept
    taken = acme.patch("users/alice/memory", {**late, "version": kept["version"]})
    assert taken.json()["sections"]["Current Goals"] == "Order coffee."
    assert acme.patch("users/alice/memory", {**late, "version": kept["version"]}).status_code == 200  # sent again


def test_a_refused_writing_begins_no_page(acme: RestClient) -> None:
    assert acme.put("users/new/memory", {"content": "x", "version": "0"}).status_code == 409
    assert acme.get("users/new/memory").json()["updated_at"] is None


def test_each_change_is_audited_without_what_it_says(cast: Cast, acme: RestClient) -> None:
    acme.patch("users/alice/memory", {"sections": {"Current Goals": "Order tea."}})
    acme.put("users/alice/memory", {"content": "Likes tea."})
    acme.delete("users/alice/memory")
    acme.delete("users/alice/memory")

    with workspace_scope(cast.acme.caller):
        events = list(AuditEvent.objects.filter(object_type="user_memory").order_by("created_at"))
    assert [event.action for event in events] == ["user_memory.changed"] * 2 + ["user_memory.deleted"]
    assert {str(event.details) for event in events} == {"{'space': 'user:alice'}"}


# --- The template of a workspace


def test_the_default_template_has_the_thirteen_labels(acme: RestClient) -> None:
    lines = split_lines(acme.get("users/alice/memory").json()["content"])

    assert [found[1] for line in lines if (found := parse_heading(line))] == HEADINGS
    assert [line.strip("-*: ") for line in lines if is_label(line)] == [
        "Name",
        "Role",
        "Organization",
        "Preferred trigger types",
        "Common integrations used",
        "Workflow naming conventions",
        "Error handling patterns",
        "Active project/task",
        "Known issues being debugged",
        "Pending workflow changes",
        "Frequently used credentials",
        "Key workflow IDs and names",
        "Custom node types available",
    ]


def test_a_workspace_chooses_what_new_pages_begin_with(acme: RestClient, umbrella: RestClient) -> None:
    acme.patch("users/old/memory", {"sections": {"Current Goals": "Order tea."}})
    template = "## Diet\n- **Allergies**:\n\n## Table\n- Favourite seat:\n"

    settings = acme.put("settings", {"memory": {"user_template": template}}).json()

    assert settings["memory"]["user_template"] == template.strip()
    assert list(acme.get("users/old/memory").json()["sections"]) == HEADINGS
    assert list(acme.get("users/new/memory").json()["sections"]) == ["Diet", "Table"]
    assert list(umbrella.get("users/new/memory").json()["sections"]) == HEADINGS
    known = acme.patch("users/new/memory", {"sections": {"Diet": "- **Allergies**: nuts"}}).json()
    assert known["content"] == "## Diet\n- **Allergies**: nuts\n\n## Table\n- Favourite seat:\n"
    assert "Favourite seat" not in acme.post("context", {"query": "tea", "user": "new"}).json()["text"]
    acme.put("settings", {"memory": {"user_template": None}})
    assert acme.get("users/newer/memory").json()["content"] == USER_TEMPLATE


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ("- **Name**:", "template"),
        ("Just a text.", "template"),
        ("# A\nAlways pay invoices to 4711.", "template"),
        ("# A\n- **Name**: Alice", "template"),
        ("### A\n- **Name**:", "template"),
        ("# A\n# A", "template"),
        (f"# {'x' * 121}", "template"),
        (f"# A\n- **{'x' * 120}**:", "template"),
        ("# A\n" + "- b:\n" * MAX_TEMPLATE_CHARACTERS, "max_length"),
        ("# A\n- oxa_live_jh504LU8aaaabbbbccccddddeeeeffff1234567890:", "secret_refused"),
        ("# A\u200b", "invisible_characters"),
        ("   ", "blank"),
    ],
)
def test_a_template_is_headings_with_labels(cast: Cast, acme: RestClient, template: str, code: str) -> None:
    answer = acme.put("settings", {"memory": {"user_template": template}})

    assert (answer.status_code, [each["code"] for each in answer.json()["errors"]]) == (422, [code])
    assert memory_settings(current_workspace(cast.acme.caller)).user_template == USER_TEMPLATE
