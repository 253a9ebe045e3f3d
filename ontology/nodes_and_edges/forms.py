"""Forms of nodes: the filters of their list, and the editor of one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from django import forms
from django.http import QueryDict

from core.http.field_types import COMMA_SEPARATED, Id, Moment, QueryFlag, TextRules
from core.http.form_fields import LineFormField, TextFormField
from core.http.schemas import NOT_GIVEN, QuerySchema
from core.text.json_limits import is_storable
from ontology.models import Node
from ontology.nodes_and_edges.normalisation import MAX_NAME_CHARACTERS
from ontology.nodes_and_edges.past_versions import NodeMoment
from ontology.nodes_and_edges.schemas import TypeName
from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.nodes_and_edges.validation import MAX_TYPE_CHARACTERS
from ontology.search.schemas import MAX_QUERY_CHARACTERS
from workspaces.http.console_lists import Filters, read_address
from workspaces.http.console_moments import MOMENT_NAMES, MomentBar, PageMoment


class NodeListForm(QuerySchema):
    """The query string of the list of nodes."""

    q: Annotated[str, TextRules(max_length=MAX_QUERY_CHARACTERS, allow_blank=True)] = ""
    types: Annotated[list[TypeName], COMMA_SEPARATED] = []
    connection: Id = NOT_GIVEN
    created_after: Moment = NOT_GIVEN
    created_before: Moment = NOT_GIVEN
    deleted: QueryFlag = False
    view: Literal["table", "graph"] = "table"
    as_of: PageMoment = None
    known_at: PageMoment = None


@dataclass(frozen=True, slots=True)
class NodeListQuery:
    """What the address of the list asks for."""

    query: str
    narrow: NodeFilter
    deleted: bool
    filters: Filters
    bar: MomentBar
    is_graph: bool = False

    @property
    def moment(self) -> NodeMoment | None:
        """The moment that is asked for; None for now."""
        return NodeMoment(self.bar.as_of, self.bar.known_at) if self.bar.is_set else None


def parse_list_query(address: QueryDict) -> NodeListQuery:
    """Read a query string. Raises InvalidError for an invalid value."""
    given, asked = read_address(NodeListForm, address)
    narrow = NodeFilter(
        types=asked.types,
        connection=asked.connection,
        created_after=asked.created_after,
        created_before=asked.created_before,
    )
    filters = Filters(given, frozenset({"q", "view", *MOMENT_NAMES}))
    bar = MomentBar.build(given, as_of=asked.as_of, known_at=asked.known_at)
    return NodeListQuery(asked.q, narrow, bool(asked.deleted), filters, bar, is_graph=asked.view == "graph")


class PropertiesFormField(TextFormField):
    """Properties as a JSON object."""

    def clean(self, value: Any) -> dict[str, Any]:
        text = super().clean(value).strip()
        try:
            properties = json.loads(text or "{}")
            if not is_storable(properties):
                raise ValueError(text)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError('This is not JSON. Write, for example, {"city": "Oslo"}.') from error
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
        """Return the form of a node that is there."""
        shown = json.dumps(node.properties, indent=2, ensure_ascii=False) if node.properties else ""
        return cls(given, initial={"type": node.type, "name": node.name, "properties": shown})

    def read_changes(self, node: Node) -> dict[str, Any]:
        """Return what to change of the node: what the form no longer has is taken away."""
        wanted = self.cleaned_data["properties"]
        gone = dict.fromkeys(node.properties.keys() - wanted.keys())
        return {
            "type": self.cleaned_data["type"],
            "name": self.cleaned_data["name"],
            "properties": {**wanted, **gone},
        }


class NodeRevertForm(forms.Form):
    """The step of a node's history to which it is taken back, and the newest one that was shown."""

    step = forms.UUIDField()
    seen = forms.CharField(max_length=64, required=False)
