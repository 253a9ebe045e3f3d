"""What the bar under a list sends: the selected memories, a reason, tags."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.http import QueryDict

from core.errors import InvalidError
from core.http.form_fields import TextFormField
from memory.memories.bulk.services import MAX_MEMORIES
from memory.memories.forms import TagsField


class ReasonForm(forms.Form):
    """Why several memories are suppressed."""

    reason = TextFormField(max_length=500, required=False, help_text="Shown on the page of each.")


class TagForm(forms.Form):
    """Tags to add to several memories."""

    tags = TagsField(label="Tags to add", help_text="Separated by commas.")


def read_chosen(sent: QueryDict) -> dict[UUID, str]:
    """Return the selected memories, each with what its check box had after the colon: the hash of its text, or tags.

    Raises InvalidError for none, too many, or something that is not an id.
    """
    pairs = [value.partition(":") for value in sent.getlist("memory")]
    try:
        chosen = {UUID(memory_id): rest for memory_id, _, rest in pairs}
    except ValueError as error:
        raise InvalidError("A selected memory is named by its id.") from error
    if not chosen:
        raise InvalidError("Select at least one memory first.")
    if len(chosen) > MAX_MEMORIES:
        raise InvalidError(f"Select at most {MAX_MEMORIES} memories at once.")
    return chosen
