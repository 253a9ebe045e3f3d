"""Form of a workspace's memory settings. It converts types; services say what is allowed."""

from __future__ import annotations

from typing import Any

from django import forms

from workspaces.settings.retention import RETENTION_LIMITS
from workspaces.settings.workspace_settings import LIMITS


def _within(name: str, *, label: str, help_text: str) -> forms.IntegerField:
    least, most = {**LIMITS, **RETENTION_LIMITS}[name]
    return forms.IntegerField(min_value=least, max_value=most, label=label, help_text=help_text)


class MemorySettingsForm(forms.Form):
    """Settings → Memory, next to the switch."""

    retention_days = _within(
        "retention_days",
        label="Retention, in days",
        help_text="A memory that no answer has cited for this long after it was made counts as stale. "
        "Facts and pinned memories never do. 1 to 3,650.",
    )
    token_budget = _within(
        "token_budget",
        label="Token budget",
        help_text="How many tokens an assembled context may take when the agent names no budget of its own. "
        "Facts are never dropped for it. 100 to 200,000.",
    )
    messages = _within(
        "messages",
        label="Messages, in days",
        help_text="Messages that no summary stands for are deleted when they are this old. "
        "While memory is on, they are searched for facts first. 1 to 36,500.",
    )

    def changes(self) -> dict[str, dict[str, Any]]:
        """Return what was chosen, by part of the settings."""
        chosen = dict(self.cleaned_data)
        return {"retention": {"messages": chosen.pop("messages")}, "memory": chosen}
