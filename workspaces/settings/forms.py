"""Forms of a workspace's settings: Memory and Retention. They convert types; services say what is allowed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Self

from django import forms

from core.http.form_fields import TextFormField
from workspaces.settings.retention import RETENTION_LIMITS, retention_settings
from workspaces.settings.user_template import MAX_TEMPLATE_CHARACTERS, USER_TEMPLATE
from workspaces.settings.workspace_settings import CONSOLIDATION_LIMITS, LIMITS, Configured, memory_settings

CONSOLIDATION = {"scheduled", "keep_sources", *CONSOLIDATION_LIMITS}
RECALLED_MESSAGES = [
    ("spaces", "Of all conversations that the call reads"),
    ("conversation", "Of the conversation that is named"),
    ("off", "None"),
]


def _within(name: str, *, label: str, help_text: str) -> forms.IntegerField:
    least, most = {**LIMITS, **RETENTION_LIMITS, **CONSOLIDATION_LIMITS}[name]
    return forms.IntegerField(
        min_value=least, max_value=most, label=label, help_text=f"{help_text} {least:,} to {most:,}."
    )


class SettingsForm(forms.Form):
    """Some settings of a workspace, each under its name in `PUT settings`."""

    @classmethod
    def of(cls, workspace: Configured) -> Self:
        """Return the form with what the workspace has chosen, or the defaults."""
        memory = asdict(memory_settings(workspace))
        return cls(initial={**memory, **memory["consolidation"], **asdict(retention_settings(workspace))})

    def changes(self) -> dict[str, dict[str, Any]]:
        """Return what was chosen, by part of the settings."""
        chosen = dict(self.cleaned_data)
        retention = {name: chosen.pop(name) for name in RETENTION_LIMITS.keys() & chosen.keys()}
        consolidation = {name: chosen.pop(name) for name in CONSOLIDATION & chosen.keys()}
        return {"retention": retention, "memory": {**chosen, "consolidation": consolidation}}

    def values_by_label(self) -> list[tuple[str, Any]]:
        """Return each label with what is chosen, for those who may not change it."""
        return [(str(field.label), self._words(field.name, field.field, field.initial)) for field in self]

    def _words(self, name: str, field: forms.Field, value: Any) -> Any:
        if isinstance(field, forms.BooleanField):
            return "Yes" if value else "No"
        return dict(RECALLED_MESSAGES)[value] if name == "recall_messages" else value


class MemorySettingsForm(SettingsForm):
    """Settings → Memory, next to the switch."""

    token_budget = _within(
        "token_budget",
        label="Token budget",
        help_text="How many tokens an assembled context may take when the agent names no budget of its own. "
        "Facts are never dropped for it.",
    )
    recall_messages = forms.ChoiceField(
        choices=RECALLED_MESSAGES,
        label="Messages in contexts",
        help_text="Which earlier messages come into a context where they bear on the question.",
    )
    min_confidence = forms.FloatField(
        min_value=0,
        max_value=1,
        label="Least confidence",
        widget=forms.NumberInput(attrs={"step": "any"}),
        help_text="What bears on the question with a smaller probability stays out of contexts. 0 to 1.",
    )
    embed_messages = forms.BooleanField(
        required=False,
        label="Find messages by meaning",
        help_text="Messages get vectors. Without them they are found by their words alone.",
    )
    recent_messages = _within(
        "recent_messages",
        label="Recent messages",
        help_text="How many of the newest messages of a conversation its window and the chat hold word for word.",
    )
    recall_top_k = _within(
        "recall_top_k",
        label="Semantic recall, messages",
        help_text="How many similar messages recall in one conversation answers, unless the call says.",
    )
    recall_before = _within(
        "recall_before",
        label="Messages before each",
        help_text="How many messages said right before a recalled one come with it.",
    )
    recall_after = _within(
        "recall_after",
        label="Messages after each",
        help_text="How many messages said right after a recalled one come with it.",
    )
    observe_tokens = _within(
        "observe_tokens",
        label="Observe from, in tokens",
        help_text="When the messages of a conversation pass this, the older ones are replaced by dated observations.",
    )
    reflect_tokens = _within(
        "reflect_tokens",
        label="Reflect from, in tokens",
        help_text="When the observations of a conversation pass this, they are merged.",
    )
    scheduled = forms.BooleanField(
        required=False,
        label="Summarise every night",
        help_text="Older messages of each conversation become episodes without a request.",
    )
    retain_last = _within(
        "retain_last",
        label="Messages never summarised",
        help_text="How many of the newest messages of a conversation stay as they are.",
    )
    max_age_days = _within(
        "max_age_days",
        label="Summarise from, in days",
        help_text="Only messages older than this become part of an episode.",
    )
    pattern_min_callers = _within(
        "pattern_min_callers",
        label="Callers behind a pattern",
        help_text="How many keys, apps or persons must have reported an error before agents are warned about it.",
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
        changes = super().changes()
        if changes["memory"]["user_template"].strip() in {"", USER_TEMPLATE.strip()}:
            changes["memory"]["user_template"] = None  # so that a later version's default counts
        return changes


class RetentionForm(SettingsForm):
    """Settings → Retention: how long things stay."""

    messages = _within(
        "messages",
        label="Messages, in days",
        help_text="Messages that no summary stands for are deleted when they are this old. "
        "While memory is on, they are searched for facts first.",
    )
    keep_sources = forms.BooleanField(
        required=False,
        label="Keep summarised messages",
        help_text="Messages stay after they became part of an episode. Otherwise they are deleted with the summary.",
    )
    message_retention_days = _within(
        "message_retention_days",
        label="Summarised messages, in days",
        help_text="Where they are kept, they are deleted when they are this old.",
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
        help_text="Receipts of contexts, with the texts that they keep, are deleted at this age.",
    )
    retention_days = _within(
        "retention_days",
        label="Stale after, in days",
        help_text="A memory that no answer has cited for this long after it was made counts as stale, and Review asks "
        "about it. Facts and pinned memories never do.",
    )
