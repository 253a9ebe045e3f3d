"""What people type on Settings → Models."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any
from uuid import UUID

from django import forms

from core.http.form_fields import LineFormField, TextFormField
from llm.call_kinds import Level, Tier
from llm.configuration.schemas import DEAREST
from llm.configuration.services import NewChoice
from llm.models import DEFAULT_TIMEOUT_SECONDS, LONGEST_TIMEOUT_SECONDS, ModelProvider, ProviderKind
from workspaces.settings.workspace_settings import MAX_CREDITS

LEVELS = {
    Level.WORKSPACE: "The whole workspace",
    Level.AGENT: "One agent",
    Level.CONVERSATION: "One conversation",
}
WORK = {Tier.LARGE: "Answers and summaries", Tier.SMALL: "Facts and observations"}


class ProviderForm(forms.Form):
    """A provider. Its key goes in and never comes out: the field is always empty."""

    name = LineFormField(max_length=80, help_text="What it is called in this workspace.")
    kind = forms.ChoiceField(choices=ProviderKind.choices, label="Speaks the API of")
    base_url = TextFormField(
        max_length=500,
        required=False,
        label="Address",
        help_text="Up to and with /v1, for example http://127.0.0.1:11434/v1. Empty for the provider's own.",
    )
    api_key = TextFormField(
        max_length=500,
        required=False,
        label="API key",
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Stored encrypted and never shown again.",
    )
    timeout_seconds = forms.IntegerField(
        min_value=1,
        max_value=LONGEST_TIMEOUT_SECONDS,
        initial=DEFAULT_TIMEOUT_SECONDS,
        label="Seconds an answer may take",
    )

    def fields_of_provider(self) -> dict[str, Any]:
        """Return what was typed, without the key."""
        return {name: value for name, value in self.cleaned_data.items() if name not in {"api_key", "removes_key"}}

    def key(self) -> str:
        return str(self.cleaned_data["api_key"])


class ProviderChangesForm(ProviderForm):
    """A provider that is there; an empty key leaves the stored one."""

    removes_key = forms.BooleanField(required=False, label="Remove the stored key")

    @classmethod
    def of(cls, provider: ModelProvider, data: Any = None) -> ProviderChangesForm:
        names = ("name", "kind", "base_url", "timeout_seconds")
        form = cls(data, initial={name: getattr(provider, name) for name in names})
        form.fields[
            "api_key"
        ].help_text = (
            "Empty keeps the stored one. A new address without a key removes it, since it was meant for the old one."
        )
        if not provider.has_key:
            del form.fields["removes_key"]
        return form

    def changed_key(self) -> str | None:
        """Return the new key, "" to remove the stored one, None to keep it."""
        return self.key() or ("" if self.cleaned_data.get("removes_key") else None)


class ChoiceForm(forms.Form):
    """Which model answers for what."""

    tier = forms.ChoiceField(choices=[(tier.value, work) for tier, work in WORK.items()], label="Work")
    level = forms.ChoiceField(choices=[(level.value, label) for level, label in LEVELS.items()], label="For")
    subject = LineFormField(
        max_length=200,
        required=False,
        label="Agent or conversation",
        help_text="The agent's name or the conversation's key. Empty for the whole workspace.",
    )
    provider = forms.ChoiceField()
    model = LineFormField(max_length=200, help_text="As the provider calls it.")
    input_price = forms.DecimalField(
        min_value=0, max_value=DEAREST, max_digits=12, decimal_places=6, required=False, label="Price of input"
    )
    output_price = forms.DecimalField(
        min_value=0,
        max_value=DEAREST,
        max_digits=12,
        decimal_places=6,
        required=False,
        label="Price of output",
        help_text="Credits for a million tokens. A model without prices costs nothing, and no budget stops it.",
    )

    def __init__(self, providers: Iterable[ModelProvider], data: Any = None) -> None:
        super().__init__(data)
        self.fields["provider"].choices = [(str(one.id), one.name) for one in providers]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        is_workspace = given.get("level") == Level.WORKSPACE
        if is_workspace and given.get("subject"):
            self.add_error("subject", "The whole workspace has no name here. Leave it empty, or choose another level.")
        if not is_workspace and not given.get("subject") and "subject" not in self.errors:
            self.add_error("subject", "Name the agent, or give the conversation's key.")
        return given

    def choice(self) -> NewChoice:
        given = self.cleaned_data
        return NewChoice(
            level=Level(given["level"]),
            subject=given["subject"],
            tier=Tier(given["tier"]),
            provider_id=UUID(given["provider"]),
            model=given["model"],
            input_price=given["input_price"] or Decimal(0),
            output_price=given["output_price"] or Decimal(0),
        )


class EmbedderForm(forms.Form):
    """Which model makes the vectors of search by meaning."""

    provider = forms.ChoiceField(required=False, help_text="Only what speaks OpenAI's API makes vectors here.")
    model = LineFormField(
        max_length=200, required=False, help_text="As the provider calls it. Leave it empty for the server's."
    )
    input_price = forms.DecimalField(
        min_value=0,
        max_value=DEAREST,
        max_digits=12,
        decimal_places=6,
        required=False,
        label="Price",
        help_text="Credits for a million tokens.",
    )

    def __init__(self, providers: Iterable[ModelProvider], data: Any = None) -> None:
        super().__init__(data)
        choices = [(str(one.id), one.name) for one in providers if one.kind == ProviderKind.OPENAI]
        self.fields["provider"].choices = [("", "The server's model"), *choices]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("provider") and not given.get("model") and "model" not in self.errors:
            self.add_error("model", "Name one of the provider's embedding models.")
        return given

    def provider_id(self) -> UUID | None:
        return UUID(self.cleaned_data["provider"]) if self.cleaned_data["provider"] else None

    def price(self) -> Decimal:
        return self.cleaned_data["input_price"] or Decimal(0)


class TakingBackForm(forms.Form):
    """Which choice is taken back."""

    tier = forms.ChoiceField(choices=[(tier.value, tier.value) for tier in Tier])
    level = forms.ChoiceField(choices=[(level.value, level.value) for level in Level])
    subject = LineFormField(max_length=200, required=False)

    def choice(self) -> NewChoice:
        given = self.cleaned_data
        return NewChoice(Level(given["level"]), given["subject"], Tier(given["tier"]), provider_id=None)


class BudgetForm(forms.Form):
    """What the calls of a month may cost."""

    monthly_budget = forms.FloatField(
        min_value=0,
        max_value=MAX_CREDITS,
        required=False,
        label="Credits a month",
        help_text="Empty means no limit. Background work stops at 80 % of it, everything at all of it.",
    )
