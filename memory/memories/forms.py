"""What people type into the memory pages, and what the address of a list asks for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from django import forms
from django.http import QueryDict
from pydantic import Field

from conversations.search.schemas import MAX_QUERY_CHARACTERS
from core.http.field_types import TextRules
from core.http.form_fields import TextFormField
from core.http.pagination import PageQuery
from core.text import is_one_line
from core.text.validators import MORE_THAN_A_LINE
from memory.memories.facets import Hidden
from memory.memories.schemas import MAX_TAG_CHARACTERS, MAX_TAGS, MemoriesQuery
from memory.memories.selectors import MemoryFilter
from memory.memories.services.memory_writer import field_value
from memory.models import Kind, Memory
from workspaces.access.spaces import MAX_NAME_CHARACTERS
from workspaces.http.console_lists import Filters, read_address
from workspaces.http.console_moments import MOMENT_NAMES, MomentBar, PageMoment
from workspaces.models import SpaceKind


class View(StrEnum):
    """The lists of the Memory page, as they stand in its address."""

    PINNED = "pinned"
    FACTS = "facts"
    SUGGESTIONS = "suggestions"
    SEARCH = "search"
    REVIEW = "review"
    STALE = "stale"


# The parameters of the address that say which list, and what is searched for.
NOT_FILTERS = frozenset({"view", "q", *MOMENT_NAMES})
# The filters that each list implies.
NARROWED_BY_VIEW: dict[View, dict[str, Any]] = {
    View.PINNED: {"pinned": True},
    View.FACTS: {"kinds": [Kind.FACT]},
    View.SUGGESTIONS: {"kinds": [Kind.MEMORY]},
}


# Lists of what is to be done, which is of no other moment.
ALWAYS_NOW = frozenset({View.REVIEW, View.STALE})


class MemoryListForm(MemoriesQuery):
    """The query string of the Memory page: the filters of `GET memories`, and which list to show."""

    view: Annotated[View | None, Field(strict=False)] = None
    q: Annotated[str, TextRules(max_length=MAX_QUERY_CHARACTERS, allow_blank=True)] = ""
    state: Annotated[Hidden | None, Field(strict=False)] = None
    as_of: PageMoment = None
    known_at: PageMoment = None


class SpaceListForm(PageQuery):
    """The query string of the page Users and agents."""

    kind: Annotated[SpaceKind | None, Field(strict=False)] = None
    q: Annotated[str, TextRules(max_length=MAX_NAME_CHARACTERS, allow_blank=True)] = ""


@dataclass(frozen=True, slots=True)
class MemoryListQuery:
    """What the address of the Memory page asks for."""

    view: View
    query: str
    narrow: MemoryFilter
    hidden: Hidden | None
    filters: Filters
    bar: MomentBar

    @property
    def unfiltered(self) -> MemoryFilter:
        """The list without what a person narrowed it to."""
        return MemoryFilter(**NARROWED_BY_VIEW.get(self.view, {}))


def parse_list_query(address: QueryDict) -> MemoryListQuery:
    """Read a query string. Raises InvalidError for an invalid value."""
    given, asked = read_address(MemoryListForm, address)
    view = asked.view or (View.SEARCH if asked.q else View.PINNED)
    filters = {name: value for name, value in asked.filter_values().items() if name in MemoriesQuery.model_fields}
    narrow = replace(MemoryFilter(**filters), **NARROWED_BY_VIEW.get(view, {}))
    if view in ALWAYS_NOW:
        narrow = replace(narrow, as_of=None, known_at=None)
    bar = MomentBar.build(given, as_of=narrow.as_of, known_at=narrow.known_at)
    return MemoryListQuery(view, asked.q, narrow, asked.state, Filters(given, NOT_FILTERS), bar)


class TagsField(TextFormField):
    """Tags, separated by commas."""

    def clean(self, value: Any) -> list[str]:
        tags = sorted({tag.strip() for tag in super().clean(value).split(",")} - {""})
        if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG_CHARACTERS for tag in tags):
            raise forms.ValidationError(f"At most {MAX_TAGS} tags of at most {MAX_TAG_CHARACTERS} characters each.")
        if not all(map(is_one_line, tags)):
            raise forms.ValidationError(MORE_THAN_A_LINE)
        return tags

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Iterable[str] | None, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


def _unit(label: str, help_text: str) -> forms.FloatField:
    return forms.FloatField(
        min_value=0, max_value=1, label=label, help_text=help_text, widget=forms.NumberInput(attrs={"step": "any"})
    )


def _moment(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M:%S", attrs={"type": "datetime-local", "step": "1"})
    return forms.DateTimeField(required=False, label=f"{label} (UTC)", widget=widget)


class RememberForm(forms.Form):
    """A memory or fact that a person adds."""

    content = TextFormField(
        widget=forms.Textarea(attrs={"rows": 5, "autofocus": True}),
        label="What should agents remember?",
        help_text="One statement, in words that will still make sense in a year.",
    )
    kind = forms.ChoiceField(
        choices=[
            (Kind.MEMORY, "Memory: a suggestion, weighed against other context"),
            (Kind.FACT, "Fact: authoritative, part of every context"),
        ],
        widget=forms.RadioSelect,
        initial=Kind.MEMORY,
    )
    tags = TagsField(required=False, help_text="Separated by commas.")


class EditForm(forms.Form):
    """Everything about a memory that its editor may change; only what did change is passed on."""

    content = TextFormField(widget=forms.Textarea(attrs={"rows": 8}))
    tags = TagsField(required=False, help_text="Separated by commas.")
    importance = _unit("Importance", "0 to 1. Lifts the memory in search and context.")
    confidence = _unit("Confidence", "0 to 1. How sure its source was.")
    valid_from = _moment("Valid from")
    valid_to = _moment("Valid until")
    expires_at = _moment("Expires")

    @classmethod
    def of(cls, memory: Memory, data: QueryDict | None = None) -> EditForm:
        """Return the form filled with a memory as it is, or with what was typed over it."""
        initial = {name: field_value(memory, name) for name in cls.base_fields}
        times = {name: value.replace(microsecond=0) for name, value in initial.items() if isinstance(value, datetime)}
        # In the panel it stands next to the form that remembers, which has a field of the same name.
        return cls(data, initial=initial | times, auto_id="edit-%s")

    def texts(self) -> list[forms.BoundField]:
        """Return the fields of one line, each on a row of its own; numbers and times stand side by side."""
        return [field for field in self if isinstance(field.field, TextFormField) and field.name != "content"]

    def changes(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}


class WeighForm(forms.Form):
    """Moving the manual weight; `times_referenced` is what the person saw when deciding."""

    delta = forms.FloatField(min_value=-10, max_value=10)
    times_referenced = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class StepForm(forms.Form):
    """A step of the lifecycle: why, and the `statement_hash` of what was shown."""

    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    reason = TextFormField(max_length=500, required=False, help_text="Shown on the memory's page.")
