"""What people type into the ontology's pages, and what the address of the list of nodes asks for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from rest_framework import serializers

from core.http.fields import (
    CommaSeparatedField,
    IdField,
    StrictSerializer,
)
from core.http.fields import TextField as JsonText
from core.http.form_fields import LineFormField, TextFormField
from core.text.json_limits import is_storable
from ontology.models import Node
from ontology.nodes_and_edges.schemas import TypeField
from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.nodes_and_edges.validation import MAX_NAME_CHARACTERS, MAX_TYPE_CHARACTERS
from ontology.search.schemas import MAX_QUERY_CHARACTERS
from workspaces.http.lists import Filters, read_address


class NodeListForm(StrictSerializer):
    """The query string of the list of nodes."""

    q = JsonText(max_length=MAX_QUERY_CHARACTERS, required=False, allow_blank=True)
    types = CommaSeparatedField(child=TypeField(), required=False)
    connection = IdField(required=False)
    created_after = serializers.DateTimeField(required=False)
    created_before = serializers.DateTimeField(required=False)
    deleted = serializers.BooleanField(default=False)


@dataclass(frozen=True, slots=True)
class NodeListQuery:
    """What the address of the list asks for."""

    query: str
    narrow: NodeFilter
    deleted: bool
    filters: Filters


def parse_list_query(address: QueryDict) -> NodeListQuery:
    """Read a query string. Raises REST framework's ValidationError for a value that nobody could mean."""
    given, asked = read_address(NodeListForm, address)
    query, deleted = asked.pop("q", ""), asked.pop("deleted")
    return NodeListQuery(query, NodeFilter(**asked), deleted, Filters(given, frozenset({"q"})))


class PropertiesFormField(TextFormField):
    """Properties as a JSON object."""

    def clean(self, value: Any) -> dict[str, Any]:
        text = super().clean(value).strip()
        try:
            properties = json.loads(text or "{}")
            if not is_storable(properties):
                raise ValueError(text)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError('This is no JSON. Write, for example, {"city": "Oslo"}.') from error
        if not isinstance(properties, dict):
            raise forms.ValidationError("Write the properties as one object, between { and }.")
        return properties


class NodeForm(forms.Form):
    """A node as a person describes it."""

    type = LineFormField(
        max_length=MAX_TYPE_CHARACTERS,
        help_text="What it is, in a word: person, organization, place. A new word becomes a new type.",
        widget=forms.TextInput(attrs={"list": "types", "autocomplete": "off", "autofocus": True}),
    )
    name = LineFormField(max_length=MAX_NAME_CHARACTERS)
    properties = PropertiesFormField(
        required=False,
        help_text='What is known of it, as JSON: {"city": "Oslo"}. Search finds nodes by these words too.',
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "class": "mono"}),
    )

    @classmethod
    def of(cls, node: Node, given: QueryDict | None = None) -> NodeForm:
        """The form of a node that is there."""
        shown = json.dumps(node.properties, indent=2, ensure_ascii=False) if node.properties else ""
        return cls(given, initial={"type": node.type, "name": node.name, "properties": shown})

    def changes_of(self, node: Node) -> dict[str, Any]:
        """What to change of the node: what the form no longer has is taken away."""
        wanted = self.cleaned_data["properties"]
        gone = dict.fromkeys(node.properties.keys() - wanted.keys())
        return {
            "type": self.cleaned_data["type"],
            "name": self.cleaned_data["name"],
            "properties": {**wanted, **gone},
        }
