"""What pages of undos take: what is undone, and since when."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated

from django import forms
from pydantic import Field

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from core.http.field_types import TextRules
from core.http.schemas import QuerySchema
from transfer.models import UndoTarget
from transfer.undo.services.undo_scopes import UndoRequest

CHOSEN = "time"
PERIODS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
PERIOD_CHOICES = [
    ("hour", "In the last hour"),
    ("day", "Since yesterday, this time"),
    ("week", "In the last week"),
    (CHOSEN, "Since a time"),
]


class UndoAddress(QuerySchema):
    """The query string of the preview: what is undone. `at` is the time that was chosen, in UTC."""

    run: Annotated[str, TextRules(max_length=36), Field(description="The id of a run.")] = ""
    import_: Annotated[str, TextRules(max_length=36), Field(alias="import", description="The id of an import.")] = ""
    agent: Annotated[str, TextRules(max_length=200), Field(description="The name of an agent.")] = ""
    period: Annotated[str, TextRules(max_length=8), Field(description="`hour`, `day`, `week` or `time`.")] = ""
    at: Annotated[str, TextRules(max_length=40), Field(description="A time, for the period `time`.")] = ""
    everywhere: Annotated[str, TextRules(max_length=2), Field(description="`on` for every space.")] = ""

    @property
    def target(self) -> UndoTarget:
        """What it is about: an agent, where it names nothing else."""
        return UndoTarget.RUN if self.run else UndoTarget.IMPORT if self.import_ else UndoTarget.AGENT

    def as_request(self) -> UndoRequest:
        """Return what the address asks for. Raises InvalidError for a time that is none."""
        if self.run:
            return UndoRequest(UndoTarget.RUN, self.run)
        if self.import_:
            return UndoRequest(UndoTarget.IMPORT, self.import_)
        if not self.agent:
            raise InvalidError("Open this page from an agent, a run or an import.")
        is_everywhere = self.everywhere == "on"
        return UndoRequest(UndoTarget.AGENT, self.agent, since=self._since(), is_everywhere=is_everywhere)

    def _since(self) -> datetime:
        if self.period in PERIODS:
            return utc_now() - PERIODS[self.period]
        found = forms.DateTimeField(required=False)
        try:
            at = found.clean(self.at)
        except forms.ValidationError:
            at = None
        if not isinstance(at, datetime):
            problem = FieldProblem("at", "invalid", "Choose a time, such as 2026-11-26 18:00.")
            raise InvalidError(problems=(problem,))
        return at


class UndoPeriodForm(forms.Form):
    """Since when the writes of an agent are undone."""

    period = forms.ChoiceField(label="Undo what it wrote", choices=PERIOD_CHOICES, initial="day")
    at = forms.DateTimeField(
        label="Since",
        required=False,
        help_text="For “Since a time”, in UTC.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    everywhere = forms.BooleanField(
        label="In every space", required=False, help_text="Otherwise in the space that you look at."
    )


class UndoConfirmForm(forms.Form):
    """The times of the preview, so that what is undone is what was shown."""

    since = forms.DateTimeField(required=False)
    until = forms.DateTimeField()

    def as_confirmed_request(self, asked: UndoAddress) -> UndoRequest:
        """Return what the preview showed. Raises InvalidError for times that are none."""
        if not self.is_valid():
            raise InvalidError("Open the preview once more, and confirm it there.")
        wanted, times = asked.as_request(), self.cleaned_data
        return replace(wanted, since=(times["since"] or wanted.since) if asked.agent else None, until=times["until"])
