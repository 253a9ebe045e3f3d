"""Form of a workspace's memory settings. It converts types; services say what is allowed."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import TextFormField
from workspaces.settings.retention import RETENTION_LIMITS
from workspaces.settings.user_template import MAX_TEMPLATE_CHARACTERS, USER_TEMPLATE
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

    recent_messages = _within(
        "recent_messages",
        label="Recent messages",
        help_text="How many of the newest messages of a conversation its window and the chat hold word for word. "
        "1 to 200.",
    )
    recall_top_k = _within(
        "recall_top_k",
        label="Semantic recall, messages",
        help_text="How many similar messages recall in one conversation answers, unless the call says. 1 to 50.",
    )
    recall_before = _within(
        "recall_before",
        label="Messages before each",
        help_text="How many messages said right before a recalled one come with it. 0 to 20.",
    )
    recall_after = _within(
        "recall_after",
        label="Messages after each",
        help_text="How many messages said right after a recalled one come with it. 0 to 20.",
    )
    observe_tokens = _within(
        "observe_tokens",
        label="Observe from, in tokens",
        help_text="When the messages of a conversation pass this, the older ones are replaced by dated observations. "
        "1,000 to 1,000,000.",
    )
    reflect_tokens = _within(
        "reflect_tokens",
        label="Reflect from, in tokens",
        help_text="When the observations of a conversation pass this, they are merged. 1,000 to 1,000,000.",
    )

    keep_contexts = forms.BooleanField(
        required=False,
        label="Keep contexts",
        help_text="Receipts keep the question and the text that an agent was given, for as long as receipts are kept. "
        "Not of calls that read more than one user's or agent's space.",
    )
    receipts = _within(
        "receipts",
        label="Receipts, in days",
        help_text="Receipts of contexts, with the texts that they keep, are deleted at this age. 1 to 36,500.",
    )

    user_template = TextFormField(
        required=False,
        max_length=MAX_TEMPLATE_CHARACTERS,
        label="Template of user working memory",
        widget=forms.Textarea(attrs={"rows": 12, "class": "mono"}),
        help_text="What an agent keeps about a new user begins with this: headings (# Current Goals) and labels below "
        "them (- **Role**:). Contexts hold a label once it is filled in. What is kept already stays as it is. Leave it "
        f"empty for the default. At most {MAX_TEMPLATE_CHARACTERS:,} characters.",
    )

    def changes(self) -> dict[str, dict[str, Any]]:
        """Return what was chosen, by part of the settings."""
        chosen = dict(self.cleaned_data)
        if chosen["user_template"].strip() in {"", USER_TEMPLATE.strip()}:
            chosen["user_template"] = None  # so that a later version's default counts
        retention = {name: chosen.pop(name) for name in RETENTION_LIMITS}
        return {"retention": retention, "memory": chosen}
