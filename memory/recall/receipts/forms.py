"""What people ask of the pages of contexts: filters of the lists, running one again, the search lab."""

from __future__ import annotations

from typing import Annotated, Any

from django import forms

from conversations.search.schemas import MAX_QUERY_CHARACTERS
from core.http.field_types import TextRules
from core.http.form_fields import TextFormField
from core.http.pagination import PageQuery
from memory.memories.selectors import Moments
from memory.memories.transitions import Verb
from memory.models import RunStatus
from memory.recall.receipts.services.corrections import Correction, StatementChange
from memory.recall.receipts.services.rerun import RerunRequest
from workspaces.settings.workspace_settings import LIMITS

MODES = [("hybrid", "By words and meaning"), ("keyword", "By words only"), ("semantic", "By meaning only")]


class RunsQuery(PageQuery):
    """The query string of the list of runs."""

    status: Annotated[str, TextRules(max_length=10)] = ""
    agent: Annotated[str, TextRules(max_length=120, is_line=True)] = ""

    @property
    def known_status(self) -> str:
        """The status, where it is one; '' for anything else."""
        return self.status if self.status in RunStatus.values else ""


def _budget(**attributes: Any) -> forms.IntegerField:
    return forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LIMITS["token_budget"][1],
        label="Tokens",
        widget=forms.NumberInput(attrs=attributes),
    )


def _mode() -> forms.ChoiceField:
    return forms.ChoiceField(choices=MODES, required=False, label="Search")


def _moment(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M:%S", attrs={"type": "datetime-local", "step": "1"})
    return forms.DateTimeField(required=False, label=label, widget=widget)


class CorrectionForm(forms.Form):
    """A memory that is suppressed or edited with the click that shows what this changes."""

    suppress = forms.UUIDField(required=False, widget=forms.HiddenInput)
    unsuppress = forms.UUIDField(required=False, widget=forms.HiddenInput)
    edit = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def correction(self) -> Correction | None:
        """Return what is to be changed; None where nothing is."""
        given = self.cleaned_data
        if identity := given["edit"]:
            return Correction(identity, content=str(self.data.get(f"content-{identity}", "")))
        verb = next((verb for verb in (Verb.SUPPRESS, Verb.UNSUPPRESS) if given[str(verb)]), None)
        return Correction(given[str(verb)], verb) if verb else None


class RerunForm(CorrectionForm):
    """What is asked otherwise; and a memory that is left out, suppressed or edited, or a statement that is closed or
    opened, with the same click."""

    query = TextFormField(
        required=False, max_length=MAX_QUERY_CHARACTERS, label="Question", widget=forms.Textarea(attrs={"rows": 2})
    )
    token_budget = _budget()
    mode = _mode()
    as_of = _moment("As of (UTC)")
    known_at = _moment("Known at (UTC)")
    without = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    close = forms.UUIDField(required=False, widget=forms.HiddenInput)
    reopen = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def statement_change(self) -> StatementChange | None:
        """Return which statement is to be closed or opened; None where none is."""
        given = self.cleaned_data
        identity = given["close"] or given["reopen"]
        return StatementChange(identity, closes=bool(given["close"])) if identity else None

    def moments(self) -> Moments:
        """Return the moment for which it is run again."""
        return Moments(self.cleaned_data["as_of"], self.cleaned_data["known_at"])

    def request(self) -> RerunRequest:
        """Return what is asked otherwise, as the service takes it."""
        given = self.cleaned_data
        return RerunRequest(
            query=given["query"].strip(),
            token_budget=given["token_budget"],
            mode=given["mode"] or "hybrid",
            as_of=given["as_of"],
            known_at=given["known_at"],
            without=frozenset({given["without"]} - {""}),
        )


class SearchLabForm(forms.Form):
    """What the search lab looks for."""

    q = TextFormField(max_length=MAX_QUERY_CHARACTERS, label="Look for")
    mode = _mode()
    token_budget = _budget()
    as_of = _moment("As of (UTC)")
    known_at = _moment("Known at (UTC)")
    raw = forms.BooleanField(required=False)  # named by a link: the JSON of a large context is a large page

    def moments(self) -> Moments:
        """Return the moment for which is searched."""
        return Moments(self.cleaned_data["as_of"], self.cleaned_data["known_at"])
