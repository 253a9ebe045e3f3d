"""Settings → Memory and Settings → Retention, as pages."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tests.cast import Cast
from tests.pages import Visitor, as_role, text_of, toast_of
from workspaces.access.selectors import current_workspace
from workspaces.models import Role
from workspaces.settings.forms import MemorySettingsForm, RetentionForm
from workspaces.settings.retention import RetentionSettings, retention_settings
from workspaces.settings.workspace_settings import ConsolidationSettings, MemorySettings, memory_settings

OTHER_LIMITS = {
    "token_budget": "2000",
    "recall_messages": "conversation",
    "min_confidence": "0.01",
    "embed_messages": "on",
    "retain_last": "10",
    "max_age_days": "7",
    "pattern_min_callers": "1",
    "recent_messages": "30",
    "recall_top_k": "6",
    "recall_before": "3",
    "recall_after": "0",
    "observe_tokens": "50000",
    "reflect_tokens": "60000",
}
RETENTION = {"messages": "60", "receipts": "365", "retention_days": "30", "message_retention_days": "45"}


@pytest.mark.parametrize("role", [Role.OWNER, Role.ADMIN, Role.MEMBER])
def test_members_turn_memory_on_and_off(cast: Cast, role: Role) -> None:
    visitor = as_role(cast, role)

    on = visitor.swap("settings/memory/switch", on="true")

    assert toast_of(on)["text"].startswith("Memory is on.")
    assert 'aria-checked="true"' in text_of(on)
    assert 'id="memory-state"' in text_of(on)
    assert 'hx-swap-oob="true"' in text_of(on)
    assert "Memory on" in text_of(visitor.get("memory"))
    visitor.post("settings/memory/switch", on="false")
    assert "Memory off" in text_of(visitor.get("memory"))


def test_a_viewer_sees_the_state_and_cannot_change_it(cast: Cast) -> None:
    viewer = as_role(cast, Role.VIEWER)

    page = text_of(viewer.get("settings/memory"))

    assert "Memory off" in page
    assert 'role="switch"' not in page
    assert viewer.post("settings/memory/switch", on="true").status_code == 403
    assert memory_settings(current_workspace(cast.acme.caller)).enabled is False


def test_an_owner_changes_the_limits(cast: Cast, alice: Visitor) -> None:
    answer = alice.post("settings/memory", **OTHER_LIMITS)

    assert answer.headers["Location"] == alice.address("settings/memory")
    settings = memory_settings(current_workspace(cast.acme.caller))
    assert (settings.token_budget, settings.recall_messages, settings.min_confidence) == (2_000, "conversation", 0.01)
    assert (settings.recent_messages, settings.recall_before, settings.observe_tokens) == (30, 3, 50_000)
    assert (settings.consolidation.retain_last, settings.consolidation.scheduled) == (10, False)
    assert settings.embed_messages
    again = alice.swap("settings/memory", **{**OTHER_LIMITS, "token_budget": "3000", "scheduled": "on"})
    assert toast_of(again)["text"] == "Saved."
    assert 'value="3000"' in text_of(again)
    assert memory_settings(current_workspace(cast.acme.caller)).consolidation.scheduled


def test_an_owner_says_how_long_things_stay(cast: Cast, alice: Visitor) -> None:
    answer = alice.post("settings/retention", **RETENTION, keep_contexts="on")

    assert answer.headers["Location"] == alice.address("settings/retention")
    workspace = current_workspace(cast.acme.caller)
    settings = memory_settings(workspace)
    assert (settings.retention_days, settings.keep_contexts, settings.consolidation.keep_sources) == (30, True, False)
    assert settings.consolidation.message_retention_days == 45
    assert retention_settings(workspace) == RetentionSettings(messages=60, receipts=365)


def test_every_setting_of_memory_and_retention_is_on_a_page() -> None:
    elsewhere = {"enabled": "the switch", "review": "its own form", "consolidation": "its parts"}
    named = {field.name for page in (MemorySettingsForm(), RetentionForm()) for field in page}
    settings = (MemorySettings, ConsolidationSettings, RetentionSettings)

    assert named == {field.name for part in settings for field in fields(part)} - elsewhere.keys()


@pytest.mark.parametrize(
    ("page", "wrong", "complaint"),
    [
        ("retention", {"retention_days": "0"}, "greater than or equal to 1"),
        ("retention", {"retention_days": "3651"}, "less than or equal to 3650"),
        ("retention", {"retention_days": "soon"}, "Enter a whole number."),
        ("retention", {"messages": "9" * 5_000}, "Enter a whole number."),
        ("memory", {"token_budget": "99"}, "greater than or equal to 100"),
        ("memory", {"token_budget": ""}, "This field is required."),
        ("memory", {"min_confidence": "1.5"}, "less than or equal to 1"),
        ("memory", {"min_confidence": "nan"}, "Enter a number."),
        ("memory", {"recall_messages": "all"}, "Select a valid choice."),
    ],
)
def test_settings_out_of_range_come_back_with_the_reason(
    cast: Cast, alice: Visitor, page: str, wrong: dict[str, str], complaint: str
) -> None:
    before = current_workspace(cast.acme.caller).config

    answer = alice.post(f"settings/{page}", **{**OTHER_LIMITS, **RETENTION, **wrong})

    assert answer.status_code == 422
    assert complaint in text_of(answer)
    assert current_workspace(cast.acme.caller).config == before


@pytest.mark.parametrize(("page", "chosen", "seen"), [("memory", OTHER_LIMITS, "4000"), ("retention", RETENTION, "90")])
def test_a_member_reads_settings_and_may_not_change_them(
    cast: Cast, bob: Visitor, page: str, chosen: dict[str, str], seen: str
) -> None:
    text = text_of(bob.get(f"settings/{page}"))

    assert f"<dd>{seen}</dd>" in text
    assert f'name="{next(iter(chosen))}"' not in text
    before = current_workspace(cast.acme.caller).config
    assert bob.post(f"settings/{page}", **chosen).status_code == 403
    assert current_workspace(cast.acme.caller).config == before
